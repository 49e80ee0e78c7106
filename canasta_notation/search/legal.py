"""The legal plays of a state: what the seat to play could do, each tried on a copy first.

A play is listed as legal only if a legal turn can continue from it. Cards of one rank (or threes of
one colour) are interchangeable: of plays that differ only in suits, one is listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from canasta_notation.cards import BLACK_THREE, CANASTA_SIZE, JOKER_RANK, TWO
from canasta_notation.engine.actions import Ask, Discard, Lay, LaySpecial
from canasta_notation.engine.discard import talon_due
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.side import canasta_kind, meld_size, wilds_of
from canasta_notation.engine.table import AS_BOOL, NOT_KNOWN, OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn
from canasta_notation.search.able import as_refusal, find_takes, must_take, stock_over
from canasta_notation.search.ending import discards, due_talon, find_ending, find_leavings
from canasta_notation.search.found import (
    DiscardChoice,
    Group,
    LegalPlays,
    Refusal,
    SpecialChoice,
    StockChoice,
)
from canasta_notation.search.plans import Budget, Planner
from canasta_notation.search.trial import MELDABLE, attempt, held_cards


def legal_starts(play: Table) -> LegalPlays:
    """Return how the seat that is due can begin its turn: draw, or take the pile and how.

    If the seat due is not known, or the deal has ended, nothing is listed. A refused way to take
    has the engine's first objection to the turn that comes nearest to it.
    """
    if play.ended != OPEN or play.due < 0:
        return LegalPlays(play.due, begun=False, known=play.due >= 0)
    table = copy_table(play)
    begin_turn(table, play.due)
    budget = Budget()
    takes = tuple(find_takes(table, budget))
    due = min(table.rules.draw_count, table.stock_most)
    refusal = None if due else Refusal("stock-empty", "", "draw", (("stock", 0),))
    must = AS_BOOL[must_take(play, play.due, budget)] if play.stock_fewest == 0 else False
    return LegalPlays(
        play.due,
        begun=False,
        stock=StockChoice(due, refusal, certain=not due or table.stock_fewest >= due),
        takes=takes,
        must_take=must,
        over=AS_BOOL[stock_over(play, budget)],
        known=not free_cards(table, play.due),
        complete=budget.complete,
    )


def legal_continuations(play: Table) -> LegalPlays:
    """Return how the turn in progress can continue: groups, discards, asking, going out.

    Groups are listed by rank and by the number of naturals, twos and jokers. Only groups after
    which the meld has a legal shape, with the waiting top of a taken pile, are listed; so a meld
    laid piece by piece is one group. Of a hand with unwritten cards, the written ones are tried;
    `certain` is False if the others decide. Not checked: whether the seat could act on either
    answer of its partner.
    """
    if play.ended != OPEN or play.discarded >= 0:
        return LegalPlays(play.seat, begun=True)
    budget = Budget()
    leavings = [
        next(find_leavings(play, discard=each, budget=budget), None) for each in (True, False)
    ]
    groups = tuple(_groups(play, budget))
    minimum = play.minimums[play.side]
    return LegalPlays(
        play.seat,
        begun=True,
        groups=groups,
        discards=tuple(_discards(play)),
        ask=as_refusal(attempt(play, (Ask(False),), end=False).violation),
        minimum=None if play.opened_before or minimum == NOT_KNOWN else minimum,
        out=tuple(way for way in leavings if way is not None),
        specials=tuple(_specials(play)),
        known=not free_cards(play, play.seat),
        complete=budget.complete,
    )


def canasta_groups(play: Table) -> Iterator[Group]:
    """Yield the groups of `legal_continuations` that complete a canasta of a rank without one."""
    if play.ended == OPEN and play.discarded < 0:
        yield from _groups(play, Budget(), CANASTA_SIZE)


# --- within a turn ------------------------------------------------------------------------------


def _groups(play: Table, budget: Budget, size: int = 0) -> Iterator[Group]:
    """Yield the groups; with `size`, only those with which a smaller meld has as many cards."""
    planner = Planner(play, budget)
    twos, jokers = planner.hand[TWO], planner.hand[JOKER_RANK]
    for rank in (*MELDABLE, BLACK_THREE):
        naturals = [] if rank == JOKER_RANK else planner.hand[rank]
        stands = meld_size(play, play.side, rank)
        if size and stands >= size:
            continue
        counts = [range(len(held) + 1) for held in (naturals, twos, jokers)]
        for count, with_twos, with_jokers in product(*counts):
            wilds = with_twos + with_jokers
            most = stands + count + wilds + (rank == planner.top)
            if not (count or wilds) or most < size:
                continue
            if planner.holds(rank, count, wilds):
                cards = (*naturals[:count], *twos[:with_twos], *jokers[:with_jokers])
                yield from _group(play, budget, rank, cards, count)


def _group(
    play: Table, budget: Budget, rank: int, cards: tuple[int, ...], naturals: int
) -> Iterator[Group]:
    """Yield the group if a legal turn continues from it."""
    trial = attempt(play, (Lay(rank, cards),), end=False)
    if trial.violation is not None:
        return
    budget.renew()
    ending = find_ending(trial.play, budget)
    if ending is None:
        return
    side = play.side
    size = meld_size(trial.play, side, rank)
    yield Group(
        rank,
        cards,
        naturals,
        len(cards) - naturals,
        size,
        canasta_kind(rank, size, wilds_of(trial.play, side, rank)),
        None if play.opened_before else trial.play.count_most,
        ending.certain and trial.certain,
    )


def _discards(play: Table) -> Iterator[DiscardChoice]:
    for card in discards(play):
        trial = attempt(play, (Discard(card),))
        if not trial.legal and play.hand_sizes[play.seat] == 1 and talon_due(play) >= 0:
            talon = due_talon(play)
            with_talon = attempt(play, (Discard(card), talon))
            if with_talon.legal:
                yield DiscardChoice(card, None, False, talon.cards, with_talon.certain)
                continue
        refusal = as_refusal(trial.violation)
        yield DiscardChoice(card, refusal, trial.play.went_out, (), trial.certain)


def _specials(play: Table) -> Iterator[SpecialChoice]:
    if not play.rules.special or free_cards(play, play.seat):
        return
    cards = tuple(held_cards(play))
    for kind in play.rules.special:
        points = special_points(play.rules.special, kind, cards)
        if points and attempt(play, (LaySpecial(kind, cards),)).legal:
            yield SpecialChoice(kind, cards, points)
