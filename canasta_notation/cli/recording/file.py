"""The file of a record that is being written: locked against a second recorder, saved whole.

The process holds a lock on a file beside the record; if it is killed, no lock is left behind.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from canasta_notation.cli.command_errors import UserError, file_error
from canasta_notation.cli.files import decoded
from canasta_notation.storage import BadFile, Lock, hold, remove_fresh, write_whole

_BOM: Final = "\ufeff"
#: Values that change whenever a file changes: its modification time, its size, its identity.
_Signature = tuple[int, int, int]


class RecordFile:
    """A record's file, locked while it is open. Raises UserError if another recorder has it.

    `trouble` says why the last save failed; it is "" if the save succeeded.
    """

    def __init__(self, given: str) -> None:
        self.given = given
        self.path = Path(given).resolve()
        self.trouble = ""
        self._newline = "\n"
        self._bom = ""
        self._seen: _Signature | None = None
        self._lock: Lock | None = None
        #: The file itself, locked, because it can have a second name (a hard link).
        self._held: IO[bytes] | None = None
        if self.path.is_dir() or (self.path.exists() and not self.path.is_file()):
            raise UserError(f"{given}: not a file that a record can be written to")
        if not self.path.parent.is_dir():
            raise UserError(f"{given}: there is no folder {self.path.parent}")
        try:
            self._lock = Lock(self.path.parent / f".{self.path.name}.lock")
            self._held = hold(self.path)
            remove_fresh(self.path.parent, {self.path.name})
        except BlockingIOError as error:
            self.close()
            raise UserError(f"{given}: another recorder is writing this record{error}") from error
        except OSError as error:
            self.trouble = str(file_error(given, error))

    def read(self) -> list[str]:
        """Return the lines of the file, none if there is no file. Raises UserError."""
        try:
            data = self.path.read_bytes()
            self._seen = self._signature()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise file_error(self.given, error) from error
        text = decoded(self.given, data)
        self._bom = _BOM if data.startswith(_BOM.encode()) else ""
        lines = text.removesuffix("\n").split("\n") if text else []
        if lines and all(line.endswith("\r") for line in lines[:-1]) and "\r\n" in text:
            self._newline = "\r\n"
            lines = [line.removesuffix("\r") for line in lines]
        return lines

    def save(self, lines: list[str]) -> bool:
        """Write the whole file and force it to the disk; return whether that succeeded.

        A file that another program has changed in the meantime is left as it is.
        """
        text = self._bom + "".join(line + self._newline for line in lines)
        try:
            if self._seen != self._signature() and self.path.exists():
                raise UserError(f"{self.given}: another program has changed this file")
            write_whole(self.path, [text.encode("utf-8", "surrogateescape")])
            self._seen = self._signature()
            self.trouble = ""
        except BadFile as trouble:
            self.trouble = str(trouble)
        except OSError as error:
            self.trouble = str(file_error(self.given, error))
        return not self.trouble

    def _signature(self) -> _Signature | None:
        with suppress(FileNotFoundError):
            found = os.stat(self.path)
            return found.st_mtime_ns, found.st_size, found.st_ino
        return None

    def close(self) -> None:
        """Release the locks."""
        if self._held is not None:
            self._held.close()
            self._held = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
