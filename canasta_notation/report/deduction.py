"""What one seat can deduce: the record as that seat could write it, replayed by the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from canasta_notation.cards import CODES, RANK, RED_THREE, SUITED, UNKNOWN, UNKNOWN_RANK
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.state import snapshot
from canasta_notation.notation.document import Deal, Game, HandLine, Turn
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.steps import Step
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class Deduction:
    """What a seat can tell at a moment.

    `unseen` is for each rank how many cards of it the seat cannot place: in the stock, or in a hand
    that it does not see. `gone` are the cards of which it can place every copy. `known` are for
    each seat the cards that must be in its hand.
    """

    unseen: tuple[int, ...]
    gone: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]

    @property
    def not_in_stock(self) -> tuple[int, ...]:
        """The ranks of which no card can be in the stock."""
        return tuple(rank for rank in range(UNKNOWN_RANK) if self.unseen[rank] == 0)


def deduce(
    game: Game,
    deal: int,
    seat: str,
    full: Iterable[Step],
    seen: Iterable[Step],
    override: Profile | None = None,
) -> dict[int, Deduction]:
    """Return what the seat can deduce after each turn of a deal (from 1; turn 0 as dealt).

    `full` are the deal's steps with all hands, `seen` those as the seat sees them. Deduced is what
    follows from counting; not deduced is what another seat's play suggests.
    """
    hidden = _hidden_game(game, deal, seat, full, seen)
    found: dict[int, Deduction] = {}

    def observe(at: int, play: DealPlay, line: int, action: int) -> None:
        if at + 1 == deal:
            found[play.turns] = _deduction(play)

    replay_game(hidden, override=override, observer=observe)
    return found


def _deduction(play: DealPlay) -> Deduction:
    deck = play.deck
    unseen = tuple(max(0, deck.unseen(rank)) for rank in range(UNKNOWN_RANK))
    gone = tuple(
        code
        for code in range(CODES)
        if SUITED[code] and deck.origin[code] + deck.needed[code] >= deck.copies[code]
    )
    return Deduction(unseen, gone, tuple(hand.cards for hand in snapshot(play).hands))


def _hidden_game(
    game: Game, number: int, seat: str, full: Iterable[Step], seen: Iterable[Step]
) -> Game:
    """Return the game with one deal as the seat could write it down."""
    turns = {step.line.line: step.line for step in seen if step.line is not None}
    deal = game.deals[number - 1]
    tabled = next((step for step in full if step.action < 0), None)
    threes = {three for side in tabled.state.sides for three in side.threes} if tabled else set()
    hands = tuple(_hidden_hand(line, seat, threes) for line in deal.hands)
    play = tuple(
        turns.get(line.line, line) if isinstance(line, Turn) else line for line in deal.play
    )
    hidden = replace(deal, hands=hands, stock=None, talons=(), play=play)
    deals = (*map(_unplayed, game.deals[: number - 1]), hidden)
    return replace(game, deals=deals)


def _hidden_hand(line: HandLine, seat: str, threes: set[int]) -> HandLine:
    """Return another seat's hand as it is seen: the threes on the table."""
    if line.seat == seat:
        return line
    shown = tuple(card for card in line.cards if card in threes or RANK[card] == RED_THREE)
    pulled = tuple(card if card in threes else UNKNOWN for card in line.replacements)
    return replace(line, cards=shown, rest_unknown=True, replacements=pulled)


def _unplayed(deal: Deal) -> Deal:
    """Return a deal of which only its scores are left: they need no replay."""
    return replace(deal, hands=(), up=None, stock=None, talons=(), play=(), end=None)
