"""A sample of `tests.calibration`: whether the figures of an analysis can be trusted."""

from __future__ import annotations

from canasta_notation.analysis.judging import DealToJudge, deal_values
from tests import calibration
from tests.blunders import BLUNDERS


def test_values_spread_over_seeds_as_their_errors_say() -> None:
    """With so few decisions and seeds, the ratio itself has an error of about a sixth."""
    assert 0.6 < calibration.ratio("classic-2p", 4, seeds=6, rollouts=20) < 1.5


def test_equal_plays_are_not_called_different() -> None:
    assert calibration.nulls("classic-2p", 8, rollouts=40) == 0


def test_a_called_loss_costs_something_on_fresh_samples() -> None:
    blunder = next(each for each in BLUNDERS if each.quick)
    game, turn, _ = blunder.played(blunder.bad)
    [loss] = deal_values(DealToJudge(game, 1, 1, 200), turn=turn).losses
    assert loss.loss > 0 and calibration.anew(game, loss, 200) > 0
