"""Canasta Game Notation: read, verify, replay, audit and write records of Canasta games.

>>> import canasta_notation as cn
>>> for game in cn.read('[CGN "1"]\\ndeal 1 dealer N\\nscore NS 100\\nscore EW 50'):
...     print(cn.verify(game))
undetermined: NS 100 EW 50

`LiveGame` is a game in progress; `help(cn.LiveGame)` shows a bot in four lines. The reference,
grammar/LIBRARY.md, describes every name.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from canasta_notation.analysis.analyze import Cancelled, analyze
    from canasta_notation.analysis.analyzed import Analyses, GameAnalysis
    from canasta_notation.api import (
        CheckedGame,
        format_game,
        positions,
        read,
        verify,
        verify_games,
        write,
    )
    from canasta_notation.cards import (
        format_card,
        format_cards,
        format_label,
        parse_cards,
        parse_label,
    )
    from canasta_notation.corpus.tables import tables
    from canasta_notation.engine.actions import (
        Action,
        Ask,
        Combine,
        Discard,
        Draw,
        Lay,
        LaySpecial,
        Take,
        TakeBack,
        TakePacket,
    )
    from canasta_notation.findings import Finding, RuleRef, Span
    from canasta_notation.live.answers import (
        Choice,
        Event,
        GameOver,
        GivenUp,
        IllegalPlay,
        LegalPlays,
        NewDeal,
        NotYourTurn,
        PlayError,
        PointsRuling,
        Refused,
        ScoreCard,
        SideScore,
        Undone,
        Unreadable,
        WrongPhase,
    )
    from canasta_notation.live.game import LiveGame, play_out
    from canasta_notation.live.listing import legal_plays
    from canasta_notation.notation.blocks import NotText
    from canasta_notation.notation.document import (
        BonusLine,
        Deal,
        EndLine,
        Game,
        HandLine,
        LeftLine,
        MeldsLine,
        PacketLine,
        PenaltyLine,
        ScoreLine,
        StockLine,
        Tag,
        Tags,
        ThreesLine,
        TotalLine,
        Turn,
        UpLine,
    )
    from canasta_notation.notation.json_form import JsonError, game_from_json, game_to_json
    from canasta_notation.notation.reader import Reading, parse_turn, read_games, read_text
    from canasta_notation.render.position import Position
    from canasta_notation.replay.game_replay import replay_game
    from canasta_notation.replay.game_report import Claims, DealReport, GameReport, SideReport
    from canasta_notation.replay.steps import Step, walk
    from canasta_notation.rules import (
        Profile,
        ProfileError,
        load_profile,
        parse_rules,
        profile_names,
    )

_HOMES = {
    "Action": "engine.actions",
    "Analyses": "analysis.analyzed",
    "Ask": "engine.actions",
    "BonusLine": "notation.document",
    "Cancelled": "analysis.analyze",
    "CheckedGame": "api",
    "Choice": "live.answers",
    "Claims": "replay.game_report",
    "Combine": "engine.actions",
    "Deal": "notation.document",
    "DealReport": "replay.game_report",
    "Discard": "engine.actions",
    "Draw": "engine.actions",
    "EndLine": "notation.document",
    "Event": "live.answers",
    "Finding": "findings",
    "Game": "notation.document",
    "GameAnalysis": "analysis.analyzed",
    "GameOver": "live.answers",
    "GameReport": "replay.game_report",
    "GivenUp": "live.answers",
    "HandLine": "notation.document",
    "IllegalPlay": "live.answers",
    "JsonError": "notation.json_form",
    "Lay": "engine.actions",
    "LaySpecial": "engine.actions",
    "LeftLine": "notation.document",
    "LegalPlays": "live.answers",
    "LiveGame": "live.game",
    "MeldsLine": "notation.document",
    "NewDeal": "live.answers",
    "NotText": "notation.blocks",
    "NotYourTurn": "live.answers",
    "PenaltyLine": "notation.document",
    "PlayError": "live.answers",
    "PointsRuling": "live.answers",
    "Position": "render.position",
    "Profile": "rules",
    "ProfileError": "rules",
    "Reading": "notation.reader",
    "Refused": "live.answers",
    "RuleRef": "findings",
    "ScoreCard": "live.answers",
    "ScoreLine": "notation.document",
    "SideReport": "replay.game_report",
    "SideScore": "live.answers",
    "Span": "findings",
    "Step": "replay.steps",
    "StockLine": "notation.document",
    "Tag": "notation.document",
    "Tags": "notation.document",
    "Take": "engine.actions",
    "TakeBack": "engine.actions",
    "TakePacket": "engine.actions",
    "PacketLine": "notation.document",
    "ThreesLine": "notation.document",
    "TotalLine": "notation.document",
    "Turn": "notation.document",
    "Undone": "live.answers",
    "Unreadable": "live.answers",
    "UpLine": "notation.document",
    "WrongPhase": "live.answers",
    "analyze": "analysis.analyze",
    "format_card": "cards",
    "format_cards": "cards",
    "format_label": "cards",
    "format_game": "api",
    "game_from_json": "notation.json_form",
    "game_to_json": "notation.json_form",
    "legal_plays": "live.listing",
    "load_profile": "rules",
    "parse_cards": "cards",
    "parse_label": "cards",
    "parse_rules": "rules",
    "parse_turn": "notation.reader",
    "play_out": "live.game",
    "positions": "api",
    "profile_names": "rules",
    "read": "api",
    "read_games": "notation.reader",
    "read_text": "notation.reader",
    "replay_game": "replay.game_replay",
    "tables": "corpus.tables",
    "verify": "api",
    "verify_games": "api",
    "walk": "replay.steps",
    "write": "api",
}

__all__ = [
    "Action",
    "Analyses",
    "Ask",
    "BonusLine",
    "Cancelled",
    "CheckedGame",
    "Choice",
    "Claims",
    "Combine",
    "Deal",
    "DealReport",
    "Discard",
    "Draw",
    "EndLine",
    "Event",
    "Finding",
    "Game",
    "GameAnalysis",
    "GameOver",
    "GameReport",
    "GivenUp",
    "HandLine",
    "IllegalPlay",
    "JsonError",
    "Lay",
    "LaySpecial",
    "LeftLine",
    "LegalPlays",
    "LiveGame",
    "MeldsLine",
    "NewDeal",
    "NotText",
    "NotYourTurn",
    "PacketLine",
    "PenaltyLine",
    "PlayError",
    "PointsRuling",
    "Position",
    "Profile",
    "ProfileError",
    "Reading",
    "Refused",
    "RuleRef",
    "ScoreCard",
    "ScoreLine",
    "SideReport",
    "SideScore",
    "Span",
    "Step",
    "StockLine",
    "Tag",
    "Tags",
    "Take",
    "TakeBack",
    "TakePacket",
    "ThreesLine",
    "TotalLine",
    "Turn",
    "Undone",
    "Unreadable",
    "UpLine",
    "WrongPhase",
    "analyze",
    "format_card",
    "format_cards",
    "format_game",
    "format_label",
    "game_from_json",
    "game_to_json",
    "legal_plays",
    "load_profile",
    "parse_cards",
    "parse_label",
    "parse_rules",
    "parse_turn",
    "play_out",
    "positions",
    "profile_names",
    "read",
    "read_games",
    "read_path",
    "read_text",
    "replay_game",
    "tables",
    "verify",
    "verify_games",
    "walk",
    "write",
]


def read_path(path: str | PathLike[str]) -> Iterator[Reading]:
    """Yield each game of a file; the file stays open until the last one has been read.

    Raises OSError if the file cannot be opened or read, NotText if it is not text.
    """
    from canasta_notation.notation.reader import read_games as read

    with open(path, "rb") as file:
        yield from read(file)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
