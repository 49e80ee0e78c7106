"""Turns that were forgotten: a turn put before others of its deal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from canasta_notation.findings import Finding
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.corrections import find_line, propose_lines
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.shorthand import expand
from canasta_notation.recorder.standing import Standing

_PLACE: Final = re.compile(r"(?:\d{1,4}\.)?\d{1,6}")
_WRONG_SEAT: Final = "wrong-seat"


def propose_forgotten(standing: Standing, what: str, text: str) -> Proposal:
    """Judge a turn put before the turn that `insert WHAT` names: `5`, or `2.5` in deal 2.

    The turns after it get the next numbers. If they then belong to the wrong seats, because they
    were typed for the seat that was due, each moves to the next seat. Raises ValueError if there is
    no such turn, or if the text is not a turn.
    """
    at = find_line(standing, what) if _PLACE.fullmatch(what) else None
    if at is None or not text:
        raise ValueError(
            "type insert, the number of a turn, and the turn to put before it: insert 5 + -4s"
        )
    then = Standing(standing.lines[:at], standing.place)
    value = read_line(expand(then, text))
    if isinstance(value, Finding):
        raise ValueError(f"{value.message} ({value.help})" if value.help else value.message)
    if not isinstance(value, Turn):
        raise ValueError(f"`{text}` is not a turn: only turns can be inserted")
    old = read_line(standing.lines[at])
    number = old.number if isinstance(old, Turn) else None
    new = format_line(replace(value, number=number), standing.rules.draw_count)
    ways = [_with_turn(standing, at, new, seats) for seats in ("", standing.rules.seats)]
    proposals = [replace(propose_lines(standing, lines, at), line=value) for lines in ways]
    return min(proposals, key=lambda each: len(each.errors))


def _with_turn(standing: Standing, at: int, new: str, seats: Sequence[str]) -> list[str]:
    """Return the lines with a new one; the turns after it in its deal move to the next seat.

    Without `seats`, they keep their seats, and the next one no longer has the wrong seat.
    """
    lines = [*standing.lines[:at], new]
    same_deal = True
    for place, line in enumerate(standing.lines[at:]):
        same_deal = same_deal and not line.startswith("deal ")
        value = read_line(line) if same_deal else None
        if isinstance(value, Turn):
            number = None if value.number is None else value.number + 1
            seat = value.seat
            if seats and seat in seats:
                seat = seats[(seats.index(seat) + 1) % len(seats)]
            known = [code for code in value.acknowledged if seats or place or code != _WRONG_SEAT]
            moved = replace(value, number=number, seat=seat, acknowledged=tuple(known))
            line = format_line(moved, standing.rules.draw_count)
        lines.append(line)
    return lines
