"""Copies of tables: they share nothing that changes, in either build."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from canasta_notation import format_game, load_profile, read_text
from canasta_notation.engine import hand, side, table
from canasta_notation.engine.account import table_three
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import Table
from canasta_notation.generate import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.search.trial import clone

#: For each class, the modules in which its own arrays are declared and the one that copies them.
ARRAYS = {
    "Deck": ((hand,), hand),
    "Hand": ((hand,), hand),
    "Side": ((side,), side),
    "Table": ((table,), table),
}


def source(module: Any) -> str:
    return (Path(module.__file__).parent / (module.__name__.rpartition(".")[2] + ".py")).read_text()


def body(name: str, text: str) -> str:
    found = re.search(rf"^class {name}\b.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[0] if found else text


@pytest.mark.parametrize("name", ARRAYS)
def test_every_array_is_copied(name: str) -> None:
    """A compiled class copies its arrays itself; which, nothing else would say."""
    modules, copier = ARRAYS[name]
    own = "".join(body(name, source(module)) for module in modules)
    declared = set(re.findall(r"self\.(\w+): vec\[i64\]", own))
    copying = body(name, source(copier)).partition("def copy_arrays")[2].partition("def ")[0]
    assert declared == set(re.findall(r"self\.(\w+)[ ,]", copying)) and declared


def test_a_copy_is_equal_and_goes_its_own_way() -> None:
    game = play_game(load_profile("american-4p"), 3)
    (reading,) = read_text(format_game(game))
    seen = []

    def observe(at: int, play: Table, line: int, action: int) -> None:
        copy = clone(play)
        before = snapshot(play)
        assert snapshot(copy) == before
        if not copy.ended and copy.pile:
            for each in copy.hands:
                each.add(copy.pile[-1])
            copy.pile.append(copy.pile[-1])
            copy.sides[0].put(5, 3, 1, 0, 0, 40)
            table_three(copy, 0, 0)
        assert snapshot(play) == before
        seen.append(copy)

    replay_game(reading.game, observer=observe)
    assert len(seen) > 100
