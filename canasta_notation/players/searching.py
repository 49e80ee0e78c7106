"""What a player does if counting finds no legal turn: it uses the search."""

from __future__ import annotations

from canasta_notation.counts import i64
from canasta_notation.engine.actions import Action
from canasta_notation.engine.table import Table, copy_table, top_of
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.search.able import find_takes
from canasta_notation.search.ending import find_ending
from canasta_notation.search.plans import Budget


def take_somehow(table: Table, seat: i64, log: list[Action] | None) -> Table | None:
    """Return the table after a turn that takes the pile in any legal way, None if there is none."""
    begun = copy_table(table)
    begin_turn(begun, seat)
    for way in find_takes(begun, Budget()):
        if way.refusal is not None or not way.certain:
            continue
        play = copy_table(begun)
        actions = way.begun(top_of(play))
        for action in actions:
            perform(play, action)
        if log is not None:
            log.extend(actions)
        return end_somehow(play, log)
    return None


def end_somehow(table: Table, log: list[Action] | None) -> Table:
    """End the turn in progress in any legal way. Raises RuntimeError if there is none."""
    ending = find_ending(table)
    if ending is None or not ending.certain:
        raise RuntimeError("no legal end of the turn was found")
    for action in ending.actions:
        perform(table, action)
    end_turn(table, "")
    if log is not None:
        log.extend(ending.actions)
    return table
