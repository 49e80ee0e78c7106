"""Checking that a JSON value is a record, by the schema and by rules that it cannot express.

Every refusal is a `JsonError` that names the place in the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, cast

from canasta_notation.notation.document import TURN_ORDER
from canasta_notation.resources import read_text

#: A letter for each kind of action, as in `TURN_ORDER`.
_LETTERS: Final = {
    "draw": "d",
    "take": "d",
    "ask": "l",
    "lay": "l",
    "special": "l",
    "discard": "x",
    "talon": "k",
}
#: A number too large for a float; the fast check would accept it as within any bounds.
_HUGE: Final = re.compile(r"\d{300}")
#: The most characters of a value that a message repeats.
_QUOTED: Final = 60
#: The most values that a message lists.
_LISTED: Final = 20


class JsonError(ValueError):
    """JSON that is not a record: `path` is the place (`$.deals[0]`), `message` the reason."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return self.message if self.path == "$" else f"{self.path}: {self.message}"


def parse_json(text: str) -> object:
    """Return the value of a JSON text.

    Raises JsonError for text that is not JSON, and for what Python would lose, misread or refuse: a
    repeated name in an object, NaN and infinities, numbers of thousands of digits, deep nesting.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        place = f"{line}column {error.colno}"
        raise JsonError("$", f"not JSON at {place}: {error.msg}") from None
    except RecursionError:
        raise JsonError("$", "nested too deeply to be a record") from None
    except ValueError:
        raise JsonError("$", "a number with too many digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise JsonError("$", f"the name {_shorten(name)} appears twice in one object")
            names.add(name)
    return value


def _no_constant(text: str) -> object:
    raise JsonError("$", f"{text} is not a JSON number")


def check_file(value: object) -> dict[str, Any]:
    """Return the value of a file of games; raises JsonError if it is not one."""
    record = _check(value, "file")
    for index, game in enumerate(record["games"]):
        _check_deals(game, f"$.games[{index}]")
    return record


def check_game(value: object) -> dict[str, Any]:
    """Return the value of one game; raises JsonError if it is not one."""
    record = _check(value, "game")
    _check_deals(record, "$")
    return record


def check_apart(before: dict[str, Any] | None, game: dict[str, Any], path: str) -> None:
    """Raise JsonError for a game that would, as text, merge with the previous one."""
    if before is None:
        return
    if not before["deals"]:
        raise JsonError(path, "the game before it has no deal: as text the two would be one")
    if not any(tag["name"] == "CGN" for tag in game["tags"]):
        raise JsonError(
            f"{path}.tags", "a CGN tag is missing: as text this game would belong to the one before"
        )


def _check(value: object, kind: str) -> dict[str, Any]:
    if not _is_plainly_valid(value, kind):
        _explain(value, kind)
    assert isinstance(value, dict)
    return value


def _is_plainly_valid(value: object, kind: str) -> bool:
    """Return whether the fast check is installed and finds nothing wrong."""
    is_valid = _fast_check(kind)
    try:
        return is_valid is not None and is_valid(value) and not _HUGE.search(str(value))
    except (ValueError, RecursionError):  # a lone surrogate, too many digits or levels
        return False


def _explain(value: object, kind: str) -> None:
    """Raise JsonError for the first thing in a value that the schema refuses, if there is one."""
    from jsonschema.exceptions import best_match

    try:
        error = best_match(_validator(kind).iter_errors(value))
        if error is not None:
            raise JsonError(_path(error.absolute_path), _message(error))
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("$", "nested too deeply to be a record") from None
    except ValueError:  # Python refuses to print a number of thousands of digits
        raise JsonError("$", "a number with too many digits") from None


@cache
def _fast_check(kind: str) -> Callable[[object], bool] | None:
    """Return the check of the extra `fast`, None if that is not installed."""
    try:
        from jsonschema_rs import Draft202012Validator
    except ImportError:
        return None
    # For a text with a lone surrogate, the check raises UnicodeEncodeError.
    definitions = json.loads(read_text("schemas", "game.schema.json"))["$defs"]
    check: Any = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": definitions})
    return cast("Callable[[object], bool]", check.is_valid)


@cache
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    definitions = json.loads(read_text("schemas", "game.schema.json"))["$defs"]
    return Draft202012Validator(_inlined(definitions[kind], definitions))


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with its references filled in, which jsonschema checks much faster."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: _inlined(each, definitions) for key, each in schema.items()}


def _path(parts: Iterable[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


def _message(error: Any) -> str:
    """Return the message of a schema error: what the value is, and what it should be."""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        name = next(name for name in error.instance if name not in known)
        return f"an unknown field {_shorten(name)}; the fields are {', '.join(known)}"
    if error.validator == "required":
        name = next(name for name in error.validator_value if name not in error.instance)
        return f"the field {name} is missing"
    found = _shorten(error.instance)
    if error.validator == "type":
        article = "an" if error.validator_value[0] in "aio" else "a"
        return f"{found} is not {article} {error.validator_value}"
    if error.validator == "const":
        return f"{found} is not {_shorten(error.validator_value)}"
    if error.validator == "enum" and len(error.validator_value) <= _LISTED:
        return f"{found} is not one of {', '.join(error.validator_value)}"
    if error.validator == "minItems":
        return "an empty list; leave the field out if there is nothing"
    if error.validator in ("minimum", "maximum", "maxLength"):
        return f"{found} is beyond the limit {error.validator_value}"
    return f"{found} does not fit: {error.schema.get('description', 'see the schema')}"


def _shorten(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (RecursionError, ValueError):
        return "a value"
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"


def _check_deals(game: dict[str, Any], path: str) -> None:
    for index, deal in enumerate(game["deals"]):
        place = f"{path}.deals[{index}]"
        _check_once(deal.get("hands", ()), "seat", f"{place}.hands")
        for name in ("melds", "threes", "scores"):
            _check_once(deal.get(name, ()), "side", f"{place}.{name}")
        _check_once(deal.get("left", ()), "seat", f"{place}.left")
        _check_once(deal.get("total", {}).get("totals", ()), "side", f"{place}.total.totals")
        for number, score in enumerate(deal.get("scores", ())):
            _check_once(score.get("items", ()), "item", f"{place}.scores[{number}].items")
        for number, turn in enumerate(deal.get("play", ())):
            if "actions" in turn:
                _check_actions(turn["actions"], f"{place}.play[{number}].actions")


def _check_once(values: Iterable[dict[str, Any]], name: str, path: str) -> None:
    """Raise JsonError if two values have the same `name`."""
    seen = set()
    for index, value in enumerate(values):
        if value[name] in seen:
            raise JsonError(f"{path}[{index}].{name}", f"{value[name]} appears a second time")
        seen.add(value[name])


def _check_actions(actions: list[dict[str, Any]], path: str) -> None:
    letters = "".join(_LETTERS[next(name for name in _LETTERS if name in it)] for it in actions)
    match = TURN_ORDER.match(letters)
    end = match.end() if match else 0
    if end < len(letters):
        order = "the order is: draw or take, asking and groups, discard, talon"
        raise JsonError(f"{path}[{end}]", f"this action is not allowed here; {order}")
    for index, action in enumerate(actions):
        if action.get("draw") == [] and not action.get("bare"):
            raise JsonError(f"{path}[{index}].draw", "an empty list; a bare + is written as bare")
