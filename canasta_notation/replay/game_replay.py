"""Replaying a game: its deals are played with the engine, and each finding gets its place."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import count, takewhile
from sys import maxsize
from typing import Any

from canasta_notation.findings import Span
from canasta_notation.notation.assemble import tag_problems
from canasta_notation.notation.document import LINE_FIELDS, NOWHERE, Game, MeldsLine, Turn, is_same
from canasta_notation.replay.deal_replay import begin_deal, close_deal, play_deal
from canasta_notation.replay.deal_setup import note_next_dealer
from canasta_notation.replay.deal_state import Context, DealReplay, ReplayBudget
from canasta_notation.replay.deal_turns import replay_lines
from canasta_notation.replay.game_report import (
    DealReport,
    GameReport,
    ResultReport,
    change_findings,
)
from canasta_notation.replay.header import Header, read_header
from canasta_notation.replay.moment import Moment, Observer
from canasta_notation.replay.totals import GameSoFar
from canasta_notation.replay.unwritten import takes_unwritten
from canasta_notation.rules import Profile, profile_of


def replay_game(
    game: Game,
    number: int = 1,
    *,
    rules: str | Profile | None = None,
    observer: Observer | None = None,
) -> GameReport:
    """Replay every deal of a game and verify every action and every claim.

    `number` is the game's place in its file. `rules`, the text of a Rules tag or a profile, replace
    those that the record names. A deal is replayed up to the first line that cannot be read or the
    first violation that leaves its state unknowable. Raises ValueError for rules that do not exist.

    Findings are sorted and distinguished by their lines. So a game without text, unless it is
    verified without a finding, is replayed again with its lines numbered; the report leaves out the
    numbers.
    """
    if not game.problems:
        game = replace(game, problems=tag_problems(game, number))
    override = None if rules is None else profile_of(rules)
    report = GameReplay(game, number, override, observer).report
    if game.span != NOWHERE or (report.verdict == "verified" and not report.findings):
        return report
    return _without_places(GameReplay(_numbered(game), number, override, None).report)


def _numbered(game: Game) -> Game:
    """Return a game without text with its lines numbered in the order of the record."""
    numbers = count(1)
    tags = []
    for tag in game.tags:
        span = Span(next(numbers), 0, 0)
        tags.append(replace(tag, span=span, value_span=span))
    deals = []
    for deal in game.deals:
        span = Span(next(numbers), 0, 0)
        lines = {kind: _placed(getattr(deal, kind), numbers) for kind in LINE_FIELDS}
        deals.append(replace(deal, span=span, **lines))
    return replace(game, tags=tuple(tags), deals=tuple(deals))


def _placed(line: Any, numbers: Iterator[int]) -> Any:
    """Return a line, lines, or None with the next numbers as places."""
    match line:
        case None:
            return None
        case tuple():
            return tuple(_placed(each, numbers) for each in line)
        case Turn():
            return replace(line, line=next(numbers))
        case MeldsLine():
            groups_at = tuple((at, at) for at in range(len(line.groups)))
            return replace(line, span=Span(next(numbers), 0, 0), groups_at=groups_at)
    return replace(line, span=Span(next(numbers), 0, 0))


def _without_places(report: GameReport) -> GameReport:
    """Return the report of a game without text, without the numbers of its lines."""
    deals = tuple(
        replace(
            deal,
            line=0,
            doubts=tuple(replace(doubt, line=0) for doubt in deal.doubts),
            unchecked_from=None if deal.unchecked_from is None else 0,
        )
        for deal in report.deals
    )
    return change_findings(replace(report, deals=deals), span=NOWHERE)


class GameReplay:
    """A game replayed, deal after deal, to its `report`.

    The state before the end of its last deal is kept, so that adding a turn replays only that turn.

    `alike` is a replay of the same game, made with `keep`, by rules that differ only in points. If
    a deal begins alike in both, its play is taken from there and only the claims are judged again;
    the observer is not called for such a deal.

    `earlier` is a replay of another version of the game, by the same rules. Its deals before the
    first one that has changed, or that is the last of either version, are taken from there; the
    observer is not called for them.

    `budget` limits what all replays that share it may try.
    """

    def __init__(
        self,
        game: Game,
        number: int,
        override: Profile | None,
        observer: Observer | None,
        *,
        keep: bool = False,
        alike: GameReplay | None = None,
        earlier: GameReplay | None = None,
        budget: ReplayBudget | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.header: Header = read_header(game, number, override)
        #: Each deal as it was played, if `keep` asks for it, and those of the replay `alike`.
        self._kept: list[DealReplay] | None = [] if keep else None
        self._alike = alike._kept if alike else None
        self._context = Context(game, observer, budget or ReplayBudget())
        #: The reports of the deals before the last, and the last one as played so far.
        self._reports: list[DealReport] = []
        self._played: DealReplay | None = None
        #: Before each deal, the standing of the game, and how many turns could still be tried.
        self._starts: list[tuple[GameSoFar, int]] = []
        self.report: GameReport = self._replay(earlier)

    def with_turn(self, turn: Turn, observer: Observer | None = None) -> GameReplay | None:
        """Return the replay of the game with one more turn, or None if the whole must be replayed.

        The whole must be replayed if the last deal has no turn yet, or has lines after its play; if
        something could not be read or followed; or if the pile was taken with an unwritten discard.
        The observer is called for the table before the turn, as after the setup lines, and then for
        the turn.
        """
        played = self._played
        game = self.game
        if played is None or game.problems or game.comments or not _can_continue(played):
            return None
        deal = replace(played.deal, play=(*played.deal.play, turn))
        if takes_unwritten(deal):
            return None
        other = copy(self)
        other.game = replace(game, deals=(*game.deals[:-1], deal))
        replay = played.copy()
        replay.deal = deal
        replay.context = replace(self._context, game=other.game, observer=observer)
        other._context = replay.context
        if observer:
            observer(Moment(replay.at, replay.table))
        replay_lines(replay, len(deal.play) - 1)
        other.report = other._close(replay)
        return other

    def _replay(self, earlier: GameReplay | None) -> GameReport:
        """Return the report of the whole game."""
        profile = self.header.profile
        wrong_version = any(problem.code == "version" for problem in self.game.problems)
        stated = self.game.tag("CGN") is not None
        if profile is None or self.game.unread or (wrong_version and stated):
            return self._unreplayed()
        so_far = GameSoFar(self.header, profile, self.number)
        budget, deals = self._context.budget, self.game.deals
        same = self._same_deals(earlier) if earlier else 0
        if earlier and same:
            self._reports, self._starts = earlier._reports[:same], earlier._starts[:same]
            standing, budget.turns = earlier._starts[same]
            so_far = standing.copy()
            so_far.header = self.header
        line = deals[same - 1].span.line if same else 0
        for at, deal in enumerate(deals[same:], same):
            self._starts.append((so_far.copy(), budget.turns))
            if self._lost_between(line, deal.span.line):
                so_far.forget()
            replay = self._play(begin_deal(self._context, so_far, at, deal))
            line = deal.span.line
            if not replay.followed:
                return self._close(replay)
            self._reports.append(close_deal(replay))
            note_next_dealer(replay)
        return self._reported(so_far, ())

    def _same_deals(self, earlier: GameReplay) -> int:
        """Return how many deals are the same as in an earlier replay, and so is what they need."""
        other, game = earlier.game, self.game
        begun = self.header.profile, self.header.dealer, self.number
        if begun != (earlier.header.profile, earlier.header.dealer, earlier.number):
            return 0
        changed = min({*game.lost} ^ {*other.lost}, default=maxsize)
        # The last deal of a game is judged by what does not follow it.
        pairs = zip(game.deals[:-1], other.deals, earlier._starts[1:], strict=False)
        same = takewhile(
            lambda pair: pair[0].span.line < changed and is_same(pair[0], pair[1]), pairs
        )
        return sum(1 for _ in same)

    def _play(self, replay: DealReplay) -> DealReplay:
        """Play a deal that has begun, or take its play from the replay `alike`."""
        played = self._alike[replay.at] if self._alike else None
        unplayed = replay.sheet or replay.deal.is_final_table
        if played is not None and played.begun == replay.begun and not unplayed:
            other = played.copy()
            other.context, other.so_far = replay.context, replay.so_far
            other.rules = other.table.rules = replay.rules
            return other
        play_deal(replay)
        if self._kept is not None:
            self._kept.append(replay.copy())
        return replay

    def _close(self, replay: DealReplay) -> GameReport:
        """Keep the last deal as it was played, end it, and return the report of the game."""
        self._played = replay.copy()
        last = close_deal(replay)
        return self._reported(replay.so_far, (last,))

    def _reported(self, so_far: GameSoFar, last: tuple[DealReport, ...]) -> GameReport:
        if self._lost_between(self.game.deals[-1].span.line if self.game.deals else 0):
            so_far.forget()
        profile = so_far.rules.profile
        result, findings = so_far.result()
        found = (*self.game.problems, *self.header.findings, *findings)
        deals = (*self._reports, *last)
        names = self.game.names(profile.seats)
        return GameReport(self.number, profile.name, deals, result, found, profile.text, names)

    def _lost_between(self, line: int, end: int | None = None) -> bool:
        """Return whether there is a deal without a readable deal line between two lines."""
        return any(line < lost < (end or lost + 1) for lost in self.game.lost)

    def _unreplayed(self) -> GameReport:
        """Return the report of a game whose rules, tags or version could not be read."""
        profile, tag = self.header.profile, self.header.result_tag
        deals = tuple(
            DealReport(at + 1, deal.span.line, None, None, deal.turns, (), (), (), deal.span.line)
            for at, deal in enumerate(self.game.deals)
        )
        result = ResultReport({}, None, None, tag.value if tag else None, True)
        name, text = (profile.name, profile.text) if profile else (None, None)
        found = (*self.game.problems, *self.header.findings)
        return GameReport(self.number, name, deals, result, found, text)


def _can_continue(played: DealReplay) -> bool:
    """Return whether a deal has turns but nothing after its play, and all could be followed."""
    deal = played.deal
    closed = deal.end or deal.end_lines or deal.scores or deal.total
    return bool(deal.turns) and not (closed or deal.unread) and played.unchecked_from is None
