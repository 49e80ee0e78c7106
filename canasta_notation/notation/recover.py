"""What an unreadable line still says for certain, so that a slip outside the play spoils no deal.

Nothing is repaired. A damaged comment, clock or annotation, or a damaged tag that does not affect
how deals are judged, is left out, and the rest of the line is read as it is.
"""

from __future__ import annotations

import re
from typing import Final

from lark.exceptions import UnexpectedInput

from canasta_notation.findings import Span
from canasta_notation.notation.builder import Rejected, Statement
from canasta_notation.notation.document import JUDGING_TAGS, Turn
from canasta_notation.notation.syntax import parse_line

_TAG: Final = re.compile(
    "[ \t]*\\[[ \t]*(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?=[ \t\"'=:\\]\u2018-\u201f\u00ab\u00bb]|$)"
)
#: A whole tag. A `;` in its value does not begin a comment.
_WHOLE_TAG: Final = re.compile(r'[ \t]*\[[^"]*"(?:\\.|[^"\\])*"[ \t]*\]')
_JUDGING: Final = re.compile(rf"\[[ \t]*(?:{'|'.join(JUDGING_TAGS)})\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"[ \t]*;")
#: The part of a turn from its discard on, and the words there that are not part of the play: clocks
#: and annotations, however they are spelled.
_AFTER_DISCARD: Final = re.compile(r"(?<=[ \t]-)[^ \t].*")
_REMARK: Final = re.compile(r"(?<=[ \t])[@!?$][^ \t]*")


def recover(text: str, fault: Span) -> tuple[Statement, ...] | None:
    """Return what a line certainly says although it cannot be read at `fault`.

    Returns the statement without a damaged comment, clock or annotation; no statement if the line
    is a comment, or a tag that does not affect how deals are judged; None if the damage may concern
    the play.
    """
    if _COMMENT.match(text):
        return ()
    tag = _WHOLE_TAG.match(text)
    cut = text.find(";", tag.end() if tag else 0)
    if 0 <= cut < fault.column:
        statement = _parse(text[:cut], fault.line)
        if statement is not None:
            return (statement,)
    if _TAG.match(text):
        return None if _JUDGING.search(text) else ()
    turn = _parse(
        _AFTER_DISCARD.sub(_without_remarks, text[: cut if cut >= 0 else None]), fault.line
    )
    return (turn,) if isinstance(turn, Turn) else None


def _without_remarks(after_discard: re.Match[str]) -> str:
    return _REMARK.sub(lambda word: " " * len(word[0]), after_discard[0])


def _parse(text: str, line: int) -> Statement | None:
    try:
        statement = parse_line(text, line)
    except UnexpectedInput:
        return None
    return None if isinstance(statement, Rejected) else statement
