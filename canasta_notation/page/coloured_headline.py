"""The headline of a game, in which the name of each side has the colour of the side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from canasta_notation.language.sentences import Names, Sentence
from canasta_notation.render.wording import fit

#: What follows the name of a side, with the index of the side; no name has it, because of `fit`.
_END: Final = "\0"
_ENDS: Final = re.compile(f"{_END}(\\d)")


@dataclass(frozen=True, slots=True)
class ColouredHeadline:
    """A headline whose values name sides. Its text has a sign after the name of each side.

    A name is not searched for, because it may be a part of another name or a word of the sentence.
    """

    sentence: Sentence
    sides: tuple[Names, ...]

    def __str__(self) -> str:
        values = tuple((name, self._ended(value)) for name, value in self.sentence.values)
        return Sentence(self.sentence.key, values).text

    def _ended(self, value: object) -> object:
        """Return a value of the sentence with a sign after each side that it names."""
        if value in self.sides:
            return f"{fit(str(value))}{_END}{self.sides.index(value)}"
        return Names(tuple(map(self._ended, value.names))) if isinstance(value, Names) else value

    @property
    def html(self) -> Markup:
        """The headline in the current language."""
        return Markup("").join(self._parts())

    def _parts(self) -> Iterator[Markup]:
        *named, rest = _ENDS.split(str(self))
        for text, at in zip(named[::2], map(int, named[1::2]), strict=True):
            name = fit(str(self.sides[at]))
            yield Markup('{}<span class="side{}">{}</span>').format(
                text.removesuffix(name), at, name
            )
        yield Markup("{}").format(rest)
