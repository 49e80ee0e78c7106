"""The names of players: how they are compared, and how seats are shown to people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from canasta_notation.cards import SEAT_LETTERS
from canasta_notation.english import listed

#: The kinds of signs in Unicode that are not a name on their own: punctuation, blanks, controls.
_NO_NAME: Final = "PZC"
#: What stands between seat and deal in a tag that names who plays a seat from a deal on.
_LATER: Final = "-from-"
#: Such a tag; the tag of the seat alone is about deal 1.
_FROM: Final = re.compile(
    rf"([{''.join(sorted(SEAT_LETTERS))}]){_LATER}([2-9]|[1-9]\d{{1,8}})", re.ASCII
)


def player_name(text: str) -> str:
    """Return a name in the one form in which names are compared: composed, no outer spaces."""
    return unicodedata.normalize("NFC", text.strip())


def is_known(name: str) -> bool:
    """Return whether a name names somebody; signs such as `?` and `-` stand for an unknown player.

    Several players whose names are such signs are not one player.
    """
    return any(unicodedata.category(sign)[0] not in _NO_NAME for sign in name)


def seat_of_tag(name: str) -> str | None:
    """Return the seat whose player a tag names: of `N` and `N-from-2` it is N; None for others."""
    if name in SEAT_LETTERS:
        return name
    found = _FROM.fullmatch(name) if _LATER in name else None
    return found[1] if found else None


def deal_of_tag(name: str) -> int:
    """Return the first deal (from 1) in which the player whom a tag names plays."""
    found = _FROM.fullmatch(name) if _LATER in name else None
    return int(found[2]) if found else 1


def tag_of_player(seat: str, deal: int) -> str:
    """Return the name of the tag that names who plays a seat from a deal (from 1) on."""
    return f"{seat}{_LATER}{deal}" if deal > 1 else seat


def names_in(tags: Mapping[str, str], seats: str, deal: int | None = None) -> dict[str, str]:
    """Return the names of the known players by their seats.

    They are those of a deal (from 1) or, without one, of the whole game: `Ana/Zoe` for a seat that
    Zoe took over from Ana.
    """
    if _LATER not in " ".join(tags):
        return {seat: player_name(tags[seat]) for seat in seats if is_known(tags.get(seat, ""))}
    found: dict[str, list[str]] = {}
    for name in sorted(filter(seat_of_tag, tags), key=deal_of_tag):
        if deal is None or deal_of_tag(name) <= deal:
            called = player_name(tags[name]) if is_known(tags[name]) else ""
            found.setdefault(seat_of_tag(name) or "", []).append(called)
    if deal is not None:
        return {seat: found[seat][-1] for seat in seats if found.get(seat, [""])[-1]}
    return {
        seat: "/".join(dict.fromkeys(filter(None, names)))
        for seat in seats
        if any(names := found.get(seat, []))
    }


def seatings(tags: Mapping[str, str], seats: str) -> dict[int, dict[str, str]]:
    """Return the names by the deals from which on they hold, from deal 1; {} if none changes."""
    if _LATER not in " ".join(tags):
        return {}
    begun = {deal_of_tag(name) for name in tags if (seat_of_tag(name) or "-") in seats} - {1}
    return {deal: names_in(tags, seats, deal) for deal in sorted({1, *begun})} if begun else {}


def name_at(seat: str, names: Mapping[str, str]) -> str:
    """Return the name of a seat's player, or the seat if it has none."""
    return names.get(seat) or seat


def distinct_name(seat: str, shown: Mapping[str, str]) -> str:
    """Return what a seat's player is called in a sentence: as `shown`, by seat.

    A name that several seats have gets the seat: "Ana (N)".
    """
    name = shown[seat]
    return name if [*shown.values()].count(name) == 1 else f"{name} ({seat})"


def side_name(side: str, names: Mapping[str, str]) -> str:
    """Return the names of a side's players, or of one seat; the letters if nobody has a name."""
    shown = {seat: name_at(seat, names) for seat in {*names, *side}}
    return listed(distinct_name(seat, shown) for seat in side) if any(names.values()) else side


def seat_and_player(seat: str, names: Mapping[str, str]) -> str:
    """Return a seat and its player, as "N Ana"; the seat alone if it has no name."""
    return f"{seat} {names.get(seat, '')}".rstrip()


def named_seats(names: Mapping[str, str]) -> str:
    """Return which seat each player has, as "N Ana, E Bruno"; empty without names."""
    return ", ".join(seat_and_player(seat, names) for seat, name in names.items() if name)
