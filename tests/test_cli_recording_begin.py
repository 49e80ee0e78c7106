"""The questions of a new record: going back from each, leaving after each, and what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.dialogue.questions import COMMANDS
from canasta_notation.rules import profile_names
from tests.recorders import talk

MODES = ("", "--sheet", "--table")
#: An answer to each question. Rules with an override are asked no house rules.
ANSWERS = (
    "classic target=3000", "Ana", "Bea", "Carl", "Dan", "Bea", "Club night", "2026-01-02",
)  # fmt: skip


def tags(path: Path) -> list[str]:
    """Return the lines of the tags of a record, none if there is no file."""
    lines = path.read_text("utf-8").split("\n") if path.exists() else []
    return [line for line in lines if line.startswith("[")]


def wanted(mode: str, answers: tuple[str, ...] = ANSWERS) -> list[str]:
    """Return the tags that the answers mean."""
    rules, north, east, south, west, dealer, event, day = answers
    seat = "NESW"[answers[1:5].index(dealer)]
    rows = {
        "CGN": "1", "Event": event, "Date": day, "Rules": rules, "N": north, "E": east, "S": south,
        "W": west, "Mode": mode.removeprefix("--"), "Dealer": seat, "Result": "*",
    }  # fmt: skip
    return sorted(f'[{name} "{value}"]' for name, value in rows.items() if value)


@pytest.mark.parametrize("mode", MODES)
def test_going_back_keeps_every_answer(tmp_path: Path, mode: str) -> None:
    for at in range(1, len(ANSWERS)):
        for steps in {1, at}:
            path = tmp_path / f"{at} {steps}.canasta"
            back = [*["back"] * steps, *[""] * steps]
            shown = talk(path, *ANSWERS[:at], *back, *ANSWERS[at:], "quit", mode=mode)
            assert sorted(tags(path)) == wanted(mode), (at, steps)
            offered = [each for each in ANSWERS[at - steps : at] if f"[{each}]> " in shown]
            assert len(offered) >= steps - (at > 5), (at, steps)  # the dealer is offered by seat


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_is_another_after_going_back(tmp_path: Path, mode: str) -> None:
    others = ("bga target=500", "Eva", "Fay", "Gil", "Hal", "Gil", "Home", "2025-12-31")
    for at in range(1, len(ANSWERS)):
        path = tmp_path / f"{at}.canasta"
        typed = (*ANSWERS[:at], *["back"] * at, *others)
        talk(path, *typed, "quit", mode=mode)
        assert sorted(tags(path)) == wanted(mode, others), at


@pytest.mark.parametrize("mode", MODES)
def test_a_record_that_was_left_after_any_question_is_continued(tmp_path: Path, mode: str) -> None:
    for at in range(len(ANSWERS) + 1):
        path = tmp_path / f"{at}.canasta"
        talk(path, *ANSWERS[:at], "quit", mode=mode)
        assert len(tags(path)) == (0 if at == 0 else at + 2 + bool(mode))
        shown = talk(path, *ANSWERS[at:], "quit", mode=mode)
        assert sorted(tags(path)) == wanted(mode)
        assert ("This is a new record." in shown) is (at == 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", ["classic", "classic-2p", "samba target=500", "hand-and-foot"])
def test_what_is_asked_and_explained(
    tmp_path: Path, rules: str, mode: str, snapshot: SnapshotAssertion
) -> None:
    """Each question is first explained, then answered with Enter, or skipped."""
    path = tmp_path / "a.canasta"
    typed = ["?", rules, *["?", ""] * 20, "quit"]
    shown = talk(path, *typed, mode=mode).partition("Which rules do you play by?")[2]
    assert shown.partition("deal 1")[0] == snapshot


def test_no_command_is_an_answer(tmp_path: Path) -> None:
    for at in range(len(ANSWERS)):
        path = tmp_path / f"{at}.canasta"
        commands = sorted({*COMMANDS, "edit 3 x"} - {"quit", "undo", "help"})
        shown = talk(path, *ANSWERS[:at], *commands, *ANSWERS[at:], "quit")
        assert " ".join(shown.split()).count("works only after these questions") == len(commands)
        assert sorted(tags(path)) == wanted("")


def test_every_profile_is_known_in_any_case(tmp_path: Path) -> None:
    for name in profile_names():
        path = tmp_path / f"{name}.canasta"
        talk(path, name.upper(), "quit")
        assert f'[Rules "{name}"]' in tags(path)


def test_the_first_dealer_is_a_seat_or_a_player_in_any_case(tmp_path: Path) -> None:
    for seat, name in zip("NESW", ANSWERS[1:5], strict=True):
        for at, said in enumerate((seat, seat.lower(), name, name.upper(), name.lower())):
            path = tmp_path / f"{seat}{at}.canasta"
            talk(path, *ANSWERS[:5], said, "quit")
            assert f'[Dealer "{seat}"]' in tags(path), said
