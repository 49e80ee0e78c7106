"""The missed chances of a turn in words: to take the pile, to make a canasta, to go out."""

from __future__ import annotations

from canasta_notation.analysis.chances import Missed
from canasta_notation.cards import RANK
from canasta_notation.engine.actions import Discard, Lay
from canasta_notation.engine.state import MeldState, State
from canasta_notation.english import meld_name, rank_name
from canasta_notation.render.paint import Look, Row, Run, card, card_row, row
from canasta_notation.report.played import PlayedTurn
from canasta_notation.search.found import Ending, Group, TakeWay

_LOOK = Look(colour=False)


def could_have(turn: PlayedTurn, side: int, missed: Missed) -> tuple[Row, ...]:
    """Return what a turn could have done and did not, each worded to follow "could have"."""
    could: list[Row] = []
    if missed.take is not None:
        could.append([*row("taken the pile "), *_way(missed.take, turn.before)])
    if missed.out is not None:
        could.append(_gone(turn.before.sides[side].melds, missed.out))
    return (*could, *map(_canasta, missed.canastas))


def _way(way: TakeWay, before: State) -> Row:
    if way.way == "join":
        return row(f"onto the meld of {rank_name(RANK[before.pile[-1]])}")
    return [Run("with "), *card_row(way.cards, _LOOK)]


def _gone(melds: tuple[MeldState, ...], way: Ending) -> Row:
    """Return a way out, worded to follow "could have"; `melds` are those before the turn."""
    words: Row = []
    standing = {meld.rank for meld in melds}
    for action in way.actions:
        words += [Run(", ")] if words else []
        if isinstance(action, Lay):
            verb = "added to" if action.rank in standing else "melded"
            words += [*row(f"{verb} {meld_name(action.rank)} "), *card_row(action.cards, _LOOK)]
            standing.add(action.rank)
        elif isinstance(action, Discard):
            words += [Run("discarded "), card(action.card, _LOOK)]
        else:
            words += row("taken a talon")
    return [*words, Run(" and gone out concealed" if way.concealed else " and gone out")]


def _canasta(group: Group) -> Row:
    words = f"made a {group.canasta} canasta of {meld_name(group.rank)} with "
    return [*row(words), *card_row(group.cards, _LOOK)]
