"""The talk with a scorer: a prompt for each turn, commands, and questions about findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from canasta_notation.cli.recording.ask import BACK, Question
from canasta_notation.cli.recording.desk import Desk
from canasta_notation.cli.recording.view import (
    CARD,
    EDIT_HELP,
    HINTS,
    card_rows,
    finding_rows,
    hands_rows,
    help_rows,
    listed,
    named,
    score_rows,
    table_page,
    toolbar_rows,
    turn_rows,
    why_rows,
)
from canasta_notation.cli.recording.vocabulary import (
    COMMANDS,
    MEANT,
    begins_line,
    first_command,
    is_command,
    is_prose,
    likely,
)
from canasta_notation.english import count
from canasta_notation.english import listed as listed_words
from canasta_notation.notation.document import KEYWORDS, Turn
from canasta_notation.recorder.closing import begin_deal, computed_line, propose_score
from canasta_notation.recorder.completion import Completion, complete
from canasta_notation.recorder.corrections import (
    note,
    old_text,
    propose_text,
    split_edit,
    takes_words,
    ways_on,
    without_last_entry,
)
from canasta_notation.recorder.known import held
from canasta_notation.recorder.proposal import Proposal, added_lines, propose
from canasta_notation.recorder.shorthand import plain_suits, seats_for_names
from canasta_notation.recorder.shown_at_end import (
    KINDS,
    NONE,
    DueLine,
    claim_text,
    claims_due,
    hand_at_end,
    start_threes,
)
from canasta_notation.recorder.standing import Standing, result_of
from canasta_notation.render.paint import Look, Rows, legend, paint
from canasta_notation.render.score_card import deal_title

#: A number of entries or turns.
_COUNT: Final = re.compile(r"\d{1,6}")
#: Typed to leave out a score, or anything that is not known.
LEFT_OUT: Final = "-"
#: An answer about red threes at the start of a deal, and one that came too late.
_THREES: Final = re.compile(rf"(?!(?:{'|'.join(KEYWORDS)})\b)[\w ,]*$", re.IGNORECASE)
_TABLED: Final = re.compile(r"[A-Z](?:[ ,]+3[hdr]?)+")
#: What can be typed after an entry that cannot be read.
_CORRECTING: Final = (
    "Enter brings back what you typed, so that you can correct it; or type something else."
)
#: Answers to a choice: those that correct the entry, and a single letter, which is not an entry.
_NO: Final = ("n", "no", BACK)
_LETTER: Final = re.compile(r"[a-mo-z]")
#: What to type instead of words, by the kind of question.
_INSTEAD: Final[dict[str, str]] = {
    "up": f"{CARD}; ",
    "red threes": "type a seat and its red threes, for example N 3h, or none; ",
    "end": "type the seat of the player who went out, or stock; ",
    **dict.fromkeys(KINDS, "type cards like 4s, K, T, * or 3r; "),
    "play": "type a turn in signs, for example + 7:777 -4s, or ",
    "deal": "type a turn in signs, for example + 7:777 -4s, or ",
}
#: The number of a deal, and a question of it that is not asked again.
_Passed = tuple[int, DueLine | str]
#: What undo restores: the lines of the record, and those questions.
_State = tuple[tuple[str, ...], frozenset[_Passed]]


class Talk:
    """One recording, from an existing record to `quit` or the end of the input."""

    #: Whether to ask for the whole table at the end, not only for what the play leaves open.
    whole = False

    def __init__(self, desk: Desk, standing: Standing) -> None:
        self.desk = desk
        self.standing = standing
        self.start = ""
        #: What the next line corrects: a turn, `up`, a seat's hand; "" if it is a new line.
        self._editing = ""
        #: The questions that are not asked again: `up`, `red threes`, a side, a claim.
        self._passed: frozenset[_Passed] = frozenset()
        #: What stood before each answer that changed something: undo goes back to it.
        self._history: list[_State] = []
        #: The kinds of question that have been explained.
        self._explained: set[str] = set()
        self.phase_shown = ""
        #: The deal for which it has been said how the play ended it.
        self._end_shown = 0
        self._correcting_explained = False

    def run(self) -> None:
        """Ask until the person leaves, then raise EOFError."""
        desk = self.desk
        if self.standing.turns:
            desk.show(turn_rows(self.standing))
        while True:
            self.tell_phase()
            self._explain()
            self.answer(self._ask())

    # --- asking ---------------------------------------------------------------------------------

    def _ask(self) -> str:
        start, self.start = self.start, ""
        if start and self.desk.edits_lines and not self._correcting_explained:
            self._correcting_explained = True
            self.desk.tell("Your line is back, ready to be corrected. Ctrl-U clears it.")
        said = self._ask_from(start)
        if start and said.strip() == f"{start}?":
            self.start, said = start, "?"
        return said

    def _ask_from(self, start: str) -> str:
        """Return the line typed; it begins as `start`."""
        if self._editing:
            return self.desk.ask(Question(f"edit {self._editing}> ", start))
        look = self.desk.session.look
        toolbar = paint(self.toolbar(look), colour=look.colour).rstrip("\n")
        return self.desk.ask(Question(self.prompt(), start, self._complete, toolbar, COMMANDS))

    def toolbar(self, look: Look) -> Rows:
        """Return what is shown below the prompt."""
        return toolbar_rows(self.standing, look)

    def _complete(self, text: str) -> list[Completion]:
        return complete(self.standing, text)

    def prompt(self) -> str:
        """Return the prompt for what is due."""
        standing = self.standing
        match standing.phase:
            case "over":
                return "over> "
            case "scores":
                claim = self.claim_due()
                if claim is not None:
                    hand = hand_at_end(standing, claim)
                    size = f" ({count(hand.size, 'card')})" if hand and not hand.loose else ""
                    return f"deal {standing.deal_due} {claim.kind} {claim.whose}{size}> "
                side = self.side_due()
                line = computed_line(standing, side) if side else None
                points = f" [{line.split()[2]}]" if line else ""
                return f"deal {standing.deal_due} {side}{points}> "
        if self._asks_up():
            return f"deal {standing.deal_due} up> "
        if self._asks_threes():
            return f"deal {standing.deal_due} red threes> "
        return f"{standing.turn_due}. {standing.seat_due or '?'}> "

    def _asks_up(self) -> bool:
        standing, deal = self.standing, self.standing.deal
        if self._has_passed("up") or not standing.rules.up_turned:
            return False
        return standing.phase == "deal" or (
            deal is not None and deal.up is None and not deal.play and standing.phase == "play"
        )

    def _asks_threes(self) -> bool:
        """Return whether to ask for red threes tabled at the start of a deal with unseen hands."""
        standing, deal = self.standing, self.standing.deal
        if deal is None or standing.phase != "play" or deal.play or standing.rules.black_tabled:
            return False
        written = {hand.seat for hand in deal.hands}
        return not self._has_passed("red threes") and written < set(standing.rules.seats)

    def _has_passed(self, question: DueLine | str) -> bool:
        return (self.standing.deal_due, question) in self._passed

    def _pass(self, question: DueLine | str) -> None:
        """Leave a question of this deal open, or answered: it is not asked again."""
        self._passed |= {(self.standing.deal_due, question)}

    def claim_due(self) -> DueLine | None:
        """Return the next line of the table at the end to ask for, or None."""
        due = claims_due(self.standing, whole=self.whole)
        return next((claim for claim in due if not self._has_passed(claim)), None)

    def _kind(self) -> str:
        """Return the kind of the next question: a key of `HINTS`."""
        if self._asks_up():
            return "up"
        if self._asks_threes():
            return "red threes"
        claim = self.claim_due() if self.standing.phase == "scores" else None
        return claim.kind if claim else self.standing.phase

    def hint(self) -> str:
        """Return the current question in plain words, with an example."""
        claim = self.claim_due()
        who = claim.whose if claim else self.side_due() or self.standing.seat_due or "the seat"
        seats = self.standing.rules.seats
        return HINTS[self._kind()].format(
            who=named(self.standing, who), seat=seats[0], other=seats[-1]
        )

    def _explain(self) -> None:
        """Explain a kind of question the first time that it is asked."""
        kind = "" if self._editing or self.start else self._kind()
        if kind and kind not in self._explained:
            self._explained.add(kind)
            self.desk.tell(self.hint())
        claim = self.claim_due() if kind == "left" else None
        hand = hand_at_end(self.standing, claim) if claim else None
        if claim and hand and hand.cards:
            self.desk.tell(
                f"According to the play, {claim.whose} holds {held(hand)}. To add the others, type "
                "them after a +, for example + 5 K."
            )

    def side_due(self) -> str | None:
        """Return the side whose score is due."""
        side, sides = self.standing.side_due, self.standing.rules.sides
        while side is not None and self._has_passed(side):
            after = sides.index(side) + 1
            side = sides[after] if after < len(sides) else None
        return side

    def tell_phase(self) -> None:
        """Say what has changed since the last prompt: a deal or the game is over, or the stock."""
        standing, desk = self.standing, self.desk
        if standing.phase == "scores" and self.side_due() is None:
            self.accept(begin_deal(standing))
            standing = self.standing
        if standing.phase == "scores" and self.claim_due() is not None:
            self._tell_end()
            return
        over = standing.phase == "play" and standing.may_end
        mark = f"{standing.phase} {standing.deal_due} {over}"
        if mark == self.phase_shown:
            return
        self.phase_shown = mark
        if standing.phase == "scores":
            desk.show(card_rows(standing, desk.session.look))
        elif standing.phase == "over":
            self.show_end()
        elif standing.phase == "deal":
            desk.show(toolbar_rows(standing, desk.session.look))
        elif standing.seat_due is None:
            desk.tell("it is not known whose turn it is: type the seat too, as in `N + -4s`")
        elif over:
            desk.tell(
                f"the stock is empty: if {standing.seat_due} took the pile, type the turn; "
                "if not, type `end`"
            )

    def _tell_end(self) -> None:
        """Say how the play ended a deal, before asking what is on the table."""
        report = self.standing.deal_report
        if report is not None and report.turns and self._end_shown != report.deal:
            self._end_shown = report.deal
            self.desk.tell(deal_title(report))

    def show_end(self) -> None:
        """Show the scores of a game that is over, and its result."""
        self.desk.show(score_rows(self.standing))
        self.desk.tell(f"the game is over: {result_of(self.standing)}")

    # --- answers --------------------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Handle what was typed."""
        if self._history[-1:] != [self._state()]:
            self._history.append(self._state())
        text = text.strip()
        word, _, rest = text.partition(" ")
        if first_command(text):
            text = word.lower() + text[len(word) :]
            word = word.lower()
        if word not in ("note", "save"):
            text = plain_suits(text)
            word, _, rest = text.partition(" ")
        editing, self._editing = self._editing, ""
        if text.lower() == BACK:
            text = word = "" if editing else "undo"
        if is_command(text):
            self._command(word, rest.strip())
        elif text == "?":
            self._command("help", "")
            self._editing = editing
        elif editing and word in MEANT and not takes_words(editing):
            self._unknown(word)
            self._editing = editing
        elif editing:
            self._correct(editing, text)
        elif word in MEANT or (is_prose(word) and not self._is_answer(text)):
            self._unknown(word)
        else:
            self.entry(text)

    def entry(self, text: str) -> None:
        """Handle what is not a command: a line or, at the scores, a side's score."""
        claim = self.claim_due()
        if text == LEFT_OUT and (claim or self._asks_up() or self._asks_threes()):
            text = ""
        named_seats = seats_for_names(self.standing, text)
        if claim is not None and not begins_line(text):
            self._claim(claim, text)
        elif self.standing.phase == "scores" and not begins_line(text):
            self._score(text)
        elif self._kind() == "red threes" and _THREES.match(named_seats):
            self._start_threes(named_seats)
        elif self.standing.phase == "over" and not begins_line(text):
            self.desk.tell("the game is over: you can still type undo, edit, note or quit")
        elif self.standing.phase == "play" and _TABLED.fullmatch(named_seats):
            self.desk.tell(
                f"for a red three that {named_seats[0]} tabled at the start, type "
                f"{named_seats[0]}: 3h ...; write one that was drawn in its turn: +3h +"
            )
        elif text:
            proposal = propose(self.standing, text)
            if self._asks_up() and proposal.after is None and proposal.recased:
                proposal = propose(self.standing, proposal.recased)
            if self._asks_up() and proposal.after is None and text[0] not in "+^":
                self.desk.tell(f"`{text}` is not a card: {CARD}", "error")
                self.start = text
                return
            if self._asks_threes() and isinstance(proposal.line, Turn):
                self._pass("red threes")
            self.settle(proposal, text)
        elif self._asks_up():
            self._pass("up")

    def _is_answer(self, text: str) -> bool:
        """Return whether the words are an answer to the current question other than cards."""
        if text in NONE:
            return self.claim_due() is not None or self._asks_threes()
        return seats_for_names(self.standing, text) != text

    def _claim(self, claim: DueLine, text: str) -> None:
        """Handle what is on the table at the end; an empty line means that it is not known."""
        if not text:
            self._pass(claim)
            return
        try:
            hand = hand_at_end(self.standing, claim)
            black_tabled, known = self.standing.rules.black_tabled, hand.cards if hand else ()
            line = claim_text(claim, text, black_tabled=black_tabled, known=known)
        except ValueError as error:
            self.desk.tell(f"{error} (? explains)", "error")
            self.start = text
        else:
            self.settle(propose(self.standing, line), text)

    def _start_threes(self, text: str) -> None:
        """Handle the red threes tabled at the start; an empty line means that they are unknown."""
        try:
            lines = start_threes(text, self.standing.rules.seats) if text else []
        except ValueError as error:
            self.desk.tell(f"{error} (? explains)", "error")
            self.start = text
            return
        for line in lines:
            if not self.settle(propose(self.standing, line), line):
                return
        self._pass("red threes")

    def _unknown(self, word: str) -> None:
        near = likely(word)
        meant = f"did you mean {near}? If not, " if near else ""
        wanted = _INSTEAD.get(self._kind(), "") if not meant else ""
        self.desk.tell(f"`{word}` is not understood: {meant or wanted}type ? for help")

    def help(self) -> Rows:
        """Return what can be typed."""
        kind, look = self._kind(), self.desk.session.look
        play = kind in ("up", "play", "deal")
        return help_rows(self.hint(), look, play=play, scores=kind == "scores")

    def _command(self, word: str, rest: str) -> None:
        look, standing = self.desk.session.look, self.standing
        shown: Rows = []
        match word:
            case "quit":
                raise EOFError
            case "help":
                shown = self.help()
            case "table":
                shown = table_page(standing, look)
            case "hands":
                shown = hands_rows(standing, look)
            case "score":
                shown = score_rows(standing)
            case "turns":
                shown = turn_rows(standing, int(rest) if _COUNT.fullmatch(rest) else 1000)
            case "save" if not rest:
                self.desk.tell("type save and the name of a file: save copy.canasta")
            case "save":
                self.desk.move(rest)
            case "undo":
                self._undo(rest)
            case "note":
                self._note(rest)
            case "edit":
                self._edit(rest)
        self.desk.show(shown)

    def _undo(self, rest: str) -> None:
        if rest and not _COUNT.fullmatch(rest):
            self.desk.tell("type undo, or undo and the number of entries: undo 3")
            return
        for _ in range(int(rest or 1)):
            before, after = self.standing, self._go_back()
            if after is None:
                self.desk.tell(
                    "there is nothing to take back; edit corrects the rules and the names"
                )
                return
            gone = [f"taken back: {line}" for line in added_lines(after.lines, before.lines)]
            again = [f"restored: {line}" for line in added_lines(before.lines, after.lines)]
            self.desk.show(listed(gone + again or ["taken back: an answer that wrote nothing"]))
            self.phase_shown, self._end_shown = "", 0
            self.accept(after)

    def _state(self) -> _State:
        return self.standing.lines, self._passed

    def _go_back(self) -> Standing | None:
        """Return what stood before the last entry, None if nothing was entered.

        What was entered before this recording began goes back by the lines of the file.
        """
        while self._history and self._history[-1] == self._state():
            self._history.pop()
        if not self._history:
            return without_last_entry(self.standing)
        lines, self._passed = self._history.pop()
        return Standing(lines, self.standing.place)

    def _note(self, text: str) -> None:
        after = note(self.standing, text)
        if not text or after.reading.problems:
            self.desk.tell("type note and a comment in plain text: note Ana was late", "error")
        else:
            self.accept(after)

    def _edit(self, rest: str) -> None:
        what, text = split_edit(rest)
        what = seats_for_names(self.standing, what)
        old = old_text(self.standing, what)
        if old is None:
            new = text and what.split()[0] in ("up", "left")
            add = f" (to add it, type `{what} {text}`)" if new else ""
            missing = f"there is no such line{add}; " if rest else ""
            self.desk.tell(f"{missing}you can type {EDIT_HELP}")
        elif text:
            self._correct(what, text)
        else:
            self.desk.show(listed([old]))
            self._editing = what
            turn = what.rpartition(".")[2].isdigit()
            self.start = old.partition(".")[2].strip() if turn else old

    def _correct(self, what: str, text: str) -> None:
        """Handle the new text of a line; an empty line leaves the line as it is."""
        if not text:
            self.desk.tell("nothing was changed")
            return
        try:
            proposal = propose_text(self.standing, text, what)
        except ValueError as error:
            self.desk.tell(str(error), "error")
            self.start, self._editing = text, what
        else:
            self.settle(proposal, text, what)

    def _score(self, text: str) -> None:
        side = self.side_due()
        if side is None or text == LEFT_OUT:
            self._pass(side or "")
            return
        proposal = propose_score(self.standing, side, text)
        if proposal is not None and proposal.after is None:
            self.desk.tell(f"`{text}` is not a score: type a number, for example 945", "error")
            self.start = text
        elif proposal is None:
            self.desk.tell(
                f"{side}'s score does not follow from the record: type it, or - to leave it out"
            )
        else:
            self.settle(proposal, text)

    # --- findings -------------------------------------------------------------------------------

    def settle(self, proposal: Proposal, text: str, editing: str = "") -> bool:
        """Accept an entry, or show what is wrong with it and let the person choose what to do.

        `editing` is what the entry corrects, "" if it is new. Returns whether it was accepted.
        """
        desk = self.desk
        desk.show(finding_rows(proposal, desk.session.look))
        if proposal.after is not None and not proposal.errors:
            self.accept_entry(proposal, text)
            return True
        choices = ways_on(self.standing, proposal, editing)
        offered = ((key, about) for key, (about, _) in choices.items())
        desk.show(legend(offered, desk.session.look))
        turn = isinstance(proposal.line, Turn)
        answer = self.choose(
            "Enter to correct", choices, lambda: self._explain_entry(proposal), capitals=turn
        )
        if answer in choices:
            chosen = choices[answer][1]
            desk.show(listed(chosen.written))
            self.accept(chosen.after)
            return True
        self.correct(answer, text, editing)
        return False

    def _explain_entry(self, proposal: Proposal) -> None:
        """Say what can be typed after a wrong entry, or why it breaks rules."""
        if proposal.after is None:
            self.desk.tell(_CORRECTING)
            self.desk.show(self.help())
        else:
            self.desk.show(why_rows(proposal, self.desk.session.look))

    def choose(
        self,
        prompt: str,
        choices: Iterable[str],
        explain: Callable[[], None],
        *,
        capitals: bool,
    ) -> str:
        """Ask for one of the letters `choices`; return it, or whatever else was typed.

        With `capitals`, a capital letter is a choice too: it cannot be a card or a seat here.
        """
        words = tuple(choices)
        question = Question(f"{prompt}{', or ' if words else ''}{', '.join(words)}> ", words=words)
        while True:
            answer = self.desk.ask(question).strip()
            if capitals and answer.lower() in words:
                answer = answer.lower()
            if answer in ("?", "help"):
                explain()
            elif _LETTER.fullmatch(answer) and answer not in words:
                either = f"type {listed_words(words, 'or')}, or press" if words else "press"
                self.desk.tell(f"`{answer}` is not a choice here: {either} Enter")
            else:
                return answer

    def correct(self, answer: str, text: str, editing: str) -> None:
        """Handle what was typed instead of a choice; Enter brings the text of the entry back."""
        self._editing = editing
        if answer and answer not in _NO:
            self.answer(answer)
        else:
            self.start = text

    def accept_entry(self, proposal: Proposal, text: str) -> None:
        """Accept an entry; show what was written if it differs from what was typed."""
        if [f"{self.prompt()}{text}".replace("> ", " ")] != list(proposal.written):
            self.desk.show(listed(proposal.written))
        self.accept(proposal.after)

    def accept(self, after: Standing | None) -> None:
        """Continue from a standing, after saving it."""
        if after is not None:
            lost = self.standing.checked and not after.checked
            self.standing = after
            self.desk.save(after.lines)
            if lost:
                self.desk.tell("the rest of this deal cannot be checked", "warning")
