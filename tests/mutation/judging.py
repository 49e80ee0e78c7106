"""The tests judge mistakes: those of the room first, then those of the whole suite.

A judge is a process with a copy of the project. It reads all tests once; each mistake is written
into the copy and judged by a fork of the process, so that commands started by tests have it too.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.fence import copy_project
from tests.mutation.knowledge import Knowledge
from tests.mutation.mistakes import ROOT, Mutant
from tests.mutation.planting import plant

#: The rulings are records that the engine and the replay judge: they are the tests of these rooms.
OWN = {
    "engine": ("test_rulings.py", "test_rulings_*.py"),
    "replay": ("test_rulings.py", "test_planted.py"),
    "grammar": ("test_notation_*.py",),
    "notation": ("test_hostile.py",),
    "app": ("test_app_*.py",),
    "cards": ("test_engine_*.py",),
    "api": ("test_api*.py",),
}
#: Seconds of CPU after which a test hangs, which counts as noticed, if it is not known how long the
#: test takes; how long the tests of a room, and then of the suite, may take for one mistake;
#: seconds of a clock for both.
TEST_LIMIT, OWN_LIMIT, SUITE_LIMIT, WALL_LIMIT = 30.0, 40.0, 40.0, 300.0
#: A test whose time is known hangs if it takes these seconds more than so many times that.
MORE, SLOWER = 4.0, 10.0
#: If fewer tests than these run a line, what it computed is probably remembered, and other tests of
#: the room judge it too, for so many seconds.
FEW, REST_LIMIT = 5, 10.0


class Hung(BaseException):
    """A mutant runs for too long."""


def _hang(signum: int, frame: object) -> None:
    raise Hung


def own_tests(room: str) -> set[str]:
    """Return the names of the test files of a room."""
    patterns = (f"test_{room}.py", f"test_{room}_*.py", *OWN.get(room, ()))
    return {path.name for each in patterns for path in (ROOT / "tests").glob(each)}


class Judge:
    """A plugin of pytest that judges mutants instead of running the tests once."""

    def __init__(self, mutants: list[Mutant], known: Knowledge, out: Path) -> None:
        self.mutants = mutants
        self.known = known
        self.out = out
        self.failed = False
        self.wrong: set[str] = set()
        self.right: set[str] = set()

    def pytest_sessionstart(self) -> None:
        # A failure need not be minimised or remembered.
        settings.register_profile(
            "mutation", deadline=None, database=None, derandomize=True,
            phases=[Phase.explicit, Phase.generate],
        )  # fmt: skip
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {each.nodeid: each for each in session.items}
        # Objects that stay alive need not be scanned repeatedly.
        gc.collect()
        gc.freeze()
        with self.out.open("w", encoding="utf-8") as file:
            for mutant in self.mutants:
                row = {**asdict(mutant), "by": self._judged(mutant)}
                file.write(json.dumps(row) + "\n")
                file.flush()
        return True

    def _judged(self, mutant: Mutant) -> str:
        """Return the test that notices a mistake; one that fails without it counts for nothing."""
        own = own_tests(mutant.room)
        first, second = self._order(mutant, own)
        while True:
            by = self._with_mistake(mutant, first, second)
            if "::" not in by or by in self.right:
                return by
            if not self._fork(None, [by], []):
                self.right.add(by)
                return by
            self.wrong.add(by)
            print(f"fails without a mistake: {by}", file=sys.stderr)
            first, second = ([it for it in each if it != by] for each in (first, second))

    def _order(self, mutant: Mutant, own: set[str]) -> tuple[list[str], list[str]]:
        """Return the tests of the room and the others that judge a mistake, each in their order."""
        times = self.known.times
        items = self.items.keys() - self.wrong
        mine = {each for each in items if _file(each) in own}
        running = self.known.running(mutant) & items if mutant.file.endswith(".py") else set()
        ahead = running | (mine - times.keys()) | (mine & self.known.blind)
        first = sorted(mine & ahead, key=lambda each: (times.get(each, 1.0), each))
        if len(first) < FEW or not mutant.file.endswith(".py"):
            rest = sorted(mine - {*first})
            random.Random(0).shuffle(rest)
            first += self._within(rest, REST_LIMIT if first else OWN_LIMIT)
        others = (running or (self.known.times.keys() & items)) - mine
        second = sorted(others, key=lambda each: (times.get(each, 1.0), each))
        return self._within(first, OWN_LIMIT), self._within(second, SUITE_LIMIT)

    def _limit(self, test: str) -> float:
        """Return the seconds of CPU after which a test hangs."""
        known = self.known.times.get(test)
        return TEST_LIMIT if known is None else MORE + SLOWER * known

    def _within(self, tests: list[str], limit: float) -> list[str]:
        spent, kept = 0.0, []
        for each in tests:
            spent += self.known.times.get(each, 1.0)
            if spent > limit:
                break
            kept.append(each)
        return kept

    def _with_mistake(self, mutant: Mutant, first: list[str], second: list[str]) -> str:
        path = ROOT / mutant.file
        own = path.read_bytes()
        path.write_text(mutant.applied(), "utf-8", newline="\n")
        try:
            return self._fork(mutant, first, second) or (
                "survived" if first or second else "survived: nothing runs it"
            )
        finally:
            path.write_bytes(own)

    def _fork(self, mutant: Mutant | None, first: list[str], second: list[str]) -> str:
        """Run tests in another process; return the first that fails, "" if none does."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.setsid()
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_CPU, (240, 240))
            signal.signal(signal.SIGVTALRM, _hang)
            try:
                said = self._run_all(mutant, [*first, *second])
            except BaseException as error:
                said = f"judge: {error!r}"
            os.write(writing, said.encode()[:1000])
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read() if select.select([pipe], [], [], WALL_LIMIT)[0] else "hung"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed = status and status != signal.SIGKILL
        return said or (f"ended with {status}" if killed else "")

    def _run_all(self, mutant: Mutant | None, tests: list[str]) -> str:
        if mutant:
            plant(mutant)
        items = [self.items[each] for each in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            signal.setitimer(signal.ITIMER_VIRTUAL, self._limit(item.nodeid))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return item.nodeid
        return ""


def _file(test: str) -> str:
    return test.partition("::")[0].rpartition("/")[2]


def judge(mutants: list[Mutant], known: Knowledge, processes: int) -> Iterator[tuple[Mutant, str]]:
    """Judge mistakes in several processes; yield each with the test that noticed it."""
    with tempfile.TemporaryDirectory() as folder:
        started = [
            _start(Path(folder) / str(at), mutants[at::processes], known) for at in range(processes)
        ]
        for process, out in started:
            process.wait()
            for line in out.read_text("utf-8").splitlines():
                row = json.loads(line)
                by = row.pop("by")
                yield Mutant(**row), by


def _start(
    copy: Path, share: list[Mutant], known: Knowledge
) -> tuple[subprocess.Popen[bytes], Path]:
    copy_project(copy)
    todo, out = copy / "todo.json", copy / "judged.jsonl"
    todo.write_text(json.dumps([asdict(each) for each in share]), "utf-8")
    out.touch()
    arguments = [str(todo), str(known.folder), str(out)]
    command = [sys.executable, "-m", "tests.mutation.judging", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    return subprocess.Popen(command, cwd=copy, env=environment), out


def main() -> None:
    todo, folder, out = (Path(each) for each in sys.argv[1:])
    mutants = [Mutant(**each) for each in json.loads(todo.read_text("utf-8"))]
    options = ["-o", "addopts=", "-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:cov"]
    options += [f"--rootdir={ROOT}", f"--basetemp={ROOT / 'temporary'}"]
    known = Knowledge(folder)
    # Only tests of these files judge.
    names = {name for room in {each.room for each in mutants} for name in own_tests(room)}
    names |= {_file(test) for test in known.times}
    files = [str(ROOT / "tests" / name) for name in sorted(names)]
    pytest.main([*options, *files], plugins=[Judge(mutants, known, out)])


if __name__ == "__main__":
    main()
