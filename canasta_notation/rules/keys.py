"""The catalogue of rule keys: the kind of value that each has, and its sentences."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

#: The largest number allowed if the catalogue sets no bound.
HIGHEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Key:
    """A rule key. The fields are those that the head of keys.toml describes.

    `choices` are numbers if the kind is `number`, else words; empty means any. `offered_only`
    says that a record may write only what the profile offers. `absent` is the value for a profile
    whose text has no such rule, "" if every profile must state one. `sentences` maps a value as a
    record spells it, or `else`, to a sentence.
    """

    name: str
    kind: str
    sentences: Mapping[str, str]
    choices: tuple[Any, ...] = ()
    least: int = 0
    most: int = HIGHEST
    none: bool = False
    offered_only: bool = False
    absent: str = ""

    def template(self, spelled: str) -> str:
        """Return the sentence for a value spelled so, its fields not yet filled in.

        Looked up whole, then by the part before a colon, then as `else`. Raises KeyError if
        the catalogue has none of them.
        """
        for name in (spelled, spelled.partition(":")[0]):
            if name in self.sentences:
                return self.sentences[name]
        return self.sentences["else"]


@cache
def keys() -> Mapping[str, Key]:
    """Return every key by its name, in the order of the reference."""
    return MappingProxyType({name: _key(name, data) for name, data in _data()["keys"].items()})


def sources() -> Mapping[str, str]:
    """Return the full name of each source, by its short name."""
    return MappingProxyType(_data()["sources"])


def marks() -> Mapping[str, str]:
    """Return the meaning of each mark of a value: S, I, A, C in profiles, R for a record."""
    return MappingProxyType(_data()["marks"])


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("keys.toml").read_text("utf-8"))


def _key(name: str, data: dict[str, Any]) -> Key:
    return Key(
        name=name,
        kind=data["kind"],
        sentences=MappingProxyType(data["sentences"]),
        choices=tuple(data.get("choices", ())),
        least=data.get("least", 0),
        most=data.get("most", HIGHEST),
        none=data.get("none", data["kind"] in ("list", "numbers")),
        offered_only=data.get("override") == "offered",
        absent=data.get("absent", ""),
    )
