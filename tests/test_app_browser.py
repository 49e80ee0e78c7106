"""The web application in a browser: offline, killed, upgraded, in two tabs, and a whole evening.

Skipped without Chromium, the extra `browser`, or the archive of Pyodide, which the environment
variable CANASTA_PYODIDE names.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest
from typer.testing import CliRunner

from canasta_notation.cli.app import app
from tests.app_evenings import claims, no_finding
from tests.app_host import Host, built, kill_rounds, launch, state, until_ready, wait
from tests.app_looks import FIT, WHOLE, axe_finds, screens
from tests.app_taps import (
    begin,
    come_to,
    enter,
    entered,
    figures,
    fill,
    kept_games,
    key,
    long_evening,
    ruling,
    tap,
    wander,
)

pytestmark = pytest.mark.skipif(
    not os.environ.get("CANASTA_PYODIDE"), reason="CANASTA_PYODIDE names no archive of Pyodide"
)
SAMPLES = sorted((Path(__file__).parent.parent / "samples").glob("*.canasta"))
RUN = CliRunner()
PHONE = {"width": 360, "height": 740}
#: How often a browser is killed; `python -m tests.app_host 30` does it more often.
_KILLS = 4


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    sync = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with sync.sync_playwright() as started:
        try:
            launch(started).close()
        except sync.Error as why:
            pytest.skip(f"no browser is installed (apt-get install chromium): {why}")
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Any) -> Iterator[Any]:
    started = launch(playwright)
    yield started
    started.close()


@pytest.fixture
def host() -> Iterator[Host]:
    started = Host(built())
    yield started
    started.close()


class Visit:
    """A phone that opens the application; no error may occur, and nothing else be loaded."""

    def __init__(self, browser: Any, host: Host, **more: Any) -> None:
        self.context = browser.new_context(viewport=PHONE, accept_downloads=True, **more)
        self.wrong: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.host = host
        self.page = self.tab()

    def tab(self) -> Any:
        page = self.context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("console", self._said)
        page.on("request", self._requested)
        return page

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.host.url, "blob:", "data:")):
            self.wrong.append(request.url)

    def start(self, fragment: str = "") -> Any:
        self.page.goto(self.host.url + fragment)
        until_ready(self.page)
        return self.page

    def close(self) -> None:
        self.context.close()
        assert [text for text in self.wrong if not any(e in text for e in self.expected)] == []


@pytest.fixture
def visit(browser: Any, host: Host) -> Iterator[Visit]:
    opened = Visit(browser, host)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def phone(browser: Any) -> Iterator[Visit]:
    """A phone for the tests that change nothing about the host; started once."""
    host = Host(built())
    opened = Visit(browser, host)
    opened.start()
    yield opened
    opened.close()
    host.close()


@pytest.fixture
def page(phone: Visit) -> Any:
    phone.page.goto(phone.host.url)
    until_ready(phone.page)
    return phone.page


def ask(page: Any, name: str, *arguments: Any) -> Any:
    """Return what the referee in the browser answers."""
    return page.evaluate(
        "async ([name, args]) => (await import('./referee.js')).ask(name, args)",
        [name, list(arguments)],
    )


# --- the first address ----------------------------------------------------------------------------


def screen_names() -> list[str]:
    """Return the addresses of the screens, as the application lists them."""
    source = (files("canasta_notation.app") / "web" / "app.js").read_text("utf-8")
    listed = re.search(r"const SCREENS = \{(.*)\}", source)
    assert listed is not None
    return [each.split(":")[0].strip() for each in listed[1].split(",")]


@pytest.mark.parametrize("address", screen_names())
def test_any_address_can_be_the_first(address: str, visit: Visit) -> None:
    """No screen may wait for the referee in a way that keeps it from starting."""
    page = visit.page
    for go in (lambda: page.goto(f"{visit.host.url}#{address}"), page.reload):
        go()
        until_ready(page)
        wait(page, "document.querySelector('main').innerText.trim() !== ''")
        if address == "new":
            key(page, "start").wait_for()


def test_a_start_at_what_is_not_there_says_so(visit: Visit) -> None:
    page = visit.start()
    said = {
        "pad/none": "not on this phone", "game/none": "not on this phone", "paste/look": "keep it",
        "g=A!!!!": "damaged", "constructor": "new game",
    }  # fmt: skip
    for address, words in said.items():
        page.goto(f"{visit.host.url}#{address}")
        page.reload()
        until_ready(page)
        page.get_by_text(words).first.wait_for()


def test_a_screen_that_was_left_before_the_start_does_not_come_back(
    visit: Visit, host: Host
) -> None:
    page = visit.page
    page.goto(f"{host.url}#new")
    wait(page, "document.querySelector('main[data-screen=new]') !== null")
    page.click("#back")
    until_ready(page)
    wait(page, "document.querySelector('main[data-screen=home]') !== null")
    assert ask(page, "profiles")
    assert page.evaluate("document.querySelector('main').dataset.screen") == "home"


# --- an evening -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "classic-3p", "classic-6p", "american-2p", "bolivia"])
def test_an_evening_becomes_a_record_without_a_finding(
    rules: str, page: Any, tmp_path: Path
) -> None:
    taps = long_evening(rules, 4)
    path = tmp_path / "evening.canasta"
    path.write_text(wander(page, taps, Random(rules)), "utf-8")
    assert no_finding(path) == []
    assert claims(path) == taps.claims
    for side, claimed in taps.claims[-1].items():
        assert page.inner_text(f"[data-total={side}]") == str(claimed["total"])


def test_every_figure_of_a_row_comes_back_and_can_be_changed(page: Any) -> None:
    address = begin(page)
    held = {
        "counts": {"natural": 1, "mixed": 2, "red3": 1}, "melds": "365", "hand": "90", "out": "S",
        "concealed": True, "items": {}, "special": "",
        "penalties": [{"points": "100", "why": "ask"}],
    }  # fmt: skip
    figures(page, "NS", held)
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '1575'")
    enter(page, 1)
    text = kept_games(page)[0]["text"]
    assert "end out S concealed\n" in text
    assert "penalty NS 100 ask\n" in text
    tap(page, "deal 1")
    key(page, "leave").wait_for()
    assert key(page, "NS melds").input_value() == "365"
    tap(page, "NS mixed -")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '1275'")
    tap(page, "enter")
    key(page, "paper done").wait_for()
    assert "total NS 1275 EW 0" in kept_games(page)[0]["text"]
    tap(page, "undo")
    wait(page, "document.querySelector('[data-total=NS]').textContent === '1575'")
    assert kept_games(page)[0]["text"] == text
    assert page.evaluate("location.hash") == address


def test_a_bonus_can_be_added_in_a_game_that_has_one(page: Any) -> None:
    begin(page)
    assert key(page, "NS penalty +").count() and not key(page, "NS bonus +").count()
    text = kept_games(page)[0]["text"]
    page.evaluate("location.hash = 'paste'")
    rows = "bonus NS 50 cut\nscore NS 50 = bonus 50\nscore EW 0\ntotal NS 50 EW 0\n"
    page.fill("main textarea", f"{text}\ndeal 1 dealer N\n{rows}")
    tap(page, "keep")
    key(page, "EW cards").wait_for()
    ruling(page, "EW bonus", 0, {"points": "100", "why": "deal"})
    come_to(page, "EW", 100)
    enter(page, 2)
    assert "bonus EW 100 deal\nscore NS 0\nscore EW 100 =" in kept_games(page)[0]["text"]


def test_a_score_on_paper_that_differs_is_explained(page: Any) -> None:
    begin(page)
    tap(page, "NS red3 1")
    key(page, "NS cards").fill("-30")
    tap(page, "key ±")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '130'")
    entered(page)
    key(page, "NS paper").fill("-70")
    page.get_by_text("\u221270 is 200 too low: the row comes to 130").wait_for()
    page.get_by_role("button", name="we play so").click()
    wait(page, "document.querySelector('[data-total=NS]').textContent === '-70'")
    assert "no-canasta" in kept_games(page)[0]["text"]


def test_how_the_deal_ended_is_asked_once(page: Any) -> None:
    begin(page)
    tap(page, "NS mixed +")
    key(page, "NS cards").fill("100")
    tap(page, "enter")
    page.get_by_role("alert").filter(has_text="Who went out?").wait_for()
    assert "deal 1" not in kept_games(page)[0]["text"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.key") == "ask out N"
    page.keyboard.press("Enter")
    key(page, "paper done").wait_for()
    assert "end out N\nscore NS 500 = mixed 300 out 100 cards 100" in kept_games(page)[0]["text"]
    tap(page, "paper done")
    entered(page, "stock")
    assert "end stock" in kept_games(page)[0]["text"]
    tap(page, "deal 2")
    page.get_by_text("Change deal 2").wait_for()
    assert key(page, "end stock").get_attribute("aria-pressed") == "true"
    tap(page, "NS mixed +")
    tap(page, "enter")
    key(page, "paper done").wait_for()
    assert "end stock\nscore NS 300 = mixed 300" in kept_games(page)[0]["text"]
    tap(page, "deal 2")
    page.get_by_text("Change deal 2").wait_for()
    tap(page, "NS out S")
    wait(page, "document.querySelector('[data-key=\"end stock\"]').offsetParent === null")
    tap(page, "enter")
    key(page, "paper done").wait_for()
    assert "end out S\nscore NS 400 = mixed 300 out 100" in kept_games(page)[0]["text"]


def lines(page: Any) -> list[str]:
    """Return the score lines of the last deal of the last game."""
    deal = kept_games(page)[0]["text"].split("\n\n")[-1]
    return [line for line in deal.splitlines() if line.startswith("score")]


def test_a_score_on_paper_that_differs_is_kept_by_the_button_that_goes_on(page: Any) -> None:
    begin(page)
    tap(page, "NS mixed +")
    entered(page, "stock")
    key(page, "NS paper").fill("600")
    page.get_by_text("It may be:").wait_for()
    assert "mixed canastas: 2 instead of 1" in page.inner_text("main")
    tap(page, "paper done")
    wait(page, "document.querySelector('[data-key=\"paper done\"]') === null")
    assert lines(page) == ["score NS 600 = mixed 300 cards 0", "score EW 0"]
    assert page.inner_text("[data-claim='1 NS']").split() == ["600", "row:", "300"]
    note = page.locator("[data-difference='1 NS']")
    assert "600 is 300 too high: the row comes to 300" in note.inner_text()
    assert "mixed canastas: 2 instead of 1" in note.inner_text()
    # An earlier row is changed: its score on paper stays until it is cleared or agrees.
    tap(page, "deal 1")
    key(page, "EW cards").fill("20")
    tap(page, "enter")
    key(page, "NS paper").wait_for()
    assert key(page, "NS paper").input_value() == "600"
    assert lines(page) == ["score NS 600 = mixed 300 cards 0", "score EW 20 = cards 20"]
    key(page, "NS paper").fill("")
    tap(page, "paper done")
    wait(page, "document.querySelector('[data-key=\"paper done\"]') === null")
    assert lines(page) == ["score NS 300 = mixed 300 cards 0", "score EW 20 = cards 20"]
    assert page.locator("[data-claim], [data-difference]").count() == 0


def test_what_a_script_taps_at_once_is_not_lost(page: Any) -> None:
    """A tap and the button after it in one moment: faster than anything can be stored."""
    begin(page)
    page.evaluate("""() => {
      const key = (name) => document.querySelector(`[data-key="${name}"]`);
      for (const name of ["NS mixed +", "NS mixed +", "NS out N", "enter"]) key(name).click();
    }""")
    key(page, "paper done").wait_for()
    assert lines(page)[0] == "score NS 700 = mixed 600 out 100 cards 0"
    page.evaluate("""() => {
      const key = (name) => document.querySelector(`[data-key="${name}"]`);
      const paper = key("NS paper");
      paper.value = "400";
      paper.dispatchEvent(new Event("input", { bubbles: true }));
      key("paper done").click();
    }""")
    page.get_by_text("400 is 300 too low: the row comes to 700").first.wait_for()
    key(page, "NS correct").wait_for()
    wait(page, "!document.querySelector('[data-key=\"paper done\"]').closest('fieldset').disabled")
    assert lines(page)[0] == "score NS 400 = mixed 600 out 100 cards 0"
    tap(page, "paper done")
    wait(page, "document.querySelector('[data-key=\"paper done\"]') === null")
    assert page.locator("[data-difference='1 NS']").is_visible()


def test_scores_on_paper_are_kept_whatever_is_tapped_next(page: Any) -> None:
    begin(page)
    entered(page)
    key(page, "EW paper").fill("4x")
    tap(page, "paper done")
    page.get_by_text("4x is not a number of points").first.wait_for()
    assert key(page, "EW paper").input_value() == "4x"
    key(page, "EW paper").fill("200")
    # One side's row is corrected: the other side's score on paper waits.
    tap(page, "EW correct")
    key(page, "NS cards").fill("50")
    tap(page, "enter")
    key(page, "EW paper").wait_for()
    assert key(page, "EW paper").input_value() == "200"
    # One side's score is decided: the panel stays for the other one.
    key(page, "NS paper").fill("150")
    tap(page, "NS as on paper")
    wait(page, "document.querySelector('[data-claim=\"1 NS\"]') !== null")
    assert key(page, "EW paper").input_value() == "200"
    # The next deal is entered without going on.
    tap(page, "EW mixed +")
    tap(page, "enter")
    tap(page, "ask end unknown")
    key(page, "deal 2").wait_for()
    text = kept_games(page)[0]["text"]
    assert "score NS 150 = cards 50\nscore EW 200 = cards 0\ntotal NS 150 EW 200" in text
    assert "total NS 150 EW 500" in text
    # The record is shared without going on.
    key(page, "EW paper").fill("500")
    page.get_by_text("500 is 200 too high").wait_for()
    page.get_by_role("button", name="check, replay, share").click()
    wait(page, "document.querySelector('main[data-screen=game]') !== null")
    assert lines(page)[1] == "score EW 500 = mixed 300 cards 0"


def test_what_rules_forbid_is_refused_and_can_be_written(page: Any) -> None:
    begin(page)
    key(page, "NS cards").fill("273")
    tap(page, "enter")
    page.get_by_role("button", name="write it anyway").click()
    wait(page, "document.querySelector('[data-key=\"NS cards\"]') === null")
    assert "cards 273" in kept_games(page)[0]["text"]
    entered(page)


# --- records --------------------------------------------------------------------------------------


def test_verdicts_and_scores_are_those_of_the_program(page: Any) -> None:
    for path in SAMPLES:
        text = path.read_text("utf-8")
        judged = json.loads(RUN.invoke(app, ["validate", "--json", str(path)]).stdout)["files"][0]
        answer = ask(page, "verdict", text)
        for each in answer["findings"]:
            del each["shown"]
        assert (answer["verdict"], answer["findings"]) == (judged["verdict"], judged["findings"])
        audited = json.loads(RUN.invoke(app, ["audit", "--json", str(path)]).stdout)["files"][0]
        assert ask(page, "audit", text)["games"] == audited["games"]


def test_a_finding_leads_to_its_line_and_the_text_is_kept(page: Any) -> None:
    path = SAMPLES[0].parent / "broken" / "pile-frozen.canasta"
    page.evaluate("location.hash = 'paste'")
    page.fill("main textarea", path.read_text("utf-8"))
    wait(page, "document.querySelector('[data-finding=pile-frozen]') !== null")
    before = len(kept_games(page))
    tap(page, "keep")
    wait(page, "document.querySelector('main[data-screen=game] [data-finding]') !== null")
    assert len(kept_games(page)) == before + 1
    page.click("[data-finding=pile-frozen] button")
    line = page.evaluate(
        "(() => { const box = document.querySelector('textarea');"
        "return box.value.slice(box.selectionStart, box.selectionEnd); })()"
    )
    assert line.startswith("5. E ^Kd")


def test_a_replay_and_the_scores_are_shown(page: Any) -> None:
    page.evaluate("location.hash = 'paste'")
    page.fill("main textarea", (SAMPLES[0].parent / "first-deal.canasta").read_text("utf-8"))
    tap(page, "keep")
    wait(page, "document.querySelector('.verdict')?.textContent === 'verified'")
    page.get_by_role("button", name="how the scores").click()
    page.get_by_text("natural").first.wait_for()
    page.click("#back")
    page.get_by_role("button", name="replay").click()
    frame = page.frame_locator("iframe")
    frame.locator(".cover h1").wait_for()


def test_a_link_is_shown_before_it_is_kept(page: Any, phone: Visit) -> None:
    text = (SAMPLES[0].parent / "score-sheet-1.canasta").read_text("utf-8")
    link = page.evaluate("async (text) => (await import('./links.js')).linkTo(text)", text)
    assert len(link) < 1100
    before = len(kept_games(page))
    page.goto(link)
    wait(page, "document.querySelector('main[data-screen=paste] textarea') !== null")
    assert page.input_value("main textarea") == text
    page.wait_for_timeout(300)
    assert len(kept_games(page)) == before
    tap(page, "keep")
    wait(page, "document.querySelector('main[data-screen=pad]') !== null")
    assert kept_games(page)[0]["text"] == text


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("g=Bxyz", "another version"),
        ("g=A!!!!", "damaged"),
        ("g=AAAAA", "damaged"),
        ("large", "more than 64 kB"),
    ],
)
def test_a_wrong_link_is_refused_in_words(fragment: str, said: str, page: Any) -> None:
    if fragment == "large":
        fragment = page.evaluate(
            "async () => 'g=' + await (await import('./links.js')).packed('x'.repeat(70000))"
        )
    page.goto(page.url.split("#")[0] + "#" + fragment)
    page.get_by_role("alert").filter(has_text=said).wait_for()


def test_a_record_is_shared_as_a_file_without_names(page: Any) -> None:
    page.evaluate("location.hash = 'paste'")
    page.fill("main textarea", '[CGN "1"]\n[N "José"]\n[Dealer "N"]\n\ndeal 1 dealer N\n')
    tap(page, "keep")
    page.get_by_role("button", name="share").click()
    page.get_by_label("without the names").check()
    with page.expect_download() as waited:
        page.get_by_role("button", name="share the file").click()
    text = Path(waited.value.path()).read_text("utf-8")
    assert "José" not in text
    assert "deal 1 dealer N" in text


def test_a_record_full_of_markup_is_text(page: Any) -> None:
    bad = '<img src=x onerror=\\"document.title=1\\"><b>'
    tags = "".join(f'[{name} "{bad}"]\n' for name in ("Event", "N", "E", "S", "W", "Source"))
    text = f'[CGN "1"]\n{tags}[Dealer "N"]\n\ndeal 1 dealer N\nscore NS 5 ; {bad}\nscore EW 5\n'
    page.evaluate("location.hash = 'paste'")
    page.fill("main textarea", text)
    tap(page, "keep")
    wait(page, "document.querySelector('main[data-screen=pad] table') !== null")
    assert page.locator("main img, main table b").count() == 0
    page.evaluate("location.hash = ''")
    page.get_by_text("<img").first.wait_for()


def test_players_stand_by_evening_with_the_games_of_other_tables(page: Any) -> None:
    page.evaluate("async () => (await import('./store.js')).removeAll()")
    own, other = sheet("2026-11-28", 5100, 20), sheet("2026-11-29", 30, 5040)
    page.evaluate("async text => (await import('./store.js')).add(text)", own)
    link = page.evaluate("async text => (await import('./links.js')).linkTo(text)", other)
    page.evaluate("location.hash = 'players'")
    page.locator("[data-standings] tbody tr").first.wait_for()
    fill(page, "links", f"{link}\n\n{link}")
    tap(page, "add")
    page.locator("[data-standings] td", has_text="5070").first.wait_for()
    rows = page.locator("[data-standings] tbody tr").all_inner_texts()
    assert rows[0].split("\t") == ["Ana", "2", "2", "10140", "5070", "5100"]
    page.evaluate("location.hash = 'players/2026-11-29'")
    page.locator("[data-standings] td", has_text="5040").first.wait_for()
    assert key(page, "evening").input_value() == "2026-11-29"
    fill(page, "links", "nothing")
    tap(page, "add")
    assert "nothing" in page.locator(".bad").inner_text()
    files = [{"name": f"{at}.canasta", "mimeType": "text/plain",
              "buffer": sheet("2026-11-29", at, 0).encode()} for at in (1, 2)]  # fmt: skip
    key(page, "files").set_input_files(files)
    page.get_by_text("2 games were added.").wait_for()
    assert len(kept_games(page)) == 4


def sheet(date: str, ours: int, theirs: int) -> str:
    """Return a game of one deal on a score sheet; Ana sits North, then East."""
    ana, eve = ("N", "E") if ours > theirs else ("E", "N")
    return (
        f'[CGN "1"]\n[Rules "classic"]\n[Date "{date}"]\n[{ana} "Ana"]\n[{eve} "Eve"]\n'
        f"deal 1 dealer N\nscore NS {ours}\nscore EW {theirs}\n"
    )


def test_the_scores_are_shared_as_a_picture(page: Any) -> None:
    text = sheet("2026-11-28", 5100, 20).replace("Ana", "A player with a name of many letters" * 3)
    page.evaluate(
        """async text => {
          const { add } = await import('./store.js');
          location.hash = `game/${(await add(text)).id}`;
        }""",
        text,
    )
    page.get_by_role("button", name="share", exact=True).click()
    with page.expect_download() as got:
        tap(page, "picture")
    picture = Path(got.value.path()).read_bytes()
    assert got.value.suggested_filename.endswith(".png") and picture[:4] == b"\x89PNG"
    assert struct.unpack(">II", picture[16:24]) == (1080, 60 * 2 + 74 * 6)


def test_deleting_can_be_taken_back(page: Any) -> None:
    begin(page)
    page.evaluate("location.hash = ''")
    page.locator(".games li summary").first.click()
    before = page.locator(".games li").count()
    page.get_by_role("button", name="delete").first.click()
    wait(page, f"document.querySelectorAll('.games li').length === {before - 1}")
    page.locator(".remark button").click()
    wait(page, f"document.querySelectorAll('.games li').length === {before}")


# --- what is stored -------------------------------------------------------------------------------


def test_a_first_visit_loads_each_file_once_and_then_needs_no_net(visit: Visit, host: Host) -> None:
    begun = perf_counter()
    page = visit.start()
    assert perf_counter() - begun < _SLACK * _FIRST_START
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()")
    once = {name: number for name, number in host.served.items() if name != "sw.js"}
    assert {*once} == {*built()} - {"sw.js"}
    assert {*once.values()} == {1}
    assert host.bytes < 7_600_000
    host.up = False
    visit.context.set_offline(True)
    page.reload()
    until_ready(page)
    begin(page)
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '300'")
    enter(page, 1)
    page.get_by_role("button", name="check, replay, share").click()
    page.get_by_role("button", name="replay").click()
    page.frame_locator("iframe").locator(".cover h1").wait_for()
    page.click("#back")
    page.get_by_role("button", name="share").click()
    with page.expect_download():
        page.get_by_role("button", name="share the file").click()


def test_a_killed_browser_has_lost_no_tap(playwright: Any, host: Host, tmp_path: Path) -> None:
    assert kill_rounds(playwright, host, tmp_path, _KILLS) == []


def test_taps_count_before_the_referee_is_ready(visit: Visit, host: Host) -> None:
    page = visit.start()
    address = begin(page)
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()")
    page.evaluate("caches.delete('canasta-snapshots')")
    page.reload()
    key(page, "NS mixed +").wait_for()
    assert state(page) == "starting"
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('.count:not(:empty)') !== null")
    assert state(page) == "starting"
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '300'")
    assert page.evaluate("location.hash") == address


def test_two_tabs_never_lose_a_tap(visit: Visit) -> None:
    first = visit.start()
    address = begin(first)
    second = visit.tab()
    second.goto(visit.host.url + address)
    until_ready(second)
    second.get_by_role("button", name="take over").wait_for()
    tap(first, "NS mixed +")
    wait(second, "document.querySelectorAll('.count')[1].textContent === '1'")
    assert key(second, "NS mixed +").is_disabled()
    second.get_by_role("button", name="take over").click()
    wait(second, "!document.querySelector('fieldset').disabled")
    tap(second, "NS mixed +")
    first.get_by_role("button", name="take over").wait_for()
    wait(first, "document.querySelectorAll('.count')[1].textContent === '2'")
    [game] = kept_games(first)
    assert game["draft"]["rows"]["NS"]["counts"] == {"mixed": 2}


def test_two_tabs_that_tap_at_once_lose_nothing_that_was_shown(visit: Visit) -> None:
    """The second tab takes over while the first one is tapped."""
    first = visit.start()
    address = begin(first)
    second = visit.tab()
    second.goto(visit.host.url + address)
    until_ready(second)
    second.get_by_role("button", name="take over").wait_for()
    first.evaluate(
        "window.taps = setInterval(() => "
        "document.querySelector('[data-key=\"NS mixed +\"]').click(), 5)"
    )
    second.get_by_role("button", name="take over").click()
    wait(second, "!document.querySelector('fieldset').disabled")
    for _ in range(5):
        tap(second, "EW natural +")
    first.evaluate("clearInterval(window.taps)")
    wait(second, "document.querySelectorAll('.side')[1].querySelector('b').textContent === '5'")
    shown = [
        [each.inner_text() for each in page.query_selector_all(".count")]
        for page in (first, second)
    ]
    rows = kept_games(first)[0]["draft"]["rows"]
    assert rows["EW"]["counts"] == {"natural": 5}
    assert shown[0][1] == shown[1][1] == str(rows["NS"]["counts"]["mixed"])


def changed(found: dict[str, bytes], *names: str) -> dict[str, bytes]:
    """Return another version of the files, in which some differ."""
    import hashlib
    import re
    from base64 import b64encode

    fresh = {name: data + (b"\n" if name in names else b"") for name, data in found.items()}
    listed = re.search(rb"const FILES = (.*);", fresh["sw.js"])
    assert listed is not None
    lines = []
    for name, _, _ in json.loads(listed[1]):
        data = fresh["index.html" if name == "./" else name]
        sri = f"sha256-{b64encode(hashlib.sha256(data).digest()).decode()}"
        lines.append([name, sri, len(data)])
    text = fresh["sw.js"].replace(listed[1], json.dumps(lines).encode())
    fresh["sw.js"] = re.sub(rb"canasta-\w{12}", b"canasta-" + b"f" * 12, text)
    return fresh


def caches(page: Any) -> list[str]:
    found: list[str] = page.evaluate("caches.keys()")
    return sorted(found)


def test_a_new_version_waits_until_it_is_asked_for(visit: Visit, host: Host) -> None:
    page = visit.start()
    address = begin(page)
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '300'")
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()")
    host.files = changed(host.files, "app.css", "index.html")
    host.served.clear()
    page.reload()
    wait(page, "document.getElementById('state').dataset.state === 'update'")
    assert {*host.served} - {"sw.js"} == {"app.css", "index.html"}
    key(page, "NS mixed +").wait_for()
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '600'")
    assert len(caches(page)) == 3
    page.click("#act")
    wait(page, "document.getElementById('state')?.dataset.state === 'ready'")
    wait(page, "document.querySelector('[data-sum=NS]')?.textContent === '600'")
    assert caches(page) == ["canasta-ffffffffffff", "canasta-snapshots"]
    assert page.evaluate("location.hash") == address


def test_a_new_python_part_has_a_new_snapshot(visit: Visit, host: Host) -> None:
    page = visit.start()
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()")
    fresh = changed(host.files)
    old = fresh["worker.js"].split(b'"snapshot-')[1][:12]
    fresh["worker.js"] = fresh["worker.js"].replace(old, b"e" * 12)
    host.files = changed(fresh)
    page.reload()
    wait(page, "document.getElementById('state').dataset.state === 'update'")
    page.click("#act")
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()", 90)
    kept = page.evaluate(
        "(async () => (await (await caches.open('canasta-snapshots')).keys()).map((r) => r.url))()"
    )
    assert [url.rsplit("/", 1)[1] for url in kept] == ["snapshot-eeeeeeeeeeee"]


@pytest.mark.parametrize("how", ["a hash", "cut off"])
def test_a_damaged_new_version_leaves_the_old_one(how: str, visit: Visit, host: Host) -> None:
    visit.expected = ("integrity", "Failed to", "ERR_", "error occurred")
    page = visit.start()
    begin(page)
    good = dict(host.files)
    host.files = changed(good, "app.css", "dom.js")
    if how == "a hash":
        host.files["app.css"] += b"x"
    else:
        host.broken = {"app.css"}
    page.reload()
    until_ready(page)
    page.wait_for_timeout(1500)
    assert state(page) == "ready"
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '300'")
    host.broken = set()
    host.files = changed(good, "app.css", "dom.js")
    host.served.clear()
    page.reload()
    wait(page, "document.getElementById('state').dataset.state === 'update'")
    assert host.served["dom.js"] == 0
    page.click("#act")
    wait(page, "document.getElementById('state')?.dataset.state === 'ready'")
    assert [name for name in caches(page) if name != "canasta-snapshots"] == [
        "canasta-ffffffffffff"
    ]


def test_a_first_visit_that_cannot_store_works_and_says_so(visit: Visit, host: Host) -> None:
    visit.expected = ("integrity", "Failed to", "error occurred", "ERR_")
    host.files["NOTICES.txt"] += b"x"
    page = visit.page
    page.goto(host.url)
    wait(page, "document.getElementById('state').dataset.state === 'unsaved'")
    assert "needs the net" in page.inner_text("#state")
    page.click("#act")
    wait(page, "document.getElementById('state').dataset.state === 'ready'")
    begin(page)


@pytest.mark.parametrize("damage", ["half", "none", "noise"])
def test_a_damaged_snapshot_is_built_again(damage: str, visit: Visit) -> None:
    page = visit.start()
    wait(page, "(async () => 'kept' in (await import('./referee.js')).timings)()")
    page.evaluate(
        """async (damage) => {
          const kept = await caches.open("canasta-snapshots");
          const [key] = await kept.keys();
          const bytes = new Uint8Array(await (await kept.match(key)).arrayBuffer());
          const put = { half: bytes.slice(0, bytes.length / 2), none: new Uint8Array(0),
            noise: bytes.map((byte, at) => at > 1e6 ? byte ^ 85 : byte) }[damage];
          await kept.put(key, new Response(put));
        }""",
        damage,
    )
    page.reload()
    until_ready(page)
    timings = page.evaluate("(async () => (await import('./referee.js')).timings)()")
    assert "damaged" in timings
    assert "warmed" in timings


def test_no_room_for_the_snapshot_is_no_failure(visit: Visit, host: Host) -> None:
    visit.expected = ("Quota",)
    page = visit.page
    session = visit.context.new_cdp_session(page)
    session.send(
        "Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/"), "quotaSize": 18_000_000}
    )
    page.goto(host.url)
    until_ready(page)
    wait(page, "(async () => 'unkept' in (await import('./referee.js')).timings)()")
    begin(page)
    tap(page, "NS mixed +")
    wait(page, "document.querySelector('[data-sum=NS]').textContent === '300'")


def test_a_tap_without_room_is_reported_and_not_shown_as_saved(visit: Visit) -> None:
    page = visit.start()
    begin(page)
    page.evaluate("""() => {
      const full = () => { throw new DOMException("full", "QuotaExceededError"); };
      IDBObjectStore.prototype.put = full;
    }""")
    visit.expected = ("full",)
    tap(page, "NS mixed +")
    wait(page, "document.getElementById('state').dataset.state === 'unsaved'")
    assert "NOT SAVED: full" in page.inner_text("#state")
    assert page.locator(".count").nth(1).inner_text() == "0"


def test_a_worker_that_dies_is_started_again_and_asked_again(page: Any) -> None:
    text = SAMPLES[0].read_text("utf-8")
    verdict = page.evaluate(
        """async (text) => {
          const { ask } = await import("./referee.js");
          const send = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function () {
            Worker.prototype.postMessage = send;
            this.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
          };
          return (await ask("verdict", [text])).verdict;
        }""",
        text,
    )
    assert verdict in ("verified", "undetermined")
    assert state(page) == "ready"


# --- looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme: str, page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs `browser`")
    page.emulate_media(color_scheme=scheme)
    script = axe.Axe().axe_script
    wrong = [f"{name}: {each}" for name in screens(page) for each in axe_finds(page, script)]
    page.emulate_media(color_scheme="light")
    assert wrong == []


@pytest.mark.parametrize(
    ("width", "height", "big"), [(360, 740, 16), (320, 640, 16), (740, 360, 16), (360, 740, 32)]
)
def test_everything_fits_a_phone(width: int, height: int, big: int, page: Any) -> None:
    """With type of twice the size, words may be broken."""
    page.set_viewport_size({"width": width, "height": height})
    wrong = []
    for name in screens(page):
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{big}px")
        found = page.evaluate(f"({FIT})()")
        if big == 16:
            found += page.evaluate(f"({WHOLE})()")
        wrong += [f"{name}: {each}" for each in found]
    page.set_viewport_size(PHONE)
    assert wrong == []


# --- budgets --------------------------------------------------------------------------------------

#: The figures of the contract, in ms, and how much more a busy machine may take.
_SLACK = 2
_TAP, _SUM, _VERDICT, _SCREEN, _LATER_START = 50, 60, 150, 300, 1_500
#: How many seconds a start takes that loads and builds everything.
_FIRST_START = 7


def test_budgets(page: Any, phone: Visit) -> None:
    begin(page)
    club = (SAMPLES[0].parent / "thursday-club.canasta").read_text("utf-8")
    found = page.evaluate(
        """async (club) => {
          const { ask } = await import("./referee.js");
          const middle = (times) => times.sort((a, b) => a - b)[times.length >> 1];
          const frame = () => new Promise(requestAnimationFrame);
          const until = async (test) => { while (!test()) await frame(); };
          const count = () => document.querySelectorAll(".count")[1].textContent;
          const sum = () => document.querySelector("[data-sum=NS]").textContent;
          const taps = [], sums = [], verdicts = [];
          for (let at = 1; at <= 9; at += 1) {
            const begun = performance.now();
            document.querySelector('[data-key="NS mixed +"]').click();
            await until(() => count() === String(at));
            taps.push(performance.now() - begun);
            await until(() => sum() === String(300 * at));
            sums.push(performance.now() - begun);
          }
          for (let at = 0; at < 5; at += 1) {
            const begun = performance.now();
            await ask("verdict", [club]);
            verdicts.push(performance.now() - begun);
          }
          return { tap: middle(taps), sum: middle(sums), verdict: middle(verdicts) };
        }""",
        club,
    )
    begun = perf_counter()
    page.reload()
    until_ready(page)
    found["later start"] = 1_000 * (perf_counter() - begun)
    found["screen"] = page.evaluate(
        "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    )
    timings = page.evaluate("(async () => (await import('./referee.js')).timings)()")
    print({name: round(value) for name, value in found.items()}, timings)
    assert found["tap"] < _SLACK * _TAP
    assert found["sum"] - found["tap"] < _SLACK * _SUM
    assert found["verdict"] < _SLACK * _VERDICT
    assert found["screen"] < _SLACK * _SCREEN
    assert found["later start"] < _SLACK * _LATER_START
    assert timings["heap"] < 48 * 2**20
    used = page.evaluate("(async () => (await navigator.storage.estimate()).usage)()")
    assert used < 30_000_000
