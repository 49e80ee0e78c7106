"""The stepper's first screen, shown while the library for the other screens is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from canasta_notation.cli.session import Session
from canasta_notation.render.paint import Rows, paint

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J"
_LEAVE = "\x1b[?25h\x1b[?1049l"
#: Rows that are wider than the screen are cut, not wrapped.
_CUT, _CONTINUE = "\x1b[?7l", "\x1b[?7h"


@contextmanager
def first_screen(session: Session, rows: Rows) -> Iterator[None]:
    """Show rows on the alternate screen, which the code in the `with` block must leave.

    Keys typed in the meantime are not echoed but wait to be read. After an exception, the terminal
    is as it was before.
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
    """Make the terminal pass on each key without echoing it; restore it at the end."""
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
