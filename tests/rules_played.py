"""How often each rule occurs in random games, by profile; exit 1 if one never does.

`python tests/rules_played.py [--games N] [--profile NAME]` takes two or three minutes on two cores.
With the default number of games, everything occurs in every profile.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from canasta_notation.cards import ACE, BLACK_THREE, JOKER_RANK, RANK, RED_THREE, SEVEN, is_wild
from canasta_notation.engine.actions import Ask, Discard, Draw, Lay, LaySpecial, Take, TakePacket
from canasta_notation.engine.hands import count_of_rank
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import (
    count_canastas,
    has_opened,
    meld_places,
    meld_size,
    naturals_of,
    tabled_threes,
    touched,
    unfinished_melds,
    wilds_of,
)
from canasta_notation.engine.state import MeldState, meld_state
from canasta_notation.engine.table import YES, Table, pile_of
from canasta_notation.notation.document import Deal, Game, Turn
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_turn import Habits
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile, load_profile, profile_names
from canasta_notation.search.able import able_to_take, must_take

Has = Callable[[Rules], bool]

#: How many games are enough, and the most deals of each.
GAMES = 50
DEALS = 16
#: The habits of the games, in rotation: random ones; seats that play on without a stock; seats that
#: wait to go out concealed.
HABITS = (
    None,
    Habits(take=0.05, meld=0.3, wilds=0.1, out=0, lurk=0, freeze=0, care=0, slow=0, bias=0.5),
    Habits(lurk=0.5, bias=0.9, claims=1),
)


def always(rules: Rules) -> bool:
    return True


def tables_threes(rules: Rules) -> bool:
    """Return whether any three is tabled."""
    return not rules.threes_held


def american(rules: Rules) -> bool:
    return bool(rules.special)


def classic(rules: Rules) -> bool:
    return not rules.special


def goes_out(rules: Rules) -> bool:
    """Return whether random games may end so: canastas of several kinds are too rare in them."""
    return rules.out_sevens == 0


def needs_top(rules: Rules) -> bool:
    """Return whether a take lays the top of the pile."""
    return not rules.takes_freely


def plays_out(rules: Rules) -> bool:
    """Return whether the stock can be empty: no card of it stays unplayed."""
    return rules.unplayed == 0


#: Everything that must occur, and the profiles that have it.
FEATURES: dict[str, Has] = {
    "take: joins a meld": lambda rules: rules.onto_meld,
    "take: joins a canasta": lambda rules: rules.onto_meld,
    "take: pair, not frozen": lambda rules: classic(rules) and not rules.always_frozen,
    "take: natural and wild": lambda rules: bool(rules.with_wild),
    "take: pair, frozen by a card": lambda rules: any(rules.freezers),
    "take: pair, frozen, onto a meld": needs_top,
    "take: opens": always,
    "take: one card": always,
    "take: ten cards and more": always,
    "take: red three in it": lambda rules: any(rules.up_covered),
    "take: stock empty, must": lambda rules: rules.must_take != "no",
    "take: stock empty, need not": lambda rules: rules.must_take != "any" and plays_out(rules),
    "declined: stock empty": lambda rules: rules.must_take != "any" and plays_out(rules),
    "declined: stock not empty": always,
    "opening: from the hand": always,
    "opening: splash": lambda rules: rules.waived == "splash",
    "opening: waived, concealed": lambda rules: rules.waived == "out-concealed-from-stock",
    "opening: aces with wild cards": american,
    "opening: claimed": always,
    "opening: three melds and more": always,
    "meld: two wild cards": lambda rules: rules.max_wilds >= 2,
    "meld: three wild cards": lambda rules: rules.max_wilds >= 3,
    "meld: more wild cards than naturals": lambda rules: (
        rules.wild_margin < 0 and rules.max_wilds > rules.min_naturals
    ),
    "meld: wild card on five naturals": lambda rules: rules.rule_of_five,
    "meld: wild card on a natural canasta": lambda rules: (
        classic(rules) and rules.wilds_on_canasta and rules.max_cards > 7
    ),
    "meld: eight cards and more": lambda rules: rules.max_cards > 7,
    "meld: three black threes": lambda rules: rules.black_threes and goes_out(rules),
    "meld: four black threes": lambda rules: rules.black_threes and goes_out(rules),
    "canasta: natural": always,
    "canasta: mixed": always,
    "canasta: sevens": american,
    "canasta: natural aces": american,
    "canasta: all twos": american,
    "canasta: four jokers": american,
    "canasta: other wild": american,
    "unfinished: sevens": american,
    "unfinished: natural aces": american,
    "unfinished: wild": american,
    "held: sevens": american,
    "held: aces": american,
    "out: with a discard": goes_out,
    "out: without a discard": lambda rules: not rules.discard_required and goes_out(rules),
    "out: concealed": lambda rules: rules.score_concealed > 0 and goes_out(rules),
    # With six players, this is too rare for so few games.
    "out: concealed after a take": lambda rules: (
        rules.score_concealed > 0 and rules.players < 6 and goes_out(rules)
    ),
    "out: concealed, partner's canasta": lambda rules: not rules.concealed_own,
    "out: claimed #": goes_out,
    "out: claimed ##": lambda rules: rules.score_concealed > 0 and goes_out(rules),
    "ask: yes": lambda rules: rules.may_ask,
    "ask: no": lambda rules: rules.may_ask,
    # A hand with a foot before it is never asked about, so this is too rare in Hand and Foot.
    "ask: after a take": lambda rules: (
        rules.may_ask and rules.ask_when != "after-stock" and not rules.packet_of_seat
    ),
    "draw: a three": tables_threes,
    "draw: two threes": tables_threes,
    "draw: a three kept": lambda rules: rules.three_kept,
    "draw: one card of two left": lambda rules: rules.draw_count == 2,
    "draw: last card a three": tables_threes,
    "draw: two threes, the last cards": lambda rules: (
        rules.draw_count == 2 and tables_threes(rules)
    ),
    "deal: a three replaced": tables_threes,
    "deal: a three kept": lambda rules: rules.three_kept,
    "deal: a three for a three": tables_threes,
    "up: wild covered": lambda rules: any(rules.up_covered),
    "up: red three covered": lambda rules: any(rules.up_covered),
    "up: black three covered": lambda rules: rules.up_covered[BLACK_THREE],
    "up: black three stands": lambda rules: (
        rules.up_turned > 0 and not rules.up_covered[BLACK_THREE]
    ),
    "up: freezes": lambda rules: any(rules.up_freezes),
    "discard: wild": always,
    # With several melds of a rank, a hand nearly always has a place for its last wild card.
    "discard: wild, the last card": lambda rules: not rules.several,
    "discard: wild, all are": american,
    "discard: black three": lambda rules: classic(rules) and not rules.black_tabled,
    "discard: ace or seven on no pile": always,
    "talon: first": lambda rules: bool(rules.packets),
    "talon: second": lambda rules: bool(rules.packets),
    "talon: left lying": lambda rules: bool(rules.packets),
    "talon: after the last card": lambda rules: bool(rules.packets),
    "talon: a three in it": lambda rules: bool(rules.packets) and tables_threes(rules),
    "end: out": goes_out,
    "end: stock": always,
    "end: special": american,
    "penalty": lambda rules: any(rules.penalties.values()),
    "win": goes_out,
    "tags: stock line": always,
}


def features(rules: Rules) -> list[str]:
    """Return everything that must occur in the games of a profile."""
    names = [name for name, has in FEATURES.items() if has(rules)]
    limits = [limit for limit, _ in rules.opening_table if limit is not None]
    reached = [0, *[at + 1 for at, limit in enumerate(limits) if limit < rules.target]]
    names += [f"minimum {rules.opening_table[at][1]}" for at in reached]
    names += [f"special: {kind} {pattern.points}" for kind in rules.special
              for pattern in rules.special[kind]]  # fmt: skip
    signs = ("+", "-", "0") if rules.black_tabled else ("+", "-")
    counts = range(1, 5) if tables_threes(rules) else ()
    names += [f"threes: {count} {colour}{sign}" for sign in signs for count in counts
              for colour in (("red ", "black ") if rules.black_tabled else ("red ",))]  # fmt: skip
    return names


class Watch:
    """What occurs in one game, counted while it is replayed."""

    def __init__(self, game: Game, profile: Profile) -> None:
        self.game = game
        self.rules = Rules(profile)
        self.seen: Counter[str] = Counter()
        self.before: dict[str, object] = {}
        report = replay_game(game, observer=self.observe)
        assert not [each for each in report.findings if each.severity == "error"]
        for deal, shown in zip(game.deals, report.deals, strict=True):
            self._lines(deal)
            for side in shown.sides:
                self.seen.update(f"item: {item}" for item, points in side.items.items() if points)
        self.seen["win"] += report.result.winner is not None

    def observe(self, moment: Moment) -> None:
        play = moment.table
        if isinstance(moment.line, Turn):
            if moment.is_within_turn and moment.action is not None:
                self._within(play, moment.line, moment.action)
                return
            self._turn(play, moment.line)
        self._remember(play)
        if play.ended or moment.place == len(self.game.deals[moment.deal - 1].play) - 1:
            self._end(play)

    def _remember(self, play: Table) -> None:
        rules, seat = self.rules, play.due
        side = rules.side_of[seat]
        self.play = play
        self.before = {
            "pile": pile_of(play),
            "frozen": play.frozen_by_card == YES,
            "opened": has_opened(play, side),
            "minimum": play.minimums[side],
            "sizes": [meld_size(play, side, place) for place in range(play.places)],
            "wilds": [wilds_of(play, side, place) for place in range(play.places)],
            "stock": play.stock_most,
            "able": play.pile_size > 0 and able_to_take(play, seat) == YES,
            "must": play.stock_most == 0 and must_take(play, seat) == YES,
            "canastas": count_canastas(play, side),
            "held": [count_of_rank(play, seat, rank) for rank in range(15)],
        }

    def _within(self, play: Table, turn: Turn, action: int) -> None:
        following = turn.actions[action + 1]
        if isinstance(following, Discard):
            size = play.hand_sizes[play.seat]
            card = following.card
            wild = sum(count_of_rank(play, play.seat, rank) for rank in (13, 14))
            if is_wild(card):
                self.seen["discard: wild"] += 1
                self.seen["discard: wild, the last card"] += size == 1
                self.seen["discard: wild, all are"] += size == wild > 1
            self.seen["discard: black three"] += RANK[card] == BLACK_THREE
            empty = not play.pile_size and RANK[card] in (SEVEN, ACE)
            self.seen["discard: ace or seven on no pile"] += empty

    def _turn(self, play: Table, turn: Turn) -> None:
        first = turn.actions[0]
        if isinstance(first, Draw):
            self._draw(play, first)
            self.seen["declined: stock not empty"] += bool(self.before["able"])
        elif isinstance(first, Take):
            self._take(play, turn)
        self._melds(play, turn)
        self._out(play, turn)
        for action in turn.actions:
            if isinstance(action, Ask):
                self.seen["ask: yes" if action.yes else "ask: no"] += 1
                self.seen["ask: after a take"] += play.took
            if isinstance(action, TakePacket):
                once = int(play.opened).bit_count() == 1
                self.seen[f"talon: {'first' if once else 'second'}"] += 1
                threes = any(self.rules.tabled[RANK[code]] for code in action.cards)
                self.seen["talon: a three in it"] += threes
                size = play.hand_sizes[play.seat]
                tabled = sum(self.rules.tabled[RANK[code]] for code in action.cards)
                last = size == len(action.cards) - tabled
                self.seen["talon: after the last card"] += last
            if isinstance(action, LaySpecial):
                self.seen[f"special: {action.kind} {play.special_points}"] += 1

    def _draw(self, play: Table, draw: Draw) -> None:
        rules, tabled = self.rules, self.rules.tabled
        threes = [code for code in draw.cards if tabled[RANK[code]]]
        left = int(str(self.before["stock"]))
        self.seen["draw: a three"] += len(threes) == 1
        self.seen["draw: two threes"] += len(threes) > 1
        last = len(draw.cards) == left and bool(tabled[RANK[draw.cards[-1]]])
        self.seen["draw: last card a three"] += last
        kept = tabled[RANK[draw.cards[-1]]] and not last
        self.seen["draw: a three kept"] += kept
        if rules.draw_count == 2:
            self.seen["draw: one card of two left"] += left == 1
            self.seen["draw: two threes, the last cards"] += left == 2 == len(threes)

    def _take(self, play: Table, turn: Turn) -> None:
        before = self.before
        pile = before["pile"]
        assert isinstance(pile, list)
        rank = RANK[pile[-1]]
        sizes, frozen = before["sizes"], before["frozen"] or self.rules.always_frozen
        assert isinstance(sizes, list)
        group = next((a for a in turn.actions if isinstance(a, Lay) and a.rank == rank), None)
        cards = group.cards if group else ()
        naturals = sum(RANK[code] == rank for code in cards)
        if not before["opened"]:
            self.seen["take: opens"] += 1
        elif not frozen and sizes[rank]:
            self.seen["take: joins a meld"] += 1
            self.seen["take: joins a canasta"] += sizes[rank] >= 7
        elif not frozen:
            self.seen["take: pair, not frozen"] += naturals >= 2
            self.seen["take: natural and wild"] += naturals == 1
        else:
            self.seen["take: pair, frozen by a card"] += bool(before["frozen"])
            self.seen["take: pair, frozen, onto a meld"] += sizes[rank] > 0
        self.seen["take: one card"] += len(pile) == 1
        self.seen["take: ten cards and more"] += len(pile) >= 10
        self.seen["take: red three in it"] += any(RANK[code] == RED_THREE for code in pile)
        if not before["stock"]:
            self.seen["take: stock empty, must" if before["must"] else
                      "take: stock empty, need not"] += 1  # fmt: skip

    def _melds(self, play: Table, turn: Turn) -> None:
        rules, side = self.rules, play.side
        for rank in touched(play):
            wilds, naturals = wilds_of(play, side, rank), naturals_of(play, side, rank)
            came = play.laid_wilds[rank] and rank != JOKER_RANK
            self.seen["meld: two wild cards"] += bool(came and wilds == 2)
            self.seen["meld: three wild cards"] += bool(came and wilds == 3)
            self.seen["meld: more wild cards than naturals"] += bool(came and wilds > naturals)
            five = came and naturals >= 5 and play.opened_before
            self.seen["meld: wild card on five naturals"] += bool(five)
            sizes, before = self.before["sizes"], self.before["wilds"]
            assert isinstance(sizes, list) and isinstance(before, list)
            converted = came and sizes[rank] >= 7 and not before[rank]
            self.seen["meld: wild card on a natural canasta"] += bool(converted)
            self.seen["meld: eight cards and more"] += meld_size(play, side, rank) >= 8
        if BLACK_THREE in touched(play):
            count = "three" if meld_size(play, side, BLACK_THREE) == 3 else "four"
            self.seen[f"meld: {count} black threes"] += 1
        if touched(play) and not play.opened_before:
            self._opening(play, turn, rules)

    def _opening(self, play: Table, turn: Turn, rules: Rules) -> None:
        minimum = int(str(self.before["minimum"]))
        low = play.count_most < minimum
        if not low:
            self.seen[f"minimum {minimum}"] += 1
        self.seen["opening: from the hand"] += not play.took
        self.seen["opening: splash"] += low and rules.waived == "splash"
        self.seen["opening: waived, concealed"] += low and rules.waived.startswith("out")
        self.seen["opening: aces with wild cards"] += bool(
            ACE in touched(play) and play.laid_wilds[ACE]
        )
        self.seen["opening: claimed"] += turn.open is not None
        self.seen["opening: three melds and more"] += len(touched(play)) >= 3
        packet = any(isinstance(action, TakePacket) for action in turn.actions)
        self.seen["talon: left lying"] += not packet and not play.ended

    def _out(self, play: Table, turn: Turn) -> None:
        if not play.went_out:
            return
        discarded = isinstance(turn.actions[-1], Discard)
        self.seen["out: with a discard" if discarded else "out: without a discard"] += 1
        if play.out_concealed:
            own = any(meld_size(play, play.side, rank) >= 7 for rank in touched(play))
            self.seen["out: concealed"] += 1
            self.seen["out: concealed after a take"] += play.took
            self.seen["out: concealed, partner's canasta"] += not own
        if turn.out:
            self.seen[f"out: claimed {turn.out}"] += 1

    def _end(self, play: Table) -> None:
        """Count what a finished deal leaves on the table."""
        rules = self.rules
        if not play.ended and self.before["able"]:
            self.seen["declined: stock empty"] += 1
        for side in range(len(rules.sides)):
            canastas = count_canastas(play, side)
            self._threes(tabled_threes(play, side), has_opened(play, side), canastas)
            for rank in meld_places(play, side):
                if meld_size(play, side, rank) >= 7:
                    self.seen[f"canasta: {self._kind(meld_state(play, side, rank))}"] += 1
            for rank in unfinished_melds(play, side) if rules.score_unfinished else ():
                name = {SEVEN: "sevens", ACE: "natural aces"}.get(rank, "wild")
                self.seen[f"unfinished: {name}"] += 1
        for seat in range(rules.players) if rules.score_held else ():
            self.seen["held: sevens"] += count_of_rank(play, seat, SEVEN) >= 3
            self.seen["held: aces"] += count_of_rank(play, seat, ACE) >= 3

    def _kind(self, meld: MeldState) -> str:
        rank = meld.rank
        if rank == JOKER_RANK:
            return {0: "all twos", 4: "four jokers"}.get(meld.jokers, "other wild")
        if meld.twos or meld.jokers:
            return "mixed"
        names = {SEVEN: "sevens", ACE: "natural aces"} if self.rules.score_sevens else {}
        return names.get(rank, "natural")

    def _threes(self, threes: list[int], opened: bool, canastas: int) -> None:
        by_canastas = {0: "-", 1: "0"}.get(canastas, "+")
        sign = by_canastas if self.rules.black_tabled else "+" if opened else "-"
        for rank, colour in ((RED_THREE, "red "), (BLACK_THREE, "black ")):
            count = sum(RANK[code] == rank for code in threes)
            if count:
                self.seen[f"threes: {count} {colour}{sign}"] += 1

    def _lines(self, deal: Deal) -> None:
        rules = self.rules
        self.seen["tags: stock line"] += deal.stock is not None
        assert deal.end is not None
        self.seen[f"end: {deal.end.reason}"] += 1
        self.seen["penalty"] += sum(not isinstance(line, Turn) for line in deal.play)
        for hand in deal.hands:
            cards = (*hand.cards, *hand.replacements)
            threes = sum(rules.tabled[RANK[code]] for code in cards)
            self.seen["deal: a three replaced"] += bool(hand.replacements)
            self.seen["deal: a three kept"] += threes > len(hand.replacements)
            chained = any(rules.tabled[RANK[code]] for code in hand.replacements[:-1])
            self.seen["deal: a three for a three"] += chained
        up = deal.up.cards if deal.up else ()
        for code in up[:-1]:
            name = {RED_THREE: "red three", BLACK_THREE: "black three"}.get(RANK[code], "wild")
            self.seen[f"up: {name} covered"] += 1
        self.seen["up: black three stands"] += bool(up) and RANK[up[-1]] == BLACK_THREE
        self.seen["up: freezes"] += any(rules.up_freezes[RANK[code]] for code in up)


def count(profile: Profile, games: int) -> Counter[str]:
    """Return how often each thing occurred in a number of games, even if it never did."""
    seen = Counter(dict.fromkeys(features(Rules(profile)), 0))
    for seed in range(games):
        habits = HABITS[seed % len(HABITS)]
        game = play_game(profile, seed, habits=habits, deals=DEALS)
        seen.update(Watch(game, profile).seen)
    return seen


def lines(name: str, seen: Counter[str], wanted: list[str]) -> Iterator[str]:
    yield f"{name}"
    for feature in [*wanted, *sorted(set(seen) - set(wanted))]:
        if seen[feature] or feature in wanted:
            mark = "" if seen[feature] else "   <- never"
            yield f"  {feature:42}{seen[feature]:8}{mark}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--profile", action="append", choices=profile_names())
    options = parser.parse_args()
    missing = 0
    names = options.profile or profile_names()
    with ProcessPoolExecutor() as pool:
        counted = pool.map(count, map(load_profile, names), repeat(options.games))
        for name, seen in zip(names, counted, strict=True):
            wanted = features(Rules(load_profile(name)))
            print("\n".join(lines(name, seen, wanted)))
            missing += sum(not seen[feature] for feature in wanted)
    print(f"{missing} never occurred")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
