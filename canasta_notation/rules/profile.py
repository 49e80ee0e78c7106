"""A profile: the rules of one game as frozen data, every value with its mark and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from canasta_notation.cards import SEATS, SIDES
from canasta_notation.findings import RuleRef
from canasta_notation.quoting import quoted
from canasta_notation.rules.keys import for_json, keys, opening_sentence, sentence, spell


@dataclass(frozen=True, slots=True)
class Value:
    """The value of one key. `mark` is S, I, A, C, or R for one that a record has set.

    `source` is where the value is stated: a text and its section, or an authority. `offers` are the
    other values that a record may write, for a key whose values come from profile files.
    """

    key: str
    value: Any = field(hash=False)
    mark: str
    source: str
    offers: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _value, (self.key, _thaw(self.value), self.mark, self.source, self.offers)


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of a game: a value for every key of the catalogue, in its order.

    `overridden` names the keys that a record has set. `base` is the packaged profile that a record
    names: the profile itself, or for a person's own file the one that it extends. Profiles compare
    by content.

    >>> from canasta_notation.rules import load_profile
    >>> load_profile("classic")["meld.max_wilds"]
    3
    """

    name: str
    title: str
    values: Mapping[str, Value] = field(hash=False, repr=False)
    overridden: tuple[str, ...] = ()
    base: str = "classic"

    def __getitem__(self, key: str) -> Any:
        """Return the value of a key. Raises KeyError for a name that is not a key."""
        if key not in self.values:
            raise KeyError(self._hint(key))
        return self.values[key].value

    def _hint(self, key: object) -> str:
        """Return what to write instead of a name that is not a key."""
        if isinstance(key, str) and not key.startswith("_") and hasattr(self, key):
            return f"{key} is an attribute, not a key of the rules: write profile.{key}"
        near = get_close_matches(str(key), self.values, 1, 0.5)
        meant = f"; did you mean {near[0]}?" if near else ""
        return f"{quoted(key)} is not a key of the rules{meant}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _profile, (self.name, self.title, dict(self.values), self.overridden, self.base)

    @property
    def seats(self) -> str:
        """The seats, clockwise, one letter each."""
        return SEATS[self["players"]]

    @property
    def side_names(self) -> tuple[str, ...]:
        """The sides, each spelled by its seats."""
        return SIDES[self["players"], self["sides"]]

    @property
    def packet_word(self) -> str:
        """What a record calls a packet; "" under rules without packets."""
        if self["packet.of"] == "none":
            return ""
        if self["packet.of"] == "seat":
            return "foot"
        return "talon" if self["packet.when"] == "opened" else "pot"

    @property
    def packets(self) -> tuple[int, ...]:
        """The number of cards of each packet; () under rules without packets."""
        sizes: tuple[int, ...] = self["packet.size"]
        if self["packet.of"] == "none":
            return ()
        if len(sizes) != 1 or self["packet.when"] == "opened":
            return sizes
        count: int = self["players" if self["packet.of"] == "seat" else "sides"]
        return sizes * count

    def side_of(self, seat: str) -> int:
        """Return the index of a seat's side."""
        return next(at for at, side in enumerate(self.side_names) if seat in side)

    @property
    def text(self) -> str:
        """The profile as it is shown: its name, then the record's overrides; see `rules_tag`."""
        return " ".join([self.name, *(f"{key}={self.spelled(key)}" for key in self.overridden)])

    def spelled(self, key: str) -> str:
        """Return the value of a key as a record spells it (tables of points as a summary)."""
        return spell(self[key])

    def sentence(self, key: str) -> str:
        """Return the sentence that states the rule with its value, without a full stop."""
        if key == "opening.table" and self["opening.by"] == "deal":
            return opening_sentence(keys()[key], self[key])
        return sentence(keys()[key], self[key])

    def ref(self, key: str) -> RuleRef:
        """Return the rule that a finding is about; its value is ready for JSON."""
        held = self.values[key]
        return RuleRef(key, for_json(held.value), held.mark, held.source, self.sentence(key))

    def with_values(self, changes: Mapping[str, Any], *, source: str = "the record") -> Profile:
        """Return the profile with other values, each with the mark R and this source.

        Raises KeyError for a name that is not a key. Not checked: the types of the values, and
        whether they fit together; `parse_rules` checks both.
        """
        for key in changes:
            self.values[key]
        fresh = {key: Value(key, value, "R", source) for key, value in changes.items()}
        values = MappingProxyType({**self.values, **fresh})
        named = {*self.overridden, *changes}
        overridden = tuple(key for key in values if key in named)
        return Profile(self.name, self.title, values, overridden, self.base)


def _value(key: str, value: Any, *rest: Any) -> Value:
    return Value(key, MappingProxyType(value) if isinstance(value, dict) else value, *rest)


def _profile(name: str, title: str, values: dict[str, Value], *rest: Any) -> Profile:
    return Profile(name, title, MappingProxyType(values), *rest)


def _thaw(value: Any) -> Any:
    """Return a value that can be pickled: a view of a mapping cannot."""
    return dict(value) if isinstance(value, Mapping) else value
