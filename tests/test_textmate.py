"""The TextMate grammar: it is what its tool makes, and colours every sample as our lexer does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygments", reason="needs the extra `editor`")

from canasta_notation.editor.highlight import TERMINALS, UNREAD, words_of
from tests.textmate import FOLDER, PATH, SCOPES, grammar

SAMPLES = sorted((Path(__file__).parent.parent / "samples").rglob("*.canasta"))
Coloured = list[tuple[int, str, str]]


def test_the_grammar_is_what_its_tool_makes() -> None:
    """If this fails, run `python -m tests.textmate`."""
    assert json.loads(PATH.read_text("utf-8")) == grammar()


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern of TextMate as one of Python."""
    return re.compile(re.sub(r"\\x\{(\w+)\}", lambda sign: chr(int(sign[1], 16)), text))


def coloured(line: str, rules: list[dict[str, Any]]) -> Iterator[tuple[int, str, str]]:
    """Yield what an editor colours: the place, the text and the scope, as TextMate does it."""
    at = 0
    for rule in rules:
        begin = pattern(rule["begin"]).match(line) if "begin" in rule else None
        if begin:
            for group, name in rule["beginCaptures"].items():
                yield begin.start(int(group)), begin[int(group)].rstrip(" \t"), name["name"]
            at, rules = begin.end(), rule["patterns"]
            break
    while True:
        found = [
            (match.start(), number, match)
            for number, rule in enumerate(rules)
            if "match" in rule and (match := pattern(rule["match"]).search(line, at))
        ]
        if not found:
            return
        start, number, match = min(found, key=lambda each: each[:2])
        yield start, match[0].rstrip(" \t"), rules[number]["name"]
        at = match.end()


def ours(line: str) -> Coloured | None:
    """Return what our lexer colours, None for a line that it cannot read."""
    words = words_of(line)
    if any(word.terminal == UNREAD for word in words):
        return None
    return [
        (word.start, line[word.start : word.end], SCOPES[TERMINALS[word.terminal][0]] + ".canasta")
        for word in words
    ]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_colours_are_those_of_our_lexer(path: Path) -> None:
    rules = json.loads(PATH.read_text("utf-8"))["patterns"]
    lines = path.read_text("utf-8").split("\n")
    compared = [(line, expected) for line in lines if (expected := ours(line)) is not None]
    assert len(compared) > 0.8 * len(lines)
    for line, expected in compared:
        assert list(coloured(line, rules)) == expected, line


def test_a_seat_a_side_and_a_card_of_one_letter_differ() -> None:
    rules = grammar()["patterns"]
    for line in ("left A A A", "A: A", "1. A +A -A", "penalty NS 50 N", "score N 5 = hand -5"):
        assert list(coloured(line, rules)) == ours(line)


def test_the_extension_names_its_files() -> None:
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    contributed = package["contributes"]
    files = [package["main"], contributed["grammars"][0]["path"]]
    files.append(contributed["languages"][0]["configuration"])
    assert all((FOLDER / file).is_file() for file in files)
    assert "publisher" not in package
