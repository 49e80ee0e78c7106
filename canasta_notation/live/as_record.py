"""A live game as a record and as JSON text, and its cards and plays from both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from canasta_notation.cards import EXACT, TEXT
from canasta_notation.dealing import Codes, Dealt
from canasta_notation.engine.actions import Draw, TableThrees, TakeTalon
from canasta_notation.engine.ruleset import Rules
from canasta_notation.live.action_text import format_seconds, with_clock
from canasta_notation.live.answers import Event
from canasta_notation.live.live_deal import OVER, TALON, End, LiveRuling, LiveTable, LiveTurn
from canasta_notation.live.shuffle import Given, spell_deal
from canasta_notation.notation.document import (
    BonusLine,
    Deal,
    EndLine,
    Game,
    HandLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    TalonLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import check_lines, format_action, format_game, format_line
from canasta_notation.quoting import quoted, shortened
from canasta_notation.replay.header import read_header
from canasta_notation.rules import Profile, keys, profile_of, rules_tag
from canasta_notation.rules.keys import from_text, spell

#: Tags that a live game writes automatically.
OWN_TAGS: Final = ("CGN", "Rules", "Target", "Dealer", "Result")
#: Totals have at most nine digits.
_MOST: Final = 10**9
#: The version of the format of a dump.
VERSION: Final = 1
_NAMES: Final = {
    "rules": str,
    "players": dict,
    "tags": dict,
    "dealer": str,
    "seed": str,
    "house": str,
    "deals": list,
}
_DEAL: Final = {
    "hands": dict,
    "up": str,
    "stock": str,
    "talons": list,
    "stacked": bool,
    "moves": list,
}

_PROFILE: Final = {"name": str, "title": str, "overridden": list, "stated": dict}
_STATED: Final = {"mark": str, "source": str, "offers": list}

#: The move that ends a deal unfinished.
ABANDONED: Final = "unfinished"
#: How a move of a dump with which a side resigns begins.
RESIGNED: Final = "resigned "


@dataclass(slots=True)
class DealLog:
    """A deal of a live game: its cards, the totals before it, every move, and its current table.

    `stacked` says that the stock was given, so that cards can be named when they are drawn.
    `events` are those of the moves. `past` has, for the last moves, the table before each and how
    many events there were. A table in the log never changes, so copies of a game share it.
    """

    dealt: Dealt
    totals: list[int]
    table: LiveTable
    stacked: bool
    moves: list[tuple[str, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    past: list[tuple[LiveTable, int]] = field(default_factory=list)

    def advance(self, table: LiveTable) -> None:
        """Put a table in place of the current one, which is kept for `undo`."""
        self.table.forget()
        self.past.append((self.table, len(self.events)))
        self.table = table

    def copy(self) -> DealLog:
        """Return an independent copy of the log."""
        return DealLog(
            self.dealt, self.totals, self.table, self.stacked, self.moves[:], self.events[:],
            self.past[:],
        )  # fmt: skip


def check_tags(tags: Mapping[str, str], seats: str) -> None:
    """Raise ValueError for a tag that a live game cannot have."""
    given = [Tag(name, value) for name, value in tags.items()]
    for tag in given:
        if tag.name in OWN_TAGS or tag.name in seats:
            raise ValueError(f"not a tag that a live game can be given: {quoted(tag.name)}")
    check_lines(map(format_line, given))
    for problem in read_header(Game((Tag("CGN", "1"), *given), ()), 1).findings:
        raise ValueError(shortened(f"{problem.message} ({problem.help})"))


def write_record(
    profile: Profile, tags: Mapping[str, str], result: str, deals: list[DealLog]
) -> str:
    """Return the text of a record; `tags` are the game's tags except CGN, Rules and Result."""
    written = tuple(_deal(profile, number, log) for number, log in enumerate(deals, 1))
    named = {"CGN": "1", "Rules": rules_tag(profile), **tags, "Result": result}
    if written and written[-1].end is None:
        del named["Result"]  # it depends on what is played next
    game = Game(tuple(Tag(name, value) for name, value in named.items()), written)
    return format_game(game, profile["draw.count"])


def _deal(profile: Profile, number: int, log: DealLog) -> Deal:
    """Return the record of a deal; a turn in progress is left out."""
    dealt, seats, table = log.dealt, profile.seats, _without_talon(log.table)
    lines = table.lines[:-1] if table.in_turn else table.lines
    over = table.phase == OVER
    scored = over and not table.abandoned
    # With an empty stock, whether the deal is over depends on what is played next: no end line.
    unsaid = not over and not table.stock_left
    return Deal(
        number,
        seats[dealt.dealer],
        tuple(
            HandLine(seats[at], cards, replacements=dealt.replacements[at])
            for at, cards in enumerate(dealt.hands)
        ),
        UpLine(dealt.up) if dealt.up else None,
        StockLine(dealt.stock),
        tuple(TalonLine(cards) for cards in dealt.talons),
        tuple(
            _turn(seats, line)
            if isinstance(line, LiveTurn)
            else _ruling(profile.side_names[line.side], line)
            for line in lines
        ),
        None if unsaid else _end(seats, table),
        scores=_scores(profile, table) if scored else (),
        total=_total(profile, log.totals, table) if scored else None,
    )


def _without_talon(table: LiveTable) -> LiveTable:
    """Return the table after a turn that ends if the talon is left; else as it is."""
    if table.phase != TALON or not table.open_turn_ends():
        return table
    ended = table.copy()
    ended.play(ended.seat, End())
    return ended


def _ruling(side: str, line: LiveRuling) -> PenaltyLine | BonusLine:
    return (BonusLine if line.given else PenaltyLine)(side, line.points, line.word)


def _turn(seats: str, turn: LiveTurn) -> Turn:
    return Turn(
        turn.number,
        seats[turn.seat],
        tuple(turn.actions),
        out=turn.out,
        clock=None if turn.spent is None else format_seconds(turn.spent),
        acknowledged=tuple(turn.acknowledged),
    )


def _end(seats: str, table: LiveTable) -> EndLine:
    if table.phase != OVER or table.abandoned:
        return EndLine("unfinished", comment=table.reason or None)
    return EndLine(table.ended, seats[table.ended_by] if table.ended_by >= 0 else None)


def _scores(profile: Profile, table: LiveTable) -> tuple[ScoreLine, ...]:
    return tuple(
        ScoreLine(side, sum(items.values()), tuple(items.items()) or None)
        for side, items in zip(profile.side_names, table.score(), strict=True)
    )


def _total(profile: Profile, before: list[int], table: LiveTable) -> TotalLine:
    scores = [sum(items.values()) for items in table.score()]
    totals = [one + other for one, other in zip(before, scores, strict=True)]
    return TotalLine(tuple(zip(profile.side_names, totals, strict=True)))


# --- out of a record ----------------------------------------------------------------------------


def given_of(rules: Rules, deal: Deal) -> Given:
    """Return the cards of a deal that its record shows; the others can be shuffled.

    Raises ValueError for a hand or an up card that is not written in full, and for any card that is
    written without its suit.
    """
    hands: dict[int, Codes] = {}
    replacements: dict[int, Codes] = {}
    for line in deal.hands:
        if line.seat in rules.seats and not line.rest_unknown:
            hands[rules.seats.index(line.seat)] = _exact(line.cards)
            replacements[rules.seats.index(line.seat)] = _exact(line.replacements)
    missing = [seat for at, seat in enumerate(rules.seats) if at not in hands]
    if missing or (rules.up_turned and deal.up is None and deal.stock is None):
        what = f"the hand of {missing[0]}" if missing else "the up card"
        raise ValueError(
            f"deal {deal.number}: {what} is not written in full; a live game needs every hand and "
            "the up card"
        )
    return Given(
        hands,
        replacements,
        _exact(deal.up.cards) if deal.up else None,
        _exact(deal.stock.cards) if deal.stock else None,
        _talons(rules, deal),
        () if deal.stock else tuple(_drawn(deal)),
    )


def _exact(cards: Codes) -> Codes:
    for code in cards:
        if not EXACT[code]:
            raise ValueError(f"a live game needs every card with its suit, not {TEXT[code]}")
    return cards


def _drawn(deal: Deal) -> Iterator[int]:
    """Yield the cards that were drawn. Raises ValueError for one without its suit."""
    for line in deal.play:
        for action in line.actions if isinstance(line, Turn) else ():
            if isinstance(action, Draw | TableThrees):
                yield from _exact(action.cards)
            elif isinstance(action, TakeTalon):
                yield from _exact(action.replacements)


def _talons(rules: Rules, deal: Deal) -> tuple[Codes | None, ...]:
    """Return each talon as it is written or as it was taken, None if it is not known."""
    if deal.talons:
        return tuple(_exact(line.cards) for line in deal.talons)
    turns = [line for line in deal.play if isinstance(line, Turn)]
    taken = {
        len(action.cards): _exact(action.cards)
        for turn in turns
        for action in turn.actions
        if isinstance(action, TakeTalon)
    }
    return tuple(taken.get(size) for size in rules.talons_aside)


def moves_of(turn: Turn, draw_count: int) -> list[str]:
    """Return the actions of a turn as `LiveGame.play` takes them; the last one has its clock."""
    texts = [format_action(action, draw_count) for action in turn.actions]
    if texts and turn.clock and float(turn.clock) < 1e6:
        texts[-1] = with_clock(texts[-1], round(float(turn.clock) * 1000))
    return texts


def write_dump(head: dict[str, Any], seats: str, deals: Sequence[DealLog | dict[str, Any]]) -> str:
    """Return the JSON of a game; `head` is everything except the deals.

    A deal can be the value that an earlier dump has for it.
    """
    logs = [_deal_value(deal, seats) if isinstance(deal, DealLog) else deal for deal in deals]
    value = {"canasta_live": VERSION, **head, "deals": logs}
    return _text(value | {"check": _digest(value)})


def _deal_value(log: DealLog, seats: str) -> dict[str, Any]:
    moves = [list(move) for move in log.moves]
    return spell_deal(log.dealt, seats) | {
        "stacked": log.stacked, "moves": moves, "totals": log.totals
    }  # fmt: skip


def is_unchanged(value: dict[str, Any], sides: int) -> bool:
    """Return whether the value of a dump is as `write_dump` wrote it, except for its last deal.

    The deals before it then need not be judged again. A dump is for the server that wrote it; this
    does not protect against somebody who writes a false one on purpose.
    """
    totals = [deal.get("totals") for deal in value["deals"]]
    return value.get("check") == _digest(value) and all(
        isinstance(each, list)
        and len(each) == sides
        and all(type(points) is int and abs(points) < _MOST for points in each)
        for each in totals
    )


def _digest(value: dict[str, Any]) -> str:
    """Return a digest of everything that the totals before the last deal rest on."""
    *before, last = value["deals"] or [{}]
    head = {name: value[name] for name in value if name not in ("deals", "check")}
    resting = [head, before, last.get("totals")]
    return hashlib.sha256(_text(resting).encode("utf-8", "surrogatepass")).hexdigest()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_dump(text: str) -> dict[str, Any]:
    """Return the value of a dump. Raises ValueError if the text is not one."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"not a saved game: {error}") from None
    if not isinstance(value, dict) or value.get("canasta_live") != VERSION:
        raise ValueError(f"not a saved game of version {VERSION}")
    _check(value, _NAMES, "")
    for place, deal in enumerate(value["deals"]):
        name = f"deals[{place}]"
        _check(deal, _DEAL, name)
        for move in deal["moves"]:
            if not (isinstance(move, list) and [*map(type, move)] == [str, str]):
                raise ValueError(f"not a saved game: {name} has a move that is not two texts")
    return value


# --- a profile of one's own ---------------------------------------------------------------------


def own_profile(profile: Profile) -> dict[str, Any]:
    """Return the part of a dump that no Rules tag can state: names, marks and sources.

    It is empty for a packaged profile.
    """
    tagged = profile_of(rules_tag(profile))
    if tagged == profile:
        return {}
    stated = {
        key: {"mark": held.mark, "source": held.source, "offers": [*map(spell, held.offers)]}
        for key, held in profile.values.items()
        if held != tagged.values[key]
    }
    head = {"name": profile.name, "title": profile.title, "overridden": [*profile.overridden]}
    return {"profile": {**head, "stated": stated}}


def read_profile(value: dict[str, Any]) -> Profile:
    """Return the profile of a dump that `read_dump` has read. Raises ValueError."""
    tagged = profile_of(value["rules"])
    if "profile" not in value:
        return tagged
    own = value["profile"]
    _check(own, _PROFILE, "profile")
    for key in (*own["stated"], *own["overridden"]):
        if not isinstance(key, str) or key not in keys():
            raise ValueError(f"not a saved game: profile: there is no key {quoted(key)}")
    values = dict(tagged.values)
    for key, stated in own["stated"].items():
        _check(stated, _STATED, f"profile.stated.{key}")
        offers = tuple(from_text(keys()[key], str(offer)) for offer in stated["offers"])
        mark, source = stated["mark"], stated["source"]
        values[key] = replace(values[key], mark=mark, source=source, offers=offers)
    overridden = tuple(own["overridden"])
    return Profile(own["name"], own["title"], MappingProxyType(values), overridden, tagged.base)


def _check(value: object, names: Mapping[str, type], place: str) -> None:
    for name, kind in names.items():
        held = value.get(name) if isinstance(value, dict) else None
        if not isinstance(held, kind):
            raise ValueError(f"not a saved game: {place}.{name} is missing or of a wrong kind")
