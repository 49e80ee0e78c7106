"""Random games: what must hold for every one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from canasta_notation.dealing import new_pack, stock_start
from canasta_notation.engine.actions import Action, TakePacket
from canasta_notation.engine.lay import special_points
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.table import YES
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import canonical, format_game
from canasta_notation.notation.json_form import game_from_json, game_to_json
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_packs import biases, hand_places, shuffle
from canasta_notation.players.random_placed import could_take_placed
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import load_profile, parse_rules
from canasta_notation.search.able import able_to_take
from tests.naive_scorer import PROFILES as SCORED
from tests.naive_scorer import score_game
from tests.random_games import (
    DIFFERENT,
    GAMES,
    HOUSE,
    KINDS,
    PROFILES,
    games,
    profiles,
    rules_named,
    some_rules,
)


def all_games(name: str) -> Iterator[Game]:
    yield from games(name)
    profile = rules_named(name)
    for seed in range(40, GAMES):
        yield play_game(profile, seed, deals=12)


@pytest.mark.parametrize("name", [*PROFILES, *HOUSE, "classic-6p sides=3 target=7500"])
def test_games_are_verified_and_agree_with_the_naive_scorer(name: str) -> None:
    profile = rules_named(name)
    for game in all_games(name):
        report = replay_game(game)
        assert [each.message for each in report.findings] == []
        assert report.verdict == "verified"
        if profile.name not in SCORED:
            continue
        naive = score_game(format_game(game, profile["draw.count"]))
        for deal, items in zip(report.deals, naive, strict=True):
            for side in deal.sides:
                assert side.agrees
                shown = {item: points for item, points in side.items.items() if points}
                assert shown == items[side.side], (deal.deal, side.side)
                assert side.score == sum(items[side.side].values())


def test_games_under_any_rules_are_verified() -> None:
    """A game under values mixed at random from all profiles can be played and is verified."""
    rng = Random(7)
    played = 0
    while played < 20 * GAMES:
        profile = some_rules(rng)
        if profile is None:
            continue
        played += 1
        game = play_game(profile, rng.randrange(1000), deals=3)
        (reading,) = read_text(format_game(game, profile["draw.count"]))
        report = replay_game(reading.game)
        assert (report.verdict, report.findings) == ("verified", ()), profile.text


@profiles
def test_games_are_read_as_they_are_written(name: str) -> None:
    draw = load_profile(name)["draw.count"]
    for game in all_games(name):
        text = format_game(game, draw)
        (reading,) = read_text(text)
        assert not reading.problems
        assert reading.game == canonical(game)
        assert format_game(reading.game, draw) == text
        assert game_from_json(game_to_json(reading.game)) == reading.game


@pytest.mark.parametrize("key", DIFFERENT)
def test_the_sampled_profiles_are_of_every_kind(key: str) -> None:
    """If this fails, add to `KINDS` a profile with the value that no other has."""
    sampled = {load_profile(name).spelled(key) for name in KINDS}
    assert {load_profile(name).spelled(key) for name in PROFILES} <= sampled


@profiles
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    profile = load_profile(name)
    assert play_game(profile, 3, deals=1) == play_game(profile, 3, deals=1)
    assert play_game(profile, 3, deals=1) != play_game(profile, 4, deals=1)


@profiles
def test_no_card_appears_or_disappears(name: str) -> None:
    """After every action, each card is in a hand, on the table, in the pile or in the stock."""
    rules = Rules(load_profile(name))
    for game in all_games(name):

        def observe(moment: Moment, game: Game = game) -> None:
            at, play, line, action = moment.deal - 1, moment.table, moment.place, moment.action
            held, melded = sum(play.hand_sizes), sum(play.meld_sizes)
            tabled = sum(play.threes)
            special = len(play.special_cards)
            packets = sum(rules.packets_aside)
            packets -= _packets_taken(game, at, line, action) if packets else 0
            piled = play.pile_size
            everything = held + melded + tabled + special + piled + packets + play.stock_most
            assert everything == len(new_pack(rules)), (at, line, action)
            assert min(play.counts) >= 0

        replay_game(game, observer=observe)


def _packets_taken(game: Game, at: int, line: int | None, action: int | None) -> int:
    """Return how many cards of talons had been taken by an action."""
    done: list[Action] = []
    for place, row in enumerate(() if line is None else game.deals[at].play[: line + 1]):
        if isinstance(row, Turn):
            done += row.actions if place < line else row.actions[: action + 1]
    return sum(len(each.cards) for each in done if isinstance(each, TakePacket))


@pytest.mark.parametrize("hand", [2, 3, 4, 33, 40])
@pytest.mark.parametrize("name", ["classic-2p", "american-2p"])
def test_hands_of_any_size_are_played(name: str, hand: int) -> None:
    reading = parse_rules(f"{name} deal.hand={hand}")
    assert reading.profile is not None
    for seed in range(1, 9):
        assert play_game(reading.profile, seed, deals=1).deals


def test_nothing_follows_black_threes_under_rules_with_sequences() -> None:
    reading = parse_rules("bga meld.sequences=yes")
    assert reading.profile is not None
    for seed in (1, 3, 182):
        assert replay_game(play_game(reading.profile, seed, deals=3)).verdict == "verified"


@pytest.mark.parametrize("rules", ["samba", "bolivia", "bolivia pile.with_wild=yes"])
def test_a_pile_that_can_be_taken_is_never_passed_over_by_counting(rules: str) -> None:
    takes = 0

    def observe(moment: Moment) -> None:
        nonlocal takes
        table = moment.table
        between = not (moment.is_within_turn or table.ended or table.due < 0)
        if between and able_to_take(table, table.due) == YES:
            takes += 1
            assert could_take_placed(table, table.due), moment.line

    replay_game(play_game(rules_named(rules), 5, deals=2), observer=observe)
    assert takes


def test_a_pack_for_a_special_hand_gives_it_to_the_first_seat() -> None:
    """Mostly, the hand lacks only the first card of the stock, and keeps its three for it."""
    rules = rules_of(load_profile("american-2p"))
    (bias,) = [each for each in biases(rules) if each.first]
    assert bias.keeps and bias not in biases(rules_of(load_profile("classic")))
    found = 0
    for seed in range(20):
        pack = shuffle(rules, Random(seed), 1, bias)
        cards = [pack[at] for at in (*hand_places(rules, 1), stock_start(rules))]
        kinds = rules.special
        found += any(special_points(kinds, kind, tuple(sorted(cards))) for kind in kinds)
    assert found >= 15
