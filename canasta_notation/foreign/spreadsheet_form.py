"""Score sheets of a spreadsheet, read into games: every figure becomes a claim of the record.

The steps are modules of their own: the cells of the file, the tables of each sheet, what the
columns of a table hold, the deals in its rows, and whether figures are points or running totals.
Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import NamedTuple

from canasta_notation.english import count
from canasta_notation.foreign.spreadsheet_choice import (
    FIGURE_OF,
    TOTAL,
    FigureChoice,
    against_order,
    choose,
    open_figures,
)
from canasta_notation.foreign.spreadsheet_columns import (
    BARE,
    Layout,
    SpreadsheetReading,
    column_name,
    first_of,
    meaning_of,
    numbered_items,
    quote,
    read_columns,
)
from canasta_notation.foreign.spreadsheet_counts import (
    CountedScore,
    ShownPoints,
    shown_points,
    signed_threes,
)
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError, read_grids
from canasta_notation.foreign.spreadsheet_rows import Collected, SheetDeal, SheetGame, collect
from canasta_notation.foreign.spreadsheet_shape import SheetTable, sheet_tables
from canasta_notation.foreign.spreadsheet_words import (
    date_of,
    is_points,
    plain,
    side_names,
)
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import (
    BonusLine,
    Deal,
    Game,
    PenaltyLine,
    ScoreLine,
    Tag,
    TotalLine,
)
from canasta_notation.quoting import QUOTED, shortened

#: The words of a penalty and a bonus if only the points are known.
PENALTY_WORD = "house"
BONUS_WORD = "sheet"
#: A table with fewer known names of columns may not belong to a score sheet.
_NAMES = 2


#: The figures of a deal, by side and name.
DealFigures = dict[tuple[str, str], int]


class Sheets(NamedTuple):
    """What was read: the games, and what was understood, a line for each kind of table."""

    games: list[Game]
    understood: list[str]


def read_sheets(data: bytes, reading: SpreadsheetReading) -> Sheets:
    """Return the games of a file. Raises SpreadsheetError and NoReader.

    Tables whose columns are not known are left out if there are others. Not checked: that any
    figure is right.
    """
    tables, several = read_tables(data, reading)
    collected, left_out = collect_tables(tables, reading, several=several)
    choices = choices_of(collected, reading)
    unread = dict.fromkeys(choice.why for choice in choices if choice.reading is None)
    if unread:
        raise SpreadsheetError([_asked(why) for why in unread], map_helps=True)
    problems = [*chain(*map(_order_problems, collected, choices))]
    if problems:
        raise SpreadsheetError(problems)
    pairs = [*zip(collected, choices, strict=True)]
    shown = [_with_shown_points(*pair) for pair in pairs]
    empty = [line for pair in pairs for line in _with_zeros(*pair)]
    games = [
        _game(game, each.layout, choice, opened, day, reading)
        for each, choice in pairs
        for opened in [{what for _, what in open_figures(each)}]
        for day in [_day_of(each.layout.table)]
        for game in each.games
        if any(deal.figures for deal in game.deals.values())
    ]
    if not games:
        raise SpreadsheetError(["there are no figures in this sheet"])
    changed = dict.fromkeys(each.words for each in shown if each)
    return Sheets(games, [*_understood(collected, choices), *changed, *empty, *left_out])


def read_tables(data: bytes, reading: SpreadsheetReading) -> tuple[list[SheetTable], bool]:
    """Return the tables of a file, and whether they come from several sheets."""
    called = {**side_names(reading.rules[0].sides), **reading.columns.sides}
    mapped = {source.header for source in reading.columns.columns.values()}

    def meaning(name: str) -> tuple[str, str]:
        return ("", name) if name in mapped else meaning_of(name, called)

    grids = read_grids(data, lambda cell: meaning(cell.strip()) != ("", "") or is_points(cell))
    tables = [
        table for grid in grids for table in sheet_tables(grid, meaning, reading.columns.header)
    ]
    return tables, len(grids) > 1


def collect_tables(
    tables: Sequence[SheetTable], reading: SpreadsheetReading, *, several: bool
) -> tuple[list[Collected], list[str]]:
    """Return what the rows of each table hold, and what is left out. Raises SpreadsheetError."""
    found: list[Collected] = []
    problems: list[str] = []
    none: list[tuple[str, list[str]]] = []
    results: list[str] = []
    games: list[SheetGame] = []  # those whose deals are known
    highest = 0  # the number of the last deal so far
    for table in tables:
        place = f"sheet {quote(table.name)}: " if several else ""
        try:
            layout = read_columns(table, reading)
        except SpreadsheetError as error:
            wrong = [place + problem for problem in error.problems]
            if _is_known(table, reading):
                problems += wrong
            else:
                none.append((table.name or f"row {table.line}", wrong))
            continue
        rows = collect(layout, reading)
        if _are_results(rows, games):
            results.append(f"row {table.line}")
            continue
        problems += [place + problem for problem in rows.problems]
        following = bool(found) and _continues(rows, found[-1], highest)
        highest = max(rows.games[-1].deals, default=0) if rows.games else highest
        if following:
            found[-1].games[-1].deals |= rows.games.pop(0).deals
            found[-1].games += rows.games
            found[-1].sums += rows.sums
            found[-1].left_out += rows.left_out
        else:
            found.append(rows)
        games += [] if _is_by_game(found[-1].layout) else rows.games
    if not found and not problems:
        problems += none[0][1]
    if problems:
        mapped = len(found) < len(tables) or any(each.map_helps for each in found)
        raise SpreadsheetError(first_of([*dict.fromkeys(problems)]), map_helps=mapped)
    names = ", ".join(name for name, _ in none)
    unknown = [f"sheets left out, because their columns are not known: {names}"] if none else []
    same = [f"results of these games left out: {', '.join(results)}"] if results else []
    return found, [*unknown, *same]


def _are_results(rows: Collected, games: Sequence[SheetGame]) -> bool:
    """Return whether a table only repeats the results of the games before it."""
    if not _is_by_game(rows.layout) or not games or len(games) != len(rows.games):
        return False
    for game, result in zip(games, rows.games, strict=True):
        for (side, _), (points, _) in result.standing.items():
            final = {
                each for (whose, _), held in game.standing.items() if whose == side for each in held
            }
            if points not in final:
                return False
    return True


def _is_by_game(layout: Layout) -> bool:
    return "game" in layout.places and "deal" not in layout.places


def _continues(rows: Collected, before: Collected, highest: int) -> bool:
    """Return whether a table goes on with the last game before it, below another header.

    `highest` is the highest number of a deal of that game.
    """
    if not (rows.games and before.games and rows.games[0].deals and before.games[-1].deals):
        return False
    same = (rows.layout.table.name, _kind(rows)) == (before.layout.table.name, _kind(before))
    return same and min(rows.games[0].deals) == highest + 1


def _is_known(table: SheetTable, reading: SpreadsheetReading) -> bool:
    """Return whether a table has the names of a score sheet."""
    called = {**side_names(reading.rules[0].sides), **reading.columns.sides}
    return sum(meaning_of(name, called)[1] != "" for name in table.header) >= _NAMES


def choices_of(collected: Sequence[Collected], reading: SpreadsheetReading) -> list[FigureChoice]:
    """Return how the open figures of each table are read.

    Tables with the same kind of columns were kept in the same way, so one answer holds for them.
    """
    kinds: dict[tuple[str, ...], list[Collected]] = {}
    for each in collected:
        kinds.setdefault(_kind(each), []).append(each)
    answers = {kind: choose(tables, reading.columns.points) for kind, tables in kinds.items()}
    return [answers[_kind(each)] for each in collected]


def _order_problems(collected: Collected, choice: FigureChoice) -> Iterator[str]:
    """Yield what speaks against the order of deals that do not stand in the order of numbers."""
    opened = {what for _, what in open_figures(collected)}
    rules = collected.layout.rules
    for game in collected.games:
        if not game.order:
            continue
        deals = game.begun()
        read = [_read(deal, choice, opened) for deal in deals]
        names = {name for each in read for name in each}
        scores, totals = (
            {side: [each.get((side, what)) for each in read] for side, of in names if of == what}
            for what in ("score", "total")
        )
        why = against_order(rules, deals, scores, totals)
        if why:
            yield f"{game.order}; if they are of one game, {why}: put them in order"


def _kind(collected: Collected) -> tuple[str, ...]:
    return tuple(sorted({figure.what for figure in collected.layout.figures}))


def _asked(why: str) -> str:
    return (
        f"are these the points of each deal, or running totals? {why}; say which with "
        '--points deal or --points total, or with points = "deal" or "total" in --columns MAP.toml'
    )


# --- what was understood --------------------------------------------------------------------------


def _understood(collected: Sequence[Collected], choices: Sequence[FigureChoice]) -> Iterator[str]:
    """Yield what was understood, with the names of the sheets if there are several kinds."""
    kinds: dict[str, list[Collected]] = {}
    for each, choice in zip(collected, choices, strict=True):
        kinds.setdefault(_columns(each, choice), []).append(each)
    for meant, tables in kinds.items():
        names = dict.fromkeys(each.layout.table.name for each in tables)
        place = f"sheet {', '.join(names)}: " if len(kinds) > 1 and any(names) else ""
        games = sum(
            any(deal.figures for deal in game.deals.values())
            for each in tables
            for game in each.games
        )
        yield "; ".join([f"{place}{count(games, 'game')}, {meant}", *_around(tables)])


def _columns(collected: Collected, choice: FigureChoice) -> str:
    """Return what the columns of a table mean, in words."""
    layout = collected.layout
    meant = {at: place for place, at in layout.places.items()}
    for figure in layout.figures:
        meant[figure.at] = f"{figure.side} {figure.what}".replace(BARE, "").strip()
        if figure.counted:
            meant[figure.at] += " (a number)"
        elif figure.times == -1:
            meant[figure.at] += " (taken off)"
    said = ", ".join(
        shortened(column_name(layout, at), QUOTED)
        + (f" = {meant[at]}" if plain(layout.table.header[at]) != plain(meant[at]) else "")
        for at in sorted(meant)
    )
    kinds = {what for _, what in open_figures(collected)}
    opened = f"{FIGURE_OF[choice.reading]}s" if choice.reading and kinds == {BARE} else ""
    players = ", ".join(f"{name} = {seat}" for seat, name in layout.tags.items())
    turned = "sides" if "side" in layout.places else "deals"
    return "; ".join(
        [
            f"columns {said}" + (f" ({opened})" if opened else ""),
            *([f"players {players}"] if players else []),
            *([f"rules {layout.rules.text}"] if layout.rules.text else []),
            *([f"{turned} are columns"] if layout.table.turned else []),
            *([f"{opened}, because {choice.why}"] if opened and choice.why else []),
        ]
    )


def _around(tables: Sequence[Collected]) -> Iterator[str]:
    """Yield where the headers and sums are, and what is left out."""
    lines = dict.fromkeys(each.layout.table.line for each in tables)
    sums = [number for each in tables for number in each.sums]
    left_out = dict.fromkeys(name for each in tables for name in each.layout.left_out)
    rows = [row for each in tables for row in each.left_out]
    stray = [cell for each in tables for cell in each.layout.table.stray]
    games = [game for each in tables for game in each.games]
    if any(game.downwards for game in games):
        yield "the last deal is above the first"
    yield from dict.fromkeys(game.order for game in games if game.order)
    if any(line > 1 for line in lines):
        yield f"header in row {', '.join(map(str, lines))}"
    if sums:
        yield f"sums in row {', '.join(map(str, sums))}"
    if left_out:
        yield f"columns left out: {', '.join(left_out)}"
    if rows:
        yield f"rows left out: {', '.join(rows)}"
    if stray:
        yield f"cells left out: {', '.join(stray)}"


# --- games ----------------------------------------------------------------------------------------


def _game(
    game: SheetGame,
    layout: Layout,
    choice: FigureChoice,
    opened: Set[str],
    day: str | None,
    reading: SpreadsheetReading,
) -> Game:
    date = game.date or day
    held = {
        **({"Date": date} if date else {}),
        **({"Rules": layout.rules.text} if layout.rules.text else {}),
        **layout.tags,
        **reading.columns.tags,
        "CGN": VERSION,
    }
    deals = tuple(_deal(deal, layout, choice, opened) for deal in game.begun())
    return Game(tuple(Tag(name, value) for name, value in held.items()), deals)


def _day_of(table: SheetTable) -> str | None:
    """Return the day that a title, a name of a column or the name of the sheet gives, or None."""
    titles = map(date_of, (*reversed(table.titles), *table.header, table.name))
    return next((day for day in titles if day), None)


def _deal(deal: SheetDeal, layout: Layout, choice: FigureChoice, opened: Set[str]) -> Deal:
    sides = layout.rules.sides
    figures = _read(deal, choice, opened)
    penalties = tuple(
        PenaltyLine(side, -figures[side, "penalty"], PENALTY_WORD)
        for side in sides
        if figures.get((side, "penalty"), 0) < 0
    )
    bonuses = tuple(
        BonusLine(side, figures[side, "bonus"], BONUS_WORD)
        for side in sides
        if figures.get((side, "bonus"), 0) > 0
    )
    totals = tuple((side, figures[side, "total"]) for side in sides if (side, "total") in figures)
    if any(each.what == "red3" and each.counted for each in layout.figures):
        figures = _signed(deal, sides, figures)
    scores = (_score(side, figures) for side in sides)
    return Deal(
        deal.number,
        deal.dealer,
        play=(*penalties, *bonuses),
        scores=tuple(score for score in scores if score is not None),
        total=TotalLine(totals) if totals else None,
    )


def _read(deal: SheetDeal, choice: FigureChoice, opened: Set[str]) -> DealFigures:
    """Return the figures of a deal by side and name, with the sums below it as totals."""
    reading = choice.reading or TOTAL
    figures = {
        (side, FIGURE_OF[reading] if what in opened else what): points
        for (side, what), (points, _) in deal.figures.items()
    }
    for (side, what), (points, _) in deal.sums.items():
        if what != "total":
            figures.setdefault((side, "total"), points)
    return figures


def _with_shown_points(collected: Collected, choice: FigureChoice) -> ShownPoints | None:
    """Give items in numbers the points that the scores show; return what they show, if anything."""
    opened = {what for _, what in open_figures(collected)}
    deals = [deal for game in collected.games for deal in game.deals.values()]
    scores = [
        CountedScore(figures[side, "score"], _items(side, figures))
        for deal in deals
        for figures in [_read(deal, choice, opened)]
        for side in collected.layout.rules.sides
        if (side, "score") in figures
    ]
    shown = shown_points(scores, numbered_items(collected.layout))
    if shown is None:
        return None
    for deal in deals:
        for name, (points, row) in deal.figures.items():
            if name[1] == shown.item:
                deal.figures[name] = shown.of(points), row
    return shown


def _with_zeros(collected: Collected, choice: FigureChoice) -> Iterator[str]:
    """Give empty cells 0 points where the totals show it; yield what empty cells were taken for."""
    opened = {what for _, what in open_figures(collected)}
    what = next(iter(opened), "score")
    said: dict[bool, list[str]] = {True: [], False: []}
    for game in collected.games:
        deals = game.begun()
        read = [_read(deal, choice, opened) for deal in deals]
        for side in collected.layout.rules.sides:
            for at, shown in _empty(read, side):
                said[shown].append(f"{side} in deal {deals[at].number}")
                if shown:
                    deals[at].figures[side, what] = 0, 0
    if said[True]:
        yield f"empty cells are 0, because the totals agree: {', '.join(said[True])}"
    if said[False]:
        yield f"empty cells claim nothing; write 0 for no points: {', '.join(said[False])}"


def _empty(deals: Sequence[DealFigures], side: str) -> Iterator[tuple[int, bool]]:
    """Yield the place of each deal in which only other sides have points.

    With it comes whether the next total of the side shows that it has none there.
    """
    points, empty = 0, list[int]()
    if not any((side, "score") in figures for figures in deals):
        return  # a side without a column of its own
    for at, figures in enumerate(deals):
        points += figures.get((side, "score"), 0)
        scored = any(what == "score" for _, what in figures)
        if scored and not any(whose == side and what != "total" for whose, what in figures):
            empty.append(at)
        if (side, "total") in figures:
            total = figures[side, "total"]
            yield from ((each, total == points) for each in empty)
            points, empty = total, []
    yield from ((each, False) for each in empty)


def _signed(
    deal: SheetDeal, sides: Sequence[str], figures: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Return the figures with red threes that count against a side, if only so they add up.

    Raises SpreadsheetError if there is a number of red threes without a score, and nothing shows
    that the side melded.
    """
    signed = {**figures}
    for side in sides:
        items = _items(side, figures)
        score, red3 = figures.get((side, "score")), items.get("red3", 0)
        if score is not None:
            signed |= {(side, what): each for what, each in signed_threes(items, score).items()}
        elif red3 and not any(items.get(item, 0) > 0 for item in ("melds", "natural", "mixed")):
            why = f"deal {deal.number}: do the red threes of {side} count for it or against it?"
            raise SpreadsheetError([f"{why} Write their points instead of their number"])
    return signed


def _items(side: str, figures: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Return the items of a side by their names."""
    return {
        what: points
        for (whose, what), points in figures.items()
        if whose == side and what not in ("score", "total")
    }


def _score(side: str, figures: Mapping[tuple[str, str], int]) -> ScoreLine | None:
    """Return a side's score line, None if nothing but a total is claimed.

    Items of 0 are left out, because a missing item claims the same; but `cards 0` is kept if there
    is no other figure for cards. If the score is missing, the sum of the items takes its place,
    because a score line must have one.
    """
    items = _items(side, figures)
    score = figures.get((side, "score"))
    if score is None and not items:
        return None
    kept = {what: points for what, points in items.items() if points}
    if "cards" in items and not kept.keys() & {"melds", "hand"}:
        kept["cards"] = items["cards"]
    written = kept or dict(list(items.items())[:1])
    total = sum(items.values()) if score is None else score
    return ScoreLine(side, total, tuple(written.items()) or None)
