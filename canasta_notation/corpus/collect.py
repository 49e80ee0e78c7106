"""Filling the tables while games are played: a row for each turn when it ends, then the rest.

A game that the fast path verifies is recorded while it is scanned; any other game is read and
replayed. A test compares the rows that the two ways give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from canasta_notation.analysis.chances import Chances
from canasta_notation.analysis.facts import FactsWatch, SeatFacts, seat_facts
from canasta_notation.cards import CANASTA_SIZE, format_cards
from canasta_notation.corpus.columns import Tables
from canasta_notation.engine.actions import Ask, Discard, Draw, Lay, LaySpecial, Take, TakeBack
from canasta_notation.engine.hands import loose_cards
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.seat_counts import Progress
from canasta_notation.engine.side import touched
from canasta_notation.engine.table import AS_BOOL, OUT, SPECIAL, Table
from canasta_notation.engine.take import cards_taken
from canasta_notation.findings import Finding
from canasta_notation.names import names_in, seatings
from canasta_notation.notation.document import Deal, Game, Turn, UpLine
from canasta_notation.notation.format import format_action
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport, GameReport, SideReport, only, sum_items
from canasta_notation.replay.moment import Moment
from canasta_notation.scan.scan_state import (
    MeldRow,
    ScannedDeal,
    ScannedItemRow,
    item_rows,
    meld_rows,
)
from canasta_notation.scan.verified import VerifiedGame


def collect(
    tables: Tables, name: str, reading: Reading, number: int, *, chances: bool = False
) -> None:
    """Replay a game and add its rows; `name` is the value of the column `file`.

    With `chances`, it looks for the chances that each turn missed, which takes much longer.
    """
    watch = _TurnRows(
        tables, name, number, reading.game, Chances(reading.game) if chances else None
    )
    report = replay_game(reading.game, number, observer=watch.observe)
    tags = {tag.name: tag.value for tag in reversed(reading.game.tags)}
    line = reading.game.span.line or reading.first_line
    _add_report(tables, _Where(name, number, line), tags, reading.game, report, watch.deals)
    for deal in report.deals:
        if deal.deal in watch.deals:
            _add_replayed(tables, _DealPlace(name, number, deal.deal), watch, deal)


def _add_replayed(tables: Tables, where: _DealPlace, watch: _TurnRows, report: DealReport) -> None:
    """Add the rows of the seats and the sides of a deal that was replayed."""
    seen = watch.deals[where.deal]
    rules = seen.play.rules
    known = watch.facts.of(report, rules.seats, rules.sides)
    dealt = _dealt(watch.game.deals[where.deal - 1])
    cards = {}
    for seat, threes in watch.facts.threes_of(where.deal).items():
        hand, replaced = dealt.get(seat, (None, None))
        cards[seat] = _SeatCards(hand, replaced, None if known.sheet or known.final else threes)
    _add_facts(tables, where, known.seats, rules, cards)
    scored = {side.side: (side.score, side.total, _items(side)) for side in report.sides}
    melds = None if known.sheet else meld_rows(seen.play, seen.progress)
    _add_sides(tables, where, scored, melds, cards, scoring=not report.uncounted)


def _dealt(deal: Deal) -> dict[str, tuple[str, str]]:
    """Return by seat the cards dealt, and those that replaced threes, of hands that are written."""
    return {
        hand.seat: (format_cards(hand.cards), format_cards(hand.replacements))
        for hand in reversed(deal.hands)
        if not hand.rest_unknown
    }


def collect_verified(tables: Tables, name: str, game: VerifiedGame) -> None:
    """Add the same rows as `collect`, for a game that was scanned with its rows."""
    scanned, place = game.scanned, _Where(name, game.game, game.first_line)
    if turns := len(scanned.turns):
        columns = zip(*scanned.turns, strict=True)
        tables.turns.extend([name] * turns, [game.game] * turns, *columns, [None] * turns)
    rules = scanned.deals[0].table.rules
    result = _Result(
        game.rules, dict(zip(rules.sides, game.totals, strict=True)),
        rules.sides[game.winner] if game.winner >= 0 else None,
        game.winner >= 0, "verified", game.deals, game.turns,
    )  # fmt: skip
    _add_game(tables, place, game.tags, result, rules, ())
    melds: list[tuple[Any, ...]] = []
    items: list[tuple[Any, ...]] = []
    named = _names_by_deal(game.tags, rules, len(scanned.deals))
    for number, deal in enumerate(scanned.deals, 1):
        where = _DealPlace(name, game.game, number)
        own_melds, own_items = meld_rows(deal.table, deal.progress), item_rows(deal, rules)
        melds += [where + row for row in own_melds]
        items += [where + row for row in own_items]
        _add_verified(tables, where, deal, rules, named[number - 1])
        _add_scanned(tables, where, deal, rules, own_melds, own_items)
    tables.melds.add_all(melds)
    tables.score_items.add_all(items)


def _add_scanned(
    tables: Tables,
    where: _DealPlace,
    deal: ScannedDeal,
    rules: Rules,
    melds: list[MeldRow],
    items: list[ScannedItemRow],
) -> None:
    """Add the rows of the seats and the sides of a deal that was scanned."""
    cards = {
        seat: _SeatCards(
            deal.dealt[at], deal.replaced[at], deal.seat_counts.threes_of(deal.table, at)
        )
        for at, seat in enumerate(rules.seats)
    }
    _add_facts(tables, where, seat_facts(deal.seat_counts, deal.table), rules, cards)
    scored = {
        side: (
            sums.total(),
            total,
            [(row[1], row[2]) for row in items if row[0] == side and row[2]],
        )
        for side, sums, total in zip(rules.sides, deal.sums, deal.totals, strict=True)
    }
    _add_sides(tables, where, scored, melds, cards)


def _names(tags: Mapping[str, str], rules: Rules, deal: int | None = None) -> list[str | None]:
    """Return the names of the players of a game or a deal, in the order of the seats."""
    names = names_in(tags, rules.seats, deal)
    return [names.get(seat) for seat in rules.seats]


def _names_by_deal(tags: Mapping[str, str], rules: Rules, deals: int) -> list[list[str | None]]:
    """Return the names of the players for each deal; one list for all if nobody is substituted."""
    if not seatings(tags, rules.seats):
        return [_names(tags, rules)] * deals
    return [_names(tags, rules, deal) for deal in range(1, deals + 1)]


def _add_verified(
    tables: Tables, where: _DealPlace, deal: ScannedDeal, rules: Rules, names: list[str | None]
) -> None:
    """Add the row of a deal that was scanned."""
    play = deal.table
    tables.deals.add(
        file=where.file,
        game=where.game,
        deal=where.deal,
        line=deal.line,
        dealer=rules.seats[play.dealer] if play.dealer >= 0 else None,
        ended=play.ended,
        ended_by=rules.seats[play.ended_by] if play.ended in (OUT, SPECIAL) else None,
        concealed=play.out_concealed if play.ended == OUT else None,
        turns=play.turn,
        replayed=play.turn,
        takes=deal.progress.takes,
        opening_turn=deal.progress.opening_turn or None,
        stock=play.stock_most,
        sides=[*rules.sides],
        scores=[sums.total() for sums in deal.sums],
        totals=deal.totals,
        sheet=False,
        verdict="verified",
        up=deal.up,
        names=names,
    )


class _Result(NamedTuple):
    """How a game ended, for its row."""

    rules: str | None
    totals: dict[str, int | None]
    winner: str | None
    finished: bool | None
    verdict: str
    deals: int
    turns: int


class _DealPlace(NamedTuple):
    """The place of a deal, as the columns name it."""

    file: str
    game: int
    deal: int


class _Where(NamedTuple):
    """Where a game is, by the names of columns: its file, its number there and its first line."""

    file: str
    game: int
    line: int


class _SeatCards(NamedTuple):
    """Cards of a seat: its hand as dealt, what replaced its threes, and those that it tabled.

    None stands for cards that are not known.
    """

    dealt: str | None
    replaced: str | None
    tabled: str | None

    @property
    def threes(self) -> int | None:
        """How many threes the seat tabled."""
        return None if self.tabled is None else len(self.tabled) // 2


def _add_facts(
    tables: Tables,
    where: _DealPlace,
    seats: Mapping[str, SeatFacts],
    rules: Rules,
    cards: Mapping[str, _SeatCards],
) -> None:
    """Add a row for each seat of a deal."""
    for place, (seat, facts) in enumerate(seats.items()):
        own = cards[seat]
        tables.facts.add(
            file=where.file,
            game=where.game,
            deal=where.deal,
            seat=seat,
            side=rules.sides[rules.side_of[place]],
            replayed=facts.turns,
            drawn=facts.drawn,
            takes=facts.takes,
            taken=facts.taken,
            gifts=facts.gifts,
            given=facts.given,
            froze=facts.froze,
            melded=facts.laid,
            wilds=facts.wilds,
            opened_at=facts.opened_at,
            hand_points=facts.held,
            dealt=own.dealt,
            replaced=own.replaced,
            tabled=own.tabled,
            threes=own.threes,
        )


def _add_sides(
    tables: Tables,
    where: _DealPlace,
    scored: Mapping[str, tuple[int | None, int | None, list[tuple[str, int]] | None]],
    melds: list[MeldRow] | None,
    cards: Mapping[str, _SeatCards],
    *,
    scoring: bool = True,
) -> None:
    """Add a row for each side of a deal.

    `scored` has for each side its score, its total and its items; `melds` are those on the table,
    None for a score sheet; `cards` are those of each seat. A deal that counts nothing has no
    result.
    """
    scores = [score for score, _, _ in scored.values()]
    for side, (score, total, items) in scored.items():
        sizes = [row[2] for row in melds if row[0] == side] if melds is not None else None
        counts = [cards[seat].threes for seat in side if seat in cards]
        threes = [count for count in counts if count is not None]
        tables.sides.add(
            file=where.file,
            game=where.game,
            deal=where.deal,
            side=side,
            score=score,
            total=total,
            items=items,
            opened=None if sizes is None else bool(sizes),
            canastas=None if sizes is None else sum(size >= CANASTA_SIZE for size in sizes),
            threes=sum(threes) if len(threes) == len(counts) else None,
            result=_result_of(score, scores) if scoring else None,
        )


def _result_of(score: int | None, scores: list[int | None]) -> str | None:
    """Return how a deal ended for the side with a score; None if a score is not known."""
    known = [each for each in scores if each is not None]
    if score is None or len(known) < len(scores):
        return None
    if score < max(known):
        return "lost"
    return "won" if known.count(score) == 1 else "tied"


def _items(side: SideReport) -> list[tuple[str, int]] | None:
    """Return the items of a side that are not 0, None if one of them is not known."""
    if side.score is None:
        return None
    found = [(item, only(amounts)) for item, amounts in sum_items(side.entries).items()]
    known = [(item, points) for item, points in found if points]
    return None if any(points is None for _, points in found) else known


@dataclass(slots=True)
class _Seen:
    """What was noted about a deal during its play."""

    play: Table
    progress: Progress
    #: How many turns have been replayed.
    turns: int = 0
    #: Cards in the pile before the turn, -1 if that is not known; whether one of them freezes it.
    pile: int = -1
    frozen: bool | None = False

    def note_pile(self) -> None:
        """Note the pile before the next turn."""
        self.pile = -1 if self.play.pile_loose else self.play.pile_size
        self.frozen = AS_BOOL[self.play.frozen_by_card]


class _TurnRows:
    """The observer of a game's replay."""

    def __init__(
        self, tables: Tables, name: str, number: int, game: Game, chances: Chances | None
    ) -> None:
        self.turns = tables.turns
        self.chances = chances
        self.name = name
        self.number = number
        self.game = game
        self.deals: dict[int, _Seen] = {}
        self.facts = FactsWatch(game)

    def observe(self, moment: Moment) -> None:
        """Add a row when a turn has ended."""
        self.facts.observe(moment)
        if self.chances is not None:
            self.chances.observe(moment)
        deal, play = moment.deal, moment.table
        if moment.line is None:
            seen = self.deals[deal] = _Seen(play, Progress(len(play.rules.sides), play.places))
            seen.note_pile()
        elif turn := moment.ended_turn:
            seen = self.deals[deal]
            self._add_turn(deal, seen, turn)
            seen.note_pile()

    def _add_turn(self, deal: int, seen: _Seen, turn: Turn) -> None:
        play = seen.play
        rules, seat = play.rules, play.seat
        side = rules.side_of[seat]
        took, drawn, laid, asked, discard = _actions(turn)
        grown = seen.progress.note_turn(play)
        seen.turns += 1
        self.turns.add(
            file=self.name,
            game=self.number,
            deal=deal,
            turn=play.turn,
            line=turn.line,
            seat=rules.seats[seat],
            side=rules.sides[side],
            took=took,
            pile=cards_taken(play, seen.pile) if took and seen.pile >= 0 else None,
            draw=drawn,
            laid=laid,
            labels=grown,
            opening=_opening(play),
            canastas=seen.progress.canastas,
            discard=discard,
            asked=asked,
            went_out=play.ended == OUT and play.ended_by == seat,
            hand=None if loose_cards(play, seat) else play.hand_sizes[seat],
            stock=_stock(play),
            seconds=float(turn.clock) if turn.clock else None,
            frozen=seen.frozen,
            taken_frozen=AS_BOOL[play.taken.frozen] if play.took else None,
            laid_groups=[
                format_action(each) for each in turn.actions if isinstance(each, (Lay, LaySpecial))
            ],
            back=_taken_back(turn),
            missed=self._missed(deal, play.turn),
        )

    def _missed(self, deal: int, turn: int) -> list[str] | None:
        """Return the kinds of chances that a turn missed, None if they are not known."""
        missed = self.chances.of(deal, turn) if self.chances is not None else None
        return list(missed.kinds) if missed is not None and missed.known else None


def _opening(play: Table) -> int | None:
    """Return what the opening of the turn counted in points, None without one or if not known."""
    opened = bool(touched(play)) and not play.opened_before
    return play.count_most if opened and play.count_least == play.count_most else None


def _stock(play: Table) -> int | None:
    """Return how many cards the stock has, None if that is not known."""
    return play.stock_most if play.stock_most == play.stock_fewest else None


def _taken_back(turn: Turn) -> str | None:
    """Return the cards that a turn laid and took back, None for none."""
    backs = (each.cards for each in turn.actions if isinstance(each, TakeBack))
    return next((format_cards(cards) for cards in backs), None)


def _actions(turn: Turn) -> tuple[bool, str | None, int, str | None, str | None]:
    """Return a turn's actions: took, drawn, number of cards laid, asked, discard."""
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
    game: Game,
    report: GameReport,
    deals: dict[int, _Seen],
) -> None:
    """Add the rows of every table except `turns`; `deals` are those that were played, by number."""
    rules = next((seen.play.rules for seen in deals.values()), None)
    findings = report.findings
    end = report.result
    result = _Result(
        report.rules, end.totals, end.winner, end.finished,
        report.verdict, len(report.deals), report.turns,
    )  # fmt: skip
    _add_game(tables, place, tags, result, rules, findings)
    named = _names_by_deal(tags, rules, len(game.deals)) if rules else None
    for deal in report.deals:
        at = deal.deal - 1
        names = named[at] if named else None
        _add_deal(tables, place, deal, deals.get(deal.deal), game.deals[at].up, names)
        for side in deal.sides:
            _add_items(tables, place, deal, side)
    for finding in findings:
        _add_finding(tables, place, finding)


def _add_game(
    tables: Tables,
    place: _Where,
    tags: dict[str, str],
    result: _Result,
    rules: Rules | None,
    findings: tuple[Finding, ...],
) -> None:
    tables.games.add(
        **place._asdict(),
        date_tag=tags.get("Date"),
        event=tags.get("Event"),
        site=tags.get("Site"),
        rules=result.rules,
        rules_tag=tags.get("Rules"),
        target=rules.profile["target"] if rules else None,
        seats=list(rules.seats) if rules else None,
        names=_names(tags, rules) if rules else None,
        sides=list(result.totals),
        totals=list(result.totals.values()),
        winner=result.winner,
        finished=result.finished,
        result_tag=tags.get("Result"),
        verdict=result.verdict,
        deals=result.deals,
        turns=result.turns,
        **_by_severity(findings),
    )


def _by_severity(findings: tuple[Finding, ...]) -> dict[str, int]:
    """Return how many errors, warnings and notes there are, by the columns for them."""
    severities = [finding.severity for finding in findings]
    return {f"{each}s": severities.count(each) for each in ("error", "warning", "note")}


def _add_deal(
    tables: Tables,
    place: _Where,
    deal: DealReport,
    seen: _Seen | None,
    up: UpLine | None,
    names: list[str | None] | None,
) -> None:
    play = seen.play if seen else None
    tables.deals.add(
        file=place.file,
        game=place.game,
        deal=deal.deal,
        line=deal.line,
        dealer=play.rules.seats[play.dealer] if play and play.dealer >= 0 else None,
        ended=deal.how,
        ended_by=deal.by,
        concealed=play.out_concealed if play and deal.ended == OUT else None,
        turns=deal.turns,
        replayed=seen.turns if seen else 0,
        takes=seen.progress.takes if seen else 0,
        opening_turn=(seen.progress.opening_turn or None) if seen else None,
        stock=None if play is None or deal.sheet or deal.final else _stock(play),
        sides=[side.side for side in deal.sides],
        scores=[side.score for side in deal.sides],
        totals=[side.total for side in deal.sides],
        sheet=deal.sheet,
        verdict=deal.verdict,
        up=format_cards(up.cards) if up else None,
        names=names,
    )
    if seen is not None:
        where = _DealPlace(place.file, place.game, deal.deal)
        tables.melds.add_all([where + row for row in meld_rows(seen.play, seen.progress)])


def _add_items(tables: Tables, place: _Where, deal: DealReport, side: SideReport) -> None:
    claimed = side.claimed.items
    scored = bool(side.entries) or side.score is not None
    netted = ("melds", "hand", "cards") if claimed and "cards" in claimed else ()
    rows = []
    possible = sum_items(side.entries)
    for item in dict.fromkeys((*possible, *(claimed or ()))):
        amounts = None if item == "cards" else possible.get(item, {0} if scored else None)
        points = only(amounts)
        due = claimed.get(item) if claimed is not None and item in netted else None
        if claimed is not None and item not in netted:
            due = claimed.get(item, 0)
        agrees = None
        if due is not None and amounts is not None and (points is not None or due not in amounts):
            agrees = due in amounts
        rows.append((
            place.file, place.game, deal.deal, side.side, item, points, due, agrees,
        ))  # fmt: skip
    tables.score_items.add_all(rows)


def _add_finding(tables: Tables, place: _Where, finding: Finding) -> None:
    span = finding.span
    tables.findings.add(
        file=place.file,
        game=place.game,
        deal=finding.deal,
        turn=finding.turn,
        line=span.line,
        start_column=span.column,
        end_column=span.end_column,
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        rule_key=finding.rule.key if finding.rule else None,
        acknowledged=finding.acknowledged,
        consequence=finding.follows is not None,
    )
