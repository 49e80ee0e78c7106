"""Whether figures are the points of each deal or running totals.

Three things decide: the words of the header, the sums that the sheet itself has, and the rules.
Falling figures do not, because a deal can cost points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from canasta_notation.english import listed
from canasta_notation.notation.spreadsheet_columns import BARE
from canasta_notation.notation.spreadsheet_players import SheetRules
from canasta_notation.notation.spreadsheet_rows import Collected, SheetDeal, SheetGame
from canasta_notation.notation.spreadsheet_words import plain, words

DEAL: Final = "deal"
TOTAL: Final = "total"
#: The name in a record of the figures of each reading.
FIGURE_OF: Final = {DEAL: "score", TOTAL: "total"}
_READING_OF: Final = {"score": DEAL, "total": TOTAL}
_AS: Final = {DEAL: "as points of a deal", TOTAL: "as running totals"}
#: The most games whose results are listed.
_GAMES: Final = 3


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
    points: dict[str, list[int | None]]


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
        return FigureChoice(None, "the sheet contradicts itself: " + _results(series))
    return _by_objections(series, by_words | by_sums, summed=bool(by_sums))


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
        reasons = "; ".join(f"{_AS[reading]}, {why}" for reading, why in against.items())
        return FigureChoice(None, f"neither fits: {reasons}; {_results(series)}")
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


def _by_sums(series: _Series) -> set[str]:
    """Return the readings with which rows of sums, and sums of items, agree."""
    verdicts: set[str] = set()
    for side, figures in series.points.items():
        points = items = 0
        for deal, figure in zip(series.deals, figures, strict=True):
            points += figure or 0
            said = [each[0] for (whose, _), each in deal.sums.items() if whose == side]
            verdicts |= _agreeing(said[:1], points, figure)
            earned = [
                each[0]
                for (whose, what), each in deal.figures.items()
                if whose == side and what not in (BARE, *_READING_OF)
            ]
            items += sum(earned)
            if figure is not None and earned:
                verdicts |= _agreeing([figure], sum(earned), items)
    return verdicts


def _agreeing(said: list[int], points: int, total: int | None) -> set[str]:
    """Return the only reading with which a sum agrees, if there is just one."""
    fits = {reading for reading, sum_ in ((DEAL, points), (TOTAL, total)) if said == [sum_]}
    return fits if len(fits) == 1 else set()


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
        more = [f"{len(series) - _GAMES} more games"] if len(series) > _GAMES else []
        said.append(f"{_AS[reading]}, the result is {listed([*games, *more])}")
    return "; ".join(said)


def _result(figures: Sequence[int | None], reading: str) -> int:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if reading == DEAL else known[-1] if known else 0
