"""No command prints a placeholder of a template, such as {seat}, in place of what it stands for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import canasta
from tests.sweep import unfilled
from tests.test_rulings import RULINGS
from tests.test_samples import SAMPLES


def rulings(path: Path) -> str:
    """Return the records of a file of rulings, each under the last of its profiles."""
    return "\n\n".join(_records(path)) + "\n"


def _records(path: Path) -> Iterator[str]:
    for case in tomllib.loads(path.read_text("utf-8"))["case"]:
        record = case["record"].strip()
        rules = f"{case['profiles'][-1]} {case.get('overrides', '')}".strip()
        if "[Rules" not in record:
            record = record.replace('[CGN "1"]', f'[CGN "1"]\n[Rules "{rules}"]')
        yield record


#: The commands that show a whole record; OUT is a page.
READING = (
    *("validate", "audit", "audit --why", "replay", "analyze", "page -o OUT", "legal"),
    *("convert --to json", "convert --to csv", "diagram --deal 1 --turn 1"),
)


@pytest.mark.parametrize("path", sorted(RULINGS.glob("*.toml")), ids=lambda path: path.stem)
def test_no_ruling_shows_a_placeholder(path: Path, tmp_path: Path) -> None:
    record = tmp_path / "rulings.canasta"
    record.write_text(rulings(path), "utf-8")
    printed = canasta("audit", record).output
    assert len(printed) > len(path.stem)
    assert [*unfilled(printed)] == []


@pytest.mark.parametrize(
    ("place", "path"), [*enumerate(sorted(SAMPLES.glob("**/*.canasta")))],
    ids=lambda each: getattr(each, "stem", ""),
)  # fmt: skip
def test_no_sample_shows_a_placeholder(place: int, path: Path, tmp_path: Path) -> None:
    """Each with a few of the commands, and each command with some of the samples."""
    assert [*_placeholders(path, tmp_path, *(READING * 2)[place % len(READING) :][:3])] == []


def test_hands_that_no_line_shows_have_no_placeholder(tmp_path: Path) -> None:
    (record := tmp_path / "table.canasta").write_text(rulings(RULINGS / "table_at_end.toml"))
    assert [*_placeholders(record, tmp_path, "audit", "page -o OUT")] == []


def _placeholders(record: Path, folder: Path, *commands: str) -> Iterator[str]:
    """Yield the placeholders that commands print or write; OUT is a page."""
    page = folder / "page.html"
    for command in commands:
        words = [str(page) if word == "OUT" else word for word in command.split()]
        printed = canasta(*words, record).output
        written = page.read_text("utf-8") if page.exists() else ""
        assert printed or written, command
        yield from (*unfilled(printed), *unfilled(written))
