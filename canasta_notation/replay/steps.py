"""The steps of a replay: after the deal and after each action, the table as a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.legal import LegalPlays, legal_continuations, legal_starts
from canasta_notation.engine.state import State, snapshot
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.game import replay_game
from canasta_notation.replay.legal import is_turn_over
from canasta_notation.replay.report import GameReport
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `deal` and `turn` count from 1, `action` from 0.

    Before a deal's first turn `turn` is 0 and `action` is -1. The state is that after the action;
    a turn's last step also has its discard and all that its end brought. `findings` are those of
    the turn, on its last step. `plays` is what could be done next, where `walk` was asked for it.
    """

    deal: int
    turn: int
    action: int
    line: Turn | None
    last: bool
    state: State
    findings: tuple[Finding, ...] = ()
    plays: LegalPlays | None = None


class _Seen(NamedTuple):
    """What was seen at one step: the deal from 0, the line of its play, the turn from 1."""

    at: int
    line: int
    turn: int
    action: int
    state: State
    plays: LegalPlays | None


def walk(
    game: Game,
    *,
    number: int = 1,
    deal: int | None = None,
    problems: tuple[Finding, ...] = (),
    override: Profile | None = None,
    plays: bool = False,
) -> tuple[tuple[Step, ...], GameReport]:
    """Return the steps of a game, or of one deal of it (from 1), and the report of the whole.

    `problems` are what the game's reader found, for the report. With `plays` each step has the
    legal plays of its state, which takes some milliseconds a step.

    A deal has steps up to the first line that could not be checked.
    """
    seen: list[_Seen] = []

    def observe(at: int, play: DealPlay, line: int, action: int) -> None:
        if deal is None or at + 1 == deal:
            over = is_turn_over(game, at, line, action)
            legal = (legal_starts(play) if over else legal_continuations(play)) if plays else None
            seen.append(_Seen(at, line, play.turns, action, snapshot(play), legal))

    report = replay_game(game, number, problems=problems, override=override, observer=observe)
    return tuple(_steps(game, seen, report)), report


def _steps(game: Game, seen: list[_Seen], report: GameReport) -> Iterator[Step]:
    for here, after in zip_longest(seen, seen[1:]):
        played = game.deals[here.at].play[here.line] if here.line >= 0 else None
        turn = played if isinstance(played, Turn) else None
        last = after is None or (after.at, after.line) != (here.at, here.line)
        findings: tuple[Finding, ...] = ()
        if last and turn is not None:
            of_the_deal = report.deals[here.at].findings
            findings = tuple(each for each in of_the_deal if each.turn == here.turn)
        yield Step(
            here.at + 1, here.turn, here.action, turn, last, here.state, findings, here.plays
        )
