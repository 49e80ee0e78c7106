"""The folder of a corpus: its files, its manifest, and the journal of a build.

Each table has a folder with one file for each shard. The manifest lists the shards and the digest
of every file; it is written when a build is finished. Until then, a journal lists the shards that
the build may write, and describes those that it has written. So an interrupted build can continue,
and nothing is removed except what a build of this program has written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from canasta_notation.corpus.columns import SCHEMA_VERSION, TABLES
from canasta_notation.storage import (
    BadFile,
    Lock,
    full_disk_names,
    refusal,
    remove_fresh,
    replace_file,
    sync_folder,
)

MANIFEST: Final = "manifest.json"
JOURNAL: Final = "building.jsonl"
_LOCK: Final = ".building.lock"
#: The beginning of the names of files that a build leaves behind if it is killed at the start.
_BEGUN: Final = ".building."
#: These two fields identify a manifest or a journal of this program.
_MARK: Final = {"corpus": "canasta-notation", "schema_version": SCHEMA_VERSION}
_NAME: Final = re.compile(r"[0-9a-f]{16}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class Damaged(BadFile):
    """A manifest or a journal that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Written:
    """A shard as written: the rows and digest of each table's file, and the unreadable records."""

    name: str
    rows: dict[str, int]
    sha256: dict[str, str]
    trouble: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the shard's entry in the manifest and the journal."""
        return {
            "shard": self.name,
            "rows": self.rows,
            "sha256": self.sha256,
            "trouble": list(self.trouble),
        }


def path_of(out: Path, table: str, name: str) -> Path:
    """Return the file that holds a shard's rows of a table."""
    return out / table / f"{name}.parquet"


# --- reading ------------------------------------------------------------------------------------


def read_manifest(out: Path) -> list[Written]:
    """Return the shards of a corpus. Raises BadFile if there is no finished corpus."""
    if not (out / MANIFEST).exists():
        raise BadFile(f"{out}: is not a corpus, or its build was not finished")
    with _own(out / MANIFEST):
        value = json.loads(_bytes(out / MANIFEST))
        _check_mark(value, out / MANIFEST)
        return [_written(shard) for shard in value["shards"]]


def _read_journal(out: Path) -> dict[str, Written | None]:
    """Return the shards that an interrupted build may have written, None for those not finished."""
    known: dict[str, Written | None] = {}
    if not (out / JOURNAL).exists():
        return known
    with _own(out / JOURNAL):
        head, *lines = _bytes(out / JOURNAL).split(b"\n")
        _check_mark(json.loads(head), out / JOURNAL)
        for name in json.loads(lines[0])["shards"]:
            known[_checked_name(name)] = None
        for line in lines[1:-1]:  # what follows the last line end is incomplete
            shard = _written(json.loads(line))
            known[shard.name] = shard
    return known


def _bytes(path: Path) -> bytes:
    if path.is_symlink():
        raise _Wrong("it is a link")
    return path.read_bytes()


class _Wrong(ValueError):
    """Content that this program has not written, in words for people."""


@contextmanager
def _own(path: Path) -> Iterator[None]:
    """Raise Damaged for content that is wrong, and BadFile for a file that cannot be read."""
    try:
        yield
    except OSError as error:
        raise BadFile(refusal(str(path), error)) from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        reason = "a part is missing or of a wrong kind"
        if isinstance(error, _Wrong):
            reason = str(error)
        elif isinstance(error, ValueError):
            reason = "it is not JSON"
        elif isinstance(error, RecursionError):
            reason = "nested too deeply"
        raise Damaged(
            f"{path}: not a file of a corpus, or damaged ({reason}); "
            "build the corpus again, or into another folder"
        ) from error


def _check_mark(value: Any, path: Path) -> None:
    if value["corpus"] != _MARK["corpus"]:
        raise _Wrong("another program wrote it")
    if value["schema_version"] != SCHEMA_VERSION:
        version = value["schema_version"]
        raise BadFile(
            f"{path}: built with tables of version {version}, not {SCHEMA_VERSION}; "
            "build into another folder"
        )


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _Wrong("a shard has a wrong name")
    return name


def _written(value: Any) -> Written:
    name, rows, digests, trouble = (value[key] for key in ("shard", "rows", "sha256", "trouble"))
    if (
        rows.keys() != TABLES.keys()
        or digests.keys() != TABLES.keys()
        or not all(type(count) is int for count in rows.values())
        or not all(_DIGEST.fullmatch(digest) for digest in digests.values())
        or not all(isinstance(line, str) for line in trouble)
    ):
        raise _Wrong("a shard is described wrongly")
    return Written(_checked_name(name), rows, digests, tuple(trouble))


def damage(out: Path, shards: Iterable[Written]) -> Iterator[str]:
    """Yield what is wrong with the shards' files. Every byte is read."""
    for shard in shards:
        for table, expected in shard.sha256.items():
            path = path_of(out, table, shard.name)
            try:
                if path.is_symlink() or path.parent.is_symlink():
                    yield f"{path}: is a link, not a file of this corpus"
                    continue
                with path.open("rb") as stream:
                    if file_digest(stream, "sha256").hexdigest() != expected:
                        yield f"{path}: is damaged: its bytes are not those that were written"
            except FileNotFoundError:
                yield f"{path}: is missing"
            except OSError as error:
                yield f"{path}: cannot be read: {error.strerror}"


def foreign_files(out: Path, shards: Iterable[Written]) -> Iterator[str]:
    """Yield the files in the folders of tables that do not belong to a shard.

    Whatever reads a whole folder would read them too.
    """
    names = {f"{shard.name}.parquet" for shard in shards}
    for table in TABLES:
        for name in sorted({*os.listdir(out / table)} - names):
            yield f"{out / table / name}: is not a file of this corpus"


# --- writing ------------------------------------------------------------------------------------


@contextmanager
def build_folder(out: Path) -> Iterator[BuildFolder]:
    """Open a folder for a build, and lock it. Raises BadFile if it holds something else."""
    _read_known(out)
    out.mkdir(parents=True, exist_ok=True)
    try:
        lock = Lock(out / _LOCK)
    except BlockingIOError as error:
        raise BadFile(f"{out}: another build is writing this corpus{error}") from error
    try:
        yield BuildFolder(out, _read_known(out))
    finally:
        lock.release()


def _read_known(out: Path) -> dict[str, Written | None]:
    """Return the shards that builds may have written, each described if it was finished.

    In a folder that has the folders of all tables, a manifest or a journal that is damaged or
    missing is ignored. The build then writes every shard again, and removes none.
    """
    known: dict[str, Written | None] = {}
    has_tables = all((out / table).is_dir() for table in TABLES)
    try:
        if (out / MANIFEST).exists():
            known = {shard.name: shard for shard in read_manifest(out)}
        elif not (out / JOURNAL).exists() and out.exists() and not has_tables:
            if not out.is_dir():
                raise BadFile(f"{out}: is not a folder")
            if not all(name.startswith(_BEGUN) for name in os.listdir(out)):
                raise BadFile(f"{out}: is neither empty nor a corpus")
        for name, shard in _read_journal(out).items():
            known[name] = shard or known.get(name)
    except Damaged:
        if not has_tables:
            raise
    for table in TABLES:
        if (out / table).is_symlink():
            raise BadFile(f"{out / table}: is a link, not a folder of this corpus")
    return known


class BuildFolder:
    """The folder of a corpus while it is built; `known` are the shards that may be there."""

    def __init__(self, out: Path, known: dict[str, Written | None]) -> None:
        self.out = out
        self.known = known

    def whole(self, name: str) -> Written | None:
        """Return the shard with that name if it is in the folder and undamaged, else None."""
        shard = self.known.get(name)
        return None if shard is None or any(damage(self.out, [shard])) else shard

    def begin(self, names: list[str], kept: list[Written]) -> None:
        """Begin the journal with the names of all shards that may be here, and the kept shards."""
        listed = sorted({*self.known, *names})
        lines = [_MARK, {"shards": listed}, *(shard.to_json() for shard in kept)]
        replace_file(self.out / JOURNAL, map(_line, lines))
        sync_folder(self.out)
        for table in TABLES:
            (self.out / table).mkdir(exist_ok=True)

    def add(self, shard: Written) -> None:
        """Add a shard that has been written to the journal."""
        path = self.out / JOURNAL
        with full_disk_names(path), open(path, "ab") as journal:
            journal.write(_line(shard.to_json()))

    def finish(self, manifest: dict[str, Any], names: set[str]) -> None:
        """Write the manifest, and remove files of earlier builds that this one has not written."""
        for table in TABLES:
            sync_folder(self.out / table)
        text = json.dumps(_MARK | manifest, indent=1) + "\n"
        replace_file(self.out / MANIFEST, [text.encode()])
        sync_folder(self.out)
        known = self.known.keys() | names
        for table in TABLES:
            for name in self.known.keys() - names:
                path_of(self.out, table, name).unlink(missing_ok=True)
            remove_fresh(self.out / table, {f"{name}.parquet" for name in known})
        remove_fresh(self.out, {MANIFEST, JOURNAL})
        (self.out / JOURNAL).unlink()


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
