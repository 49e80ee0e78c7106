"""The standings of an evening: who played, who won, and by how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from canasta_notation.language.sentences import Names, Sentence, say
from canasta_notation.names import distinct_name
from canasta_notation.page.shown_game import ShownGame


class Placing(NamedTuple):
    """The results of a player or of partners: games played and won, and the sum of the totals."""

    name: Names
    played: int
    won: int
    points: int


class Outcome(NamedTuple):
    """What standings use of a game: the names of the players, the totals, the winner, the rules."""

    players: dict[str, list[str]]
    totals: dict[str, int | None]
    winner: str | None
    rules: str

    @property
    def named(self) -> bool:
        """Whether any player has a name."""
        return any(self.players.values())

    @property
    def known(self) -> dict[str, int] | None:
        """The totals, None if one of them is not known."""
        known = {side: total for side, total in self.totals.items() if total is not None}
        return known if known and len(known) == len(self.totals) else None

    @property
    def margin(self) -> int | None:
        """How much the best total exceeds the next, None if it is not known."""
        best = sorted((self.known or {}).values(), reverse=True)
        return best[0] - best[1] if len(best) > 1 else None


def outcome(game: ShownGame) -> Outcome:
    """Return what standings use of a game; players of one name are told apart by their seats."""
    play = game.play
    names = {seat: distinct_name(seat, play.names) for seat in play.names}
    players = {side: sorted(names[seat] for seat in side if seat in names) for side in play.sides}
    result = play.report.result
    return Outcome(players, dict(result.totals), result.winner, play.profile.text)


class Standings(NamedTuple):
    """The results of the players and of the partners, and what they leave out and add up."""

    players: list[Placing]
    partners: list[Placing]
    remarks: list[Sentence]


def standings(games: Sequence[Outcome]) -> Standings:
    """Return the standings of games."""
    known = [game for game in games if game.known]
    partners = [each for each in placings(known, together=True) if len(each.name.names) > 1]
    return Standings(placings(known, together=False), partners, _remarks(games))


def placings(games: Iterable[Outcome], *, together: bool) -> list[Placing]:
    """Return the results of each player, or with `together` of each side; the best come first."""
    played: dict[Names, list[tuple[bool, int]]] = defaultdict(list)
    for game in games:
        for side, names in game.players.items():
            for name in [tuple(names)] if together and names else zip(names):
                played[Names(name)].append((game.winner == side, game.totals[side] or 0))
    table = [
        Placing(name, len(done), sum(won for won, _ in done), sum(total for _, total in done))
        for name, done in played.items()
    ]
    return sorted(table, key=lambda each: (-each.won, -each.points, each.name.names))


def _remarks(games: Sequence[Outcome]) -> list[Sentence]:
    """Return what the standings leave out and add up, for the games that name players."""
    numbered = [(at, game) for at, game in enumerate(games, 1) if game.named]
    unknown = tuple(at for at, game in numbered if not game.known)
    open_games = tuple(at for at, game in numbered if game.known and not game.winner)
    rules = tuple(dict.fromkeys(game.rules for _, game in numbered if game.known))
    remarks = []
    for key, found in (("not_counted", unknown), ("no_winner", open_games)):
        if found:
            remarks.append(say(key, n=len(found), g=Names(found)))
    if len(rules) > 1:
        remarks.append(say("rules_differ", r=Names(rules)))
    return remarks
