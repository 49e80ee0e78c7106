"""Games turned into text and JSON, each by the rules that it names."""

from __future__ import annotations

from collections.abc import Iterable

from canasta_notation.cli.files import Form
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import canonical, format_game
from canasta_notation.replay.header import read_header


def draw_count(game: Game) -> int:
    """Return how many cards a draw of the game has, 1 where its rules cannot be read."""
    profile = read_header(game, 1).profile
    return 1 if profile is None else int(profile["draw.count"])


def game_text(game: Game) -> str:
    """Return the canonical text of a game."""
    return format_game(game, draw_count(game))


def games_as(form: Form, games: Iterable[Game]) -> str:
    """Return games in one of the forms, in their canonical order."""
    if form == "canasta":
        return "\n".join(map(game_text, games))
    from canasta_notation.notation.json_form import format_json, format_jsonl

    ordered = map(canonical, games)
    return format_json(ordered) if form == "json" else "".join(map(format_jsonl, ordered))
