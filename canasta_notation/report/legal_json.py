"""Legal plays for programs: the JSON document of `canasta legal`."""

from __future__ import annotations

from typing import Any

from canasta_notation.cards import RANK_LETTERS, TEXT
from canasta_notation.report.findings_json import rule_json
from canasta_notation.report.plays import Choices, refusal_words, spelled
from canasta_notation.rules import Profile
from canasta_notation.search.found import DiscardChoice, Ending, Refusal, TakeWay


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
            "refusal": _refusal(start.stock.refusal, profile),
        },
        "takes": [_take(way, profile) for way in start.takes],
        "must_take": start.must_take,
        "over": start.over,
        "known": start.known,
        "complete": start.complete,
        "after": _after(choices),
    }


def _refusal(refusal: Refusal | None, profile: Profile) -> dict[str, Any] | None:
    if refusal is None:
        return None
    rule = rule_json(profile.ref(refusal.key) if refusal.key else None)
    return {"code": refusal.code, "message": refusal_words(refusal, profile), "rule": rule}


def _take(way: TakeWay, profile: Profile) -> dict[str, Any]:
    return {
        "way": way.way or None,
        "cards": _texts(way.cards),
        "legal": way.refusal is None,
        "certain": way.certain,
        "refusal": _refusal(way.refusal, profile),
    }


def _after(choices: Choices) -> dict[str, Any] | None:
    plays, profile = choices.after, choices.profile
    if plays is None or choices.played is None:
        return None
    return {
        "played": spelled(choices.played, profile),
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
        "complete": plays.complete,
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
        "actions": [spelled(action, profile) for action in way.actions],
        "concealed": way.concealed,
        "certain": way.certain,
    }


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [TEXT[card] for card in cards]
