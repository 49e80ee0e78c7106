"""The players and teams of a sheet: which side and seat each has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from canasta_notation.cards import SEATS
from canasta_notation.foreign.spreadsheet_words import plain, side_of, words
from canasta_notation.names import is_known

#: What stands between the word for a side and the names of its players, and after the second.
_BESIDE: Final = (("(", ")"), ("[", "]"), (":", ""), (" - ", ""), (" \u2013 ", ""), (" = ", ""))
_PARTNERS: Final = re.compile(r" ?[+&/;] ?| - ")
_COMMA: Final = re.compile(r" ?, ?")


@dataclass(frozen=True, slots=True)
class SheetRules:
    """What reading a sheet needs of some rules.

    `text` is the Rules tag that a game needs ("": none). `yes` are the points of items that a sheet
    may have as yes or no, `counted` those of each number of an item, from 1. `worth` is what a deal
    can be worth to a side, in points; `target` ends a game.
    """

    text: str
    sides: Sequence[str]
    yes: Mapping[str, int]
    counted: Mapping[str, Sequence[int]]
    worth: range
    target: int

    @property
    def seats(self) -> str:
        """The seats, clockwise."""
        return SEATS[len("".join(self.sides))]


class Seated(NamedTuple):
    """Sides by names in the form of `plain`; tags of players by seat, or of teams by side."""

    rules: SheetRules
    sides: Mapping[str, str]
    tags: Mapping[str, str]


def partners_of(name: str) -> list[str]:
    """Return the names of partners that a name joins, such as `Anna + Clara`, as many as it can."""
    return max(_names_in(name).values(), key=len)


def may_be_one(name: str) -> bool:
    """Return whether a name may be of one player, as in `Smith, Ann`, or of two partners."""
    return len(_names_in(name)) > 1


def is_nobody(name: str) -> bool:
    """Return whether a name names only unknown players, such as `?` or `? + ?`."""
    return not any(map(is_known, partners_of(name)))


def _names_in(name: str) -> dict[int, list[str]]:
    """Return the names that a name may join, by their number.

    A comma joins names, or is part of one: `Smith, Ann + Jones, Carl` are two, and `Ann, Carl` are
    two or one.
    """
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1]
    joined = " ".join("&" if plain(each) in words().partners else each for each in name.split())
    parts = [each for each in _PARTNERS.split(joined) if each]
    every = [part for each in parts for part in _COMMA.split(each) if part]
    if len(parts) > 1 and all(each.count(",") == 1 for each in parts):
        return {len(parts): parts}
    if "&" in joined or any(each.count(",") > 1 for each in parts):  # as in `Ann, Bob and Carl`
        return {len(every): every}
    return {len(parts): parts, len(every): every}


def side_and_players(name: str, called: Mapping[str, str]) -> tuple[str, str]:
    """Return the side and the players of a name such as `We (Anna + Clara)`, or two empty texts.

    The word for the side and the players stand in either order, with a bracket, a colon or a dash
    between them. `called` are the sides by the words for them, in the form of `plain`.
    """
    for sign, end in _BESIDE:
        first, found, second = name.partition(sign)
        if not (found and second.endswith(end)):
            continue
        second = second.removesuffix(end)
        for word, players in ((first, second), (second, first)):
            side = side_of(word, called)
            if side:
                return side, players.strip()
    return "", ""


def tags_of(side: str, players: str) -> Iterator[tuple[str, str]]:
    """Yield the seats of a side with the names of its players, if there is one for each."""
    names = _names_in(players).get(len(side))
    if names and players.isprintable():
        yield from zip(side, names, strict=True)


def seated(spelled: Mapping[str, str], choices: Sequence[SheetRules]) -> Seated | None:
    """Return where the sides with these names sit, None if none of the rules has such sides.

    `spelled` are the names by their forms of `plain`, in the order of the sheet. Names of partners
    need sides of as many seats; a single name is a player's, or a team's if it says so or if there
    is no choice of rules.
    """
    if not "".join(spelled.values()).isprintable():
        return None
    found = {key: _names_in(name) for key, name in spelled.items()}
    sizes = _sizes(found)
    teams = any(words().columns.get(plain(name.split()[0])) == "side" for name in spelled.values())
    for rules in choices:
        size = len(rules.sides[0])
        whole = size in sizes
        if len(rules.sides) != len(spelled) or not (
            whole or (1 in sizes and (teams or len(choices) == 1))
        ):
            continue
        tags: dict[str, str] = {}
        for side, key in zip(rules.sides, spelled, strict=True):
            tags |= zip(side, found[key][size], strict=True) if whole else {side: spelled[key]}
        return Seated(rules, dict(zip(spelled, rules.sides, strict=True)), tags)
    return None


def ways_to_seat(spelled: Mapping[str, str], choices: Sequence[SheetRules]) -> dict[int, str]:
    """Return the numbers of seats that the sides with these names can have, each with its rules.

    There is more than one if a comma may be part of a name.
    """
    sizes = _sizes({key: _names_in(name) for key, name in spelled.items()})
    return {
        len(rules.sides[0]): rules.text or "classic"
        for rules in choices
        if len(rules.sides) == len(spelled) and len(rules.sides[0]) in sizes
    }


def _sizes(found: Mapping[str, Mapping[int, list[str]]]) -> set[int]:
    """Return the numbers of partners that all names can have."""
    return set[int].intersection(*map(set, found.values())) if found else set()


def dealers(said: Sequence[str], place: Seated) -> Seated | None:
    """Return the seats of the dealers' names as `sides`, None if it is not known where they sit.

    A word is the player whose name alone begins so. Players who deal in turn sit clockwise. The
    tags are those of `place`, with the partners of a side in the seats that their turns to deal
    give them, and with players that no column names.
    """
    if not "".join(said).isprintable():
        return None
    rules = place.rules
    players = [
        (seat, name) for seat, name in place.tags.items() if len(seat) == 1 and is_known(name)
    ]
    known = {plain(name): seat for seat, name in players}
    whole = _whole_names(said, [name for _, name in players])
    names = {plain(whole[name]): whole[name] for name in said}
    order = [*names]
    turns = [order[at % len(order)] for at in range(len(said))]
    if len(order) == len(rules.seats) and turns == [plain(whole[name]) for name in said]:
        first = rules.seats.find(known.get(order[0], rules.seats[0]))
        clockwise = rules.seats[first:] + rules.seats[:first]
        seats = dict(zip(order, clockwise, strict=True))
        side_of = {seat: side for side in rules.sides for seat in side}
        if all(side_of[known[name]] == side_of[seats[name]] for name in order if name in known):
            tags = {seats[name]: names[name] for name in order}
            return Seated(rules, _by_word(whole, seats), {**place.tags, **tags})
    if names.keys() <= known.keys():
        return Seated(rules, _by_word(whole, known), place.tags)
    return None


def _whole_names(said: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Return the player whom each word names, or the word itself if it begins no single name."""
    found: dict[str, str] = {}
    for word in said:
        begun = [name for name in players if _is_called(name, plain(word))]
        found[word] = begun[0] if len(begun) == 1 else word
    return found


def _is_called(name: str, word: str) -> bool:
    """Return whether a name begins with a word, or its first name in `Smith, Ann`."""
    return any(plain(each).startswith(word) for each in (name, *_COMMA.split(name)[1:]))


def _by_word(whole: Mapping[str, str], seats: Mapping[str, str]) -> dict[str, str]:
    return {plain(word): seats[plain(name)] for word, name in whole.items()}
