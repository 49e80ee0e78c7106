"""The legal plays of a position of a record, found by replaying it up to there."""

from __future__ import annotations

from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import Profile
from canasta_notation.search.legal import LegalPlays, legal_continuations, legal_starts
from canasta_notation.search.trial import clone


def legal_plays(
    game: Game, deal: int, turn: int, actions: int = 0, *, override: Profile | None = None
) -> LegalPlays:
    """Return what the seat due could do in a turn after so many of its recorded actions.

    `deal` and `turn` count from 1; the turn after a deal's last one is what is due next. With
    `actions` 0 these are the draw and the ways to take the pile, with 1, after the recorded draw
    or take, the groups, the discards and the ways out. `override` replaces the record's rules.
    Cards are codes; `canasta_notation.format_cards` spells them.

    Raises LookupError where the record has no such position, or what precedes it cannot be
    replayed. Not checked: whether what precedes it was legal.
    """
    tables = find_tables(game, deal, turn, override=override)
    if not 0 <= actions < len(tables):
        raise LookupError(f"no position after {actions} actions of turn {turn} in deal {deal}")
    table = tables[actions]
    return legal_continuations(table) if actions else legal_starts(table)


def find_tables(
    game: Game, deal: int, turn: int, *, number: int = 1, override: Profile | None = None
) -> list[Table]:
    """Return the tables of a turn: before it, and after each of its actions but the last.

    Empty where there is no such turn, or what precedes it cannot be replayed.
    """
    tables: list[Table] = []

    def observe(at: int, play: Table, line: int, action: int) -> None:
        over = is_turn_over(game, at, line, action)
        if at + 1 == deal and play.turns == (turn - 1 if over else turn):
            tables.append(clone(play))

    replay_game(game, number, override=override, observer=observe)
    return tables


def is_turn_over(game: Game, at: int, line: int, action: int) -> bool:
    """Return whether a step of a replay (see `Observer`) lies between two turns."""
    row = game.deals[at].play[line] if line >= 0 else None
    return not isinstance(row, Turn) or action == len(row.actions) - 1
