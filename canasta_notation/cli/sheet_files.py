"""Score sheets by their paths: the games in them, and what was understood of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from canasta_notation.cli.command_errors import UserError, how_to_install
from canasta_notation.cli.files import read_bytes

if TYPE_CHECKING:
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.sheet_form import ColumnMap, SheetReading
    from canasta_notation.rules import Profile

#: The suffixes of files that hold score sheets.
SHEET_SUFFIXES: Final = (".csv", ".tsv", ".xlsx", ".ods")


def is_sheet(path: str) -> bool:
    """Return whether a path has the suffix of a score sheet."""
    return path.lower().endswith(SHEET_SUFFIXES)


def sheets_in(folder: str) -> list[str]:
    """Return the paths of the sheets in and below a folder. Raises UserError if there are none.

    Hidden files, and those that a spreadsheet program keeps while a sheet is open, are left out.
    """
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = (name for name in sorted(names) if not name.startswith((".", "~$")))
        found += [os.path.join(place, name) for name in shown if is_sheet(name)]
    if not found:
        kinds = " or ".join(SHEET_SUFFIXES)
        raise UserError(f"{folder}: no score sheets ({kinds}) in this folder")
    return found


def sheet_reading(profile: Profile | None, names: ColumnMap | None = None) -> SheetReading:
    """Return how to read sheets of games by some rules, classic by default."""
    from canasta_notation.notation.sheet_form import ColumnMap, SheetReading
    from canasta_notation.rules import parse_rules, profile_names

    rules = profile or parse_rules(profile_names()[0]).profile
    assert rules is not None
    yes = {"out": int(rules["score.out"]), "concealed": int(rules["score.concealed"])}
    return SheetReading(rules.side_names, names or ColumnMap(), yes)


def read_sheet(path: str, reading: SheetReading, say: Callable[[str], object]) -> list[Game]:
    """Return the games of a score sheet, and say what was understood.

    Raises SheetError if cells are wrong, and UserError if the file cannot be read.
    """
    from canasta_notation.notation.sheet_file import NoReader
    from canasta_notation.notation.sheet_form import read_sheets

    try:
        sheets = read_sheets(read_bytes(path), reading)
    except NoReader as error:
        raise UserError(
            f"{path}: this needs python-calamine; {how_to_install('sheets')}"
        ) from error
    for line in sheets.understood:
        say(f"{path}: {line}")
    return sheets.games
