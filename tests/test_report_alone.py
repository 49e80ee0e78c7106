"""A turn that takes the top of the pile alone: every report says so, and the rest stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.standing import Standing
from tests.programs import canasta

#: E has a sequence of hearts, which W lengthens with the top of a pile of three.
LINES = """\
[CGN "1"]
[Rules "samba pile.onto_sequence=alone"]
deal 1 dealer N
E: 4d 5s 6h 7h 7h 7d 7d 8h 8h 9s 9c As Ah Ad Ac
S: 4s 4h 5h 6s 7h 9h 9d Td Td Js Js Qs Kh Kd Kc
W: 4h 5s 5h 5c 6s 6d 7s 8d 9s Tc Tc Jc Qc Ks Kh
N: 4s 5d 5d 7s 8d 9s 9h 9c Ts Ts Jd Kc Ah Ad Ac
up 5c
1. E +6cKd h:6h7h8h A:AsAhAdAc -4d
2. S +7dQh -9h
3. W ^9h/3>h -9s
4. N ^9s/3 9:9s9h A:AhAdAc -5c
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("alone") / "a.canasta"
    path.write_text(LINES)
    return path


def test_the_terminal_says_what_was_taken_and_what_can_be(record: Path) -> None:
    shown = canasta("replay", record, "--turn", "1:3").stdout
    assert "took 9h alone from the pile; discarded 9s" in shown
    assert re.search(r"pile +3, top 9s.*\n +5c 4d 9s\n", shown)
    assert "took the pile of 3 with 9s on top" in canasta("replay", record, "--turn", "1:4").stdout
    legal = canasta("legal", record, "--turn", "3").stdout
    assert "takes    9h alone onto the meld of hearts" in legal
    assert "after taking 9h alone:  ^9h/3>h" in legal
    assert "5c" not in legal.split("after taking")[1].replace("5s5h5c", "").replace("5s 5h 5c", "")


def test_the_recorder_offers_it() -> None:
    *lines, _, _ = LINES.splitlines()
    offered = {each.text: each.about for each in complete(Standing(lines), "^")}
    assert offered == {"^9h>h": "takes 1 card"}
    whole = Standing([each.replace("=alone", "=yes") for each in lines])
    assert {each.about for each in complete(whole, "^")} == {"takes 3 cards"}


def test_page_and_corpus_count_one_card(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert canasta("page", record, "-o", page).exit_code == 0
    assert "took from the pile</i> <var>9♥</var>" in page.read_text()
    assert canasta("corpus", "build", record, "-o", tmp_path / "out").exit_code == 0
    query = "SELECT turn, pile FROM turns WHERE took ORDER BY turn"
    table = canasta("corpus", "query", tmp_path / "out", query, "--csv").stdout
    assert table.split() == ["turn,pile", "3,1", "4,3"]
    assert canasta("validate", record).stdout.count("error") == 1, "only the count of errors"
