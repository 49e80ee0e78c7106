"""What a person taps in the web application: the figures of a deal, and a whole evening."""

from __future__ import annotations

import json
from typing import Any

from tests.app_evenings import Evening
from tests.app_host import wait


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
    for name, count in held["counts"].items():
        if key(page, f"{side} {name} +").count():
            for _ in range(count):
                tap(page, f"{side} {name} +")
        elif key(page, f"{side} {name} {count}").count():
            tap(page, f"{side} {name} {count}")
        elif count:
            fill(page, f"{side} {name}", str(count))
    rare = {name: held.get(name) for name in ("melds", "hand") if held.get(name)}
    rare |= {item: points for item, points in held["items"].items() if points}
    if held.get("cards"):
        fill(page, f"{side} cards", held["cards"])
    for name, points in rare.items():
        fill(page, f"{side} {name}", points)
    for at, penalty in enumerate(held["penalties"]):
        ruling(page, f"{side} penalty", at, penalty)
    if held["special"] and len(side) > 1:
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


def play(page: Any, taps: Evening) -> str:
    """Tap an evening into the pad and return the record."""
    begin(page, taps.rules, taps.dealer)
    for number, deal in enumerate(taps.deals, 1):
        for side in taps.claims[number - 1]:
            figures(page, side, deal[side])
        for side, claimed in taps.claims[number - 1].items():
            come_to(page, side, claimed["score"])
        enter(page, number, deal.get("end", ""))
    text: str = kept_games(page)[0]["text"]
    return text
