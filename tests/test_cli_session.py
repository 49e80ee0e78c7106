"""How a command ends: its exit code and its message, whatever happened before and at the end."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import product

import pytest

from canasta_notation.cli.session import (
    FINE,
    FOUND,
    INTERRUPTED,
    TROUBLE,
    BadRules,
    BadText,
    Session,
    UserError,
    ended_by_session,
    is_closed_pipe,
    is_interrupt,
    json_text,
)
from canasta_notation.render.paint import row
from canasta_notation.storage import BadFile


def wrapped() -> RuntimeError:
    """Return a Ctrl-C as Python reports it while a class is made."""
    error = RuntimeError("__set_name__")
    error.__cause__ = KeyboardInterrupt()
    return error


#: What ends a command, the least exit code after it, and what is said.
ENDS: tuple[tuple[BaseException | None, int, str], ...] = (
    (None, FINE, ""),
    (BadText(), FOUND, ""),
    (BadRules("a: no rules"), FOUND, "canasta: a: no rules\n"),
    (UserError("a: no file"), TROUBLE, "canasta: a: no file\n"),
    (BadFile("a: locked"), TROUBLE, "canasta: a: locked\n"),
    (KeyboardInterrupt(), INTERRUPTED, ""),
    (wrapped(), INTERRUPTED, ""),
    (BrokenPipeError(), FINE, ""),
    (OSError(errno.EPIPE, "x"), FINE, ""),
    (OSError(errno.ESHUTDOWN, "x"), FINE, ""),
    (OSError(errno.ENOSPC, "No space left"), TROUBLE, "canasta: the output: no space left\n"),
    (OSError(errno.ENOSPC, "No space left", "f"), TROUBLE, "canasta: f: no space left\n"),
    (RecursionError(), TROUBLE, "canasta: the input is too large or too deeply nested\n"),
    (MemoryError(), TROUBLE, "canasta: the input is too large or too deeply nested\n"),
    (
        ValueError("what"),
        TROUBLE,
        "canasta: internal error: ValueError: what (a bug in this program; CANASTA_DEBUG=1 shows "
        "where)\n",
    ),
)


@pytest.fixture(autouse=True)
def quiet_bugs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CANASTA_DEBUG", raising=False)


@contextmanager
def ending() -> Iterator[list[object]]:
    """Yield a list that gets the exit code of a session, what it showed, and its messages."""
    found: list[object] = []
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        yield found
    found += [ended.value.code, out.getvalue(), err.getvalue()]


@pytest.mark.parametrize(("error", "code", "said"), ENDS, ids=[repr(each[0]) for each in ENDS])
def test_the_exit_code_is_the_worst(error: BaseException | None, code: int, said: str) -> None:
    for before, judging in product((FINE, FOUND, TROUBLE), (False, True)):
        with ending() as found, Session() as session:
            session.write("shown\n")
            session.found(wrong=before == FOUND)
            if before == TROUBLE:
                session.fail("before")
            session.judging = judging
            if error is not None:
                raise error
        closed = judging and isinstance(error, OSError) and is_closed_pipe(error)
        first = "canasta: before\n" * (before == TROUBLE)
        assert found == [max(before, code, FOUND * closed), "shown\n", first + said]


def test_a_bug_is_shown_whole_if_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANASTA_DEBUG", "1")
    with pytest.raises(ValueError, match="what"), Session():
        raise ValueError("what")


def test_which_errors_are_interrupts_and_closed_pipes() -> None:
    assert [is_interrupt(each) for each in (KeyboardInterrupt(), wrapped(), ValueError())] == [
        True, True, False,
    ]  # fmt: skip
    numbers = {errno.EPIPE, errno.ESHUTDOWN}
    for number in errno.errorcode:
        assert is_closed_pipe(OSError(number, "x")) is (number in numbers)


@pytest.mark.parametrize("end", [FINE, FOUND, TROUBLE])
def test_help_that_cannot_be_written(end: int) -> None:
    with ending() as found, ended_by_session(end):
        raise BrokenPipeError
    assert found == [end, "", ""]
    with ending() as found, ended_by_session(end):
        raise OSError(errno.ENOSPC, "No space left")
    assert found == [TROUBLE, "", "canasta: the output: no space left\n"]
    with ending() as found, ended_by_session(end):
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            raise SystemExit(9)  # noqa: B904  # as Typer does
    assert found == [end, "", ""]
    for cause in (None, ValueError()):
        with ending() as found, ended_by_session(end):
            raise SystemExit(9) from cause
        assert found == [9, "", ""]


class Stream(io.TextIOWrapper):
    """A stream of an encoding that is a terminal or is not."""

    def __init__(self, encoding: str, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


#: Variables of the environment, and whether text may then be more than ASCII.
LOCALES = (
    ({}, True),
    ({"LANG": "C"}, False),
    ({"LANG": "POSIX"}, False),
    ({"LANG": "de_DE.UTF-8"}, True),
    ({"LC_CTYPE": "C", "LANG": "de_DE.UTF-8"}, False),
    ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, False),
    ({"LC_CTYPE": "C.UTF-8", "LANG": "de_DE.UTF-8"}, True),
    ({"LC_CTYPE": "de_DE.UTF-8", "LANG": "C"}, True),
    ({"LC_ALL": "C", "LC_CTYPE": "de_DE.UTF-8"}, False),
    ({"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
    ({"LC_ALL": "C.UTF-8", "LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),
)


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "ascii", "latin-1"])
@pytest.mark.parametrize(("locale", "wide"), LOCALES)
def test_what_the_environment_lets_be_shown(
    monkeypatch: pytest.MonkeyPatch, encoding: str, locale: dict[str, str], wide: bool
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "30")
    unicode = wide and "8" in encoding
    for terminal, term, asked, plain in product((True, False), ("xterm", "dumb"), "01", (0, 1)):
        out = Stream(encoding, terminal=terminal)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setenv("TERM", term)
        monkeypatch.setenv("NO_COLOR", asked.strip("0"))
        look = (session := Session(no_colour=bool(plain))).look
        assert look.unicode is unicode and look.width == 40
        assert look.colour is (terminal and term == "xterm" and asked == "0" and not plain)
        session.show([row("K\u2665 ::error::")])
        out.flush()
        shown = out.buffer.getvalue()  # type: ignore[attr-defined]
        assert shown.isascii() is not unicode or encoding not in ("utf-8", "UTF8")
        assert b"::error" not in shown.splitlines()[0][:7]


def test_json_is_that_of_the_standard_library() -> None:
    values = [
        None,
        True,
        False,
        0,
        -1,
        1.5,
        "",
        "\u00e4\u2028\x7f",
        [],
        {},
        [[]],
        {"a": {"b": [1, "x"]}},
    ]
    for value, unicode in product([*values, values], (True, False)):
        expected = json.dumps(value, indent=1, ensure_ascii=not unicode)
        expected = expected.replace("\u2028", "\\u2028").replace("\x7f", "\\u007f")
        assert json_text(value, unicode=unicode) == expected + "\n"
    assert os.linesep not in json_text(values, indent=None)[:-1]
