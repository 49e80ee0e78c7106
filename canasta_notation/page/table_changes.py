"""Tables for the browser: one line of fields for a deal's first table, then what each turn changes.

A field is text without a space: cards are one character each, and words are given as the indices
of texts in a list, with + between them. The fields are, in order: a hand for each seat; for each
side its melds, threes, points and standing; the pile, its state, the stock, the seat due, other
remarks; what a picture says about the pile and the sides; the feet and pots on the table, those of
each seat and then the others, with dots between them. A change is the field's number in base
36, then either `=` and the new text, or how many characters stay before and after, and the text
between them.
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
    UNKNOWN,
    is_wild,
)
from canasta_notation.engine.state import MeldState, SideState, State
from canasta_notation.language.sentences import Card, Names, Sentence, say
from canasta_notation.render.diagram import picture_bounds
from canasta_notation.render.wording import in_order
from canasta_notation.report.played import PlayedDeal
from canasta_notation.rules import Profile
from canasta_notation.story.story_game import StoryGame

#: The character of each card code.
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$()*"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The letter for the kind of canasta that a meld is; a capital says that it is concealed.
_KINDS: Final = {
    "": "-", "natural": "n", "semi": "h", "mixed": "m", "wild": "w", "sequence": "s",
}  # fmt: skip
#: The separator of melds, and of the packets of seats.
_PARTS: Final = "."


class Texts:
    """A list of texts, each once."""

    def __init__(self) -> None:
        self._places: dict[Sentence, int] = {}

    def place(self, text: Sentence) -> int:
        """Return the index of a text in the list."""
        return self._places.setdefault(text, len(self._places))

    def field(self, texts: Iterable[Sentence]) -> str:
        """Return the indices of texts, as a field writes them; "" for none."""
        return "+".join(str(self.place(each)) for each in texts)

    def all(self) -> list[str]:
        """Return the texts in their order, in the current language."""
        return [each.text for each in self._places]


def deal_tables(game: StoryGame, deal: PlayedDeal, texts: Texts) -> tuple[str, list[str]]:
    """Return the fields of the table as dealt, and what each turn of the deal changes."""
    tables = [_fields(game, each, texts) for each in deal.states]
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


def _fields(game: StoryGame, state: State, texts: Texts) -> list[str]:
    play = game.play
    fields = [
        cards_text(hand.cards) + cards_text((UNKNOWN,) * hand.unknown) for hand in state.hands
    ]
    for side in state.sides:
        fields.append(_PARTS.join(map(_meld, side.melds)))
        fields.append(cards_text(side.threes))
        fields.append("" if side.points is None else str(side.points))
        fields.append(texts.field(side_words(side, over=bool(state.ended))))
    fewest, most = state.stock
    fields.append(cards_text(state.pile))
    fields.append(texts.field(pile_words(state, game)))
    fields.append(str(fewest) if fewest == most else f"{fewest}-{most}")
    fields.append("" if state.due is None or state.ended else play.seats[state.due])
    fields.append(texts.field(_remarks(state, game)))
    fields.append(picture_bounds(state))
    fields.append(texts.field(_frost(state, game)))
    fields += [texts.field(_needs(side)) for side in state.sides]
    owners = (*range(len(play.seats)), None)
    packets = [texts.field(_packets(state, owner)) for owner in owners] if state.packets else []
    fields.append(_PARTS.join(packets))
    return fields


def cards_text(codes: Iterable[int]) -> str:
    return "".join(ALPHABET[code] for code in codes)


def _meld(meld: MeldState) -> str:
    kind = _KINDS[meld.canasta]
    kind = kind.upper() if meld.concealed else kind
    return LABELS[meld.rank] + kind + cards_text(in_order(meld))


# --- in words -----------------------------------------------------------------------------------


def side_words(side: SideState, *, over: bool) -> Iterator[Sentence]:
    """Yield what a side must open with, if it has not opened, and its rulings.

    In a deal that is `over`, the opening no longer matters.
    """
    if not over and not side.opened:
        yield say("must_open", x=side.minimum)
    if side.penalty:
        yield say("penalties", x=side.penalty)
    if side.bonus:
        yield say("bonuses", x=side.bonus)


def pile_words(state: State, game: StoryGame) -> Iterator[Sentence]:
    """Yield how many more cards the pile may have, for whom it is frozen and why."""
    loose = state.pile_loose
    if not state.pile:
        yield say("pile_up_to", n=loose) if loose else say("pile_empty")
        return
    if loose:
        yield say("pile_more", n=loose)
    yield _frozen(state, game)


def _frozen(state: State, game: StoryGame) -> Sentence:
    profile = game.play.profile
    if profile["pile.always_frozen"]:
        return say("pile_always")
    if state.frozen:
        by = [code for code in state.pile if _freezes(code, profile)]
        return say("pile_frozen_by", c=Card(by[-1])) if by else say("pile_frozen")
    if state.frozen is None:
        return say("pile_may")
    held = _held(state, game)
    if len(held) == len(state.frozen_for):
        return say("pile_each")
    return say("pile_for", s=Names(tuple(held))) if held else say("pile_free")


def _held(state: State, game: StoryGame) -> list[Names]:
    """Return the sides for which the pile is frozen."""
    return [game.side(at) for at, each in enumerate(state.frozen_for) if each]


def _frost(state: State, game: StoryGame) -> Iterator[Sentence]:
    """Yield for whom the pile is frozen, by the letters of the seats, as a picture says it."""
    held = [name for name, each in zip(game.play.sides, state.frozen_for, strict=True) if each]
    if held and state.pile:
        yield say("pic_frozen", s=Names(tuple(held)))


def _needs(side: SideState) -> Iterator[Sentence]:
    if not side.opened:
        yield say("pic_needs", x=side.minimum)


def _packets(state: State, owner: int | None) -> Iterator[Sentence]:
    """Yield the feet and pots of a seat, or of no seat, that lie on the table."""
    for packet in state.packets:
        if packet.seat == owner:
            yield say(f"{packet.word}_lies", n=len(packet.cards))


def _freezes(code: int, profile: Profile) -> bool:
    kinds = {*profile["pile.freezers"], *profile["up.freezes"]}
    kind = {RED_THREE: "red3", BLACK_THREE: "black3"}.get(RANK[code], "")
    return (kind or ("wild" if is_wild(code) else "")) in kinds


def _remarks(state: State, game: StoryGame) -> Iterator[Sentence]:
    """Yield how the deal ended, and which other cards hands can and cannot hold."""
    seats = [game.player(seat) for seat in game.play.seats]
    if state.ended == "stock":
        yield say("stock_over")
    elif state.ended and state.ended_by is not None:
        yield say("G1" if state.ended == "out" else "G4", n=seats[state.ended_by])
    for seat, hand in zip(seats, state.hands, strict=True):
        if hand.loose:
            yield say("may_hold", s=seat, n=hand.loose)
    for excluded in dict.fromkeys(hand.excluded for hand in state.hands if hand.excluded):
        held = [
            seat for seat, hand in zip(seats, state.hands, strict=True) if hand.excluded == excluded
        ]
        ranks = tuple(Card(BARE[rank]) for rank in excluded)
        yield say("none_unseen", s=Names(tuple(held)), r=Names(ranks))
