"""One action of a live game from its text, and back."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from canasta_notation.cards import EXACT, parse_cards
from canasta_notation.engine.actions import (
    Ask,
    Combine,
    Discard,
    Draw,
    TableThrees,
    Take,
    TakePacket,
)
from canasta_notation.fields import PACKET_WORDS, SPECIAL_NAME, unchecked
from canasta_notation.findings import Finding
from canasta_notation.live.answers import Unreadable
from canasta_notation.live.live_deal import AskPartner, End, Move
from canasta_notation.notation.builder import interpret
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_action
from canasta_notation.notation.reader import read_line

END: Final = "end"
ASK: Final = "ask"
THREES_WORD: Final = "threes"
MARKS: Final = ("#", "##")

_SPECIAL: Final = SPECIAL_NAME.replace(r"\Z", ":")
_CARD: Final = r"(?:3[shdc]|(?:10|[AKQJT9876542])[shdc]|\*)"
_MELD: Final = "(?:10|[AKQJT9876542*shdc])(?:/[2-9])?"
_ACTION: Final = re.compile(
    rf"\+(?:{_CARD})* *(?:\+(?:{_CARD})+ *)*"
    rf"|\^{_CARD}(?:/[1-9][0-9]{{0,5}})?(?:>{_MELD})?"
    rf"|(?:3|{_MELD}):(?:{_CARD})+"
    rf"|{_MELD}>[1-9]"
    rf"|{_SPECIAL}:(?:{_CARD})+"
    rf"|back:(?:{_CARD})+"
    rf"|(?:{'|'.join(PACKET_WORDS)}):(?:{_CARD})+(?:\+(?:{_CARD})+)?"
    rf"|threes:(?:3[shdc])+(?:\+(?:{_CARD})+)?"
    r"|ask=(?:yes|no)"
    rf"|-{_CARD}"
)
_CLOCK: Final = re.compile(r"(.*) @([0-9]{1,6}(?:\.[0-9]{1,3})?)")
#: Words that name no cards.
_PACKETS: Final = {word: unchecked(TakePacket)(word, (), ()) for word in PACKET_WORDS}
_THREES: Final = unchecked(TableThrees)((), (), False)
_QUOTED: Final = 40
_REMEDY: Final = (
    "write one action, such as + ^9d K:KsKhKd ask ask=yes -4s talon or end, with the rank and suit "
    "of each card (Ks, Td, 9h; * is a joker); legal() lists what can be played now"
)


@lru_cache(maxsize=1 << 14)
def parse_move(text: str) -> Move:
    """Return the move that a text spells; a bare `+`, `foot`, `talon` or `threes` names no cards.

    Raises Unreadable. Not checked: whether the move can be made.
    """
    if text == END:
        return End()
    if text == ASK:
        return AskPartner()
    if text in _PACKETS:
        return _PACKETS[text]
    if text == THREES_WORD:
        return _THREES
    if not _ACTION.fullmatch(text):
        raise _unreadable(text)
    if text[0] == "+":
        cards = parse_cards(text.replace("+", " "))
        return Draw(cards, bare=not cards)
    meaning, _ = interpret(text)
    assert meaning[0] == "action"
    return meaning[1]


def _unreadable(text: str) -> Unreadable:
    """Return the error for a text that is not an action, with its cause if that is known."""
    shown = text if len(text) <= _QUOTED else text[:_QUOTED] + "..."
    cause = _cause(text)
    return Unreadable(f"not an action: {shown!r}{cause and ': '}{cause}", remedy=_REMEDY)


def _cause(text: str) -> str:
    """Return why a text is not an action, "" if that is not known."""
    before = "N" if text[:1] in ("+", "^") or text.startswith("threes") else "N +5h"
    read = read_line(f"{before} {text}")
    if isinstance(read, Finding) and read.help:
        return read.label
    if text.strip() != text:
        return "leave out the spaces around it"
    if not isinstance(read, Turn):
        return ""
    if len(read.actions) > len(before.split()):
        return "play one action at a time"
    exact = all(EXACT[code] for code in _last_cards(read))
    return "" if exact else "a card without its rank or suit"


def _last_cards(turn: Turn) -> tuple[int, ...]:
    """Return the cards of a turn's last action."""
    match turn.actions[-1]:
        case Ask() | Combine():
            return ()
        case Take(card=card) | Discard(card=card):
            return (card,)
        case TableThrees(threes=threes, cards=cards):
            return threes + cards
        case TakePacket(cards=cards, replacements=replacements):
            return cards + replacements
        case action:
            return action.cards


def with_clock(text: str, spent: int | None) -> str:
    """Return the text of a move with the clock that a saved game has beside it."""
    return text if spent is None else f"{text} @{format_seconds(spent)}"


def split_clock(text: str) -> tuple[str, int | None]:
    """Return the text of a move and its milliseconds from what `with_clock` returned."""
    found = _CLOCK.fullmatch(text)
    return (found[1], round(float(found[2]) * 1000)) if found else (text, None)


def format_seconds(spent: int) -> str:
    """Return milliseconds as seconds, as a record has them."""
    return f"{spent / 1000:.3f}".rstrip("0").rstrip(".")


def format_move(move: Move, draw_count: int) -> str:
    """Return the text of a move; the first `draw_count` cards of a draw are one word."""
    match move:
        case End():
            return END
        case AskPartner():
            return ASK
        case _:
            return format_action(move, draw_count)
