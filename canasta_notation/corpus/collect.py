"""Filling the tables while games are replayed: a row for each turn as it ends, then the rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from canasta_notation.cards import CANASTA_SIZE, RANK_LETTERS, format_cards
from canasta_notation.corpus.columns import Tables
from canasta_notation.engine.actions import Ask, Discard, Draw, Lay, LaySpecial, Take
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.state import MeldState
from canasta_notation.engine.table import OUT
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.game import replay_game
from canasta_notation.replay.report import DealReport, GameReport, SideReport


def collect(tables: Tables, name: str, reading: Reading, number: int) -> None:
    """Replay a game and add its rows; `name` is the value of the column `file`."""
    watch = _Watch(tables, name, number, reading.game)
    report = replay_game(reading.game, number, problems=reading.problems, observer=watch.observe)
    _add_game(tables, name, reading, report, watch)
    for deal in report.deals:
        seen = watch.deals.get(deal.deal)
        _add_deal(tables, name, number, deal, seen)
        for side in deal.sides:
            _add_items(tables, name, number, deal, side)
    for finding in report.all_findings():
        _add_finding(tables, name, number, finding)


@dataclass(slots=True)
class _Seen:
    """What was seen of a deal besides its end; `first` and `full` are turns by side and rank."""

    play: DealPlay
    #: Cards in the pile before the turn, -1 where that is not known.
    pile: int = -1
    turns: int = 0
    takes: int = 0
    opening_turn: int | None = None
    first: dict[tuple[int, int], int] = field(default_factory=dict)
    full: dict[tuple[int, int], int] = field(default_factory=dict)

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

    def observe(self, at: int, play: DealPlay, line: int, action: int) -> None:
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
        opened = bool(play.touched) and not play.opened_before
        known = opened and play.count_least == play.count_most
        canastas = _note_melds(seen, side)
        seen.turns += 1
        seen.takes += took
        if opened and seen.opening_turn is None:
            seen.opening_turn = play.turns
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
            "".join([RANK_LETTERS[rank] for rank in play.touched]),
            play.count_most if known else None,
            canastas,
            discard,
            asked,
            play.ended == OUT and play.ended_by == seat,
            None if play.hands[seat].slack else play.hands[seat].size,
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


def _note_melds(seen: _Seen, side: int) -> int:
    """Note the melds that a turn began and the canastas it completed; return how many of these."""
    play = seen.play
    canastas = 0
    for rank in play.touched:
        seen.first.setdefault((side, rank), play.turns)
        if (side, rank) not in seen.full and play.sides[side].sizes[rank] >= CANASTA_SIZE:
            seen.full[side, rank] = play.turns
            canastas += 1
    return canastas


# --- at the end of a game -----------------------------------------------------------------------


def _add_game(
    tables: Tables, name: str, reading: Reading, report: GameReport, watch: _Watch
) -> None:
    game = reading.game
    tags = {tag.name: tag.value for tag in reversed(game.tags)}
    rules = next((seen.play.rules for seen in watch.deals.values()), None)
    seats = list(rules.seats) if rules else None
    severities = [finding.severity for finding in report.all_findings()]
    tables.games.add(
        name,
        report.game,
        game.span.line or reading.first_line,
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


def _add_deal(tables: Tables, name: str, number: int, deal: DealReport, seen: _Seen | None) -> None:
    play = seen.play if seen else None
    stock = play.stock_most if play and play.stock_most == play.stock_fewest else None
    tables.deals.add(
        name,
        number,
        deal.deal,
        deal.line,
        play.rules.seats[play.dealer] if play and play.dealer >= 0 else None,
        deal.ended,
        deal.by,
        play.out_concealed if play and deal.ended == OUT else None,
        deal.turns,
        seen.turns if seen else 0,
        seen.takes if seen else 0,
        seen.opening_turn if seen else None,
        None if deal.sheet else stock,
        [side.side for side in deal.sides],
        [side.score for side in deal.sides],
        [side.total for side in deal.sides],
        deal.sheet,
        deal.verdict,
    )
    if seen is not None:
        _add_melds(tables, name, number, deal.deal, seen)


def _add_melds(tables: Tables, name: str, number: int, deal: int, seen: _Seen) -> None:
    rules = seen.play.rules
    for at, side in enumerate(seen.play.sides):
        for rank in side.melds():
            meld = MeldState(
                rank,
                side.naturals[rank],
                side.twos[rank],
                side.jokers[rank],
                side.strangers[rank],
                bool(side.concealed >> rank & 1),
            )
            tables.melds.add(
                name,
                number,
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
                None if meld.unknown else side.points[rank],
                seen.first.get((at, rank)),
                seen.full.get((at, rank)),
            )


def _add_items(tables: Tables, name: str, number: int, deal: DealReport, side: SideReport) -> None:
    claimed = side.claimed.items
    scored = bool(side.entries) or side.score is not None
    netted = ("melds", "hand", "cards") if claimed and "cards" in claimed else ()
    for item in dict.fromkeys((*side.items, *(claimed or ()))):
        points = None if item == "cards" else side.items.get(item, 0 if scored else None)
        due = claimed.get(item) if claimed is not None and item in netted else None
        if claimed is not None and item not in netted:
            due = claimed.get(item, 0)
        agrees = None if points is None or due is None else points == due
        tables.score_items.add(name, number, deal.deal, side.side, item, points, due, agrees)


def _add_finding(tables: Tables, name: str, number: int, finding: Finding) -> None:
    place = finding.span
    tables.findings.add(
        name,
        number,
        finding.deal,
        finding.turn,
        place.line,
        place.column,
        place.end_column,
        finding.code,
        finding.severity,
        finding.message,
        finding.rule.key if finding.rule else None,
        finding.acknowledged,
        finding.follows is not None,
    )
