"""Any input gets one clear message and an exit code, and never a traceback."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from itertools import chain
from pathlib import Path

import pytest

from canasta_notation import LiveGame, formats, positions
from canasta_notation.cli import files
from canasta_notation.notation.document import Game
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.totals import spell_amounts
from tests.cli_records import BROKEN, VERIFIED
from tests.limits import Limits, in_commands, in_corpus, in_library
from tests.mutants import mutate
from tests.programs import canasta, interruptible, program, shut_out

READERS = ("validate", "audit", "replay", "format", "convert")


def read(command: str, *args: str | Path) -> tuple[int, str, str]:
    """Run a command on a record; return exit code, output, messages."""
    more = ["--to", "json"] if command == "convert" else []
    result = canasta(command, *args, *more)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "internal error" not in result.stderr
    return result.exit_code, result.stdout, result.stderr


def not_records() -> dict[str, bytes]:
    """Return files that are not records at all."""
    return {
        "empty.canasta": b"",
        "blank.canasta": b"\n \n\t\n",
        "comment.canasta": b"; nothing here\n",
        "picture.canasta": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
        "nul.canasta": b'[CGN "1"]\n\x00\n',
        "utf16.canasta": VERIFIED.encode("utf-16"),
        "deep.json": b"[" * 200_000,
        "deep_object.json": b'{"a":' * 100_000,
        "broken.json": b'{"cgn": 1, "games": [',
        "other.json": b'{"cgn": 1, "games": 3}',
        "nan.json": b'{"cgn": NaN}',
        "bytes.json": b'{"cgn": "\xff"}',
        "digits.json": b'{"cgn": ' + b"9" * 10_000 + b"}",
        "lines.jsonl": b"{}\n[]\n",
    }


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("name", not_records())
def test_input_that_is_not_a_record(tmp_path: Path, command: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(not_records()[name])
    code, out, messages = read(command, path)
    assert code == 2
    assert messages.startswith(f"canasta: {path}") and messages.count("\n") == 1
    assert out == "" or json.loads(out)["files"] == []
    assert path.read_bytes() == not_records()[name]


#: A file whose name does not fit what it holds, and what is reported.
MISNAMED = {
    "json.canasta": (b'{"cgn": 1, "games": []}', "this is JSON; give its file a name that ends in"),
    "jsonl.canasta": (b'{"tags": [], "deals": []}\n', "this is JSON; give its file a name that"),
    "text.json": (VERIFIED.encode(), "this is a record in text; give its file a name that ends in"),
    "text.csv": (VERIFIED.encode(), "this is a record in text; give its file a name that ends in"),
    "empty.json": (b"", "there is no game in this file"),
    "wide.canasta": (VERIFIED.encode("utf-16"), "in UTF-16; save it as plain text in UTF-8"),
    "wide.json": ('{"cgn": 1}'.encode("utf-16"), "in UTF-16; save it as plain text in UTF-8"),
    "wide-le.canasta": (VERIFIED.encode("utf-16-le"), "this text is in UTF-16; save it as plain"),
    "wide-be.json": ('{"cgn": 1}'.encode("utf-16-be"), "this text is in UTF-16; save it as plain"),
    "wide.jsonl": ('{"cgn": 1}\n'.encode("utf-16"), "this text is in UTF-16; save it as plain"),
    "wider.canasta": (VERIFIED.encode("utf-32"), "this text is in UTF-32; save it as plain text"),
    "wider-le.json": ('{"cgn": 1}'.encode("utf-32-le"), "this text is in UTF-32; save it as plain"),
    "wide.csv": ("deal,NS\n1,5\n".encode("utf-16")[:-1], "in UTF-16, but byte 25 cannot be read"),
    "zero.canasta": (b'[CGN\x00 "1"]\n', "not text: it contains a byte of value 0; save it as"),
    "narrow.json": ('{"cgn": "ñ"}'.encode("latin-1"), "(0xf1); save it as plain text in UTF-8"),
    "number.json": (b"5", "5 is not an object"),
    "picture.xlsx": (bytes(range(256)), "not a workbook, nor text in a known encoding; save it as"),
}


@pytest.mark.parametrize("command", ["validate", "audit", "convert"])
@pytest.mark.parametrize("name", MISNAMED)
def test_a_name_that_does_not_fit(tmp_path: Path, command: str, name: str) -> None:
    data, why = MISNAMED[name]
    path = tmp_path / name
    path.write_bytes(data)
    code, _, messages = read(command, path)
    assert code == 2
    assert messages.startswith(f"canasta: {path}:") and why in messages, messages


@pytest.mark.parametrize("command", READERS)
def test_a_missing_file(tmp_path: Path, command: str) -> None:
    for path in (tmp_path / "none.canasta", tmp_path):
        code, out, messages = read(command, path)
        assert (code, out) == (2, "")
        assert messages.startswith(f"canasta: {path}: no ")


@pytest.mark.parametrize("command", [*READERS[:4], "record"])
def test_an_empty_path(command: str) -> None:
    code, out, told = read(command, "")
    assert (code, out) == (2, "")
    assert "path is empty" in told


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
@pytest.mark.parametrize("command", READERS)
def test_unreadable(tmp_path: Path, command: str) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(VERIFIED)
    path.chmod(0)
    assert read(command, path) == (2, "", f"canasta: {path}: permission denied\n")


@pytest.mark.parametrize("command", ["validate", "audit", "format"])
def test_unreadable_paths_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "a.canasta").write_text(BROKEN)
    (tmp_path / "shut").mkdir()
    (tmp_path / "gone.canasta").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.canasta")
    shut_out(monkeypatch, "shut")
    result = canasta(command, tmp_path)
    assert result.exit_code == 2
    assert f"canasta: {tmp_path / 'shut'}: permission denied\n" in result.stderr
    assert f"canasta: {tmp_path / 'gone.canasta'}: no such file or folder\n" in result.stderr


@pytest.mark.parametrize(
    "command",
    ["convert REAL -o", "convert --anonymous REAL -o", "generate -o", "validate", "record"],
)
def test_a_link_to_itself(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.canasta").write_text(VERIFIED)
    loop = tmp_path / "loop.canasta"
    loop.symlink_to(loop)
    args = [str(tmp_path / "a.canasta") if each == "REAL" else each for each in command.split()]
    result = canasta(*args, loop)
    words = f"canasta: {loop}: too many levels of symbolic links\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", words)


#: A command that writes a file, and the name of that file.
WRITERS = {
    "convert REAL -o": "a.json",
    "convert REAL --guess": "map.toml",
    "page REAL -o": "page.html",
    "page REAL -o - --picture": "picture.svg",
    "diagram REAL --turn 1 -o": "table.svg",
    "generate -o": "game.canasta",
    "record": "game.canasta",
}


@pytest.mark.parametrize("command", WRITERS)
@pytest.mark.parametrize(
    ("folder", "why"), [("none", "there is no folder"), ("file", "is not a folder")]
)
def test_a_file_is_written_only_into_a_folder(
    tmp_path: Path, command: str, folder: str, why: str
) -> None:
    """A folder that is mistyped is not made."""
    real = tmp_path / ("a.csv" if "--guess" in command else "a.canasta")
    real.write_text("deal,NS,EW\n1,5,5\n" if "--guess" in command else VERIFIED)
    (tmp_path / "file").write_text("kept")
    before = {*os.listdir(tmp_path)}
    args = [str(real) if each == "REAL" else each for each in command.split()]
    out = tmp_path / folder / WRITERS[command]
    result = canasta(*args, out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"canasta: {out}: ") and why in result.stderr
    assert {*os.listdir(tmp_path)} == before
    assert (tmp_path / "file").read_text() == "kept"


def test_invalid_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(VERIFIED.encode().replace(b"Montevideo", b"M\xf6ntevideo"))
    code, out, _ = read("validate", path)
    assert code == 1
    assert "a byte that is not UTF-8: 0xf6" in out
    assert read("format", path)[0] == 1


#: What is typed, with a byte that is not UTF-8, and what is said about it.
TYPED = {
    "record": (b"classic\nAnn\xff\nAna\n", "character 4 is a byte that is not UTF-8 (0xff)"),
    "record --sheet": (b"class\x85ic\nclassic\n", "character 6 is a byte that is not UTF-8 (0x85)"),
    "replay --step": (b"\xe2\x99\nq\n", "? keys, q quits"),
}


@pytest.mark.parametrize("command", TYPED)
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_what_is_typed_may_be_no_utf8(tmp_path: Path, command: str, errors: str) -> None:
    typed, said = TYPED[command]
    path = tmp_path / "a.canasta"
    if command == "replay --step":
        path.write_text(VERIFIED)
    env = os.environ | {"PYTHONIOENCODING": f"utf-8:{errors}"}
    done = program(*command.split(), path, input=typed, env=env)
    assert done.returncode == 0
    assert said in (done.stdout + done.stderr).decode().replace("\n", " ")
    assert not path.exists() or "Ann" not in path.read_text("utf-8")


def test_a_byte_of_an_export_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"rounds": ["\xff"]}')
    done = canasta("convert", path)
    why = "not text: byte 14 is not UTF-8 (0xff); save it as plain text in UTF-8"
    assert (done.exit_code, done.stderr) == (2, f"canasta: {path}: {why}\n")


def test_one_line_of_50_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(b'[CGN "1"]\n' + b"x" * 50_000_000 + b"\n")
    started = time.monotonic()
    code, out, _ = read("validate", path)
    assert code == 1
    assert len(out) < 2000
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "line",
    ['[Event "' + "a" * 30_000 + '" ??', f"deal 1\n{'5' * 30_000} N +", f"deal {'1' * 9_000}"],
)
def test_a_long_line_is_cut(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(f'[CGN "1"]\n{line}\n')
    _, out, _ = read("validate", path)
    assert max(map(len, out.splitlines())) < 600 and len(out) < 3000


def test_a_file_of_errors_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text('[CGN "1"]\n' + "nonsense\n" * 5000)
    code, out, _ = read("validate", path)
    assert code == 1
    assert out.count("error[syntax]") <= 202


ESCAPES = (
    VERIFIED.replace("Ana", "A\u202ena\u2066")
    .replace("Carla", "Ca\u009brla")
    .replace("a bold start", "a \u200fbold\u202e start")
    .replace("-6h\n", "-5h ; \x1b]0;owned\x07\x1b[31m\n", 1)
)


@pytest.mark.parametrize("command", ["validate", "replay", "audit"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_control_characters_are_never_shown(
    tmp_path: Path, command: str, options: list[str]
) -> None:
    path = tmp_path / "a\x1b[31m\u202e.canasta"
    path.write_text(ESCAPES, "utf-8")
    _, out, messages = read(command, path, *options)
    for text in (out, messages):
        assert all(char.isprintable() or char == "\n" for char in text), ascii(text)
    assert read("convert", path)[0] == 1


def test_markup_in_a_name_is_plain_text() -> None:
    assert "E [red]Bruno[/red]" in canasta("replay", "-", stdin=VERIFIED).stdout


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_a_plain_environment(tmp_path: Path, env: dict[str, str]) -> None:
    path = tmp_path / "ä.canasta"
    path.write_text(BROKEN.replace("[Rules", '[N "José 漢字 ♥"]\n[Rules'), "utf-8")
    around = {
        key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))
    }
    commands = [["replay"], ["validate"], ["replay", "--json"]]
    for args in commands if len(env) > 1 or "PYTHONIOENCODING" in env else commands[:1]:
        result = program(*args, path, env=around | env)
        assert result.returncode == 1, result.stderr
        assert b"Traceback" not in result.stderr
        if env.get("PYTHONIOENCODING") != "latin-1":
            assert result.stdout.isascii() or args[-1] == "--json"
    for args in (["rules"], ["explain", "meld-wilds"]) if len(env) > 1 else ():
        assert program(*args, env=around | env).returncode == 0


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.canasta").write_text((BROKEN + "\n") * 200)
    for args in (["replay"], ["validate"], ["validate", "--json"], ["audit", "--csv"]):
        command = [sys.executable, "-m", "canasta_notation", *args, str(tmp_path / "a.canasta")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert running.stdout and running.stderr
            running.stdout.close()
            assert running.stderr.read() == b""
    for args in (["help"], ["help", "audit"], ["--version"]):
        command = [sys.executable, "-m", "canasta_notation", *args]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert running.stdout and running.stderr
            running.stdout.close()
            assert running.stderr.read() == b""
        assert running.returncode == 0
    command = [sys.executable, "-m", "canasta_notation", "nonsense"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        assert running.stderr
        running.stderr.close()
    assert running.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("args", [["validate"], ["validate", "--json"]])
def test_a_closed_pipe_hides_no_error(tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "a.canasta").write_text((VERIFIED.replace("[Rules", "; [Rules") + "\n") * 50)
    (tmp_path / "b.canasta").write_text(BROKEN)
    command = [sys.executable, "-u", "-m", "canasta_notation", *args, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("args", [["replay"], ["audit"], ["audit", "--csv"], ["analyze"]])
def test_what_is_shown_may_be_read_in_part(tmp_path: Path, args: list[str]) -> None:
    record = tmp_path / "a.canasta"
    record.write_text((VERIFIED + "\n") * 100)
    with interruptible([sys.executable, "-m", "canasta_notation", *args, record]) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@pytest.mark.parametrize("command", ["validate", "replay", "audit"])
def test_no_line_is_a_command_to_a_ci_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    for name in ("  ::error::x", "##vso[task.complete]", "##[error]y"):
        path = tmp_path / "a.canasta"
        path.write_text(BROKEN.replace("[Rules", f'[Event "{name}"]\n[S "{name}"]\n[Rules'))
        result = canasta(command, path)
        for line in (result.stdout + result.stderr).splitlines():
            assert not line.lstrip().startswith("::") and "##[" not in line and "##v" not in line
    os.rename(path, tmp_path / "::error::x.canasta")
    monkeypatch.chdir(tmp_path)
    result = canasta(command, "::error::x.canasta")
    assert "::error::x.canasta" in (result.stdout + result.stderr).replace("\\x3a", ":")
    assert "\n::" not in "\n" + result.stdout + result.stderr


def test_too_many_processes_are_a_usage_error() -> None:
    result = canasta("validate", "--jobs", "100000", "-")
    assert result.exit_code == 2 and "1024" in result.stderr


# --- outputs ------------------------------------------------------------------------------------

CONVERT = f'"{sys.executable}" -m canasta_notation convert a.canasta --to json'


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no descriptors as files here")
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"printf before > all; {CONVERT} -o /dev/stdout >> all; cat all", b"before{json}"),
        (f"{CONVERT} -o /dev/stdout | cat", b"{json}"),
        (f"(printf before; {CONVERT} -o /dev/fd/3) 3>&1", b"before{json}"),
        (f"{CONVERT} -o >(cat) | cat", b"{json}"),
        (f"mkfifo pipe; {CONVERT} -o pipe & cat pipe", b"{json}"),
        (f"ln -s /dev/stdout link; printf before > all; {CONVERT} -o link >> all; cat all",
         b"before{json}"),
    ],
)  # fmt: skip
def test_an_output_that_is_not_a_file(tmp_path: Path, script: str, expected: bytes) -> None:
    (tmp_path / "a.canasta").write_text(VERIFIED)
    json_text = canasta("convert", tmp_path / "a.canasta", "--to", "json").stdout.encode()
    run = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, timeout=60)
    assert (run.stdout, run.stderr) == (expected.replace(b"{json}", json_text), b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_format_keeps_what_can_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(VERIFIED.replace("deal 1", "deal  1"))
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    os.link(path, tmp_path / "b.canasta")
    result = canasta("format", path)
    words = "its other names (hard links) keep the old content"
    assert result.stderr == f"changed {path}; {words}\n"
    found = path.stat()
    assert found.st_mode & 0o777 == 0o640
    assert os.geteuid() or (found.st_uid, found.st_gid) == (12345, 23456)


def test_format_does_not_overwrite_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(VERIFIED.replace("deal 1", "deal  1"))
    real = formats.draw_count

    def edited(game: Game) -> int:
        path.write_text(VERIFIED + "; an edit\n")
        return real(game)

    monkeypatch.setattr(formats, "draw_count", edited)
    result = canasta("format", path)
    assert (result.exit_code, path.read_text()) == (2, VERIFIED + "; an edit\n")
    assert "another program has changed this file" in result.stderr
    assert os.listdir(tmp_path) == ["a.canasta"]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("format -", VERIFIED * 50),
        ("convert - --to json", VERIFIED * 50),
        ("convert - --from json --to canasta", " " * 100_000),
    ],
)
def test_endless_input_ends(command: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STREAM_LIMIT", 1 << 16)
    result = canasta(*command.split(), stdin=text)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr == "canasta: -: more than 0 MiB; save it to a file and name the file\n"


#: Commands by the stream that each uses, with their exit codes.
CLOSED = {
    ">&-": {
        "audit a.canasta": 0,
        "validate --json a.canasta": 0,
        "convert a.canasta --to json": 0,
        "-h": 0,
    },
    "2>&-": {"validate none.canasta": 2, "validate": 2},
    "<&-": {"replay --step a.canasta": 0},
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("closed", [*CLOSED, "<&- >&- 2>&-"])
def test_a_closed_stream_ends_quietly(tmp_path: Path, closed: str) -> None:
    """Each stream is closed for the commands that use it, and all are closed for all commands."""
    (tmp_path / "a.canasta").write_text(VERIFIED)
    before = os.listdir(tmp_path)
    commands = CLOSED.get(closed) or {
        args: code for each in CLOSED.values() for args, code in each.items()
    }
    for args, code in commands.items():
        command = f'"{sys.executable}" -m canasta_notation {args} {closed}'
        result = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, timeout=60)
        assert result.returncode == code, result.stderr
        assert b"Traceback" not in result.stderr and result.stderr.count(b"\n") < 12
    assert os.listdir(tmp_path) == before
    if "<" in closed:
        result = program("validate", "-", stdin=subprocess.DEVNULL)
        assert result.stderr == b"canasta: -: there is no game in this file\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_device(tmp_path: Path) -> None:
    (tmp_path / "a.canasta").write_text(VERIFIED)
    works = (["replay"], ["validate", "--json"], ["audit"], ["convert", "--to", "json"])
    helps = (["help"], ["--version"], ["corpus", "--help"])
    for args in [*([*work, tmp_path / "a.canasta"] for work in works), *helps]:
        with open("/dev/full", "wb") as full:
            command = [sys.executable, "-m", "canasta_notation", *args]
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
        assert result.returncode == 2
        assert result.stderr.startswith(b"canasta: ") and b"Traceback" not in result.stderr
    for args in (["validate", "nowhere"], ["nonsense"]):
        with open("/dev/full", "wb") as full:
            command = [sys.executable, "-m", "canasta_notation", *args]
            assert subprocess.run(command, stderr=full, timeout=60).returncode == 2
    result = program("convert", tmp_path / "a.canasta", "--to", "json", "-o", "/dev/full")
    assert result.returncode == 2
    assert result.stderr == b"canasta: /dev/full: no space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("command", ["validate", "convert -o OUT.json", "format"])
def test_an_interrupt_ends_quietly(tmp_path: Path, command: str) -> None:
    os.mkfifo(tmp_path / "slow.canasta")
    args = [arg.replace("OUT", str(tmp_path / "out")) for arg in command.split()]
    run = [sys.executable, "-m", "canasta_notation", *args, tmp_path / "slow.canasta"]
    with (
        interruptible(run) as running,
        open(tmp_path / "slow.canasta", "wb") as pipe,  # opens when the program reads
    ):
        pipe.write(b'[CGN "1"]\n')
        pipe.flush()
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        out, messages = running.communicate(timeout=30)
    # Python may end itself with the signal instead; to a shell, this is 130 too.
    assert running.returncode in (130, -signal.SIGINT)
    assert (out, messages) == (b"", b"")
    assert os.listdir(tmp_path) == ["slow.canasta"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("end", ["interrupt", "closed pipe"])
def test_long_play_outs_end_at_once(jobs: str, end: str) -> None:
    club = Path(__file__).parent.parent / "samples" / "thursday-club.canasta"
    command = [sys.executable, "-m", "canasta_notation", "analyze", club]
    with interruptible([*command, "--rollouts", "100000", "--jobs", jobs]) as running:
        assert running.stdout is not None and running.stderr is not None
        assert b"will take about" in running.stderr.readline()
        time.sleep(1)  # until it plays
        if end == "interrupt":
            running.send_signal(signal.SIGINT)
        else:
            running.stdout.close()
        assert running.wait(60) == (130 if end == "interrupt" else 0)
        assert b"Traceback" not in running.stderr.read()


def test_an_interrupt_while_a_class_is_made_is_no_internal_error() -> None:
    code = (
        "from canasta_notation.cli.session import Session\n"
        "class Field:\n"
        "    def __set_name__(self, owner, name):\n"
        "        raise KeyboardInterrupt\n"
        "with Session():\n"
        "    class Made:\n"
        "        field = Field()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, timeout=60)
    assert (result.returncode, result.stderr) == (130, b"")


def test_damaged_samples_end_every_command_with_a_message(tmp_path: Path) -> None:
    """Each record has several edits of cards, numbers, words, tags, comments and line ends."""
    folder = Path(__file__).parent.parent / "samples"
    records = [path.read_bytes() for path in folder.glob("*.canasta")]
    records = [record for record in records if len(record) < 6_000]
    chance = random.Random(16)
    for at in range(12):
        record = chance.choice(records)
        for _ in range(chance.randrange(1, 5)):
            record = mutate(record, chance)
        path = tmp_path / f"{at}.canasta"
        path.write_bytes(record)
        for command in READERS:
            assert read(command, path)[0] in (0, 1, 2), record
    built = canasta("corpus", "build", tmp_path, "-o", tmp_path / "out")
    assert built.exit_code in (0, 2) and "internal error" not in built.stderr


@pytest.mark.parametrize(
    "lines",
    [
        "score NS 100\nscore EW 100\ntotal NS 100 EW 100\n",
        "score NS 100 = melds 100\n",
        "score NS 100 = cards 100\n",
        "total NS 5 EW 7\ndeal 2 dealer E\ntotal NS 50 EW 70\n",
    ],
)
def test_a_sheet_under_huge_values_needs_little_memory(lines: str) -> None:
    """The possible worth of a deal is a range with a step, which is never listed."""
    rules = "classic score.natural=1000000 score.out=999999"
    text = f'[CGN "1"]\n[Rules "{rules}"]\ndeal 1 dealer N\n{lines}'
    (reading,) = read_text(text)
    tracemalloc.start()
    replay_game(reading.game)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


def test_a_row_far_wider_than_the_others_is_refused(tmp_path: Path) -> None:
    """Every row has as many cells as the widest, so both numbers together would fill the memory."""
    path = tmp_path / "a.csv"
    path.write_text("Deal,NS,EW" + "," * 20_000 + "\n" + "1,2,3\n" * 5_000)
    tracemalloc.start()
    done = canasta("convert", path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (done.exit_code, done.stdout) == (2, "")
    assert "row 1 has 20,003 cells, and the others far fewer" in done.stderr
    assert peak < 32 << 20


def test_a_long_span_is_shown_by_its_ends() -> None:
    """To search the whole range would take days."""
    assert spell_amounts(range(-5, 10**15, 5)) == "-5 to 999999999999995 in steps of 5"


def test_a_search_with_an_endless_deck_needs_little_memory() -> None:
    """What an unknown discard was is searched as if the deck never lacked a card."""
    hands = "E: 4s 4h 5s 5h 6s 6h 7s 7h 8s 8h 9s\nS: 4d 4c 5d 5c 6d 6c 7d 7c Ac Ah Ad\n"
    turns = "1. E +Td -_\n2. S ^_ A:AcAhAd 5:5d5c5h -4d\n"
    (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{hands}up Kc\n{turns}')
    tracemalloc.start()
    replay_game(reading.game)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("command", ["audit", "replay"])
@pytest.mark.parametrize("lines", ["S ^9 -_\n", "deal 1 dealer N\n"])
def test_work_grows_no_faster_than_the_text(command: str, lines: str, tmp_path: Path) -> None:
    """Twice as many additional lines cause at most twice as many additional calls."""

    def calls(count: int) -> int:
        path = tmp_path / f"{count}.canasta"
        path.write_text('[CGN "1"]\ndeal 1 dealer N\n' + lines * count)
        made = 0

        def count_one(*event: object) -> None:
            nonlocal made
            made += 1

        sys.setprofile(count_one)
        try:
            read(command, path)
        finally:
            sys.setprofile(None)
        return made

    calls(10)
    few, more, many = (calls(count) for count in (80, 160, 320))
    assert many - more < 2.5 * (more - few)


# --- the limits of lists and numbers --------------------------------------------------------------

#: How many records at the limits every command and the library read.
LIMITS = int(os.environ.get("CANASTA_LIMITS", "6"))


def test_records_at_the_limits_end_every_command_with_a_message() -> None:
    for seed in range(LIMITS):
        limits = Limits(seed)
        text = limits.record()
        for _ in chain(in_library(text, limits), in_commands(text)):
            pass
    in_corpus([Limits(seed).record() for seed in range(LIMITS)])


DEALT = '[CGN "1"]\ndeal 1 dealer N\n'


@pytest.mark.parametrize("length", [511, 512, 513, 514, 5_000])
@pytest.mark.parametrize(
    "line",
    [
        "E: {}", "E: 4s +{}", "up {}", "stock {}", "talon {}", "1. E +{} -4s", "1. E + 5:{} -4s",
        "1. E + straight:{}", "end out N\nmelds NS 5:{}", "end out N\nthrees NS {}",
        "end out N\nleft E {}",
    ],
)  # fmt: skip
def test_a_list_may_be_longer_than_any_deck(line: str, length: int) -> None:
    for card in ("5s", "_"):
        (reading,) = read_text(f"{DEALT}{line.format(card * length)}\n")
        assert not reading.game.problems
        verdict = "undetermined" if (line, card) == ("up {}", "_") else "contradicted"
        assert replay_game(reading.game).verdict == verdict


def test_a_live_game_refuses_a_group_longer_than_any_deck() -> None:
    game = LiveGame(seed=1, dealer="W")
    game.deal()
    game.play("N", "+")
    for length in (512, 513, 5_000):
        assert game.check("N", f"5:{'5s' * length}").code == "not-in-hand"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "lines",
    [
        "score NS -999999999 = penalty -999999999 melds 5\n",
        "score NS -999999999 = penalty -999999999 melds 5\ntotal NS -999999999 EW -999999999\n",
        "penalty NS 999999999 foul\npenalty NS 999999999 foul\n"
        "score NS 5 = melds 10 natural 7 penalty -5\n",
        "total NS 999999999 EW 999999999\ndeal 2 dealer E\ntotal NS 999999998 EW 999999997\n",
        "total NS 5 EW 5\ndeal 2 dealer E\ntotal NS 999999998 EW 999999997\n",
    ],
)
def test_the_greatest_figures_are_judged(lines: str) -> None:
    (reading,) = read_text(DEALT + lines)
    assert replay_game(reading.game).verdict == "contradicted"


def test_sums_of_the_greatest_figures_fit_the_columns_of_a_corpus(tmp_path: Path) -> None:
    ruled = "penalty NS 999999999 foul\n" * 3
    deals = [
        f"deal {at} dealer {'NESW'[at % 4 - 1]}\n{ruled}score NS 999999999\n" for at in range(1, 6)
    ]
    (tmp_path / "a.canasta").write_text('[CGN "1"]\n' + "".join(deals))
    built = canasta("corpus", "build", tmp_path, "-o", tmp_path / "out")
    assert built.exit_code == 0, built.stderr
    query = "SELECT max(list_max(totals)) FROM deals"
    assert "4999999995" in canasta("corpus", "query", tmp_path / "out", query).stdout


def test_every_total_is_known() -> None:
    """A total of -1,000,000,000 is a number like any other."""
    sheets = "deal 1 dealer N\npenalty N 999999999 foul\nscore N -999999999 = penalty -999999999\n"
    sheets += "score S 0\ndeal 2 dealer S\npenalty N 1 foul\nscore N -1 = penalty -1\nscore S 0\n"
    text = f'[CGN "1"]\n[Rules "classic-2p"]\n{sheets}deal 3 dealer N\nup 4s\n1. S +4s -4s\n'
    (reading,) = read_text(text)
    assert [*positions(reading.game)][-1].totals == {"N": -1_000_000_000, "S": 0}


@pytest.mark.parametrize("lines", ["melds NS 5:{}\n", "melds NS 5:{0} K:{0} A:{0}\n"])
def test_unknown_cards_take_time_in_proportion_to_their_number(lines: str) -> None:
    """Twice as many cards take twice as many steps."""

    def steps(count: int) -> int:
        (reading,) = read_text(f"{DEALT}end out N\n{lines.format('_' * count)}")
        made = 0

        def count_one(*event: object) -> object:
            nonlocal made
            made += 1
            return count_one

        sys.settrace(count_one)
        try:
            replay_game(reading.game)
        finally:
            sys.settrace(None)
        return made

    steps(10)
    few, more, many = (steps(count) for count in (200, 400, 800))
    assert many - more < 2.5 * (more - few)
