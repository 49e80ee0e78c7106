"""How a random player plays if a side may have sequences or several melds of a rank.

It tries groups one after the other on a copy of the table, sequences before sets, and puts melds
together now and then. The engine judges each group, and the whole turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    JOKER_RANK,
    KIND,
    MELD_SIZE,
    RANK,
    SEQUENCE,
    TWO,
)
from canasta_notation.dealing import pick_up
from canasta_notation.engine.actions import Action, Ask, Combine, Discard, Lay, Take
from canasta_notation.engine.packets import awaits_empty_hand
from canasta_notation.engine.side import (
    extends_sequence,
    free_place,
    has_opened,
    joins_sequence,
    lacks_canastas,
    meld_places,
    meld_size,
    naturals_of,
    opening_met,
    touched,
    wilds_of,
)
from canasta_notation.engine.table import YES, Table, copy_table, top_of
from canasta_notation.engine.take import enter_waiting_rest, frozen_for
from canasta_notation.engine.turn import end_turn, has_asked
from canasta_notation.players.player import AfterTurn
from canasta_notation.players.random_turn import (
    RandomPlayer,
    could_open,
    discard_card,
    discard_only,
    end_with_discard,
    hand_by_rank,
    play_action,
)
from canasta_notation.search.placed import PlacedPlanner, top_groups
from canasta_notation.search.plans import Budget
from canasta_notation.search.trial import attempt

#: How often a player begins another meld of a rank, and puts two together, if it can.
_SECOND: Final = 0.5
_COMBINE: Final = 0.25
#: How often wild cards become a meld of their own instead of joining other melds.
_BOLIVIA: Final = 0.6


def could_take_placed(table: Table, seat: int) -> bool:
    """Return whether the hand or the melds may let a seat take the pile."""
    rules, side, top = table.rules, table.rules.side_of[seat], top_of(table)
    if rules.takes_freely:
        return True
    held = hand_by_rank(table, seat)
    kind = rules.set_of[RANK[top]]
    naturals, frozen = len(held[kind]), frozen_for(table, side) == YES
    has_wild = len(held[TWO]) + len(held[JOKER_RANK]) > 0
    if naturals > 1 or (naturals == 1 and rules.with_wild and has_wild and not frozen):
        held[kind].append(top)
        # Under rules with sequences, any card may be part of a meld that opens.
        everything = sum(rules.card_points[code] for cards in held for code in cards)
        by_sequences = rules.sequences and everything >= table.minimums[side]
        return has_opened(table, side) or by_sequences or could_open(table, side, held)
    if frozen:
        return False
    if rules.from_ace and rules.onto_sequence:
        return True
    if rules.onto_sequence and joins_sequence(table, side, top):
        return True
    return rules.onto_meld and any(KIND[place] == kind for place in meld_places(table, side))


def take_placed(player: RandomPlayer, play: Table) -> AfterTurn | None:
    """Take the pile; return the table after a turn that begins so, and its actions, or None."""
    rng, top = player.rng, top_of(play)
    count = play.pile_size if rng.random() < player.habits.claims else None
    if play.rules.takes_freely:
        table, actions = copy_table(play), list[Action]()
        play_action(table, actions, Take(top, count))
        return None if table.violations else _finish(player, table, actions)
    starts: list[list[Action]] = []
    kind = play.rules.set_of[RANK[top]]
    for place in meld_places(play, play.side):
        joins = KIND[place] == kind or (
            KIND[place] >= SEQUENCE and extends_sequence(play, play.side, place, top)
        )
        if joins:
            unnamed = place == kind and (rng.random() < 0.8 or place == BLACK_THREE)
            named = None if unnamed else place
            starts.append([Take(top, count, named)])
    held = hand_by_rank(play, play.seat)
    naturals, wilds = held[kind], [*held[TWO], *held[JOKER_RANK]]
    begun = attempt(play, (Take(top),), end=False).table
    if not begun.taken.melded:
        starts += [[Take(top, count), group] for group in top_groups(begun, naturals, wilds)]
    rng.shuffle(starts)
    starts.sort(key=lambda start: isinstance(start[0], Take) and (start[0].onto or 0) < SEQUENCE)
    for start in starts[:4]:
        table, actions = copy_table(play), list[Action]()
        for action in start:
            if not table.violations:
                play_action(table, actions, action)
        if table.violations or not table.taken.melded:
            continue
        if table.waiting and not _open(player, table, actions):
            continue
        done = _finish(player, table, actions)
        if done is not None:
            return done
    return None


def play_placed(player: RandomPlayer, play: Table) -> AfterTurn:
    """Return the table after the rest of a turn that began with a draw, and the actions."""
    rng, habits = player.rng, player.habits
    held = hand_by_rank(play, play.seat)
    opened = play.opened_before or (play.laid and opening_met(play))
    if opened and rng.random() < habits.out:
        done = _leave(player, play, [])
        if done is not None:
            return done
    melds = not player.lurking and rng.random() < (habits.meld if opened else habits.open)
    if melds and (opened or could_open(play, play.side, held)):
        table, actions = copy_table(play), list[Action]()
        if opened or _open(player, table, actions):
            done = _finish(player, table, actions)
            if done is not None:
                return done
    return discard_only(player, play, held)


def _open(player: RandomPlayer, table: Table, actions: list[Action]) -> bool:
    """Lay groups until the opening is met; return whether it is."""
    for _ in range(12):
        if opening_met(table) and not table.waiting and touched(table):
            return True
        options = [*_groups(player, table, spare=table.hand_sizes[table.seat])]
        if not options:
            return False
        play_action(table, actions, player.rng.choice(options[:3]))
    return False


def _finish(player: RandomPlayer, table: Table, actions: list[Action]) -> AfterTurn | None:
    """Go out, or meld more and discard; return the table after it, None if it is stuck."""
    if table.violations:
        return None
    if table.answer != "no" and player.rng.random() < player.habits.out:
        left = _leave(player, table, actions)
        if left is not None:
            return left
    for _ in range(20):
        keeps = 0 if awaits_empty_hand(table) else 1 if table.last_three else 2
        spare = table.hand_sizes[table.seat] - keeps
        options = [*_groups(player, table, spare=spare)]
        if not options or player.rng.random() > player.habits.meld:
            break
        play_action(table, actions, options[0])
        if table.rules.packet_on_canasta and player.rng.random() < player.habits.packet:
            pick_up(table, actions)
    return end_with_discard(player, table, actions)


def _leave(player: RandomPlayer, play: Table, before: list[Action]) -> AfterTurn | None:
    """Lay every card and go out; return the table after the turn, None if that is impossible."""
    rng, rules = player.rng, play.rules
    table, actions = copy_table(play), list(before)
    if rules.may_ask and not play.laid and not has_asked(play) and rng.random() < player.habits.ask:
        play_action(table, actions, Ask(True))
    for _ in range(40):
        options = [*_groups(player, table, spare=table.hand_sizes[table.seat], eager=True)]
        if not options:
            break
        play_action(table, actions, options[0])
    threes = hand_by_rank(table, table.seat)[BLACK_THREE] if rules.black_threes else []
    most = 0 if table.last_three else 1
    if rules.black_threes and len(threes) >= MELD_SIZE:
        play_action(table, actions, Lay(BLACK_THREE, tuple(threes)))
        most = 0 if rules.nothing_after_threes else most
    if table.rest_kept:
        enter_waiting_rest(table)
    if awaits_empty_hand(table):
        return None
    if table.violations or table.hand_sizes[table.seat] > most or lacks_canastas(table, table.side):
        return None
    if table.hand_sizes[table.seat]:
        held = hand_by_rank(table, table.seat)
        play_action(table, actions, Discard(discard_card(player, table, held)))
    end_turn(table, "")
    return (table, actions) if table.went_out and not table.violations else None


# --- what to lay ----------------------------------------------------------------------------------


def _groups(
    player: RandomPlayer, table: Table, *, spare: int, eager: bool = False
) -> Iterator[Action]:
    """Yield groups of at most `spare` cards, and melds to put together, that the engine allows.

    An `eager` player lays whatever it can. Preferred groups come first.
    """
    rng = player.rng
    held = hand_by_rank(table, table.seat)
    options: list[Action] = _runs(table, spare)
    if rng.random() < 0.7:
        rng.shuffle(options)
    sets = [*_sets(player, table, held, spare, eager=eager)]
    rng.shuffle(sets)
    options += sets
    if eager or rng.random() < player.habits.wilds:
        options += _wilds(player, table, held, spare)
    if rng.random() < _COMBINE:
        options = [*_combines(table), *options]
    for option in options:
        if attempt(table, (option,), end=False).legal:
            yield option


def _runs(table: Table, spare: int) -> list[Action]:
    """Return cards for sequences on the table, one by one, and new sequences, the longest first."""
    found = sorted(
        (not meld_size(table, table.side, place), KIND[place], place, -len(cards), cards)
        for place, cards in PlacedPlanner(table, Budget()).runs()
    )
    return [
        Lay(place, cards)
        for new, _, place, _, cards in found
        if len(cards) <= (spare if new else min(spare, 1))
    ]


def _sets(
    player: RandomPlayer, table: Table, held: list[list[int]], spare: int, *, eager: bool
) -> Iterator[Action]:
    """Yield groups of naturals for sets on the table and for new ones."""
    rng, side = player.rng, table.side
    for rank in range(table.rules.lowest_set, ACE + 1):
        cards = held[rank]
        if not table.rules.sets[rank]:
            continue
        if not cards or (not eager and rng.random() > player.habits.meld):
            continue
        standing = [place for place in meld_places(table, side) if KIND[place] == rank]
        free = free_place(table, side, rank)
        count = min(len(cards), spare)
        if standing and count > 0 and (count < MELD_SIZE or rng.random() > _SECOND):
            yield Lay(rng.choice(standing), tuple(cards[:count]))
        elif count >= MELD_SIZE and free >= 0:
            yield Lay(free, tuple(cards[:count]))
        elif count >= 2 and free >= 0 and not standing and spare > 2:
            wilds = held[TWO] + held[JOKER_RANK]
            if wilds and rng.random() < player.habits.wilds:
                yield Lay(free, (*cards[:2], rng.choice(wilds)))


def _wilds(
    player: RandomPlayer, table: Table, held: list[list[int]], spare: int
) -> Iterator[Action]:
    """Yield wild cards laid on sets, and melds of their own."""
    wilds = held[TWO] + held[JOKER_RANK]
    if not wilds or spare < 1:
        return
    player.rng.shuffle(wilds)
    rules, side = table.rules, table.side
    own: list[Action] = []
    if rules.all_wild:
        cap = rules.caps[JOKER_RANK]
        for place in meld_places(table, side):
            room = cap - meld_size(table, side, place)
            if KIND[place] == JOKER_RANK and room > 0:
                own.append(Lay(place, tuple(wilds[: min(room, spare)])))
        free = free_place(table, side, JOKER_RANK)
        if min(len(wilds), spare) >= MELD_SIZE and free >= 0:
            own.append(Lay(free, tuple(wilds[: min(cap, spare)])))
    sets: list[Action] = [
        Lay(place, (wilds[0],))
        for place in meld_places(table, side)
        if rules.lowest_set <= KIND[place] <= ACE
        and meld_size(table, side, place) < CANASTA_SIZE
        and wilds_of(table, side, place) < rules.max_wilds
        and naturals_of(table, side, place) > wilds_of(table, side, place) + rules.wild_margin
    ]
    first, second = (own, sets) if player.rng.random() < _BOLIVIA else (sets, own)
    yield from (*first, *second)


def _combines(table: Table) -> Iterator[Action]:
    """Yield pairs of sets of a rank that can be put together within the limit of wild cards."""
    places = meld_places(table, table.side) if table.rules.combine else []
    for place in places:
        for onto in places:
            wilds = wilds_of(table, table.side, place) + wilds_of(table, table.side, onto)
            if (
                place != onto
                and KIND[place] == KIND[onto] <= ACE
                and wilds <= table.rules.max_wilds
            ):
                yield Combine(place, onto)
