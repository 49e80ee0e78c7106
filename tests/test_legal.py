"""`canasta legal` and `canasta generate`, and legal plays of records with unwritten cards."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.player import play_game
from canasta_notation.render.legal_data import find_position, legal_json
from canasta_notation.resources import read_text as resource
from canasta_notation.rules import load_profile, profile_names

RUN = CliRunner()
SCHEMA = json.loads(resource("schemas", "legal.schema.json"))

#: The pile's top is a queen; south holds a pair of queens, and needs 50 points to open.
SMALL = """[CGN "1"]
[Rules "classic"]

deal 1 dealer N
E: 4s 5s 6s 7s 8s 9s Ts Js Ks 4h 5h
S: Qs Qd Ks Kd Kc 2c 7h 8h 9h Th 4d
up 9c
1. E +Qh -Qh
"""


def test_the_document_holds_its_schema_at_every_turn() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    judge = Draft202012Validator(SCHEMA)
    for name in profile_names():
        profile = load_profile(name)
        game = play_game(profile, 2, deals=1)
        turns = sum(isinstance(line, Turn) for line in game.deals[0].play)
        for turn in range(1, turns + 2):
            position = find_position("a", game, 1, 1, turn, profile)
            assert position is not None
            judge.validate(json.loads(json.dumps(legal_json(position))))


def test_ways_to_take_and_why_not(tmp_path: Path) -> None:
    path = tmp_path / "small.canasta"
    path.write_text(SMALL, "utf-8")
    result = RUN.invoke(app, ["legal", str(path), "--deal", "1", "--turn", "2", "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["seat"] == "S"
    ways = {each["way"]: each for each in document["takes"]}
    assert ways["pair"]["legal"] and ways["pair"]["cards"] == ["Qs", "Qd"]
    refusal = ways["with-wild"]["refusal"]
    assert (refusal["code"], refusal["rule"]["key"]) == (
        "pile-frozen",
        "pile.frozen_until_opened",
    )


def test_groups_after_a_take_say_what_they_count() -> None:
    (reading,) = read_text(SMALL + "2. S ^Qh Q:QsQd K:KsKdKc -4d\n")
    position = find_position("a", reading.game, 1, 1, 2, load_profile("classic"))
    assert position is not None and position.after is not None
    counts = {
        (each.rank, len(each.cards), each.wilds): each.count for each in position.after.groups
    }
    assert counts[10, 2, 0] == 30  # the queens with the top card: kings can follow
    assert counts[11, 3, 0] == 30
    assert all(choice.refusal for choice in position.after.discards)


def test_unwritten_cards_leave_doubt() -> None:
    (reading,) = read_text(SMALL + "2. S + -4d\n3. W + -Qc\n")
    position = find_position("a", reading.game, 1, 1, 4, load_profile("classic"))
    assert position is not None
    assert not position.start.known
    assert [(way.way, way.refusal, way.certain) for way in position.start.takes] == [
        ("pair", None, False)
    ]


def test_what_is_asked_for_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "small.canasta"
    path.write_text(SMALL, "utf-8")
    for arguments in (["--deal", "2", "--turn", "1"], ["--deal", "1", "--turn", "7"]):
        result = RUN.invoke(app, ["legal", str(path), *arguments])
        assert result.exit_code == 2


def test_generated_files_are_the_games(tmp_path: Path) -> None:
    profile = load_profile("bga")
    expected = [play_game(profile, seed, deals=1) for seed in (7, 8)]
    for suffix in ("canasta", "json", "jsonl"):
        path = tmp_path / f"out.{suffix}"
        arguments = ["generate", "--games", "2", "--seed", "7", "--profile", "bga", "--deals", "1"]
        assert RUN.invoke(app, [*arguments, "-o", str(path)]).exit_code == 0
        result = RUN.invoke(app, ["validate", str(path), "--json"])
        assert json.loads(result.stdout)["verdict"] == "verified"
    text = (tmp_path / "out.canasta").read_text("utf-8")
    assert text == "\n".join(format_game(game) for game in expected)
