"""Files that are written whole or not at all, messages for system errors, and locks."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

#: The name of a temporary file, which contains the name of the file that it will replace.
_FRESH: Final = re.compile(r"\.(.+)\.[0-9a-f]{32}\.tmp", re.DOTALL)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)


class BadFile(Exception):
    """A file that cannot be read or written; the message is one line and names the file."""


def refusal(name: str, error: OSError) -> str:
    """Return one line that names a file and says why the system refused it."""
    reason = error.strerror or type(error).__name__
    if isinstance(error, FileNotFoundError):
        reason = "no such file or folder"
    return f"{name}: {reason[:1].lower()}{reason[1:]}"


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
    fresh = path.with_name(f".{path.name}.{os.urandom(16).hex()}.tmp")
    stream = open(fresh, "xb")  # noqa: SIM115  # a name that is taken is not removed
    try:
        with stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        if prepare is not None:
            prepare(fresh)
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise


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
                stream.truncate(0)
                stream.write(f"{os.getpid()}\n")
                stream.flush()
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


def _lock(stream: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
