"""A PettingZoo environment for the live game. It needs the extra `rl`.

There is one agent for each seat, named by its letter. The actions are small: a group is laid one
card at a time. A mask says which actions are legal. Suits are left out, because no rule depends on
them. An observation contains only what its seat may see.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CODE,
    FOUR,
    JOKER_RANK,
    RANK,
    RANK_LETTERS,
    RANKS,
    TWO,
)
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.live.answers import LivePlays
from canasta_notation.live.game import LiveGame
from canasta_notation.live.position import Position
from canasta_notation.players.seated import Player, player_of
from canasta_notation.rules import Profile

#: The ranks that can be melded, and those that can be discarded.
_MELDS: Final = (BLACK_THREE, *range(FOUR, ACE + 1), JOKER_RANK)
_DISCARDS: Final = range(BLACK_THREE, JOKER_RANK + 1)
_SPECIALS: Final = ("straight", "pairs", "garbage")
_ADD: Final = ("natural", "two", "joker")
_DONE: Final = "done"
#: The meaning of each number: a play, or a step towards one.
ACTIONS: Final = (
    *("draw", "take", "ask=yes", "ask=no", "talon", "end"),
    *(f"lay {RANK_LETTERS[rank]}" for rank in _MELDS),
    *_ADD,
    _DONE,
    *(f"discard {RANK_LETTERS[rank]}" for rank in _DISCARDS),
    *_SPECIALS,
)
_NUMBER: Final = {name: number for number, name in enumerate(ACTIONS)}
_RANKS: Final = JOKER_RANK + 1
#: Points are given in units of this many: rewards, minimums and totals.
POINTS: Final = 100

#: The cards of a group by kind: naturals, twos, jokers.
_Kinds = tuple[int, int, int]
Observation = dict[str, NDArray[Any]]


def env(
    rules: str | Profile = "classic", deals: int | None = 1, *, turn_rewards: bool = False
) -> AECEnv[str, Observation, int]:
    """Return the environment, in PettingZoo's usual wrappers; see `CanastaEnv`."""
    inner = CanastaEnv(rules, deals, turn_rewards=turn_rewards)
    wrapped = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def agent(name: str, env: CanastaEnv, seed: int = 0) -> Callable[[], int]:
    """Return a function that chooses the next action of the selected agent: `env.step(act())`.

    `name` is `random`, `greedy` or `careful`, and `seed` decides what a random player does. The
    function sees only what the agent can see. It returns the actions of a turn one by one, so the
    agent must play all of them. Raises ValueError for a name that is not a player.
    """
    player = player_of(name, env.game.rules, str(seed))
    due: list[int] = []

    def act() -> int:
        if not due:
            due.extend(env.numbers_of(player))
        return due.pop(0)

    return act


class CanastaEnv(AECEnv[str, Observation, int]):
    """A game of `deals` deals, or up to its target if `deals` is None.

    When a deal ends, the reward of each agent is its side's score minus the mean of the other
    sides' scores, divided by 100. `game` is the live game, which knows every card.

    With `turn_rewards`, each turn that ends has a reward too: by how much the points that the
    agent's side has on the table have grown, compared with the other sides, divided by 100. The
    reward of the deal is then less by what its turns have given, so that their sum is the same.

    Raises ValueError for rules with sequences or several melds of a rank: there are no actions for
    them.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "canasta_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str | Profile = "classic",
        deals: int | None = 1,
        render_mode: str | None = None,
        *,
        turn_rewards: bool = False,
    ) -> None:
        super().__init__()
        self.game = LiveGame(rules, seed=0)
        if rules_of(self.game.rules).places > RANKS:
            raise ValueError(
                "the environment has no actions for sequences or several melds of a rank; "
                "play such rules with LiveGame"
            )
        self.rules = rules
        self.turn_rewards = turn_rewards
        #: The rewards that the turns of the deal have given, by side.
        self._given: dict[str, float] = {}
        self.deals = deals
        self.render_mode = render_mode
        self.possible_agents = list(self.game.seats)
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.infos: dict[str, dict[str, Any]] = {}
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self._seeds = np.random.default_rng()
        size = len(self._features(self._begun().observe(self.possible_agents[0]), None))
        space = Dict(
            {
                "observation": Box(-np.inf, np.inf, (size,), np.float32),
                "action_mask": Box(0, 1, (len(ACTIONS),), np.int8),
            }
        )
        self._spaces = dict.fromkeys(self.possible_agents, space)
        self._actions = {agent: Discrete(len(ACTIONS)) for agent in self.possible_agents}
        #: The rank of the group that is being put together, and its cards so far.
        self._group: tuple[int, _Kinds] | None = None
        self._plays = LivePlays("", "over")

    def _begun(self) -> LiveGame:
        game = LiveGame(self.rules, seed=0)
        game.deal()
        return game

    def legend(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the `actions` and of the numbers of an `observation`, in order.

        `own` is the agent's seat or side, `next`, `next 2`... are those after it, clockwise. Counts
        are in cards; `minimum` and `total` are in hundreds of points; a name that ends in `?` is 1
        for yes and 0 for no. `3r` and `3b` are red and black threes.
        """
        letters = ["3r", "3b", *RANK_LETTERS[FOUR:_RANKS]]
        seats = ["own", "next", *(f"next {at}" for at in range(2, len(self.possible_agents)))]
        names = [f"own hand: {letter}" for letter in letters]
        names += [f"{seat} hand: all" for seat in seats]
        names += [f"{seat} due?" for seat in seats]
        for side in seats[: len(self.game.sides)]:
            for rank in _MELDS:
                names += [f"{side} meld {RANK_LETTERS[rank]}: {kind}s" for kind in _ADD]
            names += [f"{side} {what}" for what in ("threes", "opened?", "minimum", "total")]
        names += [*(f"pile: {letter}" for letter in letters), "pile: all", "pile frozen?"]
        names += [*(f"pile top {letter}?" for letter in letters), "stock: all", "drawn or taken?"]
        names += [
            *(f"group {letter}?" for letter in letters),
            *(f"group: {kind}s" for kind in _ADD),
        ]
        return {"actions": ACTIONS, "observation": tuple(names)}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: numbers, and the mask of its actions."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, numbers of `ACTIONS`."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed decides its cards, which are random without one."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._begin(LiveGame(self.rules, seed=int(self._seeds.integers(2**62))))
        self.game.deal()
        self._look()

    def _begin(self, game: LiveGame) -> None:
        self.game = game
        self._given = dict.fromkeys(game.sides, 0.0)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._group = None

    def _look(self) -> None:
        """Note what is legal now, and which agent is due."""
        self._group = None
        self._plays = self.game.legal()
        self.agent_selection = self.game.due or self.agent_selection

    def resample(self, agent: str, seed: int) -> CanastaEnv:
        """Return an environment that the agent cannot distinguish from this one; see `LiveGame`."""
        other = CanastaEnv(self.rules, self.deals, self.render_mode, turn_rewards=self.turn_rewards)
        other._begin(self.game.resample(agent, seed))
        other._given = self._given.copy()
        other.rewards, other.infos = self.rewards.copy(), {each: {} for each in self.agents}
        other._cumulative_rewards = self._cumulative_rewards.copy()
        other._look()
        other._group = self._group if agent == self.agent_selection else None
        return other

    def copy(self) -> CanastaEnv:
        """Return an environment that goes on by itself from here, in some tens of microseconds."""
        other: CanastaEnv = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.game, other._seeds = self.game.copy(), deepcopy(self._seeds)
        other.agents, other._given = self.agents[:], self._given.copy()
        other.rewards, other.infos = self.rewards.copy(), {each: {} for each in self.agents}
        other._cumulative_rewards = self._cumulative_rewards.copy()
        other.terminations, other.truncations = self.terminations.copy(), self.truncations.copy()
        return other

    def __deepcopy__(self, memo: object) -> CanastaEnv:
        return self.copy()

    def group_of(self, agent: str) -> str:
        """Return the group that an agent is putting together, "" if it has begun none.

        It is the rank's letter, then how many naturals, twos and jokers: `K 3 1 0`. No other agent
        sees it before it is laid.
        """
        if self._group is None or agent != self.game.due:
            return ""
        rank, kinds = self._group
        return " ".join([RANK_LETTERS[rank], *map(str, kinds)])

    # --- acting ---------------------------------------------------------------------------------

    def step(self, action: int) -> None:
        """Play an action of the selected agent. Raises ValueError if the mask does not allow it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not 0 <= action < len(ACTIONS) or not self._mask()[action]:
            raise ValueError(f"action {action} is not legal now")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        text = self._text(ACTIONS[action])
        if text is not None:
            self.game.play(agent, text)
            if self.game.deal_over:
                self._end_deal()
            elif self.turn_rewards and self.game.due != agent:
                self._reward(self.game.points())
            self._look()
        self._accumulate_rewards()

    def _text(self, name: str) -> str | None:
        """Return the play that an action completes, None if it is only a step towards one."""
        if name.startswith("lay "):
            self._group = _MELDS[_NUMBER[name] - _NUMBER["lay 3"]], (0, 0, 0)
            return None
        if name in _ADD and self._group is not None:
            rank, kinds = self._group
            at = _ADD.index(name)
            added = tuple(count + (place == at) for place, count in enumerate(kinds))
            self._group = rank, (added[0], added[1], added[2])
            return None
        if name == _DONE and self._group is not None:
            rank, kinds = self._group
            return self._groups(rank)[kinds]
        if name.startswith("discard "):
            rank = _DISCARDS[_NUMBER[name] - _NUMBER["discard 3"]]
            return self._discards()[rank]
        return next(text for text in self._plays.texts() if _plain_name(text) == name)

    def numbers_of(self, player: Player) -> list[int]:
        """Return the actions with which a player goes on for the selected agent.

        They lead to the draw or to the end of the turn. Not checked: that no group is begun.
        """
        numbers: list[int] = []
        for text in self.game.choose(player):
            name, _, cards = text.partition(":")
            if text[0] == "-":
                numbers.append(_NUMBER[f"discard {text[1]}"])
            elif cards and name in RANK_LETTERS:
                added = zip(_ADD, _kinds(cards), strict=True)
                steps = [step for step, count in added for _ in range(count)]
                numbers += [_NUMBER[each] for each in (f"lay {name}", *steps, _DONE)]
            else:
                numbers.append(_NUMBER[_plain_name(text)])
        return numbers

    def _end_deal(self) -> None:
        """Reward the sides for the deal, and begin the next one or end."""
        self._reward({side.side: side.score for side in self.game.score_card().sides})
        self._given = dict.fromkeys(self.game.sides, 0.0)
        if self.game.over or self.game.deals == self.deals:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.game.deal()

    def _reward(self, points: dict[str, int]) -> None:
        """Reward each agent for its side's points, less what the deal has given already."""
        for side, own in points.items():
            others = [each for other, each in points.items() if other != side]
            due = (own - sum(others) / len(others)) / POINTS
            for agent in side:
                self.rewards[agent] = due - self._given[side]
            if self.turn_rewards:
                self._given[side] = due

    # --- what is legal --------------------------------------------------------------------------

    def _groups(self, rank: int) -> dict[_Kinds, str]:
        """Return the legal groups of a rank, by their numbers of cards of each kind."""
        label = RANK_LETTERS[rank] + ":"
        return {
            _kinds(play.text.partition(":")[2]): play.text
            for play in self._plays.plays
            if play.kind == "lay" and play.text.startswith(label)
        }

    def _discards(self) -> dict[int, str]:
        return {
            RANK[CODE[play.text[1:]]]: play.text
            for play in self._plays.plays
            if play.kind == "discard"
        }

    def _mask(self) -> NDArray[np.int8]:
        """Return the mask of the actions that are legal for the seat that is due."""
        mask = np.zeros(len(ACTIONS), np.int8)
        if self._group is not None:
            rank, kinds = self._group
            groups = self._groups(rank)
            mask[_NUMBER[_DONE]] = kinds in groups
            for at, name in enumerate(_ADD):
                mask[_NUMBER[name]] = any(_leads(kinds, at, group) for group in groups)
            return mask
        for play in self._plays.plays:
            match play.kind:
                case "lay":
                    mask[_NUMBER[f"lay {play.text[0]}"]] = 1
                case "discard":
                    mask[_NUMBER[f"discard {play.text[1]}"]] = 1
                case _:
                    mask[_NUMBER[_plain_name(play.text)]] = 1
        return mask

    # --- what is seen ---------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and the mask of its actions (none if another is due)."""
        due = agent == self.game.due and not self.terminations.get(agent, True)
        view = self.game.observe(agent)
        features = self._features(view, self._group if due else None)
        mask = self._mask() if due else np.zeros(len(ACTIONS), np.int8)
        return {"observation": np.array(features, np.float32), "action_mask": mask}

    def _features(self, view: Position, group: tuple[int, _Kinds] | None) -> list[float]:
        """Return a view as numbers; seats and sides are in order, beginning with the agent's."""
        seats, sides, hands, pile = [*view.seats], [*view.sides], view.hands, view.pile
        at = seats.index(view.seat or seats[0])
        seats = seats[at:] + seats[:at]
        own = self.game.rules.side_of(seats[0])
        sides = sides[own:] + sides[:own]
        features = _counts(hands[seats[0]])
        features += [len(hands[seat]) for seat in seats]
        features += [float(seat == view.due) for seat in seats]
        for side in sides:
            features += _side_features(view, side)
        features += [*_counts(pile), len(pile), float(bool(view.frozen))]
        features += _one_of(_RANKS, RANK[CODE[pile[-1]]] if pile else -1)
        features += [float(view.stock or 0), float(view.begun)]
        rank, kinds = group or (-1, (0, 0, 0))
        return [*features, *_one_of(_RANKS, rank), *kinds]

    def render(self) -> str:
        """Return the table as text, as the selected agent sees it."""
        return str(self.game.observe(self.agent_selection))

    def close(self) -> None:
        """Do nothing: an environment keeps no window and no file open."""


def _side_features(view: Position, side: str) -> list[float]:
    melds = view.melds[side]
    features: list[float] = []
    for rank in _MELDS:
        features += _kinds("".join(melds.get(RANK_LETTERS[rank], ())))
    minimum, total = view.minimum[side] or 0, view.totals[side] or 0
    opened = float(view.opened[side])
    return [*features, len(view.threes[side]), opened, minimum / POINTS, total / POINTS]


def _counts(cards: tuple[str, ...]) -> list[float]:
    """Return how many cards there are of each rank."""
    counts = [0.0] * _RANKS
    for card in cards:
        counts[RANK[CODE[card]]] += 1
    return counts


def _one_of(size: int, place: int) -> list[float]:
    return [float(at == place) for at in range(size)]


def _kinds(cards: str) -> _Kinds:
    """Return how many naturals, twos and jokers there are among cards spelled side by side."""
    jokers = cards.count("*")
    twos = cards.count(RANK_LETTERS[TWO])
    return (len(cards) - jokers) // 2 - twos, twos, jokers


def _leads(kinds: _Kinds, at: int, group: _Kinds) -> bool:
    """Return whether one more card of a kind can lead to `group`; kinds are added in order."""
    done = all(kinds[place] == group[place] for place in range(at))
    return done and kinds[at] < group[at] and not any(kinds[at + 1 :])


def _plain_name(text: str) -> str:
    """Return the name of the action for a play that is not a group or a discard."""
    signs = {"+": "draw", "^": "take"}
    return signs.get(text[0], text.partition(":")[0])
