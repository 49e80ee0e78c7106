"""The page of exercises in a browser: by touch and by keys, what is due, the file of progress.

Skipped without a browser, as the tests of the page are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from canasta_notation.exercises.exercise import Exercise
from canasta_notation.exercises.learn_page import learn_page
from canasta_notation.exercises.progress import LearnerProgress, read_progress
from tests.exercise_games import exercises_of, keeps_text

PHONE = {"width": 360, "height": 740}
NOW = datetime(2026, 11, 30, 20, tzinfo=UTC)
RIGHT, WRONG = "Right.", "There was something better."
DONE = "Nothing more is due today."
#: A text of a record that a page could take for markup.
HOSTILE = "</script><img src=x onerror=alert(1)>"


def three() -> list[Exercise]:
    """Return three exercises: a table with its question, and the same under other ids."""
    [first] = exercises_of(keeps_text())
    return [first, replace(first, id="second", file=HOSTILE), replace(first, id="third")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with sync.sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(
                executable_path=which("chromium"), args=["--no-sandbox"], timeout=30_000
            )
        except sync.Error as why:
            pytest.skip(f"no browser is installed (apt-get install chromium): {why}")
        yield started
        started.close()


@pytest.fixture
def tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A tab of a phone with the page, in which no error may occur and nothing may be loaded."""
    context = browser.new_context(viewport=PHONE, has_touch=True, accept_downloads=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.clock.install(time=NOW)
    path = tmp_path / "ana.html"
    path.write_text(learn_page(three(), "Ana"), "utf-8")
    page.goto(path.as_uri())
    yield page
    context.close()
    assert [text for text in wrong if not text.startswith(("file:", "data:", "blob:"))] == []


def place(*, right: bool) -> int:
    """Return the index of an answer that is right, or of one that is not."""
    return [each.right for each in three()[0].answers].index(right)


def kept(tab: Any) -> dict[str, Any]:
    return json.loads(tab.evaluate("localStorage.getItem('canasta-learn') || '{}'")).get(
        "cards", {}
    )


def test_exercises_are_answered_by_touch(tab: Any) -> None:
    for at, right in enumerate((True, False, True)):
        assert tab.locator("ol button").count() == len(three()[0].answers)
        assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert "How it went on" not in tab.locator("main").inner_text()
        tab.locator("ol button").nth(place(right=right)).tap()
        shown = tab.locator("main").inner_text()
        assert (RIGHT if right else WRONG) in shown and "How it went on" in shown
        assert (HOSTILE in shown) == (at == 1)
        tab.locator("#next").tap()
    assert DONE in tab.locator("main").inner_text()
    assert [*kept(tab)] == [each.id for each in three()]
    tab.reload()
    assert DONE in tab.locator("main").inner_text()
    tab.locator("#all").tap()
    assert "Open, or wait?" in tab.locator("main").inner_text()
    assert all(
        box["height"] >= 44
        for box in tab.locator("ol button").all()
        for box in [box.bounding_box()]
    )


def test_exercises_are_answered_by_keys(tab: Any) -> None:
    for right in (False, True, False):
        tab.keyboard.press("9")
        assert tab.locator("#next").count() == 0
        tab.keyboard.press(str(place(right=right) + 1))
        assert (RIGHT if right else WRONG) in tab.locator("main").inner_text()
        tab.keyboard.press(str(place(right=True) + 1))
        assert (RIGHT if right else WRONG) in tab.locator("main").inner_text()
        tab.keyboard.press("Enter")
    assert DONE in tab.locator("main").inner_text()


def test_a_keyboard_reaches_every_answer(tab: Any) -> None:
    for _ in range(place(right=True) + 1):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert RIGHT in tab.locator("main").inner_text()


def test_a_page_schedules_as_the_library_does(tab: Any) -> None:
    """What was answered before comes first, on the day on which it is due."""
    answers = ((0, True), (0, False), (2, True), (9, True), (30, False), (33, True), (200, True))
    progress, exercise = LearnerProgress(), three()[0]
    card = None
    for days, right in answers:
        now = NOW + timedelta(days=days)
        progress.answer(exercise, right=right, now=now)
        arguments = [card, right, now.isoformat()]
        card = tab.evaluate("([card, right, at]) => reviewed(card, right, new Date(at))", arguments)
        expected = progress.to_json()["cards"][exercise.id]
        assert card["stability"] == pytest.approx(expected["stability"])
        assert card["difficulty"] == pytest.approx(expected["difficulty"])
        assert datetime.fromisoformat(card["due"]) == datetime.fromisoformat(expected["due"])


def test_what_is_due_again_comes_first(tab: Any) -> None:
    tab.locator("ol button").nth(place(right=False)).tap()
    tab.locator("#next").wait_for()
    tab.clock.set_fixed_time(NOW + timedelta(days=2))
    tab.reload()
    queue = "due(new Date()).map((each) => each.id)"
    assert tab.evaluate(queue) == [each.id for each in three()]
    tab.locator("ol button").nth(place(right=True)).tap()
    tab.locator("#next").wait_for()
    tab.reload()
    assert tab.evaluate(queue) == ["second", "third"]


def test_progress_goes_to_a_file_and_back(tab: Any, tmp_path: Path) -> None:
    tab.keyboard.press(str(place(right=True) + 1))
    with tab.expect_download() as waiting:
        tab.locator("#save").tap()
    saved = tmp_path / "saved.json"
    waiting.value.save_as(saved)
    assert [*read_progress(saved).to_json()["cards"]] == [three()[0].id]
    tab.evaluate("localStorage.clear()")
    tab.reload()
    assert tab.evaluate("due(new Date()).length") == 3
    tab.locator("input[type=file]").set_input_files(saved)
    tab.wait_for_function("due(new Date()).length === 2")
    assert [*kept(tab)] == [three()[0].id]


@pytest.mark.parametrize(
    "held", ["nothing", '{"format": "canasta-learn", "version": 0, "cards": {}}']
)
def test_progress_of_another_version_is_not_overwritten(
    tab: Any, held: str, tmp_path: Path
) -> None:
    tab.evaluate("(held) => localStorage.setItem('canasta-learn', held)", held)
    tab.reload()
    refused = "no progress that this page can read"
    assert refused in tab.locator("footer").inner_text()
    tab.keyboard.press(str(place(right=True) + 1))
    assert tab.evaluate("localStorage.getItem('canasta-learn')") == held
    tab.evaluate("localStorage.clear()")
    tab.reload()
    assert refused not in tab.locator("footer").inner_text()
    wrong = tmp_path / "wrong.json"
    wrong.write_text(held)
    tab.locator("input[type=file]").set_input_files(wrong)
    tab.wait_for_function(f"said.textContent.includes('{refused}')")
    assert kept(tab) == {}
