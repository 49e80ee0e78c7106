"""What can be typed next in a turn: the legal plays, given what is known of the hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from canasta_notation.cards import LABELS, TEXT, UNKNOWN, format_cards
from canasta_notation.engine.packets import packet_due
from canasta_notation.engine.table import OPEN, Table, copy_table, top_of
from canasta_notation.engine.take import takes_alone
from canasta_notation.engine.turn import begin_turn, perform
from canasta_notation.english import count
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_action
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.shorthand import expand
from canasta_notation.recorder.standing import Standing
from canasta_notation.search.found import FoundPlays, TakeWay
from canasta_notation.search.legal import legal_continuations, legal_starts

#: The most groups that are offered; a full hand has hundreds.
_MOST: Final = 60


class Completion(NamedTuple):
    """Text that can be typed, and a few words about it."""

    text: str
    about: str


def complete(standing: Standing, text: str) -> list[Completion]:
    """Return what can follow the text of a turn; its last word may be incomplete.

    For an unwritten hand, only plays that any hand can make are offered. Nothing is offered if the
    text so far is not a turn, or breaks a rule.
    """
    done, _, part = text.rpartition(" ")
    if standing.play is None or standing.phase != "play" or not standing.checked:
        return []
    return complete_turn(standing.play, expand(standing, done) if done.strip() else "", part)


def complete_turn(play: Table, done: str, part: str) -> list[Completion]:
    """Return what can follow the words of a turn that begins at a table; see `complete`.

    `part` is the beginning of the next word.
    """
    table, begun = table_after(play, done)
    if table is None:
        return []
    found = _plays(table) if begun else _starts(table)
    return [each for each in found if each.text.startswith(part)]


def table_after(before: Table, done: str) -> tuple[Table | None, bool]:
    """Return the table after the words of a turn, and whether they include a draw or a take.

    The table is None if no legal turn begins with these words.
    """
    play = copy_table(before)
    if play.due < 0 or play.ended != OPEN:
        return None, False
    value = read_line(done)
    if not done.strip() or (isinstance(value, Turn) and not value.actions):
        return play, False
    if not isinstance(value, Turn):
        return None, False
    begin_turn(play, play.due)
    for action in value.actions:
        perform(play, action)
        if play.violations or not play.knowable:
            return None, False
    return play, True


def _starts(play: Table) -> Iterator[Completion]:
    legal = legal_starts(play)
    if legal.stock is not None and legal.stock.refusal is None:
        yield Completion("+", "draws")
    for way in legal.takes:
        if way.refusal is None:
            yield _take(play, way)


def _take(play: Table, way: TakeWay) -> Completion:
    top = top_of(play)
    words = " ".join(map(format_action, way.begun(top)))
    doubt = "" if way.certain else ", if the hand allows it"
    most = 1 if takes_alone(play.rules, way.onto) else play.rules.most_taken
    return Completion(words, f"takes {count(min(most, play.pile_size), 'card')}{doubt}")


def _plays(play: Table) -> Iterator[Completion]:
    due = packet_due(play) if play.discarded >= 0 or play.rules.packet_early else -1
    if due >= 0 and not play.packet_taken:
        size = play.rules.packets[due]
        yield Completion(play.rules.packet_word, f"{count(size, 'card')} into the hand")
    legal = legal_continuations(play)
    for choice in legal.discards:
        if choice.refusal is None and choice.card != UNKNOWN:
            yield Completion(f"-{TEXT[choice.card]}", "goes out" if choice.out else "discards")
    yield from _groups(legal)
    if legal.ask is None and legal.begun and play.discarded < 0:
        yield Completion("ask=yes", "partner says yes")
        yield Completion("ask=no", "partner says no")
    for special in legal.specials:
        yield Completion(f"{special.kind}:{format_cards(special.cards)}", f"{special.points}")


def _groups(legal: FoundPlays) -> Iterator[Completion]:
    for group in legal.groups[:_MOST]:
        about = count(group.size, "card")
        if group.canasta:
            about = f"{group.canasta} canasta"
        if group.count is not None:
            about += f", opening {group.count}"
        yield Completion(f"{LABELS[group.rank]}:{format_cards(group.cards)}", about)
