"""Players: legal in every profile, blind to hidden cards, the same for the same seed."""

from __future__ import annotations

import pytest

import canasta_notation as cn
from canasta_notation.cards import FOUR, OF_RANK, RANK, TWO, parse_cards
from canasta_notation.engine.actions import Action, Discard, Lay, Take
from canasta_notation.engine.hands import add_card, empty_hand
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import NO, OPEN, YES, Table, copy_table, top_of
from canasta_notation.engine.turn import begin_turn
from canasta_notation.notation.format import format_action, format_game
from canasta_notation.players import rollout
from canasta_notation.players.figures import Figures, figures_of, values_of
from canasta_notation.players.playouts import Outcomes
from canasta_notation.players.random_game import play_game
from canasta_notation.players.seat_turn import _rest_size, play_deal, play_on, play_turn
from canasta_notation.players.seated import NAMES, play_named_game, player_of, players_of
from canasta_notation.players.takers import counting_decides, take_needs
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import load_profile, parse_rules
from canasta_notation.search.able import able_to_take, barred
from tests.hidden_cards import compare
from tests.programs import canasta
from tests.random_games import SAMPLED, profiles
from tests.seeded_deals import deal_table, scores_of
from tests.test_search_plans import table_of

#: Rules that no profile has together.
MIXED = (
    "classic pile.always_frozen=yes out.canastas=2",
    "classic meld.max_cards=7 pile.onto_meld=no",
    "classic pile.frozen_until_opened=no opening.take_counts=hand",
    "classic-2p meld.all_wild=yes draw.count=3",
    "american-4p packet.of=none discard.banned=none",
)


@profiles
def test_games_of_players_are_verified(name: str) -> None:
    profile = load_profile(name)
    for seed, players in enumerate(("careful", "greedy", "careful,greedy", "random,careful")):
        names = (players.split(",") * profile["players"])[: profile["players"]]
        game = play_named_game(profile, seed, ",".join(names), deals=4)
        report = replay_game(game)
        assert [each.message for each in report.findings] == []
        assert report.verdict == "verified"
        called = [game.tags[seat] for seat in profile.seats]
        assert len({*called}) == len(names) and {*called} <= {*NAMES}
        pairs = zip(profile.seats, names, strict=True)
        mixed = f"game {seed}: {', '.join(map(' '.join, pairs))}"
        assert game.tags["Event"] == (mixed if "," in players else f"{players} game {seed}")


@pytest.mark.parametrize("rules", MIXED)
def test_games_under_other_rules_are_verified(rules: str) -> None:
    profile = parse_rules(rules).profile
    assert profile is not None
    for seed in range(4):
        for players in ("careful", "greedy"):
            report = replay_game(play_named_game(profile, seed, players, deals=2))
            assert (report.verdict, report.findings) == ("verified", ())


def test_random_players_play_the_random_games() -> None:
    profile = load_profile("bga")
    game, named = play_game(profile, 5, deals=2), play_named_game(profile, 5, "random", deals=2)
    assert named.deals == game.deals
    assert named.tags["Event"] == game.tags["Event"] == "random game 5"


def test_the_seed_decides_what_the_players_are_called() -> None:
    for rules, players in (("classic-6p", "random"), ("classic-2p", "greedy")):
        profile = load_profile(rules)
        named = [play_named_game(profile, seed, players, 1).tags for seed in (1, 1, 2)]
        once, again, other = ([tags[seat] for seat in profile.seats] for tags in named)
        assert once == again != other
    assert len({name[:2] for name in NAMES}) == len({*NAMES}) == len(NAMES)


@profiles
def test_a_player_never_looks_at_hidden_cards(name: str) -> None:
    for player in ("careful", "greedy"):
        compared, differed = compare(player, name, 100)
        assert compared >= 100
        assert differed == 0


@pytest.mark.parametrize("name", SAMPLED)
def test_a_player_that_thinks_never_looks_at_hidden_cards(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollout, "SAMPLES", 6)
    assert compare("rollout", name, 2) == (2, 0)


def test_a_player_that_thinks_plays_whole_legal_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout, "SAMPLES", 2)
    for name, players in (("classic-2p", "rollout"), ("american-2p", "rollout,careful")):
        game = play_named_game(load_profile(name), 3, players, 1)
        assert cn.verify(game).verdict == "verified"
        assert game == play_named_game(load_profile(name), 3, players, 1)
        assert "rollout" in game.tags["Event"]
    live = cn.LiveGame(rules="classic-2p", seed=2)
    live.deal()
    assert cn.play_out(live, "rollout,greedy").ended


@pytest.mark.parametrize(
    ("means", "best"),
    [((0, 60), 1), ((0, 40), 0), ((0, -60), 0), ((0, 60, 90), 2), ((0, 39, 0), 0)],
)
def test_another_play_must_be_better_by_two_errors(means: tuple[int, ...], best: int) -> None:
    """The differences are 200 and -200 around their means, so their standard error is near 20."""
    outs = []
    for number, mean in enumerate(means):
        outcomes = Outcomes(2, 100)
        for at in range(100):
            noise = 200 if at % 2 else -200
            outcomes.margins[2 * at] = mean + (noise if number else 0)
        outs.append(outcomes)
    assert rollout._best(outs, 0) == best


@profiles
def test_the_same_seed_gives_the_same_deal(name: str) -> None:
    profile = load_profile(name)
    rules = rules_of(profile)
    players = [figures_of("careful", profile)] * rules.players
    totals = [0] * len(rules.sides)
    played = [scores_of(play_deal(deal_table(rules, 0, totals, seed), players)) for seed in "aab"]
    assert played[0] == played[1] != played[2]


def test_a_turn_at_the_table_is_that_of_the_record() -> None:
    """The fast form and the one with actions are one function."""
    profile = load_profile("classic")
    rules, figures = rules_of(profile), figures_of("careful", profile)
    table = deal_table(rules, 0, [0, 0], "x")
    game = cn.LiveGame(seed=4, dealer="N")
    game.deal()
    cn.play_out(game)
    assert game.score_card().ended
    other = play_deal(deal_table(rules, 0, [0, 0], "x"), [figures] * 4)
    while table.ended == OPEN:
        log: list[cn.Draw] = []
        table = play_turn(table, figures, log)  # type: ignore[arg-type]
        assert log
    assert scores_of(table) == scores_of(other)


def rest_of_turn(hand: str, melds: str = "", **figures: int) -> list[str]:
    """Return what `careful` plays after a draw from a hand, with other figures than its own."""
    profile = load_profile("classic")
    table = table_of("classic", hand, melds, pile="4s 5s Ts Jh Qh 6s 8s 7h")
    for seat in (1, 2, 3):
        for card in parse_cards("Js Jd Tc Th 4c 4h 7d 8h 5h 6c"):
            add_card(table, seat, card)
    begin_turn(table, 0)
    table.drew = True
    log: list[Action] = []
    play_on(table, Figures(rules_of(profile), values_of("careful", profile) | figures), log)
    return [format_action(action) for action in log]


def test_a_card_that_fits_a_meld_is_saved_for_the_discard() -> None:
    hand, melds, worth = "9h Kd Qs 8c 7s 6d 5c", "9:9s9d9c9c", {"keep_one": 50, "keep_melded": 0}
    assert rest_of_turn(hand, melds, save_pile=8, **worth) == ["-9h"]
    assert rest_of_turn(hand, melds, save_pile=9, **worth)[0] == "9:9h"


def test_a_card_that_makes_a_canasta_is_not_saved() -> None:
    hand, melds = "9h Kd Qs 8c 7s 6d 5c", "9:9s9d9c9c9s9d"
    assert rest_of_turn(hand, melds, save_pile=0, keep_one=50, keep_melded=0)[0] == "9:9h"


def test_an_opening_of_many_cards_waits() -> None:
    hand = "Ks Kh Kd Qs Qh Qd 8c 7s 6d 5c 3s"
    assert rest_of_turn(hand, open_cards=6)[:2] == ["Q:QsQhQd", "K:KsKhKd"]
    assert len(rest_of_turn(hand, open_cards=5)) == 1


def test_greedy_takes_every_pile_that_it_can_take() -> None:
    profile = load_profile("classic")
    rules, figures = rules_of(profile), figures_of("greedy", profile)
    declined = able = 0
    for seed in range(20):
        table = deal_table(rules, 0, [0, 0], str(seed))
        while table.ended == OPEN:
            could = able_to_take(table, table.due) == YES
            size = table.pile_size
            table = play_turn(table, figures)
            able += could
            declined += could and size > 0 and not table.took
    assert able > 30
    assert declined == 0


def test_every_player_has_the_same_figures() -> None:
    names = {
        tuple(sorted(values_of(name, load_profile("classic")))) for name in ("careful", "greedy")
    }
    assert len(names) == 1


def test_a_player_knows_how_many_cards_a_pile_brings() -> None:
    rules = rules_of(load_profile("classic"))
    figures, taken = figures_of("greedy", load_profile("classic")), set[int]()
    for seed in range(6):
        table = deal_table(rules, 0, [0, 0], str(seed))
        while table.ended == OPEN:
            seat, brings = table.due, _rest_size(table)
            held, log = table.hand_sizes[seat], list[Action]()
            table = play_turn(table, figures, log)
            if isinstance(log[0], Take):
                laid = sum(len(action.cards) for action in log if isinstance(action, Lay))
                discarded = sum(isinstance(action, Discard) for action in log)
                assert table.hand_sizes[seat] == held + brings - laid - discarded
                taken.add(brings)
    assert 0 in taken and max(taken) > 20


# --- whether the next seat can take the pile ------------------------------------------------------


def takes_with(table: Table, naturals: int, wilds: int, top: int, frozen: int) -> bool:
    """Return whether the seat due could take a pile with this top if it had a certain hand.

    The hand keeps its size. It has `naturals` natural cards of the top's rank and `wilds` wild
    cards; its other cards are of one other rank. `frozen` says whether the pile is frozen. Not
    checked: that the hand is large enough, and that the deck has its cards.
    """
    supposed = copy_table(table)
    seat, rank = supposed.due, RANK[top]
    rest = supposed.hand_sizes[seat] - naturals - wilds
    empty_hand(supposed, seat)
    spare = OF_RANK[FOUR if rank != FOUR else FOUR + 1][0]
    for card in (OF_RANK[rank][0],) * naturals + (OF_RANK[TWO][0],) * wilds + (spare,) * rest:
        add_card(supposed, seat, card)
    supposed.piled[supposed.pile_size - 1] = top
    supposed.frozen_by_card = frozen
    return able_to_take(supposed, seat) == YES


@profiles
def test_what_a_take_needs_is_what_the_search_finds(name: str) -> None:
    profile = load_profile(name)
    rules, figures = rules_of(profile), figures_of("greedy", profile)
    decided = takes = 0
    for seed in "ab":
        table = deal_table(rules, 0, [0] * len(rules.sides), seed)
        while table.ended == OPEN:
            top = top_of(table) if table.pile_size else -1
            frozen = (NO, YES)[table.turn % 2]
            may = top >= 0 and not barred(table, table.due, RANK[top])
            if may and counting_decides(table, frozen):
                joins, *needs = take_needs(table, top, frozen)
                ways = ((0, 0), (2, 0), (1, 1))
                found = [takes_with(table, *way, top, frozen) for way in ways]
                assert found == [joins, *(joins or need for need in needs)]
                decided, takes = decided + 1, takes + sum(found)
            table = play_turn(table, figures)
    counts = rules.counted_takes or (rules.several and not rules.packets)
    assert (decided > 5 and takes > 5) if counts else not decided


# --- by name --------------------------------------------------------------------------------------


def test_wrong_names_are_reported_with_the_players_there_are() -> None:
    profile = load_profile("classic-3p")
    with pytest.raises(
        ValueError, match="no player 'bold': the players are random, greedy, careful, rollout"
    ):
        player_of("bold", profile)
    with pytest.raises(ValueError, match=r"one for each of the 3 seats \(N E S\), not 2"):
        players_of("careful,random", profile)
    with pytest.raises(ValueError, match="no seat 'W': the seats are N E S"):
        players_of({"N": "careful", "E": "careful", "S": "random", "W": "random"}, profile)
    done = canasta("generate", "--players", "carefull")
    assert done.exit_code == 2
    assert "no player 'carefull': the players are random, greedy, careful, rollout" in done.stderr


def test_generate_writes_games_of_players() -> None:
    made = canasta("generate", "--players", "careful,random,careful,random", "--deals", "1").stdout
    (game,) = cn.read(made)
    assert cn.verify(game).verdict == "verified"
    assert "E random" in game.tags["Event"]
    profile = load_profile("classic")
    named = play_named_game(profile, 1, "careful,random,careful,random", deals=1)
    assert made == format_game(named, 1)


@profiles
def test_a_live_game_is_played_out_from_any_moment(name: str) -> None:
    for moment in (0, 5, 12):
        game = cn.LiveGame(name, seed=moment)
        game.deal()
        for _ in range(moment):
            if game.due:
                game.play(game.due, next(game.legal().texts()))
        if game.due:
            seats = game.seats
            who = dict(zip(seats, ("careful", "random", "greedy") * 2, strict=False))
            card = cn.play_out(game, who, seed=3)
            assert card == game.score_card()
        (record,) = cn.read(game.to_record())
        assert cn.verify(record).verdict == "verified"


def test_no_deal_is_played_out_twice() -> None:
    game = cn.LiveGame(seed=1)
    with pytest.raises(cn.WrongPhase, match="no deal is in progress"):
        cn.play_out(game)
    game.deal()
    cn.play_out(game, "greedy")
    with pytest.raises(cn.WrongPhase, match="no deal is in progress"):
        cn.play_out(game)
