"""Every option of `canasta analyze`: what it changes in what is shown of small records."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cli.session import UserError
from canasta_notation.story.analyze_command import rollouts_of
from tests.command_lines import outcome, with_each_option, write_files

#: Records, and turns that are asked about.
LINES = (
    (".",),
    ("a.canasta", "b.canasta"),
    ("a.canasta", "--deal", "1", "--turn", "2"),
    ("b.canasta", "--deal", "1", "--turn", "1"),
    ("a.canasta", "--turn", "1"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    write_files(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_what_every_option_changes(
    folder: Path, line: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    assert "\n\n".join(with_each_option(folder, "analyze", *line)) == snapshot


def test_plays_that_are_compared(folder: Path, snapshot: SnapshotAssertion) -> None:
    turn = ("analyze", "a.canasta", "--deal", "1", "--turn", "3", "--rollouts", "20")
    plays = ("--play", "-Ks", "--play", "-9s", "--play", "K:Ks -6h")
    more = ((), ("--seat", "S"), ("--seed", "3"), ("--language", "de"))
    found = ["\n".join(outcome(folder, *turn, *plays, *each)) for each in more]
    assert "\n\n".join(found) == snapshot


@pytest.mark.parametrize(
    ("text", "number"),
    [("auto", None), ("0", 0), ("20", 20), ("0" * 16 + "20", 20), ("0" * 17 + "20", ""),
     ("1000", 1000), ("18", ""), ("-1", ""), ("Auto", ""), ("", ""), ("\u0662\u0660", 20)],
)  # fmt: skip
def test_the_number_of_play_outs(text: str, number: int | str | None) -> None:
    if number == "":
        with pytest.raises(UserError, match="--rollouts: give "):
            rollouts_of(text)
    else:
        assert rollouts_of(text) == number
