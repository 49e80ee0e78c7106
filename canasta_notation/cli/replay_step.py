"""`canasta replay --step`: the stepper on a terminal, or one key per line from standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from canasta_notation.cli.files import Source, check_deal, check_seat, read_record, rules_of
from canasta_notation.cli.session import Session
from canasta_notation.cli.trouble import Trouble, how_to_install

if TYPE_CHECKING:
    from canasta_notation.render.paint import Rows
    from canasta_notation.report.walker import WalkedGame, Walker
    from canasta_notation.rules import Profile

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J"
_LEAVE = "\x1b[?25h\x1b[?1049l"
#: Rows that are wider than the screen are cut, not wrapped.
_CUT, _CONTINUE = "\x1b[?7l", "\x1b[?7h"


def step_through(
    session: Session,
    source: Source,
    game: int | None = None,
    deal: int | None = None,
    seat: str | None = None,
    override: Profile | None = None,
) -> None:
    """Step through a record, or through one game or deal of it. Raises Trouble."""
    from canasta_notation.render.score_card import errors_row
    from canasta_notation.report.walker import Walker

    if source.path is None:
        raise Trouble("--step reads your keys from standard input: name a file, not -")
    games = _games(source, game, override)
    errors = 0
    for each in games:
        _check(source, each, deal, seat, override)
        errors += each.deal(deal or 1, seat or "").play.errors
    session.found(wrong=errors > 0)
    walker = Walker(games, seat or "", deal)
    if not sys.stdin.isatty() or not session.out.isatty() or not _on_screen(session, walker):
        _plain(session, walker)
    session.show([errors_row(errors)] if errors else [])


def _games(source: Source, game: int | None, override: Profile | None) -> list[WalkedGame]:
    from canasta_notation.report.walker import WalkedGame

    return [
        WalkedGame(source.name, reading, reading.game.number, override)
        for reading in read_record(source, game)
    ]


def _check(
    source: Source,
    game: WalkedGame,
    deal: int | None,
    seat: str | None,
    override: Profile | None,
) -> None:
    """Raise Trouble if the record has no such game or deal, or the game has no such seat."""
    rules_of(source.name, game.reading, game.number, override)
    if not game.deals:
        raise Trouble(f"{source.name}: game {game.number} has no deals")
    check_deal(deal, source.name, game.number, game.deals)
    check_seat(seat, game.reading.game, game.number, game.seats)


def _on_screen(session: Session, walker: Walker) -> bool:
    """Run the stepper of the extra `tui`; return whether it is installed."""
    from canasta_notation.tui.place_rows import screen_rows

    if find_spec("textual") is None:
        session.say(f"for the full-screen stepper, {how_to_install('tui')}")
        return False
    look, height = session.look, get_terminal_size().lines
    # Textual takes as long to load as everything before it.
    with _first_screen(session, screen_rows(walker, look, height)):
        from canasta_notation.tui.screen import StepApp

        StepApp(walker, colour=look.colour, unicode=look.unicode).run()
    return True


@contextmanager
def _first_screen(session: Session, rows: Rows) -> Iterator[None]:
    """Show rows on the alternate screen, which the code in the `with` block must leave.

    Keys typed in the meantime are not echoed but wait to be read. After an exception, the terminal
    is as it was before.
    """
    from canasta_notation.render.paint import paint

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


def _plain(session: Session, walker: Walker) -> None:
    """Show a page, and then one after each line that is typed."""
    from time import sleep

    from canasta_notation.tui.place_rows import place_words
    from canasta_notation.tui.plain import HINT, PlainStepper

    stepper = PlainStepper(walker, session.look, sleep)
    session.show(stepper.first())
    while True:
        session.out.flush()
        session.say(f"[{place_words(walker)}] {HINT}")
        line = sys.stdin.readline()
        shown = stepper.answer(line) if line else None
        if shown is None:
            return
        for rows in shown:
            session.show(rows)
            session.out.flush()
