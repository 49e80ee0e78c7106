"""Pictures of the page and of a position for the README: `python -m tests.page_pictures`.

Needs the extra `browser` and Chromium.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from canasta_notation.notation.reader import read_text
from canasta_notation.page.diagram import position_svg
from canasta_notation.page.one_file import game_page, page
from canasta_notation.page.story import Story, page_game
from canasta_notation.rules import load_profile

_ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = _ROOT / "samples" / "pictures"
#: The most bytes that a page which shows a picture should load.
LIMIT: Final = 200_000
_COLOURS: Final = 256
#: Each picture with the size of the window, the colour scheme and the moment.
_SCREENS: Final = (
    ("page-light", (1280, 830), "light", "deal=2&turn=11"),
    ("page-dark", (1280, 830), "dark", "deal=4&turn=20"),
    ("page-phone", (360, 740), "light", "deal=4&turn=20"),
    ("page-phone-wide", (740, 360), "dark", "deal=2&turn=11"),
    ("page-tablet", (768, 1024), "light", "deal=4&turn=20"),
)


def main() -> None:
    """Write every picture."""
    path = _ROOT / "samples" / "thursday-club.canasta"
    [reading] = read_text(path.read_text("utf-8"))
    game = page_game(path.name, reading, 1, load_profile("classic"))
    (FOLDER / "diagram.svg").write_text(diagram(game), "utf-8")
    screens(game)
    for name in (*(f"{screen[0]}.png" for screen in _SCREENS), "diagram.svg"):
        size = (FOLDER / name).stat().st_size
        assert size < LIMIT, f"{name}: {size} bytes"
        print(f"{FOLDER / name}: {size} bytes")


def diagram(game: Story) -> str:
    """Return the picture of the position after a turn of the fourth deal."""
    play = game.play
    names = {seat: game.tag(seat) for seat in play.seats}
    heading = "Thursday club: deal 4, after turn 20"
    return position_svg(
        play.deals[3].states[20], play.seats, play.sides, names=names, heading=heading
    )


def screens(game: Story) -> None:
    """Write what a browser shows of the game on a laptop, a tablet and a phone."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        file.write_text(page([game_page(game)]), "utf-8")
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        for name, (width, height), scheme, place in _SCREENS:
            tab = browser.new_page(
                viewport={"width": width, "height": height}, reduced_motion="reduce"
            )
            tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            tab.goto(f"{file.as_uri()}#{place}")
            shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
            shot.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT).save(
                FOLDER / f"{name}.png", optimize=True
            )
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
