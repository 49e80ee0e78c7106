"""The languages of a story: their texts, how they write numbers, and the one that is in use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Final

from canasta_notation.language.catalogue_file import compile_catalogue

#: The languages, and each as it calls itself.
LANGUAGES: Final = {
    "en": "English",
    "es": "Español",
    "de": "Deutsch",
    "it": "Italiano",
    "pt": "Português",
}
#: The languages as English calls them.
IN_ENGLISH: Final = {
    "en": "English",
    "es": "Spanish",
    "de": "German",
    "it": "Italian",
    "pt": "Portuguese",
}
#: The language of `sentences.toml`.
ENGLISH: Final = "en"
#: The separator of groups of three digits, and how many digits a number needs to be grouped.
_GROUPS: Final = {
    "en": (",", 4),
    "es": (".", 5),
    "de": (".", 4),
    "it": (".", 5),
    "pt": (".", 4),
}
_CURRENT: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """Return the language in which texts are written now."""
    return _CURRENT.get()


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Write texts in a language, one of `LANGUAGES`."""
    before = _CURRENT.set(language)
    try:
        yield
    finally:
        _CURRENT.reset(before)


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the translations of a language: compiled ones of a wheel, else those of the source."""
    if language == ENGLISH:
        return NullTranslations()
    name = f"{language}.mo"
    if files(__package__).joinpath("languages", name).is_file():
        return GNUTranslations(BytesIO(files(__package__).joinpath("languages", name).read_bytes()))
    name = f"{language}.po"
    source = files(__package__).joinpath("languages", name).read_text("utf-8")
    return GNUTranslations(BytesIO(compile_catalogue(source)))


def figure(number: int, language: str = "") -> str:
    """Return a number as people write it: 5,480, with a minus sign for a hyphen."""
    mark, least = _GROUPS[language or current_language()]
    text = f"{number:,}" if len(str(abs(number))) >= least else str(number)
    return text.replace(",", mark).replace("-", "\N{MINUS SIGN}")
