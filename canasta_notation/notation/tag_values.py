"""The known tags, and the values of some: a date, a target, a result."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from canasta_notation.names import deal_of_tag, seat_of_tag, tag_of_player

if TYPE_CHECKING:
    from canasta_notation.notation.document import Tag

#: The known tags in the order in which they are printed.
TAGS: Final = (
    *("CGN", "Event", "Site", "Date", "Round", "Rules"),
    *("N", "E", "S", "W", "A", "B", "C", "D", "F"),
    *("Target", "Dealer", "Result", "Recorder", "Annotator", "Source"),
)
_SEATS: Final = {"north": "N", "east": "E", "south": "S", "west": "W"}


#: A tag that is likely meant as one of who plays a seat from a deal on.
_FROM: Final = re.compile(
    rf"({'|'.join(_SEATS)}|[neswabcdf])[-_]?from[-_]?0*(\d{{1,9}})", re.IGNORECASE | re.ASCII
)


@lru_cache(maxsize=1024)
def place_of_tag(name: str) -> tuple[int, int]:
    """Return the place of a tag in the canonical order; unknown ones come last, as they are."""
    known = seat_of_tag(name) or name
    return (TAGS.index(known), deal_of_tag(name)) if known in TAGS else (len(TAGS), 0)


@lru_cache(maxsize=1024)
def likely_tag(name: str) -> str | None:
    """Return the known tag that an unknown name is likely to mean, None if there is none.

    The two differ only in capitals or by one letter, or the name is a seat's in full. CGN is left
    out: a game without it has a finding anyway.
    """
    if name in TAGS or seat_of_tag(name):
        return None
    written = name.lower()
    if late := _FROM.fullmatch(written):
        seat, deal = _SEATS.get(late[1], late[1].upper()), int(late[2])
        return tag_of_player(seat, deal)
    for tag in TAGS[1:]:
        known = tag.lower()
        if known == written or (len(tag) > 1 and _differ_by_one(written, known)):
            return tag
    return _SEATS.get(written)


def note_player(players: dict[str, str], tag: Tag) -> None:
    """Add the seat of the player whom a tag names, if it does, by the name in lower case.

    The first word of a name is a name too. A name that two players share has the seat "".
    """
    seat = seat_of_tag(tag.name)
    if seat:
        name = tag.value.lower()
        for each in {name, *name.split()[:1]} - {""}:
            players[each] = seat if players.get(each, seat) == seat else ""


def _differ_by_one(one: str, other: str) -> bool:
    """Return whether adding, removing or changing one letter makes two texts equal."""
    if abs(len(one) - len(other)) > 1:
        return False
    for at in range(max(len(one), len(other))):
        cut, cut_other = one[:at] + one[at + 1 :], other[:at] + other[at + 1 :]
        if cut in (other, cut_other) or cut_other == one:
            return True
    return False


_DATE: Final = re.compile(r"([\d?]{4})-([\d?]{2})-([\d?]{2})", re.ASCII)


def is_date_form(text: str) -> bool:
    """Return whether the text is YYYY-MM-DD, with `?` for unknown digits."""
    return _DATE.fullmatch(text) is not None


@lru_cache(maxsize=1024)
def is_date(text: str) -> bool:
    """Return whether the text is YYYY-MM-DD, with `?` for unknown digits, and such a day exists."""
    match = _DATE.fullmatch(text)
    if not match:
        return False
    year, month, day = match.groups()
    years = [int(year)] if "?" not in year else [2000, 2001]
    return any(
        _matches(month, at) and any(_matches(day, each) for each in range(1, _days(y, at) + 1))
        for y in years
        for at in range(1, 13)
    )


def _days(year: int, month: int) -> int:
    return monthrange(max(year, 1), month)[1]


def _matches(pattern: str, number: int) -> bool:
    """Return whether a number of two digits fits a pattern with unknown digits."""
    return all(want in ("?", have) for want, have in zip(pattern, f"{number:02}", strict=True))


def read_target(text: str) -> int | None:
    """Return the points of a target, None if the text is not a number of one to nine digits."""
    return int(text) if re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII) else None


def read_result(text: str, sides: tuple[str, ...]) -> dict[str, int] | None:
    """Return the totals of a result, {} for `*`, None if the text is not a result of `sides`."""
    if text == "*":
        return {}
    pieces = text.split()
    if len(pieces) != 2 * len(sides) or set(pieces[::2]) != set(sides):
        return None
    if not all(re.fullmatch(r"-?\d{1,9}", points, re.ASCII) for points in pieces[1::2]):
        return None
    return {side: int(points) for side, points in zip(pieces[::2], pieces[1::2], strict=True)}
