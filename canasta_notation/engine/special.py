"""Special hands: whether cards fit a pattern of the profile's table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from canasta_notation.cards import RANK, RANK_LETTERS


def special_points(special: dict[str, Any], kind: str, cards: tuple[int, ...]) -> int:
    """Return the points of the best pattern of that kind that the cards fit, or 0.

    `special` maps each kind to its patterns; a pattern fits where every rank held fills one of its
    parts, a part being so many cards of one rank out of those it names. Source: 001, 002.
    """
    held = Counter(RANK_LETTERS[RANK[code]] for code in cards)
    fitting = [
        pattern.points
        for pattern in special.get(kind, ())
        if _fits(
            [(part.size, part.ranks) for part in pattern.parts for _ in range(part.times)], held
        )
    ]
    return max(fitting, default=0)


def _fits(parts: list[tuple[int, str]], held: Counter[str]) -> bool:
    """Return whether each rank held can be given a part of its own, and no part is left."""
    if not parts or not held:
        return not parts and not held
    letter = next(iter(held))
    size = held[letter]
    rest = held.copy()
    del rest[letter]
    return any(
        _fits(parts[:at] + parts[at + 1 :], rest)
        for at, (wanted, ranks) in enumerate(parts)
        if wanted == size and letter in ranks and parts.index(parts[at]) == at
    )
