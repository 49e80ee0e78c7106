"""The referee: what a play does at the table, or why it is refused, and what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from canasta_notation.cards import RANK, UNKNOWN, format_cards
from canasta_notation.engine.actions import (
    Ask,
    Draw,
    Lay,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import Violation
from canasta_notation.findings import Finding, Span
from canasta_notation.live.action_text import format_move
from canasta_notation.live.answers import (
    Choice,
    Event,
    IllegalPlay,
    NotYourTurn,
    Refused,
    WrongPhase,
)
from canasta_notation.live.live_deal import (
    ANSWER,
    DRAW,
    OVER,
    PACKET,
    PLAY,
    AskPartner,
    End,
    LiveTable,
    Move,
)
from canasta_notation.quoting import quoted
from canasta_notation.rules import Profile, entry
from canasta_notation.search.found import Asked, FoundPlays, Refusal, TakeWay

House = Literal["refuse", "warn"]
#: What to do instead of a play that has no remedy of its own.
_LISTED: Final = "choose one of the plays that legal() lists"
#: Plays that are legal, and those that are not.
_Sorted = tuple[list[Choice], list[Refused]]


@dataclass(frozen=True, slots=True)
class Referee:
    """The judge of plays: the rules, and what the house does about a play that breaks one."""

    profile: Profile
    rules: Rules
    house: House

    def judge(
        self, table: LiveTable, seat: str, move: Move, *, stacked: bool = False
    ) -> tuple[LiveTable, Move, list[Violation]]:
        """Return the table after a play, the move and its violations; `table` does not change.

        Hidden cards may be named if the stock is `stacked`. Raises PlayError.
        """
        at = self._admitted(table, seat, move)
        if isinstance(move, Draw | TableThrees | TakePacket) and move.cards and not stacked:
            # A refused guess would reveal what the next card is not.
            raise IllegalPlay(
                "the cards are hidden: you cannot name them",
                "stock-order",
                remedy="play a bare + or the bare word of the packet",
            )
        before, table = table, table.copy()
        move, found = self._perform(table, at, move)
        if isinstance(move, AskPartner):
            self._refuse_question(table)
            return table, move, found
        if self.house == "warn":
            self._refuse_rest(move, found)
            table.acknowledge()
        else:
            self._refuse_dead_end(before, table, move)
        return table, move, found

    def _admitted(self, table: LiveTable, seat: str, move: Move) -> int:
        """Return the index of a seat that may make the move now. Raises PlayError."""
        asker = self.rules.seats[table.seat] if table.phase in (PLAY, ANSWER) else ""
        if isinstance(move, Ask) and seat == asker != self.rules.seats[table.due]:
            raise WrongPhase("the partner answers", remedy="wait for the answer")
        at = self._due_seat(table, seat)
        if isinstance(move, Ask) and table.phase == PLAY:
            raise WrongPhase("the partner answers", remedy="play ask")
        return at

    def redo(self, table: LiveTable, seat: str, move: Move) -> tuple[Move, list[Violation]]:
        """Play at this table a move that was accepted before; return the move and its violations.

        Raises PlayError if it cannot be played.
        """
        move, found = self._perform(table, self._due_seat(table, seat), move)
        table.acknowledge()
        return move, found

    # --- what a play does -----------------------------------------------------------------------

    def _due_seat(self, table: LiveTable, seat: str) -> int:
        """Return the index of a seat that may play now. Raises PlayError."""
        if table.phase == OVER:
            raise WrongPhase("the deal is over", remedy="call deal() for the next one")
        seats = self.rules.seats
        if not isinstance(seat, str) or len(seat) != 1 or seat not in seats:
            raise NotYourTurn(
                f"no seat {quoted(seat)} in this game: the seats are {' '.join(seats)}"
            )
        at = seats.index(seat)
        if at == table.due:
            return at
        if table.phase == DRAW and not table.in_turn and self.house == "warn":
            return at
        due = seats[table.due]
        wait = f"wait until {due} has played"
        word = self.rules.packet_word
        remedy = f"{word} or end comes first" if table.phase == PACKET else wait
        if table.phase == ANSWER:
            raise NotYourTurn(f"{due} answers first", "wrong-seat", remedy=wait)
        why = f"it is {due}'s turn, not {seat}'s"
        raise NotYourTurn(why, "wrong-seat", remedy=remedy)

    def _perform(self, table: LiveTable, at: int, move: Move) -> tuple[Move, list[Violation]]:
        """Play a move at a table; return the move with its cards, and its violations.

        Raises PlayError.
        """
        move = self._resolved(table, at, move)
        # An end line takes no `~`, so no house accepts a wrong one.
        refuses = self.house == "refuse" or (isinstance(move, End) and table.phase == DRAW)
        found = table.play(table.seat if isinstance(move, Ask) else at, move)
        if not table.knowable or (found and refuses):
            raise self.refusal(found[0])
        return move, found

    def _resolved(self, table: LiveTable, seat: int, move: Move) -> Move:
        """Return a move with the cards that it brings. Raises PlayError in the wrong phase."""
        phase = table.phase
        match move:
            case _ if phase == ANSWER and not isinstance(move, Ask):
                raise WrongPhase("the question comes first", remedy="answer ask=yes or ask=no")
            case _ if phase == PACKET and not isinstance(move, TakePacket | End):
                raise self._packet_first()
            case Draw():
                return _resolved_draw(table, move)
            case TableThrees():
                return _resolved_threes(table, move)
            case Take() if phase != DRAW:
                raise WrongPhase("the pile is taken at the beginning of a turn", remedy=_LISTED)
            case TakePacket():
                if phase != PACKET and not table.may_pick_up():
                    word = self.rules.packet_word or move.word
                    why = f"a {word} is taken after the discard that earned it"
                    if self.rules.packet_on_empty:
                        why = f"a {word} is picked up when the hand is empty"
                    elif self.rules.packet_on_canasta:
                        why = f"a {word} is picked up once its seat has completed a canasta"
                    raise WrongPhase(why, "packet", remedy=_LISTED)
                return table.packet() if not move.cards else move
            case TakeBack() if _has_taken_back(table):
                raise WrongPhase("this turn has already taken cards back", remedy=_LISTED)
            case End():
                self._check_end(table)
            case Take():
                pass
            case _ if phase == DRAW:
                name = self.rules.seats[seat]
                raise WrongPhase(f"{name} has not drawn", "draw-missing", remedy="draw (+) or take")
        return move

    def _packet_first(self) -> WrongPhase:
        word = self.rules.packet_word
        if self.rules.packet_early:
            return WrongPhase("the hand is empty", "packet", remedy=f"pick up the {word}")
        return WrongPhase("the turn has ended", remedy=f"take the {word}, or end")

    def _check_end(self, table: LiveTable) -> None:
        if table.phase == DRAW and table.stock_left:
            raise WrongPhase("the stock is not empty", "end-stock-left", remedy="draw, or take")
        stops = table.last_three or table.keeps_last
        if table.phase == PLAY and self.house == "refuse" and not stops:
            raise WrongPhase("a turn ends with its discard", "discard-missing", remedy="discard")

    def _refuse_rest(self, move: Move, found: list[Violation]) -> None:
        """Refuse a group with a card that is still in the pile's waiting rest, not in the hand."""
        for violation in found:
            if isinstance(move, Lay) and violation.message == "rest":
                raise self.refusal(violation)

    def _refuse_question(self, table: LiveTable) -> None:
        """Refuse a question that nobody can answer, or one with an answer that leaves no legal end.

        A house that warns accepts any question that somebody can answer.
        """
        if self.house == "warn" and table.partner != table.seat:
            return
        asked = table.question()
        if asked.wrong is not None:
            raise self.question_refusal(asked)

    def _refuse_dead_end(self, before: LiveTable, table: LiveTable, move: Move) -> None:
        """Refuse a move after which the turn has no legal end. A draw is never refused."""
        if not isinstance(move, Take):
            table.follow(move, before)
            self.refuse_stuck(table, before)
            return
        found = before.starts()
        refusal = take_refusal(found, move.card, move)
        if refusal is not None:
            raise self.refusal(refusal)
        table.follow(move, before, (way for way in found.takes if _begins(way, move)))

    def refuse_stuck(self, table: LiveTable, before: LiveTable | None = None) -> None:
        """Refuse a turn in progress that has no legal end, unless its last play is a draw.

        `before` is the table before its last play, if that play is refused. A draw is refused if a
        three must be tabled first, even if a special hand may hold it: whether the turn has a legal
        end would then depend on a card that the seat has not seen.
        """
        begun = self.house == "refuse" and table.in_turn
        if begun and table.phase == ANSWER:
            self._refuse_question(table)
            return
        drawn = begun and isinstance(table.turn.actions[-1], Draw | TableThrees)
        if not begun or (drawn and not table.late_waits):
            return
        if drawn or table.phase == PACKET:
            wrong, lead = table.objection() if drawn else table.leaves_packet(), ""
        else:
            wrong = None if table.can_end() else table.objection(before)
            lead = "after this play the turn could not end legally: "
        if wrong is not None:
            raise self.refusal(wrong, lead)

    # --- its refusals and events ----------------------------------------------------------------

    def refusal(self, wrong: Violation | Refusal, lead: str = "") -> IllegalPlay:
        """Return the error for a play that a rule forbids, worded for a play not yet made."""
        code, message, key, facts = wrong.code, wrong.message, wrong.key, dict(wrong.facts)
        seats, sides = self.rules.seats, self.rules.sides
        why = entry(code).reason(message, facts, seats, sides)
        remedy = entry(code).advice(message, facts, seats, sides) or _LISTED
        return IllegalPlay(lead + why, code, key, self.profile.ref(key) if key else None, remedy)

    def question_refusal(self, asked: Asked) -> IllegalPlay:
        """Return the error for a question that is refused. Not checked: that it is."""
        assert asked.wrong is not None
        lead = f"after the answer {asked.answer} the turn could not end legally: "
        return self.refusal(asked.wrong, lead if asked.answer else "")

    def event(
        self, deal: int, table: LiveTable, seat: str, move: Move, found: list[Violation]
    ) -> Event:
        """Return the event of a play that was made; `deal` counts from 1."""
        turn = table.turn.number if table.turns else 0
        if isinstance(move, Draw):
            # A continued draw is shown as one.
            move = next(each for each in table.turn.actions if isinstance(each, Draw))
        text = format_move(move, self.rules.draw_count)
        public = format_move(_hidden(table, move), self.rules.draw_count)
        findings = tuple(self._finding(violation, deal, turn) for violation in found)
        return Event(deal, turn, seat, text, public, table.ended, findings)

    def _finding(self, wrong: Violation, deal: int, turn: int) -> Finding:
        return entry(wrong.code).finding(
            wrong.message, wrong.facts, Span(0, 0, 0), self.profile, wrong.key, game=1, deal=deal,
            turn=turn, acknowledged=True,
        )  # fmt: skip


def take_refusal(found: FoundPlays, top: int, move: Take | None = None) -> Refusal | None:
    """Return why the pile cannot be taken, None if it can be, or if the search did not decide.

    `top` is the top card of the pile. If a move is given, only the ways that can begin with it
    count.
    """
    refusals = [way.refusal for way in found.takes if move is None or _begins(way, move)]
    if not refusals:
        return Refusal("pile-unmeldable", "pile.onto_meld", "none", (("card", top),))
    return refusals[0] if all(refusals) else None


def _begins(way: TakeWay, move: Take) -> bool:
    """Return whether a way to take the pile can begin with a take that names this meld, or none."""
    if way.cards or not way.way:
        return move.onto in (None, way.onto)
    return move.onto == way.onto or (way.onto is None and move.onto == RANK[move.card])


def _has_taken_back(table: LiveTable) -> bool:
    return table.in_turn and any(isinstance(each, TakeBack) for each in table.turn.actions)


def _resolved_draw(table: LiveTable, draw: Draw) -> Draw:
    if table.phase != DRAW and not table.may_go_on():
        took = any(isinstance(each, Take) for each in table.turn.actions)
        begun = "taken the pile" if took else "drawn"
        raise WrongPhase(f"this turn has already {begun}", remedy="lay a group, or discard")
    draws = table.draws()
    if not draws:
        raise IllegalPlay("the stock is empty", "stock-empty", remedy="take the pile, or end")
    if draw.bare:
        return Draw(draws[0])
    if draw.cards not in draws:
        raise IllegalPlay(
            f"the stock does not give {format_cards(draw.cards)} as a whole draw",
            "stock-order",
            remedy="draw with a bare +",
        )
    return draw


def _resolved_threes(table: LiveTable, move: TableThrees) -> TableThrees:
    if table.phase != DRAW or table.in_turn:
        why = "threes that were kept are tabled at the beginning of a turn"
        raise WrongPhase(why, remedy=_LISTED)
    tabling = table.tabling(move.threes)
    if tabling is None:
        raise IllegalPlay("the hand has no three to table", "not-in-hand", remedy="draw, or take")
    if move.cards and move.cards != tabling.cards:
        raise IllegalPlay(
            f"the stock does not give {format_cards(move.cards)} as replacements",
            "stock-order",
            remedy="play threes",
        )
    return tabling


def _hidden(table: LiveTable, move: Move) -> Move:
    """Return a move as the other seats see it: of the cards drawn, only the tabled threes."""
    if not isinstance(move, Draw | TableThrees | TakePacket):
        return move
    open_threes = table.tabled(move)
    cards = tuple(code if at in open_threes else UNKNOWN for at, code in enumerate(move.cards))
    if isinstance(move, TableThrees):
        return TableThrees(move.threes, cards)
    if isinstance(move, TakePacket):
        tabled = table.rules.tabled
        new = tuple(code if tabled[RANK[code]] else UNKNOWN for code in move.replacements)
        return TakePacket(move.word, cards, new)
    return Draw(cards)
