"""The grammar: which lines it accepts, and what each word of a line means."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from canasta_notation.cards import CODE, parse_cards
from canasta_notation.engine.actions import (
    Ask,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakePacket,
)
from canasta_notation.findings import Finding
from canasta_notation.notation.assemble import ORDER
from canasta_notation.notation.builder import USUAL
from canasta_notation.notation.diagnose import _EXPECTED, KEYWORDS, REASONS, SCORED, SIDES
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import (
    _usual_line,
    parse_line,
    parse_text,
    parser,
    read_line,
)
from canasta_notation.resources import packaged_text
from tests.mutants import mutants

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"

#: Lines and their canonical spelling; None if that is the line itself.
LINES = [
    ('[CGN "1"]', None),
    ('[Event   "a \\"b\\" \\\\ c"  ] ;x', '[Event "a \\"b\\" \\\\ c"] ; x'),
    ('[X-1_y ""]', None),
    ("deal 2", None),
    ("deal 02 dealer F", "deal 2 dealer F"),
    ("N: 4s 4d 5h", None),
    ("N:4s4d5h", "N: 4s 4d 5h"),
    ("F: 10 10h T _ * 3r 3b K", "F: T Th T _ * 3r 3b K"),
    ("A:", None),
    ("E: ...", None),
    ("E: 4s 5d ... +8s +As ~deal-size ~up-cards ; c", None),
    ("E: 4s 5d...", "E: 4s 5d ..."),
    ("E: 4s 5d +8s As", "E: 4s 5d +8s +As"),
    ("E: 4s 5d +8sAs ...", "E: 4s 5d ... +8s +As"),
    ("up 2d9c", "up 2d 9c"),
    ("up _ ~up-cards", None),
    ("stock 4s5d 6h", "stock 4s 5d 6h"),
    ("talon 4s 5d 6h 7c", None),
    ("penalty EW 50 upcard", None),
    ("penalty ACE 100 my_own-word2 ; c", None),
    ("end out S", None),
    ("end special F", None),
    ("end out S concealed", None),
    ("end out S\tconcealed;", "end out S concealed ;"),
    ("melds NS", None),
    ("melds BE 6:6s6c6h2d 3:3s3c3b *:2c2d* 2:2c K:_KsK ; c", None),
    ("melds NS 10:10s10h10d", "melds NS T:TsThTd"),
    ("threes EW", None),
    ("threes AD 3h3r ;", "threes AD 3h 3r ;"),
    ("threes NS Ks", None),
    ("left S", None),
    ("left S ...", None),
    ("left W 3s7_...", "left W 3s 7 _ ..."),
    ("left F 10s", "left F Ts"),
    ("end stock", None),
    ("end unfinished;", "end unfinished ;"),
    ("score NS 1245", None),
    ("score BDF -85 = melds 365 hand -450", None),
    ("score E 0 = " + " ".join(f"{item} 0" for item in SCORED), None),
    ("total NS 1245 EW -85", None),
    ("total N 1 E 2 S 3", None),
    ("12. N +5h 7:7h7c2d K:Ks -9s", None),
    ("12.N +5h -9s", "12. N +5h -9s"),
    ("N", None),
    ("\t12.\tN\t+5h\t-9s\t", "12. N +5h -9s"),
    ("N + -9s", None),
    ("N +3h +", None),
    ("N +3h9c5d -9s", "N +3h +9c +5d -9s"),
    ("N ^9h/14 9:9s9d -*", None),
    ("N ^_ -_", None),
    ("N +5h 10:10s10hT10 -10c", "N +5h T:TsThTT -Tc"),
    ("N +5h 3:3s3c3b 2:2c2d *:2c2d* -3r", None),
    ("N +5h straight:3s4s5s #", None),
    ("N +5h pairs:4s4d garbage:4s ##", None),
    ("N +5h -9s talon:4s5d6h7c", None),
    ("N +5h talon:4s", None),
    ("N +5h ask=no ask=yes 9:9s9d9c -4s # ~out-claim ~x @12.5 !? $14 ; c", None),
    ("N +5h @3 ! open=95 # 9:9s9d9c ~a -4s $1 ?", "N +5h 9:9s9d9c open=95 -4s # ~a @3 ! $1 ?"),
    ("N +5h -4s talon:5s ## @0", None),
    ("N open=0 K:Ks", "N K:Ks open=0"),
]

#: Lines that are not accepted, in addition to the examples of the slips.
BROKEN = [
    'x[CGN "1"]', '[CGN "1"]]', '[1 "x"]', '["x" "y"]', '[A "\\n"]', "deal", "deal 2 dealer",
    "deal 2 N", "deal -1", "deal 1234567890", "N: 3", "N: 1", "N: 11", "N: K S", "N: ... 4s ...",
    "N: 4s +", "N: 4s -9s", "up", "up ...", "up 4s +5s", "stock", "stock 4s ~x", "talon", "talon 3",
    "penalty", "penalty W 50 x", "penalty NS -50 x", "penalty NS 50", "penalty NS 50 x y", "end",
    "end out", "end stock N", "end foo", "end special S concealed", "end stock concealed",
    "end concealed", "end out S concealed concealed", "melds", "melds W", "melds NS K:",
    "melds NS K: Ks", "melds NS Ks", "melds NS straight:4s5s", "melds NS K:Ks ...", "melds NS +5h",
    "threes", "threes W 3h", "threes NS 3", "threes NS 3h ...", "threes NS none", "left", "left NS",
    "left S 3", "left S ... 4s", "left S +4s", "left S ... ...", "left s", "melds NS K:Ks ~x",
    "score", "score NS", "score NS x", "score NS 5 =",
    "score NS 5 melds 5", "score NS 5 = melds", "score NS 5 = melds 5 melds 5",
    "score NS 5 = foo 5", "total", "total NS", "total NS 5 EW", "total NS 5 NS 6", "total SN 5",
    "12 N +5h", "12. +5h", "12.. N +5h", "1234567890. N +5h", "N +5h+6h-9s", "N +5h ^9h",
    "N ^9h +5h", "N ^9h ^9h",
    "N K:Ks +5h", "N -9s +5h", "N + +5h", "N +5h K:Ks +5h", "N +5h K: Ks", "N +5h K:", "N +5h :Ks",
    "N +5h K:Ks Kd", "N +5h -9s -9s", "N +5h -9s K:Ks", "N +5h -9s ask=yes", "N +5h talon:4s -9s",
    "N +5h -9s talon:4s talon:4s", "N +5h -9s!", "N +5h -9s#", "N +5h -9s@5", "N +5h -9s!!!",
    "N +5h -9s @1.", "N +5h -9s @.5", "N +5h -9s @1:30", "N +5h -9s @-1", "N +5h -9s ~", "N +5h ~A",
    "N +5h ~a-", "N +5h ###", "N +5h $", "N +5h $1234", "N +5h open=", "N +5h open=-5", "N +5h ask",
    "N +5h open=5 open=5", "N +5h # ##", "N +5h @1 @1", "N ^", "N ^9h/", "N ^9h9s", "N ^3", "N -",
    "N +3", "N 3r:3r3r", "N k:Ks", "N +5h -9s\x00", "N +5h ;\x1b", "N +5h\x0b-9s", "(x)", "% x",
    "x",     "N +5h ;\x85", "N\u00a0+5h",
]  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), LINES)
def test_line_is_read_and_spelled(text: str, canonical: str | None) -> None:
    value = read_line(text)
    assert value is not None
    assert not isinstance(value, Finding), value.message
    assert format_line(value) == (canonical or text)
    assert read_line(canonical or text) == value


@pytest.mark.parametrize("text", BROKEN)
def test_broken_line_is_one_finding_within_it(text: str) -> None:
    finding = read_line(text, 7)
    assert isinstance(finding, Finding)
    assert (finding.code, finding.severity, finding.span.line) == ("syntax", "error", 7)
    assert 1 <= finding.span.column < finding.span.end_column <= len(text) + 2
    assert "_" not in re.sub("`[^`]*`", "", finding.message), "a terminal is named"


@pytest.mark.parametrize("text", ["", "  ", "\t", "; c", "  ;", ";;;"])
def test_line_without_a_statement(text: str) -> None:
    assert read_line(text) is None


def test_words_of_a_turn() -> None:
    turn = read_line("7. E +3h9c + ask=yes K:KsKd2c 3:3s straight:4s -10h talon:5s")
    assert isinstance(turn, Turn)
    assert turn.number == 7
    assert turn.seat == "E"
    assert turn.actions == (
        Draw(parse_cards("3h9c"), bare=True),
        Ask(True),
        Lay(11, parse_cards("KsKd2c")),
        Lay(1, parse_cards("3s")),
        LaySpecial("straight", parse_cards("4s")),
        Discard(CODE["Th"]),
        TakePacket("talon", parse_cards("5s")),
    )
    taken = read_line("E ^9h/14")
    assert isinstance(taken, Turn)
    assert taken.actions == (Take(CODE["9h"], 14),)


def test_places_of_a_turn() -> None:
    text = "12.  N +3h9c  +5d  K:KsKd2c open=95 -9s # ~opening-low"
    turn = read_line(text, 5)
    assert isinstance(turn, Turn)
    assert turn.line == 5
    places = (turn.number_at, turn.seat_at, *turn.actions_at, turn.open_at, turn.out_at)
    words = [text[start - 1 : end - 1] for start, end in (*places, *turn.acknowledged_at)]
    assert words == ["12.", "N", "+3h9c  +5d", "K:KsKd2c", "-9s", "open=95", "#", "~opening-low"]


def test_every_terminal_has_a_name_in_plain_words() -> None:
    """Each word that can be missing is named, or a word that can take its place is named."""
    words = set(_EXPECTED) | {"PLUS", "SPECIAL", "SPECIAL_BY", "BY_STOCK", "BY_TABLE"}
    words |= {
        "OUT",
        "CLOCK",
        "ANNOTATION",
        "TAG_OPEN",
        "DEAL",
        "HAND",
        "TURN",
        "TURN_NUMBER",
        "_INDENT",
    }
    words |= {name.upper() for name in KEYWORDS} | {"_NEWLINE", *USUAL}
    assert {terminal.name for terminal in parser().terminals} <= words


@pytest.mark.parametrize("name", ["profile-american-4p", "thursday-club"])
def test_usual_lines_are_read_as_the_parser_reads_them(name: str) -> None:
    """For a record and for single edits of it, values and places are equal."""
    record = (SAMPLES / f"{name}.canasta").read_bytes()
    texts = [record, *mutants([record], 2000, 7), *(text.encode() for text, _ in LINES)]
    lines = {line.decode("utf-8", "replace") for text in texts for line in text.split(b"\n")}
    usual = [line for line in lines if _usual_line().fullmatch(line)]
    assert len(usual) > 300
    for line in usual:
        [read], parsed = parse_text(line, 3), parse_line(line, 3)
        assert type(read) is type(parsed)
        for each in fields(read):
            assert getattr(read, each.name) == getattr(parsed, each.name), line


def test_tables_agree_with_the_grammar() -> None:
    grammar = packaged_text("grammar", "canasta.lark")

    def words(terminal: str) -> list[str]:
        body = re.search(rf"^{terminal} +: (.*(?:\n +\|.*)*)", grammar, re.MULTILINE)
        assert body is not None
        return re.findall(r'"([^"]+)"', body[1])

    assert sorted(words("ITEM")) == sorted(SCORED)
    assert words("SIDE") == list(SIDES)
    reasons = map(words, ("OUT_BY", "SPECIAL_BY", "BY_STOCK", "BY_TABLE"))
    assert [reason for each in reasons for reason in each] == list(REASONS)
    assert [words(keyword.upper())[0] for keyword in KEYWORDS] == list(KEYWORDS)
    statements = re.findall(r"^(?:_statement|_ended) +: (.*)$", grammar, re.MULTILINE)
    assert len(" | ".join(statements).split(" | ")) == len(ORDER) + 2


_KEEPING = """
import sys
from pathlib import Path
sys.pycache_prefix = sys.argv[1]
from canasta_notation.notation.reader import (
    _usual_line,
    parse_line,
    parse_text,
    parser,
    read_line,
)
for line in Path(sys.argv[2]).read_text("utf-8").splitlines():
    print(read_line(line), read_line(line[:-1] + "?x"))
"""


@pytest.mark.parametrize("damage", [None, b"", b"\x80no tables", b"0" * 64 + b"\n\x80\x05}."])
def test_a_parser_with_kept_tables_reads_the_same(tmp_path: Path, damage: bytes | None) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-c", _KEEPING, str(tmp_path), str(SAMPLES / "first-deal.canasta")]

    def run() -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    built = run()
    [kept] = tmp_path.rglob("*.lark")
    if damage is not None:
        kept.write_bytes(damage)
    assert run() == built
    assert kept.stat().st_size > 10_000
    if damage is None:
        kept.unlink()
        kept.mkdir()  # what cannot be written
        assert run() == built
