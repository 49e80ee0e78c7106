"""Which house rules would make a false score right: overrides of the rules, and pairs of them.

Only rules about points are tried (scores, penalties, the canastas that going out needs, the
target): the values that the false claims dictate (`why_values`), and a list of values: choices, or
the numbers that some profile gives the rule, 0, and twice its number; for a table of points only
`none`. The best `BEST` of these make pairs; other pairs are dictated by what one of them leaves
false.

An override is an answer if it makes a false claim true, no other claim false and no action of the
game wrong. If any answers leave no item of the game false, only these are given. A pair is an
answer if it makes more claims true than either of its overrides. At most `MOST_DEALS` deals are
judged in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from canasta_notation.cards import BLACK_THREE, RANK_NAMES, UNKNOWN_RANK
from canasta_notation.engine.amounts import ScoreEntry
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import score_by
from canasta_notation.engine.table import Table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, Game
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.deal_state import ReplayBudget
from canasta_notation.replay.game_replay import GameReplay, plays_alike
from canasta_notation.replay.game_report import DealReport, GameReport, SideReport
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment
from canasta_notation.report.why_values import (
    POINTS_KINDS,
    Dictated,
    FiguresByPlace,
    Override,
    Overrides,
    computed_figures,
    dictated,
)
from canasta_notation.rules import Key, Profile, keys, load_profile, profile_names
from canasta_notation.rules.conflicts import conflicts

#: The most answers that are given for a claim.
MOST_ANSWERS: Final = 3
#: How many of the overrides make pairs with one another, and the most pairs that are tried.
BEST: Final = 8
MOST_PAIRS: Final = 150
#: The most deals that are judged in all, to see where rules count and under overrides.
MOST_DEALS: Final = 4_000
#: How many deals each deal of a sheet counts as, if a side can have several melds of a rank:
#: listing its possible melds takes much longer.
SLOW_DEAL: Final = 10
_FAMILIES: Final = ("score.", "penalty.")
_KEYS: Final = ("out.canastas", "target")
_SCORE: Final = ("score", "score-item", "score-sum")


class Claim(NamedTuple):
    """Which claim: the score or the total of a side in a deal, or the game's result."""

    deal: int | None
    side: str | None
    what: Literal["score", "total", "result"]


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Overrides under which a claim holds, or can hold if it is not `sure`.

    `explains` are the false claims of the game that become true.
    """

    overrides: Overrides
    sure: bool
    explains: frozenset[Claim]


@dataclass(frozen=True, slots=True)
class FalseClaim:
    """A false claim: the points claimed, and those computed (None if they are not known).

    If only items of a score are false, the claimed score is the computed one. `added` is the sum of
    the written items if it differs from the score: then no rule can make it true.
    """

    claim: Claim
    claimed: int | None
    computed: int | None
    added: int | None
    answers: tuple[HouseRules, ...]


@dataclass(frozen=True, slots=True)
class WhyFalse:
    """The false claims of a game, and how many overrides and pairs of them were tried.

    `singles` are the listed values, `claimed` those that claims dictate. `bonuses` are what earns
    points under the game's rules, in words, with their points, and `cards` are the cards by rank.
    """

    claims: tuple[FalseClaim, ...]
    singles: int
    pairs: int
    bonuses: tuple[tuple[str, int], ...] = ()
    claimed: int = 0
    cards: tuple[tuple[str, int], ...] = ()


class _FalseClaims(NamedTuple):
    """A game under some rules: its false claims, the marks of their findings, and what is wrong.

    `wrong` are the places of false scores and items, and the marks of all other errors. `items` is
    how many items are false.
    """

    order: tuple[Claim, ...]
    false: frozenset[Claim]
    about_false: frozenset[tuple[object, str]]
    wrong: frozenset[tuple[object, str]]
    items: int


def why_false(
    reading: Reading, number: int, report: GameReport, override: Profile | None = None
) -> WhyFalse:
    """Return the overrides under which each false claim of a game's report would hold."""
    base = read_header(reading.game, number, override).profile
    before = _judged(reading.game, report)
    if base is None or not before.false:
        return WhyFalse((), 0, 0)
    judge = _Judge(reading, number, base, before)
    listed = [*_overrides(base)]
    named = dictated(base, judge.replay.report, judge.figures)
    singles: list[Overrides] = [(each,) for each in dict.fromkeys((*named.singles, *listed))]
    tried = [each for each in singles if judge.tries(each)]
    pairs = [each for each in _pairs(judge, named, tried) if judge.tries(each)]
    answers = sorted(judge.answers(), key=lambda each: _order(base, each, named.itemised))
    claims = tuple(
        _false_claim(report, claim, [each for each in answers if claim in each.explains])
        for claim in before.order
    )
    of_list = sum(each in listed for (each,) in tried)
    rules = rules_of(base)
    return WhyFalse(
        claims, of_list, len(pairs), _bonuses(rules), len(tried) - of_list, _card_points(rules)
    )


def _order(base: Profile, answer: HouseRules, itemised: set[Override]) -> tuple[object, ...]:
    """Return the sort key of answers: claims, rules, then values that are merely computed.

    A value is known if an item or a profile has it. The size of the change comes last.
    """
    change = map(sum, zip(*(each.change(base) for each in answer.overrides), strict=True))
    merely = sum(
        keys()[each.key].kind != "choice"
        and each not in itemised
        and each.value not in _known(each.key)
        for each in answer.overrides
    )
    return -len(answer.explains), len(answer.overrides), not answer.sure, merely, *change


def _pairs(judge: _Judge, named: Dictated, singles: list[Overrides]) -> list[Overrides]:
    """Return the pairs to try: dictated together, of the best, or by what one leaves false."""
    best, report = sorted(singles, key=judge.leaves)[:BEST], judge.replay.report
    pairs: dict[frozenset[Override], Overrides] = {}
    for pair in (*named.pairs, *((*one, *other) for one, other in combinations(best, 2))):
        pairs[frozenset(pair)] = pair
    for (each,) in best:
        after = judge.judged[each,]
        if after is None or after.false:
            same = keys()[each.key].kind in POINTS_KINDS
            rest = dictated(
                judge.profile((each,)), report, judge.figures, named.effects if same else None
            )
            for other in rest.singles:
                pairs.setdefault(frozenset((each, other)), (each, other))
    order = [*keys()]
    different = [
        tuple(sorted(pair, key=lambda each: order.index(each.key)))
        for pair in pairs.values()
        if pair[0].key != pair[1].key
    ]
    return different[:MOST_PAIRS]


def _bonuses(rules: Rules) -> tuple[tuple[str, int], ...]:
    """Return the bonuses that are easily forgotten or confused, with their points."""
    mistaken = rules.score_natural - rules.score_mixed
    found = (
        ("going out", int(rules.score_out)),
        ("one three" if rules.black_tabled else "one red three", rules.score_red3[0]),
        ("one mixed canasta", int(rules.score_mixed)),
        ("one natural canasta", int(rules.score_natural)),
        ("a mixed canasta in place of a natural one, or the reverse", int(mistaken)),
    )
    return tuple((words, points) for words, points in found if points)


def _card_points(rules: Rules) -> tuple[tuple[str, int], ...]:
    """Return the points of a card of each rank."""
    ranks = range(BLACK_THREE, UNKNOWN_RANK)
    return tuple((RANK_NAMES[rank][0], int(rules.rank_points[rank])) for rank in ranks)


class _Judge:
    """A game that is judged repeatedly, each time by other rules."""

    def __init__(self, reading: Reading, number: int, base: Profile, before: _FalseClaims) -> None:
        self.reading = reading
        self.number = number
        self.base = base
        self.before = before
        #: How many deals may still be judged, and the budget that all replays share.
        self.deals = MOST_DEALS
        #: How many deals it costs to judge the game once.
        deals = reading.game.deals
        sheets = sum(not (deal.play or deal.end_lines) for deal in deals)
        self.cost = len(deals) + (sheets * (SLOW_DEAL - 1) if base["meld.several"] != "no" else 0)
        self.budget = ReplayBudget()
        #: The table of each deal at its end, and the replay of the game by its own rules.
        self.tables: dict[int, Table] = {}
        self.replay = GameReplay(
            reading.game, number, base, self._observe, keep=True, budget=self.budget
        )
        #: What is false without any override, in the form of the other replays.
        self.plain = _judged(reading.game, self.replay.report)
        #: The game by each of the overrides that were tried; None if the rules do not fit together.
        self.judged: dict[Overrides, _FalseClaims | None] = {}
        self.open: dict[Overrides, frozenset[Claim]] = {}

    def _observe(self, moment: Moment) -> None:
        self.tables[moment.deal] = moment.table

    def figures(self, profile: Profile) -> FiguresByPlace | None:
        """Return the figures of the game by other rules, None if too many deals were judged.

        If the rules differ only in points, the existing tables are scored again.
        """
        # Cards that have been laid can be counted again, unlike openings.
        cards = {"score.cards": self.base["score.cards"]}
        if not plays_alike(profile.with_values(cards), self.base):
            report = self.report(profile)
            return None if report is None else _figures(report)
        rules = Rules(profile)
        return _figures(self.replay.report, lambda deal, at: score_by(rules, self.tables[deal], at))

    def profile(self, overrides: Overrides) -> Profile:
        """Return the rules with overrides."""
        changes = {each.key: each.value for each in overrides}
        return self.base.with_values(changes, source="a house rule")

    def report(self, profile: Profile) -> GameReport | None:
        """Return the report of the game by other rules, None if too many deals were judged."""
        game = self.reading.game
        self.deals -= self.cost
        if self.deals < 0:
            return None
        return GameReplay(
            game, self.number, profile, None, earlier=self.replay, budget=self.budget
        ).report

    def tries(self, overrides: Overrides) -> bool:
        """Judge the game by overrides; return False if too many deals were judged."""
        if self.deals < self.cost:
            return False
        profile = self.profile(overrides)
        if conflicts(profile, {each.key for each in overrides}):
            self.judged[overrides] = None
            return True
        report = self.report(profile)
        if report is not None:
            self.judged[overrides] = after = _judged(self.reading.game, report)
            self.open[overrides] = frozenset(
                each for each in self.before.false - after.false if _is_open(report, each)
            )
        return report is not None

    def leaves(self, single: Overrides) -> tuple[int, ...]:
        """Return how many claims and items an override leaves false, and whether it does nothing.

        Rules that fit together only with another override count as leaving everything false.
        """
        after = self.judged[single]
        if after is None:
            return len(self.before.false), self.before.items, 0
        idle = after.about_false == self.plain.about_false
        return len(after.false), after.items, idle

    def answers(self) -> list[HouseRules]:
        """Return the overrides that make claims true, but no claim false and no action wrong.

        They leave no item of the game false.
        """
        found: dict[Overrides, HouseRules] = {}
        whole = []
        for overrides, after in self.judged.items():
            if after is None or after.false - self.plain.false or after.wrong - self.before.wrong:
                continue
            mended = self.before.false - after.false
            parts = [found[each,].explains for each in overrides if (each,) in found]
            # A pair is an answer only if it explains more than either of its overrides.
            if mended and (len(overrides) == 1 or all(part < mended for part in parts)):
                sure = not self.open[overrides]
                found[overrides] = HouseRules(overrides, sure, mended)
                if not after.items:
                    whole.append(found[overrides])
        return whole


def _figures(
    report: GameReport, score: Callable[[int, int], Iterable[ScoreEntry]] | None = None
) -> FiguresByPlace:
    """Return the computed figures of a report; `score` scores a deal (from 1) again for a side."""
    found = FiguresByPlace()
    for deal in report.deals:
        for at, side in enumerate(deal.sides):
            if side.entries:
                entries = score(deal.deal, at) if score else side.entries
                found |= computed_figures(deal.deal, side.side, entries)
    return found


# --- false claims -------------------------------------------------------------------------------


def _judged(game: Game, report: GameReport) -> _FalseClaims:
    false: dict[Claim, None] = {}
    about_false: list[Finding] = []
    for deal, judged in zip(game.deals, report.deals, strict=True):
        for claim, finding in _false_in(deal, judged):
            false[claim] = None
            about_false.append(finding)
    for finding in report.findings:
        if finding.code == "result" and finding.follows is None:
            false[Claim(None, None, "result")] = None
            about_false.append(finding)
    wrong = (
        (each.span, each.code if each.code in _SCORE else each.message)
        for each in report.findings
        if each.severity == "error" and each.code not in ("total", "result")
    )
    about = frozenset((each.span, each.message) for each in about_false)
    items = sum(each.code == "score-item" for each in report.findings)
    return _FalseClaims(tuple(false), frozenset(false), about, frozenset(wrong), items)


def _false_in(deal: Deal, judged: DealReport) -> Iterator[tuple[Claim, Finding]]:
    """Yield the false claims of a deal, except totals that are false because of a score."""
    errors = [finding for finding in judged.findings if finding.severity == "error"]
    known = {each.side for each in judged.sides}
    sides = {line.span.line: line.side for line in deal.scores if line.side in known}
    for finding in errors:
        if finding.code in _SCORE and finding.span.line in sides:
            yield Claim(judged.deal, sides[finding.span.line], "score"), finding
        elif finding.code == "total" and finding.follows is None and deal.total:
            places = (place[0] for place in deal.total.totals_at)
            for (side, _), column in zip(deal.total.totals, places, strict=False):
                if column == finding.span.column and side in known:
                    yield Claim(judged.deal, side, "total"), finding


def _false_claim(report: GameReport, claim: Claim, answers: list[HouseRules]) -> FalseClaim:
    """Return a claim with its answers."""
    claimed = computed = added = None
    side = _side_of(report, claim)
    if side is not None and claim.what == "score":
        claimed, computed = side.claimed.score, side.score
        added = sum(side.claimed.items.values()) if side.claimed.items else claimed
    elif side is not None:
        claimed = side.claimed.total
        computed = None if side.total == claimed else side.total
    added = None if added == claimed else added
    return FalseClaim(claim, claimed, computed, added, tuple(answers[:MOST_ANSWERS]))


def _side_of(report: GameReport, claim: Claim) -> SideReport | None:
    """Return the report of the side that a claim is about, None for the game's result."""
    sides = report.deals[claim.deal - 1].sides if claim.deal is not None else ()
    return next((each for each in sides if each.side == claim.side), None)


def _is_open(report: GameReport, claim: Claim) -> bool:
    """Return whether a claim is only one of several figures that are possible."""
    side = _side_of(report, claim)
    return side is not None and side.score is None and bool(side.entries)


# --- overrides ----------------------------------------------------------------------------------


def _overrides(base: Profile) -> Iterator[Override]:
    """Yield each rule about points with each value that is tried."""
    for name, key in keys().items():
        if name.startswith(_FAMILIES) or name in _KEYS:
            for value in _values(key, base[name]):
                yield Override(name, value)


def _values(key: Key, held: Any) -> list[Any]:
    """Return the values with which a rule is tried, without the one that it has."""
    if key.offered_only or key.kind in ("points", "cards"):
        # Tables of points are not tried.
        return [None] if key.none and held is not None else []
    values: list[Any] = [*key.choices] if key.kind == "choice" else list(_known(key.name))
    if key.kind == "number" and isinstance(held, int):
        values += [0, held * 2]
        values = [each for each in values if each is None or key.least <= each <= key.most]
    if key.kind == "threes":
        mode, points = held
        values.append((mode, tuple(points[0] * (at + 1) for at in range(len(points)))))
        values = [each for each in values if len(each[1]) == len(points)]
    return [each for each in dict.fromkeys(values) if each != held]


@cache
def _known(key: str) -> tuple[Any, ...]:
    """Return the values that the packaged profiles give a rule."""
    found: list[Any] = []
    for name in profile_names():
        value = load_profile(name)[key]
        if value not in found:  # tables of points cannot be keys of a dictionary
            found.append(value)
    return tuple(found)
