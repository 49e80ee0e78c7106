"""Final tables: `canasta record --table`, what is on the table at the end of each deal."""

from __future__ import annotations

from canasta_notation.cli.recording.talk import LEFT_OUT, Talk
from canasta_notation.cli.recording.view import deal_rows, totals_rows
from canasta_notation.cli.recording.vocabulary import not_understood
from canasta_notation.cli.trouble import Trouble
from canasta_notation.recorder.proposal import propose
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.shown_at_end import end_text
from canasta_notation.render.paint import Look, Rows


class FinalTables(Talk):
    """A recording of final tables: how each deal ended, with melds, threes and hands left."""

    whole = True
    #: The lines of the record when its last final table was judged.
    _judged: tuple[str, ...] = ()

    def run(self) -> None:
        """Ask until the person leaves, then raise EOFError. Raises Trouble if a deal is in play."""
        if self.standing.turns and self.standing.phase == "play":
            raise Trouble(f"{self.desk.name}: a deal is in progress; continue without --table")
        super().run()

    def prompt(self) -> str:
        """Return the prompt for what is due."""
        if self._kind() == "end":
            return f"deal {self.standing.deal_due} end> "
        return super().prompt()

    def toolbar(self, look: Look) -> Rows:
        """Return the totals before the deal; its play is not known."""
        return totals_rows(self.standing, look)

    def _asks_up(self) -> bool:
        return False

    def _asks_threes(self) -> bool:
        return False

    def _kind(self) -> str:
        return "end" if self.standing.phase in ("deal", "play") else super()._kind()

    def entry(self, text: str) -> None:
        """Handle how a deal ended, or whatever else is due."""
        if self._kind() != "end":
            super().entry(text)
            return
        line = end_text(seats_for_names(self.standing, text), self.standing.rules.seats)
        if line is None:
            self.desk.tell(not_understood("" if text == LEFT_OUT else text, self.hint()))
        else:
            self.settle(propose(self.standing, line), text)

    def tell_phase(self) -> None:
        """Say what is wrong with a final table when it is complete, and what has changed."""
        standing, desk = self.standing, self.desk
        whole = standing.phase == "scores" and self.claim_due() is None
        if whole and self._judged != standing.lines:
            self._judged = standing.lines
            desk.show(deal_rows(standing, desk.session.look))
        super().tell_phase()
