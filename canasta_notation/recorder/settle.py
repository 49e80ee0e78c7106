"""What is written automatically after an entry: the end line of a deal, and the Result tag."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from canasta_notation.notation.format import format_line
from canasta_notation.recorder.standing import Standing

#: The Result of a game without a winner yet.
OPEN_RESULT: Final = "*"


def settle(before: Standing, after: Standing) -> Standing:
    """Return `after` with the end line that is due after its play, and with the right Result tag.

    A Result tag that did not agree with the record before the entry is left as it is.
    """
    lines = list(after.lines)
    if after.end_line is not None:
        lines.append(format_line(after.end_line))
        after = Standing(lines, after.place)
    wanted, tag = result_of(after), after.header.result_tag
    if tag is None or tag.value == wanted or not _is_kept_up(before):
        return after
    lines[tag.span.line - after.place.first_line] = format_line(replace(tag, value=wanted))
    return Standing(lines, after.place)


def result_of(standing: Standing) -> str:
    """Return the value for the Result tag: the totals if a side has won, else `*`."""
    result = standing.report.result
    if not result.winner or standing.phase == "play":
        return OPEN_RESULT
    return " ".join(f"{side} {total}" for side, total in result.totals.items())


def _is_kept_up(standing: Standing) -> bool:
    tag = standing.header.result_tag
    return tag is not None and tag.value in (OPEN_RESULT, result_of(standing))
