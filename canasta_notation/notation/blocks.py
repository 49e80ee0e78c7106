"""Dividing a file into its games, as lines or as bytes, whatever the bytes are.

Memory is bounded by one game: a line longer than `LINE_LIMIT` is cut and skipped to its end. A
game longer than `GAME_LIMIT` is cut, and nothing after it is read.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO, Final, Protocol, cast

#: Limits in bytes: of a line, of a game, and of the beginning of a file that shows whether it is
#: text.
LINE_LIMIT: Final = 64 * 1024
GAME_LIMIT: Final = 8 * 1024 * 1024
HEAD: Final = 8 * 1024
#: Bytes read from a file at once: few enough for the processor's cache.
_PIECE: Final = 1 << 16

#: A line that begins a game after a deal or, below a blank line, after another such line. If files
#: were joined, a byte-order mark may come before it, or the form feed of a new page.
_BEGINS_GAME: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\f\v]*\[CGN(?![\w-])")
_BEGINS_DEAL: Final = re.compile(rb"[ \t\f\v]*deal(?![\w-])", re.IGNORECASE)
#: How these lines begin in the canonical spelling; this is faster to find than a pattern.
_CGN: Final = b"[CGN"
_DEAL: Final = b"\ndeal "
#: A comment on its own line; directly above the first line of a game, it belongs to that game.
_COMMENT: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*;")
#: Not in a text: the replacement of a bad byte, and control characters.
_NO_TEXT: Final = re.compile("[\ufffd\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BOM: Final = b"\xef\xbb\xbf"
#: The codecs of texts whose characters take two or four bytes, by their marks.
_WIDE_MARKS: Final = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
#: Such codecs without a mark, with the byte of each character that is not 0, and its size.
_WIDE: Final = (
    ("utf-32-le", 0, 4), ("utf-32-be", 3, 4), ("utf-16-le", 0, 2), ("utf-16-be", 1, 2),
)  # fmt: skip
#: A text without a mark must have as many bytes, and as few characters that are not ASCII.
_LEAST_WIDE: Final = 8
_FEW: Final = 0.2
#: How to recognise files of other kinds by their first bytes.
_OTHER_FILES: Final = {
    "a PDF": re.compile(rb"%PDF-"),
    "an RTF document": re.compile(rb"\{\\rtf"),
    "a web page": re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE),
    "a ZIP archive, perhaps a Word document": re.compile(rb"PK\x03\x04"),
}
#: How to recognise the records of other games by their first lines.
_OTHER_GAMES: Final = {
    "chess (PGN)": re.compile(rb'^\[(?:White|Black|FEN|ECO) "|^1\. ?[a-hNBRQKO][a-h1-8xO-]', re.M),
    "bridge (PBN)": re.compile(rb'^% PBN|^\[(?:Vulnerable|Declarer|Auction) "', re.M),
    "poker (PHH)": re.compile(rb"^(?:antes|blinds_or_straddles|starting_stacks) *= *\[", re.M),
}
#: How an object or an array begins in JSON; after the bracket of a tag comes a letter.
_JSON: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*["}]|\[\s*[]{["\d-])')
#: The header of a score sheet in CSV: names of columns, one of them `deal`.
_SHEET: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?(?:"?[\w ]*"?[,;\t])*"?deal"?(?:[,;\t]"?[\w .:/-]*"?)+\r?(?:\n|$)',
    re.IGNORECASE,
)


class NotText(ValueError):
    """The source is not UTF-8 text, or not a record of Canasta in it; the message says why."""


@dataclass(slots=True)
class Block:
    """The lines of one game, without their line ends; `long` are indexes of lines cut to `HEAD`."""

    first_line: int
    lines: list[bytes] = field(default_factory=list)
    long: set[int] = field(default_factory=set)
    #: True if the game is longer than `GAME_LIMIT`; the rest of the file is then not read.
    cut: bool = False


class _File(Protocol):
    def readline(self, limit: int, /) -> bytes: ...


def read_blocks(
    source: Iterable[bytes], first_line: int = 1, *, checked: bool = False
) -> Iterator[Block]:
    """Yield the lines of each game of a file, or of any lines; there may be empty blocks.

    `checked` is for parts of a file whose first bytes have been checked. Otherwise a byte-order
    mark is dropped, and NotText is raised if the source is not text. Not checked: whether a line
    can be read.
    """
    if not hasattr(source, "read"):
        yield from _blocks_of(source, first_line, checked=checked)
        return
    for chunk in game_chunks(cast(BinaryIO, source), checked=checked):
        if isinstance(chunk, Rest):
            yield from _blocks_of(chunk, first_line, checked=True)
        elif chunk.lstrip().rfind(_CGN) > 0 or is_too_long(chunk):
            # Perhaps several games, or lines to cut.
            for block in _blocks_of(io.BytesIO(chunk), first_line, checked=True):
                yield block
                if block.cut:
                    return
        else:
            lines = chunk.removesuffix(b"\n").split(b"\n")
            if b"\r" in chunk or _BOM in chunk:
                lines = [line.removesuffix(b"\r").removeprefix(_BOM) for line in lines]
            yield Block(first_line, lines)
        if isinstance(chunk, bytes):
            first_line += chunk.count(b"\n")


def is_too_long(game: bytes) -> bool:
    """Return whether a game is too long, or might have a line that is."""
    if len(game) <= LINE_LIMIT:
        return False
    return len(game) >= GAME_LIMIT or max(map(len, game.split(b"\n"))) > LINE_LIMIT


def _blocks_of(source: Iterable[bytes], first_line: int, *, checked: bool) -> Iterator[Block]:
    """Yield the blocks of a source that is read line by line."""
    block = Block(first_line)
    size = 0
    begun = dealt = blank = False
    lines = _lines(source)
    for line, long in lines if checked else _checked(lines):
        begins = _BEGINS_GAME.match(line) is not None
        if begins and (dealt or (begun and blank)):
            block, done = _begin(block), block
            yield done
            size, dealt = sum(map(len, block.lines)) + len(block.lines), False
        begun = begun or begins
        dealt = dealt or _BEGINS_DEAL.match(line) is not None
        blank = not line.strip() or (blank and _COMMENT.match(line) is not None)
        if long:
            block.long.add(len(block.lines))
        block.lines.append(line)
        size += len(line) + 1
        # Blank lines, and comments below them, may stand between this game and the next.
        if size > (GAME_LIMIT * 2 if blank else GAME_LIMIT):
            block.cut = True
            break
    yield block


def _begin(done: Block) -> Block:
    """Return the next game's block, to which the comments right above its first line belong."""
    count = len(done.lines)
    while count and _COMMENT.match(done.lines[count - 1]):
        count -= 1
    block = Block(done.first_line + count, done.lines[count:])
    block.long = {index - count for index in done.long if index >= count}
    done.long = {index for index in done.long if index < count}
    del done.lines[count:]
    return block


def _lines(source: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield each line without its end, and whether it was cut because it is too long."""
    for line in _read(cast(_File, source)) if hasattr(source, "readline") else source:
        bare = line.removesuffix(b"\n").removesuffix(b"\r").removeprefix(_BOM)
        long = len(bare) > LINE_LIMIT
        yield bare[:HEAD] if long else bare, long


def _read(file: _File) -> Iterator[bytes]:
    """Yield the lines of a file, and only the beginning of a line that is too long."""
    # One more than the longest line with its byte-order mark and its end, so that a full piece is
    # always too long.
    limit = len(_BOM) + LINE_LIMIT + 3
    while piece := file.readline(limit):
        yield piece
        while len(piece) == limit and not piece.endswith(b"\n"):
            piece = file.readline(limit)


def _checked(lines: Iterator[tuple[bytes, bool]]) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines without a byte-order mark; raise NotText if the head is not text."""
    head: list[tuple[bytes, bool]] = []
    size = 0
    for line in lines:
        head.append(line)
        size += len(line[0]) + 1
        if size >= HEAD:
            break
    if head:
        first, long = head[0]
        head[0] = first.removeprefix(_BOM), long
        check_text(b"\n".join(line for line, _ in head)[:HEAD])
    yield from chain(head, lines)


def check_text(head: bytes) -> None:
    """Raise NotText if the first bytes of a file are not text, or not of a record of Canasta."""
    for kind, sign in _OTHER_FILES.items():
        if sign.match(head):
            raise NotText(f"this is {kind}; save the record as plain text")
    check_zero(head)
    text = head.decode("utf-8", "replace")
    if len(_NO_TEXT.findall(text)) * 3 > len(text):
        raise NotText("not text: most of it is not UTF-8")
    if is_json(head):
        raise NotText("this is JSON; give its file a name that ends in .json or .jsonl")
    if b"[CGN" not in head:
        if _SHEET.match(head):
            raise NotText("this is a CSV score sheet; `canasta convert --from csv` reads it")
        for game, sign in _OTHER_GAMES.items():
            if sign.search(head):
                raise NotText(f"this is a record of {game}, not of Canasta")


def check_zero(head: bytes) -> None:
    """Raise NotText if the first bytes of a file are in UTF-16 or UTF-32, or have a byte 0."""
    codec = wide_codec(head)
    if codec:
        raise NotText(f"this text is in {wide_name(codec)}; save it as plain text in UTF-8")
    if b"\x00" in head:
        raise NotText("not text: it contains a byte of value 0; save it as plain text in UTF-8")


def wide_codec(head: bytes) -> str:
    """Return the codec of a text whose characters take two or four bytes, "" for any other.

    A mark at the beginning shows it or, in texts of mostly ASCII, which bytes are 0.
    """
    for mark, codec in _WIDE_MARKS.items():
        if head.startswith(mark):
            return codec
    if len(head) < _LEAST_WIDE:
        return ""
    for codec, filled, size in _WIDE:
        parts = [head[at::size] for at in range(size)]
        zeros = [part.count(0) / len(part) for part in parts]
        others = zeros[:filled] + zeros[filled + 1 :]
        if zeros[filled] < _FEW and min(others) > 1 - _FEW:
            return codec
    return ""


def wide_name(codec: str) -> str:
    """Return what people call such a codec."""
    return codec[: len("utf-16")].upper()


def is_json(head: bytes) -> bool:
    """Return whether a text is an object or an array in JSON, by its first bytes."""
    return _JSON.match(head) is not None


# --- bytes ----------------------------------------------------------------------------------------


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


def game_chunks(source: BinaryIO, *, checked: bool = False) -> Iterator[bytes | Rest]:
    """Yield the bytes of each game; for a game that is too long, the rest of the source.

    A chunk has several games if the spelling hides that one begins. `checked` and the error raised
    are those of `read_blocks`.
    """
    buffer = source.read(_PIECE)
    # Old programs end each line with a carriage return alone.
    returns = b"\r" in buffer and b"\n" not in buffer
    if returns:
        buffer = buffer.replace(b"\r", b"\n")
    if not checked:
        check_text(buffer[:HEAD])
        buffer = buffer.removeprefix(_BOM)
    start = 0
    while True:
        end = next_game(buffer, start)
        if end > 0:
            yield buffer[start:end]
            start = end
            continue
        # A long game is searched again after each piece, so the pieces grow.
        piece = source.read(max(_PIECE, len(buffer) - start))
        if returns:
            piece = piece.replace(b"\r", b"\n")
        buffer, start = buffer[start:] + piece, 0
        if not piece:
            if buffer.strip():
                yield buffer
            return
        if len(buffer) > GAME_LIMIT + _PIECE:
            yield Rest(buffer, source)
            return


def next_game(buffer: bytes, start: int) -> int:
    """Return where the next game begins after `start`, or -1: `_BEGINS_GAME` says where that is.

    The comments right above its first line belong to it. A game that begins in the last four bytes
    is not found, because the next byte decides whether the tag is `CGN`.
    """
    deal = buffer.find(_DEAL, start)
    head = len(buffer) if deal < 0 else deal
    if buffer.count(_CGN, start, head) > 1:
        first = end = _game_line(buffer, start, head)
        while end >= 0 and (end := _game_line(buffer, end + len(_CGN), head)) >= 0:
            begin = _above_comments(buffer, first, end)
            if not buffer[buffer.rfind(b"\n", first, begin - 1) + 1 : begin].strip():
                return begin
    end = _game_line(buffer, deal + 1, len(buffer)) if deal >= 0 else -1
    return _above_comments(buffer, deal, end)


def _above_comments(buffer: bytes, begin: int, end: int) -> int:
    """Return where the comments right above the line at `end` begin, but not before `begin`."""
    while end > 0:
        line = buffer.rfind(b"\n", begin, end - 1) + 1
        if not _COMMENT.match(buffer, line):
            break
        end = line
    return end


def _game_line(buffer: bytes, start: int, stop: int) -> int:
    """Return where the first line that begins a game begins from `start` up to `stop`, or -1."""
    # Finding one byte is many times faster than finding four, but among tags it occurs too often.
    at = buffer.find(b"[", start, stop)
    while at >= 0:
        if buffer.startswith(_CGN, at) and at + len(_CGN) < len(buffer):
            line = buffer.rfind(b"\n", 0, at) + 1
            if line >= start and _BEGINS_GAME.match(buffer, line):
                return line
        at = buffer.find(_CGN, at + 1, stop)
    return -1
