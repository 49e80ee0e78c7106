"""Files that are written whole or not at all, messages for system errors, and locks."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import IO, BinaryIO, Final

from canasta_notation.quoting import shortened

#: The name of a temporary file, which contains the name of the file that it will replace.
_FRESH: Final = re.compile(r"\.(.+)\.[0-9a-f]{32}\.tmp", re.DOTALL)
#: How many links to a descriptor are followed; the system refuses longer chains.
_LINKS: Final = 40
#: How much of an unfinished file stays in memory, in bytes.
_HELD: Final = 1 << 20
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
#: Errors of a write that name no file: the disk, or the user's share of it, has no room.
_NO_ROOM: Final = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class BadFile(Exception):
    """A file that cannot be read or written; the message is one line and names the file."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


def refusal(name: str, error: OSError) -> str:
    """Return one line that names a file and says why the system refused it."""
    reason = error.strerror or type(error).__name__
    if isinstance(error, FileNotFoundError):
        reason = "no such file or folder"
    return f"{name}: {reason[:1].lower()}{reason[1:]}"


@contextmanager
def full_disk_names(path: Path) -> Iterator[None]:
    """Let an error of a full disk, which names no file, name the one that is being written."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM and error.filename is None:
            error.filename = str(path)
        raise


def replace_file(
    path: Path,
    pieces: Iterable[bytes],
    *,
    prepare: Callable[[Path], None] | None = None,
) -> None:
    """Replace the file `path`, never with half a file; it is on the disk when this returns.

    The pieces are written to a temporary file beside it, which is then renamed. Just before that,
    `prepare` is called with the temporary file. Raises OSError, and whatever the pieces or
    `prepare` raise; no temporary file remains then. The folder is not synced.
    """
    _remove_left(path.parent)
    fresh, stream, lock = _fresh(path)
    try:
        with lock:
            with full_disk_names(path), stream:
                stream.writelines(pieces)
                stream.flush()
                os.fsync(stream.fileno())
            if prepare is not None:
                prepare(fresh)
            os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise


def _fresh(path: Path) -> tuple[Path, BinaryIO, AbstractContextManager[object]]:
    """Create a temporary file for a file; return its name, its stream and a lock on it."""
    while True:
        fresh = path.with_name(f".{path.name}.{os.urandom(16).hex()}.tmp")
        stream = open(fresh, "xb")  # noqa: SIM115  # a name that is taken is not removed
        try:
            lock = lock_file(fresh)
        except OSError:
            lock = None  # another process is just removing it, or the system has no locks
        if fresh.exists():
            return fresh, stream, lock or nullcontext()
        stream.close()


@cache
def _remove_left(folder: Path) -> None:
    """Remove, once, the temporary files that killed processes have left in a folder.

    They are recognised by their names; a running process holds a lock on its own. On systems
    without such locks, nothing is removed.
    """
    with suppress(OSError):
        for left in os.listdir(folder):
            path = folder / left
            if _FRESH.fullmatch(left) and stat.S_ISREG(os.lstat(path).st_mode):
                with suppress(OSError), lock_file(path) or nullcontext() as held:
                    if held is not None:
                        os.unlink(path)


def write_whole(
    path: Path, pieces: Iterable[bytes], *, unchanged: os.stat_result | None = None
) -> tuple[str, ...]:
    """Replace a file's content, or leave the file as it is; it is never half written.

    The pieces are written to a new file beside it as they come. The new file is forced to the disk
    and takes the old one's place, mode and owner. A link is followed. A descriptor such as
    /dev/stdout, or anything else that is not a regular file, is written to directly after all
    pieces have come. Returns, in words, what could not be kept of the old file. Raises BadFile if
    the file cannot be written, is read-only, or is no longer as `unchanged` says, and whatever the
    pieces raise; no new file remains then.
    """
    try:
        check_place(path)
        stream = _open_special(path)
        if stream is not None:
            from shutil import copyfileobj

            with stream, spooled(pieces) as whole:
                copyfileobj(whole, stream)
            return ()
        target = Path(os.path.realpath(path))
        _check_writable(target)
        lost: list[str] = []

        def prepare(fresh: Path) -> None:
            old = os.stat(target) if target.exists() else None
            if unchanged is not None and _state(old) != _state(unchanged):
                raise BadFile(f"{path}: another program has changed this file; it is left as it is")
            if old is not None:
                lost.extend(_keep(old, fresh))

        replace_file(target, pieces, prepare=prepare)
        sync_folder(target.parent)
        return tuple(lost)
    except OSError as error:
        raise BadFile(refusal(str(path), error)) from error


def check_place(path: Path, name: str = "") -> None:
    """Raise BadFile if no file can be at a path: it is a folder, or its folder is missing.

    A command whose work takes long checks this first. `name` is what messages call the path.
    Not checked: whether the file can be written.
    """
    folder, name = path.parent, name or str(path)
    try:
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            raise NotADirectoryError
        if stat.S_ISDIR(os.stat(path).st_mode):
            raise BadFile(f"{name}: is a folder; name a file")
    except NotADirectoryError:
        raise BadFile(f"{name}: {folder} is not a folder") from None
    except FileNotFoundError:
        if not folder.exists():
            raise BadFile(f"{name}: there is no folder {folder}; make it first") from None
    except OSError as error:
        raise BadFile(refusal(name, error)) from error


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Make a folder, and those above it; if the block raises, remove the new ones that are empty.

    Raises BadFile.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(refusal(str(folder), error)) from error
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for each in missing:
                each.rmdir()
        raise


@contextmanager
def spooled(pieces: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Collect all pieces and provide them as a file; long output waits on the disk."""
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_HELD) as file:
        for piece in pieces:
            file.write(piece)
        file.seek(0)
        yield file


def _open_special(path: Path) -> BinaryIO | None:
    """Open a descriptor, device or named pipe, which must not be replaced; None for a file."""
    number = _descriptor(path)
    if number is not None:
        return os.fdopen(os.dup(number), "wb")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    return None if stat.S_ISREG(mode) else path.open("wb")


def _descriptor(path: Path) -> int | None:
    """Return the number of the open descriptor that a path such as /dev/stdout means, or None."""
    for _ in range(_LINKS):
        folder = os.path.realpath(path.parent)
        if path.name.isdecimal() and folder in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder, os.readlink(path))
    return None


def _check_writable(path: Path) -> None:
    """Raise PermissionError for a read-only file, also if the user is root, who may write it."""
    if path.exists() and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _state(found: os.stat_result | None) -> tuple[int, int, int] | None:
    """Return values that change whenever the file changes."""
    return found and (found.st_ino, found.st_size, found.st_mtime_ns)


def _keep(old: os.stat_result, fresh: Path) -> Iterator[str]:
    """Give a new file the owner and the mode of the old one; yield what cannot be kept."""
    new = os.stat(fresh)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(fresh, old.st_uid, old.st_gid)
        except OSError:
            yield "its owner is now the user who runs this program"
    os.chmod(fresh, stat.S_IMODE(old.st_mode))
    if old.st_nlink > 1:
        yield "its other names (hard links) keep the old content"


def remove_fresh(folder: Path, names: Container[str]) -> None:
    """Remove the temporary files that a killed `replace_file` left for these names in a folder.

    Only the process that may now write these files should call this. Raises OSError.
    """
    for left in os.listdir(folder):
        match = _FRESH.fullmatch(left)
        if match and match[1] in names:
            os.unlink(folder / left)


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk, if the system supports it."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- locks --------------------------------------------------------------------------------------


class Lock:
    """A lock on a file that exists while the lock is held and names the process.

    Raises OSError, and BlockingIOError if another process holds the lock; the text of that error
    is " (process 12)" if the process is known.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream = _locked(path)

    def release(self) -> None:
        """Release the lock."""
        with suppress(OSError):
            os.unlink(self._path)
        self._stream.close()


def _locked(path: Path) -> IO[str]:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _NO_FOLLOW, 0o666)
        stream = os.fdopen(handle, "a+", encoding="ascii", errors="replace")
        try:
            _lock(stream)
            if os.path.samestat(os.fstat(stream.fileno()), os.stat(path)):
                _sign(stream, path)
                return stream
        except FileNotFoundError:
            pass  # its holder has just removed it: it is no longer a lock
        except BlockingIOError:
            stream.seek(0)
            process = stream.readline().strip()
            stream.close()
            raise BlockingIOError(f" (process {process})" if process.isdigit() else "") from None
        except BaseException:
            stream.close()
            raise
        stream.close()


def _sign(stream: IO[str], path: Path) -> None:
    """Write the process into its lock; without room for it, remove the lock."""
    try:
        with full_disk_names(path):
            os.ftruncate(stream.fileno(), 0)
            os.write(stream.fileno(), f"{os.getpid()}\n".encode("ascii"))
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise


def lock_file(path: Path) -> IO[bytes] | None:
    """Lock a file itself, whatever its name, until what is returned is closed.

    Two names of one file (hard links) have one such lock. Returns None if there is no file, or on
    Windows, where others could not read it then. Raises BlockingIOError if it is locked.
    """
    if sys.platform == "win32" or not path.exists():
        return None
    stream = path.open("rb")
    try:
        _lock(stream)
    except BlockingIOError:
        stream.close()
        raise BlockingIOError("") from None
    return stream


def _lock(stream: IO[str] | IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
