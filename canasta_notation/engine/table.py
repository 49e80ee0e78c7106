"""The table: the one mutable state of a deal. It has only fields; functions change it.

The engine plays a deal on it for `search`, `scan`, `replay`, `players` and `live`. Code outside
the engine never writes to a table or a violation. To show a table, take a frozen picture of it
(`state.snapshot`). Seats and sides are indices in the order of `Rules.seats` and `Rules.sides`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from canasta_notation.arrays import zeros
from canasta_notation.cards import CODES, NO_CODES, NO_RANKS, RANKS, UNKNOWN, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.ruleset import UNTOUCHED, Rules

#: The place of a violation that belongs to the line as a whole, not to one action.
LINE: Final = -1

#: The value of a total or a minimum that the record leaves unknown; no sum of figures reaches it.
NOT_KNOWN: Final = -1_000_000_000_000_000_000

#: Answers to a question that the record may leave open.
NO: Final = 0
YES: Final = 1
MAYBE: Final = 2
#: Each answer as a value; MAYBE is None.
AS_BOOL: Final[tuple[bool | None, ...]] = (False, True, None)

#: How a deal ended, in the words of the `end` line; "" while play is open.
OPEN: Final = ""
OUT: Final = "out"
STOCK: Final = "stock"
SPECIAL: Final = "special"

#: The turn of a table on which no turn has been played: as dealt, or a table at the end that lines
#: show without the play.
BEFORE_PLAY: Final = 0

#: In place of the ranks of a sequence with a card that does not belong there: it is no longer
#: judged.
NOT_JUDGED: Final[i64] = -1
#: An empty array of cards.
NO_CARDS: Final[vec[i64]] = vec[i64]()
#: For a table that needs no totals, or gets them later.
NO_TOTALS: Final[list[int]] = []
#: The number of a deal whose number is not known.
NO_NUMBER: Final[i64] = 0


class Violation(NamedTuple):
    """A broken rule: the finding's code, the name of its message, the profile's key, and facts.

    `action` is the index of the action in its turn, or LINE. Values of `facts` whose names begin
    with `card`, `rank`, `meld`, `seat` or `side` are codes and indices, which the message spells
    out.
    """

    code: str
    message: str
    key: str
    action: int
    facts: dict[str, object]


class Knowledge:
    """What counting says about unwritten cards; see `knowledge`.

    A table has none while every card so far was written with its suit. Arrays by seat (or side)
    and code (or rank) hold one seat after the other; masks have a bit for each seat or side.
    """

    __slots__ = (
        "bare", "blurred", "doubtful", "least", "loose", "loose_taken", "mixed_aces", "named",
        "named_bare", "nameless", "need", "need_rank", "needed", "needed_rank", "open_hands",
        "open_melds", "partly", "perhaps_concealed", "replaced", "threes_dealt", "threes_less",
        "threes_more", "unknown", "unknown_melded", "unnamed", "up_open", "vague",
    )  # fmt: skip

    def __init__(self, players: i64, sides: i64, places: i64) -> None:
        #: Cards that unknown cards of the hands must have been, by code and by rank.
        self.needed: vec[i64] = NO_CODES[:]
        self.needed_rank: vec[i64] = NO_RANKS[:]
        #: Ranks of which a card went from the pile into a hand without its suit.
        self.blurred: vec[i64] = NO_RANKS[:]
        #: How many unknown cards in all hands (never red threes) are still unnamed.
        self.unnamed: i64 = 0
        #: Seats whose hands an unknown card, or one without its suit, came to or left.
        self.partly: i64 = 0
        #: By seat and code, then by seat and rank: the needs of each hand; see `knowledge`.
        self.need: vec[i64] = zeros(players * CODES)
        self.need_rank: vec[i64] = zeros(players * RANKS)
        #: By seat and rank, cards that arrived without their suits.
        self.bare: vec[i64] = zeros(players * RANKS)
        #: By seat, how many unknown cards arrived, how many of them later plays have named, and how
        #: many of those are of ranks that cannot have been covered by the up card.
        self.unknown: vec[i64] = zeros(players)
        self.named: vec[i64] = zeros(players)
        self.named_bare: vec[i64] = zeros(players)
        #: By seat, how many cards of a pile of unknown size the hand may have beyond its own size:
        #: now, and when the pile was taken.
        self.loose: vec[i64] = zeros(players)
        self.loose_taken: vec[i64] = zeros(players)
        #: By seat, how many cards left the hand unseen.
        self.nameless: vec[i64] = zeros(players)
        #: Seats that received an unknown card which the deck may have accounted for already: a card
        #: of the pile, or a three that may be on the table instead.
        self.vague: i64 = 0
        #: Whether it is not proven that the hand held the card removed last.
        self.doubtful = False
        #: By side and place, how many cards of a meld the record does not name.
        self.unknown_melded: vec[i64] = zeros(sides * places)
        #: Sides that laid an unwritten card, perhaps a wild one, on aces when they opened.
        self.mixed_aces: i64 = 0
        #: By side, the places (a bit for each) of canastas that may be concealed.
        self.perhaps_concealed: vec[i64] = zeros(sides)
        #: The place in the pile of an unknown up card that may be a three, which is tabled; or -1.
        self.up_open: i64 = -1
        #: How many threes were dealt unseen whose replacements are written.
        self.replaced: i64 = 0
        #: Whether threes may have been dealt unseen, and what `stock_fewest` is if none was: it may
        #: be negative.
        self.threes_dealt = False
        self.least: i64 = 0
        #: By side, how many unwritten threes it may have tabled.
        self.threes_more: vec[i64] = zeros(sides)
        #: By side, how many of its tabled threes may have been kept in a hand instead.
        self.threes_less: vec[i64] = zeros(sides)
        #: Seats whose hands, and sides whose melds, the table at the end does not show whole.
        self.open_hands: i64 = 0
        self.open_melds: i64 = 0

    def copy(self, players: i64, sides: i64, places: i64) -> Knowledge:
        """Return a copy that shares no mutable state."""
        copy = Knowledge(players, sides, places)
        copy.needed, copy.needed_rank = self.needed[:], self.needed_rank[:]
        copy.blurred, copy.unnamed, copy.partly = self.blurred[:], self.unnamed, self.partly
        copy.need, copy.need_rank, copy.bare = self.need[:], self.need_rank[:], self.bare[:]
        copy.unknown, copy.named, copy.named_bare = (
            self.unknown[:], self.named[:], self.named_bare[:],
        )  # fmt: skip
        copy.loose, copy.loose_taken = self.loose[:], self.loose_taken[:]
        copy.nameless = self.nameless[:]
        copy.vague, copy.doubtful = self.vague, self.doubtful
        copy.unknown_melded = self.unknown_melded[:]
        copy.perhaps_concealed = self.perhaps_concealed[:]
        copy.mixed_aces, copy.up_open = self.mixed_aces, self.up_open
        copy.replaced = self.replaced
        copy.threes_dealt, copy.least = self.threes_dealt, self.least
        copy.threes_more, copy.threes_less = self.threes_more[:], self.threes_less[:]
        copy.open_hands, copy.open_melds = self.open_hands, self.open_melds
        return copy


class Origins:
    """By rank, the possible origins of the cards laid after the rest of a taken pile came in.

    Only for an opening that may hold unwritten cards. `own` and `rest` are the cards of the hand
    and of the rest that are not yet known to be laid; `perhaps` are cards laid from either.
    """

    __slots__ = ("own", "perhaps", "rest")

    def __init__(self) -> None:
        self.own: vec[i64] = NO_RANKS[:]
        self.rest: vec[i64] = NO_RANKS[:]
        self.perhaps: vec[i64] = NO_RANKS[:]

    def copy(self) -> Origins:
        """Return a copy that shares no mutable state."""
        copy = Origins()
        copy.own, copy.rest, copy.perhaps = self.own[:], self.rest[:], self.perhaps[:]
        return copy


class Shown:
    """What everyone knows of hidden cards; see `shown`. It does not change.

    `hands` has by seat and code the cards known to be in the hand: those that came with a pile and
    were not played. `melds` has by code the cards of all melds, `pile` the cards of the pile.
    """

    __slots__ = ("hands", "melds", "pile")

    def __init__(self, hands: vec[i64], melds: vec[i64], pile: vec[i64]) -> None:
        self.hands = hands
        self.melds = melds
        self.pile = pile


class Taken:
    """How a turn has taken the pile. It stays as the turn left it until the next take.

    `top` is the top card of the pile, `melded` says whether it has been melded, and `at` is the
    action. `refused` says that the pile could not be taken at all; how its top was melded is then
    not judged. The other names that begin with `before` are about the hand before the take.
    """

    __slots__ = (
        "alone",
        "at",
        "before",
        "before_free",
        "before_open",
        "before_partly",
        "before_vague",
        "freely",
        "frozen",
        "meld_size",
        "melded",
        "named",
        "naturals",
        "only",
        "other",
        "perhaps",
        "place",
        "refused",
        "rest_size",
        "stays",
        "top",
        "used",
        "wilds",
    )  # fmt: skip

    def __init__(self) -> None:
        self.top: i64 = UNKNOWN
        self.melded = False
        #: Whether the top is taken alone, and the rest of the pile stays.
        self.alone = False
        #: Whether all cards came into the hand at once, and, if one of them must be melded, whether
        #: one was: YES, NO or MAYBE.
        self.freely = False
        self.used: i64 = NO
        #: The card of a pile of one card, of which the hand had no other, or -1.
        self.only: i64 = -1
        #: The place of the meld that the top joins, whether the record names it, and the size of
        #: the meld before the take.
        self.place: i64 = UNKNOWN_RANK
        self.named = False
        self.meld_size: i64 = 0
        #: The place of the meld that it went with instead if the pile was frozen, which is not
        #: known; the same place until a group decides that, and -1 if there is no such question.
        self.other: i64 = -1
        self.at: i64 = LINE
        self.refused = False
        #: Whether the pile was frozen.
        self.frozen: i64 = NO
        #: The hand, by code, and how many of its cards are not known.
        self.before: vec[i64] = NO_CODES
        self.before_free: i64 = 0
        #: The ranks (a bit for each) of which it is not known which cards that hand held.
        self.before_open: i64 = 0
        #: Whether that hand had unwritten cards.
        self.before_partly = False
        #: Whether it is unclear which of those cards have been laid since.
        self.before_vague = False
        #: How many cards of `piled` were the rest of the pile, -1 if that is not known.
        self.rest_size: i64 = 0
        #: How many cards stayed on the pile under those that were taken.
        self.stays: i64 = 0
        #: Cards from that hand laid in the turn on the top's meld: naturals, wild cards, and those
        #: that may have come from it.
        self.naturals: i64 = 0
        self.wilds: i64 = 0
        self.perhaps: i64 = 0

    def copy(self) -> Taken:
        """Return a copy that shares no mutable state."""
        copy = Taken()
        copy.top, copy.melded, copy.at = self.top, self.melded, self.at
        copy.alone = self.alone
        copy.freely, copy.used, copy.only = self.freely, self.used, self.only
        copy.place, copy.named, copy.meld_size = self.place, self.named, self.meld_size
        copy.other, copy.refused, copy.frozen = self.other, self.refused, self.frozen
        copy.before, copy.before_free = self.before[:], self.before_free
        copy.before_open, copy.before_partly = self.before_open, self.before_partly
        copy.before_vague, copy.rest_size = self.before_vague, self.rest_size
        copy.stays = self.stays
        copy.naturals, copy.wilds, copy.perhaps = self.naturals, self.wilds, self.perhaps
        return copy


class Table:
    """Hands, sides, pile and stock of one deal, and the violations and doubts met so far."""

    __slots__ = (
        "accounted",
        "answer",
        "ask_at",
        "asked",
        "at",
        "backs",
        "bonuses",
        "closed_at",
        "combines",
        "completed",
        "concealed",
        "count_least",
        "count_more",
        "count_most",
        "counts",
        "dealer",
        "discarded",
        "doubts",
        "drew",
        "due",
        "ended",
        "ended_by",
        "excused_threes",
        "frozen_by_card",
        "hand_sizes",
        "has_stock",
        "jokers",
        "kept_threes",
        "kept_with",
        "knowable",
        "knowledge",
        "laid",
        "laid_from_hand",
        "laid_naturals",
        "laid_perhaps",
        "laid_points",
        "laid_wilds",
        "last_three",
        "late_open",
        "late_waits",
        "meld_points",
        "meld_sizes",
        "melded",
        "minimums",
        "naturals",
        "number",
        "opened",
        "opened_before",
        "opened_turn",
        "origins",
        "out_concealed",
        "out_unseen",
        "overdrawn",
        "overdrawn_at",
        "packet_kept",
        "packet_sides",
        "packet_taken",
        "packet_unplayed",
        "packets",
        "packets_gone",
        "packets_open",
        "packets_stocked",
        "penalties",
        "perhaps_over",
        "pile_loose",
        "pile_size",
        "piled",
        "places",
        "rest_kept",
        "rules",
        "seat",
        "sequences",
        "shown",
        "side",
        "special_cards",
        "special_points",
        "stock",
        "stock_at",
        "stock_fewest",
        "stock_most",
        "tabled_late",
        "taken",
        "threes",
        "took",
        "totals",
        "touch_order",
        "touched_at",
        "touches",
        "traced",
        "turn",
        "twos",
        "undealt",
        "violations",
        "waiting",
        "went_out",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        dealer: int,
        totals: list[int],
        has_stock: bool,
        number: i64 = NO_NUMBER,
        of: Table | None = None,
    ) -> None:
        """Make an empty table or, with `of`, one with the arrays of another; see `copy_table`."""
        self.rules = rules
        #: The number of the deal, from 1, or NO_NUMBER.
        self.number = number
        self.dealer: i64 = dealer
        players: i64 = rules.players
        sides: i64 = len(rules.sides)
        places: i64 = rules.places
        #: How many places for melds a side has, which the arrays below are for.
        self.places = places
        #: What is known of unwritten cards, None while there are none.
        self.knowledge: Knowledge | None = None
        #: What everyone knows of hidden cards, None if nobody keeps it.
        self.shown: Shown | None = None
        #: Cards written as they left the deck, by code.
        self.accounted: vec[i64] = NO_CODES[:] if of is None else of.accounted[:]
        #: The hands, by seat and code: arrivals less departures, which is negative if unknown cards
        #: must make up for it. Then how many cards each hand has, and how many threes it has kept.
        self.counts: vec[i64] = zeros(players * CODES) if of is None else of.counts[:]
        self.hand_sizes: vec[i64] = zeros(players) if of is None else of.hand_sizes[:]
        self.kept_threes: vec[i64] = zeros(players) if of is None else of.kept_threes[:]
        #: By seat, how many of these need no longer be tabled, because they were already reported.
        self.excused_threes: vec[i64] = zeros(players) if of is None else of.excused_threes[:]
        #: By seat, the threes (a bit for each code) of the draws of which it kept one: no source
        #: says which one it kept.
        self.kept_with: vec[i64] = zeros(players) if of is None else of.kept_with[:]
        #: The seats for which it is not known whether they have to table a three.
        self.late_open: i64 = 0
        #: The seats whose packet brought them a three.
        self.packet_kept: i64 = 0
        #: The packets that were taken, a bit for each.
        self.packets_gone: i64 = 0
        #: The packets that became the stock, a bit for each.
        self.packets_stocked: i64 = 0
        #: Those of which it is not known whether they were taken.
        self.packets_open: i64 = 0
        #: The sides that have taken one.
        self.packet_sides: i64 = 0
        #: The seats that have completed a canasta, under rules by which that earns a packet.
        self.completed: i64 = 0
        #: The seats that took one and have had no turn with it.
        self.packet_unplayed: i64 = 0
        #: Whether this turn has tabled threes before its draw or take.
        self.tabled_late = False
        #: The seats that have melded in this deal.
        self.melded: i64 = 0
        #: The melds, by side and place (see `cards`): how many cards, how many of which kind, and
        #: their points.
        self.meld_sizes: vec[i64] = zeros(sides * places) if of is None else of.meld_sizes[:]
        self.naturals: vec[i64] = zeros(sides * places) if of is None else of.naturals[:]
        self.twos: vec[i64] = zeros(sides * places) if of is None else of.twos[:]
        self.jokers: vec[i64] = zeros(sides * places) if of is None else of.jokers[:]
        self.meld_points: vec[i64] = zeros(sides * places) if of is None else of.meld_points[:]
        #: If the rules have sequences, by side and place the ranks of a sequence, as bits, or
        #: NOT_JUDGED; else empty.
        self.sequences: vec[i64] = (
            zeros(sides * places if rules.sequences else 0) if of is None else of.sequences[:]
        )
        #: By side, the places (a bit for each) of concealed canastas.
        self.concealed: vec[i64] = zeros(sides) if of is None else of.concealed[:]
        #: If canastas stop lays (`dead_for`), by side and place the turn that completed one; else
        #: empty.
        self.closed_at: vec[i64] = (
            zeros(sides * places if rules.dead_lays else 0) if of is None else of.closed_at[:]
        )
        #: By side, the turn in which it opened.
        self.opened_turn: vec[i64] = zeros(sides) if of is None else of.opened_turn[:]
        #: Whether a three that must be tabled waits for the end of the turn: it may be part of a
        #: special hand.
        self.late_waits = False
        #: Threes on the table, by side and code.
        self.threes: vec[i64] = zeros(sides * CODES) if of is None else of.threes[:]
        #: The sides that have opened, and that have asked for permission to go out.
        self.opened: i64 = 0
        self.asked: i64 = 0
        #: Each side's total before the deal, and what its opening must count, or NOT_KNOWN.
        self.totals: vec[i64] = zeros(sides) if of is None else of.totals[:]
        self.minimums: vec[i64] = zeros(sides) if of is None else of.minimums[:]
        #: The sides that took cards back before they opened, each with the turn.
        self.backs: tuple[tuple[int, int], ...] = ()
        #: Points taken from each side by penalty lines, positive.
        self.penalties: vec[i64] = zeros(sides) if of is None else of.penalties[:]
        #: Points given to each side by bonus lines.
        self.bonuses: vec[i64] = zeros(sides) if of is None else of.bonuses[:]
        #: The pile, in the first `pile_size` places.
        self.piled: vec[i64] = zeros(rules.most_piled) if of is None else of.piled[:]
        self.pile_size: i64 = 0
        #: How many more cards may be under the pile, if the up cards are unwritten.
        self.pile_loose: i64 = 0
        #: Whether a card in it freezes the pile; `take.frozen_for` says whether it is frozen for a
        #: side.
        self.frozen_by_card: i64 = NO
        #: The most and the fewest cards that the stock can hold.
        self.stock_most: i64 = rules.undealt - rules.unplayed
        self.stock_fewest: i64 = self.stock_most
        #: How many cards were left after the hands were dealt, which is the length of the stock
        #: line.
        self.undealt: i64 = rules.undealt
        #: The stock as written, and how many of its cards have left it.
        self.has_stock = has_stock
        self.stock: vec[i64] = NO_CARDS if of is None else of.stock[:]
        self.stock_at: i64 = 0
        self.packets: tuple[list[int], ...] = rules.no_packets
        self.ended = OPEN
        #: The seat that went out or laid a special hand, else -1.
        self.ended_by: i64 = -1
        self.out_concealed = False
        #: True if the record says that the seat went out, but the play does not show how.
        self.out_unseen = False
        #: True if the draw may have been the last red threes of the stock.
        self.perhaps_over = False
        #: Points of the special hand that ended the deal.
        self.special_points: i64 = 0
        #: The cards of a special hand, which are in no meld; empty if none was laid.
        self.special_cards: tuple[int, ...] = ()
        #: False once the state can no longer be known.
        self.knowable = True
        self.due: i64 = -1 if dealer < 0 else (dealer + 1) % rules.players
        #: The number of the turn that is being played or was played last.
        self.turn: i64 = BEFORE_PLAY
        self.violations: list[Violation] = []
        #: Checks that the record cannot decide: (code, action).
        self.doubts: list[tuple[str, int]] = []
        self.at: i64 = LINE
        #: Whether this turn has taken the pile, and how it did, or how the last such turn did.
        self.took = False
        self.taken: Taken = Taken() if of is None else of.taken.copy()
        self.waiting = False
        #: Whether the rest of the pile lies where it was until the discard: see `pile.rest_usable`.
        self.rest_kept = False
        #: Whether it matters in this turn which cards the hand held before a take.
        self.traced = False
        self.opened_before = False
        #: The seat whose turn began last, and its side.
        self.seat: i64 = -1
        self.side: i64 = 0
        self.laid = False
        #: How many of the melds laid in this turn its end must judge; their places, in order; by
        #: place, the action that last laid there, or UNTOUCHED; then the cards laid by kind.
        self.touches: i64 = 0
        self.touch_order: vec[i64] = zeros(places) if of is None else of.touch_order[:]
        self.touched_at: vec[i64] = rules.untouched[:] if of is None else of.touched_at[:]
        self.laid_naturals: vec[i64] = zeros(places) if of is None else of.laid_naturals[:]
        self.laid_wilds: vec[i64] = zeros(places) if of is None else of.laid_wilds[:]
        self.laid_from_hand: vec[i64] = zeros(places) if of is None else of.laid_from_hand[:]
        #: By place, the most points that cards laid in this turn count towards the opening.
        self.laid_points: vec[i64] = zeros(places) if of is None else of.laid_points[:]
        #: By place, how many cards laid in this turn may have come from the hand or from the pile's
        #: rest.
        self.laid_perhaps: vec[i64] = zeros(places) if of is None else of.laid_perhaps[:]
        #: The actions of this turn that put a meld on another one.
        self.combines: list[int] = [] if of is None else of.combines[:]
        #: None unless unwritten cards of a pile's rest may count towards the opening.
        self.origins: Origins | None = None
        #: The fewest and the most points that count towards the opening.
        self.count_least: i64 = 0
        self.count_most: i64 = 0
        #: For each card whose points are open, the amounts by which it can exceed its fewest.
        self.count_more: list[set[int]] = [] if of is None else of.count_more[:]
        #: A card of which the deck has no copy left, and its action. It is reported at the end of
        #: the turn, because a later `not-in-hand` says more.
        self.overdrawn: i64 = -1
        self.overdrawn_at: i64 = LINE
        self.drew = False
        #: Whether the draw was the last three of the stock, and the rules let groups follow it, and
        #: no discard; the turn then ends the deal.
        self.last_three = False
        self.answer = ""
        self.ask_at: i64 = LINE
        self.discarded: i64 = -1
        self.packet_taken = False
        self.went_out = False
        _set_totals(self, totals)


def reset_table(table: Table, dealer: i64, totals: list[int], has_stock: bool, number: i64) -> None:
    """Reset a table to a new deal under the same rules; faster than making a new one."""
    rules = table.rules
    players: i64 = rules.players
    sides: i64 = len(rules.sides)
    places: i64 = rules.places
    table.dealer, table.number = dealer, number
    table.knowledge = table.shown = None
    table.accounted = NO_CODES[:]
    table.counts = zeros(players * CODES)
    for seat in range(players):
        table.hand_sizes[seat] = table.kept_threes[seat] = table.excused_threes[seat] = 0
        table.kept_with[seat] = 0
    table.late_open = table.packet_kept = table.packets_gone = table.packet_sides = 0
    table.packets_open = table.packet_unplayed = table.completed = table.packets_stocked = 0
    table.tabled_late = table.late_waits = False
    table.meld_sizes = zeros(sides * places)
    table.naturals = zeros(sides * places)
    table.twos = zeros(sides * places)
    table.jokers = zeros(sides * places)
    table.meld_points = zeros(sides * places)
    if rules.sequences:
        table.sequences = zeros(sides * places)
    if rules.dead_lays:
        table.closed_at = zeros(sides * places)
    table.threes = zeros(sides * CODES)
    for side in range(sides):
        table.concealed[side] = table.penalties[side] = table.bonuses[side] = 0
        table.opened_turn[side] = 0
    table.backs = ()
    _set_totals(table, totals)
    table.melded = table.opened = table.asked = 0
    table.pile_size = table.pile_loose = 0
    table.frozen_by_card = NO
    table.stock_most = table.stock_fewest = rules.undealt - rules.unplayed
    table.undealt = rules.undealt
    table.has_stock = has_stock
    table.stock = NO_CARDS
    table.stock_at = 0
    table.packets = table.rules.no_packets
    table.ended, table.ended_by = OPEN, -1
    table.out_concealed = table.out_unseen = table.perhaps_over = False
    table.special_points, table.special_cards = 0, ()
    table.knowable = True
    table.due = -1 if dealer < 0 else (dealer + 1) % players
    table.turn = BEFORE_PLAY
    if table.violations or table.doubts:
        table.violations, table.doubts = [], []
    # What belongs to one turn: the last one of the deal before.
    for at in range(table.touches):
        table.touched_at[table.touch_order[at]] = UNTOUCHED
    table.touches = 0
    table.at = table.ask_at = table.overdrawn_at = LINE
    table.took = table.waiting = table.rest_kept = table.traced = table.last_three = False
    table.taken = Taken()
    table.opened_before = False
    table.seat, table.side, table.laid = -1, 0, False
    table.count_least = table.count_most = 0
    table.origins = None
    if table.count_more:
        table.count_more = []
    if table.combines:
        table.combines = []
    table.overdrawn = table.discarded = -1
    table.drew = table.packet_taken = table.went_out = False
    table.answer = ""


def _set_totals(table: Table, totals: list[int]) -> None:
    """Note the sides' totals before the deal, and what their openings must count."""
    number = None if table.number == NO_NUMBER else table.number
    for at in range(len(totals)):
        total = totals[at]
        table.totals[at] = total
        minimum = table.rules.minimum(None if total == NOT_KNOWN else total, number)
        table.minimums[at] = NOT_KNOWN if minimum is None else minimum


def copy_table(table: Table) -> Table:
    """Return a copy of a table that shares no mutable state with it.

    Violations and doubts are not copied.
    """
    rules = table.rules
    copy = Table(rules, table.dealer, NO_TOTALS, table.has_stock, table.number, table)
    if table.knowledge is not None:
        copy.knowledge = table.knowledge.copy(rules.players, len(rules.sides), rules.places)
    copy.shown = table.shown
    copy.pile_size, copy.melded, copy.opened = table.pile_size, table.melded, table.opened
    copy.asked, copy.pile_loose = table.asked, table.pile_loose
    copy.frozen_by_card = table.frozen_by_card
    copy.stock_most, copy.stock_fewest = table.stock_most, table.stock_fewest
    copy.undealt, copy.stock_at, copy.packets = table.undealt, table.stock_at, table.packets
    copy.ended, copy.ended_by = table.ended, table.ended_by
    copy.out_concealed, copy.out_unseen = table.out_concealed, table.out_unseen
    copy.perhaps_over, copy.special_points = table.perhaps_over, table.special_points
    copy.special_cards, copy.knowable, copy.due = table.special_cards, table.knowable, table.due
    copy.turn, copy.at, copy.took = table.turn, table.at, table.took
    copy.waiting, copy.rest_kept, copy.traced = table.waiting, table.rest_kept, table.traced
    copy.last_three, copy.opened_before = table.last_three, table.opened_before
    copy.seat = table.seat
    copy.side, copy.laid, copy.touches = table.side, table.laid, table.touches
    copy.count_least, copy.count_most = table.count_least, table.count_most
    copy.origins = None if table.origins is None else table.origins.copy()
    copy.overdrawn, copy.overdrawn_at, copy.drew = table.overdrawn, table.overdrawn_at, table.drew
    copy.answer, copy.ask_at, copy.discarded = table.answer, table.ask_at, table.discarded
    copy.packet_taken, copy.went_out = table.packet_taken, table.went_out
    copy.late_open, copy.packet_kept = table.late_open, table.packet_kept
    copy.packets_gone, copy.packet_sides = table.packets_gone, table.packet_sides
    copy.packets_open, copy.packet_unplayed = table.packets_open, table.packet_unplayed
    copy.completed, copy.packets_stocked = table.completed, table.packets_stocked
    copy.tabled_late, copy.late_waits = table.tabled_late, table.late_waits
    copy.backs = table.backs
    return copy


def put_on_pile(table: Table, code: i64) -> None:
    """Put a card on the pile."""
    size = table.pile_size
    if size == len(table.piled):
        table.piled = vec[i64](list(table.piled) + list(NO_CODES))
    table.piled[size] = code
    table.pile_size = size + 1


def pile_of(table: Table) -> list[int]:
    """Return the cards of the pile, the top last."""
    return list(table.piled[: table.pile_size])


def top_of(table: Table) -> i64:
    """Return the top of the pile, which must not be empty."""
    return table.piled[table.pile_size - 1]


def violate(table: Table, code: str, message: str, key: str = "", **facts: object) -> None:
    """Record a violation at the current action."""
    table.violations.append(Violation(code, message, key, table.at, facts))


def is_reported(table: Table, code: str, place: i64) -> bool:
    """Return whether this turn has reported a fault of the meld at a place already."""
    return any(
        violation.code == code and violation.facts.get("meld") == place
        for violation in table.violations
    )


def doubt(table: Table, code: str) -> None:
    """Record a check that the record cannot decide."""
    table.doubts.append((code, table.at))


def mark_unknowable(table: Table) -> None:
    """Record that the state of the deal cannot be known from here on."""
    table.knowable = False
