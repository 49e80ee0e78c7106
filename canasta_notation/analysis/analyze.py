"""`analyze`: what games say about the play of their players, in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, overload

from canasta_notation.analysis.analyzed import Analyses, GameAnalysis, analyses_of, analyze_game
from canasta_notation.analysis.asked import MOST_PLAYS, AskedPlay, read_play
from canasta_notation.analysis.judging import DealToJudge, turn_values
from canasta_notation.analysis.playing_out import PlayingOut
from canasta_notation.analysis.values import wrong_rollouts
from canasta_notation.api import checked_game
from canasta_notation.english import count
from canasta_notation.fields import check_numbers
from canasta_notation.notation.document import Game
from canasta_notation.quoting import quoted
from canasta_notation.rules import Profile, profile_of


@overload
def analyze(
    games: Game,
    *,
    game: int | None = None,
    deal: int | None = None,
    turn: int | None = None,
    plays: Sequence[str] = (),
    rules: str | Profile | None = None,
    rollouts: int | Literal["auto"] = 0,
    seed: int = 0,
    jobs: int = 1,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> GameAnalysis: ...


@overload
def analyze(
    games: Iterable[Game],
    *,
    game: int | None = None,
    deal: int | None = None,
    turn: int | None = None,
    plays: Sequence[str] = (),
    rules: str | Profile | None = None,
    rollouts: int | Literal["auto"] = 0,
    seed: int = 0,
    jobs: int = 1,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Analyses: ...


def analyze(
    games: Game | Iterable[Game],
    *,
    game: int | None = None,
    deal: int | None = None,
    turn: int | None = None,
    plays: Sequence[str] = (),
    rules: str | Profile | None = None,
    rollouts: int | Literal["auto"] = 0,
    seed: int = 0,
    jobs: int = 1,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> GameAnalysis | Analyses:
    """Return what games say about the play of their players: facts, chances not used, and risks.

    Facts and chances are exact; a risk is counted or estimated, as its error says. A figure that
    does not follow from the record is None. A `Game` gives a `GameAnalysis`, several give
    `Analyses`, with the players' figures over all. `to_json()` of `Analyses` is what `canasta
    analyze --json` prints; that of a `GameAnalysis` is one of the games in it. A game with errors
    is analyzed as far as it can be replayed. `rules`, the text of a Rules tag or a profile, replace
    those that the games name.

    With `game`, `deal` and `turn` (from 1), only this game of each file, this deal and this turn
    are analyzed. With `rollouts`, each deal also has `values`: estimates from this number of
    play-outs of each decision and position; with "auto", the program chooses the number. The same
    `seed` gives the same figures with any number of `jobs`, the processes (0: one per CPU). With
    `turn`, only that turn is judged, and up to ten `plays`, spelled as in a record, are compared
    with what was played: "K:KsKhKd -4s" is what follows the draw, one that begins with + or ^ the
    whole turn.

    `cache` is a folder where the values of deals are kept and found again. `progress(done, total)`
    is called repeatedly with the number of turns; if it returns False, the work ends with
    `Cancelled`, and finished deals stay in the cache. Neither is used with `turn`.

    Raises TypeError for anything but games and numbers; LookupError if there is no such game, deal
    or turn; ValueError for rules that do not exist, for `rollouts` that are not 0, "auto" or an
    even number from 20 to 1,000,000, for negative `jobs`, for `turn` without `deal` or `plays`
    without `turn` and `rollouts`, and for a play that cannot be compared, with the reason.
    """
    check_numbers(game=game, deal=deal, turn=turn, seed=seed, jobs=jobs)
    if jobs < 0:
        raise ValueError(f"jobs must be 0 (one per CPU) or more, not {quoted(jobs)}")
    one = isinstance(games, Game)
    found = [games] if isinstance(games, Game) else _games(games)
    if game is not None:
        numbers = [each.number for each in found]
        found = [each for each in found if each.number == game]
        if not found:
            raise LookupError(f"no game {quoted(game)}; the last is {max(numbers, default=0)}")
    profile = None if rules is None else profile_of(rules)
    valuing = _Valuing(deal, turn, _plays(deal, turn, plays, rollouts), rollouts, seed, profile)
    for each in found:
        valuing.check(each)
    analyses = valuing.analyses(found, jobs, cache, progress)
    return analyses[0] if one else analyses_of(analyses)


class Cancelled(Exception):
    """Long work that `progress` ended by returning False."""


def _games(games: object) -> list[Game]:
    """Return games as a list. Raises TypeError."""
    if isinstance(games, str | bytes) or not isinstance(games, Iterable):
        raise TypeError(f"a Game or several are needed, as read() yields them, not {quoted(games)}")
    return [*map(checked_game, games)]


def _plays(
    deal: int | None, turn: int | None, plays: Sequence[str], rollouts: object
) -> list[AskedPlay]:
    """Return the plays that are asked for. Raises ValueError, and TypeError for a single text."""
    if isinstance(plays, str):
        raise TypeError("plays must be a list of plays, not one text")
    if turn is not None and deal is None:
        raise ValueError("turn: name the deal too")
    if plays and turn is None:
        raise ValueError("plays: name the turn too")
    if plays and rollouts == 0:
        raise ValueError('plays are compared by play-outs: give rollouts, such as "auto"')
    if len(plays) > MOST_PLAYS:
        raise ValueError(f"plays: at most {MOST_PLAYS}, not {len(plays)}")
    found = []
    for play in plays:
        try:
            found.append(read_play(play))
        except ValueError as why:
            raise ValueError(f"plays: {quoted(play)}: {why}") from None
    return found


@dataclass(frozen=True, slots=True)
class _Valuing:
    """How games are analyzed and their deals played out; the fields are arguments of `analyze`."""

    deal: int | None
    turn: int | None
    plays: Sequence[AskedPlay]
    rollouts: int | Literal["auto"]
    seed: int
    profile: Profile | None

    @property
    def number(self) -> int | None:
        """The number of play-outs, None for two stages. Raises ValueError."""
        if self.rollouts == "auto":
            return None
        wrong = wrong_rollouts(self.rollouts)
        if wrong:
            raise ValueError(f"rollouts must be {wrong}")
        return self.rollouts

    def check(self, game: Game) -> None:
        """Raise LookupError if a game does not have the deal or the turn."""
        deals = checked_game(game).deals
        if self.deal is None:
            return
        if not 1 <= self.deal <= len(deals):
            raise LookupError(f"no deal {quoted(self.deal)}; the game has {len(deals)}")
        turns = deals[self.deal - 1].turns
        if self.turn is not None and not 1 <= self.turn <= turns:
            raise LookupError(f"no turn {quoted(self.turn)}; the deal has {turns}")

    def analyses(
        self,
        games: Sequence[Game],
        jobs: int,
        cache: str | os.PathLike[str] | None,
        progress: Callable[[int, int], object] | None,
    ) -> list[GameAnalysis]:
        """Return the analyses of games. Raises ValueError, and Cancelled."""
        number = self.number
        found = [
            analyze_game(game, game.number, self.profile, self.deal, seed=self.seed)
            for game in games
        ]
        if number == 0:
            return found
        if self.turn is not None:
            return [self._of_turn(*each, number) for each in zip(games, found, strict=True)]
        turns = sum(each.facts.replayed for analysis in found for each in analysis.deals)
        meter = _Meter(turns, progress)
        folder = None if cache is None else Path(cache)
        work = PlayingOut(number, self.seed, self.profile, jobs, folder, meter.tick)
        return [_valued(*each, work, meter) for each in zip(games, found, strict=True)]

    def _of_turn(self, game: Game, analysis: GameAnalysis, number: int | None) -> GameAnalysis:
        """Return an analysis with the values of the turn. Raises ValueError."""
        if self.deal is None or self.turn is None or analysis.rules is None:
            if self.plays:
                raise ValueError("plays: the rules of the game cannot be read")
            return analysis
        asked = DealToJudge(game, game.number, self.deal, number, self.seed, self.profile)
        values = turn_values(asked, self.turn, self.plays)
        if values.refused:
            raise ValueError(f"plays: {'; '.join(values.refused)}")
        return analysis.with_values({self.deal: values.values}, self.turn)


@dataclass(slots=True)
class _Meter:
    """How much of long work is done, for the caller's `progress`."""

    total: int
    progress: Callable[[int, int], object] | None
    done: int = 0

    def tick(self, size: int = 0) -> None:
        """Add to what is done. Raises Cancelled if the caller asks to stop."""
        self.done += size
        if self.progress is not None and self.progress(self.done, self.total) is False:
            raise Cancelled(f"cancelled after {self.done} of {count(self.total, 'turn')}")


def _valued(game: Game, analysis: GameAnalysis, work: PlayingOut, meter: _Meter) -> GameAnalysis:
    """Return an analysis with the values of its deals; finished deals are kept."""
    turns = {each.facts.deal: each.facts.replayed for each in analysis.deals}
    found = {deal: work.kept(game, deal) for deal in analysis.played}
    meter.tick(sum(turns[deal] for deal, values in found.items() if values))
    due = [deal for deal, values in found.items() if values is None]
    for deal, values in work.played_out(game, game.number, due):
        found[deal] = values
        meter.tick(turns[deal])
    return analysis.with_values({deal: each for deal, each in found.items() if each})
