"""Random legal games: deals played to their ends by seats that choose at random, as records.

The same profile, seed and habits always give the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from canasta_notation.dealing import deal_pack, lay_out, seats_from
from canasta_notation.engine.actions import Action
from canasta_notation.engine.deal import award, end_deal, penalize
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.scoring import item_points, winner_of
from canasta_notation.engine.shown import show_deal, show_turn
from canasta_notation.engine.side import touched
from canasta_notation.engine.table import OPEN, OUT, SPECIAL, STOCK, Table
from canasta_notation.fields import unchecked
from canasta_notation.notation.document import (
    BonusLine,
    Deal,
    EndLine,
    Game,
    HandLine,
    PenaltyLine,
    Ruling,
    ScoreLine,
    StockLine,
    Tag,
    TotalLine,
    Turn,
    UpLine,
    packet_lines,
)
from canasta_notation.players.player import Player
from canasta_notation.players.random_packs import FAIR, biases, shuffle
from canasta_notation.players.random_seat import RandomSeat
from canasta_notation.players.random_turn import Habits
from canasta_notation.players.seat_turn import check_legal
from canasta_notation.rules import Profile, rules_tag
from canasta_notation.search.able import stock_over

#: After this many deals, a game without a winner is left unfinished.
DEAL_LIMIT = 40
#: The word of the ruling that a random game may have.
RULING = "upcard"
#: The bonuses that a random game may have: points and a word.
GIFTS: Final = ((100, "cut"), (50, "deal"), (5, "round"))
_deal: Final = unchecked(Deal)
_hand: Final = unchecked(HandLine)
_stock: Final = unchecked(StockLine)
_turn: Final = unchecked(Turn)
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
    players: Sequence[Player] = (),
) -> Game:
    """Return a random game of the profile, played to its target or for at most `deals` deals.

    Without `habits`, each game has its own. Everything is recorded: hands, up cards, often the
    stock, turns, ends, itemised scores, totals, the result (`*` for a game that was cut short).
    `totals` are the sides' points before the first deal, for tests; if they are not 0, the record
    claims false totals. `players` play instead, one for each seat; the packs are then shuffled
    fairly. Raises ValueError for rules that no record can state; RuntimeError if a
    play proves illegal, which would be a bug.
    """
    if players:
        habits = replace(habits or Habits(), bias=0.0, slow=0.0, keep=0.0)
    return _GamePlay(profile, seed, habits, list(totals or ()), players).play(deals)


class _GamePlay:
    """A game being played."""

    def __init__(
        self,
        profile: Profile,
        seed: int,
        habits: Habits | None,
        totals: list[int],
        players: Sequence[Player],
    ) -> None:
        self.profile = profile
        self.rules = rules_of(profile)
        self.rules_tag = rules_tag(profile)
        self.rng = Random(f"{profile.text} {seed}")
        self.habits = habits or _some_habits(self.rng)
        self.totals = totals or [0] * len(self.rules.sides)
        self.first_dealer = self.rng.randrange(self.rules.players)
        #: Decides only the bonus lines, so that the play is the same without them.
        self.gifts = Random(f"{profile.text} {seed} bonus")
        self.seed = seed
        self.players = players

    def play(self, limit: int) -> Game:
        deals: list[Deal] = []
        dealer = self.first_dealer
        while len(deals) < limit and not self._won(len(deals)):
            deal = _DealRecord(self, len(deals) + 1, dealer)
            deals.append(deal.play())
            dealer = (dealer + 1) % self.rules.players
        return Game(self._tags(finished=self._won(len(deals))), tuple(deals))

    def _won(self, played: int) -> bool:
        return winner_of(self.rules, self.totals, played) >= 0

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
        check_legal(self.table)
        return _deal(
            self.number,
            self.rules.seats[self.dealer],
            **setup,
            play=tuple(self.lines),
            end=end,
            scores=scores,
            total=_total(totals),
        )

    # --- dealing --------------------------------------------------------------------------------

    def _set_up(self) -> dict[str, object]:
        """Deal the cards; return the deal's lines before play, by the names of their fields."""
        rng, rules, habits = self.rng, self.rules, self.habits
        bias = rng.choice(biases(rules)) if rng.random() < habits.bias else FAIR
        seat = self.first if bias.first or rng.random() < 0.5 else rng.randrange(rules.players)
        pack = shuffle(rules, rng, seat, bias)
        if bias.lurks:
            self.lurking = [each == seat for each in range(rules.players)]
        if bias.slow or rng.random() < habits.slow:
            self.habits = replace(habits, take=0.1, meld=0.5, out=0.1, bias=0.0)
        keep = {
            seat
            for seat in seats_from(rules, self.dealer)
            if bias.keeps or rng.random() < habits.keep
        }
        dealt = deal_pack(rules, self.dealer, pack, keep)
        self.table = lay_out(rules, dealt, self.game.totals, self.number, written=True)
        show_deal(self.table)
        self.players = self.game.players or [
            RandomSeat(rng, self.habits, *manner, self._rule).player()
            for manner in zip(self.lurking, self.prudent, strict=True)
        ]
        hands = [
            _hand(rules.seats[seat], dealt.hands[seat], False, dealt.replacements[seat])
            for seat in seats_from(rules, self.dealer)
        ]
        written = rng.random() < habits.stock
        # Feet that were not picked up count, so a record without them is never verified.
        aside = dealt.packets if written or rules.packet_of_seat else ()
        return {
            "hands": tuple(hands),
            "up": _up(dealt.up) if rules.up_turned else None,
            "stock": _stock(dealt.stock) if written else None,
            "packets": packet_lines(rules.packet_word, rules.seats, aside) if aside else (),
        }

    # --- turns ----------------------------------------------------------------------------------

    def _turn(self) -> bool:
        """Play the turn of the seat that is due; return False if the deal is over instead."""
        seat = self.table.due
        done = self.players[seat].turn(self.table)
        if done is None:
            return False
        self.table, actions = done
        check_legal(self.table)
        show_turn(self.table, actions)
        self._write(seat, actions)
        return True

    def _write(self, seat: int, actions: list[Action]) -> None:
        table, rng, habits = self.table, self.rng, self.habits
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

    def _rule(self, table: Table) -> None:
        """Sometimes record a bonus, or a penalty for a top card that proved unusable."""
        gifts, sides = self.game.gifts, self.rules.sides
        if gifts.random() < self.habits.bonus:
            given, word = gifts.choice(GIFTS)
            at = gifts.randrange(len(sides))
            award(table, at, given)
            self.lines.append(BonusLine(sides[at], given, word))
        points = self.rules.penalties[RULING]
        if points and self.rng.random() < self.habits.ruling:
            side = self.rules.side_of[table.due]
            penalize(table, side, points, RULING)
            self.lines.append(PenaltyLine(sides[side], points, RULING))

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
            items = item_points(self.table, at)
            score = sum(items.values())
            self.game.totals[at] += score
            lines.append(_score(side, score, tuple(items.items()) or None))
        return tuple(lines)
