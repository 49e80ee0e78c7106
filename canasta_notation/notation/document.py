"""A record as a document: frozen values, one for each line, with the place of every token.

Equality compares what is recorded and ignores places. Card lists stand as they were written;
`format.canonical` sorts those that have no order of their own. Every line value has `before`, the
comments that stood alone above it, and `comment`, the one on its own line (without the `;` and one
blank after it; None where there is none).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from canasta_notation.engine.actions import Action, Lay
from canasta_notation.findings import Span

NOWHERE = Span(0, 0, 0)
#: The tags that say how a game's deals are to be judged.
JUDGING_TAGS = ("CGN", "Rules", "Target", "Dealer")
#: Column and end column (from 1, exclusive) of a word in its line.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tag:
    """`[Name "value"]`; the value is unescaped."""

    name: str
    value: str
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    #: Of the value, its quotes included.
    value_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class HandLine:
    """`N: ... +6c ~code`: a hand as dealt, then the replacements pulled for its threes."""

    seat: str
    cards: tuple[int, ...]
    rest_unknown: bool = False
    replacements: tuple[int, ...] = ()
    acknowledged: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    acknowledged_at: tuple[Place, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UpLine:
    """`up ...`: the cards turned to start the pile, the last one on top."""

    cards: tuple[int, ...]
    acknowledged: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    acknowledged_at: tuple[Place, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class StockLine:
    """`stock ...`: the undealt cards, first to leave first."""

    cards: tuple[int, ...]
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class TalonLine:
    """`talon ...`: the cards of one talon."""

    cards: tuple[int, ...]
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `actions` stand in the order written: draw or take first, discard and talon last.

    `number` is the claimed turn number, `open` the claimed opening count, `out` is "", "#" or "##",
    `clock` the seconds as written, `annotations` PGN glyphs and `$` numbers as written.
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
    number_at: Place = field(default=(0, 0), compare=False)
    seat_at: Place = field(default=(0, 0), compare=False)
    #: One place for each action; of a draw in several words, from the first to the last.
    actions_at: tuple[Place, ...] = field(default=(), compare=False)
    open_at: Place = field(default=(0, 0), compare=False)
    out_at: Place = field(default=(0, 0), compare=False)
    acknowledged_at: tuple[Place, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """`penalty EW 50 upcard`: points (written positive) taken from a side, and a word why."""

    side: str
    points: int
    word: str
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class EndLine:
    """`end out S concealed`, `end special S`, `end stock`, `end unfinished`."""

    reason: str
    seat: str | None = None
    concealed: bool = False
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MeldsLine:
    """`melds NS K:KsKsKh 3:3s3c3c`: the side's melds as they lay at the end of the deal."""

    side: str
    groups: tuple[Lay, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    groups_at: tuple[Place, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ThreesLine:
    """`threes NS 3h 3r`: the threes that the side had tabled."""

    side: str
    cards: tuple[int, ...] = ()
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class LeftLine:
    """`left S 3s 7 ...`: the cards left in the seat's hand at the end of the deal."""

    seat: str
    cards: tuple[int, ...] = ()
    rest_unknown: bool = False
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`score NS 1245 = melds 365 ...`; `items` is None where only the score was written."""

    side: str
    score: int
    items: tuple[tuple[str, int], ...] | None = None
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    #: One place for each item, name and points together; then `score_at`, that of the score.
    items_at: tuple[Place, ...] = field(default=(), compare=False)
    score_at: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class TotalLine:
    """`total NS 1245 EW -85`: (side, total) in the order written."""

    totals: tuple[tuple[str, int], ...]
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    totals_at: tuple[Place, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: its line (`number`, `dealer`, comments), then its other lines in their order.

    `unread` are the line numbers, below the deal's own, that could not be read.
    """

    number: int
    dealer: str | None = None
    hands: tuple[HandLine, ...] = ()
    up: UpLine | None = None
    stock: StockLine | None = None
    talons: tuple[TalonLine, ...] = ()
    play: tuple[Turn | PenaltyLine, ...] = ()
    end: EndLine | None = None
    melds: tuple[MeldsLine, ...] = ()
    threes: tuple[ThreesLine, ...] = ()
    left: tuple[LeftLine, ...] = ()
    scores: tuple[ScoreLine, ...] = ()
    total: TotalLine | None = None
    before: tuple[str, ...] = ()
    comment: str | None = None
    span: Span = field(default=NOWHERE, compare=False)
    dealer_at: Place = field(default=(0, 0), compare=False)
    unread: tuple[int, ...] = field(default=(), compare=False)

    @property
    def turns(self) -> int:
        """The number of turns."""
        return sum(isinstance(line, Turn) for line in self.play)


@dataclass(frozen=True, slots=True)
class Game:
    """A game: tags in the order written, deals, and the comments after its last line.

    `unread` are the line numbers among the tags (before the first deal) that could not be read,
    `lost` those of deals whose own line could not be read or is missing.
    """

    tags: tuple[Tag, ...]
    deals: tuple[Deal, ...]
    comments: tuple[str, ...] = ()
    #: The first line of the game.
    span: Span = field(default=NOWHERE, compare=False)
    unread: tuple[int, ...] = field(default=(), compare=False)
    lost: tuple[int, ...] = field(default=(), compare=False)

    def tag(self, name: str) -> Tag | None:
        """Return the first tag of that name."""
        return next((tag for tag in self.tags if tag.name == name), None)


Line = (
    Tag
    | HandLine
    | UpLine
    | StockLine
    | TalonLine
    | Turn
    | PenaltyLine
    | EndLine
    | MeldsLine
    | ThreesLine
    | LeftLine
    | ScoreLine
    | TotalLine
)
