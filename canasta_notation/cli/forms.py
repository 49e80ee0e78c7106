"""The forms of a record, text and JSON, and games written in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.notation.document import Game

Form = Literal["canasta", "json", "jsonl"]

#: The form of a record by its file's suffix; a file with another suffix is read as text.
SUFFIXES: Final[dict[str, Form]] = {".canasta": "canasta", ".json": "json", ".jsonl": "jsonl"}
FORMS: Final = tuple(SUFFIXES.values())


def written_form(out: str) -> Form:
    """Return the form in which to write a file, by its suffix. Raises Trouble."""
    suffix = Path(out).suffix
    form = SUFFIXES.get(suffix.lower())
    if form is None:
        known = ", ".join(SUFFIXES)
        raise Trouble(f"-o {out}: {suffix or 'no suffix'} is not a record format ({known})")
    return form


def draw_count(game: Game) -> int:
    """Return how many cards a draw has in the game, 1 if its rules cannot be read."""
    from canasta_notation.replay.header import read_header

    profile = read_header(game, 1).profile
    return 1 if profile is None else int(profile["draw.count"])


def game_text(game: Game) -> str:
    """Return the canonical text of a game."""
    from canasta_notation.notation.format import format_game

    return format_game(game, draw_count(game))


def games_as(form: Form, games: Iterable[Game]) -> Iterator[str]:
    """Yield the text of games in one of the forms, game by game, each in canonical order."""
    if form == "canasta":
        return ("\n" + text if at else text for at, text in enumerate(map(game_text, games)))
    from canasta_notation.notation.format import canonical
    from canasta_notation.notation.json_form import format_json, format_jsonl

    ordered = map(canonical, games)
    return format_json(ordered) if form == "json" else map(format_jsonl, ordered)
