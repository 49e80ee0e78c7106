"""Recording final tables and score sheets: on a terminal, and killed in the middle."""

from __future__ import annotations

import os
import random
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from tests.record_scripts import ROWS, TABLES
from tests.recorders import Piped, Terminal, type_all

MODES = {"--table": TABLES, "--sheet": ROWS}


def written(path: Path) -> str:
    """Return the text of a record; before the first answer there is no file."""
    return path.read_text() if path.exists() else ""


@cache
def course(mode: str) -> list[str]:
    """Return the file after each line of a recording without interruption."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.canasta"
        recorder = Piped("record", mode, path)
        recorder.prompt()
        states = [written(path)]
        for line in MODES[mode]:
            recorder.ask(line)
            states.append(written(path))
        assert recorder.finish() == 0
        assert states[-1] == path.read_text()
        return states


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(int(os.environ.get("CANASTA_KILLS", "2"))))
def test_killed_at_any_moment(mode: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    states, lines = course(mode), MODES[mode]
    path = tmp_path / "game.canasta"
    recorder = Piped("record", mode, path)
    recorder.prompt()
    returned = rng.randrange(len(lines))
    for line in lines[:returned]:
        recorder.ask(line)
    recorder.send(lines[returned])
    time.sleep(rng.random() * 0.02)
    recorder.kill()
    text = written(path)
    assert text in states[returned : returned + 2]
    again = CliRunner().invoke(app, ["record", mode, str(path)], input="")
    assert again.exit_code == 0, again.output
    assert written(path) == text
    assert {each.name for each in tmp_path.iterdir()} <= {"game.canasta"}


@pytest.mark.parametrize(
    ("mode", "seen"),
    [
        ("--table", r"^deal 2 EW>"),
        ("--sheet", r"restored: score NS 815(?s:.*)^deal 3 NS \(natural"),
    ],
)
def test_on_a_terminal(mode: str, seen: str, tmp_path: Path) -> None:
    program = Terminal("record", mode, "game.canasta", folder=tmp_path, lines=60)
    try:
        program.see(r"^rules \[classic\]> *$")
        type_all(program, MODES[mode])
        program.see(seen)
        program.send("\x15quit\r")
        program.see("saved in")
        assert program.wait() == 0
    finally:
        program.close()
    assert (tmp_path / "game.canasta").read_text() == course(mode)[-1]
