"""What a person taps in the web application: the figures of a deal, and a whole evening.

`python -m tests.app_taps 4` taps an evening of four deals in each profile, at random: the sides in
any order, cards counted or typed, with slips and what takes them back. It lists the records that
differ from what was tapped, and can be given the names of profiles.
"""

from __future__ import annotations

import json
import random
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from canasta_notation.rules import profile_names
from tests.app_evenings import Evening, claims, evening, no_finding
from tests.app_host import Host, built, launch, until_ready, wait


def kept_games(page: Any) -> list[dict[str, Any]]:
    """Return the games that are stored, the last one first."""
    found: list[dict[str, Any]] = page.evaluate("async () => (await import('./store.js')).all()")
    return sorted(found, key=lambda game: -game["updated"])


def key(page: Any, name: str) -> Any:
    return page.locator(f"[data-key={json.dumps(name, ensure_ascii=False)}]")


#: Opens what an element is folded into.
_UNFOLD = """it => {
  for (let up = it.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
}"""


def tap(page: Any, name: str) -> None:
    key(page, name).evaluate(_UNFOLD)
    key(page, name).click()


def fill(page: Any, name: str, text: str) -> None:
    key(page, name).evaluate(_UNFOLD)
    key(page, name).fill(text)


def begin(page: Any, rules: str = "classic", dealer: str = "", house: tuple[str, ...] = ()) -> str:
    """Begin a score pad and return the address of its screen."""
    page.evaluate("location.hash = 'new'")
    wait(page, "document.querySelector('[data-key=start]') !== null")
    page.locator("details[data-rules] > summary").click()
    tap(page, f"rules {rules}")
    for override in house:
        tap(page, override)
    if dealer:
        tap(page, f"dealer {dealer}")
    tap(page, "start")
    wait(page, "document.querySelector('[data-key=enter]') !== null")
    address: str = page.evaluate("location.hash")
    return address


def figures(page: Any, side: str, held: dict[str, Any]) -> None:
    """Tap the figures of a side."""
    for name, number in held["counts"].items():
        if key(page, f"{side} {name} +").count():
            for _ in range(number):
                tap(page, f"{side} {name} +")
        elif key(page, f"{side} {name} {number}").count():
            tap(page, f"{side} {name} {number}")
        elif number:
            fill(page, f"{side} {name}", str(number))
    rare = {name: held.get(name) for name in ("melds", "hand") if held.get(name)}
    rare |= {item: points for item, points in held["items"].items() if points}
    if held.get("cards"):
        fill(page, f"{side} cards", held["cards"])
    for name, points in rare.items():
        fill(page, f"{side} {name}", points)
    for at, penalty in enumerate(held["penalties"]):
        ruling(page, f"{side} penalty", at, penalty)
    if len(held["special"]) < len(side) and held["special"]:
        key(page, f"{side} special by").select_option(held["special"])
    if held["out"]:
        tap(page, f"{side} out {held['out']}")
        if held["concealed"]:
            tap(page, f"{side} concealed")


def ruling(page: Any, kind: str, at: int, held: dict[str, str]) -> None:
    """Add a penalty or a bonus of a side; it has `at` of that kind."""
    tap(page, f"{kind} +")
    fill(page, f"{kind} {at} points", held["points"])
    fill(page, f"{kind} {at} why", held["why"])


def come_to(page: Any, side: str, score: int) -> None:
    """Wait until a side's figures come to a score, answering how its red threes count."""
    wait(
        page,
        f"""(() => {{
          if (document.querySelector('[data-sum={side}]').textContent === '{score}') return true;
          const no = document.querySelector('[data-key="{side} melded no"]');
          if (no.offsetParent && no.ariaPressed === "false") no.click();
          return false;
        }})()""",
    )


def enter(page: Any, deal: int, end: str = "unknown") -> None:
    """Enter a deal, with the paper as it is; `end` is how it ended if nobody went out."""
    entered(page, end)
    tap(page, "paper done")
    wait(page, f"document.querySelector('[data-key=\"deal {deal}\"]') !== null")


def entered(page: Any, end: str = "unknown") -> None:
    """Enter a deal up to the question about the paper."""
    tap(page, "enter")
    page.locator(f"[data-key='paper done'], [data-key='ask end {end}']").first.wait_for()
    if key(page, f"ask end {end}").count():
        tap(page, f"ask end {end}")
    key(page, "paper done").wait_for()


# --- an evening tapped at random ------------------------------------------------------------------


def long_evening(rules: str, deals: int) -> Evening:
    """Return the first deals of a random game that has as many, and no bonus line."""
    found = (evening(rules, at, bonuses=False) for at in count(1))
    taps = next(each for each in found if len(each.deals) >= deals)
    return taps._replace(deals=taps.deals[:deals], claims=taps.claims[:deals])


def wander(page: Any, taps: Evening, chance: random.Random) -> str:
    """Tap an evening as people do, and return the record."""
    begin(page, taps.rules, taps.dealer)
    for number, deal in enumerate(taps.deals, 1):
        sides = [*taps.claims[number - 1]]
        for side in chance.sample(sides, len(sides)):
            _slip(page, side, chance)
            held = dict(deal[side])
            for part in ("melds", "hand"):
                if chance.random() < 0.5 and _count(page, side, part, held.get(part) or ""):
                    held[part] = ""
            figures(page, side, held)
        for side, claimed in taps.claims[number - 1].items():
            come_to(page, side, claimed["score"])
        enter(page, number, deal.get("end", ""))
        _rest(page)
        _look_back(page, chance.choice(("nothing", "undo", "change")), number)
    text: str = kept_games(page)[0]["text"]
    return text


def _rest(page: Any) -> None:
    wait(page, "document.querySelector('main fieldset')?.disabled !== true")


def _slip(page: Any, side: str, chance: random.Random) -> None:
    """Tap something of a side and take it back."""
    if chance.random() < 0.5:
        more = page.locator(f"[data-key^='{side} '][data-key$=' +'].counted").first
        less = more.get_attribute("data-key").removesuffix("+") + "-"
        more.click()
        tap(page, less)
    else:
        key(page, f"{side} cards").click()
        tap(page, f"key {chance.randint(1, 9)}")
        tap(page, "key back")


def _count(page: Any, side: str, part: str, points: str) -> bool:
    """Count cards of a side by their values, the most valuable first; false if none make it."""
    found = page.locator("[data-key^='key \u00d7']").evaluate_all(
        "(all) => all.map((each) => Number(each.dataset.key.slice(5)))"
    )
    if not points.isdigit() or int(points) % min(found):
        return False
    left = int(points)
    key(page, f"{side} {part}").click()
    for value in sorted(found, reverse=True):
        number, left = divmod(left, value)
        if number:
            if number > 1:
                for figure in str(number):
                    tap(page, f"key {figure}")
            tap(page, f"key \u00d7{value}")
    return True


def _look_back(page: Any, how: str, number: int) -> None:
    """Take a deal back and do it again, or look at the figures of an earlier one."""
    if how == "undo":
        before = kept_games(page)[0]["text"]
        tap(page, "undo")
        key(page, "redo").wait_for()
        _rest(page)
        tap(page, "redo")
        for _ in range(100):
            if kept_games(page)[0]["text"] == before:
                break
            page.wait_for_timeout(50)
        _rest(page)
    elif how == "change":
        tap(page, f"deal {number}")
        key(page, "leave").wait_for()
        _rest(page)
        tap(page, "leave")
        key(page, "leave").wait_for(state="detached")
        _rest(page)


def main(deals: int, profiles: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    wrong = []
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser, host = launch(playwright), Host(built())
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto(host.url)
        until_ready(page)
        for name in profiles or profile_names():
            taps = long_evening(name, deals)
            path = Path(folder) / f"{name}.canasta"
            path.write_text(wander(page, taps, random.Random(name)), "utf-8")
            alike = no_finding(path) == [] and claims(path) == taps.claims
            wrong += [] if alike else [name]
            print(name, len(taps.deals), "deals", "as tapped" if alike else "DIFFERENT", flush=True)
        browser.close()
    print(f"{len(wrong)} records differ from what was tapped", *wrong, sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
