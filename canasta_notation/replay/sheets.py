"""Score sheets: which items of a deal without play cannot be under the profile."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import MELD_SIZE
from canasta_notation.engine.rules import Rules
from canasta_notation.notation.document import ScoreLine
from canasta_notation.replay.locate import Locating

#: Item, why it cannot be, and the key that says so.
Impossible = tuple[str, str, str]
#: Points of every card are multiples of this.
_STEP = 5


def impossible_items(
    known: set[str], replay: Locating, at: int, line: ScoreLine
) -> Iterator[Impossible]:
    """Yield the items of a score line that no play of the deal could have earned.

    `known` are the items that the profile has. Not checked: whether melds of so many points could
    hold so many canastas.
    """
    rules = replay.rules
    items = dict(line.items or ())
    for item, points in items.items():
        if item not in known and points:
            yield item, "the profile has no such item", ""
    if "cards" in items and ("melds" in items or "hand" in items):
        yield "cards", "it stands for melds and hand together", ""
    penalty = -replay.play.sides[at].penalty
    if items.get("penalty", 0) != penalty and not replay.deal.unread:
        yield "penalty", f"the penalty lines of this deal come to {penalty}", ""
    yield from _amounts(rules, items)
    yield from _out(rules, replay, at, items)
    yield from _threes(rules, replay, items)
    yield from _special(rules, items)


def _canastas(rules: Rules, items: dict[str, int]) -> int:
    """Return how many canastas the items speak of."""
    natural = items.get("natural", 0) // rules.score_natural if rules.score_natural else 0
    mixed = items.get("mixed", 0) // rules.score_mixed if rules.score_mixed else 0
    sevens = items.get("sevens", 0) // rules.score_sevens if rules.score_sevens else 0
    aces = items.get("aces", 0) // rules.score_aces if rules.score_aces else 0
    return natural + mixed + sevens + aces + (items.get("wild", 0) > 0)


def _amounts(rules: Rules, items: dict[str, int]) -> Iterator[Impossible]:
    """Yield items whose amounts are no multiple of what they count."""
    units = {
        "natural": (rules.score_natural, "score.natural"),
        "mixed": (rules.score_mixed, "score.mixed"),
        "concealed-canasta": (rules.score_concealed_canasta, "score.concealed_canasta"),
    }
    for item, (unit, key) in units.items():
        points = items.get(item, 0)
        if points < 0 or (unit and points % unit):
            yield item, f"each counts {unit}", key
    for item in ("melds", "hand", "cards"):
        if items.get(item, 0) % _STEP:
            yield item, f"cards count multiples of {_STEP}", ""
    if items.get("hand", 0) > 0:
        yield "hand", "cards left in a hand count against the side", ""
    minus = rules.melds_minus == "no-canasta" and not _canastas(rules, items)
    melds = items.get("melds", 0)
    if (melds < 0) != (minus and melds != 0):
        why = "without a canasta they count against it" if minus else "they count for the side"
        yield "melds", why, "score.melds_minus"


def _out(rules: Rules, replay: Locating, at: int, items: dict[str, int]) -> Iterator[Impossible]:
    """Yield bonuses for going out that the rest of the deal's lines exclude."""
    out = items.get("out", 0)
    if out not in (0, rules.score_out):
        yield "out", f"going out counts {rules.score_out}", "score.out"
    elif out and _canastas(rules, items) < rules.out_canastas:
        yield "out", f"going out needs {rules.out_canastas} canastas", "out.canastas"
    elif out and any(
        dict(line.items or ()).get("out") and line.side != rules.sides[at]
        for line in replay.deal.scores
    ):
        yield "out", "only one side can go out", "score.out"
    elif out:
        end = replay.deal.end
        if end and (end.reason != "out" or end.seat not in tuple(rules.sides[at])):
            yield "out", f"the deal ended otherwise (end {end.reason})", "score.out"
    concealed = items.get("concealed", 0)
    if concealed not in (0, rules.score_concealed):
        yield "concealed", f"going out concealed adds {rules.score_concealed}", "score.concealed"
    elif concealed and not out:
        yield "concealed", "the side did not go out", "score.concealed"


def _threes(rules: Rules, replay: Locating, items: dict[str, int]) -> Iterator[Impossible]:
    """Yield a bonus of threes that the schedule, its sign or the deck excludes."""
    item = "threes" if rules.black_tabled else "red3"
    points = items.get(item, 0)
    sums = {0, *rules.score_red3}
    if rules.black_tabled:
        sums = {red + black for red in sums for black in sums}
    if abs(points) not in sums:
        yield item, f"threes count {_either(rules.score_red3)}", "score.red3"
        return
    signs = _signs(rules, items)
    if points and (points > 0) - (points < 0) not in signs:
        why = "the threes of this side count otherwise, or not at all"
        yield item, why, "score.red3_minus"
    counts = [
        rules.score_red3.index(abs(each)) + 1
        for line in replay.deal.scores
        if abs(each := dict(line.items or ()).get("red3", 0)) in rules.score_red3
    ]
    if points and sum(counts) > len(rules.score_red3):
        yield item, f"the deck has {len(rules.score_red3)} red threes", "score.red3"


def _special(rules: Rules, items: dict[str, int]) -> Iterator[Impossible]:
    """Yield amounts of the American items that no play gives."""
    points = items.get("special", 0)
    if points and rules.special:
        amounts = {pattern.points for kind in rules.special.values() for pattern in kind}
        if points not in amounts:
            yield "special", f"special hands count {_either(tuple(sorted(amounts)))}", "special"
        for item, other in items.items():
            if other and item not in ("special", "penalty"):
                yield item, "a special hand is all that the side scores", "special"
    unfinished = {0}
    for each in rules.score_unfinished.values():
        unfinished |= {one + each for one in unfinished}
    if items.get("unfinished", 0) not in unfinished:
        yield "unfinished", "unfinished melds do not come to this", "score.unfinished"
    if rules.score_held and (items.get("held", 0) % rules.score_held or items.get("held", 0) > 0):
        yield "held", f"each counts {rules.score_held}", "score.held"
    for item, bonus in (("sevens", rules.score_sevens), ("aces", rules.score_aces)):
        if bonus and items.get(item, 0) not in (0, bonus):
            yield item, f"a canasta of {item} counts {bonus}", f"score.{item}"
    if rules.score_wild and items.get("wild", 0) not in (0, *rules.score_wild.values()):
        yield "wild", "a canasta of wild cards counts otherwise", "score.wild"


def _either(amounts: tuple[int, ...]) -> str:
    return ", ".join(map(str, amounts[:-1])) + f" or {amounts[-1]}"


def _signs(rules: Rules, items: dict[str, int]) -> tuple[int, ...]:
    """Return how threes can count for a side with these items: 1 for it, -1 against it."""
    canastas = _canastas(rules, items)
    match rules.red3_minus:
        case "no-canasta":
            return (1,) if canastas else (-1,)
        case "by-canastas":
            return ((-1,), (), (1,))[min(canastas, 2)]
        case "unmelded" if canastas or items.get("melds", 0) >= MELD_SIZE * _STEP:
            return (1,)
        case "unmelded":
            return (1, -1) if "cards" in items else (-1,)
    return (1,)
