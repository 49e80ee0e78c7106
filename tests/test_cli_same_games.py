"""The same game twice in one validation is noted, with the places of both, and nothing else is."""

from __future__ import annotations

import json
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from canasta_notation.report.same_games import GameMark, SameGames
from canasta_notation.resources import packaged_text
from tests.cli_records import BROKEN, FALSE, VERIFIED
from tests.programs import canasta, program

#: A game of scores alone that is over after two deals, one that goes on, and one of a single deal.
SHEET = """\
[CGN "1"]
[Rules "classic"]
deal 1 dealer N
score NS 2500
score EW 1200
total NS 2500 EW 1200
deal 2 dealer E
score NS 3000
score EW 455
total NS 5500 EW 1655
"""
GOES_ON = SHEET.replace("3000", "300").replace("5500", "2800")
ONE_DEAL = SHEET[: SHEET.index("deal 2")].replace("2500", "5500")


def remarks(*args: str | Path, code: int = 0) -> list[str]:
    """Return what a validation says about equal games; its exit code must be `code`."""
    done = canasta("validate", *args)
    assert done.exit_code == code, done.output
    return [each for each in done.stdout.splitlines() if "same deals" in each]


def test_a_game_that_is_twice_in_a_file_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f"{VERIFIED}\n{VERIFIED}")
    begins = VERIFIED.splitlines().index("deal 1 dealer W") + 1
    again = begins + VERIFIED.count("\n") + 1
    note = (
        f"{path}: game 2: the same deals as game 1: from line {again} on as from line {begins} on"
    )
    assert remarks(path) == [note]
    path.write_text(f"{VERIFIED}\n{VERIFIED}\n{VERIFIED}")
    assert [each.split(": from")[0] for each in remarks(path)] == [
        f"{path}: game {number}: the same deals as game 1" for number in (2, 3)
    ]


def test_games_of_several_files_are_compared_and_a_file_named_twice_is_not(tmp_path: Path) -> None:
    first, second = tmp_path / "a.canasta", tmp_path / "b.canasta"
    first.write_text(VERIFIED)
    second.write_text(f"{BROKEN}\n{VERIFIED}")
    assert remarks(first, first) == []
    begins = VERIFIED.splitlines().index("deal 1 dealer W") + 1
    again = begins + BROKEN.count("\n") + 1
    places = f"from line {again} on as from line {begins} on"
    note = f"{second}: game 2: the same deals as game 1 of {first}: {places}"
    assert remarks(first, second, code=1) == [note]
    assert remarks(first, second, "--rules", "classic target=3000", code=1)[-1:] == [note]
    github = f"::notice file={second},line={again}::the same deals as game 1 of {first}: {places}"
    assert remarks(first, second, "--format", "github", code=1) == [github]


@pytest.mark.parametrize(
    "other",
    [
        VERIFIED.replace("Ana", "Zoe").replace("2026-11-19", "2026-11-26"),
        VERIFIED.replace(" ; a bold start", "").replace("; Ana opens at once\n", ""),
        VERIFIED.replace("\n", "  \n"),
        VERIFIED.replace("\n", "\r\n"),
        VERIFIED.replace("NS 460 EW 225\"]", "NS 460 EW 235\"]"),
        f"; copied\n{VERIFIED}\n\n; to the end\n",
    ],
)  # fmt: skip
def test_tags_comments_and_line_ends_make_no_other_game(tmp_path: Path, other: str) -> None:
    """A copy is found if the fast path verifies only one of the two, and in each order."""
    for texts in ((VERIFIED, other), (other, VERIFIED)):
        path = tmp_path / "a.canasta"
        path.write_bytes("\n".join(texts).encode())
        done = canasta("validate", path)
        assert done.stdout.count("the same deals as game 1") == 1, done.stdout


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (VERIFIED, VERIFIED.replace("48. W +Ts -Ts", "48. W +Th -Th")),
        (VERIFIED, FALSE),
        (ONE_DEAL, ONE_DEAL),
        (GOES_ON, GOES_ON),
        (SHEET, SHEET.replace("455", "450").replace("1655", "1650")),
        ('[CGN "1"]\n', '[CGN "1"]\n'),
        ('[CGN "1"]\ndeal 1 dealer N\n', '[CGN "1"]\ndeal 1 dealer N\n'),
    ],
)
def test_other_games_are_not_noted(tmp_path: Path, one: str, other: str) -> None:
    """Neither are two games of which so little is written that both may say it by chance."""
    path = tmp_path / "a.canasta"
    path.write_text(f"{one}\n{other}")
    assert "same deals" not in canasta("validate", path).stdout


@pytest.mark.parametrize("text", [SHEET, BROKEN])
def test_a_finished_sheet_and_a_record_with_errors_are_compared_too(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f"{text}\n{text}")
    assert canasta("validate", path).stdout.count("the same deals as game 1") == 1


def test_equal_games_are_in_json(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f"{VERIFIED}\n{FALSE}\n{VERIFIED}")
    document = json.loads(canasta("validate", path, "--json").stdout)
    Draft202012Validator(json.loads(packaged_text("schemas", "findings.schema.json"))).validate(
        document
    )
    (file,) = document["files"]
    begins = VERIFIED.splitlines().index("deal 1 dealer W") + 1
    place = {"file": str(path), "game": 1, "line": begins}
    assert [each.get("same_as") for each in file["games"]] == [None, None, place]


def test_processes_and_streams_find_the_same(tmp_path: Path) -> None:
    """The copies are in other parts of the file than the games, and in another file."""
    games, path, more = (tmp_path / f"{name}.canasta" for name in ("games", "twice", "more"))
    assert canasta("generate", "--games", "120", "--deals", "2", "-o", games).exit_code == 0
    text = games.read_text()
    path.write_text(text * 4)
    more.write_text(text)
    assert path.stat().st_size > 1 << 19
    said = remarks(path, more, "--all")
    assert len(said) == 120 * 4
    assert said == remarks(path, more, "--all", "--jobs", "2")
    numbers = [int(each.split(": game ")[1].split(":")[0]) for each in said]
    assert all(after == before + 1 or after == 1 for before, after in pairwise(numbers))
    stream = program("validate", "-", "--all", input=path.read_bytes()).stdout.decode()
    assert stream.count("the same deals as game ") == 120 * 3


def test_the_first_of_equal_games_is_found_in_its_file() -> None:
    seen = SameGames()
    for file in range(20):
        for number in range(1, 51):
            mark = GameMark(number * 9, file * 50 + number, 10**6)
            assert seen.first(f"file {file}", number, mark) is None
    assert seen.first("more", 1, None) is None
    assert seen.first("more", 2, GameMark(5, 1000, 10**6)) == ("file 19", 50, 450)
    assert seen.first("more", 3, GameMark(5, 1, 10**6)) == ("file 0", 1, 9)
    assert seen.first("more", 4, GameMark(5, 51, 10**6)) == ("file 1", 1, 9)
    assert seen.first("more", 5, GameMark(5, 1, 10**6 + 1)) is None
    assert seen.first("more", 6, GameMark(7, 1, 10**6 + 1)) == ("more", 5, 5)


def test_what_is_kept_of_a_game_is_little() -> None:
    seen = SameGames()
    tracemalloc.start()
    for number in range(1, 20_001):
        seen.first("a", number, GameMark(number, number * 7919, 10**6))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 200
