"""Pictures of seven moments on the page, and of a position: `python -m tests.page_pictures`.

Needs the extra `browser` and Chromium.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from canasta_notation.render.diagram import position_svg
from tests.pages import CLUB, SAMPLES, page_games, readings, written

FOLDER: Final = SAMPLES / "pictures"
#: The most bytes of a picture.
LIMIT: Final = 60_000
#: The quality of WebP pictures, up to 100.
_QUALITY: Final = 60
#: The width and the height of each screen, and how many picture pixels each of its pixels has.
_DEVICES: Final = {"phone": (360, 740, 1), "tablet": (768, 1024, 1), "laptop": (1280, 830, 0.75)}
#: Each moment with its records, where the page opens ("": the usual place), and the theme.
_MOMENTS: Final = {
    "cover": (["thursday-club"], "", "light"),
    "take": (["thursday-club"], "#d2t11", "light"),
    "seat": (["thursday-club"], "#d4t20&seat=E", "dark"),
    "three-players": (["profile-classic-3p"], "#d1t41", "dark"),
    "six-players": (["profile-classic-6p"], "#d1t40", "light"),
    "error": (["broken/pile-frozen"], "", "light"),
    "evening": (["thursday-club", "kitchen-table", "outside-000", "outside-013"], "", "dark"),
}


def main() -> None:
    """Write every picture."""
    (FOLDER / "diagram.svg").write_text(diagram(), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        for name in _MOMENTS:
            screens(browser, name)
        browser.close()
    for path in (*FOLDER.glob("*.webp"), FOLDER / "diagram.svg"):
        size = path.stat().st_size
        assert size < LIMIT, f"{path}: {size} bytes"
        print(f"{path}: {size} bytes")


def diagram() -> str:
    """Return the picture of the position after a turn of the club's fourth deal."""
    [game] = page_games(readings(CLUB))
    play = game.play
    names = {seat: game.tag(seat) for seat in play.seats}
    heading = "Thursday club: deal 4, after turn 20"
    return position_svg(
        play.deals[3].states[20], play.seats, play.sides, names=names, heading=heading
    )


def screens(browser: Browser, name: str) -> None:
    """Write what a browser shows of a moment on each device."""
    records, place, theme = _MOMENTS[name]
    paths = [SAMPLES / f"{record}.canasta" for record in records]
    with TemporaryDirectory() as folder:
        address = written(Path(folder), readings(*paths))
        for device, (width, height, scale) in _DEVICES.items():
            tab = browser.new_page(
                viewport={"width": width, "height": height},
                device_scale_factor=scale,
                reduced_motion="reduce",
            )
            tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            tab.goto(address + place)
            shot = Image.open(BytesIO(tab.screenshot())).convert("RGB")
            shot.save(FOLDER / f"{name}-{device}.webp", quality=_QUALITY, method=6)
            tab.close()


if __name__ == "__main__":
    main()
