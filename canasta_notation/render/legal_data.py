"""The legal plays of a turn of a record, found by replaying it, as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from canasta_notation.cards import RANK_LETTERS, TEXT, format_cards
from canasta_notation.engine.actions import Action
from canasta_notation.engine.deal import DealPlay
from canasta_notation.engine.ending import Ending
from canasta_notation.engine.legal import (
    DiscardChoice,
    LegalPlays,
    Refusal,
    TakeWay,
    legal_plays,
    legal_starts,
)
from canasta_notation.engine.trial import clone
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.replay.game import replay_game
from canasta_notation.replay.wording import words
from canasta_notation.rules import Profile

#: How each way to take the pile is called.
_WAYS = {"join": "joining the meld", "pair": "with a pair", "with-wild": "with a wild card"}


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
    tables: dict[str, DealPlay] = {}
    played: list[Action] = []

    def observe(at: int, play: DealPlay, line: int, action: int) -> None:
        if at + 1 != deal:
            return
        row = game.deals[at].play[line] if line >= 0 else None
        over = not isinstance(row, Turn) or action == len(row.actions) - 1
        if over and play.turns == turn - 1:
            tables["start"] = clone(play)
        elif isinstance(row, Turn) and play.turns == turn and action == 0 and not over:
            tables["after"] = clone(play)
            played.append(row.actions[0])

    replay_game(game, number, override=profile, observer=observe)
    if "start" not in tables:
        return None
    after = legal_plays(tables["after"]) if "after" in tables else None
    start = legal_starts(tables["start"])
    return Position(file, number, deal, turn, profile, start, played[0] if played else None, after)


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
    return words(refusal.code, refusal.message, facts, profile.seats, profile.side_names)[0]


def _take(way: TakeWay, profile: Profile) -> dict[str, Any]:
    return {
        "way": way.way,
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


def legal_text(position: Position) -> str:
    """Return the plays as lines of text, each ending in a line end."""
    return "".join(line + "\n" for line in (*_start_lines(position), *_after_lines(position)))


def _start_lines(position: Position) -> Iterator[str]:
    start, profile = position.start, position.profile
    if start.stock is None:
        yield f"deal {position.deal}, turn {position.turn}: nothing can be played"
        return
    seat = profile.seats[start.seat]
    yield f"deal {position.deal}, turn {position.turn}: {seat} ({profile.name})"
    count = start.stock.cards
    cards = f"{count} card{'s' if count != 1 else ''}"
    yield _line("draw", cards, start.stock.refusal, profile, certain=start.stock.certain)
    for way in start.takes:
        spelled = " ".join([_WAYS[way.way], format_cards(way.cards)]).strip()
        yield _line("take", spelled, way.refusal, profile, certain=way.certain)
    if start.must_take:
        yield "the pile must be taken"
    elif start.over:
        yield "the stock is empty: the deal is over unless the pile is taken"


def _after_lines(position: Position) -> Iterator[str]:
    plays, profile = position.after, position.profile
    if plays is None or position.played is None:
        return
    yield f"after {_spelled(position.played, profile)}:"
    for special in plays.specials:
        yield f"  special  {special.kind}, {special.points} points"
    for group in plays.groups:
        made = f"{group.canasta} canasta" if group.canasta else f"{group.size} cards"
        count = "" if group.count is None else f", the opening counts {group.count}"
        spelled = f"{RANK_LETTERS[group.rank]}:{format_cards(group.cards)}"
        yield f"  meld     {spelled}  ({made}{count}){_doubt(certain=group.certain)}"
    for choice in plays.discards:
        goes = "goes out" if choice.out else ""
        spelled = " ".join([f"-{TEXT[choice.card]}", goes]).strip()
        if choice.talon:
            spelled += f" talon:{format_cards(choice.talon)}"
        yield "  " + _line("discard", spelled, choice.refusal, profile, certain=choice.certain)
    for way in plays.out:
        actions = " ".join(_spelled(action, profile) for action in way.actions)
        concealed = "  (concealed)" if way.concealed else ""
        yield f"  out      {actions}{concealed}"


def _line(word: str, what: str, refusal: Refusal | None, profile: Profile, *, certain: bool) -> str:
    """Return a line of one play: what it is, and why not where it is refused."""
    if refusal is None:
        return f"{word:7}  {what}{_doubt(certain=certain)}"
    rule = f" [{refusal.key}]" if refusal.key else ""
    return f"{word:7}  {what}: no, {refusal.code}: {_message(refusal, profile)}{rule}"


def _doubt(*, certain: bool) -> str:
    return "" if certain else "  (cards that are not written decide)"
