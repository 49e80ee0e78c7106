"""What a hand and the deck are known to hold, exact by counting where cards are not written.

For each hand and card, `need` is the most that had left by any moment over what was known to have
arrived by then: so many of the hand's unknown cards must have been that card. A rank written
without suits adds the same a second time, for the rank as a whole. A record can be true only while
the needs of a hand fit its unknown cards, and the cards named and needed fit the deck's copies.

Not decided: where a card written without its suit passes through the pile into another hand, its
rank is held to the deck's count as a whole, no longer suit by suit.
"""

from __future__ import annotations

from canasta_notation.arrays import tally, tally_within
from canasta_notation.cards import (
    EXACT,
    FIRST_OF,
    NO_CODES,
    NO_RANKS,
    RANK,
    RED_THREE,
    UNKNOWN,
)
from canasta_notation.counts import i64, vec
from canasta_notation.engine.rules import Rules


class Deck:
    """How many copies of each card are accounted for; refuses more than the deck has."""

    __slots__ = (
        "blurred", "copies", "covered", "exact_copies", "needed", "needed_rank", "origin",
        "rank_copies", "size", "threes_kept", "unnamed", "written",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.size: i64 = rules.deck_size
        #: Whether an unknown card in a hand can be a red three.
        self.threes_kept = rules.three_kept
        #: Copies the deck has of each code and each rank.
        self.copies = rules.copies
        self.rank_copies = rules.rank_copies
        self.exact_copies = rules.exact_copies
        #: Cards written as they left the deck, and those that unknown cards must have been.
        self.origin: vec[i64] = NO_CODES[:]
        self.needed: vec[i64] = NO_CODES
        self.needed_rank: vec[i64] = NO_RANKS
        #: False once a card was not written, or written without its suit; arrays but `origin` are
        #: shared, and never changed, until then.
        self.written = True
        #: Ranks of which a card without a suit went from the pile into a hand.
        self.blurred: vec[i64] = NO_RANKS
        #: Unknown cards in hands (never red threes) that nothing has named yet.
        self.unnamed: i64 = 0
        #: Ranks that can lie covered under an unwritten up card; `Hand.slack` is of these alone.
        self.covered = rules.up_covered

    def copy_arrays(self, other: Deck) -> None:
        """Take over copies of another deck's arrays."""
        self.origin = other.origin[:]
        self.needed, self.needed_rank = other.needed[:], other.needed_rank[:]
        self.blurred = other.blurred[:]

    def add(self, code: i64) -> bool:
        """Account for a card leaving the deck; return False where the deck cannot have it."""
        copies = self.origin[code] + 1
        if self.written and EXACT[code]:
            self.origin[code] = copies
            return copies <= self.copies[code]
        return self._add_unwritten(code)

    def add_exact(self, codes: vec[i64]) -> bool:
        """Account for cards of known suits leaving the deck as long as only such have left it.

        Returns False, having changed nothing, where this is not so or the deck lacks one of them.
        """
        if not self.written:
            return False
        if tally_within(self.origin, codes, self.exact_copies):
            return True
        for code in codes:
            self.origin[code] -= 1
        return False

    def blur(self) -> None:
        """Begin to count what unknown cards must have been."""
        if self.written:
            self.written = False
            self.needed = NO_CODES[:]
            self.needed_rank = NO_RANKS[:]
            self.blurred = NO_RANKS[:]

    def _add_unwritten(self, code: i64) -> bool:
        self.blur()
        if code == UNKNOWN:
            return True
        self.origin[code] += 1
        rank = RANK[code]
        if self.origin[code] + self.needed[code] > self.copies[code] and not self.blurred[rank]:
            return False
        return self.fits(rank)

    def take_back(self, code: i64) -> None:
        """Take a card off the account again, as it is about to be spelled more exactly."""
        if code != UNKNOWN:
            self.origin[code] -= 1

    def total(self, rank: i64) -> i64:
        """Return how many cards of the rank are accounted for."""
        total = self.needed_rank[rank]
        for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            total += self.origin[code]
        return total

    def name(self, code: i64, more: int, named: bool) -> None:
        """Account for `more` unknown cards being of the code's rank, and one being the code."""
        self.needed_rank[RANK[code]] += more
        self.unnamed -= min(more, self.unnamed)
        if named:
            self.needed[code] += 1

    def refine(self, bare: i64, code: i64) -> bool:
        """Account for a card known by its rank as being the code; return whether there is one."""
        self.blur()
        self.origin[bare] -= 1
        self.origin[code] += 1
        fits = self.origin[code] + self.needed[code] <= self.copies[code]
        return fits or self.blurred[RANK[code]] != 0

    def has_room(self) -> bool:
        """Return whether enough cards are left for the unknown places in hands."""
        return self.unnamed == 0 or self.unnamed <= self.left_for_hands()

    def fits(self, rank: i64) -> bool:
        """Return whether the rank's copies and the places still to be filled fit the deck."""
        return self.total(rank) <= self.rank_copies[rank] and self.has_room()

    def left_for_hands(self) -> i64:
        """Return how many cards that can be in a hand are not accounted for."""
        left = self.size - sum(self.origin) - sum(self.needed_rank)
        return left if self.threes_kept else left - self.unseen(RED_THREE)

    def unseen(self, rank: i64) -> i64:
        """Return how many cards of the rank are not accounted for."""
        return self.rank_copies[rank] - self.total(rank)


class Hand:
    """The cards that a seat holds. `size` is their number, known even where the cards are not."""

    __slots__ = (
        "balance", "bare", "deck", "doubtful", "melded", "named", "named_bare", "nameless",
        "need", "need_rank", "partly", "size", "slack", "spare", "threes", "unknown", "vague",
    )  # fmt: skip

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        #: For each code, arrivals less departures; negative where unknown cards made up for it.
        self.balance: vec[i64] = NO_CODES[:]
        self.size: i64 = 0
        #: Unknown cards that arrived, and how many of them later cards have named.
        self.unknown: i64 = 0
        self.named: i64 = 0
        #: Of these, how many were of ranks that cannot have lain covered under the up card.
        self.named_bare: i64 = 0
        #: Cards that may be in the hand besides `size`, of a pile whose size is not known; and how
        #: many of them there may have been.
        self.slack: i64 = 0
        self.spare: i64 = 0
        #: True once an unknown card arrived that the deck may have accounted for: one of the pile,
        #: or a three that may lie on the table instead.
        self.vague = False
        #: Unknown cards that left: no telling which.
        self.nameless: i64 = 0
        #: True once a card without a suit, or an unknown one, came or went.
        self.partly = False
        #: True where the last card removed need not have been in the hand.
        self.doubtful = False
        # Shared, and never changed, until the hand is partly known.
        self.need: vec[i64] = NO_CODES
        self.need_rank: vec[i64] = NO_RANKS
        self.bare: vec[i64] = NO_RANKS
        #: Threes kept in the hand.
        self.threes: i64 = 0
        #: Whether the seat has melded in this deal.
        self.melded = False

    def copy_arrays(self, other: Hand) -> None:
        """Take over copies of another hand's arrays."""
        self.balance = other.balance[:]
        self.need, self.need_rank, self.bare = other.need[:], other.need_rank[:], other.bare[:]

    def add(self, code: i64) -> None:
        """Put a card into the hand; the deck's account is the caller's."""
        self.size += 1
        if code == UNKNOWN:
            self.unknown += 1
            self.deck.unnamed += 1
            self.blur()
            return
        self.balance[code] += 1
        if not EXACT[code]:
            self.blur()
            self.bare[RANK[code]] += 1

    def add_taken(self, code: i64) -> None:
        """Put a card of a taken pile into the hand: one that has left the deck before."""
        if code != UNKNOWN:
            self.add(code)
            return
        self.size += 1
        self.unknown += 1
        self.vague = True
        self.blur()

    def loosen(self, cards: i64) -> None:
        """Allow for so many cards more, of a pile whose size is not known."""
        self.slack += cards
        self.spare += cards
        self.blur()

    def blur(self) -> None:
        """Begin to count needs: a card came or went that is not written, or without its suit."""
        self.deck.blur()
        if not self.partly:
            self.partly = True
            self.need = NO_CODES[:]
            self.need_rank = NO_RANKS[:]
            self.bare = NO_RANKS[:]

    def add_exact(self, codes: vec[i64]) -> None:
        """Put cards of known suits into the hand."""
        tally(self.balance, codes)
        self.size += len(codes)

    def holds(self, codes: vec[i64]) -> bool:
        """Return whether a card spelled so is in the hand, all of whose cards are known."""
        for code in codes:  # noqa: SIM110
            if self.balance[code]:
                return True
        return False

    def pull_exact(self, codes: vec[i64]) -> list[int]:
        """Take out every card of these codes, of known suits; return them."""
        pulled: list[int] = []
        for code in codes:
            while self.balance[code]:
                self.balance[code] -= 1
                self.size -= 1
                pulled.append(code)
        return pulled

    def remove(self, code: i64) -> bool:
        """Take a card out; return False, and change nothing, where the hand cannot hold it."""
        count = self.balance[code]
        if count > 0 and not self.partly:
            self.balance[code] = count - 1
            self.size -= 1
            return True
        return self._remove_unwritten(code)

    def _remove_unwritten(self, code: i64) -> bool:
        if self.size + self.slack == 0:
            return False
        self.doubtful = False
        if code == UNKNOWN:
            self.nameless += 1
            self.blur()
            self.doubtful = True
        elif not self._name(code):
            return False
        if self.size > 0:
            self.size -= 1
        else:
            self.slack -= 1
        return True

    def _name(self, code: i64) -> bool:
        """Count a departure of the card; return False where no unknown card is left to be it."""
        rank = RANK[code]
        if not EXACT[code]:
            self.blur()
        self.balance[code] -= 1
        excess = spent = 0
        for kind in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            spent -= self.balance[kind]
            if EXACT[kind]:
                excess += max(self.need[kind], -self.balance[kind])
        need = max(self.need_rank[rank], excess - self.bare[rank], spent)
        more = need - self.need_rank[rank]
        bare = self.named_bare + (0 if self.deck.covered[rank] else more)
        if bare > self.unknown or self.named + more > self.unknown + self.spare:
            self.balance[code] += 1
            return False
        self.doubtful = more > 0
        self.named += more
        self.named_bare = bare
        self.need_rank[rank] = need
        named = EXACT[code] != 0 and -self.balance[code] > self.need[code]
        if named:
            self.need[code] += 1
            self.doubtful = True
        if not self.vague:
            self.deck.name(code, more, named)
        return True

    def overdrawn(self, code: i64) -> bool:
        """Return whether the deck lacks what this hand's departures of the card's rank need."""
        deck = self.deck
        if not self.partly or code == UNKNOWN:
            return False
        rank = RANK[code]
        return not deck.fits(rank) or (
            deck.origin[code] + deck.needed[code] > deck.copies[code] and not deck.blurred[rank]
        )

    def free(self) -> i64:
        """Return how many unknown cards nothing has named; 0 means that the hand is known."""
        return max(0, self.unknown - self.named) + self.slack + self.nameless

    def of_rank(self, rank: i64) -> i64:
        """Return how many cards of the rank the hand is known to hold."""
        held = self.need_rank[rank]
        for code in range(FIRST_OF[rank], FIRST_OF[rank + 1]):
            held += self.balance[code]
        return held
