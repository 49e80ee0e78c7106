"""`canasta generate`: legal games, by random players or better ones."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Final

import typer

from canasta_notation.cli.files import STANDARD_INPUT
from canasta_notation.cli.options import Jobs, NoColour, profiles, read_rules
from canasta_notation.cli.session import INTERRUPTED, Session, UserError
from canasta_notation.cli.streaming import Bar
from canasta_notation.english import count, listed

if TYPE_CHECKING:
    from canasta_notation.formats import Form
    from canasta_notation.rules import Profile

#: From this many games on, a progress bar is shown.
_LONG: Final = 100


def generate(
    games: Annotated[int, typer.Option("--games", min=1, help="How many games to write.")] = 1,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", help="The seed of the first game; each later game uses the next number."
        ),
    ] = 1,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="RULES",
            help='The rules to play by: "PROFILE key=value ..." or a .toml file.',
            autocompletion=profiles,
        ),
    ] = "classic",
    players: Annotated[
        str,
        typer.Option(
            "--players",
            metavar="NAMES",
            help="random, greedy, careful or rollout (slow) for every seat, or one for each: "
            "careful,random,...",
        ),
    ] = "random",
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, help="The maximum number of deals in a game.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="The file to write: .canasta, .json or .jsonl."
        ),
    ] = None,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Make up legal games, to try things out or to test programs.

    Every play is legal and every claim is true. The same seed, rules and players always give the
    same games. Without `-o`, they go to standard output. Ctrl-C writes the games that are finished;
    press it again to stop at once.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.formats import file_of
        from canasta_notation.players.seated import players_of
        from canasta_notation.rules import rules_tag
        from canasta_notation.storage import write_whole

        profile = read_rules(rules)
        assert profile is not None
        try:
            rules_tag(profile)
        except ValueError as error:
            raise UserError(f"--rules: {error}") from error
        try:
            players_of(players, profile)
        except ValueError as error:
            raise UserError(f"--players: {error}") from error
        path = None if out == STANDARD_INPUT else out
        form = "canasta" if path is None else _written_form(path)
        seeds = range(seed, seed + games)
        played = _shown(session, _played(profile, seeds, players, deals, form, jobs), games)
        pieces = file_of(form, played)
        if path is None:
            for text in pieces:
                session.write_record(text)
        else:
            for lost in write_whole(Path(path), map(str.encode, pieces)):
                session.say(f"{path}: {lost}")


def _written_form(out: str) -> Form:
    """Return the form in which to write a file, by its suffix. Raises UserError."""
    from canasta_notation.formats import SUFFIXES

    form = SUFFIXES.get(Path(out).suffix.lower())
    if form is None:
        known = listed(SUFFIXES, "or")
        raise UserError(f"-o {out}: its suffix names no format; use a name that ends in {known}")
    return form


def _played(
    profile: Profile, seeds: range, players: str, deals: int | None, form: Form, jobs: int
) -> Iterator[str]:
    """Yield the text of the game of each seed in order."""
    from canasta_notation.batch.processes import in_processes
    from canasta_notation.players.random_game import DEAL_LIMIT

    finished: dict[int, str] = {}
    due = seeds.start
    play = partial(_play, profile, players, deals or DEAL_LIMIT, form)
    for seed, text in in_processes(jobs)(play, seeds):
        finished[seed] = text
        while due in finished:
            yield finished.pop(due)
            due += 1


def _play(profile: Profile, players: str, deals: int, form: Form, seed: int) -> tuple[int, str]:
    """Return a game as text, which a process passes on much faster than the game."""
    from canasta_notation.formats import game_as
    from canasta_notation.players.seated import play_named_game

    return seed, game_as(form, play_named_game(profile, seed, players, deals))


def _shown(session: Session, played: Iterator[str], games: int) -> Iterator[str]:
    """Yield the games and show the progress; stop after a first Ctrl-C."""
    with _first_interrupt() as stopped, Bar(games, "playing", long=_LONG) as bar:
        for done, text in enumerate(played, 1):
            with bar.hidden():
                yield text
            bar.advance(1)
            if stopped.is_set() and done < games:
                session.say(f"canasta: stopped after {done} of {count(games, 'game')}")
                session.code = INTERRUPTED
                return


@contextmanager
def _first_interrupt() -> Iterator[Event]:
    """Provide an event that a first Ctrl-C sets; a second one is raised as usual."""
    stopped = Event()

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
