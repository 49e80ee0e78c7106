"""What an editor shows besides the findings: words and tables on hover, symbols, folds, colours.

Every function answers one request about a text. Lines and columns are the reader's; those of a game
count from the first line of its chunk.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lsprotocol import types

from canasta_notation.analysis.kept_values import best_kept, users_folder
from canasta_notation.editor.highlight import TERMINALS, Word, words_of
from canasta_notation.editor.open_games import OpenGame
from canasta_notation.editor.open_record import Chunk, Document, Text, findings_at
from canasta_notation.editor.outlines import Outline
from canasta_notation.english import figure
from canasta_notation.fields import PACKET_WORDS
from canasta_notation.formats import games_as
from canasta_notation.notation.blocks import NotText
from canasta_notation.notation.document import Tag, Turn
from canasta_notation.notation.format import Unwritable
from canasta_notation.notation.reader import Reading
from canasta_notation.render.paint import PLAIN, Rows, Run, card_row, paint, row
from canasta_notation.render.play_words import turn_words
from canasta_notation.render.table_rows import hand_row, pile_row, side_row, stock_words
from canasta_notation.report.ledger import ItemRow
from canasta_notation.report.played import PlayedTurn
from canasta_notation.rules import Profile, codes, entry, keys, load_profile, profile_names
from canasta_notation.story.turn_rows import decision_rows

#: A text with more lines has symbols only for its games and deals, and colours only where it is
#: shown.
MOST_LINES: Final = 8_000
#: The rules that say what a foot, a pot or a talon is.
_PACKET_KEYS: Final = ("packet.of", "packet.size", "packet.when", "packet.use")
_RULES_WORD: Final = re.compile(r"[\w.-]+")
KINDS: Final = tuple(dict.fromkeys(kind for kind, _ in TERMINALS.values() if kind))


@dataclass(frozen=True, slots=True)
class TextSpot:
    """A place in a text: its chunk, the game there, the line (from 1) and the column."""

    document: Document
    text: Text
    chunk: Chunk
    line: int
    column: int
    game: OpenGame

    @property
    def reading(self) -> Reading:
        """The game there, as it was read."""
        return self.game.reading

    @property
    def own(self) -> int:
        """The number of the line in its chunk."""
        return self.line - self.chunk.before

    @property
    def source(self) -> str:
        """The text of the line."""
        return self.text.lines[self.line - 1]

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of the line."""
        return words_of(self.source)

    @property
    def word(self) -> Word | None:
        """The word at the place or right before it."""
        at = self.column - 1
        return next((word for word in reversed(self.words) if word.start <= at <= word.end), None)

    def text_of(self, word: Word) -> str:
        """Return the text of a word of the line."""
        return self.source[word.start : word.end]

    def range_of(self, word: Word) -> types.Range:
        """Return the range of a word of the line."""
        begin = self.text.index(self.line, 1)
        return types.Range(
            self.text.position(begin + word.start), self.text.position(begin + word.end)
        )

    @property
    def deal(self) -> int:
        """The index of the line's deal in the game, -1 before the first one."""
        return bisect([deal.span.line for deal in self.reading.game.deals], self.own) - 1

    @property
    def turn(self) -> Turn | None:
        """The turn on the line, None if there is none."""
        if self.deal < 0:
            return None
        play = self.reading.game.deals[self.deal].play
        return next(
            (each for each in play if isinstance(each, Turn) and each.line == self.own), None
        )

    @property
    def tag(self) -> Tag | None:
        """The tag on the line, None if there is none."""
        return next((tag for tag in self.reading.game.tags if tag.span.line == self.own), None)

    @property
    def profile(self) -> Profile | None:
        """The rules of the game, None if they cannot be read."""
        return self.game.profile

    @property
    def played(self) -> PlayedTurn | None:
        """The turn on the line as it was replayed, None if there is none or it could not be."""
        if self.turn is None:
            return None
        play = self.game.played
        turns = play.deals[self.deal].turns if play else ()
        return next((each for each in turns if each.line.line == self.own), None)


def spot_at(document: Document, text: Text, position: types.Position) -> TextSpot | None:
    """Return the place of a position, None if there is no game."""
    line, column = text.place(position)
    try:
        chunk = text.chunk_at(line)
    except NotText:
        return None
    games = document.part(chunk.data).games if chunk else ()
    if chunk is None or not games:
        return None
    begins = [game.reading.first_line for game in games]
    place = max(bisect(begins, line - chunk.before) - 1, 0)
    return TextSpot(document, text, chunk, line, column, games[place])


# --- hover ----------------------------------------------------------------------------------------


def hover(document: Document, text: Text, position: types.Position) -> types.Hover | None:
    """Return what is known of the word at a position."""
    spot = spot_at(document, text, position)
    if spot is None:
        return None
    parts = [*_rules_words(spot), *_code_words(spot), *_turn_words(spot), *_values_words(spot)]
    parts += [*_packet_words(spot), *_item_words(spot)]
    if not parts:
        return None
    shown = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts))
    return types.Hover(shown, spot.range_of(spot.word) if spot.word else None)


def _fenced(rows: Rows) -> str:
    """Return rows as a code block in Markdown; no text of a record can end it."""
    return f"```text\n{paint(rows).replace('```', chr(39) * 3)}```"


def _code_words(spot: TextSpot) -> Iterator[str]:
    """Yield the explanations of the code that is written at the place, and of the findings."""
    named = [each.code for each in findings_at(spot.document, spot.text, spot.line, spot.column)]
    if spot.word and spot.word.terminal == "ACK":
        named.insert(0, spot.text_of(spot.word)[1:])
    for code in dict.fromkeys(named):
        if code in codes():
            yield explained(code)


def explained(code: str) -> str:
    """Return the explanation of a code in Markdown."""
    known = entry(code)
    return f"**{code}** ({known.severity}): {known.what} {known.why}\n\n{known.remedy}"


def _rules_words(spot: TextSpot) -> Iterator[str]:
    """Yield the rule or the profile that the Rules tag names at the place."""
    tag = spot.tag
    if tag is None or tag.name != "Rules":
        return
    at = spot.column - 1
    for found in _RULES_WORD.finditer(spot.source):
        if not found.start() <= at <= found.end():
            continue
        if found[0] in profile_names():
            yield f"**{found[0]}**: {load_profile(found[0]).title}"
        elif found[0] in keys():
            yield key_words(spot.profile or load_profile(profile_names()[0]), found[0])


def key_words(profile: Profile, key: str) -> str:
    """Return a rule in Markdown: its sentence, its value and where it is stated."""
    value = profile.values[key]
    return (
        f"**{key}** = {profile.spelled(key)}: {profile.sentence(key)}\n\n"
        f"{profile.name}, {value.mark}: {value.source}"
    )


def _packet_words(spot: TextSpot) -> Iterator[str]:
    """Yield what the rules say of the foot, the pot or the talon that the place names."""
    profile = spot.profile
    named = spot.text_of(spot.word).partition(":")[0] if spot.word else ""
    if profile is not None and named in PACKET_WORDS:
        said = [profile.sentence(key) for key in _PACKET_KEYS]
        known = named == profile.packet_word
        yield f"**{named}**: {'; '.join(said) if known else f'these rules have no {named}'}"


def _turn_words(spot: TextSpot) -> Iterator[str]:
    """Yield a turn in words, and the table before it."""
    turn, profile = spot.played, spot.profile
    if turn is None or profile is None or turn.line.seat not in profile.seats:
        return
    seat = profile.seats.index(turn.line.seat)
    side = profile.side_of(turn.line.seat)
    name = spot.reading.game.names(profile.seats, turn.deal).get(turn.line.seat, "")
    who = f"{turn.line.seat} {name}".rstrip()
    rows = [row(f"deal {turn.deal}, turn {turn.turn}: {who}")]
    rows += [turn_words(turn.line, turn.before, turn.after, side, PLAIN), row(), row("before:")]
    for side_name, held in zip(profile.side_names, turn.before.sides, strict=True):
        rows.append(side_row(side_name, held))
    rows.append(
        [*row(f"hand {turn.before.hands[seat].size}: "), *hand_row(turn.before, seat, PLAIN)]
    )
    pile = pile_row(turn.before, profile.side_names, PLAIN)
    rows.append([Run("pile "), *pile, *row(f"; stock {stock_words(turn.before)}")])
    yield _fenced(rows)


def _values_words(spot: TextSpot) -> Iterator[str]:
    """Yield what other plays of the turn were worth, if the deal was played out before."""
    turn = spot.played
    if turn is None:
        return
    kept = best_kept(users_folder(), spot.reading.game, turn.deal, spot.document.rules)
    for judged in kept.judged if kept else ():
        if judged.turn == turn.turn:
            yield _fenced(decision_rows(judged, PLAIN))


def _item_words(spot: TextSpot) -> Iterator[str]:
    """Yield what earns the item of a score, or the score or the total, at the place."""
    side, item = claim_at(spot)
    if item is not None:
        yield _fenced([*_earned(side, item)])


def claim_at(spot: TextSpot) -> tuple[str, ItemRow | None]:
    """Return the side and the item, score or total claimed at the place; None if there is none."""
    words = spot.words
    if not words or spot.word is None or words[0].terminal not in ("SCORE", "TOTAL"):
        return "", None
    before = [word for word in words if word.start <= spot.word.start]
    sides = [spot.text_of(word) for word in before if word.terminal == "SIDE"]
    items = [spot.text_of(word) for word in before if word.terminal == "ITEM"]
    name = items[-1] if items else spot.text_of(words[0])
    ledger = spot.game.ledger if sides and spot.deal >= 0 else None
    if ledger is None:
        return "", None
    deal = ledger.deals[spot.deal]
    rows = (each for side in deal.sides if side.side == sides[-1] for each in side.rows)
    return sides[-1], next((each for each in rows if each.item == name), None)


def _earned(side: str, item: ItemRow) -> Iterator[list[Run]]:
    claimed = "" if item.claimed is None else f", claimed {item.claimed}"
    yield row(f"{side} {item.item}: {figure(item.computed)}{claimed}")
    for each in item.earned:
        cards = [Run("  "), *card_row(each.cards, PLAIN)] if each.cards else []
        yield [*row(f"  {figure(each.points)}  {each.what}"), *cards]
    if item.decided_by:
        yield row(f"  decided by {item.decided_by}")


# --- formatting -----------------------------------------------------------------------------------


class NotFormatted(Exception):
    """A text that is not formatted; the message says why."""


def canonical_text(document: Document, text: Text) -> str:
    """Return what `canasta format` makes of a text. Raises NotFormatted if it refuses."""
    readings: list[Reading] = []
    try:
        for chunk in text.chunks:
            for game in document.part(chunk.data).games:
                readings.append(game.reading)
                for problem in game.reading.problems:
                    if problem.code == "syntax":
                        line = problem.span.line + chunk.before
                        raise NotFormatted(f"line {line} cannot be read: {problem.message}")
        if not readings:
            raise NotFormatted("there is no game in this file")
        return "".join(games_as("canasta", (reading.game for reading in readings)))
    except (NotText, Unwritable) as error:
        raise NotFormatted(str(error)) from error


def format_document(document: Document, text: Text) -> list[types.TextEdit]:
    """Return the edit that gives a text its canonical form; none if it has it.

    Raises NotFormatted.
    """
    old = text.source.splitlines(keepends=True)
    new = canonical_text(document, text).splitlines(keepends=True)
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    replaced, fresh = (lines[start : len(lines) - end] for lines in (old, new))
    if not replaced and not fresh:
        return []
    begin = len("".join(old[:start]))
    return [text.edit(begin, begin + len("".join(replaced)), "".join(fresh))]


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many lines at the beginning are the same."""
    for at, (line, second) in enumerate(zip(one, other, strict=False)):
        if line != second:
            return at
    return min(len(one), len(other))


# --- symbols, folds, colours ----------------------------------------------------------------------


_SYMBOLS: Final = (types.SymbolKind.Class, types.SymbolKind.Method, types.SymbolKind.Event)


def symbols(document: Document, text: Text) -> list[types.DocumentSymbol]:
    """Return the games with their deals and turns; for a long text, only the games and deals."""
    deepest = 2 if len(text.lines) <= MOST_LINES else 1
    found: list[types.DocumentSymbol] = []
    for chunk, outline in _all_outlines(document, text):
        symbol = _symbol(text, chunk.before, outline, 0, deepest)
        symbol.name = f"Game {len(found) + 1}"
        found.append(symbol)
    return found


def _symbol(
    text: Text, before: int, part: Outline, level: int, deepest: int
) -> types.DocumentSymbol:
    begin = text.index(part.first + before, 1)
    last = part.last + before
    end = text.index(last, len(text.lines[last - 1]) + 1)
    first = text.index(part.first + before, len(text.lines[part.first + before - 1]) + 1)
    detail = part.detail
    if part.first == part.last and not detail:
        detail = text.source[begin:end].strip()
    parts = part.parts if level < deepest else ()
    return types.DocumentSymbol(
        part.name,
        _SYMBOLS[level],
        types.Range(text.position(begin), text.position(end)),
        types.Range(text.position(begin), text.position(first)),
        detail,
        children=[_symbol(text, before, each, level + 1, deepest) for each in parts],
    )


def folds(document: Document, text: Text) -> list[types.FoldingRange]:
    """Return the lines of each game and each deal."""
    found = []
    for chunk, outline in _all_outlines(document, text):
        for part in (outline, *outline.parts):
            first, last = (
                text.position(text.index(line + chunk.before, 1)).line
                for line in (part.first, part.last)
            )
            found.append(types.FoldingRange(first, last))
    return found


def _all_outlines(document: Document, text: Text) -> Iterator[tuple[Chunk, Outline]]:
    try:
        for chunk in text.chunks:
            for outline in document.part(chunk.data).outlines:
                yield chunk, outline
    except NotText:
        return


def colours(
    document: Document, text: Text, among: types.Range | None
) -> types.SemanticTokens | None:
    """Return the kinds of the words in some lines, None for all lines of a long text."""
    if among is None and len(text.lines) > MOST_LINES:
        return None
    first = text.place(among.start)[0] if among else 1
    last = text.place(among.end)[0] if among else len(text.lines)
    data: list[int] = []
    line_before = start_before = 0
    for number in range(first, last + 1):
        source = text.lines[number - 1]
        begin = text.index(number, 1)
        for word in words_of(source):
            kind = TERMINALS[word.terminal][0]
            if not kind:
                continue
            at = text.position(begin + word.start)
            start = at.character - (start_before if at.line == line_before else 0)
            length = text.units(source[word.start : word.end])
            data += [at.line - line_before, start, length, KINDS.index(kind), 0]
            line_before, start_before = at.line, at.character
    return types.SemanticTokens(data)
