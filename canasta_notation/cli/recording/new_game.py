"""The start of a recording: an unfinished record, or the questions at the start of a new game."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

from canasta_notation.cards import SEATS
from canasta_notation.cli.recording.console import Console
from canasta_notation.cli.session import UserError
from canasta_notation.dialogue.asking import (
    BACK,
    Detail,
    GoneBack,
    Unclear,
    sentence,
    yes_or_no,
)
from canasta_notation.dialogue.questions import COMMANDS
from canasta_notation.dialogue.view import problem_rows
from canasta_notation.english import count, listed
from canasta_notation.recorder.mode import MODE, TURNS, mode_of
from canasta_notation.recorder.opening import (
    DEFAULT_RULES,
    house_questions,
    new_record,
    tag_problem,
)
from canasta_notation.recorder.standing import FilePlace, NotRecordable, Standing
from canasta_notation.rules import load_profile, parse_rules, profile_names

#: Typed to leave a value out instead of accepting the default.
_LEFT_OUT: Final = "-"


class TagQuestion(NamedTuple):
    """A question about a tag: its prompt, what it asks for with an example, and what `?` adds."""

    prompt: str
    hint: str
    more: str


_QUESTIONS: Final = {
    "Rules": TagQuestion(
        "rules",
        "Which rules do you play by? A name from the list, for example classic.",
        "The rules decide what is legal and what counts. `canasta rules classic` shows those of "
        "classic. Write house rules after the name: classic target=3000. You can change the rules "
        "later with `edit rules`.",
    ),
    "Dealer": TagQuestion(
        "first dealer",
        "Who deals first? The letter of the seat, for example {first}, or the player's name.",
        "The player after the dealer, clockwise, plays first. The deal passes clockwise.",
    ),
    "Event": TagQuestion(
        "event",
        "What is the occasion? Any words, for example Thursday club.",
        "It is only a title for the record.",
    ),
    "Date": TagQuestion(
        "date",
        "Which day is it? Year, month and day, for example 2026-11-19.",
        "Write a question mark for each unknown digit: 2026-??-??.",
    ),
}
#: The question about the player of each seat.
_PLAYER: Final = TagQuestion(
    "player {seat}",
    "Who sits at {seat}{place}? A name, for example Ana.",
    "Seats are letters, clockwise: N, E, S, W at a table of four, where N and S play together "
    "against E and W. You can leave names out.",
)
_PLACES: Final = {"N": " (north)", "E": " (east)", "S": " (south)", "W": " (west)"}


def open_record(console: Console, mode: str) -> tuple[Standing, str]:
    """Return an unfinished record, or a new one, and how it is recorded.

    If `mode` is empty, the record continues as before. Raises UserError, EOFError.
    """
    lines = console.file.read()
    if not any(line.strip() for line in lines):
        mode = mode or TURNS
        return _begin(console, _mode_tag(mode)), mode
    body = _last_game(console, lines)
    place = FilePlace(len(console.head) + 1, _games(console.head))
    try:
        standing = Standing(body, place)
    except NotRecordable as error:
        raise UserError(f"{console.name}: {error}") from error
    if standing.reading.problems:
        problem = standing.reading.problems[0]
        raise UserError(
            f"{console.name}:{problem.span.line}: {problem.message}; "
            "a record with unreadable lines cannot be continued (canasta validate shows them)"
        )
    console.lines = standing.lines
    _tell_findings(console, standing)
    mode = mode or mode_of(standing)
    if standing.deal is None and not console.head:
        tags = {tag.name: tag.value for tag in standing.reading.game.tags if tag.name != MODE}
        if set(tags) <= _asked(tags):
            standing = _begin(console, {**tags, **_mode_tag(mode)})
    return standing, mode


def _mode_tag(mode: str) -> dict[str, str]:
    """Return the Mode tag of a new record, if it needs one."""
    return {} if mode == TURNS else {MODE: mode}


def _tell_findings(console: Console, standing: Standing) -> None:
    """Say how many errors and warnings a game already has, and whether its totals are used."""
    found = standing.findings()
    numbers = [
        count(number, kind)
        for kind in ("error", "warning")
        if (number := sum(each.severity == kind for each in found))
    ]
    if numbers:
        differ = any(each.code in ("score", "total") for each in found)
        shows = f"this game has {listed(numbers)} (see `canasta validate {console.name}`)"
        used = "; the computed totals are used, not the written ones" if differ else ""
        console.tell(shows + used, "warning")


def _last_game(console: Console, lines: list[str]) -> list[str]:
    """Return the lines of the file's last game; the console keeps those above it."""
    from canasta_notation.notation.reader import NotText, read_games

    try:
        starts = [each.first_line for each in read_games(_bytes(lines))]
    except NotText as error:
        raise UserError(f"{console.name}: {error}") from error
    if not starts:
        raise UserError(f"{console.name}: there is no game in this file")
    first = starts[-1] if len(starts) > 1 else 1
    console.head = lines[: first - 1]
    return lines[first - 1 :]


def _games(lines: list[str]) -> int:
    from canasta_notation.notation.reader import read_games

    return sum(1 for _ in read_games(_bytes(lines))) if lines else 0


def _bytes(lines: list[str]) -> list[bytes]:
    return [line.encode("utf-8", "surrogatepass") + b"\n" for line in lines]


# --- a new game ---------------------------------------------------------------------------------


def _asked(tags: dict[str, str]) -> set[str]:
    """Return the tags that the questions ask for."""
    return {"CGN", "Result", MODE, *_order(_seats(tags))}


def _seats(tags: dict[str, str]) -> str:
    profile = parse_rules(tags.get("Rules", DEFAULT_RULES)).profile
    return profile.seats if profile else SEATS[4]


def _order(seats: str) -> list[str]:
    return ["Rules", *seats, "Dealer", "Event", "Date"]


def _begin(console: Console, tags: dict[str, str]) -> Standing:
    """Ask the questions of a new game that are not answered yet; save each answer at once.

    Nothing is written before the first answer. If turns are not recorded, also ask about the rules
    on which tables differ.
    """
    if set(tags) <= {MODE}:
        _introduce(console)
    order = ["Rules"]
    given: dict[str, str] = {}  # the answers before the person went back
    at = 0
    while at < len(order):
        name = order[at]
        skipped = name in tags or any(later in tags for later in order[at + 1 :])
        default = given.get(name) or _default(tags, name)
        try:
            value = None if skipped else _ask_tag(console, tags, name, default)
        except GoneBack:
            at = max(0, at - 1)
            given |= {later: tags.pop(later) for later in order[at:] if later in tags}
            console.save(new_record(tags))
            continue
        at += 1
        if value is not None and not _keep_answer(console, tags, name, value):
            at -= 1
            given[name] = tags.pop(name)
        order = _order(_seats(tags))
    return Standing(new_record(tags))


def _introduce(console: Console) -> None:
    """Say how questions are answered, and list the rules that there are."""
    from canasta_notation.render.rules_view import list_rows

    console.tell(
        "This is a new record. Type each answer and press Enter. Enter alone accepts the "
        "answer in brackets. `-` skips a question, and so does Enter if there are no brackets. "
        "Some questions cannot be skipped. `?` explains a question, `back` returns to the "
        "previous one, and `quit` leaves."
    )
    look = console.look
    console.show(list_rows((load_profile(name) for name in profile_names()), look))


def _keep_answer(console: Console, tags: dict[str, str], name: str, value: str) -> bool:
    """Save an answer; return False if the person went back from the house rules asked after it."""
    tags[name] = value
    console.save(new_record(tags))
    asks_house = name == "Rules" and MODE in tags and "=" not in value
    return not asks_house or _ask_house(console, tags)


def _ask_tag(console: Console, tags: dict[str, str], name: str, default: str) -> str:
    """Ask for the value of a tag; return it, or "" to leave it out. `back` raises GoneBack."""
    question, seats = _QUESTIONS.get(name, _PLAYER), _seats(tags)
    place = _PLACES.get(name, "") if seats[0] == "N" else ""
    console.tell(question.hint.format(seat=name, place=place, first=seats[0]))
    prompt = f"{question.prompt.format(seat=name)}{f' [{default}]' if default else ''}> "
    words = profile_names() if name == "Rules" else ()
    return console.ask_until(
        Detail(
            prompt,
            lambda said: _read_tag(tags, name, said or default),
            sentence(question.more),
            tuple(words),
            back=True,
        )
    )


def _read_tag(tags: dict[str, str], name: str, said: str) -> str:
    """Return the value that an answer means. Raises Unclear."""
    if said in COMMANDS or said.startswith("edit "):
        later = f"`{said.partition(' ')[0]}` works only after these questions"
        raise Unclear(sentence(f"{later}; `{BACK}` returns to the previous one"))
    value = "" if said == _LEFT_OUT else said
    if name == "Rules" and value.lower() in profile_names():
        value = value.lower()
    if name == "Dealer" and value:
        value = _seat_of(tags, value)
    problem = tag_problem({**tags, name: value}, name) if value else None
    if problem is None:
        return value
    if name == "Dealer":
        named = _seats_named(tags, value)
        called = f"{count(len(named), 'player')} are called {tags[named[0]]}" if named else ""
        write = listed(named, "or") if named else "the letter of a seat, or a player's name"
        problem = replace(problem, message=called or problem.message, help=f"write {write}")
    found = problem
    raise Unclear(lambda look: problem_rows(found, look))


def _seat_of(tags: dict[str, str], said: str) -> str:
    """Return the seat that a letter, in any case, or a player's name means, else the text."""
    if said.upper() in _seats(tags) and len(said) == 1:
        return said.upper()
    named = _seats_named(tags, said)
    return named[0] if len(named) == 1 else said


def _seats_named(tags: dict[str, str], name: str) -> list[str]:
    """Return the seats of the players with that name, in any case."""
    return [seat for seat in _seats(tags) if tags.get(seat, "").casefold() == name.casefold()]


def _default(tags: dict[str, str], name: str) -> str:
    match name:
        case "Rules":
            return DEFAULT_RULES
        case "Dealer":
            return _seats(tags)[0]
        case "Date":
            return date.today().isoformat()
    return ""


def _ask_house(console: Console, tags: dict[str, str]) -> bool:
    """Ask about the rules on which tables differ; write each that differs as an override at once.

    Returns False if the person goes back from the first question.
    """
    questions = house_questions(tags["Rules"])
    before: list[str] = []  # the Rules tag before each question that has been answered
    while len(before) < len(questions):
        question = questions[len(before)]
        try:
            said = console.ask_until(
                yes_or_no(question.text, question.meaning, default=question.default, back=True)
            )
        except GoneBack:
            if not before:
                return False
            tags["Rules"] = before.pop()
            console.save(new_record(tags))
            continue
        before.append(tags["Rules"])
        if said != question.default:
            tags["Rules"] = f"{tags['Rules'] or DEFAULT_RULES} {question.override}"
            console.save(new_record(tags))
            console.tell(f"  written as {question.override}")
    return True
