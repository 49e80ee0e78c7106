"""What the recipes of CONTRIBUTING.md say to add: every place that has to name it names it."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

import canasta_notation as cn
from canasta_notation.dialogue.questions import COMMANDS
from canasta_notation.dialogue.view import HELP
from canasta_notation.language.languages import ENGLISH, LANGUAGES
from canasta_notation.learning.environment import agent
from canasta_notation.players.seated import PLAYERS
from canasta_notation.rules import profile_names
from tests.programs import canasta

ROOT = Path(__file__).parent.parent


def document(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def help_of(command: str) -> str:
    return " ".join(canasta(command, "--help").stdout.split())


def test_contributing_names_only_files_that_exist() -> None:
    text = re.sub(r"```.*?```", "", document("CONTRIBUTING.md"), flags=re.S)
    named = re.findall(r"`([a-z_.]+/[a-z_./0-9]+\.[a-z]+|[a-z]+/)`", text)
    roots = (ROOT, ROOT / "canasta_notation")
    missing = [name for name in named if not any((root / name).exists() for root in roots)]
    assert len(named) > 80 and missing == []


@pytest.mark.parametrize("player", PLAYERS)
def test_every_place_names_a_player(player: str) -> None:
    assert player in help_of("generate")
    assert f"\n| `{player}` |" in document("grammar/LIBRARY.md")
    for told in (cn.LiveGame.choose, cn.play_out, agent):
        assert f"`{player}`" in (told.__doc__ or ""), told
    game = cn.LiveGame(seed=1)
    game.deal()
    with pytest.raises(ValueError, match=rf"\b{player}\b"):
        game.choose(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != ENGLISH])
def test_every_place_names_a_language(language: str) -> None:
    source = files("canasta_notation.language").joinpath("languages", f"{language}.po")
    named = re.match(r"# .* in (\w+)\. ", source.read_text("utf-8"))
    assert named, "the first line of a catalogue names its language"
    for place in (document("README.md"), document("grammar/ANALYSIS.md"), help_of("page")):
        assert named[1] in place
    assert named[1] in help_of("analyze") and f"|{language}|" in help_of("page")


@pytest.mark.parametrize("name", profile_names())
def test_the_rules_name_a_profile(name: str) -> None:
    assert f"\n| `{name}` |" in document("grammar/RULES.md")


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"help"}))
def test_the_recorder_explains_a_command(command: str) -> None:
    """The command `help` is shown as `?`."""
    assert command in {each.split()[0] for typed, _ in HELP for each in typed.split(", ")}
