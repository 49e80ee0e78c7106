"""A record as an editor holds it: its text, the places in it, its games and their findings.

The reader and the protocol count differently. The reader ends a line at LF or CRLF and counts lines
and columns from 1, columns in characters. The protocol also ends a line at a lone CR, counts from
0, and counts columns in units of the encoding that the client asked for. `Text` converts between
the two; everything else in this package uses the reader's places.
"""

from __future__ import annotations

import io
import re
from bisect import bisect
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, NamedTuple

from lsprotocol import types

from canasta_notation.editor.open_games import JudgedGames, Last, OpenGames, judge
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.blocks import NotText, Rest, game_chunks
from canasta_notation.notation.reader import PROBLEM_LIMIT
from canasta_notation.rules import Profile

#: Calls a function with its arguments off the event loop.
Offload = Callable[..., Awaitable[Any]]

_BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
#: The games of how many parts of a record are kept as they were read and played.
_KEPT: Final = 8


class Chunk(NamedTuple):
    """The bytes of a game, and how many lines come before them.

    A chunk has several games if the spelling hides that one begins, and none if it has only
    comments. Places in a chunk count from its own first line, so that what was found in it stays
    true when other games change.
    """

    data: bytes
    before: int


class Text:
    """One version of a record's text, with conversions between the two kinds of places."""

    def __init__(self, source: str, version: int | None, encoding: str) -> None:
        self.source = source
        self.version = version
        self._encoding = encoding
        #: A byte-order mark is not part of the record.
        self._begin = 1 if source.startswith(_BOM) else 0

    @cached_property
    def lines(self) -> list[str]:
        """The lines as the reader sees them, without their ends."""
        return [line.removesuffix("\r") for line in self.source[self._begin :].split("\n")]

    @cached_property
    def _starts(self) -> list[int]:
        """The index of each line's first character."""
        lines = self.source[self._begin :].split("\n")
        return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=self._begin))

    @cached_property
    def _client_starts(self) -> list[int]:
        """The index of the first character of each line of the protocol."""
        if self.source.count("\r") == self.source.count("\r\n"):
            return [0, *self._starts[1:]]
        return [0, *(end.end() for end in _LINE_END.finditer(self.source))]

    def index(self, line: int, column: int) -> int:
        """Return the index of a place; one beyond the end of its line or text is at that end."""
        if line > len(self.lines):
            return len(self.source)
        return self._starts[line - 1] + min(column - 1, len(self.lines[line - 1]))

    def position(self, index: int) -> types.Position:
        """Return the position in the protocol of the character with this index."""
        line = bisect(self._client_starts, index) - 1
        return types.Position(line, self.units(self.source[self._client_starts[line] : index]))

    def range(self, span: Span, lines: int = 0) -> types.Range:
        """Return the range of a span, `lines` lines further down.

        It has at least one character if its line has one.
        """
        line = span.line + lines
        start = self.index(line, max(span.column, 1))
        end = self.index(line, max(span.end_column, span.column + 1))
        return types.Range(self.position(start), self.position(end))

    def edit(self, start: int, end: int, text: str) -> types.TextEdit:
        """Return the edit that replaces the characters between two indexes."""
        return types.TextEdit(types.Range(self.position(start), self.position(end)), text)

    def place(self, position: types.Position) -> tuple[int, int]:
        """Return the line and column of a position; one beyond the text is at its end."""
        index = len(self.source)
        if position.line < len(self._client_starts):
            index = self._client_starts[position.line]
            ends = [*self._client_starts[position.line + 1 :][:1], len(self.source)]
            line = self.source[index : ends[0]].rstrip("\r\n")
            index += self._characters(line, position.character)
        line_at = max(bisect(self._starts, index) - 1, 0)
        return line_at + 1, max(index - self._starts[line_at], 0) + 1

    def units(self, text: str) -> int:
        """Return how many units of the client's encoding a text has."""
        match self._encoding:
            case "utf-32":
                return len(text)
            case "utf-8":
                return len(text.encode("utf-8", "surrogatepass"))
        return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2

    def _characters(self, line: str, units: int) -> int:
        """Return how many characters of a line have this many units; at most all."""
        if line.isascii() or self._encoding == "utf-32":
            return min(units, len(line))
        for at, char in enumerate(line):
            if units <= 0:
                return at
            units -= self.units(char)
        return len(line)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The games. Raises NotText if the text is not a record."""
        data = self.source.removeprefix(_BOM).encode("utf-8", "surrogatepass")
        found = []
        before = 0
        for each in game_chunks(io.BytesIO(data)):
            chunk = b"".join(each) if isinstance(each, Rest) else each
            found.append(Chunk(chunk, before))
            before += chunk.count(b"\n")
        return tuple(found)

    def chunk_at(self, line: int) -> Chunk | None:
        """Return the chunk that has a line, None if there is none. Raises NotText."""
        at = bisect(self.chunks, line - 1, key=lambda chunk: chunk.before) - 1
        return self.chunks[at] if at >= 0 else None


# --- findings -------------------------------------------------------------------------------------


class Document:
    """A record: its newest text, the rules that replace its own, and its games."""

    def __init__(self, uri: str, text: Text, rules: Profile | None = None) -> None:
        self.uri = uri
        self.text = text
        self.rules = rules
        self._last = Last()
        #: The games by their bytes, and those of them that were used last.
        self._games: dict[bytes, OpenGames] = {}
        self._recent: deque[OpenGames] = deque()

    def part(self, data: bytes) -> OpenGames:
        """Return the games of a part of the record."""
        if data not in self._games:
            self._games[data] = OpenGames(data, self.rules, self._use)
        return self._games[data]

    def _use(self, games: OpenGames) -> None:
        """Note that games are used; only the last few stay as they were read and played."""
        if games in self._recent:
            self._recent.remove(games)
        elif len(self._recent) == _KEPT:
            self._recent.popleft().forget_games()
        self._recent.append(games)

    def judged(self, chunk: Chunk) -> JudgedGames:
        """Return what was found in a chunk; judges it if it is new."""
        return self.part(chunk.data).judged(self._last)

    async def diagnostics(self, text: Text, run: Offload) -> list[types.Diagnostic]:
        """Return the diagnostics of a text: the findings of `canasta validate`.

        `run` judges one game at a time, so that this can be cancelled between games, and other
        requests are answered meanwhile. Games that have not changed are not judged again.
        """
        try:
            chunks: tuple[Chunk, ...] = await run(getattr, text, "chunks")
        except NotText as error:
            return [_diagnostic(self.uri, text, Finding("syntax", "error", str(error), _HEAD), 0)]
        found: list[types.Diagnostic] = []
        problems = 0
        for chunk in chunks:
            known = self._games.get(chunk.data)
            if known is not None and known.is_judged:
                judged = known.judged(self._last)
            else:
                judged = await run(self.judged, chunk)
            if problems and problems + judged.problems >= PROBLEM_LIMIT:
                judged = await run(judge, chunk.data, self.rules, problems)
            problems += judged.problems
            found += [_diagnostic(self.uri, text, each, chunk.before) for each in judged.findings]
            if judged.stopped:
                break
        self._forget_others(chunks)
        return found

    def _forget_others(self, chunks: Iterable[Chunk]) -> None:
        """Forget the games that are not in the text and were not used last."""
        kept = {chunk.data for chunk in chunks} | {games.data for games in self._recent}
        self._games = {data: games for data, games in self._games.items() if data in kept}


_HEAD: Final = Span(1, 1, 2)


def _diagnostic(uri: str, text: Text, finding: Finding, before: int) -> types.Diagnostic:
    """Return a finding for the client; `before` is the number of lines before its chunk."""
    cause = finding.follows
    related = None
    if cause:
        place = types.Location(uri, text.range(cause.span, before))
        related = [types.DiagnosticRelatedInformation(place, f"{cause.code}: {cause.message}")]
    return types.Diagnostic(
        text.range(finding.span, before),
        finding.message + finding_note(finding),
        _SEVERITIES[finding.severity],
        finding.code,
        source="canasta",
        related_information=related,
        data={"rule": finding.rule and finding.rule.key, "help": finding.help},
    )


def finding_note(finding: Finding) -> str:
    """Return what follows a finding's message: why it is not an error, its rule, its remedy."""
    lines = [" (acknowledged)"] if finding.acknowledged else [""]
    if finding.rule:
        lines.append(f"rule: {finding.rule.sentence}")
    if finding.help and not finding.follows:
        lines.append(f"help: {finding.help}")
    return "\n".join(lines)


def findings_at(document: Document, text: Text, line: int, column: int) -> Iterator[Finding]:
    """Yield the findings at a place; their own places count from the first line of the chunk."""
    chunk = text.chunk_at(line)
    if chunk is not None:
        for finding in document.judged(chunk).findings:
            span = finding.span
            if span.line + chunk.before == line and span.column <= column <= span.end_column:
                yield finding
