"""Rules as sentences: a key's template, filled with the value in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from canasta_notation.cards import RANK_LETTERS, RANK_NAMES
from canasta_notation.english import listed
from canasta_notation.rules.keys import Key, spell

_CARDS: Final = {"wild": "wild card", "red3": "red three", "black3": "black three"}


def sentence(key: Key, value: Any) -> str:
    """Return the rule with this value in one sentence, without a full stop.

    Not checked: that the value is of the key's kind.
    """
    fields = dict(value) if isinstance(value, Mapping) else {}
    return key.template(spell(value)).format_map({**fields, "value": _words(key, value)})


def _words(key: Key, value: Any) -> str:
    match key.kind:
        case "list":
            return listed([_card(item) for item in value], "or")
        case "numbers":
            return listed(map(str, value))
        case "table":
            return _opening(value)
        case "threes":
            return listed(map(str, value[1]))
        case "special" if value is not None:
            return listed([_special(name, forms) for name, forms in value.items()])
        case _:
            return str(value)


def _card(item: str) -> str:
    """Return the name of an item of a list; a rank is in the plural."""
    return _CARDS.get(item) or RANK_NAMES[RANK_LETTERS.index(item)][1]


def _opening(rows: tuple[tuple[int | None, int], ...]) -> str:
    (_, least), *_ = rows
    if len(rows) == 1:
        return f"{least} points"
    (first, _), *middle, (_, last) = rows
    steps = [f"{points} below {total}" for total, points in middle]
    return listed([f"{least} points at a total below {first}", *steps, f"{last} above that"])


def _special(name: str, forms: Any) -> str:
    return f"{name} {listed([str(form.points) for form in forms], 'or')}"
