"""Which house rules would make a false score right: overrides of the rules, tried one by one.

Only rules about points are tried (scores, penalties, the canastas that going out needs, the
target), each with its other values: its choices, or the numbers that some profile gives it, 0, and
twice its number; a table of points only with `none`. Before these come the values that the false
scores name: an item's points divided by how often its rule counts, or, without items, the value
that makes up the difference. An override is an answer if the claim is not
false under it, and if no other score or item and no action of the game becomes wrong; totals may
become wrong. Pairs of those that affect a false claim are tried too, up to `MOST_PAIRS`; a pair is
an answer if it makes more claims true than either of its overrides. At most `MOST_DEALS` deals are
judged in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from canasta_notation.cards import CARD_STEP
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
from canasta_notation.rules.keys import from_text, sentence, spell

#: The most pairs that are tried, and the most answers that are given for a claim.
MOST_PAIRS: Final = 150
MOST_ANSWERS: Final = 3
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


class Claim(NamedTuple):
    """Which claim: the score or the total of a side in a deal, or the game's result."""

    deal: int | None
    side: str | None
    what: Literal["score", "total", "result"]


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Overrides under which a claim holds, or can hold if it is not `sure`.

    `explains` are the false claims of the game that become true, `mends` is their number, and
    `breaks` how many true totals and results become false.
    """

    overrides: tuple[Override, ...]
    mends: int
    breaks: int
    sure: bool
    explains: frozenset[Claim]


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

    `singles` are the listed values, `claimed` those that claims name. `bonuses` are what earns
    points under the game's rules, in words, with their points.
    """

    claims: tuple[FalseClaim, ...]
    singles: int
    pairs: int
    bonuses: tuple[tuple[str, int], ...] = ()
    claimed: int = 0


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
    listed = [*_overrides(base)]
    named = _claimed(base, report, before)
    claimed = [each for each in named if each not in listed]
    singles = [(each,) for each in (*claimed, *listed)][:most]
    found = [answer for answer in map(judge.answer, singles) if answer is not None]
    able = [each for (each,) in singles if each in judge.effective]
    pairs: list[tuple[Override, ...]] = [
        pair for pair in combinations(able, 2) if pair[0].key != pair[1].key
    ]
    pairs = pairs[: min(MOST_PAIRS, most - len(singles))]
    mended = {answer.overrides: claims for answer, claims in found}
    for answer, explained in filter(None, map(judge.answer, pairs)):
        # A pair is an answer only if it explains more than either of its overrides.
        if all(mended.get((each,), frozenset()) < explained for each in answer.overrides):
            found.append((answer, explained))
    # Values that an item names, or that are listed, come before those that are only computed.
    computed = {each for each in claimed if not named[each]}
    found.sort(key=lambda each: not computed.isdisjoint(each[0].overrides))
    claims = tuple(
        _false_claim(report, claim, [answer for answer, claims in found if claim in claims])
        for claim in before.order
    )
    dictated = min(len(claimed), len(singles))
    return Why(claims, len(singles) - dictated, len(pairs), _bonuses(rules_of(base)), dictated)


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
        return HouseRules(overrides, len(mended), len(broken), sure, mended), mended


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
    """Return a claim with its answers: first those that make the most claims true."""
    claimed = computed = added = None
    side = _side_of(report, claim)
    if side is not None and claim.what == "score":
        claimed, computed = side.claimed.score, side.score
        added = sum(side.claimed.items.values()) if side.claimed.items else claimed
    elif side is not None:
        claimed = side.claimed.total
        computed = None if side.total == claimed else side.total
    answers.sort(key=lambda each: (-each.mends, len(each.overrides), each.breaks, not each.sure))
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


def _claimed(base: Profile, report: GameReport, before: _Judged) -> dict[Override, bool]:
    """Return the values that the false scores name, and whether an item names them; these first."""
    found: dict[Override, bool] = {}
    sides = [_side_of(report, claim) for claim in before.order if claim.what == "score"]
    scored = [side for side in sides if side is not None]
    for side in sorted(scored, key=lambda side: side.claimed.items is None):
        for each in _named(base, side):
            if each.value != base[each.key]:
                found.setdefault(each, side.claimed.items is not None)
    return found


def _named(base: Profile, side: SideReport) -> Iterator[Override]:
    """Yield the values that a side's items name, or its score if no items are written."""
    counted: dict[tuple[str, str], int] = {}
    for entry in side.entries:
        times = entry.count if entry.key.startswith("score.red3") else 1
        at = entry.item, "score.red3" if entry.key.startswith("score.red3") else entry.key
        counted[at] = counted.get(at, 0) + times
    if side.claimed.items is None:
        if side.claimed.score is None or side.score is None:
            return
        off = side.claimed.score - side.score
        for (item, key), times in counted.items():
            yield from _valued(base, key, times, (side.items[item] or 0) + off)
        return
    for item, points in side.claimed.items.items():
        if side.items.get(item) != points:
            known = [(key, times) for (name, key), times in counted.items() if name == item]
            for key, times in known or [(f"score.{item.replace('-', '_')}", 1)]:
                yield from _valued(base, key, times, points)


def _valued(base: Profile, name: str, times: int, points: int) -> Iterator[Override]:
    """Yield the value with which a rule that counts so many times earns an item's points."""
    key = keys().get(name)
    if key is None or points % CARD_STEP:
        return
    text = ""
    if key.kind == "number" and not points % (times * CARD_STEP):
        text = str(points // times)
    elif key.kind == "threes" and base[name][0] == "all" and times <= len(base[name][1]):
        steps = [*base[name][1]]
        steps[times - 1] = points
        text = ",".join(map(str, steps))
    try:
        value = from_text(key, text) if text else base[name]
    except ValueError:  # outside the bounds of the rule
        return
    yield Override(name, value)


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
