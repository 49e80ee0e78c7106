"""The tags of a game, from bytes to the rules that it is scanned by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from canasta_notation.counts import i64
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.notation.tag_values import TAGS, is_date, likely_tag, read_result, read_target
from canasta_notation.rules import load_profile, parse_rules
from canasta_notation.scan.scan_state import (
    NONE,
    SPACE,
    Reader,
    read_name,
    read_totals,
    read_word,
    skip_empty,
    use_rules,
)

_KNOWN: Final = frozenset(tag.encode() for tag in TAGS)
_OPENS: Final = 91
_QUOTE: Final = 34
_BACKSLASH: Final = 92
_DELETE: Final = 127
_ASCII: Final = 128
_NO_TEXT: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def scan_tags(reader: Reader) -> i64:
    """Scan the tags, and use the rules that they name; return where the first deal begins.

    Returns -1 if a line is not a plain tag, or if a tag has a wrong value or a name that is likely
    to be wrong.
    """
    tags = reader.tags = {}
    text = reader.text
    plain = True
    pos = skip_empty(reader, 0)
    while reader.data[pos] == _OPENS:
        start = pos + 1
        end = read_name(reader, start)
        if end < 0 or reader.data[end] != SPACE or reader.data[end + 1] != _QUOTE:
            return -1
        name = text[start:end]
        if name in tags or (name not in _KNOWN and likely_tag(name.decode())):
            return -1
        tags[name] = end + 2
        pos = end + 2
        byte: i64 = reader.data[pos]
        while byte != _QUOTE:
            if byte < SPACE or byte in (_BACKSLASH, _DELETE):
                return -1
            plain = plain and byte < _ASCII
            pos += 1
            byte = reader.data[pos]
        pos = read_word(reader, pos, b'"]\n')
        if pos < 0:
            return -1
        reader.lines += 1
        pos = skip_empty(reader, pos)
    if read_word(reader, pos, b"deal ") < 0 or not (plain or is_clean(text[:pos])):
        return -1
    return pos if _tags_hold(reader) else -1


def _tags_hold(reader: Reader) -> bool:
    """Take the rules and the first dealer from the tags; return whether the tags are right."""
    date, dealer = _value(reader, b"Date"), _value(reader, b"Dealer")
    if _value(reader, b"CGN") != b"1" or (date is not None and not is_date(date.decode())):
        return False
    rules_text = _value(reader, b"Rules")
    reader.by_default = reader.override is None and not (rules_text and rules_text.strip())
    rules = _find_rules(rules_text, _value(reader, b"Target"))
    if rules is None:
        return False
    if reader.override is None and rules is not reader.rules:
        use_rules(reader, rules)
    reader.dealer = -1
    if dealer is not None:
        reader.dealer = reader.rules.seat_at[dealer[0]] if len(dealer) == 1 else NONE
    return reader.dealer != NONE


def _value(reader: Reader, name: bytes) -> bytes | None:
    start = reader.tags.get(name)
    return None if start is None else reader.text[start : reader.text.index(b'"', start)]


@lru_cache(maxsize=256)
def _find_rules(text: bytes | None, target: bytes | None) -> Rules | None:
    """Return the rules that two tags name, None if they cannot be used."""
    profile = load_profile("classic")
    if text is not None:
        reading = parse_rules(text.decode())
        if reading.profile is None:
            return None
        profile = reading.profile
    if target is not None:
        points = read_target(target.decode())
        if points is None or (profile["target"] != points and "target" in profile.overridden):
            return None
        profile = profile.with_values({"target": points})
    return rules_of(profile)


def result_holds(reader: Reader) -> bool:
    """Return whether the claimed result, if there is one, agrees with the totals."""
    pos = reader.tags.get(b"Result", -1)
    if pos < 0:
        return True
    end = read_totals(reader, pos)
    sides = reader.rules.sides
    if end >= 0 and reader.data[end] == _QUOTE and reader.number == (1 << len(sides)) - 1:
        return True
    value = _value(reader, b"Result") or b""
    result = read_result(value.decode(), sides)
    if result is None or (not result and reader.winner >= 0):
        return False
    return not result or [result[side] for side in sides] == reader.totals


def is_clean(text: bytes) -> bool:
    """Return whether bytes are text without control characters."""
    try:
        return _NO_TEXT.search(text.decode()) is None
    except UnicodeDecodeError:
        return False
