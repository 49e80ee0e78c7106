"""Pictures of the web application for the README: `python -m tests.app_pictures` writes them.

Needs what the tests of the application need (CONTRIBUTING.md).
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, Final

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.app_host import Host, built, launch, until_ready, wait
from tests.app_taps import key, tap
from tests.page_pictures import FOLDER, LIMIT
from tests.pages import SAMPLES

_SHEET: Final = SAMPLES / "score-sheet-1.canasta"
_PLAYERS: Final = '[N "Ana"]\n[E "Ben"]\n[S "José"]\n[W "Eva"]\n'
_QUALITY: Final = 70
#: What is tapped for the last deal of the sheet, up to the tap that enters it.
_TAPS: Final = ("NS mixed +", "NS mixed +", "key 9", "key \u00d710", "key 5", "key \u00d75")


def main() -> None:
    """Write both pictures."""
    text = _SHEET.read_text("utf-8").replace("[Dealer", f"{_PLAYERS}[Dealer", 1)
    with sync_playwright() as playwright:
        browser, host = launch(playwright), Host(built())
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto(host.url)
        until_ready(page)
        begun = re.sub(r"\[Result .*\]\n", "", text[: text.rindex("\ndeal ")])
        page.evaluate("(to) => { location.hash = to; }", f"pad/{_kept(page, begun)}")
        key(page, "enter").wait_for()
        for name in _TAPS:
            tap(page, name)
        wait(page, "document.querySelector('[data-counted=NS]').textContent.includes('=')")
        _write(page, "app-pad")
        page.evaluate("(to) => { location.hash = to; }", f"game/{_kept(page, text)}")
        wait(page, "document.querySelector('.verdict') !== null")
        page.get_by_role("button", name="replay").click()
        page.frame_locator("iframe").locator("h1.sides").wait_for()
        page.wait_for_timeout(500)
        _write(page, "app-replay")
        browser.close()


def _kept(page: Any, text: str) -> str:
    """Keep a record and return its name in addresses."""
    script = "async (text) => (await (await import('./store.js')).add(text, { pad: true })).id"
    found: str = page.evaluate(script, text)
    return found


def _write(page: Any, name: str) -> None:
    path = FOLDER / f"{name}.webp"
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
    shot.save(path, quality=_QUALITY, method=6)
    size = path.stat().st_size
    assert size < LIMIT, f"{path}: {size} bytes"
    print(f"{path}: {size} bytes")


if __name__ == "__main__":
    main()
