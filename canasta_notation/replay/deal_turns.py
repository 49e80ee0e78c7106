"""Replaying the turns and penalties of a deal."""

from __future__ import annotations

from typing import Any, Final

from canasta_notation.cards import RANK, UNKNOWN
from canasta_notation.engine.actions import Draw, Take
from canasta_notation.engine.deal import penalize
from canasta_notation.engine.table import LINE, Table, Violation, lose, top_of, violate
from canasta_notation.engine.turn import begin_turn, end_turn, judge_open_claim, perform
from canasta_notation.english import listed
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import PenaltyLine, Turn
from canasta_notation.replay.deal_replay import (
    DealReplay,
    find,
    find_false_acknowledgements,
    is_unchecked,
    line_number,
    settle,
    settle_line,
)
from canasta_notation.replay.unwritten import ImpossibleLine, first_impossible
from canasta_notation.rules import codes

#: A message names at most this many turns and counts the others.
_NAMED: Final = 4


def replay_lines(replay: DealReplay, start: int = 0) -> None:
    """Replay turns and penalties up to the first line that cannot be checked.

    `start` is the place (from 0) of the first line that has not been replayed.
    """
    # A deal that is continued has nothing to search for; see `GameReplay.with_turn`.
    impossible = None if start else first_impossible(replay)
    for at, line in enumerate(replay.deal.play[start:], start):
        if is_unchecked(replay, line_number(line)):
            if impossible and impossible.line >= at and not replay.findings:
                _report_beyond(replay, impossible)
            return
        if isinstance(line, PenaltyLine):
            _replay_penalty(replay, line, at)
        else:
            known = impossible if impossible and impossible.line == at else None
            _replay_turn(replay, line, at, known)


def replay_penalties(replay: DealReplay, start: int = 0) -> None:
    """Replay the penalties, from a line `start` on, of a deal whose turns are not replayed."""
    for at, line in enumerate(replay.deal.play):
        if isinstance(line, PenaltyLine) and line.span.line >= start:
            _replay_penalty(replay, line, at)


def _replay_penalty(replay: DealReplay, line: PenaltyLine, at: int) -> None:
    if line.side in replay.rules.sides:
        penalize(replay.play, replay.rules.sides.index(line.side), line.points, line.word)
        settle_line(replay, line.span)
    else:
        find(replay, "score", "side", line.span, "players", name=line.side)
    if replay.context.observer and replay.unchecked_from is None:
        replay.context.observer(replay.at, replay.play, at, -1)


def _replay_turn(
    replay: DealReplay, turn: Turn, at: int, impossible: ImpossibleLine | None
) -> None:
    play = replay.play
    replay.turn = play.turns + 1
    if turn.seat not in replay.rules.seats:
        span = Span(turn.line, *turn.seat_at)
        find(replay, "wrong-seat", "none", span, "players", name=turn.seat)
        lose(play)
        return
    before = len(replay.findings)
    drawn = _drawn_top(play, turn)
    seat, due = replay.rules.seats.index(turn.seat), play.due
    replay.seat = seat
    if begin_turn(play, seat):
        _play_actions(replay, turn, at)
    if impossible and not play.violations:
        play.at = LINE
        violate(play, impossible.code, "unwritten", "", **_facts(impossible))
        lose(play)
    if play.took:
        replay.causes.take_pile(seat)
    if replay.deal.melds and play.knowable:
        replay.laid = replay.laid.after_turn(play, turn.actions)
    if play.violations or play.doubts or turn.acknowledged:
        _settle_turn(replay, turn, at, drawn)
    found = replay.findings[before:]
    row = replay.misplaced
    _note_order(replay, found, seat - due)
    late = next((each for each in found if each.code == "after-end"), None)
    _judge_turn_number(replay, turn, seat - due, replay.misplaced or row or late)
    replay.turn = None


def _play_actions(replay: DealReplay, turn: Turn, at: int) -> None:
    """Play the actions of a turn that has begun, and end it."""
    play, actions, observer = replay.play, turn.actions, replay.context.observer
    if not actions or not isinstance(actions[0], (Draw, Take)):
        top = top_of(play) if play.pile_size else UNKNOWN
        # A take would have put the top card on a meld.
        meld = None if top == UNKNOWN else RANK[top]
        violate(play, "draw-missing", "missing" if play.pile_size else "draw", meld=meld)
    last = len(actions) - 1
    for index, action in enumerate(actions):
        perform(play, action, at=index)
        if not play.knowable:
            break
        if observer and index < last:
            observer(replay.at, play, at, index)
    end_turn(play, turn.out)
    if observer and play.knowable:
        observer(replay.at, play, at, last)
    if turn.open is not None and play.knowable:
        judge_open_claim(play, turn.open)


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
    """Report a turn that no choice fits if the replay stopped before it without a mistake."""
    turn = replay.deal.play[impossible.line]
    assert isinstance(turn, Turn)
    before = replay.deal.play[: impossible.line]
    replay.turn = 1 + sum(isinstance(line, Turn) for line in before)
    span = Span(turn.line, turn.seat_at[0], turn.actions_at[-1][1])
    find(replay, impossible.code, "unwritten", span, "", **_facts(impossible))
    replay.turn = None


def _note_order(replay: DealReplay, found: list[Finding], skipped: int) -> None:
    """Note the series of turns out of turn that a turn belongs to, and how far off the turn was."""
    out_of_turn = [it for it in found if it.code == "wrong-seat" and not it.acknowledged]
    misplaced = (out_of_turn[0].follows or out_of_turn[0]) if out_of_turn else None
    if misplaced:
        goes_on = misplaced in (replay.misplaced, replay.interrupted)
        replay.displaced = (replay.displaced if goes_on else 0) + skipped
    replay.interrupted = None if misplaced else replay.misplaced
    replay.misplaced = misplaced


def _judge_turn_number(replay: DealReplay, turn: Turn, skipped: int, row: Finding | None) -> None:
    """Judge the claimed number; `skipped` is how far the seat is from the one that was due.

    A number that continues from a false one is its consequence. A number that is as far off as the
    seat has the same cause, `row`, as the turns out of turn or after the end.
    """
    shift = turn.number - replay.play.turns if turn.number is not None else replay.shift
    if shift and turn.number is not None:
        known = "turn-number" in turn.acknowledged
        off = (shift - replay.shift - skipped) % replay.rules.players
        cause = replay.misnumbered if shift == replay.shift else None if off else row
        finding = find(
            replay, "turn-number", "other", Span(turn.line, *turn.number_at), acknowledged=known,
            follows=None if known else cause, number=turn.number, due=replay.play.turns,
        )  # fmt: skip
        if not known:
            replay.misnumbered = cause or finding
    replay.shift = shift


def _drawn_top(play: Table, turn: Turn) -> int:
    """Return the rank of a card drawn that is also the top of the pile, -1 if there is none."""
    first = turn.actions[0] if turn.actions else None
    if not isinstance(first, Draw) or play.pile_size == 0:
        return -1
    top = top_of(play)
    return RANK[top] if top != UNKNOWN and top in first.cards else -1


def _settle_turn(replay: DealReplay, turn: Turn, at: int, drawn: int) -> None:
    """Turn a turn's violations into findings.

    `drawn` is the rank of the top of the pile if such a card was drawn, else -1. If the meld of
    that rank is too short, the turn probably took the pile.
    """
    play = replay.play
    doubled = at > 0 and turn == replay.deal.play[at - 1]
    short = any((it.code, it.facts.get("meld")) == ("meld-short", drawn) for it in play.violations)

    def message_of(violation: Violation) -> str:
        if doubled and violation.code == "wrong-seat":
            return "twice"
        of_top = violation.facts.get("meld", drawn) == drawn
        if short and of_top and violation.code in ("meld-short", "draw-count"):
            return "drawn"
        return violation.message

    happened = {violation.code for violation in play.violations}
    happened |= {code for code, _ in play.doubts}
    if turn.number is not None and turn.number != play.turns:
        happened.add("turn-number")
    settle(
        replay, turn.line, lambda violation: _place(turn, violation), turn.acknowledged, message_of
    )
    if not play.knowable:
        happened.update(codes())  # what else happened there was not judged
    find_false_acknowledgements(replay, turn, happened, Span(turn.line, *turn.seat_at))


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
