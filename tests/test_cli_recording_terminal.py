"""Recording in practice: on a terminal, killed in the middle, two at once, on a full disk."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from canasta_notation.cli.installing import how_to_install
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from tests.record_scripts import ENTRIES, OPENING
from tests.recorders import DUE, Piped, Terminal, anyhow_wrapped, type_all

EXPECTED = Path(__file__).parent / "recorded" / "deal.canasta"


def checked(text: str) -> GameReport:
    """Return the report of a readable record of one game."""
    [reading] = read_text(text)
    assert not reading.problems
    return replay_game(reading.game)


# --- a whole deal on a terminal -----------------------------------------------------------------


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    program = Terminal("record", "deal.canasta", folder=tmp_path)
    yield program
    program.close()


def test_a_deal_typed_with_slips(terminal: Terminal, tmp_path: Path) -> None:
    terminal.see(r"^rules \[classic\]> *$")
    type_all(terminal, (*OPENING, *ENTRIES[:5]))
    shown = terminal.see(r"^1\. E>(?s:.*)^EW +0 -445 needs 50 to open 3:2")
    assert "pile 1, top 6♠, frozen | stock 61" in shown, shown
    type_all(terminal, ENTRIES[5:6])
    shown = terminal.see(
        r"k  keep it, marked as accepted by the players \(~opening-low\)\n"
        r"Enter to correct, or b, k>"
    )
    assert "not right: the opening counts 30, but at a total of 0 it needs 50" in shown, shown
    assert "^^^^^^^^ counts 30 of 50" in shown
    type_all(terminal, ENTRIES[6:8])
    shown = terminal.see(
        r"p  keep it, with a penalty \(penalty NS 50 upcard\)\nEnter to correct, or k, p>"
    )
    assert "not right: the pile is frozen until the side opens" in shown, shown
    type_all(terminal, ENTRIES[8:])
    shown = terminal.see(r"^deal 2 up>")
    assert "deal 2, dealer E: NS 1115 (needs 50 to open), EW 925 (needs 50 to open)" in shown
    assert (tmp_path / "deal.canasta").read_text() == EXPECTED.read_text()
    terminal.send("quit\r")
    assert terminal.wait() == 0
    report = checked(EXPECTED.read_text())
    assert report.verdict == "verified"
    assert [finding.code for finding in report.findings] == ["opening-low"]


def test_completion_offers_the_legal_plays(terminal: Terminal) -> None:
    terminal.see(r"^rules \[classic\]> *$")
    type_all(terminal, (*OPENING, *ENTRIES[:5]))
    terminal.see(r"^1\. E>")
    terminal.send("+8h 5")
    terminal.see(r"5:5h5d2s\* +4 cards, opening 80")


def test_a_correction_starts_from_what_was_typed(terminal: Terminal) -> None:
    terminal.see(r"^rules \[classic\]> *$")
    type_all(terminal, (*OPENING, *ENTRIES[:5], "+8h -ks"))
    terminal.see(r"^Enter to correct>")
    terminal.send("\r")
    terminal.see(r"^1\. E> \+8h -ks *$")


@pytest.mark.parametrize("without", ["", "prompt_toolkit"])
def test_ctrl_c_on_an_empty_line_says_once_how_to_leave(without: str, tmp_path: Path) -> None:
    (tmp_path / "deal.canasta").write_text(EXPECTED.read_text())
    program = Terminal("record", "deal.canasta", folder=tmp_path, without=without)
    try:
        program.see(r"^deal 2 up> *$")
        program.send("9")
        program.see(r"^deal 2 up> 9 *$")
        program.send("\x03")
        program.see(r"^deal 2 up> *$")
        assert "to leave" not in program.text(), "it only clears the line"
        program.send("\x03")
        program.see(
            r"^to leave, type quit or press Ctrl-D; every accepted entry is saved\n+deal 2 up> *$"
        )
        program.send("\x03")
        program.see(r"deal 2 up> *\n+deal 2 up> *$")
        assert program.text().count("to leave") == 1
    finally:
        program.close()


def test_text_fits_a_window_that_has_become_narrow(tmp_path: Path) -> None:
    (tmp_path / "deal.canasta").write_text(EXPECTED.read_text())
    program = Terminal("record", "deal.canasta", folder=tmp_path, without="prompt_toolkit")
    try:
        program.see(r"^deal 2 up> *$")
        program.resize(50, 40)
        program.send("?\r")
        program.see(
            r"^ +the turns\n(?s:.*)^ +leave; canasta record continues from here\ndeal 2 up>"
        )
    finally:
        program.close()


def test_on_a_terminal_without_prompt_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deal.canasta").write_text(EXPECTED.read_text())
    program = Terminal("record", "deal.canasta", folder=tmp_path, without="prompt_toolkit")
    try:
        program.see(anyhow_wrapped(how_to_install("record")))
        program.see(r"^deal 2 up> *$")
        program.send("9 d\r")
        program.see(r"is not a card(?s:.*)^deal 2 up> 9 d *$")
        program.send("\x03")  # Ctrl-C clears what was typed before, too
        program.send("9d\x1b[D\x7fT\r")  # the cursor moves one back, a letter is changed
        program.see(r"^deal 2 red threes> *$")
        program.send("typed and left\x03")  # Ctrl-C clears the line
        program.send("none\r")
        program.see(r"^1\. S> *$")
        program.send("quit\r")
        program.see("saved in")
        assert program.wait() == 0
        assert (tmp_path / "deal.canasta").read_text().endswith("\ndeal 2 dealer E\nup Td\n")
    finally:
        program.close()


# --- through pipes ------------------------------------------------------------------------------


def record(path: Path, *lines: str) -> str:
    """Record lines in this process; return the output."""
    stdin = "".join(line + "\n" for line in lines)
    result = CliRunner().invoke(app, ["record", str(path)], input=stdin, env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    return result.output


def test_the_record_is_the_same_without_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    record(path, *OPENING, *ENTRIES)
    assert path.read_text() == EXPECTED.read_text()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, bool]]:
    """Return the file after each line typed without interruption, and whether an entry is due."""
    path = tmp_path_factory.mktemp("course") / "deal.canasta"
    recorder = Piped("record", path)
    recorder.prompt()
    for line in OPENING:
        recorder.ask(line)
    states = [(path.read_text(), True)]
    for line in ENTRIES:
        shown = recorder.ask(line)
        states.append((path.read_text(), DUE.search(shown) is not None))
    assert recorder.finish() == 0
    assert states[-1][0] == EXPECTED.read_text()
    return states


@pytest.mark.parametrize("seed", range(int(os.environ.get("CANASTA_KILLS", "6"))))
def test_killed_at_any_moment(seed: int, course: list[tuple[str, bool]], tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "deal.canasta"
    path.write_text(course[0][0])
    recorder = Piped("record", path)
    recorder.prompt()
    returned = rng.randrange(len(ENTRIES))
    for line in ENTRIES[:returned]:
        recorder.ask(line)
    recorder.send(ENTRIES[returned])
    time.sleep(rng.random() * 0.02)
    recorder.kill()

    text = path.read_text()
    assert text in (course[returned][0], course[returned + 1][0])
    report = checked(text)
    # While the cards are still being written down, unseen cards are not known.
    setup = report.deals and "\nup " not in text
    assert report.verdict == ("undetermined" if setup else "verified")
    assert report.result.finished is False
    resumed = max(at for at, (state, due) in enumerate(course) if due and state == text)
    (tmp_path / f".deal.canasta.{'0' * 32}.tmp").write_text("left by one that was killed")
    (tmp_path / ".deal.canasta.notes.tmp").write_text("not a recorder's")
    record(path, *ENTRIES[resumed:])
    assert path.read_text() == EXPECTED.read_text()
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == [".deal.canasta.notes.tmp", "deal.canasta"]


def test_a_second_recorder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    path.write_text(EXPECTED.read_text())
    first = Piped("record", path)
    first.prompt()
    (tmp_path / "link.canasta").symlink_to(path)
    for name in ("deal.canasta", "link.canasta"):
        result = CliRunner().invoke(app, ["record", str(tmp_path / name)], input="9h\n")
        assert result.exit_code == 2
        assert f"another recorder is writing this record (process {first.process.pid})" in (
            result.output
        )
    first.kill()
    assert list(tmp_path.glob(".*.lock")), "the lock of a killed recorder stays on the disk"
    record(path, "9h")
    assert path.read_text().endswith("\ndeal 2 dealer E\nup 9h\n")
    assert not list(tmp_path.glob(".*"))


def test_a_deleted_folder(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    path = folder / "deal.canasta"
    path.write_text(EXPECTED.read_text())
    recorder = Piped("record", path)
    recorder.prompt()
    shutil.rmtree(folder)
    shown = " ".join(recorder.ask("9h").split())  # where it is wrapped depends on the folder
    assert "NOT SAVED" in shown and "there is no folder" in shown
    assert "NOT SAVED" in recorder.ask("+ -4s"), "said again as long as it is so"
    elsewhere = tmp_path / "saved.canasta"
    assert "saved" in recorder.ask(f"save {elsewhere}")
    recorder.ask("+ -5s")
    assert recorder.finish() == 0
    assert elsewhere.read_text().endswith("up 9h\n1. S + -4s\n2. W + -5s\n")


def test_a_full_disk(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    import resource

    path = tmp_path / "deal.canasta"
    path.write_text(EXPECTED.read_text())
    recorder = Piped("record", path)
    recorder.prompt()
    size = len(EXPECTED.read_bytes())
    resource.prlimit(recorder.process.pid, resource.RLIMIT_FSIZE, (size, size))
    assert "NOT SAVED" in recorder.ask("9h")
    assert path.read_text() == EXPECTED.read_text(), "the old file is whole"
    recorder.send("quit")
    out, _ = recorder.process.communicate(timeout=20)
    assert recorder.process.returncode == 2
    assert out.decode().endswith("\ndeal 2 dealer E\nup 9h\n"), "the record is handed over"


def test_a_file_changed_by_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "deal.canasta"
    path.write_text(EXPECTED.read_text())
    recorder = Piped("record", path)
    recorder.prompt()
    path.write_text("changed\n")
    assert "another program has changed this file" in recorder.ask("9h")
    assert path.read_text() == "changed\n"
    recorder.ask(f"save {tmp_path / 'mine.canasta'}")
    recorder.finish()
    assert (tmp_path / "mine.canasta").read_text().endswith("up 9h\n")
