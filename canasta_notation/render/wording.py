"""Texts and cards as a page and a diagram show them."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from canasta_notation.cards import KIND, SEQUENCE, TEXT, UNKNOWN, is_wild
from canasta_notation.engine.state import MeldState
from canasta_notation.language.languages import figure
from canasta_notation.notation.document import BonusLine, Game, Ruling

#: Not allowed in HTML: control characters other than white space, and lone surrogates.
_UNFIT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: Characters that change the direction of text, each with the one that ends the change.
_PDF, _PDI = "\u202c", "\u2069"
_TURNS: Final = {
    **dict.fromkeys("\u202a\u202b\u202d\u202e", _PDF),
    **dict.fromkeys("\u2066\u2067\u2068", _PDI),
}
_QUOTED: Final = re.compile("`([^`]+)`")


def html(text: str) -> str:
    """Return a text escaped for SVG and its attributes, for a drawing without a template."""
    return escape(fit(text), quote=True)


def fit(text: str) -> str:
    """Return a text that HTML may contain once it is escaped.

    Control characters are spelled out, and the text does not change the direction of other text.
    """
    return closed(_UNFIT.sub(lambda match: f"\\x{ord(match[0]):02x}", text))


def quoted_parts(text: str) -> list[str]:
    """Return the parts of a sentence; every second part is notation, quoted in backquotes."""
    return _QUOTED.split(text)


def closed(text: str) -> str:
    """Return a text that does not change the direction of the text after it.

    Each change of direction that the text does not end is ended.
    """
    waiting: list[str] = []
    for char in text:
        if char in _TURNS:
            waiting.append(_TURNS[char])
        elif char == _PDF and waiting[-1:] == [_PDF]:
            waiting.pop()
        elif char == _PDI and _PDI in waiting:
            while waiting.pop() != _PDI:
                pass
    return text + "".join(reversed(waiting))


def tag_text(game: Game, name: str) -> str:
    """Return the value of a tag, "" without one; it does not change the direction of other text."""
    tag = game.tag(name)
    return closed(tag.value) if tag else ""


def in_order(meld: MeldState) -> tuple[int, ...]:
    """Return the cards of a meld in order; the top card of a canasta comes last.

    On a natural canasta, this is a red card; on a mixed one, it is a black card. The cards of a
    sequence stay as they lie, from low to high.
    """
    if KIND[meld.rank] >= SEQUENCE:
        return meld.cards
    ordered = sorted(meld.cards, key=lambda card: (is_wild(card) or card == UNKNOWN, card))
    if meld.canasta in ("natural", "semi", "mixed"):
        suits = "hd" if meld.canasta == "natural" else "sc"
        naturals = [card for card in ordered if not is_wild(card) and card != UNKNOWN]
        tops = [card for card in naturals if TEXT[card][-1] in suits] or naturals or ordered[-1:]
        ordered.remove(top := tops[0])
        ordered.append(top)
    return tuple(ordered)


def points(number: int | None) -> str:
    """Return points as people write them in a table: 5,480, -190; `?` if they are not known."""
    return "?" if number is None else figure(number).replace("\N{MINUS SIGN}", "-")


def ruled(line: Ruling) -> str:
    """Return the key of the sentence that says a ruling."""
    return "bonus_line" if isinstance(line, BonusLine) else "penalty_line"
