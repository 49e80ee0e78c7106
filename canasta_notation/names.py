"""The names of players: how they are compared, and how seats are shown to people."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from canasta_notation.english import listed


def player_name(text: str) -> str:
    """Return a name in the one form in which names are compared: composed, no outer spaces."""
    return unicodedata.normalize("NFC", text.strip())


def names_in(tags: Mapping[str, str], seats: str) -> dict[str, str]:
    """Return the names of the players by their seats; a seat without a tag is left out."""
    return {seat: player_name(tags[seat]) for seat in seats if seat in tags}


def name_at(seat: str, names: Mapping[str, str]) -> str:
    """Return the name of a seat's player, or the seat if it has none."""
    return names.get(seat) or seat


def side_name(side: str, names: Mapping[str, str]) -> str:
    """Return the names of a side's players, or the side if nobody has a name."""
    return listed(name_at(seat, names) for seat in side) if any(names.values()) else side


def seat_and_player(seat: str, names: Mapping[str, str]) -> str:
    """Return a seat and its player, as "N Ana"; the seat alone if it has no name."""
    return f"{seat} {names.get(seat, '')}".rstrip()


def named_seats(names: Mapping[str, str]) -> str:
    """Return which seat each player has, as "N Ana, E Bruno"; empty without names."""
    return ", ".join(seat_and_player(seat, names) for seat, name in names.items() if name)
