"""The reference of the notation: its examples are records, and its tables are complete."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from canasta_notation.notation.diagnose import KEYWORDS, SCORED, SIDES
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.notation.tag_values import TAGS
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.resources import packaged_text
from canasta_notation.rules import (
    codes,
    entry,
    keys,
    load_profile,
    parse_rules,
    profile_names,
    sources,
)
from tests.documents import games_to_json
from tests.test_rulings import ROWS

REFERENCE = (Path(__file__).parent.parent / "grammar" / "README.md").read_text("utf-8")
RULES = (Path(__file__).parent.parent / "grammar" / "RULES.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
RECORDS = [text for kind, text in BLOCK.findall(REFERENCE) if kind == "canasta"]


def section(title: str) -> str:
    """Return the text below a second-level heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", REFERENCE, re.S | re.M)
    assert found is not None, title
    return found[1]


def rows(text: str, head: str) -> list[list[str]]:
    """Return the cells of the table whose first column has this heading."""
    found = re.search(rf"^\| {re.escape(head)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert found is not None, head
    return [re.split(r" ?\| ?", row)[1:-1] for row in found[1].splitlines()]


def spelled(cells: list[str]) -> list[str]:
    """Return the texts in backquotes, in order."""
    return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]


def terminal(name: str) -> list[str]:
    """Return the words that a terminal of the grammar spells."""
    grammar = packaged_text("grammar", "canasta.lark")
    body = re.search(rf"^{name} +: (.*(?:\n +\|.*)*)", grammar, re.M)
    assert body is not None, name
    return re.findall(r'"([^"]+)"', body[1])


@pytest.mark.parametrize("text", RECORDS)
def test_a_record_has_no_error_and_is_canonical(text: str) -> None:
    (reading,) = read_text(text)
    report = replay_game(reading.game)
    findings = report.findings
    assert [each.message for each in findings if each.severity == "error"] == []
    assert [deal.unchecked_from for deal in report.deals] == [None] * len(report.deals)
    assert format_game(reading.game, load_profile(report.rules)["draw.count"]) == text


def test_the_first_example_is_verified_and_explained() -> None:
    (reading,) = read_text(RECORDS[0])
    assert replay_game(reading.game).verdict == "verified"
    assert RECORDS[0] in section("A first example")


def test_the_json_example_is_a_record() -> None:
    (text,) = (text for kind, text in BLOCK.findall(REFERENCE) if kind == "json")
    record = next(text for kind, text in BLOCK.findall(section("Irregularities")) if kind)
    assert json.loads(text) == games_to_json([reading.game for reading in read_text(record)])


def test_the_findings_are_those_of_the_catalogue() -> None:
    table = rows(section("Findings"), "family")
    named = [spelled([row[1]])[0] for row in table]
    assert set(named) ^ set(codes()) == set()
    assert tuple(named) == codes()
    assert [row[0] for row in table] == [entry(code).family for code in codes()]
    assert [row[2:] for row in table] == [[entry(code).what] for code in codes()]


def test_the_false_claims_are_those_of_the_catalogue() -> None:
    listed = re.search(r"one of these codes:\s((?:`[a-z-]+`[.\s]+)+)", section("Findings"))
    assert listed is not None
    assert spelled([listed[1]]) == [code for code in codes() if entry(code).claim]


def test_no_other_code_is_named() -> None:
    """Every word after a `~`, and every word that looks like a code, is a code."""
    acknowledged = set(re.findall(r"~([a-z0-9-]+)", REFERENCE)) - {"code"}
    assert acknowledged <= set(codes())
    families = {code.partition("-")[0] for code in codes() if "-" in code}
    named = set(re.findall(r"`([a-z]+-[a-z-]+)`", REFERENCE)) - set(profile_names()) - set(SCORED)
    assert {word for word in named if word.partition("-")[0] in families} <= set(codes())


def test_the_tags_are_the_known_ones() -> None:
    assert tuple(spelled([row[0] for row in rows(section("Tags"), "tag")])) == TAGS


def test_the_items_are_those_of_the_grammar() -> None:
    items = spelled([row[0] for row in rows(section("Score sheets"), "item")])
    assert items == terminal("ITEM")
    assert sorted(items) == sorted(SCORED)
    help = re.search(r"the items are ([a-z0-9 -]+)", packaged_text("grammar", "slips.toml"))
    assert help is not None
    assert sorted(help[1].split()) == sorted(SCORED)


def test_the_keywords_are_those_of_the_grammar() -> None:
    text = section("The lines of a deal")
    listed = re.search(r"keywords are ((?:`[a-z]+`\s?)+)", text)
    assert listed is not None
    assert spelled([listed[1]]) == list(KEYWORDS)
    assert [terminal(word.upper()) for word in KEYWORDS] == [[word] for word in KEYWORDS]
    shown = [spelled([row[0]])[0].split()[0] for row in rows(text, "line")]
    assert [word for word in shown if word in KEYWORDS] == list(KEYWORDS)


def test_the_sides_are_those_of_the_grammar() -> None:
    assert set(SIDES) <= set(spelled([section("Words")]))


def test_the_rules_are_those_of_the_catalogue() -> None:
    text = section("The Rules tag")
    named = spelled([row[1] for row in rows(text, "about")])
    assert set(named) ^ set(keys()) == set()
    assert len(named) == len(keys())
    tags = re.findall(r'^\[Rules "(.*)"\]$', text, re.M)
    examples = spelled([row[1] for row in rows(text, "kind of value")])
    tags += [f"classic {word}" for word in examples if "=" in word]
    assert len(tags) > 8
    assert [problem for tag in tags for problem in parse_rules(tag).problems] == []


def test_the_rulings_are_those_that_are_tested() -> None:
    rulings = re.findall(r"^\| ([A-I]\d\d) \|", RULES, re.M)
    assert sorted(rulings) == sorted(ROWS.split())


def test_the_sources_are_those_of_the_profiles() -> None:
    table = rows(RULES[RULES.index("## The sources") :], "source")
    assert [row[0] for row in table] == list(sources())
    assert re.findall(r"\b00[0-4]\b", RULES) == []


def test_links_lead_to_existing_files() -> None:
    folder = Path(__file__).parent.parent / "grammar"
    for target in re.findall(r"\]\(([^)#]+)\)", REFERENCE + RULES):
        assert (folder / target).exists(), target


def test_the_deal_of_the_comparison_has_nothing_but_what_was_accepted() -> None:
    text = (Path(__file__).parent.parent / "grammar" / "COMPARISON.md").read_text("utf-8")
    (record,) = [text for kind, text in BLOCK.findall(text) if kind == "canasta"]
    (reading,) = read_text(record)
    report = replay_game(reading.game)
    assert report.verdict == "verified"
    assert [each.code for each in report.findings] == ["opening-low"]
    assert {each.severity for each in report.findings} == {"note"}
