"""A PettingZoo environment for the live game. It needs the extra `rl`.

There is one agent for each seat, named by its letter. The actions are small: a group is laid one
card at a time. A mask says which actions are legal. Suits are left out if no rule depends on them.
An observation contains only what its seat may see.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from operator import index
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from canasta_notation.arrays import array as code_array
from canasta_notation.cards import (
    ACE,
    BLACK_THREE,
    CODE,
    FOUR,
    JOKER_RANK,
    KIND,
    LABELS,
    MOST_MELDS,
    PLACE_OF,
    RANK,
    RANK_LETTERS,
    RANKS,
    RED_THREE,
    SEQUENCE,
    SUIT_LETTERS,
    TEXT,
    TWO,
)
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.learning.leads import leads
from canasta_notation.live.answers import LegalPlays, WrongPhase
from canasta_notation.live.game import LiveGame, table_of
from canasta_notation.live.live_deal import LiveTable
from canasta_notation.players.player import Player
from canasta_notation.players.seated import player_of
from canasta_notation.quoting import quoted
from canasta_notation.rules import Profile

#: The ranks that can be melded, and those that can be discarded.
_MELDS: Final = (BLACK_THREE, *range(FOUR, ACE + 1), JOKER_RANK)
_DISCARDS: Final = range(BLACK_THREE, JOKER_RANK + 1)
_SPECIAL: Final = "special"
_ADD: Final = ("natural", "two", "joker")
_DONE: Final = "done"
#: The packet among the actions; under some rules it is a foot or a pot.
_PACKET: Final = "talon"
#: The last action under rules that let red threes be discarded.
_DISCARD_RED: Final = "discard 3r"
#: What a play that is not a group can begin with, before a colon; else it is a special hand.
_WORDS: Final = ("threes", *PACKET_WORDS)
#: The meaning of each number: a play, or a step towards one.
ACTIONS: Final = (
    *("threes", "draw", "take", "ask", "ask=yes", "ask=no", _PACKET, "end"),
    *(f"lay {RANK_LETTERS[rank]}" for rank in _MELDS),
    *_ADD,
    _DONE,
    *(f"discard {RANK_LETTERS[rank]}" for rank in _DISCARDS),
    _SPECIAL,
)
#: Under rules with sequences or several melds of a rank: the further places of melds, the cards of
#: a sequence by rank, and the cards whose suits then matter.
_PLACES: Final = tuple(
    place for place in PLACE_OF.values() if place not in _MELDS and KIND[place] != TWO
)
_RUN: Final = RANK_LETTERS[FOUR:TWO]
_SUITED: Final = tuple(letter + suit for letter in _RUN for suit in SUIT_LETTERS)
#: The actions under such rules: all of `ACTIONS`, with the same numbers, and more.
PLACED_ACTIONS: Final = (
    *ACTIONS,
    *(f"lay {LABELS[place]}" for place in _PLACES),
    *(f"add {letter}" for letter in _RUN),
    *(f"onto {number}" for number in range(1, MOST_MELDS + 1)),
    *(f"take >{LABELS[place]}" for place in _PLACES if KIND[place] != JOKER_RANK),
    *(f"discard {card}" for card in _SUITED),
)
_RANKS: Final = JOKER_RANK + 1
_SUITED_CODES: Final = code_array(CODE[card] for card in _SUITED)
_SUIT_OF: Final = code_array(
    SUIT_LETTERS.index(text[1]) if len(text) == 2 and text[1] in SUIT_LETTERS else len(SUIT_LETTERS)
    for text in TEXT
)
_PLACE_CODES: Final = code_array(_PLACES)
#: The labels that names of numbers spell differently from actions.
_LETTER: Final = {LABELS[BLACK_THREE]: "3b"}
#: The endings of names of numbers that are points.
_IN_POINTS: Final = (" minimum", " total")
#: Points are given in units of this many: rewards, minimums and totals.
POINTS: Final = 100

#: A group that is being put together: the label of its meld, and the steps so far.
_BegunGroup = tuple[str, tuple[str, ...]]
Observation = dict[str, NDArray[Any]]


def env(
    rules: str | Profile = "classic",
    deals: int | None = 1,
    *,
    turn_rewards: bool = False,
    truncate_after: int | None = None,
) -> AECEnv[str, Observation, int]:
    """Return the environment, in PettingZoo's usual wrappers; see `CanastaEnv`."""
    inner = CanastaEnv(rules, deals, turn_rewards=turn_rewards, truncate_after=truncate_after)
    wrapped = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def agent(name: str, env: CanastaEnv, seed: int = 0) -> Callable[[], int]:
    """Return a function that chooses the next action of the selected agent: `env.step(act())`.

    `name` is `random`, `greedy`, `careful` or `rollout`, and `seed` decides what they do. The
    function sees only what the agent can see. It returns the actions of a turn one by one, so the
    agent must play all of them. Raises ValueError for a name that is not a player, TypeError for
    another kind of environment; the function raises WrongPhase if no game is in progress.
    """
    if not isinstance(env, CanastaEnv):
        raise TypeError(f"a CanastaEnv is needed, as `env.unwrapped` is, not {quoted(env)}")
    player = player_of(name, env.game.rules, str(seed))
    due: list[int] = []

    def act() -> int:
        if not due:
            due.extend(env.numbers_of(player))
        return due.pop(0)

    return act


def _check(deals: object, render_mode: object, truncate_after: object) -> None:
    """Raise ValueError for a number of deals or a render mode that does not exist."""
    for name, value in (("deals", deals), ("truncate_after", truncate_after)):
        if value is not None and (type(value) is not int or value < 1):
            raise ValueError(f"{name} must be a whole number from 1, or None, not {quoted(value)}")
    modes = CanastaEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        ways = " or ".join([*map(repr, modes), "None"])
        raise ValueError(f"render_mode must be {ways}, not {quoted(render_mode)}")


class CanastaEnv(AECEnv[str, Observation, int]):
    """A game of `deals` deals, or up to its target if `deals` is None.

    With `truncate_after`, a game that has as many deals is truncated.

    When a deal ends, the reward of each agent is its side's score minus the mean of the other
    sides' scores, divided by 100. `game` is the live game, which knows every card.

    With `turn_rewards`, each turn has a reward when it ends, too: how much the points that the
    agent's side has on the table have grown, compared with the other sides, divided by 100. The
    rewards of its turns are subtracted from the reward of the deal, so that the sum is the same.

    Under rules with sequences or several melds of a rank, `actions` are `PLACED_ACTIONS`. The agent
    then chooses the suits of sequences and of discards, and the environment those of sets. Under
    rules with feet or pots, the action `talon` has the name `foot` or `pot`; if red threes may be
    discarded, `discard 3r` follows the other actions.
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
        truncate_after: int | None = None,
    ) -> None:
        super().__init__()
        _check(deals, render_mode, truncate_after)
        self.game = LiveGame(rules, seed=0)
        self.rules = rules
        self._placed = rules_of(self.game.rules).places > RANKS
        #: What the number of each action means.
        self.actions = _actions(self.game.rules)
        self._number = {name: number for number, name in enumerate(self.actions)}
        self.turn_rewards = turn_rewards
        #: The rewards that the turns of the deal have given, by side.
        self._given: dict[str, float] = {}
        self.deals = deals
        self.truncate_after = truncate_after
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
        names = self.legend()
        seen = names["observation"]
        #: What each number of an observation is divided by, and the place of each by its name.
        self._units = np.array(
            [POINTS if name.endswith(_IN_POINTS) else 1 for name in seen], np.float32
        )
        self._at = {name: at for at, name in enumerate(seen)}
        #: The table that was seen last, the seat that saw it, and its numbers without a group.
        self._seen: tuple[LiveTable, int, NDArray[np.float32]] | None = None
        space = Dict(
            {
                "observation": self._bounds(names["observation"]),
                "action_mask": Box(0, 1, (len(self.actions),), np.int8),
            }
        )
        #: The space of `state()`.
        self.state_space = self._bounds(names["state"])
        self._spaces = dict.fromkeys(self.possible_agents, space)
        self._actions = {agent: Discrete(len(self.actions)) for agent in self.possible_agents}
        self._group: _BegunGroup | None = None
        self._plays = LegalPlays("", "over")
        #: By the number of each action that is legal, the play that it completes, None if it is
        #: only a step towards one; and by label the groups by their steps.
        self._options: dict[int, str | None] = {}
        self._lays: dict[str, dict[tuple[str, ...], str]] = {}

    def _bounds(self, names: Sequence[str]) -> Box:
        """Return the space of numbers by their names, as `legend` explains them."""
        deck = rules_of(self.game.rules).deck_size
        high = [
            1 if name[-1] == "?" else np.inf if name.endswith(_IN_POINTS) else deck
            for name in names
        ]
        low = [-np.inf if name.endswith(" total") else 0 for name in names]
        return Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)

    def legend(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the `actions`, and of the numbers of an `observation` and of `state`.

        `own` is the agent's seat or side, `next`, `next 2`... are those after it, clockwise. Counts
        are in cards; `minimum` and `total` are in hundreds of points; a name that ends in `?` is 1
        for yes and 0 for no. `3r` and `3b` are red and black threes. `known` are cards that
        everyone knows to be in a hand, because it took them with the pile.
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
        names += [f"{seat} known: {letter}" for seat in seats[1:] for letter in letters]
        names += [
            *(f"group {letter}?" for letter in letters),
            *(f"group: {kind}s" for kind in _ADD),
        ]
        if self._placed:
            names += self._placed_names(seats[: len(self.game.sides)])
        others = [f"{seat} hand: {letter}" for seat in seats[1:] for letter in letters]
        return {
            "actions": self.actions,
            "observation": tuple(names),
            "state": (*names, *others),
        }

    def _placed_names(self, sides: list[str]) -> list[str]:
        names = [f"{where}: {card}" for where in ("own cards", "pile cards") for card in _SUITED]
        names += [f"pile top suit {suit}?" for suit in SUIT_LETTERS]
        for side in sides:
            for place in _PLACES:
                kinds = ("lowest", "cards") if KIND[place] >= SEQUENCE else (f"{k}s" for k in _ADD)
                names += [f"{side} meld {LABELS[place]}: {kind}" for kind in kinds]
        names += [f"group {LABELS[place]}?" for place in _PLACES]
        return [*names, *(f"group: {letter}?" for letter in _RUN)]

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: numbers, and the mask of its actions."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, numbers of `actions`."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed decides its cards, which are random without one.

        `options` may name the first dealer: `{"dealer": "S"}`; other options are ignored, as
        PettingZoo requires. Raises ValueError for a seat that does not exist, for options that are
        not a mapping, and for a seed that is not a whole number from 0.
        """
        if not isinstance(options, Mapping | None):
            raise ValueError(f"options must be a mapping or None, not {quoted(options)}")
        dealer = (options or {}).get("dealer")
        LiveGame(self.rules, dealer=dealer, seed=0)  # raises before anything has changed
        if seed is not None:
            self._seeds = np.random.default_rng(_seed(seed))
        self._begin(LiveGame(self.rules, dealer=dealer, seed=int(self._seeds.integers(2**62))))
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
        self._plays = self.game.legal(reasons=False)
        self._lays = {}
        self._options = self._first_options()
        self.agent_selection = self.game.due or self.agent_selection

    def resample(self, agent: str, seed: int) -> CanastaEnv:
        """Return an environment that the agent cannot distinguish from this one; see `LiveGame`."""
        other = CanastaEnv(
            self.rules, self.deals, self.render_mode, turn_rewards=self.turn_rewards,
            truncate_after=self.truncate_after,
        )  # fmt: skip
        other._begin(self.game.resample(agent, seed))
        other._given = self._given.copy()
        other.rewards, other.infos = self.rewards.copy(), {each: {} for each in self.agents}
        other._cumulative_rewards = self._cumulative_rewards.copy()
        other._look()
        if self._group is not None and agent == self.agent_selection:
            other._group = self._group
            other._options = other._group_options(*self._group)
        return other

    def copy(self) -> CanastaEnv:
        """Return an independent copy of the environment, in some tens of microseconds."""
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

    def __getstate__(self) -> dict[str, Any]:
        # A table of a compiled build cannot be pickled; its numbers are found again.
        return {**self.__dict__, "_seen": None}

    def group_of(self, agent: str) -> str:
        """Return the group that an agent is putting together, "" if it has begun none.

        It is the label of its meld, then how many naturals, twos and jokers (`K 3 1 0`), or the
        ranks of a sequence (`s 5 6 7`). No other agent sees it before it is laid.
        """
        if self._group is None or agent != self.game.due:
            return ""
        label, steps = self._group
        if label[0] in SUIT_LETTERS:
            return " ".join([label, *(step[-1] for step in steps)])
        return " ".join([label, *(str(steps.count(kind)) for kind in _ADD)])

    # --- acting ---------------------------------------------------------------------------------

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None if it is terminated or truncated.

        Raises ValueError if the mask does not allow it, WrongPhase if no game is in progress;
        nothing has changed then.
        """
        agent = self.agent_selection
        if not self.agents:
            raise WrongPhase("no game is in progress", remedy="call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = _whole(action)
        if number not in self._options:
            raise ValueError(f"action {quoted(action)} is not legal now")
        text = self._options[number]
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if text is None:
            self._add_step(self.actions[number])
        else:
            self.game.play(agent, text)
            if self.game.deal_over:
                self._end_deal()
                self._look()
            else:
                self._look()
                if self.turn_rewards and self._plays.phase == "draw":
                    self._reward(self.game.points())
        self._accumulate_rewards()

    def _add_step(self, name: str) -> None:
        """Begin a group, or add a step to it."""
        if self._group is None:
            self._group = name.removeprefix("lay "), ()
        else:
            label, steps = self._group
            self._group = label, (*steps, name)
        self._options = self._group_options(*self._group)

    def numbers_of(self, player: Player) -> list[int]:
        """Return the actions with which a player continues for the selected agent.

        They lead to the draw or to the end of the turn, or through one play if the environment
        chooses the suits of sets. Not checked: that no group is begun.
        """
        names: list[str] = []
        for text in self.game.choose(player)[: 1 if self._placed else None]:
            label, _, cards = text.partition(":")
            one, combined, other = text.partition(">")
            if text[0] == "-":
                names.append(self._discard_name(text[1:]))
            elif cards and label in PLACE_OF:
                names += [f"lay {label}", *_steps(text), _DONE]
            elif combined and text[0] != "^":
                names += [f"lay {one}", f"onto {other}"]
            else:
                names.append(_plain_name(text))
        return [self._number[name] for name in names]

    def _end_deal(self) -> None:
        """Reward the sides for the deal, and begin the next one or end."""
        self._reward({side.side: side.score for side in self.game.score_card().sides})
        self._given = dict.fromkeys(self.game.sides, 0.0)
        if self.game.over or self.game.deals == self.deals:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.game.deals == self.truncate_after:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.game.deal()

    def _reward(self, points: dict[str, int]) -> None:
        """Reward each agent for its side's points, minus the rewards of the deal so far."""
        for side, lead in leads(points).items():
            due = lead / POINTS
            for agent in side:
                self.rewards[agent] = due - self._given[side]
            if self.turn_rewards:
                self._given[side] = due

    # --- what is legal --------------------------------------------------------------------------

    def _first_options(self) -> dict[int, str | None]:
        """Return what is legal while no group is begun, by the numbers of the actions."""
        options: dict[int, str | None] = {}
        for play in self._plays.plays:
            text, kind = play.text, play.kind
            if kind == "discard":
                if not self._placed:
                    options[self._number[self._discard_name(text[1:])]] = text
            elif kind == "lay":
                options[self._number[f"lay {play.label}"]] = None
                self._lays.setdefault(str(play.label), {})[_steps(text)] = text
            elif kind == "combine":
                options[self._number[f"lay {play.label}"]] = None
            else:
                options.setdefault(self._number[_plain_name(text)], text)
        if self._placed:
            options |= self._placed_discards()
        return options

    def _placed_discards(self) -> dict[int, str | None]:
        """Return the discards by their numbers; a listed one represents all cards of its rank."""
        ranks = {_rank(play.text[1:]) for play in self._plays.plays if play.kind == "discard"}
        if not ranks:
            return {}
        hand = [card for card in table_of(self.game).held() if _rank(card) in ranks]
        return {self._number[self._discard_name(card)]: f"-{card}" for card in hand}

    def _discard_name(self, card: str) -> str:
        if _rank(card) == RED_THREE:
            return _DISCARD_RED
        return f"discard {card if self._placed and card in _SUITED else card[0]}"

    def _group_options(self, label: str, steps: tuple[str, ...]) -> dict[int, str | None]:
        """Return how a group that is begun can continue, by the numbers of the actions."""
        options: dict[int, str | None] = {}
        done = len(steps)
        for group, text in self._lays.get(label, {}).items():
            if group == steps:
                options[self._number[_DONE]] = text
            elif group[:done] == steps:
                options[self._number[group[done]]] = None
        if not steps:
            for text in self._plays.texts():
                if text.startswith(f"{label}>"):
                    options[self._number[f"onto {text[-1]}"]] = text
        return options

    # --- what is seen ---------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and the mask of its actions (none if another is due).

        Raises ValueError for an agent that does not exist, WrongPhase before the first `reset`.
        """
        if agent not in self.possible_agents:
            raise ValueError(f"no agent {quoted(agent)}: they are {' '.join(self.possible_agents)}")
        due = agent == self.game.due and not self.terminations.get(agent, True)
        mask = np.zeros(len(self.actions), np.int8)
        if due:
            mask[[*self._options]] = 1
        numbers = self._numbers(self.possible_agents.index(agent), self._group if due else None)
        return {"observation": numbers, "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the whole table as numbers, for the training of several agents: every hand.

        It is what the first agent would observe, with the cards of the other hands after it. Raises
        WrongPhase before the first `reset`.
        """
        numbers = self._numbers(0, self._group)
        table = table_of(self.game)
        others = [table.hand_numbers(seat) for seat in range(1, len(self.possible_agents))]
        return np.concatenate([numbers, np.array(others, np.float32).ravel()])

    def _numbers(self, seat: int, group: _BegunGroup | None) -> NDArray[np.float32]:
        """Return what a seat sees as numbers; seats and sides are in order, beginning with its own.

        A table does not change, so its numbers are kept for the steps of a group.
        """
        table = table_of(self.game)
        if self._seen is None or self._seen[0] is not table or self._seen[1] != seat:
            self._seen = table, seat, self._table_numbers(table, seat)
        numbers = self._seen[2].copy()
        if group is not None:
            label, steps = group
            numbers[self._at[f"group {_LETTER.get(label, label)}?"]] = 1
            for step in steps:
                kind, _, letter = step.partition(" ")
                numbers[self._at[f"group: {letter}?" if letter else f"group: {kind}s"]] += 1
        return numbers

    def _table_numbers(self, table: LiveTable, seat: int) -> NDArray[np.float32]:
        """Return the table as numbers, with zeros for a group."""
        numbers = table.numbers(seat)
        numbers += [0] * (_RANKS + len(_ADD))
        if self._placed:
            numbers += table.placed_numbers(seat, _SUITED_CODES, _SUIT_OF, _PLACE_CODES)
            numbers += [0] * (len(_PLACES) + len(_RUN))
        scaled = np.frombuffer(array("i", numbers), np.int32).astype(np.float32)
        scaled /= self._units
        return scaled

    def render(self) -> str:
        """Return the table as text, as the selected agent sees it."""
        return str(self.game.observe(self.agent_selection))

    def close(self) -> None:
        """Do nothing: an environment keeps no window and no file open."""


def _actions(profile: Profile) -> tuple[str, ...]:
    """Return the names of the actions under some rules."""
    rules = rules_of(profile)
    word = rules.packet_word or _PACKET
    names = PLACED_ACTIONS if rules.places > RANKS else ACTIONS
    red = () if rules.tabled[RED_THREE] else (_DISCARD_RED,)
    return (*(word if name == _PACKET else name for name in names), *red)


def _rank(card: str) -> int:
    return RANK[CODE[card]]


def _whole(value: object) -> int:
    """Return a whole number, -1 for anything else."""
    try:
        return -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return -1


def _seed(seed: object) -> int:
    """Return a seed. Raises ValueError unless it is a whole number from 0."""
    if _whole(seed) < 0:
        raise ValueError(f"the seed must be a whole number from 0, not {quoted(seed)}")
    return _whole(seed)


def _kinds(cards: str) -> tuple[int, int, int]:
    """Return how many naturals, twos and jokers there are among cards spelled side by side."""
    jokers = cards.count("*")
    twos = cards.count(RANK_LETTERS[TWO])
    return (len(cards) - jokers) // 2 - twos, twos, jokers


@lru_cache(maxsize=1 << 14)
def _steps(text: str) -> tuple[str, ...]:
    """Return the steps that put a group together: cards in order, or the ranks of a sequence."""
    label, _, cards = text.partition(":")
    if label[0] in SUIT_LETTERS:
        return tuple(f"add {letter}" for letter in sorted(cards[::2], key=_RUN.index))
    added = zip(_ADD, _kinds(cards), strict=True)
    return tuple(step for step, count in added for _ in range(count))


def _plain_name(text: str) -> str:
    """Return the name of the action for a play that is not a group or a discard."""
    if text[0] == "^":
        onto = text.partition(">")[2]
        return "take" if onto in RANK_LETTERS else f"take >{onto}"
    if text[0] == "+":
        return "draw"
    word, colon, _ = text.partition(":")
    return _SPECIAL if colon and word not in _WORDS else word
