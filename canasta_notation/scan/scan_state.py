"""The state of a scan: the bytes of a game, what was read last, and the standing of the game."""

from __future__ import annotations

from typing import Final, cast

from canasta_notation.arrays import COMPILED, zeros
from canasta_notation.counts import i64, vec
from canasta_notation.engine.progress import Progress
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import Sheet
from canasta_notation.engine.table import NO_CARDS, NO_TOTALS, Table
from canasta_notation.rules import Profile, load_profile

#: The value of a byte that means nothing.
NONE: Final = 255
#: No list has more cards than a deck.
MOST_CARDS: Final = 256

#: A turn: deal, turn, line, seat, side, took, pile, drawn, laid, ranks, opening, canastas, discard,
#: asked, out, hand, stock, seconds. `corpus.columns` describes the columns of the same names.
TurnRow = tuple[
    int, int, int, str, str, bool, int | None, str | None, int, str, int | None, int, str | None,
    str | None, bool, int, int, float | None,
]  # fmt: skip


class KeptDeal:
    """A deal that was scanned: the table at its end, and the lines after its turns.

    `line` is its first line in the file. `totals` are the sides' totals after the deal. `penalties`
    are (side, points, word), with positive points. `sheets` are the sides' scores, and `claimed`
    are the items that the record claims for each side, in its order.
    """

    def __init__(self, line: i64, sides: i64) -> None:
        self.line: int = line
        self.progress = Progress(sides)
        self.penalties: list[tuple[str, int, str]] = []
        self.totals: list[int] = []
        self.sheets: list[Sheet] = []
        self.claimed: list[list[int]] = []
        self.closing = b""
        self.table: Table | None = None


class Kept:
    """What reports and a corpus need from a game: every deal, and the rows of its turns.

    It is valid only after the whole game has been scanned.
    """

    def __init__(self) -> None:
        self.deals: list[KeptDeal] = []
        self.turns: list[TurnRow] = []


class Reader:
    """The game that is being scanned; one reader scans the games of a stream one after the other.

    `totals` and `winner` are those after the deals scanned so far; `deals` and `turns` count them.
    With `keep`, a scan takes half as long again, so a validation does without it.
    """

    __slots__ = (
        "by_default", "card", "count", "data", "dealer", "deals", "hands", "head", "keep", "kept",
        "lines", "listed", "number", "override", "profile", "read", "replacements", "result",
        "rules", "seated", "seats", "sheets", "side_words", "stock", "table", "tags", "talons",
        "text", "totals", "turns", "up", "winner",
    )  # fmt: skip

    def __init__(self, override: Profile | None = None, *, keep: bool = False) -> None:
        #: The rules that replace the records' own, and whether reports will be needed.
        self.override = override
        self.keep = keep
        #: The bytes of the game and `pieces.PADDING`: `text` to be searched, `data` to be read byte
        #: by byte, for which a list is faster if nothing is compiled.
        self.text = self.data = b""
        #: The places of the tags' values, by name, and of the result, or -1.
        self.tags: dict[bytes, int] = {}
        self.result: i64 = -1
        #: Whether the game names no rules and is judged by the default ones.
        self.by_default = False
        #: Where the first deal begins.
        self.head: i64 = 0
        #: How many lines of the file have been read to their end.
        self.lines: i64 = 0
        self.number: i64 = 0
        self.card: i64 = NONE
        #: Cards read last, in the first `count` places.
        self.read: vec[i64] = zeros(MOST_CARDS)
        self.count: i64 = 0
        #: The cards of the list read last.
        self.listed: vec[i64] = NO_CARDS
        #: A bit for each seat with a hand line.
        self.seated: i64 = 0
        self.up: vec[i64] = NO_CARDS
        self.stock: vec[i64] = NO_CARDS
        self.talons: tuple[list[int], ...] = ()
        self.kept: Kept | None = None
        self.dealer: i64 = -1
        self.totals: list[int] = []
        self.winner: i64 = -1
        self.deals: i64 = 0
        self.turns: i64 = 0
        profile = override or load_profile("classic")
        self.profile = profile
        self.rules = rules_of(profile)
        self.seats: vec[i64] = self.rules.seat_at
        self.side_words: list[bytes] = []
        #: By seat, the hand as dealt and its replacements.
        self.hands: vec[vec[i64]] = vec[vec[i64]]()
        self.replacements: vec[vec[i64]] = vec[vec[i64]]()
        #: The table of the deal being scanned.
        self.table = Table(self.rules, -1, NO_TOTALS, has_stock=False)
        #: The sides' scores in that deal.
        self.sheets: list[Sheet] = []
        use_rules(self, profile, self.rules)


def use_rules(reader: Reader, profile: Profile, rules: Rules) -> None:
    """Make a reader use the rules of a profile."""
    reader.profile, reader.rules = profile, rules
    reader.seats = rules.seat_at
    reader.side_words = [f"{side} ".encode() for side in rules.sides]
    reader.hands = vec[vec[i64]]([NO_CARDS] * rules.players)
    reader.replacements = vec[vec[i64]]([NO_CARDS] * rules.players)
    reader.table = Table(rules, -1, NO_TOTALS, has_stock=False)
    reader.sheets = [Sheet() for _ in rules.sides]


def begin_game(reader: Reader, record: bytes, line: i64) -> None:
    """Give a reader the bytes of a game, which end with `pieces.PADDING`, and its first line."""
    reader.text = record
    reader.data = record if COMPILED else cast(bytes, list(record))
    reader.kept = Kept() if reader.keep else None
    reader.lines = line - 1
    reader.deals = reader.turns = 0
    reader.winner = -1
