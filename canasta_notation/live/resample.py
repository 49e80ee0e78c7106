"""Hidden cards in another order, in a deal that agrees with everything that a seat has seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from canasta_notation.cards import BLACK_THREE, RANK
from canasta_notation.dealing import Dealt, seats_from
from canasta_notation.engine.actions import (
    Action,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.take import staying, takes_alone
from canasta_notation.live.live_deal import LiveTable, LiveTurn

#: The place of a card in a deal: ("hand", seat, place), ("stock", 0, place), ("packet", packet,
#: place).
CardPlace = tuple[str, int, int]


class _Hand:
    """What the others know of a hand.

    `hidden` are the places of cards that only its seat knows. `keeps` are the places at which it
    could have kept a three; one of the places with the same keeper can hold a three.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.hidden: list[CardPlace] = []
        self.seen: Counter[int] = Counter()
        self.keeps: dict[CardPlace, CardPlace | int] = {}


def resampled(
    rules: Rules,
    table: LiveTable,
    seat: int,
    rng: Random,
    *,
    openings_hidden: bool = False,
    share: float = 1,
) -> Dealt:
    """Return the deal with the cards that a seat has not seen in another order.

    If a hand plays a card that it may be known to hold, that card counts as the known one. With
    `openings_hidden`, it does not in a turn in which a side opens with the pile, because the rest
    of the pile may enter the hand too late. `share` is the share of the unseen cards that may be
    moved. Not checked: that the plays of the others were legal with their new cards.
    """
    cards = _cards_of(table.dealt)
    hands = _hands(rules, table, cards, openings_hidden)
    others = [hand for at, hand in enumerate(hands) if at != seat]
    held = [place for hand in others for place in hand.hidden]
    keeper = {place: who for hand in others for place, who in hand.keeps.items()}
    moving = [place for place in held + _undrawn(table) if rng.random() < share]
    moved, in_hand = {*moving}, {*held}
    threes = _threes(rules, moving, cards)
    staying = _threes(rules, [place for place in held if place not in moved], cards)
    spots = [place for place in moving if place in keeper or place not in in_hand]
    while True:  # the current places of the threes are one solution, so this ends
        chosen = rng.sample(spots, len(threes))
        keepers = [keeper[place] for place in staying + chosen if place in keeper]
        if len({*keepers}) == len(keepers):
            break
    rest = [place for place in moving if place not in threes]
    others_chosen = [place for place in moving if place not in chosen]
    fresh = cards | _shuffled(cards, threes, chosen, rng)
    return _dealt(rules, table.dealt, fresh | _shuffled(cards, rest, others_chosen, rng))


def _shuffled(
    cards: dict[CardPlace, int], places: list[CardPlace], onto: list[CardPlace], rng: Random
) -> dict[CardPlace, int]:
    """Return the cards of some places in random order, by the places onto which they move."""
    codes = [cards[place] for place in places]
    rng.shuffle(codes)
    return dict(zip(onto, codes, strict=True))


def _undrawn(table: LiveTable) -> list[CardPlace]:
    """Return the places in the rest of the stock and in the packets that are not taken."""
    taken = _taken(table)
    places: list[CardPlace] = [
        ("stock", 0, at) for at in range(table.drawn, len(table.dealt.stock))
    ]
    for number, packet in enumerate(table.dealt.packets):
        if number not in taken:
            places += [("packet", number, at) for at in range(len(packet))]
    return places


def _cards_of(dealt: Dealt) -> dict[CardPlace, int]:
    cards: dict[CardPlace, int] = {}
    for seat, hand in enumerate(dealt.hands):
        cards |= {("hand", seat, at): code for at, code in enumerate(hand)}
    for number, packet in enumerate(dealt.packets):
        cards |= {("packet", number, at): code for at, code in enumerate(packet)}
    return cards | {("stock", 0, at): code for at, code in enumerate(dealt.stock)}


def _pulled(rules: Rules, dealt: Dealt) -> list[list[int]]:
    """Return the places in the stock of each seat's replacements."""
    at = len(dealt.up)
    places: list[list[int]] = [[] for _ in range(rules.players)]
    for seat in seats_from(rules, dealt.dealer):
        count = len(dealt.replacements[seat])
        places[seat] = list(range(at, at + count))
        at += count
    return places


def _hands(
    rules: Rules, table: LiveTable, cards: dict[CardPlace, int], openings_hidden: bool
) -> list[_Hand]:
    """Return what is hidden in each hand now."""
    deal = _Hands(rules, table, cards, openings_hidden)
    for line in table.lines:
        if isinstance(line, LiveTurn):
            deal.follow(line)
    return deal.hands


class _Hands:
    """What is hidden in each hand, from turn to turn."""

    def __init__(
        self, rules: Rules, table: LiveTable, cards: dict[CardPlace, int], openings_hidden: bool
    ) -> None:
        self.rules = rules
        self.table = table
        self.cards = cards
        self.openings_hidden = openings_hidden
        dealt = table.dealt
        self.hands = [self._dealt(seat, each) for seat, each in enumerate(_pulled(rules, dealt))]
        #: How many cards have left the stock; the pile; the sides that have laid something.
        self.drawn = dealt.start
        self.pile = list(dealt.up)
        self.opened: set[int] = set()

    def _dealt(self, seat: int, pulled: list[int]) -> _Hand:
        """Return a hand before the first turn; `pulled` are the places of its replacements."""
        hand, size = _Hand(seat), len(self.table.dealt.hands[seat])
        places: list[CardPlace] = [("hand", seat, at) for at in range(size)]
        places += [("stock", 0, at) for at in pulled]
        # The engine keeps a black three, if there is one, and every three that waits.
        threes = _threes(self.rules, places, self.cards)
        threes.sort(key=lambda place: RANK[self.cards[place]] != BLACK_THREE)
        tabled = threes[len(threes) - len(pulled) :]
        hand.hidden = [place for place in places if place not in tabled]
        if self.rules.three_kept:
            hand.keeps = dict.fromkeys(hand.hidden, seat)
        elif self.rules.threes_wait:
            hand.keeps = {place: place for place in hand.hidden}
        return hand

    def follow(self, turn: LiveTurn) -> None:
        """Follow a turn."""
        hand, side = self.hands[turn.seat], self.rules.side_of[turn.seat]
        took = any(isinstance(action, Take) for action in turn.actions)
        known_first = side in self.opened or not took or not self.openings_hidden
        keeps = self.rules.three_kept and side not in self.opened
        if any(isinstance(action, Lay) for action in turn.actions):
            self.opened.add(side)
        if self.rules.threes_wait:
            # Threes that were dealt are tabled as the seat's first turn begins.
            held = _threes(self.rules, hand.hidden, self.cards)
            hand.keeps = {place: place for place in held if place in hand.keeps}
        for action in turn.actions:
            match action:
                case Draw():
                    self._draw(hand, turn.seat, len(action.cards), keeps)
                case TableThrees():
                    self._table(hand, action)
                case Take(onto=onto) if takes_alone(self.rules, onto):
                    self.pile.pop()
                case Take():
                    stays = staying(self.rules, len(self.pile) - 1)
                    hand.seen.update(self.pile[stays:-1])
                    del self.pile[stays:]
                case TakePacket():
                    self._take_packet(hand, action)
                case TakeBack():
                    _show_held(hand, action.cards, self.cards, took)
                case _:
                    _show(hand, action, self.cards, known_first)
            if isinstance(action, Discard):
                self.pile.append(action.card)

    def _draw(self, hand: _Hand, seat: int, count: int, keeps: bool) -> None:
        places = self._from_stock(count)
        empty = self.drawn == len(self.table.dealt.stock)
        may_keep = self.rules.last_three_held if empty else keeps
        threes = _threes(self.rules, places, self.cards)
        # A draw ends with a three only if the three is kept, or if the stock is empty.
        kept = may_keep and places[-1] in threes
        tabled = threes[:-1] if kept else threes
        hand.hidden += [place for place in places if place not in tabled]
        if may_keep and places[-1] not in tabled:
            hand.keeps[places[-1]] = places[-1] if empty else seat

    def _table(self, hand: _Hand, action: TableThrees) -> None:
        for code in action.threes:
            place = next(each for each in hand.hidden if self.cards[each] == code)
            hand.hidden.remove(place)
            hand.keeps.pop(place, None)
        self._replace(hand, len(action.cards))

    def _take_packet(self, hand: _Hand, action: TakePacket) -> None:
        if self.rules.packet_drawn:
            places = self._from_stock(len(action.cards))
        else:
            number = _packet_of(self.table, action, hand.seat)
            places = [("packet", number, at) for at in range(len(action.cards))]
        tabled = _threes(self.rules, places, self.cards)
        if self.rules.packet_threes == "next-turn":
            hand.keeps |= {place: place for place in places}
            tabled = []
        hand.hidden += [place for place in places if place not in tabled]
        self._replace(hand, len(action.replacements))

    def _replace(self, hand: _Hand, count: int) -> None:
        """Put replacements from the stock into a hand."""
        places = self._from_stock(count)
        tabled = _threes(self.rules, places, self.cards)
        hand.hidden += [place for place in places if place not in tabled]

    def _from_stock(self, count: int) -> list[CardPlace]:
        """Return the places of the next cards of the stock, which leave it."""
        self.drawn += count
        return [("stock", 0, at) for at in range(self.drawn - count, self.drawn)]


def _threes(rules: Rules, places: list[CardPlace], cards: dict[CardPlace, int]) -> list[CardPlace]:
    """Return those of the places that hold threes of the kind that is tabled."""
    return [place for place in places if rules.tabled[RANK[cards[place]]]]


def _show(hand: _Hand, action: Action, cards: dict[CardPlace, int], known_first: bool) -> None:
    """Note the cards that an action shows; known cards leave the hand first, or else last."""
    shown: tuple[int, ...] = ()
    if isinstance(action, Lay | LaySpecial):
        shown = action.cards
    elif isinstance(action, Discard):
        shown = (action.card,)
    for code in shown:
        place = next((each for each in hand.hidden if cards[each] == code), None)
        if hand.seen[code] and (known_first or place is None):
            hand.seen[code] -= 1
        elif place is not None:
            hand.hidden.remove(place)


def _show_held(
    hand: _Hand, shown: tuple[int, ...], cards: dict[CardPlace, int], took: bool
) -> None:
    """Note cards that were laid and taken back: the hand is known to hold them.

    If the turn took the pile, they are not cards of its rest.
    """
    for code, count in Counter(shown).items():
        more = count if took else max(0, count - hand.seen[code])
        for place in [each for each in hand.hidden if cards[each] == code][:more]:
            hand.hidden.remove(place)
            hand.keeps.pop(place, None)
            hand.seen[code] += 1


def _packet_of(table: LiveTable, action: TakePacket, seat: int) -> int:
    if table.rules.packet_of_seat:
        return seat
    return next(
        at
        for at, packet in enumerate(table.dealt.packets)
        if sorted(packet) == sorted(action.cards)
    )


def _taken(table: LiveTable) -> set[int]:
    """Return which packets have been taken."""
    return {
        _packet_of(table, action, line.seat)
        for line in table.lines
        if isinstance(line, LiveTurn)
        for action in line.actions
        if isinstance(action, TakePacket) and table.dealt.packets
    }


def _dealt(rules: Rules, dealt: Dealt, cards: dict[CardPlace, int]) -> Dealt:
    stock = tuple(cards["stock", 0, at] for at in range(len(dealt.stock)))
    pulled = _pulled(rules, dealt)
    return replace(
        dealt,
        hands=tuple(
            tuple(sorted(cards["hand", seat, at] for at in range(len(hand))))
            for seat, hand in enumerate(dealt.hands)
        ),
        replacements=tuple(tuple(stock[at] for at in places) for places in pulled),
        stock=stock,
        packets=tuple(
            tuple(sorted(cards["packet", number, at] for at in range(len(packet))))
            for number, packet in enumerate(dealt.packets)
        ),
    )
