"""Seeded damage to records: single edits of cards, numbers, words, tags, comments, line ends."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_CARD = re.compile(rb"(?<![A-Za-z0-9])(?:[AKQJT2-9][shdc]|\*)")
_NUMBER = re.compile(rb"-?\d+")
_CARDS = [rank + suit for rank in "3456789TJQKA2" for suit in "shdc"] + ["*", "_", "K", "9"]
#: Bytes that are no character: one that never is in UTF-8, one that only continues a character, a
#: character cut short, half of a surrogate pair, a long spelling of a quotation mark, a character
#: past the last one; and three that are one, but have no place in a record.
BAD_BYTES = (
    b"\xff", b"\x85", b"\xe2\x99", b"\xed\xa0\xbd", b"\xc0\xa2", b"\xf5\x80\x80\x80",
    b"\x00", b"\xc2\x85", b"\xef\xbf\xbe",
)  # fmt: skip
_BYTES = b'\x00\x01\x1b\t\r\n "#$+-./0123456789:;=?@ABCKNSEW[]^_adhijkst~\x7f\x80\xc3\xe2\xff'


def mutate(record: bytes, chance: random.Random) -> bytes:
    """Return the record with one edit."""
    return chance.choice(_EDITS)(record, chance)


def mutants(records: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` mutants, each with a single edit, of records chosen at random."""
    chance = random.Random(seed)
    for _ in range(count):
        yield mutate(chance.choice(records), chance)


def _put(record: bytes, start: int, end: int, text: bytes) -> bytes:
    return record[:start] + text + record[end:]


def _pick(record: bytes, pattern: re.Pattern[bytes], chance: random.Random) -> re.Match[bytes]:
    found = list(pattern.finditer(record))
    return chance.choice(found) if found else re.match(rb"", record)  # type: ignore[return-value]


def _card(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, _CARD, chance)
    return _put(record, *match.span(), chance.choice(_CARDS).encode())


def _rank(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, re.compile(rb"(?<= )[AKQJT2-9*]:"), chance)
    return _put(record, *match.span(), chance.choice(b"AKQJT98765432*".decode()).encode() + b":")


def _seat(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, re.compile(rb"(?<=\. )[NESW](?= )|(?<=\n)[NESW](?=: )"), chance)
    return _put(record, *match.span(), chance.choice("NESWA").encode())


def _number(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, _NUMBER, chance)
    if not match[0]:
        return record
    value = int(match[0]) + chance.choice((-100, -10, -5, -1, 1, 5, 10, 100))
    return _put(record, *match.span(), str(value).encode())


def _words(record: bytes) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"[^ \n]+", record))


def _drop(record: bytes, chance: random.Random) -> bytes:
    match = chance.choice(_words(record))
    return _put(record, match.start(), match.end() + 1, b"")


def _double(record: bytes, chance: random.Random) -> bytes:
    match = chance.choice(_words(record))
    return _put(record, *match.span(), match[0] + b" " + match[0])


def _swap(record: bytes, chance: random.Random) -> bytes:
    words = _words(record)
    at = chance.randrange(len(words) - 1)
    one, other = words[at], words[at + 1]
    between = record[one.end() : other.start()]
    return _put(record, one.start(), other.end(), other[0] + between + one[0])


def _byte(record: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(record))
    byte = bytes([chance.choice(_BYTES)])
    return _put(record, at, at + chance.randrange(2), byte)


#: A word, or the empty place before a line, a word or the end.
_TOKEN = re.compile(rb"[^\s:;=/+>\"\[\]]+|(?=[\s:;=/+>\"\[\]])|$")


def _bad_bytes(record: bytes, chance: random.Random) -> bytes:
    """Put bytes that cannot be there before a token, into it, or in its place."""
    start, end = _pick(record, _TOKEN, chance).span()
    at = chance.randint(start, end)
    return _put(record, *chance.choice(((at, at), (start, end))), chance.choice(BAD_BYTES))


def with_bad_bytes(record: bytes, word: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield mutants with bytes that cannot be there, before and inside each token of a word's line.

    Each place gets a third of `BAD_BYTES`, and the places take turns. With each mutant come the
    place of the bytes, from 0, and the bytes.
    """
    start = record.rfind(b"\n", 0, record.index(word) + 1) + 1
    end = record.index(b"\n", start)
    tokens = [found.span() for found in _TOKEN.finditer(record, start, end)]
    places = sorted({at for token in tokens for at in (token[0], sum(token) // 2)})
    for number, at in enumerate(places):
        for bad in BAD_BYTES[number % 3 :: 3]:
            yield _put(record, at, at, bad), at, bad


def _line(record: bytes, chance: random.Random) -> bytes:
    lines = record.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case _:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


_TAGS = (
    b'[Target "5000"]', b'[Target ""]', b'[Target "05000"]', b'[Dealer ""]', b'[Dealer "N"]',
    b'[Dealer "NE"]', b'[Date ""]', b'[Date "2026-??-01"]', b'[Result ""]', b'[Result "*"]',
    b'[Rules ""]', b'[Rules "classic target=5000"]', b'[Event "a ; b"]', b'[CGN "1"]', b'[X ""]',
    b'[N-from-2 "Zoe"]', b'[E-from-1 "Zoe"]', b'[s-from-3 "Zoe"]', b'[Q-from-3 ""]',
)  # fmt: skip


def _tag(record: bytes, chance: random.Random) -> bytes:
    """Put a tag in place of another, or before it."""
    match = _pick(record, re.compile(rb"^\[[^\n]*\n", re.MULTILINE), chance)
    start = match.start() if chance.random() < 0.5 else match.end()
    return _put(record, start, match.end(), chance.choice(_TAGS) + b"\n")


def _empty_tag(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, re.compile(rb'"[^"\n]*"'), chance)
    return _put(record, *match.span(), b'""') if match[0] else record


_LATE = (b"", b"; x", b" ", b"end out N", b"end void", b"end time")


def _turn_number(record: bytes, chance: random.Random) -> bytes:
    """Put a number before a line, or remove what follows a number."""
    if chance.random() < 0.5:
        match = _pick(record, re.compile(rb"(?<=\n)(?=[a-zA-Z; ])"), chance)
        return _put(record, *match.span(), b"%d. " % chance.randrange(1, 12))
    match = _pick(record, re.compile(rb"(?<=\d\. )[^\n]*"), chance)
    return _put(record, *match.span(), chance.choice(_LATE))


def _comment(record: bytes, chance: random.Random) -> bytes:
    match = _pick(record, re.compile(rb" |(?=\n)|(?<=\n)"), chance)
    return _put(record, *match.span(), chance.choice((b";", b" ;", b" ; x", b"; x\n", b" ;;")))


def _line_end(record: bytes, chance: random.Random) -> bytes:
    """Replace a space with a line end, a line end with a space, or a line end with another."""
    match = _pick(record, re.compile(rb"[ \n]"), chance)
    other = (b"\n",) if match[0] == b" " else (b" ", b"\r\n", b"", b" \n")
    return _put(record, *match.span(), chance.choice(other))


def _digits(record: bytes, chance: random.Random) -> bytes:
    """Put a digit before a number, or replace a digit with one of another script."""
    match = _pick(record, re.compile(rb"\d"), chance)
    digits = ("0", "\u0660", "\uff15", "\u00b2", "1")
    end = match.end() if chance.random() < 0.5 else match.start()
    return _put(record, match.start(), end, chance.choice(digits).encode())


_EDITS = (
    _card, _card, _rank, _seat, _number, _number, _drop, _double, _swap, _byte, _line,
    _tag, _empty_tag, _turn_number, _comment, _line_end, _digits, _bad_bytes,
)  # fmt: skip
