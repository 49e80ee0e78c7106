"""The packaged grammar, schemas and samples: in the wheel's `_data`, else in the source tree."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_PACKAGE = files("canasta_notation")


@cache
def packaged_text(folder: str, name: str) -> str:
    """Return the text of a packaged file, `folder` being `grammar` or `schemas`.

    Raises FileNotFoundError if neither the wheel's copy nor the source tree has it.
    """
    packaged = _PACKAGE.joinpath("_data", folder, name)
    return (packaged if packaged.is_file() else _source_tree(folder, name)).read_text("utf-8")


def _source_tree(folder: str, name: str) -> Traversable:
    return _PACKAGE.joinpath("..", folder, name)
