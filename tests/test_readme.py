"""The README's blocks run as printed: commands with their output, and the library's lines.

`python -m tests.test_readme` rewrites the outputs of the console blocks.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from canasta_notation.cli.commands import COMMANDS
from tests.bench.__main__ import BEGIN, END, IN_README
from tests.programs import program

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
#: The extras that the tests install, directly or through another one.
KNOWN = (
    "record",
    "tui",
    "corpus",
    "cluster",
    "rl",
    "openspiel",
    "fast",
    "sheets",
    "editor",
    "browser",
    "test",
    "lint",
    "docs",
)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)


def plain_name(requirement: str) -> str:
    """Return the name of a library as all its spellings have it."""
    return re.split(r"[\[>=]", requirement)[0].replace("_", "-").lower()


def blocks() -> list[str]:
    return BLOCK.findall(README.read_text("utf-8"))


def run(block: str, folder: Path) -> str:
    """Return a block with the real output of its commands."""
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "COLUMNS": "80",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
        "XDG_CACHE_HOME": str(folder),
    }
    shown = ""
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                line[2:],
                shell=True,
                cwd=folder,
                env=env,
                capture_output=True,
                text=True,
                check=False,
            )
            shown += f"{line}\n{done.stdout}{done.stderr}"
    return shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the samples in it, where commands may write."""
    path = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "samples", path / "samples")
    return path


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.splitlines()[0][2:])
def test_console_block(block: str, folder: Path) -> None:
    assert run(block, folder) == block


def test_the_table_has_every_command() -> None:
    table = re.search(r"^\| to \| use \|.*?\n\n", README.read_text("utf-8"), re.S | re.M)
    assert table is not None
    named = re.findall(r"`canasta (\w+)`", table[0])
    assert sorted(named) == sorted([entry.name for entry in COMMANDS])


def test_library_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.search(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.S | re.M)
    assert lines is not None
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(lines[1], str(README), "exec"), {})
    said = printed.getvalue()
    assert said.startswith("verified {'NS': 910, 'EW': 395} None\nNS 910 {'melds': 225,")
    assert "the pile at the end: 3c\nlegal plays of turn 7: -6s -Jc\nE has not drawn\n" in said
    assert "\nW: _ _ _ _ _ _ _ _ _ _ _\n" in said


def test_the_first_example_is_a_whole_record_of_the_sample() -> None:
    sample = (ROOT / "samples" / "first-deal.canasta").read_text("utf-8")
    deal = sample[sample.index("deal 1 ") :]
    record = f'[CGN "1"]\n[Rules "classic"]\n\n{deal}'
    assert f"```\n{record}```" in README.read_text("utf-8")
    done = program("validate", "-", input=record.encode())
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1), "nothing to remark"


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "samples", Path(name) / "samples")
        text = README.read_text("utf-8")
        text = BLOCK.sub(lambda match: f"```console\n{run(match[1], Path(name))}```", text)
        README.write_text(text, "utf-8")


def test_the_benchmark_finds_its_table() -> None:
    text = README.read_text("utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    table = text[text.index(BEGIN) : text.index(END)]
    rows = [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[5:]]
    assert sorted(rows) == sorted(IN_README)  # The fastest comes first.


def test_every_library_has_a_known_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(name for extra in KNOWN for name in extras[extra])]
    listed = (ROOT / "tests/constraints.txt").read_text("utf-8").splitlines()
    known = {plain_name(line) for line in listed if not line.startswith("#")}
    assert {plain_name(each) for each in wanted} - {project["name"]} - known == set()
