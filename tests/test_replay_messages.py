"""What findings say: messages, labels and helps of the rulings, with the facts of each."""

from __future__ import annotations

import re
from collections import Counter

from syrupy.assertion import SnapshotAssertion

from canasta_notation.findings import Finding
from canasta_notation.replay.game_replay import replay_game
from tests.test_rulings import cases, games_of

#: How many messages of a shape are kept.
KEPT = 2


def shape(finding: Finding) -> str:
    """Return a message without its facts: numbers, cards, seats and what is quoted."""
    plain = re.sub(r"`[^`]*`|\b[\w*]*\d[\w*/]*\b|\b[A-Z][A-Za-z*]?\b|\*", "#", finding.message)
    return f"{finding.code} {plain}"


def test_messages_of_the_rulings(snapshot: SnapshotAssertion) -> None:
    """Facts that are exchanged, of another line or of another plural change a line here."""
    seen: Counter[str] = Counter()
    said = []
    for case, profile in (each.values for each in cases()):
        if profile != case["profiles"][0]:
            continue
        for game in games_of(case, profile):
            for each in replay_game(game).findings:
                seen[shape(each)] += 1
                if seen[shape(each)] <= KEPT:
                    place = (
                        f"{case['row']} {each.span.line}:{each.span.column}-{each.span.end_column}"
                    )
                    cause = each.follows.code if each.follows else "-"
                    words = f"{each.message} | {each.label} | {each.help} | {cause}"
                    said.append(f"{each.code} {place} {words}")
    assert "\n".join(sorted(said)) == snapshot
