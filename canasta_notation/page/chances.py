"""Missed chances of a turn: to take the pile, to make a canasta, to go out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from canasta_notation.cards import CANASTA_SIZE, JOKER_RANK, RANK, TWO
from canasta_notation.engine.actions import Discard, Lay, Take
from canasta_notation.engine.state import MeldState, SideState, State, snapshot
from canasta_notation.engine.table import Table
from canasta_notation.english import meld_name, rank_name
from canasta_notation.notation.document import Game
from canasta_notation.render.paint import Look, Row, Run, card, card_row, row
from canasta_notation.replay.steps import is_turn_over
from canasta_notation.report.played import PlayedTurn
from canasta_notation.search.ending import find_leavings
from canasta_notation.search.found import Ending, Group, TakeWay
from canasta_notation.search.legal import legal_continuations, legal_starts

_LOOK = Look(colour=False)


@dataclass(frozen=True, slots=True)
class Chance:
    """What could be done at a turn: ways to take the pile, a way out, and canastas."""

    takes: tuple[TakeWay, ...] = ()
    out: Ending | None = None
    groups: tuple[Group, ...] = ()


class Chances:
    """The observer of a replay that finds the chances of each turn.

    Chances that depend on unwritten cards are left out.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[tuple[int, int], Chance] = defaultdict(Chance)

    def of(self, turn: PlayedTurn) -> Chance:
        """Return the chances of a turn."""
        return self._found.get((turn.deal, turn.turn), Chance())

    def observe(self, at: int, play: Table, line: int, action: int) -> None:
        """Look for chances; see `replay.deal_findings.Observer`."""
        if is_turn_over(self._game, at, line, action):
            takes = tuple(way for way in legal_starts(play).takes if way.refusal is None)
            chance = Chance(tuple(way for way in takes if way.certain))
            self._found[at + 1, play.turns + 1] = chance
        elif action == 0:
            key = at + 1, play.turns
            self._found[key] = replace(self._found[key], out=_way_out(play), groups=_groups(play))


def _way_out(play: Table) -> Ending | None:
    """Return a way to go out, None if there is none."""
    way = next(find_leavings(play), None)
    return way if way is not None and way.certain else None


def _groups(play: Table) -> tuple[Group, ...]:
    """Return the groups that make a canasta; searches only if the cards suffice for one."""
    state = snapshot(play)
    seat = play.seat
    hand = [RANK[card] for card in state.hands[seat].cards]
    wild = hand.count(TWO) + hand.count(JOKER_RANK)
    side = state.sides[play.rules.side_of[seat]]
    sizes = {meld.rank: meld.size for meld in side.melds}
    enough = (
        sizes.get(rank, 0) < CANASTA_SIZE <= sizes.get(rank, 0) + hand.count(rank) + wild
        for rank in {*hand, *sizes}
    )
    if not any(enough):
        return ()
    groups = legal_continuations(play).groups
    return tuple(group for group in groups if group.canasta and group.certain)


def could_have(turn: PlayedTurn, side: int, chance: Chance) -> tuple[Row, ...]:
    """Return what a turn could have done and did not, each worded to follow "could have"."""
    before, after = turn.before, turn.after
    missed: list[Row] = []
    if not any(isinstance(action, Take) for action in turn.line.actions):
        missed += [[*row("taken the pile "), *_way(way, before)] for way in chance.takes[:1]]
    if after.ended not in ("out", "special"):
        missed += [_gone(before.sides[side].melds, chance.out)] if chance.out else []
        missed += _canastas(chance.groups, before.sides[side], after.sides[side])
    return tuple(missed)


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


def _canastas(groups: tuple[Group, ...], before: SideState, after: SideState) -> Iterator[Row]:
    """Yield the canastas that one group would have made, a natural one first."""
    made = {meld.rank for side in (before, after) for meld in side.melds if meld.canasta}
    best: dict[int, Group] = {}
    for group in sorted(groups, key=lambda each: (each.canasta != "natural", len(each.cards))):
        if group.rank not in made:
            best.setdefault(group.rank, group)
    for rank, group in sorted(best.items()):
        words = f"made a {group.canasta} canasta of {meld_name(rank)} with "
        yield [*row(words), *card_row(group.cards, _LOOK)]
