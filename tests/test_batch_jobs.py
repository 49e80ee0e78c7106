"""Many files and parts of files: the same results in the same order for any number of processes."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import pytest

from canasta_notation.batch import parts
from canasta_notation.batch.jobs import Piece, verify_paths
from canasta_notation.batch.parts import FilePart, Input, Work, judge_games, split, work_part
from canasta_notation.batch.processes import in_processes
from canasta_notation.cli.session import json_text
from canasta_notation.findings import worst
from canasta_notation.notation import blocks
from canasta_notation.notation.reader import Reading, read_games
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile
from tests.cli_records import BROKEN, FALSE, SHEET, UNSEEN, VERIFIED
from tests.programs import interruptible, program

#: (file, game, verdict, turns, (line, game, code) of each finding)
Summary = tuple[str, int, str, int, tuple[tuple[int, int | None, str], ...]]
MIXED = "\n".join([VERIFIED, FALSE, VERIFIED, BROKEN, SHEET, VERIFIED, UNSEEN, VERIFIED])


@dataclass(frozen=True)
class Summarize:
    """Makes the value of every game that a test compares; a game named Fatal kills the process."""

    @property
    def work(self) -> Work[Summary]:
        return Work(self.read, self.verified)

    def verified(self, name: str, game: VerifiedGame) -> Summary:
        if name.endswith("fatal.canasta"):
            os._exit(9)
        return name, game.game, game.verdict, game.turns, ()

    def read(self, name: str, reading: Reading, number: int) -> Summary:
        report = replay_game(reading.game, number)
        found = tuple((each.span.line, each.game, each.code) for each in report.findings)
        return name, number, report.verdict, report.turns, found


def alone(name: str, data: bytes, *, fast: bool = True) -> list[Summary]:
    """Return the values for a file that is verified in one piece."""
    summaries: list[Summary] = []
    for outcome in judge_games(io.BytesIO(data), fast=fast):
        if isinstance(outcome.report, VerifiedGame):
            summaries.append(Summarize().verified(name, outcome.report))
        else:
            assert outcome.reading is not None
            summaries.append(Summarize().read(name, outcome.reading, outcome.report.game))
    return summaries


def summaries(pieces: list[Piece[Summary]]) -> list[Summary]:
    return [value for piece in pieces for value in piece.values]


def write(folder: Path, files: dict[str, bytes]) -> list[str]:
    for name, data in files.items():
        (folder / f"{name}.canasta").write_bytes(data)
    return [str(folder / f"{name}.canasta") for name in files]


def inputs_at(paths: list[str]) -> list[Input]:
    return [Input(path, path) for path in paths]


@pytest.mark.parametrize("size", [1, 700, 4000, 1 << 20])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_parts_give_the_same_results_as_the_file(tmp_path: Path, size: int, ends: str) -> None:
    data = (MIXED * 3).replace("\n", ends).encode()
    [path] = write(tmp_path, {"all": b"\xef\xbb\xbf" + data})
    found = list(split(Input(path, path), size))
    assert found[0].start == 0 and found[-1].end == len(data) + 3 and found[-1].last
    assert all(one.end == two.start for one, two in pairwise(found))
    assert [part.games for part in found] == sorted({part.games for part in found})
    pieces = list(verify_paths(inputs_at([path]), Summarize().work, part_size=size))
    assert summaries(pieces) == alone(path, data)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_processes_gives_the_same_results(tmp_path: Path, jobs: int) -> None:
    files = {f"{at}": (MIXED * (1 + at % 3)).encode() for at in range(7)}
    files |= {"4-empty": b"", "4-no-text": b"\0" * 99, "5-comment": b"; nothing\n"}
    paths = write(tmp_path, dict(sorted(files.items())))
    paths.insert(3, str(tmp_path / "absent.canasta"))
    pieces = list(verify_paths(inputs_at(paths), Summarize().work, jobs=jobs, part_size=3000))
    ends = [piece for piece in pieces if piece.last]
    assert [piece.input.name for piece in ends] == paths
    troubles = {Path(piece.input.name).stem: piece.trouble for piece in ends if piece.trouble}
    assert {name: str(why).split(": ", 1)[1][:20] for name, why in troubles.items()} == {
        "absent": "no such file or fold",
        "4-empty": "there is no game in ",
        "4-no-text": "not text: it contain",
        "5-comment": "there is no game in ",
    }
    good = [path for path in paths if Path(path).stem not in troubles]
    assert summaries(pieces) == [
        each for path in good for each in alone(path, Path(path).read_bytes())
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_with_too_many_errors_stops_where_it_would_alone(tmp_path: Path, jobs: int) -> None:
    torn = VERIFIED.replace("+", "?", 30)
    data = "\n".join([torn, VERIFIED] * 9).encode()
    paths = write(tmp_path, {"torn": data, "good": VERIFIED.encode()})
    pieces = list(verify_paths(inputs_at(paths), Summarize().work, jobs=jobs, part_size=1000))
    assert summaries(pieces) == alone(paths[0], data) + alone(paths[1], VERIFIED.encode())
    assert [piece.input.name for piece in pieces if piece.last] == paths
    assert len(pieces) < 18


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_that_only_the_reader_separates(tmp_path: Path, jobs: int) -> None:
    data = "\n".join([VERIFIED, VERIFIED.replace("[CGN", "  [CGN", 1)] * 4).encode()
    [path] = write(tmp_path, {"indented": data})
    assert summaries(
        list(verify_paths(inputs_at([path]), Summarize().work, jobs=jobs, part_size=900))
    ) == alone(path, data)


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_bytes_after_the_head_that_are_not_text_are_an_error_of_their_line(
    tmp_path: Path, size: int
) -> None:
    torn = VERIFIED.replace("Montevideo", "Monte\0video")
    data = (VERIFIED + "; filler\n" * 1000 + torn + VERIFIED).encode()
    [path] = write(tmp_path, {"torn": data})
    found = summaries(list(verify_paths(inputs_at([path]), Summarize().work, part_size=size)))
    assert found == alone(path, data, fast=False)
    assert found[1][4] == ((1085, 2, "syntax"),)


def test_a_game_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "GAME_LIMIT", 9000)
    monkeypatch.setattr(blocks, "GAME_LIMIT", 9000)
    data = (VERIFIED + "; and on\n" * 2000 + VERIFIED + FALSE).encode()
    paths = write(tmp_path, {"long": data, "short": VERIFIED.encode()})
    pieces = list(verify_paths(inputs_at(paths), Summarize().work, part_size=1000))
    assert summaries(pieces) == alone(paths[0], data, fast=False) + alone(
        paths[1], VERIFIED.encode()
    )
    assert [piece.last for piece in pieces] == [True, True]


@pytest.mark.parametrize("size", [900, 1 << 20])
@pytest.mark.parametrize("fast", [True, False])
def test_comments_right_above_a_game_belong_to_it(tmp_path: Path, size: int, fast: bool) -> None:
    data = (VERIFIED + "; \udcff\n;\n") * 3 + VERIFIED
    [path] = write(tmp_path, {"a": data.encode("utf-8", "surrogateescape")})
    found = summaries(
        list(
            verify_paths(
                inputs_at([path]),
                Work(Summarize().read, Summarize().verified if fast else None),
                part_size=size,
            )
        )
    )
    assert found == alone(path, Path(path).read_bytes(), fast=False)
    assert [each[2] for each in found] == ["verified", *["contradicted"] * 3]


@pytest.mark.parametrize("tag", [' [CGN "1"]', '\t [CGN "1"]', '[CGN"1"]', '[CGN\t"1"]'])
@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_and_reader_agree_on_where_a_game_begins(tmp_path: Path, tag: str, jobs: int) -> None:
    text = f'{VERIFIED}{tag}\n[CGN "1"]\n{VERIFIED.partition(chr(10))[2]}' * 3
    [path] = write(tmp_path, {"a": text.encode()})
    pieces = list(verify_paths(inputs_at([path]), Summarize().work, jobs=jobs, part_size=900))
    with open(path, "rb") as stream:
        assert len(summaries(pieces)) == len(list(read_games(stream))) == 6
    assert summaries(pieces) == alone(path, text.encode(), fast=False)


def test_standard_input_is_split_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (MIXED * 4).encode()
    for jobs in (1, 2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        pieces = list(verify_paths([Input("-", None)], Summarize().work, jobs=jobs, part_size=5000))
        assert len(pieces) > 2 and summaries(pieces) == alone("-", data)


def _lines(stream: BinaryIO) -> list[bytes]:
    assert stream.read() == b"{}"
    return VERIFIED.encode().splitlines(True)


def _refused(stream: BinaryIO) -> list[bytes]:
    raise BadFile("x.json: no record")


def test_a_record_in_another_form(tmp_path: Path) -> None:
    [path] = write(tmp_path, {"x": b"{}"})
    inputs = [Input("x", path, _lines), Input("y", path, _refused)]
    pieces = list(verify_paths(inputs, Summarize().work, jobs=2))
    assert summaries(pieces) == [("x", *alone("x", VERIFIED.encode())[0][1:])]
    assert [piece.trouble for piece in pieces] == [None, "x.json: no record"]


def test_a_bug_is_reported_and_stops_nothing() -> None:
    class Wrong(Summarize):
        def verified(self, name: str, game: VerifiedGame) -> Summary:
            raise LookupError("of mine")

    part = FilePart(Input("a", None), end=len(VERIFIED), data=VERIFIED.encode())
    done = work_part(part, Wrong().work)
    assert done.values == [] and "internal error: LookupError: of mine" in str(done.trouble)


def test_a_process_that_dies_stops_nothing(tmp_path: Path) -> None:
    files = {name: VERIFIED.encode() * 100 for name in ("a", "b", "c")}
    files["bb-fatal"] = files["a"]
    paths = write(tmp_path, dict(sorted(files.items())))
    pieces = list(verify_paths(inputs_at(paths), Summarize().work, jobs=2))
    assert [len(piece.values) for piece in pieces] == [100, 100, 0, 100]
    assert "was killed" in str(pieces[2].trouble)


def test_stopping_early_ends_the_processes(tmp_path: Path) -> None:
    paths = write(tmp_path, {f"{at}": VERIFIED.encode() * 200 for at in range(20)})
    pieces = verify_paths(inputs_at(paths), Summarize().work, jobs=2)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    mine = f"/proc/{os.getpid()}/task/{os.getpid()}/children"
    if Path(mine).exists():
        assert not Path(mine).read_text().split()


# --- commands -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file of several parts, small ones, and one that cannot be read."""
    path = tmp_path_factory.mktemp("records")
    long = MIXED + "\n" + (VERIFIED + "\n") * 600 + MIXED
    write(path, {"long": long.encode(), "mixed": MIXED.encode(), "no-text": b"\0" * 9})
    write(path, {f"z{at}": VERIFIED.encode() for at in range(3)})
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("validate",),
        ("validate", "--json"),
        ("validate", "--format", "github"),
    ],
)
def test_a_command_prints_the_same_with_any_number_of_processes(
    folder: Path, command: tuple[str, ...]
) -> None:
    first, *others = (
        program(*command, folder, "--jobs", str(jobs), text=True) for jobs in (1, 2, 3)
    )
    assert first.returncode == 2 and "no-text.canasta: not text" in first.stderr
    for other in others:
        assert (other.returncode, other.stdout) == (first.returncode, first.stdout)
        assert other.stderr == first.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("validate", "--rules", "classic score.natural=400"),
        ("audit",),
        ("audit", "--csv"),
        ("audit", "--json", "--against", "bga"),
    ],
)
def test_games_read_by_lark_are_the_same_with_two_processes(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    paths = write(tmp_path, {"a": MIXED.encode() * 12, "b": MIXED.encode()})
    one, two = (program(*command, *paths, "--jobs", str(jobs), text=True) for jobs in (1, 2))
    assert one.returncode == 1 and not one.stderr
    assert (two.returncode, two.stdout, two.stderr) == (1, one.stdout, "")


def test_the_document_is_written_piece_by_piece_as_if_whole(folder: Path, tmp_path: Path) -> None:
    paths = [folder / "mixed.canasta", tmp_path / "other.canasta"]
    paths[1].write_text(FALSE.replace("NS 460", "NS 455"))
    alone = [json.loads(program("validate", "--json", path, text=True).stdout) for path in paths]
    shown = program("validate", "--json", *paths, text=True).stdout
    files = [file for document in alone for file in document["files"]]
    verdict = worst([file["verdict"] for file in files])
    assert shown == json_text({"verdict": verdict, "files": files})


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_everything(folder: Path) -> None:
    paths = [str(folder / "long.canasta")] * 300
    command = [sys.executable, "-m", "canasta_notation", "validate", "--jobs", "2", *paths]
    with interruptible(command) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""


def test_nothing_waits_for_work_that_is_not_wanted() -> None:
    results = in_processes(2)(time.sleep, [0, 600, 600])
    next(results)
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (f"\ufeff{VERIFIED}\n\ufeff{VERIFIED}", 2),
        (f"{VERIFIED}\n\ufeff; a comment\n\ufeff{VERIFIED}", 2),
        (VERIFIED.replace("\n", "\r"), 1),
        ((VERIFIED + "\n" + VERIFIED).replace("\n", "\r"), 2),
        (f'{VERIFIED}\n[CGN "1"]\n[Event "no deal"]\n\n{VERIFIED}', 3),
        (f'[CGN "1"] [CGN "1"]\n\n{VERIFIED}', 2),
        (f'[CGN "1"]\n\n; about the next\n{VERIFIED}', 2),
        (f'[CGN "1"]\n; a second tag\n{VERIFIED}', 1),
    ],
)
def test_pasted_and_joined_files(text: str, games: int, tmp_path: Path) -> None:
    data = text.encode()
    path = tmp_path / "joined.canasta"
    path.write_bytes(data)
    read = alone("joined", data, fast=False)
    assert len(read) == games and alone("joined", data) == read
    for size in (1, 1 << 19):
        pieces = verify_paths([Input("joined", str(path))], Summarize().work, part_size=size)
        assert [value for piece in pieces for value in piece.values] == read
