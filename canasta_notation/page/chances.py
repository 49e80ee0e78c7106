"""What could have been done at a turn and was not: the pile taken, a canasta made, the way out."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import RANK, TWO
from canasta_notation.engine.actions import Take
from canasta_notation.engine.state import SideState, State
from canasta_notation.english import rank_name
from canasta_notation.notation.document import Turn
from canasta_notation.render.paint import Look, Row, Run, row
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.spell import card_row
from canasta_notation.search.legal import Group, LegalPlays
from canasta_notation.search.takes import TakeWay

_LOOK = Look(colour=False)


def could_have(
    line: Turn,
    before: State,
    after: State,
    side: int,
    start: LegalPlays | None,
    plays: LegalPlays | None,
) -> tuple[Row, ...]:
    """Return what a turn could have done, each worded to follow "could have".

    `start` is what could be done before the turn, `plays` after its draw or take. What depends on
    cards that are not written is left out.
    """
    told: list[Row] = []
    if start is not None and not any(isinstance(action, Take) for action in line.actions):
        told += _takes(start, before)
    if plays is not None and after.ended not in ("out", "special"):
        told += [_out(line, before, side, plays)] if plays.out else []
        told += _canastas(plays, before.sides[side], after.sides[side])
    return tuple(told)


def _takes(start: LegalPlays, before: State) -> Iterator[Row]:
    """Yield the first of the ways to take the pile."""
    ways = [way for way in start.takes if way.refusal is None and way.certain]
    for way in ways[:1]:
        yield [*row("taken the pile "), *_way(way, before)]


def _way(way: TakeWay, before: State) -> Row:
    if way.way == "join":
        return row(f"onto the meld of {rank_name(RANK[before.pile[-1]])}")
    return [Run("with "), *card_row(way.cards, _LOOK)]


def _out(line: Turn, before: State, side: int, plays: LegalPlays) -> Row:
    way = plays.out[0]
    rest = Turn(None, line.seat, way.actions)
    concealed = " concealed" if way.concealed else ""
    words = turn_words(rest, before, before, side, _LOOK)
    return [*row(f"gone out{concealed}: "), *words]


def _canastas(plays: LegalPlays, before: SideState, after: SideState) -> Iterator[Row]:
    """Yield the canastas that one group would have made, a natural one first."""
    made = {meld.rank for side in (before, after) for meld in side.melds if meld.canasta}
    groups = [
        group
        for group in plays.groups
        if group.canasta and group.certain and group.rank not in made
    ]
    best: dict[int, Group] = {}
    for group in sorted(groups, key=lambda each: (each.canasta != "natural", len(each.cards))):
        best.setdefault(group.rank, group)
    for rank, group in sorted(best.items()):
        name = "wild cards" if rank > TWO else rank_name(rank)
        words = f"made a {group.canasta} canasta of {name} with "
        yield [*row(words), *card_row(group.cards, _LOOK)]
