"""Run the conformance suite of Canasta Game Notation on any program. README.md says how.

    python tests/conformance/run.py [--level LEVEL] [--run GLOB] [--json] -- PROGRAM [ARG...]

Exit codes: 0, no case that a program must pass has failed; 1, one has; 2, the suite could not run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
#: The version of the suite, and that of the notation.
SUITE, CGN = "1", "1"
LEVELS = ("reader", "canonical", "json", "replay", "referee", "unknown", "legal")
#: How many seconds a program has for a case, and to start.
SECONDS = 10
#: After this many cases in a row without an answer, the rest of a level is not sent.
GIVE_UP = 5
PASSED, SKIPPED, SHOULD, MUST = "passed", "skipped", "should", "must"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case: passed, skipped, or failed in what it should or must answer."""

    id: str
    level: str
    outcome: str
    why: str = ""


class NoAnswer(Exception):
    """A program that ended, was too slow or wrote something else; the message says which."""


class Program:
    """A program under test, started anew after it failed to answer."""

    def __init__(self, command: list[str], level: str, seconds: float) -> None:
        self.command, self.level, self.seconds = command, level, seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.name = ""

    def start(self) -> None:
        """Start the program and greet it. Raises NoAnswer."""
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise NoAnswer(f"cannot be started: {error}") from None
        self.requests: queue.Queue[bytes] = queue.Queue()
        self.lines: queue.Queue[bytes] = queue.Queue()
        for work, lines in ((_write, self.requests), (_read, self.lines)):
            threading.Thread(target=work, args=(self.process, lines), daemon=True).start()
        greeting = self.ask({"suite": SUITE, "level": self.level})
        if greeting.get("cgn") != CGN or not isinstance(greeting.get("name"), str):
            self.stop()
            raise NoAnswer(f"did not say its name and that it reads CGN {CGN!r}: {greeting}")
        self.name = greeting["name"]

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises NoAnswer, after which the program is stopped."""
        if self.process is None:
            self.start()
        self.requests.put(json.dumps(request).encode() + b"\n")
        try:
            line = self.lines.get(timeout=self.seconds)
        except queue.Empty:
            self.stop()
            raise NoAnswer(f"no answer within {self.seconds:g} seconds") from None
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.stop()
            wrong = "the answer is not a line with an object of JSON"
            raise NoAnswer(wrong if line else "the program ended without an answer")
        return answer

    def stop(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.requests.put(b"")
            self.process = None


def _write(process: subprocess.Popen[bytes], requests: queue.Queue[bytes]) -> None:
    """Write each request of a queue to a program, up to an empty one; the program may be gone."""
    assert process.stdin is not None
    with contextlib.suppress(OSError), process.stdin:
        for request in iter(requests.get, b""):
            process.stdin.write(request)
            process.stdin.flush()


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes]) -> None:
    """Put each line that a program writes into a queue, and an empty one at the end."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put(b"")


def cases(level: str) -> Iterator[dict[str, Any]]:
    """Yield the cases of a level."""
    with (FOLDER / "cases" / f"{level}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def judge(case: dict[str, Any], answer: dict[str, Any]) -> Outcome:
    """Return the outcome of a case that was answered."""
    id, level = case["id"], case["level"]
    if answer.get("id") != id:
        return Outcome(id, level, MUST, f"the answer is for {answer.get('id')!r}")
    if "skipped" in answer:
        return Outcome(id, level, SKIPPED, str(answer["skipped"]))
    result = answer.get("result")
    if not isinstance(result, dict):
        return Outcome(id, level, MUST, "the answer has no result")
    for strength in (MUST, SHOULD):
        for name, value in case.get(strength, {}).items():
            if name not in result or not same(result[name], value):
                got = json.dumps(result[name]) if name in result else "nothing"
                why = f"{name} is {got}, expected {json.dumps(value)}"
                return Outcome(id, level, strength, why)
    return Outcome(id, level, PASSED)


def same(one: Any, other: Any) -> bool:
    """Return whether two values of JSON are equal; true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def run_level(program: Program, glob: str) -> Iterator[Outcome]:
    """Yield the outcome of each case of a level. Raises NoAnswer if the program does not start."""
    program.start()
    unanswered = 0
    for case in cases(program.level):
        if not fnmatchcase(case["id"], glob):
            continue
        if unanswered == GIVE_UP:
            why = f"not asked, because {GIVE_UP} cases in a row were not answered"
            yield Outcome(case["id"], case["level"], MUST, why)
            continue
        try:
            answer = program.ask({name: case[name] for name in ("id", "level", "text")})
        except NoAnswer as trouble:
            unanswered += 1
            yield Outcome(case["id"], case["level"], MUST, str(trouble))
        else:
            unanswered = 0
            yield judge(case, answer)
    program.stop()


def table(outcomes: list[Outcome]) -> str:
    """Return the counts of each level as lines."""
    rows = [("level", "passed", "must failed", "should failed", "skipped")]
    for level in LEVELS:
        counts = Counter(each.outcome for each in outcomes if each.level == level)
        if counts:
            numbers = (counts[PASSED], counts[MUST], counts[SHOULD], counts[SKIPPED])
            rows.append((level, *map(str, numbers)))
    return "\n".join(
        "".join(cell.ljust(11) if at == 0 else cell.rjust(15) for at, cell in enumerate(row))
        for row in rows
    )


def report(name: str, outcomes: list[Outcome], *, as_json: bool) -> None:
    """Print the failed cases and the table, or everything as JSON."""
    if as_json:
        values = [asdict(each) for each in outcomes]
        print(json.dumps({"suite": SUITE, "program": name, "cases": values}, indent=1))
        return
    for each in outcomes:
        if each.outcome in (MUST, SHOULD):
            print(f"{each.level} {each.id}: {each.outcome}: {shortened(each.why)}")
    print(f"{name}, suite {SUITE}")
    print(table(outcomes))


def shortened(text: str, most: int = 500) -> str:
    """Return a text for a terminal; --json has the whole one."""
    return text if len(text) <= most else text[: most - 3] + "..."


def main() -> int:
    """Run the suite; return the exit code."""
    own, command = divided(sys.argv[1:])
    options = argparse.ArgumentParser(
        description="Run the conformance suite of Canasta Game Notation on a program.",
        usage="run.py [--level LEVEL] [--run GLOB] [--json] -- PROGRAM [ARG...]",
    )
    options.add_argument("--level", choices=LEVELS, action="append", help="only this level")
    options.add_argument("--run", default="*", metavar="GLOB", help="only cases with such an id")
    options.add_argument("--json", action="store_true", help="print every outcome as JSON")
    options.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"for a case (default {SECONDS})"
    )
    chosen = options.parse_args(own)
    if not command:
        options.error("name the program after --")
    outcomes: list[Outcome] = []
    name = ""
    for level in chosen.level or LEVELS:
        program = Program(command, level, chosen.seconds)
        try:
            outcomes += run_level(program, chosen.run)
        except NoAnswer as trouble:
            print(f"{' '.join(command)}: {trouble}", file=sys.stderr)
            return 2
        name = program.name
    report(name, outcomes, as_json=chosen.json)
    return 1 if any(each.outcome == MUST for each in outcomes) else 0


def divided(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before `--` and after it."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
