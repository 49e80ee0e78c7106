"""The parts of files and what is made of them: the same whatever the parts and the processes."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.batch.jobs import verify_paths
from canasta_notation.batch.parts import FilePart, Input, Work, count_games, split, work_part
from canasta_notation.batch.processes import process_count, processors
from canasta_notation.notation.reader import Reading
from canasta_notation.scan.verified import VerifiedGame
from tests.cli_records import BROKEN, FALSE, SHEET, UNSEEN, VERIFIED

#: Files with one, two and many games, with errors, with none, and with text before the first.
FILES = {
    "one": VERIFIED,
    "two": UNSEEN + "\n" + FALSE,
    "many": "\n".join([SHEET] * 9 + [BROKEN]),
    "late": "; a comment\n\n" + VERIFIED + "\n\n" + SHEET,
    "empty": "",
    "no game": "hello\n",
    "errors": "\n".join(['[CGN "1"]\n\ndeal 1 dealer N\n' + "x\n" * 40] * 4),
}
SIZES = (1, 100, 700, 3000, 1 << 20)


def read(name: str, reading: Reading, number: int) -> tuple[Any, ...]:
    """Return what tells a game from others, with the place of each of its findings."""
    return (name, number, reading.first_line, len(reading.lines), len(reading.problems),
            tuple((each.code, each.span.line) for each in reading.problems))  # fmt: skip


def verified(name: str, game: VerifiedGame) -> tuple[Any, ...]:
    return (name, game.number, "verified", game.rows is not None)


@pytest.fixture
def inputs(tmp_path: Path) -> list[Input]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return [Input(name, str(tmp_path / name)) for name in FILES] + [
        Input("missing", str(tmp_path / "missing"))
    ]


@pytest.mark.parametrize("size", SIZES)
def test_parts_have_every_byte_once_and_know_where_they_begin(
    size: int, inputs: list[Input]
) -> None:
    for source in inputs[:-1]:
        assert source.path is not None
        data = Path(source.path).read_bytes()
        parts = [*split(source, size)]
        ends = [part.start for part in parts[1:]] + [len(data)]
        assert parts[0].start == 0 and [each.last for each in parts] == [False] * (
            len(parts) - 1
        ) + [True]
        for part, end in zip(parts, ends, strict=True):
            assert part.end in (end, None) and part.start <= end
            assert part.line == data.count(b"\n", 0, part.start) + 1
            assert part.games == (count_games(data[: part.start]) if part.start else 0)
            assert part.start == 0 or data[part.start :].startswith(b"[CGN")
            assert part.trouble is None
    [part] = split(inputs[-1], size)
    assert part.trouble is not None and "missing" in part.trouble


def test_games_are_counted_from_the_first_one_that_begins_the_bytes() -> None:
    for text in FILES.values():
        data = text.encode()
        found = [at for at in range(len(data)) if data[at : at + 4] == b"[CGN"]
        for first, end in product(found, [*found, len(data)]):
            inside = sum(first <= at < end for at in found)
            assert inside == 0 or count_games(data[first:end]) == inside


WORKS = (Work(read), Work(read, verified), Work(read, verified, rows=True))


@pytest.mark.parametrize("work", WORKS)
def test_any_parts_give_the_same_values(work: Work[Any], inputs: list[Input]) -> None:
    """In the order of the files; only the last piece of a file ends it and has its trouble."""

    def values(size: int) -> list[Any]:
        found: dict[str, list[Any]] = {each.name: [] for each in inputs}
        done: list[int] = []
        for piece in verify_paths(inputs, work, part_size=size, progress=done.append):
            made = found[piece.input.name]
            assert "end" not in made, "nothing comes after the end of a file"
            made += piece.values
            if piece.last:
                made += ["end", piece.games, piece.trouble]
        assert sum(done) >= sum(len(text.encode()) for text in FILES.values())
        return [*found.items()]

    wanted = values(1 << 20)
    for _, made in wanted:
        assert made[-3] == "end"
    assert [values(size) for size in SIZES] == [wanted] * len(SIZES)
    numbers = [[each[1] for each in made[:-3]] for _, made in wanted]
    assert [each[: len(each)] for each in numbers] == [[*range(1, len(it) + 1)] for it in numbers]


def test_a_part_of_the_middle_is_checked_from_its_first_game() -> None:
    text = "\n".join([SHEET, VERIFIED, SHEET])
    start = text.index("[CGN", 1)
    part = FilePart(Input("f", "f"), start, line=text[:start].count("\n") + 1, games=1,
                    data=text[start:].encode())  # fmt: skip
    done = work_part(part, Work(read))
    assert [each[1] for each in done.values] == [2, 3] and done.games == 3
    lines = text.splitlines()
    assert all(lines[each[2] - 1].startswith("[CGN") for each in done.values)


@pytest.mark.parametrize("jobs", [0, 1, 2, 3, 99])
@pytest.mark.parametrize("work", [0, 1, 2, 5, 1000])
def test_no_more_processes_than_asked_for_than_processors_than_work(jobs: int, work: int) -> None:
    found = process_count(jobs, work)
    assert found >= 1 and isinstance(found, int)
    assert found <= max(1, work) and found <= max(1, processors())
    assert not jobs or found <= jobs
    assert found == max(1, min(jobs or processors(), processors(), work))
