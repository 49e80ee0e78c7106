"""The legal plays in a position of a record, found by replaying the record up to it."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.engine.table import Table, copy_table
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.fields import check_numbers
from canasta_notation.notation.document import Game, Turn
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import Profile
from canasta_notation.search.found import LegalPlays
from canasta_notation.search.legal import legal_continuations, legal_starts


def legal_plays(
    game: Game, deal: int, turn: int, actions: int = 0, *, override: Profile | None = None
) -> LegalPlays:
    """Return what the seat due could do in a turn after its first `actions` recorded actions.

    `deal` and `turn` count from 1; the turn after a deal's last one is the turn due next. With
    `actions` 0, the plays are the draw and the ways to take the pile. After the recorded draw or
    take (1), they are the groups, the discards and the ways to go out. `override` replaces the
    record's rules. Cards are codes; `canasta_notation.format_cards` spells them.

    Raises LookupError if the record has no such position, or what precedes it cannot be replayed;
    TypeError for an argument that is not a Game or a number. Not checked: whether what precedes the
    position was legal.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a Game is needed, as read() yields it, not {game!r}")
    check_numbers(deal=deal, turn=turn, actions=actions)
    tables = find_tables(game, deal, turn, override=override)
    if not 0 <= actions < len(tables):
        raise LookupError(f"no position after {actions} actions of turn {turn} in deal {deal}")
    table = tables[actions]
    return legal_continuations(table) if actions else legal_starts(table)


def find_tables(
    game: Game, deal: int, turn: int, *, number: int = 1, override: Profile | None = None
) -> list[Table]:
    """Return the tables of a turn: before it, and after each of its actions that leaves it open.

    Empty if there is no such turn, or what precedes it cannot be replayed.
    """
    tables: list[Table] = []

    def observe(at: int, play: Table, line: int, action: int) -> None:
        if at + 1 == deal and play.turns == turn - 1 and is_turn_over(game, at, line, action):
            tables[:] = [copy_table(play)]

    replay_game(game, number, override=override, observer=observe)
    row = _find_turn(game, deal, turn)
    return [*tables, *_play(tables[0], row)] if tables and row else tables


def _find_turn(game: Game, deal: int, turn: int) -> Turn | None:
    """Return a turn of a deal, None if it is not written or a line before it cannot be read."""
    if not 0 < deal <= len(game.deals):
        return None
    rows = [line for line in game.deals[deal - 1].play if isinstance(line, Turn)]
    if not 0 < turn <= len(rows):
        return None
    row = rows[turn - 1]
    return None if min(game.deals[deal - 1].unread, default=row.line) < row.line else row


def _play(table: Table, turn: Turn) -> Iterator[Table]:
    """Yield the tables after the actions of a turn, up to the one that ends it."""
    copy = copy_table(table)
    if turn.seat not in copy.rules.seats or not begin_turn(copy, copy.rules.seats.index(turn.seat)):
        return
    for at, action in enumerate(turn.actions):
        perform(copy, action, at=at)
        if not copy.knowable or copy.discarded >= 0 or copy.hand_sizes[copy.seat] == 0:
            return
        yield copy_table(copy)


def is_turn_over(game: Game, at: int, line: int, action: int) -> bool:
    """Return whether a step of a replay (see `Observer`) is between two turns."""
    row = game.deals[at].play[line] if line >= 0 else None
    return not isinstance(row, Turn) or action == len(row.actions) - 1
