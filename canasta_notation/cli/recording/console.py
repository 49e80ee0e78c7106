"""The recorder's console: asking, showing, and the file for everything that is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from canasta_notation.cli.command_errors import UserError
from canasta_notation.cli.recording.ask import (
    BACK,
    EXPLAIN,
    QUIT,
    Detail,
    GoneBack,
    LineAsker,
    Prompt,
    T,
    Unclear,
    asker,
    sentence,
)
from canasta_notation.cli.recording.file import RecordFile
from canasta_notation.cli.session import Session
from canasta_notation.render.paint import Look, Rows, row


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
        self._leaving_told = False
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
        """Return what the person types. Raises EOFError at the end."""
        self.session.out.flush()
        return self._asker.ask(prompt)

    def _tell_leaving(self) -> None:
        """Say how to leave, the first time."""
        if not self._leaving_told:
            self._leaving_told = True
            saved = "" if self.file.trouble else "; every accepted entry is saved"
            self.tell(f"to leave, type quit or press Ctrl-D{saved}")

    def ask_until(self, detail: Detail[T]) -> T:
        """Ask until the answer can be read, and return what it means.

        `quit` raises EOFError, and `back` raises GoneBack if the question allows it.
        """
        while True:
            said = self.ask(Prompt(detail.prompt, words=detail.words)).strip()
            word = said.lower()
            if word == QUIT:
                raise EOFError
            if word == BACK and detail.back:
                raise GoneBack
            if word in EXPLAIN:
                self.show(detail.hint(self.look))
                continue
            try:
                return detail.read(said)
            except Unclear as unclear:
                self.show(unclear.said(self.look))

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
        except UserError as trouble:
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
