"""From the lines of a text to a game: the order of lines, and where comments belong.

`document.DEAL_LINES` gives the order of the lines in a deal. A line out of place, or a second line
of a kind that may appear only once, is reported and left out; its number is kept as unread.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from lark import Token

from canasta_notation.fields import unchecked
from canasta_notation.findings import Finding, Span, syntax_error
from canasta_notation.notation.builder import Statement, comment_text
from canasta_notation.notation.document import (
    DEAL_LINES,
    JUDGING_TAGS,
    LINE_FIELDS,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PacketLine,
    Ruling,
    Tag,
    ThreesLine,
    Turn,
)
from canasta_notation.rules.catalogue import entry

_KINDS: Final = {each.kind: each for each in DEAL_LINES}
#: The place of each kind of line in a game, and its name in messages.
ORDER: Final[dict[type, tuple[int, str]]] = {
    Tag: (0, "a tag"),
    Deal: (1, "a deal line"),
    **{each.kind: ([*LINE_FIELDS].index(each.field) + 2, each.called) for each in DEAL_LINES},
}
_ORDER_HELP: Final = (
    "a deal is written in this order: deal, hands, up, stock, feet or talons, turns with penalties "
    "and bonuses, end, melds, threes, left, scores, total"
)
_L = TypeVar("_L", bound=Line | Deal)

#: The lines were checked when they were read.
_make_deal: Final = unchecked(Deal)

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
        #: The unreadable lines before the first deal, each with the tags that it may be meant as.
        self._perhaps_tags: list[tuple[int, Collection[str]]] = []
        self._lost_lines: list[int] = []
        self._head: Deal | None = None
        #: The lines of the deal that is being read: the play, and all others by their field.
        self._play: list[Turn | Ruling] = []
        self._lines: dict[str, list[Any]] = {}
        #: Its lines that may occur once, or once for a seat or side; and those of the table at its
        #: end that it has twice.
        self._once: set[tuple[type, str]] = set()
        self._twice: set[tuple[type, str]] = set()
        self._unread_lines: list[int] = []
        self._rank = 0
        #: The first line that comes too late, after the last line that was in its place.
        self._late: Finding | None = None
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
            self._play.append(cast(Turn, statement))
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
        """Add a finding about a line that the deals do not need."""
        self._report(finding)
        self._first = self._first or finding.span

    def add_further(self, finding: Finding) -> None:
        """Add a further finding about a line, which counts as one with the first."""
        self._problems.count -= 1
        self._report(finding)

    def refuse(
        self,
        finding: Finding,
        *,
        deal_line: bool = False,
        tags: Collection[str] = JUDGING_TAGS,
    ) -> None:
        """Leave out an unreadable line; `deal_line` says that it should have begun a deal.

        `tags` are those that it may be meant as. Before the first deal, a line that cannot be a tag
        that decides how deals are judged is not missed.
        """
        self.add_finding(finding)
        if deal_line:
            self._close()
            self._lost = True
        if self._head is None and not self._lost:
            self._perhaps_tags.append((finding.span.line, tags))
        else:
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
            (self._unread if self._head is None else self._unread_lines).append(line)

    def finish(self, *, version_unread: bool = False) -> Game:
        """Return the game. Report a missing version, unless its tag could not be read."""
        self._close()
        first = self._first or Span(1, 1, 2)
        self._check_version(first, version_unread=version_unread)
        self.findings.sort(key=lambda finding: finding.span)
        missed = [at for at, tags in self._perhaps_tags if not self._names.issuperset(tags)]
        return Game(
            tuple(self._tags),
            tuple(self._deals),
            tuple(self._comments),
            span=first,
            unread=tuple(sorted({*self._unread, *missed})),
            lost=tuple(sorted(self._lost_lines)),
        )

    def _add_tag(self, tag: Tag) -> None:
        if self._deals or self._head is not None or self._lost:
            finding = syntax_error(
                tag.span, "a tag after a deal", "tags come before the first deal"
            )
            take = self.refuse if tag.name in JUDGING_TAGS else self.add_finding
            take(finding)
            return
        if tag.name in self._names:
            self._report(_finding("duplicate-tag", "twice", tag.span, name=tag.name))
        self._names.add(tag.name)
        self._tags.append(self._commented(tag))

    def _open(self, deal: Deal) -> None:
        self._close()
        self._lost = False
        self._head = self._commented(deal)
        self._rank = ORDER[Deal][0]

    def _close(self) -> None:
        head = self._head
        if head is not None:
            self._drop_doubled()
            self._lines["play"] = self._play
            held: list[Any] = []
            for name, many in LINE_FIELDS.items():
                lines = self._lines.get(name, [])
                held.append(tuple(lines) if many else next(iter(lines), None))
            deal = _make_deal(
                head.number,
                head.dealer,
                *held,
                head.before,
                head.comment,
                head.span,
                head.dealer_at,
                tuple(self._unread_lines),
            )
            self._deals.append(deal)
        self._head, self._rank, self._late = None, 0, None
        self._play, self._lines, self._unread_lines = [], {}, []
        self._once, self._twice = set(), set()

    def _drop_doubled(self) -> None:
        """Leave out melds, threes and hands at the end that two lines show: neither shows all."""
        for key in self._twice:
            lines = self._lines[_KINDS[key[0]].field]
            doubled = next(line for line in lines if _key(line) == key)
            self.skip(span_of(doubled).line)
            lines.remove(doubled)

    def _add_lost(self, line: Line) -> None:
        """Leave out a line that belongs to no deal; report the first such line."""
        if self._lost:
            self.skip(span_of(line).line)
            return
        self._begin_lost(line, f"{ORDER[type(line)][1]} before any `deal` line")

    def _begin_lost(self, line: Line, message: str, more_help: str = "") -> None:
        """Report the first line of a deal without its `deal` line, and leave out its lines."""
        self._lost = True
        help_text = "begin the deal with a line such as `deal 1 dealer N`" + more_help
        self._refuse(span_of(line), message, help_text)

    def _add_line(self, line: Line) -> None:
        rank, called = ORDER[type(line)]
        if isinstance(line, HandLine) and self._rank >= ORDER[EndLine][0]:
            self._close()
            message = f"{called} of a deal without its `deal` line"
            self._begin_lost(line, message, "; a hand at the end of a deal is `left N 4s 5d`")
            return
        key = _key(line)
        owned = isinstance(line, PacketLine) and line.seat and key not in self._once
        if owned and self._rank >= ORDER[EndLine][0]:
            # Feet that nobody picked up are turned up when the deal has ended.
            self._keep(self._commented(line))
            self._once.add(key)
            return
        if key in self._once:
            self._refuse_second(line)
        elif rank < self._rank:
            message = f"{called} after {_kind_name(self._rank)}"
            late = replace(syntax_error(span_of(line), message, _ORDER_HELP), follows=self._late)
            self.refuse(late)
            self._late = self._late or late
        else:
            self._late = self._late if rank == self._rank else None
            self._rank = rank
            self._keep(self._commented(line))
            if _KINDS[key[0]].once and key[1]:
                self._once.add(key)

    def _refuse_second(self, line: Line) -> None:
        """Report a second line of its kind in the deal."""
        kind, whose = _key(line)
        called = ORDER[kind][1].split(" ", 1)[1]
        help_text = "keep one of the two lines"
        if isinstance(line, HandLine | MeldsLine | ThreesLine | LeftLine):
            help_text = "write all the cards in one line, and keep only that line"
        self._refuse(span_of(line), f"a second {called} {whose}", help_text)
        if isinstance(line, MeldsLine | ThreesLine | LeftLine):
            self._twice.add((kind, whose))

    def _keep(self, line: Line) -> None:
        if isinstance(line, Turn | Ruling):
            self._play.append(line)
        else:
            self._lines.setdefault(_KINDS[type(line)].field, []).append(line)

    def _commented(self, line: _L) -> _L:
        """Return the line with the comments above it."""
        if not self._comments:
            return line
        comments, self._comments = tuple(self._comments), []
        return replace(line, before=comments)

    def _check_version(self, first: Span, *, version_unread: bool) -> None:
        tags = sorted(self._tags, key=lambda tag: tag.name != "CGN")
        tag = next((tag for tag in tags if tag.name.upper() == "CGN"), None)
        if tag is not None and tag.name != "CGN":
            facts = {"name": tag.name, "version": VERSION}
            self._report(_finding("version", "spelled", tag.span, **facts))
        elif tag is not None and tag.value != VERSION:
            facts = {"value": tag.value, "version": VERSION}
            self._report(_finding("version", "other", tag.value_span, **facts))
        elif tag is None and not version_unread:
            self._report(_finding("version", "missing", first, version=VERSION))

    def _refuse(self, span: Span, message: str, help_text: str) -> None:
        self.refuse(syntax_error(span, message, help_text))

    def _report(self, finding: Finding) -> None:
        deal = len(self._deals) + 1 if self._head is not None else None
        self._problems.count += 1
        self.findings.append(replace(finding, game=self._number, deal=deal))


def tag_problems(game: Game, number: int) -> tuple[Finding, ...]:
    """Return what is wrong with the tags of a game that was not read from text."""
    assembler = Assembler(number, Problems(len(game.tags)))
    for tag in game.tags:
        assembler.add(tag)
    assembler.finish()
    return tuple(assembler.findings)


def _key(line: Line) -> tuple[type, str]:
    """Return the kind of a line, and where it may occur once: `for N`, `in this deal`."""
    kind = type(line), "in this deal"
    match _KINDS[type(line)].once:
        case "seat" | "side" as owner:
            return kind[0], f"for {getattr(line, owner)}"
        case "packet" if isinstance(line, PacketLine):
            return kind[0], f"for {line.seat}" if line.seat else ""
    return kind


def _finding(code: str, message: str, span: Span, **facts: str) -> Finding:
    """Return a finding with a message of the catalogue, filled with `facts`."""
    return entry(code).finding(message, facts, span)


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
