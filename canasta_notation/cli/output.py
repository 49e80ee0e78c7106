"""Writing files whole or not at all, and JSON that is safe to print on a terminal."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from canasta_notation.cli.trouble import Trouble, because
from canasta_notation.storage import replace_file, sync_folder

#: Always escaped in JSON: C1 controls, invisible and bidi characters, surrogates.
_HIDDEN: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
#: How many links to a descriptor are followed; the system refuses longer chains.
_LINKS: Final = 40
#: How much of an unfinished file stays in memory, in bytes.
_HELD: Final = 1 << 20


def json_text(document: Any, *, unicode: bool = True, indent: int | None = 1) -> str:
    """Return a document as JSON that ends in a newline; hidden characters are escaped.

    Without `indent`, it is one line.
    """
    text = json.dumps(document, ensure_ascii=not unicode, indent=indent)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write_whole(
    path: Path, pieces: Iterable[bytes], *, unchanged: os.stat_result | None = None
) -> tuple[str, ...]:
    """Replace a file's content, or leave the file as it is; it is never half written.

    The pieces are written to a new file beside it as they come. The new file is forced to the disk
    and takes the old one's place, mode and owner. A link is followed. A descriptor such as
    /dev/stdout, or anything else that is not a regular file, is written to directly after all
    pieces have come. Returns, in words, what could not be kept of the old file. Raises Trouble if
    the file cannot be written, is read-only, or is no longer as `unchanged` says, and whatever the
    pieces raise; no new file remains then.
    """
    try:
        stream = _open_special(path)
        if stream is not None:
            with stream, spooled(pieces) as whole:
                shutil.copyfileobj(whole, stream)
            return ()
        target = Path(os.path.realpath(path))
        _check_writable(target)
        lost: list[str] = []

        def prepare(fresh: Path) -> None:
            old = os.stat(target) if target.exists() else None
            if unchanged is not None and _state(old) != _state(unchanged):
                raise Trouble(f"{path}: another program has changed this file; it is left as it is")
            if old is not None:
                lost.extend(_keep(old, fresh))

        replace_file(target, pieces, prepare=prepare)
        sync_folder(target.parent)
        return tuple(lost)
    except OSError as error:
        raise because(str(path), error) from error


@contextmanager
def spooled(pieces: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Collect all pieces and provide them as a file; long output waits on the disk."""
    with tempfile.SpooledTemporaryFile(_HELD) as file:
        for piece in pieces:
            file.write(piece)
        file.seek(0)
        yield file


def _open_special(path: Path) -> BinaryIO | None:
    """Open a descriptor, device or named pipe, which must not be replaced; None for a file."""
    number = _descriptor(path)
    if number is not None:
        return os.fdopen(os.dup(number), "wb")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise Trouble(f"{path}: is a folder")
    return None if stat.S_ISREG(mode) else path.open("wb")


def _descriptor(path: Path) -> int | None:
    """Return the number of the open descriptor that a path such as /dev/stdout means, or None."""
    for _ in range(_LINKS):
        folder = os.path.realpath(path.parent)
        if path.name.isdecimal() and folder in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder, os.readlink(path))
    return None


def _check_writable(path: Path) -> None:
    """Raise PermissionError for a read-only file, also if the user is root, who may write it."""
    if path.exists() and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _state(found: os.stat_result | None) -> tuple[int, int, int] | None:
    """Return values that change whenever the file changes."""
    return found and (found.st_ino, found.st_size, found.st_mtime_ns)


def _keep(old: os.stat_result, fresh: Path) -> Iterator[str]:
    """Give a new file the owner and the mode of the old one; yield what cannot be kept."""
    new = os.stat(fresh)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(fresh, old.st_uid, old.st_gid)
        except OSError:
            yield "its owner is now the user who runs this program"
    os.chmod(fresh, stat.S_IMODE(old.st_mode))
    if old.st_nlink > 1:
        yield "its other names (hard links) keep the old content"
