"""Rules as people read them: profiles, alone or side by side, and what a finding means."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import zip_longest

from canasta_notation.english import listed
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    indented,
    legend,
    padded,
    row,
    wrap,
    wrap_row,
)
from canasta_notation.report.outcome import check_game
from canasta_notation.rules import (
    Entry,
    Profile,
    codes,
    entry,
    load_profile,
    marks,
    profile_names,
    sources,
)
from canasta_notation.rules.catalogue import IN_PLAY

#: If an example has more lines, only those around its error are shown.
_WHOLE = 40
#: The check that judges an `end stock` line, on which nothing can be accepted.
_AT_THE_END = "deal._end_by_stock"


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
    return [*padded(row(left), room), Run("  "), *row(right)]


def _cell(profile: Profile, key: str, room: int) -> list[Run]:
    """Return the value, source and sentence of a key, as lines of a column."""
    value = profile.values[key]
    lines = [Run(part) for part in wrap(profile.spelled(key), room)]
    lines += [Run(part, "dim") for part in wrap(profile.sentence(key), room)]
    return lines + [Run(part, "dim") for part in wrap(f"[{value.mark}: {value.source}]", room)]


def key_rows(key: str, profiles: Iterable[Profile], look: Look) -> Rows:
    """Return the values of a key: each with its sentence and the profiles that have it."""
    by_value: dict[str, list[Profile]] = {}
    for profile in profiles:
        by_value.setdefault(profile.spelled(key), []).append(profile)
    rows: Rows = [row(Run(f"rule {key}", "strong"))]
    for value, those in by_value.items():
        rows += [row(), *wrap_row(row(Run(f"{key}={value}", "strong")), look.width)]
        words = f"{those[0].sentence(key)}: {listed(each.name for each in those)}"
        rows += indented([row(part) for part in wrap(words, look.width - 4)], [Run("    ")])
    return rows


def values_words(key: str, profiles: Iterable[Profile]) -> str:
    """Return a key's values with the profiles that have them: `3 in classic and bga; 2 in x`."""
    by_value: dict[str, list[str]] = {}
    for profile in profiles:
        by_value.setdefault(profile.spelled(key), []).append(profile.name)
    if len(by_value) == 1:
        return f"{next(iter(by_value))} in every profile"
    return "; ".join(f"{value} in {listed(names)}" for value, names in by_value.items())


def codes_rows(look: Look) -> Rows:
    """Return every code with its meaning, by family."""
    rows: Rows = []
    family = ""
    for code in codes():
        known = entry(code)
        if known.family != family:
            family = known.family
            rows += ([row()] if rows else []) + [row(Run(family, "strong"))]
        head = row(f"  {code:<18}")
        rows += indented([row(part) for part in wrap(known.what, look.width - 20)], head)
    return rows


def topic_rows(found: Sequence[str], profile: Profile, look: Look) -> Rows:
    """Return the findings and keys about a topic: what each means, keys by one profile."""
    findings = [name for name in found if name in codes()]
    rules = [name for name in found if name not in findings]
    rows: Rows = []
    for title, names in (("findings", findings), (f"rules, as in {profile.name}", rules)):
        if not names:
            continue
        rows += [*([row()] if rows else []), row(Run(title, "strong"))]
        for name in names:
            words = entry(name).what if name in findings else profile.sentence(name)
            lines = [row(part) for part in wrap(words, look.width - 24)]
            rows += indented(lines, row(f"  {name:<20}  "))
    return [*rows, row(), row(f"For more, name one of them: canasta explain {found[0]}")]


def entry_rows(code: str, example: str | None, look: Look) -> Rows:
    """Return the explanation of a code; `example` is the text of a record with this finding."""
    known = entry(code)
    rows = [row(Run(f"{known.severity}[{code}]", known.severity), f"  ({known.family})"), row()]
    rows += _paragraph("what", known.what, look)
    rows += _paragraph("why", known.why, look)
    rows += _paragraph("remedy", known.remedy, look)
    if known.family in IN_PLAY and {*known.checks} - {_AT_THE_END}:
        accepted = f"If the players accepted it, end the line with `~{code}`."
        rows += _paragraph("", accepted, look)
    rows += _governed(known, look)
    return rows + (_example(known, example, look) if example is not None else [])


def _paragraph(name: str, text: str, look: Look) -> Rows:
    head = row(Run(f"{name:<8}", "strong"))
    return indented([row(part) for part in wrap(text, look.width - 8)], head)


def _governed(known: Entry, look: Look) -> Rows:
    if not known.keys:
        return _paragraph("rules", "No profile changes it.", look)
    profiles = [load_profile(name) for name in profile_names()]
    rows: Rows = []
    for at, key in enumerate(known.keys):
        text = f"{key} = {values_words(key, profiles)}"
        rows += _paragraph("rules" if at == 0 else "", text, look)
    return rows


def _example(known: Entry, text: str, look: Look) -> Rows:
    from canasta_notation.notation.reader import read_text

    title = f"A record with this finding (samples/broken/{known.example}):"
    rows = [row(), row(Run(title, "strong"))]
    lines = text.splitlines()
    if len(lines) <= _WHOLE:
        rows += [row()] + [row(f"    {line}") for line in lines]
    for number, reading in enumerate(read_text(text), 1):
        game = check_game(None, known.example, reading, number)
        for finding in game.findings:
            if finding.code == known.code:
                line = lines[finding.span.line - 1]
                rows += [row(), *finding_block(known.example, game.rules, finding, line, look)]
    return rows
