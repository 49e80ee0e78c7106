"""Try the tests of a sample of profiles with all profiles: `python -m tests.every_profile [NAME]`.

Some tests are dear, so the suite tries them with a profile of each kind (`KINDS` in
`random_games.py`). Run this tool with the names of profiles that are new or have changed; without a
name it takes all of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from canasta_notation.rules import profile_names

TESTS = Path(__file__).parent


def dear_files() -> list[str]:
    """Return the files of tests that are tried with a sample of profiles."""
    files = sorted(TESTS.glob("test_*.py"))
    words = ("SAMPLED", "@tables", "random_games(")
    return [str(path) for path in files if any(word in path.read_text("utf-8") for word in words)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profiles", nargs="*", metavar="NAME")
    names = parser.parse_args().profiles or profile_names()
    environment = {**os.environ, "CANASTA_PROFILES": " ".join(names)}
    command = [sys.executable, "-m", "pytest", *dear_files()]
    sys.exit(subprocess.run(command, env=environment).returncode)


if __name__ == "__main__":
    main()
