"""The fence around the core: which packages are the core, and whether it works alone.

`python -m tests.fence` copies the project without its satellites, builds a wheel of the copy, and
runs the core's commands and tests there. The tests are those whose files need no satellite.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from canasta_notation import _HOMES

ROOT = Path(__file__).parent.parent

#: The core, from the bottom up: it records, validates, replays, audits and converts.
CORE = (
    (
        "arrays",
        "cards",
        "counts",
        "english",
        "fields",
        "findings",
        "names",
        "notebook",
        "quoting",
        "resources",
        "storage",
        "toml",
    ),
    ("rules", "language"),
    ("engine",),
    ("search", "dealing"),
    ("notation",),
    ("foreign",),
    ("scan", "replay"),
    ("formats", "report"),
    ("batch", "recorder"),
    ("render",),
    ("tui", "dialogue"),
    ("cli", "api"),
)
#: The satellites, which look at games or play them. The core never imports them.
SATELLITES = (
    ("players",),
    ("analysis", "live"),
    ("corpus", "story"),
    ("page", "conformance"),
    ("exercises",),
    ("editor", "app", "learning"),
    ("rl", "openspiel", "turns"),
)
#: From the bottom up; a module imports from its own layer and those before it, never in a circle.
LAYERS = CORE + SATELLITES
#: The doors of the library and of the program: each has a table of names, some of satellites,
#: whose modules are loaded when a name is asked for.
DOORS = {"__init__.py", "cli/commands.py"}
#: The tests of how the packages depend on each other, which need them all.
OF_ALL = "test_architecture.py"
#: What the core's commands must do with samples, without a satellite.
_RUNS = (
    ("validate", "samples/first-deal.canasta"),
    ("audit", "samples/first-deal.canasta"),
    ("replay", "samples/first-deal.canasta"),
    ("legal", "samples/first-deal.canasta", "--deal", "1", "--turn", "3"),
    ("convert", "samples/first-deal.canasta", "--to", "json"),
    ("format", "--check", "samples/first-deal.canasta"),
    ("explain", "pile-frozen"),
    ("rules", "classic", "samba"),
    ("--help",),
)


def satellite_names() -> set[str]:
    """Return the names of the satellites, packages and modules."""
    return {name for layer in SATELLITES for name in layer}


def core_tests() -> list[str]:
    """Return the test files that need no satellite, neither they nor the helpers they import."""
    files = sorted({*(ROOT / "tests").glob("test_*.py")} - {ROOT / "tests" / OF_ALL})
    return [f"tests/{path.name}" for path in files if not _reaches(path)]


def _reaches(path: Path) -> bool:
    """Return whether a file of tests, or a helper that it needs, names a satellite."""
    seen, left = {path}, [path]
    while left:
        tree = ast.parse(left.pop().read_text("utf-8"))
        for parts in (name.split(".") for name in _imported(tree)):
            if _is_satellite(parts):
                return True
            module = ROOT.joinpath(*parts)
            helpers = (module.with_suffix(".py"), module / "__init__.py")
            new = {each for each in helpers if parts[0] == "tests" and each.exists()} - seen
            seen |= new
            left += new
    return False


def _is_satellite(parts: list[str]) -> bool:
    """Return whether an imported name is a satellite's, or the library as a whole."""
    if parts[0] != "canasta_notation":
        return False
    home = _HOMES.get(parts[1], parts[1]) if len(parts) > 1 else ""
    return not home or home.split(".")[0] in satellite_names()


def _imported(tree: ast.AST) -> set[str]:
    """Return the modules that a file imports, with the names that it takes from packages."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            in_package = node.module in ("canasta_notation", "tests")
            found |= {f"{node.module}.{each.name}" for each in node.names} if in_package else set()
            found |= set() if in_package else {node.module}
    return found


def copy_project(folder: Path, *, core_only: bool = False) -> None:
    """Copy the project's files into a new folder, without what tools have made.

    With `core_only`, the satellites are left out too.
    """
    packages = satellite_names() if core_only else set()
    beyond = {*packages, *(f"{name}.py" for name in packages)}
    made = shutil.ignore_patterns(
        ".git", ".venv", ".mutation", "__pycache__", "*.egg-info", ".*_cache", "dist"
    )

    def left_out(place: str, names: list[str]) -> set[str]:
        outside = beyond if Path(place) == ROOT / "canasta_notation" else set()
        return made(place, names) | outside.intersection(names)

    shutil.copytree(ROOT, folder, ignore=left_out)


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        copy = Path(made) / "core"
        copy_project(copy, core_only=True)
        build = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            made,
            str(copy),
        ]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = Path(made).glob("*.whl")
        installed = Path(made) / "installed"
        shutil.unpack_archive(wheel, installed, "zip")
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        for run in _RUNS:
            command = [sys.executable, "-P", "-m", "canasta_notation", *run]
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"canasta {' '.join(run)}: exit {done.returncode}\n{done.stderr}")
        tests = [sys.executable, "-m", "pytest", *core_tests()]
        environment["PYTHONPATH"] = str(copy)
        sys.exit(subprocess.run(tests, cwd=copy, env=environment).returncode)


if __name__ == "__main__":
    main()
