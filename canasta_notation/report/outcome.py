"""The outcome of a validation: verdicts, findings, the lines that excerpts need, and counts."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from canasta_notation.findings import Finding, RuleRef, Span, Verdict, worst
from canasta_notation.report.same_games import (
    GameMark,
    GamePlace,
    SameGames,
    mark_of_read,
    mark_of_verified,
)

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.replay.game_report import Doubt, GameReport
    from canasta_notation.rules import Profile
    from canasta_notation.scan.verified import VerifiedGame


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A game's report without its scores, and the `lines` of its findings by their numbers.

    `doubts` are (deal, doubt). `unchecked` are (deal, the first unchecked line); the deal is None
    if its `deal` line cannot be read. `by_default` says that the game is judged by the default
    rules because it names none. `own_rules` is the text of the record's Rules tag ("" without
    one) if other rules replaced it, else None. `rules_text` is the name of the rules with their
    overrides.
    """

    game: int
    rules: str | None
    verdict: Verdict
    deals: int
    turns: int
    findings: tuple[Finding, ...] = ()
    doubts: tuple[tuple[int, Doubt], ...] = ()
    unchecked: tuple[tuple[int | None, int], ...] = ()
    sheets: tuple[int, ...] = ()
    own_rules: str | None = None
    by_default: bool = False
    rules_text: str | None = None
    #: Deals recorded only by the table at their end.
    finals: tuple[int, ...] = ()
    lines: dict[int, str] = field(default_factory=dict)
    #: Whether every score is written and is what was computed.
    scores_agree: bool = False
    #: What tells it from other games; None if another game might say the same by chance.
    mark: GameMark | None = None


def check_game(override: Profile | None, name: str, reading: Reading, number: int) -> GameOutcome:
    """Replay one game of a file, the first being number 1, and return what to show of it.

    `override` replaces the rules that the record names. The other parameters are those of
    `batch.parts.Work.of_read`; the name is not used.
    """
    from canasta_notation.replay.game_replay import replay_game

    report = replay_game(reading.game, number, rules=override)
    tag = reading.game.tag("Rules")
    return GameOutcome(
        report.game,
        report.rules,
        report.verdict,
        len(report.deals),
        report.turns,
        tuple(report.findings),
        tuple((deal.deal, doubt) for deal in report.deals for doubt in deal.doubts),
        _unchecked(reading, report),
        tuple(deal.deal for deal in report.deals if deal.sheet),
        None if override is None else (tag.value if tag else ""),
        # An unreadable line outside the deals may have been the Rules tag.
        override is None and not (tag and tag.value.strip()) and not reading.game.unread,
        report.rules_text,
        tuple(deal.deal for deal in report.deals if deal.final),
        excerpt_lines(reading, report.findings),
        _scores_agree(report),
        mark_of_read(reading, report),
    )


def _scores_agree(report: GameReport) -> bool:
    """Return whether every deal has the scores of all sides, and each is what was computed."""
    sides = [side for deal in report.deals for side in deal.sides]
    right = all(side.score is not None and side.claimed.score == side.score for side in sides)
    return right and bool(sides) and not any(each.severity == "error" for each in report.findings)


def _unchecked(reading: Reading, report: GameReport) -> tuple[tuple[int | None, int], ...]:
    """Return the deal (None if it is not known) and line at which checking stopped, by line."""
    last = reading.first_line + len(reading.lines) - 1
    places: dict[int, int | None] = {
        min(deal.unchecked_from, last): deal.deal
        for deal in report.deals
        if deal.unchecked_from is not None
    }
    begins = [deal.line for deal in report.deals]
    lost: dict[int, int] = {}
    for line in reading.game.lost:
        lost.setdefault(bisect(begins, line), line)
    places |= dict.fromkeys(lost.values())
    return tuple((deal, line) for line, deal in sorted(places.items(), key=lambda place: place[0]))


def excerpt_lines(reading: Reading, findings: Iterable[Finding]) -> dict[int, str]:
    """Return the lines with findings, by line number in the file."""
    first, lines = reading.first_line, reading.lines
    places = {finding.span.line for finding in findings}
    return {line: lines[line - first] for line in places if 0 <= line - first < len(lines)}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many files, games, deals and turns were checked, and how many findings of each kind."""

    files: int = 0
    games: int = 0
    deals: int = 0
    turns: int = 0
    errors: int = 0
    warnings: int = 0
    notes: int = 0


# --- games of many files ------------------------------------------------------------------------


class BriefOutcome(NamedTuple):
    """What is kept of a game that the fast path verified by its own rules."""

    game: int
    rules: str
    deals: int
    turns: int
    by_default: bool
    mark: GameMark
    verdict: Verdict = "verified"


#: What is kept of a game.
CheckOutcome = BriefOutcome | GameOutcome


def check_verified(override: Profile | None, name: str, game: VerifiedGame) -> CheckOutcome:
    """Return what is kept of a verified game; more is shown if other rules replaced its own."""
    mark = mark_of_verified(game)
    if override is None:
        return BriefOutcome(game.game, game.rules, game.deals, game.turns, game.by_default, mark)
    return GameOutcome(
        *(game.game, game.rules, game.verdict, game.deals, game.turns),
        own_rules=game.tags.get("Rules", ""),
        rules_text=game.profile.text,
        mark=mark,
    )


class Tally:
    """The counts of a validation, kept while its games arrive file by file."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        #: The verdicts of the closed files, and of the games of the current file.
        self._verdicts: set[Verdict] = set()
        self._file_verdicts: set[Verdict] = set()
        #: How many games of the current file were judged by each profile by default.
        self.by_default: Counter[str] = Counter()
        self._same_games = SameGames()

    def add(self, name: str, game: CheckOutcome) -> GamePlace | None:
        """Count a game of the file `name`; return the place of an earlier equal one, if any."""
        self._counts["games"] += 1
        self._counts["deals"] += game.deals
        self._counts["turns"] += game.turns
        self._file_verdicts.add(game.verdict)
        if game.by_default and game.rules:
            self.by_default[game.rules] += 1
        if not isinstance(game, BriefOutcome):
            self._counts.update(finding.severity + "s" for finding in game.findings)
        return self._same_games.first(name, game.game, game.mark)

    def close_file(self) -> Verdict | None:
        """End a file and return its verdict, None if it had no game."""
        if not self._file_verdicts:
            return None
        verdict = worst(list(self._file_verdicts))
        self._counts["files"] += 1
        self._verdicts.add(verdict)
        self._file_verdicts.clear()
        self.by_default.clear()
        return verdict

    @property
    def counts(self) -> Counts:
        """The counts so far."""
        return Counts(**self._counts)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the closed files."""
        return worst(list(self._verdicts))


def findings_json(findings: Sequence[Finding], first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield findings for JSON; `first` is the index of the first of them in the document.

    A consequence has the index of its cause, or of the copy that replaced its cause.
    """
    places: dict[tuple[str, Span], list[int]] = {}
    for at, finding in enumerate(findings):
        places.setdefault((finding.code, finding.span), []).append(at)
    known = {id(finding): at for at, finding in enumerate(findings)}
    for finding in findings:
        cause = finding.follows
        place = known.get(id(cause))
        if cause is not None and place is None:
            alike = places.get((cause.code, cause.span), [])
            equal = (each for each in alike if findings[each] == cause)
            place = next(equal, alike[0] if alike else None)
        yield _finding_json(finding, None if place is None else first + place)


def _finding_json(finding: Finding, cause: int | None) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "game": finding.game,
        "deal": finding.deal,
        "turn": finding.turn,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_column": finding.span.end_column,
        "message": finding.message,
        "rule": rule_json(finding.rule),
        "help": finding.help,
        "acknowledged": finding.acknowledged,
        "consequence_of": cause,
    }


def rule_json(rule: RuleRef | None) -> dict[str, Any] | None:
    """Return, for JSON, the rule that a finding is about; None for None."""
    if rule is None:
        return None
    return {"key": rule.key, "value": rule.value, "mark": rule.mark, "source": rule.source}
