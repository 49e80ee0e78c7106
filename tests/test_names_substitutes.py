"""The names of players, also of those who take over a seat from a deal on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from canasta_notation import format_game, read_text, replay_game
from canasta_notation.corpus.build import Input, build_corpus
from canasta_notation.corpus.query import Corpus
from canasta_notation.names import deal_of_tag, names_in, seat_of_tag, seatings
from canasta_notation.notation.anonymous import PlayerNumbers
from canasta_notation.scan.scan_state import Scan
from canasta_notation.scan.scanner import scan_game
from canasta_notation.story.deals import every_story
from canasta_notation.story.notes import turn_notes
from tests.pages import SAMPLES, page_games, readings
from tests.programs import canasta

CLUB = (SAMPLES / "thursday-club.canasta").read_text("utf-8")
FROM_2 = '[N-from-2 "Zoe"]\n'
#: A record that the fast path verifies, in which Zoe plays from deal 2 on.
SUBSTITUTED = CLUB.replace("[E ", f"{FROM_2}[E ", 1)


@pytest.mark.parametrize(
    ("name", "seat", "deal"),
    [
        ("N", "N", 1), ("N-from-2", "N", 2), ("F-from-12", "F", 12), ("N-from-1", None, 1),
        ("N-from-02", None, 1), ("Q-from-2", None, 1), ("n-from-2", None, 1), ("N2", None, 1),
        ("Event", None, 1),
    ],
)  # fmt: skip
def test_the_tag_of_a_player(name: str, seat: str | None, deal: int) -> None:
    assert (seat_of_tag(name), deal_of_tag(name)) == (seat, deal)


def test_who_plays_in_a_deal() -> None:
    tags = {"N-from-10": "Ana", "N": "Ana", "N-from-2": " Zoe", "E": "Bo", "S-from-3": "Di"}
    tags["W"] = ""
    assert names_in(tags, "NESW", 1) == {"N": "Ana", "E": "Bo"}
    assert names_in(tags, "NESW", 9) == {"N": "Zoe", "E": "Bo", "S": "Di"}
    assert names_in(tags, "NESW", 10)["N"] == "Ana"
    assert names_in(tags, "NESW") == {"N": "Ana/Zoe", "E": "Bo", "S": "Di"}
    assert [*seatings(tags, "NESW")] == [1, 2, 3, 10]
    assert seatings({"N": "Ana", "A-from-2": "Zoe"}, "NESW") == {}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("n-from-2", "N-from-2"), ("N-from-02", "N-from-2"), ("North-from-3", "N-from-3"),
        ("N-from-1", "N"), ("E_From_4", "E-from-4"), ("N-from-2", None), ("Q-from-2", None),
        ("N-from-x", None), ("X-from-2", None),
    ],
)  # fmt: skip
def test_a_tag_that_is_almost_one_of_a_substitute(name: str, meant: str | None) -> None:
    (reading,) = read_text(CLUB.replace("[E ", f'[{name} "Zoe"]\n[E ', 1))
    said = [each.help for each in replay_game(reading.game).findings if each.code == "tag-value"]
    assert said == ([f'write [{meant} "..."] if that is the tag you mean'] if meant else [])


def test_a_substitute_is_in_its_place_in_the_canonical_form() -> None:
    tags = ["W-from-2", "Event", "N-from-10", "E", "N-from-2", "N", "Q-from-2", "Result", "CGN"]
    (reading,) = read_text("".join(f'[{name} "1"]\n' for name in tags) + "deal 1 dealer N\n")
    lines = format_game(reading.game).splitlines()
    assert [line[1 : line.index(" ")] for line in lines if line.startswith("[")] == [
        *("CGN", "Event", "N", "N-from-2", "N-from-10", "E", "W-from-2", "Result", "Q-from-2")
    ]


def test_a_substitute_is_verified_by_the_fast_path_too(tmp_path: Path) -> None:
    path = tmp_path / "club.canasta"
    path.write_text(SUBSTITUTED)
    game = scan_game(Scan(), SUBSTITUTED.encode(), 1)
    assert game is not None and game.tags["N-from-2"] == "Zoe"
    shown = canasta("audit", path).stdout
    assert "N Ana/Zoe, E Bruno" in shown
    assert "deal 1: Ana went out" in shown and "deal 4: Zoe went out" in shown


def names_by_deal(path: Path, out: Path) -> list[tuple[Any, ...]]:
    build_corpus([Input(path.name, str(path))], out)
    with Corpus(out) as opened:
        assert [each for (each,) in opened.ask("SELECT names[1] FROM games").rows] == ["Ana/Zoe"]
        return list(opened.ask("SELECT deal, names[1], names[2] FROM deals ORDER BY deal").rows)


def test_the_corpus_has_the_names_of_each_deal(tmp_path: Path) -> None:
    path = tmp_path / "club.canasta"
    path.write_text(SUBSTITUTED)
    fast = names_by_deal(path, tmp_path / "fast")
    assert fast[:2] == [(1, "Ana", "Bruno"), (2, "Zoe", "Bruno")]
    path.write_text(SUBSTITUTED.replace(" deal 1", "\tdeal 1").replace("deal 1 ", "deal  1 "))
    assert names_by_deal(path, tmp_path / "replayed") == fast


def test_a_substitute_has_a_number_of_its_own_without_names() -> None:
    (reading,) = read_text(SUBSTITUTED.replace("deal 2", "; Zoe plays for Ana\ndeal 2", 1))
    players = PlayerNumbers()
    players.add(reading.game)
    text = format_game(players.without_names(reading.game))
    assert '[N-from-2 "Player 2"]' in text and "; Player 2 plays for Player 1" in text
    assert "Zoe" not in text and "Ana" not in text


def test_the_story_and_the_page_name_the_player_of_each_deal(tmp_path: Path) -> None:
    path = tmp_path / "club.canasta"
    path.write_text(SUBSTITUTED)
    [shown] = page_games(readings(path))
    game = shown.story
    assert str(game.side(0)) == str(game.at(2).side(0)) and "Ana/Zoe" in str(game.side(0))
    for (played, deal), story in zip(game.deals(), every_story(game), strict=True):
        sentences = [row.sentence for row in story.rows] + [*story.closing]
        for note in turn_notes(game, played, deal, story):
            sentences += note.said
        said = {dict(each.values).get("n") for each in sentences}
        assert not said & ({"Zoe", "Ana/Zoe"} if played.number == 1 else {"Ana", "Ana/Zoe"})
        assert shown.deal_words(played) != []
