"""The loop of a recording: it asks what is due, does what replies say, and runs the commands."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from canasta_notation.dialogue.asking import (
    BACK,
    Asking,
    Detail,
    GoneBack,
    Prompt,
    Unclear,
    ask_until,
    sentence,
    yes_or_no,
)
from canasta_notation.dialogue.questions import (
    COMMANDS,
    MEANT,
    AskDetail,
    Course,
    EntryOptions,
    Lines,
    Mark,
    Pass,
    Passed,
    Question,
    Recording,
    Reply,
    Say,
    TypedEntry,
    first_command,
    insert_line,
    is_command,
    is_prose,
    likely,
)
from canasta_notation.dialogue.view import (
    finding_rows,
    hands_rows,
    help_rows,
    record_rows,
    score_rows,
    table_page,
    turn_rows,
    why_rows,
)
from canasta_notation.english import count, listed
from canasta_notation.notation.document import Turn
from canasta_notation.recorder.closing import NONE
from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.corrections import (
    entry_options,
    is_more_than_a_deal,
    note,
    split_edit,
    takes_words,
    without_last_entry,
)
from canasta_notation.recorder.mode import with_mode
from canasta_notation.recorder.proposal import added_lines, propose
from canasta_notation.recorder.shorthand import plain_suits, seats_for_names, with_jokers
from canasta_notation.recorder.standing import NotRecordable, Standing
from canasta_notation.render.paint import Look, Rows, legend, paint

#: A number of entries or turns.
_COUNT: Final = re.compile(r"\d{1,6}")
#: What can be typed after an entry that cannot be read.
_CORRECTING: Final = (
    "Enter brings back what you typed, so that you can correct it; or type something else."
)
#: Answers to a choice: those that correct the entry, and a single letter, which is not an entry.
_NO: Final = ("n", "no", BACK)
_LETTER: Final = re.compile(r"[a-mo-z]")

# --- the loop -------------------------------------------------------------------------------------


def run(rec: Recording) -> Asking[None]:
    """Ask until the person leaves, then raise EOFError.

    Raises NotRecordable if the last deal has turns and the dialogue cannot continue it.
    """
    standing, dialogue = rec.course.standing, rec.dialogue
    if standing.turns and standing.phase in dialogue.excluded:
        raise NotRecordable("a deal is in progress; continue with --turns")
    if standing.turns:
        rec.face.show(turn_rows(standing))
    rec.follow = dialogue.resumed(rec.course)
    while True:
        if rec.follow is None:
            dialogue.announce(rec)
            _explain(rec)
        yield from _answer(rec, (yield from _ask(rec)))


def accept(rec: Recording, after: Standing) -> None:
    """Continue from a standing, after saving it."""
    after = with_mode(after, rec.dialogue.mode)
    lost = rec.course.standing.checked and not after.checked
    rec.course = replace(rec.course, standing=after)
    rec.face.save(after.lines)
    if lost:
        rec.face.tell("the rest of this deal cannot be checked", "warning")


def _explain(rec: Recording) -> None:
    """Show the hint of a question the first time that it is asked, and its remark each time."""
    if rec.editing or rec.start:
        return
    question = rec.question
    if question.name not in rec.explained:
        rec.explained.add(question.name)
        rec.face.tell(question.hint(rec.course))
    remark = question.remark(rec.course)
    if remark:
        rec.face.tell(remark)


def _ask(rec: Recording) -> Asking[str]:
    start, rec.start = rec.start, ""
    said = yield _prompt(rec, start)
    if start and said.strip() == f"{start}?":
        rec.start, said = start, "?"
    return said


def _prompt(rec: Recording, start: str) -> Prompt:
    if rec.editing:
        return Prompt(f"edit {rec.editing}> ", start)
    standing, look = rec.course.standing, rec.face.look
    toolbar = paint(rec.dialogue.toolbar(standing, look), colour=look.colour).rstrip("\n")
    text = rec.question.prompt(rec.course)
    return Prompt(text, start, lambda part: complete(standing, part), toolbar, COMMANDS)


def _answer(rec: Recording, text: str) -> Asking[None]:
    """Handle what was typed."""
    text = text.strip()
    word = text.partition(" ")[0]
    if first_command(text):
        text = word.lower() + text[len(word) :]
        word = word.lower()
    if word not in ("note", "save"):
        try:
            text = yield from _jokers_settled(rec, plain_suits(text))
        except GoneBack:
            rec.start = text
            return
    word, _, rest = text.partition(" ")
    follow, editing = rec.follow, rec.editing
    if text.lower() == BACK and follow is None:
        text = word = "" if editing else "undo"
    if (follow is None or is_command(text)) and rec.history[-1:] != [_state(rec)]:
        rec.history.append(_state(rec))
    if text == "?":
        yield from _command(rec, "help", "")
        return
    rec.editing = ""
    if is_command(text):
        yield from _command(rec, word, rest.strip())
        return
    yield from _answer_words(rec, editing, word, text)


def _jokers_settled(rec: Recording, text: str) -> Asking[str]:
    """Return an answer after asking whether `JK` in its cards is a joker."""
    joker, standing = with_jokers(text), rec.course.standing
    command, _, rest = text.partition(" ")
    what = rec.editing or (split_edit(rest)[0] if command == "edit" else "")
    names = standing.reading.game.names(standing.rules.seats).values()
    if joker == text or rec.question.any_words or takes_words(what) or "JK" in names:
        return text

    def read(said: str) -> str:
        if said.upper() not in ("*", "JK"):
            raise Unclear(sentence("type * or JK", "error"))
        return joker if said == "*" else text

    meaning = "A joker is *. Without a space, JK is a jack and a king of unknown suits."
    prompt = "  is JK a joker, *, or a jack and a king, JK?> "
    return (yield from ask_until(rec.face, Detail(prompt, read, sentence(meaning), back=True)))


def _answer_words(rec: Recording, editing: str, word: str, text: str) -> Asking[None]:
    """Handle what is not a command: an answer, or the correction of the line `editing`."""
    question = rec.question
    rec.follow = None
    if question.any_words:
        yield from _do(rec, question.answer(rec.course, text))
    elif editing and word in MEANT and not takes_words(editing):
        _say_unknown(rec, word, text)
        rec.editing = editing
    elif editing:
        yield from _do(rec, rec.dialogue.correct(rec.course, editing, text))
    elif word in MEANT or (is_prose(word) and not _is_answer(rec, text)):
        _say_unknown(rec, word, text)
    else:
        yield from _do(rec, question.answer(rec.course, text))


def _is_answer(rec: Recording, text: str) -> bool:
    """Return whether the words are an answer to the current question other than cards."""
    if text.partition(" ")[0].lower() in rec.question.words:
        return True
    if text in NONE:
        return any(each.none and each.due(rec.course) for each in rec.dialogue.questions)
    return seats_for_names(rec.course.standing, text) != text


def _say_unknown(rec: Recording, word: str, text: str) -> None:
    near = likely(word)
    meant = f"did you mean {near}? If not, " if near else rec.question.instead
    rec.face.tell(f"`{word}` is not understood: {meant}type ? for help")
    rec.start = text


# --- commands -------------------------------------------------------------------------------------


def _command(rec: Recording, word: str, rest: str) -> Asking[None]:
    look, standing, show = rec.face.look, rec.course.standing, rec.face.show
    match word:
        case "quit":
            raise EOFError
        case "help":
            show(_help(rec.question, rec.course, look))
        case "table":
            show(table_page(standing, look))
        case "hands":
            show(hands_rows(standing, look))
        case "score":
            show(score_rows(standing))
        case "turns":
            show(turn_rows(standing, int(rest) if _COUNT.fullmatch(rest) else 1000))
        case "save" if not rest:
            rec.face.tell("type save and the name of a file: save copy.canasta")
            rec.start = word
        case "save":
            rec.face.move(rest)
        case "undo":
            rec.follow = None
            yield from _undo(rec, rest)
        case "note":
            _note(rec, rest)
        case "edit":
            yield from _correct(rec, rec.dialogue.edit(rec.course, rest))
        case "insert":
            yield from _correct(rec, insert_line(rec.course, rest))


def _correct(rec: Recording, reply: Reply) -> Asking[None]:
    """Correct earlier entries; if that is refused, the question that was due stays due."""
    due, rec.follow = rec.follow, None
    yield from _do(rec, reply)
    if isinstance(reply, Say) and not reply.editing:
        rec.follow = due


def _help(question: Question, course: Course, look: Look) -> Rows:
    seat = course.standing.rules.seats[0]
    return help_rows(question.hint(course), question.how, question.examples, seat, look)


def _undo(rec: Recording, rest: str) -> Asking[None]:
    if rest and not _COUNT.fullmatch(rest):
        rec.face.tell("type undo, or undo and the number of entries: undo 3")
        rec.start = f"undo {rest}"
        return
    before, states = rec.course, list(rec.history)
    steps = int(rest or 1)
    for _ in range(steps):
        after = _go_back(rec)
        if after is None:
            break
        rec.course = replace(rec.course, standing=after)
    if rec.course is before:
        rec.face.tell("there is nothing to take back; edit corrects the rules and the names")
        return
    many = steps > 1 and is_more_than_a_deal(before.standing, rec.course.standing)
    if many and not (yield from _sure(rec, before)):
        rec.course, rec.history = before, states
    else:
        _show_undone(rec, before)


def _sure(rec: Recording, before: Course) -> Asking[bool]:
    """Ask whether to take back more than a deal."""
    gone = added_lines(rec.course.standing.lines, before.standing.lines)
    text = f"This takes back {count(len(gone), 'line')}, from {gone[0]} on. Are you sure?"
    meaning = "No leaves the record as it is; undo alone takes back the last entry."
    return (yield from ask_until(rec.face, yes_or_no(text, meaning)))


def _show_undone(rec: Recording, before: Course) -> None:
    """Show what was taken back, and continue from there."""
    after = rec.course.standing
    gone = [f"taken back: {line}" for line in added_lines(after.lines, before.standing.lines)]
    again = [f"restored: {line}" for line in added_lines(before.standing.lines, after.lines)]
    rec.face.show(record_rows(gone + again or ["taken back: an answer that wrote nothing"]))
    rec.phase_shown, rec.end_shown = "", 0
    accept(rec, after)


def _state(rec: Recording) -> tuple[tuple[str, ...], Passed]:
    return rec.course.standing.lines, rec.course.passed


def _go_back(rec: Recording) -> Standing | None:
    """Return the standing before the last entry, None if nothing was entered.

    Entries from before this recording are taken back line by line.
    """
    standing = rec.course.standing
    while rec.history and rec.history[-1] == _state(rec):
        rec.history.pop()
    if not rec.history:
        return without_last_entry(standing)
    lines, passed = rec.history.pop()
    rec.course = replace(rec.course, passed=passed)
    return Standing(lines, standing.place)


def _note(rec: Recording, text: str) -> None:
    after = note(rec.course.standing, text)
    if not text or after.reading.problems:
        rec.face.tell("type note and a comment in plain text: note Ana was late", "error")
        rec.start = f"note {text}".strip()
    else:
        accept(rec, after)


# --- doing what a reply says ----------------------------------------------------------------------


def _do(rec: Recording, reply: Reply) -> Asking[bool]:
    """Do what a reply says; return whether an entry was accepted."""
    match reply:
        case TypedEntry():
            return (yield from _enter(rec, reply))
        case Lines():
            return (yield from _enter_lines(rec, reply))
        case Pass():
            _pass(rec, reply.mark)
        case Say():
            rec.face.show(reply.said(rec.face.look))
            rec.start, rec.editing, rec.follow = reply.text, reply.editing, reply.then
        case EntryOptions():
            return (yield from _offer(rec, reply))
        case AskDetail():
            try:
                answer = yield from ask_until(rec.face, reply.detail)
            except GoneBack:
                return False
            return (yield from _do(rec, reply.then(answer)))
    return False


def _pass(rec: Recording, mark: Mark) -> None:
    passed = rec.course.passed | {(rec.course.standing.deal_due, mark)}
    rec.course = replace(rec.course, passed=passed)


def _enter_lines(rec: Recording, reply: Lines) -> Asking[bool]:
    """Accept several lines together; if one of them is refused, accept those before it."""
    standing, refused = rec.course.standing, None
    for line in reply.lines:
        proposal = propose(standing, line)
        if proposal.after is None or proposal.errors:
            refused = TypedEntry(proposal, line)
            break
        rec.face.show(record_rows(proposal.written))
        standing = proposal.after
    if standing is not rec.course.standing:
        accept(rec, standing)
    if refused is not None:
        return (yield from _enter(rec, refused))
    _pass(rec, reply.passed)
    return True


def _enter(rec: Recording, entry: TypedEntry) -> Asking[bool]:
    """Accept an entry, or show what is wrong with it and let the person choose what to do."""
    proposal, face = entry.proposal, rec.face
    found = finding_rows(proposal, face.look)
    if proposal.after is None or proposal.errors:
        return (yield from _offer(rec, _choice(rec, entry, found)))
    face.show(found)
    prompt = rec.question.prompt(rec.course)
    if [f"{prompt}{entry.text}".replace("> ", " ")] != list(proposal.written):
        face.show(record_rows(proposal.written))
    if entry.passed:
        _pass(rec, entry.passed)
    accept(rec, proposal.after)
    rec.follow = entry.then
    return True


def _choice(rec: Recording, entry: TypedEntry, found: Rows) -> EntryOptions:
    """Return what can be done about an entry with errors."""
    proposal, question, course = entry.proposal, rec.question, rec.course

    def explain(look: Look) -> Rows:
        if proposal.after is None:
            return sentence(_CORRECTING)(look) + _help(question, course, look)
        return why_rows(proposal, look)

    due = question.prompt(course).removesuffix("> ")
    still = sentence(f"nothing was changed; what is typed here answers {due}")
    return EntryOptions(
        lambda look: found + (still(look) if entry.command else []),
        "Enter to correct",
        entry_options(course.standing, proposal, entry.editing),
        entry.command or entry.text,
        "" if entry.command else entry.editing,
        explain,
        capitals=isinstance(proposal.line, Turn),
        then=entry.then,
    )


def _offer(rec: Recording, choice: EntryOptions) -> Asking[bool]:
    """Let the person choose; return whether something was accepted."""
    face, ways = rec.face, choice.ways
    face.show(choice.said(face.look))
    face.show(legend([(key, about) for key, (about, _) in ways.items()], face.look))
    words = tuple(ways)
    prompt = f"{choice.prompt}{', or ' if words else ''}{', '.join(words)}> "
    detail = Detail(prompt, lambda said: _chosen(choice, said), choice.explain, words)
    answer = yield from ask_until(rec.face, detail)
    if answer in ways:
        chosen = ways[answer][1]
        if chosen is None or chosen.after is None:
            return False
        face.show(record_rows(chosen.written))
        accept(rec, chosen.after)
        rec.follow = choice.then
        return True
    again = choice.otherwise(answer)
    if again is not None:
        return (yield from _offer(rec, again))
    rec.editing = choice.editing
    if answer and answer not in _NO:
        yield from _answer(rec, answer)
    else:
        rec.start = choice.text
    return False


def _chosen(choice: EntryOptions, said: str) -> str:
    """Return the letter that was chosen, or whatever else was typed. Raises Unclear."""
    words = tuple(choice.ways)
    answer = said.lower() if choice.capitals and said.lower() in words else said
    if _LETTER.fullmatch(answer) and answer not in words:
        either = f"type {listed(words, 'or')}, or press" if words else "press"
        raise Unclear(sentence(f"`{answer}` is not a choice here: {either} Enter"))
    return answer
