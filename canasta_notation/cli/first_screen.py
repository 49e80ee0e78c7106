"""The stepper's first screen, painted before the library that runs the others is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from canasta_notation.cli.session import Session
from canasta_notation.render.paint import Rows, paint

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J"
_LEAVE = "\x1b[?25h\x1b[?1049l"
#: Rows longer than the screen is wide are cut, not continued.
_CUT, _CONTINUE = "\x1b[?7l", "\x1b[?7h"


@contextmanager
def first_screen(session: Session, rows: Rows) -> Iterator[None]:
    """Show rows on the alternate screen; what takes over from here has to leave it.

    What is typed meanwhile is not echoed, and waits to be read. Left by an exception, the screen
    is as it was.
    """
    shown = paint(rows, colour=session.look.colour).removesuffix("\n")
    with _unechoed():
        session.write(f"{_ENTER}{_CUT}{shown}{_CONTINUE}")
        session.out.flush()
        try:
            yield
        except BaseException:
            session.write(_LEAVE)
            raise


@contextmanager
def _unechoed() -> Iterator[None]:
    """Let the terminal pass what is typed to the reader key by key; restore it at the end."""
    if os.name != "posix":
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin, termios.TCSANOW)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
