"""Whole sessions with the recorders, as a person without a manual sees them."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from tests.record_scripts import ENTRIES, NAMES, OPENING, TABLES
from tests.recorders import begun, talk

SAMPLES = Path(__file__).parent.parent / "samples"
DEAL = (Path(__file__).parent / "recorded" / "deal.canasta").read_text().splitlines()

#: The first questions, answered with every kind of slip: help, a step back, an unknown profile.
BEGUN = (
    *("?", "rummy", "", "Ana", "Bert", "back", "Bruno", "Carla", "Dario", "X", "N", "back", "N"),
    *("Kitchen", "2026-11-19"),
)


def test_the_first_questions(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "first.canasta"
    assert talk(path, *BEGUN) == snapshot
    assert path.read_text() == (
        '[CGN "1"]\n[Event "Kitchen"]\n[Date "2026-11-19"]\n[Rules "classic"]\n[N "Ana"]\n'
        '[E "Bruno"]\n[S "Carla"]\n[W "Dario"]\n[Dealer "N"]\n[Result "*"]\n'
    )


def test_a_recording_without_an_answer_writes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "nothing.canasta"
    assert "nothing was recorded, so no file was written" in talk(path, "?", "quit")
    assert list(tmp_path.iterdir()) == []
    talk(path, "bga", "Ann", "quit")
    assert "player E>" in talk(path, "quit"), "the answers so far are kept"


def test_each_question_explains_what_it_asks_for(tmp_path: Path) -> None:
    """A score question explains scores, not cards; a question that Enter cannot skip says so."""
    path = begun(tmp_path / "asked.canasta")
    shown = talk(path, "", "quit", mode="--table")
    assert " ".join(shown.split()).count("quit ends the recording") == 2
    shown = talk(path, "N", *[""] * 7, "?", "quit", mode="--table")
    assert "A score below zero" in shown and "* is a joker" not in shown
    unknown = ("classic", *NAMES, "Zed", "quit")
    assert "the letter of a seat, or a player's name" in talk(tmp_path / "new.canasta", *unknown)


@pytest.mark.parametrize(
    ("typed", "joker", "cards"),
    [
        ("E: JK 5h 6h 7h 9h ...", "E: 5h 6h 7h 9h * ...", "E: 5h 6h 7h 9h J K ..."),
        ("up 9h\n\n1. E +JK -JK", "1. E +* -*", "`-JK`: `JK` for a joker"),
        ("up 9h\n\n+ K:KsJK -4s", "1. E + K:Ks* -4s", "`JK` for a joker"),
    ],
)
def test_a_joker_that_may_be_two_cards_is_asked_about(
    typed: str, joker: str, cards: str, tmp_path: Path
) -> None:
    asks = "is JK a joker, *, or a jack and a king, JK?>"
    path = begun(tmp_path / "new.canasta")
    shown = talk(path, typed, "?", "K", "*", "quit")
    assert shown.count(asks) == 3, "until the answer is clear"
    assert "type * or JK" in shown and "a jack and a king of unknown suits" in shown
    assert joker in shown and "JK" not in path.read_text()
    shown = talk(begun(tmp_path / "cards.canasta"), typed, "jk", "quit")
    assert cards in shown
    again = talk(
        begun(tmp_path / "again.canasta"), typed, "back", typed.split("\n")[-1], "*", "quit"
    )
    assert again.count(asks) == 2 and joker in again


def test_only_cards_are_asked_whether_they_are_a_joker(tmp_path: Path) -> None:
    path = begun(tmp_path / "new.canasta")
    plain = ("E: JKs 5h 6h ...", "S: J K 5h ...", "note JK dealt", "N: 5h 6h ... ; JK", "quit")
    assert "a joker, *" not in talk(
        path, "edit event JK", "edit name S JK", *plain[:-1], "JK", "quit"
    )
    assert '[Event "JK"]' in path.read_text() and '[S "JK"]' in path.read_text()


def test_a_dealer_whose_name_two_players_share(tmp_path: Path) -> None:
    path = tmp_path / "new.canasta"
    shown = talk(path, "classic", "Ana", "Bruno", "Ana", "Dora", "ana", "S", "quit")
    assert "2 players are called Ana" in shown and "write N or S" in shown
    assert '[Dealer "S"]' in path.read_text()


def test_a_dealer_who_is_left_out_is_not_the_player_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "new.canasta"
    shown = talk(path, "classic", "Ana", "Bruno", "Cy", "", "-", "quit")
    assert "event>" in shown and "[Dealer" not in path.read_text()


def test_a_choice_may_be_a_capital_letter(tmp_path: Path) -> None:
    path = begun(tmp_path / "capital.canasta")
    talk(path, "9h", "none", "E + -4s", "N + -4s", "K", "quit")
    assert "N + -4s ~" in path.read_text()


def test_going_back_keeps_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "back.canasta"
    asked = ("bga target=3000", "Ann", "Bob", "Cy", "Di", "E", "Club")
    talk(path, *asked, *["back"] * 7, *[""] * 7, "quit")
    written = path.read_text()
    assert '[Rules "bga target=3000"]\n[N "Ann"]\n[E "Bob"]\n[S "Cy"]\n[W "Di"]' in written
    assert '[Event "Club"]' in written and '[Dealer "E"]' in written


@pytest.mark.parametrize("command", ["edit", "edit name N Anna", "note", "save", "insert"])
def test_a_command_is_not_the_name_of_a_player(tmp_path: Path, command: str) -> None:
    path = tmp_path / "named.canasta"
    shown = talk(path, "classic", "Ana", command, "undo", "Anna", "Edit", "quit")
    assert f"`{command.split()[0]}` works only after these questions" in shown
    assert '[N "Anna"]\n[E "Edit"]\n[Result' in path.read_text()


def test_a_person_can_go_back_to_house_questions(tmp_path: Path) -> None:
    path = tmp_path / "house.canasta"
    typed = ("CLASSIC", "back", "Classic", "yes", "no", "back", "back", "no", "", "yes", "Ana")
    shown = talk(path, *typed, mode="--table")
    assert shown.count("Which rules do you play by?") == 2
    assert '[Rules "classic score.melds_minus=no-canasta"]\n[N "Ana"]' in path.read_text()


def test_similar_words_suggest_the_command(tmp_path: Path) -> None:
    path = tmp_path / "words.canasta"
    words = {"exit": "quit", "fix 1": "edit", "dealer Ana": "edit dealer"}
    shown = talk(path, "classic", *NAMES, "N", "", "2026-11-19", "9h", *words, "Undo")
    for word, command in words.items():
        assert f"`{word.split()[0]}` is not understood: did you mean {command}?" in shown
    assert "taken back: up 9h" in shown


def test_a_deal_with_unseen_hands(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
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
        (["edit dealer", "name E Bob"], "deal 1 dealer N", "did you mean edit name N?"),
        (
            ["edit dealer X", "name E Bob", "edit dealer W"],
            "deal 1 dealer W",
            "did you mean edit name N?",
        ),
        (["edit event", "name the day"], '[Event "name the day"]', '[Event "name the day"]'),
        (["edit name E Bert"], '[E "Bert"]', '[E "Bert"]'),
        (["edit name X Bert"], '[E "Bruno"]', "name N (a player)"),
        (["edit rules classic target=3000"], '[Rules "classic target=3000"]', "target=3000"),
        (["edit rules clasic"], '[Rules "classic"]', "did you mean classic?"),
        (["edit event", "Club"], '[Event "Club"]', "edit event>"),
        (["edit site Rome"], '[Site "Rome"]', '[Site "Rome"]'),
        (["edit date 2026-02-30"], '[Date "2026-11-19"]', "there is no such day"),
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
        (["edit left e 6h 6d"], "left E 6h 6d", "left E 6h 6d"),
        (["edit 1.left W", "zz", ""], "left W 6s", "zz is not a card"),
        (["edit threes NS 2"], "threes NS 3d", "not right"),
        (["edit melds EW 555", "w"], "melds EW 5:555", "not right"),
        (["edit end S", "w"], "end out S", "write it anyway"),
        (["edit end out Carla", "w"], "end out S", "write it anyway"),
        (["edit end", "out S", "w"], "end out S", "write it anyway"),
        (["edit end gone"], "end out N", "end gone"),
        (["edit score NS 900", "w"], "score NS 900", "the score of NS is 910, not 900"),
        (["edit 1.up Ac", "w"], "up Ac", "up Ac"),
        (["edit dealer Ana"], "deal 1 dealer N", ""),
        (["edit 99"], "left W 6s", "there is no such line; you can type edit 12"),
    ],
)
def test_answers_about_the_table_can_be_corrected(
    typed: list[str], written: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "seen.canasta"
    path.write_text((SAMPLES / "seen-at-the-table.canasta").read_text())
    shown = talk(path, *typed, "", "quit")
    assert said in shown
    assert written in path.read_text().splitlines()


def test_cards_of_a_hand_that_the_play_has_shown_need_not_be_typed(tmp_path: Path) -> None:
    path = tmp_path / "shown.canasta"
    record = (SAMPLES / "first-deal.canasta").read_text()
    hands = record.replace("S: 3d 6s 6h 7c 9c", "S: 3d 6s 6h 9c").replace("2c +7c", "2c ... +7c")
    path.write_text(hands.partition("score")[0])
    shown = " ".join(talk(path, "7c", "", "+ 7 8", "", "+ 7", "quit").split())
    assert "According to the play, S holds 3s 7c and 1 unseen card" in shown
    assert "deal 1 left S (3 cards)>" in shown
    assert "left S 3s 7c 7\n" in path.read_text()


def test_rules_that_the_play_breaks_are_not_accepted_silently(tmp_path: Path) -> None:
    path = tmp_path / "rules.canasta"
    begun = ("classic", *NAMES, "N", "", "2026-11-19", "9h", "", "+ K:KK2 Q:QQ2 -4s")
    shown = talk(path, *begun, "edit rules classic meld.min_naturals=3", "", "quit")
    assert "not right: this meld of kings has only 2 natural cards" in shown
    assert '[Rules "classic"]' in path.read_text()


# --- final tables -------------------------------------------------------------------------------


def test_an_evening_of_final_tables(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "tables.canasta"
    assert talk(path, *TABLES, "quit", mode="--table") == snapshot
    assert path.read_text().partition("deal 1")[2] == snapshot
    validated = CliRunner().invoke(app, ["validate", str(path)])
    assert validated.exit_code == 0, validated.output


def test_what_the_players_wrote_is_kept(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """A discard that the next turn takes is corrected; a score differs; the game is won."""
    path = tmp_path / "written.canasta"
    record = (SAMPLES / "first-deal.canasta").read_text().replace("NS 910 EW 395", "*")
    path.write_text(record.partition("8. N")[0].replace("classic", "classic target=500"))
    typed = ("edit 5 +6c 9:9h -6h", "", "", "^Jc Q:Qd -3c #", "900", "w", "")
    assert talk(path, *typed, "edit score NS 1,010", "w", "x") == snapshot
    assert path.read_text().endswith(
        "score NS 1010\nscore EW 395 = melds 310 red3 100 hand -15\ntotal NS 1010 EW 395\n"
    )
    assert '[Result "NS 1010 EW 395"]' in path.read_text()


def test_no_total_is_written_that_nobody_claimed(tmp_path: Path) -> None:
    """After a score that was left out, the totals of the play are not those of the players."""
    path = tmp_path / "left-out.canasta"
    record = (SAMPLES / "first-deal.canasta").read_text().replace("NS 910 EW 395", "*")
    path.write_text(record.partition("score NS")[0])
    talk(path, "900", "w", "-", "end stock", *[""] * 8, "100", "0", "quit")
    assert "score EW 0" in path.read_text() and "total" not in path.read_text()


def test_a_game_that_is_won_ends_although_its_last_scores_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "won.canasta"
    record = (SAMPLES / "first-deal.canasta").read_text().replace("classic", "classic target=500")
    path.write_text(record.partition("score NS")[0])
    assert "NS (Ana and Carla) has won (NS 910 EW 395)" in talk(path, "-", "-", "quit")
    assert path.read_text().endswith("end out N\n")


def test_a_deal_that_was_broken_off_ends_the_game(tmp_path: Path) -> None:
    path = begun(tmp_path / "broken.canasta")
    shown = talk(path, "unfinished", "hello", "undo", "stock", "quit", mode="--table")
    assert "deal 1 was broken off: the game has no winner" in shown and "melds NS>" in shown
    assert path.read_text().endswith("deal 1 dealer N\nend stock\n")


def test_a_void_deal_is_dealt_again_by_the_same_seat(tmp_path: Path) -> None:
    path = begun(tmp_path / "void.canasta")
    talk(path, "9h", "", "+ -4s", "Void", "8h", "", "+ -5s", "end void", "quit")
    assert path.read_text().count("end void") == 2
    assert "\n\ndeal 2 dealer N\nup 8h\n1. E + -5s\nend void\n" in path.read_text()
    assert "deal 3, dealer N" in talk(path, "quit")
    assert "[Result" not in path.read_text() or '[Result "*"]' in path.read_text()


@pytest.mark.parametrize(
    ("score", "result", "said"),
    [("100", "NS 100 EW 50", "NS (Ana) has won"), ("50", "NS 50 EW 50", "nobody has won")],
)
def test_a_game_ends_when_time_runs_out(score: str, result: str, said: str, tmp_path: Path) -> None:
    path = begun(tmp_path / "time.canasta")
    answers = ["N", *[""] * 8, score, "50", "time", "undo", "end time", "undo", "TIME", "quit"]
    shown = talk(path, *answers, mode="--table")
    assert f"the game is over: {said} ({result})" in " ".join(shown.split())
    assert path.read_text().endswith(f"total {result}\n\ndeal 2 dealer E\nend time\n")
    assert f'[Result "{result}"]' in path.read_text()


def test_a_substitute_plays_from_a_deal_on(tmp_path: Path) -> None:
    path = begun(tmp_path / "late.canasta")
    shown = talk(
        path, "edit 2.name E Zoe", "9h", "", "void", "8h", "", "zoe + -4s", "hands", "quit"
    )
    tags = path.read_text().splitlines()
    assert tags.index('[E-from-2 "Zoe"]') == tags.index('[E "Mäx Weiß (Opa)"]') + 1
    assert "1. E + -4s" in tags and "E Zoe" in shown
    talk(path, "edit 2.name X Zoe", "quit")
    assert "X-from-2" not in path.read_text()
    talk(path, "edit 2.name E Max", "edit 1.name E Bert", "quit")
    assert '[E "Bert"]\n[E-from-2 "Max"]\n' in path.read_text()


def test_an_answer_at_a_final_table_can_be_taken_back(tmp_path: Path) -> None:
    path = begun(tmp_path / "table.canasta")
    shown = talk(path, "Max", "max", "N", "red", "back", "W", mode="--table")
    assert "`Max` is not understood. How did the deal end?" in shown
    assert "`max` is not understood: type the seat of the player who went out, or stock" in shown
    assert "`red` is not understood: type cards like 4s, K, T, * or 3r" in shown
    assert path.read_text().endswith("end out W\n")
    talk(path, "aaa kkk")
    assert path.read_text().endswith("melds NS A:AAA K:KKK\n")


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("end out A", "`end out A` is not understood. How did the deal end?"),
        ("end special N", "these rules have no special hands"),
        ("-", "This question cannot be skipped"),
    ],
)
def test_an_end_that_cannot_be_is_not_written(tmp_path: Path, said: str, reply: str) -> None:
    path = begun(tmp_path / "table.canasta")
    shown = talk(path, said, "", mode="--table")
    assert reply in " ".join(shown.split()) and "\nend" not in path.read_text()


def test_sheet_and_table_exclude_each_other(tmp_path: Path) -> None:
    args = ["record", "--sheet", "--table", str(tmp_path / "a.canasta")]
    assert CliRunner().invoke(app, args).exit_code == 2


# --- commands and corrections -------------------------------------------------------------------


def test_numbers_of_thousands_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    path.write_text('[CGN "1"]\n[Rules "classic"]\ndeal 1 dealer N\nup 9h\n')
    many = "9" * 5000
    shown = talk(path, f"undo {many}", f"turns {many}", f"{many}. E +", f"edit {many}", "quit")
    assert "type undo, or undo and the number of entries" in shown
    assert "internal error" not in shown


NAMED = ("classic", "Ana", "Bruno", "Carla", "Dario")


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
        (("9h", "Dario"), "name a seat and its threes, for example W 3h"),
        (("9h", "W two"), "two is not a red three: write 3h, 3d, or 3r if the suit is not known"),
        (("9h", "9h"), "9h is not a red three"),
        (("9h", "who"), "`who` is not understood: type a seat and its red threes"),
        (("9h", "none", "+ -K", "N 3h"), "tabled at the start, type N: 3h ..."),
        (("9h", "none", "+ KK -4"), "write `+KK` for a draw"),
        (("9h", "nobody", "drew a card"), "type a turn in signs, for example + 7:777 -4s"),
        (("9h", "none", "back"), "taken back: an answer that wrote nothing"),
        (("9h", "none", "+ -k", "x", "n"), "`x` is not a choice here: type y, or press Enter"),
        (("9h", "none", "+ -k", "?", "n"), "What did W (Dario) do?"),
    ],
)
def test_a_person_without_a_manual_learns_what_to_type(
    typed: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "first.canasta"
    shown = talk(path, *NAMED, "S", "", "2026-11-19", *typed, "", "quit")
    assert said in " ".join(shown.split())


def test_commands_show_and_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    lines = (
        *OPENING,
        *ENTRIES[:7],
        "table",
        "hands",
        "score",
        "turns 2",
        "help",
        "undo x",
        "edit 9",
    )
    output = talk(path, *lines)
    for shown in (
        "fives   3 cards  2 natural, 1 two",
        "S Carla    11  5s 5c 6s 6d Jh Jd Qc Ad Ad 2d 2d",
        "EW  total 0; ",
        "take back the last entry, or several",
    ):
        assert shown in output
    assert path.read_text().splitlines()[-1] == "1. E +8h 5:5h5d2s -Qs ~opening-low"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("undoo", "`undoo` is not understood: did you mean undo? If not, type ? for help"),
        ("tabel now", "`tabel` is not understood: did you mean table? If not, type ? for help"),
        (
            "xyzzy",
            "`xyzzy` is not understood: type a turn in signs, for example + 7:777 -4s, or",
        ),
        ("?", "take back the last entry, or several"),
        ("save", "type save and the name of a file"),
        ("ask", "`ask` is not understood"),
        ("up Th", "not right: "),
    ],
)
def test_text_that_is_not_a_command(typed: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "word.canasta"
    assert said in talk(path, *OPENING, "9h", "+ -Kd", typed, "quit")
    assert path.read_text().endswith("1. E + -Kd\n")


@pytest.mark.parametrize(
    ("typed", "turn", "said"),
    [
        (["edit 2", "+ -6"], "2. S + -6", "edit 2> + -6"),
        (["edit 2", ""], "2. S + -4s", "nothing was changed"),
        (["edit 2", "table"], "2. S + -4s", "edit 2> table"),
        (["edit 2", "+ -x", "", "+ -6"], "2. S + -6", "not right: `-x`"),
        (["edit 2", "+ -x", "+ -6"], "2. S + -6", "not right: `-x`"),
        (["edit 2", "+ -x", "back", "back"], "2. S + -4s", "nothing was changed"),
        (["edit 2", "+ -k", "y"], "2. S + -K", "y  write it as 2. S + -K"),
        (["edit 2 + -k", "y"], "2. S + -K", "y  write it as 2. S + -K"),
        (["edit 2 + -6"], "2. S + -6", "2. S + -6"),
        (["edit 9"], "2. S + -4s", "edit 12 (a turn)"),
        (["edit up", "Th"], "2. S + -4s", "up Th"),
    ],
)
def test_edit_line_by_line(typed: list[str], turn: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "edit.canasta"
    assert said in talk(path, *OPENING, "9h", "+ -Kd", "+ -4s", *typed, "+ -7c", "quit")
    turns = [line for line in path.read_text().splitlines() if line[0:1].isdigit()]
    assert turns == ["1. E + -Kd", turn, "3. W + -7c"]


def test_a_deal_that_can_no_longer_be_checked_can_be_recorded(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    end = DEAL.index("4. N +9c A:Ac 9:9d9c9c -3c")
    path.write_text("".join(line + "\n" for line in DEAL[:end]))
    shown = talk(path, "+9c A:Ac -Kh", "k", "+Ks -7c", "end out S", "", "500", "-", "9h")
    assert "k  keep it, marked as accepted by the players (~not-in-hand)" in shown
    assert shown.count("the rest of this deal cannot be checked") == 1
    assert "NS's score does not follow from the record: type it" in shown
    assert path.read_text().splitlines()[end:] == [
        "4. N +9c A:Ac -Kh ~not-in-hand",
        "5. E +Ks -7c",
        "end out S",
        "score NS 500",
        "",
        "deal 2 dealer E",
        "up 9h",
    ]


@pytest.mark.parametrize(
    ("typed", "said", "left"),
    [
        (("9h", "W 1, S 2", "undo"), "taken back: W: 3r ... +_", "up 9h"),
        (("9h", "W 1", "undo", "W 2", "+ -4", "undo"), "taken back: 1. E + -4", "up 9h"),
        (("9h", "W 1, S 9, E 1", "undo"), "taken back: W: 3r ... +_", "up 9h"),
        (("9h", "none", "undo 2"), "taken back: up 9h", '[Result "*"]'),
        (("9h", "-", "+ -4", "+ -5", "edit 1 + -6", "undo"), "restored: 1. E + -4", "2. S + -5"),
        (("9h", "-", "+ -4", "edit 1 + -6", "undo 2"), "taken back: 1. E + -6", "up 9h"),
        (("9h", "-", "+ -4", "note slow", "undo"), "restored: 1. E + -4", "1. E + -4"),
        (("edit dealer W", "9h", "undo 2"), '[Dealer "N"]', '[Result "*"]'),
        (("9h", "-", "end stock", "w", *[""] * 8, "-", "undo"), "wrote nothing", "end stock"),
        (("9h", "-", "end stock", "w", *[""] * 8, "-", "-", "undo"), "back: deal 2", "end stock"),
        (("9h", "-", "end stock", "w", *[""] * 8, "-", "50", "undo"), "back: deal 2", "end stock"),
    ],
)
def test_undo_takes_back_what_was_entered_last(
    typed: tuple[str, ...], said: str, left: str, tmp_path: Path
) -> None:
    path = tmp_path / "undo.canasta"
    assert said in talk(path, *OPENING, *typed, "quit")
    assert path.read_text().splitlines()[-1] == left


def test_undo_after_a_restart_goes_back_by_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "undo.canasta"
    talk(path, *OPENING, "9h", "-", "end stock", "w", *[""] * 8, "-", "50")
    assert path.read_text().endswith("score EW 50\n\ndeal 2 dealer E\n")
    assert "deal 1 melds NS> undo" in talk(path, "undo", "undo", "quit")
    assert path.read_text().endswith("deal 1 dealer N\nup 9h\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[CGN "1"]\ndeal 1\n1. N +5h -\n', "canasta validate shows them"),
        ('[CGN "1"]\n[Rules "poker"]\n', "there is no profile poker"),
        ("\xff".encode("latin-1"), "not text"),
    ],
)
def test_records_that_cannot_be_continued(
    content: str | bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.canasta"
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    result = CliRunner().invoke(app, ["record", str(path)], input="9h\n")
    assert (result.exit_code, path.read_bytes()) == (2, data)
    assert message in result.output


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("", ""), ""),
        (("5. E +6c", "5. E +9c"), "this game has 1 error (see `canasta validate a.canasta`) "),
        (("score EW 395", "score EW 390"), "; the computed totals are used, not the written ones "),
        (("EW 395\n", "EW 400\n"), "; the computed totals are used, not the written ones "),
    ],
)
def test_a_record_with_errors_is_not_continued_silently(
    change: tuple[str, str], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.canasta"
    path.write_text((SAMPLES / "first-deal.canasta").read_text().replace(*change))
    shown = " ".join(talk(path, "quit").split())
    assert said in shown and bool(said) == ("this game has" in shown)


def test_line_ends_and_games_above_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "two.canasta"
    first = (SAMPLES / "thursday-club.canasta").read_text()
    path.write_bytes(
        ("\ufeff" + first + "\n" + "\n".join(DEAL) + "\n").replace("\n", "\r\n").encode()
    )
    before = path.read_bytes()
    talk(path, "9h")
    assert path.read_bytes() == before + b"\r\ndeal 2 dealer E\r\nup 9h\r\n"


# --- anything ------------------------------------------------------------------------------------

#: What may be typed at any prompt; most of it is wrong there.
ANYTHING = (
    *("undo", "undo 3", "undo x", "edit", "edit 2", "edit 99", "edit up", "edit N:", "edit E: 4s"),
    *("note", "note hi \x1b[31m", "table", "hands", "score", "turns 3", "help", "?", "save", "ask"),
    *("k", "p", "w", "y", "", "-", "back", "end", "end out N", "end stock", "end unfinished"),
    *("total NS 5 EW 5", "score NS 5", "deal 9", "deal 2 dealer X", "penalty NS 50 upcard"),
    *("^", "^/3", "^ K:KK -Q", "+", "+ -", "+ -_", "+Ks -Ks", "12. N + -4", "N: 4s 4s 4s", "up 9h"),
    *("\x00", "é", '[N "x"]', "; c", "9" * 3000, "stock 4s 5s", "1 1 0 200 out", "0 0 0 5/-5"),
)


@pytest.mark.parametrize("seed", range(int(os.environ.get("CANASTA_TYPED", "8"))))
def test_whatever_is_typed_the_record_can_be_read(seed: int, tmp_path: Path) -> None:
    """Entries with anything between them cause no crash, and the file can be continued."""
    rng = Random(seed)
    path = tmp_path / "any.canasta"
    sheet = {0: ["--sheet"], 1: ["--table"]}.get(seed % 4, [])
    opening = OPENING if rng.random() < 0.7 else ("american-4p", *[""] * 7)
    typed = list(opening)
    for entry in ENTRIES[: rng.randrange(len(ENTRIES))]:
        typed += [entry, *rng.choices(ANYTHING, k=rng.choice((0, 0, 1, 2)))]
    typed += rng.choices(ANYTHING, k=15)
    done = CliRunner().invoke(app, ["record", *sheet, str(path)], input="\n".join(typed) + "\n")
    assert done.exit_code == 0, done.output
    written = path.read_bytes()
    assert "error[syntax]" not in CliRunner().invoke(app, ["validate", str(path)]).output
    again = CliRunner().invoke(app, ["record", *sheet, str(path)], input="quit\n")
    assert again.exit_code == 0 or "a deal is in progress" in again.output
    assert path.read_bytes() == written
