"""The canonical form: its spelling, that it records the same, and that it is stable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta_notation.cards import CODES, RANK_LETTERS, UNKNOWN
from canasta_notation.engine.actions import Ask, Draw
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import (
    canonical,
    format_action,
    format_game,
    format_games,
    format_line,
    format_turn,
)
from canasta_notation.notation.json_form import games_from_json
from canasta_notation.notation.reader import read_line, read_text
from canasta_notation.notation.tag_values import TAGS
from tests.documents import GAMES, RECORDS, TIDY, TURN, games_to_json, read

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
bonus NS 0100 cut  ; exactly
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


def test_canonical_form() -> None:
    assert format_game(read(UNTIDY)) == TIDY
    assert format_game(read(TIDY)) == TIDY
    assert read(TIDY) == canonical(read(UNTIDY))


def test_tags_are_in_the_order_of_the_notation() -> None:
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


def test_one_action() -> None:
    assert format_action(Draw((0, 6)), 2) == "+3h4s"
    assert format_action(Ask(False)) == "ask=no"


def test_games_of_a_file() -> None:
    game = read(TIDY)
    text = "".join(format_games([(game, 1), (game, 1)]))
    assert text == TIDY + "\n" + TIDY
    assert [reading.game for reading in read_text(text)] == [game, game]


NO_TAG = Game((), read(TIDY).deals)
ONLY_NAMES = Game(read('[N "Ana"]').tags, ())


@pytest.mark.parametrize("pair", [(ONLY_NAMES, read(TIDY)), (read(TIDY), NO_TAG)])
def test_games_that_would_merge_as_text(pair: tuple[Game, Game]) -> None:
    with pytest.raises(ValueError, match="CGN tag"):
        list(format_games((game, 1) for game in pair))


def test_a_game_without_a_deal_is_written_before_another() -> None:
    games = [Game(read(TIDY).tags, ()), read(TIDY)]
    text = "".join(format_games((game, 1) for game in games))
    assert [reading.game for reading in read_text(text)] == games
    assert list(games_from_json(games_to_json(games))) == games


def test_a_game_of_nothing_is_not_written() -> None:
    with pytest.raises(ValueError, match="needs a tag or a deal"):
        list(format_games([(read(TIDY), 1), (Game((), ()), 1)]))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_records_are_canonical_after_formatting(path: Path) -> None:
    for reading in read_text(path.read_text("utf-8")):
        text = format_game(reading.game)
        [again] = read_text(text)
        assert again.game == canonical(reading.game)
        assert format_game(again.game) == text


@given(GAMES, st.integers(1, 2))
def test_formatted_games_are_read_back(game: Game, draw_count: int) -> None:
    text = format_game(game, draw_count)
    again = read(text)
    assert again == canonical(game)
    assert format_game(again, draw_count) == text


@given(TURN, st.integers(1, 2))
def test_one_turn(turn: Turn, draw_count: int) -> None:
    value = read_line(format_line(turn, draw_count))
    assert isinstance(value, Turn)
    assert format_line(value, draw_count) == format_line(turn, draw_count)
    assert (value.actions, value.comment) == (turn.actions, turn.comment)


def test_every_rank_has_a_label() -> None:
    assert UNKNOWN == CODES - 1
    assert all(RANK_LETTERS[rank] for rank in range(1, 15))
