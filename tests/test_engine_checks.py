"""The catalogue names the engine's checks, and the source must match it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from canasta_notation.rules import codes, entry

ENGINE = Path(__file__).parent.parent / "canasta_notation" / "engine"


def violations() -> set[tuple[str, str]]:
    """Return each code with each function of the engine that calls `violate` with it."""
    found = set()
    for path in ENGINE.glob("*.py"):
        for function in ast.parse(path.read_text("utf-8")).body:
            for node in ast.walk(function):
                match node:
                    case ast.Call(func=ast.Name(id="violate"), args=[_, code, *_]):
                        name = getattr(function, "name", "")
                        found.add((ast.literal_eval(code), f"{path.stem}.{name}"))
    return found


@pytest.mark.skipif(not ENGINE.is_dir(), reason="reads the engine's sources beside the tests")
def test_every_violation_of_the_engine_is_in_the_catalogue() -> None:
    catalogue = {(code, check) for code in codes() for check in entry(code).checks}
    assert violations() - catalogue == set(), "add the function to the `checks` of the code"
    assert catalogue - violations() == set(), "no such function notes the code"
