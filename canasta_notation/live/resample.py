"""Hidden cards in another order: a deal that agrees with everything that a seat has seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from canasta_notation.cards import RANK
from canasta_notation.engine.actions import Action, Discard, Draw, Lay, LaySpecial, Take, TakeTalon
from canasta_notation.engine.ruleset import Rules
from canasta_notation.live.live_deal import LiveTable, LiveTurn
from canasta_notation.live.shuffle import Dealt

#: The place of a card in a deal: ("hand", seat, place), ("stock", 0, place), ("talon", talon,
#: place).
Place = tuple[str, int, int]


class _Hand:
    """What the others know of a hand; `hidden` are the places of cards that only its seat knows."""

    def __init__(self) -> None:
        self.hidden: list[Place] = []
        self.seen: Counter[int] = Counter()


def resampled(
    rules: Rules, table: LiveTable, seat: int, rng: Random, *, openings_hidden: bool = False
) -> Dealt:
    """Return the deal with the cards that a seat has not seen in another order.

    A card that a hand shows is one that it is known to hold, if it can be. With `openings_hidden`,
    this is not so in a turn in which a side opens with the pile, because the rest of the pile may
    come into the hand too late. Not checked: that the plays of the others were legal with their new
    cards.
    """
    cards = _cards_of(table.dealt)
    hands = _hands(rules, table, cards, openings_hidden)
    free = [
        place
        for at, hand in enumerate(hands)
        if at != seat
        for place in hand.hidden
        if not rules.tabled[RANK[cards[place]]]
    ]
    pool = [("stock", 0, at) for at in range(table.drawn, len(table.dealt.stock))]
    pool += [
        ("talon", at, place)
        for at, talon in enumerate(table.dealt.talons)
        if at not in _taken(table)
        for place in range(len(talon))
    ]
    codes = [cards[place] for place in (*free, *pool)]
    rng.shuffle(codes)
    # A three that must be tabled cannot be in a hand; it stays in the stock or in a talon.
    codes.sort(key=lambda code: rules.tabled[RANK[code]] != 0)
    rest = codes[len(free) :]
    rng.shuffle(rest)
    cards |= dict(zip((*free, *pool), codes[: len(free)] + rest, strict=True))
    return _dealt(rules, table.dealt, cards)


def _cards_of(dealt: Dealt) -> dict[Place, int]:
    cards: dict[Place, int] = {}
    for seat, hand in enumerate(dealt.hands):
        cards |= {("hand", seat, at): code for at, code in enumerate(hand)}
    for number, talon in enumerate(dealt.talons):
        cards |= {("talon", number, at): code for at, code in enumerate(talon)}
    return cards | {("stock", 0, at): code for at, code in enumerate(dealt.stock)}


def _pulled(rules: Rules, dealt: Dealt) -> list[list[int]]:
    """Return the places in the stock of each seat's replacements."""
    at = len(dealt.up)
    places: list[list[int]] = [[] for _ in range(rules.players)]
    for turn in range(rules.players):
        seat = (dealt.dealer + 1 + turn) % rules.players
        count = len(dealt.replacements[seat])
        places[seat] = list(range(at, at + count))
        at += count
    return places


def _hands(
    rules: Rules, table: LiveTable, cards: dict[Place, int], openings_hidden: bool
) -> list[_Hand]:
    """Return what is hidden in each hand now."""
    dealt = table.dealt
    hands = [_Hand() for _ in range(rules.players)]
    for seat, (hand, pulled) in enumerate(zip(hands, _pulled(rules, dealt), strict=True)):
        hand.hidden = [("hand", seat, at) for at in range(len(dealt.hands[seat]))]
        hand.hidden += [("stock", 0, at) for at in pulled]
    drawn = dealt.start
    pile = list(dealt.up)
    opened: set[int] = set()
    for line in table.lines:
        if not isinstance(line, LiveTurn):
            continue
        hand, side = hands[line.seat], rules.side_of[line.seat]
        took = any(isinstance(action, Take) for action in line.actions)
        known_first = side in opened or not took or not openings_hidden
        if any(isinstance(action, Lay) for action in line.actions):
            opened.add(side)
        for action in line.actions:
            if isinstance(action, Draw):
                places = range(drawn, drawn + len(action.cards))
                hand.hidden += [("stock", 0, at) for at in places]
                drawn += len(action.cards)
            elif isinstance(action, Take):
                hand.seen.update(pile[:-1])
                pile.clear()
            elif isinstance(action, TakeTalon):
                number = _talon_of(table, action)
                hand.hidden += [("talon", number, at) for at in range(len(action.cards))]
            else:
                _show(hand, action, cards, known_first)
            if isinstance(action, Discard):
                pile.append(action.card)
    return hands


def _show(hand: _Hand, action: Action, cards: dict[Place, int], known_first: bool) -> None:
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


def _talon_of(table: LiveTable, action: TakeTalon) -> int:
    return next(
        at for at, talon in enumerate(table.dealt.talons) if sorted(talon) == sorted(action.cards)
    )


def _taken(table: LiveTable) -> set[int]:
    """Return which talons have been taken."""
    return {
        _talon_of(table, action)
        for line in table.lines
        if isinstance(line, LiveTurn)
        for action in line.actions
        if isinstance(action, TakeTalon)
    }


def _dealt(rules: Rules, dealt: Dealt, cards: dict[Place, int]) -> Dealt:
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
        talons=tuple(
            tuple(sorted(cards["talon", number, at] for at in range(len(talon))))
            for number, talon in enumerate(dealt.talons)
        ),
    )
