"""The end of a deal: the table that everyone can see then, the scores, and the totals.

Everyone sees the melds and threes on the table, and the hands that are laid down. After a recorded
play, only what the play leaves open is due; for a final table, everything is due.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from canasta_notation.cards import RANK, RED_THREE, TEXT, UNKNOWN
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.scoring import threes_item
from canasta_notation.engine.state import HandState
from canasta_notation.fields import POINTS, check_points
from canasta_notation.foreign.spreadsheet_words import points_of
from canasta_notation.notation.document import UNCOUNTED, Deal, HandLine, ScoreLine, TotalLine
from canasta_notation.notation.format import format_line
from canasta_notation.recorder.proposal import Proposal, added_lines, propose
from canasta_notation.recorder.standing import BROKEN_OFF, Standing, with_due_lines
from canasta_notation.recorder.typed_melds import cards_typed, melds_typed
from canasta_notation.replay.game_report import SideReport

_POINTS: Final = re.compile(r"-?\d{1,7}")
Kind = Literal["melds", "threes", "left", "foot"]
#: The lines of the table at the end, in their order.
KINDS: Final[tuple[Kind, ...]] = ("melds", "threes", "left")
#: Words that mean no cards.
NONE: Final = ("none", "nobody", "nothing", "no", "0")
#: Words that can begin the answer to how a deal ended. A seat can begin it too.
END_WORDS: Final = ("stock", "out", "concealed", "special", *BROKEN_OFF)
#: How a deal ended, as it is typed.
_END: Final = re.compile(
    rf"(?:end )?(stock|{'|'.join(BROKEN_OFF)}|(?:out )?[a-z](?: concealed)?|special [a-z])"
)
_COUNT: Final = re.compile(r"[1-9]")
_RED_THREES: Final = re.compile(r"(?i)(?:3[hdr])+")


def side_report(standing: Standing, side: str) -> SideReport | None:
    """Return what the last deal was worth to a side, None if it was not replayed."""
    report = standing.deal_report
    sides = report.sides if report else ()
    return next((each for each in sides if each.side == side), None)


def computed_line(standing: Standing, side: str) -> str | None:
    """Return the score line that follows from the play, with items.

    None if the score is not decided, or is more than a record can hold.
    """
    report = side_report(standing, side)
    if report is None or report.score is None or standing.report.deals[-1].ended is None:
        return None
    items = tuple((item, points or 0) for item, points in report.items.items() if points != 0)
    if not all(POINTS[0](points) for _, points in (*items, ("score", report.score))):
        return None
    return format_line(ScoreLine(side, report.score, items or None))


def propose_score(standing: Standing, side: str, said: str) -> Proposal | None:
    """Judge a side's score as the players say it; return None for an empty answer to an open score.

    An empty answer accepts the computed score. A single number that agrees is written with its
    items; anything else is written as the players say it. The totals follow the last side's score.
    Raises ValueError for a total that a record cannot hold.
    """
    said = plain_points(said.strip())
    computed = computed_line(standing, side)
    report = side_report(standing, side)
    if not said and computed is None:
        return None
    agrees = report is not None and _POINTS.fullmatch(said) and int(said) == report.score
    if computed and (not said or agrees):
        text = computed
    else:
        text = said if said.startswith("score") else f"score {side} {said}"
    return with_total(propose(standing, text))


def plain_points(said: str) -> str:
    """Return points as the notation spells them, `1,010` and `1.010` as 1010; other text as it is.

    A line that names the items after the points is read in the same way.
    """
    points, equals, items = said.partition("=")
    try:
        found = points_of(points)
    except ValueError:
        return said
    return said if found is None else f"{found}{f' {equals}' if equals else ''}{items}"


def with_total(proposal: Proposal) -> Proposal:
    """Return a proposal, followed by the total line if every side has a score.

    The totals add up the scores that the players wrote down, whatever the play was worth. So there
    is no total line after a deal with a missing score. Raises ValueError for a total that a record
    cannot hold.
    """
    after = proposal.after
    deal = after.deal if after else None
    if after is None or deal is None or deal.total is not None:
        return proposal
    totals = _claimed_totals(after.reading.game.deals, after.rules.sides)
    if None in totals.values() or None in after.totals().values():
        return proposal
    for side, points in totals.items():
        check_points(f"the total of {side}", points or 0)
    line = TotalLine(tuple((side, points or 0) for side, points in totals.items()))
    after = with_due_lines(
        proposal.before, Standing([*after.lines, format_line(line)], after.place)
    )
    written = tuple(added_lines(proposal.before.lines, after.lines))
    return replace(proposal, after=after, written=written)


def counts_nothing(deal: Deal) -> bool:
    """Return whether a deal was broken off so that it counts nothing, and has no scores."""
    uncounted = deal.end is not None and deal.end.reason in UNCOUNTED
    return uncounted and not (deal.scores or deal.total)


def _claimed_totals(deals: Iterable[Deal], sides: Iterable[str]) -> dict[str, int | None]:
    """Return each side's last written total and the scores since; None if one is not written.

    A deal that counts nothing has no score, and changes no total.
    """
    totals: dict[str, int | None] = dict.fromkeys(sides, 0)
    for deal in deals:
        if counts_nothing(deal):
            continue
        scores = {line.side: line.score for line in deal.scores}
        written = dict(deal.total.totals) if deal.total else {}
        for side, before in totals.items():
            score = scores.get(side)
            sums = None if before is None or score is None else before + score
            totals[side] = written.get(side, sums)
    return totals


def with_next_deal(standing: Standing) -> Standing:
    """Return the record with the next deal begun, after a deal whose totals cannot be written."""
    number = len(standing.reading.game.deals) + 1
    dealer = standing.dealer_due
    line = f"deal {number}" + (f" dealer {dealer}" if dealer else "")
    return Standing([*standing.lines, "", line], standing.place)


class DueLine(NamedTuple):
    """A line that is due: its kind, and its side or seat."""

    kind: Kind
    whose: str


def claims_due(standing: Standing, *, whole: bool) -> list[DueLine]:
    """Return the lines to ask for, in order; with `whole`, all lines of a final table.

    There are none after a score is written, before the deal has ended, or if it was broken off or
    is void. A line that is written is not due, and neither is any line that would have to come
    before it.
    """
    deal = standing.deal
    if deal is None or deal.end is None or deal.scores or deal.total or not standing.checked:
        return []
    if standing.broken_off:
        return []
    whole = whole or not standing.turns
    last = KINDS.index(_written(deal)[-1].kind) if _written(deal) else 0
    shown: list[Kind] = ["melds"] if standing.rules.threes_held else ["melds", "threes"]
    wanted = [DueLine(kind, side) for kind in shown for side in standing.rules.sides]
    held = [seat for seat in standing.rules.seats if seat != deal.end.seat]
    wanted += [DueLine("left", seat) for seat in held]
    due = [claim for claim in wanted if KINDS.index(claim.kind) >= last]
    if standing.rules.packet_of_seat and standing.rules.packet_costs_cards:
        # Its line comes before those of the table.
        due += [DueLine("foot", seat) for seat in held]
    written = [*_written(deal), *(DueLine("foot", line.seat or "") for line in deal.packets)]
    return [each for each in due if each not in written and (whole or _is_open(standing, each))]


def _written(deal: Deal) -> list[DueLine]:
    melds = [DueLine("melds", line.side) for line in deal.melds]
    threes = [DueLine("threes", line.side) for line in deal.threes]
    return [*melds, *threes, *(DueLine("left", line.seat) for line in deal.left)]


def _is_open(standing: Standing, claim: DueLine) -> bool:
    """Return whether the play does not decide what a line would say."""
    state = standing.state()
    if state is None:
        return False
    if claim.kind == "left":
        hand = state.hands[standing.rules.seats.index(claim.whose)]
        return hand.unknown + hand.loose > 0
    if claim.kind == "foot":
        seat = standing.rules.seats.index(claim.whose)
        return any(packet.seat == seat for packet in state.packets)
    report = side_report(standing, claim.whose)
    items = report.items if report else {}
    if claim.kind == "threes":
        return items.get(threes_item(standing.rules), 0) is None
    return items.get("melds", 0) is None


def end_text(said: str, seats: str) -> str | None:
    """Return the end line that an answer means, None if it does not mean one.

    The answer is `N`, `out N`, `N concealed`, `stock`, `special N`, or the line itself.
    """
    said, sign, comment = said.partition(";")
    found = _END.fullmatch(" ".join(said.lower().split()))
    words = [word.upper() if len(word) == 1 else word for word in found[1].split()] if found else []
    named = [word for word in words if len(word) == 1]
    if not words or not {*named} <= {*seats}:
        return None
    how = ["end", "out"] if words[:1] == named else ["end"]
    return " ".join([*how, *words]) + (f" {sign}{comment}" if sign else "")


def claim_text(claim: DueLine, said: str, rules: Rules, known: Iterable[int] = ()) -> str:
    """Return the line that an answer means. Raises ValueError, which says what is wrong.

    The answer may have cards in any case, or ranks alone if the suit does not matter. Melds are
    groups of cards with or without a label. Red threes may be a number, unless black threes are
    tabled too. `none` means no cards. Cards after a `+` are added to the `known` ones of a hand.
    """
    said = said.strip()
    if said.lower() in NONE:
        return f"{claim.kind} {claim.whose}"
    if claim.kind == "melds":
        words = melds_typed(said, rules)
    elif claim.kind == "threes" and not rules.black_tabled and _COUNT.fullmatch(said):
        words = ["3r"] * int(said)
    elif claim.kind == "left" and said.startswith("+"):
        words = [*(TEXT[card] for card in known), *cards_typed(said.removeprefix("+"))]
    else:
        words = cards_typed(said)
    return " ".join([claim.kind, claim.whose, *words])


def hand_at_end(standing: Standing, claim: DueLine) -> HandState | None:
    """Return the hand that a line is about, as the play left it; None without play."""
    state = standing.state() if standing.turns and claim.kind == "left" else None
    return None if state is None else state.hands[standing.rules.seats.index(claim.whose)]


def start_threes(said: str, seats: str) -> list[str]:
    """Return the hand lines for red threes tabled at the start. Raises ValueError.

    `N 3h, W 3d 3d`: a seat, then its threes or their number; each was replaced by an unseen
    card. `none` writes nothing.
    """
    if said.strip().lower() in NONE:
        return []
    threes: dict[str, list[str]] = {}
    seat = ""
    for word in said.replace(",", " ").split():
        if word.upper() in seats and len(word) == 1 and not word.isdigit():
            seat = word.upper()
            threes.setdefault(seat, [])
            continue
        counted = _COUNT.fullmatch(word)
        if not counted and not _RED_THREES.fullmatch(word):
            raise ValueError(
                f"{word} is not a red three: write 3h, 3d, or 3r if the suit is not known; "
                f"or how many, for example {seat or seats[0]} 2"
            )
        if not seat:
            raise ValueError(f"{word}: name the seat first, for example {seats[0]} {word}")
        found = ["3r"] * int(word) if counted else cards_typed(word)
        threes[seat] += found
    empty = next((seat for seat, cards in threes.items() if not cards), None)
    if not threes or empty:
        raise ValueError(f"name a seat and its threes, for example {empty or seats[0]} 3h")
    return [_three_line(seat, cards) for seat, cards in threes.items()]


def is_start_threes(hand: HandLine) -> bool:
    """Return whether a hand line shows only the red threes that were tabled at the start."""
    threes = bool(hand.cards) and all(RANK[card] == RED_THREE for card in hand.cards)
    return threes and hand.rest_unknown and {*hand.replacements} == {UNKNOWN}


def _three_line(seat: str, cards: list[str]) -> str:
    return " ".join([f"{seat}:", *cards, "...", *["+_"] * len(cards)])
