"""Profiles as people read them: a list, one with its sources, or two side by side."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from itertools import zip_longest

from canasta_notation.english import listed
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    indented,
    legend,
    pad,
    row,
    wrap,
    wrap_row,
)
from canasta_notation.rules import Profile, marks, sources


def list_rows(profiles: Iterable[Profile], look: Look) -> Rows:
    """Return the names of profiles with their titles."""
    return legend(((profile.name, profile.title) for profile in profiles), look, indent=0)


def profile_rows(profile: Profile, look: Look) -> Rows:
    """Return a profile: each key's value, its mark and source, and the rule in a sentence."""
    heading = row(Run(profile.text, "strong"), f": {profile.title}")
    rows = [*wrap_row(heading, look.width), row()]
    seen: list[str] = []
    for key, value in profile.values.items():
        head = row(
            f"{key} = {profile.spelled(key)}  ", Run(f"[{value.mark}: {value.source}]", "dim")
        )
        first, *more = wrap_row(head, look.width - 4)
        rows += [first, *indented(more, [Run("    ")])]
        text = profile.sentence(key)
        rows += indented([row(part) for part in wrap(text, look.width - 4)], [Run("    ")])
        seen.append(value.mark)
    rows.append(row())
    named = [(name, text) for name, text in sources().items() if _cites(profile, name)]
    return [*rows, *_marks(seen, look), row(), *legend(named, look, indent=0)]


def _marks(used: Container[str], look: Look) -> Rows:
    """Return the meanings of the marks that are used."""
    pairs = [(mark, text) for mark, text in marks().items() if mark in used]
    return legend(pairs, look, indent=0)


def _cites(profile: Profile, name: str) -> bool:
    """Return whether a value's source names a text; a section or a remark may follow the name."""
    return any(
        re.split(r", | \(", part)[0] == name
        for value in profile.values.values()
        for part in value.source.split("; ")
    )


def compared_rows(one: Profile, other: Profile, look: Look) -> Rows:
    """Return the keys whose values differ, with both values and sentences side by side."""
    differing = [key for key in one.values if one[key] != other[key]]
    if not differing:
        return [row(f"{one.text} and {other.text} are the same rules")]
    room = (look.width - 2) // 2
    rows = [_beside(Run(one.text, "strong"), Run(other.text, "strong"), room)]
    for key in differing:
        rows += [row(), row(Run(key, "strong"))]
        left, right = (_cell(profile, key, room) for profile in (one, other))
        for here, there in zip_longest(left, right, fillvalue=Run("")):
            rows.append(_beside(here, there, room))
    used = {profile.values[key].mark for profile in (one, other) for key in differing}
    same = len(one.values) - len(differing)
    differ = "1 key differs" if len(differing) == 1 else f"{len(differing)} keys differ"
    return [*rows, row(), *_marks(used, look), row(), row(f"{differ}, {same} are the same")]


def _beside(left: Run, right: Run, room: int) -> Row:
    return [*pad(row(left), room), Run("  "), *row(right)]


def _cell(profile: Profile, key: str, room: int) -> list[Run]:
    """Return the value, source and sentence of a key, as lines of a column."""
    value = profile.values[key]
    lines = [Run(part) for part in wrap(profile.spelled(key), room)]
    lines += [Run(part, "dim") for part in wrap(profile.sentence(key), room)]
    return lines + [Run(part, "dim") for part in wrap(f"[{value.mark}: {value.source}]", room)]


def values_words(key: str, profiles: Iterable[Profile]) -> str:
    """Return a key's values with the profiles that have them: `3 in classic and bga; 2 in x`."""
    by_value: dict[str, list[str]] = {}
    for profile in profiles:
        by_value.setdefault(profile.spelled(key), []).append(profile.name)
    if len(by_value) == 1:
        return f"{next(iter(by_value))} in every profile"
    return "; ".join(f"{value} in {listed(names)}" for value, names in by_value.items())
