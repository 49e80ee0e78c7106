"""Trying plays: a copy of a table, actions on it, and the engine's first objection.

Nothing here judges: what is legal is what the engine, asked on a copy, does not object to.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from canasta_notation.arrays import COMPILED, array
from canasta_notation.cards import ACE, CODE, FOUR, JOKER_RANK, NO_CODES, OF_RANK
from canasta_notation.engine.actions import Action
from canasta_notation.engine.discard import discard
from canasta_notation.engine.hand import Deck, Hand
from canasta_notation.engine.lay import lay
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import Side
from canasta_notation.engine.table import Table, Violation
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.engine.turn_end import end_turn

#: What arrays are of: lists, where nothing is compiled.
_ARRAY = NO_CODES.__class__


def clone(play: Table) -> Table:
    """Return a copy that shares nothing that changes with the table it is of.

    Violations and doubts of the original are left behind. About 20 microseconds.
    """
    rules = play.rules
    copy: Table = _copied(play, rules)
    deck = copy.deck = _copied(play.deck, rules)
    copy.hands = [_copied(hand, rules) for hand in play.hands]
    for hand in copy.hands:
        hand.deck = deck
    copy.sides = [_copied(side, rules) for side in play.sides]
    copy.hand = copy.hands[copy.seat]
    copy.side = copy.sides[rules.side_of[copy.seat]]
    copy.violations = []
    copy.doubts = []
    return copy


def _copied(thing: Any, rules: Rules) -> Any:
    """Return a copy of an object of the engine whose lists and arrays are copies too.

    Arrays of compiled classes are copied by the classes: set from here, mypyc 2.4 loses them.
    """
    kind = thing.__class__
    copy = _blank(thing, rules) if COMPILED else kind.__new__(kind)
    for name in _names(kind):
        value = getattr(thing, name)
        if value.__class__ is list:
            setattr(copy, name, value[:])
        elif value.__class__ is not _ARRAY:
            setattr(copy, name, value)
    if COMPILED:
        copy.copy_arrays(thing)
    return copy


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of what an object of the engine is made of."""
    if COMPILED:
        return tuple(kind.__mypyc_attrs__)
    return tuple(name for each in kind.__mro__[:-1] for name in each.__slots__)


def _blank(thing: Any, rules: Rules) -> Any:
    """Return a new object of a compiled class, which cannot be made without its constructor."""
    match thing:
        case Table():
            return Table(rules, thing.dealer, [0] * len(rules.sides), False)
        case Deck():
            return Deck(rules)
        case Hand():
            return Hand(thing.deck)
        case Side():
            return Side(thing.total, thing.minimum)
    raise TypeError(f"no class of the table: {thing.__class__.__name__}")


class Trial:
    """What became of a copy: the table after the actions, and the first violation, if any.

    `certain` is False where the engine could not decide a check because of unwritten cards.
    """

    def __init__(self, play: Table, violation: Violation | None) -> None:
        self.play = play
        self.violation = violation

    @property
    def legal(self) -> bool:
        """Whether the engine had no objection."""
        return self.violation is None

    @property
    def certain(self) -> bool:
        """Whether every check was decided."""
        return not self.play.doubts


def attempt(play: Table, actions: Iterable[Action], *, end: bool = True) -> Trial:
    """Try actions of the seat whose turn is on, on a copy, up to the first violation.

    With `end` the turn is ended after them and judged as a whole.
    """
    copy = clone(play)
    for action in actions:
        perform(copy, action)
        if copy.violations:
            return Trial(copy, copy.violations[0])
    if end:
        end_turn(copy, "")
    return Trial(copy, copy.violations[0] if copy.violations else None)


@lru_cache(maxsize=1_000_000)
def meld_holds(
    rules: Rules, rank: int, stood: tuple[int, int], laid: tuple[int, int], opened: bool
) -> bool:
    """Return whether a meld has a legal shape at the end of a turn, by asking the engine.

    `stood` is how many naturals and wild cards it had before the turn, `laid` how many came in it
    (the pile's top included), `opened` whether the side had opened before.
    """
    probe = Table(rules, rules.players - 1, [0] * len(rules.sides), has_stock=False)
    side = probe.sides[rules.side_of[0]]
    side.put(rank, stood[0], stood[1], 0, 0, 0)
    side.opened = opened
    hand = probe.hands[0]
    two, spare = CODE["2s"], OF_RANK[FOUR if rank != FOUR else FOUR + 1][0]
    cards = (OF_RANK[rank][0],) * laid[0] + (two,) * laid[1]
    for code in (*cards, spare, spare, spare):
        hand.add(code)
    begin_turn(probe, 0)
    probe.drew = True
    if cards:
        lay(probe, rank, array(cards))
    discard(probe, spare)
    end_turn(probe, "")
    return not any(violation.code.startswith("meld-") for violation in probe.violations)


#: The ranks of which naturals are melded, and the one of a meld of wild cards.
MELDABLE = (*range(FOUR, ACE + 1), JOKER_RANK)
