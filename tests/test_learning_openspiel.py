"""The game for OpenSpiel: OpenSpiel's API test, and a comparison with the environment."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import canasta_notation as cn

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import generate_playthrough

from canasta_notation import openspiel, rl
from tests.spiel_search import lead


def play(game: Any, seed: int) -> Any:
    """Return the end of a game whose players and chance choose at random."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_it_is_a_game_of_openspiel() -> None:
    for rules in ("classic-2p", "samba"):
        game = pyspiel.load_game("python_canasta", {"rules": rules})
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize(
    "rules", ["classic-3p", "american-4p", "bga", "samba", "bolivia", "hand-and-foot"]
)
def test_a_game_keeps_within_its_bounds_and_is_verified(rules: str) -> None:
    game = pyspiel.load_game("python_canasta", {"rules": rules, "deals": 2})
    state = play(game, 4)
    assert len(state.history()) <= game.max_game_length()
    assert all(game.min_utility() <= each <= game.max_utility() for each in state.returns())
    assert abs(sum(state.returns())) < 1e-9 and any(state.returns())
    legend = game.env.legend()
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert game.num_distinct_actions() == len(legend["actions"]) > max(state.history()[8:])
    assert observer.tensor is not None and observer.tensor.shape == (len(legend["observation"]),)
    (record,) = cn.read(state.env.game.to_record())
    report = cn.verify(record)
    assert report.verdict == "verified" and len(report.deals) == 2
    means = {side: sum(t for o, t in report.totals.items() if o != side) for side in report.totals}
    others = len(report.totals) - 1
    for at, seat in enumerate(game.env.possible_agents):
        side = next(each for each in report.totals if seat in each)
        due = (report.totals[side] - means[side] / others) / 100
        assert state.returns()[at] == pytest.approx(due)


def test_a_state_is_serialized_in_the_middle_of_a_group() -> None:
    game = pyspiel.load_game("python_canasta", {"rules": "classic-2p"})
    state = game.new_initial_state()
    while state.env is None or not state.env.group_of(state.env.agent_selection):
        state.observation_tensor(0)
        state.apply_action(random.Random(len(state.history())).choice(state.legal_actions()))
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state) and again.legal_actions() == state.legal_actions()
    assert again.observation_tensor(1) == state.observation_tensor(1)


def test_a_state_is_its_history() -> None:
    game = pyspiel.load_game("python_canasta", {"rules": "classic-2p"})
    state = play(game, 5)
    again = game.new_initial_state()
    half = None
    for at, action in enumerate(state.history()):
        half = again.clone() if at == 60 else half
        again.apply_action(action)
    assert str(again) == str(state) and again.returns() == state.returns()
    assert half is not None and not half.is_terminal() and half.history() == state.history()[:60]
    # Playing on did not change the copy.
    for action in state.history()[60:]:
        half.apply_action(action)
    assert half.env.game.dump() == state.env.game.dump()


@pytest.mark.parametrize("rules", ["classic", "samba"])
def test_actions_and_numbers_are_those_of_the_environment(rules: str) -> None:
    game = pyspiel.load_game("python_canasta", {"rules": rules})
    state = game.new_initial_state()
    seed = bytes(range(8))
    for byte in seed:
        assert state.is_chance_node() and len(state.chance_outcomes()) == 256
        state.apply_action(byte)
    env = rl.CanastaEnv(rules)
    env.reset(seed=int.from_bytes(seed, "big"))
    act = rl.agent("careful", env)
    observer = game.make_py_observer()
    watcher = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for _ in range(80):
        seat = env.agent_selection
        player = state.current_player()
        assert env.possible_agents[player] == seat
        observation = env.observe(seat)
        assert state.legal_actions() == observation["action_mask"].nonzero()[0].tolist()
        observer.set_from(state, player)
        assert observer.tensor.tolist() == observation["observation"].tolist()
        seen = watcher.string_from(state, player)
        assert all(str(event.seen_by(seat)) in seen for event in env.game.events_of(1))
        action = act()
        assert state.action_to_string(player, action) == env.actions[action]
        env.step(action)
        state.apply_action(action)
        # The group that a seat puts together is hidden until it is laid.
        if group := env.group_of(seat):
            assert f"group {group}" in watcher.string_from(state, player)
            assert f"group {group}" not in watcher.string_from(state, (player + 1) % 4)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"rules": "nonsense"}, "no profile nonsense"),
        ({"deals": 0}, "deals must be from 1 to 1000, not 0"),
        ({"deals": 10**6}, "deals must be from 1 to 1000"),
    ],
)
def test_wrong_parameters(params: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pyspiel.load_game("python_canasta", params)


def test_wrong_actions_change_nothing() -> None:
    game = openspiel.CanastaGame({"rules": "classic-2p"})
    state = game.new_initial_state()
    for byte in range(8):
        state.apply_action(byte)
    before = state.env.game.dump()
    wrong = next(each for each in range(len(rl.ACTIONS)) if each not in state.legal_actions())
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(wrong)
    assert state.env.game.dump() == before
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"deals": 2})


@pytest.mark.parametrize("rules", ["classic-2p", "samba", "hand-and-foot"])
def test_a_player_cannot_tell_a_resampled_state_from_this_one(rules: str) -> None:
    game = pyspiel.load_game("python_canasta", {"rules": rules})
    watcher = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    rng = random.Random(3)
    state = game.new_initial_state()
    blank = state.resample_from_infostate(0, rng.random)
    assert blank.is_chance_node() and blank.history() == []
    differ = 0
    for step in range(120):
        if not state.is_chance_node() and step % 8 == 0:
            player = state.current_player()
            before = state.env.game.dump()
            other = state.resample_from_infostate(player, rng.random)
            assert state.env.game.dump() == before
            assert watcher.string_from(other, player) == watcher.string_from(state, player)
            assert other.observation_json(player) == state.observation_json(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            assert other.history() == state.history()
            differ += other.env.game.position() != state.env.game.position()
        state.apply_action(rng.choice(state.legal_actions()))
    assert differ > 5


def test_an_observation_as_json_has_the_table_and_the_legal_actions() -> None:
    game = pyspiel.load_game("python_canasta", {"rules": "classic-2p"})
    state = game.new_initial_state()
    assert json.loads(state.observation_json(0)) == {"table": None, "group": "", "actions": {}}
    rng = random.Random(1)
    groups = set()
    for _ in range(60):
        state.apply_action(rng.choice(state.legal_actions()))
        if state.is_chance_node():
            continue
        player = state.current_player()
        seen, other = (json.loads(state.observation_json(at)) for at in (player, 1 - player))
        seat = state.env.possible_agents[player]
        assert seen["table"] == state.env.game.observe(seat).to_json()
        assert seen["actions"] == {str(at): state.env.actions[at] for at in state.legal_actions()}
        assert other["actions"] == {} and other["group"] == ""
        groups.add(seen["group"])
    assert len(groups) > 2


def test_a_playthrough_is_the_same_when_its_actions_are_played_again() -> None:
    name = "python_canasta(rules=classic-2p)"
    played = generate_playthrough.playthrough(name, None, seed=4)
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", played, re.MULTILINE)]
    assert len(actions) > 100 and "ObservationTensor(1)" in played
    assert generate_playthrough.playthrough(name, actions) == played


def test_a_search_over_what_a_player_knows_plays_a_deal() -> None:
    assert lead("classic-2p", 1, 2) == lead("classic-2p", 1, 2) != 0
