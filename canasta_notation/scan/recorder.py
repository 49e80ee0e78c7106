"""A scanner that keeps what reports and tables tell of a game: its turns, deals and claims.

It costs half a scan more, so a validation does without it. What it keeps stands
only once the whole game has been scanned.
"""

from __future__ import annotations

from canasta_notation.cards import RANK_LETTERS
from canasta_notation.counts import i64
from canasta_notation.engine.meld import touched
from canasta_notation.engine.progress import Progress
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.table import OUT, Table
from canasta_notation.scan.scanner import Scanner

#: A turn: deal, turn, line, seat, side, took, pile, drawn, laid, ranks, opening, canastas, discard,
#: asked, out, hand, stock, seconds; as the columns of that name in `corpus.columns` describe them.
#: Lines count from 1 at the game's first deal.
TurnRow = tuple[
    int, int, int, str, str, bool, int | None, str | None, int, str, int | None, int, str | None,
    str | None, bool, int, int, float | None,
]  # fmt: skip


class RecordedDeal:
    """A deal that was scanned: the table at its end, and the lines behind its turns.

    `line` counts from 1 at the game's first deal; `totals` are the sides' after the deal;
    `penalties` are (side, points, word), points positive.
    """

    def __init__(self, line: i64) -> None:
        self.line = line
        self.progress = Progress()
        self.penalties: list[tuple[str, int, str]] = []
        self.totals: list[int] = []
        self.closing = b""
        self.play: Table | None = None


class Recorder(Scanner):
    """A scanner that keeps every deal, and a row of every turn."""

    def __init__(self, data: bytes, rules: Rules, dealer: i64) -> None:
        super().__init__(data, rules, dealer)
        self.recorded: list[RecordedDeal] = []
        self.rows: list[TurnRow] = []

    def _deal(self, pos: i64) -> i64:
        self.recorded.append(RecordedDeal(self.lines + 1))
        return super()._deal(pos)

    def _turn(self, seat: i64, pos: i64) -> i64:
        pile: i64 = len(self.play.pile)
        line = self.lines + 1
        end = super()._turn(seat, pos)
        if end >= 0:
            self._record(seat, pile, line, self.text[pos : end - 1].decode())
        return end

    def _record(self, seat: i64, pile: i64, line: i64, text: str) -> None:
        """Add the row of a turn that has ended; `text` is its line from draw or take on."""
        play = self.play
        drawn: str | None = None
        discard: str | None = None
        asked: str | None = None
        seconds: float | None = None
        opening: int | None = None
        laid = 0
        canastas: i64 = 0
        ranks = ""
        words = text.partition(" ;")[0].split(" ")
        if len(words) == 2 and text[0] == "+" and words[1][0] == "-":
            drawn, discard = words[0][1:], words[1][1:]
            took = False
        else:
            for word in words:
                first = word[0]
                if first == "+":
                    drawn = (drawn or "") + word[1:]
                elif first == "-":
                    discard = word[1:]
                elif first == "@":
                    seconds = float(word[1:])
                elif word.startswith("ask="):
                    asked = word[4:]
                elif ":" in word and not word.startswith("talon:"):
                    cards = word.partition(":")[2]
                    laid += (len(cards) + cards.count("*")) // 2
            progress = self.recorded[-1].progress
            ranks = "".join([RANK_LETTERS[rank] for rank in progress.note_turn(play)])
            canastas = progress.completed(self.rules.side_of[seat], play.turns)
            took = play.took
            if touched(play) and not play.opened_before:
                opening = play.count_most
        rules = self.rules
        out = play.ended == OUT and play.ended_by == seat
        self.rows.append((
            len(self.recorded), play.turns, line, rules.seats[seat],
            rules.sides[rules.side_of[seat]], took, pile if took else None, drawn, laid, ranks,
            opening, canastas, discard, asked, out, play.hand_sizes[seat], play.stock_most,
            seconds,
        ))  # fmt: skip

    def _penalty(self, pos: i64) -> i64:
        end = super()._penalty(pos)
        if end >= 0:
            words = self.text[pos : end - 1].decode().split(" ")
            self.recorded[-1].penalties.append((words[0], int(words[1]), words[2]))
        return end

    def _close(self, pos: i64) -> i64:
        end = super()._close(pos)
        if end >= 0:
            deal = self.recorded[-1]
            deal.play, deal.totals, deal.closing = self.play, self.totals, self.text[pos:end]
        return end
