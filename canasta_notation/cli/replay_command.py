"""`canasta replay`: the play of a record, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.command_errors import BadRules, UserError
from canasta_notation.cli.files import (
    Source,
    check_deal,
    check_seat,
    one_source,
    read_record,
    rules_of,
)
from canasta_notation.cli.options import (
    Json,
    NoColour,
    Path,
    RulesText,
    SeatName,
    keep_apart,
    read_rules,
)
from canasta_notation.cli.session import Session

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.report.played import Played, PlayedDeal
    from canasta_notation.rules import Profile


def replay(
    path: Path,
    game: Annotated[int | None, typer.Option(min=1, help="Show only this game.")] = None,
    deal: Annotated[int | None, typer.Option(min=1, help="Show only this deal.")] = None,
    turn: Annotated[
        str | None,
        typer.Option(metavar="A[:B]", help="Show only these turns, with the whole table."),
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Step through the turns with the keyboard.")
    ] = False,
    seat: SeatName = None,
    rules: RulesText = None,
    json: Json = False,
    no_color: NoColour = False,
) -> None:
    """Replay a record: show what each turn did and the table after it.

    Without `--turn` or `--step`, the whole play is shown in a few lines per turn. The exit code is
    1 if the record has errors.
    """
    with Session(no_colour=no_color) as session:
        keep_apart("--step", step, {"--json": json, "--turn": turn})
        wanted = _turns(turn)
        source = one_source(path)
        plays = _plays(session, source, game, deal, seat, read_rules(rules))
        if wanted:
            plays = _with_turns(plays, wanted, deal)
        if json:
            from canasta_notation.report.replay_json import replay_json

            session.write_json(replay_json(source.name, (_cut(each, wanted) for each in plays)))
        elif step:
            from canasta_notation.cli.replay_step import step_through

            step_through(session, source, game, deal, seat, read_rules(rules))
        elif wanted:
            _show_turns(session, plays, wanted)
        else:
            _show_games(session, plays, deal)


def _turns(text: str | None) -> range | None:
    """Return the turns that `A` or `A:B` names. Raises UserError."""
    if text is None:
        return None
    match = re.fullmatch(r"([1-9]\d{0,5})(?::([1-9]\d{0,5}))?", text, re.ASCII)
    if not match:
        raise UserError(f"--turn: {text} is neither a turn (7) nor a range of turns (7:12)")
    if int(match[2] or match[1]) < int(match[1]):
        raise UserError(f"--turn: {text} ends before it begins; write {match[2]}:{match[1]}")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _plays(
    session: Session,
    source: Source,
    game: int | None,
    deal: int | None,
    seat: str | None,
    override: Profile | None,
) -> Iterator[Played]:
    """Yield the games asked for, except those whose rules are not known.

    Raises UserError if there is no such game, deal or seat.
    """
    for reading in read_record(source, game):
        try:
            play = played(source, reading, deal, seat, override)
        except BadRules as why:
            session.refuse(why)
            continue
        errors = [each for each in play.report.findings if each.severity == "error"]
        session.found(wrong=bool(reading.problems or errors))
        yield play


def played(
    source: Source, reading: Reading, deal: int | None, seat: str | None, override: Profile | None
) -> Played:
    """Return the replay of a game, or of one deal of it, with all cards or as one seat sees it.

    Raises UserError, and BadRules if the rules are not known.
    """
    from canasta_notation.report.played import play_game

    game, number = reading.game, reading.game.number
    profile = rules_of(source.name, reading, number, override)
    check_deal(deal, source.name, number, len(game.deals))
    check_seat(seat, game, number, profile.seats)
    return play_game(
        source.name, reading, number, profile, deal=deal, seat=seat or "", override=override
    )


def _with_turns(plays: Iterator[Played], turns: range, deal: int | None) -> Iterator[Played]:
    """Yield the replays; after the last, raise UserError if none of them has one of the turns."""
    why: str | None = None
    there, last = False, 0
    for play in plays:
        why = why or ""
        for each in play.deals:
            if deal in (None, each.number):
                last = max(last, each.report.turns)
                there = there or turns[0] <= each.last
                if not (there or why) and turns[0] <= each.report.turns:
                    why = _why_stopped(play, each)
        yield play
    if why is None or there:
        return
    if not last:
        why = f"deal {deal} has no recorded turns" if deal else "no turns are recorded"
    why = why or f"turn {turns[0]} does not exist; the last one is turn {last}"
    raise UserError(f"--turn: {why}")


def _why_stopped(play: Played, deal: PlayedDeal) -> str:
    """Return where the replay of a deal stops, and the error that stops it."""
    from dataclasses import replace

    from canasta_notation.render.score_card import stop_words

    errors = [each for each in (*deal.late, *deal.report.findings) if each.severity == "error"]
    known = [each for each in errors if each.span.line <= (deal.report.unchecked_from or 0)]
    words = stop_words(deal.number, deal.last)
    if play.seat or not known:
        return words
    return f"{words}: {replace(max(known, key=lambda each: each.span.line), file=play.file)}"


def _cut(play: Played, turns: range | None) -> Played:
    """Return a replay with only the steps of these turns."""
    from dataclasses import replace

    if turns is None:
        return play
    return replace(play, steps=tuple(step for step in play.steps if step.turn in turns))


def _show_games(session: Session, plays: Iterator[Played], deal: int | None) -> None:
    from canasta_notation.render.paint import row
    from canasta_notation.render.replay_rows import game_rows

    for at, play in enumerate(plays):
        session.show([row(), row()] if at else [])
        session.show(game_rows(play, session.look, deal))


def _show_turns(session: Session, plays: Iterator[Played], turns: range) -> None:
    from canasta_notation.render.paint import row
    from canasta_notation.render.replay_rows import game_head, turn_page
    from canasta_notation.render.score_card import errors_row

    errors = 0
    for play in plays:
        shown = [turn for turn in play.turns if turn.turn in turns]
        if shown:
            session.show(game_head(play, session.look))
        for turn in shown:
            session.show([row(), *turn_page(play, turn, session.look)])
        errors += play.errors
    session.show([row(), errors_row(errors)] if errors else [])
