"""Plays that a reader asks about, from their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from canasta_notation.cards import EXACT
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.table import Violation
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_action
from canasta_notation.notation.reader import parse_turn
from canasta_notation.quoting import quoted
from canasta_notation.rules import Profile, entry

#: The most plays that can be asked about at once.
MOST_PLAYS: Final = 10
#: How a play of the whole turn begins.
BEGINNINGS: Final = ("+", "^")
_ONCE: Final = "the draw or the take comes first, and once"
#: A turn that has begun.
_BEGUN: Final = "N +5h"


@dataclass(frozen=True, slots=True)
class AskedPlay:
    """A play that a reader asks about, as a record spells it.

    `begins` is "+" or "^" for a play that draws or takes the pile, and "" for the rest of a turn.
    `take` is the take with its card, if the text names one, and `actions` are what follows. `out`
    is "#" or "##" if the text says that the play goes out.
    """

    text: str
    begins: str
    take: Take | None
    actions: tuple[Action, ...]
    out: str


def read_play(text: str) -> AskedPlay:
    """Return the play that a text spells. Raises ValueError, which says what is wrong.

    Not checked: whether the play is legal.
    """
    first, _, rest = text.strip().partition(" ")
    take: Take | None = None
    if first in BEGINNINGS:
        turn, begins = _rest(rest), first
    elif first.startswith("+"):
        raise ValueError("the drawn card is hidden in all plays: write + without a card")
    elif first.startswith("^"):
        turn, begins = parse_turn(f"N {text.strip()}"), "^"
        begun = turn.actions[0]
        assert isinstance(begun, Take), "a word that begins with ^ is a take"
        take, turn = begun, replace(turn, actions=turn.actions[1:])
    elif not first:
        raise ValueError("a play is empty; write it as in a record: K:KsKhKd -4s")
    else:
        turn, begins = _rest(text), ""
    _check(turn)
    if begins == "+" and turn.out:
        raise ValueError("a play that draws cannot go out: the drawn card stays in the hand")
    words = [begins] if begins and take is None else [format_action(take)] if take else []
    words += [*map(format_action, turn.actions), *([turn.out] if turn.out else [])]
    return AskedPlay(" ".join(words), begins, take, turn.actions, turn.out)


def _rest(text: str) -> Turn:
    """Return a turn whose rest after the draw is this text. Raises ValueError."""
    if not text.strip():
        return Turn(None, "N", ())
    try:
        turn = parse_turn(f"{_BEGUN} {' '.join(text.split())}")
    except ValueError as wrong:
        # The column counts from the beginning of a whole turn, which nobody wrote.
        raise ValueError(str(wrong).partition(": ")[2]) from None
    if turn.actions[0] != parse_turn(_BEGUN).actions[0]:
        raise ValueError(_ONCE)
    return replace(turn, actions=turn.actions[1:])


def _check(turn: Turn) -> None:
    """Raise ValueError for a play that cannot be compared."""
    for action in turn.actions:
        match action:
            case Ask():
                raise ValueError("what the partner would answer is not known: leave out ask=")
            case TakePacket():
                raise ValueError(
                    f"the cards of a {action.word} are not known before it is taken: leave it out; "
                    "it is taken when it is due"
                )
            case TakeBack():
                raise ValueError("plays with cards taken back are not compared: leave out back:")
            case Draw() | Take() | TableThrees():
                raise ValueError(_ONCE)
            case _ if any(not EXACT[card] for card in _cards(action)):
                raise ValueError(f"write each card with its suit, not {format_action(action)}")
    if turn != Turn(None, "N", turn.actions, out=turn.out):
        raise ValueError(f"only actions are compared: leave out {quoted(_besides(turn))}")


def _cards(action: Action) -> tuple[int, ...]:
    match action:
        case Lay(cards=cards) | LaySpecial(cards=cards):
            return cards
        case Discard(card=card):
            return (card,)
        case _:
            return ()


def _besides(turn: Turn) -> str:
    """Return a word of a turn that is not an action, if there is one."""
    said = [*turn.acknowledged, *turn.annotations, turn.clock, turn.comment]
    return next((each for each in said if each), f"({turn.open})")


class AskedPlays:
    """Plays that a reader asks about, and why some of them are not compared."""

    def __init__(self, plays: Sequence[AskedPlay], profile: Profile) -> None:
        self._plays = plays
        self._profile = profile
        self.refused: list[str] = []

    def plays(self, *, begins: bool) -> list[AskedPlay]:
        """Return the plays of the whole turn, or those of its rest."""
        return [each for each in self._plays if (each.begins in BEGINNINGS) == begins]

    def refuse(self, play: AskedPlay, why: str | Violation) -> None:
        """Note why a play is not compared."""
        if isinstance(why, Violation):
            seats, sides = self._profile.seats, self._profile.side_names
            known = entry(why.code)
            reason = known.reason(why.message, why.facts, seats, sides)
            advice = known.advice(why.message, why.facts, seats, sides)
            why = f"error[{why.code}]: {reason}{f' ({advice})' if advice else ''}"
        self.refused.append(f"{quoted(play.text)}: {why}")

    def refuse_all(self, plays: Iterable[AskedPlay], why: str) -> None:
        """Note why plays are not compared."""
        for play in plays:
            self.refuse(play, why)
