"""A game as it is played: who may do what, what happened, and what each seat may see."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import index
from random import Random
from typing import Any, Final

from canasta_notation.dealing import Dealt
from canasta_notation.engine.actions import Ask, Draw, TableThrees, TakePacket
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.scoring import HAND, HELD, winner_of
from canasta_notation.engine.table import Violation
from canasta_notation.english import count, listed
from canasta_notation.fields import check_numbers
from canasta_notation.live.action_text import (
    END,
    MARKS,
    format_move,
    parse_move,
    split_clock,
    with_clock,
)
from canasta_notation.live.answers import (
    Event,
    GameOver,
    GivenUp,
    IllegalPlay,
    LegalPlays,
    NewDeal,
    PlayError,
    PointsRuling,
    ScoreCard,
    SideScore,
    Undone,
    WrongPhase,
)
from canasta_notation.live.as_record import (
    ABANDONED,
    OWN_TAGS,
    RESIGNED,
    DealLog,
    check_tags,
    deal_text,
    given_of,
    is_unchanged,
    moves_of,
    own_profile,
    read_dump,
    read_profile,
    texts_of,
    write_dump,
    write_record,
)
from canasta_notation.live.listing import live_plays
from canasta_notation.live.live_deal import (
    ANSWER,
    DRAW,
    OVER,
    PACKET,
    PLAY,
    AskPartner,
    End,
    LiveRuling,
    LiveTable,
    Move,
)
from canasta_notation.live.referee import House, Referee
from canasta_notation.live.resample import resampled
from canasta_notation.live.shuffle import Given, deal_cards, read_given, seat_at
from canasta_notation.notation.document import BonusLine, Deal, EndLine, Game, PenaltyLine, Turn
from canasta_notation.notation.format import check_lines, format_line
from canasta_notation.players.player import Player
from canasta_notation.players.seated import PLAYERS, player_of, players_of
from canasta_notation.quoting import quoted
from canasta_notation.render.position import Position
from canasta_notation.replay.header import read_header
from canasta_notation.report.seat_view import hide_state
from canasta_notation.rules import Profile, profile_of, rules_tag
from canasta_notation.rules.items import ITEMS

#: A word of a ruling, as the grammar has it.
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

#: A ruling among the moves of a dump: its kind, the side, the points, the word.
_RULING: Final = re.compile(r"(penalty|bonus) ([A-Z]+) ([1-9][0-9]{0,5}) (\S+)")

#: The most points of one ruling, so that scores and totals stay far below ten digits.
_MOST_POINTS: Final = 999_999

#: The lowest total to which rulings can bring a side, also far from ten digits.
_LEAST_TOTAL: Final = -900_000_000

#: The items of a score that depend on the cards in the hands.
_OF_HANDS: Final = (ITEMS[HELD], ITEMS[HAND])

#: How many orders of all the hidden cards are tried.
_TRIES: Final = 24

#: If none of them fits, these shares of the hidden cards are moved, one after the other.
_SHARES: Final = (0.5, 0.25, 0.1) * 4


class LiveGame:
    """A game that is being played: the referee of a table, who knows every card.

    `rules` is the text of a Rules tag, or a profile; `players` are names by seat; `dealer` is the
    first dealer (default: the first seat). `seed` decides every shuffle, in the same way on every
    platform; without it, shuffles are random. With `house="refuse"`, a play that breaks a rule is
    refused; with `"warn"`, it is made and noted, unless a card is not where the play needs it, the
    play comes at the wrong moment of a turn, it asks a partner that the seat does not have, or it
    leaves a pile that must be taken. `tags` are further tags of the record.

    >>> game = LiveGame(rules="bga", seed=7)
    >>> game.deal()
    >>> print(game.play(game.due, "+"))
    E +Jd
    >>> while not game.deal_over:  # a bot that plays the first thing that is legal
    ...     view = game.observe(game.due)  # what a bot may look at: hands, melds, pile...
    ...     event = game.play(game.due, next(game.legal().texts()))
    >>> game.score_card().ended
    'out'

    Raises ValueError for rules, seats or a house that do not exist, and for a profile with values
    that no Rules tag can state. For a profile of your own, a record names the packaged profile that
    it extends, and lists the values that differ.
    """

    def __init__(
        self,
        rules: str | Profile = "classic",
        players: Mapping[str, str] | None = None,
        dealer: str | None = None,
        seed: int | str | None = None,
        house: House = "refuse",
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self._profile = profile_of(rules)
        rules_tag(self._profile)  # raises ValueError for rules that no record can state
        self._rules = rules_of(self._profile)
        self._players = _checked_players(self._rules, players)
        self._first_dealer = seat_at(
            self._rules, self._rules.seats[0] if dealer is None else dealer
        )
        self._seed = _seed(secrets.randbits(64) if seed is None else seed)
        if house not in ("refuse", "warn"):
            raise ValueError(f'house must be "refuse" or "warn", not {quoted(house)}')
        self._referee = Referee(self._profile, self._rules, house)
        if not isinstance(tags, Mapping | None):
            raise ValueError("tags must map names to strings, as in {'Event': 'Club'}")
        self._tags = dict(tags or {})
        check_tags(self._tags, self._rules.seats)
        check_tags({f"name-{seat}": name for seat, name in self._players.items()}, "")
        #: The last deal has a log; one before it can be its text in a dump, to take less memory.
        self._deals: list[DealLog | str] = []

    def _logs(self) -> list[DealLog]:
        return [*map(self._log, range(len(self._deals)))]

    def _log(self, at: int) -> DealLog:
        """Return the log of a deal, counted from 0; one before the last deal is played again."""
        log = self._deals[at]
        if isinstance(log, DealLog):
            return log
        value = json.loads(log)
        log = self._loaded(at, value, value["totals"])
        if at == len(self._deals) - 1:
            self._deals[at] = log
        return log

    @property
    def _last(self) -> DealLog | None:
        return self._log(len(self._deals) - 1) if self._deals else None

    @property
    def _table(self) -> LiveTable | None:
        return self._log(len(self._deals) - 1).table if self._deals else None

    # --- what is known --------------------------------------------------------------------------

    @property
    def rules(self) -> Profile:
        """The profile by which the game is played."""
        return self._profile

    @property
    def house(self) -> House:
        """What happens to a play that breaks a rule: "refuse" or "warn"."""
        return self._referee.house

    @property
    def seats(self) -> str:
        """The letters of the seats, clockwise."""
        return self._rules.seats

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, each spelled by its seats."""
        return self._rules.sides

    @property
    def players(self) -> dict[str, str]:
        """The names of the players by seat."""
        return dict(self._players)

    @property
    def tags(self) -> dict[str, str]:
        """The further tags of the record, by name; see `set_tag`."""
        return dict(self._tags)

    def set_tag(self, name: str, value: str | None) -> None:
        """Give the record a tag, such as Event or Date, at any time; None removes it.

        Raises ValueError for a tag that the game itself writes (CGN, Rules, Target, Dealer, Result,
        the seats), and for a name or value that no record can have.
        """
        tags = {**self._tags, name: value}
        kept = {name: value for name, value in tags.items() if value is not None}
        check_tags(kept, self._rules.seats)
        self._tags = kept

    @property
    def deals(self) -> int:
        """The number of deals that have begun."""
        return len(self._deals)

    @property
    def due(self) -> str:
        """The seat that plays next, "" before, between and after deals.

        While a partner is asked for permission to go out, it is the partner.
        """
        table = self._table
        return "" if table is None or table.phase == OVER else self.seats[table.due]

    @property
    def deal_over(self) -> bool:
        """Whether a deal has been played to its end and the next one has not begun."""
        table = self._table
        return table is not None and table.phase == OVER

    @property
    def totals(self) -> dict[str, int]:
        """The points of each side in the deals that are over."""
        return dict(zip(self.sides, self._totals(), strict=True))

    @property
    def winner(self) -> str | None:
        """The side that has won: at the target, with more points than every other side.

        If one of two sides has resigned, the other one has won.
        """
        table = self._table
        resigned = table.resigned if table else -1
        if resigned >= 0:
            return self.sides[1 - resigned] if len(self.sides) == 2 else None
        winner = winner_of(self._rules, self._totals(), self._played())
        return self.sides[winner] if winner >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game is over: a side has won or resigned, or the last deal was abandoned."""
        table = self._table
        return self.winner is not None or (table is not None and table.abandoned)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the current deal, or of the last one, with every card."""
        return tuple(self._last.events) if self._last else ()

    def events_of(self, deal: int) -> tuple[Event, ...]:
        """Return the events of a deal, counted from 1, with every card.

        Raises LookupError if there is no such deal.
        """
        check_numbers(deal=deal)
        if not 1 <= deal <= len(self._deals):
            raise LookupError(f"no deal {quoted(deal)}; the game has {len(self._deals)}")
        return tuple(self._log(deal - 1).events)

    def observe(self, seat: str | None) -> Position:
        """Return the table as a seat sees it: its own hand, and what everyone can see.

        With None, it is what a spectator sees: no hand. Raises ValueError for a seat that does not
        exist, WrongPhase before the first deal.
        """
        at = None if seat is None else seat_at(self._rules, seat)
        return self._position(at, hides=True)

    def position(self) -> Position:
        """Return the table with every hand: for the referee, not for a player."""
        return self._position(None, hides=False)

    def _position(self, at: int | None, *, hides: bool) -> Position:
        """Return the table as the seat with this index sees it, or with nothing hidden."""
        seat = None if at is None else self.seats[at]
        log = self._dealt_log()
        table, last = log.table, log.events[-1] if log.events else None
        if last and hides:
            last = last.seen_by(seat)
        turn, actions = (table.turn.number, len(table.turn.actions)) if table.turns else (0, 0)
        state = table.state()
        return Position(
            self.deals,
            turn,
            actions - 1 if actions else None,
            str(last or ""),
            table.in_turn,
            self.seats,
            self.sides,
            hide_state(state, at) if hides else state,
            seat,
        )

    # --- dealing --------------------------------------------------------------------------------

    def deal(
        self,
        hands: Mapping[str, str] | None = None,
        up: str | None = None,
        stock: str | None = None,
        packets: Iterable[str] = (),
        keep: Iterable[str] = (),
    ) -> None:
        """Deal the cards of the next deal, shuffled by the seed or as given.

        Any cards can be given as a record spells them, and the rest is shuffled: `hands` by seat
        (`4s 5h ... 3h +6c`), the `up` cards, the whole `stock` line, all `packets` (feet in the
        order of the seats). Threes that must be tabled are replaced; the seats in `keep` keep one
        if the rules allow it.

        Raises WrongPhase during a deal, GameOver after the game, ValueError for cards that cannot
        be dealt as given.
        """
        self._check_next_deal()
        given = read_given(self._rules, hands, up, stock, packets, keep)
        self._begin_deal(given)

    def _check_next_deal(self) -> None:
        """Raise WrongPhase during a deal, GameOver after the game."""
        self._check_not_over()
        if self._table is not None and self._table.phase != OVER:
            raise WrongPhase("the deal is not over", remedy="play it to its end, or undo it")

    def _begin_deal(self, given: Given) -> None:
        dealt = self._dealt(len(self._deals), given)
        log = self._begun(dealt, self._totals(), self.deals + 1, stacked=given.stock is not None)
        self._add(log)

    def _add(self, log: DealLog) -> None:
        """Add the log of the next deal; the one before it becomes text."""
        last = self._deals[-1] if self._deals else ""
        if isinstance(last, DealLog):
            self._deals[-1] = deal_text(last, self.seats)
        self._deals.append(log)

    def _dealt(self, at: int, given: Given) -> Dealt:
        """Return the cards of a deal, counted from 0."""
        dealer = (self._first_dealer + at) % self._rules.players
        return deal_cards(self._rules, dealer, given, f"{self._seed} {at + 1}")

    def _begun(self, dealt: Dealt, totals: list[int], number: int, *, stacked: bool) -> DealLog:
        """Return the log of a deal, with its number from 1, before its first turn."""
        table = LiveTable(self._rules, dealt, totals, number)
        wrong = table.dealt_wrongly()
        if wrong is not None:
            raise ValueError(str(self._referee.refusal(wrong)))
        return DealLog(dealt, totals, table, stacked)

    # --- playing --------------------------------------------------------------------------------

    def play(self, seat: str, text: str, seconds: float | None = None) -> Event:
        """Play one action and return what happened: `+`, `^9d`, `K:KsKhKd`, `ask`, `-4s`...

        A bare `+` draws the cards that are due, with the replacements of threes. If a three may be
        kept, the draw stops there, and another `+` tables it. Drawn cards can be named (`+5h`) only
        if the stock was given to `deal`. `threes` tables threes that were kept. `talon` takes the
        talon due; `end` leaves it, or leaves the pile when the stock is empty. A turn ends
        automatically with the discard or the last card. After `ask`, the partner is due and plays
        `ask=yes` or `ask=no`; question and answer are one action of the turn, in `undo` and in a
        record. `#` and `##` claim that the seat went out; the record has the mark in any case.
        `seconds` are added to the clock of the turn, to the millisecond; the end of a deal has no
        clock.

        Raises a PlayError if the play is refused, ValueError for seconds that are not a number from
        0 to 999999; nothing has changed then.
        """
        spent = None if seconds is None else _milliseconds(seconds)
        if text in MARKS:
            return self._marked(seat, text)
        table, move, found = self._tried(seat, text)
        log = self._dealt_log()
        if log.table.phase == DRAW and isinstance(move, End):
            spent = None
        if spent is not None:
            table.add_time(spent)
        event = self._referee.event(self.deals, table, seat, move, found)
        _log_move(log, table, seat, format_move(move, self._rules.draw_count), spent)
        log.events.append(event)
        return event

    def answer(self, seat: str, yes: bool) -> Event:
        """Answer the question of a partner, as `ask=yes` and `ask=no` do. Raises as `play` does."""
        if type(yes) is not bool:
            raise ValueError(f"the answer must be True or False, not {quoted(yes)}")
        return self.play(seat, format_move(Ask(yes), self._rules.draw_count))

    def check(self, seat: str, text: str) -> PlayError | None:
        """Return why a play would be refused, None if it would be accepted; nothing changes."""
        try:
            if text in MARKS:
                self._marked(seat, text)
            else:
                self._tried(seat, text)
        except PlayError as error:
            return error
        return None

    def _marked(self, seat: str, mark: str) -> Event:
        """Return the event with which a seat went out, for a mark; the record has it already."""
        log = self._dealt_log()
        table, events = log.table, log.events
        if table.phase != OVER or not events or events[-1].seat != seat:
            raise WrongPhase(
                f"{mark} can only follow the play with which the seat goes out", "out-claim"
            )
        if mark not in (table.out_mark, table.out_mark[:1]):
            raise IllegalPlay(f"{seat} did not go out this way: leave out {mark}", "out-claim")
        return events[-1]

    def _tried(self, seat: str, text: str) -> tuple[LiveTable, Move, list[Violation]]:
        """Return the table after a play, the move and its violations. Raises PlayError."""
        move = parse_move(text if isinstance(text, str) else repr(text))
        log = self._dealt_log()
        self._check_not_over()
        return self._referee.judge(log.table, seat, move, stacked=log.stacked)

    def _check_not_over(self) -> None:
        if self.over:
            why = f"{self.winner} has won" if self.winner else "its last deal was abandoned"
            resigned = self._table.resigned if self._table else -1
            why = f"{self.sides[resigned]} has resigned" if resigned >= 0 else why
            raise GameOver(f"the game is over: {why}")

    def penalty(self, side: str, points: int, word: str = "ruling") -> None:
        """Take points from a side as a penalty, which the record shows as a `penalty` line.

        Raises ValueError for a side that does not exist, for points that are not from 1 to 999999
        or that would bring the side's total below -900,000,000, near the limit of a record, and for
        a word that does not consist of letters, digits, `_` and `-` or does not begin with a
        letter; WrongPhase if no deal is in progress, or if a question is not answered.
        """
        self._rule("penalty", side, points, word)

    def bonus(self, side: str, points: int, word: str = "bonus") -> None:
        """Give points to a side, which the record shows as a `bonus` line.

        Raises what `penalty` raises; the total must not exceed 900,000,000.
        """
        self._rule("bonus", side, points, word)

    def _rule(self, kind: str, side: str, points: int, word: str) -> None:
        log = self._dealt_log()
        if log.table.phase == OVER:
            raise WrongPhase("the deal is over")
        if log.table.phase == ANSWER:
            raise WrongPhase("the question comes first", remedy="answer it first")
        ruling = self._ruling(log, kind, side, points, word)
        log.advance(log.table.copy())
        log.table.rule(ruling)
        log.moves.append(("", f"{kind} {side} {points} {word}"))

    def _ruling(self, log: DealLog, kind: str, side: str, points: int, word: str) -> LiveRuling:
        """Return a ruling. Raises ValueError for one that no record can have."""
        self._check_side(side)
        if type(points) is not int or not 0 < points <= _MOST_POINTS:
            raise ValueError(
                f"points must be a number from 1 to {_MOST_POINTS}, not {quoted(points)}"
            )
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            raise ValueError(f"not a word of letters, digits, _ and -: {quoted(word)}")
        check_lines([f"{kind} {side} {points} {word}"])
        at, given = self.sides.index(side), kind == "bonus"
        total = log.totals[at] + log.table.ruled(at) + (points if given else -points)
        if abs(total) > -_LEAST_TOTAL:
            raise ValueError(f"the rulings for {side} come to more than a score can hold")
        return LiveRuling(at, points, word, given)

    def abandon(self, reason: str = "") -> None:
        """End the deal, and with it the game, unfinished: nobody scores or wins.

        The record says `end unfinished`, with the reason as a comment, and the totals of the deals
        before; a turn in progress is left out. Raises WrongPhase if no deal is in progress, and if
        the stock is empty, because the deal then ends by the rules; ValueError for a reason that is
        not one line of text.
        """
        if not isinstance(reason, str) or reason != reason.strip():
            raise ValueError(f"the reason must be one line of text, not {quoted(reason)}")
        check_lines([format_line(EndLine("unfinished", comment=reason or None))])
        self._give_up(f"{ABANDONED} {reason}".strip())

    def resign(self, side: str) -> None:
        """End the deal, and with it the game, because a side gives up; of two, the other wins.

        The record says so like that of an abandoned deal. Raises ValueError for a side that does
        not exist, and WrongPhase as `abandon` does.
        """
        self._check_side(side)
        self._give_up(f"{RESIGNED}{side}")

    def _give_up(self, move: str) -> None:
        log = self._dealt_log()
        if log.table.phase == OVER:
            raise WrongPhase("the deal is over")
        if not log.table.may_abandon():
            raise WrongPhase("the stock is empty", remedy="play end, or take the pile")
        log.advance(log.table.copy())
        self._end_unfinished(log, move)
        log.moves.append(("", move))

    def _end_unfinished(self, log: DealLog, move: str) -> None:
        """End a deal as a move of a dump says. Raises ValueError for a side that does not exist."""
        side = move.removeprefix(RESIGNED)
        if side == move:
            log.table.abandon(move.removeprefix(ABANDONED).strip())
            return
        self._check_side(side)
        log.table.abandon(f"{side} resigned", self.sides.index(side))

    def _check_side(self, side: object) -> None:
        """Raise ValueError for a side that does not exist."""
        if side not in self.sides:
            raise ValueError(
                f"no side {quoted(side)} in this game: the sides are {' '.join(self.sides)}"
            )

    def choose(self, player: str | Player) -> list[str]:
        """Return the plays with which a player continues for the seat that is due.

        `player` is `random`, `greedy`, `careful` or `rollout`; at the same moment, it always plays
        the same. The plays lead to the draw, or to the end of the turn. The player knows only what
        the seat can see. Nothing is played. Raises ValueError for a name that is not a player,
        WrongPhase if no deal is in progress.
        """
        table = self._dealt_table()
        if isinstance(player, str):
            player = player_of(player, self._profile, f"{self.deals} {table.turns} {self.due}")
        if not isinstance(player, Player):
            raise ValueError(f"a player is {listed(PLAYERS, 'or')}, not {quoted(player)}")
        if table.phase == OVER:
            raise WrongPhase("the deal is over", remedy="call deal()")
        draw_count = self._rules.draw_count
        return [
            move.word if isinstance(move, TakePacket) else format_move(move, draw_count)
            for move in table.chosen(player)
        ]

    # --- what is legal --------------------------------------------------------------------------

    def legal(self, *, reasons: bool = True) -> LegalPlays:
        """Return what the rules allow the seat that is due, and what they do not allow and why.

        Without `reasons`, the second is left out, which takes less time.

        `legal().texts()` yields the plays as `play` takes them. Plays that differ only in suits are
        listed once: a discard stands for every card of its rank. Before the first deal, between
        deals and after the game there are none.
        """
        table = self._table
        if table is None or table.phase == OVER or self.over:
            return LegalPlays("", OVER)
        return live_plays(self._referee, table, reasons=reasons)

    # --- scores ---------------------------------------------------------------------------------

    def score_card(self) -> ScoreCard:
        """Return the score of the last deal. Raises WrongPhase during a deal."""
        table = self._dealt_table()
        if table.phase != OVER:
            raise WrongPhase("the deal is not over")
        by = self.seats[table.ended_by] if table.ended_by >= 0 else None
        totals = self._totals()
        return ScoreCard(
            len(self._deals),
            table.ended,
            by,
            tuple(
                SideScore(side, items, sum(items.values()), total)
                for side, items, total in zip(self.sides, table.score(), totals, strict=True)
            ),
        )

    def points(self) -> dict[str, int]:
        """Return the points that each side has on the table now, without what its hands cost.

        So they reveal nothing about a hand. Raises WrongPhase before the first deal.
        """
        items = self._dealt_table().score()
        return {
            side: sum(points for item, points in each.items() if item not in _OF_HANDS)
            for side, each in zip(self.sides, items, strict=True)
        }

    def _played(self) -> int:
        """Return how many deals are over."""
        return len(self._deals) - (bool(self._deals) and self._dealt_log().table.phase != OVER)

    def _totals(self) -> list[int]:
        if not self._deals:
            return [0] * len(self.sides)
        log = self._dealt_log()
        before = log.totals
        if log.table.phase != OVER:
            return before[:]
        scores = [sum(items.values()) for items in log.table.score()]
        return [one + other for one, other in zip(before, scores, strict=True)]

    # --- back, and out --------------------------------------------------------------------------

    @property
    def next_undo(self) -> Undone | None:
        """What `undo` would take back, None for nothing.

        An action is its `Event`, a question with its answer the event of the answer. The event has
        hidden cards: show a player its `seen_by(seat)`.
        """
        if not self._deals:
            return None
        log = self._dealt_log()
        if not log.moves:
            return NewDeal(self.deals)
        seat, text = log.moves[-1]
        if seat:
            return log.events[-1]
        ruling = _RULING.fullmatch(text)
        if ruling is not None:
            kind, side, points, word = ruling.groups()
            return PointsRuling(self.deals, kind, side, int(points), word)
        if text.startswith(RESIGNED):
            return GivenUp(self.deals, text.removeprefix(RESIGNED))
        return GivenUp(self.deals, None, text.removeprefix(ABANDONED).strip())

    def undo(self) -> Undone:
        """Take back the last step, and return what it was, as `next_undo` says.

        A step is an action, a penalty or bonus, the end of a deal that was given up, or a deal
        before its first action. Raises WrongPhase if there is nothing to take back. Players still
        know what they have seen, such as a card whose draw is taken back.
        """
        undone = self.next_undo
        if undone is None:
            raise WrongPhase("nothing to take back")
        log = self._dealt_log()
        if log.moves:
            for seat, text in log.go_back(len(log.moves) - 1, self.deals):
                self._redo(log, self.deals, seat, text)
        else:
            self._deals.pop()
        return undone

    def take_back(self, seat: str) -> tuple[Undone, ...]:
        """Take back the last play of a seat, and what came after it without a decision of another.

        Returns what was taken back, the last step first: a deal that was dealt, a penalty or bonus,
        an abandoned deal, and then the play. If the side of the seat has resigned, that is its last
        play. If the seat has answered its partner, the question stands again; its clock keeps the
        time of both.

        Raises ValueError for a seat that does not exist; WrongPhase if another seat has played
        since, or if the seat has played nothing. Nothing has changed then.
        """
        seat_at(self._rules, seat)
        trial, taken, found = self.copy(), list[Undone](), False
        while not found:
            undone = trial.next_undo
            if undone is None:
                raise WrongPhase(f"{seat} has played nothing that can be taken back")
            other, found = _decided(undone, seat)
            if other:
                what = undone.seen_by(seat) if isinstance(undone, Event) else undone
                raise WrongPhase(
                    f"another has played since: {what}", remedy=f"let {other} take it back first"
                )
            question = trial._dealt_log().moves[-1:]
            taken.append(trial.undo())
            if isinstance(undone, Event) and undone.answer is not None:
                trial._ask_again(*question[0])
        self._deals = trial._deals
        return tuple(taken)

    def _ask_again(self, seat: str, answered: str) -> None:
        """Ask a question again whose answer was taken back."""
        spent = split_clock(answered)[1]
        asked = with_clock(format_move(AskPartner(), self._rules.draw_count), spent)
        log = self._dealt_log()
        self._redo(log, self.deals, seat, asked)

    def copy(self) -> LiveGame:
        """Return an independent copy of the game, with its history, in a few microseconds."""
        other: LiveGame = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._deals = self._deals[:]
        if self._last:
            other._deals[-1] = self._last.copy()
        return other

    def _redo(self, log: DealLog, deal: int, seat: str, text: str) -> None:
        """Play again, at the table of the log, a move that was accepted before.

        Raises PlayError if it cannot be played, ValueError for a wrong penalty.
        """
        log.keep()
        if seat:
            move_text, spent = split_clock(text)
            move = parse_move(move_text)
            move, found = self._referee.redo(log.table, seat, move)
            if spent is not None:
                log.table.add_time(spent)
            who = seat
            if isinstance(move, Ask):
                asked = self._referee.event(deal, log.table, seat, AskPartner(), [])
                log.events.append(asked)
                who = self.seats[log.table.partner]
            log.events.append(self._referee.event(deal, log.table, who, move, found))
        elif text.startswith((ABANDONED, RESIGNED)) and log.table.may_abandon():
            self._end_unfinished(log, text)
        else:
            ruling = _RULING.fullmatch(text)
            if ruling is None:
                raise ValueError(
                    f"not a penalty such as 'penalty {self.sides[0]} 50 late': {quoted(text)}"
                )
            kind, side, points, word = ruling.groups()
            log.table.rule(self._ruling(log, kind, side, int(points), word))
        log.moves.append((seat, text))

    def resample(self, seat: str, seed: int | str) -> LiveGame:
        """Return a game that the seat cannot distinguish from this one; unseen cards are shuffled.

        `seed` decides the order of the cards that the others hold unseen (a kept three too), of the
        rest of the stock and of the packets. If none of the first orders fits, fewer cards are
        moved. Every play stays as it was, and earlier deals do not change. A player can imagine
        such games, for a search or for learning. What the plays of others suggest about their hands
        is not taken into account.

        Raises WrongPhase before the first deal, ValueError for a seat that does not exist.
        """
        at = seat_at(self._rules, seat)
        self._dealt_table()
        rng, named = Random(_seed(seed)), f"resampled {seed}"
        tries = 0 if self.deal_over else _TRIES  # the score would reveal most orders of the hands
        for tried in range(tries):
            other = self._shuffled(at, rng, named, openings_hidden=tried % 2 == 1)
            if other is not None:
                return other
        log = self._dealt_log()
        found = self._with_cards(log.dealt, log, named)
        for tried, share in enumerate(_SHARES):
            late = tried % 2 == 1
            found = found._shuffled(at, rng, named, share, openings_hidden=late) or found
        return found

    def _shuffled(
        self, at: int, rng: Random, seed: str, share: float = 1, *, openings_hidden: bool
    ) -> LiveGame | None:
        """Return the game with a share of the unseen cards in another order, None if it shows.

        It shows if a play was not possible, or if the seat would have seen something else.
        """
        log = self._dealt_log()
        dealt = resampled(
            self._rules, log.table, at, rng, openings_hidden=openings_hidden, share=share
        )
        try:
            other = self._with_cards(dealt, log, seed)
        except ValueError:
            return None
        seat = self.seats[at]
        return other if other._seen_by(seat) == self._seen_by(seat) else None

    def _with_cards(self, dealt: Dealt, log: DealLog, seed: str) -> LiveGame:
        """Return the game with other cards in its last deal, and in later deals."""
        other = LiveGame(
            self._profile, self._players, self.seats[self._first_dealer], seed,
            self._referee.house, self._tags,
        )  # fmt: skip
        again = other._begun(dealt, log.totals, self.deals, stacked=log.stacked)
        other._deals = [*self._deals[:-1], again]
        for seat, text in log.moves:
            text, spent = split_clock(text)
            move = parse_move(text) if seat else None
            if isinstance(move, Draw):
                drawn = again.table.drawn
                cards = dealt.stock[drawn : drawn + len(move.cards)]
                text = format_move(Draw(cards), self._rules.draw_count)
            elif isinstance(move, TableThrees):
                text = format_move(TableThrees(move.threes), self._rules.draw_count)
            elif isinstance(move, TakePacket):
                text = move.word
            other._redo(again, other.deals, seat, with_clock(text, spent))
        other._refuse_stuck()
        return other

    def _seen_by(self, seat: str) -> tuple[Position, list[Event], ScoreCard | None]:
        seen = [event.seen_by(seat) for event in self.events]
        return self.observe(seat), seen, self.score_card() if self.deal_over else None

    def dump(self) -> str:
        """Return the whole game as JSON, with hidden cards: for a server, not for a player."""
        head = {
            "rules": rules_tag(self._profile),
            "players": self._players,
            "tags": self._tags,
            "dealer": self.seats[self._first_dealer],
            "seed": self._seed,
            "house": self._referee.house,
            **own_profile(self._profile),
        }
        return write_dump(head, self.seats, self._deals)

    @classmethod
    def load(cls, text: str) -> LiveGame:
        """Return the game of a dump, equal to the one that was dumped, with its undo history.

        Raises ValueError if the text is not a dump, or contains something that cannot happen.
        """
        value = read_dump(text)
        names = ("players", "dealer", "seed", "house", "tags")
        game = cls(read_profile(value), *[value[name] for name in names])
        deals = value["deals"]
        if deals and is_unchanged(value, len(game.sides)):
            game._deals = [*texts_of(deals)]  # played again when they are needed
            game._log(len(deals) - 1)
        else:
            for at, deal in enumerate(deals):
                game._check_next_deal()
                game._add(game._loaded(at, deal, game._totals()))
        game._refuse_stuck()
        return game

    def _loaded(self, at: int, deal: dict[str, Any], totals: list[int]) -> DealLog:
        """Return the log of a deal of a dump, counted from 0, played again. Raises ValueError."""
        given = read_given(self._rules, deal["hands"], deal["up"], deal["stock"], deal["packets"])
        log = self._begun(self._dealt(at, given), totals, at + 1, stacked=deal["stacked"])
        for seat, text in deal["moves"]:
            self._redo(log, at + 1, seat, text)
        return log

    def to_record(self) -> str:
        """Return the record of the game, which `canasta validate` verifies.

        It has every card of every deal. A turn in progress is left out, and its deal is unfinished.
        If the stock is empty by then, the record says neither how the deal ends nor the result,
        because both depend on what is played next.
        """
        totals = " ".join(f"{side} {total}" for side, total in self.totals.items())
        dealer = self.seats[self._first_dealer]
        tags = {**self._tags, **self._players, "Dealer": dealer}
        return write_record(self._profile, tags, totals if self.over else "*", self._logs())

    @classmethod
    def from_record(
        cls,
        game: Game,
        *,
        deal: int | None = None,
        turn: int | None = None,
        actions: int = 0,
        seed: int | str | None = None,
        house: House = "refuse",
    ) -> LiveGame:
        """Return a live game that continues from a position in a record.

        The position is before turn `turn` of deal `deal` (both from 1; by default the last deal),
        or after the first `actions` actions of the turn. Without a turn, it is after everything
        that was played. The stock has the cards that the record shows, and the rest is shuffled by
        the seed.

        Every hand and the up card must be written in full, with suits. The stock and the talons
        need not be written. Draws can be bare (`+`) only after the last draw that names its cards.

        Raises ValueError for a record with unwritten cards, or with plays that the house does not
        allow; LookupError if there is no such position; TypeError if `game` is not a Game.
        """
        if not isinstance(game, Game):
            raise TypeError(f"from_record takes a Game, as read() yields it, not {quoted(game)}")
        check_numbers(deal=deal, turn=turn, actions=actions)
        profile = read_header(game, 1).profile
        if profile is None:
            raise ValueError("the rules of the record cannot be read")
        if actions and turn is None:
            raise ValueError("actions count within a turn: give the turn too")
        tags = {tag.name: tag.value for tag in game.tags if tag.name not in OWN_TAGS}
        players = {seat: tags.pop(seat) for seat in profile.seats if seat in tags}
        first = game.tag("Dealer") or None
        dealer = first.value if first else game.deals[0].dealer if game.deals else None
        live = cls(profile, players, dealer, seed, house, tags)
        last = len(game.deals) if deal is None else deal
        if not 0 <= last <= len(game.deals) or (deal == 0):
            raise LookupError(f"the record has no deal {last}; it has {len(game.deals)}")
        for number in range(1, last + 1):
            until = turn if number == last else None
            live._follow(game.deals[number - 1], until, actions, whole=number < last)
        live._refuse_stuck()
        return live

    def _follow(self, deal: Deal, turn: int | None, actions: int, *, whole: bool) -> None:
        """Play a deal of a record up to a turn, and then its first `actions` actions."""
        self._begin_deal(given_of(self._rules, deal))
        log, number = self._dealt_log(), self.deals
        turns = [line for line in deal.play if isinstance(line, Turn)]
        if turn is not None and not 1 <= turn <= len(turns) + 1:
            raise LookupError(f"deal {deal.number} has no turn {turn}; it has {len(turns)}")
        stop = turns[turn - 1] if turn is not None and turn <= len(turns) else None
        ended = whole or (deal.end is not None and deal.end.reason == "stock")
        for line in deal.play:
            if isinstance(line, PenaltyLine | BonusLine):
                self._redo(log, number, "", format_line(replace(line, comment=None, before=())))
                continue
            moves = moves_of(line, self._rules.draw_count)
            if line is stop:
                if not 0 <= actions <= len(moves):
                    raise LookupError(
                        f"turn {turn} has {count(len(moves), 'action')}, not {actions}"
                    )
                del moves[actions:]
            for text in moves:
                self._redo(log, number, line.seat, text)
            if line is stop:
                return
            if _is_over(line, log.table, followed=line is not turns[-1], ended=ended):
                self._redo(log, number, line.seat, END)
        if ended and turn is None and log.table.phase == DRAW and not log.table.stock_left:
            self._redo(log, number, self.due, END)
        if whole and log.table.phase != OVER:
            raise ValueError(f"deal {deal.number} is not played to its end, but another follows")

    def _refuse_stuck(self) -> None:
        """Raise IllegalPlay if the turn that was played again can have no legal end."""
        if self._table is not None:
            self._referee.refuse_stuck(self._table)

    def _dealt_table(self) -> LiveTable:
        return self._dealt_log().table

    def _dealt_log(self) -> DealLog:
        if not self._deals:
            raise WrongPhase("nothing has been dealt", remedy="call deal()")
        return self._log(len(self._deals) - 1)

    def __copy__(self) -> LiveGame:
        return self.copy()

    def __deepcopy__(self, memo: object) -> LiveGame:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its dump."""
        return LiveGame.load, (self.dump(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiveGame) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        totals = " ".join(f"{side} {total}" for side, total in self.totals.items())
        now = f"{self.due} is due" if self.due else "over" if self.over else "between deals"
        return f"<LiveGame {self._profile.name}, {count(self.deals, 'deal')}, {totals}, {now}>"


def table_of(game: LiveGame) -> LiveTable:
    """Return the table of a game's last deal; not checked: that nobody changes it."""
    return game._dealt_table()


def play_out(
    game: LiveGame, players: str | Mapping[str, str] = "careful", seed: int | str = 0
) -> ScoreCard:
    """Let players play the deal in progress to its end, and return its score.

    `players` is the name of a player (`random`, `greedy`, `careful` or `rollout`), one for each
    seat with commas between them, or a mapping from every seat to a name. They continue the deal
    from its current state, even within a turn. `seed` decides what `random` and `rollout` do.

    >>> game = LiveGame(seed=7)
    >>> game.deal()
    >>> play_out(game, "careful,greedy,careful,greedy").ended
    'out'

    Raises ValueError for a name that is not a player and for a wrong number of players, WrongPhase
    if no deal is in progress.
    """
    seated = dict(zip(game.seats, players_of(players, game.rules, str(seed)), strict=True))
    if not game.due:
        raise WrongPhase("no deal is in progress", remedy="call deal()")
    while game.due:
        seat = game.due
        for text in game.choose(seated[seat]):
            game.play(seat, text)
    return game.score_card()


def _milliseconds(seconds: object) -> int:
    """Return seconds as milliseconds. Raises ValueError unless they are from 0 to 999999."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e6:
        raise ValueError(f"seconds must be a number from 0 to 999999, not {quoted(seconds)}")
    return round(seconds * 1000)


def _seed(seed: int | str) -> str:
    """Return a seed as text. Raises ValueError unless it is a whole number or a text."""
    try:
        return seed.encode().decode() if isinstance(seed, str) else str(index(seed))
    except (TypeError, UnicodeEncodeError):
        message = f"the seed must be a whole number or a string, not {quoted(seed)}"
        raise ValueError(message) from None


def _checked_players(rules: Rules, players: Mapping[str, str] | None) -> dict[str, str]:
    """Return the names of players by their seats. Raises ValueError for anything else."""
    if not isinstance(players, Mapping | None):
        raise ValueError(f"players must map seats to names, as in {{{rules.seats[0]!r}: 'Ana'}}")
    for seat, name in (players or {}).items():
        seat_at(rules, seat)
        if not isinstance(name, str):
            raise ValueError(f"the name of {seat} must be a string, not {quoted(name)}")
    return dict(players or {})


def _decided(undone: Undone, seat: str) -> tuple[str, bool]:
    """Return who else decided on a step, "" for nobody, and whether the seat did."""
    by = undone.seat if isinstance(undone, Event) else ""
    if isinstance(undone, GivenUp):
        by = undone.side or ""
    return ("", bool(by)) if seat in by or not by else (by, False)


def _log_move(log: DealLog, table: LiveTable, seat: str, text: str, spent: int | None) -> None:
    """Add a move to the log of its deal; an answer becomes one move with its question."""
    if log.table.phase == ANSWER:
        seat, question = log.moves.pop()
        log.table = table
        before = split_clock(question)[1]
        spent = spent if before is None else before + (spent or 0)
    else:
        log.advance(table)
    log.moves.append((seat, with_clock(text, spent)))


def _is_over(turn: Turn, table: LiveTable, *, followed: bool, ended: bool) -> bool:
    """Return whether the turn of a record ends although nothing more is written in it.

    A turn without a discard is over if it is followed by another turn or by an end, or if the
    record says so.
    """
    if table.phase != PLAY:
        return table.phase == PACKET
    return followed or "discard-missing" in turn.acknowledged or (ended and table.last_three)
