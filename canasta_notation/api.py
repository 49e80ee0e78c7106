"""The functions of the library; each reads, judges or writes records in one call."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal, cast, overload

from canasta_notation.batch.parts import GameStream, judge_games
from canasta_notation.fields import check_numbers
from canasta_notation.findings import Finding, Verdict
from canasta_notation.formats import HEAD, SUFFIXES, Form, form_of_text, games_as, read_json
from canasta_notation.formats import draw_count as draw_count_of
from canasta_notation.live.position import Position, walk_positions
from canasta_notation.notation.blocks import NotText, game_chunks
from canasta_notation.notation.document import Game, Tag, Tags
from canasta_notation.notation.format import Unwritable
from canasta_notation.notation.format import format_game as format_drawn
from canasta_notation.notation.json_form import JsonError
from canasta_notation.notation.reader import Reading, read_games
from canasta_notation.quoting import quoted, shortened
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport, change_findings, changing
from canasta_notation.rules import Profile, profile_of
from canasta_notation.scan.scan_state import Scan
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile, write_whole

if TYPE_CHECKING:
    from canasta_notation.analysis.analyzed import Analyses, GameAnalysis
    from canasta_notation.analysis.asked import AskedPlay
    from canasta_notation.batch.playing_out import PlayingOut
    from canasta_notation.corpus.build import CorpusTable

#: How a text begins, which distinguishes it from a path.
_TEXT: Final = ("[", ";", "{", "\ufeff")

RecordSource = str | os.PathLike[str] | IO[str] | IO[bytes]


def read(source: RecordSource) -> Iterator[Game]:
    """Yield each game of a file, given by its path, as an open file or as its text.

    A `str` is a text if it is empty, has several lines, or begins like a text (`[`, `;`, `{`); else
    it is a path. A file is read as JSON if its suffix is `.json` or `.jsonl`, as `write` and
    `canasta convert` write them, or if it begins with `{`. `Game.problems` has the errors in the
    text of a game.

    Raises OSError for a file that cannot be read, NotText for one that is not text, JsonError for
    JSON that is not a record, TypeError for another kind of source. Not checked: whether a record
    is true; see `verify`.
    """
    stream, name, close = _open(source)
    return _read(stream, name, close=close)


def verify(game: Game, *, rules: str | Profile | None = None) -> GameReport:
    """Return the report of a game: its verdict, totals, winner, findings, and deals with scores.

    Every action and every claim is checked by the rules that the game names, or by `rules`: the
    text of a Rules tag, or a profile. Every line that could not be read is a finding. `str()` of a
    finding is the line that `canasta validate` prints. Raises TypeError if `game` is not a Game,
    ValueError for rules that do not exist.
    """
    report = replay_game(_game(game), game.number, rules=rules)
    return change_findings(report, file=game.file) if game.file else report


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """One game of many: where it is, and what `verify` finds.

    `file` is its path, "" for a text, and `number` is its number there, from 1. `rules` is the
    profile's name, None if it could not be read. `deal_count` and `turn_count` are how many deals
    and turns it has. Totals are in points.
    """

    file: str
    number: int
    verdict: Verdict
    totals: dict[str, int | None]
    winner: str | None
    findings: tuple[Finding, ...]
    rules: str | None
    deal_count: int
    turn_count: int
    _tags: Tags | dict[str, str]
    _record: Game | bytes

    @property
    def tags(self) -> Tags:
        """The tags of the record; those of a game verified from its bytes are made when asked."""
        tags = self._tags
        return tags if isinstance(tags, Tags) else Tags(starmap(Tag, tags.items()))

    def read(self) -> Game:
        """Return the record of the game."""
        if isinstance(self._record, Game):
            return self._record
        (reading,) = read_games(io.BytesIO(self._record))
        return replace(reading.game, file=self.file, number=self.number)


def verify_games(
    source: RecordSource | Iterable[str | os.PathLike[str]], rules: str | Profile | None = None
) -> Iterator[CheckedGame]:
    """Yield the verdict on each game of one or several files, in their order.

    Use this for many games. A game in the canonical spelling whose every card is written is
    verified from its bytes, many times faster than with `read` and `verify`. Any other game is read
    and verified as by these, with the same answer. `source` is what `read` takes, or several paths.
    `rules` replace the records' own: the text of a Rules tag, or a profile.

    Memory is bounded by one game. Raises what `read` raises, and ValueError for rules that do not
    exist.
    """
    profile = None if rules is None else profile_of(rules)
    return (game for each in _each(source) for game in _verify_all(each, profile))


def tables(
    source: RecordSource | Iterable[str | os.PathLike[str]], *, chances: bool = False
) -> dict[str, CorpusTable]:
    """Return the tables of a corpus for the games of one or several files, in memory.

    They are those that `canasta corpus build` writes, by name (`games`, `deals`, `sides`, `turns`,
    `facts`, `melds`, `score_items`, `findings`), with the same columns. `source` is what `read`
    takes, or several paths. `chances` fills the column `missed` of turns: what each turn could have
    done and did not, which takes much longer. The extra `corpus` must be installed. Raises what
    `read` raises.
    """
    from canasta_notation.corpus.build import in_memory

    found = (game for each in _each(source) for game in _found(each, fast=not chances))
    return in_memory(found, chances=chances)


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
    from canasta_notation.analysis.analyzed import analyses_of

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
    return [*map(_game, games)]


def _plays(
    deal: int | None, turn: int | None, plays: Sequence[str], rollouts: object
) -> list[AskedPlay]:
    """Return the plays that are asked for. Raises ValueError, and TypeError for a single text."""
    from canasta_notation.analysis.asked import MOST_PLAYS, read_play

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
        from canasta_notation.analysis.values import wrong_rollouts

        if self.rollouts == "auto":
            return None
        wrong = wrong_rollouts(self.rollouts)
        if wrong:
            raise ValueError(f"rollouts must be {wrong}")
        return self.rollouts

    def check(self, game: Game) -> None:
        """Raise LookupError if a game does not have the deal or the turn."""
        deals = _game(game).deals
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
        from canasta_notation.analysis.analyzed import analyze_game

        number = self.number
        found = [
            analyze_game(game, game.number, self.profile, self.deal, seed=self.seed)
            for game in games
        ]
        if number == 0:
            return found
        if self.turn is not None:
            return [self._of_turn(*each, number) for each in zip(games, found, strict=True)]
        from canasta_notation.batch.playing_out import PlayingOut

        turns = sum(each.facts.replayed for analysis in found for each in analysis.deals)
        meter = _Meter(turns, progress)
        folder = None if cache is None else Path(cache)
        work = PlayingOut(number, self.seed, self.profile, jobs, folder, meter.tick)
        return [_valued(*each, work, meter) for each in zip(games, found, strict=True)]

    def _of_turn(self, game: Game, analysis: GameAnalysis, number: int | None) -> GameAnalysis:
        """Return an analysis with the values of the turn. Raises ValueError."""
        from canasta_notation.analysis.judging import DealToJudge, turn_values

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
            raise Cancelled(f"cancelled after {self.done} of {self.total} turns")


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


def format_game(game: Game, draw_count: int | None = None) -> str:
    """Return the canonical text of a game, ending in a newline.

    The first `draw_count` cards of a draw are one word; by default, the game's rules say how many.
    Lines that could not be read are left out. Raises TypeError if `game` is not a Game; ValueError
    for a line of more than 64 KiB or a game of more than 8 MiB, which no reader accepts.
    """
    return format_drawn(_game(game), draw_count_of(game) if draw_count is None else draw_count)


def write(games: Iterable[Game] | Game, path: str | os.PathLike[str]) -> None:
    """Write games to a file: text, or JSON if its suffix is `.json` or `.jsonl`.

    The file is written whole or not at all. Raises ValueError for a game with lines that could not
    be read, for one that would merge with the game before it, for one that would not be read again
    (too long, or as text without a tag and a deal), and for a `.csv` file, because CSV holds only
    scores; TypeError for anything but games; OSError if the file cannot be written.
    """
    if Path(path).suffix.lower() == ".csv":
        raise ValueError(
            f"{shortened(str(path))}: a game is not written as .csv; "
            "`canasta convert` writes scores"
        )
    form = SUFFIXES.get(Path(path).suffix.lower(), "canasta")
    if not isinstance(games, Game | Iterable):
        raise TypeError(f"write takes a Game or several, not {quoted(games)}")
    whole = _readable([games] if isinstance(games, Game) else games)
    try:
        write_whole(Path(path), (piece.encode() for piece in games_as(form, whole)))
    except Unwritable:
        raise
    except BadFile as error:
        raise OSError(str(error)) from error


def positions(game: Game) -> Iterator[Position]:
    """Yield the table of each deal as it was dealt, and then after each action.

    A deal has positions up to the first line that cannot be checked; a game whose rules cannot be
    read has none. Raises TypeError if `game` is not a Game.
    """
    return walk_positions(_game(game))


def _game(game: Game) -> Game:
    """Return the game. Raises TypeError if it is not one."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {quoted(game)}")
    return game


# --- many games ---------------------------------------------------------------------------------


def _each(source: RecordSource | Iterable[str | os.PathLike[str]]) -> Iterable[RecordSource]:
    """Return the sources: several paths, or one."""
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        return [cast(RecordSource, source)]
    if not isinstance(source, Iterable) or isinstance(source, bytes):
        raise TypeError(f"a path or several, an open file or a string, not {quoted(source)}")
    return source


def _verify_all(source: RecordSource, rules: Profile | None) -> Iterator[CheckedGame]:
    with _opened(source) as (stream, name):
        if _form(stream, name) != "canasta":
            for game in _read(stream, name):
                report = replay_game(game, game.number, rules=rules)
                yield _checked(report, game, name)
            return
        for outcome in judge_games(stream, override=rules):
            if isinstance(outcome.report, VerifiedGame):
                yield _verified(outcome.report, outcome.text, name)
            elif outcome.reading is not None:
                yield _checked(outcome.report, outcome.reading.game, name)


def _checked(report: GameReport, game: Game, name: str) -> CheckedGame:
    if name:
        report = change_findings(report, file=name)
        game = replace(game, file=name)
    return CheckedGame(
        name, report.game, report.verdict, report.totals, report.winner, report.findings,
        report.rules, len(report.deals), report.turns, Tags(game.tags), game,
    )  # fmt: skip


def _verified(game: VerifiedGame, text: bytes, name: str) -> CheckedGame:
    sides = game.profile.side_names
    winner = sides[game.winner] if game.winner >= 0 else None
    return CheckedGame(
        name, game.game, "verified", dict(zip(sides, game.totals, strict=True)), winner, (),
        game.rules, game.deals, game.turns, game.tags, text,
    )  # fmt: skip


def _found(
    source: RecordSource, *, fast: bool
) -> Iterator[tuple[str, VerifiedGame | Reading, int]]:
    """Yield each game of a source with its file and its number there, for the tables."""
    with _opened(source) as (stream, name):
        if _form(stream, name) != "canasta":
            stream = _in_memory("".join(games_as("canasta", _read(stream, name))))
        games = GameStream(Scan(None, rows=True) if fast else None)
        for found in games.games_of(game_chunks(stream), checked=True):
            yield name, found, games.games


# --- reading ------------------------------------------------------------------------------------


def _open(source: RecordSource) -> tuple[io.BufferedReader, str, bool]:
    """Return a source as a stream of bytes, its name ("" if none), and whether to close it."""
    if isinstance(source, str) and (not source or "\n" in source or source.startswith(_TEXT)):
        return _in_memory(source), "", False
    if isinstance(source, str | os.PathLike):
        try:
            return Path(source).open("rb"), str(Path(source)), True
        except OSError as error:
            error.filename = shortened(str(source))
            raise
    if not hasattr(source, "read"):
        raise TypeError(f"a path, an open file or a string is needed, not {quoted(source)}")
    name = getattr(source, "name", "")
    return _buffered(source), name if isinstance(name, str) else "", False


@contextmanager
def _opened(source: RecordSource) -> Iterator[tuple[io.BufferedReader, str]]:
    stream, name, close = _open(source)
    with stream if close else nullcontext():
        yield stream, name


def _buffered(source: IO[str] | IO[bytes]) -> io.BufferedReader:
    """Return an open file as a stream of bytes that allows looking ahead."""
    if isinstance(source, io.BufferedReader):
        return source
    data = source.read()
    return _in_memory(data if isinstance(data, str) else bytes(data))


def _in_memory(data: str | bytes) -> io.BufferedReader:
    held = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return io.BufferedReader(io.BytesIO(held))


def _read(stream: io.BufferedReader, name: str, *, close: bool = False) -> Iterator[Game]:
    with stream if close else nullcontext():
        form = _form(stream, name)
        if form != "canasta":
            for number, game in enumerate(read_json(stream, form, _at_line), 1):
                yield replace(game, file=name, number=number)
        else:
            for reading in read_games(stream):
                problems = tuple(map(changing(file=name), reading.problems))
                yield replace(reading.game, file=name, problems=problems)


def _form(stream: io.BufferedReader, name: str) -> Form:
    form = SUFFIXES.get(Path(name).suffix.lower(), "canasta")
    return form_of_text(stream.peek(HEAD)[:HEAD]) if form == "canasta" else form


def _at_line(number: int, error: JsonError | NotText) -> ValueError:
    """Return the JSON error with its line, if there are several values."""
    if not number:
        return error
    if isinstance(error, JsonError):
        return JsonError(f"line {number}: {error.path}", error.message)
    return NotText(f"line {number}: {error}")


# --- writing ------------------------------------------------------------------------------------


def _readable(games: Iterable[Game]) -> Iterator[Game]:
    """Yield the games unchanged. Raises ValueError for a game that would lose lines."""
    for game in map(_game, games):
        unread = [each for each in game.problems if each.code == "syntax"]
        if unread:
            raise ValueError(f"a game with a line that could not be read: {unread[0]}")
        yield game
