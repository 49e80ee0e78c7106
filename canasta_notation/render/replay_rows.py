"""A replay as people read it: the whole game in brief, or turns with the table after each."""

from __future__ import annotations

from collections.abc import Iterable

from canasta_notation.cards import UNKNOWN
from canasta_notation.engine.state import State
from canasta_notation.english import count, figure
from canasta_notation.findings import Finding
from canasta_notation.names import distinct_name, name_at, seat_and_player
from canasta_notation.notation.document import BonusLine, Deal, Line, Ruling
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import (
    Look,
    Rows,
    Run,
    card_row,
    clip,
    indented,
    padded,
    row,
    width,
    wrap_row,
)
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.score_card import (
    deal_title,
    errors_row,
    heading,
    player_rows,
    result_rows,
    start_words,
    stop_words,
)
from canasta_notation.render.table_rows import (
    end_table_rows,
    hand_row,
    packet_name,
    packet_row,
    status_rows,
    table_rows,
)
from canasta_notation.replay.game_report import DealReport
from canasta_notation.report.played import Played, PlayedDeal, PlayedTurn

_NAME = 8


def game_head(play: Played, look: Look) -> Rows:
    """Return the game's title (rules, event, players) and the comments about the game."""
    game, report = play.game, play.report
    tags = [game.tag(name) for name in ("Event", "Site", "Date")]
    occasion = ", ".join(tag.value for tag in tags if tag is not None)
    rows = heading(play.file, report, f"rules {report.rules_text}", look)
    rows += wrap_row(row(occasion), look.width) if occasion else []
    rows += player_rows(play.names, look)
    if play.seat:
        rows.append(row(Run(f"as {play.seat} sees it", "note")))
    rows += _comments(play.said(*game.tags), look)
    return rows + located_rows(play, play.early, look)


def game_rows(play: Played, look: Look, deal: int | None = None) -> Rows:
    """Return the play of a game, or of one deal (from 1), in a few lines per turn."""
    rows = game_head(play, look)
    for each in play.deals:
        if deal in (None, each.number):
            rows.append(row())
            rows += _deal_head(play, each, look)
            rows += _ruling_rows(play, each.rulings, look)
            for turn in each.turns:
                rows += _turn_rows(play, turn, look)
            rows += _deal_end(play, each, look)
    if deal is None:
        rows += [row(), *result_rows(play.report)]
        rows += _comments(() if play.seat else play.game.comments, look)
        rows += located_rows(play, play.late, look)
    if play.errors and (deal is not None or play.seat):
        rows += [row(), errors_row(play.errors)]
    return rows


def _deal_head(play: Played, deal: PlayedDeal, look: Look) -> Rows:
    written, report, state = deal.written, deal.report, deal.setup
    dealer = f", dealer {written.dealer}" if written.dealer else ""
    above, beside = _split(play, written)
    rows = _comments(above, look)
    rows.append(row(Run(f"deal {deal.number}{dealer}", "strong")))
    rows += _comments(beside, look)
    if state is not None and report.final:
        rows.append(row("  " + start_words(report)))
        rows += end_table_rows(state, play.seats, play.sides, play.names_at(deal.number), look)
    elif state is not None and not report.sheet:
        rows += _dealt_rows(play, written, state, look)
    return rows + located_rows(play, deal.early, look)


def _split(play: Played, line: Deal | Line) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the comments above a line, and the one on it."""
    said = play.said(line)
    return said[: len(line.before)], said[len(line.before) :]


def _dealt_rows(play: Played, deal: Deal, state: State, look: Look) -> Rows:
    rows: Rows = []
    names = play.names_at(deal.number)
    for place, seat in enumerate(play.seats):
        name = clip(names.get(seat, ""), _NAME, look)
        head = padded(row(f"  {seat} {name}"), _NAME + 5)
        rows += indented(wrap_row(hand_row(state, place, look), look.width - 13), head)
        lines = [line for line in deal.hands if line.seat == seat]
        rows += _comments(play.said(*lines), look, _NAME + 5)
    for packet in state.packets:
        if set(packet.cards) != {UNKNOWN}:
            head = padded(row(f"  {packet_name(packet, play.seats)}"), _NAME + 5)
            rows += indented(wrap_row(packet_row(packet, look), look.width - 13), head)
    rows += _comments(play.said(*deal.packets), look, _NAME + 5)
    if deal.up:
        rows.append([*row(f"  {'up':<{_NAME + 3}}"), *card_row(deal.up.cards, look)])
        rows += _comments(play.said(deal.up), look, _NAME + 5)
    return rows


def _ruling_rows(play: Played, rulings: Iterable[Ruling], look: Look) -> Rows:
    """Return penalties and bonuses with their comments."""
    rows: Rows = []
    for line in rulings:
        above, beside = _split(play, line)
        rows += _comments(above, look)
        rows.append(row(f"     {ruling_words(line)}"))
        rows += _comments(beside, look, 8)
    return rows


def ruling_words(line: Ruling) -> str:
    """Return a penalty or a bonus in words."""
    kind = "bonus" if isinstance(line, BonusLine) else "penalty"
    return f"{kind} for {line.side}: {count(line.points, 'point')} ({line.word})"


def _comments(comments: Iterable[str], look: Look, indent: int = 2) -> Rows:
    """Return comments, indented."""
    rows: Rows = []
    for comment in comments:
        lines = wrap_row(row(Run(f"; {comment}", "dim")), look.width - indent)
        rows += indented(lines, [Run(" " * indent)])
    return rows


def _turn_rows(play: Played, turn: PlayedTurn, look: Look) -> Rows:
    """Return a turn, the penalties that follow it, and the table after them."""
    line = turn.line
    place = play.seats.index(line.seat)
    words = turn_words(line, turn.before, turn.after, play.profile.side_of(line.seat), look)
    names = play.names_at(turn.deal)
    players = {seat: clip(name_at(seat, names), _NAME, look) for seat in play.seats}
    players = {seat: distinct_name(seat, players) for seat in players}
    widest = max(map(width, players.values()))
    named = padded([Run(players[line.seat], "strong")], widest)
    head = [*row(f"{turn.turn:>3}  "), *named, *row("  ")]
    above, beside = _split(play, line)
    rows = _comments(above, look)
    rows += indented(wrap_row(words, look.width - 7 - widest), head)
    rows += _comments(beside, look, 8)
    rows += _ruling_rows(play, turn.rulings, look)
    inner = Look(look.width - 8, look.colour, look.unicode)
    rows += indented(status_rows(turn.after, play.sides, place, inner), [Run(" " * 8)])
    return rows + located_rows(play, turn.findings, look)


def located_rows(play: Played, findings: Iterable[Finding], look: Look, indent: int = 4) -> Rows:
    """Return the blocks of findings, indented below what they concern."""
    narrow = Look(look.width - indent, look.colour, look.unicode)
    rows: Rows = []
    for finding in findings:
        text = play.lines.get(finding.span.line)
        rows += finding_block(play.file, play.report.rules, finding, text, narrow)
    return indented(rows, [Run(" " * indent)])


def _deal_end(play: Played, deal: PlayedDeal, look: Look) -> Rows:
    written = deal.written
    rows = _comments(play.said(written.end), look)
    rows.append(row(Run("  " + deal_title(deal.report, play.names_at(deal.number)), "strong")))
    rows += [*stop_rows(deal), *side_scores(deal.report)]
    rows += _comments(play.said(*written.end_lines, *written.scores, written.total), look)
    return rows + located_rows(play, deal.late, look)


def stop_rows(deal: PlayedDeal) -> Rows:
    """Return at which turn the replay of a deal stops; nothing if it does not."""
    stopped = deal.last < deal.report.turns
    return [row(Run("  " + stop_words(deal.number, deal.last), "note"))] if stopped else []


def side_scores(report: DealReport) -> Rows:
    """Return each side's score of a deal that is over; on a score sheet, what it shows."""
    if not (report.how or report.sheet):
        return []
    rows: Rows = []
    for side in report.sides:
        rows.append(row(f"  {side.side:<4} {figure(side.scored):>6}   total {figure(side.total)}"))
    return rows


# --- one turn, with the table -------------------------------------------------------------------


def turn_page(play: Played, turn: PlayedTurn, look: Look) -> Rows:
    """Return one turn in words and the whole table after it and the penalties that follow it."""
    line, names = turn.line, play.names_at(turn.deal)
    player = seat_and_player(line.seat, names)
    last = play.report.deals[turn.deal - 1].turns
    title = f"deal {turn.deal}, turn {turn.turn} of {last}: {player}"
    above, beside = _split(play, line)
    rows = [row(Run(title, "strong")), *_comments(above, look)]
    words = turn_words(line, turn.before, turn.after, play.profile.side_of(line.seat), look)
    rows += indented(wrap_row(words, look.width - 2), [Run("  ")])
    rows += [*_comments(beside, look), *_ruling_rows(play, turn.rulings, look)]
    rows += [row(), *table_rows(turn.after, play.seats, play.sides, names, look)]
    return rows + located_rows(play, turn.findings, look)
