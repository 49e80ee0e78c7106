"""A record as a document: frozen values, one for each line, with the place of every token.

Values are equal if they record the same; places are not compared. Card lists are as they were
written; `format.canonical` sorts those that have no order of their own. Every line has `before`,
the comments above it, and `comment`, the comment on the same line (without the `;` and one space
after it; None if there is none). Each value raises ValueError for a field of the wrong type, and
for whatever the notation cannot spell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex, overload

from canasta_notation.cards import UNKNOWN
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.english import count
from canasta_notation.fields import (
    ALL_COLUMNS,
    CARDS,
    CLOCK,
    COLUMNS,
    FINDINGS,
    FLAG,
    GLYPHS,
    LINES,
    NUMBER,
    NUMBER_OR_NONE,
    OUT_MARK,
    PACKET_WORD,
    PACKET_WORDS,
    POINTS,
    REASON,
    SEAT,
    SIDE,
    SOME_CARDS,
    TAG_NAME,
    TEXT_LINE,
    TEXT_LINES,
    WORD,
    Test,
    check,
    figures,
    matching,
    one_for_each,
    one_of,
    optional,
    show,
    tuple_of,
)
from canasta_notation.findings import Finding, Span
from canasta_notation.names import names_in
from canasta_notation.notebook import table_html
from canasta_notation.rules.items import SCORED

NOWHERE = Span(0, 0, 0)
#: Why a deal counts nothing: the table dealt it again, or time ran out for the game.
VOID, TIME = "void", "time"
UNCOUNTED = (VOID, TIME)
#: The tags that decide how a game's deals are judged.
JUDGING_TAGS = ("CGN", "Rules", "Target", "Dealer")
#: Column and end column (from 1, exclusive) of a word in its line.
Columns = tuple[int, int]

#: A letter for each kind of action, and the order of the letters in a turn.
_LETTERS = {
    TableThrees: "h",
    Draw: "d",
    Take: "d",
    Ask: "l",
    Lay: "l",
    Combine: "l",
    TakeBack: "b",
    LaySpecial: "l",
    Discard: "x",
}
TURN_ORDER = re.compile("h?d?[lp]*(?:b[lp]*)?x?[kp]?")


def _letter(action: object) -> str:
    return PACKET_WORDS[action.word] if type(action) is TakePacket else _LETTERS[type(action)]


_ACTIONS: Test = (
    lambda value: (
        type(value) is tuple
        and all(type(each) is TakePacket or type(each) in _LETTERS for each in value)
        and TURN_ORDER.fullmatch("".join(map(_letter, value))) is not None
    ),
    "a tuple of actions in order: threes, a draw or take, asking, groups and one take-back, a "
    "discard, a packet",
)
_GROUPS = tuple_of(Lay)
_COMMENT = optional(TEXT_LINE)
_ITEMS = optional(figures(matching("|".join(SCORED), "the name of an item")))
_TOTALS = figures(SIDE)
_SPAN: Test = (
    lambda value: type(value) is Span and all(type(each) is int for each in value),
    "a Span of whole numbers",
)
#: The comments of a line.
_NOTES = {"before": TEXT_LINES, "comment": _COMMENT}
#: The same, and its place.
_LINE = _NOTES | {"span": _SPAN}
_SEAT_OR_NONE = optional(SEAT)
_NO_SEAT = one_of(type(None))
_NOT: Test = (lambda value: value is False, "False, as only `out` can be concealed")


@dataclass(frozen=True, slots=True)
class Tag:
    """`[Name "value"]`; the value is unescaped."""

    name: str
    value: str
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    #: The place of the value, with its quotation marks.
    value_span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, name=TAG_NAME, value=TEXT_LINE, value_span=_SPAN, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class HandLine:
    """`N: ... +6c ~code`: a hand as dealt, then the cards that replaced its threes."""

    seat: str
    cards: tuple[int, ...]
    rest_unknown: bool = False
    replacements: tuple[int, ...] = ()
    acknowledged: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    acknowledged_at: tuple[Columns, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check(
            self,
            seat=SEAT,
            cards=CARDS,
            rest_unknown=FLAG,
            replacements=CARDS,
            acknowledged=FINDINGS,
            acknowledged_at=ALL_COLUMNS,
            **_LINE,
        )

    __repr__ = show


@dataclass(frozen=True, slots=True)
class UpLine:
    """`up ...`: the cards turned up to start the pile, the last one on top."""

    cards: tuple[int, ...]
    acknowledged: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    acknowledged_at: tuple[Columns, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check(self, cards=SOME_CARDS, acknowledged=FINDINGS, acknowledged_at=ALL_COLUMNS, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class StockLine:
    """`stock ...`: the undealt cards, in the order in which they leave the stock."""

    cards: tuple[int, ...]
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, cards=SOME_CARDS, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class PacketLine:
    """`talon 4s 5d`, `pot ...` or `foot N ...`: the cards of one packet.

    `word` is the word that begins the line; a foot has the `seat` whose it is. `rest_unknown` says
    that `...` follows the cards.
    """

    word: str
    cards: tuple[int, ...]
    seat: str | None = None
    rest_unknown: bool = False
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        owned = self.word == "foot"
        check(
            self,
            word=PACKET_WORD,
            cards=CARDS if owned else SOME_CARDS,
            seat=SEAT if owned else _NO_SEAT,
            rest_unknown=FLAG,
            **_LINE,
        )

    def filled(self, sizes: tuple[int, ...]) -> list[int]:
        """Return its cards; those that `...` stands for are unknown. `sizes` are those due."""
        unseen = max(sizes, default=0) - len(self.cards) if self.rest_unknown else 0
        return [*self.cards, *[UNKNOWN] * unseen]

    __repr__ = show


def packet_lines(
    word: str, seats: str, packets: Iterable[tuple[int, ...]]
) -> tuple[PacketLine, ...]:
    """Return the lines of packets that a record calls `word`, in order; feet by `seats`."""
    if word != "foot":
        return tuple(PacketLine(word, cards) for cards in packets)
    return tuple(PacketLine(word, cards, seat) for seat, cards in zip(seats, packets, strict=True))


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `actions` are in the order written: threes that were kept, the draw or take,
    groups, asking and cards taken back, the discard and the packet.

    `number` is the claimed turn number, `open` is the claimed opening count, `out` is "", "#" or
    "##", `clock` is the seconds as written, and `annotations` are PGN glyphs and `$` numbers.
    """

    number: int | None
    seat: str
    actions: tuple[Action, ...]
    open: int | None = None
    out: str = ""
    acknowledged: tuple[str, ...] = ()
    clock: str | None = None
    annotations: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    line: int = field(default=0, compare=False)
    number_at: Columns = field(default=(0, 0), compare=False)
    seat_at: Columns = field(default=(0, 0), compare=False)
    #: One place for each action; for a draw of several words, from the first word to the last.
    actions_at: tuple[Columns, ...] = field(default=(), compare=False)
    open_at: Columns = field(default=(0, 0), compare=False)
    out_at: Columns = field(default=(0, 0), compare=False)
    acknowledged_at: tuple[Columns, ...] = field(default=(), compare=False)

    def begin(self) -> Action | None:
        """Return the action that follows any threes tabled first: usually the draw or the take."""
        after = (each for each in self.actions if not isinstance(each, TableThrees))
        return next(after, None)

    def __post_init__(self) -> None:
        check(
            self,
            number=NUMBER_OR_NONE,
            seat=SEAT,
            actions=_ACTIONS,
            open=NUMBER_OR_NONE,
            out=OUT_MARK,
            acknowledged=FINDINGS,
            clock=CLOCK,
            annotations=GLYPHS,
            **_NOTES,
            line=NUMBER,
            number_at=COLUMNS,
            seat_at=COLUMNS,
            actions_at=ALL_COLUMNS,
            open_at=COLUMNS,
            out_at=COLUMNS,
            acknowledged_at=ALL_COLUMNS,
        )

    __repr__ = show


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """`penalty EW 50 upcard`: points (positive) taken from a side, and a word that says why."""

    side: str
    points: int
    word: str
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, side=SIDE, points=NUMBER, word=WORD, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class BonusLine:
    """`bonus NS 100 cut`: points given to a side by the table, and a word that says why."""

    side: str
    points: int
    word: str
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, side=SIDE, points=NUMBER, word=WORD, **_LINE)

    __repr__ = show


Ruling = PenaltyLine | BonusLine


@dataclass(frozen=True, slots=True)
class EndLine:
    """`end out S concealed`, `end special S`, `end stock`, `end unfinished` and the like.

    `end void`: the deal is dealt again; `end time`: the game is over. Such a deal counts nothing.
    """

    reason: str
    seat: str | None = None
    concealed: bool = False
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        by = SEAT if self.reason in ("out", "special") else _NO_SEAT
        concealed = FLAG if self.reason == "out" else _NOT
        check(self, reason=REASON, seat=by, concealed=concealed, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class MeldsLine:
    """`melds NS K:KsKsKh 3:3s3c3c`: the side's melds as they lay at the end of the deal."""

    side: str
    groups: tuple[Lay, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    groups_at: tuple[Columns, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check(self, side=SIDE, groups=_GROUPS, groups_at=ALL_COLUMNS, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class ThreesLine:
    """`threes NS 3h 3r`: the threes that the side had tabled."""

    side: str
    cards: tuple[int, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, side=SIDE, cards=CARDS, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class LeftLine:
    """`left S 3s 7 ...`: the cards left in the seat's hand at the end of the deal."""

    seat: str
    cards: tuple[int, ...] = ()
    rest_unknown: bool = False
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        check(self, seat=SEAT, cards=CARDS, rest_unknown=FLAG, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`score NS 1245 = melds 365 ...`; `items` is None if only the score was written."""

    side: str
    score: int
    items: tuple[tuple[str, int], ...] | None = None
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    #: The place of each item, name and points together; then that of the score.
    items_at: tuple[Columns, ...] = field(default=(), compare=False)
    score_at: Columns = field(default=(0, 0), compare=False)

    def __post_init__(self) -> None:
        check(self, side=SIDE, score=POINTS, items=_ITEMS)
        check(self, items_at=ALL_COLUMNS, score_at=COLUMNS, **_LINE)

    __repr__ = show


@dataclass(frozen=True, slots=True)
class TotalLine:
    """`total NS 1245 EW -85`: (side, total) in the order written."""

    totals: tuple[tuple[str, int], ...]
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    totals_at: tuple[Columns, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check(self, totals=_TOTALS, totals_at=ALL_COLUMNS, **_LINE)

    __repr__ = show


_HANDS = one_for_each(HandLine, "seat")
_UP = one_of(UpLine, type(None))
_STOCK = one_of(StockLine, type(None))
_PACKETS = tuple_of(PacketLine)
_PLAY = tuple_of(Turn, PenaltyLine, BonusLine)
_END = one_of(EndLine, type(None))
_MELDS = one_for_each(MeldsLine, "side")
_THREES = one_for_each(ThreesLine, "side")
_LEFT = one_for_each(LeftLine, "seat")
_SCORES = one_for_each(ScoreLine, "side")
_TOTAL = one_of(TotalLine, type(None))


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: its `deal` line (`number`, `dealer`, comments), then its other lines in order.

    `unread` are the numbers of the deal's lines that could not be read.
    """

    number: int
    dealer: str | None = None
    hands: tuple[HandLine, ...] = ()
    up: UpLine | None = None
    stock: StockLine | None = None
    packets: tuple[PacketLine, ...] = ()
    play: tuple[Turn | Ruling, ...] = ()
    end: EndLine | None = None
    melds: tuple[MeldsLine, ...] = ()
    threes: tuple[ThreesLine, ...] = ()
    left: tuple[LeftLine, ...] = ()
    scores: tuple[ScoreLine, ...] = ()
    total: TotalLine | None = None
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    dealer_at: Columns = field(default=(0, 0), compare=False)
    unread: tuple[int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check(
            self,
            number=NUMBER,
            dealer=_SEAT_OR_NONE,
            hands=_HANDS,
            up=_UP,
            stock=_STOCK,
            packets=_PACKETS,
            play=_PLAY,
            end=_END,
            melds=_MELDS,
            threes=_THREES,
            left=_LEFT,
            scores=_SCORES,
            total=_TOTAL,
            dealer_at=COLUMNS,
            unread=LINES,
            **_LINE,
        )

    def __repr__(self) -> str:
        dealer = f", dealer {self.dealer}" if self.dealer else ""
        return f"<Deal {self.number}{dealer}, {count(self.turns, 'turn')}>"

    @property
    def turns(self) -> int:
        """The number of turns."""
        return sum(isinstance(line, Turn) for line in self.play)

    @property
    def end_lines(self) -> tuple[MeldsLine | ThreesLine | LeftLine, ...]:
        """The lines of the table at the end, in order."""
        return (*self.melds, *self.threes, *self.left)

    @property
    def final_groups(self) -> Iterator[tuple[MeldsLine, Lay]]:
        """The groups of a deal of which only the table at the end is written, with their lines."""
        lines = self.melds if self.is_final_table else ()
        return ((line, group) for line in lines for group in line.groups)

    @property
    def is_final_table(self) -> bool:
        """Whether the table at the end is written, and no turn."""
        return bool(self.end_lines) and not any(isinstance(line, Turn) for line in self.play)


class Tags(tuple[Tag, ...]):
    """Tags in the order written; `tags["Event"]` is the value of the first one of that name.

    `"Event" in tags` says whether there is one.
    """

    __slots__ = ()

    @overload
    def __getitem__(self, at: str) -> str: ...
    @overload
    def __getitem__(self, at: SupportsIndex) -> Tag: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Tag, ...]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return the tag at a place, or the value of a name. Raises KeyError for a missing name."""
        if not isinstance(at, str):
            return super().__getitem__(at)
        for tag in self:
            if tag.name == at:
                return tag.value
        raise KeyError(at)

    def __contains__(self, item: object) -> bool:
        """Return whether there is this tag, or one of this name."""
        if not isinstance(item, str):
            return super().__contains__(item)
        return any(tag.name == item for tag in self)


_TAGS: Test = (
    lambda value: type(value) in (tuple, Tags) and all(type(each) is Tag for each in value),
    "a tuple of Tag",
)
_DEALS = tuple_of(Deal)
_PROBLEMS = tuple_of(Finding)
_FILE = one_of(str)


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its `Tags`, deals, and the comments after its last line.

    `unread` are the numbers of lines before the first deal that could not be read and may be a tag
    that decides how deals are judged. `lost` are the numbers of the lines of deals whose `deal`
    line could not be read or is missing. `problems` are the reader's findings. `file` is the name
    of the file, "" if there is none, and `number` is the game's place in it, from 1.
    """

    tags: Tags
    deals: tuple[Deal, ...]
    comments: tuple[str, ...] = ()
    #: The first line of the game.
    span: Span = field(default=NOWHERE, compare=False)
    unread: tuple[int, ...] = field(default=(), compare=False)
    lost: tuple[int, ...] = field(default=(), compare=False)
    problems: tuple[Finding, ...] = field(default=(), compare=False)
    file: str = field(default="", compare=False)
    number: int = field(default=1, compare=False)

    if TYPE_CHECKING:
        # Any tuple of tags can be given.
        def __init__(
            self,
            tags: tuple[Tag, ...],
            deals: tuple[Deal, ...],
            comments: tuple[str, ...] = (),
            span: Span = NOWHERE,
            unread: tuple[int, ...] = (),
            lost: tuple[int, ...] = (),
            problems: tuple[Finding, ...] = (),
            file: str = "",
            number: int = 1,
        ) -> None: ...

    def __post_init__(self) -> None:
        check(
            self,
            tags=_TAGS,
            deals=_DEALS,
            comments=TEXT_LINES,
            span=_SPAN,
            unread=LINES,
            lost=LINES,
            problems=_PROBLEMS,
            file=_FILE,
            number=NUMBER,
        )
        object.__setattr__(self, "tags", Tags(self.tags))

    def __repr__(self) -> str:
        event, rules = self.tag("Event"), self.tag("Rules")
        name = f"{event.value!r}, " if event else ""
        deals = count(len(self.deals), "deal")
        return f"<Game {name}{(rules and rules.value) or 'classic'}, {deals}>"

    def _repr_html_(self) -> str:
        """Return the tags, and how many turns each deal has, for a notebook."""
        rows = [(tag.name, tag.value) for tag in self.tags]
        rows += [(f"deal {deal.number}", count(deal.turns, "turn")) for deal in self.deals]
        return table_html(("", "game"), rows)

    def tag(self, name: str) -> Tag | None:
        """Return the first tag of that name."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def names(self, seats: str, deal: int | None = None) -> dict[str, str]:
        """Return the names of the players by their seats, as `names.names_in` has them."""
        return names_in({tag.name: tag.value for tag in reversed(self.tags)}, seats, deal)


Line = (
    Tag
    | HandLine
    | UpLine
    | StockLine
    | PacketLine
    | Turn
    | PenaltyLine
    | BonusLine
    | EndLine
    | MeldsLine
    | ThreesLine
    | LeftLine
    | ScoreLine
    | TotalLine
)


class LineKind(NamedTuple):
    """A kind of line in a deal.

    `field` is the field of `Deal` that holds its lines, `keywords` are the words that can begin it
    (none for a hand and a turn), and `called` is its name in messages. `once` says which part may
    have only one such line: the "deal", or each "seat", "side" or owned "packet" in it; "" if
    there may be any number.
    """

    kind: type
    field: str
    keywords: tuple[str, ...]
    called: str
    once: str


#: The kinds of lines in a deal, in the order of the lines.
DEAL_LINES: Final = (
    LineKind(HandLine, "hands", (), "a hand line", "seat"),
    LineKind(UpLine, "up", ("up",), "an `up` line", "deal"),
    LineKind(StockLine, "stock", ("stock",), "a `stock` line", "deal"),
    LineKind(PacketLine, "packets", (*PACKET_WORDS,), "a `foot`, `pot` or `talon` line", "packet"),
    LineKind(Turn, "play", (), "a turn", ""),
    LineKind(PenaltyLine, "play", ("penalty",), "a `penalty` line", ""),
    LineKind(BonusLine, "play", ("bonus",), "a `bonus` line", ""),
    LineKind(EndLine, "end", ("end",), "an `end` line", "deal"),
    LineKind(MeldsLine, "melds", ("melds",), "a `melds` line", "side"),
    LineKind(ThreesLine, "threes", ("threes",), "a `threes` line", "side"),
    LineKind(LeftLine, "left", ("left",), "a `left` line", "seat"),
    LineKind(ScoreLine, "scores", ("score",), "a `score` line", "side"),
    LineKind(TotalLine, "total", ("total",), "a `total` line", "deal"),
)
#: The fields of `Deal` that hold its lines, in order; whether each is a tuple or one line or None.
LINE_FIELDS: Final = {each.field: each.once != "deal" for each in DEAL_LINES}
KEYWORDS: Final = ("deal", *(word for each in DEAL_LINES for word in each.keywords))


def is_same(one: object, other: object) -> bool:
    """Return whether two values of a record are equal and have the same places."""
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if is_dataclass(one):
        names = [each.name for each in fields(one)]
        return all(is_same(getattr(one, name), getattr(other, name)) for name in names)
    return one == other


def comments_of(line: Deal | Line | None) -> tuple[str, ...]:
    """Return the comments above a line and on it."""
    return () if line is None else (*line.before, *([line.comment] if line.comment else []))
