"""The canonical form: what it looks like, that it says the same, and that it does not change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta_notation.cards import CODES, RANK_LETTERS, UNKNOWN
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    MeldsLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    TalonLine,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import (
    TAGS,
    canonical,
    format_action,
    format_game,
    format_games,
    format_line,
    format_turn,
)
from canasta_notation.notation.reader import read_line, read_text
from canasta_notation.notation.slips import ITEMS, SIDES

_L = TypeVar("_L")

#: The samples of the project, and those in the folder that CANASTA_RECORDS names.
RECORDS = [
    *sorted((Path(__file__).parent.parent / "samples").glob("*.canasta")),
    *sorted(Path(os.environ.get("CANASTA_RECORDS", os.devnull)).glob("*.canasta")),
]

UNTIDY = """\
; first

[Zebra "1"]
[Source "s"] ; where from
  [N "Ana"]
[CGN "1"]
[Aa "2"]
[E "Bruno"]
deal 1 dealer N
; of N
N:  2c*_4s10h3s3h... +8s As ; hand
E: Kd Ks
up   9c2d
stock 9c 2d 4s
talon 9c4s
talon 5s
1.N +3h9c5d @12.50 !  K:KdKs ask=yes # -9s ~b ~a
; no
penalty EW 50 upcard;why
2. E ^9s/3 9:9s9d $14 open=050 ?
end out N concealed
; the kings
melds NS *:2c2d* K:KsKd 3:3c3s
melds EW;
threes NS 3r3h
left S ...
left E 2c 10h3s 4 ...
score NS 0012 = out 100 hand -88
total EW 5 NS 12
deal 2
; the end
"""

TIDY = """\
[CGN "1"]
[N "Ana"]
[E "Bruno"]
[Source "s"] ; where from
; first
[Zebra "1"]
[Aa "2"]

deal 1 dealer N
; of N
N: 3h 3s 4s Th 2c * _ ... +8s +As ; hand
E: Ks Kd
up 9c 2d
stock 9c 2d 4s
talon 4s 9c
talon 5s
1. N +3h +9c +5d K:KdKs ask=yes -9s # ~b ~a @12.50 !
; no
penalty EW 50 upcard ; why
2. E ^9s/3 9:9s9d open=50 $14 ?
end out N concealed
; the kings
melds NS 3:3c3s K:KsKd *:2c2d*
melds EW ;
threes NS 3h 3r
left E 3s 4 Th 2c ...
left S ...
score NS 12 = out 100 hand -88
total EW 5 NS 12

deal 2
; the end
"""


def read(text: str) -> Game:
    [reading] = read_text(text)
    assert not [it for it in reading.problems if it.code == "syntax"], reading.problems
    return reading.game


def test_canonical_form() -> None:
    assert format_game(read(UNTIDY)) == TIDY
    assert format_game(read(TIDY)) == TIDY
    assert read(TIDY) == canonical(read(UNTIDY))


def test_tags_stand_in_the_order_of_the_notation() -> None:
    tags = "".join(f'[{name} "x"]\n' for name in reversed(TAGS))
    assert [tag.name for tag in canonical(read(tags)).tags] == list(TAGS)


@pytest.mark.parametrize(
    ("text", "count", "canonical_text"),
    [
        ("N +3h9c5d -9s", 1, "N +3h +9c +5d -9s"),
        ("N +3h9c5d -9s", 2, "N +3h9c +5d -9s"),
        ("N +3h +9c +5d -9s", 2, "N +3h9c +5d -9s"),
        ("N +3h +", 2, "N +3h +"),
        ("N +", 2, "N +"),
        ("N +9c5d +", 1, "N +9c +5d +"),
    ],
)
def test_draw_is_one_word_then_a_word_for_each_replacement(
    text: str, count: int, canonical_text: str
) -> None:
    turn = read_line(text)
    assert isinstance(turn, Turn)
    assert format_turn(turn, count) == canonical_text
    assert read_line(canonical_text) == turn


def test_action_alone() -> None:
    assert format_action(Draw((0, 6)), 2) == "+3h4s"
    assert format_action(Ask(False)) == "ask=no"


def test_games_of_a_file() -> None:
    game = read(TIDY)
    text = "".join(format_games([(game, 1), (game, 1)]))
    assert text == TIDY + "\n" + TIDY
    assert [reading.game for reading in read_text(text)] == [game, game]


@pytest.mark.parametrize("pair", [(Game((), ()), read(TIDY)), (read(TIDY), Game((), ()))])
def test_games_that_a_text_cannot_tell_apart(pair: tuple[Game, Game]) -> None:
    with pytest.raises(ValueError, match="CGN tag"):
        list(format_games((game, 1) for game in pair))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_records_are_canonical_after_formatting(path: Path) -> None:
    for reading in read_text(path.read_text("utf-8")):
        text = format_game(reading.game)
        [again] = read_text(text)
        assert again.game == canonical(reading.game)
        assert format_game(again.game) == text


CARD = st.integers(0, CODES - 1)
CARDS = st.lists(CARD, min_size=1, max_size=8).map(tuple)
NUMBER = st.integers(0, 999_999_999)
POINTS = st.integers(-999_999_999, 999_999_999)
SEAT = st.sampled_from("NESWABCDF")
SIDE = st.sampled_from(SIDES)
TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(';"\\[~\t '), max_size=12
)
COMMENT = TEXT.map(lambda text: text.rstrip(" \t"))
COMMENTS = st.lists(COMMENT, max_size=2).map(tuple)
CODE_WORD = st.from_regex(r"[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}", fullmatch=True)
ACKS = st.lists(CODE_WORD, max_size=2).map(tuple)
WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,6}", fullmatch=True)
COMMENTED = {"before": COMMENTS, "comment": st.none() | COMMENT}
LABEL = st.sampled_from(sorted(set(range(1, 15))))

DRAW = st.builds(Draw, CARDS, st.booleans()) | st.just(Draw((), bare=True))
FIRST = st.none() | DRAW | st.builds(Take, CARD, st.none() | NUMBER)
GROUPS = st.lists(
    st.builds(Ask, st.booleans())
    | st.builds(Lay, LABEL, CARDS)
    | st.builds(LaySpecial, st.sampled_from(["straight", "pairs", "garbage"]), CARDS),
    max_size=3,
)


@st.composite
def actions(draw: st.DrawFn) -> tuple[Action, ...]:
    first, groups = draw(FIRST), draw(GROUPS)
    discard = draw(st.none() | st.builds(Discard, CARD))
    talon = draw(st.none() | st.builds(TakeTalon, CARDS))
    return tuple(it for it in (first, *groups, discard, talon) if it is not None)


TURN = st.builds(
    Turn,
    st.none() | NUMBER,
    SEAT,
    actions(),
    st.none() | NUMBER,
    st.sampled_from(["", "#", "##"]),
    ACKS,
    st.none() | st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,2})?", fullmatch=True),
    st.lists(st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$0", "$14"]), max_size=2).map(
        tuple
    ),
    **COMMENTED,
)
PAIRS = st.dictionaries(SIDE, POINTS, min_size=1, max_size=3).map(lambda it: tuple(it.items()))
ITEM_PAIRS = st.dictionaries(st.sampled_from(ITEMS), POINTS, min_size=1, max_size=4).map(
    lambda it: tuple(it.items())
)
NO_CARDS = CARDS | st.just(())
LAYS = st.lists(st.builds(Lay, LABEL, CARDS), max_size=3).map(tuple)


def once(lines: st.SearchStrategy[_L], whose: str) -> st.SearchStrategy[tuple[_L, ...]]:
    """Return lines of one kind, each of another side or seat."""
    unique = st.lists(lines, max_size=2, unique_by=lambda line: getattr(line, whose))
    return unique.map(tuple)


DEAL = st.builds(
    Deal,
    NUMBER,
    st.none() | SEAT,
    st.lists(
        st.builds(HandLine, SEAT, NO_CARDS, st.booleans(), NO_CARDS, ACKS, **COMMENTED),
        max_size=3,
        unique_by=lambda hand: hand.seat,
    ).map(tuple),
    st.none() | st.builds(UpLine, CARDS, ACKS, **COMMENTED),
    st.none() | st.builds(StockLine, CARDS, **COMMENTED),
    st.lists(st.builds(TalonLine, CARDS, **COMMENTED), max_size=2).map(tuple),
    st.lists(TURN | st.builds(PenaltyLine, SIDE, NUMBER, WORD, **COMMENTED), max_size=3).map(tuple),
    st.none()
    | st.builds(EndLine, st.sampled_from(["out", "special"]), SEAT, **COMMENTED)
    | st.builds(EndLine, st.sampled_from(["stock", "unfinished"]), st.none(), **COMMENTED)
    | st.builds(EndLine, st.just("out"), SEAT, st.just(True), **COMMENTED),
    once(st.builds(MeldsLine, SIDE, LAYS, **COMMENTED), "side"),
    once(st.builds(ThreesLine, SIDE, NO_CARDS, **COMMENTED), "side"),
    once(st.builds(LeftLine, SEAT, NO_CARDS, st.booleans(), **COMMENTED), "seat"),
    st.lists(
        st.builds(ScoreLine, SIDE, POINTS, st.none() | ITEM_PAIRS, **COMMENTED),
        max_size=2,
        unique_by=lambda score: score.side,
    ).map(tuple),
    st.none() | st.builds(TotalLine, PAIRS, **COMMENTED),
    **COMMENTED,
)
TAG = st.builds(Tag, WORD | st.sampled_from(TAGS), TEXT, **COMMENTED)
GAMES = st.builds(
    Game,
    st.lists(TAG, max_size=3).map(lambda tags: (Tag("CGN", "1"), *tags)),
    st.lists(DEAL, max_size=2).map(tuple),
    COMMENTS,
)


@given(GAMES, st.integers(1, 2))
def test_what_is_formatted_is_read_again(game: Game, draw_count: int) -> None:
    text = format_game(game, draw_count)
    again = read(text)
    assert again == canonical(game)
    assert format_game(again, draw_count) == text


@given(TURN, st.integers(1, 2))
def test_turn_alone(turn: Turn, draw_count: int) -> None:
    value = read_line(format_line(turn, draw_count))
    assert isinstance(value, Turn)
    assert format_line(value, draw_count) == format_line(turn, draw_count)
    assert (value.actions, value.comment) == (turn.actions, turn.comment)


def test_every_rank_has_a_label() -> None:
    assert UNKNOWN == CODES - 1
    assert all(RANK_LETTERS[rank] for rank in range(1, 15))
