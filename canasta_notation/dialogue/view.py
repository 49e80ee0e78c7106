"""What a recorder shows around its prompt: toolbar, hands, scores, the last turns, its help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from canasta_notation.english import bounds, figure, listed
from canasta_notation.findings import Finding
from canasta_notation.recorder.known import known_of
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.standing import Standing, result_of
from canasta_notation.render.excerpt import players_block
from canasta_notation.render.paint import Look, Rows, Run, clip, indented, legend, row, wrap_row
from canasta_notation.render.table_rows import hand_row, pile_row, side_row, table_rows
from canasta_notation.rules import entry

HELP: Final = (
    ("+ -4s", "a turn: an unseen card drawn, the four of spades discarded"),
    ("+5h K:KsKd2c -9s", "drew the five of hearts, melded two kings with a two, discarded"),
    ("^ 9:99 -K", "took the pile, melded its nine with two nines, discarded a king"),
    ("+ 777 KK2 -4", "the labels of melds may be left out if the cards show the rank"),
    ("+3h + -4s", "drew a red three, laid it down and drew an unseen card in its place"),
    ("+ ask=yes 44 -K", "asked the partner for permission to go out; the answer was yes"),
    ("+ back AAA2 -4s", "laid three aces and a two, and took them back"),
    ("N: 4s 5d ...", "cards known to be in N's hand, before the first turn or later"),
    ("up 9h", "the card turned up (before the first turn, 9h alone is enough)"),
    ("penalty EW 50 upcard", "points taken from a side, and one word that says why"),
    ("bonus NS 100 cut", "points given to a side, and one word that says why"),
    ("end stock, end out N", "how the deal ended, if the turns do not show it"),
    ("unfinished", "the deal was broken off, and the game with it"),
    ("void, time", "the deal counts nothing: it is dealt again, or time has run out"),
    ("undo, undo 3", "take back the last entry, or several"),
    ("edit 12, edit 12 + -4s", "correct turn 12; also edit up, edit N: (a hand)"),
    ("insert 12 + -4s", "put a forgotten turn before turn 12"),
    ("edit dealer, edit rules", "correct these; also event, date, target, name N (a player)"),
    ("edit 1.dealer S", "correct the first dealer later"),
    ("edit 3.name N Zoe", "from deal 3 on, Zoe plays in place of N's player"),
    ("deal 2 dealer W", "begin deal 2, which was dealt out of turn"),
    ("edit left N, edit end", "correct these; also melds NS, threes NS, score NS"),
    ("note TEXT", "add a comment to the last line"),
    ("table, hands, score, turns", "show the table, the known cards, the scores, the turns"),
    ("save PATH", "write the record to another file and continue there"),
    ("?", "show this help"),
    ("quit", "leave; canasta record continues from here"),
)
#: How to write cards, for players who have not read the reference.
CARDS: Final = (
    "Cards: A K Q J T (or 10) 9 to 2, then s, h, d or c for the suit if it is known. "
    "* is a joker, _ an unknown card, 3r a red three, 3b a black three."
)
#: The same in short, for a single card.
CARD: Final = "a card is its rank, then h, d, c or s for its suit, for example 9h"
#: How to write scores.
SCORES: Final = (
    "A score is the points of this deal alone, not the total. A score below zero begins with a "
    "minus sign: -130. Its items may follow: 865 = melds 365 natural 500."
)
#: What can be typed at any question about a deal.
ALWAYS: Final = (
    "undo takes back the last entry, edit corrects an earlier one, table and turns show the deal, "
    "and quit leaves."
)
EDIT_HELP: Final = (
    "edit 12 (a turn), edit 2.12 (of deal 2), edit up, edit N: (a hand), edit end, edit left N, "
    "edit melds NS, edit threes NS, edit score NS, edit dealer, edit rules, edit event, edit date, "
    "edit target, edit name N (a player), edit 3.name N (the player from deal 3 on); on a score "
    "pad, edit 2 NS (a row)"
)
_TURNS: Final = 5


def help_rows(
    hint: str, how: Iterable[str], examples: Iterable[tuple[str, str]], seat: str, look: Look
) -> Rows:
    """Return a question, how to answer it, and examples of what can be typed, some with a seat."""
    rows = wrap_row(row(Run(hint, "strong")), look.width)
    for sentence in how:
        rows += wrap_row(row(sentence), look.width)
    return rows + legend(
        [(typed.format(seat=seat), about.format(seat=seat)) for typed, about in examples], look
    )


def finding_rows(proposal: Proposal, look: Look) -> Rows:
    """Return the findings of an entry in players' words, with what is known of the hand."""
    rows: Rows = []
    causes = [finding for finding in proposal.findings if finding.follows is None]
    for finding in causes or proposal.findings:
        line = proposal.excerpts.get(finding.span.line)
        rows += players_block(finding, line, look, known_of(proposal, finding))
    return rows


def deal_rows(standing: Standing, look: Look) -> Rows:
    """Return the errors of the last deal in players' words."""
    report = standing.deal_report
    rows: Rows = []
    for finding in report.findings if report else ():
        if finding.severity == "error" and finding.follows is None:
            rows += players_block(finding, standing.line_text(finding.span.line), look)
    return rows


def problem_rows(finding: Finding, look: Look) -> Rows:
    """Return one finding about an answer that is not on any line yet."""
    return players_block(finding, None, look)


def toolbar_rows(standing: Standing, look: Look) -> Rows:
    """Return the pile and the stock, then for each side its opening minimum and its melds."""
    state = standing.state()
    if standing.phase in ("deal", "over") or state is None:
        return totals_rows(standing, look)
    sides = standing.rules.sides
    first = [Run("pile "), *pile_row(state, sides, look)]
    first += row(f" | stock {bounds(*state.stock)}")
    return [first, *(side_row(name, state.sides[at]) for at, name in enumerate(sides))]


def totals_rows(standing: Standing, look: Look) -> Rows:
    """Return the deal that is due, with each side's total and opening minimum, or who has won.

    While a deal is being scored, these are that deal and the totals before it.
    """
    totals, dealer = standing.totals(), standing.dealer_due
    if standing.phase == "over":
        return wrap_row(row(outcome(standing)), look.width)
    if standing.phase == "scores" and standing.deal:
        before = standing.report.deals[-2].sides if len(standing.report.deals) > 1 else ()
        dealer = standing.deal.dealer
        totals = {side.side: side.total for side in before} or dict.fromkeys(totals, 0)
    minimum, number = standing.rules.minimum, standing.deal_due
    text = ", ".join(
        f"{side} {figure(total)} (needs {figure(minimum(total, number))} to open)"
        for side, total in totals.items()
    )
    return wrap_row(row(f"deal {number}, dealer {dealer or '?'}: {text}"), look.width)


def table_page(standing: Standing, look: Look) -> Rows:
    """Return the whole table."""
    state = standing.state()
    if state is None:
        return [row("no deal has begun")]
    rules = standing.rules
    called = standing.names
    return table_rows(state, rules.seats, rules.sides, called, look)


def outcome(standing: Standing) -> str:
    """Return who has won a game that is over, or that it was broken off."""
    result = standing.report.result
    if standing.broken_off and not result.finished:
        return f"deal {standing.deal_due} was broken off: the game has no winner"
    winner = named(standing, result.winner or "")
    won = f"{winner} has won" if winner else "nobody has won"
    return f"the game is over: {won} ({result_of(standing)})"


def named(standing: Standing, who: str) -> str:
    """Return a seat or a side with the names of its players."""
    called = standing.names
    players = [called[seat] for seat in who if seat in called] if who.isupper() else []
    return f"{who} ({listed(players)})" if players else who


def why_rows(proposal: Proposal, look: Look) -> Rows:
    """Return why an entry breaks rules, and what can be done about it."""
    rows: Rows = []
    for code in dict.fromkeys(finding.code for finding in proposal.errors):
        about = entry(code)
        rows += wrap_row(row(f"{about.what} {about.why} {about.remedy}"), look.width)
    return rows


def hands_rows(standing: Standing, look: Look) -> Rows:
    """Return what is known of each hand."""
    state = standing.state()
    if state is None:
        return [row("no deal has begun")]
    called = standing.names
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
            text += f"; {figure(state.sides[at].points)} for this deal if it ended now"
        rows.append(row(Run(f"  {side:<4}", "strong"), text))
    return rows


def turn_rows(standing: Standing, most: int = _TURNS) -> Rows:
    """Return the last lines of the deal."""
    deal = standing.deal
    if deal is None:
        return []
    first = deal.span.line - standing.place.first_line
    lines = [line for line in standing.lines[first:] if line.strip()]
    return [row(Run(f"  {line}", "dim")) for line in lines[-most:]]


def card_rows(standing: Standing, look: Look) -> Rows:
    """Return the score card of the last deal."""
    from canasta_notation.render.score_card import deal_card
    from canasta_notation.report.ledger import audit_game

    ledger = audit_game(standing.reading, standing.place.games + 1)
    return deal_card(ledger.deals[-1], standing.names, look)


def record_rows(lines: Iterable[str]) -> Rows:
    """Return lines of a record as they are shown: indented."""
    return indented([row(Run(text, "dim")) for text in lines], [Run("  ")])
