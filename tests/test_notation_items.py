"""Every place that must know the items of a score knows each of them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from canasta_notation.engine.scoring import ITEMS
from canasta_notation.notation.reader import read_text

ROOT = Path(__file__).parent.parent
#: What a score line can name: a score sheet may write `cards` in place of two of the items.
NAMES = (*ITEMS, "cards")


def text_of(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


@pytest.mark.parametrize("item", NAMES)
def test_every_place_knows_an_item(item: str) -> None:
    line = f"score NS 5 = {item} 5"
    (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{line}\n')
    assert reading.game.deals[0].scores[0].items == ((item, 5),), "the grammar"
    assert re.search(rf"^\|[^|]*`{item}`[^|]*\|", text_of("grammar/README.md"), re.MULTILINE)
    helps = re.findall(r"the items are ([a-z0-9 -]+)", text_of("grammar/slips.toml"))
    assert helps and all(item in each.split() for each in helps)
    for path in ("schemas/game.schema.json", "schemas/audit.schema.json"):
        assert item in names_in(json.loads(text_of(path))), path
    words = tomllib.loads(text_of("canasta_notation/notation/spreadsheet_words.toml"))
    assert words["en"][item]


def names_in(schema: object) -> set[str]:
    """Return the words of the enumerations and patterns of a schema, except of other things."""
    if isinstance(schema, list):
        return set().union(*map(names_in, schema))
    if not isinstance(schema, dict):
        return set()
    own = [each for each in schema.get("enum", ()) if isinstance(each, str)]
    own += re.findall(r"[a-z0-9-]+", str(schema.get("pattern", "")))
    return {*own}.union(*map(names_in, schema.values()))
