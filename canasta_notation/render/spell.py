"""Cards as people read them, spelled for a look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.cards import TEXT
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
    """Return cards with a space between them."""
    cells: Row = []
    for code in codes:
        cells += [Run(" ")] if cells else []
        cells.append(card(code, look))
    return cells
