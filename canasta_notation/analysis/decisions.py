"""The decisions of a turn: which plays are compared, and how each is played out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from canasta_notation.analysis.asked import AskedPlay, AskedPlays
from canasta_notation.analysis.scenes import Scene
from canasta_notation.analysis.values import ABOUT, FEWEST
from canasta_notation.engine.actions import Action, Discard, Draw, Take
from canasta_notation.engine.table import OPEN, OUT, YES, Table, Violation
from canasta_notation.notation.format import format_action
from canasta_notation.players.candidates import (
    Candidate,
    candidates,
    copy_to_try,
    tried,
    tried_take,
)
from canasta_notation.players.figures import Figures, eager
from canasta_notation.players.hidden import Hidden, hidden_from
from canasta_notation.players.playouts import DRAW, TAKE, BrokenRule, Outcomes, play_outs
from canasta_notation.players.seat_turn import take_pile
from canasta_notation.search.able import able_to_take

#: Why the rest of a turn is not judged.
PARTNER: Final = "the partner was asked in this turn"

#: What a play does: whether it ends the deal, whether it opens the side, and what it lays.
PlayEffect = tuple[bool, bool, tuple[str, ...]]
#: Plays `count` samples of a candidate, from the one with the number `first` on.
Sampler = Callable[[int, int], Outcomes]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision: its scene, its plays as a record spells them, and how each can be played out.

    `kind` is "draw" (whether to draw or to take) or "turn" (the rest of the turn). The first play
    is what was played. `piles` is how many cards the pile has after each, and `ways` is what each
    does, for `ABOUT`.
    `asked` are the indices of those that a reader asked for.
    """

    scene: Scene
    kind: str
    samplers: list[Sampler]
    texts: list[str]
    piles: list[int]
    ways: list[PlayEffect]
    asked: set[int] = field(default_factory=set)

    def add(self, text: str, sampler: Sampler, pile: int, way: PlayEffect | None = None) -> int:
        """Add a play; return its place."""
        self.texts.append(text)
        self.samplers.append(sampler)
        self.piles.append(pile)
        if way is not None:
            self.ways.append(way)
        return len(self.texts) - 1

    def about(self, best: int) -> str:
        """Return what distinguishes what was played from another play."""
        if self.kind == "draw":
            return "draw"
        ways = zip(ABOUT[1:-1], self.ways[0], self.ways[best], strict=True)
        return next((kind for kind, one, other in ways if one != other), ABOUT[-1])


def _sampler(
    table: Table,
    figures: Figures,
    hidden: Hidden,
    stream: int,
    how: int,
    rest: Sequence[Action] | None = None,
) -> Sampler:
    """Return the play-outs of a table with hidden cards; see `play_outs`."""

    def sample(first: int, count: int) -> Outcomes:
        return play_outs(table, figures, hidden, stream, first, count, how, rest)

    return sample


def draw_or_take(
    scene: Scene, figures: Figures, stream: int, asking: AskedPlays
) -> Decision | None:
    """Return the decision whether to draw or to take the pile, None if there is no choice."""
    before, seat = scene.before, scene.after.seat
    plays = asking.plays(begins=True)
    if before.due != seat or not isinstance(scene.row.begin(), Draw | Take):
        asking.refuse_all(plays, "the turn had no choice between drawing and taking the pile")
        return None
    ways = [(DRAW, "+"), (TAKE, "^")]
    if isinstance(scene.row.begin(), Take):
        ways.reverse()
    able = before.stock_most > 0 and able_to_take(before, seat) == YES
    if not able or take_pile(copy_to_try(before), eager(figures)) is None:
        ways = ways[:1]
    hidden = hidden_from(before, seat)
    decision = Decision(scene, "draw", [], [], [], [])
    for how, text in ways:
        decision.add(text, _sampler(before, figures, hidden, stream, how), before.pile_size)
    for play in plays:
        way = _asked_way(before, figures, hidden, stream, play, asking)
        if play.text in decision.texts:
            decision.asked.add(decision.texts.index(play.text))
        elif way is not None:
            decision.asked.add(decision.add(play.text, *way))
    return decision if len(decision.texts) > 1 else None


def _asked_way(
    before: Table,
    figures: Figures,
    hidden: Hidden,
    stream: int,
    play: AskedPlay,
    asking: AskedPlays,
) -> tuple[Sampler, int] | None:
    """Return the play-outs of a turn that a reader asks about, and the pile after it."""
    if play.begins == "^":
        found = tried_take(before, play.take, play.actions, play.out)
        if isinstance(found, Candidate):
            pile = found.table.pile_size
            return _sampler(found.table, figures, hidden, stream, found.how), pile
        asking.refuse(play, found)
        return None
    if before.stock_most == 0:
        asking.refuse(play, "the stock is empty")
        return None
    sampler = _sampler(before, figures, hidden, stream, DRAW, play.actions or None)
    try:
        sampler(0, FEWEST)
    except BrokenRule as broken:
        asking.refuse(play, broken.violation)
        return None
    return sampler, before.pile_size


def rest_of_turn(
    scene: Scene, figures: Figures, stream: int, asking: AskedPlays
) -> Decision | None:
    """Return how to play the rest of the turn, None if nothing was left to decide."""
    at, plays = scene.begun, asking.plays(begins=False)
    if at is None or scene.steps[at].ended != OPEN or scene.steps[at].violations:
        asking.refuse_all(plays, "the turn had nothing left to play")
        return None
    base = scene.steps[at]
    found = candidates(base, figures, scene.actions_from(at))
    if not found:
        asking.refuse_all(plays, PARTNER)
        return None
    hidden = hidden_from(scene.before, base.seat, scene.drawn)
    decision = Decision(scene, "turn", [], [], [], [])

    def add(each: Candidate) -> int:
        pile = each.table.pile_size if each.table.discarded >= 0 else 0
        sampler = _sampler(each.table, figures, hidden, stream, each.how)
        return decision.add(_text(each), sampler, pile, _way(each))

    for each in found:
        add(each)
    for play in plays:
        own = _tried_rest(scene, at, play)
        if isinstance(own, Violation):
            asking.refuse(play, own)
        elif _text(own) in decision.texts:
            decision.asked.add(decision.texts.index(_text(own)))
        else:
            decision.asked.add(add(own))
    return decision


def _tried_rest(scene: Scene, at: int, play: AskedPlay) -> Candidate | Violation:
    """Try a rest of a turn that a reader asks about; it may meld a taken top differently."""
    found = tried(scene.steps[at], play.actions, play.out)
    if at == 0 or isinstance(found, Candidate):
        return found
    whole = tried(scene.steps[0], play.actions, play.out)
    same = play.actions[:at] == scene.actions_from(0)[:at]
    return whole if same or isinstance(whole, Candidate) else found


def _text(play: Candidate) -> str:
    """Return a play as a record spells it."""
    return " ".join([*map(format_action, play.actions), *_mark(play)])


def _mark(play: Candidate) -> list[str]:
    return ["#"] if play.table.ended == OUT else []


def _way(play: Candidate) -> PlayEffect:
    table = play.table
    laid = [format_action(each) for each in play.actions if not isinstance(each, Discard)]
    opens = not table.opened_before and bool(table.laid)
    return table.ended != OPEN, opens, tuple(sorted(laid))
