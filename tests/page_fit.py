"""Whether the table fits on one screen at every turn: `python -m tests.page_fit [FILE]...`.

A file is a record, or a page that `canasta page` has written, such as one with mistakes. The tool
opens a page of each file in Chromium at the sizes of a phone, a tablet and a laptop, light and
dark, goes through all turns, and prints what is outside the window, smaller than 11 px, narrower
than 44 px to the touch, or cut off in the note. In the dark it looks only at marked turns, at each
deal's last and at every 20th. It ends with 1 if there is anything. Without a file, it goes through
every sample and ten random deals of each profile. `--size`, `--theme` (default: all) and
`--language` (default: English) limit this to a part, and `--random` to the random deals of the
named profiles.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import which
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from canasta_notation.language.languages import LANGUAGES
from canasta_notation.rules import profile_names
from tests.pages import SAMPLES, random_games, readings, written

SIZES: Final = ((360, 740), (740, 360), (768, 1024))
_LARGER: Final = ((1280, 830), (1920, 1080))
_THEMES: Final = ("light", "dark")
#: Defines `outside()`, which returns what does not fit at the shown turn.
CHECK: Final = """() => {
  window.outside = () => {
    const wrong = [];
    const name = (each) => each.id || Object.values(each.dataset)[0] || each.className;
    const small = matchMedia("(max-width: 899px), (max-height: 500px)").matches;
    const hands = small ? ".shown .hand .card" : ".hand .card";
    const felt = document.querySelector(".felt");
    const shown = felt.children.length && felt.offsetParent && !felt.matches(".scores, .none");
    const table = `[data-side], .meld, [data-pile], [data-stock], ${hands}, `;
    const whole = (shown ? table : "") + ".controls button, .curve";
    for (const each of document.querySelectorAll(whole)) {
      const box = each.getBoundingClientRect();
      if (!box.width && each.closest(".end")) continue;
      const low = box.right > innerWidth + .5 || box.bottom > innerHeight + .5;
      if (!box.width || box.left < 0 || box.top < 0 || low)
        wrong.push("outside: " + name(each));
    }
    if (shown) {
      const within = felt.getBoundingClientRect();
      for (const each of felt.querySelectorAll(`.meld, ${hands}`)) {
        const box = each.getBoundingClientRect();
        if (box.bottom > within.bottom + .5 || box.right > within.right + .5)
          wrong.push("over the edge: " + name(each));
      }
      for (const each of felt.querySelectorAll(".kind"))
        if (each.scrollWidth > each.clientWidth + 1) wrong.push("cut off: " + each.textContent);
      const boxes = [...felt.children].map((each) => [each, each.getBoundingClientRect()]);
      for (const [one, a] of boxes) for (const [two, b] of boxes)
        if (one !== two && a.left < b.right - 1 && b.left < a.right - 1
          && a.top < b.bottom - 1 && b.top < a.bottom - 1)
          wrong.push("overlap: " + name(one) + " and " + name(two));
    }
    for (const each of document.querySelectorAll("#viewer button")) {
      if (each.closest("dialog") || !each.getClientRects().length) continue;
      const box = each.getBoundingClientRect();
      if (box.width < 43.9 || box.height < 43.9) wrong.push("narrow: " + name(each));
    }
    const note = document.querySelector(".note");
    const room = note.getBoundingClientRect();
    note.scrollTop = 0;
    if (innerHeight > 500) for (const each of note.querySelectorAll(".did, [data-sentence]")) {
      if (each.getBoundingClientRect().bottom > room.bottom + .5)
        wrong.push("cut off: " + (each.dataset.sentence || "did") + " " + each.textContent);
    }
    const viewer = document.querySelector("#viewer");
    const texts = document.createTreeWalker(viewer, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const each = texts.currentNode.parentElement;
      const size = parseFloat(getComputedStyle(each).fontSize);
      if (texts.currentNode.data.trim() && each.getClientRects().length && size < 11)
        wrong.push("small text: " + (each.closest("[class]") || each).className);
    }
    return [...new Set(wrong)];
  };
}"""

#: Goes through the page; returns the turns, what does not fit and where, and how it was drawn.
#: `few` is whether it looks only at some of the turns.
_WALK: Final = """(few) => {
  const next = document.querySelector('[data-go="next"]');
  const chosen = ".note:is(.blunder, .mistake, .chance), .note .ended";
  const found = { turns: 0, wrong: [], ways: [], times: [] };
  const look = (felt) => {
    found.turns += 1;
    if (felt.children.length && felt.offsetParent) {
      const ways = ["lines", "short", "nopile", "dense"];
      const way = ways.find((each) => felt.classList.contains(each));
      found.ways.push([way || "tiles", parseFloat(felt.style.getPropertyValue("--size"))]);
    }
    for (const each of outside()) found.wrong.push(each + " at " + location.hash);
  };
  for (;;) {
    if (!few || found.times.length % 20 === 0 || document.querySelector(chosen))
      look(document.querySelector(".felt"));
    if (next.getAttribute("aria-disabled") === "true") return found;
    const start = performance.now();
    next.click();
    found.times.push(performance.now() - start);
  }
}"""


def main(args: list[str]) -> int:
    """Print a line for every record and size; return 1 if something does not fit."""
    from playwright.sync_api import sync_playwright

    asked = _asked(args)
    views = [*product(asked.size, asked.theme)]
    failed = False
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        for name, address in _addresses(asked, Path(folder)):
            for (width, height), theme in views:
                tab = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    locale=asked.language,
                )
                tab.goto(f"{address}#g1d1t0")
                tab.evaluate(CHECK)
                found = tab.evaluate(_WALK, theme == "dark")
                tab.close()
                print(f"{name} {width}x{height} {theme}: {_summary(found)}", flush=True)
                for line in found["wrong"][:8]:
                    print("   ", line)
                failed = failed or bool(found["wrong"])
        browser.close()
    return int(failed)


def _asked(args: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.page_fit")
    parser.add_argument("file", nargs="*")
    parser.add_argument("--size", nargs="+", type=_size, default=(*SIZES, *_LARGER))
    parser.add_argument("--theme", nargs="+", choices=_THEMES, default=_THEMES)
    parser.add_argument("--random", nargs="+", choices=profile_names(), default=())
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    return parser.parse_args(args)


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _summary(found: dict[str, Any]) -> str:
    ways = Counter(way for way, _ in found["ways"])
    sizes = [size for way, size in found["ways"] if way in ("tiles", "dense")] or [0]
    drawn = ", ".join(f"{count} as {way}" for way, count in ways.most_common())
    return (
        f"{found['turns']} turns, {len(found['wrong'])} faults; {drawn}; cards of {min(sizes):g} to"
        f" {max(sizes):g} px, {sum(sizes) / len(sizes):.1f} on average; a step takes"
        f" {median(found['times']):.0f} ms"
    )


def _addresses(asked: Namespace, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield pages by a name: those that are asked for, or of all samples and random deals."""
    paths = [*map(Path, asked.file)]
    if not paths and not asked.random:
        paths, asked.random = sorted(SAMPLES.glob("*.canasta")), profile_names()
    for path in paths:
        if path.suffix == ".html":
            yield path.name, path.resolve().as_uri()
        else:
            yield path.name, written(folder, readings(path), language=asked.language)
    for name in asked.random:
        games = random_games(10, profiles=[name])
        yield f"random {name}", written(folder, games, language=asked.language)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
