"""Words, numbers, cards and ranks in sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from canasta_notation import english
from canasta_notation.cards import PLACE_OF, parse_cards
from canasta_notation.english import (
    bounds,
    card_name,
    count,
    figure,
    listed,
    meld_name,
    minimum_words,
    signs,
)
from canasta_notation.quoting import QUOTED, quoted, shortened


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 canastas"), (1, "1 canasta"), (2, "2 canastas"), (-1, "-1 canastas")],
)
def test_one_thing_is_not_several(number: int, words: str) -> None:
    assert count(number, "canasta") == words
    assert count(number, "canasta", "of them").endswith("canasta" if number == 1 else "of them")


PACKAGE = Path(english.__file__).parent
#: What is counted in texts.
COUNTED = re.compile(
    r" (?:red threes|(?:more )?(?:action|canasta|card|deal|game|point|row|turn)s)\b"
)
#: What may stand there without it: a number that is never 1, or words.
SEVERAL = {
    ("answers.py", "due"),
    ("bridge.py", "len(games)"),
    ("convert_command.py", "len(inputs)"),
    ("corpus_command.py", "_SHOWN"),
    ("excerpt.py", "among"),
    ("excerpt.py", "need"),
    ("keys.py", "SPECIAL_CARDS"),
    ("keys.py", "least"),
    ("keys.py", "points"),
    ("playouts.py", "table.stock_most"),
    ("validate_work.py", "self._most"),
}


def bare_numbers(path: Path) -> Iterator[str]:
    """Yield each expression of a file that a text has before a plural, though it may be 1."""
    tree = ast.parse(path.read_text())
    asked = [each for each in ast.walk(tree) if isinstance(each, ast.IfExp)]
    guarded = {
        *(id(each) for one in asked if " 1" in ast.unparse(one.test) for each in ast.walk(one))
    }
    for text in ast.walk(tree):
        if not isinstance(text, ast.JoinedStr) or id(text) in guarded:
            continue
        for number, words in pairwise(text.values):
            if isinstance(number, ast.FormattedValue) and isinstance(words, ast.Constant):
                written = ast.unparse(number.value)
                if COUNTED.match(words.value) and (path.name, written) not in SEVERAL:
                    yield written


def test_no_text_says_1_cards() -> None:
    """A number that may be 1 comes before its noun only by `count`."""
    found = {path.name: [*bare_numbers(path)] for path in sorted(PACKAGE.rglob("*.py"))}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("Ts Kh 2d 9c", "10♠ K♥ 2♦ 9♣"),
        ("T K", "10 K"),
        ("3h 3r 3b * _", "3♥ red 3 black 3 joker unknown card"),
    ],
)
def test_a_card_has_the_name_that_people_give_it(cards: str, names: str) -> None:
    assert " ".join(map(card_name, parse_cards(cards))) == names


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("4", "fours"),
        ("A", "aces"),
        ("*", "wild cards"),
        ("s", "spades"),
        ("c", "clubs"),
        ("K/2", "kings (K/2)"),
        ("*/2", "wild cards (*/2)"),
        ("s/2", "spades (s/2)"),
    ],
)
def test_a_meld_has_the_name_of_its_cards(label: str, name: str) -> None:
    assert meld_name(PLACE_OF[label]) == name


def test_figures_in_a_sentence() -> None:
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
    assert listed(["a", "b"], "or") == "a or b"
    assert (bounds(3, 3), bounds(3, 4)) == ("3", "3 to 4")
    assert (figure(None), figure(0), figure(-5)) == ("?", "0", "-5")
    assert [minimum_words(*each) for each in ((None, 0), (None, 15), (90, 0), (105, 15))] == [
        "?", "?", "90", "105 = 90 + 15",
    ]  # fmt: skip
    assert signs(["$1", "$6", "$14", "!"]) == "! ?! $14 !"


def test_a_value_that_just_fits_is_quoted_whole() -> None:
    fits = "x" * (QUOTED - 2)
    assert quoted(fits) == f"'{fits}'" and quoted(fits + "x") == f"'{fits}x..."
    assert shortened("abcdefgh", 8) == "abcdefgh"
    assert shortened("abcdefghi", 8) == "abcd...fghi"
