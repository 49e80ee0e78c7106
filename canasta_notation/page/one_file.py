"""The file of a page: games as HTML, tables for the browser, style and script. It loads nothing."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Any, Final

from canasta_notation.cards import TEXT
from canasta_notation.page.markup import closed, html
from canasta_notation.page.standings import index
from canasta_notation.page.story import Story
from canasta_notation.page.table_changes import ALPHABET, Texts, deal_tables
from canasta_notation.page.written_game import about, game_section, game_title, player
from canasta_notation.report.played import Played, PlayedDeal
from canasta_notation.report.walker import Event, happens

#: What makes a turn an event, to which a button leads.
_EVENTS: Final[tuple[Event, ...]] = ("take", "canasta", "finding")
_INDENT: Final = re.compile(r"\n\s*")
_COMMENT: Final = re.compile(r"/\*[^*]*\*/\s*|^\s*//[^\n]*\n", re.MULTILINE)


def page(games: Sequence[Story]) -> str:
    """Return games as one HTML document that needs nothing else."""
    style, script = _part("page.css"), _part("page.js")
    many = len(games) > 1
    title = page_title(games)
    return Template(_part("page.html")).substitute(
        policy=f"script-src {_hash(script)}; style-src {_hash(style)}",
        title=html(title),
        about="" if many else html(about(games[0])),
        style=style,
        script=script,
        index=index(games) if many else "",
        games="".join(game_section(game, at, alone=not many) for at, game in enumerate(games, 1)),
        data=_data(games),
    )


def page_title(games: Sequence[Story]) -> str:
    """Return the title of the page: the event, or the number of games."""
    events = {game.tag("Event") for game in games}
    if len(games) == 1:
        return game_title(games[0])
    return events.pop() if len(events) == 1 and "" not in events else f"{len(games)} games"


def _part(name: str) -> str:
    """Return a file of this package without its comments and its indentation."""
    text = files(__package__).joinpath(name).read_text("utf-8")
    return _INDENT.sub("\n", _COMMENT.sub("", text)).strip()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _data(games: Sequence[Story]) -> str:
    """Return the tables of all games as JSON that is safe in a script element."""
    document = {
        "cards": {char: TEXT[code] for code, char in enumerate(ALPHABET)},
        "games": [_game(game) for game in games],
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    escaped = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return escaped.encode("utf-8", "backslashreplace").decode()


def _kind(deal: PlayedDeal) -> str:
    """Return what a deal shows: its play, the table at its end, scores or nothing."""
    if deal.setup is None:
        return "none"
    if deal.report.final:
        return "end"
    return "play" if deal.turns or not deal.report.sheet else "scores"


def _game(game: Story) -> dict[str, Any]:
    texts = Texts()
    deals = [_deal(game.play, deal, texts) for deal in game.play.deals]
    return {
        "seats": game.play.seats,
        "sides": game.play.sides,
        "names": [closed(player(game, seat)) for seat in game.play.seats],
        "view": game.play.seat,
        "texts": texts.all(),
        "deals": deals,
    }


def _deal(play: Played, deal: PlayedDeal, texts: Texts) -> dict[str, Any]:
    start, changes = deal_tables(play, deal, texts)
    events = [turn.turn for turn in deal.turns if any(happens(each, turn) for each in _EVENTS)]
    return {
        "kind": _kind(deal),
        "start": start,
        "changes": changes,
        "hands": any(hand.cards for each in deal.states for hand in each.hands),
        "turns": deal.report.turns,
        "seats": "".join(turn.line.seat for turn in deal.turns),
        "events": events,
    }
