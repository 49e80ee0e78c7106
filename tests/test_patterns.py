"""Every pattern takes time in proportion to its text, even if it does not fit."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import canasta_notation
from canasta_notation.notation.diagnose import Slip, slips

PACKAGE = Path(canasta_notation.__file__).parent
METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")
#: What a text consists of, besides the examples of slips: cards, signs, spaces, lines.
PARTS = (
    "83d", "8", "K", "Ks", "Ks ", "-", "+", "^", "*", "_", ":", ",", ";", "=", "~", "#", "@", "[",
    '"', "\\", "(", "/", ".", " ", "\t ", "\n", "\r\n", "0", "1. ", "a", "a ", "é", "♠",
    "♠K", "N: ", "K:Ks", "a=1 ",
    "h/2", "K/2>1 ", "^9h/1 ", "E +5h -9s ", "-Kh @12.5 ", '[A "b"]\n', "NS 5 ",
)  # fmt: skip
#: The times of 400 repetitions and of 100 are compared; a quadratic pattern takes 16 times as long.
MORE, FEWER = 400, 100
MOST = 8
#: Shorter parts are repeated up to this many characters first; shorter times are not compared.
LENGTH = 16
SHORT = 0.002


def measured(use: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    use(text)
    return time.process_time() - start


def grows(use: Callable[[str], object], part: str) -> bool:
    """Return whether the time grows faster than the text."""
    part *= max(1, LENGTH // len(part))
    if measured(use, part * MORE) < SHORT:
        return False
    long = min(measured(use, part * MORE) for _ in range(3))
    short = min(measured(use, part * FEWER) for _ in range(3))
    return long > SHORT and long > MOST * short


def examples(slip: Slip) -> Iterator[str]:
    """Yield the examples of a slip, each as a line and from the error on."""
    for example in slip.examples:
        yield re.sub("[⟦⟧]", "", example)
        yield re.sub("[⟦⟧]", "", example[example.index("⟦") :])
        yield example[example.index("⟦") + 1 : example.index("⟧")]


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: slip.message)
def test_the_time_for_a_slip_grows_with_the_line(slip: Slip) -> None:
    fits, before = re.compile(slip.pattern).match, re.compile(slip.before).search
    for part in (*filter(None, dict.fromkeys(examples(slip))), *PARTS):
        assert not grows(fits, part), part
        assert not grows(before, part), part


def used_patterns() -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield where a pattern is used, the pattern, and the method with which it is used."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        calls = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Call)]
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for call in calls:
            if not (isinstance(call.func, ast.Attribute) and call.func.attr in METHODS):
                continue
            owner = call.func.value
            if not isinstance(owner, ast.Name):
                continue
            found: object = None
            if owner.id == "re" and call.args and isinstance(call.args[0], ast.Constant):
                found = re.compile(call.args[0].value)
            elif owner.id.isupper():
                found = getattr(importlib.import_module(name), owner.id, None)
            if isinstance(found, re.Pattern):
                yield f"{name}:{call.lineno}", found, call.func.attr


def test_the_time_for_a_pattern_grows_with_the_text() -> None:
    used = [*used_patterns()]
    slow = [(where, part) for where, *use in used for part in slow_parts(*use)]
    assert slow == []
    modules = {where.partition(":")[0] for where, *_ in used}
    assert {"canasta_notation.notation.diagnose", "canasta_notation.live.action_text"} <= modules


def slow_parts(pattern: re.Pattern[str], method: str) -> list[str]:
    """Return the parts of texts for which the time for a pattern grows faster than the text."""
    of_text = isinstance(pattern.pattern, str)

    def use(text: str) -> object:
        found = (text if of_text else text.encode(),)
        arguments = ("" if of_text else b"", *found) if method.startswith("sub") else found
        result = getattr(pattern, method)(*arguments)
        return list(result) if method == "finditer" else result

    return [part for part in PARTS if grows(use, part)]
