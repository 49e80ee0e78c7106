"""The file of a record that is being written: locked against a second recorder, saved whole.

A lock is held by the process, on a file beside the record: that of a killed one is gone with it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from canasta_notation.cli.output import sweep_fresh, write_whole
from canasta_notation.cli.trouble import Trouble, because

_BOM: Final = "\ufeff"
#: What tells one state of a file from another: when it was changed, its size, which file it is.
_Signature = tuple[int, int, int]


class RecordFile:
    """A record's file, locked while it is open. Raises Trouble where another recorder has it.

    `trouble` says why the last saving failed, "" after one that did not.
    """

    def __init__(self, given: str) -> None:
        self.given = given
        self.path = Path(given).resolve()
        self.trouble = ""
        self._newline = "\n"
        self._bom = ""
        self._seen: _Signature | None = None
        self._lock: IO[str] | None = None
        if self.path.is_dir() or (self.path.exists() and not self.path.is_file()):
            raise Trouble(f"{given}: not a file that a record can be written to")
        if not self.path.parent.is_dir():
            raise Trouble(f"{given}: there is no folder {self.path.parent}")
        try:
            self._lock = _locked(self._lock_path)
            sweep_fresh(self.path)
        except BlockingIOError as error:
            raise Trouble(f"{given}: another recorder is writing this record{error}") from error
        except OSError as error:
            self.trouble = str(because(given, error))

    @property
    def _lock_path(self) -> Path:
        return self.path.parent / f".{self.path.name}.lock"

    def read(self) -> list[str]:
        """Return the lines of the file, none where there is no file. Raises Trouble."""
        try:
            data = self.path.read_bytes()
            self._seen = self._signature()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise because(self.given, error) from error
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Trouble(
                f"{self.given}: not a text: byte {error.start + 1} is no UTF-8"
            ) from error
        if text.startswith(_BOM):
            self._bom, text = _BOM, text[1:]
        lines = text.removesuffix("\n").split("\n") if text else []
        if lines and all(line.endswith("\r") for line in lines[:-1]) and "\r\n" in text:
            self._newline = "\r\n"
            lines = [line.removesuffix("\r") for line in lines]
        return lines

    def save(self, lines: list[str]) -> bool:
        """Write the file whole and force it to the disk; return whether that was done.

        A file that another program has changed in the meantime is left as it is.
        """
        text = self._bom + "".join(line + self._newline for line in lines)
        try:
            if self._seen != self._signature() and self.path.exists():
                raise Trouble(f"{self.given}: another program has changed this file")
            write_whole(self.path, [text.encode("utf-8", "surrogateescape")])
            _sync_folder(self.path.parent)
            self._seen = self._signature()
            self.trouble = ""
        except Trouble as trouble:
            self.trouble = str(trouble)
        except OSError as error:
            self.trouble = str(because(self.given, error))
        return not self.trouble

    def _signature(self) -> _Signature | None:
        with suppress(FileNotFoundError):
            found = os.stat(self.path)
            return found.st_mtime_ns, found.st_size, found.st_ino
        return None

    def close(self) -> None:
        """Give the lock up."""
        if self._lock is not None:
            with suppress(OSError):
                os.unlink(self._lock_path)
            self._lock.close()
            self._lock = None


def _sync_folder(folder: Path) -> None:
    """Force a folder's list of names to the disk, where the system can do that."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _locked(path: Path) -> IO[str]:
    """Return the lock file, locked. Raises BlockingIOError where another process holds it."""
    while True:
        stream = open(path, "a+", encoding="ascii", errors="replace")  # noqa: SIM115
        try:
            _lock(stream)
            if os.path.samestat(os.fstat(stream.fileno()), os.stat(path)):
                stream.truncate(0)
                stream.write(f"{os.getpid()}\n")
                stream.flush()
                return stream
        except FileNotFoundError:
            pass  # its holder has just removed it: it is no lock any more
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
