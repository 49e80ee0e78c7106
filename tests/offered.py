"""Whether a take that `legal` offers in a record with unseen cards is an error when it is played.

`python -m tests.offered [PROFILE...] [--seeds COUNT]` tries the takes at every turn of random deals
of the profiles (all by default), as the table and as a player sees them, and prints those that are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import canasta_notation as cn
from canasta_notation.cards import LABELS, TEXT
from canasta_notation.engine.table import top_of
from canasta_notation.replay.steps import find_tables
from canasta_notation.report.plays import find_choices, spelled
from canasta_notation.search.found import TakeWay
from tests.random_games import rules_named
from tests.sweep import records

#: Findings that the rest of the turn may still prevent.
_LATER = {"discard-missing", "opening-low", "opening-form", "out-canasta"}


def wrong_takes(name: str, record: str) -> Iterator[str]:
    """Yield the takes of a record of one deal that are offered and are errors when played."""
    profile = rules_named(name)
    [game] = cn.read(record)
    for turn in range(1, game.deals[0].turns + 1):
        (table, *_) = find_tables(game, 1, turn)
        choices = find_choices("", game, 1, 1, turn, profile)
        if choices is None or not table.pile_size:
            continue
        seat = profile.seats[choices.start.seat]
        before = record[: record.index(f"\n{turn}. ") + 1].replace('[Result "', '[Paper "')
        for way in choices.start.takes:
            if way.refusal is None:
                play = f"{turn}. {seat} {_written(way, top_of(table), profile)}"
                [tried] = cn.read(f"{before}{play}\nend unfinished\n")
                for each in cn.verify(tried).findings:
                    if each.turn == turn and each.severity == "error" and each.code not in _LATER:
                        yield f"{name} {play}: {each}"


def _written(way: TakeWay, top: int, profile: cn.Profile) -> str:
    """Return a way to take the pile as a record writes it, unwritten cards by their rank."""
    words = " ".join(spelled(action, profile) for action in way.begun(top))
    if way.way != "pair" or len(way.cards) > 1:
        return words
    rank = TEXT[top][0]
    label = rank if way.onto is None else LABELS[way.onto]
    pair = [*(TEXT[code] for code in way.cards), rank, rank][:2]
    return f"^{TEXT[top]} {label}:{''.join(pair)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("profiles", nargs="*", default=cn.profile_names())
    parser.add_argument("--seeds", type=int, default=1)
    chosen = parser.parse_args()
    for each in chosen.profiles:
        found = 0
        for seed in range(chosen.seeds):
            seen = records(each, seed)
            for kind in ("table", "chair"):
                for complaint in wrong_takes(each, seen[kind]):
                    found += 1
                    print(complaint, flush=True)
        print(f"{each}: {found} wrong takes", flush=True)
