"""Whether the figures of an analysis can be trusted: `python -m tests.calibration [--rules NAME]`.

Each check prints what it found and what is expected. `grammar/ANALYSIS.md` states the figures of
this build.

* Seeds: one decision is judged with 20 seeds; its values spread as their stated errors say.
* Equal plays: four plays that are all the same are called different in at most 1 of 500 decisions.
* Hidden cards: they are exchanged, and the judgement of a decision stays the same.
* Called losses: they are played out again with another seed, and still cost something.

The options `--decisions`, `--nulls`, `--turns` and `--losses` say how many; 0 leaves a check out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count, islice
from math import sqrt
from statistics import fmean, variance

import canasta_notation as cn
from canasta_notation.analysis.comparison import Comparison, errors_needed
from canasta_notation.analysis.decisions import Sampler
from canasta_notation.analysis.judging import DealToJudge, deal_values, turn_values
from canasta_notation.analysis.limits import limits_of
from canasta_notation.analysis.values import Loss
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import OPEN, Table
from canasta_notation.players.figures import figures_of
from canasta_notation.players.hidden import hidden_stock
from canasta_notation.players.playouts import NEXT, Outcomes, play_outs
from canasta_notation.players.seat_turn import play_turn
from canasta_notation.players.seated import play_named_game
from canasta_notation.rules import load_profile
from tests import hidden_decisions
from tests.seeded_deals import deal_table

#: The seeds of one decision, and the play-outs of each candidate.
SEEDS = 20
PLAYOUTS = 200
#: One turn in this many of a deal is judged.
_STEP = 7
#: How many turns from its start the middle of a deal is.
_MIDDLE = 20
#: The play-outs with which a called loss is judged again.
FRESH = 4_000


def games(name: str) -> Iterator[cn.Game]:
    """Yield deals between players of two kinds, so that there is something to call a loss."""
    seats = load_profile(name).seats
    players = ",".join(("careful", "greedy")[at % 2] for at in range(len(seats)))
    for seed in count():
        yield play_named_game(load_profile(name), seed, players, 1)


# --- seeds ----------------------------------------------------------------------------------------


def decisions(name: str) -> Iterator[tuple[cn.Game, int]]:
    """Yield turns, each with its game."""
    for seed, game in enumerate(games(name)):
        for turn in range(1 + seed % _STEP, game.deals[0].turns + 1, _STEP):
            yield game, turn


def spread(game: cn.Game, turn: int, seeds: int, rollouts: int) -> list[float]:
    """Return, for each decision of a turn, the variance of a value over seeds by the stated one."""
    by_seed = [
        turn_values(DealToJudge(game, 1, 1, rollouts, seed), turn, []).values.judged
        for seed in range(seeds)
    ]
    found = []
    for same in zip(*by_seed, strict=True):
        # The second candidate is compared with the first, whichever leads.
        plays = [judged.candidates[1] for judged in same]
        stated = fmean(play.error**2 for play in plays)
        if stated:
            found.append(variance(play.value for play in plays) / stated)
    return found


def ratio(name: str, wanted: int, seeds: int = SEEDS, rollouts: int = PLAYOUTS) -> float:
    """Return the ratio of the spread to the stated error, over this many decisions."""
    found: list[float] = []
    for game, turn in decisions(name):
        found += spread(game, turn, seeds, rollouts)
        if len(found) >= wanted:
            break
    return sqrt(fmean(found))


# --- alike plays ----------------------------------------------------------------------------------


def nulls(name: str, wanted: int, rollouts: int = PLAYOUTS) -> int:
    """Return how many of `wanted` decisions between four equal plays are called different."""
    profile = load_profile(name)
    rules, careful = rules_of(profile), figures_of("careful", profile)
    wrong = 0
    for number in range(wanted):
        table = deal_table(rules, number % rules.players, [0] * len(rules.sides), f"{number % 50}")
        for _ in range(_MIDDLE + number % 10):
            if table.ended == OPEN:
                table = play_turn(table, careful)

        def sampler(stream: int, table: Table = table) -> Sampler:
            def sample(first: int, size: int) -> Outcomes:
                return play_outs(table, careful, hidden_stock(table), stream, first, size, NEXT)

            return sample

        samplers = [sampler(4 * number + at) for at in range(4)]
        comparison = Comparison(samplers, 0, limits_of(profile))
        comparison.run(rollouts, two_stages=False)
        gain, error, best = comparison._loss()
        wrong += best != 0 and gain > errors_needed(rollouts // 2) * error
    return wrong


# --- called losses --------------------------------------------------------------------------------


def called(name: str, rollouts: int | None) -> Iterator[tuple[cn.Game, Loss]]:
    """Yield the mistakes and blunders of deals."""
    for game in games(name):
        for loss in deal_values(DealToJudge(game, 1, 1, rollouts)).losses:
            yield game, loss


def anew(game: cn.Game, loss: Loss, rollouts: int) -> float:
    """Return what a loss cost on new samples."""
    judged = turn_values(DealToJudge(game, 1, 1, rollouts, 1), loss.turn, []).values.judged
    same = next(each for each in judged if each.decision == loss.decision)
    return next(each.value for each in same.candidates if each.play == loss.better)


def fresh_losses(
    name: str, wanted: int, rollouts: int | None = None, fresh: int = FRESH
) -> list[tuple[float, float]]:
    """Return this many called losses, as they were called and on new samples."""
    found = islice(called(name, rollouts), wanted)
    return [(loss.loss, anew(game, loss, fresh)) for game, loss in found]


def main() -> None:
    """Run the checks and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--decisions", type=int, default=60)
    parser.add_argument("--nulls", type=int, default=2_000)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--losses", type=int, default=30)
    asked = parser.parse_args()
    name = asked.rules
    if asked.decisions:
        found = ratio(name, asked.decisions)
        print(f"{name}: spread over stated error {found:.2f}; right is 0.9 to 1.1", flush=True)
    if asked.nulls:
        wrong = nulls(name, asked.nulls)
        print(f"{name}: {wrong} of {asked.nulls} alike plays called; at most {asked.nulls // 500}")
    if asked.turns:
        turns, ends, differ = hidden_decisions.compare(name, asked.turns)
        print(f"{name}: {differ} of {turns} turns ({ends} end the deal) judged otherwise; right: 0")
    if asked.losses:
        losses = fresh_losses(name, asked.losses)
        cost = sum(now > 0 for _, now in losses)
        large = sum(now >= limits_of(load_profile(name)).mistake for _, now in losses)
        means = [fmean(each) for each in zip(*losses, strict=True)]
        print(
            f"{name}: of {len(losses)} called losses, {cost} cost something on fresh samples and "
            f"{large} as much as a mistake; {means[0]:.0f} points called, {means[1]:.0f} anew"
        )


if __name__ == "__main__":
    main()
