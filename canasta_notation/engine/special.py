"""Special hands: whether cards fit a pattern of the profile's table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from canasta_notation.cards import RANK, RANK_LETTERS, UNKNOWN
from canasta_notation.engine.lay import may_go_on, take_from_hand
from canasta_notation.engine.side import has_opened
from canasta_notation.engine.table import NOT_KNOWN, Table, doubt, violate
from canasta_notation.engine.take import settle_rest


def special_points(special: dict[str, Any], kind: str, cards: tuple[int, ...]) -> int:
    """Return the points of the best pattern of that kind that the cards fit, or 0.

    `special` maps each kind to its patterns. A pattern has parts, each a number of cards of one of
    the ranks that it names; the cards fit if each rank among them fills one part. Unknown cards
    fill what is left. Sources: Davenport Games, Melding rules; MeggieSoft Games, Special Hands.
    """
    held = Counter(RANK_LETTERS[RANK[code]] for code in cards if code != UNKNOWN)
    fitting = [
        pattern.points
        for pattern in special.get(kind, ())
        if _fits(
            [(part.size, part.ranks) for part in pattern.parts for _ in range(part.times)],
            held,
            len(cards) - held.total(),
        )
    ]
    return max(fitting, default=0)


def _fits(parts: list[tuple[int, str]], held: Counter[str], unknown: int) -> bool:
    """Return whether each rank held can be given a part of its own.

    The parts must lack exactly as many cards as are `unknown`.
    """
    if not parts or not held:
        return not held and sum(size for size, _ in parts) == unknown
    letter = next(iter(held))
    size = held[letter]
    rest = held.copy()
    del rest[letter]
    return any(
        _fits(parts[:at] + parts[at + 1 :], rest, unknown - (wanted - size))
        for at, (wanted, ranks) in enumerate(parts)
        if size <= wanted <= size + unknown and letter in ranks and parts.index(parts[at]) == at
    )


def lay_special(table: Table, kind: str, cards: tuple[int, ...]) -> None:
    """Lay a special hand; violates `special-hand`, `not-in-hand`. Ends the deal."""
    if not may_go_on(table, "group"):
        return
    message = ""
    points = special_points(table.rules.special, kind, cards)
    if not table.rules.special:
        message = "never"
    elif table.took:
        message = "pile"
    elif has_opened(table, table.side) or table.laid:
        message = "opened"
    elif not points:
        message = "pattern"
    elif UNKNOWN in cards:
        doubt(table, "special-hand")
    if message:
        violate(table, "special-hand", message, "special", kind=kind)
    settle_rest(table)
    table.refused = True
    for code in cards:
        if not take_from_hand(table, code):
            return
    if not message and UNKNOWN in cards:
        points = NOT_KNOWN
    left = table.hand_sizes[table.seat]
    if not message and left:
        violate(table, "special-hand", "rest", "special", cards=left)
    table.special = kind
    table.special_cards = cards
    table.special_points = 0 if message else points
