"""The catalogue names the engine's checks, and the source must match it."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from canasta_notation.rules import codes, entry

ENGINE = Path(__file__).parent.parent / "canasta_notation" / "engine"


def violations() -> dict[str, set[str]]:
    """Return, by code, the functions of the engine that call `violate` with it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in ENGINE.glob("*.py"):
        for function in ast.parse(path.read_text("utf-8")).body:
            for node in ast.walk(function):
                match node:
                    case ast.Call(func=ast.Name(id="violate"), args=[_, code, *_]):
                        name = getattr(function, "name", "")
                        found[ast.literal_eval(code)].add(f"{path.stem}.{name}")
    return found


def test_every_violation_of_the_engine_is_in_the_catalogue() -> None:
    catalogue = {code: set(entry(code).checks) for code in codes() if entry(code).checks}
    assert violations() == catalogue
