"""The data set: its shares, its files, and the same bytes on two runs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import canasta_notation as cn
from canasta_notation.rules.load import profile_names
from tests.dataset import SLOW, SUMS, Part, make, parts_of, shares

PARTS = [Part("classic", "greedy", 2), Part("samba", "careful", 1)]


def test_the_games_are_shared_alike_by_all_profiles() -> None:
    parts = parts_of(profile_names(), 10_000, 200)
    assert sum(part.games for part in parts) == 10_000
    assert {part.profile for part in parts} == {*profile_names()}
    assert sum(part.games for part in parts if part.player == SLOW) == 200
    quick = {part.games for part in parts if part.player != SLOW}
    assert max(quick) - min(quick) <= 1


def test_shares_differ_by_one_at_most() -> None:
    assert shares(10, 4) == [3, 3, 2, 2]


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    for name in ("one", "two"):
        make(tmp_path / name, PARTS, slow=0, deals=1, jobs=1)
    one, two = ((tmp_path / name / SUMS).read_text("utf-8") for name in ("one", "two"))
    assert one == two
    lines = {name: digest for digest, name in map(str.split, one.splitlines())}
    assert {"README.md", "games/classic-greedy.jsonl", "games/samba-careful.jsonl"} <= lines.keys()
    assert any(name.endswith(".parquet") for name in lines)
    for name, digest in lines.items():
        assert hashlib.sha256((tmp_path / "one" / name).read_bytes()).hexdigest() == digest
    games = cn.read(tmp_path / "one" / "games" / "classic-greedy.jsonl")
    assert [cn.verify(game).verdict for game in games] == ["verified", "verified"]


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    with pytest.raises(FileExistsError):
        make(tmp_path, PARTS, slow=0, deals=1, jobs=1)
