"""The rows of the corpus: every row of small games, and the games and turns that rows name."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

pytest.importorskip("pyarrow")

from canasta_notation.corpus.build import in_memory
from canasta_notation.corpus.columns import TABLES
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from tests.cli_records import BROKEN, FALSE, UNSEEN, VERIFIED
from tests.every_kind import records
from tests.pages import SAMPLES, readings

#: Two files, each with two games.
FILES = {"a.canasta": VERIFIED + "\n" + BROKEN, "b.canasta": UNSEEN + "\n" + FALSE}


@cache
def rows(*, chances: bool = False) -> dict[str, list[dict[str, Any]]]:
    games = [
        (name, reading, number)
        for name, text in FILES.items()
        for number, reading in enumerate(read_text(text), 1)
    ]
    return {
        name: table.arrow.to_pylist() for name, table in in_memory(games, chances=chances).items()
    }


@pytest.mark.parametrize("table", TABLES)
def test_the_rows_of_small_games(table: str, snapshot: SnapshotAssertion) -> None:
    """Of each table: the first rows, one of nine of the others, and the last, with chances."""
    found = rows(chances=True)[table]
    shown = [
        ", ".join(f"{key} {value}" for key, value in row.items() if value not in (None, "", []))
        for at, row in enumerate(found)
        if at < 12 or at % 9 == 0 or at == len(found) - 1
    ]
    assert "\n".join(shown) == snapshot


def test_every_row_names_a_game_a_deal_and_a_turn_of_its_file() -> None:
    """The seats, sides and numbers of rows are those of the game that they name."""
    games = {
        (name, number): reading
        for name, text in FILES.items()
        for number, reading in enumerate(read_text(text), 1)
    }
    for table, found in rows().items():
        named = {(row["file"], row["game"]) for row in found}
        assert named <= {*games} and (len(named) > 1 or not found), table
        for row in found:
            game = games[row["file"], row["game"]].game
            number = row.get("deal")
            if not number:
                continue
            deal = game.deals[number - 1]
            turns = [line for line in deal.play if hasattr(line, "actions")]
            if row.get("turn"):
                turn = turns[row["turn"] - 1]
                assert "seat" not in row or row["seat"] == turn.seat


def test_the_line_of_a_row_is_where_its_file_says_it() -> None:
    """A game begins there, a deal, a turn of that number and seat; a finding has its columns."""
    kinds = {"games": r"\[", "deals": "deal {deal} ", "turns": "{turn}\\. {seat} ", "findings": ""}
    for table, begins in kinds.items():
        for row in rows()[table]:
            line = FILES[row["file"]].splitlines()[row["line"] - 1]
            assert re.match(begins.format(**row) if table != "games" else begins, line), (row, line)
            if table == "findings":
                assert 1 <= row["start_column"] < row["end_column"] <= len(line) + 2


def test_the_points_of_rows_are_those_of_the_game() -> None:
    seen = 0
    for name, text in FILES.items():
        for number, reading in enumerate(read_text(text), 1):
            sides = {
                (deal.deal, side.side): side
                for deal in replay_game(reading.game, number).deals
                for side in deal.sides
            }
            for row in rows()["sides"] + rows()["score_items"]:
                if (row["file"], row["game"]) == (name, number):
                    side = sides[row["deal"], row["side"]]
                    if "item" in row:
                        assert row["points"] == side.items.get(row["item"])
                        seen += 1
                    else:
                        assert (row["score"], row["total"]) == (side.score, side.total)
    assert seen > 10


def test_games_of_all_kinds_can_be_in_one_corpus() -> None:
    """A record that cannot be played has its game, and no row of it says anything else."""
    texts = [text for _, text in records()]
    texts += [each.read_text("utf-8") for each in sorted(SAMPLES.glob("score-sheet-*.canasta"))]
    games = [("f", reading, at) for at, reading in enumerate(readings(*texts), 1)]
    tables = in_memory(games)
    assert [row["game"] for row in tables["games"].arrow.to_pylist()] == [at for *_, at in games]
