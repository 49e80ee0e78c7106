"""A dialogue with a scorer as data: questions, and what follows an answer.

A `Dialogue` is a list of questions; the first of them that is due is asked. A question reads an
answer and returns what follows (a `Reply`); it asks, shows and writes nothing itself. `loop` does
what the reply says, and it alone carries out the commands: undo, edit, note, save, help, quit.

To add a question, write a `Question` and put it into a dialogue before those that it precedes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final

from canasta_notation.dialogue.asking import Detail, Face, ShownRows, sentence
from canasta_notation.dialogue.view import ALWAYS, CARDS, EDIT_HELP, record_rows
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.recorder.closing import DueLine
from canasta_notation.recorder.corrections import old_text, propose_text, split_edit
from canasta_notation.recorder.forgotten import propose_forgotten
from canasta_notation.recorder.mode import TURNS
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import Look, Rows

#: What marks a question that is not asked again: its name, the line that it asks for, or a side.
Mark = DueLine | str
#: Such questions, with the numbers of their deals.
Passed = frozenset[tuple[int, Mark]]
#: Commands that can be typed alone, and those that can be followed by words.
_ALONE: Final = ("table", "score", "hands", "turns", "help", "quit")
_WITH_WORDS: Final = ("undo", "edit", "insert", "note", "save", "turns")
COMMANDS: Final = (*_ALONE, *_WITH_WORDS)
#: Words that begin a line: those that begin one even when scores are due, and all of them.
_AT_SCORES: Final = (
    *("penalty", "bonus", "end", "melds", "threes", "left", "score", "total", "deal"),
    *PACKET_WORDS,
)
_LINE: Final = re.compile(rf"(?:{'|'.join(_AT_SCORES)})\b")
_LINE_WORDS: Final = (*_AT_SCORES, "stock")
#: A first word that can only be a command, unless it begins a line.
_WORD: Final = re.compile(r"[a-z]{3,}")
#: Cards without suits, typed in lower case.
_RANKS: Final = re.compile(r"[akqjt]+")
#: Words that people type instead of a command, with the command.
MEANT: Final = {
    **dict.fromkeys(("delete", "remove"), "undo"),
    **dict.fromkeys(("change", "correct", "fix"), "edit"),
    **dict.fromkeys(("exit", "stop", "bye", "q"), "quit"),
    **dict.fromkeys(("player", "players", "name", "names"), "edit name N"),
    **{word: f"edit {word}" for word in ("dealer", "rules", "event", "date", "target")},
}


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
class TypedEntry:
    """An entry to judge. It is accepted, or the person chooses what to do about its errors.

    `text` is what was typed, and `editing` what it corrects, "" if it is new. `command` is the
    whole command if what it corrects was typed in the same line: if it is refused, the question
    that was due is still due. When the entry is accepted, the question `passed` is not asked again,
    and the question `then` follows.
    """

    proposal: Proposal
    text: str
    editing: str = ""
    passed: Mark = ""
    then: Question | None = None
    command: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines to enter together; then the question `passed` is answered."""

    lines: tuple[str, ...]
    passed: Mark


@dataclass(frozen=True, slots=True)
class Pass:
    """The question stays unanswered and is not asked again in this deal."""

    mark: Mark


@dataclass(frozen=True, slots=True)
class Say:
    """Something to show, without an entry.

    `text`, if any, is the text that the next answer starts from, and `editing` what that answer
    corrects. The question `then` comes next.
    """

    said: ShownRows
    text: str = ""
    editing: str = ""
    then: Question | None = None


@dataclass(frozen=True, slots=True)
class EntryOptions:
    """Ways to continue after a mistake: for each letter, its meaning and what it enters, if any.

    Enter brings back `text`, which corrects `editing`. Anything else that is typed is a new answer,
    unless `otherwise` turns it into another choice. With `capitals`, a capital letter is a choice
    too, because it cannot be a card or a seat here. The question `then` follows what is entered.
    """

    said: ShownRows
    prompt: str
    ways: Mapping[str, tuple[str, Proposal | None]]
    text: str
    editing: str
    explain: ShownRows
    capitals: bool = True
    otherwise: Callable[[str], EntryOptions | None] = lambda answer: None
    then: Question | None = None


@dataclass(frozen=True, slots=True)
class AskDetail:
    """A detail to ask for; `then` returns what follows its answer. Going back ends the entry."""

    detail: Detail[Any]
    then: Callable[[Any], Reply]


Reply = TypedEntry | Lines | Pass | Say | EntryOptions | AskDetail | None


# --- questions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a dialogue.

    It is asked when it is `due`, with a `prompt`. Its `hint` (the question in plain words, with an
    example) is shown the first time, and its `remark` every time. `answer` says what follows an
    answer. `?` also shows `how` to answer and `examples`, in which `{seat}` is the first seat.
    `instead` says what to type instead of words that are not understood; `words` begin an answer,
    `none` says that `none` is one, and `any_words` that all words are.
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
    words: tuple[str, ...] = ()
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
        typed = f"edit {rest}" if rest else ""
        return Say(sentence(f"{missing}you can type {EDIT_HELP}"), typed)
    if text:
        return in_one_line(correct_line(course, what, text), rest)
    turn = what.rpartition(".")[2].isdigit()
    start = old.partition(".")[2].strip() if turn else old
    return Say(lambda look: record_rows([old]), start, what)


def in_one_line(reply: Reply, rest: str) -> Reply:
    """Return what follows `edit` with its new text: if refused, the whole command comes back."""
    command = f"edit {rest}"
    match reply:
        case TypedEntry():
            return replace(reply, command=command)
        case Say(said=said, editing=what) if what:
            return replace(
                reply, said=lambda look: said(look) + left(look), text=command, editing=""
            )
        case AskDetail(then=then):
            return replace(reply, then=lambda answer: in_one_line(then(answer), rest))
    return reply


#: Shown when an entry that would correct another one is refused.
left: Final = sentence("nothing was changed")


def correct_line(course: Course, what: str, text: str) -> Reply:
    """Return what the new text of a line does; an empty text leaves the line as it is."""
    if not text:
        return Say(sentence("nothing was changed"))
    try:
        return TypedEntry(propose_text(course.standing, text, what), text, what)
    except ValueError as error:
        return Say(sentence(str(error), "error"), text, what)


def insert_line(course: Course, rest: str) -> Reply:
    """Return what `insert`, the place of a turn, and a forgotten turn do."""
    at, _, text = rest.partition(" ")
    command = f"insert {rest}".rstrip()
    try:
        proposal = propose_forgotten(course.standing, at.removesuffix("."), text.strip())
    except ValueError as error:
        return Say(sentence(str(error), "error"), command)
    return TypedEntry(proposal, text, command=command)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A kind of recording: its questions, in the order in which they are due.

    `toolbar` is shown below each prompt. `announce` says what has changed since the last prompt.
    `edit` and `correct` change an earlier entry. `mode` is how it records, and `excluded` are the
    phases of a played deal that it cannot continue. `resumed` is the question that may have been
    asked last about a record that is continued, if the record does not show that it was answered.
    """

    questions: tuple[Question, ...]
    toolbar: Callable[[Standing, Look], Rows]
    announce: Callable[[Recording], None]
    edit: Callable[[Course, str], Reply] = edit_line
    correct: Callable[[Course, str, str], Reply] = correct_line
    mode: str = TURNS
    excluded: tuple[str, ...] = ()
    resumed: Callable[[Course], Question | None] = lambda course: None


@dataclass(slots=True)
class Recording:
    """A recording in progress: its course, and what has been asked and shown.

    `start` and `editing` are the text that the next answer starts from, and what it corrects.
    `follow` is the question that follows the last entry. `history` has the standing before each
    answer that changed something. `explained` are the questions whose hints have been shown. The
    other fields say what `announce` has shown: the phase, the deal that the play ended, the final
    table.
    """

    dialogue: Dialogue
    face: Face
    course: Course
    start: str = ""
    editing: str = ""
    follow: Question | None = None
    history: list[tuple[tuple[str, ...], Passed]] = field(default_factory=list)
    explained: set[str] = field(default_factory=set)
    phase_shown: str = ""
    end_shown: int = 0
    judged: tuple[str, ...] = ()

    @property
    def question(self) -> Question:
        """The question that is due."""
        due = (each for each in self.dialogue.questions if each.due(self.course))
        return self.follow or next(due)


def first_command(text: str) -> str:
    """Return the command that a text begins with, in any case, "" if it is something else."""
    word = text.partition(" ")[0].lower()
    return word if word in COMMANDS else ""


def is_command(text: str) -> bool:
    """Return whether a text is a command; only some commands can be followed by words."""
    return text in _ALONE or text.partition(" ")[0] in _WITH_WORDS


def begins_line(text: str) -> bool:
    """Return whether a text begins with a word that begins a line, even at the scores."""
    return _LINE.match(text) is not None


def is_prose(word: str) -> bool:
    """Return whether a word, which is not a command, can begin neither a line nor cards."""
    if _RANKS.fullmatch(word):
        return False
    return _WORD.fullmatch(word) is not None and word not in _LINE_WORDS


def not_understood(text: str, meaning: str) -> str:
    """Say that an answer was not understood, unless help was asked for, and what is asked."""
    asked = text.lower() in ("", "?", "help")
    return meaning if asked else f"`{text}` is not understood. {meaning}"


def likely(word: str) -> str:
    """Return the word that was probably meant, "" if none is similar."""
    if word in MEANT:
        return MEANT[word]
    return next(iter(get_close_matches(word, (*COMMANDS, *_LINE_WORDS), 1, 0.7)), "")
