"""Values that do not fit together, although each is possible by itself.

It refuses values by which nobody could play, values that contradict each other, and a rule that
was asked for but can never apply. It accepts a rule without effect that comes from another profile.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Final, NamedTuple

from canasta_notation.cards import CANASTA_SIZE, MELD_SIZE, RANK_LETTERS, SIDES, SUITS
from canasta_notation.rules.profile import Profile
from canasta_notation.rules.values import SPECIAL_CARDS, threes_of_a_colour

#: The cards of a pack: threes of two colours, 4 to A, twos.
_PACK: Final = SUITS * len(set(RANK_LETTERS) - set("*_"))
#: The most jokers that any profile has.
_JOKERS: Final = 6


class Conflict(NamedTuple):
    """What does not go together, what would, and the keys concerned, the likeliest first."""

    message: str
    help: str
    keys: tuple[str, ...]


def conflicts(profile: Profile, stated: Container[str]) -> tuple[Conflict, ...]:
    """Return every combination of values that makes no sense.

    `stated` are the keys that the record or the file itself gives a value to: a rule from another
    profile may be about nobody; one that is asked for may not.
    """
    found = [*_sides(profile)]
    if found:
        return tuple(found)
    found += [conflict for rule in _RULES for conflict in rule(profile)]
    found += [conflict for conflict in _idle(profile) if conflict.keys[0] in stated]
    return tuple(found)


def _sides(profile: Profile) -> Iterator[Conflict]:
    players, sides = profile["players"], profile["sides"]
    if (players, sides) not in SIDES:
        possible = " or ".join(str(each) for number, each in SIDES if number == players)
        yield Conflict(
            f"{players} players do not form {sides} sides",
            f"write sides={possible}",
            ("sides", "players"),
        )


def _threes(profile: Profile) -> Iterator[Conflict]:
    _, points = profile["score.red3"]
    threes = threes_of_a_colour(profile["deck.packs"])
    if len(points) != threes:
        yield Conflict(
            f"score.red3 has {len(points)} numbers, and the deck has {threes} red threes",
            f"write {threes} numbers, for 1 to {threes} red threes",
            ("score.red3", "deck.packs"),
        )


def _cap(profile: Profile) -> Iterator[Conflict]:
    cap = profile["meld.max_cards"]
    if cap is None:
        return
    most = 2 * profile["deck.packs"] * SUITS + _JOKERS
    if cap > most:
        yield Conflict(
            f"the deck has no more than {most} cards for one meld",
            f"write a number from {CANASTA_SIZE} to {most}, or none for no limit",
            ("meld.max_cards", "deck.packs"),
        )
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
    wild = profile["deck.packs"] * SUITS + _JOKERS
    if profile["meld.max_wilds"] > wild:
        yield Conflict(
            f"the deck has no more than {wild} wild cards",
            f"write a number from 0 to {wild}",
            ("meld.max_wilds", "deck.packs"),
        )
    if profile["meld.max_wilds"] > 0:
        ranks = profile["meld.no_wilds_in"]
        if len(ranks) == len(set(RANK_LETTERS) - set("32*_")):
            yield Conflict(
                "no rank takes wild cards, but meld.max_wilds is not 0",
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
    deck = _PACK * profile["deck.packs"] + profile["deck.jokers"]
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
    sides, talons = profile["sides"], profile["deal.talons"]
    if len(talons) > sides:
        yield Conflict(
            f"there are {len(talons)} talons for {sides} sides",
            "write at most one talon for each side",
            ("deal.talons", "sides", "players"),
        )


def _canastas(profile: Profile) -> Iterator[Conflict]:
    natural, mixed = profile["score.natural"], profile["score.mixed"]
    if mixed > natural:
        yield Conflict(
            f"a mixed canasta earns {mixed} points, more than the {natural} of a natural one",
            "let the natural one earn at least as much",
            ("score.mixed", "score.natural"),
        )


def _idle(profile: Profile) -> Iterator[Conflict]:
    """Yield the rules that are on and about nobody or nothing, the key first."""
    players = profile["players"]
    if profile["out.ask"] and profile["sides"] == players:
        yield Conflict(
            f"each of the {players} players is a side and has no partner to ask",
            "write out.ask=no",
            ("out.ask",),
        )
    if profile["meld.max_wilds"] == 0 and profile["meld.rule_of_five"]:
        yield Conflict(
            "meld.rule_of_five says where wild cards go, but meld.max_wilds=0 leaves none",
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
            "nothing may follow black threes, but going out needs a discard",
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
    _threes,
    _talons,
    _canastas,
)
