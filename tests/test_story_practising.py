"""What players can practise: the sums of their decisions, and the sentences about them."""

from __future__ import annotations

from math import hypot

import pytest

from canasta_notation.analysis.analyzed import PlayerFigures
from canasta_notation.analysis.practice import Practice, practice_of, together
from canasta_notation.analysis.values import ABOUT, Judged
from canasta_notation.story.practising import practice_sentences


def judged(about: str, gain: float, error: float = 10, *, gave: bool = False) -> Judged:
    better = "-5h" if gain else None
    return Judged(1, "N", "turn", about, "-4h", better, 0, gain, error, False, gave, ())


def practice(
    kind: str, points: float, error: float, *, deals: int = 3, given: tuple[int, float, float]
) -> Practice:
    return Practice(kind, 40, 12, points, error, deals, *given)


def player(name: str, *known: Practice) -> PlayerFigures:
    of_kind = {each.kind: each for each in known}
    whole = [of_kind.get(kind, Practice(kind, 0, 0, 0, 0, 0, 0, 0, 0)) for kind in ABOUT]
    return PlayerFigures(name, 1, 3, 0, {}, {}, {}, tuple(whole))


NONE = (0, 0.0, 0.0)


def test_small_losses_and_gains_count_and_discards_that_gave_the_pile_are_separate() -> None:
    deals = [
        [judged("discard", 30, gave=True), judged("discard", -10), judged("lay", 5)],
        [judged("discard", 0, 0)],
        [],
    ]
    found = {each.kind: each for each in practice_of(deals)}
    error = round(hypot(10, 10), 1)
    assert found["discard"] == Practice("discard", 3, 2, 20, error, 2, 1, 30, 10)
    assert found["lay"] == Practice("lay", 1, 1, 5, 10, 1, 0, 0, 0)
    assert [*found] == [*ABOUT] and found["out"] == Practice("out", 0, 0, 0, 0, 0, 0, 0, 0)
    both = together([practice_of(deals), practice_of(deals[:1])])[-1]
    assert both == Practice("discard", 5, 4, 40, round(hypot(error, error), 1), 2, 2, 60, 14.1)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (practice("lay", 640, 50, given=NONE), "lost 640 points, give or take 150, by 12 choices"),
        (practice("lay", 640, 50, deals=2, given=NONE), "It is too early to say"),
        (practice("lay", 640, 220, given=NONE), "It is too early to say"),
        (practice("draw", 300, 50, given=NONE), "between drawing and taking the pile"),
        (practice("out", 300, 50, given=NONE), "between going out and playing on"),
        (practice("open", 300, 50, given=NONE), "between opening and waiting"),
        (practice("discard", 300, 50, given=NONE), "by 12 discards."),
        (practice("discard", 300, 50, given=(2, 50.0, 30.0)), "by 12 discards."),
    ],
)
def test_sentences_about_one_player(known: Practice, said: str) -> None:
    sentence, *advice = practice_sentences([player("Bruno", known)])
    assert said in sentence.text
    assert len(advice) == (0 if sentence.key == "P8" else 1)


def test_the_dearest_comes_first_and_all_together_last() -> None:
    discards = practice("discard", 720, 50, given=(9, 640.0, 40.0))
    lays, outs = practice("lay", 700, 60, given=NONE), practice("out", 90, 20, given=NONE)
    found = [each.text for each in practice_sentences([player("Bruno", discards, lays)])]
    assert found == [
        "Bruno lost 700 points, give or take 180, by 12 choices of the cards to lay.",
        "Bruno lost 640 points, give or take 120, by 9 discards that gave the next player the "
        "pile.",
        "Laying: before you lay a card, see whether you will need it to take the pile or to go "
        "out.",
        "The pile: the larger it is, the more it is worth to discard a safe card, such as a rank "
        "that the next player has just discarded.",
    ]
    found = [each.text for each in practice_sentences([player("Bruno", lays), player("Ana", outs)])]
    assert found[1:4] == [
        "Ana lost 90 points, give or take 60, by 12 choices between going out and playing on.",
        "All players together lost 700 points, give or take 180, by 12 choices of the cards to "
        "lay.",
        "All players together lost 90 points, give or take 60, by 12 choices between going out "
        "and playing on.",
    ]
    assert [text.split(":")[0] for text in found[4:]] == ["Going out", "Laying"], "each once"


def test_kinds_that_cost_points_only_together_are_named_together() -> None:
    lays = practice("lay", 700, 60, given=NONE)
    near = [practice(kind, 60, 20, given=NONE) for kind in ("draw", "discard")]
    found = [each.text for each in practice_sentences([player("Bruno", lays, *near)])]
    assert found[1] == (
        "Bruno lost 120 points, give or take 90, by these decisions together: the draw and the "
        "discard."
    )
    assert [text.split(":")[0] for text in found[2:]] == ["The draw", "Laying", "The discard"]
    few = [practice(kind, 60, 20, deals=2, given=NONE) for kind in ("draw", "discard")]
    assert [each.key for each in practice_sentences([player("Bruno", lays, *few)])] == ["P4", "O4"]


def test_only_kinds_that_cost_points_have_advice() -> None:
    near = [practice(kind, 100, 40, given=NONE) for kind in ("lay", "draw", "discard")]
    said = []
    for points in (-1, 0, 1):
        out = practice("out", points, 1, given=NONE)
        said.append([each.key for each in practice_sentences([player("Ana", *near, out)])])
    assert said[0] == said[1] and len(said[1]) == len(said[2]) - 1
    assert {*said[1]} < {*said[2]}


def test_discards_that_did_not_give_the_pile_are_the_others() -> None:
    discards = practice("discard", 940, 50, given=(9, 640.0, 40.0))
    found = [each.text for each in practice_sentences([player("Bruno", discards)])]
    assert found[1] == "Bruno lost 300 points, give or take 90, by 3 other discards."


def test_without_play_outs_there_are_no_sentences() -> None:
    assert practice_sentences([PlayerFigures("Ana", 1, 3, 0, {}, {}, {}, None)]) == []
