"""What score apps export: each format becomes claims, and any JSON is read or refused in words."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.foreign.score_export import formats
from canasta_notation.notation.reader import read_text
from tests.programs import canasta


def team(id: str, **fields: Any) -> dict[str, Any]:
    """Return what one team did in a round of `canasta-game-export`."""
    nothing = {
        "cardPoints": 0, "cardsInHand": 0, "naturalCanastas": 0, "mixedCanastas": 0,
        "redThrees": 0, "opened": True, "wentOut": False, "concealedGoingOut": False, "extra": {},
    }  # fmt: skip
    return {"teamId": id, **nothing, **fields}


PLAYERS = ("Ana", "Bruno", "Carla", "Dario")
GAME: dict[str, Any] = {
    "format": "canasta-game-export",
    "version": 1,
    "exportedAt": "2026-11-01T10:00:00Z",
    "application": {"engineVersion": "1.2"},
    "game": {
        "name": "Friday",
        "status": "finished",
        "createdAt": "2026-10-30T18:00:00Z",
        "players": [{"id": f"p{at}", "name": name, "seat": at} for at, name in enumerate(PLAYERS)],
        "teams": [
            {"id": "theirTeam", "name": "Them", "memberIds": ["p1", "p3"], "order": 1},
            {"id": "t1", "name": "Us", "memberIds": ["p0", "p2"], "order": 0},
        ],
        "ruleSetRef": {"id": "classic", "version": 1, "name": "Classic", "origin": "built-in"},
        "effectiveRuleSet": {"configuration": {"players": 4, "targetScore": 3000}},
        "gameOverrides": {},
        "rounds": [
            {
                "sequence": 5,
                "status": "committed",
                "note": "",
                "input": {
                    "teams": [
                        team("t1", cardPoints=300, mixedCanastas=1, redThrees=2, cardsInHand=20),
                        team("theirTeam", cardsInHand=150, redThrees=1, opened=False),
                    ]
                },
                "computed": {
                    "scores": [
                        {"teamId": "t1", "breakdown": {"cards": 300}, "total": 780},
                        {"teamId": "theirTeam", "breakdown": {}, "total": -250},
                    ],
                    "scoreBefore": {"t1": 1000, "theirTeam": 200},
                    "scoreAfter": {"t1": 1780, "theirTeam": -50},
                },
            },
            {
                "sequence": 2,
                "status": "committed",
                "input": {
                    "teams": [
                        team("t1", cardPoints=400, naturalCanastas=1, wentOut=True),
                        team("theirTeam", cardPoints=250, cardsInHand=50),
                    ]
                },
            },
        ],
        "result": {
            "winnerTeamIds": ["t1"],
            "finalScores": {"t1": 1780, "theirTeam": -50},
            "decidedAfterRound": 5,
            "tie": False,
        },
    },
}
RECORD = """\
[CGN "1"]
[Event "Friday"]
[Date "2026-10-30"]
[N "Ana"]
[E "Bruno"]
[S "Carla"]
[W "Dario"]
[Target "3000"]
[Result "NS 1780 EW -50"]

deal 1
score NS 1000 = melds 400 natural 500 out 100
score EW 200 = melds 250 hand -50

deal 2
score NS 780 = melds 300 mixed 300 red3 200 hand -20
score EW -250 = red3 -100 hand -150
total NS 1780 EW -50
"""
TOTALS: dict[str, Any] = {
    "team1Name": "Ana & Carla",
    "team1": [{"kanastaPoints": 800, "cardPoints": 345}, {"kanastaPoints": 0, "cardPoints": -35}],
    "team2Name": "Others",
    "team2": [{"kanastaPoints": 0, "cardPoints": 45}],
    "winner": "team1",
}


def counts(total: int, **fields: Any) -> dict[str, Any]:
    """Return what one team did in a round of counts, in snake case."""
    nothing = {
        "clean_canastas": 0, "dirty_canastas": 0, "red_threes": 0, "black_threes": 0,
        "meld_points": 0, "cards_in_hand": 0, "went_out": False,
    }  # fmt: skip
    return {**nothing, "total_score": total, **fields}


COUNTS: list[dict[str, Any]] = [
    {
        "Ana": counts(1000, clean_canastas=1, meld_points=300, red_threes=1, went_out=True),
        "Bruno": counts(570, dirty_canastas=1, meld_points=200, red_threes=1, cards_in_hand=30),
    },
    {"Ana": counts(50, meld_points=50), "Bruno": counts(-125, cards_in_hand=25, red_threes=1)},
]
COUNTED = """\
[CGN "1"]
[NS "Ana"]
[EW "Bruno"]

deal 1
score NS 1000 = melds 300 natural 500 red3 100 out 100
score EW 570 = melds 200 mixed 300 red3 100 hand -30

deal 2
score NS 50 = melds 50
score EW -125 = red3 -100 hand -25
"""

#: An export, the record that it becomes, and what is said about it.
EXPORTS: dict[str, tuple[Any, str, str]] = {
    "a whole game": (GAME, RECORD, "2 rounds; sides Us = NS, Them = EW\n"),
    "two totals of a round": (
        TOTALS,
        '[CGN "1"]\n[NS "Ana & Carla"]\n[EW "Others"]\n\n'
        "deal 1\nscore NS 1145\nscore EW 45\n\ndeal 2\nscore NS -35\n",
        "fields left out: winner",
    ),
    "rounds with counts": (COUNTS, COUNTED, "sides Ana = NS, Bruno = EW"),
    "rounds with counts below a name": ({"rounds": COUNTS}, COUNTED, "rounds with counts"),
    "running totals in camel case": (
        [
            {"teams": [{"name": "A", "cleanCanastas": 1, "dirtyCanastas": 0, "meldPoints": 200,
                        "totalScore": total}, {"name": "B", "cleanCanastas": 0, "luck": 7,
                        "dirtyCanastas": 0, "meldPoints": 90, "totalScore": 90 * at}]}
            for at, total in ((1, 700), (2, 1400))
        ],
        '[CGN "1"]\n[NS "A"]\n[EW "B"]\n\ndeal 1\nscore NS 700 = melds 200 natural 500\n'
        "score EW 90 = melds 90\ntotal NS 700 EW 90\n\ndeal 2\n"
        "score NS 700 = melds 200 natural 500\nscore EW 90 = melds 90\ntotal NS 1400 EW 180\n",
        "fields left out: teams.luck",
    ),
}  # fmt: skip


def convert(value: Any, folder: Path, *more: str) -> Any:
    (folder / "game.json").write_text(json.dumps(value))
    return canasta("convert", folder / "game.json", *more)


@pytest.mark.parametrize("name", EXPORTS)
def test_what_apps_export(name: str, tmp_path: Path) -> None:
    value, record, said = EXPORTS[name]
    result = convert(value, tmp_path)
    assert (result.exit_code, result.stdout) == (0, record), result.stderr
    assert said in result.stderr


def test_audit_judges_what_the_app_computed(tmp_path: Path) -> None:
    value = copy.deepcopy(GAME)
    value["game"]["rounds"][0]["computed"]["scores"][0]["total"] = 880
    (tmp_path / "game.json").write_text(json.dumps(value))
    result = canasta("audit", tmp_path / "game.json")
    assert (result.exit_code, "880" in result.stdout) == (1, True)
    (tmp_path / "game.json").write_text(json.dumps(GAME))
    assert canasta("validate", tmp_path / "game.json").exit_code == 0


def test_the_scores_of_an_app_show_its_house_rule(tmp_path: Path) -> None:
    value = copy.deepcopy(GAME)
    value["game"]["rounds"] = [
        {
            "sequence": at,
            "input": {"teams": [team("t1", cardPoints=300, mixedCanastas=at), team("theirTeam")]},
            "computed": {"scores": [{"teamId": "t1", "total": 300 + 200 * at}]},
        }
        for at in (1, 2)
    ]
    result = convert(value, tmp_path)
    assert "score NS 500 = melds 300 mixed 200\n" in result.stdout
    assert "score NS 700 = melds 300 mixed 400\n" in result.stdout
    assert "mixed counts 200 points, because the scores agree" in result.stderr


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        ({"ruleSetRef": {"id": "modern-american"}}, "american-4p"),
        ({"ruleSetRef": {"id": "pagat"}}, ""),
    ],
)
def test_rule_sets_of_the_app(change: dict[str, Any], rules: str, tmp_path: Path) -> None:
    value = copy.deepcopy(GAME)
    value["game"] |= change
    value["game"]["rounds"] = value["game"]["rounds"][1:]
    assert (f'[Rules "{rules}"]' in convert(value, tmp_path).stdout) == bool(rules)
    assert '[Rules "bga"]' in convert(value, tmp_path, "--rules", "bga").stdout


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"a": 1}, "neither a record (an object with `cgn` and `games`) nor what a known"),
        ([], "canasta-game-export"),
        ({**GAME, "version": 2}, "neither a record"),
        (
            {**GAME, "game": {}},
            "canasta-game-export: it has 0 rounds of 0 sides; a game has rounds, and by",
        ),
        ([{"A": COUNTS[0]["Ana"], "B": {"clean_canastas": "two"}}], "'two' is not a whole number"),
        ([{"A": COUNTS[0]["Ana"], "B": {"red_threes": 5}}], "red_threes: 5 is more than these"),
        ([{"A": COUNTS[0]["Ana"], "B": {"red_threes": -1}}], "red_threes: -1 is less than 0"),
    ],
)
def test_other_json_is_refused(value: Any, why: str, tmp_path: Path) -> None:
    result = convert(value, tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in " ".join(result.stderr.split())


def test_every_format_says_what_it_searches_for() -> None:
    assert len(formats()) == 3
    assert all(each["title"] and each["wanted"] for each in formats())


def changed(value: Any, rng: random.Random) -> Any:
    """Return a value with one part replaced by anything."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice([*value])
        return {**value, name: changed(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    return rng.choice([None, 7, -1, 1.5, "x", "t1", [], {}, [1], {"a": []}, True, 10**12, "\n"])


def test_any_export_is_read_or_refused(tmp_path: Path) -> None:
    rng = random.Random(3)
    for _ in range(150):
        value = rng.choice([each for each, _, _ in EXPORTS.values()])
        for _ in range(rng.randint(1, 3)):
            value = changed(value, rng)
        result = convert(value, tmp_path)
        assert result.exit_code in (0, 2), result.output
        assert "internal error" not in result.output, value
        if result.exit_code == 0:
            assert not any(reading.problems for reading in read_text(result.stdout))
