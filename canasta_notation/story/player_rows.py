"""The players of games as tables: what they did, what they left, and what that cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from canasta_notation.analysis.analyzed import PlayerFigures
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.limits import Limits
from canasta_notation.english import figure
from canasta_notation.language.sentences import label, say
from canasta_notation.render.paint import Look, Rows, Run, clip, columns, row
from canasta_notation.story.estimates import ERRORS, estimate_cells, give_or_take, rounded
from canasta_notation.story.practising import practice_sentences
from canasta_notation.story.story_rows import lines, wrapped

#: The most characters of a player's name, and how many it keeps if there is little room.
_NAME: Final = 24
_SHORT_NAME: Final = 6
#: How many of the last characters of names are kept to tell them apart: a seat in brackets.
_END: Final = 3
#: The columns of what players did. A column of cards follows the column of the takes or gifts.
_DID: Final = (
    ("fig_turns", "turns"), ("fig_took", "takes"), ("fig_taken", "taken"), ("fig_gave", "gifts"),
    ("fig_given", "given"), ("fig_wilds", "wilds"), ("fig_held", "held"),
)  # fmt: skip
_VALUES: Final = (
    "fig_loss", "fig_error", "fig_mistakes", "fig_blunders", "fig_luck", "fig_error",
)  # fmt: skip


def player_rows(
    players: Sequence[PlayerFigures], look: Look, limits: Sequence[Limits] = ()
) -> Rows:
    """Return the tables of the players, and what they can practise, in the current language.

    `limits` are those of the games.
    """
    heads = [label(each) for each in ("fig_deals", "fig_won", *(head for head, _ in _DID))]
    did = [heads, *map(_did, players)]
    valued = any(player.values["decisions"] is not None for player in players)
    heads = [label(f"fig_{kind}") for kind in CHANCES]
    left = [heads + [label(each) for each in (_VALUES if valued else ())]]
    left += [_left(player, valued=valued) for player in players]
    names = [player.name for player in players]
    rows = [*_table(names, did, look), row(), *_table(names, left, look), row()]
    words = [label("about_figures"), label("about_unknown")]
    if valued:
        words.insert(1, _about_values(limits))
    rows += (row(line) for line in lines(" ".join(words), look))
    return [*rows, *_practice(players, look)]


def _did(player: PlayerFigures) -> list[str]:
    figures = [figure(player.figures[key]) for _, key in _DID]
    return [str(player.deals), f"{player.won}/{player.games}", *figures]


def _left(player: PlayerFigures, *, valued: bool) -> list[str]:
    cells = [figure(player.chances[kind]) for kind in CHANCES]
    if valued:
        cells += _mean(player.loss_per_decision, player.loss_per_decision_error)
        cells += [_rounded(player.values["mistakes"]), _rounded(player.values["blunders"])]
        cells += _points(player.values["luck"], player.values["luck_error"])
    return cells


def _about_values(limits: Sequence[Limits]) -> str:
    """Return what the columns of values mean: what mistakes cost, by the limits of the games."""
    found = [*dict.fromkeys(limits)]
    if len(found) != 1:
        return label("about_all_values")
    return say("about_values", x=found[0].mistake, y=found[0].blunder).text


def _practice(players: Sequence[PlayerFigures], look: Look) -> Rows:
    """Return what the players can practise; nothing without play-outs."""
    sentences = practice_sentences(players)
    if not sentences:
        return []
    rows: Rows = [row(), [Run(label("practise"), "bold")]]
    for sentence in sentences:
        rows += wrapped(sentence.text, look)
    return rows


def _table(names: Sequence[str], figures: Sequence[Sequence[str]], look: Look) -> Rows:
    """Return a table of figures, headings first; names are clipped to the remaining width."""
    taken = sum(2 + max(map(len, column)) for column in zip(*figures, strict=True))
    room = max(_SHORT_NAME, min(_NAME, look.width - taken))
    head = label("fig_player")
    first = [[Run(head, "dim")], *map(row, _clipped(names, room, look))]
    style = ["dim", *("" for _ in names)]
    table = [
        [name, *([Run(cell, style[at])] for cell in cells)]
        for at, (name, cells) in enumerate(zip(first, figures, strict=True))
    ]
    return columns(table, right=range(1, len(figures[0]) + 1))


def _clipped(names: Sequence[str], room: int, look: Look) -> list[str]:
    """Return names clipped to some width; those that would be alike keep their ends."""
    short = [clip(name, room, look) for name in names]
    ends = [name[-_END:] for name in names]
    return [
        clip(name, room - _END, look) + end if short.count(each) > 1 else each
        for name, each, end in zip(names, short, ends, strict=True)
    ]


def _points(points: float | None, error: float | None) -> tuple[str, str]:
    """Return points with their three errors, as everywhere; "?" if they are not known."""
    if points is None or error is None:
        return "?", "?"
    return estimate_cells(rounded(points), give_or_take(points, error))


def _mean(points: float | None, error: float | None) -> tuple[str, str]:
    """Return the mean of many estimates to the point; in fives, it would often be 0 or 5."""
    if points is None or error is None:
        return "?", "?"
    return estimate_cells(round(points), ceil(ERRORS * error))


def _rounded(number: float | None) -> str:
    return "?" if number is None else f"{number:.0f}"
