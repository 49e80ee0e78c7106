"""The legal plays of a state: what the seat to play could do, each tried on a copy first.

A play is listed as legal only if a legal turn can continue from it. Cards of one rank (or threes of
one colour) are interchangeable: of plays that differ only in suits, one is listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations, product
from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    KIND,
    OF_RANK,
    RANK,
    RED_THREE,
    TWO,
    UNKNOWN_RANK,
    is_wild,
)
from canasta_notation.engine.actions import Action, Ask, Combine, Lay, LaySpecial
from canasta_notation.engine.back import raised
from canasta_notation.engine.hands import free_cards
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.packets import (
    PACKET_KEYS,
    packet_facts,
    packets_left,
    why_no_packet,
)
from canasta_notation.engine.side import (
    canasta_kind,
    dead_for,
    meld_kind,
    meld_places,
    meld_size,
    must_leave,
    opens_late,
    wilds_of,
)
from canasta_notation.engine.stock import late_threes
from canasta_notation.engine.table import AS_BOOL, NOT_KNOWN, OPEN, Table, copy_table
from canasta_notation.engine.turn import begin_turn, discards_plainly
from canasta_notation.fields import unchecked
from canasta_notation.search.able import as_refusal, find_takes, must_take, stock_over
from canasta_notation.search.ending import (
    cards_for_special,
    discards,
    find_ending,
    find_leavings,
    packet_after,
    planner_of,
)
from canasta_notation.search.found import (
    DiscardChoice,
    Ending,
    FoundPlays,
    GroupChoice,
    Refusal,
    SpecialChoice,
    StockChoice,
)
from canasta_notation.search.known_ends import KnownEnds
from canasta_notation.search.placed import PlacedPlanner
from canasta_notation.search.plans import Budget, Planner
from canasta_notation.search.trial import (
    MELDABLE,
    Trial,
    attempt,
    held_cards,
    make_discard,
    make_lay,
)

_make_group: Final = unchecked(GroupChoice)


def legal_starts(table: Table) -> FoundPlays:
    """Return how the seat that is due can begin its turn: draw, or take the pile and how.

    If the seat due is not known, or the deal has ended, nothing is listed. A refused way to take
    has the engine's first objection to the turn that comes closest to it.
    """
    if table.ended != OPEN or table.due < 0:
        return FoundPlays(table.due, begun=False, known=table.due >= 0)
    begun = copy_table(table)
    begin_turn(begun, table.due)
    threes = tuple(_kept_threes(begun))
    late = late_threes(begun, table.due) > 0
    if late and not (opens_late(begun) and _may_complete_special(begun)):
        known = not free_cards(begun, table.due)
        return FoundPlays(table.due, begun=False, threes=threes, must_table=True, known=known)
    budget = Budget()
    takes = tuple(find_takes(begun, budget))
    due = min(begun.rules.draw_count, begun.stock_most)
    refusal = None if due else Refusal("stock-empty", "", "draw", (("stock", 0),))
    must = AS_BOOL[must_take(table, table.due, budget)] if table.stock_fewest == 0 else False
    return FoundPlays(
        table.due,
        begun=False,
        stock=StockChoice(due, refusal, not late and (not due or begun.stock_fewest >= due), late),
        takes=takes,
        must_take=must,
        over=AS_BOOL[stock_over(table, budget)],
        threes=threes,
        known=not free_cards(begun, table.due),
        complete=budget.complete,
    )


def _may_complete_special(table: Table) -> bool:
    """Return whether one more card may make the hand a special hand."""
    if free_cards(table, table.seat):
        return True
    hand, rules = tuple(held_cards(table)), table.rules
    return any(
        special_points(rules.special, kind, (*hand, codes[0]))
        for codes in OF_RANK[BLACK_THREE:UNKNOWN_RANK]
        if not rules.tabled[RANK[codes[0]]]
        for kind in rules.special
    )


def _kept_threes(table: Table) -> Iterator[int]:
    """Yield the threes that are known to be in the hand of the seat whose turn it is."""
    for code in held_cards(table) if table.kept_threes[table.seat] else ():
        if table.rules.tabled[RANK[code]]:
            yield code


def legal_continuations(
    table: Table, ending: tuple[Action, ...] = (), *, ways_out: bool = True
) -> FoundPlays:
    """Return how the turn in progress can continue: groups, discards, asking, going out.

    Groups are listed by rank and by the number of naturals, twos and jokers. Only groups after
    which the meld has a legal shape, with the waiting top of a taken pile, are listed; so a meld
    laid piece by piece is one group. If a hand has unwritten cards, the written ones are tried;
    `certain` is False if the others decide. `ending` are actions that are known to end the turn
    legally: the first is always listed, even if the search does not find it. Without `ways_out`,
    only one way to go out is searched for, which is faster. Not checked: whether the seat could act
    on either answer of its partner.
    """
    if table.ended != OPEN or table.discarded >= 0:
        return FoundPlays(table.seat, begun=True)
    budget = Budget()
    planner = planner_of(table, budget)
    discarding: tuple[bool | None, ...] = (True, False) if ways_out else (None,)
    leavings = [
        next(find_leavings(table, discard=each, planner=planner), None) for each in discarding
    ]
    ends = _known_ends(planner, ending, stays=not any(leavings) and not budget.reached)
    groups = _with_known(table, [*_any_groups(planner, ends)], ending)
    combines = [*_combines(table, budget, leave=ends.leaves)]
    for action in ending[:1]:
        if isinstance(action, Combine) and (action.rank, action.onto) not in combines:
            combines.append((action.rank, action.onto))
    minimum = table.minimums[table.side]
    return FoundPlays(
        table.seat,
        begun=True,
        groups=tuple(groups),
        discards=tuple(_discards(table)),
        may_stop=(table.last_three or table.rules.last_kept) and attempt(table, ()).legal,
        ask=as_refusal(attempt(table, (Ask(False),), end=False).violation),
        minimum=None if table.opened_before or minimum == NOT_KNOWN else minimum,
        raised=raised(table, table.side),
        out=tuple(way for way in leavings if way is not None),
        specials=tuple(_specials(table)),
        combines=tuple(combines),
        dead=tuple(_dead(table)),
        packet=_no_packet(table),
        known=not free_cards(table, table.seat),
        complete=budget.complete,
    )


def canasta_groups(table: Table) -> Iterator[GroupChoice]:
    """Yield the groups of `legal_continuations` that complete a canasta of a rank without one."""
    if table.ended == OPEN and table.discarded < 0:
        planner = planner_of(table, Budget())
        yield from _any_groups(planner, _known_ends(planner, (), stays=False), CANASTA_SIZE)


# --- within a turn ------------------------------------------------------------------------------


def _known_ends(
    planner: Planner | PlacedPlanner, ending: tuple[Action, ...], *, stays: bool
) -> KnownEnds:
    held = _in_order(planner.hand)
    return KnownEnds(planner.table, planner.budget, held, ending, stays=stays)


def _any_groups(
    planner: Planner | PlacedPlanner, ends: KnownEnds, size: int = 0
) -> Iterator[GroupChoice]:
    """Yield the groups; with `size`, only those with which a smaller meld has as many cards."""
    if isinstance(planner, PlacedPlanner):
        yield from _placed_groups(planner, ends, size)
    else:
        yield from _groups(planner, ends, size)


def _with_known(
    table: Table, groups: list[GroupChoice], ending: tuple[Action, ...]
) -> list[GroupChoice]:
    """Return the groups with the one that begins a known ending, which is certain."""
    if not ending or not isinstance(ending[0], Lay):
        return groups
    lay = ending[0]
    kind = sorted(RANK[code] for code in lay.cards)
    for at, group in enumerate(groups):
        if group.rank == lay.rank and sorted(RANK[code] for code in group.cards) == kind:
            if not group.certain:
                groups[at] = _with_end(table, lay, ending)
            return groups
    return [*groups, _with_end(table, lay, ending)]


def _with_end(table: Table, lay: Lay, ending: tuple[Action, ...]) -> GroupChoice:
    after = attempt(table, (lay,), end=False).table
    return _as_group(table, after, lay, Ending(ending[1:], False, False, certain=True))


def _placed_groups(planner: PlacedPlanner, ends: KnownEnds, size: int) -> Iterator[GroupChoice]:
    """Yield one group for each place and number of cards of each kind; suits can decide here."""
    table, found = planner.table, set[tuple[int, ...]]()
    for place, cards in planner.groups():
        stands = meld_size(table, table.side, place)
        kind = place, *sorted(RANK[code] for code in cards)
        # The pile's top may be one more card.
        if kind in found or (size and not stands < size <= stands + len(cards) + 1):
            continue
        for group in _group(ends, place, cards):
            if group.size >= size:
                found.add(kind)
                yield group


def _in_order(hand: list[list[int]]) -> list[int]:
    """Return the cards of a hand in the order of `discards`."""
    return sorted(chain(*hand), key=lambda code: (RANK[code] == RED_THREE, RANK[code]))


def _groups(planner: Planner, ends: KnownEnds, size: int = 0) -> Iterator[GroupChoice]:
    """Yield the groups; with `size`, only those with which a smaller meld has as many cards."""
    table = planner.table
    twos, jokers = planner.hand[TWO], planner.hand[JOKER_RANK]
    for rank in (*MELDABLE, BLACK_THREE):
        naturals = [] if rank == JOKER_RANK else planner.hand[rank]
        stands = meld_size(table, table.side, rank)
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
                yield from _group(ends, rank, cards)


def _group(ends: KnownEnds, rank: int, cards: tuple[int, ...]) -> Iterator[GroupChoice]:
    """Yield the group if a legal turn continues. Not checked: the shape of its meld."""
    table, lay = ends.table, make_lay(rank, cards)
    plain = ends.plain_end(lay)
    if plain is not None:
        yield _plain_group(table, lay, plain)
        return
    if ends.none():
        return
    trial = _discarded(table, lay, ends.held)
    if trial is not None:
        ending = Ending((make_discard(trial.table.discarded),), False, False, trial.certain)
        yield _as_group(table, trial.table, lay, ending)
        return
    trial = attempt(table, (lay,), end=False)
    found = None if trial.violation is not None else ends.after(trial.table, lay)
    if found is not None:
        if not trial.certain:
            found = Ending((), False, False, certain=False)
        yield _as_group(table, trial.table, lay, found)


def _plain_group(table: Table, lay: Lay, discard: Action) -> GroupChoice:
    """Return a group of a side that has opened, after which a discard ends the turn."""
    side, wilds = table.side, sum([is_wild(code) for code in lay.cards])
    size = meld_size(table, side, lay.rank) + len(lay.cards)
    canasta = canasta_kind(table.rules, lay.rank, size, wilds_of(table, side, lay.rank) + wilds)
    naturals = len(lay.cards) - wilds
    return _make_group(lay.rank, lay.cards, naturals, wilds, size, canasta, None, True, (discard,))


def _as_group(table: Table, after: Table, lay: Lay, ending: Ending) -> GroupChoice:
    """Return a group that was laid; `after` is the table with it."""
    side, wilds = table.side, sum([is_wild(code) for code in lay.cards])
    size = meld_size(after, side, lay.rank)
    canasta = meld_kind(after, side, lay.rank)
    naturals = len(lay.cards) - wilds
    count = None if table.opened_before else after.count_most
    return _make_group(
        lay.rank, lay.cards, naturals, wilds, size, canasta, count, ending.certain, ending.actions
    )


def _discarded(table: Table, lay: Lay, held: list[int]) -> Trial | None:
    """Return the turn that ends with the first discard after a group, None if it is not legal.

    Most groups can be followed by a discard, and trying both at once takes half the time. Also
    returns None if cards are unwritten, or if the turn must not end with a discard.
    """
    if table.knowledge is not None or table.waiting or table.rest_kept or table.answer == "yes":
        return None
    if table.last_three:
        return None
    if lay.rank < table.rules.lowest_set or must_leave(table):
        return None
    if not table.opened_before:
        counted = table.count_most + sum(table.rules.card_points[code] for code in lay.cards)
        if counted < table.minimums[table.side]:
            return None
    left = held[:]
    for card in lay.cards:
        left.remove(card)
    if not left:
        return None
    trial = attempt(table, (lay, make_discard(left[0])))
    return trial if trial.legal else None


def _combines(table: Table, budget: Budget, *, leave: bool) -> Iterator[tuple[int, int]]:
    """Yield the melds of a rank that can be put together, if a legal turn continues from it.

    If the search does not decide that, they are not; a hand with unwritten cards decides nothing.
    """
    if not table.rules.combine:
        return
    for place, onto in permutations(meld_places(table, table.side), 2):
        if KIND[place] == KIND[onto] and FOUR <= KIND[place] <= ACE:
            trial = attempt(table, (Combine(place, onto),), end=False)
            if not trial.legal:
                continue
            budget.renew()
            ending = find_ending(trial.table, budget, leave=leave)
            if ending is not None and (ending.certain or free_cards(trial.table, table.seat)):
                yield place, onto


def _dead(table: Table) -> Iterator[int]:
    """Yield the ranks of the hand that are dead for the side."""
    for rank in sorted({RANK[code] for code in held_cards(table)}):
        if dead_for(table, table.side, rank) >= 0:
            yield rank


def _no_packet(table: Table) -> Refusal | None:
    """Return why an opening in this turn earns no packet, None if it does or there is none."""
    why = why_no_packet(table) if packets_left(table) else ""
    return (
        Refusal("packet", PACKET_KEYS[why], why, tuple(packet_facts(table).items()))
        if why
        else None
    )


def _discards(table: Table) -> Iterator[DiscardChoice]:
    for card in discards(table):
        if discards_plainly(table, card):
            yield DiscardChoice(card, None, False, (), True)
            continue
        trial = attempt(table, (make_discard(card),))
        packet = None if trial.legal else packet_after(table)
        if packet is not None:
            with_packet = attempt(table, (make_discard(card), packet))
            if with_packet.legal:
                yield DiscardChoice(card, None, False, packet.cards, with_packet.certain)
                continue
        refusal = as_refusal(trial.violation)
        yield DiscardChoice(card, refusal, trial.table.went_out, (), trial.certain)


def _specials(table: Table) -> Iterator[SpecialChoice]:
    if not table.rules.special or free_cards(table, table.seat):
        return
    cards = cards_for_special(table)
    special = table.rules.special
    worth = {kind: special_points(special, kind, cards) for kind in special}
    for kind, points in sorted(worth.items(), key=lambda each: -each[1]):
        if points and attempt(table, (LaySpecial(kind, cards),)).legal:
            yield SpecialChoice(kind, cards, points)
