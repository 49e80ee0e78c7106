"""Compare two referees on mutants: the program `canasta`, and the one in `tests/javascript`.

    python -m tests.differential [--count 2000] [--seed 1] [--show 10]

The mutants are records of `samples` and rulings of the conformance suite with one or two edits
(`tests/mutants.py`). Compared are the verdict, the line of the first error and, where both say
them, the scores. Records that the second referee need not decide (unwritten cards, score sheets)
are counted apart. Exit code 1 if the two differ.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from canasta_notation.conformance.cases import answer
from tests.conformance.run import FOLDER, SECONDS, Program, cases
from tests.mutants import mutate

SECOND = ["node", str(FOLDER.parent / "javascript" / "conform.mjs")]
SAMPLES = FOLDER.parent.parent / "samples"
#: Longer records take most of the time, and say little more.
MOST_BYTES = 12_000
#: Of so many mutants that cannot be read, one is compared.
READ_OF = 8
SAME, UNDECIDED, DIFFERENT = "same", "undecided", "different"


@dataclass(frozen=True)
class Comparison:
    """What two referees say about a mutant: `outcome` is SAME, UNDECIDED or DIFFERENT."""

    outcome: str
    rules: str
    text: str
    ours: dict[str, Any]
    theirs: dict[str, Any]
    scored: bool = False

    @property
    def broken(self) -> bool:
        """Whether the text of the mutant cannot be read."""
        return "scores" not in self.theirs and self.outcome != UNDECIDED


def profile_of(text: str) -> str:
    """Return the profile that the first Rules tag of a record names."""
    found = re.search(r'^\[Rules "([a-z0-9-]+)', text, re.M)
    return found[1] if found else "classic"


def sources() -> dict[str, list[bytes]]:
    """Return the records to change, by their profiles, so that each profile can be drawn alike."""
    texts = [path.read_text("utf-8") for path in sorted(SAMPLES.rglob("*.canasta"))]
    texts += [case["text"] for case in cases("referee")]
    found: dict[str, list[bytes]] = {}
    for text in texts:
        if len(text) <= MOST_BYTES:
            found.setdefault(profile_of(text), []).append(text.encode())
    return found


def is_readable(text: str) -> bool:
    """Return whether a record has no error of the level `reader`."""
    request = {"id": "mutant", "level": "reader", "text": text}
    return answer(request)["result"]["first_error"] is None


def mutants_by_profile(count: int, seed: int) -> Iterator[str]:
    """Yield mutants; every profile has the same chance, and every record of a profile."""
    chance = random.Random(seed)
    pools = sources()
    names = sorted(pools)
    broken = 0
    while count:
        record = chance.choice(pools[chance.choice(names)])
        for _ in range(chance.randint(1, 2)):
            record = mutate(record, chance)
        try:
            text = record.decode()
        except UnicodeDecodeError:
            continue  # JSON can only carry text
        if "\0" in text:  # a reader may refuse it
            continue
        if not is_readable(text):
            broken += 1
            if broken % READ_OF:  # most would only try the reader
                continue
        yield text
        count -= 1


def scored(games: list[list[dict[str, Any]]]) -> list[Any]:
    """Return what is compared of the scores: all figures of a side whose score is known.

    Where a score is not known, the total depends on what the record claims after it.
    """
    return [
        [{side: each for side, each in deal.items() if each["score"] is not None} for deal in deals]
        for deals in games
    ]


def compare(text: str, second: Program) -> Comparison:
    """Ask both referees about a record."""
    request = {"id": "mutant", "level": "referee", "text": text}
    ours, theirs = answer(request)["result"], second.ask(request)
    rules = profile_of(text)
    if "skipped" in theirs:
        return Comparison(UNDECIDED, rules, text, ours, {})
    found = theirs["result"]
    first = ours["first_error"]
    # A reader may report a line that is broken in two at its first part.
    near = "scores" not in found and first is not None and found["first_error"] == first - 1
    same = ours["verdict"] == found["verdict"] and (near or first == found["first_error"])
    if "scores" in found:
        same = same and scored(ours["scores"]) == scored(found["scores"])
    return Comparison(SAME if same else DIFFERENT, rules, text, ours, found, "scores" in found)


def comparisons(count: int, seed: int) -> Iterator[Comparison]:
    """Compare the two referees on so many mutants. Raises NoAnswer if node cannot be started."""
    second = Program(SECOND, "referee", SECONDS)
    second.start()
    try:
        for text in mutants_by_profile(count, seed):
            yield compare(text, second)
    finally:
        second.stop()


def show(found: Comparison) -> None:
    """Print a difference and the record."""
    for name in ("verdict", "first_error", "findings", "scores"):
        ours, theirs = found.ours.get(name), found.theirs.get(name)
        if name == "scores" and theirs is not None:
            ours, theirs = scored(ours or []), scored(theirs)
        if ours != theirs:
            print(f"{name}: {json.dumps(ours)}\n  but {json.dumps(theirs)}")
    lines = enumerate(found.text.split("\n"), 1)
    print("\n".join(f"{number:4} {line}" for number, line in lines), "\n")


def main() -> int:
    """Print the figures of a run, and the first differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    broken = scored = shown = 0
    for found in comparisons(options.count, options.seed):
        counts[found.rules, found.outcome] += 1
        broken += found.broken
        scored += found.scored
        if found.outcome == DIFFERENT and shown < options.show:
            shown += 1
            show(found)
    outcomes = (SAME, UNDECIDED, DIFFERENT)
    print(f"{'profile':16}" + "".join(f"{each:>12}" for each in outcomes))
    for name in sorted({name for name, _ in counts}):
        print(f"{name:16}" + "".join(f"{counts[name, each]:12}" for each in outcomes))
    total = {each: sum(n for (_, it), n in counts.items() if it == each) for each in outcomes}
    print(f"{'all':16}" + "".join(f"{total[each]:12}" for each in outcomes))
    print(f"{broken} of them cannot be read, and {scored} were compared in their scores too")
    return 1 if total[DIFFERENT] else 0


if __name__ == "__main__":
    sys.exit(main())
