"""Which findings can follow from which: what one puts in doubt, and what another rests on.

A finding follows from an earlier one if it rests on a thing that the earlier one put in doubt. A
finding that depends only on the rules and the turn's own actions rests on nothing earlier.

`rules/findings/` says for each code what it rests on and doubts, in these words:

- of a seat or all: its `hand`, that of the seat before it (`previous`), all `hands`; the cards that
  it was `dealt`
- of a side or all: its `melds` of one rank or of every rank (`board`), the melds of all sides
  (`boards`); the threes that it has `tabled`, those of all sides (`threes`)
- of a side: the cards `laid` of a rank, the `count` of its opening, the points of its `special`
  hand, whether it has `asked` for permission to go out
- of the deal: the `pile`, the pile `taken` last, the number of cards in the `stock`, which cards of
  the `deck` have been seen, the `talons` as dealt, whose `turn` it was, whether the deal came to
  its `end`, a `mark` of going out
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from canasta_notation.cards import RANK
from canasta_notation.engine.ruleset import Rules
from canasta_notation.findings import Finding
from canasta_notation.rules import entry

#: A thing that can be in doubt: its kind, then whose it is (a seat or a side) and its rank. A part
#: that is None, or left out at the end, means all of them.
Thing = tuple[str | int | None, ...]
#: The kinds that mean the things of every seat or side.
_ALL: Final[dict[str, Thing]] = {
    "hands": ("hand",), "boards": ("melds",), "threes": ("tabled",),
}  # fmt: skip


class Causes:
    """What the findings of a deal have put in doubt so far, each with the first such finding."""

    def __init__(self, rules: Rules, doubted: Iterable[tuple[Thing, Finding]] = ()) -> None:
        self._rules = rules
        #: In the order in which they came to be in doubt.
        self.doubted: dict[Thing, Finding] = dict(doubted)

    def copy(self) -> Causes:
        """Return a copy that shares no mutable state."""
        return Causes(self._rules, self.doubted.items())

    def of(self, code: str, message: str, seat: int, facts: Mapping[str, Any]) -> Finding | None:
        """Return the earlier finding from which a finding with this code and message follows.

        `seat` is the seat that plays; `facts` name another seat, a side, a rank or an item.
        """
        known = entry(code)
        kinds = known.messages[message].rests
        if kinds and known.items_rest:
            kinds = known.items_rest.get(facts["item"], kinds)
        things = [it for kind in kinds.split() for it in self._things(kind, code, seat, facts)]
        for doubted, finding in self.doubted.items():
            if any(_overlap(doubted, thing) for thing in things):
                return finding
        return None

    def add(
        self, finding: Finding, message: str, seat: int, facts: Mapping[str, Any], *, later: bool
    ) -> None:
        """Note what a finding puts in doubt: at once, or for `later` turns."""
        said = entry(finding.code).messages[message]
        for kind in (said.doubts_later if later else said.doubts).split():
            for thing in self._things(kind, finding.code, seat, facts):
                self.doubt(thing, finding)

    def doubt(self, thing: Thing, finding: Finding) -> None:
        """Note a thing that a finding puts in doubt; if it is a consequence, its cause is noted."""
        self.doubted.setdefault(thing, finding.follows or finding)

    def take_pile(self, seat: int) -> None:
        """Extend a doubt about the pile to the hand that takes it."""
        finding = self.doubted.pop(("pile",), None)
        self.doubted.pop(("taken",), None)
        if finding is not None:
            self.doubted["taken",] = finding
            self.doubted.setdefault(("hand", self._rules.seats[seat]), finding)

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
            case "hand" | "dealt":
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
                ranks = {facts.get("meld")}
                if code == "meld-rank":
                    ranks.add(RANK[facts["card"]])
                elif code == "pile-top":
                    ranks = {RANK[facts["card"]], RANK[facts["card_top"]]}
                return [("melds", side, rank) for rank in ranks]
        return [_ALL.get(kind, (kind,))]


def _overlap(thing: Thing, other: Thing) -> bool:
    """Return whether two things overlap, when either may stand for several."""
    return all(
        one is None or another is None or one == another
        for one, another in zip(thing, other, strict=False)
    )
