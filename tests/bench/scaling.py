"""How cost grows with games in one file and with processes, and what a start costs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench import corpora

#: The numbers of games in one file at which cost and memory must be flat; the last is only for the
#: compiled package.
SIZES = (1_000, 10_000, 100_000)
#: The fewest seconds that one process takes for the corpus.
LONG = 3.0
#: With -P, the current folder does not hide the environment's package.
_PROGRAM = (sys.executable, "-P", "-m", "canasta_notation")
_CHESS = "import chess.pgn, sys; print(chess.pgn.read_game(open(sys.argv[1])).end().ply())"


def wall(command: Sequence[str | Path], environment: dict[str, str]) -> float:
    """Return the seconds that a command takes, from its start to its end."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - begun


def repeat(path: Path, many: Path, times: int) -> int:
    """Write a record `times` times into another file; return the number of bytes written."""
    text = path.read_bytes() + b"\n"
    with many.open("wb") as file:
        return sum(file.write(text) for _ in range(times))


def validate(path: Path, *options: str) -> list[str | Path]:
    """Return the command that validates a record."""
    return [*_PROGRAM, "validate", *options, path]


def print_processes(path: Path, environment: dict[str, str], rounds: int, kind: str) -> float:
    """Print the time of one and of two processes for one file; return the ratio of the best rounds.

    The best rounds count, because two processes are as slow as one while another program uses a
    core.
    """
    many, times = path.with_name("many.canasta"), 1
    while repeat(path, many, times) and wall(validate(many, "--jobs", "1"), environment) < LONG:
        times *= 2
    games = many.read_bytes().count(b"[CGN ")
    best = {}
    for jobs in (1, 2) * rounds:
        seconds = wall(validate(many, "--jobs", str(jobs)), environment)
        best[jobs] = min(best.get(jobs, seconds), seconds)
    ratio = best[1] / best[2]
    print(f"\n{kind}, {games:,} games in one file, best of {rounds} rounds, wall:\n")
    print("| processes | seconds | to one |\n|---:|---:|---:|")
    print(f"| 1 | {best[1]:.2f} | 1.00 |\n| 2 | {best[2]:.2f} | {ratio:.2f} |")
    many.unlink()
    return ratio


def print_start(folder: Path, environment: dict[str, str], rounds: int) -> float | None:
    """Print the wall time of one game, ours and python-chess; return the ratio if there are two.

    Another row is for one game of a file with many.
    """
    one, many = folder / "one.canasta", folder / "many.canasta"
    corpora.canasta(one, 1)
    seconds = {"canasta validate": median(validate(one), environment, rounds)}
    megabytes = repeat(folder / "large.canasta", many, 4) / 1e6
    name = f"canasta replay --game 1500, of {megabytes:.0f} MB"
    command = [*_PROGRAM, "replay", "--game", "1500", many]
    seconds[name] = median(command, environment, rounds)
    many.unlink()
    try:
        pgn = folder / "one.pgn"
        corpora.chess(pgn, 1)
        command = [sys.executable, "-c", _CHESS, pgn]
        seconds["python-chess script"] = median(command, environment, rounds)
    except ImportError:
        pass
    seconds["python -c pass"] = median([sys.executable, "-c", "pass"], environment, rounds)
    print("\n| one game, from start to end | milliseconds, median |\n|---|---:|")
    for name, each in seconds.items():
        print(f"| {name} | {each * 1000:.0f} |")
    peer = seconds.get("python-chess script")
    return seconds["canasta validate"] / peer if peer else None


def median(command: Sequence[str | Path], environment: dict[str, str], rounds: int) -> float:
    """Return the median of the seconds that a command takes; the first run warms up."""
    return statistics.median([wall(command, environment) for _ in range(rounds + 1)][1:])


def environment_of(folder: Path, bytecode: Path) -> dict[str, str]:
    """Return the environment in which Python finds the package in a folder.

    Every program then keeps its bytecode in a separate folder.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(folder), "PYTHONPYCACHEPREFIX": str(bytecode)}
