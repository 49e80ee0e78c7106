"""A second, slow way to list the legal turns after a draw, from the rule texts alone.

It shares no code with the package. It knows rules with one meld of natural cards for each rank, no
bans on wild cards or discards, and no special hands. All cards of the hand are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

POINTS = {"*": 50, "2": 20, "A": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}
#: The values that the lister knows.
KNOWN = {
    "meld.wild_share": ("any", "equal"),
    "meld.all_wild": ("no",),
    "meld.several": ("no",),
    "meld.sequences": ("no",),
    "meld.no_wilds_in": ("none",),
    "opening.waived": ("no",),
    "opening.clean_triple": ("no",),
    "discard.banned": ("none",),
    "special": ("none",),
}


def knows(values: dict[str, str]) -> bool:
    """Return whether the lister knows rules, given as a Rules tag spells their values."""
    return all(values[key] in allowed for key, allowed in KNOWN.items())


def count_turns(values: dict[str, str], hand: str, melds: str, minimum: int) -> dict[str, int]:
    """Return how many different turns end with each discard; "" is going out without one."""
    cards = re.findall(r"\*|[3-9TJQKA2][shdc]", hand)
    stood = {meld[0]: re.findall(r"\*|..", meld[2:]) for meld in melds.split()}
    found = {
        (end, tuple(sorted(laid.items())))
        for laid, rest in ways(cards, set(stood))
        for end in ends(values, laid, rest, stood, minimum)
    }
    return dict(sorted(Counter(end for end, _ in found).items()))


def ways(
    cards: list[str], stood: set[str]
) -> Iterator[tuple[dict[str, tuple[str, ...]], list[str]]]:
    """Yield every way to lay some cards on ranks: the cards of each rank, and the rest."""
    ranks = sorted(stood | {card[0] for card in cards if card[0] not in "*2"})
    choices = [["", *ranks] if card[0] in "*2" else ["", card[0]] for card in cards]
    for chosen in product(*choices):
        laid: dict[str, list[str]] = {}
        for card, rank in zip(cards, chosen, strict=True):
            laid.setdefault(rank, []).append(card)
        rest = laid.pop("", [])
        yield {rank: tuple(sorted(each)) for rank, each in laid.items()}, rest


def ends(
    values: dict[str, str],
    laid: dict[str, tuple[str, ...]],
    rest: list[str],
    stood: dict[str, list[str]],
    minimum: int,
) -> Iterator[str]:
    """Yield the discards with which a turn that laid these cards is legal."""
    melds = {rank: [*stood.get(rank, []), *laid.get(rank, ())] for rank in {*stood, *laid}}
    if not all(has_shape(values, rank, melds[rank]) for rank in laid):
        return
    if (
        laid
        and not stood
        and sum(POINTS[card[0]] for each in laid.values() for card in each) < minimum
    ):
        return
    canastas = sum(len(cards) >= 7 for cards in melds.values())
    may_go_out = canastas >= int(values["out.canastas"])
    black_threes = "3" in laid
    if not rest and may_go_out and values["out.discard"] != "required":
        yield ""
    for card in set(rest):
        out = len(rest) == 1
        barred = black_threes and (not out or values["out.after_black_threes"] == "nothing")
        if not barred and (may_go_out or not out):
            yield f"-{card}"


def has_shape(values: dict[str, str], rank: str, cards: list[str]) -> bool:
    """Return whether a meld is legal at the end of a turn."""
    wilds = sum(card[0] in "*2" for card in cards)
    naturals = len(cards) - wilds
    if rank == "3":
        return values["meld.black_threes"] == "yes" and wilds == 0 and naturals >= 3
    most, share = values["meld.max_wilds"], values["meld.wild_share"]
    return (
        len(cards) >= 3
        and naturals >= int(values["meld.min_naturals"])
        and (most == "none" or wilds <= int(most))
        and (share == "any" or wilds <= naturals)
        and (values["meld.max_cards"] == "none" or len(cards) <= int(values["meld.max_cards"]))
    )
