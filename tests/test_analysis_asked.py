"""One turn that a reader asks about: its plays, the reader's own, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from lsprotocol import types
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

import canasta_notation as cn
from canasta_notation.analysis import curve, decisions
from canasta_notation.analysis import values as valued
from canasta_notation.analysis.asked import read_play
from canasta_notation.analysis.judging import DealToJudge, deal_values, turn_values
from canasta_notation.analysis.kept_values import best_kept, keep, place_of
from canasta_notation.analysis.values import DealValues
from canasta_notation.cli.app import app
from canasta_notation.editor.features import hover
from canasta_notation.editor.open_record import Document, Text
from canasta_notation.engine.actions import TableThrees
from canasta_notation.players.seated import play_named_game
from canasta_notation.resources import packaged_text
from canasta_notation.rules import load_profile
from tests.random_games import SAMPLED

SAMPLES = Path(__file__).parent.parent / "samples"
FIRST = SAMPLES / "first-deal.canasta"
SCHEMA = json.loads(packaged_text("schemas", "analysis.schema.json"))
TURN = ("--deal", "1", "--turn", "2")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def run(*args: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["analyze", *args])
    assert done.exit_code == code, done.output
    return done


def first() -> cn.Game:
    [game] = cn.read(FIRST)
    return game


# --- the text of a play ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["+", "^", "-4s", "K:KsKhKd -4s", "^5h 5:5s5c -4s", "^ 5:5s5c -4s", "+ K:KsKhKd -4s", "-4s #"],
)
def test_a_play_is_spelled_as_in_a_record(text: str) -> None:
    assert read_play(f" {text} ").text == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a play is empty"),
        ("what", "is not"),
        ("-4", "write each card with its suit"),
        ("+5h -4s", "the drawn card is hidden"),
        ("+ -4s #", "cannot go out"),
        ("+ +", "comes first, and once"),
        ("-4s ^5h", "keep one of the two"),
        ("ask=yes -4s", "what the partner would answer is not known"),
        ("-4s talon:4d", "the cards of a talon are not known"),
        ("-4s !", "only actions are compared"),
    ],
)
def test_a_play_that_cannot_be_read_or_compared(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_play(text)
    with pytest.raises(ValueError, match=why):
        cn.analyze(first(), deal=1, turn=2, plays=[text], rollouts=20)
    done = run(str(FIRST), *TURN, "--rollouts", "20", f"--play={text}", code=2)
    assert why in done.stderr and "6:6s6h2d J:JsJd2h -9c" in done.stdout


# --- what is asked --------------------------------------------------------------------------------


def test_a_turn_alone_is_judged_as_in_its_deal() -> None:
    whole = deal_values(DealToJudge(first(), 1, 1, 20))
    for turn in range(1, 9):
        own = turn_values(DealToJudge(first(), 1, 1, 20), turn, []).values
        assert own.losses == tuple(each for each in whole.losses if each.turn == turn) or all(
            each.kind for each in own.losses
        )
        expected = [each for each in whole.judged if each.turn == turn]
        assert [(each.played, each.gain, each.loss) for each in own.judged] == [
            (each.played, each.gain, each.loss) for each in expected
        ]


def test_plays_of_the_reader_are_candidates_on_the_same_samples() -> None:
    plays = ["-2d", "-Qh", "+ -Js"]
    found = turn_values(DealToJudge(first(), 1, 1, 20), 2, [read_play(play) for play in plays])
    assert found.refused == ()
    draw, rest = found.values.judged
    assert [each.play for each in draw.candidates] == ["+", "+ -Js"]
    asked = [each.play for each in rest.candidates if each.asked]
    assert asked == ["-Qh", "-2d"]
    alone = turn_values(DealToJudge(first(), 1, 1, 20), 2, []).values.judged[-1]
    kept = {each.play: each.value for each in rest.candidates}
    assert {each.play: each.value for each in alone.candidates}.items() <= kept.items()


def test_a_take_may_be_asked_for_whole_and_its_rest_with_the_top_or_without() -> None:
    plays = ["^9c 9:9s9d -3s", "9:9s9d -3s", "5:5h -3s"]
    found = turn_values(DealToJudge(first(), 1, 1, 20), 3, [read_play(play) for play in plays])
    assert found.refused == ()
    draw, rest = found.values.judged
    assert draw.candidates[-1].play == "^9c 9:9s9d -3s"
    assert {each.play for each in rest.candidates if each.asked} == {"9:9s9d -3s", "5:5h -3s"}


def test_reasons_add_up_to_what_a_play_was_worth() -> None:
    for judged in turn_values(DealToJudge(first(), 1, 1, 20), 2, []).values.judged:
        assert judged.candidates[0].why is None
        for each in judged.candidates[1:]:
            assert each.why is not None
            total = sum(each.why.items.values()) - sum(each.why.others_items.values())
            assert abs(total - each.value) < 1


@pytest.mark.parametrize("name", SAMPLED)
def test_every_turn_of_every_profile_can_be_asked_about(name: str) -> None:
    game = play_named_game(cn.load_profile(name), 5, "careful", 1)
    for turn in (2, game.deals[0].turns):
        analysis = cn.analyze(game, deal=1, turn=turn, rollouts=20)
        document = {"files": [{"file": "a", "games": [analysis.to_json()]}], "players": []}
        Draft202012Validator(SCHEMA).validate(document)
        assert analysis.to_json()["deals"][0]["judged"] is not None


def test_the_text_of_a_turn(monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    monkeypatch.chdir(FIRST.parent)  # A long path would be cut.
    shown = run(FIRST.name, *TURN, "--rollouts", "100", "--play=-6s", "--play=+ -Js")
    assert shown.stdout == snapshot


def test_the_library_gives_what_the_command_prints() -> None:
    args = (str(FIRST), *TURN, "--rollouts", "20", "--play=-2d", "--json")
    games = [first()]
    found = cn.analyze(games, deal=1, turn=2, plays=["-2d"], rollouts=20)
    assert found.to_json() == json.loads(run(*args).stdout)
    whole = cn.analyze(games, rollouts=20)
    assert whole.to_json() == json.loads(run(str(FIRST), "--rollouts", "20", "--json").stdout)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("play", "code"),
    [
        ("-Kh", "not-in-hand"),
        ("6:6s6h2d", "discard-missing"),
        ("6:6s6h2d -9c", "opening"),
        ("^Ah -9c", "pile-"),
        ("+ -Kh", "not-in-hand"),
    ],
)
def test_an_illegal_play_is_refused_with_the_finding(play: str, code: str) -> None:
    args = (str(FIRST), *TURN, "--rollouts", "20", f"--play={play}", "--play=-2d")
    done = run(*args, code=2)
    assert f"error[{code}" in done.stderr and play in done.stderr
    assert "yours" in done.stdout
    with pytest.raises(ValueError, match=re.escape(f"error[{code}")):
        cn.analyze(first(), deal=1, turn=2, plays=[play], rollouts=20)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--turn", "2"], "--deal"),
        (["--deal", "1", "--turn", "9"], "deal 1 has no turn 9; it has 8 turns"),
        (["--deal", "2", "--turn", "1"], "has no deal 2"),
        (["--game", "2"], "no game 2"),
        (["--game", "2", "--deal", "1", "--turn", "1"], "no game 2"),
        (["--play", "-4s", "--rollouts", "20"], "--turn"),
        ([*TURN, "--play", "-4s"], "add --rollouts auto"),
        ([*TURN, "--rollouts", "20", *["--play=-4s"] * 11], "at most 10 plays, not 11"),
        ([*TURN, str(FIRST)], "name one record"),
    ],
)
def test_options_that_cannot_be_met(args: list[str], why: str) -> None:
    assert why in run(str(FIRST), *args, code=2).stderr


def test_the_library_refuses_the_same() -> None:
    game = first()
    for deal, turn in ((1, 9), (2, None), (1, 0)):
        with pytest.raises(LookupError):
            cn.analyze(game, deal=deal, turn=turn)
    for games in (game, [game]):
        with pytest.raises(LookupError, match="no game 3; the last is 1"):
            cn.analyze(games, game=3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="jobs must be 0"):
        cn.analyze(game, jobs=-1)
    with pytest.raises(ValueError, match="deal"):
        cn.analyze(game, turn=1)
    with pytest.raises(ValueError, match="turn"):
        cn.analyze(game, plays=["-4s"], rollouts=20)
    with pytest.raises(ValueError, match="rollouts"):
        cn.analyze(game, deal=1, turn=1, plays=["-4s"])
    with pytest.raises(TypeError):
        cn.analyze(str(FIRST))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        cn.analyze(game, deal=1, turn=2, plays="-4s", rollouts=20)


def test_a_file_of_several_games_needs_the_number(tmp_path: Path) -> None:
    record = tmp_path / "two.canasta"
    cn.write([first(), first()], record)
    assert "--game" in run(str(record), *TURN, code=2).stderr
    chosen = json.loads(run(str(record), *TURN, "--game", "2", "--json").stdout)
    assert [game["game"] for game in chosen["files"][0]["games"]] == [2]
    chosen = json.loads(run(str(record), "--game", "2", "--json").stdout)
    assert [game["game"] for game in chosen["files"][0]["games"]] == [2]


def test_a_turn_whose_hand_is_not_known_is_not_compared(tmp_path: Path) -> None:
    record = tmp_path / "hidden.canasta"
    text = FIRST.read_text("utf-8")
    record.write_text(re.sub(r"^S: .*", "S: ...", text, flags=re.MULTILINE), "utf-8")
    done = run(str(record), *TURN, "--rollouts", "20", "--play=-9c", code=2)
    assert "'-9c': the record does not show all cards" in done.stderr
    assert "No plays were compared: the record does not show all cards" in done.stdout


def test_a_turn_after_an_error_is_not_compared(tmp_path: Path) -> None:
    record = tmp_path / "wrong.canasta"
    record.write_text(FIRST.read_text("utf-8").replace("1. E +5c 5:5d5c2s", "1. E +5c 5:5d2s*"))
    done = run(str(record), *TURN, "--rollouts", "20", code=1)
    assert "No plays were compared: the play has an error" in done.stdout
    assert "The record has" in done.stdout


# --- long work of the library ---------------------------------------------------------------------


def test_the_library_keeps_values_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valued, "FEWEST", 2)
    game = play_named_game(cn.load_profile("classic-2p"), 1, "careful", 2)
    calls: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        calls.append((done, total))
        return done == 0

    with pytest.raises(cn.Cancelled):
        cn.analyze(game, rollouts=2, cache=tmp_path / "kept", progress=progress)
    turns = [deal.turns for deal in game.deals]
    assert calls[-1] == (turns[0], sum(turns)) and len(calls) > turns[0]
    assert len([*(tmp_path / "kept").iterdir()]) == 1
    once = cn.analyze(game, rollouts=2, cache=tmp_path / "kept")
    assert once == cn.analyze(game, rollouts=2, jobs=2)


# --- an editor ------------------------------------------------------------------------------------


def hovered(text: str, line: int) -> str:
    written = Text(text, 1, "utf-16")
    found = hover(Document("file:///a.canasta", written), written, types.Position(line, 1))
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_the_hover_of_a_turn_shows_what_is_kept_and_plays_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = FIRST.read_text("utf-8")
    line = text[: text.index("2. S +Qh")].count("\n")
    assert "play-outs of each play" not in hovered(text, line)
    for number in ("20", "40"):
        run(str(FIRST), "--rollouts", number)
    for module in (curve, decisions):
        monkeypatch.delattr(module, "play_outs")
    shown = hovered(text, line)
    assert "The rest of the turn: up to 40 play-outs of each play" in shown
    assert re.search(r"0 +\d+ +6:6s6h2d J:JsJd2h -9c +played", shown)
    assert "play-outs of each play" not in hovered(text.replace("8. N ^Jc", "8. N +Jc"), line)


def test_a_turn_that_tables_threes_first_is_judged_as_any_other() -> None:
    game = play_named_game(cn.load_profile("american-4p"), 0, "random", 1)
    turns = [each for each in game.deals[0].play if isinstance(each, cn.Turn)]
    late = [
        at for at, each in enumerate(turns, 1) if isinstance(each.actions[0], TableThrees)
        and len(each.actions) > 2
    ]  # fmt: skip
    found = turn_values(DealToJudge(game, 1, 1, 20), late[0], [])
    assert [each.decision for each in found.values.judged] == ["turn"]


def test_the_values_of_most_play_outs_are_the_best_that_are_kept(tmp_path: Path) -> None:
    [game] = cn.read(str(SAMPLES / "thursday-club.canasta"))
    assert best_kept(tmp_path, game, 1, None) is None
    for at, rollouts in enumerate((100, 20, 9, 1000, None), 1):
        for seed in (0, 5):
            place = place_of(tmp_path, game, 1, None, rollouts, seed)
            keep(place, DealValues({}, {}, (), None, position=at))
        best = best_kept(tmp_path, game, 1, None)
        assert best is not None and best.position == (1, 1, 1, 4, 5)[at - 1]
    assert best_kept(tmp_path, game, 2, None) is None
    assert best_kept(tmp_path, game, 1, load_profile("bga")) is None
