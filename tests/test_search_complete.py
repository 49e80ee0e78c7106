"""The list of legal plays is complete: it has what was played, and what brute force finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, cycle, permutations
from random import Random

import pytest

from canasta_notation.api import format_game
from canasta_notation.arrays import array
from canasta_notation.cards import (
    BLACK_THREE,
    CODES,
    JOKER_RANK,
    KIND,
    KINDS,
    MELD_SIZE,
    OF_RANK,
    RANK,
    RANKS,
    SEQUENCE,
    TWO,
    is_wild,
)
from canasta_notation.dealing import late_tabling
from canasta_notation.engine.actions import Action, Combine, Discard, Lay, LaySpecial, TakePacket
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import is_row
from canasta_notation.engine.side import (
    free_place,
    meld_places,
    naturals_of,
    touched,
    wilds_of,
)
from canasta_notation.engine.table import OPEN, YES, Table, copy_table, pile_of, top_of
from canasta_notation.engine.turn import begin_turn, end_turn, perform
from canasta_notation.notation.document import Turn
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_turn import Habits
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import load_profile
from canasta_notation.search.able import able_to_take, stock_over
from canasta_notation.search.ending import find_ending, packet_after, past_packet
from canasta_notation.search.found import Refusal
from canasta_notation.search.legal import legal_continuations, legal_starts
from canasta_notation.search.trial import attempt, pile_rest
from tests.erasing import Forgetting
from tests.random_games import GAMES, dealt, drawn, games, random_game, rules_named, tables

# --- what is written in part --------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_no_card_is_listed_that_the_hand_may_not_hold(seed: int) -> None:
    """A card that came without a suit, or unseen, may have left the hand with its suit."""
    whole = play_game(load_profile("davenport"), seed, deals=1)
    (reading,) = read_text(Forgetting(Random(seed)).text(format_game(whole)))
    listed: list[Refusal | None] = []

    def observe(moment: Moment) -> None:
        play, first = moment.table, moment.action == 0
        if first and play.ended == OPEN and play.discarded < 0:
            listed.extend(each.refusal for each in legal_continuations(play).discards)

    replay_game(reading.game, observer=observe)
    assert listed and not [each for each in listed if each and each.code == "not-in-hand"]


# --- what was played ----------------------------------------------------------------------------


@tables
def test_what_was_played_is_listed(name: str) -> None:
    """The takes, groups and discards of a random game are among the legal plays before them.

    One moment of three is looked at.
    """
    looked_at = cycle((True, False, False))

    def observe(moment: Moment) -> None:
        if not next(looked_at):
            return
        if isinstance(moment.line, Turn) and moment.is_within_turn:
            _hold_next(moment.table, moment.line.actions[moment.action + 1 :])
        elif moment.table.ended == OPEN:
            _hold_start(moment.table)

    replay_game(random_game(name, 0), observer=observe)


def _hold_start(play: Table) -> None:
    able = any(way.refusal is None for way in legal_starts(play).takes)
    assert able == (able_to_take(play, play.due) == YES)


def _hold_next(play: Table, following: tuple[Action, ...]) -> None:
    plays, first = legal_continuations(play), following[0]
    if isinstance(first, Lay):
        ranks = sorted(RANK[code] for code in first.cards)
        listed = [each for each in plays.groups if each.rank == first.rank]
        assert any(sorted(RANK[code] for code in each.cards) == ranks for each in listed)
    elif isinstance(first, Discard):
        choice = next(each for each in plays.discards if RANK[each.card] == RANK[first.card])
        assert choice.refusal is None or len(following) > 1
    elif isinstance(first, Combine):
        assert (first.rank, first.onto) in plays.combines
    elif isinstance(first, LaySpecial):
        assert first.kind in [each.kind for each in plays.specials]


@tables
def test_a_player_who_only_uses_the_list_plays_whole_games(name: str) -> None:
    """A seat that picks any listed play at random always reaches the end without a violation."""
    profile = rules_named(name)
    rules = Rules(profile)
    for seed in range(max(2, GAMES // 8)):
        rng = Random(seed)
        start = play_game(profile, seed, deals=1, habits=Habits(stock=1.0)).deals[0]
        play = dealt(rules, start)
        while play.ended == OPEN and stock_over(play) != YES:
            _turn_by_the_list(play, rng)
            assert not play.violations, [each.code for each in play.violations]


def _turn_by_the_list(play: Table, rng: Random) -> None:
    stock = list(play.stock)
    starts = legal_starts(play)
    begin_turn(play, play.due)
    if starts.must_table:
        tabling = late_tabling(play, stock[play.stock_at :])
        assert tabling is not None and set(tabling.threes) <= set(starts.threes)
        perform(play, tabling)
        starts = legal_starts(play)
        if play.ended != OPEN or (not play.last_three and stock_over(play) == YES):
            end_turn(play, "")
            return
    ways = [way for way in starts.takes if way.refusal is None]
    draws = starts.stock is not None and starts.stock.refusal is None
    if play.last_three:
        pass
    elif ways and (not draws or rng.random() < 0.5):
        for action in rng.choice(ways).begun(top_of(play)):
            perform(play, action)
    else:
        perform(play, drawn(play, stock))
    while play.ended == OPEN:
        plays = legal_continuations(play)
        choices: list[tuple[Action, ...]] = [
            (Lay(group.rank, group.cards),) for group in plays.groups
        ]
        for choice in plays.discards:
            if choice.refusal is None:
                packet = (
                    (TakePacket(play.rules.packet_word, choice.packet),) if choice.packet else ()
                )
                choices += [(Discard(choice.card), *packet)] * 2
        choices += [(Combine(place, onto),) for place, onto in plays.combines]
        choices += [way.actions for way in plays.out]
        choices += [()] if plays.may_stop else []
        assert choices
        actions = rng.choice(choices)
        for action in actions:
            perform(play, action)
        if not actions or play.discarded >= 0 or play.hand_sizes[play.seat] == 0:
            break
    end_turn(play, "")


# --- completeness -------------------------------------------------------------------------------


@tables
def test_the_list_is_complete_in_small_states(name: str) -> None:
    """Brute force over all turns of small hands finds exactly the plays that are listed."""
    held = 0
    # With sequences and numbers there are many more turns to try.
    most = (3 if rules_named(name)["meld.several"] != "no" else 5) * GAMES
    for at, play in enumerate(_small_states(name)):
        if at >= most and held:
            break
        expected = set(_brute_groups(play))
        listed = {
            (group.rank, tuple(sorted(RANK[code] for code in group.cards)))
            for group in legal_continuations(play).groups
        }
        missing = {group for group in expected - listed if _stands_now(play, group)}
        assert (missing, listed - expected) == (set(), set()), _shown(play)
        assert (find_ending(play) is not None) == _can_end(play), _shown(play)
        held += len(listed)
    assert held


def _shown(play: Table) -> str:
    hand = hand_counts(play, play.seat)
    return f"{[code for code, n in enumerate(hand) for _ in range(n)]} pile {pile_of(play)}"


def _small_states(name: str) -> list[Table]:
    """Return tables within a turn, with the hand cut down to a few random cards."""
    rng = Random(f"few cards of {name}")
    states: list[Table] = []
    for game in games(name)[:2]:

        def observe(moment: Moment) -> None:
            play = moment.table
            if (
                moment.is_within_turn
                and moment.action == 0
                and rng.random() < (0.5 if play.waiting else 0.1)
            ):
                states.append(_cut(play, rng))

        replay_game(game, observer=observe)
    rng.shuffle(states)
    return states


def _cut(play: Table, rng: Random) -> Table:
    small = copy_table(play)
    counts = hand_counts(small, small.seat)
    wanted = rng.randint(1, 4) if play.places == RANKS else rng.randint(2, 3)
    pool = [code for code, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(pool)
    side = small.side
    small.minimums[side] = rng.choice((15, 15, 50, small.minimums[side]))
    small.piled = array(pile_of(small)[-rng.randint(1, 3 if play.places == RANKS else 2) :])
    small.pile_size = len(small.piled)
    liked = {
        TWO,
        JOKER_RANK,
        *(KIND[place] for place in meld_places(small, side)),
        *rng.sample(range(BLACK_THREE, TWO), 3),
    }
    if small.took:
        liked = {RANK[small.taken.top], TWO, JOKER_RANK, *rng.sample(sorted(liked), 2)}
    pool.sort(key=lambda code: rng.random() - 0.8 * (RANK[code] in liked))
    keep = pool[:wanted]
    for code in range(CODES):
        small.counts[small.seat * CODES + code] = keep.count(code)
    small.hand_sizes[small.seat] = len(keep)
    small.kept_threes[small.seat] = sum(small.rules.tabled[RANK[code]] for code in keep)
    small.taken.before = hand_counts(small, small.seat)
    return small


def _brute_groups(play: Table) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every group, of any size, from which a legal turn can continue."""
    known: dict[object, bool] = {}
    for rank, cards in _all_groups(play):
        after = _after(play, rank, cards)
        if after is not None and _can_end(after, known):
            yield rank, tuple(sorted(RANK[code] for code in cards))


def _placed_groups(play: Table) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every group if a side may have sequences or several melds of a rank."""
    rules, side = play.rules, play.side
    hand = [code for code, count in enumerate(hand_counts(play, play.seat)) for _ in range(count)]
    places = meld_places(play, side)
    places += [free_place(play, side, kind) for kind in range(BLACK_THREE, JOKER_RANK + 1)]
    if rules.sequences:
        places += [free_place(play, side, kind) for kind in range(SEQUENCE, KINDS)]
    for size in range(1, len(hand) + 1):
        for cards in dict.fromkeys(combinations(hand, size)):
            for place in dict.fromkeys(places):
                kinds = {rules.set_of[RANK[code]] for code in cards} - {TWO, JOKER_RANK}
                if KIND[place] >= SEQUENCE:
                    others = [rules.sequence_of[code] != KIND[place] for code in cards]
                    wild = [is_wild(code) for code in cards]
                    fits = not any(
                        other and not (rules.sequence_wilds and each)
                        for other, each in zip(others, wild, strict=True)
                    )
                else:
                    fits = kinds <= {KIND[place]} and KIND[place] != TWO
                if fits and place >= 0:
                    yield place, cards


def _all_groups(play: Table) -> Iterator[tuple[int, tuple[int, ...]]]:
    if play.places > RANKS:
        yield from _placed_groups(play)
        return
    balance = hand_counts(play, play.seat)
    by_rank = [[code for code in codes for _ in range(balance[code])] for codes in OF_RANK]
    twos, jokers = by_rank[TWO], by_rank[JOKER_RANK]
    for rank in (*range(BLACK_THREE, TWO), JOKER_RANK):
        naturals = by_rank[rank] if rank != JOKER_RANK else []
        for count in range(len(naturals) + 1):
            for low in range(len(twos) + 1):
                for high in range(len(jokers) + 1):
                    if count + low + high:
                        yield rank, (*naturals[:count], *twos[:low], *jokers[:high])


def _after(play: Table, rank: int, cards: tuple[int, ...]) -> Table | None:
    """Return the table after a group, None if the group is illegal at once.

    An opening must consist of complete melds before the rest of a pile comes into the hand.
    """
    waited = play.waiting and not play.opened_before
    trial = attempt(play, (Lay(rank, cards),), end=False)
    if not trial.legal:
        return None
    table = trial.table
    if waited and not table.waiting:
        side = table.side
        for each in touched(table):
            naturals, wilds = naturals_of(table, side, each), wilds_of(table, side, each)
            if not _shaped(table.rules, naturals, wilds, each):
                return None
    return table


def _can_end(play: Table, known: dict[object, bool] | None = None) -> bool:
    """Return whether a legal turn can continue, by trying every turn.

    `known` are the answers for tables that groups in another order also reach.
    """
    known = {} if known is None else known
    sides = (play.meld_sizes, play.twos, play.jokers, play.sequences, play.touched_at)
    at = play.waiting, play.rest_kept, play.taken.place
    key = tuple(hand_counts(play, play.seat)), *map(tuple, sides), *at
    if play.places == RANKS or key not in known:
        known[key] = _tries_to_end(play, known)
    return known[key]


def _tries_to_end(play: Table, known: dict[object, bool]) -> bool:
    endings: list[tuple[Action, ...]] = [()]
    play, picked = past_packet(play)
    if picked:
        # With a packet in the hand, some discard ends the turn if any way does.
        codes = [code for code, count in enumerate(hand_counts(play, play.seat)) if count]
        return any(attempt(play, (Discard(code),)).legal for code in codes)
    packet = packet_after(play)
    for code, count in enumerate(hand_counts(play, play.seat)):
        if count:
            endings.append((Discard(code),))
            if packet is not None:
                endings.append((Discard(code), packet))
    rest = pile_rest(play) if play.waiting or play.rest_kept else []
    endings += [(Discard(code),) for code in rest]
    if any(attempt(play, actions).legal for actions in endings):
        return True
    for place, onto in permutations(meld_places(play, play.side) if play.rules.combine else (), 2):
        if KIND[place] == KIND[onto]:
            trial = attempt(play, (Combine(place, onto),), end=False)
            if trial.legal and _can_end(trial.table, known):
                return True
    return any(
        after is not None and _can_end(after, known)
        for rank, cards in _all_groups(play)
        for after in (_after(play, rank, cards),)
    )


def _shaped(rules: Rules, naturals: int, wilds: int, rank: int) -> bool:
    """Return whether a meld is complete and keeps the simplest limits."""
    rank = KIND[rank]
    if naturals + wilds < MELD_SIZE:
        return False
    if rank >= SEQUENCE:
        return True
    if rank == JOKER_RANK:
        return rules.all_wild
    few = naturals < rules.min_naturals and rank != BLACK_THREE
    return not few and wilds <= rules.max_wilds and wilds + rules.wild_margin <= naturals


def _stands_now(play: Table, group: tuple[int, tuple[int, ...]]) -> bool:
    """Return whether the meld, with the waiting top, is legal right after the group."""
    rank, ranks = group
    side = play.side
    if KIND[rank] >= SEQUENCE:
        bits = play.sequences[side * play.places + rank] | sum(1 << each for each in ranks)
        whole = naturals_of(play, side, rank) + len(ranks) >= MELD_SIZE
        return whole and is_row(play.rules, bits, 0)
    wilds = sum(each in (TWO, JOKER_RANK) for each in ranks)
    naturals = naturals_of(play, side, rank) + len(ranks) - wilds
    if play.took and not play.taken.melded and KIND[rank] == RANK[play.taken.top]:
        naturals += 1
    five = play.rules.rule_of_five and wilds and naturals < 5 and play.opened_before
    return not five and _shaped(play.rules, naturals, wilds_of(play, side, rank) + wilds, rank)


# --- found by the above -------------------------------------------------------------------------


OPENED_WITH_THE_REST = {
    # Q:QhQsQd counts 30; A:AsAd is not a meld until the pile's Ah is added.
    "opening-low": """[CGN "1"]
[Rules "classic"]

deal 1 dealer N
S: 4s 5h 6d 7c 8s 9h Td Qs Qd As Ad
up 4c
1. E + -Ah
2. S +4h -4h
3. W + -5s
4. N + -6s
5. E + -Qh
6. S ^Qh Q:QsQd A:AsAd A:Ah -4s
""",
    # The only clean triple is of kings that were under the top card.
    "opening-form": """[CGN "1"]
[Rules "american-4p"]

deal 1 dealer N
S: 4s 5h 6d 7c Qs Qd 8s 8d * * 2c As Ah
1. E + -Kh
2. S +4h -4h
3. W + -Ks
4. N + -Kd
5. E + -Qh
6. S ^Qh Q:QsQd** 8:8s8d2c K:KhKsKd -5h
""",
}


@pytest.mark.parametrize("code", OPENED_WITH_THE_REST)
def test_an_opening_needs_no_card_of_the_rest(code: str) -> None:
    (reading,) = read_text(OPENED_WITH_THE_REST[code])
    assert code in [each.code for each in replay_game(reading.game).findings]


def test_a_seat_is_able_to_open_with_a_splash() -> None:
    (reading,) = read_text("""[CGN "1"]
[Rules "american-2p"]

deal 1 dealer N
S: 4s 5h 6d 7c Qs Qd 2s 2s 2h 2h 2d 2d 2c
N: 4h 4d 4c 5s 5d 5c 6h 6s 6c 7h 7s 8s Qh
1. S +8d -4s
2. N +8c -Qh
3. S ^Qh Q:QsQd *:2s2s2h2h2d2d2c -8d
""")
    assert not [each for each in replay_game(reading.game).findings if each.code != "unfinished"]
    able: list[int] = []

    def observe(moment: Moment) -> None:
        if moment.place == 1 and moment.action == 1:
            able.append(able_to_take(moment.table, moment.table.due))

    replay_game(reading.game, observer=observe)
    assert able == [YES]
