"""The course of a deal's replay, from its first line to its report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from canasta_notation.engine.deal import claim_concealed, end_deal, end_unclaimed
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import NO, OUT, SPECIAL, YES
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, UpLine
from canasta_notation.replay.claims import judge_claims
from canasta_notation.replay.deal_replay import (
    Context,
    DealReplay,
    end_line,
    find,
    is_unchecked,
    settle_line,
)
from canasta_notation.replay.deal_setup import judge_order, lay_table, possible_up_lines, set_up
from canasta_notation.replay.deal_turns import replay_lines, replay_penalties
from canasta_notation.replay.end_lines import FinalTable, Located, is_of_shape, judge_end_lines
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.totals import GameTotals
from canasta_notation.search.able import stock_over

#: The remedies for melds at the end that cannot be there, and for those that going out decides.
_MELDS_HELP: Final = "correct the `melds` line"
_OUT_HELP: Final = f"{_MELDS_HELP}, or the line that says how the deal ended"


def begin_deal(context: Context, standing: GameTotals, at: int, deal: Deal) -> DealReplay:
    """Return a deal's replay before its first line, with its place in the game judged."""
    replay = DealReplay(context, standing, at, deal)
    judge_order(replay)
    lay_table(replay)
    replay.begun = replay.dealer, replay.findings[:], standing.totals
    return replay


def play_deal(replay: DealReplay) -> None:
    """Replay the deal's setup and its turns."""
    readable = set_up(replay)
    if replay.deal.is_final_table:
        _lay_out(replay)
    if replay.context.observer:
        replay.context.observer(replay.at, replay.play, -1, -1)
    if readable and not (replay.sheet or replay.final):
        replay_lines(replay)
    elif readable:
        replay_penalties(replay)


def close_deal(replay: DealReplay) -> DealReport:
    """End a deal that was played, and return its report."""
    return _closed(_with_up_card(replay))


def _with_up_card(played: DealReplay) -> DealReplay:
    """Return a replay that was played, with the likeliest up card if no unwritten one can be true.

    The play takes an unwritten up card that may be a tabled three for a three at one line and for
    another card at another. The likeliest card is the one whose first error is the latest.
    """
    best, latest = played, 0
    for up in possible_up_lines(played):
        if best is played and _causes(_closed(played.copy())):
            return played
        other = _with_up(played, up)
        false = _causes(_closed(other.copy()))
        if not false:
            return played
        line = min(each.span.line for each in false)
        if line > latest:
            best, latest = other, line
    best.standing = played.standing
    return best


def _with_up(played: DealReplay, up: UpLine) -> DealReplay:
    """Return the replay of a deal up to its end, with another up line than it was played with."""
    context = replace(played.context, observer=None)
    deal = replace(played.deal, up=up)
    replay = begin_deal(context, played.standing.copy(), played.at, deal)
    play_deal(replay)
    return replay


def _causes(report: DealReport) -> list[Finding]:
    """Return the errors that follow from nothing."""
    return [each for each in report.findings if each.severity == "error" and not each.follows]


def _lay_out(replay: DealReplay) -> FinalTable:
    """Lay out the table at the end of a deal in place of the table that was played; return it."""
    replay.final = FinalTable(replay.play, replay.deal)
    replay.play = replay.final.table
    return replay.final


def _closed(replay: DealReplay) -> DealReport:
    """End a deal that was played, and return its report."""
    ended = _end(replay)
    followed = replay.play.knowable and replay.unchecked_from is None
    if replay.deal.end_lines and followed and not replay.final:
        flawless = not _is_wrong(replay)
        laid = replay.laid.boards
        shown = judge_end_lines(replay.play, replay.deal, laid, flawless=flawless)
        _find_all(replay, shown)
    scored = ended and followed
    lost = replay.unchecked_from is not None and not (_is_wrong(replay) or replay.deal.unread)
    if lost and not replay.final:
        # The play could not be followed to its end although nothing is wrong.
        scored = _fall_back(replay)
    claims = len(replay.findings)
    sides = judge_claims(replay, scored)
    replay.findings[claims:] = sorted(replay.findings[claims:], key=lambda each: each.span.line)
    play = replay.play
    return DealReport(
        replay.at + 1,
        replay.deal.span.line,
        play.ended or None,
        replay.rules.seats[play.ended_by] if play.ended in (OUT, SPECIAL) else None,
        replay.deal.turns,
        tuple(sides),
        tuple(replay.findings),
        tuple(replay.doubts),
        replay.unchecked_from,
        replay.sheet,
        replay.final is not None and not replay.deal.turns,
        snapshot(play) if replay.final and replay.deal.turns else None,
    )


def _is_wrong(replay: DealReplay) -> bool:
    """Return whether anything is wrong with the deal so far."""
    return any(finding.severity == "error" for finding in replay.findings)


def _fall_back(replay: DealReplay) -> bool:
    """Use the table at the end of a deal that could not be followed; return whether it scores."""
    if not replay.deal.end_lines:
        return False
    final = _lay_out(replay)
    replay_penalties(replay, replay.unchecked_from or 0)
    _find_nobody(replay)
    _find_all(replay, final.found)
    return final.counted.knowable and bool(final.table.ended)


def _find_all(replay: DealReplay, located: Iterable[Located]) -> None:
    """Report violations of lines of the table at the end, each at its place."""
    for violation, span in located:
        first = len(replay.findings)
        replay.play.violations.append(violation)
        settle_line(replay, span)
        if is_of_shape(violation.code):  # the usual help is for a turn
            found = replay.findings[first:]
            by_end = violation.code == "out-canasta" or violation.message == "not-out"
            help_text = _OUT_HELP if by_end else _MELDS_HELP
            replay.findings[first:] = [replace(finding, help=help_text) for finding in found]
    replay.findings.sort(key=lambda finding: finding.span.line)


def _end(replay: DealReplay) -> bool:
    """Judge how the deal ended; return whether it can be scored."""
    end = replay.deal.end
    replay.turn = None
    unplayed = replay.sheet or replay.final
    if unplayed and end and end.reason == SPECIAL and not replay.rules.special:
        find(replay, "special-hand", "never", end.span, "special")
    if not unplayed and is_unchecked(replay, end_line(replay)):
        return False
    nobody = _find_nobody(replay)
    if replay.sheet:
        if end is not None and end.reason == "unfinished":
            _judge_missing_end(replay, noted=False)
        return False
    if replay.final:
        return _end_final(replay, replay.final)
    if nobody:
        return False
    if end is not None:
        seat = replay.rules.seats.find(end.seat) if end.seat else -1
        scored = end_deal(replay.play, end.reason, seat, stock_over(replay.play))
        if end.concealed and replay.play.ended_by == seat:
            claim_concealed(replay.play)
        settle_line(replay, end.span)
        if end.reason == "unfinished" and not scored:
            _judge_missing_end(replay, noted=False)
        return scored
    followed = _what_follows(replay) != ""
    ended = end_unclaimed(replay.play, stock_over(replay.play), followed)
    settle_line(replay, replay.deal.span)
    if ended == NO or not (followed or ended == YES):
        _judge_missing_end(replay, noted=True)
    elif ended == YES and replay.deal.end_lines:
        find(replay, "end-missing", "line", replay.deal.span)
    return ended == YES


def _find_nobody(replay: DealReplay) -> bool:
    """Report an end line that names a seat that the game does not have; return whether it does."""
    end = replay.deal.end
    if end is None or end.seat is None or end.seat in replay.rules.seats:
        return False
    find(replay, "end-claim", "nobody", end.span, "players", name=end.seat)
    return True


def _end_final(replay: DealReplay, final: FinalTable) -> bool:
    """Report what is wrong with a table without play; return whether it can be scored."""
    _find_all(replay, final.found)
    end = replay.deal.end
    if end.reason == "unfinished" if end else not replay.deal.unread:
        _judge_missing_end(replay, noted=False)
    if is_unchecked(replay, end_line(replay)):
        return False
    if not final.counted.knowable:
        replay.unchecked_from = end_line(replay)
    return final.counted.knowable and bool(final.table.ended)


def _judge_missing_end(replay: DealReplay, *, noted: bool) -> None:
    """Report a deal that the play did not end, or note that it is unfinished."""
    follows = _what_follows(replay)
    if follows:
        find(replay, "end-missing", "open", replay.deal.span, what=follows)
    elif noted:
        find(replay, "unfinished", "open", replay.deal.span)


def _what_follows(replay: DealReplay) -> str:
    """Return what follows the play although nothing but an end can come before it, or ""."""
    deal = replay.deal
    if deal.end_lines and deal.end is None:
        return "the table at the end"
    if deal.scores or deal.total:
        return "a score" if deal.scores else "a total"
    return "a later deal" if replay.followed else ""
