"""Everything that the terminal and a diagram show of records of every kind.

A golden file has each kind of line once or twice, with its colours; what a diagram draws is
compared with the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cards import CODE
from canasta_notation.engine.state import State
from canasta_notation.notation.reader import Reading
from canasta_notation.render.diagram import position_svg
from canasta_notation.render.legal_rows import legal_rows
from canasta_notation.render.paint import Look, Rows, paint
from canasta_notation.render.replay_rows import game_head, game_rows, turn_page
from canasta_notation.render.rules_view import compared_rows, key_rows, profile_rows
from canasta_notation.render.score_card import compared_card, game_card
from canasta_notation.render.table_rows import status_rows, table_rows
from canasta_notation.report.ledger import audit_game
from canasta_notation.report.played import Played
from canasta_notation.report.plays import find_choices
from canasta_notation.rules import keys, load_profile, profile_names
from tests.cli_records import KINDS
from tests.every_kind import plays
from tests.random_games import rules_named

LOOKS = (Look(80), Look(46, colour=True, unicode=True))


def lines(rows: Rows, look: Look) -> list[str]:
    return paint(rows, colour=look.colour).replace("\x1b", "^").splitlines()


#: What differs between two lines of a kind: words with a number, a suit or a capital letter.
_FACT = re.compile(r"[^\s^\[]*[\d♠♥♦♣★*_A-Z][^\s^]*|[-─┌]+")


def kept(shown: Iterable[tuple[str, str]]) -> str:
    """Return the first line of each kind, with the name of its record."""
    first: dict[str, str] = {}
    for name, line in shown:
        plain = re.sub(r"\^\[[\d;]*m", "", line)
        kind = re.sub(r"#(\W+#)*", "#", _FACT.sub("#", plain))
        first.setdefault(" ".join(kind.split()), f"{name}: {line}")
    return "\n".join(first.values())


@cache
def some() -> tuple[tuple[str, Reading, Played], ...]:
    """Return those of one record in four, and of all that are named after what they have."""
    return tuple(each for at, each in enumerate(plays()) if at % 4 == 0 or each[0] in KINDS)


def ends(play: Played) -> Iterator[State]:
    """Yield the first, the middle and the last table of each deal."""
    for deal in play.deals:
        if deal.states:
            last = len(deal.states) - 1
            yield from (deal.states[at] for at in sorted({0, last // 2, last}))


def test_the_lines_of_a_game(snapshot: SnapshotAssertion) -> None:
    shown, look = [], LOOKS[1]
    for name, reading, play in some()[::2]:
        rows = [*game_head(play, look), *game_rows(play, look)]
        rows += game_card("file", audit_game(reading, reading.game.number), look)
        shown += [(name, line) for line in lines(rows, look)]
    assert kept(shown) == snapshot


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: str(look.width))
def test_the_lines_of_a_table(look: Look, snapshot: SnapshotAssertion) -> None:
    shown = []
    for name, _, play in some():
        for deal in play.deals:
            for turn in deal.turns[-1:]:
                shown += [(name, line) for line in lines(turn_page(play, turn, look), look)]
        for state in ends(play):
            rows = table_rows(state, play.seats, play.sides, play.names, look)
            rows += status_rows(state, play.sides, 0, look)
            shown += [(name, line) for line in lines(rows, look)]
    assert kept(shown) == snapshot


def test_the_lines_of_what_could_be_played(snapshot: SnapshotAssertion) -> None:
    shown, look = [], LOOKS[0]
    for name, reading, play in some()[::2]:
        for deal in play.deals[:2]:
            for turn in {1, len(deal.turns) // 2, len(deal.turns)} & {
                *range(1, len(deal.turns) + 1)
            }:
                number = reading.game.number
                found = find_choices("file", reading.game, number, deal.number, turn, play.profile)
                shown += [(name, line) for line in lines(legal_rows(found, look), look)]
    assert kept(shown) == snapshot


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: str(look.width))
def test_the_lines_of_rules(look: Look, snapshot: SnapshotAssertion) -> None:
    profiles = [load_profile(name) for name in profile_names()]
    rows = [*compared_rows(profiles[0], profiles[1], look), *profile_rows(profiles[2], look)]
    for key in keys():
        rows += key_rows(key, profiles[:3], look)
    assert kept(("", line) for line in lines(rows, look)) == snapshot


def test_two_sets_of_rules_are_compared_in_their_order(snapshot: SnapshotAssertion) -> None:
    other = rules_named("classic score.natural=400 score.out=150")
    shown = []
    for name, reading, play in some():
        if play.profile.name == "classic" and name in ("thursday-club", "score-sheet-1", *KINDS):
            one = audit_game(reading, reading.game.number)
            card = compared_card("file", one, audit_game(reading, 1, other), LOOKS[0])
            shown += [f"{name}: {line}" for line in lines(card, LOOKS[0])]
    assert "\n".join(shown) == snapshot


def drawn(state: State) -> Counter[int]:
    """Return the cards that a diagram draws of a table, with the back of the stock."""
    back = CODE["_"]
    cards = Counter({back: 1})
    for hand in state.hands:
        cards.update([*hand.cards, *[back] * hand.unknown])
    cards.update(state.pile[-1:])
    cards.update([back] * len(state.packets))
    for side in state.sides:
        cards.update(side.threes)
        for meld in side.melds:
            cards.update(meld.cards if not meld.canasta else [])
            cards["canasta"] += bool(meld.canasta)  # type: ignore[index]
    return cards


def test_a_diagram_has_every_card_of_the_table_in_its_place() -> None:
    """Cards of a hand stand beside each other, those of a meld below each other."""
    seen = 0
    for _, _, play in some():
        for state in ends(play):
            svg = position_svg(state, play.seats, play.sides)
            groups = re.findall(r'<g transform="translate\((\d+) (\d+)\)">(.*?)</g>', svg)
            found: Counter[int] = Counter()
            for _, _, inside in groups:
                uses = re.findall(r'<use href="#c(\d+)" ([xy])="(\d+)"/>', inside)
                found.update(int(code) for code, _, _ in uses)
                places = [int(at) for _, _, at in uses]
                assert places[:1] in ([], [0])
                steps = {b - a for a, b in pairwise(places)}
                assert all(each > 0 for each in steps)
                assert len(steps) <= (1 if ("y" in {axis for _, axis, _ in uses}) else 2)
            wanted = drawn(state)
            canastas = wanted.pop("canasta", 0)  # type: ignore[call-overload]
            assert found.total() == wanted.total() + canastas
            assert not wanted - found
            height = int(re.findall(r'viewBox="0 0 \d+ (\d+)"', svg)[0])
            assert all(int(y) < height for _, y, _ in groups)
            seen += canastas
    assert seen > 50
