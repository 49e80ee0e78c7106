"""What a side has on the table in a deal: its melds, its tabled threes, its opening."""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import (
    ACE,
    CANASTA_SIZE,
    JOKER_RANK,
    NO_RANKS,
    SEVEN,
    UNKNOWN_RANK,
)
from canasta_notation.counts import i64, vec

#: Where a side's total, a minimum or a figure cannot be known from the record.
NOT_KNOWN: Final = -1_000_000_000


class Side:
    """A side's melds by rank; the meld of wild cards stands at JOKER_RANK."""

    __slots__ = (
        "asked", "concealed", "jokers", "minimum", "naturals", "opened", "partly", "penalty",
        "perhaps_concealed", "points", "sizes", "strangers", "threes", "threes_less", "threes_open",
        "total", "twos",
    )  # fmt: skip

    def __init__(self, total: int, minimum: int) -> None:
        #: The side's total before the deal, in points, or NOT_KNOWN.
        self.total: i64 = total
        #: The points its opening must count, or NOT_KNOWN.
        self.minimum: i64 = minimum
        self.opened = False
        self.partly = False
        #: Whether a seat of the side has asked its partner for leave to go out.
        self.asked = False
        #: Cards in each meld, and how many of them are of which kind.
        self.sizes: vec[i64] = NO_RANKS[:]
        self.naturals: vec[i64] = NO_RANKS[:]
        self.twos: vec[i64] = NO_RANKS[:]
        self.jokers: vec[i64] = NO_RANKS[:]
        #: Cards laid that the record does not name; shared, and never changed, if there are none.
        self.strangers: vec[i64] = NO_RANKS
        #: A bit for each rank whose canasta is concealed.
        self.concealed: i64 = 0
        #: Canastas that unwritten cards may have made concealed.
        self.perhaps_concealed: i64 = 0
        #: Points of the cards melded in each rank.
        self.points: vec[i64] = NO_RANKS[:]
        #: Tabled threes, as card codes.
        self.threes: list[int] = []
        #: True where tabled threes may not have been written.
        self.threes_open = False
        #: Of the tabled threes, how many may have been kept in a hand instead.
        self.threes_less: i64 = 0
        #: Points taken from the side by penalty lines, positive.
        self.penalty: i64 = 0

    def copy_arrays(self, other: Side) -> None:
        """Take over copies of another side's arrays."""
        self.sizes, self.naturals = other.sizes[:], other.naturals[:]
        self.twos, self.jokers = other.twos[:], other.jokers[:]
        self.strangers, self.points = other.strangers[:], other.points[:]

    def put(
        self, rank: i64, naturals: i64, twos: i64, jokers: i64, strangers: i64, points: i64
    ) -> None:
        """Add cards, so many of each kind, to the side's meld of a rank, belonging there or not."""
        self.naturals[rank] += naturals
        wilds = twos + jokers
        if wilds:
            self.twos[rank] += twos
            self.jokers[rank] += jokers
        if strangers:
            if not self.partly:
                self.partly = True
                self.strangers = NO_RANKS[:]
            self.strangers[rank] += strangers
        self.sizes[rank] += naturals + wilds + strangers
        self.points[rank] += points

    def wilds(self, rank: i64) -> i64:
        """Return how many wild cards the side's meld of the rank holds."""
        return self.twos[rank] + self.jokers[rank]

    def canastas(self) -> i64:
        """Return how many of the side's melds are canastas."""
        canastas: i64 = 0
        for size in self.sizes:
            if size >= CANASTA_SIZE:
                canastas += 1
        return canastas

    def melds(self) -> list[int]:
        """Return the ranks in which the side has a meld."""
        return [rank for rank in range(UNKNOWN_RANK) if self.sizes[rank]]

    def unfinished(self) -> list[int]:
        """Return the ranks among sevens, natural aces and wild cards with a meld short of seven."""
        return [
            rank
            for rank in (SEVEN, ACE, JOKER_RANK)
            if 0 < self.sizes[rank] < CANASTA_SIZE and (rank != ACE or not self.wilds(rank))
        ]
