"""The page of every place in records of every kind, as the stepper shows it, and every key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.render.paint import Look, Rows, paint
from canasta_notation.report.walker import Walker
from canasta_notation.tui.place_rows import (
    help_rows,
    is_wide,
    line_rows,
    page_look,
    page_rows,
    title_row,
)
from canasta_notation.tui.stepping import answer, named, note_of, page_of, press
from tests.cli_records import BROKEN, FALSE, UNSEEN, VERIFIED
from tests.pages import SAMPLES
from tests.test_render_shown import kept
from tests.test_tui_stepper import walker

TWO = VERIFIED + "\n" + BROKEN
RECORDS = {
    "two games": TWO, "false": FALSE, "unseen": UNSEEN,
    **{name: (SAMPLES / f"{name}.canasta").read_text("utf-8")
       for name in ("profile-samba", "profile-american-4p", "final-tables", "score-sheet-1")},
}  # fmt: skip
LOOK = Look(72)
KEYS = ("", "n", "b", "p", "d", "D", "e", "t", "m", "c", "f", "v", "12", "2.3", "d2", "0", "d9",
        "9.9", "999", "x", "next", "back", "?", "s", "l", "Q")  # fmt: skip


def lines(rows: Rows) -> list[str]:
    return paint(rows).splitlines()


def places(place: Walker, most: int = 60) -> Iterator[Walker]:
    """Yield a walker at the places from where it is."""
    yield place
    for _ in range(most):
        if not place.forward():
            break
        yield place


@pytest.mark.parametrize("height", [24, 200])
@pytest.mark.parametrize("seat", ["", "N"])
def test_the_lines_of_every_page(seat: str, height: int, snapshot: SnapshotAssertion) -> None:
    shown = []
    for name, text in RECORDS.items():
        for place in places(walker(text, seat)):
            if place.spot.turn % 3 == 0 or place.spot.turn < 3:
                rows = [title_row(place), *page_rows(place, LOOK, height), *line_rows(place, LOOK)]
                shown += [(name, line) for line in lines(rows)]
    assert kept(shown) == snapshot


def test_every_key_at_the_places_of_two_games(snapshot: SnapshotAssertion) -> None:
    """Where each key leads, or why it leads nowhere."""
    shown = []
    for start in ("", "e", "d2", "2.1", "f", "d9"):
        for key in KEYS:
            place = walker(TWO)
            press(place, start)
            moved = press(place, named(key))
            at = f"{place.spot.game} {place.spot.deal}.{place.spot.turn} {place.seat}"
            shown.append(f"{start} {key}: {at}, {note_of(place, named(key), moved)}")
    assert "\n".join(shown) == snapshot


def test_the_answers_of_the_plain_stepper(snapshot: SnapshotAssertion) -> None:
    shown = [*lines(page_of(walker(TWO), LOOK)), *lines(help_rows(LOOK, screen=True))]
    for key in KEYS:
        rows = answer(walker(TWO), LOOK, key)
        shown += [f"> {key}", *(["ends"] if rows is None else lines(rows)[:6])]
    assert "\n".join(shown) == snapshot


def test_the_page_leaves_room_for_the_list_and_the_margins() -> None:
    for width in (40, 80, 115, 116, 117, 160):
        look = page_look(width, Look(1, colour=True, unicode=True))
        assert is_wide(width) == (width >= 116)
        assert look == Look(width - (50 if width >= 116 else 4), colour=True, unicode=True)
