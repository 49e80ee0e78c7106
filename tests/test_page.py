"""The page: what a browser shows at every turn, keys and buttons, secrets, hostile texts, print.

Skipped without a browser: Debian's `chromium`, or what `playwright install chromium` brings.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

SAMPLES = Path(__file__).parent.parent / "samples"
CLUB = SAMPLES / "thursday-club.canasta"
RECORDS = sorted(SAMPLES.glob("*.canasta"))


def run(*args: str | Path) -> str:
    """Run the program; return what it prints."""
    command = [sys.executable, "-m", "canasta_notation", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def build(tmp_path: Path, *args: str | Path) -> Path:
    """Write a page; return where it is."""
    out = tmp_path / "page.html"
    run("page", *args, "-o", out)
    return out


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
    """A tab in which nothing may go wrong and nothing may be asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.allowed = wrong
    yield page
    context.close()
    assert [text for text in wrong if not text.startswith("file:")] == []


# --- what is shown at every turn ----------------------------------------------------------------

#: Reads the position in the document, as a dictionary.
_READ = """() => {
  const spot = document.querySelector("[data-turn]");
  const list = (element, name) => (element.dataset[name] || "").split(" ").filter(Boolean);
  const sides = {}, hands = {};
  for (const side of spot.querySelectorAll("[data-side]")) sides[side.dataset.side] = {
    melds: [...side.querySelectorAll("[data-meld]")].map(
      (meld) => [meld.dataset.meld, list(meld, "cards"), meld.dataset.canasta || null]),
    threes: list(side, "threes"), points: side.dataset.points};
  for (const seat of spot.querySelectorAll("[data-seat]"))
    hands[seat.dataset.seat] = [list(seat, "hand"), +seat.dataset.count];
  const pile = spot.querySelector("[data-pile]"), stock = spot.querySelector("[data-stock]");
  return {at: [+spot.dataset.game, +spot.dataset.deal, +spot.dataset.turn], sides, hands,
    pile: pile && [list(pile, "cards"), pile.dataset.top, +pile.dataset.count],
    stock: stock && stock.dataset.stock,
    findings: [...spot.querySelectorAll("[data-finding]")].map((each) => each.dataset.finding)};
}"""
#: Goes through the whole page and returns every position.
_WALK = (
    "() => { const read = "
    + _READ
    + """;
  const found = [read()];
  const next = document.querySelector('[data-go="next"]');
  for (;;) {
    next.click();
    const now = read();
    if (String(now.at) === String(found[found.length - 1].at)) return found;
    found.push(now);
  }
}"""
)


def positions(path: Path, *options: str) -> list[dict[str, Any]]:
    """Return what `replay --json` says of every turn, in the shape that `_READ` has."""
    found: dict[tuple[int, int, int], dict[str, Any]] = {}
    for game in json.loads(run("replay", path, "--json", *options))["games"]:
        for step in game["steps"]:
            if step["last"]:
                at = (game["game"], step["deal"], step["turn"])
                findings = found[at]["findings"] if at in found else []
                found[at] = _position(at, step["state"])
                found[at]["findings"] = findings + [each["code"] for each in step["findings"]]
    return list(found.values())


def _position(at: tuple[int, int, int], state: dict[str, Any]) -> dict[str, Any]:
    fewest, most = state["stock"]["fewest"], state["stock"]["most"]
    cards = state["pile"]["cards"]
    return {
        "at": list(at),
        "sides": {name: _side(side) for name, side in state["sides"].items()},
        "hands": {seat: [hand["cards"], hand["size"]] for seat, hand in state["hands"].items()},
        "pile": [cards, cards[-1] if cards else "", len(cards)],
        "stock": str(fewest) if fewest == most else f"{fewest}-{most}",
    }


def _side(side: dict[str, Any]) -> dict[str, Any]:
    melds = [
        (meld["rank"], *(meld[kind] for kind in ("naturals", "twos", "jokers", "unknown")),
         meld["canasta"])
        for meld in side["melds"]
    ]  # fmt: skip
    points = "" if side["points"] is None else str(side["points"])
    return {"melds": melds, "threes": side["threes"], "points": points}


def counted(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position read from a page with its melds counted as a replay counts them."""
    for side in position["sides"].values():
        side["melds"] = [
            (rank, *_count(rank, cards), canasta) for rank, cards, canasta in side["melds"]
        ]
    return position


def _count(rank: str, cards: list[str]) -> tuple[int, int, int, int]:
    kinds = Counter(card[0] for card in cards)
    twos, jokers, unknown = kinds["2"], kinds["*"], kinds["_"]
    naturals = len(cards) - twos - jokers - unknown
    assert kinds[rank] == (naturals if rank not in "2*" else kinds[rank])
    return naturals, twos, jokers, unknown


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_turn_is_shown_as_it_was(path: Path, tab: Any, tmp_path: Path) -> None:
    tab.goto(build(tmp_path, path).as_uri())
    shown = [counted(each) for each in tab.evaluate(_WALK)]
    assert shown == positions(path)
