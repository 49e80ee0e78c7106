"""The rules that each shortcut of the engine was written for.

A shortcut skips checks that find nothing under these rules. A value that is not listed here
switches it off, and the checks are made. So does a key that is not listed, unless it has the value
for a profile whose text has no such rule (`absent` in keys.toml).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final

from canasta_notation.cards import MELD_SIZE
from canasta_notation.rules import Profile, keys
from canasta_notation.rules.keys import spell


@dataclass(frozen=True, slots=True)
class Shortcut:
    """The values of keys that a shortcut was written for, and the keys that may have any value.

    For a list, `values` has the items that it may contain; for the points of threes, the word
    before them. A key may have any value if no skipped check depends on it, or if the shortcut
    itself takes it into account.
    """

    values: Mapping[str, Container[object]]
    any_value: frozenset[str]

    def fits(self, profile: Profile) -> bool:
        """Return whether the shortcut was written for the rules of a profile."""
        return all(key in self.any_value or self._has(key, profile[key]) for key in profile.values)

    def _has(self, key: str, value: object) -> bool:
        if key not in self.values:
            return key in keys() and spell(value) == keys()[key].absent
        allowed = self.values[key]
        if not isinstance(value, tuple):
            return value in allowed
        items = value[:1] if key == "score.red3" else value
        return all(item in allowed for item in items)


#: Keys of the deal, the scores and the questions to a partner. No shortcut skips their checks.
_OUTSIDE: Final = frozenset({
    "players", "sides", "deck.packs", "deck.jokers", "deal.hand",
    "up.turned", "up.covered", "up.freezes",
    "out.ask", "out.ask_when", "out.ask_limit", "penalty.ask", "penalty.upcard",
    "score.out", "score.concealed", "score.concealed_needs", "score.natural", "score.mixed",
    "score.red3_minus", "score.melds_minus", "score.red3_held", "score.sevens", "score.aces",
    "score.wild", "score.unfinished", "score.held", "target", "tie",
})  # fmt: skip
_TAKE: Final = frozenset({
    "pile.blockers", "pile.always_frozen", "pile.frozen_until_opened", "pile.with_wild",
    "pile.onto_meld", "pile.one_card_rule", "pile.must_take", "pile.dead_ranks",
})  # fmt: skip
_MELD: Final = frozenset({
    "meld.min_naturals", "meld.max_wilds", "meld.wilds_may_outnumber", "meld.all_wild",
    "meld.max_cards", "meld.no_wilds_in", "meld.rule_of_five", "meld.black_threes",
    "score.concealed_canasta", "special",
})  # fmt: skip
_OPENING: Final = frozenset({
    "opening.table", "opening.top_counts", "opening.waived", "opening.clean_triple",
    "deal.talons",
})  # fmt: skip
_OUT: Final = frozenset({
    "out.canastas", "out.discard", "out.after_black_threes", "out.finished",
})  # fmt: skip
_DRAW: Final = frozenset({"draw.count", "deal.three_kept"})
_DISCARD: Final = frozenset({"pile.freezers", "discard.banned"})
_THREES: Final = frozenset({"score.red3"})

_EITHER: Final = (False, True)
_TABLED: Final = ("all", "per-colour")
_CLASSES: Final = ("wild", "red3", "black3")


def _shortcut(values: Mapping[str, Container[object]], *any_value: frozenset[str]) -> Shortcut:
    return Shortcut(values, _OUTSIDE.union(*any_value) - values.keys())


#: One card drawn, with its suit, that is not a three to table.
PLAIN_DRAW: Final = _shortcut(
    {"draw.count": (1,), "score.red3": _TABLED},
    _TAKE, _MELD, _OPENING, _OUT, _DRAW, _DISCARD,
)  # fmt: skip
#: Cards drawn, all with their suits, as many as are due.
KNOWN_DRAW: Final = _shortcut(
    {"score.red3": _TABLED}, _TAKE, _MELD, _OPENING, _OUT, _DRAW, _DISCARD
)
#: A discard that does not freeze the pile and cannot be banned.
PLAIN_DISCARD: Final = _shortcut(
    {
        "score.red3": _TABLED,
        "pile.freezers": _CLASSES,
        "discard.banned": ("none", "american"),
    },
    _TAKE, _MELD, _OPENING, _OUT, _DRAW,
)  # fmt: skip
#: A group of 4 to A from a known hand, judged only by its meld's shape. It is not judged at all if
#: the meld then has three naturals or more and no wild card, and the seat has melded before.
KNOWN_LAY: Final = _shortcut(
    {
        "meld.min_naturals": range(1, MELD_SIZE + 1),
        "meld.all_wild": (False,),
        "meld.max_cards": (None,),
        "out.after_black_threes": ("anything",),
        "score.concealed_canasta": (0,),
        "opening.waived": ("no", "out-concealed-from-stock", "splash"),
    },
    _TAKE, _MELD, _OPENING, _OUT, _DRAW, _DISCARD, _THREES,
)  # fmt: skip
#: The end of a turn with a draw, a discard and groups with nothing to judge, if cards are left.
QUIET_END: Final = _shortcut({}, _TAKE, _MELD, _OPENING, _OUT, _DRAW, _DISCARD, _THREES)
#: Deciding by counting that a side that has opened can take the pile (`search.able`).
COUNTED_TAKE: Final = _shortcut(
    {
        "score.red3": _TABLED,
        "deal.talons": (),
        "deal.three_kept": (False,),
        "discard.banned": ("none",),
        "special": (None,),
        "pile.blockers": _CLASSES,
        "pile.always_frozen": _EITHER,
        "pile.frozen_until_opened": _EITHER,
        "pile.with_wild": _EITHER,
        "pile.onto_meld": (True,),
        "pile.one_card_rule": _EITHER,
        "pile.dead_ranks": _EITHER,
        "meld.min_naturals": (2,),
        "meld.wilds_may_outnumber": _EITHER,
        "meld.all_wild": (False,),
        "meld.no_wilds_in": (),
        "meld.rule_of_five": (False,),
        "out.discard": ("optional", "required"),
        "out.finished": (False,),
    },
    _TAKE, _MELD, _OPENING, _OUT, _DRAW, _DISCARD,
)  # fmt: skip
