"""The questions of a score pad: a row for each side of each deal, and its score on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from canasta_notation.dialogue.asking import BACK, Detail, Unclear, sentence, yes_or_no
from canasta_notation.dialogue.questions import (
    AskDetail,
    Course,
    Dialogue,
    EntryOptions,
    Question,
    Recording,
    Reply,
    Say,
    TypedEntry,
    correct_line,
    edit_line,
    in_one_line,
    not_understood,
)
from canasta_notation.dialogue.turn_questions import LEFT_OUT, OVER
from canasta_notation.dialogue.view import named, outcome, totals_rows
from canasta_notation.engine.ruleset import Rules
from canasta_notation.english import listed
from canasta_notation.notation.document import UNCOUNTED, ScoreLine
from canasta_notation.recorder.closing import plain_points
from canasta_notation.recorder.mode import SHEET
from canasta_notation.recorder.pad_row import (
    HOUSE,
    POINTS,
    column_words,
    columns,
    has_bonus,
    how_many,
    other_items,
    parse_row,
    propose_change,
    propose_on_paper,
    propose_row,
    row_text,
    rules_for,
    with_figure,
)
from canasta_notation.recorder.proposal import propose
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.standing import BROKEN_OFF, Standing
from canasta_notation.render.paint import Look, Rows, legend
from canasta_notation.rules.items import SCORED

#: The deal and side that name a row, and the row's new text.
_ROW: Final = re.compile(r"(\d{1,4}) +([A-Za-z]+)(?: +(.*))?$")
MELDED_MEANING: Final = "Red threes count against a side that has melded nothing."
_ON_PAPER: Final = (
    "The score that the players wrote down for this side and deal, for example 575. Press Enter if "
    "it is the one in brackets; type - if they wrote none, or back to correct the row."
)
_EXAMPLES: Final = (
    ("... out", "the side went out"),
    ("... 365/-90 out {seat}", "points of melds and of hands separately; {seat} went out"),
    ("... out concealed", "it went out and had melded nothing before"),
    ("945, score 945", "the score alone"),
    ("... penalty 100 ask", "points taken as a penalty; the word that says why may be left out"),
    ("... bonus 50 cut", "points given by the table, with a word that says why"),
    ("Enter", "asks for each figure in turn; back stops asking"),
    ("edit 2 NS", "changes the row of NS in deal 2; also edit rules, edit name N"),
    ("edit 2 NS cards 275", "changes one figure of the row"),
    ("edit 1.dealer {seat}", "corrects the first dealer, and the dealers after it"),
    ("deal 2 dealer {seat}", "begins deal 2, which was dealt out of turn"),
    ("void, time", "the deal counts nothing: it is dealt again, or time has run out"),
    ("undo, note TEXT, score, save PATH, quit", "as when recording turns"),
)


# --- a row ----------------------------------------------------------------------------------------


def _side(course: Course) -> str:
    """Return the side whose row is due."""
    standing = course.standing
    due = standing.side_due if standing.phase == "scores" else None
    return due or standing.rules.sides[0]


def _row_prompt(course: Course) -> str:
    standing = course.standing
    return f"deal {standing.deal_due} {_side(course)} ({' '.join(column_words(standing.rules))})> "


def _row_hint(course: Course) -> str:
    rules = course.standing.rules
    names = columns(rules)
    figures = ", ".join(figure_words(rules, name)[0] for name in names)
    shown = {"mixed": "1", "red3": "2", "threes": "100", "cards": "275"}
    example = " ".join(shown.get(name, "0") for name in names)
    items = other_items(rules)
    more = f"After these come {listed(items)}, each with its points. " if items else ""
    return (
        f"What did {named(course.standing, _side(course))} score? Type {how_many(rules)}: "
        f"{figures}; then out if the side went out. For example {example} out. {more}Press Enter "
        "to be asked for each figure in turn. If only the score was written down, type it alone."
    )


def _row(course: Course, text: str) -> Reply:
    """Read a side's row; an empty answer asks for its figures one by one."""
    if text.lower() in BROKEN_OFF:
        return _broken_off(course, text.lower())
    if text.lower().startswith("deal "):
        line = seats_for_names(course.standing, text)
        return TypedEntry(propose(course.standing, line), text)
    return _whole_row(course, text, _side(course)) if text else _figure(course, [])


def _broken_off(course: Course, word: str) -> Reply:
    """End a deal that counts nothing, if it has no row yet."""
    if word not in UNCOUNTED:
        broken = "a deal that was broken off has no score: quit leaves the game unfinished"
        return Say(sentence(broken))
    if course.standing.phase != "deal":
        return Say(sentence(f"this deal has a row already: type undo, then {word}"), word)
    return TypedEntry(propose(course.standing, f"end {word}"), word)


def _whole_row(course: Course, text: str, side: str, at: int | None = None) -> Reply:
    """Read a row: a new one, or the one of deal `at` (from 0) in place of an earlier one."""
    standing = course.standing
    place = standing.deal_due - 1 if at is None else at
    editing = "" if at is None else f"{at + 1} {side}"
    # Names are read only after `out`: a figure may look like the name of a player.
    at_out = text.lower().find("out")
    if at_out >= 0:
        text = text[:at_out] + seats_for_names(standing, text[at_out:])
    try:
        text = text if at is None else with_figure(standing, at, side, text)
        found = parse_row(text, side, standing.rules)
    except ValueError as error:
        return Say(sentence(f"{error} (? shows how)", "error"), text, editing)
    try:
        if at is None:
            proposals = propose_row(standing, side, found)
        else:
            proposals = propose_change(standing, at, side, found)
    except ValueError as error:
        return Say(sentence(str(error), "error"), text, editing)
    then = _paper(side, place, text) if found.score is None else None
    entries = [TypedEntry(proposal, text, editing, then=then) for proposal in proposals]
    if len(entries) == 1:
        return entries[0]
    return AskDetail(
        yes_or_no(f"  {melded_question(side, found.threes)}", MELDED_MEANING, default=True),
        lambda melded: entries[0 if melded else 1],
    )


def melded_question(side: str, threes: int) -> str:
    """Return the question on which the sign of a side's red threes depends."""
    count = "its red three counts" if threes == 1 else f"its {threes} red threes count"
    return f"Has {side} melded, so that {count} for it?"


# --- a row, figure by figure ----------------------------------------------------------------------


def _figure(course: Course, words: list[str]) -> Reply:
    """Ask for the next of the row's figures, then for who went out."""
    names = columns(course.standing.rules)
    if len(words) == len(names):
        return _went_out(course, words)
    return AskDetail(
        _figure_detail(course, names[len(words)], words, lambda said: [said]),
        partial(_figure, course),
    )


def _went_out(course: Course, words: list[str]) -> Reply:
    side = _side(course)
    meaning = "Yes if one of its players laid or discarded the last card of the hand."

    def then(went: bool) -> Reply:
        if not went:
            return _other_items(course, words)
        if len(side) == 1:
            return _concealed(course, [*words, "out"])
        return _who(course, "went out", [*words, "out"], _concealed)

    return AskDetail(yes_or_no(f"  Did {side} go out?", meaning, back=True), then)


def _who(
    course: Course, did: str, words: list[str], then: Callable[[Course, list[str]], Reply]
) -> Reply:
    """Ask which player of a side did something; `words` end with the word before the seat."""

    def seat(said: str) -> list[str]:
        return [seats_for_names(course.standing, said)] * bool(said)

    who = f"who {did} ({' or '.join(_side(course))}; Enter if not known)"
    return AskDetail(_figure_detail(course, who, words, seat, default=""), partial(then, course))


def _concealed(course: Course, words: list[str]) -> Reply:
    """Ask whether a side went out concealed, if that counts."""
    side, rules = _side(course), course.standing.rules
    if not rules.score_concealed:
        return _other_items(course, words)
    return AskDetail(
        yes_or_no(
            f"  Did {side} go out concealed?",
            f"Yes if that player had melded nothing before. It adds {rules.score_concealed}.",
            back=True,
        ),
        lambda hidden: _other_items(course, [*words, *["concealed"] * hidden]),
    )


def _other_items(course: Course, words: list[str], at: int = 0) -> Reply:
    """Ask for the points of the other items of the score, one after the other."""
    items = other_items(course.standing.rules)
    if at == len(items):
        return _penalties(course, words)
    item, side = items[at], _side(course)

    def added(said: str) -> list[str]:
        return [] if said.strip("+-0") == "" else [item, said]

    def then(row: list[str]) -> Reply:
        if item != "special" or row == words or len(side) == 1:
            return _other_items(course, row, at + 1)
        return _special(course, row, at)

    return AskDetail(_figure_detail(course, item, words, added), then)


def _special(course: Course, row: list[str], at: int) -> Reply:
    """Ask who laid a special hand; the row ends with `special` and its points."""
    *words, word, points = row

    def seat(said: str) -> list[str]:
        named = [seats_for_names(course.standing, said)] * bool(said)
        return [word, *named, points]

    who = f"who laid it ({' or '.join(_side(course))}; Enter if not known)"
    return AskDetail(
        _figure_detail(course, who, words, seat, default=""),
        lambda named: _other_items(course, named, at + 1),
    )


def _penalties(course: Course, words: list[str]) -> Reply:
    then = _bonuses if has_bonus(course.standing) else _row_of
    return _ruling(course, "penalty", words, then)


def _bonuses(course: Course, words: list[str]) -> Reply:
    return _ruling(course, "bonus", words, _row_of)


def _ruling(
    course: Course, kind: str, words: list[str], then: Callable[[Course, list[str]], Reply]
) -> Reply:
    """Ask for the points of a penalty or a bonus."""
    detail = _figure_detail(
        course, kind, words, lambda said: [] if said == "0" else [kind, said, HOUSE]
    )
    return AskDetail(detail, partial(then, course))


def _row_of(course: Course, words: list[str]) -> Reply:
    return _whole_row(course, " ".join(words), _side(course))


def _figure_detail(
    course: Course,
    what: str,
    words: list[str],
    added: Callable[[str], list[str]],
    default: str = "0",
) -> Detail[list[str]]:
    """Return the question for one figure; its answer is the row's words with those `added`."""
    side, rules = _side(course), course.standing.rules
    called, about = figure_words(rules, what)
    missing = ["0"] * (len(columns(rules)) - 1 - len(words))

    def read(said: str) -> list[str]:
        said = said or default
        if " " in said:
            raise Unclear(sentence(f"type one figure; `{BACK}` returns to the row", "error"))
        row = [*words, *added(said)]
        try:
            parse_row(" ".join([*row, *missing]), side, rules)
        except ValueError as error:
            raise Unclear(sentence(str(error), "error")) from error
        return row

    shown = f" [{default}]" if default else ""
    return Detail(
        f"  {side} {called}{shown}> ", read, sentence(about or _row_hint(course)), back=True
    )


def figure_words(rules: Rules, what: str) -> tuple[str, str]:
    """Return what a figure of a row is called in its question, and what it is, "" if unknown."""
    item = SCORED.get(what)
    if item is not None and item.bonus and what in other_items(rules):
        return f"points of {what}", item.bonus
    figure, asked = item.figure_words(books=rules.packet_of_seat) if item else ("", "")
    return figure or what, asked


# --- the score on paper ---------------------------------------------------------------------------


def _paper(side: str, at: int, text: str) -> Question:
    """Return the question that follows a row: the score on paper. `text` is the row as typed."""

    def line(course: Course) -> ScoreLine:
        return _score_line(course.standing, at, side)

    def answer(course: Course, said: str) -> Reply:
        said = plain_points(said)
        if said.lower() == BACK:
            return Say(_nothing, text, f"{at + 1} {side}")
        if said in ("", LEFT_OUT, str(line(course).score)):
            return None
        if POINTS.fullmatch(said):
            try:
                return _compare(course, side, at, text, said)
            except ValueError as error:
                return Say(sentence(str(error), "error"), said, then=question)
        if " " in said and course.standing.phase != "over":
            return _row(course, said)  # the next row, typed as if this had been answered
        return Say(sentence(not_understood(said, _ON_PAPER)), said, then=question)

    question = Question(
        "score on paper",
        lambda course: True,
        lambda course: f"  {side} score on paper [{line(course).score}]> ",
        lambda course: _ON_PAPER,
        answer,
        how=(),
        any_words=True,
    )
    return question


def _last_paper(course: Course) -> Question | None:
    """Return the question about the score on paper of the last row, if that is the last entry."""
    standing = course.standing
    at, deal = len(standing.reading.game.deals) - 1, standing.deal
    last = deal.scores[-1] if deal is not None and deal.scores else None
    if last is None or not _is_computed(standing, at, last.side):
        return None
    return _paper(last.side, at, row_text(standing, at, last.side) or "")


def _score_line(standing: Standing, at: int, side: str) -> ScoreLine:
    scores = standing.reading.game.deals[at].scores
    return next(line for line in scores if line.side == side)


def _nothing(look: Look) -> Rows:
    return []


def _compare(course: Course, side: str, at: int, text: str, said: str) -> EntryOptions | None:
    """Say how much a score on paper differs from its row, and ask which is right.

    Raises ValueError for a total that a record cannot hold.
    """
    standing = course.standing
    score = _score_line(standing, at, side).score
    if int(said) == score:
        return None
    lines = [sentence(differs_words(int(said), score), "error")]
    found = parse_row(text, side, standing.rules)
    for rule in rules_for(standing, at, side, found, int(said)):
        lines.append(
            sentence(f"it is right if {rule.sentence} (edit rules, and add {rule.override})")
        )
    ways = {
        "c": (f"write {score}", None),
        "p": (
            f"write {said} as it is on paper; canasta audit will report it",
            propose_on_paper(standing, at, side, int(said)),
        ),
    }

    def again(answer: str) -> EntryOptions | None:
        answer = plain_points(answer)
        with suppress(ValueError):  # the answer is then an answer to the question, which says why
            return _compare(course, side, at, text, answer) if POINTS.fullmatch(answer) else None
        return None

    return EntryOptions(
        lambda look: [row for line in lines for row in line(look)],
        "Enter to correct the row",
        ways,
        text,
        f"{at + 1} {side}",
        lambda look: legend([(letter, about) for letter, (about, _) in ways.items()], look),
        otherwise=again,
    )


def differs_words(said: int, score: int) -> str:
    """Say how much a score on paper differs from the score of its row."""
    how = f"{abs(said - score)} too {'high' if said > score else 'low'}"
    return f"{said} is {how}: the row comes to {score}"


# --- earlier rows ---------------------------------------------------------------------------------


def _edit(course: Course, rest: str) -> Reply:
    """Begin to change an earlier row, or anything else that can be edited."""
    found = _ROW.match(rest)
    at, side = (int(found[1]) - 1, found[2].upper()) if found else (-1, "")
    old = row_text(course.standing, at, side)
    if found is None or old is None:
        return edit_line(course, rest)
    if found[3]:
        return in_one_line(_whole_row(course, found[3].strip(), side, at), rest)
    return Say(_nothing, old, f"{at + 1} {side}")


def _correct(course: Course, what: str, text: str) -> Reply:
    """Read the new text of a row; an empty line leaves the row as it is.

    The score on paper is asked for again: it may have been the reason to open the row.
    """
    found = _ROW.match(what)
    if found is None:
        return correct_line(course, what, text)
    side, at = found[2], int(found[1]) - 1
    if text:
        return _whole_row(course, text, side, at)
    old = row_text(course.standing, at, side)
    computed = old is not None and _is_computed(course.standing, at, side)
    return Say(
        sentence("nothing was changed"), then=_paper(side, at, old or "") if computed else None
    )


def _is_computed(standing: Standing, at: int, side: str) -> bool:
    """Return whether a row has items and its score is their sum."""
    line = _score_line(standing, at, side)
    return line.items is not None and line.score == sum(points for _, points in line.items)


# --- the dialogue ---------------------------------------------------------------------------------


def _announce(rec: Recording) -> None:
    """Show the totals and the next opening minimums after a deal."""
    standing, face = rec.course.standing, rec.face
    mark = f"{standing.phase == 'over'} {standing.deal_due}"
    if mark == rec.phase_shown:
        return
    rec.phase_shown = mark
    if standing.phase == "over":
        face.tell(outcome(standing))
    elif standing.phase == "deal":
        face.show(totals_rows(standing, face.look))


ROW: Final = Question(
    "row",
    lambda course: course.standing.phase != "over",
    _row_prompt,
    _row_hint,
    _row,
    how=(),
    examples=_EXAMPLES,
    words=(*BROKEN_OFF, "special"),
)
#: A score pad: a row for each side of each deal, with the score on paper.
PAD: Final = Dialogue(
    (
        replace(
            OVER,
            answer=lambda course, text: Say(
                sentence("the game is over; undo takes back the last row"), text
            ),
            how=(),
            examples=_EXAMPLES,
        ),
        ROW,
    ),
    totals_rows,
    _announce,
    _edit,
    _correct,
    mode=SHEET,
    excluded=("play", "scores"),
    resumed=_last_paper,
)
