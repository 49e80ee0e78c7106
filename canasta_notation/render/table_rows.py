"""The table as rows: sides with their melds, hands, pile and stock; or each side in one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from canasta_notation.cards import BARE, LABELS, TEXT, UNKNOWN
from canasta_notation.engine.state import MeldState, PacketState, SideState, State
from canasta_notation.english import bounds, count, figure, listed, meld_name, minimum_words
from canasta_notation.names import seat_and_player
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    card,
    card_row,
    clip,
    columns,
    indented,
    padded,
    row,
    row_width,
    wrap_parts,
    wrap_row,
)

#: Cells before the hands, the pile and the stock.
_LABEL = 12
_INDENT = 2
#: Cells of a rank's name; none is longer.
_NAMES = len("threes")


def table_rows(
    state: State, seats: str, sides: tuple[str, ...], names: Mapping[str, str], look: Look
) -> Rows:
    """Return the whole table; `names` are the players' names by seat."""
    rows = [*end_table_rows(state, seats, sides, names, look), row()]
    rows += _labelled("pile", pile_row(state, sides, look), look)
    if len(state.pile) > 1:
        rows += _labelled("", card_row(state.pile, look), look)
    rows += _labelled("stock", row(stock_words(state)), look)
    return rows


def end_table_rows(
    state: State, seats: str, sides: tuple[str, ...], names: Mapping[str, str], look: Look
) -> Rows:
    """Return the table without its pile and stock, which a final table does not show."""
    rows: Rows = []
    for name, side in zip(sides, state.sides, strict=True):
        rows += _side(name, side, look, over=bool(state.ended))
    rows.append(row())
    for place, seat in enumerate(seats):
        rows += _hand(state, place, seat_and_player(seat, names), state.due == place, look)
    for packet in state.packets:
        cells = [*row(f"{len(packet.cards):>2}  "), *packet_row(packet, look)]
        rows += _labelled(packet_name(packet, seats), cells, look)
    return rows


def _labelled(label: str, cells: Row, look: Look, style: str = "dim") -> Rows:
    head = [Run(" " * _INDENT), *padded(row(Run(label, style)), _LABEL)]
    return indented(wrap_row(cells, look.width - _LABEL - _INDENT), head)


# --- sides --------------------------------------------------------------------------------------


def _side(name: str, side: SideState, look: Look, *, over: bool) -> Rows:
    """Return a side's figures and melds; if the deal is `over`, the total is the one before it."""
    head = [row(f"{'total before' if over else 'total'} {figure(side.total)}")]
    if side.opened and not over:
        head.append(row("has opened"))
    if side.points is not None:
        head.append(row(f"this deal {side.points}"))
    if side.penalty:
        head.append(row(f"penalties {side.penalty}"))
    if side.bonus:
        head.append(row(f"bonuses {side.bonus}"))
    line: Row = [Run(" " * _INDENT), *row(Run(f"{name:<{_LABEL}}", "strong"))]
    for at, cells in enumerate(head):
        line += [Run(", ")] if at else []
        line += cells
    rows = wrap_row(line, look.width)
    melds = columns([[row(), *_meld(meld)] for meld in side.melds], indent=_LABEL)
    if any(row_width(meld) > look.width for meld in melds):
        melds = columns([[row(), *_short_meld(meld)] for meld in side.melds], indent=_LABEL)
    rows += melds
    if side.threes:
        blank = [Run(" " * (_LABEL + _INDENT))]
        rows.append([*blank, Run("threes  "), *card_row(side.threes, look)])
    return rows


def _meld(meld: MeldState) -> list[Row]:
    """Return the cells of a meld: rank, number of cards, kinds of cards, kind of canasta."""
    parts = [
        (meld.naturals, "natural"),
        (meld.twos, "two" if meld.twos == 1 else "twos"),
        (meld.jokers, "joker" if meld.jokers == 1 else "jokers"),
        (meld.unknown, "not written"),
    ]
    made = ", ".join(f"{number} {kind}" for number, kind in parts if number)
    kind = f"{meld.canasta} canasta" if meld.canasta else ""
    if kind and meld.concealed:
        kind += ", concealed"
    return [
        row(f"{meld_name(meld.rank).removesuffix(' cards'):<{_NAMES}}"),
        row(count(meld.size, "card")),
        row(made),
        row(Run(kind, "good")),
    ]


def _short_meld(meld: MeldState) -> list[Row]:
    """Return the cells of a meld for a narrow screen: no number, and the canasta in one word."""
    name, _, made, _ = _meld(meld)
    return [name, made, row(Run(meld.canasta, "good"))]


# --- hands, pile, stock -------------------------------------------------------------------------


def hand_size(state: State, place: int) -> str:
    """Return the number of a hand's cards, `?` for one that was not seen at the end of a deal."""
    return "?" if _not_seen(state, place) else str(state.hands[place].size)


def _not_seen(state: State, place: int) -> bool:
    """Return whether nothing is known of a hand at the end of a deal, not even its size."""
    hand = state.hands[place]
    return bool(state.ended and hand.loose and not hand.size)


def hand_row(state: State, place: int, look: Look) -> Row:
    """Return a hand's known cards and how many more it has."""
    hand = state.hands[place]
    if _not_seen(state, place):
        return row("not known")
    cells = card_row(hand.cards, look)
    more = []
    if hand.unknown:
        more.append(f"{hand.unknown} not known" if hand.cards else "not known")
    if hand.excluded:
        more.append(f"no {' '.join(TEXT[BARE[rank]] for rank in hand.excluded)}")
    if hand.loose:
        more.append(f"up to {hand.loose} more")
    if more:
        cells += row(("  + " if hand.cards else "") + ", ".join(more))
    return cells


def packet_name(packet: PacketState, seats: str) -> str:
    """Return the word of a packet, and whose it is: foot N, pot."""
    return packet.word if packet.seat is None else f"{packet.word} {seats[packet.seat]}"


def packet_row(packet: PacketState, look: Look) -> Row:
    """Return the known cards of a foot or a pot and how many more it has."""
    cells = card_row([code for code in packet.cards if code != UNKNOWN], look)
    hidden = packet.cards.count(UNKNOWN)
    if hidden:
        cells += row(f"  + {hidden} not known" if cells else "not known")
    return cells


def _hand(state: State, place: int, player: str, due: bool, look: Look) -> Rows:
    size = hand_size(state, place)
    cells = [*row(f"{size:>2}  "), *hand_row(state, place, look)]
    return _labelled(clip(player, _LABEL - 1, look), cells, look, "strong" if due else "")


def pile_row(state: State, sides: tuple[str, ...], look: Look) -> Row:
    """Return the pile's size, its top, and for whom it is frozen."""
    if not state.pile:
        return row("empty" if not state.pile_loose else f"up to {state.pile_loose}")
    size = bounds(len(state.pile), len(state.pile) + state.pile_loose)
    return [*row(f"{size}, top "), card(state.pile[-1], look), *_frozen(state, sides)]


def _frozen(state: State, sides: tuple[str, ...]) -> Iterator[Run]:
    """Yield words for a frozen pile: frozen for all, or for the sides that have not opened."""
    for verdict, words in ((True, "frozen"), (None, "may be frozen")):
        held = [side for side, each in zip(sides, state.frozen_for, strict=True) if each is verdict]
        if held:
            whom = "" if len(held) == len(sides) else f" for {listed(held)}"
            yield Run(f", {words}{whom}", "note")


def stock_words(state: State) -> str:
    """Return how many cards the stock has."""
    fewest, most = state.stock
    return bounds(fewest, most)


def status_rows(state: State, sides: tuple[str, ...], place: int, look: Look) -> Rows:
    """Return the table in a row or two: the seat's hand, the pile, the stock, the sides' points."""
    held = [f"hand {state.hands[place].size}"]
    held += [each.word for each in state.packets if each.seat == place]
    parts: list[Row] = [row(", ".join(held))]
    parts.append([Run("pile "), *pile_row(state, sides, look)])
    parts.append(row(f"stock {bounds(*state.stock)}"))
    for name, side in zip(sides, state.sides, strict=True):
        if side.points is not None:
            parts.append(row(f"{name} {side.points}"))
    rows = wrap_parts(parts, " | ", look.width)
    return [[Run(run.text, run.style or "dim") for run in each] for each in rows]


# --- a side in one row --------------------------------------------------------------------------


def side_row(name: str, side: SideState) -> Row:
    """Return a side in one row: its total, its opening minimum, each meld in one word."""
    cells = row(Run(f"{name:<3} ", "strong"), figure(side.total))
    if side.points is not None and (side.opened or side.points):
        cells += row(f" {side.points:+}")
    if not side.opened:
        cells += row(f" needs {minimum_words(side.minimum, side.raised)} to open")
    if side.threes:
        cells += row(f" 3:{len(side.threes)}")
    for meld in side.melds:
        cells += row(" ", Run(meld_word(meld), "good" if meld.canasta else ""))
    return cells


def meld_word(meld: MeldState) -> str:
    """Return a meld in one word: `K:5`, `K:5+2` with two wild cards, `K:7!` for a canasta."""
    wild = 0 if meld.canasta == "wild" else meld.twos + meld.jokers
    made = f"{meld.size - wild}+{wild}" if wild else str(meld.size)
    return f"{LABELS[meld.rank]}:{made}{'!' if meld.canasta else ''}"
