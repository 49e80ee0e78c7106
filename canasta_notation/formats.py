"""The forms of a record, text and JSON: recognised, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal

if TYPE_CHECKING:
    from canasta_notation.notation.blocks import NotText
    from canasta_notation.notation.document import Game
    from canasta_notation.notation.json_form import JsonError

Form = Literal["canasta", "json", "jsonl"]

#: The form of a record by its file's suffix; a file with another suffix is read as text.
SUFFIXES: Final[dict[str, Form]] = {".canasta": "canasta", ".json": "json", ".jsonl": "jsonl"}
FORMS: Final = tuple(SUFFIXES.values())
#: How many bytes decide the form of a text, and what may precede its first character.
HEAD: Final = 4096
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"


def form_of_text(head: bytes) -> Form:
    """Return the form of a record by its first bytes: text, one JSON value, or a game per line."""
    head = head.lstrip(_BLANK)
    if not head.startswith(b"{"):
        return "canasta"
    first, more, _ = head.rstrip().partition(b"\n")
    whole = b'"cgn"' in first or b'"games"' in first or (more and not first.rstrip().endswith(b"}"))
    return "json" if whole else "jsonl"


def decode(data: bytes) -> str:
    """Return the text of bytes in UTF-8, without a byte-order mark. Raises NotText."""
    from canasta_notation.notation.blocks import NotText, check_zero

    check_zero(data[:HEAD])
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        place, byte = error.start + 1, data[error.start]
        why = f"byte {place} is not UTF-8 (0x{byte:02x}); save it as plain text in UTF-8"
        raise NotText(f"not text: {why}") from None


def read_json(
    stream: BinaryIO,
    form: Form,
    wrong: Callable[[int, JsonError | NotText], Exception],
    *,
    apart: bool = False,
) -> Iterator[Game]:
    """Yield the games of JSON: one value that holds them all, or a game on each line.

    With `apart`, a game on a line must not merge with the one before it. For a JsonError or a
    NotText, it raises what `wrong` returns for the number of the line (0: one value) and the error.
    """
    from canasta_notation.notation.blocks import NotText
    from canasta_notation.notation.json_form import (
        JsonError,
        check_apart,
        game_from_json,
        games_from_json,
        parse_json,
    )

    number, before = 0, None
    try:
        if form == "json":
            text = decode(stream.read())
            if not text.strip():
                raise NotText("there is no game in this file")
            yield from games_from_json(parse_json(text))
            return
        for line in stream:
            number += 1
            if line.strip(_BLANK):
                value: Any = parse_json(decode(line.rstrip()))
                game = game_from_json(value)
                if apart:
                    check_apart(before, value, "$")
                before = value
                yield game
    except (JsonError, NotText) as error:
        raise wrong(number, error) from None


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
    """Yield the text of a file of games, game by game. Raises Unreadable like `format_games`."""
    from canasta_notation.notation.format import format_games

    if form == "canasta":
        return format_games((game, draw_count(game)) for game in games)
    return file_of(form, (game_as(form, game) for game in games))
