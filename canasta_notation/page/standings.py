"""The standings of an evening: who played, who won, and by how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from canasta_notation.english import listed
from canasta_notation.page.story import Story


class Placing(NamedTuple):
    """The results of a player or of partners: games played and won, and the sum of the totals."""

    name: str
    played: int
    won: int
    points: int


class Standings(NamedTuple):
    """The results of the players and of the partners, and what they leave out and add up."""

    players: list[Placing]
    partners: list[Placing]
    remarks: str


def standings(games: Sequence[Story]) -> Standings:
    """Return the standings of games."""
    known = [game for game in games if _is_known(game)]
    partners = [each for each in placings(known, together=True) if " and " in each.name]
    return Standings(placings(known, together=False), partners, _remarks(games))


def placings(games: Iterable[Story], *, together: bool) -> list[Placing]:
    """Return the results of each player, or with `together` of each side; the best come first."""
    played: dict[str, list[tuple[bool, int]]] = defaultdict(list)
    for game in games:
        outcome = game.play.report.result
        for side in game.play.sides:
            names = sorted({game.tag(seat) for seat in side} - {""})
            names = [listed(names)] if together and names else names
            for name in names:
                played[name].append((outcome.winner == side, outcome.totals[side] or 0))
    table = [
        Placing(name, len(done), sum(won for won, _ in done), sum(total for _, total in done))
        for name, done in played.items()
    ]
    return sorted(table, key=lambda each: (-each.won, -each.points, each.name))


def _is_known(game: Story) -> bool:
    totals = game.play.report.result.totals
    return bool(totals) and None not in totals.values()


def _remarks(games: Sequence[Story]) -> str:
    """Return what the standings leave out and add up, of the games that name players."""
    numbered = [
        (at, game) for at, game in enumerate(games, 1) if any(map(game.tag, game.play.seats))
    ]
    unknown = [at for at, game in numbered if not _is_known(game)]
    open_games = [
        at for at, game in numbered if _is_known(game) and not game.play.report.result.winner
    ]
    rules = dict.fromkeys(game.play.profile.text for _, game in numbered if _is_known(game))
    remarks = []
    if unknown:
        remarks.append(f"Not counted, because the points are not known: {_numbers(unknown)}.")
    if open_games:
        has, its = ("has", "its") if len(open_games) == 1 else ("have", "their")
        subject = _numbers(open_games).capitalize()
        remarks.append(f"{subject} {has} no winner, but {its} points are counted.")
    if len(rules) > 1:
        remarks.append(f"The games were played by different rules: {listed(rules)}.")
    return " ".join(remarks)


def _numbers(games: Sequence[int]) -> str:
    return f"{'game' if len(games) == 1 else 'games'} {listed(map(str, games))}"
