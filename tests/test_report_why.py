"""`audit --why`: the house rules under which a false claim would hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.replay import unwritten
from canasta_notation.replay.deal_state import ReplayBudget
from canasta_notation.replay.game_replay import GameReplay, replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.report.why import MOST_DEALS, MOST_PAIRS, _overrides, why_false
from canasta_notation.rules import load_profile
from canasta_notation.rules.conflicts import conflicts
from tests.house_sheets import draw, judge

SAMPLES = Path(__file__).parent.parent / "samples"
SCHEMA = Path(__file__).parent.parent / "schemas" / "audit.schema.json"
THURSDAY = (SAMPLES / "thursday-club.canasta").read_text("utf-8")
SHEET = """\
[CGN "1"]

deal 1 dealer N
score NS -110 = red3 -200 cards 90
score EW 720 = mixed 300 out 100 cards 320
"""
#: A black three is tabled: the finding states the rule about the points of threes.
NEVER_REPLACED = """
[CGN "1"]

deal 1 dealer N
up 9h
1. E threes:3s +4h -4d
"""
#: The totals of EW in that game.
TOTALS = (1325, 2265, 3250, 4405, 3945, 4665)
CANASTAS = ("no-canasta", "two-canastas", "by-canastas")
#: One claim that needs two house rules, and one that needs another.
PAIR = """\
[CGN "1"]

deal 1 dealer N
score NS -400 = melds -200 red3 -200
score EW 600 = melds 200 mixed 300 out 100
"""

#: A table at the end: EW has no canasta and one red three; its score is 115.
TABLE = """\
deal 1 dealer W
end out S
melds NS 5:5555555 K:KKK2
melds EW 7:7772
threes NS 3h
threes EW 3d
left N 9
left E Q
left S
left W T
"""

#: A table at the end under American rules.
UNFINISHED = """\
deal 1 dealer W
end stock
melds NS
melds EW A:AAA
threes NS
threes EW
left N 4
left E Q
left S 4
left W 4
"""


def why(text: str, folder: Path) -> dict[str, dict[str, list[list[str]]]]:
    """Return the overrides under which each false claim would hold, by claim."""
    path = folder / "a.canasta"
    path.write_text(text, "utf-8")
    result = CliRunner().invoke(app, ["audit", "--why", "--json", str(path)])
    document = json.loads(result.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(document)
    found = document["files"][0]["games"][0]["why"]
    assert found["tried"]["pairs"] <= MOST_PAIRS
    return {
        f"{each['deal']} {each['side']} {each['what']}": [
            answer["overrides"] for answer in each["holds_if"]
        ]
        for each in found["claims"]
    }


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("675", "if red3 or out was forgotten, the score is 675"),
        ("785", "if hand was forgotten, the score is 785"),
        ("875", "if red3 or out was counted twice, the score is 875"),
        ("675 = melds 85 natural 500 out 100 hand -10", "if red3 was forgotten, the score is 675"),
        ("665", ""),
    ],
)
def test_a_forgotten_item_is_named(claim: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f'[CGN "1"]\n\n{TABLE}score NS {claim}\n', "utf-8")
    shown = CliRunner().invoke(app, ["audit", "--why", str(path)]).stdout
    assert [line.strip() for line in shown.splitlines() if ", the score is" in line] == (
        [said] if said else []
    )


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (1075, "one mixed canasta"),
        (475, "one mixed canasta"),
        (975, "a mixed canasta in place of a natural one, or the reverse"),
        (725, "one card more or less: joker"),
        (785, "one card more or less: eight, nine, ten, jack, queen or king"),
    ],
)
def test_a_difference_that_something_earns_is_named(claim: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f'[CGN "1"]\n\n{TABLE}score NS {claim}\n', "utf-8")
    shown = CliRunner().invoke(app, ["audit", "--why", str(path)]).stdout
    assert f"the difference is that of {said}" in " ".join(shown.split())


def changed(*changes: tuple[str, str]) -> str:
    """Return the complete game of the samples with other claims."""
    text = THURSDAY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (SHEET, {"1 NS score": [[f"score.red3_minus={value}"] for value in CANASTAS]}),
        (
            # The score that a table without that rule would have written, and the totals.
            changed(
                ("score EW -460 = red3 -200", "score EW -60 = red3 200"),
                ("EW 3945", "EW 4345"),
                ("EW 4665", "EW 5065"),
            ),
            {"5 EW score": [["score.red3_minus=no"]]},
        ),
        (
            changed(
                ("score EW 1325 = melds 320 mixed 300 red3 800 hand -95", "score EW 925"),
                *((f"EW {total}", f"EW {total - 400}") for total in TOTALS),
            ),
            {"1 EW score": [["score.red3=100,200,300,400"]]},
        ),
        (
            # The totals, which are true, show that the score is a slip.
            changed(("score EW 1325 = melds 320 mixed 300 red3 800 hand -95", "score EW 925")),
            {"1 EW score": []},
        ),
        (
            changed(
                ("out 100 concealed 100 hand -80", "out 200 concealed 100 hand -80"),
                ("score NS 780", "score NS 880"),
            ),
            {"3 NS score": []},
        ),
        (changed(("score EW 1325 =", "score EW 1330 =")), {"1 EW score": []}),
        (
            PAIR,
            {
                "1 NS score": [
                    [f"score.red3_minus={value}", "score.melds_minus=no-canasta"]
                    for value in CANASTAS
                ],
            },
        ),
        (
            # No two house rules make all items right.
            PAIR.replace("600", "700").replace("out 100", "out 200"),
            {"1 NS score": [], "1 EW score": []},
        ),
        (
            # The red three of deal 2, which is right, refutes the rule although its score is false.
            f'[CGN "1"]\n\n{TABLE}score EW -85 = melds 35 red3 -100 hand -20\n\n'
            + TABLE.replace("1 dealer W", "2 dealer N")
            + "score EW 120 = melds 35 red3 100 hand -20\n",
            {"1 EW score": [], "2 EW score": []},
        ),
        (
            # The aces of EW are unfinished, which costs -2500 points under these rules.
            f'[CGN "1"]\n[Rules "american-4p"]\n\n{UNFINISHED}score EW -75 = melds -60 hand -15\n',
            {
                "1 EW score": [
                    ["score.unfinished=sevens:-2500,aces:0,wild:-2000"],
                    ["score.unfinished=none"],
                ]
            },
        ),
        (THURSDAY, {}),
        (SHEET.replace("\n\n", '\n[Rules "classic-2p"]\n'), {}),
    ],
)  # fmt: skip
def test_house_rules_under_which_claims_hold(
    text: str, answers: dict[str, list[list[str]]], tmp_path: Path
) -> None:
    assert why(text, tmp_path) == answers


#: A table at the end with a mixed canasta for NS and no canasta for EW, which has a red three.
URUGUAY = """\
[CGN "1"]

deal 1 dealer N
end out N
melds NS 8:8s8h8d8c8s8h*
melds EW K:KsKhKd
threes NS 3h
threes EW 3d
left N
left S 4s
left E 5h
left W 6d 6h
"""


@pytest.mark.parametrize(
    ("scores", "first"),
    [
        (
            "score NS 505 = melds 110 mixed 200 red3 100 out 100 hand -5\n"
            "score EW -85 = melds 30 red3 -100 hand -15\n",
            ["score.mixed=200", "score.red3_minus=no-canasta"],
        ),
        ("score NS 755 = melds 110 mixed 450 red3 100 out 100 hand -5\n", ["score.mixed=450"]),
        ("score NS 855 = melds 110 mixed 300 red3 100 out 350 hand -5\n", ["score.out=350"]),
        (
            "score NS 655 = melds 110 mixed 300 red3 150 out 100 hand -5\n",
            ["score.red3=150,200,300,800"],
        ),
        (
            # The points of a three are dictated although it counts against the side.
            "score NS 555 = melds 110 mixed 300 red3 50 out 100 hand -5\n"
            "score EW -35 = melds 30 red3 -50 hand -15\n",
            ["score.red3=50,200,300,800", "score.red3_minus=no-canasta"],
        ),
        (
            # A mixed canasta never earns more than a natural one.
            "score NS 905 = melds 110 mixed 600 red3 100 out 100 hand -5\n",
            None,
        ),
        (
            # The total, which is true, shows that the item is a slip.
            "score NS 505 = melds 110 mixed 200 red3 100 out 100 hand -5\ntotal NS 605 EW 115\n",
            None,
        ),
        (
            "score NS 640 = melds 110 mixed 300 red3 100 out 100 concealed 35 hand -5\n",
            None,
        ),
    ],
)
def test_an_item_names_the_value(scores: str, first: list[str] | None, tmp_path: Path) -> None:
    answers = why(URUGUAY + scores, tmp_path)["1 NS score"]
    assert (answers[0] if answers else None) == first


def test_scores_name_two_cards_with_other_points(tmp_path: Path) -> None:
    """Wherever there are jokers, there are twos, so that no score shows the points of one card."""
    table = URUGUAY.replace("8s8h*", "8s2s*")
    one = f"{table.replace('left E 5h', 'left E 5h 2c * *')}score NS 600\nscore EW 30\n"
    other = f"{table.replace('left E 5h', 'left E 5h 2c 2c *')}score NS 600\nscore EW 35\n"
    text = one + other[other.index("\ndeal") :].replace("deal 1 dealer N", "deal 2 dealer E")
    answers = why(text, tmp_path)
    assert {each[0][0] for each in answers.values()} == {"score.cards=2:25,*:30"}
    assert len(answers) == 4


@pytest.mark.parametrize(
    ("sheet", "first"),
    [
        ("score NS 600 = melds 200 mixed 400\n", [["score.mixed=400"], ["score.mixed=200"]]),
        (
            "score NS 600 = melds 200 mixed 400\n\ndeal 2 dealer E\n"
            "score NS 500 = melds 100 mixed 200 out 200\n",
            [["score.out=200", "score.mixed=200"]],
        ),
        (
            "score NS 600 = melds 200 natural 200 mixed 200\n",
            [["score.natural=200", "score.mixed=200"]],
        ),
    ],
)
def test_an_item_of_a_sheet_is_a_multiple_of_the_value(
    sheet: str, first: list[list[str]], tmp_path: Path
) -> None:
    answers = why(f'[CGN "1"]\n\ndeal 1 dealer N\n{sheet}', tmp_path)["1 NS score"]
    assert answers[: len(first)] == first


def test_a_value_without_items_makes_up_the_difference(tmp_path: Path) -> None:
    answers = why(f"{URUGUAY}score NS 735\n", tmp_path)["1 NS score"]
    assert answers == [
        ["score.mixed=430"],
        ["score.out=230"],
        ["score.red3=230,230,300,800"],
    ]


def test_what_a_person_sees(snapshot: SnapshotAssertion) -> None:
    result = CliRunner().invoke(app, ["audit", "--why", "-"], input=PAIR, env={"COLUMNS": "80"})
    assert result.exit_code == 1
    shown = result.stdout.partition("which house rules")[2]
    # How many values there are depends on the number of profiles.
    assert re.sub(r"tried: \d+ values", "tried: N values", shown) == snapshot


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (
            f"{TABLE}score EW 115 = melds 35 red3 -100 hand -10",
            "deal 1: EW claims red3 -100, computed 100; hand -10, computed -20\n"
            "    the written items add up to -75, not 115, whatever the rules\n",
        ),
        (
            f"{TABLE}score EW 120 = melds 35 red3 100 hand -20",
            "deal 1: EW claims a score of 120, but the program computes 115\n"
            "    the written items add up to 115, not 120, whatever the rules\n",
        ),
        (
            "deal 1 dealer N\nscore EW 485 = melds 90 mixed 300 out 100 hand -20",
            "deal 1: EW claims a score of 485\n"
            "    the written items add up to 470, not 485, whatever the rules\n",
        ),
    ],
)
def test_the_false_figure_is_named(record: str, words: str) -> None:
    text = f'[CGN "1"]\n\n{record}\n'
    result = CliRunner().invoke(app, ["audit", "--why", "-"], input=text, env={"COLUMNS": "80"})
    assert words in result.stdout


@pytest.mark.parametrize("other", [["--csv"], ["--against", "bga"]])
def test_why_goes_only_with_cards_and_json(other: list[str]) -> None:
    result = CliRunner().invoke(app, ["audit", "--why", *other, "-"], input=PAIR)
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_rule_that_only_allows_a_claim_is_not_sure() -> None:
    """A table at the end does not say whether the canasta was laid complete in one turn."""
    table = "end out S\nmelds NS K:KKKKKKK\nthrees NS\nleft N 4\nscore NS 765\n"
    (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{table}')
    (claim,) = why_false(reading, 1, replay_game(reading.game)).claims
    sure = {answer.overrides[0].text: answer.sure for answer in claim.answers}
    assert sure == {
        "score.out=200": True,
        "score.concealed_canasta=100": False,
        "score.natural=600": True,
    }


def test_a_game_of_many_deals_is_tried_with_fewer_overrides() -> None:
    tried = [tried_with(1), tried_with(MOST_DEALS // 20)]
    assert tried[1]["single"] < tried[0]["single"]
    assert tried[1]["pairs"] == 0


def tried_with(deals: int) -> dict[str, int]:
    """Return how many overrides are tried for a game of this many deals, all with false scores."""
    lines = [f"deal {at} dealer {'NESW'[(at - 1) % 4]}\nscore NS 3\n" for at in range(1, deals + 1)]
    text = '[CGN "1"]\n\n' + "\n".join(lines)
    result = CliRunner().invoke(app, ["audit", "--why", "--json", "-"], input=text)
    tried: dict[str, int] = json.loads(result.stdout)["files"][0]["games"][0]["why"]["tried"]
    return tried


def test_a_deal_that_begins_the_same_is_played_once_for_all_points() -> None:
    [reading] = read_text(THURSDAY.replace("score EW 1325", "score EW 1320"))
    base = load_profile("classic")
    first = GameReplay(reading.game, 1, base, None, keep=True)
    for key, value in (("score.natural", 600), ("score.out", 0), ("score.mixed", 500)):
        other = base.with_values({key: value})
        shown: list[Moment] = []
        report = GameReplay(reading.game, 1, other, shown.append, earlier=first).report
        assert report == replay_game(reading.game, rules=other)
        assert report != first.report
        assert 0 not in {moment.deal for moment in shown}


@pytest.mark.parametrize("name", ["classic", "american-4p", "bolivia"])
def test_every_override_judges_a_game_as_its_own_rules_do(name: str) -> None:
    """The play is replayed again for a rule that matters to it, and for one that it names."""
    base = load_profile(name)
    text = format_game(play_game(base, 5, deals=2))
    text = text.replace("\nend ", f"\npenalty {base.side_names[0]} 70 ask\nend ")
    for reading in read_text(text + NEVER_REPLACED):
        first = GameReplay(reading.game, 1, base, None, keep=True)
        for each in _overrides(base):
            other = base.with_values({each.key: each.value})
            if not conflicts(other, {each.key}):
                report = GameReplay(reading.game, 1, other, None, earlier=first).report
                assert report == replay_game(reading.game, rules=other), each


def test_the_search_for_unwritten_cards_is_limited_for_all_rules_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = """\
[CGN "1"]

deal 1 dealer N
1. E +_ -8
2. S ^8 8:8s8h8d K:KsKhKd -9
score EW 0

deal 2 dealer E
score NS -110 = red3 -200 cards 90
"""
    budgets: list[ReplayBudget] = []
    monkeypatch.setattr(unwritten, "_found", {})
    monkeypatch.setattr(unwritten, "_search", lambda replay: budgets.append(replay.context.budget))
    [reading] = read_text(text)
    report = replay_game(reading.game)
    budgets.clear()
    unwritten._found.clear()
    why_false(reading, 1, report)
    assert len(budgets) > 1
    assert len({id(budget) for budget in budgets}) == 1


def test_claims_that_one_slip_makes_false_are_not_broken_by_a_rule() -> None:
    text = """\
[CGN "1"]

deal 1 dealer N
score NS 50
score EW 20
total NS 20 EW 50
deal 2 dealer E
score NS -50 = red3 -100 cards 50
score EW 0
"""
    [reading] = read_text(text)
    why = why_false(reading, 1, replay_game(reading.game))
    answers = [answer for claim in why.claims for answer in claim.answers]
    assert answers


def test_sheets_of_tables_with_house_rules_are_explained() -> None:
    """`python -m tests.house_sheets` draws more."""
    sheets = [sheet for seed in range(2000, 2023) if (sheet := draw(seed)) is not None][:6]
    judged = [judge(sheet) for sheet in sheets]
    assert len(sheets) == 6
    assert [each.wrong for each in judged] == [()] * len(sheets)
    assert sum(each.named for each in judged) >= len(sheets) - 1
