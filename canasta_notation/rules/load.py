"""Loading a profile by its name or file, and reading the text of a Rules tag."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from canasta_notation.cards import SIDES
from canasta_notation.english import listed
from canasta_notation.rules.catalogue import entry
from canasta_notation.rules.conflicts import Conflict, conflicts
from canasta_notation.rules.keys import Key, from_text, keys, spell
from canasta_notation.rules.profile import Profile
from canasta_notation.rules.profile_file import PACKAGED, ProfileError, own, packaged

_DEFAULT: Final = PACKAGED[0]
_WORD: Final = re.compile(r"\S+")

#: After this many problems, the rest of a text is not read.
_MOST_PROBLEMS: Final = 20

Code = Literal["rules-unknown", "rules-option"]


@dataclass(frozen=True, slots=True)
class RulesProblem:
    """A mistake in the text of a Rules tag, from index `start` up to `end`.

    `rules-unknown` is an unknown profile. `rules-option` is a wrong override: an unknown key, a key
    written twice, a value of the wrong kind, or values that do not fit together.
    """

    code: Code
    message: str
    help: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RulesReading:
    """The result of reading a Rules tag: a profile, or None and the first problems."""

    profile: Profile | None
    problems: tuple[RulesProblem, ...]


class _Word(NamedTuple):
    """A word of the text and where it begins; an override's key ends at the first `=`."""

    text: str
    start: int

    @property
    def key(self) -> str:
        return self.text.partition("=")[0]

    def problem(self, code: Code, name: str, part: str = "", **facts: object) -> RulesProblem:
        """Return a problem with the whole word or, as `part` says, its `key` or its `value`.

        `name` is the name of a message of the code, which `facts` fill.
        """
        message, _, help_text = entry(code).sentences(name, facts)
        return self.located(code, message, help_text, part)

    def located(self, code: Code, message: str, help: str, part: str = "") -> RulesProblem:
        """Return a problem with this message and help; see `problem`."""
        key, _, value = self.text.partition("=")
        end = self.start + len(self.text)
        if part == "key" and key:
            return RulesProblem(code, message, help, self.start, self.start + len(key))
        start = end - len(value) if part == "value" and value else self.start
        return RulesProblem(code, message, help, start, end)


def profile_names() -> tuple[str, ...]:
    """Return the names of the packaged profiles, the default one first."""
    return PACKAGED


def load_profile(name_or_path: str | PathLike[str]) -> Profile:
    """Return a packaged profile by its name, or a person's own from a `.toml` file.

    A file may extend a packaged profile. Raises ProfileError for an unknown name and for anything
    that is wrong with a file. Packaged profiles are loaded once and not checked against the schema.
    """
    name = fspath(name_or_path)
    if name in PACKAGED:
        return packaged(name)
    if _is_path(name):
        return own(Path(name))
    raise ProfileError(f"there is no profile {name}: {_nearest_profile(name)}")


def parse_rules(text: str, *, source: str = "the record", files: bool = False) -> RulesReading:
    """Return the profile that the text of a Rules tag names, or its problems, 20 at most.

    An empty text means the default profile. `source` becomes the source of overridden values. With
    `files`, the first word may be the path of a profile file, as on the command line; then
    ProfileError is raised for anything that is wrong with that file.
    """
    first = text.split(maxsplit=1)[:1]
    if files and first and first[0] not in PACKAGED and _is_path(first[0]):
        return _parse(text, source, own(Path(first[0])))
    return _parse_packaged(text, source)


@lru_cache(maxsize=256)
def _parse_packaged(text: str, source: str) -> RulesReading:
    """Read a text whose first word is a packaged profile; the games of a corpus share few texts."""
    name = (text.split(maxsplit=1) or [_DEFAULT])[0]
    return _parse(text, source, packaged(name) if name in PACKAGED else None)


def _parse(text: str, source: str, base: Profile | None) -> RulesReading:
    words = [_Word(found.group(), found.start()) for found in _WORD.finditer(text)]
    problems = [_unknown_profile(words[0])] if base is None else []
    changes: dict[str, Any] = {}
    seen: set[str] = set()
    for word in words[1:]:
        item = _override(word, base, seen)
        seen.add(word.key)
        if not isinstance(item, RulesProblem):
            changes[item[0]] = item[1]
            continue
        problems.append(item)
        if len(problems) == _MOST_PROBLEMS:
            break
    if base is None or problems:
        return RulesReading(None, tuple(problems))
    if (sides := _sides(base, changes)) is not None:
        changes["sides"] = sides
    profile = base.with_values(changes, source=source)
    clashes = tuple(_clash(conflict, words[1:]) for conflict in conflicts(profile, changes))
    return RulesReading(None if clashes else profile, clashes)


def _sides(base: Profile, changes: dict[str, Any]) -> int | None:
    """Return the number of sides for a changed number of players, None if it stays the same."""
    players = changes.get("players", base["players"])
    if "sides" in changes or (players, base["sides"]) in SIDES:
        return None
    return next(sides for number, sides in SIDES if number == players)


def _override(
    word: _Word, base: Profile | None, seen: Container[str]
) -> tuple[str, Any] | RulesProblem:
    """Return the key and the value of an override, or what is wrong with it."""
    name, _, text = word.text.partition("=")
    key = keys().get(name)
    if key is None:
        return _unknown_key(word, name)
    if name in seen:
        return word.problem("rules-option", "twice", "key", key=name)
    try:
        return name, _value(key, text, base)
    except ValueError as error:
        if key.offered_only:
            return word.problem("rules-option", "offered", "value", problem=error)
        held = base or packaged(_DEFAULT)
        facts = {"profile": held.name, "key": name, "value": held.spelled(name)}
        return word.problem("rules-option", "value", "value", problem=error, **facts)


def _value(key: Key, text: str, base: Profile | None) -> Any:
    """Return the value of an override. Raises ValueError saying what was expected."""
    if not text:
        raise ValueError(f"{key.name} has no value")
    if not key.offered_only or base is None:
        return from_text(key, text)
    held = base.values[key.name]
    none = [("none", from_text(key, "none"))] if key.none or "none" in key.choices else []
    offered = dict([*none, *((spell(value), value) for value in (held.value, *held.offers))])
    if text not in offered:
        known = listed(offered, "or")
        raise ValueError(f"{key.name} must be {known} in a record under {base.name}, not {text}")
    return offered[text]


def _unknown_profile(word: _Word) -> RulesProblem:
    if word.key in keys():
        return word.problem("rules-unknown", "first", text=word.text, default=_DEFAULT)
    hint = _nearest_profile(word.text)
    return word.problem("rules-unknown", "profile", profile=word.text, hint=hint)


def _unknown_key(word: _Word, name: str) -> RulesProblem:
    if name == word.text or not name:
        return word.problem("rules-option", "form", text=word.text, hint=_nearest_key(name))
    return word.problem("rules-option", "key", "key", key=name, hint=_nearest_key(name))


def _clash(conflict: Conflict, words: list[_Word]) -> RulesProblem:
    """Return the problem of a conflict, at the override that is likeliest to be its cause."""
    written = {word.key: word for word in words}
    word = next(written[key] for key in conflict.keys if key in written)
    return word.located("rules-option", conflict.message, conflict.help)


def _nearest_profile(name: str) -> str:
    near = _nearest(name, PACKAGED)
    return f"did you mean {near}?" if near else f"the profiles are {listed(PACKAGED)}"


def _nearest_key(name: str) -> str:
    ends = [key for key in keys() if key.endswith(f".{name}")]
    near = ends[0] if ends else _nearest(name, keys())
    return f"did you mean {near}?" if near else f"`canasta rules {_DEFAULT}` lists the keys"


def _nearest(name: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches  # slow to import, and needed only after a mistake

    return next(iter(get_close_matches(name.casefold(), list(known), n=1)), None)


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or "/" in name or "\\" in name
