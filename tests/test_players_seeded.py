"""Games of each kind of player with fixed seeds: whatever a player does otherwise is seen."""

from __future__ import annotations

from hashlib import sha256

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.notation.format import format_game
from canasta_notation.players.random_game import play_game
from canasta_notation.players.seated import play_named_game
from tests.random_games import HOUSE, PROFILES, rules_named
from tests.test_players import MIXED


def brief(text: str) -> str:
    """Return the last turns of each deal of a game, and what stands for all of it."""
    deals = text.split("\n\n")[1:]
    ends = [line for deal in deals for line in deal.splitlines() if line.startswith(("end", "tot"))]
    return f"{sha256(text.encode()).hexdigest()[:12]} {' / '.join(ends)}"


@pytest.mark.parametrize("rules", [*PROFILES, *HOUSE, *MIXED])
def test_a_seed_gives_the_same_games(rules: str, snapshot: SnapshotAssertion) -> None:
    profile = rules_named(rules)
    games = []
    for seed in range(2):
        games.append(f"random {seed}: {brief(format_game(play_game(profile, seed, deals=2)))}")
        for player in ("careful", "greedy"):
            names = ",".join([player] * profile["players"])
            game = play_named_game(profile, seed, names, deals=2)
            games.append(f"{player} {seed}: {brief(format_game(game))}")
    assert "\n".join(games) == snapshot
