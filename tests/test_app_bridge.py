"""The bridge of the web application: JSON in, JSON out, without the libraries of the terminal."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from canasta_notation.app.bridge import begin, call
from canasta_notation.cli.app import app
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.recorder.pad_row import columns, other_items
from canasta_notation.rules import load_profile, profile_names
from tests.app_evenings import claims, evening, no_finding
from tests.random_games import SAMPLED

SAMPLES = sorted((Path(__file__).parent.parent / "samples").glob("*.canasta"))
RUN = CliRunner()
#: Names with accents, wide characters and markup.
NAMES = {"N": "José", "E": "李雷", "S": "Zoë <b>", "W": "Ana"}


def ask(name: str, *arguments: object) -> Any:
    """Return what the bridge answers."""
    return json.loads(call(name, json.dumps(arguments)))["answer"]


def new_pad(rules: str = "classic", **tags: str) -> str:
    seats = load_profile(rules.split()[0]).seats
    names = {seat: name for seat, name in NAMES.items() if seat in seats}
    held = {"Rules": rules, "Dealer": seats[0], **names, "Date": "2026-11-27", **tags}
    text: str = ask("new", held, "sheet")["text"]
    return text


def entered(text: str, draft: dict[str, Any], at: int | None = None) -> str:
    answer = ask("pad_draft", text, draft, at)
    assert answer["text"] is not None, answer
    result: str = answer["text"]
    return result


#: Runs every function without the libraries that the browser does not have.
_WITHOUT = """
import json, sys

class Forbidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise AssertionError(f"{name} is imported")

NAMES = {
    "typer", "click", "pydantic", "rich", "jsonschema", "rpds", "charset_normalizer",
    "prompt_toolkit", "textual", "pygls", "duckdb", "pyarrow", "numpy",
}
sys.meta_path.insert(0, Forbidden())
from canasta_notation.app.warm import warm
from canasta_notation.app.bridge import FUNCTIONS, begin, call

warm()
begin()
tried = set()
for name, arguments in json.load(sys.stdin):
    answer = json.loads(call(name, json.dumps(arguments)))
    assert "answer" in answer, (name, answer)
    tried.add(name)
assert tried == set(FUNCTIONS), f"not tried: {set(FUNCTIONS) - tried}"
"""


def test_no_function_needs_the_libraries_of_the_terminal() -> None:
    draft = {"NS": {"counts": {"mixed": 1, "red3": 1}, "cards": "275", "out": "N"}}
    text = entered(new_pad(Event="Übung 練習"), draft)
    tags = {"Rules": "classic", **NAMES}
    asked = [
        ("profiles", []), ("new", [tags, "sheet"]), ("listing", [text]), ("verdict", [text]),
        ("again", [text, "2026-11-28"]), ("standings", [[text, text]]),
        ("audit", [text]), ("page", [text]), ("anonymous", [text]), ("pad", [text]),
        ("pad_draft", [text, draft]), ("pad_draft", [text, draft, 0]), ("pad_row", [text, 0]),
        ("pad_paper", [text, 0, {"NS": "999"}]), ("pad_claim", [text, 0, {"NS": "999"}]),
        ("verdict", [text + "nonsense\n"]),
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT], input=json.dumps(asked), text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr


def test_random_numbers_differ_after_a_start() -> None:
    state = random.getstate()
    begin()
    first = random.random()
    random.setstate(state)
    begin()
    assert random.random() != first


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_verdict_and_scores_are_those_of_the_program(path: Path) -> None:
    text = path.read_text("utf-8")
    judged = json.loads(RUN.invoke(app, ["validate", "--json", str(path)]).stdout)["files"][0]
    answer = ask("verdict", text)
    assert answer["verdict"] == judged["verdict"]
    assert answer["games"] == judged["games"]
    found = [{**each} for each in answer["findings"]]
    for each in found:
        del each["shown"]
    assert found == judged["findings"]
    audited = json.loads(RUN.invoke(app, ["audit", "--json", str(path)]).stdout)["files"][0]
    assert ask("audit", text)["games"] == audited["games"]


def test_what_is_no_record_is_refused_in_words() -> None:
    for name in ("listing", "verdict", "audit", "page", "pad", "anonymous"):
        for text in ("", "hello", "\udc80", '[CGN "1"]\n[Rules "none"]\n'):
            answer = json.loads(call(name, json.dumps([text])))
            assert set(answer) in ({"answer"}, {"problem"}), (name, text)
    assert "problem" in json.loads(call("pad", json.dumps([""])))


def test_a_record_that_cannot_be_read_keeps_its_names() -> None:
    answer = json.loads(call("anonymous", json.dumps([new_pad() + "Ana was here\n"])))
    assert "cannot be read" in answer["problem"]
    assert "José" not in ask("anonymous", new_pad())


@pytest.mark.parametrize("rules", profile_names())
def test_the_pad_has_every_figure_of_every_profile(rules: str) -> None:
    shown = ask("pad", new_pad(rules))
    profile = rules_of(load_profile(rules))
    assert [each["key"] for each in shown["columns"]] == [*columns(profile)]
    assert [each["key"] for each in shown["items"]] == [*other_items(profile)]
    assert [each["side"] for each in shown["sides"]] == shown["due"] == [*profile.sides]
    assert all(each["label"] for each in shown["columns"] + shown["items"])
    assert [each["seat"] for side in shown["sides"] for each in side["players"]] == [
        seat for side in profile.sides for seat in side
    ]


#: Figures as they are tapped, and the lines that they become.
ROWS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "nothing": ("classic", {}, ["score NS 0"]),
    "counts": (
        "classic",
        {"counts": {"natural": 1, "mixed": 2, "red3": 1}, "cards": "275"},
        ["score NS 1475 = natural 500 mixed 600 red3 100 cards 275"],
    ),
    "melds and hand": (
        "classic",
        {"counts": {"mixed": 1}, "melds": "365", "hand": "90", "out": "N"},
        ["end out N", "score NS 675 = mixed 300 out 100 melds 365 hand -90"],
    ),
    "out, by whom is not known": (
        "classic",
        {"counts": {"mixed": 1}, "cards": "100", "out": "NS"},
        ["score NS 500 = mixed 300 out 100 cards 100"],
    ),
    "concealed": (
        "classic",
        {"counts": {"mixed": 1}, "cards": "100", "out": "S", "concealed": True},
        ["end out S concealed", "score NS 600 = mixed 300 out 100 concealed 100 cards 100"],
    ),
    "penalties": (
        "classic",
        {"counts": {"mixed": 1}, "cards": "\u221220",
         "penalties": [{"points": "100", "why": ""}, {"points": "50", "why": "upcard"}]},
        ["penalty NS 100 house", "penalty NS 50 upcard",
         "score NS 130 = mixed 300 cards -20 penalty -150"],
    ),
    "bonuses": (
        "classic",
        {"cards": "20", "bonuses": [{"points": "100", "why": "cut"}, {"points": "50", "why": ""}]},
        ["bonus NS 100 cut", "bonus NS 50 house", "score NS 170 = cards 20 bonus 150"],
    ),
    "against": (
        "classic",
        {"counts": {"red3": 2}, "cards": "-45", "against": True},
        ["score NS -245 = red3 -200 cards -45"],
    ),
    "items": (
        "american-4p",
        {"counts": {"mixed": 1, "threes": 100}, "cards": "200", "items": {"sevens": "2500"}},
        ["score NS 3100 = mixed 300 threes 100 sevens 2500 cards 200"],
    ),
    "the score alone": ("classic", {"score": "945"}, ["score NS 945"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_figures_become_lines_and_come_back(name: str) -> None:
    rules, figures, lines = ROWS[name]
    before = new_pad(rules)
    after = entered(before, {"NS": figures, "EW": {}})
    new = after.split("\n\n")[-1].splitlines()
    assert new[1 : 1 + len(lines)] == lines
    assert not ask("pad", before)["bonuses"]
    assert ask("pad", after)["bonuses"] == bool(figures.get("bonuses"))
    again = ask("pad_row", after, 0)
    assert entered(after, again, 0) == after


#: Figures that no record can hold, and what is said about them.
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "words": ({"cards": "12a"}, "12a is not a number of points"),
    "two figures": ({"cards": "1 2"}, "1 2 is more than one figure"),
    "too many threes": ({"counts": {"red3": 5}}, "the deck has 4 red threes, not 5"),
    "a line end": ({"cards": "1\nscore EW 9"}, "more than one figure"),
    "a seat of the others": ({"out": "E"}, "E is not a seat of NS"),
    "points of a penalty": ({"penalties": [{"points": "a"}]}, "a is not a number of points"),
    "a score alone": ({"score": "a"}, "a is not a number of points"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_figures_are_refused_in_words(name: str) -> None:
    figures, said = WRONG[name]
    answer = ask("pad_draft", new_pad(), {"NS": figures})
    assert answer["text"] is None
    assert answer["wrong"] == "NS"
    assert said in answer["sides"]["NS"]["error"]


def test_what_rules_forbid_can_be_written_all_the_same() -> None:
    answer = ask("pad_draft", new_pad(), {"NS": {"cards": "273"}})
    assert answer["text"] is None
    [finding] = answer["sides"]["NS"]["findings"]
    assert finding["code"] == "score-item"
    [way] = answer["ways"]
    assert way["about"].startswith("write it anyway")
    shown = ask("pad", way["text"])
    assert shown["due"] == ["EW"]


#: Figures that rules do not allow, and what is said about them in two languages.
NOT_ALLOWED: dict[str, tuple[dict[str, Any], str, str]] = {
    "an item": (
        {"cards": "273"},
        "cards 273: these rules do not allow it (the points of cards are multiples of 5)",
        "cartas 273: estas reglas no lo permiten (the points of cards are multiples of 5)",
    ),
    "a score": (
        {"score": "943"},
        "José and Zoë <b>: these rules do not allow a score of 943",
        "José y Zoë <b>: estas reglas no permiten un resultado de 943",
    ),
}


@pytest.mark.parametrize("name", NOT_ALLOWED)
def test_a_refusal_is_in_the_words_of_the_pad(name: str) -> None:
    figures, *said = NOT_ALLOWED[name]
    ways = ("write it anyway", "anotarlo de todos modos")
    for language, words, about in zip(("en", "es"), said, ways, strict=True):
        asked = json.dumps([new_pad(), {"NS": figures}])
        answer = json.loads(call("pad_draft", asked, language))["answer"]
        [finding] = answer["sides"]["NS"]["findings"]
        assert (finding["message"], finding["help"]) == (words, None)
        assert [way["about"] for way in answer["ways"]] == [about]


@pytest.mark.parametrize(
    ("why", "word"),
    [
        ("talked too much", "talked-too-much"), ("Zu spät!", "zu-spat"), ("2 late", "late"),
        ("опоздал", "house"), ("out", "house"), ("", "house"),
    ],
)  # fmt: skip
def test_a_reason_is_written_as_a_word_of_the_notation(why: str, word: str) -> None:
    figures = {"cards": "100", "penalties": [{"points": "50", "why": why}]}
    text = entered(new_pad(), {"NS": figures, "EW": {}})
    assert f"\npenalty NS 50 {word}\n" in text
    assert ask("pad_row", text, 0)["NS"]["penalties"] == [{"points": "50", "why": word}]


def test_threes_are_asked_about_when_their_sign_is_open() -> None:
    answer = ask("pad_draft", new_pad(), {"NS": {"counts": {"red3": 2}}})
    assert answer["sides"]["NS"]["asks"].startswith("Has this side melded")
    assert "José and Zoë <b>" in answer["sides"]["NS"]["asks"]


def test_scores_are_compared_with_the_paper() -> None:
    figures = {"counts": {"red3": 1}, "cards": "30"}
    text = entered(new_pad(), {"NS": figures, "EW": {"counts": {"mixed": 1}, "cards": "100"}})
    assert ask("pad_paper", text, 0, {"NS": "130", "EW": " 400 "}) == {}
    differs = ask("pad_paper", text, 0, {"NS": "-70", "EW": "4x0"})
    assert differs["NS"]["message"] == "\u221270 is 200 too low: the row comes to 130"
    [way] = differs["NS"]["ways"]
    question = "Do red threes count against a side without a canasta?"
    assert way["about"] == f"we play so: {question} yes"
    assert "score NS -70" in way["text"]
    assert ask("verdict", way["text"])["verdict"] == "undetermined"
    assert "score NS -70 = red3 100 cards 30" in differs["NS"]["written"]
    assert ask("verdict", differs["NS"]["written"])["verdict"] == "contradicted"
    assert "not a number" in differs["EW"]["message"]


def test_how_a_deal_ended_is_asked_once() -> None:
    before, rows = new_pad(), {"NS": {"cards": "100"}, "EW": {"cards": "50"}}
    asked = ask("pad_draft", before, rows)
    assert asked["ask"] == "Who went out? Nobody is marked in this deal."
    assert [each["key"] for each in ask("pad", before)["ends"]] == [
        "stock",
        "unknown",
        "void",
        "time",
    ]
    went = {"counts": {"mixed": 1}, "out": "W"}
    for answer in ({"end": "stock"}, {"end": "unknown"}, {"EW": went}):
        assert ask("pad_draft", before, {**rows, **answer})["ask"] == "", answer
    assert "end stock\nscore NS 100" in entered(before, {**rows, "end": "stock"})
    assert "end" not in entered(before, {**rows, "end": "unknown"})
    # The question is about the deal, so it also waits for a row that was entered before.
    half = before + "\ndeal 1 dealer N\nscore NS 100 = cards 100\n"
    assert ask("pad_draft", half, {"EW": {"cards": "50"}})["ask"]
    out = before + "\ndeal 1 dealer N\nend out N\nscore NS 400 = mixed 300 out 100\n"
    assert not ask("pad_draft", out, {"EW": {"cards": "50"}})["ask"]


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        ("classic", {"NS": {"score": "945"}, "EW": {"score": "300"}}),
        ("american-4p", {"NS": {"items": {"special": "2500"}, "special": "N"}, "EW": {}}),
    ],
)
def test_how_a_deal_ended_is_not_asked_if_nothing_depends_on_it(
    rules: str, rows: dict[str, Any]
) -> None:
    assert ask("pad_draft", new_pad(rules), rows)["ask"] == ""


def test_an_earlier_deal_keeps_how_it_ended_until_someone_went_out() -> None:
    rows = {"NS": {"cards": "100"}, "EW": {"cards": "50"}, "end": "stock"}
    text = entered(entered(new_pad(), rows), {**rows, "end": "unknown"})
    assert [ask("pad_row", text, at)["end"] for at in (0, 1)] == ["stock", "unknown"]
    again = ask("pad_row", text, 0)
    assert entered(text, again, 0) == text
    again["NS"]["cards"] = "200"
    assert "end stock\nscore NS 200" in entered(text, again, 0)
    assert "end stock" not in entered(text, {**again, "end": "unknown"}, 0)
    again["NS"] |= {"out": "NS", "counts": {"mixed": 1}}
    changed = entered(text, again, 0)
    assert "end stock" not in changed
    without = ask("pad_row", changed, 0)
    assert "end" not in without
    without["NS"]["out"] = ""
    assert ask("pad_draft", changed, without, 0)["ask"]


#: A deal, a score of NS on paper, and what may explain it.
PAPERS: list[tuple[str, dict[str, Any], int, list[str]]] = [
    ("classic", {"counts": {"mixed": 1, "red3": 1}, "cards": "200"}, 700, [
        "points: red threes: 200 instead of 100", "points: going out: 100 instead of 0",
    ]),
    ("classic", {"counts": {"mixed": 1}, "cards": "200", "out": "N"}, 500, [
        "points: red threes: \u2212100 instead of 0", "points: going out: 0 instead of 100",
        "points: penalties: \u2212100 instead of 0",
    ]),
    ("classic", {"cards": "200"}, 500, [
        "mixed canastas: 1 instead of 0", "points: red threes: 300 instead of 0",
    ]),
    ("classic", {"counts": {"natural": 1}, "cards": "20"}, 320, [
        "natural canastas: 0 instead of 1 and mixed canastas: 1 instead of 0",
        "points: red threes: \u2212200 instead of 0",
    ]),
    ("classic", {"cards": "20", "penalties": [{"points": "35", "why": ""}]}, 20, [
        "points: penalties: 0 instead of \u221235",
    ]),
    ("classic", {"melds": "200", "hand": "45"}, 200, [
        "points: cards in hand: 0 instead of \u221245",
    ]),
    ("samba", {"cards": "20"}, 1520, [
        "natural canastas: 3 instead of 0", "sequences: 1 instead of 0",
    ]),
    ("american-4p", {"cards": "20"}, 2520, [
        "points: canastas of sevens: 2,500 instead of 0",
        "points: canastas of aces: 2,500 instead of 0",
        "points: wild canastas: 2,500 instead of 0",
        "points: special hands: 2,500 instead of 0",
    ]),
    ("classic", {"cards": "20"}, 33, []),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "figures", "said", "may"), PAPERS)
def test_a_difference_is_explained_by_the_figures_of_the_rules(
    rules: str, figures: dict[str, Any], said: int, may: list[str]
) -> None:
    text = entered(new_pad(rules), {"NS": figures, "EW": {}})
    assert ask("pad_paper", text, 0, {"NS": str(said)})["NS"]["may"] == may


def test_a_score_on_paper_is_kept_as_a_claim_and_marked() -> None:
    rows = {"NS": {"counts": {"mixed": 1}, "cards": "100"}, "EW": {}, "end": "stock"}
    text = entered(new_pad(), rows)
    found = ask("pad_claim", text, 0, {"NS": "500", "EW": "0"})
    assert found["wrong"] == {}
    assert "score NS 500 = mixed 300 cards 100\nscore EW 0\ntotal NS 500 EW 0" in found["text"]
    shown = ask("pad", found["text"])
    assert shown["problems"] == []
    differs = shown["deals"][0]["papers"]["NS"]
    assert differs["message"] == "500 is 100 too high: the row comes to 400"
    assert "points: going out: 100 instead of 0" in differs["may"]
    assert ask("pad", text)["deals"][0]["papers"] == {}
    assert ask("pad_paper", found["text"], 0, {"NS": "500"})["NS"]["kept"]
    assert not ask("pad_paper", text, 0, {"NS": "500"})["NS"]["kept"]
    # Without a score on paper, the row decides again.
    assert ask("pad_claim", found["text"], 0, {"NS": ""})["text"] == text


def test_a_score_on_paper_is_judged_in_the_words_of_the_pad() -> None:
    rows = {"NS": {"counts": {"mixed": 2}, "cards": "270", "out": "N"}, "EW": {"cards": "50"}}
    text = entered(new_pad(), rows)
    for said, told in (("870", "points: going out: 0 instead of 100"),
                       ("475", "No other figure of the row explains it.")):  # fmt: skip
        judged = ask("verdict", ask("pad_claim", text, 0, {"NS": said})["text"])
        [finding] = judged["findings"]
        message = (
            f"Deal 1, José and Zoë <b>: {said} is {970 - int(said)} too low: the row comes to 970"
        )
        assert finding["shown"]["message"] == message
        assert told in finding["shown"]["help"]
        assert judged["said"]["text"] == "Something does not add up"
        assert judged["remarks"] == ["The play was not recorded."]


def test_a_row_of_nothing_keeps_what_it_says_beside_the_paper() -> None:
    text = entered(new_pad(), {"NS": {}, "EW": {}, "end": "stock"})
    claimed = ask("pad_claim", text, 0, {"NS": "300"})["text"]
    assert "score NS 300 = cards 0\n" in claimed
    assert ask("pad", claimed)["deals"][0]["papers"]["NS"]["row"] == 0
    assert ask("pad_row", claimed, 0)["NS"]["cards"] == "0"


def test_an_earlier_row_keeps_its_score_on_paper() -> None:
    rows = {"NS": {"counts": {"mixed": 1}, "cards": "100"}, "EW": {}, "end": "stock"}
    text = ask("pad_claim", entered(new_pad(), rows), 0, {"NS": "500"})["text"]
    again = ask("pad_row", text, 0)
    assert entered(text, again, 0) == text
    again["EW"]["cards"] = "20"
    assert "total NS 500 EW 20" in entered(text, again, 0)
    again["NS"]["out"] = "N"
    changed = ask("pad", entered(text, again, 0))
    assert changed["deals"][0]["papers"] == {}
    assert changed["deals"][0]["scores"] == {"NS": 500, "EW": 20}


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("4x0", "4x0 is not a number of points"),
        (
            "950",
            "José and Zoë <b>: 945 and, on paper, 950. A row that has only",
        ),
    ],
)
def test_a_score_on_paper_that_cannot_be_kept_is_refused_in_words(said: str, wrong: str) -> None:
    text = entered(new_pad(), {"NS": {"score": "945"}, "EW": {"score": "300"}})
    found = ask("pad_claim", text, 0, {"NS": said})
    assert found["text"] is None
    assert found["wrong"]["NS"].startswith(wrong)
    assert ask("pad_claim", text, 0, {"NS": "945", "EW": ""})["text"] == text


def test_the_paper_can_have_the_other_sign_of_threes() -> None:
    text = entered(new_pad(), {"NS": {"counts": {"red3": 1}, "cards": "-30"}})
    [way] = ask("pad_paper", text, 0, {"NS": "-130"})["NS"]["ways"]
    assert "other sign" in way["about"]
    assert "score NS -130 = red3 -100 cards -30" in way["text"]


@pytest.mark.parametrize("rules", SAMPLED)
def test_an_evening_becomes_a_record_without_a_finding(rules: str, tmp_path: Path) -> None:
    taps = evening(rules)
    text = new_pad(rules, Dealer=taps.dealer)
    for deal in taps.deals:
        text = entered(text, deal)
    path = tmp_path / "evening.canasta"
    path.write_text(text, "utf-8")
    assert no_finding(path) == []
    assert claims(path) == taps.claims


def test_an_earlier_row_changes_the_totals_after_it() -> None:
    text = new_pad()
    for _ in range(2):
        text = entered(text, {"NS": {"cards": "100"}, "EW": {"cards": "50"}})
    text = entered(text, {"EW": {"counts": {"mixed": 1}, "cards": "50"}}, 0)
    assert [each["totals"] for each in ask("pad", text)["deals"]] == [
        {"NS": 100, "EW": 350}, {"NS": 200, "EW": 400},
    ]  # fmt: skip


def test_a_deal_that_is_half_entered_has_its_dealer() -> None:
    begun = new_pad() + "\ndeal 1 dealer N\nscore NS 100\n"
    assert [ask("pad", begun)[what] for what in ("deal", "dealer", "due")] == [1, "José", ["EW"]]
    done = begun + "score EW 50\ntotal NS 100 EW 50\n"
    assert [ask("pad", done)[what] for what in ("deal", "dealer", "due")] == [
        2, "李雷", ["NS", "EW"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "sheet"),
    [
        ("", True),
        ("1. E + -4s\nend unfinished\n", False),
        ("end out N\n", True),
        ("end stock\nmelds NS\nmelds EW\n", False),
    ],
)
def test_only_a_deal_of_scores_alone_can_be_changed_on_the_pad(lines: str, sheet: bool) -> None:
    text = new_pad() + f"\ndeal 1 dealer N\n{lines}score NS 100\nscore EW 50\n"
    assert [each["sheet"] for each in ask("pad", text)["deals"]] == [sheet]


def test_a_record_full_of_controls_is_shown_escaped() -> None:
    text = '[CGN "1"]\n[Event "a\u202eb"]\n[N "\u2067x"]\n[Dealer "N"]\n\ndeal 1 dealer N\n'
    shown = json.dumps([ask("pad", text), ask("listing", text)["players"]])
    assert "\\u202e" not in shown.replace("\\\\u", "")
    assert "\\u2067" not in shown.replace("\\\\u", "")


def test_what_adds_up_is_said_without_the_play() -> None:
    rows = {"NS": {"cards": "100"}, "EW": {"cards": "50"}, "end": "void"}
    text = entered(new_pad(), rows)
    text = entered(text, {**rows, "end": "stock"})
    for said in (ask("verdict", text)["said"], ask("pad", text)["sums"]):
        assert said == {
            "kind": "sums", "text": "Scores add up", "note": "The play was not recorded.",
        }  # fmt: skip
    assert ask("verdict", text)["remarks"] == ["The play was not recorded."]
    wrong = ask("verdict", text.replace("total NS 100", "total NS 200"))
    assert wrong["said"]["text"] == "Something does not add up"
    assert wrong["findings"]


def test_a_deal_that_counts_nothing_changes_no_total() -> None:
    rows = {"NS": {"cards": "100"}, "EW": {"cards": "50"}, "end": "stock"}
    text = entered(entered(entered(new_pad(), rows), {"end": "void"}), rows)
    assert text.endswith("score EW 50 = cards 50\ntotal NS 200 EW 100\n")
    shown = ask("pad", text)
    assert [deal["uncounted"] for deal in shown["deals"]] == ["", "void: it is dealt again", ""]
    assert [deal["sheet"] for deal in shown["deals"]] == [True, False, True]
    changed = entered(text, {**ask("pad_row", text, 0), "NS": {"cards": "200"}}, 0)
    assert changed.endswith("total NS 300 EW 100\n")
    late = entered(text, {"end": "time"})
    assert '[Result "NS 200 EW 100"]' in late and ask("pad", late)["phase"] == "over"


def test_screens_name_players_and_never_their_seats() -> None:
    rows = {"NS": {"counts": {"mixed": 1}, "cards": "100", "out": "N"}, "EW": {}}
    text = entered(new_pad(Dealer="N"), rows)
    over = entered(text, {"NS": {"score": "5000"}, "EW": {"score": "20"}})
    assert ask("listing", over)["state"] == "José and Zoë <b> beat 李雷 and Ana, 5,500 : 20"
    assert ask("listing", over)["title"] == "José and Zoë <b> against 李雷 and Ana"
    assert ask("pad", over)["result"] == ask("listing", over)["state"]
    nameless = ask("new", {"Rules": "classic", "Dealer": "N"}, "sheet")["text"]
    assert [side["name"] for side in ask("pad", nameless)["sides"]] == [
        "North and South", "East and West",
    ]  # fmt: skip
    assert ask("listing", nameless)["title"] == "a game"
    alike = ask("new", {"Rules": "classic", "Dealer": "N", "N": "Ana", "S": "Ana"}, "sheet")
    assert ask("pad", alike["text"])["sides"][0]["name"] == "Ana (N) and Ana (S)"
    page = ask("page", over)
    assert "game.canasta" not in page and ", game 1" not in page


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((50, 40, 30), "Ada leads Bo and Cy, 50 : 40 : 30"),
        ((30, 50, 50), "Bo and Cy lead Ada, 50 : 50 : 30"),
        ((50, 50, 50), "Ada against Bo and Cy: level, 50 : 50 : 50"),
    ],
)
def test_three_sides_are_all_named_if_some_are_level(scores: tuple[int, ...], said: str) -> None:
    players = dict(zip("NES", ("Ada", "Bo", "Cy"), strict=True))
    sheet = ask("new", {"Rules": "classic-3p", "Dealer": "N", **players}, "sheet")["text"]
    rows = {seat: {"score": str(score)} for seat, score in zip("NES", scores, strict=True)}
    assert ask("pad", entered(sheet, rows))["result"] == said


def test_scores_are_tables_for_people() -> None:
    rows = {"NS": {"counts": {"mixed": 2, "red3": 1}, "cards": "275", "out": "N"}, "EW": {}}
    text = ask("pad_claim", entered(new_pad(), rows), 0, {"NS": "1000"})["text"]
    [table] = ask("audit", text)["tables"]
    assert table["title"] == "Deal 1" and table["sides"] == ["José and Zoë <b>", "李雷 and Ana"]
    found = {row["label"]: row["cells"] for row in table["rows"]}
    assert found["mixed canastas"][0] == {"points": 600, "number": 2, "right": None}
    assert found["score"][0] == {"points": 1000, "number": None, "right": 1075}
    assert found["mixed canastas"][1] is None


def test_an_evening_of_several_games_has_standings() -> None:
    one = entered(new_pad(), {"NS": {"score": "5100"}, "EW": {"score": "20"}})
    other = entered(
        ask("again", one, "2026-11-28")["text"], {"NS": {"score": "30"}, "EW": {"score": "40"}}
    )
    assert '[Date "2026-11-28"]' in other and '[Dealer "E"]' in other
    found = ask("standings", [one, "no record", other])
    figures = {"played": 2, "won": 1, "points": 5130, "best": 5100, "average": 2565}
    assert found["left_out"] == 1
    assert found["rows"][:2] == [{"name": name, **figures} for name in ("José", "Zoë <b>")]
    assert [row["best"] for row in found["rows"][2:]] == [40, 40]


def test_answers_are_in_the_language_that_is_asked_for() -> None:
    answer = json.loads(call("pad", json.dumps([new_pad()]), "de"))["answer"]
    assert answer["columns"][0]["label"] == "echte Canastas"
    assert ask("pad", new_pad())["columns"][0]["label"] == "natural canastas"


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["clean (red) books", "dirty (black) books"]),
        ("de", ["saubere (rote) Bücher", "schmutzige (schwarze) Bücher"]),
        ("es", ["libros limpios (rojos)", "libros sucios (negros)"]),
    ],
)
@pytest.mark.parametrize(("rules", "side"), [("hand-and-foot", "NS"), ("pennies", "ACE")])
def test_those_who_play_with_feet_count_books(
    rules: str, side: str, language: str, labels: list[str]
) -> None:
    text = entered(new_pad(rules), {side: {"counts": {"natural": 1}, "cards": "100"}})
    for name, arguments in (("pad", [text]), ("audit", [text])):
        answer = json.loads(call(name, json.dumps(arguments), language))["answer"]
        rows = answer["columns"] if name == "pad" else answer["tables"][0]["rows"]
        shown = [row["label"] for row in rows]
        assert labels[0] in shown
        assert name == "audit" or labels[1] in shown


def test_cards_that_are_counted_add_to_what_is_typed() -> None:
    piles = {"melds": [["9", "10"], ["1", "50"]], "hand": [["2", "5"]]}
    figures = {"counted": piles, "melds": "5"}
    seen = ask("pad_draft", new_pad(), {"NS": figures})["sides"]["NS"]
    assert seen["counted"] == {"melds": "145", "hand": "10"} and seen["score"] == 135
    wrong = ask("pad_draft", new_pad(), {"NS": {**figures, "melds": "1x"}})["sides"]["NS"]
    assert "1x is not a number of points" in wrong["error"]
    values = {rules: ask("pad", new_pad(rules))["cards"] for rules in profile_names()}
    assert values["classic"] == [50, 20, 10, 5] and all(values.values())
