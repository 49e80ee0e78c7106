"""Cards and sentences as HTML, for the templates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

from canasta_notation.cards import JOKER, TEXT, UNKNOWN
from canasta_notation.language.sentences import Card
from canasta_notation.render.wording import fit

#: A card of a red suit, as people read it.
_RED: Final = re.compile("((?:10|[2-9A-Z])[♥♦])")


def card_list(codes: Iterable[int]) -> str:
    """Return cards with a space between them, and none within one."""
    return " ".join(str(Card(code)).replace(" ", "\xa0") for code in codes)


def inked(text: str) -> Markup:
    """Return a text as HTML, with its red cards in red."""
    parts = [
        Markup("<span class=red>{}</span>").format(part) if at % 2 else escape(fit(part))
        for at, part in enumerate(_RED.split(text))
    ]
    return Markup("").join(parts)


def faces(codes: Iterable[int]) -> Markup:
    """Return cards as HTML, each drawn as a card."""
    return Markup("").join(
        Markup('<span class="face{}">{}</span>').format(_ink(code), _face(code)) for code in codes
    )


def _face(code: int) -> str:
    return "★" if code == JOKER else "" if code == UNKNOWN else str(Card(code))


def _ink(code: int) -> str:
    if code == UNKNOWN:
        return " back"
    return " wild" if code == JOKER else " red" if TEXT[code][-1] in "hdr" else ""
