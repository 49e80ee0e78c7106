"""What is wrong with a line that cannot be read: the place, the text there, what was expected.

The causes are the rows of grammar/slips.toml, which is read at the first error. If none fits, the
message lists what the parser would have accepted, in words and not as names of terminals.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from lark.exceptions import UnexpectedInput

from canasta_notation.english import listed
from canasta_notation.findings import Finding, Span
from canasta_notation.notation.builder import Rejected
from canasta_notation.notation.document import KEYWORDS
from canasta_notation.notation.tag_values import TAGS
from canasta_notation.quoting import shortened
from canasta_notation.resources import packaged_text
from canasta_notation.rules.items import SCORED

#: The words for what was expected, by terminal; a message lists them in this order.
_EXPECTED: Final[dict[str, str]] = {
    "TAG_VALUE": 'a value in quotes ("Thursday")',
    "TAG_CLOSE": "`]`",
    "DEALER": "`dealer` and a seat",
    "SEAT": "a seat (N E S W, A to F)",
    "COUNT": "a number",
    "NUMBER": "a number",
    "CONCEALED": "`concealed`",
    "SIDE": "a side (NS EW, ACE BDF, AD BE CF, N E S)",
    "WORD": "a word",
    "EQUALS": "`=` and items",
    "ITEM": "an item of a score (melds 365)",
    "OUT_BY": "`out`, `special`, `stock`, `unfinished`, `void` or `time`",
    "CARDS": "cards (4s 5d)",
    "REST": "`...`",
    "PULLED": "a replacement (+6c)",
    "TABLED": "threes that were kept (threes:3h+9c)",
    "DRAW": "a draw (+5h)",
    "TAKE": "a take of the pile (^9h)",
    "ASK": "asking (ask=yes)",
    "LAY": "a group (K:KsKd2c)",
    "COMBINE": "melds put together (K/2>1)",
    "BACK": "cards taken back (back:KsKhKd)",
    "DISCARD": "a discard (-9s)",
    "PACKET_TAKEN": "a foot or a pot (foot foot:4s5d)",
    "TALON_TAKEN": "a talon (talon:4s5d)",
    "OPEN": "another mark (open=95 # @12 !)",
    "ACK": "an acknowledgement (~code)",
    "COMMENT": "the end of the line",
}
_JOIN: Final = "join it to the line above: a turn, a list or a score stands on one line"
_LINE_START: Final = "a tag, `deal`, a hand (N: 4s 5d), a turn (12. N +5h -9s) or another line"
_KINDS: Final = (
    ("tag", re.compile(r"\s*\[")),
    ("", re.compile(r"\s*[;(%]")),
    *((word, re.compile(rf"\s*{word}(?![^\s;])")) for word in KEYWORDS),
    ("hand", re.compile(r"\s*[A-Za-z]+[ \t]*:")),
    ("turn", re.compile(r"\s*(?:\d|[A-Za-z](?:\s|$|[-+^\d])|[A-Za-z]+[ \t]+[-+^]|[-+^]|ask=)")),
)
#: The other forms of a row's groups; `cards` has ranks as capitals, suits as small letters after
#: their ranks, and no spaces or commas; `joined` and `undashed` have no signs between cards.
_CASE: Final = str.maketrans("akqjtSHDC♠♤♥♡♦♢♣♧", "AKQJTshdcsshhddcc", " \t,")
_SUIT_FIRST: Final = re.compile("([shdcSHDC♠♤♥♡♦♢♣♧])(10|[akqjtAKQJT2-9])")
_SIGN: Final = re.compile(r"(?<!\.)\.(?!\.)|[,/|&]")
_RUN: Final = re.compile("([♠♤♥♡♦♢♣♧])([^♠♤♥♡♦♢♣♧]+)")
_RANK: Final = re.compile("10|[AKQJT2-9]")
_LETTERS: Final = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T", "nine": "9", "eight": "8",
    "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2",
}  # fmt: skip
#: Letters of other alphabets, and the Latin ones that look like them.
_LATIN: Final = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0445"
    "\u0391\u0392\u0395\u0397\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7",
    "ABEKMHOPCTXaeopcxABEHKMNOPTX",
)
#: Signs that are not seen, and spaces that are not those of the keyboard, as classes of a pattern.
UNSEEN: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
SPACES: Final = r"\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_FORMS: Final[dict[str, Callable[[str], str]]] = {
    "code": lambda text: f"U+{ord(text):04X}" if len(text) == 1 else "",
    "latin": lambda text: text.translate(_LATIN),
    "upper": str.upper,
    "lower": str.lower,
    "dashed": lambda text: "-".join(text.split()),
    "cards": lambda text: _suits_last(text).translate(_CASE),
    "joined": lambda text: _SIGN.sub("", text),
    "undashed": lambda text: text.replace("-", "").replace("+", ""),
    "tag": lambda text: next((tag for tag in TAGS if tag.lower() == text.lower()), text),
    "suited": lambda text: _RUN.sub(
        lambda run: "".join(rank + run[1] for rank in _RANK.findall(run[2])), text
    ).translate(_CASE),
    "spoken": lambda text: "".join(
        _LETTERS.get(word, word[:1]) for word in text.lower().split() if word != "of"
    ),
}
_HIDDEN: Final = re.compile(f"[{UNSEEN}]")
_SPACE: Final = re.compile(f"[{SPACES}]")
#: The words of a line, and what may hold every sign: a comment, the value of a tag.
_PIECES: Final = re.compile(r"[^ \t;]+|;.*")
_PIECES_OF_TAG: Final = re.compile(r'[^ \t;"]+|;.*|"(?:\\.|[^"\\])*"?')
_TAG: Final = re.compile(rf"[\s{UNSEEN}]*\[")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_WORD: Final = re.compile(r"[^ \t;]*")
#: What shows the kind of a word with cards, its sign or label. A word in a list has neither.
_SIGNED: Final = re.compile(r"[-+^]|[^\s:;]{1,8}:")
_SIGN_OF_CARDS: Final = re.compile(r"[-+^](?=\w)")
_WORDS_OF_CARDS: Final = frozenset(("DRAW", "TAKE", "DISCARD"))
_NUMBER_NEXT: Final = re.compile(r"[ \t]+-?\d")
#: How often a line is parsed again for its further errors.
_AGAIN: Final = 10
#: The most characters of a line that are searched for slips, and of a word in a message.
LOOKED_AT: Final = 2_000
_QUOTED: Final = 40
#: The most characters of a message, and of a remedy that repeats what was written.
_LONG: Final = 400


SIDES: Final = ("NS", "EW", "ACE", "BDF", "AD", "BE", "CF", "N", "E", "S")
REASONS: Final = ("out", "special", "stock", "unfinished", "void", "time")
#: The lists of words that slips name.
_LISTS: Final = {
    "KEYWORDS": KEYWORDS,
    "ITEMS": tuple(SCORED),
    "SIDES": SIDES,
    "REASONS": REASONS,
    "DEALER": ("dealer",),
}
#: The kinds of line that contain cards.
_CARD_LINES: Final = "hand up stock foot pot talon turn melds threes left"
#: What may precede the first bad part of a word: a sign or a label, then good cards.
_CARDS_BEFORE: Final = (
    r"(?:[-+^]|[^\s:]{1,8}:)?(?:(?:10|[AKQJT9876542])(?:[shdc]|(?![shdc]))|3[shdcrb]|\*|_)*?"
)
_PART: Final = re.compile("{([A-Z_]+)}")


@dataclass(frozen=True, slots=True)
class Slip:
    """A row: `pattern` fits the text from the error on; its groups fill message and help.

    `family` names what people do. `lines` are the kinds of line in which the slip occurs (all if
    empty; CARDS means all with cards), and `expects` is a terminal that would have been accepted.
    `before` must fit somewhere in the text before the error; its groups fill message and help too.
    `cards` says that the pattern may follow good cards in its word. `{near}` is the word of `near`
    that is most like the group `word`; if none is similar, the row does not fit. It does not fit
    either if its group `player` is not a player's name; `{seat}` is that player's seat. `{front}`
    and `{back}` are the parts around the slip in its word, if `cards` is set. `{times}` is the
    group `card` as often as the group `count` says, and `_` if there is no such group, `{swapped}`
    the reverse; `{threes}` is that many red threes. `{seen}` is the bad word without the signs that
    are not seen, and `{x_code}` is the number of a sign. Each group `x` is also available as
    `{x_upper}` and `{x_lower}`, in Latin letters (`{x_latin}`), as one word (`{x_dashed}`), as a
    known tag (`{x_tag}`), as cards side by side in the right case (`{x_cards}`; `{x_suited}` if
    each suit is before several ranks, `{x_spoken}` if the card is in words), and without the signs
    between them (`{x_joined}` without commas and the like, `{x_undashed}` without - and +).
    """

    family: str
    pattern: str
    message: str
    help: str
    examples: tuple[str, ...]
    lines: str = ""
    expects: str = ""
    before: str = ""
    cards: bool = False
    near: tuple[str, ...] = ()


@cache
def slips() -> tuple[Slip, ...]:
    """Return the rows of grammar/slips.toml, in the order in which they are tried."""
    data = tomllib.loads(packaged_text("grammar", "slips.toml"))
    parts = {name: "|".join(words) for name, words in _LISTS.items()} | data["parts"]
    parts |= {"LATIN": "".join(map(chr, _LATIN)), "UNSEEN": UNSEEN, "SPACES": SPACES}

    def whole(pattern: str) -> str:
        return _PART.sub(lambda part: whole(parts[part[1]]), pattern)

    rows = []
    for row in data["slip"]:
        row["pattern"], row["before"] = whole(row["pattern"]), whole(row.get("before", ""))
        if row.get("cards"):
            row["pattern"] = rf"(?P<front>{_CARDS_BEFORE}){row['pattern']}(?P<back>\S*)"
        row["lines"] = row.get("lines", "").replace("CARDS", _CARD_LINES)
        row["near"] = _LISTS.get(row.get("near", ""), ())
        rows.append(Slip(**row | {"examples": tuple(row["examples"])}))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Fault:
    """An unreadable line: its kind, the text before the error and from it on, and the bad word.

    `seen` is the word as it looks.
    """

    kind: str
    before: str
    rest: str
    word: str
    seen: str
    expected: frozenset[str]
    players: Mapping[str, str]


def explain(
    text: str,
    line: int,
    error: UnexpectedInput,
    players: Mapping[str, str],
    parse: Callable[[str], object],
) -> list[Finding]:
    """Return the findings for a line at which the parser raised `error`, from left to right.

    `players` maps the names of players, in lower case, to their seats. A bad card, number or item
    is replaced by a good one of the same width, and `parse`, which raises UnexpectedInput, looks
    for the next error. After any other error nothing more is reported, because it may follow from
    the first. Of bad words side by side in a list, only the first is reported: together they may be
    one mistake, such as a remark.
    """
    findings: list[Finding] = []
    checked, end = text, 0
    for _ in range(_AGAIN if len(text) <= LOOKED_AT else 1):
        finding, bad_card = _explain(text, line, error, players, parse)
        start = finding.span.column - 1
        hidden = _is_hiding(text[start : finding.span.end_column - 1])
        good = _replacement(checked, start, finding.span.end_column - 1, error, bad_card=bad_card)
        if findings and (good is None or start < end):
            break
        listed_bad = (bad_card or hidden) and not _SIGNED.match(text, start)
        beside = listed_bad and not text[end:start].strip(" \t")
        if not (findings and beside):
            findings.append(finding)
        if good is None:
            break
        end = finding.span.end_column - 1
        checked = checked[:start] + good + checked[end:]
        try:
            read = parse(checked)
        except UnexpectedInput as next_error:
            error = next_error
        else:
            findings += read.findings if isinstance(read, Rejected) else ()
            break
    return findings


def _replacement(
    text: str, start: int, end: int, error: UnexpectedInput, *, bad_card: bool
) -> str | None:
    """Return a good word for the bad one at `start`, of its width; None if its kind is not known.

    A word stands for a number if it contains a digit, and for an item if a number follows it.
    """
    word, width = text[start:end], end - start
    expected = _expected_terminals(error)
    if bad_card or (_SIGN_OF_CARDS.match(word) and expected & _WORDS_OF_CARDS):
        return _unknown(word)
    if _is_hiding(word):
        return _seen(word)
    if expected & {"NUMBER", "COUNT"} and any(map(str.isdecimal, word)):
        return "0".ljust(width)
    if "ITEM" in expected and _NUMBER_NEXT.match(text, end):
        unused = (item for item in SCORED if len(item) <= width and item not in text)
        item = next(unused, None)
        return item and item.ljust(width)
    return None


def _unknown(word: str) -> str:
    """Return a word of the same kind and width, but with an unknown card."""
    signed = _SIGNED.match(word)
    sign = signed[0] if signed else ""
    if len(sign) > 1 and sign not in ("foot:", "pot:", "talon:", "threes:", "back:"):
        sign = "*:"
    if sign == "threes:":
        return f"{sign}3r".ljust(len(word))
    return f"{sign}_"[: len(word)].ljust(len(word))


def _is_hiding(text: str) -> bool:
    """Return whether a text has a sign that is not seen, or a special space."""
    return _HIDDEN.search(text) is not None or _SPACE.search(text) is not None


def _seen(text: str, *, placed: bool = True) -> str:
    """Return a line as it looks: without signs that are not seen, and with ordinary spaces.

    Every word stays at its column if it is to be `placed`. A comment and the value of a tag stay as
    they are.
    """

    def seen(piece: re.Match[str]) -> str:
        if piece[0][0] in ';"':
            return piece[0]
        word = _SPACE.sub(" ", _HIDDEN.sub("", piece[0]))
        return word.ljust(len(piece[0]) if placed else 0)

    pieces = _PIECES_OF_TAG if _TAG.match(text) else _PIECES
    return pieces.sub(seen, text) if _is_hiding(text) else text


def _explain(
    text: str,
    line: int,
    error: UnexpectedInput,
    players: Mapping[str, str],
    parse: Callable[[str], object],
) -> tuple[Finding, bool]:
    """Return the finding for an error, and whether it is about the cards of one word.

    Its place is the offending word, or the column after the line if the line ends too early. If the
    word has signs that are not seen, it is explained without them; only if it can then be read,
    they are the error.
    """
    seen = _seen(text)
    kind = next((name for name, pattern in _KINDS if pattern.match(seen)), "")
    control = _CONTROL.search(text)
    column = control.start() if control else column_of(text, error, tag=kind == "tag")
    word = _word(text[column:], kind) if control is None else control[0]
    end = column + max(len(word), 1)
    if seen != text and control is None:
        try:
            parse(seen)
        except UnexpectedInput as other:
            at = column_of(seen, other, tag=kind == "tag")
            if at < column + len(seen[column:end].rstrip()):
                text, column, error, word = seen, at, other, _word(seen[at:], kind)
    expected = _expected_terminals(error)
    rest = text[column:] if kind == "tag" else text[column:].partition(";")[0]
    rest = rest[:LOOKED_AT].rstrip(" \t")
    fault = _Fault(kind, seen[:column], rest, word, _seen(word, placed=False), expected, players)
    cause, help_text, bad_card = _find_slip(fault)
    what = "expected " + _in_words(expected)
    if not cause and "DEAL" in expected:
        help_text = "if this is a comment, begin it with `;`"
    message = _found(word, cause) if cause else f"{_found(word, cause)}; {what}"
    label = cause or ("not allowed here" if word else "the line ends too early")
    span = Span(line, column + 1, end + 1)
    return Finding("syntax", "error", message, span, label=label, help=help_text), bad_card


def explain_continued(word: str, span: Span) -> Finding:
    """Return the finding for a line that continues the line above; `word` is its first word."""
    cause = "this line continues the line above"
    return Finding("syntax", "error", _found(word, cause), span, label=cause, help=_JOIN)


def _found(word: str, cause: str) -> str:
    """Return the message: what is there, and what is wrong with it."""
    found = f"`{_shorten(word)}`" if word else "the line ends here"
    if cause:
        return cause if cause.startswith(found) else f"{found}: {cause}"
    return f"{found} is not allowed here" if word else "the line ends too early"


def _expected_terminals(error: UnexpectedInput) -> frozenset[str]:
    expected = getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    return frozenset(expected)


def column_of(text: str, error: UnexpectedInput, *, tag: bool = False) -> int:
    """Return the index of the offending word in a line; a comment counts as the line's end."""
    token = getattr(error, "token", None)
    at = len(text) if getattr(token, "type", "") == "$END" else (error.column or 1) - 1
    if not tag and text[at : at + 1] == ";":
        at = len(text[:at].rstrip())
    return min(at, len(text.rstrip()))


def _word(rest: str, kind: str) -> str:
    if kind == "tag":
        return rest.rstrip(" \t")
    match = _WORD.match(rest)
    return match[0] if match else ""


def _find_slip(fault: _Fault) -> tuple[str, str | None, bool]:
    """Return the cause and its remedy from the table of slips, ("", None) if no row fits.

    Also returns whether the row is about a card in a word.
    """
    for slip in slips():
        groups = _fit(slip, fault)
        if groups is not None:
            cause, remedy = slip.message.format(**groups), slip.help.format(**groups)
            # A remedy that is cut would lose what was written.
            return shortened(cause, _LONG), remedy if len(remedy) <= _LONG else None, slip.cards
    return "", None, False


def _fit(slip: Slip, fault: _Fault) -> dict[str, str] | None:
    """Return the groups of a row, and their other forms, None if the row does not fit."""
    groups = _matched(slip, fault) if _concerns(slip, fault) else None
    if groups is None:
        return None
    if slip.near:
        near = get_close_matches(groups["word"].lower(), slip.near, n=1)
        if not near:
            return None
        groups["near"] = near[0]
    if "player" in groups:
        seat = fault.players.get(groups["player"].lower())
        if not seat:
            return None
        groups["seat"] = seat
    if "count" in groups and len(groups["count"]) <= 2:
        groups |= _multiplied(groups)
    forms = {
        f"{name}_{form}": change(text)
        for name, text in groups.items()
        for form, change in _FORMS.items()
    }
    return groups | forms


def _concerns(slip: Slip, fault: _Fault) -> bool:
    """Return whether a row is about this kind of line, and about what is expected there."""
    if slip.lines and fault.kind not in slip.lines.split():
        return False
    if slip.expects:
        return slip.expects in fault.expected
    return "turn" not in slip.lines or "SEAT" not in fault.expected


def _matched(slip: Slip, fault: _Fault) -> dict[str, str] | None:
    """Return the groups of the patterns of a row, None if they do not match."""
    before = _compiled(slip.before).search(fault.before)
    match = _compiled(slip.pattern).match(fault.word if slip.cards else fault.rest)
    if before is None or match is None:
        return None
    named = before.groupdict() | match.groupdict()
    groups = {name: text or "" for name, text in named.items()} | {"seen": fault.seen}
    return groups | {name: _shorten(groups[name]) for name in ("front", "back") if name in groups}


def _multiplied(groups: Mapping[str, str]) -> dict[str, str]:
    """Return what a count of cards can stand for, by the names of groups."""
    times = int(groups["count"])
    found = {"times": (groups.get("card", "_ ") * times).rstrip()}
    if groups.get("card", "").isdecimal():
        found["swapped"] = groups["count"] * int(groups["card"])
    return found | {"threes": " ".join(["3r"] * times)}


def _suits_last(text: str) -> str:
    """Return cards with each suit after its rank, if all of them have it before."""
    return text if _SUIT_FIRST.sub("", text) else _SUIT_FIRST.sub(r"\2\1", text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _in_words(expected: frozenset[str]) -> str:
    if "DEAL" in expected:
        return _LINE_START
    words = [word for name, word in _EXPECTED.items() if name in expected]
    if "OPEN" in expected:
        words.remove(_EXPECTED["ACK"])
    if not words:
        return _EXPECTED["COMMENT"]
    if len(words) > 3:
        words = [word.partition(" (")[0] for word in words]
    return listed(words, "or")


def _shorten(word: str) -> str:
    return word if len(word) <= _QUOTED else word[: _QUOTED - 1] + "…"
