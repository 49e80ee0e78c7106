"""The items of a score: everything about an item that does not depend on the play.

The engine says when an item is earned, and how much it counts (`engine/scoring.py`). The grammar,
the schemas and the words of spreadsheets are data and name the items once more;
`tests/test_foreign_items.py` compares them with this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

#: What decides an item that the record leaves open: melds, hands or threes at the end of the deal,
#: how the seat went out, the turns in which canastas were laid, or a special hand.
Decided = Literal[
    "", "melds", "hands", "melds and hands", "threes", "out", "turns", "packets", "special"
]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a score.

    `key` is the rule that says how much it counts, "" if cards or rulings do. `earned` is what an
    audit says of one entry; it can have `{meld}`, `{kinds}` (of its cards), `{cards}` (how many),
    `{packet}` and `{seat}`, and is empty if the audit lists cards or rulings instead.

    In a row of the score pad, `figure` names a figure for the item and `asked` explains it;
    `bonus` explains the points if a row takes those instead. Each is empty if the pad has no such
    figure. `books` are the two words for it of players who call canastas books, () if they have
    none: those who play with feet.
    """

    name: str
    key: str
    decided: Decided
    earned: str = ""
    figure: str = ""
    asked: str = ""
    bonus: str = ""
    books: tuple[str, ...] = ()

    def figure_words(self, *, books: bool) -> tuple[str, str]:
        """Return `figure` and `asked`, in the words of players with `books` if these have any."""
        if not (books and self.books):
            return self.figure, self.asked
        first, other = self.books
        figure = f"{first} ({other}) books"
        return figure, self.asked.replace(self.figure, figure)


#: Every item, in the order in which items are shown.
_ITEMS: Final = (
    Item("melds", "", "melds", earned="{meld}: {kinds}"),
    Item(
        "natural",
        "score.natural",
        "melds",
        earned="canasta of {meld}: {cards}",
        figure="natural canastas",
        asked="How many natural canastas: seven cards or more of a rank, without wild cards.",
        books=("clean", "red"),
    ),
    Item(
        "mixed",
        "score.mixed",
        "melds",
        earned="canasta of {meld}: {cards}",
        figure="mixed canastas",
        asked="How many mixed canastas: seven cards or more of a rank, with wild cards.",
        books=("dirty", "black"),
    ),
    Item(
        "sevens",
        "score.sevens",
        "melds",
        earned="canasta of {meld}: {cards}",
        bonus="The bonus for a canasta of sevens.",
    ),
    Item(
        "aces",
        "score.aces",
        "melds",
        earned="canasta of {meld}: {cards}",
        bonus="The bonus for a canasta of natural aces.",
    ),
    Item(
        "wild",
        "score.wild",
        "melds",
        earned="canasta of {meld}: {cards}",
        figure="wild canastas",
        asked="How many canastas of wild cards alone.",
        bonus="The bonus for a canasta of wild cards.",
    ),
    Item(
        "sequence",
        "score.sequence",
        "melds",
        earned="sequence of {meld}: {cards}",
        figure="sequences of seven",
        asked="How many canastas that are sequences: seven cards of one suit that follow one "
        "another.",
    ),
    Item(
        "concealed-canasta",
        "score.concealed_canasta",
        "turns",
        earned="concealed canasta of {meld}",
        bonus="The bonus for canastas laid complete in one turn.",
    ),
    Item(
        "red3",
        "score.red3",
        "threes",
        figure="red threes",
        asked="How many red threes the side has on the table.",
    ),
    Item(
        "threes",
        "score.red3",
        "threes",
        figure="points of threes",
        asked="How many points the side's threes count.",
    ),
    Item("out", "score.out", "", earned="{seat} went out"),
    Item(
        "concealed",
        "score.concealed",
        "out",
        earned="{seat} went out concealed",
    ),
    Item(
        "unfinished",
        "score.unfinished",
        "melds",
        earned="unfinished canasta of {meld}",
        bonus="The points lost for sevens, natural aces or wild cards that did not become a "
        "canasta, for example -2500.",
    ),
    Item(
        "held",
        "score.held",
        "hands",
        earned="{seat} held back {meld}",
        bonus="The points lost for sevens or aces left in one hand, for example -1500.",
    ),
    Item(
        "packet",
        "packet.unused",
        "packets",
        earned="{packet} not picked up",
        bonus="The points lost for feet, pots or talons that nobody picked up, for example -100.",
    ),
    Item("hand", "", "hands"),
    Item(
        "special",
        "special",
        "special",
        earned="special hand of {seat}",
        figure="points of a special hand",
        asked="The points of a special hand.",
    ),
    Item(
        "penalty",
        "",
        "",
        figure="penalties",
        asked="The points taken from the side as a penalty, for example 100.",
    ),
    Item(
        "bonus",
        "",
        "",
        figure="bonuses",
        asked="The points that the table gave the side, for example 50 for an exact cut.",
    ),
)
#: What a score line can write in place of `melds` and `hand`; no score has it as an item.
_NET: Final = Item(
    "cards",
    "",
    "melds and hands",
    figure="points of cards",
    asked="The points of the cards melded minus those left in the hands, for example 275; or both "
    "separately, for example 365/-90.",
)
#: The names of the items of a score, in their order.
ITEMS: Final = tuple(item.name for item in _ITEMS)
#: What a score line can name.
SCORED: Final = {item.name: item for item in (*_ITEMS, _NET)}
#: The items that are never more than 0.
TAKEN_OFF: Final = ("unfinished", "held", "packet", "hand", "penalty")
#: The items that count tabled threes, of which a profile has one.
THREES_ITEMS: Final = tuple(item.name for item in _ITEMS if item.decided == "threes")
