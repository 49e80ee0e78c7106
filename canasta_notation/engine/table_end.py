"""The table at the end of a deal: what is shown there, held against what the play has left.

A line shows the melds or the threes of a side, or a hand. What it shows becomes known: each
function puts it in the place of cards that the play did not name. Where it cannot be true the
function violates `end-melds`, `end-threes`, `end-hand` or `deck-count`, and the table is of no
further use: callers try a line on a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    EXACT,
    FIRST_OF,
    JOKER,
    MELD_SIZE,
    OF_RANK,
    POINTS,
    RANK,
    RED_THREE,
    TWO,
    UNKNOWN,
    UNKNOWN_RANK,
)
from canasta_notation.engine.account import account, agree, overcount, overdraw
from canasta_notation.engine.hand import Deck, Hand
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import Side
from canasta_notation.engine.table import Table
from canasta_notation.engine.violations import violate

#: The cards of a side's melds by rank, as far as they are named.
Melds = Mapping[int, Sequence[int]]


def pair(cards: Iterable[int], others: Iterable[int]) -> tuple[list[int], list[int], list[int]]:
    """Pair two spellings of cards that can be the same ones, as many as can be.

    Returns the pairs, each as the more exact of its spellings, then what is left of either.
    """
    left, rest, pairs = sorted(cards), sorted(others), []
    # First what is spelled exactly alike; a rank alone goes to a suit before it goes to its like.
    for fits in (_same_card, _same_rank, _alike, agree):
        unpaired = []
        for code in left:
            found = next((at for at, other in enumerate(rest) if fits(code, other)), -1)
            if found < 0:
                unpaired.append(code)
            else:
                pairs.append(min(code, rest.pop(found)))
        left = unpaired
    return sorted(pairs), left, rest


def _same_card(code: int, other: int) -> bool:
    return code == other and bool(EXACT[code])


def _same_rank(code: int, other: int) -> bool:
    return code != other and UNKNOWN not in (code, other) and agree(code, other)


def _alike(code: int, other: int) -> bool:
    return code == other != UNKNOWN


def show_melds(table: Table, at: int, shown: Melds, played: Melds) -> dict[int, list[int]]:
    """Show the melds of a side; `played` are the cards that the play has laid there.

    Returns the cards of each meld as both name them. Violates `end-melds`.
    """
    side = table.sides[at]
    melds = {}
    for rank in sorted({*shown, *played}):
        cards = shown.get(rank, ())
        if len(cards) != side.sizes[rank]:
            violate(
                table,
                "end-melds",
                "number",
                side=at,
                meld=rank,
                cards=len(cards),
                held=side.sizes[rank],
            )
            continue
        pairs, missing, strange = pair(played.get(rank, ()), cards)
        if strange:
            violate(
                table, "end-melds", "card", side=at, meld=rank, card=strange[0], card_due=missing[0]
            )
            continue
        melds[rank] = pairs
        if side.strangers[rank]:
            _name_melded(side, rank, pairs)
            _judge_shape(table, at, rank)
    return melds


def _name_melded(side: Side, rank: int, cards: list[int]) -> None:
    """Count the cards of a meld again, now that some are named that were not."""
    jokers = cards.count(JOKER)
    twos = sum(RANK[code] == TWO for code in cards)
    strangers = cards.count(UNKNOWN)
    side.jokers[rank], side.twos[rank], side.strangers[rank] = jokers, twos, strangers
    side.naturals[rank] = len(cards) - jokers - twos - strangers
    side.points[rank] = sum(POINTS[code] for code in cards)


def _judge_shape(table: Table, at: int, rank: int) -> None:
    """Judge a meld of which the play left open what it is made of."""
    side, rules = table.sides[at], table.rules
    naturals, wilds = side.naturals[rank] + side.strangers[rank], side.wilds(rank)
    if rank >= TWO or side.sizes[rank] < MELD_SIZE:
        return
    if naturals < rules.min_naturals:
        message, key, count = "naturals", "meld.min_naturals", naturals
    elif wilds > rules.max_wilds:
        message, key, count = "wilds", "meld.max_wilds", wilds
    elif wilds > naturals and not rules.may_outnumber:
        message, key, count = "wilds", "meld.wilds_may_outnumber", wilds
    else:
        return
    violate(table, "end-melds", message, key, side=at, meld=rank, count=count)


def show_threes(table: Table, at: int, cards: Sequence[int]) -> None:
    """Show the threes that a side has tabled, which are all; violates `end-threes`."""
    side = table.sides[at]
    strange = [code for code in cards if not is_tabled(table.rules, code)]
    if strange:
        violate(table, "end-threes", "card", side=at, card=strange[0])
        return
    pairs, missing, more = pair(side.threes, cards)
    if missing and more:
        for seat in range(table.rules.players):
            if table.rules.side_of[seat] == at:
                _exchange_kept(table, seat, missing, more)
        pairs, missing, more = pair(side.threes, cards)
    if len(missing) > side.threes_less or (more and not side.threes_open):
        tabled = len(side.threes)
        message = "number" if tabled != len(cards) else "other"
        violate(table, "end-threes", message, side=at, cards=len(cards), tabled=tabled)
        return
    if missing and table.perhaps_over and table.rules.side_of[table.seat] == at:
        table.hands[table.seat].add(missing[-1])
    for code in more:
        account(table, code)
    side.threes = [*pairs, *more]
    side.threes_open = False
    side.threes_less = 0


def _exchange_kept(table: Table, seat: int, tabled: list[int], kept: list[int]) -> None:
    """Exchange the three that a seat kept with one of its colour that it tabled.

    No text says which of two such threes stays in a hand that was dealt both, so that a three
    of `kept` may be the one that lies on the table, and one of `tabled` the one in the hand.
    """
    hand = table.hands[seat]
    threes = table.sides[table.rules.side_of[seat]].threes
    for code in kept:
        for other in tabled:
            alike = hand.threes and RANK[code] == RANK[other]
            if alike and hand.balance[code] > 0 and other in threes:
                hand.balance[code] -= 1
                hand.balance[other] += 1
                threes[threes.index(other)] = code
                return


def is_tabled(rules: Rules, code: int) -> bool:
    """Return whether a card can be one that is tabled: a three, or one that may be."""
    return bool(rules.tabled[RANK[code]]) or (code == UNKNOWN and rules.black_tabled)


def show_hand(
    table: Table, seat: int, cards: Sequence[int], *, rest_unknown: bool, threes_shown: bool
) -> None:
    """Show what is left in a hand, which arrived there and never went.

    `rest_unknown` leaves cards besides open; `threes_shown` says that a line shows the threes that
    the side has tabled. Violates `end-hand`, `deck-count`.
    """
    hand = table.hands[seat]
    if hand.threes and not threes_shown:
        threes = (*OF_RANK[RED_THREE], *OF_RANK[BLACK_THREE])
        kept = [code for code in threes if hand.balance[code] > 0]
        _exchange_kept(table, seat, [code for code in cards if code not in kept], kept)
    if len(cards) > hand.size + hand.slack:
        _keep_last_three(table, seat, cards)
    most = hand.size + hand.slack
    if len(cards) > most or (not rest_unknown and len(cards) < hand.size):
        message = "more" if rest_unknown else "number"
        violate(table, "end-hand", message, seat=seat, cards=len(cards), held=hand.size)
        return
    named = [code for code in cards if code != UNKNOWN]
    # A suit says more than a rank: it must not find its card gone.
    for code in sorted(named):
        if not _can_keep(table, hand, code) or not hand.remove(code):
            violate(table, "end-hand", "card", seat=seat, card=code)
            return
        if hand.overdrawn(code):
            overcount(table, code)
            return
    if rest_unknown or len(named) < len(cards):
        for code in named:
            hand.add(code)
        return
    table.hands[seat] = _known_hand(table.deck, named)


def _keep_last_three(table: Table, seat: int, cards: Sequence[int]) -> None:
    """Put a three into the hand that may have been the stock's last card, which is not tabled."""
    side = table.sides[table.rules.side_of[seat]]
    if not (table.perhaps_over and table.seat == seat and side.threes_less):
        return
    kept = [code for code in cards if code in side.threes]
    if kept:
        table.hands[seat].add(kept[0])
        side.threes.remove(kept[0])
        side.threes_less -= 1


def _can_keep(table: Table, hand: Hand, code: int) -> bool:
    """Return whether a card can be left in a hand; one that nobody named is no red three."""
    if RANK[code] != RED_THREE or table.deck.threes_kept:
        return True
    return hand.of_rank(RED_THREE) > 0


def _known_hand(deck: Deck, cards: Sequence[int]) -> Hand:
    """Return a hand of these cards alone."""
    hand = Hand(deck)
    for code in cards:
        hand.add(code)
    return hand


def judge_copies(table: Table, melds: Iterable[Melds]) -> None:
    """Hold what is known to lie on the table, in hands and in the pile to the deck's copies.

    `melds` are those of each side. Violates `deck-count`.
    """
    deck = Deck(table.rules)
    cards = [code for side in melds for meld in side.values() for code in meld]
    cards += [code for side in table.sides for code in side.threes]
    cards += [code for hand in table.hands for code in _surely_held(hand)]
    cards += [*table.pile, *table.special_cards, *table.stock[table.stock_at :]]
    for code in sorted(cards):
        if not deck.add(code):
            overdraw(table, deck, code)
            return


def _surely_held(hand: Hand) -> list[int]:
    """Return cards that a hand surely holds."""
    held: list[int] = []
    if hand.nameless or hand.vague:
        return held
    for rank in range(UNKNOWN_RANK):
        bare = BARE[rank]
        if hand.balance[bare] < 0 and not EXACT[bare]:
            # One of them went without its suit: which one, is open.
            continue
        gone = 0
        for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            if EXACT[code]:
                held += [code] * max(0, hand.need[code] + hand.balance[code])
                gone += max(0, -hand.balance[code])
        if not EXACT[bare]:
            held += [bare] * max(0, hand.balance[bare] - gone)
    return held
