"""Random score sheets, as people keep them, with the meaning of each.

`python -m tests.drawn_sheets --count 2000` reads that many, and lists those that are read wrongly,
and those that are refused although only one reading is possible.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from canasta_notation.cli.files import spreadsheet_reading
from canasta_notation.foreign.spreadsheet_file import SpreadsheetError
from canasta_notation.foreign.spreadsheet_form import read_sheets
from canasta_notation.notation.document import Game


class Words(NamedTuple):
    """The words of a sheet: the deal, two sides, points of a deal, totals, a row of sums."""

    deal: str
    we: str
    they: str
    score: str
    total: str
    sum: str


#: The words of a language, in the order of `Words`.
WORDS = {
    "en": ("Round", "We", "They", "Points", "Total", "Sum"),
    "de": ("Runde", "Wir", "Ihr", "Punkte", "Zwischenstand", "Summe"),
    "es": ("Mano", "Nosotros", "Ellos", "Puntos", "Acumulado", "Suma"),
    "fr": ("Donne", "Nous", "Eux", "Points", "Cumul", "Somme"),
    "pt": ("Rodada", "Nós", "Eles", "Pontos", "Acumulado", "Soma"),
    "it": ("Mano", "Noi", "Voi", "Punti", "Progressivo", "Somma"),
}
NAMES = ("Anna", "Bert", "Clara", "Dora", "Emil", "Frieda", "Gösta", "Heidi")
FOOTNOTES = ("Losers bring cake", "Kuchen: Bert", "revanche jeudi", "*", "played at Dora's")
TITLES = ("Canasta", "Canasta-Abend", "Club, Thursday", "12.03.2026", "Marzo 2026", "Spielabend 3")
TARGET = 5000
#: What a deal of the usual rules can be worth.
WORTH = range(-3980, 7681, 5)

#: The points of each side in each deal.
Points = list[list[int]]
#: The figures of each side in each deal as they are written; None for an empty cell.
Written = list[list[int | None]]
#: The hints with points and totals side by side.
BOTH = ("cumul", "unnamed", "upper")


@dataclass
class Sheet:
    """A sheet: its bytes, the figures of each game as they are written, and which reading is true.

    `decided` says that only one reading is possible; `kind` lists what was drawn.
    """

    data: bytes
    games: list[Written]
    reading: str
    decided: bool
    kind: list[str] = field(default_factory=list)


def draw_game(rng: random.Random, sides: int) -> Points:
    """Return the points of a game that ends when a side reaches the target, or earlier."""
    deals: Points = []
    totals = [0] * sides
    stop = rng.choice([TARGET, TARGET, TARGET, 2500])
    while max(totals) < stop or totals.count(max(totals)) > 1:
        points = [rng.randrange(-60, 340) * 5 for _ in range(sides)]
        if rng.random() < 0.02:
            points[rng.randrange(sides)] -= 1500
        deals.append(points)
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        if max(totals) >= TARGET and totals.count(max(totals)) == 1:
            break
    return deals


def running(points: Points) -> Points:
    """Return the totals after each deal."""
    totals: Points = []
    for each in points:
        before = totals[-1] if totals else [0] * len(each)
        totals.append([total + more for total, more in zip(before, each, strict=True)])
    return totals


def possible(figures: Points, reading: str) -> bool:
    """Return whether figures can be points of deals, or running totals, by the usual rules."""
    totals = running(figures) if reading == "deal" else figures
    before = [[0] * len(figures[0]), *totals[:-1]]
    for now, then in zip(totals, before, strict=True):
        if max(then) >= TARGET and then.count(max(then)) == 1:
            return False
        if any(one - other not in WORTH for one, other in zip(now, then, strict=True)):
            return False
    return True


def draw_sheet(rng: random.Random) -> Sheet:
    """Return a sheet drawn at random."""
    words = Words(*WORDS[rng.choice(list(WORDS))])
    players = rng.sample(NAMES, 4)
    sides = draw_sides(rng, words, players)
    games = [draw_game(rng, len(sides)) for _ in range(rng.choice([1, 1, 1, 2]))]
    hint = rng.choice(["none", "none", "word", "sum", "again", "cumul", "unnamed", "upper"])
    reading = "deal" if hint in BOTH else rng.choice(["deal", "total"])
    kind = [reading, hint]
    figures: list[Written] = [
        [[*row] for row in (points if reading == "deal" else running(points))] for points in games
    ]
    decided = hint != "none" or only(reading, figures)
    if hint not in (*BOTH, "sum", "again") and rng.random() < 0.15:
        kind.append(rng.choice(["noise", "gap"]))
        row = rng.choice(rng.choice(figures))
        at = rng.randrange(len(row))
        wrong = (row[at] or 0) + rng.choice([90, -90, 1, 10, 100])
        row[at] = None if kind[-1] == "gap" else wrong
        decided = hint == "word"
    tables = []
    for points, written in zip(games, figures, strict=True):
        header, rows = table_of(words, sides, written, reading, hint, running(points))
        if hint != "upper":
            header, rows = with_columns(rng, header, rows, players, words.sum)
        tables.append([header, *rows])
    data, more = laid_out(rng, tables, turn=hint != "upper")
    return Sheet(data, figures, reading, decided, kind + more)


def draw_sides(rng: random.Random, words: Words, players: list[str]) -> list[str]:
    """Return the names of two or three sides."""
    joint = rng.choice([" + ", " & ", "/", " and "])
    pairs = [joint.join(players[:2]), joint.join(players[2:])]
    return rng.choice([[words.we, words.they], pairs, players[:3], players[:2]])


def only(reading: str, figures: list[Written]) -> bool:
    """Return whether the rules leave one reading of whole figures."""
    other = {"deal": "total", "total": "deal"}[reading]
    return not all(
        possible([[each or 0 for each in row] for row in game], other) for game in figures
    )


def table_of(
    words: Words,
    sides: list[str],
    figures: Written,
    reading: str,
    hint: str,
    totals: Points,
) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table, with a hint at what its figures are."""
    rows = [[str(at), *map(said, each)] for at, each in enumerate(figures, 1)]
    if hint in BOTH:
        rows = [
            [str(at), *(said(figure) for pair in zip(*each, strict=True) for figure in pair)]
            for at, each in enumerate(zip(figures, totals, strict=True), 1)
        ]
    word = words.score if reading == "deal" else words.total
    match hint:
        case "word":
            names = [f"{word} {side}" for side in sides]
        case "cumul":
            names = [name for side in sides for name in (side, f"{words.total} {side}")]
        case "unnamed" | "upper":
            names = [name for side in sides for name in (side, "")]
        case _:
            names = sides
    if hint == "upper":
        return ["", *names], [[words.deal, *([words.score, words.total] * len(sides))], *rows]
    if hint == "sum" or (hint == "again" and reading == "deal"):
        rows.append([words.sum, *map(str, totals[-1])])
    elif hint == "again":
        rows.append([words.sum, *rows[-1][1:]])
    return [words.deal, *names], rows


def said(figure: int | None) -> str:
    """Return a figure as a cell."""
    return "" if figure is None else str(figure)


def with_columns(
    rng: random.Random, header: list[str], rows: list[list[str]], players: list[str], sum_: str
) -> tuple[list[str], list[list[str]]]:
    """Return a table, perhaps with columns of dealers and remarks, and rows without figures."""
    if rng.random() < 0.15:
        header = [header[0], "Dealer", *header[1:]]
        turns = [players[0], players[2], players[1], players[3]]
        rows = [
            [row[0], "" if row[0] == sum_ else turns[at % 4], *row[1:]]
            for at, row in enumerate(rows)
        ]
    if rng.random() < 0.15:
        header = [*header, rng.choice(["Remarks", "Out", "Gag"])]
        rows = [[*row, rng.choice(["", "", "Anna", "!", "redealt"])] for row in rows]
    if rng.random() < 0.1 and rows[-1][0] != sum_:
        rows = [*rows, *([str(len(rows) + at), *[""] * (len(header) - 1)] for at in (1, 2))]
    return header, rows


def laid_out(
    rng: random.Random, tables: list[list[list[str]]], *, turn: bool
) -> tuple[bytes, list[str]]:
    """Return tables as CSV, one below the other or side by side, with things around them."""
    kind = []
    if turn and rng.random() < 0.15:
        kind.append("turned")
        tables = [[list(row) for row in zip(*table, strict=True)] for table in tables]
        word = f"{tables[0][0][0]} " if rng.random() < 0.5 else ""
        for table in tables:
            table[0] = ["", *(f"{word}{each}" if each.isdigit() else each for each in table[0][1:])]
    elif rng.random() < 0.15 and tables[0][1][0] == "1":
        kind.append("no deal's name")
        for table in tables:
            table[0][0] = ""
    if len(tables) > 1 and "turned" not in kind and rng.random() < 0.5:
        kind.append("side by side")
        grid = beside(rng, tables)
    else:
        grid = below(rng, tables)
        kind += ["below"] if len(tables) > 1 else []
    if rng.random() < 0.3:
        kind.append("title")
        grid = [[rng.choice(TITLES)], *([[]] if rng.random() < 0.6 else []), *grid]
    if rng.random() < 0.3:
        kind.append("footnote")
        grid += [*([[]] if rng.random() < 0.6 else []), [rng.choice(FOOTNOTES)]]
    if rng.random() < 0.1:
        kind.append("far")
        grid += [[] for _ in range(rng.randrange(1, 20))] + [["" for _ in range(15)] + ["see Bert"]]
    delimiter = rng.choice(",;\t")
    text = io.StringIO()
    width = max(map(len, grid))
    rows = [[*row, *[""] * (width - len(row))] for row in grid]
    style = rng.choice(["plain", "plain", "comma", "point"])
    if style != "plain":
        mark = {"comma": ",", "point": "."}[style]
        kind.append(style)
        rows = [[thousands(cell, mark) for cell in row] for row in rows]
    csv.writer(text, delimiter=delimiter).writerows(rows)
    encoding = rng.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    return text.getvalue().encode(encoding), kind


def beside(rng: random.Random, tables: list[list[list[str]]]) -> list[list[str]]:
    """Return tables side by side, with or without a title above each."""
    height = max(map(len, tables))
    grid: list[list[str]] = [[] for _ in range(height + 1)]
    for number, table in enumerate(tables, 1):
        width = len(table[0])
        gap = [""] if number < len(tables) else []
        grid[0] += [f"Game {number}", *[""] * (width - 1), *gap]
        for at in range(height):
            grid[at + 1] += (table[at] if at < len(table) else [""] * width) + gap
    return grid if rng.random() < 0.5 else grid[1:]


def below(rng: random.Random, tables: list[list[list[str]]]) -> list[list[str]]:
    """Return tables one below the other, with or without a title and a blank row between."""
    grid: list[list[str]] = []
    title, blank = rng.random() < 0.5, rng.random() < 0.7
    for number, table in enumerate(tables, 1):
        grid += [[f"Game {number}"]] if title and len(tables) > 1 else []
        grid += table
        grid += [[]] if blank and number < len(tables) else []
    return grid


def thousands(cell: str, mark: str) -> str:
    """Return a figure of four digits with a mark between thousands."""
    bare = cell.lstrip("-")
    return f"{int(cell):,}".replace(",", mark) if bare.isdigit() and len(bare) == 4 else cell


# --- reading --------------------------------------------------------------------------------------


def claims(games: Sequence[Game], reading: str) -> list[Points]:
    """Return the figures that records claim, as points of deals or as totals."""
    found = []
    for game in games:
        rows = []
        for deal in game.deals:
            if reading == "deal":
                rows.append([line.score for line in deal.scores])
            else:
                rows.append([points for _, points in deal.total.totals] if deal.total else [])
        found.append(rows)
    return found


def outcome(sheet: Sheet) -> str:
    """Return how a sheet is read: right, asked, refused or false."""
    try:
        games = read_sheets(sheet.data, spreadsheet_reading(None)).games
    except SpreadsheetError as error:
        return "asked" if "are these the points" in str(error) else "refused"
    written = [[[each for each in row if each is not None] for row in game] for game in sheet.games]
    return "right" if claims(games, sheet.reading) == written else "false"


def main() -> None:
    """Read random sheets, and count the outcomes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many of each bad kind to show")
    options = parser.parse_args()
    counts: Counter[tuple[bool, str]] = Counter()
    for at in range(options.count):
        sheet = draw_sheet(random.Random(f"{options.seed} {at}"))
        found = outcome(sheet)
        counts[sheet.decided, found] += 1
        bad = found in ("false", "refused") or (sheet.decided and found == "asked")
        if bad and options.show > 0:
            options.show -= 1
            print(f"--- sheet {at}: {found}; {', '.join(sheet.kind)}", sheet.data, sep="\n")
    for (decided, found), number in sorted(counts.items()):
        print(f"{'one reading' if decided else 'open'}: {found} {number}")


if __name__ == "__main__":
    main()
