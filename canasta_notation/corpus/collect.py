"""Filling the tables while games are played: a row for each turn as it ends, then the rest.

A game that the fast path verifies is recorded while it is scanned; any other is read and replayed.
A test holds the rows of the two ways to each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from canasta_notation.cards import RANK_LETTERS, RANKS, format_cards
from canasta_notation.corpus.columns import Tables
from canasta_notation.engine.actions import Ask, Discard, Draw, Lay, LaySpecial, Take
from canasta_notation.engine.hands import slack_of
from canasta_notation.engine.meld import touched
from canasta_notation.engine.progress import Progress
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.side import meld_ranks
from canasta_notation.engine.state import meld_state
from canasta_notation.engine.table import OUT, Table
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport, GameReport, SideReport
from canasta_notation.replay.recorded import (
    first_line,
    kept_of,
    report_game,
    table_of,
)
from canasta_notation.scan.verified import VerifiedGame


def collect(tables: Tables, name: str, reading: Reading, number: int) -> None:
    """Replay a game and add its rows; `name` is the value of the column `file`."""
    watch = _Watch(tables, name, number, reading.game)
    report = replay_game(reading.game, number, observer=watch.observe)
    tags = {tag.name: tag.value for tag in reversed(reading.game.tags)}
    line = reading.game.span.line or reading.first_line
    _add_report(tables, _Where(name, number, line), tags, report, watch.deals)


def collect_verified(tables: Tables, name: str, game: VerifiedGame) -> None:
    """Add the rows of a game that was scanned to be kept: the same as `collect` adds."""
    scan = kept_of(game)
    first = game.line - 1
    if scan.rows:
        deals, turns, lines, *others = zip(*scan.rows, strict=True)
        count = len(scan.rows)
        at = [first + line for line in lines]
        tables.turns.extend([name] * count, [game.game] * count, deals, turns, at, *others)
    seen = {
        number: _Seen(table_of(deal), deal.progress, table_of(deal).turns)
        for number, deal in enumerate(scan.deals, 1)
    }
    place = _Where(name, game.game, first_line(game))
    _add_report(tables, place, game.tags, report_game(game), seen)


class _Where(NamedTuple):
    """The place of a game: its file, its number there, its first line."""

    name: str
    number: int
    line: int


@dataclass(slots=True)
class _Seen:
    """What was seen of a deal other than its end."""

    play: Table
    progress: Progress = field(default_factory=Progress)
    #: Turns replayed.
    turns: int = 0
    #: Cards in the pile before the turn, -1 if that is not known.
    pile: int = -1

    def note_pile(self) -> None:
        """Note how many cards the next take would take."""
        self.pile = -1 if self.play.pile_slack else len(self.play.pile)


class _Watch:
    """The observer of a game's replay."""

    def __init__(self, tables: Tables, name: str, number: int, game: Game) -> None:
        self.turns = tables.turns
        self.name = name
        self.number = number
        self.game = game
        self.deals: dict[int, _Seen] = {}

    def observe(self, at: int, play: Table, line: int, action: int) -> None:
        """Add a row when a turn has ended; see `canasta_notation.replay.Observer`."""
        if line < 0:
            seen = self.deals[at + 1] = _Seen(play)
            seen.note_pile()
            return
        turn = self.game.deals[at].play[line]
        if isinstance(turn, Turn) and action == len(turn.actions) - 1:
            seen = self.deals[at + 1]
            self._add_turn(at + 1, seen, turn)
            seen.note_pile()

    def _add_turn(self, deal: int, seen: _Seen, turn: Turn) -> None:
        play = seen.play
        rules, seat = play.rules, play.seat
        side = rules.side_of[seat]
        took, drawn, laid, asked, discard = _actions(turn)
        opened = bool(touched(play)) and not play.opened_before
        known = opened and play.count_least == play.count_most
        grown = seen.progress.note_turn(play)
        seen.turns += 1
        self.turns.add(
            self.name,
            self.number,
            deal,
            play.turns,
            turn.line,
            rules.seats[seat],
            rules.sides[side],
            took,
            seen.pile if took and seen.pile >= 0 else None,
            drawn,
            laid,
            "".join([RANK_LETTERS[rank] for rank in grown]),
            play.count_most if known else None,
            seen.progress.completed(side, play.turns),
            discard,
            asked,
            play.ended == OUT and play.ended_by == seat,
            None if slack_of(play, seat) else play.hand_sizes[seat],
            play.stock_most if play.stock_most == play.stock_fewest else None,
            float(turn.clock) if turn.clock else None,
        )


def _actions(turn: Turn) -> tuple[bool, str | None, int, str | None, str | None]:
    """Return what a turn did: took, drawn, how many cards laid, asked, discard."""
    took, laid = False, 0
    drawn: str | None = None
    asked: str | None = None
    discard: str | None = None
    for action in turn.actions:
        match action:
            case Draw():
                drawn = format_cards(action.cards) + ("_" if action.bare else "")
            case Take():
                took = True
            case Lay() | LaySpecial():
                laid += len(action.cards)
            case Ask():
                asked = "yes" if action.yes else "no"
            case Discard():
                discard = format_cards((action.card,))
    return took, drawn, laid, asked, discard


# --- at the end of a game -----------------------------------------------------------------------


def _add_report(
    tables: Tables,
    place: _Where,
    tags: dict[str, str],
    report: GameReport,
    deals: dict[int, _Seen],
) -> None:
    """Add the rows of every table but `turns`; `deals` are those that were played, by number."""
    rules = next((seen.play.rules for seen in deals.values()), None)
    findings = report.findings
    _add_game(tables, place, tags, report, rules, findings)
    for deal in report.deals:
        _add_deal(tables, place, deal, deals.get(deal.deal))
        for side in deal.sides:
            _add_items(tables, place, deal, side)
    for finding in findings:
        _add_finding(tables, place, finding)


def _add_game(
    tables: Tables,
    place: _Where,
    tags: dict[str, str],
    report: GameReport,
    rules: Rules | None,
    findings: tuple[Finding, ...],
) -> None:
    seats = list(rules.seats) if rules else None
    severities = [finding.severity for finding in findings]
    tables.games.add(
        place.name,
        place.number,
        place.line,
        tags.get("Date"),
        tags.get("Event"),
        tags.get("Site"),
        report.rules,
        tags.get("Rules"),
        rules.target if rules else None,
        seats,
        [tags.get(seat) for seat in seats] if seats else None,
        list(report.result.totals),
        list(report.result.totals.values()),
        report.result.winner,
        report.result.finished,
        report.result.claimed,
        report.verdict,
        len(report.deals),
        report.turns,
        severities.count("error"),
        severities.count("warning"),
        severities.count("note"),
    )


def _add_deal(tables: Tables, place: _Where, deal: DealReport, seen: _Seen | None) -> None:
    play = seen.play if seen else None
    stock = play.stock_most if play and play.stock_most == play.stock_fewest else None
    tables.deals.add(
        place.name,
        place.number,
        deal.deal,
        deal.line,
        play.rules.seats[play.dealer] if play and play.dealer >= 0 else None,
        deal.ended,
        deal.by,
        play.out_concealed if play and deal.ended == OUT else None,
        deal.turns,
        seen.turns if seen else 0,
        seen.progress.takes if seen else 0,
        (seen.progress.opening_turn or None) if seen else None,
        None if deal.sheet or deal.final else stock,
        [side.side for side in deal.sides],
        [side.score for side in deal.sides],
        [side.total for side in deal.sides],
        deal.sheet,
        deal.verdict,
    )
    if seen is not None:
        _add_melds(tables, place, deal.deal, seen)


def _add_melds(tables: Tables, place: _Where, deal: int, seen: _Seen) -> None:
    rules, progress = seen.play.rules, seen.progress
    rows = []
    for at in range(len(rules.sides)):
        for rank in meld_ranks(seen.play, at):
            meld = meld_state(seen.play, at, rank)
            rows.append((
                place.name,
                place.number,
                deal,
                rules.sides[at],
                RANK_LETTERS[rank],
                meld.size,
                meld.naturals,
                meld.twos,
                meld.jokers,
                meld.unknown,
                (meld.canasta if not meld.unknown else None) or None,
                meld.concealed,
                None if meld.unknown else seen.play.meld_points[at * RANKS + rank],
                progress.began.get((at, rank)),
                progress.became.get((at, rank)),
            ))  # fmt: skip
    tables.melds.add_all(rows)


def _add_items(tables: Tables, place: _Where, deal: DealReport, side: SideReport) -> None:
    claimed = side.claimed.items
    scored = bool(side.entries) or side.score is not None
    netted = ("melds", "hand", "cards") if claimed and "cards" in claimed else ()
    rows = []
    for item in dict.fromkeys((*side.items, *(claimed or ()))):
        points = None if item == "cards" else side.items.get(item, 0 if scored else None)
        due = claimed.get(item) if claimed is not None and item in netted else None
        if claimed is not None and item not in netted:
            due = claimed.get(item, 0)
        agrees = None if points is None or due is None else points == due
        rows.append((
            place.name, place.number, deal.deal, side.side, item, points, due, agrees,
        ))  # fmt: skip
    tables.score_items.add_all(rows)


def _add_finding(tables: Tables, place: _Where, finding: Finding) -> None:
    span = finding.span
    tables.findings.add(
        place.name,
        place.number,
        finding.deal,
        finding.turn,
        span.line,
        span.column,
        span.end_column,
        finding.code,
        finding.severity,
        finding.message,
        finding.rule.key if finding.rule else None,
        finding.acknowledged,
        finding.follows is not None,
    )
