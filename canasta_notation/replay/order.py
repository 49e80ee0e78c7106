"""The number and the dealer of a deal, compared with the deals before it."""

from __future__ import annotations

from dataclasses import replace

from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import Turn
from canasta_notation.replay.deal_replay import DealReplay, Due
from canasta_notation.replay.locate import find


def judge_order(replay: DealReplay) -> None:
    """Judge the deal's number and its dealer."""
    if min(replay.context.game.lost, default=replay.deal.span.line) >= replay.deal.span.line:
        # After an unreadable deal line, nobody knows which deal this is.
        _judge_number(replay)
    replay.dealer = _judge_dealer(replay)


def jump(replay: DealReplay) -> Finding | None:
    """Return the false number that shows that deals before this one are missing or misplaced."""
    return replay.false_number if replay.step else None


def next_due(replay: DealReplay) -> Due:
    """Return the dealer and number that the next deal should have."""
    false_number = replay.false_number if replay.number_shift else None
    due = Due(-1, False, replay.number_shift, false_number)
    if replay.false_dealer is None:
        due = replace(due, sure=True)
    elif replay.deal.dealer is None and _began_wrongly(replay):
        return due
    if replay.dealer < 0:
        return due
    for finding in replay.findings:
        if (finding.code, finding.turn) == ("wrong-seat", 1):
            first = next(line.seat for line in replay.deal.play if isinstance(line, Turn))
            due = replace(due, began=finding, other=replay.rules.seats.find(first))
    return replace(due, dealer=(replay.dealer + 1) % replay.rules.players)


def _began_wrongly(replay: DealReplay) -> bool:
    """Return whether the play shows that the dealer was not the one due."""
    codes = ("wrong-seat", "stock-order")
    return any(each.code in codes and each.follows is jump(replay) for each in replay.findings)


def _judge_number(replay: DealReplay) -> None:
    """Judge the deal's number; one that continues from a false one is its consequence."""
    number, place = replay.deal.number, replay.at + 1
    replay.number_shift = number - place
    replay.step = replay.number_shift - replay.due.shift
    if not replay.number_shift:
        return
    finding = find(replay, "deal-number", "other", replay.deal.span, number=number, due=place)
    if replay.false_number is None or (replay.step and not _fills_gap(replay)):
        replay.false_number = finding
    else:
        replay.findings[-1] = replace(finding, follows=replay.false_number)


def _fills_gap(replay: DealReplay) -> bool:
    """Return whether an earlier false number skipped this number."""
    number, numbers = replay.deal.number, replay.context.numbers
    return 0 < number < numbers.highest[replay.at] and numbers.first[number] == replay.at


def _judge_dealer(replay: DealReplay) -> int:
    """Return the dealer's seat, the written one if there is one, or -1."""
    written, due = replay.deal.dealer, replay.due.dealer
    span = Span(replay.deal.span.line, *replay.deal.dealer_at)
    players = replay.rules.players
    if written is None:
        replay.false_dealer = jump(replay)
        return due
    if written not in replay.rules.seats:
        find(replay, "dealer", "none", span, "players", dealer=written)
        return due
    seat = replay.rules.seats.index(written)
    if not replay.due.sure or due == -1:
        return seat
    if (seat - due - replay.step) % players:
        # The deals went on: only the number is false.
        replay.step = 0
    if seat != due:
        finding = find(replay, "dealer", "other", span, dealer=written, due=replay.rules.seats[due])
        cause = jump(replay)
        if cause is None and replay.due.began and seat == replay.due.other:
            # The dealer of the last deal was wrong.
            cause = replay.due.began.follows or replay.due.began
        replay.findings[-1] = replay.false_dealer = replace(finding, follows=cause)
    return seat
