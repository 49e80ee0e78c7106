"""What a recorder shows beside its prompt: toolbar, hands, scores, the last turns, its help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from canasta_notation.english import bounds, figure
from canasta_notation.findings import Finding
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.compact import side_row
from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import Look, Rows, Run, clip, indented, legend, row, wrap_row
from canasta_notation.render.table_rows import hand_row, pile_row, table_rows

HELP: Final = (
    ("+ -4s", "a turn: the seat and the number may be left out; + alone is a card nobody saw"),
    ("^ 9:99 -K", "takes the pile (its top card is known), melds, discards a king"),
    ("+5h K:KsKd2c -9s", "draws, melds kings with a two, discards"),
    ("N: 4s 5d ...", "a hand, as far as it is known; before the first turn, or later"),
    ("up 9h", "the card turned up (9h alone too, before the first turn)"),
    ("penalty EW 50 upcard", "a ruling"),
    ("end stock", "the deal is over; going out ends it by itself"),
    ("undo, undo 3", "takes back the last entry, or several"),
    ("edit 12, edit 12 + -4s", "corrects turn 12 (edit up, edit N: the card up, a hand)"),
    ("note TEXT", "a comment on the last line"),
    ("table, hands, score, turns", "shows the table, what is known of hands, scores, the turns"),
    ("save PATH", "writes the record elsewhere, and goes on there"),
    ("quit", "leaves; canasta record goes on where this stopped"),
)
_TURNS: Final = 5


def help_rows(look: Look) -> Rows:
    """Return what can be typed."""
    return legend(HELP, look)


def finding_rows(name: str, proposal: Proposal, look: Look) -> Rows:
    """Return the findings of an entry, as `validate` shows them but for lines that are too long."""
    rules = proposal.before.profile.name
    rows: Rows = []
    for finding in proposal.findings:
        line = proposal.excerpts.get(finding.span.line)
        head, *block = finding_block(name, rules, finding, line, look)
        rows += [*wrap_row(head, look.width), *block]
    return rows


def problem_rows(name: str, finding: Finding, look: Look) -> Rows:
    """Return one finding of an answer, which stands on no line yet."""
    rows = [
        row(Run(f"{finding.severity}[{finding.code}]", finding.severity), ": ", finding.message)
    ]
    return rows + ([row(f"  help: {finding.help}")] if finding.help else [])


def toolbar_rows(standing: Standing, look: Look) -> Rows:
    """Return the pile and the stock, then for each side its opening minimum and its melds."""
    state = standing.state()
    if standing.phase == "deal" or state is None:
        return totals_rows(standing, look)
    sides = standing.rules.sides
    first = [Run("pile "), *pile_row(state, sides, look)]
    first += row(f" | stock {bounds(*state.stock)}")
    return [first, *(side_row(name, state.sides[at]) for at, name in enumerate(sides))]


def totals_rows(standing: Standing, look: Look) -> Rows:
    """Return the deal that is due, each side's total and what it asks of an opening."""
    text = ", ".join(
        f"{side} {figure(total)} opens with {figure(standing.minimums()[side])}"
        for side, total in standing.totals().items()
    )
    head = f"deal {standing.deal_due}, dealer {standing.dealer_due or '?'}"
    return wrap_row(row(f"{head}: {text}"), look.width)


def table_page(standing: Standing, look: Look) -> Rows:
    """Return the whole table."""
    state = standing.state()
    if state is None:
        return [row("no deal has begun")]
    rules = standing.rules
    return table_rows(state, rules.seats, rules.sides, names(standing), look)


def names(standing: Standing) -> dict[str, str]:
    """Return the players' names by their seats."""
    tags = ((seat, standing.reading.game.tag(seat)) for seat in standing.rules.seats)
    return {seat: tag.value for seat, tag in tags if tag is not None}


def hands_rows(standing: Standing, look: Look) -> Rows:
    """Return what is known of each hand."""
    state = standing.state()
    if state is None:
        return [row("no deal has begun")]
    called = names(standing)
    rows: Rows = []
    for place, seat in enumerate(standing.rules.seats):
        head = clip(f"{seat} {called.get(seat, '')}".rstrip(), 10, look)
        size = state.hands[place].size
        rows.append([*row(f"  {head:<11}{size:>2}  "), *hand_row(state, place, look)])
    return rows


def score_rows(standing: Standing) -> Rows:
    """Return the totals, and what the deal would be worth if it ended now."""
    state = standing.state()
    rows: Rows = []
    for at, (side, total) in enumerate(standing.totals().items()):
        text = f"total {figure(total)}"
        if state is not None and standing.phase == "play":
            text += f", this deal {figure(state.sides[at].points)} if it ended now"
        rows.append(row(Run(f"  {side:<4}", "strong"), text))
    return rows


def turn_rows(standing: Standing, look: Look, most: int = _TURNS) -> Rows:
    """Return the last lines of the deal."""
    deal = standing.deal
    if deal is None:
        return []
    first = deal.span.line - standing.place.first_line
    lines = [line for line in standing.lines[first:] if line.strip()]
    return [row(Run(f"  {line}", "dim")) for line in lines[-most:]]


def card_rows(name: str, standing: Standing, look: Look) -> Rows:
    """Return the score card of the last deal, with the totals after it."""
    from canasta_notation.render.score_card import game_card
    from canasta_notation.report.ledger import audit_game

    ledger = audit_game(standing.reading, standing.place.games + 1)
    return game_card(name, replace(ledger, deals=ledger.deals[-1:]), look)


def listed(rows: Iterable[str]) -> Rows:
    """Return lines set in below what they belong to."""
    return indented([row(Run(text, "dim")) for text in rows], [Run("  ")])
