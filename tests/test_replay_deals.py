"""Deals of which part is missing, and the places and bounds of what is reported."""

from __future__ import annotations

import re
from bisect import bisect_left

import pytest

from canasta_notation import format_game, load_profile, read_text, replay_game
from canasta_notation.cards import CARD_STEP
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_turn import Habits
from canasta_notation.replay.deal_state import ReplayBudget
from canasta_notation.replay.game_replay import GameReplay
from canasta_notation.replay.moment import Moment
from tests.documents import report

HEAD = '[CGN "1"]\n[Rules "classic"]\ndeal 1 dealer N\n'


def errors(text: str) -> list[str]:
    return [str(each) for each in report(text).findings if each.severity == "error"]


def record(seed: int) -> str:
    """Return a random deal with its stock."""
    return format_game(play_game(load_profile("classic"), seed, deals=1, habits=Habits(stock=1.0)))


@pytest.mark.parametrize("seed", [1, 4, 9])
def test_without_a_dealer_the_order_of_the_replacements_is_open(seed: int) -> None:
    text = re.sub(r"^\[Dealer .*\n|^\d+\. | dealer .$", "", record(seed), flags=re.MULTILINE)
    assert "ealer" not in text
    assert len(re.findall(r"^[NESW]: .*\+", text, re.MULTILINE)) > 1
    assert errors(text) == []


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_an_unknown_card_of_the_stock_may_be_the_three_that_a_hand_seems_to_have(seed: int) -> None:
    text = re.sub("^S: .*\n", "", record(seed), flags=re.MULTILINE)
    text, threes = re.subn("^(stock .*?)3[hd]", r"\1_", text, flags=re.MULTILINE)
    assert threes == 1
    assert errors(text) == []


def test_a_penalty_lowers_what_a_deal_can_be_worth() -> None:
    def most(penalty: str) -> int:
        """Return the largest score for which nothing is reported, in steps of card points."""
        scores = range(0, 20_000, CARD_STEP)
        text = f"{HEAD}{penalty}score NS "
        return scores[bisect_left(scores, True, key=lambda at: bool(errors(f"{text}{at}\n"))) - 1]

    assert most("") - most("penalty NS 1000 ask\n") == 1000


def test_what_a_whole_turn_lacks_is_reported_for_all_its_words() -> None:
    line = "1. E +4d 4:4s4h4c4d"
    found = report(f"{HEAD}E: 4s 4h 4c 5s 6s 7s 8s 9s Ts Js Qs\nup 9h\n{line}\n").findings
    (missing,) = (each for each in found if each.code == "discard-missing")
    assert (missing.span.column, missing.span.end_column) == (line.index("E") + 1, len(line) + 1)


def test_laying_out_the_table_at_the_end_leaves_no_check_open() -> None:
    found = report(f"{HEAD}end stock\nmelds NS 4:4s__\nthrees NS 9s\n")
    assert [each.code for each in found.findings] == ["end-threes"]
    assert found.deals[0].doubts == ()


def test_a_replay_continues_with_one_more_turn() -> None:
    turns = ["1. E +4d -4d", "2. S +5d -5d", "3. W ^5d -6c"]

    def goes_on(lines: list[str]) -> bool:
        """Return whether only the last turn is replayed; the report is that of the whole."""
        text = "\n".join([HEAD + "up 9h", *lines, ""])
        (before,), (whole,) = read_text(text), read_text(f"{text}{turns[2]}\n")
        first = GameReplay(before.game, 1, None, None, keep=True)
        shown: list[Moment] = []
        further = GameReplay(whole.game, 1, None, shown.append, earlier=first)
        assert further.report == replay_game(whole.game)
        play = whole.game.deals[0].play
        return len(play) > 1 and {id(each.line) for each in shown if each.line} == {id(play[-1])}

    assert goes_on(turns[:2])
    assert not goes_on([]), "there is no turn yet"
    assert not goes_on([turns[0], "2. S +Zz -5d"]), "a line cannot be read"
    assert not goes_on([turns[0], "2. S +5d -_"]), "the pile has an unwritten discard"


@pytest.mark.parametrize("seed", [2, 3])
def test_a_replay_takes_from_an_earlier_one_only_what_is_the_same(seed: int) -> None:
    """Each line is left out once, and the record without it is replayed before or after it."""
    whole = format_game(play_game(load_profile("classic"), seed, deals=3)).splitlines()
    whole.insert(5, "[Penalty]")  # a line that cannot be read
    (reading,) = read_text("\n".join(whole))
    first = GameReplay(reading.game, 1, None, None, keep=True)
    for at in range(0, len(whole), 5):
        (other,) = read_text("\n".join([*whole[:at], *whole[at + 1 :]]))
        alone = GameReplay(other.game, 1, None, None, keep=True)
        for one, before in ((other, first), (reading, alone)):
            again = GameReplay(one.game, 1, None, None, earlier=before)
            assert again.report == (alone if one is other else first).report, whole[at]


def test_a_replay_sees_that_an_earlier_deal_became_void() -> None:
    """The dealers are not known, and the totals stay the same; only the number of deals changes."""
    rules = '[Rules "classic opening.by=deal opening.table=2:50,3:50,90"]'
    late = "deal 3\n1. S + A:AsAhAd -4h\nend unfinished\n"
    text = f'[CGN "1"]\n{rules}\ndeal 1\nend {{}}\nscore NS 0\nscore EW 0\ndeal 2\nend stock\n'
    text += f"score NS 0\nscore EW 0\n{late}"
    (before,), (after,) = read_text(text.format("stock")), read_text(text.format("void"))
    first = GameReplay(before.game, 1, None, None, keep=True)
    again = GameReplay(after.game, 1, None, None, keep=True, earlier=first)
    assert "opening-low" in str(first.report.findings)
    assert "opening-low" not in str(again.report.findings)
    assert again.report == GameReplay(after.game, 1, None, None).report
    assert GameReplay(before.game, 1, None, None, earlier=again).report == first.report


def test_the_report_says_how_a_deal_that_counts_nothing_ended() -> None:
    deal = report(f"{HEAD}1. E + -4\npenalty NS 50 x\nend void\n").deals[0]
    assert (deal.ended, deal.uncounted, deal.how) == (None, "void", "void")
    assert [(side.score, side.total) for side in deal.sides] == [(-50, -50), (0, 0)]
    late = report(f"{HEAD}1. E + -4\nend time\ndeal 2 dealer E\nend stock\n")
    assert late.deals[0].how == "time" and late.result.finished and late.winner is None
    assert [each.code for each in late.findings] == ["after-game"]


def test_the_search_for_unwritten_cards_sees_which_lines_can_be_read() -> None:
    """The two deals differ only in a line that cannot be read."""
    text = f"{HEAD}E: 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h As\nup Kc\n1. E +Td -_\n"
    take = "2. S ^Ac A:AhAd -4c\n"
    assert "not-in-hand" not in str(errors(f"{text}1x S\n{take}"))
    assert "not-in-hand" in str(errors(text + take))


def test_a_replay_continues_from_the_changed_deal_with_the_remaining_budget() -> None:
    """The search in the first deal takes 14 turns, so the budget is too small for another one."""
    deal = "E: 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h As\nup Kc\n1. E +Td -_\n2. S ^Ac A:AhAd -4c\n"
    second = deal.replace("S", "W").replace("E", "S")
    text = f"{HEAD}{deal}deal 2 dealer E\n{second}"
    (before,), (after,) = read_text(text), read_text(text + "3. N +4c -4c\n")
    first = GameReplay(before.game, 1, None, None, keep=True, budget=ReplayBudget(turns=20))
    again = GameReplay(after.game, 1, None, None, earlier=first, budget=ReplayBudget(turns=20))
    assert again.report.deals[0] is first.report.deals[0]
    found = [(each.deal, each.code) for each in again.report.findings]
    assert found == [(1, "not-in-hand"), (2, "unfinished")]


def test_a_deal_is_played_again_if_less_can_be_tried_before_it() -> None:
    """Both deals need a search, for which the budget is too small; at first, one does."""
    deal = "E: 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h As\nup Kc\n1. E +Td -_\n2. S ^Ac A:AhAd -4c\n"
    second = deal.replace("S", "W").replace("E", "S")
    text = f"{HEAD}{deal}deal 2 dealer E\n{second}"
    (before,), (after,) = read_text(text.replace("-_", "-Ac", 1)), read_text(text)
    first = GameReplay(before.game, 1, None, None, keep=True, budget=ReplayBudget(turns=20))
    again = GameReplay(after.game, 1, None, None, earlier=first, budget=ReplayBudget(turns=20))
    assert "not-in-hand" in [each.code for each in first.report.findings if each.deal == 2]
    assert [(each.deal, each.code) for each in again.report.findings if each.deal == 2] == [
        (2, "unfinished")
    ]
