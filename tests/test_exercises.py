"""Exercises: what they show, what they hide, which come first, when they are due, the deck."""

from __future__ import annotations

import json
import sqlite3
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cli.commands import COMMANDS
from canasta_notation.cli.installing import how_to_install
from canasta_notation.exercises.deck import deck
from canasta_notation.exercises.exercise import Exercise, by_cost, picture
from canasta_notation.exercises.exercise_rows import back_rows, front_rows, player_rows
from canasta_notation.exercises.finding import FoundExercises, chosen, generated
from canasta_notation.exercises.progress import (
    FILE,
    LearnerProgress,
    read_progress,
    write_progress,
)
from canasta_notation.language.languages import LANGUAGES, use_language
from canasta_notation.render.paint import Look, paint
from canasta_notation.rules import load_profile
from canasta_notation.storage import BadFile
from tests.exercise_games import ROLLOUTS, exercises_of, keeps_text, reading_of
from tests.programs import canasta

NOW = datetime(2026, 11, 30, 20, tzinfo=UTC)
#: Cards of West and North that South cannot see, exchanged.
OTHER_CARDS = (
    ("7s 8s 9d Td Jd\n", "7s 8s 9d Td Qc\n"),
    ("Tc Js Jc Qc\n", "Tc Js Jc Jd\n"),
)


def the_exercise(*changes: tuple[str, str]) -> Exercise:
    [exercise] = exercises_of(keeps_text(*changes))
    return exercise


def front(exercise: Exercise) -> tuple[str, str]:
    return paint(front_rows(exercise, Look())), picture(exercise)


def of_kind(kind: str, loss: float, id_: str) -> Exercise:
    return replace(the_exercise(), kind=kind, loss=loss, id=id_)


# --- the exercise ---------------------------------------------------------------------------------


def test_an_exercise_has_the_decision_with_its_answers(snapshot: SnapshotAssertion) -> None:
    exercise = the_exercise()
    assert (exercise.player, exercise.seat, exercise.deal, exercise.turn) == ("Ana", "S", 1, 2)
    assert exercise.kind == "open" and exercise.mark in ("mistake", "blunder")
    plays = [each.play for each in exercise.answers]
    assert 3 <= len(plays) <= 4 and "-9s" in plays
    assert [each.play for each in exercise.answers if each.was_played] == ["-9s"]
    right = [each.play for each in exercise.answers if each.right]
    assert right and all("A:AsAsAhAhAdAdAc" in each for each in right)
    shown = [*front_rows(exercise, Look()), *back_rows(exercise, False, Look())]
    assert paint(shown) == snapshot


def test_the_front_is_the_table_after_the_draw_and_before_the_play() -> None:
    state = the_exercise().state
    assert sum(len(hand.cards) for hand in state.hands) == 12
    assert [hand.size for hand in state.hands] == [11, 1, 12, 11]


def test_what_the_seat_could_not_see_changes_nothing_of_an_exercise() -> None:
    first, other = the_exercise(), the_exercise(*OTHER_CARDS)
    assert front(first) == front(other)
    assert first.answers == other.answers and first.went_on == other.went_on
    assert front(first) != front(the_exercise(("S +6c", "S +6h")))


def test_an_id_is_that_of_the_position_and_of_no_name_or_comment() -> None:
    first = the_exercise()
    copied = keeps_text(('"Ana"', '"Anna"'), ("up 9c", "up 9c ; a fine card"))
    assert [each.id for each in exercises_of(copied, "copy.canasta")] == [first.id]
    assert the_exercise(*OTHER_CARDS).id != first.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_exercise_asks_in_each_language(language: str) -> None:
    with use_language(language):
        said = {replace(the_exercise(), kind=kind).question for kind in ("draw", "out", "lay")}
    assert len(said) == 3 and all(each.endswith("?") for each in said)


# --- which exercises ------------------------------------------------------------------------------


def test_the_kind_that_cost_most_comes_first() -> None:
    given = [of_kind("lay", 300, "a"), of_kind("draw", 200, "b"), of_kind("draw", 250, "c")]
    assert [each.id for each in by_cost(given)] == ["c", "b", "a"]
    players = FoundExercises()
    players.add(["Ana", "Bo"], given)
    assert [each.id for each in players.own("Ana")] == ["c", "b", "a"] and not players.own("Bo")
    shown = paint(player_rows(players.found, Look()))
    assert shown.split("\n") == ["  Ana: the draw 2, laying 1", "  Bo: 0", ""]


def test_a_position_counts_once() -> None:
    players = FoundExercises()
    for _ in range(2):
        players.add(["Ana"], [the_exercise()])
    assert len(players.own("Ana")) == 1


def test_more_exercises_are_of_the_same_kinds_first() -> None:
    own = [of_kind("draw", 200, "a")]
    others = [of_kind("lay", 900, "b"), of_kind("draw", 150, "c"), of_kind("draw", 250, "d")]
    assert [each.id for each in chosen(own, [*own, *others], 3)] == ["d", "c", "b"]
    assert [each.id for each in chosen(own, others, 1)] == ["d"]


def test_generated_games_are_named_by_the_command_that_writes_them(tmp_path: Path) -> None:
    [(command, reading)] = generated(load_profile("classic-2p"), [3])
    out = tmp_path / "g.canasta"
    assert canasta(*command.split(), "-o", out).exit_code == 0
    assert reading_of(out.read_text()).game == reading.game


# --- what is due ----------------------------------------------------------------------------------


def test_a_right_answer_comes_back_later_than_a_wrong_one() -> None:
    progress, exercise = LearnerProgress(), the_exercise()
    other = replace(exercise, id="other")
    assert progress.due([exercise, other], NOW) == [exercise, other]
    progress.answer(exercise, right=True, now=NOW)
    progress.answer(other, right=False, now=NOW)
    assert progress.due([exercise, other], NOW) == []
    assert progress.due([exercise, other], NOW + timedelta(days=1)) == [other]
    assert progress.due([exercise, other], NOW + timedelta(days=9)) == [other, exercise]


def test_progress_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, progress, exercise = tmp_path / FILE, LearnerProgress(), the_exercise()
    for day, right in ((0, True), (3, False), (4, True)):
        progress.answer(exercise, right=right, now=NOW + timedelta(days=day))
        write_progress(path, progress)
        progress = read_progress(path)
    again = LearnerProgress()
    for day, right in ((0, True), (3, False), (4, True)):
        again.answer(exercise, right=right, now=NOW + timedelta(days=day))
    assert progress.to_json() == again.to_json() and len(progress.to_json()["cards"]) == 1


BAD_PROGRESS = {
    "an old version": ('{"format": "canasta-learn", "version": 0}', "version 0"),
    "something else": ('{"format": "other"}', "not the progress"),
    "no JSON": ("nothing", "not the progress"),
    "no card": ('{"format": "canasta-learn", "version": 1, "cards": {"a": 1}}', "not the progress"),
    "no text": (b"\xff", "not the progress"),
}


@pytest.mark.parametrize("kind", BAD_PROGRESS)
def test_progress_that_cannot_be_read_is_refused_and_left_as_it_is(kind: str, folder: Path) -> None:
    held, message = BAD_PROGRESS[kind]
    path = folder / FILE
    written = held if isinstance(held, bytes) else held.encode()
    path.write_bytes(written)
    with pytest.raises(BadFile, match=message):
        read_progress(path)
    done = learn(folder, "--player", "Ana", stdin="1\n")
    assert done.exit_code == 2 and message in done.stderr
    assert path.read_bytes() == written


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the values of deals for the tests of this module, and nothing in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def folder(tmp_path: Path, cache: None) -> Path:
    found = tmp_path / "evenings"
    found.mkdir()
    (found / "evening.canasta").write_text(keeps_text())
    return found


def learn(*args: str | Path, stdin: str | None = None):  # type: ignore[no-untyped-def]
    return canasta("learn", *args, "--rollouts", str(ROLLOUTS), stdin=stdin)


def test_a_person_practises_on_the_terminal(folder: Path, snapshot: SnapshotAssertion) -> None:
    (folder / "copy.canasta").write_text(keeps_text())
    played = [each.was_played for each in the_exercise().answers].index(True) + 1
    done = learn(folder, "--player", "Ana", stdin=f"9\n\n{played}\n")
    assert done.exit_code == 0 and done.stdout == snapshot
    assert done.stderr == (
        "canasta: Ana made 1 certain mistake in these games; records of more games, or --more 10, "
        "would help\n"
    )
    cards = json.loads((folder / FILE).read_text())["cards"]
    assert [*cards] == [the_exercise().id]
    again = learn(folder, "--player", "Ana", stdin="1\n")
    assert again.stdout == "Nothing more is due today.\n"
    listed = learn(folder, "--player", "Ana", "--due").stdout
    assert cards[the_exercise().id]["due"][:10] in listed and "opening" in listed


def test_the_example_in_the_help_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    [example] = [each.line for each in COMMANDS if each.name == "learn"]
    done = learn(*example.split()[2:], stdin="q\n")
    assert done.exit_code == 0 and "Open, or wait?" in done.stdout


def test_a_wrong_path_ends_it_before_the_play_outs(folder: Path) -> None:
    done = learn(folder, "gone", "away")
    assert done.exit_code == 2 and not done.stdout
    assert "gone: no such" in done.stderr and "away: no such" in done.stderr


def test_q_ends_and_keeps_nothing(folder: Path) -> None:
    assert learn(folder, "--player", "Ana", stdin="q\n").exit_code == 0
    assert not (folder / FILE).exists()


def test_without_a_player_the_players_are_listed(folder: Path) -> None:
    assert "  Ana: opening 1\n" in learn(folder).stdout


def test_a_record_with_errors_is_left_out_and_named(folder: Path) -> None:
    (folder / "wrong.canasta").write_text(keeps_text(("S +6c -9s", "S +6c -2s")))
    done = learn(folder)
    assert done.exit_code == 1
    assert "wrong.canasta: game 1 has 1 error and is left out" in done.stderr
    assert "Ana: opening 1" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--player", "Anna"], "nobody of that name played; did you mean Ana?"),
        (["--player", "Zoltan"], "the players are N, E, Ana, W"),
        (["--due"], "--due: name the player"),
        (["--player", "Ana", "-o", "a.txt"], "write a page (.html) or a deck for Anki (.apkg)"),
        (["--player", "Ana", "--from", "x"], "--from: say how many"),
        (["--player", "W", "-o", "a.html"], "there is no exercise, so a.html was not written"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, options: list[str], message: str) -> None:
    done = learn(folder, *options)
    assert done.exit_code == 2 and message in done.stderr


def test_exercises_need_play_outs(folder: Path) -> None:
    done = canasta("learn", folder, "--rollouts", "0")
    assert done.exit_code == 2 and "give auto or a number" in done.stderr


def test_more_exercises_come_from_other_records(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.canasta"
    other.write_text(keeps_text(*OTHER_CARDS, ('"Ana"', '"Bo"')))
    options = ("--more", "1", "--from", other, "--due")
    assert "other.canasta" in learn(folder, "--player", "Ana", *options).stdout
    done = learn(folder, "--player", "Ana", "--more", "2", "--from", other, "--due")
    assert "--more 2: only 1 exercise found" in done.stderr


@pytest.mark.parametrize("library", ["fsrs", "genanki"])
def test_a_missing_library_is_named_with_its_extra(
    folder: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("progress", "deck"):
        monkeypatch.delitem(sys.modules, f"canasta_notation.exercises.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    done = learn(folder, "--player", "Ana", "-o", folder / "a.apkg")
    assert f"canasta: this needs {library}; {how_to_install('learn')}" in done.stderr


def test_two_processes_find_the_same_exercises(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    learn(folder, "--player", "Ana", "--jobs", "2", "-o", tmp_path / "two.html")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    learn(folder, "--player", "Ana", "--jobs", "1", "-o", tmp_path / "one.html")
    assert (tmp_path / "two.html").read_bytes() == (tmp_path / "one.html").read_bytes()


# --- the deck -------------------------------------------------------------------------------------


def test_a_deck_has_a_note_for_each_exercise(tmp_path: Path) -> None:
    first = the_exercise()
    exercises = [first, replace(first, id="other", kind="lay", file="<b>&.canasta")]
    path = tmp_path / "ana.apkg"
    path.write_bytes(deck(exercises, "Ana"))
    with zipfile.ZipFile(path) as packed:
        media = json.loads(packed.read("media"))
        packed.extract("collection.anki2", tmp_path)
        drawn = {name: packed.read(number).decode() for number, name in media.items()}
    assert drawn == {f"canasta-{each.id}.svg": picture(each) for each in exercises}
    with sqlite3.connect(tmp_path / "collection.anki2") as opened:
        notes = opened.execute("select guid, tags, flds from notes").fetchall()
        [[cards]] = opened.execute("select count(*) from cards").fetchall()
    assert [guid for guid, _, _ in notes] == [each.id for each in exercises] and cards == 2
    assert [tags.split() for _, tags, _ in notes] == [
        [f"canasta::{each.kind}", f"canasta::{each.mark}"] for each in exercises
    ]
    assert f'<img src="canasta-{first.id}.svg">' in notes[0][2]
    assert first.answers[0].text in notes[0][2] and "&lt;b&gt;&amp;.canasta" in notes[1][2]


def test_anki_updates_the_notes_of_a_second_import(tmp_path: Path) -> None:
    collections = pytest.importorskip("anki.collection", reason="needs the library anki")
    opened = collections.Collection(str(tmp_path / "collection.anki2"))
    for player in ("Ana", "Ana"):
        path = tmp_path / "ana.apkg"
        path.write_bytes(deck([the_exercise()], player))
        request = collections.ImportAnkiPackageRequest(
            package_path=str(path), options=collections.ImportAnkiPackageOptions()
        )
        opened.import_anki_package(request)
    assert opened.note_count() == 1 and opened.card_count() == 1
    opened.close()
