"""Taking entries back, finding the line to correct, and what to do about a wrong entry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from canasta_notation.cards import TEXT
from canasta_notation.engine.actions import Discard, Take
from canasta_notation.english import listed
from canasta_notation.fields import check_points
from canasta_notation.findings import Finding, Span
from canasta_notation.names import tag_of_player
from canasta_notation.notation.document import (
    Deal,
    EndLine,
    HandLine,
    PenaltyLine,
    Ruling,
    ScoreLine,
    Tag,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.notation.tag_values import place_of_tag
from canasta_notation.recorder.closing import (
    KINDS,
    DueLine,
    claim_text,
    end_text,
    is_start_threes,
    plain_points,
)
from canasta_notation.recorder.opening import tag_problem
from canasta_notation.recorder.proposal import (
    PENALTIES,
    Proposal,
    added_lines,
    as_irregularity,
    penalty_for,
    propose,
    propose_edit,
    taken_back,
)
from canasta_notation.recorder.shorthand import seats_for_names
from canasta_notation.recorder.standing import Standing, with_due_lines

#: The tags that `edit` names by a word.
_TAGS: Final = {
    name.lower(): name for name in ("Event", "Site", "Date", "Round", "Rules", "Target", "Source")
}
#: A line of the last deal, `12` or `left E`, or of another deal, `2.12` or `2.left E`.
_LINE: Final = re.compile(r"(?:(\d{1,4})\.)?(\d{1,6}|\D+)")
#: The dealer of the last deal, or of another one.
_DEALER: Final = re.compile(r"(?:(\d{1,4})\.)?dealer")
#: The player of a seat, or who plays it from a deal on: `name N`, `3.name N`.
_NAME: Final = re.compile(r"(?:(\d{1,4})\.)?name (.+)")
#: Words that are followed by a seat or a side.
_WITH_WHOSE: Final = ("name", "melds", "threes", "left", "score")


def without_last_entry(standing: Standing) -> Standing | None:
    """Return a record from a file without its last entry, None if no deal has begun.

    A comment is removed before the line that it is on. With a total, the last score is removed too;
    with an end line, the turn that ended the deal; with the penalty of an irregularity, its turn;
    with the first line of a deal, its `deal` line; with a `deal` line that would be written again
    at once, the score before it. The red threes tabled at the start were entered together, after
    the card turned up.
    """
    deal = standing.deal
    if deal is None:
        return None
    lines = _without_blanks(standing.lines)
    last = read_line(lines[-1])
    if last is not None and not isinstance(last, Finding | Tag) and last.comment is not None:
        lines[-1] = format_line(replace(last, comment=None), standing.rules.draw_count)
        return Standing(lines, standing.place)
    if not deal.play and isinstance(last, HandLine | UpLine):
        threes = [hand.span.line for hand in deal.hands if is_start_threes(hand)]
        if threes:
            return Standing(_without_lines(lines, threes, standing), standing.place)
    lines = _without_entry(lines, last, deal, standing)
    if isinstance(read_line(lines[-1]), Deal):
        lines = _without_blanks(tuple(lines[:-1]))
    after = with_due_lines(standing, Standing(lines, standing.place))
    begins_again = after.phase == "scores" and after.side_due is None
    return without_last_entry(after) if begins_again else after


def _without_entry(lines: list[str], last: object, deal: Deal, standing: Standing) -> list[str]:
    """Return the lines without the last one, `last` in the record, and what was entered with it."""
    lines.pop()
    if isinstance(last, PenaltyLine):
        _pop_ruled(lines, last)
    if isinstance(last, TotalLine) and lines[-1].startswith("score "):
        last = read_line(lines.pop())
    tabled = deal.melds or deal.threes or deal.left
    if isinstance(last, ScoreLine) and not standing.turns and not tabled:
        lines = _without_row(lines, deal, last, standing)
    if isinstance(last, EndLine):
        _pop_cause(lines, standing)
    return _without_blanks(tuple(lines))


def _without_row(lines: list[str], deal: Deal, score: ScoreLine, standing: Standing) -> list[str]:
    """Return the lines of a score sheet without the rest of a row: rulings and who went out."""
    rulings = [line for line in deal.play if isinstance(line, Ruling)]
    gone = {line.span.line for line in rulings if line.side == score.side}
    end = deal.end
    if end is not None and end.seat is not None and end.seat in score.side:
        gone.add(end.span.line)
    return _without_lines(lines, gone, standing)


def _without_lines(lines: list[str], gone: Collection[int], standing: Standing) -> list[str]:
    first = standing.place.first_line
    return [line for at, line in enumerate(lines) if at + first not in gone]


def _pop_ruled(lines: list[str], ruling: PenaltyLine) -> None:
    """Remove the turn whose irregularity was kept with this penalty."""
    turn = read_line(lines[-1])
    if isinstance(turn, Turn) and turn.seat in ruling.side:
        words = {PENALTIES.get(code) for code in turn.acknowledged}
        if ruling.word in words:
            lines.pop()


def _without_blanks(lines: tuple[str, ...]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _pop_cause(lines: list[str], standing: Standing) -> None:
    """Remove the turn that ended the deal, because the end line would be written again at once."""
    while Standing(lines, standing.place).end_line is not None:
        lines.pop()


def is_more_than_a_deal(before: Standing, after: Standing) -> bool:
    """Return whether going back takes back a deal with turns, an end or scores, or several."""
    fewer = len(before.reading.game.deals) - len(after.reading.game.deals)
    deal = before.deal
    return fewer > 1 or (
        fewer == 1 and deal is not None and bool(deal.play or deal.end or deal.scores)
    )


def find_line(standing: Standing, what: str) -> int | None:
    """Return the place (from 0) of the line that `edit WHAT` names, None if there is none.

    The names are `12`, `up`, `N:`, `end`, `melds NS`, `threes NS`, `left N` and `score NS`, all of
    the last deal; `2.12` and so on are of deal 2.
    """
    deals = standing.reading.game.deals
    found = _LINE.fullmatch(what)
    if found is None or not 1 <= int(found[1] or len(deals)) <= len(deals):
        return None
    deal = deals[int(found[1] or len(deals)) - 1]
    turns = [line for line in deal.play if isinstance(line, Turn)]
    places = {str(number): turn.line for number, turn in enumerate(turns, 1)}
    places |= {hand.seat: hand.span.line for hand in deal.hands}
    places |= {f"melds {line.side}": line.span.line for line in deal.melds}
    places |= {f"threes {line.side}": line.span.line for line in deal.threes}
    places |= {f"left {line.seat}": line.span.line for line in deal.left}
    places |= {f"score {line.side}": line.span.line for line in deal.scores}
    places |= {"up": deal.up.span.line} if deal.up else {}
    places |= {"end": deal.end.span.line} if deal.end else {}
    line = places.get(found[2].removesuffix(":"))
    return None if line is None else line - standing.place.first_line


def new_line(standing: Standing, what: str, text: str) -> str:
    """Return the line that `edit WHAT TEXT` means; its first word and seat may be left out.

    Raises ValueError saying what is wrong with the end, or with the cards of a table at the end.
    """
    name = what.rpartition(".")[2]
    word, _, whose = name.partition(" ")
    kind = next((kind for kind in KINDS if kind == word), None)
    if name == "end":
        return _end_line(standing, text)
    if name.isdigit() or text.startswith(name):
        return text
    if kind is not None:
        return claim_text(DueLine(kind, whose), text, standing.rules)
    if word == "score":
        return f"{name} {plain_points(text)}"
    return f"{name} {text}" if word == "up" else f"{name.removesuffix(':')}: {text}"


def _end_line(standing: Standing, text: str) -> str:
    seats = standing.rules.seats
    line = end_text(seats_for_names(standing, text), seats)
    if line is None:
        who = f"the seat of the player who went out ({listed(seats, 'or')})"
        raise ValueError(f"`{text}` is not understood: type {who}, or stock")
    return line


# --- the header ---------------------------------------------------------------------------------


def split_edit(rest: str) -> tuple[str, str]:
    """Return what to edit and its new text; some names have a seat or a side, as `name N`."""
    what, _, text = rest.strip().partition(" ")
    if what.rpartition(".")[2] in _WITH_WHOSE:
        whose, _, text = text.strip().partition(" ")
        what = f"{what} {whose.upper()}"
    elif len(what.removesuffix(":")) == 1:
        what = what.upper()
    return what, text.strip()


def is_header(what: str) -> bool:
    """Return whether `edit WHAT` names the dealer or a tag."""
    return _DEALER.fullmatch(what) is not None or takes_words(what)


def takes_words(what: str) -> bool:
    """Return whether `edit WHAT` changes a tag to any words; a dealer is a seat."""
    return _tag_name(what) != ""


def _tag_name(what: str) -> str:
    named = _NAME.fullmatch(what)
    if named:
        return tag_of_player(named[2], int(named[1] or 1))
    return _TAGS.get(what, "")


def old_text(standing: Standing, what: str) -> str | None:
    """Return what `edit WHAT` would change: a value of the header, or a line; None if nothing."""
    dealer = _DEALER.fullmatch(what)
    if dealer and (standing.deal is not None or dealer[1]):
        deal = _deal_named(standing, dealer[1])
        return None if deal is None else deal.dealer or ""
    if is_header(what):
        named = _NAME.fullmatch(what)
        if named and named[2] not in [*standing.rules.seats]:
            return None
        tag = standing.reading.game.tag("Dealer" if dealer else _tag_name(what))
        return tag.value if tag else ""
    at = find_line(standing, what)
    return None if at is None else standing.lines[at]


def _deal_named(standing: Standing, number: str | None) -> Deal | None:
    """Return the deal of a number, the last one without a number; None if there is none."""
    deals = standing.reading.game.deals
    at = int(number or len(deals)) - 1
    return deals[at] if 0 <= at < len(deals) else None


def propose_header(standing: Standing, what: str, value: str) -> Proposal:
    """Return the record with another dealer or tag, judged like an entry.

    With the dealer of the first deal, the Dealer tag changes too. The dealers of the deals after it
    that followed from it, and that no turn confirms, move with it.
    """
    dealer = _DEALER.fullmatch(what)
    name = "Dealer" if dealer else _tag_name(what)
    tags = {tag.name: tag.value for tag in standing.reading.game.tags}
    problem = tag_problem({**tags, name: value}, name)
    if problem is not None:
        problem = replace(problem, span=Span(1, 1, 2))
        return Proposal(standing, None, (), (problem,), {})
    deal = _deal_named(standing, dealer[1]) if dealer else None
    if deal is None:
        lines, at = list(standing.lines), 0
    else:
        lines = _with_dealer(standing, deal, value)
        at = deal.span.line - standing.place.first_line
        if deal is not standing.reading.game.deals[0] or "Dealer" not in tags:
            return replace(propose_lines(standing, lines, at), line=replace(deal, dealer=value))
    tag = standing.reading.game.tag(name)
    text = format_line(Tag(name, value))
    if tag is not None:
        at = tag.span.line - standing.place.first_line
        lines[at] = text
        return propose_lines(standing, lines, at)
    at = _tag_place(standing, name)
    lines.insert(at, text)
    return propose_lines(standing, lines, at)


def _with_dealer(standing: Standing, deal: Deal, dealer: str) -> list[str]:
    """Return the lines with another dealer of a deal, and of those after it that have no turns."""
    lines, seats = list(standing.lines), standing.rules.seats
    old, deals = deal.dealer, standing.reading.game.deals
    for each in deals[deals.index(deal) :]:
        moved = each is not deal
        if moved and (each.dealer != old or any(isinstance(line, Turn) for line in each.play)):
            break
        at = each.span.line - standing.place.first_line
        lines[at] = format_line(replace(each, dealer=dealer, before=()))
        if old is None or old not in seats or dealer not in seats:
            break
        old, dealer = (seats[(seats.index(seat) + 1) % len(seats)] for seat in (old, dealer))
    return lines


def _tag_place(standing: Standing, name: str) -> int:
    """Return the place (from 0) of the first tag that must come after a tag of this name."""
    last = 0
    for tag in standing.reading.game.tags:
        at = tag.span.line - standing.place.first_line
        if place_of_tag(tag.name) > place_of_tag(name):
            return at
        last = at + 1
    return last


def propose_lines(standing: Standing, lines: list[str], at: int) -> Proposal:
    """Return the record with other lines, judged; its findings are only the new ones.

    `at` (from 0) is the line that was changed; a mistake on another line can be corrected later.
    """
    after = with_due_lines(standing, Standing(lines, standing.place))
    known = Counter((each.code, each.message) for each in standing.findings())
    found = []
    for each in after.findings():
        mark = (each.code, each.message)
        if each.severity != "note" and known[mark] <= 0:
            found.append(each)
        known[mark] -= 1
    texts = {each.span.line: after.line_text(each.span.line) or "" for each in found}
    written = tuple(added_lines(standing.lines, after.lines))
    return Proposal(standing, after, written, tuple(found), texts, at=at, replaces=True)


def note(standing: Standing, text: str) -> Standing:
    """Return the record with a comment on its last line or, if that has one, on a new line."""
    text = " ".join(text.split())
    lines = list(standing.lines)
    value = read_line(lines[-1]) if lines else None
    if value is not None and not isinstance(value, Finding | Tag) and value.comment is None:
        lines[-1] = f"{format_line(value, standing.rules.draw_count)} ; {text}"
        return Standing(lines, standing.place)
    return Standing([*lines, f"; {text}"], standing.place)


# --- entries, new or corrected ------------------------------------------------------------------


def propose_text(standing: Standing, text: str, what: str = "") -> Proposal:
    """Judge an entry: a new line, or the new text of what `edit WHAT` names.

    Raises ValueError for an end or for cards that cannot be read.
    """
    if _DEALER.fullmatch(what):
        text = seats_for_names(standing, text)
    if is_header(what):
        return propose_header(standing, what, text)
    at = find_line(standing, what) if what else None
    if at is None:
        return propose(standing, text)
    proposal = propose_edit(standing, at, new_line(standing, what, text))
    if isinstance(proposal.line, ScoreLine) and proposal.after is not None:
        lines = _with_moved_totals(standing, at, proposal.line)
        return replace(propose_lines(standing, lines, at), line=proposal.line)
    return proposal


def _with_moved_totals(standing: Standing, at: int, score: ScoreLine) -> list[str]:
    """Return the lines with another score in line `at`, and with the totals that added the old one.

    A total that is not the sum of the written scores is what the players wrote, and stays. Raises
    ValueError for a total that a record cannot hold.
    """
    lines, first, side = list(standing.lines), standing.place.first_line, score.side
    lines[at] = format_line(score)
    before, moved = 0, 0
    for deal in standing.reading.game.deals:
        old = next((line for line in deal.scores if line.side == side), None)
        if old is not None and old.span.line - first == at:
            moved = score.score - old.score
        total = dict(deal.total.totals).get(side) if deal.total else None
        added = before + (old.score if old else 0)
        if moved and deal.total and total is not None:
            if total != added:
                break
            check_points(f"the total of {side}", total + moved)
            sums = {**dict(deal.total.totals), side: total + moved}
            place = deal.total.span.line - first
            lines[place] = format_line(replace(deal.total, totals=tuple(sums.items())))
        before = added if total is None else total
    return lines


def entry_options(
    standing: Standing, proposal: Proposal, what: str
) -> dict[str, tuple[str, Proposal]]:
    """Return what can be done about a wrong entry: by letter, words for it and what it gives.

    `what` is what the entry corrects, "" for a new entry.
    """
    ways: dict[str, tuple[str, Proposal]] = {}
    if proposal.recased is not None:
        spelled = propose_text(standing, proposal.recased, what)
        if spelled.after is not None and not spelled.errors:
            ways["y"] = (f"write it as {spelled.written[-1]}", spelled)
    back = taken_back(proposal)
    if back is not None:
        ways["b"] = ("the cards laid were taken back", back)
    kept = as_irregularity(proposal)
    if kept is not None:
        codes = " ".join(f"~{code}" for code in dict.fromkeys(e.code for e in proposal.errors))
        lost = kept.after is not None and not kept.after.checked
        unchecked = "; the rest of the deal is then not checked" if lost else ""
        ways["k"] = (f"keep it, marked as accepted by the players ({codes}){unchecked}", kept)
        penalty = penalty_for(proposal)
        ruled = propose(kept.after, penalty) if penalty and kept.after else None
        if ruled is not None and ruled.after is not None and not ruled.errors:
            ways["p"] = (f"keep it, with a penalty ({penalty})", ruled)
    first = _first_dealer(standing, proposal, what)
    if first is not None:
        ways["f"] = (f"correct the first dealer: {first.written[-1]}", first)
    if proposal.writable:
        ways["w"] = (f"write it anyway{_take_to_edit(standing, proposal)}", proposal)
    return ways


def _first_dealer(standing: Standing, proposal: Proposal, what: str) -> Proposal | None:
    """Return the record with a first dealer from whom the refused dealer follows, or None."""
    line, seats = proposal.line, standing.rules.seats
    if not _DEALER.fullmatch(what) or not isinstance(line, Deal):
        return None
    if line.dealer is None or line.dealer not in seats:
        return None
    at = [each.span for each in standing.reading.game.deals].index(line.span)
    first = propose_header(
        standing, "1.dealer", seats[(seats.index(line.dealer) - at) % len(seats)]
    )
    return None if at == 0 or first.errors or first.after is None else first


def _take_to_edit(standing: Standing, proposal: Proposal) -> str:
    """Return words for the take that a corrected discard makes false, and how to edit it, or ""."""
    discards = _discards(proposal.line)
    false = next((each for each in proposal.errors if each.code == "pile-top"), None)
    if not proposal.replaces or not discards or false is None or false.turn is None:
        return ""
    turn = read_line(standing.line_text(false.span.line) or "")
    take = turn.begin() if isinstance(turn, Turn) else None
    if not isinstance(turn, Turn) or not isinstance(take, Take):
        return ""
    takes = replace(take, card=discards[-1])
    actions = tuple(takes if action is take else action for action in turn.actions)
    edited = replace(turn, number=None, comment=None, actions=actions)
    place = f"{false.deal}." if false.deal != len(standing.reading.game.deals) else ""
    how = f"edit {place}{false.turn} {format_line(edited, standing.rules.draw_count)}"
    return f"; then turn {false.turn} must take {TEXT[takes.card]}: {how}"


def _discards(line: object) -> list[int]:
    """Return the cards that a turn discards."""
    actions = line.actions if isinstance(line, Turn) else ()
    return [action.card for action in actions if isinstance(action, Discard)]
