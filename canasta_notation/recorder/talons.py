"""A talon that the last turn earned and did not take: its cards, and the turn with it."""

from __future__ import annotations

from dataclasses import replace

from canasta_notation.cards import UNKNOWN, format_cards, parse_cards
from canasta_notation.engine.actions import TakeTalon
from canasta_notation.engine.discard import talon_passed
from canasta_notation.recorder.proposal import Proposal, judge
from canasta_notation.recorder.shorthand import recased_cards
from canasta_notation.recorder.standing import Standing


def talon_left(standing: Standing) -> tuple[int, ...]:
    """Return the cards of the talon that the last turn earned and left, () if there is none.

    They are unknown, unless the talon is written.
    """
    play = standing.play
    if standing.phase != "play" or play is None or not play.knowable:
        return ()
    at = talon_passed(play)
    if at < 0:
        return ()
    if at < len(play.talons):
        return tuple(play.talons[at])
    size: int = play.rules.talons[at]
    return (UNKNOWN,) * (min(size, play.stock_most) if play.rules.talon_drawn else size)


def propose_talon(standing: Standing, text: str) -> Proposal:
    """Judge the last turn with its talon as typed: cards, and `+` before replacements of threes.

    Without text, the cards are those of `talon_left`. Raises ValueError for text that is not cards,
    or not as many as the talon has.
    """
    due = talon_left(standing)
    taken, _, replaced = recased_cards(text).partition("+")
    cards = parse_cards(taken) if taken else due
    if len(cards) != len(due):
        raise ValueError(f"the talon has {len(due)} cards, not {len(cards)}")
    if UNKNOWN not in due and sorted(cards) != sorted(due):
        raise ValueError(f"the talon that was set aside is {format_cards(due)}")
    turn = standing.turns[-1]
    talon = TakeTalon(cards, parse_cards(replaced))
    at = turn.line - standing.place.first_line
    return judge(standing, replace(turn, actions=(*turn.actions, talon)), at)
