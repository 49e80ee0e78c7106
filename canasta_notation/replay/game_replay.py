"""Replay: drives the engine through a document and locates what it finds."""

from __future__ import annotations

from canasta_notation.engine.rules import rules_of
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game
from canasta_notation.replay.deal_replay import Context, Due, Observer, deal_numbers
from canasta_notation.replay.deal_report import begin_deal, report_deal
from canasta_notation.replay.game_report import DealReport, GameReport, ResultReport
from canasta_notation.replay.header import Header, read_header
from canasta_notation.replay.order import next_due
from canasta_notation.replay.totals import Standing
from canasta_notation.rules import Profile


def replay_game(
    game: Game,
    number: int = 1,
    *,
    problems: tuple[Finding, ...] = (),
    override: Profile | None = None,
    observer: Observer | None = None,
) -> GameReport:
    """Replay every deal of a game and verify every action and every claim.

    `number` is the game's place in its file, `problems` what its reader found if the game does not
    bring it along; `override` replaces the rules that the record names. A deal is replayed up to
    the first line that cannot be read or the first violation that leaves its state unknowable.
    """
    return GameReplay(game, number, problems, override, observer).report()


class GameReplay:
    """One game being replayed, deal after deal."""

    def __init__(
        self,
        game: Game,
        number: int,
        problems: tuple[Finding, ...],
        override: Profile | None,
        observer: Observer | None,
    ) -> None:
        self.game = game
        self.number = number
        self.problems = problems or game.problems
        self.header: Header = read_header(game, number, override)
        self.observer = observer

    def report(self) -> GameReport:
        """Return the report of the whole game."""
        profile = self.header.profile
        early = (*self.problems, *self.header.findings)
        wrong_version = any(problem.code == "version" for problem in self.problems)
        stated = self.game.tag("CGN") is not None
        deals = self.game.deals
        if profile is None or self.game.unread or (wrong_version and stated):
            return self._unreplayed(profile, early)
        rules = rules_of(profile)
        standing = Standing(profile, rules, self.number)
        target = self.header.false_target
        doubted = () if target is None else ((("target",), target),)
        numbers = deal_numbers(self.game)
        context = Context(self.game, self.number, profile, rules, self.observer, numbers, doubted)
        due = Due(rules.seats.index(self.header.dealer) if self.header.dealer else -1)
        reports = []
        line = 0
        for at, deal in enumerate(deals):
            if self._lost_between(line, deal.span.line):
                standing.forget()
                due = due.lost()
            replay = begin_deal(context, standing, at, deal, due)
            reports.append(report_deal(replay))
            due = next_due(replay)
            line = deal.span.line
        if self._lost_between(line):
            standing.forget()
        result, findings = standing.result(self.header)
        found = (*early, *findings)
        return GameReport(self.number, profile.name, tuple(reports), result, found, profile.text)

    def _lost_between(self, line: int, end: int | None = None) -> bool:
        """Return whether a deal whose own line is lost lies between two lines."""
        return any(line < lost < (end or lost + 1) for lost in self.game.lost)

    def _unreplayed(self, profile: Profile | None, early: tuple[Finding, ...]) -> GameReport:
        """Return a report of deals that could not be replayed: rules, tags or version unread."""
        deals = tuple(
            DealReport(at + 1, deal.span.line, None, None, deal.turns, (), (), (), deal.span.line)
            for at, deal in enumerate(self.game.deals)
        )
        tag = self.header.result_tag
        result = ResultReport({}, None, None, tag.value if tag else None, True)
        name, text = (profile.name, profile.text) if profile else (None, None)
        return GameReport(self.number, name, deals, result, early, text)
