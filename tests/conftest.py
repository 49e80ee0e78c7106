"""What all tests share. No test is timed, so property tests have no deadline."""

from __future__ import annotations

import os
import signal
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from hypothesis import settings

from tests.cli_records import KINDS

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# What the program writes depends on these; a test that is about one of them sets it.
for name in (
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "COLUMNS",
    "LINES",
    "TZ",
):
    os.environ.pop(name, None)

# Many tests start the program. It starts twice as fast if Python keeps bytecode. So do the tests,
# whose assertions are rewritten when they are compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# The program must write all its output even if it is buffered, as it is for users.
os.environ.pop("PYTHONUNBUFFERED", None)
os.environ.setdefault(
    "PYTHONPYCACHEPREFIX", str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
)
sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"]

# A shell lets what it runs in the background ignore Ctrl-C, and some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Typer builds all commands anew for each call of a test, which takes longer than most calls.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return a folder with a record of each kind."""
    folder = tmp_path / "records"
    folder.mkdir()
    for name, text in KINDS.items():
        (folder / f"{name}.canasta").write_text(text, "utf-8")
    return folder
