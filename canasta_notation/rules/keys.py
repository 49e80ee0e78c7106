"""The rule keys: the catalogue, and values in words and as records and profile files write them.

Records and profile files use the same spelling: `yes` and `no`, numbers, words, lists joined by
commas, and `none` for an empty or absent value. A profile file may also use TOML's own booleans,
numbers, arrays and tables of points. Special hands come only from profile files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from canasta_notation.cards import (
    BLACK_THREE,
    CARD_STEP,
    RANK_LETTERS,
    RANK_NAMES,
    RANK_POINTS,
    SUITS_OF_A_COLOUR,
    UNKNOWN_RANK,
)
from canasta_notation.english import listed
from canasta_notation.fields import SPECIAL, SPECIAL_NAME
from canasta_notation.quoting import quoted

#: The largest number allowed if the catalogue sets no bound.
_HIGHEST: Final = 1_000_000
#: The cards of a special hand.
SPECIAL_CARDS: Final = 14
#: The numbers of packs that a deck can have.
_PACKS: Final = range(2, 9)

_NUMBER: Final = re.compile(r"-?[0-9]+")
#: A total in an opening table.
_TOTAL: Final = re.compile(r"-?[0-9]{1,7}")
#: The most digits of a number that any key takes; longer numbers are refused unread.
_DIGITS: Final = len(str(_HIGHEST))
#: The steps of an opening table, each with the points below it; the last one has no end.
OpeningTable = tuple[tuple[int | None, int], ...]
_CARDS: Final = {
    "wild": "wild card",
    "red3": "red three",
    "black3": "black three",
    "sevens": "seven",
    "all": "set of any rank",
    "3": "threes",
}


@dataclass(frozen=True, slots=True)
class Key:
    """A rule key. The beginning of keys.toml describes the fields.

    `choices` are numbers if the kind is `number`, else words; empty means any. `offered_only`
    says that a record may write only a value that the profile offers. `absent` is the value for a
    profile whose text has no such rule, "" if every profile must state one. `was` is the key that
    this one replaces. `words` are what a number may be instead. `optional` are names of points that
    a value may leave out. `sentences` maps a value as a record spells it, one of these names, or
    `else`, to a sentence.
    """

    name: str
    kind: str
    sentences: Mapping[str, str]
    choices: tuple[Any, ...] = ()
    least: int = 0
    most: int = _HIGHEST
    none: bool = False
    words: tuple[str, ...] = ()
    offered_only: bool = False
    absent: str = ""
    was: str = ""
    optional: tuple[str, ...] = ()

    def template(self, spelled: str) -> str:
        """Return the sentence for a value, which is given as spelled, with fields to fill in.

        The value is looked up whole, then by its part before a colon, then as `else`. Raises
        KeyError if the catalogue has none of them.
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
        most=data.get("most", _HIGHEST),
        none=data.get("none", data["kind"] in ("list", "numbers")),
        words=tuple(data.get("words", ())),
        offered_only=data.get("override") == "offered",
        absent=data.get("absent", ""),
        was=data.get("was", ""),
        optional=tuple(data.get("optional", ())),
    )


# --- sentences ----------------------------------------------------------------------------------


def sentence(key: Key, value: Any) -> str:
    """Return the rule with this value in one sentence, without a full stop.

    Not checked: that the value is of the key's kind.
    """
    fields = dict(value) if isinstance(value, Mapping) else {}
    name = next((each for each in key.optional if each in fields), spell(value))
    return key.template(name).format_map({**fields, "value": _words(key, value)})


def opening_sentence(key: Key, rows: OpeningTable) -> str:
    """Return `sentence` of an opening table whose steps are numbers of deals."""
    deals = [f"{points:,} points before deal {deal}" for deal, points in rows[:-1]]
    words = listed([*deals, f"{rows[-1][1]:,} {'after that' if deals else 'points'}"])
    return key.template(spell(rows)).format(value=words)


def _words(key: Key, value: Any) -> str:
    match key.kind:
        case "list":
            return listed([_card(item) for item in value], "or")
        case "number" if isinstance(value, int):
            return f"{value:,}"
        case "numbers":
            return listed(map(str, value))
        case "table":
            return _opening(value)
        case "threes":
            return listed(f"{points:,}" for points in value[1])
        case "cards" if value is not None:
            ranks = {RANK_LETTERS[rank]: rank for rank in range(BLACK_THREE, UNKNOWN_RANK)}
            return listed([f"{RANK_NAMES[ranks[each]][1]} {value[each]}" for each in value])
        case "special" if value is not None:
            return listed([_special_hand(name, forms) for name, forms in value.items()])
        case _:
            return str(value)


def _card(item: str) -> str:
    """Return the name of an item of a list; a rank is in the plural."""
    return _CARDS.get(item) or RANK_NAMES[RANK_LETTERS.index(item)][1]


def _opening(rows: OpeningTable) -> str:
    (_, least), *_ = rows
    if len(rows) == 1:
        return f"{least:,} points"
    (first, _), *middle, (_, last) = rows
    steps = [f"{points:,} below {total:,}" for total, points in middle]
    return listed([f"{least:,} points at a total below {first:,}", *steps, f"{last:,} above that"])


def _special_hand(name: str, forms: Any) -> str:
    points = [f"{form.points:,}" for form in forms]
    return f"{name} {listed(points, 'or')}"


# --- values -------------------------------------------------------------------------------------


class SpecialPart(NamedTuple):
    """A part of a special hand: `times` ranks out of `ranks`, each with exactly `size` cards.

    `ranks` are rank letters; `3` stands for threes of either colour.
    """

    size: int
    times: int
    ranks: str


class SpecialPattern(NamedTuple):
    """One form of a special hand, and its points.

    A hand fits if every rank in it, with the number of its cards, belongs to one part, and each
    part has its number of ranks. Parts of the same size name different ranks, so counting is
    enough.
    """

    points: int
    parts: tuple[SpecialPart, ...]


def threes_of_a_colour(packs: int) -> int:
    """Return how many red threes the packs have; they have as many black ones."""
    return packs * SUITS_OF_A_COLOUR


def from_text(key: Key, text: str) -> Any:
    """Return the value that `text` spells. Raises ValueError saying what was expected.

    Not checked: whether the value fits those of other keys, or whether a profile offers it.
    """
    if key.none and text == "none":
        return () if key.kind in ("list", "numbers") else None
    read = _READERS.get(key.kind)
    if read is None:
        raise ValueError(f"{key.name} can only be none here: other values need a profile file")
    return read(key, text)


def from_data(key: Key, data: Any) -> Any:
    """Return the value that a profile file states. Raises ValueError saying what was expected."""
    if isinstance(data, dict):
        if key.kind == "cards":
            return _cards(key, ",".join(f"{name}:{_as_text(each)}" for name, each in data.items()))
        return _points_in(key, data) if key.kind == "points" else _special(key, data)
    return from_text(key, _as_text(data))


def spell(value: Any) -> str:
    """Return a value as a record spells it; for tables of points and special hands, a summary."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == ():
        return "none"
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{_summary(item)}" for name, item in value.items())
    if isinstance(value, tuple):
        return _spell_tuple(value)
    return str(value)


def for_json(value: Any) -> int | str | list[Any]:
    """Return a number or a list as it is, any other value as a record spells it."""
    if isinstance(value, tuple) and not any(isinstance(item, tuple) for item in value):
        return list(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return spell(value)


def _as_text(data: Any) -> str:
    if isinstance(data, list):
        return ",".join(_as_text(item) for item in data) or "none"
    return spell(data)


def _spell_tuple(value: tuple[Any, ...]) -> str:
    """Spell a list, an opening table (pairs) or the points of threes (a word, then numbers)."""
    if isinstance(value[0], tuple):
        return ",".join(str(low) if top is None else f"{top}:{low}" for top, low in value)
    if isinstance(value[-1], tuple):
        mode, points = value
        figures = ",".join(map(str, points))
        return figures if mode == "all" else f"{mode}:{figures}"
    return ",".join(map(str, value))


def _summary(item: Any) -> str:
    if isinstance(item, tuple):
        return "/".join(str(pattern.points) for pattern in item)
    return str(item)


def _number(key: Key, text: str) -> int | str:
    if text in key.words:
        return text
    if key.choices and text not in map(str, key.choices):
        raise ValueError(f"{key.name} must be {listed(map(str, key.choices), 'or')}, not {text}")
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{key.name} must be a whole number{_or_none(key)}, not {text}")
    if len(text.lstrip("-")) > _DIGITS or not key.least <= int(text) <= key.most:
        raise ValueError(f"{key.name} must be from {key.least} to {key.most}, not {text}")
    return int(text)


def _truth(key: Key, text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{key.name} must be yes or no, not {text}")
    return text == "yes"


def _choice(key: Key, text: str) -> str:
    if text not in key.choices:
        raise ValueError(f"{key.name} must be {listed(key.choices, 'or')}, not {text}")
    return text


def _list(key: Key, text: str) -> tuple[str, ...]:
    """Read words joined by commas; return them in the order of the catalogue."""
    words = [_rank_letter(word) if "T" in key.choices else word for word in text.split(",")]
    for word in words:
        if word not in key.choices:
            known = ", ".join(key.choices)
            raise ValueError(
                f"{key.name} must be none or a list of {known}; {quoted(word)} is not one of them"
            )
    if len(set(words)) < len(words):
        raise ValueError(f"{key.name} names {_repeated(words)} twice")
    return tuple(choice for choice in key.choices if choice in words)


def _rank_letter(word: str) -> str:
    """Return a rank's letter; as in a card, 10 is T."""
    return "T" if word == "10" else word


def _numbers(key: Key, text: str) -> tuple[int, ...]:
    return tuple(_count(key, word, least=1) for word in text.split(","))


def _table(key: Key, text: str) -> OpeningTable:
    """Read `0:15,1500:50,120`: a minimum for totals below each total, then one for the rest."""
    *steps, last = text.split(",")
    rows: list[tuple[int | None, int]] = []
    below: int | None = None
    for step in steps:
        total, colon, points = step.partition(":")
        if not colon or not _TOTAL.fullmatch(total):
            raise ValueError(
                f"{key.name} must consist of total:points, and {quoted(step)} is not that"
            )
        if below is not None and int(total) <= below:
            raise ValueError(f"the totals of {key.name} must rise, but {total} follows {below}")
        below = int(total)
        rows.append((below, _count(key, points)))
    if ":" in last:
        raise ValueError(f"{key.name} must end with the points for higher totals, as in 0:15,50")
    rows.append((None, _count(key, last)))
    _hold_ascent(key, [points for _, points in rows])
    return tuple(rows)


def _threes(key: Key, text: str) -> tuple[str, tuple[int, ...]]:
    mode, colon, figures = text.rpartition(":")
    if colon and mode not in ("per-colour", "each"):
        raise ValueError(
            f"{key.name} must begin with per-colour:, each: or a number, not with {mode}:"
        )
    points = tuple(_count(key, word) for word in figures.split(","))
    if mode == "each":
        if len(points) != 1:
            raise ValueError(f"{key.name} must have one number after each:")
        return (mode, points)
    if len(points) not in map(threes_of_a_colour, _PACKS):
        raise ValueError(f"{key.name} must have two numbers a pack, or one after each:")
    _hold_ascent(key, points)
    return (mode or "all", points)


def _points(key: Key, text: str) -> Mapping[str, int]:
    """Read `all-twos:4000,four-jokers:3000,else:2000`, or one number for all of them."""
    if _NUMBER.fullmatch(text):
        return MappingProxyType(dict.fromkeys(key.choices, _points_of(key, text)))
    found: dict[str, int] = {}
    for part in text.split(","):
        name, _, figure = part.partition(":")
        if name not in key.choices + key.optional or name in found or not _NUMBER.fullmatch(figure):
            form = ",".join(f"{each}:POINTS" for each in key.choices)
            raise ValueError(
                f"{key.name} must be none, a number or {form}; {quoted(part)} does not fit"
            )
        found[name] = _points_of(key, figure)
    return _points_in(key, found)


def _points_of(key: Key, figure: str) -> int:
    if len(figure.lstrip("-")) > _DIGITS or not key.least <= int(figure) <= key.most:
        raise ValueError(f"{key.name} must be from {key.least} to {key.most}, not {figure}")
    return int(figure)


def points_of_cards(value: Mapping[str, int] | None) -> dict[str, int]:
    """Return the points of a card of each rank, by its letter, for a value of `score.cards`."""
    ranks = range(BLACK_THREE, UNKNOWN_RANK)
    usual = {RANK_LETTERS[rank]: int(RANK_POINTS[rank]) for rank in ranks}
    return usual | dict(value or {})


def _cards(key: Key, text: str) -> Mapping[str, int]:
    """Read `A:15,3:0`: the points of cards by rank; return them in the order of the catalogue."""
    found: dict[str, int] = {}
    for part in text.split(","):
        rank, _, figure = part.partition(":")
        letter = _rank_letter(rank)
        if letter not in key.choices or not _NUMBER.fullmatch(figure):
            ranks = " ".join(key.choices)
            raise ValueError(
                f"{key.name} must be none or cards with their points, as in A:15,3:0 (the cards "
                f"are {ranks}); {quoted(part)} does not fit"
            )
        if letter in found:
            raise ValueError(f"{key.name} names {letter} twice")
        found[letter] = _points_of(key, figure)
        if found[letter] % CARD_STEP:
            raise ValueError(f"{key.name} must have multiples of {CARD_STEP}, not {figure}")
    return MappingProxyType({each: found[each] for each in key.choices if each in found})


_READERS: Final[dict[str, Callable[[Key, str], Any]]] = {
    "number": _number,
    "truth": _truth,
    "choice": _choice,
    "list": _list,
    "numbers": _numbers,
    "table": _table,
    "threes": _threes,
    "points": _points,
    "cards": _cards,
}


def _points_in(key: Key, data: dict[str, Any]) -> Mapping[str, int]:
    if not set(key.choices) <= set(data) <= {*key.choices, *key.optional}:
        perhaps = "".join(f", perhaps {name}," for name in key.optional)
        due = ", ".join(key.choices)
        raise ValueError(f"{key.name} must have points for {due}{perhaps} and no others")
    names = (*key.choices, *(name for name in key.optional if name in data))
    return MappingProxyType({name: _number_in(key, data[name]) for name in names})


def _number_in(key: Key, data: Any) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not key.least <= data <= key.most:
        raise ValueError(f"{key.name} must have numbers from {key.least} to {key.most}, not {data}")
    return data


def _special(key: Key, data: dict[str, Any]) -> Mapping[str, tuple[SpecialPattern, ...]]:
    if key.kind != "special" or not all(isinstance(forms, list) for forms in data.values()):
        raise ValueError(f"{key.name} cannot be a table")
    for name in data:
        if not re.fullmatch(SPECIAL_NAME, name):
            raise ValueError(f"{quoted(name)} cannot be {SPECIAL[1]}")
    return MappingProxyType(
        {name: tuple(_pattern(name, form) for form in forms) for name, forms in data.items()}
    )


def _pattern(name: str, data: dict[str, Any]) -> SpecialPattern:
    pattern = SpecialPattern(data["points"], tuple(SpecialPart(**part) for part in data["parts"]))
    cards = sum(part.size * part.times for part in pattern.parts)
    if cards != SPECIAL_CARDS:
        raise ValueError(f"special hand {name} must have {SPECIAL_CARDS} cards, not {cards}")
    places = [(part.size, rank) for part in pattern.parts for rank in set(part.ranks)]
    if len(set(places)) < len(places):
        raise ValueError(f"special hand {name} names a rank in two parts of the same size")
    if any(rank not in RANK_LETTERS[1:-1] for _, rank in places):
        raise ValueError(f"special hand {name} must name ranks by their letters: 3 to A, 2 and *")
    return pattern


def _hold_ascent(key: Key, points: Sequence[int]) -> None:
    """Raise ValueError if the points of a table decrease anywhere."""
    for before, after in pairwise(points):
        if after < before:
            raise ValueError(
                f"the points of {key.name} must not go down, but {after} follows {before}"
            )


def _count(key: Key, text: str, least: int = 0) -> int:
    fits = _NUMBER.fullmatch(text) and len(text.lstrip("-")) <= _DIGITS
    if not fits or not least <= int(text) <= key.most:
        raise ValueError(
            f"{key.name} must have numbers from {least} to {key.most}; {quoted(text)} is not one"
        )
    return int(text)


def _or_none(key: Key) -> str:
    return "".join(f" or {word}" for word in (*key.words, *["none"] * key.none))


def _repeated(words: list[str]) -> str:
    return next(word for word in words if words.count(word) > 1)
