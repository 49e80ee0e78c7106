"""The functions of the library; each reads, judges or writes records in one call."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import IO, Final, cast

from canasta_notation.batch.parts import judge_games
from canasta_notation.findings import Finding, Verdict
from canasta_notation.formats import HEAD, SUFFIXES, Form, form_of_text, games_as, read_json
from canasta_notation.formats import draw_count as draw_count_of
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game, Tag, Tags
from canasta_notation.notation.format import Unwritable
from canasta_notation.notation.format import format_game as format_drawn
from canasta_notation.notation.json_form import JsonError
from canasta_notation.notation.reader import read_games
from canasta_notation.quoting import quoted, shortened
from canasta_notation.render.position import Position, walk_positions
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport, change_findings, changing
from canasta_notation.rules import Profile, profile_of
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile, write_whole

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
    return games_of(stream, name, close=close)


def verify(game: Game, *, rules: str | Profile | None = None) -> GameReport:
    """Return the report of a game: its verdict, totals, winner, findings, and deals with scores.

    Every action and every claim is checked by the rules that the game names, or by `rules`: the
    text of a Rules tag, or a profile. Every line that could not be read is a finding. `str()` of a
    finding is the line that `canasta validate` prints. Raises TypeError if `game` is not a Game,
    ValueError for rules that do not exist.
    """
    report = replay_game(checked_game(game), game.number, rules=rules)
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
    return (game for each in sources_of(source) for game in _verify_all(each, profile))


def format_game(game: Game, draw_count: int | None = None) -> str:
    """Return the canonical text of a game, ending in a newline.

    The first `draw_count` cards of a draw are one word; by default, the game's rules say how many.
    Lines that could not be read are left out. Raises TypeError if `game` is not a Game; ValueError
    for a line of more than 64 KiB or a game of more than 8 MiB, which no reader accepts.
    """
    return format_drawn(
        checked_game(game), draw_count_of(game) if draw_count is None else draw_count
    )


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
    return walk_positions(checked_game(game))


def checked_game(game: Game) -> Game:
    """Return the game. Raises TypeError if it is not one."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {quoted(game)}")
    return game


# --- many games ---------------------------------------------------------------------------------


def sources_of(source: RecordSource | Iterable[str | os.PathLike[str]]) -> Iterable[RecordSource]:
    """Return the sources: several paths, or one."""
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        return [cast(RecordSource, source)]
    if not isinstance(source, Iterable) or isinstance(source, bytes):
        raise TypeError(f"a path or several, an open file or a string, not {quoted(source)}")
    return source


def _verify_all(source: RecordSource, rules: Profile | None) -> Iterator[CheckedGame]:
    with opened(source) as (stream, name):
        if form_of(stream, name) != "canasta":
            for game in games_of(stream, name):
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


# --- reading ------------------------------------------------------------------------------------


def _open(source: RecordSource) -> tuple[io.BufferedReader, str, bool]:
    """Return a source as a stream of bytes, its name ("" if none), and whether to close it."""
    if isinstance(source, str) and (not source or "\n" in source or source.startswith(_TEXT)):
        return in_memory_stream(source), "", False
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
def opened(source: RecordSource) -> Iterator[tuple[io.BufferedReader, str]]:
    stream, name, close = _open(source)
    with stream if close else nullcontext():
        yield stream, name


def _buffered(source: IO[str] | IO[bytes]) -> io.BufferedReader:
    """Return an open file as a stream of bytes that allows looking ahead."""
    if isinstance(source, io.BufferedReader):
        return source
    data = source.read()
    return in_memory_stream(data if isinstance(data, str) else bytes(data))


def in_memory_stream(data: str | bytes) -> io.BufferedReader:
    held = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return io.BufferedReader(io.BytesIO(held))


def games_of(stream: io.BufferedReader, name: str, *, close: bool = False) -> Iterator[Game]:
    with stream if close else nullcontext():
        form = form_of(stream, name)
        if form != "canasta":
            for number, game in enumerate(read_json(stream, form, _at_line), 1):
                yield replace(game, file=name, number=number)
        else:
            for reading in read_games(stream):
                problems = tuple(map(changing(file=name), reading.problems))
                yield replace(reading.game, file=name, problems=problems)


def form_of(stream: io.BufferedReader, name: str) -> Form:
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
    for game in map(checked_game, games):
        unread = [each for each in game.problems if each.code == "syntax"]
        if unread:
            raise ValueError(f"a game with a line that could not be read: {unread[0]}")
        yield game
