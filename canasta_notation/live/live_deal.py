"""A deal at the table: the only place where a live game changes the engine's table."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Final

from canasta_notation.cards import RANK, TEXT, UNKNOWN
from canasta_notation.counts import i64, vec
from canasta_notation.dealing import (
    Dealt,
    due_packet,
    held_threes,
    late_tabling,
    lay_out,
    replacing,
)
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.back import raised
from canasta_notation.engine.deal import award, end_deal, penalize
from canasta_notation.engine.packets import packet_due, picks_up
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import item_points
from canasta_notation.engine.shown import show_deal, show_turn
from canasta_notation.engine.side import has_opened
from canasta_notation.engine.state import State, snapshot
from canasta_notation.engine.table import NO, OPEN, STOCK, YES, Table, Violation, copy_table, top_of
from canasta_notation.engine.table_numbers import hand_numbers, placed_numbers, table_numbers
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.players.candidates import any_packets
from canasta_notation.players.player import Player
from canasta_notation.replay.meld_cards import nothing_laid
from canasta_notation.search.able import able_to_take, stock_over
from canasta_notation.search.ending import (
    find_ending,
    judge_question,
    objection,
)
from canasta_notation.search.found import Asked, FoundPlays, TakeWay
from canasta_notation.search.legal import legal_continuations, legal_starts
from canasta_notation.search.trial import attempt, held_cards

#: The phases of a deal: before a turn's draw or take, after it, while a partner is asked for
#: permission to go out, after a discard that earned a packet, and after the deal.
DRAW: Final = "draw"
PLAY: Final = "play"
ANSWER: Final = "answer"
PACKET: Final = "packet"
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class End:
    """The end of a turn without its packet, or of the deal without the pile if the stock is empty.

    The notation has no word for it, because a record writes nothing if nothing is taken.
    """


@dataclass(frozen=True, slots=True)
class AskPartner:
    """The question to the partner; its answer is an `Ask`, the only action that a record has."""


Move = Action | AskPartner | End


@dataclass(slots=True)
class LiveTurn:
    """A turn as it is played: its number, its seat, its actions, and the findings accepted.

    `spent` are the milliseconds on its clock, None if it has none.
    """

    number: int
    seat: int
    actions: list[Action] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    out: str = ""
    spent: int | None = None


@dataclass(frozen=True, slots=True)
class LiveRuling:
    """Points taken from a side as a penalty, or `given` to it as a bonus."""

    side: int
    points: int
    word: str
    given: bool = False


class LiveTable:
    """A deal being played with every card known. It reports violations and refuses nothing."""

    def __init__(self, rules: Rules, dealt: Dealt, totals: list[int], number: int) -> None:
        self.rules = rules
        self.dealt = dealt
        self.drawn = dealt.start
        self.phase = DRAW
        #: Actions that are known to end the turn in progress legally, none if none are known.
        self.ending: tuple[Action, ...] = ()
        self.abandoned = False
        #: Why the deal was abandoned, "" if nobody said; and the side that resigned, -1 for none.
        self.reason = ""
        self.resigned = -1
        self.lines: list[LiveTurn | LiveRuling] = []
        #: The table before the turn, kept if a draw may continue after a three.
        self._before: Table | None = None
        #: How many threes the seat had kept before its turn.
        self._threes = 0
        #: What the search found at the current table, None if it did not run.
        self._found: FoundPlays | None = None
        self._table = lay_out(rules, dealt, totals, number)
        show_deal(self._table)
        self._laid = nothing_laid(len(rules.sides))

    def copy(self) -> LiveTable:
        """Return a copy that shares no mutable state except turns that are over."""
        other = copy(self)
        other._table = copy_table(self._table)
        other._table.violations = self._table.violations[:]
        other._found = None
        other.lines = self.lines[:]
        if self.in_turn:
            turn = self.turn
            other.lines[-1] = LiveTurn(
                turn.number, turn.seat, turn.actions[:], turn.acknowledged[:], turn.out, turn.spent
            )
        return other

    # --- what is known --------------------------------------------------------------------------

    @property
    def turn(self) -> LiveTurn:
        """The turn in progress, or the last one."""
        last = self._last_turn()
        assert last is not None
        return last

    def _last_turn(self) -> LiveTurn | None:
        for line in reversed(self.lines):
            if isinstance(line, LiveTurn):
                return line
        return None

    @property
    def in_turn(self) -> bool:
        """Whether a turn is in progress; it may have begun by tabling threes, before its draw."""
        return self.phase in (PLAY, ANSWER, PACKET) or (
            self.phase == DRAW and self._table.tabled_late
        )

    @property
    def turns(self) -> int:
        """How many turns have begun, without one that was abandoned."""
        last = self._last_turn()
        return last.number if last else 0

    @property
    def seat(self) -> int:
        """The seat whose turn is due or in progress."""
        return self._table.due if self.phase == DRAW else self._table.seat

    @property
    def due(self) -> int:
        """The seat that plays next: a partner that is asked, else the seat whose turn it is."""
        return self.partner if self.phase == ANSWER else self.seat

    @property
    def partner(self) -> int:
        """The partner that answers: the next one clockwise, or the seat itself if it has none."""
        players, sides = self.rules.players, self.rules.side_of
        after = [(self.seat + step) % players for step in range(1, players + 1)]
        return next(at for at in after if sides[at] == sides[self.seat])

    @property
    def stock_left(self) -> int:
        """How many cards are left in the stock."""
        return len(self.dealt.stock) - self.drawn

    @property
    def left(self) -> tuple[int, ...]:
        """The cards that are left in the stock, in order."""
        return self.dealt.stock[self.drawn :]

    @property
    def ended(self) -> str:
        """How the deal ended: "", "out", "stock", "special", or "unfinished" if abandoned."""
        return "unfinished" if self.abandoned else self._table.ended

    @property
    def ended_by(self) -> int:
        """The seat that went out or laid a special hand, else -1."""
        return self._table.ended_by

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the turn in progress, or of the last one."""
        return tuple(self._table.violations)

    @property
    def late_waits(self) -> bool:
        """Whether only a special hand may end the turn: the hand holds a three that is due."""
        return self.phase == PLAY and self._table.late_waits

    @property
    def last_three(self) -> bool:
        """Whether the turn in progress ends without a discard: it drew the last three."""
        return self.phase == PLAY and self._table.last_three

    @property
    def keeps_last(self) -> bool:
        """Whether the turn in progress may end without a discard: the last card is kept."""
        table = self._table
        kept = self.phase == PLAY and self.rules.last_kept and table.hand_sizes[table.seat] == 1
        return kept and attempt(table, ()).legal

    @property
    def knowable(self) -> bool:
        """Whether the state of the deal is still known."""
        return self._table.knowable

    @property
    def out_mark(self) -> str:
        """The mark of the last turn: "", "#" or "##" for going out, concealed or not."""
        if not self._table.went_out:
            return ""
        return "##" if self._table.out_concealed else "#"

    def state(self) -> State:
        """Return the table as a value; nobody is due after an abandoned deal."""
        state = snapshot(self._table, self._laid.boards)
        if self.phase == ANSWER:
            return state.with_parts(due=self.due)
        return state.with_parts(due=None) if self.abandoned else state

    def numbers(self, seat: int) -> list[int]:
        """Return the table as numbers, as a seat sees it; see `engine.table_numbers`."""
        return table_numbers(self._table, seat, self.due, self.in_turn)

    def placed_numbers(
        self, seat: int, codes: vec[i64], suits: vec[i64], places: vec[i64]
    ) -> list[int]:
        """Return the further numbers under rules with sequences or several melds of a rank."""
        return placed_numbers(self._table, seat, codes, suits, places)

    def hand_numbers(self, seat: int) -> list[int]:
        """Return how many cards of each rank a hand holds."""
        return hand_numbers(self._table, seat)

    def opening(self) -> tuple[int | None, int, int]:
        """Return what the opening of the seat's side must count, and what this turn counts.

        The third value is the part of the first that was added for cards taken back. All are
        points; the first is None if the side has opened.
        """
        table, side = self._table, self.rules.side_of[self.seat]
        if has_opened(table, side) or (self.phase != DRAW and self._table.opened_before):
            return None, 0, 0
        counted: int = 0 if self.phase == DRAW else table.count_most
        return table.minimums[side], counted, raised(table, side)

    def top(self) -> int:
        """Return the top of the pile, UNKNOWN if the pile is empty."""
        return top_of(self._table) if self._table.pile_size else UNKNOWN

    def may_go_on(self) -> bool:
        """Return whether the draw may continue: it stopped at a three, which is then tabled."""
        if self.phase != PLAY or len(self.turn.actions) != 1 or not self.stock_left:
            return False
        (last,) = self.turn.actions
        kept = self._table.kept_threes[self._table.seat] > self._threes
        return isinstance(last, Draw) and kept and self._before is not None

    def tabled(self, drawn: Draw | TableThrees | TakePacket) -> set[int]:
        """Return the indices, among the cards just drawn or taken, of the tabled threes."""
        threes = [at for at, code in enumerate(drawn.cards) if self.rules.tabled[RANK[code]]]
        if isinstance(drawn, TakePacket):
            return set() if self.rules.packet_threes == "next-turn" else set(threes)
        if isinstance(drawn, TableThrees):
            return set(threes)
        kept = self._table.kept_threes[self._table.seat] - self._threes
        return set(threes[: len(threes) - kept])

    def draws(self) -> list[tuple[int, ...]]:
        """Return the draws that are possible now, the shortest first.

        A draw may stop early at a three that the seat may keep.
        """
        table, rules, stock = self._table, self.rules, self.dealt.stock
        going_on = self.phase == PLAY
        held = self._threes if going_on else table.kept_threes[self.seat]
        opened = has_opened(table, rules.side_of[self.seat])
        keeps = rules.three_kept and not opened and held == 0
        due = 1 if going_on else rules.draw_count
        draws: list[tuple[int, ...]] = []
        end = self.drawn
        while due and end < len(stock):
            three = rules.tabled[RANK[stock[end]]] != 0
            end += 1
            due -= 0 if three else 1
            if not due or end == len(stock) or (three and keeps and due == 1):
                draws.append(stock[self.drawn : end])
        return draws

    def starts(self) -> FoundPlays:
        """Return how the seat that is due can begin. Not checked: that it has not begun."""
        if self._found is None:
            self._found = legal_starts(self._table)
        return self._found

    def continuations(self) -> FoundPlays:
        """Return how the turn in progress can continue. Not checked: that one is in progress."""
        if self._found is None:
            self._found = legal_continuations(self._table, self.ending, ways_out=False)
        return self._found

    def follow(
        self, action: Move, before: LiveTable | None = None, begun: Iterable[TakeWay] = ()
    ) -> None:
        """Note how the turn can end after an action, as far as that is known.

        `before` is the table before it, and `begun` are the ways to take the pile that can begin
        with a take.
        """
        if self.ending and self.ending[0] == action:
            self.ending = self.ending[1:]
        elif isinstance(action, Take):
            ways = (way for way in begun if way.refusal is None and way.certain)
            way = next(ways, None)
            self.ending = (*way.begun(action.card)[1:], *way.ending) if way else ()
        else:
            found = before._found if before else None
            self.ending = found.end_after(action) if found and isinstance(action, Lay) else ()

    def forget(self) -> None:
        """Drop what the search found, which takes memory; the search runs again if needed."""
        self._found = None

    def can_end(self) -> bool:
        """Return whether the turn in progress can still end legally, or may be able to.

        If a way is known, `ending` has it.
        """
        if self.ending:
            return True
        found = find_ending(self._table)
        if found is not None and found.certain:
            self.ending = found.actions
        return found is not None

    def objection(self, before: LiveTable | None = None) -> Violation | None:
        """Return the engine's objection to ending the turn now.

        It is the first that the last action has raised, if `before` is the table before it and it
        has raised one; else the first of all.
        """
        return objection(self._table, before._table if before else None)

    def question(self) -> Asked:
        """Return whether the partner can be asked now, or could be if it has already been asked."""
        return judge_question(self._table)

    def forgiven(self) -> LiveTable:
        """Return a copy of the table without the violations of the turn so far."""
        other = self.copy()
        other._table.violations = []
        other.ending = ()
        return other

    def held(self) -> list[str]:
        """Return the cards of the hand of the seat whose turn it is, one of each kind."""
        return [TEXT[code] for code in dict.fromkeys(held_cards(self._table))]

    def leaves_packet(self) -> Violation | None:
        """Return the objection to the turn, if there is one both with and without the packet."""
        if self._table.discarded < 0:
            return objection(self._table)
        table = self._table
        return attempt(table, ()).violation and attempt(table, (self.packet(),)).violation

    def may_pick_up(self) -> bool:
        """Return whether a canasta of the seat has earned a packet that it may pick up now."""
        return self.phase == PLAY and self.rules.packet_on_canasta and picks_up(self._table)

    def packet(self) -> TakePacket:
        """Return the action that takes the packet due. Not checked: that a packet is due."""
        return due_packet(self._table, self.left)

    def tabling(self, threes: tuple[int, ...]) -> TableThrees | None:
        """Return the action that tables threes of the hand: those named, due, or held at all.

        Returns None if no three is named, due or held.
        """
        due = late_tabling(self._table, self.left)
        if not threes and due is not None:
            return due
        named = threes or tuple(held_threes(self._table, self.seat))
        return TableThrees(named, replacing(self.rules, named, self.left)) if named else None

    def chosen(self, player: Player) -> list[Move]:
        """Return the moves with which a player continues, up to a draw or the end of the turn."""
        if self.phase == PACKET:
            return [self.packet()]
        if self.phase == ANSWER:
            return [Ask(player.answers(self._table, self.due))]
        if self.phase == DRAW and not self._table.tabled_late:
            late = late_tabling(self._table, self.left)
            if late is not None:
                return [TableThrees(late.threes)]
        if self.phase == PLAY:
            if self._before is not None and self.may_go_on() and not player.keeps(self._before):
                return [Draw((), bare=True)]
            after, actions = player.rest(self._for_player())
            moves = self._asking([*actions])
            if self._picks_up(moves):
                return self._until_packet(moves)
            asks = any(isinstance(move, AskPartner) for move in moves)
            stops = self._table.last_three and after.ended == STOCK and not asks
            return [*moves, End()] if stops else moves
        taken = player.take(self._for_player())
        if taken is not None:
            return self._until_packet(self._asking([*taken[1]]))
        return [Draw((), bare=True) if self.stock_left else End()]

    def _picks_up(self, moves: list[Move]) -> bool:
        """Return whether one of the moves takes a packet whose cards nobody knows yet."""
        return self.rules.packet_early and any(isinstance(each, TakePacket) for each in moves)

    def _until_packet(self, moves: list[Move]) -> list[Move]:
        """Return the moves up to a packet: how they go on depends on its cards."""
        if not self._picks_up(moves):
            return moves
        at = next(at for at, each in enumerate(moves) if isinstance(each, TakePacket))
        return [*moves[:at], TakePacket(self.rules.packet_word, ())]

    def _for_player(self) -> Table:
        """Return the table as a player tries a turn on it: nobody knows the cards of a packet."""
        if not self.rules.packet_early:
            return self._table
        table = copy_table(self._table)
        table.packets = tuple(any_packets(table))
        return table

    def _asking(self, actions: list[Action]) -> list[Move]:
        """Return a player's actions up to the question to its partner, if they have one.

        A player that decides the answer itself does not ask if the turn could then not end.
        """
        at = next((at for at, action in enumerate(actions) if isinstance(action, Ask)), None)
        if at is None:
            return [*actions]
        table = self.copy()
        for action in actions[:at]:
            table.play(table.seat, action)
        if table.question().certain:
            return [*actions[:at], AskPartner()]
        return [*actions[:at], *actions[at + 1 :]]

    def score(self) -> list[dict[str, int]]:
        """Return the points of each side, by item, if the deal ended now; none if abandoned."""
        sides = range(len(self.rules.sides))
        return [{} if self.abandoned else item_points(self._table, at) for at in sides]

    def may_abandon(self) -> bool:
        """Return whether the deal is in progress and its last complete turn left a stock."""
        if self.phase == OVER:
            return False
        turn = self.turn.actions if self.in_turn else []
        drawn = [each for each in turn if isinstance(each, Draw | TableThrees)]
        return self.stock_left + sum(len(each.cards) for each in drawn) > 0

    def dealt_wrongly(self) -> Violation | None:
        """Return what is wrong with the deal before the first turn."""
        return next(iter(self._table.violations), None)

    def open_turn_ends(self) -> bool:
        """Return whether a turn that may still take a packet is legal without it."""
        return self.phase == PACKET and attempt(self._table, ()).legal

    # --- what is done ---------------------------------------------------------------------------

    def play(self, seat: int, move: Move) -> list[Violation]:
        """Play one action, and end a turn or deal that is over; return what the action violates."""
        self._found = None
        before = self._table.violations[:]
        if isinstance(move, End):
            self._end()
        elif isinstance(move, AskPartner):
            self.phase = ANSWER
            self.ending = ()
        else:
            self._act(seat, move)
        return [each for each in self._table.violations if each not in before]

    def add_time(self, spent: int) -> None:
        """Add milliseconds to the clock of the turn in progress, or of the last one."""
        self.turn.spent = (self.turn.spent or 0) + spent

    def acknowledge(self) -> None:
        """Note on the turn each rule that it broke, once."""
        if self.turns:
            # The engine withdraws a violation that a later one explains better.
            codes = dict.fromkeys(each.code for each in self._table.violations)
            self.turn.acknowledged[:] = codes

    def ruled(self, side: int) -> int:
        """Return the points that rulings have given to a side in this deal, minus those taken."""
        rulings = (line for line in self.lines if isinstance(line, LiveRuling))
        own = (ruling for ruling in rulings if ruling.side == side)
        return sum(ruling.points if ruling.given else -ruling.points for ruling in own)

    def rule(self, ruling: LiveRuling) -> None:
        """Take points from a side, or give points to it."""
        self._found = None
        tables = [self._table]
        if self._before is not None:
            # The draw may still continue from the table before the turn.
            self._before = copy_table(self._before)
            tables.append(self._before)
        for table in tables:
            before = len(table.violations)
            if ruling.given:
                award(table, ruling.side, ruling.points)
            else:
                penalize(table, ruling.side, ruling.points, ruling.word)
            del table.violations[before:]
        self.lines.insert(len(self.lines) - (self.in_turn), ruling)

    def abandon(self, reason: str = "", resigned: int = -1) -> None:
        """End the deal unfinished; a turn in progress is not kept."""
        if self.in_turn:
            del self.lines[-1]
        self.phase, self.abandoned = OVER, True
        self.reason, self.resigned = reason, resigned

    def _act(self, seat: int, action: Action) -> None:
        turn = self.turn if self.in_turn else None
        goes_on = self.phase == PLAY and isinstance(action, Draw)
        if isinstance(action, Draw | TableThrees):
            self.drawn += len(action.cards)
        elif isinstance(action, TakePacket):
            self.drawn += len(action.replacements)
            self.drawn += len(action.cards) if self.rules.packet_drawn else 0
        if goes_on and turn is not None and isinstance(action, Draw):
            action = self._drawn_before(turn, action)
        if turn is None or goes_on:
            spent = turn.spent if turn else None
            turn = self._begin(seat)
            turn.spent = spent
        perform(self._table, action, at=len(turn.actions))
        awaits = isinstance(action, TableThrees) and not self._table.last_three
        self.phase = DRAW if awaits else PLAY
        turn.actions.append(action)
        if self._table.knowable and self._is_last(action):
            self._close()
        self._laid = self._laid.after(self._table, action)

    def _drawn_before(self, turn: LiveTurn, action: Draw) -> Draw:
        """Return a continued draw as one action, and reset the turn to before the draw."""
        (first,) = turn.actions
        assert isinstance(first, Draw) and self._before is not None
        self._table = copy_table(self._before)
        self.lines.pop()
        return Draw((*first.cards, *action.cards))

    def _begin(self, seat: int) -> LiveTurn:
        table = self._table
        table.violations.clear()
        if self.rules.three_kept:
            self._before = copy_table(table)
        begin_turn(table, seat)
        self._threes = table.kept_threes[table.seat]
        turn = LiveTurn(table.turn, seat)
        self.lines.append(turn)
        self.phase = PLAY
        return turn

    def _is_last(self, action: Action) -> bool:
        """Return whether an action is the turn's last, except for a packet that may be due."""
        table = self._table
        match action:
            case Draw() | TableThrees():
                return table.ended != OPEN
            case Lay():
                if table.hand_sizes[table.seat] or table.waiting or table.rest_kept:
                    return False
                if picks_up(table):
                    self.phase = PACKET
                    return False
                return True
            case Discard():
                if packet_due(table) >= 0 and not table.special_cards:
                    self.phase = PACKET
                    return False
                return True
            case TakePacket():
                ended = table.ended != OPEN  # by a replacement that was the last card of the stock
                return table.discarded >= 0 or table.rules.packet_waits or ended
            case LaySpecial():
                return True
            case Take() | Ask() | Combine() | TakeBack():
                return False

    def _close(self) -> None:
        """End the turn, and also the deal if it is over."""
        table = self._table
        end_turn(table, "")
        show_turn(table, self.turn.actions)
        self.turn.out = self.out_mark
        self.phase = DRAW
        if table.ended != OPEN:
            self.phase = OVER
        elif self.stock_left == 0 and able_to_take(table, table.due) == NO:
            end_deal(table, STOCK, -1, YES)
            self.phase = OVER

    def _end(self) -> None:
        if self.phase == DRAW:
            if self.in_turn:
                end_turn(self._table, "")
            end_deal(self._table, STOCK, -1, stock_over(self._table))
            self.phase = OVER
        else:
            self._close()
            self._laid = self._laid.after(self._table, None)
