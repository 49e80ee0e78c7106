"""What the engine counts in hands, melds and deck, each on a table made for the test."""

from __future__ import annotations

from canasta_notation.arrays import array
from canasta_notation.cards import BARE, CODE, FOUR, JOKER_RANK, POINTS, RANK, UNKNOWN, parse_cards
from canasta_notation.engine.deal import begin_play
from canasta_notation.engine.hands import add_card, empty_hand, loose_cards, remove_card
from canasta_notation.engine.knowledge import came_unsuited, know, know_hand, open_cards
from canasta_notation.engine.lay import lay
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.side import put_cards, tabled_threes
from canasta_notation.engine.state import HandState, snapshot
from canasta_notation.engine.table import OUT, Table
from canasta_notation.engine.table_end import exchange
from canasta_notation.engine.take import spend
from canasta_notation.engine.turn import begin_turn
from canasta_notation.rules import load_profile

KING = RANK[CODE["Ks"]]
#: What is known of each hand, by seat.
OF_HANDS = ("unknown", "named", "named_bare", "loose", "loose_taken", "nameless")


def new_table(profile: str = "classic") -> Table:
    """Return a table of a deal dealt by the first seat, before any card is dealt."""
    rules = rules_of(load_profile(profile))
    return Table(rules, 0, [0] * len(rules.sides), has_stock=False)


def test_emptying_a_hand_leaves_the_others() -> None:
    table = new_table()
    known = know(table)
    known.partly = known.vague = 0b1111
    for name in OF_HANDS:
        setattr(known, name, array([5] * 4))
    empty_hand(table, 1)
    assert (known.partly, known.vague) == (0b1101, 0b1101)
    for name in OF_HANDS:
        assert list(getattr(known, name)) == [5, 0, 5, 5], name


def test_a_card_beyond_the_size_of_a_hand_leaves_it_once() -> None:
    table = new_table()
    know_hand(table, 1).loose[1] = 1
    assert remove_card(table, 1, UNKNOWN)
    assert loose_cards(table, 1) == 0
    assert not remove_card(table, 1, UNKNOWN)


def test_an_unknown_card_is_not_one_that_the_deck_has_accounted_for() -> None:
    table = new_table()
    known = know(table)
    table.accounted[CODE["Kh"]] = table.accounted[CODE["Jh"]] = 2
    table.accounted[BARE[RANK[CODE["Qs"]]]] = 8  # every queen, without suits
    known.blurred[RANK[CODE["Jh"]]] = 1
    cards = open_cards(table, vague=False)
    assert {CODE["Kh"], CODE["Qh"], CODE["3h"]}.isdisjoint(cards)
    assert {CODE["Ks"], CODE["Jh"], CODE["3s"]}.issubset(cards)


def test_a_rank_came_without_suits_only_if_such_a_card_came() -> None:
    table = new_table()
    add_card(table, 1, UNKNOWN)
    assert not came_unsuited(table, 1, KING)
    add_card(table, 1, BARE[KING])
    assert came_unsuited(table, 1, KING)


def test_threes_that_one_side_was_dealt_unseen_make_the_stock_uncertain() -> None:
    table = new_table()
    know(table).threes_more[1] = table.rules.deck_size
    begin_play(table)
    assert table.stock_most - table.stock_fewest == 4


def test_a_card_without_its_suit_may_be_any_that_the_hand_held() -> None:
    for held, vague in (("Ks", False), ("KsKh", True)):
        table = new_table()
        table.taken.before = array([0] * len(table.accounted))
        for code in parse_cards(held):
            table.taken.before[code] += 1
        assert spend(table, BARE[KING])
        assert table.taken.before_vague is vague
    table = new_table()
    table.taken.before = array([0] * len(table.accounted))
    table.taken.before[BARE[KING]] = 1
    assert spend(table, CODE["Ks"])
    assert not spend(table, CODE["Kh"]), "the one king was taken for the first"


def test_points_of_a_group_are_counted_once() -> None:
    table = new_table()
    fours = array(parse_cards("4s4h4c"))
    for code in fours:
        add_card(table, 1, code)
    begin_turn(table, 1)
    lay(table, FOUR, fours)
    assert table.laid_points[FOUR] == table.count_most == 3 * POINTS[fours[0]]


def test_a_hand_of_unknown_cards_changes_one_for_a_tabled_three() -> None:
    table = new_table("american-2p")
    three = CODE["3h"]
    table.threes[three] = know_hand(table, 0).unknown[0] = 1
    exchange(table, (0, UNKNOWN, three))
    assert (know(table).unknown[0], table.counts[three], tabled_threes(table, 0)) == (0, 1, [])


def test_a_state_says_none_for_seats_that_are_not_known() -> None:
    rules = rules_of(load_profile("classic"))
    table = Table(rules, -1, [0, 0], has_stock=False)
    state = snapshot(table)
    assert (state.due, state.ended_by, state.sides[0].points) == (None, None, 0)
    put_cards(table, 0, KING, 3, 0, 0, 0, 30)
    table.due = table.ended_by = 0
    table.ended = OUT
    state = snapshot(table)
    assert (state.due, state.ended_by) == (0, 0)
    assert state.sides[0].points == 30 + rules.score_out


def test_ranks_that_no_unknown_card_can_have() -> None:
    assert HandState((), 0, 0).excluded == ()
    excluded = HandState((), 1, 1, 0, (CODE["Ks"], CODE["4h"])).excluded
    assert FOUR not in excluded and KING not in excluded
    assert {RANK[CODE["3s"]], RANK[CODE["5s"]], JOKER_RANK} <= {*excluded}
