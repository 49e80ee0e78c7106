"""A place in a game as rows: the turn, the table, findings and deductions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from canasta_notation.cards import BARE, RANK, TEXT
from canasta_notation.engine.state import State
from canasta_notation.english import bounds, count, figure
from canasta_notation.findings import Finding
from canasta_notation.names import seat_and_player
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    card_row,
    clip,
    indented,
    legend,
    row,
    wrap_row,
)
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.replay_rows import (
    located_rows,
    ruling_words,
    side_scores,
    stop_rows,
)
from canasta_notation.render.score_card import deal_title, start_words
from canasta_notation.render.table_rows import (
    end_table_rows,
    hand_row,
    hand_size,
    packet_name,
    packet_row,
    pile_row,
    side_row,
    table_rows,
)
from canasta_notation.report.seat_view import Deduction
from canasta_notation.report.walker import Walker

#: What each key does, for both steppers; on a screen of 50 by 15 cells, all of it can be seen.
_KEYS: Final = (
    ("Enter n", "the next turn"),
    ("b p", "the turn before"),
    ("d D", "the next deal, the previous one"),
    ("12 2.12 d2", "turn 12, turn 12 of deal 2, deal 2; then Enter"),
    ("e", "the end of this deal"),
    ("t m c f", "the next take of the pile, meld, canasta, finding"),
    ("v", "all hands, or each seat's view"),
    ("s", "the score if the deal ended now"),
    ("? q", "this help, quit"),
)
#: What keys do only on a screen, each with its place among the others.
_ON_SCREEN: Final = (
    (2, ("arrows", "the same; up, down: scroll")),
    (7, ("a + -", "automatic play, faster, slower")),
)
#: The keys that fit on the last line of a screen 60 cells wide.
HINT: Final = "? help  n next  b back  d deal  t m c f moments  q quit"
#: The words of a table with little room.
_SHORT: Final = "total, this deal, rank:natural+wild, ! for a canasta"
#: Signs that the screen shows, for its help; on a small screen, they are below the keys.
_SIGNS: Final = (
    ("4:3+1 !", "fours: 3 natural cards, 1 wild; ! a canasta"),
    ("!! ! ? ??", "the recorder: very good to very bad"),
)
#: The least width at which the list of turns is beside the page, and the width of the list.
_WIDE: Final = 116
LIST: Final = 44
_SUITED_GONE: Final = 24


def help_rows(look: Look, *, screen: bool) -> Rows:
    """Return what each key does."""
    keys = [*_KEYS]
    for at, key in _ON_SCREEN if screen else ():
        keys.insert(at, key)
    return legend([*keys, *_SIGNS], look)


def is_wide(width: int) -> bool:
    """Return whether the list of turns is beside the page on a screen `width` cells wide."""
    return width >= _WIDE


def page_look(width: int, look: Look) -> Look:
    """Return the look of the page, without margins and scroll bar, on a screen of this width."""
    return Look(width - (LIST + 6 if is_wide(width) else 4), look.colour, look.unicode)


def title_row(walker: Walker) -> Row:
    """Return the title: deal and turn, how many there are, the player, the seat of the view."""
    name = ""
    if walker.turn is not None:
        name = f": {seat_and_player(walker.turn.line.seat, _names(walker))}"
    game = f"game {walker.play.report.game}, " if len(walker.games) > 1 else ""
    view = f"  [as {walker.seat} sees it]" if walker.seat else ""
    return row(Run(f"{game}{place_words(walker)}{name}", "strong"), Run(view, "note"))


def _names(walker: Walker) -> dict[str, str]:
    """Return the names of the players of the deal."""
    return walker.play.names_at(walker.spot.deal)


def place_words(walker: Walker) -> str:
    """Return the place in words: deal and turn, and how many there are."""
    spot, report = walker.spot, walker.deal.report
    where = f"turn {spot.turn} of {report.turns}" if spot.turn else start_words(report)
    return f"deal {spot.deal} of {len(walker.play.deals)}, {where}"


def page_rows(walker: Walker, look: Look, height: int) -> Rows:
    """Return everything below the title, with the full table if there is room for it."""
    head = list(_play_rows(walker, look))
    found = [*walker.findings(), *walker.deal_findings()]
    tail = [*end_rows(walker), *deduction_rows(walker, look), *finding_rows(walker, found, look)]
    table, state = full_table(walker, look), walker.state
    if state is not None and len(head) + len(table) + len(tail) + 2 > height:
        table = list(_compact(walker, state, look))
    return [*head, row(), *table, *([row(), *tail] if tail else [])]


def full_table(walker: Walker, look: Look) -> Rows:
    """Return the whole table; nothing if there is none to show."""
    state, play = walker.state, walker.play
    if state is None:
        return []
    rows = end_table_rows if walker.deal.report.final else table_rows
    return rows(state, play.seats, play.sides, _names(walker), look)


def _play_rows(walker: Walker, look: Look) -> Iterator[Row]:
    """Yield what happened, its clock, annotations and comments."""
    turn, play = walker.turn, walker.play
    comments = play.said(turn.line if turn else walker.deal.written, *walker.rulings)
    if turn is None:
        dealer = walker.deal.written.dealer
        yield row(f"  dealer {dealer}" if dealer else "")
    else:
        line = turn.line
        side = play.profile.side_of(line.seat) if line.seat in play.seats else 0
        words = turn_words(line, turn.before, turn.after, side, look)
        yield from indented(wrap_row(words, look.width - 2), [Run("  ")])
    for ruling in walker.rulings:
        yield row(f"  {ruling_words(ruling)}")
    for comment in comments:
        yield from indented(wrap_row(row(Run(f"; {comment}", "dim")), look.width - 2), [Run("  ")])


def _compact(walker: Walker, state: State, look: Look) -> Iterator[Row]:
    """Yield the table in as few rows as possible."""
    play, names = walker.play, _names(walker)
    yield row(Run(f"  {_SHORT}", "dim"))
    for name, side in zip(play.sides, state.sides, strict=True):
        yield from _hanging(wrap_row(side_row(name, side), look.width - 6))
    yield row()
    for place, seat in enumerate(play.seats):
        due = state.due == place
        name = clip(seat_and_player(seat, names), 9, look)
        head = row(Run(f"  {name:<10}", "strong" if due else ""), f"{hand_size(state, place):>2}  ")
        yield from indented(wrap_row(hand_row(state, place, look), look.width - 16), head)
    for packet in state.packets:
        owner = packet_name(packet, play.seats)
        head = row(f"  {owner:<10}", f"{len(packet.cards):>2}  ")
        yield from indented(wrap_row(packet_row(packet, look), look.width - 16), head)
    if walker.deal.report.final:
        return
    pile = [*pile_row(state, play.sides, look), *row(f" | stock {bounds(*state.stock)}")]
    yield from indented([pile], row(f"  {'pile':<12}  "))
    if len(state.pile) > 1:
        below = card_row(state.pile, look)
        yield from indented(wrap_row(below, look.width - 16), [Run(" " * 16)])


def _hanging(rows: Rows) -> Rows:
    """Return the rows indented, all except the first by more."""
    return [[Run(" " * (6 if at else 2)), *each] for at, each in enumerate(rows)]


def end_rows(walker: Walker) -> Rows:
    """Return how the deal ended and what it was worth, if this is its last turn."""
    deal = walker.deal
    if walker.spot.turn != deal.last:
        return []
    title = row(Run(deal_title(deal.report, _names(walker)), "strong"))
    return [title, *stop_rows(deal), *side_scores(deal.report)]


def finding_rows(walker: Walker, findings: Iterable[Finding], look: Look) -> Rows:
    """Return findings as `validate` shows them."""
    return located_rows(walker.play, findings, look, indent=2)


def score_rows(walker: Walker) -> Rows:
    """Return each side's score if the deal ended now; none in a seat's view."""
    state, play = walker.state, walker.play
    if state is None:
        return []
    if walker.seat:
        return [row("a seat cannot tell what the deal is worth now: v shows all hands")]
    when = "at the end of the deal" if state.ended else "if the deal ended now"
    rows = [row(Run(when, "strong"))]
    for name, side in zip(play.sides, state.sides, strict=True):
        known = side.points is not None and side.total is not None
        total = (side.points or 0) + (side.total or 0) if known else None
        rows.append(row(f"  {name:<4} {figure(side.points):>6}   total {figure(total)}"))
    return rows


def deduction_rows(walker: Walker, look: Look) -> Rows:
    """Return what the seat can deduce about the cards that it does not see."""
    found = walker.deduction
    if found is None:
        return []
    left = " ".join(f"{_rank(rank)}:{number}" for rank, number in enumerate(found.unseen) if number)
    ranks, cards = " ".join(map(_rank, found.not_in_stock)), _gone(found, look)
    none = [
        *(row(ranks) if ranks else []),
        *([Run(", nor ")] if ranks and cards else []),
        *cards,
    ] or row("-")
    rows = [
        [Run("unseen  "), *row(left)],
        [Run("cannot be in the stock  "), *none],
    ]
    return [line for each in rows for line in _hanging(wrap_row(each, look.width - 6))]


def _rank(rank: int) -> str:
    return TEXT[BARE[rank]]


def _gone(found: Deduction, look: Look) -> Row:
    """Return the cards of which the seat can place every copy, in ranks that are not complete."""
    cards = [code for code in found.gone if RANK[code] not in found.not_in_stock]
    shown = card_row(cards[:_SUITED_GONE], look)
    more = len(cards) - _SUITED_GONE
    rest = row(f" and {count(more, 'card')} more") if more > 0 else []
    return [*shown, *rest]


def line_rows(walker: Walker, look: Look) -> Rows:
    """Return the deal's turns as rows, with the current one marked; a seat sees no later turns."""
    from canasta_notation.notation.format import format_turn

    rows: Rows = []
    known = walker.deal.turns[: walker.spot.turn if walker.seat else None]
    for turn in known:
        here = turn.turn == walker.spot.turn
        text = format_turn(turn.line)
        style = "error" if any(each.severity == "error" for each in turn.findings) else ""
        mark = "> " if here else "  "
        rows.append(row(Run(mark + clip(text, look.width - 2, look), "strong" if here else style)))
    return rows
