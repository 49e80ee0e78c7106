"""The plain stepper: the same keys, one per line, with the table after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from canasta_notation.render.paint import Look, Rows, Run, row
from canasta_notation.render.replay_rows import turn_page
from canasta_notation.report.walker import Walker
from canasta_notation.tui.place_rows import (
    deduction_rows,
    end_rows,
    finding_rows,
    full_table,
    help_rows,
    score_rows,
    title_row,
)
from canasta_notation.tui.presses import named, note_of, press

HINT: Final = "Enter next, b back, 7 or d2 jumps, ? keys, q quits"
_SLOWEST: Final = 8.0
_FASTEST: Final = 0.1


class PlainStepper:
    """Steps through a game as typed lines ask; `wait` waits for a number of seconds."""

    def __init__(self, walker: Walker, look: Look, wait: Callable[[float], None]) -> None:
        self.walker = walker
        self._look = look
        self._wait = wait
        self.pace = 1.0

    def first(self) -> Rows:
        """Return what is shown before the first key."""
        return _page(self.walker, self._look)

    def answer(self, line: str) -> Iterator[Rows] | None:
        """Yield what a line asks for, None if it asks to quit."""
        key = named(line)
        return None if key == "q" else self._answer(key)

    def _answer(self, key: str) -> Iterator[Rows]:
        match key:
            case "?":
                yield help_rows(self._look, screen=False)
            case "s":
                yield score_rows(self.walker)
            case "a":
                yield from self._play()
            case "+" | "-":
                by = 0.5 if key == "+" else 2.0
                self.pace = min(max(self.pace * by, _FASTEST), _SLOWEST)
                yield [row(f"a turn takes {self.pace:g} seconds")]
            case _:
                note = note_of(self.walker, key, press(self.walker, key))
                yield [*([row(Run(note, "note"))] if note else []), *_page(self.walker, self._look)]

    def _play(self) -> Iterator[Rows]:
        """Yield the turns up to the end of the deal, at the chosen pace."""
        while self.walker.spot.turn < self.walker.deal.last:
            self._wait(self.pace)
            self.walker.forward()
            yield _page(self.walker, self._look)


def _page(walker: Walker, look: Look) -> Rows:
    """Return the turn and the whole table after it."""
    if walker.turn is not None:
        rows = turn_page(walker.deal.play, walker.turn, look)
    else:
        rows = [title_row(walker), *full_table(walker, look)]
    rows += [*end_rows(walker), *deduction_rows(walker, look)]
    return rows + finding_rows(walker, walker.deal_findings(), look)
