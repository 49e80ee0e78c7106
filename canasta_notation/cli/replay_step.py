"""`canasta replay --step`: the stepper on a terminal, or one key per line from standard input."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from canasta_notation.cli.command_errors import UserError, how_to_install
from canasta_notation.cli.files import Source, check_deal, check_seat, read_record, rules_of
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.render.paint import Rows
    from canasta_notation.report.played import Played
    from canasta_notation.report.walker import PlayOne, Walker
    from canasta_notation.rules import Profile


def step_through(
    session: Session,
    source: Source,
    game: int | None = None,
    deal: int | None = None,
    seat: str | None = None,
    override: Profile | None = None,
) -> None:
    """Step through a record, or through one game or deal of it. Raises UserError."""
    from canasta_notation.render.score_card import errors_row
    from canasta_notation.replay.game_replay import replay_game
    from canasta_notation.report.walker import Walker

    if source.path is None:
        raise UserError("--step reads your keys from standard input: name a file, not -")
    readings = list(read_record(source, game))
    walker = Walker(
        [_play(source, each, deal, seat, override) for each in readings], seat or "", deal
    )
    errors = walker.play.errors
    for each in readings[1:]:
        report = replay_game(each.game, each.game.number, override=override)
        errors += sum(finding.severity == "error" for finding in report.findings)
    session.found(wrong=errors > 0)
    if not sys.stdin.isatty() or not session.out.isatty() or not _on_screen(session, walker):
        _plain(session, walker)
    session.show([errors_row(errors)] if errors else [])


def _play(
    source: Source,
    reading: Reading,
    deal: int | None,
    seat: str | None,
    override: Profile | None,
) -> PlayOne:
    """Return what plays a game when it is shown.

    Raises UserError if the record has no such deal or the game has no such seat.
    """
    from canasta_notation.report.played import play_game

    game, number = reading.game, reading.game.number
    profile = rules_of(source.name, reading, number, override)
    if not game.deals:
        raise UserError(f"{source.name}: game {number} has no deals")
    check_deal(deal, source.name, number, len(game.deals))
    check_seat(seat, game, number, profile.seats)

    def play(seat: str) -> Played:
        view = seat if seat in profile.seats else ""
        return play_game(
            source.name, reading, number, profile, deal=deal, seat=view, override=override
        )

    return play


def _on_screen(session: Session, walker: Walker) -> bool:
    """Run the stepper of the extra `tui`; return whether it is installed."""
    if find_spec("textual") is None:
        session.say(f"for the full-screen stepper, {how_to_install('tui')}")
        return False
    from canasta_notation.tui.screen import StepApp

    look = session.look
    StepApp(walker, colour=look.colour, unicode=look.unicode).run()
    return True


def _plain(session: Session, walker: Walker) -> None:
    """Show a page, and then one after each line that is typed."""
    from canasta_notation.tui.place_rows import place_words
    from canasta_notation.tui.stepping import HINT, answer, page_of

    shown: Rows | None = page_of(walker, session.look)
    while shown is not None:
        session.show(shown)
        session.out.flush()
        session.say(f"[{place_words(walker)}] {HINT}")
        line = sys.stdin.readline()
        shown = answer(walker, session.look, line) if line else None
