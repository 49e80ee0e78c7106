"""`canasta app`: the web application, as a folder to put on any https host."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from canasta_notation.cli.options import NoColour
from canasta_notation.cli.session import Session, UserError
from canasta_notation.storage import BadFile, refusal


def app(
    out: Annotated[
        str, typer.Option("-o", "--out", metavar="FOLDER", help="The folder to write; a new one.")
    ],
    pyodide: Annotated[
        str | None,
        typer.Option(
            "--pyodide",
            metavar="TGZ",
            help="The archive of Pyodide, which runs Python in a browser. If the option is "
            "missing, the program says which version, and what fetches it.",
            show_default=False,
        ),
    ] = None,
    no_color: NoColour = False,
) -> None:
    """Write a web application: a score pad and the referee, which work without a network.

    Put the folder on any https host, and open its address once on a phone. From then on, the
    application and the games stay on the phone, and nothing leaves it.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.app.web_app import FETCH, WrongArchive, build

        if pyodide is None:
            raise UserError(f"--pyodide is missing: `{FETCH}` fetches the archive; then name it")
        target = Path(out)
        if os.path.lexists(target):
            raise UserError(f"{out} already exists; name a new folder")
        try:
            found = build(_archive(pyodide))
        except WrongArchive as why:
            raise UserError(f"{pyodide}: {why}") from why
        _write(target, found)
        size = sum(map(len, found.values())) / 1_000_000
        session.say(f"{out}: {len(found)} files, {size:.1f} MB")


def _archive(path: str) -> bytes:
    """Return the bytes of the archive. Raises BadFile."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadFile(refusal(path, error)) from error


def _write(target: Path, found: Mapping[str, bytes]) -> None:
    """Write a folder whole or not at all: first beside its place, then renamed. Raises BadFile."""
    fresh = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    try:
        try:
            for name, data in found.items():
                path = fresh / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            fresh.rename(target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        raise BadFile(refusal(str(target), error)) from error
