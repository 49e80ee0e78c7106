"""Score sheets from CSV and back: layouts, claims after a round trip, wrong cells."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import Result

from canasta_notation.foreign.spreadsheet_map import column_map
from canasta_notation.notation.reader import read_text
from tests.programs import canasta

SAMPLES = Path(__file__).parent.parent / "samples"
RECORDED = Path(__file__).parent / "recorded"
HOUSE = "classic score.red3_minus=no-canasta score.melds_minus=no-canasta"


def read(text: str, folder: Path, columns: str = "", *more: str) -> Result:
    """Convert a sheet, with a map of its columns if there is one."""
    path = folder / "sheet.csv"
    path.write_bytes(text.encode())
    options = list(more)
    if columns:
        (folder / "map.toml").write_text(columns)
        options += ["--columns", str(folder / "map.toml")]
    return canasta("convert", path, "--to", "canasta", *options)


LONG = """\
game,deal,side,item,claimed
1,1,NS,melds,365
1,1,NS,out,100
1,1,NS,score,465
1,1,NS,total,465
1,1,EW,score,-85
1,1,EW,total,-85
"""
LONG_GAME = """\
[CGN "1"]

deal 1
score NS 465 = melds 365 out 100
score EW -85
total NS 465 EW -85
"""
SCORES = """\
[CGN "1"]

deal 1
score NS 465
score EW -85

deal 2
score NS 30
score EW 710
"""
TOTALS = """\
[CGN "1"]

deal 1
total NS 465 EW -85

deal 2
total NS 495 EW 625
"""

#: A sheet, its map, and the record that it becomes.
LAYOUTS = {
    "an item a row": (LONG, "", LONG_GAME),
    "an item a row, as audit prints it": (
        "file,game,deal,side,item,computed,claimed,agrees\n"
        "a.canasta,1,1,NS,melds,365,365,yes\n"
        "a.canasta,1,1,NS,natural,500,,\n"
        "a.canasta,1,1,NS,out,100,100,yes\n"
        "a.canasta,1,1,NS,score,965,465,no\n"
        "a.canasta,1,1,NS,total,965,465,no\n"
        "a.canasta,1,1,EW,score,-85,-85,yes\n"
        "a.canasta,1,1,EW,total,-85,-85,yes\n",
        "",
        LONG_GAME,
    ),
    "a deal and side a row": (
        "deal,side,melds,out,score,total\n1,NS,365,100,465,465\n1,EW,,,-85,-85\n",
        "",
        LONG_GAME,
    ),
    "semicolons, a byte-order mark, the line ends of Windows": (
        "\ufeffdeal;side;melds;out;score;total\r\n1;NS;365;100;465;465\r\n1;EW;;;-85;-85\r\n",
        "",
        LONG_GAME,
    ),
    "tabs, other capitals, blank rows and cells in quotes": (
        'Deal\tSide\tMelds\tOut\tSCORE\tTotal\n\n"1"\tns\t" 365 "\t100\t465\t465\n\t\t\t\t\t\n'
        "1\tEW\t\t\t\u221285\t-85\n",
        "",
        LONG_GAME,
    ),
    "a deal a row": ("deal,NS score,EW score\n1,465,-85\n2,30,710\n", "", SCORES),
    "a deal a row, no deal numbers, names the other way round": (
        "score_ns,score_ew\n465,-85\n30,710\n",
        "",
        SCORES,
    ),
    "a deal a row, called by the players": (
        "Round,We,They,Remarks\n1,465,-85,\n2,30,710,a long one\n",
        'deal = "Round"\n[NS]\nscore = "We"\n[EW]\nscore = "They"\n',
        SCORES,
    ),
    "totals only, a deal a row": ("deal,NS total,EW total\n1,465,-85\n2,495,625\n", "", TOTALS),
    "totals only, a deal and side a row, sides called by the players": (
        "deal,side,total\n1,We,465\n1,They,-85\n2,We,495\n2,They,625\n",
        '[sides]\nNS = "We"\nEW = "They"\n',
        TOTALS,
    ),
    "numbers of canastas, penalties as positive points, a dealer": (
        "deal,dealer,side,naturals,reds,cards,fines\n1,N,NS,1,2,275,100\n1,N,EW,0,0,0,0\n",
        'natural = { column = "naturals", times = 500 }\n'
        'red3 = { column = "reds", times = 100 }\n'
        'penalty = { column = "fines", times = -1 }\n'
        '[tags]\nEvent = "Kitchen"\n',
        '[CGN "1"]\n[Event "Kitchen"]\n\ndeal 1 dealer N\npenalty NS 100 house\n'
        "score NS 875 = natural 500 red3 200 cards 275 penalty -100\n"
        "score EW 0 = cards 0\n",
    ),
    "two games": (
        "game,deal,side,score\nMay,1,NS,465\nMay,1,EW,-85\nJune,1,NS,30\nJune,1,EW,710\n",
        "",
        '[CGN "1"]\n\ndeal 1\nscore NS 465\nscore EW -85\n\n'
        '[CGN "1"]\n\ndeal 1\nscore NS 30\nscore EW 710\n',
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str, tmp_path: Path) -> None:
    sheet, columns, record = LAYOUTS[name]
    result = read(sheet, tmp_path, columns)
    assert (result.exit_code, result.stdout) == (0, record), result.output


def test_other_sides_come_with_other_rules(tmp_path: Path) -> None:
    result = read("deal,N,S\n1,465,-85\n", tmp_path, "", "--rules", "classic-2p")
    assert result.stdout == '[CGN "1"]\n[Rules "classic-2p"]\n\ndeal 1\ntotal N 465 S -85\n'


def test_columns_left_out_are_named(tmp_path: Path) -> None:
    sheet, columns, _ = LAYOUTS["a deal a row, called by the players"]
    assert "columns left out: Remarks" in read(sheet, tmp_path, columns).stderr


# --- the real sheets, and claims that come back -------------------------------------------------


def claims(path: Path) -> list[object]:
    """Return what `audit` says about every deal of a record, game by game."""
    document = json.loads(canasta("audit", "--json", path).stdout)
    return [(game["deals"], game["result"]["totals"]) for game in document["files"][0]["games"]]


def test_the_real_score_sheets(tmp_path: Path) -> None:
    out = tmp_path / "sheets.canasta"
    sheet, columns = RECORDED / "score-sheets.csv", RECORDED / "score-sheets.toml"
    assert canasta("convert", sheet, "--columns", columns, "-o", out).exit_code == 0
    assert canasta("audit", out).exit_code == 0
    wanted = [claims(SAMPLES / f"score-sheet-{game}.canasta")[0] for game in (1, 2)]
    assert claims(out) == wanted


def claimed(path: Path) -> list[object]:
    """Return the figures that a record claims, except items of 0."""
    document = json.loads(canasta("audit", "--json", path).stdout)
    found: list[object] = []
    for game in document["files"][0]["games"]:
        for deal in game["deals"]:
            for side, each in deal["sides"].items():
                said = each["claimed"]
                items = {item: points for item, points in said["items"].items() if points}
                found.append((deal["deal"], side, items, said["score"], said["total"]))
    return found


@pytest.mark.parametrize("name", ["score-sheet-1", "score-sheet-2", "thursday-club"])
@pytest.mark.parametrize("through", ["audit", "convert"])
def test_claims_survive_a_round_trip(name: str, through: str, tmp_path: Path) -> None:
    record, sheet, back = SAMPLES / f"{name}.canasta", tmp_path / "a.csv", tmp_path / "b.canasta"
    if through == "audit":
        sheet.write_text(canasta("audit", "--csv", record).stdout)
    else:
        assert canasta("convert", record, "-o", sheet).exit_code == 0
        assert sheet.read_text() == canasta("audit", "--csv", record).stdout
    assert canasta("convert", sheet, "--rules", HOUSE, "-o", back).exit_code == 0
    assert claimed(back) == claimed(record)


# --- what cannot be read ------------------------------------------------------------------------

WRONG = {
    "a word": ("deal,side,score\n1,NS,many\n", "row 2, column 3 (score): 'many' is not a whole"),
    "a fraction": ("deal,side,score\n1,NS,4.5\n", "row 2, column 3 (score): '4.5' is not a whole"),
    "a side": (
        "deal,side,score\n1,XY,5\n",
        "row 2, column 2 (side): 'XY' is not a side (NS, EW; --rules for other rules,",
    ),
    "sides of other rules": (
        "deal,N,E,S\n1,5,5,5\n",
        "row 1: N, E and S are not sides of these rules (NS, EW); --rules is for other rules",
    ),
    "a deal": ("deal,side,score\n0,NS,5\n", "row 2, column 1 (deal): '0' is not the number of a"),
    "a dealer": ("deal,dealer,NS\n1,X,5\n", "row 2, column 2 (dealer): 'X' is not a seat"),
    "two dealers": (
        "deal,dealer,side,score\n1,N,NS,5\n1,E,EW,5\n",
        "row 3, column 2 (dealer): 'E' is a second dealer",
    ),
    "an item": (LONG + "1,1,EW,jackpot,5\n", "row 8, column 4 (item): 'jackpot' is not an item"),
    "a figure twice": (
        LONG + "1,1,EW,score,5\n",
        "row 8, column 5 (claimed): '5' is a second score of EW in deal 1, after row 6",
    ),
    "a cell too many": ("deal,NS,EW\n1,5,5,5\n", "row 2, column 4: '5' has no header"),
    "too much": ("deal,NS\n1,99999999\n", "row 2, column 2 (NS): '99999999' is not a whole"),
    "an unknown column": ("deal,NS,Luck\n1,5,5\n", "not a column of a score sheet: 'Luck'"),
    "no names": ("500,300\n", "row 1: the first row must name the columns, for example: deal, NS"),
    "a column twice": (
        "deal,NS,ns\n1,5,5\n",
        "row 1, column 3: 'ns' is a second column of NS",
    ),
    "no side": ("deal,score\n1,5\n", "there is no column `side` to say whose figures a row has"),
    "no deal": ("side,score\nNS,5\n", "row 1: there is no column `deal`"),
    "no figures": ("deal,dealer\n1,N\n", "row 1: no column is a figure"),
    "nothing claimed": ("deal,NS\n1,\n", "there are no figures in this sheet"),
    "a quote in a cell": (
        'deal,NS\n"1"x,5\n',
        "row 2: a quotation mark is not closed or, within a",
    ),
    "a quote left open": ('deal,NS\n1,"5\n', "row 2: a quotation mark is not closed"),
    "nothing": ("", "the sheet is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_sheets_write_nothing(name: str, tmp_path: Path) -> None:
    sheet, message = WRONG[name]
    (tmp_path / "sheet.csv").write_text(sheet)
    out = tmp_path / "out.canasta"
    out.write_text("as it was")
    result = canasta("convert", tmp_path / "sheet.csv", "-o", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert out.read_text() == "as it was"


def test_a_sheet_becomes_a_record_if_no_format_is_named(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("deal,NS,EW\n1,5,5\n")
    result = canasta("convert", "--from", "csv", tmp_path / "sheet.csv")
    assert result.exit_code == 0
    assert result.stdout == '[CGN "1"]\n\ndeal 1\ntotal NS 5 EW 5\n'


def test_lines_may_end_as_on_an_old_mac(tmp_path: Path) -> None:
    sheet = "deal;NS total;EW total\n1;5;10\n2;15;10\n"
    assert read(sheet.replace("\n", "\r"), tmp_path).stdout == read(sheet, tmp_path).stdout != ""


@pytest.mark.parametrize("row", [1, 2])
def test_a_cell_that_is_too_long_is_refused_with_its_row(row: int, tmp_path: Path) -> None:
    for length in (200_000, 100_000):
        rows = ["deal,NS,EW", "1,5,10"]
        rows[row - 1] += "x" * length
        result = read("\n".join(rows), tmp_path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"sheet.csv: row {row}" in result.stderr and len(result.stderr) < 1000


def test_every_wrong_cell_is_named_up_to_a_limit(tmp_path: Path) -> None:
    rows = "".join(f"{deal},x,5\n" for deal in range(1, 31))
    stderr = read("deal,NS,EW\n" + rows, tmp_path).stderr
    assert stderr.count("is not a whole number") == 20
    assert stderr.endswith("and 10 more\n")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("melds = 5", "melds: write the name of a column"),
        ('jackpot = "J"', "jackpot: is not one of"),
        ('[NS]\ndealer = "D"', "NS.dealer: is not one of"),
        ("sides = 5", "sides: is a table of texts"),
        ('NS = "We"', "NS: write the name of a side below the line [sides]"),
        ('[sides]\nXY = "We"', "sides: XY is not a side"),
        ('[tags]\n"A B" = "x"', "tags: A B: cannot be written as a tag"),
        ('[tags]\nCGN = "2"', "tags: CGN: is always 1"),
        (
            "deal = Round",
            ":1:8: this is no value; write a text in quotes",
        ),
        ('score = "Points"', "there is no column 'Points', which --columns names for score"),
        ('[N]\nscore = "NS"', "N is not a side of these rules (NS, EW)"),
        ('[sides]\nN = "NS"', "'NS': N is not a side of these rules (NS, EW); --rules is for"),
    ],
)
def test_wrong_maps(columns: str, message: str, tmp_path: Path) -> None:
    result = read("deal,NS,EW\n1,5,5\n", tmp_path, columns)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.canasta"], "the format to write is not known; use --to"),
        (["a.csv", "-o", "out.txt"], "-o out.txt: its suffix names no format; use --to"),
        (["a.txt", "--to", "json"], "a.txt: its suffix names no format; use --from"),
        (["a.csv", "--to", "csv"], "the input is already CSV"),
        (["a.canasta", "--to", "json", "--rules", "classic"], "can be used only with score sheets"),
        (["a.txt", "--from", "nope"], "Invalid value for '--from': 'nope' is not one of"),
        (["missing.csv", "--to", "json"], "missing.csv: no such file"),
        (["a.csv", "--to", "json", "--rules", "poker"], "there is no profile poker"),
    ],
)
def test_wrong_usage(
    args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("deal,NS,EW\n1,5,5\n")
    (tmp_path / "a.canasta").write_text(LONG_GAME)
    (tmp_path / "a.txt").write_text(LONG_GAME)
    result = canasta("convert", *args)
    assert result.exit_code == 2
    assert message in result.stderr


def test_any_sheet_is_read_or_refused(tmp_path: Path) -> None:
    """Sheets with cells, separators and lines changed at random are read or refused in words."""
    rng = random.Random(11)
    sheets = [sheet for sheet, _, _ in LAYOUTS.values()]
    for _ in range(300):
        text = list(rng.choice(sheets))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text))
            text[at] = rng.choice(["", "\n", ",", ";", '"', "\t", "\x00", "-", "9" * 12, "é"])
        result = read("".join(text), tmp_path)
        assert result.exit_code in (0, 2), result.output
        assert "internal error" not in result.output
        if result.exit_code == 0:
            assert not any(reading.problems for reading in read_text(result.stdout))


def test_the_map_has_columns_for_a_side_and_for_none() -> None:
    columns = column_map({"NS": {"score": "We"}, "deal": "Round"})
    assert {name: source.header for name, source in columns.columns.items()} == {
        ("NS", "score"): "We",
        ("", "deal"): "Round",
    }
