"""Build every file of a release: `python -m tests.release FOLDER [PYTHON...]`.

FOLDER gets the source distribution, a pure wheel built from it, and a compiled wheel for each
PYTHON, a program such as python3.12. On Linux, auditwheel gives those a manylinux tag. In the end
twine checks them all. The extra `release` is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent


def build_compiled(python: str, folder: Path) -> None:
    """Build the compiled wheel for a Python, in an environment of its own."""
    with TemporaryDirectory() as work:
        run(python, "-m", "venv", f"{work}/venv")
        own = f"{work}/venv/bin/python" if os.name == "posix" else f"{work}/venv/Scripts/python"
        run(own, "-m", "pip", "install", "--quiet", "build")
        compiling = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
        run(own, "-m", "build", "--wheel", "--outdir", f"{work}/dist", str(ROOT), env=compiling)
        (wheel,) = Path(work, "dist").glob("*.whl")
        if sys.platform == "linux":
            run(
                sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(folder), str(wheel)
            )
        else:
            wheel.rename(folder / wheel.name)


def run(*command: str, env: dict[str, str] | None = None) -> None:
    """Run a program; what it needs from this environment is found first."""
    env = dict(os.environ if env is None else env)
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    subprocess.run(command, check=True, env=env)


def main() -> None:
    """Build and check the files."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    for python in sys.argv[2:]:
        build_compiled(python, folder)
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, sorted(folder.iterdir())))


if __name__ == "__main__":
    main()
