"""A replay as people read it: the whole game compactly, or turns with the table after each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from canasta_notation.cards import SIDES
from canasta_notation.engine.state import State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, Game, PenaltyLine, Turn
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import PLAIN, Look, Rows, Run, clip, indented, pad, row, wrap_row
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.score_card import deal_title, heading, result_rows
from canasta_notation.render.spell import card_row, figure
from canasta_notation.render.table import hand_row, status_row, table_rows
from canasta_notation.replay.report import DealReport, GameReport
from canasta_notation.replay.steps import Step

_NAME = 8


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as replayed: the states before and after it, and what was found in it."""

    deal: int
    turn: int
    line: Turn
    before: State
    after: State
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Playback:
    """What a replay shows is made of. `seat` is the one whose view it is, "" for all cards.

    `lines` are the record's lines by number, for the excerpts of findings.
    """

    file: str
    game: Game
    report: GameReport
    seats: str
    steps: tuple[Step, ...]
    lines: dict[int, str] = field(default_factory=dict)
    seat: str = ""
    #: What could not be read of the record's text.
    problems: tuple[Finding, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the game."""
        return SIDES[len(self.seats)]

    @property
    def names(self) -> dict[str, str]:
        """The players' names by their seats."""
        tags = ((seat, self.game.tag(seat)) for seat in self.seats)
        return {seat: tag.value for seat, tag in tags if tag is not None}

    def turns(self) -> Iterator[PlayedTurn]:
        """Yield the turns that could be replayed."""
        before: State | None = None
        for step in self.steps:
            if step.last:
                if step.line is not None and before is not None:
                    yield PlayedTurn(
                        step.deal, step.turn, step.line, before, step.state, step.findings
                    )
                before = step.state

    def side_of(self, seat: str) -> int:
        """Return the place of a seat's side."""
        return next(at for at, side in enumerate(self.sides) if seat in side)


def game_head(play: Playback) -> Rows:
    """Return the game's title: rules, event, players."""
    game, report = play.game, play.report
    tags = [game.tag(name) for name in ("Event", "Site", "Date")]
    told = ", ".join(tag.value for tag in tags if tag is not None)
    rows = heading(play.file, report, f"rules {report.rules_text}", PLAIN)
    rows += [row(told)] if told else []
    players = ", ".join(f"{seat} {name}" for seat, name in play.names.items())
    rows += [row(players)] if players else []
    if play.seat:
        rows.append(row(Run(f"as {play.seat} sees it", "note")))
    return rows + _located(play, [each for each in play.problems if each.deal is None], PLAIN)


def game_rows(play: Playback, look: Look, deal: int | None = None) -> Rows:
    """Return the play of a game, or of one deal (from 1), in a few lines a turn."""
    rows = game_head(play)
    turns = {turn.line.line: turn for turn in play.turns()}
    setups = {step.deal: step.state for step in play.steps if step.turn == 0 and step.action < 0}
    for report in play.report.deals:
        if deal in (None, report.deal):
            rows.append(row())
            rows += _deal_head(play, report, setups.get(report.deal), look)
            rows += _play_rows(play, play.game.deals[report.deal - 1], turns, look)
            rows += _deal_end(play, report, look)
    if deal is None:
        rows += [row(), *result_rows(play.report.result)]
    return rows


def _deal_head(play: Playback, report: DealReport, state: State | None, look: Look) -> Rows:
    deal = play.game.deals[report.deal - 1]
    dealer = f", dealer {deal.dealer}" if deal.dealer else ""
    rows = [*_comments(deal.before, play), row(Run(f"deal {report.deal}{dealer}", "strong"))]
    if state is None:
        return rows
    for place, seat in enumerate(play.seats):
        name = clip(play.names.get(seat, ""), _NAME, look)
        head = pad(row(f"  {seat} {name}"), _NAME + 5)
        rows += indented(wrap_row(hand_row(state, place, look), look.width - 13), head)
    if deal.up:
        rows.append([*row(f"  {'up':<{_NAME + 3}}"), *card_row(deal.up.cards, look)])
    if not play.seat:
        early = [each for each in report.findings if _in_setup(each, deal)]
        rows += _located(play, early, look)
    return rows


def _play_rows(play: Playback, deal: Deal, turns: Mapping[int, PlayedTurn], look: Look) -> Rows:
    """Return turns and rulings in their order; `turns` are those replayed, by their lines."""
    rows: Rows = []
    for line in deal.play:
        if isinstance(line, PenaltyLine):
            rows += _comments(line.before, play)
            rows.append(row(f"     penalty of {line.points} to {line.side} ({line.word})"))
        elif line.line in turns:
            rows += _turn_rows(play, turns[line.line], look)
    return rows


def _in_setup(finding: Finding, deal: Deal) -> bool:
    """Return whether a finding stands on a line before the play."""
    first = min((_line(line) for line in deal.play), default=1 << 60)
    return finding.turn is None and finding.span.line < first


def _line(line: Turn | PenaltyLine) -> int:
    return line.line if isinstance(line, Turn) else line.span.line


def _comments(comments: Iterable[str], play: Playback) -> Rows:
    return [] if play.seat else [row(Run(f"  ; {comment}", "dim")) for comment in comments]


def _turn_rows(play: Playback, turn: PlayedTurn, look: Look) -> Rows:
    line = turn.line
    place = play.seats.index(line.seat)
    words = turn_words(line, turn.before, turn.after, play.side_of(line.seat), look)
    head = row(f"{turn.turn:>3}  ", Run(line.seat, "strong"), "  ")
    rows = _comments(line.before, play)
    rows += indented(wrap_row(words, look.width - 8), head)
    if line.comment is not None:
        comment = row(Run(f"; {line.comment}", "dim"))
        rows += indented(wrap_row(comment, look.width - 8), [Run(" " * 8)])
    status = status_row(turn.after, play.sides, place, look)
    rows += indented(wrap_row(status, look.width - 8), [Run(" " * 8)])
    return rows + _located(play, turn.findings, look)


def _located(play: Playback, findings: Iterable[Finding], look: Look) -> Rows:
    """Return the blocks of findings, set in below what they concern; a seat sees its own alone."""
    narrow = Look(look.width - 4, look.colour, look.unicode)
    rows: Rows = []
    for finding in findings:
        text = play.lines.get(finding.span.line)
        rows += finding_block(play.file, play.report.rules, finding, text, narrow)
    return indented(rows, [Run("    ")])


def _deal_end(play: Playback, report: DealReport, look: Look) -> Rows:
    deal = play.game.deals[report.deal - 1]
    rows = [row(Run("  " + deal_title(report), "strong"))]
    if report.ended:
        for side in report.sides:
            rows.append(
                row(f"  {side.side:<4} {figure(side.score):>6}   total {figure(side.total)}")
            )
    if play.seat:
        return rows
    late = [each for each in report.findings if each.turn is None and not _in_setup(each, deal)]
    unread = [each for each in play.problems if each.deal == report.deal]
    return rows + _located(play, [*unread, *late], look)


# --- one turn, with the table -------------------------------------------------------------------


def turn_page(play: Playback, turn: PlayedTurn, look: Look) -> Rows:
    """Return one turn in words and the whole table after it."""
    line = turn.line
    name = play.names.get(line.seat)
    last = play.report.deals[turn.deal - 1].turns
    title = f"deal {turn.deal}, turn {turn.turn} of {last}: {line.seat}{f' {name}' if name else ''}"
    rows = [row(Run(title, "strong")), *_comments(line.before, play)]
    words = turn_words(line, turn.before, turn.after, play.side_of(line.seat), look)
    rows += indented(wrap_row(words, look.width - 2), [Run("  ")])
    if line.comment is not None:
        rows.append(row(Run(f"  ; {line.comment}", "dim")))
    rows += [row(), *table_rows(turn.after, play.seats, play.sides, play.names, look)]
    return rows + _located(play, turn.findings, look)
