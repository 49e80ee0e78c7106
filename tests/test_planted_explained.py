"""The explained mutants: each changes a line of a function that exists."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from tests.mutation import EXPLAINED

ROOT = Path(__file__).parent.parent
MUTANTS = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant["function"])
def test_an_explained_mutant_changes_a_line_of_the_code(mutant: dict[str, str]) -> None:
    source = (ROOT / mutant["file"]).read_text("utf-8")
    functions = [
        ast.get_source_segment(source, each) or ""
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef) and each.name == mutant["function"].split(".")[-1]
    ]
    assert any(mutant["code"] in each for each in functions)
