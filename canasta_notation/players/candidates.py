"""What a turn could have been instead: plays of its rest that are worth comparing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from canasta_notation.cards import BLACK_THREE, FOUR, JOKER_RANK, OF_RANK, RANK
from canasta_notation.dealing import take_due
from canasta_notation.engine.actions import Action, Ask, Discard, Lay, Take, TakePacket
from canasta_notation.engine.discard import discard
from canasta_notation.engine.packets import may_play_on, packet_due, picks_up
from canasta_notation.engine.table import Table, Violation, copy_table, top_of
from canasta_notation.engine.take import enter_waiting_rest
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.players.discarding import choose_discard
from canasta_notation.players.figures import Figures
from canasta_notation.players.laying import lay_plan, plan_more, plan_opening
from canasta_notation.players.playouts import NEXT, PACKET
from canasta_notation.players.seat_turn import play_on
from canasta_notation.players.sight import is_late, own_hand, wilds_in

#: How many discards are compared after what `careful` lays, and after what was laid.
_DISCARDS: Final = 5
_OWN_DISCARDS: Final = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to play the rest of a turn: its actions, the table after them, and how it continues."""

    actions: tuple[Action, ...]
    table: Table
    how: int

    @property
    def key(self) -> tuple[object, ...]:
        """What distinguishes it from others: cards of one rank are alike."""
        table = self.table
        return (
            tuple(own_hand(table, table.seat)),
            tuple(table.naturals),
            tuple(table.twos),
            tuple(table.jokers),
            RANK[table.discarded] if table.discarded >= 0 else -1,
            table.ended,
            self.how,
        )


def copy_to_try(table: Table) -> Table:
    """Return a copy of a table on which a player can try a turn.

    If the record does not have the packets, any cards are used for them, because what a player does
    before it takes one does not depend on them.
    """
    copy = copy_table(table)
    sizes = table.rules.packets_aside
    if not all(copy.packets[: len(sizes)]):
        held = zip(copy.packets, any_packets(table), strict=True)
        copy.packets = tuple(packet or others for packet, others in held)
    return copy


def any_packets(table: Table) -> list[list[int]]:
    """Return packets of cards that can always be discarded."""
    return [[OF_RANK[FOUR][0]] * size for size in table.rules.packets_aside]


def _before_packet(actions: Iterable[Action]) -> list[Action]:
    """Return the actions up to a packet: how they go on depends on its cards."""
    return [*takewhile(lambda each: not isinstance(each, TakePacket), actions)]


def tried(
    base: Table, actions: Iterable[Action], mark: str = "", *, takes_packet: bool = True
) -> Candidate | Violation:
    """Return the rest of a turn, played from a table of the begun turn, or its first violation.

    `mark` is "#" or "##" if the text says that it goes out. A packet and what follows it are left
    out, because its cards are not known before it is taken.
    """
    actions = tuple(_before_packet(actions))
    play = copy_table(base)
    for action in actions:
        perform(play, action)
    rules = play.rules
    may_take = takes_packet and (play.discarded >= 0 or rules.packet_on_canasta)
    due = packet_due(play) >= 0 and (rules.packet_on_empty or may_take)
    ended = copy_table(play) if due else play
    if due and rules.packet_early:
        _take_any(ended)
    end_turn(ended, "" if due and play.discarded < 0 else mark)
    broken = play.violations or ended.violations
    return broken[0] if broken else Candidate(actions, play, PACKET if due else NEXT)


def _take_any(table: Table) -> None:
    """Take a packet of any cards in place of the one that is due, and discard if the turn goes on.

    So the rest of the turn is judged without the cards that nobody knows yet.
    """
    table.packets = tuple(any_packets(table))
    take_due(table)
    if may_play_on(table):
        discard(table, OF_RANK[FOUR][0])


def tried_take(
    before: Table, take: Take | None, actions: Iterable[Action], mark: str = ""
) -> Candidate | Violation:
    """Return a turn that takes the pile, played from a table before the turn, as `tried` does.

    Without `take`, it is a take of the top. Not checked: that the pile is known and not empty.
    """
    begun = copy_to_try(before)
    begin_turn(begun, begun.due)
    return tried(begun, [take or Take(top_of(begun)), *actions], mark)


def candidate(
    base: Table, actions: Iterable[Action], *, takes_packet: bool = True
) -> Candidate | None:
    """Return the rest of a turn as `tried` does, None if it is illegal."""
    found = tried(base, actions, takes_packet=takes_packet)
    return found if isinstance(found, Candidate) else None


def candidates(base: Table, figures: Figures, actual: Sequence[Action]) -> list[Candidate]:
    """Return the rest of a turn as it was played, and others; each once, the actual one first.

    The list is empty if the actual play cannot be compared, because it is illegal or the partner
    was asked. Not checked: that the hand of the seat is known.
    """
    played = None
    if not base.answer and not any(isinstance(each, Ask) for each in actual):
        takes_packet = any(isinstance(each, TakePacket) for each in actual)
        played = candidate(base, actual, takes_packet=takes_packet)
    if played is None:
        return []
    found = {played.key: played}
    for actions in _others(base, figures, actual):
        each = candidate(base, actions)
        if each is not None:
            found.setdefault(each.key, each)
    return [*found.values()]


def _others(
    base: Table, figures: Figures, actual: Sequence[Action]
) -> Iterator[tuple[Action, ...]]:
    """Yield plays of the rest of a turn, the best first as far as `careful` can tell."""
    careful: list[Action] = []
    play_on(copy_to_try(base), figures, careful)
    yield tuple(careful)
    lays = [each for each in _before_packet(careful) if isinstance(each, Lay)]
    own = [each for each in _before_packet(actual) if isinstance(each, Lay)]
    ways: list[list[Action]] = [[*lays], [], [*own], _laid(base, figures, late=False)]
    ways.append(_laid(base, figures, late=True))
    for at, way in enumerate(ways):
        play = copy_table(base)
        for action in way:
            perform(play, action)
        if play.last_three or picks_up(play):
            yield tuple(way)
        most = {0: _DISCARDS, 2: _OWN_DISCARDS}.get(at, 1)
        for card in _discards(play, figures, most):
            yield (*way, Discard(card))


def _laid(base: Table, figures: Figures, *, late: bool) -> list[Action]:
    """Return what `careful` would lay without going out; if `late`, all that it can."""
    play, log = copy_table(base), list[Action]()
    held = own_hand(play, play.seat)
    opened = play.opened_before or play.laid
    if not opened:
        most = wilds_in(held) if late else figures.open_wilds
        plan = plan_opening(play, figures, held, -1, 0, most)
        if plan is None:
            return log
        lay_plan(play, plan, log)
        held = own_hand(play, play.seat)
    lay_plan(play, plan_more(play, figures, held, late), log)
    return log


def _discards(play: Table, figures: Figures, most: int) -> Iterator[int]:
    """Yield cards to discard, up to `most`, in the order in which `careful` prefers them."""
    if play.rest_kept:
        enter_waiting_rest(play)
    held = own_hand(play, play.seat)
    late = is_late(play, play.seat, figures)
    tabled = play.rules.tabled
    for _ in range(most):
        if not any(held[rank] and not tabled[rank] for rank in range(BLACK_THREE, JOKER_RANK + 1)):
            return
        card = choose_discard(play, figures, held, late)
        held[RANK[card]] = 0
        yield card
