"""The score pad: `canasta record --sheet`, a row for each side of each deal."""

from __future__ import annotations

from collections.abc import Callable

from canasta_notation.cli.recording.ask import Question
from canasta_notation.cli.recording.talk import Talk
from canasta_notation.cli.recording.view import listed, score_rows, totals_rows
from canasta_notation.cli.trouble import Trouble
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.sheet import HOUSE, SheetRow, columns, parse_row, propose_row
from canasta_notation.render.paint import Look, Rows, legend


class ScorePad(Talk):
    """A score pad: for each side the canastas, threes, cards and who went out; it computes."""

    def run(self) -> None:
        """Ask until the person leaves. Raises EOFError then, Trouble where a deal is in play."""
        if self.standing.turns and self.standing.phase in ("play", "scores"):
            raise Trouble(f"{self.desk.name}: a deal is in play; go on without --sheet")
        super().run()

    def prompt(self) -> str:
        """Return the prompt for the side whose row is due."""
        side = self.side_due()
        if side is None:
            return "over> "
        return f"deal {self.standing.deal_due} {side} ({' '.join(columns(self.standing.rules))})> "

    def side_due(self) -> str | None:
        """Return the side whose row is due, None once the game is over."""
        match self.standing.phase:
            case "over":
                return None
            case "scores":
                return self.standing.side_due
        return self.standing.rules.sides[0]

    def help(self) -> Rows:
        """Return what can be typed."""
        first, second, third, cards = columns(self.standing.rules)
        lines = [
            ("0 1 2 275 out", f"{first} and {second} canastas, {third}, {cards}; went out"),
            ("0 1 2 365/-90 out N", "the melds' points and the hands' apart; N went out"),
            ("... penalty 100", "points taken by a ruling, and a word why"),
            ("Enter", "each figure is asked by itself"),
            ("undo, note TEXT, score, save PATH, quit", "as in every recording"),
        ]
        return legend(lines, self.desk.session.look)

    def toolbar(self, look: Look) -> Rows:
        """Return the totals before the deal, and what they ask of an opening."""
        return totals_rows(self.standing, look)

    def tell_phase(self) -> None:
        """Show the totals and the next minimums when a deal is done."""
        standing, desk = self.standing, self.desk
        mark = f"{standing.phase == 'over'} {standing.deal_due}"
        if mark == self.told:
            return
        self.told = mark
        if standing.phase == "over":
            desk.show(score_rows(standing))
            result = standing.header.result_tag
            desk.tell(f"the game is over: {result.value if result else ''}")
        else:
            desk.show(totals_rows(standing, desk.session.look))

    def entry(self, text: str) -> None:
        """Take a side's row."""
        side = self.side_due()
        if side is None:
            self.desk.tell("the game is over; undo takes the last row back")
            return
        try:
            found = parse_row(text or self._asked(side), side, self.standing.rules)
        except ValueError as error:
            self.desk.tell(f"{error} (help shows how)", "error")
            self.start = text
            return
        proposals = propose_row(self.standing, side, found)
        proposal = proposals[0]
        if len(proposals) > 1 and not self._melded(side, found):
            proposal = proposals[1]
        self.settle(proposal, text)

    def _asked(self, side: str) -> str:
        """Return the row whose figures are asked one by one."""
        words: list[str] = []
        for name in columns(self.standing.rules):
            words = self._with_answer(side, name, "0", words, lambda said: [said])
        outs = {"n": [], "y": ["out"]}
        words = self._with_answer(
            side, "went out (seat, y or n)", "n", words, lambda said: outs.get(said, ["out", said])
        )
        words = self._with_answer(
            side,
            "penalties",
            "0",
            words,
            lambda said: [] if said == "0" else ["penalty", said, HOUSE],
        )
        return " ".join(words)

    def _with_answer(
        self,
        side: str,
        what: str,
        default: str,
        words: list[str],
        said: Callable[[str], list[str]],
    ) -> list[str]:
        """Return the words of a row with what was answered; asks until they can be read."""
        missing = len(columns(self.standing.rules)) - 1 - len(words)
        while True:
            answer = self.desk.ask(Question(f"  {side} {what} [{default}]> ")).strip() or default
            if answer == "quit":
                raise EOFError
            row = [*words, *said(answer)]
            try:
                parse_row(" ".join([*row, *["0"] * missing]), side, self.standing.rules)
            except ValueError as error:
                self.desk.tell(str(error), "error")
            else:
                return row

    def _melded(self, side: str, found: SheetRow) -> bool:
        """Return whether threes count for a side: it has melded, which a row may not say."""
        question = f"  had {side} melded, so that its {found.threes} threes count for it [y]> "
        return not self.desk.ask(Question(question)).strip().lower().startswith("n")

    def take_entry(self, proposal: Proposal, text: str) -> None:
        """Take a row, and show what it came to."""
        self.desk.show(listed(proposal.written))
        self.take(proposal.after)
