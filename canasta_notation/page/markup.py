"""Text as HTML: all text of a record is escaped, and cards are spelled as people read them."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from typing import Final

from canasta_notation.cards import CODE, TEXT
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


def html(text: str) -> str:
    """Return a text escaped for HTML and its attributes; control characters are spelled out."""
    fit = _UNFIT.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
    return escape(closed(fit), quote=True)


def prose(text: str) -> str:
    """Return a sentence as HTML; what it quotes from the notation, in backquotes, becomes code."""
    return _QUOTED.sub(r"<code>\1</code>", html(text))


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


def points(number: int | None) -> str:
    """Return points as people write them: 5,480; `?` if they cannot be known."""
    return "?" if number is None else f"{number:,}"


def row_text(cells: Row) -> str:
    """Return a row of runs as text, its cards as people read them."""
    return "".join(_spelled(run.text) for run in cells)


def row_html(cells: Row, *, hide: bool = False) -> str:
    """Return a row of runs as HTML.

    With `hide`, cards that only the seat sees (drawn and not tabled) are in `<u>`.
    """
    tabled = _tabled(cells) if hide else Counter()
    parts: list[str] = []
    hidden = False
    for run in cells:
        if run.text in CODE and hidden and not tabled[run.text]:
            parts.append(f"<u>{_spelled(run.text)}</u>")
            continue
        if run.text in CODE and hidden:
            tabled[run.text] -= 1
        elif run.text != " ":
            hidden = hide and run.text in _HIDDEN
        parts.append(html(_spelled(run.text)))
    return "".join(parts).replace("</u> <u>", " ")


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
