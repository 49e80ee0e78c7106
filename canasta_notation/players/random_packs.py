"""Shuffled packs for random games, some of them biased so that rare things happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    RANK,
    RANK_LETTERS,
    RED_THREE,
    SEVEN,
    TWO,
)
from canasta_notation.dealing import new_pack, stock_start
from canasta_notation.engine.ruleset import Rules

#: Changes the order of a pack, mostly in favour of one seat.
Bring = Callable[[Rules, Random, list[int], int], None]


@dataclass(frozen=True, slots=True)
class Bias:
    """What a pack favours, under which rules, and how the seats then play.

    The `first` seat to play is favoured. The favoured seat `lurks`, and no other. Every seat is
    `slow`, or `keeps` a three.
    """

    bring: Bring
    makes_sense: Callable[[Rules], bool]
    first: bool = False
    lurks: bool = False
    slow: bool = False
    keeps: bool = False


def shuffle(rules: Rules, rng: Random, seat: int, bias: Bias) -> list[int]:
    """Return a shuffled pack that favours a seat."""
    pack = new_pack(rules)
    rng.shuffle(pack)
    bias.bring(rules, rng, pack, seat)
    return pack


def biases(rules: Rules) -> list[Bias]:
    """Return the biases that make sense under some rules."""
    return [bias for bias in _BIASES if bias.makes_sense(rules)]


def hand_places(rules: Rules, seat: int) -> range:
    """Return the places of a seat's hand in a pack."""
    return range(seat * rules.hand, (seat + 1) * rules.hand)


def _bring(pack: list[int], rng: Random, ranks: Iterable[int], places: Iterable[int]) -> None:
    """Put a card of each of the ranks on one of the places, if there is such a card."""
    free = list(places)
    rng.shuffle(free)
    own = set(free)
    for rank in ranks:
        here = next((at for at in free if RANK[pack[at]] == rank), None)
        if here is not None:
            free.remove(here)
            continue
        found = [at for at, code in enumerate(pack) if RANK[code] == rank and at not in own]
        if found and free:
            at, other = free.pop(), rng.choice(found)
            pack[at], pack[other] = pack[other], pack[at]


def _one_rank(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    rank = rng.randint(FOUR, ACE)
    _bring(pack, rng, [rank] * rng.randint(5, 8), hand_places(rules, seat))


def _two_ranks(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    """Give a seat a hand that can go out at once."""
    first, second, third = rng.sample(range(FOUR, ACE + 1), 3)
    wanted = [first] * 7 + [second] * (rules.hand - 7)
    if rules.out_canastas > 1:
        wanted = [first] * 6 + [second] * 7
    elif rules.hand > 14:
        wanted = [first] * 7 + [second] * 4 + [third] * 4
    elif rng.random() < 0.5:
        wanted[0] = TWO
    _bring(pack, rng, wanted, hand_places(rules, seat))
    if rng.random() < 0.4:
        start = stock_start(rules)
        _bring(pack, rng, [second], [start])


def _triples(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    """Give a seat a hand that can go out after a canasta, and its partner that canasta."""
    naturals = range(FOUR, ACE + 1)
    count = min(max(3, 1 + rules.hand // MELD_SIZE), len(naturals))
    rank, *ranks = rng.sample(naturals, count)
    _bring(pack, rng, [*ranks, *ranks, *ranks, ranks[0], ranks[1]], hand_places(rules, seat))
    for partner in range(rules.players):
        if partner != seat and rules.side_of[partner] == rules.side_of[seat]:
            _bring(pack, rng, [rank] * CANASTA_SIZE, hand_places(rules, partner))


def _wild_hand(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    wanted = [TWO] * rng.randint(2, 6) + [JOKER_RANK] * rng.randint(0, 2)
    _bring(pack, rng, wanted, hand_places(rules, seat))


def _all_twos(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    _bring(pack, rng, [TWO] * 7, hand_places(rules, seat))


def _four_jokers(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    _bring(pack, rng, [JOKER_RANK] * 4 + [TWO] * 3, hand_places(rules, seat))


def _red_threes(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    """Give two to four red threes to the seats of one side."""
    side = rules.side_of[seat]
    seats = [each for each in range(rules.players) if rules.side_of[each] == side]
    places = [place for each in seats for place in hand_places(rules, each)]
    _bring(pack, rng, [RED_THREE] * rng.randint(2, 4), places)
    if rules.black_tabled:
        _bring(pack, rng, [BLACK_THREE] * rng.randint(0, 4), places)


def _black_threes(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    rank = rng.randint(FOUR, ACE)
    wanted = [BLACK_THREE] * rng.randint(3, 4) + [rank] * 7
    _bring(pack, rng, wanted, hand_places(rules, seat))


def _turned_up(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    start = stock_start(rules)
    for at in range(start, start + rng.randint(1, 3)):
        _bring(pack, rng, [rng.choice((TWO, JOKER_RANK, RED_THREE, BLACK_THREE))], [at])


def _last_three(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    """Put red threes at the end of the stock."""
    last = len(pack)
    count = rng.randint(min(rules.draw_count, 2), 2)
    _bring(pack, rng, [RED_THREE] * count, range(last - count, last))


def _sevens(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    _bring(pack, rng, [SEVEN] * rng.randint(3, 8), hand_places(rules, seat))


def _aces(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    _bring(pack, rng, [ACE] * rng.randint(3, 8), hand_places(rules, seat))


def _special(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    """Give the seat all of a special hand except one card, which is the first of the stock."""
    ranks = _special_ranks(rules, rng)
    hand = hand_places(rules, seat)
    start = stock_start(rules)
    _bring(pack, rng, ranks[: rules.hand], hand)
    _bring(pack, rng, ranks[rules.hand :], [start])
    # A three in another hand would be replaced by the card that is meant for this one.
    others = [at for at in range(rules.players * rules.hand) if at not in hand]
    spare = [at for at in range(start + 1, len(pack)) if not rules.tabled[RANK[pack[at]]]]
    for at in others:
        if rules.tabled[RANK[pack[at]]]:
            other = spare.pop()
            pack[at], pack[other] = pack[other], pack[at]


def _special_ranks(rules: Rules, rng: Random) -> list[int]:
    """Return the ranks of a random special hand of the profile, in random order."""
    patterns = [pattern for kind in rules.special.values() for pattern in kind]
    pattern = rng.choice(patterns)
    ranks: list[int] = []
    for part in pattern.parts:
        letters = [letter for letter in part.ranks if _rank(letter) not in ranks]
        for letter in rng.sample(letters, part.times):
            ranks += [_rank(letter)] * part.size
    rng.shuffle(ranks)
    return ranks


def _rank(letter: str) -> int:
    return BLACK_THREE if letter == "3" else RANK_LETTERS.index(letter)


def _nothing(rules: Rules, rng: Random, pack: list[int], seat: int) -> None:
    pass


def _always(rules: Rules) -> bool:
    return True


def _has_special(rules: Rules) -> bool:
    return bool(rules.special)


def _has_black_threes(rules: Rules) -> bool:
    return bool(rules.black_threes)


def _turns_up(rules: Rules) -> bool:
    return bool(rules.up_turned)


FAIR: Final = Bias(_nothing, _always)
_BIASES: Final = (
    Bias(_one_rank, _always),
    Bias(_two_ranks, _always),
    Bias(_triples, _always, lurks=True),
    Bias(_wild_hand, _always),
    Bias(_red_threes, _always),
    Bias(_black_threes, _has_black_threes),
    Bias(_turned_up, _turns_up),
    Bias(_last_three, _always, slow=True),
    Bias(_all_twos, _has_special),
    Bias(_four_jokers, _has_special),
    Bias(_sevens, _has_special),
    Bias(_aces, _has_special),
    Bias(_special, _has_special, first=True, keeps=True),
)
