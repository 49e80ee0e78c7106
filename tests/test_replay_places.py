"""Places in answers: of a record further down a file, or in a second file, all are moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.rules.catalogue import codes
from tests.programs import canasta

SAMPLES = Path(__file__).parent.parent / "samples"
#: A verified game, which stands before the record.
FIRST = (SAMPLES / "first-deal.canasta").read_text("utf-8").rstrip("\n") + "\n\n"
LINES = FIRST.count("\n")
BROKEN = [code for code in codes() if (SAMPLES / "broken" / f"{code}.canasta").exists()]


def record(code: str) -> str:
    return (SAMPLES / "broken" / f"{code}.canasta").read_text("utf-8")


def answer(command: tuple[str, ...], *paths: Path) -> Any:
    """Return the JSON of a command about files, a value for each file."""
    return json.loads(canasta(*command, "--json", *map(str, paths)).stdout)["files"]


def moved(value: Any, lines: int, games: int, file: str) -> Any:
    """Return an answer with its lines, games and file as they are further down."""
    if isinstance(value, list):
        return [moved(each, lines, games, file) for each in value]
    if not isinstance(value, dict):
        return value
    more = {"line": lines, "game": games}
    return {
        key: file
        if key == "file"
        else held + more[key]
        if key in more and isinstance(held, int)
        else moved(held, lines, games, file)
        for key, held in value.items()
    }


@pytest.mark.parametrize("code", BROKEN)
def test_a_finding_moves_with_its_record(tmp_path: Path, code: str) -> None:
    text = record(code)
    if "[CGN" not in text.split("\n\n")[0]:
        pytest.skip("without its tag, the record would be a part of the game before it")
    alone, below, other = (tmp_path / f"{name}.canasta" for name in ("alone", "below", "other"))
    alone.write_text(text, "utf-8")
    below.write_text(FIRST + text, "utf-8")
    other.write_text(FIRST, "utf-8")
    [said] = answer(("validate",), alone)
    expected = moved(said, LINES, 1, str(below))
    both = answer(("validate",), other, below, alone)
    for each in (game for file in both for game in file["games"]):
        each.pop("same_as", None)  # the record is there twice
    assert [each["file"] for each in both] == [str(other), str(below), str(alone)]
    assert both[2] == said
    for part in ("findings", "undetermined", "unchecked"):
        assert both[1][part] == expected[part]
    assert both[1]["games"][1:] == expected["games"]
    assert both[0]["findings"] == [] and both[0]["verdict"] == "verified"


@pytest.mark.parametrize("code", BROKEN[::4])
def test_a_score_card_moves_with_its_record(tmp_path: Path, code: str) -> None:
    text = record(code)
    if "[CGN" not in text.split("\n\n")[0]:
        pytest.skip("without its tag, the record would be a part of the game before it")
    alone, below = tmp_path / "alone.canasta", tmp_path / "below.canasta"
    alone.write_text(text, "utf-8")
    below.write_text(FIRST + text, "utf-8")
    [said] = answer(("audit",), alone)
    [there] = answer(("audit",), below)
    assert there["games"][1:] == moved(said, LINES, 1, str(below))["games"]


@pytest.mark.parametrize("code", BROKEN)
def test_the_excerpt_shows_the_columns_of_the_finding(tmp_path: Path, code: str) -> None:
    """The place is read back from the source: the line stands in the excerpt, the carets below."""
    path = tmp_path / "below.canasta"
    path.write_text(FIRST + record(code), "utf-8")
    source = path.read_text("utf-8").split("\n")
    [said] = answer(("validate",), path)
    shown = canasta("validate", str(path)).stdout.split("\n")
    for each in said["findings"]:
        line, first, end = each["line"], each["column"], each["end_column"]
        assert 1 <= first < end <= len(source[line - 1]) + 2
        head = f"{path}:{line}:{first}: {each['severity']}[{each['code']}]: "
        assert any(text.startswith(head) for text in shown)
        at = next(at for at, text in enumerate(shown) if text.startswith(f"{line} |"))
        whole = f"{line} | {source[line - 1]}".rstrip()
        # A long line is cut at its end.
        assert whole.startswith(shown[at].rstrip().removesuffix("…"))
