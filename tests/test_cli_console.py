"""The file of a record that is being written: its bytes, its locks, and going on in another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from canasta_notation.cli.recording.console import Console, RecordFile
from canasta_notation.cli.session import Session, UserError

BOM = b"\xef\xbb\xbf"
TEXTS = (b"", b"one", b"one\ntwo", b"one\n\nthree")


def is_locked(path: Path) -> bool:
    try:
        RecordFile(str(path)).close()
    except UserError as error:
        assert "another recorder is writing this record" in str(error)
        return True
    return False


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_file_that_is_read_and_saved_has_the_same_bytes(tmp_path: Path, newline: bytes) -> None:
    for at, (bom, body, end) in enumerate(product((b"", BOM), TEXTS, (b"", b"\n"))):
        path = tmp_path / f"{at}.canasta"
        data = bom + (body + end).replace(b"\n", newline)
        path.write_bytes(data)
        file = RecordFile(str(path))
        lines = file.read()
        assert lines == ((body + end).decode().removesuffix("\n").split("\n") if body + end else [])
        assert file.save(lines) and file.save([*lines, "more"])
        # A file of one line that does not end has no line break of its own.
        own = newline if newline in data else b"\n"
        saved = b"".join(line.encode() + own for line in [*lines, "more"])
        assert path.read_bytes() == bom + saved
        file.close()


def test_a_file_of_mixed_lines_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(b"one\r\ntwo\nthree\r\n")
    file = RecordFile(str(path))
    lines = file.read()
    assert file.save(lines)
    file.close()
    assert path.read_bytes() == b"one\r\ntwo\nthree\r\n"


def test_a_file_that_another_program_changes_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    file = RecordFile(str(path))
    assert file.read() == [] and file.save(["one"]) and file.trouble == ""
    path.write_text("mine\n")
    assert not file.save(["two"])
    assert file.trouble.endswith("another program has changed this file")
    assert path.read_text() == "mine\n"
    path.unlink()
    assert file.save(["three"]) and file.trouble == "" and path.read_text() == "three\n"
    file.close()


@contextmanager
def ends() -> Iterator[None]:
    """A session ends the program, and says what was wrong on standard error."""
    with pytest.raises(SystemExit) as ended:
        yield
    assert ended.value.code == 0


#: Where to go on with a record, what is said, and whether the record is then there.
MOVES = (
    ("new.canasta", "saved: new.canasta", True),
    ("there.canasta", "there.canasta already exists; give the name of a new file", False),
    ("locked.canasta", "locked.canasta: another recorder is writing this record", False),
    ("none/a.canasta", "none/a.canasta: there is no folder", False),
    (".", "is a folder", False),
)


@pytest.mark.parametrize(("path", "said", "moves"), MOVES)
def test_going_on_in_another_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str,
    said: str,
    moves: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.canasta").write_text("before\n")
    with ends(), Session() as session, Console(session, "a.canasta") as console:
        locked = RecordFile("locked.canasta")
        console.head = ["above"]
        console.save(["one"])
        console.move(path)
        locked.close()
        name = path if moves else "a.canasta"
        assert console.name == name
        assert is_locked(tmp_path / name)
        assert is_locked(tmp_path / "a.canasta") is not moves
        assert not moves or not is_locked(tmp_path / "b.canasta")
        console.save(["one", "two"])
        session.out.flush()
        assert said in " ".join(capsys.readouterr().out.split())
    assert (tmp_path / name).read_text() == "above\none\ntwo\n"
    assert (tmp_path / "a.canasta").read_text() == ("above\none\n" + "two\n" * (not moves))
    assert (tmp_path / "there.canasta").read_text() == "before\n"
    assert not is_locked(tmp_path / name) and not is_locked(tmp_path / "there.canasta")


def test_troubles_are_told_once_until_they_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with ends(), Session() as session, Console(session, "a.canasta") as console:
        said = []
        for number, mine in enumerate((False, True, True, False, False, True)):
            if mine:
                Path("a.canasta").write_text("mine\n")
            elif console.file.trouble:
                Path("a.canasta").unlink()
            console.save([str(number)])
            session.out.flush()
            said.append(" ".join(capsys.readouterr().out.split()))
            assert console.unsaved is mine
        unsaved = (
            "NOT SAVED: a.canasta: another program has changed this file the game is still in "
            "memory: `save PATH` writes it to another file"
        )
        still, again = "still NOT SAVED", "saved again: a.canasta"
        assert said == ["", unsaved, still, again, "", unsaved]
        console.move("b.canasta")
        assert not console.unsaved
    assert Path("b.canasta").read_text() == "5\n"
    assert "saved: b.canasta" in capsys.readouterr().out
