"""Names of players: one form, and how seats and sides are shown with and without them."""

from __future__ import annotations

from canasta_notation.names import (
    name_at,
    named_seats,
    names_in,
    player_name,
    seat_and_player,
    side_name,
)

NAMES = {"N": "Ana", "E": "Bruno", "S": "Carla"}


def test_a_name_has_one_form() -> None:
    assert player_name("  Jose\N{COMBINING ACUTE ACCENT} ") == "José"


def test_names_are_those_of_the_seats_that_have_a_tag() -> None:
    tags = {"S": " Carla ", "N": "Ana", "Event": "x", "W": ""}
    assert names_in(tags, "NESW") == {"N": "Ana", "S": "Carla"}
    assert [*names_in(tags, "NESW")] == ["N", "S"]


def test_a_seat_without_a_name_is_shown_as_its_letter() -> None:
    assert [name_at(seat, NAMES) for seat in "NW"] == ["Ana", "W"]
    assert seat_and_player("N", NAMES) == "N Ana" and seat_and_player("W", NAMES) == "W"


def test_a_side_is_its_players_or_its_letters() -> None:
    assert side_name("NS", NAMES) == "Ana and Carla"
    assert side_name("EW", NAMES) == "Bruno and W"
    assert side_name("NS", {}) == side_name("NS", {"N": "", "S": ""}) == "NS"
    assert side_name("ACE", {"A": "x", "C": "y", "E": "z"}) == "x, y and z"


def test_named_seats_are_listed() -> None:
    assert named_seats(NAMES | {"W": ""}) == "N Ana, E Bruno, S Carla"
    assert named_seats({}) == ""
