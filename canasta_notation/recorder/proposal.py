"""Entries: the record with one more entry, and the findings that the entry would cause.

A proposal changes nothing. To accept it, the recorder takes its `after` as the new standing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from canasta_notation.engine.actions import Action, Lay, Take, TakeBack
from canasta_notation.english import listed
from canasta_notation.findings import Finding, Span, syntax_error
from canasta_notation.notation.assemble import ORDER
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    Ruling,
    ScoreLine,
    Tag,
    ThreesLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import canonical, format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.shorthand import expand, recased
from canasta_notation.recorder.standing import Standing, with_due_lines

#: The word of the penalty that rules may have for an accepted irregularity.
PENALTIES: Final = {
    "out-promised": "ask",
    "pile-frozen": "upcard",
    "pile-blocked": "upcard",
    "pile-unmeldable": "upcard",
    "pile-one-card": "upcard",
}
#: False claims of a turn. They are corrected, not kept as irregularities.
_CORRECTED: Final = frozenset({"turn-number"})
#: Lines that can be kept although they are false: they say what the players claim.
_CLAIMS: Final = (EndLine, MeldsLine, ThreesLine, LeftLine, ScoreLine)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A judged entry. `after` is None if the entry cannot be read, so that it cannot be accepted.

    `written` are the lines that it adds or changes. `findings` are those that it causes, without
    unacknowledged notes; `excerpts` are their lines. `recased` is the entry in the right case if
    only its case is wrong.
    """

    before: Standing
    after: Standing | None
    written: tuple[str, ...]
    findings: tuple[Finding, ...]
    excerpts: dict[int, str]
    recased: str | None = None
    #: The proposed line and its place, for keeping it as an irregularity.
    line: Line | Deal | None = None
    at: int = 0
    replaces: bool = False

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors; if there are none, the entry is accepted as it is."""
        return tuple(each for each in self.findings if each.severity == "error")

    @property
    def writable(self) -> bool:
        """Whether the entry can be written although something is wrong with it.

        Players may claim what they like, deal out of turn, and make a correction that needs others
        on later lines. But a seat or a side that the game does not have can claim nothing, and a
        record that cannot be read cannot be continued.
        """
        if self.after is None or self.after.reading.problems:
            return False
        number = self.before.place.first_line + self.at
        here = [each for each in self.errors if each.span.line == number]
        elsewhere = self.replaces and not here
        if isinstance(self.line, Deal):
            return elsewhere or {each.code for each in here} == {"dealer"}
        if _names_due(self.line, self.after):
            return False
        return isinstance(self.line, _CLAIMS) or elsewhere


def propose(standing: Standing, text: str) -> Proposal:
    """Judge an entry: a line of the notation, or a scorer's shorthand for it.

    Not checked: that the entry is not a command of the recorder.
    """
    number = standing.place.first_line + len(standing.lines)
    return _propose(standing, standing, text, number, None)


def propose_edit(standing: Standing, at: int, text: str) -> Proposal:
    """Judge the replacement of a line; `at` is its place in the lines, from 0.

    A turn keeps its number and, unless the text has one, its comment. If a take does not name the
    top card, the card that was on top at that time is filled in.
    """
    then = Standing(standing.lines[:at], standing.place)
    return _propose(standing, then, text, standing.place.first_line + at, at)


def _propose(
    standing: Standing, then: Standing, text: str, number: int, at: int | None
) -> Proposal:
    line = expand(then, text)
    value = read_line(line, number)
    if isinstance(value, Finding):
        finding = replace(value, game=standing.place.games + 1, deal=standing.deal_due)
        spelled = recased(then, text)
        return Proposal(standing, None, (line,), (finding,), {number: line}, spelled)
    if value is None or isinstance(value, Tag):
        return _refuse(standing, line, number, value is None)
    if at is not None and isinstance(value, Turn):
        old = read_line(standing.lines[at])
        if isinstance(old, Turn):
            value = replace(value, number=old.number, comment=value.comment or old.comment)
    return judge(standing, value, at)


def _refuse(standing: Standing, line: str, number: int, empty: bool) -> Proposal:
    message = "this is only a comment" if empty else "a tag after the game has begun"
    help_text = "to add a comment, type `note TEXT`" if empty else "type `edit` to correct a tag"
    span = Span(number, 1, max(2, len(line) + 1))
    finding = syntax_error(span, message, help_text)
    return Proposal(standing, None, (line,), (finding,), {number: line})


def judge(standing: Standing, value: Line | Deal, at: int | None = None) -> Proposal:
    """Judge a line, put where it belongs or in place of the line at `at` (from 0)."""
    text = spelled(value, standing)
    lines = list(standing.lines)
    replaces = at is not None
    if at is not None:
        lines[at] = text
    else:
        at = _place(standing, value)
        new = [text]
        if standing.phase == "deal" or isinstance(value, Deal):
            at = _before_comments(standing.lines)
            begun = [] if isinstance(value, Deal) else [standing.deal_line]
            new = ["", *standing.lines[at:], *begun, text]
            del lines[at:]
        lines[at:at] = new
        at += len(new) - 1
    after = with_due_lines(standing, Standing(lines, standing.place, standing))
    shifts = 0 if replaces else len(lines) - len(standing.lines)
    findings = _new_findings(standing, after, at, shifts)
    names = _names_due(value, after)
    if names:
        help_text = f"type {listed(names, 'or')}"
        number = standing.place.first_line + at
        findings = tuple(
            replace(each, help=help_text) if each.span.line == number else each for each in findings
        )
    texts = {each.span.line: after.line_text(each.span.line) or "" for each in findings}
    written = tuple(added_lines(standing.lines, after.lines))
    return Proposal(standing, after, written, findings, texts, None, value, at, replaces)


def _names_due(line: Line | Deal | None, standing: Standing) -> Sequence[str]:
    """Return the seats or sides of the game if a line names one that it does not have."""
    seats, sides = standing.rules.seats, standing.rules.sides
    for kind, names in ("seat", seats), ("dealer", seats), ("side", sides):
        if getattr(line, kind, None) not in (None, *names):
            return names
    return ()


def spelled(value: Line | Deal, standing: Standing) -> str:
    """Return the canonical spelling of a line that a person entered; hands are sorted."""
    game = replace(standing.reading.game, deals=())
    if isinstance(value, HandLine):
        deal = Deal(1, hands=(value,))
        value = canonical(replace(game, deals=(deal,))).deals[0].hands[0]
    return format_line(value, standing.rules.draw_count)


def _place(standing: Standing, value: Line | Deal) -> int:
    """Return where a line belongs: at the end or, for example for a hand, in the deal's setup."""
    lines, deal = standing.lines, standing.deal
    end = len(lines)
    rank = ORDER[type(value)][0]
    late = rank >= ORDER[Turn][0] and not isinstance(value, Ruling | EndLine)
    if standing.phase == "deal" or deal is None or late or rank <= ORDER[Deal][0]:
        return end
    start = deal.span.line - standing.place.first_line + 1
    at = start
    for place in range(start, end):
        other = read_line(lines[place])
        if other is None or isinstance(other, Finding):
            continue
        if ORDER[type(other)][0] > rank:
            break
        at = place + 1
    return at


def _before_comments(lines: tuple[str, ...]) -> int:
    """Return the place (from 0) after the last line that is not just a comment."""
    at = len(lines)
    while at and (not lines[at - 1].strip() or lines[at - 1].lstrip().startswith(";")):
        at -= 1
    return at


def _new_findings(before: Standing, after: Standing, at: int, shift: int) -> tuple[Finding, ...]:
    """Return the findings that are new, when lines from `at` on have moved by `shift`."""
    first = before.place.first_line
    known = set()
    for each in before.findings():
        line = each.span.line
        moved = line + shift if line - first >= at - max(shift - 1, 0) else line
        known.add((each.code, each.message, moved))
    found = (each for each in after.findings() if _is_shown(each))
    return tuple(each for each in found if (each.code, each.message, each.span.line) not in known)


def _is_shown(finding: Finding) -> bool:
    return finding.severity != "note" or finding.acknowledged


# --- irregularities -----------------------------------------------------------------------------


def as_irregularity(proposal: Proposal) -> Proposal | None:
    """Return the entry as an irregularity, with `~code` for each error; None if it cannot be one.

    An unreadable line, a false claim, and an error that the entry causes on another line cannot be
    kept as irregularities.
    """
    line = proposal.line
    codes = tuple(dict.fromkeys(finding.code for finding in proposal.errors))
    if proposal.after is None or not isinstance(line, Turn | HandLine | UpLine) or not codes:
        return None
    if not _CORRECTED.isdisjoint(codes):
        return None
    acknowledged = (*line.acknowledged, *(code for code in codes if code not in line.acknowledged))
    kept = replace(line, acknowledged=acknowledged)
    again = judge(proposal.before, kept, proposal.at if proposal.replaces else None)
    return None if again.errors else again


def taken_back(proposal: Proposal) -> Proposal | None:
    """Return a turn that opened too low with the cards laid as cards taken back, or None.

    This does not work for a turn that took the pile, because the take needs what it laid.
    """
    line = proposal.line
    if not isinstance(line, Turn) or "opening-low" not in {each.code for each in proposal.errors}:
        return None
    laid = [action for action in line.actions if isinstance(action, Lay)]
    if not laid or any(isinstance(each, Take | TakeBack) for each in line.actions):
        return None
    actions: list[Action] = [each for each in line.actions if not isinstance(each, Lay)]
    cards = tuple(code for group in laid for code in group.cards)
    actions.insert(line.actions.index(laid[0]), TakeBack(cards))
    back = replace(line, actions=tuple(actions), open=None, out="")
    again = judge(proposal.before, back, proposal.at if proposal.replaces else None)
    return None if again.errors else again


def penalty_for(proposal: Proposal) -> str | None:
    """Return the penalty line that the rules prescribe for the irregularity of a turn, or None."""
    line, rules = proposal.line, proposal.before.rules
    if not isinstance(line, Turn) or line.seat not in rules.seats:
        return None
    side = rules.sides[rules.side_of[rules.seats.index(line.seat)]]
    for finding in proposal.errors:
        word = PENALTIES.get(finding.code, "")
        points = rules.penalties.get(word)
        if points:
            return f"penalty {side} {points} {word}"
    return None


def added_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the lines of `after` that `before` lacks, in order and without blank lines."""
    left = Counter(before)
    added = []
    for line in after:
        if left[line] > 0:
            left[line] -= 1
        elif line:
            added.append(line)
    return added
