"""A decision as the prompt of a language model, and the turn in its response."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from canasta_notation.learning.turn_env import TurnView
from canasta_notation.rules import keys, profile_of

_NOTATION: Final = """\
A card is its rank and its suit: 9d, Ts, Ah; * is a joker, a two is wild as well, and _ is a card
that you cannot see. A turn is a line of actions with spaces between them:
+            draw from the stock; the answer shows the cards
^9d          take the pile, whose top card is 9d
K:KsKhKd     lay cards on your side's meld of kings, or begin it; K/2 is a second meld of kings
3:3s3c3s     lay black threes
*:2c2d*      lay wild cards, where the rules have melds of them
h:5h6h7h     lay a sequence of hearts, where the rules have sequences
K/2>1        put one meld on another of its rank
ask          ask the partner whether you may go out; the partner answers ask=yes or ask=no
foot pot talon   take the packet that is due
threes       table threes that you kept
-4s          discard, which ends the turn
end          leave the pile or the packet, where the rules allow it
The top card of a taken pile joins the first group of its rank, which you write without it:
^9d 9:9s9h lays three nines. If it joins a meld that is there, write ^9d without a group. The rest
of the pile is then in your hand.
Write the whole turn, or stop after the draw, the take, a packet or the question to see what comes.
A red three is tabled by itself."""
_ANSWER: Final = "End your answer with one line: turn: and the actions, such as turn: 7:7s7h2c -9d"
#: The line of a response that has the turn, with the marks of Markdown around its first word.
_TURN: Final = re.compile(r"[ \t>#`*_-]*turn[`*_]*:(?:\*\*|__)?[ \t`]*([^`;]*)", re.IGNORECASE)
#: The number and the seat of a turn as a record has them.
_HEAD: Final = re.compile(r"(?:[0-9]{1,6}\. +)?(?:[A-Z] +)?")


def generate_prompt(decision: TurnView, *, rules: bool = True) -> str:
    """Return the prompt for a decision: the notation, the rules, what the seat sees, what to write.

    Without `rules`, their sentences are left out. Legal plays are not in it; `get_legal_moves` has
    them.
    """
    parts = [f"You play Canasta in seat {decision.seat}, by the rules {decision.rules}.", _NOTATION]
    if rules:
        parts.append(_sentences(decision.rules))
    return "\n\n".join([*parts, str(decision), _ANSWER])


@lru_cache(maxsize=64)
def _sentences(tag: str) -> str:
    """Return the rules of a Rules tag, without those that it does not have."""
    profile = profile_of(tag)
    stated = [key for key in keys() if profile.spelled(key) != keys()[key].absent]
    return "\n".join(["The rules:", *(f"- {profile.sentence(key)}" for key in stated)])


def parse_response(response: str) -> str:
    """Return the text of a turn from a response, for `TurnEnv.step`; "" if it has none.

    It is the last line that begins with `turn:`. The number and the seat of a record's line are
    left out, and so are a comment after `;` and the marks of Markdown. Not checked: that it is a
    turn.
    """
    for line in reversed(response.splitlines()):
        found = _TURN.match(line)
        if found:
            text = found[1].strip()
            return text[_HEAD.match(text).end() :]  # type: ignore[union-attr]
    return ""
