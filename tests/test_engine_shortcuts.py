"""The engine's shortcuts: the rules that they were written for, and that they change nothing.

CANASTA_GAMES sets how many games are played with and without shortcuts (a few by default).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import MappingProxyType
from zlib import crc32

import pytest

from canasta_notation import format_game, read_text
from canasta_notation.arrays import array
from canasta_notation.cards import JOKER_RANK, RANK, RED_THREE, TWO, parse_cards
from canasta_notation.engine import ruleset
from canasta_notation.engine.actions import Action, Discard, Draw, Lay, Take
from canasta_notation.engine.deal import begin_play, deal_hand
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.ruleset import Rules, Shortcut
from canasta_notation.engine.scoring import score_side
from canasta_notation.engine.side import meld_places
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import Table, top_of
from canasta_notation.engine.turn import begin_turn, end_turn, perform, play_plain
from canasta_notation.notation.reader import Reading
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_turn import Habits
from canasta_notation.replay import game_replay, totals
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import Profile, Value, keys, load_profile, profile_names
from canasta_notation.scan import scan_state, scanner
from tests.erasing import Forgetting
from tests.mutants import mutants
from tests.random_games import GAMES, dealt, drawn, some_rules

ALL = {name: each for name, each in vars(ruleset).items() if isinstance(each, Shortcut)}
each_shortcut = pytest.mark.parametrize("name", ALL)


def test_the_shortcuts_list_every_key() -> None:
    """A key that is not listed switches the shortcuts off unless its rule is absent."""
    unlisted = [key for key in keys().values() if key.name not in ruleset.JUDGED]
    assert [key.name for key in unlisted if not key.absent] == []
    assert {*ruleset.JUDGED} <= {*keys()}
    assert {key for each in ALL.values() for key in each.values} <= ruleset.JUDGED


@each_shortcut
def test_a_new_key_or_value_switches_a_shortcut_off(name: str) -> None:
    profile, shortcut = load_profile("classic"), ALL[name]
    assert shortcut.fits(profile)
    new = Value("a.new.key", False, "S", "a new text")
    values = MappingProxyType({**profile.values, new.key: new})
    assert not shortcut.fits(Profile(profile.name, profile.title, values))
    for key in shortcut.values:
        assert not shortcut.fits(profile.with_values({key: "a new value"})), key
        assert not shortcut.fits(profile.with_values({key: ("a new value",)})), key


def test_classic_rules_use_every_shortcut_unless_switched_off() -> None:
    profile = load_profile("classic")
    taken, none = Rules(profile), Rules(profile, shortcuts=False)
    assert taken.known_draws and taken.known_lays and taken.quiet_ends and taken.counted_takes
    assert any(taken.plain_draw) and any(taken.plain_discard)
    assert not (none.known_draws or none.known_lays or none.quiet_ends or none.counted_takes)
    assert not (any(none.plain_draw) or any(none.plain_discard))


# --- the same with and without ------------------------------------------------------------------


def replayed(record: str, reading: Reading, profile: Profile) -> tuple[object, ...]:
    """Return the report of a replay, its last position, and what the fast path verifies."""
    tables: list[Table] = []

    def observe(moment: Moment) -> None:
        tables[:] = [moment.table]

    report = game_replay.replay_game(reading.game, rules=profile, observer=observe)
    fast = scanner.scan_game(scan_state.Scan(profile), record.encode(), 1)
    return report, [snapshot(table) for table in tables], fast and (fast.totals, fast.turns)


def records(profile: Profile, seed: int) -> Iterator[str]:
    """Yield a random game, the same game with faults, and the same with less of it written."""
    chance = Random(seed)
    record = format_game(play_game(profile, seed, deals=1), profile["draw.count"])
    yield record
    for mutant in mutants([record.encode()], 2, seed):
        if b"\0" not in mutant:  # with it, the file is not text
            yield mutant.decode(errors="replace")
    yield Forgetting(chance).text(record)


def rules_to_try() -> Iterator[tuple[int, Profile]]:
    """Yield rules, each with a seed that does not depend on how many profiles there are."""
    for name in profile_names():
        yield crc32(name.encode()), load_profile(name)
    rng = Random(11)
    mixed = 0
    while mixed < 6 * GAMES:
        if (profile := some_rules(rng)) is not None:
            mixed += 1
            yield mixed, profile


def test_shortcuts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for seed, profile in rules_to_try():
        for record in records(profile, seed):
            reading = next(iter(read_text(record)))
            results = []
            for wanted in (True, False):
                rules = Rules(profile, shortcuts=wanted)
                for module in (totals, scan_state):
                    monkeypatch.setattr(module, "rules_of", lambda _, rules=rules: rules)
                results.append(replayed(record, reading, profile))
            assert results[0] == results[1], f"{profile.text}\n{record}"
            found += results[0][0].verdict == "contradicted"
    assert found


# --- careless play, straight at the engine ------------------------------------------------------


def careless_turn(table: Table, rng: Random, stock: list[int]) -> list[Action]:
    """Return a turn of cards that the seat mostly holds, whether or not it is legal."""
    seat = table.due
    hand = [code for code, count in enumerate(hand_counts(table, seat)) for _ in range(count)]
    actions: list[Action] = []
    if table.pile_size and rng.random() < 0.4:
        actions.append(Take(top_of(table)))
    else:
        cards = drawn(table, stock).cards
        actions.append(Draw(cards[:1] if rng.random() < 0.1 else cards))
        hand += cards
    ranks = {RANK[code] for code in hand if RANK[code] != RED_THREE} | set(
        meld_places(table, table.rules.side_of[seat])
    )
    wanted = min(len(ranks), rng.choice((0, 0, 0, 1, 1, 2, 4)))
    for rank in rng.sample(sorted(ranks), wanted):
        kind = [code for code in hand if RANK[code] == rank]
        wilds = [code for code in hand if RANK[code] in (TWO, JOKER_RANK) and RANK[code] != rank]
        group = kind + wilds[: rng.choice((0, 0, 0, 1, 2, 7))]
        if len(group) > rng.choice((0, 2)):
            actions.append(Lay(rank, tuple(group)))
            for code in group:
                hand.remove(code)
    if hand and rng.random() < 0.97:
        actions.append(Discard(rng.choice(hand)))
    return actions


def play_turn(table: Table, actions: list[Action]) -> None:
    """Play a turn as the fast path does, which tries a plain turn first."""
    match actions:
        case [Draw(cards=(drawn,)), Discard(card=last)] if play_plain(
            table, table.due, drawn, last
        ):
            return
    if begin_turn(table, table.due):
        for at, action in enumerate(actions):
            perform(table, action, at=at)
            if not table.knowable:
                return
        end_turn(table, "")


def found(table: Table) -> list[tuple[object, ...]]:
    return [
        (each.code, each.message, each.key, each.action, each.facts) for each in table.violations
    ]


def test_shortcuts_change_nothing_in_careless_play() -> None:
    codes: set[str] = set()
    for seed, profile in rules_to_try():
        rng = Random(seed)
        for deal in play_game(profile, seed, deals=2, habits=Habits(stock=1.0)).deals:
            stock = list(deal.stock.cards)
            tables = [dealt(Rules(profile, shortcuts=wanted), deal) for wanted in (True, False)]
            while all(table.knowable and not table.ended for table in tables):
                if tables[0].stock_at >= len(stock):
                    break
                actions = careless_turn(tables[0], rng, stock)
                for table in tables:
                    play_turn(table, actions)
                (fast, slow) = tables
                assert found(fast) == found(slow), (profile.text, actions)
                assert fast.doubts == slow.doubts
            assert snapshot(tables[0]) == snapshot(tables[1]), profile.text
            codes |= {each.code for each in tables[0].violations}
    assert {"meld-size", "meld-wild-ban", "out-discard", "discard-ban"} <= codes


#: A key with a value that the shortcut for known groups does not know, North's hand, what North
#: lays in its two turns, and the code or the item that the second turn must give.
UNKNOWN_VALUES = (
    ("meld.max_cards", 7, "KsKsKhKhKdKdKcKcQsQhQd", ("KsKsKhKh", "QsQhQd"), "KdKdKcKc",
     "meld-size"),
    ("score.concealed_canasta", 100, "KsKsKhKhKdKdKcAsAhAd6h", ("AsAhAd",), "KsKsKhKhKdKdKc",
     "concealed-canasta"),
    ("meld.wild_meld_first", True, "AsAhAd2s2h2dKsKh*6h7h", ("AsAhAd", "2s2h2d"), "KsKh*",
     "meld-wild-ban"),
)  # fmt: skip
OTHERS = ("4h4h4d4d4c4c5h5h5d5d5c", "8h8h8d8d8c8c9h9h9d9d9c", "JhJhJdJdJcJcThThTdTdTc")


@pytest.mark.parametrize(
    ("key", "value", "hand", "first", "second", "earned"),
    UNKNOWN_VALUES,
    ids=[each[0] for each in UNKNOWN_VALUES],
)
def test_the_shortcut_for_groups_knows_its_values(
    key: str, value: object, hand: str, first: tuple[str, ...], second: str, earned: str
) -> None:
    rules = Rules(load_profile("classic").with_values({"meld.all_wild": True, key: value}))
    table = Table(rules, 3, [0, 0], False)
    for seat, cards in enumerate((hand, *OTHERS)):
        deal_hand(table, seat, array(parse_cards(cards)), False, array([]))
    begin_play(table)

    def turn(card: str, *groups: str) -> None:
        (code,) = parse_cards(card)
        lays = [parse_cards(group) for group in groups]
        ranks = [JOKER_RANK if RANK[cards[0]] == TWO else RANK[cards[0]] for cards in lays]
        played = [Lay(rank, cards) for rank, cards in zip(ranks, lays, strict=True)]
        play_turn(table, [Draw((code,)), *played, Discard(code)])

    turn("4s", *first)
    for card in ("5s", "8s", "9s"):
        turn(card)
    assert found(table) == []
    turn("5s", second)
    items = {entry.item for entry in score_side(table, 0)}
    assert earned in items | {each.code for each in table.violations}
