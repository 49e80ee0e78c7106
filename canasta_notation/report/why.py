"""Which house rules would make a false score right: overrides of the rules, tried one by one.

Only rules about points are tried (scores, penalties, the canastas that going out needs, the
target), each with its other values: its choices, or the numbers that some profile gives it, 0, and
twice its number; a table of points only with `none`. An override is an answer if the claim is not
false under it, and if no other score or item and no action of the game becomes wrong; totals may
become wrong. If single overrides do not explain every claim, pairs of those that affect a false
claim are tried, up to `MOST_PAIRS`. At most `MOST_DEALS` deals are judged in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, Game
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.deal_state import ReplayBudget
from canasta_notation.replay.game_replay import GameReplay
from canasta_notation.replay.game_report import DealReport, GameReport, SideReport
from canasta_notation.replay.header import read_header
from canasta_notation.rules import Key, Profile, keys, load_profile, profile_names
from canasta_notation.rules.conflicts import conflicts
from canasta_notation.rules.keys import sentence, spell

#: The most pairs that are tried, and the most answers that are given for a claim.
MOST_PAIRS: Final = 150
MOST_ANSWERS: Final = 5
#: The most deals that are judged under all overrides and pairs together.
MOST_DEALS: Final = 800
_FAMILIES: Final = ("score.", "penalty.")
_KEYS: Final = ("out.canastas", "target")
_SCORE: Final = ("score", "score-item", "score-sum")


class Override(NamedTuple):
    """A rule with another value."""

    key: str
    value: Any

    @property
    def text(self) -> str:
        """The override as a Rules tag writes it."""
        return f"{self.key}={spell(self.value)}"

    @property
    def words(self) -> str:
        """The rule in a sentence without a full stop."""
        return sentence(keys()[self.key], self.value)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Overrides under which a claim holds, or can hold if it is not `sure`.

    `mends` is how many of the game's false claims become true, `breaks` how many true totals and
    results become false.
    """

    overrides: tuple[Override, ...]
    mends: int
    breaks: int
    sure: bool


class Claim(NamedTuple):
    """Which claim: the score or the total of a side in a deal, or the game's result."""

    deal: int | None
    side: str | None
    what: Literal["score", "total", "result"]


@dataclass(frozen=True, slots=True)
class FalseClaim:
    """A false claim: the points claimed, and those computed (None if they are not known).

    A score of which only items are false is claimed as it is computed. `added` is the sum of its
    written items if that is another figure: then no rule can make it true.
    """

    claim: Claim
    claimed: int | None
    computed: int | None
    added: int | None
    answers: tuple[HouseRules, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """The false claims of a game, and how many overrides and pairs of them were tried.

    `bonuses` are things that earn points under the game's rules, in words, with their points.
    """

    claims: tuple[FalseClaim, ...]
    singles: int
    pairs: int
    bonuses: tuple[tuple[str, int], ...] = ()


class _Judged(NamedTuple):
    """A game under some rules: its false claims, the marks of their findings, and what is wrong.

    `wrong` are the places of false scores and items, and the marks of all other errors.
    """

    order: tuple[Claim, ...]
    false: frozenset[Claim]
    about_false: frozenset[tuple[object, str]]
    wrong: frozenset[tuple[object, str]]


def why_false(
    reading: Reading, number: int, report: GameReport, override: Profile | None = None
) -> Why:
    """Return the overrides under which each false claim of a game's report would hold."""
    base = read_header(reading.game, number, override).profile
    before = _judged(reading.game, report)
    if base is None or not before.false:
        return Why((), 0, 0)
    judge = _Judge(reading, number, base, before)
    most = MOST_DEALS // len(report.deals)
    singles = [(each,) for each in _overrides(base)][:most]
    found = [answer for answer in map(judge.answer, singles) if answer is not None]
    mended = frozenset().union(*(claims for _, claims in found))
    pairs: list[tuple[Override, ...]] = []
    if mended < before.false:
        able = [each for (each,) in singles if each in judge.effective]
        pairs = [pair for pair in combinations(able, 2) if pair[0].key != pair[1].key]
        pairs = pairs[: min(MOST_PAIRS, most - len(singles))]
        tried = map(judge.answer, pairs)
        found += [(answer, claims - mended) for answer, claims in filter(None, tried)]
    claims = tuple(
        _false_claim(report, claim, [answer for answer, claims in found if claim in claims])
        for claim in before.order
    )
    return Why(claims, len(singles), len(pairs), _bonuses(rules_of(base)))


def _bonuses(rules: Rules) -> tuple[tuple[str, int], ...]:
    """Return what is easily forgotten or mistaken, with its points."""
    mistaken = rules.score_natural - rules.score_mixed
    found = (
        ("going out", int(rules.score_out)),
        ("one three" if rules.black_tabled else "one red three", rules.score_red3[0]),
        ("one mixed canasta", int(rules.score_mixed)),
        ("one natural canasta", int(rules.score_natural)),
        ("one canasta that is mixed and not natural, or the reverse", int(mistaken)),
    )
    return tuple((words, points) for words, points in found if points)


class _Judge:
    """A game that is judged repeatedly, each time by other rules."""

    def __init__(self, reading: Reading, number: int, base: Profile, before: _Judged) -> None:
        self.reading = reading
        self.number = number
        self.base = base
        self.before = before
        #: The budget that all replays share.
        self.budget = ReplayBudget()
        self.replay = GameReplay(reading.game, number, base, None, keep=True, budget=self.budget)
        #: What is false without any override, as the other replays would say it.
        self.plain = _judged(reading.game, self.replay.report)
        #: The single overrides that change the message about a false claim.
        self.effective: set[Override] = set()

    def answer(self, overrides: tuple[Override, ...]) -> tuple[HouseRules, frozenset[Claim]] | None:
        """Return the overrides as an answer with the claims that they make true, or None.

        They are not an answer if they make no claim true, or a score or the play wrong.
        """
        changes = {each.key: each.value for each in overrides}
        profile = self.base.with_values(changes, source="a house rule")
        if conflicts(profile, changes):
            return None
        game = self.reading.game
        alike = self.replay if _play_rules(profile) == _play_rules(self.base) else None
        report = GameReplay(
            game, self.number, profile, None, alike=alike, budget=self.budget
        ).report
        after = _judged(game, report)
        if len(overrides) == 1 and after.about_false != self.plain.about_false:
            self.effective.add(overrides[0])
        mended, broken = self.before.false - after.false, after.false - self.plain.false
        if not mended or after.wrong - self.before.wrong:
            return None
        sure = not any(_is_open(report, claim) for claim in mended)
        return HouseRules(overrides, len(mended), len(broken), sure), mended


def _play_rules(profile: Profile) -> tuple[object, ...]:
    """Return the values, among the rules that are tried, that affect the play."""
    needs = profile["out.canastas"], profile["score.concealed_needs"]
    return *needs, profile["score.red3"][0], bool(profile["score.concealed_canasta"])


# --- false claims -------------------------------------------------------------------------------


def _judged(game: Game, report: GameReport) -> _Judged:
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
    return _Judged(tuple(false), frozenset(false), about, frozenset(wrong))


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
    """Return a claim with its answers, sorted by number of overrides, then by what they break."""
    claimed = computed = added = None
    side = _side_of(report, claim)
    if side is not None and claim.what == "score":
        claimed, computed = side.claimed.score, side.score
        added = sum(side.claimed.items.values()) if side.claimed.items else claimed
    elif side is not None:
        claimed = side.claimed.total
        computed = None if side.total == claimed else side.total
    answers.sort(key=lambda each: (len(each.overrides), each.breaks, not each.sure, -each.mends))
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
    if key.offered_only or key.kind == "points":
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
    return tuple(dict.fromkeys(load_profile(name)[key] for name in profile_names()))
