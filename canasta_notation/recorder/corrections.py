"""Taking entries back, and finding the line that is to be corrected.

Both follow from the lines alone, whatever was typed when: an undo after a restart takes back the
same entry as before it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from canasta_notation.findings import Finding, Span
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    PenaltyLine,
    ScoreLine,
    Tag,
    TotalLine,
    Turn,
)
from canasta_notation.notation.format import TAGS, format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.opening import tag_problem
from canasta_notation.recorder.proposal import Proposal, added_lines
from canasta_notation.recorder.settle import settle
from canasta_notation.recorder.standing import Standing

#: `12`, `2.12` for turn 12 of deal 2, `up`, or a seat for its hand.
#: The tags that `edit` names by a word.
_TAGS: Final = {
    name.lower(): name for name in ("Event", "Site", "Date", "Round", "Rules", "Target", "Source")
}
_TURN: Final = re.compile(r"(?:(\d{1,4})\.)?(\d{1,6})")


def undo(standing: Standing) -> tuple[Standing, list[str]]:
    """Return the record without its last entry, and the lines that went with it.

    A comment goes before the line it is on. With a total goes the last score, with an end line
    the turn that brought it about, with the first line of a deal the `deal` line. Nothing goes
    if no deal has begun.
    """
    deal = standing.deal
    if deal is None:
        return standing, []
    lines = _without_blanks(standing.lines)
    last = read_line(lines[-1])
    if last is not None and not isinstance(last, Finding | Tag) and last.comment is not None:
        lines[-1] = format_line(replace(last, comment=None), standing.rules.draw_count)
        return Standing(lines, standing.place), [f"; {last.comment}"]
    lines.pop()
    if isinstance(last, TotalLine) and lines[-1].startswith("score "):
        last = read_line(lines.pop())
    tabled = deal.melds or deal.threes or deal.left
    if isinstance(last, ScoreLine) and not standing.turns and not tabled:
        lines = _without_row(lines, deal, last, standing)
    if isinstance(last, EndLine):
        _pop_cause(lines, standing)
    lines = _without_blanks(tuple(lines))
    if isinstance(read_line(lines[-1]), Deal):
        lines = _without_blanks(tuple(lines[:-1]))
    after = settle(standing, Standing(lines, standing.place))
    return after, added_lines(after.lines, standing.lines)


def _without_row(lines: list[str], deal: Deal, score: ScoreLine, standing: Standing) -> list[str]:
    """Return the lines of a score sheet without the rest of its row: penalties, who went out."""
    rulings = [line for line in deal.play if isinstance(line, PenaltyLine)]
    gone = {line.span.line for line in rulings if line.side == score.side}
    end = deal.end
    if end is not None and end.seat is not None and end.seat in score.side:
        gone.add(end.span.line)
    first = standing.place.first_line
    return [line for at, line in enumerate(lines) if at + first not in gone]


def _without_blanks(lines: tuple[str, ...]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _pop_cause(lines: list[str], standing: Standing) -> None:
    """Drop the turn that ended the deal, which would at once end it again."""
    while Standing(lines, standing.place).end_line is not None:
        lines.pop()


def find_line(standing: Standing, what: str) -> int | None:
    """Return the place (from 0) of the line that `edit WHAT` names, None if there is none."""
    deal = standing.deal
    found = _TURN.fullmatch(what)
    if found:
        return _find_turn(standing, int(found[1]) if found[1] else None, int(found[2]))
    if deal is None:
        return None
    first = standing.place.first_line
    if what == "up":
        return None if deal.up is None else deal.up.span.line - first
    named = what.removesuffix(":")
    return next((hand.span.line - first for hand in deal.hands if hand.seat == named), None)


def _find_turn(standing: Standing, deal: int | None, number: int) -> int | None:
    deals = standing.reading.game.deals
    if not deals or (deal is not None and not 1 <= deal <= len(deals)):
        return None
    played = deals[(deal or len(deals)) - 1].play
    turns = [line for line in played if isinstance(line, Turn)]
    if not 1 <= number <= len(turns):
        return None
    return turns[number - 1].line - standing.place.first_line


# --- the header ---------------------------------------------------------------------------------


def split_edit(rest: str) -> tuple[str, str]:
    """Return what is to be edited and its new text: `name N` and `dealer` are header lines."""
    what, _, text = rest.strip().partition(" ")
    if what == "name":
        seat, _, text = text.strip().partition(" ")
        what = f"name {seat}"
    return what, text.strip()


def is_header(what: str) -> bool:
    """Return whether `edit WHAT` names the dealer or a tag."""
    return what == "dealer" or _tag_name(what) != ""


def _tag_name(what: str) -> str:
    if what.startswith("name "):
        return what.removeprefix("name ")
    return _TAGS.get(what, "")


def old_text(standing: Standing, what: str) -> str | None:
    """Return what `edit WHAT` would change: a value of the header, or a line; None for nothing."""
    if what == "dealer" and standing.deal is not None:
        return standing.deal.dealer or ""
    if is_header(what):
        if what.startswith("name ") and _tag_name(what) not in standing.rules.seats:
            return None
        tag = standing.reading.game.tag("Dealer" if what == "dealer" else _tag_name(what))
        return tag.value if tag else ""
    at = find_line(standing, what)
    return None if at is None else standing.lines[at]


def propose_header(standing: Standing, what: str, value: str) -> Proposal:
    """Return the record with another dealer or tag, judged as an entry is.

    The dealer is that of the last deal; of the first deal the Dealer tag follows.
    """
    name = "Dealer" if what == "dealer" else _tag_name(what)
    tags = {tag.name: tag.value for tag in standing.reading.game.tags}
    problem = tag_problem({**tags, name: value}, name)
    if problem is not None:
        problem = replace(problem, span=Span(1, 1, 2))
        return Proposal(standing, None, (), (problem,), {})
    lines = list(standing.lines)
    deal, at = standing.deal, 0
    if what == "dealer" and deal is not None:
        at = deal.span.line - standing.place.first_line
        lines[at] = format_line(replace(deal, dealer=value))
        if len(standing.reading.game.deals) > 1 or "Dealer" not in tags:
            return propose_lines(standing, lines, at)
    tag = standing.reading.game.tag(name)
    text = format_line(Tag(name, value))
    if tag is not None:
        at = tag.span.line - standing.place.first_line
        lines[at] = text
        return propose_lines(standing, lines, at)
    at = _tag_place(standing, name)
    lines.insert(at, text)
    return propose_lines(standing, lines, at)


def _tag_place(standing: Standing, name: str) -> int:
    """Return the place (from 0) of the first tag that comes after one of this name."""
    order = {known: place for place, known in enumerate(TAGS)}
    last = 0
    for tag in standing.reading.game.tags:
        at = tag.span.line - standing.place.first_line
        if order.get(tag.name, len(TAGS)) > order.get(name, len(TAGS)):
            return at
        last = at + 1
    return last


def propose_lines(standing: Standing, lines: list[str], at: int) -> Proposal:
    """Return other lines judged: what they bring is what was not found before.

    `at` (from 0) is the line that was meant to change; a mistake on another can be kept for now.
    """
    after = settle(standing, Standing(lines, standing.place))
    known = Counter((each.code, each.message) for each in standing.findings())
    found = []
    for each in after.findings():
        mark = (each.code, each.message)
        if each.severity != "note" and known[mark] <= 0:
            found.append(each)
        known[mark] -= 1
    texts = {each.span.line: after.line_text(each.span.line) or "" for each in found}
    written = tuple(added_lines(standing.lines, after.lines))
    return Proposal(standing, after, written, tuple(found), texts, at=at, replaces=True)


def note(standing: Standing, text: str) -> Standing:
    """Return the record with a comment: on its last line, or alone if that line has one already."""
    text = " ".join(text.split())
    lines = list(standing.lines)
    value = read_line(lines[-1]) if lines else None
    if value is not None and not isinstance(value, Finding | Tag) and value.comment is None:
        lines[-1] = format_line(replace(value, comment=text), standing.rules.draw_count)
        return Standing(lines, standing.place)
    return Standing([*lines, f"; {text}"], standing.place)
