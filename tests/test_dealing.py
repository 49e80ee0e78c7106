"""A shuffled pack dealt onto a table, by every profile."""

from __future__ import annotations

from random import Random

import pytest

from canasta_notation.cards import RANK
from canasta_notation.dealing import deal_pack, lay_out, new_pack
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.rules import load_profile, profile_names


@pytest.mark.parametrize("name", profile_names())
def test_a_pack_is_dealt_whole_and_by_the_rules(name: str) -> None:
    rules = rules_of(load_profile(name))
    kept = 0
    for seed in range(40):
        pack = new_pack(rules)
        Random(seed).shuffle(pack)
        keep = range(seed % 2 * rules.players)
        dealt = deal_pack(rules, seed % rules.players, pack, keep)
        assert sorted(sum((*dealt.hands, *dealt.packets, dealt.stock), ())) == new_pack(rules)
        assert dealt.stock[: len(dealt.up)] == dealt.up
        for hand, replacements in zip(dealt.hands, dealt.replacements, strict=True):
            threes = sum(rules.tabled[RANK[code]] for code in (*hand, *replacements))
            assert threes - len(replacements) in (0, int(bool(keep)))
            kept += threes - len(replacements)
        for written in (False, True):
            table = lay_out(rules, dealt, [0] * len(rules.sides), 1, written=written)
            assert table.violations == []
            left = len(dealt.stock) - dealt.start - rules.unplayed
            assert table.stock_most == table.stock_fewest == left
    assert (kept > 0) == bool(rules.three_kept)
