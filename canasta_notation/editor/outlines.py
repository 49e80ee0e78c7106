"""The outline of a game: its deals and turns, with their lines."""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.notation.document import Deal, Turn
from canasta_notation.notation.reader import Reading


@dataclass(frozen=True, slots=True)
class Outline:
    """A game, a deal or a turn: its name, more about it, its lines, and what it contains."""

    name: str
    detail: str
    first: int
    last: int
    parts: tuple[Outline, ...] = ()


def outline_of(reading: Reading) -> Outline:
    """Return the outline of a game; its lines count from the first line of what was read."""
    game, lines = reading.game, reading.lines
    ends = [deal.span.line for deal in game.deals[1:]]
    last = reading.first_line + len(lines) - 1
    while last > reading.first_line and not lines[last - reading.first_line].strip():
        last -= 1
    deals = [
        _deal_outline(deal, _end_before(reading, end) if end else last)
        for deal, end in zip(game.deals, [*ends, 0], strict=True)
    ]
    names = [tag.value for name in ("Event", "Date") if (tag := game.tag(name)) and tag.value]
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return Outline("Game", ", ".join(names), reading.first_line + first, last, tuple(deals))


def _end_before(reading: Reading, line: int) -> int:
    """Return the last line of a deal before the next one: blank lines and comments end it."""
    at = line - reading.first_line - 1
    while at > 0 and reading.lines[at].lstrip(" \t\r")[:1] in ("", ";"):
        at -= 1
    return reading.first_line + at


def _deal_outline(deal: Deal, last: int) -> Outline:
    dealer = f"dealer {deal.dealer}" if deal.dealer else ""
    turns = []
    number = 0
    for line in deal.play:
        if isinstance(line, Turn):
            number += 1
            turns.append(Outline(f"{line.number or number}. {line.seat}", "", line.line, line.line))
    return Outline(f"deal {deal.number}", dealer, deal.span.line, last, tuple(turns))
