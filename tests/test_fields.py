"""Checks of fields: each test passes and refuses what it says, in its words."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from canasta_notation import fields
from canasta_notation.cards import CODES, parse_cards, parse_label
from canasta_notation.fields import check, check_numbers, check_points, figures, show, unchecked

MOST = 999_999_999
KS = parse_cards("Ks")
#: A test, values that pass it, values that do not, and a part of its words.
TESTS = [
    (fields.FLAG, [True, False], [0, 1, None], "a bool"),
    (fields.NUMBER, [0, 7, MOST], [-1, MOST + 1, True, 1.0, "1"], "from 0 to 999999999"),
    (fields.NUMBER_OR_NONE, [None, 0, MOST], [-1, False], "or None"),
    (fields.POINTS, [-MOST, 0, MOST], [-MOST - 1, MOST + 1, True], "from -999999999"),
    (fields.TEXT_LINE, ["", "a b", "é\t"], ["a\nb", "\x00", "\x85", "\ud800", 3], "one line"),
    (fields.TAG_NAME, ["Event", "a-1_x"], ["", "1a", "a b", "é"], "name of a tag"),
    (fields.WORD, ["cut"], ["", "-a"], "a word"),
    (fields.SIDE, ["NS", "ACE", "AD", "N"], ["NE", "", "NSEW", "ns"], "such as NS"),
    (fields.OUT_MARK, ["", "#", "##"], ["###", None], "'##'"),
    (fields.FINDINGS, [(), ("pile-top", "a1")], [("Pile",), ("a-",), ["a"]], "codes of findings"),
    (fields.CLOCK, [None, "12", "12.5"], ["", "12.", "-1", "1" * 10, 12], "seconds"),
    (fields.GLYPHS, [(), ("!", "?!", "$14")], [("!!!",), ("$",), ("$1000",)], "annotations"),
    (fields.TEXT_LINES, [(), ("a", "")], [("a\n",), ["a"]], "a tuple of lines"),
    (fields.CARD, [0, CODES - 1], [-1, CODES, True, "Ks"], "the code of a card"),
    (fields.CARDS, [(), KS, (0, CODES - 1)], [[0], (CODES,), (True,), ("K",)], "codes of cards"),
    (fields.SOME_CARDS, [KS], [(), [0]], "at least one"),
    (fields.THREES, [parse_cards("3h3b")], [(), KS, parse_cards("3hKs")], "codes of threes"),
    (fields.PLACE, [parse_label("K/9"), parse_label("3")], [0, -1, 15, 20, True], "of a label"),
    (fields.SET_PLACE, [parse_label("K")], [parse_label("3")], "other than 3"),
    (fields.SET_PLACE_OR_NONE, [None, parse_label("s")], [parse_label("3"), ()], "or None"),
    (fields.SEAT, ["N", "F"], ["", "NS", "G", 1], "letter of a seat"),
    (
        fields.SPECIAL,
        ["pairs", "two-pairs"],
        ["a", "talon", "back", "Pairs", "a--b"],
        "special hand",
    ),
    (fields.COLUMNS, [(1, 2)], [(1,), (1, 2, 3), (1, "2"), [1, 2]], "an end column"),
    (fields.ALL_COLUMNS, [(), ((1, 2),)], [((1,),), [(1, 2)]], "pairs of a column"),
    (fields.LINES, [(), (1, 2)], [(True,), ("1",), 1], "a tuple of int"),
    (figures(fields.WORD), [(("a", 1), ("b", -2))], [(), (("a", 1), ("a", 2)), (("a",),)], "once"),
    (fields.one_of(int, type(None)), [3, None], ["3", True], "an int or None"),
    (fields.tuple_of(int, str), [(), (1, "a")], [[1], (None,)], "a tuple of int or str"),
]


@pytest.mark.parametrize(
    ("test", "passing", "refused", "words"), TESTS, ids=[each[-1] for each in TESTS]
)
def test_a_test_passes_what_it_says(
    test: fields.Test, passing: list[object], refused: list[object], words: str
) -> None:
    holds, what = test
    assert words in what
    assert [each for each in passing if not _holds(holds, each)] == []
    assert [each for each in refused if _holds(holds, each)] == []


def _holds(holds: object, value: object) -> bool:
    """A test may raise TypeError for a value of another kind, which `check` takes as a refusal."""
    try:
        return bool(holds(value))  # type: ignore[operator]
    except TypeError:
        return False


@dataclass(frozen=True, slots=True)
class _Held:
    number: int = 0
    cards: tuple[int, ...] = ()
    rank: int = 12
    note: str | None = None
    place: int = field(default=0, compare=False)


def test_a_check_names_the_first_field_that_does_not_pass() -> None:
    check(_Held(), number=fields.NUMBER, cards=fields.CARDS)
    with pytest.raises(ValueError, match=r"_Held\.cards: .*99.* is not a tuple of the codes"):
        check(_Held(1, (99,)), number=fields.NUMBER, cards=fields.CARDS, note=fields.NUMBER)
    unhashable = _Held(1, ([],))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"_Held\.cards"):
        check(unhashable, cards=fields.CARDS)


def test_one_for_each_refuses_a_second_of_the_same() -> None:
    holds, what = fields.one_for_each(_Held, "number")
    assert holds((_Held(1), _Held(2))) and not holds((_Held(1), _Held(1, KS)))
    assert what == "a tuple of _Held, one for each number"


def test_an_unchecked_constructor_makes_the_same_value() -> None:
    made = unchecked(_Held)(3, KS, note="x")
    assert made == _Held(3, KS, note="x") and type(made) is _Held
    with pytest.raises(AttributeError):
        made.number = 4


def test_a_value_is_shown_without_its_empty_fields() -> None:
    assert show(_Held(3, parse_cards("KsKh"), parse_label("K/2"), place=9)) == (
        "_Held(number=3, cards='Ks Kh', rank='K/2')"
    )
    assert show(_Held()) == "_Held()"


def test_numbers_and_points_are_checked() -> None:
    check_numbers(deal=None, turn=3)
    with pytest.raises(TypeError, match=r"turn must be a whole number, not 3\.5"):
        check_numbers(deal=1, turn=3.5)  # type: ignore[arg-type]
    check_points("the score", MOST)
    with pytest.raises(ValueError, match=r"the score would be 1000000000; .* 9 digits"):
        check_points("the score", MOST + 1)
