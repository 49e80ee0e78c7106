"""Games without the names of their players."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, Final

from canasta_notation.cards import SIDES
from canasta_notation.names import is_known, seat_of_tag
from canasta_notation.notation.document import Deal, Game, Tag, Tags

_SIDES: Final = frozenset(side for sides in SIDES.values() for side in sides)
#: Tags that people do not write as free text.
_KEPT: Final = ("CGN", "Rules", "Target", "Date")
#: The new name of a player, before the number.
_PLAYER: Final = "Player"
#: A word, or a single sign. Blanks only separate them.
_WORD: Final = re.compile(r"\w+|[^\w\s]")
#: The words of a name that may stand for it: not a particle such as `de`, and not an initial.
_PART: Final = re.compile(r"[^\W\d_]{3,}")

#: The words of a text, as they are compared.
ComparedWords = tuple[str, ...]


class PlayerNumbers:
    """The players of all games that are added, each with a number, in the order in which they come.

    Spellings of a name that differ only in case, accents or blanks are one player.
    """

    def __init__(self) -> None:
        self._names: dict[ComparedWords, str] = {}
        self._numbers: dict[ComparedWords, int] = {}

    def add(self, game: Game) -> None:
        """Number the players of a game."""
        for tag in game.tags:
            if _is_player(tag) and _key(tag.value) not in self._numbers:
                self._numbers[_key(tag.value)] = len(self._numbers) + 1
                self._names[_key(tag.value)] = tag.value

    def without_names(self, game: Game) -> Game:
        """Return a game with `Player 1` and so on for its players, in tags and comments.

        All games must have been added before. The Site tag is dropped. In texts, names are replaced
        in any case, and so are the words of a name of several words, but only as whole words.
        Names that are one letter, a number or a side stay in texts.
        """
        tags = tuple(self._tag(tag) for tag in game.tags if tag.name != "Site")
        deals = tuple(map(self._deal, game.deals))
        return replace(game, tags=Tags(tags), deals=deals, comments=self._texts(game.comments))

    def _tag(self, tag: Tag) -> Tag:
        value = tag.value
        if _is_player(tag):
            value = f"{_PLAYER} {self._numbers[_key(value)]}"
        elif tag.name not in _KEPT:
            value = self._text(value)
        noted: Tag = self._noted(tag)
        return replace(noted, value=value)

    def _deal(self, deal: Deal) -> Deal:
        changed: dict[str, Any] = {}
        for each in fields(deal):
            held = getattr(deal, each.name)
            if hasattr(held, "before"):
                changed[each.name] = self._noted(held)
            elif isinstance(held, tuple) and held and hasattr(held[0], "before"):
                changed[each.name] = tuple(map(self._noted, held))
        noted: Deal = self._noted(deal)
        return replace(noted, **changed)

    def _noted(self, line: Any) -> Any:
        """Return a line with names replaced in its comments."""
        if not line.before and line.comment is None:
            return line
        comment = None if line.comment is None else self._text(line.comment)
        return replace(line, before=self._texts(line.before), comment=comment)

    def _texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self._text, texts))

    def _text(self, text: str) -> str:
        """Return a text without names; of overlapping names, the first and longest is replaced."""
        composed = unicodedata.normalize("NFC", text)
        words = [*_WORD.finditer(composed)]
        keys = [_folded(word[0]) for word in words]
        pieces: list[str] = []
        at = end = 0
        while at < len(words):
            longest = min(self._longest, len(words) - at)
            sizes = range(longest, 0, -1)
            size = next((size for size in sizes if (*keys[at : at + size],) in self._called), 0)
            if size:
                pieces += composed[end : words[at].start()], self._called[(*keys[at : at + size],)]
                end = words[at + size - 1].end()
            at += size or 1
        return "".join((*pieces, composed[end:])) if pieces else text

    @cached_property
    def _called(self) -> dict[ComparedWords, str]:
        """What replaces each name and each part of one; a part may belong to several players."""
        found: dict[ComparedWords, list[int]] = {}
        for key, name in self._names.items():
            parts = _PART.findall(unicodedata.normalize("NFC", name))
            for part in {_key(part) for part in parts if part[0].isupper()}:
                found.setdefault(part, []).append(self._numbers[key])
        found.pop(_key(_PLAYER), None)
        for key, name in self._names.items():
            letters = sum(map(str.isalpha, name))
            if letters > 1 and name not in _SIDES:
                found[key] = [self._numbers[key]]
            else:
                found.pop(key, None)
        return {
            key: " or ".join(f"{_PLAYER} {number}" for number in numbers)
            for key, numbers in found.items()
        }

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._called), default=0)


def _is_player(tag: Tag) -> bool:
    """Return whether a tag names a known player."""
    return seat_of_tag(tag.name) is not None and is_known(tag.value)


def _key(name: str) -> ComparedWords:
    return tuple(map(_folded, _WORD.findall(unicodedata.normalize("NFC", name))))


def _folded(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
