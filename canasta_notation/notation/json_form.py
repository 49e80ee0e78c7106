"""The JSON form of a record: the same lines as structured values, comments included.

What schemas/game.schema.json describes. Fields that hold nothing are left out, so a canonical
document and its JSON say the same, both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from canasta_notation.cards import RANK_LETTERS, TEXT
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.notation.document import (
    Deal,
    Game,
    HandLine,
    Line,
    PenaltyLine,
    ScoreLine,
    Tag,
    Turn,
)
from canasta_notation.notation.json_check import (
    JsonError,
    check_file,
    check_game,
    parse_json,
)
