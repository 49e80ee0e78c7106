"""The standings of an evening: who played, who won, and by how much, with links to the games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from canasta_notation.english import listed
from canasta_notation.page.markup import html, points
from canasta_notation.page.story import PageGame
from canasta_notation.page.written_game import day, game_title, result


@dataclass(frozen=True, slots=True)
class Placing:
    """The results of a player or a pair: games played and won, and the sum of the known totals."""

    name: str
    played: int
    won: int
    points: int


def index(games: Sequence[PageGame]) -> str:
    """Return the standings and a list of the games, each a link."""
    pairs = standings(games, together=True)
    tables = _table("Players", standings(games, together=False))
    tables += _table("Pairs", [each for each in pairs if " and " in each.name])
    listed_games = "".join(_link(game, at) for at, game in enumerate(games, 1))
    return (
        f'<nav class="index" aria-label="Games"><div class="standings">{tables}</div>'
        f"<h2>Games</h2><ol>{listed_games}</ol></nav>"
    )


def standings(games: Iterable[PageGame], *, together: bool) -> list[Placing]:
    """Return the results of each player, or with `together` of each side; the best come first."""
    played: dict[str, list[tuple[bool, int]]] = defaultdict(list)
    for game in games:
        outcome = game.ledger.report.result
        for side in game.sides:
            names = sorted({game.tag(seat) for seat in side} - {""})
            names = [listed(names)] if together and names else names
            for name in names:
                played[name].append((outcome.winner == side, outcome.totals.get(side) or 0))
    table = [
        Placing(name, len(done), sum(won for won, _ in done), sum(total for _, total in done))
        for name, done in played.items()
    ]
    return sorted(table, key=lambda each: (-each.won, -each.points, each.name))


def _table(title: str, table: list[Placing]) -> str:
    if not table:
        return ""
    rows = "".join(
        f"<tr><th>{html(each.name)}<td>{each.played}<td>{each.won}<td>{points(each.points)}"
        for each in table
    )
    return (
        f'<table class="standing"><caption>{title}</caption><thead><tr><th>Name'
        f"<th>Played<th>Won<th>Points</thead>{rows}</table>"
    )


def _link(game: PageGame, place: int) -> str:
    sides = " against ".join(
        listed([game.tag(seat) or seat for seat in side]) for side in game.sides
    )
    date = day(game.tag("Date"))
    return (
        f'<li><a href="#game={place}">{html(game_title(game))}</a> '
        f"<small>{html(' · '.join(filter(None, (date, sides, result(game)))))}</small>"
    )
