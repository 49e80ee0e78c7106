"""`canasta replay`: the play of a record, as text or in the stepper; `canasta legal`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from canasta_notation.cli.files import (
    Source,
    check_deal,
    check_seat,
    judging_rules,
    one_source,
    read_record,
    the_deal,
)
from canasta_notation.cli.options import (
    DealNumber,
    Json,
    NoColour,
    RecordPath,
    RulesText,
    SeatName,
    forbid_together,
    read_rules,
)
from canasta_notation.cli.session import BadRules, Session, UserError

if TYPE_CHECKING:
    from canasta_notation.notation.reader import Reading
    from canasta_notation.render.paint import Rows
    from canasta_notation.report.played import Played, PlayedDeal
    from canasta_notation.report.plays import Choices
    from canasta_notation.report.walker import PlayOne, Walker
    from canasta_notation.rules import Profile


def replay(
    path: RecordPath,
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
    """Show a game turn by turn: what each turn did, and the table after it.

    Without `--turn` or `--step`, the whole play is shown in a few lines per turn. The exit code is
    1 if the record has errors.
    """
    with Session(no_colour=no_color) as session:
        forbid_together("--step", step, {"--json": json, "--turn": turn})
        wanted = _turns(turn)
        source = one_source(path)
        asked = _ToShow(source, game, deal, seat, read_rules(rules))
        plays = _plays(session, asked)
        if wanted:
            plays = _with_turns(plays, wanted, deal)
        if json:
            from canasta_notation.report.played import replay_json

            session.write_json(replay_json(source.name, (_cut(each, wanted) for each in plays)))
        elif step:
            _step_through(session, asked)
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


class _ToShow(NamedTuple):
    """What to show of a record: a game, a deal, a seat's view (None: all), and the rules."""

    source: Source
    game: int | None
    deal: int | None
    seat: str | None
    override: Profile | None


def _plays(session: Session, asked: _ToShow) -> Iterator[Played]:
    """Yield the games asked for, except those whose rules are not known.

    Raises UserError if there is no such game, deal or seat.
    """
    for reading in read_record(asked.source, asked.game):
        try:
            play = _player(asked, reading)(asked.seat or "")
        except BadRules as why:
            session.refuse(why)
            continue
        errors = [each for each in play.report.findings if each.severity == "error"]
        session.found(wrong=bool(reading.problems or errors))
        yield play


def _player(asked: _ToShow, reading: Reading) -> PlayOne:
    """Return what plays a game, or one deal of it, when it is shown.

    Raises UserError if there is no such deal or seat, and BadRules if the rules are not known.
    """
    from canasta_notation.report.played import play_back

    name, deal, override = asked.source.name, asked.deal, asked.override
    game, number = reading.game, reading.game.number
    profile = judging_rules(name, reading, number, override)
    check_deal(deal, name, number, len(game.deals))
    check_seat(asked.seat, game, number, profile.seats)

    def play(seat: str) -> Played:
        view = seat if seat in profile.seats else ""
        return play_back(name, reading, number, profile, deal=deal, seat=view, override=override)

    return play


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


def _step_through(session: Session, asked: _ToShow) -> None:
    """Step through a record, or through one game or deal of it. Raises UserError."""
    from canasta_notation.render.score_card import errors_row
    from canasta_notation.replay.game_replay import replay_game
    from canasta_notation.report.walker import Walker

    if asked.source.path is None:
        raise UserError("--step reads your keys from standard input: name a file, not -")
    readings = list(read_record(asked.source, asked.game))
    for each in readings:
        if not each.game.deals:
            raise UserError(f"{asked.source.name}: game {each.game.number} has no deals")
    walker = Walker([_player(asked, each) for each in readings], asked.seat or "", asked.deal)
    errors = walker.play.errors
    for each in readings[1:]:
        report = replay_game(each.game, each.game.number, rules=asked.override)
        errors += sum(finding.severity == "error" for finding in report.findings)
    session.found(wrong=errors > 0)
    if not sys.stdin.isatty() or not session.out.isatty() or not _on_screen(session, walker):
        _plain(session, walker)
    session.show([errors_row(errors)] if errors else [])


def _on_screen(session: Session, walker: Walker) -> bool:
    """Run the stepper of the extra `tui`; return whether it is installed."""
    if find_spec("textual") is None:
        from canasta_notation.cli.installing import how_to_install

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
        line = session.read_line()
        shown = answer(walker, session.look, line) if line else None


def legal(
    path: RecordPath,
    turn: Annotated[
        int,
        typer.Option(
            "--turn", min=1, help="The turn, from 1, or one more than the last: the turn due next."
        ),
    ],
    deal: DealNumber = None,
    game: Annotated[int, typer.Option("--game", min=1, help="The game in the file, from 1.")] = 1,
    rules: RulesText = None,
    json: Json = False,
    no_color: NoColour = False,
) -> None:
    """Show what a player could legally have done at a turn.

    First, it lists how the turn could begin, then what could follow the recorded draw or take.
    Plays that differ only in suits are listed once: a discard stands for every card of its rank.
    The exit code does not depend on what was played; `canasta validate` judges that.
    """
    from canasta_notation.render.legal_rows import legal_rows
    from canasta_notation.report.plays import legal_json

    with Session(no_colour=no_color) as session:
        source = one_source(path)
        choices = _choices_at(source, game, deal, turn, read_rules(rules))
        if json:
            session.write_json(legal_json(choices))
        else:
            session.show(legal_rows(choices, session.look))


def _choices_at(
    source: Source, number: int, deal: int | None, turn: int, override: Profile | None
) -> Choices:
    """Return what could be played at the turn asked for. Raises UserError."""
    from canasta_notation.report.plays import find_choices

    [reading] = read_record(source, number)
    game = reading.game
    profile = judging_rules(source.name, reading, number, override)
    deal = the_deal(deal, source.name, number, len(game.deals))
    choices = find_choices(source.name, game, number, deal, turn, profile)
    if choices is None:
        turns = game.deals[deal - 1].turns
        why = f"it has {turns}" if turn > turns + 1 else "the play before it cannot be checked"
        raise UserError(f"{source.name}: deal {deal} has no turn {turn}; {why}")
    return choices
