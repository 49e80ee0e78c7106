"""The recorder without its prompts: what entries become, what they cause, what takes them back."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.generate import play_game
from canasta_notation.notation.document import Game, ScoreLine
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.recorder.closing import computed_line, propose_score, with_total
from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.corrections import find_line, note, undo
from canasta_notation.recorder.known import known_of
from canasta_notation.recorder.opening import new_record, tag_problem
from canasta_notation.recorder.proposal import keep, penalty_for, propose, propose_edit
from canasta_notation.recorder.sheet import SheetRow, parse_row, propose_row
from canasta_notation.recorder.shorthand import expand, recased
from canasta_notation.recorder.standing import NotRecordable, Standing
from canasta_notation.rules import load_profile, profile_names
from tests.erasing import Forgetting
from tests.record_scripts import ENTRIES, OPENING

SAMPLES = Path(__file__).parent.parent / "samples"
DEAL = (Path(__file__).parent / "recorded" / "deal.canasta").read_text().splitlines()
TAGS = {"Rules": "classic", "Dealer": "N"}


def begun(*entries: str, tags: dict[str, str] | None = None) -> Standing:
    """Return a record after entries that are all right."""
    standing = Standing(new_record(tags or TAGS))
    for entry in entries:
        proposal = propose(standing, entry)
        assert not proposal.errors, proposal.errors
        assert proposal.after is not None
        standing = proposal.after
    return standing


def up_to(line: str) -> Standing:
    """Return the recorded deal up to before a line."""
    return Standing(DEAL[: DEAL.index(line)])


TURN_16 = "16. N ^Jh J:JdJc 7:7h7c 6:6s6s6h6d6c 8:8h8h8c8c Q:QsQsQc -4c !"


# --- a turn more ---------------------------------------------------------------------------------


def test_a_turn_typed_is_read_and_replayed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = up_to(TURN_16)
    monkeypatch.setattr("canasta_notation.recorder.standing.read_games", None)
    proposal = propose(standing, TURN_16)
    assert proposal.written == (TURN_16,) and not proposal.errors
    assert propose(standing, "+ K:KsKh -4c").errors


@pytest.mark.parametrize("seed", range(6))
def test_turn_by_turn_the_record_stands_as_if_read_anew(seed: int) -> None:
    rng = Random(seed)
    profile = load_profile(rng.choice(profile_names()))
    text = format_game(play_game(profile, seed, deals=1))
    lines = Forgetting(rng).text(text).splitlines() if seed else DEAL
    lines[-12:] = rng.sample(lines[-12:], 12) if seed % 2 else lines[-12:]
    grown = Standing(lines[:3])
    for at in range(4, len(lines) + 1):
        grown = Standing(lines[:at], grown.place, grown)
        whole = Standing(lines[:at])
        assert grown.reading.game == whole.reading.game
        assert grown.report == whole.report, lines[at - 1]
        assert (grown.phase, grown.end_line, grown.may_end) == (
            *(whole.phase, whole.end_line, whole.may_end),
        )
        assert (grown.state(), grown.turn_due, grown.top) == (
            *(whole.state(), whole.turn_due, whole.top),
        )


# --- what is known of a refused card ------------------------------------------------------------

ACES = ("9h", "+ A:AAAA -4", "+ -Ac", "+ -Ac", "+ -6")


@pytest.mark.parametrize(
    ("wrong", "held", "where"),
    [
        (
            "+ A:AAA -4",
            "7 cards that nobody saw",
            "at most 2 aces can be among those: 6 of 8 are seen, 4 in the melds of EW and 2 in the "
            "pile",
        ),
        (
            "+ -Ac",
            "7 cards that nobody saw",
            "no Ac can be among those: all 2 are seen, 2 in the pile",
        ),
        (
            "+Ac -4",
            "7 cards that nobody saw",
            "no Ac can come from the stock: all 2 are seen, 2 in the pile",
        ),
        ("+ A:As2c2d*** -4", "7 cards that nobody saw", None),
    ],
)
def test_a_card_that_cannot_be_in_a_hand_is_accounted_for(
    wrong: str, held: str, where: str | None
) -> None:
    proposal = propose(begun(*ACES), wrong)
    known = [text for finding in proposal.errors for text in known_of(proposal, finding)]
    assert known == ([f"before this turn E held {held}", where] if where else [])


# --- what is left out ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("+ -4s", "2. S + -4s"),
        ("S + -4s", "2. S + -4s"),
        ("2. + -4s", "2. S + -4s"),
        ("2. S + -4s", "2. S + -4s"),
        ("W + -4s", "2. W + -4s"),
        ("  + -4s  ", "2. S + -4s"),
        ("^ 9:99 -K", "2. S ^9d 9:99 -K"),
        ("^/2 9:99 -K", "2. S ^9d/2 9:99 -K"),
        ("^9d 9:99 -K", "2. S ^9d 9:99 -K"),
        ("+ -4s ; ^ is not read here", "2. S + -4s ; ^ is not read here"),
        ("+ 777 KK2 -4s", "2. S + 7:777 K:KK2 -4s"),
        ("+ 777 KK -4s", "2. S + 7:777 K:KK -4s"),
        ("+ ask=yes 44 -K", "2. S + ask=yes 4:44 -K"),
        ("+ 44 -K", "2. S + 44 -K"),
        ("^ KK 2K -4s", "2. S ^9d K:KK K:2K -4s"),
        ("+5h 10h10d* 2:22* -4s", "2. S +5h T:10h10d* 2:22* -4s"),
        ("+ 222 3b3b3b 78K 77 -4s", "2. S + 222 3b3b3b 78K 77 -4s"),
        ("N: 4s ...", "N: 4s ..."),
        ("penalty EW 50 upcard", "penalty EW 50 upcard"),
        ("end stock", "end stock"),
        ("9h", "2. S 9h"),
    ],
)
def test_what_an_entry_stands_for(entry: str, line: str) -> None:
    assert expand(begun("Kh", "+ -9d"), entry) == line


def test_bare_cards_are_those_turned_up_before_the_first_turn() -> None:
    assert expand(begun(), "2c 9h") == "up 2c 9h"
    assert expand(begun("N: 4s ..."), "9h") == "up 9h"
    assert expand(begun("9h"), "9h") == "1. E 9h"


def test_the_first_entry_of_a_deal_brings_its_line() -> None:
    assert propose(begun(), "9h").written == ("deal 1 dealer N", "up 9h")
    assert begun("9h").lines[-3:] == ("", "deal 1 dealer N", "up 9h")


def test_a_comment_above_a_deal_stays_above_it() -> None:
    standing = note(Standing([*DEAL, "; over"]), "a late start")
    after = propose(standing, "9h").after
    assert after is not None
    assert after.lines[-5:] == ("", "; over", "; a late start", "deal 2 dealer E", "up 9h")


def test_a_hand_goes_to_its_place_sorted() -> None:
    standing = begun("9h", "+ -4s", "N: Ks 4d 3h +5c ...")
    assert standing.lines[-4:] == (
        "deal 1 dealer N",
        "N: 3h 4d Ks ... +5c",
        "up 9h",
        "1. E + -4s",
    )


def test_without_a_dealer_the_seat_is_asked_for() -> None:
    standing = begun("9h", tags={"Rules": "classic"})
    assert standing.seat_due is None
    assert propose(standing, "+ -4s").after is None
    assert propose(standing, "W + -4s").written == ("1. W + -4s",)


@pytest.mark.parametrize(
    ("entry", "spelled"),
    [
        ("+ -k", "+ -K"),
        ("s +9H -4S", "S +9h -4s"),
        ("+ k:kskd2C -9s", "+ K:KsKd2c -9s"),
        ("n: ks 4d", "N: Ks 4d"),
        ("+ -4s", None),
        ("+ -x", None),
    ],
)
def test_the_wrong_case_is_told_and_never_changed(entry: str, spelled: str | None) -> None:
    standing = begun("9h", "+ -4s")
    proposal = propose(standing, entry)
    assert recased(standing, entry) == spelled
    if spelled is not None:
        assert proposal.after is None
        assert (proposal.recased, proposal.errors[0].code) == (spelled, "syntax")


# --- judging ------------------------------------------------------------------------------------


def test_a_finding_stands_on_the_line_that_would_be_written() -> None:
    standing = up_to("4. N +9c A:Ac 9:9d9c9c -3c")
    proposal = propose(standing, "+9c A:Ac -Kh")
    [finding] = proposal.errors
    assert (finding.code, finding.turn, finding.span) == ("not-in-hand", 4, (21, 15, 18))
    assert proposal.excerpts == {21: "4. N +9c A:Ac -Kh"}
    assert standing.lines == up_to("4. N +9c A:Ac 9:9d9c9c -3c").lines


def test_an_irregularity_can_be_kept_with_its_penalty() -> None:
    standing = up_to("2. S +7h A:AdAd2d open=60 -7h")
    proposal = propose(standing, "^ Q:Qc2d -5s")
    kept = keep(proposal)
    assert kept is not None
    assert kept.written == ("2. S ^Qs Q:Qc2d -5s ~pile-frozen ~opening-low",)
    assert {(each.code, each.acknowledged) for each in kept.findings} == {
        ("pile-frozen", True),
        ("opening-low", True),
    }
    assert penalty_for(proposal) == "penalty NS 50 upcard"


def test_what_cannot_be_kept() -> None:
    standing = begun("9h", "+ -4s")
    assert keep(propose(standing, "+ -k")) is None, "what cannot be read"
    assert keep(propose(standing, "5. S + -9s")) is None, "a false claim"
    false = propose(standing, "end stock")
    assert keep(false) is None and false.writable


def test_a_penalty_comes_before_the_end_of_its_deal() -> None:
    standing = Standing(DEAL[: DEAL.index("score NS 1115 = melds 430 mixed 600 out 100 hand -15")])
    after = propose(standing, "penalty NS 100 ask").after
    assert after is not None
    assert after.lines[-2:] == ("penalty NS 100 ask", "end out N")


# --- taking back --------------------------------------------------------------------------------


def test_undo_takes_back_entry_after_entry_to_the_tags() -> None:
    standing = Standing(DEAL)
    lengths = []
    while True:
        standing, gone = undo(standing)
        if not gone:
            break
        assert not standing.reading.problems
        lengths.append(len(standing.lines))
    assert standing.lines == tuple(line for line in DEAL if line.startswith("["))
    # Scores one by one (the total with the last), the last turn with its end, a comment alone.
    assert len(lengths) == 2 + 32 + 1 + 5


@pytest.mark.parametrize("end", range(DEAL.index("up 6s"), len(DEAL)))
def test_undo_of_an_entry_is_the_record_before_it(end: int) -> None:
    if DEAL[end - 1].startswith(("end", "score EW")) or DEAL[end].startswith("end"):
        return
    standing = Standing(DEAL[:end])
    after = propose(standing, DEAL[end].partition(" ;")[0]).after
    assert after is not None
    assert undo(after)[0].lines == standing.lines


def test_undo_of_the_result_reopens_it() -> None:
    lines = (SAMPLES / "thursday-club.canasta").read_text().splitlines()
    standing = Standing(lines)
    assert standing.phase == "over"
    after, gone = undo(standing)
    assert gone == ["; North-South win by 815"]
    after, gone = undo(after)
    assert [line.split()[0] for line in gone] == ["score", "total"]
    assert (after.phase, after.side_due) == ("scores", "EW")


def test_edit_corrects_a_line_in_its_place() -> None:
    standing = Standing(DEAL)
    at = find_line(standing, "16")
    assert at is not None and standing.lines[at] == TURN_16
    proposal = propose_edit(standing, at, "^ J:JdJc 7:7h7c 6:6s6s6h6d6c 8:8h8h8c8c Q:QsQsQc -4c")
    assert proposal.written == (TURN_16.removesuffix(" !"),)
    seven = find_line(standing, "1.7")
    assert seven is not None
    kept = propose_edit(standing, seven, "+5c 5:5d5c -3s @9")
    assert kept.written == ("7. W +5c 5:5d5c -3s @9 ; Dario thinks for a minute",)
    assert find_line(standing, "33") is None
    assert find_line(standing, "2.1") is None
    hand = find_line(standing, "N:")
    assert hand is not None and standing.lines[hand].startswith("N: 3c")


def test_an_edit_tells_what_it_breaks_later() -> None:
    standing = Standing(DEAL)
    at = find_line(standing, "4")
    assert at is not None
    proposal = propose_edit(standing, at, "+9c A:Ac 9:9d9c9c -7s")
    assert [finding.turn for finding in proposal.errors][:1] == [12]
    assert keep(proposal) is None and proposal.writable, "the later line can be put right next"
    assert not propose_edit(standing, at, "+9c A:Ac 9:9d9c9c -Kh").writable


@pytest.mark.parametrize("line", ["end unfinished", "end out N"])
def test_a_line_that_cannot_stand_there_is_never_written(line: str) -> None:
    proposal = propose(begun("9h", "+ -Kd", "end unfinished"), line)
    assert [each.code for each in proposal.errors] == ["syntax"]
    assert not proposal.writable and keep(proposal) is None


def test_a_note_stands_where_there_is_room() -> None:
    standing = note(begun("9h", "+ -4s"), "  slow \t play ")
    assert standing.lines[-1] == "1. E + -4s ; slow play"
    assert note(standing, "very").lines[-2:] == ("1. E + -4s ; slow play", "; very")
    assert undo(standing)[1] == ["; slow play"]


# --- the end of a deal --------------------------------------------------------------------------


def test_the_play_brings_the_end_line() -> None:
    proposal = propose(up_to("32. N +7d 7:7d -Kh #"), "+7d 7:7d -Kh #")
    assert proposal.written == ("32. N +7d 7:7d -Kh #", "end out N")
    assert proposal.after is not None
    assert (proposal.after.phase, proposal.after.side_due) == ("scores", "NS")


def test_scores_as_the_players_say_them() -> None:
    standing = Standing(DEAL[: DEAL.index("end out N") + 1])
    line = "score NS 1115 = melds 430 mixed 600 out 100 hand -15"
    assert computed_line(standing, "NS") == line
    for said in ("", "1115"):
        agreed = propose_score(standing, "NS", said)
        assert agreed is not None and agreed.written == (line,)
    differs = propose_score(standing, "NS", "1200")
    assert differs is not None and [each.code for each in differs.errors] == ["score"]
    assert differs.writable and differs.written == ("score NS 1200",)
    assert agreed.after is not None
    last = propose_score(agreed.after, "EW", "")
    assert last is not None and last.after is not None
    assert last.written[-1] == "total NS 1115 EW 925"
    assert (last.after.phase, last.after.deal_due, last.after.dealer_due) == ("deal", 2, "E")


def test_a_score_that_the_play_does_not_decide_is_asked_for() -> None:
    standing = begun("9h", "+ -4s")
    claimed = propose(standing, "end stock").after
    assert claimed is not None
    assert propose_score(claimed, "NS", "") is None
    said = propose_score(claimed, "NS", "-300")
    assert said is not None and said.written == ("score NS -300",)


def test_the_result_is_written_when_the_game_is_won() -> None:
    lines = (SAMPLES / "thursday-club.canasta").read_text().splitlines()
    lines = ['[Result "*"]' if line.startswith("[Result") else line for line in lines]
    last = next(at for at, line in enumerate(lines) if line.startswith("43. N"))
    after = propose(Standing(lines[:last]), lines[last]).after
    assert after is not None
    assert after.header.result_tag is not None
    assert after.header.result_tag.value == "NS 5480 EW 4665"


# --- completion ---------------------------------------------------------------------------------


def test_completion_knows_the_legal_plays() -> None:
    standing = up_to(TURN_16)
    assert [each.text for each in complete(standing, "")] == ["+", "^Jh J:JdJc"]
    assert complete(standing, "^")[0].about == "takes 16 cards"
    offered = {each.text: each.about for each in complete(standing, "+4s ")}
    assert offered["-4s"] == "discards"
    assert "-Kh" not in offered
    assert complete(standing, "+4s -Kh ") == []
    unseen = complete(begun("9h"), "+ ")
    assert [each.text for each in unseen] == ["ask=yes", "ask=no"], "no card of it is known"


# --- new records --------------------------------------------------------------------------------


def test_a_new_record_has_what_was_answered() -> None:
    assert new_record({"N": "Ana", "Date": "2026-11-19", "Rules": "", "Event": 'The "club"'}) == [
        '[CGN "1"]',
        '[Event "The \\"club\\""]',
        '[Date "2026-11-19"]',
        '[N "Ana"]',
        '[Result "*"]',
    ]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Rules", "clasic", "rules-unknown"),
        ("Rules", "classic target=x", "rules-option"),
        ("Rules", "classic score.red3_minus=no-canasta score.melds_minus=no-canasta", None),
        ("Date", "2026-02-30", "tag-value"),
        ("Dealer", "X", "tag-value"),
        ("N", "Ana\x1b", "syntax"),
    ],
)
def test_answers_are_judged(name: str, value: str, code: str | None) -> None:
    problem = tag_problem({name: value}, name)
    assert (problem.code if problem else None) == code


def test_what_cannot_be_continued() -> None:
    with pytest.raises(NotRecordable):
        Standing(['[CGN "1"]', '[Rules "poker"]'])
    with pytest.raises(NotRecordable):
        Standing([])


# --- the score pad ------------------------------------------------------------------------------


def sheet_answers(game: str) -> list[str]:
    """Return what is typed for one of the two real games, its score pad at hand."""
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
                answers.append(row["score"])  # what was pencilled in
    return answers


def figures(text: str) -> tuple[dict[str, str], list[object]]:
    """Return the tags, and the scores with their items and the totals of every deal."""
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
    stdin = "".join(answer + "\n" for answer in sheet_answers(game))
    result = CliRunner().invoke(app, ["record", "--sheet", str(path)], input=stdin)
    assert result.exit_code == 0, result.output
    sample = (SAMPLES / f"score-sheet-{game}.canasta").read_text()
    assert figures(path.read_text()) == figures(sample)
    assert "the game is over: NS" in result.output


SHEET = Standing(new_record({**TAGS, "Rules": "classic"}))


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("0 1 2 275", SheetRow(0, 1, 2, (("cards", 275),))),
        ("1 1 0 -25 out", SheetRow(1, 1, 0, (("cards", -25),), "NS")),
        ("0 1 0 365/-90 out N", SheetRow(0, 1, 0, (("melds", 365), ("hand", -90)), "N")),
        ("0 0 0 0 penalty 100", SheetRow(cards=(("cards", 0),), penalties=((100, "house"),))),
        (
            "0 0 0 0 penalty -50 upcard",
            SheetRow(cards=(("cards", 0),), penalties=((50, "upcard"),)),
        ),
        (
            "0 1 0 100 out concealed 100",
            SheetRow(0, 1, 0, (("cards", 100),), "NS", (("concealed", 100),)),
        ),
        ("-85", SheetRow(score=-85)),
        ("0 1 0 50 OUT n", SheetRow(0, 1, 0, (("cards", 50),), "N")),
    ],
)
def test_a_row_of_the_pad(text: str, row: SheetRow) -> None:
    assert parse_row(text, "NS", SHEET.rules) == row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 2", r"a row needs four numbers \(natural mixed red3 cards\) or the score alone"),
        ("x 1 2 275", "x is not a number of canastas"),
        ("0 1 5 275", "the deck has 4 red threes, not 5"),
        ("0 1 2 many", "many is not a number of points"),
        ("0 1 2 275 penalty", "penalty is not understood: after the four numbers come out"),
    ],
)
def test_a_row_that_says_nothing(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_row(text, "NS", SHEET.rules)


def test_red_threes_count_by_the_rules() -> None:
    for_it = propose_row(SHEET, "NS", parse_row("0 1 2 275", "NS", SHEET.rules))
    assert for_it[0].written[-1] == "score NS 775 = mixed 300 red3 200 cards 275"
    even = propose_row(SHEET, "NS", parse_row("0 1 0 0", "NS", SHEET.rules))
    assert (even[0].written[-1], even[0].errors) == ("score NS 300 = mixed 300 cards 0", ())
    both = propose_row(SHEET, "NS", parse_row("0 0 1 -30", "NS", SHEET.rules))
    assert [each.written[-1].split()[2] for each in both] == ["70", "-130"], "melded, or not"
    melded = propose_row(SHEET, "NS", parse_row("0 0 1 30", "NS", SHEET.rules))
    assert [each.written[-1].split()[2] for each in melded] == ["130"]
    nonsense = propose_row(SHEET, "NS", parse_row("0 0 0 273 out", "NS", SHEET.rules))
    assert [each.code for each in nonsense[0].errors] == ["score-item", "score-item"]


def test_undo_of_a_row_takes_all_of_it() -> None:
    standing = SHEET
    for side, text in (("NS", "0 1 0 100 out N"), ("EW", "0 1 0 50 penalty 100")):
        [proposal] = propose_row(standing, side, parse_row(text, side, standing.rules))
        assert not proposal.errors and proposal.after is not None
        before, standing = standing, proposal.after
    assert standing.lines[-6:] == (
        "deal 1 dealer N",
        "penalty EW 100 house",
        "end out N",
        "score NS 500 = mixed 300 out 100 cards 100",
        "score EW 250 = mixed 300 cards 50 penalty -100",
        "total NS 500 EW 250",
    )
    after, _ = undo(standing)
    assert after.lines == before.lines
    assert undo(after)[0].lines == SHEET.lines


def test_the_pad_asks_figure_by_figure(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    opening = [*[""] * 10, "2026-11-19"]  # the rules, three house rules, players, dealer, event
    asked = ["", "4", "back", "", "0", "0", "0", "0", "back"]  # each time back to the whole row
    lines = [*opening, *asked, "", "", "1", "2", "275", "y", "", "", "", "quit"]
    stdin = "".join(line + "\n" for line in lines)
    result = CliRunner().invoke(app, ["record", "--sheet", str(path)], input=stdin)
    assert result.exit_code == 0, result.output
    assert path.read_text().endswith("score NS 875 = mixed 300 red3 200 out 100 cards 275\n")


def test_the_pad_asks_again_for_what_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.canasta"
    lines = [*[""] * 10, "2026-11-19", "", "x", "1", "1", "5", "0", "2 7", "365/-90", "E", "y"]
    lines += ["E", "N", "z", "100", "", "quit", ""]
    stdin = "".join(line + "\n" for line in lines)
    result = CliRunner().invoke(app, ["record", "--sheet", str(path)], input=stdin)
    assert result.exit_code == 0, result.output
    said = [line.strip() for line in result.output.splitlines()]
    for told in (
        "x is not a number of canastas",
        "the deck has 4 red threes, not 5",
        "type yes or no; Enter takes the answer in brackets",
        "E is not a seat of NS",
        "z is not a number of points",
    ):
        assert told in said
    assert path.read_text().endswith(
        "penalty NS 100 house\nend out N\n"
        "score NS 1075 = natural 500 mixed 300 out 100 melds 365 hand -90 penalty -100\n"
    )


# --- the talk -----------------------------------------------------------------------------------


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
    stdin = "".join(line + "\n" for line in lines)
    result = CliRunner().invoke(app, ["record", str(path)], input=stdin, env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    for shown in (
        "fives  3 cards  2 natural, 1 two",
        "S Carla    11  5s 5c 6s 6d Jh Jd Qc Ad Ad 2d 2d",
        "EW  total 0, this deal ",
        "takes back the last entry, or several",
    ):
        assert shown in result.output
    assert path.read_text().splitlines()[-1] == "1. E +8h 5:5h5d2s -Qs ~opening-low"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("undoo", "`undoo` is not understood: did you mean undo? ? lists"),
        ("tabel now", "`tabel` is not understood: did you mean table? ? lists"),
        (
            "xyzzy",
            "`xyzzy` is not understood: a turn is written in signs, for example + 7:777 -4s;",
        ),
        ("?", "takes back the last entry, or several"),
        ("ask", "`ask` is not understood"),
        ("up Th", "not right: "),
    ],
)
def test_what_is_no_command(typed: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "word.canasta"
    lines = [*OPENING, "9h", "+ -Kd", typed, "quit"]
    result = CliRunner().invoke(app, ["record", str(path)], input="\n".join(lines) + "\n")
    assert said in result.output
    assert path.read_text().endswith("1. E + -Kd\n")


@pytest.mark.parametrize(
    ("typed", "turn", "said"),
    [
        (["edit 2", "+ -6"], "2. S + -6", "edit 2> + -6"),
        (["edit 2", ""], "2. S + -4s", "nothing is changed"),
        (["edit 2", "table"], "2. S + -4s", "edit 2> table"),
        (["edit 2", "+ -x", "", "+ -6"], "2. S + -6", "not right: `-x`"),
        (["edit 2", "+ -k", "y"], "2. S + -K", "y  writes it as 2. S + -K"),
        (["edit 2 + -k", "y"], "2. S + -K", "y  writes it as 2. S + -K"),
        (["edit 2 + -6"], "2. S + -6", "2. S + -6"),
        (["edit 9"], "2. S + -4s", "edit 12 (a turn)"),
        (["edit up", "Th"], "2. S + -4s", "up Th"),
    ],
)
def test_edit_line_by_line(typed: list[str], turn: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "edit.canasta"
    lines = [*OPENING, "9h", "+ -Kd", "+ -4s", *typed, "+ -7c", "quit"]
    result = CliRunner().invoke(app, ["record", str(path)], input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    assert said in result.output
    turns = [line for line in path.read_text().splitlines() if line[0:1].isdigit()]
    assert turns == ["1. E + -Kd", turn, "3. W + -7c"]


def test_a_deal_that_cannot_be_checked_any_more_can_be_recorded(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    end = DEAL.index("4. N +9c A:Ac 9:9d9c9c -3c")
    path.write_text("".join(line + "\n" for line in DEAL[:end]))
    lines = ("+9c A:Ac -Kh", "k", "+Ks -7c", "end out S", "", "500", "-", "9h")
    stdin = "".join(line + "\n" for line in lines)
    result = CliRunner().invoke(app, ["record", str(path)], input=stdin, env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    assert "k  keeps it as ~not-in-hand (the rest of the deal is then not checked)" in result.output
    assert result.output.count("the rest of this deal cannot be checked") == 1
    assert "NS's score does not follow from the record: type it" in result.output
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


def test_line_ends_and_games_above_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "two.canasta"
    first = (SAMPLES / "thursday-club.canasta").read_text()
    path.write_bytes(
        ("\ufeff" + first + "\n" + "\n".join(DEAL) + "\n").replace("\n", "\r\n").encode()
    )
    before = path.read_bytes()
    result = CliRunner().invoke(app, ["record", str(path)], input="9h\n")
    assert result.exit_code == 0, result.output
    assert path.read_bytes() == before + b"\r\ndeal 2 dealer E\r\nup 9h\r\n"


# --- every record can be typed ------------------------------------------------------------------

TYPED = sorted(
    path for path in SAMPLES.glob("*.canasta") if "sheet" not in path.name and path.stat().st_size
)


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_a_record_typed_again_is_the_same(path: Path) -> None:
    """What a recorder puts in by itself is left out, and comes out as it was; two deals at most."""
    lines = path.read_text("utf-8").splitlines()
    begins = [at for at, line in enumerate(lines) if line.startswith("deal ")]
    lines = lines[: begins[2]] if len(begins) > 2 else lines
    standing = Standing([line for line in lines[: begins[0]] if line.startswith("[")])
    for line in lines[begins[0] :]:
        text = line.partition(";")[0].strip()
        if not text or text in standing.lines or text.startswith("deal"):
            continue
        found = re.fullmatch(r"\d+\. [A-Z] (.*)", text)
        proposal = propose(standing, found[1] if found else text)
        if text.startswith("score"):
            proposal = with_total(proposal)
        assert proposal.after is not None, proposal.findings
        standing = proposal.after
    typed = [line for line in standing.lines if line and not line.startswith("[")]
    wanted = [line.partition(";")[0].strip() for line in lines[begins[0] :]]
    assert typed == [line for line in wanted if line]


#: What may be typed at any prompt, wrong for most.
ANYTHING = (
    *("undo", "undo 3", "undo x", "edit", "edit 2", "edit 99", "edit up", "edit N:", "edit E: 4s"),
    *("note", "note hi \x1b[31m", "table", "hands", "score", "turns 3", "help", "?", "save", "ask"),
    *("k", "p", "w", "y", "", "-", "end", "end out N", "end stock", "end unfinished", "x y"),
    *("total NS 5 EW 5", "score NS 5", "deal 9", "deal 2 dealer X", "penalty NS 50 upcard"),
    *("^", "^/3", "^ K:KK -Q", "+", "+ -", "+ -_", "+Ks -Ks", "12. N + -4", "N: 4s 4s 4s", "up 9h"),
    *("\x00", "é", '[N "x"]', "; c", "9" * 3000, "stock 4s 5s", "1 1 0 200 out", "0 0 0 5/-5"),
)


@pytest.mark.parametrize("seed", range(int(os.environ.get("CANASTA_TYPED", "8"))))
def test_whatever_is_typed_the_record_can_be_read(seed: int, tmp_path: Path) -> None:
    """Entries with anything between them: no crash, and a file that can be continued."""
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
    assert again.exit_code == 0 or "a deal is in play" in again.output
    assert path.read_bytes() == written
