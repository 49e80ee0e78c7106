"""The conformance suite: our program passes it, the tool makes it, and it fails wrong programs."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.conformance.cases import answer
from tests import differential
from tests.conformance import run
from tests.conformance.generate import (
    SPECIFICATION,
    WRITTEN_LEVELS,
    key_forms,
    left_open,
    open_words,
    profiles,
    rulings,
    specification,
    unmarked,
    with_rules,
)
from tests.conformance.run import (
    FOLDER,
    LEVELS,
    MUST,
    PASSED,
    SHOULD,
    SKIPPED,
    Outcome,
    Program,
    cases,
    run_level,
)
from tests.differential import SECOND
from tests.programs import canasta

#: The levels with the rulings, which tests/test_rulings.py judges; here they are a sample.
MANY = ("referee", "unknown")
SAMPLE = 25
#: The most bytes that the cases may have.
MOST = 15_000_000


def sample(level: str, rng: random.Random) -> list[dict[str, Any]]:
    """Return the cases of a level, or some of them if the level is long."""
    return [each for each in cases(level) if level not in MANY or rng.randrange(SAMPLE) == 0]


@pytest.mark.parametrize("level", LEVELS)
def test_our_program_passes(level: str) -> None:
    asked = sample(level, random.Random(level))
    assert asked
    outcomes = [run.judge(case, answer(case)) for case in asked]
    assert [each for each in outcomes if each.outcome != PASSED] == []


def test_ids_are_different_and_every_value_has_an_origin() -> None:
    for level in LEVELS:
        ids = set()
        for case in cases(level):
            assert case["id"] not in ids
            ids.add(case["id"])
            values = {**case.get("must", {}), **case.get("should", {})}
            assert case["from"].keys() == values.keys()
            computed = {name for name in case["must"] if case["from"][name] == "computed"}
            assert not computed & {"verdict", "first_error", "scores", "turns"}


def test_no_case_leaves_open_what_its_level_gives() -> None:
    """Every card is written in the levels that say so."""
    for level in WRITTEN_LEVELS:
        for at, case in enumerate(cases(level)):
            found = open_words(case["text"]) if at % SAMPLE else left_open(case)
            assert found == [], case["id"]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("-5s", "-5"), ("-5s", "-_"), ("^Qh Q:QsQd", "^Q Q:QsQd"), ("^Qh Q:QsQd", "^Qh Q:QsQ"),
        ("+7s -Qh", "+ -Qh"), ("N: 4s 4c", "N: 4s ..."), ("N: 4s 4c", "N: 4 4c"),
        ("up 9c\n", ""), ("S: ", "; S: "),
    ],
)  # fmt: skip
def test_a_case_that_leaves_a_card_open_is_not_of_the_level_referee(line: str, other: str) -> None:
    each = next(each for each in cases("referee") if each["id"].startswith("V02-"))
    assert left_open(each) == []
    assert line in each["text"]
    changed = {**each, "text": each["text"].replace(line, other)}
    assert left_open(changed) != []
    assert left_open({**changed, "level": "unknown"}) == []


def test_the_suite_is_what_its_tool_makes() -> None:
    """If this fails, run `python -m tests.conformance.generate`; it adds new rulings too."""
    made = {id: unmarked(text) for id, _, text in rulings()}
    kept = {case["id"]: case["text"] for level in MANY for case in cases(level)}
    kept = {id: text for id, text in kept.items() if not id.startswith(("sample-", "random-"))}
    assert kept.items() <= made.items()
    assert (FOLDER / "profiles.json").read_text("utf-8") == profiles()
    assert (FOLDER / "keys.json").read_text("utf-8") == key_forms()
    assert SPECIFICATION.read_text("utf-8") == specification()
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.json*")) < MOST


def test_a_record_of_two_games_gets_two_rules_tags() -> None:
    two = '[CGN "1"]\ndeal 1\n[CGN "1"]\n[Rules "bga"]\ndeal 1\n'
    assert with_rules(two, "samba") == two.replace("\n", '\n[Rules "samba"]\n', 1)
    assert with_rules("deal 1\n", "samba") is None


# --- through the door ---------------------------------------------------------------------------

CONFORM = [sys.executable, "-m", "canasta_notation", "conform"]


def outcomes_of(command: list[str], *options: str) -> tuple[int, Any, str]:
    """Run the runner; return its exit code, its JSON and what it writes to standard error."""
    runner = [sys.executable, str(FOLDER / "run.py"), *options, "--json", "--", *command]
    done = subprocess.run(runner, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout or "null"), done.stderr


def test_our_program_passes_the_suite() -> None:
    code, results, _ = outcomes_of(CONFORM, "--run", "sample-first-deal*")
    assert code == 0
    assert {each["level"] for each in results["cases"]} >= {
        "reader",
        "canonical",
        "json",
        "referee",
    }
    assert {each["outcome"] for each in results["cases"]} == {PASSED}
    assert results["program"].startswith("canasta ")


def test_each_line_gets_one_answer_in_order() -> None:
    text = "deal 1\n"
    asked = [
        {"suite": "1"},
        {"id": "a", "level": "reader", "text": text},
        {"id": "b", "level": "of tomorrow", "text": text},
        {"id": "c", "level": "canonical", "text": "deal\n"},
    ]
    done = canasta("conform", stdin="".join(f"{json.dumps(each)}\n" for each in asked))
    assert done.exit_code == 0 and done.stderr == ""
    greeted, *answers = map(json.loads, done.stdout.splitlines())
    assert greeted == {"name": f"canasta {version('canasta-notation')}", "cgn": "1"}
    assert answers == [
        {"id": "a", "result": answer(asked[1])["result"]},
        {"id": "b", "skipped": "this program does not know the level"},
        {"id": "c", "result": {"text": None}},
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", '"suite"', "1", "null", "{}", '{"suite": 1}', '{"level": "reader", "text": ""}',
        '{"id": 1, "level": "reader", "text": ""}', '{"id": "a", "level": null, "text": ""}',
        '{"id": "a", "level": "reader"}', '{"id": "a", "text": ""}', '{"id": "a", "suite": "1"}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_question_ends_the_program(line: str) -> None:
    greets = '{"suite": "1"}'
    done = canasta("conform", stdin=f"{greets}\n{line}\n{greets}\n")
    assert (done.exit_code, len(done.stdout.splitlines())) == (2, 1)
    said = "standard input must have the lines that tests/conformance/run.py writes"
    assert done.stderr == f"canasta: {said}\n"


GREETS = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        print(json.dumps({"name": "planted", "cgn": "1"}), flush=True)
        continue
    own = request["id"]
    ANSWER
"""


def say(value: str) -> str:
    """Return a statement that answers with a value."""
    return f"print(json.dumps({value}), flush=True)"


@pytest.mark.parametrize(
    ("answered", "code", "outcome", "said"),
    [
        (say('{"id": own, "skipped": "later"}'), 0, "skipped", "later"),
        ("time.sleep(60)", 1, "must", "no answer within 3 seconds"),
        ("sys.exit()", 1, "must", "the program ended without an answer"),
        (say('"ok"'), 1, "must", "not a line with an object of JSON"),
        (say('{"id": "other", "result": {}}'), 1, "must", "is for 'other'"),
        (say('{"id": own}'), 1, "must", "has no result"),
        (say('{"id": own, "result": {}}'), 1, "must", "nothing"),
    ],
)
def test_a_program_that_does_not_answer(answered: str, code: int, outcome: str, said: str) -> None:
    program = [sys.executable, "-c", GREETS.replace("ANSWER", answered)]
    options = ("--level", "reader", "--run", "sample-first-deal", "--seconds", "3")
    done, results, _ = outcomes_of(program, *options)
    assert done == code
    (case,) = results["cases"]
    assert case["outcome"] == outcome and said in case["why"]


def test_a_program_that_never_answers_is_not_asked_for_ever() -> None:
    program = [sys.executable, "-c", GREETS.replace("ANSWER", "sys.exit()")]
    _, results, _ = outcomes_of(program, "--level", "reader", "--run", "slip-*")
    unasked = [each for each in results["cases"] if "not asked" in each["why"]]
    assert len(unasked) == len(results["cases"]) - run.GIVE_UP > 0


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["/nowhere/at-all"], "cannot be started"),
        ([sys.executable, "-c", 'input(); print(\'{"name": "x", "cgn": "2"}\')'], "CGN '1'"),
        ([], "name the program after --"),
    ],
)
def test_a_program_that_cannot_be_tested(command: list[str], said: str) -> None:
    code, results, errors = outcomes_of(command)
    assert (code, results) == (2, None)
    assert said in errors


# --- planted mistakes ---------------------------------------------------------------------------

Result = dict[str, Any]


def each_state(change: Callable[[Result], object]) -> Callable[[Result], object]:
    """Return what changes every table of a result."""

    def changed(result: Result) -> None:
        for deal in result["states"]:
            for state in deal:
                change(state)

    return changed


def each_score(change: Callable[[Result], object]) -> Callable[[Result], object]:
    """Return what changes every side's score of a result."""

    def changed(result: Result) -> None:
        for game in result["scores"]:
            for deal in game:
                for side in deal.values():
                    change(side)

    return changed


#: A level, and a mistake in the answers of our program.
PLANTED: list[tuple[str, Callable[[Result], object]]] = [
    ("reader", lambda it: it.update(first_error=None)),
    ("reader", lambda it: it.update(first_error=it["first_error"] and it["errors"][-1][0] + 1)),
    ("canonical", lambda it: it.update(text=(it["text"] or "").replace("T", "10"))),
    ("canonical", lambda it: it.update(text=(it["text"] or "").rstrip("\n"))),
    ("json", lambda it: it.get("json") and it["json"]["games"][0].pop("tags")),
    ("json", lambda it: it.get("json") and it["json"].update(cgn="1")),
    ("replay", each_state(lambda it: it.update(stock=it["stock"] + 1))),
    ("replay", each_state(lambda it: it.update(pile=it["pile"][::-1]))),
    ("referee", lambda it: it.update(verdict="verified")),
    ("referee", each_score(lambda it: it["items"].pop("red3", None))),
    ("unknown", lambda it: it.update(verdict=it["verdict"].replace("undetermined", "verified"))),
    ("unknown", lambda it: it.update(first_error=None)),
    ("legal", lambda it: it.update(turns=dict.fromkeys(it["turns"], 1))),
    ("legal", lambda it: it["turns"].popitem()),
]


class Planted(Program):
    """Our program with a mistake, in this process."""

    def __init__(self, level: str, mistake: Callable[[Result], object], ids: Iterable[str]) -> None:
        super().__init__([], level, 0)
        self.mistake, self.ids = mistake, set(ids)

    def start(self) -> None:
        """Nothing is started."""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of our program with the mistake; most cases are skipped."""
        if request["id"] not in self.ids:
            return {"id": request["id"], "skipped": "not in the sample"}
        value = answer(request)
        self.mistake(value["result"])
        return value


@pytest.mark.parametrize(("level", "mistake"), PLANTED)
def test_a_planted_mistake_fails(level: str, mistake: Callable[[Result], object]) -> None:
    every = [case["id"] for case in cases(level)]
    ids = every[:: len(every) // 80 or 1]
    outcomes: list[Outcome] = list(run_level(Planted(level, mistake, ids), "*"))
    assert MUST in {each.outcome for each in outcomes}


# --- the specification --------------------------------------------------------------------------


def test_links_of_the_specification_lead_somewhere() -> None:
    for page in (SPECIFICATION, FOLDER / "README.md"):
        links = re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))
        assert links
        for link in links:
            file, _, anchor = link.partition("#")
            if "://" not in link:
                target = page.parent / file if file else page
                assert target.exists(), link
                assert not anchor or anchor in anchors(target), link


def anchors(page: Path) -> set[str]:
    """Return the names of the sections of a page, as links write them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_specification_answers_twenty_questions() -> None:
    text = SPECIFICATION.read_text("utf-8")
    rows = re.findall(r"^\| .*\? \| \[.*\) \|$", text, re.M)
    assert len(rows) >= 20


def test_the_twenty_cases_to_pass_first_are_in_the_suite() -> None:
    text = SPECIFICATION.read_text("utf-8").partition("## Implement it")[2].partition("\n## ")[0]
    named = re.findall(r"`(\w+)`: ((?:`[\w-]+` ?)+)\|", text)
    first = [(level, id) for level, ids in named for id in ids.replace("`", "").split()]
    assert len(first) == len({*first}) == 20
    for level, id in first:
        assert any(case["id"] == id for case in cases(level)), id


# --- a second program ---------------------------------------------------------------------------

#: A second program, written in JavaScript from the documents alone; no code is shared.
SECOND_LEVELS = ("reader", "canonical", "json", "replay")
with_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


@with_node
def test_the_second_program_passes() -> None:
    options = [word for level in SECOND_LEVELS for word in ("--level", level)]
    code, results, errors = outcomes_of(SECOND, *options)
    assert (code, errors) == (0, "")
    assert [each for each in results["cases"] if each["outcome"] != PASSED] == []


#: How many cases of the level `referee` the second program leaves open: special hands that no
#: document describes.
LEFT_OPEN = 4


@with_node
def test_the_second_referee_passes() -> None:
    _, results, errors = outcomes_of(SECOND, "--level", "referee")
    found = Counter(each["outcome"] for each in results["cases"])
    assert errors == ""
    assert (found[MUST], found[SKIPPED]) == (0, LEFT_OPEN)
    assert found[PASSED] > 40 * found[SHOULD]


@with_node
def test_two_referees_agree_on_mutants() -> None:
    """A small sample of `python -m tests.differential`."""
    found = list(differential.comparisons(150, 65))
    assert [each.text for each in found if each.outcome == differential.DIFFERENT] == []
    outcomes = Counter((each.outcome, each.theirs.get("verdict")) for each in found)
    assert outcomes[differential.SAME, "verified"] > 5
    assert outcomes[differential.SAME, "contradicted"] > 50
    assert sum(each.scored for each in found) > 50


#: What a slip of the keyboard puts into a record.
KEYS = ' \t\n\r;+-^:/>_*.#~@!?$=10359TKAshdcrbNESWABF[]"\\(%deal\u00a0\u00e9\x07\ufeff\x85,'


def mutant(text: str, rng: random.Random) -> str:
    """Return a few lines of a record with one or two slips."""
    lines = text.split("\n")
    at = rng.randrange(max(1, len(lines) - 8))
    text = "\n".join([*lines[:3], *lines[max(3, at) : at + 8]])
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(text) + 1)
        gone = rng.randrange(2)
        text = text[:at] + rng.choice(["", rng.choice(KEYS)]) + text[at + gone :]
        if rng.random() < 0.2:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
            text = "\n".join(lines)
    return text


@with_node
def test_two_programs_read_mutants_the_same() -> None:
    """They agree on the first line that cannot be read, and on the canonical text.

    A broken line may be reported at its end, as the specification says.
    """
    rng = random.Random(63)
    folder = FOLDER.parent.parent / "samples"
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.canasta"))]
    second = Program(SECOND, "reader", run.SECONDS)
    second.start()
    for number in range(300):
        text = mutant(rng.choice(texts), rng)
        for level in ("reader", "canonical"):
            request = {"id": str(number), "level": level, "text": text}
            ours, theirs = (ask(request)["result"] for ask in (answer, second.ask))
            first = ours.get("first_error")
            if first is not None and theirs["first_error"] == first - 1:
                continue
            ours.pop("errors", None)
            theirs.pop("errors", None)
            assert ours == theirs, text
    second.stop()
