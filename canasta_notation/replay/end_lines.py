"""The table at the end of a recorded deal: its lines are compared with the play, and add to it."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.cards import JOKER_RANK, RANK, TWO, UNKNOWN
from canasta_notation.engine.actions import Lay
from canasta_notation.engine.knowledge import may_lack_threes
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.side import tabled_threes
from canasta_notation.engine.table import LINE, Table, Violation, copy_table
from canasta_notation.engine.table_end import (
    judge_copies,
    judge_dealt_threes,
    show_hand,
    show_melds,
    show_threes,
)
from canasta_notation.findings import Span
from canasta_notation.notation.document import Deal, LeftLine, MeldsLine, ThreesLine, Turn

EndTableLine = MeldsLine | ThreesLine | LeftLine
#: The known cards of each side's melds, by rank.
Boards = list[dict[int, list[int]]]
#: A violation of a line, and its place.
Located = tuple[Violation, Span]

_CODES = {MeldsLine: "end-melds", ThreesLine: "end-threes", LeftLine: "end-hand"}


def note_melds(boards: Boards, play: Table, turn: Turn) -> None:
    """Note the cards that a finished turn has put on the melds of its side."""
    board = boards[play.rules.side_of[play.seat]]
    for action in turn.actions:
        if isinstance(action, Lay):
            board.setdefault(meld_rank(action.rank), []).extend(action.cards)
    if play.took and play.top_melded:
        board.setdefault(RANK[play.top], []).append(play.top)


def meld_rank(label: int) -> int:
    """Return the rank of the meld that a label names; `2` is the meld of wild cards."""
    return JOKER_RANK if label == TWO else label


def judge_end_lines(
    play: Table, deal: Deal, boards: Boards, *, flawless: bool
) -> Iterator[Located]:
    """Compare the lines of the table at the end with the play, and note the cards that they show.

    `boards` are the cards that the play has melded. `flawless` says that nothing was wrong with the
    play, so that the cards left in the stock are known. Yields what is wrong; a wrong line adds
    nothing to what is known. Not checked: that the play could be followed to its end.
    """
    sides = range(len(play.rules.sides))
    tabled = sum(len(tabled_threes(play, at)) for at in sides)
    unseen = any(may_lack_threes(play, at) for at in sides)
    for line in deal.end_lines:
        at = owner_of(play.rules, line)
        if at < 0:
            yield nobody(line), line.span
            continue
        trial, known = copy_table(play), list(boards)
        _show(trial, deal, line, at, known)
        if trial.violations:
            yield from _located(line, trial.violations)
        else:
            _show(play, deal, line, at, boards)
    shown = not any(may_lack_threes(play, at) for at in sides)
    if flawless and unseen and shown and deal.threes and _stock_is_known(play, deal):
        judge_dealt_threes(play, tabled)
        found, play.violations = play.violations, []
        yield from _located(deal.threes[-1], found)


def _stock_is_known(play: Table, deal: Deal) -> bool:
    """Return whether the stock's size depends only on the threes that were dealt unseen.

    It does not if covered up cards, which may be red threes, are unwritten, or if black threes are
    tabled too, because a three may then stay in a hand.
    """
    up = deal.up.cards if deal.up else ()
    return not play.rules.black_tabled and bool(up) and UNKNOWN not in up


def owner_of(rules: Rules, line: EndTableLine) -> int:
    """Return the side or seat of a line, -1 if the game does not have it."""
    if isinstance(line, LeftLine):
        return rules.seats.find(line.seat)
    return rules.sides.index(line.side) if line.side in rules.sides else -1


def nobody(line: EndTableLine) -> Violation:
    """Return the violation of a line about a side or a seat that the game does not have."""
    name = line.seat if isinstance(line, LeftLine) else line.side
    return Violation(_CODES[type(line)], "nobody", "players", LINE, {"name": name})


def _show(play: Table, deal: Deal, line: EndTableLine, at: int, boards: Boards) -> None:
    match line:
        case MeldsLine():
            boards[at] = show_melds(play, at, shown_melds(line), boards[at])
        case ThreesLine():
            show_threes(play, at, line.cards)
        case LeftLine():
            shown = play.rules.sides[play.rules.side_of[at]] in [each.side for each in deal.threes]
            show_hand(play, at, line.cards, rest_unknown=line.rest_unknown, threes_shown=shown)
    if not play.violations:
        judge_copies(play, boards)


def shown_melds(line: MeldsLine) -> dict[int, list[int]]:
    """Return the cards of a line by the rank of their meld; groups of one rank are one meld."""
    shown: dict[int, list[int]] = {}
    for group in line.groups:
        shown.setdefault(meld_rank(group.rank), []).extend(group.cards)
    return shown


def _located(line: EndTableLine, violations: list[Violation]) -> Iterator[Located]:
    """Yield the violations of a line with their places; of a meld, the place of its first group."""
    for violation in violations:
        span = line.span
        if isinstance(line, MeldsLine):
            ranks = [meld_rank(group.rank) for group in line.groups]
            meld = violation.facts.get("meld")
            if meld in ranks and line.groups_at:
                span = Span(span.line, *line.groups_at[ranks.index(meld)])
        yield violation, span
