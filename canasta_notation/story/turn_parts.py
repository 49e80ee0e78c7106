"""Turns and plays in parts: a label, and the cards beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from canasta_notation.cards import (
    JOKER_RANK,
    KIND,
    LABELS,
    OF_RANK,
    PLACE_OF,
    RANK,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    is_wild,
    parse_cards,
)
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
from canasta_notation.language.sentences import Card, Melds, Sentence, say
from canasta_notation.report.picked_up import with_packet_cards
from canasta_notation.report.played import PlayedTurn, cards_taken, took_alone

#: How a play spells the cards that it takes back.
_BACK: Final = "back"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn: its label, None for more of the part before it, cards, and a word.

    `own` says that only the seat sees the cards. `onto` names the meld of the cards if they do not
    show it. A part without cards and words is only its label.
    """

    label: Sentence | None
    cards: tuple[int, ...] = ()
    word: Sentence | str = ""
    own: bool = False
    onto: Sentence | str = ""


def turn_parts(turn: PlayedTurn, side: int) -> list[Part]:
    """Return the parts of a turn in the order in which they were played."""
    taken = cards_taken(turn.line.actions, turn.before, turn.after)
    threes = _tabled(turn.before, turn.after, side)
    parts: list[Part] = []
    alone = took_alone(turn.line.actions, turn.before, turn.after)
    for action in with_packet_cards(turn.line.actions, turn.before, turn.after):
        more = isinstance(action, Lay) and parts[-1:] and parts[-1].label in (None, say("laid"))
        parts += _action(action, turn.before, threes, taken, first=not more, alone=alone)
    if turn.after.ended == "out" and turn.before.ended != "out":
        parts.append(Part(say("out")))
    return parts or [Part(say("nothing"))]


def _action(
    action: Action, before: State, threes: list[int], taken: int, *, first: bool, alone: bool
) -> Iterator[Part]:
    match action:
        case Draw():
            own = tuple(action.cards)
            aside, rest = _split(own, threes)
            yield Part(say("drew"), rest, "" if own else say("unseen"), own=bool(rest))
            yield from _aside(aside)
        case TableThrees():
            _split(action.threes, threes)
            aside, rest = _split(action.cards, threes)
            yield Part(say("tabled"), (*action.threes, *aside))
            if rest:
                yield Part(say("drew"), rest, own=True)
        case Take() if alone:
            yield Part(say("took_top"), (action.card,))
        case Take():
            size = len(before.pile)
            part = f"({taken}/{size})" if taken < size else f"({size})"
            yield Part(say("took"), (action.card,), "" if before.pile_loose else part)
            yield from _aside(_split(before.pile, threes)[0])
        case Ask():
            yield Part(say("asked"), (), say("yes" if action.yes else "no"))
        case Lay():
            yield Part(say("laid") if first else None, action.cards)
        case Combine():
            yield Part(say("combined"), (), f"{LABELS[action.rank]}, {LABELS[action.onto]}")
        case TakeBack():
            yield Part(say("back"), action.cards)
        case LaySpecial():
            yield Part(say("special"), action.cards)
        case Discard():
            yield Part(say("discarded"), (action.card,))
        case TakePacket():
            aside, rest = _split(action.cards, threes)
            yield Part(say(action.word), rest, own=True)
            yield from _aside(aside)
            if action.replacements:
                yield Part(say("drew"), action.replacements, own=True)
        case _:
            assert_never(action)


def _aside(threes: tuple[int, ...]) -> Iterator[Part]:
    if threes:
        yield Part(say("tabled"), threes)


def _tabled(before: State, after: State, side: int) -> list[int]:
    """Return the threes that the side has after a turn and did not have before it."""
    left = list(before.sides[side].threes)
    return [*_split(after.sides[side].threes, left)[1]]


def _split(cards: Iterable[int], among: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards that are among others, which are taken from these, and the rest."""
    found, rest = [], []
    for card in cards:
        if card in among and card != UNKNOWN:
            among.remove(card)
            found.append(card)
        else:
            rest.append(card)
    return tuple(found), tuple(rest)


def act(turn: PlayedTurn) -> str:
    """Return a turn in brief: cards of the pile taken, cards laid, the discard, and going out.

    They are separated by commas; each is "" if there is none or it is not known. Commas at the end
    are left out.
    """
    actions = turn.line.actions
    took = any(isinstance(each, Take) for each in actions) and not turn.before.pile_loose
    laid = sum(len(each.cards) for each in actions if isinstance(each, Lay | LaySpecial))
    card = next((TEXT[each.card] for each in actions if isinstance(each, Discard)), "")
    out = turn.after.ended in ("out", "special") and not turn.before.ended
    figures = (cards_taken(actions, turn.before, turn.after) if took else 0, laid)
    parts = [*(str(each or "") for each in figures), card, "1" if out else ""]
    return ",".join(parts).rstrip(",")


# --- plays as the values of a deal spell them -----------------------------------------------------


def play_parts(play: str) -> list[Part]:
    """Return the parts of a play that is spelled as a record spells it: `K:KsKhKd -4s #`.

    `+` alone is a draw and `^` a take, as in the values of a deal.
    """
    if play in ("+", "^"):
        return [Part(say("draw_card" if play == "+" else "take_pile"))]
    discarded = discarded_in(play)
    parts = [
        _lay(None if at else say("lay"), PLACE_OF.get(name), parse_cards(group))
        for at, (name, group) in enumerate(_groups(play))
    ]
    parts += [Part(say("discard"), parse_cards(discarded))] if discarded else []
    return [*parts, Part(say("go_out"))] if goes_out(play) else parts


def _lay(label: Sentence | None, place: int | None, cards: tuple[int, ...]) -> Part:
    """Return cards to lay, and on which meld if wild cards alone do not show it.

    `place` is None for cards that join no meld, such as those of a special hand.
    """
    if place is None or KIND[place] == JOKER_RANK or not all(map(is_wild, cards)):
        return Part(label, cards)
    return Part(label, cards, onto=say("onto", r=Melds(place)))


def parts_text(parts: Iterable[Part]) -> str:
    """Return parts of a turn or of a play as text: lay 6♠ 6♥, discard 9♣."""
    shown = ((part.label or "", part.word, *map(Card, part.cards), part.onto) for part in parts)
    return ", ".join(" ".join(filter(None, map(str, each))) for each in shown)


def laid_in(play: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the melds to which a play lays cards, sorted, each with the cards in order.

    Suits matter only in sequences: cards of one rank are given as one of them.
    """
    laid = []
    for name, group in _groups(play):
        place = PLACE_OF.get(name)
        cards = parse_cards(group)
        if place is None or KIND[place] < SEQUENCE:
            cards = tuple(OF_RANK[RANK[card]][0] for card in cards)
        laid.append((name, tuple(sorted(cards))))
    return sorted(laid)


def lays_special(play: str) -> bool:
    """Return whether a play lays a special hand."""
    return any(name not in PLACE_OF and name != _BACK for name, _ in _groups(play))


def _groups(play: str) -> list[tuple[str, str]]:
    """Return the label and the cards of each group of a play."""
    return [
        (name, cards) for name, _, cards in (part.partition(":") for part in play.split()) if cards
    ]


def discarded_in(play: str) -> str:
    """Return the card that a play discards, "" if it discards none."""
    return next((part[1:] for part in play.split() if part[0] == "-"), "")


def goes_out(play: str) -> bool:
    """Return whether a play goes out."""
    return "#" in play.split()
