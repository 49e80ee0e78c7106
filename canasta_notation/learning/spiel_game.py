"""The game for OpenSpiel, registered as `python_canasta`. It needs the extra `openspiel`.

Importing this module registers the game. Its actions and observations are those of `rl.CanastaEnv`.
Parameters: `rules` is the text of a Rules tag, `deals` is how many deals a game has.

>>> import pyspiel
>>> import canasta_notation.openspiel
>>> game = pyspiel.load_game("python_canasta", {"rules": "classic-2p", "deals": 1})

A game begins with chance nodes, whose outcomes together are the seed of every shuffle. A return is
the sum of an agent's rewards: the scores of its side minus the mean of the other sides' scores,
divided by 100.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from canasta_notation.engine.ruleset import rules_of
from canasta_notation.learning.environment import POINTS, CanastaEnv
from canasta_notation.quoting import quoted
from canasta_notation.replay.sheets import deal_worth

#: The seed of a game consists of this many bytes; each is the outcome of a chance node.
_SEED_BYTES: Final = 8
_BYTE: Final = 256
#: A number from 0 to 1 gives one of so many seeds of hidden cards.
_SEEDS: Final = 2**53
#: The steps of a turn that do not belong to a group: threes, a draw or take, a question and its
#: answer, a packet, the discard and the end. A group takes a step for its meld, one for each card,
#: and one to lay it. A meld that is put on another one takes two, which fit beside a group of two
#: cards or more.
_TURN_STEPS: Final = 7
_CARD_STEPS: Final = 3
#: The most deals of a game, so that a game stays far below OpenSpiel's largest numbers.
_MOST_DEALS: Final = 1000

_TYPE: Final = pyspiel.GameType(
    short_name="python_canasta",
    long_name="Canasta",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "classic", "deals": 1},
)


class CanastaGame(pyspiel.Game):
    """Canasta under some rules.

    Raises ValueError for rules that do not exist, and for a number of deals that is not from 1 to
    1000.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        deals = params.get("deals", 1)
        if not 1 <= deals <= _MOST_DEALS:
            raise ValueError(f"deals must be from 1 to {_MOST_DEALS}, not {quoted(deals)}")
        #: An environment to copy: making one takes longer.
        self.env = CanastaEnv(params.get("rules", "classic"), deals)
        super().__init__(_TYPE, _info(self.env, deals), params)

    def new_initial_state(self) -> CanastaState:
        """Return the state before anything is dealt."""
        return CanastaState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> CanastaObserver:
        """Return an observer: of a table as it is, or of all that a seat has seen."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CanastaObserver(self.env, kind.perfect_recall, params)


def _info(env: CanastaEnv, deals: int) -> Any:
    """Return the bounds of a game."""
    rules = rules_of(env.game.rules)
    worth = deal_worth(rules)
    most = (worth.stop - worth.start) * deals / POINTS
    # Every turn takes a card off the stock, or takes the pile and melds a card.
    turns = rules.undealt + rules.deck_size
    steps = deals * (_TURN_STEPS * turns + _CARD_STEPS * rules.deck_size)
    return pyspiel.GameInfo(
        num_distinct_actions=len(env.actions),
        max_chance_outcomes=_BYTE,
        num_players=int(rules.players),
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=int(steps),
    )


class CanastaState(pyspiel.State):
    """A state of the game; `env` is its environment, None until the cards are dealt."""

    def __init__(self, game: CanastaGame) -> None:
        super().__init__(game)
        self.env: CanastaEnv | None = None
        self._seed: list[int] = []
        self._returns = [0.0] * game.num_players()

    def current_player(self) -> Any:
        """Return the number of the seat that is due, of chance, or of the end of the game."""
        if self.env is None:
            return pyspiel.PlayerId.CHANCE
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return self.env.possible_agents.index(self.env.agent_selection)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node, equally likely: the next byte of the seed."""
        return [(byte, 1 / _BYTE) for byte in range(_BYTE)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.env is not None
        mask = self.env.observe(self.env.possible_agents[player])["action_mask"]
        return [int(action) for action in np.flatnonzero(mask)]

    def _apply_action(self, action: int) -> None:
        if self.env is None:
            self._seed.append(action)
            if len(self._seed) == _SEED_BYTES:
                self.env = self.get_game().env.copy()
                self.env.reset(seed=int.from_bytes(self._seed, "big"))
            return
        self.env.step(action)
        for at, agent in enumerate(self.env.possible_agents):
            self._returns[at] += self.env.rewards[agent]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        name: str = self.get_game().env.actions[action]
        return name

    def is_terminal(self) -> bool:
        """Return whether the last deal is over."""
        return self.env is not None and all(self.env.terminations.values())

    def returns(self) -> list[float]:
        """Return the sum of each player's rewards once the game is over, and 0 before."""
        return self._returns if self.is_terminal() else [0.0] * len(self._returns)

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> CanastaState:
        """Return a state that the player cannot distinguish from this one; see `rl.CanastaEnv`.

        The sampler, which returns a number from 0 to 1, decides the hidden cards. The history stays
        as it was, so its seed is not that of the new cards: do not serialize the state.
        """
        other: CanastaState = self.clone()
        if self.env is not None:
            seed = int(probability_sampler() * _SEEDS)
            other.env = self.env.resample(self.env.possible_agents[player], seed)
        return other

    def observation_json(self, player: int) -> str:
        """Return what a player sees as JSON: its `table`, its `group`, and its legal `actions`.

        The table is as `Position.to_json` writes it, None before the cards are dealt; the group is
        as `rl.CanastaEnv.group_of` returns it; the actions map numbers to names, and are empty if
        another is due.
        """
        if self.env is None:
            return json.dumps({"table": None, "group": "", "actions": {}})
        seat = self.env.possible_agents[player]
        due = self.current_player() == player
        return json.dumps(
            {
                "table": self.env.game.observe(seat).to_json(),
                "group": self.env.group_of(seat),
                "actions": {at: self.env.actions[at] for at in self._legal_actions(player)}
                if due
                else {},
            }
        )

    def __str__(self) -> str:
        return "nothing dealt" if self.env is None else str(self.env.game.observe(None))


class CanastaObserver:
    """What a player sees: the table (with a tensor), or with `perfect_recall` all that it saw.

    The tensor is the observation of `rl.CanastaEnv`, which names its numbers by `legend()`.
    """

    def __init__(
        self, env: CanastaEnv, perfect_recall: bool, params: dict[str, Any] | None
    ) -> None:
        if params:
            raise ValueError(f"an observer has no parameters, but it was given {quoted(params)}")
        self.perfect_recall = perfect_recall
        size = len(env.legend()["observation"])
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not perfect_recall:
            self.tensor = np.zeros(size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: CanastaState, player: int) -> None:
        """Put what a player sees into the tensor; zeros before the cards are dealt."""
        if self.tensor is None:
            return
        if state.env is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = state.env.observe(state.env.possible_agents[player])["observation"]

    def string_from(self, state: CanastaState, player: int) -> str:
        """Return what a player sees as text."""
        if state.env is None:
            return "nothing dealt"
        env, game = state.env, state.env.game
        seat = env.possible_agents[player]
        shown = [str(game.observe(seat)), f"group {env.group_of(seat)}"]
        if self.perfect_recall:
            for deal in range(1, game.deals + 1):
                shown += [str(event.seen_by(seat)) for event in game.events_of(deal)]
        return "\n".join(shown)


pyspiel.register_game(_TYPE, CanastaGame)
