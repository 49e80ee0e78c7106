"""A program in JavaScript rebuilds every state of `replay --json` from the JSON of a game."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import canasta_notation as cn
from canasta_notation.players.random_game import play_game
from tests.random_games import rules_named, tables

ROOT = Path(__file__).parent.parent
PROGRAM = Path(__file__).parent / "javascript" / "states.js"
#: The values of the rules that the program asks for.
KEYS = {*re.findall(r'this\.value\["([a-z0-9_.]+)"\]', PROGRAM.read_text("utf-8"))}

pytestmark = pytest.mark.skipif(which("node") is None, reason="node is not installed")


def plain(value: Any) -> Any:
    """Return the value of a key as JSON can spell it."""
    return dict(value) if isinstance(value, Mapping) else value


def rebuilt(game: cn.Game) -> list[list[Any]]:
    """Return the tables that the program makes of the JSON of a game, by deal."""
    tag = game.tag("Rules")
    profile = cn.parse_rules(tag.value if tag else "classic").profile
    assert profile is not None
    rules = {
        "seats": [*profile.seats],
        "sides": [*profile.side_names],
        "values": {key: plain(profile[key]) for key in KEYS},
    }
    value = json.dumps({"rules": rules, "game": cn.game_to_json(game)})
    done = subprocess.run(
        ["node", PROGRAM], input=value, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    deals: list[list[Any]] = json.loads(done.stdout)
    return deals


def replayed(game: cn.Game) -> list[list[Any]]:
    """Return the same parts of the states of a replay, by deal."""
    deals: dict[int, list[Any]] = {}
    for position in cn.positions(game):
        state = position.to_json()
        table = {
            "hands": {seat: sorted(hand["cards"]) for seat, hand in state["hands"].items()},
            "melds": {
                name: {meld["label"]: sorted(meld["cards"]) for meld in side["melds"]}
                for name, side in state["sides"].items()
            },
            "threes": {name: sorted(side["threes"]) for name, side in state["sides"].items()},
            "pile": state["pile"]["cards"],
            "stock": state["stock"]["most"],
            "due": state["due"],
        }
        deals.setdefault(position.deal, []).append(table)
    return [*deals.values()]


def is_written(game: cn.Game) -> bool:
    """Return whether every card of every hand is written, and every draw."""
    lines = [line for line in cn.format_game(game).splitlines() if line[:1] not in ("[", ";")]
    text = "\n".join(line.partition(" ;")[0] for line in lines)
    unwritten = re.search(r"_|\.\.\.| \+( |$)", text, re.MULTILINE)
    return not unwritten and all(deal.hands for deal in game.deals)


def written_samples() -> list[Path]:
    paths = sorted((ROOT / "samples").glob("*.canasta"))
    return [path for path in paths if all(map(is_written, cn.read(path)))]


@pytest.mark.parametrize("path", written_samples(), ids=lambda path: path.stem)
def test_the_states_of_a_sample_are_rebuilt(path: Path) -> None:
    for game in cn.read(path):
        assert rebuilt(game) == replayed(game)


@tables
def test_the_states_of_random_games_are_rebuilt(name: str) -> None:
    profile = rules_named(name)
    for seed in range(2):
        game = play_game(profile, seed, deals=2)
        for number, (found, expected) in enumerate(
            zip(rebuilt(game), replayed(game), strict=True), 1
        ):
            for at, (one, other) in enumerate(zip(found, expected, strict=True)):
                assert one == other, f"seed {seed}, deal {number}, step {at}"


def test_most_samples_are_written_in_full() -> None:
    assert len(written_samples()) > 15
