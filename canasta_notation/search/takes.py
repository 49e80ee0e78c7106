"""The ways to take the pile, each tried on a copy first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from canasta_notation.cards import FOUR, JOKER_RANK, RANK, TWO, UNKNOWN
from canasta_notation.engine.actions import Lay, Take
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.side import meld_size
from canasta_notation.engine.table import YES, Table, Violation, copy_table, top_of
from canasta_notation.engine.take import frozen_for, frozen_why
from canasta_notation.engine.turn_end import end_turn
from canasta_notation.search.ending import find_ending, objection
from canasta_notation.search.found import Refusal, TakeWay
from canasta_notation.search.plans import OF_THE_TAKE, Budget, Planner
from canasta_notation.search.trial import MELDABLE, Trial, attempt

#: The message for what a hand lacks for a pair, by the number of its cards of the top's rank.
_LACKING = ("no-pair", "no-second")


def refused(violation: Violation | None) -> Refusal | None:
    """Return a violation as a refusal, None for None."""
    if violation is None:
        return None
    facts = tuple(violation.facts.items())
    return Refusal(violation.code, violation.key, violation.message, facts)


def find_takes(play: Table, budget: Budget) -> Iterator[TakeWay]:
    """Yield the ways to take the pile, including refused ones; the way "" if there is none at all.

    If the budget's limit is reached, a way that was not decided is neither refused nor certain.
    """
    if play.pile_size == 0:
        yield TakeWay("", (), Refusal("pile-empty", "", "empty"))
        return
    top = top_of(play)
    if top == UNKNOWN:
        yield from _unwritten_takes(play, Planner(play, budget))
        return
    refusal = refused(attempt(play, (Take(top),), end=False).violation)
    if refusal is not None:
        yield TakeWay("", (), refusal)
        return
    planner = Planner(play, budget)
    naturals = planner.hand[RANK[top]] if RANK[top] in MELDABLE else []
    pair = tuple(naturals[:2])
    stands = meld_size(play, play.side, RANK[top]) > 0
    if stands:
        yield _take_way(play, budget, "join", ())
    if len(pair) > 1 or not stands:
        yield _take_way(play, budget, "pair", pair)
    for wilds in (planner.hand[TWO], planner.hand[JOKER_RANK]):
        if naturals and wilds:
            yield _take_way(play, budget, "with-wild", (naturals[0], wilds[0]))


def _unwritten_takes(play: Table, planner: Planner) -> Iterator[TakeWay]:
    """Yield the ways that are left to take a pile whose top is not written."""
    rules, frozen = play.rules, frozen_for(play, play.side)
    stands = any(meld_size(play, play.side, rank) for rank in range(FOUR, TWO))
    if rules.onto_meld and frozen != YES and stands:
        yield TakeWay("join", (), None, certain=False)
    naturals = max(len(planner.hand[rank]) for rank in range(FOUR, TWO))
    lacking = naturals < 2 and not free_cards(play, play.seat)
    refusal = Refusal("not-in-hand", "", "no-pairs") if lacking else None
    yield TakeWay("pair", (), refusal, certain=lacking)
    if rules.with_wild and frozen != YES and naturals and planner.wilds:
        yield TakeWay("with-wild", (), None, certain=False)


def _take_way(play: Table, budget: Budget, way: str, cards: tuple[int, ...]) -> TakeWay:
    top = top_of(play)
    groups = (Lay(RANK[top], cards),) if cards else ()
    trial = attempt(play, (Take(top), *groups), end=False)
    unknown = free_cards(play, play.seat) > 0
    if way == "pair" and len(cards) < 2 and not unknown:
        _, key = frozen_why(trial.play)
        facts = (("rank", RANK[top]),)
        return TakeWay(way, cards, Refusal("not-in-hand", key, _LACKING[len(cards)], facts))
    if trial.violation is not None:
        return TakeWay(way, cards, refused(trial.violation))
    form = copy_table(trial.play)
    end_turn(form, "")
    wrong = next((each for each in form.violations if each.code in OF_THE_TAKE), None)
    if wrong is not None:
        return TakeWay(way, cards, None if unknown else refused(wrong), certain=not unknown)
    budget.renew()
    ending = find_ending(trial.play, budget)
    if ending is not None:
        return TakeWay(way, cards, None, ending.certain and trial.certain)
    return TakeWay(way, cards, None if unknown else _objection(trial), certain=not unknown)


def _objection(trial: Trial) -> Refusal:
    """Return the engine's first objection to ending the turn now, as one to the take."""
    found = refused(objection(trial.play))
    refusal = found or Refusal("pile-unmeldable", "pile.onto_meld", "none")
    return replace(refusal, message="take") if refusal.code == "opening-low" else refusal
