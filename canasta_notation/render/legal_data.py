"""The legal plays of a turn of a record, found by replaying it, as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from canasta_notation.cards import RANK_LETTERS, TEXT, format_cards
from canasta_notation.engine.actions import Action
from canasta_notation.engine.ending import Ending
from canasta_notation.engine.legal import (
    DiscardChoice,
    LegalPlays,
    Refusal,
    TakeWay,
    legal_continuations,
    legal_starts,
)
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.render.paint import Look, Row, Rows, indented, row, wrap_row
from canasta_notation.render.spell import count
from canasta_notation.replay.legal import find_tables
from canasta_notation.replay.wording import reason
from canasta_notation.rules import Profile

#: How each way to take the pile is called.
_WAYS = {
    "": "",
    "join": "joining the meld",
    "pair": "with a pair",
    "with-wild": "with a wild card",
}


@dataclass(frozen=True, slots=True)
class Position:
    """What could be played at a turn: at its start, and after the draw or take `played` there.

    `after` is None where the record has no such turn yet, or the turn ended with its draw.
    """

    file: str
    game: int
    deal: int
    turn: int
    profile: Profile
    start: LegalPlays
    played: Action | None = None
    after: LegalPlays | None = None


def find_position(
    file: str, game: Game, number: int, deal: int, turn: int, profile: Profile
) -> Position | None:
    """Return what could be played at a turn of a deal, both from 1, or None where there is none.

    The turn after a deal's last one is what is due next; after the deal's end it has no plays.
    """
    tables = find_tables(game, deal, turn, number=number, override=profile)
    if not tables:
        return None
    start = legal_starts(tables[0])
    if len(tables) == 1:
        return Position(file, number, deal, turn, profile, start)
    turns = [line for line in game.deals[deal - 1].play if isinstance(line, Turn)]
    played = turns[turn - 1].actions[0]
    after = legal_continuations(tables[1])
    return Position(file, number, deal, turn, profile, start, played, after)


# --- as JSON ------------------------------------------------------------------------------------


def legal_json(position: Position) -> dict[str, Any]:
    """Return the document that schemas/legal.schema.json describes."""
    start, profile = position.start, position.profile
    return {
        "file": position.file,
        "game": position.game,
        "deal": position.deal,
        "turn": position.turn,
        "rules": profile.name,
        "seat": profile.seats[start.seat] if start.seat >= 0 else None,
        "stock": start.stock
        and {
            "cards": start.stock.cards,
            "legal": start.stock.refusal is None,
            "certain": start.stock.certain,
            "refusal": _refusal(start.stock.refusal, profile),
        },
        "takes": [_take(way, profile) for way in start.takes],
        "must_take": start.must_take,
        "over": start.over,
        "known": start.known,
        "after": _after(position),
    }


def _refusal(refusal: Refusal | None, profile: Profile) -> dict[str, Any] | None:
    if refusal is None:
        return None
    rule = profile.ref(refusal.key) if refusal.key else None
    return {
        "code": refusal.code,
        "message": _message(refusal, profile),
        "rule": rule
        and {"key": rule.key, "value": rule.value, "mark": rule.mark, "source": rule.source},
    }


def _message(refusal: Refusal, profile: Profile) -> str:
    facts = dict(refusal.facts)
    return reason(refusal.code, refusal.message, facts, profile.seats, profile.side_names)


def _take(way: TakeWay, profile: Profile) -> dict[str, Any]:
    return {
        "way": way.way or None,
        "cards": _texts(way.cards),
        "legal": way.refusal is None,
        "certain": way.certain,
        "refusal": _refusal(way.refusal, profile),
    }


def _after(position: Position) -> dict[str, Any] | None:
    plays, profile = position.after, position.profile
    if plays is None or position.played is None:
        return None
    return {
        "played": _spelled(position.played, profile),
        "minimum": plays.minimum,
        "groups": [
            {
                "label": RANK_LETTERS[group.rank],
                "cards": _texts(group.cards),
                "naturals": group.naturals,
                "wilds": group.wilds,
                "size": group.size,
                "canasta": group.canasta or None,
                "count": group.count,
                "certain": group.certain,
            }
            for group in plays.groups
        ],
        "discards": [_discard(choice, profile) for choice in plays.discards],
        "ask": {"legal": plays.ask is None, "refusal": _refusal(plays.ask, profile)},
        "out": [_ending(way, profile) for way in plays.out],
        "specials": [
            {"kind": each.kind, "cards": _texts(each.cards), "points": each.points}
            for each in plays.specials
        ],
        "known": plays.known,
    }


def _discard(choice: DiscardChoice, profile: Profile) -> dict[str, Any]:
    return {
        "card": TEXT[choice.card],
        "legal": choice.refusal is None,
        "certain": choice.certain,
        "out": choice.out,
        "talon": _texts(choice.talon),
        "refusal": _refusal(choice.refusal, profile),
    }


def _ending(way: Ending, profile: Profile) -> dict[str, Any]:
    return {
        "actions": [_spelled(action, profile) for action in way.actions],
        "concealed": way.concealed,
        "certain": way.certain,
    }


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [TEXT[card] for card in cards]


def _spelled(action: Action, profile: Profile) -> str:
    return format_action(action, profile["draw.count"])


# --- as text ------------------------------------------------------------------------------------


#: The column of what can be done, after the word for it.
_INDENT = 9


def legal_rows(position: Position, look: Look) -> Rows:
    """Return the plays, one row for each kind and reason, wrapped to the width."""
    return [*_start_rows(position, look), *_after_rows(position, look)]


def _start_rows(position: Position, look: Look) -> Iterator[Row]:
    start, profile = position.start, position.profile
    head = f"deal {position.deal}, turn {position.turn}"
    if start.stock is None:
        why = "the deal is over" if start.known else "whose turn it is, is not known"
        yield from wrap_row(row(f"{head}: nothing can be played: {why}"), look.width)
        return
    yield row(f"{head}: {profile.seats[start.seat]} ({profile.name})")
    if not start.known:
        text = "not all cards of the hand are written: what the written ones can do is listed"
        yield from wrap_row(row(text), look.width)
    stock = start.stock
    drawn = _told(count(stock.cards, "card"), stock.refusal, profile, certain=stock.certain)
    yield from _item("draw", drawn, look)
    for way in start.takes:
        how = " ".join([_WAYS[way.way], format_cards(way.cards)]).strip()
        told = _told(how, way.refusal, profile, certain=way.certain)
        yield from _item("take", told, look)
    if start.must_take:
        yield row("the pile must be taken")
    elif start.over:
        text = "the stock is empty: the deal is over unless the pile is taken"
        yield from wrap_row(row(text), look.width)


def _after_rows(position: Position, look: Look) -> Iterator[Row]:
    plays, profile = position.after, position.profile
    if plays is None or position.played is None:
        return
    yield row(f"after {_spelled(position.played, profile)}:")
    for word, what in (*_meld_items(plays), *_last_items(plays, profile)):
        yield from _item(word, what, look, indent=2)


def _meld_items(plays: LegalPlays) -> Iterator[tuple[str, str]]:
    for special in plays.specials:
        yield "special", f"{special.kind}, {special.points} points"
    for group in plays.groups:
        made = f"{group.canasta} canasta" if group.canasta else count(group.size, "card")
        if group.count is not None:
            needed = "" if plays.minimum is None else f" of {plays.minimum}"
            made += f", opening {group.count}{needed}"
        spelled = f"{RANK_LETTERS[group.rank]}:{format_cards(group.cards)}"
        yield "meld", f"{spelled}  ({made}){_doubt(certain=group.certain)}"


def _last_items(plays: LegalPlays, profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield the discards, those that are alike together, and the ways to go out."""
    told = [(_discarding(choice, profile), TEXT[choice.card]) for choice in plays.discards]
    first = {how: at for at, (how, _) in reversed([*enumerate(told)])}
    for how, alike in groupby(sorted(told, key=lambda pair: first[pair[0]]), lambda pair: pair[0]):
        yield "discard", f"{' '.join(card for _, card in alike)}{how}"
    for way in plays.out:
        actions = " ".join(_spelled(action, profile) for action in way.actions)
        yield "out", f"{actions}{'  (concealed)' if way.concealed else ''}"
    if plays.out and plays.ask is None:
        yield "ask", "partner can be asked first"


def _discarding(choice: DiscardChoice, profile: Profile) -> str:
    """Return what is said of a discard behind its card."""
    goes = " goes out" if choice.out else ""
    if choice.talon:
        goes += f" talon:{format_cards(choice.talon)}"
    told = _told(goes, choice.refusal, profile, certain=choice.certain)
    return told if choice.refusal is None else f": {told}"


def _item(word: str, what: str, look: Look, *, indent: int = 0) -> Rows:
    """Return rows of one kind of play: the word for it, and what stands behind it."""
    head = row(" " * indent + word.ljust(_INDENT))
    return indented(wrap_row(row(what), look.width - indent - _INDENT), head)


def _told(what: str, refusal: Refusal | None, profile: Profile, *, certain: bool) -> str:
    """Return a play, and why not where it is refused."""
    if refusal is None:
        return f"{what}{_doubt(certain=certain)}"
    rule = f" [{refusal.key}]" if refusal.key else ""
    return f"{what}{': ' if what else ''}no, {_message(refusal, profile)}{rule}"


def _doubt(*, certain: bool) -> str:
    return "" if certain else "  (cards that are not written decide)"
