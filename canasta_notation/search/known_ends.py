"""Known ends of a turn, with which most groups need no search of their own.

A turn that has an end seldom loses it by one more group. So a group is legal if it can break
nothing but its meld's shape, or if an end that was found before also fits after it. In the first
case, counting decides; in the second, the engine decides, with one trial instead of many.
"""

from __future__ import annotations

from typing import Final

from canasta_notation.cards import ACE, FOUR, KIND, RANK, RANKS, SEQUENCE
from canasta_notation.engine.actions import Action, Discard, Lay
from canasta_notation.engine.discard import is_plain
from canasta_notation.engine.side import must_leave
from canasta_notation.engine.table import NOT_KNOWN, Table
from canasta_notation.search.ending import close, find_ending, find_opening
from canasta_notation.search.found import Ending
from canasta_notation.search.plans import Budget
from canasta_notation.search.trial import attempt, make_discard, make_lay

#: How many known ends are tried after a group, the last one found first.
_MOST_TRIED: Final = 2


class KnownEnds:
    """Ends of the turn in progress; none are known for a table with unwritten cards.

    `held` is the hand in the order of `ending.discards`, and `ending` is an end that is known, if
    there is one. `stays` says that the search found no way to go out.
    """

    def __init__(
        self,
        table: Table,
        budget: Budget,
        held: list[int],
        ending: tuple[Action, ...],
        *,
        stays: bool,
    ) -> None:
        self.table = table
        self.budget = budget
        self.held = held
        self.known = table.knowledge is None
        self._ends: list[tuple[Action, ...]] = [ending] if ending else []
        self._lacks = 0
        if not table.opened_before and table.minimums[table.side] != NOT_KNOWN:
            self._lacks = table.minimums[table.side] - table.count_most
        #: Whether a group may be followed by going out: not if the whole turn cannot be.
        self.leaves = not (stays and self.known)
        #: The cards of the hand whose discard clearly ends a turn of the side, None if not known.
        self._plain: list[int] | None = None
        #: Whether the turn has no end with a group, None if that is not decided yet.
        self._none: bool | None = None if stays and self.known and self._must_open() else False

    def _must_open(self) -> bool:
        """Return whether a turn with a group must be an opening that ends with a discard."""
        table = self.table
        began = table.waiting or table.took or table.answer or must_leave(table)
        return not (table.opened_before or began)

    def none(self) -> bool:
        """Return whether no group of the turn can be legal: nothing opens, and nobody goes out."""
        if self._none is None:
            self.budget.renew()
            opening = find_opening(self.table, self.budget)
            self._none = opening is None and not self.budget.reached
            if opening is not None:
                self._ends.append(opening.actions)
        return self._none

    def plain_end(self, lay: Lay) -> Action | None:
        """Return a discard that, by counting alone, ends the turn after a group, None if none does.

        Not checked: the shape of the meld.
        """
        if self._plain is None:
            self._plain = self._plain_cards()
        on_top = self.table.took and lay.rank == self.table.taken.place
        if on_top or not FOUR <= lay.rank <= ACE or len(self.held) < len(lay.cards) + 2:
            return None
        for code in self._plain:
            if RANK[code] != lay.rank or lay.cards.count(code) < self.held.count(code):
                return make_discard(code)
        return None

    def _plain_cards(self) -> list[int]:
        """Return the plain discards of a side that has opened, if a turn can end now with one."""
        table = self.table
        if not (self.known and table.rules.known_lays and table.opened_before):
            return []
        if table.waiting or table.rest_kept or table.last_three or table.answer:
            return []
        if table.places > RANKS or must_leave(table):
            return []
        now = close(table, ())
        if now is None or now.out:
            return []
        return [code for code in self.held if is_plain(table, code)]

    def after(self, table: Table, lay: Lay) -> Ending | None:
        """Return an end of the turn after a group that led to the given table; see `Ending`."""
        for known in self._ends[: -_MOST_TRIED - 1 : -1] if self.known else ():
            actions = self._fitted(lay, known)
            if actions and attempt(table, actions).legal:
                return Ending(actions, out=False, concealed=False, certain=True)
        self.budget.renew()
        found = find_ending(table, self.budget, leave=self.leaves)
        if found is not None and found.certain and found.actions and not found.out:
            self._ends.append((lay, *found.actions))
        return found

    def _fitted(self, lay: Lay, known: tuple[Action, ...]) -> tuple[Action, ...]:
        """Return what is left of a known end after a group, with a discard; () if it does not fit.

        Cards of a rank can replace one another.
        """
        left = self.held[:]
        for code in lay.cards:
            left.remove(code)
        fitted: list[Action] = []
        worth = self.table.rules.card_points
        points = sum([worth[code] for code in lay.cards])
        for action in known:
            if isinstance(action, Lay):
                if action.rank != lay.rank:
                    cards = _taken(left, action)
                    if not cards:
                        return ()
                    points += sum([worth[code] for code in cards])
                    fitted.append(make_lay(action.rank, cards))
            elif not isinstance(action, Discard):
                return ()
        if not left or points < self._lacks:
            return ()
        return (*fitted, make_discard(left[0]))


def _taken(left: list[int], lay: Lay) -> tuple[int, ...]:
    """Take the cards of a group, or others of their ranks, from those left; () if that fails."""
    cards: list[int] = []
    for code in lay.cards:
        if code not in left:
            like = [other for other in left if RANK[other] == RANK[code]]
            if not like or KIND[lay.rank] >= SEQUENCE:
                return ()
            code = like[0]
        left.remove(code)
        cards.append(code)
    return tuple(cards)
