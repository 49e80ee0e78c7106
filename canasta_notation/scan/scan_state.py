"""The state of a scan: the bytes of a game, what was read last, and the standing of the game."""

from __future__ import annotations

from typing import Final, cast

from canasta_notation.arrays import COMPILED, array
from canasta_notation.counts import i64, vec
from canasta_notation.engine.progress import Progress
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.table import NO_TOTALS, Table

#: The value in a table of bytes for nothing.
NONE: Final = 255
#: No list has more cards than a deck.
MOST_CARDS: Final = 256
NO_CARDS: Final[vec[i64]] = vec[i64]()
_UNREAD: Final[vec[i64]] = array([0] * MOST_CARDS)

#: A turn: deal, turn, line, seat, side, took, pile, drawn, laid, ranks, opening, canastas, discard,
#: asked, out, hand, stock, seconds; as the columns of that name in `corpus.columns` describe them.
#: Lines count from 1 at the game's first deal.
TurnRow = tuple[
    int, int, int, str, str, bool, int | None, str | None, int, str, int | None, int, str | None,
    str | None, bool, int, int, float | None,
]  # fmt: skip


class KeptDeal:
    """A deal that was scanned: the table at its end, and the lines after its turns.

    `line` counts from 1 at the game's first deal; `totals` are the sides' after the deal;
    `penalties` are (side, points, word), points positive.
    """

    def __init__(self, line: i64) -> None:
        self.line = line
        self.progress = Progress()
        self.penalties: list[tuple[str, int, str]] = []
        self.totals: list[int] = []
        self.closing = b""
        self.table: Table | None = None


class Kept:
    """What reports and tables of a corpus tell of a game: every deal, and a row of every turn.

    It is valid only once the whole game has been scanned.
    """

    def __init__(self) -> None:
        self.deals: list[KeptDeal] = []
        self.rows: list[TurnRow] = []


class Reader:
    """A game being scanned: `data` from its first deal line on, padded with `pieces.PADDING`.

    `totals` and `winner` are those after the deals scanned so far; `deals` and `turns` count them.
    Keeping what `Kept` holds costs half a scan more, so that a validation does without it.
    """

    __slots__ = (
        "card", "count", "data", "dealer", "deals", "hands", "kept", "lines", "listed", "number",
        "read", "replacements", "rules", "seated", "seats", "side_words", "stock", "table",
        "talons", "text", "totals", "turns", "up", "winner",
    )  # fmt: skip

    def __init__(self, data: bytes, rules: Rules, dealer: i64, *, keep: bool = False) -> None:
        #: The bytes, to be searched; and to be read one by one, which a list is faster for if
        #: nothing is compiled.
        self.text = data
        self.data = data if COMPILED else cast(bytes, list(data))
        self.rules = rules
        self.seats = rules.seat_at
        self.side_words: list[bytes] = [f"{side} ".encode() for side in rules.sides]
        #: How many lines have been read to their end.
        self.lines: i64 = 0
        self.number: i64 = 0
        self.card: i64 = NONE
        #: Cards read last, in the first `count` places.
        self.read: vec[i64] = _UNREAD[:]
        self.count: i64 = 0
        #: The cards of the list read last.
        self.listed: vec[i64] = NO_CARDS
        #: By seat, the hand as dealt and its replacements; a bit for each seat with a hand line.
        self.hands: list[vec[i64]] = [NO_CARDS] * rules.players
        self.replacements: list[vec[i64]] = [NO_CARDS] * rules.players
        self.seated: i64 = 0
        self.up: vec[i64] = NO_CARDS
        self.stock: vec[i64] = NO_CARDS
        self.talons: tuple[list[int], ...] = ()
        #: The table of the deal that is on.
        self.table = Table(rules, -1, NO_TOTALS, has_stock=False)
        self.kept: Kept | None = Kept() if keep else None
        self.dealer: i64 = dealer
        self.totals: list[int] = [0] * len(rules.sides)
        self.winner: i64 = -1
        self.deals: i64 = 0
        self.turns: i64 = 0
