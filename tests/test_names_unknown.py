"""Names of players: signs such as `?` stand for an unknown player, and two of them are not one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from canasta_notation.names import is_known, names_in
from canasta_notation.notation.reader import read_text
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.standing import Standing
from tests.programs import analyzed, canasta

UNKNOWN = """\
[CGN "1"]
[N "?"]
[E "?"]
[S "?"]
[W "?"]

deal 1 ; who was E?
score NS 1245
score EW -35
total NS 1245 EW -35
"""


@pytest.mark.parametrize("name", ["?", "??", "-", "...", "\u2014", "", " ", "_", "? ?"])
def test_signs_are_not_a_name(name: str) -> None:
    assert not is_known(name)
    assert names_in({"N": name, "S": "Ana"}, "NESW") == {"S": "Ana"}


@pytest.mark.parametrize("name", ["A", "7", "\u674e", "\U0001f98a", "Ana?", "$"])
def test_everything_else_is_a_name(name: str) -> None:
    assert is_known(name)


def test_four_unknown_players_are_not_one(tmp_path: Path) -> None:
    """Each has a row of their own, and none of them is numbered as a player."""
    path = tmp_path / "a.canasta"
    path.write_text(UNKNOWN)
    rows = [line.split()[:2] for line in analyzed(path).splitlines() if "?     ?" in line]
    assert [row[0] for row in rows] == ["N", "E", "S", "W"] * 2
    assert canasta("convert", "--anonymous", path).stdout == UNKNOWN
    assert "?" not in canasta("audit", path).stdout.splitlines()[1]
    [game] = json.loads(canasta("replay", path, "--json").stdout)["games"]
    assert game["players"] == {}


def test_an_unknown_player_has_no_place_in_standings() -> None:
    pytest.importorskip("jinja2")
    from canasta_notation.page.standings import outcome
    from tests.pages import page_games

    [game] = page_games([*read_text(UNKNOWN.replace('[W "?"]', '[W "Bo"]'))])
    assert outcome(game).players == {"NS": [], "EW": ["Bo"]}


def test_a_question_mark_that_is_typed_is_no_seat() -> None:
    standing = Standing(['[CGN "1"]', '[N "?"]', '[W "Bo"]'])
    assert seats_for_names(standing, "Bo ?") == "W ?"


def test_an_unknown_player_is_renamed_alone() -> None:
    types = pytest.importorskip("lsprotocol.types")
    from canasta_notation.editor.assist import rename
    from canasta_notation.editor.open_record import Document, Text

    text = Text(UNKNOWN, 1, "utf-16")
    document = Document("file:///a.canasta", text)
    edit = rename(document, text, types.Position(2, 5), "Eve")
    assert edit is not None
    [only] = edit.changes["file:///a.canasta"]
    assert (only.range.start.line, only.new_text) == (2, '"Eve"')
