"""The score card of `audit`: for each deal and side the items, what earns them, and the claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from canasta_notation.english import count, figure, listed
from canasta_notation.names import named_seats, side_name
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    card_row,
    columns,
    indented,
    row,
    wrap_row,
)
from canasta_notation.replay.game_report import DealReport, GameReport
from canasta_notation.report.ledger import DealLedger, GameLedger, ItemRow, SideLedger
from canasta_notation.rules.items import SCORED

if TYPE_CHECKING:
    from canasta_notation.report.why import FalseClaim, HouseRules, WhyFalse

#: Marks a claim that the play contradicts, or a figure that differs under other rules.
_FALSE = "false"
_DIFFERS = "differs"
#: The items in the order of the card; `cards` can only be claimed.
_ORDER = tuple(SCORED)
#: Cells beside the item and what earns it: for the side, the figures and the spaces between them;
#: for a mark; and how many more a range needs than a figure.
_BESIDE = 34
_MARK = 7
_RANGE = 4
_NARROWEST = 10


def game_card(file: str, ledger: GameLedger, look: Look) -> Rows:
    """Return the score card of a game: its deals, then the result."""
    report = ledger.report
    rows = heading(file, report, f"rules {report.rules_text or '?'}", look)
    rows += player_rows(report.names, look)
    if report.rules is None:
        for each in report.outside:
            if each.code.startswith("rules-"):
                why = row(Run(f"{each.message} ({each.help})", "error"))
                rows += indented(wrap_row(why, look.width - 2), [Run("  ")])
    for deal in ledger.deals:
        rows += [row(), *deal_card(deal, report.names_at(deal.report.deal), look)]
    rows += [row(), *result_rows(report)]
    if ledger.errors:
        rows.append(errors_row(ledger.errors))
    elif ledger.verdict == "undetermined":
        rows.append(row(Run("undetermined: canasta validate says why", "warning")))
    return rows


def errors_row(errors: int) -> Row:
    """Return how many errors a record has, and which command shows them."""
    them = "it" if errors == 1 else "them"
    text = f"{count(errors, 'error')} in this record; canasta validate shows {them}"
    return row(Run(text, "error"))


def heading(file: str, report: GameReport, words: str, look: Look) -> Rows:
    """Return the heading of a game: its place, and `words` about its rules."""
    title = row(Run(f"{file}: game {report.game}", "strong"), f", {words}")
    first, *rest = wrap_row(title, look.width - 2)
    return [first, *indented(rest, [Run("  ")])]


def player_rows(names: Mapping[str, str], look: Look) -> Rows:
    """Return which seat each player has; nothing if the record does not say."""
    players = named_seats(names)
    return wrap_row(row(players), look.width) if players else []


def deal_title(deal: DealReport, names: Mapping[str, str]) -> str:
    """Return a deal's number, and how it ended."""
    by = side_name(deal.by or "", names)
    ended = {
        "out": f"{by} went out",
        "special": f"{by} laid a special hand",
        "stock": "the stock ran out",
        "void": "void, dealt again",
        "time": "time ran out",
        None: "not finished",
    }[deal.how]
    if deal.sheet and not deal.uncounted:
        ended = "a score sheet"
    turns = f", {count(deal.turns, 'turn')}"
    if deal.final:
        turns = ", a final table"
    elif deal.sheet:
        turns = ""
    unchecked = ", not checked to its end" if deal.unchecked_from is not None else ""
    return f"deal {deal.deal}: {ended}{turns}{unchecked}"


def start_words(deal: DealReport) -> str:
    """Return what is shown before a deal's first turn."""
    if deal.final:
        return "the table at the end"
    return "scores only" if deal.sheet else "as dealt"


def stop_words(deal: int, replayed: int) -> str:
    """Return that only the first turns of a deal could be replayed."""
    past = f" past turn {replayed}" if replayed else ""
    return f"deal {deal} cannot be replayed{past}"


def deal_card(deal: DealLedger, names: Mapping[str, str], look: Look) -> Rows:
    """Return the score card of a deal: its title, then the items of each side."""
    title = row(Run(deal_title(deal.report, names), "strong"))
    if not deal.sides:
        return [title, row("  not replayed")]
    items = [item for side in deal.sides for item in side.rows]
    beside = _BESIDE + max(len(item.item) for item in items)
    beside += _MARK if any(item.agrees is False for item in items) else 0
    beside += _RANGE if any(item.at_least is not None for item in items) else 0
    room = max(_NARROWEST, look.width - beside)
    table: list[list[Row]] = [
        [row(), row(), row(), row(Run("computed", "dim")), row(Run("claimed", "dim"))]
    ]
    for side in deal.sides:
        table += _side(side, names, look, room)
    return [title, *columns(table, right=(2, 3, 4), indent=2)]


def _side(side: SideLedger, names: Mapping[str, str], look: Look, room: int) -> Iterator[list[Row]]:
    """Yield the lines of one side: item, what earned it, the points of each, computed, claimed."""
    name = side.side
    for item in side.rows:
        summed = item.item in ("score", "total")
        style = "strong" if summed else ""
        cells = [row(f"{name:<4}", Run(item.item, style)), row(), row(), *_figures(item, style)]
        name = ""
        if len(item.earned) == 1:
            first, *rest = _earned(item, names, look, room)
            yield [cells[0], first[0], row(), *cells[3:]]
            yield from ([row(), more[0]] for more in rest)
        else:
            yield cells
            for line in _earned(item, names, look, room):
                yield [row(), *line]
        if item.decided_by:
            decided = row(Run(f"decided by {item.decided_by}", "dim"))
            yield from ([row(), line] for line in wrap_row(decided, room))


def _earned(item: ItemRow, names: Mapping[str, str], look: Look, room: int) -> Iterator[list[Row]]:
    """Yield what earns an item, in lines of two cells; the first line also has the points."""
    for earned in item.earned:
        shown = card_row(earned.cards, look)
        said = earned.said(names)
        words: Row = [*row(said), *([Run("  ")] if shown and said else []), *shown]
        for at, line in enumerate(wrap_row(words, room)):
            yield [line, row(figure(earned.points)) if at == 0 else row()]


def _figures(item: ItemRow, style: str) -> list[Row]:
    """Return computed, claimed and the mark of a difference."""
    computed = figure(item.computed if item.summed is None else item.summed)
    if item.at_least is not None and item.at_most is not None:
        computed = f"{item.at_least} to {item.at_most}"
    claimed = "" if item.claimed is None else str(item.claimed)
    differs = item.agrees is False
    return [
        row(Run(computed, style)),
        row(Run(claimed, "bad" if differs else style)),
        row(Run(_FALSE, "bad")) if differs else row(),
    ]


def result_rows(report: GameReport) -> Rows:
    """Return the totals, who won, and the claim if there is one."""
    result = report.result
    totals = "  ".join(f"{side} {figure(total)}" for side, total in result.totals.items())
    state = "unfinished"
    if result.winner:
        players = side_name(result.winner, report.names)
        has = "has" if players == result.winner or len(result.winner) == 1 else "have"
        state = f"{players} {has} won"
    elif result.finished is None:
        state = "not known"
    rows = [row(Run("result", "strong"), f"  {totals or '?'}  ({state})")]
    if result.claimed is not None:
        mark = [] if result.agrees else [Run("  " + _FALSE, "bad")]
        claimed = "unfinished (*)" if result.claimed == "*" else result.claimed
        rows.append(row(f"claimed {claimed}", *mark))
    return rows


# --- house rules --------------------------------------------------------------------------------


def why_rows(why: WhyFalse, ledger: GameLedger, look: Look) -> Rows:
    """Return for each false claim the house rules under which it would be true."""
    if not why.claims:
        return []
    rows: Rows = [row(), row(Run("which house rules would make the false claims true?", "strong"))]
    for each in why.claims:
        rows += indented(wrap_row(row(_claim_words(each, ledger)), look.width - 2), [Run("  ")])
        for slip in _slips(each, ledger, why):
            rows += indented(wrap_row(row(slip), look.width - 4), [Run("    ")])
        for at, answer in enumerate(each.answers):
            equal = at > 0 and each.answers[at - 1].explains == answer.explains
            verb = "is" if answer.sure else "may be"
            words = ", and if ".join(override.words for override in answer.overrides)
            held = row(f"{'or ' if equal else ''}it {verb} right if {words}")
            rows += indented(wrap_row(held, look.width - 4), [Run("    ")])
            spelled = row(Run(" ".join(override.text for override in answer.overrides), "strong"))
            rows += indented(
                wrap_row([*spelled, *_reach(answer, why)], look.width - 6), [Run("      ")]
            )
        if not each.answers:
            none = "no house rule that was tried makes it right"
            if each.added is not None:
                sums = f"{each.added}, not {each.claimed}"
                none = f"the written items add up to {sums}, whatever the rules"
            rows += indented(wrap_row(row(none), look.width - 4), [Run("    ")])
    tried = f"tried: {count(why.singles, 'value')} for rules about points"
    tried += f", {count(why.claimed, 'value')} from the claims" if why.claimed else ""
    tried += f", and {count(why.pairs, 'pair')}" if why.pairs else ""
    rows += wrap_row(row(Run(tried, "dim")), look.width)
    return rows


def _claim_words(claim: FalseClaim, ledger: GameLedger) -> str:
    deal, side, what = claim.claim
    if deal is None:
        return "the result"
    sheet = _sheet_of(claim, ledger)
    items = () if sheet is None or sheet.score.agrees is False else sheet.items
    false = [item for item in items if item.agrees is False]
    if false:
        said = "; ".join(f"{each.item} {each.claimed}, computed {_shown(each)}" for each in false)
        return f"deal {deal}: {side} claims {said}"
    computed = "" if claim.computed is None else f", but the program computes {claim.computed}"
    return f"deal {deal}: {side} claims a {what} of {claim.claimed}{computed}"


def _slips(claim: FalseClaim, ledger: GameLedger, why: WhyFalse) -> Iterator[str]:
    """Yield slips that explain a false claim: exchanged digits, a forgotten or repeated item."""
    if claim.claimed is None or claim.computed is None or claim.added is not None:
        return
    missing = claim.computed - claim.claimed
    if _exchanged(str(claim.computed), str(claim.claimed)):
        yield f"two digits are exchanged: {claim.claimed} for {claim.computed}"
    sheet = _sheet_of(claim, ledger)
    items = [item for item in sheet.items if item.agrees is not True] if sheet else []
    named = False
    for points, slip in ((missing, "forgotten"), (-missing, "counted twice")):
        made = [item.item for item in items if points and item.computed == points]
        if made:
            named = True
            yield f"if {listed(made, 'or')} was {slip}, the score is {claim.claimed}"
    earned = [words for words, points in why.bonuses if points == abs(missing)]
    if earned and not named:
        yield f"the difference is that of {listed(earned, 'or')}"
    cards = [name for name, points in why.cards if points and points == abs(missing)]
    if cards:
        yield f"the difference is that of one card more or less: {listed(cards, 'or')}"


def _exchanged(one: str, other: str) -> bool:
    """Return whether two neighbouring digits of one figure are exchanged in the other."""
    return one != other and any(
        one[:at] + one[at + 1] + one[at] + one[at + 2 :] == other for at in range(len(one) - 1)
    )


def _sheet_of(claim: FalseClaim, ledger: GameLedger) -> SideLedger | None:
    """Return the items and sums of the side whose score is claimed, None for another claim."""
    deal, side, what = claim.claim
    if deal is None or what != "score":
        return None
    return next(each for each in ledger.deals[deal - 1].sides if each.side == side)


def _reach(answer: HouseRules, why: WhyFalse) -> Row:
    """Return words for how many claims an answer rests on."""
    if len(answer.explains) == 1:
        return row("  (one claim: could be an error of addition)")
    return row(f"  (makes {len(answer.explains)} of {len(why.claims)} false claims right)")


# --- two rules ----------------------------------------------------------------------------------


def compared_card(file: str, one: GameLedger, other: GameLedger, look: Look) -> Rows:
    """Return the scores under two sets of rules side by side; items that differ are marked."""
    names = _names(one, other)
    rules = [_in_full(name, each.report) for name, each in zip(names, (one, other), strict=True)]
    rows = heading(file, one.report, f"{rules[0]} against {rules[1]}", look)
    for here, there in zip(one.deals, other.deals, strict=True):
        title, other_title = (
            deal_title(each.report, one.report.names_at(each.report.deal)) for each in (here, there)
        )
        rows += [row(), row(Run(title, "strong"))]
        if title != other_title:
            title_rows = wrap_row(row(f"under {names[1]}: {other_title}"), look.width - 2)
            rows += indented(title_rows, [Run("  ")])
        head = [row(), *(row(Run(each, "dim")) for each in (*names, "claimed"))]
        table = [head, *_compared(here, there)]
        rows += columns(table, right=(1, 2, 3), indent=2)
        known = {side.side for side in here.sides}
        other_sides = [side.side for side in there.sides if side.side not in known]
        rows += [row(f"  {side:<4}not under the first rules") for side in other_sides]
    rows.append(row())
    for name, ledger in zip(names, (one, other), strict=True):
        first, *_ = result_rows(ledger.report)
        errors = f", {count(ledger.errors, 'error')}" if ledger.errors else ""
        rows.append([*row(f"{name}: "), *first, *row(errors)])
    if one.errors != other.errors:
        fits = names[one.errors > other.errors]
        rows += wrap_row(row(f"what the record claims fits {fits} better"), look.width)
    return rows


def _names(one: GameLedger, other: GameLedger) -> tuple[str, str]:
    first, second = one.report.rules or "?", other.report.rules or "?"
    return (first, second) if first != second else (f"{first} (A)", f"{second} (B)")


def _in_full(name: str, report: GameReport) -> str:
    """Return the name of rules, followed by the record's overrides."""
    return name.replace(report.rules or "", report.rules_text or "", 1)


def _compared(one: DealLedger, other: DealLedger) -> Iterator[list[Row]]:
    there = {side.side: side for side in other.sides}
    for side in one.sides:
        name = side.side
        for here, against in _pairs(side, there.get(side.side)):
            item = here or against
            assert item is not None
            first, second = _shown(here), _shown(against)
            differs = first != second
            style = "strong" if item.item in ("score", "total") else ""
            yield [
                row(f"{name:<4}", Run(item.item, style)),
                row(Run(first, style)),
                row(Run(second, "bad" if differs else style)),
                row("" if item.claimed is None else str(item.claimed)),
                row(Run(_DIFFERS, "bad")) if differs else row(),
            ]
            name = ""


def _pairs(
    one: SideLedger, other: SideLedger | None
) -> Iterator[tuple[ItemRow | None, ItemRow | None]]:
    """Yield the rows of two ledgers by item, None if one lacks it; score and total come last."""
    here = {item.item: item for item in one.items}
    there = {item.item: item for item in other.items} if other else {}
    for name in sorted({**here, **there}, key=_ORDER.index):
        yield here.get(name), there.get(name)
    yield one.score, other.score if other else None
    yield one.total, other.total if other else None


def _shown(item: ItemRow | None) -> str:
    """Return the points of a row, `-` if its rules do not have the item."""
    if item is None:
        return "-"
    if item.at_least is not None:
        return f"{item.at_least} to {item.at_most}"
    return figure(item.computed)
