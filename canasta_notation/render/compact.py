"""The table in a few lines: a side, its opening and its melds in one row."""

from __future__ import annotations

from canasta_notation.cards import RANK_LETTERS
from canasta_notation.engine.state import MeldState, SideState
from canasta_notation.english import figure
from canasta_notation.render.paint import Row, Run, row


def side_row(name: str, side: SideState) -> Row:
    """Return one side in a row: total, what its opening must count, each meld in a word."""
    cells = row(Run(f"{name:<3} ", "strong"), figure(side.total))
    if side.points is not None and (side.opened or side.points):
        cells += row(f" {side.points:+}")
    if not side.opened:
        cells += row(f" opens with {figure(side.minimum)}")
    if side.threes:
        cells += row(f" 3:{len(side.threes)}")
    for meld in side.melds:
        cells += row(" ", Run(meld_word(meld), "good" if meld.canasta else ""))
    return cells


def meld_word(meld: MeldState) -> str:
    """Return a meld in a word: `K:5`, with its wild cards `K:5+2`, a canasta `K:7!`."""
    wild = 0 if meld.canasta == "wild" else meld.twos + meld.jokers
    made = f"{meld.size - wild}+{wild}" if wild else str(meld.size)
    return f"{RANK_LETTERS[meld.rank]}:{made}{'!' if meld.canasta else ''}"
