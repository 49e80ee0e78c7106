"""Whether figures are the points of each deal or running totals.

Three things decide: the words of the header, the sums that the sheet itself has, and the rules.
Falling figures do not, because a deal can cost points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from canasta_notation.english import count, listed
from canasta_notation.foreign.spreadsheet_columns import BARE
from canasta_notation.foreign.spreadsheet_players import SheetRules
from canasta_notation.foreign.spreadsheet_rows import Collected, SheetDeal, SheetGame
from canasta_notation.foreign.spreadsheet_words import plain, words

DEAL: Final = "deal"
TOTAL: Final = "total"
#: The name in a record of the figures of each reading.
FIGURE_OF: Final = {DEAL: "score", TOTAL: "total"}
_READING_OF: Final = {"score": DEAL, "total": TOTAL}
_AS: Final = {DEAL: "as points of a deal", TOTAL: "as running totals"}
#: The most games whose results are listed.
_GAMES: Final = 3


#: The figures of each side in each deal, None for those that are missing.
SideFigures = dict[str, list[int | None]]


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """The reading of figures, one of `DEAL` and `TOTAL`, and why; None if both or neither fit.

    `why` then gives the results of both readings, or the objection to each.
    """

    reading: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Series:
    """The figures of a game whose reading is open, by side; None for a cell that is empty."""

    rules: SheetRules
    deals: Sequence[SheetDeal]
    points: SideFigures


def choose(collected: Sequence[Collected], said: str | None) -> FigureChoice:
    """Return how to read the open figures of tables kept in the same way; `said` decides."""
    series = [*_open_series(collected)]
    if not series:
        return FigureChoice(TOTAL)
    if said is not None:
        return FigureChoice(said)
    if any(_adds_up(*pair) for pair in pairwise(series)):
        return FigureChoice(None, f"one table adds up the other: {_results(series)}")
    by_words = {verdict for each in collected for verdict in _by_words(each)}
    by_sums = {verdict for each in series for verdict in _by_sums(each)}
    if len(by_words | by_sums) > 1:
        choice = FigureChoice(None, f"the sheet contradicts itself: {_results(series)}")
    else:
        choice = _by_objections(series, by_words | by_sums, summed=bool(by_sums))
    if choice.reading is None:
        return FigureChoice(None, choice.why + _better(series, by_words))
    return choice


def _open_series(collected: Sequence[Collected]) -> Iterator[_Series]:
    """Yield the figures of each game whose reading is open."""
    for each in collected:
        names = open_figures(each)
        for game in each.games if names else ():
            points = {side: side_figures(game, side, what) for side, what in names}
            yield _Series(each.layout.rules, game.begun(), points)


def _by_objections(series: Sequence[_Series], verdicts: set[str], *, summed: bool) -> FigureChoice:
    """Return the reading against which there is no objection.

    `verdicts` has the reading that the words or the sums show, one at most; `summed` says whether
    the sums show it.
    """
    against = {reading: _objection(series, reading) for reading in (DEAL, TOTAL)}
    possible = [reading for reading, objection in against.items() if not objection]
    for verdict in verdicts:
        if possible == [TOTAL] and verdict == DEAL and not summed and _never_fall(series):
            return FigureChoice(None, f"{_AS[DEAL]}, {against[DEAL]}; {_results(series)}")
        return FigureChoice(verdict, "the sums agree" if summed else "")
    if all(_same(each) for each in series):
        return FigureChoice(TOTAL)
    if possible == [TOTAL] and not _never_fall(series) and not any(map(_far_beyond, series)):
        return FigureChoice(None, f"{_AS[DEAL]}, {against[DEAL]}; {_results(series)}")
    if len(possible) == 1:
        (other,) = {DEAL, TOTAL} - {*possible}
        return FigureChoice(possible[0], f"{_AS[other]}, {against[other]}")
    if not possible:
        return FigureChoice(None, f"neither fits; {_results(series)}")
    return FigureChoice(None, _results(series))


def open_figures(collected: Collected) -> list[tuple[str, str]]:
    """Return the side and the name of figures whose reading is open.

    They are those of columns named only by a side, or else of columns that all have the same name.
    """
    deals = [deal for game in collected.games for deal in game.deals.values()]
    sides = collected.layout.rules.sides
    figures = {name for deal in deals for name in deal.figures}
    bare = [(side, BARE) for side in sides if (side, BARE) in figures]
    kinds = {what for _, what in figures} & _READING_OF.keys()
    if bare or len(kinds) != 1:
        return bare
    return [(side, what) for side in sides for what in kinds if (side, what) in figures]


def side_figures(game: SheetGame, side: str, what: str) -> list[int | None]:
    """Return the figures of a side, deal by deal, None for those that are missing."""
    found = (deal.figures.get((side, what)) for deal in game.begun())
    return [None if each is None else each[0] for each in found]


# --- the words of the header ----------------------------------------------------------------------


def _by_words(collected: Collected) -> Iterator[str]:
    """Yield the readings that the words of a table name, usually at most one."""
    names = open_figures(collected)
    kinds = {figure.what for figure in collected.layout.figures if figure.side}
    if all(what == BARE for _, what in names):
        for side, _ in names:
            beside = {each.what for each in collected.layout.figures if each.side == side}
            if "total" in beside:
                yield DEAL
            elif "score" in beside:
                yield TOTAL
            else:
                yield from (_READING_OF[kind] for kind in kinds & _READING_OF.keys())
        yield from _by_titles(collected.layout.table.titles)
    else:
        yield from {_READING_OF[what] for _, what in names}


def _by_titles(titles: Iterable[str]) -> Iterator[str]:
    """Yield the readings that titles name; any sheet can have the title `Score` or `Points`."""
    for title in titles:
        meaning = words().columns.get(plain(title))
        if meaning == "total" or (meaning == "score" and "-" in plain(title)):
            yield _READING_OF[meaning]


# --- the sums of the sheet ------------------------------------------------------------------------


class _Sum(NamedTuple):
    """A sum that a sheet states: what it is in words, and what it must be in either reading."""

    words: str
    said: int
    by_reading: dict[str, int | None]


def _sums(series: _Series) -> Iterator[_Sum]:
    """Yield the rows of sums, and the figures that are sums of items."""
    for side, figures in series.points.items():
        points = items = 0
        for deal, figure in zip(series.deals, figures, strict=True):
            points += figure or 0
            said = [each[0] for (whose, _), each in deal.sums.items() if whose == side]
            for sum_ in said[:1]:
                words = f"the sum of {side} below deal {deal.number}"
                yield _Sum(words, sum_, {DEAL: points, TOTAL: figure})
            earned = [
                each[0]
                for (whose, what), each in deal.figures.items()
                if whose == side and what not in (BARE, *_READING_OF)
            ]
            items += sum(earned)
            if figure is not None and earned:
                words = f"the figure of {side} beside the items of deal {deal.number}"
                yield _Sum(words, figure, {DEAL: sum(earned), TOTAL: items})


def _by_sums(series: _Series) -> set[str]:
    """Return the readings with which a sum agrees, where it agrees with one only."""
    fits = [
        [reading for reading, points in each.by_reading.items() if points == each.said]
        for each in _sums(series)
    ]
    return {reading for readings in fits if len(readings) == 1 for reading in readings}


def _adds_up(first: _Series, second: _Series) -> bool:
    """Return whether the figures of a game are the running totals of the one before it."""
    points = [*first.points.values()]
    totals = [*second.points.values()]
    return any(len(figures) > 1 for figures in points) and totals == [
        [*accumulate(figure or 0 for figure in figures)] for figures in points
    ]


# --- the rules ------------------------------------------------------------------------------------


def _objection(series: Sequence[_Series], reading: str) -> str:
    """Return what the rules say against a reading, "" for nothing."""
    return next((why for each in series for why in _impossible(each, reading)), "")


def _impossible(series: _Series, reading: str) -> Iterator[str]:
    """Yield what the rules do not allow: a score, or a deal after the target was reached."""
    worth, target = series.rules.worth, series.rules.target
    standing: dict[str, int | None] = dict.fromkeys(series.points, 0)
    for at, deal in enumerate(series.deals):
        known = [each for each in standing.values() if each is not None]
        if len(known) == len(standing) and _won(known, target):
            had = max(known)
            yield f"deal {deal.number} came after a side had {had}, and the target is {target}"
        for side, figures in series.points.items():
            figure, before = figures[at], standing[side]
            if figure is None:
                standing[side] = None
                continue
            points = figure if reading == DEAL else None if before is None else figure - before
            if points is not None and points not in worth:
                yield f"{points} in deal {deal.number} is not the score of a deal"
            if reading == TOTAL:
                standing[side] = figure
            else:
                standing[side] = None if before is None else before + figure


def against_order(
    rules: SheetRules, deals: Sequence[SheetDeal], scores: SideFigures, totals: SideFigures
) -> str:
    """Return what speaks against the order of the deals by their numbers, "" for nothing.

    Totals that do not add up, and what the rules do not allow, may mean another order.
    """
    for side in sorted(scores.keys() & totals.keys()):
        standing: int | None = 0
        for deal, score, total in zip(deals, scores[side], totals[side], strict=True):
            standing = None if standing is None or score is None else standing + score
            if None not in (standing, total) and standing != total:
                return f"the total of {side} after deal {deal.number} is not {standing}"
            standing = total if standing is None else standing
    series = _Series(rules, deals, scores or totals)
    return next(_impossible(series, DEAL if scores else TOTAL), "")


def _won(totals: Sequence[int], target: int) -> bool:
    return max(totals) >= target and [*totals].count(max(totals)) == 1


def _far_beyond(series: _Series) -> bool:
    """Return whether the points passed the target before the last deal, even if one is misread."""
    return any(
        sum(known) - max(known, default=0) >= series.rules.target
        for figures in series.points.values()
        for known in [[figure for figure in figures[:-1] if figure is not None]]
    )


def _never_fall(series: Sequence[_Series]) -> bool:
    return all(
        first <= second
        for each in series
        for figures in each.points.values()
        for first, second in pairwise(figure for figure in figures if figure is not None)
    )


# --- which reading fits better --------------------------------------------------------------------


def _better(series: Sequence[_Series], by_words: Set[str]) -> str:
    """Return in words which reading fits better and why, "" if only one is contradicted.

    The one with fewer contradictions does or, if they are as many, the one whose sums are nearer.
    """
    against = {reading: [*_contradictions(series, by_words, reading)] for reading in (DEAL, TOTAL)}
    if not all(against.values()):
        return ""
    weight = {
        reading: (len(each), sum(gap for _, gap in each)) for reading, each in against.items()
    }
    said = listed(
        f"{_AS[reading]}, {count(len(each), 'thing')} {'is' if len(each) == 1 else 'are'} wrong "
        f"({each[0][0]})"
        for reading, each in against.items()
    )
    if weight[DEAL] == weight[TOTAL]:
        return f"; neither reading fits better: {said}"
    nearer = "" if weight[DEAL][0] != weight[TOTAL][0] else ", because the sums are nearer"
    return f"; the figures fit better {_AS[min(weight, key=weight.__getitem__)]}{nearer}: {said}"


def _contradictions(
    series: Sequence[_Series], by_words: Set[str], reading: str
) -> Iterator[tuple[str, int]]:
    """Yield what contradicts a reading, in words, and by how many points a sum differs from it."""
    if by_words and reading not in by_words:
        yield "the words of the sheet name the other reading", 0
    for each in series:
        for sum_ in _sums(each):
            points = sum_.by_reading[reading]
            if points is not None and points != sum_.said:
                yield f"{sum_.words} is {sum_.said}, not {points}", abs(points - sum_.said)
        yield from ((why, 0) for why in _impossible(each, reading))


# --- results --------------------------------------------------------------------------------------


def _same(series: _Series) -> bool:
    """Return whether both readings give each deal the same points."""
    return all(
        (
            sum(figure is not None for figure in figures) <= 1
            and not any(figure is None for figure in figures[:1] if len(figures) > 1)
        )
        or not any(figures)
        for figures in series.points.values()
    )


def _results(series: Sequence[_Series]) -> str:
    """Return the final results of both readings, in words."""
    said = []
    for reading in (DEAL, TOTAL):
        games = [
            " ".join(f"{side} {_result(each, reading)}" for side, each in game.points.items())
            for game in series[:_GAMES]
        ]
        more = [count(len(series) - _GAMES, "more game")] if len(series) > _GAMES else []
        said.append(f"{_AS[reading]}, the result is {listed([*games, *more])}")
    return "; ".join(said)


def _result(figures: Sequence[int | None], reading: str) -> int:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if reading == DEAL else known[-1] if known else 0
