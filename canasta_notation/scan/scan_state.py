"""The state of a scan, and the pieces of the canonical spelling that are read into it.

The state is the bytes of a game, what was read last, and the standing of the game. The pieces are
cards, numbers, lists and lines. Each function `read_...` reads a piece from a position, and returns
the position after it, or -1 if the piece is not there in its canonical spelling. `match_totals`
also compares what it reads. At the end are the rows of turns, melds and items, for reports and for
a corpus.
"""

from __future__ import annotations

from string import ascii_letters
from typing import Final, cast

from canasta_notation.arrays import COMPILED, array, zeros
from canasta_notation.cards import (
    BLACK_THREE,
    CODE,
    JOKER,
    KINDS,
    LABELS,
    MOST_MELDS,
    PLACE_OF,
    PLACES,
    RANK_LETTERS,
    SEATS,
    TEXT,
    TWO,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.knowledge import unknown_melded
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import ItemSums
from canasta_notation.engine.seat_counts import UNCOUNTED, Progress, SeatCounts
from canasta_notation.engine.side import meld_kind, meld_places
from canasta_notation.engine.table import NO_CARDS, NO_TOTALS, OUT, YES, Table
from canasta_notation.engine.take import cards_taken
from canasta_notation.rules import Profile, load_profile
from canasta_notation.rules.items import ITEMS

#: The value of a byte that means nothing.
NONE: Final = 255
#: No list has more cards than a deck.
MOST_CARDS: Final = 256

#: A turn: deal, turn, line, seat, side, took, pile, draw, laid, labels, opening, canastas, discard,
#: asked, went_out, hand, stock, seconds, frozen, taken_frozen, laid_groups, back.
#: `corpus.columns` describes the columns of the same names.
TurnRow = tuple[
    int, int, int, str, str, bool, int | None, str | None, int, str, int | None, int, str | None,
    str | None, bool, int, int, float | None, bool, bool | None, list[str], str | None,
]  # fmt: skip
#: No groups, for a turn that lays none. Never changed.
_NO_GROUPS: Final[list[str]] = []
SPACE: Final = 32
NEWLINE: Final = 10
PLUS: Final = 43
SMALL_T: Final = 116
MINUS: Final = 45
DOT: Final = 46
COLON: Final = 58
STAR: Final = 42
CARET: Final = 94
SLASH: Final = 47
MORE: Final = 62
HASH: Final = 35
SEMICOLON: Final = 59
EQUALS: Final = 61
ZERO: Final = 48
NINE: Final = 57
#: The most bytes that are read after a position.
AHEAD: Final = 16
#: Bytes added to the end of the data, so that looking ahead never goes beyond it.
PADDING: Final = b"\n" + bytes(AHEAD)
_SUITS: Final = "shdc"
_BYTES: Final = 1 << 8
#: The most digits of a number, as in the grammar.
_DIGITS: Final = 9
#: A meld at a deal's end: side, rank, cards, naturals, twos, jokers, unknown, canasta, concealed,
#: points, turn, canasta_turn. `corpus.columns` describes the columns of the same names.
MeldRow = tuple[
    str, str, int, int, int, int, int, str | None, bool, int | None, int | None, int | None
]
#: An item of a side's score: side, item, points, claimed, agrees.
ScannedItemRow = tuple[str, str, int, int | None, bool | None]


class ScannedDeal:
    """A deal that was scanned: the table as its end leaves it, and the lines after its turns.

    `line` is its first line in the file. `up` are the cards turned up, None if there are none;
    `dealt` and `replaced` have for each seat its hand as dealt, and the cards that replaced its
    threes. `totals` are the sides' totals after the deal. `rulings` are
    (side, points, word), with negative points for a penalty. `sums` are the sides' scores, and
    `claimed` are the items that the record claims for each side, in its order; None if it claims
    no score.
    `totalled` has a bit for each side whose total it claims.
    """

    def __init__(self, scan: Scan, line: i64) -> None:
        table = scan.table
        seats = range(table.rules.players)
        self.line: int = line
        self.table = table
        self.up: str | None = format_codes(scan.up) or None
        self.dealt: list[str] = [format_codes(scan.hands[seat]) for seat in seats]
        self.replaced: list[str] = [format_codes(scan.replacements[seat]) for seat in seats]
        self.progress = Progress(len(table.rules.sides), table.places)
        self.seat_counts = SeatCounts(
            table, [self.dealt[seat] + self.replaced[seat] for seat in seats]
        )
        self.rulings: list[tuple[str, int, str]] = []
        self.totals: list[int] = []
        self.sums: list[ItemSums] = []
        self.claimed: list[list[int] | None] = [None] * len(table.rules.sides)
        self.totalled: int = 0


class ScannedGame:
    """What reports and a corpus need from a game: every deal, and the rows of its turns.

    It is valid only after the whole game has been scanned.
    """

    def __init__(self) -> None:
        self.deals: list[ScannedDeal] = []
        self.turns: list[TurnRow] = []


class Scan:
    """The game that is being scanned. One scan takes the games of a stream one after the other.

    `totals` and `winner` are those after the deals scanned so far; `deals` and `turns` count them.
    With `rows`, a scan also makes the rows of turns, which takes half as long again; a validation
    does not need them.
    """

    __slots__ = (
        "by_default",
        "card",
        "count",
        "data",
        "dealer",
        "deals",
        "hands",
        "head",
        "lines",
        "number",
        "override",
        "packets",
        "place",
        "read",
        "replacements",
        "rows",
        "rules",
        "scanned",
        "seated",
        "side_words",
        "stock",
        "sums",
        "table",
        "tags",
        "text",
        "tops",
        "totals",
        "turns",
        "up",
        "winner",
    )  # fmt: skip

    def __init__(self, override: Profile | None = None, *, rows: bool = False) -> None:
        #: The rules that replace the records' own, and whether reports will be needed.
        self.override = override
        self.rows = rows
        #: The bytes of the game and `PADDING`: `text` to be searched, `data` to be read byte
        #: by byte, for which a list is faster if nothing is compiled.
        self.text = self.data = b""
        #: The places of the tags' values, by name.
        self.tags: dict[bytes, int] = {}
        #: Whether the game names no rules and is judged by the default ones.
        self.by_default = False
        #: Where the first deal begins.
        self.head: i64 = 0
        #: How many lines of the file have been read to their end.
        self.lines: i64 = 0
        #: The place of the label read last.
        self.place: i64 = 0
        self.number: i64 = 0
        self.card: i64 = NONE
        #: Cards read last, in the first `count` places.
        self.read: vec[i64] = zeros(MOST_CARDS)
        self.count: i64 = 0
        #: A bit for each seat with a hand line.
        self.seated: i64 = 0
        self.up: vec[i64] = NO_CARDS
        self.stock: vec[i64] = NO_CARDS
        self.packets: tuple[tuple[int, list[int]], ...] = ()
        #: For each pile taken in the deal, its top and the place of the meld that the top joined.
        self.tops: list[tuple[int, int]] = []
        self.scanned: ScannedGame | None = None
        self.dealer: i64 = -1
        self.totals: list[int] = []
        self.winner: i64 = -1
        self.deals: i64 = 0
        self.turns: i64 = 0
        self.rules = rules_of(override or load_profile("classic"))
        self.side_words: list[bytes] = []
        #: By seat, the hand as dealt and its replacements.
        self.hands = vec[vec[i64]]([NO_CARDS] * max(SEATS))
        self.replacements = vec[vec[i64]]([NO_CARDS] * max(SEATS))
        #: The table of the deal being scanned.
        self.table = Table(self.rules, -1, NO_TOTALS, has_stock=False)
        #: The sides' scores in that deal.
        self.sums: list[ItemSums] = []
        use_rules(self, self.rules)


def use_rules(scan: Scan, rules: Rules) -> None:
    """Make a scan use these rules."""
    scan.rules = rules
    scan.side_words = [f"{side} ".encode() for side in rules.sides]
    scan.table = Table(rules, -1, NO_TOTALS, has_stock=False)
    scan.sums = [ItemSums() for _ in rules.sides]


def begin_game(scan: Scan, record: bytes, line: i64) -> None:
    """Give a scan the bytes of a game, which end with `PADDING`, and its first line."""
    scan.text = record
    scan.data = record if COMPILED else cast(bytes, list(record))
    scan.scanned = ScannedGame() if scan.rows else None
    scan.lines = line - 1
    scan.deals = scan.turns = 0
    scan.winner = -1


# --- the pieces -----------------------------------------------------------------------------------


def _by_byte(values: dict[str, int], other: int) -> vec[i64]:
    """Return for each byte the value of that letter, or `other` if it has none."""
    return array(values.get(chr(byte), other) for byte in range(_BYTES))


_SUITED_RANKS: Final = RANK_LETTERS[1 : TWO + 1]
#: By byte, the place in `CARD` of the rank with that letter; other bytes lead to no card.
FIRST: Final[vec[i64]] = _by_byte(
    {letter: at * _BYTES for at, letter in enumerate(_SUITED_RANKS)}, len(_SUITED_RANKS) * _BYTES
)
#: By the sum of that place and the next byte, the card that the two spell, or NONE.
CARD: Final[vec[i64]] = vec[i64](
    [
        CODE[letter + chr(byte)] if chr(byte) in _SUITS else NONE
        for letter in _SUITED_RANKS
        for byte in range(_BYTES)
    ]
    + [NONE] * _BYTES
)
#: By byte, the place that a label of one letter names, or NONE.
LABEL: Final[vec[i64]] = _by_byte(PLACE_OF, NONE)
#: A byte that a name can begin with; every byte of `_NAME` that is not 0 can continue one.
_LETTER: Final = 2
_NAME: Final[vec[i64]] = _by_byte(
    dict.fromkeys("0123456789_-", 1) | dict.fromkeys(ascii_letters, _LETTER), 0
)


def skip_empty(scan: Scan, pos: i64) -> i64:
    """Skip empty lines and lines with only a comment."""
    data = scan.data
    while True:
        if data[pos] == NEWLINE:
            pos += 1
        elif data[pos] == SEMICOLON:
            pos = scan.text.index(b"\n", pos) + 1
        else:
            return pos
        scan.lines += 1


def end_line(scan: Scan, pos: i64) -> i64:
    """Return the start of the next line if this one, except for a comment, ends here."""
    data = scan.data
    scan.lines += 1
    if data[pos] == NEWLINE:
        return pos + 1
    if data[pos] == SPACE and data[pos + 1] == SEMICOLON:
        return scan.text.index(b"\n", pos) + 1
    return -1


def next_line(scan: Scan, pos: i64) -> i64:
    """Return the start of the next line that is not empty, if this one ends here."""
    if pos >= 0:
        pos = end_line(scan, pos)
    if pos < 0:
        return -1
    return skip_empty(scan, pos)


def read_number(scan: Scan, pos: i64) -> i64:
    """Read a number without a sign into `number`."""
    data = scan.data
    value: i64 = 0
    start = pos
    byte: i64 = data[pos]
    while ZERO <= byte <= NINE:
        value = value * 10 + byte - ZERO
        pos += 1
        byte = data[pos]
    scan.number = value
    if start < pos <= start + _DIGITS:
        return pos
    return -1


def read_label(scan: Scan, pos: i64) -> i64:
    """Read the label of a meld, with or without a number, into `place`."""
    data = scan.data
    place: i64 = LABEL[data[pos]]
    pos += 1
    if data[pos] == SLASH:
        number: i64 = data[pos + 1] - ZERO
        if not 1 < number <= MOST_MELDS or place == BLACK_THREE:
            return -1
        place += (number - 1) * KINDS
        pos += 2
    if place >= PLACES:
        return -1
    scan.place = place
    return pos


def read_signed(scan: Scan, pos: i64) -> i64:
    """Read a number, with or without a minus sign, into `number`."""
    if scan.data[pos] != MINUS:
        return read_number(scan, pos)
    pos = read_number(scan, pos + 1)
    scan.number = -scan.number
    return pos


def read_card(scan: Scan, pos: i64) -> i64:
    """Read one card into `card`: with its suit, or a joker."""
    data = scan.data
    scan.card = CARD[FIRST[data[pos]] + data[pos + 1]]
    if scan.card != NONE:
        return pos + 2
    if data[pos] != STAR:
        return -1
    scan.card = JOKER
    return pos + 1


def format_codes(cards: vec[i64]) -> str:
    """Return the spelling of cards, side by side."""
    text = ""
    for code in cards:
        text += TEXT[code]
    return text


def cards_read(scan: Scan) -> vec[i64]:
    """Return the cards read last."""
    return scan.read[: scan.count]


def read_group(scan: Scan, pos: i64, start: i64 = 0) -> i64:
    """Read one or more cards written side by side into `read`, after the `start` first ones."""
    data, read = scan.data, scan.read
    firsts, cards = FIRST, CARD
    count = start
    while count < MOST_CARDS:
        code = cards[firsts[data[pos]] + data[pos + 1]]
        if code != NONE:
            pos += 2
        elif data[pos] == STAR:
            code = JOKER
            pos += 1
        elif count > start:
            scan.count = count
            return pos
        else:
            return -1
        read[count] = code
        count += 1
    return -1


def read_list(scan: Scan, pos: i64) -> i64:
    """Read cards separated by one space into `read`, up to a `+`, a comment or the line's end."""
    data, read = scan.data, scan.read
    firsts, cards = FIRST, CARD
    for count in range(MOST_CARDS):
        code = cards[firsts[data[pos]] + data[pos + 1]]
        if code != NONE:
            pos += 2
        elif data[pos] == STAR:
            code = JOKER
            pos += 1
        elif count and data[pos] in (PLUS, SEMICOLON):
            scan.count = count
            return pos - 1
        else:
            return -1
        read[count] = code
        if data[pos] != SPACE:
            scan.count = count + 1
            return pos
        pos += 1
    return -1


def read_word(scan: Scan, pos: i64, word: bytes) -> i64:
    """Read a word."""
    size: i64 = len(word)
    if not COMPILED:
        return pos + size if scan.text[pos : pos + size] == word else -1
    data = scan.data
    for at in range(size):
        if data[pos + at] != word[at]:
            return -1
    return pos + size


def read_name(scan: Scan, pos: i64) -> i64:
    """Read a letter and the letters, digits, `_` and `-` after it."""
    data = scan.data
    if _NAME[data[pos]] != _LETTER:
        return -1
    while _NAME[data[pos]]:
        pos += 1
    return pos


def read_side(scan: Scan, pos: i64) -> i64:
    """Read a side's name and a space; put the side's index into `number`."""
    seat = scan.rules.seat_at[scan.data[pos]]
    if seat == NONE:
        return -1
    scan.number = scan.rules.side_of[seat]
    return read_word(scan, pos, scan.side_words[scan.number])


def match_totals(scan: Scan, pos: i64) -> i64:
    """Read sides with their totals, each at most once; returns -1 for a total that is false.

    Puts a bit for each side into `number`.
    """
    claimed: i64 = 0
    while True:
        pos = read_side(scan, pos)
        at = scan.number
        if pos < 0 or claimed >> at & 1:
            return -1
        claimed |= 1 << at
        pos = read_signed(scan, pos)
        if pos < 0 or scan.number != scan.totals[at]:
            return -1
        if scan.data[pos] != SPACE or scan.data[pos + 1] == SEMICOLON:
            scan.number = claimed
            return pos
        pos += 1


def meld_rows(table: Table, progress: Progress) -> list[MeldRow]:
    """Return the rows of the melds on a table, by side and place."""
    rows: list[MeldRow] = []
    for side, name in enumerate(table.rules.sides):
        for place in meld_places(table, side):
            at = side * table.places + place
            size = table.meld_sizes[at]
            unknown = unknown_melded(table, side, place)
            rows.append((
                name, LABELS[place], size, table.naturals[at], table.twos[at],
                table.jokers[at], unknown,
                None if unknown else meld_kind(table, side, place) or None,
                place < KINDS and table.concealed[side] >> place & 1 != 0,
                None if unknown else table.meld_points[at],
                progress.began[at] or None, progress.became[at] or None,
            ))  # fmt: skip
    return rows


def item_rows(deal: ScannedDeal, rules: Rules) -> list[ScannedItemRow]:
    """Return the rows of the items that the sides scored or claimed in a deal."""
    rows: list[ScannedItemRow] = []
    for side, sums, claimed in zip(rules.sides, deal.sums, deal.claimed, strict=True):
        for item in dict.fromkeys((*sums.written(), *(claimed or ()))):
            points = sums.points[item]
            rows.append((
                side, ITEMS[item], points, points if claimed else None, True if claimed else None,
            ))  # fmt: skip
    return rows


def add_plain_turn(scan: Scan, scanned: ScannedGame, seat: i64, drawn: i64, discarded: i64) -> None:
    """Add the row of a turn with one card drawn and one discarded, whose line was read last."""
    table, rules = scan.table, scan.rules
    scanned.deals[-1].seat_counts.note_plain(table, seat)
    scanned.turns.append((
        len(scanned.deals), table.turn, scan.lines, rules.seats[seat],
        rules.sides[rules.side_of[seat]], False, None, TEXT[drawn], 0, "", None, 0,
        TEXT[discarded], None, False, table.hand_sizes[seat], table.stock_most, None,
        table.frozen_by_card == YES, None, _NO_GROUPS, None,
    ))  # fmt: skip


def add_turn(
    scan: Scan, scanned: ScannedGame, seat: i64, card: i64, pile: i64, line: i64, text: bytes
) -> None:
    """Add the row of a turn that has ended.

    `card` is the first card drawn or NONE, and `text` is the turn's line from the draw or take on.
    """
    table = scan.table
    drawn: str | None = TEXT[card] if card != NONE else None
    seconds: float | None = None
    back: str | None = None
    groups = _NO_GROUPS
    if b":" in text or b" +" in text or b" @" in text or not (drawn or table.took):
        drawn = None
        groups = []
        for word in text.decode().partition(" ;")[0].split(" "):
            if word[0] == "+":
                drawn = (drawn or "") + word[1:]
            elif word[0] == "@":
                seconds = float(word[1:])
            elif word.startswith("back:"):
                back = word[5:]
            elif ":" in word and not word.startswith(("talon:", "threes:", "foot:", "pot:")):
                groups.append(word)
    rules = scan.rules
    progress, seat_counts = scanned.deals[-1].progress, scanned.deals[-1].seat_counts
    ranks = progress.note_turn(table)
    frozen = seat_counts.frozen == YES
    seat_counts.note_turn(table, UNCOUNTED)
    laid = progress.added + len(table.special_cards)
    if table.took and not (table.special_cards or table.taken.freely):
        laid -= 1
    opening = table.count_most if table.touches and not table.opened_before else None
    out = table.ended == OUT and table.ended_by == seat
    scanned.turns.append((
        len(scanned.deals), table.turn, line, rules.seats[seat],
        rules.sides[rules.side_of[seat]], table.took,
        cards_taken(table, pile) if table.took else None, drawn, laid,
        ranks, opening, progress.canastas,
        TEXT[table.discarded] if table.discarded >= 0 else None, table.answer or None, out,
        table.hand_sizes[seat], table.stock_most, seconds,
        frozen, table.taken.frozen == YES if table.took else None, groups, back,
    ))  # fmt: skip
