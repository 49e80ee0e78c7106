"""Sentences by key: templates of `sentences.toml`, filled in, in the current language."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from canasta_notation.cards import KIND, KINDS, LABELS, SEQUENCE, TEXT
from canasta_notation.english import card_name
from canasta_notation.language.languages import (
    ENGLISH,
    catalogue,
    current_language,
    figure,
    use_language,
)

#: The keys of cards that have a word as their name.
_CALLED: Final = {"3r": "red_three", "3b": "black_three", "*": "joker", "_": "unknown"}
#: The keys of ranks whose melds are not named by their letter.
_RANKS: Final = ("melds_3r", "melds_3")
#: The ranks whose letters depend on the language.
LETTERS: Final = "JQKA"
#: The tables of texts that are not sentences about a game.
_TABLES: Final = ("labels", "words", "app")
#: What the keys of the application begin with.
_APP: Final = "app_"
#: The sentences whose values the browser has.
_FILLED: Final = ("Q1", "Q2", "A4", "A5", "A6", "T1", "T2")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence: its key and the values of its template."""

    key: str
    values: tuple[tuple[str, object], ...] = ()

    @property
    def text(self) -> str:
        """The sentence in the current language. Cards are written as people read them."""
        values = dict(self.values)
        text = _text(current_language(), self.key, _many(self.key, values))
        return text.format_map({name: _shown(value) for name, value in values.items()})

    def __str__(self) -> str:
        return self.text

    def said(self, language: str) -> str:
        """Return the sentence in a language."""
        with use_language(language):
            return self.text


@dataclass(frozen=True, slots=True)
class Names:
    """Names as a list: Ana, Bruno and Carla."""

    names: tuple[object, ...]

    def __str__(self) -> str:
        *most, last = [*map(_shown, self.names)] or [""]
        if not most:
            return last
        # In Spanish, "y" becomes "e" before the sound of an i.
        sounds = last.lower().removeprefix("h")
        before_i = sounds[:1] in ("i", "í") and sounds[1:2] not in ("a", "e", "o")
        key = "and_before_i" if before_i else "and"
        return say(key, a=", ".join(most), b=last).text


@dataclass(frozen=True, slots=True)
class Card:
    """A card as people read it: 10♥, K♠, joker."""

    code: int

    def __str__(self) -> str:
        key = _CALLED.get(TEXT[self.code])
        if key:
            return label(key)
        name = card_name(self.code)
        return letter(name[0]) + name[1:]


@dataclass(frozen=True, slots=True)
class Melds:
    """The cards of a meld: kings, wild cards, spades; kings (K/2) of a second one."""

    place: int

    def __str__(self) -> str:
        kind = KIND[self.place]
        mark = LABELS[kind]
        key = f"suit_{mark}" if kind >= SEQUENCE else f"melds_{mark}"
        name = label(_RANKS[kind] if kind < len(_RANKS) else key)
        return name if self.place < KINDS else f"{name} ({LABELS[self.place]})"


def say(key: str, **values: object) -> Sentence:
    """Return the sentence of a key with its values; whole numbers are written as 5,480.

    Raises KeyError for a key that does not exist and for a value that the template names and
    `values` does not have.
    """
    missing = _fields(key) - values.keys()
    if missing:
        raise KeyError(*missing)
    return Sentence(key, tuple(values.items()))


def label(key: str) -> str:
    """Return a label for cards or figures. Raises KeyError for an unknown key."""
    return _text(current_language(), key, many=False)


def letter(rank: str) -> str:
    """Return the letter of a rank on a card: K, Q, J and A depend on the language."""
    return label(f"letter_{rank}") if rank in LETTERS else rank


def templates() -> dict[str, str]:
    """Return the English template of every sentence, by its key; if there are two, the plural."""
    return {key: each[-1] for key, each in _sources().items() if key in _sentences()}


def words(language: str) -> dict[str, str | list[str]]:
    """Return the words of the browser in a language; of two texts, the first is the singular."""
    return {key: _one_or_both(key, language) for key in (*_data()["words"], *_FILLED)}


def app_words(language: str) -> dict[str, str | list[str]]:
    """Return the words of the application in a language, by their keys without `app_`."""
    return {key.removeprefix(_APP): _one_or_both(key, language) for key in _data()["app"]}


def _one_or_both(key: str, language: str) -> str | list[str]:
    written = texts(key, language)
    return [*written] if len(written) > 1 else written[0]


def texts(key: str, language: str) -> tuple[str, ...]:
    """Return the templates of a key in a language: one, or singular and plural."""
    forms = (False, True)[: len(_sources()[key])]
    return tuple(_text(language, key, many=many) for many in forms)


def sentence_keys() -> Iterable[str]:
    """Return every key, of sentences, labels and words."""
    return _sources()


# --- the texts of a key -----------------------------------------------------------------------


def _shown(value: object) -> str:
    return figure(value) if isinstance(value, int) else str(value)


def _many(key: str, values: Mapping[str, object]) -> bool:
    """Return whether a sentence is in the plural: about several, or not about one."""
    count = _data().get(key, {}).get("count", "n") if key in _sentences() else "n"
    return len(_sources()[key]) > 1 and values[count] != 1


@cache
def _text(language: str, key: str, many: bool) -> str:
    """Return the template of a key. Raises KeyError for an unknown key."""
    one, *plural = _sources()[key]
    found = catalogue(language)
    if not plural:
        return found.pgettext(key, one)
    return found.npgettext(key, one, plural[0], 2 if many else 1)


@cache
def _fields(key: str) -> frozenset[str]:
    parsed = string.Formatter().parse(_text(ENGLISH, key, many=False))
    return frozenset(name for _, name, _, _ in parsed if name)


@cache
def _sources() -> Mapping[str, tuple[str, ...]]:
    """Return the English texts of each key: one, or singular and plural."""
    data = _data()
    found = {
        key: (each["text"], *([each["many"]] if "many" in each else []))
        for key, each in data.items()
        if key in _sentences()
    }
    for table in _TABLES:
        found |= {
            key: (each,) if isinstance(each, str) else tuple(each)
            for key, each in data[table].items()
        }
    return found


@cache
def _sentences() -> frozenset[str]:
    return frozenset(_data().keys() - {*_TABLES})


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("sentences.toml").read_text("utf-8"))
