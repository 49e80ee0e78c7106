"""Random bots: a play that is listed is never a dead end. `tests/random_bots.py` plays more."""

from __future__ import annotations

import pytest

from canasta_notation.arrays import COMPILED
from canasta_notation.search.plans import Budget
from tests.random_bots import Played, play_live, play_masked
from tests.random_games import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_a_bot_that_plays_any_listed_text_is_never_stuck(name: str) -> None:
    played = Played()
    play_live(name, 1, played)
    assert played.stuck == [] and played.times


@pytest.mark.parametrize("name", ["samba", "american-2p"])
def test_a_bot_that_plays_any_masked_action_is_never_stuck(name: str) -> None:
    played = Played()
    play_masked(name, 1, played)
    assert played.stuck == []


@pytest.mark.skipif(COMPILED, reason="the limit of a compiled module cannot be replaced")
@pytest.mark.parametrize("name", ["samba", "bolivia", "american-4p", "classic-3p"])
@pytest.mark.parametrize("limit", [0, 20, 200])
def test_no_bot_is_stuck_however_early_the_search_stops(
    name: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget.__init__, "__defaults__", (limit,))
    played = Played()
    play_live(name, 2, played)
    assert played.stuck == []
