"""Which finding can be a consequence of which: what one puts in doubt, and what another rests on.

A finding follows from an earlier one where it rests on a thing that the earlier one put in doubt. A
ruling on the rules and the turn's own actions alone rests on nothing that an earlier turn did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from canasta_notation.cards import RANK
from canasta_notation.engine.rules import Rules
from canasta_notation.findings import Finding

#: A thing that can be in doubt: its kind, then whose (a seat, a side) and which (a rank); what is
#: left out at the end, or None, stands for all of them.
Thing = tuple[str | int | None, ...]
_PILE: Final[Thing] = ("pile",)
_TAKEN: Final[Thing] = ("taken",)

#: What a finding puts in doubt, by its code or by its code and message: the `hand` of its seat,
#: those of all (`hands`), `melds` of its side and rank, those of all (`boards`), cards `laid` of a
#: rank, what the side's opening does `count`, the `pile`, the one `taken` last, the number of cards
#: in the `stock`, which of the `deck` have been seen, the `talons` as dealt, whose `turn` it was,
#: that the deal came to its `end`, a `mark` of going out, the points of the side's `special` hand,
#: the threes that it has `tabled`.
#: Before the deal began, the `target` may have come into doubt, the `total` of a side (of all:
#: `totals`) by missing deals, its `sum` (`sums`) by a false total.
_DOUBTED: Final = {
    "deal-size": "hand stock deck",
    "up-cards": "pile stock deck",
    "talon.none": "talons deck",
    "talon.dealt": "talons deck",
    # After a turn of another seat than was due, anything can be other than it looks.
    "wrong-seat": "hands boards pile taken stock deck turn",
    "draw-missing": "hand stock pile",
    "draw-count": "hand stock deck",
    "replacement": "hand stock deck",
    "stock-order": "stock",
    "pile-top": "hand taken",
    "meld-rank": "laid melds",
    "meld-rank.top": "laid melds hand",
    "meld-short": "melds count",
    "special-hand": "special end",
    "out-canasta": "end",
    "out-canasta.stuck": "hand pile",
    "out-discard.required": "end",
    "out-denied": "end",
    "out-claim": "mark",
    "discard-missing": "hand pile",
    "end-melds": "melds",
    "end-melds.nobody": "",
    "end-threes": "tabled",
    "end-threes.nobody": "",
    "end-hand": "hand",
    "end-hand.nobody": "",
    # Turns are missing before the end that is claimed.
    "pile-must-take": "hands boards",
    "end-stock-left": "hands boards",
}
#: What only later turns can rest on: what is judged at the end of a turn does not.
_DOUBTED_LATER: Final = {
    "meld-rank": "hand deck",
    "meld-short": "hand",
    "talon.undue": "hand stock deck",
    "talon.size": "hand stock deck",
    "talon.other": "hand stock deck",
}

#: What a finding rests on, in the same words.
_RESTS: Final = {
    "deck-count": "deck stock",
    "not-in-hand": "hand laid",
    "stock-order": "stock",
    "stock-empty": "stock",
    "draw-count.last": "stock",
    "replacement.last": "stock",
    "pile-top": "taken",
    "pile-count": "taken",
    "pile-empty": "pile",
    "pile-frozen": "taken turn",
    "pile-blocked": "taken",
    "pile-unmeldable": "taken melds",
    "pile-one-card": "taken hand",
    "pile-must-take": "pile hand stock melds",
    "meld-short": "melds",
    "meld-naturals": "melds",
    "meld-wilds": "melds",
    "meld-size": "melds",
    "meld-wild-ban": "melds",
    "meld-threes.not-out": "hand",
    "opening-low": "turn count total sum",
    "opening-low.rest": "hand turn count total sum",
    "opening-form": "turn count",
    "opening-claim": "turn count",
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
    "talon": "turn talons count",
    "talon.dealt": "talons",
    "after-end": "hands stock end",
    "after-game": "target totals sums",
    "end-melds": "melds",
    "end-melds.nobody": "",
    "end-threes": "hand",
    "end-threes.nobody": "",
    "end-hand": "hand",
    "end-hand.nobody": "",
    "end-claim": "hands stock end mark",
    "end-stock-left": "stock",
    "end-missing.open": "hands stock mark",
    "score.false": "hand melds tabled special",
    "score-item": "melds",
    "score-item.unknown": "",
    "score-item.impossible": "",
    "total.false": "total",
}
#: Items that do not rest on the melds of their side.
_ITEM_RESTS: Final = {
    "hand": "hand",
    "cards": "hand melds",
    "red3": "hand tabled",
    "threes": "hand tabled",
    "out": "hand end",
    "concealed": "hand melds end",
    "held": "hand",
    "special": "hand special",
    "penalty": "",
}


class Causes:
    """What the findings of a deal have put in doubt so far, each thing with the first to do so."""

    def __init__(self, rules: Rules, doubted: Sequence[tuple[Thing, Finding]] = ()) -> None:
        self._rules = rules
        self._doubted: list[tuple[Thing, Finding]] = list(doubted)

    def of(self, code: str, message: str, seat: int, facts: Mapping[str, Any]) -> Finding | None:
        """Return the finding that one of this code and message follows from.

        `seat` is the one that plays; `facts` name another seat, a side, a rank or an item.
        """
        kinds = _kinds(_RESTS, code, message)
        if kinds and code == "score-item":
            kinds = _ITEM_RESTS.get(facts["item"], kinds)
        things = [it for kind in kinds.split() for it in self._things(kind, code, seat, facts)]
        for doubted, finding in self._doubted:
            if any(_overlap(doubted, thing) for thing in things):
                return finding
        return None

    def add(self, finding: Finding, message: str, seat: int, facts: Mapping[str, Any]) -> None:
        """Note what a finding puts in doubt; where it is a consequence, its cause is blamed."""
        self._add(_kinds(_DOUBTED, finding.code, message), finding, seat, facts)

    def add_later(
        self, finding: Finding, message: str, seat: int, facts: Mapping[str, Any]
    ) -> None:
        """Note what a finding puts in doubt for the turns after its own."""
        self._add(_kinds(_DOUBTED_LATER, finding.code, message), finding, seat, facts)

    def _add(self, kinds: str, finding: Finding, seat: int, facts: Mapping[str, Any]) -> None:
        cause = finding.follows or finding
        for kind in kinds.split():
            self._doubted += [
                (thing, cause) for thing in self._things(kind, finding.code, seat, facts)
            ]

    def doubt(self, thing: Thing, finding: Finding) -> None:
        """Note a thing that a finding before this deal has put in doubt."""
        self._doubted.append((thing, finding.follows or finding))

    def take_pile(self, seat: int) -> None:
        """Note that what is in doubt of the pile is in doubt of the hand that takes it, too."""
        hand: Thing = ("hand", self._rules.seats[seat])
        pile = [finding for thing, finding in self._doubted if thing == _PILE]
        self._doubted = [each for each in self._doubted if each[0] not in (_PILE, _TAKEN)]
        for finding in pile:
            self._doubted += [(_TAKEN, finding), (hand, finding)]

    def _things(self, kind: str, code: str, seat: int, facts: Mapping[str, Any]) -> list[Thing]:
        """Return the things of a kind that a finding is about."""
        rules = self._rules
        seat = facts.get("seat", seat)
        seats, side = rules.seats[seat], rules.sides[rules.side_of[seat]]
        if code in ("score", "score-item", "total"):
            seats = side = facts["name"]
        elif code in ("end-melds", "end-threes"):
            seats = side = rules.sides[facts["side"]]
        match kind:
            case "hand":
                return [("hand", each) for each in seats]
            case "hands":
                return [("hand",)]
            case "boards":
                return [("melds",)]
            case "laid":
                return [("laid", each, RANK[facts["card"]]) for each in seats]
            case "special" | "count" | "tabled" | "total" | "sum":
                return [(kind, side)]
            case "totals" | "sums":
                return [(kind.removesuffix("s"),)]
            case "melds":
                ranks = {facts.get("meld")}
                if code == "meld-rank":
                    ranks.add(RANK[facts["card"]])
                return [("melds", side, rank) for rank in ranks]
        return [(kind,)]


def _kinds(table: Mapping[str, str], code: str, message: str) -> str:
    """Return what a table has for a code and message, else for the code."""
    return table.get(f"{code}.{message}", table.get(code, ""))


def _overlap(thing: Thing, other: Thing) -> bool:
    """Return whether two things, of which either may stand for several, have one in common."""
    return all(
        one is None or another is None or one == another
        for one, another in zip(thing, other, strict=False)
    )
