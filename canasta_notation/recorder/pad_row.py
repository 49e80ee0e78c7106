"""A row of the score pad: a side's score for a deal, as lines of a score sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import items_of, threes_item
from canasta_notation.engine.table import STOCK
from canasta_notation.english import count
from canasta_notation.fields import check_points
from canasta_notation.notation.document import (
    BonusLine,
    Deal,
    EndLine,
    Line,
    PenaltyLine,
    Ruling,
    ScoreLine,
)
from canasta_notation.notation.format import format_line
from canasta_notation.recorder.closing import counts_nothing, plain_points, with_total
from canasta_notation.recorder.corrections import propose_header, propose_lines
from canasta_notation.recorder.opening import DEFAULT_RULES, house_questions
from canasta_notation.recorder.proposal import Proposal, added_lines, judge
from canasta_notation.recorder.standing import Standing
from canasta_notation.rules.items import ITEMS, SCORED

_COUNT: Final = re.compile(r"\d{1,2}")
POINTS: Final = re.compile(r"[-+]?\d{1,6}")
_BOTH: Final = re.compile(r"([-+]?\d{1,6})/[-+]?(\d{1,6})")
_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")
#: The word of a penalty or a bonus if only its points were written down.
HOUSE: Final = "house"
#: The items that rulings earn; a row can name a word after their points.
_RULED: Final = ("penalty", "bonus")
_NUMBERS: Final = {3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True, slots=True)
class PadRow:
    """A side's deal on a score sheet: the numbers of canastas and threes, and points of cards.

    `canastas` are the numbers of canastas, in the order of `columns`. `threes` is the number of red
    threes or, if black threes count too, their points. `cards` is melds minus hands as one figure,
    or melds and hands separately (the hands negative). `out` is the seat that went out, the side if
    only that is known, "" for neither; `concealed` says how. `special` says the same of a special
    hand. `score` is the side's score if nothing else was written down, else None.
    """

    canastas: tuple[int, ...] = ()
    threes: int = 0
    cards: tuple[tuple[str, int], ...] = ()
    out: str = ""
    extra: tuple[tuple[str, int], ...] = ()
    penalties: tuple[tuple[int, str], ...] = ()
    bonuses: tuple[tuple[int, str], ...] = ()
    score: int | None = None
    concealed: bool = False
    special: str = ""


def canasta_bonuses(rules: Rules) -> dict[str, int]:
    """Return the kinds of canastas that a row counts, and the bonus for each.

    Canastas of wild cards are among them only if all of them have the same bonus.
    """
    bonuses = {"natural": int(rules.score_natural), "mixed": int(rules.score_mixed)}
    wild = {*rules.score_wild.values()}
    if len(wild) == 1:
        bonuses["wild"] = wild.pop()
    if rules.sequences and rules.score_sequence:
        bonuses["sequence"] = int(rules.score_sequence)
    return bonuses


def columns(rules: Rules) -> tuple[str, ...]:
    """Return the names of the numbers of a row: canastas, threes and cards."""
    return tuple(filter(None, (*canasta_bonuses(rules), threes_item(rules), "cards")))


def column_words(rules: Rules) -> tuple[str, ...]:
    """Return the words for the numbers of a row; those who play with feet call canastas books."""
    names = columns(rules)
    if not rules.packet_of_seat:
        return names
    return tuple(next(iter(SCORED[name].books), name) for name in names)


def column_named(rules: Rules, word: str) -> int | None:
    """Return which number of a row a word names, from 0; None if it names none."""
    for at, name in enumerate(columns(rules)):
        if word == name or (rules.packet_of_seat and word in SCORED[name].books):
            return at
    return None


def other_items(rules: Rules) -> tuple[str, ...]:
    """Return the items that a row names after its numbers, each with its points."""
    shown = {*columns(rules), "melds", "hand", "out", "concealed", *_RULED}
    return tuple(item for item in ITEMS if item in items_of(rules) and item not in shown)


def has_bonus(standing: Standing) -> bool:
    """Return whether the game has a bonus line; only then, a pad asks for bonuses."""
    lines = (line for deal in standing.reading.game.deals for line in deal.play)
    return any(isinstance(line, BonusLine) for line in lines)


def how_many(rules: Rules) -> str:
    """Return how many numbers a row has, in words."""
    return f"{_NUMBERS[len(columns(rules))]} numbers"


def parse_row(text: str, side: str, rules: Rules) -> PadRow:
    """Return the row that a text such as `0 1 2 275 out penalty 100` means.

    It has the numbers of `columns`: of canastas and threes, and the points of cards (`365/-90` for
    melds and hands separately). Then come `out` (or `out N`, `out N concealed`), `penalty 100 why`,
    `bonus 100 why`, and any other item with its points (`special N 3000` names the seat, and may be
    the whole row). One number alone is the score, also after `score`. Raises ValueError, which says
    what is wrong.
    """
    names = columns(rules)
    words = ["/".join(map(plain_points, word.split("/"))) for word in text.split()]
    if len(words) == 2 and words[0].lower() == "score":
        words = words[1:]
    if len(words) == 1 and POINTS.fullmatch(words[0]):
        return PadRow(score=int(words[0]))
    if words and words[0].lower() == "special":
        words = ["0"] * len(names) + words
    if len(words) < len(names):
        needed = f"{how_many(rules)} ({' '.join(column_words(rules))})"
        raise ValueError(f"`{text}` is not understood: type {needed} or the score alone")
    figures = dict(zip(names, words, strict=False))
    rest = words[len(names) :]
    counts = tuple(_count(figures[kind], "canastas") for kind in canasta_bonuses(rules))
    third = figures.get(threes_item(rules), "0")
    threes = _points(third) if rules.black_tabled else _count(third, "red threes")
    if not rules.black_tabled and threes > len(rules.score_red3):
        raise ValueError(f"the deck has {count(len(rules.score_red3), 'red three')}, not {threes}")
    row = PadRow(counts, threes, _cards(figures["cards"]))
    while rest:
        row, rest = _word(row, rest, side, rules)
    return row


def _count(word: str, what: str) -> int:
    if not _COUNT.fullmatch(word):
        raise ValueError(f"{word} is not a number of {what}")
    return int(word)


def _points(word: str) -> int:
    if not POINTS.fullmatch(word):
        raise ValueError(f"{word} is not a number of points")
    return int(word)


def _cards(word: str) -> tuple[tuple[str, int], ...]:
    both = _BOTH.fullmatch(word)
    if both:
        return ("melds", int(both[1])), ("hand", -int(both[2]))
    return (("cards", _points(word)),)


def _word(row: PadRow, rest: list[str], side: str, rules: Rules) -> tuple[PadRow, list[str]]:
    """Return the row with its next word added, and the words that are left."""
    said, *rest = rest
    word = said.lower()
    if word == "out":
        return _out_word(row, rest, side)
    if word == "special" and rest:
        by, rest = _who(rest, side)
        row = replace(row, special=by)
    if word in ITEMS and not rest:
        raise ValueError(f"type the points of {word} after it, for example {word} 100")
    if not _WORD.fullmatch(word) or not rest:
        raise ValueError(
            f"{said} is not understood: after the {how_many(rules)}, type out, or a word and its "
            "points, for example penalty 100"
        )
    points, *rest = rest
    if word not in _RULED:
        return replace(row, extra=(*row.extra, (word, _points(points)))), rest
    return _ruled_word(row, word, points, rest)


def _out_word(row: PadRow, rest: list[str], side: str) -> tuple[PadRow, list[str]]:
    """Return the row of a side that went out, and the words that are left."""
    by, words = _who(rest, side)
    if rest and words == rest and len(rest[0]) == 1:
        raise ValueError(f"{rest[0]} is not a seat of {side}")
    row, rest = replace(row, out=by), words
    # With its points, it is an item like others.
    concealed = [each.lower() for each in rest[:1]] == ["concealed"]
    if concealed and not (rest[1:] and POINTS.fullmatch(rest[1])):
        return replace(row, concealed=True), rest[1:]
    return row, rest


def _who(rest: list[str], side: str) -> tuple[str, list[str]]:
    """Return the seat that the next word names, or the side, and the words that are left."""
    named = rest[:1] if rest and rest[0].upper() in side else []
    return named[0].upper() if named else side, rest[len(named) :]


def _ruled_word(row: PadRow, word: str, points: str, rest: list[str]) -> tuple[PadRow, list[str]]:
    """Return the row with a bonus or a penalty, and the words that are left."""
    why = rest[:1] if rest and _WORD.fullmatch(rest[0]) and rest[0] != "out" else []
    ruling = (abs(_points(points)), why[0] if why else HOUSE)
    if word == "bonus":
        return replace(row, bonuses=(*row.bonuses, ruling)), rest[len(why) :]
    return replace(row, penalties=(*row.penalties, ruling)), rest[len(why) :]


def propose_row(standing: Standing, side: str, row: PadRow) -> list[Proposal]:
    """Judge a row; return one proposal, or one for each sign that its threes can have.

    There are two if the row does not show whether threes count for or against the side; in the
    first, they count for it. Raises ValueError for a score or total that a record cannot hold.
    """
    return _without_errors(
        [_judge(standing, lines) for lines in _possible_lines(standing.rules, side, row)]
    )


def propose_change(standing: Standing, at: int, side: str, row: PadRow) -> list[Proposal]:
    """Judge the replacement of an earlier row like a new one; `at` is its deal, from 0.

    The totals after it are recomputed. Raises ValueError like `propose_row`.
    """
    return _without_errors(
        [
            propose_lines(standing, *_changed(standing, at, lines))
            for lines in _possible_lines(standing.rules, side, row)
        ]
    )


def _without_errors(proposals: list[Proposal]) -> list[Proposal]:
    """Return the proposals without errors, or the first one if all have errors."""
    return [each for each in proposals if not each.errors] or proposals[:1]


def propose_on_paper(standing: Standing, at: int, side: str, score: int) -> Proposal:
    """Return a row with the score that is on paper and with unchanged items.

    Raises ValueError for a total that a record cannot hold.
    """
    deal = standing.reading.game.deals[at]
    rulings = [line for line in deal.play if isinstance(line, Ruling) and line.side == side]
    ends = [deal.end] if deal.end is not None and (deal.end.seat or "-") in side else []
    line = next(line for line in deal.scores if line.side == side)
    # Without items, the score would be all that the row says.
    items = line.items or (None if line.score else (("cards", 0),))
    values: list[Line] = [*rulings, *ends, replace(line, score=score, items=items)]
    return propose_lines(standing, *_changed(standing, at, values))


def propose_end(standing: Standing, at: int, end: EndLine | None) -> Proposal:
    """Return the record with another end line in a deal of a score sheet; `at` is its deal, from 0.

    Not checked: that no side went out.
    """
    deal = standing.reading.game.deals[at]
    return propose_lines(standing, *_with_deal(standing, at, replace(deal, end=end)))


class RowRule(NamedTuple):
    """A house rule under which a row gives another score, and the record under that rule."""

    override: str
    sentence: str
    proposal: Proposal


def rules_for(standing: Standing, at: int, side: str, row: PadRow, score: int) -> list[RowRule]:
    """Return the house rules under which a row gives a score.

    Raises ValueError for a total that a record cannot hold.
    """
    tag = standing.reading.game.tag("Rules")
    rules = tag.value if tag else DEFAULT_RULES
    found = []
    for question in house_questions(rules):
        other = propose_header(standing, "rules", f"{rules} {question.override}").after
        if other is None:
            continue
        for proposal in propose_change(other, at, side, row):
            after = proposal.after
            scores = after.reading.game.deals[at].scores if after and not proposal.errors else ()
            if any((line.side, line.score) == (side, score) for line in scores):
                key = question.override.partition("=")[0]
                sentence = other.profile.sentence(key)
                found.append(RowRule(question.override, sentence, proposal))
    return found


def with_figure(standing: Standing, at: int, side: str, text: str) -> str:
    """Return the new text of a row, in which a name and a figure change only that figure.

    Raises ValueError for a single number in place of a row with figures.
    """
    words, row = text.split(), (row_text(standing, at, side) or "").split()
    names = columns(standing.rules)
    if len(row) < len(names):
        return text
    column = column_named(standing.rules, words[0].lower()) if len(words) == 2 else None
    if column is not None:
        row[column] = words[1]
        return " ".join(row)
    if len(words) == 1 and POINTS.fullmatch(plain_points(text)):
        raise ValueError(
            f"{text} alone would replace the whole row: name the figure, for example "
            f"{names[-1]} {text}, or type score {text} if only the score was written down"
        )
    return text


def row_text(standing: Standing, at: int, side: str) -> str | None:
    """Return the row, as a person types it, of a side's score line; None without such a line."""
    rules, deals = standing.rules, standing.reading.game.deals
    deal = deals[at] if 0 <= at < len(deals) else None
    line = next((line for line in deal.scores if line.side == side), None) if deal else None
    if deal is None or line is None:
        return None
    if line.items is None and line.score:
        return str(line.score)
    items = dict(line.items or ())
    words = _figures(items, rules)
    known = {*columns(rules), "melds", "hand", "out", *_RULED}
    if items.get("out"):
        seat = deal.end.seat if deal.end and deal.end.seat else ""
        words += ["out", *([seat] if seat and seat in side else [])]
        if items.get("concealed") == rules.score_concealed:
            words.append("concealed")
            known.add("concealed")
    words += [f"{item} {points}" for item, points in items.items() if item not in known]
    for ruling in deal.play:
        if isinstance(ruling, Ruling) and ruling.side == side:
            kind = "bonus" if isinstance(ruling, BonusLine) else "penalty"
            words.append(f"{kind} {ruling.points} {ruling.word}")
    return " ".join(words)


def _figures(items: dict[str, int], rules: Rules) -> list[str]:
    """Return the figures with which a row begins: canastas, threes, the points of cards."""
    item = threes_item(rules)
    threes = items.get(item, 0)
    if not rules.black_tabled and abs(threes) in rules.score_red3:
        threes = rules.score_red3.index(abs(threes)) + 1
    cards = str(items.get("cards", 0))
    if "melds" in items or "hand" in items:
        cards = f"{items.get('melds', 0)}/{items.get('hand', 0)}"
    counts = [items.get(kind, 0) // (bonus or 1) for kind, bonus in canasta_bonuses(rules).items()]
    return [*map(str, counts), *([str(threes)] if item else []), cards]


def _changed(standing: Standing, at: int, values: list[Line]) -> tuple[list[str], int]:
    """Return the lines of a record with a side's row in one deal replaced, and the row's place."""
    deals = standing.reading.game.deals
    [score] = [value for value in values if isinstance(value, ScoreLine)]
    rulings = tuple(value for value in values if isinstance(value, Ruling))
    ends = [value for value in values if isinstance(value, EndLine)]
    deal, side = deals[at], score.side
    went = dict(score.items or ()).keys() & {"out", "special"}
    old_end = deal.end
    if old_end and (old_end.seat in side if old_end.seat else old_end.reason == STOCK and went):
        old_end = None
    others = (line for line in deal.play if getattr(line, "side", "") != side)
    changed = replace(
        deal,
        play=(*others, *rulings),
        end=ends[0] if ends else old_end,
        scores=tuple(score if line.side == side else line for line in deal.scores),
    )
    lines, start = _with_deal(standing, at, changed)
    return lines, lines.index(format_line(score), start)


def _with_deal(standing: Standing, at: int, changed: Deal) -> tuple[list[str], int]:
    """Return the lines of a record with another deal and the totals after it, and its place."""
    deals = standing.reading.game.deals
    deal, changed_deals = deals[at], [*deals[:at], changed, *deals[at + 1 :]]
    totals = _totals(standing, changed_deals, at)
    first, lines = standing.place.first_line, list(standing.lines)
    for place in range(len(deals) - 1, at, -1):
        total = deals[place].total
        if total is not None and place in totals:
            lines[total.span.line - first] = format_line(replace(total, totals=totals[place]))
    if changed.total is not None and at in totals:
        changed = replace(changed, total=replace(changed.total, totals=totals[at]))
    start = deal.span.line - first
    end = max(line.span.line for line in (*deal.scores, deal.total) if line) - first
    lines[start : end + 1] = _deal_lines(changed)
    return lines, start


def _totals(
    standing: Standing, deals: list[Deal], at: int
) -> dict[int, tuple[tuple[str, int], ...]]:
    """Return the totals after each deal from `at` on, up to the last written scores."""
    sums = dict.fromkeys(standing.rules.sides, 0)
    found = {}
    for place, deal in enumerate(deals):
        if counts_nothing(deal):
            continue
        scores = {line.side: line.score for line in deal.scores}
        if set(scores) != set(sums):
            break
        sums = {side: points + scores[side] for side, points in sums.items()}
        for side, points in sums.items():
            check_points(f"the total of {side}", points)
        found[place] = tuple(sums.items())
    return {place: totals for place, totals in found.items() if place >= at}


def _deal_lines(deal: Deal) -> list[str]:
    """Return the lines of a score sheet's deal without the comments above its first line."""
    after = [*deal.play, deal.end, *deal.end_lines, *deal.scores, deal.total]
    lines = [format_line(replace(deal, before=()))]
    for line in after:
        if line is not None:
            lines += [f"; {comment}" for comment in line.before]
            lines.append(format_line(line))
    return lines


def _possible_lines(rules: Rules, side: str, row: PadRow) -> list[list[Line]]:
    """Return the lines of a row for each sign that its threes can have, positive first."""
    if rules.black_tabled:
        return [_lines(rules, side, row, row.threes)]
    amount = rules.score_red3[row.threes - 1] if row.threes else 0
    return [_lines(rules, side, row, points) for points in dict.fromkeys((amount, -amount))]


def _lines(rules: Rules, side: str, row: PadRow, threes: int) -> list[Line]:
    """Return the lines of a row: rulings, who went out, the score with its items."""
    if row.score is not None:
        return [ScoreLine(side, row.score, None)]
    counted = zip(canasta_bonuses(rules).items(), row.canastas, strict=False)
    canastas = [(kind, number * bonus) for (kind, bonus), number in counted]
    items = [
        *canastas,
        (threes_item(rules), threes),
        ("out", rules.score_out if row.out else 0),
        ("concealed", rules.score_concealed if row.concealed else 0),
        *row.extra,
        *row.cards,
        ("penalty", -sum(points for points, _ in row.penalties)),
        ("bonus", sum(points for points, _ in row.bonuses)),
    ]
    # Cards that add up to 0 are written. Without them, the row would say that nothing was melded.
    kept = tuple((item, points) for item, points in items if points or item == "cards")
    any_earned = any(points for _, points in kept)
    points = sum(points for _, points in kept)
    check_points(f"the score of {side}", points)
    score = ScoreLine(side, points, kept if any_earned else None)
    lines: list[Line] = [PenaltyLine(side, points, word) for points, word in row.penalties]
    lines += [BonusLine(side, points, word) for points, word in row.bonuses]
    seats = {*rules.seats}
    if row.out in seats:
        lines.append(EndLine("out", row.out, row.concealed))
    elif row.special in seats:
        lines.append(EndLine("special", row.special))
    return [*lines, score]


def _judge(standing: Standing, values: list[Line]) -> Proposal:
    """Judge several lines together; the proposal is the last one's."""
    proposal = judge(standing, values[0])
    for value in values[1:]:
        if proposal.after is not None:
            proposal = judge(proposal.after, value)
    assert proposal.after is not None
    known = {(each.code, each.message) for each in standing.findings()}
    found = tuple(
        each
        for each in proposal.after.findings()
        if each.severity != "note" and (each.code, each.message) not in known
    )
    texts = {each.span.line: proposal.after.line_text(each.span.line) or "" for each in found}
    proposal = replace(proposal, before=standing, findings=found, excerpts=texts)
    if not proposal.errors:
        proposal = with_total(proposal)
    after = proposal.after
    assert after is not None
    return replace(proposal, written=tuple(added_lines(standing.lines, after.lines)))
