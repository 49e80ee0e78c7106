"""The picture of a game to share, an SVG: who won, by how much, and in which deals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from canasta_notation.cards import JOKER, TEXT
from canasta_notation.language.sentences import Card, say
from canasta_notation.page.shown_game import DealRow, ShownGame
from canasta_notation.render.wording import html, points

#: The size of the picture, and its margin.
WIDTH: Final = 1200
HEIGHT: Final = 630
_MARGIN: Final = 60
#: Of a bar: the top of the highest, the room for both sides, and the widest. How many deals fit.
_TOP: Final = 350
_HIGH: Final = 90
_BAR: Final = 90
_ALL_BARS: Final = 560
_DEALS: Final = 12
#: Where the moment begins.
_MOMENT: Final = 680
#: The sizes of a headline, each with how many lines it may have.
_SIZES: Final = ((70, 2), (58, 2), (48, 3))
#: How wide characters can be in bold sans-serif fonts, in hundredths of their size.
_NARROW: Final = dict.fromkeys("iljtfrI.,:;'|!()[] -", 40)
_WIDE: Final = dict.fromkeys("mwMWQO@%&…—", 100)
_USUAL: Final = 72
_WIDEST: Final = 110
_COLOURS: Final = ("#9cc9ff", "#ffc090", "#d9b8ff")


def share_picture(game: ShownGame) -> str:
    """Return the picture of a game in the current language. Text is cut to the width."""
    parts = [*_head(game), *_bars(game), *_moment(game)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{html(game.cover.headline.text)}</title>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#1f4d37"/>'
        f'<g font-family="sans-serif" fill="#fff">{"".join(parts)}</g></svg>'
    )


def _head(game: ShownGame) -> Iterator[str]:
    """Yield the event, who won, and the totals."""
    room = WIDTH - 2 * _MARGIN
    yield _text(str(game.title), _MARGIN, 70, 30, room, fill="#d3e4d7")
    headline = game.cover.headline.text
    for size, most in _SIZES:
        lines = _lines(headline, size, room)
        if len(lines) <= most:
            break
    lines = [*lines[: most - 1], *filter(None, [" ".join(lines[most - 1 :])])]
    y = 90
    for line in lines:
        y += size
        yield _text(line, _MARGIN, y, size, room, weight=700)
    if game.cover.result is not None:
        yield _text(game.cover.result.text, _MARGIN, y + 56, 44, room, weight=700)


def _bars(game: ShownGame) -> Iterator[str]:
    """Yield a bar for each of the last deals, above the line for the first side, and the sides."""
    rows = [row for row in game.rows if row.winner is not None][-_DEALS:]
    step = min(_BAR, _ALL_BARS // max(1, len(rows)))
    for at, row in enumerate(rows):
        yield from _bar(game, row, _MARGIN + at * step, step)
    wide = _ALL_BARS // len(game.play.sides)
    for at, colour in enumerate(_COLOURS[: len(game.play.sides)] if rows else ()):
        name = f"■ {game.story.side(at)}"
        yield _text(name, _MARGIN + at * wide, HEIGHT - 26, 20, wide - 10, fill=colour)


def _bar(game: ShownGame, row: DealRow, x: int, step: int) -> Iterator[str]:
    middle, tall = _TOP + _HIGH, max(4, row.part * (_HIGH - 24) // 100)
    above = row.winner == 0 or not game.story.two
    y = middle - tall if above else middle
    colour = _COLOURS[row.winner or 0]
    wide = step - 8
    yield f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}" rx="4" fill="{colour}"/>'
    under = y - 6 if above else y + tall + 20
    yield _text(points(row.margin), x, under, 18, wide, fill=colour)
    yield _text(str(row.number), x, HEIGHT - 60, 20, wide, fill="#d3e4d7")


def _moment(game: ShownGame) -> Iterator[str]:
    """Yield the first moment of the cover: where it was, and its cards."""
    if not game.cover.moments:
        return
    moment, x, room = game.cover.moments[0], _MOMENT, WIDTH - _MOMENT - _MARGIN
    place = say("deal_turn", d=moment.deal, t=moment.turn).text
    yield _text(place, x, 370, 26, room, fill="#d3e4d7")
    for at, half in enumerate(moment.halves):
        y = 390 + at * 110
        words = " ".join([str(half.name), *map(str, half.labels)])
        yield _text(words, x, y + 20, 24, room)
        for place_of, card in enumerate(half.cards):
            yield from _card(card, x + place_of * 74, y + 30)


def _card(code: int, x: int, y: int) -> Iterator[str]:
    red = TEXT[code][-1] in "hdr"
    ink = "#6b3fa0" if code == JOKER else "#b3162a" if red else "#1b1e1c"
    yield f'<rect x="{x}" y="{y}" width="66" height="62" rx="8" fill="#fffef9"/>'
    shown = "★" if code == JOKER else str(Card(code))
    yield _text(shown, x + 6, y + 42, 20 if len(shown) > 2 else 30, 56, weight=700, fill=ink)


# --- text ---------------------------------------------------------------------------------------


def width(text: str, size: int) -> int:
    """Return how wide a text can be at most, in pixels."""
    return sum(_of(char) for char in text) * size // 100


def _of(char: str) -> int:
    if char in _NARROW:
        return _NARROW[char]
    return _WIDE.get(char, _USUAL if char.isascii() or (char.isalpha() and char < "Ͱ") else _WIDEST)


def _lines(text: str, size: int, room: int) -> list[str]:
    """Return a text in lines that fit; a word that is too long gets a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _text(
    text: str, x: int, y: int, size: int, room: int, *, weight: int = 400, fill: str = "#fff"
) -> str:
    """Return a line of text; it is cut and drawn closer if it might not fit."""
    shown, most = text, room * 9 // 8
    while width(shown, size) > most:
        shown = shown[:-2].rstrip("…") + "…"
    close = ""
    if width(shown, size) > room:
        close = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"'
    style = "" if weight == 400 else f' font-weight="{weight}"'
    style += "" if fill == "#fff" else f' fill="{fill}"'
    return f'<text x="{x}" y="{y}" font-size="{size}"{style}{close}>{html(shown)}</text>'
