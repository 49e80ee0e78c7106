"""The score pad as a form: what its screen shows, and the scores of the figures tapped.

A draft has the figures of each side as they were tapped, before they are entered:

    {"NS": {"counts": {"natural": 1}, "cards": "275", "out": "N", "concealed": True,
            "items": {"sevens": "1500"}, "penalties": [{"points": "100", "why": "ask"}]}}

`melds` and `hand` may be used instead of `cards`; `counted` has cards that were counted for them,
how many of each value: {"melds": [["9", "10"], ["1", "50"]]}. `out` is a seat, or the side if only
that is known; `special` is the seat that laid a special hand; `against` says that red threes count
against the side; `score` is only the score. A missing or empty figure is zero. In the draft itself,
`end` says how the deal ended if nobody went out: it is one of `ENDS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from unicodedata import normalize

from canasta_notation.app.game_words import (
    house_word,
    item_words,
    player,
    result_words,
    side_names,
    verdict_words,
)
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.engine.table import STOCK
from canasta_notation.findings import Finding
from canasta_notation.language.sentences import Names, Sentence, say
from canasta_notation.notation.document import UNCOUNTED, Deal, EndLine, Game, ScoreLine
from canasta_notation.recorder.closing import plain_points
from canasta_notation.recorder.corrections import entry_options
from canasta_notation.recorder.differences import FigureChange, counted, explanations
from canasta_notation.recorder.mode import SHEET, with_mode
from canasta_notation.recorder.opening import DEFAULT_RULES, house_questions
from canasta_notation.recorder.pad_row import (
    HOUSE,
    POINTS,
    PadRow,
    RowRule,
    canasta_bonuses,
    columns,
    has_bonus,
    other_items,
    parse_row,
    propose_change,
    propose_end,
    propose_on_paper,
    propose_row,
    row_text,
    rules_for,
)
from canasta_notation.recorder.proposal import Proposal, propose
from canasta_notation.recorder.standing import Standing
from canasta_notation.render.paint import escape
from canasta_notation.report.outcome import check_game
from canasta_notation.rules import Profile

#: The figures of a side; those of each side, and how the deal ended.
TappedFigures = Mapping[str, Any]
Draft = Mapping[str, Any]
#: How a deal can have ended if nobody went out. Whoever does not know it leaves it open.
ENDS: Final = (STOCK, "unknown", *UNCOUNTED)
#: The parts of the points of cards that can be counted.
_PARTS: Final = ("melds", "hand")
#: The columns of a row that hold points, not counts.
_CARDS: Final = "cards"
_POINTS: Final = ("threes", _CARDS)


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
    playing = standing.phase == "play" or bool(standing.phase == "scores" and standing.turns)
    reading = standing.reading
    return {
        "phase": "play" if playing else standing.phase,
        "deal": standing.deal_due,
        "dealer": _called(_dealer(standing), standing),
        "sides": [_side(standing, side) for side in rules.sides],
        "due": [] if over or playing else _due(standing),
        "columns": [_column(rules, key) for key in columns(rules)],
        "items": [_column(rules, key) for key in other_items(rules)],
        "cards": _card_values(rules),
        "bonuses": has_bonus(standing),
        "concealed": bool(rules.score_concealed),
        "ends": [
            {"key": key, "label": say(f"app_end_{key}").text, "alone": key in UNCOUNTED}
            for key in ENDS
            if key not in UNCOUNTED or standing.phase == "deal"
        ],
        "deals": [_deal(deal, at, standing) for at, deal in enumerate(reading.game.deals)],
        "result": result_words(standing),
        "sums": verdict_words(check_game(None, "", reading, 1)),
        "problems": [
            shown_finding(each, standing.line_text(each.span.line))
            for each in standing.findings()
            if each.severity == "error" and each.follows is None
            if claimed_line(reading.game, each) is None
        ],
    }


def claimed_line(game: Game, finding: Finding) -> tuple[int, ScoreLine] | None:
    """Return the score on paper that a finding is about, with the number of its deal."""
    return next(
        (
            (number, line)
            for number, deal in enumerate(game.deals, 1)
            for line in deal.scores
            if finding.code == "score-sum" and line.span.line == finding.span.line
            if line.score != counted(line)
        ),
        None,
    )


def claim_words(game: Game, profile: Profile, finding: Finding) -> dict[str, Any]:
    """Return a finding about a score on paper in the words of the pad; nothing for others."""
    found = claimed_line(game, finding)
    if found is None:
        return {}
    number, line = found
    differs = _difference(rules_of(profile), line, line.score)
    names = side_names(line.side, game.names(profile.seats))
    message = say("app_deal_differs", d=number, n=names, f=differs["message"]).text
    may = differs["may"]
    told = f"{say('app_it_may_be').text} {'; '.join(may)}" if may else say("app_unexplained").text
    return {"message": message, "help": told}


def _dealer(standing: Standing) -> str | None:
    """Return who dealt the deal that is being scored, or deals the one that is due."""
    if standing.phase == "scores" and standing.deal is not None:
        return standing.deal.dealer
    return standing.dealer_due


def _called(seat: str | None, standing: Standing) -> str:
    return player(seat, standing.names) if seat else "?"


def _due(standing: Standing) -> list[str]:
    """Return the sides whose rows are due, in their order."""
    sides = list(standing.rules.sides)
    first = standing.side_due
    return sides[sides.index(first) :] if first else sides


def _side(standing: Standing, side: str) -> dict[str, Any]:
    total, names = standing.totals().get(side), standing.names
    return {
        "side": side,
        "name": str(side_names(side, names)),
        "players": [{"seat": seat, "name": player(seat, names)} for seat in side],
        "total": total,
        "minimum": standing.rules.minimum(total, standing.deal_due),
    }


def _column(rules: Rules, key: str) -> dict[str, Any]:
    """Return a figure of a row: its key, its name, and whether taps count it.

    `worth` is what one counts, `most` how many there are at most; None if that is not one number.
    """
    counted = key in columns(rules) and key not in _POINTS
    most = len(rules.score_red3) if key == "red3" else None
    named = item_words(key, rules)
    label = named if counted or key == _CARDS else say("app_points_of", i=named)
    worth = canasta_bonuses(rules).get(key)
    return {"key": key, "label": label.text, "counted": counted, "most": most, "worth": worth}


def _card_values(rules: Rules) -> list[int]:
    """Return what cards count, the highest value first; cards of no value are not counted."""
    return sorted({points for points in rules.rank_points if points > 0}, reverse=True)


def _deal(deal: Deal, at: int, standing: Standing) -> dict[str, Any]:
    report = standing.report.deals[at]
    return {
        "number": at + 1,
        "scores": {line.side: line.score for line in deal.scores},
        "totals": {each.side: each.total for each in report.sides},
        "sheet": bool(deal.scores) and not deal.turns and not deal.end_lines,
        "uncounted": say(f"app_end_{end}").text if (end := _uncounted_end(deal)) else "",
        "papers": {
            line.side: _difference(standing.rules, line, line.score)
            for line in deal.scores
            if line.score != counted(line)
        },
    }


def _uncounted_end(deal: Deal) -> str:
    return deal.end.reason if deal.end and deal.end.reason in UNCOUNTED else ""


def _difference(rules: Rules, line: ScoreLine, said: int) -> dict[str, Any]:
    """Return in words how a score on paper differs from its row, and what may explain it."""
    return {
        "score": said,
        "row": counted(line),
        "message": _differs_words(said, counted(line)),
        "may": [
            str(Names(tuple(_change_words(rules, change) for change in changes)))
            for changes in explanations(rules, line, said)
        ],
    }


def _differs_words(said: int, row: int) -> str:
    key = "app_too_high" if said > row else "app_too_low"
    return say(key, x=said, y=abs(said - row), p=row).text


def _change_words(rules: Rules, change: FigureChange) -> Sentence:
    named = item_words(change.item, rules)
    if change.item not in canasta_bonuses(rules):
        named = say("app_points_of", i=named)
    return say("app_instead", i=named, x=change.new, y=change.old)


# --- what figures come to -------------------------------------------------------------------------


def row_words(figures: TappedFigures, rules: Rules) -> str:
    """Return the words that a scorer types for the figures. Raises ValueError."""
    if score := _points(figures.get("score")):
        return f"score {score}"
    counts = figures.get("counts") or {}
    words = [
        (_points if key in _POINTS else _one)(counts.get(key)) or "0" for key in columns(rules)[:-1]
    ]
    melds, hand = (_counted_part(figures, part) for part in _PARTS)
    words.append(
        f"{melds or 0}/{hand or 0}" if melds or hand else _points(figures.get("cards")) or "0"
    )
    if figures.get("out"):
        words += ["out", _one(figures["out"])] if len(str(figures["out"])) == 1 else ["out"]
        words += ["concealed"] if figures.get("concealed") and rules.score_concealed else []
    for item in other_items(rules):
        points = _points((figures.get("items") or {}).get(item))
        if points.strip("+-0"):
            words += [item, *([_one(figures.get("special"))] if item == "special" else []), points]
    return " ".join(filter(None, [*words, *_ruling_words(figures)]))


def _counted_part(figures: TappedFigures, part: str) -> str:
    """Return a part of the points of cards: the cards that were counted, and what was typed.

    It is "" if there is neither. Raises ValueError.
    """
    typed, piles = _points(figures.get(part)), (figures.get("counted") or {}).get(part) or ()
    if not piles:
        return typed
    return str(int(typed or 0) + sum(int(number) * int(value) for number, value in piles))


def _ruling_words(figures: TappedFigures) -> Iterator[str]:
    """Yield the words for the penalties and bonuses. Raises ValueError."""
    for kind, many in (("penalty", "penalties"), ("bonus", "bonuses")):
        for ruling in figures.get(many) or ():
            points = _points(ruling.get("points"))
            if points.strip("+-0"):
                yield from (kind, points, _reason(ruling.get("why") or ""))


def _reason(said: str) -> str:
    """Return what a person wrote about a ruling as one word of the notation."""
    plain = normalize("NFKD", said.lower()).encode("ascii", "ignore").decode()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-0123456789")
    return HOUSE if word in ("", "out") else word


def _points(value: object) -> str:
    """Return points as one word, "" for none. Raises ValueError."""
    text = _one(value)
    if text and not POINTS.fullmatch(text):
        raise ValueError(say("app_no_number", f=escape(text)).text)
    return text


def _one(value: object) -> str:
    """Return a figure as one word, "" for none. Raises ValueError."""
    text = plain_points("" if value is None else str(value).strip())
    if len(text.split()) > 1:
        raise ValueError(say("app_one_figure", f=escape(text)).text)
    return text


def pad_draft(text: str, draft: Draft, at: int | None = None) -> dict[str, Any]:
    """Return the scores of a draft and, if nothing is wrong, the text of the record with it.

    The draft is for the sides that are due, or replaces rows of the deal `at` (from 0), which keep
    their scores on paper. `sides` has for each side its `score`, `error` or `findings`, and `asks`,
    the question that decides the sign of its threes. `ask` is the question that has to be answered
    before the text is kept, "" for none: how the deal ended. If something is wrong, `wrong` is the
    first such side, and `ways` are the texts that a person can choose anyway. Raises NotRecordable.
    """
    standing = standing_of(text)
    if at is None and draft.get("end") in UNCOUNTED:
        return _uncounted(standing, draft["end"])
    shown: dict[str, Any] = {}
    wrong, ways = "", list[dict[str, str]]()
    given = [side for side in standing.rules.sides if side in draft]
    papers = {} if at is None else _papers(standing, at, given)
    for side in _due(standing) if at is None else given:
        figures = draft.get(side, {})
        found = _judged(standing, side, figures, at)
        if isinstance(found, str):
            shown[side], wrong = {"error": found}, wrong or side
            continue
        proposal = found[-1] if figures.get("against") else found[0]
        shown[side] = _seen(standing, proposal, side, figures, at, open_sign=len(found) > 1)
        if proposal.after is not None and not proposal.errors:
            standing = proposal.after
        elif not wrong:
            wrong, ways = side, list(_ways(standing, proposal, side, at))
    if wrong:
        return {"sides": shown, "text": None, "wrong": wrong, "ways": ways, "ask": ""}
    place = len(standing.reading.game.deals) - 1 if at is None else at
    standing, ask = _ended(standing, place, draft)
    for side, said in papers.items():
        standing = propose_on_paper(standing, place, side, said).after or standing
    return {"sides": shown, "text": text_of(standing), "wrong": "", "ways": ways, "ask": ask}


def _uncounted(standing: Standing, end: str) -> dict[str, Any]:
    """Return the record with a deal that counts nothing, whatever figures were tapped for it."""
    after = propose(standing, f"end {end}").after or standing
    return {"sides": {}, "text": text_of(after), "wrong": "", "ways": [], "ask": ""}


def _papers(standing: Standing, at: int, sides: Iterable[str]) -> dict[str, int]:
    """Return the scores on paper that differ from their rows in a deal."""
    lines = standing.reading.game.deals[at].scores
    return {
        line.side: line.score
        for line in lines
        if line.side in sides and line.score != counted(line)
    }


def _ended(standing: Standing, at: int, draft: Draft) -> tuple[Standing, str]:
    """Return the record with how a deal ended, and the question about it if that is not said."""
    deal = standing.reading.game.deals[at]
    if not _nobody_out(deal):
        return standing, ""
    answer = draft.get("end")
    if answer is not None:
        end = EndLine(STOCK) if answer == STOCK else None
        standing = propose_end(standing, at, end).after or standing
    open_end = standing.reading.game.deals[at].end is None
    return standing, "" if answer or not open_end else say("app_who_out").text


def _nobody_out(deal: Deal) -> bool:
    """Return whether a deal is one of a score sheet, and its lines name nobody who ended it.

    If only the scores were written down, they include what going out earned.
    """
    if deal.turns or deal.end_lines or (deal.end and deal.end.reason != STOCK):
        return False
    if any({"out", "special"} & {item for item, _ in line.items or ()} for line in deal.scores):
        return False
    return any(line.items is not None or not line.score for line in deal.scores)


def _seen(
    standing: Standing,
    proposal: Proposal,
    side: str,
    figures: TappedFigures,
    at: int | None,
    *,
    open_sign: bool,
) -> dict[str, Any]:
    """Return what is shown of a side's row: its score, its findings, and what it asks.

    `counted` has the points of cards that were counted.
    """
    piles = figures.get("counted") or {}
    seen: dict[str, Any] = {
        "score": _score(proposal, side, at),
        "findings": _findings(standing, proposal, side),
        "counted": {part: _counted_part(figures, part) for part in _PARTS if piles.get(part)},
    }
    if open_sign:
        names = side_names(side, standing.names)
        seen |= {"asks": say("app_melded", s=names).text, "meaning": say("app_melded_why").text}
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


def _findings(standing: Standing, proposal: Proposal, side: str) -> list[dict[str, Any]]:
    return [
        {**shown_finding(each, line), **_refusal(standing, each, line or "", side)}
        for each in proposal.findings
        for line in [proposal.excerpts.get(each.span.line)]
        if each.follows is None
    ]


def _refusal(standing: Standing, finding: Finding, line: str, side: str) -> dict[str, Any]:
    """Return a finding about a figure or a score in the words of the pad; else nothing.

    The reason is that of the referee, in English.
    """
    said = line[finding.span.column - 1 : finding.span.end_column - 1].split()
    if finding.code == "score" and len(said) == 1:
        names = side_names(side, standing.names)
        return {"message": say("app_score_not_allowed", s=names, x=int(said[0])).text, "help": None}
    if finding.code != "score-item" or len(said) != 2:
        return {}
    item, points = said
    why = escape(finding.message.partition(": ")[2])
    named = item_words(item, standing.rules)
    return {"message": say("app_not_allowed", i=named, x=int(points), f=why).text, "help": None}


def _ways(
    standing: Standing, proposal: Proposal, side: str, at: int | None
) -> Iterable[dict[str, str]]:
    what = "" if at is None else f"{at + 1} {side}"
    for letter, (about, chosen) in entry_options(standing, proposal, what).items():
        if chosen.after is not None:
            said = say("app_write_anyway").text if letter == "w" else escape(about)
            yield {"about": said, "text": text_of(chosen.after)}


# --- rows that are entered, and the score on paper ------------------------------------------------


def pad_row(text: str, at: int) -> dict[str, Any]:
    """Return the draft that the deal `at` (from 0) was entered with. Raises NotRecordable."""
    standing = standing_of(text)
    found: dict[str, Any] = {}
    for side in standing.rules.sides:
        words = row_text(standing, at, side)
        if words is not None:
            row = parse_row(words, side, standing.rules)
            found[side] = {**_figures(row, standing.rules), "against": _against(standing, at, side)}
    deal = standing.reading.game.deals[at]
    if found and _nobody_out(deal):
        found["end"] = STOCK if deal.end else "unknown"
    return found


def _against(standing: Standing, at: int, side: str) -> bool:
    """Return whether red threes count against a side in a row."""
    lines = standing.reading.game.deals[at].scores
    items = dict(next(line for line in lines if line.side == side).items or ())
    return items.get("red3", 0) < 0


def _figures(row: PadRow, rules: Rules) -> TappedFigures:
    if row.score is not None:
        return {"score": str(row.score)}
    *counted, _ = columns(rules)
    counts = dict(zip(counted, (*row.canastas, row.threes), strict=False))
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


def _house_answer(standing: Standing, rule: RowRule) -> str:
    """Return a house rule as the question about it and its answer."""
    tag = standing.reading.game.tag("Rules")
    asked = house_questions(tag.value if tag else DEFAULT_RULES)
    usual = next(each.default for each in asked if each.override == rule.override)
    answer = say("app_no" if usual else "app_yes")
    return say("app_we_play", i=house_word(rule.override, "house"), f=answer).text


def pad_paper(text: str, at: int, papers: Mapping[str, str]) -> dict[str, Any]:
    """Compare the scores that are on paper for the deal `at` (from 0) with its rows.

    Returns for each side whose score differs: what to say, and what it `may` be; `ways`, which
    would make it right (the other sign of red threes, or house rules); whether the record has it
    already (`kept`); and `written`, the record with the score as it is on paper. Raises
    NotRecordable.
    """
    standing = standing_of(text)
    return {
        side: differs
        for side, said in papers.items()
        if (differs := _compared(standing, at, side, said)) is not None
    }


def pad_claim(text: str, at: int, papers: Mapping[str, str]) -> dict[str, Any]:
    """Return the record with each score on paper that differs from its row in the deal `at`.

    A side's figures stay; its score becomes the one on paper, or their sum if there is none. What
    cannot be kept is in `wrong`, by side, in words; `text` is then None. Raises NotRecordable.
    """
    standing, wrong = standing_of(text), dict[str, str]()
    for side, said in papers.items():
        try:
            standing = _claimed(standing, at, side, said)
        except ValueError as error:
            wrong[side] = escape(str(error))
    return {"text": None if wrong else text_of(standing), "wrong": wrong}


def _claimed(standing: Standing, at: int, side: str, said: str) -> Standing:
    """Return the record with a side's score on paper. Raises ValueError."""
    line = _score_line(standing, at, side)
    if line is None:
        return standing
    points = _on_paper(said)
    points = counted(line) if points is None else points
    if points == line.score:
        return standing
    if line.items is None and line.score:
        names = side_names(side, standing.names)
        raise ValueError(say("app_not_both", s=names, x=line.score, y=points).text)
    return propose_on_paper(standing, at, side, points).after or standing


def _on_paper(said: str) -> int | None:
    """Return a score on paper, None if there is none. Raises ValueError."""
    said = plain_points(said.strip())
    if said and not POINTS.fullmatch(said):
        raise ValueError(say("app_no_number", f=said).text)
    return int(said) if said else None


def _score_line(standing: Standing, at: int, side: str) -> ScoreLine | None:
    lines = standing.reading.game.deals[at].scores
    return next((line for line in lines if line.side == side), None)


def _compared(standing: Standing, at: int, side: str, said: str) -> dict[str, Any] | None:
    line = _score_line(standing, at, side)
    if line is None:
        return None
    try:
        points = _on_paper(said)
        if points is None or points == counted(line):
            return None
        return _differs(standing, at, line, points)
    except ValueError as error:
        return {"message": escape(str(error))}


def _differs(standing: Standing, at: int, line: ScoreLine, said: int) -> dict[str, Any]:
    side, ways = line.side, []
    row = parse_row(row_text(standing, at, side) or "", side, standing.rules)
    if row.score is None:
        signs = propose_change(standing, at, side, row)
        ways = [
            (say("app_other_sign").text, each) for each in signs if _score(each, side, at) == said
        ]
        if not ways:
            known = rules_for(standing, at, side, row, said)
            ways = [(_house_answer(standing, rule), rule.proposal) for rule in known]
    kept = line.score == said
    written = None if kept else propose_on_paper(standing, at, side, said).after
    return {
        **_difference(standing.rules, line, said),
        "ways": [
            {"about": escape(about), "text": text_of(each.after)}
            for about, each in ways
            if each.after is not None
        ],
        "kept": kept,
        "written": text_of(written) if written else None,
    }
