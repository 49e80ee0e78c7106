"""Seats and sides that a game does not have: they show that it was played by other rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from canasta_notation.cards import SEATS
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game
from canasta_notation.rules import Profile, load_profile, profile_names

#: The codes of findings about a seat; other findings are about a side.
_OF_SEATS: Final = ("tag-value", "dealer", "wrong-seat", "end-claim", "end-hand")


def explain_stranger(
    finding: Finding, name: str, game: Game, profile: Profile, seen: dict[str, Finding]
) -> Finding:
    """Return a finding about an unknown seat or side, with the rules that have it.

    Its help is to name these rules. Only the first such finding of a game says so, and the others
    follow from it; `seen` has the first one, by the rules and by the names that they have.
    """
    kind = "seat" if finding.code in _OF_SEATS else "side"
    first = seen.get(f"{kind} {name}")
    if first is None:
        rules = _rules_with(name, kind, game, profile)
        if not rules:
            return finding
        if rules not in seen:
            name_them = f'name the rules: `[Rules "{rules}"]`'
            help_text = f"correct the {kind} or, if you played with it, {name_them}"
            seen[rules] = seen[f"{kind} {name}"] = replace(finding, help=help_text)
            return seen[rules]
        first = seen[f"{kind} {name}"] = seen[rules]
    return replace(finding, follows=finding.follows or first)


def _rules_with(name: str, kind: str, game: Game, profile: Profile) -> str:
    """Return the packaged profile that has a seat or side, "" if there is none.

    A profile for the seats that the tags name comes first, then one of the same family.
    """
    seats = {tag.name for tag in game.tags} & {*"".join(SEATS.values())}
    family = profile.name.partition("-")[0]

    def likeness(other: Profile) -> tuple[bool, bool]:
        return {*other.seats} == seats, other.name.partition("-")[0] == family

    has_it = [
        each
        for each in map(load_profile, profile_names())
        if name in (each.seats if kind == "seat" else each.side_names)
    ]
    return max(has_it, key=likeness).name if has_it else ""
