"""The keys and what each one does: one table for the screen and for the plain stepper."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from canasta_notation.report.walker import Walker

#: `12` a turn, `2.12` a turn of a deal, `d2` a deal.
_JUMP: Final = re.compile(r"(?:(d ?)|(\d{1,4})\.)?(\d{1,6})", re.ASCII)

_MOVES: Final[Mapping[str, Callable[[Walker], bool]]] = MappingProxyType(
    {
        "": Walker.forward,
        "n": Walker.forward,
        "b": Walker.back,
        "p": Walker.back,
        "d": Walker.next_deal,
        "D": Walker.previous_deal,
        "e": Walker.to_end,
        "t": partial(Walker.seek, event="take"),
        "m": partial(Walker.seek, event="meld"),
        "c": partial(Walker.seek, event="canasta"),
        "f": partial(Walker.seek, event="finding"),
        "v": Walker.flip,
    }
)
#: Words that stand for keys in typed lines.
_WORDS: Final = {"next": "n", "back": "b", "quit": "q", "help": "?"}


def named(text: str) -> str:
    """Return the key that a typed line means."""
    return _WORDS.get(text.strip().lower(), text.strip())


def press(walker: Walker, key: str) -> bool | None:
    """Do what a key asks for; return whether the place has changed, None for an unknown key.

    A number jumps: `12` to a turn, `2.12` to a turn of a deal, `d2` to a deal.
    """
    move = _MOVES.get(key)
    if move is not None:
        return move(walker)
    found = _JUMP.fullmatch(key)
    if not found:
        return None
    number = int(found[3])
    if found[1]:
        return walker.to_deal(number)
    return walker.to_turn(number, int(found[2]) if found[2] else None)


def note_of(walker: Walker, key: str, moved: bool | None) -> str:
    """Return the answer to a key that did not change the place, "" if it did."""
    if moved is None:
        return "there is no such key; ? lists the keys"
    if moved:
        return ""
    found = _JUMP.fullmatch(key)
    if found is None:
        return f"nothing more in that direction ({key or 'Enter'})"
    number = int(found[3])
    deal = number if found[1] else int(found[2] or walker.spot.deal)
    deals = walker.play.deals
    if not 1 <= deal <= len(deals):
        return f"there is no deal {deal}; the last is {len(deals)}"
    if not walker.shows_deal(deal):
        return f"only deal {walker.spot.deal} is shown"
    last = deals[deal - 1].last
    if found[1] or number <= last:
        return "you are there already"
    if not last:
        return f"deal {deal} has no turns"
    return f"there is no turn {number} in deal {deal}; the last is {last}"
