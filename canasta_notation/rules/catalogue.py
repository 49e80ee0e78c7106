"""The catalogue of findings: what each code means, why it matters, and what to do about it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from canasta_notation.findings import Severity


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a finding's code, whatever the record. The texts end with a full stop.

    `severity` is the one it has unless it is acknowledged. `keys` are the rule keys that govern it,
    most often the first; where none is named, no profile changes it.
    """

    code: str
    family: str
    severity: Severity
    what: str
    why: str
    remedy: str
    keys: tuple[str, ...] = ()

    @property
    def example(self) -> str:
        """The name of the sample that breaks the rule, below `samples/broken`."""
        return f"{self.code}.canasta"


def codes() -> tuple[str, ...]:
    """Return the code of every finding there is, in the order of the reference."""
    return tuple(_entries())


def entry(code: str) -> Entry:
    """Return the entry of a code. Raises KeyError for a code that is none."""
    return _entries()[code]


@cache
def _entries() -> dict[str, Entry]:
    data = tomllib.loads(files(__package__).joinpath("findings.toml").read_text("utf-8"))
    return {
        code: Entry(
            code=code,
            family=fields["family"],
            severity=fields.get("severity", "error"),
            what=fields["what"],
            why=fields["why"],
            remedy=fields["remedy"],
            keys=tuple(fields.get("keys", ())),
        )
        for code, fields in data["codes"].items()
    }
