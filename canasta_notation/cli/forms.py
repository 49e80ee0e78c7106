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
#: How many bytes show which form of JSON a text has.
HEAD: Final = 4096


def written_form(out: str) -> Form:
    """Return the form in which to write a file, by its suffix. Raises Trouble."""
    suffix = Path(out).suffix
    form = SUFFIXES.get(suffix.lower())
    if form is None:
        known = ", ".join(SUFFIXES)
        raise Trouble(f"-o {out}: {suffix or 'no suffix'} is not a record format ({known})")
    return form


def json_form(head: bytes) -> Form:
    """Return the form of a JSON text by its first bytes: one value, or a game on each line."""
    first, more, _ = head.strip().partition(b"\n")
    whole = b'"cgn"' in first or b'"games"' in first or (more and not first.rstrip().endswith(b"}"))
    return "json" if whole else "jsonl"


def draw_count(game: Game) -> int:
    """Return how many cards a draw has in the game, 1 if its rules cannot be read."""
    from canasta_notation.replay.header import read_header

    profile = read_header(game, 1).profile
    return 1 if profile is None else int(profile["draw.count"])


def game_as(form: Form, game: Game) -> str:
    """Return a game in one of the forms, in canonical order."""
    from canasta_notation.notation.format import canonical, format_game

    if form == "canasta":
        return format_game(game, draw_count(game))
    from canasta_notation.notation.json_form import format_json, format_jsonl

    return (format_json if form == "json" else format_jsonl)(canonical(game))


def file_of(form: Form, games: Iterable[str]) -> Iterator[str]:
    """Yield the text of a file of games, which are texts of `game_as`, game by game."""
    if form == "canasta":
        return ("\n" + text if at else text for at, text in enumerate(games))
    from canasta_notation.notation.json_form import join_json

    return join_json(games) if form == "json" else iter(games)


def games_as(form: Form, games: Iterable[Game]) -> Iterator[str]:
    """Yield the text of a file of games, game by game."""
    return file_of(form, (game_as(form, game) for game in games))
