"""One run of a command: its results, its messages, the errors that end it, and its exit code."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import IO, Any, Final, Self, TextIO

from canasta_notation.quoting import shortened
from canasta_notation.render.paint import Look, Rows, escape, paint
from canasta_notation.storage import BadFile, refusal

#: Exit codes: nothing wrong, findings, usage or a file that cannot be read, Ctrl-C.
FINE: Final = 0
FOUND: Final = 1
TROUBLE: Final = 2
INTERRUPTED: Final = 130
_NARROW: Final = 40
#: What a CI runner treats as a command: `::error::` at the beginning of a line, or `##[error]`.
_COMMAND: Final = re.compile(r"(?:^[ \t]*):(?=:)|#(?=#(?:vso)?\[)", re.MULTILINE)
_COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")


class Session:
    """A command's output: results to standard output, messages to standard error.

    It is a context manager. When the `with` block ends, it raises SystemExit with the exit code,
    whatever went wrong inside: 130 after Ctrl-C, 2 after `UserError`, whose message it writes, and
    1 after `BadRules` or `BadText`. A closed pipe ends the command quietly, but never with 0 while
    records are still being judged.
    """

    def __init__(self, *, no_colour: bool = False) -> None:
        self.code = FINE
        #: Whether the exit code is not decided yet, because not all records have been judged.
        self.judging = False
        self.out = sys.stdout
        unicode = _soften(self.out, "backslashreplace")
        _soften(sys.stderr, "backslashreplace")
        _soften(sys.stdin, "surrogateescape")
        wanted = not no_colour and not os.environ.get("NO_COLOR")
        terminal = self.out.isatty()
        colour = wanted and terminal and os.environ.get("TERM") != "dumb"
        self._look = Look(colour=colour, unicode=unicode)

    @property
    def look(self) -> Look:
        """How to show text now: the window of a terminal may change its width."""
        columns = shutil.get_terminal_size((80, 24)).columns
        return replace(self._look, width=max(_NARROW, columns))

    def read_line(self) -> str:
        """Return the next line of standard input with its line end, "" at the end of the input.

        A byte that is not UTF-8 becomes half of a surrogate pair.
        """
        return sys.stdin.readline()

    # --- results --------------------------------------------------------------------------------

    def show(self, rows: Rows) -> None:
        """Show rows as a result."""
        self.write(paint(rows, colour=self._look.colour))

    def write(self, text: str) -> None:
        """Write lines that are already safe to show on a terminal."""
        self.out.write(self._shown(_COMMAND.sub(_spelled, text)))

    def _shown(self, text: str) -> str:
        """Return a text, escaped to ASCII if the output shows nothing else."""
        if self._look.unicode or text.isascii():
            return text
        return text.encode("ascii", "backslashreplace").decode("ascii")

    def write_json(self, document: Any) -> None:
        """Write a JSON document as the one result."""

        self.out.write(json_text(document, unicode=self._look.unicode))

    def write_record(self, text: str) -> None:
        """Write a record unchanged; on a terminal, escape what the terminal could obey."""
        if self.out.isatty():
            self.out.write("".join(escape(line) + "\n" for line in text.split("\n")[:-1]))
            return
        self.out.flush()
        buffer = getattr(self.out, "buffer", None)
        if buffer is None:
            self.out.write(text)
        else:
            buffer.write(text.encode("utf-8", "backslashreplace"))

    def write_file(self, file: IO[bytes]) -> None:
        """Write a record from an open file."""
        for line in file:
            self.write_record(line.decode())

    # --- messages -------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Write a message to standard error; if that is impossible, the exit code will be 2."""
        try:
            shown = self._shown(_COMMAND.sub(_spelled, escape(shortened(text))))
            print(shown, file=sys.stderr, flush=True)
        except OSError as error:
            _silence(sys.stderr)
            if not is_closed_pipe(error):
                self.code = TROUBLE

    def fail(self, message: str) -> None:
        """Write to standard error what could not be done; the exit code will be 2."""
        self.code = TROUBLE
        self.say(f"canasta: {message}")

    def refuse(self, why: BadRules) -> None:
        """Write to standard error why a game cannot be shown; the exit code will be at least 1."""
        self.say(f"canasta: {why}")
        self.found()

    def found(self, *, wrong: bool = True) -> None:
        """Note that something is wrong with a record; the exit code will be at least 1."""
        if wrong:
            self.code = max(self.code, FOUND)

    # --- the end --------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, *trace: object
    ) -> None:
        if error is None:
            try:
                self.out.flush()
            except OSError as broken:
                error = broken
        if error is not None:
            self._conclude(error)
        raise SystemExit(self.code) from None

    def _conclude(self, error: BaseException) -> None:
        """Turn the error that ended the command into a message and an exit code."""
        match error:
            case BadRules():
                self._flush_quietly()
                self.refuse(error)
            case BadText():
                self.found()
            case BadFile():
                self._flush_quietly()
                self.fail(str(error))
            case _ if is_interrupt(error):
                _silence(self.out)
                self.code = INTERRUPTED
            case OSError() if is_closed_pipe(error):
                _silence(self.out)
                self.found(wrong=self.judging)
            case OSError():
                _silence(self.out)
                self.fail(str(file_error(str(error.filename or "the output"), error)))
            case RecursionError() | MemoryError():
                self.fail("the input is too large or too deeply nested")
            case Exception() if not os.environ.get("CANASTA_DEBUG"):
                self.fail(
                    f"internal error: {type(error).__name__}: {error} "
                    "(a bug in this program; CANASTA_DEBUG=1 shows where)"
                )
            case _:
                raise error

    def _flush_quietly(self) -> None:
        try:
            self.out.flush()
        except OSError:
            _silence(self.out)


def is_interrupt(error: BaseException) -> bool:
    """Return whether an error is a Ctrl-C, which Python wraps if it comes while a class is made."""
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)


@contextmanager
def ended_by_session(code: int = FINE) -> Iterator[None]:
    """End the program as a Session does if the help, or other output of Typer, cannot be written.

    If the reader of its pipe has gone, Typer ends the program with 1; this ends it with `code`.
    """
    try:
        yield
    except OSError as error:
        # What is still in its buffer could not be written, and a Session would try again.
        _silence(sys.stdout)
        if is_closed_pipe(error):
            _silence(sys.stderr)
            raise SystemExit(code) from None
        with Session():
            raise error
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError) and not end.__suppress_context__:
            _silence(sys.stdout)
            _silence(sys.stderr)
            raise SystemExit(code) from None
        raise


def _silence(stream: TextIO) -> None:
    """Discard the rest of a stream's output, so that closing it is silent."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, io.UnsupportedOperation, ValueError):
        pass


def open_closed_streams() -> None:
    """Replace standard streams that the shell has closed with empty ones.

    They are opened in the order of their numbers, so that no record gets one of these numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # to the end


def is_closed_pipe(error: OSError) -> bool:
    """Return whether the reader of a pipe has gone."""
    return isinstance(error, BrokenPipeError) or error.errno in (errno.EPIPE, errno.ESHUTDOWN)


def _soften(stream: TextIO, errors: str) -> bool:
    """Make a stream escape, in the way of `errors`, what it cannot encode or decode.

    Returns whether it can show more than ASCII.
    """
    if isinstance(stream, io.TextIOWrapper) and stream.errors != errors:
        stream.reconfigure(errors=errors)
    return _is_utf8(stream) and not _plain_locale()


def _is_utf8(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "") == "utf8"


def _plain_locale() -> bool:
    """Return whether the environment asks for the plain C locale.

    Python then sets LC_CTYPE to one of `_COERCED` itself.
    """
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE")
    if not chosen or (chosen in _COERCED and not os.environ.get("LC_ALL")):
        chosen = os.environ.get("LANG")
    return chosen in ("C", "POSIX")


def _spelled(match: re.Match[str]) -> str:
    """Return the matched text with its last character escaped."""
    return f"{match[0][:-1]}\\x{ord(match[0][-1]):02x}"


def say_all(session: Session, messages: Iterable[str]) -> None:
    """Report the paths that could not be read."""
    for message in messages:
        session.fail(message)


#: Always escaped in JSON: C1 controls, invisible and bidi characters, surrogates.
_HIDDEN: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def json_text(document: Any, *, unicode: bool = True, indent: int | None = 1) -> str:
    """Return a document as JSON that ends in a newline; hidden characters are escaped.

    Without `indent`, it is one line. With it, a list may be an iterator, so that its values need
    not all be in memory.
    """
    spell = encode_basestring if unicode else encode_basestring_ascii
    if indent is None:
        text = json.dumps(document, ensure_ascii=not unicode)
    else:
        text = _indented(document, "\n", " " * indent, spell)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


#: The words of JSON that are not Python's.
_WORDS: Final = {None: "null", False: "false", True: "true"}


def _indented(value: Any, line: str, indent: str, spell: Callable[[str], str]) -> str:
    """Return what `json.dumps` does with `indent`, in a fraction of the time.

    `line` is a line break with the spaces that follow it. Not checked: that keys are texts.
    """
    if isinstance(value, str):
        return spell(value)
    deeper = line + indent
    if isinstance(value, list | tuple | Iterator):
        # Most lists are of cards; a call for each would take half of the time.
        parts = [
            spell(each) if isinstance(each, str) else _indented(each, deeper, indent, spell)
            for each in value
        ]
        return f"[{deeper}{f',{deeper}'.join(parts)}{line}]" if parts else "[]"
    if isinstance(value, dict):
        parts = [
            f"{spell(key)}: {_indented(each, deeper, indent, spell)}" for key, each in value.items()
        ]
        return f"{{{deeper}{f',{deeper}'.join(parts)}{line}}}" if parts else "{}"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    return str(value) if isinstance(value, int) else json.dumps(value)


class UserError(BadFile):
    """An error that the user can correct; the message is one line and names the file."""


class BadText(Exception):
    """A record whose text has errors, which have been shown; the exit code is 1."""


class BadRules(UserError):
    """A game whose record does not show its rules. This is a finding, so the exit code is 1."""


def file_error(name: str, error: OSError) -> UserError:
    """Return the error for a file that the system refused to open or write."""
    return UserError(refusal(name, error))
