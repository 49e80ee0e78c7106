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


@pytest.mark.skipif(not ENGINE.is_dir(), reason="reads the engine's sources beside the tests")
def test_the_numbers_of_the_rules_are_in_the_profiles() -> None:
    """The engine's functions count in ones and twos; 8 is the number of bits in a byte."""
    functions = [
        (path.name, node)
        for path in ENGINE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    found = {
        (name, node.lineno, node.value)
        for name, function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    }
    assert [each for each in found if each[2] not in (0, 1, 2, 8)] == []
