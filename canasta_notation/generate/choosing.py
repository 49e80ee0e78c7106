"""How a random player chooses the plays of a turn.

Choices are made by counting cards. The engine is asked about melds (`meld_holds`), and every turn
that is more than a draw and a discard is first tried on a copy of the table.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    CODES,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RED_THREE,
    TWO,
)
from canasta_notation.engine.actions import Action, Ask, Discard, LaySpecial, Take, TakeTalon
from canasta_notation.engine.discard import talon_due
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.side import has_opened, meld_size
from canasta_notation.engine.table import YES, Table, copy_table, top_of
from canasta_notation.engine.take import frozen_for, take
from canasta_notation.engine.turn import end_turn, has_asked
from canasta_notation.fields import unchecked
from canasta_notation.generate.melding import (
    RandomPlayer,
    could_open,
    hand_by_rank,
    lay_group,
    lay_groups,
    more_groups,
    open_with,
    opening_groups,
    play_action,
)
from canasta_notation.search.ending import find_leavings
from canasta_notation.search.trial import attempt

_discard: Final = unchecked(Discard)
_take: Final = unchecked(Take)
#: The table after a turn, and the actions of the turn.
_Turn = tuple[Table, list[Action]]


def take_pile(player: RandomPlayer, play: Table) -> _Turn | None:
    """Take the pile; return the table after a turn that begins so, and its actions, or None.

    `play` is the caller's own copy: it keeps the take, whatever is returned.
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
        if not table.top_melded and not _meld_top(player, table, actions):
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
    rank = RANK[table.top]
    held = hand_by_rank(table, table.seat)
    naturals = held[rank]
    wilds = held[TWO] + held[JOKER_RANK]
    cards = naturals[: player.rng.choice((2, len(naturals)))]
    with_wild = table.rules.with_wild and table.taken_frozen != YES
    if wilds and naturals and with_wild and player.rng.random() < player.habits.wilds:
        cards = [naturals[0], player.rng.choice(wilds)]
    if len(naturals) < 2:
        cards = naturals + wilds[:1] if with_wild else []
    if len(cards) < 2:
        return False
    lay_group(table, actions, rank, cards)
    return not table.violations


def play_on(player: RandomPlayer, play: Table) -> _Turn:
    """Return the table after the rest of a turn that began with a draw, and the actions."""
    rng, habits = player.rng, player.habits
    held = hand_by_rank(play, play.seat)
    if play.rules.special and not has_opened(play, play.side):
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
    return _discard_only(player, play, held)


def _meld(player: RandomPlayer, play: Table, held: list[list[int]]) -> _Turn | None:
    """Open, or lay more; return the table after the turn, or None if nothing is laid."""
    if play.opened_before:
        groups = more_groups(player, play, held)
        if not groups:
            return None
        table, actions = copy_table(play), list[Action]()
        lay_groups(table, actions, groups)
        return _end(player, table, actions)
    for _ in range(2 if could_open(play, play.side, held) else 0):
        groups = opening_groups(player, play, held)
        if not groups:
            continue
        table, actions = copy_table(play), list[Action]()
        done = _finish(player, table, actions) if open_with(table, actions, groups) else None
        if done is not None:
            return done
    return None


def _discard_only(player: RandomPlayer, play: Table, held: list[list[int]]) -> _Turn:
    actions: list[Action] = []
    rules = play.rules
    asks = rules.may_ask and player.rng.random() < player.habits.ask / 20
    if asks and not has_asked(play):
        play_action(play, actions, Ask(False))
    play_action(play, actions, _discard(_card(player, play, held)))
    end_turn(play, "")
    return play, actions


# --- going out ------------------------------------------------------------------------------


def _leave(player: RandomPlayer, play: Table, before: list[Action]) -> _Turn | None:
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


def _special(player: RandomPlayer, play: Table, held: list[list[int]]) -> _Turn | None:
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


def _finish(player: RandomPlayer, table: Table, actions: list[Action]) -> _Turn | None:
    """Go out, or meld more and discard; return the table after it, None if it is stuck."""
    if table.violations:
        return None
    held = hand_by_rank(table, table.seat)
    if table.answer != "no" and _may_leave(table, held) and player.rng.random() < player.habits.out:
        left = _leave(player, table, actions)
        if left is not None:
            return left
    lay_groups(table, actions, more_groups(player, table, held))
    return _end(player, table, actions)


def _end(player: RandomPlayer, table: Table, actions: list[Action]) -> _Turn | None:
    """Discard, and take a talon; return the table after the turn, None if it is stuck."""
    if table.violations or table.hand_sizes[table.seat] == 0:
        return None
    card = _card(player, table, hand_by_rank(table, table.seat))
    play_action(table, actions, _discard(card))
    due = talon_due(table)
    last = table.hand_sizes[table.seat] == 0
    if due >= 0 and (last or player.rng.random() < player.habits.talon):
        play_action(table, actions, TakeTalon(tuple(table.talons[due])))
    end_turn(table, "")
    return None if table.violations else (table, actions)


# --- discarding -----------------------------------------------------------------------------


def _card(player: RandomPlayer, play: Table, held: list[list[int]]) -> int:
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
        others = wild or held[BLACK_THREE] or held[RED_THREE]
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
    plain = play.rules.plain_discard[card] != 0
    return plain or attempt(play, (Discard(card),), end=False).legal


def _may_leave(play: Table, held: list[list[int]]) -> bool:
    """Return whether to search for a way to go out.

    At most one card of the hand may be left that fits no meld.
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
