"""Whether a turn that has begun can be ended legally, and how: by counting, then by trying.

There are two ways to end a turn. To *stay* is to lay as few further groups as the opening needs,
and discard. To *leave* is to lay every card of the hand except at most one, which is discarded. For
each rank it matters only how many naturals and wild cards are laid. So plans grow rank by rank, and
of similar plans only the best is kept (`plans`). The engine decides, on a copy, whether a meld has
a legal shape and whether the whole turn is legal.

While a taken pile waits, the opening may use only melds that are legal without a card of its rest.
Of a hand with unwritten cards, only the written ones are played; see `Ending`.
"""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import BLACK_THREE, RANK, RED_THREE, UNKNOWN
from canasta_notation.engine.actions import Action, Discard, TakeTalon
from canasta_notation.engine.discard import talon_due
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.side import touched
from canasta_notation.engine.table import OPEN, Table, Violation
from canasta_notation.search.found import Ending
from canasta_notation.search.plans import Budget, Planner
from canasta_notation.search.trial import Trial, attempt, held_cards, pile_rest


def find_ending(play: Table, budget: Budget | None = None) -> Ending | None:
    """Return a legal way to end the turn in progress, or None if there is none.

    If the budget's limit is reached first, the ending has no actions and is not certain.
    """
    budget = budget or Budget()
    if play.ended != OPEN:
        trial = attempt(play, ())
        return _ending(trial, ()) if trial.legal else None
    found = None
    if play.answer != "yes" and BLACK_THREE not in touched(play):
        found = _stay(play, budget)
    if found is None and play.answer != "no":
        found = next(find_leavings(play, budget=budget), None)
    if found is None and (budget.reached or free_cards(play, play.seat)):
        return Ending((), out=False, concealed=False, certain=False)
    return found


def find_leavings(
    play: Table, *, discard: bool | None = None, budget: Budget | None = None
) -> Iterator[Ending]:
    """Yield legal ways to go out in this turn, with or without a discard as `discard` asks.

    Yields nothing for a hand with unwritten cards. Not every way is yielded, but at least one if
    there is any, unless the budget's limit is reached first.
    """
    if play.ended != OPEN or play.answer == "no" or free_cards(play, play.seat):
        return
    planner = Planner(play, budget or Budget())
    for actions in planner.leavings(discard):
        trial = attempt(play, actions)
        if trial.legal and trial.play.went_out:
            yield _ending(trial, tuple(actions))


def _stay(play: Table, budget: Budget) -> Ending | None:
    """Return the end of the turn with a discard that lays the fewest cards, or None."""
    found = _discard(play, ())
    if found is not None:
        return found
    return _open(play, budget)


def find_opening(play: Table) -> Ending | None:
    """Return a certain way for the side to open in this turn, which ends with a discard, or None.

    The side must not have opened before.
    """
    found = _open(play, Budget())
    return found if found is not None and found.certain else None


def _open(play: Table, budget: Budget) -> Ending | None:
    """Return the end of the turn with an opening and a discard that lays the fewest cards."""
    for groups in Planner(play, budget).openings():
        trial = attempt(play, groups, end=False)
        if trial.legal:
            found = _discard(trial.play, tuple(groups))
            if found is not None:
                return found
    return None


def _discard(play: Table, groups: tuple[Action, ...]) -> Ending | None:
    """Return an end of the turn by a discard now, or None."""
    for card in discards(play):
        endings: list[tuple[Action, ...]] = [(Discard(card),)]
        if play.hand_sizes[play.seat] == 1 and talon_due(play) >= 0:
            endings.append((Discard(card), due_talon(play)))
        for actions in endings:
            trial = attempt(play, actions)
            if trial.legal:
                return _ending(trial, (*groups, *actions))
        if trial.played:  # The turn's end is wrong, whatever is discarded.
            return None
    return None


def objection(play: Table) -> Violation | None:
    """Return the engine's first objection to ending the turn now, with a discard.

    One to the turn's end comes before one to a card.
    """
    endings: list[tuple[Discard, ...]] = [(Discard(card),) for card in discards(play)]
    found = None
    for actions in endings or [()]:
        trial = attempt(play, actions)
        if trial.violation is not None and trial.played:
            return trial.violation
        found = found or trial.violation
    return found


def due_talon(play: Table) -> TakeTalon:
    """Return the action that takes the talon due; unwritten cards in it are unknown."""
    due = talon_due(play)
    written = play.talons[due] if due < len(play.talons) else [UNKNOWN] * play.rules.talons[due]
    return TakeTalon(tuple(written))


def discards(play: Table) -> list[int]:
    """Return one card of each rank that the hand is known to hold, and UNKNOWN if one is unknown.

    The rest of a waiting pile counts as part of the hand. Red threes come last.
    """
    held = held_cards(play)
    if play.waiting:
        held += pile_rest(play)
    by_rank = {RANK[code]: code for code in reversed(held)}
    codes = sorted(by_rank.values(), key=lambda code: (RANK[code] == RED_THREE, RANK[code]))
    return codes + ([UNKNOWN] if free_cards(play, play.seat) else [])


def _ending(trial: Trial, actions: tuple[Action, ...]) -> Ending:
    return Ending(actions, trial.play.went_out, trial.play.out_concealed, trial.certain)
