"""The looks of the web application: what axe finds, what does not fit, words that are broken.

`python -m tests.app_looks` goes through all screens in every language, at two sizes of a phone,
light and dark, and lists what is wrong. `--axe FILE` uses another axe-core than that of the extra
`browser`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from canasta_notation.language.languages import LANGUAGES
from tests.app_host import Host, built, launch, until_ready, wait
from tests.app_taps import begin, enter, entered, fill, key, tap

SIZES: Final = ((360, 740), (320, 640))
THEMES: Final = ("light", "dark")
_BROKEN = Path(__file__).parent.parent / "samples" / "broken" / "pile-frozen.canasta"

#: Returns what is outside the window, or too small for a finger.
FIT = """() => {
  const wrong = [];
  const name = (each) => each.dataset.key || each.id || each.textContent.slice(0, 40);
  const all = "button, a, input, select, summary, textarea, td, h2, p";
  for (const each of document.querySelectorAll(all)) {
    const box = each.getBoundingClientRect();
    if (!box.width || each.closest(".unseen, .scroll")) continue;
    if (box.left < -1 || box.right > innerWidth + 1) wrong.push("outside: " + name(each));
    if (!each.matches("button, a, select, summary, input")) continue;
    const inside = each.matches("[type=checkbox], [type=radio]") ? each.closest("label") : each;
    const target = inside.getBoundingClientRect();
    if (target.height < 47.5 || target.width < 47.5) wrong.push("small: " + name(each));
  }
  return wrong;
}"""
#: Returns words that go on in another line, in what has few words.
WHOLE = """() => {
  const wrong = [];
  for (const each of document.querySelectorAll("button, th, summary, h2, .label, .button")) {
    if (!each.getBoundingClientRect().width || each.closest(".unseen")) continue;
    const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      for (const { 0: word, index } of walk.currentNode.data.matchAll(/[^\\s\\-:=/,.]+/g)) {
        const range = document.createRange();
        range.setStart(walk.currentNode, index);
        range.setEnd(walk.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) wrong.push("broken: " + word);
      }
    }
  }
  return wrong;
}"""


def go(page: Any, fragment: str, until: str = "true") -> None:
    """Go to a screen and wait until a script is true there."""
    page.evaluate("(to) => { location.hash = to; }", fragment)
    page.wait_for_timeout(250)
    wait(page, until)


def unfold(page: Any) -> None:
    """Open whatever is folded."""
    page.evaluate("document.querySelectorAll('main details').forEach((it) => { it.open = true; })")


def screens(page: Any, rules: str = "american-4p") -> Iterator[str]:
    """Go to each screen with something on it, and yield its name."""
    go(page, "new", "document.querySelector('[data-key=start]') !== null")
    unfold(page)
    yield "new"
    address = begin(page, rules)
    first = page.evaluate("document.querySelector('[data-sum]').dataset.sum")
    tap(page, f"{first} mixed +")
    fill(page, f"{first} cards", "100")
    tap(page, "key \u00d710")
    wait(page, f"document.querySelector('[data-sum={first}]').textContent !== ''")
    unfold(page)
    yield "pad"
    fill(page, f"{first} cards", "273")
    tap(page, "enter")
    page.locator("[data-way]").wait_for()
    yield "pad, a refusal"
    fill(page, f"{first} cards", "100")
    tap(page, "enter")
    key(page, "ask end unknown").wait_for()
    yield "pad, a question"
    entered(page)
    fill(page, f"{first} paper", "477")
    wait(page, "document.querySelector('[data-key$=\"as on paper\"]') !== null")
    yield "pad, the paper"
    tap(page, "paper done")
    wait(page, "document.querySelector('[data-difference]') !== null")
    yield "pad, after a deal"
    tap(page, f"{first} mixed +")
    enter(page, 2)
    wait(page, "!document.querySelector('main fieldset').disabled")
    tap(page, "deal 1")
    key(page, "leave").wait_for()
    yield "pad, a change"
    tap(page, "leave")
    tap(page, "end evening")
    page.locator("[data-evening] table").wait_for()
    yield "pad, the evening"
    go(page, "")
    page.locator("details.menu > summary").first.click()
    yield "home"
    go(page, "players", "document.querySelector('[data-standings] table') !== null")
    unfold(page)
    yield "players"
    go(page, "paste")
    page.fill("main textarea", _BROKEN.read_text("utf-8"))
    wait(page, "document.querySelector('[data-finding]') !== null")
    yield "paste"
    go(page, "settings", "document.querySelector('main p').textContent !== ''")
    unfold(page)
    yield "settings"
    yield from _record(page, address)


def _record(page: Any, address: str) -> Iterator[str]:
    """Go to the verdict on a game, and to the parts of its screen."""
    game = f"game/{address.split('/')[1]}"
    go(page, game, "document.querySelector('.verdict') !== null")
    yield "record"
    # The buttons stand below each other: the replay, the scores, how to share, and the text.
    for at, name in enumerate(("replay", "scores", "share", "text")):
        go(page, "")
        go(page, game, "document.querySelector('.verdict') !== null")
        page.locator("main > button.wide").nth(at).click()
        page.wait_for_timeout(600)
        yield name


def axe_finds(page: Any, script: str) -> list[str]:
    """Return what axe finds on a screen."""
    page.evaluate(script)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"axe {each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


def main() -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--axe", type=Path)
    parser.add_argument("--language", action="append", choices=[*LANGUAGES])
    parser.add_argument("--rules", action="append")
    chosen = parser.parse_args()
    script = chosen.axe.read_text("utf-8") if chosen.axe else Axe().axe_script
    seen, wrong = Counter[str](), list[str]()
    with sync_playwright() as playwright:
        browser, host = launch(playwright), Host(built())
        page = browser.new_page()
        page.goto(host.url)
        until_ready(page)
        for language in chosen.language or LANGUAGES:
            go(page, "settings", "document.querySelector('[data-key^=language]') !== null")
            tap(page, f"language {language}")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme)
                    where = f"{language} {width}x{height} {theme}"
                    for rules in chosen.rules or ("american-4p",):
                        for name in screens(page, rules):
                            found = page.evaluate(f"({FIT})()") + page.evaluate(f"({WHOLE})()")
                            found += axe_finds(page, script)
                            seen[where] += 1
                            wrong += [f"{where}, {name}: {each}" for each in found]
                    print(where, seen[where], "screens,", len(wrong), "wrong so far", flush=True)
        browser.close()
    print(f"{seen.total()} screens, {len(wrong)} wrong", *wrong, sep="\n")


if __name__ == "__main__":
    main()
