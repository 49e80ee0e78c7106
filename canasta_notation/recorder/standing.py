"""The standing of a record: its lines, read and replayed, and what is due next.

A standing is a value that depends only on the lines. So a recorder that was killed resumes exactly
where the file ends, and to take an entry back, it reads the lines from before the entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from canasta_notation.engine.deal import reopen
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.state import State, snapshot
from canasta_notation.engine.table import NO, OPEN, STOCK, Table, copy_table, top_of
from canasta_notation.findings import Finding
from canasta_notation.notation.document import UNCOUNTED, VOID, Deal, EndLine, Game, Turn
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import Reading, read_games, read_line
from canasta_notation.replay.game_replay import GameReplay
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.replay.header import Header
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile
from canasta_notation.search.able import able_to_take

#: What is due: a deal's first line, a turn, the scores of a deal that has ended, or nothing.
Phase = Literal["deal", "play", "scores", "over"]

#: How a deal without a score can end.
BROKEN_OFF: Final = ("unfinished", *UNCOUNTED)
#: The Result of a game without a winner yet.
OPEN_RESULT: Final = "*"


@dataclass(frozen=True, slots=True)
class FilePlace:
    """The place of a game in its file: its first line, and how many games come before it."""

    first_line: int = 1
    games: int = 0


class NotRecordable(Exception):
    """A record that cannot be continued; the message says why, in one line."""


class Standing:
    """The lines of one game, read and replayed. It never changes; each entry makes a new one.

    If the lines are those of the standing `before` plus one turn, only that turn is read and
    replayed, however long the game is.

    `play` is the table of the last deal after its last turn, None before the first deal. Raises
    NotRecordable if the lines contain no game, or name unknown rules.
    """

    def __init__(
        self, lines: Sequence[str], place: FilePlace = FilePlace(), before: Standing | None = None
    ) -> None:
        self.lines: tuple[str, ...] = tuple(lines)
        self.place = place
        self.play: Table | None = None
        #: How the play ended the last deal, whether or not there is an end line.
        self._ended_in_play = OPEN
        gone_on = None if before is None else self._with_one_turn(before)
        self._replay: GameReplay = gone_on or self._read()
        game = self._replay.game
        self.reading = Reading(game, game.problems, list(self.lines), place.first_line)
        self.header: Header = self._replay.header
        problem = self.header.rules_problem
        if problem is not None:
            raise NotRecordable(f"{problem.message} ({problem.help})")
        assert self.header.profile is not None
        self.profile: Profile = self.header.profile
        self.rules = rules_of(self.profile)
        self.report: GameReport = self._replay.report
        self._over_by_stock = self._reopen()

    def _with_one_turn(self, before: Standing) -> GameReplay | None:
        """Return the replay of `before` with one more turn, None if these are other lines."""
        if (self.lines[:-1], self.place) != (before.lines, before.place):
            return None
        turn = read_line(self.lines[-1], self.place.first_line + len(before.lines))
        game = before.reading.game
        if not isinstance(turn, Turn) or game.problems or game.comments or not game.deals:
            return None
        deal = game.deals[-1]
        if deal.end or deal.end_lines or deal.scores or deal.total:
            return None
        deal = replace(deal, play=(*deal.play, turn))
        return self._replayed(replace(game, deals=(*game.deals[:-1], deal)), before._replay)

    def _read(self) -> GameReplay:
        source = [line.encode("utf-8", "surrogatepass") + b"\n" for line in self.lines]
        place = self.place
        for reading in read_games(source, first_line=place.first_line, games=place.games):
            return self._replayed(reading.game, None)
        raise NotRecordable("there is no game in it")

    def _replayed(self, game: Game, earlier: GameReplay | None) -> GameReplay:
        return GameReplay(
            game, self.place.games + 1, None, self._observe, keep=True, earlier=earlier
        )

    def _observe(self, moment: Moment) -> None:
        self.play, self._ended_in_play = moment.table, moment.table.ended

    def _reopen(self) -> bool:
        """Return whether only the empty stock ended the deal; if so, reopen the table.

        A seat that does not have to take the pile may still take it.
        """
        play = self.play
        if play is None:
            return False
        self.play = copy_table(play)
        if play.ended != STOCK or self._ended_in_play != OPEN:
            return False
        reopen(self.play)
        return True

    # --- the document ---------------------------------------------------------------------------

    @property
    def deal(self) -> Deal | None:
        """The last deal, None before the first."""
        deals = self.reading.game.deals
        return deals[-1] if deals else None

    @property
    def deal_report(self) -> DealReport | None:
        """The report of the last deal."""
        return self.report.deals[-1] if self.report.deals else None

    @property
    def turns(self) -> list[Turn]:
        """The turns of the last deal."""
        return [line for line in self.deal.play if isinstance(line, Turn)] if self.deal else []

    @property
    def names(self) -> dict[str, str]:
        """The names of the players of the deal that is due or being recorded, by their seats."""
        return self.reading.game.names(self.rules.seats, max(self.deal_due, 1))

    def line_text(self, number: int) -> str | None:
        """Return the text of a line by its number in the file."""
        at = number - self.place.first_line
        return self.lines[at] if 0 <= at < len(self.lines) else None

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings so far: of the text, the tags, the play and the claims.

        A Result that stays open because a total is not known yet is not one of them.
        """
        tag = self.header.result_tag
        found = self.report.findings
        if tag is None or tag.value != OPEN_RESULT or result_of(self) != OPEN_RESULT:
            return found
        return tuple(each for each in found if each.code != "result")

    # --- what is due ----------------------------------------------------------------------------

    @cached_property
    def phase(self) -> Phase:
        """What is due next; after a deal's first score, the other scores are due.

        Nothing is due after a deal that was broken off, unless its scores were written anyway;
        after a void deal, the next one is due.
        """
        deal = self.deal
        if deal is None:
            return "deal"
        if not self.ended:
            return "play"
        if self.broken_off:
            return "deal" if self._is_void else "over"
        if deal.total is None and not self._all_scored(deal):
            return "scores"
        return "over" if self.report.result.finished else "deal"

    def _all_scored(self, deal: Deal) -> bool:
        return {line.side for line in deal.scores} >= set(self.rules.sides)

    @property
    def broken_off(self) -> bool:
        """Whether the last deal was broken off, or counts nothing, and has no score."""
        deal = self.deal
        broken = deal is not None and deal.end is not None and deal.end.reason in BROKEN_OFF
        return deal is not None and broken and not (deal.scores or deal.total)

    @property
    def _is_void(self) -> bool:
        """Whether the last deal is void, so that the same seat deals again."""
        return self.deal is not None and self.deal.end is not None and self.deal.end.reason == VOID

    @property
    def ended(self) -> bool:
        """Whether the last deal is over: by an end line, by scores, or by its play."""
        deal = self.deal
        if deal is None:
            return False
        sheet = bool(deal.scores or deal.total)
        return deal.end is not None or sheet or self.end_line is not None

    @cached_property
    def end_line(self) -> EndLine | None:
        """The end line that is due after the play: out, special, or an empty stock.

        None if there is one already, or if the seat due may still take the pile.
        """
        play = self.play
        if self.deal is None or play is None or self.deal.end is not None or not play.knowable:
            return None
        if play.ended != OPEN:
            by = self.rules.seats[play.ended_by] if play.ended_by >= 0 else None
            return EndLine(play.ended, by if play.ended != STOCK else None)
        if self._over_by_stock and able_to_take(play, play.due) == NO:
            return EndLine(STOCK)
        return None

    @property
    def may_end(self) -> bool:
        """Whether the stock is empty and the seat due can take the pile but does not have to."""
        return self._over_by_stock and self.end_line is None

    @property
    def checked(self) -> bool:
        """Whether the last deal could be checked up to its last line."""
        report = self.deal_report
        play = self.play
        return report is None or (
            report.unchecked_from is None and play is not None and play.knowable
        )

    @property
    def turn_due(self) -> int:
        """The number of the turn that is due, from 1."""
        return 1 if self.phase == "deal" else len(self.turns) + 1

    @property
    def seat_due(self) -> str | None:
        """The seat whose turn is due, None if it is not known."""
        seats = self.rules.seats
        if self.phase == "deal":
            dealer = self.dealer_due
            return None if dealer is None else seats[(seats.index(dealer) + 1) % len(seats)]
        if self.play is not None and self.checked:
            return None if self.play.due < 0 else seats[self.play.due]
        last = self.turns[-1].seat if self.turns else ""
        return seats[(seats.index(last) + 1) % len(seats)] if last and last in seats else None

    @property
    def deal_due(self) -> int:
        """The number of the current deal, or of the one that is due."""
        return len(self.reading.game.deals) + (self.phase == "deal")

    @property
    def dealer_due(self) -> str | None:
        """The dealer of the deal that is due, None if it is not known."""
        if self.play is None:
            return self.header.dealer
        if self.play.dealer < 0:
            return None
        return self.rules.seats[(self.play.dealer + (not self._is_void)) % len(self.rules.seats)]

    @property
    def side_due(self) -> str | None:
        """The side whose score is due: the one after the last that has a score line."""
        if self.phase != "scores" or self.deal is None:
            return None
        sides = self.rules.sides
        last = self.deal.scores[-1].side if self.deal.scores else ""
        after = sides.index(last) + 1 if last in sides else 0
        return sides[after] if after < len(sides) else None

    def totals(self) -> dict[str, int | None]:
        """Return each side's total after the last scored deal."""
        totals = self.report.result.totals
        return totals or dict.fromkeys(self.rules.sides, 0)

    def state(self) -> State | None:
        """Return the table as a value, None before the first deal."""
        return None if self.play is None else snapshot(self.play)

    @property
    def top(self) -> int | None:
        """The code of the pile's top card, None if the pile is empty or not known."""
        play = self.play
        known = play is not None and self.phase == "play" and self.checked
        return top_of(play) if known and play is not None and play.pile_size else None

    @property
    def deal_line(self) -> str:
        """The line that begins the deal that is due."""
        return format_line(Deal(self.deal_due, self.dealer_due))


# --- what is written automatically after an entry -------------------------------------------------


def with_due_lines(before: Standing, after: Standing) -> Standing:
    """Return `after` with the end line that is due after its play, and with an updated Result tag.

    A Result tag that did not agree with the record before the entry is left as it is.
    """
    lines = list(after.lines)
    if after.end_line is not None:
        lines.append(format_line(after.end_line))
        after = Standing(lines, after.place)
    wanted, tag = result_of(after), after.header.result_tag
    if tag is None or tag.value == wanted or not _is_kept_up(before):
        return after
    lines[tag.span.line - after.place.first_line] = format_line(replace(tag, value=wanted))
    return Standing(lines, after.place)


def result_of(standing: Standing) -> str:
    """Return the value for the Result tag: the totals if the game is over, else `*`.

    They are the totals that the players wrote down; if they wrote none, those of the play. As long
    as one of them is not known, the value is `*`.
    """
    result, deal = standing.report.result, standing.deal
    written = dict(deal.total.totals) if deal is not None and deal.total is not None else {}
    totals = {side: written.get(side, total) for side, total in result.totals.items()}
    if not result.finished or None in totals.values():
        return OPEN_RESULT
    return " ".join(f"{side} {total}" for side, total in totals.items())


def _is_kept_up(standing: Standing) -> bool:
    tag = standing.header.result_tag
    return tag is not None and tag.value in (OPEN_RESULT, result_of(standing))
