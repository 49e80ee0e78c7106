"""`canasta page`: games as one HTML file to look at; `canasta diagram`: a position as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from canasta_notation.cli.files import (
    STANDARD_INPUT,
    check_seat,
    find_sources,
    judging_rules,
    one_source,
    read_record,
    the_deal,
)
from canasta_notation.cli.options import (
    DealNumber,
    Jobs,
    Language,
    NoColour,
    RecordPath,
    RecordPaths,
    RulesText,
    SeatName,
    languages_of,
    read_rules,
)
from canasta_notation.cli.session import BadRules, Session, UserError, say_all
from canasta_notation.cli.streaming import work_results
from canasta_notation.english import count
from canasta_notation.storage import check_place, write_whole
from canasta_notation.story.analyze_command import PlayOuts, Rollouts, Seed, rollouts_of

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.page.one_file import GamePage
    from canasta_notation.report.played import Played, PlayedDeal
    from canasta_notation.rules import Profile

#: The size of a page is reported if it has at least this many bytes.
_LARGE: Final = 5_000_000


def page(
    paths: RecordPaths,
    out: Annotated[
        str,
        typer.Option(
            "-o", "--out", metavar="OUT", help="The HTML file to write; - for standard output."
        ),
    ],
    seat: SeatName = None,
    rollouts: Rollouts = "0",
    seed: Seed = 0,
    rules: RulesText = None,
    language: Language = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="SVG", help="Also write a picture of the game to share.", show_default=False
        ),
    ] = None,
    jobs: Jobs = 1,
    no_color: NoColour = False,
) -> None:
    """Make a web page of games to send to friends: every turn, score and finding.

    The file works offline and needs nothing else. With `--seat`, it contains no card that the seat
    could not see. With `--rollouts`, it marks mistakes and says what was better; the processes of
    `--jobs` share the play-outs. The exit code is 1 if a record has errors; the page shows them.
    The page of one game is in all languages, and that of several games in English, unless
    `--language` says otherwise. Messages about the record are always in English.
    """
    with Session(no_colour=no_color) as session:
        from canasta_notation.page.one_file import in_one_language
        from canasta_notation.page.one_file import page as written

        _check_suffix(out, "a page", ".html", ".htm")
        if out != STANDARD_INPUT:
            check_place(Path(out))
        if picture is not None:
            _check_suffix(str(picture), "a picture", ".svg", option="--picture")
            check_place(picture)
        languages = languages_of(language or "all")
        profile, number = read_rules(rules), rollouts_of(rollouts)
        play_outs = None
        if number != 0:
            play_outs = PlayOuts(session, profile, number, seed, jobs, quiet=True)
        # With play-outs, the processes share the deals.
        show = _Show(profile, seat, play_outs, languages)
        games = list(_games(session, paths, show, 1 if play_outs else jobs))
        if not games:
            raise UserError("there is no game to show, so no page was written")
        if picture is not None and len(games) > 1:
            raise UserError(f"--picture is for one game; there are {len(games)}")
        if language is None and len(games) > 1:
            games = [in_one_language(game) for game in games]
        text = written(games)
        if picture is None:
            _write(session, out, text)
        else:
            drawn = games[0].picture.encode("utf-8", "xmlcharrefreplace")
            _write_both(session, (out, text), (picture, drawn))
        size = len(text.encode("utf-8", "xmlcharrefreplace"))
        if size > _LARGE:
            each = f"{size // len(games) // 1000} kB a game"
            session.say(f"the page has {size / 1_000_000:.1f} MB, {each}")
        wrong = sum(game.errors > 0 for game in games)
        if wrong:
            session.say(f"{count(wrong, 'game')} with errors; the page shows them")


@dataclass(frozen=True)
class _Show:
    """How games are shown, in any process. What cannot be shown is returned as a message."""

    override: Profile | None
    seat: str | None
    play_outs: PlayOuts | None
    languages: tuple[str, ...]

    def game(self, name: str, reading: Reading, number: int) -> GamePage | UserError | BadRules:
        """Play a game and return its part of the page."""
        from canasta_notation.page.one_file import game_page
        from canasta_notation.page.shown_game import page_game

        try:
            profile = judging_rules(name, reading, number, self.override)
            check_seat(self.seat, reading.game, number, profile.seats)
        except (UserError, BadRules) as why:
            return why
        file = Path(name).name
        values = self.play_outs.values(reading.game, number) if self.play_outs else {}
        shown = page_game(file, reading, number, profile, self.seat or "", values)
        return game_page(shown, self.languages)


def _games(session: Session, paths: list[str], show: _Show, jobs: int) -> Iterator[GamePage]:
    """Yield the games of records; report those that cannot be read or shown."""
    from canasta_notation.batch.parts import Work

    sources, wrong = find_sources(paths)
    say_all(session, wrong)
    work = Work(show.game, override=show.override, rows=True)
    for piece in work_results(session, sources, work, jobs):
        for game in piece.values:
            if isinstance(game, BadRules):
                session.refuse(game)
            elif isinstance(game, UserError):
                session.fail(str(game))
            else:
                session.found(wrong=game.errors > 0)
                yield game


def diagram(
    path: RecordPath,
    turn: Annotated[
        int, typer.Option("--turn", min=0, help="Draw the table after this turn (0: as dealt).")
    ],
    deal: DealNumber = None,
    game: Annotated[int, typer.Option("--game", min=1, help="The game in the file, from 1.")] = 1,
    seat: SeatName = None,
    out: Annotated[
        str,
        typer.Option(
            "-o", "--out", metavar="OUT", help="The SVG file to write; - for standard output."
        ),
    ] = STANDARD_INPUT,
    dark: Annotated[bool, typer.Option("--dark", help="Draw it for a dark background.")] = False,
    rules: RulesText = None,
    no_color: NoColour = False,
) -> None:
    """Draw the table after a turn as an SVG picture."""
    with Session(no_colour=no_color) as session:
        from canasta_notation.report.played import play_back

        _check_suffix(out, "a diagram", ".svg")
        source = one_source(path)
        [reading] = read_record(source, game)
        profile = judging_rules(source.name, reading, game, read_rules(rules))
        check_seat(seat, reading.game, game, profile.seats)
        deal = the_deal(deal, source.name, game, len(reading.game.deals))
        play = play_back(
            source.name, reading, game, profile, deal=deal, seat=seat or "", override=profile
        )
        _write(session, out, _drawn(play, play.deals[deal - 1], turn, dark=dark))


def _drawn(play: Played, deal: PlayedDeal, turn: int, *, dark: bool) -> str:
    """Return the drawing of a position. Raises UserError if there is no such position."""
    from canasta_notation.render.diagram import position_svg
    from canasta_notation.render.score_card import start_words
    from canasta_notation.render.wording import tag_text

    report, tables = deal.report, deal.states
    if turn >= len(tables) or report.sheet:
        no_turn = f"no turn {turn} to show; the last is {deal.last}"
        has = no_turn if report.turns else "no recorded turns"
        raise UserError(f"{play.file}: deal {deal.number} has {has}")
    where = f"deal {deal.number}, " + (f"after turn {turn}" if turn else start_words(report))
    where += f", as {play.seat} sees it" if play.seat else ""
    event = tag_text(play.game, "Event")
    return position_svg(
        tables[turn],
        play.seats,
        play.sides,
        names={each: tag_text(play.game, each) for each in play.seats},
        heading=f"{event}: {where}" if event else where[0].upper() + where[1:],
        dark=dark,
    )


def _check_suffix(out: str, what: str, *suffixes: str, option: str = "-o") -> None:
    """Raise UserError if a file's suffix names another format."""
    suffix = Path(out).suffix.lower()
    if suffix and suffix not in suffixes:
        raise UserError(f"{option} {out}: {what} is written as {suffixes[0]}, not as {suffix}")


def _write_both(session: Session, page: tuple[str, str], picture: tuple[Path, bytes]) -> None:
    """Write a page and a picture, or neither of them."""

    def whole() -> Iterator[bytes]:
        yield picture[1]
        # The picture takes its place only after the page has been written.
        _write(session, *page)

    write_whole(picture[0], whole())


def _write(session: Session, out: str, text: str) -> None:
    if out == STANDARD_INPUT:
        session.write_record(text)
    else:
        write_whole(Path(out), [text.encode("utf-8", "xmlcharrefreplace")])
