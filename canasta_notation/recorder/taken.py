"""Cards laid by a seat that took the pile: whether they may have come from the rest of the pile.

In a turn, the groups that are written before the rest enters the hand come from the hand. A person
who saw one group being laid cannot always know this, so a recorder asks.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from canasta_notation.cards import KIND, RANK_NAMES, RANKS, SUIT_NAMES
from canasta_notation.engine.actions import Action, Lay, Take
from canasta_notation.engine.state import HandState
from canasta_notation.engine.stock import agree
from canasta_notation.engine.table import copy_table, pile_of
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.notation.document import Turn
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.standing import Standing

#: Errors that a card of the pile's rest can explain. After others, it is too early to ask.
_EXPLAINED: Final = frozenset({"not-in-hand", "deck-count"})


@dataclass(frozen=True, slots=True)
class PileDoubt:
    """Cards of a group that may have been in the pile below its top.

    `at` is the index of the group in the turn's actions, and `after` the index of the action with
    which the rest of the pile enters the hand. `cards` are codes. `sure` says that the hand cannot
    have held them.
    """

    turn: Turn
    at: int
    group: Lay
    after: int
    cards: tuple[int, ...]
    sure: bool

    @property
    def named(self) -> str:
        """The name of the cards of the group, for example `sevens`."""
        kind = KIND[self.group.rank]
        return RANK_NAMES[kind][1] if kind < RANKS else SUIT_NAMES[kind - RANKS]

    def moved(self, number: int) -> Turn:
        """Return the turn with this many of the cards laid after the rest has entered the hand."""
        late = self.cards[len(self.cards) - number :]
        kept = list(self.group.cards)
        for card in late:
            kept.remove(card)
        actions: list[Action] = list(self.turn.actions)
        actions.insert(self.after + 1, Lay(self.group.rank, late))
        if kept:
            actions[self.at] = Lay(self.group.rank, tuple(kept))
        else:
            del actions[self.at]
        return replace(self.turn, actions=tuple(actions))


def doubtful_group(proposal: Proposal, settled: Collection[int] = ()) -> PileDoubt | None:
    """Return the first group of a new turn that may hold cards of the pile's rest, or None.

    Melds whose places are `settled` are left out, and so are melds that get another group after the
    rest has entered the hand. Cards that the hand surely held are not in doubt. No card is in doubt
    if the rules do not let the rest be melded in the turn.
    """
    turn, standing = proposal.line, proposal.before
    if not isinstance(turn, Turn) or not isinstance(turn.begin(), Take):
        return None
    if not standing.rules.rest_usable:
        return None
    if proposal.replaces or not {each.code for each in proposal.errors} <= _EXPLAINED:
        return None
    hand = _hand(standing, turn.seat)
    if hand is None or not (hand.unknown or hand.loose or proposal.errors):
        return None
    early, after = _early_groups(standing, turn)
    late = {action.rank for action in turn.actions[after + 1 :] if isinstance(action, Lay)}
    own, rest = list(hand.cards), pile_of(standing.play)[:-1] if standing.play else []
    for at, group in early:
        others = [card for card in group.cards if not _spend(own, card)]
        cards = tuple(card for card in others if _spend(rest, card))
        if cards and group.rank not in {*settled, *late}:
            sure = not (hand.unknown or hand.loose)
            return PileDoubt(turn, at, group, after, cards, sure)
    return None


def _hand(standing: Standing, seat: str) -> HandState | None:
    """Return what is known of a hand before the turn that is due, None if it is another's turn."""
    state = standing.state()
    if state is None or standing.seat_due != seat:
        return None
    return state.hands[standing.rules.seats.index(seat)]


def _spend(cards: list[int], card: int) -> bool:
    """Remove a card that can be the given one; return whether there is one."""
    found = next((each for each in cards if agree(card, each)), None)
    if found is not None:
        cards.remove(found)
    return found is not None


def _early_groups(standing: Standing, turn: Turn) -> tuple[list[tuple[int, Lay]], int]:
    """Return the groups before the rest enters the hand, by their indices, and where it enters."""
    if standing.play is None or standing.play.due < 0:
        return [], 0
    table = copy_table(standing.play)
    begin_turn(table, table.due)
    early: list[tuple[int, Lay]] = []
    for at, action in enumerate(turn.actions):
        waited = table.waiting
        perform(table, action)
        if waited and isinstance(action, Lay):
            early.append((at, action))
        if waited and not table.waiting:
            return early, at
    return [], 0
