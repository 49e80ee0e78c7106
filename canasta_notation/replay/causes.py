"""Which finding can be a consequence of which: what one puts in doubt, and what another rests on.

A finding follows from an earlier one where it rests on a thing that the earlier one put in doubt. A
ruling on the rules and the turn's own actions alone rests on nothing that an earlier turn did.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from canasta_notation.cards import RANK
from canasta_notation.engine.rules import Rules
from canasta_notation.findings import Finding

#: A thing that can be in doubt: its kind, then whose (a seat, a side) and which (a rank); what is
#: left out at the end, or None, stands for all of them.
Thing = tuple[str | int | None, ...]

#: What a finding puts in doubt: the `hand` of its seat, `melds` of its side and rank, the `pile`,
#: the number of cards in the `stock`, which of the `deck` have been seen, whose `turn` it was,
#: how the deal came to its `end`.
_DOUBTED: Final = {
    "deal-size": "hand stock deck",
    "up-cards": "pile stock deck",
    "draw-missing": "hand stock pile",
    "draw-count": "hand stock deck",
    "replacement": "hand stock deck",
    "pile-top": "hand pile",
    "meld-rank": "hand melds deck",
    "meld-short": "hand melds",
    "discard-missing": "hand pile",
    "talon": "hand stock deck",
    "out-claim": "end",
}
#: After a turn of another seat than was due, anything can be other than it looks.
_ALL: Final[tuple[Thing, ...]] = (
    ("hand",), ("melds",), ("pile",), ("stock",), ("deck",), ("turn",),
)  # fmt: skip
#: Those judged at the end of the turn: what they put in doubt, later turns rest on.
_LATER: Final = frozenset(("meld-rank", "meld-short", "talon"))

#: What a finding rests on, by its code or by its code and message; `hands` are those of all seats.
_RESTS: Final = {
    "deck-count": "deck stock",
    "not-in-hand": "hand",
    "stock-order": "stock",
    "stock-empty": "stock",
    "pile-top": "pile",
    "pile-count": "pile",
    "pile-empty": "pile",
    "pile-frozen": "pile turn",
    "pile-blocked": "pile",
    "pile-unmeldable": "pile melds",
    "pile-one-card": "pile hand",
    "pile-must-take": "pile hand stock melds",
    "meld-short": "melds",
    "meld-naturals": "melds",
    "meld-wilds": "melds",
    "meld-size": "melds",
    "meld-wild-ban": "melds",
    "meld-threes.not-out": "hand",
    "opening-low": "turn",
    "opening-low.rest": "hand turn",
    "opening-form": "turn",
    "opening-claim": "turn",
    "special-hand.opened": "turn",
    "special-hand.rest": "hand",
    "out-canasta": "hand melds",
    "out-discard.required": "hand",
    "out-claim": "hand melds",
    "out-denied": "hand",
    "out-promised": "hand",
    "discard-missing": "hand",
    "discard-ban": "hand",
    "discard-ban.empty": "hand pile",
    "talon": "turn",
    "after-end": "hands stock",
    "end-claim": "hands stock end",
    "end-stock-left": "stock",
    "end-missing.open": "hands stock end",
    "score.false": "hand melds",
    "score-item": "melds",
    "score-item.unknown": "",
    "score-item.impossible": "",
}
#: Items that do not rest on the melds of their side.
_ITEM_RESTS: Final = {
    "hand": "hand",
    "cards": "hand melds",
    "red3": "hand",
    "threes": "hand",
    "out": "hand",
    "concealed": "hand melds",
    "held": "hand",
    "special": "hand",
    "penalty": "",
}


class Causes:
    """What the findings of a deal have put in doubt so far, each thing with the first to do so."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._doubted: list[tuple[Thing, Finding]] = []

    def of(self, code: str, message: str, seat: int, facts: Mapping[str, Any]) -> Finding | None:
        """Return the finding that one of this code and message follows from.

        `seat` is the one that plays; `facts` name another seat, a side, a rank or an item.
        """
        kinds = _RESTS.get(f"{code}.{message}", _RESTS.get(code, ""))
        if kinds and code == "score-item":
            kinds = _ITEM_RESTS.get(facts["item"], kinds)
        things = [it for kind in kinds.split() for it in self._things(kind, code, seat, facts)]
        for doubted, finding in self._doubted:
            if any(_overlap(doubted, thing) for thing in things):
                return finding
        return None

    def add(self, finding: Finding, seat: int, facts: Mapping[str, Any]) -> None:
        """Note what a finding puts in doubt; where it is a consequence, its cause is blamed."""
        things = list(_ALL) if finding.code == "wrong-seat" else []
        for kind in _DOUBTED.get(finding.code, "").split():
            things += self._things(kind, finding.code, seat, facts)
        self._doubted += [(thing, finding.follows or finding) for thing in things]

    def pile_taken(self, seat: int) -> None:
        """Note that what was in doubt of the pile is now in doubt of the hand that took it."""
        hand: Thing = ("hand", self._rules.seats[seat])
        self._doubted = [
            (hand if thing == ("pile",) else thing, finding) for thing, finding in self._doubted
        ]

    def _things(self, kind: str, code: str, seat: int, facts: Mapping[str, Any]) -> list[Thing]:
        """Return the things of a kind that a finding is about."""
        rules = self._rules
        seat = facts.get("seat", seat)
        seats, side = rules.seats[seat], rules.sides[rules.side_of[seat]]
        if code in ("score", "score-item"):
            seats = side = facts["name"]
        match kind:
            case "hand":
                return [("hand", each) for each in seats]
            case "hands":
                return [("hand",)]
            case "melds":
                ranks = {facts.get("meld")}
                if code == "meld-rank":
                    ranks.add(RANK[facts["card"]])
                return [("melds", side, rank) for rank in ranks]
        return [(kind,)]


def comes_later(code: str) -> bool:
    """Return whether nothing of the same turn rests on what a finding of the code put in doubt."""
    return code in _LATER


def _overlap(thing: Thing, other: Thing) -> bool:
    """Return whether two things, of which either may stand for several, have one in common."""
    return all(
        one is None or another is None or one == another
        for one, another in zip(thing, other, strict=False)
    )
