"""The facts of a game: what each seat did in each deal, counted while the game is replayed.

Every figure is exact, or None if the record does not show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from canasta_notation.cards import format_cards, is_wild
from canasta_notation.engine.actions import Draw, TableThrees, TakePacket
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.seat_counts import UNCOUNTED, SeatCounts
from canasta_notation.engine.state import HandState, MeldState, State, hand_states, snapshot
from canasta_notation.engine.table import AS_BOOL, Table
from canasta_notation.notation.document import Deal, Game, Turn
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.moment import Moment

#: The kinds of canastas, in the order in which they are shown.
KINDS = ("natural", "semi", "mixed", "wild", "sequence")


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What a seat did in a deal. Cards are counted; `held` is points, `seconds` is seconds.

    `drawn` are cards from the stock in its turns, replacements of threes too. `taken` are the cards
    of the piles it took, `given` those of the piles that the next seat took after its discards,
    `gifts` is how many such discards. `laid` are cards laid in melds, the top of a taken pile and a
    special hand included. `wilds` are the jokers and twos that it received. `opened_at` is the turn
    of the deal in which it opened for its side. `held` are the points of its hand at the end.
    """

    turns: int | None = None
    drawn: int | None = None
    takes: int | None = None
    taken: int | None = None
    gifts: int | None = None
    given: int | None = None
    froze: int | None = None
    laid: int | None = None
    wilds: int | None = None
    opened_at: int | None = None
    held: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What a side has at the end of a deal: canastas by kind, tabled threes, its score in points.

    The score of a score sheet is the written one, or follows from its totals.

    `opened_at` and `opened_by` are the turn and the seat of its opening, None without one.
    """

    canastas: Mapping[str, int] | None = None
    threes: int | None = None
    score: int | None = None
    opened_at: int | None = None
    opened_by: str | None = None


@dataclass(frozen=True, slots=True)
class PileTaken:
    """A take of the pile: its turn and seat, the cards of the pile, and whether it was frozen."""

    turn: int
    seat: str
    cards: int | None
    frozen: bool | None


@dataclass(frozen=True, slots=True)
class DealFacts:
    """The facts of a deal.

    `turns` is how many turns are recorded and `replayed` how many of them could be replayed: the
    figures of the seats cover these. `sheet` says that only scores are recorded, `final` that only
    the table at the end is. `largest_pile` counts the cards of the largest pile taken, 0 without a
    take.
    """

    deal: int
    ended: str | None
    by: str | None
    turns: int
    replayed: int
    sheet: bool
    final: bool
    largest_pile: int | None
    piles: tuple[PileTaken, ...]
    seats: Mapping[str, SeatFacts]
    sides: Mapping[str, SideFacts]

    @property
    def whole(self) -> bool:
        """Whether the whole play is recorded and could be replayed."""
        return self.replayed == self.turns and not (self.sheet or self.final)


class FactsWatch:
    """The observer of a replay that counts what each seat does.

    Call `of` only when the replay is over: the table then knows what the end lines show.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._deals: dict[int, tuple[Table, SeatCounts]] = {}

    def observe(self, moment: Moment) -> None:
        """Count a turn that has ended."""
        play = moment.table
        if moment.line is None:
            lines = self._game.deals[moment.deal - 1].hands
            hands = {each.seat: each.cards + each.replacements for each in lines}
            dealt = [format_cards(hands.get(seat, ())) for seat in play.rules.seats]
            self._deals[moment.deal] = play, SeatCounts(play, dealt)
        elif turn := moment.ended_turn:
            self._deals[moment.deal][1].note_turn(play, _drawn(turn, play.rules))

    def threes_of(self, deal: int) -> dict[str, str | None]:
        """Return the threes that each seat tabled in the play of a deal (from 1)."""
        play, seat_counts = self._deals[deal]
        return {
            seat: seat_counts.threes_of(play, place) for place, seat in enumerate(play.rules.seats)
        }

    def of(self, report: DealReport, seats: str, sides: tuple[str, ...]) -> DealFacts:
        """Return the facts of a deal."""
        written = self._game.deals[report.deal - 1]
        seen = self._deals.get(report.deal)
        seat_counts = seen[1] if seen and not (report.sheet or report.final) else None
        state = _end(report, seen[0] if seen else None)
        rules = seen[0].rules if seen else None
        piles = _piles(seat_counts, seats) if seat_counts else ()
        known = [each.cards for each in piles if each.cards is not None]
        counted = seat_counts is not None and len(known) == len(piles)
        return DealFacts(
            report.deal,
            report.ended,
            report.by,
            report.turns,
            seat_counts.turns_seen if seat_counts else 0,
            report.sheet,
            report.final,
            max(known, default=0) if counted else None,
            piles,
            {
                seat: _seat(
                    place, written, seat, seat_counts, state, rules, over=bool(report.ended)
                )
                for place, seat in enumerate(seats)
            },
            _sides(report, sides, seats, seat_counts, state),
        )


def _drawn(turn: Turn, rules: Rules) -> int:
    """Return how many cards a turn drew, UNCOUNTED if the record leaves them out."""
    draws = [action for action in turn.actions if isinstance(action, Draw | TableThrees)]
    if any(draw.bare for draw in draws):
        return UNCOUNTED
    packets = [action for action in turn.actions if isinstance(action, TakePacket)]
    replaced = sum(len(packet.replacements) for packet in packets)
    if rules.packet_drawn:
        replaced += sum(len(packet.cards) for packet in packets)
    return replaced + sum(len(draw.cards) for draw in draws)


def _end(report: DealReport, table: Table | None) -> State | None:
    """Return the table at the end of a deal, None if the record does not show it."""
    if report.shown is not None:
        return report.shown
    if table is None or report.sheet or report.unchecked_from is not None:
        return None
    return snapshot(table)


def _piles(seat_counts: SeatCounts, seats: str) -> tuple[PileTaken, ...]:
    return tuple(
        PileTaken(turn, seats[seat], _known_count(cards), AS_BOOL[frozen])
        for turn, seat, cards, frozen in seat_counts.piles
    )


def _seat(
    place: int,
    written: Deal,
    seat: str,
    seat_counts: SeatCounts | None,
    state: State | None,
    rules: Rules | None,
    *,
    over: bool,
) -> SeatFacts:
    hand = state.hands[place] if state else None
    if seat_counts is None:
        return SeatFacts(held=_held(hand, rules) if over else None)
    facts = _counted(place, seat_counts, hand, rules, over=over)
    return replace(facts, seconds=_seconds(written, seat, seat_counts.turns_seen))


def seat_facts(seat_counts: SeatCounts, table: Table) -> dict[str, SeatFacts]:
    """Return the facts of a deal that has ended, without the time used, by seat."""
    hands = hand_states(table)
    return {
        seat: _counted(place, seat_counts, hands[place], table.rules, over=True)
        for place, seat in enumerate(table.rules.seats)
    }


def _counted(
    place: int, seat_counts: SeatCounts, hand: HandState | None, rules: Rules | None, *, over: bool
) -> SeatFacts:
    left, held = _known_count(seat_counts.wilds[place]), _held(hand, rules)
    came = None if left is None or hand is None or held is None else left + _wilds(hand)
    return SeatFacts(
        seat_counts.turns[place],
        _known_count(seat_counts.drawn[place]),
        seat_counts.takes[place],
        _known_count(seat_counts.taken[place]),
        seat_counts.gifts[place],
        _known_count(seat_counts.given[place]),
        _known_count(seat_counts.froze[place]),
        _known_count(seat_counts.laid[place]),
        came,
        seat_counts.opened_at[place] or None,
        held if over else None,
    )


def _held(hand: HandState | None, rules: Rules | None) -> int | None:
    """Return the points of a hand, None if it is not known."""
    if hand is None or rules is None or hand.unknown or hand.loose:
        return None
    return sum(rules.card_points[card] for card in hand.cards)


def _wilds(hand: HandState) -> int:
    return sum(map(is_wild, hand.cards))


def _known_count(count: int) -> int | None:
    return None if count == UNCOUNTED else count


def _seconds(written: Deal, seat: str, replayed: int) -> float | None:
    """Return the seconds that a seat used, None if one of its turns has no clock."""
    turns = [line for line in written.play if isinstance(line, Turn)][:replayed]
    clocks = [turn.clock for turn in turns if turn.seat == seat]
    if not clocks or None in clocks:
        return None
    return sum(float(clock) for clock in clocks if clock is not None)


def _sides(
    report: DealReport,
    sides: tuple[str, ...],
    seats: str,
    seat_counts: SeatCounts | None,
    state: State | None,
) -> dict[str, SideFacts]:
    scores = {side.side: side.scored if report.sheet else side.score for side in report.sides}
    facts = {}
    for at, side in enumerate(sides):
        openers = [
            (seat_counts.opened_at[place], seat)
            for place, seat in enumerate(seats)
            if seat_counts and seat in side and seat_counts.opened_at[place]
        ]
        turn, seat = min(openers, default=(None, None))
        ended = state.sides[at] if state else None
        facts[side] = SideFacts(
            _canastas(ended.melds) if ended else None,
            len(ended.threes) if ended else None,
            scores.get(side),
            turn,
            seat,
        )
    return facts


def _canastas(melds: tuple[MeldState, ...]) -> dict[str, int]:
    found = Counter(meld.canasta for meld in melds)
    return {kind: found[kind] for kind in KINDS}
