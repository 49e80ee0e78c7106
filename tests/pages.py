"""Pages for the tests, of samples and of random games."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from canasta_notation.language.languages import ENGLISH
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.page import one_file
from canasta_notation.page.shown_game import ShownGame, page_game
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.header import read_header
from canasta_notation.report.played import play_back, replay_json
from canasta_notation.rules import load_profile
from tests.random_games import SAMPLED

SAMPLES = Path(__file__).parent.parent / "samples"
CLUB = SAMPLES / "thursday-club.canasta"
#: How many random games of each profile are tested.
GAMES = int(os.environ.get("CANASTA_GAMES", "1"))


def readings(*sources: Path | str) -> list[Reading]:
    """Return the games of records, by their paths or their text."""
    texts = (each if isinstance(each, str) else each.read_text("utf-8") for each in sources)
    return [reading for text in texts for reading in read_text(text)]


def called(record: Path, *names: str) -> str:
    """Return a record with other names of players, in the order of the tags of their seats."""
    given = iter(names)
    return re.sub(
        r'^\[([NESW]) "[^"]*"\]',
        lambda tag: f'[{tag[1]} "{next(given)}"]',
        record.read_text("utf-8"),
        flags=re.MULTILINE,
    )


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
    games: int = GAMES, deals: int = 1, profiles: Iterable[str] = SAMPLED
) -> list[Reading]:
    """Return random games of profiles, by default of each kind."""
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


#: Reads the position in the document, as a dictionary: JavaScript.
READ = """() => {
  const spot = document.querySelector("[data-turn]");
  const list = (element, name) => (element.dataset[name] || "").split(" ").filter(Boolean);
  const sides = {}, hands = {};
  for (const side of spot.querySelectorAll("[data-side]")) sides[side.dataset.side] = {
    melds: [...side.querySelectorAll("[data-meld]")].map(
      (meld) => [meld.dataset.meld, list(meld, "cards"), meld.dataset.canasta || null]),
    threes: list(side, "threes"), points: side.dataset.points};
  for (const seat of spot.querySelectorAll("[data-seat]"))
    hands[seat.dataset.seat] = [list(seat, "hand"), +seat.dataset.count];
  const pile = spot.querySelector("[data-pile]"), stock = spot.querySelector("[data-stock]");
  return {at: [+spot.dataset.game, +spot.dataset.deal, +spot.dataset.turn], sides, hands,
    pile: pile && [list(pile, "cards"), pile.dataset.top, +pile.dataset.count],
    stock: stock && stock.dataset.stock,
    findings: [...document.querySelectorAll("[data-note] [data-finding]")]
      .map((each) => each.dataset.finding)};
}"""


def positions(games: Iterable[Reading], seat: str = "") -> list[dict[str, Any]]:
    """Return what `replay --json` says about every turn, in the shape of `READ`."""
    found: dict[tuple[int, int, int], dict[str, Any]] = {}
    for number, reading in enumerate(games, 1):
        profile = read_header(reading.game, 1).profile
        assert profile is not None
        play = play_back("record.canasta", reading, number, profile, seat=seat)
        [game] = replay_json("record.canasta", [play])["games"]
        for step in game["steps"]:
            if step["last"]:
                at = (number, step["deal"], step["turn"])
                findings = found[at]["findings"] if at in found else []
                found[at] = _position(at, step["state"])
                found[at]["findings"] = findings + [each["code"] for each in step["findings"]]
    return list(found.values())


def _position(at: tuple[int, int, int], state: dict[str, Any]) -> dict[str, Any]:
    fewest, most = state["stock"]["fewest"], state["stock"]["most"]
    cards = state["pile"]["cards"]
    return {
        "at": list(at),
        "sides": {name: _side(side) for name, side in state["sides"].items()},
        "hands": {seat: [hand["cards"], hand["size"]] for seat, hand in state["hands"].items()},
        "pile": [cards, cards[-1] if cards else "", len(cards)],
        "stock": str(fewest) if fewest == most else f"{fewest}-{most}",
    }


def _side(side: dict[str, Any]) -> dict[str, Any]:
    melds = [
        (meld["label"], sorted(meld["cards"]),
         meld["canasta"])
        for meld in side["melds"]
    ]  # fmt: skip
    points = "" if side["points"] is None else str(side["points"])
    return {"melds": melds, "threes": side["threes"], "points": points}


def counted(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position read from a page with its melds counted as a replay counts them."""
    for side in position["sides"].values():
        side["melds"] = [(rank, sorted(cards), canasta) for rank, cards, canasta in side["melds"]]
    return position
