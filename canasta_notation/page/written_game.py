"""A game as text: what a page shows without its script, and in print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from canasta_notation.english import count
from canasta_notation.findings import Finding, RuleRef
from canasta_notation.notation.document import PenaltyLine
from canasta_notation.page.chances import could_have
from canasta_notation.page.chart import chart, has_turns, legend, side_name
from canasta_notation.page.markup import card_names, html, points, prose, row_html, row_text
from canasta_notation.page.story import Story
from canasta_notation.render.paint import Look
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.score_card import deal_title
from canasta_notation.report.ledger import Earned, ItemRow, SideLedger
from canasta_notation.report.played import PlayedDeal, PlayedTurn

#: In rows of words, each card is a run of its own, as the notation spells it.
_LOOK: Final = Look(colour=False)
#: The most characters of a name that are shown on the table, and at each turn.
_NAME: Final = 24
_LONG_NAME: Final = 80
_CHART_NOTE: Final = (
    '<p class="chart-note">At each turn, the lines show what the totals would be if the deal ended '
    "there.</p>"
)
_MONTHS: Final = (
    "January February March April May June July August September October November December"
)


def game_section(game: Story, place: int, *, alone: bool) -> str:
    """Return a game with all its deals; `place` is its number on the page.

    For a game that is `alone` on the page, the page has its title.
    """
    head = "<h2>Scores and turns</h2>"
    if not alone:
        head = f'<h2>{html(game_title(game))}</h2><p class="about">{html(about(game))}</p>'
    play = game.play
    deals = "".join(_deal(game, deal, place) for deal in play.deals)
    comments = play.said(*play.game.tags) + (() if play.seat else play.game.comments)
    findings = (*play.early, *play.late)
    drawing = chart(game)
    note = _CHART_NOTE if has_turns(game) else ""
    shown = f'<ul class="legend">{legend(game)}</ul>{drawing}{note}' if drawing else ""
    return (
        f'<section class="game" id="game={place}">{head}<p>{html(result(game))}</p>'
        f"{_comments(comments)}{_findings(findings, game)}{shown}{deals}</section>"
    )


def game_title(game: Story) -> str:
    """Return the title of a game: its event and round, or its file."""
    names = [game.tag("Event"), f"round {game.tag('Round')}" if game.tag("Round") else ""]
    return ", ".join(filter(None, names)) or f"{game.play.file}, game {game.play.report.game}"


def about(game: Story) -> str:
    """Return where and when a game was played, its rules, house rules in words, and the view."""
    words = [game.tag("Site"), day(game.tag("Date"))]
    words.append(f"rules {game.play.report.rules_text}")
    words += map(game.play.profile.sentence, game.play.profile.overridden)
    words += [f"as {game.play.seat} sees it"] if game.play.seat else []
    return " · ".join(filter(None, words))


def day(text: str) -> str:
    """Return a date in words; a date with unknown digits stays as it is written."""
    try:
        known = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{known.day} {_MONTHS.split()[known.month - 1]} {known.year}"


def result(game: Story) -> str:
    """Return the totals, the winner and, except in a seat's view, the verdict."""
    outcome = game.play.report.result
    totals = ", ".join(f"{side} {points(total)}" for side, total in outcome.totals.items())
    state = f"{outcome.winner} won" if outcome.winner else "Unfinished"
    state = "Result not known" if outcome.finished is None else state
    claimed = "" if outcome.agrees else f" The record claims {outcome.claimed}."
    verdict = "" if game.play.seat else f" {_verdict(game)}{claimed}"
    return f"{state}: {totals or '?'}.{verdict}"


def _verdict(game: Story) -> str:
    why = {
        "verified": "no errors",
        "contradicted": count(game.play.errors, "error"),
        "undetermined": "not everything can be checked",
    }
    return f"The record is {game.play.report.verdict}: {why[game.play.report.verdict]}."


def player(game: Story, seat: str, most: int = _NAME) -> str:
    """Return a player's name, cut to `most` characters, or the seat."""
    name = game.tag(seat).strip()
    if not name:
        return seat
    return name if len(name) <= most else name[: most - 1] + "…"


def _deal(game: Story, deal: PlayedDeal, place: int) -> str:
    title = deal_title(deal.report).partition(": ")
    written, said = deal.written, game.play.said
    dealer = f", dealer {written.dealer}" if written.dealer else ""
    early = said(written)
    for line in written.hands:
        early += said(line)[: len(line.before)]
        early += tuple(f"{line.seat}: {each}" for each in said(line)[len(line.before) :])
    early += said(written.up)
    rulings = "".join(f"<i>{html(_ruling(each))}</i>" for each in deal.rulings)
    early += said(*deal.rulings)
    late = said(written.end, *written.end_lines, *written.scores, written.total)
    findings = (*deal.early, *deal.late)
    turns = "".join(_turn(game, turn) for turn in deal.turns)
    listed = f'<ol class="turns">{turns}</ol>' if turns else ""
    return (
        f'<section class="deal" id="game={place}&amp;deal={deal.number}">'
        f"<h3>Deal {deal.number} <small>{html(title[2] + dealer)}</small></h3>"
        f"{rulings}{_comments(early)}{_findings(findings, game)}"
        f"{listed}{_comments(late)}{_score_cards(game, deal)}</section>"
    )


def _turn(game: Story, turn: PlayedTurn) -> str:
    play, seat = game.play, turn.line.seat
    side = play.profile.side_of(seat)
    own = play.seat in ("", seat)
    missed = could_have(turn, side, game.chances.of(turn)) if own else ()
    shown = turn_words(turn.line, turn.before, turn.after, side, _LOOK)
    words = row_html(shown, hide=not play.seat)
    could = "".join(f"<em>Could have {html(row_text(each))}</em>" for each in missed)
    rulings = "".join(f"<i>{html(_ruling(each))}</i>" for each in turn.rulings)
    said = _comments(play.said(turn.line, *turn.rulings))
    said += _findings(turn.findings, game, "data-code")
    return f"<li><b>{html(player(game, seat, _LONG_NAME))}</b> {words}{rulings}{said}{could}"


def _ruling(line: PenaltyLine) -> str:
    return f"Penalty for {line.side}: {count(line.points, 'point')} ({line.word})"


def _comments(comments: Iterable[str]) -> str:
    return "".join(f"<q>{html(each)}</q>" for each in comments)


def _findings(findings: Iterable[Finding], game: Story, name: str = "data-finding") -> str:
    return "".join(_finding(each, game.play.lines, name) for each in findings)


def _finding(finding: Finding, lines: Mapping[int, str], name: str) -> str:
    """Return a finding; `lines` are the record's lines by number.

    `name` is the attribute for the code; findings that are shown a second time have another one.
    """
    rule = f"<small>Rule: {_rule(finding.rule)}</small>" if finding.rule else ""
    advice = "" if finding.acknowledged else finding.help
    remedy = f"<small>Remedy: {prose(advice)}</small>" if advice else ""
    acknowledged = " (acknowledged)" if finding.acknowledged else ""
    line = lines.get(finding.span.line)
    excerpt = f"<code class=source>{html(line.strip())}</code>" if line and line.strip() else ""
    return (
        f'<div class="finding {finding.severity}" {name}="{html(finding.code)}">'
        f"<b>{finding.severity}: {html(finding.code)}{acknowledged}</b> "
        f"{prose(finding.message)}{excerpt}{rule}{remedy}</div>"
    )


def _rule(rule: RuleRef) -> str:
    value = rule.value
    shown = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    if isinstance(value, list | tuple):
        shown = ",".join(map(str, value)) or "none"
    return f"{prose(rule.sentence)} ({html(rule.key)}={html(str(shown))}, {html(rule.source)})"


# --- score cards ----------------------------------------------------------------------------------


def _score_cards(game: Story, deal: PlayedDeal) -> str:
    """Return the score card of every side of a deal."""
    ledger = game.ledger.deals[deal.number - 1]
    cards = "".join(_card(game, side) for side in ledger.sides)
    return f'<div class="scores">{cards}</div>' if cards else "<p>Not replayed.</p>"


def _card(game: Story, side: SideLedger) -> str:
    claims = any(item.claimed is not None for item in side.rows)
    claimed = "<th>Claimed" if claims else ""
    rows = "".join(_row(item, claims=claims) for item in side.rows)
    return (
        f"<table class=score><caption>{html(side_name(game, side.side))}</caption>"
        f"<thead><tr><th>Item<th>Points{claimed}</thead>{rows}</table>"
    )


def _row(item: ItemRow, *, claims: bool) -> str:
    kinds = ["sum"] if item.item in ("score", "total") else []
    kinds += ["false"] if item.agrees is False else []
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    lines = "<br>".join(_earned(item))
    earned = f"<small>{lines}</small>" if lines else ""
    claimed = ""
    if claims:
        mark = "<b> false</b>" if item.agrees is False else ""
        claimed = f"<td>{'' if item.claimed is None else points(item.claimed)}{mark}"
    return f"<tr{kind}><th>{html(item.item)}{earned}<td>{_points(item)}{claimed}"


def _points(item: ItemRow) -> str:
    if item.at_least is not None and item.at_most is not None:
        return f"{points(item.at_least)} to {points(item.at_most)}"
    return points(item.computed if item.summed is None else item.summed)


def _earned(item: ItemRow) -> Iterator[str]:
    """Yield a line for each thing that earns points; if there are several, with the points."""
    for each in item.earned:
        figure = f": {points(each.points)}" if len(item.earned) > 1 else ""
        yield f"{html(_what(each))}{figure}"


def _what(earned: Earned) -> str:
    return " ".join(filter(None, (earned.what, card_names(earned.cards))))
