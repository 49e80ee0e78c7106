"""Tables for the browser: one line of fields for a deal's first table, then what each turn changes.

A field is text without a space: cards are one character each, and words are given as the index of
a text in a list. The fields are, in order: a hand for each seat; for each side its melds, threes,
points and standing; the pile, its state, the stock, the seat due, other remarks; what a picture
says about the pile and the sides. A change is the
field's number in base 36, then either `=` and the new text, or how many characters stay before and
after, and the text between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from canasta_notation.cards import (
    BARE,
    BLACK_THREE,
    LABELS,
    RANK,
    RED_THREE,
    TEXT,
    UNKNOWN,
    is_wild,
)
from canasta_notation.engine.state import MeldState, SideState, State
from canasta_notation.english import card_name, count, figure, listed
from canasta_notation.page.diagram import picture_words
from canasta_notation.page.wording import in_order
from canasta_notation.report.played import PlayedDeal
from canasta_notation.rules import Profile
from canasta_notation.story.told_game import ToldGame

#: The character of each card code.
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$()*"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The letter for the kind of canasta that a meld is; a capital says that it is concealed.
_KINDS: Final = {"": "-", "natural": "n", "mixed": "m", "wild": "w", "sequence": "s"}
#: The separator of melds.
_MELDS: Final = "."


class Texts:
    """A list of texts, each once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> str:
        """Return the index of a text in the list, as a field writes it; "" for no text."""
        return str(self._places.setdefault(text, len(self._places))) if text else ""

    def all(self) -> list[str]:
        """Return the texts in their places."""
        return [*self._places]


def deal_tables(told: ToldGame, deal: PlayedDeal, texts: Texts) -> tuple[str, list[str]]:
    """Return the fields of the table as dealt, and what each turn of the deal changes."""
    tables = [_fields(told, each, texts) for each in deal.states]
    changes = [" ".join(_changes(before, after)) for before, after in pairwise(tables)]
    return (" ".join(tables[0]) if tables else ""), changes


def _changes(before: list[str], after: list[str]) -> Iterator[str]:
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            whole, part = f"={new}", _spliced(old, new)
            yield _DIGITS[at] + min(whole, part, key=len)


def _spliced(old: str, new: str) -> str:
    least = min(len(old), len(new))
    start = next((at for at in range(least) if old[at] != new[at]), least)
    least -= start
    end = next((at for at in range(least) if old[-1 - at] != new[-1 - at]), least)
    return f"{start},{end},{new[start : len(new) - end]}"


def _fields(told: ToldGame, state: State, texts: Texts) -> list[str]:
    play = told.play
    fields = [_cards(hand.cards) + _cards((UNKNOWN,) * hand.unknown) for hand in state.hands]
    for side in state.sides:
        fields.append(_MELDS.join(map(_meld, side.melds)))
        fields.append(_cards(side.threes))
        fields.append("" if side.points is None else str(side.points))
        fields.append(texts.place(side_words(side, over=bool(state.ended))))
    fewest, most = state.stock
    fields.append(_cards(state.pile))
    fields.append(texts.place(pile_words(state, told)))
    fields.append(str(fewest) if fewest == most else f"{fewest}-{most}")
    fields.append("" if state.due is None or state.ended else play.seats[state.due])
    fields.append(texts.place(". ".join(_remarks(state, told))))
    fields += map(texts.place, picture_words(state, play.sides))
    return fields


def _cards(codes: Iterable[int]) -> str:
    return "".join(ALPHABET[code] for code in codes)


def _meld(meld: MeldState) -> str:
    kind = _KINDS[meld.canasta]
    kind = kind.upper() if meld.concealed else kind
    return LABELS[meld.rank] + kind + _cards(in_order(meld))


# --- in words -----------------------------------------------------------------------------------


def side_words(side: SideState, *, over: bool) -> str:
    """Return what a side must open with, if it has not opened, and its penalties.

    In a deal that is `over`, the opening no longer matters.
    """
    words = [] if over or side.opened else [f"must open with {figure(side.minimum)}"]
    words += [f"penalties {side.penalty}"] if side.penalty else []
    return ", ".join(words)


def pile_words(state: State, told: ToldGame) -> str:
    """Return for whom the pile is frozen and why, "" for an empty pile."""
    if not state.pile:
        return "empty" if not state.pile_loose else f"up to {count(state.pile_loose, 'card')}"
    loose = f"up to {state.pile_loose} more, " if state.pile_loose else ""
    profile = told.play.profile
    if profile["pile.always_frozen"]:
        return f"{loose}always frozen"
    if state.frozen:
        by = [code for code in state.pile if _freezes(code, profile)]
        return f"{loose}frozen by {card_name(by[-1])}" if by else f"{loose}frozen"
    held = [told.side(at) for at, each in enumerate(state.frozen_for) if each]
    if state.frozen is None:
        return f"{loose}may be frozen: not all of its cards are known"
    if len(held) == len(state.frozen_for):
        return f"{loose}frozen for each side until it opens"
    if not held:
        return f"{loose}not frozen"
    return (
        f"{loose}frozen for {listed(held)}, until {'it opens' if len(held) == 1 else 'they open'}"
    )


def _freezes(code: int, profile: Profile) -> bool:
    kinds = {*profile["pile.freezers"], *profile["up.freezes"]}
    kind = {RED_THREE: "red3", BLACK_THREE: "black3"}.get(RANK[code], "")
    return (kind or ("wild" if is_wild(code) else "")) in kinds


def _remarks(state: State, told: ToldGame) -> Iterator[str]:
    """Yield how the deal ended, and which other cards hands can and cannot hold."""
    seats = [told.player(seat) for seat in told.play.seats]
    by = "" if state.ended_by is None else seats[state.ended_by]
    if state.ended:
        yield {
            "out": f"{by} went out",
            "special": f"{by} laid a special hand",
            "stock": "the stock is empty: the deal is over",
        }[state.ended]
    for seat, hand in zip(seats, state.hands, strict=True):
        if hand.loose:
            more = count(hand.loose, "more unseen card", "more unseen cards")
            yield f"{seat} may hold up to {more}"
    for excluded in dict.fromkeys(hand.excluded for hand in state.hands if hand.excluded):
        held = [
            seat for seat, hand in zip(seats, state.hands, strict=True) if hand.excluded == excluded
        ]
        ranks = " ".join(TEXT[BARE[rank]] for rank in excluded)
        yield f"{listed(held)}: no {ranks} among the unseen cards"
