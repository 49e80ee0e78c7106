"""Pages for the tests, of samples and of random games."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.page import one_file
from canasta_notation.page.shown_game import ShownGame, page_game
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.header import read_header
from canasta_notation.rules import load_profile, profile_names
from canasta_notation.story.languages import ENGLISH

SAMPLES = Path(__file__).parent.parent / "samples"
CLUB = SAMPLES / "thursday-club.canasta"
#: How many random games of each profile are tested.
GAMES = int(os.environ.get("CANASTA_GAMES", "1"))


def readings(*sources: Path | str) -> list[Reading]:
    """Return the games of records, by their paths or their text."""
    texts = (each if isinstance(each, str) else each.read_text("utf-8") for each in sources)
    return [reading for text in texts for reading in read_text(text)]


def page_games(games: Iterable[Reading], seat: str = "") -> list[ShownGame]:
    """Return what a page shows of games, except those whose rules are unknown."""
    found = ((reading, read_header(reading.game, 1).profile) for reading in games)
    return [
        page_game("record.canasta", reading, at, profile, seat)
        for at, (reading, profile) in enumerate(found, 1)
        if profile is not None
    ]


def page(games: Iterable[ShownGame], *, embedded: bool = False, language: str = ENGLISH) -> str:
    """Return games as a page."""
    pages = [one_file.game_page(each, (language,)) for each in games]
    return one_file.page(pages, embedded=embedded)


def written(
    tmp_path: Path, games: Iterable[Reading], seat: str = "", language: str = ENGLISH
) -> str:
    """Write a page of games; return its address."""
    path = tmp_path / "page.html"
    path.write_text(page(page_games(games, seat), language=language), "utf-8")
    return path.as_uri()


def random_games(
    games: int = GAMES, deals: int = 1, profiles: Iterable[str] = profile_names()
) -> list[Reading]:
    """Return random games of profiles, by default of every one."""
    return readings(
        *(
            format_game(play_game(load_profile(name), seed, deals=deals))
            for name in profiles
            for seed in range(games)
        )
    )


def read_seats(reading: Reading) -> str:
    profile = read_header(reading.game, 1).profile
    return profile.seats if profile else ""
