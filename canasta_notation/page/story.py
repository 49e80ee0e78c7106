"""A game as a page shows it: played once, or twice as a seat sees it, with its scores explained."""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.engine.table import Table
from canasta_notation.notation.reader import Reading
from canasta_notation.page.chances import Chances
from canasta_notation.page.markup import tag_text
from canasta_notation.report.ledger import GameLedger, explain_game
from canasta_notation.report.played import Played, play_game
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class Story:
    """A played game, the ledger of its scores, and what its turns could have done.

    The scores are those of the whole record. In a seat's view, what is said to earn them and the
    chances are what the seat can know.
    """

    play: Played
    ledger: GameLedger
    chances: Chances

    def tag(self, name: str) -> str:
        """Return the value of a tag, "" without one."""
        return tag_text(self.play.game, name)


def page_game(file: str, reading: Reading, number: int, profile: Profile, seat: str = "") -> Story:
    """Replay a game by the rules of `profile` and return what a page shows of it."""
    chances = Chances(reading.game)
    tables: dict[int, Table] = {}

    def observe(at: int, table: Table, line: int, action: int) -> None:
        tables[at] = table
        chances.observe(at, table, line, action)

    play = play_game(file, reading, number, profile, seat=seat, override=profile, observer=observe)
    return Story(play, explain_game(reading.game, play.report, tables), chances)
