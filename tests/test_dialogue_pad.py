"""The score pad: real score sheets typed row by row, and what it asks for."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.dialogue.view import score_rows, totals_rows
from canasta_notation.notation.document import Game, ScoreLine
from canasta_notation.notation.reader import read_text
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import Look, paint
from tests.record_scripts import NAMES, ROWS
from tests.recorders import begun, talk

SAMPLES = Path(__file__).parent.parent / "samples"

ROOT = Path(__file__).parent.parent


def sheet_answers(game: str) -> list[str]:
    """Return what a person types to record one of the two real games from its score pad."""
    rules = "classic score.red3_minus=no-canasta score.melds_minus=no-canasta"
    answers = [rules, "", "", "", "", "N", f"Score sheet {game}", "2021-04-10"]
    path = Path(__file__).parent / "recorded" / "score-sheets.csv"
    with path.open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["game"] == game:
                out = " out" if row["went_out"] == "1" else ""
                penalty = f" penalty {row['penalty_pts'].lstrip('-')}" * (row["penalties"] != "0")
                counts = f"{row['naturals']} {row['mixed']} {row['red_threes']}"
                answers.append(f"{counts} {row['net_cards_pts']}{out}{penalty}")
                answers.append(row["score"])  # what was on paper
    return answers


def figures(text: str) -> tuple[dict[str, str], list[object]]:
    """Return the tags, and the scores with their items and the totals, of every deal."""
    [reading] = read_text(text)
    game: Game = reading.game
    assert not reading.problems
    tags = {tag.name: tag.value for tag in game.tags if tag.name != "Source"}
    lines = [(deal.dealer, *map(_plain, deal.scores), deal.total) for deal in game.deals]
    return tags, [*lines, *(len(deal.play) for deal in game.deals)]


def _plain(line: ScoreLine) -> tuple[str, int, tuple[tuple[str, int], ...] | None]:
    return line.side, line.score, line.items


@pytest.mark.parametrize("game", ["1", "2"])
def test_the_real_score_sheets(game: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    shown = talk(path, *sheet_answers(game), mode="--sheet")
    sample = (SAMPLES / f"score-sheet-{game}.canasta").read_text()
    assert figures(path.read_text()) == figures(sample)
    assert "the game is over: EW has won (NS" in shown


def test_the_pad_asks_figure_by_figure(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    opening = [*[""] * 10, "2026-11-19"]  # the rules, three house rules, players, dealer, event
    asked = ["", "4", "back", "", "0", "0", "0", "0", "back"]  # each time back to the whole row
    row = ["", "", "1", "2", "275", "y", "", "", ""]
    talk(path, *opening, *asked, *row, "quit", mode="--sheet")
    assert path.read_text().endswith("score NS 875 = mixed 300 red3 200 out 100 cards 275\n")


@pytest.mark.parametrize(
    ("first", "asked", "line"),
    [
        (["0 1 0 275", ""], 0, "score NS 20 = cards 20\n"),
        (
            ["0 1 0 275 bonus 50 cut", ""],
            1,
            "bonus NS 100 house\nscore NS 120 = cards 20 bonus 100\n",
        ),
        (["0 1 0 275 bonus 50 cut", "", "undo", "0 1 0 275", ""], 0, "score NS 20 = cards 20\n"),
    ],
    ids=["no bonus", "a bonus", "a bonus that was taken back"],
)
def test_a_bonus_is_asked_for_only_in_a_game_that_has_one(
    first: list[str], asked: int, line: str, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.canasta"
    rows = [*first, "0 0 0 5", "", "", "0", "0", "0", "20", "no", "0", *["?", "100"] * asked, ""]
    said = talk(path, *[""] * 10, "2026-11-19", *rows, "quit", mode="--sheet")
    assert said.count("NS bonuses [0]>") == 2 * asked, said
    assert words(said).count("points that the table gave") == asked
    assert path.read_text().endswith(f"deal 2 dealer E\n{line}")


@pytest.mark.parametrize(
    ("rules", "figures", "asked", "line"),
    [
        ("samba", ["1", "", "1"], "five numbers", "score NS 2675 = natural 500 sequence 1500"),
        ("bolivia", ["", "", "1", "1"], "six numbers", "score NS 4675 = wild 2500 sequence 1500"),
    ],
)
def test_the_pad_asks_for_every_kind_of_canasta(
    rules: str, figures: list[str], asked: str, line: str, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.canasta"
    opening = [rules, *[""] * 7, "2026-11-19"]
    said = talk(path, *opening, "?", "", *figures, "2", "275", "y", "", "", "", mode="--sheet")
    assert asked in said and "sequences of seven [0]>" in said
    assert line in path.read_text()


@pytest.mark.parametrize("row", [["0 0 0 0 special 3000"], [*[""] * 11, "3000", ""]])
def test_a_special_hand_of_a_side_of_one_player_ends_the_deal(
    row: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "sheet.canasta"
    said = talk(path, "american-2p", *[""] * 4, "2026-11-19", *row, "", "quit", mode="--sheet")
    assert "\nend special N\nscore N 3000 = special 3000 cards 0\n" in path.read_text(), said


def test_a_house_rule_after_skipped_rules_names_the_default_rules(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    talk(path, "-", "yes", "", "", "Ana", "Bo", mode="--sheet")
    assert '[Rules "classic score.red3_minus=no-canasta"]\n[N "Ana"]' in path.read_text()


def test_the_pad_asks_again_for_what_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    lines = [*[""] * 10, "2026-11-19", "", "x", "1", "1", "5", "0", "2 7", "365/-90", "E", "y"]
    lines += ["E", "N", "no", "z", "100", "", "quit", ""]
    said = [line.strip() for line in talk(path, *lines, mode="--sheet").splitlines()]
    for expected in (
        "x is not a number of canastas",
        "the deck has 4 red threes, not 5",
        "type yes or no; Enter accepts the answer in brackets",
        "E is not a seat of NS",
        "z is not a number of points",
    ):
        assert expected in said
    assert path.read_text().endswith(
        "penalty NS 100 house\nend out N\n"
        "score NS 1075 = natural 500 mixed 300 out 100 melds 365 hand -90 penalty -100\n"
    )


def test_a_sheet_with_scores_on_paper(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "sheet.canasta"
    assert talk(path, *ROWS, "quit", mode="--sheet") == snapshot
    assert path.read_text().partition("deal 1")[2] == snapshot


def test_a_deal_of_a_pad_that_counts_nothing(tmp_path: Path) -> None:
    path = begun(tmp_path / "pad.canasta")
    answers = ["void", "0 0 0 100", "", "time", "0 0 0 50", "", "Time", "quit"]
    shown = talk(path, *answers, mode="--sheet")
    assert "this deal has a row already: type undo, then time" in " ".join(shown.split())
    deals = path.read_text().split("\n\n")[1:]
    assert deals[0] == "deal 1 dealer N\nend void"
    assert deals[1].startswith("deal 2 dealer N\nscore NS 100")
    assert deals[2] == "deal 3 dealer E\nend time\n"
    assert '[Result "NS 100 EW 50"]' in path.read_text()


def test_changing_an_earlier_row_changes_later_totals(tmp_path: Path) -> None:
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


def words(shown: str) -> str:
    """Return what was shown without its line breaks."""
    return " ".join(shown.split())


def test_a_total_of_ten_digits_is_refused(tmp_path: Path) -> None:
    """Every question that computes a score or a total says so, and the record stays as it was."""
    text = begun(tmp_path / "sheet.canasta").read_text()
    low = "deal 1 dealer N\nscore NS -999999999\nscore EW 0\ntotal NS -999999999 EW 0\n"
    path = tmp_path / "low.canasta"
    path.write_text(f"{text}\n{low}")
    shown = talk(path, "0 0 0 -100", "", "0 0 0 100", "quit", mode="--sheet")
    assert "the total of NS would be -1000000099; a record holds at most 9 digits" in words(shown)
    assert path.read_text().endswith("deal 2 dealer E\nscore NS -100 = cards -100\n")
    shown = talk(path, "edit 2 NS 0 0 0 0", "", "0 0 0 100", "-5", "", "quit", mode="--sheet")
    assert "the total of NS would be" not in words(shown)
    shown = talk(
        path, "edit 2 NS 0 0 0 100", "-5", "", "edit 2 NS score -5", "quit", mode="--sheet"
    )
    assert words(shown).count("the total of NS would be -1000000004") == 2
    assert path.read_text().endswith("total NS -999999899 EW 100\n")

    many = begun(tmp_path / "many.canasta")
    row = "0 0 0 0" + " penalty 999999 x" * 1001
    assert "the score of NS would be -1000998999" in words(talk(many, row, mode="--sheet"))
    assert many.read_text() == text

    played = tmp_path / "played.canasta"
    lost = "penalty NS 999999999 x\n" * 2
    nothing = "melds NS\nmelds EW\nthrees NS\nthrees EW\nleft N\nleft E\nleft S\nleft W\n"
    played.write_text(f"{text}\ndeal 1 dealer N\n{lost}end stock\n{nothing}")
    assert "NS's score does not follow from the record" in words(talk(played, "", "quit"))


def test_a_row_can_be_only_the_score(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    talk(path, "945", "-85", "edit 1 EW", "395", mode="--sheet")
    assert path.read_text().endswith("score NS 945\nscore EW 395\ntotal NS 945 EW 395\n")


def test_other_entries_can_be_typed_when_a_score_on_paper_is_asked_for(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    talk(path, "0 1 2 275", "score", "back", "0 1 2 285", "", "0 0 0 50", "undo", mode="--sheet")
    assert path.read_text().endswith(
        "deal 1 dealer N\nscore NS 785 = mixed 300 red3 200 cards 285\n"
    )


def test_undo_of_a_changed_row_restores_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    shown = talk(
        path, "1 0 1 275 out", "", "edit 1 NS", "2 0 1 275 out", "", "undo", mode="--sheet"
    )
    assert "restored: score NS 975" in shown
    assert path.read_text().endswith("score NS 975 = natural 500 red3 100 out 100 cards 275\n")


def test_a_command_in_answer_to_a_wrong_row(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta", "american-4p")
    talk(path, "1 2 300 400", "", "note one", "1 0 -100 200", "undo", mode="--sheet")
    assert path.read_text().endswith(
        "deal 1 dealer N\nscore NS 1800 = natural 500 mixed 600 threes 300 cards 400\n"
    )


def test_a_question_mark_after_a_line_to_change_asks_for_help(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta")
    shown = talk(path, "0 1", "0 1?", "0 1 0 100", "", mode="--sheet")
    assert "the score alone\n" in shown
    assert "score NS 400 = mixed 300 cards 100\n" in path.read_text()


@pytest.mark.parametrize(
    ("typed", "said", "written"),
    [
        (("0 1 0 215", ""), "score NS 515", "score NS 515 = mixed 300 cards 215\n"),
        (("c", "edit 1 ns 0 1 0 5", "5O", ""), "`5O` is not understood. The", "score NS 305 ="),
        (("hello", ""), "`hello` is not understood: type four numbers", "cards 275\n"),
        (("890", "p"), "890 is 15 too high", "score NS 890 = mixed 300 red3 200 out 100 cards"),
        (("", "", "665", "p"), "nothing was changed", "score NS 665 = mixed 300 red3 200 out"),
        (("", "", "back", "", ""), "NS score on paper [875]>", "score NS 875 = mixed 300 red3"),
        (("p", "edit 1 NS", "", "0 0 0 9"), "nothing was changed", "score NS 1000 = mixed 300"),
        (("back", "0 1 0 215", ""), "edit 1 NS> 0 1 0 215", "score NS 515 = mixed 300 cards 215\n"),
    ],
)
def test_a_row_that_differs_from_its_score_can_be_typed_again(
    typed: tuple[str, ...], said: str, written: str, tmp_path: Path
) -> None:
    path = begun(tmp_path / "sheet.canasta")
    assert said in talk(path, "0 1 2 275 out", "1000", *typed, "quit", mode="--sheet")
    assert written in path.read_text()


def test_a_house_rule_that_explains_a_score_on_paper_is_named(tmp_path: Path) -> None:
    begun = ("classic", "", "", "", *NAMES, "N", "", "2026-11-19")
    shown = talk(tmp_path / "a.canasta", *begun, "0 0 2 90", "-110", "c", mode="--sheet")
    assert "-110 is 400 too low: the row comes to 290" in shown
    assert "it is right if red threes count against a side without a canasta (edit rules" in shown


def test_a_player_may_be_called_by_a_number(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    rows = ("1 0 2 275 Out 3", "", "0 2 0 100", "", "", "0 1 2 275", "0", "back")
    shown = talk(path, "classic", "", "", "", *"1234", "N", "", "", *rows, mode="--sheet")
    assert "end out S\nscore NS 1075 = natural 500 red3 200 out 100 cards 275" in path.read_text()
    assert "type one figure; `back` returns to the row" in shown


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ((), "deal 1, dealer N: NS 0 (needs 50 to open), EW 0 (needs 50 to open)"),
        (("500",), "deal 1, dealer N: NS 0 (needs 50 to open), EW 0 (needs 50 to open)"),
        (("1600", "300"), "deal 2, dealer E: NS 1600 (needs 90 to open), EW 300"),
        (("1600", "300", "-200"), "deal 2, dealer E: NS 1600 (needs 90 to open), EW 300"),
    ],
)
def test_the_totals_are_those_before_the_deal_that_is_scored(
    tmp_path: Path, rows: tuple[str, ...], shown: str
) -> None:
    path = begun(tmp_path / "before.canasta")
    talk(path, *(f"score {each}" for each in rows), "quit", mode="--sheet")
    standing = Standing(path.read_text().splitlines())
    assert " ".join(paint(totals_rows(standing, Look(80)), colour=False).split()).startswith(shown)


@pytest.mark.parametrize(("last", "open_deal"), [("7. W", True), ("8. N", False), ("total", False)])
def test_what_a_deal_would_be_worth_is_said_while_it_is_played(last: str, open_deal: bool) -> None:
    lines = (ROOT / "samples" / "first-deal.canasta").read_text().splitlines()
    end = next(at for at, line in enumerate(lines) if line.startswith(last))
    shown = paint(score_rows(Standing(lines[: end + 1])), colour=False)
    assert ("775 for this deal if it ended now" in shown) is open_deal
    assert ("total 910" in shown) is not open_deal


#: An evening of Hand and Foot in four deals, as its scorer types it: each row, and the score on
#: paper.
FEET = """
1 7 980/-160 | 3420
1 6 915/-150 out W | 3165
2 6 925/-265 | 3460
3 6 900/-10 out E | 4290
2 8 1235/-155 | 4480
5 6 1015/-100 | 5215
4 7 1195/-55 | 5240
2 9 905/-830 | 3775
"""


def test_an_evening_of_hand_and_foot_is_counted_in_books(tmp_path: Path) -> None:
    path = begun(tmp_path / "sheet.canasta", "hand-and-foot")
    asked = words(talk(path, "", "1", "7", "980/-160", "", "", "quit", mode="--sheet"))
    assert "deal 1 NS (clean dirty cards)> " in asked
    assert "NS clean (red) books [0]> 1" in asked and "NS dirty (black) books [0]> 7" in asked
    asked = words(talk(path, "undo", "", "?", "back", "quit", mode="--sheet"))
    assert "How many clean (red) books: seven cards or more of a rank, without wild cards" in asked
    typed = [part for line in FEET.strip().splitlines() for part in line.split(" | ")]
    shown = talk(path, *typed, "edit 3 NS black 7", "", "edit 3 NS dirty 8", "", mode="--sheet")
    assert "the game is over: NS (Ana) has won (NS 16600 EW 16445)" in words(shown)
    assert "score NS 4180 = natural 1000 mixed 2100" in words(shown)
    assert "score NS 4480 = natural 1000 mixed 2400" in path.read_text()


@pytest.mark.parametrize("name", ["red", "clean"])
def test_other_games_have_no_books(tmp_path: Path, name: str) -> None:
    path = begun(tmp_path / "sheet.canasta")
    talk(path, "1 0 1 275 out", "", f"edit 1 NS {name} 2", mode="--sheet")
    assert "score NS 975 = natural 500 red3 100 out 100 cards 275" in path.read_text()
