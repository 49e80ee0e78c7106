"""Recorders that the tests run: in this process, through pipes, and on a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pexpect
import pyte
from typer.testing import CliRunner

from canasta_notation.cli.app import app

#: A prompt at which an entry is due. At any other prompt, a question about the last entry is open.
DUE: Final = re.compile(r"(?:^|\n)(?:\d+\. \S+|deal \d+ [^\n]*|over)> $")
_ENVIRONMENT: Final = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
_COMMAND: Final = [sys.executable, "-m", "canasta_notation"]


class Piped:
    """A recorder whose standard input and output are pipes."""

    def __init__(self, *args: str | Path) -> None:
        self.process = subprocess.Popen(
            [*_COMMAND, *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._stdin = self.process.stdin
        self._out = self.process.stdout.fileno()

    def send(self, line: str) -> None:
        """Type a line."""
        self._stdin.write(line.encode() + b"\n")
        self._stdin.flush()

    def prompt(self, timeout: float = 20) -> str:
        """Return the output up to the next prompt."""
        shown = b""
        end = time.monotonic() + timeout
        while not shown.endswith(b"> "):
            ready, _, _ = select.select([self._out], [], [], end - time.monotonic())
            assert ready, f"no prompt after {shown.decode()!r}"
            piece = os.read(self._out, 1 << 16)
            assert piece, f"the recorder ended after {shown.decode()!r}"
            shown += piece
        return shown.decode()

    def ask(self, line: str) -> str:
        """Type a line and return the output up to the next prompt."""
        self.send(line)
        return self.prompt()

    def kill(self) -> None:
        """End the recorder as a power cut would."""
        self.process.kill()
        self._close()

    def finish(self) -> int:
        """Leave the recording; return the exit code."""
        self.send("quit")
        self._stdin.close()
        code = self.process.wait(20)
        self._close()
        return code

    def _close(self) -> None:
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        if not self._stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self._stdin.close()


class Terminal:
    """A program on a pseudo-terminal; `screen` is what a person would see."""

    def __init__(
        self,
        *args: str | Path,
        folder: Path,
        columns: int = 100,
        lines: int = 40,
        without: str = "",
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self.screen)
        command = _COMMAND
        if without:
            missing = f"import sys; sys.modules[{without!r}] = None"
            start = "from canasta_notation.cli.main import main; main()"
            command = [sys.executable, "-c", f"{missing}; {start}"]
        environment = {**os.environ, **_ENVIRONMENT}
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        self._child = pexpect.spawn(
            command[0],
            [*command[1:], *map(str, args)],
            dimensions=(lines, columns),
            encoding="utf-8",
            env=environment,
            cwd=str(folder),
        )
        # prompt_toolkit asks where the cursor is, and a terminal answers.
        self.screen.write_process_input = self._child.send

    def text(self) -> str:
        """Return the text on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def unwrapped(self) -> str:
        """Return the text on the screen; a line that fills the width is joined with the next one.

        Where the terminal breaks a line depends on the length of the paths in it.
        """
        lines = self.screen.display
        full = [line[-1] != " " for line in lines]
        return "".join(
            line if goes_on else line.rstrip() + "\n"
            for line, goes_on in zip(lines, full, strict=True)
        )

    def see(self, pattern: str, timeout: float = 20) -> str:
        """Wait until the screen shows a pattern, wrapped or not; return the screen."""
        end = time.monotonic() + timeout
        while not any(re.search(pattern, text, re.M) for text in (self.text(), self.unwrapped())):
            assert time.monotonic() < end, f"no {pattern!r} on\n{self.text()}"
            self.read(0.02)
        return self.text()

    def read(self, seconds: float) -> None:
        """Read what the program writes, for at most this many seconds."""
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            self._stream.feed(self._child.read_nonblocking(1 << 16, seconds))

    def send(self, keys: str) -> None:
        """Type keys."""
        self._child.send(keys)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window."""
        self.screen.resize(lines, columns)
        self._child.setwinsize(lines, columns)

    def cursor_line(self) -> str:
        """Return the line that the cursor is on."""
        return str(self.screen.display[self.screen.cursor.y]).rstrip()

    def wait(self) -> int | None:
        """Return the exit code."""
        self._child.expect(pexpect.EOF, timeout=20)
        status: int | None = self._child.wait()
        self._child.close()
        return status

    def close(self) -> None:
        """End the program."""
        self._child.close(force=True)


def anyhow_wrapped(text: str) -> str:
    """Return a pattern that finds a text on a screen, wherever the lines are broken."""
    return r"\s*".join(map(re.escape, "".join(text.split())))


def type_all(terminal: Terminal, lines: tuple[str, ...]) -> None:
    """Type lines, each after the previous one has been answered with a new prompt."""
    for line in lines:
        before = terminal.screen.cursor.y, terminal.text()
        terminal.send("\x15" + line + "\r")  # Ctrl-U deletes the text that a correction starts with
        end = time.monotonic() + 20
        while (terminal.screen.cursor.y, terminal.text()) == before or not prompted(terminal):
            assert time.monotonic() < end, f"{line!r}:\n{terminal.text()}"
            terminal.read(0.02)


def prompted(terminal: Terminal) -> bool:
    return re.search(r"> |>$", terminal.cursor_line()) is not None


def talk(path: Path, *lines: str, mode: str = "") -> str:
    """Return the output while lines are typed, without paths and dates that vary."""
    args = ["record", *([mode] if mode else []), path.name]
    stdin = "".join(line + "\n" for line in lines)
    with contextlib.chdir(path.parent):
        result = CliRunner().invoke(app, args, input=stdin, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    shown = result.output.replace(str(path.parent), "FOLDER")
    return re.sub(r"date \[[0-9-]+\]", "date [TODAY]", shown)


def begun(path: Path, rules: str = "classic") -> Path:
    """Return the path of a record that has no deal yet."""
    tags = f'[CGN "1"]\n[Date "2026-11-19"]\n[Rules "{rules}"]\n[N "Ana"]\n[E "Mäx Weiß (Opa)"]\n'
    path.write_text(f'{tags}[Event "x"]\n[Dealer "N"]\n[Result "*"]\n')
    return path
