"""Replaying a deal, from its first line to its report.

1. `begin_deal`: its number, its dealer, and the table (`deal_setup`).
2. `play_deal`: the lines before play (`deal_setup`), then the play (`deal_turns`).
3. `close_deal`: how it ended, the table at its end (`end_lines`), and what it claims (`claims`).

Each step works on a `DealReplay` (`deal_state`) and adds to its findings (`deal_findings`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from canasta_notation.engine.deal import claim_concealed, end_deal, end_unclaimed
from canasta_notation.engine.state import State, snapshot
from canasta_notation.engine.table import NO, OUT, SPECIAL, STOCK, YES, Table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import TIME, UNCOUNTED, VOID, Deal, EndLine, UpLine
from canasta_notation.replay.claims import judge_claims
from canasta_notation.replay.deal_findings import in_order, leave_open, report, report_line
from canasta_notation.replay.deal_setup import judge_order, lay_table, possible_up_lines, set_up
from canasta_notation.replay.deal_state import Context, DealReplay
from canasta_notation.replay.deal_turns import replay_lines, replay_rulings
from canasta_notation.replay.end_lines import FinalTable, Located, is_of_shape, judge_end_lines
from canasta_notation.replay.game_report import DealReport, SideReport
from canasta_notation.replay.moment import Moment
from canasta_notation.replay.totals import GameSoFar
from canasta_notation.search.able import stock_over

#: The remedies for melds at the end that cannot be there, and for those that going out decides.
_MELDS_HELP: Final = "correct the `melds` line"
_OUT_HELP: Final = f"{_MELDS_HELP}, or the line that says how the deal ended"


def begin_deal(context: Context, so_far: GameSoFar, at: int, deal: Deal) -> DealReplay:
    """Return a deal's replay before its first line, with its place in the game judged."""
    replay = DealReplay(context, so_far, at, deal)
    judge_order(replay)
    lay_table(replay)
    replay.begun = replay.dealer, replay.findings[:], so_far.totals, replay.table.number
    return replay


def replay_deal(replay: DealReplay) -> None:
    """Replay the deal's setup and its turns."""
    readable = set_up(replay)
    end = replay.deal.end
    if replay.sheet and end and end.reason == STOCK and not replay.table.stock_most:
        replay.sheet = False  # the dealing left no stock, so the deal has no turns
    if replay.deal.is_final_table:
        _lay_out(replay)
    if replay.context.observer:
        replay.context.observer(Moment(replay.at + 1, replay.table))
    if readable and not (replay.sheet or replay.final):
        replay_lines(replay)
    elif readable:
        replay_rulings(replay)


def close_deal(replay: DealReplay) -> DealReport:
    """End a deal that was played, and return its report.

    A deal with an unwritten up card may have to be played again first; see `_try_up_cards`.
    """
    return _finish(_try_up_cards(replay))


def _try_up_cards(played: DealReplay) -> DealReplay:
    """Return a replay as it was played, or with a written up card if every card leads to an error.

    If an unwritten up card may be a tabled three, the replay can treat it as a three at one line
    and as another card at a later one. So it may find no error although every card leads to one. It
    then uses the card whose first error is the latest.
    """
    best, latest = played, 0
    for up in possible_up_lines(played):
        if best is played and _primary_errors(_finish(played.copy())):
            return played
        other = _play_again(played, up)
        false = _primary_errors(_finish(other.copy()))
        if not false:
            return played
        line = min(each.span.line for each in false)
        if line > latest:
            best, latest = other, line
    best.so_far = played.so_far
    return best


def _play_again(played: DealReplay, up: UpLine) -> DealReplay:
    """Return the replay of the same deal with another up line, played but not ended."""
    context = replace(played.context, observer=None)
    deal = replace(played.deal, up=up)
    replay = begin_deal(context, played.so_far.copy(), played.at, deal)
    replay_deal(replay)
    return replay


def _primary_errors(deal: DealReport) -> list[Finding]:
    """Return the errors that are not consequences."""
    return [each for each in deal.findings if each.severity == "error" and not each.follows]


def _finish(replay: DealReplay) -> DealReport:
    """End a deal that was played, judge what it claims, and return its report."""
    scored = _judge_table(replay, _judge_end(replay))
    shown = snapshot(replay.table) if replay.final and replay.deal.turns else None
    _count_nothing(replay)
    sides = judge_claims(replay, scored or replay.uncounted != "")
    return _deal_report(replay, sides, shown)


def _count_nothing(replay: DealReplay) -> None:
    """Clear the table of a deal that counts nothing; penalties and bonuses remain.

    Not checked: that a void deal was not over. If time ran out, the play has not ended the deal.
    """
    end, table = replay.deal.end, replay.table
    if end is None or end.reason not in UNCOUNTED or (end.reason == TIME and table.ended):
        return
    replay.uncounted = end.reason
    totals = list(table.totals)
    replay.table = Table(replay.rules, replay.dealer, totals, False, table.number)
    replay.table.penalties, replay.table.bonuses = table.penalties, table.bonuses
    replay.final = None
    replay.so_far.timed_out |= end.reason == TIME


def _deal_report(replay: DealReplay, sides: list[SideReport], shown: State | None) -> DealReport:
    table, deal = replay.table, replay.deal
    return DealReport(
        replay.at + 1,
        deal.span.line,
        table.ended or None,
        replay.rules.seats[table.ended_by] if table.ended in (OUT, SPECIAL) else None,
        deal.turns,
        tuple(sides),
        in_order(replay.findings),
        tuple(replay.doubts),
        replay.unchecked_from,
        replay.sheet,
        deal.is_final_table,
        shown,
        replay.uncounted,
    )


# --- how the deal ended ---------------------------------------------------------------------------


def _judge_end(replay: DealReplay) -> bool:
    """Judge how the deal ended; return whether it can be scored."""
    end, unplayed = replay.deal.end, replay.sheet or replay.final
    replay.turn = None
    if unplayed and end and end.reason == SPECIAL and not replay.rules.special:
        report(replay, "special-hand", "never", end.span, "special")
    if not unplayed and replay.is_unchecked(replay.end_line):
        return False
    unknown = end is not None and _is_nobody(replay, end)
    if replay.sheet:
        if end is not None and end.reason == "unfinished":
            _judge_missing_end(replay, noted=False)
        return False
    if replay.final:
        return _judge_final_end(replay, replay.final)
    if unknown:
        return False
    return _judge_unclaimed_end(replay) if end is None else _judge_claimed_end(replay, end)


def _is_nobody(replay: DealReplay, end: EndLine) -> bool:
    """Return whether an end line names a seat that the game does not have; report it."""
    if end.seat is None or end.seat in replay.rules.seats:
        return False
    report(replay, "end-claim", "nobody", end.span, "players", name=end.seat)
    return True


def _judge_claimed_end(replay: DealReplay, end: EndLine) -> bool:
    """End the deal as its end line says; return whether it can be scored."""
    if end.reason == VOID:
        return False
    table = replay.table
    seat = replay.rules.seats.find(end.seat) if end.seat else -1
    scored = end_deal(table, end.reason, seat, stock_over(table))
    if end.concealed and table.ended_by == seat:
        claim_concealed(table)
    report_line(replay, end.span)
    if end.reason == "unfinished" and not scored:
        _judge_missing_end(replay, noted=False)
    return scored


def _judge_unclaimed_end(replay: DealReplay) -> bool:
    """End a deal without an end line as its play did; return whether it can be scored."""
    followed = _what_follows(replay) != ""
    ended = end_unclaimed(replay.table, stock_over(replay.table), followed)
    report_line(replay, replay.deal.span)
    if ended == NO or not (followed or ended == YES):
        _judge_missing_end(replay, noted=True)
    elif ended == YES and replay.deal.end_lines:
        report(replay, "end-missing", "line", replay.deal.span)
    return ended == YES


def _judge_final_end(replay: DealReplay, final: FinalTable) -> bool:
    """Report what is wrong with a table without play; return whether it can be scored."""
    _report_located(replay, final.found)
    end = replay.deal.end
    if end.reason == "unfinished" if end else not replay.deal.unread:
        _judge_missing_end(replay, noted=False)
    if replay.is_unchecked(replay.end_line):
        return False
    if not final.counted.knowable:
        replay.unchecked_from = replay.end_line
    return final.counted.knowable and bool(final.table.ended)


def _judge_missing_end(replay: DealReplay, *, noted: bool) -> None:
    """Report a deal that the play did not end, or note that it is unfinished."""
    follows = _what_follows(replay)
    if follows:
        report(replay, "end-missing", "open", replay.deal.span, what=follows)
    elif noted:
        deal = replay.deal
        begun = deal.hands or deal.up or deal.stock or deal.packets or deal.play or deal.unread
        report(replay, "unfinished", "open" if begun else "empty", deal.span)


def _what_follows(replay: DealReplay) -> str:
    """Return, in words, the first line after the play that only an ended deal has, or ""."""
    deal = replay.deal
    if deal.end_lines and deal.end is None:
        return "the table at the end"
    if deal.scores or deal.total:
        return "a score" if deal.scores else "a total"
    return "a later deal" if replay.followed else ""


# --- the table at the end -------------------------------------------------------------------------


def _judge_table(replay: DealReplay, ended: bool) -> bool:
    """Judge the table at the end of the deal; return whether the deal can be scored.

    The table is compared with the play. If the play could not be followed, although no mistake was
    found in it, the table is used instead.
    """
    deal, followed = replay.deal, replay.table.knowable and replay.unchecked_from is None
    if replay.final or not deal.end_lines:
        return ended and followed
    if followed:
        flawless = not replay.is_wrong
        shown = judge_end_lines(
            replay.table, deal, replay.laid, partial(leave_open, replay), flawless=flawless
        )
        _report_located(replay, shown)
        return ended
    lost = replay.unchecked_from is not None and not (replay.is_wrong or deal.unread)
    return lost and _fall_back(replay)


def _fall_back(replay: DealReplay) -> bool:
    """Use the table at the end in place of the play; return whether the deal can be scored."""
    final = _lay_out(replay)
    replay_rulings(replay, replay.unchecked_from or 0)
    if replay.deal.end:
        _is_nobody(replay, replay.deal.end)
    _report_located(replay, final.found)
    return final.counted.knowable and bool(final.table.ended)


def _lay_out(replay: DealReplay) -> FinalTable:
    """Lay out the table at the end of a deal in place of the table that was played; return it."""
    replay.final = FinalTable(replay.table, replay.deal)
    replay.table = replay.final.table
    return replay.final


def _report_located(replay: DealReplay, located: Iterable[Located]) -> None:
    """Report violations of lines of the table at the end, each at its place."""
    for violation, span in located:
        help_text = None
        if is_of_shape(violation.code):  # the usual help is for a turn
            by_end = violation.code == "out-canasta" or violation.message == "not-out"
            help_text = _OUT_HELP if by_end else _MELDS_HELP
        replay.table.violations.append(violation)
        report_line(replay, span, help_text=help_text)
