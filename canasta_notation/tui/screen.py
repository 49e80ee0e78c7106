"""The stepper on a terminal, with Textual: one page per turn, keys, and automatic play."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key, Resize
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Static

from canasta_notation.render.paint import Look, Rows, row
from canasta_notation.report.walker import Walker
from canasta_notation.tui.place_rows import (
    HINT,
    LIST,
    help_rows,
    is_wide,
    line_rows,
    page_look,
    page_rows,
    score_rows,
    title_row,
)
from canasta_notation.tui.stepping import note_of, press

_STYLES: Final = {
    "error": "bold red",
    "bad": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "gutter": "bold blue",
    "strong": "bold",
    "dim": "dim",
    "red": "red",
    "good": "green",
}
#: The width of the scroll bar in the list of turns.
_BAR: Final = 3
#: The seconds for a turn in automatic play.
_PACES: Final = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
#: The characters of keys for which Textual has names.
_NAMES: Final = {
    "right": "n",
    "space": "n",
    "pagedown": "n",
    "left": "b",
    "pageup": "b",
    "question_mark": "?",
    "plus": "+",
    "minus": "-",
    "end": "e",
}


def painted(rows: Rows) -> Text:
    """Return rows as rich text."""
    text = Text(no_wrap=True, overflow="crop")
    for at, cells in enumerate(rows):
        if at:
            text.append("\n")
        for style, runs in groupby(cells, lambda run: run.style):
            text.append("".join(run.text for run in runs), _STYLES.get(style, ""))
    return text


class StepApp(App[None]):
    """Steps through a game; `walker` is the place that is shown."""

    CSS = """
    #title { dock: top; height: 1; padding: 0 1; background: $panel; }
    #keys { dock: bottom; height: 1; padding: 0 1; background: $panel; }
    #page { padding: 0 1; }
    #turns { width: 46; border-left: solid $primary; display: none; padding: 0 1; }
    .wide #turns { display: block; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, walker: Walker, *, colour: bool = True, unicode: bool = True) -> None:
        super().__init__()
        self.walker = walker
        self._look = Look(80, colour, unicode)
        self._laid_out = False
        #: The place that is shown; each is shown from its top.
        self._spot = walker.spot
        self._typed = ""
        #: Whether the last key was `d`: a number after it is that of a deal.
        self._after_d = False
        #: The answer to the last key, if the screen does not show its result.
        self._note = ""
        self._beside = ""
        self._pace = _PACES.index(1.0)
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out: title, page with the list of turns beside it, keys."""
        yield Static(id="title")
        with Horizontal(id="body"):
            with VerticalScroll(id="page", can_focus=False):
                yield Static(id="text")
            with VerticalScroll(id="turns", can_focus=False):
                yield Static(id="list")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Show the first page."""
        self._laid_out = True
        self.show()

    def on_resize(self, event: Resize) -> None:
        """Lay the page out again for the new size of the window."""
        self.show(event.size)

    # --- keys -----------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Do what a key asks for."""
        key = _NAMES.get(event.key, event.character or event.key)
        event.stop()
        self._note = ""
        if self._typing(event.key, key):
            return
        self._after_d = key == "d"
        match key:
            case "\x1b":
                self._beside = ""
            case "q":
                self.exit()
            case "?" | "s":
                self._beside = "" if self._beside == key else key
            case "a":
                self._toggle()
            case "+" | "-":
                self._set_pace(-1 if key == "+" else 1)
            case "up" | "down":
                self.query_one("#page", VerticalScroll).scroll_relative(
                    y=1 if key == "down" else -1, animate=False
                )
                return
            case "home":
                self.walker.to_turn(0)
            case _:
                self._press("" if event.key == "enter" else key)
        self.show()

    def _press(self, key: str) -> None:
        if self._beside == "?":
            self._beside = ""  # the help would hide where the key leads
        moved = press(self.walker, key)
        self._note = "" if moved is None else note_of(self.walker, key, moved)

    def _typing(self, name: str, key: str) -> bool:
        """Collect the number of a turn or a deal; return whether the key was part of it."""
        if key.isdecimal() or (self._typed and key == "."):
            self._typed += f"d{key}" if self._after_d else key
            self._after_d = False
        elif not self._typed:
            return False
        elif name == "backspace":
            self._typed = self._typed[:-1].removesuffix("d")
        elif name == "enter":
            self._press(self._typed)
            self._typed = ""
        else:
            self._typed = ""
            if name != "escape":
                return False
        self.show()
        return True

    def _toggle(self) -> None:
        """Begin automatic play, or stop it."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            return
        self._timer = self.set_interval(_PACES[self._pace], self._tick)

    def _tick(self) -> None:
        if not self.walker.forward() and self._timer is not None:
            self._toggle()
        self.show()

    def _set_pace(self, by: int) -> None:
        self._pace = min(max(self._pace + by, 0), len(_PACES) - 1)
        if self._timer is not None:
            self._toggle()
            self._toggle()

    # --- the screen -----------------------------------------------------------------------------

    def show(self, size: Size | None = None) -> None:
        """Show the walker's place; `size` is a new size that the app does not know yet."""
        if not self._laid_out:
            return
        width, height = size or self.size
        wide = is_wide(width)
        self.screen.set_class(wide, "wide")
        room = page_look(width, self._look)
        self.query_one("#title", Static).update(painted([title_row(self.walker)]))
        self.query_one("#text", Static).update(painted(self._rows(room, height - 2)))
        if self.walker.spot != self._spot:
            self._spot = self.walker.spot
            self.query_one("#page", VerticalScroll).scroll_home(animate=False)
        self.query_one("#keys", Static).update(painted([row(self._status())]))
        if wide:
            self._show_turns(height)

    def _rows(self, look: Look, height: int) -> Rows:
        if self._beside == "?":
            return help_rows(look, screen=True)
        rows = page_rows(self.walker, look, height - (4 if self._beside else 0))
        return [*score_rows(self.walker), row(), *rows] if self._beside else rows

    def _show_turns(self, height: int) -> None:
        look = Look(LIST - _BAR, self._look.colour, self._look.unicode)
        self.query_one("#list", Static).update(painted(line_rows(self.walker, look)))
        at = max(0, self.walker.spot.turn - height // 2)
        turns = self.query_one("#turns", VerticalScroll)
        # The list may only now have appeared or grown.
        self.call_after_refresh(turns.scroll_to, y=at, animate=False)

    def _status(self) -> str:
        if self._typed:
            if self._typed[0] == "d":
                return f"deal {self._typed[1:]}_  (Enter goes there)"
            return f"turn {self._typed}_  (Enter goes there; 2.12 is turn 12 of deal 2)"
        if self._timer is not None:
            return f"playing, {_PACES[self._pace]:g} s a turn: a stops, + faster, - slower"
        return self._note or HINT
