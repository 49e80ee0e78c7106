"""Every ruling is a record: what it must be found guilty of stands on its own line.

The tables in `rulings/` were written from the rule texts: a trailing comment `expect: CODE` marks
the line of a finding, and nothing else may be found, notes of unfinished deals aside.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.findings import Finding
from canasta_notation.notation.document import Game, Tag
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game import replay_game
from canasta_notation.rules import entry

RULINGS = Path(__file__).parent / "rulings"
EXPECT = re.compile(r";\s*expect:(.*)$")


def cases() -> list[Any]:
    """Return every case of every table under each of its profiles."""
    return [
        pytest.param(case, profile, id=f"{case['row']}-{profile}-{case['name'].replace(' ', '_')}")
        for path in sorted(RULINGS.glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
        for profile in case["profiles"]
    ]


def under(game: Game, profile: str, overrides: str) -> Game:
    """Return the game with a Rules tag, unless it names its own."""
    if game.tag("Rules"):
        return game
    return replace(game, tags=(*game.tags, Tag("Rules", f"{profile} {overrides}".strip())))


def expected(record: str) -> set[tuple[int, str]]:
    """Return (line, code) of every finding that the record's comments announce."""
    marks = [(at, EXPECT.search(line)) for at, line in enumerate(record.split("\n"), 1)]
    return {(at, code) for at, mark in marks if mark for code in mark[1].split()}


@pytest.mark.parametrize(("case", "profile"), cases())
def test_ruling(case: dict[str, Any], profile: str) -> None:
    findings: list[Finding] = []
    verdict = None
    for reading in read_text(case["record"]):
        game = under(reading.game, profile, case.get("overrides", ""))
        report = replay_game(game, problems=reading.problems)
        findings += report.all_findings()
        verdict = report.verdict
    found = {(each.span.line, each.code) for each in findings if each.code != "unfinished"}
    assert found == expected(case["record"]), "\n".join(
        f"{each.span.line}: {each.code}: {each.message}" for each in findings
    )
    assert verdict == case["verdict"]
    for each in findings:
        assert each.rule is None or each.rule.key in entry(each.code).keys
