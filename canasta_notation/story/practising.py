"""What players can practise, in sentences: the kinds of decisions that cost them points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from canasta_notation.analysis.analyzed import PlayerFigures
from canasta_notation.analysis.practice import Practice, together
from canasta_notation.language.sentences import Names, Sentence, label, say
from canasta_notation.story.estimates import Stated, stated

#: The sentence of each kind of decision, its name in a list, and what to do about it.
_KINDS: Final = {
    "draw": ("P1", "kind_draw", "O1"),
    "out": ("P2", "kind_out", "O2"),
    "open": ("P3", "kind_open", "O3"),
    "lay": ("P4", "kind_lay", "O4"),
    "discard": ("P5", "kind_discard", "O5"),
}
#: The same for discards that gave the pile away, and for the others if those are separate.
_GIVEN: Final = ("P6", "kind_discard", "O6")
_NOT_GIVEN: Final = ("P9", "kind_other_discard", "O5")
#: With fewer deals, nothing is said.
_DEALS: Final = 3


@dataclass(frozen=True, slots=True)
class _KindCost:
    """What decisions of a kind cost: how many there are, points, and the standard error.

    `keys` are those of its sentence, its name and its advice.
    """

    keys: tuple[str, str, str]
    count: int
    points: float
    error: float

    @property
    def stated(self) -> Stated | None:
        """What they cost, None if that is too close to call, or if they cost nothing."""
        return stated(self.points, self.error) if self.points > 0 else None


def practice_sentences(players: Sequence[PlayerFigures]) -> list[Sentence]:
    """Return what each player can practise, then all together, then what to do about each kind.

    Without play-outs, nothing is returned.
    """
    practised = [(each.name, each.practice) for each in players if each.practice is not None]
    if not practised:
        return []
    if len(practised) > 1:
        practised.append((label("everyone"), together(practice for _, practice in practised)))
    found: list[Sentence] = []
    advice: list[str] = []
    for name, practice in practised:
        parts = sorted(_parts(practice), key=lambda each: -each.points)
        for sentence, named in _of_player(name, parts):
            found.append(sentence)
            advice += [each.keys[2] for each in named if each.points > 0]
    return [*found, *map(say, sorted({*advice}))] or [say("P8")]


def _of_player(
    n: str, parts: Sequence[_KindCost]
) -> Iterator[tuple[Sentence, Sequence[_KindCost]]]:
    """Yield what cost a player points, each sentence with the kinds of decisions that it names.

    Kinds that cannot be stated alone are named together.
    """
    left = []
    for part in parts:
        amount = part.stated
        if amount is None:
            left.append(part)
        else:
            yield say(part.keys[0], n=n, x=amount.x, e=amount.e, k=part.count), (part,)
    points, error = sum(each.points for each in left), hypot(*(each.error for each in left))
    rest = stated(points, error) if points > 0 else None
    if rest is not None:
        kinds = Names(tuple(say(each.keys[1]) for each in left))
        yield say("P7", n=n, x=rest.x, e=rest.e, k=kinds), left


def _parts(practice: Sequence[Practice]) -> Iterator[_KindCost]:
    """Yield the kinds of decisions that are known from enough deals.

    Discards that give the pile away are separate if they cost enough to be named.
    """
    for kind in practice:
        if kind.deals < _DEALS or not kind.count:
            continue
        whole = _KindCost(_KINDS[kind.kind], kind.count, kind.points, kind.error)
        given = _KindCost(_GIVEN, kind.given, kind.given_points, kind.given_error)
        if kind.kind != "discard" or given.stated is None:
            yield whole
            continue
        yield given
        count, points = kind.count - kind.given, kind.points - kind.given_points
        error = max(0.0, kind.error**2 - kind.given_error**2) ** 0.5
        if count:
            yield _KindCost(_NOT_GIVEN, count, points, error)
