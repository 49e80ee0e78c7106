"""Catalogues of gettext: `.po` as a translator writes it, compiled to `.mo`.

The build of a wheel runs this file alone, so it imports nothing of the package.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from itertools import accumulate

#: The beginning of a gettext file; the separators of a context from a text, and of plural forms.
_MAGIC = 0x950412DE
_CONTEXT = "\x04"
_PLURAL = "\0"
#: The size of the header of a file, and of the entry of a text: its length and its place.
_HEADER = 28
_ENTRY = 8


def compile_catalogue(text: str) -> bytes:
    """Return a catalogue as gettext reads it. Raises ValueError for a line that is not an entry."""
    entries = sorted((key.encode(), value.encode()) for key, value in _entries(text))
    keys, values = [key for key, _ in entries], [value for _, value in entries]
    count = len(entries)
    place = _HEADER + 2 * _ENTRY * count
    table = b""
    for texts in (keys, values):
        for text_bytes, end in zip(texts, accumulate(len(each) + 1 for each in texts), strict=True):
            table += struct.pack("<II", len(text_bytes), place + end - len(text_bytes) - 1)
        place += sum(len(each) + 1 for each in texts)
    starts = (_HEADER, _HEADER + _ENTRY * count, 0, _HEADER + 2 * _ENTRY * count)
    header = struct.pack("<IIIIIII", _MAGIC, 0, count, *starts)
    return header + table + b"".join(each + b"\0" for each in (*keys, *values))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield each text, with its context and its plural, and its translations."""
    for block in text.split("\n\n"):
        found: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#") or not line:
                continue
            if not line.startswith('"'):
                name, _, line = line.partition(" ")
            if not line.startswith('"'):
                raise ValueError(f"no text after {name}")
            found[name] = found.get(name, "") + json.loads(line)
        if found:
            yield _entry(found)


def _entry(found: dict[str, str]) -> tuple[str, str]:
    context = found["msgctxt"] + _CONTEXT if "msgctxt" in found else ""
    plural = _PLURAL + found["msgid_plural"] if "msgid_plural" in found else ""
    translations = [value for name, value in found.items() if name.startswith("msgstr")]
    return context + found["msgid"] + plural, _PLURAL.join(translations)
