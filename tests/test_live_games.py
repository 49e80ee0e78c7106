"""Whole live games with fixed seeds: what is allowed and refused at each turn, and every undo."""

from __future__ import annotations

from random import Random

import pytest
from syrupy.assertion import SnapshotAssertion

import canasta_notation as cn
from tests.test_live import PROFILES, choose


@pytest.mark.parametrize("rules", PROFILES)
def test_every_play_is_taken_back_to_what_was_before(rules: str) -> None:
    """A dump, the events, the totals and the legal plays are those from before the play."""
    game, rng = cn.LiveGame(rules, seed="undo"), Random(rules)
    game.deal()
    before = []
    for _ in range(14):
        if game.deal_over:
            break
        texts = [*game.legal().texts()]
        before.append((game.dump(), len(game.events), game.due, game.totals, texts))
        game.play(game.due, choose(rng, game.legal()))
    assert len(before) > 5
    for dump, events, due, totals, texts in reversed(before):
        game.undo()
        assert (game.dump(), len(game.events), game.due, game.totals) == (dump, events, due, totals)
        assert [*game.legal().texts()] == texts
        assert cn.LiveGame.load(dump).dump() == dump


@pytest.mark.parametrize("rules", PROFILES)
def test_what_is_allowed_and_refused_at_each_turn(rules: str, snapshot: SnapshotAssertion) -> None:
    """Each reason for a refusal once, and what each seat sees of each event."""
    game, rng = cn.LiveGame(rules, seed="seen"), Random(rules)
    game.deal()
    lines: list[str] = []
    reasons = set()
    for at in range(60):
        if game.deal_over:
            break
        legal = game.legal()
        for each in legal.refused:
            if (each.kind, each.reason.code) not in reasons:
                reasons.add((each.kind, each.reason.code))
                lines.append(
                    f"{game.due} {each.kind} {each.text}: {each.reason} ({each.reason.remedy})"
                )
        if at % 6 == 0:
            lines.append(f"{game.due}: {len([*legal.texts()])} of {[*legal.texts()][:3]}")
        seat = game.due
        event = game.play(seat, choose(rng, legal))
        if at % 6 == 0:
            lines.append(f"  {event}"[:160])
    lines.append(f"{game.totals} {game.deals} {game.over} {game.winner} {game.points()}")
    for seat in (None, *game.seats):
        shown = game.observe(seat).to_json()
        lines.append(f"{seat}: {shown['hands']} {shown['stock']}"[:300])
    assert "\n".join(lines) == snapshot
