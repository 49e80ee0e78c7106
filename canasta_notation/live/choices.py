"""The legal plays at a moment as texts, and the plays that are not legal, with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from canasta_notation.cards import RANK_LETTERS, TEXT, UNKNOWN, format_cards
from canasta_notation.engine.actions import Ask, Discard, Draw, Lay, LaySpecial, Take, TakeTalon
from canasta_notation.live.action_text import parse_move
from canasta_notation.live.answers import Choice, LivePlays, Refused
from canasta_notation.live.errors import PlayError
from canasta_notation.live.live_deal import DRAW, TALON, End, LiveTable
from canasta_notation.live.referee import Referee, take_refusal
from canasta_notation.search.found import LegalPlays

_KINDS: Final = {
    Draw: "draw",
    Take: "take",
    Ask: "ask",
    Lay: "lay",
    LaySpecial: "special",
    Discard: "discard",
    TakeTalon: "talon",
    End: "end",
}
#: Plays that are legal, and those that are not.
_Sorted = tuple[list[Choice], list[Refused]]


def live_plays(referee: Referee, table: LiveTable) -> LivePlays:
    """Return what the rules allow the seat that is due, whatever the house accepts.

    Not checked: that the deal is not over.
    """
    referee = replace(referee, house="refuse")
    found: LegalPlays | None = None
    if table.phase == DRAW:
        found = table.starts()
        plays, refused = _starts(referee, table, found)
    elif table.phase == TALON:
        plays, refused = _tried(referee, table, ("talon", "end"))
    else:
        found = table.continuations()
        plays, refused = _continuations(referee, table, found)
    legal = LivePlays(
        referee.rules.seats[table.seat],
        table.phase,
        tuple(plays),
        tuple(refused),
        complete=found is None or found.complete,
    )
    minimum, counted = table.opening()
    if minimum is None:
        return legal
    return replace(legal, minimum=minimum, counted=counted, missing=max(0, minimum - counted))


def _tried(referee: Referee, table: LiveTable, texts: Iterable[str]) -> _Sorted:
    """Try plays of the seat that is due; return the legal ones and the others."""
    plays, refused = [], []
    for text in texts:
        move = parse_move(text)
        kind = _KINDS[type(move)]
        try:
            referee.judge(table, referee.rules.seats[table.seat], move)
        except PlayError as error:
            refused.append(Refused(text, kind, error))
        else:
            plays.append(Choice(text, kind))
    return plays, refused


def _starts(referee: Referee, table: LiveTable, found: LegalPlays) -> _Sorted:
    plays: list[Choice] = []
    refused: list[Refused] = []
    if table.stock_left:
        plays.append(Choice("+", "draw"))
    else:
        plays, refused = _tried(referee, table, ("+", "end"))
    top = table.top()
    text = "^" if top == UNKNOWN else f"^{TEXT[top]}"
    refusal = take_refusal(found)
    if refusal is not None:
        refused.append(Refused(text, "take", referee.refusal(refusal)))
    elif found.complete or any(way.refusal is None and way.certain for way in found.takes):
        plays.append(Choice(text, "take"))
    return plays, refused


def _continuations(referee: Referee, table: LiveTable, found: LegalPlays) -> _Sorted:
    plays = [Choice("+", "draw")] if table.may_go_on() else []
    refused = []
    for special in found.specials:
        plays.append(Choice(f"{special.kind}:{format_cards(special.cards)}", "special"))
    for group in found.groups:
        text = f"{RANK_LETTERS[group.rank]}:{format_cards(group.cards)}"
        if group.certain or found.complete:
            plays.append(Choice(text, "lay", group.size, group.canasta, group.count))
    if found.ask is None:
        asked, not_asked = _tried(referee, table, ("ask=yes", "ask=no"))
        plays += asked
        refused += not_asked
    else:
        refused.append(Refused("ask", "ask", referee.refusal(found.ask)))
    for discard in found.discards:
        text = f"-{TEXT[discard.card]}"
        if discard.refusal is None:
            plays.append(Choice(text, "discard", out=discard.out))
        else:
            refused.append(Refused(text, "discard", referee.refusal(discard.refusal)))
    return plays, refused
