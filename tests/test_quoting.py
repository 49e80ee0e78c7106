"""A message repeats only a little of its input, however long an argument, a path or a cell is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import canasta_notation as cn
from canasta_notation.cli.commands import COMMANDS
from canasta_notation.cli.recording.console import RecordFile
from canasta_notation.cli.session import UserError
from canasta_notation.corpus.folder import MANIFEST, read_manifest
from canasta_notation.storage import BadFile, lock_file
from tests.cli_records import VERIFIED
from tests.programs import canasta

LONG = "x" * 100_000
#: The most characters of a message: a record's path, and what is wrong.
MOST = 4000
OPTIONS = (
    "--rules", "--deal", "--turn", "--game", "--seat", "--seed", "--games", "--format", "--to",
    "--columns", "-o", "--jobs", "--step", "--nothing-of-this-name", f"--{LONG}",
)  # fmt: skip


@pytest.mark.parametrize("command", [entry.name for entry in COMMANDS])
def test_a_message_of_a_command_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.canasta"
    path.write_text(VERIFIED)
    lines = [[LONG], [path, LONG], *([path, option, LONG] for option in OPTIONS)]
    for more in lines:
        result = canasta(command, *more)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "internal error" not in result.stderr
        assert len(result.stderr) < MOST, more[-2][:20]
    assert os.listdir(tmp_path) == ["a.canasta"]


@pytest.mark.parametrize("args", [[LONG], [f"{LONG}.canasta"], ["corpus", LONG], ["help", LONG]])
def test_a_wrong_command_is_short(args: list[str]) -> None:
    assert 0 < len(canasta(*args).stderr) < MOST


def test_a_sheet_of_many_wrong_columns_is_short(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",".join(f"column{at}" for at in range(5_000)) + "\n1\n")
    (tmp_path / "b.csv").write_text("NS score," * 3_000 + "\n1\n")
    (tmp_path / "c.csv").write_text(f"deal,NS score,EW score\n{LONG},5,5\n1,{LONG},{LONG}\n")
    for name in ("a.csv", "b.csv", "c.csv"):
        result = canasta("convert", tmp_path / name, "--to", "json")
        assert result.exit_code == 2
        assert 0 < len(result.stderr) < MOST
    columns = tmp_path / "map.toml"
    columns.write_text('deal = "column0"\n[NS]\nscore = "column1"\n')
    result = canasta("convert", tmp_path / "a.csv", "--to", "json", "--columns", columns)
    assert 0 < len(result.stderr) < MOST


def test_an_error_of_the_library_is_short() -> None:
    (game,) = cn.read(VERIFIED)
    live = cn.LiveGame(seed=1)
    live.deal()
    calls: list[Callable[[Any], object]] = [
        lambda wrong: cn.LiveGame(wrong),
        lambda wrong: cn.LiveGame(f"classic {wrong}"),
        lambda wrong: cn.LiveGame(f"classic target={wrong}"),
        lambda wrong: cn.LiveGame(f"classic {wrong}=1"),
        lambda wrong: cn.LiveGame(dealer=wrong),
        lambda wrong: cn.LiveGame(house=wrong),
        lambda wrong: cn.LiveGame(players={wrong: "Ana"}),
        lambda wrong: cn.LiveGame(tags={"Date": wrong}),
        lambda wrong: cn.LiveGame().deal(hands={wrong: "4s"}),
        lambda wrong: cn.LiveGame().deal(hands={"N": wrong}),
        lambda wrong: cn.LiveGame().deal(keep=[wrong]),
        lambda wrong: live.play(wrong, "+"),
        lambda wrong: live.play("E", wrong),
        lambda wrong: live.observe(wrong),
        lambda wrong: live.resample(wrong, 1),
        lambda wrong: live.penalty(wrong, 5),
        lambda wrong: live.penalty("NS", wrong),
        lambda wrong: live.penalty("NS", 5, f"{wrong} {wrong}"),
        lambda wrong: cn.LiveGame.load(wrong),
        lambda wrong: cn.LiveGame.from_record(wrong),
        lambda wrong: cn.verify(wrong),
        lambda wrong: cn.positions(wrong),
        lambda wrong: cn.write(wrong, "a.canasta"),
        lambda wrong: cn.write(game, f"{wrong}.csv"),
        lambda wrong: cn.write(game, f"{wrong}.canasta"),
        lambda wrong: cn.parse_cards(wrong),
        lambda wrong: cn.load_profile(wrong),
        lambda wrong: cn.load_profile(f"{wrong}.toml"),
        lambda wrong: cn.Tag(wrong, wrong),
        lambda wrong: cn.Tag("Event", wrong),
        lambda wrong: cn.legal_plays(game, wrong, 1),
    ]
    for at, call in enumerate(calls):
        for wrong in (LONG, [LONG], "K " * 50_000, "=" * 100_000):
            try:
                call(wrong)
            except (ValueError, TypeError, LookupError, OSError) as error:
                assert len(str(error)) < MOST, at


def test_a_hard_link_is_the_same_record(tmp_path: Path) -> None:
    (tmp_path / "a.canasta").write_text(VERIFIED)
    os.link(tmp_path / "a.canasta", tmp_path / "b.canasta")
    first = RecordFile(str(tmp_path / "a.canasta"))
    with pytest.raises(UserError, match="another recorder is writing this record"):
        RecordFile(str(tmp_path / "b.canasta"))
    first.close()
    RecordFile(str(tmp_path / "b.canasta")).close()
    assert sorted(os.listdir(tmp_path)) == ["a.canasta", "b.canasta"]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, files in use cannot be removed")
def test_what_a_killed_process_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path; from canasta_notation import storage"
    )
    killed = "def pieces():\n yield b'x'\n os.kill(os.getpid(), signal.SIGKILL)"
    write = "storage.write_whole(Path(sys.argv[1]), pieces())"
    path = tmp_path / "a.canasta"
    path.write_text("whole")
    subprocess.run([sys.executable, "-c", f"{program}\n{killed}\n{write}", path], check=False)
    (left,) = set(os.listdir(tmp_path)) - {"a.canasta"}
    other = tmp_path / f".b.canasta.{'0' * 32}.tmp"
    other.write_text("in use")
    (tmp_path / ".mine.tmp").write_text("a person's")
    with lock_file(other) or nullcontext():
        assert canasta("generate", "-o", tmp_path / "c.canasta").exit_code == 0
    assert left not in os.listdir(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(
        ["a.canasta", "c.canasta", other.name, ".mine.tmp"]
    )
    assert path.read_text() == "whole"


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"corpus": 1}', "3", '{"shards": []}'])
def test_a_broken_manifest_is_described_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(BadFile) as error:
        read_manifest(tmp_path)
    assert re.search(
        r"damaged \((it is not JSON|a part is missing|another program)", str(error.value)
    )
