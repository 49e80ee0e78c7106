"""The scorer's desk: asking, showing, and the file for everything that is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from canasta_notation.cli.recording.ask import BACK, GoneBack, LineAsker, Question, Yes, asker
from canasta_notation.cli.recording.file import RecordFile
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble
from canasta_notation.render.paint import Rows, Run, row, wrap_row


class Desk:
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
    def edits_lines(self) -> bool:
        """Whether a question can start with text for the person to change."""
        return not isinstance(self._asker, LineAsker)

    def ask(self, question: Question) -> str:
        """Return what the person types. Raises EOFError at the end."""
        self.session.out.flush()
        return self._asker.ask(question)

    def _tell_leaving(self) -> None:
        """Say how to leave, the first time."""
        if not self._leaving_told:
            self._leaving_told = True
            saved = "" if self.file.trouble else "; every accepted entry is saved"
            self.tell(f"to leave, type quit or press Ctrl-D{saved}")

    def yes_or_no(self, question: Yes) -> bool:
        """Ask until the answer is yes or no, and return it.

        `quit` raises EOFError, and `back` raises GoneBack if the question allows it; `?` shows what
        the question means.
        """
        default = "yes" if question.default else "no"
        while True:
            said = self.ask(Question(f"{question.text} yes or no [{default}]> ")).strip().lower()
            if said in ("", "y", "yes", "n", "no"):
                return (said or default).startswith("y")
            if said == "quit":
                raise EOFError
            if said == BACK and question.back:
                raise GoneBack
            what = "type yes or no; Enter accepts the answer in brackets"
            self.tell(question.meaning if said == "?" else what)

    def show(self, rows: Rows) -> None:
        """Show rows."""
        self.session.show(rows)

    def tell(self, text: str, style: str = "") -> None:
        """Show a sentence in as many lines as it needs."""
        self.show(wrap_row(row(Run(text, style)), self.session.look.width))

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
        except Trouble as trouble:
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
