"""The words of a turn: what each means, looked up by its text.

A word means the same wherever it appears, because actions have no places; so each spelling is
interpreted once and then kept in a table.
"""

from __future__ import annotations

from typing import Final, Literal

from canasta_notation.cards import BLACK_THREE, JOKER_RANK, RANK, parse_cards
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.fields import unchecked

# The grammar has checked the words.
_ask: Final = unchecked(Ask)
_discard: Final = unchecked(Discard)
_draw: Final = unchecked(Draw)
_lay: Final = unchecked(Lay)
_special: Final = unchecked(LaySpecial)
_take: Final = unchecked(Take)
_talon: Final = unchecked(TakeTalon)

#: An action, or the name of a claim or mark with its value: a number, or text as written.
Meaning = (
    tuple[Literal["action"], Action]
    | tuple[Literal["turn"], tuple[str, str]]
    | tuple[Literal["number", "open"], int]
    | tuple[Literal["seat", "out", "acknowledged", "clock", "annotation"], str]
)
#: What a word means, and its width without the spaces after it.
Word = tuple[Meaning, int]

#: The most spellings kept (a record of real play has a few thousand), and their greatest length.
LIMIT: Final = 50_000
_LENGTH: Final = 80

_words: dict[str, Word] = {}


def interpret(text: str) -> Word:
    """Return what a word of a turn means, and its width without the spaces after it.

    Not checked: that the grammar accepts the word.
    """
    word = _words.get(text)
    if word is None:
        bare = text.rstrip(" \t")
        word = _interpret(bare), len(bare)
        if len(_words) >= LIMIT:
            _words.clear()
        if len(text) <= _LENGTH:
            _words[text] = word
    return word


def _interpret(text: str) -> Meaning:
    first, rest = text[0], text[1:]
    if text[-1] == ".":
        return "number", int(text[:-1])
    match first:
        case "~":
            return "acknowledged", rest
        case "@":
            return "clock", rest
        case "#":
            return "out", text
        case "!" | "?" | "$":
            return "annotation", text
    if "." in text:
        number, _, seat = text.partition(".")
        return "turn", (number, seat.lstrip(" \t"))
    if text.startswith("open="):
        return "open", int(text[5:])
    if len(text) == 1 and first not in "+":
        return "seat", text
    return "action", _action(first, rest, text)


def _action(first: str, rest: str, text: str) -> Action:
    match first:
        case "+":
            return _draw(parse_cards(rest), bare=not rest)
        case "-":
            return _discard(parse_cards(rest)[0])
        case "^":
            card, _, count = rest.partition("/")
            return _take(parse_cards(card)[0], int(count) if count else None)
    if text.startswith("ask="):
        return _ask(text == "ask=yes")
    label, _, listed = text.partition(":")
    cards = parse_cards(listed)
    if label == "talon":
        return _talon(cards)
    if label in ("straight", "pairs", "garbage"):
        return _special(label, cards)
    return _lay(label_rank(label), cards)


def label_rank(label: str) -> int:
    """Return the rank that a group's label names: `3` the black threes, `*` wild cards."""
    if label == "3":
        return BLACK_THREE
    return JOKER_RANK if label == "*" else RANK[parse_cards(label)[0]]
