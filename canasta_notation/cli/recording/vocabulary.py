"""The words of a recording: commands, words that begin a line, and what other words may mean."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

#: Commands that can stand alone, and those that can be followed by words.
_ALONE: Final = ("table", "score", "hands", "turns", "help", "quit")
_WITH_WORDS: Final = ("undo", "edit", "note", "save", "turns")
COMMANDS: Final = (*_ALONE, *_WITH_WORDS)
#: Words that begin a line: those that do so even when scores are due, and all of them.
_AT_SCORES: Final = ("penalty", "end", "melds", "threes", "left", "score", "total", "deal")
_LINE: Final = re.compile(rf"(?:{'|'.join(_AT_SCORES)})\b")
_LINE_WORDS: Final = (*_AT_SCORES, "stock", "talon")
#: A first word that must be meant as a command, unless it begins a line.
_WORD: Final = re.compile(r"[a-z]{3,}")
#: Cards without suits, typed in lower case.
_RANKS: Final = re.compile(r"[akqjt]+")
#: Words that people type instead of a command, with the command.
MEANT: Final = {
    **dict.fromkeys(("delete", "remove"), "undo"),
    **dict.fromkeys(("change", "correct", "fix"), "edit"),
    **dict.fromkeys(("exit", "stop", "bye", "q"), "quit"),
    **dict.fromkeys(("player", "players", "name", "names"), "edit name N"),
    **{word: f"edit {word}" for word in ("dealer", "rules", "event", "date", "target")},
}


def first_command(text: str) -> str:
    """Return the command that a text begins with, in any case, "" if it is something else."""
    word = text.partition(" ")[0].lower()
    return word if word in COMMANDS else ""


def is_command(text: str) -> bool:
    """Return whether a text is a command; only some commands can be followed by words."""
    return text in _ALONE or text.partition(" ")[0] in _WITH_WORDS


def begins_line(text: str) -> bool:
    """Return whether a text begins with a word that begins a line, even at the scores."""
    return _LINE.match(text) is not None


def is_prose(word: str) -> bool:
    """Return whether a word, which is not a command, can begin neither a line nor cards."""
    if _RANKS.fullmatch(word):
        return False
    return _WORD.fullmatch(word) is not None and word not in _LINE_WORDS


def not_understood(text: str, meaning: str) -> str:
    """Say that an answer was not understood, unless help was asked for, and what is asked."""
    asked = text.lower() in ("", "?", "help")
    return meaning if asked else f"`{text}` is not understood. {meaning}"


def likely(word: str) -> str:
    """Return the word that was probably meant, "" if none is similar."""
    if word in MEANT:
        return MEANT[word]
    return next(iter(get_close_matches(word, (*COMMANDS, *_LINE_WORDS), 1, 0.7)), "")
