"""Plays of a decision, played out on the same samples: which is better, and how much better."""

from __future__ import annotations

from collections.abc import Callable, Set
from math import sqrt
from typing import Final

from canasta_notation.analysis.decisions import Decision, Sampler
from canasta_notation.analysis.limits import Limits
from canasta_notation.analysis.values import ERRORS, Judged, Loss, PlayValue, Why
from canasta_notation.players.playouts import Outcomes, compared, earned
from canasta_notation.rules.items import ITEMS

#: The number of play-outs in two stages: of each candidate, then of those that lead, and at most.
FIRST: Final = 100
SECOND: Final = 1_000
MOST: Final = 4_000
#: After each step of this many play-outs, the second stage leaves out candidates that are behind.
_STEP: Final = 250
#: The most candidates of the second stage beside the one that was played, and how many standard
#: errors they may be behind the best.
_LEADING: Final = 3
_BEHIND: Final = 2

#: The least difference between shares of play-outs in which the pile is taken that is named.
_GIVEN: Final = 0.05

#: Called repeatedly during long work; an exception that it raises ends the work.
Tick = Callable[[], None] | None


class Comparison:
    """Candidates of a decision, played out on the same samples; the first is what was played.

    The best is chosen on the samples with even numbers and judged on the others.
    """

    def __init__(
        self,
        samplers: list[Sampler],
        side: int,
        limits: Limits,
        asked: Set[int] = frozenset(),
        tick: Tick = None,
    ) -> None:
        self.tick = tick
        self.samplers = samplers
        self.asked = asked
        self.side = side
        self.limits = limits
        self.left = list(range(len(samplers)))
        self.outcomes: dict[int, list[Outcomes]] = {at: [] for at in self.left}
        self.done = 0

    def run(self, count: int, *, two_stages: bool) -> None:
        """Play out what is needed: `count` samples of each candidate, or two stages."""
        self._play(FIRST if two_stages else count)
        if not two_stages:
            return
        self._keep_leading(-1, _LEADING)
        while len(self.left) > 1 and self.done < MOST:
            self._play(_STEP)
            # The half of the samples that judges does not decide what is left out.
            self._keep_leading(0, _LEADING if self.done < FIRST + SECOND else 1)
            if (self.done - FIRST) % SECOND == 0 and not self._is_open():
                return

    def _is_open(self) -> bool:
        """Return whether the loss may be above or below a threshold."""
        loss, error, _ = self._loss()
        limit = errors_needed(self.done // 2) * error
        return any(abs(loss - each) < limit for each in self.limits)

    def _play(self, count: int) -> None:
        count = min(count, MOST - self.done) if self.done else count
        for at in self.left:
            if self.tick is not None:
                self.tick()
            self.outcomes[at].append(self.samplers[at](self.done, count))
        self.done += count

    def _keep_leading(self, half: int, most: int) -> None:
        """Keep what was played, and up to `most` candidates that are not clearly behind the best.

        Plays that a reader asked for are kept too. Plays are compared in one half of the samples,
        or in both (-1).
        """
        best = max(self.left, key=lambda at: self._difference(at, 0, half)[0])
        near = []
        for at in self.left:
            behind, error = self._difference(best, at, half)
            if behind <= _BEHIND * error:
                near.append((behind, at))
        self.left = sorted({0, *self.asked, *(at for _, at in sorted(near)[:most])})

    def _difference(self, one: int, other: int, half: int) -> tuple[float, float]:
        """Return how many points better a candidate is than another, and the error."""
        parts = [
            compared(left, right, self.side, half)
            for left, right in zip(self.outcomes[one], self.outcomes[other], strict=False)
        ]
        count, total, squares = (sum(each) for each in zip(*parts, strict=True))
        return mean_of(count, total, squares, self.outcomes[one][0].sides - 1)

    def _loss(self) -> tuple[float, float, int]:
        """Return what the played candidate lost, the error, and the best candidate."""
        best = max(self.left, key=lambda at: (self._difference(at, 0, 0)[0], -at))
        return (*self._difference(best, 0, 1), best)

    def judged(self, decision: Decision, *, why: bool = False) -> tuple[Judged, Loss | None]:
        """Return the judgement of the decision, and the loss if it cost something.

        With `why`, each play has its reasons.
        """
        turn, seat, texts = decision.scene.turn, decision.scene.row.seat, decision.texts
        gain, error, best = self._loss()
        limit = errors_needed(self.done // 2) * error
        # One sample has no error, so it decides nothing.
        lost = best != 0 and self.done >= 4 and gain > limit
        kind = self.limits.kind(gain) if lost else ""
        plays = tuple(self._play_value(at, best, text, why=why) for at, text in enumerate(texts))
        judged = Judged(
            turn, seat, decision.kind, decision.about(best), texts[0],
            texts[best] if best else None, round(gain, 1) if lost else 0, round(gain, 1),
            round(error, 1), best != 0 and not kind and gain + limit > self.limits.mistake,
            self._taken(0) - self._taken(best) > _GIVEN, plays,
        )  # fmt: skip
        if not lost:
            return judged, None
        own, own_error = self._items(best, own=True)
        others, others_error = self._items(best, own=False)
        own_error["others"] = round(self._earned(best, -1, own=False)[1], 1)
        loss = Loss(
            turn, seat, kind, decision.kind, texts[0], texts[best], judged.loss, judged.error,
            own, others, plays[0].risk, plays[best].risk, decision.piles[0], own_error,
            others_error, plays[0].risk_error, plays[best].risk_error, plays,
        )  # fmt: skip
        return judged, loss

    def _taken(self, at: int) -> float:
        """Return the share of the choosing samples in which the next seat took the pile."""
        parts = self.outcomes[at]
        taken = int(sum(each.takes[0] for each in parts))
        return taken / int(sum((each.count + 1) // 2 for each in parts))

    def _play_value(self, at: int, best: int, text: str, *, why: bool) -> PlayValue:
        """Return what a candidate was worth in the half of the samples that judges."""
        value, error = self._difference(at, 0, 1)
        behind, behind_error = self._difference(best, at, 1)
        samples = int(sum(each.count // 2 for each in self.outcomes[at]))
        taken = int(sum(each.takes[1] for each in self.outcomes[at]))
        about = (taken + 1) / (samples + 2)
        return PlayValue(
            text, round(value, 1), round(error, 1), round(behind, 1), round(behind_error, 1),
            round(taken / samples, 3), round(sqrt(about * (1 - about) / samples), 4), samples,
            at in self.asked, self._why(at) if why and at else None,
        )  # fmt: skip

    def _why(self, at: int) -> Why:
        """Return how much more a candidate earned than what was played, by item."""
        found: list[dict[str, float]] = []
        for own in (True, False):
            means, errors = self._items(at, own=own)
            found += [{item: -mean for item, mean in means.items()}, errors]
        return Why(*found)

    def _items(self, best: int, *, own: bool) -> tuple[dict[str, float], dict[str, float]]:
        """Return how much more the played candidate earned than the best, by item, with the errors.

        The figures are for its side, or for the mean of the others.
        """
        means, errors = dict[str, float](), dict[str, float]()
        for item, name in enumerate(ITEMS):
            mean, error = self._earned(best, item, own=own)
            if round(mean, 1):
                means[name], errors[name] = round(mean, 1), round(error, 1)
        return means, errors

    def _earned(self, best: int, item: int, *, own: bool) -> tuple[float, float]:
        """Return the difference of `_items` for one item, or for all (-1), and its error."""
        parts = [
            earned(one, other, self.side, own, item)
            for one, other in zip(self.outcomes[0], self.outcomes[best], strict=False)
        ]
        count, total, squares = (sum(each) for each in zip(*parts, strict=True))
        return mean_of(count, total, squares, 1 if own else self.outcomes[0][0].sides - 1)


def errors_needed(count: int) -> float:
    """Return the limit for `count` samples, in standard errors.

    A difference beyond it is as rare as one beyond `ERRORS` for a large number of samples. The
    formula is the beginning of the expansion of Student's distribution around the normal one.
    """
    return ERRORS + (ERRORS**3 + ERRORS) / (4 * max(1, count - 1))


def mean_of(count: int, total: int, squares: int, scale: int) -> tuple[float, float]:
    """Return the mean of values and its standard error, from their sums, divided by a scale."""
    spread = max(0, squares * count - total * total) / (count * max(1, count - 1))
    return total / count / scale, sqrt(spread / count) / scale
