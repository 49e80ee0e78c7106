"""Texts and cards as a page and a diagram show them."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import Final

from canasta_notation.cards import CODE, TEXT, UNKNOWN, is_wild
from canasta_notation.engine.state import MeldState
from canasta_notation.notation.document import Game
from canasta_notation.render.paint import Row

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_NAMES: Final = {"3r": "red 3", "3b": "black 3", "*": "joker", "_": "unknown card"}
#: Not allowed in HTML: control characters other than white space, and lone surrogates.
_UNFIT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: Characters that change the direction of text, each with the one that ends the change.
_PDF, _PDI = "\u202c", "\u2069"
_TURNS: Final = {
    **dict.fromkeys("\u202a\u202b\u202d\u202e", _PDF),
    **dict.fromkeys("\u2066\u2067\u2068", _PDI),
}
_QUOTED: Final = re.compile("`([^`]+)`")
#: The words before cards that only their own seat knows, unless they are tabled.
_HIDDEN: Final = ("draws ", "takes a talon ")
#: A text, and whether only its own seat sees it.
Shown = tuple[str, bool]


def html(text: str) -> str:
    """Return a text escaped for SVG and its attributes, for a drawing without a template."""
    return escape(fit(text), quote=True)


def fit(text: str) -> str:
    """Return a text that HTML may contain once it is escaped.

    Control characters are spelled out, and the text does not change the direction of other text.
    """
    return closed(_UNFIT.sub(lambda match: f"\\x{ord(match[0]):02x}", text))


def quoted_parts(text: str) -> list[str]:
    """Return the parts of a sentence; every second one it quotes, in backquotes, as notation."""
    return _QUOTED.split(text)


def closed(text: str) -> str:
    """Return a text that does not change the direction of the text after it.

    Each change of direction that the text leaves open is ended.
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


def card_name(code: int) -> str:
    """Return a card as people read it: 10♥, K, joker."""
    text = TEXT[code]
    if text in _NAMES:
        return _NAMES[text]
    rank = "10" if text[0] == "T" else text[0]
    return rank + _SUITS.get(text[1:], "")


def card_names(codes: tuple[int, ...]) -> str:
    """Return cards with a space between them."""
    return " ".join(map(card_name, codes))


def in_order(meld: MeldState) -> tuple[int, ...]:
    """Return the cards of a meld in order; the top card of a canasta comes last.

    On a natural canasta, this is a red card; on a mixed one, it is a black card.
    """
    ordered = sorted(meld.cards, key=lambda card: (is_wild(card) or card == UNKNOWN, card))
    if meld.canasta in ("natural", "mixed"):
        suits = "hd" if meld.canasta == "natural" else "sc"
        naturals = [card for card in ordered if not is_wild(card) and card != UNKNOWN]
        tops = [card for card in naturals if TEXT[card][-1] in suits] or naturals or ordered[-1:]
        ordered.remove(top := tops[0])
        ordered.append(top)
    return tuple(ordered)


def points(number: int | None) -> str:
    """Return points as people write them: 5,480; `?` if they cannot be known."""
    return "?" if number is None else f"{number:,}"


def row_text(cells: Row) -> str:
    """Return a row of runs as text, its cards as people read them."""
    return "".join(_spelled(run.text) for run in cells)


def row_runs(cells: Row, *, hide: bool = False) -> list[Shown]:
    """Return a row of runs as texts, each with whether it is hidden.

    With `hide`, cards that only the seat sees (drawn and not tabled) are hidden.
    """
    tabled = _tabled(cells) if hide else Counter()
    shown: list[Shown] = []
    hiding = False
    for run in cells:
        known = run.text not in CODE or not hiding or tabled[run.text] > 0
        if run.text in CODE and hiding and known:
            tabled[run.text] -= 1
        elif run.text not in CODE and run.text != " ":
            hiding = hide and run.text in _HIDDEN
        shown.append((_spelled(run.text), not known))
    for at in range(1, len(shown) - 1):
        if shown[at][0] == " " and shown[at - 1][1] and shown[at + 1][1]:
            shown[at] = (" ", True)
    groups = groupby(shown, key=itemgetter(1))
    return [("".join(text for text, _ in group), hidden) for hidden, group in groups]


def _spelled(text: str) -> str:
    return card_name(CODE[text]) if text in CODE else text


def _tabled(cells: Row) -> Counter[str]:
    """Return the threes that a turn tabled, as its words name them."""
    found: Counter[str] = Counter()
    tabling = False
    for run in cells:
        if run.text in CODE:
            found[run.text] += tabling
        elif run.text != " ":
            tabling = run.text == ", tables "
    return found
