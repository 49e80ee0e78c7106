"""A PettingZoo environment for the live game. It needs the extra `rl`.

There is one agent for each seat, named by its letter. The actions are small: a group is laid one
card at a time. A mask says which actions are legal. Suits are left out where no rule depends on
them. An observation contains only what its seat may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import lru_cache
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
    KIND,
    LABELS,
    MOST_MELDS,
    PLACE_OF,
    RANK,
    RANK_LETTERS,
    RANKS,
    SEQUENCE,
    SUIT_LETTERS,
    TWO,
)
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.live.answers import LegalPlays
from canasta_notation.live.game import LiveGame
from canasta_notation.live.position import Position
from canasta_notation.players.seated import Player, player_of
from canasta_notation.quoting import quoted
from canasta_notation.rules import Profile

#: The ranks that can be melded, and those that can be discarded.
_MELDS: Final = (BLACK_THREE, *range(FOUR, ACE + 1), JOKER_RANK)
_DISCARDS: Final = range(BLACK_THREE, JOKER_RANK + 1)
_SPECIALS: Final = ("straight", "pairs", "garbage")
_ADD: Final = ("natural", "two", "joker")
_DONE: Final = "done"
#: The meaning of each number: a play, or a step towards one.
ACTIONS: Final = (
    *("threes", "draw", "take", "ask", "ask=yes", "ask=no", "talon", "end"),
    *(f"lay {RANK_LETTERS[rank]}" for rank in _MELDS),
    *_ADD,
    _DONE,
    *(f"discard {RANK_LETTERS[rank]}" for rank in _DISCARDS),
    *_SPECIALS,
)
#: The further places of melds where a side may have sequences, or several melds of a rank; the
#: cards of a sequence, by rank; the cards whose suits then matter.
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
_NUMBER: Final = {name: number for number, name in enumerate(PLACED_ACTIONS)}
_RANKS: Final = JOKER_RANK + 1
#: Points are given in units of this many: rewards, minimums and totals.
POINTS: Final = 100

#: A group that is being put together: the label of its meld, and the steps so far.
_Group = tuple[str, tuple[str, ...]]
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


def _check(deals: object, render_mode: object) -> None:
    """Raise ValueError for a number of deals or a way to render that there is not."""
    if deals is not None and (type(deals) is not int or deals < 1):
        raise ValueError(f"deals must be a whole number from 1, or None, not {quoted(deals)}")
    modes = CanastaEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        ways = " or ".join([*map(repr, modes), "None"])
        raise ValueError(f"render_mode must be {ways}, not {quoted(render_mode)}")


class CanastaEnv(AECEnv[str, Observation, int]):
    """A game of `deals` deals, or up to its target if `deals` is None.

    When a deal ends, the reward of each agent is its side's score minus the mean of the other
    sides' scores, divided by 100. `game` is the live game, which knows every card.

    With `turn_rewards`, each turn that ends has a reward too: by how much the points that the
    agent's side has on the table have grown, compared with the other sides, divided by 100. The
    reward of the deal is then less by what its turns have given, so that their sum is the same.

    Under rules with sequences or several melds of a rank, `actions` are `PLACED_ACTIONS`. The agent
    then chooses the suits of sequences and of discards, and the environment those of sets.
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
        _check(deals, render_mode)
        self.game = LiveGame(rules, seed=0)
        self.rules = rules
        self._placed = rules_of(self.game.rules).places > RANKS
        #: What the number of each action means.
        self.actions = PLACED_ACTIONS if self._placed else ACTIONS
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
        names = self.legend()
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
        self._group: _Group | None = None
        self._plays = LegalPlays("", "over")

    def _bounds(self, names: Sequence[str]) -> Box:
        """Return the space of numbers by their names, as `legend` explains them."""
        deck = rules_of(self.game.rules).deck_size
        points = (" minimum", " total")
        high = [
            1 if name[-1] == "?" else np.inf if name.endswith(points) else deck for name in names
        ]
        low = [-np.inf if name.endswith(" total") else 0 for name in names]
        return Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)

    def legend(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the `actions`, and of the numbers of an `observation` and of `state`.

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

        `options` may name the first dealer: `{"dealer": "S"}`; others mean nothing, as PettingZoo
        has it. Raises ValueError for a seat that does not exist.
        """
        dealer = (options or {}).get("dealer")
        LiveGame(self.rules, dealer=dealer, seed=0)  # raises before anything has changed
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
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

    def step(self, action: int) -> None:
        """Play an action of the selected agent. Raises ValueError if the mask does not allow it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not 0 <= action < len(self.actions) or not self._mask()[action]:
            raise ValueError(f"action {action} is not legal now")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        text = self._text(self.actions[action])
        if text is not None:
            self.game.play(agent, text)
            if self.game.deal_over:
                self._end_deal()
            self._look()
            if self.turn_rewards and self._plays.phase == "draw" and not self.game.deal_over:
                self._reward(self.game.points())
        self._accumulate_rewards()

    def _text(self, name: str) -> str | None:
        """Return the play that an action completes, None if it is only a step towards one."""
        if name.startswith("lay "):
            self._group = name.removeprefix("lay "), ()
            return None
        if self._group is not None:
            label, steps = self._group
            if name == _DONE:
                return self._groups(label)[steps]
            if name.startswith("onto "):
                return f"{label}>{name[-1]}"
            self._group = label, (*steps, name)
            return None
        if name.startswith("discard "):
            return self._discards()[name]
        return next(text for text in self._plays.texts() if _plain_name(text) == name)

    def numbers_of(self, player: Player) -> list[int]:
        """Return the actions with which a player goes on for the selected agent.

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
        return [_NUMBER[name] for name in names]

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

    def _groups(self, label: str) -> dict[tuple[str, ...], str]:
        """Return the legal groups on a meld, by the steps that put them together."""
        return {
            _steps(play.text): play.text
            for play in self._plays.plays
            if play.kind == "lay" and play.text.startswith(f"{label}:")
        }

    def _discards(self) -> dict[str, str]:
        """Return the legal discards by the names of their actions."""
        cards = [play.text[1:] for play in self._plays.plays if play.kind == "discard"]
        if self._placed and cards:
            # Each of them stands for all cards of its rank.
            ranks = {card[0] for card in cards}
            hand = self.game.observe(self.game.due).hands[self._plays.seat]
            cards = [card for card in hand if card[0] in ranks]
        return {self._discard_name(card): f"-{card}" for card in cards}

    def _discard_name(self, card: str) -> str:
        return f"discard {card if self._placed and card in _SUITED else card[0]}"

    def _mask(self) -> NDArray[np.int8]:
        """Return the mask of the actions that are legal for the seat that is due."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[[_NUMBER[name] for name in self._names()]] = 1
        return mask

    def _names(self) -> Iterator[str]:
        """Yield the names of the actions that are legal, some more than once."""
        if self._group is not None:
            label, steps = self._group
            done = len(steps)
            for group in self._groups(label):
                if group[:done] == steps:
                    yield (*group, _DONE)[done]
            for text in self._plays.texts():
                if not steps and text.startswith(f"{label}>"):
                    yield f"onto {text[-1]}"
            return
        yield from self._discards()
        for play in self._plays.plays:
            if play.kind in ("lay", "combine"):
                yield f"lay {play.text.partition('>')[0].partition(':')[0]}"
            elif play.kind != "discard":
                yield _plain_name(play.text)

    # --- what is seen ---------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and the mask of its actions (none if another is due)."""
        due = agent == self.game.due and not self.terminations.get(agent, True)
        view = self.game.observe(agent)
        features = self._features(view, self._group if due else None)
        mask = self._mask() if due else np.zeros(len(self.actions), np.int8)
        return {"observation": np.array(features, np.float32), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the whole table as numbers, for the training of several agents: every hand.

        It is what the first agent would observe, with the cards of the other hands after it.
        """
        table = self.game.position()
        features = self._features(table, self._group)
        for seat in table.seats[1:]:
            features += _counts(table.hands[seat])
        return np.array(features, np.float32)

    def _features(self, view: Position, group: _Group | None) -> list[float]:
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
        features += _one_of(range(_RANKS), RANK[CODE[pile[-1]]] if pile else -1)
        features += [float(view.stock or 0), float(view.begun)]
        label, steps = group or ("", ())
        place = PLACE_OF.get(label, -1)
        features += [*_one_of(range(_RANKS), place), *(float(steps.count(kind)) for kind in _ADD)]
        if self._placed:
            features += [float(hands[seats[0]].count(card)) for card in _SUITED]
            features += [float(pile.count(card)) for card in _SUITED]
            features += [float(bool(pile) and pile[-1][1:] == suit) for suit in SUIT_LETTERS]
            for side in sides:
                features += _placed_features(view.melds[side])
            features += _one_of(_PLACES, place)
            features += [float(f"add {letter}" in steps) for letter in _RUN]
        return features

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


def _placed_features(melds: dict[str, tuple[str, ...]]) -> list[float]:
    """Return the melds of a side at `_PLACES`; the lowest card of a sequence counts from 1."""
    features: list[float] = []
    for place in _PLACES:
        cards = melds.get(LABELS[place], ())
        if KIND[place] >= SEQUENCE:
            lowest = min((_RUN.index(card[0]) + 1 for card in cards), default=0)
            features += [lowest, len(cards)]
        else:
            features += _kinds("".join(cards))
    return features


def _one_of(places: Sequence[int], place: int) -> list[float]:
    return [float(at == place) for at in places]


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
    return "draw" if text[0] == "+" else text.partition(":")[0]
