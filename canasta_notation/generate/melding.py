"""How a random player melds: its habits, how it opens, and what more it lays.

Choices are made by counting cards. The engine is asked about the shape of melds (`meld_holds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    OF_RANK,
    POINTS,
    RANK,
    RANK_POINTS,
    SEVEN,
    TWO,
)
from canasta_notation.engine.actions import Action, Lay
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.side import (
    meld_size,
    naturals_of,
    opening_met,
    splashed,
    touched,
    wilds_of,
)
from canasta_notation.engine.table import Table
from canasta_notation.engine.turn import perform
from canasta_notation.fields import unchecked
from canasta_notation.search.trial import meld_holds

#: The ranks whose melds may cost points until they are canastas.
_MUST_FINISH = (SEVEN, ACE, JOKER_RANK)
_lay: Final = unchecked(Lay)


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, from 0 to 1, a player does something that it could do.

    `take` the pile; `open` if it can; `meld` a rank that it could; put `wilds` on melds; go `out`,
    and `ask` first; `lurk` (lay nothing except to go out concealed); lay `special` hands; `keep` a
    three if allowed; take the `talon`; `freeze` the pile with a wild discard; discard with `care`
    what it needs least; show `prudence` (not begin, with few cards, a meld that costs points until
    it is finished). How often a deal is `slow` or has a `bias`, and a record has `claims`, `stock`
    and talon lines, or a `ruling`.
    """

    take: float = 0.8
    open: float = 0.85
    meld: float = 0.8
    wilds: float = 0.4
    out: float = 0.9
    ask: float = 0.2
    lurk: float = 0.1
    special: float = 0.9
    keep: float = 0.3
    talon: float = 0.9
    freeze: float = 0.04
    care: float = 0.8
    prudence: float = 0.9
    slow: float = 0.06
    bias: float = 0.35
    claims: float = 0.2
    stock: float = 0.5
    ruling: float = 0.004


class RandomPlayer:
    """A seat in one turn: its random choices and its habits.

    A `lurking` player lays nothing except to go out concealed. A `prudent` one begins no meld that
    it may not finish.
    """

    def __init__(self, rng: Random, habits: Habits, lurking: bool, prudent: bool) -> None:
        self.rng = rng
        self.habits = habits
        self.lurking = lurking
        self.prudent = prudent


# --- what to lay ----------------------------------------------------------------------------------


def opening_groups(
    player: RandomPlayer, table: Table, held: list[list[int]]
) -> dict[int, list[int]]:
    """Return groups that may reach the opening minimum, {} if none are found."""
    rng, rules = player.rng, table.rules
    wilds = held[JOKER_RANK] + held[TWO]
    if rng.random() < 0.5:
        wilds.reverse()
    side = table.side
    groups: dict[int, list[int]] = {}
    need = table.minimums[side] - table.count_most
    ranks = [rank for rank in range(FOUR, ACE + 1) if _begins(player, table, held, rank)]
    rng.shuffle(ranks)
    ranks.sort(key=lambda rank: len(held[rank]) < MELD_SIZE)
    melds_wilds = rules.all_wild and _begins(player, table, held, JOKER_RANK)
    if melds_wilds and len(wilds) >= MELD_SIZE and rng.random() < player.habits.wilds:
        groups[JOKER_RANK], wilds = wilds[:CANASTA_SIZE], wilds[CANASTA_SIZE:]
        need -= sum(POINTS[code] for code in groups[JOKER_RANK])
    for rank in ranks:
        if need <= 0 and rng.random() < 0.5:
            break
        cards = held[rank][: rules.max_cards]
        if rank in touched(table) or len(cards) >= MELD_SIZE:
            groups[rank] = list(cards)
        elif len(cards) == 2 and wilds and need > 0:
            if not _holds(table, rank, 2, 1):
                continue
            groups[rank] = [*cards, wilds.pop(0)]
        else:
            continue
        need -= sum(POINTS[code] for code in groups[rank])
    for rank in groups:
        while need > 0 and wilds and _takes_wild(table, rank, groups[rank]):
            groups[rank].append(wilds.pop(0))
            need -= POINTS[groups[rank][-1]]
    splash = any(len(cards) >= CANASTA_SIZE for cards in groups.values())
    return groups if need <= 0 or splash else {}


def _takes_wild(table: Table, rank: int, cards: list[int]) -> bool:
    if rank == JOKER_RANK:
        return False
    naturals = sum(RANK[code] == rank for code in cards)
    return _holds(table, rank, naturals, len(cards) - naturals + 1)


def _holds(table: Table, rank: int, naturals: int, wilds: int) -> bool:
    """Return whether a meld is legal with that many more cards in this turn."""
    here = table.laid_naturals[rank], table.laid_wilds[rank]
    if rank not in touched(table):
        here = 0, 0
    side = table.side
    stood = naturals_of(table, side, rank) - here[0], wilds_of(table, side, rank) - here[1]
    laid = here[0] + naturals, here[1] + wilds
    return meld_holds(table.rules, rank, stood, laid, table.opened_before)


def _begins(player: RandomPlayer, table: Table, held: list[list[int]], rank: int) -> bool:
    """Return whether to meld the rank: it is held, and likely to be finished if it must be."""
    cards = len(held[TWO]) + len(held[JOKER_RANK]) if rank == JOKER_RANK else len(held[rank])
    if not cards or rank not in _MUST_FINISH or not table.rules.score_unfinished:
        return cards > 0
    likely = meld_size(table, table.side, rank) > 0 or cards >= CANASTA_SIZE - 1
    return likely or not player.prudent


def more_groups(player: RandomPlayer, table: Table, held: list[list[int]]) -> dict[int, list[int]]:
    """Return groups that can be laid and the habits allow; a card to discard is kept."""
    rng, habits, rules = player.rng, player.habits, table.rules
    side = table.side
    spare = table.hand_sizes[table.seat] - 2 - table.kept_threes[table.seat]
    groups: dict[int, list[int]] = {}
    for rank in range(FOUR, ACE + 1):
        cards = held[rank]
        if (
            not cards
            or (not meld_size(table, side, rank) and len(cards) < 2)
            or rng.random() > habits.meld
        ):
            continue
        if not _begins(player, table, held, rank):
            continue
        count = min(len(cards), spare, rules.max_cards - meld_size(table, side, rank))
        if count > 0 and _holds(table, rank, count, 0):
            groups[rank] = cards[:count]
            spare -= count
    _add_wilds(player, table, held, groups, spare)
    return groups


def _add_wilds(
    player: RandomPlayer,
    table: Table,
    held: list[list[int]],
    groups: dict[int, list[int]],
    spare: int,
) -> None:
    rng = player.rng
    wilds = held[TWO] + held[JOKER_RANK]
    if not wilds or rng.random() > player.habits.wilds:
        return
    rng.shuffle(wilds)
    side = table.side
    size = meld_size(table, side, JOKER_RANK)
    melds_wilds = table.rules.all_wild and _begins(player, table, held, JOKER_RANK)
    if melds_wilds and (size or len(wilds) >= MELD_SIZE) and size < table.rules.max_cards:
        count = min(len(wilds), spare, table.rules.max_cards - size)
        if count > 0 and (size or count >= MELD_SIZE):
            groups[JOKER_RANK] = [wilds.pop() for _ in range(count)]
            spare -= count
    if 0 < size < CANASTA_SIZE:
        return
    ranks = [
        rank
        for rank in range(FOUR, ACE + 1)
        if meld_size(table, side, rank)
        or (len(held[rank]) > 1 and _begins(player, table, held, rank))
    ]
    rng.shuffle(ranks)
    for rank in ranks:
        while spare > 0 and wilds:
            cards = groups.get(rank, [])
            more = held[rank] if not cards and not meld_size(table, side, rank) else cards
            if len(more) + (0 if cards else 1) > spare and not cards:
                break
            if not _takes_wild(table, rank, more):
                break
            spare -= 1 if cards or meld_size(table, side, rank) else len(more) + 1
            groups[rank] = [*more, wilds.pop()]


def _clean(table: Table) -> bool:
    """Return whether a clean triple was laid in this turn: only naturals, or only wild cards."""
    return any(
        table.laid_naturals[rank] + table.laid_wilds[rank] >= MELD_SIZE
        and (rank == JOKER_RANK or not table.laid_wilds[rank])
        for rank in touched(table)
    )


def could_open(table: Table, side: int, held: list[list[int]]) -> bool:
    """Return whether these cards might open: a splash, or enough to count the minimum."""
    wild = [*held[TWO], *held[JOKER_RANK]]
    points = sum(POINTS[code] for code in wild)
    triple = len(wild) >= MELD_SIZE
    for rank in range(FOUR, ACE + 1):
        count = len(held[rank])
        if count >= CANASTA_SIZE:
            return True
        if count >= MELD_SIZE or (count == 2 and wild):
            points += count * RANK_POINTS[rank]
            triple = True
    return triple and points >= table.minimums[side]


def hand_by_rank(table: Table, seat: int) -> list[list[int]]:
    """Return the cards of a hand, by rank."""
    balance = hand_counts(table, seat)
    held: list[list[int]] = [[] for _ in OF_RANK]
    for code, count in enumerate(balance):
        if count == 1:
            held[RANK[code]].append(code)
        elif count:
            held[RANK[code]] += [code] * count
    return held


def play_action(play: Table, actions: list[Action], action: Action) -> None:
    """Play an action at a table and add it to the actions of the turn."""
    perform(play, action)
    actions.append(action)


def open_with(table: Table, actions: list[Action], groups: dict[int, list[int]]) -> bool:
    """Lay groups; return whether the opening is met by them."""
    lay_groups(table, actions, groups)
    return (
        not table.violations
        and opening_met(table)
        and not table.waiting
        and (not table.rules.clean_triple or splashed(table) or _clean(table))
    )


def lay_groups(table: Table, actions: list[Action], groups: dict[int, list[int]]) -> None:
    """Lay groups at a table, until one of them is illegal."""
    for rank in sorted(groups):
        if not table.violations:
            lay_group(table, actions, rank, groups[rank])


def lay_group(play: Table, actions: list[Action], rank: int, cards: list[int]) -> None:
    """Lay a group at a table and add it to the actions of the turn."""
    play_action(play, actions, _lay(rank, tuple(cards)))
