"""Colours: the words of a line by the grammar's own terminals, for editors and for Pygments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from lark.exceptions import UnexpectedInput
from pygments import token
from pygments.lexer import Lexer

from canasta_notation.notation.reader import parser

#: The part of a line that cannot be read.
UNREAD: Final = ""
#: How each terminal is shown: the kind of token for an editor, and for Pygments.
TERMINALS: Final = {
    **dict.fromkeys(("TAG_OPEN", "TAG_CLOSE"), ("property", token.Name.Attribute)),
    "TAG_VALUE": ("string", token.String),
    **dict.fromkeys(
        (
            "DEAL", "DEALER", "UP", "STOCK", "FOOT", "POT", "TALON", "PENALTY", "BONUS", "END",
            "OUT_BY", "SPECIAL_BY", "BY_STOCK", "BY_TABLE", "CONCEALED", "MELDS", "THREES", "LEFT",
            "SCORE", "TOTAL",
        ),
        ("keyword", token.Keyword),
    ),
    "EQUALS": ("operator", token.Operator),
    **dict.fromkeys(("ITEM", "WORD"), ("property", token.Name.Property)),
    **dict.fromkeys(("SEAT", "SIDE", "HAND"), ("variable", token.Name.Variable)),
    **dict.fromkeys(("COUNT", "NUMBER", "TURN_NUMBER"), ("number", token.Number)),
    "TURN": ("variable", token.Name.Variable),
    **dict.fromkeys(("CARDS", "REST", "PULLED"), ("enumMember", token.Literal)),
    **dict.fromkeys(("TABLED", "DRAW", "PLUS", "TAKE"), ("function", token.Name.Function)),
    **dict.fromkeys(
        ("LAY", "COMBINE", "BACK", "SPECIAL", "PACKET_TAKEN", "TALON_TAKEN"),
        ("method", token.Name.Class),
    ),
    **dict.fromkeys(("DISCARD", "OUT"), ("operator", token.Operator.Word)),
    **dict.fromkeys(("ASK", "OPEN"), ("parameter", token.Name.Constant)),
    "ACK": ("macro", token.Name.Exception),
    **dict.fromkeys(("CLOCK", "ANNOTATION"), ("decorator", token.Name.Decorator)),
    "COMMENT": ("comment", token.Comment.Single),
    UNREAD: ("", token.Error),
}  # fmt: skip
_TURN_NUMBER: Final = re.compile(r"\d+\.")
#: How many lines are remembered; a change leaves nearly all lines as they are.
_LINES: Final = 4096


class Word(NamedTuple):
    """A word of a line: its first index, the index after it, and the name of its terminal."""

    start: int
    end: int
    terminal: str


@lru_cache(maxsize=_LINES)
def words_of(line: str) -> tuple[Word, ...]:
    """Return the words of a line, without the spaces between them.

    If the line cannot be read, the words before the error are those that the grammar accepts, and
    the rest is one word with the terminal `UNREAD`, up to a comment.
    """
    found: list[Word] = []
    try:
        for each in parser().parse_interactive(line, "line").iter_parse():
            start = (each.column or 1) - 1
            found += _parts(line, Word(start, start + len(each.rstrip(" \t")), each.type))
    except UnexpectedInput:
        end = max((word.end for word in found), default=0)
        begin = len(line) - len(line[end:].lstrip())
        comment = line.find(";", begin)
        stop = len(line) if comment < 0 else comment
        if line[begin:stop].strip():
            found.append(Word(begin, begin + len(line[begin:stop].rstrip()), UNREAD))
        if comment >= 0:
            found.append(Word(comment, len(line), "COMMENT"))
    return tuple(found)


def _parts(line: str, word: Word) -> Iterator[Word]:
    """Yield a word; the number of a turn apart from its seat, and no spaces that the line lacks."""
    if word.terminal.startswith("_") or word.start == word.end:
        return
    number = _TURN_NUMBER.match(line, word.start) if word.terminal == "TURN" else None
    if number:
        yield Word(word.start, number.end(), "TURN_NUMBER")
        yield Word(word.end - 1, word.end, "SEAT")
    else:
        yield word


class CanastaLexer(Lexer):
    """Canasta records for Pygments: `pygmentize -l canasta`."""

    name = "Canasta Game Notation"
    aliases: Final = ["canasta", "cgn"]
    filenames: Final = ["*.canasta"]
    mimetypes: Final = ["text/x-canasta"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, object, str]]:
        """Yield the index, the kind and the text of every part of a record."""
        begin = 0
        for line in text.split("\n"):
            at = 0
            for word in words_of(line.removesuffix("\r")):
                if word.start > at:
                    yield begin + at, token.Whitespace, line[at : word.start]
                yield begin + word.start, TERMINALS[word.terminal][1], line[word.start : word.end]
                at = word.end
            begin += len(line) + 1
            if line[at:] or begin <= len(text):
                rest = line[at:] + ("\n" if begin <= len(text) else "")
                yield begin - len(line) - 1 + at, token.Whitespace, rest
