"""A program that writes turns at random from what a seat sees; refusals tell it what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final, TypeVar

from canasta_notation.cards import FOUR, RANK_LETTERS, SUIT_LETTERS, TWO
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.learning.turn_env import TurnView
from canasta_notation.live.action_text import ASK, END, THREES_WORD

_T = TypeVar("_T")
_RUN: Final = RANK_LETTERS[FOUR:TWO]
_WILD: Final = ("2", "*")
_THREE: Final = "3"
#: How often it tries to take the pile before it draws, and to begin a sequence or a meld of wilds.
_TAKES, _RARE = 0.5, 0.3
#: How many texts of a decision lay groups at random, and how many lay all that can be laid.
_LAYING, _WHOLE = 4, 1000
#: How often it goes on with a sequence.
_LONGER: Final = 0.7
#: How often it leaves a rank out, and how often it takes a complete meld for closed.
_RANKS, _FULL = 0.5, 0.5
#: The fewest cards of a new meld, and those of a complete one.
_FEWEST, _CANASTA = 3, 7


class RandomTurns:
    """A player that knows no rule: it writes groups of its own cards, and tries others if refused.

    `seed` decides what it writes. The first texts of a decision lay several groups. Then come all
    discards, then single groups with a discard, and then texts that lay all they can. Ask it again
    after each text that was refused, so that it goes on.
    """

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = Random(f"turns {seed}")
        self._texts: Iterator[str] = iter(())

    def __call__(self, decision: TurnView) -> str:
        """Return a text for `TurnEnv.step`; "" if it has tried all that it can write."""
        if not decision.false:
            self._texts = self._written(decision)
        return next(self._texts, "")

    def _written(self, decision: TurnView) -> Iterator[str]:
        """Yield the texts for a decision, in the order in which it tries them."""
        if decision.phase == "answer":
            yield from self._mixed(["ask=yes", "ask=no"])
        elif decision.phase in PACKET_WORDS:
            yield from self._mixed([decision.phase, END])
        elif decision.phase == "draw":
            yield from self._begun(decision)
        else:
            yield from self._played(decision)

    def _begun(self, decision: TurnView) -> Iterator[str]:
        takes = self._takes(decision)
        if self._rng.random() < _TAKES:
            yield from islice(takes, _LAYING)
        yield from ("+", THREES_WORD)
        yield from takes
        yield END

    def _takes(self, decision: TurnView) -> Iterator[str]:
        """Yield texts that take the pile with a group that has its top card."""
        if not decision.table.pile:
            return
        top = decision.table.pile[-1]
        hand = [*decision.table.hands[decision.seat]]
        for begun in self._mixed([*_onto(decision, top), *_with(top, hand)]):
            words, cards = begun
            rest = _without(hand, cards)
            groups, left = self._groups(decision, rest, whole=True)
            for more in (groups, []):
                kept = left if more else rest
                for card in self._mixed(kept)[:_LAYING] or [""]:
                    yield " ".join([*words, *more, *([f"-{card}"] if card else [])])

    def _played(self, decision: TurnView) -> Iterator[str]:
        hand = [*decision.table.hands[decision.seat]]
        turn = decision.turns[-1].split()
        if "ask=yes" not in turn:
            yield from self._shorter(decision, hand, may_ask="ask=no" not in turn)
        for _ in range(_WHOLE):
            kept = self._rng.sample(hand, self._rng.randrange(2))
            groups, left = self._groups(decision, _without(hand, kept), whole=True)
            if len(left) + len(kept) <= 1 or self._rng.random() < _RARE:
                yield from self._ends(groups, kept or left)[:1]

    def _shorter(self, decision: TurnView, hand: list[str], *, may_ask: bool) -> Iterator[str]:
        """Yield texts that do not lay all they can, and the question before one that does."""
        whole, left = self._groups(decision, hand, whole=True)
        partners = len(decision.table.hands) > len(decision.table.sides)
        if may_ask and partners and len(left) <= 1:
            yield ASK
        for _ in range(_LAYING):
            yield from self._ends(*self._groups(decision, hand, whole=False))[:1]
        yield from (f"-{card}" for card in self._mixed(hand))
        for group in self._mixed(whole):
            yield from self._ends([group], _without(hand, _cards(group)))
        yield END

    def _ends(self, groups: list[str], left: list[str]) -> list[str]:
        """Return the texts that lay groups and then discard one of the cards that are left."""
        ends = [f"-{card}" for card in self._mixed([*dict.fromkeys(left)])]
        return [" ".join([*groups, end]) for end in ends] or [" ".join(groups)]

    def _groups(
        self, decision: TurnView, hand: list[str], *, whole: bool
    ) -> tuple[list[str], list[str]]:
        """Return groups of a hand, and the cards that are left; with `whole`, of all it can."""
        rng, groups = self._rng, list[str]()
        left = self._mixed(hand)
        melds = _melds(decision)
        if any(label[0] in SUIT_LETTERS for label in melds) or rng.random() < _RARE:
            groups += self._sequences(melds, left)
        for rank in self._mixed([_THREE, *_RUN]):
            cards = [card for card in left if card[0] == rank]
            onto = [label for label in melds if label[0] == rank]
            label = rng.choice(onto or [rank])
            room = _CANASTA - len(melds.get(label, ()))
            if onto and len(cards) > room and rng.random() < _FULL:
                # A complete meld may be closed: the cards begin another one, or some stay.
                cards = cards[:room] if room > 0 else cards
                label, onto = (label, onto) if room > 0 else (f"{rank}/2", [])
            wilds = [card for card in left if card[0] in _WILD]
            if rank == _THREE and not whole:
                continue
            if not whole and rng.random() < _RANKS:
                continue
            if not onto and len(cards) == _FEWEST - 1 and wilds:
                cards.append(wilds[0])
            if cards and (onto or len(cards) >= _FEWEST):
                groups.append(f"{label}:{''.join(cards)}")
                for card in cards:
                    left.remove(card)
        self._add_wilds(melds, groups, left, whole=whole)
        # Black threes are laid when the seat goes out, so they come last.
        return sorted(groups, key=lambda group: group[0] == _THREE), left

    def _add_wilds(
        self, melds: dict[str, tuple[str, ...]], groups: list[str], left: list[str], *, whole: bool
    ) -> None:
        """Add wild cards to the groups, or lay them on melds; take them off `left`."""
        wilds = [card for card in left if card[0] in _WILD]
        at = {group.partition(":")[0]: number for number, group in enumerate(groups)}
        labels = [label for label in {**melds, **at} if label[0] in (*_RUN, "*")]
        if len(wilds) >= _FEWEST:
            labels = ["*"] if not labels or self._rng.random() < _RARE else [*labels, "*"]
        for card in wilds:
            if labels and (whole or self._rng.random() < _RARE):
                label = self._rng.choice(labels)
                if label not in at:
                    at[label] = len(groups)
                    groups.append(f"{label}:")
                groups[at[label]] += card
                left.remove(card)

    def _sequences(self, melds: dict[str, tuple[str, ...]], left: list[str]) -> list[str]:
        """Return groups that go on with sequences or begin one; take their cards off `left`."""
        rng, groups = self._rng, list[str]()
        for label in self._mixed([*melds]):
            if label[0] in SUIT_LETTERS and rng.random() < _LONGER:
                ranks = [_RUN.index(card[0]) for card in melds[label]]
                room = _CANASTA - len(ranks) if rng.random() < _FULL else len(_RUN)
                added = _run_around(min(ranks), max(ranks), label[0], left, room)
                groups += [f"{label}:{''.join(added)}"] if added else []
        for suit in self._mixed([*SUIT_LETTERS]):
            for low in self._mixed([*range(len(_RUN) - _FEWEST + 1)]):
                cards = [rank + suit for rank in _RUN[low : low + _FEWEST]]
                if all(card in left for card in cards):
                    for card in cards:
                        left.remove(card)
                    room = rng.randrange(_CANASTA - _FEWEST + 1)
                    cards += _run_around(low, low + _FEWEST - 1, suit, left, room)
                    groups.append(f"{suit}:{''.join(cards)}")
                    break
        return groups

    def _mixed(self, things: list[_T]) -> list[_T]:
        return self._rng.sample(things, len(things))


def _without(hand: list[str], cards: list[str]) -> list[str]:
    """Return a hand without some of its cards."""
    left = hand[:]
    for card in cards:
        left.remove(card)
    return left


def _melds(decision: TurnView) -> dict[str, tuple[str, ...]]:
    """Return the melds of the own side by their labels."""
    return next(m for side, m in decision.table.melds.items() if decision.seat in side)


def _cards(group: str) -> list[str]:
    """Return the cards of a group."""
    text, cards = group.partition(":")[2], list[str]()
    while text:
        size = 1 if text[0] == "*" else 2
        cards.append(text[:size])
        text = text[size:]
    return cards


def _run_around(low: int, high: int, suit: str, left: list[str], room: int) -> list[str]:
    """Return up to `room` cards that go on with a run in both directions, taken off `left`."""
    added = list[str]()
    for ranks in (_RUN[high + 1 :], _RUN[:low][::-1]):
        for rank in ranks:
            if rank + suit not in left or len(added) >= room:
                break
            left.remove(rank + suit)
            added.append(rank + suit)
    return added


def _onto(decision: TurnView, top: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the takes whose top card joins a meld: their words, and the cards of the hand."""
    for label in _melds(decision):
        if label[0] in (top[0], top[-1]):
            yield [f"^{top}>{label}"], []
            yield [f"^{top}"], []


def _with(top: str, hand: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the takes whose top card begins a meld: their words, and the cards of the hand."""
    wilds = [card for card in hand if card[0] in _WILD]
    same = wilds if top[0] in _WILD else [card for card in hand if card[0] == top[0]]
    for cards in (same, same[:2], [*same[:1], *(wilds[:1] if same is not wilds else [])]):
        if len(cards) >= _FEWEST - 1:
            yield [f"^{top}", f"{top[0]}:{''.join(cards)}"], cards
            yield [f"^{top}>{top[0]}/2", f"{top[0]}/2:{''.join(cards)}"], cards
    if top[0] in _RUN:
        at = _RUN.index(top[0])
        for low in range(max(at - 2, 0), min(at, len(_RUN) - _FEWEST) + 1):
            cards = [rank + top[-1] for rank in _RUN[low : low + _FEWEST] if rank != top[0]]
            if all(card in hand for card in cards):
                yield [f"^{top}", f"{top[-1]}:{''.join(cards)}"], cards
