"""What could be played at a turn of a record, found by replaying it; as a value and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from canasta_notation.cards import LABELS, TEXT, card_texts
from canasta_notation.engine.actions import Action, Combine, TableThrees
from canasta_notation.engine.state import State, snapshot
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.replay.steps import find_tables
from canasta_notation.report.outcome import rule_json
from canasta_notation.rules import Profile, entry
from canasta_notation.search.found import (
    DiscardChoice,
    Ending,
    FoundPlays,
    GroupChoice,
    Refusal,
    TakeWay,
)
from canasta_notation.search.legal import legal_continuations, legal_starts


@dataclass(frozen=True, slots=True)
class Choices:
    """What could be played at a turn: at its start, and after the recorded draw or take `played`.

    `after` is None if the record does not have the turn yet, or if the turn ended with its draw.
    `before` is the table at the start of the turn, `player` the name of the player, "" without one.
    """

    file: str
    game: int
    deal: int
    turn: int
    profile: Profile
    start: FoundPlays
    played: Action | None = None
    after: FoundPlays | None = None
    before: State | None = None
    player: str = ""


def find_choices(
    file: str, game: Game, number: int, deal: int, turn: int, profile: Profile
) -> Choices | None:
    """Return what could be played at a turn of a deal (both from 1), None without such a turn.

    The turn after a deal's last one is the turn due next. It has no plays if the deal has ended.
    """
    tables = find_tables(game, deal, turn, number=number, rules=profile)
    if not tables:
        return None
    start = legal_starts(tables[0])
    before = snapshot(tables[0])
    tag = game.tag(profile.seats[start.seat])
    player = tag.value if tag else ""
    if len(tables) == 1:
        return Choices(file, number, deal, turn, profile, start, before=before, player=player)
    turns = [line for line in game.deals[deal - 1].play if isinstance(line, Turn)]
    actions = turns[turn - 1].actions
    begun = isinstance(actions[0], TableThrees) and not tables[1].last_three
    if len(tables) == 1 + begun:
        return Choices(file, number, deal, turn, profile, start, before=before, player=player)
    played = actions[begun]
    after = legal_continuations(tables[1 + begun])
    return Choices(file, number, deal, turn, profile, start, played, after, before, player)


def refusal_words(refusal: Refusal, profile: Profile) -> str:
    """Return why a play is not legal."""
    facts, known = dict(refusal.facts), entry(refusal.code)
    return known.reason(refusal.message, facts, profile.seats, profile.side_names)


def spelled(action: Action, profile: Profile) -> str:
    """Return an action as the notation spells it."""
    return format_action(action, profile["draw.count"])


def legal_json(choices: Choices) -> dict[str, Any]:
    """Return the document that schemas/legal.schema.json describes."""
    start, profile = choices.start, choices.profile
    return {
        "file": choices.file,
        "game": choices.game,
        "deal": choices.deal,
        "turn": choices.turn,
        "rules": profile.name,
        "seat": profile.seats[start.seat] if start.seat >= 0 else None,
        "stock": start.stock
        and {
            "cards": start.stock.cards,
            "legal": start.stock.refusal is None,
            "certain": start.stock.certain,
            **({"special": True} if start.stock.special else {}),
            "refusal": _refusal(start.stock.refusal, profile),
        },
        "takes": [_take(way, profile) for way in start.takes],
        **({"threes": _threes(start)} if start.threes else {}),
        "must_take": start.must_take,
        "over": start.over,
        "known": start.known,
        "complete": start.complete,
        "after": _after(choices),
    }


def _threes(start: FoundPlays) -> dict[str, Any]:
    return {"cards": card_texts(start.threes), "must": start.must_table}


def _refusal(refusal: Refusal | None, profile: Profile) -> dict[str, Any] | None:
    if refusal is None:
        return None
    rule = rule_json(profile.ref(refusal.key) if refusal.key else None)
    return {"code": refusal.code, "message": refusal_words(refusal, profile), "rule": rule}


def _take(way: TakeWay, profile: Profile) -> dict[str, Any]:
    return {
        "way": way.way or None,
        "cards": card_texts(way.cards),
        "legal": way.refusal is None,
        "certain": way.certain,
        "refusal": _refusal(way.refusal, profile),
        **({} if way.onto is None else {"onto": LABELS[way.onto]}),
    }


def _after(choices: Choices) -> dict[str, Any] | None:
    plays, profile = choices.after, choices.profile
    if plays is None or choices.played is None:
        return None
    return {
        "played": spelled(choices.played, profile),
        "minimum": plays.minimum,
        **({"raised": plays.raised} if plays.raised else {}),
        "groups": [_group(group) for group in plays.groups],
        "discards": [_discard(choice, profile) for choice in plays.discards],
        **({"may_stop": True} if plays.may_stop else {}),
        "ask": {"legal": plays.ask is None, "refusal": _refusal(plays.ask, profile)},
        "out": [_ending(way, profile) for way in plays.out],
        "specials": [
            {"kind": each.kind, "cards": card_texts(each.cards), "points": each.points}
            for each in plays.specials
        ],
        **_combines(plays, profile),
        **({"dead": [LABELS[rank] for rank in plays.dead]} if plays.dead else {}),
        **({"packet": _refusal(plays.packet, profile)} if plays.packet else {}),
        "known": plays.known,
        "complete": plays.complete,
    }


def _group(group: GroupChoice) -> dict[str, Any]:
    return {
        "label": LABELS[group.rank],
        "cards": card_texts(group.cards),
        "naturals": group.naturals,
        "wilds": group.wilds,
        "size": group.size,
        "canasta": group.canasta or None,
        "count": group.count,
        "certain": group.certain,
    }


def _combines(plays: FoundPlays, profile: Profile) -> dict[str, Any]:
    """Return the melds that can be put together, by their name; nothing if there are none."""
    texts = [spelled(Combine(place, onto), profile) for place, onto in plays.combines]
    return {"combines": texts} if texts else {}


def _discard(choice: DiscardChoice, profile: Profile) -> dict[str, Any]:
    return {
        "card": TEXT[choice.card],
        "legal": choice.refusal is None,
        "certain": choice.certain,
        "out": choice.out,
        "packet": card_texts(choice.packet),
        "refusal": _refusal(choice.refusal, profile),
    }


def _ending(way: Ending, profile: Profile) -> dict[str, Any]:
    return {
        "actions": [spelled(action, profile) for action in way.actions],
        "concealed": way.concealed,
        "certain": way.certain,
    }
