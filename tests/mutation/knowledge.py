"""What is known of the tests: which lines each runs, how long it takes, what it noticed before.

It is kept in the folder `.mutation`, which is not part of the project: `coverage` is the file of
coverage.py with a context for each test, `times.json` has seconds of CPU by test, `sources.json`
the files as they were measured, and `judged.json` the judgements. As a plugin of pytest, this
module writes the times.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import pytest
from coverage.numbits import numbits_to_nums

from tests.mutation.mistakes import ROOT, Mutant, digest_of, text_of

#: Tests that start a browser or an editor; they judge their rooms without having been measured.
UNMEASURED = (
    "test_page_browser.py",
    "test_app_browser.py",
    "test_editor_vscode.py",
    "test_site.py",
)

_seconds: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    before = sum(os.times()[:4])
    try:
        yield
    finally:
        item.user_properties.append(("seconds", sum(os.times()[:4]) - before))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        _seconds[report.nodeid] = dict(report.user_properties)["seconds"]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        path = Path(os.environ["MUTATION_TIMES"])
        before = json.loads(path.read_text("utf-8")) if path.exists() else {}
        path.write_text(json.dumps(before | _seconds), "utf-8")


class Knowledge:
    """The folder in which it is kept; `measure` writes it, the other methods only read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # The tests are read now, as those that will judge are: they may change in the meantime.
        _tests_digest("survived")

    def measure(self, files: Collection[str] = ()) -> None:
        """Run the whole suite once, or some of its files, and keep which test ran which line.

        What was measured of other files before is kept as long as the program has not changed.
        """
        self.folder.mkdir(exist_ok=True)
        sources = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in _sources()}
        more = bool(files) and self._then == sources
        if not more:
            (self.folder / "times.json").unlink(missing_ok=True)
        tests = [f"tests/{name}" for name in sorted(files) if name not in UNMEASURED] or ["tests"]
        left_out = [f"--ignore=tests/{name}" for name in UNMEASURED]
        given = ["--cov=canasta_notation", "--cov-context=test", "--cov-report="]
        given += ["--cov-append"] if more else []
        given += ["-o", "addopts="] if files else []
        plugin = ["-p", "tests.mutation.knowledge", "-p", "pytest_cov"]
        kept = {"COVERAGE_FILE": "coverage", "MUTATION_TIMES": "times.json"}
        paths = {name: str(self.folder / file) for name, file in kept.items()}
        subprocess.run(
            [sys.executable, "-m", "pytest", *plugin, *given, *left_out, *tests],
            cwd=ROOT, env={**os.environ, **paths}, stdout=sys.stderr, check=False,
        )  # fmt: skip
        (self.folder / "sources.json").write_text(json.dumps(sources), "utf-8")

    @cached_property
    def times(self) -> dict[str, float]:
        """Seconds of CPU that each measured test takes, with the processes that it starts."""
        return self._read("times.json")

    @cached_property
    def _then(self) -> dict[str, str]:
        return self._read("sources.json")

    def _read(self, name: str) -> dict[str, str] | dict[str, float] | dict[str, dict[str, str]]:
        path = self.folder / name
        return json.loads(path.read_text("utf-8")) if path.exists() else {}

    @cached_property
    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self.folder / 'coverage'}?mode=ro", uri=True)

    def running(self, mutant: Mutant) -> set[str]:
        """Return the tests that run the line of a mistake; none if its file was not measured.

        If the file has changed since it was measured, the line is looked for by its text.
        """
        if not self.times:
            return set()
        lines = {mutant.line}
        if self._then.get(mutant.file) != text_of(mutant.file):
            then = self._then.get(mutant.file, "").split("\n")
            lines = {at for at, text in enumerate(then, 1) if text.strip() == mutant.code}
        return self._running(mutant.file, lines)

    def _running(self, file: str, lines: set[int]) -> set[str]:
        rows = self._database.execute(
            "select context.context, numbits from line_bits join file on file.id = file_id "
            "join context on context.id = context_id where file.path like ?",
            (f"%/{file}",),
        )
        return {
            name.rpartition("|")[0]
            for name, bits in rows
            if name and not lines.isdisjoint(numbits_to_nums(bits))
        }

    @cached_property
    def blind(self) -> set[str]:
        """The tests of which no line was seen: they start other processes."""
        if not self.times:
            return set()
        seen = {name.rpartition("|")[0] for (name,) in self._database.execute(
            "select context from context where id in (select distinct context_id from line_bits)"
        )}  # fmt: skip
        return self.times.keys() - seen

    # --- judgements of earlier runs ---------------------------------------------------------------

    def judged(self, mutant: Mutant) -> str | None:
        """Return what noticed a mistake before, if neither it nor that test has changed since."""
        kept = self._judgements.get(_key(mutant))
        return kept["by"] if kept and kept["tests"] == _tests_digest(kept["by"]) else None

    @cached_property
    def _judgements(self) -> dict[str, dict[str, str]]:
        return self._read("judged.json")  # type: ignore[return-value]

    def keep(self, judged: Iterable[tuple[Mutant, str]]) -> None:
        """Remember what noticed each mistake, or that nothing did."""
        for mutant, by in judged:
            self._judgements[_key(mutant)] = {"by": by, "tests": _tests_digest(by)}
        self.folder.mkdir(exist_ok=True)
        (self.folder / "judged.json").write_text(json.dumps(self._judgements), "utf-8")


def _sources() -> list[Path]:
    return sorted((ROOT / "canasta_notation").rglob("*.py"))


def _key(mutant: Mutant) -> str:
    return f"{mutant.file} {digest_of(mutant.file)} {mutant.start} {mutant.change}"


def _tests_digest(by: str) -> str:
    """Return what changes if the test that noticed a mistake does, or any test if none did."""
    name = by.partition("::")[0]
    if "::" in by and (ROOT / name).exists():
        return digest_of(name)
    paths = sorted((ROOT / "tests").rglob("*.py"))
    return sha256(
        "".join(digest_of(str(path.relative_to(ROOT))) for path in paths).encode()
    ).hexdigest()
