"""From the grammar's words to the lines of a document, without a tree between them.

The methods of `Builder` have the names of the grammar's rules. They build and do not judge, with
one exception, which a context-free grammar cannot express briefly: if a claim, an item or a side
that may appear only once is repeated in its line, the line becomes `Rejected`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeVar

from lark import Token

from canasta_notation.cards import KINDS, PLACE_OF, parse_cards
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    TableThrees,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.fields import PACKET_WORDS, unchecked
from canasta_notation.findings import Finding, Span, syntax_error
from canasta_notation.notation.document import (
    BonusLine,
    Columns,
    Deal,
    EndLine,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PacketLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that says something twice: a finding for each repetition, from left to right."""

    findings: tuple[Finding, ...]


#: What a line of a text becomes. A comment on its own line remains a token.
Statement = Line | Deal | Token


def line_of(statement: Statement | Rejected) -> int:
    """Return the number of the line that a statement is on."""
    if isinstance(statement, (Turn, Token)):
        return statement.line or 0
    if isinstance(statement, Rejected):
        return statement.findings[0].span.line
    return statement.span.line


# Actions and lines are made without checks: the grammar accepts only valid ones.
_make_ask: Final = unchecked(Ask)
_make_discard: Final = unchecked(Discard)
_make_draw: Final = unchecked(Draw)
_make_lay: Final = unchecked(Lay)
_make_combine: Final = unchecked(Combine)
_make_back: Final = unchecked(TakeBack)
_make_special: Final = unchecked(LaySpecial)
_make_take: Final = unchecked(Take)
_make_taken: Final = unchecked(TakePacket)
_make_tabled: Final = unchecked(TableThrees)
_make_tag: Final = unchecked(Tag)
_make_deal: Final = unchecked(Deal)
_make_hand: Final = unchecked(HandLine)
_make_up: Final = unchecked(UpLine)
_make_stock: Final = unchecked(StockLine)
_make_packet: Final = unchecked(PacketLine)
_make_turn: Final = unchecked(Turn)
_make_penalty: Final = unchecked(PenaltyLine)
_make_bonus: Final = unchecked(BonusLine)
_make_end: Final = unchecked(EndLine)
_make_melds: Final = unchecked(MeldsLine)
_make_threes: Final = unchecked(ThreesLine)
_make_left: Final = unchecked(LeftLine)
_make_score: Final = unchecked(ScoreLine)
_make_total: Final = unchecked(TotalLine)
_NO_COLUMNS: Final[Columns] = (0, 0)
_ESCAPE: Final = re.compile(r"\\(.)")


class Spliced:
    """The parts that a rule named `_...` hands to the rule around it; for Lark's `tree_class=`."""

    __slots__ = ("children",)

    def __init__(self, data: str, children: list[Token]) -> None:
        self.children = children


class Builder:
    """Builds the value of each line; for Lark's `transformer=`."""

    def game(self, children: list[Statement | Rejected]) -> list[Statement | Rejected]:
        """Return the statements of a text, in order."""
        return children

    def line(self, children: list[Statement | Rejected]) -> Statement | Rejected | None:
        """Return the statement of a line, None for an empty line."""
        return children[0] if children else None

    def tag(self, tokens: list[Token]) -> Tag:
        """Return a tag, its value unescaped."""
        words, comment = _split(tokens)
        name, value = _texts(words[:2])
        text = _ESCAPE.sub(r"\1", value[1:-1])
        return _make_tag(name[1:], text, (), comment, _span(words), _span(words[1:2]))

    def deal(self, tokens: list[Token]) -> Deal:
        """Return a deal that has only its first line so far."""
        words, comment = _split(tokens)
        named = len(words) == 4
        return _make_deal(
            int(words[1]),
            words[3][0] if named else None,
            comment=comment,
            span=_span(words),
            dealer_at=_place(words[3]) if named else _NO_COLUMNS,
        )

    def hand(self, tokens: list[Token]) -> HandLine:
        """Return a hand line."""
        words, comment = _split(tokens)
        cards = [word for word in words if word.type == "CARDS"]
        codes, places = _acknowledged(words)
        pulled = [word[1:] for word in words if word.type == "PULLED"]
        return _make_hand(
            words[0][0],
            parse_cards(cards[0]) if cards else (),
            any(word.type == "REST" for word in words),
            parse_cards(" ".join(pulled)) if pulled else (),
            codes,
            comment=comment,
            span=_span(words),
            acknowledged_at=places,
        )

    def up(self, tokens: list[Token]) -> UpLine:
        """Return an up line."""
        words, comment = _split(tokens)
        codes, places = _acknowledged(words)
        cards = parse_cards(words[1])
        return _make_up(cards, codes, comment=comment, span=_span(words), acknowledged_at=places)

    def stock(self, tokens: list[Token]) -> StockLine:
        """Return a stock line."""
        words, comment = _split(tokens)
        return _make_stock(parse_cards(words[1]), comment=comment, span=_span(words))

    def packet(self, tokens: list[Token]) -> PacketLine:
        """Return a packet line."""
        words, comment = _split(tokens)
        kinds = [word.type for word in words]
        cards = words[kinds.index("CARDS")] if "CARDS" in kinds else ""
        return _make_packet(
            words[0].value.rstrip(" \t"),
            parse_cards(cards) if cards else (),
            words[1][0] if "SEAT" in kinds else None,
            "REST" in kinds,
            comment=comment,
            span=_span(words),
        )

    def penalty(self, tokens: list[Token]) -> PenaltyLine:
        """Return a penalty line."""
        return _ruling(_make_penalty, tokens)

    def bonus(self, tokens: list[Token]) -> BonusLine:
        """Return a bonus line."""
        return _ruling(_make_bonus, tokens)

    def end(self, tokens: list[Token]) -> EndLine:
        """Return an end line."""
        words, comment = _split(tokens)
        reason, *rest = _texts(words[1:])
        seat = rest[0] if rest else None
        return _make_end(reason, seat, len(rest) > 1, comment=comment, span=_span(words))

    def melds(self, tokens: list[Token]) -> MeldsLine:
        """Return the line of a side's melds at the end."""
        words, comment = _split(tokens)
        meanings = [interpret(word.value)[0][1] for word in words[2:]]
        return _make_melds(
            words[1].rstrip(" \t"),
            tuple(group for group in meanings if isinstance(group, Lay)),
            comment=comment,
            span=_span(words),
            groups_at=tuple(map(_place, words[2:])),
        )

    def threes(self, tokens: list[Token]) -> ThreesLine:
        """Return the line of the threes that a side has tabled."""
        words, comment = _split(tokens)
        cards = parse_cards(words[2]) if len(words) > 2 else ()
        return _make_threes(words[1].rstrip(" \t"), cards, comment=comment, span=_span(words))

    def left(self, tokens: list[Token]) -> LeftLine:
        """Return the line of the cards left in a hand."""
        words, comment = _split(tokens)
        kinds = [word.type for word in words]
        return _make_left(
            words[1][0],
            parse_cards(words[2]) if "CARDS" in kinds else (),
            "REST" in kinds,
            comment=comment,
            span=_span(words),
        )

    def score(self, tokens: list[Token]) -> ScoreLine | Rejected:
        """Return a score line; an item named twice is rejected."""
        words, comment = _split(tokens)
        names = words[4::2]
        texts = _texts(names)
        if len(set(texts)) < len(texts):
            return _repeated(names, "write each item once, with all its points")
        items = tuple(zip(texts, map(int, words[5::2]), strict=True))
        return _make_score(
            words[1].rstrip(" \t"),
            int(words[2]),
            items or None,
            comment=comment,
            span=_span(words),
            items_at=tuple(map(_extent, names, words[5::2])),
            score_at=_place(words[2]),
        )

    def total(self, tokens: list[Token]) -> TotalLine | Rejected:
        """Return a line of totals; a side named twice is rejected."""
        words, comment = _split(tokens)
        sides, totals = words[1::2], words[2::2]
        texts = _texts(sides)
        if len(set(texts)) < len(texts):
            return _repeated(sides, "write one total for each side")
        return _make_total(
            tuple(zip(texts, map(int, totals), strict=True)),
            comment=comment,
            span=_span(words),
            totals_at=tuple(map(_extent, sides, totals)),
        )

    def turn(self, tokens: list[Token]) -> Turn | Rejected:
        """Return a turn; a claim written twice is rejected."""
        tokens, comment = _split(tokens)
        words = [(token.value, token.column or 0) for token in tokens]
        return _read_turn(words, tokens[0].line or 0, comment)


_R = TypeVar("_R", PenaltyLine, BonusLine)


def _ruling(make: Callable[..., _R], tokens: list[Token]) -> _R:
    words, comment = _split(tokens)
    side, points, word = _texts(words[1:])
    return make(side, int(points), word, comment=comment, span=_span(words))


_USUAL_LISTS: Final = ("USUAL_HAND", "USUAL_UP", "USUAL_STOCK")
USUAL: Final = (
    "USUAL_TURN", *_USUAL_LISTS, "USUAL_DEAL", "USUAL_PENALTY", "USUAL_BONUS", "USUAL_END",
    "USUAL_SCORE", "USUAL_TOTAL",
)  # fmt: skip
#: The word that begins a list of cards, the cards, and each list of replacements.
_LIST_WORD: Final = re.compile(r"^(?:[A-Z]:|[a-z]+)[ \t]*|\+?[^+]+")


def read_usual(kind: str, text: str, line: int) -> Statement | Rejected:
    """Return the value of a line that the grammar reads as one word, of a kind in `USUAL`."""
    if kind in _USUAL_LISTS:
        words = [
            _token(_list_word(word), word[0], line, word.start() + 1)
            for word in _LIST_WORD.finditer(text)
        ]
    else:
        placed = []
        column = 1
        for each in text.replace("\t", " ").split(" "):
            if each:
                placed.append((each, column))
            column += len(each) + 1
        if kind == "USUAL_TURN":
            return _read_turn(placed, line, None)
        words = [_token("WORD", each, line, at) for each, at in placed]
    rule: Callable[[list[Token]], Statement | Rejected]
    rule = getattr(Builder(), kind.removeprefix("USUAL_").lower())
    return rule(words)


def _token(kind: str, text: str, line: int, column: int) -> Token:
    """Return a token made in half the time that its own constructor takes."""
    token = str.__new__(Token, text)
    token.type, token.value, token.line, token.column = kind, text, line, column
    return token


def _list_word(word: re.Match[str]) -> str:
    """Return the kind of a word in a line that lists cards."""
    if word.start() == 0:
        return "WORD"
    return "PULLED" if word[0][0] == "+" else "CARDS"


def _read_turn(words: list[tuple[str, int]], line: int, comment: str | None) -> Turn | Rejected:
    """Return the turn that words, each with its column, describe."""
    seat, number = "", None
    seat_at = number_at = _NO_COLUMNS
    actions: list[Action] = []
    places: list[Columns] = []
    marks: list[tuple[Meaning, Columns]] = []
    for text, column in words:
        meaning, width = interpret(text)
        place = (column, column + width)
        if meaning[0] == "action":
            if "JK" in text and _NAMED_JOKER.match(text):
                return Rejected((_named_joker(text, Span(line, *place)),))
            if text[0] == "b" and any(type(each) is TakeBack for each in actions):
                return Rejected((_second_back(Span(line, *place)),))
            actions.append(meaning[1])
            places.append(place)
        elif meaning[0] == "turn":
            digits, seat = meaning[1]
            number = int(digits)
            number_at = (column, column + len(digits) + 1)
            seat_at = (place[1] - 1, place[1])
        elif meaning[0] == "seat":
            seat, seat_at = meaning[1], place
        elif meaning[0] == "number":
            number, number_at = meaning[1], place
        else:
            marks.append((meaning, place))
    if len(actions) > 1 and (type(actions[1]) is Draw or type(actions[0]) is TableThrees):
        _join_draws(actions, places)
    read = _read_marks(marks, line) if marks else _NO_MARKS
    if isinstance(read, Rejected):
        return read
    opened, out, acknowledged, clock, annotations, open_at, out_at, acknowledged_at = read
    return _make_turn(
        number, seat, tuple(actions), opened, out, acknowledged, clock, annotations, (),
        comment, line, number_at, seat_at, tuple(places), open_at, out_at, acknowledged_at,
    )  # fmt: skip


def _second_back(span: Span) -> Finding:
    message, help_text = "a second `back:` in one turn", "write all cards taken back in one `back:`"
    return syntax_error(span, message, help_text)


def _named_joker(text: str, span: Span) -> Finding:
    """Return the finding for a group with `JK`, which is a jack and a king and fits no rank."""
    message = f"`{text}`: `JK` for a joker"
    help_text = "write a joker as `*`: `" + text.replace("JK", "*") + "`"
    return Finding("syntax", "error", message, span, label="`JK` for a joker", help=help_text)


def _join_draws(actions: list[Action], places: list[Columns]) -> None:
    """Join the words of a draw at the start of a turn into one action; changes both lists."""
    start = int(type(actions[0]) is TableThrees)
    draws = [action for action in actions if isinstance(action, Draw)]
    if len(draws) > 1:
        end = start + len(draws)
        cards = tuple(card for draw in draws for card in draw.cards)
        actions[start:end] = [_make_draw(cards, draws[-1].bare)]
        places[start:end] = [(places[start][0], places[end - 1][1])]


class _Marks(NamedTuple):
    """The claims and marks of a turn, as `Turn` takes them."""

    open: int | None = None
    out: str = ""
    acknowledged: tuple[str, ...] = ()
    clock: str | None = None
    annotations: tuple[str, ...] = ()
    open_at: Columns = _NO_COLUMNS
    out_at: Columns = _NO_COLUMNS
    acknowledged_at: tuple[Columns, ...] = ()


_NO_MARKS: Final = _Marks()
#: A group of a rank that holds a jack and a king, side by side and without suits.
_NAMED_JOKER: Final = re.compile(r"(?:10|[3-9TJQKA2]):\S*JK(?![shdc])")
#: What may appear once in a turn, and its name.
_ONCE: Final = {"open": "opening count", "out": "mark for going out", "clock": "clock"}


def _read_marks(marks: list[tuple[Meaning, Columns]], line: int) -> _Marks | Rejected:
    twice = tuple(_second_marks(marks, line))
    if twice:
        return Rejected(twice)
    codes: list[tuple[str, Columns]] = []
    annotations: list[str] = []
    opened, out, clock = None, "", None
    for meaning, place in marks:
        if meaning[0] == "acknowledged":
            codes.append((meaning[1], place))
        elif meaning[0] == "annotation":
            annotations.append(meaning[1])
        elif meaning[0] == "open":
            opened = meaning[1]
        elif meaning[0] == "out":
            out = meaning[1]
        elif meaning[0] == "clock":
            clock = meaning[1]
    at = {meaning[0]: place for meaning, place in marks}
    return _Marks(
        opened,
        out,
        tuple(code for code, _ in codes),
        clock,
        tuple(annotations),
        at.get("open", _NO_COLUMNS),
        at.get("out", _NO_COLUMNS),
        tuple(place for _, place in codes),
    )


def _second_marks(marks: list[tuple[Meaning, Columns]], line: int) -> Iterator[Finding]:
    """Yield a finding for each mark that may appear once and has appeared before."""
    seen = set()
    for (kind, _), place in marks:
        if kind in seen:
            called = _ONCE[kind]
            message = f"a second {called} in one turn"
            yield syntax_error(Span(line, *place), message, f"keep one {called}")
        elif kind in _ONCE:
            seen.add(kind)


def _split(tokens: list[Token]) -> tuple[list[Token], str | None]:
    """Return the words of a line and its comment."""
    if tokens[-1].type == "COMMENT":
        return tokens[:-1], comment_text(tokens[-1])
    return tokens, None


def comment_text(token: str) -> str:
    """Return a comment without its `;`, one space after that, and spaces at its end."""
    return token[1:].removeprefix(" ").rstrip(" \t")


def _texts(words: Sequence[Token]) -> list[str]:
    return [word.value.rstrip(" \t") for word in words]


def _place(word: Token) -> Columns:
    column = word.column or 0
    return column, column + len(word.value.rstrip(" \t"))


def _extent(first: Token, last: Token) -> Columns:
    return _place(first)[0], _place(last)[1]


def _span(words: Sequence[Token]) -> Span:
    """Return the place from the first word to the last; all are in one line."""
    return Span(words[0].line or 0, *_extent(words[0], words[-1]))


def _acknowledged(words: list[Token]) -> tuple[tuple[str, ...], tuple[Columns, ...]]:
    acks = [word for word in words if word.type == "ACK"]
    return tuple(text[1:] for text in _texts(acks)), tuple(map(_place, acks))


def _repeated(words: Sequence[Token], remedy: str) -> Rejected:
    """Return the rejection of a line in which some of `words` are repeated."""
    texts = _texts(words)
    return Rejected(
        tuple(
            syntax_error(
                _span(words[index : index + 1]), f"`{text}` a second time in one line", remedy
            )
            for index, text in enumerate(texts)
            if text in texts[:index]
        )
    )


# --- words of a turn -----------------------------------------------------------------------------

# A word means the same wherever it appears, because actions have no places; so each spelling is
# interpreted once and then kept in a table.

#: An action, or the name of a claim or mark with its value: a number, or text as written.
Meaning = (
    tuple[Literal["action"], Action]
    | tuple[Literal["turn"], tuple[str, str]]
    | tuple[Literal["number", "open"], int]
    | tuple[Literal["seat", "out", "acknowledged", "clock", "annotation"], str]
)
#: What a word means, and its width without the spaces after it.
ReadWord = tuple[Meaning, int]

#: The most spellings kept (a record of real play has a few thousand), and their greatest length.
LIMIT: Final = 50_000
_LENGTH: Final = 80

_words: dict[str, ReadWord] = {}


def interpret(text: str) -> ReadWord:
    """Return what a word of a turn means, and its width without the spaces after it.

    Not checked: that the grammar accepts the word.
    """
    word = _words.get(text)
    if word is None:
        bare = text.rstrip(" \t")
        word = _interpret(bare), len(bare)
        if len(_words) >= LIMIT:
            _words.clear()
        if len(text) <= _LENGTH:
            _words[text] = word
    return word


def _interpret(text: str) -> Meaning:
    first, rest = text[0], text[1:]
    if text[-1] == ".":
        return "number", int(text[:-1])
    match first:
        case "~":
            return "acknowledged", rest
        case "@":
            return "clock", rest
        case "#":
            return "out", text
        case "!" | "?" | "$":
            return "annotation", text
    if "." in text:
        number, _, seat = text.partition(".")
        return "turn", (number, seat.lstrip(" \t"))
    if text.startswith("open="):
        return "open", int(text[5:])
    if len(text) == 1 and first not in "+":
        return "seat", text
    return "action", _action(first, rest, text)


def _action(first: str, rest: str, text: str) -> Action:
    match first:
        case "+":
            return _make_draw(parse_cards(rest), bare=not rest)
        case "-":
            return _make_discard(parse_cards(rest)[0])
        case "^":
            rest, _, onto = rest.partition(">")
            card, _, count = rest.partition("/")
            place = label_place(onto) if onto else None
            return _make_take(parse_cards(card)[0], int(count) if count else None, place)
    if text.startswith("ask="):
        return _make_ask(text == "ask=yes")
    label, combined, number = text.partition(">")
    if combined:
        place = label_place(label)
        return _make_combine(place, place % KINDS + KINDS * (int(number) - 1))
    label, _, listed = text.partition(":")
    listed, plus, replaced = listed.partition("+")
    cards = parse_cards(listed)
    if label in PACKET_WORDS:
        return _make_taken(label, cards, parse_cards(replaced))
    if label == "back":
        return _make_back(cards)
    if label == "threes":
        return _make_tabled(cards, parse_cards(replaced), bare=bool(plus) and not replaced)
    if label[:1].islower() and label[1:2].isalpha():
        return _make_special(label, cards)
    return _make_lay(label_place(label), cards)


def label_place(label: str) -> int:
    """Return the place that a label names: `3` the black threes, `*` wild cards, `s` spades."""
    return PLACE_OF[label.replace("10", "T")]
