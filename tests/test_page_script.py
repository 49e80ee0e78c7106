"""The script of a page, in the small browser that Node runs: what it shows and where it leads.

Each value that is shown is compared with the game, at every turn of two games in one page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.language.languages import LANGUAGES
from canasta_notation.page import one_file
from canasta_notation.page.page_texts import in_language
from canasta_notation.page.shown_game import ShownGame
from canasta_notation.render.diagram import position_svg
from canasta_notation.report.played import PlayedTurn
from canasta_notation.story.turn_parts import act
from tests.pages import (
    CLUB,
    READ,
    SAMPLES,
    counted,
    page,
    page_games,
    positions,
    read_seats,
    readings,
)
from tests.scripted import Step, done, needs_node
from tests.test_page_computed import begun, valued

pytestmark = needs_node

#: Reads every turn from the one that is shown.
WALK = f"""(() => {{
  const read = {READ}, found = [read()];
  const next = document.querySelector("[data-go=next]");
  while (next.getAttribute("aria-disabled") === "false") {{ next.click(); found.push(read()); }}
  return found;
}})()"""
PLACE = f"({READ})().at"


def texts(selector: str) -> str:
    """Return the code of the texts of what is shown of a selector."""
    return (
        f"[...document.querySelectorAll({selector!r})].filter((each) => !each.closest('[hidden]'))"
        ".map((each) => each.textContent)"
    )


def values(selector: str, value: str) -> str:
    """Return the code of a value of each element, `one`, that a selector finds."""
    return f"[...document.querySelectorAll({selector!r})].map((one) => {value})"


def attributes(selector: str, name: str) -> str:
    """Return the code of an attribute of what a selector finds."""
    return (
        f"[...document.querySelectorAll({selector!r})].map((each) => each.getAttribute({name!r}))"
    )


@cache
def two() -> tuple[ShownGame, ShownGame]:
    """Two games of different shapes, each begun."""
    return begun("thursday-club"), begun("profile-classic-3p")


@cache
def two_valued() -> tuple[ShownGame, ShownGame]:
    return valued("thursday-club"), valued("profile-classic-3p")


_data: dict[int, Any] = {}


def data_of(game: ShownGame) -> Any:
    """Return the data of a game in its page."""
    if id(game) not in _data:
        _data[id(game)] = json.loads(one_file.game_page(game).tables)
    return _data[id(game)]


@cache
def paged(valued_games: bool = False, languages: tuple[str, ...] = ("en",)) -> str:
    games = two_valued() if valued_games else two()
    return one_file.page([one_file.game_page(each, languages) for each in games])


def spots(games: tuple[ShownGame, ...]) -> list[tuple[int, int, int]]:
    """Return each place of a page: its game, deal and turn."""
    return [
        (at, deal.number, turn)
        for at, game in enumerate(games, 1)
        for deal in game.play.deals
        for turn in range(len(deal.turns) + 1)
    ]


def turn_at(spot: tuple[int, int, int], games: tuple[ShownGame, ...]) -> PlayedTurn:
    game, deal, turn = spot
    return games[game - 1].play.deals[deal - 1].turns[turn - 1]


def fragment(spot: tuple[int, int, int]) -> str:
    return "#g{}d{}t{}".format(*spot)


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["", "N"])
def test_every_turn_is_shown_as_it_was(seat: str) -> None:
    """Of games of different shapes and of deals without turns, in one page."""
    cut = [
        re.split(r"(?m)^deal 2 ", (SAMPLES / f"{name}.canasta").read_text("utf-8"))[0]
        for name in ("thursday-club", "profile-samba", "profile-american-2p", "final-tables")
    ]
    games = [each for each in readings(*cut) if not seat or seat in read_seats(each)]
    [found] = done(page(page_games(games, seat)), WALK, address="https://host/p#g1d1t0").found
    assert [counted(each) for each in found] == positions(games, seat)


def test_every_finding_is_at_its_turn() -> None:
    broken = sorted((SAMPLES / "broken").glob("*.canasta"))
    games = [each for each in readings(*broken) if read_seats(each)]
    [found] = done(page(page_games(games)), WALK, address="https://host/p#g1d1t0").found
    at_turns = {(*each["at"], code) for each in found for code in each["findings"] if each["at"][2]}
    expected = {
        (at, deal.number, turn, finding.code)
        for at, game in enumerate(page_games(games), 1)
        for deal in game.play.deals
        for turn, line in enumerate(deal.turns, 1)
        for finding in line.findings
    }
    assert at_turns == expected and len(expected) > 20


#: A text of everything that the table and its note say, in words and for a screen reader.
SAID = """[
  document.querySelector("#where").textContent, document.title,
  ...[...document.querySelectorAll(".felt [aria-label]")]
    .map((one) => one.getAttribute("aria-label")),
  ...[...document.querySelectorAll(".felt :is(h2, p, small, .size, .kind, .pips)")]
    .map((one) => one.textContent),
  document.querySelector(".note").textContent, document.querySelector("#said").textContent,
  document.querySelector(".curve").getAttribute("aria-valuetext"),
].join("\\n")"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_table(language: str, snapshot: SnapshotAssertion) -> None:
    html = paged(True, tuple(LANGUAGES))
    steps: list[Step] = []
    for at in ("g1d1t0", "g1d1t15", "g1d1t16&seat=N", "g1d2t0", "g1d2t12", "g2d1t7", "g2d2t9"):
        steps += [["go", f"#{at}"], ["press", "n"], ["press", "ArrowLeft"], SAID]
    said = [each for each in done(html, *steps, languages=(f"{language}-XX",)).found if each]
    assert "\n\n".join(said) == snapshot


def test_a_table_in_parts_is_the_table_drawn_at_once() -> None:
    """Boxes that stay while their values do not change show what a new table shows."""
    picture = (
        "[...document.querySelectorAll('.felt *')].map((each) => [each.className, "
        "JSON.stringify(each.dataset.cards), each.getAttribute('aria-label'), each.children.length"
        " ? '' : each.textContent].join()).join('|')"
    )
    places = [fragment(each) for each in spots(two())[5:60:18]]
    for at in places:
        stepped = done(paged(), ["press", "ArrowLeft"], ["press", "ArrowRight"], picture,
                       address=f"https://host/p{at}").found[-1]  # fmt: skip
        assert stepped == done(paged(), picture, address=f"https://host/p{at}").found[-1]


# --- moving ---------------------------------------------------------------------------------------

KEYS = {
    "next": "ArrowRight", "previous": "ArrowLeft", "previous-event": "ArrowUp",
    "next-event": "ArrowDown", "next-deal": "PageDown", "previous-deal": "PageUp",
    "first": "Home", "last": "End",
}  # fmt: skip


def events(games: tuple[ShownGame, ...], seat: str = "") -> dict[tuple[int, int, int], str]:
    """Return the moments of each game as a seat may know them: keys by place."""
    found = {}
    for at, game in enumerate(games, 1):
        for deal, held in enumerate(data_of(game)["deals"], 1):
            for turn, seen, known in held["moments"]:
                own = not seat or held["seats"][turn - 1] == seat
                if keys := " ".join([seen, known if own else ""]).split():
                    found[at, deal, turn] = " ".join(keys)
    return found


def destinations(at: int, games: tuple[ShownGame, ...], seat: str) -> dict[str, int]:
    """Return where each way to move leads from a place."""
    places = spots(games)
    game, deal, _ = places[at]
    starts = [n for n, spot in enumerate(places) if spot[2] == 0]
    own = [n for n, spot in enumerate(places) if spot[0] == game]
    known = events(games, seat)
    moments = [n for n, spot in enumerate(places) if spot in known]
    begin = next(n for n in starts if places[n][:2] == (game, deal))
    return {
        "next": min(at + 1, len(places) - 1),
        "previous": max(at - 1, 0),
        "first": own[0],
        "last": own[-1],
        "next-deal": next((n for n in starts if n > at), at),
        "previous-deal": max((n for n in starts if n < begin), default=0),
        "next-event": next((n for n in moments if n > at), at),
        "previous-event": max((n for n in moments if n < at), default=at),
    }


@pytest.mark.parametrize("seat", ["", "N"])
def test_every_button_and_key_leads_where_it_says(seat: str) -> None:
    games, view = two(), f"&seat={seat}" if seat else ""
    places = [spot for spot in spots(games) if not seat or spot[0] == 1]
    steps: list[Step] = []
    tried = [0, 1, 14, 31, 32, 33, 40, len(places) - 1]
    for at, (go, key) in product(tried, KEYS.items()):
        steps += [["go", fragment(places[at]) + view], ["press", key], PLACE]
        steps += [["go", fragment(places[at]) + view], ["fire", f"[data-go={go}]", "click"], PLACE]
    found = done(paged(), *steps).found
    for number, (at, go) in enumerate(product(tried, KEYS)):
        wanted = [*spots(games)[destinations(at, games, seat)[go]]]
        assert found[6 * number + 2] == found[6 * number + 5] == wanted, (places[at], go)


def test_ways_that_lead_nowhere_are_disabled() -> None:
    games = two()
    places = spots(games)
    off = values("[data-go][aria-disabled=true]", "one.dataset.go")
    tried = [0, 1, 40, len(places) - 2, len(places) - 1]
    steps = [step for at in tried for step in (["go", fragment(places[at])], off)]
    for at, found in zip(tried, done(paged(), *steps).found[1::2], strict=True):
        wanted = {go for go, to in destinations(at, games, "").items() if to == at}
        assert {*found} == wanted, places[at]


def test_keys_do_not_move_while_the_menu_is_open_or_a_key_is_held() -> None:
    steps: list[Step] = [["go", "#g1d1t3"], ["press", "m"], ["press", "ArrowRight"], PLACE]
    steps += [["press", "m"], ["press", "ArrowRight"], PLACE]
    for held in ("ctrlKey", "altKey", "metaKey"):
        steps += [["fire", "body", "keydown", {"key": "ArrowRight", held: True}], PLACE]
    steps += [["press", "ArrowRight", "#pace"], PLACE, ["press", "x"], PLACE]
    steps += [["press", "Escape"], "location.hash", ["press", "ArrowRight"], "location.hash"]
    found = [each for each in done(paged(), *steps).found if each is not None]
    assert found == [[1, 1, 3], *[[1, 1, 4]] * 6, "#g1s1", "#g1s1"]


def test_every_row_of_the_list_leads_to_its_turn() -> None:
    """And has its number, its player, what was taken and laid, and its mark if one may know it."""
    games = two_valued()
    steps: list[Step] = []
    rows = (
        "[...document.querySelectorAll('#viewer .list a')].map((each) => [each.href,"
        " ...[...each.children].map((one) => [one.className, one.textContent])])"
    )
    asked = [("", 1, 1), ("", 1, 2), ("", 2, 1), ("", 2, 2), ("N", 1, 1), ("S", 1, 2)]
    for seat, game, deal in asked:
        view = f"&seat={seat}" if seat else ""
        steps += [["go", f"#g{game}d{deal}t1{view}"], rows]
    for (seat, number, deal), found in zip(
        asked, done(paged(True), *steps).found[1::2], strict=True
    ):
        game = games[number - 1]
        held = game.play.deals[deal - 1]
        marks = {
            turn: each.split()[-1]
            for (at, of, turn), each in events(games, seat).items()
            if (at, of) == (number, deal) and each.split()[-1] in ("blunder", "mistake", "chance")
        }
        story = game.story.at(deal)
        assert len(found) == len(held.turns) and (marks or seat)
        for at, (turn, row) in enumerate(zip(held.turns, found, strict=True), 1):
            to, mark, place, player, taken, laid, *rest = row
            took, lays, discard, out = (*act(turn).split(","), "", "", "")[:4]
            assert to == f"#g{number}d{deal}t{at}" + (f"&seat={seat}" if seat else "")
            assert mark == [f"mark {marks.get(at, '')}", ""] and place == ["turn", str(at)]
            side = game.story.side_of(turn.line.seat)
            assert player == [f"side{side}", str(story.player(turn.line.seat))]
            assert taken == ["", f"took {took}" if took else ""]
            assert laid == ["", f"laid {lays}" if lays else ""]
            last = [text for _, text in rest]
            assert last == (["out"] if out else [discard[0].replace("T", "10")] if discard else [])


@pytest.mark.parametrize("seat", ["", "N", "E"])
def test_every_moment_in_the_menu_leads_to_its_turn(seat: str) -> None:
    games, view = two_valued(), f"&seat={seat}" if seat else ""
    links = values("#moments a", "[one.href, one.textContent]")
    asked = [(1, 1), (1, 2)] if seat else [(1, 1), (1, 2), (2, 1), (2, 2)]
    steps: list[Step] = []
    for game, deal in asked:
        steps += [["go", f"#g{game}d{deal}t0{view}"], ["press", "m"], links, ["press", "m"]]
    words = json.loads(re.findall(r'id="data">(.*?)</script>', paged(True))[0])["words"]["en"]
    for (game, deal), found in zip(asked, done(paged(True), *steps).found[2::4], strict=True):
        moments = {
            turn: keys
            for (g, d, turn), keys in events(games, seat).items()
            if (g, d) == (game, deal)
        }
        story = games[game - 1].story.at(deal)
        assert found == [
            [
                f"#g{game}d{deal}t{turn}{view}",
                f"turn {turn}: {story.player(turn_at((game, deal, turn), games).line.seat)}: "
                + ", ".join(words.get(f"event_{key}", key) for key in keys.split()),
            ]
            for turn, keys in moments.items()
        ]


def test_a_deal_without_moments_says_so() -> None:
    html = page(page_games(readings(SAMPLES / "score-sheet-1.canasta")))
    found = done(html, ["press", "m"], texts("#moments li"), address="https://host/p#d2t0").found
    assert found[-1] == ["none in this deal"]


@pytest.mark.parametrize(
    ("across", "down", "moved"),
    [(-41, 0, 1), (-40, 0, 0), (40, 0, 0), (41, 0, -1), (100, 49, -1), (100, 51, 0), (0, 90, 0)],
)
def test_a_swipe_steps_if_it_goes_across(across: int, down: int, moved: int) -> None:
    start = {"clientX": 100, "clientY": 200}
    end = {"clientX": 100 + across, "clientY": 200 + down}
    found = done(
        paged(),
        ["fire", "#position", "touchstart", {"touches": [start]}],
        ["fire", "#position", "touchend", {"changedTouches": [end]}],
        PLACE,
        ["fire", "#position", "touchstart", {"touches": [start, start]}],
        ["fire", "#position", "touchend", {"changedTouches": [{"clientX": 0, "clientY": 200}]}],
        PLACE,
        address="https://host/p#g1d1t3",
    ).found
    assert found[2] == found[5] == [1, 1, 3 + moved]


def test_the_page_plays_by_itself_at_its_pace_until_a_moment() -> None:
    label = "document.querySelector('#play').textContent"
    games = two()
    first = min(turn for game, deal, turn in events(games) if (game, deal) == (1, 1) and turn > 3)
    steps: list[Step] = [["go", "#g1d1t3"], "document.querySelector('#pace').value = '500'"]
    steps += [
        ["press", " "],
        label,
        ["pass", 499],
        PLACE,
        ["pass", 1],
        PLACE,
        ["pass", 1000],
        PLACE,
    ]
    steps += [["press", " "], label, ["pass", 5000], PLACE]
    steps += ["document.querySelector('#pause').checked = true", ["press", " "], ["pass", 60_000]]
    steps += [PLACE, label, "document.querySelector('#pause').checked = false"]
    steps += [["go", fragment(spots(games)[-3])], ["press", " "], ["pass", 60_000], PLACE, label]
    found = [each for each in done(paged(), *steps).found if each is not None]
    assert found == [
        "500", "Pause", [1, 1, 3], [1, 1, 4], [1, 1, 6], "Play", [1, 1, 6], True, [1, 1, first],
        "Play", False, [*spots(games)[-1]], "Play",
    ]  # fmt: skip


# --- the curve ------------------------------------------------------------------------------------


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(("width", "height"), [(640, 120), (280, 90)])
def test_a_curve_is_as_high_as_what_it_shows(width: int, height: int, many: bool) -> None:
    """Every point is at the place and the height of its value; so is every mark."""
    shapes = (
        "[...document.querySelectorAll('.curve > *')].map((each) => [each.localName,"
        " Object.fromEntries(each.attributes), each.textContent])"
    )
    for number, game in enumerate(two_valued() if many else two(), 1):
        deals = data_of(game)["deals"]
        lines = [[it for deal in deals for it in deal["lines"][at]]
                 for at in range(len(deals[0]["lines"]))]  # fmt: skip
        [_, _, drawn, most] = done(
            paged(many), ["go", f"#g{number}d1t1"], ["size", width, height], shapes,
            "document.querySelector('.curve').getAttribute('aria-valuemax')",
        ).found  # fmt: skip
        assert int(most) == len(lines[0]) - 1
        known = [it for line in lines for it in line if it is not None]
        low = height - 14
        top = max(1, *map(abs, known)) if len(lines) == 1 else max(1, *known)
        bottom = -top if len(lines) == 1 else min(0, *known)

        up = partial(height_of, top=top, bottom=bottom, low=low)
        across = partial(place_of, last=len(lines[0]) - 1, width=width)

        paths = {each["class"]: each["d"] for name, each, _ in drawn if name == "path"}
        for at, line in enumerate(lines):
            expected = [(across(n), up(it)) for n, it in enumerate(line) if it is not None]
            assert points(paths[f"line side{at}"]) == pytest.approx(
                [pytest.approx(each, abs=0.06) for each in expected]
            )
        assert ("band" in paths) == any("errors" in deal for deal in deals)
        if "band" in paths:
            errors = [it for deal in deals for it in deal["errors"]]
            upper = [(across(n), up(it + errors[n])) for n, it in enumerate(lines[0])]
            lower = [(across(n), up(it - errors[n])) for n, it in enumerate(lines[0])]
            band = points(paths["band"])
            assert band == [pytest.approx(each, abs=0.06) for each in [*upper, *lower[::-1]]]
        marks = [
            (kind, start + turn)
            for start, deal in zip(starts_of(deals), deals, strict=True)
            for turn, _, told in deal["moments"]
            for kind in told.split()[-1:]
            if kind in ("blunder", "mistake", "chance")
        ]
        shown = [
            (each["data-mark"], float(each.get("cx") or points(each["d"])[0][0]),
             float(each.get("cy") or points(each["d"])[0][1] + 4.4))
            for _, each, _ in drawn if "data-mark" in each
        ]  # fmt: skip
        assert shown == [
            (kind, pytest.approx(across(at), abs=0.1), pytest.approx(up(lines[0][at]), abs=0.1))
            for kind, at in marks
        ]
        edges = [x for x, _ in points(paths["axis"])]
        assert edges and len(drawn) == len({json.dumps(each) for each in drawn})
        numbers = [text for name, each, text in drawn if each.get("text-anchor") == "middle"]
        assert numbers == [f"Deal {at}" for at in range(1, len(deals) + 1)]


def height_of(value: float, top: float, bottom: float, low: float) -> float:
    """Return how far down a value is drawn."""
    return 4 + (top - max(bottom, min(top, value))) * (low - 8) / (top - bottom)


def place_of(place: int, last: int, width: float) -> float:
    return 4 + place * (width - 8) / last


def starts_of(deals: list[dict[str, Any]]) -> Iterator[int]:
    start = 0
    for deal in deals:
        yield start
        start += len(deal["lines"][0])


def test_a_tap_on_the_curve_goes_to_the_turn_there() -> None:
    games = two()
    for number in (1, 2):
        places = [spot for spot in spots(games) if spot[0] == number]
        steps: list[Step] = [["go", f"#g{number}d1t1"]]
        asked = [0, 1, 17, len(places) // 2, len(places) - 1]
        for at in asked:
            x = 4 + at * 632 / (len(places) - 1)
            steps += [["fire", ".curve", "pointerdown", {"clientX": x, "pointerId": 1}], PLACE]
            steps += ["document.querySelector('.curve').getAttribute('aria-valuenow')"]
        steps += [["fire", ".curve", "pointermove", {"clientX": -50}], PLACE]
        steps += [["fire", ".curve", "pointermove", {"clientX": 900}], PLACE]
        found = done(paged(), *steps).found
        assert found[2:-4:3] == [[*places[at]] for at in asked]
        assert found[3:-4:3] == [*map(str, asked)]
        assert found[-3] == [*places[0]] and found[-1] == [*places[-1]]


def test_the_words_at_the_cursor_are_the_lead_and_its_error() -> None:
    game, _ = two()
    leads = data_of(game)["deals"][0]["lines"][0]
    words = "document.querySelector('.curve').getAttribute('aria-valuetext')"
    steps = [step for at in range(len(leads)) for step in (["go", f"#g1d1t{at}"], words)]
    first, second = map(str, game.story.sides)
    for at, (found, value) in enumerate(zip(done(paged(), *steps).found[1::2], leads, strict=True)):
        ahead = f"{first if value > 0 else second} ahead by {abs(value):,}"
        assert found == f"Deal 1, turn {at}: {ahead if value else 'even'}"
    deal = data_of(two_valued()[0])["deals"][0]
    about = zip(
        done(paged(True), *steps).found[1::2], deal["lines"][0], deal["errors"], strict=True
    )
    for at, (found, value, error) in enumerate(about):
        fives = 5 if abs(value) < 100 else 10
        near = fives * int(abs(value) / fives + 0.5)
        most = -(-error // fives) * fives
        if error and most >= near:
            assert found.endswith("too close to call"), at
        elif error:
            assert f" {near:,}" in found and f" {most:,}" in found, at


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "screen", "place"),
    [
        ("g2d2t3", "table", [2, 2, 3]), ("d2t3", "table", [1, 2, 3]),
        ("g2d1t0", "table", [2, 1, 0]), ("game=2&deal=2&turn=4", "table", [2, 2, 4]),
        ("deal=2", "table", [1, 2, 0]), ("turn=5", "table", [1, 1, 5]),
        ("game=2", "table", [2, 1, 0]), ("g9d9t9999", "table", None),
        ("g0d0t0", "table", [1, 1, 0]), ("g2", "cover", 2), ("g2story", "story", 2),
        ("g2scores", "scores", 2), ("g1share", "share", 1), ("g2s2", "story", 2),
        ("list", "list", 1), ("", "list", 1), ("seat=N", "table", [1, 1, 0]),
        ("g2d1t2&seat=E", "table", [2, 1, 2]),
    ],
)  # fmt: skip
def test_an_address_leads_to_what_it_names(asked: str, screen: str, place: Any) -> None:
    shown = "document.querySelector('main').dataset.screen"
    tab = values(".tabs a", "[one.dataset.tab, one.href, one.getAttribute('aria-current')]")
    [opened, at, tabs, wrong] = done(
        paged(), shown, PLACE if screen == "table" else "0", tab,
        texts("#problem"), address=f"https://host/p#{asked}",
    ).found  # fmt: skip
    assert opened == screen and wrong == []
    game = place if isinstance(place, int) else (place or [2])[0]
    if screen == "table":
        assert at == (place or [*spots(two())[-1]])
    seat = f"&seat={asked[-1]}" if "seat" in asked else ""
    for name, to, current in tabs:
        ends = {"list": "#", "cover": f"#g{game}", "table": f"#g{game}d1t0{seat}"}
        assert to == ends.get(name, f"#g{game}{name}")
        assert (current == "page") == (name == screen)


@pytest.mark.parametrize("wrong", ["seat=X", "x", "g1x", "d1", "turn=-1", "%E0", "d1t2&nothing"])
def test_an_address_of_nothing_is_named(wrong: str) -> None:
    shown = "document.querySelector('main').dataset.screen"
    [opened, [said], later] = done(
        paged(), shown, texts("#problem"), ["go", "#g1d1t1"], address=f"https://host/p#{wrong}"
    ).found
    assert opened == "list" and later is None
    parts = [] if "%" in wrong else wrong.split("&")
    assert all(part in said for part in parts if part != "d1t2")


@pytest.mark.parametrize("many", [False, True])
def test_what_is_written_of_a_place_leads_back_to_it(many: bool) -> None:
    games = two() if many else two()[:1]
    html = page(games)
    for seat in ("", "N", "W" if not many else ""):
        for spot in spots(games)[3::60]:
            if seat and spot[0] == 2:
                continue
            at = fragment(spot) if many else fragment(spot).replace("g1", "")
            view = f"&seat={seat}" if seat else ""
            found = done(html, PLACE, "location.hash", ["press", "ArrowRight"],
                         ["press", "ArrowLeft"], PLACE, "location.hash",
                         address=f"https://host/p{at}{view}").found  # fmt: skip
            assert found[0] == found[4] == [*spot] and found[1] == found[5] == at + view


@pytest.mark.parametrize("address", ["https://host/p", "file:///p"])
def test_a_link_to_what_is_shown_is_copied(address: str) -> None:
    for at, ends in (
        ("#g2d1t3", "#g2d1t3"),
        ("#g2share", "#g2"),
        ("#g1d2t1&seat=S", "#g1d2t1&seat=S"),
    ):
        made = done(paged(), ["fire", "#copy", "click"], address=address + at)
        assert made.saved == [["copied", (address if "http" in address else "") + ends]]


# --- views ----------------------------------------------------------------------------------------


def test_a_key_goes_through_the_views_of_all_seats_and_back() -> None:
    game, _ = two()
    label = "document.querySelector('#view').textContent"
    hands = f"({READ})().hands"
    steps: list[Step] = [["go", "#g1d1t9"]]
    steps += [step for _ in range(5) for step in (["press", "s"], label, "location.hash", hands)]
    found = done(paged(), *steps).found[1:]
    for at, seat in enumerate([*game.play.seats, ""]):
        _, words, address, shown = found[4 * at : 4 * at + 4]
        assert words == (
            "Cards: all cards" if not seat else f"Cards: as {game.story.player(seat)} sees it"
        )
        assert address == "#g1d1t9" + (f"&seat={seat}" if seat else "")
        assert {each for each, (cards, _) in shown.items() if cards} == (
            {seat} if seat else {*game.play.seats}
        )


def test_the_hand_that_is_shown_is_that_of_the_player_or_the_chosen_one() -> None:
    shown = values(".shown", "one.dataset.seat") + ".join()"
    pressed = values(".pick[aria-pressed=true]", "one.parentNode.dataset.seat") + ".join()"
    games = two()
    places = [spot for spot in spots(games) if spot[2]][::11]
    steps = [step for spot in places for step in (["go", fragment(spot)], shown, pressed)]
    found = done(paged(), *steps).found
    assert found[1::3] == found[2::3] == [turn_at(spot, games).line.seat for spot in places]
    pick: list[Step] = ["fire", "[data-seat=W] .pick", "click"]
    steps = [["go", "#g1d1t1"], pick, shown, ["press", "ArrowRight"], shown, pick, shown]
    found = done(paged(), *steps).found
    assert found[2::2] == ["W", "W", turn_at((1, 1, 2), games).line.seat]


def test_cards_that_have_just_come_are_marked() -> None:
    """In a hand, those that were not there a turn ago."""
    games = two()
    fresh = (
        "Object.fromEntries([...document.querySelectorAll('[data-seat]')].map((box) => ["
        "box.dataset.seat, [...box.querySelectorAll('.hand .card')]"
        ".map((each) => +each.classList.contains('fresh')).join('')]))"
    )
    places = [spot for spot in spots(games) if spot[2] and spot[0] == 1][::3]
    steps = [step for spot in places for step in (["go", fragment(spot)], fresh)]
    for spot, found in zip(places, done(paged(), *steps).found[1::2], strict=True):
        deal = games[0].play.deals[spot[1] - 1]
        before, after = deal.states[spot[2] - 1 : spot[2] + 1]
        for at, seat in enumerate(games[0].play.seats):
            left, marks = [*before.hands[at].cards], ""
            for card in after.hands[at].cards:
                marks += "0" if card in left else "1"
                if card in left:
                    left.remove(card)
            assert found[seat] == marks, (spot, seat)


# --- pictures and files ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p", "profile-samba"])
@pytest.mark.parametrize("seat", ["", "N"])
def test_the_picture_of_a_moment_is_the_diagram(name: str, seat: str) -> None:
    """Also of one in the second deal, on a page of one seat, and seen by a seat on any page."""
    if seat and name == "profile-classic-3p":
        return
    game = begun(name, seat)
    deals = game.play.deals
    tried = [(1, 0), (1, 3), (1, deals[0].last), (len(deals), deals[-1].last // 2)]
    steps = [
        step for deal, turn in tried
        for step in (["go", f"#d{deal}t{turn}"], ["fire", "#save-svg", "click"])
    ]  # fmt: skip
    made = done(page([game]), *steps)
    described = re.compile("<desc.*?</desc>", re.DOTALL)
    for (deal, turn), text in zip(tried, made.files, strict=True):
        where = f"deal {deal}, " + (f"after turn {turn}" if turn else "as dealt")
        where += f", as {seat} sees it" if seat else ""
        drawn = position_svg(
            deals[deal - 1].states[turn], game.play.seats, game.play.sides,
            names={each: game.tag(each) for each in game.play.seats},
            heading=f"{game.tag('Event')}: {where}",
        )  # fmt: skip
        assert described.sub("", text) == described.sub("", drawn)


def test_files_are_called_after_what_they_show() -> None:
    shown = "document.querySelector('#done').textContent"
    steps: list[Step] = [["go", "#g2d2t3"], ["fire", "#save-svg", "click"], shown]
    made = done(paged(), *steps)
    assert made.found[-1] == "Saved as canasta-game-2-deal-2-turn-3.svg."


# --- the list of games ----------------------------------------------------------------------------


def test_the_list_is_sorted_by_every_column_both_ways() -> None:
    other = CLUB.read_text("utf-8").replace("2026-11-19", "2025-03-08").replace('"Ana"', '"Zoe"')
    broken = SAMPLES / "broken" / "pile-frozen.canasta"
    sheets = [SAMPLES / f"score-sheet-{at}.canasta" for at in (1, 2)]
    html = page(page_games(readings(CLUB, other, broken, *sheets)))
    row = "[...document.querySelectorAll('.games tbody tr')].filter((each) => !each.hidden)"
    cells = f"{row}.map((one) => [...one.cells].map((cell) => cell.dataset.by))"
    head = attributes(".games th", "aria-sort")
    steps: list[Step] = [cells]
    for at in range(5):
        button = f"document.querySelectorAll('.games th button')[{at}].click()"
        steps += [button, cells, head, button, cells, head]
    rows, *found = done(html, *steps).found

    def key(text: str) -> list[Any]:
        return [
            int(each) if each.isdigit() else each.lower() for each in re.findall(r"\d+|\D+", text)
        ]

    for at in range(5):
        _, up, ascending, _, down, descending = found[6 * at : 6 * at + 6]
        assert [each[at] for each in up] == sorted((each[at] for each in rows), key=key)
        assert [each[at] for each in down] == sorted(
            (each[at] for each in rows), key=key, reverse=True
        )
        assert sorted(up) == sorted(down) == sorted(rows)
        assert ascending == ["ascending" if n == at else None for n in range(5)]
        assert descending == ["descending" if n == at else None for n in range(5)]


def test_the_list_is_searched_for_all_words_and_counted() -> None:
    other = CLUB.read_text("utf-8").replace('"Ana"', '"Zoe"')
    third = CLUB.read_text("utf-8").replace('"Ana"', '"Zoe"').replace('"Carla"', '"Ida"')
    html = page(page_games(readings(CLUB, other, third)))
    row = "[...document.querySelectorAll('.games tbody tr')].filter((each) => !each.hidden)"
    steps: list[Step] = []
    asked = {
        "": (3, "3 games"),
        "ZOE": (2, "2 games"),
        "carla  zoe": (1, "1 game"),
        "zz": (0, "0 games"),
    }
    for words in asked:
        steps += [
            f"document.querySelector('#search').value = {words!r}",
            ["fire", "#search", "input"],
        ]
        steps += [f"{row}.length", "document.querySelector('#found').textContent"]
    found = done(html, *steps).found
    assert [*zip(found[2::4], found[3::4], strict=True)] == [*asked.values()]


# --- guessing -------------------------------------------------------------------------------------


def test_every_answer_of_every_question_has_its_points() -> None:
    """Each option is chosen once; the score is the sum of the points of those that count."""
    game = valued("thursday-club")
    html = page([game])
    questions = data_of(game)["questions"]
    said = "[...document.querySelectorAll('.note .ended')].at(-1).dataset.sentence"
    rows = values(".answer dt", "one.textContent")
    for choose in (0, 1):
        steps: list[Step] = [["go", "#guess"]]
        for question in questions:
            options = question[-1]
            steps += [
                PLACE, texts("#where"), "document.querySelectorAll('.options button').length",
                "document.querySelectorAll('.options button')"
                f"[{min(choose, len(options) - 1)}].click()",
                said, rows, "document.querySelector('.go .first').click()",
            ]  # fmt: skip
        steps += [texts(".note .ended"), texts(".share")]
        found = done(html, *steps).found[1:]
        won = []
        for at, (deal, turn, better, played, _, _, options) in enumerate(questions):
            place, [head], count, _, sentence, told, _ = found[7 * at : 7 * at + 7]
            chosen = min(choose, len(options) - 1)
            points = options[chosen][1]
            won.append(points)
            assert place == [1, deal, turn - 1] and count == len(options)
            assert str(at + 1) in head and str(len(questions)) in head
            assert sentence == ("A3" if points is None else f"A{points}")
            assert len(told) == len({chosen, better, played})
        counts = [each for each in won if each is not None]
        assert found[-2] == [f"{sum(counts)} of {2 * len(counts)}"]
        assert "".join("⬜" if each is None else "🟥🟨🟩"[each] for each in won) in found[-1][0]


# --- the languages --------------------------------------------------------------------------------


def test_every_word_of_the_document_is_in_the_language_that_is_chosen() -> None:
    html = paged(True, tuple(LANGUAGES))
    words = json.loads(re.findall(r'id="data">(.*?)</script>', html)[0])["words"]
    written = values("[data-w]", "[one.dataset.w, one.textContent]")
    labels = values("[data-l]", "[one.dataset.l, one.getAttribute('aria-label')]")
    pressed = values("[data-language][aria-pressed=true]", "one.dataset.language")
    pace = values("#pace option", "[one.value, one.textContent]")
    for own, chosen in product(LANGUAGES, LANGUAGES):
        found = done(
            html, ["fire", f"[data-language={chosen}]", "click"], written, labels, pressed, pace,
            "document.documentElement.lang", languages=("fr", f"{own}-XX"),
        ).found  # fmt: skip
        _, texts_found, label, now, paces, lang = found
        changed = {"back", "play"}
        assert now == [chosen] and lang == chosen
        for key, text in [*texts_found, *label]:
            if key not in changed:
                assert text == words[chosen][key], key
        assert [value for value, _ in paces] == ["500", "1000", "2000", "4000", "8000"]
        singular, plural = words[chosen]["seconds"]
        assert [text for _, text in paces] == [
            words[chosen]["half_second"], singular.replace("{n}", "1"),
            *(plural.replace("{n}", str(each)) for each in (2, 4, 8)),
        ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translated_page_is_the_page_in_that_language(language: str) -> None:
    """Whatever language it was written in; only the sign of what is below zero may differ."""
    shown = (
        "[...document.querySelectorAll('#record :is(.cover, .story, .turns, .scores), footer')]"
        ".map((one) => one.textContent.replaceAll('\\u00a0', ' ').replaceAll('\\u2212', '-'))"
    )
    games = two_valued()
    first = one_file.page([one_file.game_page(each, tuple(LANGUAGES)) for each in games])
    own = in_language(
        language, lambda: one_file.page([one_file.game_page(each, (language,)) for each in games])
    )
    for number in (1, 2):
        address = f"https://host/p#g{number}story"
        [changed] = done(first, shown, address=address, languages=(language,)).found
        [written] = done(own, shown, address=address, languages=(language,)).found
        assert len(changed) > 5
        assert changed == written


# --- the size of the cards ------------------------------------------------------------------------

SIZES = (12, 13, 14, 16, 18, 20, 22, 24, 27, 30)
WAYS = (("", 9), ("dense", 6), ("dense nopile", 4), ("dense nopile short", 4),
        ("dense nopile lines", 3), ("dense nopile lines plain", 3))  # fmt: skip
SAVES = {"dense": 40, "nopile": 30, "short": 20, "lines": 60, "plain": 10}


@pytest.mark.parametrize("room", [1000, 420, 300, 260, 205, 160, 150, 120])
def test_a_table_is_drawn_as_large_as_there_is_room(room: int) -> None:
    """In the first way that fits, with the largest hands, then the largest melds."""

    def height(way: str, hands: int, melds: int) -> int:
        saved = sum(SAVES[each] for each in way.split())
        return 8 * SIZES[hands] + 5 * SIZES[melds] - saved

    felt = "document.querySelector('.felt')"
    found = done(
        page(two()[:1]), ["table", {"room": room, "hands": 8, "melds": 5, "ways": SAVES}],
        ["go", "#d1t9"], ["size", 640, 120], f"{felt}.className", f"{felt}.styles['--size']",
        f"{felt}.styles['--melds']", address="https://host/p#d1t8",
    ).found[3:]  # fmt: skip
    fits = [
        (way, hands, melds)
        for way, most in WAYS
        for hands in range(most, -1, -1)
        for melds in range(most, hands - 1, -1)
        if height(way, hands, melds) <= room and height(way, hands, hands) <= room
    ]
    if not fits:
        return
    way, hands, melds = fits[0]
    assert found == [
        f"felt seats4 play {way}".strip(), f"{SIZES[hands]}px", f"{SIZES[melds]}px",
    ]  # fmt: skip


# --- a page in a frame ----------------------------------------------------------------------------


def test_a_page_in_a_frame_leaves_the_address_alone() -> None:
    html = page(two()[:1], embedded=True)
    screen = "document.querySelector('main').dataset.screen"
    found = done(
        html, screen, ["fire", "[data-tab=table]", "click"], screen, PLACE,
        ["press", "ArrowRight"], PLACE, "location.hash", ["press", "Escape"], screen,
        "location.hash", "document.querySelector('#sharing').hidden",
        address="https://host/p#d2t2",
    ).found  # fmt: skip
    assert [each for each in found if each is not None] == [
        "cover", "table", [1, 1, 0], [1, 1, 1], "#d2t2", "story", "#d2t2", True,
    ]  # fmt: skip
