"""Plays that only one plan finds, each on a table made for the test."""

from __future__ import annotations

import pytest

from canasta_notation.cards import (
    CODE,
    KINDS,
    POINTS,
    RANK_LETTERS,
    format_cards,
    kinds,
    parse_cards,
)
from canasta_notation.engine.actions import Action, Combine, Discard, Lay, Take
from canasta_notation.engine.hands import add_card
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.side import put_cards
from canasta_notation.engine.table import OUT, Table, put_on_pile
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.rules import parse_rules
from canasta_notation.search import plans
from canasta_notation.search.ending import find_ending, find_opening
from canasta_notation.search.legal import legal_continuations, legal_starts
from canasta_notation.search.trial import attempt


def table_of(rules: str, hand: str, melds: str = "", pile: str = "") -> Table:
    """Return a table at which the first seat is due; `melds` are those of its side."""
    profile = parse_rules(rules).profile
    assert profile is not None
    known = rules_of(profile)
    play = Table(known, known.players - 1, [0] * len(known.sides), has_stock=False)
    for code in parse_cards(hand):
        add_card(play, 0, code)
    for group in melds.split():
        letter, _, text = group.partition(":")
        cards = parse_cards(text)
        points = sum(POINTS[code] for code in cards)
        put_cards(play, 0, RANK_LETTERS.rindex(letter), *kinds(cards), points)
        play.opened |= 1
    for code in parse_cards(pile):
        put_on_pile(play, code)
    return play


def ways_out(play: Table) -> list[str]:
    """Return how the seat can go out now, as the words of a turn."""
    return [" ".join(map(word, way.actions)) for way in legal_continuations(play).out]


def word(action: Action) -> str:
    match action:
        case Lay():
            return f"{RANK_LETTERS[action.rank]}:{format_cards(action.cards)}"
        case Discard():
            return f"-{format_cards((action.card,))}"
    raise AssertionError(action)


@pytest.mark.parametrize(
    ("rules", "hand", "melds", "ways"),
    [
        # A wild card makes the canasta.
        ("classic out.canastas=1", "4c 2c 9h", "4:4s4s4h4h4d", ["4:4c2c -9h"]),
        # An unfinished meld of wild cards stays as it is,
        (
            "american-2p",
            "8c 9h",
            "5:5s5s5h5h5d5d5c 6:6s6s6h6h6d6d6c *:2s2h2d 8:8s8h8d",
            ["8:8c -9h"],
        ),
        # or becomes a canasta first, so that another meld may take a wild card.
        (
            "american-2p out.canastas=1",
            "2h 2d 2c 5s",
            "*:2s2h2d2c2s 4:4s4h4d4c",
            ["*:2h2d 4:2c -5s"],
        ),
        # With a discard, and without one.
        (
            "classic out.canastas=0 opening.table=0",
            "4s 4h 4d 4c",
            "",
            ["4:4s4h4d -4c", "4:4s4h4d4c"],
        ),
    ],
)
def test_ways_to_go_out(rules: str, hand: str, melds: str, ways: list[str]) -> None:
    play = table_of(rules, hand, melds)
    begin_turn(play, 0)
    play.drew = True
    assert ways_out(play) == ways


@pytest.mark.parametrize(
    ("rules", "hand", "pile", "ways"),
    [
        # Cards of the pile's rest complete a meld.
        (
            "classic out.canastas=0 opening.table=0",
            "Ks Kh 9s 9d 4s",
            "9h Kd",
            ["K:KsKh 9:9s9d9h -4s"],
        ),
        # A wild card of the hand is needed for the opening.
        ("classic out.canastas=0", "Ks Kh 2c 4s", "Kd", ["K:KsKh2c -4s"]),
    ],
)
def test_ways_to_go_out_with_the_pile(rules: str, hand: str, pile: str, ways: list[str]) -> None:
    play = table_of(rules, hand, pile=pile)
    begin_turn(play, 0)
    perform(play, Take(parse_cards(pile)[-1]))
    assert ways_out(play) == ways


def groups(play: Table) -> list[str]:
    return [word(Lay(each.rank, each.cards)) for each in legal_continuations(play).groups]


def test_a_group_that_opens_with_the_waiting_top() -> None:
    play = table_of("classic", "Ks Kh 9s 9h 9d 4s 5s", pile="Kd")
    begin_turn(play, 0)
    perform(play, Take(CODE["Kd"]))
    assert "9:9s9h9d" in groups(play)


def test_a_mixed_group_that_opens_with_a_clean_one_of_three() -> None:
    play = table_of(
        "american-2p opening.clean_triple=yes opening.table=0", "5s 5h 2c 4s 4h 4d 9s 9h"
    )
    begin_turn(play, 0)
    play.drew = True
    assert "5:5s5h2c" in groups(play)


def test_a_group_that_leaves_one_card_if_a_packet_follows() -> None:
    for owner, listed in (("side", True), ("none", False)):
        play = table_of(f"american-2p opening.table=0 packet.of={owner}", "4s 4h 4d 9s")
        begin_turn(play, 0)
        play.drew = True
        assert ("4:4s4h4d" in groups(play)) is listed


def test_a_special_hand_is_listed() -> None:
    play = table_of("american-2p", "4s 4h 5s 5h 6s 6h 7s 7h 8s 8h 9s 9h Ts Th")
    begin_turn(play, 0)
    play.drew = True
    special = legal_continuations(play).specials
    assert [(each.kind, each.points) for each in special] == [("pairs", 2500)]


def test_a_seat_that_is_not_known_has_no_plays() -> None:
    play = table_of("classic", "4s", pile="Kd")
    play.due = -1
    plays = legal_starts(play)
    assert (plays.known, plays.takes, plays.stock) == (False, (), None)
    play.due, play.ended = 0, OUT
    plays = legal_starts(play)
    assert (plays.known, plays.takes, plays.stock) == (True, (), None)


def test_the_first_objection_to_a_take_is_reported() -> None:
    play = table_of("classic", "4s", pile="2c")
    begin_turn(play, 0)
    perform(play, Take(CODE["2c"]))
    codes = [each.code for each in play.violations]
    assert codes == ["pile-blocked", "pile-one-card"]
    refusals = [way.refusal for way in legal_starts(table_of("classic", "4s", pile="2c")).takes]
    assert [each and each.code for each in refusals] == codes[:1]


def test_an_answer_does_not_depend_on_earlier_questions() -> None:
    """What an earlier search has found costs the same as finding it."""
    play = table_of("classic", "Ks Kh Kd Qs Qh Qd 9s 9h 9d 8c 7s")
    begin_turn(play, 0)
    play.drew = True
    plans._KNOWN.clear()
    spent = []
    for _ in range(2):
        budget = plans.Budget()
        assert find_ending(play, budget) is not None
        openings = [*plans.Planner(play, budget).openings()]
        spent.append((budget.left, openings))
    assert plans._KNOWN and spent[0] == spent[1]
    for most in (40, spent[0][0] - 1):
        for known in (False, True):
            if not known:
                plans._KNOWN.clear()
            budget = plans.Budget(most)
            found = [*plans.Planner(play, budget).openings()]
            spent.append((budget.left, found))
        assert spent[-1] == spent[-2]


@pytest.mark.parametrize("kinds", ["out.natural=1 out.mixed=1", "out.mixed=2"])
def test_two_canastas_of_one_rank_go_out(kinds: str) -> None:
    fours = "4s 4s 4s 4h 4h 4h 4d 4d 4d 4c 4c 4c"
    play = table_of(f"samba {kinds}", f"{fours} 2s 2h 9s", "K:KsKhKd")
    begin_turn(play, 0)
    play.drew = True
    ways = legal_continuations(play).out
    assert ways
    for way in ways:
        assert attempt(play, way.actions).legal


def test_five_naturals_and_a_wild_card_open_as_two_melds_with_a_clean_triple() -> None:
    """As one meld of six cards they would count as much, but would not be clean."""
    rules = "samba opening.clean_triple=yes opening.table=120"
    table = table_of(rules, "As Ah Ad Ac As 2s 4s 6d 8h Tc Qs 5d 7h 9c Jd Kc 3s")
    begin_turn(table, 0)
    table.drew = True
    found = find_opening(table)
    assert found is not None
    laid = [len(each.cards) for each in found.actions if isinstance(each, Lay)]
    assert laid == [3, 3]


@pytest.mark.parametrize(
    ("hand", "melds", "pile", "lay"),
    [
        # Hand and pile together cannot be laid, so no opening is followed to its end.
        (
            "4h 4c 4c 6h 6d 7s 8s 8d 9h 9c Ts Th Td Qc Kd Ah Ad Ad",
            "J:JsJd2s2h",
            "2h As Jc Ks Qs 7h 3c Qd 6c Ts 7h Qd 9s * Ts",
            "",
        ),
        # A frozen top that has one card of the hand needs another one: no plan without it is tried.
        (
            "4h 5s 5s 5h 5h 6d 7h 7d 9h 9h 9d 9c Th Tc Jh Jd Jd Ah Ac Ac 2d",
            "9:9h9h9d9c A:AsAd2d",
            "9s 2h 8d 8h Qs Qh Qc Ks Js Jc As",
            "A:Ah2d",
        ),
    ],
)
def test_what_a_pile_lacks_is_seen_before_plans_are_grown(
    hand: str, melds: str, pile: str, lay: str
) -> None:
    play = table_of("samba pile.always_frozen=yes", hand, melds, pile)
    begin_turn(play, 0)
    perform(play, Take(parse_cards(pile)[-1]))
    if lay:
        perform(play, Lay(RANK_LETTERS.rindex(lay[0]), parse_cards(lay[2:])))
    assert not play.violations
    found = legal_continuations(play)
    assert found.complete and found.groups


def test_melds_that_may_not_be_put_together_are_no_dead_end() -> None:
    """Three wild cards are too many, whatever is laid after them."""
    play = table_of("samba", "4s 4h 4d 5s 6s 7s 8h 9h Th Jh Qd Kd", "J:JsJhJdJc2c2d T:TsThTd2s")
    put_cards(play, 0, RANK_LETTERS.rindex("J") + KINDS, 3, 1, 0, 0, 50)
    begin_turn(play, 0)
    play.drew = True
    perform(play, Combine(RANK_LETTERS.rindex("J") + KINDS, RANK_LETTERS.rindex("J")))
    budget = plans.Budget(0)
    assert find_ending(play, budget) is None and budget.complete
