"""`canasta analyze`: what records say about the play of their players."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from json import dumps as dump_json
from json import loads as load_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from canasta_notation.cli.files import check_deal, check_seat, find_sources, rules_of
from canasta_notation.cli.options import Jobs, Json, NoColour, RecordPaths, RulesText, read_rules
from canasta_notation.cli.session import BadRules, Session, UserError, say_all
from canasta_notation.cli.streaming import (
    Bar,
    JsonList,
    json_at,
    total_size,
    while_read,
    work_results,
)
from canasta_notation.english import count

if TYPE_CHECKING:
    from canasta_notation.analysis.analyzed import GameAnalysis
    from canasta_notation.analysis.values import DealPart, DealValues
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.reader import Reading
    from canasta_notation.rules import Profile

#: The most digits of a number that is read.
_DIGITS: Final = 18
#: From how many seconds of play-outs on they are announced.
_LONG: Final = 30
#: From how many bytes of records on their reading shows a bar, so that play-outs show none.
_QUIET: Final = 1 << 20
#: The most parts that share the decisions of a deal.
_MOST_PARTS: Final = 16
#: How many deals are kept.
_FILES: Final = 10_000
#: A game that was analyzed, and itself if it is to be played out; or why it could not be.
Found: TypeAlias = "tuple[GameAnalysis, Game | None] | UserError | BadRules"


Rollouts = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Find mistakes, and tell luck from play: finish each deal N times from every "
        "decision, with the hidden cards dealt anew (minutes). auto: as often as needed.",
    ),
]
Seed = Annotated[int, typer.Option(help="Another seed gives other play-outs.")]


def analyze(
    paths: RecordPaths,
    deal: Annotated[int | None, typer.Option(min=1, help="Analyze only this deal.")] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Show only the figures of this seat.")
    ] = None,
    rollouts: Rollouts = "0",
    seed: Seed = 0,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="With --json: all decisions and plays compared.")
    ] = False,
    rules: RulesText = None,
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Tell the story of each deal: what each player did, and the chances that were missed.

    All figures are exact, except those of play-outs, which have their errors beside them. A
    question mark stands where the record does not tell. The exit code is 1 if a record has errors;
    then the analysis covers what could be replayed. Deals that have been played out are kept in the
    user's cache and not played out again.
    """
    from canasta_notation.batch.parts import Work

    with Session(no_colour=no_color) as session:
        sources, wrong = find_sources(paths)
        say_all(session, wrong)
        profile = read_rules(rules)
        number = rollouts_of(rollouts)
        play_outs = None
        if number != 0:
            quiet = total_size(sources) > _QUIET
            play_outs = PlayOuts(session, profile, number, seed, jobs, quiet=quiet)
        # Only the document shows risks.
        analyses = Analyze(profile, deal, seat, seed if json else None, keep=number != 0)
        work = Work(analyses.game, override=profile)
        # With play-outs, the processes share the deals.
        pieces = work_results(session, sources, work, 1 if play_outs else jobs)
        if json:
            _show_json(session, pieces, seat, play_outs, decisions=decisions)
        else:
            _show_text(session, pieces, seat, play_outs)


def rollouts_of(text: str) -> int | None:
    """Return the number of play-outs, None for "auto". Raises UserError."""
    from canasta_notation.analysis.values import wrong_rollouts

    if text == "auto":
        return None
    number = int(text) if text.isdecimal() and len(text) <= _DIGITS else text
    wrong = wrong_rollouts(number)
    if wrong:
        raise UserError(f"--rollouts: give {wrong}")
    return int(number)


@dataclass(frozen=True)
class Analyze:
    """How games are analyzed, in any process. What cannot be done is returned as a message.

    Without `seed`, no risks are estimated. With `keep`, the game is returned too.
    """

    override: Profile | None
    deal: int | None
    seat: str | None
    seed: int | None
    keep: bool

    def game(self, name: str, reading: Reading, number: int) -> Found:
        """Analyze a game."""
        from canasta_notation.analysis.analyzed import analyze_game

        try:
            profile = rules_of(name, reading, number, self.override)
            check_deal(self.deal, name, number, len(reading.game.deals))
            check_seat(self.seat, reading.game, number, profile.seats)
        except (UserError, BadRules) as why:
            return why
        analysis = analyze_game(reading.game, number, self.override, self.deal, seed=self.seed)
        return analysis, reading.game if self.keep else None


def _analyzed(
    session: Session, piece: Piece[Found], play_outs: PlayOuts | None
) -> Iterator[GameAnalysis]:
    """Yield the games of a piece; report those that cannot be analyzed. Raises UserError."""
    for found in piece.values:
        if isinstance(found, BadRules):
            session.refuse(found)
        elif isinstance(found, UserError):
            raise found
        else:
            analysis, game = found
            session.found(wrong=analysis.errors > 0)
            yield play_outs.valued(analysis, game) if play_outs and game else analysis


def _show_text(
    session: Session, pieces: Iterable[Piece[Found]], seat: str | None, play_outs: PlayOuts | None
) -> None:
    from canasta_notation.analysis.analyzed import Players
    from canasta_notation.render.analysis_rows import player_rows, story_rows
    from canasta_notation.render.paint import row

    players = Players()
    limits = []
    for piece in pieces:
        for game in _analyzed(session, piece, play_outs):
            players.add(game, seat)
            if game.limits is not None:
                limits.append(game.limits)
            session.show([*story_rows(piece.input.name, game, session.look, seat), row()])
    figures = players.figures()
    if figures:
        session.show(player_rows(figures, session.look, limits))


def _show_json(
    session: Session,
    pieces: Iterable[Piece[Found]],
    seat: str | None,
    play_outs: PlayOuts | None,
    *,
    decisions: bool,
) -> None:
    """Write the document of schemas/analysis.schema.json; only short lists stay in memory."""
    from canasta_notation.analysis.analyzed import Players, game_json, player_json

    unicode = session.look.unicode
    players = Players()
    files, games = JsonList(1, unicode=unicode), JsonList(3, unicode=unicode)
    for piece in pieces:
        for game in _analyzed(session, piece, play_outs):
            players.add(game, seat)
            games.add(game_json(game, seat, decisions=decisions))
        if piece.last and games.count:
            name = json_at(piece.input.name, 0, unicode=unicode)
            files.add_parts(f'{{\n   "file": {name},\n   "games": ', games, "\n  }")
            games = JsonList(3, unicode=unicode)
    session.out.write('{\n "files": ')
    files.write_to(session.out)
    listed = [player_json(each) for each in players.figures()]
    session.out.write(f',\n "players": {json_at(listed, 1, unicode=unicode)}\n}}\n')


# --- play-outs ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """A deal, or a part of one, to be played out in any process: what `deal_part` needs."""

    game: Game
    number: int
    deal: int
    rollouts: int | None
    seed: int
    override: Profile | None
    part: int
    parts: int

    def done(self) -> tuple[_Task, DealPart]:
        """Return the task, and its part of the values."""
        from canasta_notation.analysis.values import deal_part

        part = deal_part(
            self.game, self.number, self.deal, self.rollouts, self.seed, self.override,
            part=self.part, parts=self.parts,
        )  # fmt: skip
        return self, part


class PlayOuts:
    """Plays out the deals of games, in processes, except those that are kept from another time."""

    def __init__(
        self,
        session: Session,
        override: Profile | None,
        rollouts: int | None,
        seed: int,
        jobs: int,
        *,
        quiet: bool,
    ) -> None:
        self.session = session
        self.override = override
        self.rollouts = rollouts
        self.seed = seed
        self.jobs = jobs
        self.quiet = quiet

    def values(self, game: Game, number: int) -> Mapping[int, DealValues]:
        """Return the values of the deals of a game, by their numbers."""
        from canasta_notation.analysis.analyzed import analyze_game

        analysis = analyze_game(game, number, self.override, seed=None)
        deals = self.valued(analysis, game).deals
        return {each.facts.deal: each.values for each in deals if each.values is not None}

    def valued(self, analysis: GameAnalysis, game: Game) -> GameAnalysis:
        """Return the analysis of a game with the values of its deals."""
        found = {deal: _kept(self._place(game, deal)) for deal in analysis.played}
        due = [deal for deal, values in found.items() if values is None]
        if due:
            turns = {each.facts.deal: each.facts.replayed for each in analysis.deals}
            self._announce(analysis, [turns[deal] for deal in due])
            total = sum(turns[deal] for deal in due)
            try:
                self.session.out.flush()
                long = total + 1 if self.quiet else 0
                with while_read(self.session.out), Bar(total, "playing out", long=long) as bar:
                    for deal, values in self._played_out(game, analysis.game, due):
                        found[deal] = values
                        bar.advance(turns[deal])
            except KeyboardInterrupt:
                self.session.say("canasta: stopped; the same command continues from here")
                raise
        return analysis.with_values({deal: each for deal, each in found.items() if each})

    def _played_out(
        self, game: Game, number: int, deals: Sequence[int]
    ) -> Iterator[tuple[int, DealValues]]:
        """Play out deals, and yield each when it is finished and kept.

        Several processes share the decisions of each deal, and one of them estimates luck and play.
        """
        from canasta_notation.analysis.values import whole
        from canasta_notation.batch.processes import in_processes, process_count

        count = process_count(self.jobs, _MOST_PARTS)
        parts = 1 if count == 1 else count + 1
        tasks = [
            _Task(game, number, deal, self.rollouts, self.seed, self.override, part, parts)
            for deal in deals
            for part in range(parts)
        ]
        done: dict[int, dict[int, DealPart]] = {}
        for task, part in in_processes(self.jobs)(_Task.done, tasks):
            own = done.setdefault(task.deal, {})
            own[task.part] = part
            if len(own) == parts:
                values = whole([own[at] for at in range(parts)])
                del done[task.deal]
                place = self._place(game, task.deal)
                if place is not None:
                    _keep(place, values)
                yield task.deal, values

    def _announce(self, analysis: GameAnalysis, turns: list[int]) -> None:
        """Say how long the play-outs will take, if that is long."""
        from canasta_notation.analysis.values import estimated_seconds
        from canasta_notation.batch.processes import process_count

        seconds = estimated_seconds(analysis.rules or "", turns, self.rollouts)
        seconds /= process_count(self.jobs, _MOST_PARTS)
        if seconds >= _LONG:
            long = f"{round(seconds / 60)} min" if seconds >= 120 else f"{round(seconds)} s"
            deals = count(len(turns), "deal")
            self.session.say(f"canasta: playing out {deals} will take about {long}")

    def _place(self, game: Game, deal: int) -> Path | None:
        """Return where the values of a deal are kept, None if nothing can be kept."""
        from importlib.metadata import version

        from canasta_notation.analysis.values import EDITION
        from canasta_notation.notation.format import TooLong, format_games

        folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        if game.problems or not os.path.isabs(folder):
            return None
        part = replace(game, deals=game.deals[:deal])
        rules = self.override.text if self.override else ""
        parts = [EDITION, version("canasta-notation"), self.rollouts, self.seed, rules]
        try:
            text = "\n".join([*map(str, parts), *format_games([(part, 1)])])
        except TooLong:
            return None
        name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return Path(folder) / "canasta-notation" / "values" / f"{name}.json"


def _kept(place: Path | None) -> DealValues | None:
    """Return the values that are kept in a file; None if there are none, or the file is damaged."""
    from canasta_notation.analysis.values import DealValues

    if place is None:
        return None
    try:
        return DealValues.from_json(load_json(place.read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _keep(place: Path, values: DealValues) -> None:
    """Keep values in a file, and no more than `_FILES` files; without a word if that fails."""
    from canasta_notation.storage import replace_file

    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, [dump_json(values.to_json()).encode()])
        files = sorted(place.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in files[:-_FILES]:
            old.unlink()
