"""How a game is recorded, so that a continued recording is made in the same way.

The lines of a deal show it. As long as they do not, a Mode tag says it.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.notation.document import Deal, Tag, Turn
from canasta_notation.notation.format import format_line
from canasta_notation.recorder.standing import Standing

MODE: Final = "Mode"
TURNS: Final = "turns"
TABLE: Final = "table"
SHEET: Final = "sheet"
_MODES: Final = (TURNS, TABLE, SHEET)


def mode_of(standing: Standing) -> str:
    """Return how a game has been recorded up to now."""
    tag = standing.reading.game.tag(MODE)
    return tag.value if tag is not None and tag.value in _MODES else _evident_mode(standing)


def with_mode(standing: Standing, mode: str) -> Standing:
    """Return the record with the Mode tag that it needs; most need none."""
    wanted = "" if mode == _evident_mode(standing) else mode
    tags, tag = standing.reading.game.tags, standing.reading.game.tag(MODE)
    if wanted == (tag.value if tag else ""):
        return standing
    lines, first = list(standing.lines), standing.place.first_line
    line = [format_line(Tag(MODE, wanted))] if wanted else []
    at = max(each.span.line for each in tags) - first + 1 if tag is None else tag.span.line - first
    lines[at : at + (tag is not None)] = line
    return Standing(lines, standing.place)


def _evident_mode(standing: Standing) -> str:
    """Return how the deals show that the game is recorded; the last one that shows it decides."""
    found = map(_mode_of_deal, reversed(standing.reading.game.deals))
    return next(filter(None, found), TURNS)


def _mode_of_deal(deal: Deal) -> str:
    if deal.hands or deal.up or any(isinstance(line, Turn) for line in deal.play):
        return TURNS
    if deal.end_lines or (deal.end and not deal.scores):
        return TABLE
    return SHEET if deal.scores else ""
