"""Values that make no sense together, whatever each is by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.rules.profile import Profile

#: The cards of a canasta, in every profile.
CANASTA: Final = 7
#: The cards of the two packs, jokers aside.
PACKS: Final = 104


class Conflict(NamedTuple):
    """What does not go together, what would, and the keys concerned, the likeliest first."""

    message: str
    help: str
    keys: tuple[str, ...]


def conflicts(profile: Profile) -> tuple[Conflict, ...]:
    """Return every combination of values that no game could be played by."""
    return (*_meld_conflicts(profile), *_deal_conflicts(profile))


def _meld_conflicts(profile: Profile) -> Iterator[Conflict]:
    cap, naturals = profile["meld.max_cards"], profile["meld.min_naturals"]
    if cap is not None and cap < CANASTA:
        yield Conflict(
            f"melds of at most {cap} cards never become a canasta of {CANASTA}",
            f"allow {CANASTA} cards or more, or none for no limit",
            ("meld.max_cards",),
        )
    if naturals > (cap or naturals):
        yield Conflict(
            f"a meld of at most {cap} cards cannot hold {naturals} natural cards",
            "ask for fewer natural cards",
            ("meld.min_naturals", "meld.max_cards"),
        )
    for key in ("meld.all_wild", "pile.with_wild"):
        if profile["meld.max_wilds"] == 0 and profile[key]:
            yield Conflict(
                f"{key} is yes, but meld.max_wilds=0 leaves no wild card in a meld",
                f"write {key}=no as well",
                ("meld.max_wilds", key),
            )


def _deal_conflicts(profile: Profile) -> Iterator[Conflict]:
    players, hand, talons = profile["players"], profile["deal.hand"], profile["deal.talons"]
    deck = PACKS + profile["deck.jokers"]
    dealt = players * hand + sum(talons) + profile["up.turned"]
    if dealt > deck:
        yield Conflict(
            f"the deal takes {dealt} cards and the deck has {deck}",
            "deal fewer cards",
            ("deal.hand", "players", "deal.talons", "up.turned"),
        )
    if len(talons) > len(SIDES[players]):
        yield Conflict(
            f"there are {len(talons)} talons for {len(SIDES[players])} sides",
            "write one talon for each side at most",
            ("deal.talons", "players"),
        )
