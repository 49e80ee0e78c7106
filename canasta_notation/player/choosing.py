"""How a random player chooses: habits, and the plays of one turn that they lead to.

Choices are made by counting cards; melds are asked of the engine (`meld_holds`), and every turn
that is more than a draw and a discard is tried on a copy of the table before it is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CANASTA_SIZE,
    FOUR,
    JOKER_RANK,
    MELD_SIZE,
    OF_RANK,
    POINTS,
    RANK,
    RANK_POINTS,
    RED_THREE,
    SEVEN,
    TWO,
)
from canasta_notation.engine.actions import Action, Ask, Discard, Lay, LaySpecial, Take, TakeTalon
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.ending import find_leavings
from canasta_notation.engine.side import Side
from canasta_notation.engine.special import special_points
from canasta_notation.engine.table import YES
from canasta_notation.engine.trial import clone, meld_holds, perform


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, from 0 to 1, a player does what it could do.

    `take` the pile, `open` with what suffices, `meld` a rank it could, put `wilds` on melds, go
    `out`, `ask` before it, `lurk` (lay nothing but to go out concealed), `special` hands, `keep`
    a three where it may, take the `talon`, `freeze` the pile with a wild discard, discard with
    `care` what nothing goes with, `bias` a deal, write `claims`, `stock` and talon lines, record a
    `ruling`.
    """

    take: float = 0.8
    open: float = 0.85
    meld: float = 0.8
    wilds: float = 0.4
    out: float = 0.9
    ask: float = 0.2
    lurk: float = 0.1
    special: float = 0.9
    keep: float = 0.3
    talon: float = 0.9
    freeze: float = 0.04
    care: float = 0.8
    bias: float = 0.35
    claims: float = 0.2
    stock: float = 0.5
    ruling: float = 0.004


class Chooser:
    """The choices of one turn of a seat, after its draw or for a take."""

    def __init__(self, rng: Random, habits: Habits, *, lurking: bool) -> None:
        self.rng = rng
        self.habits = habits
        self.lurking = lurking

    def take(self, play: DealPlay) -> tuple[DealPlay, list[Action]] | None:
        """Return the table after a turn that takes the pile, and its actions, or None."""
        top = play.pile[-1]
        start = clone(play)
        start.take(start.seat, top, None)
        if start.violations:
            return None
        count = len(play.pile) if self.rng.random() < self.habits.claims else None
        for _ in range(3):
            table, actions = clone(start), list[Action]()
            if not table.top_melded and not self._meld_top(table, actions):
                continue
            if not table.opened_before and table.waiting and not self._open(table, actions):
                continue
            done = self._finish(table, [Take(top, count)], actions)
            if done is not None:
                return done
        return None

    def _meld_top(self, table: DealPlay, actions: list[Action]) -> bool:
        """Meld the waiting top with cards of the hand; return whether it could be."""
        rank = RANK[table.top]
        held = _cards(table)
        naturals = held[rank]
        wilds = held[TWO] + held[JOKER_RANK]
        cards = naturals[: self.rng.choice((2, len(naturals)))]
        with_wild = table.rules.with_wild and table.taken_frozen != YES
        if wilds and naturals and with_wild and self.rng.random() < self.habits.wilds:
            cards = [naturals[0], self.rng.choice(wilds)]
        if len(naturals) < 2:
            cards = naturals + wilds[:1] if with_wild else []
        if len(cards) < 2:
            return False
        _lay(table, actions, rank, cards)
        return not table.violations

    def play(self, play: DealPlay) -> tuple[DealPlay, list[Action]]:
        """Return the table after the rest of a turn that began with a draw, and its actions."""
        rng, habits = self.rng, self.habits
        if play.rules.special and not play.sides[play.rules.side_of[play.seat]].opened:
            done = self._special(play)
            if done is not None:
                return done
        if self._may_leave(play) and rng.random() < habits.out:
            done = self._leave(play, [])
            if done is not None:
                return done
        melds = not self.lurking and rng.random() < (
            habits.meld if play.opened_before else habits.open
        )
        if melds and (play.opened_before or _could_open(play)):
            for _ in range(2):
                table, actions = clone(play), list[Action]()
                if not play.opened_before and not self._open(table, actions):
                    continue
                done = self._finish(table, [], actions)
                if done is not None:
                    return done
        return self._discard_only(play)

    def _discard_only(self, play: DealPlay) -> tuple[DealPlay, list[Action]]:
        actions: list[Action] = []
        rules = play.rules
        asks = rules.may_ask and self.rng.random() < self.habits.ask / 20
        if asks and not (rules.ask_limit == "deal" and play.asked[play.seat]):
            _do(play, actions, Ask(False))
        _do(play, actions, Discard(self._card(play)))
        play.end_turn("")
        return play, actions

    # --- going out ------------------------------------------------------------------------------

    def _may_leave(self, play: DealPlay) -> bool:
        """Return whether going out is worth a search: few cards that nothing goes with."""
        held = _cards(play)
        side = play.sides[play.rules.side_of[play.seat]]
        if held[RED_THREE] or (play.rules.black_tabled and held[BLACK_THREE]):
            return False
        wilds = len(held[TWO]) + len(held[JOKER_RANK])
        loose = canastas = 0
        for rank in range(BLACK_THREE, ACE + 1):
            cards, size = len(held[rank]), side.size(rank)
            if cards and not size and cards < MELD_SIZE:
                loose += 1 if cards == 1 or wilds else cards
                wilds -= cards == 2
            canastas += size + cards + max(wilds, 0) >= CANASTA_SIZE
        canastas += side.size(JOKER_RANK) + wilds >= CANASTA_SIZE
        return loose <= 1 and canastas >= play.rules.out_canastas

    def _leave(self, play: DealPlay, before: list[Action]) -> tuple[DealPlay, list[Action]] | None:
        """Go out, or be refused by partner; return the table after it, or None."""
        rng, rules = self.rng, play.rules
        ways = list(find_leavings(play))
        if not ways:
            return None
        way = rng.choice(ways)
        table, actions = clone(play), list(before)
        asks = rules.may_ask and rng.random() < self.habits.ask and not play.laid
        if rules.ask_when == "after-stock" and not play.drew:
            asks = False
        if asks and not play.answer and not (rules.ask_limit == "deal" and play.asked[play.seat]):
            yes = rng.random() < 0.6
            _do(table, actions, Ask(yes))
            if not yes:
                return self._finish(table, actions, [])
        for action in way.actions:
            _do(table, actions, action)
        table.end_turn("")
        return None if table.violations else (table, actions)

    def _special(self, play: DealPlay) -> tuple[DealPlay, list[Action]] | None:
        """Lay a special hand; return the table after it, or None where there is none."""
        cards = tuple(code for codes in _cards(play) for code in codes)
        rules = play.rules
        kinds = [kind for kind in rules.special if special_points(rules.special, kind, cards)]
        if not kinds or play.laid or play.took or self.rng.random() >= self.habits.special:
            return None
        table, actions = clone(play), list[Action]()
        _do(table, actions, LaySpecial(kinds[0], cards))
        table.end_turn("")
        return None if table.violations else (table, actions)

    # --- melding --------------------------------------------------------------------------------

    def _open(self, table: DealPlay, actions: list[Action]) -> bool:
        """Lay groups until the opening is met; return whether it is."""
        rng, rules = self.rng, table.rules
        held = _cards(table)
        wilds = held[JOKER_RANK] + held[TWO]
        if rng.random() < 0.5:
            wilds.reverse()
        side = table.sides[rules.side_of[table.seat]]
        groups: dict[int, list[int]] = {}
        need = side.minimum - table.count_most
        ranks = [rank for rank in range(FOUR, ACE + 1) if held[rank]]
        rng.shuffle(ranks)
        ranks.sort(key=lambda rank: len(held[rank]) < MELD_SIZE)
        if rules.all_wild and len(wilds) >= MELD_SIZE and rng.random() < self.habits.wilds:
            groups[JOKER_RANK], wilds = wilds[:CANASTA_SIZE], wilds[CANASTA_SIZE:]
            need -= sum(POINTS[code] for code in groups[JOKER_RANK])
        for rank in ranks:
            if need <= 0 and rng.random() < 0.5:
                break
            cards = held[rank][: rules.max_cards]
            if rank in table.touched or len(cards) >= MELD_SIZE:
                groups[rank] = list(cards)
            elif len(cards) == 2 and wilds and need > 0:
                if not self._holds(table, side, rank, 2, 1):
                    continue
                groups[rank] = [*cards, wilds.pop(0)]
            else:
                continue
            need -= sum(POINTS[code] for code in groups[rank])
        for rank in groups:
            while need > 0 and wilds and self._takes_wild(table, side, rank, groups[rank]):
                groups[rank].append(wilds.pop(0))
                need -= POINTS[groups[rank][-1]]
        self._lay_all(table, actions, groups)
        return not table.violations and table.opening_met() and not table.waiting

    def _lay_all(
        self, table: DealPlay, actions: list[Action], groups: dict[int, list[int]]
    ) -> None:
        for rank in sorted(groups):
            if not table.violations:
                _lay(table, actions, rank, groups[rank])

    def _takes_wild(self, table: DealPlay, side: Side, rank: int, cards: list[int]) -> bool:
        if rank == JOKER_RANK:
            return False
        naturals = sum(RANK[code] == rank for code in cards)
        return self._holds(table, side, rank, naturals, len(cards) - naturals + 1)

    def _holds(self, table: DealPlay, side: Side, rank: int, naturals: int, wilds: int) -> bool:
        """Return whether a meld holds with so many cards more laid in this turn."""
        here = table.laid_naturals[rank], table.laid_wilds[rank]
        if rank not in table.touched:
            here = 0, 0
        stood = side.naturals[rank] - here[0], side.wilds(rank) - here[1]
        laid = here[0] + naturals, here[1] + wilds
        return meld_holds(table.rules, rank, stood, laid, table.opened_before)

    def _meld_more(self, table: DealPlay, actions: list[Action]) -> None:
        """Lay what habit says of what may be laid, keeping cards for a discard."""
        rng, habits, rules = self.rng, self.habits, table.rules
        held = _cards(table)
        side = table.sides[rules.side_of[table.seat]]
        spare = table.hands[table.seat].size - 2 - table.hands[table.seat].threes
        groups: dict[int, list[int]] = {}
        for rank in range(FOUR, ACE + 1):
            cards = held[rank]
            if not cards or (not side.size(rank) and len(cards) < 2) or rng.random() > habits.meld:
                continue
            count = min(len(cards), spare, rules.max_cards - side.size(rank))
            if count > 0 and self._holds(table, side, rank, count, 0):
                groups[rank] = cards[:count]
                spare -= count
        self._add_wilds(table, side, held, groups, spare)
        self._lay_all(table, actions, groups)

    def _add_wilds(
        self,
        table: DealPlay,
        side: Side,
        held: list[list[int]],
        groups: dict[int, list[int]],
        spare: int,
    ) -> None:
        rng, rules = self.rng, table.rules
        wilds = held[TWO] + held[JOKER_RANK]
        if not wilds or rng.random() > self.habits.wilds:
            return
        rng.shuffle(wilds)
        unfinished = 0 < side.size(JOKER_RANK) < CANASTA_SIZE
        size = side.size(JOKER_RANK)
        if rules.all_wild and (size or len(wilds) >= MELD_SIZE) and size < rules.max_cards:
            count = min(len(wilds), spare, rules.max_cards - size)
            if count > 0 and (size or count >= MELD_SIZE):
                groups[JOKER_RANK] = [wilds.pop() for _ in range(count)]
                spare -= count
        if unfinished:
            return
        ranks = [rank for rank in range(FOUR, ACE + 1) if side.size(rank) or len(held[rank]) > 1]
        rng.shuffle(ranks)
        for rank in ranks:
            while spare > 0 and wilds:
                cards = groups.get(rank, [])
                more = held[rank] if not cards and not side.size(rank) else cards
                if len(more) + (0 if cards else 1) > spare and not cards:
                    break
                if not self._takes_wild(table, side, rank, more):
                    break
                spare -= 1 if cards or side.size(rank) else len(more) + 1
                groups[rank] = [*more, wilds.pop()]

    def _finish(
        self, table: DealPlay, start: list[Action], actions: list[Action]
    ) -> tuple[DealPlay, list[Action]] | None:
        """Meld more, go out or discard; return the table after the turn, None where it is stuck."""
        if table.violations:
            return None
        done = [*start, *actions]
        if table.answer != "no" and self._may_leave(table) and self.rng.random() < self.habits.out:
            left = self._leave(table, done)
            if left is not None:
                return left
        self._meld_more(table, done)
        if table.violations or table.hands[table.seat].size == 0:
            return None
        card = self._card(table)
        _do(table, done, Discard(card))
        due = table.talon_due()
        last = table.hands[table.seat].size == 0
        if due >= 0 and (last or self.rng.random() < self.habits.talon):
            _do(table, done, TakeTalon(tuple(table.talons[due])))
        table.end_turn("")
        return None if table.violations else (table, done)

    # --- discarding -----------------------------------------------------------------------------

    def _card(self, play: DealPlay) -> int:
        """Return a card to discard, one that is not banned where the hand has one."""
        rng, rules = self.rng, play.rules
        held = _cards(play)
        kept = (RED_THREE, BLACK_THREE) if rules.black_tabled else (RED_THREE,)
        wild = [*held[TWO], *held[JOKER_RANK]]
        special = [*held[SEVEN], *held[ACE]] if rules.bans and not play.pile else []
        ranks = [
            rank
            for rank in range(BLACK_THREE, TWO)
            if held[rank] and rank not in kept and not (special and rank in (SEVEN, ACE))
        ]
        others = self._loose(play, held, ranks)
        if not others:
            others = special or wild or held[BLACK_THREE] or held[RED_THREE]
        elif not rules.bans and wild and rng.random() < self.habits.freeze:
            others = wild
        return others[int(rng.random() * len(others))]

    def _loose(self, play: DealPlay, held: list[list[int]], ranks: list[int]) -> list[int]:
        """Return the cards of the ranks, with care those alone that little goes with."""
        if ranks and self.rng.random() < self.habits.care:
            side = play.sides[play.rules.side_of[play.seat]]
            fewest = min(len(held[rank]) + side.size(rank) for rank in ranks)
            ranks = [rank for rank in ranks if len(held[rank]) + side.size(rank) == fewest]
        return [code for rank in ranks for code in held[rank]]


def _could_open(play: DealPlay) -> bool:
    """Return whether the hand might open: a bound on what it can count, splashes aside."""
    held = _cards(play)
    wild = [*held[TWO], *held[JOKER_RANK]]
    points = sum(POINTS[code] for code in wild)
    triple = len(wild) >= MELD_SIZE
    for rank in range(FOUR, ACE + 1):
        count = len(held[rank])
        if count >= CANASTA_SIZE:
            return True
        if count >= MELD_SIZE or (count == 2 and wild):
            points += count * RANK_POINTS[rank]
            triple = True
    side = play.sides[play.rules.side_of[play.seat]]
    return triple and points >= side.minimum


def _cards(play: DealPlay) -> list[list[int]]:
    """Return the cards of the hand whose turn it is, by rank."""
    balance = play.hands[play.seat].balance
    held: list[list[int]] = [[] for _ in OF_RANK]
    for code, count in enumerate(balance):
        if count == 1:
            held[RANK[code]].append(code)
        elif count:
            held[RANK[code]] += [code] * count
    return held


def _do(play: DealPlay, actions: list[Action], action: Action) -> None:
    perform(play, action)
    actions.append(action)


def _lay(play: DealPlay, actions: list[Action], rank: int, cards: list[int]) -> None:
    _do(play, actions, Lay(rank, tuple(cards)))
