"""Imports and builds everything that the snapshot of a started program should contain.

Anything imported later would have to be read from files, which a snapshot does not contain.
"""

from __future__ import annotations

import json
from typing import Any

from canasta_notation.app.bridge import call

#: A deal with a turn, and a line that cannot be read.
_PLAYED = '[CGN "1"]\n[Dealer "N"]\n\ndeal 1 dealer N\nup 9h\n1. E + -4s\nN: 4s\nnonsense\n'


def warm() -> None:
    """Call everything once."""
    _ask("profiles")
    text = _ask("new", {"Rules": "classic", "Dealer": "N", "N": "José"}, "sheet")["text"]
    draft = {"NS": {"counts": {"mixed": 1}, "cards": "275", "out": "N"}}
    text = _ask("pad_draft", text, draft)["text"]
    _ask("pad_paper", text, 0, {"NS": "1", "EW": "1"})
    _ask("pad_claim", text, 0, {"NS": "1"})
    _ask("pad_row", text, 0)
    for each in text, _PLAYED:
        for name in ("listing", "verdict", "audit", "page", "pad"):
            _ask(name, each)
    _ask("anonymous", text)


def _ask(name: str, *arguments: object) -> Any:
    return json.loads(call(name, json.dumps(arguments))).get("answer")
