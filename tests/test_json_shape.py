"""The shape says of every value what the schema says by jsonschema."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from test_format import TIDY, read
from test_json import REFUSED, SCHEMA, nodes

from canasta_notation.notation.json_form import game_to_json
from canasta_notation.notation.json_shape import shape_of

DEFINITIONS = SCHEMA["$defs"]
GAME = shape_of(DEFINITIONS["game"], DEFINITIONS)
#: Values at the edges of what a schema tells apart.
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 0.0, 1.0, 1.5, -0.5, float("nan"), float("inf")),
    *(999_999_999, 10**9, -999_999_999, -(10**9), 10**400, 1e300),
    *("", "a", "A", "a-b", "a-", "A_1", "a\n", "a b", "\t", "\x00", "\x80", "\ud800", "\u2028"),
    *("K", "Ks", "KS", "3r", "*", "_", "N", "NS", "out", "stock", "straight", "#", "##", "###"),
    *("1.5", "1.", "1\n", "!", "!!!", "$1", "$1000", "x" * 100, "x" * 101, "x" * 65537),
    *([], [None], ["Ks"], ["Ks", "x"], [[]], {}, {"x": 1}, {1: 1}, {"draw": []}, {"draw": 1}),
]  # fmt: skip
#: Lines of the kinds that a tidy game lacks.
MORE = """\
N: 4s ~hand-size
up 9h ~up-card
1. N ^9s ask=no -9s talon:4s ## ~meld-wilds
2. E straight:3h4s
end special E
; the end
"""


def by_jsonschema(name: str, value: Any) -> bool:
    schema = {"$defs": DEFINITIONS, "$ref": f"#/$defs/{name}"}
    return bool(Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_odd_values(name: str) -> None:
    shape = shape_of(DEFINITIONS[name], DEFINITIONS)
    for value in ODD:
        assert shape(value) is by_jsonschema(name, value), value


@pytest.mark.parametrize("value", [value for value, _, _ in REFUSED])
def test_what_is_refused(value: Any) -> None:
    assert GAME(value) is by_jsonschema("game", value)


def test_mutants() -> None:
    chance = random.Random(1)
    whole = game_to_json(read(TIDY.replace("; the end\n", MORE)))
    assert GAME(whole)
    parts = [value for value in nodes(whole) if value]
    verdicts = []
    for _ in range(600):
        value = copy.deepcopy(whole)
        for _ in range(chance.choice((1, 1, 1, 2))):
            damage(chance, value, parts)
        verdicts.append(GAME(value))
        assert verdicts[-1] is by_jsonschema("game", value), value
    assert 30 < sum(verdicts) < 500


def damage(chance: random.Random, value: Any, parts: list[Any]) -> None:
    """Make one edit in a value: a part replaced, dropped, added, or moved from elsewhere."""
    inside = chance.choice([it for it in containers(value) if it])
    key = chance.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
    new = copy.deepcopy(chance.choice(chance.choice((ODD, parts, [inside[key]]))))
    match chance.randrange(4):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[chance.choice([name for it in parts for name in it])] = new
        case 1:
            inside.insert(key, new)
        case _:
            inside[key] = new


def containers(value: Any) -> Iterator[Any]:
    """Yield every list and object within a value."""
    if isinstance(value, dict | list):
        yield value
        for it in value.values() if isinstance(value, dict) else value:
            yield from containers(it)


@pytest.mark.parametrize("schema", [{"format": "date"}, {"enum": [1]}, {"oneOf": []}])
def test_a_schema_beyond_its_reach(schema: Any) -> None:
    with pytest.raises(ValueError, match="not known here"):
        shape_of(schema, {})
