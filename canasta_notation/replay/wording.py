"""The words of findings: sentences made from a violation's code, message and facts."""

from __future__ import annotations

from typing import Any

from canasta_notation.cards import JOKER_RANK, RANK_NAMES, TEXT
from canasta_notation.rules import entry


def words(
    code: str, message: str, facts: dict[str, object], seats: str, sides: tuple[str, ...]
) -> tuple[str, str, str]:
    """Return message, label and help of a violation.

    Raises KeyError for a message that has no sentence, which a test excludes.
    """
    return entry(code).sentences(message, _spelled(facts, seats, sides))


def advice(
    code: str, message: str, facts: dict[str, object], seats: str, sides: tuple[str, ...]
) -> str | None:
    """Return what to play instead, None if the message has only a remedy for a record."""
    text = entry(code).messages[message].help
    # A text in backquotes is what to write in a record.
    return None if text is None or "`" in text else text.format(**_spelled(facts, seats, sides))


def reason(
    code: str, message: str, facts: dict[str, object], seats: str, sides: tuple[str, ...]
) -> str:
    """Return why a play that has not been made would not be legal. Raises KeyError as `words`."""
    return entry(code).messages[message].why.format(**_spelled(facts, seats, sides))


def _spelled(facts: dict[str, object], seats: str, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return the facts in words, and the endings of the words after numbers."""
    spelled: dict[str, Any] = {}
    for name, value in facts.items():
        spelled[name] = _spell(name, value, seats, sides)
        if isinstance(value, int):
            # The ending of a noun after the number, and of a verb in the third person.
            spelled[f"{name}_s"] = "" if value == 1 else "s"
            spelled[f"{name}_3"] = "s" if value == 1 else ""
        if name == "rank" and isinstance(value, int):
            spelled["rank_one"] = RANK_NAMES[value][0]
    return spelled


def _spell(name: str, value: object, seats: str, sides: tuple[str, ...]) -> object:
    """Return a fact in words: cards, ranks, seats and sides by their names."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    match name.partition("_")[0]:
        case "card":
            return TEXT[value]
        case "meld" if value == JOKER_RANK:
            return "wild cards"
        case "rank" | "meld":
            return RANK_NAMES[value][1]
        case "seat":
            return seats[value]
        case "side":
            return sides[value]
    return value
