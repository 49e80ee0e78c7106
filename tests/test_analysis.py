"""The analysis: facts against another count, chances, the story, the table, JSON.

CANASTA_ANALYSIS_DEALS sets how many random deals of each profile are counted twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import canasta_notation as cn
from canasta_notation.cli.app import app
from canasta_notation.generate import play_game
from canasta_notation.resources import read_text
from tests.random_games import PROFILES

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
DEALS = int(os.environ.get("CANASTA_ANALYSIS_DEALS", "3"))
SCHEMA = json.loads(read_text("schemas", "analysis.schema.json"))


def run(*args: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["analyze", *args])
    assert done.exit_code == code, done.output
    return done.stdout


def analyzed(text: str) -> dict[str, Any]:
    """Return the analysis of the one game of a text, after a check against the schema."""
    [game] = cn.read(text)
    found: dict[str, Any] = cn.analyze(game).to_json()
    part = {"$ref": "#/$defs/game", "$defs": SCHEMA["$defs"]}
    Draft202012Validator(part).validate(json.loads(json.dumps(found)))
    return found


# --- facts ----------------------------------------------------------------------------------------

#: The points of cards by the first letter of their texts.
VALUES = {
    **dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "2": 20, "*": 50,
}  # fmt: skip


def value(card: str) -> int:
    if card[0] == "3":
        return 0 if card[1] in "hdr" else 5
    return VALUES[card[0]]


def wild(cards: Any) -> int:
    return sum(card[0] in "2*" for card in cards)


def turns_of(positions: list[cn.Position]) -> Iterator[tuple[cn.Position, list[cn.Position]]]:
    """Yield, for each turn, the position before it and those in it."""
    before = positions[0]
    for _, steps in groupby(positions[1:], lambda each: each.turn):
        listed = list(steps)
        yield before, listed
        before = listed[-1]


def melded(position: cn.Position, side: str) -> int:
    return sum(map(len, position.melds[side].values())) + len(position.state.special)


def counted(positions: list[cn.Position]) -> dict[str, dict[str, int | None]]:
    """Count the facts of a deal from its positions alone."""
    first = positions[0]
    keys = ("turns", "drawn", "takes", "taken", "gifts", "given", "froze", "laid", "wilds")
    facts: dict[str, dict[str, Any]] = {seat: dict.fromkeys(keys, 0) for seat in first.seats}
    for seat in first.seats:
        facts[seat]["wilds"] = wild(first.hands[seat])
        facts[seat]["opened_at"] = None
    gave = None
    for before, steps in turns_of(positions):
        after, seat = steps[-1], steps[0].last[0]
        side = next(each for each in first.sides if seat in each)
        own = facts[seat]
        own["turns"] += 1
        assert before.stock is not None and after.stock is not None
        own["drawn"] += before.stock - after.stock
        words = [step.last[2:] for step in steps]
        took = before.stock == steps[0].stock
        if took:
            own["takes"] += 1
            own["taken"] += len(before.pile)
            own["wilds"] += wild(before.pile)
            if gave:
                facts[gave]["gifts"] += 1
                facts[gave]["given"] += len(before.pile)
        for word in words:
            if word[0] == "+" or word.startswith("talon"):
                cards = word.removeprefix("talon:").replace("+", "")
                own["wilds"] += wild(cn.format_card(code) for code in cn.parse_cards(cards))
        own["laid"] += melded(after, side) - melded(before, side)
        was_frozen = before.frozen and not took
        own["froze"] += bool(after.frozen and not was_frozen)
        if after.opened[side] and not before.opened[side]:
            own["opened_at"] = after.turn
        gave = seat if any(word[0] == "-" for word in words) else None
    for seat in first.seats:
        facts[seat]["held"] = sum(map(value, positions[-1].hands[seat]))
    return facts


def random_deals(name: str) -> Iterator[cn.Game]:
    """Yield random games until they have enough deals."""
    profile = cn.load_profile(name)
    deals = seed = 0
    while deals < DEALS:
        game = play_game(profile, seed, deals=min(12, DEALS - deals))
        yield game
        deals += len(game.deals)
        seed += 1


@pytest.mark.parametrize("name", PROFILES)
def test_the_facts_are_those_that_the_positions_show(name: str) -> None:
    for game in random_deals(name):
        deals = [
            counted(list(each)) for _, each in groupby(cn.positions(game), lambda each: each.deal)
        ]
        found = cn.analyze(game).to_json()["deals"]
        for expected, deal in zip(deals, found, strict=True):
            for seat, facts in expected.items():
                told = {key: deal["seats"][seat][key] for key in facts}
                assert told == facts, (name, deal["deal"], seat)
