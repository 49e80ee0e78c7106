"""The reader: the games of a file, the order of lines, comments, and the place of every error."""

from __future__ import annotations

import io
import itertools
import re
import time
import tomllib
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canasta_notation.findings import Finding
from canasta_notation.notation import blocks, reader
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT
from canasta_notation.notation.diagnose import Slip, slips
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_turn
from canasta_notation.notation.reader import (
    PROBLEM_LIMIT,
    NotText,
    Reading,
    read_games,
    read_line,
    read_text,
)
from canasta_notation.replay.claims import figure_span, item_span
from canasta_notation.resources import packaged_text
from tests.documents import RECORDS

GAME = """\
[CGN "1"]
[Event "x"]

deal 1 dealer N
E: 4s 5d
up 9h
1. E +5h -9s
2. S ^9s -4c
end unfinished
score NS 5
score EW 6
total NS 5 EW 6
"""


def one(text: str) -> Reading:
    [reading] = read_text(text)
    return reading


def problems_of(reading: Reading) -> list[tuple[str, int, str]]:
    """Return code, line and message of each problem."""
    return [(it.code, it.span.line, it.message) for it in reading.problems]


def test_game() -> None:
    reading = one(GAME)
    assert reading.problems == ()
    assert reading.lines == GAME.splitlines()
    [deal] = reading.game.deals
    assert [len(deal.hands), len(deal.play), len(deal.scores)] == [1, 2, 2]
    assert (deal.dealer, deal.span.line, deal.end is not None) == ("N", 4, True)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends_and_byte_order_mark(end: str, bom: str, last: str) -> None:
    text = bom + GAME.replace("\n", end) + ("" if last else end)
    reading = one(text.removesuffix(end) if last else text)
    assert reading == one(GAME)
    assert reading.problems == ()
    assert reading.lines[0] == '[CGN "1"]'


@pytest.mark.parametrize("text", ["", "\n\n", "  \t\n", "; a comment\n; alone\n", "\ufeff"])
def test_text_without_a_game(text: str) -> None:
    assert list(read_text(text)) == []


def test_games_of_a_file_and_their_places() -> None:
    readings = list(read_text(GAME + "\n" + GAME + GAME.replace("-9s", "-9S")))
    assert [reading.first_line for reading in readings] == [1, 14, 26]
    assert [reading.game.deals[0].span.line for reading in readings] == [4, 17, 29]
    [problem] = readings[2].problems
    assert (problem.game, problem.deal, problem.turn, *problem.span) == (3, 1, None, 32, 10, 13)


def test_any_lines_of_bytes_are_a_source() -> None:
    lines = [line.encode() for line in GAME.splitlines(keepends=True)]
    assert list(read_games(lines)) == [one(GAME)]
    assert list(read_games(line.rstrip(b"\n") for line in lines)) == [one(GAME.rstrip("\n"))]


def test_second_cgn_tag_before_a_deal_begins_no_game() -> None:
    reading = one('[CGN "1"]\n[CGN "1"]\ndeal 1\n')
    assert problems_of(reading) == [("duplicate-tag", 2, "this game has a second CGN tag")]
    assert len(reading.game.tags) == 2


def test_comments() -> None:
    text = """\
; for the first tag

; also
[CGN "1"] ; on it
;
deal 1;glued
; for the turn

N +5h -9s ;  two spaces
; of the game

; of the second game
[CGN "1"]
deal 1
N + ; x
; y
"""
    first, second = (reading.game for reading in read_text(text))
    assert first.tags[0].before == ("for the first tag", "also")
    assert first.tags[0].comment == "on it"
    assert (first.deals[0].before, first.deals[0].comment) == (("",), "glued")
    assert first.deals[0].play[0].before == ("for the turn",)
    assert first.deals[0].play[0].comment == " two spaces"
    assert first.comments == ("of the game",)
    assert second.tags[0].before == ("of the second game",)
    assert second.deals[0].play[0].comment == "x"
    assert second.comments == ("y",)


#: Lines after `[CGN "1"]` and `deal 1`; the line that is out of place (from 1), and its message.
MISPLACED = [
    (["up 4s", "N: 4s"], 2, "a hand line after an `up` line"),
    (["stock 4s", "up 4s"], 2, "an `up` line after a `stock` line"),
    (["talon 4s", "stock 4s"], 2, "a `stock` line after a `foot`, `pot` or `talon` line"),
    (["N +5h", "talon 4s"], 2, "a `foot`, `pot` or `talon` line after a turn"),
    (["penalty NS 5 x", "N: 4s"], 2, "a hand line after a turn"),
    (["end stock", "N +5h"], 2, "a turn after an `end` line"),
    (["melds NS", "end stock"], 2, "an `end` line after a `melds` line"),
    (["threes NS 3h", "melds NS"], 2, "a `melds` line after a `threes` line"),
    (["left S 4d", "threes NS 3h"], 2, "a `threes` line after a `left` line"),
    (["score NS 5", "left S 4d"], 2, "a `left` line after a `score` line"),
    (["melds NS", "melds EW", "melds NS"], 3, "a second `melds` line for NS"),
    (["threes NS", "threes NS 3h"], 2, "a second `threes` line for NS"),
    (["left S 4d", "left N 4d", "left S ..."], 3, "a second `left` line for S"),
    (["end stock", "penalty NS 5 x"], 2, "a `penalty` line after an `end` line"),
    (["score NS 5", "end stock"], 2, "an `end` line after a `score` line"),
    (["total NS 5", "score NS 5"], 2, "a `score` line after a `total` line"),
    (["N: 4s", "E: 4s", "N: 5s"], 3, "a second hand line for N"),
    (["up 4s", "up 5s"], 2, "a second `up` line in this deal"),
    (["stock 4s", "stock 5s"], 2, "a second `stock` line in this deal"),
    (["end stock", "end stock"], 2, "a second `end` line in this deal"),
    (["score NS 5", "score EW 5", "score NS 5"], 3, "a second `score` line for NS"),
    (["total NS 5", "total NS 5"], 2, "a second `total` line in this deal"),
    (["N +5h", '[Rules "bga"]'], 2, "a tag after a deal"),
]


@pytest.mark.parametrize(("lines", "at", "message"), MISPLACED)
def test_line_out_of_place(lines: list[str], at: int, message: str) -> None:
    reading = one("\n".join(['[CGN "1"]', "deal 1", *lines, "deal 2"]))
    assert problems_of(reading) == [("syntax", at + 2, message)]
    assert at + 2 in reading.game.deals[0].unread
    assert len(reading.game.deals) == 2


def test_of_two_lines_that_show_a_hand_at_the_end_neither_is_used() -> None:
    lines = ["end stock", "left N 4", "left S 9", "left N 5", "left N 6"]
    deal = one("\n".join(['[CGN "1"]', "deal 1", *lines])).game.deals[0]
    assert [line.seat for line in deal.left] == ["S"]
    assert sorted(deal.unread) == [4, 6, 7]


def test_a_misplaced_tag_that_judges_no_deal_spoils_no_deal() -> None:
    reading = one('[CGN "1"]\ndeal 1\nN +5h\n[Event "x"]\nE +5d')
    assert problems_of(reading) == [("syntax", 4, "a tag after a deal")]
    assert reading.game.deals[0].unread == ()


def test_lines_without_a_deal_are_one_finding() -> None:
    reading = one('[CGN "1"]\nN: 4s\nE: 4s\n1. E +5h\nend stock\ndeal 1\nN +5h')
    assert problems_of(reading) == [("syntax", 2, "a hand line before any `deal` line")]
    assert reading.game.lost == (2, 3, 4, 5)
    assert len(reading.game.deals[0].play) == 1


def test_a_hand_after_the_end_of_a_deal_belongs_to_another() -> None:
    reading = one(GAME + "N: 4s\nE: 4s\nup 5h\n1. E +5h -4s\nend stock\nscore NS 5\ndeal 3")
    assert problems_of(reading) == [("syntax", 13, "a hand line of a deal without its `deal` line")]
    assert reading.game.lost == (13, 14, 15, 16, 17, 18)
    assert [deal.number for deal in reading.game.deals] == [1, 3]


@pytest.mark.parametrize("line", ["Club night, table 3", "http://a.b/c", "\f", "\ufeff \u200b"])
@pytest.mark.parametrize("at", range(3))
def test_a_line_before_the_first_deal_that_is_no_tag_stops_nothing(line: str, at: int) -> None:
    lines = ['[CGN "1"]', '[Rules "bga"]', "", "deal 1 dealer N", "N: 4s"]
    lines.insert(at, line)
    reading = one("\n".join(lines))
    assert [each.span.line for each in reading.problems] == [at + 1]
    assert (reading.game.unread, reading.game.lost) == ((), ())
    assert len(reading.game.deals[0].hands) == 1


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        ("rules: classic", True),
        ("We played samba", True),
        ("first to 3000", True),
        ("(Target 3000)", True),
        ("[[Rules", True),
        ("meld.max_wilds=2", True),
        ("Thursday, 19 November 2026", False),
    ],
)
def test_an_unreadable_line_that_may_be_a_tag_of_the_rules(line: str, missed: bool) -> None:
    reading = one(f'[CGN "1"]\n{line}\ndeal 1 dealer N')
    assert reading.game.unread == ((2,) if missed else ())
    every = '[Rules "classic"]\n[Target "5000"]\n[Dealer "N"]'
    assert one(f'[CGN "1"]\n{every}\n{line}\ndeal 1 dealer N').game.unread == ()


@pytest.mark.parametrize("sign", ["\f", "\v", "\u200b", "\u00a0", "\x85 \f"])
@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
def test_what_is_not_seen_before_a_line_spoils_no_other_line(sign: str, at: int) -> None:
    lines = ['[CGN "1"]', '[Rules "bga"]', "deal 1 dealer N", "N: 4s", "1. E +5h -9s"]
    whole = one("\n".join(lines)).game
    lines[at] = sign + lines[at]
    reading = one("\n".join(lines))
    assert [(each.code, each.span.line) for each in reading.problems] == [("syntax", at + 1)]
    assert reading.game == whole
    assert (reading.game.unread, reading.game.lost) == ((), ())


@pytest.mark.parametrize(
    "line",
    [
        '[Rules "bga"] [Event "x"]',
        '[Rules "bga"][Event "a ; [b"] deal 1 dealer N',
        '[Rules "bga"] deal 1 dealer N ; a',
        '[Rules "bga"] ; a',
    ],
)
def test_tags_and_a_deal_on_one_line_are_one_mistake(line: str) -> None:
    apart = re.sub(r"(?<=\]) ?(?=\[|d)", "\n", line)
    more = "" if "deal" in line else "deal 1\n"
    reading = one(f'[CGN "1"]\n{line}\n{more}N: 4s\n1. E +5h')
    assert [each.span.line for each in reading.problems] == ([2] if apart != line else [])
    assert reading.game == one(f'[CGN "1"]\n{apart}\n{more}N: 4s\n1. E +5h').game
    assert (reading.game.unread, reading.game.lost) == ((), ())


def test_a_tag_and_another_line_on_one_line() -> None:
    assert one('[CGN "1"]\n[Rules "bga"] N: 4s\ndeal 1').game.unread == (2,)


@pytest.mark.parametrize("line", ["deal two", "ßdeal 2 dealer E", "dael 2", "Deal 2", "Round 2:"])
def test_an_unreadable_line_that_should_begin_a_deal(line: str) -> None:
    reading = one(f"{GAME}{line}\nN: 4s\nN: 4s\ndeal 3")
    assert [at for _, at, _ in problems_of(reading)] == [13]
    assert reading.game.lost == (13, 14, 15)


def test_lines_of_an_unreadable_deal_line_are_left_out() -> None:
    reading = one(GAME + "deal two\nN: 4s\nN: 4s\nend stock\nend stock\ndeal 3\nN +5h")
    assert [line for _, line, _ in problems_of(reading)] == [13]
    assert [deal.number for deal in reading.game.deals] == [1, 3]
    assert reading.game.lost == (13, 14, 15, 16, 17)


@pytest.mark.parametrize(
    ("tag", "line", "message"),
    [
        ("", 1, "this game has no CGN tag"),
        (
            '[CGN "2"]\n',
            1,
            "version '2' of the notation cannot be read; ",
        ),
        (
            '[CGN "1.0"]\n',
            1,
            "version '1.0' of the notation cannot be read; ",
        ),
        ('[cgn "1"]\n', 1, "the name of the CGN tag is written in capital letters, not as cgn"),
    ],
)
def test_version(tag: str, line: int, message: str) -> None:
    [(code, place, said)] = problems_of(one(tag + "deal 1\nN +5h"))
    assert (code, place) == ("version", line)
    assert said.startswith(message)


def test_an_unreadable_cgn_tag_is_not_a_missing_one() -> None:
    assert [code for code, _, _ in problems_of(one("[CGN 1]\ndeal 1\nN +5h"))] == ["syntax"]


def test_a_forwarded_record_has_one_mistake_on_each_line() -> None:
    reading = one("".join(f"> {line}\n" for line in GAME.splitlines()))
    assert [(line, code) for code, line, _ in problems_of(reading)] == [
        (at + 1, "syntax") for at in range(len(GAME.splitlines()))
    ]
    assert len({message for _, _, message in problems_of(reading)}) == 1


def test_repeated_tag() -> None:
    reading = one('[CGN "1"]\n[Site "a"]\n[Site "b"] ; c\ndeal 1')
    [problem] = reading.problems
    assert (problem.code, *problem.span) == ("duplicate-tag", 3, 1, 11)


def test_every_error_is_reported_and_none_affects_another_line() -> None:
    lines = GAME.splitlines()
    for index in range(len(lines)):
        broken = [*lines[:index], "?? ??", *lines[index + 1 :]]
        expected = [index + 1] if index else [1, 1]
        if not lines[index].startswith("deal") and lines[index]:
            assert [line for _, line, _ in problems_of(one("\n".join(broken)))] == expected
    assert len(one("\n".join(line + " §" for line in lines)).problems) >= len(lines) - 1


#: Lines of a deal, and those of them (from 0) that continue the line above.
WRAPPED = [
    (["1. E + 5:5d5c2s 7:7s7h", "-Ah"], {1}),
    (["1. E + 5:5d5c2s", "5:5h", "  7:7s7h7d -Ah ; c", "2. S +"], {1, 2}),
    (["1. E + 5:5d5c2s", "A:AsAhAd -Kh"], {1}),
    (["1. E +", "open=95 -Ah"], {1}),
    (["1. E + 5:5d5c2s -Ah", "#"], {1}),
    (["N: 4s 5d", "6c +7d"], {1}),
    (["stock 4s 5d", "6c", "7d"], {1, 2}),
    (["end", "out N"], {1}),
    (["end out", "N"], {1}),
    (["2.", "S +"], {1}),
    (["melds NS 6:666", "A:AAA"], {1}),
    (["melds NS", "J:JJJ 9;9"], {1}),
    (["left N 4 4", "J"], {1}),
    (["score NS 5 = melds", "500 red3 100"], {1}),
    (["score NS 5 = natural 500", "red3 1OO"], {1}),
    (["score NS", "5"], {1}),
    (["score NS 5 = melds", "225 natural", "500 out 100"], {1, 2}),
    (["total NS 5", "EW 6"], {1}),
]


@pytest.mark.parametrize(("lines", "wrapped"), WRAPPED)
def test_a_wrapped_line_is_one_mistake(lines: list[str], wrapped: set[int]) -> None:
    reading = one("\n".join(['[CGN "1"]', "deal 1", *lines]))
    said = "this line continues the line above"
    assert [
        (line - 3, message.partition(": ")[2]) for _, line, message in problems_of(reading)
    ] == [(at, said) for at in sorted(wrapped)]
    lost = {at for at in range(len(lines)) if at in wrapped or at + 1 in wrapped}
    assert set(reading.game.deals[0].unread) == {at + 3 for at in lost}
    joined = "\n".join(lines)
    for at in sorted(wrapped):
        joined = joined.replace("\n" + lines[at], " " + lines[at].strip(), 1)
    assert said not in str(problems_of(one(f'[CGN "1"]\ndeal 1\n{joined}')))


def test_a_remark_leaves_the_line_above_as_it_is() -> None:
    reading = one('[CGN "1"]\ndeal 1\nup 9c\nA remark by me\nN +5h -9s')
    [(_, line, message)] = problems_of(reading)
    assert line == 4 and "continues" not in message
    assert reading.game.deals[0].up is not None


def test_wrapped_lines_outside_the_play() -> None:
    reading = one('[CGN "1"]\n[Event "Garden\ntable"]\ndeal 1\ndealer N\n1. E +5h\ndeal 2\n')
    assert [line for _, line, _ in problems_of(reading)] == [3, 5]
    assert (reading.game.unread, reading.game.lost) == ((), (4, 5, 6))
    assert [deal.number for deal in reading.game.deals] == [2]


@pytest.mark.parametrize(
    "lines",
    [
        ["1. E +5h -9s", "# a remark"],
        ["1. E +5h -9s", "2 S +5h"],
        ["up 9s", "5 E +5h"],
        ["up 9s", "* 1. E +5h"],
        ["1. E +5h -9s ; a", "-9s"],
        ["1. E +5h -9s", "", "#"],
        ["1. E +5h -9s", "A: 4s"],
        ["N: 4s 5d", "A: 4x"],
        ["score NS 5 = melds 5", "melds 5"],
    ],
)
def test_a_line_with_a_mistake_of_its_own_is_not_wrapped(lines: list[str]) -> None:
    reading = one("\n".join(['[CGN "1"]', "deal 1", *lines]))
    assert [line for _, line, _ in problems_of(reading)] == [len(lines) + 2]
    assert reading.game.deals[0].unread == (len(lines) + 2,)
    assert "continues" not in reading.problems[0].message


EXAMPLES = [(slip, example) for slip in slips() for example in slip.examples]


@pytest.mark.parametrize(("slip", "example"), EXAMPLES)
def test_slip_is_named_where_it_is(slip: Slip, example: str) -> None:
    marked = re.fullmatch("(.*)⟦(.*)⟧(.*)", example, re.DOTALL)
    assert marked is not None
    before, word, after = marked.groups()
    finding = read_line(before + word + after, 3)
    assert isinstance(finding, Finding)
    named = re.sub(r"\\{\w+\\}", ".*", re.escape(slip.message))
    assert re.search(f"(^|: ){named}$", finding.message, re.DOTALL), finding.message
    column = len(before) + 1
    assert finding.span == (3, column, column + max(len(word), 1))
    assert finding.help is not None
    assert "{" not in finding.message + finding.help


#: Signs that are not seen, and special spaces.
UNSEEN = "\ufe0f\ufe0e\u200b\u200d\ufeff\u00ad\u200f\u2066\u061c\u180e\U000e0041"
SPACES = "\u00a0\u2028\u202f\u3000"
GOOD_LINES = (
    '[N "Ana"]', "deal 2 dealer E", "N: 4s 5d 3h +6c", "up 2d 9c", "penalty EW 50 upcard",
    "12. N +5h 7:7h7c2d open=95 -9s # ~opening-low @12.5 !", "end out S concealed",
    "melds NS 6:6s6c6h K:KsKsKh", "left S 3s 7 ...", "score NS 45 = melds 65 hand -20",
    "total NS 1245 EW -85",
)  # fmt: skip


def pasted(line: str, finding: Finding) -> str:
    """Return a line with the remedy of a finding in place of what it points at."""
    written = re.search("write `(.*?)`", finding.help or "")
    start, end = finding.span.column - 1, finding.span.end_column - 1
    return line[:start] + (written[1] if written else "") + line[end:]


@pytest.mark.parametrize("line", GOOD_LINES)
@pytest.mark.parametrize("sign", UNSEEN + SPACES, ids=ascii)
def test_the_remedy_for_a_sign_that_is_not_seen_works(line: str, sign: str) -> None:
    good = read_line(line)
    for at in range(len(line) + 1):
        bad = line[:at] + sign + line[at:]
        finding = read_line(bad)
        if not isinstance(finding, Finding):  # a value, or after a keyword, may hold it
            continue
        assert not set(finding.help or "") & set(UNSEEN + SPACES), ascii(bad)
        if sign in UNSEEN:
            assert f"an invisible character, U+{ord(sign):04X}" in finding.message, ascii(bad)
            assert read_line(pasted(bad, finding)) == good, ascii(bad)


@pytest.mark.parametrize("example", [re.sub("[⟦⟧]", "", each) for _, each in EXAMPLES], ids=ascii)
def test_no_remedy_holds_a_sign_that_is_not_seen(example: str) -> None:
    """Phones write such a sign after a suit; here it follows every word and every sign."""
    if '"' in example or ";" in example:
        return  # a value and a comment may hold it
    hidden = re.sub("([^\x00-\x7f\u200e]|$)", "\\1\ufe0f", example)
    finding = read_line(hidden)
    assert isinstance(finding, Finding)
    assert not set(finding.help or "") & set(UNSEEN + SPACES)


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("N: K♥\ufe0f 4s", "write `Kh`"),
        ("1. E + K:K♥\ufe0fK♠\ufe0fKd -5s", "write `K:KhKsKd`"),
        ("N: ♠\ufe0f45 ♥\ufe0f67", "`N: 4s5s6h7h`"),
        ("1. E + -D♥\ufe0e", "`-Qh`"),
        ("#2\u00a0S +Qh\u00a0-9c", "write `2. S +Qh -9c`"),
    ],
)
def test_a_mistake_beside_a_sign_that_is_not_seen(line: str, remedy: str) -> None:
    finding = read_line(line)
    assert isinstance(finding, Finding)
    assert remedy in (finding.help or "")


def test_each_sign_that_is_not_seen_has_a_finding() -> None:
    text = '[CGN "1"]\ndeal 1 dealer N\n1. E\u200b +4c\ufeff -9k\n'
    (reading,) = read_text(text)
    columns = [each.span.column for each in reading.problems if each.span.line == 3]
    assert columns == [4, 7, 12]


#: Lines, and a remedy that gives a line without mistakes.
REMEDIES = [
    ("1. E +4c -9k", "write `-9c` if `k` stands for clubs"),
    ("1. E +4c -X", "a joker as `*`, an unknown card as `_`"),
    ("1. E +4c -1h", "an ace as `-Ah`, a ten as `-Th`"),
    ("1. E +4c 7x4", "`4:4444444` for 7 cards of rank 4, `7:7777` for 4 of rank 7"),
    ("1. E +4c -Dh", "`-Qh`"),
    ("1. E +4c -Bh", "`-Jh`"),
    ("1. E +4c -Vh", "a jack (valet) as `-Jh`, a queen (vrouw) as `-Qh`"),
    ("1. E +4c -R♥", "`-Kh`"),
    ("hand N 4 4 J", "`left N 4 4 J`"),
    ("Hand N: 4 4 J", "`N: 4 4 J`"),
    ("round 1", "`deal 1`"),
    ("dealer W", "`deal 1 dealer W`"),
    ("[N: Rosa]", '[N "Rosa"]'),
    ('[N = "Rosa"]', '[N "Rosa"]'),
    ("melds NS k:kk2", "`K:KK2`"),
    ("melds NS k: ks kd 2", "`K:KsKd2`"),
    ("melds NS 5: 5 5 5 2c 7:777", "`5:5552c`"),
    ("left S kk2", "`KK2`"),
    ("1. E + 5:5s* Ah", "`-Ah`"),
    ("penalty NS 100 talked too much", "`talked-too-much`"),
    ("1. E +-4c", "`+ -4c`"),
    ("1.E:+4c -4s", "`E +4c`"),
    ("E: + K:KKK -4c", "`E + K:KKK -4c`"),
    ("1. E +4c (KKK) -4s", "`K:KKK`"),
    ("1. E +4c (k k 2) -4s", "`K:KK2`"),
    ("1. E +4c K(KsKhKd) -4s", "`K:KsKhKd`"),
    ("NS 500 EW 300", "`total NS 500 EW 300`"),
    ("NS=500", "`score NS 500`"),
    ("NS melds K:KKK", "`melds NS K:KKK`"),
    ("1. E +4c 2xK,2 -4s", "`K:KK2`"),
    ("1. E +4c 7:7x4 -4s", "`7:7777`"),
    ("N: 2x4s", "`4s4s`"),
    ("left E 3 cards", "`left E _ _ _`"),
    ("left E ?", "`left E ...`"),
    ("E: 11 cards", "`E: ...`"),
    ("1. E + K:Ks-Kh-Kd", "`K:KsKhKd`"),
    ("1. E +4c -KD", "`-Kd`"),
    ("1. E +4c -♥10", "`-10h`"),
    ("1. E +4c K:♠K♥K♦K", "`K:KsKhKd`"),
    ("N: 4s,5d+6c", "`4s5d+6c`"),
    ("n: 4s", "`N:`"),
    ("score NS 5 = melds 25 - hand 20", "`hand -20`"),
    ("end stock empty", "`end stock`"),
    ("deal 1 dealt by N", "`dealer N`"),
    ("up 9c.", "`9c`"),
    ("up-card 9c", "`up 9c`"),
    ("red3 EW 3h", "`threes EW 3h`"),
    ("EW: score = 100", "`score EW 100`"),
    ("score EW = 100", "`EW 100`"),
    ("1. E +4c K:KKK 90 -4s", "`open=95`"),
    ("1. E +4c (misplay) -4s", "at the end of the line, after `;`"),
    ("end out E - concealed", "`concealed`"),
    ("score NS 5 = red3 1x100", "write the result"),
    ("CGN 1", 'write [CGN "1"] above the first deal'),
    ("[cgn 1]", 'write [CGN "1"]'),
    ("rules: classic", 'write [Rules "classic"] above the first deal'),
    ("Date: 2026-01-01", 'write [Date "2026-01-01"] above the first deal'),
    ("result NS 910 EW 395", 'write [Result "NS 910 EW 395"] above the first deal'),
    ("1. N/S +5c -Ah", "write the seat"),
    ("1. E +5c -ace of hearts", "`-Ah`"),
    ("N: ten of spades, 4s", "`Ts`"),
    ("1. E +5c - A h", "`-Ah`"),
    ("1. E stock -Ah", "`+`"),
    ("1. E P A:AhAd -Ah", "`^`"),
    ("red3 NS 200", "`score`"),
]

#: Lines, and the line that their help quotes in their place.
WHOLE = [
    *((line, "2. S +Qh -9c") for line in ("#2 S +Qh -9c", "turn 2: S +Qh -9c", "T2. S +Qh -9c")),
    ("N: ♠45 ♥67 ♦8", "N: 4s5s6h7h8d"),
    ("N: ♠4 10♥67 *", "N: 4s10s6h7h *"),
    ("red threes NS 2", "threes NS 3r 3r"),
    *((line, "end out N") for line in ("out: N", "N is out", "N went out", "N goes out", "N out")),
    ("N went out concealed", "end out N concealed"),
]


@pytest.mark.parametrize(("line", "remedy"), WHOLE)
def test_a_remedy_is_the_whole_line(line: str, remedy: str) -> None:
    finding = read_line(line)
    assert isinstance(finding, Finding)
    assert f"`{remedy}`" in (finding.help or "")
    assert not isinstance(read_line(remedy), Finding)


#: Lines, and a remedy that none of them may get: it would lose something.
MISLEADING = [
    ("1. E ^9c x2", "KKK"),
    ("E: 3h->6c", "3h>6c"),
    ("up-card 9c", "-card"),
    ("red3 EW 100x2", "end"),
    ("1. E +4c K:KsKhKd+AsAhAd", "KdAs"),
    ("1. E +4c K:Ks,As,Ah", "KsAs"),
    ("1. E +4c 90 K:KKK", "9T"),
    ("1. E +4c open=90-4s", "open=95"),
    ("1. E +4c -4s (K:KKK was better)", "before the discard"),
    ("N: ♠4 5h 6♥", "4s5"),
    ("N: ♠4 5♥ 6", "4s5"),
    ("1. N-S +5c", "N -S"),
    ("red threes NS 2", "end"),
    ("deal over", "deal 2"),
]


@pytest.mark.parametrize(("line", "remedy"), MISLEADING)
def test_a_remedy_loses_nothing(line: str, remedy: str) -> None:
    finding = read_line(line)
    assert isinstance(finding, Finding)
    assert remedy not in (finding.help or "")


@pytest.mark.parametrize(("line", "remedy"), REMEDIES)
def test_a_remedy_is_whole(line: str, remedy: str) -> None:
    finding = read_line(line)
    assert isinstance(finding, Finding) and finding.help is not None
    assert remedy in finding.help


#: Lines in which the word that is pointed at is to be replaced by the first text that help quotes.
REPLACED = [
    "1. E +-4c",
    "1. E +K:KKK -4c",
    "1.E:+4c -4s",
    "12. N: +5h -9s",
    "n: 4s",
    "n:4s",
    "North: 4s",
    *(f"1. E +4c {group} -4s" for group in ("(KKK)", "[Ks,Kh,Kd]", "{K:KKK}", "K(KKK)", "K:(KKK)")),
    *(f"1. E +4c {group} -4s" for group in ("Kx3", "3xK", "K:3xK", "K:Kx3,2", "3K", "K3", "K:3")),
    *(f"1. E +4c {group} -4s" for group in ("K:Ks-Kh-Kd", "K:Ks/Kh/Kd", "K:Ks+Kh+Kd")),
    *(f"1. E +4c {group} -4s" for group in ("K:K♠K♥K♦", "K:♠K♥K♦K", "K:KSKHKD", "K:kskhkd")),
    *(f"1. E +4c {card}" for card in ("-kd", "-KD", "-♥10", "-10♠", "-k♠", "-Dk", "-0s", "-3B")),
    *(f"N: {cards} 5d" for cards in ("2x4s", "10x3", "4s,5d", "4s,", "4s.", "K♠K♥", "s9h4", "ks")),
    "melds NS 7x3 K:KKK",
    "melds NS 7:7x3",
    "threes NS 2x3r",
    "up 9c.",
    "end out E (concealed)",
    "1. E ^9c/2cards",
    *(f"1. E +4c {mark} -4s" for mark in ("open=90,", "open=90pts")),
    "1. E +4c open=90-4s",
    "1. E +5c A:AsAhAd =85 -Ah",
    "score north-south 500",
    "total N/S 5 E-W 3",
]


@pytest.mark.parametrize("line", REPLACED)
def test_a_remedy_fits_the_place(line: str) -> None:
    text = line
    for _ in range(3):
        finding = read_line(text)
        if not isinstance(finding, Finding):
            break
        quoted = re.search("`([^`]+)`", finding.help or "")
        assert quoted is not None, finding
        _, start, end = finding.span
        text = text[: start - 1] + quoted[1] + text[end - 1 :]
    assert not isinstance(read_line(text), Finding), text


#: Lines of a game with the players Ana Ruiz (N), Bruno (E), Carla (S) and Carla (W), and the help.
NAMED = [
    ("1. Bruno + -4c", "write `E` for Bruno"),
    ("bruno + -4c", "write `E` for bruno"),
    ("Ana: 4s 5d", "write `N:` for Ana"),
    ("left Ana 4s", "write `N` for Ana"),
    ("end out Bruno concealed", "write `E` for Bruno"),
    ("deal 2 dealer Ana", "write `N` for Ana"),
    ("score Ana 500", "write the side of Ana, whose seat is `N`"),
    ("score Bruno and Dora 500", "write the side of Bruno, whose seat is `E`"),
    ("score Ana/Carla 500", "write the side of Ana, whose seat is `N`"),
    ("Bruno is out", "write `end out E`"),
    ("1. Carla + -4c", "the seats are N E S W, or A B C D E F with six players"),
    ("Bruno won", "if this is a comment, begin it with `;`"),
]


@pytest.mark.parametrize(("line", "help_text"), NAMED)
def test_a_player_in_place_of_a_seat(line: str, help_text: str) -> None:
    tags = '[CGN "1"]\n[N "Ana Ruiz"]\n[E "Bruno"]\n[S "Carla"]\n[W "Carla"]\ndeal 1\n'
    [problem] = one(tags + line).problems
    assert problem.help == help_text


def test_a_card_that_begins_a_line_is_not_a_turn_number() -> None:
    finding = read_line("4h W: 4d 4c", 3)
    assert isinstance(finding, Finding)
    assert finding.message.startswith("`4h` is not allowed here")


def test_each_slip_belongs_to_a_family_and_has_examples() -> None:
    families = tomllib.loads(packaged_text("grammar", "slips.toml"))["families"]
    assert {slip.family for slip in slips()} == set(families)
    assert all(slip.examples for slip in slips())


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b'[CGN "1"]\ndeal 1\nN: 4s\n5s 6\xe9\n', 4, 5, "a byte that is not UTF-8: 0xe9"),
        (b'[CGN "1"]\ndeal 1\nN: 4s \xe9\n', 3, 7, "a byte that is not UTF-8: 0xe9"),
        (b'[CGN "1"]\ndeal 1\nN \xc3\xa9 \xff\nN +5h', 3, 5, "a byte that is not UTF-8: 0xff"),
        (b'[CGN "1"]\ndeal 1\nN ;' + b"x" * LINE_LIMIT, 3, 1, "a line of more than 64 KiB"),
        (b'[CGN "1"]\ndeal 1\n\xef\xbb\xbfN ;' + b"x" * (LINE_LIMIT - 2), 3, 1, "more than 64 KiB"),
        (b'[CGN "1"]\ndeal 1 ;' + b"x" * 9000 + b"\nN +5h \x00", 3, 7, "a control character"),
        (b'[CGN "1"]\ndeal 1\nN +5h\r -9s\n', 3, 6, "a control character"),
    ],
)
def test_bytes_that_are_not_text(data: bytes, line: int, column: int, message: str) -> None:
    for source in (io.BytesIO(data), data.splitlines(keepends=True)):
        if b"\r" in data and isinstance(source, list):
            continue
        [reading] = read_games(source)
        [problem] = reading.problems
        assert message in problem.message
        assert problem.span[:2] == (line, column)
        assert problem.span.line in reading.game.deals[0].unread


#: Lines with a mistake, its column, and what can be read of the line: False if the loss may concern
#: the play, True if nothing is left, else the line without the mistake.
DAMAGED = [
    (b"[Site Montevideo]", 7, True),
    (b'[Site "Montevideo', 7, True),
    (b'[Site "Montevid\xe9o"]', 16, True),
    (b'[N "Jos\xe9"] ; a', 8, True),
    (b'[Result\x07 "NS 5 EW 5"]', 8, False),
    (b'[Event "a;b\xe9"]', 12, True),
    (b'[Event "a"] ; \xe9', 15, '[Event "a"]'),
    (b'[Rules "classic"] ; \xe9', 21, '[Rules "classic"]'),
    (b'[Rules "bg\xe9"]', 11, False),
    (b"[Target 3000]", 9, False),
    (b'[Site "a][Rules "bga"]', 18, False),
    (b'[Si\xe9te "a"]', 4, False),
    (b"; caf\xe9", 6, True),
    (b"deal 1 dealer N ; caf\xe9", 22, "deal 1 dealer N"),
    (b"deal 1 dealer \xe9", 15, False),
    (b"N: 4s 5d ; caf\xe9", 15, "N: 4s 5d"),
    (b"N: 4s 5\xe9 ; caf", 8, False),
    (b"1. N +5h -9s ;\x07", 15, "1. N +5h -9s"),
    (b"1. N +5h -9s !!! ; x", 14, "1. N +5h -9s"),
    (b"1. N +5h -9s @1:30 # \xe9", 22, False),
    (b"1. N +5h -9s @1:30 #", 14, "1. N +5h -9s #"),
    (b"1. N +5h -9s @1\xe9 ! ; \xe9", 16, "1. N +5h -9s"),
    (b"1. N +5h -9s @1 @2", 17, "1. N +5h -9s"),
    (b"1. N $x +5h -9s", 6, False),
    (b"1. N ?2h 5:5s5d5c -9s", 6, False),
    (b"1. N +5h -9s!", 10, False),
    (b"1. N +5h -9s ###", 14, False),
    (b"1. N +5h -9s ~", 14, False),
    (b"1. N +5h -? -9s", 10, False),
    (b"// a remark", 1, False),
]


@pytest.mark.parametrize(("line", "column", "left"), DAMAGED)
def test_a_mistake_outside_the_play_spoils_no_deal(
    line: bytes, column: int, left: str | bool
) -> None:
    before, after = b'[CGN "1"]\n', b"\n2. E +5d -4d\n"
    if not line.startswith((b"[", b"deal")):
        before += b"deal 1\n"
    elif line.startswith(b"["):
        after = b"\ndeal 1" + after
    [reading] = read_games(io.BytesIO(before + line + after))
    [problem] = reading.problems
    assert (problem.code, *problem.span[:2]) == ("syntax", before.count(b"\n") + 1, column)
    text = f"{left}\n" if isinstance(left, str) else ""
    if left is not False:
        [whole] = read_games(io.BytesIO(before + text.encode() + after))
        assert (reading.game, reading.game.unread) == (whole.game, ())
    deals = [line for deal in reading.game.deals for line in deal.unread]
    lost = reading.game.unread or reading.game.lost or deals
    assert bool(lost) == (left is False)


def test_line_as_long_as_the_limit_is_read() -> None:
    text = '[CGN "1"]\r\ndeal 1\r\nN ;' + "x" * (LINE_LIMIT - 3) + "\r\nE +5h\r\n"
    assert one(text).problems == ()
    [problem] = one(text.replace(";x", ";xx")).problems
    assert problem.span == (3, 1, 2)


@pytest.mark.parametrize(
    "data", [b"abc\x00", "[CGN".encode("utf-16"), b"\x89PNG\r\n\x1a\n\xff\xfe\xf0\x80", b"\xff"]
)
def test_input_that_is_not_text(data: bytes) -> None:
    with pytest.raises(NotText):
        list(read_games(io.BytesIO(data)))


def test_reading_prose_stops_early() -> None:
    started = time.perf_counter()
    source = itertools.repeat(b"It was the best of times, it was the worst of times.\n", 10**9)
    [reading] = read_games(source)
    assert len(reading.problems) == PROBLEM_LIMIT + 1
    assert "the rest of the file is not read" in reading.problems[-1].message
    assert reading.problems[-1].span.line == PROBLEM_LIMIT + 1
    assert time.perf_counter() - started < 20


def test_errors_are_limited_across_the_games_of_a_file() -> None:
    bad = GAME.replace("-9s", "-9S")
    readings = list(read_text(bad * (PROBLEM_LIMIT + 50)))
    assert len(readings) == PROBLEM_LIMIT
    assert sum(len(reading.problems) for reading in readings) == PROBLEM_LIMIT + 1
    assert all(not reading.problems for reading in read_text(GAME * 3))


def test_an_endless_game_is_cut() -> None:
    lines = itertools.chain(GAME.encode().splitlines(True), itertools.repeat(b";" + b"x" * 9999))
    [reading] = read_games(lines)
    [problem] = reading.problems
    assert "more than 8 MiB" in problem.message
    assert sum(map(len, reading.lines)) < GAME_LIMIT + LINE_LIMIT


def test_comments_without_a_game_are_cut_like_a_game() -> None:
    [reading] = read_games(itertools.repeat(b";" + b"x" * 9999 + b"\n"))
    problem, *_ = reading.problems
    assert problem.code == "syntax"
    assert "more than 8 MiB" in problem.message


@pytest.mark.parametrize("sign", ["\f", "\v", " \f "])
@pytest.mark.parametrize("at", ["[CGN", "deal"])
def test_a_new_page_hides_no_game(sign: str, at: str) -> None:
    """What is not seen before a line is a mistake of that line alone."""
    second = GAME.replace(at, sign + at)
    first, read = read_text(GAME + second)
    assert first.problems == ()
    assert [(each.code, each.span.column) for each in read.problems] == [
        ("syntax", 1 + sign.index(sign.strip(" ")))
    ]
    assert [*read_text(second + GAME)][1].problems == ()


@pytest.mark.parametrize("name", ["CGN-Source", "CGNotes", "CGN_2"])
def test_a_tag_whose_name_begins_with_cgn_begins_no_game(name: str) -> None:
    [reading] = read_text(f'{GAME}[{name} "x"]\n')
    assert [problem.code for problem in reading.problems] == ["syntax"]


def test_games_are_read_one_at_a_time() -> None:
    source = itertools.cycle(GAME.encode().splitlines(keepends=True))
    readings = list(itertools.islice(read_games(source), 50))
    assert len(readings) == 50
    assert not any(reading.problems for reading in readings)


ALPHABET = (
    'NESWABCDF:+-^=#~@!?$;."[]() \t\n\r*_KQJT10987654329shdcxe\ufb01\u2665\u2013'
    "dealupstocktalonendscoretotal"
)


@given(st.text(st.sampled_from(ALPHABET), max_size=200))
def test_any_text_is_read(text: str) -> None:
    lines = text.split("\n")
    for reading in read_text('[CGN "1"]\n' + text):
        for problem in reading.problems:
            line = lines[problem.span.line - 2] if problem.span.line > 1 else '[CGN "1"]'
            assert 1 <= problem.span.column < problem.span.end_column <= len(line) + 2


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    head = b'[CGN "1"]\ndeal 1\n' + (b"; " + b"text " * 1000 + b"\n") * 2
    try:
        list(read_games(io.BytesIO(head + data)))
    except NotText:
        pytest.fail("the head is text")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_records_have_no_problems(path: Path) -> None:
    with path.open("rb") as file:
        assert not any(reading.problems for reading in read_games(file))


PIECES = (
    *(b'[CGN "1"]\n', b' [CGN "1"]\r\n', b"[CGN", b"; [CGN\n", b"; note\n", b"\n", b"\r\n"),
    *(b'[CGN-x "1"]\n', b"deal-1\n", b"\xef\xbb\xbf", b"\f", b"\v [CGN\n", b"\fdeal 1\n"),
    *(b"deal 1 dealer N\n", b"Deal 1\n", b" deal\t2\r\n", b"N +5h -9s\n", b"x" * 600),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.integers(40, 200))
def test_a_file_is_divided_as_its_lines_are(pieces: list[bytes], step: int) -> None:
    data = b"".join(pieces)
    with (
        mock.patch.object(blocks, "LINE_LIMIT", 500),
        mock.patch.object(blocks, "GAME_LIMIT", 900),
        mock.patch.object(blocks, "_PIECE", step),
        mock.patch.object(blocks, "HEAD", 40),
    ):
        file, lines = (
            [each for each in blocks.read_blocks(source) if any(map(bytes.strip, each.lines))]
            for source in (io.BytesIO(data), re.findall(rb"[^\n]*\n|[^\n]+", data))
        )
    assert file == lines


def test_one_game_of_a_file_can_be_read_alone() -> None:
    source = [b'[CGN "1"]\n', b"deal 1 dealer N\n", b"?? x\n"] * 3
    *_, last = read_games(source)
    [alone] = read_games(source, only=3)
    assert (alone.game, alone.problems, alone.first_line) == (last.game, last.problems, 7)
    assert alone.game.number == 3
    with pytest.raises(LookupError, match="has no game 4; it has 3"):
        list(read_games(source, only=4))


# --- cost ---------------------------------------------------------------------------------------


def parses(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often lines are parsed, whole or in part, when a text is read."""
    count = 0
    real = reader.parse_line

    def counted(line: str, number: int = 1) -> object:
        nonlocal count
        count += 1
        return real(line, number)

    monkeypatch.setattr(reader, "parse_line", counted)
    list(read_text(text))
    return count


@pytest.mark.parametrize(
    "line",
    [
        "1. N +5c ! X " + ";" * 500 + "\x01",
        '[Event "' + ";" * 500 + "\x01",
        "1. N +5c X" + " ;x" * 90,
    ],
)
def test_a_line_is_parsed_a_few_times(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses(f'[CGN "1"]\ndeal 1 dealer N\n{line}\n', monkeypatch) < 8


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("1. N +5c -5c ; a ; b \x01", "1. N +5c -5c"),
        ("1. N +5c -5c ! X ; a \x01", None),
    ],
)
def test_a_line_with_a_damaged_comment(line: str, kept: str | None) -> None:
    [reading] = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{line}\n')
    turns = [line for line in reading.game.deals[0].play if isinstance(line, Turn)]
    assert [problem.code for problem in reading.problems] == ["syntax"]
    assert [format_turn(turn) for turn in turns] == ([] if kept is None else [kept])


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("12. N +5x K:KsKhKd2x -4z", [7, 11, 22]),
        ("12. N ^Kx 10:TsTP straight:4x -1h ; -4z", [7, 11, 19, 31]),
        ("N: 4x 5d 6h +7z ...", [4, 13]),
        # An error that is not about a card may follow from the first: `-?` for an annotation.
        ("12. N +5h -? -9s", [11]),
        # Side by side, words may be one mistake.
        ("left S 4s then I won", [11]),
        ("N: 3 x K 4s 5x", [4, 13]),
        # After these errors, the meaning of the rest of the line is not known.
        ("N: 4s 5d E: 6s 7x", [10]),
        ("12. N +5h KsKx -4z", [11]),
    ],
)
def test_the_errors_of_a_line_are_reported_together(line: str, columns: list[int]) -> None:
    reading = one(f'[CGN "1"]\ndeal 1 dealer E\n{line}\n')
    assert [problem.span[:2] for problem in reading.problems] == [(3, at) for at in columns]
    assert reading.game.deals[0].unread == (3,)


def test_the_errors_of_a_line_count_as_one_toward_the_limit() -> None:
    reading = one('[CGN "1"]\n' + "deal 1\n1. N +5x -4z\n" * (PROBLEM_LIMIT - 1))
    assert len(reading.problems) == 2 * (PROBLEM_LIMIT - 1)


def test_a_tag_with_a_damaged_comment() -> None:
    [reading] = read_text('[CGN "1"]\n[Rules "classic"] ; a \x01\n[Event "a;b"] ; \x01\n')
    assert [(tag.name, tag.value) for tag in reading.game.tags] == [
        ("CGN", "1"), ("Rules", "classic"), ("Event", "a;b"),
    ]  # fmt: skip


def test_a_score_line_knows_the_place_of_each_of_its_items() -> None:
    line = "score NS 1115 = melds 430 mixed 600 concealed-canasta 50 out 100 hand -15"
    (reading,) = read_text(f'[CGN "1"]\ndeal 1 dealer N\n{line}\n')
    [score] = reading.game.deals[0].scores
    for name, figure in score.items or ():
        span = item_span(score, name)
        assert line[span.column - 1 : span.end_column - 1] == f"{name} {figure}"
    for place in (figure_span(score), item_span(score, "red3")):
        assert line[place.column - 1 : place.end_column - 1] == "1115"
