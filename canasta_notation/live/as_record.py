"""A live game as a record and as JSON text, and its cards and plays from both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from canasta_notation.cards import EXACT, TEXT
from canasta_notation.dealing import Codes, Dealt
from canasta_notation.engine.actions import Action, Draw, TableThrees, TakePacket
from canasta_notation.engine.ruleset import Rules
from canasta_notation.live.action_text import format_seconds, with_clock
from canasta_notation.live.answers import Event
from canasta_notation.live.live_deal import OVER, PACKET, End, LiveRuling, LiveTable, LiveTurn
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
    TotalLine,
    Turn,
    UpLine,
    packet_lines,
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
    "packets": list,
    "stacked": bool,
    "moves": list,
}

_PROFILE: Final = {"name": str, "title": str, "overridden": list, "stated": dict}
_STATED: Final = {"mark": str, "source": str, "offers": list}

#: The move that ends a deal unfinished.
ABANDONED: Final = "unfinished"
#: How a move of a dump with which a side resigns begins.
RESIGNED: Final = "resigned "


#: How many moves are played between two tables that are kept for `undo`.
_APART: Final = 64


class KeptTable(NamedTuple):
    """A table of a deal, and how many moves and events there were."""

    moves: int
    events: int
    table: LiveTable


@dataclass(slots=True)
class DealLog:
    """A deal of a live game: its cards, the totals before it, every move, and its current table.

    `stacked` says that the stock was given, so that cards can be named when they are drawn.
    `events` are those of the moves. `kept` has a table after every 64 moves; what was undone is
    played again from the last of them. A table in the log never changes, so copies share it.
    """

    dealt: Dealt
    totals: list[int]
    table: LiveTable
    stacked: bool
    moves: list[tuple[str, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    kept: list[KeptTable] = field(default_factory=list)

    def advance(self, table: LiveTable) -> None:
        """Put a table in place of the current one, before its move is added."""
        self.table.forget()
        if self._keeps():
            self.kept.append(KeptTable(len(self.moves), len(self.events), self.table))
        self.table = table

    def keep(self) -> None:
        """Keep a copy of the current table if it is time, before a move changes the table."""
        if self._keeps():
            self.kept.append(KeptTable(len(self.moves), len(self.events), self.table.copy()))

    def _keeps(self) -> bool:
        moves = len(self.moves)
        return bool(moves) and moves % _APART == 0

    def go_back(self, moves: int, number: int) -> list[tuple[str, str]]:
        """Go back to the last kept table with at most so many moves, or to the deal as dealt.

        `number` is that of the deal. Returns the moves that must be played again, at the table of
        the log, which may change then.
        """
        while self.kept and self.kept[-1].moves > moves:
            self.kept.pop()
        if self.kept:
            at, events, kept = self.kept[-1]
            self.table = kept.copy()
        else:
            at, events = 0, 0
            self.table = LiveTable(self.table.rules, self.dealt, self.totals, number)
        again = self.moves[at:moves]
        if self.kept and not again:
            self.kept.pop()  # the next move keeps it again
        del self.moves[at:], self.events[events:]
        return again

    def copy(self) -> DealLog:
        """Return an independent copy of the log."""
        return DealLog(
            self.dealt, self.totals, self.table, self.stacked, self.moves[:], self.events[:],
            self.kept[:],
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
    dealt, seats, table = log.dealt, profile.seats, _without_packet(log.table)
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
        packet_lines(profile.packet_word, seats, dealt.packets),
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


def _without_packet(table: LiveTable) -> LiveTable:
    """Return the table after a turn that ends if the packet is left; else as it is."""
    if table.phase != PACKET or not table.open_turn_ends():
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
        tuple(map(_as_written, turn.actions)),
        out=turn.out,
        clock=None if turn.spent is None else format_seconds(turn.spent),
        acknowledged=tuple(turn.acknowledged),
    )


def _as_written(action: Action) -> Action:
    """Return an action as a record has it: the cards of a foot stand on its line."""
    if isinstance(action, TakePacket) and action.word == "foot" and not action.replacements:
        return replace(action, cards=())
    return action


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
        _packets(rules, deal),
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
            elif isinstance(action, TakePacket):
                yield from _exact(action.replacements)


def _packets(rules: Rules, deal: Deal) -> tuple[Codes | None, ...]:
    """Return each packet as it is written or as it was taken, None if it is not known."""
    if rules.packet_of_seat:
        owned = {line.seat: _exact(line.cards) for line in deal.packets}
        for turn in [each for each in deal.play if isinstance(each, Turn)]:
            for action in turn.actions:
                if isinstance(action, TakePacket) and action.cards:
                    owned[turn.seat] = _exact(action.cards)
        return tuple(owned.get(seat) for seat in rules.seats)
    if deal.packets:
        return tuple(_exact(line.cards) for line in deal.packets)
    turns = [line for line in deal.play if isinstance(line, Turn)]
    taken = {
        len(action.cards): _exact(action.cards)
        for turn in turns
        for action in turn.actions
        if isinstance(action, TakePacket)
    }
    return tuple(taken.get(size) for size in rules.packets_aside)


def moves_of(turn: Turn, draw_count: int) -> list[str]:
    """Return the actions of a turn as `LiveGame.play` takes them; the last one has its clock."""
    texts = [format_action(action, draw_count) for action in turn.actions]
    if texts and turn.clock and float(turn.clock) < 1e6:
        texts[-1] = with_clock(texts[-1], round(float(turn.clock) * 1000))
    return texts


def write_dump(head: dict[str, Any], seats: str, deals: Sequence[DealLog | str]) -> str:
    """Return the JSON of a game; `head` is everything except the deals.

    A deal can be the text that `deal_text` has written for it.
    """
    texts = [each if isinstance(each, str) else deal_text(each, seats) for each in deals]
    value = {"canasta_live": VERSION, **head}
    last = deals[-1] if deals else None
    totals = json.loads(last).get("totals") if isinstance(last, str) else last and last.totals
    digest = _digest(_text(value), texts[:-1], totals)
    return f'{_text(value)[:-1]},"deals":[{",".join(texts)}],"check":{_text(digest)}}}'


def deal_text(log: DealLog, seats: str) -> str:
    """Return the JSON of a deal in a dump, in which a deal that is over takes little memory."""
    moves = [list(move) for move in log.moves]
    value = spell_deal(log.dealt, seats)
    return _text(value | {"stacked": log.stacked, "moves": moves, "totals": log.totals})


def texts_of(deals: list[dict[str, Any]]) -> list[str]:
    """Return the text of each deal of a dump, which `write_dump` takes."""
    return [*map(_text, deals)]


def is_unchanged(value: dict[str, Any], sides: int) -> bool:
    """Return whether the value of a dump is as `write_dump` wrote it, except for its last deal.

    The deals before it then need not be judged again. A dump is for the server that wrote it; this
    does not protect against somebody who writes a false one on purpose.
    """
    *before, last = value["deals"] or [{}]
    head = _text({name: value[name] for name in value if name not in ("deals", "check")})
    digest = _digest(head, texts_of(before), last.get("totals"))
    return value.get("check") == digest and all(
        isinstance(each, list)
        and len(each) == sides
        and all(type(points) is int and abs(points) < _MOST for points in each)
        for each in (deal.get("totals") for deal in value["deals"])
    )


def _digest(head: str, before: list[str], totals: object) -> str:
    """Return a digest of everything that the totals before the last deal rest on."""
    resting = f"[{head},[{','.join(before)}],{_text(totals)}]"
    return hashlib.sha256(resting.encode("utf-8", "surrogatepass")).hexdigest()


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
