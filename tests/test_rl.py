"""The environment for learning: PettingZoo's own tests, masks, and no hidden cards revealed."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest

import canasta_notation as cn

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, seed_test

from canasta_notation import rl

PLACED = ("samba", "bolivia")
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
    """Compare what the agent is given with what it is given if the hidden cards are others."""
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


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("name", ["random", "greedy", "careful"])
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


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"deals": 0}, "deals must be a whole number from 1, or None, not 0"),
        ({"deals": 1.5}, "deals must be"),
        ({"render_mode": "human"}, "render_mode must be 'ansi' or None, not 'human'"),
    ],
)
def test_a_wrong_argument_is_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        rl.CanastaEnv(**wrong)


@pytest.mark.parametrize("rules", ["classic-3p", "american-4p", "samba"])
def test_numbers_lie_in_their_bounds_and_are_named(rules: str) -> None:
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
