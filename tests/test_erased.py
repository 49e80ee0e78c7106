"""Soundness when less is known: a record that can be true is never contradicted.

A random legal game, under rules in which every key takes its turn to have another value, is written
with less of it known. The game itself is an assignment that makes the record true, so no error may
be found, and no figure of the audit may differ from the true one.
`CANASTA_ERASED=2000 pytest tests/test_erased.py` runs the long form.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from canasta_notation import format_game, read_text
from canasta_notation.cards import EXACT, RANK
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.steps import walk
from tests.documents import report
from tests.erasing import Forgetting, held_at, score_sheet
from tests.random_games import rules_in_turn

RECORDS = int(os.environ.get("CANASTA_ERASED", "100"))
EACH = 4


@pytest.mark.parametrize("seed", range(RECORDS // EACH))
def test_what_can_be_true_is_not_contradicted(seed: int) -> None:
    chance = random.Random(seed)
    rules = rules_in_turn(chance, seed)
    profile = rules.text
    deals = chance.choice((1, 1, 2))
    game = play_game(rules, seed, deals=deals)
    text = format_game(game, rules["draw.count"])
    true = report(text)
    assert true.verdict == "verified"
    for _ in range(EACH):
        erased = Forgetting(chance, held_at(rules)).text(text)
        found = report(erased)
        errors = [each for each in found.findings if each.severity == "error"]
        assert not errors, f"{profile} {seed}: {errors[0].span} {errors[0].message}\n{erased}"
        for deal, real in zip(found.deals, true.deals, strict=True):
            for side, other in zip(deal.sides, real.sides, strict=True):
                assert side.score in (None, other.score), f"{profile} {seed} {side.side}\n{erased}"
                for item, points in side.items.items():
                    assert points in (None, other.items.get(item, 0)), f"{item}\n{erased}"


@pytest.mark.parametrize("seed", range(RECORDS // EACH))
def test_the_sheet_of_a_true_game_is_not_contradicted(seed: int) -> None:
    chance = random.Random(seed)
    rules = rules_in_turn(chance, seed)
    profile = rules.text
    text = format_game(play_game(rules, seed, deals=3), rules["draw.count"])
    for _ in range(EACH):
        sheet = score_sheet(text, chance)
        found = report(sheet)
        errors = [each for each in found.findings if each.severity == "error"]
        assert not errors, f"{profile} {seed}: {errors[0].span} {errors[0].message}\n{sheet}"
        assert found.verdict == "undetermined"


@pytest.mark.parametrize("seed", range(RECORDS // EACH // 2))
def test_what_a_hand_must_and_can_hold_is_true(seed: int) -> None:
    chance = random.Random(seed)
    rules = rules_in_turn(chance, seed)
    text = format_game(play_game(rules, seed, deals=1), rules["draw.count"])
    (reading,) = read_text(text)
    real = {(step.turn, step.action): step.state for step in walk(reading.game)[0]}
    (reading,) = read_text(Forgetting(chance, held_at(rules)).text(text))
    for step in walk(reading.game)[0]:
        state, true = step.state, real[step.turn, step.action]
        if not step.last and len(state.pile) < len(true.pile):
            continue  # the taken pile is in the hand because unwritten cards may have opened
        for hand, other in zip(state.hands, true.hands, strict=True):
            named = Counter(code for code in hand.cards if EXACT[code])
            rest = Counter(other.cards)
            assert named <= rest, step.line
            ranks = {RANK[code] for code in hand.cards if not EXACT[code]}
            assert all(code in hand.may or RANK[code] in ranks for code in rest - named), step.line
