"""`canasta analyze`: what records say about the play of their players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from canasta_notation.cli.files import (
    Source,
    check_deal,
    check_seat,
    find_sources,
    judging_rules,
    read_record,
)
from canasta_notation.cli.options import (
    Jobs,
    Json,
    NoColour,
    RecordPaths,
    RulesText,
    languages_of,
    read_rules,
)
from canasta_notation.cli.session import BadRules, Session, UserError, say_all
from canasta_notation.cli.streaming import (
    Bar,
    JsonList,
    json_at,
    total_size,
    while_read,
    work_results,
)
from canasta_notation.english import count, listed
from canasta_notation.language.languages import IN_ENGLISH, LANGUAGES
from canasta_notation.quoting import quoted

if TYPE_CHECKING:
    from canasta_notation.analysis.analyzed import GameAnalysis
    from canasta_notation.analysis.asked import AskedPlay
    from canasta_notation.analysis.values import DealValues
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.reader import Reading
    from canasta_notation.render.paint import Look, Rows
    from canasta_notation.report.played import Played
    from canasta_notation.rules import Profile

#: The most digits that a number may have.
_DIGITS: Final = 18
#: Play-outs that take at least this many seconds are announced.
_LONG: Final = 30
#: Reading more bytes of records than this shows a bar; then play-outs show none.
_QUIET: Final = 1 << 20
#: A game that was analyzed, or why it could not be.
Found: TypeAlias = "Analyzed | UserError | BadRules | None"


Rollouts = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Find mistakes, and separate luck from play: finish each deal N times from every "
        "decision, with the hidden cards dealt anew (minutes). auto: as often as needed.",
    ),
]
Seed = Annotated[int, typer.Option(help="Another seed gives other play-outs.")]


def analyze(
    paths: RecordPaths,
    game: Annotated[
        int | None, typer.Option(min=1, help="Analyze only this game of each file, from 1.")
    ] = None,
    deal: Annotated[int | None, typer.Option(min=1, help="Analyze only this deal.")] = None,
    turn: Annotated[
        int | None,
        typer.Option(min=1, help="With --deal: compare what could have been played in this turn."),
    ] = None,
    play: Annotated[
        list[str] | None,
        typer.Option(
            "--play",
            metavar="PLAY",
            help='With --turn: compare this play too, such as "K:KsKhKd -4s" (repeatable, up to '
            "10).",
        ),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Show only the figures of this seat.")
    ] = None,
    rollouts: Rollouts = "0",
    seed: Seed = 0,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="With --json: all decisions and plays compared.")
    ] = False,
    rules: RulesText = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="|".join(LANGUAGES),
            help=f"The language of the text: {listed([*IN_ENGLISH.values()], 'or')}.",
        ),
    ] = "en",
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Tell the story of each deal: what each player did, and the chances that were missed.

    All figures are exact, except those of play-outs, which have their errors beside them. A
    question mark stands for what the record does not show. The exit code is 1 if a record has
    errors; then the analysis covers what could be replayed. Deals that have been played out are
    kept in the user's cache and not played out again.
    """
    from canasta_notation.batch.parts import Work
    from canasta_notation.language.languages import use_language

    with Session(no_colour=no_color) as session:
        sources, wrong = find_sources(paths)
        say_all(session, wrong)
        profile = read_rules(rules)
        number = rollouts_of(rollouts)
        languages_of(language, together=False)
        plays = _plays_of(session, turn, deal, number, play or [])
        if turn is not None and deal is not None:
            asked = _AskedTurn(sources, game, deal, turn, plays, seat, number, seed, profile)
            with use_language(language):
                _show_turn(session, asked, json=json)
            return
        play_outs = None
        if number != 0:
            quiet = total_size(sources) > _QUIET
            play_outs = PlayOuts(session, profile, number, seed, jobs, quiet=quiet)
        # Only the document shows risks.
        risks = seed if json else None
        style = None if json else TextStyle(session.look, language)
        analyses = Analyze(profile, game, deal, seat, risks, style, keep=number != 0)
        work = Work(analyses.game, override=profile)
        # With play-outs, the processes share the deals.
        results = work_results(session, sources, work, 1 if play_outs else jobs)
        pieces = _having(session, results, game)
        if json:
            _show_json(session, pieces, seat, play_outs, decisions=decisions)
        else:
            with use_language(language):
                _show_text(session, pieces, seat, play_outs, deal)


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
class TextStyle:
    """How the sentences about games are shown: the look of their lines, and their language."""

    look: Look
    language: str


@dataclass(frozen=True)
class Analyzed:
    """A game that was analyzed.

    `game` is set only if the game will be played out. If sentences about it will be shown, `rows`
    has them or, if it is to be played out first, `played` is set.
    """

    analysis: GameAnalysis
    game: Game | None
    played: Played | None
    rows: Rows


@dataclass(frozen=True)
class Analyze:
    """How games are analyzed, in any process. Errors are returned, not raised.

    With `only`, only that game of each file is analyzed. Without `seed`, no risks are estimated.
    Without `style`, there are no sentences. With `keep`, the games will be played out.
    """

    override: Profile | None
    only: int | None
    deal: int | None
    seat: str | None
    seed: int | None
    style: TextStyle | None
    keep: bool

    def game(self, name: str, reading: Reading, number: int) -> Found:
        """Analyze a game; return None for one that is not asked for."""
        from canasta_notation.language.languages import use_language

        if self.only not in (None, number):
            return None
        try:
            profile = judging_rules(name, reading, number, self.override)
            check_deal(self.deal, name, number, len(reading.game.deals))
            check_seat(self.seat, reading.game, number, profile.seats)
        except (UserError, BadRules) as why:
            return why
        analysis, played = self._analyzed(name, reading, number, self.override or profile)
        game = reading.game if self.keep else None
        if self.style is None or self.keep:
            return Analyzed(analysis, game, played, [])
        assert played is not None, "a game with sentences was played"
        with use_language(self.style.language):
            rows = _story(played, analysis, self.style.look, self.deal)
        return Analyzed(analysis, game, None, rows)

    def _analyzed(
        self, name: str, reading: Reading, number: int, profile: Profile
    ) -> tuple[GameAnalysis, Played | None]:
        """Return the analysis of a game and, for its sentences, the game as the seat saw it.

        The analysis knows the whole record, so a seat's view needs a second replay.
        """
        from canasta_notation.analysis.analyzed import GameWatch, analyze_game
        from canasta_notation.report.played import play_back

        seat = self.seat or ""
        if self.style is not None and not seat:
            watch = GameWatch(reading.game, profile, self.deal, seed=self.seed)
            played = play_back(
                name,
                reading,
                number,
                profile,
                deal=self.deal,
                override=profile,
                observer=watch.observe,
            )
            return watch.analysis(played.report), played
        analysis = analyze_game(reading.game, number, self.override, self.deal, seed=self.seed)
        if self.style is None:
            return analysis, None
        return analysis, play_back(name, reading, number, profile, seat=seat, override=profile)


def _story(played: Played, analysis: GameAnalysis, look: Look, deal: int | None) -> Rows:
    from canasta_notation.story.story_game import StoryGame
    from canasta_notation.story.story_rows import story_rows

    return story_rows(StoryGame(played, analysis), look, deal)


def _having(
    session: Session, pieces: Iterable[Piece[Found]], game: int | None
) -> Iterator[Piece[Found]]:
    """Yield pieces; report the files that do not have the game that is asked for."""
    for piece in pieces:
        yield piece
        if piece.last and not piece.trouble and game is not None and game > piece.games:
            session.fail(f"{piece.input.name}: no game {game}; it has {count(piece.games, 'game')}")


def _analyzed(
    session: Session, piece: Piece[Found], play_outs: PlayOuts | None
) -> Iterator[Analyzed]:
    """Yield the games of a piece, with their values; report what cannot be analyzed.

    Raises UserError.
    """
    for found in piece.values:
        if isinstance(found, BadRules):
            session.refuse(found)
        elif isinstance(found, UserError):
            raise found
        elif found is not None:
            session.found(wrong=found.analysis.errors > 0)
            if play_outs is None or found.game is None:
                yield found
            else:
                yield replace(found, analysis=play_outs.valued(found.analysis, found.game))


# --- one turn -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _AskedTurn:
    """A turn that the reader asks about: the records given, the numbers, the plays, the seat.

    `rollouts`, `seed` and `override` are those of `DealToJudge`; without play-outs, 0.
    """

    sources: Sequence[Source]
    game: int | None
    deal: int
    turn: int
    plays: Sequence[AskedPlay]
    seat: str | None
    rollouts: int | None
    seed: int
    override: Profile | None

    @property
    def number(self) -> int:
        """The number of the game in its file."""
        return self.game or 1

    def analyzed(self, style: TextStyle | None) -> Analyzed:
        """Return the analysis of the game. Raises UserError and BadRules."""
        reading = self._reading()
        name = self.sources[0].name
        analyses = Analyze(self.override, None, self.deal, self.seat, self.seed, style, keep=True)
        found = analyses.game(name, reading, self.number)
        if not isinstance(found, Analyzed):
            raise found or UserError(f"{name}: no game")
        return found

    def _reading(self) -> Reading:
        """Return the game. Raises UserError."""
        if len(self.sources) != 1:
            found = count(len(self.sources), "record")
            raise UserError(f"--turn: name one record, not {found}")
        [source] = self.sources
        readings = [*islice(read_record(source, self.game), 2)]
        if len(readings) > 1:
            raise UserError(f"{source.name}: has several games; name one with --game")
        game = readings[0].game
        check_deal(self.deal, source.name, self.number, len(game.deals))
        turns = game.deals[self.deal - 1].turns
        if self.turn > turns:
            has = f"it has {count(turns, 'turn')}" if turns else "it has none"
            raise UserError(f"{source.name}: deal {self.deal} has no turn {self.turn}; {has}")
        return readings[0]


def _plays_of(
    session: Session,
    turn: int | None,
    deal: int | None,
    rollouts: int | None,
    texts: Sequence[str],
) -> list[AskedPlay]:
    """Return the plays that the reader asks about; report those that cannot be read.

    Raises UserError for options that do not go together.
    """
    from canasta_notation.analysis.asked import MOST_PLAYS, read_play

    if turn is not None and deal is None:
        raise UserError("--turn: name the deal with --deal")
    if texts and turn is None:
        raise UserError("--play: name the turn with --deal and --turn")
    if texts and rollouts == 0:
        raise UserError("--play: plays are compared by play-outs; add --rollouts auto")
    if len(texts) > MOST_PLAYS:
        raise UserError(f"--play: give at most {MOST_PLAYS} plays, not {len(texts)}")
    plays = []
    for text in texts:
        try:
            plays.append(read_play(text))
        except ValueError as why:
            session.fail(f"--play: {quoted(text)}: {why}")
    return plays


def _show_turn(session: Session, asked: _AskedTurn, *, json: bool) -> None:
    """Show one turn: what could have been played, and what that was worth."""
    from canasta_notation.analysis.analyzed import analyses_of
    from canasta_notation.language.languages import current_language
    from canasta_notation.story.story_game import StoryGame
    from canasta_notation.story.turn_rows import turn_rows

    found = asked.analyzed(None if json else TextStyle(session.look, current_language()))
    session.found(wrong=found.analysis.errors > 0)
    analysis, unjudged = _judged_turn(session, asked, found)
    if json:
        named = replace(analysis, file=asked.sources[0].name)
        session.write_json(analyses_of([named]).to_json())
    elif found.played is not None:
        story_game = StoryGame(found.played, analysis)
        session.show(turn_rows(story_game, asked.turn, unjudged, session.look))


def _judged_turn(session: Session, asked: _AskedTurn, found: Analyzed) -> tuple[GameAnalysis, str]:
    """Return the analysis with the values of the turn, and why there are none, "" for no reason.

    Plays that cannot be compared are reported.
    """
    from canasta_notation.analysis.judging import DealToJudge, turn_values

    if asked.rollouts == 0 or found.game is None:
        return found.analysis, ""
    deal = DealToJudge(
        found.game, asked.number, asked.deal, asked.rollouts, asked.seed, asked.override
    )
    values = turn_values(deal, asked.turn, asked.plays)
    say_all(session, (f"--play: {each}" for each in values.refused))
    return found.analysis.with_values({asked.deal: values.values}, asked.turn), values.unjudged


# --- many games -----------------------------------------------------------------------------------


def _show_text(
    session: Session,
    pieces: Iterable[Piece[Found]],
    seat: str | None,
    play_outs: PlayOuts | None,
    deal: int | None,
) -> None:
    from canasta_notation.analysis.analyzed import Players
    from canasta_notation.story.player_rows import player_rows

    players = Players()
    limits = []
    for piece in pieces:
        for found in _analyzed(session, piece, play_outs):
            game = found.analysis
            players.add(game, seat)
            if game.limits is not None:
                limits.append(game.limits)
            played = found.played
            session.show(_story(played, game, session.look, deal) if played else found.rows)
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
        for found in _analyzed(session, piece, play_outs):
            players.add(found.analysis, seat)
            games.add(game_json(found.analysis, seat, decisions=decisions))
        if piece.last and games.count:
            name = json_at(piece.input.name, 0, unicode=unicode)
            files.add_parts(f'{{\n   "file": {name},\n   "games": ', games, "\n  }")
            games = JsonList(3, unicode=unicode)
    session.out.write('{\n "files": ')
    files.write_to(session.out)
    listed = [player_json(each) for each in players.figures()]
    session.out.write(f',\n "players": {json_at(listed, 1, unicode=unicode)}\n}}\n')


# --- play-outs ------------------------------------------------------------------------------------


class PlayOuts:
    """Plays out the deals of games, and shows the progress."""

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
        from canasta_notation.analysis.kept_values import users_folder
        from canasta_notation.analysis.playing_out import PlayingOut

        self.session = session
        self.work = PlayingOut(rollouts, seed, override, jobs, users_folder())
        self.quiet = quiet

    def values(self, game: Game, number: int) -> Mapping[int, DealValues]:
        """Return the values of the deals of a game, by their numbers."""
        from canasta_notation.analysis.analyzed import analyze_game

        analysis = analyze_game(game, number, self.work.override, seed=None)
        deals = self.valued(analysis, game).deals
        return {each.facts.deal: each.values for each in deals if each.values is not None}

    def valued(self, analysis: GameAnalysis, game: Game) -> GameAnalysis:
        """Return the analysis of a game with the values of its deals."""
        found = {deal: self.work.kept(game, deal) for deal in analysis.played}
        due = [deal for deal, values in found.items() if values is None]
        if due:
            turns = {each.facts.deal: each.facts.replayed for each in analysis.deals}
            self._announce(analysis, [turns[deal] for deal in due])
            total = sum(turns[deal] for deal in due)
            try:
                self.session.out.flush()
                long = total + 1 if self.quiet else 0
                with while_read(self.session.out), Bar(total, "playing out", long=long) as bar:
                    for deal, values in self.work.played_out(game, analysis.game, due):
                        found[deal] = values
                        bar.advance(turns[deal])
            except KeyboardInterrupt:
                self.session.say("canasta: stopped; the same command continues from here")
                raise
        return analysis.with_values({deal: each for deal, each in found.items() if each})

    def _announce(self, analysis: GameAnalysis, turns: list[int]) -> None:
        """Say how long the play-outs will take, if they take long."""
        from canasta_notation.analysis.judging import estimated_seconds

        seconds = estimated_seconds(analysis.rules or "", turns, self.work.rollouts)
        seconds /= self.work.processes
        if seconds >= _LONG:
            long = f"{round(seconds / 60)} min" if seconds >= 120 else f"{round(seconds)} s"
            deals = count(len(turns), "deal")
            self.session.say(f"canasta: playing out {deals} will take about {long}")
