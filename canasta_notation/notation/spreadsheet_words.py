"""What the words and figures of a score sheet mean, in several languages."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from canasta_notation.engine.scoring import ITEMS

#: What a column other than a figure can contain.
PLACES: Final = ("file", "game", "deal", "dealer", "side", "item", "claimed")
#: The names of figures.
FIGURES: Final = (*ITEMS, "cards", "score", "total")
#: What a word means that names a column without claims.
OTHER: Final = "other"
#: The meanings of words for a side or a seat; the first two are of two sides, in order.
SIDE_WORDS: Final = ("we", "they", "N", "E", "S", "W", "NS", "EW")
#: The meanings of words in cells.
CELL_WORDS: Final = ("yes", "no", "sum")
_SEPARATORS: Final = re.compile(r"[\s_./:()\[\]\u2013-]+")
#: A whole number: digits, or groups of three with one separator; zeros after another separator.
_POINTS: Final = re.compile(
    r"(?P<sign>[-+\u2212\u2013]?)\s*"
    r"(?P<digits>[0-9]{1,7}"
    r"|[1-9][0-9]{0,2}(?P<by>[.,' \u2019\u00a0\u2009\u202f])[0-9]{3}(?:(?P=by)[0-9]{3})*)"
    r"(?:(?!(?P=by))[.,]0{1,2})?"
)
_NO_POINTS: Final = ("", "-", "\u2212", "\u2013", "\u2014")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of all languages, in the form of `plain`, with their meanings.

    `columns` has the meanings of `PLACES`, `FIGURES` and `OTHER`; `sides` those of `SIDE_WORDS`;
    `yes`, `no` and `sum` are the words of cells.
    """

    columns: dict[str, str]
    sides: dict[str, str]
    yes: frozenset[str]
    no: frozenset[str]
    sum: frozenset[str]


@cache
def words() -> Words:
    """Return the words of `spreadsheet_words.toml`."""
    text = files("canasta_notation.notation").joinpath("spreadsheet_words.toml").read_text("utf-8")
    found = [
        (meaning, plain(word))
        for language in tomllib.loads(text).values()
        for meaning, listed in language.items()
        for word in listed
    ]
    return Words(
        {word: meaning for meaning, word in found if meaning in (*PLACES, *FIGURES, OTHER)},
        {word: meaning for meaning, word in found if meaning in SIDE_WORDS},
        *(frozenset(word for meaning, word in found if meaning == of) for of in CELL_WORDS),
    )


def plain(name: str) -> str:
    """Return a name in the form in which names are compared.

    It is in lower case and without accents; separators become `-`, and those at its ends go.
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _SEPARATORS.sub("-", bare).strip("-")


def side_names(sides: Sequence[str]) -> dict[str, str]:
    """Return the sides of a game by the words for them, in the form of `plain`."""
    known = {side: side for side in sides}
    if len(sides) == 2:
        known |= dict(zip(SIDE_WORDS, sides, strict=False))
    named = {word: known[meaning] for word, meaning in words().sides.items() if meaning in known}
    return named | {plain(side): side for side in sides}


def points_of(said: str) -> int | None:
    """Return the points that a cell claims, None if it claims nothing.

    Raises ValueError for anything but a whole number; a separator stands between thousands.
    """
    text = said.strip()
    if text in _NO_POINTS:
        return None
    if text.startswith("(") and text.endswith(")"):
        text = "-" + text[1:-1].strip()
    match = _POINTS.fullmatch(text)
    if match is None:
        raise ValueError("is not a whole number of points")
    points = int(re.sub("[^0-9]", "", match["digits"]))
    return points if match["sign"] in ("", "+") else -points
