"""The canonical spelling of a record. Formatting it again changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar, assert_never

from canasta_notation.cards import KIND, KINDS, LABELS, SEQUENCE, TEXT, card_texts, format_cards
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
from canasta_notation.engine.sequence import as_they_lie
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT
from canasta_notation.notation.document import (
    LINE_FIELDS,
    BonusLine,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    Line,
    MeldsLine,
    PacketLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    Tags,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.tag_values import place_of_tag
from canasta_notation.storage import BadFile

_L = TypeVar("_L", bound=Line | Deal)

_Other = (
    HandLine
    | UpLine
    | StockLine
    | PacketLine
    | PenaltyLine
    | BonusLine
    | EndLine
    | MeldsLine
    | ThreesLine
    | LeftLine
    | ScoreLine
    | TotalLine
)

#: The most bytes of a character.
_BYTES: Final = 4
_A = TypeVar("_A", bound=Action)
#: The most characters of a line that a message repeats.
_QUOTED: Final = 40
#: Every seat, in an order that is clockwise for any number of players; E can be one of four or six.
_SEATS: Final = "ABCDNEFSW"


class Unwritable(ValueError, BadFile):
    """A game whose text no reader would read as this game; the message says why."""


class TooLong(Unwritable):
    """A line or a game so long that no reader would accept it; the message says which."""


def format_games(games: Iterable[tuple[Game, int]]) -> Iterator[str]:
    """Yield the text of a file piece by piece, for each game and its draw count; see `format_game`.

    Raises Unwritable for a game that a reader would merge with the one before it: it needs a CGN
    tag, and the game before it a CGN tag or a deal. Raises Unwritable for a game with neither a tag
    nor a deal, because no reader would find it, and TooLong like `format_game`.
    """
    before: Game | None = None
    for game, draw_count in games:
        if not (game.tags or game.deals):
            raise Unwritable(
                "a game needs a tag or a deal: otherwise a reader finds no game in its text"
            )
        if before is not None and not game.tag("CGN"):
            raise Unwritable("a further game needs a CGN tag")
        if before is not None and not (before.deals or before.tag("CGN")):
            raise Unwritable("a game with another one after it needs a CGN tag or a deal")
        text = format_game(game, draw_count)
        yield text if before is None else "\n" + text
        before = game


def format_game(game: Game, draw_count: int = 1) -> str:
    """Return the canonical text of a game, ending in a line end; `draw_count` cards are one draw.

    Reading the text gives `canonical(game)`. Raises TooLong for a line of more than 64 KiB, and for
    a game of more than 8 MiB.
    """
    return _text(canonical(game), draw_count)


def check_size(game: Game) -> None:
    """Raise TooLong if the text of a game would be too long to be read again."""
    _text(game, 1)


def check_lines(lines: Iterable[str]) -> None:
    """Raise TooLong for a line that is too long to be read again."""
    for line in lines:
        if len(line) > LINE_LIMIT // _BYTES and _size(line) > LINE_LIMIT:
            limit = f"{LINE_LIMIT >> 10} KiB"
            raise TooLong(f"no reader accepts a line of more than {limit}: {line[:_QUOTED]}...")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _text(game: Game, draw_count: int) -> str:
    lines = [line for tag in game.tags for line in _with_comments(tag, draw_count)]
    for deal in game.deals:
        if lines:
            lines.append("")
        lines += _deal_lines(deal, draw_count)
    lines += [_comment(comment) for comment in game.comments]
    text = "".join(line + "\n" for line in lines)
    if len(text) > LINE_LIMIT // _BYTES:
        check_lines(lines)
        if _size(text) > GAME_LIMIT:
            raise TooLong(f"no reader accepts a game of more than {GAME_LIMIT >> 20} MiB")
    return text


def canonical(game: Game) -> Game:
    """Return the game in the order of its canonical text; what has no order is sorted.

    Comments lose the spaces at their ends. Everything else stays as recorded and in order.
    """
    tags = sorted(game.tags, key=lambda tag: place_of_tag(tag.name))
    return replace(
        game,
        tags=Tags(map(_trimmed, tags)),
        deals=tuple(map(_canonical_deal, game.deals)),
        comments=tuple(map(_trim, game.comments)),
    )


def _canonical_deal(deal: Deal) -> Deal:
    held: dict[str, Any] = {}
    for name, many in LINE_FIELDS.items():
        lines = getattr(deal, name)
        if many:
            held[name] = tuple([_canonical_line(line) for line in _by_place(lines)])
        elif lines is not None:
            held[name] = _canonical_line(lines)
    return replace(_trimmed(deal), **held)


def _canonical_line(line: Line) -> Line:
    line = _trimmed(line)
    if isinstance(line, HandLine | PacketLine | ThreesLine | LeftLine):
        return _sorted(line)
    if isinstance(line, Turn):
        actions = tuple(map(_in_sequence, line.actions))
        return line if actions == line.actions else replace(line, actions=actions)
    return _grouped(line) if isinstance(line, MeldsLine) else line


def _by_place(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return lines of the table at the end in the order of the seats; sides by their first seat.

    Other lines stay in their order.
    """
    if not lines or not isinstance(lines[0], MeldsLine | ThreesLine | LeftLine):
        return lines
    return tuple(sorted(lines, key=_first_seat))


def _first_seat(line: Line) -> int:
    assert isinstance(line, MeldsLine | ThreesLine | LeftLine)
    return _SEATS.index(line.seat if isinstance(line, LeftLine) else line.side[0])


def _grouped(line: MeldsLine) -> MeldsLine:
    in_order = sorted(line.groups, key=lambda group: (KIND[group.rank], group.rank))
    groups = tuple(map(_in_sequence, in_order))
    return line if groups == line.groups else replace(line, groups=groups)


def _in_sequence(action: _A) -> _A:
    """Return a group of a sequence with its cards as they lie, any other action as it is."""
    if not isinstance(action, Lay) or KIND[action.rank] < SEQUENCE:
        return action
    cards = as_they_lie(KIND[action.rank], action.cards)
    return action if cards == action.cards else replace(action, cards=cards)


def _sorted(line: HandLine | PacketLine | ThreesLine | LeftLine) -> Line:
    cards = tuple(sorted(line.cards))
    return line if cards == line.cards else replace(line, cards=cards)


def _trimmed(line: _L) -> _L:
    """Return the line with its comments stripped of spaces at their ends."""
    if line.comment is None and not line.before:
        return line
    comment = None if line.comment is None else _trim(line.comment)
    return replace(line, before=tuple(map(_trim, line.before)), comment=comment)


def _trim(comment: str) -> str:
    return comment.rstrip(" \t")


def _deal_lines(deal: Deal, draw_count: int) -> Iterator[str]:
    yield from _with_comments(deal, draw_count)
    for name, many in LINE_FIELDS.items():
        held = getattr(deal, name)
        for line in held if many else (held,):
            if line is not None:
                yield from _with_comments(line, draw_count)


def _with_comments(line: Line | Deal, draw_count: int) -> Iterator[str]:
    """Yield the comments above a line, then the line."""
    for comment in line.before:
        yield _comment(comment)
    yield format_line(line, draw_count)


def format_line(line: Line | Deal, draw_count: int = 1) -> str:
    """Return the canonical spelling of one line with the comment on it, without a line end.

    For a deal, this is its `deal` line. Cards and groups stay in the order given; `canonical` sorts
    them.
    """
    if isinstance(line, Turn):
        return format_turn(line, draw_count)
    return _join(_words(line), line.comment)


def format_turn(turn: Turn, draw_count: int = 1) -> str:
    """Return the canonical spelling of a turn; the first `draw_count` cards drawn are one word."""
    words = [] if turn.number is None else [f"{turn.number}."]
    words.append(turn.seat)
    last: list[str] = []
    for action in turn.actions:
        if isinstance(action, Discard) or (isinstance(action, TakePacket) and _ends(action, last)):
            last.append(format_action(action))
        elif isinstance(action, Draw):
            words += _draw_words(action, draw_count)
        else:
            words.append(format_action(action))
    if turn.open is not None:
        words.append(f"open={turn.open}")
    words += last
    if turn.out:
        words.append(turn.out)
    words += _codes(turn.acknowledged)
    if turn.clock is not None:
        words.append(f"@{turn.clock}")
    words += turn.annotations
    return _join(words, turn.comment)


def format_action(action: Action, draw_count: int = 1) -> str:
    """Return the canonical spelling of one action; a draw may have several words."""
    match action:
        case Draw():
            return " ".join(_draw_words(action, draw_count))
        case Take():
            count = "" if action.count is None else f"/{action.count}"
            onto = "" if action.onto is None else f">{LABELS[action.onto]}"
            return f"^{TEXT[action.card]}{count}{onto}"
        case Ask():
            return "ask=yes" if action.yes else "ask=no"
        case Lay():
            return f"{LABELS[action.rank]}:{format_cards(action.cards)}"
        case Combine():
            return f"{LABELS[action.rank]}>{action.onto // KINDS + 1}"
        case TakeBack():
            return f"back:{format_cards(action.cards)}"
        case LaySpecial():
            return f"{action.kind}:{format_cards(action.cards)}"
        case Discard():
            return f"-{TEXT[action.card]}"
        case TakePacket():
            cards = f":{format_cards(action.cards)}" if action.cards else ""
            return f"{action.word}{cards}{_replaced(action.replacements)}"
        case TableThrees():
            replaced = _replaced(action.cards) or ("+" if action.bare else "")
            return f"threes:{format_cards(action.threes)}{replaced}"
        case _:
            assert_never(action)


def _replaced(cards: tuple[int, ...]) -> str:
    return f"+{format_cards(cards)}" if cards else ""


def _ends(packet: TakePacket, last: list[str]) -> bool:
    """Return whether a packet follows the groups: after the discard, or as a talon without one."""
    return bool(last) or PACKET_WORDS[packet.word] == "k"


def _draw_words(draw: Draw, draw_count: int) -> list[str]:
    """Return the draw in one word, then a word for each replacement, then a bare `+`."""
    groups = [draw.cards[:draw_count], *((card,) for card in draw.cards[draw_count:])]
    words = [f"+{format_cards(cards)}" for cards in groups if cards]
    return [*words, "+"] if draw.bare else words


def _words(line: Tag | Deal | _Other) -> list[str]:
    match line:
        case Tag():
            value = line.value.replace("\\", "\\\\").replace('"', '\\"')
            return [f'[{line.name} "{value}"]']
        case Deal():
            return ["deal", str(line.number), *(["dealer", line.dealer] if line.dealer else [])]
        case HandLine():
            return _hand_words(line)
        case UpLine():
            return ["up", *card_texts(line.cards), *_codes(line.acknowledged)]
        case StockLine():
            return ["stock", *card_texts(line.cards)]
        case PacketLine():
            seat, rest = [line.seat] if line.seat else [], ["..."] if line.rest_unknown else []
            return [line.word, *seat, *card_texts(line.cards), *rest]
        case PenaltyLine():
            return ["penalty", line.side, str(line.points), line.word]
        case BonusLine():
            return ["bonus", line.side, str(line.points), line.word]
        case EndLine():
            seat = [line.seat] if line.seat else []
            return ["end", line.reason, *seat, *(["concealed"] if line.concealed else [])]
        case MeldsLine():
            return ["melds", line.side, *map(format_action, line.groups)]
        case ThreesLine():
            return ["threes", line.side, *card_texts(line.cards)]
        case LeftLine():
            rest = ["..."] if line.rest_unknown else []
            return ["left", line.seat, *card_texts(line.cards), *rest]
        case ScoreLine():
            items = ["=", *_pairs(line.items)] if line.items else []
            return ["score", line.side, str(line.score), *items]
        case TotalLine():
            return ["total", *_pairs(line.totals)]
        case _:
            assert_never(line)


def _hand_words(line: HandLine) -> list[str]:
    rest = ["..."] if line.rest_unknown else []
    replacements = ["+" + text for text in card_texts(line.replacements)]
    cards = card_texts(line.cards)
    return [f"{line.seat}:", *cards, *rest, *replacements, *_codes(line.acknowledged)]


def _codes(codes: tuple[str, ...]) -> list[str]:
    return ["~" + code for code in codes]


def _pairs(pairs: tuple[tuple[str, int], ...]) -> list[str]:
    return [f"{name} {points}" for name, points in pairs]


def _join(words: list[str], comment: str | None) -> str:
    return " ".join(words if comment is None else [*words, _comment(comment)])


def _comment(comment: str) -> str:
    return f"; {comment}" if comment else ";"
