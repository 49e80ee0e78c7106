"""The end of a deal: each side's computed score, the score that the players say, and the totals."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from canasta_notation.notation.document import ScoreLine, TotalLine
from canasta_notation.notation.format import format_line
from canasta_notation.recorder.proposal import Proposal, added_lines, propose
from canasta_notation.recorder.standing import Standing, with_due_lines
from canasta_notation.replay.game_report import SideReport

_POINTS: Final = re.compile(r"-?\d{1,7}")


def side_report(standing: Standing, side: str) -> SideReport | None:
    """Return what the last deal was worth to a side, None if it was not replayed."""
    report = standing.deal_report
    sides = report.sides if report else ()
    return next((each for each in sides if each.side == side), None)


def computed_line(standing: Standing, side: str) -> str | None:
    """Return the score line that follows from the play, with items; None if it is not decided."""
    report = side_report(standing, side)
    if report is None or report.score is None or standing.report.deals[-1].ended is None:
        return None
    items = tuple((item, points or 0) for item, points in report.items.items() if points != 0)
    return format_line(ScoreLine(side, report.score, items or None))


def propose_score(standing: Standing, side: str, said: str) -> Proposal | None:
    """Judge a side's score as the players say it; return None for an empty answer to an open score.

    An empty answer agrees with the play. A single number that agrees is written with its items;
    anything else is written as the players say it. The totals follow the last side's score.
    """
    said = said.strip()
    computed = computed_line(standing, side)
    report = side_report(standing, side)
    if not said and computed is None:
        return None
    agrees = report is not None and _POINTS.fullmatch(said) and int(said) == report.score
    if computed and (not said or agrees):
        text = computed
    else:
        text = said if said.startswith("score") else f"score {side} {said}"
    return with_total(propose(standing, text))


def with_total(proposal: Proposal) -> Proposal:
    """Return a proposal, followed by the total line if every side has a score."""
    after = proposal.after
    deal = after.deal if after else None
    if after is None or deal is None or deal.total is not None:
        return proposal
    totals = after.totals()
    if {line.side for line in deal.scores} != set(after.rules.sides) or None in totals.values():
        return proposal
    line = TotalLine(tuple((side, points or 0) for side, points in totals.items()))
    after = with_due_lines(
        proposal.before, Standing([*after.lines, format_line(line)], after.place)
    )
    written = tuple(added_lines(proposal.before.lines, after.lines))
    return replace(proposal, after=after, written=written)


def with_next_deal(standing: Standing) -> Standing:
    """Return the record with the next deal begun, after a deal whose totals cannot be written."""
    number = len(standing.reading.game.deals) + 1
    dealer = standing.dealer_due
    line = f"deal {number}" + (f" dealer {dealer}" if dealer else "")
    return Standing([*standing.lines, "", line], standing.place)
