"""The environment for learning: PettingZoo's own tests, masks, and no hidden cards revealed."""

from __future__ import annotations

import pickle
import random
import re
import sys
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import canasta_notation as cn

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, seed_test

from canasta_notation import rl
from canasta_notation.learning.environment import _ADD, _RUN
from canasta_notation.live.game import table_of

PLACED = ("samba", "bolivia", "hand-and-foot")
PROFILES = (
    *("classic", "classic-2p", "american-2p", "american-4p", "classic-3p", "classic-6p"),
    *PLACED,
)


@pytest.mark.filterwarnings("ignore")
def test_it_is_an_environment_of_pettingzoo() -> None:
    api_test(rl.env("classic-2p"), num_cycles=100)
    api_test(rl.CanastaEnv("classic-2p"), num_cycles=20)
    seed_test(lambda: rl.env("bga"), num_cycles=20)
    for rules in PLACED:
        api_test(rl.env(rules), num_cycles=50)
        seed_test(lambda: rl.env(rules), num_cycles=20)  # noqa: B023


@pytest.mark.parametrize("rules", PROFILES)
def test_random_steps_are_legal_and_each_episode_is_verified(rules: str) -> None:
    rng = np.random.default_rng(1)
    env = rl.CanastaEnv(cn.load_profile(rules))
    env.reset(seed=5)
    steps = 0
    while env.agents:
        agent = env.agent_selection
        observation, _, over, _, _ = env.last()
        if over:
            env.step(None)  # type: ignore[arg-type]
            continue
        mask = observation["action_mask"]
        assert mask.any(), env.render()
        assert env.observation_space(agent).contains(observation)
        if steps % 50 == 0:
            with pytest.raises(ValueError, match="not legal"):
                env.step(int(rng.choice(np.flatnonzero(mask == 0))))
            check_others(env, agent, steps)
        env.step(int(rng.choice(np.flatnonzero(mask))))
        steps += 1
    (record,) = cn.read(env.game.to_record())
    assert cn.verify(record).verdict == "verified"
    assert env.game.deal_over and steps > 50


def check_others(env: rl.CanastaEnv, agent: str, seed: int) -> None:
    """Compare what the agent is given with what it is given if the hidden cards are different."""
    try:
        other = env.resample(agent, seed)
    except ValueError:
        return
    for name, numbers in env.observe(agent).items():
        assert np.array_equal(numbers, other.observe(agent)[name]), name
    for each in set(env.possible_agents) - {agent}:
        assert not env.observe(each)["action_mask"].any()


def test_the_same_seed_gives_the_same_game() -> None:
    games = []
    for _ in range(2):
        env = rl.CanastaEnv("classic-2p", deals=2)
        env.reset(seed=9)
        rng = np.random.default_rng(2)
        while not all(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
        games.append((env.game.to_record(), env.rewards))
    assert games[0] == games[1]
    assert abs(sum(games[0][1].values())) < 1e-9
    env.reset()
    again = env.game.dump()
    env.reset()
    assert env.game.dump() != again


def test_a_reward_is_a_score_less_the_mean_of_the_others() -> None:
    env = rl.CanastaEnv("classic-3p")
    env.reset(seed=1)
    act = rl.agent("greedy", env)
    while not all(env.terminations.values()):
        env.step(act())
    scores = {side.side: side.score for side in env.game.score_card().sides}
    for seat, score in scores.items():
        others = [each for side, each in scores.items() if side != seat]
        assert env.rewards[seat] == pytest.approx((score - sum(others) / 2) / 100)


def test_rewards_are_differences_of_scores() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = rl.env("classic")
        env.reset(seed=1)
    base = env.unwrapped
    rng = np.random.default_rng(3)
    while not all(base.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    north, east = (side.score for side in base.game.score_card().sides)
    assert base.rewards["N"] == base.rewards["S"] == (north - east) / 100
    assert base.rewards["E"] == -base.rewards["N"]


@pytest.mark.parametrize(
    ("name", "rules"), [*zip(cycle(("careful", "random", "greedy")), PROFILES, strict=False)]
)
def test_players_choose_actions_that_the_mask_allows(rules: str, name: str) -> None:
    env = rl.CanastaEnv(rules)
    env.reset(seed=2)
    act = rl.agent(name, env, seed=1)
    while env.agents:
        if env.terminations[env.agent_selection]:
            env.step(None)  # type: ignore[arg-type]
        else:
            env.step(act())
    (record,) = cn.read(env.game.to_record())
    assert cn.verify(record).verdict == "verified"


@pytest.mark.parametrize(
    "rules", ["classic", "classic-3p", "american-2p", "classic-6p sides=3", "bolivia"]
)
def test_the_legend_names_every_number(rules: str) -> None:
    env = rl.CanastaEnv(rules)
    env.reset(seed=3)
    act = rl.agent("greedy", env)
    legend = env.legend()
    assert legend["actions"] == (rl.PLACED_ACTIONS if rules == "bolivia" else rl.ACTIONS)
    for _ in range(60):
        if env.terminations[env.agent_selection]:
            break
        seat = env.agent_selection
        numbers = env.observe(seat)["observation"]
        assert len(numbers) == len(legend["observation"]) == len({*legend["observation"]})
        seen = dict(zip(legend["observation"], numbers.tolist(), strict=True))
        view = env.game.observe(seat)
        own = [each for name, each in seen.items() if name.startswith("own hand: ")]
        assert seen["own hand: all"] == len(view.hands[seat]) == sum(own) / 2
        assert seen["own due?"] == 1 and seen["pile: all"] == len(view.pile)
        assert seen["stock: all"] == view.stock and seen["pile frozen?"] == view.frozen
        side = next(each for each in view.sides if seat in each)
        assert seen["own meld K: naturals"] == sum(
            c[0] == "K" for c in view.melds[side].get("K", ())
        )
        assert seen["own minimum"] * 100 == (view.minimum[side] or 0)
        env.step(act())


def test_the_sizes_in_the_reference_are_those_of_the_environment() -> None:
    text = (Path(__file__).parent.parent / "grammar" / "LIBRARY.md").read_text("utf-8")
    _, _, rest = text.partition("| rules | actions |")
    rows = [line.strip("| ").split(" | ") for line in rest.split("\n\n")[0].splitlines()[2:]]
    assert len(rows) == 6
    for profiles, *sizes in rows:
        for name in profiles.split(", "):
            env = rl.CanastaEnv(name.strip("`"))
            env.reset(seed=1)
            agent = env.agent_selection
            shown = (env.actions, env.observe(agent)["observation"], env.state())
            assert sizes == [f"{len(each):,}" for each in shown], name
            assert env.observe(agent)["action_mask"].shape == (len(env.actions),)


def test_the_numbers_of_the_other_actions_are_the_same_with_sequences() -> None:
    assert rl.PLACED_ACTIONS[: len(rl.ACTIONS)] == rl.ACTIONS
    assert len({*rl.PLACED_ACTIONS}) == len(rl.PLACED_ACTIONS)


def test_the_actions_of_sequences_and_several_melds() -> None:
    game = cn.LiveGame("samba", seed=1, dealer="N")
    east = "4s 4s 4h 4d 4d 4c 5s 6s 7s 8s Ks Kh Kh Qd Qd"
    south = "9s 5h 6h 6d 7h 8h 8d 9h Ts Jd Jc Qc Kc As Ad"
    game.deal(hands={"E": east, "S": south}, up="9c")
    env = rl.CanastaEnv("samba")
    env.reset()
    env._begin(game)
    env._look()
    four = "lay 4|natural|natural|natural|done|lay 4/2|natural|natural|natural|done"
    steps = f"draw|lay s|add 5|add 6|add 7|add 8|done|{four}|lay 4/2|onto 1|discard Kh"
    steps += "|draw|discard 9s|take >s"
    groups = []
    for name in steps.split("|"):
        number = env.actions.index(name)
        assert env.observe(env.agent_selection)["action_mask"][number], name
        env.step(number)
        groups.append(env.group_of(env.agent_selection))
    assert {"s 5 6 7", "4 2 0 0", "4/2 3 0 0"} <= {*groups}
    seen = dict(
        zip(env.legend()["observation"], env.observe("W")["observation"].tolist(), strict=True)
    )
    assert seen["own meld 4: naturals"] == 6 and seen["own meld 4/2: naturals"] == 0
    assert seen["own meld s: lowest"] == 2 and seen["own meld s: cards"] == 5
    texts = [event.text for event in game.events_of(1)]
    assert texts[1:6] == ["s:5s6s7s8s", "4:4s4s4h", "4/2:4d4d4c", "4/2>1", "-Kh"]
    assert texts[7:] == ["-9s", "^9s>s"]


def test_a_foot_and_a_red_three_have_actions_of_their_own() -> None:
    game = cn.LiveGame("hand-and-foot", seed=1, dealer="N")
    foot = "3h 3s 5d 6d 7d 8d 9d Td Jd Qd *"
    feet = (
        "4s " * 5 + "4h " * 5 + "4d",
        foot,
        "5s " * 5 + "5h " * 5 + "5c",
        "6s " * 5 + "6h " * 5 + "6c",
    )
    game.deal(hands={"E": "9s 9h Ks Ks Kh Kh Kd As As Ah Ah"}, packets=feet, up="9c")
    env = rl.CanastaEnv("hand-and-foot")
    env.reset()
    env._begin(game)
    env._look()
    assert env.actions[: len(rl.PLACED_ACTIONS)] == tuple(
        "foot" if name == "talon" else name for name in rl.PLACED_ACTIONS
    )
    env.step(env.actions.index("take"))
    for label, count in (("9", 2), ("K", 5), ("A", 4)):
        for name in (f"lay {label}", *["natural"] * count, "done"):
            env.step(env.actions.index(name))
    assert [env.actions[at] for at in env._options] == ["foot"]
    assert game.legal().phase == "foot"
    env.step(env.actions.index("foot"))
    assert " ".join(sorted(game.observe("E").hands["E"])) == " ".join(sorted(foot.split()))
    for name, card in (("discard 3r", "3h"), ("discard 3", "3s")):
        other = env.copy()
        other.step(env.actions.index(name))
        assert other.game.observe("E").pile[-1] == card


def test_the_rewards_of_turns_and_of_the_deal_sum_to_that_of_the_deal() -> None:
    sums = []
    for turn_rewards in (False, True):
        env = rl.CanastaEnv("classic", turn_rewards=turn_rewards)
        env.reset(seed=9)
        act = rl.agent("careful", env)
        total, rewarded = dict.fromkeys(env.agents, 0.0), 0
        while not all(env.terminations.values()):
            env.step(act())
            rewarded += any(env.rewards.values())
            for seat, reward in env.rewards.items():
                total[seat] += reward
        assert (rewarded > 1) == turn_rewards
        sums.append({seat: round(reward, 6) for seat, reward in total.items()})
    assert sums[0] == sums[1] and any(sums[0].values())


@pytest.mark.parametrize("way", ["resample", "copy", "pickle"])
def test_another_environment_knows_the_rewards_that_turns_have_given(way: str) -> None:
    env = rl.CanastaEnv("classic", turn_rewards=True)
    env.reset(seed=9)
    total = dict.fromkeys(env.agents, 0.0)

    def play(playing: rl.CanastaEnv, rewards: int) -> None:
        act = rl.agent("careful", playing)
        while rewards and not all(playing.terminations.values()):
            playing.step(act())
            rewards -= any(playing.rewards.values())
            for seat, reward in playing.rewards.items():
                total[seat] += reward

    play(env, 4)
    assert any(total.values())
    match way:
        case "copy":
            going_on = env.copy()
        case "pickle":
            going_on = pickle.loads(pickle.dumps(env))
        case _:
            going_on = env.resample(env.agent_selection, 3)
    play(going_on, 1_000)
    scores = going_on.game.totals
    for side, against in (("NS", "EW"), ("EW", "NS")):
        assert total[side[0]] == pytest.approx((scores[side] - scores[against]) / 100)


@pytest.mark.parametrize(
    "rules", ["classic", "american-2p", "american-4p", "samba", "hand-and-foot"]
)
def test_the_reward_of_a_turn_does_not_change_with_hidden_cards(rules: str) -> None:
    """American hands cost points for the sevens and aces that they hold, which nobody can see."""
    env = rl.CanastaEnv(rules, turn_rewards=True)
    env.reset(seed=8)
    rng = random.Random(rules)
    rewarded = costs = 0
    while not all(env.terminations.values()) and not (rewarded > 3 and costs > 5):
        agent = env.agent_selection
        other = env.resample(agent, rewarded)
        costs += table_of(env.game).score() != table_of(other.game).score()
        while env.agent_selection == agent and not all(env.terminations.values()):
            mask = env.observe(agent)["action_mask"]
            assert np.array_equal(mask, other.observe(agent)["action_mask"])
            action = rng.choice(np.flatnonzero(mask).tolist())
            env.step(action)
            if env.actions[action] in ("threes", "draw", "talon", "foot"):
                other = env.resample(agent, rewarded)  # its stock had another card
            else:
                other.step(action)
            if not env.game.deal_over:
                assert env.rewards == other.rewards
                rewarded += any(env.rewards.values())
    assert rewarded > 3 and costs > 5


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"deals": 0}, "deals must be a whole number from 1, or None, not 0"),
        ({"deals": 1.5}, "deals must be"),
        ({"truncate_after": 0}, "truncate_after must be a whole number from 1, or None, not 0"),
        ({"render_mode": "human"}, "render_mode must be 'ansi' or None, not 'human'"),
    ],
)
def test_a_wrong_argument_is_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        rl.CanastaEnv(**wrong)


def check_numbers(env: rl.CanastaEnv, agent: str, seen: dict[str, Any]) -> None:
    """Compare numbers with the view that they represent."""
    view = env.game.observe(agent)
    seats = view.seats[view.seats.index(agent) :] + view.seats[: view.seats.index(agent)]
    names = ["own", "next", *(f"next {at}" for at in range(2, len(seats)))]
    own = env.game.rules.side_of(agent)
    sides = [*view.sides[own:], *view.sides[:own]]
    for name, side in zip(names, sides, strict=False):
        for label, cards in view.melds[side].items():
            if f"{name} meld {label}: cards" in seen:
                assert seen[f"{name} meld {label}: cards"] == len(cards)
                assert seen[f"{name} meld {label}: lowest"] == min(
                    _RUN.index(card[0]) + 1 for card in cards
                )
            else:
                jokers, twos = cards.count("*"), sum(card[0] == "2" for card in cards)
                made = [seen[f"{name} meld {label}: {kind}s"] for kind in _ADD]
                assert made == [len(cards) - jokers - twos, twos, jokers]
        sizes = [each for key, each in seen.items() if key.startswith(f"{name} meld ")]
        assert any(sizes) == bool(view.melds[side])
        assert seen[f"{name} threes"] == len(view.threes[side])
        assert seen[f"{name} opened?"] == view.opened[side]
        assert seen[f"{name} minimum"] * 100 == pytest.approx(view.minimum[side])
        assert seen[f"{name} total"] * 100 == pytest.approx(view.totals[side])
    for name, seat in zip(names, seats, strict=True):
        assert seen[f"{name} due?"] == (seat == view.due)
        assert seen[f"{name} hand: all"] == len(view.hands[seat])
    ranks = [card[0] for card in view.pile if card[0] != "3"]
    assert all(seen[f"pile: {rank}"] == ranks.count(rank) for rank in {*ranks})
    assert [key for key, each in seen.items() if key.startswith("pile top ") and each] == [
        key for card in view.pile[-1:] for key in top_names(card) if key in seen
    ]
    assert (seen["stock: all"], seen["drawn or taken?"]) == (view.stock, view.begun)


def top_names(card: str) -> list[str]:
    threes = {"s": "3b", "c": "3b", "h": "3r", "d": "3r"}
    rank = threes[card[1]] if card[0] == "3" else card[0]
    return [f"pile top {rank}?", *([f"pile top suit {card[1]}?"] if card[1:] else [])]


def test_cards_taken_with_the_pile_are_known() -> None:
    env = rl.CanastaEnv()
    game = cn.LiveGame(seed=1, dealer="N")
    game.deal(hands={"E": "9s 9h 4s 4h 4d 4c Ks Kh Kd 7s 8s"}, up="9d")
    env.reset()
    env._begin(game)
    env._look()
    for name in ("take", "lay 9", "natural", "natural", "done", "lay K", *("natural",) * 3, "done"):
        env.step(env.actions.index(name))
    game.play("E", "-8s")
    names = env.legend()["observation"]
    seen = dict(zip(names, env.observe("W")["observation"].tolist(), strict=True))
    assert not any(each for name, each in seen.items() if " known: " in name)
    while game.due != "E":
        game.play(game.due, "+")
        game.play(game.due, next(text for text in game.legal().texts() if text[0] == "-"))
    top = game.observe("E").pile
    shared = [each for each in game.legal().texts() if each[0] == "^"]
    if shared:
        game.play("E", shared[0])
    seen = dict(zip(names, env.observe("N")["observation"].tolist(), strict=True))
    known = sum(each for name, each in seen.items() if name.startswith("next known: "))
    assert known == (len(top) - 1 if shared else 0)


def test_a_game_is_truncated_after_a_number_of_deals() -> None:
    env = rl.CanastaEnv("classic-2p", deals=None, truncate_after=2)
    env.reset(seed=1)
    act = rl.agent("greedy", env)
    while not (any(env.truncations.values()) or any(env.terminations.values())):
        env.step(act())
    assert env.game.deals == 2 and not env.game.over
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert any(env.rewards.values())


def test_wrong_calls_change_nothing() -> None:
    env = rl.CanastaEnv("classic-2p")
    for early in (
        env.state,
        lambda: env.step(0),
        lambda: env.observe("N"),
        rl.agent("greedy", env),
    ):
        with pytest.raises(cn.WrongPhase):
            early()
    env.reset(seed=1)
    before = env.game.dump()
    wrong: list[Any] = [
        lambda: env.reset(options=5), lambda: env.reset(options={"dealer": 5}),
        lambda: env.reset(seed="x"), lambda: env.reset(seed=-1), lambda: env.reset(seed=True),
        lambda: env.step("draw"), lambda: env.step(1.5), lambda: env.step(None),
        lambda: env.step(True), lambda: env.step(-1), lambda: env.step(10**30),
        lambda: env.observe("X"), lambda: env.observe(None), lambda: rl.agent("lucky", env),
    ]  # fmt: skip
    for call in wrong:
        with pytest.raises(ValueError, match=r".") as error:
            call()
        assert len(str(error.value)) < 200
        assert env.game.dump() == before
    with pytest.raises(TypeError, match="a CanastaEnv is needed"):
        rl.agent("random", rl.env())  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ["classic-3p", "american-4p", "samba"])
def test_numbers_are_within_their_bounds_and_named(rules: str) -> None:
    env = rl.CanastaEnv(rules, deals=2)
    env.reset(seed=3)
    names = env.legend()
    random = np.random.default_rng(3)
    for _ in range(150):
        if all(env.terminations.values()):
            break
        agent = env.agent_selection
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert len(seen["observation"]) == len(names["observation"])
        state = env.state()
        assert env.state_space.contains(state) and len(state) == len(names["state"])
        check_numbers(env, agent, dict(zip(names["observation"], seen["observation"], strict=True)))
        hands = [at for at, name in enumerate(names["state"]) if re.search(r" hand: (?!all)", name)]
        held = [at for at, name in enumerate(names["state"]) if name.endswith(" hand: all")]
        assert state[hands].sum() == state[held].sum()
        env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))


def test_a_game_begins_with_the_dealer_that_is_named() -> None:
    env = rl.CanastaEnv()
    env.reset(seed=1, options={"dealer": "S"})
    assert env.agent_selection == "W"
    hand = env.game.observe("N").hands["N"]
    with pytest.raises(ValueError, match="not a seat"):
        env.reset(seed=2, options={"dealer": "X"})
    assert env.game.observe("N").hands["N"] == hand


def test_the_sample_learns_the_same_from_the_same_seed() -> None:
    """The whole run is too long for a test: it learns from 8,000 deals."""
    path = Path(__file__).parent.parent / "samples" / "learn_linear.py"
    spec = spec_from_file_location("learn_linear", path)
    assert spec and spec.loader
    sample = module_from_spec(spec)
    sys.modules[spec.name] = sample
    spec.loader.exec_module(sample)
    one, other = (sample.train(8, seed=3) for _ in range(2))
    assert np.array_equal(one.of_action, other.of_action)
    untaught = sample.Policy(rl.CanastaEnv(sample.RULES))
    taught, half = sample.measure(sample.train(48, seed=3), 40)
    assert half > 0 and taught > sample.measure(untaught, 40)[0]
