"""A position as one SVG: hands, melds, stock and pile, with a title and a description in words.

Suits are paths, and letters use any sans-serif font; each card is defined once and then used again.
Lengths are in user units. The drawing is 480 units wide, so that it can be read on a phone. A page
draws the same picture in the browser, with the cards and the lengths of `picture_parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from canasta_notation.cards import TEXT, UNKNOWN
from canasta_notation.engine.state import State
from canasta_notation.english import bounds, card_name, count, figure, listed, meld_name
from canasta_notation.render.wording import html, in_order

_WIDTH: Final = 480
_MARGIN: Final = 16
#: The distance from the left column to the right one.
_HALF: Final = 230
#: The size of a card, and how much of it shows below another card and beside another.
_CARD: Final = (44, 60)
_BELOW: Final = 25
_BESIDE: Final = 25
#: The distance from one meld to the next: there is room for the word under a canasta.
_COLUMN: Final = 67
#: The distance from the stock to the pile.
_PILE: Final = 160
_LINE: Final = 28
#: The space between two parts, one below the other.
_GAP: Final = 10
#: How many cards of a hand are in one row: beside another hand, and alone.
_ROW: Final = (9, 20)
#: The seats round a table: the rows above the piles, and those below, by how many seats there are.
_ROUND: Final = {
    2: (((0,),), ((1,),)),
    3: (((0, 1),), ((2,),)),
    4: (((0,), (3, 1)), ((2,),)),
    6: (((0, 1), (5, 2)), ((4, 3),)),
}
#: How many characters of a name and of the heading fit.
_NAME: Final = 12
_HEADING: Final = 40
_SUITS: Final = {
    "s": "M10 1C8 5 2 8 2 12.5a4 4 0 0 0 7 2.6Q8.7 18 6.5 19h7Q11.3 18 11 15.1"
    "a4 4 0 0 0 7-2.6C18 8 12 5 10 1z",
    "h": "M10 18.5C7 14.5 1.5 11 1.5 6.5a4.3 4.3 0 0 1 8.5-1.5 4.3 4.3 0 0 1 "
    "8.5 1.5c0 4.5-5.5 8-8.5 12z",
    "d": "M10 1c2 3.5 4.5 6.5 7 9-2.5 2.5-5 5.5-7 9-2-3.5-4.5-6.5-7-9 2.5-2.5 5-5.5 7-9z",
    "c": "M10 1a4 4 0 0 0-3.2 6.7A4.2 4.2 0 1 0 9.1 14.3Q9 17.5 6.5 19h7"
    "Q11 17.5 10.9 14.3a4.2 4.2 0 1 0 2.3-6.6A4 4 0 0 0 10 1z",
    "*": "M10 1l2.5 6.2 6.6.4-5.1 4.2 1.7 6.5-5.7-3.6-5.7 3.6L6 11.8.9 7.6l6.6-.4z",
}
_STYLE: Final = (
    "text{font:600 20px sans-serif;fill:#fff}.k{fill:#1b1e1c}.r,.r text{fill:#b3162a}"
    ".n,.w{font-weight:400;font-size:18px;fill:#d9e8dc}.w{font-size:15px}"
)
#: The colours of the table and of the cards, in the light form and in the dark one.
_LIGHT: Final = ("#245a41", "#fffef9")
_DARK: Final = ("#12211a", "#d8d2c4")


def position_svg(
    state: State,
    seats: str,
    sides: Sequence[str],
    *,
    names: Mapping[str, str] | None = None,
    heading: str = "",
    dark: bool = False,
) -> str:
    """Return a position as SVG of at most 16 KB.

    `names` are the players' names by their seats; `heading` is the title, of which a long one is
    drawn in two lines; `dark` is for a dark background. Not checked: that the state belongs to
    these seats and sides.
    """
    return _Drawing(state, seats, sides, names or {}, heading or "Canasta", dark=dark).svg()


def picture_words(state: State, sides: Sequence[str]) -> tuple[str, ...]:
    """Return how many cards the pile can have, for whom it is frozen, what each side needs to open.

    Each is "" if there is nothing to say; a pile that is known has as many cards as are drawn.
    """
    frozen = [side for side, each in zip(sides, state.frozen_for, strict=True) if each]
    size = len(state.pile)
    return (
        bounds(size, size + state.pile_loose) if state.pile_loose else "",
        f"frozen for {listed(frozen)}" if frozen and state.pile else "",
        *("" if side.opened else f"needs {figure(side.minimum)} to open" for side in state.sides),
    )


def picture_bounds(state: State) -> str:
    """Return how many cards the pile can have, "" if that is how many are drawn."""
    size = len(state.pile)
    return f"{size}-{size + state.pile_loose}" if state.pile_loose else ""


def picture_parts() -> dict[str, Any]:
    """Return what a browser needs to draw positions, as JSON has it."""
    return {
        "lengths": {
            "width": _WIDTH, "margin": _MARGIN, "half": _HALF, "card": _CARD, "below": _BELOW,
            "beside": _BESIDE, "column": _COLUMN, "pile": _PILE, "line": _LINE, "gap": _GAP,
            "row": _ROW, "round": _ROUND, "name": _NAME, "heading": _HEADING,
        },
        "style": _STYLE,
        "table": _LIGHT[0],
        "blank": _blank(_LIGHT[1]),
        "suits": {suit: _pip(suit) for suit in sorted(_SUITS)},
    }  # fmt: skip


class _Drawing:
    """One drawing, made from the top down."""

    def __init__(
        self,
        state: State,
        seats: str,
        sides: Sequence[str],
        names: Mapping[str, str],
        heading: str,
        *,
        dark: bool,
    ) -> None:
        self.state = state
        self.seats = seats
        self.sides = sides
        self.names = names
        self.heading = heading
        self.table, self.card = _DARK if dark else _LIGHT
        self.parts: list[str] = []
        self.used: set[int] = set()
        self.y = _MARGIN
        self.words = picture_words(state, sides)

    def svg(self) -> str:
        """Return the whole drawing."""
        for line in _heading(self.heading):
            self._text(_clipped(line, _HEADING), _MARGIN)
        above, below = _ROUND[len(self.seats)]
        for seats in above:
            self._hands(seats)
        self._decks()
        for at in range(len(self.sides)):
            self._side(at)
        for seats in below:
            self._hands(seats)
        height = self.y + _MARGIN - _GAP
        definitions = "".join(self._definitions())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'aria-labelledby="title desc"><title id="title">{html(self.heading)}</title>'
            f'<desc id="desc">{html(self._words())}</desc><style>{_STYLE}</style>'
            f"<defs>{definitions}</defs>"
            f'<rect width="{_WIDTH}" height="{height}" rx="20" fill="{self.table}"/>'
            f"{''.join(self.parts)}</svg>"
        )

    # --- rows -----------------------------------------------------------------------------------

    def _text(self, text: str, x: int, kind: str = "") -> None:
        """Write a line of text."""
        shown = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{self.y + 22}"{shown}>{html(text)}</text>')
        self.y += _LINE

    def _hands(self, seats: Sequence[int]) -> None:
        """Draw the hands of a row of players, side by side."""
        top, ends = self.y, []
        alone = len(seats) == 1
        for place, at in enumerate(seats):
            self.y = top
            self._hand(at, _MARGIN + place * _HALF, alone=alone)
            ends.append(self.y)
        self.y = max(ends)

    def _decks(self) -> None:
        """Draw the stock and the pile, and say how many cards they have."""
        state = self.state
        self._row([UNKNOWN], _MARGIN)
        self._row(state.pile[-1:], _MARGIN + _PILE)
        frost = self.words[1]
        x, pile = _MARGIN + _PILE + _CARD[0] + 10, f"pile {self._pile()}"
        words = [(f"stock {bounds(*state.stock)}", _MARGIN + _CARD[0] + 10, 37)]
        words += [(pile, x, 24), (frost, x, 48)] if frost else [(pile, x, 37)]
        for text, left, down in words:
            self.parts.append(f'<text x="{left}" y="{self.y + down}" class="n">{text}</text>')
        self.y += _CARD[1] + _GAP
        self._packets(None, _MARGIN)

    def _pile(self) -> str:
        """Return how many cards the pile has, or can have."""
        return self.words[0] or str(len(self.state.pile))

    def _side(self, at: int) -> None:
        """Draw a side's melds as columns, canastas closed, and its threes."""
        side = self.state.sides[at]
        points = "" if side.points is None else f", {count(side.points, 'point')}"
        opening = self.words[2 + at] and f", {self.words[2 + at]}"
        self._text(f"{self.sides[at]}{points}{opening}", _MARGIN)
        columns = [
            (
                in_order(meld)[-1:] if meld.canasta else in_order(meld),
                [str(meld.size), meld.canasta],
            )
            for meld in side.melds
        ]
        columns += [(side.threes, ["", ""])] if side.threes else []
        x, height = _MARGIN, 0
        for cards, labels in columns:
            if x + _CARD[0] > _WIDTH - _MARGIN:
                x, self.y, height = _MARGIN, self.y + height + _GAP, 0
            height = max(height, self._column(cards, labels, x))
            x += _COLUMN
        self.y += height + _GAP

    def _hand(self, at: int, left: int, *, alone: bool) -> None:
        hand = self.state.hands[at]
        seat = self.seats[at]
        name = _clipped(self.names.get(seat, ""), _NAME)
        due = " ▸" if self.state.due == at and not self.state.ended else ""
        self._text(f"{seat} {name}".rstrip() + f", {count(hand.size, 'card')}{due}", left, "n")
        cards = [*hand.cards, *[UNKNOWN] * hand.unknown]
        most = _ROW[alone]
        room = _WIDTH - 2 * _MARGIN if alone else _HALF - _GAP
        for first in range(0, len(cards), most):
            self._row(cards[first : first + most], left, room)
            self.y += _CARD[1] + (_GAP if first + most >= len(cards) else 4)
        self._packets(at, left)

    def _packets(self, owner: int | None, left: int) -> None:
        """Draw the feet and pots of a seat, or of no seat, and say how many cards they have."""
        for packet in self.state.packets:
            if packet.seat == owner:
                self._row([UNKNOWN], left)
                text, x = f"{packet.word}: {len(packet.cards)}", left + _CARD[0] + 10
                self.parts.append(f'<text x="{x}" y="{self.y + 37}" class="n">{text}</text>')
                self.y += _CARD[1] + _GAP

    # --- cards ----------------------------------------------------------------------------------

    def _row(self, cards: Sequence[int], x: int, room: int = _HALF) -> None:
        """Draw cards side by side; the more there are, the closer."""
        beside = min(_BESIDE, (room - _CARD[0]) / max(1, len(cards) - 1))
        self._use(((card, f'x="{round(at * beside)}"') for at, card in enumerate(cards)), x)

    def _column(self, cards: Sequence[int], labels: Iterable[str], x: int) -> int:
        """Draw cards one below the other and words under them; return the height."""
        self._use(((card, f'y="{at * _BELOW}"') for at, card in enumerate(cards)), x)
        height = _CARD[1] + _BELOW * (len(cards) - 1)
        for label, kind, line in zip(labels, "nw", (22, 18), strict=True):
            if label:
                height += line
                y = self.y + height - 2
                self.parts.append(f'<text class="{kind}" x="{x + 2}" y="{y}">{label}</text>')
        return height

    def _use(self, placed: Iterable[tuple[int, str]], x: int) -> None:
        """Draw cards, each with its distance from the first."""
        shown = []
        for card, place in placed:
            self.used.add(card)
            shown.append(f'<use href="#c{card}" {place}/>')
        self.parts.append(f'<g transform="translate({x} {self.y})">{"".join(shown)}</g>')

    def _definitions(self) -> Iterator[str]:
        """Yield the blank card, the back, the suits, and each card that is used."""
        yield _blank(self.card)
        yield from map(_pip, sorted({_suit(card) for card in self.used} - {""}))
        yield from map(_card, sorted(self.used))

    # --- words ----------------------------------------------------------------------------------

    def _words(self) -> str:
        """Return the position in sentences."""
        return " ".join([*map(self._side_words, range(len(self.sides))), *self._rest_words()])

    def _side_words(self, at: int) -> str:
        melds = [
            f"{meld_name(meld.rank)} ({meld.canasta + ' canasta, ' if meld.canasta else ''}"
            f"{count(meld.size, 'card')})"
            for meld in self.state.sides[at].melds
        ]
        return f"{self.sides[at]} has {listed(melds) if melds else 'no melds'}."

    def _rest_words(self) -> Iterator[str]:
        state = self.state
        top = f", top {card_name(state.pile[-1])}" if state.pile else ""
        yield f"Pile: {self._pile()}{top}."
        yield f"Stock: {bounds(*state.stock)}."
        for seat, hand in zip(self.seats, state.hands, strict=True):
            yield f"{seat} holds {count(hand.size, 'card')}."
        for packet in state.packets:
            owner = "" if packet.seat is None else f" of {self.seats[packet.seat]}"
            yield f"{packet.word.capitalize()}{owner}: {count(len(packet.cards), 'card')}."


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _heading(text: str) -> list[str]:
    """Return a heading as lines; a long one is broken after its last colon."""
    before, colon, place = text.rpartition(": ")
    return [before, place[:1].upper() + place[1:]] if len(text) > _HEADING and colon else [text]


def _blank(fill: str) -> str:
    width, height = _CARD
    return f'<rect id="b" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="#777"/>'


def _pip(suit: str) -> str:
    """Return the definition of a suit: beside the rank and, except for a joker, below it."""
    name = "j" if suit == "*" else suit
    pip = f"pip-{name}"  # not a letter and a number: `c1` is a card
    path = f'<path id="{pip}" transform="translate(23 5)scale(.95)" d="{_SUITS[suit]}"/>'
    low = "" if suit == "*" else f'<use href="#{pip}" x="-20" y="23"/>'
    return f'<g id="{name}">{path}{low}</g>'


def _card(card: int) -> str:
    return f'<g id="c{card}"{_colour(card)}><use href="#b"/>{_face(card)}</g>'


def _suit(card: int) -> str:
    """Return the suit of a card, `*` for a joker, "" for none."""
    text = TEXT[card]
    return text if text == "*" else text[1:] if text[1:] in _SUITS else ""


def _colour(card: int) -> str:
    red = TEXT[card][1:] in ("h", "d", "r")
    return ' class="r"' if red else ' fill="#6b3fa0"' if TEXT[card] == "*" else ""


def _face(card: int) -> str:
    text = TEXT[card]
    if card == UNKNOWN:
        return '<rect x="4" y="4" width="36" height="52" rx="3" fill="#274b7a"/>'
    if text == "*":
        return '<use href="#j" x="-18"/>'
    rank = "10" if text[0] == "T" else text[0]
    kind = "" if text[1:] in ("h", "d", "r") else ' class="k"'
    close = ' textLength="20" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    name = _suit(card)
    suit = f'<use href="#{name}"/>' if name else ""
    return f'<text x="3" y="22"{kind}{close}>{rank}</text>{suit}'
