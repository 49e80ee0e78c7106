"""Turns in words: drew 5h; laid kings Ks Kh 2c; discarded 9s. A page uses the same words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from canasta_notation.cards import UNKNOWN
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.engine.state import State
from canasta_notation.english import count, meld_name, signs
from canasta_notation.language.sentences import label
from canasta_notation.notation.document import Turn
from canasta_notation.render.paint import Look, Row, Run, card, card_row, row
from canasta_notation.report.picked_up import with_packet_cards
from canasta_notation.report.played import cards_taken, took_alone


def turn_words(turn: Turn, before: State, after: State, side: int, look: Look) -> Row:
    """Return a turn in words; `before` and `after` are states, `side` is the seat's side."""
    cells: Row = []
    standing = {meld.rank for meld in before.sides[side].melds}
    tabled = _tabled(before, after, side)
    taken = cards_taken(turn.actions, before, after)
    alone = took_alone(turn.actions, before, after)
    for action in with_packet_cards(turn.actions, before, after):
        cells += [Run("; ")] if cells else []
        if isinstance(action, Take) and alone:
            cells += [Run("took "), card(action.card, look), Run(" alone from the pile")]
            continue
        cells += _action(action, before, standing, tabled, taken, look)
        if isinstance(action, Lay):
            standing.add(action.rank)
    cells += row(label("nothing")) if not cells else []
    if after.ended == "out" and before.ended != "out":
        cells.append(Run(f"; {label('out')}", "strong"))
    elif turn.out:
        cells.append(Run(f"; {label('out')}, according to the record"))
    return [*cells, *_remarks(turn)]


def _tabled(before: State, after: State, side: int) -> tuple[int, ...]:
    left = list(before.sides[side].threes)
    return tuple(three for three in after.sides[side].threes if not _drop(left, three))


def _drop(cards: list[int], card: int) -> bool:
    """Remove a card from a list; return whether it was there."""
    if card in cards:
        cards.remove(card)
        return True
    return False


def _action(
    action: Action,
    before: State,
    standing: set[int],
    tabled: tuple[int, ...],
    taken: int,
    look: Look,
) -> Row:
    match action:
        case Draw():
            return _draw(action, tabled, look)
        case TableThrees():
            return _table_threes(action, look)
        case Take():
            return _take(action, before, tabled, taken, look)
        case Ask():
            return row(f"{label('asked')} {label('yes' if action.yes else 'no')}")
        case Lay():
            on = "on " if action.rank in standing else ""
            name = meld_name(action.rank)
            return [*row(f"{label('laid')} {on}{name} "), *card_row(action.cards, look)]
        case Combine():
            both = f"{meld_name(action.rank)} and {meld_name(action.onto)}"
            return row(f"{label('combined')} {both}")
        case TakeBack():
            return [Run(f"{label('back')} "), *card_row(action.cards, look)]
        case LaySpecial():
            named = row(f"{label('special')} ({action.kind}) ")
            return [*named, *card_row(action.cards, look)]
        case Discard():
            return [Run(f"{label('discarded')} "), card(action.card, look)]
        case TakePacket():
            return _take_packet(action, tabled, look)
        case _:
            assert_never(action)


def _draw(draw: Draw, tabled: tuple[int, ...], look: Look) -> Row:
    named = [code for code in draw.cards if code != UNKNOWN]
    hidden = len(draw.cards) - len(named)
    if not named:
        return row(f"{label('drew')} {count(hidden, 'card') if hidden else label('unseen')}")
    cells = [Run(f"{label('drew')} "), *card_row(named, look)]
    if hidden:
        cells += row(f" and {count(hidden, 'card')}")
    if draw.bare:
        cells += row(f" and more, {label('unseen')}")
    return [*cells, *_tables(tabled, named, look)]


def _table_threes(late: TableThrees, look: Look) -> Row:
    cells = [Run(f"{label('tabled')} "), *card_row(late.threes, look)]
    if late.cards:
        cells += [Run(", replaced by "), *card_row(late.cards, look)]
    return cells


def _take(take: Take, before: State, tabled: tuple[int, ...], taken: int, look: Look) -> Row:
    size = len(before.pile)
    part = f", {taken} of {count(size, 'card')}," if taken < size else f" of {size}"
    known = "" if before.pile_loose else part
    cells = [Run(f"{label('took')}{known} with "), card(take.card, look), Run(" on top")]
    if take.onto is not None:
        cells += row(f" for {meld_name(take.onto)}")
    return [*cells, *_tables(tabled, before.pile, look)]


def _take_packet(packet: TakePacket, tabled: tuple[int, ...], look: Look) -> Row:
    if UNKNOWN in packet.cards:
        cells = row(f"{label(packet.word)} of {count(len(packet.cards), 'card')}")
    else:
        cells = [Run(f"{label(packet.word)} "), *card_row(packet.cards, look)]
    cells += _tables(tabled, packet.cards, look)
    if packet.replacements:
        cells += [Run(", replaced by "), *card_row(packet.replacements, look)]
    return cells


def _tables(tabled: tuple[int, ...], among: Iterable[int], look: Look) -> Row:
    """Return words for the threes tabled from these cards."""
    left = list(among)
    threes = [three for three in tabled if _drop(left, three)]
    return [Run(f", {label('tabled')} "), *card_row(threes, look)] if threes else []


def _remarks(turn: Turn) -> Iterator[Run]:
    """Yield the claims and marks of a turn, which are not its play."""
    if turn.open is not None:
        yield Run(f" (opened with {turn.open})", "dim")
    if turn.annotations:
        yield Run(f" {signs(turn.annotations)}", "warning")
    if turn.clock is not None:
        yield Run(f" ({turn.clock} s)", "dim")
    for code in turn.acknowledged:
        yield Run(f" ~{code}", "note")
