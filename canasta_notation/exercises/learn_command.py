"""`canasta learn`: exercises from the mistakes of a player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from canasta_notation.cli.files import find_sources, judging_rules
from canasta_notation.cli.options import (
    Jobs,
    NoColour,
    RecordPaths,
    RulesText,
    forbid_together,
    languages_of,
    read_rules,
)
from canasta_notation.cli.session import BadRules, Session, UserError, say_all
from canasta_notation.cli.streaming import work_results
from canasta_notation.english import count
from canasta_notation.quoting import quoted
from canasta_notation.storage import check_place, write_whole
from canasta_notation.story.analyze_command import PlayOuts, Rollouts, Seed, rollouts_of

if TYPE_CHECKING:
    from canasta_notation.exercises.exercise import Exercise
    from canasta_notation.exercises.finding import FoundExercises
    from canasta_notation.exercises.progress import LearnerProgress
    from canasta_notation.notation.reader import Reading
    from canasta_notation.rules import Profile

#: With fewer own exercises, the command says what would help.
_FEW: Final = 3
#: The most games that are generated for `--more`.
_MOST_GAMES: Final = 20
#: The libraries of the extra.
_EXTRA: Final = "learn"
_LIBRARIES: Final = ("fsrs", "genanki")
_END: Final = "q"
_PAGE: Final = ".html"
_DECK: Final = ".apkg"


def learn(
    paths: RecordPaths,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The player who practises; without it, the players are listed.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Write a page (.html) or a deck for Anki (.apkg) instead of asking here.",
            show_default=False,
        ),
    ] = None,
    more: Annotated[
        int, typer.Option(min=0, help="Add this many exercises of the same kinds from other games.")
    ] = 0,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="With --more: take them from these records (repeatable), not from games that the "
            "program plays.",
        ),
    ] = None,
    due: Annotated[bool, typer.Option("--due", help="List when each exercise is due.")] = False,
    rollouts: Rollouts = "auto",
    seed: Seed = 0,
    rules: RulesText = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language of the exercises, such as de.")
    ] = "en",
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Practise with your own mistakes: the table as you saw it, and what to play.

    The exercises are the decisions of a player that play-outs call mistakes. On the terminal,
    answer with 1 to 4; q ends. The progress is kept in .canasta-learn.json beside the records, and
    FSRS decides when an exercise is due again. Records with errors are left out.
    """
    from canasta_notation.language.languages import use_language

    with Session(no_colour=no_color) as session:
        languages_of(language, together=False)
        _check_options(player, out, more, others, due=due)
        number = rollouts_of(rollouts)
        if number == 0:
            raise UserError("--rollouts: mistakes are found by play-outs; give auto or a number")
        profile = read_rules(rules)
        with _needing_extra():
            play_outs = PlayOuts(session, profile, number, seed, jobs, quiet=True)
            search = _ExerciseSearch(session, profile, play_outs)
            players = search.players(paths)
            with use_language(language):
                if player is None:
                    _list_players(session, players)
                else:
                    own = _own(players, player)
                    _say_if_few(session, player, own, more)
                    exercises = own + search.more(own, player, more, others or [])
                    _give(session, exercises, player, paths, out, due=due)


def _check_options(
    player: str | None,
    out: Path | None,
    more: int,
    others: Sequence[str] | None,
    *,
    due: bool,
) -> None:
    """Raise UserError for options that do not go together, or a file that cannot be written."""
    given = {"-o": out, "--more": more, "--from": others, "--due": due}
    alone = next((name for name, value in given.items() if value), None)
    if player is None and alone:
        raise UserError(f"{alone}: name the player with --player")
    if others and not more:
        raise UserError("--from: say how many exercises with --more")
    forbid_together("--due", due, {"-o": out})
    if out is not None:
        if out.suffix.lower() not in (_PAGE, _DECK):
            raise UserError(f"-o {out}: write a page ({_PAGE}) or a deck for Anki ({_DECK})")
        check_place(out)


@contextmanager
def _needing_extra() -> Iterator[None]:
    """Raise UserError for a missing library, naming the extra that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library not in _LIBRARIES:
            raise
        from canasta_notation.cli.installing import how_to_install

        raise UserError(f"this needs {library}; {how_to_install(_EXTRA)}") from error


# --- the exercises of records ---------------------------------------------------------------------


@dataclass(frozen=True)
class _GameExercises:
    """The exercises of a game, and its players; `errors` is how many errors the record has."""

    name: str
    number: int
    players: tuple[str, ...]
    exercises: tuple[Exercise, ...]
    errors: int
    profile: Profile


class _ExerciseSearch:
    """Finds the exercises in records."""

    def __init__(self, session: Session, override: Profile | None, play_outs: PlayOuts) -> None:
        self._session = session
        self._override = override
        self._play_outs = play_outs
        self._profile: Profile | None = None

    def players(self, paths: Sequence[str]) -> FoundExercises:
        """Return the players of records with their exercises; report records that are left out.

        Raises UserError for a path that cannot be read.
        """
        from canasta_notation.batch.parts import Work
        from canasta_notation.exercises.finding import FoundExercises

        sources, wrong = find_sources(paths)
        if wrong:  # before play-outs, which take minutes
            say_all(self._session, wrong[:-1])
            raise UserError(wrong[-1])
        work = Work(self._game, override=self._override)
        players = FoundExercises()
        # The processes share the deals.
        for piece in work_results(self._session, sources, work, 1):
            for found in piece.values:
                if isinstance(found, BadRules):
                    self._session.refuse(found)
                elif found.errors:
                    self._session.found()
                    errors = count(found.errors, "error")
                    game = f"game {found.number} has {errors} and is left out"
                    self._session.say(f"canasta: {found.name}: {game}")
                else:
                    self._profile = self._profile or found.profile
                    players.add(found.players, found.exercises)
        return players

    def _game(self, name: str, reading: Reading, number: int) -> _GameExercises | BadRules:
        """Return the exercises of a game."""
        from canasta_notation.analysis.analyzed import analyze_game
        from canasta_notation.exercises.exercise import game_exercises

        try:
            profile = judging_rules(name, reading, number, self._override)
        except BadRules as why:
            return why
        analysis = analyze_game(reading.game, number, self._override, seed=None)
        names = tuple(analysis.name(seat) for seat in profile.seats)
        if analysis.errors or reading.problems:
            errors = analysis.errors + len(reading.problems)
            return _GameExercises(name, number, names, (), errors, profile)
        valued = self._play_outs.valued(analysis, reading.game)
        found = game_exercises(Path(name).name, reading, number, profile, valued, self._override)
        return _GameExercises(name, number, names, tuple(found), 0, profile)

    def more(
        self, own: Sequence[Exercise], player: str, wanted: int, others: Sequence[str]
    ) -> list[Exercise]:
        """Return exercises of the same kinds from other records, or from generated games."""
        from canasta_notation.exercises.finding import chosen

        if not wanted:
            return []
        found = self.players(others).others(player) if others else [*self._generated(own, wanted)]
        added = chosen(own, found, wanted)
        if len(added) < wanted:
            self._session.say(
                f"canasta: --more {wanted}: only {count(len(added), 'exercise')} found"
            )
        return added

    def _generated(self, own: Sequence[Exercise], wanted: int) -> Iterator[Exercise]:
        """Yield exercises from generated games until enough have a kind of the player's own."""
        from canasta_notation.exercises.finding import generated
        from canasta_notation.rules import load_profile

        kinds = {each.kind for each in own}
        profile = self._override or self._profile or load_profile("classic")
        games = generated(profile, count_from(1))
        for name, reading in islice(games, _MOST_GAMES):
            found = self._game(name, reading, 1)
            if isinstance(found, BadRules):
                raise found
            yield from found.exercises
            wanted -= sum(not kinds or each.kind in kinds for each in found.exercises)
            if wanted <= 0:
                return


def _own(players: FoundExercises, name: str) -> list[Exercise]:
    """Return the exercises of a player. Raises UserError."""
    from difflib import get_close_matches

    if name in players.found:
        return players.own(name)
    known = list(players.found)
    near = get_close_matches(name, known, 1)
    if not known:
        raise UserError(f"--player {quoted(name)}: no game has players")
    meant = f"did you mean {near[0]}?" if near else f"the players are {', '.join(known)}"
    raise UserError(f"--player {quoted(name)}: nobody of that name played; {meant}")


def _say_if_few(session: Session, player: str, own: Sequence[Exercise], more: int) -> None:
    if len(own) < _FEW:
        found = count(len(own), "certain mistake")
        helps = "records of more games" + ("" if more else ", or --more 10,") + " would help"
        session.say(f"canasta: {player} made {found} in these games; {helps}")


# --- the ways out ---------------------------------------------------------------------------------


def _list_players(session: Session, players: FoundExercises) -> None:
    from canasta_notation.exercises.exercise_rows import player_rows

    session.show(player_rows(players.found, session.look))


def _give(
    session: Session,
    exercises: Sequence[Exercise],
    player: str,
    paths: Sequence[str],
    out: Path | None,
    *,
    due: bool,
) -> None:
    """Write the exercises into a file, list them, or ask them."""
    from canasta_notation.exercises.progress import FILE, read_progress

    if out is not None:
        if not exercises:
            raise UserError(f"there is no exercise, so {out} was not written")
        write_whole(out, [_written(exercises, player, out)])
        return
    first = Path(paths[0])
    place = (first if first.is_dir() else first.parent) / FILE
    progress = read_progress(place)
    if due:
        _list_due(session, exercises, progress)
    else:
        _practise(session, exercises, progress, place)


def _written(exercises: Sequence[Exercise], player: str, out: Path) -> bytes:
    """Return the content of a page or a deck."""
    if out.suffix.lower() == _DECK:
        from canasta_notation.exercises.deck import deck

        return deck(exercises, player)
    from canasta_notation.exercises.learn_page import learn_page

    return learn_page(exercises, player).encode("utf-8", "xmlcharrefreplace")


def _list_due(session: Session, exercises: Iterable[Exercise], progress: LearnerProgress) -> None:
    from canasta_notation.exercises.exercise_rows import list_rows

    now = datetime.now(UTC)
    dated = [(progress.due_at(each) or now, each) for each in exercises]
    ordered = sorted(dated, key=lambda pair: pair[0].date())
    shown = ((f"{max(at, now):%Y-%m-%d}", each) for at, each in ordered)
    session.show(list_rows(shown, session.look))


def _practise(
    session: Session, exercises: Sequence[Exercise], progress: LearnerProgress, place: Path
) -> None:
    """Ask the exercises that are due, one after the other, and keep the progress."""
    from canasta_notation.exercises.exercise_rows import back_rows, front_rows
    from canasta_notation.exercises.progress import write_progress
    from canasta_notation.language.sentences import label

    for each in progress.due(exercises, datetime.now(UTC)):
        session.show(front_rows(each, session.look))
        answer = _asked(session, len(each.answers))
        if answer is None:
            return
        right = each.answers[answer - 1].right
        progress.answer(each, right=right, now=datetime.now(UTC))
        write_progress(place, progress)
        session.show(back_rows(each, right, session.look))
    session.write(f"{label('learn_done')}\n")


def _asked(session: Session, answers: int) -> int | None:
    """Return the number of the answer that a person chooses, None for the end."""
    keys = [str(number) for number in range(1, answers + 1)]
    prompt = f"1 to {answers}, {_END} to end: "
    while True:
        session.write(prompt)
        session.out.flush()
        line = session.read_line()
        word = line.strip().lower()
        if not line or word == _END:
            session.write("\n" if not line else "")
            return None
        if word in keys:
            return int(word)
