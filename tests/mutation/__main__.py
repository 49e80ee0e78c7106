"""Plant small mistakes in every room, and list those that no test notices.

    python -m tests.mutation [--count 400] [--seed 34] [--room ROOM] [--measure]

Needs the extra `mutation`. `--measure` first finds which test runs which line, which takes as long
as the suite with coverage and is kept; without it, all tests of a room judge its mistakes. With
`--room`, it measures only the tests of the room, and keeps what was measured before. Only tests of
the room and tests that were measured judge. A judgement is kept until the file with the mistake or
the test that noticed it changes. A mistake that no test notices shows a test that is missing,
unless it makes no difference: `tests/mutants_explained.toml` says why for some.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path

from tests.mutation.judging import judge, own_tests
from tests.mutation.knowledge import Knowledge
from tests.mutation.mistakes import ROOT, Mutant, every_mutant, explained


def sample(count: int, seed: int, rooms: set[str]) -> list[Mutant]:
    """Return mistakes chosen at random from all that can be made in some rooms, or in all."""
    every = [each for each in every_mutant() if not rooms or each.room in rooms]
    return random.Random(seed).sample(every, min(count, len(every)))


def verdict(mutant: Mutant, by: str, reasons: dict[tuple[str, str, str, str], str]) -> str:
    """Return who noticed a mistake: its room's own tests, the suite, or nobody."""
    if by.startswith("survived"):
        place = (mutant.file, mutant.function, mutant.code, mutant.change)
        return "explained" if place in reasons else "survived"
    name = by.partition("::")[0].rpartition("/")[2]
    return "own" if "::" not in by or name in own_tests(mutant.room) else "suite"


def report(judged: dict[Mutant, str]) -> None:
    """Print a row for each room, then the mistakes that no test noticed, then the suite's."""
    reasons = explained()
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, by in judged.items():
        rooms[mutant.room][verdict(mutant, by, reasons)] += 1
    rooms["all"] = sum(rooms.values(), Counter())
    print(f"{'room':14}{'mistakes':>9}{'own':>7}{'suite':>7}{'survived':>9}{'explained':>10}")
    for room, found in sorted(rooms.items(), key=lambda each: (each[0] == "all", each[0])):
        counted = found.total() - found["explained"]
        shares = [found["own"], found["own"] + found["suite"]]
        own, suite = (f"{100 * each / counted:.0f} %" if counted else "-" for each in shares)
        print(
            f"{room:14}{found.total():9}{own:>7}{suite:>7}{found['survived']:9}{found['explained']:10}"
        )
    for wanted in ("survived", "suite"):
        print(f"\n{wanted}:")
        for mutant, by in judged.items():
            if verdict(mutant, by, reasons) == wanted:
                print(f"{mutant.file}:{mutant.line} {mutant.function}: {mutant.change}  ({by})")
                print(f"    {mutant.code}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument(
        "--room", action="append", default=[], help="only this room; may be repeated"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--measure", action="store_true", help="measure anew which test runs what")
    parser.add_argument("--out", type=Path, help="the judgements, a line of JSON each")
    given = parser.parse_args()
    known = Knowledge(ROOT / ".mutation")
    if given.measure:
        known.measure({name for room in given.room for name in own_tests(room)})
    chosen = sample(given.count, given.seed, {*given.room})
    judged = {each: by for each in chosen if (by := known.judged(each))}
    left = [each for each in chosen if each not in judged]
    print(f"{len(judged)} judged before, {len(left)} to judge", file=sys.stderr)
    judged |= dict(judge(left, known, given.processes)) if left else {}
    known.keep(judged.items())
    if given.out:
        rows = (json.dumps({**asdict(each), "by": by}) for each, by in judged.items())
        given.out.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    report(judged)


if __name__ == "__main__":
    main()
