"""The steps of a replay: after the deal and after each action, the table as a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.state import State, snapshot
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.game import replay_game
from canasta_notation.replay.report import GameReport
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `deal` and `turn` count from 1, `action` from 0.

    Before a deal's first turn `turn` is 0 and `action` is -1. The state is that after the action;
    a turn's last step also has its discard and all that its end brought. `findings` are those of
    the turn, on its last step.
    """

    deal: int
    turn: int
    action: int
    line: Turn | None
    last: bool
    state: State
    findings: tuple[Finding, ...] = ()


def walk(
    game: Game,
    *,
    number: int = 1,
    deal: int | None = None,
    problems: tuple[Finding, ...] = (),
    override: Profile | None = None,
) -> tuple[tuple[Step, ...], GameReport]:
    """Return the steps of a game, or of one deal of it (from 1), and the report of the whole.

    `problems` are what the game's reader found, for the report.

    A deal has steps up to the first line that could not be checked.
    """
    seen: list[tuple[int, int, int, int, State]] = []

    def observe(at: int, play: DealPlay, line: int, action: int) -> None:
        if deal is None or at + 1 == deal:
            seen.append((at, line, action, play.turns, snapshot(play)))

    report = replay_game(game, number, problems=problems, override=override, observer=observe)
    return tuple(_steps(game, seen, report)), report


def _steps(
    game: Game, seen: list[tuple[int, int, int, int, State]], report: GameReport
) -> Iterator[Step]:
    for place, (at, line, action, turn, state) in enumerate(seen):
        played = game.deals[at].play[line] if line >= 0 else None
        here = played if isinstance(played, Turn) else None
        after = seen[place + 1] if place + 1 < len(seen) else None
        last = after is None or (after[0], after[1]) != (at, line)
        findings: tuple[Finding, ...] = ()
        if last and here is not None:
            findings = tuple(each for each in report.deals[at].findings if each.turn == turn)
        yield Step(at + 1, turn, action, here, last, state, findings)
