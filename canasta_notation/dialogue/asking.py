"""Asking a person, on a terminal or elsewhere: prompts, the questions of details, their answers.

Code that asks is a generator: it yields prompts and receives what was typed. So it waits for a
person only when its caller does.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from canasta_notation.render.paint import Look, Rows, Run, row, wrap_row

if TYPE_CHECKING:
    from canasta_notation.recorder.completion import Completion

Completer = Callable[[str], Iterable["Completion"]]
#: What is shown, once the width and the colours are known.
ShownRows = Callable[[Look], Rows]
T = TypeVar("T")

#: Typed to go back to the previous question, to leave, and to have a question explained. Where
#: nothing else can be typed, `undo` also goes back.
BACK: Final = "back"
UNDO: Final = "undo"
QUIT: Final = "quit"
EXPLAIN: Final = ("?", "help")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: its words, the text to start from, the completions, the toolbar below."""

    text: str
    start: str = ""
    completer: Completer | None = None
    toolbar: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Detail(Generic[T]):
    """A question that is asked until its answer can be read; nothing else can be typed there.

    `read` returns what an answer means, or raises Unclear. `hint` is what `?` shows, and `words`
    are completed. `back` says that the person may go back instead of answering.
    """

    prompt: str
    read: Callable[[str], T]
    hint: ShownRows
    words: tuple[str, ...] = ()
    back: bool = False


#: Code that asks: it yields prompts, receives what is typed, and returns its result.
Asking = Generator[Prompt, str, T]


class Face(Protocol):
    """The other end of a dialogue: it shows rows, and keeps the record."""

    @property
    def look(self) -> Look:
        """The width and the colours of what is shown."""
        ...

    def show(self, rows: Rows) -> None:
        """Show rows."""
        ...

    def tell(self, text: str, style: str = "") -> None:
        """Show a sentence in as many lines as it needs."""
        ...

    def save(self, lines: Sequence[str]) -> None:
        """Save the lines of the game."""
        ...

    def move(self, path: str) -> None:
        """Save the record under another name, and continue there."""
        ...


class Unclear(Exception):
    """An answer that cannot be read; `said` says what is wrong with it."""

    def __init__(self, said: ShownRows) -> None:
        self.said = said


class GoneBack(Exception):
    """The person wants to go back to the previous question."""


def sentence(text: str, style: str = "") -> ShownRows:
    """Return a sentence as it is shown: in as many lines as it needs."""
    return lambda look: wrap_row(row(Run(text, style)), look.width)


def yes_or_no(
    text: str, meaning: str, *, default: bool = False, back: bool = False
) -> Detail[bool]:
    """Return a question that is answered with yes or no; `default` is what Enter means."""

    def read(said: str) -> bool:
        if said.lower() not in ("", "y", "yes", "n", "no"):
            raise Unclear(sentence("type yes or no; Enter accepts the answer in brackets"))
        return default if not said else said.lower().startswith("y")

    prompt = f"{text} yes or no [{'yes' if default else 'no'}]> "
    return Detail(prompt, read, sentence(meaning), back=back)


def ask_until(face: Face, detail: Detail[T]) -> Asking[T]:
    """Ask until the answer can be read, and return what it means.

    An answer that cannot be read is offered again, to be corrected. `quit` raises EOFError, and
    `back` raises GoneBack if the question allows it.
    """
    start = ""
    while True:
        said = (yield Prompt(detail.prompt, start, words=detail.words)).strip()
        start = ""
        word = said.lower()
        if word == QUIT:
            raise EOFError
        if word in (BACK, UNDO) and detail.back:
            raise GoneBack
        if word in EXPLAIN:
            face.show(detail.hint(face.look))
            continue
        try:
            return detail.read(said)
        except Unclear as unclear:
            face.show(unclear.said(face.look))
            start = said
