"""The scorer's desk: who asks, what is shown, and the file that everything accepted goes to."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from canasta_notation.cli.record_ask import Question, asker
from canasta_notation.cli.record_file import RecordFile
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble
from canasta_notation.render.paint import Rows, Run, row


class Desk:
    """A recorder's door to the person and to the file; gives the lock up when it is left.

    `head` are the lines of the file above the game that is being recorded.
    """

    def __init__(self, session: Session, path: str) -> None:
        self.session = session
        self.file = RecordFile(path)
        self.head: list[str] = []
        self.lines: tuple[str, ...] = ()
        self._asker = asker(session)
        if self.file.trouble:
            self.tell_unsaved()

    @property
    def name(self) -> str:
        """What the record is called in messages."""
        return self.file.given

    def ask(self, question: Question) -> str:
        """Return what the person types. Raises EOFError at the end."""
        self.session.out.flush()
        return self._asker.ask(question)

    def show(self, rows: Rows) -> None:
        """Show rows."""
        self.session.show(rows)

    def tell(self, text: str, style: str = "") -> None:
        """Show one line."""
        self.show([row(Run(text, style))])

    # --- the file -------------------------------------------------------------------------------

    def save(self, lines: Sequence[str]) -> None:
        """Put the game's lines on the disk; say at once where that cannot be done."""
        self.lines = tuple(lines)
        if not self.file.save([*self.head, *self.lines]):
            self.tell_unsaved()

    def tell_unsaved(self) -> None:
        """Say that the game is in memory alone, and what to do about it."""
        self.tell(f"NOT SAVED: {self.file.trouble}", "error")
        self.tell("the game is kept in memory: `save PATH` writes it elsewhere", "error")

    def move(self, path: str) -> None:
        """Write the record to another file, and go on there; that file must not exist yet."""
        try:
            target = RecordFile(path)
        except Trouble as trouble:
            self.tell(str(trouble), "error")
            return
        if target.path.exists() and target.path != self.file.path:
            self.tell(f"{path} is there already; name a new file", "error")
            target.close()
            return
        if not target.save([*self.head, *self.lines]):
            self.tell(f"not saved: {target.trouble}", "error")
            target.close()
            return
        self.file.close()
        self.file = target
        self.tell(f"saved: {path}")

    def leave(self) -> None:
        """End the recording; a game that could not be saved is written to standard output."""
        if not self.file.trouble or not self.lines:
            return
        self.tell("the record that could not be saved:", "error")
        self.session.write_record("".join(line + "\n" for line in (*self.head, *self.lines)))
        raise Trouble(self.file.trouble)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()
