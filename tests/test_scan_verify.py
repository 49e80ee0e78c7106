"""The fast path compared with grammar and replay: what it verifies, they verify too, with the same
report.

`CANASTA_MUTANTS=20000 pytest tests/test_scan_verify.py` runs the long form.
"""

from __future__ import annotations

import io
import os
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.batch.parts import judge_games
from canasta_notation.engine.table import Table, reset_table
from canasta_notation.notation.blocks import GAME_LIMIT, LINE_LIMIT
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import NotText, read_games
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport, SideReport, report_verified
from canasta_notation.rules import load_profile, profile_names
from canasta_notation.scan.scan_state import Scan, item_rows, meld_rows
from canasta_notation.scan.scanner import scan_game
from canasta_notation.scan.verified import VerifiedGame
from tests.cli_records import VERIFIED
from tests.end_tables import with_tables
from tests.mutants import mutants, with_bad_bytes

ROOT = Path(__file__).parent.parent
MUTANTS = int(os.environ.get("CANASTA_MUTANTS", "1000"))


def complete() -> list[Path]:
    """Return the samples of fully recorded, verified games."""
    names = ("thursday-club", "outside-*", "profile-*")
    return sorted(path for name in names for path in (ROOT / "samples").glob(f"{name}.canasta"))


@cache
def rulings() -> list[bytes]:
    """Return every record of the rulings under its first profile."""
    return [
        case["record"]
        .lstrip()
        .replace('[CGN "1"]\n', f'[CGN "1"]\n[Rules "{rules(case)}"]\n', 1)
        .encode()
        for path in sorted((ROOT / "tests" / "rulings").glob("*.toml"))
        for case in tomllib.loads(path.read_text("utf-8"))["case"]
    ]


@cache
def verified_rulings() -> frozenset[bytes]:
    """Return the records of the rulings that the fast path verifies."""
    return frozenset(each for each in rulings() if scan_game(Scan(), each, 1))


def rules(case: dict[str, Any]) -> str:
    """Return the text of a ruling's Rules tag under its first profile."""
    return f"{case['profiles'][0]} {case.get('overrides', '')}".strip()


def by_lark(record: bytes) -> list[GameReport]:
    return [
        replay_game(reading.game, at)
        for at, reading in enumerate(read_games(io.BytesIO(record)), 1)
    ]


def agrees(fast: VerifiedGame, slow: GameReport) -> None:
    """Assert that Lark and the replay also verify the game, with the same report.

    The entries of a score define no equality, so they are compared by their fields.
    """
    assert slow.verdict == "verified", [finding.message for finding in slow.findings]
    assert not slow.findings
    assert (fast.rules, fast.deals, fast.turns) == (slow.rules, len(slow.deals), slow.turns)
    assert fast.totals == list(slow.result.totals.values())
    assert plain(report_verified(fast)) == plain(slow)


def plain(report: GameReport) -> GameReport:
    """Return a report with the fields of score entries in place of the entries."""
    deals = [
        replace(deal, sides=tuple(_with_plain_entries(side) for side in deal.sides))
        for deal in report.deals
    ]
    return replace(report, deals=tuple(deals))


def _with_plain_entries(side: SideReport) -> SideReport:
    entries: Any = tuple(
        (each.item, each.possible, each.key, each.rank, each.seat, each.count)
        for each in side.entries
    )
    return replace(side, entries=entries)


@pytest.mark.parametrize("path", complete(), ids=lambda path: path.stem)
def test_complete_games_take_the_fast_path(path: Path) -> None:
    record = path.read_bytes()
    fast = scan_game(Scan(rows=True), record, 1)
    assert fast is not None
    assert fast.lines == record.count(b"\n")
    agrees(fast, *by_lark(record))


@pytest.mark.parametrize(
    "end", [b"\0", b"\0 more\n", b"; a comment", b"\n\n; a comment\n\n", b"\n"]
)
def test_what_follows_a_game(end: bytes) -> None:
    record = complete()[0].read_bytes() + end
    fast = scan_game(Scan(), record, 1)
    assert (fast is None) == (b"\0" in end)
    assert fast is None or fast.lines == record.count(b"\n")
    hold(record)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        *(("result", "Result"), ("Rule", "Rules"), ("dealer", "Dealer"), ("Rezult", "Result")),
        *(("North", "N"), ("w", "W"), ("Club", None), ("Aa", None), ("Nap", None)),
    ],
)
def test_a_tag_that_is_likely_to_be_a_known_one_is_a_warning(name: str, known: str | None) -> None:
    tag = f'\n[{name} "NS 9999 EW 1"]\n'.encode()
    record = complete()[0].read_bytes().replace(b"\n", tag, 1)
    assert (scan_game(Scan(), record, 1) is None) == (known is not None)
    [report] = by_lark(record)
    assert report.verdict == "verified"
    assert [(it.code, it.severity, it.span.line, it.help) for it in report.findings] == [
        ("tag-value", "warning", 2, f'write [{tag} "..."] if that is the tag you mean')
        for tag in [known]
        if tag
    ]


FIRST_DEAL = (ROOT / "samples" / "first-deal.canasta").read_bytes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kitchen table", "Küche"),
        ("melds 225 natural 500", "natural 500 melds 225"),
    ],
)
def test_other_spellings_take_the_fast_path(old: str, new: str) -> None:
    record = FIRST_DEAL.replace(old.encode(), new.encode(), 1)
    assert record != FIRST_DEAL
    assert scan_game(Scan(), record, 1) is not None
    assert hold(record)


def test_points_that_the_table_gives_take_the_fast_path() -> None:
    text = FIRST_DEAL.decode()
    given = re.sub(r"(?m)^2\. ", "bonus NS 100 cut\n2. ", text)
    assert scan_game(Scan(), given.encode(), 1) is None
    line = re.search(r"(?m)^score NS (-?\d+)(.*)$", text)
    assert line is not None
    score = int(line[1]) + 100
    given = given.replace(line[0], f"score NS {score}{line[2]} bonus 100")
    given = given.replace(f"NS {line[1]} EW", f"NS {score} EW")  # the result and the total
    assert hold(given.encode())


def test_rows_of_a_kept_game() -> None:
    game = scan_game(Scan(rows=True), FIRST_DEAL, 1)
    assert game is not None
    (deal,) = game.scanned.deals
    # Cards laid, the ranks of the melds, what the opening counts, canastas made.
    laid = [row[8:12] for row in game.scanned.turns]
    assert laid[0] == (8, "57", 145, 0), "5d 5c 2s * and 7s 7h 7d *"
    assert laid[3:6] == [(9, "6K", None, 1), (1, "9", None, 0), (3, "Q", None, 0)]
    melds = {row[:2]: row[2:] for row in meld_rows(deal.table, deal.progress)}
    assert melds["NS", "K"] == (8, 8, 0, 0, 0, "natural", False, 80, 4, 4)
    assert melds["EW", "5"] == (5, 3, 1, 1, 0, None, False, 85, 1, None)
    items = item_rows(deal, deal.table.rules)
    assert ("NS", "natural", 500, 500, True) in items and ("EW", "hand", -15, -15, True) in items
    silent = b"".join(re.findall(rb"^(?!score|total).*\n", FIRST_DEAL, re.MULTILINE))
    game = scan_game(Scan(rows=True), silent, 1)
    assert game is not None
    (deal,) = game.scanned.deals
    assert ("NS", "natural", 500, None, None) in item_rows(deal, deal.table.rules)


@pytest.mark.parametrize("path", complete(), ids=lambda path: path.stem)
def test_a_table_is_reset_to_a_new_one(path: Path) -> None:
    scan = Scan()
    assert scan_game(scan, path.read_bytes(), 1)
    reset_table(scan.table, 1, scan.totals, True, 2)
    new = Table(scan.rules, 1, scan.totals, True, 2)
    # Of the cards laid in a turn, only those of the ranks that it touches are used, and of the pile
    # only its size.
    others = ("_", "laid_", "touch_order", "piled", "taken")
    names = [name for name in dir(new) if not name.startswith(others)]
    assert [getattr(scan.table, name) for name in names] == [getattr(new, name) for name in names]
    parts = [name for name in dir(new.taken) if not name.startswith("_") and name != "copy"]
    assert len(parts) > 10
    for name in parts:
        assert getattr(scan.table.taken, name) == getattr(new.taken, name), name


def test_rulings_agree() -> None:
    taken = 0
    for record in rulings():
        fast = scan_game(Scan(rows=True), record, 1)
        if fast is not None:
            taken += 1
            agrees(fast, *by_lark(record))
    assert taken


def hold(record: bytes) -> bool:
    """Compare both ways of verifying a record; return whether the fast path verified a game."""
    try:
        outcomes = list(judge_games(io.BytesIO(record), rows=True))
    except NotText:
        with pytest.raises(NotText):
            by_lark(record)
        return False
    reports = by_lark(record)
    assert len(outcomes) == len(reports)
    taken = False
    for outcome, slow in zip(outcomes, reports, strict=True):
        if isinstance(outcome.report, VerifiedGame):
            taken = True
            agrees(outcome.report, slow)
        else:
            assert outcome.report.findings == slow.findings
            assert outcome.report.verdict == slow.verdict
    return taken


def test_mutants_of_whole_games_agree() -> None:
    records = [path.read_bytes() for path in complete() if path.stat().st_size < 30_000]
    taken = sum(hold(record) for record in mutants(records, MUTANTS // 10, seed=1))
    assert taken


def test_mutants_of_rulings_agree() -> None:
    taken = sum(hold(record) for record in mutants(rulings(), MUTANTS, seed=2))
    assert taken


#: A word of each kind of line, and each word that few turns have. A line with each of them is
#: damaged, in a ruling that the fast path verifies if there is one.
WORDS = (
    *(
        b"[Rules ",
        b"[Target ",
        b"[Dealer ",
        b"[Result ",
        b"\ndeal ",
        b"\nN: ",
        b"\nup ",
        b"\nstock ",
    ),
    *(
        b" +",
        b" ^",
        b":K",
        b"/2:",
        b"/1>",
        b" ask=yes",
        b" back:",
        b" talon:",
        b" threes:",
        b" garbage:",
    ),
    *(
        b" open=",
        b" @",
        b" $",
        b" !",
        b" #",
        b"~",
        b" ;",
        b"\n;",
        b"\npenalty ",
        b"\nbonus ",
        b"\nend ",
    ),
    *(b"\nmelds ", b"\nthrees ", b"\nleft ", b"\nscore ", b"\ntotal "),
)


@pytest.mark.parametrize("word", WORDS)
def test_bytes_that_no_text_has_are_one_finding(word: bytes) -> None:
    having = [each for each in rulings() if word in each]
    record = min(having, key=lambda each: (each not in verified_rulings(), len(each)))
    for mutant, at, bad in with_bad_bytes(record, word):
        hold(mutant)
        if "\ufffd" not in bad.decode("utf-8", "replace"):
            continue
        above, _, before = mutant[:at].rpartition(b"\n")
        place = (above.count(b"\n") + 1 + bool(above), len(before.decode()) + 1)
        problems = [each for game in read_games(io.BytesIO(mutant)) for each in game.problems]
        (found,) = (each for each in problems if "a byte that is not UTF-8" in each.message)
        assert (found.span.line, found.span.column) == place
        assert f"0x{bad[0]:02x}" in found.message


#: A three that stayed in a hand, when no source says which of two like threes it was.
THREE_KEPT = re.compile(rb"^left .* ?3[shdc]", re.MULTILINE)


def shown_at_the_end(profile: str, seed: int) -> bytes:
    """Return a fully recorded random game with the table at the end of each deal."""
    rules = load_profile(profile)
    text = with_tables(format_game(play_game(rules, seed, deals=2), rules["draw.count"]))
    (reading,) = read_games(io.BytesIO(text.encode()))
    return format_game(reading.game, rules["draw.count"]).encode()


@pytest.mark.parametrize("profile", profile_names())
def test_the_table_at_the_end_takes_the_fast_path(profile: str) -> None:
    taken = 0
    for seed in range(2):
        record = shown_at_the_end(profile, seed)
        kept = load_profile(profile)["deal.three_kept"] != "no" and THREE_KEPT.search(record)
        fast = scan_game(Scan(rows=True), record, 1)
        assert fast or kept, record.decode()
        if fast is not None:
            taken += 1
            assert fast.lines == record.count(b"\n")
            agrees(fast, *by_lark(record))
            none_survives_a_changed_card(record)
    assert taken


def none_survives_a_changed_card(record: bytes) -> None:
    """Change, add and remove a card in each line of the tables at the end, and remove the line."""
    for line in re.finditer(rb"^(?:melds|threes|left) [^\n]*", record, re.MULTILINE):
        start, end = line.span()
        assert scan_game(Scan(), record[:start] + record[end + 1 :], 1) is not None
        assert scan_game(Scan(), record[:end] + b" 9d" + record[end:], 1) is None
        assert scan_game(Scan(), record[:end] + b"\n" + line[0] + record[end:], 1) is None
        cards = list(re.finditer(rb"(?<=[ :shdc*])(?:\w[shdc]|\*)(?!:)", line[0]))
        if cards:
            first, last = (start + at for at in cards[-1].span())
            other = b"4h" if cards[-1][0] != b"4h" else b"Kd"
            assert scan_game(Scan(), record[:first] + other + record[last:], 1) is None
            assert scan_game(Scan(), record[:first].rstrip() + record[last:], 1) is None


def test_concealed_may_be_claimed_at_the_end() -> None:
    record = shown_at_the_end("classic-strict", 3)
    assert b" concealed\n" in record
    assert hold(record)
    plain_out = shown_at_the_end("classic", 0)
    falsely = re.sub(rb"^(end out \w)$", rb"\1 concealed", plain_out, flags=re.MULTILINE)
    assert falsely != plain_out
    assert hold(plain_out)
    assert not hold(falsely)


@pytest.mark.parametrize("profile", ["classic", "classic-6p", "bga"])
def test_mutants_of_the_table_at_the_end_agree(profile: str) -> None:
    record = shown_at_the_end(profile, 1)
    start, end = record.index(b"\nend ") + 1, record.index(b"\nscore ") + 1
    tables = mutants([record[start:end]], MUTANTS // 50, seed=4)
    assert sum(hold(record[:start] + table + record[end:]) for table in tables)


GAME = VERIFIED.encode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'[Dealer "N"]', b'[Dealer ""]'),
        (b'[Dealer "N"]', b'[Dealer "N"]\n[Target ""]'),
        (b'[Dealer "N"]', '[Dealer "N"]\n[Target "5\u0660\u0660\u0660"]'.encode()),
        (b"end out N", b"end out X"),
        (b"end out N", b"9. "),
        (b"end out N", b"9. ; x\nend out N"),
        (b"end out N", b"9. end out N"),
        (b"score NS", b"9. score NS"),
        (b"natural 500", b"natural\n500"),
        (b"up As\n", b"up As\nup As\n"),
        (b"up As\n", b"N: 6c Qd Qd Ks Ks Kh Kh Kd Kd Kc Kc\nup As\n"),
        (b"1. E +5c", b"1. E_+5c"),
        (b'NS 910 EW 395"', b'NS 910"'),
    ],
)
def test_what_the_grammar_refuses_is_not_verified(old: bytes, new: bytes) -> None:
    assert hold(FIRST_DEAL)
    changed = FIRST_DEAL.replace(old, new, 1)
    assert changed != FIRST_DEAL
    assert not hold(changed)
    assert any(report.verdict == "contradicted" for report in by_lark(changed))


def test_a_bad_byte_far_from_the_head_is_an_error_of_its_line() -> None:
    torn = GAME.replace(b"Montevideo", b"Monte\0video")
    assert hold(GAME + b"; filler\n" * 1000 + b"\n" + torn + GAME)
    assert not hold(torn + GAME)


def test_the_head_of_the_file_decides_not_that_of_its_first_game() -> None:
    bad = b'[CGN "1"]\n; ' + b"\xff" * 900 + b"\ndeal 1 dealer N\n\n"
    assert hold(bad + GAME * 6)
    assert hold(b"\xef\xbb\xbf" + bad + GAME * 6)
    assert not hold(b"\xef\xbb\xbf" * 2 + GAME)


@pytest.mark.parametrize("more", [-1, 0, 1, 1 << 19, 3 << 20])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_the_longest_game(more: int, end: bytes) -> None:
    fill = GAME_LIMIT + more - len(GAME) - len(end)
    rows = b";" * 1023 + b"\n"
    lines = (rows * (fill >> 10) + b"\n" * (fill & 1023))[: -len(end) or None]
    long = GAME + lines + end
    assert hold(long + (b"\n" if end else b"") + GAME) or more > 0


def test_a_long_line() -> None:
    for size in (LINE_LIMIT - 1, LINE_LIMIT, LINE_LIMIT + 1):
        assert hold(GAME + b";" * size + b"\n\n" + GAME)


@pytest.mark.parametrize("between", [b"; \xff\n", b" ; \xff\n;\n", b"; \xff\n\n;\n", b"; \xff\r\n"])
def test_comments_right_above_a_game_belong_to_it(between: bytes) -> None:
    assert hold(GAME + between + GAME)
    assert hold(GAME + b"\n" + between + GAME + between + GAME)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("NS 5480 EW 4665", True), ("EW 4665 NS 5480", True),
        ("*", False), ("NS 5485 EW 4665", False), ("NS 4665 EW 5480", False),
    ],
)  # fmt: skip
def test_a_won_game_is_verified_only_with_its_result(claim: str, true: bool) -> None:
    record = (ROOT / "samples" / "thursday-club.canasta").read_bytes()
    claimed = record.replace(b'[Result "NS 5480 EW 4665"]', f'[Result "{claim}"]'.encode())
    assert (scan_game(Scan(None), claimed, 1) is not None) is true
    found = [each.code for report in by_lark(claimed) for each in report.findings]
    assert found == ([] if true else ["result"])


def test_a_game_that_nobody_has_won_is_verified_with_an_open_result() -> None:
    open_game = VERIFIED.replace('"NS 460 EW 225"', '"*"').encode()
    assert scan_game(Scan(None), open_game, 1) is not None
