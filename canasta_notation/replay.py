"""Replay: where text meets play. Drives the engine through a document and locates what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

from canasta_notation.claims import Claimant
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeTalon,
)
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.rules import Rules
from canasta_notation.engine.table import Violation, specify
from canasta_notation.findings import Finding, Span
from canasta_notation.header import Header, read_header
from canasta_notation.notation.document import (
    Deal,
    Game,
    HandLine,
    PenaltyLine,
    Place,
    Turn,
    UpLine,
)
from canasta_notation.report import DealReport, Doubt, GameReport, ResultReport
from canasta_notation.rules import Profile, codes
from canasta_notation.wording import words

#: Called after the setup lines and after each action: the deal's place from 0, the table, the
#: line's place in the deal's play (-1 for the setup), the action's place in its turn.
Observer = Callable[[int, DealPlay, int, int], None]


#: Findings after which the table need not be as the record has it, although play goes on as
#: written: what is found later in the deal may be their consequence, and is marked so.
#: Findings that stand for themselves wherever they are.
INDEPENDENT = frozenset(("wrong-seat", "unfinished", "ack-claim", "after-game"))
DISTURBING = frozenset(
    (
        "wrong-seat", "deal-size", "up-cards", "draw-missing", "draw-count", "replacement",
        "pile-top", "meld-rank", "meld-short", "discard-missing", "talon",
    )
)  # fmt: skip


#: Those whose consequences can stand in the same turn.
AT_ONCE = DISTURBING - {"meld-rank", "meld-short", "talon"}


def replay_game(
    game: Game,
    number: int = 1,
    *,
    problems: tuple[Finding, ...] = (),
    override: Profile | None = None,
    observer: Observer | None = None,
) -> GameReport:
    """Replay every deal of a game and verify every action and every claim.

    `number` is the game's place in its file, `problems` what its reader found; `override` replaces
    the rules that the record names. A deal is replayed up to the first line that cannot be read
    or the first violation that leaves its state unknowable.
    """
    return GameReplay(game, number, problems, override, observer).report()


class GameReplay:
    """One game being replayed, deal after deal."""

    def __init__(
        self,
        game: Game,
        number: int,
        problems: tuple[Finding, ...],
        override: Profile | None,
        observer: Observer | None,
    ) -> None:
        self.game = game
        self.number = number
        self.problems = problems
        self.header: Header = read_header(game, number, override)
        self.observer = observer

    def report(self) -> GameReport:
        """Return the report of the whole game."""
        profile = self.header.profile
        early = (*self.problems, *self.header.findings)
        wrong_version = any(problem.code == "version" for problem in self.problems)
        stated = self.game.tag("CGN") is not None
        deals = self.game.deals
        torn = bool(self.game.unread and deals and min(self.game.unread) < deals[0].span.line)
        if profile is None or torn or (wrong_version and stated):
            return self._unreplayed(profile, early)
        rules = Rules(profile)
        claimant = Claimant(profile, rules, self.number)
        dealer = rules.seats.index(self.header.dealer) if self.header.dealer else -1
        reports = []
        for at, deal in enumerate(deals):
            replay = DealReplay(self, profile, rules, claimant, at, deal, dealer)
            reports.append(replay.report())
            dealer = replay.next_dealer
        result, findings = claimant.result(self.header)
        return GameReport(self.number, profile.name, tuple(reports), result, (*early, *findings))

    def _unreplayed(self, profile: Profile | None, early: tuple[Finding, ...]) -> GameReport:
        """Return a report of deals that could not be replayed: rules, tags or version unread."""
        deals = tuple(
            DealReport(at + 1, deal.span.line, None, None, _turns(deal), (), (), (), deal.span.line)
            for at, deal in enumerate(self.game.deals)
        )
        tag = self.header.result_tag
        result = ResultReport({}, None, None, tag.value if tag else None, True)
        return GameReport(self.number, profile.name if profile else None, deals, result, early)


def _turns(deal: Deal) -> int:
    return sum(isinstance(line, Turn) for line in deal.play)


class DealReplay:
    """One deal being replayed: its lines in order, then its claims."""

    def __init__(
        self,
        parent: GameReplay,
        profile: Profile,
        rules: Rules,
        claimant: Claimant,
        at: int,
        deal: Deal,
        dealer: int,
    ) -> None:
        self.parent = parent
        self.profile = profile
        self.rules = rules
        self.claimant = claimant
        self.at = at
        self.deal = deal
        self.due_dealer = dealer
        self.findings: list[Finding] = []
        self.doubts: list[Doubt] = []
        self.unchecked_from: int | None = None
        self.first_unread = min((*deal.unread, *parent.game.unread), default=None)
        self.turn: int | None = None
        #: The first finding that left the table in doubt, and the first of a row of false numbers.
        self.disturbed: Finding | None = None
        self.misnumbered: Finding | None = None
        self.shift = 0
        dealer = self._dealer()
        self.next_dealer = (dealer + 1) % rules.players if dealer >= 0 else -1
        #: The stock line can be laid under the play only where nothing before play is unwritten.
        self.stocked = deal.stock is not None and self._is_dealt_in_full()
        self.play = DealPlay(rules, dealer, claimant.totals, self.stocked)
        self.sheet = not any(isinstance(line, Turn) for line in deal.play) and bool(
            deal.scores or deal.total
        )

    def _is_dealt_in_full(self) -> bool:
        """Return whether every hand line, and the up line where there is one, is written whole."""
        seats = {line.seat for line in self.deal.hands if not line.rest_unknown}
        up = self.deal.up is not None or not self.rules.up_turned
        return up and seats >= set(self.rules.seats)

    # --- findings -------------------------------------------------------------------------------

    def find(self, code: str, message: str, span: Span, key: str = "", **facts: object) -> Finding:
        """Report a finding of this deal at a place; return it."""
        text, label, help_text = words(
            code, message, facts, self.rules.seats, self.profile.side_names
        )
        finding = Finding(
            code,
            "error",
            text,
            span,
            self.parent.number,
            self.at + 1,
            self.turn,
            label,
            self.profile.ref(key) if key else None,
            help_text,
            follows=None if code in INDEPENDENT else self.disturbed,
        )
        self.findings.append(finding)
        return finding

    def _settle(self, place: Callable[[Violation], Span], acknowledged: tuple[str, ...]) -> None:
        """Turn the engine's violations and doubts since the last call into findings."""
        play = self.play
        before = len(self.findings)
        for violation in play.violations:
            code = violation.code
            finding = self.find(
                code, violation.message, place(violation), violation.key, **violation.facts
            )
            if code in acknowledged:
                self.findings[-1] = replace(finding, severity="note", acknowledged=True)
            elif code == "penalty":
                self.findings[-1] = replace(finding, severity="warning", follows=None)
            self._note_disturbance(self.findings[-1], AT_ONCE)
        play.violations.clear()
        for each in self.findings[before:]:
            self._note_disturbance(each, DISTURBING)

    def _note_disturbance(self, finding: Finding, codes: frozenset[str]) -> None:
        if self.disturbed is None and finding.code in codes and not finding.acknowledged:
            self.disturbed = finding

    def _settle_line(self, span: Span, acknowledged: tuple[str, ...] = ()) -> None:
        """Locate what one line other than a turn caused."""
        play = self.play
        if play.violations:
            self._settle(lambda violation: span, acknowledged)
        if play.doubts:
            self.doubts += [Doubt(code, self.turn, span.line) for code, _ in play.doubts]
            play.doubts.clear()

    # --- the deal -------------------------------------------------------------------------------

    def report(self) -> DealReport:
        """Replay the deal and return its report."""
        if self.first_unread is not None and self.first_unread < self.deal.span.line:
            # A deal line above could not be read: which deal this is, and what it follows, is lost.
            self.unchecked_from = self.deal.span.line
            self.claimant.forget()
        else:
            self._judge_number()
        readable = self._setup()
        if self.parent.observer:
            self.parent.observer(self.at, self.play, -1, -1)
        if readable and not self.sheet:
            self._replay_play()
        elif readable:
            self._replay_penalties()
        ended = self._end()
        scored = ended and self.play.knowable and self.unchecked_from is None
        self.turn = None
        sides = self.claimant.deal(self, scored)
        play = self.play
        by = self.rules.seats[play.ended_by] if play.ended_by >= 0 else None
        return DealReport(
            self.at + 1,
            self.deal.span.line,
            play.ended or None,
            by if play.ended in ("out", "special") else None,
            _turns(self.deal),
            tuple(sides),
            tuple(self.findings),
            tuple(self.doubts),
            self.unchecked_from,
            self.sheet,
        )

    def _dealer(self) -> int:
        """Return the dealer's seat, the written one where there is one, or -1."""
        written = self.deal.dealer
        span = self._span(self.deal.dealer_at)
        if written is None:
            return self.due_dealer
        if written not in self.rules.seats:
            self.find("dealer", "none", span, "players", dealer=written)
            return self.due_dealer
        seat = self.rules.seats.index(written)
        if self.due_dealer not in (-1, seat):
            due = self.rules.seats[self.due_dealer]
            self.find("dealer", "other", span, dealer=written, due=due)
        return seat

    def _span(self, place: Place) -> Span:
        return Span(self.deal.span.line, *place)

    def _judge_number(self) -> None:
        if self.deal.number != self.at + 1:
            number = self.deal.number
            self.find("deal-number", "other", self.deal.span, number=number, due=self.at + 1)
        self.claimant.judge_after_game(self)

    def _unread(self, line: int) -> bool:
        """Return whether the deal is not checked from this line on; note where that began."""
        if self.unchecked_from is not None:
            return True
        if not self.play.knowable:
            self.unchecked_from = line
        elif self.first_unread is not None and self.first_unread < line:
            self.unchecked_from = self.first_unread
        return self.unchecked_from is not None

    def _setup(self) -> bool:
        """Replay hands, up cards, stock and talons; return whether play can be replayed."""
        play, deal, rules = self.play, self.deal, self.rules
        if self.sheet and not deal.hands:
            return True
        seen: dict[int, HandLine] = {}
        pulled = self._pulled()
        for line in deal.hands:
            if self._unread(line.span.line):
                return False
            if line.seat not in rules.seats:
                self.find("wrong-seat", "none", line.span, "players", name=line.seat)
                continue
            seat = rules.seats.index(line.seat)
            seen[seat] = line
            replacements = pulled.get(line.seat, list(line.replacements))
            play.deal_hand(seat, list(line.cards), line.rest_unknown, replacements)
            self._settle_line(line.span, line.acknowledged)
        for seat in range(rules.players):
            if seat not in seen:
                play.deal_unseen(seat)
        self._settle_line(deal.span)
        self._setup_up()
        if deal.stock is not None and not self._unread(deal.stock.span.line):
            if self.stocked:
                play.set_stock(list(deal.stock.cards))
                self._settle_line(deal.stock.span)
                self._match_stock(seen)
            else:
                self.doubts.append(Doubt("stock-order", None, deal.stock.span.line))
        for talon in deal.talons:
            play.set_talon(list(talon.cards))
            self._settle_line(talon.span)
        play.begin()
        for each in (*deal.hands, deal.up):
            if each is not None:
                self._judge_acknowledged(each)
        self.findings.sort(key=lambda finding: finding.span.line)
        return not self._unread(_line(deal.play[0]) if deal.play else self._end_line())

    def _pulled(self) -> dict[str, list[int]]:
        """Return each seat's replacements, as the stock line names them if it says more."""
        deal, rules = self.deal, self.rules
        if not self.stocked or deal.stock is None:
            return {}
        lines = {line.seat: line for line in deal.hands}
        stock = list(deal.stock.cards)
        at = len(deal.up.cards) if deal.up else 0
        pulled: dict[str, list[int]] = {}
        for turn in range(rules.players):
            seat = rules.seats[(max(self.play.dealer, 0) + 1 + turn) % rules.players]
            codes = lines[seat].replacements
            pulled[seat] = specify(codes, stock[at : at + len(codes)])
            at += len(codes)
        return pulled

    def _match_stock(self, seen: dict[int, HandLine]) -> None:
        """Hold up cards and replacements to the stock line, each at its own line."""
        play, up = self.play, self.deal.up
        if up is not None:
            play.match_stock(up.cards)
            self._settle_line(up.span, up.acknowledged)
        players = self.rules.players
        for seat in ((max(play.dealer, 0) + 1 + at) % players for at in range(players)):
            if seat in seen:
                line = seen[seat]
                play.match_stock(line.replacements)
                self._settle_line(line.span, line.acknowledged)

    def _setup_up(self) -> None:
        up = self.deal.up
        if up is None:
            self.play.turn_unseen()
            self._settle_line(self.deal.span)
            return
        if self._unread(up.span.line):
            return
        stock = self.deal.stock.cards if self.stocked and self.deal.stock else ()
        self.play.turn_up(specify(up.cards, list(stock)))
        self._settle_line(up.span, up.acknowledged)

    def _end_line(self) -> int:
        """Return the first line after the deal's play, or where it would be."""
        deal = self.deal
        after = [line.span.line for line in (deal.end, *deal.scores, deal.total) if line]
        if after:
            return min(after)
        return _line(deal.play[-1]) + 1 if deal.play else deal.span.line + 1

    def is_open(self) -> bool:
        """Return whether the deal was replayed to its last line and has not ended."""
        return self.unchecked_from is None and not self.sheet and not self.play.ended

    def _judge_acknowledged(self, line: HandLine | UpLine) -> None:
        """Report acknowledgements of a line before play that name nothing that happened there."""
        at = line.span.line
        happened = {finding.code for finding in self.findings if finding.span.line == at}
        happened |= {doubt.code for doubt in self.doubts if doubt.line == at}
        for code, place in zip_longest(line.acknowledged, line.acknowledged_at):
            if code not in happened:
                self._false_acknowledgement(code, Span(at, *(place or line.span[1:])))

    def _false_acknowledgement(self, code: str, span: Span) -> None:
        self.find("ack-claim", "nothing" if code in codes() else "unknown", span, named=code)

    def _replay_play(self) -> None:
        for at, line in enumerate(self.deal.play):
            if self._unread(_line(line)):
                return
            if isinstance(line, PenaltyLine):
                self._penalty(line)
            else:
                self._replay_turn(line, at)
        self._unread(self._end_line())

    def _replay_penalties(self) -> None:
        for line in self.deal.play:
            if isinstance(line, PenaltyLine):
                self._penalty(line)

    def _penalty(self, line: PenaltyLine) -> None:
        if line.side not in self.rules.sides:
            self.find("score", "side", line.span, "players", name=line.side)
            return
        self.play.penalize(self.rules.sides.index(line.side), line.points, line.word)
        self._settle_line(line.span)

    def _replay_turn(self, turn: Turn, at: int) -> None:
        play = self.play
        self.turn = play.turns + 1
        if turn.seat not in self.rules.seats:
            span = Span(turn.line, *turn.seat_at)
            self.find("wrong-seat", "none", span, "players", name=turn.seat)
            play.lose()
            return
        if play.begin_turn(self.rules.seats.index(turn.seat)):
            if not turn.actions or not isinstance(turn.actions[0], (Draw, Take)):
                play.violate("draw-missing", "missing")
            for index, action in enumerate(turn.actions):
                play.at = index
                apply(play, action)
                if not play.knowable:
                    break
                if self.parent.observer and index + 1 < len(turn.actions):
                    self.parent.observer(self.at, play, at, index)
            play.end_turn(turn.out)
            if self.parent.observer and play.knowable:
                self.parent.observer(self.at, play, at, len(turn.actions) - 1)
            if turn.open is not None and play.knowable:
                play.judge_open_claim(turn.open)
        if play.violations or play.doubts or turn.acknowledged:
            self._settle_turn(turn)
        self._judge_turn_number(turn)
        self.turn = None

    def _judge_turn_number(self, turn: Turn) -> None:
        """Judge the claimed number; numbers that go on from a false one are its consequences."""
        shift = turn.number - self.play.turns if turn.number is not None else self.shift
        if shift and turn.number is not None:
            span = Span(turn.line, *turn.number_at)
            due = self.play.turns
            finding = self.find("turn-number", "other", span, number=turn.number, due=due)
            if shift == self.shift and self.misnumbered:
                self.findings[-1] = replace(finding, follows=self.misnumbered)
            else:
                self.misnumbered = finding
        self.shift = shift

    def _settle_turn(self, turn: Turn) -> None:
        play = self.play
        happened = {violation.code for violation in play.violations}
        happened |= {code for code, _ in play.doubts}
        self.doubts += [Doubt(code, self.turn, turn.line) for code, _ in play.doubts]
        play.doubts.clear()
        self._settle(lambda violation: _place(turn, violation), turn.acknowledged)
        for code, place in zip_longest(turn.acknowledged, turn.acknowledged_at):
            if code not in happened:
                self._false_acknowledgement(code, Span(turn.line, *(place or turn.seat_at)))

    # --- the end --------------------------------------------------------------------------------

    def _end(self) -> bool:
        """Judge how the deal ended; return whether it can be scored."""
        end = self.deal.end
        self.turn = None
        if self.sheet:
            return False
        if self.unchecked_from is not None or not self.play.knowable:
            self.unchecked_from = self.unchecked_from or self._end_line()
            return False
        if end is not None:
            seat = self.rules.seats.find(end.seat) if end.seat else -1
            scored = self.play.end(end.reason, seat)
            self._settle_line(end.span)
            if end.reason == "unfinished" and not scored:
                self._judge_missing_end(noted=False)
            return scored
        ended = self.play.end_unclaimed()
        self._settle_line(self.deal.span)
        if not ended:
            self._judge_missing_end(noted=True)
        return ended

    def _judge_missing_end(self, *, noted: bool) -> None:
        """Report a deal that the play did not end, or note that it is unfinished."""
        follows = ""
        if self.deal.scores or self.deal.total:
            follows = "a score" if self.deal.scores else "a total"
        elif self.at + 1 < len(self.parent.game.deals):
            follows = "a later deal"
        if follows:
            self.find("end-missing", "open", self.deal.span, what=follows)
        elif noted:
            finding = self.find("unfinished", "open", self.deal.span)
            self.findings[-1] = replace(finding, severity="note")


def _line(line: Turn | PenaltyLine) -> int:
    return line.line if isinstance(line, Turn) else line.span.line


def apply(play: DealPlay, action: Action) -> None:
    """Let one action happen at the table; what it violates is in `play.violations`."""
    match action:
        case Draw():
            play.draw_cards(action.cards, action.bare)
        case Take():
            play.take(play.seat, action.card, action.count)
        case Lay():
            play.lay(action.rank, action.cards)
        case Discard():
            play.discard(action.card)
        case Ask():
            play.ask(action.yes)
        case LaySpecial():
            play.lay_special(action.kind, action.cards)
        case TakeTalon():
            play.take_talon(action.cards)


def _place(turn: Turn, violation: Violation) -> Span:
    """Return the place in a turn's line that a violation concerns."""
    if 0 <= violation.action < len(turn.actions_at):
        return Span(turn.line, *turn.actions_at[violation.action])
    match violation.code:
        case "wrong-seat" | "after-end" | "draw-missing":
            return Span(turn.line, *turn.seat_at)
        case "out-claim":
            return Span(turn.line, *turn.out_at)
        case "opening-claim":
            return Span(turn.line, *turn.open_at)
    last = turn.actions_at[-1] if turn.actions_at else turn.seat_at
    return Span(turn.line, turn.seat_at[0], last[1])


__all__ = ["GameReplay", "Observer", "apply", "replay_game"]
