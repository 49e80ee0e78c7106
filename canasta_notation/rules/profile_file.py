"""Profile files, packaged or a person's own, read from TOML into profiles."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from canasta_notation.resources import read_text
from canasta_notation.rules.conflicts import conflicts
from canasta_notation.rules.keys import Key, from_data, from_text, keys
from canasta_notation.rules.profile import Profile, Value

#: How the source of a value ends if the text does not have the rule.
_SILENT: Final = " (mentions no such rule)"
_FOLDER: Final = files(__package__).joinpath("profiles")
#: The packaged profiles, classic ones first; the first is the default.
PACKAGED: Final = tuple(
    sorted(
        (file.name.removesuffix(".toml") for file in _FOLDER.iterdir()),
        key=lambda name: (not name.startswith("classic"), name),
    )
)


class ProfileError(ValueError):
    """A profile that cannot be loaded; the message names the file, any key, and the cause."""


@cache
def packaged(name: str) -> Profile:
    """Return a profile of `PACKAGED`, loaded once. A test checks its file against the schema."""
    text = _FOLDER.joinpath(f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return _build(f"{name}.toml", data, packaged(data["extends"]) if "extends" in data else None)


def own(path: Path) -> Profile:
    """Return the profile of a person's own file, checked against the schema and the keys.

    It may extend a packaged profile, but may not have the name of one. Raises ProfileError.
    """
    data = _read(path)
    if data["name"] in PACKAGED:
        raise ProfileError(f"{path}: name: {data['name']} is the name of a packaged profile")
    extends = data.get("extends")
    if extends is not None and extends not in PACKAGED:
        raise ProfileError(f"{path}: extends: there is no packaged profile {extends}")
    return _build(str(path), data, packaged(extends) if extends else None)


def schema_errors(data: dict[str, Any]) -> Iterator[str]:
    """Yield the schema's objections to the data of a profile file, each with its key."""
    from jsonschema import Draft202012Validator  # slow to import, needed for a person's file only

    schema = json.loads(read_text("schemas", "profile.schema.json"))
    found = []
    for error in Draft202012Validator(schema).iter_errors(data):
        place = "/".join(str(part) for part in error.absolute_path if part != "values")
        found.append(f"{place}: {error.message}" if place else error.message)
    yield from sorted(found)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileError(f"{path}: is not a TOML file: {error}") from error
    except ValueError as error:  # from Python, about a number of thousands of digits
        raise ProfileError(f"{path}: contains a number with too many digits") from error
    for cause in schema_errors(data):
        raise ProfileError(f"{path}: {cause}")
    return data


def _build(file: str, data: dict[str, Any], base: Profile | None) -> Profile:
    """Return the profile of a file's data. Raises ProfileError for the first error."""
    same = _same(file, data, base)
    values = MappingProxyType(
        {name: same.get(name) or _value(file, key, data, base) for name, key in keys().items()}
    )
    profile = Profile(data["name"], data["title"], values)
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


def _value(file: str, key: Key, data: dict[str, Any], base: Profile | None) -> Value:
    entry = data["values"].get(key.name)
    if entry is None:
        return _unstated(file, key, data.get("texts", ()), base)
    try:
        value = from_data(key, entry["value"])
        offers = tuple(from_data(key, item) for item in entry.get("offers", ()))
    except ValueError as error:
        raise ProfileError(f"{file}: {key.name}: {error}") from error
    return Value(key.name, value, entry["mark"], entry["source"], offers)


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
