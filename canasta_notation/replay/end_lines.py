"""The table at the end of a deal: its lines are compared with the play, and add to it.

A deal without a turn is recorded only by this table: a final table. The cards of its lines are laid
out on an empty table. There the engine judges the shape of the melds and the canastas that going
out needs, and scores the cards. How they were played is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, tee
from typing import Final, NamedTuple

from canasta_notation.arrays import array
from canasta_notation.cards import CODE, KINDS, UNKNOWN, meld_place
from canasta_notation.engine.actions import Lay, Take
from canasta_notation.engine.hands import add_card, empty_hand
from canasta_notation.engine.knowledge import has_room, know, leave_deck, threes_more
from canasta_notation.engine.lay import lay
from canasta_notation.engine.packets import leave_packets_open, set_packet
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import set_threes, tabled_threes
from canasta_notation.engine.stock import overdraw
from canasta_notation.engine.table import (
    BEFORE_PLAY,
    LINE,
    NO_TOTALS,
    NOT_KNOWN,
    OPEN,
    OUT,
    SPECIAL,
    STOCK,
    Table,
    Violation,
    copy_table,
)
from canasta_notation.engine.table_end import (
    Exchange,
    MeldsByPlace,
    exchange,
    is_tabled,
    judge_copies,
    judge_dealt_threes,
    open_exchanges,
    show_hand,
    show_melds,
    show_threes,
)
from canasta_notation.engine.turn import begin_turn, end_turn
from canasta_notation.english import listed
from canasta_notation.findings import Span
from canasta_notation.notation.document import (
    UNCOUNTED,
    Deal,
    LeftLine,
    MeldsLine,
    PacketLine,
    ThreesLine,
    Turn,
)
from canasta_notation.replay.meld_cards import LaidCards, add_group, false_card

_TableLine = MeldsLine | ThreesLine | LeftLine
#: A violation of a line, and its place.
Located = tuple[Violation, Span]

_CODES = {MeldsLine: "end-melds", ThreesLine: "end-threes", LeftLine: "end-hand"}
#: How many times lines of a deal are compared with a choice of the threes that hands have kept.
_MOST_TRIES: Final = 500
#: Messages of findings about melds that depend on when a card was laid, or on a turn in progress.
_IN_PLAY: Final = {
    ("meld-dead", "dead"),
    ("meld-wild-ban", "aces"),
    ("meld-wilds", "canasta"),
    ("meld-wilds", "room"),
    ("meld-wild-ban", "five"),
    ("meld-wild-ban", "unfinished"),
    ("out-canasta", "stuck"),
}


def judge_end_lines(
    table: Table,
    deal: Deal,
    laid: LaidCards,
    leave_open: Callable[[str, Span], None],
    *,
    flawless: bool,
) -> Iterator[Located]:
    """Compare the lines of the table at the end with the play, and note the cards that they show.

    `laid` are the cards that the play has melded. `flawless` says that nothing was wrong with the
    play, so that the cards left in the stock are known. Yields what is wrong; a wrong line adds
    nothing to what is known. `leave_open` gets the code and the place of a line that is only wrong
    if no choice of kept threes fits it, where not every choice was tried. Not checked: that the
    play could be followed to its end.
    """
    boards: list[MeldsByPlace] = [*laid.boards]
    all_tried = _keep_as_shown(table, deal, boards)
    sides = range(len(table.rules.sides))
    tabled = sum(len(tabled_threes(table, at)) for at in sides)
    unseen = any(threes_more(table, at) for at in sides)
    for line in deal.end_lines:
        at = _owner_of(table.rules, line)
        if at < 0:
            yield _nobody(table.rules, line)
            continue
        trial = _Way((), table, boards).showing(line, at).table
        found = trial.violations or [*_false_suits(laid, line, at)]
        if not found:
            _show(table, line, at, boards)
        elif all_tried:
            yield from _located(line, found)
        else:
            leave_open(_CODES[type(line)], line.span)
    shown = not any(threes_more(table, at) for at in sides)
    if flawless and unseen and shown and deal.threes and _stock_is_known(table, deal):
        judge_dealt_threes(table, tabled)
        found, table.violations = table.violations, []
        yield from _located(deal.threes[-1], found)


def _false_suits(laid: LaidCards, line: _TableLine, at: int) -> Iterator[Violation]:
    """Yield a violation for each meld of a line with a card that no hand can have laid on it."""
    shown: dict[int, tuple[int, ...]] = {}
    for group in line.groups if isinstance(line, MeldsLine) else ():
        add_group(shown, group)
    for rank, cards in shown.items():
        false = false_card(laid, at, rank, cards)
        if false:
            facts: dict[str, object] = {"side": at, "meld": rank}
            facts["card"], facts["card_due"] = false
            yield Violation("end-melds", "card", "", LINE, facts)


def _keep_as_shown(table: Table, deal: Deal, boards: list[MeldsByPlace]) -> bool:
    """Choose the threes that the hands kept so that they fit the lines of the table at the end.

    Each line in turn rules out the choices that contradict it, unless all remaining ones do. Return
    whether every choice that was needed was tried: at most `_MOST_TRIES` are, and only many partly
    known hands have more.
    """
    if not any(open_exchanges(table, seat) for seat in range(table.rules.players)):
        return True
    tries = iter(range(_MOST_TRIES))
    ways: Iterator[_Way] = iter([_Way((), table, boards)])
    for line in deal.end_lines:
        at = _owner_of(table.rules, line)
        if at < 0:
            continue
        ways, tried = tee(ways)
        fitting = _fitting(tried, line, at, _settled_seats(table, deal, line, at), tries)
        first = next(fitting, None)
        if first is not None:
            ways = chain([first], fitting)
    for each in next(ways).exchanges:
        exchange(table, each)
    return next(tries, None) is not None


def _fitting(
    ways: Iterator[_Way], line: _TableLine, at: int, seats: list[int], tries: Iterator[int]
) -> Iterator[_Way]:
    """Yield the ways, with every exchange by the `seats`, that a line does not contradict.

    Each way that is compared with the line takes one of the `tries`.
    """
    for way in ways:
        for each, _ in zip(way.ways(seats), tries, strict=False):
            shown = each.showing(line, at)
            if not shown.table.violations:
                yield shown


class _Way(NamedTuple):
    """A choice of the threes that hands have kept, and the table and melds that it leads to."""

    exchanges: tuple[Exchange, ...]
    table: Table
    boards: list[MeldsByPlace]

    def ways(self, seats: list[int]) -> Iterator[_Way]:
        """Yield this way, and those with further exchanges by the seats."""
        if not seats:
            yield self
            return
        yield from self.ways(seats[1:])
        for each in open_exchanges(self.table, seats[0]):
            table = copy_table(self.table)
            exchange(table, each)
            way = _Way((*self.exchanges, each), table, self.boards)
            yield from way.ways(seats[1:])

    def showing(self, line: _TableLine, at: int) -> _Way:
        """Return a copy of this way on which a line is shown.

        Its table has violations if the line cannot be true.
        """
        way = self._replace(table=copy_table(self.table), boards=list(self.boards))
        _show(way.table, line, at, way.boards)
        if not way.table.violations:
            judge_copies(way.table, way.boards)
        return way


def _settled_seats(table: Table, deal: Deal, line: _TableLine, at: int) -> list[int]:
    """Return the seats for which a line is the first to show which three they kept.

    Without a `threes` line, it is not known whether a hand that is not fully written kept a three.
    """
    side_of = list(table.rules.side_of)
    if isinstance(line, ThreesLine):
        return [seat for seat, side in enumerate(side_of) if side == at]
    if isinstance(line, MeldsLine) or not table.kept_threes[at]:
        return []
    side = table.rules.sides[side_of[at]]
    return [] if side in [each.side for each in deal.threes] else [at]


def _stock_is_known(table: Table, deal: Deal) -> bool:
    """Return whether the stock's size depends only on the threes that were dealt unseen.

    It does not if covered up cards, which may be red threes, are unwritten, or if black threes are
    tabled too, because a three may then stay in a hand.
    """
    up = deal.up.cards if deal.up else ()
    return not table.rules.black_tabled and bool(up) and UNKNOWN not in up


def _owner_of(rules: Rules, line: _TableLine) -> int:
    """Return the side or seat of a line, -1 if the game does not have it."""
    if isinstance(line, LeftLine):
        return rules.seats.find(line.seat)
    return rules.sides.index(line.side) if line.side in rules.sides else -1


def _nobody(rules: Rules, line: _TableLine) -> Located:
    """Return the violation of a line about a side or a seat that the game does not have."""
    facts: dict[str, object] = {"name": line.seat if isinstance(line, LeftLine) else line.side}
    facts["known"] = listed(rules.sides, "or")
    return Violation(_CODES[type(line)], "nobody", "players", LINE, facts), line.span


def _show(table: Table, line: _TableLine, at: int, boards: list[MeldsByPlace]) -> None:
    match line:
        case MeldsLine():
            shown: dict[int, tuple[int, ...]] = {}
            for group in line.groups:
                add_group(shown, group)
            boards[at] = show_melds(table, at, shown, boards[at])
        case ThreesLine():
            show_threes(table, at, line.cards)
        case LeftLine():
            show_hand(table, at, line.cards, rest_unknown=line.rest_unknown)


def _located(line: _TableLine, violations: list[Violation]) -> Iterator[Located]:
    """Yield the violations of a line with their places; of a meld, the place of its first group."""
    for violation in violations:
        span, meld = line.span, violation.facts.get("meld")
        if isinstance(line, MeldsLine):
            ranks = [meld_place(group.rank) for group in line.groups]
            span = _group_span(line, ranks.index(meld) if meld in ranks else -1)
        yield violation, span


# --- a final table --------------------------------------------------------------------------------


def is_of_shape(code: str) -> bool:
    """Return whether findings of a code are about melds, however these were laid."""
    return code.startswith("meld-") or code == "out-canasta"


class FinalTable:
    """The table shown by the lines of a deal without play, and what they leave open.

    It replaces the table `play`, with its totals and penalties. At first, it is not known what
    every side has melded, what every seat holds, and how many threes are tabled. Each step decides
    some of this:

        melds           each side's groups, laid in a made-up turn that the engine judges
        end             the deal is over: the hand that went out is empty, or a special hand's side
                        has no melds
        threes, left    put down as written; a hand stays open if the line says that it had more
        the rest        what no line shows is in the stock, in the pile or in an open hand

    `found` are the errors of the lines. `counted` is a second table, on which the cards of the
    lines only leave the deck; it is not knowable if the deck cannot have them.
    """

    def __init__(self, table: Table, deal: Deal) -> None:
        self.rules = rules = table.rules
        self.deal = deal
        self.table = Table(rules, table.dealer, list(table.totals), False, table.number)
        self.table.penalties = table.penalties[:]
        self.table.bonuses = table.bonuses[:]
        self.counted = Table(rules, table.dealer, NO_TOTALS, False)
        self.found: list[Located] = []
        end = deal.end
        self.reason = end.reason if end is not None else ""
        self.by = rules.seats.find(end.seat) if end is not None and end.seat else -1
        # What a side or a seat has is not known until a line shows it.
        self.known = know(self.table)
        tabled = 0 if rules.threes_held else rules.deck_size
        self.known.threes_more = array([tabled] * len(rules.sides))
        self.known.open_melds = (1 << len(rules.sides)) - 1
        self.known.open_hands = (1 << rules.players) - 1
        self._lay_out()
        self.found.sort(key=_order)

    def _lay_out(self) -> None:
        """Lay out the cards of every line, and end the deal."""
        table = self.table
        lines: list[tuple[_TableLine, int]] = []
        shown = 0
        for line in self.deal.end_lines:
            at = _owner_of(self.rules, line)
            if at < 0:
                self.found.append(_nobody(self.rules, line))
            else:
                lines.append((line, at))
                self._count(line)
            shown += len([*_cards(line)])
        shown += self._set_packets()
        melds = {at: line for line, at in lines if isinstance(line, MeldsLine)}
        # Going out ends the deal, so the side that went out lays its melds last.
        for at in sorted(melds, key=lambda side: (self._went_out(side), side)):
            self._lay_melds(melds[at], at)
        self._end_deal()
        self._empty_hands()
        for line, at in lines:
            if isinstance(line, ThreesLine):
                self._lay_threes(line, at)
            elif isinstance(line, LeftLine):
                self._lay_hand(line, at)
        table.accounted = self.counted.accounted[:]
        # The cards that no line shows are in the stock, in the pile or in a hand.
        table.pile_loose = max(0, self.rules.deck_size - shown)
        table.stock_fewest = 0
        table.stock_most = 0 if table.ended == STOCK else table.pile_loose

    def _set_packets(self) -> int:
        """Set the packets aside that a line shows; return how many of their cards are shown.

        It is not known whether the others were taken, except that the seat that went out took its.
        """
        table, rules, shown = self.table, self.rules, 0
        for line in self.deal.packets:
            if line.seat is None or line.seat in rules.seats:
                seat = rules.seats.index(line.seat) if line.seat else -1
                set_packet(table, line.filled(rules.packets), line.word, seat)
                self._count(line)
                shown += len(line.cards)
        leave_packets_open(table, self.by if self.reason == OUT else -1)
        return shown

    def _went_out(self, side: int) -> bool:
        return self.reason == OUT and self.by >= 0 and self.rules.side_of[self.by] == side

    def _count(self, line: _TableLine | PacketLine) -> None:
        """Take the cards of a line out of the deck; report the first of which none is left."""
        counted = self.counted
        for code, span in _cards(line):
            if code == UNKNOWN:
                know(counted).unnamed += 1
            if counted.knowable and not (leave_deck(counted, code) and has_room(counted)):
                overdraw(counted, counted, code)
                self.found.append((counted.violations.pop(), span))

    def _find(self, span: Span, code: str, message: str, key: str = "", **facts: object) -> None:
        self.found.append((Violation(code, message, key, LINE, facts), span))

    def _lay_melds(self, line: MeldsLine, at: int) -> None:
        """Lay the side's melds in one turn of a seat, and judge what does not depend on turns."""
        table = self.table
        out = self._went_out(at)
        seat = self.by if out else list(self.rules.side_of).index(at)
        self._empty_hands()
        for group in line.groups:
            for code in group.cards:
                add_card(table, seat, code)
        for _ in range(0 if out else 2):
            add_card(table, seat, CODE["4s"])
        table.due = seat
        begin_turn(table, seat)
        # The line's order is not that of the play: K/2 may come before K.
        for index, group in sorted(enumerate(line.groups), key=lambda each: each[1].rank // KINDS):
            table.at = index
            lay(table, group.rank, array(group.cards))
        end_turn(table, "")
        self._judge_shape(line)
        self._forget_turn()
        self.known.perhaps_concealed[at] = table.concealed[at]
        table.concealed[at] = 0
        self.known.open_melds &= ~(1 << at)

    def _empty_hands(self) -> None:
        """Empty every hand, so that no card counts in two hands."""
        for seat in range(self.rules.players):
            empty_hand(self.table, seat)
        self.known.unnamed = 0

    def _judge_shape(self, line: MeldsLine) -> None:
        for violation in self.table.violations:
            said = violation.code, violation.message
            if not is_of_shape(violation.code) or said in _IN_PLAY:
                continue
            if said == ("meld-threes", "not-out") and not self.reason:
                continue
            if said == ("meld-label", "number") and self.deal.turns:
                continue  # the play may have left that number free
            ended = violation.code == "out-canasta" and self.deal.end
            span = ended.span if ended else _group_span(line, violation.action)
            facts = {**violation.facts, "seat": self.table.seat}
            self.found.append((Violation(*said, violation.key, violation.action, facts), span))

    def _forget_turn(self) -> None:
        """Remove everything of a made-up turn except its melds."""
        self.table.violations.clear()
        self.table.doubts.clear()
        self.table.ended, self.table.turn = OPEN, BEFORE_PLAY

    def _end_deal(self) -> None:
        """End the deal as its end line says."""
        table, end = self.table, self.deal.end
        if end is None or end.reason in (*UNCOUNTED, "unfinished"):
            return
        if end.seat is not None and self.by < 0:
            return
        table.ended, table.ended_by = end.reason, self.by
        table.out_concealed = end.concealed
        # Turns that were written but not followed may show whether the seat went out concealed.
        table.out_unseen = bool(self.deal.turns) and not (end.concealed or self._had_laid())
        if end.reason == OUT:
            self.known.open_hands &= ~(1 << self.by)
        elif end.reason == SPECIAL:
            table.special_points = NOT_KNOWN if self.rules.special else 0
            self._end_by_special()

    def _end_by_special(self) -> None:
        """Report melds of the side with the special hand: it cannot have opened."""
        at = self.rules.side_of[self.by]
        for seat, side in enumerate(self.rules.side_of):
            if side == at:
                self.known.open_hands &= ~(1 << seat)
        self.known.open_melds &= ~(1 << at)
        for line in self.deal.melds:
            if line.side == self.rules.sides[at] and line.groups:
                self._find(line.span, "end-melds", "special", "special", seat=self.by, side=at)

    def _lay_threes(self, line: ThreesLine, at: int) -> None:
        threes = []
        for code in line.cards:
            if is_tabled(self.rules, code):
                threes.append(code)
            else:
                self._find(line.span, "end-threes", "card", side=at, card=code)
        set_threes(self.table, at, threes)

    def _lay_hand(self, line: LeftLine, seat: int) -> None:
        if seat == self.by:
            if line.cards:
                self._find(line.span, "end-hand", "out", seat=seat)
            return
        for code in line.cards:
            add_card(self.table, seat, code)
        if not line.rest_unknown:
            self.known.open_hands &= ~(1 << seat)

    def _had_laid(self) -> bool:
        """Return whether the seat that went out had laid cards in a turn before its last."""
        seat = self.deal.end.seat if self.deal.end else None
        turns = [line for line in self.deal.play if isinstance(line, Turn) and line.seat == seat]
        return any(isinstance(each, Lay | Take) for turn in turns[:-1] for each in turn.actions)


def _order(located: Located) -> tuple[bool, Span, bool]:
    """Return the sort key of findings, so that causes precede their consequences.

    Melds that cannot be laid cause missing canastas; a card in a wrong meld causes an extra copy.
    """
    violation, span = located
    return violation.code == "out-canasta", span, violation.code != "meld-rank"


def _cards(line: _TableLine | PacketLine) -> Iterator[tuple[int, Span]]:
    """Yield each card of a line and its place."""
    if not isinstance(line, MeldsLine):
        yield from ((code, line.span) for code in line.cards)
        return
    for index, group in enumerate(line.groups):
        yield from ((code, _group_span(line, index)) for code in group.cards)


def _group_span(line: MeldsLine, index: int) -> Span:
    """Return the place of a group, or of the whole line if it concerns no single group."""
    if 0 <= index < len(line.groups_at):
        return Span(line.span.line, *line.groups_at[index])
    return line.span
