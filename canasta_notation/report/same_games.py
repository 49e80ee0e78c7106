"""Which games of a validation are the same: the same text from the first deal on.

Tags, comments and the spaces at line ends may differ. Of each game only a `GameMark` is kept.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.replay.game_report import GameReport
    from canasta_notation.scan.verified import VerifiedGame


class GameMark(NamedTuple):
    """What tells a game from others: a checksum of its deals, and their length in bytes.

    `line` is the line of its first deal in the file. A change of a card always changes the
    checksum; of different games of equal length, one pair in 4,000,000,000 has the same.
    """

    line: int
    checksum: int
    length: int


class GamePlace(NamedTuple):
    """Where a game is: the name of its file, its number there, and the line of its first deal."""

    file: str
    game: int
    line: int


def mark_of_verified(game: VerifiedGame) -> GameMark:
    """Return the mark of a game that the fast path verified; every such game has turns."""
    return _mark(game.line + game.head.count(b"\n"), game.body)


def mark_of_read(reading: Reading, report: GameReport) -> GameMark | None:
    """Return the mark of a game that was read, None if another game might say the same by chance.

    A game without a turn must be a whole one, of two deals or more.
    """
    whole = report.result.finished and len(report.deals) > 1
    if not report.turns and not whole:
        return None
    line = report.deals[0].line
    text = "\n".join(reading.lines[line - reading.first_line :])
    return _mark(line, text.encode())


def _mark(line: int, body: bytes) -> GameMark:
    if any(each in body for each in (b";", b" \n", b"\t\n", b"\r")):
        lines = (each for each in body.split(b"\n") if not each.lstrip().startswith(b";"))
        body = b"\n".join(each.partition(b";")[0].rstrip() for each in lines)
    body = body.rstrip()
    return GameMark(line, crc32(body), len(body))


class SameGames:
    """The games of a validation so far: about 150 bytes of memory for each."""

    def __init__(self) -> None:
        #: By checksum and length, the index of the first such game.
        self._index: dict[int, int] = {}
        #: By index, the number of a game in its file, and its line.
        self._numbers, self._lines = array("Q"), array("Q")
        #: Each file, and the index at which its games begin.
        self._files: list[str] = []
        self._begins: list[int] = []

    def first(self, name: str, game: int, mark: GameMark | None) -> GamePlace | None:
        """Add game number `game` of a file; return the place of an earlier equal one, if any.

        A file that is named twice does not repeat itself.
        """
        if mark is None:
            return None
        index = self._index.setdefault(mark.checksum << 64 | mark.length, len(self._lines))
        if index < len(self._lines):
            file = self._files[bisect(self._begins, index) - 1]
            place = GamePlace(file, self._numbers[index], self._lines[index])
            return None if place == (name, game, mark.line) else place
        if name not in self._files[-1:]:
            self._files.append(name)
            self._begins.append(index)
        self._numbers.append(game)
        self._lines.append(mark.line)
        return None
