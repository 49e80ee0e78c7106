"""What players can practise, in sentences: the kinds of decisions that cost them points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final

from canasta_notation.analysis.analyzed import PlayerFigures
from canasta_notation.analysis.practice import Practice, together
from canasta_notation.story.estimates import ERRORS, stated
from canasta_notation.story.sentences import Sentence, label, say

#: The sentence of each kind of decision.
_KINDS: Final = {"draw": "P1", "out": "P2", "open": "P3", "lay": "P4", "discard": "P5"}
_GIVEN: Final = "P6"
#: With fewer deals, nothing is said.
_DEALS: Final = 3


def practice_sentences(players: Sequence[PlayerFigures]) -> list[Sentence]:
    """Return what each player can practise, and then all together; nothing without play-outs."""
    practised = [(each.name, each.practice) for each in players if each.practice is not None]
    if not practised:
        return []
    found = [sentence for name, practice in practised for sentence in _of_player(name, practice)]
    if len(practised) > 1:
        found += _of_player(label("everyone"), together(practice for _, practice in practised))
    return found or [say("P8")]


def _of_player(n: str, practice: Sequence[Practice]) -> Iterator[Sentence]:
    """Yield the kinds of decisions that cost a player points, the costliest first, then others."""
    parts = sorted((each for kind in practice for each in _parts(kind)), key=lambda it: -it[2])
    said = []
    for part in parts:
        key, k, points, error, deals = part
        amount = stated(points, error) if deals >= _DEALS and points > ERRORS * error else None
        if amount is not None:
            said.append(part)
            yield say(key, n=n, x=amount.x, e=amount.e, k=k)
    left = [each for each in parts if each not in said]
    points, error = sum(each[2] for each in left), hypot(*(each[3] for each in left))
    rest = stated(points, error) if said and points > 0 else None
    if rest is not None:
        yield say("P7", n=n, x=rest.x, e=rest.e)


def _parts(kind: Practice) -> Iterator[tuple[str, int, float, float, int]]:
    """Yield a kind as its key, decisions, points, error and deals.

    Discards that give the pile away are listed separately if they cost enough to be named.
    """
    key = _KINDS[kind.kind]
    given = stated(kind.given_points, kind.given_error)
    if key != _KINDS["discard"] or kind.given_points <= 0 or given is None:
        yield key, kind.count, kind.points, kind.error, kind.deals
        return
    yield _GIVEN, kind.given, kind.given_points, kind.given_error, kind.deals
    error = max(0.0, kind.error**2 - kind.given_error**2) ** 0.5
    yield key, kind.count - kind.given, kind.points - kind.given_points, error, kind.deals
