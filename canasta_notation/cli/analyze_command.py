"""`canasta analyze`: what records say about the play of their players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.files import check_deal, check_seat, find_sources, rules_of
from canasta_notation.cli.options import Jobs, Json, NoColour, RecordPaths, RulesText, read_rules
from canasta_notation.cli.session import BadRules, Session, UserError, say_all
from canasta_notation.cli.streaming import JsonList, json_at, work_results

if TYPE_CHECKING:
    from canasta_notation.analysis.analyzed import GameAnalysis
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.notation.reader import Reading
    from canasta_notation.rules import Profile


def analyze(
    paths: RecordPaths,
    deal: Annotated[int | None, typer.Option(min=1, help="Analyze only this deal.")] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Show only the figures of this seat.")
    ] = None,
    rules: RulesText = None,
    json: Json = False,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Tell the story of each deal, and what each player did and could have done.

    All figures are exact. A question mark stands where the record does not tell. The exit code is
    1 if a record has errors; then the analysis covers what could be replayed.
    """
    from canasta_notation.batch.parts import Work

    with Session(no_colour=no_color) as session:
        sources, wrong = find_sources(paths)
        say_all(session, wrong)
        profile = read_rules(rules)
        work = Work(Analyze(profile, deal, seat).game, override=profile)
        pieces = work_results(session, sources, work, jobs)
        show = _show_json if json else _show_text
        show(session, pieces, seat)


@dataclass(frozen=True)
class Analyze:
    """How games are analyzed, in any process. What cannot be done is returned as a message."""

    override: Profile | None
    deal: int | None
    seat: str | None

    def game(self, name: str, reading: Reading, number: int) -> GameAnalysis | UserError | BadRules:
        """Analyze a game."""
        from canasta_notation.analysis.analyzed import analyze_game

        try:
            profile = rules_of(name, reading, number, self.override)
            check_deal(self.deal, name, number, len(reading.game.deals))
            check_seat(self.seat, reading.game, number, profile.seats)
        except (UserError, BadRules) as why:
            return why
        return analyze_game(reading.game, number, self.override, self.deal)


def _analyzed(
    session: Session, piece: Piece[GameAnalysis | UserError | BadRules]
) -> Iterator[GameAnalysis]:
    """Yield the games of a piece; report those that cannot be analyzed. Raises UserError."""
    for game in piece.values:
        if isinstance(game, BadRules):
            session.refuse(game)
        elif isinstance(game, UserError):
            raise game
        else:
            session.found(wrong=game.errors > 0)
            yield game


def _show_text(
    session: Session, pieces: Iterable[Piece[GameAnalysis | UserError | BadRules]], seat: str | None
) -> None:
    from canasta_notation.analysis.analyzed import Players
    from canasta_notation.render.analysis_rows import player_rows, story_rows
    from canasta_notation.render.paint import row

    players = Players()
    for piece in pieces:
        for game in _analyzed(session, piece):
            players.add(game, seat)
            session.show([*story_rows(piece.input.name, game, session.look, seat), row()])
    figures = players.figures()
    if figures:
        session.show(player_rows(figures, session.look))


def _show_json(
    session: Session, pieces: Iterable[Piece[GameAnalysis | UserError | BadRules]], seat: str | None
) -> None:
    """Write the document of schemas/analysis.schema.json; only short lists stay in memory."""
    from canasta_notation.analysis.analyzed import Players
    from canasta_notation.analysis.as_json import game_json, player_json

    unicode = session.look.unicode
    players = Players()
    files, games = JsonList(1, unicode=unicode), JsonList(3, unicode=unicode)
    for piece in pieces:
        for game in _analyzed(session, piece):
            players.add(game, seat)
            games.add(game_json(game, seat))
        if piece.last and games.count:
            name = json_at(piece.input.name, 0, unicode=unicode)
            files.add_parts(f'{{\n   "file": {name},\n   "games": ', games, "\n  }")
            games = JsonList(3, unicode=unicode)
    session.out.write('{\n "files": ')
    files.write_to(session.out)
    listed = [player_json(each) for each in players.figures()]
    session.out.write(f',\n "players": {json_at(listed, 1, unicode=unicode)}\n}}\n')
