"""A game that the fast path verified, as a value."""

from __future__ import annotations

import re
from typing import Final

from canasta_notation.findings import Verdict
from canasta_notation.rules import Profile
from canasta_notation.scan.scan_state import PADDING, Scan, ScannedGame

_TAG: Final = re.compile(rb'^\[([A-Za-z0-9_-]+) "([^"]*)"\]$', re.MULTILINE)
_BLANK: Final = re.compile(rb"(?:;[^\n]*)?\n")


class VerifiedGame:
    """A game that the fast path verified; `game` is its place in the file, from 1.

    `line` is the line of its first byte in the file, `lines` is how many lines it has, comments
    included. `by_default` says that it names no rules and that none were given. `totals`
    are by side, `winner` is a side or -1. If the game was scanned with its rows,
    `game_report.report_verified` makes its report. Do not change it. The class is not compiled, so
    that it can be copied and pickled.
    """

    __slots__ = (
        "_scanned", "_text", "by_default", "deals", "game", "head", "line", "lines", "profile",
        "totals", "turns", "winner",
    )  # fmt: skip

    def __init__(self, scan: Scan, game: int, line: int) -> None:
        self.game: Final = game
        self.profile: Final[Profile] = scan.rules.profile
        #: How many deals it has, and how many turns these have.
        self.deals: Final[int] = scan.deals
        self.turns: Final[int] = scan.turns
        self.totals: Final[list[int]] = scan.totals
        self.winner: Final[int] = scan.winner
        #: The bytes before its first deal.
        self.head: Final[bytes] = scan.text[: scan.head]
        self.line: Final = line
        # The padding ends a line that the game does not have.
        self.lines: Final[int] = scan.lines - line
        self.by_default: Final[bool] = scan.by_default
        self._scanned: Final[ScannedGame | None] = scan.scanned
        self._text: Final[bytes] = scan.text

    @property
    def body(self) -> bytes:
        """The bytes from its first deal on."""
        return self._text[len(self.head) : -len(PADDING)]

    @property
    def verdict(self) -> Verdict:
        """Always "verified"."""
        return "verified"

    @property
    def rules(self) -> str:
        """The name of its profile."""
        return self.profile.name

    @property
    def scanned(self) -> ScannedGame:
        """Its deals and the rows of its turns; it must have been scanned with `rows`."""
        assert self._scanned is not None
        return self._scanned

    @property
    def first_line(self) -> int:
        """The line in the file of its first tag."""
        line, pos = self.line, 0
        while blank := _BLANK.match(self.head, pos):
            line, pos = line + 1, blank.end()
        return line

    @property
    def tags(self) -> dict[str, str]:
        """The tags, by their names."""
        return {name.decode(): value.decode() for name, value in _TAG.findall(self.head)}
