"""Replaying a game: its deals are played with the engine, and each finding gets its place."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile
from sys import maxsize
from typing import Any, Final

from canasta_notation.findings import Span
from canasta_notation.names import names_in, seatings
from canasta_notation.notation.assemble import tag_problems
from canasta_notation.notation.document import (
    LINE_FIELDS,
    NOWHERE,
    VOID,
    Deal,
    Game,
    MeldsLine,
    Tags,
    Turn,
    is_same,
)
from canasta_notation.replay.deal_replay import begin_deal, close_deal, replay_deal
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

#: The beginnings of the names of rules that do not matter to the play.
_POINTS: Final = ("score.", "target")


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
    return replace(game, tags=Tags(tags), deals=tuple(deals))


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


@dataclass(frozen=True, slots=True)
class _Kept:
    """A deal for later replays: the standing before it, the deal as played, and its report.

    `tries` and `left` are how many turns could still be tried before and after its play.
    """

    before: GameSoFar
    tries: int
    played: DealReplay
    left: int
    report: DealReport


class GameReplay:
    """A game replayed, deal after deal, to its `report`.

    With `keep`, later replays can reuse what they share with this one, their `earlier`:

    * the first deals, up to one that has changed or that is the last of either game, if the rules
      are the same;
    * the play of any other deal that has not changed and begins in the same way, if the rules
    differ only in points; its claims are judged again;
    * the play so far of a last deal that now has more lines.

    The observer is not called for what is reused. If a deal is continued, it is called for the
    table so far, as after the setup lines, and then for the further lines.

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
        earlier: GameReplay | None = None,
        budget: ReplayBudget | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.header: Header = read_header(game, number, override)
        first = {deal.number: at for at, deal in reversed([*enumerate(game.deals)])}
        tries = budget or ReplayBudget()
        self._context = Context(game, observer, tries, first, sorted(game.lost))
        #: The reports of the deals so far, and the deals for later replays if they are kept.
        self._reports: list[DealReport] = []
        self._kept: list[_Kept] | None = [] if keep else None
        self.report: GameReport = self._replay(earlier)

    def _replay(self, earlier: GameReplay | None) -> GameReport:
        """Return the report of the whole game."""
        profile = self.header.profile
        wrong_version = any(problem.code == "version" for problem in self.game.problems)
        stated = self.game.tag("CGN") is not None
        if profile is None or self.game.unread or (wrong_version and stated):
            return self._unreplayed()
        so_far = GameSoFar(self.header, profile, self.number)
        kept = self._shared(earlier, profile)
        same = self._same_deals(earlier, kept) if earlier else 0
        if same:
            so_far = self._take(kept, same)
        for at in range(same, len(self.game.deals)):
            self._add_deal(so_far, at, kept[at] if at < len(kept) else None)
        return self._reported(so_far)

    def _shared(self, earlier: GameReplay | None, profile: Profile) -> Sequence[_Kept]:
        """Return the deals of an earlier replay if this one may take their play."""
        if earlier is None or not earlier._kept or earlier.header.profile is None:
            return ()
        shared = earlier.number == self.number and plays_alike(earlier.header.profile, profile)
        return earlier._kept if shared else ()

    def _same_deals(self, earlier: GameReplay, kept: Sequence[_Kept]) -> int:
        """Return how many deals are the same as in an earlier replay, and so is what they need."""
        other, game = earlier.game, self.game
        if (self.header.profile, self.header.dealer) != (
            earlier.header.profile,
            earlier.header.dealer,
        ):
            return 0
        changed = min({*game.lost} ^ {*other.lost}, default=maxsize)
        # The judgement of the last deal depends on nothing following it.
        pairs = zip(game.deals[:-1], other.deals, kept[1:], strict=False)
        same = takewhile(
            lambda pair: pair[0].span.line < changed and is_same(pair[0], pair[1]), pairs
        )
        return sum(1 for _ in same)

    def _take(self, kept: Sequence[_Kept], same: int) -> GameSoFar:
        """Take the first deals from an earlier replay; return the standing after them."""
        self._reports += [deal.report for deal in kept[:same]]
        if self._kept is not None:
            self._kept += kept[:same]
        self._context.budget.turns = kept[same].tries
        so_far = kept[same].before.copy()
        so_far.header = self.header
        return so_far

    def _add_deal(self, so_far: GameSoFar, at: int, kept: _Kept | None) -> None:
        """Replay a deal and let `so_far` be the standing after it; `kept` is an earlier replay."""
        deals, tries = self.game.deals, self._context.budget.turns
        before = so_far.copy() if self._kept is not None else so_far
        if self._lost_between(deals[at - 1].span.line if at else 0, deals[at].span.line):
            so_far.forget()
        replay = self._play(begin_deal(self._context, so_far, at, deals[at]), kept)
        played = replay.copy() if self._kept is not None else replay
        left = self._context.budget.turns
        self._reports.append(close_deal(replay))
        so_far.played += replay.uncounted != VOID
        if replay.followed:
            note_next_dealer(replay)
        if self._kept is not None:
            self._kept.append(_Kept(before, tries, played, left, self._reports[-1]))

    def _play(self, begun: DealReplay, kept: _Kept | None) -> DealReplay:
        """Play a deal that has begun, or take its play, or the play so far, from an earlier one."""
        done = self._in_common(begun, kept) if kept else None
        if kept is None or done is None:
            replay_deal(begun)
            return begun
        replay = kept.played.copy()
        replay.context, replay.so_far, replay.deal = begun.context, begun.so_far, begun.deal
        replay.rules = replay.table.rules = begun.rules
        self._context.budget.turns = min(kept.left, self._context.budget.turns)
        if done < len(replay.deal.play):
            if replay.context.observer:
                replay.context.observer(Moment(replay.at + 1, replay.table))
            replay_lines(replay, done)
        return replay

    def _in_common(self, begun: DealReplay, kept: _Kept) -> int | None:
        """Return how many lines of a deal's play an earlier replay has played.

        Return None if the play cannot be reused.
        """
        played, profile = kept.played, begun.rules.profile
        unplayed = begun.sheet or played.sheet or begun.deal.is_final_table
        if unplayed or played.begun != begun.begun:
            return None
        stated = (finding.rule for finding in played.findings)
        if any(rule and rule != profile.ref(rule.key) for rule in stated):
            return None
        shared = played.context.budget is self._context.budget
        if not shared and kept.tries != self._context.budget.turns:
            return None
        return _lines_in_common(begun.deal, played)

    def _reported(self, so_far: GameSoFar) -> GameReport:
        if self._lost_between(self.game.deals[-1].span.line if self.game.deals else 0):
            so_far.forget()
        profile = so_far.rules.profile
        result, findings = so_far.result()
        found = (*self.game.problems, *self.header.findings, *findings)
        tags = {tag.name: tag.value for tag in reversed(self.game.tags)}
        return GameReport(
            self.number,
            profile.name,
            tuple(self._reports),
            result,
            found,
            profile.text,
            names_in(tags, profile.seats),
            seatings(tags, profile.seats),
        )

    def _lost_between(self, line: int, end: int | None = None) -> bool:
        """Return whether there is a deal without a readable deal line between two lines."""
        lost = self._context.lost
        at = bisect(lost, line)
        return at < len(lost) and (end is None or lost[at] < end)

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


def _lines_in_common(deal: Deal, played: DealReplay) -> int | None:
    """Return how many lines of its play a deal has in common with one that was played.

    These are all lines if it is the same deal. A deal with more lines can be continued if it had
    turns and nothing after its play, all could be followed, and no pile is taken with an unwritten
    discard; otherwise, this returns None.
    """
    old = played.deal
    if is_same(deal, old):
        return len(deal.play)
    closed = deal.end or deal.end_lines or deal.scores or deal.total or deal.unread
    if closed or not old.turns or played.unchecked_from is not None or takes_unwritten(deal):
        return None
    done = len(old.play)
    return done if is_same(replace(deal, play=deal.play[:done]), old) else None


def plays_alike(one: Profile, other: Profile) -> bool:
    """Return whether two profiles differ only in points, so that they allow the same play."""
    return one == other or _rules_of_play(one) == _rules_of_play(other)


def _rules_of_play(profile: Profile) -> list[object]:
    """Return the rules on which play depends, with what it needs of the rules about points."""
    asked = (
        profile["score.concealed_needs"],
        bool(profile["score.concealed_canasta"]),
        profile["score.cards"],
    )
    return [*asked, *(profile[key] for key in profile.values if not key.startswith(_POINTS))]
