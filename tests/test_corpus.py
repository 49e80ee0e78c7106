"""A corpus: its tables, that a build resumes, and that its bytes depend only on the records."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.cli_records import KINDS, VERIFIED
from tests.programs import canasta, contents, program, shut_out
from tests.random_games import SAMPLED, rules_named

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

import pyarrow.parquet as pq

from canasta_notation.batch.parts import FilePart, Input, Work, work_part
from canasta_notation.cards import parse_cards
from canasta_notation.cli.files import find_sources
from canasta_notation.cli.installing import how_to_install
from canasta_notation.cli.streaming import input_of
from canasta_notation.corpus.build import Built, build_corpus, schema_of
from canasta_notation.corpus.collect import collect, collect_verified
from canasta_notation.corpus.columns import MEANT, SCHEMA_VERSION, TABLES, Tables
from canasta_notation.corpus.query import QUESTIONS, Corpus
from canasta_notation.engine.side import tabled_threes
from canasta_notation.engine.table import Table
from canasta_notation.notation.format import format_game
from canasta_notation.notation.json_form import format_json, join_json
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.rules import load_profile
from canasta_notation.scan.verified import VerifiedGame
from canasta_notation.storage import BadFile

ROOT = Path(__file__).parent.parent


def inputs_of(folder: Path) -> list[Input]:
    return [Input(path.name, str(path)) for path in sorted(folder.glob("*.canasta"))]


@pytest.fixture
def corpus(records: Path, tmp_path: Path) -> Any:
    """Return the function that queries the corpus of those records."""
    build_corpus(inputs_of(records), tmp_path / "out")
    with Corpus(tmp_path / "out") as opened:
        yield lambda sql: list(opened.ask(sql).rows)


# --- tables -------------------------------------------------------------------------------------


def test_games(corpus: Any) -> None:
    columns = "file, verdict, deals, turns, errors, winner, finished, totals, result_tag"
    rows = {row[0].split(".")[0]: row[1:] for row in corpus(f"SELECT {columns} FROM games")}
    assert rows["true"] == (
        "verified", 1, 61, 0, None, False, [460, 225], "NS 460 EW 225",
    )  # fmt: skip
    assert rows["broken"][:4] == ("contradicted", 1, 4, 3)
    assert rows["sheet"][:3] == ("undetermined", 1, 0)
    assert corpus("SELECT names, seats, target FROM games WHERE file = 'true.canasta'") == [
        (["Ana", "[red]Bruno[/red]", "Carla", "Dario"], ["N", "E", "S", "W"], 5000)
    ]


def test_deals(corpus: Any) -> None:
    columns = "dealer, ended, ended_by, concealed, turns, replayed, takes, opening_turn"
    assert corpus(f"SELECT {columns}, stock, scores FROM deals WHERE file = 'true.canasta'") == [
        ("W", "out", "N", False, 61, 61, 2, 1, 0, [460, 225])
    ]
    assert corpus("SELECT turns, replayed FROM deals WHERE file = 'broken.canasta'") == [(4, 3)]
    assert corpus("SELECT sheet, stock, scores FROM deals WHERE file = 'sheet.canasta'") == [
        (True, None, [None, None])
    ]


def test_turns(corpus: Any) -> None:
    columns = (
        "seat, side, took, pile, draw, laid, labels, opening, canastas, discard, went_out, hand"
    )
    rows = corpus(f"SELECT turn, {columns}, seconds FROM turns WHERE file = 'true.canasta'")
    assert [row[0] for row in rows] == list(range(1, 62))
    assert rows[0] == (
        1, "N", "NS", False, None, "7d", 8, "K8", 80, 0, "7d", False, 3, 12.5,
    )  # fmt: skip
    assert rows[2][6:10] == (3, "K", None, 1)
    assert rows[59][3:10] == (True, 60, None, 5, "9A", 90, 0)
    assert rows[60][3:13] == (True, 1, None, 2, "Q", None, 0, "4c", True, 0)
    unseen = corpus("SELECT draw, hand, stock FROM turns WHERE file = 'unseen.canasta'")
    assert unseen[0][:2] == ("_", 11)


def test_the_pile_and_the_groups_of_a_turn(corpus: Any) -> None:
    columns = "turn, frozen, taken_frozen, laid_groups, missed"
    rows = corpus(f"SELECT {columns} FROM turns WHERE file = 'true.canasta'")
    assert rows[0] == (1, False, None, ["K:KhKhKdKd", "8:8s8h8d8c"], None)
    # Under the profile, the pile is frozen for a side that has not opened.
    assert rows[59:] == [
        (60, False, True, ["9:9s9d", "A:AsAdAc"], None),
        (61, False, False, ["Q:QsQd"], None),
    ]


def test_the_cards_dealt(corpus: Any) -> None:
    assert corpus("SELECT file, up FROM deals WHERE file < 't' ORDER BY file") == [
        ("broken.canasta", "Js"),
        ("false.canasta", "Js"),
        ("sheet.canasta", None),
    ]
    rows = corpus("SELECT seat, dealt, replaced, tabled FROM facts WHERE file = 'true.canasta'")
    assert rows[:2] == [
        ("N", "4c8s8h8d8cQsQdKhKhKdKd", "", ""),
        ("E", "3h3h3s3s3c3c5hTcJsJc2c", "7h8c", "3h3h"),
    ]
    unseen = corpus("SELECT dealt, replaced, tabled FROM facts WHERE file = 'unseen.canasta'")
    assert unseen == [(None, None, None)] * 4


def test_the_sides_of_a_deal(corpus: Any) -> None:
    columns = "side, score, total, items['hand'], items, opened, canastas, threes, result"
    rows = corpus(f"SELECT {columns} FROM sides WHERE file = 'true.canasta'")
    won = {"melds": 140, "natural": 500, "out": 100, "hand": -280}
    lost = {"melds": 90, "red3": 800, "hand": -665}
    assert rows == [
        ("NS", 460, 460, -280, won, True, 1, 0, "won"),
        ("EW", 225, 225, -665, lost, True, 0, 4, "lost"),
    ]
    unknown = "SELECT opened, canastas, threes, result FROM sides WHERE file = 'sheet.canasta'"
    assert corpus(unknown) == [(None, None, None, None)] * 2


def test_no_name_is_a_word_of_sql_or_means_two_things(corpus: Any) -> None:
    """A column that several tables have holds the same in each: type, unit and, mostly, words."""
    words = {
        *corpus("SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category != 'unreserved'")
    }
    kinds: dict[str, set[tuple[str, str]]] = {}
    for columns in TABLES.values():
        for column in columns:
            assert (column.name,) not in words and column.name not in MEANT, column.name
            kinds.setdefault(column.name, set()).add((column.type, column.unit))
    assert {name: kind for name, kind in kinds.items() if len(kind) > 1} == {}
    for word, name in MEANT.items():
        table = next(table for table, each in TABLES.items() if name in {c.name for c in each})
        with pytest.raises(BadFile, match=f"; the column is named {name}$"):
            corpus(f"SELECT {word} FROM {table}")


def test_missed_chances_are_found_on_request(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    columns = "SELECT turn, missed FROM turns WHERE file = 'true.canasta' AND len(missed) > 0"
    build = ("corpus", "build", records, "-o", out)
    assert "1 shard built" in canasta(*build).stdout
    with Corpus(out) as opened:
        assert not list(opened.ask(columns).rows)
    assert "1 shard built" in canasta(*build, "--chances").stdout
    with Corpus(out) as opened:
        assert list(opened.ask(columns).rows)[:2] == [(3, ["canasta"]), (4, ["open"])]
        query = "SELECT DISTINCT missed FROM turns WHERE file = 'unseen.canasta'"
        assert list(opened.ask(query).rows) == [(None,)]


def note_deal(deals: list[Table], moment: Moment) -> None:
    """Note the table of each deal; the replay changes it to the deal's end."""
    del deals[moment.deal - 1 :]
    deals.append(moment.table)


@pytest.mark.parametrize("profile", ["classic", "classic-3p", "american-4p", "bga"])
def test_every_three_on_the_table_has_a_seat_that_put_it_there(profile: str) -> None:
    """Also the threes that a taken pile or a talon holds, and not those kept in a hand."""
    games = [play_game(load_profile(profile), seed, deals=3) for seed in (1, 2, 3)]
    rows, _ = rows_of("\n".join(map(format_game, games)).encode(), fast=True)
    found: dict[tuple[int, int, str], list[int]] = {}
    names = [column.name for column in TABLES["facts"]]
    for row in zip(*rows["facts"], strict=True):
        fact = dict(zip(names, row, strict=True))
        threes = found.setdefault((fact["game"], fact["deal"], fact["side"]), [])
        threes += parse_cards(fact["tabled"])
    expected = {}
    for number, game in enumerate(games, 1):
        deals: list[Table] = []
        replay_game(game, number, observer=partial(note_deal, deals))
        for deal, table in enumerate(deals, 1):
            for side, name in enumerate(table.rules.sides):
                expected[number, deal, name] = tabled_threes(table, side)
    assert {key: sorted(threes) for key, threes in found.items()} == expected
    assert any(expected.values())


def test_melds(corpus: Any) -> None:
    columns = "side, label, cards, naturals, canasta, concealed, card_points, begun_turn"
    where = "WHERE file = 'true.canasta' ORDER BY side, label"
    rows = corpus(f"SELECT {columns}, canasta_turn FROM melds {where}")
    assert rows == [
        ("EW", "9", 3, 3, None, False, 30, 60, None),
        ("EW", "A", 3, 3, None, False, 60, 60, None),
        ("NS", "8", 4, 4, None, False, 40, 1, None),
        ("NS", "K", 7, 7, "natural", False, 70, 1, 3),
        ("NS", "Q", 3, 3, None, False, 30, 61, None),
    ]


def test_score_items(corpus: Any) -> None:
    columns = "side, item, points, claimed, agrees"
    rows = corpus(f"SELECT {columns} FROM score_items WHERE file = 'false.canasta'")
    assert ("EW", "red3", 800, 700, False) in rows and ("NS", "out", 100, 100, True) in rows
    assert sum(row[2] for row in rows) == 460 + 225
    rows = corpus(f"SELECT {columns} FROM score_items WHERE file = 'sheet.canasta'")
    assert rows == [
        ("NS", "melds", None, 365, None),
        ("NS", "red3", None, 100, None),
        ("NS", "hand", None, -220, None),
    ]


def test_findings_are_those_of_the_replay(tmp_path: Path) -> None:
    texts = list(KINDS.values())
    for path in sorted((ROOT / "tests" / "rulings").glob("*.toml")):
        texts += [case["record"] for case in tomllib.loads(path.read_text("utf-8"))["case"][::3]]
    expected = []
    inputs = []
    for at, text in enumerate(texts):
        path = tmp_path / f"{at:04}.canasta"
        path.write_text(text, "utf-8")
        inputs.append(Input(path.name, str(path)))
        for number, reading in enumerate(read_text(text), 1):
            report = replay_game(reading.game, number)
            expected += [
                (path.name, number, each.deal, each.turn, *each.span, each.code, each.message)
                for each in report.findings
            ]
    build_corpus(inputs, tmp_path / "out")
    with Corpus(tmp_path / "out") as opened:
        columns = "file, game, deal, turn, line, start_column, end_column, code, message"
        assert list(opened.ask(f"SELECT {columns} FROM findings").rows) == expected


def rows_of(data: bytes, *, fast: bool) -> tuple[dict[str, list[Any]], int]:
    """Return the columns of every table for some games, and how many games the fast path read."""
    tables = Tables()
    verified: list[VerifiedGame] = []

    def add_verified(name: str, game: VerifiedGame) -> None:
        verified.append(game)
        collect_verified(tables, name, game)

    work = Work(partial(collect, tables), add_verified if fast else None, rows=True)
    part = FilePart(Input("a", None), end=len(data), data=data)
    assert work_part(part, work).trouble is None
    return {rows.table: list(rows.columns) for rows in tables}, len(verified)


def test_an_impossible_claim_of_an_item_that_is_not_known_is_false() -> None:
    """The table does not say which threes EW tabled; none of them count 250."""
    text = """\
[CGN "1"]

deal 1 dealer W
end out S
melds NS 5:5555555
melds EW 7:777
threes NS
left N
left E
left W
score EW {score} = melds 15 red3 {red3}
"""
    data = (text.format(score=265, red3=250) + text.format(score=215, red3=200)).encode()
    rows, _ = rows_of(data, fast=False)
    _, _, _, side, item, points, claimed, agrees = rows["score_items"]
    found = list(zip(side, item, points, claimed, agrees, strict=True))
    assert [row[1:] for row in found if row[0] == "EW"] == [
        ("melds", 15, 15, True),
        ("red3", None, 250, False),
        ("melds", 15, 15, True),
        ("red3", None, 200, None),
    ]


def played(rules: str) -> bytes:
    """Return a random game under some rules."""
    return format_game(play_game(rules_named(rules), 5, deals=3)).encode()


def samples() -> bytes:
    """Return the samples with comments between them."""
    files = [path.read_bytes() for path in sorted((ROOT / "samples").glob("*.canasta"))]
    return b"\n; between\n\n".join(files)


def rulings() -> bytes:
    found = [
        case["record"].replace('[CGN "1"]', f'[CGN "1"]\n[Rules "{case["profiles"][0]}"]', 1)
        for path in sorted((ROOT / "tests" / "rulings").glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
        if "overrides" not in case
    ]
    return "\n".join(found).encode()


#: Records of every kind; under the last of the rules, what was laid is taken back.
RECORDS: dict[str, Callable[[], bytes]] = {
    "samples": samples,
    "texts": "\n".join(KINDS.values()).encode,
    "rulings": rulings,
    **{name: partial(played, name) for name in (*SAMPLED, "american-4p opening.raise=10")},
}


@pytest.mark.parametrize("kind", RECORDS)
def test_rows_of_verified_games_are_those_of_the_replay(kind: str) -> None:
    data = RECORDS[kind]()
    slow, none = rows_of(data, fast=False)
    fast, some = rows_of(data, fast=True)
    assert some and not none
    for table, columns in slow.items():
        for column, expected, found in zip(TABLES[table], columns, fast[table], strict=True):
            assert found == expected, (table, column.name)


#: The columns that have one value in every game that the fast path verifies.
ALIKE = {
    "games": {"file", "verdict", "errors", "warnings", "notes"},
    "deals": {"file", "sheet", "verdict"},
    "sides": {"file"},
    "turns": {"file", "missed"},
    "facts": {"file"},
    "melds": {"file", "unknown"},
    "score_items": {"file"},
}


def test_the_games_compared_show_every_column_with_several_values() -> None:
    """Otherwise a column that the fast path always leaves empty would seem right."""
    values: dict[str, dict[str, set[str]]] = {table: {} for table in ALIKE}
    for data in (make() for make in RECORDS.values()):
        tables = Tables()
        verified = partial(collect_verified, tables)
        work = Work(lambda _name, _reading, _number: None, verified, rows=True)
        assert work_part(FilePart(Input("a", None), end=len(data), data=data), work).trouble is None
        for rows in tables:
            for column, found in zip(TABLES[rows.table], rows.columns, strict=True):
                if rows.table != "findings":
                    values[rows.table].setdefault(column.name, set()).update(map(repr, found))
    alike = {
        table: {name for name, found in columns.items() if len(found) < 2}
        for table, columns in values.items()
    }
    assert alike == ALIKE


def test_every_meld_and_every_canasta_has_the_turn_that_made_it(tmp_path: Path) -> None:
    games = [play_game(load_profile(name), 5, deals=4) for name in SAMPLED]
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "many.canasta").write_text("\n".join(map(format_game, games)), "utf-8")
    build_corpus(inputs_of(folder), tmp_path / "out")
    with Corpus(tmp_path / "out") as opened:
        [(melds, begun, canastas, made)] = opened.ask(
            "SELECT count(*), count(begun_turn), count(canasta), count(canasta_turn) FROM melds"
        ).rows
        [(completed, ranks)] = opened.ask("SELECT sum(canastas), sum(len(labels)) FROM turns").rows
    assert (begun, made, completed) == (melds, canastas, canastas)
    assert ranks >= melds


#: The version of the tables, and a fingerprint of the names, types and units of their columns.
COLUMNS = (7, "5d8d61578bd3a917")


def test_the_version_rises_with_the_columns() -> None:
    """If this fails, raise SCHEMA_VERSION by one; then write here the version and fingerprint."""
    columns = [(name, *each[:3]) for name, table in TABLES.items() for each in table]
    assert (SCHEMA_VERSION, sha256(repr(columns).encode()).hexdigest()[:16]) == COLUMNS


def test_every_column_is_described(records: Path, tmp_path: Path) -> None:
    build_corpus(inputs_of(records), tmp_path / "out")
    for table, columns in TABLES.items():
        [path] = (tmp_path / "out" / table).iterdir()
        schema = pq.read_schema(path)
        assert schema.names == [column.name for column in columns]
        assert schema.equals(schema_of(table))
        described = [schema.field(column.name).metadata[b"about"].decode() for column in columns]
        assert described == [column.about for column in columns]
        assert schema.metadata[b"canasta.schema_version"] == str(SCHEMA_VERSION).encode()
        assert json.loads(schema.metadata[b"canasta.columns"])[0]["name"] == "file"
        assert all(column.about.endswith(".") for column in columns)


# --- building -----------------------------------------------------------------------------------


def test_the_same_bytes_from_any_number_of_processes(records: Path, tmp_path: Path) -> None:
    long = "\n".join(list(KINDS.values()) * 5)
    (records / "long.canasta").write_text(long, "utf-8")
    built = [
        build_corpus(inputs_of(records), tmp_path / str(jobs), jobs=jobs, shard_size=3000)
        for jobs in (1, 2, 3)
    ]
    assert built[0].built > 5 and built[0] == built[1] == built[2]
    assert contents(tmp_path / "1") == contents(tmp_path / "2") == contents(tmp_path / "3")
    with Corpus(tmp_path / "2") as opened:
        numbers = "SELECT game FROM games WHERE file = 'long.canasta'"
        assert [row[0] for row in opened.ask(numbers).rows] == list(range(1, 26))


def stopped_build(records: Path, out: Path, shards: int = 2) -> None:
    """Build a corpus until `shards` shards are done, then end as after Ctrl-C."""

    def run(function: Any, values: Iterable[Any]) -> Iterator[Any]:
        for at, value in enumerate(values):
            if at == shards:
                (out / "turns" / f".{value.name}.parquet.{'0' * 32}.tmp").write_bytes(b"half")
                (out / "turns" / f"{value.name}.parquet").write_bytes(b"half")
                raise KeyboardInterrupt
            yield function(value)

    with pytest.raises(KeyboardInterrupt):
        build_corpus(inputs_of(records), out, shard_size=800, run=run)


def test_a_build_resumes(records: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    build_corpus(inputs_of(records), whole, shard_size=800)
    stopped_build(records, out)
    with pytest.raises(BadFile, match="was not finished"):
        Corpus(out)
    built = build_corpus(inputs_of(records), out, shard_size=800)
    assert built.kept == 2 and built.built > 0
    assert contents(out) == contents(whole)
    assert build_corpus(inputs_of(records), out, shard_size=800).built == 0


@pytest.mark.parametrize("stop", [True, False])
def test_only_what_a_build_wrote_is_removed(records: Path, tmp_path: Path, stop: bool) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    if stop:
        stopped_build(records, out)
    else:
        build_corpus(inputs_of(records), out, shard_size=800)
    foreign = {
        name: name.encode()
        for name in (
            "notes.txt", "games/mine.parquet", "turns/.mine.tmp", "deals/0123456789abcdef.parquet",
            f"melds/.0123456789abcdef.parquet.{'0' * 32}.tmp", ".manifest.json.notes.tmp",
        )
    }  # fmt: skip
    for name, data in foreign.items():
        (out / name).write_bytes(data)
    (records / "true.canasta").write_text(VERIFIED + "; more\n", "utf-8")
    build_corpus(inputs_of(records), out, shard_size=800)
    build_corpus(inputs_of(records), whole, shard_size=800)
    assert contents(out) == contents(whole) | foreign


@pytest.mark.parametrize(
    "files",
    [
        {"games/mine.parquet": b"PAR1"},
        {"manifest.json": b'{"name": "my web app", "shards": []}'},
        {"manifest.json": b"[]"},
        {"manifest.json": b"not JSON"},
        {"manifest.json": b"[" * 100_000},
        {"building.jsonl": b'{"corpus": "of mine"}\n{"shards": []}\n'},
        {"building.jsonl": b""},
    ],
)
def test_a_folder_of_something_else_is_left_alone(
    records: Path, tmp_path: Path, files: dict[str, bytes]
) -> None:
    out = tmp_path / "out"
    for name, data in files.items():
        (out / name).parent.mkdir(parents=True)
        (out / name).write_bytes(data)
    result = canasta("corpus", "build", records, "-o", out)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    said = ("neither empty nor a corpus", "not a file of a corpus")
    assert any(each in result.stderr for each in said)
    assert contents(out) == files
    assert canasta("corpus", "query", out, "SELECT 1").exit_code == 2


# --- damage -------------------------------------------------------------------------------------


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def link(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))
    path.symlink_to(path.with_suffix(".elsewhere"))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [cut, flip, Path.unlink, link, folder])
def test_a_damaged_corpus(records: Path, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out, shard_size=800)
    before = contents(out)
    assert canasta("corpus", "check", out).stdout.endswith(" shards, 0 files damaged\n")
    path = min((out / "turns").iterdir())
    harm(path)
    result = canasta("corpus", "check", out)
    assert result.exit_code == 1 and result.stdout.startswith(f"{path}: ")
    for question in (("query", out, "SELECT * FROM turns"), ("stats", out)):
        result = canasta("corpus", *question)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"canasta: {path}: ") and "repairs it" in result.stderr
    assert build_corpus(inputs_of(records), out, shard_size=800).built == 1
    path.with_suffix(".elsewhere").unlink(missing_ok=True)
    assert canasta("corpus", "check", out).exit_code == 0
    assert contents(out) == before


@pytest.mark.parametrize("harm", [cut, Path.unlink])
def test_a_corpus_without_a_manifest_is_built_again(
    records: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out)
    before = contents(out)
    harm(out / "manifest.json")
    (out / "turns" / "mine.parquet").write_bytes(b"PAR1")
    assert canasta("corpus", "check", out).exit_code == 2
    assert canasta("corpus", "build", records, "-o", out).stderr.count("out") == 0
    assert contents(out) == before | {"turns/mine.parquet": b"PAR1"}
    result = canasta("corpus", "check", out)
    assert result.exit_code == 1 and result.stdout.endswith(
        "mine.parquet: is not a file of this corpus\n1 shard, 0 files damaged, 1 file foreign\n"
    )
    (out / "turns" / "mine.parquet").unlink()
    assert canasta("corpus", "check", out).exit_code == 0


def test_a_manifest_cannot_lead_elsewhere(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["shards"][0]["shard"] = "../../elsewhere"
    (out / "manifest.json").write_text(json.dumps(manifest))
    for command in (("query", out, "SELECT 1"), ("check", out)):
        result = canasta("corpus", *command)
        assert result.exit_code == 2 and "a shard has a wrong name" in result.stderr
    canasta("corpus", "build", records, "-o", out)
    assert canasta("corpus", "check", out).exit_code == 0


def test_tables_that_are_links(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out)
    (out / "games").rename(tmp_path / "elsewhere")
    (out / "games").symlink_to(tmp_path / "elsewhere")
    assert "is a link" in canasta("corpus", "build", records, "-o", out).stderr
    assert "is a link" in canasta("corpus", "query", out, "SELECT 1").stderr


@pytest.mark.parametrize("form", ["canasta", "json"])
def test_a_record_that_changes_while_it_is_built(records: Path, tmp_path: Path, form: str) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    path = records / f"true.{form}"
    if form == "json":
        [reading] = read_text(VERIFIED)
        path.write_text("".join(join_json([format_json(reading.game)])), "utf-8")
    [source] = find_sources([str(path)])[0]
    inputs = [input_of(source)]
    build_corpus(inputs, whole)
    text = path.read_text("utf-8")

    def run(function: Any, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            path.write_text(text.replace("Montevideo", "Montevidee"), "utf-8")
            yield function(value)

    with pytest.raises(BadFile, match="changed while the corpus was built"):
        build_corpus(inputs, out, run=run)
    path.write_text(text, "utf-8")
    build_corpus(inputs, out)
    assert contents(out) == contents(whole)


def test_two_builds_at_once(records: Path, tmp_path: Path) -> None:
    def run(function: Any, values: Iterable[Any]) -> Iterator[Any]:
        result = canasta("corpus", "build", records, "-o", tmp_path / "out")
        assert result.exit_code == 2
        assert f"another build is writing this corpus (process {os.getpid()})" in result.stderr
        yield from map(function, values)

    assert build_corpus(inputs_of(records), tmp_path / "out", run=run).built == 1


def test_records_that_change_are_built_again(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = build_corpus(inputs_of(records), out, shard_size=1 << 30)
    (records / "true.canasta").write_text(VERIFIED + "; more\n", "utf-8")
    (records / "zero.canasta").write_bytes(b"\0" * 9)
    second = build_corpus(inputs_of(records), out, shard_size=1 << 30)
    assert second == Built(1, 0, first.rows, (second.trouble[0],))
    assert "zero.canasta: not text" in second.trouble[0]
    assert len(list((out / "games").iterdir())) == 1
    again = build_corpus(inputs_of(records), out, shard_size=1 << 30)
    assert again == Built(0, 1, first.rows, second.trouble)


def test_another_folder_is_left_alone(records: Path) -> None:
    before = sorted(path.name for path in records.iterdir())
    with pytest.raises(BadFile, match="neither empty nor a corpus"):
        build_corpus(inputs_of(records), records)
    assert sorted(path.name for path in records.iterdir()) == before


# --- commands -----------------------------------------------------------------------------------


def test_commands(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (records / "deep").mkdir()
    (records / "true.canasta").rename(records / "deep" / "true.canasta")
    result = canasta("corpus", "build", records, "-o", out)
    assert result.exit_code == 0 and "5 games, 5 deals" in result.stdout
    assert "0 shards built, 1 kept" in canasta("corpus", "build", records, "-o", out).stdout
    query = "SELECT file, totals FROM games WHERE verdict = 'verified'"
    row = {"file": "deep/true.canasta", "totals": [460, 225]}
    assert json.loads(canasta("corpus", "query", out, query, "--json").stdout) == [row]
    lines = list(csv.reader(io.StringIO(canasta("corpus", "query", out, query, "--csv").stdout)))
    assert lines == [["file", "totals"], ["deep/true.canasta", "[460, 225]"]]
    assert "deep/true.canasta" in canasta("corpus", "query", out, query).stdout
    reports = json.loads(canasta("corpus", "stats", out, "--json").stdout)
    assert list(reports) == [question.name for question in QUESTIONS]
    assert {row["ended"] for row in reports["endings"]} == {"out", "open or not known"}
    shown = canasta("corpus", "stats", out).stdout
    assert all(question.title in shown for question in QUESTIONS)
    assert max(map(len, shown.splitlines())) <= 80
    assert canasta("corpus", "build", records / "deep", "-o", tmp_path / "one").exit_code == 0
    assert canasta("corpus", "stats", tmp_path / "one").stdout.endswith(
        "The most frequent findings\nnone\n"
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELEC 1",
        "SELECT nothing FROM games",
        "SELECT 1; SELECT 2",
        "",
        "DROP VIEW games",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "COPY games TO '/tmp/stolen.csv'",
        "ATTACH '/tmp/other.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM sys",
    ],
)
def test_a_query_that_cannot_be_answered(records: Path, tmp_path: Path, sql: str) -> None:
    build_corpus(inputs_of(records), tmp_path / "out")
    for form in ([], ["--json"], ["--csv"]):
        result = canasta("corpus", "query", tmp_path / "out", sql, *form)
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.startswith("canasta: query: ") and result.stderr.count("\n") == 1


def test_a_query_may_begin_with_a_comment_and_come_from_standard_input(
    records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out)
    query = ("corpus", "query")
    for sql in (
        "-- how many\nSELECT 7 AS n",
        "--json=\nSELECT 7 AS n",
        "--\tcount\r\n--json\nSELECT 7 AS n",
        "/* one */ SELECT 7 AS n",
    ):
        for args in ((out, sql, "--csv"), ("--csv", out, sql), ("--csv", "--", out, sql)):
            shown = canasta(*query, *args)
            assert (shown.exit_code, shown.stdout) == (0, "n\n7\n"), shown.output
        assert canasta(*query, out, "-", "--csv", stdin=sql).stdout == "n\n7\n"
        assert canasta(*query, out, "-", "--csv", stdin=f"\ufeff{sql}").stdout == "n\n7\n"
    assert canasta(*query, out, "-", stdin="").stderr == "canasta: query: write one statement\n"
    assert canasta(*query, out, "-- only words").stderr.endswith("query: write one statement\n")
    assert "byte 8 is not UTF-8" in canasta(*query, out, "-", stdin=b"SELECT \xff").stderr
    for typo in ("--jsn", "--timeout=1 2"):
        wrong = canasta(*query, out, "SELECT 7", typo)
        assert wrong.exit_code == 2 and typo.partition("=")[0] in wrong.stderr


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT count(*) FROM range(1000000000) a, range(1000000000) b", "within 0.5 seconds"),
        ("SELECT i FROM range(10000000000) t(i)", "within 0.5 seconds"),
        ("SELECT list(i) FROM range(1000000000) t(i)", "more than 64 MiB of memory"),
    ],
)
def test_a_query_has_limits(records: Path, tmp_path: Path, sql: str, words: str) -> None:
    build_corpus(inputs_of(records), tmp_path / "out")
    limits = ("--memory", "64") if "MiB" in words else ("--timeout", "0.5")
    result = canasta("corpus", "query", tmp_path / "out", sql, "--json", *limits)
    assert result.exit_code == 2 and result.stdout == ""
    assert words in result.stderr and result.stderr.count("\n") == 1


def test_a_query_shows_times(records: Path, tmp_path: Path) -> None:
    build_corpus(inputs_of(records), tmp_path / "out")
    sql = "SELECT TIMESTAMPTZ '2026-11-24 12:00:00+00' AS at, DATE '2026-11-24' AS day"
    shown = json.loads(canasta("corpus", "query", tmp_path / "out", sql, "--json").stdout)
    assert datetime.fromisoformat(shown[0]["at"]) == datetime(2026, 11, 24, 12, tzinfo=UTC)
    assert shown[0]["day"] == "2026-11-24"


def test_an_interrupt_ends_a_build(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("canasta_notation.corpus.build.build_corpus", interrupted)
    result = canasta("corpus", "build", records, "-o", tmp_path / "out")
    assert result.exit_code == 130
    assert result.stderr == "canasta: stopped; the same command continues from here\n"


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_a_query(records: Path, tmp_path: Path) -> None:
    build_corpus(inputs_of(records), tmp_path / "out")
    sql = "SELECT max(i % 7) FROM range(10000000000000) t(i)"
    with Corpus(tmp_path / "out") as opened:
        Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            opened.ask(sql)


def test_answers_in_every_form(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_corpus(inputs_of(records), out)
    result = canasta("corpus", "query", out, "SELECT 1 AS a, 2 AS a", "--json")
    assert result.exit_code == 2 and "two columns are called a" in result.stderr
    assert canasta("corpus", "query", out, "SELECT 1 AS a, 2 AS a", "--csv").stdout == "a,a\n1,2\n"
    pivot = "PIVOT games ON verdict USING count(*) GROUP BY rules"
    assert (
        json.loads(canasta("corpus", "query", out, pivot, "--json").stdout)[0]["contradicted"] == 2
    )
    cells = "SELECT '=cmd' AS a, '-1' AS b, -1 AS c, ['x', NULL] AS d, {'k': true} AS e"
    lines = list(csv.reader(io.StringIO(canasta("corpus", "query", out, cells, "--csv").stdout)))
    assert lines[1] == ["'=cmd", "'-1", "-1", '["x", null]', '{"k": true}']
    many = canasta("corpus", "query", out, "SELECT i FROM range(1500) t(i)")
    assert len(many.stdout.splitlines()) == 1002 and "the first 1000 rows" in many.stderr


def test_unreadable_paths_are_named(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (records / "shut").mkdir()
    (records / "gone.canasta").symlink_to(records / "nowhere")
    os.mkfifo(records / "pipe.canasta")
    shut_out(monkeypatch, "shut")
    result = canasta("corpus", "build", records, "-o", tmp_path / "out")
    assert result.exit_code == 2 and "5 games" in result.stdout
    assert sorted(result.stderr.splitlines()) == [
        f"canasta: {records / 'shut'}: permission denied",
        "canasta: gone.canasta: not a file; a corpus is built from files",
    ]


def test_trouble(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert canasta("corpus", "build", tmp_path / "nowhere", "-o", tmp_path / "out").exit_code == 2
    assert "not a corpus" in canasta("corpus", "stats", tmp_path).stderr
    (records / "empty.canasta").write_bytes(b"")
    result = canasta("corpus", "build", records, "-o", tmp_path / "out")
    assert result.exit_code == 2 and "5 games" in result.stdout
    assert result.stderr == "canasta: empty.canasta: there is no game in this file\n"
    for module in ("build", "query"):
        monkeypatch.delitem(sys.modules, f"canasta_notation.corpus.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    missing = canasta("corpus", "build", records, "-o", tmp_path / "o").stderr
    assert missing == f"canasta: this needs pyarrow; {how_to_install('corpus')}\n"


def test_a_final_table_says_nothing_about_the_stock_or_turns(tmp_path: Path) -> None:
    sample = Path(__file__).parent.parent / "samples" / "final-tables.canasta"
    assert canasta("corpus", "build", sample, "-o", tmp_path / "corpus").exit_code == 0
    shown = canasta(
        "corpus", "query", tmp_path / "corpus", "SELECT stock, turns, ended FROM deals", "--csv"
    ).stdout
    assert shown.splitlines()[1:] == [",0,out"] * 7


def test_facts(corpus: Any) -> None:
    """W takes the 60 cards on which S discards, and N the one card on which W then discards."""
    columns = (
        "seat, side, replayed, drawn, takes, taken, gifts, given, froze, melded, wilds, opened_at, "
        "hand_points"
    )
    rows = corpus(f"SELECT {columns} FROM facts WHERE file = 'true.canasta'")
    assert rows == [
        ("N", "NS", 16, 15, 1, 1, 0, 0, 0, 11, 0, 1, 0),
        ("E", "EW", 15, 15, 0, 0, 0, 0, 0, 0, 1, None, 90),
        ("S", "NS", 15, 15, 0, 0, 1, 60, 0, 3, 8, None, 280),
        ("W", "EW", 15, 14, 1, 60, 1, 1, 0, 6, 3, 60, 575),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
@pytest.mark.parametrize(
    ("size", "name"), [(0, ".building.lock"), (50, "building.jsonl"), (2_000, "games/")]
)
def test_a_full_disk_is_named_by_the_file_that_had_no_room(
    tmp_path: Path, size: int, name: str
) -> None:
    """A limit on the size of files stands for a full disk."""
    import resource

    record = ROOT / "samples" / "thursday-club.canasta"
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))
    args = ("corpus", "build", record, "-o", tmp_path / "out")
    whole = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # no cut module is cached
    built = program(*args, preexec_fn=limit, env=whole, text=True)
    assert built.returncode == 2
    assert re.fullmatch(rf"canasta: {tmp_path}/out/{name}.*: file too large\n", built.stderr)
    assert not list(tmp_path.rglob(".*"))
