"""A replay as people read it: the whole game in brief, or turns with the table after each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from canasta_notation.engine.state import State
from canasta_notation.english import figure
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal, PenaltyLine, comments_of
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import Look, Rows, Run, clip, indented, pad, row, wrap_row
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.score_card import (
    deal_title,
    errors_row,
    heading,
    result_rows,
    start_words,
    stop_words,
)
from canasta_notation.render.spell import card_row
from canasta_notation.render.table_rows import end_table_rows, hand_row, status_rows, table_rows
from canasta_notation.replay.game_report import DealReport
from canasta_notation.report.playback import Playback, PlayedTurn

_NAME = 8


def game_head(play: Playback, look: Look) -> Rows:
    """Return the game's title (rules, event, players) and the comments about the game."""
    game, report = play.game, play.report
    tags = [game.tag(name) for name in ("Event", "Site", "Date")]
    occasion = ", ".join(tag.value for tag in tags if tag is not None)
    rows = heading(play.file, report, f"rules {report.rules_text}", look)
    rows += wrap_row(row(occasion), look.width) if occasion else []
    players = ", ".join(f"{seat} {name}" for seat, name in play.names.items())
    rows += wrap_row(row(players), look.width) if players else []
    if play.seat:
        rows.append(row(Run(f"as {play.seat} sees it", "note")))
    comments = [comment for tag in game.tags for comment in comments_of(tag)]
    rows += _comments(comments, play, look)
    return rows + located_rows(play, play.outside()[0], look)


def game_rows(play: Playback, look: Look, deal: int | None = None) -> Rows:
    """Return the play of a game, or of one deal (from 1), in a few lines per turn."""
    rows = game_head(play, look)
    turns = {turn.line.line: turn for turn in play.turns()}
    setups = {step.deal: step.state for step in play.steps if step.turn == 0 and step.action < 0}
    for report in play.report.deals:
        if deal in (None, report.deal):
            written = play.game.deals[report.deal - 1]
            early, late = play.beside(report.deal)
            rows.append(row())
            rows += _deal_head(play, report, setups.get(report.deal), early, look)
            rows += _play_rows(play, written, turns, look)
            rows += _deal_end(play, report, late, look)
    if deal is None:
        rows += [row(), *result_rows(play.report.result)]
        rows += _comments(play.game.comments, play, look)
        rows += located_rows(play, play.outside()[1], look)
    if play.errors and (deal is not None or play.seat):
        rows += [row(), errors_row(play.errors)]
    return rows


def _deal_head(
    play: Playback, report: DealReport, state: State | None, early: Sequence[Finding], look: Look
) -> Rows:
    deal = play.game.deals[report.deal - 1]
    dealer = f", dealer {deal.dealer}" if deal.dealer else ""
    rows = _comments(deal.before, play, look)
    rows.append(row(Run(f"deal {report.deal}{dealer}", "strong")))
    rows += _comments([deal.comment] if deal.comment else [], play, look)
    if state is not None and report.final:
        rows.append(row("  " + start_words(report)))
        rows += end_table_rows(state, play.seats, play.sides, play.names, look)
    elif state is not None and not report.sheet:
        rows += _dealt_rows(play, deal, state, look)
    return rows + located_rows(play, early, look)


def _dealt_rows(play: Playback, deal: Deal, state: State, look: Look) -> Rows:
    rows: Rows = []
    for place, seat in enumerate(play.seats):
        name = clip(play.names.get(seat, ""), _NAME, look)
        head = pad(row(f"  {seat} {name}"), _NAME + 5)
        rows += indented(wrap_row(hand_row(state, place, look), look.width - 13), head)
        lines = [line for line in deal.hands if line.seat == seat]
        comments = [comment for line in lines for comment in comments_of(line)]
        rows += _comments(comments, play, look, _NAME + 5)
    if deal.up:
        rows.append([*row(f"  {'up':<{_NAME + 3}}"), *card_row(deal.up.cards, look)])
        rows += _comments(comments_of(deal.up), play, look, _NAME + 5)
    return rows


def _play_rows(play: Playback, deal: Deal, turns: Mapping[int, PlayedTurn], look: Look) -> Rows:
    """Return turns and penalties in order; `turns` are the replayed turns, by line."""
    rows: Rows = []
    for line in deal.play:
        if isinstance(line, PenaltyLine):
            rows += _comments(line.before, play, look)
            rows.append(row(f"     penalty of {line.points} to {line.side} ({line.word})"))
            rows += _comments([line.comment] if line.comment else [], play, look, 8)
        elif line.line in turns:
            rows += _turn_rows(play, turns[line.line], look)
    return rows


def _comments(comments: Iterable[str], play: Playback, look: Look, indent: int = 2) -> Rows:
    """Return comments, indented; none in a seat's view, because a seat does not know them."""
    rows: Rows = []
    for comment in () if play.seat else comments:
        lines = wrap_row(row(Run(f"; {comment}", "dim")), look.width - indent)
        rows += indented(lines, [Run(" " * indent)])
    return rows


def _turn_rows(play: Playback, turn: PlayedTurn, look: Look) -> Rows:
    line = turn.line
    place = play.seats.index(line.seat)
    words = turn_words(line, turn.before, turn.after, play.profile.side_of(line.seat), look)
    head = row(f"{turn.turn:>3}  ", Run(line.seat, "strong"), "  ")
    rows = _comments(line.before, play, look)
    rows += indented(wrap_row(words, look.width - 8), head)
    rows += _comments([line.comment] if line.comment else [], play, look, 8)
    inner = Look(look.width - 8, look.colour, look.unicode)
    rows += indented(status_rows(turn.after, play.sides, place, inner), [Run(" " * 8)])
    return rows + located_rows(play, turn.findings, look)


def located_rows(play: Playback, findings: Iterable[Finding], look: Look, indent: int = 4) -> Rows:
    """Return the blocks of findings, indented below what they concern."""
    narrow = Look(look.width - indent, look.colour, look.unicode)
    rows: Rows = []
    for finding in findings:
        text = play.lines.get(finding.span.line)
        rows += finding_block(play.file, play.report.rules, finding, text, narrow)
    return indented(rows, [Run(" " * indent)])


def _deal_end(play: Playback, report: DealReport, late: Sequence[Finding], look: Look) -> Rows:
    deal = play.game.deals[report.deal - 1]
    rows = _comments(comments_of(deal.end), play, look)
    rows.append(row(Run("  " + deal_title(report), "strong")))
    rows += [*stop_rows(play, report), *side_scores(report)]
    closing = (*deal.end_lines, *deal.scores, deal.total)
    rows += _comments([each for line in closing for each in comments_of(line)], play, look)
    return rows + located_rows(play, late, look)


def stop_rows(play: Playback, report: DealReport) -> Rows:
    """Return at which turn the replay of a deal stops; nothing if it does not."""
    replayed = play.replayed[report.deal]
    stopped = replayed < report.turns
    return [row(Run("  " + stop_words(report.deal, replayed), "note"))] if stopped else []


def side_scores(report: DealReport) -> Rows:
    """Return each side's score of a deal that is over; on a score sheet, the written score."""
    if not (report.ended or report.sheet):
        return []
    rows: Rows = []
    for side in report.sides:
        score = side.score if side.score is not None else side.claimed.score
        rows.append(row(f"  {side.side:<4} {figure(score):>6}   total {figure(side.total)}"))
    return rows


# --- one turn, with the table -------------------------------------------------------------------


def turn_page(play: Playback, turn: PlayedTurn, look: Look) -> Rows:
    """Return one turn in words and the whole table after it."""
    line = turn.line
    name = play.names.get(line.seat)
    last = play.report.deals[turn.deal - 1].turns
    title = f"deal {turn.deal}, turn {turn.turn} of {last}: {line.seat}{f' {name}' if name else ''}"
    rows = [row(Run(title, "strong")), *_comments(line.before, play, look)]
    words = turn_words(line, turn.before, turn.after, play.profile.side_of(line.seat), look)
    rows += indented(wrap_row(words, look.width - 2), [Run("  ")])
    rows += _comments([line.comment] if line.comment else [], play, look)
    rows += [row(), *table_rows(turn.after, play.seats, play.sides, play.names, look)]
    return rows + located_rows(play, turn.findings, look)
