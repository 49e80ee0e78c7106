"""What would decide an open figure: mostly lines of the table at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from canasta_notation.cards import UNKNOWN
from canasta_notation.engine.hands import free_cards, is_vague, slack_of
from canasta_notation.engine.knowledge import has_strangers
from canasta_notation.engine.table import Table
from canasta_notation.english import listed
from canasta_notation.replay.game_report import DealReport

if TYPE_CHECKING:
    from canasta_notation.notation.document import Deal


def deciding(written: Deal, table: Table, deal: DealReport, side: str, item: str) -> str:
    """Return what the record must say to decide an open item of a side."""
    match item:
        case "hand" | "held":
            return _hands(written, table, deal, side)
        case "cards":
            parts = [_melds(written, table, deal, side), _hands(written, table, deal, side)]
            return listed(part for part in parts if part)
        case "red3" | "threes":
            tabled = any(line.side == side for line in written.threes)
            # Whether they count for the side depends on its melds, which the play shows.
            melds = "" if _followed(written, deal) else _melds(written, table, deal, side)
            parts = ["" if tabled else f"the threes of {side} at the end", melds]
            return listed(part for part in parts if part)
        case "concealed":
            return f"whether {deal.by} went out concealed"
        case "concealed-canasta":
            return f"the turns in which {side} laid its canastas"
        case "special":
            return f"the special hand of {deal.by}"
    return _melds(written, table, deal, side)


def _followed(written: Deal, deal: DealReport) -> bool:
    """Return whether the table comes from the turns and not from the lines at the end."""
    return bool(written.turns) and deal.shown is None


def _hands(written: Deal, table: Table, deal: DealReport, side: str) -> str:
    """Return words for the hands of a side that are not fully known."""
    lines = {line.seat: line for line in written.left}
    unseen = []
    for at, seat in enumerate(table.rules.seats):
        line = lines.get(seat)
        whole = line is not None and not line.rest_unknown and UNKNOWN not in line.cards
        known = seat == deal.by
        if _followed(written, deal):
            empty = not table.hand_sizes[at] + slack_of(table, at)
            known = empty or not (free_cards(table, at) or is_vague(table, at))
        if seat in side and not (whole or known):
            unseen.append(seat)
    if not unseen:
        return ""
    return f"the hand{'s' if len(unseen) > 1 else ''} of {listed(unseen)} at the end"


def _melds(written: Deal, table: Table, deal: DealReport, side: str) -> str:
    """Return words for the melds of a side if they are not known card by card, else ""."""
    at = table.rules.sides.index(side)
    shown = any(line.side == side for line in written.melds)
    if not has_strangers(table, at) and (shown or _followed(written, deal)):
        return ""
    return f"the melds of {side} at the end"
