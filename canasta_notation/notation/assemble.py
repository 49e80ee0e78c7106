"""From the lines of a text to a game: the order of lines, and where comments belong.

`ORDER` gives the order of the lines in a game. A line out of place, or a second line of a kind that
may appear only once, is reported and left out; its number is kept as unread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeVar, cast

from lark import Token

from canasta_notation.findings import Finding, Span
from canasta_notation.notation.builder import Statement, comment_text
from canasta_notation.notation.document import (
    JUDGING_TAGS,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    TalonLine,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.rules.catalogue import entry

#: The place of each kind of line in a game, and its name in messages.
ORDER: Final[dict[type, tuple[int, str]]] = {
    Tag: (0, "a tag"),
    Deal: (1, "a deal line"),
    HandLine: (2, "a hand line"),
    UpLine: (3, "an `up` line"),
    StockLine: (4, "a `stock` line"),
    TalonLine: (5, "a `talon` line"),
    Turn: (6, "a turn"),
    PenaltyLine: (6, "a `penalty` line"),
    EndLine: (7, "an `end` line"),
    MeldsLine: (8, "a `melds` line"),
    ThreesLine: (9, "a `threes` line"),
    LeftLine: (10, "a `left` line"),
    ScoreLine: (11, "a `score` line"),
    TotalLine: (12, "a `total` line"),
}
_ORDER_HELP: Final = (
    "a deal is written in this order: deal, hands, up, stock, talons, turns and penalties, end, "
    "melds, threes, left, scores, total"
)
_L = TypeVar("_L", bound=Line | Deal)

#: The version of the notation that this program reads.
VERSION: Final = "1"


class Problems:
    """Counts a file's findings: `full` at the limit, `stopped` if the rest is not read."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0
        self.stopped = False

    @property
    def full(self) -> bool:
        """Whether the limit is reached."""
        return self.count >= self.limit


@dataclass(slots=True)
class _Parts:
    """The lines of the deal that is being read, by their field in `Deal`."""

    hands: list[HandLine] = field(default_factory=list)
    up: UpLine | None = None
    stock: StockLine | None = None
    talons: list[TalonLine] = field(default_factory=list)
    play: list[Turn | PenaltyLine] = field(default_factory=list)
    end: EndLine | None = None
    melds: list[MeldsLine] = field(default_factory=list)
    threes: list[ThreesLine] = field(default_factory=list)
    left: list[LeftLine] = field(default_factory=list)
    scores: list[ScoreLine] = field(default_factory=list)
    total: TotalLine | None = None
    unread: list[int] = field(default_factory=list)


class Assembler:
    """Puts the lines of one game together; `game` is its number in the file, from 1."""

    def __init__(self, game: int, problems: Problems) -> None:
        self.findings: list[Finding] = []
        self._number = game
        self._problems = problems
        self._tags: list[Tag] = []
        self._names: set[str] = set()
        self._deals: list[Deal] = []
        self._unread: list[int] = []
        self._lost_lines: list[int] = []
        self._head: Deal | None = None
        self._parts = _Parts()
        self._rank = 0
        #: After an unreadable deal line, or without one: the lines have no deal.
        self._lost = False
        self._comments: list[str] = []
        self._first: Span | None = None

    @property
    def full(self) -> bool:
        """Whether the file has as many findings as a report may have."""
        return self._problems.full

    def add(self, statement: Statement) -> None:
        """Add the next line of the game, or a comment on its own line."""
        kind = type(statement)
        if kind is Turn and 1 <= self._rank <= 6 and not self._comments:
            self._rank = 6
            self._parts.play.append(cast(Turn, statement))
            return
        if isinstance(statement, Token):
            self._comments.append(comment_text(statement))
            return
        span = span_of(statement)
        self._first = self._first or span
        if isinstance(statement, Tag):
            self._add_tag(statement)
        elif isinstance(statement, Deal):
            self._open(statement)
        elif self._head is None or self._lost:
            self._add_lost(statement)
        else:
            self._add_line(statement)

    def add_finding(self, finding: Finding) -> None:
        """Add a finding about a line of which the deals need nothing more."""
        self._report(finding)
        self._first = self._first or finding.span

    def refuse(self, finding: Finding, *, deal_line: bool = False) -> None:
        """Leave out an unreadable line; `deal_line` says that it should have begun a deal."""
        self.add_finding(finding)
        if deal_line:
            self._close()
            self._lost = True
        self.skip(finding.span.line)

    def stop(self, finding: Finding) -> None:
        """Note that reading stops at the finding's line."""
        self.add_finding(finding)
        self._problems.stopped = True

    def skip(self, line: int) -> None:
        """Note a line that was not read."""
        if self._lost:
            self._lost_lines.append(line)
        else:
            (self._unread if self._head is None else self._parts.unread).append(line)

    def finish(self, *, version_unread: bool = False) -> Game:
        """Return the game. Report a missing version, unless its tag could not be read."""
        self._close()
        first = self._first or Span(1, 1, 2)
        self._check_version(first, version_unread=version_unread)
        self.findings.sort(key=lambda finding: finding.span)
        return Game(
            tuple(self._tags),
            tuple(self._deals),
            tuple(self._comments),
            span=first,
            unread=tuple(sorted(self._unread)),
            lost=tuple(sorted(self._lost_lines)),
        )

    def _add_tag(self, tag: Tag) -> None:
        if self._deals or self._head is not None or self._lost:
            finding = _misplaced(tag.span, "a tag after a deal", "tags come before the first deal")
            take = self.refuse if tag.name in JUDGING_TAGS else self.add_finding
            take(finding)
            return
        if tag.name in self._names:
            self._report(_found("duplicate-tag", "twice", tag.span, name=tag.name))
        self._names.add(tag.name)
        self._tags.append(self._commented(tag))

    def _open(self, deal: Deal) -> None:
        self._close()
        self._lost = False
        self._head = self._commented(deal)
        self._rank = ORDER[Deal][0]

    def _close(self) -> None:
        if self._head is not None:
            parts = self._parts
            deal = replace(
                self._head,
                hands=tuple(parts.hands),
                up=parts.up,
                stock=parts.stock,
                talons=tuple(parts.talons),
                play=tuple(parts.play),
                end=parts.end,
                melds=tuple(parts.melds),
                threes=tuple(parts.threes),
                left=tuple(parts.left),
                scores=tuple(parts.scores),
                total=parts.total,
                unread=tuple(parts.unread),
            )
            self._deals.append(deal)
        self._head, self._parts, self._rank = None, _Parts(), 0

    def _add_lost(self, line: Line) -> None:
        """Leave out a line that belongs to no deal; report the first such line."""
        if self._lost:
            self.skip(span_of(line).line)
            return
        self._begin_lost(line, f"{ORDER[type(line)][1]} before any `deal` line")

    def _begin_lost(self, line: Line, message: str) -> None:
        """Report the first line of a deal without its `deal` line, and leave out its lines."""
        self._lost = True
        help_text = "begin the deal with a line such as `deal 1 dealer N`"
        self._refuse(span_of(line), message, help_text)

    def _add_line(self, line: Line) -> None:
        rank, called = ORDER[type(line)]
        if isinstance(line, HandLine) and self._rank >= ORDER[EndLine][0]:
            self._close()
            message = f"{called} of a deal without its `deal` line"
            self._begin_lost(line, message)
            return
        again = self._repeated(line)
        if again:
            self._refuse(span_of(line), again, "keep one of the two lines")
        elif rank < self._rank:
            self._refuse(span_of(line), f"{called} after {_kind_name(self._rank)}", _ORDER_HELP)
        else:
            self._rank = rank
            self._keep(self._commented(line))

    def _repeated(self, line: Line) -> str:
        """Return the message for a second line of its kind in the deal, "" if it is the first."""
        parts = self._parts
        called = ORDER[type(line)][1].split(" ", 1)[1]
        match line:
            case HandLine():
                whose, earlier_lines = line.seat, [hand.seat for hand in parts.hands]
            case MeldsLine():
                whose, earlier_lines = line.side, [melds.side for melds in parts.melds]
            case ThreesLine():
                whose, earlier_lines = line.side, [threes.side for threes in parts.threes]
            case LeftLine():
                whose, earlier_lines = line.seat, [left.seat for left in parts.left]
            case ScoreLine():
                whose, earlier_lines = line.side, [score.side for score in parts.scores]
            case _:
                whose, earlier_lines = "", []
        if whose:
            return f"a second {called} for {whose}" if whose in earlier_lines else ""
        earlier: dict[type, Line | None] = {
            UpLine: parts.up,
            StockLine: parts.stock,
            EndLine: parts.end,
            TotalLine: parts.total,
        }
        if earlier.get(type(line)) is None:
            return ""
        return f"a second {called} in this deal"

    def _keep(self, line: Line) -> None:
        parts = self._parts
        match line:
            case HandLine():
                parts.hands.append(line)
            case UpLine():
                parts.up = line
            case StockLine():
                parts.stock = line
            case TalonLine():
                parts.talons.append(line)
            case Turn() | PenaltyLine():
                parts.play.append(line)
            case EndLine():
                parts.end = line
            case MeldsLine():
                parts.melds.append(line)
            case ThreesLine():
                parts.threes.append(line)
            case LeftLine():
                parts.left.append(line)
            case ScoreLine():
                parts.scores.append(line)
            case TotalLine():
                parts.total = line

    def _commented(self, line: _L) -> _L:
        """Return the line with the comments above it."""
        if not self._comments:
            return line
        comments, self._comments = tuple(self._comments), []
        return replace(line, before=comments)

    def _check_version(self, first: Span, *, version_unread: bool) -> None:
        tag = next((tag for tag in self._tags if tag.name == "CGN"), None)
        if tag is not None and tag.value != VERSION:
            facts = {"value": tag.value, "version": VERSION}
            self._report(_found("version", "other", tag.value_span, **facts))
        elif tag is None and not version_unread:
            self._report(_found("version", "missing", first, version=VERSION))

    def _refuse(self, span: Span, message: str, help_text: str) -> None:
        self.refuse(_misplaced(span, message, help_text))

    def _report(self, finding: Finding) -> None:
        deal = len(self._deals) + 1 if self._head is not None else None
        self._problems.count += 1
        self.findings.append(replace(finding, game=self._number, deal=deal))


def _found(code: str, message: str, span: Span, **facts: str) -> Finding:
    """Return a finding with a message of the catalogue, filled with `facts`."""
    return entry(code).finding(message, facts, span)


def _misplaced(span: Span, message: str, help_text: str) -> Finding:
    return Finding("syntax", "error", message, span, help=help_text)


def span_of(line: Line | Deal) -> Span:
    """Return the place of a line without its comment."""
    if not isinstance(line, Turn):
        return line.span
    first = line.number_at[0] or line.seat_at[0]
    places = (line.seat_at, *line.actions_at, line.open_at, line.out_at, *line.acknowledged_at)
    return Span(line.line, first, max(end for _, end in places))


def _kind_name(rank: int) -> str:
    """Return the name of the first kind of line at that place in the order."""
    return next(called for place, called in ORDER.values() if place == rank)
