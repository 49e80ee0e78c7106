"""Every command of the recorder at every kind of question, as a person sees the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.dialogue.questions import (
    begins_line,
    first_command,
    is_command,
    is_prose,
    likely,
)
from tests.recorders import talk
from tests.test_dialogue_talk import DEAL, SAMPLES
from tests.test_recorder_standings import lines_of

COMMANDS = ("?", "help", "table", "hands", "score", "turns", "turns 2", "turns x", "TURNS 1",
            "save", "note", "note he thinks", "undo 2", "undo x", "back", "edit", "edit 99 x",
            "insert", "tabel", "what now", "", "9", "ask")  # fmt: skip
BEGUN = {
    "a turn": DEAL[:24],
    "the scores": [line for line in DEAL if not line.startswith(("score", "total"))],
    "a deal": lines_of(SAMPLES / "profile-american-4p.canasta", 1),
    "a sheet": lines_of(SAMPLES / "score-sheet-1.canasta", 2),
    "over": (SAMPLES / "score-sheet-1.canasta").read_text("utf-8").splitlines(),
}


@pytest.mark.parametrize("where", BEGUN)
def test_every_command_where_something_is_due(
    where: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "a.canasta"
    path.write_text("".join(f"{line}\n" for line in BEGUN[where]), "utf-8")
    shown = talk(path, *COMMANDS, "quit", "quit")
    assert f"{shown}\n{path.read_text('utf-8')}".replace(str(tmp_path), "") == snapshot


def test_every_word_is_of_one_kind(snapshot: SnapshotAssertion) -> None:
    words = [*COMMANDS, "K", "KQ", "234", "10", "deal", "end", "N:", "melds", "hello", "Ks",
             "up", "score", "Undo", "quit", "quit now", "NS", "noet", "tuns", "xyz"]  # fmt: skip
    lines = [
        f"{word}: {first_command(word)!r} {is_command(word)} {begins_line(word)} "
        f"{is_prose(word)} {likely(word)!r}"
        for word in words
    ]
    assert "\n".join(lines) == snapshot
