"""Whether a value is valid by a JSON schema: the schema made into functions, once.

For the keywords of schemas/game.schema.json, with their meaning in the draft 2020-12. The answer is
yes or no, many times as fast as jsonschema's, which is the one to say what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

Shape = Callable[[Any], bool]

_TYPES: Final[dict[str, Shape]] = {
    "object": lambda it: isinstance(it, dict),
    "array": lambda it: isinstance(it, list),
    "string": lambda it: isinstance(it, str),
    "boolean": lambda it: isinstance(it, bool),
    "integer": lambda it: type(it) is int or (isinstance(it, float) and it.is_integer()),
}
#: What is said of values, and what belongs to another keyword.
_NO_TEST: Final = {"description", "then", "else"}


def shape_of(schema: dict[str, Any], definitions: dict[str, Any]) -> Shape:
    """Return what tells whether a value is valid. No definition may lead back to itself.

    Raises ValueError for a keyword that is not known. Not checked: the schema itself.
    """

    def whole(schema: dict[str, Any]) -> Shape:
        tests = [
            part(name, given, schema) for name, given in schema.items() if name not in _NO_TEST
        ]
        if len(tests) == 1:
            return tests[0]
        return lambda it: all(test(it) for test in tests)

    def part(name: str, given: Any, schema: dict[str, Any]) -> Shape:
        match name:
            case "$ref":
                return whole(definitions[given.removeprefix("#/$defs/")])
            case "not":
                test = whole(given)
                return lambda it: not test(it)
            case "if":
                test, then, other = (whole(schema.get(each, {})) for each in ("if", "then", "else"))
                return lambda it: then(it) if test(it) else other(it)
            case "properties":
                fields = {name: whole(field) for name, field in given.items()}
                return lambda it: (
                    not isinstance(it, dict)
                    or all(fields[name](value) for name, value in it.items() if name in fields)
                )
            case "items":
                each = whole(given)
                return lambda it: not isinstance(it, list) or all(map(each, it))
        return _plain(name, given, schema)

    return whole(schema)


def _plain(name: str, given: Any, schema: dict[str, Any]) -> Shape:
    """Return the test of a keyword that holds no schema."""
    match name:
        case "type":
            return _TYPES[given]
        case "const":
            return lambda it: it == given and isinstance(it, bool) is isinstance(given, bool)
        case "enum" if all(isinstance(each, str) for each in given):
            texts = frozenset(given)
            return lambda it: isinstance(it, str) and it in texts
        case "required":
            return lambda it: not isinstance(it, dict) or all(name in it for name in given)
        case "additionalProperties" if given is False:
            known = schema["properties"].keys()
            return lambda it: not isinstance(it, dict) or it.keys() <= known
        case "minItems":
            return lambda it: not isinstance(it, list) or len(it) >= given
        case "maxLength":
            return lambda it: not isinstance(it, str) or len(it) <= given
        case "pattern":
            search = re.compile(given).search
            return lambda it: not isinstance(it, str) or search(it) is not None
        case "minimum":
            return lambda it: not _is_number(it) or it >= given
        case "maximum":
            return lambda it: not _is_number(it) or it <= given
    raise ValueError(f"a keyword or a value that is not known here: {name}")


def _is_number(it: object) -> bool:
    return isinstance(it, int | float) and not isinstance(it, bool)
