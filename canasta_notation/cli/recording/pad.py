"""The score pad: `canasta record --sheet`, a row for each side of each deal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from canasta_notation.cli.recording.ask import BACK, GoneBack, Question, Yes
from canasta_notation.cli.recording.talk import Talk
from canasta_notation.cli.recording.view import HINTS, listed, named, totals_rows
from canasta_notation.cli.recording.vocabulary import first_command, not_understood
from canasta_notation.cli.trouble import Trouble
from canasta_notation.notation.document import ScoreLine
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.sheet import (
    HOUSE,
    POINTS,
    SheetRow,
    columns,
    parse_row,
    propose_change,
    propose_on_paper,
    propose_row,
    row_text,
    rules_for,
)
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.render.paint import Look, Rows, legend, row, wrap_row

#: The deal and side that name a row, and the row's new text.
_ROW: Final = re.compile(r"(\d{1,4}) +([A-Za-z]+)(?: +(.*))?$")
_ON_PAPER: Final = (
    "The score that the players wrote down for this side and deal, for example 575. Press Enter if "
    "it is the one in brackets; type - if they wrote none, or back to correct the row."
)
#: What each figure of a row is called in its question.
_CALLED: Final = {
    "natural": "natural canastas",
    "mixed": "mixed canastas",
    "red3": "red threes",
    "threes": "points of threes",
    "cards": "points of cards",
}
#: What each figure of a row is.
_FIGURES: Final = {
    "natural": "How many natural canastas: seven cards or more of a rank, without wild cards.",
    "mixed": "How many mixed canastas: seven cards or more of a rank, with wild cards.",
    "red3": "How many red threes the side has on the table.",
    "threes": "How many points the side's threes count.",
    "cards": "The points of the cards melded minus those left in the hands, for example 275; or "
    "both separately, for example 365/-90.",
    "penalties": "The points taken from the side as a penalty, for example 100.",
}


class ScorePad(Talk):
    """A score pad: asks for each side's canastas, threes, cards and going out, and computes."""

    def run(self) -> None:
        """Ask until the person leaves, then raise EOFError. Raises Trouble if a deal is in play."""
        if self.standing.turns and self.standing.phase in ("play", "scores"):
            raise Trouble(f"{self.desk.name}: a deal is in progress; continue without --sheet")
        super().run()

    def prompt(self) -> str:
        """Return the prompt for the side whose row is due."""
        side = self.side_due()
        if side is None:
            return "over> "
        return f"deal {self.standing.deal_due} {side} ({' '.join(columns(self.standing.rules))})> "

    def side_due(self) -> str | None:
        """Return the side whose row is due, None if the game is over."""
        match self.standing.phase:
            case "over":
                return None
            case "scores":
                return self.standing.side_due
        return self.standing.rules.sides[0]

    def _kind(self) -> str:
        return "over" if self.side_due() is None else "row"

    def hint(self) -> str:
        """Return the current question in plain words, with an example."""
        side = self.side_due()
        if side is None:
            return HINTS["over"]
        first, second, third, cards = columns(self.standing.rules)
        red = third == "red3"
        tabled, example = ("red threes", 2) if red else ("points of threes", 100)
        who = named(self.standing, side)
        return (
            f"What did {who} score? Type four numbers: {first} canastas, {second} canastas, "
            f"{tabled}, points of {cards}; then out if the side went out. For example "
            f"0 1 {example} 275 out. Press Enter to be asked for each figure in turn. If only the "
            "score was written down, type it alone."
        )

    def help(self) -> Rows:
        """Return what can be typed."""
        seat = self.standing.rules.seats[0]
        lines = [
            ("... out", "the side went out"),
            (
                f"... 365/-90 out {seat}",
                f"points of melds and of hands separately; {seat} went out",
            ),
            ("945", "the score alone"),
            (
                "... penalty 100 ask",
                "points taken as a penalty; the word that says why may be left out",
            ),
            ("Enter", "asks for each figure in turn; back stops asking"),
            ("edit 2 NS", "changes the row of NS in deal 2; also edit rules, edit name N"),
            ("undo, note TEXT, score, save PATH, quit", "as when recording turns"),
        ]
        look = self.desk.session.look
        return [*wrap_row(row(self.hint()), look.width), *legend(lines, look)]

    def toolbar(self, look: Look) -> Rows:
        """Return the totals before the deal, and each side's opening minimum."""
        return totals_rows(self.standing, look)

    def tell_phase(self) -> None:
        """Show the totals and the next opening minimums after a deal."""
        standing, desk = self.standing, self.desk
        mark = f"{standing.phase == 'over'} {standing.deal_due}"
        if mark == self.phase_shown:
            return
        self.phase_shown = mark
        if standing.phase == "over":
            self.show_end()
        elif standing.phase == "deal":
            desk.show(totals_rows(standing, desk.session.look))

    def entry(self, text: str) -> None:
        """Handle a side's row."""
        side = self.side_due()
        if side is None:
            self.desk.tell("the game is over; undo takes back the last row")
            return
        try:
            said = text or self._row_by_figures(side)
        except GoneBack:
            return
        self._row(said, side, self.standing.deal_due - 1, new=True)

    def _row(self, text: str, side: str, at: int, *, new: bool) -> None:
        """Handle a row, new or in place of an earlier one, then ask for its score on paper."""
        editing = "" if new else f"{at + 1} {side}"
        # Only who went out is named: a figure may look like the name of a player.
        at_out = text.lower().find("out")
        if at_out >= 0:
            text = text[:at_out] + seats_for_names(self.standing, text[at_out:])
        try:
            found = parse_row(text, side, self.standing.rules)
        except ValueError as error:
            self.desk.tell(f"{error} (? shows how)", "error")
            self.start, self._editing = text, editing
            return
        standing = self.standing
        if new:
            proposals = propose_row(standing, side, found)
        else:
            proposals = propose_change(standing, at, side, found)
        proposal = proposals[0]
        if len(proposals) > 1 and not self._threes_count_for(side, found):
            proposal = proposals[1]
        if self.settle(proposal, text, editing) and found.score is None:
            self._on_paper(side, at, text)

    def _on_paper(self, side: str, at: int, text: str) -> None:
        """Ask for the score on paper, and say at once by how much it differs."""
        line = next(
            line for line in self.standing.reading.game.deals[at].scores if line.side == side
        )
        while True:
            question = f"  {side} score on paper [{line.score}]> "
            said = self.desk.ask(Question(question)).strip().replace("\u2212", "-")
            if said == "quit":
                raise EOFError
            if said in ("", "-", str(line.score)):
                return
            if POINTS.fullmatch(said):
                break
            if said == BACK:
                self.start, self._editing = text, f"{at + 1} {side}"
                return
            command = first_command(said)
            if command in ("", "help"):
                self.desk.tell(not_understood(said, _ON_PAPER))
            else:
                self.answer(said)
            if command in ("undo", "edit"):
                return
        self._compare(said, line, at, text)

    def _compare(self, said: str, line: ScoreLine, at: int, text: str) -> None:
        """Say by how much a score on paper differs from its row, and ask which is right."""
        side, differs = line.side, int(said) - line.score
        if not differs:
            return
        how = f"{abs(differs)} too {'high' if differs > 0 else 'low'}"
        self.desk.tell(f"{said} is {how}: the row comes to {line.score}", "error")
        found = parse_row(text, side, self.standing.rules)
        for override, words in rules_for(self.standing, at, side, found, int(said)):
            self.desk.tell(f"it is right if {words} (edit rules, and add {override})")
        choices = {
            "c": f"write {line.score}",
            "p": f"write {said} as it is on paper; canasta audit will report it",
        }
        offered = legend(choices.items(), self.desk.session.look)
        self.desk.show(offered)
        answer = self.choose(
            "Enter to correct the row", choices, lambda: self.desk.show(offered), capitals=True
        )
        if answer == "p":
            proposal = propose_on_paper(self.standing, at, side, int(said))
            self.desk.show(listed(proposal.written))
            self.accept(proposal.after)
        elif POINTS.fullmatch(answer):
            self._compare(answer, line, at, text)
        elif answer != "c":
            self.correct(answer, text, f"{at + 1} {side}")

    def _edit(self, rest: str) -> None:
        """Begin to change an earlier row, or anything else that can be edited."""
        found = _ROW.match(rest)
        at, side = (int(found[1]) - 1, found[2].upper()) if found else (-1, "")
        old = row_text(self.standing, at, side)
        if found is None or old is None:
            super()._edit(rest)
        elif found[3]:
            self._row(found[3].strip(), side, at, new=False)
        else:
            self._editing, self.start = f"{at + 1} {side}", old

    def _correct(self, what: str, text: str) -> None:
        """Handle the new text of a row; an empty line leaves the row as it is.

        The score on paper is asked for again: it may have been the reason to open the row.
        """
        found = _ROW.match(what)
        if found is None:
            super()._correct(what, text)
            return
        side, at = found[2], int(found[1]) - 1
        if text:
            self._row(text, side, at, new=False)
            return
        super()._correct(what, text)
        old = row_text(self.standing, at, side)
        if old is not None and self._is_computed(side, at):
            self._on_paper(side, at, old)

    def _is_computed(self, side: str, at: int) -> bool:
        """Return whether a row has items and its score is their sum."""
        scores = self.standing.reading.game.deals[at].scores
        line = next(line for line in scores if line.side == side)
        return line.items is not None and line.score == sum(points for _, points in line.items)

    def _row_by_figures(self, side: str) -> str:
        """Ask for the figures of a row one by one, and return the row; `back` raises GoneBack."""
        words: list[str] = []
        for name in columns(self.standing.rules):
            words = self._with_answer(side, name, "0", words, lambda said: [said])
        meaning = "Yes if one of its players laid or discarded the last card of the hand."
        went = Yes(f"  Did {side} go out?", meaning, back=True)
        if self.desk.yes_or_no(went):
            words.append("out")
            if len(side) > 1:
                who = f"who went out ({' or '.join(side)}; Enter if not known)"
                words = self._with_answer(
                    side,
                    who,
                    "",
                    words,
                    lambda said: [seats_for_names(self.standing, said)] * bool(said),
                )
        return " ".join(
            self._with_answer(
                side,
                "penalties",
                "0",
                words,
                lambda said: [] if said == "0" else ["penalty", said, HOUSE],
            )
        )

    def _with_answer(
        self,
        side: str,
        what: str,
        default: str,
        words: list[str],
        said: Callable[[str], list[str]],
    ) -> list[str]:
        """Ask until the answer can be read; return the row's words with the answer."""
        missing = len(columns(self.standing.rules)) - 1 - len(words)
        shown = f" [{default}]" if default else ""
        while True:
            answer = (
                self.desk.ask(Question(f"  {side} {_CALLED.get(what, what)}{shown}> ")).strip()
                or default
            )
            if answer == "quit":
                raise EOFError
            if answer == BACK:
                raise GoneBack
            if answer in ("?", "help"):
                self.desk.tell(_FIGURES.get(what, self.hint()))
                continue
            if what in _FIGURES and " " in answer:
                self.desk.tell(f"type one figure; `{BACK}` returns to the row", "error")
                continue
            row = [*words, *said(answer)]
            try:
                parse_row(" ".join([*row, *["0"] * missing]), side, self.standing.rules)
            except ValueError as error:
                self.desk.tell(str(error), "error")
            else:
                return row

    def _threes_count_for(self, side: str, found: SheetRow) -> bool:
        """Ask whether the side of a row has melded, so that its threes count for it."""
        question = f"  Had {side} melded, so that its {found.threes} red threes count for it?"
        meaning = "Red threes count against a side that has melded nothing."
        return self.desk.yes_or_no(Yes(question, meaning, default=True))

    def accept_entry(self, proposal: Proposal, text: str) -> None:
        """Accept a row, and show the lines that it became."""
        self.desk.show(listed(proposal.written))
        self.accept(proposal.after)
