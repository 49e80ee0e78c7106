"""Verifying a stream of games, each by the fast path or, if that gives up, by reader and replay.

A game that the scanner reads to its end is verified: every action, every item, every total. Any
other game is read by Lark and replayed; only a replay has findings.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from canasta_notation.notation.blocks import game_chunks
from canasta_notation.rules import Profile
from canasta_notation.scan.scan_state import Reader
from canasta_notation.scan.scanner import scan_game
from canasta_notation.scan.verified import VerifiedGame

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.replay.game_report import GameReport


class Outcome(NamedTuple):
    """The outcome of one game; `reading` is None if the fast path verified it."""

    report: GameReport | VerifiedGame
    reading: Reading | None = None


def verify_games(
    source: BinaryIO,
    *,
    override: Profile | None = None,
    fast: bool = True,
    keep: bool = False,
) -> Iterator[Outcome]:
    """Yield the outcome of each game of a file, in its order.

    `override` replaces the records' rules. Without `fast`, every game is read with Lark. `keep`
    says that reports will be needed. Memory is bounded by one game. Raises NotText if the source is
    not text.
    """
    stream = GameStream(Reader(override, keep=keep) if fast else None)
    chunks = game_chunks(source) if fast else [source]
    for found in stream.games_of(chunks, checked=fast):
        if isinstance(found, VerifiedGame):
            yield Outcome(found)
        else:
            from canasta_notation.replay.game_replay import replay_game

            yield Outcome(replay_game(found.game, stream.games, override=override), found)


class GameStream:
    """The games of a file, or of a part of one: each verified by the `scanner`, or else read.

    `games` is the number of the last game. `problems` counts syntax errors, and `stopped` says that
    after too many of them the rest is not read.
    """

    def __init__(
        self, scanner: Reader | None, line: int = 1, games: int = 0, problems: int = 0
    ) -> None:
        self.scanner = scanner
        self.line = line
        self.games = games
        self.problems = problems
        self.stopped = False

    def games_of(
        self, chunks: Iterable[bytes | Iterable[bytes]], *, checked: bool
    ) -> Iterator[VerifiedGame | Reading]:
        """Yield each game of chunks: the bytes of one game or, for the reader, the lines of many.

        `checked` says that the first lines are known to be text; bytes always are.
        """
        for chunk in chunks:
            found = None
            if self.scanner is not None and isinstance(chunk, bytes):
                found = scan_game(self.scanner, chunk, self.games + 1, self.line)
            if found is not None:
                self.games += 1
                self.line += found.lines
                yield found
            elif isinstance(chunk, bytes):
                yield from self._read(io.BytesIO(chunk), checked=True)
                self.line += chunk.count(b"\n")
            else:
                yield from self._read(chunk, checked=checked)
            if self.stopped:
                return

    def _read(self, lines: Iterable[bytes], *, checked: bool) -> Iterator[Reading]:
        # The reader is loaded only when needed: verified games start without it.
        from canasta_notation.notation.assemble import Problems
        from canasta_notation.notation.reader import PROBLEM_LIMIT, read_games

        counted = Problems(PROBLEM_LIMIT)
        counted.count = self.problems
        for reading in read_games(
            lines, first_line=self.line, games=self.games, problems=counted, checked=checked
        ):
            self.games += 1
            yield reading
        self.problems, self.stopped = counted.count, counted.stopped
