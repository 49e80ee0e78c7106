"""The score pad as a form: what its screen shows, and the scores of the figures tapped.

A draft has the figures of each side as they were tapped, before they are entered:

    {"NS": {"counts": {"natural": 1}, "cards": "275", "out": "N", "concealed": True,
            "items": {"sevens": "1500"}, "penalties": [{"points": "100", "why": "ask"}]}}

`melds` and `hand` may be used instead of `cards`; `out` is a seat, or the side if only that is
known; `special` is the seat that laid a special hand; `against` says that red threes count against
the side; `score` is only the score. A missing or empty figure is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from canasta_notation.dialogue.pad_questions import (
    MELDED_MEANING,
    differs_words,
    figure_words,
    melded_question,
)
from canasta_notation.dialogue.view import outcome
from canasta_notation.engine.ruleset import Rules
from canasta_notation.english import listed
from canasta_notation.findings import Finding
from canasta_notation.notation.document import Deal
from canasta_notation.recorder.closing import plain_points
from canasta_notation.recorder.corrections import entry_options
from canasta_notation.recorder.mode import SHEET, with_mode
from canasta_notation.recorder.pad_row import (
    HOUSE,
    POINTS,
    PadRow,
    columns,
    has_bonus,
    other_items,
    parse_row,
    propose_change,
    propose_on_paper,
    propose_row,
    row_text,
    rules_for,
)
from canasta_notation.recorder.proposal import Proposal
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import escape

#: The figures of a side, and the figures of each side.
TappedFigures = Mapping[str, Any]
Draft = Mapping[str, TappedFigures]
#: Why the red threes of a row can count with the other sign.
_OTHER_SIGN: Final = "its red threes count with the other sign"
#: The columns of a row that hold points, not counts.
_POINTS: Final = ("threes", "cards")


def standing_of(text: str) -> Standing:
    """Return the standing of a record's text. Raises NotRecordable."""
    return Standing([line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")])


def text_of(standing: Standing) -> str:
    """Return the text of a record, as a score pad writes it."""
    return "".join(f"{line}\n" for line in with_mode(standing, SHEET).lines)


def shown_finding(finding: Finding, line: str | None) -> dict[str, Any]:
    """Return a finding as a screen shows it: its place, words, help and line."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "line": finding.span.line,
        "message": escape(finding.message),
        "help": finding.help and escape(finding.help),
        "text": line and escape(line),
        "follows": finding.follows is not None,
    }


# --- what the screen shows ------------------------------------------------------------------------


def pad(text: str) -> dict[str, Any]:
    """Return what the pad shows of a record. Raises NotRecordable."""
    standing = standing_of(text)
    rules, over = standing.rules, standing.phase == "over"
    names = _names(standing)
    playing = standing.phase == "play" or bool(standing.phase == "scores" and standing.turns)
    return {
        "phase": "play" if playing else standing.phase,
        "deal": standing.deal_due,
        "dealer": _called(_dealer(standing), names),
        "sides": [_side(standing, side, names) for side in rules.sides],
        "due": [] if over or playing else _due(standing),
        "columns": [_column(rules, key) for key in columns(rules)],
        "items": [_column(rules, key) for key in other_items(rules)],
        "bonuses": has_bonus(standing),
        "concealed": bool(rules.score_concealed),
        "deals": [_deal(deal, at, standing) for at, deal in enumerate(standing.reading.game.deals)],
        "outcome": escape(outcome(standing)) if over else "",
        "problems": [
            shown_finding(each, standing.line_text(each.span.line))
            for each in standing.findings()
            if each.severity == "error" and each.follows is None
        ],
    }


def _dealer(standing: Standing) -> str | None:
    """Return who dealt the deal that is being scored, or deals the one that is due."""
    if standing.phase == "scores" and standing.deal is not None:
        return standing.deal.dealer
    return standing.dealer_due


def _names(standing: Standing) -> dict[str, str]:
    """Return the names of the players by seat, as a screen can show them."""
    rules = standing.rules
    return {
        seat: escape(name)
        for seat, name in standing.reading.game.names(rules.seats).items()
        if name
    }


def _called(seat: str | None, names: Mapping[str, str]) -> str:
    return names.get(seat or "", seat or "?")


def _due(standing: Standing) -> list[str]:
    """Return the sides whose rows are due, in their order."""
    sides = list(standing.rules.sides)
    first = standing.side_due
    return sides[sides.index(first) :] if first else sides


def _side(standing: Standing, side: str, names: Mapping[str, str]) -> dict[str, Any]:
    total = standing.totals().get(side)
    return {
        "side": side,
        "name": listed([_called(seat, names) for seat in side]) if names else side,
        "players": [{"seat": seat, "name": _called(seat, names)} for seat in side],
        "total": total,
        "minimum": standing.rules.minimum(total, standing.deal_due),
    }


def _column(rules: Rules, key: str) -> dict[str, Any]:
    """Return a figure of a row: its key, its name, and whether taps count it."""
    called, about = figure_words(rules, key)
    counted = key in columns(rules) and key not in _POINTS
    most = len(rules.score_red3) if key == "red3" else None
    return {"key": key, "label": called, "about": about, "counted": counted, "most": most}


def _deal(deal: Deal, at: int, standing: Standing) -> dict[str, Any]:
    report = standing.report.deals[at]
    return {
        "number": at + 1,
        "scores": {line.side: line.score for line in deal.scores},
        "totals": {each.side: each.total for each in report.sides},
        "sheet": bool(deal.scores) and not deal.turns and not deal.end_lines,
    }


# --- what figures come to -------------------------------------------------------------------------


def row_words(figures: TappedFigures, rules: Rules) -> str:
    """Return the words that a scorer types for the figures. Raises ValueError."""
    if _one(figures.get("score")):
        return f"score {_one(figures['score'])}"
    counts = figures.get("counts") or {}
    words = [_one(counts.get(key)) or "0" for key in columns(rules)[:-1]]
    melds, hand = _one(figures.get("melds")), _one(figures.get("hand"))
    words.append(
        f"{melds or 0}/{hand or 0}" if melds or hand else _one(figures.get("cards")) or "0"
    )
    if figures.get("out"):
        words += ["out", _one(figures["out"])] if len(str(figures["out"])) == 1 else ["out"]
        words += ["concealed"] if figures.get("concealed") and rules.score_concealed else []
    for item in other_items(rules):
        points = _one((figures.get("items") or {}).get(item))
        if points.strip("+-0"):
            words += [item, *([_one(figures.get("special"))] if item == "special" else []), points]
    return " ".join(filter(None, [*words, *_ruling_words(figures)]))


def _ruling_words(figures: TappedFigures) -> Iterator[str]:
    """Yield the words for the penalties and bonuses. Raises ValueError."""
    for kind, many in (("penalty", "penalties"), ("bonus", "bonuses")):
        for ruling in figures.get(many) or ():
            points = _one(ruling.get("points"))
            if points.strip("+-0"):
                yield from (kind, points, _one(ruling.get("why")).lower() or HOUSE)


def _one(value: object) -> str:
    """Return a figure as one word, "" for none. Raises ValueError."""
    text = plain_points("" if value is None else str(value).strip())
    if len(text.split()) > 1:
        raise ValueError(f"{escape(text)} is more than one figure")
    return text


def pad_draft(text: str, draft: Draft, at: int | None = None) -> dict[str, Any]:
    """Return the scores of a draft and, if nothing is wrong, the text of the record with it.

    The draft is for the sides that are due, or replaces rows of the deal `at` (from 0). `sides` has
    for each side its `score`, `error` or `findings`, and `asks`, the question that decides the sign
    of its threes. If something is wrong, `wrong` is the first such side, and `ways` are the texts
    that a person can choose anyway. Raises NotRecordable.
    """
    standing = standing_of(text)
    shown: dict[str, Any] = {}
    wrong, ways = "", list[dict[str, str]]()
    given = [side for side in standing.rules.sides if side in draft]
    for side in _due(standing) if at is None else given:
        figures = draft.get(side, {})
        found = _judged(standing, side, figures, at)
        if isinstance(found, str):
            shown[side], wrong = {"error": found}, wrong or side
            continue
        proposal = found[-1] if figures.get("against") else found[0]
        shown[side] = _seen(proposal, side, figures, at, open_sign=len(found) > 1)
        if proposal.after is not None and not proposal.errors:
            standing = proposal.after
        elif not wrong:
            wrong, ways = side, list(_ways(standing, proposal, side, at))
    whole = None if wrong else text_of(standing)
    return {"sides": shown, "text": whole, "wrong": wrong, "ways": ways}


def _seen(
    proposal: Proposal, side: str, figures: TappedFigures, at: int | None, *, open_sign: bool
) -> dict[str, Any]:
    """Return what is shown of a side's row: its score, its findings, and what it asks."""
    seen: dict[str, Any] = {"score": _score(proposal, side, at), "findings": _findings(proposal)}
    if open_sign:
        threes = int(_one((figures.get("counts") or {}).get("red3")) or 0)
        seen |= {"asks": melded_question(side, threes), "meaning": MELDED_MEANING}
    return seen


def _judged(
    standing: Standing, side: str, figures: TappedFigures, at: int | None
) -> list[Proposal] | str:
    """Return the proposals for a side's figures, or what is wrong with them in words."""
    try:
        row = parse_row(row_words(figures, standing.rules), side, standing.rules)
        if at is None:
            return propose_row(standing, side, row)
        return propose_change(standing, at, side, row)
    except ValueError as error:
        return escape(str(error))


def _score(proposal: Proposal, side: str, at: int | None) -> int | None:
    deals = proposal.after.reading.game.deals if proposal.after else ()
    scores = deals[-1 if at is None else at].scores if deals else ()
    return next((line.score for line in scores if line.side == side), None)


def _findings(proposal: Proposal) -> list[dict[str, Any]]:
    return [
        shown_finding(each, proposal.excerpts.get(each.span.line))
        for each in proposal.findings
        if each.follows is None
    ]


def _ways(
    standing: Standing, proposal: Proposal, side: str, at: int | None
) -> Iterable[dict[str, str]]:
    what = "" if at is None else f"{at + 1} {side}"
    for about, chosen in entry_options(standing, proposal, what).values():
        if chosen.after is not None:
            yield {"about": escape(about), "text": text_of(chosen.after)}


# --- rows that are entered, and the score on paper ------------------------------------------------


def pad_row(text: str, at: int) -> dict[str, TappedFigures]:
    """Return the figures of each side's row in the deal `at` (from 0). Raises NotRecordable."""
    standing = standing_of(text)
    found: dict[str, TappedFigures] = {}
    for side in standing.rules.sides:
        words = row_text(standing, at, side)
        if words is not None:
            row = parse_row(words, side, standing.rules)
            found[side] = {**_figures(row, standing.rules), "against": _against(standing, at, side)}
    return found


def _against(standing: Standing, at: int, side: str) -> bool:
    """Return whether red threes count against a side in a row."""
    lines = standing.reading.game.deals[at].scores
    items = dict(next(line for line in lines if line.side == side).items or ())
    return items.get("red3", 0) < 0


def _figures(row: PadRow, rules: Rules) -> TappedFigures:
    if row.score is not None:
        return {"score": str(row.score)}
    *kinds, third, _ = columns(rules)
    counts = dict(zip(kinds, row.canastas, strict=True)) | {third: row.threes}
    items = {item: str(points) for item, points in row.extra}
    return {
        "counts": counts,
        **{item: str(abs(points) if item == "hand" else points) for item, points in row.cards},
        "out": row.out,
        "concealed": row.concealed,
        "items": items,
        "special": row.special,
        "penalties": [{"points": str(points), "why": why} for points, why in row.penalties],
        "bonuses": [{"points": str(points), "why": why} for points, why in row.bonuses],
    }


def pad_paper(text: str, at: int, papers: Mapping[str, str]) -> dict[str, Any]:
    """Compare the scores that are on paper for the deal `at` (from 0) with its rows.

    Returns for each side whose score differs: what to say; `ways`, which would make it right (the
    other sign of red threes, or house rules); and `written`, the record with the score as it is on
    paper. Raises NotRecordable.
    """
    standing = standing_of(text)
    return {
        side: differs
        for side, said in papers.items()
        if (differs := _compared(standing, at, side, said)) is not None
    }


def _compared(standing: Standing, at: int, side: str, said: str) -> dict[str, Any] | None:
    lines = standing.reading.game.deals[at].scores
    score = next((line.score for line in lines if line.side == side), None)
    said = plain_points(said.strip())
    if score is None or said in ("", str(score)):
        return None
    if not POINTS.fullmatch(said):
        return {"message": f"{escape(said)} is not a number of points"}
    if int(said) == score:
        return None
    try:
        return _differs(standing, at, side, int(said), score)
    except ValueError as error:
        return {"message": escape(str(error))}


def _differs(standing: Standing, at: int, side: str, said: int, score: int) -> dict[str, Any]:
    row = parse_row(row_text(standing, at, side) or "", side, standing.rules)
    ways = []
    if row.score is None:
        signs = propose_change(standing, at, side, row)
        ways = [(_OTHER_SIGN, each) for each in signs if _score(each, side, at) == said]
        if not ways:
            known = rules_for(standing, at, side, row, said)
            ways = [(f"we play so: {rule.sentence}", rule.proposal) for rule in known]
    written = propose_on_paper(standing, at, side, said).after
    return {
        "message": differs_words(said, score),
        "ways": [
            {"about": escape(about), "text": text_of(each.after)}
            for about, each in ways
            if each.after is not None
        ],
        "written": text_of(written) if written else None,
    }
