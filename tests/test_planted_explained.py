"""The tool that plants mistakes: what it explains exists, and no function remembers an old one."""

from __future__ import annotations

import ast
import gc
import tomllib
from pathlib import Path

import pytest

from canasta_notation.live.answers import spelled_by
from tests.mutation.mistakes import EXPLAINED
from tests.mutation.planting import _caches, forget

ROOT = Path(__file__).parent.parent
MUTANTS = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant["function"])
def test_an_explained_mutant_changes_a_line_of_the_code(mutant: dict[str, str]) -> None:
    source = (ROOT / mutant["file"]).read_text("utf-8")
    if not mutant["function"]:
        assert mutant["code"] in source
        return
    functions = [
        ast.get_source_segment(source, each) or ""
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef) and each.name == mutant["function"].split(".")[-1]
    ]
    assert any(mutant["code"] in each for each in functions)


def test_what_functions_remember_is_forgotten_although_it_is_frozen() -> None:
    gc.freeze()
    try:
        _caches.cache_clear()
        assert spelled_by("-9d").kind == "discard" and spelled_by.cache_info().currsize
        forget()
    finally:
        gc.unfreeze()
    assert spelled_by.cache_info().currsize == 0
