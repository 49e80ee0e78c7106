"""What people read for seats and sides: the names of players where the record has them."""

from __future__ import annotations

from collections.abc import Mapping

from canasta_notation.english import listed


def player_of(seat: str, names: Mapping[str, str]) -> str:
    """Return the name of a seat's player, or the seat if it has none."""
    return names.get(seat) or seat


def players_of(side: str, names: Mapping[str, str]) -> str:
    """Return the names of a side's players, or the side if nobody has a name."""
    return listed(player_of(seat, names) for seat in side) if any(names.values()) else side


def named_seats(names: Mapping[str, str]) -> str:
    """Return which seat each player has, as "N Ana, E Bruno"; empty without names."""
    return ", ".join(f"{seat} {name}" for seat, name in names.items() if name)
