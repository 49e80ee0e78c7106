"""What could be played at a turn of a record, found by replaying it."""

from __future__ import annotations

from dataclasses import dataclass

from canasta_notation.engine.actions import Action
from canasta_notation.notation.document import Game, Turn
from canasta_notation.notation.format import format_action
from canasta_notation.replay.steps import find_tables
from canasta_notation.rules import Profile, entry
from canasta_notation.search.found import LegalPlays, Refusal
from canasta_notation.search.legal import legal_continuations, legal_starts


@dataclass(frozen=True, slots=True)
class Choices:
    """What could be played at a turn: at its start, and after the recorded draw or take `played`.

    `after` is None if the record does not have the turn yet, or if the turn ended with its draw.
    """

    file: str
    game: int
    deal: int
    turn: int
    profile: Profile
    start: LegalPlays
    played: Action | None = None
    after: LegalPlays | None = None


def find_choices(
    file: str, game: Game, number: int, deal: int, turn: int, profile: Profile
) -> Choices | None:
    """Return what could be played at a turn of a deal (both from 1), None without such a turn.

    The turn after a deal's last one is the turn due next. It has no plays if the deal has ended.
    """
    tables = find_tables(game, deal, turn, number=number, override=profile)
    if not tables:
        return None
    start = legal_starts(tables[0])
    if len(tables) == 1:
        return Choices(file, number, deal, turn, profile, start)
    turns = [line for line in game.deals[deal - 1].play if isinstance(line, Turn)]
    played = turns[turn - 1].actions[0]
    after = legal_continuations(tables[1])
    return Choices(file, number, deal, turn, profile, start, played, after)


def refusal_words(refusal: Refusal, profile: Profile) -> str:
    """Return why a play is not legal."""
    facts, known = dict(refusal.facts), entry(refusal.code)
    return known.reason(refusal.message, facts, profile.seats, profile.side_names)


def spelled(action: Action, profile: Profile) -> str:
    """Return an action as the notation spells it."""
    return format_action(action, profile["draw.count"])
