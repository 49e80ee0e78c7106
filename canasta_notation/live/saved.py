"""A live game as JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from canasta_notation.live.as_record import DealLog
from canasta_notation.live.shuffle import spell_deal
from canasta_notation.quoting import quoted, shortened
from canasta_notation.rules import Profile, keys, parse_rules, rules_tag
from canasta_notation.rules.keys import from_text, spell

#: The version of the format of a dump.
VERSION: Final = 1
_NAMES: Final = {
    "rules": str,
    "players": dict,
    "tags": dict,
    "dealer": str,
    "seed": str,
    "house": str,
    "deals": list,
}
_DEAL: Final = {
    "hands": dict,
    "up": str,
    "stock": str,
    "talons": list,
    "stacked": bool,
    "moves": list,
}

_PROFILE: Final = {"name": str, "title": str, "overridden": list, "stated": dict}
_STATED: Final = {"mark": str, "source": str, "offers": list}


def write_dump(head: dict[str, Any], seats: str, deals: list[DealLog]) -> str:
    """Return the JSON of a game; `head` is everything except the deals."""
    logs = [
        spell_deal(log.dealt, seats)
        | {"stacked": log.stacked, "moves": [list(move) for move in log.moves]}
        for log in deals
    ]
    value = {"canasta_live": VERSION, **head, "deals": logs}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_dump(text: str) -> dict[str, Any]:
    """Return the value of a dump. Raises ValueError if the text is not one."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"not a saved game: {error}") from None
    if not isinstance(value, dict) or value.get("canasta_live") != VERSION:
        raise ValueError(f"not a saved game of version {VERSION}")
    _check(value, _NAMES, "")
    for place, deal in enumerate(value["deals"]):
        name = f"deals[{place}]"
        _check(deal, _DEAL, name)
        for move in deal["moves"]:
            if not (isinstance(move, list) and [*map(type, move)] == [str, str]):
                raise ValueError(f"not a saved game: {name} has a move that is not two texts")
    return value


# --- a profile of one's own ---------------------------------------------------------------------


def profile_of(rules: object) -> Profile:
    """Return the profile that the text of a Rules tag names. Raises ValueError."""
    if not isinstance(rules, str):
        raise ValueError(
            f"rules must be the text of a Rules tag, or a profile, not {quoted(rules)}"
        )
    reading = parse_rules(rules)
    if reading.profile is None:
        problem = reading.problems[0]
        raise ValueError(shortened(f"{problem.message} ({problem.help})"))
    return reading.profile


def own_profile(profile: Profile) -> dict[str, Any]:
    """Return the part of a dump that says what no Rules tag does: names, marks and sources.

    It is empty for a packaged profile.
    """
    tagged = profile_of(rules_tag(profile))
    if tagged == profile:
        return {}
    stated = {
        key: {"mark": held.mark, "source": held.source, "offers": [*map(spell, held.offers)]}
        for key, held in profile.values.items()
        if held != tagged.values[key]
    }
    head = {"name": profile.name, "title": profile.title, "overridden": [*profile.overridden]}
    return {"profile": {**head, "stated": stated}}


def read_profile(value: dict[str, Any]) -> Profile:
    """Return the profile of a dump that `read_dump` has read. Raises ValueError."""
    tagged = profile_of(value["rules"])
    if "profile" not in value:
        return tagged
    own = value["profile"]
    _check(own, _PROFILE, "profile")
    for key in (*own["stated"], *own["overridden"]):
        if not isinstance(key, str) or key not in keys():
            raise ValueError(f"not a saved game: profile: there is no key {quoted(key)}")
    values = dict(tagged.values)
    for key, stated in own["stated"].items():
        _check(stated, _STATED, f"profile.stated.{key}")
        offers = tuple(from_text(keys()[key], str(offer)) for offer in stated["offers"])
        mark, source = stated["mark"], stated["source"]
        values[key] = replace(values[key], mark=mark, source=source, offers=offers)
    overridden = tuple(own["overridden"])
    return Profile(own["name"], own["title"], MappingProxyType(values), overridden, tagged.base)


def _check(value: object, names: Mapping[str, type], place: str) -> None:
    for name, kind in names.items():
        held = value.get(name) if isinstance(value, dict) else None
        if not isinstance(held, kind):
            raise ValueError(f"not a saved game: {place}.{name} is missing or of a wrong kind")
