"""The commands: what they print, what they write, and how they exit."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from canasta_notation.cli.app import COMMANDS, app
from canasta_notation.cli.forms import FORMS, Form, games_as
from canasta_notation.cli.main import is_plain
from canasta_notation.cli.output import write_whole
from canasta_notation.cli.trouble import Trouble
from canasta_notation.notation.document import Game
from canasta_notation.notation.reader import read_games
from canasta_notation.resources import read_text
from canasta_notation.rules import codes, profile_names
from tests.cli_records import BROKEN, FALSE, SHEET, UNSEEN, VERIFIED
from tests.programs import canasta, interruptible, program

SAMPLES = Path(__file__).parent.parent / "samples"


def judged(result: Result, schema: str) -> Any:
    """Return the JSON document that a command printed, valid against its schema."""
    document = json.loads(result.stdout)
    Draft202012Validator(json.loads(read_text("schemas", f"{schema}.schema.json"))).validate(
        document
    )
    return document


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return a folder with a record of each kind."""
    texts = {"false": FALSE, "broken": BROKEN, "sheet": SHEET, "unseen": UNSEEN, "true": VERIFIED}
    for name, text in texts.items():
        (tmp_path / f"{name}.canasta").write_text(text, "utf-8")
    return tmp_path


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


def test_json_is_the_contract(records: Path) -> None:
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


def test_default_rules_are_said(tmp_path: Path) -> None:
    path = tmp_path / "club.canasta"
    stated = VERIFIED.replace('[N "Ana"]', RULES)
    for text, said in {
        VERIFIED: "",
        FALSE: "",
        SHEET: "",
        VERIFIED + FALSE + VERIFIED: "",
        stated + VERIFIED + FALSE: " in 2 of 3 games",
    }.items():
        path.write_text(text, "utf-8")
        shown = canasta("validate", path).stdout
        assert shown.count(f"{path}: no Rules tag{said}: judged by classic\n") == 1
        assert "Rules tag" not in canasta("validate", path, "--json").output
        assert "Rules tag" not in canasta("validate", path, "--format", "github").output
        assert "no Rules tag" not in canasta("validate", path, "--rules", "classic").output
    for text in (stated, VERIFIED.replace('[N "Ana"]', "[Rules bga]")):
        path.write_text(text, "utf-8")
        assert "no Rules tag" not in canasta("validate", path).output


def test_github(records: Path) -> None:
    path = records / "a,b:c%.canasta"
    path.write_text(BROKEN, "utf-8")
    result = canasta("validate", "--format", "github", path)
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("::error file=") for line in lines)
    assert "a%2Cb%3Ac%25.canasta,line=14,col=6,endColumn=11,title=syntax::" in lines[0]
    assert "contradicted" in result.stderr


@pytest.mark.parametrize("text", ["", "  "])
def test_no_rules_are_no_rules(records: Path, text: str) -> None:
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
    for wrong in ("nonsense", "classic meld.max_wilds=x", tmp_path / "none.toml"):
        result = canasta("validate", path, "--rules", str(wrong))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("canasta: --rules: ")


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


# --- replay -------------------------------------------------------------------------------------


def test_replay_json(records: Path) -> None:
    document = judged(canasta("replay", "--json", records / "true.canasta"), "replay")
    steps = document["games"][0]["steps"]
    assert (steps[0]["turn"], steps[0]["action"], steps[0]["done"]) == (0, -1, None)
    assert [step["done"] for step in steps[1:5]] == ["+7d", "K:KhKhKdKd", "8:8s8h8d8c", "-7d"]
    assert steps[4]["state"]["hands"]["N"]["cards"] == ["4c", "Qs", "Qd"]
    assert steps[4]["comment"] == "a bold start"
    assert (steps[-1]["state"]["ended"], steps[-1]["state"]["ended_by"]) == ("out", "N")
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
    assert "draws 7d" in text
    assert "E  draws Ah" not in text
    assert "E  draws 1 card; discards Ah" in text
    assert "bold" not in text


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


@pytest.mark.parametrize("text", ['[Event "Club"]\n1. N +5h -5h\n', "1. E +4h -4h\n"])
def test_a_record_without_its_version_is_no_other_game(text: str) -> None:
    assert "error[version]" in canasta("validate", "-", stdin=text).stdout


COMMANDS_HELPED = [*(command.__name__ for command, _ in COMMANDS), "help", "corpus"]
COMMANDS_HELPED += ["corpus build", "corpus check", "corpus query", "corpus stats"]


def test_every_command_file_is_a_command() -> None:
    folder = Path(__file__).parent.parent / "canasta_notation" / "cli"
    listed = (folder / "app.py").read_text("utf-8")
    files = [path.stem for path in folder.glob("*_command.py")]
    assert [name for name in files if f"cli.{name} import" not in listed] == []


@pytest.mark.parametrize("command", COMMANDS_HELPED)
def test_every_help_has_an_example(command: str) -> None:
    shown = canasta(*command.split(), "--help").stdout
    assert f"Example: canasta {command}" in shown
    assert canasta("help", *command.split()).stdout == shown


@pytest.mark.parametrize("example", [example for _, example in COMMANDS], ids=str)
def test_the_examples_of_helps_run(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "thursday-club.canasta", "club.canasta")
    stdin = "quit\n" if "record" in example else None
    assert canasta(*example.split()[1:], stdin=stdin).exit_code == 0


def test_a_record_in_place_of_a_command(tmp_path: Path) -> None:
    for name in ("club.canasta", str(tmp_path)):
        result = canasta(name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"canasta validate {name}" in result.stderr
    assert "No such command 'valdate'" in canasta("valdate").stderr


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("canasta validate --rules ", "classic-strict"),
        ("canasta generate --rules cl", "classic-strict"),
        ("canasta rules ", "davenport"),
        ("canasta explain pile", "pile-frozen"),
        ("canasta replay club.canasta --seat ", "N"),
        ("canasta help ", "validate"),
    ],
)
def test_completion_knows_the_words(words: str, known: str) -> None:
    env = {"_CANASTA_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split(" ")) - 1)
    shown = CliRunner().invoke(app, [], prog_name="canasta", env=env).stdout
    assert known in shown.split()


def test_the_form_of_an_output_is_not_guessed(tmp_path: Path) -> None:
    for command in (("generate",), ("convert", SAMPLES / "first-deal.canasta")):
        for name in ("games.pdf", "games"):
            result = canasta(*command, "-o", tmp_path / name)
            assert (result.exit_code, result.stdout) == (2, "")
            assert ".canasta, .json" in result.stderr
    assert not [*tmp_path.iterdir()]


def test_games_do_not_depend_on_the_processes() -> None:
    command = ("generate", "--games", "4", "--deals", "1", "--seed", "7")
    alone, shared = program(*command), program(*command, "--jobs", "2")
    assert alone.stdout == shared.stdout
    assert alone.stdout.count(b"[CGN ") == 4


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_games_that_are_finished_are_kept_after_an_interrupt(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "games.canasta"
    options = ["--games", "100000", "--deals", "1", "--jobs", jobs, "-o", str(out)]
    command = [sys.executable, "-m", "canasta_notation", "generate", *options]
    with interruptible(command) as process:
        while not any(path.stat().st_size for path in tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        said = process.stderr.read().decode()
    games = out.read_bytes().count(b"[CGN ")
    assert said == f"canasta: stopped after {games} of 100000 games\n"
    assert program("validate", out).returncode == 0


def test_the_missing_dealer_is_said() -> None:
    shown = canasta("validate", "-", stdin='[CGN "1"]\ndeal 1\n1. N +5h -5h\n').stdout
    assert "deal 1 does not say who deals" in " ".join(shown.split())


def test_what_a_seat_can_know_has_one_source() -> None:
    """The stepper and the replay show a seat the same hands; here one card that was taken."""
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


def test_a_mistake_beside_the_play_stops_no_check(records: Path) -> None:
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
def test_a_lost_deal_line_costs_its_deal_alone(line: str) -> None:
    text = (SAMPLES / "thursday-club.canasta").read_text("utf-8")
    result = canasta("validate", "-", "--json", stdin=text.replace("deal 3 dealer S\n", line))
    [file] = judged(result, "findings")["files"]
    assert [each["code"] for each in file["findings"]] == ["syntax"]
    assert file["games"][0]["deals"] == 5
    assert file["unchecked"] == [{"game": 1, "deal": None, "line": 108}]


def test_a_row_of_consequences_is_one_row() -> None:
    lines = (SAMPLES / "thursday-club.canasta").read_text("utf-8").split("\n")
    text = "\n".join(line for line in lines if not line.startswith("20. N +6d "))
    assert len(text.split("\n")) == len(lines) - 1
    shown = canasta("validate", "-", stdin=text).stdout
    assert shown.count("error[turn-number]: ") == 2
    assert "(follows from wrong-seat at line 43, as does 1 more down to line 44)" in shown


def test_unknown_rules_are_named_alike() -> None:
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
        told = " ".join((result.stdout + result.stderr).split())
        assert "there is no profile clasic" in told
        assert "did you mean classic?" in told
    document = judged(canasta("replay", "-", "--json", stdin=text), "replay")
    assert document["games"] == []


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


def test_audit_of_what_cannot_be_known(records: Path) -> None:
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


# --- convert and format -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_there_and_back(tmp_path: Path, form: str) -> None:
    text = VERIFIED + "\n" + UNSEEN.replace("up 9c", "; why\nup 9c ; an up card")
    (tmp_path / "a.canasta").write_text(text, "utf-8")
    assert canasta("convert", tmp_path / "a.canasta", "-o", tmp_path / f"a.{form}").exit_code == 0
    back = canasta("convert", tmp_path / f"a.{form}", "--to", "canasta")
    assert back.stdout == canasta("format", "-", stdin=text).stdout
    assert "; why\n" in back.stdout
    again = canasta(
        "convert", "-", "--from", form, "--to", form, stdin=(tmp_path / f"a.{form}").read_bytes()
    )
    assert again.stdout == (tmp_path / f"a.{form}").read_text("utf-8")


def test_a_record_with_errors_is_not_converted(records: Path) -> None:
    result = canasta("convert", records / "broken.canasta", "-o", records / "out.json")
    assert result.exit_code == 1
    assert not (records / "out.json").exists()
    assert "error[syntax]" in result.stderr
    assert canasta("convert", records / "true.canasta").exit_code == 2


@pytest.mark.parametrize("command", [["format"], ["convert", "--to", "json"]])
def test_every_error_is_shown_and_nothing_written(tmp_path: Path, command: list[str]) -> None:
    text = (VERIFIED.replace("N: 4c 8s", "N: 8s 4c") + "\n" + BROKEN + "\n") * 2
    (tmp_path / "a.canasta").write_text(text, "utf-8")
    (tmp_path / "out.json").write_text("as it was")
    result = canasta(*command, "-", stdin=text)
    assert (result.exit_code, result.stdout) == (1, "")
    more = ["-o", tmp_path / "out.json"] if "convert" in command else []
    result = canasta(*command, tmp_path / "a.canasta", *more)
    assert (result.exit_code, result.stderr.count("error[syntax]")) == (1, 2)
    assert (tmp_path / "a.canasta").read_text("utf-8") == text
    assert (tmp_path / "out.json").read_text() == "as it was"
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_game_is_written_before_the_next_is_read(form: Form) -> None:
    read = written = 0

    def games() -> Iterator[Game]:
        nonlocal read
        for reading in read_games((VERIFIED + "\n").encode().splitlines(keepends=True) * 3):
            read += 1
            assert read <= written + 1
            yield reading.game

    for text in games_as(form, games()):
        written += "Montevideo" in text
    assert written == 3


@pytest.mark.parametrize("wrong", [KeyboardInterrupt(), Trouble("why")])
def test_what_is_not_whole_is_not_written(tmp_path: Path, wrong: BaseException) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"one\n" * 100_000
        raise wrong

    path = tmp_path / "a"
    for before in (None, b"as it was"):
        if before:
            path.write_bytes(before)
        with pytest.raises(type(wrong)):
            write_whole(path, pieces())
        assert [each.read_bytes() for each in tmp_path.iterdir()] == ([before] if before else [])


def test_format(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_bytes(VERIFIED.replace("N: 4c 8s", "N: 8s 4c").replace("\n", "\r\n").encode())
    path.chmod(0o640)
    link = tmp_path / "link.canasta"
    link.symlink_to(path)
    before = path.read_bytes()
    assert canasta("format", "--check", path).exit_code == 1
    diff = canasta("format", "--diff", path)
    assert (diff.exit_code, "+N: 4c 8s" in diff.stdout) == (0, True)
    assert path.read_bytes() == before
    assert canasta("format", link).exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text("utf-8") == canasta("format", "-", stdin=before).stdout
    assert canasta("format", "--check", path, link).exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.canasta", "link.canasta"]


def test_format_leaves_what_it_cannot_read(records: Path) -> None:
    path = records / "broken.canasta"
    result = canasta("format", path)
    assert (result.exit_code, path.read_text("utf-8")) == (1, BROKEN)
    assert "14:6: error[syntax]" in result.stderr
    (records / "x.json").write_text("{}")
    assert canasta("format", records / "x.json").exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_format_where_nothing_may_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.canasta"
    path.write_text(UNSEEN + "\n\n", "utf-8")
    tmp_path.chmod(0o555)
    try:
        assert canasta("format", path).exit_code == 2
    finally:
        tmp_path.chmod(0o755)


# --- rules and explain --------------------------------------------------------------------------


def test_rules() -> None:
    listed = [line.split()[0] for line in canasta("rules").stdout.splitlines() if line[0] != " "]
    assert listed == [*profile_names()]
    assert "meld.max_wilds = 3  [S: " in canasta("rules", "classic").stdout
    assert "meld.max_wilds = 2  [R: the command line]" in (
        canasta("rules", "classic meld.max_wilds=2").stdout
    )
    assert "the same rules" in canasta("rules", "bga", "bga").stdout
    assert canasta("rules", "a", "b").exit_code == 2
    assert canasta("rules", "bga", "bga", "bga").exit_code == 2


@pytest.mark.parametrize("code", codes())
def test_explain(code: str) -> None:
    result = canasta("explain", code)
    assert result.exit_code == 0
    assert f"[{code}]" in result.stdout


def test_explain_unknown() -> None:
    result = canasta("explain", "meld-wild")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean meld-wilds" in result.stderr
    listed = canasta("explain").stdout
    assert all(f"  {code} " in listed for code in codes())


# --- the program --------------------------------------------------------------------------------


def test_help_and_version() -> None:
    assert canasta("-h").stdout == canasta("--help").stdout
    assert re.fullmatch(
        r"canasta \d+\.\d+\.\d+ \((compiled|interpreted)\)\n", canasta("--version").stdout
    )
    for command in ("validate", "replay", "audit", "convert", "format", "rules", "explain"):
        assert canasta(command, "-h").exit_code == 0
    for wrong in (["nonsense"], ["validate"], ["validate", "--nonsense", "x"]):
        assert canasta(*wrong).exit_code == 2


@pytest.mark.parametrize("command", ["validate", "audit"])
def test_a_small_game_starts_quickly(records: Path, command: str) -> None:
    program_text = (
        "import sys; from canasta_notation.cli.main import main\n"
        "sys.argv = ['canasta', *sys.argv[1:]]\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('typer', 'click', 'pydantic', 'rich', 'lark', 'jsonschema', 'multiprocessing')])"
    )
    run = [sys.executable, "-c", program_text, command, str(records / "true.canasta")]
    result = subprocess.run(run, capture_output=True, timeout=60, check=True)
    assert result.stdout.splitlines()[-1] == b"[]"


def both_doors(command: str, paths: list[str], stdin: bytes) -> bytes:
    """Return what the plain way in prints, asserting that the way through Typer does too."""
    said = []
    for args in ([command, *paths], [command, "--jobs", "1", *paths]):
        assert is_plain(args) is ("--jobs" not in args)
        result = program(*args, input=stdin)
        said.append((result.returncode, result.stdout, result.stderr))
    assert said[0] == said[1]
    return said[0][1]


@pytest.mark.skipif(os.name != "posix", reason="one door alone")
def test_both_doors_print_the_same(records: Path) -> None:
    samples = sorted(str(path) for path in (SAMPLES / "broken").glob("*.canasta"))
    assert both_doors("validate", samples, b"").count(b"error[") > len(codes()) // 2
    assert both_doors("audit", samples, b"").count(b"computed") > len(codes()) // 2
    both_doors("audit", ["-"], VERIFIED.encode())
    for paths in (samples[:1], ["-"], ["-", "-"], ["", samples[0]], [str(records), "no-such-file"]):
        both_doors("validate", paths, VERIFIED.encode())
    for args in ([], ["validate"], ["legal", "x"], ["audit", "x", "--json"], ["validate", "-h"]):
        assert not is_plain(args)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("args", "env", "coloured"),
    [([], {}, True), (["--no-color"], {}, False), ([], {"NO_COLOR": "1"}, False)],
)
def test_colours_on_a_terminal(
    records: Path, args: list[str], env: dict[str, str], coloured: bool
) -> None:
    import pty

    main, terminal = pty.openpty()
    around = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    around |= {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm"} | env
    command = [sys.executable, "-m", "canasta_notation", "replay", *args, "--turn", "1"]
    command.append(str(records / "true.canasta"))
    subprocess.run(command, stdout=terminal, stderr=terminal, env=around, timeout=60, check=True)
    os.close(terminal)
    shown = b""
    try:
        while piece := os.read(main, 65536):
            shown += piece
    except OSError:
        pass  # Linux says so when nothing more comes
    os.close(main)
    assert (b"\x1b[" in shown) is coloured
    assert ("K♥" in shown.decode()) is coloured


def test_the_module_is_the_program(records: Path) -> None:
    result = program("validate", records / "true.canasta")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.endswith(b"verified\n")


# --- schemas ------------------------------------------------------------------------------------


def undescribed(schema: Any, path: str = "") -> list[str]:
    """Return the fields of a schema that nothing describes."""
    found = []
    for name, field in schema.get("properties", {}).items():
        if "description" not in field and "$ref" not in field:
            found.append(f"{path}/{name}")
    for name, part in schema.items():
        if isinstance(part, dict):
            found += undescribed(part, f"{path}/{name}")
    return found


@pytest.mark.parametrize("name", ["findings", "audit", "replay"])
def test_every_field_is_described(name: str) -> None:
    schema = json.loads(read_text("schemas", f"{name}.schema.json"))
    Draft202012Validator.check_schema(schema)
    assert undescribed(schema) == []
    assert all("description" in part for part in schema["$defs"].values())


@pytest.mark.parametrize(("form", "command"), [("json", "validate"), ("jsonl", "replay")])
def test_standard_input_is_json_if_it_begins_so(form: str, command: str) -> None:
    typed = canasta("convert", SAMPLES / "first-deal.canasta", "--to", form).stdout
    done = program(command, "-", input=typed.encode())
    assert (done.returncode, done.stderr) == (0, b""), done.stdout
