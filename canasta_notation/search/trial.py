"""Trying plays: a copy of a table, actions on it, and the engine's first objection.

Nothing is judged here: a play is legal if the engine, on a copy, does not object to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from canasta_notation.arrays import array
from canasta_notation.cards import ACE, CODE, FOUR, JOKER_RANK, OF_RANK, RANK, TWO, UNKNOWN
from canasta_notation.engine.actions import Action, Discard, Lay
from canasta_notation.engine.discard import discard
from canasta_notation.engine.hands import add_card, hand_counts, known_cards
from canasta_notation.engine.lay import lay
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import put_cards
from canasta_notation.engine.table import Table, Violation, copy_table, pile_of
from canasta_notation.engine.take import rest_of
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.fields import unchecked

#: Actions of cards that were found in a hand.
make_lay: Final = unchecked(Lay)
make_discard: Final = unchecked(Discard)


def held_cards(table: Table) -> list[int]:
    """Return the cards that the hand of the seat that plays must hold, as far as they are known."""
    if table.knowledge is not None:
        return known_cards(table, table.seat)[0]
    counts = hand_counts(table, table.seat)
    return [code for code in range(UNKNOWN) for _ in range(counts[code])]


def highest_wilds(rules: Rules, hand: list[list[int]]) -> list[int]:
    """Return the wild cards of a hand, which is given by rank, those that count most first."""
    twos, jokers = hand[TWO], hand[JOKER_RANK]
    first = rules.rank_points[TWO] > rules.rank_points[JOKER_RANK]
    return twos + jokers if first else jokers + twos


def pile_rest(table: Table) -> list[int]:
    """Return the cards that come into the hand with the top of the pile: all but threes.

    If a take is in progress, they are the cards that are not in the hand yet.
    """
    taking = table.waiting or table.rest_kept
    rest = rest_of(table) if taking else pile_of(table)[:-1]
    return [code for code in rest if not table.rules.tabled[RANK[code]]]


class Trial(NamedTuple):
    """The outcome of a trial: the table after the actions, and the first violation, if any.

    `played` says that no action violated a rule, so that a violation is one of the turn's end.

    `certain` is False if the engine could not decide a check because of unwritten cards.
    """

    table: Table
    violation: Violation | None
    played: bool

    @property
    def legal(self) -> bool:
        """Whether the engine had no objection."""
        return self.violation is None

    @property
    def certain(self) -> bool:
        """Whether every check was decided."""
        return not self.table.doubts


def attempt(table: Table, actions: Iterable[Action], *, end: bool = True) -> Trial:
    """Try actions of the seat whose turn it is, on a copy, up to the first violation.

    With `end` the turn is ended after them and judged as a whole.
    """
    copy = copy_table(table)
    for action in actions:
        perform(copy, action)
        if copy.violations:
            return Trial(copy, copy.violations[0], played=False)
    if end:
        end_turn(copy, "")
    return Trial(copy, copy.violations[0] if copy.violations else None, played=True)


@lru_cache(maxsize=1_000_000)
def meld_holds(
    rules: Rules, rank: int, stood: tuple[int, int], laid: tuple[int, int], opened: bool
) -> bool:
    """Return whether, by the engine, a meld has a legal shape at the end of a turn.

    `stood` is how many naturals and wild cards it had before the turn, `laid` is how many were laid
    in the turn (with the pile's top), `opened` says whether the side had opened before.
    """
    probe = Table(rules, rules.players - 1, [0] * len(rules.sides), has_stock=False)
    side = rules.side_of[0]
    put_cards(probe, side, rank, stood[0], stood[1], 0, 0, 0)
    probe.opened |= opened << side
    two, spare = CODE["2s"], OF_RANK[FOUR if rank != FOUR else FOUR + 1][0]
    cards = (OF_RANK[rank][0],) * laid[0] + (two,) * laid[1]
    for code in (*cards, spare, spare, spare):
        add_card(probe, 0, code)
    begin_turn(probe, 0)
    probe.drew = True
    if cards:
        lay(probe, rank, array(cards))
    discard(probe, spare)
    end_turn(probe, "")
    return not any(
        violation.code.startswith("meld-")
        or (violation.code == "opening-form" and violation.message == "canasta")
        for violation in probe.violations
    )


#: The ranks of melds; JOKER_RANK is the rank of a meld of wild cards.
MELDABLE = (*range(FOUR, ACE + 1), JOKER_RANK)
