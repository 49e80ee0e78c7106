"""A record of every kind, for tests that look at all of them, and a few texts of each kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from canasta_notation.cards import RANK_NAMES
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport
from canasta_notation.replay.header import read_header
from canasta_notation.report.played import Played, play_back
from tests.cli_records import KINDS
from tests.test_rulings import OPEN, cases, expected, games_of

SAMPLES = Path(__file__).parent.parent / "samples"
#: What differs between two texts of a kind: numbers, cards, seats and sides, and quotations.
_FACTS = re.compile(
    r"`[^`]*`|-?\b[\w*]*\d[\w*/]*\b|\b(?:[A-Z]{1,3}|[AKQJT][shdc])\b|\*|_"
    rf"|\b(?:{'|'.join(name for names in RANK_NAMES for name in names)})\b"
)
#: Several of them in a row count as one.
_ROW_OF_FACTS = re.compile(r"#(?:(?:, |; | and | or | )#)+")


@cache
def rulings() -> tuple[tuple[str, str], ...]:
    """Return a ruling of each kind, with its row: the codes that it expects, and its rules."""
    found: dict[object, tuple[str, str]] = {}
    for case, profile in (each.values for each in cases()):
        record = case["record"]
        codes = [frozenset(code for _, code in expected(record, kind)) for kind in (OPEN,)]
        codes.append(frozenset(code for _, code in expected(record)))
        if profile == case["profiles"][0] and (*codes, profile) not in found:
            text = "\n".join(format_game(game) for game in games_of(case, profile))
            found[*codes, profile] = (f"{case['row']} {profile}", text)
    return (*found.values(),)


@cache
def records() -> tuple[tuple[str, str], ...]:
    """Return records by name: the samples, those with a mistake, and a ruling of each kind."""
    paths = [*sorted(SAMPLES.glob("*.canasta")), *sorted(SAMPLES.glob("broken/*.canasta"))]
    named = [(path.stem, path.read_text("utf-8")) for path in paths]
    return (*KINDS.items(), *named, *rulings())


@cache
def readings() -> tuple[tuple[str, Reading], ...]:
    """Return the games of these records, each as it stands in its file."""
    return tuple((name, each) for name, text in records() for each in read_text(text))


@cache
def replays() -> tuple[tuple[str, Reading, GameReport], ...]:
    """Return these games with their reports."""
    return tuple(
        (name, each, replay_game(each.game, each.game.number)) for name, each in readings()
    )


def played(reading: Reading, seat: str = "", deal: int | None = None) -> Played | None:
    """Return a game as played, with all cards or as a seat sees it; None without rules."""
    number = reading.game.number
    profile = read_header(reading.game, number).profile
    if profile is None or (seat and seat not in profile.seats):
        return None
    return play_back("file", reading, number, profile, deal=deal, seat=seat)


@cache
def plays() -> tuple[tuple[str, Reading, Played], ...]:
    """Return these games as played, without those whose rules are unknown."""
    found = ((name, each, played(each)) for name, each in readings())
    return tuple((name, each, play) for name, each, play in found if play is not None)


def kept(lines: Iterable[tuple[str, str]], most: int = 2) -> str:
    """Return named lines, at most so many of those that differ only in numbers, cards and seats."""
    seen: Counter[str] = Counter()
    shown = []
    for name, line in lines:
        shape = _ROW_OF_FACTS.sub("#", _FACTS.sub("#", line))
        seen[shape] += 1
        if seen[shape] <= most:
            shown.append(f"{name}: {line}")
    return "\n".join(shown)
