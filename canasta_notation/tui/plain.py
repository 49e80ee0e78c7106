"""The plain stepper: the same keys, one per line, with the table after each."""

from __future__ import annotations

from typing import Final

from canasta_notation.render.paint import Look, Rows, Run, row
from canasta_notation.render.replay_rows import ruling_words, turn_page
from canasta_notation.report.walker import Walker
from canasta_notation.tui.place_rows import (
    deduction_rows,
    end_rows,
    finding_rows,
    full_table,
    help_rows,
    score_rows,
    title_row,
)
from canasta_notation.tui.presses import named, note_of, press

HINT: Final = "Enter next, b back, 7 or d2 jumps, ? keys, q quits"


def answer(walker: Walker, look: Look, line: str) -> Rows | None:
    """Return what a typed line asks for, None if it asks to quit."""
    match key := named(line):
        case "q":
            return None
        case "?":
            return help_rows(look, screen=False)
        case "s":
            return score_rows(walker)
    note = note_of(walker, key, press(walker, key))
    return [*([row(Run(note, "note"))] if note else []), *page_of(walker, look)]


def page_of(walker: Walker, look: Look) -> Rows:
    """Return the turn and the whole table after it."""
    if walker.turn is not None:
        rows = turn_page(walker.play, walker.turn, look)
    else:
        rulings = [row(f"  {ruling_words(each)}") for each in walker.rulings]
        rows = [title_row(walker), *rulings, *full_table(walker, look)]
    rows += [*end_rows(walker), *deduction_rows(walker, look)]
    return rows + finding_rows(walker, walker.deal_findings(), look)
