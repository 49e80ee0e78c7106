"""Every place that names the items of a score names those of the table, and no others."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from canasta_notation.notation.reader import read_text
from canasta_notation.report.ledger import audit_game
from canasta_notation.rules.items import ITEMS, SCORED, Item
from canasta_notation.rules.keys import keys

ROOT = Path(__file__).parent.parent
NAMES = {*SCORED}
#: Items whose entries the audit explains by cards or rulings.
LISTED = {"bonus", "red3", "threes", "hand", "penalty"}
FINAL_TABLE = """[CGN "1"]
[Rules "classic-strict"]

deal 1 dealer N
end out N
melds NS K:KsKsKhKhKdKdKc 4:4s4s4h
left E 5s
left S 6s
left W 7s
score NS 780 = melds 85 natural 500 concealed-canasta 100 out 100 hand -5
"""


def text_of(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


@pytest.mark.parametrize("item", SCORED)
def test_a_record_and_a_spreadsheet_can_have_an_item(item: str) -> None:
    line = f"score NS 5 = {item} 5"
    (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{line}\n')
    assert reading.game.deals[0].scores[0].items == ((item, 5),)
    words = tomllib.loads(text_of("canasta_notation/foreign/spreadsheet_words.toml"))
    assert words["en"][item]


def test_the_schemas_name_the_items() -> None:
    """The grammar, the reference and the slips are compared by `test_notation_reference.py`."""
    for path in ("schemas/game.schema.json", "schemas/audit.schema.json"):
        assert [*lists_of_items(json.loads(text_of(path)))] == [NAMES], path


@pytest.mark.parametrize("item", SCORED.values(), ids=SCORED)
def test_sentences_about_an_item(item: Item) -> None:
    assert not item.key or item.key in keys()
    assert bool(item.earned) == (item.name in ITEMS and item.name not in LISTED)
    assert bool(item.figure) == bool(item.asked)
    assert not item.bonus or item.bonus.endswith(".")
    # Every other item is asked for as a figure of the score pad, or by its points.
    assert item.figure or item.bonus or item.name in ("melds", "hand", "out", "concealed")


def test_what_decides_a_concealed_canasta() -> None:
    """The table at the end shows the canasta, but not whether one turn laid it."""
    (reading,) = read_text(FINAL_TABLE)
    (side, _) = audit_game(reading, 1).deals[0].sides
    decided = {row.item: row.decided_by for row in side.rows}
    assert decided["concealed-canasta"] == "the turns in which NS laid its canastas"


def lists_of_items(schema: object) -> Iterator[set[str]]:
    """Yield the words of each enumeration of a schema that lists items."""
    if isinstance(schema, list):
        for each in schema:
            yield from lists_of_items(each)
    elif isinstance(schema, dict):
        words = schema.get("enum", ())
        if "melds" in words and "natural" in words:
            yield {*words}
        for each in schema.values():
            yield from lists_of_items(each)
