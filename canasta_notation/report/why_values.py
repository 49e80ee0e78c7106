"""The values of rules about points that the claims of a game dictate.

How often a rule counts in a claim is measured: the game is judged again with another number in the
rule, and the computed figures are compared. A measured figure is `fixed + each * n` for a number
`n` in the rule; the claim then dictates `n`. A score sheet without cards has no computed figures.
There, an amount dictates each number of which it is a small multiple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, combinations, pairwise, product
from math import gcd
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from canasta_notation.cards import CARD_STEP
from canasta_notation.engine.amounts import ScoreEntry
from canasta_notation.replay.game_report import GameReport, add_possible, only, sum_items
from canasta_notation.rules import Key, Profile, keys
from canasta_notation.rules.keys import points_of_cards, sentence, spell

#: How much a number is raised to see where it counts; no number of a rule is so unusual.
_PROBE: Final = 15 * CARD_STEP + 1
#: The most canastas, or other things that count, of which an amount on a sheet can be the sum.
_MOST_TIMES: Final = 8
#: The most false figures that are combined in pairs.
_MOST_ROWS: Final = 12
#: The kinds of rules that have numbers of points.
POINTS_KINDS: Final = ("number", "points", "threes", "cards")
#: The items in place of which a sheet may write `cards`.
_NETTED: Final = ("melds", "hand")
#: The rules whose items have different names.
_ITEMS: Final = {"threes": "score.red3"}

#: Where a figure is: the deal, the side, and the item, or `score`.
FigurePlace = tuple[int, str, str]
#: Figures by their places; None for one that is not known. An item that is missing is 0.
FiguresByPlace = dict[FigurePlace, int | None]


@dataclass(frozen=True, slots=True)
class Override:
    """A rule with another value."""

    key: str
    value: Any = field(hash=False)

    @property
    def text(self) -> str:
        """The override as a Rules tag writes it."""
        return f"{self.key}={spell(self.value)}"

    @property
    def words(self) -> str:
        """The rule in a sentence without a full stop."""
        return sentence(keys()[self.key], self.value)

    def change(self, base: Profile) -> tuple[int, int, float]:
        """Return how much changes: points, steps between choices, and the share of the points."""
        key, held = keys()[self.key], base[self.key]
        if key.kind == "choice":
            return 0, abs(key.choices.index(held) - key.choices.index(self.value)), 0.0
        if key.kind not in POINTS_KINDS:
            return 0, 1, 0.0
        pairs = [*zip(_numbers(key, held), _numbers(key, self.value), strict=False)]
        points = sum(abs(one - other) for one, other in pairs)
        return points, 0, points / max(1, *(max(abs(one), abs(other)) for one, other in pairs))


Overrides = tuple[Override, ...]


class Unit(NamedTuple):
    """One number of a rule: the rule's only one, one step or part of its table, or all of them."""

    key: str
    part: int | str | None = None

    def held(self, profile: Profile) -> int:
        """Return the number; 0 if the rule has none."""
        value = profile[self.key]
        if keys()[self.key].kind == "cards":
            return points_of_cards(value)[str(self.part)]
        if value is None or isinstance(value, int):
            return value or 0
        numbers = value if isinstance(value, Mapping) else value[1]
        return 0 if self.part is None else int(numbers[self.part])

    def put(self, profile: Profile, number: int) -> Any:
        """Return the value of the rule with another number."""
        key, value = keys()[self.key], profile[self.key]
        if key.kind == "number":
            return number
        if key.kind == "points":
            changed = dict.fromkeys(key.choices, number)
            if self.part is not None:
                changed = dict.fromkeys(key.choices, 0) | dict(value or {}) | {self.part: number}
            return MappingProxyType(changed) if any(changed.values()) else None
        if key.kind == "cards":
            changed = points_of_cards(value) | {str(self.part): number}
            usual = points_of_cards(None)
            other = {name: points for name, points in changed.items() if points != usual[name]}
            return MappingProxyType(other) if other else None
        mode, steps = value
        assert isinstance(self.part, int)
        return mode, (*steps[: self.part], number, *steps[self.part + 1 :])


def _numbers(key: Key, value: Any) -> tuple[int, ...]:
    """Return the numbers of a value."""
    if key.kind == "cards":
        return tuple(points_of_cards(value).values())
    match value:
        case None:
            return (0, 0, 0)
        case Mapping():
            return tuple(value.values())
        case (str(), tuple() as steps):
            return steps
    return (int(value),)


def units(profile: Profile) -> Iterator[Unit]:
    """Yield every number of the rules about scores."""
    for name, key in keys().items():
        if not name.startswith("score.") or key.kind not in POINTS_KINDS:
            continue
        value = profile[name]
        if key.kind == "threes":
            yield from (Unit(name, step) for step in range(len(value[1])))
            continue
        if key.kind == "cards":
            yield from (Unit(name, letter) for letter in key.choices)
            continue
        yield Unit(name)
        if key.kind == "points" and value is not None:
            yield from (Unit(name, part) for part in value)


# --- figures -------------------------------------------------------------------------------------


def _claimed(report: GameReport) -> dict[FigurePlace, int]:
    """Return each figure that is claimed; of written items, also those that are left out."""
    found: dict[FigurePlace, int] = {}
    for deal in report.deals:
        for side in deal.sides:
            items = side.claimed.items
            if items is None:
                if side.claimed.score is not None:
                    found[deal.deal, side.side, "score"] = side.claimed.score
                continue
            netted = _NETTED if "cards" in items else ()
            for item in dict.fromkeys((*items, *side.items)):
                if item not in netted:
                    found[deal.deal, side.side, item] = items.get(item, 0)
    return found


def computed_figures(deal: int, side: str, entries: Iterable[ScoreEntry]) -> FiguresByPlace:
    """Return each figure of a side's score, by the entries of the score."""
    possible = sum_items(entries)
    sums = {
        **possible,
        "cards": add_possible([possible.get(item, {0}) for item in _NETTED]),
        "score": add_possible([*possible.values()]),
    }
    return {(deal, side, item): only(amounts) for item, amounts in sums.items()}


@dataclass(frozen=True)
class _Effect:
    """How a computed figure depends on a number: `fixed`, plus `each` for every point of it."""

    unit: Unit
    held: int
    fixed: Mapping[FigurePlace, int]
    each: Mapping[FigurePlace, int]

    def at(self, place: FigurePlace, number: int) -> int:
        """Return how much a figure changes with another number in the rule."""
        if number == self.held:
            return 0
        return self.fixed.get(place, 0) + self.each.get(place, 0) * number


#: Returns the known figures of the game by a profile, None if no more deals can be judged.
Measure = Callable[[Profile], FiguresByPlace | None]


@dataclass
class Dictated:
    """Values that the claims of a game dictate, those that most figures dictate first.

    `itemised` are those that an item dictates. `effects` say where numbers count.
    """

    effects: list[_Effect]
    singles: list[Override] = field(default_factory=list)
    pairs: list[Overrides] = field(default_factory=list)
    itemised: set[Override] = field(default_factory=set)


def dictated(
    profile: Profile, report: GameReport, measure: Measure, effects: list[_Effect] | None = None
) -> Dictated:
    """Return the values, and the pairs of values, that a game's claims dictate.

    `effects` are given if they have been measured by rules that differ in one number.
    """
    claimed, computed = _claimed(report), measure(profile) or {}
    sides = ((deal.deal, side) for deal in report.deals for side in deal.sides)
    scored = {(deal, side.side) for deal, side in sides if side.entries}
    off = {
        place: points - known
        for place, points in claimed.items()
        if place[:2] in scored and (known := computed.get(place, 0)) is not None
    }
    if effects is None:
        effects = _effects(profile, computed, measure) if any(off.values()) else []
    found = Dictated(effects)
    _dictate(found, profile, off, effects)
    _dictate_pairs(found, profile, off, effects)
    counted = {place for effect in effects for place, each in effect.each.items() if each}
    uncounted = {place: points for place, points in claimed.items() if place not in counted}
    for override in _divided(profile, uncounted):
        found.itemised.add(override)
        if override not in found.singles:
            found.singles.append(override)
    return found


def _effects(profile: Profile, computed: FiguresByPlace, measure: Measure) -> list[_Effect]:
    """Measure how each number acts on the computed figures."""
    effects = []
    for unit in units(profile):
        held, sign = unit.held(profile), -1 if keys()[unit.key].most == 0 else 1
        # With 0, a canasta can count as one of another kind.
        probes = [held + sign * _PROBE] if held else [sign * _PROBE, 2 * sign * _PROBE]
        figures = [(held, computed)] if held else []
        for number in probes:
            changed = measure(profile.with_values({unit.key: unit.put(profile, number)}))
            if changed is None:
                return []
            figures.append((number, changed))
        effects.append(_effect(unit, held, computed, figures))
    return [effect for effect in effects if any(effect.each.values())]


def _effect(
    unit: Unit, held: int, computed: FiguresByPlace, figures: list[tuple[int, FiguresByPlace]]
) -> _Effect:
    """Return how a number acts on figures, from the figures with two numbers."""
    (one, before), (other, after) = figures
    fixed, slopes = {}, {}
    for place in dict.fromkeys((*before, *after)):
        now = computed.get(place, 0)
        with_one, with_other = before.get(place, 0), after.get(place, 0)
        if now is not None and with_one is not None and with_other is not None:
            slopes[place] = (with_other - with_one) // (other - one)
            fixed[place] = with_one - slopes[place] * one - now
    return _Effect(unit, held, fixed, slopes)


def _dictate(
    found: Dictated, profile: Profile, off: dict[FigurePlace, int], effects: list[_Effect]
) -> None:
    """Add the values that false figures dictate, one rule at a time."""
    votes: Counter[Override] = Counter()
    itemised: set[Override] = set()
    for effect in effects:
        for place, points in off.items():
            number = _number(effect, place, points)
            if number is not None and (override := _override(effect.unit, profile, number)):
                votes[override] += 1
                if place[2] != "score":
                    itemised.add(override)
    for key in {effect.unit.key: None for effect in effects if effect.unit.part is not None}:
        parts = [effect for effect in effects if effect.unit.key == key]
        for override in _tables(profile, key, _together(parts, off)):
            of_key = [each for each in votes if each.key == key]
            votes[override] += sum(votes[each] for each in of_key)
            itemised |= {override} if not itemised.isdisjoint(of_key) else set()
    found.singles += sorted(votes, key=lambda each: (each not in itemised, -votes[each]))
    found.itemised |= itemised


def _together(parts: list[_Effect], off: dict[FigurePlace, int]) -> dict[Unit, int]:
    """Return the numbers of a rule that figures dictate, each when it is the only one left."""
    found: dict[Unit, int] = {}
    for _ in parts:
        for place, points in off.items():
            counted = [each for each in parts if each.each.get(place)]
            unknown = [each for each in counted if each.unit not in found]
            if len(unknown) == 1:
                known = [each for each in counted if each.unit in found]
                rest = points - sum(each.at(place, found[each.unit]) for each in known)
                number = _number(unknown[0], place, rest) if rest else unknown[0].held
                if number is not None:
                    found[unknown[0].unit] = number
    return found


def _number(effect: _Effect, place: FigurePlace, off: int) -> int | None:
    """Return the number in the rule that makes a false figure right, None if there is none."""
    each = effect.each.get(place, 0)
    if not off or not each:
        return None
    number, rest = divmod(off - effect.fixed.get(place, 0), each)
    return None if rest else number


def _override(unit: Unit, profile: Profile, number: int) -> Override | None:
    """Return the rule with a number that fits it, None if none fits or the rule has it already."""
    key = keys()[unit.key]
    if number % CARD_STEP or not key.least <= number <= key.most:
        return None
    value = unit.put(profile, number)
    if key.kind == "threes":
        value = _ascending(value, unit.part)
    return None if value == profile[unit.key] else Override(unit.key, value)


def _ascending(value: tuple[str, tuple[int, ...]], part: Any) -> tuple[str, tuple[int, ...]]:
    """Return the points of threes with the other steps changed as little as the one step needs."""
    mode, steps = value
    before = [min(each, steps[part]) for each in steps[:part]]
    return mode, (*before, *accumulate(steps[part:], max))


def _tables(profile: Profile, key: str, numbers: dict[Unit, int]) -> Iterator[Override]:
    """Yield tables with the numbers that are dictated for their parts, or that continue them."""
    changed = profile
    for unit, number in numbers.items():
        changed = changed.with_values({key: unit.put(changed, number)})
    value = changed[key]
    if keys()[key].kind != "threes":
        if value != profile[key]:
            yield Override(key, value)
        return
    mode, steps = value
    stated = {unit.part: number for unit, number in numbers.items()}
    for table in (steps, *_shapes(profile, key, stated)):
        rises = all(one <= other for one, other in pairwise(table))
        if rises and (mode, table) != profile[key]:
            yield Override(key, (mode, table))


def _shapes(profile: Profile, key: str, stated: Mapping[Any, int]) -> Iterator[tuple[int, ...]]:
    """Yield the tables of threes in proportion to the present one, and evenly rising ones."""
    _, steps = profile[key]
    for part, number in stated.items():
        for shape in (steps, tuple(range(1, len(steps) + 1))):
            if shape[part] and not any(number * each % shape[part] for each in shape):
                yield tuple(number * each // shape[part] for each in shape)


def _dictate_pairs(
    found: Dictated, profile: Profile, off: dict[FigurePlace, int], effects: list[_Effect]
) -> None:
    """Add the values that two false figures dictate together and that fit all figures.

    They are two numbers of one rule, or a pair of rules.
    """
    false = [place for place, points in off.items() if points][:_MOST_ROWS]
    pairs: dict[Overrides, None] = {}
    for one, other in combinations(effects, 2):
        for numbers in {_solved(one, other, off, *two) for two in combinations(false, 2)}:
            if numbers is None or not _fits(one, other, off, numbers):
                continue
            overrides = (
                _override(one.unit, profile, numbers[0]),
                _override(other.unit, profile, numbers[1]),
            )
            if not (overrides[0] and overrides[1]):
                continue
            if one.unit.key != other.unit.key:
                pairs[overrides[0], overrides[1]] = None
            elif one.unit.part is not None and other.unit.part is not None:
                parts = dict(zip((one.unit, other.unit), numbers, strict=True))
                found.singles += _tables(profile, one.unit.key, parts)
    found.pairs += pairs


def _solved(
    one: _Effect,
    other: _Effect,
    off: dict[FigurePlace, int],
    first: FigurePlace,
    second: FigurePlace,
) -> tuple[int, int] | None:
    """Return the two numbers that make two false figures right together, None if none do."""
    a, b = one.each.get(first, 0), other.each.get(first, 0)
    c, d = one.each.get(second, 0), other.each.get(second, 0)
    whole = a * d - b * c
    if not whole:
        return None
    p, q = (
        off[place] - one.fixed.get(place, 0) - other.fixed.get(place, 0)
        for place in (first, second)
    )
    x, rest_x = divmod(p * d - b * q, whole)
    y, rest_y = divmod(a * q - p * c, whole)
    return None if rest_x or rest_y else (x, y)


def _fits(
    one: _Effect, other: _Effect, off: dict[FigurePlace, int], numbers: tuple[int, int]
) -> bool:
    """Return whether two numbers make every figure right."""
    return all(
        one.at(place, numbers[0]) + other.at(place, numbers[1]) == points
        for place, points in off.items()
    )


# --- score sheets without cards ------------------------------------------------------------------


def _divided(profile: Profile, claimed: Mapping[FigurePlace, int]) -> Iterator[Override]:
    """Yield the values of which the items of sheets without cards can be multiples."""
    amounts: dict[str, list[int]] = {}
    for (_, _, item), points in claimed.items():
        if points:
            amounts.setdefault(item, []).append(points)
    for item, found in amounts.items():
        key = keys().get(_ITEMS.get(item, f"score.{item.replace('-', '_')}"))
        if key is not None:
            yield from dict.fromkeys(_divisors(profile, key, found))


def _divisors(profile: Profile, key: Key, amounts: list[int]) -> Iterator[Override]:
    """Yield the common divisors of all amounts, and the amounts themselves."""
    if key.kind == "threes":
        steps, sizes = range(len(profile[key.name][1])), sorted({abs(amount) for amount in amounts})
        for some in (*([size] for size in sizes), sizes):
            for parts in combinations(steps, len(some)):
                units_of = (Unit(key.name, part) for part in parts)
                yield from _tables(profile, key.name, dict(zip(units_of, some, strict=True)))
        for part, size in product(steps, sizes):
            if override := _override(Unit(key.name, part), profile, size):
                yield override
        return
    whole = gcd(*amounts) * (-1 if key.most == 0 else 1)
    shares = [whole // times for times in range(1, _MOST_TIMES + 1) if not whole % times]
    for number in (*shares, *amounts):
        for unit in (each for each in units(profile) if each.key == key.name):
            if override := _override(unit, profile, number):
                yield override
