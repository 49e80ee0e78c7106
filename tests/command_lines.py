"""Lines of the program with every option of its commands, and what each says and writes.

Tests of rooms that have commands compare them with golden files: an option without effect, an exit
code, a line of standard error or a file that is another shows there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import typer

from canasta_notation.cli.app import app
from canasta_notation.english import listed
from canasta_notation.rules import profile_names
from tests.cli_records import BROKEN, SHEET, UNSEEN, VERIFIED
from tests.programs import canasta

#: A deal of which every card is written, broken off after its fourth turn.
BEGUN: Final = VERIFIED.partition("5. N ")[0].replace("NS 460 EW 225", "*") + "end unfinished\n"
#: The same with a card that is not in the hand.
WRONG: Final = BEGUN.replace("+Ah -Ah", "+Ah -9h")
#: A score sheet as people keep it, with a sum that is false.
FIGURES: Final = "deal,side,melds,hand,score\n1,NS,365,-20,345\n1,EW,120,-50,70\n2,NS,95,-5,80\n"
#: Files of each form; two of them have several games.
FILES: Final = {
    "a.canasta": BEGUN,
    "b.canasta": f"{UNSEEN}\n{WRONG}\n{SHEET}",
    "broken.canasta": BROKEN,
    "sheet.csv": FIGURES,
}
#: Values that are given to the options with a value, right and wrong ones.
VALUES: Final = {
    "--rules": ("bga", "classic target=1000", "nonsense"),
    "--against": ("bga", "nonsense"),
    "--columns": ("none.toml",),
    "--format": ("github",),
    "--game": ("2", "9"),
    "--deal": ("1", "9"),
    "--turn": ("2", "9", "2:3", "3:2"),
    "--seat": ("N", "Bruno", "Q"),
    "--play": ("-4s", "?"),
    "--rollouts": ("20", "-1", "x"),
    "--seed": ("3",),
    "--language": ("es", "xx"),
}
#: Options that other tests try: what processes share, and colours.
_LEFT_OUT: Final = {"--jobs", "--no-color", "--help", "--step"}

#: JSON of more lines than this is shown by its checksum.
_LONG: Final = 12


def write_files(folder: Path) -> None:
    """Write the files of each form into a folder."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")


def _parameters(command: str) -> list[Any]:
    """Return the arguments and options of a command, as Typer knows them."""
    group: Any = typer.main.get_command(app)
    found: list[Any] = group.get_command(group.make_context("canasta", ["help"]), command).params
    return found


def defaults(command: str) -> str:
    """Return the arguments and options of a command with their defaults, a line each."""
    return "\n".join(
        f"{command} {'/'.join(each.opts)}: {'needed' if each.required else repr(each.default)}"
        for each in _parameters(command)
    )


def _options(command: str) -> Iterator[tuple[str, ...]]:
    """Yield the options of a command, each with each of its values. Raises KeyError without one."""
    for option in _parameters(command):
        name = option.opts[-1]
        if not name.startswith("--") or name in _LEFT_OUT:
            continue
        yield from [(name,)] if option.is_flag else [(name, each) for each in VALUES[name]]


def outcome(folder: Path, *args: str, stdin: str | None = None) -> list[str]:
    """Return the lines that a command prints in its folder, its exit code, and what it writes.

    The command must run in the folder. What it writes is taken away. Long JSON is shown by its
    checksum, and a list of all profiles by a word.
    """
    before = set(folder.rglob("*"))
    done = canasta(*args, stdin=stdin)
    printed = done.stdout.splitlines()
    if "--json" in args and len(printed) > _LONG:
        checksum = crc32(done.stdout.encode())
        printed = [f"{len(printed)} lines of JSON, checksum {checksum:08x}"]
    lines = [f"exit code {done.exit_code}", *printed]
    known = listed(profile_names())
    lines += [f"! {line.replace(known, 'PROFILES')}" for line in done.stderr.splitlines()]
    for path in sorted({*folder.rglob("*")} - before, reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            text = path.read_text("utf-8").splitlines()
            lines += [f"{path.relative_to(folder)}: {len(text)} lines", *text[:3]]
            path.unlink()
    return lines


def with_each_option(folder: Path, command: str, *paths: str) -> Iterator[str]:
    """Yield what a command says without options, then how each option changes that.

    Each option is tried alone and, if the command has it, with `--json`.
    """
    plain = outcome(folder, command, *paths)
    yield "\n".join([f"$ canasta {command} {' '.join(paths)}", *plain])
    options = [*_options(command)]
    document = outcome(folder, command, *paths, "--json") if ("--json",) in options else None
    for option in options:
        line = f"$ canasta {command} {' '.join(paths)} {' '.join(option)}"
        yield "\n".join([line, *_changed(plain, outcome(folder, command, *paths, *option))])
        if document is not None and option != ("--json",):
            other = outcome(folder, command, *paths, *option, "--json")
            yield "\n".join([f"{line} --json", *_changed(document, other)])


def _changed(before: list[str], after: list[str]) -> list[str]:
    """Return the lines that are gone and those that are new, or all new ones if most are."""
    lines = [
        line
        for line in difflib.unified_diff(before, after, n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    return lines if len(lines) < len(after) else after
