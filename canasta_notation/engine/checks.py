"""The checks of the engine: each code, and the functions that make its check.

The order is that of the catalogue of findings. A test holds the list to the engine's source.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: By code, the functions that note the violation, as `module.function` of the engine.
CHECKS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "wrong-seat": ("turn.begin_turn",),
    "after-end": ("lay.may_go_on", "turn.begin_turn"),
    "deal-size": ("deal.deal_hand",),
    "deck-count": ("account.overdraw", "deal.judge_stock", "deal.set_stock"),
    "not-in-hand": ("lay.lay_off",),
    "stock-order": ("account.pull", "deal.match_up"),
    "stock-empty": ("draw._draw_sequence",),
    "up-cards": ("deal.turn_up",),
    "draw-count": ("draw._missing",),
    "replacement": ("deal._kept", "draw._missing"),
    "pile-top": ("take._judge_top",),
    "pile-count": ("take._judge_claim",),
    "pile-empty": ("take.take",),
    "pile-frozen": ("take._report_take",),
    "pile-blocked": ("take._judge_top",),
    "pile-unmeldable": ("take._judge_top", "take._report_take"),
    "pile-one-card": ("take.take",),
    "pile-must-take": ("deal_end._end_by_stock",),
    "meld-rank": ("lay._judge_label",),
    "meld-short": ("take._report_take", "turn_end._judge_meld"),
    "meld-naturals": ("take._report_take", "turn_end._judge_meld"),
    "meld-wilds": ("turn_end._judge_wilds_in",),
    "meld-size": ("turn_end._judge_meld",),
    "meld-threes": ("lay._judge_label", "turn_end._judge_out"),
    "meld-wild-only": ("lay._judge_label",),
    "meld-wild-ban": ("lay._judge_wilds", "turn_end._judge_wilds_in"),
    "opening-low": ("lay._from_rest", "turn_end._judge_opening"),
    "opening-form": ("turn_end._judge_opening",),
    "opening-claim": ("turn_end.judge_open_claim",),
    "special-hand": ("special.lay_special",),
    "out-canasta": ("turn_end._go_out", "turn_end._report_canastas"),
    "out-discard": ("discard.discard", "lay.may_go_on", "turn_end._go_out"),
    "out-claim": ("turn_end.end_turn",),
    "out-denied": ("turn_end._judge_answer",),
    "out-promised": ("turn_end._judge_answer",),
    "ask-when": ("turn.ask",),
    "discard-missing": ("turn_end._judge_out",),
    "discard-three": ("discard._discard_other",),
    "discard-ban": ("discard._judge_ban",),
    "talon": ("deal.set_talon", "discard.take_talon"),
    "end-melds": ("table_end._judge_shape", "table_end.show_melds"),
    "end-threes": ("table_end.judge_dealt_threes", "table_end.show_threes"),
    "end-hand": ("table_end.show_hand",),
    "end-claim": ("deal_end._deny_end", "deal_end._end_by_seat", "deal_end.claim_concealed"),
    "end-stock-left": ("deal_end._end_by_stock",),
    "penalty": ("deal_end.penalize",),
})  # fmt: skip
