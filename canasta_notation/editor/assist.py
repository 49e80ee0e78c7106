"""What an editor offers and changes: completion, what the hand holds, remedies, other places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from lark.exceptions import UnexpectedInput
from lsprotocol import types

from canasta_notation.editor.features import TextSpot, claim_at, explained, key_words, spot_at
from canasta_notation.editor.highlight import words_of
from canasta_notation.editor.open_games import JudgedGames, Start, judge
from canasta_notation.editor.open_record import Document, Text, findings_at
from canasta_notation.engine.actions import Action, Discard, Draw, Lay, TableThrees, Take
from canasta_notation.engine.state import snapshot
from canasta_notation.engine.table import OPEN
from canasta_notation.english import bounds, minimum_words
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.findings import Finding, Span
from canasta_notation.names import is_known, seat_of_tag
from canasta_notation.notation.document import (
    DEAL_LINES,
    KEYWORDS,
    LINE_FIELDS,
    BonusLine,
    Deal,
    Game,
    Line,
    PenaltyLine,
    Tag,
    Turn,
)
from canasta_notation.notation.format import canonical, format_line
from canasta_notation.notation.reader import parser, read_line
from canasta_notation.notation.tag_values import TAGS
from canasta_notation.recorder.completion import complete_turn, table_after
from canasta_notation.recorder.shorthand import plain_suits
from canasta_notation.render.paint import PLAIN, paint
from canasta_notation.render.table_rows import hand_row, pile_row
from canasta_notation.report.ledger import ItemRow
from canasta_notation.rules import Profile, codes, entry, keys, load_profile, profile_names
from canasta_notation.rules.catalogue import IN_PLAY
from canasta_notation.rules.items import SCORED, THREES_ITEMS

_TAG: Final = re.compile(r"\s*\[(?P<name>[A-Za-z]*)$")
_VALUE: Final = re.compile(r'\s*\[(?P<name>[A-Za-z]+)[ \t]+"(?P<value>[^"]*)$')
_TURN: Final = re.compile(r"\s*(?:\d+\.[ \t]*)?(?P<seat>[NESWABCDF])[ \t]")
_FIRST_WORD: Final = re.compile(r"\s*\S*")
_FIGURE: Final = re.compile(r"-?\d+")
_QUOTED: Final = re.compile(r"`([^`]+)`")
#: The words for a terminal that the grammar accepts next, if they do not depend on the game.
_WORDS: Final = {
    "DEALER": ("dealer",),
    "OUT_BY": ("out",),
    "SPECIAL_BY": ("special",),
    "BY_STOCK": ("stock",),
    "BY_TABLE": ("unfinished", "void", "time"),
    "CONCEALED": ("concealed",),
    "REST": ("...",),
    "EQUALS": ("=",),
    "ITEM": tuple(SCORED),
    "WORD": ("upcard", "ask"),
}


def _start_of(spot: TextSpot) -> Start | None:
    """Return the table before the line of a place."""
    lines = spot.chunk.data.split(b"\n")[: spot.own - 1]
    games = spot.document.part(b"\n".join(lines)).games
    return games[-1].start if games else None


# --- completion -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Offer:
    text: str
    about: str = ""
    more: str = ""
    kind: types.CompletionItemKind = types.CompletionItemKind.Keyword


def complete(
    document: Document, text: Text, position: types.Position
) -> list[types.CompletionItem]:
    """Return what can be typed at a position, the most likely first."""
    line, column = text.place(position)
    head = text.lines[line - 1][: column - 1]
    spot = spot_at(document, text, position)
    part, offers = _offers(document, text, head, spot, line)
    begin = text.index(line, 1)
    end = begin + len(head)
    return [
        types.CompletionItem(
            each.text,
            kind=each.kind,
            detail=each.about or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, each.more)
            if each.more
            else None,
            filter_text=each.text,
            sort_text=f"{at:04}",
            text_edit=text.edit(end - len(part), end, each.text),
        )
        for at, each in enumerate(offers)
        if each.text.startswith(part)
    ]


def _offers(
    document: Document, text: Text, head: str, spot: TextSpot | None, line: int
) -> tuple[str, list[_Offer]]:
    """Return the beginning of a word that has been typed, and what it can become."""
    if tag := _TAG.match(head):
        written = {each.name for each in spot.reading.game.tags} if spot else set()
        names = [name for name in TAGS if name not in written or name == tag["name"]]
        return tag["name"], [_Offer(name, kind=types.CompletionItemKind.Property) for name in names]
    if value := _VALUE.match(head):
        return _value_offers(value["name"], value["value"], spot)
    if any(word.terminal == "COMMENT" for word in words_of(head)):
        return "", []
    part = head.rpartition(" ")[2]
    if part.startswith("~"):
        found = [each.code for each in findings_at(document, text, line, 1 << 30)] if spot else []
        return part, [*_code_offers(found)]
    start = _start_of(spot) if spot else None
    if _FIRST_WORD.fullmatch(head):
        return head.lstrip(), [*_line_offers(start, spot)]
    turn = _TURN.match(head)
    if turn:
        done = head[: len(head) - len(part)].rstrip()
        return part, [*_turn_offers(start, turn["seat"], done, part)]
    return part, [*_word_offers(head[: len(head) - len(part)], start, spot)]


def _value_offers(name: str, value: str, spot: TextSpot | None) -> tuple[str, list[_Offer]]:
    """Return what the value of a tag can be."""
    kind = types.CompletionItemKind.Value
    profile = (spot.profile if spot else None) or load_profile(profile_names()[0])
    if name == "Rules":
        return _rules_offers(value, profile)
    known = {"CGN": ["1"], "Dealer": [*profile.seats], "Result": ["*"]}.get(name, [])
    return value, [_Offer(each, kind=kind) for each in known]


def _rules_offers(value: str, profile: Profile) -> tuple[str, list[_Offer]]:
    """Return the profiles for the first word of the rules, then keys, then the values of a key."""
    done, _, part = value.rpartition(" ")
    kind = types.CompletionItemKind.Value
    if not done.strip():
        return part, [_Offer(name, load_profile(name).title, kind=kind) for name in profile_names()]
    key, sign, _ = part.partition("=")
    if not sign:
        kind = types.CompletionItemKind.Property
        return part, [
            _Offer(f"{name}=", profile.spelled(name), key_words(profile, name), kind)
            for name in keys()
        ]
    if key not in keys():
        return part, []
    every = [load_profile(name).spelled(key) for name in profile_names()]
    choices = ["yes", "no"] if keys()[key].kind == "truth" else [*map(str, keys()[key].choices)]
    none = [*keys()[key].words, *["none"] * keys()[key].none]
    values = dict.fromkeys([*choices, *every, *none])
    return part, [_Offer(f"{key}={each}", kind=kind) for each in values if ":" not in each]


def _code_offers(found: Iterable[str]) -> Iterator[_Offer]:
    """Yield the codes of findings that players can accept, those of the line first."""
    in_play = [code for code in codes() if entry(code).family in IN_PLAY]
    for code in dict.fromkeys([*(code for code in found if code in in_play), *in_play]):
        yield _Offer(
            f"~{code}", entry(code).what, explained(code), types.CompletionItemKind.Constant
        )


def _line_offers(start: Start | None, spot: TextSpot | None) -> Iterator[_Offer]:
    """Yield how a line can begin: the turn due, or a keyword."""
    if start is not None and start.table.due >= 0 and start.table.ended == OPEN:
        seat = start.profile.seats[start.table.due]
        number = f"{start.number}. " if start.number else ""
        yield _Offer(f"{number}{seat} ", "the turn due", kind=types.CompletionItemKind.Event)
    deals = spot.reading.game.deals if spot else ()
    if spot and deals and spot.deal >= 0:
        seats = start.profile.seats if start else ""
        written = {hand.seat for hand in deals[spot.deal].hands}
        if not deals[spot.deal].play:
            yield from (_Offer(f"{seat}: ", "a hand") for seat in seats if seat not in written)
    packet = (spot and spot.profile and spot.profile.packet_word) or ""
    for keyword in KEYWORDS:
        if keyword == packet or keyword not in PACKET_WORDS:
            yield _Offer(f"{keyword} ")


def _turn_offers(start: Start | None, seat: str, done: str, part: str) -> Iterator[_Offer]:
    """Yield what the seat due can play after the words of its turn."""
    if start is None or start.table.due < 0 or start.profile.seats[start.table.due] != seat:
        return
    for each in complete_turn(start.table, done, part):
        yield _Offer(each.text, each.about, kind=types.CompletionItemKind.Function)


def _word_offers(done: str, start: Start | None, spot: TextSpot | None) -> Iterator[_Offer]:
    """Yield the words that the grammar accepts next."""
    run = parser().parse_interactive(done, "line")
    try:
        run.exhaust_lexer()
    except UnexpectedInput:
        return
    profile = start.profile if start else (spot.profile if spot else None)
    used = {done[word.start : word.end] for word in words_of(done)}
    for terminal in run.choices():  # type: ignore[no-untyped-call]
        known: Iterable[str] = _WORDS.get(terminal, ())
        if profile and terminal == "SEAT":
            known = profile.seats
            if start and used and start.table.due >= 0 and done.strip()[:1].isdigit():
                known = [profile.seats[start.table.due]]
        elif profile and terminal == "SIDE":
            known = profile.side_names
        elif spot and terminal == "COUNT" and used == {"deal"}:
            known = [str(sum(deal.span.line < spot.own for deal in spot.reading.game.deals) + 1)]
        yield from (_Offer(word) for word in known if word not in used)


# --- what the hand holds --------------------------------------------------------------------------


def signature(
    document: Document, text: Text, position: types.Position
) -> types.SignatureHelp | None:
    """Return what the hand holds after the words of a turn, and what the opening still needs."""
    spot = spot_at(document, text, position)
    turn = _TURN.match(spot.source[: spot.column - 1]) if spot else None
    start = _start_of(spot) if spot and turn else None
    if spot is None or turn is None or start is None:
        return None
    table, _ = table_after(start.table, spot.source[: spot.column - 1].rpartition(" ")[0])
    if table is None or start.profile.seats[table.due] != turn["seat"]:
        return None
    state = snapshot(table)
    hand = state.hands[table.due]
    side = start.profile.side_of(turn["seat"])
    held = paint([hand_row(state, table.due, PLAIN)]).strip()
    label = f"{turn['seat']} holds {bounds(hand.size, hand.size + hand.loose)}: {held}"
    pile = paint([pile_row(state, start.profile.side_names, PLAIN)]).strip()
    more = [f"pile {pile}"]
    if not state.sides[side].opened:
        needed = minimum_words(state.sides[side].minimum, state.sides[side].raised)
        more.append(f"{start.profile.side_names[side]} needs {needed} to open")
    return types.SignatureHelp([types.SignatureInformation(label, "; ".join(more))])


# --- remedies -------------------------------------------------------------------------------------

#: The claims whose computed figure is in the message.
_CLAIMS: Final = ("score-item", "score", "total", "pile-count", "opening-claim")


def actions(document: Document, text: Text, among: types.Range) -> list[types.CodeAction]:
    """Return the remedies for the findings of a line that are one certain edit.

    Each one has been tried: it removes its finding, and a claim causes no other finding.
    """
    spot = spot_at(document, text, among.start)
    if spot is None:
        return []
    found: list[types.CodeAction] = []
    for finding in document.judged(spot.chunk).findings:
        if finding.span.line != spot.own:
            continue
        fresh = _remedy(document, spot, finding)
        if fresh is not None:
            title = f"Write {_changed(spot.source, fresh)}"
            found.append(_action(spot, title, fresh, finding))
    fresh = _canonical_line(spot)
    if fresh is not None and fresh != spot.source:
        found.append(_action(spot, "Write the line in its canonical form", fresh, None))
    return found


def _action(spot: TextSpot, title: str, fresh: str, finding: Finding | None) -> types.CodeAction:
    begin = spot.text.index(spot.line, 1)
    edit = spot.text.edit(begin, begin + len(spot.source), fresh)
    kind = types.CodeActionKind.QuickFix if finding else types.CodeActionKind.RefactorRewrite
    return types.CodeAction(
        title,
        kind,
        is_preferred=finding is not None,
        edit=types.WorkspaceEdit({spot.document.uri: [edit]}),
    )


def _changed(old: str, new: str) -> str:
    """Return the words of a new line that the old one does not have."""
    left = Counter(old.split())
    words = [word for word in new.split() if not _taken(left, word)]
    return f"`{' '.join(words) or new.strip()}`"


def _taken(left: Counter[str], word: str) -> bool:
    left[word] -= 1
    return left[word] >= 0


def _remedy(document: Document, spot: TextSpot, finding: Finding) -> str | None:
    """Return the line with the remedy for a finding, None if there is no certain one."""
    if finding.code == "syntax":
        found = {*_respelled(spot.source, finding)}
    elif finding.code in _CLAIMS:
        found = {*_recomputed(document, spot, finding)}
    else:
        return None
    return found.pop() if len(found) == 1 else None


def _respelled(line: str, finding: Finding) -> Iterator[str]:
    """Yield a line changed as the help of a syntax error says, if it can then be read.

    The old and the new text have the same letters and digits, so no card is lost or written twice;
    or both are one word.
    """
    help_text = finding.help or ""
    written = _QUOTED.findall(help_text)
    if len(written) != 1 or not help_text.startswith("write `"):
        return
    start, end = finding.span.column - 1, finding.span.end_column - 1
    ends = [each.end() for each in re.finditer(r"[^ \t;]+", line) if each.end() >= end]
    for stop in ends:
        single = stop == end and " " not in written[0] and " " not in line[start:stop]
        if single or _letters(line[start:stop]) == _letters(written[0]):
            fresh = line[:start] + written[0] + line[stop:]
            if not isinstance(read_line(fresh), Finding):
                yield fresh
                return


def _letters(text: str) -> Counter[str]:
    """Return how often a text has each letter and digit, in any case; a suit is its letter."""
    return Counter(each for each in plain_suits(text).casefold() if each.isalnum())


def _recomputed(document: Document, spot: TextSpot, finding: Finding) -> Iterator[str]:
    """Yield the line with a figure from the message in place of the claimed one, if that is true.

    A figure is true if the finding disappears and no other one appears.
    """
    start, end = finding.span.column - 1, finding.span.end_column - 1
    figures = [*_FIGURE.finditer(spot.source, start, end)]
    if not figures:
        return
    claimed = figures[-1]
    before = _kinds(document.judged(spot.chunk))
    for number in dict.fromkeys(_FIGURE.findall(finding.message)):
        if number == claimed[0]:
            continue
        fresh = spot.source[: claimed.start()] + number + spot.source[claimed.end() :]
        after = _kinds(judge(_with_line(spot, fresh), document.rules))
        if after < before and (finding.code, finding.span.line) not in after:
            yield fresh


def _kinds(judged: JudgedGames) -> Counter[tuple[str, int]]:
    return Counter((each.code, each.span.line) for each in judged.findings)


def _with_line(spot: TextSpot, fresh: str) -> bytes:
    """Return the bytes of a place's chunk with another line there."""
    lines = spot.chunk.data.split(b"\n")
    lines[spot.own - 1] = fresh.encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _canonical_line(spot: TextSpot) -> str | None:
    """Return a line in its canonical form, None if it is a comment or cannot be read."""
    line = read_line(spot.source)
    if line is None or isinstance(line, Finding):
        return None
    profile = spot.profile
    return format_line(_sorted(line), int(profile["draw.count"]) if profile else 1)


def _sorted(line: Line | Deal) -> Line | Deal:
    """Return a line with its cards and groups in the canonical order."""
    if isinstance(line, Tag | Deal):
        return line
    name = next(each.field for each in DEAL_LINES if each.kind is type(line))
    fields: dict[str, Any] = {name: (line,) if LINE_FIELDS[name] else line}
    held = getattr(canonical(Game((), (Deal(1, **fields),))).deals[0], name)
    found: Line = held[0] if LINE_FIELDS[name] else held
    return found


# --- other places ---------------------------------------------------------------------------------


def definition(
    document: Document, text: Text, position: types.Position
) -> list[types.Location] | None:
    """Return the cause of a consequence, the discard that a take took, or what earns a claim."""
    spot = spot_at(document, text, position)
    if spot is None:
        return None
    causes = [each.follows for each in findings_at(document, text, spot.line, spot.column)]
    spans = [cause.span for cause in causes if cause] or [*_taken_from(spot), *_earning(spot)]
    return [_location(spot, span) for span in spans]


def _taken_from(spot: TextSpot) -> Iterator[Span]:
    """Yield the place of the card on top of the pile that the take at a place took."""
    word, turn = spot.word, spot.turn
    if word is None or turn is None or word.terminal != "TAKE":
        return
    deal = spot.reading.game.deals[spot.deal]
    top: Span | None = deal.up.span if deal.up else None
    for line in deal.play:
        if line is turn:
            break
        if isinstance(line, Turn):
            top = _discard(line) or top
    if top is not None:
        yield top


def _earning(spot: TextSpot) -> Iterator[Span]:
    """Yield what earns the claim at a place: the groups of a meld, tabled threes, rulings.

    For a hand, and for going out, it is the last turn of the seat.
    """
    side, item = claim_at(spot)
    profile = spot.profile
    if item is None or profile is None or side not in profile.side_names:
        return
    at = profile.side_names.index(side)
    play = spot.reading.game.deals[spot.deal].play
    if item.item in ("penalty", "bonus"):
        kind = BonusLine if item.item == "bonus" else PenaltyLine
        rulings = (line for line in play if not isinstance(line, Turn))
        yield from (line.span for line in rulings if type(line) is kind and line.side == side)
        return
    threes = {*item.earned[0].cards} if item.item in THREES_ITEMS and item.earned else set()
    for hand in spot.reading.game.deals[spot.deal].hands:
        if profile.side_of(hand.seat) == at and not {*hand.cards}.isdisjoint(threes):
            yield hand.span
    turns = (line for line in play if isinstance(line, Turn) and line.seat)
    yield from _earning_actions(
        item, threes, [turn for turn in turns if profile.side_of(turn.seat) == at]
    )


def _earning_actions(item: ItemRow, threes: set[int], turns: list[Turn]) -> Iterator[Span]:
    """Yield the actions of a side's turns that earn an item."""
    ranks = {each.rank for each in item.earned}
    last: dict[str, Span] = {}
    for turn in turns:
        for action, columns in zip(turn.actions, turn.actions_at, strict=True):
            last[turn.seat] = Span(turn.line, *columns)
            laid = isinstance(action, Lay) and action.rank in ranks
            if laid or _drawn(action) & threes:
                yield last[turn.seat]
    for seat in dict.fromkeys(each.seat for each in item.earned if each.seat):
        yield from (last[seat],) if seat in last else ()


def _drawn(action: Action) -> set[int]:
    """Return the cards among which an action may have tabled threes."""
    if isinstance(action, TableThrees):
        return {*action.threes, *action.cards}
    return {*action.cards} if isinstance(action, Draw) else set()


def references(
    document: Document, text: Text, position: types.Position
) -> list[types.Location] | None:
    """Return the consequences of a finding, the take of a discard, or the lines of a seat."""
    spot = spot_at(document, text, position)
    if spot is None:
        return None
    causes = [*findings_at(document, text, spot.line, spot.column)]
    spans = [each.span for each in document.judged(spot.chunk).findings if each.follows in causes]
    word = spot.word
    if word and word.terminal == "DISCARD":
        spans += _takes_of(spot)
    if (tag := spot.tag) is not None and (seat := seat_of_tag(tag.name)):
        spans += _lines_of(spot.reading.game, seat)
    return [_location(spot, span) for span in spans]


def _location(spot: TextSpot, span: Span) -> types.Location:
    return types.Location(spot.document.uri, spot.text.range(span, spot.chunk.before))


def _discard(turn: Turn) -> Span | None:
    """Return the place of a turn's discard."""
    for action, at in zip(turn.actions, turn.actions_at, strict=True):
        if isinstance(action, Discard):
            return Span(turn.line, *at)
    return None


def _takes_of(spot: TextSpot) -> Iterator[Span]:
    """Yield the take of the pile whose top is the discard on the line."""
    turns = [line for line in spot.reading.game.deals[spot.deal].play if isinstance(line, Turn)]
    for turn, after in pairwise(turns):
        begin = after.begin()
        if turn is spot.turn and isinstance(begin, Take):
            yield Span(after.line, *after.actions_at[after.actions.index(begin)])


def _lines_of(game: Game, seat: str) -> Iterator[Span]:
    """Yield the places of a seat in the hands and turns of a game."""
    for deal in game.deals:
        yield from (Span(hand.span.line, 1, 2) for hand in deal.hands if hand.seat == seat)
        for line in deal.play:
            if isinstance(line, Turn) and line.seat == seat:
                yield Span(line.line, *line.seat_at)


def nameable(
    document: Document, text: Text, position: types.Position
) -> types.PrepareRenamePlaceholder | None:
    """Return the name of the player at a position, None if there is none."""
    spot = spot_at(document, text, position)
    tag = spot.tag if spot else None
    if spot is None or tag is None or not (seat_of_tag(tag.name) and tag.value):
        return None
    span = tag.value_span
    inside = Span(span.line, span.column + 1, span.end_column - 1)
    return types.PrepareRenamePlaceholder(text.range(inside, spot.chunk.before), tag.value)


def rename(
    document: Document, text: Text, position: types.Position, name: str
) -> types.WorkspaceEdit | None:
    """Return the edits that give a player another name in the tags and comments of the game.

    In comments, the whole name is replaced, not a part of it. Signs for an unknown player, such as
    `?`, are replaced only in the tag at the position. Raises ValueError for a name that no tag can
    hold.
    """
    spot = spot_at(document, text, position)
    if spot is None or nameable(document, text, position) is None or spot.tag is None:
        return None
    fresh = format_line(Tag(spot.tag.name, name))  # raises ValueError
    quoted = fresh[fresh.index('"') : fresh.rindex('"') + 1]
    old = spot.tag.value
    if not is_known(old):
        edit = types.TextEdit(text.range(spot.tag.value_span, spot.chunk.before), quoted)
        return types.WorkspaceEdit({document.uri: [edit]})
    edits = [
        types.TextEdit(text.range(tag.value_span, spot.chunk.before), quoted)
        for tag in spot.reading.game.tags
        if tag.value == old and (seat_of_tag(tag.name) or tag.name in ("Recorder", "Annotator"))
    ]
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    first = spot.chunk.before + spot.reading.first_line
    for number in range(first, first + len(spot.reading.lines)):
        source = text.lines[number - 1]
        begin = text.index(number, 1)
        for word in words_of(source) if ";" in source else ():
            if word.terminal == "COMMENT":
                for found in pattern.finditer(source, word.start, word.end):
                    edits.append(text.edit(begin + found.start(), begin + found.end(), name))
    return types.WorkspaceEdit({document.uri: edits})


def hints(document: Document, text: Text, among: types.Range) -> list[types.InlayHint]:
    """Return, for each turn in a range, the cards in the pile and the points on the table after it.

    A figure that the record does not show is left out.
    """
    first, last = text.place(among.start)[0], text.place(among.end)[0]
    found = []
    for number in range(first, last + 1):
        spot = spot_at(document, text, text.position(text.index(number, 1)))
        turn = spot.played if spot else None
        if spot is None or turn is None or spot.profile is None:
            continue
        after = turn.after
        words = [f"pile {bounds(len(after.pile), len(after.pile) + after.pile_loose)}"]
        for side, held in zip(spot.profile.side_names, after.sides, strict=True):
            words += [f"{side} {held.points}"] if held.points is not None else []
        place = text.position(text.index(number, len(spot.source) + 1))
        found.append(types.InlayHint(place, "  " + ", ".join(words), padding_left=True))
    return found
