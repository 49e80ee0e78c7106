"""A packet that a turn must pick up, or earned and did not take: its cards, the turn with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from canasta_notation.cards import UNKNOWN, format_cards, parse_cards
from canasta_notation.engine.actions import TakePacket
from canasta_notation.engine.packets import packet_passed
from canasta_notation.english import count
from canasta_notation.notation.document import Turn
from canasta_notation.recorder.proposal import Proposal, judge
from canasta_notation.recorder.shorthand import recased_cards
from canasta_notation.recorder.standing import Standing

#: The errors of a turn that does not name the packet that it picked up.
_MISSING: Final = frozenset({"packet", "not-in-hand"})


def packet_left(standing: Standing) -> tuple[int, ...]:
    """Return the cards of the packet that the last turn earned and left, () if there is none.

    They are unknown, unless the packet is written.
    """
    play = standing.play
    if standing.phase != "play" or play is None or not play.knowable:
        return ()
    at = packet_passed(play)
    if at < 0:
        return ()
    if play.packets[at] and not play.rules.packet_drawn:
        return tuple(play.packets[at])
    size: int = play.rules.packets[at]
    return (UNKNOWN,) * (min(size, play.stock_most) if play.rules.packet_drawn else size)


def pick_up_place(proposal: Proposal) -> int:
    """Return before which action of a turn its seat gets a packet that it does not name.

    Its hand is empty, or it has completed a canasta. It is the number of actions after the last
    one, and -1 if there is no such place.
    """
    turn, rules = proposal.line, proposal.before.rules
    # A turn that goes on with cards of its packet lays cards that the hand did not hold.
    codes = {each.code for each in proposal.errors}
    if not (rules.packet_early and isinstance(turn, Turn)):
        return -1
    if codes.isdisjoint(_MISSING) and not (rules.packet_on_canasta and earns_packet(proposal)):
        return -1
    if any(isinstance(each, TakePacket) for each in turn.actions):
        return -1
    for at in range(1, len(turn.actions) + 1):
        found = propose_picked_up(proposal, at, "")
        if _MISSING.isdisjoint(each.code for each in found.errors):
            return at
    return -1


def earns_packet(proposal: Proposal) -> bool:
    """Return whether a turn completes the first canasta of its seat, and the deal goes on."""
    before, after = proposal.before.play, proposal.after.play if proposal.after else None
    if before is None or after is None or after.ended or not after.knowable:
        return False
    fresh = after.completed & ~before.completed & ~after.packets_gone
    return fresh >> after.seat & 1 != 0


def propose_picked_up(proposal: Proposal, at: int, text: str) -> Proposal:
    """Judge a turn with the packet picked up before its action `at`, and its cards as typed.

    Without text, they are those of its line, or were not seen. What replaced its threes follows a
    `+`. Raises ValueError for text that is
    not cards.
    """
    turn, word = proposal.line, proposal.before.rules.packet_word
    assert isinstance(turn, Turn), "only a turn picks up a packet"
    typed, _, pulled = recased_cards(text).partition("+")
    packet = TakePacket(word, parse_cards(typed), parse_cards(pulled))
    actions = (*turn.actions[:at], packet, *turn.actions[at:])
    return judge(
        proposal.before,
        replace(turn, actions=actions),
        proposal.at if proposal.replaces else None,
    )


def propose_packet(standing: Standing, text: str) -> Proposal:
    """Judge the last turn with its packet as typed: cards, and `+` before replacements of threes.

    Without text, the cards are those of `packet_left`. Raises ValueError for text that is not
    cards, or not as many as the packet has.
    """
    due, word = packet_left(standing), standing.rules.packet_word
    taken, _, replaced = recased_cards(text).partition("+")
    cards = parse_cards(taken) if taken else due
    if len(cards) != len(due):
        raise ValueError(f"the {word} has {count(len(due), 'card')}, not {len(cards)}")
    if UNKNOWN not in due and sorted(cards) != sorted(due):
        raise ValueError(f"the {word} that was set aside is {format_cards(due)}")
    turn = standing.turns[-1]
    packet = TakePacket(standing.rules.packet_word, cards, parse_cards(replaced))
    at = turn.line - standing.place.first_line
    return judge(standing, replace(turn, actions=(*turn.actions, packet)), at)
