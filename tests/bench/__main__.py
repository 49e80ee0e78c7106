"""Run the benchmark and print its tables: `python -m tests.bench [--rounds N] [--readme]`.

Each way of reading has its own process, and all are pinned to one core. Each reads once per round;
the figures are medians of CPU seconds. Readers that are not installed are left out, with a note.
The growth with games and with processes, and the start, follow, in wall time on all cores.
`--steps` measures only the steps of environments for learning, compared with two of PettingZoo.
`--outside` takes a folder of other records as a second corpus.

The first table shows each rate as a ratio to that of python-chess, with the last ratio, which is in
`ratios.json`; a reader that has lost a tenth or more is marked. `--readme` puts six rows of the
table into README.md and writes the new ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tests.bench import corpora, matches, scaling, values
from tests.bench.peer import PGN_EXTRACT, STEPS

ROOT = Path(__file__).parent.parent.parent
PEER = Path(__file__).parent / "peer.py"
#: The games with feet that have rows of their own, and their profiles.
FEET = {"Hand and Foot": "hand-and-foot", "Pennies from Heaven": "pennies"}
#: The last ratio of each reader to `BASE`, and what it has lost if it is marked as slower.
RATIOS = Path(__file__).parent / "ratios.json"
BASE = "python-chess, visitor"
SLOWER = 0.1
#: The text in README.md before and after the table.
BEGIN, END = "<!-- the table of tests/bench -->", "<!-- its end -->"
#: The readers that README.md names.
IN_README = (
    "canasta, fast path, compiled",
    "pgn-extract -r",
    "canasta, fast path, interpreted",
    "python-chess, visitor",
    "canasta, Lark path",
    "pokerkit",
)


@dataclass
class Way:
    """A way of reading: its name, its corpus with its units, and the seconds of each round."""

    name: str
    unit: str
    process: subprocess.Popen[str]
    size: int
    units: int
    seconds: list[float] = field(default_factory=list)
    peak: int = 0

    def ask(self) -> None:
        """Let it read its corpus once."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 3:
            raise SystemExit(f"{self.name}: the reader ended")
        self.seconds.append(float(answer[0]))
        self.peak = int(answer[2])

    @property
    def rate(self) -> float:
        """Units per second in the median round."""
        return self.units / statistics.median(self.seconds)

    @property
    def megabytes(self) -> float:
        """Megabytes per second in the median round."""
        return self.size / statistics.median(self.seconds) / 1e6


def start(way: str, path: Path, compiled: Path | None = None) -> subprocess.Popen[str]:
    """Start a reader; `compiled` is where the compiled package is installed."""
    folders = [str(compiled)] if compiled else [str(ROOT)]
    return subprocess.Popen(
        [sys.executable, str(PEER), way, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        cwd=path.parent,
    )


def compile_package(folder: Path) -> Path | None:
    """Build the compiled wheel and install it into a folder; return None if that is impossible."""
    target, source = folder / "compiled", folder / "source"
    # The build leaves its files beside the sources, where the other readers must not find them.
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "*.so", "__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    done = subprocess.run(
        [*command, str(target), str(source)],
        env={**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print("compiled: left out, it could not be built:", done.stderr.strip()[-400:])
        return None
    return target


def ways(folder: Path, compiled: Path | None, outside: Path | None) -> list[Way]:
    """Start every reader that this machine has, each with a corpus in its format."""
    small, large = folder / "small.canasta", folder / "large.canasta"
    small_games = corpora.canasta(small, 40)
    large_games = corpora.canasta(large, 400)
    feet = {
        called: (path, corpora.canasta(path, 80, profile)[1])
        for called, profile in FEET.items()
        for path in [folder / f"{profile}.canasta"]
    }

    def way(name: str, unit: str, how: str, path: Path, units: int, built: bool = False) -> Way:
        process = start(how, path, compiled if built else None)
        return Way(name, unit, process, path.stat().st_size, units)

    found = [
        way("canasta, fast path, interpreted", "turns", "fast", large, large_games[1]),
        *(
            way(f"canasta, fast path, {called}", "turns", "fast", *corpus)
            for called, corpus in feet.items()
        ),
        way("canasta, Lark path", "turns", "lark", small, small_games[1]),
        way("canasta, rows of a corpus", "turns", "rows", small, small_games[1]),
        way("canasta, a state for each action", "turns", "walk", small, small_games[1]),
        way("canasta, positions", "turns", "positions", small, small_games[1]),
        way("canasta, replay --json", "turns", "replay-json", small, small_games[1]),
        way("canasta, page", "turns", "page", small, small_games[1]),
        way("canasta, stepper", "turns", "stepper", small, small_games[1]),
        way("file read", "turns", "bytes", large, large_games[1]),
        way("file split into words", "turns", "lines", large, large_games[1]),
    ]
    if compiled:
        found += [
            way("canasta, fast path, compiled", "turns", "fast", large, large_games[1], True),
            *(
                way(f"canasta, fast path, compiled, {called}", "turns", "fast", *corpus, True)
                for called, corpus in feet.items()
            ),
            way("canasta, Lark path, compiled", "turns", "lark", small, small_games[1], True),
            way(
                "canasta, rows of a corpus, compiled", "turns", "rows", large, large_games[1], True
            ),
        ]
    if outside:
        path = folder / "outside.canasta"
        turns = corpora.outside(outside, path)[1]
        found.append(way("canasta, fast path, outside games", "turns", "fast", path, turns))
        if compiled:
            name = "canasta, fast path, compiled, outside games"
            found.append(way(name, "turns", "fast", path, turns, True))
    if find_spec("chess"):
        pgn, many = folder / "games.pgn", folder / "many.pgn"
        plies = corpora.chess(pgn, 120)[1]
        found.append(way("python-chess, visitor", "plies", "chess-visitor", pgn, plies))
        found.append(way("python-chess, tree", "plies", "chess-tree", pgn, plies))
        if PGN_EXTRACT:
            plies = corpora.chess(many, 4000)[1]
            found.append(way("pgn-extract -r", "plies", "pgn-extract", many, plies))
    if find_spec("pokerkit"):
        phh = folder / "hands.phh"
        actions = corpora.poker(phh, 120)[1]
        found.append(way("pokerkit", "actions", "pokerkit", phh, actions))
    return found


#: (ours, peer, measured in MB/s, before, aim): the ratios that were set as goals, and their values
#: before the engine became functions of one state.
GOALS = (
    ("canasta, fast path, interpreted", "python-chess, visitor", False, 2.07, 3),
    ("canasta, fast path, interpreted", "python-chess, visitor", True, 9.2, 10),
    ("canasta, fast path, compiled", "python-chess, visitor", False, 43.58, 75),
    ("canasta, fast path, compiled", "pgn-extract -r", False, 2.14, 3),
    ("canasta, fast path, compiled", "pgn-extract -r", True, 9.6, 20),
    ("canasta, Lark path", "python-chess, tree", False, 0.33, 0.5),
    ("canasta, Lark path, compiled", "python-chess, tree", False, 0.36, 0.6),
    ("canasta, rows of a corpus", "python-chess, visitor", False, 0.97, 2.9),
    ("canasta, rows of a corpus, compiled", "python-chess, visitor", False, 3.4, 10.2),
)


def ratios(found: list[Way]) -> dict[str, float]:
    """Return the rate of each way as a ratio to that of `BASE`; none if it is not installed."""
    base = next((way.rate for way in found if way.name == BASE), None)
    return {way.name: round(way.rate / base, 3) for way in found} if base else {}


def rates(found: list[Way], last: dict[str, float] | None = None) -> str:
    """Return the table of what each way reads per second; with `last`, also its last ratio."""
    now = ratios(found)
    lines = ["| reader | units/s | MB/s | times python-chess | peak MiB |"]
    lines.append("|---|---:|---:|---:|---:|")
    if last is not None:
        lines = [f"{lines[0]} last |", f"{lines[1]}---:|"]
    for way in sorted(found, key=lambda each: -each.rate):
        ratio = f"{now[way.name]:.2f}" if now else ""
        line = (
            f"| {way.name} | {way.rate:,.0f} {way.unit} | {way.megabytes:.1f} "
            f"| {ratio} | {way.peak / 1024:.0f} |"
        )
        if last is not None:
            line += f" {_compared(now.get(way.name), last.get(way.name))} |"
        lines.append(line)
    return "\n".join(lines)


def _compared(now: float | None, before: float | None) -> str:
    """Return the last ratio, and whether the new one is much smaller."""
    if now is None or before is None:
        return ""
    return f"{before:.2f}" + (", slower" if now < before * (1 - SLOWER) else "")


def machine() -> str:
    """Return the machine and the versions with which the figures were measured."""
    models = re.findall(r"^model name\s*: (.+)$", _cpuinfo(), re.MULTILINE)
    cpu = models[0] if models else platform.processor() or platform.machine()
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _cpuinfo() -> str:
    path = Path("/proc/cpuinfo")
    return path.read_text("utf-8") if path.exists() else ""


def write_readme(text: str) -> None:
    """Put the text between the marks in README.md."""
    path = ROOT / "README.md"
    head, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, found, tail = rest.partition(END)
    if not found:
        raise SystemExit(f"{path}: has no marks for the benchmark")
    path.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", "utf-8")


def print_steps(folder: Path, compiled: Path | None, rounds: int) -> None:
    """Print how many steps a second the environments for learning make, in rotation, and ratios."""
    if not find_spec("pettingzoo"):
        print("\nsteps: left out, PettingZoo is not installed")
        return
    built = [("canasta, interpreted", "steps", None)]
    if compiled:
        built.append(("canasta, compiled", "steps", compiled))
    others = [
        ("chess of PettingZoo", "steps-chess", "chess"),
        ("Texas hold'em of PettingZoo", "steps-holdem", "rlcard"),
    ]
    found = [Way(name, "steps", start(how, folder, at), 0, STEPS) for name, how, at in built]
    for name, how, needed in others:
        if find_spec(needed) and find_spec("pygame"):
            found.append(Way(name, "steps", start(how, folder), 0, STEPS))
        else:
            print(f"\n{name}: left out, it needs {needed} and pygame")
    rotate(found, rounds)
    ours = found[: len(built)]
    print("\n| environment | steps/s |" + "".join(f" {way.name} / it |" for way in ours))
    print("|---|" + "---:|" * (len(ours) + 1))
    for way in found:
        ratios = "".join(f" {each.rate / way.rate:.2f} |" for each in ours)
        print(f"| {way.name} | {way.rate:,.0f} |{ratios}")


def rotate(found: list[Way], rounds: int) -> None:
    """Let every way read once a round, after a round that warms up; then end them."""
    for at in range(rounds + 1):
        for way in found:
            way.ask()
            if at == 0:
                way.seconds.clear()
    for way in found:
        way.process.kill()


def print_goals(found: list[Way]) -> None:
    """Print the ratios that were set as goals."""
    by_name = {way.name: way for way in found}
    print("\n| ratio | before | measured | aim |\n|---|---:|---:|---:|")
    for ours, peer, in_bytes, before, aim in GOALS:
        if ours not in by_name or peer not in by_name:
            continue
        one, other = by_name[ours], by_name[peer]
        ratio = one.megabytes / other.megabytes if in_bytes else one.rate / other.rate
        unit = "MB/s" if in_bytes else f"{one.unit} to {other.unit}"
        print(f"| {ours} / {peer}, {unit} | {before} | {ratio:.2f} | {aim} |")


def print_scaling(folder: Path, compiled: Path | None) -> tuple[float, float]:
    """Print cost and peak memory for files of more and more games.

    Returns the ratios of the highest to the lowest cost, and of the most to the least memory. The
    first reading warms up.
    """
    path = folder / "scale.canasta"
    corpora.canasta(path, corpora.GAMES)
    print("\n| games in one file | microseconds a game | peak MiB |\n|---:|---:|---:|")
    costs, peaks = [], []
    for games in scaling.SIZES if compiled else scaling.SIZES[:-1]:
        process = start(str(games // corpora.GAMES), path, compiled)
        way = Way("scale", "games", process, 0, games)
        for _ in range(2 if games < scaling.SIZES[-1] else 1):
            way.ask()
        process.kill()
        costs.append(way.seconds[-1] / games)
        peaks.append(way.peak)
        print(f"| {games:,} | {costs[-1] * 1e6:.0f} | {way.peak / 1024:.1f} |")
    return max(costs) / min(costs), peaks[-1] / peaks[0]


def main() -> None:
    """Run every round and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--outside", type=Path, help="a folder of records as a second corpus")
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    parser.add_argument("--players", action="store_true", help="measure the players instead")
    parser.add_argument(
        "--rollout", nargs="*", metavar="PROFILE", help="measure the player rollout (all profiles)"
    )
    parser.add_argument("--steps", action="store_true", help="measure only the environments")
    parser.add_argument("--values", action="store_true", help="measure values instead")
    parser.add_argument(
        "--deals", type=int, help="deals of each match of players (1000), of rollout or values (40)"
    )
    options = parser.parse_args()
    if options.values:
        values.main(options.deals or 40)
        return
    if options.rollout is not None:
        matches.print_rollout(options.rollout, options.deals or 40)
        return
    if options.players:
        matches.main(options.deals or 1000)
        return
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled = None if options.no_compile else compile_package(folder)
        if cores:
            os.sched_setaffinity(0, {max(cores)})
        if options.steps:
            print_steps(folder, compiled, options.rounds)
            return
        found = ways(folder, compiled, options.outside)
        rotate(found, options.rounds)
        heading = f"{machine()}; one core, median CPU time of {options.rounds} rounds:"
        last = json.loads(RATIOS.read_text("utf-8"))
        print(f"{heading}\n\n{rates(found, last)}")
        if options.readme:
            shown = [way for way in found if way.name in IN_README]
            write_readme(f"{heading}\n\n{rates(shown)}")
            RATIOS.write_text(json.dumps(last | ratios(found), indent=1) + "\n", "utf-8")
        print_goals(found)
        print_steps(folder, compiled, options.rounds)
        cost, peak = print_scaling(folder, compiled)
        if cores:
            os.sched_setaffinity(0, cores)
        print_wholes(folder, compiled, options.rounds, cost, peak)


def print_wholes(
    folder: Path, compiled: Path | None, rounds: int, cost: float, peak: float
) -> None:
    """Print the measurements of whole commands, in wall time on all cores, and their goals."""
    path = folder / "large.canasta"
    kept = folder / "bytecode"
    plain = scaling.environment_of(ROOT, kept)
    ratio = scaling.print_processes(path, plain, rounds, "interpreted")
    if compiled:
        built = scaling.environment_of(compiled, kept)
        scaling.print_processes(path, built, rounds, "compiled")
    began = scaling.print_start(folder, plain, rounds)
    print("\n| ratio | before | measured | aim |\n|---|---:|---:|---:|")
    print(f"| two processes / one | | {ratio:.2f} | 1.9 |")
    if began:
        print(f"| canasta validate of one game / python-chess script | 1.25 | {began:.2f} | 1 |")
    print(f"| peak memory of the most games / of the fewest | | {peak:.2f} | 1.0 |")
    print(f"| cost of a game, most to least | | {cost:.2f} | 1.0 |")


if __name__ == "__main__":
    main()
