"""Checks of a record's values when they are made, and how the values are shown.

A *test* is a function that says whether a field may have a value, and words for the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, field, fields, make_dataclass
from itertools import chain
from typing import Any, Final, TypeVar

from canasta_notation.cards import (
    BLACK_THREE,
    CODES,
    LABELS,
    PLACE_OF,
    RANK,
    RED_THREE,
    SEAT_LETTERS,
    SIDES,
    TEXT,
    format_cards,
)
from canasta_notation.quoting import quoted

Test = tuple[Callable[[Any], bool], str]
_V = TypeVar("_V")

#: The greatest number that the notation can spell.
_MOST: Final = 999_999_999
_WORD: Final = "[A-Za-z][A-Za-z0-9_-]*"
_CARDS: Final = frozenset(range(CODES))
_INT: Final = frozenset({int})
_THREES: Final = (RED_THREE, BLACK_THREE)
_PLACES: Final = frozenset(PLACE_OF.values())


def one_of(*kinds: type) -> Test:
    """Return the test for a value of exactly one of these types; a bool is not an int."""
    return lambda value: type(value) in kinds, " or ".join(map(_kind_name, kinds))


def _kind_name(kind: type) -> str:
    if kind is type(None):
        return "None"
    return f"{'an' if kind.__name__[0] in 'aeiou' else 'a'} {kind.__name__}"


def tuple_of(*kinds: type) -> Test:
    """Return the test for a tuple of values of these types."""
    names = " or ".join(kind.__name__ for kind in kinds)
    return (
        lambda value: type(value) is tuple and all(type(each) in kinds for each in value),
        f"a tuple of {names}",
    )


def optional(test: Test) -> Test:
    """Return a test that None also passes."""
    holds, what = test
    return lambda value: value is None or holds(value), f"{what} or None"


def matching(pattern: str, what: str) -> Test:
    """Return the test for a text that a pattern matches completely."""
    return lambda value: type(value) is str and re.fullmatch(pattern, value) is not None, what


def all_spelled(pattern: str, what: str) -> Test:
    """Return the test for a tuple of texts that a pattern matches completely."""
    holds, _ = matching(pattern, what)
    return lambda value: type(value) is tuple and all(map(holds, value)), f"a tuple of {what}"


def one_for_each(kind: type, whose: str) -> Test:
    """Return the test for a tuple of values of a type, of which no two have the same `whose`."""
    holds, what = tuple_of(kind)
    return (
        lambda value: holds(value) and len({getattr(it, whose) for it in value}) == len(value),
        f"{what}, one for each {whose}",
    )


def figures(name: Test) -> Test:
    """Return the test for a tuple of pairs of a name and points: at least one, each name once."""
    holds, what = name
    return (
        lambda value: (
            type(value) is tuple
            and value != ()
            and all(type(pair) is tuple and len(pair) == 2 for pair in value)
            and all(holds(name) and POINTS[0](points) for name, points in value)
            and len(dict(value)) == len(value)
        ),
        f"a tuple of pairs ({what}; points), at least one, each name once",
    )


def check_points(what: str, points: int) -> None:
    """Raise ValueError for computed points that are more than the notation can spell."""
    if not POINTS[0](points):
        raise ValueError(
            f"{what} would be {points}; a record holds at most {len(str(_MOST))} digits"
        )


def check_numbers(**numbers: int | None) -> None:
    """Raise TypeError for an argument that is neither a whole number nor None."""
    for name, number in numbers.items():
        if not isinstance(number, int | None):
            raise TypeError(f"{name} must be a whole number, not {quoted(number)}")


FLAG: Final[Test] = one_of(bool)
NUMBER: Final[Test] = (
    lambda value: type(value) is int and 0 <= value <= _MOST,
    f"a whole number from 0 to {_MOST}",
)
NUMBER_OR_NONE: Final[Test] = optional(NUMBER)
POINTS: Final[Test] = (
    lambda value: type(value) is int and -_MOST <= value <= _MOST,
    f"a whole number from -{_MOST} to {_MOST}",
)
TEXT_LINE: Final[Test] = matching(
    r"[^\x00-\x08\n-\x1f\x7f-\x9f\ud800-\udfff]*", "one line of text without control characters"
)
TAG_NAME: Final[Test] = matching(_WORD, "the name of a tag: letters, digits, _ and -")
WORD: Final[Test] = matching(_WORD, "a word: letters, digits, _ and -")
SIDE: Final[Test] = matching("|".join(sorted({*chain(*SIDES.values())})), "a side, such as NS")
REASON: Final[Test] = matching(
    "out|special|stock|unfinished|void|time", "out, special, stock, unfinished, void or time"
)
OUT_MARK: Final[Test] = matching("#{0,2}", "'', '#' or '##'")
FINDINGS: Final[Test] = all_spelled("[a-z][a-z0-9]*(-[a-z0-9]+)*", "codes of findings")
CLOCK: Final[Test] = optional(matching(r"[0-9]{1,9}(\.[0-9]{1,9})?", "seconds, such as '12.5'"))
GLYPHS: Final[Test] = all_spelled(r"[!?]{1,2}|\$[0-9]{1,3}", "annotations, such as '!?' or '$14'")
TEXT_LINES: Final[Test] = (
    lambda value: type(value) is tuple and all(map(TEXT_LINE[0], value)),
    "a tuple of lines of text without control characters",
)
CARD: Final[Test] = (lambda value: type(value) is int and value in _CARDS, "the code of a card")
CARDS: Final[Test] = (
    lambda value: (
        type(value) is tuple and _INT.issuperset(map(type, value)) and _CARDS.issuperset(value)
    ),
    "a tuple of the codes of cards",
)
SOME_CARDS: Final[Test] = (
    lambda value: CARDS[0](value) and value != (),
    "a tuple of the codes of cards, at least one",
)
THREES: Final[Test] = (
    lambda value: SOME_CARDS[0](value) and all(RANK[code] in _THREES for code in value),
    "a tuple of the codes of threes, at least one",
)
PLACE: Final[Test] = (
    lambda value: type(value) is int and value in _PLACES,
    "the place of a label",
)
#: Black threes have no number, are never put on other melds, and are never the top that is taken.
SET_PLACE: Final[Test] = (
    lambda value: PLACE[0](value) and value != BLACK_THREE,
    "the place of a label other than 3",
)
SET_PLACE_OR_NONE: Final[Test] = optional(SET_PLACE)
SEAT: Final[Test] = (
    lambda value: type(value) is str and value in SEAT_LETTERS,
    "the letter of a seat",
)
#: What a record calls a packet: a seat's, a side's that an empty hand takes, or one that the
#: opening earns; and its place in a turn: `k` after the discard only, `p` before it too.
PACKET_WORDS: Final = {"foot": "p", "pot": "p", "talon": "k"}
PACKET_WORD: Final[Test] = (
    lambda value: type(value) is str and value in PACKET_WORDS,
    "`foot`, `pot` or `talon`",
)
#: The name of a special hand.
SPECIAL_NAME: Final = (
    r"(?!(?:foot|pot|talon|threes|back|ask|open)\Z)(?=[a-z][a-z-])[a-z]+(?:-[a-z]+)*"
)
SPECIAL: Final[Test] = matching(
    SPECIAL_NAME, "the name of a special hand: two or more letters a-z, with single hyphens inside"
)
COLUMNS: Final[Test] = (
    lambda value: type(value) is tuple and tuple(map(type, value)) == (int, int),
    "a column and an end column",
)
ALL_COLUMNS: Final[Test] = (
    lambda value: type(value) is tuple and all(map(COLUMNS[0], value)),
    "a tuple of pairs of a column and an end column",
)
LINES: Final[Test] = tuple_of(int)


def check(value: object, /, **tests: Test) -> None:
    """Raise ValueError, naming the field, for the first field that does not pass its test."""
    for name, (holds, what) in tests.items():
        held = getattr(value, name)
        try:
            if holds(held):
                continue
        except TypeError:
            pass
        raise ValueError(f"{type(value).__name__}.{name}: {quoted(held)} is not {what}")


def unchecked(kind: type[_V]) -> Callable[..., _V]:
    """Return a constructor of a frozen dataclass that skips the checks of the fields.

    It is for readers whose grammar accepts only valid values, and for random games. A turn is made
    in a twentieth of the time. Setting the slots one by one, as pickle does, would take four times
    as long.
    """
    # A value can change its class to one with the same slots. The twin is not frozen.
    held: Any = kind
    named = [(each.name, object, field(default=each.default)) for each in fields(held)]
    twin = make_dataclass(kind.__name__, named, slots=True)

    def make(*values: object, **more: object) -> _V:
        made: Any = twin(*values, **more)
        made.__class__ = kind
        return made  # type: ignore[no-any-return]

    return make


def show(value: Any) -> str:
    """Return the text of a value of a record: its fields by name, with cards spelled out.

    Empty fields, and places in a text, are left out.
    """
    shown = []
    for each in fields(value):
        held = getattr(value, each.name)
        if each.compare and (each.default is MISSING or held != each.default):
            shown.append(f"{each.name}={_spell(each.name, held)}")
    return f"{type(value).__name__}({', '.join(shown)})"


def _spell(name: str, held: Any) -> str:
    match name:
        case "card":
            return repr(TEXT[held])
        case "cards" | "replacements":
            return repr(format_cards(held, " "))
        case "rank" | "onto":
            return repr(LABELS[held])
    return repr(held)
