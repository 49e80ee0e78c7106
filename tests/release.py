"""Build every file of a release: `python -m tests.release FOLDER [PYTHON...]`.

FOLDER gets the source distribution, a pure wheel, and a compiled wheel for each PYTHON, a program
such as python3.12. All wheels are built from the source distribution. On Linux, auditwheel gives
the compiled ones a manylinux tag. Then it checks that the files need the same libraries, and twine
checks them all. The extra `release` is needed.
"""

from __future__ import annotations

import email
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent


def build_compiled(python: str, source: Path, folder: Path) -> None:
    """Build the compiled wheel of a source distribution for a Python."""
    compiling = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
    with TemporaryDirectory() as work:
        wheel = ("wheel", "--quiet", "--no-deps", "--wheel-dir", work, str(source))
        run("pip", "--python", python, *wheel, env=compiling)
        (made,) = Path(work).iterdir()
        if sys.platform == "linux":
            run("auditwheel", "repair", "--wheel-dir", str(folder), str(made))
        else:
            made.rename(folder / made.name)


def run(module: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run a program of this environment; the programs that it runs are found there first."""
    env = dict(os.environ if env is None else env)
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, env=env)


def needed(file: Path) -> list[str]:
    """Return the requirements that a wheel or a source distribution declares."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
            text = wheel.read(name)
    else:
        with tarfile.open(file) as source:
            stored = source.extractfile(f"{file.name.removesuffix('.tar.gz')}/PKG-INFO")
            assert stored is not None
            text = stored.read()
    return sorted(email.message_from_bytes(text).get_all("Requires-Dist", []))


def main() -> None:
    """Build and check the files."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    run("build", "--outdir", str(folder), str(ROOT))
    (source,) = folder.glob("*.tar.gz")
    for python in sys.argv[2:]:
        build_compiled(python, source, folder)
    files = sorted(folder.iterdir())
    for file in files:
        if needed(file) != needed(source):
            sys.exit(f"{file.name} does not need the same libraries as {source.name}")
    run("twine", "check", "--strict", *map(str, files))


if __name__ == "__main__":
    main()
