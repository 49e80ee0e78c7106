"""The questions of a recording as data: what is due, and what follows an answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from canasta_notation.cli.recording.ask import LineAsker
from canasta_notation.dialogue.asking import Prompt
from canasta_notation.dialogue.pad_questions import PAD
from canasta_notation.dialogue.questions import (
    AskDetail,
    Course,
    Lines,
    Pass,
    Question,
    Reply,
    Say,
    TypedEntry,
)
from canasta_notation.dialogue.turn_questions import TABLES, TURNS
from canasta_notation.recorder.proposal import propose
from canasta_notation.recorder.standing import Standing
from tests.recorders import begun, talk

DIALOGUES = {"turns": TURNS, "tables": TABLES, "sheets": PAD}
HEADER = ('[CGN "1"]', '[Rules "classic"]', '[N "Ana"]', '[Dealer "N"]', '[Result "*"]', "")
UP = ("deal 1 dealer N", "up 9h")
TURN = (*UP, "1. E + -4s")
ENDED = ("deal 1 dealer N", "end out S")
SCORED = ("deal 1 dealer N", "score NS 5200", "score EW 0", "total NS 5200 EW 0")


def asked(kind: str, *lines: str) -> tuple[Question, Course]:
    """Return the question that a dialogue asks after these lines of a first deal."""
    course = Course(Standing([*HEADER, *lines]))
    return next(each for each in DIALOGUES[kind].questions if each.due(course)), course


@pytest.mark.parametrize(
    ("kind", "lines", "prompt", "hint"),
    [
        ("turns", (), "deal 1 up> ", "Which card was turned up"),
        ("turns", UP, "deal 1 red threes> ", "Who tabled red threes at the start?"),
        ("turns", TURN, "2. S> ", "What did S do?"),
        ("turns", ENDED, "deal 1 melds NS> ", "Which melds does NS (Ana) have"),
        ("turns", SCORED, "over> ", "The game is over."),
        ("tables", (), "deal 1 end> ", "How did the deal end? Type the seat"),
        ("tables", (*ENDED, "left W 4"), "deal 1 left N> ", "Which cards are left in the hand"),
        ("tables", (*ENDED, "score NS 5"), "deal 1 EW> ", "What score did EW write down?"),
        ("sheets", (), "deal 1 NS (natural mixed red3 cards)> ", "What did NS (Ana) score?"),
        ("sheets", SCORED, "over> ", "The game is over."),
    ],
)
def test_what_is_asked(kind: str, lines: tuple[str, ...], prompt: str, hint: str) -> None:
    question, course = asked(kind, *lines)
    assert question.prompt(course) == prompt
    assert question.hint(course).startswith(hint)


#: A deal in which W has kept a three and its partner opens: it is W's turn.
KEPT = (
    "deal 1 dealer N",
    "E: 4d 7s 7h Qc Qc Ks Kh Kd Kc As Ah Ad 2s",
    "W: 3s 5c 6c 7h 8s 8d 9h 9d Th Td Qs Qh Kh",
    "1. E +Ac K:KsKhKdKc A:AsAhAdAc -4d",
    "2. S + -5s",
)


@pytest.mark.parametrize("typed", ["+4h -4h", "W +4h -4h", "3. W +4h -4h", "3.W +4h -4h"])
def test_a_three_that_must_be_tabled_is_asked_for_before_the_turn(typed: str) -> None:
    lines = (HEADER[0], '[Rules "american-4p"]', *HEADER[3:])
    course = Course(Standing([*lines, *KEPT]))
    question = next(each for each in TURNS.questions if each.due(course))
    assert question.prompt(course) == "3. 3s still in W's hand: replaced by?> "
    assert came(question.answer(course, "9s 4h")).startswith("again ")
    assert came(question.answer(course, "3h 4h")) == "pass 3. threes:3s+3h4h"
    said = question.answer(course, "9s")
    assert isinstance(said, Pass)
    course = replace(course, passed=frozenset({(1, said.mark)}))
    question = next(each for each in TURNS.questions if each.due(course))
    turn = question.answer(course, typed)
    assert isinstance(turn, TypedEntry)
    assert turn.proposal.errors == ()
    assert turn.proposal.after is not None
    assert turn.proposal.after.lines[-1] == "3. W threes:3s+9s +4h -4h"


@pytest.mark.parametrize(
    ("rules", "packet", "prompt", "said", "turn"),
    [
        ("cla", (), "2. S's talon of 4 cards from the stock: which?> ", "", "talon:____"),
        ("american-4p", (), "2. S's talon of 4 cards: which?> ", "5d 6h 7c 8s", "talon:5d6h7c8s"),
        ("american-4p", ("talon 4c 5c 6c 7c",), "2. S's talon of 4 cards: which?> ", "", "talon:4c5c6c7c"),  # noqa: E501
        ("american-4p packet.threes=at-once", (), "2. S's talon of 4 cards: which?> ", "5d6h7c3h+9s", "talon:5d6h7c3h+9s"),  # noqa: E501
        ("american-4p packet.size=1", (), "2. S\'s talon of 1 card: which?> ", "5d", "talon:5d"),
    ],
)  # fmt: skip
def test_a_packet_that_is_due_is_asked_for(
    rules: str, packet: tuple[str, ...], prompt: str, said: str, turn: str
) -> None:
    lines = (HEADER[0], f'[Rules "{rules}"]', *HEADER[3:], "deal 1 dealer N", *packet)
    opened = "2. S + A:AAA22 K:KKK -4s"
    course = Course(Standing([*lines, "1. E + -4s", opened]))
    question = next(each for each in TURNS.questions if each.due(course))
    assert question.prompt(course) == prompt
    assert came(question.answer(course, said)) == f"{opened} {turn}"
    assert came(question.answer(course, "5d6h")) == "again 5d6h"
    assert came(question.answer(course, "+ -9s")) == "3. W + -9s"
    left = question.answer(course, "-")
    assert isinstance(left, Pass)
    course = replace(course, passed=frozenset({(1, left.mark)}))
    assert next(each for each in TURNS.questions if each.due(course)).name == "play"


def test_no_packet_is_asked_for_after_the_pile_was_taken() -> None:
    lines = (HEADER[0], '[Rules "american-4p"]', *HEADER[3:], "deal 1 dealer N")
    course = Course(Standing([*lines, "1. E + -5c", "2. S ^5c 5:5d5h A:AAA22 K:KKK -9s"]))
    assert {each.code for each in course.standing.findings()} == {"unfinished"}
    assert next(each for each in TURNS.questions if each.due(course)).name == "play"


def came(reply: Reply) -> str:
    """Return, in a few words, what follows an answer."""
    match reply:
        case TypedEntry(proposal=proposal):
            return " / ".join(proposal.written) if proposal.after else "unreadable"
        case Lines(lines=lines):
            return " / ".join(lines)
        case Pass(mark=mark):
            return f"pass {mark}"
        case Say(text=text):
            return f"again {text}"
        case AskDetail(detail=detail):
            return detail.prompt
    return "nothing"


@pytest.mark.parametrize(
    ("kind", "lines", "said", "follows"),
    [
        ("turns", (), "9h", "deal 1 dealer N / up 9h"),
        ("turns", (), "-", "pass up"),
        ("turns", (), "9 h", "again 9 h"),
        ("turns", UP, "ana 3h, W 2", "N: 3h ... +_ / W: 3r 3r ... +_ +_"),
        ("turns", UP, "", ""),
        ("turns", TURN, "+ -5", "2. S + -5"),
        ("turns", TURN, "", "nothing"),
        ("turns", ENDED, "", "pass DueLine(kind='melds', whose='NS')"),
        ("turns", ENDED, "KKK 44*", "melds NS K:KKK 4:44*"),
        ("tables", (), "ana", "deal 1 dealer N / end out N"),
        ("tables", (), "gone", "again gone"),
        ("tables", (), "s concealed", "deal 1 dealer N / end out S concealed"),
        ("tables", (), "unfinished", "deal 1 dealer N / end unfinished"),
        ("turns", TURN, "Unfinished", "end unfinished"),
        ("turns", TURN, "special N", "end special N"),
        ("sheets", (), "0 1 0 215", "deal 1 dealer N / score NS 515 = mixed 300 cards 215"),
        ("sheets", (), "0 1", "again 0 1"),
        ("sheets", (), "", "  NS natural canastas [0]> "),
        ("sheets", (), "0 0 1 -30", "  Has NS melded, so that its red three counts for it?"),
        ("sheets", (), "0 0 2 -30", "  Has NS melded, so that its 2 red threes count for it?"),
        ("sheets", (), "1.010", "deal 1 dealer N / score NS 1010"),
    ],
)
def test_what_follows_an_answer(kind: str, lines: tuple[str, ...], said: str, follows: str) -> None:
    question, course = asked(kind, *lines)
    reply = question.answer(course, said)
    assert came(reply).partition(" yes or no")[0] == follows


def test_a_turn_that_is_typed_early_passes_the_question_of_red_threes() -> None:
    question, course = asked("turns", *UP)
    reply = question.answer(course, "+ -4s")
    assert isinstance(reply, TypedEntry) and reply.passed == question.name == "red threes"


def test_the_score_on_paper_follows_a_row_that_is_more_than_a_score() -> None:
    question, course = asked("sheets")
    row, score = question.answer(course, "0 1 0 215"), question.answer(course, "515")
    assert isinstance(row, TypedEntry) and isinstance(score, TypedEntry) and score.then is None
    assert row.then is not None and row.proposal.after is not None
    after = Course(row.proposal.after)
    assert row.then.prompt(after) == "  NS score on paper [515]> "
    assert row.then.answer(after, "515") is None


@pytest.mark.parametrize(
    ("mode", "typed"),
    [
        ("", ["hello", "undo x", "save", "edit 99", "9 h", "9h", "N 9d", "none", "N 3h"]),
        ("--table", ["gone", "out concealed", "S", "K", "KKK QQQ"]),
        ("--sheet", ["0 1", "0 0 1 -30", "maybe", "y", "1,5", "", "", "x"]),
    ],
)
def test_what_is_not_understood_comes_back(
    mode: str, typed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next prompt starts from it, whatever was asked."""
    starts = []
    ask = LineAsker.ask

    def asked_from(self: LineAsker, prompt: Prompt) -> str:
        starts.append(prompt.start)
        return ask(self, prompt)

    monkeypatch.setattr(LineAsker, "ask", asked_from)
    talk(begun(tmp_path / "game.canasta"), *typed, "quit", mode=mode)
    understood = ("9h", "none", "S", "KKK QQQ", "0 0 1 -30", "y", "")
    assert starts == ["", *("" if said in understood else said for said in typed)]


def test_a_question_put_into_a_dialogue_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop gives it help, undo and corrections; only the row has to be written."""

    def due(course: Course) -> bool:
        return course.standing.phase == "scores" and not course.has_passed("penalty")

    def answer(course: Course, said: str) -> Reply:
        line = f"penalty {said}"
        return (
            TypedEntry(propose(course.standing, line), said, passed="penalty")
            if said
            else Pass("penalty")
        )

    penalty = Question(
        "penalty",
        due,
        lambda course: "penalty> ",
        lambda course: "Was there a penalty? For example NS 100 ask.",
        answer,
    )
    extended = replace(TABLES, questions=(penalty, *TABLES.questions))
    monkeypatch.setattr("canasta_notation.dialogue.turn_questions.TABLES", extended)
    path = begun(tmp_path / "asked.canasta")
    shown = talk(path, "N", "?", "NS 50 ask", "undo", "NS 100 ask", "quit", mode="--table")
    assert shown.count("Was there a penalty?") == 2 and "taken back: penalty NS 50 ask" in shown
    assert path.read_text().endswith("deal 1 dealer N\npenalty NS 100 ask\nend out N\n")


@pytest.mark.parametrize("word", ["?", "help", "Help"])
def test_every_detail_is_explained(word: str, tmp_path: Path) -> None:
    shown = talk(tmp_path / "new.canasta", word, "classic", word, "Quit", mode="--sheet")
    assert "The rules decide what is legal" in shown
    assert "By the book they count against a side only if" in shown
