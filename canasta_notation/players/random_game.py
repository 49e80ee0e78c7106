"""Random legal games: deals played to their ends by seats that choose at random, as records.

The same profile, seed and habits always give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from canasta_notation.arrays import array
from canasta_notation.cards import RANK, RANKS
from canasta_notation.dealing import (
    deal_pack,
    end_of_draw,
    late_tabling,
    lay_out,
    may_keep_three,
    seats_from,
)
from canasta_notation.engine.actions import Action, Draw, TableThrees, TakeTalon
from canasta_notation.engine.deal import end_deal, penalize
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.scoring import score_side, winner_of
from canasta_notation.engine.shown import show_deal, show_turn
from canasta_notation.engine.side import touched
from canasta_notation.engine.stock import draw
from canasta_notation.engine.table import OPEN, OUT, STOCK, YES, Table, copy_table, top_of
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.fields import unchecked
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    Game,
    HandLine,
    PenaltyLine,
    Ruling,
    ScoreLine,
    StockLine,
    Tag,
    TalonLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.players.random_packs import (
    LAST_THREE,
    SPECIAL,
    TRIPLES,
    biases,
    shuffle,
)
from canasta_notation.players.random_placed import could_take_placed, play_placed, take_placed
from canasta_notation.players.random_turn import (
    Habits,
    RandomPlayer,
    could_take,
    play_on,
    take_pile,
)
from canasta_notation.rules import Profile, rules_tag
from canasta_notation.rules.items import ITEMS
from canasta_notation.search.able import able_to_take, must_take, stock_over
from canasta_notation.search.ending import find_ending
from canasta_notation.search.found import TakeWay
from canasta_notation.search.legal import legal_starts

#: Returns the table after the turn of the seat that is due, and the actions of the turn; None if
#: the empty stock ends the deal. The function that it is given draws the cards due when the
#: turn has begun; with True it keeps a three.
TurnChooser = Callable[
    [Table, Callable[[Table, bool], Draw], Callable[[Table], TableThrees | None]],
    tuple[Table, list[Action]] | None,
]
#: After this many deals, a game without a winner is left unfinished.
DEAL_LIMIT = 40
#: The word of the ruling that a random game may have.
RULING = "upcard"
_deal: Final = unchecked(Deal)
_hand: Final = unchecked(HandLine)
_stock: Final = unchecked(StockLine)
_turn: Final = unchecked(Turn)
_draw: Final = unchecked(Draw)
_score: Final = unchecked(ScoreLine)
_up: Final = unchecked(UpLine)
_end: Final = unchecked(EndLine)
_total: Final = unchecked(TotalLine)


def play_game(
    profile: Profile,
    seed: int,
    *,
    habits: Habits | None = None,
    deals: int = DEAL_LIMIT,
    totals: tuple[int, ...] | None = None,
    choosers: Sequence[TurnChooser] = (),
) -> Game:
    """Return a random game of the profile, played to its target or for at most `deals` deals.

    Without `habits`, each game has its own. Everything is recorded: hands, up cards, often the
    stock, turns, ends, itemised scores, totals, the result (`*` for a game that was cut short).
    `totals` are the sides' points before the first deal, for tests; if they are not 0, the record
    claims false totals. `choosers` choose the turns instead, one for each seat; the packs are then
    shuffled fairly. Raises ValueError for rules that no record can state; RuntimeError if a
    play proves illegal, which would be a bug.
    """
    if choosers:
        habits = replace(habits or Habits(), bias=0.0, slow=0.0, ruling=0.0, keep=0.0)
    return _GamePlay(profile, seed, habits, list(totals or ()), choosers).play(deals)


class _GamePlay:
    """A game being played."""

    def __init__(
        self,
        profile: Profile,
        seed: int,
        habits: Habits | None,
        totals: list[int],
        choosers: Sequence[TurnChooser],
    ) -> None:
        self.profile = profile
        self.rules = rules_of(profile)
        self.rules_tag = rules_tag(profile)
        self.rng = Random(f"{profile.text} {seed}")
        self.habits = habits or _some_habits(self.rng)
        self.totals = totals or [0] * len(self.rules.sides)
        self.first_dealer = self.rng.randrange(self.rules.players)
        self.seed = seed
        self.choosers = choosers

    def play(self, limit: int) -> Game:
        deals: list[Deal] = []
        dealer = self.first_dealer
        while len(deals) < limit and not self._won():
            deal = _DealRecord(self, len(deals) + 1, dealer)
            deals.append(deal.play())
            dealer = (dealer + 1) % self.rules.players
        return Game(self._tags(finished=self._won()), tuple(deals))

    def _won(self) -> bool:
        return winner_of(self.rules, self.totals) >= 0

    def _tags(self, *, finished: bool) -> tuple[Tag, ...]:
        sums = zip(self.rules.sides, self.totals, strict=True)
        result = " ".join(f"{side} {total}" for side, total in sums) if finished else "*"
        return (
            Tag("CGN", "1"),
            Tag("Event", f"random game {self.seed}"),
            Tag("Rules", self.rules_tag),
            Tag("Dealer", self.rules.seats[self.first_dealer]),
            Tag("Result", result),
        )


def _some_habits(rng: Random) -> Habits:
    """Return random habits for a game: cautious, eager, hoarding..."""
    plain = Habits()
    match rng.randrange(4):
        case 0:
            return replace(plain, meld=0.95, open=0.98, take=0.95, wilds=0.6)
        case 1:
            return replace(plain, meld=0.5, take=0.4, wilds=0.15, lurk=0.4, freeze=0.1)
        case 2:
            return replace(plain, take=0.3, out=0.5, ask=0.5, keep=0.6)
    return plain


class _DealRecord:
    """One deal being dealt, played and written down."""

    def __init__(self, game: _GamePlay, number: int, dealer: int) -> None:
        self.game = game
        self.rules = game.rules
        self.rng = game.rng
        self.habits = game.habits
        self.number = number
        self.dealer = dealer
        self.first = (dealer + 1) % self.rules.players
        self.lines: list[Turn | Ruling] = []
        self.prudent = [self.rng.random() < self.habits.prudence for _ in self.rules.seats]
        self.lurking = [self.rng.random() < self.habits.lurk for _ in self.rules.seats]

    def play(self) -> Deal:
        """Play the deal, add its scores to the game's totals, and return its record."""
        setup = self._set_up()
        while self.table.ended == OPEN and self._turn():
            pass
        end = self._end()
        scores = self._scores()
        totals = tuple(zip(self.rules.sides, self.game.totals, strict=True))
        self._check()
        return _deal(
            self.number,
            self.rules.seats[self.dealer],
            **setup,
            play=tuple(self.lines),
            end=end,
            scores=scores,
            total=_total(totals),
        )

    def _check(self) -> None:
        """Raise RuntimeError if a play was illegal."""
        if self.table.violations:
            first = self.table.violations[0]
            raise RuntimeError(f"a random play was illegal: {first.code} ({first.message})")

    # --- dealing --------------------------------------------------------------------------------

    def _set_up(self) -> dict[str, object]:
        """Deal the cards; return the deal's lines before play, by the names of their fields."""
        rng, rules, habits = self.rng, self.rules, self.habits
        bias = rng.choice(biases(rules)) if rng.random() < habits.bias else ""
        seat = self.first if bias == SPECIAL or rng.random() < 0.5 else rng.randrange(rules.players)
        pack = shuffle(rules, rng, seat, bias)
        if bias == TRIPLES:
            self.lurking = [each == seat for each in range(rules.players)]
        if bias == LAST_THREE or rng.random() < habits.slow:
            self.habits = replace(habits, take=0.1, meld=0.5, out=0.1, bias=0.0)
        keep = {
            seat
            for seat in seats_from(rules, self.dealer)
            if bias == SPECIAL or rng.random() < habits.keep
        }
        dealt = deal_pack(rules, self.dealer, pack, keep)
        self.undealt, self.stock = dealt.stock, array(dealt.stock)
        self.drawn = dealt.start
        # Whoever takes a talon knows the cards that are drawn for it, and that replace its threes.
        known = rules.talon_drawn or rules.talon_threes == "at-once"
        self.table = lay_out(rules, dealt, self.game.totals, written=known)
        if self.game.choosers:
            show_deal(self.table)
        hands = [
            _hand(rules.seats[seat], dealt.hands[seat], False, dealt.replacements[seat])
            for seat in seats_from(rules, self.dealer)
        ]
        written = rng.random() < habits.stock
        return {
            "hands": tuple(hands),
            "up": _up(dealt.up) if rules.up_turned else None,
            "stock": _stock(dealt.stock) if written else None,
            "talons": tuple(map(TalonLine, dealt.talons)) if written else (),
        }

    # --- turns ----------------------------------------------------------------------------------

    def _turn(self) -> bool:
        """Play the turn of the seat that is due; return False if the deal is over instead."""
        table = self.table
        seat = table.due
        if self.game.choosers:
            return self._chosen_turn(seat)
        late = self._table_late(table)
        if table.last_three:
            return self._after_last_three(seat, late)
        empty = table.stock_most == 0
        takes = table.ended == OPEN and self._wants_pile(seat, empty)
        if table.ended != OPEN or (empty and not takes):
            return self._leave_pile(seat, late)
        self._rule(seat)
        player = self._player(seat)
        done = None
        if takes:
            copy = copy_table(table)
            begin_turn(copy, seat)
            takes_pile = take_placed if table.places > RANKS else take_pile
            done = takes_pile(player, copy)
        if done is None and empty:
            done = self._forced(seat)
            if done is None:
                return self._leave_pile(seat, late)
        if done is None:
            begin_turn(table, seat)
            drawn = self._draw(table, seat)
            if table.ended == OPEN:
                self.table, actions = self._go_on(player)
                actions.insert(0, drawn)
            else:
                end_turn(table, "")
                actions = [drawn]
        else:
            self.table, actions = done
        if late is not None:
            actions.insert(0, late)
        self._check()
        self._write(seat, actions)
        return self.table.ended == OPEN

    def _player(self, seat: int) -> RandomPlayer:
        lurking = self.lurking[seat] and not self.table.melded >> seat & 1
        return RandomPlayer(self.rng, self.habits, lurking, self.prudent[seat])

    def _go_on(self, player: RandomPlayer) -> tuple[Table, list[Action]]:
        """Return the table after the rest of a turn that has drawn, and the actions."""
        return (play_placed if self.table.places > RANKS else play_on)(player, self.table)

    def _after_last_three(self, seat: int, late: TableThrees | None) -> bool:
        """Play on after the last three of the stock has replaced others; return False."""
        self.table, actions = self._go_on(self._player(seat))
        self._check()
        self._write(seat, [*([] if late is None else [late]), *actions])
        return False

    def _leave_pile(self, seat: int, late: TableThrees | None) -> bool:
        """End the deal by its stock, after a turn that could only table threes; return False."""
        if late is not None:
            end_turn(self.table, "")
            self._write(seat, [late])
        return False

    def _table_late(self, table: Table) -> TableThrees | None:
        """Begin a turn by tabling the threes that must be tabled; return the action, if any."""
        action = late_tabling(table, self.undealt[self.drawn :])
        if action is not None:
            begin_turn(table, table.due)
            perform(table, action)
            self.drawn += len(action.cards)
        return action

    def _pull_replacements(self, actions: Sequence[Action]) -> None:
        """Take the cards of a talon, and those that replaced its threes, off the stock."""
        if actions and isinstance(actions[-1], TakeTalon):
            self.drawn += len(actions[-1].replacements)
            self.drawn += len(actions[-1].cards) if self.rules.talon_drawn else 0

    def _chosen_turn(self, seat: int) -> bool:
        """Play the turn that the seat's chooser returns; return False if the deal is over."""
        done = self.game.choosers[seat](self.table, self._draw_due, self._table_late)
        if done is None:
            return False
        self.table, actions = done
        self._check()
        show_turn(self.table, actions)
        self._write(seat, actions)
        return self.table.ended == OPEN

    def _wants_pile(self, seat: int, empty: bool) -> bool:
        """Return whether the seat takes the pile, because it wants to or because it must."""
        table = self.table
        if table.pile_size == 0:
            return False
        if self.rules.blockers[RANK[top_of(table)]]:
            return False
        if table.places == RANKS and not could_take(table, seat):
            return False
        if table.places > RANKS and not could_take_placed(table, seat):
            return False
        keen = 0.1 if self.lurking[seat] and not table.melded >> seat & 1 and not empty else 1.0
        # Late in a deal, piles are taken whatever the habits; otherwise all would be frozen.
        late = table.stock_most < 2 * self.rules.hand and self.rng.random() < 0.5
        often = 0.6 if empty else 0.95 if late else self.habits.take
        wants = self.rng.random() < often * keen
        if empty and not wants:
            wants = must_take(table, seat) == YES
        return wants and (not empty or able_to_take(table, seat) == YES)

    def _forced(self, seat: int) -> tuple[Table, list[Action]] | None:
        """Return a turn that takes the pile because it must be taken, else None."""
        if must_take(self.table, seat) != YES:
            return None
        for way in legal_starts(self.table).takes:
            if way.refusal is None:
                begun = copy_table(self.table)
                begin_turn(begun, seat)
                return take_way(begun, way)
        raise RuntimeError("the pile must be taken, and no way to take it is legal")

    def _draw(self, table: Table, seat: int) -> Draw:
        """Draw the cards due and a replacement for each three tabled; one may be kept."""
        keeps = may_keep_three(table, seat)
        return self._draw_due(table, keeps and self.rng.random() < self._keep(seat))

    def _draw_due(self, table: Table, keeps: bool) -> Draw:
        """Draw the cards due, and a replacement for each three but one that is kept."""
        start = self.drawn
        self.drawn = end_of_draw(self.rules, self.stock, start, keeps)
        cards = self.undealt[start : self.drawn]
        draw(table, array(cards), len(cards), False)
        return _draw(cards)

    def _keep(self, seat: int) -> float:
        """Return how likely a three is kept: surely by a hand in which no rank occurs twice."""
        ranks = {RANK[code] for code, count in enumerate(hand_counts(self.table, seat)) if count}
        return 1.0 if len(ranks) == self.rules.hand else self.habits.keep

    def _write(self, seat: int, actions: list[Action]) -> None:
        table, rng, habits = self.table, self.rng, self.habits
        self._pull_replacements(actions)
        claims = rng.random() < habits.claims
        opened = claims and not table.opened_before and touched(table) and not table.special_cards
        out = ""
        if table.went_out and rng.random() < 0.5 + habits.claims:
            out = "##" if table.out_concealed and claims else "#"
        self.lines.append(
            _turn(
                table.turn,
                self.rules.seats[seat],
                tuple(actions),
                table.count_most if opened else None,
                out,
            )
        )

    def _rule(self, seat: int) -> None:
        """Sometimes record a penalty for a top card that could not be used and was put back."""
        points = self.rules.penalties[RULING]
        if points and self.rng.random() < self.habits.ruling:
            side = self.rules.side_of[seat]
            penalize(self.table, side, points, RULING)
            self.lines.append(PenaltyLine(self.rules.sides[side], points, RULING))

    # --- the end --------------------------------------------------------------------------------

    def _end(self) -> EndLine:
        table = self.table
        if table.ended in (OUT, SPECIAL):
            return _end(table.ended, self.rules.seats[table.ended_by])
        end_deal(table, STOCK, -1, stock_over(table))
        return _end(STOCK)

    def _scores(self) -> tuple[ScoreLine, ...]:
        lines = []
        for at, side in enumerate(self.rules.sides):
            items: dict[str, int] = {}
            for entry in score_side(self.table, at):
                points = min(entry.possible or {0})
                items[entry.item] = items.get(entry.item, 0) + points
            shown = tuple((item, items[item]) for item in ITEMS if items.get(item))
            score = sum(items.values())
            self.game.totals[at] += score
            lines.append(_score(side, score, shown or None))
        return tuple(lines)


def take_way(table: Table, way: TakeWay) -> tuple[Table, list[Action]] | None:
    """Return the table after a turn that takes the pile in this way, and the actions.

    Returns None if no legal turn continues from there.
    """
    copy = copy_table(table)
    actions = way.begun(top_of(copy))
    for action in actions:
        perform(copy, action)
    ending = find_ending(copy)
    if copy.violations or ending is None or not ending.certain:
        return None
    for action in ending.actions:
        perform(copy, action)
    end_turn(copy, "")
    return copy, [*actions, *ending.actions]
