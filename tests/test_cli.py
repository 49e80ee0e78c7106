"""The program: its commands, their help and examples, its two ways in; rules, explain, generate."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from canasta_notation.cli import commands, installing
from canasta_notation.cli.app import app
from canasta_notation.cli.commands import COMMANDS
from canasta_notation.cli.main import is_plain
from canasta_notation.resources import packaged_text
from canasta_notation.rules import codes, profile_names
from tests.cli_records import VERIFIED
from tests.programs import canasta, interruptible, needs, program

SAMPLES = Path(__file__).parent.parent / "samples"
CLUB = SAMPLES / "thursday-club.canasta"


# --- commands and their help --------------------------------------------------------------------


COMMANDS_HELPED = [*(entry.name for entry in COMMANDS), "help"]
COMMANDS_HELPED += ["corpus build", "corpus check", "corpus query", "corpus stats"]


def test_every_command_file_is_a_command() -> None:
    package = Path(commands.__file__).parent.parent
    files = {
        ".".join(path.relative_to(package).with_suffix("").parts)
        for path in package.glob("*/*_command.py")
    }
    assert files == {entry.module for entry in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS_HELPED)
def test_every_help_has_an_example(command: str) -> None:
    shown = canasta(*command.split(), "--help").stdout
    assert f"Example: canasta {command}" in shown
    assert canasta("help", *command.split()).stdout == shown


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *COMMANDS_HELPED])
def test_help_is_whole_on_a_narrow_terminal(command: str, columns: int) -> None:
    needs(command.partition(" ")[0])
    args = [*command.split(), "--help"]
    shown = CliRunner().invoke(app, args, terminal_width=columns).stdout
    assert max(map(len, shown.splitlines())) <= columns
    assert not set("<>…{}`") & set(shown)
    wide = CliRunner().invoke(app, args, terminal_width=200).stdout
    assert "".join(shown.split()) == "".join(wide.split())


def test_help_has_the_commands_by_purpose_and_then_the_options() -> None:
    shown = canasta("--help").stdout
    titles = re.findall("^(.*):$", shown, re.M)
    assert titles == [*dict.fromkeys(entry.group for entry in COMMANDS), "Help", "Options"]
    for entry in COMMANDS:
        assert re.search(f"^  {entry.name} +[A-Z]", shown, re.M)
    assert canasta("generate", "--help").stdout.count("game.canasta") == 1
    assert "To try it, canasta generate -o game.canasta" in canasta("audit", "--help").stdout


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Zoe", "Zoe sits at E: write --seat E"),
        ("bea", "Bea sits at E: write --seat E"),
        ("ruiz", "Ana Ruiz sits at N: write --seat N"),
        ("Jose\u0301", "Jos\u00e9 sits at W: write --seat W"),
        ("Ana", "Ana sits at S: write --seat S"),
        ("Leo", "Leo sits at N and Leo sits at S: write --seat N or --seat S"),
        ("An", "its seats are N E S W"),
        ("NE", "its seats are N E S W"),
        ("", "its seats are N E S W"),
        ("n", "write --seat N"),
    ],
)
def test_a_player_in_place_of_a_seat_is_told_the_seat(said: str, answer: str) -> None:
    names = {"N": "Ana Ruiz", "E": "Bea", "S": "Ana", "W": "Jos\u00e9", "E-from-2": "Zoe"}
    if said == "Leo":
        names |= {"N": "Leo", "S": "Leo"}
    tags = "".join(f'[{seat} "{name}"]\n' for seat, name in names.items())
    record = f'[CGN "1"]\n{tags}deal 1 dealer N\n1. E + -4h\n'
    done = canasta("replay", "-", "--seat", said, stdin=record)
    assert done.exit_code == 2
    assert done.stderr == f"canasta: --seat: game 1 has no seat {said}; {answer}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("validate", "--jobs", "x", "-"), "`x` is not a whole number"),
        (("corpus", "query", "--timeout", "q", "x", "y"), "`q` is not a number"),
        (("validate", "a=1"), 'put them in quotes: --rules "classic a=1"'),
        (("convert", "nowhere", "--to", "json"), "nowhere: no such file or folder"),
        (("replay", CLUB, "--seat", "ana"), "no seat ana; Ana sits at N: write --seat N"),
        (("replay", CLUB, "--seat", " CARLA"), "Carla sits at S: write --seat S"),
        (("page", CLUB, "-o", "-", "--seat", "e"), "game 1 has no seat e; write --seat E"),
        (("diagram", CLUB, "--deal", "1", "--turn", "1", "--seat", "s"), "write --seat S"),
        (("replay", CLUB, "--turn", "4:2"), "4:2 ends before it begins; write 2:4"),
        (("replay", CLUB, "--step", "--seat", "Bruno"), "Bruno sits at E: write --seat E"),
    ],
)
def test_a_wrong_argument_is_explained(args: tuple[str, ...], said: str) -> None:
    result = canasta(*args, stdin="")
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


@dataclass
class Installed:
    """A package as it was installed: from an address, editable or not."""

    url: str
    editable: bool = False
    requires: tuple[str, ...] = (
        "lark>=1.2",
        "textual>=6.0; extra == 'tui'",
        "duckdb>=2.0.1; extra == 'corpus'",
        "pyarrow>=16 ; extra == 'corpus'",
        "canasta-notation[tui]; extra == 'tui'",
    )

    def read_text(self, name: str) -> str | None:
        origin = {"url": self.url, "dir_info": {"editable": True} if self.editable else {}}
        return json.dumps(origin) if self.url and name == "direct_url.json" else None


@pytest.mark.parametrize(
    ("file", "text", "url", "command"),
    [
        ("x", "", "", "{here}/bin/python -m pip install textual"),
        ("x", "", "editable", "{here}/bin/python -m pip install -e '.[tui]' in your copy"),
        ("pyvenv.cfg", "uv = 0.9", "", "uv pip install --python {here}/bin/python textual"),
        ("pyvenv.cfg", "uv = 0.9", "editable", "uv run --extra tui canasta"),
        ("pipx_metadata.json", "{}", "a.whl", "pipx inject canasta-notation textual"),
        ("uv-receipt.toml", "", "{here}/a%20b.whl", "uv tool install --with textual '{here}/a b"),
        ("uv-receipt.toml", "", "gone.whl", "uv tool install --with textual WHEEL"),
    ],
)
def test_a_missing_extra_is_installed_as_the_program_was(
    file: str, text: str, url: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "canasta-notation"
    here.mkdir()
    (here / file).write_text(text)
    (here / "a b.whl").touch()
    monkeypatch.chdir(here)  # a folder of tests may be below the project
    package = Installed("file://" + url.format(here=here), editable=url == "editable")
    monkeypatch.setattr(installing, "distribution", lambda name: package)
    monkeypatch.setattr(sys, "prefix", str(here))
    monkeypatch.setattr(sys, "executable", str(here / "bin" / "python"))
    monkeypatch.setattr(installing, "find_spec", lambda name: True)
    assert installing.how_to_install("tui").startswith("run " + command.format(here=here))


def test_the_extras_in_hints_have_libraries() -> None:
    project = tomllib.loads((SAMPLES.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    lines = [f"{each}; extra == '{extra}'" for extra, needed in extras for each in needed]
    package = Installed("", requires=tuple(lines))
    for extra in ("tui", "record", "sheets", "corpus", "cluster", "editor"):
        assert installing.libraries_of(extra, package)
    assert installing.libraries_of("corpus", package) == ["duckdb", "pyarrow"]
    assert installing.libraries_of("corpus", Installed("")) == ["duckdb", "pyarrow"]


def test_a_python_below_a_copy_of_the_repository_is_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(python))
    assert installing._python() == str(python)
    (tmp_path / "pyproject.toml").touch()
    assert installing._python() == ".venv/bin/python"


@pytest.mark.parametrize(
    "example",
    [entry.line for entry in COMMANDS if entry.name not in ("corpus", "learn")],
    ids=str,
)
def test_the_examples_in_the_help_run(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of `learn` needs records of a player; `tests/test_exercises.py` runs it."""
    monkeypatch.chdir(tmp_path)
    if "--pyodide" in example:
        archive = os.environ.get("CANASTA_PYODIDE")
        if not archive:
            pytest.skip("CANASTA_PYODIDE names no archive of Pyodide")
        (tmp_path / "pyodide.tgz").symlink_to(Path(archive).resolve())
    if "generate" not in example:
        assert canasta("generate", "-o", "game.canasta").exit_code == 0
    stdin = "quit\n" if "record" in example else None
    assert canasta(*shlex.split(example)[1:], stdin=stdin).exit_code == 0


def test_a_record_instead_of_a_command(tmp_path: Path) -> None:
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
        ("canasta page club.canasta --seat ", "N"),
        ("canasta help ", "validate"),
    ],
)
def test_completion_knows_the_words(words: str, known: str) -> None:
    needs(words.split()[1])
    env = {"_CANASTA_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split(" ")) - 1)
    shown = CliRunner().invoke(app, [], prog_name="canasta", env=env).stdout
    assert known in shown.split()


def test_the_only_deal_need_not_be_named() -> None:
    first = SAMPLES / "first-deal.canasta"
    for command in ("legal", "diagram"):
        named = canasta(command, first, "--deal", "1", "--turn", "7")
        assert canasta(command, first, "--turn", "7").stdout == named.stdout
        several = canasta(command, CLUB, "--turn", "7")
        assert several.exit_code == 2
        assert "name a deal of game 1 with --deal; it has 6 deals" in several.stderr


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


@pytest.mark.parametrize(
    ("topic", "named"),
    [
        ("dead rank", "meld.dead_ranks"),
        ("red threes", "score.red3"),
        ("red3", "score.red3"),
        ("a frozen pile", "pile-frozen"),
        ("going out", "score.out"),
        ("jokers", "deck.jokers"),
        ("the opening minimum", "opening-low"),
    ],
)
def test_explain_finds_topics_in_plain_words(topic: str, named: str) -> None:
    shown = canasta("explain", topic)
    assert shown.exit_code == 0 and re.search(f"^  {named} ", shown.stdout, re.M)
    assert canasta("explain", *topic.split()).stdout == shown.stdout


@pytest.mark.parametrize("code", codes())
def test_explain(code: str) -> None:
    result = canasta("explain", code)
    assert result.exit_code == 0
    assert f"[{code}]" in result.stdout


def test_what_an_end_line_breaks_cannot_be_accepted_on_it() -> None:
    assert "~pile-frozen" in canasta("explain", "pile-frozen").stdout
    assert "~" not in canasta("explain", "pile-must-take").stdout


def test_explain_unknown() -> None:
    result = canasta("explain", "meld-wild")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean meld-wilds" in result.stderr
    assert "canasta explain lists the findings" in canasta("explain", "xyzzy").stderr
    listed = canasta("explain").stdout
    assert all(f"  {code} " in listed for code in codes())


# --- generate -----------------------------------------------------------------------------------


def test_the_form_of_an_output_is_not_guessed(tmp_path: Path) -> None:
    for command in (("generate",), ("convert", SAMPLES / "first-deal.canasta")):
        for name in ("games.pdf", "games"):
            result = canasta(*command, "-o", tmp_path / name)
            assert (result.exit_code, result.stdout) == (2, "")
            assert ".canasta, .json" in result.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("convert PATH --to json -o OUT.canasta", "this suffix does not fit --to json"),
        ("convert PATH --to json -o OUT.jsonl", "this suffix does not fit --to json"),
        ("validate --json --format github PATH", "--json cannot be combined with --format github"),
        ("replay --step --json PATH", "--step cannot be combined with --json"),
        ("replay --step --turn 3 PATH", "--step cannot be combined with --turn"),
        ("audit --csv --json PATH", "--csv cannot be combined with --json"),
        ("record --sheet --table OUT.canasta", "--sheet cannot be combined with --table"),
    ],
)
def test_options_that_contradict_each_other(tmp_path: Path, args: str, says: str) -> None:
    places = {"PATH": str(SAMPLES / "first-deal.canasta"), "OUT": str(tmp_path / "out")}
    placed = [re.sub("PATH|OUT", lambda name: places[name[0]], arg) for arg in args.split()]
    result = canasta(*placed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"{says}\n")
    assert not [*tmp_path.iterdir()]


def test_games_do_not_depend_on_the_processes() -> None:
    command = ("generate", "--games", "4", "--deals", "1", "--seed", "7")
    alone, shared = program(*command), program(*command, "--jobs", "2")
    assert alone.stdout == shared.stdout
    assert alone.stdout.count(b"[CGN ") == 4


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_finished_games_are_kept_after_an_interrupt(tmp_path: Path, jobs: str) -> None:
    needs("generate")
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


def both_ways_in(command: str, words: list[str], stdin: bytes) -> bytes:
    """Return what the direct way prints; assert that the way through Typer prints the same."""
    said = []
    for args in ([command, *words], [command, "--no-color", *words]):
        assert is_plain(args) is ("--no-color" not in args)
        result = program(*args, input=stdin)
        said.append((result.returncode, result.stdout, result.stderr))
    assert said[0] == said[1]
    return said[0][1]


@pytest.mark.skipif(os.name != "posix", reason="one door alone")
def test_both_ways_in_print_the_same(records: Path) -> None:
    samples = sorted(str(path) for path in (SAMPLES / "broken").glob("*.canasta"))[::4]
    assert both_ways_in("validate", samples, b"").count(b"error[") > len(codes()) // 8
    assert both_ways_in("audit", samples, b"").count(b"computed") > len(codes()) // 8
    both_ways_in("audit", ["-"], VERIFIED.encode())
    for paths in (samples[:1], ["-"], ["-", "-"], ["", samples[0]], [str(records), "no-such-file"]):
        both_ways_in("validate", paths, VERIFIED.encode())
    for words in (["pile-frozen"], ["pile.onto_meld"], ["red", "threes"], ["pile-frozn"], ["-"]):
        both_ways_in("explain", words, b"")
    for args in ([], ["validate"], ["legal", "x"], ["audit", "x", "--json"], ["validate", "-h"]):
        assert not is_plain(args)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("args", "env", "coloured"),
    [
        (["replay", "--turn", "1"], {}, True),
        (["replay", "--turn", "1", "--no-color"], {}, False),
        (["replay", "--turn", "1"], {"NO_COLOR": "1"}, False),
        (["replay", "--help"], {}, False),
    ],
)
def test_colours_on_a_terminal(
    records: Path, args: list[str], env: dict[str, str], coloured: bool
) -> None:
    import pty

    main, terminal = pty.openpty()
    around = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    around |= {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm"} | env
    command = [sys.executable, "-m", "canasta_notation", *args, str(records / "true.canasta")]
    subprocess.run(command, stdout=terminal, stderr=terminal, env=around, timeout=60, check=True)
    os.close(terminal)
    shown = b""
    try:
        while piece := os.read(main, 65536):
            shown += piece
    except OSError:
        pass  # Linux reports the end of the output in this way
    os.close(main)
    assert (b"\x1b[" in shown) is coloured
    assert "--help" in args or ("K♥" in shown.decode()) is coloured


@pytest.mark.parametrize("args", [["--help"], ["validate", "--bad"]])
def test_no_variable_colours_a_pipe_or_makes_the_help_vanish(args: list[str]) -> None:
    command = [sys.executable, "-m", "canasta_notation", *args]
    around = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    forced = {"FORCE_COLOR": "1", "GITHUB_ACTIONS": "true", "PY_COLORS": "1", "TTY_COMPATIBLE": "1"}
    plain = {"COLUMNS": "80", "NO_COLOR": "1"}
    shown = [
        subprocess.run(command, capture_output=True, env=around | env, timeout=60)
        for env in (plain, forced, {"COLUMNS": "0"}, {"COLUMNS": "-1", "TERMINAL_WIDTH": "x"})
    ]
    assert len({(done.stdout, done.stderr) for done in shown}) == 1
    assert b"canasta" in shown[0].stdout + shown[0].stderr


def test_the_module_is_the_program(records: Path) -> None:
    result = program("validate", records / "true.canasta")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.endswith(b"verified\n")


# --- schemas ------------------------------------------------------------------------------------


def undescribed(schema: Any, path: str = "") -> list[str]:
    """Return the fields of a schema without a description."""
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
    schema = json.loads(packaged_text("schemas", f"{name}.schema.json"))
    Draft202012Validator.check_schema(schema)
    assert undescribed(schema) == []
    assert all("description" in part for part in schema["$defs"].values())
