"""A dialogue with a scorer as data: questions, and what follows their answers.

A `Dialogue` is a list of questions; the first of them that is due is asked. A question reads an
answer and returns what follows (a `Reply`); it asks, shows and writes nothing itself. `loop` does
what the reply says, and it alone knows the commands: undo, edit, note, save, help, quit.

To add a question, write a `Question` and put it into a dialogue before those that it precedes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from canasta_notation.cli.recording.ask import Detail, Shown, sentence
from canasta_notation.cli.recording.console import Console
from canasta_notation.cli.recording.view import ALWAYS, CARDS, EDIT_HELP, quoted
from canasta_notation.recorder.corrections import old_text, propose_text, split_edit
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.shown_at_end import DueLine
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import Look, Rows

#: What marks a question that is not asked again: its name, the line that it asks for, or a side.
Mark = DueLine | str
#: Such questions, with the numbers of their deals.
Passed = frozenset[tuple[int, Mark]]


@dataclass(frozen=True, slots=True)
class Course:
    """The record so far, and the questions that are not asked again, with their deals."""

    standing: Standing
    passed: Passed = frozenset()

    def has_passed(self, mark: Mark) -> bool:
        """Return whether a question of the current deal is not asked again."""
        return (self.standing.deal_due, mark) in self.passed


# --- what follows an answer -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry to judge. It is accepted, or the person chooses what to do about its errors.

    `text` is what was typed, and `editing` what it corrects, "" if it is new. The question `passed`
    is not asked again, even if the entry is refused. The question `then` follows its acceptance.
    """

    proposal: Proposal
    text: str
    editing: str = ""
    passed: Mark = ""
    then: Question | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines to enter one after the other; after the last, the question `passed` is answered."""

    lines: tuple[str, ...]
    passed: Mark


@dataclass(frozen=True, slots=True)
class Pass:
    """The question is left open and not asked again in this deal."""

    mark: Mark


@dataclass(frozen=True, slots=True)
class Say:
    """Something to show, without an entry.

    `text`, if any, is the text that the next answer starts from, and `editing` what that answer
    corrects. The question `then` comes next.
    """

    said: Shown
    text: str = ""
    editing: str = ""
    then: Question | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Ways to go on after a mistake: for each letter, its meaning and what it enters, if anything.

    Enter brings back `text`, which corrects `editing`. Anything else that is typed is a new answer,
    unless `otherwise` makes another choice of it. With `capitals`, a capital letter is a choice
    too: it cannot be a card or a seat here. The question `then` follows what is entered.
    """

    said: Shown
    prompt: str
    ways: Mapping[str, tuple[str, Proposal | None]]
    text: str
    editing: str
    explain: Shown
    capitals: bool = True
    otherwise: Callable[[str], Choice | None] = lambda answer: None
    then: Question | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A detail to ask for; `then` returns what follows its answer. Going back ends the entry."""

    detail: Detail[Any]
    then: Callable[[Any], Reply]


Reply = Entry | Lines | Pass | Say | Choice | Ask | None


# --- questions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a dialogue.

    It is asked when it is `due`, with a `prompt`. Its `hint` (the question in plain words, with an
    example) is said the first time, and `remark` every time. `answer` says what follows an answer.
    `?` also shows
    `how` to answer and `examples`, in which `{seat}` is the first seat. `instead` says what to type
    instead of words that are not understood; `none` says that `none` is an answer, and `any_words`
    that all words are.
    """

    name: str
    due: Callable[[Course], bool]
    prompt: Callable[[Course], str]
    hint: Callable[[Course], str]
    answer: Callable[[Course, str], Reply]
    how: tuple[str, ...] = (CARDS, ALWAYS)
    examples: tuple[tuple[str, str], ...] = ()
    instead: str = ""
    remark: Callable[[Course], str] = lambda course: ""
    none: bool = False
    any_words: bool = False


def edit_line(course: Course, rest: str) -> Reply:
    """Return what `edit` and the words after it do to a line or a tag."""
    what, text = split_edit(rest)
    what = seats_for_names(course.standing, what)
    old = old_text(course.standing, what)
    if old is None:
        new = text and what.split()[0] in ("up", "left")
        add = f" (to add it, type `{what} {text}`)" if new else ""
        missing = f"there is no such line{add}; " if rest else ""
        return Say(sentence(f"{missing}you can type {EDIT_HELP}"))
    if text:
        return correct_line(course, what, text)
    turn = what.rpartition(".")[2].isdigit()
    start = old.partition(".")[2].strip() if turn else old
    return Say(lambda look: quoted([old]), start, what)


def correct_line(course: Course, what: str, text: str) -> Reply:
    """Return what the new text of a line does; an empty text leaves the line as it is."""
    if not text:
        return Say(sentence("nothing was changed"))
    try:
        return Entry(propose_text(course.standing, text, what), text, what)
    except ValueError as error:
        return Say(sentence(str(error), "error"), text, what)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A kind of recording: its questions, in the order in which they are due.

    `toolbar` is shown below each prompt. `announce` says what has changed since the last prompt.
    `edit` and `correct` change an earlier entry. `option` is the option of the command that chooses
    it, and `excluded` the phases of a played deal that it cannot continue.
    """

    questions: tuple[Question, ...]
    toolbar: Callable[[Standing, Look], Rows]
    announce: Callable[[Recording], None]
    edit: Callable[[Course, str], Reply] = edit_line
    correct: Callable[[Course, str, str], Reply] = correct_line
    option: str = ""
    excluded: tuple[str, ...] = ()


@dataclass(slots=True)
class Recording:
    """A recording in progress: its course, and what has been asked and shown.

    `start` and `editing` are the text that the next answer starts from, and what it corrects.
    `follow` is the question that follows the last entry. `history` is what stood before each answer
    that changed something. `explained` are the questions whose hints have been said. The others say
    what `announce` has shown: the phase, the deal that the play ended, the final table.
    """

    dialogue: Dialogue
    console: Console
    course: Course
    start: str = ""
    editing: str = ""
    follow: Question | None = None
    history: list[tuple[tuple[str, ...], Passed]] = field(default_factory=list)
    explained: set[str] = field(default_factory=set)
    correcting_explained: bool = False
    phase_shown: str = ""
    end_shown: int = 0
    judged: tuple[str, ...] = ()

    @property
    def question(self) -> Question:
        """The question that is due."""
        due = (each for each in self.dialogue.questions if each.due(self.course))
        return self.follow or next(due)
