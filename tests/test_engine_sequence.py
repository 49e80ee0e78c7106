"""Sequences with wild cards: the engine's reading beside one that tries every order of the cards.

The pack is small: two suits, ranks from ace to six, one joker. The brute force knows only the rule
of a row: each place has its own card or a wild card, an ace stands at either end, and a two in the
place of its suit is natural.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

from canasta_notation.arrays import array
from canasta_notation.cards import CODE, JOKER, PLACE_OF, RANK, ROW_PLACES, ROW_RANKS, TWO
from canasta_notation.engine.discard import discard
from canasta_notation.engine.hands import add_card
from canasta_notation.engine.lay import lay
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.sequence import in_row, is_semi, reading_of
from canasta_notation.engine.side import meld_kind, wilds_of
from canasta_notation.engine.table import Table
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.rules import parse_rules

#: The cards of the small pack, each twice but for the joker.
SMALL = [CODE[rank + suit] for rank in "A23456" for suit in "hc"] * 2 + [JOKER]
HEARTS = PLACE_OF["h"]


@cache
def rules(tag: str = "burraco") -> Rules:
    profile = parse_rules(tag).profile
    assert profile is not None
    return rules_of(profile)


def readings(cards: tuple[int, ...], by: Rules) -> Iterator[tuple[int, int]]:
    """Yield every way in which cards are a sequence of hearts: natural places and wild cards."""
    wild = sum(code in (JOKER, CODE["2c"]) for code in cards)
    twos = sum(code == CODE["2h"] for code in cards)
    others = [code for code in cards if RANK[code] < TWO]
    for natural_twos in range(min(1, twos) + 1):
        left = wild + twos - natural_twos
        if left > by.sequence_wilds:
            continue
        for places in placed(others, natural_twos, by):
            row = sum(1 << at for at in places)
            low, high = min(places), max(places)
            gaps = high - low + 1 - len(places)
            if gaps <= left and len(places) + left <= ROW_PLACES:
                yield row, left


def placed(others: list[int], twos: int, by: Rules) -> Iterator[set[int]]:
    """Yield the places of natural cards, an ace at either end or, if allowed, one at each."""
    fixed = [1] * twos
    aces = 0
    for code in others:
        if code == CODE["Ah"]:
            aces += 1
        else:
            fixed.append(ROW_RANKS.index(max(1, int(RANK[code]))))
    if len(set(fixed)) < len(fixed) or aces > by.sequence_aces:
        return
    for ends in combinations((0, ROW_PLACES - 1), aces):
        if fixed or ends:
            yield {*fixed, *ends}


def judged(cards: tuple[int, ...], by: Rules) -> tuple[bool, Table]:
    """Return whether the engine lets a hand lay cards as a sequence of hearts, and the table."""
    table = Table(by, by.players - 1, [0] * len(by.sides), has_stock=False)
    for code in (*cards, CODE["9s"], CODE["9s"], CODE["Ts"]):
        add_card(table, 0, code)
    begin_turn(table, 0)
    table.drew = True
    lay(table, HEARTS, array(cards))
    discard(table, CODE["9s"])
    end_turn(table, "")
    return not table.violations, table


def melds(size: int) -> Iterator[tuple[int, ...]]:
    """Yield the different hands of a size that the small pack has."""
    copies = {code: SMALL.count(code) for code in SMALL}
    for cards in combinations_with_replacement(sorted(copies), size):
        if all(cards.count(code) <= copies[code] for code in {*cards}):
            yield cards


@pytest.mark.parametrize("tag", ["burraco", "buraco", "burraco sequence.wilds=2"])
@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_the_engine_reads_what_a_brute_force_finds(size: int, tag: str) -> None:
    by = rules(tag)
    legal = 0
    for cards in melds(size):
        found = [*readings(cards, by)] if all_hearts(cards) else []
        naturals = [size - wild for _, wild in found if size - wild >= by.min_naturals]
        allowed, table = judged(cards, by)
        assert allowed == bool(naturals), [cards, found, table.violations]
        if allowed:
            legal += 1
            # A two is natural if the cards can be read so.
            assert wilds_of(table, 0, HEARTS) == min(wild for _, wild in found)
            assert (reading_of(table, 0, HEARTS), wilds_of(table, 0, HEARTS)) in found
    assert legal


def all_hearts(cards: tuple[int, ...]) -> bool:
    """Return whether cards may all be in a sequence of hearts."""
    hearts = {CODE[rank + "h"] for rank in "A23456"}
    return {*cards} <= {*hearts, JOKER, CODE["2c"]}


def laid(*words: str, tag: str = "burraco") -> Table:
    """Return a table after a turn that lays each word's cards as a group on one sequence."""
    by = rules(tag)
    groups = [tuple(CODE[card] for card in word.split()) for word in words]
    table = Table(by, by.players - 1, [0] * len(by.sides), has_stock=False)
    for code in (*(code for group in groups for code in group), CODE["9s"], CODE["Ts"]):
        add_card(table, 0, code)
    begin_turn(table, 0)
    table.drew = True
    for group in groups:
        lay(table, HEARTS, array(group))
    discard(table, CODE["9s"])
    end_turn(table, "")
    return table


@pytest.mark.parametrize(
    ("cards", "shown"),
    [
        ("6h * 8h", "6h * 8h"),
        ("6h 7h *", "* 6h 7h"),
        ("Ah 2h 3h *", "Ah 2h 3h *"),
        ("Kh Ah *", "* Kh Ah"),
        ("2h 2c 4h 5h", "2h 2c 4h 5h"),
        ("4h 5h 2h", "2h 4h 5h"),
        ("3h Ah 2h", "Ah 2h 3h"),
    ],
)
def test_a_sequence_is_shown_with_its_wild_card_in_its_place(cards: str, shown: str) -> None:
    table = laid(cards)
    codes = [CODE[card] for card in cards.split()]
    wild = [code for code in codes if code == JOKER or RANK[code] == TWO]
    row = reading_of(table, 0, HEARTS)
    found = in_row(HEARTS, row, wild, wilds_of(table, 0, HEARTS))
    assert found == tuple(CODE[card] for card in shown.split())


@pytest.mark.parametrize(
    ("cards", "kind", "by_end"),
    [
        ("4h 5h 6h 7h 8h 9h Th", "natural", "natural"),
        ("4h 5h 6h 7h 8h 9h Th *", "semi", "semi"),
        ("3h 4h 5h 6h 7h 8h 9h * Jh", "semi", "mixed"),
        ("4h 5h 6h 7h 8h 9h *", "mixed", "mixed"),
        ("3h 4h 5h 6h 7h * 9h Th", "mixed", "mixed"),
    ],
)
def test_what_kind_of_canasta_a_sequence_is(cards: str, kind: str, by_end: str) -> None:
    assert meld_kind(laid(cards), 0, HEARTS) == kind
    assert meld_kind(laid(cards, tag="burraco semi=end"), 0, HEARTS) == by_end


def test_a_canasta_of_seven_is_never_semi_clean() -> None:
    assert not is_semi(rules(), HEARTS, 7, 1, 0)
    assert not is_semi(rules("burraco score.semi=none"), PLACE_OF["K"], 8, 1, 0)
    assert is_semi(rules(), PLACE_OF["K"], 8, 1, 0)
