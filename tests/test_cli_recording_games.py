"""Whole games typed into the recorder to their last line, and what a person meets on the way.

`python -m tests.typists` enters many more.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.papers import WAYS, differences, paper
from tests.random_games import SAMPLED
from tests.recorders import Piped, begun, talk
from tests.typists import Typist, try_game


@pytest.mark.parametrize(("place", "profile"), [*enumerate(SAMPLED)])
def test_a_game_is_typed_to_its_last_line(place: int, profile: str, tmp_path: Path) -> None:
    """With slips, entries taken back and changed, and a recorder that is killed between them."""
    for way in (list(WAYS)[place % 4], list(WAYS)[(place + 2) % 4]):
        assert try_game(profile, 3, way, tmp_path, slips=0.2, kills=0.02) == ""


@pytest.mark.parametrize(("way", "profile"), [("seen", "classic-2p"), ("table", "samba")])
def test_a_game_is_typed_into_a_real_process(way: str, profile: str, tmp_path: Path) -> None:
    on_paper, path = paper(profile, 3, way), tmp_path / "game.canasta"
    typist = Typist(on_paper, path, Random(way))
    recorder = Piped("record", *filter(None, [on_paper.option]), path)
    shown = recorder.prompt()
    while (said := typist.answer(shown.rpartition("\n")[2])) != "quit":
        shown = recorder.ask(said)
        if Random(str(len(typist.typed))).random() < 0.1:
            recorder.kill()
            recorder = Piped("record", path)
            shown = recorder.prompt()
    assert recorder.finish() == 0
    assert [*differences(on_paper, path.read_text())] == []


def deal_of(path: Path) -> list[str]:
    """Return the lines from the first deal on."""
    return path.read_text().partition("\n\n")[2].splitlines()


# --- the end of a game ----------------------------------------------------------------------------


def test_the_result_is_open_until_every_total_is_known(tmp_path: Path) -> None:
    path = begun(tmp_path / "won.canasta", "classic target=100")
    typed = ("9h", "none", "+ KKKKKKK -4", "+ -5", "+ -6", "end stock", "w", *[""] * 8, "-200")
    shown = talk(path, *typed, "quit")
    assert "None" not in shown and "not a result" not in shown
    assert '[Result "*"]' in path.read_text()
    talk(path, *[""] * 6, "500", "quit")
    assert '[Result "NS -200 EW 500"]' in path.read_text()


def test_a_final_table_may_win_the_game(tmp_path: Path) -> None:
    path = begun(tmp_path / "won.canasta", "classic target=100")
    hands = ("4", "5", "6", "", "", "quit")
    shown = talk(path, "N", "KKKKKKK QQQ", "none", "none", "none", *hands, mode="--table")
    assert "the game is over: NS (Ana) has won (NS 695 EW -10)" in shown


# --- melds --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "typed", "melds"),
    [
        ("samba", "KKKKKKK JJJ* JJJJ2", "K:KKKKKKK J:JJJ* J/2:JJJJ2"),
        ("samba", "J/2:JJJJ JJJ JJJ", "J/2:JJJJ J:JJJ J/3:JJJ"),
        ("classic", "JJJ JJJJ", "J:JJJ J:JJJJ"),
        ("samba", "4s5s6s7s8s9sTs KKK", "s:4s5s6s7s8s9sTs K:KKK"),
        ("samba", "4s5s6s 8s9sTs 8h7h6h", "s:4s5s6s s/2:8s9sTs h:8h7h6h"),
        ("bolivia", "22* 2222", "*:22* */2:2222"),
    ],
)
def test_melds_apart_are_melds_apart(rules: str, typed: str, melds: str, tmp_path: Path) -> None:
    path = begun(tmp_path / "table.canasta", rules)
    talk(path, "stock", typed, mode="--table")
    assert path.read_text().endswith(f"melds NS {melds}\n")


def test_a_sequence_is_explained(tmp_path: Path) -> None:
    path = begun(tmp_path / "table.canasta", "samba")
    shown = " ".join(talk(path, "stock", "4567", mode="--table").split())
    assert "A sequence needs the suit of each card: 4s5s6s7s." in shown
    assert "a sequence has one suit, written with each card: 4s5s6s" in shown


@pytest.mark.parametrize(
    ("rules", "typed", "turn"),
    [
        ("classic", "+ 4 -5", "5. E + 4:4 -5"),
        ("classic", "+ 42 -5", "5. E + 4:42 -5"),
        ("classic", "+ 4 A -5", "5. E + 4:4 A:A -5"),
        ("classic", "+ QQQ 4 -5", "5. E + Q:QQQ 4:4 -5"),
        ("samba", "+ 4 -5", "5. E + 4:4 -5"),
        ("samba", "+ QQQ QQQ -5", "5. E + Q:QQQ Q/2:QQQ -5"),
        ("samba", "+ Js -5", "5. E + s:Js -5"),
        ("samba", "+ 5s6s7s -5", "5. E + s:5s6s7s -5"),
        ("samba", "+ 4s5s6s -5", "5. E + s/2:4s5s6s -5"),
        ("samba", "+ 8hThJh9h -5", "5. E + h:8hThJh9h -5"),
    ],
)
def test_a_card_of_one_standing_meld_needs_no_label(
    rules: str, typed: str, turn: str, tmp_path: Path
) -> None:
    path = begun(tmp_path / "lay.canasta", rules)
    opening = "+ 444 AAA -6" if rules == "classic" else "+ 444 AAA 8s9sTs -6"
    talk(path, "9h", "none", opening, "+ -6", "+ -6", "+ -6", typed)
    assert deal_of(path)[-1] == turn


def test_a_card_without_a_standing_meld_is_asked_about(tmp_path: Path) -> None:
    path = begun(tmp_path / "lay.canasta")
    assert "`4` stands alone after `+`" in talk(path, "9h", "none", "+ 4 -5")


# --- cards of the pile ----------------------------------------------------------------------------

SEVENS = ("9h", "none", "+ -7", "+ -5", "+ -7", "+ AAA KKK JJJ -7", "+ -7")


@pytest.mark.parametrize(
    ("typed", "asked", "turn"),
    [
        (("^ 777 -4", "1"), "sevens (7 7 7) were in the pile", "6. S ^7 7:77 7:7 -4"),
        (("^ 777 -4", ""), "below its top? [0]>", "6. S ^7 7:777 -4"),
        (("^ 777 -4", "4", "x", "?", "2"), "type a number from 0 to 3", "6. S ^7 7:7 7:77 -4"),
        (("^ 777 -4", "back", "^ 77 7:7 -4"), "below its top?", "6. S ^7 7:77 7:7 -4"),
        (("^ 77 555 -4", ""), "sevens (7 7) were in the pile", "6. S ^7 7:77 5:555 -4"),
    ],
)
def test_cards_that_may_have_lain_in_the_pile_are_asked_about(
    typed: tuple[str, ...], asked: str, turn: str, tmp_path: Path
) -> None:
    path = begun(tmp_path / "pile.canasta")
    assert asked in talk(path, *SEVENS, *typed)
    assert deal_of(path)[-1] == turn


def test_cards_that_are_surely_of_the_hand_are_not_asked_about(tmp_path: Path) -> None:
    path = begun(tmp_path / "pile.canasta")
    suited = ("9h", "none", "+ -7h", "+ -5", "+ -7d", "+ AAA KKK JJJ -7d", "+ -7h")
    talk(path, *suited, "^ 7s7s7c -4")
    assert deal_of(path)[-1] == "6. S ^7h 7:7s7s7c -4"


# --- corrections ----------------------------------------------------------------------------------

TURNS = ("9h", "none", "+ -5", "+ -6", "+ -7")


@pytest.mark.parametrize("refused", ["edit 1 + 44 -8", "edit 1 + -x", "edit up x", "edit dealer Q"])
def test_a_refused_edit_leaves_the_question_that_was_due(refused: str, tmp_path: Path) -> None:
    path = begun(tmp_path / "edit.canasta")
    shown = talk(path, *TURNS, refused, "+ -T", "quit")
    assert "nothing was changed; what is typed here answers 4. N" in shown
    assert deal_of(path)[-4:] == ["1. E + -5", "2. S + -6", "3. W + -7", "4. N + -T"]


def test_a_refused_edit_of_a_row_leaves_the_question_that_was_due(tmp_path: Path) -> None:
    path = begun(tmp_path / "row.canasta")
    talk(path, "0 1 0 100", "edit 1 NS 0 1", "", "0 0 0 50", "", mode="--sheet")
    assert deal_of(path)[1:3] == [
        "score NS 400 = mixed 300 cards 100",
        "score EW 50 = cards 50",
    ]


@pytest.mark.parametrize(
    ("answer", "left"), [("no", "3. W + -7"), ("yes", None), ("", "3. W + -7")]
)
def test_undo_of_more_than_a_deal_asks_first(answer: str, left: str | None, tmp_path: Path) -> None:
    path = begun(tmp_path / "undo.canasta")
    shown = talk(path, *TURNS, "undo 999", answer, "quit")
    assert "Are you sure?" in shown and "taken back: 1. E + -5" * (left is None) in shown
    assert deal_of(path)[-1:] == ([left] if left else [])


def test_undo_within_a_deal_does_not_ask(tmp_path: Path) -> None:
    path = begun(tmp_path / "undo.canasta")
    assert "Are you sure?" not in talk(path, *TURNS, "undo 3", "quit")
    assert deal_of(path) == ["deal 1 dealer N", "up 9h"]


def test_undo_after_a_restart_counts_what_was_entered(tmp_path: Path) -> None:
    path = begun(tmp_path / "undo.canasta")
    talk(path, "9h", "E 3h, W 2", "+ -5", "^ 5:5* AAA KKK -6", "p", "quit")
    assert deal_of(path)[-1] == "penalty NS 50 upcard"
    talk(path, "undo", "quit")
    assert deal_of(path)[-1] == "1. E + -5"
    talk(path, "undo 2", "quit")
    assert deal_of(path) == ["deal 1 dealer N", "up 9h"]


def test_red_threes_are_not_asked_twice(tmp_path: Path) -> None:
    path = begun(tmp_path / "threes.canasta")
    talk(path, "9h", "E 3h", "+ -5", "quit")
    shown = talk(path, "undo", "E 3h", "+ -6", "quit")
    assert "red threes>" not in shown and "already written: E: 3h ... +_" in shown
    assert deal_of(path)[-3:] == ["E: 3h ... +_", "up 9h", "1. E + -6"]


def test_a_refused_turn_does_not_answer_the_red_threes(tmp_path: Path) -> None:
    path = begun(tmp_path / "threes.canasta")
    talk(path, "9h", "+ 44 44", "E 3h", "; slow", "+ -5", "quit")
    assert deal_of(path)[-3:] == ["E: 3h ... +_", "up 9h", "1. E + -5"]


@pytest.mark.parametrize(
    ("typed", "turns"),
    [
        (("insert 2 + -T",), ["1. E + -5", "2. S + -T", "3. W + -6", "4. N + -7"]),
        (("insert 1 + -T",), ["1. E + -T", "2. S + -5", "3. W + -6", "4. N + -7"]),
        (("insert 9 + -T",), ["1. E + -5", "2. S + -6", "3. W + -7"]),
        (("insert 2 + 44 -T", "+ -8"), ["1. E + -5", "2. S + -6", "3. W + -7", "4. N + -8"]),
        (("insert 2", "insert 2 up 9h"), ["1. E + -5", "2. S + -6", "3. W + -7"]),
        (("insert 3 + -T", "undo"), ["1. E + -5", "2. S + -6", "3. W + -7"]),
    ],
)
def test_a_forgotten_turn_can_be_inserted(
    typed: tuple[str, ...], turns: list[str], tmp_path: Path
) -> None:
    path = begun(tmp_path / "insert.canasta")
    talk(path, *TURNS, *typed, "quit")
    assert deal_of(path)[2:] == turns


def test_an_inserted_turn_may_leave_the_seats_as_they_were(tmp_path: Path) -> None:
    """The turns after it were typed with their seats."""
    path = begun(tmp_path / "insert.canasta")
    talk(path, "9h", "none", "+ -5", "W + -6", "k", "N + -7", "insert 2 + -T", "quit")
    assert deal_of(path)[2:] == ["1. E + -5", "2. S + -T", "3. W + -6", "4. N + -7"]


# --- dealers --------------------------------------------------------------------------------------

SHEETS = ("100", "200", "300", "400", "500")


def dealers(path: Path) -> str:
    return "".join(re.findall(r"^deal \d+ dealer (\w)", path.read_text(), re.MULTILINE))


def test_the_first_dealer_can_be_corrected_later(tmp_path: Path) -> None:
    path = begun(tmp_path / "dealers.canasta")
    talk(path, *SHEETS, "edit 1.dealer W", "quit", mode="--sheet")
    assert dealers(path) == "WNE" and '[Dealer "W"]' in path.read_text()
    talk(path, "600", "700", "quit", mode="--sheet")
    assert dealers(path) == "WNES"


def test_a_wrong_dealer_may_follow_from_a_wrong_first_dealer(tmp_path: Path) -> None:
    path = begun(tmp_path / "dealers.canasta")
    shown = talk(path, *SHEETS, "edit dealer W", "f", "quit", mode="--sheet")
    assert "f  correct the first dealer: deal 3 dealer W" in shown
    assert dealers(path) == "ESW" and '[Dealer "E"]' in path.read_text()


def test_a_deal_may_be_dealt_out_of_turn(tmp_path: Path) -> None:
    path = begun(tmp_path / "dealers.canasta")
    shown = talk(
        path,
        "100",
        "200",
        "deal 2 dealer Carla",
        "deal 2 dealer W",
        "w",
        "300",
        "quit",
        mode="--sheet",
    )
    assert dealers(path) == "NW" and "W deals, but it is E's turn to deal" in shown
    assert "score NS 300" in path.read_text()


def test_a_deal_of_turns_may_be_dealt_out_of_turn(tmp_path: Path) -> None:
    path = begun(tmp_path / "dealers.canasta")
    played = ("end stock", "w", *[""] * 8, "50", "60")
    talk(path, "9h", "none", "+ -5", *played, "deal 2 dealer W", "w", "8h", "none", "+ -5", "quit")
    assert deal_of(path)[-3:] == ["deal 2 dealer W", "up 8h", "1. N + -5"]


# --- how a recording continues ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "first", "then", "prompt"),
    [
        ("--table", (), (), "deal 1 end>"),
        ("--table", ("N",), (), "deal 1 melds NS>"),
        ("--sheet", (), (), "deal 1 NS (natural mixed red3 cards)>"),
        ("--sheet", ("100",), (), "deal 1 EW (natural mixed red3 cards)>"),
        ("--sheet", ("100", "200"), (), "deal 2 NS (natural mixed red3 cards)>"),
        ("", ("9h", "none", "+ -5"), (), "2. S>"),
        ("--table", ("stock", *[""] * 8, "5", "10"), (), "deal 2 end>"),
        ("--sheet", ("1 0 0 50",), (), "NS score on paper [550]>"),
    ],
)
def test_a_recording_continues_as_it_was(
    mode: str, first: tuple[str, ...], then: tuple[str, ...], prompt: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.canasta"
    opening = ("classic target=5000", "", "", "", "", "N", "", "2026-11-19")
    talk(path, *opening, *first, mode=mode)
    shown = talk(path, *then)
    assert shown.splitlines()[-2].startswith(prompt) or prompt in shown


def test_the_way_to_record_can_be_changed(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.canasta")
    talk(path, "100", "200", mode="--sheet")
    assert "deal 2 end>" in talk(path, mode="--table")
    assert "deal 2 up>" in talk(path, mode="--turns")
    assert "deal 2 NS (natural" in talk(path)
    talk(path, "stock", mode="--table")
    assert "deal 2 melds NS>" in talk(path)
    assert "Mode" not in path.read_text()


# --- final tables and score pads ------------------------------------------------------------------


def test_a_penalty_is_named_and_taken_at_a_final_table(tmp_path: Path) -> None:
    path = begun(tmp_path / "table.canasta")
    shown = talk(path, "penalty NS 50 upcard", "N", mode="--table")
    assert "penalty EW 50 upcard" in shown
    assert deal_of(path) == ["deal 1 dealer N", "penalty NS 50 upcard", "end out N"]


@pytest.mark.parametrize(
    ("rules", "answers", "line"),
    [
        (
            "classic",
            ("1", "0", "0", "140", "yes", "N", "yes", "0", "840"),
            "score NS 840 = natural 500 out 100 concealed 100 cards 140",
        ),
        (
            "american-4p",
            ("0", "1", "0", "280", "no", "", "", "", "-2500", "-1500", "", "0", "-3420"),
            "score NS -3420 = mixed 300 unfinished -2500 held -1500 cards 280",
        ),
        (
            "american-4p",
            ("0", "0", "0", "0", "no", "", "", "", "", "", "3000", "S", "", ""),
            "score NS 3000 = special 3000 cards 0",
        ),
    ],
)
def test_the_pad_asks_for_everything_that_counts(
    rules: str, answers: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    path = begun(tmp_path / "pad.canasta", rules)
    talk(path, "", *answers, "quit", mode="--sheet")
    assert deal_of(path)[-1] == line


def test_melds_may_count_less_than_nothing(tmp_path: Path) -> None:
    path = begun(tmp_path / "pad.canasta", "american-4p")
    talk(path, "0 0 0 -270/-20", mode="--sheet")
    assert deal_of(path)[-1] == "score NS -290 = melds -270 hand -20"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (("edit 1 NS 90",), "score NS 500 = mixed 300 red3 200"),
        (("edit 1 NS", "90"), "score NS 500 = mixed 300 red3 200"),
        (("edit 1 NS cards 90",), "score NS 590 = mixed 300 red3 200 cards 90"),
        (("edit 1 NS mixed 2",), "score NS 800 = mixed 600 red3 200"),
        (("edit 1 NS score 90",), "score NS 90"),
    ],
)
def test_a_row_is_not_replaced_by_one_of_its_figures(
    typed: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    path = begun(tmp_path / "pad.canasta")
    talk(path, "0 1 2 0", "", *typed, "quit", mode="--sheet")
    assert deal_of(path)[-1].removesuffix(" cards 0") == line
