"""A sample of `tests.calibration`: whether the figures of an analysis can be trusted."""

from __future__ import annotations

from tests import calibration


def test_values_spread_over_seeds_as_their_errors_say() -> None:
    """With so few decisions and seeds, the ratio itself has an error of about a sixth."""
    assert 0.6 < calibration.ratio("classic-2p", 4, seeds=6, rollouts=20) < 1.5


def test_equal_plays_are_not_called_different() -> None:
    assert calibration.nulls("classic-2p", 8, rollouts=40) == 0


def test_a_called_loss_costs_something_on_fresh_samples() -> None:
    [(called, anew)] = calibration.fresh_losses("classic-2p", 1, rollouts=60, fresh=200)
    assert called > 0 and anew > 0
