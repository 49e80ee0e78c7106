"""TOML that a person has written, and what is wrong with it in plain words."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

_UNQUOTED: Final = "a text in quotes does not end on its line; close it with the same quotes"
_OPEN: Final = "a text in quotes does not end; close it with the same quotes"
_SIGN: Final = "this is a control character; delete it"
_BACKSLASH: Final = "a \\ in quotes begins no known sign; write \\\\ for the sign itself"
_TWICE: Final = "the same name is written a second time; leave one of them out"
_LIST: Final = "a list does not end; close it with ]"
_OTHER: Final = 'this is not TOML; write each line like name = "our club" or target = 5000'
#: How Python begins what it says of a text that is not TOML, and what that means; the first counts.
_MEANINGS: Final = {
    "Illegal character '\\n'": _UNQUOTED,
    "Unterminated string": _OPEN,
    'Expected "\'"': _OPEN,
    "Illegal character": _SIGN,
    "Found invalid character": _SIGN,
    "Unescaped '\\'": _BACKSLASH,
    "Escaped character": _BACKSLASH,
    "Invalid hex value": _BACKSLASH,
    "Cannot": _TWICE,
    "Duplicate": _TWICE,
    "Expected '='": 'there is no = after the name; write each line like name = "our club"',
    "Expected ']": "a name in brackets does not end; close it with ]",
    "Expected newline": "more follows what is whole; write each value on its own line",
    "Unclosed array": _LIST,
    "Invalid value (at end": _LIST,
    "Unclosed inline table": "a table does not end; close it with }",
    "Invalid date": "there is no such date; write it like 2026-11-19",
    "Invalid value": "this is no value; write a text in quotes, and true or false in small letters",
}
_PLACE: Final = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(name: str, data: bytes) -> dict[str, Any]:
    """Return what a file's bytes say.

    Raises ValueError for bytes that are not TOML: one line with the name of the file, the place,
    the cause and the remedy.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        byte = f"0x{data[error.start]:02x}"
        why = f"byte {byte} is not UTF-8; save the file as plain text in UTF-8"
        raise ValueError(f"{name}:{line}:{column}: {why}") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = _PLACE.search(said)
        last = text.count("\n") + 1
        place = f"{found[1]}:{found[2]}" if found and found[1] else f"{last}:1"
        meant = (means for words, means in _MEANINGS.items() if said.startswith(words))
        raise ValueError(f"{name}:{place}: {next(meant, _OTHER)}") from None
    except ValueError:  # from Python, for a number of thousands of digits
        raise ValueError(f"{name}: contains a number with too many digits") from None
