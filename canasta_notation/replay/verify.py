"""Verifying a stream of games, each by the fast path or, if that gives up, by reader and replay.

A game that the scanner reads to its end is verified: every action, every item, every total. Any
other game is read by Lark and replayed; only a replay has findings.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from canasta_notation.notation.blocks import Rest, game_chunks
from canasta_notation.rules import Profile
from canasta_notation.scan.scan_state import Reader
from canasta_notation.scan.scanner import scan_game
from canasta_notation.scan.verified import VerifiedGame

if TYPE_CHECKING:
    from canasta_notation.notation.assemble import Problems
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
    from canasta_notation.notation.assemble import Problems
    from canasta_notation.notation.reader import PROBLEM_LIMIT

    problems = Problems(PROBLEM_LIMIT)
    line, games = 1, 0
    if not fast:
        yield from _slow(source, line, games, problems, override, checked=False)
        return
    reader = Reader(override, keep=keep)
    for chunk, rest in game_chunks(source):
        found = None
        if rest is None:
            found = scan_game(reader, chunk, games + 1, line)
        if found is not None:
            games += 1
            line += found.lines
            yield Outcome(found)
        else:
            part = io.BytesIO(chunk) if rest is None else Rest(chunk, rest)
            for outcome in _slow(part, line, games, problems, override):
                games = outcome.report.game
                yield outcome
            if problems.stopped:
                return
            line += chunk.count(b"\n")


def _slow(
    source: BinaryIO | Rest,
    line: int,
    games: int,
    problems: Problems,
    override: Profile | None,
    *,
    checked: bool = True,
) -> Iterator[Outcome]:
    from canasta_notation.notation.reader import read_games
    from canasta_notation.replay.game_replay import replay_game

    for reading in read_games(
        source, first_line=line, games=games, problems=problems, checked=checked
    ):
        games += 1
        report = replay_game(reading.game, games, override=override)
        yield Outcome(report, reading)
