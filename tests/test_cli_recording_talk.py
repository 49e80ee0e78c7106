"""Whole sessions with the recorders, as seen by a person who has read no manual."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.recorder.shorthand import plain_suits
from canasta_notation.recorder.shown_at_end import DueLine, claim_text, start_threes
from tests.record_scripts import NAMES, ROWS, TABLES


def talk(path: Path, *lines: str, mode: str = "") -> str:
    """Return what is shown while lines are typed; places and days that change are left out."""
    args = ["record", *([mode] if mode else []), path.name]
    stdin = "".join(line + "\n" for line in lines)
    with contextlib.chdir(path.parent):
        result = CliRunner().invoke(app, args, input=stdin, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    shown = result.output.replace(str(path.parent), "FOLDER")
    return re.sub(r"date \[[0-9-]+\]", "date [TODAY]", shown)


#: A game begun with every kind of slip: help, a step back, a word that is not a profile.
BEGUN = (
    *("?", "poker", "", "Ana", "Bert", "back", "Bruno", "Carla", "Dario", "X", "N", "back", "N"),
    *("Kitchen", "2026-11-19"),
)


def test_the_first_questions(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "first.canasta"
    assert talk(path, *BEGUN) == snapshot
    assert path.read_text() == (
        '[CGN "1"]\n[Event "Kitchen"]\n[Date "2026-11-19"]\n[Rules "classic"]\n[N "Ana"]\n'
        '[E "Bruno"]\n[S "Carla"]\n[W "Dario"]\n[Dealer "N"]\n[Result "*"]\n'
    )


def test_house_questions_can_be_gone_back_to(tmp_path: Path) -> None:
    path = tmp_path / "house.canasta"
    typed = ("CLASSIC", "back", "Classic", "yes", "no", "back", "back", "no", "", "yes", "Ana")
    shown = talk(path, *typed, mode="--table")
    assert shown.count("Which rules do you play by?") == 2
    assert '[Rules "classic score.melds_minus=no-canasta"]\n[N "Ana"]' in path.read_text()


def test_words_for_a_command_name_it(tmp_path: Path) -> None:
    path = tmp_path / "words.canasta"
    words = {"exit": "quit", "back": "undo", "fix 1": "edit", "dealer Ana": "edit dealer"}
    shown = talk(path, "classic", *NAMES, "N", "", "2026-11-19", "9h", "none", *words, "Undo")
    for word, command in words.items():
        assert f"`{word.split()[0]}` is not understood: did you mean {command}?" in shown
    assert "taken back: up 9h" in shown


def test_a_deal_of_what_could_be_seen(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "seen.canasta"
    played = ("9♥", "?", "N 4h", "N 3h, W 2", "+ K:KKK2 Q:QQQ -4♠", "+ -5 ; a ♥", "+ -6")
    ended = (
        "+ -7",
        "end stock",
        "w",
        "?",
        "2",
        "4 5 zz",
        "4 5 T",
        "",
        "4 5 T ...",
        "3",
        "",
        "",
        "_ ...",
    )
    assert talk(path, "classic", *NAMES, "N", "", "2026-11-19", *played, *ended) == snapshot
    assert path.read_text().partition("deal 1")[2] == (
        " dealer N\nN: 3h ... +_\nW: 3r 3r ... +_ +_\nup 9h\n"
        "1. E + K:KKK2 Q:QQQ -4s\n2. S + -5 ; a ♥\n3. W + -6\n4. N + -7\nend stock\n"
        "threes NS 3r 3r\nleft N 4 5 T ...\nleft W _ ...\n"
    )


@pytest.mark.parametrize(
    ("typed", "written", "said"),
    [
        (["edit dealer", "W"], "deal 1 dealer W", "deal 1 dealer W"),
        (["edit dealer W"], '[Dealer "W"]', "deal 1 dealer W"),
        (["edit dealer X"], "deal 1 dealer N", "not right"),
        (["edit name E Bert"], '[E "Bert"]', '[E "Bert"]'),
        (["edit name X Bert"], '[E "Bruno"]', "edit name N (a player)"),
        (["edit rules classic target=3000"], '[Rules "classic target=3000"]', "target=3000"),
        (["edit rules clasic"], '[Rules "classic"]', "did you mean classic?"),
        (["edit event", "Club"], '[Event "Club"]', "edit event>"),
        (["edit site Rome"], '[Site "Rome"]', '[Site "Rome"]'),
        (["edit date 2026-02-30"], '[Date "2026-11-19"]', "not right"),
    ],
)
def test_the_header_can_be_corrected(
    typed: list[str], written: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "edit.canasta"
    shown = talk(path, "classic", *NAMES, "N", "", "2026-11-19", "9h", *typed, "", "quit")
    assert said in shown
    assert written in path.read_text().splitlines()


@pytest.mark.parametrize(
    ("typed", "written", "said"),
    [
        (["edit left E", "6h 6d"], "left E 6h 6d", "edit left E> 6h 6d"),
        (["edit left bruno 6 6"], "left E 6 6", "left E 6 6"),
        (["edit 1.left W", "zz", ""], "left W 6s", "zz is not a card"),
        (["edit threes NS 2"], "threes NS 3d", "not right"),
        (["edit melds EW 555", "w"], "melds EW 5:555", "not right"),
        (["edit end S", "w"], "end out S", "writes it anyway"),
        (["edit score NS 900", "w"], "score NS 900", "the score of NS is 910, not 900"),
        (["edit 1.up Ac", "w"], "up Ac", "up Ac"),
        (["edit dealer Ana"], "deal 1 dealer N", ""),
        (["edit 99"], "left W 6s", "there is no such line; what can be corrected: edit 12"),
    ],
)
def test_what_was_said_of_the_table_can_be_corrected(
    typed: list[str], written: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "seen.canasta"
    path.write_text(Path("samples/seen-at-the-table.canasta").read_text())
    shown = talk(path, *typed, "", "quit")
    assert said in shown
    assert written in path.read_text().splitlines()


def test_cards_of_a_hand_that_the_play_has_shown_need_not_be_typed(tmp_path: Path) -> None:
    path = tmp_path / "shown.canasta"
    record = Path("samples/first-deal.canasta").read_text()
    hands = record.replace("S: 3d 6s 6h 7c 9c", "S: 3d 6s 6h 9c").replace("2c +7c", "2c ... +7c")
    path.write_text(hands.partition("score")[0])
    shown = " ".join(talk(path, "7c", "", "+ 7 8", "", "+ 7", "quit").split())
    assert "By the play S holds 3s 7c and 1 card that nobody saw" in shown
    assert "deal 1 left S (3 cards)>" in shown
    assert "left S 3s 7c 7\n" in path.read_text()


def test_rules_that_the_play_breaks_are_not_taken_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "rules.canasta"
    begun = ("classic", *NAMES, "N", "", "2026-11-19", "9h", "", "+ K:KK2 Q:QQ2 -4s")
    shown = talk(path, *begun, "edit rules classic meld.min_naturals=3", "", "quit")
    assert "not right: this meld of kings has 2 natural cards" in shown
    assert '[Rules "classic"]' in path.read_text()


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [("A♥", "Ah"), ("10♠ ♢", "10s d"), ("K♣\ufe0f", "Kc"), ("+ -4♦ ; A♥", "+ -4d ; A♥")],
)
def test_signs_of_suits(typed: str, spelled: str) -> None:
    assert plain_suits(typed) == spelled


@pytest.mark.parametrize(
    ("kind", "said", "line"),
    [
        ("melds", "KKKK2 777 44* 333", "melds NS K:KKKK2 7:777 4:44* 3:3b3b3b"),
        ("melds", "10:TTT q:qhqsq, 22*", "melds NS T:TTT Q:QhQsQ *:22*"),
        ("melds", "none", "melds NS"),
        ("threes", "2", "threes NS 3r 3r"),
        ("threes", "3h3d", "threes NS 3h 3d"),
        ("left", "4 5 10 k* _ ...", "left NS 4 5 T K * _ ..."),
        ("left", "3b 3r", "left NS 3b 3r"),
    ],
)
def test_what_lies_on_the_table(kind: str, said: str, line: str) -> None:
    assert claim_text(DueLine(kind, "NS"), said) == line  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        ("melds", "KKQ", "KKQ is not one meld: queens and kings"),
        ("left", "3", "3 alone is not enough"),
        ("left", "Kx", "x is not a card"),
        ("melds", "3h 3d", "3h: red threes are asked for after the melds"),
        ("left", "*s", "s is not a card"),
        ("threes", "x", "x is not a card"),
    ],
)
def test_what_cannot_lie_there(kind: str, said: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        claim_text(DueLine(kind, "NS"), said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("N 3h, W 3d 3d", ["N: 3h ... +_", "W: 3d 3d ... +_ +_"]),
        ("e 2", ["E: 3r 3r ... +_ +_"]),
        ("none", []),
    ],
)
def test_red_threes_at_the_start(said: str, lines: list[str]) -> None:
    assert start_threes(said, "NESW") == lines


@pytest.mark.parametrize("said", ["3h", "N", "N 4h", "N 3s", ""])
def test_red_threes_that_are_none(said: str) -> None:
    with pytest.raises(ValueError):
        start_threes(said, "NESW")


# --- final tables -------------------------------------------------------------------------------


def test_an_evening_of_final_tables(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "tables.canasta"
    assert talk(path, *TABLES, "quit", mode="--table") == snapshot
    assert path.read_text().partition("deal 1")[2] == snapshot
    validated = CliRunner().invoke(app, ["validate", str(path)])
    assert validated.exit_code == 0, validated.output


# --- score sheets -------------------------------------------------------------------------------


def test_a_sheet_with_pencilled_scores(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "sheet.canasta"
    assert talk(path, *ROWS, "quit", mode="--sheet") == snapshot
    assert path.read_text().partition("deal 1")[2] == snapshot


def test_an_earlier_row_moves_the_totals_after_it(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    rows = [each for row in range(4) for each in (f"0 1 0 {10 + row}0", "")]
    begun = ("classic-2p", "", "", "", "Ana", "Carla", "N", "", "2026-11-19", *rows)
    talk(path, *begun, "note a long one", "edit 1 S 1 0 0 200 penalty 50", "", mode="--sheet")
    assert path.read_text().partition("deal 1")[2] == (
        " dealer N\npenalty S 50 house\nscore N 400 = mixed 300 cards 100\n"
        "score S 650 = natural 500 cards 200 penalty -50\ntotal N 400 S 650\n\n"
        "deal 2 dealer S\nscore N 420 = mixed 300 cards 120\n"
        "score S 430 = mixed 300 cards 130\ntotal N 820 S 1080 ; a long one\n"
    )


def test_a_row_may_be_the_score_alone(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    talk(path, "945", "-85", "edit 1 EW", "395", mode="--sheet")
    assert path.read_text().endswith("score NS 945\nscore EW 395\ntotal NS 945 EW 395\n")


def test_other_things_may_be_typed_where_a_pencilled_score_is_asked(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    talk(path, "0 1 2 275", "score", "back", "0 1 2 285", "", "0 0 0 50", "undo", mode="--sheet")
    assert path.read_text().endswith(
        "deal 1 dealer N\nscore NS 785 = mixed 300 red3 200 cards 285\n"
    )


def test_a_command_in_answer_to_a_wrong_row(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta", "american-4p")
    talk(path, "1 2 300 400", "", "note one", "1 0 -100 200", "undo", mode="--sheet")
    assert path.read_text().endswith(
        "deal 1 dealer N\nscore NS 1800 = natural 500 mixed 600 threes 300 cards 400\n"
    )


def test_a_question_mark_behind_a_line_to_be_changed_asks_for_help(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    shown = talk(path, "0 1", "0 1?", "0 1 0 100", "", mode="--sheet")
    assert "the score alone\n" in shown
    assert "score NS 400 = mixed 300 cards 100\n" in path.read_text()


def test_two_ways_at_once(tmp_path: Path) -> None:
    args = ["record", "--sheet", "--table", str(tmp_path / "a.canasta")]
    assert CliRunner().invoke(app, args).exit_code == 2


def test_numbers_of_thousands_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    path.write_text('[CGN "1"]\n[Rules "classic"]\ndeal 1 dealer N\nup 9h\n')
    many = "9" * 5000
    shown = talk(path, f"undo {many}", f"turns {many}", f"{many}. E +", f"edit {many}", "quit")
    assert "undo, or undo and how many entries" in shown
    assert "internal error" not in shown


def test_a_house_rule_that_explains_a_pencilled_score_is_named(tmp_path: Path) -> None:
    begun = ("classic", "", "", "", *NAMES, "N", "", "2026-11-19")
    shown = talk(tmp_path / "a.canasta", *begun, "0 0 2 90", "-110", "c", mode="--sheet")
    assert "-110 is 400 too little: the row comes to 290" in shown
    assert "it is right if red threes count against a side without a canasta (edit rules" in shown


NAMED = ("classic", "Ana", "Bruno", "Carla", "Dario")


def begun(path: Path, rules: str = "classic") -> Path:
    """Return the path of a record that has no deal yet."""
    tags = f'[CGN "1"]\n[Date "2026-11-19"]\n[Rules "{rules}"]\n[N "Ana"]\n[E "Mäx Weiß (Opa)"]\n'
    path.write_text(f'{tags}[Event "x"]\n[Dealer "N"]\n[Result "*"]\n')
    return path


def test_players_may_be_named_instead_of_their_seats(tmp_path: Path) -> None:
    path = tmp_path / "named.canasta"
    talk(path, *NAMED, "carla", "", "2026-11-19", "9h", "bruno 3h, N 1", "+ -4", "quit")
    lines = path.read_text().splitlines()
    assert lines[-5:] == [
        *("deal 1 dealer S", "E: 3h ... +_", "N: 3r ... +_", "up 9h", "1. W + -4"),
    ]
    path = tmp_path / "table.canasta"
    talk(path, "classic", "", "", "", *NAMED[1:], "S", "", "", "ana concealed", mode="--table")
    assert path.read_text().endswith("end out N concealed\n")
    path = begun(tmp_path / "turns.canasta")
    talk(path, "-", "-", "MÄX weiß (opa) + -4", "+ -5")
    assert path.read_text().endswith("1. E + -4\n2. S + -5\n")
    path = tmp_path / "sheet.canasta"
    talk(path, "classic", "", "", "", *NAMED[1:], "S", "", "", "0 1 0 50 out Ana", mode="--sheet")
    assert "end out N\n" in path.read_text()
    path = tmp_path / "asked.canasta"
    asked = ("", "0", "1", "0", "50", "y", "Carla", "", "")
    talk(path, "classic", "", "", "", *NAMED[1:], "S", "", "", *asked, mode="--sheet")
    assert "end out S\n" in path.read_text()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("nine of hearts",), "`nine` is not understood: a card is its rank, then h, d, c or s"),
        (("9 h",), "`9 h` is not a card: a card is its rank"),
        (("kd",), "up Kd"),
        (("9h", "3h"), "3h: name the seat first, for example N 3h"),
        (("9h", "none", "+ -K", "N 3h"), "laid down at the start, type N: 3h ..."),
        (("9h", "none", "+ KK -4"), "write `+KK` for a draw"),
        (("9h", "nobody", "drew a card"), "a turn is written in signs, for example + 7:777 -4s"),
        (("9h", "none", "+ -k", "x", "n"), "`x` is not a choice here: y or Enter"),
        (("9h", "none", "+ -k", "?", "n"), "What did W (Dario) do?"),
    ],
)
def test_who_never_read_a_manual_is_told_what_to_type(
    typed: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "first.canasta"
    shown = talk(path, *NAMED, "S", "", "2026-11-19", *typed, "", "quit")
    assert said in " ".join(shown.split())
