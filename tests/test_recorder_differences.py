"""What may explain a score on paper that differs from its row."""

from __future__ import annotations

import pytest

from canasta_notation.engine.ruleset import rules_of
from canasta_notation.notation.document import ScoreLine
from canasta_notation.recorder.differences import FigureChange, counted, explanations
from canasta_notation.recorder.pad_row import canasta_bonuses, columns
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import load_profile, profile_names
from tests.random_games import random_game


@pytest.mark.parametrize("rules", profile_names())
def test_a_figure_that_was_left_out_is_one_explanation(rules: str) -> None:
    """Each figure of random deals that the rules fix is left out once."""
    profile, tried = rules_of(load_profile(rules)), set()
    bonuses = canasta_bonuses(profile)
    fixed = {*columns(profile)[:-1], "out", "sevens", "aces", "special"}
    for game in (random_game(rules, 0), random_game(rules, 1)):
        for side in (side for deal in replay_game(game, 1).deals for side in deal.sides):
            items = {item: points for item, points in side.items.items() if points}
            right = sum(items.values())
            for item, points in items.items():
                less = bonuses.get(item, points)
                left = {**items, item: points - less}
                line = ScoreLine(side.side, right - less, (*left.items(),))
                unit = less if item in bonuses else 1
                change = FigureChange(item, (points - less) // unit, points // unit)
                if item in fixed:
                    assert (change,) in explanations(profile, line, right), (item, line, right)
                    tried.add(item)
    # In random games no side has the canasta of each kind without which nobody goes out.
    ends = set() if profile.out_sevens else {"out"}
    assert {*ends, columns(profile)[-2], "mixed"} <= tried


def test_what_agrees_or_has_no_figures_is_not_explained() -> None:
    rules = rules_of(load_profile("classic"))
    assert explanations(rules, ScoreLine("NS", 400, (("mixed", 300), ("cards", 100))), 400) == []
    assert explanations(rules, ScoreLine("NS", 400, None), 500) == []


def test_what_a_claim_adds_up_to_is_not_its_score() -> None:
    assert counted(ScoreLine("NS", 500, (("mixed", 300), ("cards", 100)))) == 400
    assert counted(ScoreLine("NS", 500, None)) == 500


def test_nobody_goes_out_concealed_without_going_out() -> None:
    rules = rules_of(load_profile("classic"))
    without = explanations(rules, ScoreLine("NS", 300, (("mixed", 300),)), 400)
    assert (FigureChange("concealed", 0, 100),) not in without
    out = ScoreLine("NS", 400, (("mixed", 300), ("out", 100)))
    assert (FigureChange("concealed", 0, 100),) in explanations(rules, out, 500)


def test_points_keep_the_sign_that_their_item_always_has() -> None:
    rules = rules_of(load_profile("american-4p"))
    line = ScoreLine("NS", -1500, (("held", -1500),))
    assert (FigureChange("held", -1500, -3000),) in explanations(rules, line, -3000)
    assert explanations(rules, line, -4000) == [(FigureChange("unfinished", 0, -2500),)]
    assert {change.item for [change] in explanations(rules, line, 1500)} == {"wild", "special"}


def test_a_penalty_of_the_rules_explains_a_lower_score() -> None:
    rules = rules_of(load_profile("classic"))
    line = ScoreLine("NS", 30, (("cards", 30),))
    assert explanations(rules, line, -20) == [(FigureChange("penalty", 0, -50),)]
