"""Replaying the turns, penalties and bonuses of a deal."""

from __future__ import annotations

import re
from typing import Any, Final

from canasta_notation.cards import RANK, UNKNOWN
from canasta_notation.engine.actions import Draw, Lay, TableThrees, Take
from canasta_notation.engine.deal import award, end_deal, penalize
from canasta_notation.engine.shown import show_turn
from canasta_notation.engine.table import (
    LINE,
    OPEN,
    STOCK,
    YES,
    Table,
    Violation,
    copy_table,
    doubt,
    mark_unknowable,
    top_of,
    violate,
)
from canasta_notation.engine.turn import begin_turn, end_turn, judge_open_claim, perform
from canasta_notation.english import listed
from canasta_notation.findings import Span
from canasta_notation.notation.document import BonusLine, Ruling, Turn
from canasta_notation.replay.deal_findings import (
    report,
    report_false_acknowledgements,
    report_line,
    report_side,
    report_violations,
)
from canasta_notation.replay.deal_state import DealReplay, line_number
from canasta_notation.replay.meld_cards import Suits, suits_of
from canasta_notation.replay.moment import Moment
from canasta_notation.replay.unwritten import ImpossibleLine, first_impossible
from canasta_notation.rules import codes
from canasta_notation.search.able import must_take, stock_over

#: A discard, as it is written in a turn.
_DISCARD: Final = re.compile(r"-(?:(?:10|[2-9TJQKA])[shdcrb]?|\*|_)")
#: A message names at most this many turns and counts the others.
_NAMED: Final = 4


def replay_lines(replay: DealReplay, start: int = 0) -> None:
    """Replay turns, penalties and bonuses up to the first line that cannot be checked.

    `start` is the place (from 0) of the first line that has not been replayed.
    """
    # A deal whose replay is continued has nothing to search for; see `GameReplay`.
    impossible = None if start else first_impossible(replay)
    for at, line in enumerate(replay.deal.play[start:], start):
        if replay.is_unchecked(line_number(line)):
            if impossible and impossible.line >= at and not replay.findings:
                _report_beyond(replay, impossible)
            return
        if isinstance(line, Ruling):
            _replay_ruling(replay, line, at)
        else:
            known = impossible if impossible and impossible.line == at else None
            _replay_turn(replay, line, at, known)


def replay_rulings(replay: DealReplay, start: int = 0) -> None:
    """Replay the rulings, from a line `start` on, of a deal whose turns are not replayed."""
    for at, line in enumerate(replay.deal.play):
        if isinstance(line, Ruling) and line.span.line >= start:
            _replay_ruling(replay, line, at)


def _replay_ruling(replay: DealReplay, line: Ruling, at: int) -> None:
    if line.side in replay.rules.sides:
        side = replay.rules.sides.index(line.side)
        if isinstance(line, BonusLine):
            award(replay.table, side, line.points)
        else:
            penalize(replay.table, side, line.points, line.word)
        report_line(replay, line.span)
    else:
        report_side(replay, "score", line.span, line.side)
    if replay.context.observer and replay.unchecked_from is None:
        replay.context.observer(Moment(replay.at + 1, replay.table, line, at))


def _replay_turn(
    replay: DealReplay, turn: Turn, at: int, impossible: ImpossibleLine | None
) -> None:
    table = replay.table
    before = None if table.stock_most else copy_table(table)
    replay.turn = table.turn + 1
    if turn.seat not in replay.rules.seats:
        span = Span(turn.line, *turn.seat_at)
        report(replay, "wrong-seat", "none", span, "players", name=turn.seat)
        mark_unknowable(table)
        return
    seat = replay.seat = replay.rules.seats.index(turn.seat)
    suits: list[Suits] = []
    if begin_turn(table, seat):
        _play_actions(replay, turn, at, suits)
    if impossible and not table.violations:
        table.at = LINE
        violate(table, impossible.code, "unwritten", "", **_facts(impossible))
        mark_unknowable(table)
    if before is not None:
        _offer_take(table, before, seat)
    _name_comment(table, turn)
    if table.took:
        replay.causes.take_pile(seat, alone=table.taken.alone)
    if replay.deal.melds and table.knowable:
        replay.laid = replay.laid.after_turn(table, turn.actions, suits)
    _report_turn(replay, turn)
    replay.turn = None


def _offer_take(table: Table, before: Table, seat: int) -> None:
    """Let a draw from the empty stock offer the take, if the seat must take the pile.

    `before` is the table before the turn.
    """
    for at, violation in enumerate(table.violations):
        if violation.code == "stock-empty" and must_take(before, seat) == YES:
            table.violations[at] = violation._replace(message="take")


def _name_comment(table: Table, turn: Turn) -> None:
    """If a missing discard is in the comment, say so, before the violations that it causes."""
    said = (turn.comment or "").split()
    if not any(map(_DISCARD.fullmatch, said)):
        return
    for at, violation in enumerate(table.violations):
        if violation.code == "discard-missing":
            del table.violations[at]
            table.violations.insert(0, violation._replace(message="comment"))


def _play_actions(replay: DealReplay, turn: Turn, at: int, suits: list[Suits]) -> None:
    """Play the actions of a turn that has begun, and end it.

    If the deal has `melds` lines, adds to `suits` what is known of the cards laid without suits.
    """
    table, actions, observer = replay.table, turn.actions, replay.context.observer
    tabled = len(actions) > 0 and isinstance(actions[0], TableThrees)
    begun = any(isinstance(action, Draw | Take) for action in actions[tabled : tabled + 1])
    if not actions:
        _report_no_draw(table)
    last = len(actions) - 1
    for index, action in enumerate(actions):
        # A turn that only tables threes may be the last of a deal whose stock is empty.
        if index == tabled and not begun and not table.last_three:
            _report_no_draw(table)
        if replay.deal.melds and isinstance(action, Lay):
            suits += suits_of(table, action)
        perform(table, action, at=index)
        if not table.knowable:
            break
        if observer and index < last:
            observer(Moment(replay.at + 1, table, turn, at, index))
    alone = tabled and last == 0
    if alone and table.knowable:
        _judge_threes_alone(table)
    end_turn(table, turn.out)
    if alone:
        _leave_pile(table)
    show_turn(table, actions)
    if observer and table.knowable:
        observer(Moment(replay.at + 1, table, turn, at, last if actions else None))
    if turn.open is not None and table.knowable:
        judge_open_claim(table, turn.open)


def _judge_threes_alone(table: Table) -> None:
    """Report a turn that only tables threes, if the stock has a card."""
    if table.stock_fewest:
        _report_no_draw(table)
    elif table.stock_most:
        doubt(table, "draw-missing")


def _leave_pile(table: Table) -> None:
    """End the deal after a turn that only tables threes, if the stock is empty.

    The turn is whole, so the seat has left the pile, which it may have had to take.
    """
    if table.knowable and table.ended == OPEN and table.stock_most == 0:
        end_deal(table, STOCK, -1, stock_over(table))


def _report_no_draw(table: Table) -> None:
    """Report a turn that neither draws nor takes the pile."""
    table.at = LINE
    top = top_of(table) if table.pile_size else UNKNOWN
    # A take would have put the top card on a meld.
    meld = None if top == UNKNOWN else RANK[top]
    violate(table, "draw-missing", "missing" if table.pile_size else "draw", meld=meld)


def _facts(impossible: ImpossibleLine) -> dict[str, Any]:
    """Return the facts of the message for a turn that no choice of unwritten cards fits."""
    turns = [str(turn) for turn in impossible.turns]
    if len(turns) > _NAMED + 1:
        turns[_NAMED:] = [f"{len(turns) - _NAMED} more"]
    hidden = ["the up card"] if impossible.up else []
    if turns:
        of_turn = "discard of turn" if len(impossible.turns) == 1 else "discards of turns"
        hidden.append(f"the unwritten {of_turn} {listed(turns)}")
    were = "was" if len(impossible.turns) + impossible.up == 1 else "were"
    return {"hidden": listed(hidden), "were": were}


def _report_beyond(replay: DealReplay, impossible: ImpossibleLine) -> None:
    """Report a turn that no choice of cards fits, if the replay stopped before it without error."""
    turn = replay.deal.play[impossible.line]
    assert isinstance(turn, Turn)
    before = replay.deal.play[: impossible.line]
    replay.turn = 1 + sum(isinstance(line, Turn) for line in before)
    span = Span(turn.line, turn.seat_at[0], turn.actions_at[-1][1])
    report(replay, impossible.code, "unwritten", span, "", **_facts(impossible))
    replay.turn = None


def _report_turn(replay: DealReplay, turn: Turn) -> None:
    """Report the violations of a turn, and judge its number and its acknowledgements."""
    table, before = replay.table, len(replay.findings)
    doubted = {code for code, _ in table.doubts}
    if table.violations or table.doubts:
        report_violations(
            replay, turn.line, lambda violation: _place(turn, violation), turn.acknowledged
        )
    found = replay.findings[before:]
    row = [it for it in found if it.code == "wrong-seat" and not it.acknowledged]
    replay.misplaced = row[0].follows or row[0] if row else None
    _judge_turn_number(replay, turn)
    if turn.acknowledged:
        happened = {finding.code for finding in replay.findings[before:]} | doubted
        if not table.knowable:
            happened.update(codes())  # what else happened there was not judged
        report_false_acknowledgements(replay, turn, happened, Span(turn.line, *turn.seat_at))


def _judge_turn_number(replay: DealReplay, turn: Turn) -> None:
    """Judge the claimed number: it is the turn's place in the deal, or continues the count."""
    if turn.number is None:
        return
    shift = turn.number - replay.table.turn
    if shift not in (0, replay.shift):
        report(
            replay, "turn-number", "other", Span(turn.line, *turn.number_at),
            acknowledged="turn-number" in turn.acknowledged,
            number=turn.number, due=replay.table.turn,
        )  # fmt: skip
    replay.shift = shift


def _place(turn: Turn, violation: Violation) -> Span:
    """Return the place in a turn's line that a violation concerns."""
    if 0 <= violation.action < len(turn.actions_at):
        return Span(turn.line, *turn.actions_at[violation.action])
    match violation.code:
        case "wrong-seat" | "after-end" | "draw-missing":
            return Span(turn.line, *turn.seat_at)
        case "out-claim":
            return Span(turn.line, *turn.out_at)
        case "opening-claim":
            return Span(turn.line, *turn.open_at)
    last = turn.actions_at[-1] if turn.actions_at else turn.seat_at
    return Span(turn.line, turn.seat_at[0], last[1])
