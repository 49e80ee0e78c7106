"""Plays are tried on copies of a table, which share no mutable state with it, in either build."""

from __future__ import annotations

from typing import Any

import pytest

from canasta_notation import format_game, load_profile, read_text
from canasta_notation.engine.hands import add_card
from canasta_notation.engine.side import put_cards, table_three
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import Knowledge, Table, Taken, copy_table, put_on_pile, top_of
from canasta_notation.notation.document import Game
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment

#: The fields that are not copied.
LEFT_BEHIND = {"violations", "doubts"}


def fields(thing: Any) -> list[str]:
    kind = type(thing)
    names = getattr(kind, "__mypyc_attrs__", None) or kind.__slots__
    return [name for name in names if not name.startswith("__")]


def hold_apart(thing: Any, copy: Any) -> None:
    """Assert that every field of a copy is equal, and that no array or list is the same object."""
    for name in fields(thing):
        if name in LEFT_BEHIND:
            continue
        own, other = getattr(thing, name), getattr(copy, name)
        if isinstance(own, Knowledge | Taken):
            hold_apart(own, other)
            continue
        if name != "rules":
            assert list(own) == list(other) if hasattr(own, "__len__") else own == other, name
        if isinstance(own, list) and own:
            own[0] += 1
            assert other[0] != own[0], name
            own[0] -= 1


def tables(game: Game) -> list[Table]:
    (reading,) = read_text(format_game(game))
    seen: list[Table] = []

    def observe(moment: Moment) -> None:
        play = moment.table
        if len(seen) < 300:
            hold_apart(play, copy_table(play))
            seen.append(copy_table(play))

    replay_game(reading.game, observer=observe)
    return seen


@pytest.mark.parametrize("hidden", [False, True])
def test_a_copy_is_equal_and_independent(hidden: bool) -> None:
    game = play_game(load_profile("american-4p"), 3, deals=3)
    if hidden:
        text = "\n".join(
            line for line in format_game(game).splitlines() if not line.startswith(("N:", "stock"))
        )
        (reading,) = read_text(text)
        game = reading.game
    seen = tables(game)
    assert len(seen) > 100
    for play in seen:
        copy = copy_table(play)
        before = snapshot(play)
        assert snapshot(copy) == before
        if not copy.ended and copy.pile_size:
            for seat in range(copy.rules.players):
                add_card(copy, seat, top_of(copy))
            put_on_pile(copy, top_of(copy))
            put_cards(copy, 0, 5, 3, 1, 0, 0, 40)
            table_three(copy, 0, 0)
        assert snapshot(play) == before
