"""Values that do not fit together, although each of them alone is possible.

Values are refused if they make play impossible or contradict each other, or if they ask for a rule
that can never apply. A rule without effect is accepted if it is inherited from a profile.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from canasta_notation.cards import CANASTA_SIZE, MELD_SIZE, RANK_LETTERS, SIDES, SUITS
from canasta_notation.rules.catalogue import entry
from canasta_notation.rules.keys import SPECIAL_CARDS, keys, threes_of_a_colour
from canasta_notation.rules.profile import Profile

#: The cards of a pack: threes of two colours, 4 to A, twos.
_PACK: Final = SUITS * len(set(RANK_LETTERS) - set("*_"))
#: The most jokers that any profile has.
_JOKERS: Final = 6
#: The highest number of a deal at which an opening can begin to need more.
_DEALS: Final = 99


@dataclass(frozen=True, slots=True)
class Conflict:
    """Values that do not go together.

    `name` is the name of a message of rules-option, which `facts` fill; `keys` are the keys
    concerned, the likeliest cause first.
    """

    name: str
    keys: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What does not go together."""
        return entry("rules-option").sentences(self.name, self.facts)[0]

    @property
    def help(self) -> str:
        """What would go together."""
        return entry("rules-option").sentences(self.name, self.facts)[2]


def conflicts(profile: Profile, stated: Container[str]) -> tuple[Conflict, ...]:
    """Return every combination of values that makes no sense.

    `stated` are the keys to which the record or the file itself gives a value. A stated rule must
    have an effect; a rule inherited from a profile need not.
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
        facts = {"players": players, "sides": sides, "possible": possible}
        yield Conflict("sides", ("sides", "players"), facts)


def _threes(profile: Profile) -> Iterator[Conflict]:
    mode, points = profile["score.red3"]
    tabled, threes = profile["threes"], threes_of_a_colour(profile["deck.packs"])
    if tabled == "rank" and profile["meld.black_threes"]:
        yield Conflict("threes-of-a-rank", ("threes", "meld.black_threes"))
    if tabled in ("none", "rank"):
        return
    if (tabled == "all") != (mode == "per-colour"):
        facts = {"value": tabled, "points": profile.spelled("score.red3")}
        yield Conflict("tabled-threes", ("threes", "score.red3"), facts)
    elif mode != "each" and len(points) != threes:
        facts = {"numbers": len(points), "threes": threes}
        yield Conflict("red-threes", ("score.red3", "deck.packs", "threes"), facts)


def _cap(profile: Profile) -> Iterator[Conflict]:
    cap = profile["meld.max_cards"]
    if cap is None:
        return
    most = 2 * profile["deck.packs"] * SUITS + _JOKERS
    if cap > most:
        facts = {"canasta": CANASTA_SIZE, "most": most}
        yield Conflict("large-melds", ("meld.max_cards", "deck.packs"), facts)
    if cap < CANASTA_SIZE:
        facts = {"canasta": CANASTA_SIZE, "most": cap}
        yield Conflict("small-melds", ("meld.max_cards",), facts)
        return
    naturals, wilds = profile["meld.min_naturals"], profile["meld.max_wilds"]
    if wilds is not None and naturals + wilds > cap:
        facts = {"most": cap, "naturals": naturals, "wilds": wilds, "possible": cap - naturals}
        keys = ("meld.max_wilds", "meld.max_cards", "meld.min_naturals")
        yield Conflict("wilds-in-melds", keys, facts)


def _wild_cards(profile: Profile) -> Iterator[Conflict]:
    wild = profile["deck.packs"] * SUITS + _JOKERS
    most = profile["meld.max_wilds"]
    if most is not None and most > wild:
        yield Conflict("wilds-in-deck", ("meld.max_wilds", "deck.packs"), {"wilds": wild})
    if most != 0:
        ranks = profile["meld.no_wilds_in"]
        if len(ranks) == len(set(RANK_LETTERS) - set("32*_")):
            yield Conflict("no-rank-for-wilds", ("meld.no_wilds_in", "meld.max_wilds"))
        return
    for key in ("meld.all_wild", "pile.with_wild"):
        if profile[key]:
            yield Conflict("no-wilds", ("meld.max_wilds", key), {"key": key})


def _deck(profile: Profile) -> Iterator[Conflict]:
    players = profile["players"]
    packets = profile.packets if profile["packet.from"] == "aside" else ()
    deck = _PACK * profile["deck.packs"] + profile["deck.jokers"]
    dealt = players * profile["deal.hand"] + sum(packets) + profile["up.turned"]
    draws = players * profile["draw.count"]
    keys = ("deal.hand", "draw.count", "players", "packet.size", "up.turned")
    if profile["deal.hand"] + profile["draw.count"] < MELD_SIZE:
        yield Conflict("small-hands", keys, {"size": MELD_SIZE})
    if dealt > deck:
        yield Conflict("large-deal", keys, {"dealt": dealt, "deck": deck})
    elif dealt + draws > deck:
        yield Conflict("small-stock", keys, {"stock": deck - dealt, "draws": draws})


#: How a packet can be played, by what earns it; the first is the usual way.
_USES: Final = {
    "opened": ("next-turn",),
    "empty": ("run", "next-turn"),
    "canasta": ("at-once", "run"),
}


def _packets(profile: Profile) -> Iterator[Conflict]:
    owners = {"none": "", "side": "sides", "seat": "players"}[profile["packet.of"]]
    if not owners:
        return
    if not profile.packets:
        facts = {"value": profile.spelled("packet.of")}
        yield Conflict("packet-sizes", ("packet.size", "packet.of"), facts)
    elif profile["packet.of"] == "seat" and profile["packet.when"] == "opened":
        yield Conflict("seat-packets", ("packet.when", "packet.of"))
    elif len(profile.packets) > profile[owners] or (
        profile["packet.of"] == "seat" and len(profile.packets) < profile[owners]
    ):
        said = {"packets": len(profile.packets), "owners": profile[owners], "of": owners}
        yield Conflict("packets", ("packet.size", "sides", "players"), said)
    when, use = profile["packet.when"], profile["packet.use"]
    if use not in _USES[when]:
        facts = {"when": when, "use": use, "possible": " or ".join(_USES[when])}
        yield Conflict("packet-uses", ("packet.use", "packet.when"), facts)


def _length(profile: Profile) -> Iterator[Conflict]:
    if profile["target"] is None and profile["game.deals"] is None:
        yield Conflict("no-end", ("target", "game.deals"))


def _opening_steps(profile: Profile) -> Iterator[Conflict]:
    if profile["opening.by"] != "deal":
        return
    steps = [step for step, _ in profile["opening.table"] if step is not None]
    strange = [step for step in steps if not 1 < step <= _DEALS]
    if strange:
        facts = {"step": strange[0], "most": _DEALS}
        yield Conflict("opening-steps", ("opening.by", "opening.table"), facts)


def _dead_ranks(profile: Profile) -> Iterator[Conflict]:
    if profile["meld.dead_ranks"] != "no" and profile["meld.several"] != "no":
        facts = {"value": profile["meld.dead_ranks"]}
        yield Conflict("dead-ranks", ("meld.dead_ranks", "meld.several"), facts)


def _canastas(profile: Profile) -> Iterator[Conflict]:
    natural, mixed = profile["score.natural"], profile["score.mixed"]
    if mixed > natural:
        facts = {"mixed": mixed, "natural": natural}
        yield Conflict("canastas", ("score.mixed", "score.natural"), facts)


def _several(profile: Profile) -> Iterator[Conflict]:
    due, most = profile["out.canastas"], len(set(RANK_LETTERS) - set("32*_"))
    if due > most and profile["meld.several"] == "no":
        facts = {"due": due, "most": most}
        yield Conflict("several-canastas", ("out.canastas", "meld.several"), facts)
    if profile["meld.several"] != "no" and profile["score.concealed_canasta"]:
        keys = ("score.concealed_canasta", "meld.several")
        yield Conflict("concealed-canastas", keys)


def _sequences(profile: Profile) -> Iterator[Conflict]:
    sequences, canastas = profile["out.sequences"], profile["out.canastas"]
    if sequences and not profile["meld.sequences"]:
        yield _no_sequences(profile, "out.sequences", "0")
    elif sequences > canastas:
        facts = {"sequences": sequences, "canastas": canastas}
        yield Conflict("many-sequences", ("out.sequences", "out.canastas"), facts)


def _form_of_sequences(profile: Profile) -> Iterator[Conflict]:
    from_ace, threes = profile["sequence.from"] == "A", profile["threes"] == "rank"
    if from_ace and not threes:
        yield Conflict("threes-in-sequences", ("sequence.from", "threes"))
    if from_ace:
        return
    for key in ("sequence.wilds", "sequence.cards", "sequence.aces"):
        if profile.spelled(key) != keys()[key].absent:
            facts = {"key": key, "value": profile.spelled(key)}
            yield Conflict("short-sequences", (key, "sequence.from"), facts)


def _sets(profile: Profile) -> Iterator[Conflict]:
    sets = profile["meld.sets"]
    if "all" in sets and len(sets) > 1:
        yield Conflict("all-sets", ("meld.sets",))
    if "all" not in sets and not profile["meld.sequences"]:
        facts = {"value": profile.spelled("meld.sets")}
        yield Conflict("no-sets", ("meld.sets", "meld.sequences"), facts)
    if profile["meld.several"] == "sequences" and not profile["meld.sequences"]:
        yield _no_sequences(profile, "meld.several", "no")


def _kinds(profile: Profile) -> Iterator[Conflict]:
    kinds = ("out.natural", "out.mixed", "out.wild", "out.sevens", "out.sequences")
    due = sum(profile[key] for key in kinds)
    if due > profile["out.canastas"] and any(profile[key] for key in kinds[:4]):
        facts = {"due": due, "canastas": profile["out.canastas"]}
        yield Conflict("many-kinds", (*kinds, "out.canastas"), facts)


def _no_sequences(profile: Profile, key: str, none: str) -> Conflict:
    facts = {"key": key, "value": profile.spelled(key), "none": none}
    return Conflict("no-sequences", (key, "meld.sequences"), facts)


def _idle(profile: Profile) -> Iterator[Conflict]:
    """Yield the rules that are on but can never apply; the first key is the rule's."""
    players = profile["players"]
    if profile["out.ask"] and profile["sides"] == players:
        yield Conflict("no-partner", ("out.ask",), {"players": players})
    if profile["meld.max_wilds"] == 0 and profile["meld.rule_of_five"]:
        yield Conflict("no-wilds-for-five", ("meld.rule_of_five",))
    if profile["meld.max_wilds"] == 0 and profile["meld.no_wilds_in"]:
        yield Conflict("no-wilds-for-ranks", ("meld.no_wilds_in",))
    if not profile["meld.sequences"]:
        for key, none in (
            ("pile.onto_sequence", "no"),
            ("score.sequence", "0"),
            ("sequence.from", "4"),
            ("score.king", "0"),
            ("score.ace", "0"),
        ):
            if profile.spelled(key) != none:
                yield _no_sequences(profile, key, none)
    if profile["out.wild"] and not profile["meld.all_wild"]:
        yield Conflict("no-wild-melds", ("out.wild", "meld.all_wild"), {"key": "out.wild"})
    if profile["out.packet"] and profile["packet.of"] == "none":
        facts = {"key": "out.packet", "value": "yes"}
        yield Conflict("no-packets", ("out.packet", "packet.of"), facts)
    if profile["out.sevens"] > 1 and profile["meld.several"] == "no":
        yield Conflict("one-canasta-of-sevens", ("out.sevens", "meld.several"))
    if profile["meld.several"] == "complete" and profile["meld.max_cards"] is None:
        yield Conflict("no-complete", ("meld.several", "meld.max_cards"))
    if profile["packet.to_stock"] and profile["packet.of"] == "seat":
        yield Conflict("stocked-feet", ("packet.to_stock", "packet.of"))
    if profile["meld.combine"] and profile["meld.several"] in ("no", "sequences"):
        yield Conflict("no-several", ("meld.combine", "meld.several"))
    if profile["meld.max_wild_cards"] and not profile["meld.all_wild"]:
        facts = {"key": "meld.max_wild_cards"}
        yield Conflict("no-wild-melds", ("meld.max_wild_cards", "meld.all_wild"), facts)
    if profile["packet.of"] == "none":
        for key in (name for name in keys() if name.startswith("packet.")):
            if profile.spelled(key) != keys()[key].absent:
                facts = {"key": key, "value": profile.spelled(key)}
                yield Conflict("no-packets", (key, "packet.of"), facts)
    last = profile["out.after_black_threes"] == "nothing"
    if profile["meld.black_threes"] and last and profile["out.discard"] == "required":
        yield Conflict("after-threes", ("out.after_black_threes",))
    grown = profile["deal.hand"] + profile["draw.count"]
    if profile["special"] and profile["draw.count"] == 1 and grown != SPECIAL_CARDS:
        yield Conflict("special", ("special",), {"special": SPECIAL_CARDS, "hand": grown})


_RULES: Final[tuple[Callable[[Profile], Iterator[Conflict]], ...]] = (
    _cap,
    _wild_cards,
    _deck,
    _threes,
    _packets,
    _length,
    _opening_steps,
    _dead_ranks,
    _canastas,
    _several,
    _sequences,
    _form_of_sequences,
    _sets,
    _kinds,
)
