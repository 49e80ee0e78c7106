"""The recorder's console: asking, showing, and the file of the record that is being written."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Self

from canasta_notation.cli.files import decoded
from canasta_notation.cli.recording.ask import LineAsker, asker
from canasta_notation.cli.session import Session, UserError, file_error
from canasta_notation.dialogue.asking import Asking, Detail, Prompt, T, ask_until, sentence
from canasta_notation.render.paint import Look, Rows, row
from canasta_notation.storage import (
    BadFile,
    Lock,
    check_place,
    lock_file,
    remove_fresh,
    write_whole,
)

_BOM: Final = "\ufeff"
#: A byte that is not UTF-8, as Python spells it in what was typed: this number more than the byte.
_ESCAPED: Final = 0xDC00
_BAD_BYTE: Final = re.compile("[\udc80-\udcff]")
#: Values that change whenever a file changes: its modification time, its size, its identity.
_Signature = tuple[int, int, int]


class RecordFile:
    """A record's file, locked while it is open, saved whole. Raises UserError if it is locked.

    The process holds a lock on a file beside the record; if it is killed, no lock is left behind.
    `trouble` says why the last save failed; it is "" if the save succeeded.
    """

    def __init__(self, given: str) -> None:
        self.given = given
        self.path = Path(os.path.realpath(given))
        self.trouble = ""
        self._newline = "\n"
        self._bom = ""
        self._seen: _Signature | None = None
        self._lock: Lock | None = None
        #: The file itself, locked, because it can have a second name (a hard link).
        self._held: IO[bytes] | None = None
        check_place(self.path, given)
        if self.path.exists() and not self.path.is_file():
            raise UserError(f"{given}: not a file that a record can be written to")
        try:
            self._lock = Lock(self.path.parent / f".{self.path.name}.lock")
            self._held = lock_file(self.path)
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


class Console:
    """A recorder's link to the person and to the file.

    When the `with` block ends, for whatever reason, the lock is released, and a game that could not
    be saved is written to standard output.

    `head` is the lines of the file above the game that is being recorded.
    """

    def __init__(self, session: Session, path: str) -> None:
        self.session = session
        self.file = RecordFile(path)
        self.head: list[str] = []
        self.lines: tuple[str, ...] = ()
        self._asker = asker(session, self._tell_leaving)
        self._leaving_explained = False
        self._start_explained = False
        self._known_trouble = ""
        if self.file.trouble:
            self.tell_unsaved()

    @property
    def name(self) -> str:
        """The name of the record in messages."""
        return self.file.given

    @property
    def look(self) -> Look:
        """The width and the colours of the output."""
        return self.session.look

    @property
    def edits_lines(self) -> bool:
        """Whether a question can start with text for the person to change."""
        return not isinstance(self._asker, LineAsker)

    def ask(self, prompt: Prompt) -> str:
        """Return what the person types. Raises EOFError at the end.

        A line with a byte that is not UTF-8 is asked for again.

        The first time that the answer starts from a text, say so.
        """
        if prompt.start and self.edits_lines and not self._start_explained:
            self._start_explained = True
            self.tell("Your line is back, ready to be corrected. Ctrl-U clears it.")
        while True:
            self.session.out.flush()
            line = self._asker.ask(prompt)
            bad = _BAD_BYTE.search(line)
            if bad is None:
                return line
            byte = f"0x{ord(bad[0]) - _ESCAPED:02x}"
            place = f"character {bad.start() + 1} is a byte that is not UTF-8 ({byte})"
            self.tell(f"{place}; type the line again")

    def _tell_leaving(self) -> None:
        """Say how to leave, the first time."""
        if not self._leaving_explained:
            self._leaving_explained = True
            saved = "" if self.file.trouble else "; every accepted entry is saved"
            self.tell(f"to leave, type quit or press Ctrl-D{saved}")

    def ask_until(self, detail: Detail[T]) -> T:
        """Ask until the answer can be read, and return what it means; see `asking.ask_until`."""
        return self.hold(ask_until(self, detail))

    def hold(self, asking: Asking[T]) -> T:
        """Answer the prompts with what the person types, and return the result. Raises EOFError."""
        try:
            prompt = next(asking)
            while True:
                prompt = asking.send(self.ask(prompt))
        except StopIteration as end:
            result: T = end.value
            return result

    def show(self, rows: Rows) -> None:
        """Show rows."""
        self.session.show(rows)

    def tell(self, text: str, style: str = "") -> None:
        """Show a sentence in as many lines as it needs."""
        self.show(sentence(text, style)(self.look))

    # --- the file -------------------------------------------------------------------------------

    def save(self, lines: Sequence[str]) -> None:
        """Write the game's lines to the disk; if that fails, say so at once."""
        self.lines = tuple(lines)
        if not self.file.save([*self.head, *self.lines]):
            self.tell_unsaved()
        elif self._known_trouble:
            self.tell(f"saved again: {self.name}")
            self._known_trouble = ""

    def tell_unsaved(self) -> None:
        """Say that the game is only in memory and, the first time, what to do."""
        trouble = self.file.trouble
        if trouble == self._known_trouble:
            self.tell("still NOT SAVED", "error")
            return
        self._known_trouble = trouble
        self.tell(f"NOT SAVED: {trouble}", "error")
        self.tell("the game is still in memory: `save PATH` writes it to another file", "error")

    def move(self, path: str) -> None:
        """Write the record to another file, which must not exist yet, and continue there."""
        try:
            target = RecordFile(path)
        except BadFile as trouble:
            self.tell(str(trouble), "error")
            return
        if target.path.exists() and target.path != self.file.path:
            self.tell(f"{path} already exists; give the name of a new file", "error")
            target.close()
            return
        if not target.save([*self.head, *self.lines]):
            self.tell(f"not saved: {target.trouble}", "error")
            target.close()
            return
        self.file.close()
        self.file = target
        self._known_trouble = ""
        self.tell(f"saved: {path}")

    @property
    def unsaved(self) -> bool:
        """Whether something is only in memory."""
        return bool(self.file.trouble and self.lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.file.close()
        if self.unsaved:
            self.tell("this record could not be saved:", "error")
            self.session.write_record("".join(f"{line}\n" for line in (*self.head, *self.lines)))
        elif kind is None or issubclass(kind, EOFError):
            nothing = "nothing was recorded, so no file was written"
            self.show([row(f"saved in {self.file.path}" if self.lines else nothing)])
