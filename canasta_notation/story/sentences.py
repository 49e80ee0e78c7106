"""Sentences by key: templates of `sentences.toml`, filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence: its key and its text. Cards in it are written as people read them: 10♥."""

    key: str
    text: str

    def __str__(self) -> str:
        return self.text


def say(key: str, **values: object) -> Sentence:
    """Return the sentence of a key with its values; whole numbers are written as 5,480.

    Raises KeyError for a key that does not exist and for a value that the template names and
    `values` does not have.
    """
    shown = {name: figure(each) if isinstance(each, int) else each for name, each in values.items()}
    return Sentence(key, str(_templates()[key]["text"]).format_map(shown))


def label(key: str) -> str:
    """Return a label, which stands beside cards or figures. Raises KeyError for an unknown key."""
    return str(_templates()["labels"][key])


def templates() -> dict[str, str]:
    """Return the template of every sentence, by its key."""
    return {key: each["text"] for key, each in _templates().items() if key != "labels"}


def figure(points: int) -> str:
    """Return a number as people read it: 5,480, with a minus sign for a hyphen."""
    return f"{points:,}".replace("-", "\N{MINUS SIGN}")


@cache
def _templates() -> Mapping[str, Any]:
    text = files(__package__).joinpath("sentences.toml").read_text("utf-8")
    return tomllib.loads(text)
