"""What the words and figures of a score sheet mean, in several languages."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from canasta_notation.notation.tag_values import is_date
from canasta_notation.rules.items import SCORED

#: What a column other than a figure can contain.
PLACES: Final = ("file", "game", "date", "deal", "dealer", "side", "item", "claimed")
#: The names of figures.
FIGURES: Final = (*SCORED, "score", "total")
#: How many of the last cells are kept with what they mean, since the cells of a sheet repeat.
_KEPT: Final = 1024
#: The meaning of a word that names a column without claims.
OTHER: Final = "other"
#: The meaning of a word for the side of a row, if no column has the name of a side.
PLAYER: Final = "player"
#: The meanings of words for a side or a seat; the first two are of two sides, in order.
SIDE_WORDS: Final = ("we", "they", "N", "E", "S", "W", "NS", "EW")
#: The meanings of words in cells.
CELL_WORDS: Final = ("yes", "no", "sum", "no-deal", "and", "count")
#: The colours of books, which name columns only together.
COLOURS: Final = ("red", "black")
_SEPARATORS: Final = re.compile(r"[\s_./:()\[\]\u2013-]+")
#: Where a word begins in a name without separators, such as `RedThreeCount` or `team1Score`.
_WORD_BEGINS: Final = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])"
)
#: A whole number: digits, or groups of three with one separator; zeros or a dash after another one.
_POINTS: Final = re.compile(
    r"(?P<sign>[-+\u2212\u2013]?)\s*"
    r"(?P<digits>[0-9]{1,7}"
    r"|[1-9][0-9]{0,2}(?P<by>[.,' \u2019\u00a0\u2009\u202f])[0-9]{3}(?:(?P=by)[0-9]{3})*)"
    r"(?:(?!(?P=by))[.,](?:0{1,2}|[-\u2013\u2014]))?"
)
#: Signs and symbols that decorate a name: their kinds in Unicode, and the others.
_SYMBOLS: Final = ("So", "Sk", "Cf", "Mn", "Me")
_MARKS: Final = "!?*"
_NO_POINTS: Final = ("", "-", "\u2212", "\u2013", "\u2014")
#: What may stand around the word of a row of sums, such as `Total =>`.
_POINTERS: Final = " =<>\u2192"
#: The marks around a quotation that CSV takes for text.
_QUOTES: Final = ("\u201c\u201d", "\u201e\u201c", "\u201d\u201d", "\u00ab\u00bb", "\u00bb\u00ab")
#: What may follow the number of a deal: a sign of an ordinal number, and a word for the deal.
_ORDINAL: Final = (
    r"(?:\.|st|nd|rd|th|ste|de|er|re|ère|e|ème|ª|º|°)?(?:\s+(?P<after>[^\W\d_]{2,20}))?"
)
#: The number of a deal, perhaps beside a word for it.
_DEAL: Final = re.compile(
    r"(?P<word>[^\W\d_]{0,20}\.?|#)\s*0{0,3}(?P<number>[1-9][0-9]{0,3})" + _ORDINAL
)
#: The same in Roman numerals, up to 39. A four may be written with four strokes.
_ROMAN_DEAL: Final = re.compile(
    r"(?:(?P<word>[^\W\d_]{2,20}\.?\s|#))?\s*(?P<number>(?=[IVX])X{0,3}(?:IX|IV|V?I{0,4})"
    r"|(?=[ivx])x{0,3}(?:ix|iv|v?i{0,4}))" + _ORDINAL
)
_ROMAN: Final = {"i": 1, "v": 5, "x": 10}
#: Days as numbers, the year first or last; the name of a month is in a group of its own.
_YEAR_FIRST: Final = re.compile(r"\b((?:19|20)[0-9]{2})[-./]([0-9]{1,2})[-./]([0-9]{1,2})(?![0-9])")
_YEAR_LAST: Final = re.compile(r"\b([0-9]{1,2})([-./]) ?([0-9]{1,2})\2 ?((?:19|20)?[0-9]{2})\b")
_YEAR: Final = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_DAY: Final = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|o)?")
#: What may separate a day from its month.
_OF: Final = ("", "de", "of", "di")
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class Words:
    """The words of all languages, in the form of `plain`, with their meanings.

    `columns` has the meanings of `PLACES`, `FIGURES`, `OTHER` and `PLAYER`; `sides` those of
    `SIDE_WORDS`; `yes`, `no`, `sum`, `no_deal` and `partners` are the words of cells; `count` are
    the words for a number of something in the name of a column; `colours` those for red and black.
    """

    columns: dict[str, str]
    sides: dict[str, str]
    colours: dict[str, str]
    yes: frozenset[str]
    no: frozenset[str]
    sum: frozenset[str]
    no_deal: frozenset[str]
    partners: frozenset[str]
    count: frozenset[str]


@cache
def words() -> Words:
    """Return the words of `spreadsheet_words.toml`."""
    text = files(__package__).joinpath("spreadsheet_words.toml").read_text("utf-8")
    found = [
        (meaning, plain(word))
        for language in tomllib.loads(text).values()
        for meaning, listed in language.items()
        for word in listed
    ]
    named = (*PLACES, *FIGURES, OTHER, PLAYER)
    return Words(
        {word: meaning for meaning, word in found if meaning in named},
        {word: meaning for meaning, word in found if meaning in SIDE_WORDS},
        {word: meaning for meaning, word in found if meaning in COLOURS},
        *(frozenset(word for meaning, word in found if meaning == of) for of in CELL_WORDS),
    )


@cache
def months() -> dict[str, int]:
    """Return the number of each month by its names."""
    text = files(__package__).joinpath("spreadsheet_words.toml").read_text("utf-8")
    return {
        plain(name): number
        for language in tomllib.loads(text).values()
        for number, name in enumerate(language["months"], 1)
    }


@lru_cache(_KEPT)
def plain(name: str) -> str:
    """Return a name in the form in which names are compared.

    It is in lower case, without accents and with straight apostrophes; separators become `-`, and
    those at its ends are dropped.
    """
    letters = unicodedata.normalize("NFKD", name.casefold().replace("\u2019", "'"))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _SEPARATORS.sub("-", bare).strip("-")


def spellings(name: str) -> list[str]:
    """Return a name in the form of `plain`, and also with its words apart: `red-three-count`."""
    return [*dict.fromkeys((plain(name), plain(_WORD_BEGINS.sub(" ", name))))]


def is_sum(label: str) -> bool:
    """Return whether a row that begins so adds up the rows above it: `Total`, `Total points =>`."""
    if label.isdigit():
        return False
    known = plain(label.strip(_POINTERS) or label)
    if known in words().sum:
        return True
    parts = known.split("-")
    if len(parts) != len(("total", "points")):
        return False
    figures = {word for word in parts if words().columns.get(word) in ("score", "total")}
    return not words().sum.isdisjoint(parts) and words().sum | figures >= {*parts}


def is_no_deal(label: str) -> bool:
    """Return whether a row that begins so is no deal: it has sums, averages and the like."""
    return is_sum(label) or plain(label) in words().no_deal


def unquoted(cell: str) -> str:
    """Return the text of a cell without marks of a quotation around it, and with single blanks."""
    text = " ".join(cell.split())
    if len(text) > len("\u201c\u201d") and text[0] + text[-1] in _QUOTES:
        return text[1:-1].strip()
    return text


def side_of(name: str, called: Mapping[str, str]) -> str:
    """Return the side that a name means, perhaps between signs as in `We!`; "" if it means none."""
    bare = "".join(
        letter
        for letter in name
        if letter not in _MARKS and unicodedata.category(letter) not in _SYMBOLS
    )
    return called.get(plain(name)) or called.get(plain(bare), "")


def side_names(sides: Sequence[str]) -> dict[str, str]:
    """Return the sides of a game by the words for them, in the form of `plain`."""
    known = {side: side for side in sides}
    if len(sides) == 2:
        known |= dict(zip(SIDE_WORDS, sides, strict=False))
    named = {word: known[meaning] for word, meaning in words().sides.items() if meaning in known}
    return named | {plain(side): side for side in sides}


@lru_cache(_KEPT)
def is_points(said: str) -> bool:
    """Return whether a cell claims points."""
    try:
        return points_of(said) is not None
    except ValueError:
        return False


@lru_cache(_KEPT)
def points_of(said: str) -> int | None:
    """Return the points that a cell claims, None if it claims nothing.

    Raises ValueError for anything but a whole number; a separator is one of thousands.
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


@lru_cache(_KEPT)
def deal_number(text: str) -> int | None:
    """Return the number of a deal as sheets write it, else None.

    Examples are 3, 3., 3rd, 3rd round, #3, R3, Deal 3, III and Deal III.
    """
    said = text.strip()
    # Unicode has signs such as \u2162, which are Roman numerals of their own.
    found = _DEAL.fullmatch(said) or _ROMAN_DEAL.fullmatch(unicodedata.normalize("NFKC", said))
    if found is None:
        return None
    beside = [plain(word) for word in (found["word"], found["after"]) if word]
    if len(beside) > 1 or not all(map(_counts_deals, beside)):
        return None
    digits = found["number"]
    return int(digits) if digits.isdigit() else _roman(digits.lower())


def _counts_deals(word: str) -> bool:
    """Return whether a word beside a number says that it is the number of a deal."""
    return len(word) <= 1 or words().columns.get(word) in ("deal", "hand")


def _roman(numeral: str) -> int:
    """Return the number of a Roman numeral."""
    values = [_ROMAN[letter] for letter in numeral]
    return sum(
        -value if value < after else value
        for value, after in zip(values, [*values[1:], 0], strict=True)
    )


@lru_cache(_KEPT)
def date_of(text: str) -> str | None:
    """Return the day that a text names, as YYYY-MM-DD with `?` for unknown digits, or None.

    The month and the day of 5/6/2026 are not known, because both orders are in use; 5.6.2026 is a
    day in June.
    """
    found = _YEAR_FIRST.search(text)
    if found:
        return _date(found[1], int(found[2]), int(found[3]))
    found = _YEAR_LAST.search(text)
    if found:
        first, second = int(found[1]), int(found[3])
        year = found[4] if len(found[4]) == len("2026") else f"20{found[4]}"
        if found[2] == "/" and first <= _MONTHS and second <= _MONTHS and first != second:
            return f"{year}-??-??"
        if found[2] == "/" and second > _MONTHS:
            first, second = second, first
        return _date(year, second, first)
    parts = [part for part in plain(text).replace(",", "").split("-") if part not in _OF]
    named = [at for at, part in enumerate(parts) if part in months()]
    year_said = _YEAR.search(text)
    if len(named) != 1 or not year_said:
        return None
    (at,) = named
    beside = [*parts[max(at - 1, 0) : at], *parts[at + 1 : at + 2]]
    days = [day for part in beside if (day := _DAY.fullmatch(part))]
    return _date(year_said[0], months()[parts[at]], int(days[0][1]) if len(days) == 1 else None)


def _date(year: str, month: int, day: int | None) -> str | None:
    said = f"{year}-{month:02}-{'??' if day is None else f'{day:02}'}"
    return said if is_date(said) else None
