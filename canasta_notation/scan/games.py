"""The bytes of each game of a file, found without reading it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, Final

from canasta_notation.notation.blocks import (
    BEGINS_GAME,
    COMMENT,
    GAME_LIMIT,
    HEAD,
    check_text,
)

#: Bytes read from a file at once: few enough to stay near the processor.
_PIECE: Final = 1 << 16
_BEGINS: Final = b"[CGN"
_DEAL: Final = b"\ndeal "
_BOM: Final = b"\xef\xbb\xbf"


class Rest:
    """The rest of a file, after bytes that have been read: for one game that is too long."""

    def __init__(self, piece: bytes, source: BinaryIO | Rest) -> None:
        self._piece = io.BytesIO(piece)
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.readline(-1), b"")

    def readline(self, limit: int, /) -> bytes:
        """Return the next line, or a part of it of `limit` bytes."""
        line = self._piece.readline(limit)
        if line.endswith(b"\n") or len(line) == limit:
            return line
        return line + self._source.readline(limit - len(line) if limit >= 0 else -1)


def game_chunks(source: BinaryIO) -> Iterator[tuple[bytes, BinaryIO | None]]:
    """Yield the bytes of each game; of one longer than any game may be, with the rest to read."""
    buffer = source.read(_PIECE)
    check_text(buffer[:HEAD])
    buffer = buffer.removeprefix(_BOM)
    start = 0
    while True:
        end = next_game(buffer, start)
        if end > 0:
            yield buffer[start:end], None
            start = end
            continue
        # A long game is searched again with each piece, so its pieces grow.
        piece = source.read(max(_PIECE, len(buffer) - start))
        buffer, start = buffer[start:] + piece, 0
        if not piece:
            if buffer.strip():
                yield buffer, None
            return
        if len(buffer) > GAME_LIMIT + _PIECE:
            yield buffer, source
            return


def next_game(buffer: bytes, start: int) -> int:
    """Return where the first game begins with a deal between `start` and it, or -1.

    The comments right above its first line are its own.
    """
    deal = buffer.find(_DEAL, start)
    # One byte is found many times faster than six.
    at = buffer.find(b"[", deal) if deal >= 0 else -1
    end = -1
    while at > 0 and end < 0:
        if buffer.startswith(_BEGINS, at):
            line = buffer.rfind(b"\n", deal, at) + 1
            end = line if BEGINS_GAME.match(buffer, line) else -1
        at = buffer.find(b"[", at + 1)
    while end > 0:
        line = buffer.rfind(b"\n", deal, end - 1) + 1
        if not COMMENT.match(buffer, line):
            break
        end = line
    return end
