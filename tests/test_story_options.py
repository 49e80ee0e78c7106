"""Every option of `canasta analyze`: what it changes in what is shown of small records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import canasta_notation as cn
from canasta_notation.analysis import judging
from canasta_notation.cli.session import Session, UserError
from canasta_notation.story.analyze_command import PlayOuts, rollouts_of
from tests.command_lines import FILES, defaults, outcome, with_each_option, write_files
from tests.pages import SAMPLES

#: Records, and turns that are asked about.
LINES = (
    (".",),
    ("a.canasta", "b.canasta"),
    ("a.canasta", "--deal", "1", "--turn", "2"),
    ("b.canasta", "--deal", "1", "--turn", "1"),
    ("a.canasta", "--turn", "1"),
)


@contextmanager
def ended() -> Iterator[None]:
    """A session ends the program."""
    with pytest.raises(SystemExit) as end:
        yield
    assert end.value.code == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    write_files(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_what_every_option_changes(
    folder: Path, line: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    assert "\n\n".join(with_each_option(folder, "analyze", *line)) == snapshot


def test_the_defaults_of_every_option(snapshot: SnapshotAssertion) -> None:
    assert defaults("analyze") == snapshot


def test_plays_that_are_compared(folder: Path, snapshot: SnapshotAssertion) -> None:
    turn = ("analyze", "a.canasta", "--deal", "1", "--turn", "3", "--rollouts", "20")
    plays = ("--play", "-Ks", "--play", "-9s", "--play", "K:Ks -6h")
    more = ((), ("--seat", "S"), ("--seed", "3"), ("--language", "de"))
    found = ["\n".join(outcome(folder, *turn, *plays, *each)) for each in more]
    assert "\n\n".join(found) == snapshot


def test_the_values_of_a_game_are_those_of_its_analysis(folder: Path) -> None:
    for text in (FILES["a.canasta"], (SAMPLES / "first-deal.canasta").read_text("utf-8")):
        [game] = cn.read(text)
        with ended(), Session() as session:
            play_outs = PlayOuts(session, None, 20, 3, 1, quiet=True)
            found = play_outs.values(game, 1)
            again = play_outs.values(game, 1)
        deals = cn.analyze(game, rollouts=20, seed=3).deals
        expected = {each.facts.deal: each.values for each in deals if each.values}
        assert found == again == expected and expected


@pytest.mark.parametrize(
    ("seconds", "processes", "said"),
    [
        (29.9, 1, ""),
        (30, 1, "30 s"),
        (59.9, 2, ""),
        (90, 2, "45 s"),
        (119, 1, "119 s"),
        (120, 1, "2 min"),
        (480, 2, "4 min"),
    ],
)
def test_long_play_outs_are_announced(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    seconds: float,
    processes: int,
    said: str,
) -> None:
    [game] = cn.read(FILES["a.canasta"])
    asked = []

    def estimated(rules: str, turns: list[int], rollouts: int | None) -> float:
        asked.append((rules, turns, rollouts))
        return seconds

    monkeypatch.setattr(judging, "estimated_seconds", estimated)
    for turns in ([7], [7, 9]):
        with ended(), Session() as session:
            play_outs = PlayOuts(session, None, 40, 3, processes, quiet=True)
            play_outs._announce(cn.analyze(game), turns)
        deals = "1 deal" if len(turns) == 1 else "2 deals"
        line = f"canasta: playing out {deals} will take about {said}\n"
        assert capsys.readouterr().err == (line if said else "")
        assert asked.pop() == ("classic", turns, 40)


@pytest.mark.parametrize(
    ("text", "number"),
    [("auto", None), ("0", 0), ("20", 20), ("0" * 16 + "20", 20), ("0" * 17 + "20", ""),
     ("1000", 1000), ("18", ""), ("-1", ""), ("Auto", ""), ("", ""), ("\u0662\u0660", 20)],
)  # fmt: skip
def test_the_number_of_play_outs(text: str, number: int | str | None) -> None:
    if number == "":
        with pytest.raises(UserError, match="--rollouts: give "):
            rollouts_of(text)
    else:
        assert rollouts_of(text) == number
