"""Whether and how a turn in progress can be ended legally: by counting, then by trying.

There are two ways to end a turn. To *stay* is to lay as few further groups as the opening needs,
and discard, unless the last three of the stock was drawn. To *leave* is to lay every card of the
hand except at most one, which is discarded. For each rank it matters only how many naturals and
wild cards are laid. So plans grow rank by rank, and of similar plans only the best is kept
(`plans`). The engine decides, on a copy, whether a meld has a legal shape and whether the whole
turn is legal. If a side may have sequences or several melds of a rank, a card can serve either, and
`placed` plans instead.

While a taken pile waits, the opening may use only melds that are legal without a card of its rest.
If a hand has unwritten cards, only the written ones are played; see `Ending`.
"""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import RANK, RANKS, RED_THREE, UNKNOWN
from canasta_notation.engine.actions import Action, Ask, LaySpecial, TakePacket
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.packets import index_awaited, packet_due, picks_up
from canasta_notation.engine.side import must_leave
from canasta_notation.engine.table import OPEN, Table, Violation
from canasta_notation.engine.take import may_complete_special
from canasta_notation.engine.turn import discards_plainly
from canasta_notation.search.found import Asked, Ending
from canasta_notation.search.placed import PlacedPlanner
from canasta_notation.search.plans import TRIAL, Budget, Planner
from canasta_notation.search.trial import Trial, attempt, held_cards, make_discard, pile_rest


def find_ending(table: Table, budget: Budget | None = None, *, leave: bool = True) -> Ending | None:
    """Return a legal way to end the turn in progress, or None if there is none.

    Without `leave`, going out is not tried.
    If the budget's limit is reached first, the ending has no actions and is not certain.
    """
    budget = budget or Budget()
    if table.ended != OPEN:
        trial = attempt(table, ())
        return _ending(trial, ()) if trial.legal else None
    found = None
    if table.answer != "yes" and not must_leave(table):
        found = _stay(table, budget)
    if found is None and leave and table.answer != "no":
        found = next(find_leavings(table, budget=budget), None)
    if found is None and (table.late_waits or may_complete_special(table)):
        found = find_special(table)
    if found is None and (budget.reached or free_cards(table, table.seat)):
        return Ending((), out=False, concealed=False, certain=False)
    return found


def judge_question(table: Table) -> Asked:
    """Return whether the partner can be asked now whether to go out."""
    certain = True
    for yes in (True, False):
        trial = attempt(table, (Ask(yes),), end=False)
        if trial.violation is not None:
            return Asked(trial.violation)
        ending = find_ending(trial.table)
        if ending is None:
            return Asked(objection(trial.table, table), "yes" if yes else "no")
        certain = certain and ending.certain
    return Asked(certain=certain)


def find_leavings(
    table: Table,
    *,
    discard: bool | None = None,
    budget: Budget | None = None,
    planner: Planner | PlacedPlanner | None = None,
) -> Iterator[Ending]:
    """Yield legal ways to go out in this turn, with or without a discard as `discard` says.

    `planner` is one of this table, if there is one already; it then has the budget.
    Yields nothing for a hand with unwritten cards. Not every way is yielded, but at least one if
    there is any, unless the budget's limit is reached first.
    """
    if table.ended != OPEN or table.answer == "no" or free_cards(table, table.seat):
        return
    planner = planner or planner_of(table, budget or Budget())
    for actions in planner.leavings(discard):
        trial = attempt(table, actions)
        if trial.legal and trial.table.went_out:
            yield _ending(trial, tuple(actions))


def planner_of(table: Table, budget: Budget) -> Planner | PlacedPlanner:
    """Return the planner for the rules: only some have sequences or several melds of a rank."""
    return PlacedPlanner(table, budget) if table.places > RANKS else Planner(table, budget)


def find_special(table: Table) -> Ending | None:
    """Return the end of the turn by laying a special hand, or None."""
    if free_cards(table, table.seat):
        return None
    cards = cards_for_special(table)
    for kind in table.rules.special:
        action = LaySpecial(kind, cards)
        if special_points(table.rules.special, kind, cards) and attempt(table, (action,)).legal:
            return Ending((action,), out=False, concealed=False, certain=True)
    return None


def cards_for_special(table: Table) -> tuple[int, ...]:
    """Return the cards that a special hand would have: the hand, and a top taken for it."""
    top = [table.taken.top] if may_complete_special(table) else []
    return tuple(sorted([*held_cards(table), *top]))


def _stay(table: Table, budget: Budget) -> Ending | None:
    """Return the end of the turn that lays the fewest cards without going out, or None."""
    found = close(table, ())
    if found is not None:
        return found
    return _open(table, budget)


def find_opening(table: Table, budget: Budget | None = None) -> Ending | None:
    """Return a certain way for the side to open in this turn without going out, or None.

    The side must not have opened before.
    """
    found = _open(table, budget or Budget())
    return found if found is not None and found.certain else None


def _open(table: Table, budget: Budget) -> Ending | None:
    """Return the end of the turn with an opening that lays the fewest cards."""
    for groups in planner_of(table, budget).openings():
        if not budget.spend(TRIAL):
            return None
        trial = attempt(table, groups, end=False)
        if trial.legal:
            found = close(trial.table, tuple(groups))
            if found is not None:
                return found
    return None


def close(table: Table, groups: tuple[Action, ...]) -> Ending | None:
    """Return an end of the turn now, by a discard if one is due, or None.

    `groups` are what was played before. A packet that the seat need not pick up is left if the turn
    can end without it.
    """
    if table.rules.packet_on_canasta and picks_up(table):
        found = _close(table, groups, ())
        if found is not None:
            return found
    table, picked = past_packet(table)
    return _close(table, (*groups, *picked), picked)


def _close(table: Table, groups: tuple[Action, ...], picked: tuple[Action, ...]) -> Ending | None:
    """Return an end of the turn now; `picked` is the packet that it has just picked up, if any."""
    if table.rules.packet_waits and picked:
        return _ending(attempt(table, ()), groups)
    if table.last_three or table.rules.last_kept:
        trial = attempt(table, ())
        if trial.legal and not trial.table.went_out:
            return _ending(trial, groups)
        if table.last_three:
            return None
    packet = packet_after(table)
    for card in discards(table):
        if discards_plainly(table, card):
            return Ending((*groups, make_discard(card)), out=False, concealed=False, certain=True)
        endings: list[tuple[Action, ...]] = [(make_discard(card),)]
        if packet is not None:
            endings.append((make_discard(card), packet))
        for actions in endings:
            trial = attempt(table, actions)
            if trial.legal:
                return _ending(trial, (*groups, *actions))
        if trial.played:  # The turn's end is illegal, whatever is discarded.
            return None
    return None


def objection(table: Table, before: Table | None = None) -> Violation | None:
    """Return the engine's first objection to ending the turn now, with a discard if one is due.

    An objection to the turn's end comes before one to a card. If `before` is the table before the
    last action, an objection that this action has raised comes before all others.
    """
    found = _objections(table)
    earlier = [_without_action(each) for each in _objections(before)] if before else []
    raised = [each for each in found if _without_action(each) not in earlier]
    return next(iter(raised + found), None)


def _objections(table: Table) -> list[Violation]:
    """Return the engine's objections to ending the turn now, in their order."""
    table, picked = past_packet(table)
    ends = table.last_three or (picked and table.rules.packet_waits)
    cards = [] if ends else discards(table)
    endings: list[tuple[Action, ...]] = [(make_discard(card),) for card in cards]
    packet = packet_after(table) if table.rules.packet_on_empty else None
    if packet is not None:
        endings = [(*ending, packet) for ending in endings]
    found: list[Violation] = []
    for actions in endings or [()]:
        trial = attempt(table, actions)
        if trial.violation is not None and trial.played:
            return trial.table.violations
        found = found or trial.table.violations
    return found


def _without_action(violation: Violation) -> tuple[str, str, dict[str, object]]:
    return violation.code, violation.message, violation.facts


def packet_after(table: Table) -> TakePacket | None:
    """Return the action that takes a packet after the discard of the last card, if one is due.

    Cards of it that are not written are unknown.
    """
    if table.hand_sizes[table.seat] != 1:
        return None
    due = index_awaited(table) if table.rules.packet_on_empty else packet_due(table)
    return _packet(table, due) if due >= 0 else None


def past_packet(table: Table) -> tuple[Table, tuple[Action, ...]]:
    """Return the table after the packet that the seat picks up now, and that action, if any."""
    if table.discarded >= 0 or not picks_up(table):
        return table, ()
    action = _packet(table, packet_due(table))
    return attempt(table, (action,), end=False).table, (action,)


def _packet(table: Table, due: int) -> TakePacket:
    """Return the action that takes a packet; `due` is its index."""
    rules, size = table.rules, table.rules.packets[due]
    if rules.packet_drawn:
        size = min(size, table.stock_most)
    written = ([] if rules.packet_drawn else table.packets[due]) or [UNKNOWN] * size
    threes = 0
    if rules.packet_threes == "at-once":
        threes = sum(rules.tabled[RANK[code]] for code in written)
    replaced = (UNKNOWN,) * min(threes, table.stock_most)
    return TakePacket(rules.packet_word, tuple(written), replaced)


def discards(table: Table) -> list[int]:
    """Return one card of each rank that the hand is known to hold, and UNKNOWN if one is unknown.

    The rest of a taken pile counts as part of the hand. Red threes come last.
    """
    held = held_cards(table)
    if table.waiting or table.rest_kept:
        held += pile_rest(table)
    # The card that was taken alone represents its rank only if the hand has no other one.
    only = table.taken.only if table.took else -1
    held.sort(key=lambda code: code == only)
    by_rank = {RANK[code]: code for code in reversed(held)}
    codes = sorted(by_rank.values(), key=lambda code: (RANK[code] == RED_THREE, RANK[code]))
    return codes + ([UNKNOWN] if free_cards(table, table.seat) else [])


def _ending(trial: Trial, actions: tuple[Action, ...]) -> Ending:
    return Ending(actions, trial.table.went_out, trial.table.out_concealed, trial.certain)
