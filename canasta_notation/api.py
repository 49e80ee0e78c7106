"""The functions of the library; each reads, judges or writes records in one call."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, Final, Literal

from canasta_notation.analysis.analyzed import GameAnalysis, analyze_game
from canasta_notation.analysis.values import deal_values
from canasta_notation.formats import HEAD, SUFFIXES, form_of_text, games_as, read_json
from canasta_notation.formats import draw_count as draw_count_of
from canasta_notation.live.position import Position, walk_positions
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import Unreadable
from canasta_notation.notation.format import format_game as format_drawn
from canasta_notation.notation.json_form import JsonError
from canasta_notation.notation.reader import read_games
from canasta_notation.quoting import quoted, shortened
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport, change_findings, changing
from canasta_notation.storage import BadFile, write_whole

#: How a text begins, which distinguishes it from a path.
_TEXT: Final = ("[", ";", "{", "\ufeff")

Source = str | os.PathLike[str] | IO[str] | IO[bytes]


def read(source: Source) -> Iterator[Game]:
    """Yield each game of a file, given by its path, as an open file or as its text.

    A `str` is a text if it is empty, has several lines, or begins like a text (`[`, `;`, `{`); else
    it is a path. A file is read as JSON if its suffix is `.json` or `.jsonl`, as `write` and
    `canasta convert` write them, or if it begins with `{`. `Game.problems` has the errors in the
    text of a game.

    Raises OSError for a file that cannot be read, NotText for one that is not text, JsonError for
    JSON that is not a record, TypeError for another kind of source. Not checked: whether a record
    is true; see `verify`.
    """
    if isinstance(source, str) and (not source or "\n" in source or source.startswith(_TEXT)):
        return _read(_in_memory(source), "")
    if isinstance(source, str | os.PathLike):
        return _read_path(Path(source))
    if not hasattr(source, "read"):
        raise TypeError(f"read takes a path, an open file or a string, not {quoted(source)}")
    name = getattr(source, "name", "")
    return _read(_buffered(source), name if isinstance(name, str) else "")


def verify(game: Game) -> GameReport:
    """Return the report of a game: its verdict, totals, winner, findings, and deals with scores.

    Every action and every claim is checked by the rules that the game names. Every line that could
    not be read is a finding. `str()` of a finding is the line that `canasta validate` prints.
    Raises TypeError if `game` is not a Game.
    """
    report = replay_game(_game(game), game.number)
    return change_findings(report, file=game.file) if game.file else report


def analyze(game: Game, rollouts: int | Literal["auto"] = 0, *, seed: int = 0) -> GameAnalysis:
    """Return what a game says about the play of its players: facts, and chances not used.

    These figures are exact; one that the record does not tell is None. With `rollouts`, each deal
    also has `values`, which are estimates by so many play-outs of each decision and position;
    "auto" plays out as many as it needs. The same `seed` gives the same figures. A game with errors
    is analyzed as far as it can be replayed. `to_json()` of the analysis is what `canasta analyze
    --json` prints for the game. Raises TypeError if `game` is not a Game, and ValueError if
    `rollouts` is neither "auto" nor a number from 0.
    """
    analysis = analyze_game(_game(game), game.number)
    if rollouts == 0:
        return analysis
    if rollouts != "auto" and (not isinstance(rollouts, int) or rollouts < 0):
        raise ValueError(f'rollouts must be "auto" or a number from 0, not {quoted(rollouts)}')
    number = None if rollouts == "auto" else rollouts
    return analysis.with_values(
        {deal: deal_values(game, game.number, deal, number, seed) for deal in analysis.played}
    )


def format_game(game: Game, draw_count: int | None = None) -> str:
    """Return the canonical text of a game, ending in a newline.

    The first `draw_count` cards of a draw are one word; by default, the game's rules say how many.
    Lines that could not be read are left out. Raises TypeError if `game` is not a Game; ValueError
    for a line of more than 64 KiB or a game of 8 MiB or more, which no reader accepts.
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
    except Unreadable:
        raise
    except BadFile as error:
        raise OSError(str(error)) from error


def positions(game: Game) -> Iterator[Position]:
    """Yield the table of each deal as it was dealt, and then after each action.

    A deal has positions up to the first line that cannot be checked. Raises TypeError if `game` is
    not a Game.
    """
    return walk_positions(_game(game))


def _game(game: Game) -> Game:
    """Return the game. Raises TypeError if it is not one."""
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {quoted(game)}")
    return game


# --- reading ------------------------------------------------------------------------------------


def _read_path(path: Path) -> Iterator[Game]:
    """Open a file at once and return its games; each is read when it is asked for."""
    try:
        stream = path.open("rb")
    except OSError as error:
        error.filename = shortened(str(path))
        raise
    return _read(stream, str(path), close=True)


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
        form = SUFFIXES.get(Path(name).suffix.lower(), "canasta")
        if form == "canasta":
            form = form_of_text(stream.peek(HEAD)[:HEAD])
        if form != "canasta":
            for number, game in enumerate(read_json(stream, form, _at_line), 1):
                yield replace(game, file=name, number=number)
        else:
            for reading in read_games(stream):
                problems = tuple(map(changing(file=name), reading.problems))
                yield replace(reading.game, file=name, problems=problems)


def _at_line(number: int, error: JsonError | NotText) -> ValueError:
    """Return the error of JSON with the line at which it is, if there are several values."""
    if not number:
        return error
    if isinstance(error, JsonError):
        return JsonError(f"line {number}: {error.path}", error.message)
    return NotText(f"line {number}: {error}")


# --- writing ------------------------------------------------------------------------------------


def _readable(games: Iterable[Game]) -> Iterator[Game]:
    """Yield the games unchanged. Raises ValueError for one that would lose lines."""
    for game in map(_game, games):
        unread = [each for each in game.problems if each.code == "syntax"]
        if unread:
            raise ValueError(f"a game with a line that could not be read: {unread[0]}")
        yield game
