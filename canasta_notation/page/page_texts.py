"""What HTML says in the first language of a page, and its translations to the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from markupsafe import Markup

from canasta_notation.language.languages import use_language
from canasta_notation.language.sentences import Sentence, say
from canasta_notation.page.marked_up import inked
from canasta_notation.render.wording import points

Made = TypeVar("Made")


class PageTexts:
    """The texts of a part of a page, each once. A page of one language has no translations."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages
        self._places: dict[object, int] = {}

    def mark(self, text: object) -> Markup:
        """Return the attribute of an element that says a text, by which it can be translated."""
        if len(self.languages) == 1:
            return Markup("")
        return Markup(" data-t={}").format(self._places.setdefault(text, len(self._places)))

    def words(self, key: str, **values: object) -> Markup:
        """Return a label as HTML."""
        return self.value(say(key, **values))

    def value(self, text: object) -> Markup:
        """Return a name or a label as HTML; text of a record stays as it is."""
        if isinstance(text, str) or len(self.languages) == 1:
            return inked(str(text))
        return Markup("<span{}>{}</span>").format(self.mark(text), inked(str(text)))

    def number(self, number: Sentence | int | None) -> Markup:
        """Return points as HTML; `?` if they are not known. A range of points is a sentence."""
        if isinstance(number, Sentence):
            return self.value(number)
        text = points(number)
        plain = len(self.languages) == 1 or number is None or text.isdecimal()
        return Markup(text) if plain else Markup("<span data-n>{}</span>").format(text)

    def translations(self) -> dict[str, list[str]]:
        """Return the texts in their places, in each language but the first."""
        return {
            language: in_language(language, lambda: [*map(str, self._places)])
            for language in self.languages[1:]
        }


def in_language(language: str, make: Callable[[], Made]) -> Made:
    """Return what is made while a language is in use."""
    with use_language(language):
        return make()
