"""Canasta Game Notation: read, verify, replay, audit and write records of Canasta games.

>>> import canasta_notation as cn
>>> reading = next(cn.read_text('[CGN "1"]\\ndeal 1 dealer N\\nscore NS 100\\nscore EW 50'))
>>> cn.replay_game(reading.game, problems=reading.problems).verdict
'undetermined'

The names below are loaded when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from canasta_notation.cards import format_card, format_cards, parse_cards
    from canasta_notation.findings import Finding, Span
    from canasta_notation.notation.document import Deal, Game, Turn
    from canasta_notation.notation.format import format_game
    from canasta_notation.notation.json_form import game_from_json, game_to_json
    from canasta_notation.notation.reader import Reading, read_games, read_text
    from canasta_notation.replay.game_replay import replay_game
    from canasta_notation.replay.game_report import GameReport
    from canasta_notation.replay.steps import Step, walk
    from canasta_notation.replay.turn_plays import legal_plays
    from canasta_notation.replay.verify import verify_games
    from canasta_notation.rules import Profile, load_profile, parse_rules
    from canasta_notation.search.legal import LegalPlays

_HOMES = {
    "Deal": "notation.document",
    "Finding": "findings",
    "Game": "notation.document",
    "GameReport": "replay.game_report",
    "LegalPlays": "engine.legal",
    "Profile": "rules",
    "Reading": "notation.reader",
    "Span": "findings",
    "Step": "replay.steps",
    "Turn": "notation.document",
    "format_card": "cards",
    "format_cards": "cards",
    "format_game": "notation.format",
    "game_from_json": "notation.json_form",
    "game_to_json": "notation.json_form",
    "legal_plays": "replay.turn_plays",
    "load_profile": "rules",
    "parse_cards": "cards",
    "parse_rules": "rules",
    "read_games": "notation.reader",
    "read_text": "notation.reader",
    "replay_game": "replay.game_replay",
    "verify_games": "replay.verify",
    "walk": "replay.steps",
}

__all__ = [
    "Deal",
    "Finding",
    "Game",
    "GameReport",
    "LegalPlays",
    "Profile",
    "Reading",
    "Span",
    "Step",
    "Turn",
    "format_card",
    "format_cards",
    "format_game",
    "game_from_json",
    "game_to_json",
    "legal_plays",
    "load_profile",
    "parse_cards",
    "parse_rules",
    "read_games",
    "read_path",
    "read_text",
    "replay_game",
    "verify_games",
    "walk",
]


def read_path(path: str | PathLike[str]) -> Iterator[Reading]:
    """Yield each game of a file in turn; the file is open while they are taken.

    Raises OSError where it cannot be opened or read, NotText where it is no text.
    """
    from canasta_notation.notation.reader import read_games as read

    with open(path, "rb") as file:
        yield from read(file)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
