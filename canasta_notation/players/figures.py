"""The figures that define a player: what it waits for, keeps, avoids and pays. They are data.

`figures.toml` has the figures of each player, and by profile those that differ. A profile without
figures of its own has those of the nearest one that it extends.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from canasta_notation.arrays import array
from canasta_notation.cards import RANK_LETTERS, UNKNOWN_RANK
from canasta_notation.counts import i64, vec
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.rules import Profile
from canasta_notation.rules.load import lineage

#: The players that choose by figures.
CAREFUL: Final = "careful"
GREEDY: Final = "greedy"


class Figures:
    """How a player weighs its choices under one set of rules; see `figures.toml` for each figure.

    `shapes` keeps the engine's answers about the shapes of melds; see `laying.holds`. `patterns`
    are those of the special hands: for each part its size and its ranks, a bit for each.
    """

    def __init__(self, rules: Rules, values: dict[str, int]) -> None:
        self.rules = rules
        self.values = values
        self.shapes: dict[int, bool] = {}
        self.patterns = [
            _parts(pattern) for kind in rules.special for pattern in rules.special[kind]
        ]
        get = values.__getitem__
        self.late_stock: i64 = get("late_stock")
        self.late_hand: i64 = get("late_hand")
        self.late_own: i64 = get("late_own")
        self.late_canastas: i64 = get("late_canastas")
        self.lay_canastas: i64 = get("lay_canastas")
        self.least_pile: i64 = get("least_pile")
        self.least_pile_pair: i64 = get("least_pile_pair")
        self.least_pile_wild: i64 = get("least_pile_wild")
        self.least_pile_open: i64 = get("least_pile_open")
        self.open_wilds: i64 = get("open_wilds")
        self.open_cards: i64 = get("open_cards")
        self.open_wilds_pile: i64 = get("open_wilds_pile")
        self.add_hand: i64 = get("add_hand")
        self.new_melds: i64 = get("new_melds")
        self.canasta_wilds: i64 = get("canasta_wilds")
        self.must_finish: i64 = get("must_finish")
        self.wild_meld: i64 = get("wild_meld")
        self.special_reach: i64 = get("special_reach")
        self.keep_one: i64 = get("keep_one")
        self.keep_pair: i64 = get("keep_pair")
        self.keep_triple: i64 = get("keep_triple")
        self.keep_melded: i64 = get("keep_melded")
        self.keep_unseen: i64 = get("keep_unseen")
        self.keep_costly: i64 = get("keep_costly")
        self.keep_wild: i64 = get("keep_wild")
        self.keep_black: i64 = get("keep_black")
        self.save_pile: i64 = get("save_pile")
        self.points: i64 = get("points")
        self.late_points: i64 = get("late_points")
        self.price: i64 = get("price")
        self.price_base: i64 = get("price_base")
        self.chance_join: i64 = get("chance_join")
        self.chance_pair: i64 = get("chance_pair")
        self.chance_wild: i64 = get("chance_wild")
        self.chance_unopened: i64 = get("chance_unopened")
        self.chance_let_go: i64 = get("chance_let_go")
        self.rounds: i64 = get("rounds")
        self.freeze: i64 = get("freeze")
        self.freeze_unopened: i64 = get("freeze_unopened")


def _parts(pattern: Any) -> vec[i64]:
    parts: list[int] = []
    for part in pattern.parts:
        ranks = sum(1 << rank for rank in range(UNKNOWN_RANK) if RANK_LETTERS[rank] in part.ranks)
        parts += [part.size, ranks] * part.times
    return array(parts)


def eager(figures: Figures) -> Figures:
    """Return the same figures for a player that takes every pile that it can."""
    values = dict(figures.values)
    for key in ("least_pile", "least_pile_pair", "least_pile_wild", "least_pile_open"):
        values[key] = 0
    return Figures(figures.rules, values)


@lru_cache
def figures_of(name: str, profile: Profile) -> Figures:
    """Return the figures of a player under the rules of a profile. Raises KeyError for a name."""
    return Figures(rules_of(profile), values_of(name, profile))


def values_of(name: str, profile: Profile) -> dict[str, int]:
    """Return the figures of a player by name, as the file has them for a profile.

    They are its own, or those of the nearest profile that it extends.
    """
    own = _file()[name]
    values: dict[str, int] = dict(own["any"])
    values.update(next((own[each] for each in lineage(profile.base) if each in own), {}))
    return values


@cache
def _file() -> dict[str, Any]:
    text = files(__package__).joinpath("figures.toml").read_text("utf-8")
    return tomllib.loads(text)
