"""The commands that judge records: what validate, replay and audit print, and how they exit."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import Result

import canasta_notation as cn
from canasta_notation.cli.session import json_text
from canasta_notation.cli.validate_work import LISTED
from canasta_notation.notation.json_form import game_to_json
from canasta_notation.resources import packaged_text
from tests.cli_records import BROKEN, FALSE, SHEET, VERIFIED
from tests.pages import called
from tests.programs import canasta, program

SAMPLES = Path(__file__).parent.parent / "samples"


def judged(result: Result, schema: str) -> Any:
    """Return the JSON document that a command printed, valid against its schema."""
    document = json.loads(result.stdout)
    Draft202012Validator(json.loads(packaged_text("schemas", f"{schema}.schema.json"))).validate(
        document
    )
    return document


FIRST = (SAMPLES / "first-deal.canasta").read_text("utf-8")


@pytest.mark.parametrize(
    ("right", "typed", "remedy"),
    [
        ("5:5d5c2s", "5:5d5c2sJK", "write a joker as `*`: `5:5d5c2s*`"),
        ("Ah 2s *", "Ah 2s JK", "write a joker as `*`; `JK` is a jack and a king"),
        ("natural 500", "natural 1", "write `natural 500`: 1 times 500 points"),
        ("end out N", "Ende aus N", "write `end out N`"),
        ("end out N", "end N out", "write `end out N`"),
        ("end out N", "penalty NS 50\nend out N", "`penalty NS 50 upcard`"),
        ("-9c", "-9k", "write `-9c` if `k` stands for clubs"),
        ("-9c", "-9p", "`p` stands for spades (Pik, pique, picas): write `-9s`"),
        ("-9c", "-Bc", "write a jack (Bube, boer) as `-Jc`"),
        ("-9c", "-Rc", "write a king (roi, rey) as `-Kc`"),
        ("4. N", "5. N", "write `4.`, or leave the turn numbers out"),
        ("E: 3h 5d 6h", "E: 5d 6h", "write all 11 cards as they were dealt"),
        ("^Qc Q:Qh2c", "^ Q:Qh2c", "`^Q Q:Qh2c Q:Qd -Ac`"),
        ('"classic"', '"classic, target=3000"', "write `classic`: only spaces separate"),
        ('"classic"', '"classic,target=3000"', "write `classic target=3000`: only"),
    ],
)
def test_what_people_type_is_corrected_in_one_step(right: str, typed: str, remedy: str) -> None:
    result = canasta("validate", "--json", "-", stdin=FIRST.replace(right, typed, 1))
    first = judged(result, "findings")["files"][0]["findings"][0]
    assert result.exit_code == 1 and remedy in first["help"]


@pytest.mark.parametrize(
    ("rules", "typed", "points"),
    [("classic", "natural 1", 500), ("classic", "mixed 2", 600), ("samba", "sequence 3", 4500)],
)
def test_a_number_of_canastas_on_a_score_sheet_is_recognised(
    rules: str, typed: str, points: int
) -> None:
    text = f"deal 1 dealer N\nend out N\nscore NS 205 = {typed} out 200\n"
    shown = canasta("validate", "-", stdin=f'[CGN "1"]\n[Rules "{rules}"]\n{text}').stdout
    assert f"{typed} looks like a number of canastas" in shown
    assert f"write `{typed.split()[0]} {points}`" in shown


def test_scores_that_agree_come_first() -> None:
    seen = SAMPLES / "seen-at-the-table.canasta"
    shown = canasta("validate", seen).stdout
    assert shown.startswith(
        f"{seen}: scores agree; 51 checks need cards that nobody saw; the first"
    )
    wrong = canasta("validate", "-", stdin=seen.read_text("utf-8").replace("910", "900")).stdout
    assert "scores agree" not in wrong


# --- validate -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "verdict"),
    [
        ("true", 0, "verified"),
        ("false", 1, "contradicted"),
        ("broken", 1, "contradicted"),
        ("unseen", 0, "undetermined"),
        ("sheet", 0, "undetermined"),
    ],
)
def test_verdict(records: Path, name: str, code: int, verdict: str) -> None:
    path = records / f"{name}.canasta"
    result = canasta("validate", path)
    assert result.exit_code == code
    assert result.stdout.rstrip().endswith(verdict)
    document = judged(canasta("validate", path, "--json"), "findings")
    assert document["verdict"] == document["files"][0]["verdict"] == verdict
    assert document["files"][0]["file"] == str(path)


def test_validate_json(records: Path) -> None:
    document = judged(canasta("validate", "--json", records / "false.canasta"), "findings")
    file = document["files"][0]
    assert file["games"] == [
        {"game": 1, "rules": "classic", "verdict": "contradicted", "deals": 1, "turns": 61}
    ]
    found = [(each["code"], each["consequence_of"]) for each in file["findings"]]
    assert found == [("score-item", None), ("score", 0), ("total", 1)]
    item = file["findings"][0]
    assert item["rule"] == {
        "key": "score.red3",
        "value": "100,200,300,800",
        "mark": "S",
        "source": "Wikipedia, Scoring",
    }
    assert (item["game"], item["deal"], item["turn"], item["acknowledged"]) == (1, 1, None, False)


def test_undetermined_says_why(records: Path) -> None:
    file = judged(canasta("validate", "--json", records / "unseen.canasta"), "findings")["files"][0]
    assert file["undetermined"][0]["line"] == 2
    assert "checks need cards that are not written" in canasta("validate", records).stdout
    file = judged(canasta("validate", "--json", records / "broken.canasta"), "findings")["files"][0]
    assert file["unchecked"] == [{"game": 1, "deal": 1, "line": 14}]


RULES = '[Rules "classic"]\n[N "Ana"]'


def test_default_rules_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "club.canasta"
    stated = VERIFIED.replace('[N "Ana"]', RULES)
    empty = VERIFIED.replace('[N "Ana"]', '[Rules ""]')
    for text, said in {
        VERIFIED: "",
        FALSE: "",
        SHEET: "",
        empty: "",
        empty.replace("[CGN", " [CGN"): "",
        VERIFIED + FALSE + VERIFIED: "",
        stated + VERIFIED + FALSE: " in 2 of 3 games",
    }.items():
        path.write_text(text, "utf-8")
        shown = canasta("validate", path).stdout
        assert shown.count(f"{path}: no rules named{said}: judged by classic\n") == 1
        assert "Rules tag" not in canasta("validate", path, "--json").output
        assert "Rules tag" not in canasta("validate", path, "--format", "github").output
        assert "no rules named" not in canasta("validate", path, "--rules", "classic").output
    for text in (stated, VERIFIED.replace('[N "Ana"]', "[Rules bga]")):
        path.write_text(text, "utf-8")
        assert "no rules named" not in canasta("validate", path).output


def test_players_of_one_name_are_shown_with_their_seats(tmp_path: Path) -> None:
    path = tmp_path / "jo.canasta"
    path.write_text(called(SAMPLES / "first-deal.canasta", "Jo", "Jo", "Jo", "Di"), "utf-8")
    shown = canasta("replay", path).stdout
    assert "\n  1  Jo (E)  drew 5c" in shown
    assert "\n  3  Di      took" in shown
    path.write_text(path.read_text("utf-8").replace('"Jo"', '"Maximilian"'), "utf-8")
    shown = canasta("replay", path).stdout
    assert "\n  2  Maximil… (S)  drew Qh" in shown
    shown = canasta("audit", path).stdout
    assert "deal 1: Maximilian (N) went out" in shown and "hand of Di: 1 card" in shown
    assert "hand of Maximilian (E): 2 cards" in shown


def test_the_first_findings_of_a_code_are_listed_and_the_others_counted() -> None:
    deals = [f"deal {n} dealer N\nend stock\nscore NS 10\nscore EW 5" for n in range(1, 251)]
    sheet = "\n".join(['[CGN "1"]', '[Rules "classic"]', "", *deals, "total NS 1 EW 2"])
    sheet = sheet.replace("score EW 5", "score EW 5\ntotal NS 1 EW 2")
    found = judged(canasta("validate", "--json", "-", stdin=sheet), "findings")["files"][0]
    codes = Counter(each["code"] for each in found["findings"])
    assert codes["total"] > 400
    rest = f"only {LISTED} findings of a code are listed; --all lists {codes['total'] - LISTED}"
    for form, block in (("text", "error[total]"), ("github", "title=total:")):
        command = ("validate", "--format", form, "-")
        some, every = canasta(*command, stdin=sheet), canasta(*command, "--all", stdin=sheet)
        assert some.exit_code == every.exit_code == 1
        assert (some.stdout.count(block), every.stdout.count(block)) == (LISTED, codes["total"])
        assert f"{rest} more of total" in some.stdout
        assert "--all" not in every.stdout
        for code in codes.keys() - {"total"}:
            assert some.stdout.count(code) == every.stdout.count(code)


def test_the_remarks_of_many_games_are_listed_up_to_a_number(tmp_path: Path) -> None:
    path = tmp_path / "sheets.canasta"
    game = '[CGN "1"]\n[Rules "classic"]\n\ndeal 1 dealer N\nend stock\nscore NS 10\nscore EW 5\n'
    path.write_text("\n".join([game] * (LISTED + 3)), "utf-8")
    shown = canasta("validate", path).stdout
    remark = "deal 1 is a score sheet"
    assert shown.count(remark) == LISTED
    assert "--all lists 3 more remarks\n" in shown
    assert canasta("validate", path, "--all").stdout.count(remark) == LISTED + 3
    deals = "".join(
        f"deal {n} dealer N\nend stock\nscore NS 10\nscore EW 5\n" for n in range(1, 31)
    )
    path.write_text(f'[CGN "1"]\n[Rules "classic"]\n\n{deals}', "utf-8")
    assert "deals 1, 2, 3" in canasta("validate", path).stdout
    assert "19, 20 and 10 more are score sheets" in canasta("validate", path).stdout


def test_github(records: Path) -> None:
    path = records / "a,b:c%.canasta"
    path.write_text(BROKEN, "utf-8")
    result = canasta("validate", "--format", "github", path)
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("::error file=") for line in lines)
    assert "a%2Cb%3Ac%25.canasta,line=14,col=6,endColumn=11,title=syntax::" in lines[0]
    assert "contradicted" in result.stderr
    path.write_bytes(b"")
    result = canasta("validate", "--format", "github", path, records / "none")
    assert result.exit_code == 2
    assert [line.rpartition("/")[2] for line in result.stdout.splitlines()] == [
        "none: no such file or folder",
        "a,b:c%25.canasta: there is no game in this file",
    ]
    assert "a%2Cb%3Ac%25.canasta::" in result.stdout


@pytest.mark.parametrize("text", ["", "  "])
def test_empty_rules_are_refused(records: Path, text: str) -> None:
    for arguments in (("validate", records / "true.canasta", "--rules", text), ("rules", text)):
        result = canasta(*arguments)
        assert result.exit_code == 2 and "name a profile" in result.output


def test_other_rules(records: Path, tmp_path: Path) -> None:
    path = records / "true.canasta"
    result = canasta("validate", path, "--rules", "classic opening.table=0:100,120")
    assert result.exit_code == 1
    assert "judged by classic opening.table=0:100,120: the default rules were" in result.stdout
    fast = canasta("validate", SAMPLES / "first-deal.canasta", "--rules", "classic target=3000")
    assert "judged by classic target=3000: the record's own rules (classic) were" in fast.stdout
    assert "set by the command line" in " ".join(result.stdout.split())
    profile = tmp_path / "own.toml"
    profile.write_text(
        'name = "own"\ntitle = "ours"\nextends = "classic"\n[values]\n'
        '"score.natural" = { value = 400, mark = "S", source = "house" }\n'
    )
    assert "own: score.natural = 400" in canasta("validate", path, "--rules", profile).stdout
    made = canasta("generate", "--deals", "1", "--rules", profile).stdout
    assert '[Rules "classic score.natural=400"]' in made
    assert canasta("validate", "-", stdin=made).exit_code == 0
    for wrong in ("nonsense", "classic meld.max_wilds=x", tmp_path / "none.toml"):
        result = canasta("validate", path, "--rules", str(wrong))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("canasta: --rules: ")
    assert result.stderr == f"canasta: --rules: {tmp_path / 'none.toml'}: no such file or folder\n"


def test_folders_and_forms(records: Path) -> None:
    inner = records / "inner"
    inner.mkdir()
    assert canasta("convert", records / "true.canasta", "-o", inner / "t.json").exit_code == 0
    assert canasta("convert", records / "true.canasta", "-o", inner / "t.jsonl").exit_code == 0
    (inner / "package.json").write_text('{"name": "x"}')
    document = judged(canasta("validate", "--json", records), "findings")
    names = [Path(file["file"]).name for file in document["files"]]
    texts = ["broken.canasta", "false.canasta", "sheet.canasta", "true.canasta", "unseen.canasta"]
    assert names == [*texts, "t.json", "t.jsonl"]
    assert [file["verdict"] for file in document["files"]][-2:] == ["verified", "verified"]
    assert judged(canasta("validate", "--json", "--jobs", "2", records), "findings") == document


def test_json_is_recognised_whatever_its_order(tmp_path: Path) -> None:
    [game] = cn.read(VERIFIED)
    value = game_to_json(game)
    late = json.dumps({"games": [value, value], "cgn": 1})
    assert '"cgn"' not in late[:4096]
    for text, games in ((late, 2), (json.dumps(value), 1), (json.dumps(value, indent=1), 1)):
        path = tmp_path / "games.json"
        path.write_text(text)
        shown = [canasta("validate", given).stdout for given in (path, tmp_path)]
        shown.append(program("validate", "-", input=text, text=True).stdout)
        assert all(f"1 file, {games} game" in each for each in shown)
        assert list(cn.read(text)) == [replace(game, number=at + 1) for at in range(games)]


def test_an_empty_path_is_not_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.canasta").write_text(VERIFIED.replace("deal 1", "deal  1"))
    monkeypatch.chdir(tmp_path)
    assert canasta("format", "").stderr == "canasta: a path is empty; `.` means this folder\n"
    assert "deal  1" in (tmp_path / "a.canasta").read_text()


def test_unreadable_among_readable(records: Path) -> None:
    result = canasta(
        "validate", records / "true.canasta", records / "nope", records / "true.canasta"
    )
    assert result.exit_code == 2
    assert "nope: no such file" in result.stderr
    assert "2 files, 2 games" in result.stdout


def test_standard_input() -> None:
    assert canasta("validate", "-", stdin=VERIFIED).exit_code == 0
    assert canasta("validate", "-", stdin=BROKEN).stdout.startswith("-:14:6: error[syntax]")


def test_several_games() -> None:
    result = canasta("validate", "--json", "-", stdin=VERIFIED + "\n" + FALSE)
    document = judged(result, "findings")
    file = document["files"][0]
    assert [game["verdict"] for game in file["games"]] == ["verified", "contradicted"]
    assert {finding["game"] for finding in file["findings"]} == {2}
    assert file["findings"][1]["consequence_of"] == 0


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("chess (PGN)", '[Event "Club"]\n[White "Ana"]\n[Black "Bo"]\n\n1. e4 e5 *\n'),
        ("chess (PGN)", "1. Nf3 d5 2. c4 *\n"),
        ("bridge (PBN)", '% PBN 2.1\n[Event "Club"]\n'),
        ("bridge (PBN)", '[Event "Club"]\n[Dealer "N"]\n[Vulnerable "None"]\n'),
        ("poker (PHH)", 'variant = "NT"\nstarting_stacks = [100, 200]\n'),
    ],
)
def test_records_of_other_games_are_recognised(game: str, text: str) -> None:
    for command in ("validate", "replay", "audit", "format"):
        result = canasta(command, "-", stdin=text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"this is a record of {game}, not of Canasta" in result.stderr


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("a PDF", b"%PDF-1.7\n%\xe2\xe3\n"),
        ("an RTF document", b"{\\rtf1\\ansi deal 1}"),
        ("a web page", b"\n<!DOCTYPE html>\n<html></html>\n"),
        ("a ZIP archive, perhaps a Word document", b"PK\x03\x04\x14\0\0"),
    ],
)
def test_files_of_other_kinds_are_recognised(kind: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(data)
    for command in ("validate", "replay", "audit", "format"):
        result = canasta(command, str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"this is {kind}; save the record as plain text" in result.stderr


def test_a_dealer_named_by_name() -> None:
    tags = '[CGN "1"]\n[N "Ana Ruiz"]\n[E ""]\n'
    for value, help_text in (
        ("Ana", "write the player's seat, `N`"),
        ("", "name a seat of the game or, in the Rules tag, name rules that have this seat"),
    ):
        result = canasta("validate", "-", stdin=f'{tags}[Dealer "{value}"]\ndeal 1\n')
        assert f"this game has no seat {value}".strip() in result.stdout
        assert help_text in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ('[Dealer "Zed"]', "seat"),
        ("deal 1 dealer A", "seat"),
        ("deal 1\n1. A + -4s", "seat"),
        ("deal 1\nend out A", "seat"),
        ("deal 1\nend stock\nleft A 4s", "seat"),
        ("deal 1\npenalty N 100 upcard", "side"),
        ("deal 1\nend stock\nmelds N", "side"),
        ("deal 1\nend stock\nthrees N", "side"),
        ("deal 1\nscore N 100", "side"),
        ("deal 1\ntotal N 100", "side"),
    ],
)
def test_the_remedy_for_an_unknown_seat_or_side(lines: str, kind: str) -> None:
    shown = canasta("validate", "-", stdin=f'[CGN "1"]\n{lines}\n').stdout
    known = "name a seat of the game" if kind == "seat" else "write NS or EW"
    help_text = f"{known} or, in the Rules tag, name rules that have this {kind}"
    assert f"help: {help_text}" in " ".join(shown.split())


@pytest.mark.parametrize("header", ["deal;NS;EW", "\ufeffDeal,NS,EW", "game\tdeal\tside\tscore"])
def test_a_score_sheet_in_csv_is_recognised(header: str) -> None:
    for command in ("validate", "replay", "audit", "format"):
        result = canasta(command, "-", stdin=f"{header}\n1;1;1;1\n")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "this is a CSV score sheet; `canasta convert --from csv` reads it" in result.stderr


@pytest.mark.parametrize(
    "text",
    [
        '[Event "Club"]\n1. N +5h -5h\n',
        "1. E +4h -4h\n",
        "deal 1;glued\n",
        "; game, deal, side\n1. E +4h -4h\n",
    ],
)
def test_a_record_without_a_version_is_not_taken_for_another_game(text: str) -> None:
    assert "error[version]" in canasta("validate", "-", stdin=text).stdout


def test_a_missing_dealer_is_reported() -> None:
    shown = canasta("validate", "-", stdin='[CGN "1"]\ndeal 1\n1. N +5h -5h\n').stdout
    assert "deal 1 does not say who deals" in " ".join(shown.split())


def test_a_mistake_outside_the_play_stops_no_check(records: Path) -> None:
    damages = (
        (b'"Montevideo"]', b"Montevideo]"),
        (b"; Ana opens at once", b"; Ana opens \xe0 once"),
        (b"@12.5 !?", b"@12:05 !?!"),
    )
    whole = VERIFIED.encode()
    for old, new in damages:
        assert whole.count(old) == 1
        text = whole.replace(old, new)
        validated = canasta("validate", "-", "--json", stdin=text)
        [file] = judged(validated, "findings")["files"]
        assert [each["code"] for each in file["findings"]] == ["syntax"]
        audited = canasta("audit", "-", "--json", stdin=text)
        assert audited.stdout == canasta("audit", "-", "--json", stdin=whole).stdout
        replayed = canasta("replay", "-", "--turn", "60:61", stdin=text)
        assert replayed.stdout.count("deal 1, turn") == 2
        listed = canasta("legal", "-", "--deal", "1", "--turn", "2", stdin=text)
        codes = [each.exit_code for each in (validated, audited, replayed, listed)]
        assert codes == [1, 1, 1, 0]


@pytest.mark.parametrize("line", ["", "dael 3 dealer S\n"])
def test_an_unreadable_deal_line_costs_only_its_deal(line: str) -> None:
    text = (SAMPLES / "thursday-club.canasta").read_text("utf-8")
    result = canasta("validate", "-", "--json", stdin=text.replace("deal 3 dealer S\n", line))
    [file] = judged(result, "findings")["files"]
    assert [each["code"] for each in file["findings"]] == ["syntax"]
    assert file["games"][0]["deals"] == 5
    assert file["unchecked"] == [{"game": 1, "deal": None, "line": 108}]


def test_a_series_of_consequences_is_shown_as_one_row() -> None:
    deals = [f"deal {number}\nscore NS 5" for number in (1, 3, 4, 5)]
    shown = canasta("validate", "-", stdin="\n".join(['[CGN "1"]', *deals, ""])).stdout
    assert shown.count("error[deal-number]: ") == 2
    assert "(follows from deal-number at line 4, as does 1 more finding, down to line 8)" in shown


def test_every_command_reports_unknown_rules_in_the_same_way() -> None:
    text = VERIFIED.replace('[Event "Thursday club"]', '[Rules "clasic"]')
    for command in (
        ("validate", "-"),
        ("replay", "-"),
        ("replay", "-", "--turn", "1"),
        ("audit", "-"),
        ("legal", "-", "--deal", "1", "--turn", "1"),
    ):
        result = canasta(*command, stdin=text)
        assert result.exit_code == 1
        words = " ".join((result.stdout + result.stderr).split())
        assert "there is no profile clasic" in words
        assert "did you mean classic?" in words
    document = judged(canasta("replay", "-", "--json", stdin=text), "replay")
    assert document["games"] == []


@pytest.mark.parametrize(("form", "command"), [("json", "validate"), ("jsonl", "replay")])
def test_standard_input_is_json_if_it_begins_like_json(form: str, command: str) -> None:
    typed = canasta("convert", SAMPLES / "first-deal.canasta", "--to", form).stdout
    done = program(command, "-", input=typed.encode())
    assert (done.returncode, done.stderr) == (0, b""), done.stdout


# --- replay -------------------------------------------------------------------------------------


def test_replay_json(records: Path) -> None:
    document = judged(canasta("replay", "--json", records / "true.canasta"), "replay")
    steps = document["games"][0]["steps"]
    assert (steps[0]["turn"], steps[0]["action"], steps[0]["done"]) == (0, -1, None)
    assert [step["done"] for step in steps[1:5]] == ["+7d", "K:KhKhKdKd", "8:8s8h8d8c", "-7d"]
    assert steps[4]["state"]["hands"]["N"]["cards"] == ["4c", "Qs", "Qd"]
    assert steps[4]["comment"] == "a bold start"
    assert (steps[-1]["state"]["ended"], steps[-1]["state"]["ended_by"]) == ("out", "N")
    assert steps[-1]["state"]["due"] is None
    some = judged(canasta("replay", "--json", records / "true.canasta", "--turn", "2:3"), "replay")
    assert {step["turn"] for step in some["games"][0]["steps"]} == {2, 3}


def test_replay_of_a_seat(records: Path) -> None:
    path = records / "true.canasta"
    document = judged(canasta("replay", "--json", "--seat", "N", path), "replay")
    every = judged(canasta("replay", "--json", path), "replay")["games"][0]["steps"]
    for step, full in zip(document["games"][0]["steps"], every, strict=True):
        state = step["state"]
        if step["turn"] == 0:
            assert all(not hand["cards"] for seat, hand in state["hands"].items() if seat != "N")
        for seat, hand in state["hands"].items():
            assert not Counter(hand["cards"]) - Counter(full["state"]["hands"][seat]["cards"])
        assert all(side["points"] is None for side in state["sides"].values())
        if step["seat"] not in (None, "N") and step["done"].startswith("+"):
            assert step["done"] == "+_"
    text = canasta("replay", "--seat", "N", path).stdout
    assert "drew 7d" in text
    assert "…  drew Ah" not in text
    assert "  2  [red]Br…  drew 1 card; discarded Ah" in text
    assert "bold" not in text


def test_what_a_seat_can_know_has_one_source() -> None:
    """The stepper and the replay show a seat the same hands, here with one card that was taken."""
    path = SAMPLES / "first-deal.canasta"
    shown = canasta("replay", path, "--seat", "E", "--turn", "8").stdout
    stepped = canasta("replay", path, "--seat", "E", "--step", stdin="8\nq\n").stdout
    hand = "  S Carla      3  3s  + 2 not known, no K"
    assert hand in shown.splitlines()
    assert hand in stepped.splitlines()


def test_replay_of_turns(records: Path) -> None:
    path = records / "true.canasta"
    assert "turn 60 of 61: W Dario" in canasta("replay", path, "--turn", "60").stdout
    for wrong in ("0", "5:3", "x", "1:2:3", "99"):
        for form in ((), ("--json",)):
            result = canasta("replay", path, "--turn", wrong, *form)
            assert (result.exit_code, result.stdout) == (2, "")
    for wrong in (("--game", "2"), ("--deal", "2"), ("--seat", "A"), ("--seat", "NS")):
        result = canasta("replay", path, *wrong)
        assert (result.exit_code, result.stdout) == (2, ""), wrong


def test_step_by_step(records: Path) -> None:
    result = canasta("replay", "--step", records / "true.canasta", stdin="\nb\n61\n\nd1\nwhat\nq\n")
    titles = [line for line in result.stdout.splitlines() if line.startswith("deal 1, turn")]
    assert [int(title.split()[3]) for title in titles] == [1, 2, 1, 61, 61, 1, 1]
    assert result.exit_code == 0


def test_replay_shows_what_cannot_be_read(records: Path) -> None:
    result = canasta("replay", records / "broken.canasta")
    assert result.exit_code == 1
    assert "error[syntax]" in result.stdout
    assert "error[meld-wilds]" in result.stdout


def test_replay_says_why_it_exits_with_1() -> None:
    for path in sorted((SAMPLES / "broken").glob("*.canasta")):
        result = canasta("replay", path)
        why = f"error[{path.stem}]" in result.stdout or "canasta: " in result.stderr
        assert why == (result.exit_code == 1), path.name


def test_replay_of_a_deal_that_cannot_be_replayed_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "three-nines.canasta"
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    path.write_text(text.replace("5. E +6c", "5. E +9c"), "utf-8")
    stops, why = "deal 1 cannot be replayed past turn 4", "error[deck-count]: the record has more"
    shown = canasta("replay", path).stdout
    assert shown.index(stops) < shown.index(why)
    beyond = canasta("replay", path, "--turn", "7")
    assert (beyond.exit_code, beyond.stdout) == (2, "")
    assert f"{stops}: {path}:22:6: {why}" in beyond.stderr
    stepped = canasta("replay", path, "--step", stdin="f\nq\n").stdout
    assert stepped.index("turn 4 of 8") < stepped.index(stops) < stepped.index(why)
    for part in (("--turn", "1:7"), ("--deal", "1"), ("--seat", "N"), ("--step",)):
        last = canasta("replay", path, *part, stdin="q\n").stdout.splitlines()[-1]
        assert last == "1 error in this record; canasta validate shows it", part


# --- deals without turns ------------------------------------------------------------------------


def test_every_seat_sees_a_whole_final_table() -> None:
    path = SAMPLES / "final-tables.canasta"
    steps = [
        judged(canasta("replay", path, "--json", *seat), "replay")["games"][0]["steps"]
        for seat in ((), ("--seat", "N"))
    ]
    assert steps[0] == steps[1]
    shown, seen = (canasta("replay", path, *seat).stdout for seat in ((), ("--seat", "N")))
    assert seen.replace("as N sees it\n", "") == shown
    rows = shown.split("deal 2")[0].splitlines()
    assert rows[rows.index("deal 1, dealer W") + 1] == "  the table at the end"
    assert "  E Bruno      3  5s 7d 7c" in rows
    assert "              tens    3 cards  3 natural" in rows
    assert not any("pile" in each or "stock" in each for each in rows)
    stepped = canasta("replay", path, "--seat", "N", "--step", stdin="q\n").stdout.splitlines()
    assert stepped[0] == "deal 1 of 7, the table at the end  [as N sees it]"
    assert "  E Bruno      3  5s 7d 7c" in stepped


def test_a_hand_that_nobody_saw_at_the_end_is_not_known() -> None:
    text = '[CGN "1"]\n[N "Ana"]\n\ndeal 1 dealer N\nend out E\nleft S 4\nleft W 5\n'
    shown = canasta("replay", "-", stdin=text).stdout.splitlines()
    assert "  N Ana        ?  not known" in shown and "  S            1  4" in shown


@pytest.mark.parametrize("name", ["final-tables", "score-sheet-1"])
def test_a_deal_without_turns_has_none_to_show(name: str) -> None:
    path = SAMPLES / f"{name}.canasta"
    for args, why in (
        (("replay", "--turn", "3"), "--turn: no turns are recorded"),
        (("replay", "--turn", "3", "--deal", "2"), "--turn: deal 2 has no recorded turns"),
        (("diagram", "--turn", "3", "--deal", "2"), f"{path}: deal 2 has no recorded turns"),
    ):
        result = canasta(*args, path)
        assert (result.exit_code, result.stderr) == (2, f"canasta: {why}\n")


def test_a_file_without_a_game(tmp_path: Path) -> None:
    path = tmp_path / "empty.canasta"
    path.touch()
    for args in (["replay"], ["audit"], *([each, "--deal", "1", "--turn", "1"] for each in TURNS)):
        assert canasta(*args, path).stderr == f"canasta: {path}: there is no game in this file\n"


#: The commands that show one turn.
TURNS = ("legal", "diagram")


# --- audit --------------------------------------------------------------------------------------


def test_audit_json(records: Path) -> None:
    result = canasta("audit", "--json", records / "false.canasta")
    assert result.exit_code == 1
    game = judged(result, "audit")["files"][0]["games"][0]
    deal = game["deals"][0]
    assert (deal["deal"], deal["ended"], deal["by"]) == (1, "out", "N")
    east = deal["sides"]["EW"]
    assert east["items"] == {"melds": 90, "red3": 800, "hand": -665}
    assert (east["score"], east["total"], east["agrees"]) == (225, 225, False)
    assert east["claimed"] == {
        "items": {"melds": 90, "red3": 700, "hand": -665},
        "score": 125,
        "total": 125,
    }
    assert game["result"] == {
        "totals": {"NS": 460, "EW": 225},
        "winner": None,
        "finished": False,
        "claimed": "NS 460 EW 225",
        "agrees": True,
    }


def test_audit_of_unknown_figures(records: Path) -> None:
    for name in ("unseen", "sheet", "broken"):
        document = judged(canasta("audit", "--json", records / f"{name}.canasta"), "audit")
        for deal in document["files"][0]["games"][0]["deals"]:
            assert deal["ended"] is None
            assert all(side["score"] is None for side in deal["sides"].values())


def test_audit_csv(records: Path) -> None:
    result = canasta("audit", "--csv", records / "false.canasta", records / "true.canasta")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    wrong = [(row["side"], row["item"]) for row in rows if row["agrees"] == "no"]
    assert wrong == [("EW", "red3"), ("EW", "score"), ("EW", "total")]
    assert {row["file"] for row in rows} == {
        str(records / "false.canasta"),
        str(records / "true.canasta"),
    }


def test_audit_csv_of_a_total_that_rests_on_a_claimed_score(tmp_path: Path) -> None:
    """Deal 1 does not say which threes EW tabled; the total of deal 2 continues from it."""
    path = tmp_path / "a.canasta"
    table = "end out S\nmelds NS 5:5555555\nmelds EW 7:777\nthrees NS\nleft N\nleft E\nleft W\n"
    known = table.replace("threes NS\n", "threes NS\nthrees EW\n")
    first = f"deal 1 dealer W\n{table}score NS 635\nscore EW 115\ntotal NS 635 EW 115\n"
    second = f"deal 2 dealer N\n{known}score NS 635\nscore EW 15\ntotal NS 1270 EW 130\n"
    path.write_text(f'[CGN "1"]\n\n{first}\n{second}', "utf-8")
    rows = csv.DictReader(io.StringIO(canasta("audit", "--csv", path).stdout))
    agrees = {
        (row["deal"], row["side"], row["item"]): row["agrees"]
        for row in rows
        if row["item"] in ("score", "total")
    }
    assert agrees == {
        ("1", "NS", "score"): "yes",
        ("1", "NS", "total"): "yes",
        ("1", "EW", "score"): "",
        ("1", "EW", "total"): "",
        ("2", "NS", "score"): "yes",
        ("2", "NS", "total"): "yes",
        ("2", "EW", "score"): "yes",
        ("2", "EW", "total"): "",
    }


def test_audit_against(records: Path) -> None:
    path = records / "true.canasta"
    result = canasta("audit", path, "--against", "classic score.natural=400")
    line = next(line for line in result.stdout.splitlines() if "natural" in line and "500" in line)
    assert line.split() == ["natural", "500", "400", "500", "differs"]
    document = judged(canasta("audit", "--json", path, "--against", "bga"), "audit")
    assert document["against"]["files"][0]["games"][0]["rules"] == "bga"
    assert canasta("audit", "--csv", "--against", "bga", path).exit_code == 2
    strict = canasta("audit", SAMPLES / "first-deal.canasta", "--against", "classic-strict")
    lines = strict.stdout.splitlines()
    first = next(at for at, line in enumerate(lines) if "melds" in line)
    items = [line.replace("NS", "").split()[0] for line in lines[first : first + 6]]
    assert items == ["melds", "natural", "concealed-canasta", "red3", "out", "hand"]
    other = canasta("audit", path, "--against", "american-2p")
    assert other.exit_code == 0
    assert "american-2p" in other.stdout


@pytest.mark.parametrize(
    ("rules", "scores", "most"),
    [
        (
            "classic",
            "score NS -300 = red3 -300\nscore EW -200 = red3 -200",
            "4 red threes of the deck",
        ),
        (
            "american-2p",
            "score N 2535 = melds 35 sevens 2500\nscore S 2535 = melds 35 sevens 2500",
            "8 sevens of the deck",
        ),
        (
            "classic",
            "score NS 3400 = melds 400 natural 3000\nscore EW 3400 = melds 400 natural 3000",
            "11 ranks that can make a natural canasta",
        ),
    ],
)
def test_an_item_that_the_deck_has_no_cards_for_says_which(
    rules: str, scores: str, most: str
) -> None:
    text = f'[CGN "1"]\n[Rules "{rules}"]\n\ndeal 1\nend stock\n{scores}\n'
    said = canasta("validate", "-", stdin=text).stdout.replace("\n", " ")
    assert f"with the items before it, it takes more than the {most}" in said


#: One of the sides claims more red threes than the others leave.
RED_THREES = (("N", 800), ("E", 100), ("S", 100))


def test_one_false_number_of_threes_is_found_at_one_line() -> None:
    scores = [f"score {side} {red3 + 50} = red3 {red3} melds 50" for side, red3 in RED_THREES]
    text = "\n".join(['[CGN "1"]', '[Rules "classic-3p"]', "", "deal 1", *scores, ""])
    assert "1 deal, 0 turns: 1 error, 0 warnings" in canasta("validate", "-", stdin=text).stdout


def test_a_key_of_a_rule_is_explained() -> None:
    shown = " ".join(canasta("explain", "score.red3_minus").stdout.split())
    assert "score.red3_minus=unmelded red threes count against a side" in shown
    assert "american-2p, american-4p and cla" in shown


#: The beginning of a score sheet of one deal.
ONE_DEAL = '[CGN "1"]\n[Result "*"]\ndeal 1\n'


def test_what_makes_a_claim_as_false_as_it_is() -> None:
    scores = "score NS 910 = melds 610 mixed 300\nscore EW 100 = melds 100\ntotal NS 901 EW 105\n"
    shown = canasta("audit", "-", "--why", stdin=ONE_DEAL + scores).stdout
    assert "two digits are exchanged: 901 for 910" in shown
    assert "one card more or less: black three, four, five, six or seven" in " ".join(shown.split())
    assert "claimed unfinished (*)" in shown


def test_against_says_which_rules_the_claims_fit() -> None:
    record = ONE_DEAL + "score NS 1400 = melds 900 natural 500\nscore EW 0\n"
    other = "classic score.natural=400"
    shown = canasta("audit", "-", "--against", other, stdin=record).stdout
    assert "what the record claims fits classic (A) better" in shown


def test_a_score_sheet_lacks_scores_not_cards() -> None:
    shown = canasta("validate", "-", stdin=ONE_DEAL + "total NS 500 EW 300\n").stdout
    assert "checks need scores that are not written" in shown
    assert "need cards" not in shown


def test_a_sheet_of_totals_computes_scores_and_takes_no_total_for_computed() -> None:
    sheet = ONE_DEAL + "total NS 1245 EW -85\ndeal 2\nscore EW 400\ntotal NS 2000\n"
    rows = canasta("audit", "-", "--csv", stdin=sheet).stdout.splitlines()
    shown = [each.split(",", 3)[3] for each in rows[1:]]
    assert shown == [
        *("NS,score,1245,,", "NS,total,,1245,", "EW,score,-85,,", "EW,total,,-85,"),
        *("NS,score,755,,", "NS,total,,2000,", "EW,score,,400,", "EW,total,315,,"),
    ]
    games = json.loads(canasta("audit", "-", "--json", stdin=sheet).stdout)["files"][0]["games"]
    assert [deal["sides"]["NS"]["score"] for deal in games[0]["deals"]] == [1245, 755]
    assert "from the claimed totals" in canasta("audit", "-", stdin=sheet).stdout
    played = ONE_DEAL + "up 9h\n1. E + -4s\nend unfinished\ntotal NS 100 EW 50\n"
    rows = canasta("audit", "-", "--csv", stdin=played).stdout
    assert "NS,score,,," in rows and "NS,total,,100," in rows


def test_a_total_that_leaves_out_items_of_a_sheet_is_false() -> None:
    items = "melds 420 natural 500 mixed 300 red3 200 out 100"
    sheet = ONE_DEAL + f"score NS 1520 = {items}\ntotal NS 1420\n"
    assert (
        "error[total]: the total of NS is 1520, not 1420"
        in canasta("validate", "-", stdin=sheet).stdout
    )


def test_a_row_of_which_nothing_is_written_lacks_scores_too() -> None:
    shown = canasta("validate", "-", stdin=ONE_DEAL + "total NS 500 EW 300\ndeal 2\n").stdout
    assert "note[unfinished]: nothing is written of this deal" in shown
    assert "write its turns, or its scores; if it was not played, remove it" in shown
    assert "5 checks need cards that are not written; the first is deal-size at line 5" in shown
    assert "2 checks need scores that are not written; the first is total at line 4" in shown
    begun = canasta("validate", "-", stdin=ONE_DEAL + "N: 4s ...\n").stdout
    assert "the record stops before the deal has ended" in begun


def test_hands_of_which_not_even_the_number_is_known_have_no_bounds() -> None:
    table = "end out N\nmelds NS 7:7777777\nmelds EW\nthrees NS 3h\nleft S\n"
    rows = canasta("audit", "-", "--csv", stdin=ONE_DEAL + table).stdout
    shown = canasta("audit", "-", stdin=ONE_DEAL + table).stdout
    assert "-,1,1,EW,hand,,," in rows
    assert [line.split()[-1] for line in shown.splitlines() if "unseen cards" in line] == ["?"]


def test_a_deal_that_is_over_does_not_mention_openings() -> None:
    path = str(SAMPLES / "first-deal.canasta")
    during, after = (canasta("replay", path, "--turn", turn).stdout for turn in ("2", "8"))
    assert "total 0, has opened" in during
    assert "total before 0, this deal" in after and "has opened" not in after


@pytest.mark.parametrize("unicode", [True, False])
def test_json_is_laid_out_as_the_standard_library_does(unicode: bool) -> None:
    value = {"a": [], "b": {}, "c": [1, -2.5, True, False, None, 'é\n"', [["x"], {"y": ()}]]}
    expected = json.dumps(value, ensure_ascii=not unicode, indent=1) + "\n"
    assert json_text(value, unicode=unicode) == expected
    assert json_text(value | {"a": iter([])}, unicode=unicode) == expected


def test_the_line_from_which_a_deal_is_not_checked_is_in_the_file() -> None:
    lines = FIRST.splitlines(keepends=True)
    last = next(at for at, line in enumerate(lines, 1) if line.startswith("2. S"))
    cut = "".join(lines[:last]).replace("2. S", "2. W")
    shown = canasta("validate", "-", stdin=cut).stdout
    assert f"deal 1 is not checked from line {last} on" in shown
