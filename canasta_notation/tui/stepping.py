"""The keys and what each one does: one table for the screen and for the plain stepper."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from canasta_notation.render.paint import Look, Rows, Run, row
from canasta_notation.render.replay_rows import ruling_words, turn_page
from canasta_notation.report.walker import Walker
from canasta_notation.tui.place_rows import (
    deduction_rows,
    end_rows,
    finding_rows,
    full_table,
    help_rows,
    score_rows,
    title_row,
)

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


HINT: Final = "Enter next, b back, 7 or d2 jumps, ? keys, q quits"


def answer(walker: Walker, look: Look, line: str) -> Rows | None:
    """Return what a typed line asks for, None if it asks to quit."""
    match key := named(line):
        case "q":
            return None
        case "?":
            return help_rows(look, screen=False)
        case "s":
            return score_rows(walker)
    note = note_of(walker, key, press(walker, key))
    return [*([row(Run(note, "note"))] if note else []), *page_of(walker, look)]


def page_of(walker: Walker, look: Look) -> Rows:
    """Return the turn and the whole table after it."""
    if walker.turn is not None:
        rows = turn_page(walker.play, walker.turn, look)
    else:
        rulings = [row(f"  {ruling_words(each)}") for each in walker.rulings]
        rows = [title_row(walker), *rulings, *full_table(walker, look)]
    rows += [*end_rows(walker), *deduction_rows(walker, look)]
    return rows + finding_rows(walker, walker.deal_findings(), look)
