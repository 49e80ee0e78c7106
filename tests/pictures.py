"""Pictures of the real screens for the README: `python -m tests.pictures` writes them.

The recorder runs on a pseudo-terminal, and rich draws its screen; the stepper draws itself.
"""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Final

import pyte
from rich.console import Console
from rich.style import Style
from rich.text import Text

from canasta_notation.notation.reader import read_text
from canasta_notation.report.played import play_back
from canasta_notation.report.walker import Walker
from canasta_notation.rules import load_profile
from canasta_notation.tui.screen import StepApp
from tests.record_scripts import ENTRIES, OPENING
from tests.recorders import Terminal

_ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = _ROOT / "samples" / "pictures"
#: The most bytes that a page which shows a picture should load.
LIMIT: Final = 60_000
_COLOURS: Final = {"brown": "yellow", "default": None}


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in (("record", record_picture()), ("step", step_picture())):
        assert len(picture.encode()) < LIMIT, f"{name}: {len(picture)} bytes"
        (FOLDER / f"{name}.svg").write_text(picture, "utf-8")
        print(f"{FOLDER / name}.svg: {len(picture.encode())} bytes")


def record_picture() -> str:
    """Return the picture of the recorder at a finding, with the turns above it."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal("record", "club.canasta", folder=Path(folder), columns=96, lines=27)
        try:
            terminal.see(r"^rules \[classic\]> *$")
            for line in (*OPENING, *ENTRIES[:7]):
                terminal.send(f"\x15{line}\r")
                terminal.read(0.2)
            terminal.see(r"^2\. S>")
            terminal.send(ENTRIES[7] + "\r")
            terminal.see(r"Enter to correct[^>]*>")
            terminal.send("+7h A:AdAd2d -7h\r")
            terminal.see(r"^3\. W>")
            terminal.send("+* Q:Qh")
            terminal.see(r"Q:QhQdQc")
            for _ in range(20):
                terminal.read(0.05)
            return _drawn(terminal.screen, "canasta record club.canasta")
        finally:
            terminal.close()


def step_picture() -> str:
    """Return the picture of the stepper at a take of the pile, with the list of turns."""
    path = _ROOT / "samples" / "thursday-club.canasta"
    [reading] = read_text(path.read_text("utf-8"))

    async def run() -> str:
        profile = load_profile("classic")
        app = StepApp(Walker([lambda seat: play_back(path.name, reading, 1, profile, seat=seat)]))
        app.title = f"canasta replay --step {path.name}"
        async with app.run_test(size=(116, 26)) as pilot:
            await pilot.press("t")
            await pilot.pause()
            return app.export_screenshot(title=app.title)

    return asyncio.run(run())


def _drawn(screen: pyte.Screen, title: str) -> str:
    """Return a terminal's screen as SVG."""
    console = Console(record=True, width=screen.columns, file=io.StringIO())
    for y in range(screen.lines):
        cells = [screen.buffer[y][x] for x in range(screen.columns)]
        text = Text(no_wrap=True)
        for style, run in groupby(cells, _style):
            text.append("".join(cell.data for cell in run), style)
        text.rstrip()
        console.print(text)
    return console.export_svg(title=title, unique_id="canasta")


def _style(cell: pyte.screens.Char) -> Style:
    return Style(
        color=_colour(cell.fg), bgcolor=_colour(cell.bg), bold=cell.bold, reverse=cell.reverse
    )


def _colour(name: str) -> str | None:
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    return _COLOURS.get(name, name)


if __name__ == "__main__":
    main()
