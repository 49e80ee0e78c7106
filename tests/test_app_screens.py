"""The screens of the web application in the small browser that Node runs, with the real referee."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.app.bridge import call
from canasta_notation.app.pad_form import ENDS
from canasta_notation.app.web_app import screen_words
from canasta_notation.language.sentences import app_words
from canasta_notation.recorder.opening import house_questions
from canasta_notation.rules import profile_names
from tests.cli_records import BROKEN, VERIFIED
from tests.scripted import FOLDER, needs_node
from tests.test_app_bridge import ask, entered, new_pad

pytestmark = needs_node
WEB = Path(__file__).parent.parent / "canasta_notation" / "app" / "web"
NAMES = {"N": "José", "E": "李雷", "S": "Zoë <b>", "W": "Ana"}


class Phone:
    """The application as it runs; each step returns when nothing waits any more."""

    def __init__(self, folder: Path, address: str, *more: str) -> None:
        command = ["node", str(FOLDER / "app_steps.mjs"), str(folder), address, *more]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.asked: list[str] = []

    def do(self, code: str) -> Any:
        """Run code; answer what the application asks meanwhile, and return the value."""
        self._send({"do": code})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            assert "wrong" not in said, said["wrong"]
            if "done" in said:
                return said["done"]
            number, name, arguments, language = said["ask"]
            self.asked.append(name)
            self._send({"answer": [number, call(name, json.dumps(arguments), language)]})
        raise AssertionError("the application has ended")

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def tap(self, *keys: str) -> None:
        for key in keys:
            self.do(f"tap({json.dumps(key)})")

    def type(self, key: str, text: str) -> None:
        self.do(f"type({json.dumps(key)}, {json.dumps(text)})")

    def screen(self) -> str:
        return "\n".join(self.do("return screen()"))

    def go(self, fragment: str) -> None:
        self.do(f"location.hash = {json.dumps(fragment)}")

    def games(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.do("return games()")
        return found

    def keep(self, text: str, fields: str = "{}") -> str:
        """Keep a game; return its id."""
        code = f"return (await (await module('store.js')).add({json.dumps(text)}, {fields})).id"
        found: str = self.do(code)
        return found


def screens_in(folder: Path) -> Path:
    """Write the screens into a folder, as the application is built."""
    shutil.copytree(WEB, folder)
    (folder / "words.js").write_bytes(screen_words())
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@contextmanager
def opened(tmp_path: Path, *more: str) -> Iterator[Phone]:
    phone = Phone(screens_in(tmp_path / "web"), "https://host/app/", *more)
    phone.do("")
    yield phone
    phone.process.kill()
    phone.process.communicate()


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Phone]:
    with opened(tmp_path) as found:
        yield found


SHEET = (
    {"NS": {"counts": {"natural": 1, "mixed": 2, "red3": 1}, "cards": "275", "out": "N"},
     "EW": {"cards": "-60"}},
    {"NS": {"cards": "85"}, "EW": {"counts": {"mixed": 1}, "cards": "310", "out": "EW"}},
)  # fmt: skip


def tapped(phone: Phone, deal: dict[str, dict[str, Any]]) -> None:
    """Tap the figures of a deal, as a scorer does, and enter it."""
    for side, figures in deal.items():
        for key, count in figures.get("counts", {}).items():
            if key == "red3":
                phone.tap(f"{side} {key} {count}")
            else:
                phone.tap(*[f"{side} {key} +"] * (count + 1), f"{side} {key} -")
        phone.type(f"{side} cards", figures["cards"])
        if "out" in figures:
            phone.tap(f"{side} out {figures['out']}")
    phone.tap("enter")


def test_an_evening_is_tapped(phone: Phone, snapshot: SnapshotAssertion) -> None:
    """The record is that of the bridge; the screens are in the golden file."""
    screens = []
    phone.go("new")
    for seat, name in NAMES.items():
        phone.type(f"player {seat}", name)
    phone.tap("dealer E")
    screens.append(re.sub(r"\d{4}-\d\d-\d\d", "today", phone.screen()))
    phone.tap("start")
    wanted = new_pad("classic", Dealer="E")
    [game] = phone.games()
    assert re.sub(r'\[Date "[^"]*"\]', "", game["text"]) == re.sub(r'\[Date "[^"]*"\]', "", wanted)
    wanted = game["text"]
    for deal in SHEET:
        screens.append(phone.screen())
        tapped(phone, deal)
        wanted = entered(wanted, deal)
        [game] = phone.games()
        assert game["text"] == wanted
        assert game["history"][-1]["text"] != wanted
    screens.append(phone.screen())
    phone.tap("deal 1")
    screens.append(phone.screen())
    phone.tap("EW red3 1", "enter")
    again = {**SHEET[0], "EW": {"cards": "-60", "counts": {"red3": 1}}}
    assert phone.games()[0]["text"] == entered(wanted, again, 0)
    screens.append(phone.screen())
    phone.tap("undo")
    assert phone.games()[0]["text"] == wanted
    assert "\n\n----\n\n".join(screens) == snapshot


def test_counts_stay_between_nothing_and_the_deck(phone: Phone) -> None:
    text = new_pad("classic", Dealer="N")
    phone.go(f"pad/{phone.keep(text, '{ pad: true }')}")
    most = {each["key"]: each["most"] for each in ask("pad", text)["columns"] if each["counted"]}
    for key, limit in most.items():
        if limit is not None:
            for number in range(limit, -1, -1):
                phone.tap(f"NS {key} {number}")
                assert phone.games()[0]["draft"]["rows"]["NS"]["counts"][key] == number
            continue
        phone.tap(f"NS {key} -")
        assert phone.games()[0]["draft"]["rows"]["NS"]["counts"][key] == 0
        for number in range(1, 5):
            phone.tap(f"NS {key} +")
            assert phone.games()[0]["draft"]["rows"]["NS"]["counts"][key] == number
    for value, signed in (("45", "-45"), ("-45", "45"), ("\u221245", "45"), ("", "-")):
        phone.type("NS cards", value)
        phone.tap("key \u00b1")
        assert phone.games()[0]["draft"]["rows"]["NS"]["cards"] == signed


def test_one_player_goes_out_and_taps_are_taken_back(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")

    def out() -> dict[str, str]:
        rows = phone.games()[0]["draft"]["rows"]
        return {side: figures.get("out", "") for side, figures in rows.items() if side != "end"}

    phone.tap("NS out S")
    assert out() == {"NS": "S"}
    phone.tap("NS concealed", "EW out W")
    assert out() == {"NS": "", "EW": "W"}
    phone.tap("EW out W")
    assert out() == {"NS": "", "EW": ""}
    phone.tap("end stock")
    assert phone.games()[0]["draft"]["rows"]["end"] == "stock"
    phone.tap("end stock")
    assert phone.games()[0]["draft"]["rows"]["end"] == ""


def test_how_a_deal_ended_and_a_difference_on_paper(
    phone: Phone, snapshot: SnapshotAssertion
) -> None:
    phone.go(f"pad/{phone.keep(new_pad(Date='2026-11-27'), '{ pad: true }')}")
    screens = []
    phone.tap("NS mixed +")
    phone.type("NS cards", "120")
    phone.type("EW cards", "85")
    phone.tap("enter")
    screens.append(phone.screen())
    phone.tap("ask out N")
    screens.append(phone.screen())
    phone.type("NS paper", "720")
    screens.append(phone.screen())
    phone.tap("paper done")
    screens.append(phone.screen())
    assert "\n\n----\n\n".join(screens) == snapshot


def test_the_list_of_games(phone: Phone, snapshot: SnapshotAssertion) -> None:
    """The last one first; each leads to its screen; what is deleted can be taken back."""
    for at, text in enumerate((VERIFIED, new_pad(Event="Pad"), BROKEN, "nonsense")):
        phone.keep(text, f"{{ updated: {1000 + at} }}")
    phone.go("settings")
    phone.go("")
    shown = phone.screen()
    links = phone.do("return [...document.querySelectorAll('a.game')].map((one) => one.href)")
    ids = [each["id"] for each in sorted(phone.games(), key=lambda each: -each["updated"])]
    assert [each.partition("/")[2] for each in links] == ids
    assert [each.partition("/")[0] for each in links] == ["#game", "#game", "#pad", "#game"]
    phone.tap("delete")
    left = phone.do("return document.querySelectorAll('a.game').length")
    assert left == 3 and sum("deleted" in each for each in phone.games()) == 1
    phone.tap("undo")
    assert phone.do("return document.querySelectorAll('a.game').length") == 4
    phone.tap("copy")
    assert [each["text"] for each in phone.games()].count("nonsense") == 2
    phone.do("for (const one of games()) other(one.id, (it) => { it.deleted = 1; })")
    phone.go("settings")
    phone.go("")
    assert phone.games() == []
    assert shown == snapshot


def test_a_finding_leads_to_its_line(phone: Phone, snapshot: SnapshotAssertion) -> None:
    phone.go(f"game/{phone.keep(BROKEN)}")
    screens = [phone.screen()]
    found = [each["shown"] for each in ask("verdict", BROKEN)["findings"]]
    assert len(found) > 2
    for finding in found:
        if finding["follows"]:
            continue
        phone.tap(f"line {finding['line']}: {finding['message']}")
        [start, end] = phone.do(
            "const box = document.querySelector('textarea');"
            "return [box.selectionStart, box.selectionEnd]"
        )
        assert BROKEN[start:end] == BROKEN.split("\n")[finding["line"] - 1]
        phone.tap("back to the verdict")
    phone.tap("how the scores come about")
    screens.append(phone.screen())
    assert "\n\n----\n\n".join(screens) == snapshot


def test_a_text_goes_through_a_link_and_back(phone: Phone) -> None:
    texts = ["", "a", VERIFIED, "李雷 é\n" * 50, "x" * (64 * 1024)]
    for text in texts:
        code = f"""const {{ packed, unpacked, fits }} = await module("links.js");
        const link = await packed({json.dumps(text)});
        return [link, await unpacked(link), fits({json.dumps(text)})]"""
        link, back, fits = phone.do(code)
        assert re.fullmatch(r"A[\w-]*", link) and back == text and fits
    code = """const { packed, unpacked, fits } = await module("links.js");
    const text = "x".repeat(64 * 1024 + 1), link = await packed(text);
    const said = async (link) => unpacked(link).catch((error) => error.message);
    return [fits(text), await said(link), await said("B"), await said("A!!"), await said("AAAA")]"""
    fits, large, version, *damaged = phone.do(code)
    assert not fits and "64 kB" in large and "another version" in version
    assert all("damaged" in each for each in damaged)


def test_undo_brings_back_fifty_texts_each_with_its_draft(phone: Phone) -> None:
    code = """const { enter, takeBack } = await module("store.js");
    const game = { text: "0", draft: { at: 0 }, history: [] };
    for (let at = 1; at < 56; at += 1) { enter(game, String(at), { draft: { at } }); }
    const found = [];
    for (let at = 0; at < 52; at += 1) { found.push([game.text, game.draft.at]); takeBack(game); }
    return found"""
    wanted = [[str(at), at] for at in range(55, 4, -1)]
    assert phone.do(code) == [*wanted, wanted[-1]]


def test_a_question_with_a_key_replaces_only_one_that_waits(phone: Phone) -> None:
    code = """const { ask, look } = await module("referee.js");
    const text = %s;
    const answers = [ask("pad", [text]), look("listing", [text], "a"), look("verdict", [text], "b"),
      look("listing", [text], "a"), ask("pad", [""]).catch((error) => error.message)];
    const found = Promise.all(answers);
    return found.then((all) => all.map((it) => it === undefined ? "replaced" : typeof it))"""
    phone.asked.clear()
    phone.do(f"globalThis.found = (async () => {{ {code % json.dumps(new_pad())} }})()")
    assert phone.do("return await globalThis.found") == [
        "object", "replaced", "object", "object", "string",
    ]  # fmt: skip
    assert phone.asked == ["pad", "verdict", "listing", "pad"]


def test_a_game_that_another_tab_changes_is_read_again_and_not_written(phone: Phone) -> None:
    at = phone.keep(new_pad(), "{ pad: true }")
    phone.go(f"pad/{at}")
    phone.do(f"other({at!r}, (game) => {{ game.owner = 'another'; }})")
    phone.tap("NS mixed +")
    assert phone.games()[0]["draft"] == {}
    assert "Another tab has this game" in phone.screen()
    phone.tap("take over")
    phone.tap("NS mixed +")
    assert phone.games()[0]["draft"]["rows"]["NS"]["counts"] == {"mixed": 1}


def test_what_has_no_room_is_not_shown_as_saved(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    phone.do("fill(true)")
    phone.tap("NS mixed +")
    assert phone.do("return footer()")[0] == "NOT SAVED: no room"
    assert "[mixed canastas 300 \u00d7 0] NS mixed +" in phone.screen()
    assert phone.games()[0]["draft"] == {}
    phone.do("fill(false)")
    phone.tap("NS mixed +")
    assert phone.do("return footer()")[0] == "ready"


def test_a_house_rule_is_an_override_if_the_answer_is_another(phone: Phone) -> None:
    phone.go("new")
    questions = next(each for each in ask("profiles") if each["usual"])["questions"]
    for question in questions:
        phone.go("new")
        usual, other = ("yes", "no") if question["default"] else ("no", "yes")
        phone.tap(*(f"{question['override']} {each}" for each in (other, usual, other, other)))
        phone.tap("start")
        text = phone.games()[-1]["text"]
        assert f'[Rules "classic {question["override"]}"]' in text
        phone.go("")
        phone.go("new")


def test_games_are_erased_when_that_is_sure(phone: Phone) -> None:
    phone.keep(new_pad(), "{ pad: true }")
    phone.go("settings")
    phone.tap("erase all games")
    assert len(phone.games()) == 1 and "are you sure?" in phone.screen()
    phone.tap("erase all games: are you sure?")
    assert phone.games() == [] and "No games yet" in phone.screen()


def test_big_type_is_kept(phone: Phone) -> None:
    big = "return [document.documentElement.classList.contains('big'), localStorage.size]"
    phone.go("settings")
    for checked, size in ((True, "big"), (False, "usual"), (True, "big")):
        phone.do(
            "const box = document.querySelector('input');"
            f"box.checked = {json.dumps(checked)}; box.fire('change')"
        )
        assert phone.do(big) == [checked, size]
        phone.go("")
        phone.go("settings")
        assert f"<checkbox: {json.dumps(checked)}>" in phone.screen()


def test_a_score_on_paper_that_cannot_be_kept_stays_on_the_screen(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    phone.type("NS score", "945")
    phone.type("EW score", "300")
    phone.tap("enter")
    before = phone.games()[0]["text"]
    phone.type("NS paper", "950")
    phone.tap("paper done")
    assert "A row that has only the score cannot keep both" in phone.screen()
    assert phone.games()[0]["text"] == before
    phone.type("NS paper", "945")
    phone.tap("paper done")
    assert "paper done" not in phone.screen()
    assert phone.games()[0]["text"] == before


#: A deal of two canastas and three red threes, as taps: the points known, and the cards counted.
KNOWN = (
    "NS natural +", "NS red3 2", "key 2", "key 7", "key 5", "EW mixed +", "EW red3 1", "key \u00b1",
    "key 6", "key 0", "NS out N", "enter",
)  # fmt: skip
COUNTED = (
    "NS natural +", "NS red3 2", "key 9", "key \u00d710", "key 8", "key \u00d720", "key 5",
    "key \u00d75", "EW mixed +", "EW red3 1", "key 7", "key \u00d710", "key 2", "key \u00d720",
    "EW hand", "key 3", "key \u00d710", "key \u00d75", "key \u00d750", "NS out N", "enter",
)  # fmt: skip


@pytest.mark.parametrize(
    ("taps", "most", "lines"),
    [
        (KNOWN, 12, [
            "score NS 1075 = natural 500 red3 200 out 100 cards 275",
            "score EW 340 = mixed 300 red3 100 cards -60",
        ]),
        (COUNTED, 22, [
            "score NS 1075 = natural 500 red3 200 out 100 melds 275",
            "score EW 425 = mixed 300 red3 100 melds 110 hand -85",
        ]),
    ],
    ids=["known", "counted"],
)  # fmt: skip
def test_a_deal_takes_few_taps(
    phone: Phone, taps: tuple[str, ...], most: int, lines: list[str]
) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    phone.tap(*taps)
    assert len(taps) <= most
    text = phone.games()[0]["text"]
    assert [line for line in text.splitlines() if line.startswith("score")] == lines


def test_cards_are_counted_with_a_running_sum(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    phone.tap("key 9", "key \u00d710", "key \u00d750")
    assert "melds: 9\u00d710 + 1\u00d750 = 140" in phone.screen()
    phone.tap("key 1", "key 2", "key \u00d75", "key back")
    assert "melds: 9\u00d710 + 1\u00d750 = 140" in phone.screen()
    phone.tap("key 5")
    assert phone.games()[0]["draft"]["rows"]["NS"]["melds"] == "5"
    assert "melds: 9\u00d710 + 1\u00d750 + 5 = 145" in phone.screen()
    # One number takes the place of what was counted, and the other way round.
    phone.type("NS cards", "275")
    assert "melds: 9" not in phone.screen() and "\n275\n" in phone.screen()
    phone.type("NS hand", "30")
    assert phone.games()[0]["draft"]["rows"]["NS"]["cards"] == ""


def test_figures_are_judged_when_they_are_entered(phone: Phone) -> None:
    """A number that is half typed is none that rules allow."""
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    refused = "cards 27: these rules do not allow it"
    phone.tap("key 2", "key 7")
    assert refused not in phone.screen()
    phone.tap("enter")
    assert phone.screen().count(refused) == 2
    phone.tap("key 5")
    assert "these rules" not in phone.screen()


def test_undo_and_redo_say_what_they_take_back(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    assert "undo" not in phone.screen()
    for _ in range(2):
        tapped(phone, SHEET[0])
    before = phone.games()[0]["text"]
    phone.tap("deal 1", "EW mixed +", "enter")
    after = phone.games()[0]["text"]
    assert after != before
    assert "[undo: the change of deal 1]" in phone.screen() and "redo" not in phone.screen()
    phone.tap("undo")
    assert phone.games()[0]["text"] == before
    assert "[undo: deal 2]" in phone.screen()
    assert "[redo: the change of deal 1]" in phone.screen()
    phone.tap("redo")
    assert phone.games()[0]["text"] == after
    phone.tap("undo", "undo")
    tapped(phone, SHEET[1])
    assert "redo" not in phone.screen()


def test_again_with_the_same_players_and_the_end_of_an_evening(phone: Phone) -> None:
    phone.go(f"pad/{phone.keep(new_pad(Event='Club'), '{ pad: true }')}")
    tapped(phone, SHEET[0])
    phone.tap("end evening")
    shown = phone.screen()
    assert "José and Zoë <b> lead 李雷 and Ana, 1,575 : \u221260" in shown
    assert "Scores add up\nThe play was not recorded." in shown
    assert "\n".join(("José", "1", "0", "1575")) in shown
    phone.tap("play on", "NS mixed +", "end evening", "again")
    first, second = sorted(phone.games(), key=lambda each: len(each["text"]), reverse=True)
    assert first["draft"]["rows"]["NS"]["counts"] == {"mixed": 1}
    wanted = new_pad("classic", Dealer="E", Event="Club")
    dated = re.compile(r'\[Date "[^"]*"\]')
    assert dated.sub("", second["text"]) == dated.sub("", wanted)
    assert "Deal 1, 李雷 deals" in phone.screen()


@pytest.mark.parametrize(
    ("end", "next_deal"), [("void", "Deal 2, José deals"), ("time", "Scores add up")]
)
def test_a_deal_that_counts_nothing_is_tapped(phone: Phone, end: str, next_deal: str) -> None:
    phone.go(f"pad/{phone.keep(new_pad(), '{ pad: true }')}")
    phone.tap("NS mixed +", f"end {end}", "enter")
    assert phone.games()[0]["text"].endswith(f"deal 1 dealer N\nend {end}\n")
    assert next_deal in phone.screen()
    phone.tap("undo")
    assert "Deal 1, José deals" in phone.screen()


def test_the_screens_are_in_the_language_that_was_chosen(phone: Phone) -> None:
    at = phone.keep(new_pad(), "{ pad: true }")
    for language, words in (("de", ("Runde 1, José gibt", "gemischte Canastas")),
                            ("es", ("Mano 1, da José", "canastas sucias")),
                            ("it", ("Smazzata 1, dà José", "canaste sporche")),
                            ("pt", ("Rodada 1, José dá", "canastras sujas"))):  # fmt: skip
        phone.go("settings")
        phone.tap(f"language {language}")
        assert phone.do("return localStorage.language") == language
        phone.go(f"pad/{at}")
        shown = phone.screen()
        assert all(each in shown for each in words), shown
        phone.go("")
        assert phone.games()[0]["listed"]["language"] == language


def test_every_word_of_the_screens_has_a_key_and_is_used() -> None:
    """Keys that screens or the bridge make from parts are named here."""
    source = "".join(each.read_text("utf-8") for each in WEB.rglob("*.js"))
    bridge = "".join(each.read_text("utf-8") for each in WEB.parent.glob("*.py"))
    named = set(re.findall(r'"([a-z]\w*)"', source))
    named |= {each.removeprefix("app_") for each in re.findall(r'"(app_\w+)"', bridge)}
    named |= {f"end_{end}" for end in ENDS} | {f"seat_{seat}" for seat in "NESW"}
    named |= {f"{about}_{kind}" for kind in ("penalty", "bonus") for about in ("add",)}
    named |= {f"{kind}_part" for kind in ("penalty", "bonus")}
    questions = {each.override for name in profile_names() for each in house_questions(name)}
    keys = {each.partition("=")[0].removeprefix("score.") for each in questions}
    named |= {f"{about}_{key}" for about in ("house", "why") for key in keys}
    named |= {f"rules_{name.replace('-', '_')}" for name in profile_names()}
    said = set(re.findall(r'\bsay\("(\w+)"', source))
    words = app_words("en")
    assert said <= words.keys() <= named


def test_a_browser_that_keeps_nothing_opens_pastes_and_replays(tmp_path: Path) -> None:
    with opened(tmp_path, "denied") as phone:
        note = "This browser keeps nothing"
        assert note in phone.screen()
        phone.go("paste")
        phone.type("a record", VERIFIED)
        assert note in phone.screen() and "verified" in phone.screen()
        phone.tap("keep")
        assert phone.do("return location.hash").startswith("#game/")
        phone.tap("replay")
        assert "page" in phone.asked
        phone.go("")
        assert phone.do("return document.querySelectorAll('a.game').length") == 1
