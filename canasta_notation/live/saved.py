"""A live game as JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from canasta_notation.live.as_record import DealLog
from canasta_notation.live.shuffle import spell_deal

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


def _check(value: object, names: Mapping[str, type], place: str) -> None:
    for name, kind in names.items():
        held = value.get(name) if isinstance(value, dict) else None
        if not isinstance(held, kind):
            raise ValueError(f"not a saved game: {place}.{name} is missing or of a wrong kind")
