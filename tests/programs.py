"""The program as tests run it: a command in this process, or the program in a new one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from canasta_notation.cli import commands
from canasta_notation.cli.app import app


def needs(command: str | Path) -> None:
    """Skip the test if this copy of the project does not have a command, which a satellite has."""
    if any(each.name == command and not each.is_installed for each in commands._ENTRIES):
        pytest.skip(f"canasta {command} is no part of the core")


def canasta(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process."""
    needs(args[0] if args else "")
    env = {"COLUMNS": "80", "NO_COLOR": "1"}
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, env=env)


def analyzed(*args: str | Path, code: int = 0) -> str:
    """Return what `canasta analyze` prints in this process, whose exit code must be `code`."""
    done = canasta("analyze", *args)
    assert done.exit_code == code, done.output
    return done.stdout


def program(*args: str | Path, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run the program itself; its output is bytes, or text with `text=True`."""
    needs(args[0] if args else "")
    command = [sys.executable, "-m", "canasta_notation", *map(str, args)]
    return subprocess.run(command, capture_output=True, timeout=60, **options)


def interruptible(command: Sequence[str | Path]) -> subprocess.Popen[bytes]:
    """Start a command that Ctrl-C ends, even if these tests run with the signal ignored."""
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def shut_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the system refuse to list folders of a name, even to a user who may do everything."""
    real = os.scandir

    def scandir(path: str) -> Any:
        if str(path).endswith(name):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def contents(out: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }
