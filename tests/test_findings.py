"""Findings as text, and the worst of several verdicts."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest

from canasta_notation.findings import Finding, RuleRef, Span, Verdict, syntax_error, worst

CAUSE = Finding("pile-top", "error", "another top", Span(12, 3, 5), 2, 4, 7)
FINDING = Finding("pile-frozen", "error", "it is frozen", Span(22, 6, 9), 2, 4, 8, file="a.canasta")


def test_a_finding_is_a_line_that_begins_with_its_place() -> None:
    assert str(FINDING) == "a.canasta:22:6: error[pile-frozen]: it is frozen"
    assert str(replace(FINDING, file="")).startswith("<text>:22:6: ")


@pytest.mark.parametrize(
    ("deal", "turn", "file", "place"),
    [
        (4, 8, "a.canasta", "deal 4, turn 8"),
        (4, None, "a.canasta", "deal 4"),
        (None, None, "a.canasta", "a.canasta"),
        (None, None, "", "<text>"),
    ],
)
def test_without_a_line_it_begins_with_its_deal_and_turn(
    deal: int | None, turn: int | None, file: str, place: str
) -> None:
    found = replace(FINDING, span=Span(0, 0, 0), deal=deal, turn=turn, file=file)
    assert str(found) == f"{place}: error[pile-frozen]: it is frozen"


def test_a_consequence_names_its_cause_and_the_line_of_it() -> None:
    follows = replace(FINDING, follows=CAUSE)
    assert follows.note == " (follows from pile-top at line 12)"
    without = replace(FINDING, follows=replace(CAUSE, span=Span(0, 0, 0)), acknowledged=True)
    assert without.note == " (acknowledged) (follows from pile-top)"
    assert FINDING.note == ""


def test_the_file_makes_no_finding_another() -> None:
    assert replace(FINDING, file="b.canasta") == FINDING != replace(FINDING, turn=9)


def test_a_syntax_error_has_its_help() -> None:
    error = syntax_error(Span(1, 2, 3), "what is this", "leave it out")
    assert (error.code, error.severity, error.help) == ("syntax", "error", "leave it out")


def test_a_rule_is_shown_as_its_sentence() -> None:
    assert str(RuleRef("pile.freezers", ["wild"], "S", "000", "wild cards freeze")) == (
        "wild cards freeze"
    )


def test_the_worst_verdict_wins_in_any_order() -> None:
    order: tuple[Verdict, ...] = ("contradicted", "undetermined", "verified")
    for one, other in product(order, repeat=2):
        expected = order[min(order.index(one), order.index(other))]
        assert worst([one, other]) == expected
    assert all(worst([*each]) == "contradicted" for each in permutations(order))
    assert worst([]) == "undetermined"
