"""Make the data set of this project: games of the players by name, in all profiles.

    python -m tests.dataset OUT [--games 10000] [--rollout 200] [--deals 0] [--rules NAME]

OUT gets `games/PROFILE-PLAYER.jsonl`, a game on each line; `tables/`, the same games as Parquet
(with the extra `corpus`); `README.md`, which says how they were made; and `SHA256SUMS`. Two runs of
one version write the same bytes. `rollout` is slow: a turn takes about a second without a compiled
build.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from canasta_notation.rules.load import profile_names

#: The players whose games are alike in number, and the one that is slow and plays fewer.
QUICK, SLOW = ("careful", "greedy"), "rollout"
SUMS = "SHA256SUMS"

README = """# Games of Canasta

{games} games of {profiles} profiles of rules, in Canasta Game Notation. The program `canasta`
{version} made them, with its players `careful`, `greedy` and `rollout`. Every play is legal,
every claim is true, and every card is written. Nobody played these games: they are for trying
programs, not for learning how people play. `grammar/LIBRARY.md` of the program says what the
players do, and `grammar/ANALYSIS.md` by how many points a deal `careful` is better than `greedy`,
and `rollout` than `careful`.

| file | what it holds |
|---|---|
| `games/PROFILE-PLAYER.jsonl` | the games in the JSON form of the notation, one on each line |
| `tables/` | the same games as tables in Parquet; `canasta corpus query` reads them |
| `SHA256SUMS` | the checksum of each file; `sha256sum -c SHA256SUMS` compares them |

All seats of a game have the same player. The first game of each file has the seed 1, and each game
after it the next number. The same version of the program makes the same bytes again:

```
python -m tests.dataset OUT --games {asked} --rollout {slow} --deals {deals}
```

| profile | player | games |
|---|---|---|
{rows}
"""


class Part(NamedTuple):
    """A file of the data set: `games` games of a profile, with one player in all seats."""

    profile: str
    player: str
    games: int

    @property
    def name(self) -> str:
        """The name of its file, without a suffix."""
        return f"{self.profile}-{self.player}"


def shares(games: int, parts: int) -> list[int]:
    """Return so many numbers that differ by 1 at most and have the sum `games`."""
    return [(games + at) // parts for at in range(parts - 1, -1, -1)]


def parts_of(names: tuple[str, ...], games: int, slow: int) -> list[Part]:
    """Return the files of `games` games, `slow` of which have the slow player."""
    kinds = [(name, player) for name in names for player in QUICK]
    quick = zip(kinds, shares(games - slow, len(kinds)), strict=True)
    found = [Part(*kind, count) for kind, count in quick]
    found += [
        Part(name, SLOW, count) for name, count in zip(names, shares(slow, len(names)), strict=True)
    ]
    return [part for part in found if part.games]


def run(*words: str) -> None:
    """Run the program. Raises CalledProcessError if it fails."""
    subprocess.run([sys.executable, "-m", "canasta_notation", *words], check=True)


def play(part: Part, folder: Path, deals: int, jobs: int) -> None:
    """Write the games of a part; with `deals` above 0, at most so many deals of each game."""
    limit = ["--deals", str(deals)] if deals else []
    out = str(folder / f"{part.name}.jsonl")
    who = ["--rules", part.profile, "--players", part.player, "--games", str(part.games)]
    run("generate", *who, "--seed", "1", *limit, "--jobs", str(jobs), "-o", out)


def sums(folder: Path) -> Iterator[str]:
    """Yield a line for each file of a folder, sorted by name, as `sha256sum` writes them."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.name != SUMS:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield f"{digest}  {path.relative_to(folder).as_posix()}\n"


def make(folder: Path, parts: list[Part], *, slow: int, deals: int, jobs: int) -> None:
    """Write the data set. Raises FileExistsError if the folder is there."""
    games = folder / "games"
    games.mkdir(parents=True)
    for part in parts:
        play(part, games, deals, jobs)
    run("corpus", "build", str(games), "-o", str(folder / "tables"), "--jobs", str(jobs))
    count = sum(part.games for part in parts)
    values = {
        "games": f"{count:,}", "asked": count, "slow": slow, "deals": deals,
        "profiles": len({part.profile for part in parts}),
        "version": version("canasta-notation"),
        "rows": "\n".join(f"| {name} | {player} | {each} |" for name, player, each in parts),
    }  # fmt: skip
    (folder / "README.md").write_text(README.format(**values), "utf-8")
    (folder / SUMS).write_text("".join(sums(folder)), "utf-8")


def main() -> None:
    """Make the data set and print the checksum of its checksums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rollout", type=int, default=200)
    parser.add_argument("--deals", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rules", action="append", choices=profile_names())
    options = parser.parse_args()
    names = tuple(options.rules or profile_names())
    parts = parts_of(names, options.games, options.rollout)
    make(options.out, parts, slow=options.rollout, deals=options.deals, jobs=options.jobs)
    print(hashlib.sha256((options.out / SUMS).read_bytes()).hexdigest(), SUMS)


if __name__ == "__main__":
    main()
