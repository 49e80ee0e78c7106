"""Every option of every command of the core, and what `convert` makes of files of every form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cli.commands import COMMANDS
from tests.command_lines import FILES, defaults, outcome, with_each_option, write_files

#: Commands that read records, with the paths that they are given.
LINES = (
    ("validate", "."),
    ("validate", "b.canasta", "none.canasta"),
    ("audit", "."),
    ("audit", "b.canasta"),
    ("audit", "sheet.csv"),
    ("format", "a.canasta"),
    ("format", "broken.canasta", "b.canasta"),
    ("replay", "a.canasta"),
    ("replay", "b.canasta"),
    ("replay", "broken.canasta"),
    ("legal", "a.canasta"),
    ("legal", "b.canasta"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_what_every_option_changes(
    folder: Path, line: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    found = [*with_each_option(folder, *line)]
    for name, text in FILES.items():  # `format` writes them anew
        (folder / name).write_text(text, "utf-8")
    assert "\n\n".join(found) == snapshot


def test_the_defaults_of_every_option(snapshot: SnapshotAssertion) -> None:
    commands = [each.name for each in COMMANDS if each.module.startswith("cli.")]
    assert "\n".join(map(defaults, commands)) == snapshot


# --- convert --------------------------------------------------------------------------------------

FORMS = ("canasta", "json", "jsonl", "csv")
INPUTS = (
    *("a.canasta", "b.canasta", "broken.canasta", "sheet.csv"),
    *("record", "-", "none.canasta", "."),
)
OUTPUTS = ("-", "out.json", "out.CSV", "out.txt", "new/", "sub", "sub/out.jsonl", "no/out.json",
           "a.canasta")  # fmt: skip


def conversions() -> Iterator[tuple[str, ...]]:
    """Yield the arguments of `convert`: each input to each form, and to each output."""
    for given, form in product(INPUTS, FORMS):
        yield given, "--to", form
        yield given, "--to", form, "-o", "sub/", "--anonymous"
    for given, out in product(INPUTS, OUTPUTS):
        yield given, "-o", out
    for given in INPUTS:
        yield (given,)
        yield given, "--anonymous"
        yield given, "--from", "json"
        yield given, "--from", "csv", "-o", "sub"
        yield given, "--guess", "map.toml"
        yield given, "--rules", "bga", "--points", "total"
        yield given, "a.canasta", "--to", "jsonl", "-o", "sub"
        yield given, "sheet.csv", "--anonymous", "-o", "new"
    yield "a.canasta", "b.canasta", "--to", "json"
    yield "sheet.csv", "--guess", "a.canasta"
    yield "sheet.csv", "--columns", "none.toml"


def test_what_convert_makes(folder: Path, snapshot: SnapshotAssertion) -> None:
    (folder / "record").write_text(FILES["a.canasta"], "utf-8")
    (folder / "sub").mkdir()
    (folder / "sub" / "a.json").write_text("before", "utf-8")
    found = []
    for args in conversions():
        lines = outcome(folder, "convert", *args, stdin=FILES["a.canasta"])
        said = [line for line in lines if line.startswith(("exit", "! ")) or ": " in line[:40]]
        written = (folder / "sub" / "a.json").read_text("utf-8")
        found.append("\n".join([f"$ convert {' '.join(args)}", f"{len(lines)} lines", *said[:8],
                                *([] if written == "before" else ["a.json is new"])]))  # fmt: skip
        (folder / "sub" / "a.json").write_text("before", "utf-8")
        (folder / "a.canasta").write_text(FILES["a.canasta"], "utf-8")
    assert "\n\n".join(found) == snapshot
