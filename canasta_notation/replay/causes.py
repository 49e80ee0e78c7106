"""Which earlier finding causes a later one.

A finding rests on some things, such as a hand or the pile, and affects others. It follows from the
first finding that affected a thing on which it rests. A finding that depends only on the rules and
on the actions of its own turn rests on nothing.

`rules/findings/` says for each code what it rests on and what it affects, in these words:

- hands: the `hand` of a seat, the hand of the seat before it (`previous`), all `hands`; the cards
  that a seat was `dealt`, the cards that `replaced` its threes, and the cards of a rank that it
  has `laid`
- melds: the `melds` of a side with one label, whatever their number, its melds of wild cards
  (`wilds`), all its melds (`board`), all melds of all sides (`boards`); the threes that a side has
  `tabled`, those of all sides (`threes`)
- a side: the `count` of its opening, the points of its `special` hand, whether it has `asked` for
  permission to go out
- the deal: the `pile`, the pile `taken` last, the number of cards in the `stock`, which cards of
  the `deck` have been seen, the `packets` as dealt, whose `turn` it is, whether the deal has
  come to its `end`, the `mark` for going out
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from canasta_notation.cards import JOKER_RANK, KIND, RANK, UNKNOWN_RANK, meld_place
from canasta_notation.engine.ruleset import Rules
from canasta_notation.findings import Finding
from canasta_notation.rules import entry

#: A thing that a finding can affect: its kind, then whose it is (a seat or a side) and its rank. A
#: part that is None, or left out at the end, means all of them.
Thing = tuple[str | int | None, ...]
#: The facts that name cards which may belong in other melds, for findings about cards.
_CARDS: Final = {"meld-rank": ("card",), "pile-top": ("card", "card_top")}
#: The kinds that mean the things of every seat or side.
_ALL: Final[dict[str, Thing]] = {
    "hands": ("hand",), "boards": ("melds",), "threes": ("tabled",),
}  # fmt: skip


class Causes:
    """What the findings of a deal have affected so far, each thing with the first such finding."""

    def __init__(self, rules: Rules, affected: Iterable[tuple[Thing, Finding]] = ()) -> None:
        self._rules = rules
        #: In the order in which they were first affected.
        self.affected: dict[Thing, Finding] = dict(affected)

    def copy(self) -> Causes:
        """Return a copy that shares no mutable state."""
        return Causes(self._rules, self.affected.items())

    def of(self, code: str, message: str, seat: int, facts: Mapping[str, Any]) -> Finding | None:
        """Return the earlier finding from which a finding with this code and message follows.

        `seat` is the seat that plays; `facts` name another seat, a side, a rank or an item.
        """
        known = entry(code)
        kinds = known.messages[message].rests_on
        if kinds and known.items_rest_on:
            kinds = known.items_rest_on.get(facts["item"], kinds)
        things = [it for kind in kinds.split() for it in self._things(kind, code, seat, facts)]
        for affected, finding in self.affected.items():
            if any(_overlap(affected, thing) for thing in things):
                return finding
        return None

    def add(
        self, finding: Finding, message: str, seat: int, facts: Mapping[str, Any], *, later: bool
    ) -> None:
        """Note what a finding affects: at once, or only for `later` turns."""
        said = entry(finding.code).messages[message]
        for kind in (said.affects_later if later else said.affects).split():
            for thing in self._things(kind, finding.code, seat, facts):
                self.affect(thing, finding)

    def affect(self, thing: Thing, finding: Finding) -> None:
        """Note a thing that a finding affects. If the finding is a consequence, note its cause."""
        self.affected.setdefault(thing, finding.follows or finding)

    def take_pile(self, seat: int, *, alone: bool) -> None:
        """Let the findings that affected the pile affect the hand that takes it.

        If only its top was taken, `alone`, they still affect the pile.
        """
        finding = self.affected.pop(("pile",), None)
        self.affected.pop(("taken",), None)
        if finding is not None:
            self.affected["taken",] = finding
            if alone:
                self.affected["pile",] = finding
                return
            self.affected.setdefault(("hand", self._rules.seats[seat]), finding)

    def _things(self, kind: str, code: str, seat: int, facts: Mapping[str, Any]) -> list[Thing]:
        """Return the things of a kind that a finding is about."""
        rules = self._rules
        seat = facts.get("seat", seat)
        seats, side = rules.seats[seat], rules.sides[rules.side_of[seat]]
        if code in ("score", "score-item", "total"):
            seats = side = facts["name"]
        elif code in ("end-melds", "end-threes") and "side" in facts:
            seats = side = rules.sides[facts["side"]]
        match kind:
            case "hand" | "dealt" | "replaced":
                return [(kind, each) for each in seats]
            case "previous":
                return [("hand", rules.seats[seat - 1])]
            case "board":
                return [("melds", side)]
            case "laid":
                return [("laid", each, RANK[facts["card"]]) for each in seats]
            case "special" | "asked" | "count" | "tabled":
                return [(kind, side)]
            case "melds":
                cards = [facts[name] for name in _CARDS.get(code, ())]
                kinds = rules.sequence_of
                places = {
                    place for card in cards for place in (rules.set_of[RANK[card]], kinds[card])
                }
                if not cards or "meld" in facts:
                    places.add(facts.get("meld"))
                return [("melds", side, _label(place)) for place in places - {UNKNOWN_RANK}]
            case "wilds":
                return [("melds", side, JOKER_RANK)]
        return [_ALL.get(kind, (kind,))]


def _label(place: int | None) -> int | None:
    """Return the place of the first meld with the same label; None means all melds."""
    return None if place is None else meld_place(KIND[place])


def _overlap(thing: Thing, other: Thing) -> bool:
    """Return whether two things overlap; either may mean several."""
    return all(
        one is None or another is None or one == another
        for one, another in zip(thing, other, strict=False)
    )
