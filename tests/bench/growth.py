"""How cost grows with the text: the worst known kinds of text, at doubling sizes.

`python -m tests.bench.growth [FAMILY...]` prints the CPU seconds and the memory of a command for
each size, and the exponent of the last doubling: 1 is linear, 2 is quadratic.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

#: The sizes of the texts in KiB, and of those that are one line, which is cut at 64 KiB.
SIZES: Final = (32, 64, 128, 256)
LINE_SIZES: Final = (7, 15, 30, 60)
#: Seconds after which a family is given up.
LIMIT: Final = 120
_HEAD: Final = '[CGN "1"]\n[Rules "classic"]\n'
_DEAL: Final = f"{_HEAD}deal 1 dealer N\n"


class Family(NamedTuple):
    """A kind of text, made of a number of pieces; the suffix of its file, and the command."""

    make: Callable[[int], str]
    suffix: str = ".canasta"
    line: bool = False
    command: tuple[str, ...] = ("validate",)


def _tags(count: int) -> str:
    return _HEAD + "".join(f'[T{at} "x"]\n' for at in range(count))


def _lines(line: str, head: str = _DEAL) -> Callable[[int], str]:
    return lambda count: head + (line + "\n") * count


def _line(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda count: f"{_DEAL}{before}{piece * count}{after}\n"


def _names(count: int) -> str:
    names = ",".join(f'"n{at}":1' for at in range(count))
    return f'{{"cgn":1,"games":[{{{names},"n{count - 1}":1}}]}}'


def _overrides(count: int) -> str:
    words = " ".join(f"k{at}=1" for at in range(count))
    return f'[CGN "1"]\n[Rules "classic {words}"]\n'


_TAG: Final = '{"name":"Event","value":"x"}'
FAMILIES: Final = {
    "distinct tags": Family(_tags),
    "one tag again": Family(_lines('[Event "x"]', _HEAD)),
    "comments": Family(_lines("; x")),
    "comments before the game": Family(_lines("; x", "")),
    "blank lines": Family(_lines("")),
    "turns of unknown cards": Family(_lines("N + -_")),
    "turns that draw": Family(_lines("N +5h -5h")),
    "takes of unwritten discards": Family(_lines("S ^9 -_\nN ^9 -_")),
    "deal lines": Family(_lines("deal 1 dealer N")),
    "games of a deal": Family(_lines('[CGN "1"]\ndeal 1 dealer N', "")),
    "deals with scores": Family(_lines("deal 1 dealer N\nscore NS 100\nscore EW 50")),
    "penalties": Family(_lines("penalty NS 50 word")),
    "talons": Family(_lines("talon 4s5d6h")),
    "unreadable lines": Family(_lines("?? x")),
    "pairs of remarks and signs": Family(_line("! ;", "1. N +5c ", "\x01"), line=True),
    "remarks": Family(_line("! ", "1. N +5c ", "X"), line=True),
    "signs of comments": Family(_line(";", "1. N +5c ! ! X ", "\x01"), line=True),
    "signs of comments in a tag": Family(_line(";", '[Event "x ', '\x01"]'), line=True),
    "escapes in a tag": Family(_line('\\"', '[Event "', " x"), line=True),
    "brackets": Family(_line("[", "", " x"), line=True),
    "digits": Family(_line("9", "", " N +5h -5h"), line=True),
    "digits of a score": Family(_line("9", "score NS "), line=True),
    "spaces": Family(_line(" ", "1. N +5c", "X"), line=True),
    "cards of a hand": Family(_line("5h ", "N: "), line=True),
    "cards of a group": Family(_line("5h", "1. N +5h 5:"), line=True),
    "groups": Family(_line("5:5h5h5h ", "1. N +5h "), line=True),
    "replacements": Family(_line("+3h ", "1. N "), line=True),
    "questions": Family(_line("ask=no ", "1. N +5h "), line=True),
    "acknowledgements": Family(_line("~meld-short ", "1. N +5h -5h "), line=True),
    "items of a score": Family(_line("melds 5 ", "score NS 5 = "), line=True),
    "overrides again": Family(
        lambda count: f'[CGN "1"]\n[Rules "classic {"target=5000 " * count}"]\n', line=True
    ),
    "unknown overrides": Family(
        lambda count: (
            f'[CGN "1"]\n[Rules "classic {" ".join(f"k{at}=1" for at in range(count))}"]\n'
        ),
        line=True,
    ),
    "a name in JSON twice": Family(_names, ".json"),
    "tags in JSON": Family(
        lambda count: f'{{"cgn":1,"games":[{{"tags":[{",".join([_TAG] * count)}],"deals":[]}}]}}',
        ".json",
    ),
    "brackets in JSON": Family(lambda count: "[" * count, ".json"),
    "tags to format": Family(_tags, command=("format", "--check")),
    "comments to format": Family(_lines("; x"), command=("format", "--check")),
    "deal lines to audit": Family(_lines("deal 1 dealer N"), command=("audit",)),
    "deal lines to replay": Family(_lines("deal 1 dealer N"), command=("replay",)),
    "takes to replay": Family(_lines("S ^9 -_\nN ^9 -_"), command=("replay",)),
    "turns to replay": Family(_lines("N + -_"), command=("replay",)),
    "turns to convert": Family(_lines("N + -_"), command=("convert", "--to", "json")),
}


def text_of(family: Family, size: int) -> str:
    """Return a text of the family with about `size` KiB."""
    each = (len(family.make(1000)) - len(family.make(0))) / 1000 or 1
    return family.make(max(1, int(size * 1024 / each)))


def run(family: Family, path: Path) -> tuple[float, int] | None:
    """Return the CPU seconds and MiB that the command takes, None if it takes too long."""
    command = [sys.executable, "-m", "canasta_notation", *family.command, str(path)]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        done, _, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            process.returncode = 0
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10
        if time.perf_counter() - begun > LIMIT:
            process.kill()
            os.wait4(process.pid, 0)
            process.returncode = -9
            return None
        time.sleep(0.01)


def main(names: list[str]) -> None:
    """Print a row for each family."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.canasta")
        path.write_text(_HEAD)
        start = min(run(Family(str), path) or (0.0, 0) for _ in range(3))[0]
        print(f"start: {start:.2f} s")
        for name, family in FAMILIES.items():
            if names and name not in names:
                continue
            cells, seconds = [], []
            for size in LINE_SIZES if family.line else SIZES:
                path = Path(folder, f"a{family.suffix}")
                path.write_text(text_of(family, size))
                found = run(family, path)
                if found is None:
                    cells.append(f"{size} KiB: over {LIMIT} s")
                    break
                cells.append(f"{size} KiB: {found[0]:.2f} s {found[1]} MiB")
                seconds.append(max(found[0] - start, 0.01))
            grown = math.log2(seconds[-1] / seconds[-2]) if len(seconds) > 1 else 0
            print(f"{name}: {'; '.join(cells)}; grows by {grown:.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
