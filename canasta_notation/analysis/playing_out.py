"""The deals of games played out in processes, except those that were kept before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from canasta_notation.analysis import judging
from canasta_notation.analysis.comparison import Tick
from canasta_notation.analysis.judging import DealPart, DealToJudge
from canasta_notation.analysis.kept_values import keep, place_of, read_kept
from canasta_notation.analysis.values import DealValues
from canasta_notation.batch.processes import in_processes, process_count
from canasta_notation.notation.document import Game
from canasta_notation.rules import Profile

#: The most parts that share the decisions of a deal.
_MOST_PARTS: Final = 16


@dataclass(frozen=True)
class PlayingOut:
    """How deals are played out; `rollouts`, `seed` and `override` are those of `DealToJudge`.

    `jobs` is the number of processes (0: one per CPU). Values are kept in `folder`, if there is
    one. `tick` is called repeatedly meanwhile; an exception that it raises ends everything.
    """

    rollouts: int | None
    seed: int
    override: Profile | None
    jobs: int
    folder: Path | None
    tick: Tick = None

    @property
    def processes(self) -> int:
        """How many processes share a deal."""
        return process_count(self.jobs, _MOST_PARTS)

    def kept(self, game: Game, deal: int) -> DealValues | None:
        """Return the values of a deal if they are kept, else None."""
        return read_kept(self._place(game, deal))

    def _place(self, game: Game, deal: int) -> Path | None:
        return place_of(self.folder, game, deal, self.override, self.rollouts, self.seed)

    def played_out(
        self, game: Game, number: int, deals: Sequence[int]
    ) -> Iterator[tuple[int, DealValues]]:
        """Play out deals, and yield each when it is finished and kept.

        Several processes share the decisions of each deal, and one of them estimates luck and play.
        """
        parts = 1 if self.processes == 1 else self.processes + 1
        tasks = [
            _Task(
                DealToJudge(game, number, deal, self.rollouts, self.seed, self.override),
                part,
                parts,
            )
            for deal in deals
            for part in range(parts)
        ]
        done: dict[int, dict[int, DealPart]] = {}
        for task, part in self._run(tasks):
            deal = task.asked.deal
            own = done.setdefault(deal, {})
            own[task.part] = part
            if len(own) == parts:
                found = judging.whole([own[at] for at in range(parts)])
                del done[deal]
                keep(self._place(game, deal), found)
                yield deal, found

    def _run(self, tasks: list[_Task]) -> Iterator[tuple[_Task, DealPart]]:
        if self.processes == 1:
            return ((task, task.run(self.tick)) for task in tasks)
        return in_processes(self.jobs, self.tick)(_Task.done, tasks)


@dataclass(frozen=True)
class _Task:
    """A deal, or a part of one, to be played out in any process: what `deal_part` needs."""

    asked: DealToJudge
    part: int
    parts: int

    def run(self, tick: Tick = None) -> DealPart:
        """Return the part of the values."""
        return judging.deal_part(self.asked, self.part, self.parts, tick=tick)

    def done(self) -> tuple[_Task, DealPart]:
        """Return the task, and its part of the values."""
        return self, self.run()
