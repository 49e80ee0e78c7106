"""The verdicts on unwritten cards, compared with a judge that tries every card they could be.

`CANASTA_JUDGED=20000 pytest tests/test_erased_exact.py` runs the long form.
"""

from __future__ import annotations

import os
import random
from functools import cache

import pytest

from canasta_notation import format_game, load_profile
from canasta_notation.players.random_game import play_game
from tests.brute_force import Judgement, cut, erase, judge, plant

RECORDS = int(os.environ.get("CANASTA_JUDGED", "160"))
EACH = 10
PROFILES = (
    *("classic", "classic", "bga", "davenport", "classic-2p", "classic-strict"),
    *("samba", "bolivia"),
)


@cache
def deal(seed: int) -> str:
    profile = load_profile(PROFILES[seed % len(PROFILES)])
    return format_game(play_game(profile, seed, deals=1))


def judged(seed: int) -> list[tuple[str, Judgement]]:
    """Return shortened records of a random deal, with a fault and unwritten cards, each judged."""
    chance = random.Random(seed)
    found = []
    for _ in range(EACH):
        text = cut(deal(seed), chance.randrange(4, 40))
        if chance.random() < 0.8:
            text = plant(text, chance)
        if chance.random() < 0.5:
            text = "\n".join(line for line in text.split("\n") if not line.startswith("stock "))
        text = erase(text, chance, chance.randrange(1, 6))
        found.append((text, judge(text, most=400)))
    return found


@pytest.mark.parametrize("seed", range(RECORDS // EACH))
def test_a_verdict_agrees_with_trying_every_card(seed: int) -> None:
    for text, judgement in judged(seed):
        # Before the line to which the engine objects, some assignment is always possible.
        assert judgement.engine >= judgement.truth, text
        if judgement.settled:
            assert judgement.error <= judgement.truth, text
