"""One way to read a corpus, as a process that waits to be asked: `python peer.py WAY PATH`.

For each line on standard input, it reads the corpus once and answers with the seconds it took and
its peak memory in KiB. A separate program (pgn-extract) is run whole and timed by its CPU time.
"""

from __future__ import annotations

import gc
import os
import resource
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.report.played import Played
    from canasta_notation.rules import Profile

#: Debian keeps the program among the games, in a folder that not every PATH has.
PGN_EXTRACT = shutil.which("pgn-extract", path=f"{os.environ.get('PATH', '')}:/usr/games")

#: How many rows the screen of the stepper has.
SCREEN = 40

#: How many steps an environment for learning makes when it is asked.
STEPS = 1000


class Repeated:
    """A binary file that repeats a text, without keeping more than a piece in memory."""

    def __init__(self, text: bytes, times: int) -> None:
        self.text, self.left, self.rest = text, times, b""

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, none at the end."""
        while len(self.rest) < size and self.left:
            self.rest += self.text
            self.left -= 1
        piece, self.rest = self.rest[:size], self.rest[size:]
        return piece


def _scaled(path: Path, times: int) -> None:
    """Verify the corpus, repeated `times` times, as one file."""
    _verify(path, cast(BinaryIO, Repeated(path.read_bytes(), times)))


def _lark_games(path: Path) -> None:
    """Read with the grammar and replay, keeping the position after every action of each game."""
    from canasta_notation import read_games
    from canasta_notation.replay.steps import walk

    with path.open("rb") as file:
        for reading in read_games(file):
            steps, report = walk(reading.game)
            if report.verdict != "verified" or len(steps) <= report.turns:
                raise SystemExit(f"{path}: a game was not verified")


@cache
def _read_games(path: Path) -> list[Reading]:
    """Return the games of a corpus, read once: what follows is measured without the reading."""
    from canasta_notation.notation.reader import read_games

    with path.open("rb") as file:
        games = [*read_games(file)]
    gc.freeze()  # the garbage collector should not scan them repeatedly
    return games


def _walked(path: Path) -> None:
    """Replay games that have been read, with a state for each action."""
    from canasta_notation.replay.steps import walk

    for reading in _read_games(path):
        walk(reading.game)


def _positions(path: Path) -> None:
    """Yield each position of games that have been read."""
    from canasta_notation import positions

    for reading in _read_games(path):
        for _ in positions(reading.game):
            pass


def _replay_json(path: Path) -> None:
    """Show games that have been read as `canasta replay --json` does."""
    from canasta_notation.cli.session import json_text
    from canasta_notation.report.played import replay_json

    for play in _plays(path):
        json_text(replay_json("", [play]))


def _page(path: Path) -> None:
    """Make the parts of a page for games that have been read."""
    from canasta_notation.page.one_file import game_page
    from canasta_notation.page.shown_game import page_game

    for reading, profile in _with_rules(path):
        game_page(page_game("", reading, 1, profile))


def _stepper(path: Path) -> None:
    """Fill the screen of the stepper for every turn of games that have been read."""
    from canasta_notation.render.paint import PLAIN
    from canasta_notation.report.walker import Walker
    from canasta_notation.tui.place_rows import page_rows

    for play in _plays(path):
        walker = Walker([lambda _, play=play: play])
        while walker.forward():
            page_rows(walker, PLAIN, SCREEN)


def _plays(path: Path) -> Iterator[Played]:
    from canasta_notation.report.played import play_back

    for reading, profile in _with_rules(path):
        yield play_back("", reading, 1, profile)


def _with_rules(path: Path) -> Iterator[tuple[Reading, Profile]]:
    from canasta_notation.replay.header import read_header

    for reading in _read_games(path):
        profile = read_header(reading.game, 1).profile
        assert profile is not None
        yield reading, profile


def _fast_games(path: Path) -> None:
    with path.open("rb") as file:
        _verify(path, file)


def _verify(path: Path, source: BinaryIO) -> None:
    from canasta_notation.batch.parts import judge_games

    for outcome in judge_games(source):
        if outcome.report.verdict != "verified":
            raise SystemExit(f"{path}: a game was not verified")


def _rows(path: Path) -> None:
    """Fill the tables of a corpus, without writing them."""
    from canasta_notation.batch.parts import Input, Work, split, work_part
    from canasta_notation.corpus.collect import collect, collect_verified
    from canasta_notation.corpus.columns import Tables

    for part in split(Input(path.name, str(path))):
        tables = Tables()
        work = Work(partial(collect, tables), partial(collect_verified, tables), rows=True)
        if work_part(part, work).trouble or len(tables.findings):
            raise SystemExit(f"{path}: a game was not verified")


def _chess_visitor(path: Path) -> None:
    import chess.pgn

    class Count(chess.pgn.BaseVisitor[int]):
        """Count plies; the reader checks each for legality."""

        def begin_game(self) -> None:
            """Start counting."""
            self.plies = 0

        def visit_move(self, board: chess.Board, move: chess.Move) -> None:
            """Count a ply."""
            self.plies += 1

        def result(self) -> int:
            """Return the count."""
            return self.plies

    with path.open(encoding="utf-8") as file:
        while chess.pgn.read_game(file, Visitor=Count):
            pass


def _chess_tree(path: Path) -> None:
    import chess.pgn

    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                raise SystemExit(f"{path}: {game.errors}")


def _poker(path: Path) -> None:
    from pokerkit import HandHistory

    for text in path.read_text("utf-8").split("\f"):
        for _ in HandHistory.loads(text):
            pass


def _pgn_extract(path: Path) -> None:
    subprocess.run(
        [str(PGN_EXTRACT), "-r", "-s", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _bytes(path: Path) -> None:
    path.read_bytes()


def _lines(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            line.split()


def _walk(make: Callable[[], Any]) -> Callable[[Path], None]:
    """Return a way to let random agents make some steps in an environment of PettingZoo.

    It is in its usual wrappers, and in the loop that PettingZoo's pages show: `last`, then `step`.
    """

    def walk(_path: Path) -> None:
        import numpy as np

        warnings.simplefilter("ignore")
        rng = np.random.default_rng(1)
        env = make()
        env.reset(seed=1)
        for _ in range(STEPS):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))

    return walk


def _canasta_environment() -> Any:
    from canasta_notation import rl

    return rl.env("classic")


def _chess_environment() -> Any:
    from pettingzoo.classic import chess_v6

    return chess_v6.env()


def _holdem_environment() -> Any:
    from pettingzoo.classic import texas_holdem_v4

    return texas_holdem_v4.env()


WAYS: dict[str, Callable[[Path], None]] = {
    "fast": _fast_games,
    "lark": _lark_games,
    "rows": _rows,
    "walk": _walked,
    "positions": _positions,
    "replay-json": _replay_json,
    "page": _page,
    "stepper": _stepper,
    "chess-visitor": _chess_visitor,
    "chess-tree": _chess_tree,
    "pokerkit": _poker,
    "pgn-extract": _pgn_extract,
    "bytes": _bytes,
    "lines": _lines,
    "steps": _walk(_canasta_environment),
    "steps-chess": _walk(_chess_environment),
    "steps-holdem": _walk(_holdem_environment),
}


def _seconds() -> float:
    """Return the CPU time of this process and of those it has waited for."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    other = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + other.ru_utime + other.ru_stime


def main() -> None:
    """Answer every line of standard input with one reading of the corpus."""
    way, path = sys.argv[1], Path(sys.argv[2])
    if way.isdecimal():
        read: Callable[[Path], None] = partial(_scaled, times=int(way))
    else:
        read = WAYS[way]
    for _ in sys.stdin:
        before, start = _seconds(), time.perf_counter()
        read(path)
        wall, cpu = time.perf_counter() - start, _seconds() - before
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(cpu, wall, peak, flush=True)


if __name__ == "__main__":
    main()
