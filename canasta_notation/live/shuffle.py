"""The cards of one deal: shuffled by a seed, given as a record spells them, or some of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from canasta_notation.cards import EXACT, RANK, TEXT, format_cards, parse_cards
from canasta_notation.dealing import (
    Codes,
    Dealt,
    new_pack,
    pull_replacements,
    pull_up_cards,
    seats_from,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.english import count
from canasta_notation.quoting import quoted

#: How many bytes a random number has.
_WORD = 8


@dataclass(frozen=True, slots=True)
class Given:
    """The cards of a deal that are given; the rest is shuffled.

    `hands` (as dealt) and `replacements` (in order) are by seat, for the seats whose hands are
    given. `stock` is the whole stock line, or None; `drawn` are the first cards to be drawn in
    play. `keep` are the seats that keep one dealt three if the rules allow it.
    """

    hands: Mapping[int, Codes] = field(default_factory=dict)
    replacements: Mapping[int, Codes] = field(default_factory=dict)
    up: Codes | None = None
    stock: Codes | None = None
    packets: tuple[Codes | None, ...] = ()
    drawn: Codes = ()
    keep: frozenset[int] = frozenset()


def read_given(
    rules: Rules,
    hands: Mapping[str, str] | None,
    up: str | None,
    stock: str | None,
    packets: Iterable[str],
    keep: Iterable[str] = (),
) -> Given:
    """Read given cards, which are spelled as in a record: `4s4d... 3h +6c`, `2d 9c`.

    Raises ValueError for text that is not a card, for a card without its suit, and for a seat that
    the game does not have.
    """
    dealt, pulled = _read_hands(rules, hands)
    if isinstance(packets, str) or not isinstance(packets, Iterable):
        raise ValueError(
            f"packets must be a list of strings, as in ['4s 5h ...'], not {quoted(packets)}"
        )
    if not isinstance(keep, Iterable):
        raise ValueError(
            f"keep must be a list of seats, as in {[rules.seats[0]]!r}, not {quoted(keep)}"
        )
    return Given(
        dealt,
        pulled,
        None if up is None else _cards("up", up),
        None if stock is None else _cards("stock", stock),
        tuple(_cards("packets", packet) for packet in packets),
        keep=frozenset(seat_at(rules, seat) for seat in keep),
    )


def seat_at(rules: Rules, seat: str) -> int:
    """Return the index of a seat. Raises ValueError for one that the game does not have."""
    if not isinstance(seat, str) or len(seat) != 1 or seat not in rules.seats:
        seats = " ".join(rules.seats)
        raise ValueError(f"not a seat of this game: {quoted(seat)} (the seats are {seats})")
    return rules.seats.index(seat)


def _cards(name: str, text: str) -> Codes:
    if not isinstance(text, str):
        raise ValueError(f"{name}: cards must be a string such as '4s 5h', not {quoted(text)}")
    try:
        cards = parse_cards(text.replace("+", " "))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    for code in cards:
        if not EXACT[code]:
            raise ValueError(f"{name}: a live game needs every card with its suit: {TEXT[code]}")
    return cards


def _read_hands(
    rules: Rules, hands: Mapping[str, str] | None
) -> tuple[dict[int, Codes], dict[int, Codes]]:
    """Return the given hands as dealt and their replacements, by seat. Raises ValueError."""
    dealt: dict[int, Codes] = {}
    pulled: dict[int, Codes] = {}
    if not isinstance(hands, Mapping | None):
        raise ValueError(
            f"hands must map seats to cards, as in {{{rules.seats[0]!r}: '4s 5h ...'}}"
        )
    for seat, text in (hands or {}).items():
        at = seat_at(rules, seat)
        if not isinstance(text, str):
            raise ValueError(
                f"hands[{quoted(seat)}]: cards must be a string such as '4s 5h', not {quoted(text)}"
            )
        cards, _, replacements = text.partition("+")
        dealt[at] = _cards(f"hands[{quoted(seat)}]", cards)
        threes = sum(rules.tabled[RANK[code]] for code in dealt[at])
        if replacements or rules.threes_wait or threes <= rules.three_kept:
            # Threes without replacements are kept if the rules allow it.
            pulled[at] = _cards(f"hands[{quoted(seat)}]", replacements)
    return dealt, pulled


def deal_cards(rules: Rules, dealer: int, given: Given, seed: str) -> Dealt:
    """Return a deal with the given cards, and the rest in the order that the seed decides.

    Raises ValueError for more copies of a card than the deck has, and for hands, talons, up cards
    or a stock with the wrong number of cards.
    """
    rest = shuffled(_rest(rules, given), seed)
    hands, packets = _dealt_hands(rules, given, rest), _dealt_packets(rules, given, rest)
    source = iter(given.stock) if given.stock is not None else None
    supply = _Supply(rest, source)
    if given.up is not None and bool(given.up) != rules.up_turned:
        _check_size("the up card", given.up, int(rules.up_turned))
    up = pull_up_cards(rules, supply.pull) if given.up is None else supply.pull_all(given.up)
    pulled = {
        seat: supply.pull_all(given.replacements[seat])
        if seat in given.replacements
        else pull_replacements(rules, hands[seat], seat in given.keep, supply.pull)
        for seat in seats_from(rules, dealer)
    }
    start = len(supply.gone)
    drawn = supply.pull_all(given.drawn)
    stock = (*supply.gone[:start], *drawn, *(source or rest))
    _check_size("the stock", stock, rules.undealt)
    return Dealt(
        dealer,
        tuple(tuple(sorted(hand)) for hand in hands),
        tuple(pulled[seat] for seat in range(rules.players)),
        up,
        stock,
        tuple(tuple(sorted(packet)) for packet in packets),
        start,
    )


def _dealt_hands(rules: Rules, given: Given, rest: list[int]) -> tuple[Codes, ...]:
    """Return the hands, those not given from the rest of the pack. Raises ValueError."""
    hands = tuple(
        given.hands[seat] if seat in given.hands else _take(rest, rules.hand)
        for seat in range(rules.players)
    )
    for seat, hand in enumerate(hands):
        _check_size(f"the hand of {rules.seats[seat]}", hand, rules.hand)
    return hands


def _dealt_packets(rules: Rules, given: Given, rest: list[int]) -> list[Codes]:
    """Return the packets, those not given from the rest of the pack. Raises ValueError."""
    named = given.packets or (None,) * len(rules.packets_aside)
    _check_size("the packets", named, len(rules.packets_aside), "packet")
    packets = [
        _take(rest, size) if packet is None else packet
        for packet, size in zip(named, rules.packets_aside, strict=True)
    ]
    for packet, size in zip(packets, rules.packets_aside, strict=True):
        _check_size("a packet", packet, size)
    return packets


def _rest(rules: Rules, given: Given) -> list[int]:
    """Return the cards of the deck that are not given, in canonical order."""
    deck = Counter(new_pack(rules))
    lists = [*given.hands.values(), *(packet or () for packet in given.packets)]
    if given.stock is None:
        lists += [*given.replacements.values(), given.up or (), given.drawn]
    else:
        lists.append(given.stock)
    deck.subtract(code for cards in lists for code in cards)
    for code, copies in deck.items():
        if copies < 0:
            raise ValueError(f"more {TEXT[code]} than the deck has ({rules.copies[code]})")
    return sorted(deck.elements())


def _take(rest: list[int], number: int) -> Codes:
    taken = tuple(rest[:number])
    del rest[:number]
    return taken


def _check_size(name: str, given: tuple[object, ...], due: int, what: str = "card") -> None:
    if len(given) != due:
        raise ValueError(f"{name}: {count(len(given), what)} given, not {due}")


class _Supply:
    """The stock before the first turn; `gone` are the cards that have left it, in order."""

    def __init__(self, rest: list[int], stock: Iterator[int] | None) -> None:
        self._rest = rest
        self._stock = stock
        self.gone: list[int] = []

    def pull(self, named: int | None = None) -> int:
        """Take a card off the stock; if `named` is given, it is this card."""
        if self._stock is not None:
            code = next(self._stock, -1)
        else:
            code = named if named is not None else (self._rest.pop(0) if self._rest else -1)
        if code < 0:
            raise ValueError("the stock does not have enough cards")
        if named is not None and code != named:
            raise ValueError(f"{TEXT[named]} is not the stock's next card, {TEXT[code]} is")
        self.gone.append(code)
        return code

    def pull_all(self, named: Iterable[int]) -> Codes:
        """Take these cards off the stock."""
        return tuple([self.pull(code) for code in named])


def shuffled(cards: list[int], seed: str) -> list[int]:
    """Return the cards in an order that only the seed decides, the same on every platform."""
    order = cards[:]
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        at = _below(numbers, last + 1)
        order[last], order[at] = order[at], order[last]
    return order


def _numbers(seed: str) -> Iterator[int]:
    """Yield numbers of eight random bytes each, by SHA-256 of the seed and a counter."""
    drawn = 0
    while True:
        digest = sha256(f"{seed} {drawn}".encode()).digest()
        for at in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[at : at + _WORD], "big")
        drawn += 1


def _below(numbers: Iterator[int], limit: int) -> int:
    """Return a number from 0 up to, but not including, a limit; all are equally likely."""
    fair = (1 << 8 * _WORD) // limit * limit
    return next(number for number in numbers if number < fair) % limit


def spell_deal(dealt: Dealt, seats: str) -> dict[str, object]:
    """Return the cards of a deal as `LiveGame.deal` takes them."""
    hands = {}
    for seat, cards, pulled in zip(seats, dealt.hands, dealt.replacements, strict=True):
        hands[seat] = " ".join([format_cards(cards), *("+" + TEXT[code] for code in pulled)])
    return {
        "hands": hands,
        "up": format_cards(dealt.up),
        "stock": format_cards(dealt.stock),
        "packets": [format_cards(packet) for packet in dealt.packets],
    }
