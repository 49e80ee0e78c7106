"""The input that a message repeats: never more than a few words."""

from __future__ import annotations

from typing import Final

#: The most characters of a wrong value that a message repeats.
QUOTED: Final = 60
#: The most characters of a whole message, which may name a path.
_MESSAGE: Final = 1000


def quoted(value: object) -> str:
    """Return how Python spells a value, shortened if it is long."""
    shown = repr(value)
    return shown if len(shown) <= QUOTED else shown[:QUOTED] + "..."


def shortened(text: str, most: int = _MESSAGE) -> str:
    """Return a text, or its two ends if it has more than `most` characters."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}...{text[-most // 2 :]}"
