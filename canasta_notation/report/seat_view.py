"""What one seat can know about a game. Every view of a seat that is shown comes from here.

A seat sees its own hand, the table, the pile and how many cards the others hold. It does not see
the other hands, the cards that other seats draw or find in a packet (except the threes that they
table), the running scores (which count hands), comments, and findings at other seats' turns. The
hands that are laid down at the end of a deal, and the scores of a deal that is over, are seen by
all. Findings are those of the record that the seat could write.

A seat can deduce more from what it sees. For this, the record is replayed as that seat could write
it, and the engine counts. What another seat's play only suggests is not deduced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from canasta_notation.cards import CODES, RANK, RED_THREE, SUITED, UNKNOWN, UNKNOWN_RANK
from canasta_notation.engine.actions import Action, Draw, TableThrees, TakePacket
from canasta_notation.engine.knowledge import copies_left, count_unseen
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.state import HandState, State, hand_states
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Deal, Game, HandLine, Line, Ruling, Tags, Turn
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment, Observer
from canasta_notation.replay.steps import Step
from canasta_notation.report.picked_up import with_packet_cards
from canasta_notation.rules import Profile

_L = TypeVar("_L", bound=Line)


@dataclass(frozen=True, slots=True)
class Deduction:
    """What a seat can deduce at one moment.

    `unseen` is, for each rank, how many of its cards the seat cannot place; they are in the stock
    or in a hand that it does not see. `gone` are the cards of which it can place every copy.
    `known` are, for each seat, the cards that must be in its hand.
    """

    unseen: tuple[int, ...]
    gone: tuple[int, ...]
    hands: tuple[HandState, ...]

    @property
    def not_in_stock(self) -> tuple[int, ...]:
        """The ranks of which no card is in the stock."""
        return tuple(rank for rank in range(UNKNOWN_RANK) if self.unseen[rank] == 0)


def seat_view(
    game: Game,
    seat: str,
    seats: str,
    steps: tuple[Step, ...],
    *,
    number: int = 1,
    override: Profile | None = None,
    observer: Observer | None = None,
) -> tuple[tuple[Step, ...], dict[tuple[int, int], Deduction]]:
    """Return the steps of a replay as one seat knows them, and what it can deduce.

    `seats` are the game's seats, clockwise. Deductions are by deal and turn, both from 1; turn 0 is
    the table as dealt. A turn has none if the seat's record of the deal cannot be replayed that
    far. `number` and `override` are those of `replay_game`; `observer` is called for the replay of
    the seat's record.
    """
    found: dict[tuple[int, int | None, int | None], Deduction] = {}

    def observe(moment: Moment) -> None:
        found[moment.deal, moment.place, moment.action] = _deduction(moment.table)
        if observer:
            observer(moment)

    seen = tuple(_as_seen(game, steps, seat, seats))
    profile = override or read_header(game, number).profile
    tabled = profile is not None and rules_of(profile).tabled[RED_THREE] != 0
    record = _seat_record(game, seat, steps, seen, tabled=tabled)
    report = replay_game(record, number, rules=override, observer=observe)
    known = [(step, found.get((step.deal, step.place, step.action))) for step in seen]
    return (
        tuple(_with_known(_judged(step, seat, report), deduction) for step, deduction in known),
        {(step.deal, step.turn): each for step, each in known if step.last and each is not None},
    )


def _judged(step: Step, seat: str, report: GameReport) -> Step:
    """Return a step; the last one of a turn of the seat with what its own record shows of it."""
    if not (step.last and isinstance(step.line, Turn) and step.line.seat == seat):
        return step
    findings = report.deals[step.deal - 1].findings
    return step._replace(findings=tuple(each for each in findings if each.turn == step.turn))


def _with_known(step: Step, deduction: Deduction | None) -> Step:
    """Return a step with the cards that the seat can deduce to be in other hands."""
    if deduction is None:
        return step
    hands = tuple(
        hand
        if hand.cards
        else replace(known, unknown=max(0, hand.size - len(known.cards)), size=hand.size)
        for hand, known in zip(step.state.hands, deduction.hands, strict=True)
    )
    return step._replace(state=step.state.with_parts(hands=hands))


def hide_state(state: State, place: int | None) -> State:
    """Return a state with only what the seat with this index sees, or with None, a spectator."""
    hands = tuple(
        hand if at == place else HandState((), hand.size, hand.size, hand.loose)
        for at, hand in enumerate(state.hands)
    )
    sides = tuple(replace(side, points=None) for side in state.sides)
    packets = tuple(
        replace(packet, cards=(UNKNOWN,) * len(packet.cards)) for packet in state.packets
    )
    return state.with_parts(hands=hands, sides=sides, packets=packets)


# --- what a seat sees ---------------------------------------------------------------------------


def _as_seen(game: Game, steps: Iterable[Step], seat: str, seats: str) -> Iterator[Step]:
    """Yield the steps as a seat sees them, without findings."""
    place = seats.index(seat)
    before: State | None = None
    turn_start: State | None = None
    for step in steps:
        if not step.action:
            turn_start = before
        line = step.line
        if isinstance(line, Turn):
            line = _hide_turn(line, seat, turn_start, step.state)
        elif line is not None:
            line = _silent(line)
        final = game.deals[step.deal - 1].is_final_table
        shown = step.state if final else hide_state(step.state, place)
        yield step._replace(line=line, state=shown, findings=())
        before = step.state


def _hide_turn(turn: Turn, seat: str, before: State | None, after: State) -> Turn:
    if turn.seat == seat:
        actions = with_packet_cards(turn.actions, before, after) if before else turn.actions
        return replace(turn, actions=actions, before=(), comment=None)
    tabled = _threes(after) - (_threes(before) if before else Counter())
    actions = tuple(_hide_action(action, tabled) for action in turn.actions)
    return replace(turn, actions=actions, before=(), comment=None)


def _threes(state: State) -> Counter[int]:
    return Counter(card for side in state.sides for card in side.threes)


def _hide_action(action: Action, tabled: Counter[int]) -> Action:
    left = tabled.copy()
    match action:
        case TableThrees():
            left.subtract(action.threes)
            return replace(action, cards=_hide_cards(action.cards, left))
        case TakePacket():
            cards = _hide_cards(action.cards, left)
            replaced = _hide_cards(action.replacements, left)
            return replace(action, cards=cards, replacements=replaced)
        case Draw():
            return replace(action, cards=_hide_cards(action.cards, left))
    return action


def _hide_cards(cards: tuple[int, ...], left: Counter[int]) -> tuple[int, ...]:
    """Return cards as others see them: only those in `left` are named, and are taken from it."""
    shown = []
    for card in cards:
        shown.append(card if left[card] > 0 else UNKNOWN)
        left[card] -= 1
    return tuple(shown)


# --- what a seat can deduce ---------------------------------------------------------------------


def _deduction(play: Table) -> Deduction:
    unseen = tuple(max(0, count_unseen(play, rank)) for rank in range(UNKNOWN_RANK))
    gone = tuple(code for code in range(CODES) if SUITED[code] and copies_left(play, code) <= 0)
    return Deduction(unseen, gone, hand_states(play))


# --- the record of a seat -------------------------------------------------------------------------


def _seat_record(
    game: Game, seat: str, full: Iterable[Step], seen: Iterable[Step], *, tabled: bool
) -> Game:
    """Return a game as a seat could write it down, without comments.

    `tabled` says that players table the red threes of their hands.

    `full` are the game's steps with all hands, `seen` are the steps as the seat sees them. If a
    deal was not replayed to its end, only its scores are kept, because it is not known what else
    the seat could see.
    """
    turns = {step.line.line: step.line for step in seen if isinstance(step.line, Turn)}
    red = {code for code in range(CODES) if RANK[code] == RED_THREE and tabled}
    shown = {
        step.deal: red.union(*(side.threes for side in step.state.sides))
        for step in full
        if step.place is None
    }
    deals = (_deal(deal, seat, turns, shown.get(at, red)) for at, deal in enumerate(game.deals, 1))
    tags = tuple(_silent(tag) for tag in game.tags)
    return replace(game, tags=Tags(tags), deals=tuple(deals), comments=())


def _deal(deal: Deal, seat: str, turns: dict[int, Turn], threes: set[int]) -> Deal:
    play = [
        _silent(line) if isinstance(line, Ruling) else turns.get(line.line) for line in deal.play
    ]
    scores = tuple(_silent(line) for line in deal.scores)
    total = deal.total and _silent(deal.total)
    if None in play:
        return Deal(deal.number, deal.dealer, scores=scores, total=total, span=deal.span)
    return replace(
        deal,
        hands=tuple(_hand(line, seat, threes) for line in deal.hands),
        up=deal.up and _silent(deal.up),
        stock=None,
        # A final table shows everybody the feet that nobody picked up.
        packets=tuple(map(_silent, deal.packets)) if deal.is_final_table else (),
        play=tuple(line for line in play if line is not None),
        end=deal.end and _silent(deal.end),
        melds=tuple(_silent(line) for line in deal.melds),
        threes=tuple(_silent(line) for line in deal.threes),
        left=tuple(_silent(line) for line in deal.left),
        scores=scores,
        total=total,
        before=(),
        comment=None,
    )


def _silent(line: _L) -> _L:
    """Return a line without its comments."""
    return replace(line, before=(), comment=None)


def _hand(line: HandLine, seat: str, threes: set[int]) -> HandLine:
    """Return a hand as dealt; for another seat, only those of its cards that are in `threes`."""
    if line.seat == seat:
        return _silent(line)
    shown = tuple(card for card in line.cards if card in threes)
    pulled = tuple(card if card in threes else UNKNOWN for card in line.replacements)
    return replace(_silent(line), cards=shown, rest_unknown=True, replacements=pulled)
