"""`tables`: the tables of a corpus, in memory, in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from canasta_notation.api import (
    RecordSource,
    form_of,
    games_of,
    in_memory_stream,
    opened,
    sources_of,
)
from canasta_notation.batch.parts import GameStream
from canasta_notation.corpus.build import CorpusTable, in_memory
from canasta_notation.formats import games_as
from canasta_notation.notation.blocks import game_chunks
from canasta_notation.notation.reader import Reading
from canasta_notation.scan.scan_state import Scan
from canasta_notation.scan.verified import VerifiedGame


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
    found = (game for each in sources_of(source) for game in _found(each, fast=not chances))
    return in_memory(found, chances=chances)


def _found(
    source: RecordSource, *, fast: bool
) -> Iterator[tuple[str, VerifiedGame | Reading, int]]:
    """Yield each game of a source with its file and its number there, for the tables."""
    with opened(source) as (stream, name):
        if form_of(stream, name) != "canasta":
            stream = in_memory_stream("".join(games_as("canasta", games_of(stream, name))))
        games = GameStream(Scan(None, rows=True) if fast else None)
        for found in games.games_of(game_chunks(stream), checked=True):
            yield name, found, games.games
