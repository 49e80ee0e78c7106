"""The standings of an evening: who played, who won, and by how much, with links to the games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from canasta_notation.english import listed
from canasta_notation.page.markup import html, points
from canasta_notation.page.story import Story
from canasta_notation.page.written_game import day, game_title, result


@dataclass(frozen=True, slots=True)
class Placing:
    """The results of a player or of partners: games played and won, and the sum of the totals."""

    name: str
    played: int
    won: int
    points: int


def index(games: Sequence[Story]) -> str:
    """Return the standings and a list of the games, each a link."""
    known = [game for game in games if _is_known(game)]
    sides = standings(known, together=True)
    tables = _table("Players", standings(known, together=False))
    tables += _table("Partners", [each for each in sides if " and " in each.name])
    listed_games = "".join(_link(game, at) for at, game in enumerate(games, 1))
    return (
        f'<nav class="index" aria-label="Games"><div class="standings">{tables}</div>'
        f"{_remarks(games)}<h2>Games</h2><ol>{listed_games}</ol></nav>"
    )


def standings(games: Iterable[Story], *, together: bool) -> list[Placing]:
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
    return f"<p>{html(' '.join(remarks))}</p>" if remarks else ""


def _numbers(games: Sequence[int]) -> str:
    return f"{'game' if len(games) == 1 else 'games'} {listed(map(str, games))}"


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


def _link(game: Story, place: int) -> str:
    sides = " against ".join(
        listed([game.tag(seat) or seat for seat in side]) for side in game.play.sides
    )
    date = day(game.tag("Date"))
    return (
        f'<li><a href="#game={place}">{html(game_title(game))}</a> '
        f"<small>{html(' · '.join(filter(None, (date, sides, result(game)))))}</small>"
    )
