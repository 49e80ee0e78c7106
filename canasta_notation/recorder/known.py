"""What is known about a refused card: what the hand held, and where the other copies are.

The sentences are for players; a recorder shows them with the finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from canasta_notation.cards import CODES, EXACT, RANK, RANK_NAMES, TEXT
from canasta_notation.engine.actions import Action, Discard, Draw, Lay, TableThrees, Take
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.state import HandState, State
from canasta_notation.english import count, listed
from canasta_notation.findings import Finding
from canasta_notation.notation.document import LeftLine, Turn
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.standing import Standing

#: The findings that the contents of a hand explain.
_OF_HANDS: Final = (
    "not-in-hand",
    "deck-count",
    "pile-unmeldable",
    "pile-frozen",
    "out-canasta",
    "discard-missing",
    "end-hand",
)
_TOO_MANY: Final = "deck-count"


def known_of(proposal: Proposal, finding: Finding) -> Iterator[str]:
    """Yield what is known about the hand that a finding concerns, and about copies of a card."""
    standing, line = proposal.before, proposal.line
    state = standing.state()
    seats = standing.rules.seats
    if state is None or not isinstance(line, Turn | LeftLine) or line.seat not in seats:
        return
    if proposal.replaces or finding.code not in _OF_HANDS or not standing.turns:
        return
    hand = state.hands[seats.index(line.seat)]
    more = "" if hand.unknown or not hand.cards else ", and nothing else"
    if isinstance(line, Turn):
        yield f"before this turn {line.seat} held {held(hand)}{more}"
    elif hand.cards:
        yield f"according to the play {line.seat} holds {held(hand)}{more}"
    if finding.code == _TOO_MANY:
        yield from _too_many(standing, state, line)


def held(hand: HandState) -> str:
    """Return what is known about a hand, as in `4s K and 3 unseen cards`."""
    cards = " ".join(TEXT[card] for card in hand.cards)
    unseen = count(hand.unknown, "unseen card") if hand.unknown else ""
    return " and ".join(part for part in (cards, unseen) if part) or "no cards"


def _too_many(standing: Standing, state: State, line: Turn | LeftLine) -> Iterator[str]:
    """Yield where the other copies of a card are, if they leave too few for the line."""
    actions = line.actions if isinstance(line, Turn) else ()
    draws = [action for action in actions if isinstance(action, Draw | TableThrees)]
    drawn = [card for action in draws for card in action.cards]
    shown = [card for action in actions for card in _shown(action)]
    shown += line.cards if isinstance(line, LeftLine) else ()
    hand = state.hands[standing.rules.seats.index(line.seat)].cards
    for like, copies, one, many in _kinds(standing.rules, [*drawn, *shown]):
        places = _places(standing, state, like)
        seen = sum(number for number, _ in places)
        pulled = _count(like, drawn)
        unseen = max(0, _count(like, shown) - pulled - _count(like, hand))
        if seen + pulled + unseen <= copies:
            continue
        whence = "come from the stock" if seen + pulled > copies else "be among those"
        left = copies - seen
        most = f"at most {count(left, one, many)}" if left > 0 else f"no {one}"
        where = listed(f"{number} {place}" for number, place in places)
        every = "both" if copies == 2 else f"all {copies}"
        number = f"{seen} of {copies}" if left > 0 else every
        yield f"{most} can {whence}: {number} have been seen, {where}"
        return


def _shown(action: Action) -> tuple[int, ...]:
    """Return the cards that an action shows to have been in the hand."""
    if isinstance(action, Lay):
        return action.cards
    if isinstance(action, TableThrees):
        return action.threes
    return (action.card,) if isinstance(action, Discard) else ()


def _kinds(rules: Rules, cards: list[int]) -> Iterator[tuple[frozenset[int], int, str, str]]:
    """Yield each rank of these cards, then each card: its codes, its copies, its names."""
    for rank in dict.fromkeys(RANK[card] for card in cards):
        alike = frozenset(code for code in range(CODES) if RANK[code] == rank)
        yield alike, rules.rank_copies[rank], *RANK_NAMES[rank]
    for code in dict.fromkeys(card for card in cards if EXACT[card]):
        yield frozenset([code]), rules.copies[code], TEXT[code], TEXT[code]


def _places(standing: Standing, state: State, like: frozenset[int]) -> list[tuple[int, str]]:
    """Return how many cards of a kind are seen in each place, with words for the place."""
    rules = standing.rules
    melded = [0] * len(rules.sides)
    for turn in standing.turns:
        side = rules.side_of[rules.seats.find(turn.seat)]
        for action in turn.actions:
            if isinstance(action, Lay):
                melded[side] += _count(like, action.cards)
            elif isinstance(action, Take):
                melded[side] += action.card in like
    places = [
        (number, f"in the melds of {name}")
        for number, name in zip(melded, rules.sides, strict=True)
    ]
    places += [
        (_count(like, side.threes), f"tabled by {name}")
        for side, name in zip(state.sides, rules.sides, strict=True)
    ]
    places.append((_count(like, state.pile), "in the pile"))
    laid_down = {line.seat: line.cards for line in standing.deal.left} if standing.deal else {}
    places += [
        (_count(like, laid_down.get(seat, hand.cards)), f"in the hand of {seat}")
        for hand, seat in zip(state.hands, rules.seats, strict=True)
    ]
    return [(number, place) for number, place in places if number]


def _count(like: frozenset[int], cards: Iterable[int]) -> int:
    return sum(card in like for card in cards)
