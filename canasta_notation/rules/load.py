"""Loading profiles: from files, packaged or a person's own, and from the text of a Rules tag."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import dropwhile
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from canasta_notation.cards import JOKERS_OF_A_PACK, SIDES
from canasta_notation.english import listed
from canasta_notation.quoting import QUOTED, quoted, shortened
from canasta_notation.resources import packaged_text
from canasta_notation.rules.catalogue import entry
from canasta_notation.rules.conflicts import Conflict, conflicts
from canasta_notation.rules.keys import Key, from_data, from_text, keys, spell
from canasta_notation.rules.profile import Profile, Value
from canasta_notation.storage import refusal
from canasta_notation.toml import read_toml

#: How the source of a value ends if the text does not have the rule.
_SILENT: Final = " (mentions no such rule)"
_FOLDER: Final = files(__package__).joinpath("profiles")
#: The packaged profiles, classic ones first; the first is the default.
_PACKAGED: Final = tuple(
    sorted(
        (file.name.removesuffix(".toml") for file in _FOLDER.iterdir()),
        key=lambda name: (not name.startswith("classic"), name),
    )
)
_DEFAULT: Final = _PACKAGED[0]
#: An override; it is one word even if it has spaces beside its `=` or in its list, which is wrong.
_OVERRIDE: Final = re.compile(
    r"[^\s=]+(?:\s+=|=(?=\s))(?:\s*[^\s=]+(?!\S))?"
    r"|[^\s=]+=\S*,(?:\s+[^\s=]+,(?!\S))*\s+[^\s=,]+(?!\S)"
    r"|\S+"
)
#: A value that cannot be a key.
_VALUE: Final = re.compile(r"\d[^\s=]*|none|yes|no")
_THOUSANDS: Final = re.compile(r"(?<=\d)[.,'_\u2019](?=\d{3}(?!\d))")
_SEPARATOR: Final = re.compile(r"[,;]+(?=[\w.]+=|$)")

#: The most characters of a fact in a message: a word of the text, or a list of names.
_FACT: Final = 300

#: After this many problems, the rest of a text is not read.
_MOST_PROBLEMS: Final = 20


class ProfileError(ValueError):
    """A profile that cannot be loaded; the message names the file, any key, and the cause."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


def profile_of(rules: str | Profile) -> Profile:
    """Return the profile that the text of a Rules tag names, or the profile itself.

    Raises ValueError for rules that do not exist.
    """
    if isinstance(rules, Profile):
        return rules
    if not isinstance(rules, str):
        raise ValueError(
            f"rules must be the text of a Rules tag, or a profile, not {quoted(rules)}"
        )
    reading = parse_rules(rules)
    if reading.profile is None:
        problem = reading.problems[0]
        raise ValueError(shortened(f"{problem.message} ({problem.help})"))
    return reading.profile


def profile_names() -> tuple[str, ...]:
    """Return the names of the packaged profiles, the default one first."""
    return _PACKAGED


def load_profile(name_or_path: str | PathLike[str]) -> Profile:
    """Return a packaged profile by its name, or a person's own from a `.toml` file.

    A file may extend a packaged profile. Raises ProfileError for an unknown name and for anything
    that is wrong with a file. Packaged profiles are loaded once and not checked against the schema.
    """
    name = fspath(name_or_path)
    if name in _PACKAGED:
        return _packaged(name)
    if _is_path(name):
        return _own(Path(name))
    raise ProfileError(f"there is no profile {shortened(name, QUOTED)}: {_nearest_profile(name)}")


# --- profile files --------------------------------------------------------------------------------


@cache
def _packaged(name: str) -> Profile:
    """Return a profile of `_PACKAGED`, loaded once. A test checks its file against the schema."""
    text = _FOLDER.joinpath(f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return _build(f"{name}.toml", data, _packaged(data["extends"]) if "extends" in data else None)


@cache
def lineage(name: str) -> tuple[str, ...]:
    """Return the name of a packaged profile, and those of the profiles that it extends in turn."""
    data = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))
    return (name, *lineage(data["extends"])) if "extends" in data else (name,)


def _own(path: Path) -> Profile:
    """Return the profile of a person's own file, checked against the schema and the keys.

    It may extend a packaged profile, but may not have the name of one. Raises ProfileError.
    """
    data = _read(path)
    if data["name"] in _PACKAGED:
        raise ProfileError(f"{path}: name: {data['name']} is the name of a packaged profile")
    extends = data.get("extends")
    if extends is not None and extends not in _PACKAGED:
        raise ProfileError(f"{path}: extends: there is no packaged profile {extends}")
    return _build(str(path), data, _packaged(extends) if extends else None)


def schema_errors(data: dict[str, Any]) -> Iterator[str]:
    """Yield the schema's objections to the data of a profile file, each with its key."""
    from jsonschema import Draft202012Validator  # slow to import, needed for a person's file only

    schema = json.loads(packaged_text("schemas", "profile.schema.json"))
    found = []
    for error in Draft202012Validator(schema).iter_errors(data):
        place = "/".join(str(part) for part in error.absolute_path if part != "values")
        found.append(f"{place}: {error.message}" if place else error.message)
    yield from sorted(found)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = read_toml(str(path), path.read_bytes())
    except OSError as error:
        raise ProfileError(refusal(str(path), error)) from error
    except ValueError as error:
        raise ProfileError(str(error)) from error
    for cause in schema_errors(data):
        raise ProfileError(f"{path}: {cause}")
    return data


def _build(file: str, data: dict[str, Any], base: Profile | None) -> Profile:
    """Return the profile of a file's data. Raises ProfileError for the first error."""
    same = _same(file, data, base)
    values = MappingProxyType(
        {name: same.get(name) or _stated(file, key, data, base) for name, key in keys().items()}
    )
    name = data["name"]
    own = name if name in _PACKAGED else data.get("extends", _DEFAULT)
    profile = Profile(name, data["title"], values, base=own)
    for conflict in conflicts(profile, data["values"]):
        raise ProfileError(f"{file}: {conflict.keys[0]}: {conflict.message}")
    return profile


def _same(file: str, data: dict[str, Any], base: Profile | None) -> dict[str, Value]:
    """Return the values of the extended profile to which the file gives its own mark and source.

    Raises ProfileError for a name, here or among the values, that is not a key or is repeated.
    """
    named = [
        (key, mark, source)
        for mark, sources in data.get("same", {}).items()
        for source, listed in sources.items()
        for key in listed
    ]
    if named and base is None:
        raise ProfileError(f"{file}: same: the file extends no profile")
    seen = set[str]()
    for name in (*data["values"], *(key for key, _, _ in named)):
        if name not in keys():
            raise ProfileError(f"{file}: {name}: there is no such key")
        if name in seen:
            raise ProfileError(f"{file}: {name}: the key is named twice")
        seen.add(name)
    if base is None:
        return {}
    return {key: Value(key, base[key], mark, source) for key, mark, source in named}


def _stated(file: str, key: Key, data: dict[str, Any], base: Profile | None) -> Value:
    stated = data["values"].get(key.name)
    if stated is None:
        return _unstated(file, key, data.get("texts", ()), base)
    try:
        value = from_data(key, stated["value"])
        offers = tuple(from_data(key, item) for item in stated.get("offers", ()))
    except ValueError as error:
        raise ProfileError(f"{file}: {key.name}: {error}") from error
    return Value(key.name, value, stated["mark"], stated["source"], offers)


def _unstated(file: str, key: Key, texts: Sequence[str], base: Profile | None) -> Value:
    """Return the value of a key that a file does not mention.

    If no text has such a rule, the source is the profile's own text, which does not mention it.
    """
    if base is None and not key.absent:
        raise ProfileError(f"{file}: {key.name}: has no value, and the file extends no profile")
    if base is None:
        held = Value(key.name, from_text(key, key.absent), "I", f"{file}{_SILENT}")
    else:
        held = base.values[key.name]
    if texts and held.source.endswith(_SILENT):
        return replace(held, source=f"{texts[0]}{_SILENT}")
    return held


# --- the text of a Rules tag ----------------------------------------------------------------------


def rules_tag(profile: Profile) -> str:
    """Return a profile as a Rules tag writes it: a packaged one, and the values that differ.

    Raises ValueError for values that a record cannot state, such as a table of a person's own file.
    """
    base = _packaged(profile.base)
    differ = [
        key for key in profile.values if key in profile.overridden or profile[key] != base[key]
    ]
    text = " ".join([base.name, *(f"{key}={profile.spelled(key)}" for key in differ)])
    reading = parse_rules(text)
    read = reading.profile
    why = [problem.message for problem in reading.problems] if read is None else []
    if read is not None:
        why = [f"{key} differs" for key in profile.values if read[key] != profile[key]]
    if why:
        raise ValueError(f"no record can state these rules, {quoted(text)}: {why[0]}")
    return text


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


class _RulesWord(NamedTuple):
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
        shown = {fact: shortened(str(held), _FACT) for fact, held in facts.items()}
        message, _, help_text = entry(code).sentences(name, shown)
        return self.located(code, message, help_text, part)

    def located(self, code: Code, message: str, help: str, part: str = "") -> RulesProblem:
        """Return a problem with this message and help; see `problem`."""
        key, _, value = self.text.partition("=")
        end = self.start + len(self.text)
        if part == "key" and key:
            return RulesProblem(code, message, help, self.start, self.start + len(key))
        start = end - len(value) if part == "value" and value else self.start
        return RulesProblem(code, message, help, start, end)


def parse_rules(text: str, *, source: str = "the record", files: bool = False) -> RulesReading:
    """Return the profile that the text of a Rules tag names, or its problems, 20 at most.

    An empty text means the default profile. `source` becomes the source of overridden values. With
    `files`, the first word may be the path of a profile file, as on the command line; then
    ProfileError is raised for anything that is wrong with that file.
    """
    first = text.split(maxsplit=1)[:1]
    if files and first and first[0] not in _PACKAGED and _is_path(first[0]):
        return _parse(text, source, _own(Path(first[0])))
    return _parse_packaged(text, source)


@lru_cache(maxsize=256)
def _parse_packaged(text: str, source: str) -> RulesReading:
    """Read a text whose first word is a packaged profile; the games of a corpus share few texts."""
    name = (text.split(maxsplit=1) or [_DEFAULT])[0]
    return _parse(text, source, _packaged(name) if name in _PACKAGED else None)


def _parse(text: str, source: str, base: Profile | None) -> RulesReading:
    begin = len(text) - len(text.lstrip())
    name = _RulesWord((text.split(maxsplit=1) or [""])[0], begin)
    found = _OVERRIDE.finditer(text, begin + len(name.text))
    words = _with_values([_RulesWord(word.group(), word.start()) for word in found])
    problems = []
    if base is None:
        problems.append(_unknown_profile(name))
        # Words before the first override are a part of the unknown name.
        words = [*dropwhile(lambda word: "=" not in word.text[1:], words)]
    changes: dict[str, Any] = {}
    seen: set[str] = set()
    for word in words:
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
    changes |= _implied(base, changes)
    profile = base.with_values(changes, source=source)
    clashes = tuple(_clash(conflict, words) for conflict in conflicts(profile, changes))
    return RulesReading(None if clashes else profile, clashes)


def _with_values(words: list[_RulesWord]) -> list[_RulesWord]:
    """Return the words, with a key and the value after it as one word: `target 3000`."""
    joined: list[_RulesWord] = []
    for word in words:
        key = joined[-1] if joined else None
        if key and key.text in keys() and _VALUE.fullmatch(word.text):
            joined[-1] = _RulesWord(f"{key.text} {word.text}", key.start)
        else:
            joined.append(word)
    return joined


def _sides(base: Profile, changes: dict[str, Any]) -> int | None:
    """Return the number of sides for a changed number of players, None if it stays the same."""
    players = changes.get("players", base["players"])
    if "sides" in changes or (players, base["sides"]) in SIDES:
        return None
    return next(sides for number, sides in SIDES if number == players)


def _implied(base: Profile, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the values that follow from others, if the record does not write them too."""
    implied: dict[str, Any] = {}
    if "deck.packs" in changes:
        jokers = JOKERS_OF_A_PACK * changes["deck.packs"]
        if jokers in base.values["deck.jokers"].offers:
            implied["deck.jokers"] = jokers
    if "score.red3" in changes:
        mode, _ = changes["score.red3"]
        implied["threes"] = "all" if mode == "per-colour" else "red"
    return {key: value for key, value in implied.items() if key not in changes}


def _override(
    word: _RulesWord, base: Profile | None, seen: Container[str]
) -> tuple[str, Any] | RulesProblem:
    """Return the key and the value of an override, or what is wrong with it."""
    joined = ("" if "=" in word.text else "=").join(word.text.split())
    if joined != word.text:
        return word.problem("rules-option", "spaces", text=word.text, joined=joined)
    apart = _SEPARATOR.sub(" ", word.text).rstrip()
    if "=" in word.text and apart != word.text:
        return word.problem("rules-option", "separator", text=word.text, apart=apart)
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
        digits = _THOUSANDS.sub("", text)
        if key.kind == "number" and digits != text:
            facts = {"key": name, "digits": digits}
            return word.problem("rules-option", "digits", "value", problem=error, **facts)
        held = base or _packaged(_DEFAULT)
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


def _unknown_profile(word: _RulesWord) -> RulesProblem:
    if word.key in keys():
        return word.problem("rules-unknown", "first", text=word.text, default=_DEFAULT)
    spaced = _SEPARATOR.sub(" ", word.text).rstrip()
    if spaced.split(" ")[0] in _PACKAGED:
        return word.problem("rules-unknown", "comma", spaced=spaced)
    hint = _nearest_profile(word.text)
    return word.problem("rules-unknown", "profile", profile=word.text, hint=hint)


def _unknown_key(word: _RulesWord, name: str) -> RulesProblem:
    if name == word.text or not name:
        return word.problem("rules-option", "form", text=word.text, hint=_nearest_key(name))
    return word.problem("rules-option", "key", "key", key=name, hint=_nearest_key(name))


def _clash(conflict: Conflict, words: list[_RulesWord]) -> RulesProblem:
    """Return the problem of a conflict, at the override that is likeliest to be its cause."""
    written = {word.key: word for word in words}
    word = next(written[key] for key in conflict.keys if key in written)
    return word.located("rules-option", conflict.message, conflict.help)


def _nearest_profile(name: str) -> str:
    counted = (each for each in _PACKAGED if name.casefold().startswith(f"{each}-"))
    of_players = [it for it in counted if name.casefold() == f"{it}-{load_profile(it)['players']}p"]
    near = of_players[0] if of_players else _nearest(name, _PACKAGED)
    return f"did you mean {near}?" if near else f"the profiles are {listed(_PACKAGED)}"


def _nearest_key(name: str) -> str:
    ends = [key for key, known in keys().items() if known.was == name]
    if ends:
        return f"{ends[0]} has taken its place"
    ends = [key for key in keys() if key.endswith(f".{name}")]
    near = ends[0] if ends else _nearest(name, keys())
    return f"did you mean {near}?" if near else f"`canasta rules {_DEFAULT}` lists the keys"


def _nearest(name: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches  # slow to import, and needed only after a mistake

    return next(iter(get_close_matches(name.casefold(), list(known), n=1)), None)


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or "/" in name or "\\" in name
