"""A profile's values in the form that the engine asks for: numbers, and flags by rank."""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from canasta_notation import cards
from canasta_notation.arrays import array
from canasta_notation.cards import MELD_SIZE, SEATS, SIDES
from canasta_notation.counts import i64, vec
from canasta_notation.rules import Profile, keys
from canasta_notation.rules.keys import points_of_cards, spell

#: The threes that are tabled, by the value of `threes`.
_TABLED_THREES: Final[dict[str, tuple[str, ...]]] = {
    "none": (),
    "red": ("red3",),
    "all": ("red3", "black3"),
    "rank": (),
}
#: A number that no total and no count of deals reaches.
NEVER: Final = sys.maxsize
#: The ranks that a class of cards in a profile means.
_CLASSES: dict[str, tuple[int, ...]] = {
    "wild": (cards.TWO, cards.JOKER_RANK),
    "red3": (cards.RED_THREE,),
    "black3": (cards.BLACK_THREE,),
    "sevens": (cards.SEVEN,),
}
#: The ranks that a ban of discards can touch.
_BANNED = (cards.SEVEN, cards.ACE, cards.TWO, cards.JOKER_RANK)

#: Instead of the action that last laid a meld: it was not laid in this turn.
UNTOUCHED: Final = -2


def _ranks(classes: tuple[str, ...]) -> vec[i64]:
    """Return for each rank whether it belongs to one of the classes."""
    ranks = [rank for name in classes for rank in _CLASSES[name]]
    return array(rank in ranks for rank in range(cards.UNKNOWN_RANK + 1))


class Rules:
    """The rules of one game; most fields are named after their keys in the profile.

    Built once from a profile. Not checked: whether the values make sense together, which the
    profile's loader checks. Without `shortcuts` every check is made; tests compare the two.
    """

    def __init__(self, profile: Profile, *, shortcuts: bool = True) -> None:
        get = profile.__getitem__
        self.profile = profile
        self.players: i64 = get("players")
        self.seats: str = SEATS[self.players]
        #: By byte, the index of the seat with that letter, or 255.
        self.seat_at: vec[i64] = array(
            self.seats.find(chr(byte)) % (1 << 8) for byte in range(1 << 8)
        )
        self.next_seat: vec[i64] = array([*range(1, self.players), 0])
        self.sides: tuple[str, ...] = SIDES[self.players, get("sides")]
        self.side_of: vec[i64] = array(profile.side_of(seat) for seat in self.seats)
        self._cards(profile, get)
        self._pile(get)
        self._melds(get)
        self._opening(get)
        self._out(get)
        self._score(get)
        self._shortcuts(profile, wanted=shortcuts)

    def _cards(self, profile: Profile, get: Any) -> None:
        packs: int = get("deck.packs")
        self.jokers: i64 = get("deck.jokers")
        copies = [packs if suited else packs * cards.SUITS for suited in cards.SUITED]
        rank_copies = [packs * cards.SUITS] * (cards.UNKNOWN_RANK + 1)
        threes = packs * cards.SUITS_OF_A_COLOUR
        for rank in (cards.RED_THREE, cards.BLACK_THREE):
            copies[cards.BARE[rank]] = rank_copies[rank] = threes
        copies[cards.JOKER] = rank_copies[cards.JOKER_RANK] = self.jokers
        #: How many copies the deck has of each card code and of each rank.
        self.copies: vec[i64] = array(copies)
        self.rank_copies: vec[i64] = array(rank_copies)
        #: The same for the codes that name a card exactly, and none of the others.
        self.exact_copies: vec[i64] = array(
            copies[code] if cards.EXACT[code] else 0 for code in range(cards.CODES)
        )
        self.deck_size: i64 = sum(rank_copies[: cards.UNKNOWN_RANK])
        #: The most cards that a pile can have; it stays true if a search lets the deck be endless.
        self.most_piled: i64 = self.deck_size
        self.hand: i64 = get("deal.hand")
        #: What a record calls a packet, "" if there is none.
        self.packet_word: str = profile.packet_word
        #: Whether a packet that nobody took costs what its cards cost in a hand.
        self.packet_costs_cards: bool = get("packet.unused") == "cards"
        #: What a packet counts that nobody took, and whether one is such if no turn followed it.
        self.packet_points: i64 = 0 if self.packet_costs_cards else get("packet.unused")
        self.unplayed_unused: bool = get("packet.unplayed") == "as-unused"
        #: Whether an empty stock is filled with the first packet that is left.
        self.packet_to_stock: bool = bool(self.packet_word) and get("packet.to_stock")
        self.packet_on_empty: bool = bool(self.packet_word) and get("packet.when") == "empty"
        self.packet_on_canasta: bool = bool(self.packet_word) and get("packet.when") == "canasta"
        #: Whether a packet may come into the hand before the discard.
        self.packet_early: bool = self.packet_on_empty or self.packet_on_canasta
        #: Whether a packet comes into the hand before the discard only.
        self.packet_at_once: bool = get("packet.use") == "at-once"
        #: Whether the cards of a packet that an empty hand gets wait for the next turn.
        self.packet_waits: bool = self.packet_on_empty and get("packet.use") == "next-turn"
        #: How a line of a packet begins: a line that no record has if there is none.
        self.packet_line: bytes = f"{self.packet_word or chr(0)} ".encode()
        self.packet_of_seat: bool = get("packet.of") == "seat"
        self.packets: tuple[int, ...] = profile.packets
        self.no_packets: tuple[list[int], ...] = tuple([] for _ in self.packets)
        self.packet_with_pile: bool = get("packet.with_pile")
        #: Whether packets are drawn from the stock, and the sizes of those that are set aside.
        self.packet_drawn: bool = get("packet.from") == "stock"
        self.packets_aside: tuple[int, ...] = () if self.packet_drawn else self.packets
        self.packet_until: i64 = max(get("packet.until"), int(self.packet_drawn))
        #: Cards that are left when hands have been dealt and packets set aside.
        self.undealt: i64 = self.deck_size - self.hand * self.players - sum(self.packets_aside)
        #: Cards at the end of the stock that are not played.
        self.unplayed: i64 = get("stock.unplayed")
        self.draw_count: i64 = get("draw.count")
        #: Whether groups may follow a draw of the last three of the stock.
        self.last_melds: bool = get("draw.last_red3") == "melds"
        self.up_turned: bool = get("up.turned")
        self.up_covered: vec[i64] = _ranks(get("up.covered"))
        self.up_freezes: vec[i64] = _ranks(get("up.freezes"))
        kept: str = get("deal.three_kept")
        #: Whether a hand may keep a three; for good, or until its side has opened.
        self.three_kept: bool = kept in ("until-opened", "yes")
        self.kept_for_good: bool = kept == "yes"
        #: Whether the threes that were dealt stay in a hand until its first turn.
        self.threes_wait: bool = kept == "first-turn"
        self.packet_threes: str = get("packet.threes")
        #: Whether a three may come into a hand during play without a mistake.
        comes_late = self.three_kept or (self.packet_threes == "next-turn" and bool(self.packets))
        #: Whether a three may be in a hand without a mistake.
        self.holds_threes: bool = comes_late or self.threes_wait
        self.black_tabled: bool = get("threes") == "all"
        self.tabled: vec[i64] = _ranks(_TABLED_THREES[get("threes")])
        #: Whether a hand keeps its threes, because none is tabled.
        self.threes_held: bool = get("threes") in ("none", "rank")
        #: Whether threes are melded like any other rank, and by rank the kind of a set of it.
        self.threes_melded: bool = get("threes") == "rank"
        self.set_of: vec[i64] = array(range(cards.RANKS))
        if self.threes_melded:
            self.set_of[cards.RED_THREE] = cards.BLACK_THREE
        #: The lowest kind of a set that may be laid in any turn.
        self.lowest_set: i64 = cards.BLACK_THREE if self.threes_melded else cards.FOUR
        #: Whether a three that is the last card of the stock stays in the hand.
        self.last_three_held: bool = self.black_tabled and comes_late
        #: The codes, with suits, of the threes that are tabled.
        self.tabled_codes: vec[i64] = array(
            code for code, rank in enumerate(cards.RANK) if self.tabled[rank] and cards.EXACT[code]
        )

    def _pile(self, get: Any) -> None:
        self.freezers: vec[i64] = _ranks(get("pile.freezers"))
        self.blockers: vec[i64] = _ranks(get("pile.blockers"))
        self.always_frozen: bool = get("pile.always_frozen")
        self.frozen_until_opened: bool = get("pile.frozen_until_opened")
        self.with_wild: bool = get("pile.with_wild")
        self.onto_meld: bool = get("pile.onto_meld")
        self.onto_canasta: bool = get("pile.onto_canasta")
        self.onto_mixed_aces: bool = get("pile.onto_mixed_aces")
        self.onto_sequence: bool = get("pile.onto_sequence") != "no"
        #: Whether a top that joins a sequence is taken alone.
        self.top_alone: bool = get("pile.onto_sequence") == "alone"
        self.one_card_rule: bool = get("pile.one_card_rule")
        self.rest_usable: bool = get("pile.rest_usable")
        self.must_take: str = get("pile.must_take")
        #: How many cards a take brings, the top one among them; NEVER if it brings the whole pile.
        most = get("pile.take")
        self.most_taken: i64 = NEVER if most == "all" else most
        #: Whether all cards of a taken pile come into the hand at once, and the top waits for no
        #: meld; and whether one of them must be melded.
        self.takes_freely: bool = get("pile.needs") != "top"
        self.needs_card: bool = get("pile.needs") == "card"
        #: Whether the card of a pile of one card may be discarded in the turn that takes it.
        self.taken_returns: bool = get("discard.taken")
        self.take_opens: bool = get("pile.before_opening")

    def _melds(self, get: Any) -> None:
        self.several: bool = get("meld.several") != "no"
        #: Whether a further meld of a rank waits until the others are as large as they may be.
        self.several_complete: bool = get("meld.several") == "complete"
        #: Whether a side may have several melds of one kind: sequences, if not of each kind.
        self.several_sequences: bool = get("meld.several") == "sequences"
        self.combine: bool = get("meld.combine")
        self.sequences: bool = get("meld.sequences")
        #: The form of a sequence: whether it begins with an ace, three and two included; its most
        #: wild cards, cards and aces; by code, the kind of a sequence to which a card belongs by
        #: its suit, UNKNOWN_RANK if to none.
        self.from_ace: bool = get("sequence.from") == "A"
        self.sequence_wilds: i64 = get("sequence.wilds")
        self.sequence_cards: i64 = get("sequence.cards")
        self.sequence_aces: i64 = get("sequence.aces")
        self.sequence_of: vec[i64] = cards.SUIT_OF if self.from_ace else cards.SEQUENCE_OF
        ranks_of_sets = get("meld.sets")
        #: By kind, whether a meld of it may be laid, as far as its rank decides that.
        self.sets: vec[i64] = array(
            "all" in ranks_of_sets or kind >= cards.TWO or cards.RANK_LETTERS[kind] in ranks_of_sets
            for kind in range(cards.KINDS)
        )
        #: How many places for melds a side has, and those that a meld can have, in the order in
        #: which melds are shown: by rank, then sequences by suit, each by number.
        self.places: i64 = cards.PLACES if self.several or self.sequences else cards.RANKS
        kinds = [*range(cards.UNKNOWN_RANK)]
        kinds += range(cards.SEQUENCE, cards.KINDS) if self.sequences else ()
        most = cards.MOST_MELDS if self.several else 1
        self.meld_order: vec[i64] = array(
            kind + cards.KINDS * number
            for kind in kinds
            for number in range(1 if self.several_sequences and kind < cards.SEQUENCE else most)
        )
        #: `UNTOUCHED` for each place: no meld has been laid in this turn.
        self.untouched: vec[i64] = array([UNTOUCHED] * self.places)
        self.min_naturals: i64 = get("meld.min_naturals")
        wilds: int | None = get("meld.max_wilds")
        self.max_wilds: i64 = self.deck_size if wilds is None else wilds
        #: How many more naturals than wild cards a meld must have at least.
        self.wild_margin: i64 = {"any": -self.deck_size, "equal": 0, "fewer": 1}[
            get("meld.wild_share")
        ]
        self.all_wild: bool = get("meld.all_wild")
        cap: int | None = get("meld.max_cards")
        self.max_cards: i64 = self.deck_size if cap is None else cap
        wild_cap: int | None = get("meld.max_wild_cards")
        #: By kind, the most cards that a meld may hold; a sequence is complete with a canasta.
        caps = [self.max_cards] * cards.RANKS + [self.sequence_cards] * cards.SUITS
        if wild_cap is not None:
            caps[cards.JOKER_RANK] = min(wild_cap, self.max_cards)
        self.caps: vec[i64] = array(caps)
        self.wilds_on_canasta: bool = get("meld.wilds_on_canasta")
        self.wild_meld_first: bool = get("meld.wild_meld_first")
        letters: tuple[str, ...] = get("meld.no_wilds_in")
        self.no_wilds: vec[i64] = array(letter in letters for letter in cards.RANK_LETTERS)
        self.rule_of_five: bool = get("meld.rule_of_five")
        self.black_threes: bool = get("meld.black_threes")
        dead: str = get("meld.dead_ranks")
        #: Whether a canasta of a rank stops every take with that rank, and every lay.
        self.dead_takes: bool = dead != "no"
        self.dead_lays: bool = dead == "all"

    def _opening(self, get: Any) -> None:
        self.opening_table: tuple[tuple[int | None, int], ...] = get("opening.table")
        #: Whether the steps of the opening table are numbers of deals, not totals.
        self.opening_by_deal: bool = get("opening.by") == "deal"
        self.top_counts: bool = get("opening.take_counts") == "top"
        #: Whether the meld that a taken top joins does not count for an opening.
        self.others_count: bool = get("opening.take_counts") == "other-melds"
        #: What cards taken back before a side has opened add to what its opening must count.
        self.opening_raise: i64 = get("opening.raise")
        self.waived: str = get("opening.waived")
        triple: str = get("opening.clean_triple")
        #: Whether an opening needs a clean triple, and whether one of wild cards will do.
        self.clean_triple: bool = triple != "no"
        self.wild_triple: bool = triple == "yes"
        self.mixed_opening: bool = get("opening.mixed_canasta")

    def _out(self, get: Any) -> None:
        self.out_canastas: i64 = get("out.canastas")
        self.out_sequences: i64 = get("out.sequences")
        self.out_natural: i64 = get("out.natural")
        self.out_wild: i64 = get("out.wild")
        self.out_mixed: i64 = get("out.mixed")
        self.out_sevens: i64 = get("out.sevens")
        #: Whether going out needs a packet: the seat's own, or one that its side has taken.
        self.out_packet: bool = bool(self.packet_word) and get("out.packet")
        self.never_last: vec[i64] = _ranks(get("out.last"))
        #: Whether the last discard may be of any rank.
        self.any_last: bool = not get("out.last")
        self.discard_required: bool = get("out.discard") == "required"
        #: Whether a seat that may not go out keeps its last card in place of a discard.
        self.last_kept: bool = get("out.discard") == "kept"
        self.nothing_after_threes: bool = (
            get("out.after_black_threes") == "nothing" and not self.threes_melded
        )
        self.finished: bool = get("out.finished")
        self.partners: bool = self.players > len(self.sides)
        self.may_ask: bool = get("out.ask") and self.partners
        self.ask_when: str = get("out.ask_when")
        self.ask_limit: str = get("out.ask_limit")
        banned = get("discard.banned")
        self.bans: bool = banned in ("american", "league")
        #: Whether sevens are banned until the seat's side, or every side, has a canasta of sevens.
        self.bans_sevens: bool = banned in ("sevens", "own-sevens")
        self.own_sevens: bool = banned == "own-sevens"
        self.red_three_stays: bool = banned == "red3"
        #: Whether a card of a rank with a canasta is banned from an empty pile.
        self.bans_dead: bool = banned == "league"

    def _score(self, get: Any) -> None:
        #: The points of a card, by rank and by code.
        letters = points_of_cards(get("score.cards"))
        self.rank_points: vec[i64] = cards.NO_RANKS[:]
        lowest = cards.RED_THREE if self.threes_melded else cards.BLACK_THREE
        for rank in range(lowest, cards.UNKNOWN_RANK):
            self.rank_points[rank] = letters[cards.RANK_LETTERS[rank]]
        self.card_points: vec[i64] = array(self.rank_points[rank] for rank in cards.RANK)
        self.score_out: i64 = get("score.out")
        self.score_concealed: i64 = get("score.concealed")
        self.concealed_own: bool = get("score.concealed_needs") == "own"
        self.score_natural: i64 = get("score.natural")
        self.score_mixed: i64 = get("score.mixed")
        semi: int | None = get("score.semi")
        #: Whether some canastas with a wild card are semi-clean, what these earn, and whether the
        #: wild card must then be at an end of a sequence.
        self.has_semi: bool = semi is not None
        self.score_semi: i64 = semi or 0
        self.semi_at_end: bool = get("semi") == "end"
        self.score_concealed_canasta: i64 = get("score.concealed_canasta")
        mode, points = get("score.red3")
        if mode == "each":
            most = self.rank_copies[cards.RED_THREE]
            points = tuple(points[0] * count for count in range(1, most + 1))
        self.score_red3: tuple[int, ...] = points
        self.red3_minus: str = get("score.red3_minus")
        self.melds_minus: str = get("score.melds_minus")
        #: What a red three left in a hand counts, in place of its points in a meld.
        self.red3_held: i64 = (
            -self.rank_points[cards.RED_THREE] if self.threes_melded else get("score.red3_held")
        )
        black3_held: int | None = get("score.black3_held")
        #: What a black three left in a hand counts when another seat goes out.
        self.black3_held: i64 = (
            -self.rank_points[cards.BLACK_THREE] if black3_held is None else black3_held
        )
        self.score_sevens: i64 = get("score.sevens")
        self.score_aces: i64 = get("score.aces")
        self.score_wild: dict[str, int] = dict(get("score.wild") or {})
        sequence: int | None = get("score.sequence")
        #: Whether a sequence is a canasta of a kind of its own, or natural or mixed like a set.
        self.sequences_apart: bool = sequence is not None
        self.score_sequence: i64 = sequence or 0
        self.score_king: i64 = get("score.king")
        self.score_ace: i64 = get("score.ace")
        self.score_unfinished: dict[str, int] = dict(get("score.unfinished") or {})
        self.score_held: i64 = get("score.held")
        self.special: dict[str, Any] = dict(get("special") or {})
        self.courtesy: bool = get("special.courtesy")
        self.special_with_pile: bool = get("special.with_pile")
        words = ("ask", "upcard")
        self.penalties: dict[str, int | None] = {word: get(f"penalty.{word}") for word in words}
        #: The points, and the number of deals, that end the game; NEVER if there are none.
        self.target: i64 = get("target") or NEVER
        self.game_deals: i64 = get("game.deals") or NEVER

    def _shortcuts(self, profile: Profile, *, wanted: bool) -> None:
        """Note which shortcuts fit these rules."""

        def may(shortcut: Shortcut) -> bool:
            return wanted and shortcut.fits(profile)

        #: By byte, so that a byte that is not a card can be looked up; it is not plain.
        self.plain_draw: vec[i64] = array([False] * (1 << 8))
        self.plain_discard: vec[i64] = array([False] * (1 << 8))
        draws, discards = may(PLAIN_DRAW), may(PLAIN_DISCARD)
        for code, rank in enumerate(cards.RANK):
            banned = _BANNED if self.bans else (cards.SEVEN,) if self.bans_sevens else ()
            touched = self.freezers[rank] or rank in banned
            exact = cards.EXACT[code] != 0
            self.plain_draw[code] = draws and exact and not self.tabled[rank]
            self.plain_discard[code] = discards and not (touched or self.tabled[rank])
        self.known_draws: bool = may(KNOWN_DRAW)
        self.known_lays: bool = may(KNOWN_LAY)
        self.quiet_ends: bool = may(QUIET_END)
        self.counted_takes: bool = may(COUNTED_TAKE)

    def minimum(self, total: int | None, number: int | None) -> int | None:
        """Return the points that an opening must count; None if what decides it is None.

        `total` are the points of the side before the deal, `number` is the number of the deal.
        """
        at = number if self.opening_by_deal else total
        if at is None:
            return None
        return next(points for limit, points in self.opening_table if limit is None or at < limit)


@lru_cache
def rules_of(profile: Profile) -> Rules:
    """Return the rules of a profile, always the same object."""
    return Rules(profile)


# --- shortcuts ----------------------------------------------------------------------------------

# A shortcut skips checks that find nothing under the rules it was written for. A value that is not
# listed here switches it off, and the checks are made. So does a key that is not listed, unless it
# has the value for a profile whose text has no such rule (`absent` in keys.toml).


@dataclass(frozen=True, slots=True)
class Shortcut:
    """The values of keys that a shortcut was written for.

    For a list, `values` has the items that it may contain; for the points of threes, the word
    before them. Every other key of `JUDGED` may have any value: no skipped check depends on it, or
    the shortcut itself takes it into account.
    """

    values: Mapping[str, Container[object]]

    def fits(self, profile: Profile) -> bool:
        """Return whether the shortcut was written for the rules of a profile."""
        return all(self._has(key, profile[key]) for key in profile.values)

    def _has(self, key: str, value: object) -> bool:
        if key not in self.values:
            return key in JUDGED or (key in keys() and spell(value) == keys()[key].absent)
        allowed = self.values[key]
        if not isinstance(value, tuple):
            return value in allowed
        return all(item in allowed for item in value)


#: Every key that the shortcuts were written for.
JUDGED: Final = frozenset({
    "players", "sides", "deck.packs", "deck.jokers", "deal.hand", "packet.of", "packet.size",
    "packet.from", "packet.with_pile", "packet.until", "packet.threes", "deal.three_kept",
    "threes", "up.turned", "up.covered", "up.freezes", "draw.count", "draw.last_red3",
    "discard.banned", "special",
    "pile.freezers", "pile.blockers", "pile.always_frozen", "pile.frozen_until_opened",
    "pile.with_wild", "pile.onto_meld", "pile.one_card_rule", "pile.rest_usable", "pile.must_take",
    "pile.take", "pile.before_opening", "packet.when", "packet.use", "packet.unused",
    "packet.unplayed", "out.wild", "out.sevens", "out.packet", "out.last",
    "meld.dead_ranks",
    "meld.min_naturals", "meld.max_wilds", "meld.wild_share", "meld.all_wild",
    "meld.max_cards", "meld.no_wilds_in", "meld.rule_of_five", "meld.black_threes",
    "opening.table", "opening.by", "opening.raise", "opening.take_counts", "opening.waived",
    "opening.clean_triple", "opening.mixed_canasta",
    "out.canastas", "out.discard", "out.after_black_threes", "out.finished",
    "out.ask", "out.ask_when", "out.ask_limit", "penalty.ask", "penalty.upcard",
    "score.cards", "score.out", "score.concealed", "score.concealed_needs",
    "score.concealed_canasta", "score.natural", "score.mixed", "score.sevens", "score.aces",
    "score.wild", "score.red3", "score.red3_minus", "score.red3_held", "score.melds_minus",
    "score.unfinished", "score.held", "target", "game.deals", "tie",
    "score.semi", "semi", "meld.sets",
})  # fmt: skip


#: One card drawn, with its suit, that is not a three to table.
PLAIN_DRAW: Final = Shortcut({"draw.count": (1,), "threes": _TABLED_THREES})
#: Cards drawn, all with their suits, as many as are due.
KNOWN_DRAW: Final = Shortcut({"threes": _TABLED_THREES})
#: A discard that does not freeze the pile and cannot be banned.
PLAIN_DISCARD: Final = Shortcut({
    "threes": _TABLED_THREES,
    "pile.freezers": _CLASSES,
    "discard.banned": ("none", "american", "league", "sevens", "own-sevens"),
})  # fmt: skip
#: A group of 4 to A from a known hand, judged only by its meld's shape. It is not judged at all if
#: the meld then has three naturals or more and no wild card, and the seat has melded before.
KNOWN_LAY: Final = Shortcut({
    "meld.min_naturals": range(1, MELD_SIZE + 1),
    "meld.max_cards": (None,),
    "meld.dead_ranks": ("no", "pile"),
    "out.after_black_threes": ("anything",),
    "score.concealed_canasta": (0,),
    "opening.waived": ("no", "out-concealed-from-stock", "splash"),
})  # fmt: skip
#: The end of a turn with a draw, a discard and groups with nothing to judge, if cards are left.
QUIET_END: Final = Shortcut({})
#: Deciding by counting that a side that has opened can take the pile (`search.able`).
COUNTED_TAKE: Final = Shortcut({
    "threes": _TABLED_THREES,
    "packet.of": ("none",),
    "deal.three_kept": ("no",),
    "discard.banned": ("none",),
    "special": (None,),
    "pile.blockers": _CLASSES,
    "pile.onto_meld": (True,),
    "pile.rest_usable": (True,),
    "meld.min_naturals": (2,),
    "meld.all_wild": (False,),
    "meld.no_wilds_in": (),
    "meld.rule_of_five": (False,),
    "out.discard": ("optional", "required"),
    "out.finished": (False,),
})  # fmt: skip
