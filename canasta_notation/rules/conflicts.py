"""Values that make no sense together, whatever each is by itself.

What is refused is what no game could be played by, what contradicts itself, and a rule asked for
that is about nobody and nothing. A rule that other values leave without effect is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Final, NamedTuple

from canasta_notation.cards import CANASTA_SIZE, MELD_SIZE, PACKS, RANK_LETTERS, SEATS, SIDES, SUITS
from canasta_notation.rules.profile import Profile
from canasta_notation.rules.values import SPECIAL_CARDS

#: The cards of the packs, jokers aside: threes of two colours, 4 to A, twos.
_SUITED: Final = PACKS * SUITS * len(set(RANK_LETTERS) - set("*_"))


class Conflict(NamedTuple):
    """What does not go together, what would, and the keys concerned, the likeliest first."""

    message: str
    help: str
    keys: tuple[str, ...]


def conflicts(profile: Profile, stated: Container[str]) -> tuple[Conflict, ...]:
    """Return every combination of values that makes no sense.

    `stated` are the keys that the record or the file itself gives a value to: a rule that another
    profile lends is let lie where it is about nobody, one that is asked for is not.
    """
    found = [conflict for rule in _RULES for conflict in rule(profile)]
    found += [conflict for conflict in _idle(profile) if conflict.keys[0] in stated]
    return tuple(found)


def _cap(profile: Profile) -> Iterator[Conflict]:
    cap = profile["meld.max_cards"]
    if cap is None:
        return
    if cap < CANASTA_SIZE:
        yield Conflict(
            f"melds of at most {cap} cards never become a canasta of {CANASTA_SIZE}",
            f"allow {CANASTA_SIZE} cards or more, or none for no limit",
            ("meld.max_cards",),
        )
        return
    naturals, wilds = profile["meld.min_naturals"], profile["meld.max_wilds"]
    if naturals + wilds > cap:
        yield Conflict(
            f"a meld of at most {cap} cards, {naturals} of them natural, never holds {wilds} wild",
            f"allow {cap - naturals} wild cards at most, or larger melds",
            ("meld.max_wilds", "meld.max_cards", "meld.min_naturals"),
        )


def _wild_cards(profile: Profile) -> Iterator[Conflict]:
    if profile["meld.max_wilds"] > 0:
        ranks = profile["meld.no_wilds_in"]
        if len(ranks) == len(set(RANK_LETTERS) - set("32*_")):
            yield Conflict(
                "no meld of any rank takes wild cards, and yet meld.max_wilds is not 0",
                "leave a rank out, or write meld.max_wilds=0 instead",
                ("meld.no_wilds_in", "meld.max_wilds"),
            )
        return
    for key in ("meld.all_wild", "pile.with_wild"):
        if profile[key]:
            yield Conflict(
                f"{key} is yes, but meld.max_wilds=0 leaves no wild card in a meld",
                f"write {key}=no as well",
                ("meld.max_wilds", key),
            )


def _deck(profile: Profile) -> Iterator[Conflict]:
    players, talons = profile["players"], profile["deal.talons"]
    deck = _SUITED + profile["deck.jokers"]
    dealt = players * profile["deal.hand"] + sum(talons) + profile["up.turned"]
    draws = players * profile["draw.count"]
    keys = ("deal.hand", "draw.count", "players", "deal.talons", "up.turned")
    if profile["deal.hand"] + profile["draw.count"] < MELD_SIZE:
        yield Conflict(
            f"a hand and its draw never make the {MELD_SIZE} cards of a meld",
            "deal or draw more cards",
            keys,
        )
    if dealt > deck:
        yield Conflict(
            f"the deal takes {dealt} cards and the deck has {deck}", "deal fewer cards", keys
        )
    elif dealt + draws > deck:
        yield Conflict(
            f"the deal leaves {deck - dealt} cards in the stock, and one draw of each seat takes "
            f"{draws}",
            "deal or draw fewer cards",
            keys,
        )


def _talons(profile: Profile) -> Iterator[Conflict]:
    players, talons = profile["players"], profile["deal.talons"]
    if len(talons) > len(SIDES[players]):
        yield Conflict(
            f"there are {len(talons)} talons for {len(SIDES[players])} sides",
            "write one talon for each side at most",
            ("deal.talons", "players"),
        )


def _canastas(profile: Profile) -> Iterator[Conflict]:
    natural, mixed = profile["score.natural"], profile["score.mixed"]
    if mixed > natural:
        yield Conflict(
            f"a mixed canasta earns {mixed} points, more than the {natural} of a natural one",
            "let the natural one earn as much at least",
            ("score.mixed", "score.natural"),
        )


def _idle(profile: Profile) -> Iterator[Conflict]:
    """Yield the rules that are on and about nobody or nothing, the key first."""
    players = profile["players"]
    if profile["out.ask"] and len(SIDES[players]) == len(SEATS[players]):
        yield Conflict(
            f"of {players} players none has a partner to ask",
            "write out.ask=no",
            ("out.ask",),
        )
    if profile["meld.max_wilds"] == 0 and profile["meld.rule_of_five"]:
        yield Conflict(
            "meld.rule_of_five says where wild cards go, and meld.max_wilds=0 leaves none",
            "write meld.rule_of_five=no",
            ("meld.rule_of_five",),
        )
    if profile["meld.max_wilds"] == 0 and profile["meld.no_wilds_in"]:
        yield Conflict(
            "meld.no_wilds_in names ranks, but meld.max_wilds=0 leaves no wild card in any meld",
            "write meld.no_wilds_in=none",
            ("meld.no_wilds_in",),
        )
    last = profile["out.after_black_threes"] == "nothing"
    if profile["meld.black_threes"] and last and profile["out.discard"] == "required":
        yield Conflict(
            "black threes go out with nothing after them, and yet going out needs a discard",
            "write out.after_black_threes=anything, or meld.black_threes=no",
            ("out.after_black_threes",),
        )
    grown = profile["deal.hand"] + profile["draw.count"]
    if profile["special"] and profile["draw.count"] == 1 and grown != SPECIAL_CARDS:
        yield Conflict(
            f"a special hand has {SPECIAL_CARDS} cards, and a hand after its draw has {grown}",
            "write special=none",
            ("special",),
        )


_RULES: Final[tuple[Callable[[Profile], Iterator[Conflict]], ...]] = (
    _cap,
    _wild_cards,
    _deck,
    _talons,
    _canastas,
)
