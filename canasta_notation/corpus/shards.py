"""Shards: which parts of the records belong together, and how they are named.

A shard's name is a digest of what it is built from: the bytes of its parts, their places, the
versions of the tables and the program, and whether missed chances are searched for. So a shard is
the same on every run and every machine; if its records change, its name changes too.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from canasta_notation.batch.parts import PART_SIZE, FilePart, Input, split, trouble_of
from canasta_notation.corpus.columns import SCHEMA_VERSION

#: The approximate size, in bytes, of the records in a shard.
SHARD_SIZE: Final = 2 << 20
_STARTS: Final = re.compile(rb"^[ \t]*(?:(\[CGN)|(?i:deal))(?![\w-])", re.MULTILINE)
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Shard:
    """Parts whose games become one file of each table; `digests` are the digests of their bytes."""

    name: str
    parts: tuple[FilePart, ...]
    digests: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of bytes."""
        return sum(part.size for part in self.parts)

    def sources(self) -> list[dict[str, Any]]:
        """Return what the shard is built from, for the manifest."""
        return [
            {"file": part.input.name, "start": part.start, "line": part.line, "sha256": digest}
            for part, digest in zip(self.parts, self.digests, strict=True)
        ]


@cache
def program_version() -> str:
    """Return the version of the installed program, "" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("canasta-notation")
    except PackageNotFoundError:
        return ""


def plan_shards(
    inputs: Iterable[Input], size: int = SHARD_SIZE, *, chances: bool = False
) -> Iterator[Shard]:
    """Yield the shards of a corpus in the order of its inputs, each of about `size` bytes.

    `chances` says whether missed chances are searched for. Every byte is read once. Not checked:
    that the inputs are records.
    """
    parts: list[FilePart] = []
    digests: list[str] = []
    total = 0
    for source in inputs:
        for part, digest in _digested(source, size):
            parts.append(part)
            digests.append(digest)
            total += part.size
            if total >= size:
                yield _shard(parts, digests, chances)
                parts, digests, total = [], [], 0
    if parts:
        yield _shard(parts, digests, chances)


def _shard(parts: list[FilePart], digests: list[str], chances: bool) -> Shard:
    shard = Shard("", tuple(parts), tuple(digests))
    trouble = [part.trouble for part in parts]
    content = repr((SCHEMA_VERSION, program_version(), chances, shard.sources(), trouble))
    name = hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
    return replace(shard, name=name)


def _digested(source: Input, size: int) -> Iterator[tuple[FilePart, str]]:
    """Yield the parts of an input with their digests; games are counted as the reader counts them.

    For a part that cannot be read, the digest is empty and the part's `trouble` says why.
    """
    games = 0
    if source.path is None or not os.path.isfile(source.path):
        trouble = f"{source.name}: not a file; a corpus is built from files"
        yield FilePart(source, trouble=trouble), ""
        return
    for part in split(source, min(size, max(PART_SIZE, size // 4))):
        if part.trouble:
            yield part, ""
            continue
        count = part.end is not None and (part.start > 0 or not part.last)
        try:
            digest, block = _digest(part, keep=count)
        except OSError as error:
            yield replace(part, trouble=trouble_of(source.name, error)), ""
            return
        yield replace(part, games=games), digest
        games += _count_games(block) if count else 0


def _digest(part: FilePart, *, keep: bool) -> tuple[str, bytes]:
    """Return the digest of a part's bytes and, if `keep`, the bytes themselves."""
    assert part.input.path is not None
    with open(part.input.path, "rb") as stream:
        stream.seek(part.start)
        if keep and part.end is not None:
            block = stream.read(part.end - part.start)
            return hashlib.sha256(block).hexdigest(), block
        digest = hashlib.sha256()
        while piece := stream.read(PART_SIZE):
            digest.update(piece)
        return digest.hexdigest(), b""


def _count_games(block: bytes) -> int:
    """Return how many games the reader will find; a tag may be indented."""
    games, seen_deal = 1, False
    for match in _STARTS.finditer(block):
        if match[1] is None:
            seen_deal = True
        elif seen_deal:
            games, seen_deal = games + 1, False
    return games
