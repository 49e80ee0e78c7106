"""The page in a browser: what it shows at every turn, keys and buttons, hostile texts, print.

Skipped without a browser: Debian's `chromium`, or the one that `playwright install chromium`
installs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from canasta_notation.analysis.values import DealValues, Loss
from canasta_notation.cards import CODE
from canasta_notation.language.languages import ENGLISH, LANGUAGES
from canasta_notation.page import one_file
from canasta_notation.page.shown_game import page_game
from canasta_notation.render.diagram import position_svg
from canasta_notation.replay.header import read_header
from tests.page_fit import CHECK, SIZES
from tests.pages import (
    CLUB,
    READ,
    SAMPLES,
    called,
    counted,
    page,
    page_games,
    positions,
    random_games,
    read_seats,
    readings,
    written,
)
from tests.test_story import values_of

#: How long, in milliseconds, a browser may take for one step, even on a busy machine.
_PATIENCE = 20_000
BROKEN = sorted((SAMPLES / "broken").glob("*.canasta"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with sync.sync_playwright() as playwright:
        installed = which("chromium") or which("chromium-browser") or which("google-chrome")
        try:
            started = playwright.chromium.launch(
                executable_path=installed, args=["--no-sandbox"], timeout=30_000
            )
        except sync.Error as why:
            pytest.skip(f"no browser is installed (apt-get install chromium): {why}")
        yield started
        started.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab in which no error may occur and nothing may be loaded."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.set_default_timeout(_PATIENCE)
    yield page
    context.close()
    inside = ("file:", "data:", "blob:", "about:")
    assert [text for text in wrong if not text.startswith(inside)] == []


def go(tab: Any, address: str) -> None:
    """Load an address; where the page stands already, only its fragment would change, and later."""
    tab.goto("about:blank")
    tab.goto(address)


def fragment(tab: Any) -> str:
    """Return the fragment of the address, as the page has it; `tab.url` may lag behind."""
    return tab.evaluate("location.hash")


# --- what is shown at every turn ----------------------------------------------------------------


#: Where a page without errors opens.
START = "#g1d1t0"

#: Returns the positions of the next hundred turns, or says that they took half a minute.
_WALK = (
    "() => { const read = "
    + READ
    + """;
  const found = [];
  const next = document.querySelector('[data-go="next"]');
  const start = performance.now();
  while (found.length < 100 && next.getAttribute("aria-disabled") === "false") {
    if (performance.now() - start > 30000) throw new Error("30 s for " + found.length + " turns");
    next.click();
    found.push(read());
  }
  return found;
}"""
)


def walk(tab: Any) -> list[dict[str, Any]]:
    """Return every position of the page, from the one that is shown."""
    found = [tab.evaluate(f"({READ})()")]
    while more := tab.evaluate(_WALK):
        found += more
    return found


@pytest.mark.parametrize("part", range(6))
def test_every_turn_of_the_samples_is_shown_as_it_was(part: int, tab: Any, tmp_path: Path) -> None:
    games = readings(*sorted(SAMPLES.glob("*.canasta"))[part::6])
    tab.goto(written(tmp_path, games) + START)
    assert [counted(each) for each in walk(tab)] == positions(games)


@pytest.mark.parametrize("seat", ["", "N"])
def test_every_turn_of_random_games_is_shown_as_it_was(seat: str, tab: Any, tmp_path: Path) -> None:
    games = [game for game in random_games() if not seat or read_seats(game) == "NESW"]
    for at in range(0, len(games), 5):
        some = games[at : at + 5]
        go(tab, written(tmp_path, some, seat) + START)
        assert [counted(each) for each in walk(tab)] == positions(some, seat)


def test_every_finding_is_shown(tab: Any, tmp_path: Path) -> None:
    """Findings are at their turn; those without a turn are with their deal or game."""
    games = [reading for reading in readings(*BROKEN) if read_seats(reading)]
    tab.goto(written(tmp_path, games) + START)
    spots = walk(tab)
    elsewhere = tab.evaluate(
        "[...document.querySelectorAll('script[id^=record]')].flatMap((each, at) =>"
        " [...new DOMParser().parseFromString(each.textContent, 'text/html')"
        ".querySelectorAll('[data-finding]')].map((found) => [at + 1, found.dataset.finding]))"
    )
    shown = Counter((spot["at"][0], code) for spot in spots for code in spot["findings"])
    shown += Counter((game, code) for game, code in elsewhere)
    expected = Counter(
        (at, finding.code)
        for at, game in enumerate(page_games(games), 1)
        for finding in game.ledger.report.findings
    )
    assert shown == expected


def test_a_deal_without_turns_says_what_was_recorded(tab: Any, tmp_path: Path) -> None:
    games = readings(SAMPLES / "score-sheet-1.canasta", SAMPLES / "final-tables.canasta")
    address = written(tmp_path, games)
    tab.goto(address + START)
    assert tab.inner_text("#where") == "Game 1, deal 1 of 7, scores only"
    assert not tab.is_visible(".felt [data-side]")
    tab.keyboard.press("m")
    assert tab.is_visible("#copy") and not tab.is_visible("#save-svg"), "no table to draw"
    assert not tab.is_visible("#view"), "no hand to hide"
    tab.keyboard.press("m")
    tab.keyboard.press("s")
    assert "seat=" not in fragment(tab)
    go(tab, address + "#g2d1t0")
    assert tab.inner_text("#where") == "Game 2, deal 1 of 7, the table at the end"
    assert tab.inner_text('[data-side="NS"] [data-meld="8"] b') == "8"
    tab.keyboard.press("s")
    assert fragment(tab).endswith("&seat=N")
    assert tab.get_attribute('[data-seat="E"]', "data-hand") == "5s 7d 7c"


def test_turns_that_cannot_be_shown_are_counted(tab: Any, tmp_path: Path) -> None:
    games = readings(SAMPLES / "broken" / "stock-empty.canasta")
    for seat in ("", "N"):
        tab.goto(written(tmp_path, games, seat) + START)
        tab.keyboard.press("End")
        assert tab.inner_text("#where") == "Deal 1 of 1, turn 3 of 4"


# --- moving -------------------------------------------------------------------------------------


_BUTTONS = ("first", "previous-deal", "previous-event", "previous", "next", "next-event",
            "next-deal", "last")  # fmt: skip
#: Those that the table shows; the others are in the menu.
_SHOWN = ("previous-event", "previous", "next", "next-event")


_KEYS = ("Home", "PageUp", "ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown", "PageDown", "End")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the club's evening."""
    return written(tmp_path_factory.mktemp("club"), readings(CLUB))


def place(tab: Any) -> list[int]:
    """Return the deal and the turn that are shown."""
    spot = tab.evaluate(f"({READ})().at")
    return [int(each) for each in spot[1:]]


@pytest.mark.parametrize(
    ("start", "go", "end"),
    [
        ((1, 0), "next", (1, 1)),
        ((1, 32), "next", (2, 0)),
        ((6, 43), "next", (6, 43)),
        ((2, 0), "previous", (1, 32)),
        ((1, 0), "previous", (1, 0)),
        ((2, 7), "previous-deal", (1, 0)),
        ((1, 7), "previous-deal", (1, 0)),
        ((2, 7), "next-deal", (3, 0)),
        ((6, 7), "next-deal", (6, 7)),
        ((3, 3), "first", (1, 0)),
        ((3, 3), "last", (6, 43)),
        ((1, 0), "next-event", (1, 1)),
        ((1, 2), "next-event", (1, 16)),
        ((1, 16), "next-event", (1, 22)),
        ((1, 23), "previous-event", (1, 22)),
        ((1, 1), "previous-event", (1, 1)),
    ],
)
def test_buttons_and_keys_go_to_the_same_place(
    start: tuple[int, int], go: str, end: tuple[int, int], tab: Any, club: str
) -> None:
    for way in ("button", "key"):
        tab.goto(f"{club}#deal={start[0]}&turn={start[1]}")
        assert place(tab) == list(start)
        if way == "button":
            if go not in _SHOWN:
                tab.click("#menu")
            tab.click(f'[data-go="{go}"]', force=True)
        else:
            tab.keyboard.press(_KEYS[_BUTTONS.index(go)])
        assert place(tab) == list(end)
        assert fragment(tab) == f"#d{end[0]}t{end[1]}"


def test_there_is_a_button_for_every_move(tab: Any, club: str) -> None:
    tab.goto(club + START)
    found = tab.eval_on_selector_all("[data-go]", "all => all.map((each) => each.dataset.go)")
    assert {*found} == {*_BUTTONS} and len(found) == len(_BUTTONS)
    for size in tab.eval_on_selector_all(
        "#viewer :is(button, .button):not(dialog *, .pick)",
        "all => all.map((one) => one.getBoundingClientRect().toJSON())",
    ):
        assert min(size["width"], size["height"]) >= 44


def test_buttons_that_lead_nowhere_are_disabled_and_keep_the_focus(tab: Any, club: str) -> None:
    disabled = "all => all.map((each) => each.dataset.go)"
    tab.goto(club + START)
    off = tab.eval_on_selector_all('[data-go][aria-disabled="true"]', disabled)
    assert {*off} == {"first", "previous-deal", "previous-event", "previous"}
    go(tab, club + "#d6t42")
    tab.focus('[data-go="next"]')
    tab.keyboard.press("Enter")
    assert place(tab) == [6, 43]
    off = tab.eval_on_selector_all('[data-go][aria-disabled="true"]', disabled)
    assert {*off} == {"next", "next-event", "next-deal", "last"}
    assert tab.evaluate("document.activeElement.dataset.go") == "next"


def test_the_list_and_the_curve_lead_to_a_turn(tab: Any, club: str) -> None:
    tab.goto(club + "#d2t3")
    tab.locator("#viewer .list a").nth(6).click()
    tab.wait_for_selector("[data-turn='7']")
    assert place(tab) == [2, 7]
    box = tab.locator("[data-curve]").bounding_box()
    turns = [
        len(deal.states) for [game] in [page_games(readings(CLUB))] for deal in game.play.deals
    ]
    for part in (0.1, 0.5, 0.9):
        tab.mouse.click(box["x"] + 4 + part * (box["width"] - 8), box["y"] + 30)
        at = round(part * (sum(turns) - 1))
        deal = next(d for d in range(1, 7) if sum(turns[:d]) > at)
        shown = place(tab)
        assert shown[0] == deal and abs(shown[1] - at + sum(turns[: deal - 1])) <= 1
        words = tab.get_attribute("[data-curve]", "aria-valuetext")
        assert words.startswith(f"Deal {deal}, turn {place(tab)[1]}: ")


def test_three_sides_are_named_wherever_they_have_a_colour(browser: Any, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    address = written(tmp_path, readings(SAMPLES / "profile-classic-3p.canasta"))
    tab.goto(address)
    assert tab.locator(".bars .bar > b").all_inner_texts() == [
        *("420 Emil", "1,865 Emil", "3,345 Sofia", "470 Sofia")
    ]
    go(tab, address + "#d2t1")
    assert tab.locator("[data-curve] tspan").all_text_contents() == ["Nadia", "Emil", "Sofia"]
    tab.close()


def test_the_figure_at_the_cursor_covers_no_name(tab: Any, tmp_path: Path) -> None:
    text = CLUB.read_text("utf-8").replace('"Ana"', '"Ana-Sophia Charlotte"')
    tab.set_viewport_size({"width": 360, "height": 740})
    for record in (CLUB, text.replace('"Carla"', '"Carla Josephine Marie"')):
        go(tab, written(tmp_path, readings(record)) + START)
        while tab.get_attribute("[data-go=next]", "aria-disabled") == "false":
            boxes = [
                tab.locator(f"[data-curve] {name}").bounding_box()
                for name in ("text.side0:not(.lead)", ".lead")
            ]
            assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"], fragment(tab)
            for _ in range(8):
                tab.keyboard.press("ArrowRight")


@pytest.fixture
def valued(tmp_path: Path) -> str:
    """The address of a deal of eight turns with a blunder in its fifth."""
    return with_loss(tmp_path, "-Qc", "-Ah")


def with_loss(
    tmp_path: Path,
    played: str,
    better: str,
    error: float = 20,
    languages: tuple[str, ...] = ("en",),
) -> str:
    loss = Loss(5, "E", "blunder", "turn", played, better, 300, 30, {}, {}, 1.0, 0.0, 5)
    curve = tuple(float(100 * at) for at in range(9))
    side = values_of(curve, error)
    values = {1: DealValues({}, {"NS": side, "EW": side}, (loss,), None)}
    [reading] = readings(SAMPLES / "first-deal.canasta")
    profile = read_header(reading.game, 1).profile
    assert profile is not None
    path = tmp_path / "page.html"
    game = one_file.game_page(page_game("a", reading, 1, profile, values=values), languages)
    path.write_text(one_file.page([game]), "utf-8")
    return path.as_uri()


def test_a_mistake_is_in_view_everywhere(valued: str, browser: Any) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    tab.goto(valued)
    assert tab.locator(".moments [data-sentence=L3]").inner_text() == (
        "Bruno discarded Q♣; discarding A♥ was worth 300 points more, give or take 90."
    )
    go(tab, valued + "#story")
    assert tab.locator(".story [data-mark=blunder]").count() == 1
    go(tab, valued + "#d1t5")
    note = tab.locator("[data-note]")
    assert tab.inner_text("[data-note] [data-sentence=N1]") == (
        "Blunder: 300 points, give or take 90"
    )
    assert note.locator("[data-mark=blunder]").count() == 1
    assert "better" in note.inner_text().lower() and "A♥" in note.inner_text()
    box, last = note.bounding_box(), note.locator("[data-sentence=Y1]").bounding_box()
    assert last["y"] + last["height"] <= box["y"] + box["height"], "all of it is in view"
    assert tab.locator("[data-curve] [data-mark=blunder]").count() == 1
    assert tab.text_content("[data-curve] .lead").endswith("ahead by 500 ± 60")
    tab.close()


def test_of_a_better_play_that_lays_much_the_note_counts_the_cards(
    tab: Any, tmp_path: Path
) -> None:
    laid = "K:KsKsKhKhKdKdKcKc 9:9s9s9h9h9d9d9c9c 4:4s4s4h"
    address = with_loss(tmp_path, "-Qc", f"{laid} -Ah")
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto(address + "#d1t5")
    assert "Better lay 19 cards discard A♥" in " ".join(tab.inner_text(".note em").split())
    tab.evaluate(CHECK)
    assert tab.evaluate("outside()") == []


def test_a_mistake_is_in_view_beside_a_table_that_leaves_little_room(
    tab: Any, tmp_path: Path
) -> None:
    laid = "K:KsKhKdKc 9:9s9h9d9c 4:4s4h4d"
    address = with_loss(tmp_path, "-Qc", f"{laid} -Ah")
    tab.set_viewport_size({"width": 360, "height": 600})
    tab.goto(address + "#d1t5")
    tab.evaluate(CHECK)
    assert tab.evaluate("outside()") == []


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != ENGLISH])
@pytest.mark.parametrize(
    ("better", "others"),
    [("K:KsKhKdKc 9:9s9h9d9c 4:4s4h4d -Ah", {}), ("J:JsJh2s 9:9s9h9d -Ah", {"natural": 2350.0})],
)
def test_a_mistake_is_whole_beside_the_fullest_tables(
    better: str, others: dict[str, float], language: str, browser: Any, tmp_path: Path
) -> None:
    """The longest sentences, on turns that lay so much that the table is drawn in lines."""
    [reading] = readings(SAMPLES / "profile-classic-3p.canasta")
    profile = read_header(reading.game, 1).profile
    assert profile is not None
    items = {} if others else {"natural": -2350.0}
    errors = dict.fromkeys((*items, *others), 100.0)
    values = {}
    for deal, turn, seat in ((2, 48, "N"), (2, 68, "S"), (3, 55, "S")):
        loss = Loss(
            turn, seat, "blunder", "turn", "-7c", better, 2880, 390, items, others, 0, 0, 35,
            errors, errors,
        )  # fmt: skip
        before = values[deal].losses if deal in values else ()
        side = values_of(tuple(1000.0 * at for at in range(120)), 20)
        values[deal] = DealValues({}, dict.fromkeys("NES", side), (*before, loss), None)
    path = tmp_path / "page.html"
    game = page_game("a", reading, 1, profile, values=values)
    path.write_text(one_file.page([one_file.game_page(game, (language,))]), "utf-8")
    tab = browser.new_page(viewport={"width": 360, "height": 740}, locale=language)
    for turn in ("d2t48", "d2t68", "d3t55"):
        go(tab, f"{path.as_uri()}#{turn}")
        tab.evaluate(CHECK)
        assert tab.locator(".note .cost").count() == 1
        assert tab.evaluate("outside()") == [], turn
    tab.close()


def test_wild_cards_say_on_which_meld_they_are_laid(browser: Any, tmp_path: Path) -> None:
    """In a better play and in a guess, in the language that is shown."""
    address = with_loss(tmp_path, "K:2d -Qc", "K/2:*2s 9:9h -Ah", languages=("en", "de"))
    tab = browser.new_page(viewport={"width": 360, "height": 740}, locale="de")
    tab.goto(f"{address}#d1t5")
    better = " ".join(tab.inner_text(".note em p:nth-child(2)").split())
    assert better == "Besser auslegen ★ 2♠ auf Könige (K/2) 9♥ abwerfen A♥"
    go(tab, f"{address}#guess")
    options = [" ".join(each.split()) for each in tab.locator(".options button").all_inner_texts()]
    assert sorted(options) == [
        "auslegen 2♦ auf Könige abwerfen D♣",
        "auslegen ★2♠ auf Könige, Meldung 2 9♥ abwerfen A♥",
    ]
    tab.close()


def test_the_note_has_room_for_how_a_turn_moved_the_deal(tab: Any, tmp_path: Path) -> None:
    """What is said of each turn of a deal with values is whole, above the comments."""
    address = with_loss(tmp_path, "-Qc", "-Ah", error=5)
    tab.set_viewport_size({"width": 360, "height": 740})
    found = set()
    for turn in range(1, 9):
        tab.goto(f"{address}#d1t{turn}")
        tab.evaluate(CHECK)
        assert tab.evaluate("outside()") == [], turn
        found.update(
            tab.evaluate(
                "[...document.querySelectorAll('.moved')].map((each) =>"
                " [each.dataset.sentence, each.nextElementSibling?.tagName].join())"
            )
        )
    assert found >= {"T1,", "T1,Q"}


def test_a_mistake_is_described_only_by_what_the_seat_could_know(valued: str, tab: Any) -> None:
    tab.goto(valued + "#d1t5&seat=N")
    assert tab.locator("[data-note] [data-sentence=N1]:visible").count() == 0
    assert tab.locator(".note.blunder, .list .mark.blunder").count() == 0
    assert not tab.is_visible("[data-curve]")
    go(tab, valued + "#d1t5&seat=E")
    assert tab.locator(".note.blunder, .list .mark.blunder").count() == 2


# --- the screens ----------------------------------------------------------------------------------


def screen(tab: Any) -> str:
    return str(tab.get_attribute("[data-screen]", "data-screen"))


def test_the_cover_says_who_won_and_leads_to_each_screen(tab: Any, club: str) -> None:
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto(club)
    assert screen(tab) == "cover"
    assert tab.inner_text("h1:visible") == "Ana and Carla beat Bruno and Dario"
    assert tab.inner_text("[data-sentence=R1]:visible") == "5,480 to 4,665"
    box = tab.locator("[data-sentence=C1]").bounding_box()
    assert box["y"] + box["height"] < 740, "on the first screen"
    for link, shown in (("Watch", "table"), ("Scores", "scores"), ("Read the story", "story")):
        go(tab, club)
        tab.locator(".cover a", has_text=link).first.click()
        tab.wait_for_selector(f"[data-screen={shown}]")
        tab.go_back()
        tab.wait_for_selector("[data-screen=cover]")


def test_each_row_of_a_story_shows_its_turn_and_back_returns(tab: Any, club: str) -> None:
    tab.goto(club + "#s2")
    assert screen(tab) == "story"
    rows = tab.locator("#s2 li a")
    for at in range(rows.count()):
        turn = int(rows.nth(at).get_attribute("href").partition("t")[2])
        rows.nth(at).click()
        tab.wait_for_selector(f"[data-deal='2'][data-turn='{turn}']")
        tab.keyboard.press("ArrowRight")
        tab.go_back()
        tab.wait_for_selector("[data-screen=story]")
    tab.keyboard.press("Escape")
    assert rows.count() > 3 and screen(tab) == "story"


def test_escape_goes_from_the_table_to_the_story(tab: Any, club: str) -> None:
    tab.goto(club + "#d3t4")
    tab.keyboard.press("Escape")
    tab.wait_for_selector("[data-screen=story]")
    assert fragment(tab) == "#s3"


def test_the_menu_opens_and_closes_and_keeps_the_focus(tab: Any, club: str) -> None:
    tab.goto(club + START)
    opened = "document.querySelector('#more').open"
    for key, shown in (("m", True), ("m", False), ("?", True), ("Escape", False)):
        tab.keyboard.press(key)
        assert tab.evaluate(opened) is shown
    tab.click("#menu")
    tab.keyboard.press("ArrowRight")
    assert place(tab) == [1, 0], "the menu is open: keys do not move"
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.id") == "menu"


def test_every_step_is_announced_as_one_sentence(tab: Any, club: str) -> None:
    tab.goto(club + "#d2t10")
    tab.keyboard.press("ArrowRight")
    said = tab.inner_text("#said") or tab.text_content("#said")
    assert said.startswith("Deal 2 of 6, turn 11 of 34: Ana took the pile (12) 10 of clubs")
    assert "discarded king of spades" in said


def test_a_seat_s_view_hides_what_the_seat_does_not_see(tab: Any, club: str) -> None:
    tab.goto(club + "#d1t1")
    assert "8♥" in tab.inner_text("[data-note]")
    tab.keyboard.press("s")
    assert fragment(tab).endswith("&seat=N")
    shown = tab.evaluate(f"({READ})()")
    assert [shown["hands"][seat] for seat in "ESW"] == [[[], 7], [[], 11], [[], 11]]
    assert len(shown["hands"]["N"][0]) == 11
    assert "(unseen)" in tab.inner_text("[data-note]")
    assert "8♥" not in tab.inner_text("[data-note]")
    assert "two fives" not in tab.inner_text("body"), "comments are hidden"
    for _ in "ESWN":
        tab.keyboard.press("s")
    assert "8♥" in tab.inner_text("[data-note]")


@pytest.mark.parametrize(
    "fragment",
    ["seat=X", "seat=", "turn=-1", "turn=x", "x", "%E0", "d1", "t3", "s", "list", "turn=0&turn",
     "<img src=x onerror=alert(1)>", "deal=99999999999999999999"],
)  # fmt: skip
def test_a_wrong_fragment_opens_the_cover_and_says_so(fragment: str, tab: Any, club: str) -> None:
    tab.goto(f"{club}#{fragment}")
    assert screen(tab) == "cover"
    said = tab.inner_text("#problem")
    assert said.startswith("Nothing on this page is called ") and "the address" in said
    assert "called ?" not in said
    tab.locator(".cover a", has_text="Watch").first.click()
    tab.wait_for_selector("[data-screen=table]")
    assert not tab.is_visible("#problem")


@pytest.mark.parametrize(
    ("fragment", "end"),
    [
        ("d2t17", [2, 17]),
        ("g1d2t17", [2, 17]),
        ("game=1&deal=2&turn=17&seat=E", [2, 17]),
        ("deal=3", [3, 0]),
        ("d2t999", [2, 34]),
        ("d99t1", [6, 1]),
        ("g9d2t5", [2, 5]),
        ("deal=7&turn=3", [6, 3]),
    ],
)
def test_a_fragment_opens_where_it_says_or_at_the_nearest_place(
    fragment: str, end: list[int], tab: Any, club: str
) -> None:
    tab.goto(f"{club}#{fragment}")
    assert place(tab) == end and not tab.is_visible("#problem")
    shown = "Cards: as Bruno sees it" if "seat=E" in fragment else "Cards: all cards"
    assert tab.text_content("#view") == shown


# --- on one screen ------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [*SIZES, (1280, 830)])
@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-6p", "profile-american-2p"])
def test_the_table_fits_on_one_screen(
    name: str, width: int, height: int, browser: Any, tmp_path: Path
) -> None:
    """The middle and the end of each deal; `python -m tests.page_fit` looks at every turn."""
    tab = browser.new_page(viewport={"width": width, "height": height})
    address = written(tmp_path, readings(SAMPLES / f"{name}.canasta"))
    tab.goto(address + START)
    tab.evaluate(CHECK)
    looked: list[list[int]] = []
    while not looked or place(tab)[0] != looked[-1][0]:
        turns = tab.locator("#viewer .list li").count()
        for turn in (turns // 2, turns):
            go(tab, f"{address}#d{place(tab)[0]}t{turn}")
            looked.append(place(tab))
            assert tab.evaluate("outside()") == [], looked[-1]
        tab.keyboard.press("PageDown")
    tab.close()
    assert len(looked) > 3


def test_of_a_turn_that_laid_much_the_note_counts_the_cards(tab: Any, tmp_path: Path) -> None:
    """Also of one that laid cards, put two melds together, and laid more."""
    text = """[CGN "1"]
[Rules "samba"]
deal 1 dealer E
S: 4s 4c 4c 4h 4d 4d 5s 5h 5d Ts Td Tc Ks Kc Kd
1. S +QsAs -Qs
2. W +__ -3s
3. N +__ -3s
4. E +__ -3s
5. S +JsJd -Jd
6. W +__ -3c
7. N +__ -3c
8. E +__ -3c
9. S +2s2c 4:4s4c4c 4/2:4h4d4d 4>2 5:5s5h5d2c T:TsTdTc K:KsKcKd2s -As
"""
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto(written(tmp_path, readings(text)) + "#d1t9")
    words = tab.inner_text(".note .did").replace("\n", " ").split()
    assert " ".join(words) == (
        "S drew 2♠ 2♣ laid 6 cards put together 4, 4/2 laid 11 cards discarded A♠"
    )
    tab.evaluate(CHECK)
    assert tab.evaluate("outside()") == []


def test_the_kind_of_a_canasta_is_whole_in_each_language(tab: Any, tmp_path: Path) -> None:
    tab.set_viewport_size({"width": 360, "height": 740})
    games = readings(SAMPLES / "profile-american-4p.canasta")
    kinds = {"en": "natural", "es": "limpia", "de": "gemischt", "it": "pulita", "pt": "limpa"}
    assert [*kinds] == [*LANGUAGES]
    for language, kind in kinds.items():
        address = written(tmp_path, games, language=language)
        for turn in ("d3t23", "d4t24"):
            go(tab, f"{address}#{turn}")
            tab.evaluate(CHECK)
            assert tab.evaluate("outside()") == [], (language, turn)
        assert kind in tab.locator(".kind").all_text_contents()


def test_a_small_screen_shows_the_hand_of_whoever_played_or_was_touched(
    browser: Any, club: str
) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    tab.goto(club + "#d4t20")
    shown = (
        "[...document.querySelectorAll('[data-seat] .hand')].filter((each) => each.offsetParent)"
    )
    shown += ".map((each) => each.parentNode.dataset.seat).join('')"
    assert tab.evaluate(shown) == "W"
    tab.click("[data-seat=E] .pick")
    assert tab.evaluate(shown) == "E"
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(shown) == "E", "it stays"
    tab.click("[data-seat=E] .pick")
    assert tab.evaluate(shown) == "N"
    tab.close()


@pytest.mark.parametrize(
    ("to", "end"), [((100, 400), [1, 4]), ((300, 405), [1, 2]), ((190, 600), [1, 3])]
)
def test_a_swipe_steps(to: tuple[int, int], end: list[int], browser: Any, club: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    tab = context.new_page()
    tab.goto(club + "#d1t3")
    touch = context.new_cdp_session(tab)
    for kind, points in (("Start", [(200, 400)]), ("Move", [to]), ("End", [])):
        dots = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": dots})
    assert place(tab) == end
    context.close()


#: Returns, for each covered card in a row, its rank and how many pixels the next card covers.
_COVERED = """(row) => {
  const cards = [...document.querySelectorAll(row)];
  const box = (each) => each.getBoundingClientRect();
  return cards.slice(0, -1).filter((each) => each.querySelector("b")).map((each, place) => [
    each.textContent, box(each.querySelector("b")).right - box(cards[place + 1]).left]);
}"""


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_the_ranks_of_covered_cards_can_be_read(
    size: tuple[int, int], tab: Any, tmp_path: Path
) -> None:
    address = written(tmp_path, readings(SAMPLES / "profile-bolivia.canasta"))
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.goto(address + "#d5t61&seat=N")
    covered = tab.evaluate(_COVERED, ".shown .hand .card")
    assert len(covered) > 25
    assert {rank: over for rank, over in covered if over > 1} == {}


# --- playing, moments, sharing ------------------------------------------------------------------


def test_the_page_plays_by_itself_and_pauses_at_a_key_moment(tab: Any, club: str) -> None:
    tab.goto(club + "#d1t14")
    tab.keyboard.press("m")
    tab.select_option("#pace", "500")
    tab.check("#pause")
    tab.click("#play")
    tab.wait_for_selector("[data-turn='16']")
    assert tab.text_content("#play") == "Play", "it has stopped"
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press(" ")
    assert tab.text_content("#play") == "Pause"
    tab.keyboard.press("ArrowLeft")
    assert tab.text_content("#play") == "Play", "a step by hand stops it"


def test_each_moment_of_a_deal_is_a_link(tab: Any, club: str) -> None:
    tab.goto(club + "#d2t3")
    tab.click("#menu")
    links = tab.locator("#moments a")
    assert links.nth(0).inner_text() == "turn 1: Carla: opens"
    links.get_by_text("turn 11: Ana: takes the pile").click()
    tab.wait_for_selector("[data-turn='11']")
    assert not tab.is_visible("#more")


def test_what_one_seat_cannot_know_is_no_moment(tab: Any, club: str) -> None:
    missed = "[...document.querySelectorAll('#moments a')].map((each) => each.textContent)"
    tab.goto(club + "#d4t20")
    tab.keyboard.press("m")
    assert "turn 21: Ana: missed chance" in tab.evaluate(missed)
    go(tab, club + "#d4t20&seat=E")
    tab.wait_for_selector("#more:not([open])", state="attached")
    tab.keyboard.press("m")
    assert all("Bruno" in each for each in tab.evaluate(missed) if "missed" in each)


def test_a_link_to_the_moment_is_copied(browser: Any, club: str) -> None:
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(club + "#d2t3")
    tab.click("#menu")
    tab.click("#copy")
    tab.wait_for_selector("#done:not(:empty)")
    address = tab.evaluate("navigator.clipboard.readText()")
    assert address == "#d2t3", "a file on disk has no address for others"
    context.close()


def test_a_game_is_shared_on_a_screen_of_its_own(tab: Any, club: str, tmp_path: Path) -> None:
    tab.goto(club + "#story")
    tab.click("[data-tab=share]")
    tab.wait_for_selector("[data-screen=share]")
    assert tab.is_visible("#save-game") and tab.is_visible("#print")
    assert not tab.is_visible("#save-svg"), "there is no moment to draw"
    assert not tab.is_visible("#copy"), "a file on disk with one game has no address to copy"
    with tab.expect_download() as saved:
        tab.click("#save-game")
    assert saved.value.suggested_filename == "canasta-game-1.png"
    assert tab.inner_text("#done") == "Saved as canasta-game-1.png."
    tab.go_back()
    tab.wait_for_selector("[data-screen=story]")
    go(tab, club + "#d2t3")
    tab.click("#menu")
    assert tab.is_visible("#save-svg") and tab.is_visible("#copy")
    go(tab, written(tmp_path, readings(CLUB, CLUB)) + "#g2share")
    assert screen(tab) == "share" and tab.is_visible("#copy")


@pytest.mark.parametrize(
    ("name", "seat"),
    [
        ("thursday-club", ""),
        ("thursday-club", "N"),
        ("profile-classic-6p", ""),
        ("profile-classic-3p", ""),
    ],
)
def test_the_picture_of_the_moment_is_the_diagram(
    name: str, seat: str, tab: Any, tmp_path: Path
) -> None:
    games = readings(SAMPLES / f"{name}.canasta")
    [game] = page_games(games, seat)
    play = game.play
    address = written(tmp_path, games, seat)
    for deal, turn in ((1, 0), (2, 11), (4, play.deals[3].last)):
        tab.goto(f"{address}#d{deal}t{turn}")
        tab.click("#menu")
        with tab.expect_download() as saved:
            tab.click("#save-svg")
        name = f"canasta-game-1-deal-{deal}-turn-{turn}"
        assert saved.value.suggested_filename == f"{name}.svg"
        where = f"deal {deal}, " + (f"after turn {turn}" if turn else "as dealt")
        where += f", as {seat} sees it" if seat else ""
        drawn = position_svg(
            play.deals[deal - 1].states[turn], play.seats, play.sides,
            names={each: game.tag(each) for each in play.seats},
            heading=f"{game.tag('Event')}: {where}",
        )  # fmt: skip
        text = Path(saved.value.path()).read_text("utf-8")
        described = re.compile("<desc.*</desc>")
        assert described.sub("", text) == described.sub("", drawn)
        assert f"Deal {deal} of " in described.findall(text)[0]


def test_a_picture_shows_only_what_the_view_has(tab: Any, club: str) -> None:
    tab.goto(club + "#d4t20&seat=N")
    tab.click("#menu")
    with tab.expect_download() as saved:
        tab.click("#save-svg")
    text = Path(saved.value.path()).read_text("utf-8")
    back = CODE["_"]
    assert text.count(f'href="#c{back}"') == 1 + 4 + 8 + 10 and ", as N sees it" in text
    assert " points" not in text
    with tab.expect_download() as saved:
        tab.click("#save-png")
    image = Path(saved.value.path()).read_bytes()
    assert image.startswith(b"\x89PNG") and int.from_bytes(image[16:20], "big") == 960


def test_print_has_a_page_for_each_deal(tab: Any, club: str) -> None:
    tab.goto(club)
    tab.emulate_media(media="print")
    for part in (".story", ".scores", ".turns"):
        assert tab.locator(f".deal {part}:visible").count() == 6
    assert tab.locator("#viewer:visible, .tabs:visible, #languages:visible").count() == 0
    tab.set_viewport_size({"width": 703, "height": 1000})
    assert tab.evaluate("document.documentElement.scrollWidth") == 703, "the width of A4"


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_record_with_errors_says_so_first_and_leads_there(
    path: Path, tab: Any, tmp_path: Path
) -> None:
    games = [reading for reading in readings(path) if read_seats(reading)]
    shown = page_games(games)
    first = next((game.first_error for game in shown if game.first_error), None)
    if first is None:
        return
    tab.set_viewport_size({"width": 360, "height": 740})
    at = next(place for place, game in enumerate(shown, 1) if game.first_error)
    tab.goto(written(tmp_path, games) + f"#g{at}")
    assert tab.locator(".wrong").bounding_box()["y"] < 120
    tab.click(".wrong a")
    tab.wait_for_selector("[data-screen=table]")
    assert place(tab) == [*first]
    [box, found] = (
        tab.locator(each).first.bounding_box() for each in (".note", ".note .finding.error")
    )
    assert found["y"] + 20 < box["y"] + box["height"], "it can be read without scrolling"


# --- for everyone -------------------------------------------------------------------------------


def violations(tab: Any) -> list[str]:
    """Return what axe finds."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs `browser`")
    found = axe.Axe().run(tab).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme: str, tab: Any, tmp_path: Path) -> None:
    broken = SAMPLES / "broken" / "pile-frozen.canasta"
    address = written(tmp_path, readings(CLUB, broken, SAMPLES / "profile-american-2p.canasta"))
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for (width, height), fragment, key in zip(
        [*SIZES, (1280, 830), *SIZES, (1280, 830)],
        ("#g1d4t30", "#g1d1t32&seat=S", "#g2d1t5", "#g3d2t9", "#", "#g1", "#g1story", "#g1scores"),
        ("", "", "?", "m", "", "", "", ""),
        strict=True,
    ):
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(address + fragment)
        if key:
            tab.keyboard.press(key)
        assert violations(tab) == []


def test_axe_finds_nothing_where_a_reader_guesses(valued: str, tab: Any) -> None:
    tab.emulate_media(reduced_motion="reduce")
    for fragment in ("guess", "share", "scores", "d1t5"):
        go(tab, f"{valued}#{fragment}")
        assert violations(tab) == []


#: Returns what can be tapped and is smaller than 24 px.
_SMALL = """() => [...document.querySelectorAll("a[href], button, input, select, summary")]
  .filter((each) => each.getClientRects().length && !each.closest("dialog:not([open])"))
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24).map(([text]) => text)"""


def test_everything_to_tap_is_large_enough(valued: str, tab: Any, tmp_path: Path) -> None:
    broken = SAMPLES / "broken" / "pile-frozen.canasta"
    (tmp_path / "many").mkdir()
    several = written(tmp_path / "many", readings(CLUB, broken))
    tab.set_viewport_size({"width": 360, "height": 740})
    looked = set()
    for address, fragments in (
        (valued, ("", "story", "scores", "share", "guess", "d1t5")),
        (several, ("", "g2", "g2story", "g1scores")),
    ):
        for fragment in fragments:
            go(tab, f"{address}#{fragment}")
            looked.add(screen(tab))
            assert tab.evaluate(_SMALL) == [], fragment
    assert looked == {"list", "cover", "story", "scores", "share", "guess", "table"}


def test_nothing_runs_off_a_narrow_screen(browser: Any, tmp_path: Path) -> None:
    games = [*readings(CLUB), *random_games(1, 1)]
    games = [game for at, game in enumerate(games) if at in (0, 3, 4, 6)]
    narrow = browser.new_page(viewport={"width": 320, "height": 640})
    narrow.goto(written(tmp_path, games) + START)
    widest = narrow.evaluate(
        "() => { const width = () => document.documentElement.scrollWidth; let most = width();"
        " const next = document.querySelector('[data-go=\"next\"]');"
        " for (let at = 0; at < 60; at += 1) { next.click(); most = Math.max(most, width()); }"
        " return most; }"
    )
    narrow.close()
    assert widest <= 320


def test_a_game_is_printed_on_few_pages(browser: Any, tmp_path: Path) -> None:
    """The cover, and at most two pages for each deal."""
    tab = browser.new_page()
    for path in (CLUB, SAMPLES / "profile-classic-6p.canasta"):
        games = readings(path)
        tab.goto(written(tmp_path, games))
        printed = tab.pdf(prefer_css_page_size=True)
        sheets = len(re.findall(rb"/Type /Page\b", printed))
        [story] = page_games(games)
        assert 0 < sheets <= 1 + 2 * len(story.play.deals)
    tab.close()


def test_text_can_be_twice_as_large(valued: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, bypass_csp=True)
    tab = context.new_page()
    for fragment in ("", "#story", "#scores", "#d1t5", "#guess"):
        go(tab, valued + fragment)
        plain = tab.locator("main").inner_text()
        size = "parseFloat(getComputedStyle(document.querySelector('main')).fontSize)"
        before = tab.evaluate(size)
        tab.add_style_tag(content="html { font-size: 200% }")
        assert tab.evaluate(size) == 2 * before
        assert tab.evaluate("document.documentElement.scrollWidth") == 360, fragment
        assert tab.locator("main").inner_text() == plain
        heading = tab.locator("h1:visible").first.bounding_box()
        assert heading["width"] > 150, "no letter has a line of its own"
    context.close()


def test_what_one_seat_cannot_know_of_a_chance_is_no_error(tab: Any, club: str) -> None:
    tab.goto(club + "#d1t27")
    assert tab.locator(".note.chance").count() == 1
    tab.keyboard.press("s")
    assert tab.locator(".note.chance").count() == 0
    assert "Carla" not in tab.inner_text("#view")


def test_without_a_script_the_record_remains(browser: Any, club: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(club)
    text = tab.inner_text("body")
    assert tab.locator(".deal").count() == 6
    assert "Ana took the pile (16) J♥" in text and "5,480 to 4,665" in text
    assert "Carla 3♠ 3♣ 4♠" in text
    assert not tab.is_visible("#viewer")
    assert "open this page with JavaScript switched on" in text
    assert not tab.is_visible(".go"), "no button that leads nowhere"
    context.close()


def test_cards_without_suits_have_the_ink_of_cards(tab: Any, tmp_path: Path) -> None:
    text = '[CGN "1"]\n[Rules "classic"]\ndeal 1 dealer N\nE: 4 4 5 5 6 6 7 7 8 8 9\n'
    tab.goto(written(tmp_path, readings(text + "S: 4s 4s 5s 5s 6s 6s 7s 7s 8s 8s 9s\n")) + START)
    look = "(seat) => { const card = document.querySelector(`[data-seat=${seat}] .card`);"
    look += "const style = getComputedStyle(card); return style.color; }"
    assert tab.evaluate(look, "E") == tab.evaluate(look, "S")


def test_drawn_red_cards_are_red_in_the_text(tab: Any, club: str) -> None:
    tab.goto(club + "#d2t20&seat=S")
    assert "(unseen)" in tab.inner_text("[data-note]")
    go(tab, club + "#d2t20")
    assert tab.locator("[data-note] u .red").inner_text() == "4♦"


def test_cards_keep_their_colours_where_colours_are_forced(tab: Any, club: str) -> None:
    tab.goto(club + "#d2t20")
    look = "[...document.querySelectorAll('.felt .card')].map((each) => getComputedStyle(each))"
    look += ".map((style) => [style.color, style.backgroundColor, style.backgroundImage])"
    before = tab.evaluate(look)
    tab.emulate_media(forced_colors="active")
    assert tab.evaluate(look) == before


# --- hostile texts ------------------------------------------------------------------------------


HOSTILE = """[CGN "1"]
[Event "</script><script>window.hacked=1</script>"]
[Site "\\" onload=\\"window.hacked=1"]
[N "<img src=x onerror=window.hacked=1>"]
[E "\u202eevil\u202c \u200f&lt;b&gt; {{ style }} {% title"]
; --> <!-- ]]> </style><script>window.hacked=1</script>
deal 1 dealer N ; '"><svg onload=window.hacked=1>
E: 3c 5d 7c Ts Td Js Jc Qs Ah 2s *
1. E +8h -Qs ; </q></li></ol><a href="javascript:window.hacked=1">go</a>
"""


def test_hostile_texts_are_shown_as_text(tab: Any, tmp_path: Path) -> None:
    text = HOSTILE.replace("\\\\", "\\")
    tab.goto(written(tmp_path, readings(text, text)))
    for turn in range(2):
        tab.goto(f"{tab.url.partition('#')[0]}#g1d1t{turn}")
        tab.reload()
        assert tab.evaluate("window.hacked") is None
        assert tab.locator("img, a[href^=javascript], svg[onload]").count() == 0
    shown = tab.evaluate("document.body.textContent")
    for line in (
        "</script><script>window.hacked=1</script>",
        '" onload="window.hacked=1',
        "<img src=x onerror=wind",
        "\u202eevil\u202c \u200f&lt;b&gt; {{ st",
        "--> <!-- ]]> </style><script>window.hacked=1</script>",
        "'\"><svg onload=window.hacked=1>",
        '</q></li></ol><a href="javascript:window.hacked=1">go</a>',
    ):
        assert line in shown, line


def test_endless_names_break_no_screen(tab: Any, tmp_path: Path) -> None:
    evil = "<blink>\u202e" + "W" * 10_000
    text = CLUB.read_text("utf-8").replace("Thursday club", evil)
    for name in ("Ana", "Bruno", "Carla", "Dario"):
        text = text.replace(f'"{name}"', f'"{evil}{name}"')
    (tmp_path / "many").mkdir()
    one = written(tmp_path, readings(text))
    several = written(tmp_path / "many", readings(text, text))
    tab.set_viewport_size({"width": 360, "height": 740})
    for address, fragments in (
        (one, ("", "story", "scores", "share", "d2t20", "d6t43")),
        (several, ("", "g2", "g2d1t3")),
    ):
        for fragment in fragments:
            go(tab, f"{address}#{fragment}")
            assert tab.evaluate("document.documentElement.scrollWidth") <= 360, fragment
            assert tab.locator("blink").count() == 0
            assert "<blink>\u202eWWWW" in tab.text_content("main"), "escaped and not stripped"
            if screen(tab) == "table":
                tab.evaluate(CHECK)
                assert tab.evaluate("outside()") == []


def test_a_table_has_the_names_of_the_players_of_its_deal(tab: Any, tmp_path: Path) -> None:
    text = CLUB.read_text("utf-8").replace("[E ", '[N-from-2 "Zoe"]\n[E ', 1)
    address = written(tmp_path, readings(text))
    for fragment, name, other in (("d1t4", "Ana", "Zoe"), ("d2t4", "Zoe", "Ana")):
        go(tab, f"{address}#{fragment}")
        shown = tab.inner_text(".felt").splitlines()
        assert name in shown and other not in shown
        assert "Ana/Zoe and Carla" in shown, "a side has the names of the whole game"


# --- an evening ----------------------------------------------------------------------------------


def test_an_evening_has_standings_and_links(tab: Any, tmp_path: Path) -> None:
    sheets = (SAMPLES / f"score-sheet-{at}.canasta" for at in (1, 2))
    tab.goto(written(tmp_path, readings(CLUB, CLUB, *sheets)))
    tables = tab.locator(".standing")
    assert tables.nth(0).inner_text().splitlines()[:4] == [
        "Players", "Name\tPlayed\tWon\tPoints", "Ana\t2\t2\t10,960", "Carla\t2\t2\t10,960",
    ]  # fmt: skip
    assert "Ana and Carla\t2\t2\t10,960" in tables.nth(1).inner_text()
    tab.click(".games a >> nth=1")
    tab.wait_for_selector("[data-screen=cover]")
    assert fragment(tab) == "#g2" and tab.is_visible(".tabs")


def test_the_list_of_games_can_be_searched_and_sorted(tab: Any, tmp_path: Path) -> None:
    other = CLUB.read_text("utf-8").replace("2026-11-19", "2025-03-08").replace('"Ana"', '"Zoe"')
    broken = SAMPLES / "broken" / "pile-frozen.canasta"
    tab.goto(written(tmp_path, readings(CLUB, other, broken)))
    shown = "[...document.querySelectorAll('.games tbody tr')].filter((each) => !each.hidden)"
    shown += ".map((each) => +each.cells[0].dataset.by)"
    assert tab.evaluate(shown) == [1, 2, 3]
    for button, order in (("Date", [2, 3, 1]), ("Date", [1, 3, 2]), ("Verdict", [3, 1, 2])):
        tab.locator(".games th button", has_text=button).click()
        assert tab.evaluate(shown) == order, button
    head = tab.locator(".games th", has_text="Verdict")
    assert head.get_attribute("aria-sort") == "ascending"
    tab.fill("#search", "CARLA zoe")
    assert tab.evaluate(shown) == [2] and tab.inner_text("#found") == "1 game"


def test_the_record_of_a_game_is_made_when_it_is_opened(tab: Any, tmp_path: Path) -> None:
    tab.goto(written(tmp_path, readings(CLUB, SAMPLES / "profile-classic-6p.canasta")))
    assert screen(tab) == "list"
    tab.click(".games a >> nth=1")
    tab.wait_for_selector("[data-screen=cover]")
    assert "Club evening" in tab.inner_text(".kick")
    tab.locator(".cover a", has_text="Watch").first.click()
    tab.wait_for_selector("[data-turn][data-game='2']")
    assert fragment(tab) == "#g2d1t0"
    tab.keyboard.press("ArrowLeft")
    assert place(tab) == [6, 43] and fragment(tab) == "#g1d6t43"


def test_a_reader_guesses_and_gets_a_score(valued: str, browser: Any) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    tab.goto(valued)
    tab.locator(".cover a", has_text="Guess").click()
    tab.wait_for_selector("[data-screen=guess]")
    assert tab.inner_text("[data-sentence=Q2]") == "You are Bruno. What do you lay and discard?"
    text = tab.inner_text("body")
    assert "better" not in text.lower() and "300" not in text, "the answer is not in the text"
    spot = tab.evaluate(f"({READ})()")
    assert spot["at"] == [1, 1, 4] and spot["hands"]["E"][0]
    assert [spot["hands"][seat][0] for seat in "NSW"] == [[], [], []]
    hand = tab.locator(".tapping").bounding_box()
    assert hand["y"] + hand["height"] < 740, "the whole hand is in view"
    tab.locator(".options button", has_text="A♥").click()
    assert tab.inner_text("[data-sentence=A2]") == tab.text_content("#said") == "Well chosen."
    answer = [tab.locator(each).bounding_box() for each in (".note", ".note .ended >> nth=-1")]
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 740 for box in answer), "all of it"
    assert "300 points more, give or take 90" in tab.inner_text(".answer")
    tab.locator(".note button", has_text="Your score").click()
    assert tab.inner_text(".note .ended") == "2 of 2"
    assert tab.locator(".note:focus").count() == 1, "a keyboard goes on from here"
    assert "I scored 2 of 2 in the guessing game." in tab.inner_text(".share")
    tab.locator(".note button", has_text="Play again").click()
    tab.locator(".options button", has_text="Q♣").click()
    assert tab.inner_text("[data-sentence=A0]") == "Not this time."
    tab.close()


def test_a_reader_taps_the_cards_to_lay_and_to_discard(browser: Any, tmp_path: Path) -> None:
    address = with_loss(tmp_path, "9:9h -Qc", "-6c")
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    tab.goto(address + "#guess")
    hand, ready = tab.locator(".tapping button"), tab.locator(".note .first")
    assert hand.evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))") == [
        *("6 of hearts", "6 of clubs", "9 of hearts", "queen of clubs")
    ], "the hand, with the card that was drawn"
    assert hand.locator(".fresh").count() == 1 and not ready.is_visible()

    def tap(*places: int) -> list[str]:
        for place in places:
            hand.nth(place).click()
        return hand.evaluate_all("all => all.map((each) => each.dataset.tapped)")

    assert tap(2, 0, 0) == ["discard", "", "lay", ""]
    assert hand.nth(0).get_attribute("aria-label") == "6 of hearts, discard"
    ready.click()
    assert tab.inner_text(".untried") == "Choose one of these: only they were compared."
    assert tap(2) == ["", "", "discard", ""], "one card is discarded"
    assert tap(2, 0, 0) == ["discard", "", "", ""]
    ready.click()
    assert tab.inner_text("[data-sentence=A2]") == "Well chosen.", "the suit makes no difference"
    assert hand.count() == 0
    go(tab, address + "#guess")
    tap(2, 3, 3)
    ready.click()
    assert tab.inner_text("[data-sentence=A0]") == "Not this time."
    tab.close()


def test_without_values_there_is_nothing_to_guess(tab: Any, club: str) -> None:
    tab.goto(club)
    assert tab.locator(".cover a", has_text="Guess").count() == 0
    go(tab, club + "#guess")
    assert screen(tab) == "cover"


def test_an_embedded_page_shares_nothing_and_leaves_the_address_alone(
    tab: Any, tmp_path: Path
) -> None:
    file = tmp_path / "frame.html"
    shown = page(page_games(readings(CLUB)), embedded=True)
    frame = "<iframe style='width: 100%; height: 800px' srcdoc=\"{}\"></iframe>"
    file.write_text(frame.format(shown.replace("&", "&amp;").replace('"', "&quot;")), "utf-8")
    tab.goto(file.as_uri())
    inside = tab.frames[1]
    address = inside.url
    inside.click('.tabs [data-tab="story"]')
    inside.click(".story li a >> nth=0")
    assert inside.get_attribute("#position", "data-turn") not in (None, "0")
    inside.press("body", "ArrowRight")
    inside.press("body", "m")
    assert not inside.is_visible("#copy") and not inside.is_visible("#save-png")
    inside.press("body", "Escape")
    inside.press("body", "Escape")
    assert inside.get_attribute("main", "data-screen") == "story"
    assert (inside.url, tab.url) == (address, file.as_uri())


def test_style_and_script_are_the_same_on_every_page() -> None:
    style, script = one_file.style_and_script()
    for games in (readings(CLUB), random_games()[:2]):
        shown = page(page_games(games), embedded=True)
        assert f"<style>{style}</style>" in shown and f"<script>{script}</script>" in shown


def test_the_sides_of_a_headline_keep_their_colours_in_every_language(
    browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    record = called(CLUB, "Jo", "Joan", "Jo", "con")
    games = [one_file.game_page(each, ("en", "es")) for each in page_games(readings(record))]
    file.write_text(one_file.page(games), "utf-8")
    tab = browser.new_context(locale="en").new_page()
    tab.goto(file.as_uri())
    assert tab.inner_text(".cover h1") == "Jo (N) and Jo (S) beat Joan and con"
    tab.click("[data-language=es]")
    assert tab.inner_text(".cover h1") == "Victoria de Jo (N) y Jo (S) sobre Joan y con"
    for side, name in enumerate(("Jo (N) y Jo (S)", "Joan y con")):
        assert tab.locator(f".cover h1 .side{side}").all_inner_texts() == [name]


def test_the_language_is_the_reader_s_and_can_be_changed(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    games = [one_file.game_page(each, tuple(LANGUAGES)) for each in page_games(readings(CLUB))]
    file.write_text(one_file.page(games), "utf-8")
    tab = browser.new_context(locale="de-AT").new_page()
    tab.goto(f"{file.as_uri()}#d1t1")
    assert tab.get_attribute("html", "lang") == "de"
    assert "warf ab" in tab.inner_text(".note") and "D♠" in tab.inner_text(".note")
    assert "Jc" in tab.get_attribute("[data-seat=E]", "data-hand"), "as a record spells it"
    go(tab, f"{file.as_uri()}#scores")
    assert "5.480 zu 4.665" in tab.inner_text(".banner")
    assert tab.locator(".score .sum td").first.inner_text() == "1.115"
    go(tab, f"{file.as_uri()}#")
    for language, headline in (
        ("es", "Victoria de Ana y Carla sobre Bruno y Dario"),
        ("de", "Sieg für Ana und Carla gegen Bruno und Dario"),
        ("it", "Vittoria di Ana e Carla su Bruno e Dario"),
        ("pt", "Vitória de Ana e Carla sobre Bruno e Dario"),
        ("en", "Ana and Carla beat Bruno and Dario"),
    ):
        tab.click(f"[data-language={language}]")
        assert tab.inner_text(".cover h1") == headline
        assert tab.locator(".cover h1 .side0").inner_text() in headline
    tab.click("[data-language=es]")
    tab.goto(f"{file.as_uri()}#d2t11")
    tab.wait_for_selector("main[data-screen=table]")
    tab.keyboard.press("m")
    with tab.expect_download() as saved:
        tab.click("#save-game")
    image = Path(saved.value.path()).read_bytes()
    assert [int.from_bytes(image[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    tab.context.close()
