"""Findings: what a reader, a replay or an audit has to say about a place in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
Verdict = Literal["verified", "contradicted", "undetermined"]


class Span(NamedTuple):
    """A place in a file: line, column and end column, all from 1; the end column is exclusive."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True, slots=True)
class RuleRef:
    """The rule that a finding rests on: a profile's key, its value, mark and source text."""

    key: str
    value: object
    mark: str
    source: str
    #: One sentence, the value filled in, as `canasta rules` shows it.
    sentence: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `game`, `deal` and `turn` count from 1 and are None where they do not apply.

    `follows` is the finding that this one is a consequence of. An acknowledged finding has the
    severity "note".
    """

    code: str
    severity: Severity
    message: str
    span: Span
    game: int | None = None
    deal: int | None = None
    turn: int | None = None
    #: What stands under the caret in an excerpt; may be empty.
    label: str = ""
    rule: RuleRef | None = None
    help: str | None = None
    acknowledged: bool = False
    follows: Finding | None = None


def worst(verdicts: list[Verdict]) -> Verdict:
    """Return the worst of verdicts (contradicted, undetermined, verified); none is undetermined."""
    order: tuple[Verdict, ...] = ("contradicted", "undetermined", "verified")
    return next((verdict for verdict in order if verdict in verdicts), "undetermined")
