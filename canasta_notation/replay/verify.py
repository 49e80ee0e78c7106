"""Verifying a stream of games, each by the fast path if it suffices, else by reader and replay.

A game that the scanner reads to its end is verified: every action, every item, every total. Any
other is read by Lark and replayed, and only then is there anything to say of it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from canasta_notation.engine.rules import Rules, rules_of
from canasta_notation.findings import Verdict
from canasta_notation.notation.blocks import (
    BEGINS_GAME,
    COMMENT,
    GAME_LIMIT,
    HEAD,
    LINE_LIMIT,
    check_text,
)
from canasta_notation.replay.header import is_date, read_result, read_target
from canasta_notation.rules import Profile, load_profile, parse_rules
from canasta_notation.scan.pieces import PADDING
from canasta_notation.scan.scan_state import Reader
from canasta_notation.scan.scanner import scan

if TYPE_CHECKING:
    from canasta_notation.notation.assemble import Problems
    from canasta_notation.notation.reader import Reading
    from canasta_notation.replay.game_report import GameReport

#: Bytes read from a file at once: few enough to stay near the processor.
_PIECE: Final = 1 << 16
_BEGINS: Final = b"[CGN"
_DEAL: Final = b"\ndeal "
_TAG: Final = re.compile(r'^\[([A-Za-z][A-Za-z0-9_-]*) "([^"]*)"\]$', re.MULTILINE)
#: Plain tags, comments and empty lines.
_PLAIN_HEAD: Final = re.compile(
    rb'(?:\[[A-Za-z][A-Za-z0-9_-]* "[^"\\\x00-\x1f\x7f]*"\]\n|;[^\n]*\n|\n)*'
)
_NO_TEXT: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_BOM: Final = b"\xef\xbb\xbf"


class VerifiedGame(NamedTuple):
    """A game that the fast path verified; `game` is its place in the file, from 1.

    `by_default` if it has no Rules tag and none replaced it. The scanner holds the totals;
    `replay.recorded` makes a report of a game that was scanned to be kept. `lines` are the game's,
    comments included.
    """

    game: int
    scan: Reader
    profile: Profile
    #: The bytes before its first deal, and the line in the file at which they begin.
    head: bytes
    line: int
    by_default: bool = False
    lines: int = 0

    @property
    def verdict(self) -> Verdict:
        """Always "verified"."""
        return "verified"

    @property
    def rules(self) -> str:
        """The name of its profile."""
        return self.profile.name

    @property
    def deals(self) -> int:
        """How many deals it has."""
        return self.scan.deals

    @property
    def turns(self) -> int:
        """How many turns its deals have."""
        return self.scan.turns

    @property
    def tags(self) -> dict[str, str]:
        """The tags, by their names."""
        return read_tags(self.head) or {}


class Outcome(NamedTuple):
    """What became of one game; `reading` is None if the fast path verified it."""

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

    `override` replaces the records' rules; `fast` off reads every game with Lark; `keep` says
    that reports will be asked for. Memory is bounded by one game. Raises NotText if the
    source is not text.
    """
    from canasta_notation.notation.assemble import Problems
    from canasta_notation.notation.reader import PROBLEM_LIMIT

    problems = Problems(PROBLEM_LIMIT)
    line, games = 1, 0
    if not fast:
        yield from _slow(source, line, games, problems, override, checked=False)
        return
    for chunk, rest in _chunks(source):
        found = None
        if rest is None:
            found = scan_game(chunk, games + 1, override, line=line, keep=keep)
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
        report = replay_game(reading.game, games, problems=reading.problems, override=override)
        yield Outcome(report, reading)


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


def _chunks(source: BinaryIO) -> Iterator[tuple[bytes, BinaryIO | None]]:
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


@lru_cache(maxsize=256)
def _rules(text: str | None, target: str | None) -> tuple[Profile, Rules] | None:
    """Return the profile and the rules that two tags name, None if they are no good."""
    profile = load_profile("classic")
    if text is not None:
        reading = parse_rules(text)
        if reading.profile is None:
            return None
        profile = reading.profile
    if target is not None:
        points = read_target(target)
        if points is None or (profile["target"] != points and "target" in profile.overridden):
            return None
        profile = profile.with_values({"target": points})
    return profile, rules_of(profile)


def scan_game(
    chunk: bytes,
    number: int,
    override: Profile | None = None,
    *,
    line: int = 1,
    keep: bool = False,
) -> VerifiedGame | None:
    """Return a game that the fast path verifies, None if Lark has to read it.

    `line` is that of its first byte in the file.
    """
    if len(chunk) > LINE_LIMIT and _is_too_long(chunk):
        return None
    body = chunk.find(_DEAL) + 1
    tags = read_tags(chunk[:body]) if body else None
    if tags is None or tags.get("CGN") != "1" or not is_date(tags.get("Date", "????-??-??")):
        return None
    found = _rules(tags.get("Rules"), tags.get("Target"))
    if found is None or (b";" in chunk and not _is_clean(chunk)):
        return None
    profile, rules = (override, rules_of(override)) if override else found
    dealer = tags.get("Dealer")
    if dealer is not None and dealer not in [*rules.seats]:
        return None
    first = -1 if dealer is None else rules.seats.index(dealer)
    reader = Reader(chunk[body:] + PADDING, rules, first, keep=keep)
    if not scan(reader) or not _result_holds(tags.get("Result"), rules, reader):
        return None
    by_default = override is None and "Rules" not in tags
    # The padding ends a line that the game does not have.
    lines = chunk.count(b"\n", 0, body) + reader.lines - 1
    return VerifiedGame(number, reader, profile, chunk[:body], line, by_default, lines)


def read_tags(head: bytes) -> dict[str, str] | None:
    """Return the tags before a game's first deal, None if a line is not a plain tag."""
    if not _PLAIN_HEAD.fullmatch(head):
        return None
    try:
        text = head.decode()
    except UnicodeDecodeError:
        return None
    found = _TAG.findall(text)
    tags = dict(found)
    if len(tags) < len(found) or (not text.isascii() and _NO_TEXT.search(text)):
        return None
    return tags


def _is_too_long(chunk: bytes) -> bool:
    """Return whether the reader may cut a game or one of its lines."""
    return len(chunk) >= GAME_LIMIT or max(map(len, chunk.split(b"\n"))) > LINE_LIMIT


def _is_clean(chunk: bytes) -> bool:
    """Return whether the comments of a game are text without control characters."""
    try:
        return _NO_TEXT.search(chunk.decode("utf-8")) is None
    except UnicodeDecodeError:
        return False


def _result_holds(text: str | None, rules: Rules, scan: Reader) -> bool:
    """Return whether the claimed result, if there is one, is that of the totals."""
    if text is None:
        return True
    totals = zip(rules.sides, scan.totals, strict=True)
    if text == " ".join([f"{side} {total}" for side, total in totals]):
        return True
    result = read_result(text, rules.sides)
    if result is None or (not result and scan.winner >= 0):
        return False
    return not result or [result[side] for side in rules.sides] == scan.totals
