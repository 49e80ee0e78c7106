"""How to install the libraries of an extra, for the way in which this program was installed."""

from __future__ import annotations

import json
import re
import shlex
import sys
from importlib.metadata import Distribution, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_PROJECT: Final = "canasta-notation"
#: The name of a library and the extra that needs it, in the metadata of a package.
_NEEDED: Final = re.compile(r"([\w.-]+).*;.*\bextra == ['\"]([\w-]+)['\"]")


def how_to_install(extra: str) -> str:
    """Return how to install a missing extra: `run COMMAND`.

    Except in a copy of the repository, the command names the libraries of the extra. This project
    is not published, so an index could have another package of the same name.
    """
    return f"run {_command(extra, distribution(_PROJECT), Path(sys.prefix))}"


def _command(extra: str, installed: Distribution, prefix: Path) -> str:
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    libraries = " ".join(libraries_of(extra, installed))
    uv = _is_of_uv(prefix)
    if origin.get("dir_info", {}).get("editable"):
        if uv:
            return f"uv run --extra {extra} canasta"
        return f"{_python()} -m pip install -e '.[{extra}]' in your copy of the repository"
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx inject {prefix.name} {libraries}"
    if (prefix / "uv-receipt.toml").is_file():
        more = " ".join(f"--with {name}" for name in libraries.split())
        return f"uv tool install {more} {_wheel(origin)}"
    if uv or find_spec("pip") is None:
        return f"uv pip install --python {_python()} {libraries}"
    return f"{_python()} -m pip install {libraries}"


def libraries_of(extra: str, installed: Distribution) -> list[str]:
    """Return the names of the libraries that an extra needs."""
    needed = filter(None, map(_NEEDED.match, installed.requires or ()))
    return [each[1] for each in needed if each[2] == extra and each[1] != _PROJECT]


def _is_of_uv(prefix: Path) -> bool:
    """Return whether uv made the environment."""
    try:
        return re.search("^uv = ", (prefix / "pyvenv.cfg").read_text("utf-8"), re.M) is not None
    except OSError:
        return False


def _python() -> str:
    """Return the Python that runs this program: another one may come first in the shell."""
    python, here = Path(sys.executable), Path.cwd()
    if python.is_relative_to(here) and (here / "pyproject.toml").is_file():
        python = python.relative_to(here)
    return shlex.quote(str(python))


def _wheel(origin: dict[str, str]) -> str:
    """Return the file that was installed, or WHEEL if it no longer exists."""
    path = unquote(urlsplit(origin.get("url", "")).path)
    return shlex.quote(path) if Path(path).is_file() else "WHEEL"
