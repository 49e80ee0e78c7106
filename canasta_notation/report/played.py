"""A played game: its deals and turns, and the tables between them, in full or as a seat sees it.

Everything that shows a game reads these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from canasta_notation.cards import LABELS, TEXT
from canasta_notation.engine.actions import Action, Discard
from canasta_notation.engine.state import MeldState, SideState, State
from canasta_notation.findings import Finding
from canasta_notation.notation.document import (
    Deal,
    Game,
    Line,
    Ruling,
    Turn,
    comments_of,
)
from canasta_notation.notation.format import format_action, format_line
from canasta_notation.notation.reader import Reading
from canasta_notation.replay.deal_state import line_number
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.replay.moment import Observer
from canasta_notation.replay.steps import Step, walk
from canasta_notation.report.outcome import excerpt_lines, findings_json
from canasta_notation.report.seat_view import Deduction, seat_view
from canasta_notation.rules import Profile


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as replayed: the states before it and after it, and what was found in it.

    `rulings` are the penalties that follow it, and `after` is the state after them. `deduction` is
    what the seat of the view can deduce then, None if all hands are shown.
    """

    deal: int
    turn: int
    line: Turn
    before: State
    after: State
    findings: tuple[Finding, ...]
    rulings: tuple[Ruling, ...] = ()
    deduction: Deduction | None = None


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal as replayed: the table as dealt or, without turns, at the end; and its turns.

    `setup` is None if the deal was not replayed. `rulings` are the penalties before the first turn,
    and `setup` is the state after them. `turns` are those that could be replayed. `early` and
    `late` are the findings that do not belong to a turn: those before the first turn, and the
    others.
    """

    number: int
    written: Deal
    report: DealReport
    setup: State | None
    rulings: tuple[Ruling, ...]
    turns: tuple[PlayedTurn, ...]
    early: tuple[Finding, ...]
    late: tuple[Finding, ...]
    deduction: Deduction | None

    @property
    def states(self) -> tuple[State, ...]:
        """The table as dealt and after each turn; none if the deal was not replayed."""
        return () if self.setup is None else (self.setup, *(turn.after for turn in self.turns))

    @property
    def first(self) -> int:
        """The turn that is shown when the deal is entered; 0 if there are findings before it."""
        return 0 if self.early else min(1, self.last)

    @property
    def last(self) -> int:
        """The number of the last turn that could be replayed, 0 if there is none."""
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class Played:
    """A played game. `seat` is the seat whose view it is, "" for all cards.

    The report is that of the whole record; what a seat cannot see of it is not among `deals`.
    `early` and `late` are the findings outside deals: those of text and tags, and those of the
    result. `lines` are the record's lines by number, for the excerpts of findings. `errors` is the
    number of errors in the whole record. In a seat's view, there are findings only at its own
    turns, and no lines, because a line may name cards that the seat could not see.
    """

    file: str
    game: Game
    profile: Profile
    report: GameReport
    seat: str
    steps: tuple[Step, ...]
    deals: tuple[PlayedDeal, ...]
    early: tuple[Finding, ...]
    late: tuple[Finding, ...]
    lines: Mapping[int, str]
    errors: int

    @property
    def seats(self) -> str:
        """The seats, clockwise."""
        return self.profile.seats

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, each spelled by its seats."""
        return self.profile.side_names

    @property
    def names(self) -> dict[str, str]:
        """The players' names by their seats."""
        return self.game.names(self.seats)

    def names_at(self, deal: int) -> dict[str, str]:
        """Return the names of the players of a deal, from 1."""
        return self.game.names(self.seats, deal)

    @property
    def turns(self) -> Iterator[PlayedTurn]:
        """The turns of all deals that could be replayed."""
        return (turn for deal in self.deals for turn in deal.turns)

    def said(self, *lines: Deal | Line | None) -> tuple[str, ...]:
        """Return the comments of lines; none in a seat's view, which does not include them."""
        return () if self.seat else tuple(each for line in lines for each in comments_of(line))


def play_back(
    file: str,
    reading: Reading,
    number: int,
    profile: Profile,
    *,
    deal: int | None = None,
    seat: str = "",
    override: Profile | None = None,
    observer: Observer | None = None,
) -> Played:
    """Replay a game once, with all cards; or twice, as one seat sees it.

    `number` is the game's place in its file, from 1; `profile` is the rules that it is judged by.
    With `deal`, only this deal has its steps and turns. `observer` is called for the replay with
    all cards or, in a seat's view, for that of the record which the seat could write. Not checked:
    that the rules have the seat and the game has the deal.
    """
    game = reading.game
    steps, report = walk(
        game, number=number, deal=deal, rules=override, observer=None if seat else observer
    )
    deductions: Mapping[tuple[int, int], Deduction] = {}
    outside = [each for each in report.outside if each.deal is None]
    lines = excerpt_lines(reading, report.findings)
    if seat:
        steps, deductions = seat_view(
            game, seat, profile.seats, steps,
            number=number, override=override, observer=observer,
        )  # fmt: skip
        outside, lines = [], {}
    by_deal: dict[int, list[Step]] = {each.deal: [] for each in report.deals}
    for step in steps:
        by_deal[step.deal].append(step)
    return Played(
        file,
        game,
        profile,
        report,
        seat,
        steps,
        tuple(
            _with_findings(_deal(written, judged, by_deal[judged.deal], deductions), reading, seat)
            for written, judged in zip(game.deals, report.deals, strict=True)
        ),
        tuple(each for each in outside if each.code != "result"),
        tuple(each for each in outside if each.code == "result"),
        lines,
        sum(each.severity == "error" for each in report.findings),
    )


def _deal(
    written: Deal,
    report: DealReport,
    steps: list[Step],
    deductions: Mapping[tuple[int, int], Deduction],
) -> PlayedDeal:
    """Return a deal without the findings that do not belong to a turn."""
    number = report.deal
    setup: State | None = None
    rulings: list[Ruling] = []
    turns: list[PlayedTurn] = []
    before: State | None = None
    for step in steps:
        if not step.last:
            continue
        line, state = step.line, step.state
        if isinstance(line, Turn) and before is not None:
            known = deductions.get((number, step.turn))
            turns.append(
                PlayedTurn(number, step.turn, line, before, state, step.findings, (), known)
            )
        elif isinstance(line, Ruling) and turns:
            followed = (*turns[-1].rulings, line)
            turns[-1] = replace(turns[-1], after=state, rulings=followed)
        else:
            setup = state
            rulings += [line] if isinstance(line, Ruling) else []
        before = state
    start = deductions.get((number, 0))
    return PlayedDeal(number, written, report, setup, tuple(rulings), tuple(turns), (), (), start)


def _with_findings(deal: PlayedDeal, reading: Reading, seat: str) -> PlayedDeal:
    """Return a deal with the findings that do not belong to a turn; a seat sees none."""
    if seat:
        return deal
    first = min(map(line_number, deal.written.play), default=0)
    shown = range(1, deal.last + 1)
    unread = [each for each in reading.problems if each.deal == deal.number]
    found = [each for each in deal.report.findings if each.turn not in shown]
    early = [each for each in found if each.span.line < first]
    late = [*unread, *(each for each in found if each.span.line >= first)]
    return replace(deal, early=tuple(early), late=tuple(late))


def replay_json(file: str, plays: Iterable[Played]) -> dict[str, Any]:
    """Return the document that schemas/replay.schema.json describes, the steps as iterators."""
    return {"file": file, "games": [_game(play) for play in plays]}


def _game(play: Played) -> dict[str, Any]:
    of_deals = (each for deal in play.deals for each in (*deal.early, *deal.late))
    beside = [*play.early, *of_deals, *play.late]
    return {
        "game": play.report.game,
        "rules": play.report.rules,
        "players": play.names,
        "seat": play.seat or None,
        "verdict": None if play.seat else play.report.verdict,
        "steps": (_step(play, step) for step in play.steps),
        "findings": [*findings_json(beside)],
    }


def _step(play: Played, step: Step) -> dict[str, Any]:
    line = step.line
    turn = line if isinstance(line, Turn) else None
    return {
        "deal": step.deal,
        "turn": step.turn,
        "action": -1 if step.action is None else step.action,
        "seat": turn.seat if turn else None,
        "line": line_number(line) if line else None,
        "done": done(step),
        "last": step.last,
        "comment": line.comment if line else None,
        "annotations": list(turn.annotations) if turn else [],
        "clock": turn.clock if turn else None,
        "state": state_json(step.state, play.seats, play.sides),
        "findings": [*findings_json(step.findings)],
    }


def done(step: Step, draw_count: int = 1) -> str | None:
    """Return the action or the penalty of a step as the notation spells it, None for none."""
    line = step.line
    if isinstance(line, Turn):
        at = step.action
        return None if at is None else format_action(line.actions[at], draw_count)
    return format_line(replace(line, before=(), comment=None)) if line else None


def state_json(state: State, seats: str, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return a state for JSON."""
    return {
        "hands": {
            seat: {
                "cards": _cards(hand.cards),
                "unknown": hand.unknown,
                "size": hand.size,
                "loose": hand.loose,
                "may": _cards(hand.may),
            }
            for seat, hand in zip(seats, state.hands, strict=True)
        },
        "sides": {name: _side(side) for name, side in zip(sides, state.sides, strict=True)},
        "pile": {
            "cards": _cards(state.pile),
            "loose": state.pile_loose,
            "frozen": state.frozen,
            "frozen_for": dict(zip(sides, state.frozen_for, strict=True)),
        },
        "stock": {"fewest": state.stock[0], "most": state.stock[1]},
        "due": None if state.due is None or state.ended else seats[state.due],
        "ended": state.ended or None,
        "ended_by": None if state.ended_by is None else seats[state.ended_by],
        "special": _cards(state.special),
        **_packets(state, seats),
    }


def _packets(state: State, seats: str) -> dict[str, Any]:
    """Return the feet and pots on the table; nothing if there are none."""
    found = [
        {
            "packet": packet.word,
            "seat": None if packet.seat is None else seats[packet.seat],
            "cards": _cards(packet.cards),
        }
        for packet in state.packets
    ]
    return {"packets": found} if found else {}


def _side(side: SideState) -> dict[str, Any]:
    return {
        "melds": [_meld(meld) for meld in side.melds],
        "threes": _cards(side.threes),
        "opened": side.opened,
        "minimum": side.minimum,
        **({"raised": side.raised} if side.raised else {}),
        "total": side.total,
        "points": side.points,
        "penalty": side.penalty,
        "bonus": side.bonus,
    }


def _meld(meld: MeldState) -> dict[str, Any]:
    return {
        "label": LABELS[meld.rank],
        "cards": _cards(meld.cards),
        "naturals": meld.naturals,
        "wilds": meld.twos + meld.jokers,
        "canasta": meld.canasta or None,
        "concealed": meld.concealed,
    }


def _cards(codes: tuple[int, ...]) -> list[str]:
    return list(map(TEXT.__getitem__, codes))


def cards_taken(actions: Iterable[Action], before: State, after: State) -> int:
    """Return how many cards a turn that took the pile took of those that are known.

    `before` and `after` are the tables before and after the turn.
    """
    size = len(before.pile)
    left = len(after.pile) - sum(isinstance(each, Discard) for each in actions)
    return size - left if 0 < left < size else size


def took_alone(actions: Iterable[Action], before: State, after: State) -> bool:
    """Return whether a turn that took the pile took its top alone, and left the rest."""
    return len(before.pile) > cards_taken(actions, before, after) == 1
