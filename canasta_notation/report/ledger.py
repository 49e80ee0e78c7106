"""The score of a deal as a ledger: each item, what earns it, computed and claimed.

The score card, the JSON, the CSV and the comparison of two rules are made from these values.
Figures are points; a figure that cannot be known is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from canasta_notation.cards import EXACT, UNKNOWN
from canasta_notation.engine.amounts import ScoreEntry
from canasta_notation.engine.hands import free_cards, is_vague, loose_cards
from canasta_notation.engine.knowledge import any_unknown_melded
from canasta_notation.engine.scoring import BONUS, HAND, PACKET, PACKET_UNUSED, PENALTY
from canasta_notation.engine.state import SideState, State, snapshot
from canasta_notation.engine.table import Table
from canasta_notation.english import count, listed, meld_name, plural
from canasta_notation.findings import Verdict
from canasta_notation.names import side_name
from canasta_notation.replay.game_report import (
    DealReport,
    GameReport,
    SideReport,
    add_possible,
    only,
    report_verified,
    sum_items,
)
from canasta_notation.replay.moment import Moment
from canasta_notation.rules.items import ITEMS, SCORED, THREES_ITEMS

if TYPE_CHECKING:
    from canasta_notation.notation.document import Deal, Game
    from canasta_notation.notation.reader import Reading
    from canasta_notation.report.why import WhyFalse
    from canasta_notation.rules import Profile
    from canasta_notation.scan.verified import VerifiedGame

#: A ruling: side, points (negative for a penalty), word.
RuledPoints = tuple[str, int, str]
#: The columns of the CSV.
CSV_COLUMNS: Final = ("file", "game", "deal", "side", "item", "computed", "claimed", "agrees")


#: The part of `words` that is replaced by the seat or the side.
_WHOSE: Final = "{seat}"
#: The words for points of an item that no player, meld or card earns.
UNSEEN_THREES: Final = "unseen threes"
UNSEEN_CARDS: Final = "unseen cards"
FROM_TOTALS: Final = "from the claimed totals"
SUM_OF_ITEMS: Final = "sum of the claimed items"
CLAIMED_SCORE: Final = "based on the claimed score"


@dataclass(frozen=True, slots=True)
class Earned:
    """What earns the points of an item: words, and card codes if cards earn them.

    `rank` is the rank of the meld and `seat` the seat that earns them, -1 and "" without one.
    `size` is the number of cards that are left over, and `packet` what they are called if all are
    in packets.
    `words` have "{seat}" for `whose`, a seat or a side.
    """

    words: str
    points: int | None
    cards: tuple[int, ...] = ()
    rank: int = -1
    seat: str = ""
    whose: str = ""
    size: int = 0
    packet: str = ""

    @property
    def what(self) -> str:
        """The words, with the letter of the seat or of the side."""
        return self.said({})

    def said(self, names: Mapping[str, str]) -> str:
        """Return the words, with the names of the players if there are any."""
        if not self.whose:
            return self.words
        return self.words.replace(_WHOSE, side_name(self.whose, names))


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item: what earns it, and its points as computed and as claimed (None if not claimed).

    `agrees` is None if nothing is claimed or the play cannot decide it. `at_most` and
    `at_least` bound points that are unknown.
    """

    item: str
    earned: tuple[Earned, ...]
    computed: int | None
    claimed: int | None
    agrees: bool | None
    at_least: int | None = None
    at_most: int | None = None
    #: The sum of the claimed items, for a score that does not follow from the play.
    summed: int | None = None
    #: What the record must say to decide an open figure.
    decided_by: str = ""


@dataclass(frozen=True, slots=True)
class SideLedger:
    """A side's deal: its items, then score and total as rows of the same kind."""

    side: str
    items: tuple[ItemRow, ...]
    score: ItemRow
    total: ItemRow

    @property
    def rows(self) -> tuple[ItemRow, ...]:
        """Return items, score and total."""
        return (*self.items, self.score, self.total)


@dataclass(frozen=True, slots=True)
class DealLedger:
    """A deal: its report, and each side's ledger."""

    report: DealReport
    sides: tuple[SideLedger, ...]


@dataclass(frozen=True, slots=True)
class GameLedger:
    """A game: its report, and the ledger of each deal."""

    report: GameReport
    deals: tuple[DealLedger, ...]

    @property
    def errors(self) -> int:
        """The number of findings that are errors, false claims among them."""
        return sum(finding.severity == "error" for finding in self.report.findings)

    @property
    def verdict(self) -> Verdict:
        """The game's verdict."""
        return self.report.verdict


def audit_game(reading: Reading, number: int, override: Profile | None = None) -> GameLedger:
    """Replay a game and return the ledger of each side, deal by deal."""
    # The replay of what was read is loaded only when needed, as the reader is.
    from canasta_notation.replay.game_replay import replay_game

    tables: dict[int, Table] = {}

    def observe(moment: Moment) -> None:
        tables[moment.deal] = moment.table

    report = replay_game(reading.game, number, rules=override, observer=observe)
    return explain_game(reading.game, report, tables)


def explain_game(game: Game, report: GameReport, tables: Mapping[int, Table]) -> GameLedger:
    """Return the ledger of a game that was replayed.

    `tables` are those that the replay handed to its observers, by their deal (from 1).
    """
    deals = []
    decided = {*report.totals}
    for at, (deal, written) in enumerate(zip(report.deals, game.deals, strict=True), 1):
        sides: tuple[SideLedger, ...] = ()
        decided &= {side.side for side in deal.sides if side.score is not None}
        if at in tables:
            sides = _sides(_Explained(deal, tables[at], _rulings(written), written), decided)
        deals.append(DealLedger(deal, sides))
    return GameLedger(report, tuple(deals))


def audit_verified(game: VerifiedGame) -> GameLedger:
    """Return the ledger of a game that was scanned with its rows; see `audit_game`."""
    report = report_verified(game)
    recorded = game.scanned.deals
    sides = {*report.totals}
    deals = tuple(
        DealLedger(deal, _sides(_Explained(deal, scanned.table, scanned.rulings), sides))
        for deal, scanned in zip(report.deals, recorded, strict=True)
    )
    return GameLedger(report, deals)


def _rulings(deal: Deal) -> list[RuledPoints]:
    from canasta_notation.notation.document import BonusLine, PenaltyLine

    return [
        (line.side, line.points if isinstance(line, BonusLine) else -line.points, line.word)
        for line in deal.play
        if isinstance(line, PenaltyLine | BonusLine)
    ]


class _Explained:
    """A deal whose points are explained; `written` are its lines, None if every figure is known."""

    def __init__(
        self,
        report: DealReport,
        play: Table,
        rulings: list[RuledPoints],
        written: Deal | None = None,
    ) -> None:
        self.report = report
        self.play = play
        self.state = report.shown or snapshot(play)
        self.rulings = rulings
        self.written = written


def _sides(deal: _Explained, decided: set[str]) -> tuple[SideLedger, ...]:
    """Return the ledger of each side; `decided` are those whose scores so far are all known."""
    sides = []
    for at, side in enumerate(deal.report.sides):
        score = _score_row(side)
        total = _total_row(side, score)
        if total.agrees and side.side not in decided:
            # It agrees with other claims only.
            total = replace(total, agrees=None)
        sides.append(SideLedger(side.side, tuple(_items(deal, side, at)), score, total))
    return tuple(sides)


def _score_row(side: SideReport) -> ItemRow:
    """Return the row of a side's score; for an unscored deal, with the sum of its claimed items."""
    possible = add_possible([entry.possible for entry in side.entries])
    claimed = side.claimed
    if side.score is not None or possible != {0}:
        row = _row("score", possible, claimed.score)
        return _without_bounds(row) if any(map(_is_uncounted, side.entries)) else row
    if side.between is not None:
        return _row("score", {side.between}, None, (Earned(FROM_TOTALS, None),))
    if not claimed.items:
        return _row("score", None, claimed.score)
    summed = sum(claimed.items.values())
    agrees = None if claimed.score == summed else False
    earned = (Earned(SUM_OF_ITEMS, summed),)
    return ItemRow("score", earned, None, claimed.score, agrees, summed=summed)


def _total_row(side: SideReport, score: ItemRow) -> ItemRow:
    """Return the row of a side's total; it says so if it rests on the claimed score.

    A total that only the claim shows is not computed.
    """
    if side.taken:
        return _row("total", None, side.claimed.total)
    if side.possible_totals is not None:
        bounds = {side.possible_totals[0], side.possible_totals[-1]}
        return _row("total", bounds, side.claimed.total)
    amounts = None if side.total is None else {side.total}
    open_score = score.computed is None and score.summed is None
    taken = open_score and side.claimed.score is not None and side.total is not None
    earned = (Earned(CLAIMED_SCORE, side.claimed.score),) if taken else ()
    return _row("total", amounts, side.claimed.total, earned)


def _items(deal: _Explained, side: SideReport, at: int) -> Iterator[ItemRow]:
    claimed = side.claimed.items
    possible = sum_items(side.entries)
    if claimed is not None and "cards" in claimed:
        net = [possible.get("melds", {0}), possible.get("hand", {0})]
        possible["cards"] = add_possible(net) if side.entries else None
    names = [*possible, *(item for item in claimed or {} if item not in possible)]
    scored = side.score is not None or bool(side.entries)
    for item in names:
        entries = [entry for entry in side.entries if entry.item == item and _is_seen(entry)]
        netted = claimed is not None and "cards" in claimed and item in ("melds", "hand")
        due = None if claimed is None or netted else claimed.get(item, 0)
        amounts = possible.get(item, {0} if scored else None)
        # Unseen cards have a separate entry, which can be for the same hands.
        earned = tuple(dict.fromkeys(_earned(entry, deal, at) for entry in entries))
        row = _row(item, amounts, due, earned)
        if any(map(_is_uncounted, entries)):
            row = _without_bounds(row)
        if deal.written is not None and side.entries and row.computed is None:
            decided_by = needed_lines(deal.written, deal.play, deal.report, side.side, item)
            row = replace(row, decided_by=decided_by)
        yield row


def _is_seen(entry: ScoreEntry) -> bool:
    """Return whether anything can be shown as earning an entry."""
    return entry.possible is not None or entry.rank >= 0 or entry.count > 0


def _is_uncounted(entry: ScoreEntry) -> bool:
    """Return whether an entry is for unseen cards of hands whose number is not known either."""
    return entry.item == ITEMS[HAND] and _is_of_unseen_hands(entry)


def _is_of_unseen_hands(entry: ScoreEntry) -> bool:
    """Return whether an entry is for what no line shows of a side's hands."""
    return SCORED[entry.item].decided == "hands" and entry.seat < 0 and not entry.count


def _without_bounds(row: ItemRow) -> ItemRow:
    """Return a row that says only that its points are unknown: nearly anything is possible."""
    return replace(row, at_least=None, at_most=None)


def _row(
    item: str, amounts: set[int] | None, claimed: int | None, earned: tuple[Earned, ...] = ()
) -> ItemRow:
    computed = only(amounts)
    agrees = None
    if claimed is not None and amounts is not None:
        agrees = claimed in amounts and (True if computed is not None else None)
    if amounts is None or computed is not None:
        return ItemRow(item, earned, computed, claimed, agrees)
    return ItemRow(item, earned, None, claimed, agrees, min(amounts), max(amounts))


def _earned(entry: ScoreEntry, deal: _Explained, at: int) -> Earned:
    """Return what one entry of a side's score is for."""
    rules, table = deal.play.rules, deal.state.sides[at]
    cards: tuple[int, ...] = ()
    seat = rules.seats[entry.seat] if entry.seat >= 0 else ""
    whose, packet = seat, ""
    if entry.item in THREES_ITEMS:
        what, cards = "tabled" if table.threes else UNSEEN_THREES, table.threes
    elif _is_of_unseen_hands(entry):
        what = UNSEEN_CARDS
    elif entry.item == ITEMS[HAND]:
        whose = seat or rules.sides[at]
        if entry.key == PACKET_UNUSED:
            packet = rules.packet_word
            what, cards = _packet(deal.state, entry.seat)
        elif seat or not deal.play.rules.packet_costs_cards:
            what, cards = _hands(deal.state, rules.seats, whose)
        else:
            whose, what, cards = _hands_and_packets(deal, whose)
            packet = "" if what.startswith("hand") else rules.packet_word
    elif entry.item in (ITEMS[PENALTY], ITEMS[BONUS]):
        sign = 1 if entry.item == ITEMS[BONUS] else -1
        own = [each for each in deal.rulings if each[0] == rules.sides[at]]
        what = listed(f"{abs(points)} {word}" for _, points, word in own if points * sign > 0)
    elif entry.item == ITEMS[PACKET]:
        whose = seat or rules.sides[at]
        what = SCORED[entry.item].earned.format(packet=f"{rules.packet_word} of {_WHOSE}")
    elif not whose and entry.rank < 0:
        what = UNSEEN_CARDS
    else:
        what = SCORED[entry.item].earned.format(
            meld=meld_name(entry.rank) if entry.rank >= 0 else "",
            kinds=meld_words(table, entry.rank),
            cards=count(entry.count, "card"),
            seat=_WHOSE,
        )
    size = entry.count if entry.item == ITEMS[HAND] else 0
    return Earned(what, only(entry.possible), cards, entry.rank, seat, whose, size, packet)


def _hands(state: State, seats: str, whose: str) -> tuple[str, tuple[int, ...]]:
    """Return the hand of a seat, or the hands of a side if only their sum is known."""
    hands = [hand for hand, seat in zip(state.hands, seats, strict=True) if seat in whose]
    word = "hand" if len(hands) == 1 else "hands"
    held = [*chain(*((*hand.cards, *[UNKNOWN] * hand.unknown) for hand in hands))]
    return _held_words(word, held)


def _held_words(words: str, held: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Return words for cards that somebody holds, and the known ones."""
    cards = tuple(sorted(code for code in held if code != UNKNOWN))
    hidden = f", {len(held) - len(cards)} not seen" if len(held) > len(cards) else ""
    return f"{words} of {_WHOSE}: {count(len(held), 'card')}{hidden}", cards


def _hands_and_packets(deal: _Explained, side: str) -> tuple[str, str, tuple[int, ...]]:
    """Return whose hands and packets are known only in sum, in words, and their known cards.

    The hands and packets that are known have entries of their own.
    """
    state, rules = deal.state, deal.play.rules
    packets = _unseen_packets(deal.play, state, side)
    if not packets:
        return side, *_hands(state, rules.seats, side)
    hands = {
        seat: (*hand.cards, *[UNKNOWN] * hand.unknown)
        for seat, hand in zip(rules.seats, state.hands, strict=True)
        if seat in side and (hand.unknown or hand.loose)
    }
    kinds = ("hand", len(hands)), (rules.packet_word, len(packets))
    words = [word if number == 1 else plural(word) for word, number in kinds if number]
    held = [*chain(*hands.values(), *packets.values())]
    whose = "".join(seat for seat in side if seat in hands or seat in packets)
    if held:
        return whose, *_held_words(listed(words), held)
    return whose, f"{listed(words)} of {_WHOSE}, if not picked up", ()


def _packet(state: State, seat: int) -> tuple[str, tuple[int, ...]]:
    """Return the packet of a seat that nobody took. Not checked: that there is one."""
    packet = next(each for each in state.packets if each.seat == seat)
    return f"{packet.word} of {_WHOSE}: {count(len(packet.cards), 'card')}", packet.cards


def _unseen_packets(table: Table, state: State, side: str) -> dict[str, tuple[int, ...]]:
    """Return the packets of a side's seats that are not written card by card, by their seats.

    One that was perhaps picked up has no cards.
    """
    rules = table.rules
    lying = {rules.seats[each.seat]: each.cards for each in state.packets if each.seat is not None}
    perhaps = [seat for at, seat in enumerate(rules.seats) if table.packets_open >> at & 1]
    return {
        seat: lying.get(seat, ())
        for seat in rules.seats
        if seat in side
        and (seat in perhaps or not all(EXACT[code] for code in lying.get(seat, ())))
    }


def meld_words(table: SideState, rank: int) -> str:
    """Return the kinds of cards in a meld: 5 natural, 2 wild."""
    meld = next((meld for meld in table.melds if meld.rank == rank), None)
    if meld is None:
        return ""
    wild = meld.twos + meld.jokers
    parts = [(meld.naturals, "natural"), (wild, "wild"), (meld.unknown, "not written")]
    return ", ".join(f"{number} {kind}" for number, kind in parts if number)


# --- for programs -------------------------------------------------------------------------------


def game_json(ledger: GameLedger) -> dict[str, Any]:
    """Return the JSON value of a game, as schemas/audit.schema.json describes it."""
    report = ledger.report
    return {
        "game": report.game,
        "rules": report.rules,
        "deals": [_deal(deal) for deal in report.deals],
        "result": asdict(report.result),
    }


def _deal(deal: DealReport) -> dict[str, Any]:
    sides = {side.side: _side(side) for side in deal.sides}
    return {"deal": deal.deal, "ended": deal.how, "by": deal.by, "sides": sides}


def _side(side: SideReport) -> dict[str, Any]:
    claimed = side.claimed
    return {
        "items": dict(side.items),
        "score": side.between if side.score is None else side.score,
        "total": side.total,
        "claimed": {
            "items": dict(claimed.items or {}),
            "score": claimed.score,
            "total": claimed.total,
        },
        "agrees": side.agrees,
    }


def why_json(why: WhyFalse) -> dict[str, Any]:
    """Return the house rules under which false claims would hold, and how many were tried."""
    claims = [
        {
            "deal": each.claim.deal,
            "side": each.claim.side,
            "what": each.claim.what,
            "claimed": each.claimed,
            "computed": each.computed,
            "holds_if": [
                {
                    "overrides": [override.text for override in answer.overrides],
                    "sentences": [override.words for override in answer.overrides],
                    "mends": len(answer.explains),
                }
                for answer in each.answers
            ],
        }
        for each in why.claims
    ]
    tried = {"single": why.singles, "claimed": why.claimed, "pairs": why.pairs}
    return {"claims": claims, "tried": tried}


def csv_rows(file: str, ledger: GameLedger) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each deal, side and item; score and total count as items.

    A figure that is not known or not claimed is empty; so is `agrees` if it is not decided.
    """
    for deal in ledger.deals:
        for side in deal.sides:
            for item in side.rows:
                yield (
                    file,
                    ledger.report.game,
                    deal.report.deal,
                    side.side,
                    item.item,
                    "" if item.computed is None else item.computed,
                    "" if item.claimed is None else item.claimed,
                    "" if item.agrees is None else ("yes" if item.agrees else "no"),
                )


# --- what would decide an open figure: mostly lines of the table at the end -----------------------


def needed_lines(written: Deal, table: Table, deal: DealReport, side: str, item: str) -> str:
    """Return what the record must say to decide an open item of a side."""
    melds, hands = (
        _unseen_melds(written, table, deal, side),
        _unseen_hands(written, table, deal, side),
    )
    match SCORED[item].decided:
        case "melds":
            return melds
        case "hands":
            return hands
        case "melds and hands":
            return listed(part for part in (melds, hands) if part)
        case "threes":
            tabled = any(line.side == side for line in written.threes)
            threes = "" if tabled else f"the threes of {side} at the end"
            # Whether they count for the side depends on its melds, which the play shows.
            parts = threes, "" if _followed(written, deal) else melds
            return listed(part for part in parts if part)
        case "out":
            return f"whether {deal.by} went out concealed"
        case "turns":
            return f"the turns in which {side} laid its canastas"
        case "special":
            return f"the special hand of {deal.by}"
        case "packets":
            return f"whether {side} picked up its {table.rules.packet_word}"
        case "":
            return ""


def _followed(written: Deal, deal: DealReport) -> bool:
    """Return whether the table comes from the turns and not from the lines at the end."""
    return bool(written.turns) and deal.shown is None


def _unseen_hands(written: Deal, table: Table, deal: DealReport, side: str) -> str:
    """Return words for the hands of a side that are not fully known."""
    lines = {line.seat: line for line in written.left}
    unseen = []
    for at, seat in enumerate(table.rules.seats):
        line = lines.get(seat)
        whole = line is not None and not line.rest_unknown and UNKNOWN not in line.cards
        known = seat == deal.by
        if _followed(written, deal):
            empty = not table.hand_sizes[at] + loose_cards(table, at)
            known = empty or not (free_cards(table, at) or is_vague(table, at))
        if seat in side and not (whole or known):
            unseen.append(seat)
    rules = table.rules
    packets = _unseen_packets(table, snapshot(table), side)
    owners = [seat for seat, cards in packets.items() if not cards or UNKNOWN in cards]
    kinds: dict[str, list[str]] = {}
    for word, seats in (
        ("hand", unseen),
        (rules.packet_word, owners if rules.packet_costs_cards else []),
    ):
        if seats:
            kinds.setdefault(listed(seats), []).append(plural(word) if len(seats) > 1 else word)
    parts = [f"the {listed(words)} of {seats}" for seats, words in kinds.items()]
    return f"{listed(parts)} at the end" if parts else ""


def _unseen_melds(written: Deal, table: Table, deal: DealReport, side: str) -> str:
    """Return words for the melds of a side if they are not known card by card, else ""."""
    at = table.rules.sides.index(side)
    shown = any(line.side == side for line in written.melds)
    if not any_unknown_melded(table, at) and (shown or _followed(written, deal)):
        return ""
    return f"the melds of {side} at the end"
