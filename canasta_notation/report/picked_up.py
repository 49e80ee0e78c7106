"""The cards of a packet that a turn took without naming them: those that lay on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from canasta_notation.engine.actions import Action, TakePacket
from canasta_notation.engine.state import State


def with_packet_cards(actions: Iterable[Action], before: State, after: State) -> tuple[Action, ...]:
    """Return the actions of a turn; a packet without cards gets those that it had on the table.

    `before` and `after` are the tables before and after the turn.
    """
    return tuple(
        replace(each, cards=_gone(before, after))
        if isinstance(each, TakePacket) and not each.cards
        else each
        for each in actions
    )


def _gone(before: State, after: State) -> tuple[int, ...]:
    """Return the cards of the packet that only the table before has, () if there is none."""
    left = list(after.packets)
    for packet in before.packets:
        if packet not in left:
            return packet.cards
        left.remove(packet)
    return ()
