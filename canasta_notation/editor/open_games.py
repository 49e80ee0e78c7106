"""The games of a part of an open record: judged, read and replayed once, when that is asked for.

Lines count from the first line of the part, so that what was found stays true when other parts
change.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from canasta_notation.batch.parts import GameStream
from canasta_notation.editor.outlines import Outline, outline_of
from canasta_notation.engine.table import Table, copy_table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Turn
from canasta_notation.notation.reader import Known, Reading, read_games
from canasta_notation.replay.game_replay import GameReplay, replay_game
from canasta_notation.replay.header import read_header
from canasta_notation.replay.moment import Moment
from canasta_notation.report.ledger import GameLedger, explain_game
from canasta_notation.report.played import Played, play_back
from canasta_notation.rules import Profile
from canasta_notation.scan.scan_state import Scan
from canasta_notation.scan.verified import VerifiedGame

#: The lines of the parts read last, counted from the first line of their part.
_known: Final[Known] = {}


# --- findings -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgedGames:
    """What was found in games: the findings, and how many games and errors were read."""

    findings: tuple[Finding, ...]
    games: int
    problems: int
    stopped: bool


@dataclass(slots=True)
class Last:
    """The last part with a game that was replayed, and the last of its replays.

    While a game is typed, its deals before the one that changes are taken from here.
    """

    data: bytes = b""
    replay: GameReplay | None = None

    def is_like(self, data: bytes) -> bool:
        """Return whether a part probably is another version of this: it has its first half."""
        return self.replay is not None and data.startswith(self.data[: len(self.data) // 2])


def judge(
    data: bytes, rules: Profile | None = None, problems: int = 0, last: Last | None = None
) -> JudgedGames:
    """Return what `canasta validate` finds in a part of a record.

    `rules` replace those that the games name. `problems` counts the syntax errors before the part,
    because after too many the rest is not read. What has not changed since the `last` part is not
    judged again; afterwards, this is the last one.
    """
    last = last or Last()
    # A scan would begin again with the first deal.
    scan = None if last.is_like(data) else Scan(rules)
    games = GameStream(scan, problems=problems, known=_known)
    findings: list[Finding] = []
    for found in games.games_of([data], checked=True):
        if not isinstance(found, VerifiedGame):
            replay = GameReplay(
                found.game, games.games, rules, None, keep=True, earlier=last.replay
            )
            last.data, last.replay = data, replay
            findings += replay.report.findings
    return JudgedGames(tuple(findings), games.games, games.problems - problems, games.stopped)


# --- games ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The table before a line that is being typed, and the rules; the number of the turn due."""

    table: Table
    profile: Profile
    number: int | None


class OpenGame:
    """A game as it was read; `rules` replace those that it names."""

    def __init__(self, reading: Reading, rules: Profile | None) -> None:
        self.reading = reading
        self.rules = rules
        #: The table of each deal at its end, by the place of the deal.
        self._tables: dict[int, Table] = {}

    @cached_property
    def profile(self) -> Profile | None:
        """The rules of the game, None if they cannot be read."""
        return read_header(self.reading.game, 1, self.rules).profile

    @cached_property
    def played(self) -> Played | None:
        """The game as played, None without rules."""
        if self.profile is None:
            return None
        return play_back(
            "", self.reading, 1, self.profile, override=self.rules, observer=self._observe
        )

    def _observe(self, moment: Moment) -> None:
        self._tables[moment.deal] = moment.table

    @cached_property
    def ledger(self) -> GameLedger | None:
        """What earns the items of the game's scores, None without rules."""
        if self.played is None:
            return None
        return explain_game(self.reading.game, self.played.report, self._tables)

    @cached_property
    def start(self) -> Start | None:
        """The table after the last line of a game that has a deal; None if it is not known."""
        game, profile = self.reading.game, self.profile
        if profile is None or not game.deals:
            return None
        tables: list[Table] = []

        def observe(moment: Moment) -> None:
            last = moment.deal == len(game.deals)
            if last and moment.table.turn == game.deals[-1].turns:
                tables[:] = [copy_table(moment.table)]

        report = replay_game(game, 1, rules=self.rules, observer=observe)
        if not tables or report.deals[-1].unchecked_from is not None:
            return None
        turns = [line for line in game.deals[-1].play if isinstance(line, Turn)]
        number = turns[-1].number + 1 if turns and turns[-1].number else None
        return Start(tables[0], profile, number if turns else 1)


class OpenGames:
    """The games of a part of a record; `rules` replace those that they name.

    `used` is called whenever they are asked for as they were read.
    """

    def __init__(
        self, data: bytes, rules: Profile | None, used: Callable[[OpenGames], None]
    ) -> None:
        self.data = data
        self._rules = rules
        self._used = used
        self._judged: JudgedGames | None = None
        self._outlines: tuple[Outline, ...] | None = None
        self._games: tuple[OpenGame, ...] | None = None

    @property
    def games(self) -> tuple[OpenGame, ...]:
        """The games, as they were read."""
        self._used(self)
        if self._games is None:
            readings = read_games(io.BytesIO(self.data), checked=True, known=_known)
            self._games = tuple(OpenGame(reading, self._rules) for reading in readings)
        return self._games

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """The outline of each game."""
        if self._outlines is None:
            self._outlines = tuple(outline_of(each.reading) for each in self.games)
        return self._outlines

    @property
    def is_judged(self) -> bool:
        """Whether `judged` has been called."""
        return self._judged is not None

    def judged(self, last: Last) -> JudgedGames:
        """Return what was found in the games; see `judge`."""
        if self._judged is None:
            self._judged = judge(self.data, self._rules, last=last)
        return self._judged

    def forget_games(self) -> None:
        """Forget the games as read and played, which take much memory."""
        self._games = None
