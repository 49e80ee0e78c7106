"""Cards, ranks and counts as people read them: the one place that spells them for a look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.cards import RANK_NAMES, TEXT
from canasta_notation.render.paint import Look, Row, Run

_SYMBOLS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RED: Final = "hdr"


def card(code: int, look: Look) -> Run:
    """Return a card: `K♥` in colour, else as the notation spells it."""
    text = TEXT[code]
    style = "red" if len(text) == 2 and text[1] in _RED and look.colour else ""
    if look.symbols and len(text) == 2 and text[1] in _SYMBOLS:
        text = text[0] + _SYMBOLS[text[1]]
    return Run(text, style)


def card_row(codes: Iterable[int], look: Look) -> Row:
    """Return cards with a blank between them."""
    cells: Row = []
    for code in codes:
        cells += [Run(" ")] if cells else []
        cells.append(card(code, look))
    return cells


def rank_name(rank: int) -> str:
    """Return what a rank is called, many of it: kings."""
    return RANK_NAMES[rank][1]


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 card, 2 cards."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def bounds(fewest: int, most: int) -> str:
    """Return a number, or the range it lies in: 38 to 41."""
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return words as a sentence lists them: a, b and c."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {link} {last}" if most else last


def figure(points: int | None) -> str:
    """Return points, `?` where they cannot be known."""
    return "?" if points is None else str(points)
