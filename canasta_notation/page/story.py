"""A game as a page tells it: played once, or twice as a seat sees it, with its scores explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Final

from canasta_notation.analysis.chances import Chances
from canasta_notation.analysis.values import DealValues
from canasta_notation.engine.actions import Draw, Take
from canasta_notation.engine.table import Table
from canasta_notation.english import count, listed
from canasta_notation.findings import Finding
from canasta_notation.notation.reader import Reading
from canasta_notation.page.could_have import could_have
from canasta_notation.page.wording import Shown, card_names, points, row_runs, row_text, tag_text
from canasta_notation.render.analysis_rows import better_words
from canasta_notation.render.paint import Look
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.score_card import deal_title
from canasta_notation.report.ledger import GameLedger, ItemRow, SideLedger, explain_game
from canasta_notation.report.played import Played, PlayedDeal, PlayedTurn, play_game
from canasta_notation.rules import Profile

#: In rows of words, each card is a run of its own, as the notation spells it.
_LOOK: Final = Look(colour=False)
_NO_VALUES: Final[Mapping[int, DealValues]] = {}
_MONTHS: Final = (
    "January February March April May June July August September October November December"
)


@dataclass(frozen=True, slots=True)
class Story:
    """A played game, the ledger of its scores, and what its turns could have done, in words.

    The scores are those of the whole record. In a seat's view, what is said to earn them and the
    chances are what the seat can know. The templates take everything that they say from here;
    nothing here is escaped. `values` are those of deals that were played out, by their numbers.
    """

    play: Played
    ledger: GameLedger
    chances: Chances
    values: Mapping[int, DealValues]

    def tag(self, name: str) -> str:
        """Return the value of a tag, "" without one."""
        return tag_text(self.play.game, name)

    # --- the game -------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The title of the game: its event and round, or its file."""
        names = [self.tag("Event"), f"round {self.tag('Round')}" if self.tag("Round") else ""]
        return ", ".join(filter(None, names)) or f"{self.play.file}, game {self.play.report.game}"

    @property
    def about(self) -> str:
        """Where and when the game was played, its rules, house rules in words, and the view."""
        play = self.play
        words = [self.tag("Site"), day(self.tag("Date")), f"rules {play.report.rules_text}"]
        words += map(play.profile.sentence, play.profile.overridden)
        words += [f"as {play.seat} sees it"] if play.seat else []
        return " · ".join(filter(None, words))

    @property
    def result(self) -> str:
        """The totals, the winner and, except in a seat's view, the verdict."""
        outcome = self.play.report.result
        totals = ", ".join(f"{side} {points(total)}" for side, total in outcome.totals.items())
        state = f"{outcome.winner} won" if outcome.winner else "Unfinished"
        state = "Result not known" if outcome.finished is None else state
        claimed = "" if outcome.agrees else f" The record claims {outcome.claimed}."
        verdict = "" if self.play.seat else f" {self._verdict()}{claimed}"
        return f"{state}{totals and ': ' + totals}.{verdict}"

    def _verdict(self) -> str:
        why = {
            "verified": "no errors",
            "contradicted": count(self.play.errors, "error"),
            "undetermined": "not everything can be checked",
        }
        return f"The record is {self.play.report.verdict}: {why[self.play.report.verdict]}."

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments that belong to no deal."""
        play = self.play
        return play.said(*play.game.tags) + (() if play.seat else play.game.comments)

    @property
    def has_turns(self) -> bool:
        """Whether the turns of any deal were recorded."""
        return any(deal.turns for deal in self.play.deals)

    def player(self, seat: str, most: int = 24) -> str:
        """Return a player's name, cut to `most` characters, or the seat."""
        name = self.tag(seat).strip()
        if not name:
            return seat
        return name if len(name) <= most else name[: most - 1] + "…"

    def side_name(self, side: str) -> str:
        """Return a side with its players: NS, Ana and Carla."""
        names = [self.tag(seat) for seat in side if self.tag(seat)]
        return f"{side}, {listed(names)}" if names else side

    def source(self, finding: Finding) -> str:
        """Return the line of the record in which a finding is, "" without one."""
        return self.play.lines.get(finding.span.line, "").strip()

    # --- deals and turns ------------------------------------------------------------------------

    def deal_words(self, deal: PlayedDeal) -> str:
        """Return what follows the number of a deal: how it ended, and its dealer."""
        dealer = f", dealer {deal.written.dealer}" if deal.written.dealer else ""
        return deal_title(deal.report).partition(": ")[2] + dealer

    def said_before(self, deal: PlayedDeal) -> tuple[str, ...]:
        """Return the comments before the first turn of a deal; those on a hand name its seat."""
        written, said = deal.written, self.play.said
        early = said(written)
        for line in written.hands:
            early += said(line)[: len(line.before)]
            early += tuple(f"{line.seat}: {each}" for each in said(line)[len(line.before) :])
        return early + said(written.up, *deal.rulings)

    def said_at(self, turn: PlayedTurn) -> tuple[str, ...]:
        """Return the comments on a turn."""
        return self.play.said(turn.line, *turn.rulings)

    def said_after(self, deal: PlayedDeal) -> tuple[str, ...]:
        """Return the comments after the last turn of a deal."""
        written = deal.written
        return self.play.said(written.end, *written.end_lines, *written.scores, written.total)

    def turn_words(self, turn: PlayedTurn) -> list[Shown]:
        """Return what a turn did; what only its own seat knows can be hidden."""
        side = self.play.profile.side_of(turn.line.seat)
        words = turn_words(turn.line, turn.before, turn.after, side, _LOOK)
        return row_runs(words, hide=not self.play.seat)

    def missed(self, turn: PlayedTurn) -> Iterator[str]:
        """Yield what a turn could have done, each worded to follow "could have"."""
        seat = turn.line.seat
        if self.play.seat in ("", seat):
            side = self.play.profile.side_of(seat)
            yield from map(row_text, could_have(turn, side, self.chances.of(turn.deal, turn.turn)))

    def mistakes(self, turn: PlayedTurn) -> Iterator[tuple[str, str]]:
        """Yield the kind of each mistake of a turn, and what would have been better."""
        values, seats = self.values.get(turn.deal), self.play.seats
        for loss in values.losses if values else ():
            if loss.turn == turn.turn and self.play.seat in ("", loss.seat):
                after = seats[(seats.index(loss.seat) + 1) % len(seats)]
                yield loss.kind.capitalize(), better_words(loss, self.player(after))

    def question(self, turn: PlayedTurn) -> str:
        """Return what to ask of a turn with a mistake, after the name of its player, "" of others.

        It tells no more of the turn than the player knew.
        """
        values = self.values.get(turn.deal)
        decisions = [
            loss.decision
            for loss in (values.losses if values else ())
            if loss.turn == turn.turn and self.play.seat in ("", loss.seat)
        ]
        if not decisions:
            return ""
        if "draw" in decisions:
            return "is to play. Would you draw, or take the pile?"
        begin = "is to play. "
        if isinstance(turn.line.actions[0], Draw | Take):
            side = self.play.profile.side_of(turn.line.seat)
            words = turn_words(turn.line, turn.before, turn.after, side, _LOOK)
            first = takewhile(lambda run: run.text != "; ", words)
            begin = f"{row_text([*first])}. "
        return f"{begin}What would you lay and discard?"

    def scores(self, deal: PlayedDeal) -> tuple[SideLedger, ...]:
        """Return the scores of each side of a deal."""
        return self.ledger.deals[deal.number - 1].sides


def day(text: str) -> str:
    """Return a date in words; a date with unknown digits stays as it is written."""
    try:
        known = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{known.day} {_MONTHS.split()[known.month - 1]} {known.year}"


def setting(value: object) -> str:
    """Return the value of a rule as a record writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)


def item_points(item: ItemRow) -> str:
    """Return the points of an item of a score, or the range in which they lie."""
    if item.at_least is not None and item.at_most is not None:
        return f"{points(item.at_least)} to {points(item.at_most)}"
    return points(item.computed if item.summed is None else item.summed)


def earned(item: ItemRow) -> Iterator[str]:
    """Yield each thing that earns points; if there are several, with the points."""
    for each in item.earned:
        what = " ".join(filter(None, (each.what, card_names(each.cards))))
        yield f"{what}: {points(each.points)}" if len(item.earned) > 1 else what


def page_game(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    seat: str = "",
    values: Mapping[int, DealValues] = _NO_VALUES,
) -> Story:
    """Replay a game by the rules of `profile` and return what a page shows of it."""
    chances = Chances(reading.game)
    tables: dict[int, Table] = {}

    def observe(at: int, table: Table, line: int, action: int) -> None:
        tables[at] = table
        chances.observe(at, table, line, action)

    play = play_game(file, reading, number, profile, seat=seat, override=profile, observer=observe)
    return Story(play, explain_game(reading.game, play.report, tables), chances, values)
