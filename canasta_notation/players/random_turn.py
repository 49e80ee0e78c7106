"""How a random player chooses the plays of a turn: its habits, how it opens, what more it lays.

Choices are made by counting cards. The engine judges melds (`meld_holds`), and every turn that is
more than a draw and a discard is first tried on a copy of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    OF_RANK,
    RANK,
    RED_THREE,
    SEVEN,
    TWO,
)
from canasta_notation.dealing import pick_up, take_due
from canasta_notation.engine.actions import Action, Ask, Discard, Lay, LaySpecial, Take, TakeBack
from canasta_notation.engine.discard import is_plain
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.packets import awaits_empty_hand, packet_due
from canasta_notation.engine.side import (
    bars_wilds,
    dead_for,
    has_opened,
    meld_size,
    naturals_of,
    opening_met,
    opens_late,
    touched,
    wilds_of,
)
from canasta_notation.engine.table import YES, Table, copy_table, top_of
from canasta_notation.engine.take import enter_waiting_rest, frozen_for, take
from canasta_notation.engine.turn import end_turn, has_asked, has_clean_triple, perform
from canasta_notation.fields import unchecked
from canasta_notation.players.player import AfterTurn
from canasta_notation.search.ending import find_leavings
from canasta_notation.search.trial import attempt, meld_holds

#: The ranks whose melds may cost points until they are canastas.
_MUST_FINISH = (SEVEN, ACE, JOKER_RANK)
_lay: Final = unchecked(Lay)
_discard: Final = unchecked(Discard)
_take: Final = unchecked(Take)


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, from 0 to 1, a player does something that it could do.

    `take` the pile; `open` if it can; `meld` a rank that it could; put `wilds` on melds; go `out`,
    and `ask` first; `lurk` (lay nothing except to go out concealed); lay `special` hands; `keep` a
    three if allowed; take the `packet`; `freeze` the pile with a wild discard; discard with `care`
    what it needs least; show `prudence` (not begin, with few cards, a meld that costs points until
    it is finished); be `rash`: open too low and take it back, if the rules have a price for that.
    How often a deal is `slow` or has a `bias`, and a record has `claims`, `stock` and packet lines,
    a `ruling` or a `bonus`.
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
    packet: float = 0.9
    freeze: float = 0.04
    care: float = 0.8
    prudence: float = 0.9
    rash: float = 0.2
    slow: float = 0.06
    bias: float = 0.35
    claims: float = 0.2
    stock: float = 0.5
    ruling: float = 0.004
    bonus: float = 0.002


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
        need -= sum(rules.card_points[code] for code in groups[JOKER_RANK])
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
        need -= sum(rules.card_points[code] for code in groups[rank])
    for rank in groups:
        while need > 0 and wilds and _takes_wild(table, rank, groups[rank]):
            groups[rank].append(wilds.pop(0))
            need -= rules.card_points[groups[rank][-1]]
    splash = any(len(cards) >= CANASTA_SIZE for cards in groups.values())
    return groups if need <= 0 or splash else {}


def _takes_wild(table: Table, rank: int, cards: list[int]) -> bool:
    if rank == JOKER_RANK:
        return False
    naturals = sum(RANK[code] == rank for code in cards)
    return _holds(table, rank, naturals, len(cards) - naturals + 1)


def _holds(table: Table, rank: int, naturals: int, wilds: int) -> bool:
    """Return whether a meld is legal with that many more cards in this turn."""
    if dead_for(table, table.side, rank) >= 0:
        return False
    if bars_wilds(table, rank) and wilds:
        return False
    here = table.laid_naturals[rank], table.laid_wilds[rank]
    if rank not in touched(table):
        here = 0, 0
    side = table.side
    stood = naturals_of(table, side, rank) - here[0], wilds_of(table, side, rank) - here[1]
    laid = here[0] + naturals, here[1] + wilds
    return meld_holds(table.rules, rank, stood, laid, table.opened_before)


def _begins(player: RandomPlayer, table: Table, held: list[list[int]], rank: int) -> bool:
    """Return whether to meld the rank: it is held, and likely to become a canasta if it must."""
    if dead_for(table, table.side, rank) >= 0:
        return False
    cards = len(held[TWO]) + len(held[JOKER_RANK]) if rank == JOKER_RANK else len(held[rank])
    if not cards or rank not in _MUST_FINISH or not table.rules.score_unfinished:
        return cards > 0
    likely = meld_size(table, table.side, rank) > 0 or cards >= CANASTA_SIZE - 1
    return likely or not player.prudent


def more_groups(player: RandomPlayer, table: Table, held: list[list[int]]) -> dict[int, list[int]]:
    """Return groups that can be laid and that the habits allow; a card to discard is kept."""
    rng, habits, rules = player.rng, player.habits, table.rules
    side = table.side
    spare = table.hand_sizes[table.seat] - 2 - table.kept_threes[table.seat]
    spare += 2 if awaits_empty_hand(table) else 0
    spare += table.last_three
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


def could_open(table: Table, side: int, held: list[list[int]]) -> bool:
    """Return whether these cards might open: a splash, or enough to count the minimum."""
    wild = [*held[TWO], *held[JOKER_RANK]]
    points = sum(table.rules.card_points[code] for code in wild)
    counts = table.rules.wild_triple or not table.rules.clean_triple
    triple = counts and len(wild) >= MELD_SIZE
    for rank in range(FOUR, ACE + 1):
        count = len(held[rank])
        if count >= CANASTA_SIZE:
            return True
        if count >= MELD_SIZE or (count == 2 and wild):
            points += count * table.rules.rank_points[rank]
            triple = True
    return triple and points >= table.minimums[side]


def taken_back(player: RandomPlayer, table: Table) -> TakeBack | None:
    """Return melds of the hand that are too low for an opening, laid and taken back, or None."""
    if table.opened_before or not table.rules.opening_raise:
        return None
    if player.rng.random() >= player.habits.rash:
        return None
    held = hand_by_rank(table, table.seat)
    melds = [cards for cards in held[FOUR : ACE + 1] if len(cards) >= MELD_SIZE]
    cards = tuple(code for meld in melds for code in meld)
    points = sum(table.rules.card_points[code] for code in cards)
    if not cards or points >= table.minimums[table.side]:
        return None
    return TakeBack(cards)


def hand_by_rank(table: Table, seat: int) -> list[list[int]]:
    """Return the cards of a hand, by rank."""
    balance = hand_counts(table, seat)
    held: list[list[int]] = [[] for _ in OF_RANK]
    set_of = table.rules.set_of
    for code, count in enumerate(balance):
        if count == 1:
            held[set_of[RANK[code]]].append(code)
        elif count:
            held[set_of[RANK[code]]] += [code] * count
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
        and (not table.rules.clean_triple or has_clean_triple(table))
    )


def lay_groups(table: Table, actions: list[Action], groups: dict[int, list[int]]) -> None:
    """Lay groups at a table, until one of them is illegal."""
    for rank in sorted(groups):
        if not table.violations:
            lay_group(table, actions, rank, groups[rank])


def lay_group(play: Table, actions: list[Action], rank: int, cards: list[int]) -> None:
    """Lay a group at a table and add it to the actions of the turn."""
    play_action(play, actions, _lay(rank, tuple(cards)))


def take_pile(player: RandomPlayer, play: Table) -> AfterTurn | None:
    """Take the pile; return the table after a turn that begins so, and its actions, or None.

    `play` is the caller's own copy; it contains the take even if None is returned.
    """
    top, size = top_of(play), play.pile_size
    take(play, play.seat, top, None)
    if play.violations:
        return None
    count = size if player.rng.random() < player.habits.claims else None
    for _ in range(3):
        table, actions = copy_table(play), list[Action]()
        actions.append(_take(top, count))
        _ask_first(player, table, actions)
        if not table.taken.melded and not _meld_top(player, table, actions):
            continue
        if not table.opened_before and table.waiting:
            groups = opening_groups(player, table, hand_by_rank(table, table.seat))
            if not groups or not open_with(table, actions, groups):
                continue
        done = _finish(player, table, actions)
        if done is not None:
            return done
    return None


def _ask_first(player: RandomPlayer, table: Table, actions: list[Action]) -> None:
    """Sometimes ask the partner for permission to go out, before a group is laid."""
    rng, rules = player.rng, table.rules
    if not rules.may_ask or rules.ask_when == "after-stock" or not table.took:
        return
    if has_asked(table):
        return
    if rng.random() < player.habits.ask / 2:
        play_action(table, actions, Ask(rng.random() < 0.5))


def _meld_top(player: RandomPlayer, table: Table, actions: list[Action]) -> bool:
    """Meld the waiting top with cards of the hand; return whether it could be."""
    rank = RANK[table.taken.top]
    held = hand_by_rank(table, table.seat)
    naturals = held[rank]
    wilds = held[TWO] + held[JOKER_RANK]
    cards = naturals[: player.rng.choice((2, len(naturals)))]
    with_wild = table.rules.with_wild and table.taken.frozen != YES
    if wilds and naturals and with_wild and player.rng.random() < player.habits.wilds:
        cards = [naturals[0], player.rng.choice(wilds)]
    if len(naturals) < 2:
        cards = naturals + wilds[:1] if with_wild else []
    if len(cards) < 2:
        return False
    lay_group(table, actions, rank, cards)
    return not table.violations


def play_on(player: RandomPlayer, play: Table) -> AfterTurn:
    """Return the table after the rest of a turn that began with a draw, and the actions."""
    rng, habits = player.rng, player.habits
    held = hand_by_rank(play, play.seat)
    if play.rules.special and (opens_late(play) or not has_opened(play, play.side)):
        done = _special(player, play, held)
        if done is not None:
            return done
    if _may_leave(play, held) and rng.random() < habits.out:
        done = _leave(player, play, [])
        if done is not None:
            return done
    melds = not player.lurking and rng.random() < (
        habits.meld if play.opened_before else habits.open
    )
    if melds:
        done = _meld(player, play, held)
        if done is not None:
            return done
    return discard_only(player, play, held)


def _meld(player: RandomPlayer, play: Table, held: list[list[int]]) -> AfterTurn | None:
    """Open, or lay more; return the table after the turn, or None if nothing is laid."""
    if play.opened_before:
        groups = more_groups(player, play, held)
        if not groups:
            return None
        table, actions = copy_table(play), list[Action]()
        lay_groups(table, actions, groups)
        return end_with_discard(player, table, actions)
    for _ in range(2 if could_open(play, play.side, held) else 0):
        groups = opening_groups(player, play, held)
        if not groups:
            continue
        table, actions = copy_table(play), list[Action]()
        done = _finish(player, table, actions) if open_with(table, actions, groups) else None
        if done is not None:
            return done
    return None


def discard_only(player: RandomPlayer, play: Table, held: list[list[int]]) -> AfterTurn:
    actions: list[Action] = []
    rules = play.rules
    asks = rules.may_ask and player.rng.random() < player.habits.ask / 20
    if asks and not has_asked(play):
        play_action(play, actions, Ask(False))
    if not play.last_three:
        play_action(play, actions, _discard(discard_card(player, play, held)))
    end_turn(play, "")
    return play, actions


# --- going out ------------------------------------------------------------------------------


def _leave(player: RandomPlayer, play: Table, before: list[Action]) -> AfterTurn | None:
    """Go out, or ask and be refused; return the table after the turn, or None."""
    rng, rules = player.rng, play.rules
    ways = list(find_leavings(play))
    if not ways:
        return None
    way = rng.choice(ways)
    table, actions = copy_table(play), list(before)
    asks = rules.may_ask and rng.random() < player.habits.ask and not play.laid
    if rules.ask_when == "after-stock" and not play.drew:
        asks = False
    if asks and not play.answer and not has_asked(play):
        yes = rng.random() < 0.6
        play_action(table, actions, Ask(yes))
        if not yes:
            return _finish(player, table, actions)
    for action in way.actions:
        play_action(table, actions, action)
    end_turn(table, "")
    return None if table.violations else (table, actions)


def _special(player: RandomPlayer, play: Table, held: list[list[int]]) -> AfterTurn | None:
    """Lay a special hand; return the table after it, or None if there is none."""
    cards = tuple(code for codes in held for code in codes)
    rules = play.rules
    kinds = [kind for kind in rules.special if special_points(rules.special, kind, cards)]
    if not kinds or play.laid or play.took or player.rng.random() >= player.habits.special:
        return None
    table, actions = copy_table(play), list[Action]()
    play_action(table, actions, LaySpecial(kinds[0], cards))
    end_turn(table, "")
    return None if table.violations else (table, actions)


def _finish(player: RandomPlayer, table: Table, actions: list[Action]) -> AfterTurn | None:
    """Go out, or meld more and discard; return the table after it, None if it is stuck."""
    if table.violations:
        return None
    held = hand_by_rank(table, table.seat)
    if table.answer != "no" and _may_leave(table, held) and player.rng.random() < player.habits.out:
        left = _leave(player, table, actions)
        if left is not None:
            return left
    lay_groups(table, actions, more_groups(player, table, held))
    return end_with_discard(player, table, actions)


def end_with_discard(player: RandomPlayer, table: Table, actions: list[Action]) -> AfterTurn | None:
    """Discard if it is due, and take a packet; return the table after it, None if it is stuck."""
    if table.last_three:
        end_turn(table, "")
        return None if table.violations else (table, actions)
    if table.rest_kept:
        enter_waiting_rest(table)
    picked = not table.violations and _picks_up(player, table) and pick_up(table, actions)
    if picked and table.rules.packet_waits:
        end_turn(table, "")
        return None if table.violations else (table, actions)
    if table.violations or table.hand_sizes[table.seat] == 0:
        return None
    card = discard_card(player, table, hand_by_rank(table, table.seat))
    play_action(table, actions, _discard(card))
    last = table.hand_sizes[table.seat] == 0
    due = not table.violations and packet_due(table) >= 0
    if due and (last or player.rng.random() < player.habits.packet):
        take_due(table, actions)
    end_turn(table, "")
    return None if table.violations else (table, actions)


def _picks_up(player: RandomPlayer, table: Table) -> bool:
    """Return whether a player picks up a packet that it gets: always, unless it may leave it."""
    if not table.rules.packet_on_canasta or table.hand_sizes[table.seat] < 2:
        return True
    return player.rng.random() < player.habits.packet


# --- discarding -----------------------------------------------------------------------------


def discard_card(player: RandomPlayer, play: Table, held: list[list[int]]) -> int:
    """Return a card to discard, one that the engine allows if the hand has any."""
    rng, rules = player.rng, play.rules
    kept = (RED_THREE, BLACK_THREE) if rules.black_tabled else (RED_THREE,)
    wild = [*held[TWO], *held[JOKER_RANK]]
    ranks = [
        rank
        for rank in range(BLACK_THREE, TWO)
        if held[rank] and rank not in kept and _may_discard(play, held[rank][0])
    ]
    others = _loose(player, play, held, ranks)
    if not others:
        threes = held[BLACK_THREE] or held[RED_THREE]
        others = threes if rules.bans and rules.threes_held else wild or threes
        others = others or wild
        others = others or [code for cards in held for code in cards]
    elif not rules.bans and wild and rng.random() < player.habits.freeze:
        others = [code for code in wild if _may_discard(play, code)] or others
    return others[int(rng.random() * len(others))]


def _loose(player: RandomPlayer, play: Table, held: list[list[int]], ranks: list[int]) -> list[int]:
    """Return the cards of the ranks; a careful player returns those that are needed least."""
    if ranks and player.rng.random() < player.habits.care:
        known, fewest = ranks, CODES
        for rank in known:
            size = len(held[rank]) + meld_size(play, play.side, rank)
            if size < fewest:
                fewest, ranks = size, []
            if size == fewest:
                ranks.append(rank)
    return [code for rank in ranks for code in held[rank]]


def could_take(table: Table, seat: int) -> bool:
    """Return whether the hand has the cards to meld the top of the pile, and might open with it."""
    rules, side, rank = table.rules, table.rules.side_of[seat], RANK[top_of(table)]
    frozen = frozen_for(table, side) == YES
    if rules.onto_meld and not frozen and meld_size(table, side, rank):
        return True
    held = hand_by_rank(table, seat)
    wilds = rules.with_wild and not frozen and (held[TWO] or held[JOKER_RANK])
    if len(held[rank]) + bool(wilds) < MELD_SIZE - 1 or not held[rank]:
        return False
    held[rank].append(top_of(table))
    return has_opened(table, side) or could_open(table, side, held)


def _may_discard(play: Table, card: int) -> bool:
    """Return whether the engine allows the discard of a card of the hand."""
    return is_plain(play, card) or attempt(play, (Discard(card),), end=False).legal


def _may_leave(play: Table, held: list[list[int]]) -> bool:
    """Return whether to search for a way to go out.

    At most one card that fits no meld may be left in the hand.
    """
    side = play.side
    if held[RED_THREE] or (play.rules.black_tabled and held[BLACK_THREE]):
        return False
    wilds = len(held[TWO]) + len(held[JOKER_RANK])
    loose = canastas = 0
    for rank in range(BLACK_THREE, ACE + 1):
        cards, size = len(held[rank]), meld_size(play, side, rank)
        if cards and not size and cards < MELD_SIZE:
            loose += 1 if cards == 1 or wilds else cards
            wilds -= cards == 2
            if loose > 1:
                return False
        canastas += size + cards + max(wilds, 0) >= CANASTA_SIZE
    canastas += meld_size(play, side, JOKER_RANK) + wilds >= CANASTA_SIZE
    return canastas >= play.rules.out_canastas
