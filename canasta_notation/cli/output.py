"""Writing files whole or not at all, and JSON that no terminal can be led astray by."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import IO, Any, Final

from canasta_notation.cli.trouble import Trouble, because

#: What is in no JSON string here: C1 controls, invisible and bidi characters, surrogates.
_HIDDEN: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
#: The permissions of a new file, before the process's mask.
_NEW: Final = 0o666
#: How the name ends of a file that is to take another's place.
_FRESH: Final = ".tmp"
#: Bytes of a file that is not yet whole which are held in memory.
_HELD: Final = 1 << 20


def json_text(document: Any, *, unicode: bool = True) -> str:
    """Return a document as indented JSON ending in a line end; hidden characters are spelled."""
    text = json.dumps(document, ensure_ascii=not unicode, indent=1)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Replace a file's content, or leave the file as it is: never a half-written file.

    The new content is written, as its pieces come, to a file beside it, is forced to the disk and
    takes the old one's place and mode. A link is followed. Raises Trouble, and what the pieces
    raise; then nothing is left behind.
    """
    try:
        target = path.resolve(strict=False)
        if target.exists() and not target.is_file():
            _write_stream(target, pieces)
            return
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _NEW & ~_mask()
        _replace(target, pieces, mode)
    except OSError as error:
        raise because(str(path), error) from error


def sweep_fresh(path: Path) -> None:
    """Remove what writers of a file that were killed left beside it. Raises OSError.

    For who alone may write the file now.
    """
    for left in path.parent.glob(f".{escape(path.name)}.*{_FRESH}"):
        left.unlink(missing_ok=True)


@contextmanager
def spooled(pieces: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Give the pieces as a file once the last of them is there; what is long lies on the disk."""
    with tempfile.SpooledTemporaryFile(_HELD) as file:
        for piece in pieces:
            file.write(piece)
        file.seek(0)
        yield file


def _write_stream(target: Path, pieces: Iterable[bytes]) -> None:
    """Write to what is no file, a device or a named pipe, once all is there."""
    if target.is_dir():
        raise Trouble(f"{target}: is a folder")
    with spooled(pieces) as whole, target.open("wb") as stream:
        shutil.copyfileobj(whole, stream)


def _replace(target: Path, pieces: Iterable[bytes], mode: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=_FRESH, dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
