"""The recorder without its prompts: what entries become, what they cause, and undo."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from canasta_notation.engine.ruleset import rules_of
from canasta_notation.notation.format import format_game
from canasta_notation.players.random_game import play_game
from canasta_notation.recorder.closing import (
    DueLine,
    claim_text,
    computed_line,
    plain_points,
    propose_score,
    start_threes,
    with_total,
)
from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.corrections import find_line, note, propose_text, without_last_entry
from canasta_notation.recorder.known import known_of
from canasta_notation.recorder.opening import new_record, tag_problem
from canasta_notation.recorder.pad_row import PadRow, parse_row, propose_row, row_text
from canasta_notation.recorder.proposal import (
    added_lines,
    as_irregularity,
    penalty_for,
    propose,
    propose_edit,
    taken_back,
)
from canasta_notation.recorder.shorthand import expand, plain_suits, recased
from canasta_notation.recorder.standing import NotRecordable, Standing
from canasta_notation.rules import load_profile, profile_names
from tests.erasing import Forgetting

SAMPLES = Path(__file__).parent.parent / "samples"
DEAL = (Path(__file__).parent / "recorded" / "deal.canasta").read_text().splitlines()
CLASSIC = rules_of(load_profile("classic"))
TAGS = {"Rules": "classic", "Dealer": "N"}


def begun(*entries: str, tags: dict[str, str] | None = None) -> Standing:
    """Return a record after entries without errors."""
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


def test_a_typed_turn_is_read_and_replayed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = up_to(TURN_16)
    monkeypatch.setattr("canasta_notation.recorder.standing.read_games", None)
    proposal = propose(standing, TURN_16)
    assert proposal.written == (TURN_16,) and not proposal.errors
    assert propose(standing, "+ K:KsKh -4c").errors


@pytest.mark.parametrize("seed", range(6))
def test_a_record_built_turn_by_turn_equals_one_read_again(seed: int) -> None:
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
            "7 unseen cards",
            "at most 2 aces can be among those: 6 of 8 have been seen, 4 in the melds of EW and 2 "
            "in the pile",
        ),
        (
            "+ -Ac",
            "7 unseen cards",
            "no Ac can be among those: both have been seen, 2 in the pile",
        ),
        (
            "+Ac -4",
            "7 unseen cards",
            "no Ac can come from the stock: both have been seen, 2 in the pile",
        ),
        ("+ A:As2c2d*** -4", "7 unseen cards", None),
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
        ("+ back AAA2 -4s", "2. S + back:AAA2 -4s"),
        ("+ KKK back 10h9 QQ -4s", "2. S + K:KKK back:10h9 Q:QQ -4s"),
        ("N: 4s ...", "N: 4s ..."),
        ("penalty EW 50 upcard", "penalty EW 50 upcard"),
        ("bonus EW 50 cut", "bonus EW 50 cut"),
        ("end stock", "end stock"),
        ("9h", "2. S 9h"),
        ("K KKK", "2. S K K:KKK"),
        ("A KKK", "2. S A K:KKK"),
    ],
)
def test_what_an_entry_means(entry: str, line: str) -> None:
    assert expand(begun("Kh", "+ -9d"), entry) == line


def test_bare_cards_are_those_turned_up_before_the_first_turn() -> None:
    assert expand(begun(), "2c 9h") == "up 2c 9h"
    assert expand(begun("N: 4s ..."), "9h") == "up 9h"
    assert expand(begun("9h"), "9h") == "1. E 9h"


def test_the_first_entry_of_a_deal_adds_its_deal_line() -> None:
    assert propose(begun(), "9h").written == ("deal 1 dealer N", "up 9h")
    assert begun("9h").lines[-3:] == ("", "deal 1 dealer N", "up 9h")


def test_a_comment_above_a_deal_stays_above_it() -> None:
    standing = note(Standing([*DEAL, "; over"]), "a late start")
    after = propose(standing, "9h").after
    assert after is not None
    assert after.lines[-5:] == ("", "; over", "; a late start", "deal 2 dealer E", "up 9h")


def test_a_hand_is_sorted_and_put_in_its_place() -> None:
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
        ("+ back:aS2d -9s", "+ back:As2d -9s"),
        ("n: ks 4d", "N: Ks 4d"),
        ("penalty ns 50 upcard", "penalty NS 50 upcard"),
        ("bonus ns 50 cut", "bonus NS 50 cut"),
        ("+ -4s", None),
        ("+ -x", None),
    ],
)
def test_a_wrong_case_is_reported_and_never_changed(entry: str, spelled: str | None) -> None:
    standing = begun("9h", "+ -4s")
    proposal = propose(standing, entry)
    assert recased(standing, entry) == spelled
    if spelled is not None:
        assert proposal.after is None
        assert (proposal.recased, proposal.errors[0].code) == (spelled, "syntax")


# --- judging ------------------------------------------------------------------------------------


def test_a_finding_is_on_the_line_that_would_be_written() -> None:
    standing = up_to("4. N +9c A:Ac 9:9d9c9c -3c")
    proposal = propose(standing, "+9c A:Ac -Kh")
    [finding] = proposal.errors
    assert (finding.code, finding.turn, finding.span) == ("not-in-hand", 4, (21, 15, 18))
    assert proposal.excerpts == {21: "4. N +9c A:Ac -Kh"}
    assert standing.lines == up_to("4. N +9c A:Ac 9:9d9c9c -3c").lines


def test_an_irregularity_can_be_kept_with_its_penalty() -> None:
    standing = up_to("2. S +7h A:AdAd2d open=60 -7h")
    proposal = propose(standing, "^ Q:Qc2d -5s")
    kept = as_irregularity(proposal)
    assert kept is not None
    assert kept.written == ("2. S ^Qs Q:Qc2d -5s ~pile-frozen ~opening-low",)
    assert {(each.code, each.acknowledged) for each in kept.findings} == {
        ("pile-frozen", True),
        ("opening-low", True),
    }
    assert penalty_for(proposal) == "penalty NS 50 upcard"


def test_an_opening_that_is_too_low_can_be_taken_back() -> None:
    standing = begun("9h", "+ -4s", tags=TAGS | {"Rules": "classic opening.raise=20"})
    back = taken_back(propose(standing, "+ 555 ask=no 777 open=30 -4s"))
    assert back is not None and back.after is not None
    assert back.written == ("2. S + back:555777 ask=no -4s",)
    assert taken_back(propose(standing, "+ 555 back 777 -4s")) is None, "taken back already"
    assert taken_back(propose(standing, "+ KKK2 777 -4s")) is None, "not too low"


def test_entries_that_cannot_be_kept() -> None:
    standing = begun("9h", "+ -4s")
    assert as_irregularity(propose(standing, "+ -k")) is None, "what cannot be read"
    assert as_irregularity(propose(standing, "5. S + -9s")) is None, "a false claim"
    false = propose(standing, "end stock")
    assert as_irregularity(false) is None and false.writable


def test_a_penalty_comes_before_the_end_of_its_deal() -> None:
    standing = Standing(DEAL[: DEAL.index("score NS 1115 = melds 430 mixed 600 out 100 hand -15")])
    after = propose(standing, "penalty NS 100 ask").after
    assert after is not None
    assert after.lines[-2:] == ("penalty NS 100 ask", "end out N")


# --- taking back what was in the file -----------------------------------------------------------


def undone(standing: Standing) -> Standing:
    after = without_last_entry(standing)
    assert after is not None
    return after


def test_undo_removes_entry_after_entry_down_to_the_tags() -> None:
    standing = Standing(DEAL)
    lengths = []
    while (after := without_last_entry(standing)) is not None:
        standing = after
        assert not standing.reading.problems
        lengths.append(len(standing.lines))
    assert standing.lines == tuple(line for line in DEAL if line.startswith("["))
    # Scores one by one (the last with the total), the last turn with the end line, a comment.
    assert len(lengths) == 2 + 32 + 1 + 5


@pytest.mark.parametrize("end", range(DEAL.index("up 6s"), len(DEAL)))
def test_undo_restores_the_record_before_an_entry(end: int) -> None:
    if DEAL[end - 1].startswith(("end", "score EW")) or DEAL[end].startswith("end"):
        return
    standing = Standing(DEAL[:end])
    after = propose(standing, DEAL[end].partition(" ;")[0]).after
    assert after is not None
    assert undone(after).lines == standing.lines


def test_undo_of_the_result_reopens_it() -> None:
    lines = (SAMPLES / "thursday-club.canasta").read_text().splitlines()
    standing = Standing(lines)
    assert standing.phase == "over"
    scored = undone(standing)
    assert scored.lines[-1] == "total NS 5480 EW 4665"
    after = undone(scored)
    gone = added_lines(after.lines, scored.lines)
    assert [line.split()[0] for line in gone] == ["score", "total"]
    assert (after.phase, after.side_due) == ("scores", "EW")


def test_edit_corrects_a_line_in_place() -> None:
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


def test_an_edit_reports_what_it_breaks_later() -> None:
    standing = Standing(DEAL)
    at = find_line(standing, "4")
    assert at is not None
    proposal = propose_edit(standing, at, "+9c A:Ac 9:9d9c9c -7s")
    assert [finding.turn for finding in proposal.errors][:1] == [12]
    assert as_irregularity(proposal) is None and proposal.writable, (
        "the later line can be put right next"
    )
    assert not propose_edit(standing, at, "+9c A:Ac 9:9d9c9c -Kh").writable


@pytest.mark.parametrize("line", ["end unfinished", "end out N"])
def test_a_line_that_cannot_come_there_is_never_written(line: str) -> None:
    proposal = propose(begun("9h", "+ -Kd", "end unfinished"), line)
    assert [each.code for each in proposal.errors] == ["syntax"]
    assert not proposal.writable and as_irregularity(proposal) is None


def test_a_note_is_put_where_there_is_room() -> None:
    standing = note(begun("9h", "+ -4s"), "  slow \t play ")
    assert standing.lines[-1] == "1. E + -4s ; slow play"
    assert note(standing, "very").lines[-2:] == ("1. E + -4s ; slow play", "; very")
    assert undone(standing).lines[-1] == "1. E + -4s"


# --- the end of a deal --------------------------------------------------------------------------


def test_the_play_adds_the_end_line() -> None:
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
    assert complete(begun("9h"), "^")[0].about == "takes 1 card, if the hand allows it"
    offered = {each.text: each.about for each in complete(standing, "+4s ")}
    assert offered["-4s"] == "discards"
    assert "-Kh" not in offered
    assert complete(standing, "+4s -Kh ") == []
    unseen = complete(begun("9h"), "+ ")
    assert [each.text for each in unseen] == ["ask=yes", "ask=no"], "no card of it is known"


# --- new records --------------------------------------------------------------------------------


def test_a_new_record_contains_the_answers() -> None:
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


def test_records_that_cannot_be_continued() -> None:
    with pytest.raises(NotRecordable):
        Standing(['[CGN "1"]', '[Rules "poker"]'])
    with pytest.raises(NotRecordable):
        Standing([])


# --- rows of a score sheet ----------------------------------------------------------------------


SHEET = Standing(new_record({**TAGS, "Rules": "classic"}))


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("1,010", "1010"),
        ("-1.010", "-1010"),
        ("1'010 = melds 510 natural 500", "1010 = melds 510 natural 500"),
        ("1,5", "1,5"),
        ("score NS 5", "score NS 5"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_points_are_read_as_people_write_them(said: str, points: str) -> None:
    assert plain_points(said) == points


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("0 1 2 275", PadRow((0, 1), 2, (("cards", 275),))),
        ("1 1 0 -25 out", PadRow((1, 1), 0, (("cards", -25),), "NS")),
        ("0 1 0 365/-90 out N", PadRow((0, 1), 0, (("melds", 365), ("hand", -90)), "N")),
        (
            "0 0 0 0 bonus 100 cut bonus 50",
            PadRow((0, 0), cards=(("cards", 0),), bonuses=((100, "cut"), (50, "house"))),
        ),
        ("0 0 0 0 penalty 100", PadRow((0, 0), cards=(("cards", 0),), penalties=((100, "house"),))),
        (
            "0 0 0 0 penalty -50 upcard",
            PadRow((0, 0), cards=(("cards", 0),), penalties=((50, "upcard"),)),
        ),
        (
            "0 1 0 100 out concealed 100",
            PadRow((0, 1), 0, (("cards", 100),), "NS", (("concealed", 100),)),
        ),
        ("0 1 0 100 out concealed", PadRow((0, 1), 0, (("cards", 100),), "NS", concealed=True)),
        ("0 1 0 9 out N concealed", PadRow((0, 1), 0, (("cards", 9),), "N", concealed=True)),
        (
            "special s 3,000",
            PadRow((0, 0), cards=(("cards", 0),), extra=(("special", 3000),), special="S"),
        ),
        ("1 1 0 1.010", PadRow((1, 1), 0, (("cards", 1010),))),
        ("1 1 0 1,365/-90", PadRow((1, 1), 0, (("melds", 1365), ("hand", -90)))),
        ("-85", PadRow(score=-85)),
        ("1,010", PadRow(score=1010)),
        ("0 1 0 50 OUT n", PadRow((0, 1), 0, (("cards", 50),), "N")),
    ],
)
def test_a_row_of_the_pad(text: str, row: PadRow) -> None:
    assert parse_row(text, "NS", SHEET.rules) == row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0 1 2",
            r"`0 1 2` is not .*: type four numbers \(natural mixed red3 cards\) or the score",
        ),
        ("x 1 2 275", "x is not a number of canastas"),
        ("0 1 5 275", "the deck has 4 red threes, not 5"),
        ("0 1 2 many", "many is not a number of points"),
        ("0 1 2 275 penalty", "type the points of penalty after it, for example penalty 100"),
        ("0 1 2 275 wild", "type the points of wild after it, for example wild 100"),
        ("0 1 2 275 gone", "gone is not understood: after the four numbers, type out"),
    ],
)
def test_a_wrong_row(text: str, message: str) -> None:
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


@pytest.mark.parametrize(
    ("rules", "row", "line"),
    [
        (
            "samba",
            "1 0 2 6 500/-20 out N",
            "5180 = natural 500 sequence 3000 red3 1000 out 200 melds 500 hand -20",
        ),
        ("samba", "1 0 0 2 300", "600 = natural 500 red3 -200 cards 300"),
        (
            "bolivia",
            "0 0 1 1 2 300 out N",
            "4700 = wild 2500 sequence 1500 red3 200 out 200 cards 300",
        ),
    ],
)
def test_a_row_counts_every_kind_of_canasta(rules: str, row: str, line: str) -> None:
    sheet = Standing(new_record({**TAGS, "Rules": rules}))
    [proposal] = propose_row(sheet, "NS", parse_row(row, "NS", sheet.rules))
    assert not proposal.errors and proposal.after is not None
    assert proposal.written[-1] == f"score NS {line}"
    assert row_text(proposal.after, 0, "NS") == row


def test_undo_of_a_row_removes_all_of_it() -> None:
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
    after = undone(standing)
    assert after.lines == before.lines
    assert undone(after).lines == SHEET.lines


@pytest.mark.parametrize(("total", "later"), [(1000, 1075), (1100, 1100)])
def test_later_totals_move_with_a_score_unless_the_players_wrote_another_sum(
    total: int, later: int
) -> None:
    """The second total adds the first, which the players may have added wrongly themselves."""
    lines = (
        '[CGN "1"]', "deal 1 dealer N", "score NS 500", "score EW 300", "total NS 500 EW 300",
        "deal 2 dealer E", "score NS 500", "score EW 100", f"total NS {total} EW 400",
    )  # fmt: skip
    proposal = propose_text(Standing(lines), "575", "1.score NS")
    assert proposal.after is not None
    totals = [line for line in proposal.after.lines if line.startswith("total")]
    assert totals == ["total NS 575 EW 300", f"total NS {later} EW 400"]


# --- what lies on the table at the end ----------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [("A♥", "Ah"), ("10♠ ♢", "10s d"), ("K♣\ufe0f", "Kc"), ("+ -4♦ ; A♥", "+ -4d ; A♥")],
)
def test_suit_symbols(typed: str, spelled: str) -> None:
    assert plain_suits(typed) == spelled


@pytest.mark.parametrize(
    ("kind", "said", "line"),
    [
        ("melds", "KKKK2 777 44* 333", "melds NS K:KKKK2 7:777 4:44* 3:3b3b3b"),
        ("melds", "10:TTT q:qhqsq, 22*", "melds NS T:TTT Q:QhQsQ *:22*"),
        ("melds", "none", "melds NS"),
        ("threes", "2", "threes NS 3r 3r"),
        ("threes", "3", "threes NS 3r 3r 3r"),
        ("threes", "3h3d", "threes NS 3h 3d"),
        ("left", "4 5 10 k* _ ...", "left NS 4 5 T K * _ ..."),
        ("left", "3b 3r", "left NS 3b 3r"),
    ],
)
def test_answers_about_the_table(kind: str, said: str, line: str) -> None:
    assert claim_text(DueLine(kind, "NS"), said, CLASSIC) == line  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        ("melds", "KKQ", "KKQ has queens and kings, which are not one meld"),
        ("left", "3", "3 alone is not enough"),
        ("left", "Kx", "x is not a card"),
        ("melds", "3h 3d", "3h: red threes are asked for after the melds"),
        ("left", "*s", "s is not a card"),
        ("threes", "x", "x is not a card"),
        ("melds", "KKK kings", "kings is not a card"),
        ("melds", "7 kings", "7 is not a meld: type the cards of a meld together"),
        ("melds", "K:KKK, 6: 6s, 6c", "6: is not a meld"),
    ],
)
def test_wrong_answers_about_the_table(kind: str, said: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        claim_text(DueLine(kind, "NS"), said, CLASSIC)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("N 3h, W 3d 3d", ["N: 3h ... +_", "W: 3d 3d ... +_ +_"]),
        ("e 2", ["E: 3r 3r ... +_ +_"]),
        ("S 3", ["S: 3r 3r 3r ... +_ +_ +_"]),
        ("none", []),
    ],
)
def test_red_threes_at_the_start(said: str, lines: list[str]) -> None:
    assert start_threes(said, "NESW") == lines


@pytest.mark.parametrize("said", ["3h", "N", "N 4h", "N 3s", ""])
def test_wrong_answers_about_red_threes(said: str) -> None:
    with pytest.raises(ValueError):
        start_threes(said, "NESW")


# --- every record can be typed ------------------------------------------------------------------

TYPED = sorted(
    path for path in SAMPLES.glob("*.canasta") if "sheet" not in path.name and path.stat().st_size
)


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_a_record_typed_again_is_the_same(path: Path) -> None:
    """What a recorder adds by itself is not typed; the result is the same. At most two deals."""
    lines = path.read_text("utf-8").splitlines()
    begins = [at for at, line in enumerate(lines) if line.startswith("deal ")]
    lines = lines[: begins[2]] if len(begins) > 2 else lines
    standing = Standing([line for line in lines[: begins[0]] if line.startswith("[")])
    for line in lines[begins[0] :]:
        text = line.partition(";")[0].strip()
        if not text or text in _of_deal(standing.lines) or text.startswith("deal"):
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


def _of_deal(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines of the last deal, all if there is none yet."""
    begins = [at for at, line in enumerate(lines) if line.startswith("deal ")]
    return lines[begins[-1] :] if begins else lines
