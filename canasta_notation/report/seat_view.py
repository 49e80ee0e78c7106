"""What one seat can see of a step: its own hand, the table, the pile, the others' counts.

Hidden are the other hands, the cards that other seats draw (tabled threes aside) or find in a
talon, the running scores, which count hands, comments, and findings at other seats' turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from canasta_notation.cards import UNKNOWN
from canasta_notation.engine.actions import Action, Draw, TakeTalon
from canasta_notation.engine.state import HandState, State
from canasta_notation.notation.document import Turn
from canasta_notation.replay.steps import Step


def as_seen(steps: Iterable[Step], seat: str, seats: str) -> Iterator[Step]:
    """Yield the steps as a seat sees them; `seats` are those of the game, clockwise."""
    place = seats.index(seat)
    before: State | None = None
    turn_start: State | None = None
    for step in steps:
        if step.action <= 0:
            turn_start = before
        turn = step.line and _hide_turn(step.line, seat, turn_start, step.state)
        own = step.line is not None and step.line.seat == seat
        findings = step.findings if own else ()
        yield step._replace(line=turn, shown=hide_state(step.state, place), findings=findings)
        before = step.state


def hide_state(state: State, place: int) -> State:
    """Return a state with only what the seat at that place knows."""
    hands = tuple(
        hand if at == place else HandState((), hand.size, hand.size, hand.loose)
        for at, hand in enumerate(state.hands)
    )
    sides = tuple(replace(side, points=None) for side in state.sides)
    return replace(state, hands=hands, sides=sides)


def _hide_turn(turn: Turn, seat: str, before: State | None, after: State) -> Turn:
    if turn.seat == seat:
        return replace(turn, before=(), comment=None)
    tabled = _threes(after) - (_threes(before) if before else Counter())
    actions = tuple(_hide_action(action, tabled) for action in turn.actions)
    return replace(turn, actions=actions, before=(), comment=None)


def _threes(state: State) -> Counter[int]:
    return Counter(card for side in state.sides for card in side.threes)


def _hide_action(action: Action, tabled: Counter[int]) -> Action:
    if not isinstance(action, Draw | TakeTalon):
        return action
    left = tabled.copy()
    cards = []
    for card in action.cards:
        cards.append(card if left[card] > 0 else UNKNOWN)
        left[card] -= 1
    return replace(action, cards=tuple(cards))
