"""Files written whole or not at all, what is kept of the old one, and locks."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from canasta_notation import storage
from canasta_notation.storage import (
    BadFile,
    Lock,
    check_place,
    full_disk_names,
    lock_file,
    made_folder,
    refusal,
    remove_fresh,
    replace_file,
    spooled,
    write_whole,
)


class Stop(Exception):
    """What a test stops a write with."""


def stopping() -> Iterator[bytes]:
    yield b"half"
    raise Stop


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    replace_file(path, [b"new ", b"text"])
    assert path.read_bytes() == b"new text" and os.listdir(tmp_path) == ["a"]


def test_a_write_that_stops_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    for write in (replace_file, write_whole):
        with pytest.raises(Stop):
            write(path, stopping())
        assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a"]


def test_what_prepares_a_file_sees_all_of_it(tmp_path: Path) -> None:
    seen: list[bytes] = []
    replace_file(tmp_path / "a", [b"x" * 9], prepare=lambda it: seen.append(it.read_bytes()))
    assert seen == [b"x" * 9]


def test_files_that_killed_processes_left_are_removed_once(tmp_path: Path) -> None:
    left = tmp_path / f".a.{'0' * 32}.tmp"
    kept = (tmp_path / ".a.tmp", tmp_path / f"a.{'0' * 32}.tmp", tmp_path / f".a.{'g' * 32}.tmp")
    for each in (left, *kept):
        each.write_bytes(b"")
    replace_file(tmp_path / "b", [b""])
    assert not left.exists() and all(each.exists() for each in kept)


def test_a_file_of_a_running_process_is_not_removed(tmp_path: Path) -> None:
    left = tmp_path / f".a.{'1' * 32}.tmp"
    left.write_bytes(b"")
    held = lock_file(left)
    assert held is not None
    with held:
        replace_file(tmp_path / "b", [b""])
        assert left.exists()


def test_only_the_files_left_for_some_names_are_removed(tmp_path: Path) -> None:
    mine, other = (tmp_path / f".{name}.{'a' * 32}.tmp" for name in ("mine", "other"))
    for each in (mine, other, tmp_path / "mine"):
        each.write_bytes(b"")
    remove_fresh(tmp_path, {"mine"})
    assert sorted(os.listdir(tmp_path)) == sorted([other.name, "mine"])


def test_a_new_file_keeps_the_mode_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    path.chmod(0o640)
    assert write_whole(path, [b"new"]) == ()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_other_names_of_a_file_are_mentioned(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    (said,) = write_whole(path, [b"new"])
    assert "hard links" in said and other.read_bytes() == b"old" and path.read_bytes() == b"new"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, [b"new"])
    assert link.is_symlink() and target.read_bytes() == b"new"


def test_a_file_that_has_changed_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    before = path.stat()
    write_whole(path, [b"mine"], unchanged=before)
    with pytest.raises(BadFile, match="another program has changed this file"):
        write_whole(path, [b"late"], unchanged=before)
    assert path.read_bytes() == b"mine"


def test_a_read_only_file_is_refused_even_for_root(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(BadFile, match="permission denied"):
        write_whole(path, [b"new"])
    assert path.read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes of this kind")
def test_a_descriptor_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    write_whole(Path(f"/dev/fd/{writing}"), [b"a", b"b"])
    os.close(writing)
    assert os.read(reading, 9) == b"ab"
    os.close(reading)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("folder", "is a folder; name a file"),
        ("none/a", "there is no folder .*none; make it first"),
        ("file/a", "file is not a folder"),
    ],
)
def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadFile, match=words):
        check_place(tmp_path / name)
    with pytest.raises(BadFile, match=r"^OUT: "):
        check_place(tmp_path / name, "OUT")
    check_place(tmp_path / "folder" / "new")


def test_a_refusal_is_one_line_with_the_reason() -> None:
    assert refusal("a", PermissionError(errno.EACCES, "Permission denied")) == (
        "a: permission denied"
    )
    missing = FileNotFoundError(errno.ENOENT, "No such file or directory")
    assert refusal("a", missing) == "a: no such file or folder"
    assert refusal("a", OSError(errno.EIO, "Input/output error")) == "a: input/output error"


def test_an_error_of_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for number, named in ((errno.ENOSPC, str(path)), (errno.EFBIG, str(path)), (errno.EIO, None)):
        with pytest.raises(OSError) as raised, full_disk_names(path):
            raise OSError(number, "no room")
        assert raised.value.filename == named
    with pytest.raises(OSError) as raised, full_disk_names(path):
        raise OSError(errno.ENOSPC, "no room", "other")
    assert raised.value.filename == "other"


def test_new_folders_go_again_if_the_work_in_them_fails(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with pytest.raises(Stop), made_folder(tmp_path / "old" / "a" / "b"):
        raise Stop
    assert (tmp_path / "old").exists() and not (tmp_path / "old" / "a").exists()
    with pytest.raises(Stop), made_folder(tmp_path / "c" / "d"):
        (tmp_path / "c" / "file").write_bytes(b"")
        raise Stop
    assert os.listdir(tmp_path / "c") == ["file"]
    with made_folder(tmp_path / "e"):
        pass
    assert (tmp_path / "e").is_dir()
    with pytest.raises(BadFile, match="file"), made_folder(tmp_path / "c" / "file"):
        pass


def test_pieces_become_one_file_however_long() -> None:
    with spooled([b"a", b"b" * (2 << 20), b"c"]) as file:
        whole = file.read()
    assert (whole[:1], whole[-1:], len(whole)) == (b"a", b"c", (2 << 20) + 2)


def test_a_lock_names_its_process_and_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = Lock(path)
    assert path.read_text() == f"{os.getpid()}\n"
    with pytest.raises(BlockingIOError, match=rf"^ \(process {os.getpid()}\)$"):
        Lock(path)
    lock.release()
    assert not path.exists()
    Lock(path).release()


def test_a_lock_without_a_number_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("not a number\n")
    held = lock_file(path)
    assert held is not None
    with held, pytest.raises(BlockingIOError, match=r"^$"):
        Lock(path)


def test_a_file_is_locked_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert lock_file(path) is None
    path.write_bytes(b"")
    held = lock_file(path)
    assert held is not None
    with held, pytest.raises(BlockingIOError):
        lock_file(path)
    again = lock_file(path)
    assert again is not None
    again.close()


def test_a_lock_that_cannot_be_signed_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(storage.os, "write", full)
    with pytest.raises(OSError) as raised:
        Lock(tmp_path / "lock")
    assert raised.value.filename == str(tmp_path / "lock") and os.listdir(tmp_path) == []
