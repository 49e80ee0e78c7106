"""Values of deals that are kept in a folder, so that no deal is played out twice."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from json import dumps as dump_json
from json import loads as load_json
from pathlib import Path
from typing import Final

from canasta_notation.analysis.judging import EDITION
from canasta_notation.analysis.values import LIMIT, DealValues
from canasta_notation.notation.document import Game
from canasta_notation.notation.format import TooLong, format_games
from canasta_notation.rules import Profile
from canasta_notation.storage import replace_file

#: How many deals are kept.
_FILES: Final = 10_000
#: How file names spell play-outs in two stages.
_AUTO: Final = "auto"


def users_folder() -> Path | None:
    """Return the folder in the user's cache, None if the system names none."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(folder) / "canasta-notation" / "values" if os.path.isabs(folder) else None


def _stem(game: Game, deal: int, override: Profile | None) -> str | None:
    """Return the beginning of the names of a deal's files, None if its game cannot be spelled."""
    if game.problems:
        return None
    part = replace(game, deals=game.deals[:deal])
    parts = [EDITION, version("canasta-notation"), override.text if override else ""]
    try:
        text = "\n".join([*map(str, parts), *format_games([(part, 1)])])
    except TooLong:
        return None
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def place_of(
    folder: Path | None,
    game: Game,
    deal: int,
    override: Profile | None,
    rollouts: int | None,
    seed: int,
) -> Path | None:
    """Return the file for the values of a deal (from 1), None if nothing can be kept.

    `rollouts` and `seed` are those of `DealToJudge`.
    """
    stem = _stem(game, deal, override)
    if folder is None or stem is None:
        return None
    return folder / f"{stem}-{_AUTO if rollouts is None else rollouts}-{seed}.json"


def read_kept(place: Path | None) -> DealValues | None:
    """Return the values that are kept in a file; None if there are none, or the file is damaged."""
    if place is None:
        return None
    try:
        return DealValues.from_json(load_json(place.read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def best_kept(
    folder: Path | None, game: Game, deal: int, override: Profile | None
) -> DealValues | None:
    """Return the values of a deal that rest on the most play-outs, whatever their number and seed.

    Values in two stages come before all others. Returns None if none are kept.
    """
    stem = _stem(game, deal, override)
    if folder is None or stem is None:
        return None
    named = re.compile(rf"{stem}-({_AUTO}|[0-9]{{1,7}})-[0-9]{{1,18}}\.json")
    listed = folder.glob(f"{stem}-*.json")
    found = sorted((each for each in listed if named.fullmatch(each.name)), key=_play_outs)
    return read_kept(found[-1]) if found else None


def _play_outs(place: Path) -> tuple[int, str]:
    """Return what kept values are ordered by."""
    number = place.name.split("-")[1]
    return (LIMIT + 1 if number == _AUTO else int(number), place.name)


def keep(place: Path | None, values: DealValues) -> None:
    """Keep values in a file, and no more than `_FILES` files; report nothing if that fails."""
    if place is None:
        return
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, [dump_json(values.to_json()).encode()])
        files = sorted(place.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in files[:-_FILES]:
            old.unlink()
