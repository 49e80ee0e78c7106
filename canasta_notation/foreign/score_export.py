"""What score apps export as JSON, read into games: each format is a file in `score_apps`.

What a person entered becomes the items of a score. What the app computed becomes the scores and
totals. All of these are claims; nothing is judged here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from canasta_notation.english import count, listed
from canasta_notation.foreign.spreadsheet_columns import first_of
from canasta_notation.foreign.spreadsheet_counts import (
    CountedScore,
    ShownPoints,
    shown_points,
    signed_threes,
)
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
from canasta_notation.foreign.spreadsheet_players import SheetRules
from canasta_notation.foreign.spreadsheet_words import date_of
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Deal, Game, ScoreLine, Tag, TotalLine
from canasta_notation.notation.json_form import JsonError, parse_json
from canasta_notation.quoting import QUOTED, shortened

#: A capital that begins the next word of a name such as `cardPoints`.
_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CAMEL: Final = re.compile(r"[a-z][a-z0-9]*(?:[A-Z]+[a-z0-9]*)+")
_HIGHEST: Final = 10_000_000
#: The most unused fields that a note names.
_MOST: Final = 10


class Exported(NamedTuple):
    """The game of an export, and what was understood, in words."""

    game: Game
    understood: str


class _SideEntry(NamedTuple):
    """A side's part of a round: the side's name in the file, and its fields."""

    side: str
    fields: Mapping[str, Any]


class _Team(NamedTuple):
    """A side as the file knows it: the ids of its players, and its name."""

    players: Sequence[str]
    name: str


@dataclass(frozen=True, slots=True)
class _Export:
    """An export with its format; `teams` and `sides` are by the names that its rounds use."""

    format: Mapping[str, Any]
    value: Any
    rounds: Sequence[Any]
    teams: Mapping[str, _Team]
    rules: SheetRules
    sides: Mapping[str, str]


def read_export(text: str, rules: Sequence[SheetRules]) -> Exported:
    """Return the game of an export. Raises SpreadsheetError.

    The first of the rules is used unless the export names others. Not checked: that any figure is
    right.
    """
    try:
        value = _plain(parse_json(text))
    except JsonError as error:
        raise SpreadsheetError([str(error)]) from error
    for each in formats():
        if _is_of(each, value):
            return _game(each, value, rules)
    wanted = "; ".join(f"{each['title']} ({each['wanted']})" for each in formats())
    raise SpreadsheetError(
        [
            "this JSON is neither a record (an object with `cgn` and `games`) nor what a known "
            f"score app exports: {wanted}"
        ]
    )


@cache
def formats() -> tuple[Mapping[str, Any], ...]:
    """Return the known formats, in the order of their files."""
    held = files(__package__).joinpath("score_apps").iterdir()
    names = sorted(each.name for each in held if each.name.endswith(".toml"))
    return tuple(
        tomllib.loads(files(__package__).joinpath("score_apps", name).read_text("utf-8"))
        for name in names
    )


def _plain(value: Any) -> Any:
    """Return a JSON value with its names in one spelling: `cardPoints` becomes `card_points`."""
    if isinstance(value, Mapping):
        return {_spelled(name): _plain(each) for name, each in value.items()}
    return [*map(_plain, value)] if isinstance(value, list) else value


def _spelled(name: str) -> str:
    """Return a name such as `cardPoints` as `card_points`; any other, such as `Anna`, as it is."""
    return _WORD.sub("_", name).lower() if _CAMEL.fullmatch(name) else name


def _at(value: Any, place: str) -> Any:
    """Return the value at a place such as `game.rounds`, None if there is none."""
    for name in place.split(".") if place else ():
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in _list(value) if isinstance(each, Mapping)]


# --- rounds ---------------------------------------------------------------------------------------


def _is_of(format: Mapping[str, Any], value: Any) -> bool:
    """Return whether a value has the marks of a format, and its needed fields in some round."""
    if any(_at(value, place) != wanted for place, wanted in format.get("marks", {}).items()):
        return False
    needed = format.get("needed", ())
    rounds = _rounds(format, value)
    return bool(format.get("marks")) or any(
        all(name in entry.fields for name in needed)
        for each in rounds
        for entry in _entries(format, each)
    )


def _rounds(format: Mapping[str, Any], value: Any) -> list[Any]:
    """Return the rounds of a file, in order."""
    apart = format.get("rounds_of_sides")
    if apart:
        lists = [_at(value, name) for name in apart]
        if not all(isinstance(each, list) for each in lists):
            return []
        return [
            {name: each for name, each in zip(apart, round_, strict=True) if each is not None}
            for round_ in zip_longest(*lists)
        ]
    found = [_at(value, place) for place in format["rounds"]]
    rounds = next((each for each in found if isinstance(each, list)), [])
    return _in_order(rounds, format.get("order", "?"))


def _in_order(values: Sequence[Any], place: str) -> list[Any]:
    """Return values in the order of the numbers at a place, if all have one."""
    if all(type(_at(each, place)) is int for each in values):
        return sorted(values, key=lambda each: int(_at(each, place)))
    return [*values]


def _entries(format: Mapping[str, Any], round_: Any) -> Iterator[_SideEntry]:
    """Yield what a round holds for each side, in a list or by the names of sides."""
    held = _at(round_, format["sides"]) if "sides" in format else None
    held = round_ if held is None else held
    if isinstance(held, list):
        for at, each in enumerate(held):
            if isinstance(each, Mapping):
                yield _SideEntry(str(each.get(format.get("side", ""), at)), each)
    elif isinstance(held, Mapping):
        for name, each in held.items():
            if isinstance(each, Mapping):
                yield _SideEntry(name, each)


# --- the game -------------------------------------------------------------------------------------


def _game(format: Mapping[str, Any], value: Any, choices: Sequence[SheetRules]) -> Exported:
    """Return the game of an export by its format. Raises SpreadsheetError."""
    rounds = _rounds(format, value)
    names = dict.fromkeys(entry.side for each in rounds for entry in _entries(format, each))
    teams = _teams(format, value) or {name: _team(format, value, name) for name in names}
    rules = _rules(format, value, choices, teams)
    if not rounds or len(teams) != len(rules.sides):
        held = f"{count(len(rounds), 'round')} of {count(len(teams), 'side')}"
        needed = f"a game has rounds, and by these rules {len(rules.sides)} sides"
        raise SpreadsheetError([f"{format['title']}: it has {held}; {needed}"])
    sides = _sides(teams, rules, _players(format, value, rules))
    export = _Export(format, value, rounds, teams, rules, sides)
    problems: list[str] = []
    running = _adds_up(export)
    deals = tuple(_deal(export, at, running, problems) for at in range(1, len(rounds) + 1))
    if problems:
        raise SpreadsheetError(first_of(problems))
    tags = {**_tags(export), "CGN": VERSION}
    shown = _shown_points(export, deals)
    if shown:
        deals = tuple(_with_points(deal, shown) for deal in deals)
    game = Game(tuple(Tag(*each) for each in tags.items()), deals)
    return Exported(game, _understood(export) + (f"; {shown.words}" if shown else ""))


def _shown_points(export: _Export, deals: Sequence[Deal]) -> ShownPoints | None:
    """Return the points that the scores show for an item that a person entered as a number."""
    usual = {}
    for item, spec in export.format.get("items", {}).items():
        if isinstance(spec, Mapping) and spec.get("counts") and item != "red3":
            usual[item] = export.rules.counted[item][0]
        elif isinstance(spec, str) and item in export.rules.yes:
            usual[item] = export.rules.yes[item]
    scores = (line for deal in deals for line in deal.scores)
    return shown_points(
        (CountedScore(each.score, dict(each.items or ())) for each in scores), usual
    )


def _with_points(deal: Deal, shown: ShownPoints) -> Deal:
    """Return the deal with the points that the scores show."""
    lines = []
    for line in deal.scores:
        items = dict(line.items or ())
        if shown.item in items:
            items[shown.item] = shown.of(items[shown.item])
        signed = signed_threes(items, line.score)
        lines.append(replace(line, items=tuple(signed.items()) or None))
    return replace(deal, scores=tuple(lines))


def _understood(export: _Export) -> str:
    """Return what was understood, in words."""
    sides = ", ".join(f"{export.teams[key].name} = {side}" for key, side in export.sides.items())
    rounds = count(len(export.rounds), "round")
    unknown = _unknown(export.format, export.value)
    more = [f"{len(unknown) - _MOST} more"] if len(unknown) > _MOST else []
    left_out = f"; fields left out: {listed([*unknown[:_MOST], *more])}" if unknown else ""
    return f"1 game, {export.format['title']}, {rounds}; sides {sides}{left_out}"


def _teams(format: Mapping[str, Any], value: Any) -> dict[str, _Team]:
    """Return the teams by their ids, in order; none if the format does not list them."""
    spec = format.get("teams")
    if not spec:
        return {}
    found = _in_order(_objects(_at(value, spec["list"])), spec["order"])
    return {
        str(each.get(spec["id"])): _Team(
            [*map(str, _list(each.get(spec["players"])))], str(each.get(spec["name"]) or "")
        )
        for each in found
    }


def _team(format: Mapping[str, Any], value: Any, side: str) -> _Team:
    """Return the team that rounds call `side`."""
    apart = format.get("rounds_of_sides", [])
    name = _at(value, format["names"][apart.index(side)]) if side in apart else side
    return _Team([], str(name or side))


def _rules(
    format: Mapping[str, Any],
    value: Any,
    choices: Sequence[SheetRules],
    teams: Mapping[str, _Team],
) -> SheetRules:
    """Return the rules with as many sides and players, of the family that the export names."""
    spec = format.get("rules", {})
    said = str(_at(value, spec.get("place", ""))).lower()
    players = str(sum(len(team.players) for team in teams.values()))
    families = [named for word, named in spec.items() if word != "place" and word in said]
    wanted = families[0].get(players) if families else None
    named = [each for each in choices if (each.text or "classic") == wanted]
    fitting = [each for each in choices if len(each.sides) == len(teams)]
    return [*named, *fitting, choices[0]][0]


def _players(
    format: Mapping[str, Any], value: Any, rules: SheetRules
) -> dict[str, tuple[str, str]]:
    """Return the seat and the name of each player by the id."""
    spec = format.get("players")
    found = _objects(_at(value, spec["list"])) if spec else []
    return {
        str(each.get(spec["id"])): (rules.seats[seat], str(each.get(spec["name"]) or ""))
        for each in found
        if spec
        for seat in [each.get(spec["seat"])]
        if type(seat) is int and 0 <= seat < len(rules.seats)
    }


def _sides(
    teams: Mapping[str, _Team], rules: SheetRules, players: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """Return the side of each team: that of its players' seats, else the next one."""
    by_seats = {}
    for key, team in teams.items():
        seats = {players[each][0] for each in team.players if each in players}
        by_seats[key] = next((side for side in rules.sides if seats == {*side}), "")
    if sorted(by_seats.values()) == sorted(rules.sides):
        return by_seats
    return dict(zip(teams, rules.sides, strict=True))


def _tags(export: _Export) -> dict[str, str]:
    """Return the tags of the game; a text that no tag can hold is left out."""
    said = {tag: _at(export.value, at) for tag, at in export.format.get("tags", {}).items()}
    tags = {tag: str(text) for tag, text in said.items() if type(text) in (str, int)}
    day = date_of(tags.pop("Date", ""))
    if tags.get("Target") == str(export.rules.target):
        del tags["Target"]
    players = _players(export.format, export.value, export.rules).values()
    tags |= {"Date": day} if day else {}
    tags |= {"Rules": export.rules.text} if export.rules.text else {}
    tags |= _result(export)
    tags |= dict(players) or {side: export.teams[key].name for key, side in export.sides.items()}
    return {tag: text for tag, text in tags.items() if text and text.isprintable()}


def _result(export: _Export) -> dict[str, str]:
    """Return the Result tag by the final scores that the app computed, {} without them."""
    held = _at(export.value, export.format.get("result", "?"))
    finals = _by_side(export.format, held, export.sides)
    points = {}
    for key, side in export.sides.items():
        final = finals.get(key)
        points[side] = final.get("total") if isinstance(final, Mapping) else final
    if not all(type(each) is int for each in points.values()):
        return {}
    return {"Result": " ".join(f"{side} {points[side]}" for side in export.rules.sides)}


# --- rounds as deals ------------------------------------------------------------------------------


def _adds_up(export: _Export) -> bool:
    """Return whether what look like scores are running totals: over several rounds, they add up."""
    totals: dict[str, int] = {}
    apart = 0
    for round_ in export.rounds:
        entries = [*_entries(export.format, round_)]
        computed = _computed(export.format, round_, entries)
        for entry in entries:
            try:
                claimed = _claims(export.format, computed, entry)
                items = sum(_items(export.format, entry.fields, export.rules).values())
            except ValueError:
                return False
            totals[entry.side] = totals.get(entry.side, 0) + items
            if "total" in claimed or claimed.get("score") != totals[entry.side]:
                return False
            apart += totals[entry.side] != items
    return apart > 0


def _deal(export: _Export, number: int, running: bool, problems: list[str]) -> Deal:
    """Return a round as a deal; add what is wrong with its figures to `problems`.

    `running` says that the app's scores are running totals.
    """
    round_ = export.rounds[number - 1]
    scores: dict[str, ScoreLine] = {}
    totals: dict[str, int] = {}
    entries = [*_entries(export.format, round_)]
    computed = _computed(export.format, round_, entries)
    for entry in entries:
        side = export.sides.get(entry.side, "")
        try:
            if not side or side in scores:
                raise ValueError("is a second entry" if side else "is not one of the teams")
            claimed = _claims(export.format, computed, entry)
            if running:
                claimed["total"] = claimed.pop("score")
            items = _items(export.format, entry.fields, export.rules)
            score = claimed.get("score", sum(items.values()))
            kept = tuple(each for each in signed_threes(items, score).items() if each[1])
            scores[side] = ScoreLine(side, score, kept or None)
            totals |= {side: claimed["total"]} if "total" in claimed else {}
        except ValueError as error:
            problems.append(f"round {number}, {_quoted(entry.side)}: {error}")
    order = export.rules.sides
    total = tuple((side, totals[side]) for side in order if side in totals)
    lines = tuple(scores[side] for side in order if side in scores)
    return Deal(number, None, scores=lines, total=TotalLine(total) if total else None)


def _items(
    format: Mapping[str, Any], fields: Mapping[str, Any], rules: SheetRules
) -> dict[str, int]:
    """Return the points of the items that a side's fields claim. Raises ValueError."""
    items: dict[str, int] = {}
    for item, spec in format.get("items", {}).items():
        spec = spec if isinstance(spec, Mapping) else {"field": spec}
        name = spec["field"]
        said = fields.get(name)
        if said is None:
            continue
        if isinstance(said, bool):
            items[item] = rules.yes.get(item, 0) if said else 0
            continue
        number = _number(name, said)
        points = number * spec.get("times", 1)
        if spec.get("counts"):
            amounts = rules.counted.get(item, ())
            if number < 0:
                raise ValueError(f"{name}: {number} is less than 0")
            if number > len(amounts):
                raise ValueError(f"{name}: {number} is more than these rules have points for")
            points = amounts[number - 1] if number else 0
        if fields.get(spec.get("opened", "")) is False:
            points = -points
        items[item] = points
    return items


def _computed(
    format: Mapping[str, Any], round_: Any, entries: Sequence[_SideEntry]
) -> dict[str, dict[str, Any]]:
    """Return what lists of a round claim, by the sides of its entries."""
    sides = [entry.side for entry in entries]
    return {
        what: _by_side(format, _at(round_, spec["list"]), sides)
        for what, spec in format.get("claims", {}).items()
        if "list" in spec
    }


def _claims(
    format: Mapping[str, Any], computed: Mapping[str, Mapping[str, Any]], entry: _SideEntry
) -> dict[str, int]:
    """Return the score and the total that the app computed for a side. Raises ValueError."""
    claims = {
        what: sum(_number(name, entry.fields.get(name, 0)) for name in names)
        for what, names in format.get("sums", {}).items()
    }
    for what, spec in format.get("claims", {}).items():
        held: Any = computed[what].get(entry.side) if what in computed else entry.fields
        if isinstance(held, Mapping):
            held = held.get(spec.get("field", "total"))
        if held is not None:
            claims[what] = _number(spec.get("field", what), held)
    return claims


def _by_side(format: Mapping[str, Any], held: Any, sides: Iterable[str]) -> dict[str, Any]:
    """Return what a list or an object holds for sides; of a list, the first value of each."""
    if isinstance(held, Mapping):
        return {side: held.get(side, held.get(_spelled(side))) for side in sides}
    found: dict[str, Any] = {}
    for each in _objects(held):
        found.setdefault(str(each.get(format["side"])), each)
    return found


def _number(name: str, said: Any) -> int:
    """Return a whole number. Raises ValueError."""
    if isinstance(said, float) and said.is_integer():
        said = int(said)
    if type(said) is not int or abs(said) > _HIGHEST:
        raise ValueError(f"{name}: {_quoted(str(said))} is not a whole number of points")
    return said


def _quoted(text: str) -> str:
    return repr(shortened(text, QUOTED))


# --- what is left out -----------------------------------------------------------------------------


def _unknown(format: Mapping[str, Any], value: Any) -> list[str]:
    """Return the places of fields that are neither known nor empty."""
    known = {*format.get("ignored", ()), *format.get("tags", {}).values()}
    for table in ("teams", "players"):
        spec = format.get(table, {})
        known |= {f"{spec['list']}.{name}" for key, name in spec.items() if key != "list"}
    fields = {name for names in format.get("sums", {}).values() for name in names}
    for spec in (*format.get("items", {}).values(), *format.get("claims", {}).values()):
        each = spec if isinstance(spec, Mapping) else {"field": spec}
        fields |= {each[key] for key in ("field", "opened") if key in each}
        known |= {each[key] for key in ("list",) if key in each}
    known |= {*format.get("names", ())}
    found = dict.fromkeys(
        place
        for place in _places(value, "")
        if not any(place == each or place.startswith(f"{each}.") for each in known)
        and place.rpartition(".")[2] not in fields | {format.get("side")}
    )
    return [*found]


def _places(value: Any, place: str) -> Iterator[str]:
    """Yield the places of all values that are not empty, lists without numbers."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _places(each, f"{place}.{name}" if place else name)
    elif isinstance(value, list):
        for each in value:
            yield from _places(each, place)
    elif value not in (None, "", 0, False):
        yield place
