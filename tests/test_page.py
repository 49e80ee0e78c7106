"""What a page contains and what it hides, the commands that write it, and the diagram."""

from __future__ import annotations

import json
import re
import string
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from canasta_notation import positions
from canasta_notation.analysis.values import DealValues
from canasta_notation.cards import CODES, RANK, RED_THREE, SUITED, TEXT, UNKNOWN
from canasta_notation.cli import streaming
from canasta_notation.engine.actions import Draw, TableThrees, TakePacket
from canasta_notation.language.languages import LANGUAGES, use_language
from canasta_notation.notation.document import Deal, Game, HandLine, Turn
from canasta_notation.notation.format import format_game
from canasta_notation.page import one_file, page_command
from canasta_notation.page.lead import lead
from canasta_notation.page.share_picture import width
from canasta_notation.page.shown_game import page_game
from canasta_notation.page.standings import Outcome, outcome, placings, standings
from canasta_notation.page.table_changes import pile_words
from canasta_notation.players.random_game import play_game
from canasta_notation.render.diagram import position_svg
from canasta_notation.render.paint import Look, paint
from canasta_notation.render.replay_rows import game_rows
from canasta_notation.render.wording import closed, in_order
from canasta_notation.replay import game_replay
from canasta_notation.replay.game_replay import GameReplay
from canasta_notation.replay.header import read_header
from canasta_notation.report.played import play_back
from canasta_notation.rules import load_profile
from tests import minified
from tests.pages import CLUB, SAMPLES, called, page, page_games, random_games, read_seats, readings
from tests.programs import canasta, program
from tests.test_story import values_of

UNSEEN = """\
[CGN "1"]
[Rules "american-4p"]

deal 1 dealer E
up 4s
1. S + A:_______ -8c
"""
#: A record of one deal, which is read and shown in less time than a whole game.
FIRST = SAMPLES / "first-deal.canasta"
SHEETS = Path(__file__).parent / "sheets"


def run(*args: str | Path, code: int = 0) -> str:
    """Run a command in this process; return its output or, after a failure, its message."""
    done = canasta(*args)
    assert done.exit_code == code, done.output
    return done.stderr if code == 2 else done.stdout


# --- what is not in the file --------------------------------------------------------------------


def unseen_twin(game: Game, seat: str) -> Game | None:
    """Return a game with another suit for a card that `seat` never saw, None if there is none."""
    for at, deal in enumerate(game.deals):
        for line in deal.hands:
            other = _exchanged(deal, line) if line.seat != seat else None
            if other is not None:
                hands = tuple(other if each is line else each for each in deal.hands)
                twin = replace(deal, hands=hands)
                return replace(game, deals=(*game.deals[:at], twin, *game.deals[at + 1 :]))
    return None


def _exchanged(deal: Deal, hand: HandLine) -> HandLine | None:
    """Return a hand in which a card that never left it has another suit."""
    played = {card for turn in turns_of(deal) for card in cards_of(turn)}
    named = Counter(card for line in deal.hands for card in (*line.cards, *line.replacements))
    for card in hand.cards:
        for twin in range(max(0, card - 3), min(CODES, card + 4)):
            alike = RANK[card] == RANK[twin] and SUITED[card] and SUITED[twin] and card != twin
            free = card not in played and twin not in played and named[twin] == 0
            if alike and free and RANK[card] != RED_THREE and named[card] == 1:
                up = deal.up.cards if deal.up else ()
                if card not in up and twin not in up:
                    cards = tuple(twin if each == card else each for each in hand.cards)
                    return replace(hand, cards=cards)
    return None


def turns_of(deal: Deal) -> list[Turn]:
    return [line for line in deal.play if isinstance(line, Turn)]


def cards_of(turn: Turn) -> Iterator[int]:
    """Yield every card that a turn names."""
    for action in turn.actions:
        yield from getattr(action, "cards", ())
        yield getattr(action, "card", -1)


def test_a_seat_s_file_does_not_depend_on_cards_it_never_saw() -> None:
    compared = 0
    for reading in [*readings(CLUB), *random_games(2)]:
        deals = tuple(replace(deal, stock=None) for deal in reading.game.deals)
        game = replace(reading.game, deals=deals)
        for seat in read_seats(reading)[:2]:
            twin = unseen_twin(game, seat)
            if twin is None:
                continue
            one, other = (readings(format_game(each)) for each in (game, twin))
            assert page(page_games(one, seat)) == page(page_games(other, seat))
            compared += 1
    assert compared > 5


def test_cards_that_a_seat_does_not_see_are_not_called_missing() -> None:
    shown = page(page_games(readings(SAMPLES / "first-deal.canasta"), "N"))
    assert "Carla: 3 cards, 2 not seen" in shown and "not written" not in shown


def test_a_seat_s_file_names_no_card_of_other_hands() -> None:
    """It contains no line and no comment of the record, and no name of a hidden card."""
    text = """[CGN "1"]
[E "Bruno"]
deal 1 dealer N ; a comment on 4h
E: 4h 4h 5h 5h 6h 6h 7h 7h 8h 8h 9h ; hearts
S: 4d 4d 5d 5d 6d 6d 7d 7d 8d 8d 9d
W: 4c 4c 5c 5c 6c 6c 7c 7c 8c 8c 9c
N: 4s 4s 5s 5s 6s 6s 7s 7s 8s 8s 9s
up Ks
1. E +9h -9h
2. S +Qd -9d ?
3. W +Kc -9c
4. N +As -9s
5. E +Jh -4h
"""
    shown = page(page_games(readings(text), "N"))
    body = shown[shown.index("<main>") :]
    assert "9♥" in body and "A♠" in body
    for hidden in ("5♥", "Q♦", "K♣", "J♥", "a comment", "hearts</q>"):
        assert hidden not in body
    data = json.loads(re.findall(r'id="tables1">(.*?)</script>', shown)[0])
    [deal] = data["deals"]
    tables = [f"{PLACES[at]}={text}" for at, text in enumerate(deal["start"].split(" "))]
    tables += [change for line in deal["changes"] for change in line.split(" ")]
    chars = "".join(re.sub(r"^.(?:=|\d+,\d+,)", "", each) for each in tables if each[0] in HELD)
    spelled = json.loads(re.findall(r'id="data">(.*?)</script>', shown)[0])
    cards = dict(zip(spelled["alphabet"], spelled["cards"].split(" "), strict=True))
    named = {cards.get(char) for char in chars}
    assert {"9h", "4h", "As", "_"} <= named
    assert not {"5h", "Qd", "Kc", "Jh"} & named


#: The fields with cards in a table of four players: hands, melds and threes, and the pile.
HELD = "01234589c"
PLACES = string.digits + string.ascii_lowercase


def test_the_record_that_a_seat_could_write_contradicts_nothing() -> None:
    for game in [*readings(CLUB), *random_games()]:
        for seat in read_seats(game)[-1:]:
            [shown] = page_games([game], seat)
            assert [found for turn in shown.play.turns for found in turn.findings] == []


# --- what is in the file ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Ana", ""),
        ("\u202eAna", "\u202c"),
        ("\u202eAna\u202c", ""),
        ("\u202eAna \u2067b", "\u2069\u202c"),
        ("\u2067\u202eAna\u2069", ""),
        ("\u2067Ana\u202c", "\u2069"),
        ("Ana\u2069", ""),
    ],
)  # fmt: skip
def test_a_name_that_changes_the_text_direction_changes_only_its_own(text: str, ends: str) -> None:
    assert closed(text) == text + ends
    [game] = page_games(readings(f'[CGN "1"]\n[N "{text}"]\n\ndeal 1 dealer N\n'))
    assert game.tag("N") == text + ends


@pytest.mark.parametrize(
    ("turns", "must", "remarks"),
    [
        (
            # It took cards that it had discarded itself, and two that others had discarded.
            """up 9h
1. E + -4c
2. S + -5c
3. W + -6c
4. N + -9d
5. E ^9d 9:9s9c A:AsAhAd -Ks""",
            ["", "4c 5c 6c 9h _ _ _ _ _", "", ""],
            "",
        ),
        (
            # Without an up line, the pile may have had more cards than were seen.
            """1. E + -4c
2. S + -9d
3. W ^9d 9:9s9c A:AsAhAd -Ks""",
            ["", "", "", "4c _ _ _ _ _ _"],
            "W may hold up to 16 more unseen cards",
        ),
        (
            """1. E + K:KsKsKhKhKdKdKc -4c
2. S +Kc -Kc""",
            ["", "", "", ""],
            "N, E, S and W: no K among the unseen cards",
        ),
    ],
)  # fmt: skip
def test_what_a_hidden_hand_must_can_and_cannot_hold(
    turns: str, must: list[str], remarks: str
) -> None:
    [game] = page_games(readings(f'[CGN "1"]\n\ndeal 1 dealer N\n{turns}\n'))
    data = json.loads(re.findall(r'id="tables1">(.*?)</script>', page([game]))[0])
    spoken = [text for text in data["texts"]["en"] if "hold" in text or "among" in text]
    assert spoken == [remarks] * bool(remarks)
    hands = game.play.deals[0].states[-1].hands
    assert [
        " ".join([TEXT[card] for card in hand.cards] + ["_"] * hand.unknown) if hand.cards else ""
        for hand in hands
    ] == must


def test_a_canasta_of_cards_that_nobody_saw_is_shown() -> None:
    [game] = page_games(readings(UNSEEN))
    [meld] = game.play.deals[0].states[-1].sides[0].melds
    assert in_order(meld) == meld.cards == (UNKNOWN,) * 7
    assert page([game])


MARKUP = "<i>&'{{ 7 * 7 }}"

#: Markup wherever a record may have text of its own.
MARKED = f"""\
[CGN "1"]
[Event "{MARKUP}"]
[Round "{MARKUP}"]
[Site "{MARKUP}"]
[Date "{MARKUP}"]
[Rules "classic"]
[N "{MARKUP}"]
[E "{MARKUP}"]
; {MARKUP}
deal 1 dealer E
; {MARKUP}
N: 4s 4h 4d * ; {MARKUP}
up 4s
1. S + A:_______ -8c ; {MARKUP}
penalty NS 100 upcard ; {MARKUP}
end stock ; {MARKUP}
"""


@pytest.mark.parametrize(
    ("names", "first", "second"),
    [
        (("Jo", "Joan", "Jo", "Joan"), "Jo (N) and Jo (S)", "Joan (E) and Joan (W)"),
        (("Jo", "Jo", "Jo", "Jo"), "Jo (N) and Jo (S)", "Jo (E) and Jo (W)"),
        (("Joan", "beat", "Ana", "e"), "Joan and Ana", "beat and e"),
        (("Ana", "Ana and Jo", "Jo", "Bo"), "Ana and Jo", "Ana and Jo and Bo"),
        (("a<b", "i", "R&D", "Bo"), "a&lt;b and R&amp;D", "i and Bo"),
    ],
)
def test_each_side_has_its_colour_in_the_headline(
    names: tuple[str, ...], first: str, second: str
) -> None:
    [game] = page_games(readings(called(CLUB, *names)))
    said = f'<span class="side0">{first}</span> beat <span class="side1">{second}</span>'
    assert game.headline.html == said
    with use_language("es"):
        assert 'class="side0"' in game.headline.html.partition(" sobre ")[0]


def test_each_of_three_sides_has_its_colour_in_the_headline() -> None:
    record = SAMPLES / "profile-classic-3p.canasta"
    [game] = page_games(readings(called(record, "Jo", "Joan", "lead")))
    order = sorted(range(3), key=lambda at: -(game.cover.totals or ())[at])
    colours = re.findall('<span class="side(.)">([^<]*)</span>', game.headline.html)
    assert colours == [(str(at), ("Jo", "Joan", "lead")[at]) for at in order]


@pytest.mark.parametrize("times", [1, 2])
def test_what_a_record_says_is_text_and_never_markup(times: int) -> None:
    [game] = page_games(readings(MARKED))
    shown = page([game] * times)
    record = shown.partition("<main>")[2].partition('id="data"')[0]
    assert "<i>&" not in shown and "49" not in re.findall(r"\d+", record)
    assert record.count("&lt;i&gt;&amp;&#39;{{ 7 * 7 }}") > 10 * times


def test_no_template_says_that_a_text_is_safe() -> None:
    folder = Path(one_file.__file__).parent
    sources = [path.read_text("utf-8") for path in folder.glob("*.html")]
    assert len(sources) > 1
    assert not any(re.search(r"\bsafe\b|autoescape", source) for source in sources)


def test_only_a_page_loads_its_templates() -> None:
    program_text = (
        "import sys; from canasta_notation.cli.main import main\n"
        f"sys.argv = ['canasta', *sys.argv[1:], {str(CLUB)!r}]\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print({'jinja2', 'markupsafe'} & {*sys.modules}, file=sys.stderr)"
    )
    for command, loaded in (("page", True), ("diagram", False)):
        place = ["--deal", "1", "--turn", "1"] if command == "diagram" else []
        run = [sys.executable, "-c", program_text, command, "-o", "-", *place]
        done = subprocess.run(run, capture_output=True, timeout=60, check=True, text=True)
        assert ("jinja2" in done.stderr) is loaded, done.stderr


def test_the_small_script_is_that_of_the_source() -> None:
    """Otherwise, run `python -m tests.minified`."""
    source = (minified.PAGE / "page.js").read_text("utf-8")
    assert len(one_file.style_and_script()[1]) < 0.6 * len(source)


def test_the_file_is_small_and_loads_nothing() -> None:
    games = readings(
        *(format_game(play_game(load_profile("classic"), seed, deals=9)) for seed in range(3))
    )
    nine = [game for game in games if len(game.game.deals) >= 8]
    sizes = [len(page(page_games([game])).encode()) for game in nine]
    assert sizes and max(sizes) < 190_000
    text = page(page_games(games))
    assert len(text.encode()) < 95_000 + 75_000 * len(games), "the script, and each game"
    assert re.findall(r"""(?<= )(?:src|href)=(?!\\?["']?(?:#|data:,))[^ >]+""", text) == []
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy and policy[0].startswith("default-src 'none'; script-src 'sha256-")


def test_a_curve_is_the_lead_after_each_turn_or_each_total() -> None:
    """At the end of a deal, it is what the totals say; with three sides, each has a line."""
    for name in ("thursday-club", "score-sheet-1", "profile-classic-3p", "profile-samba"):
        [game] = page_games(readings(SAMPLES / f"{name}.canasta"))
        for deal, report in zip(game.play.deals, game.play.report.deals, strict=True):
            drawn = lead(game, deal)
            totals = [side.total for side in report.sides]
            assert all(total is not None for total in totals)
            ends = [line[-1] for line in drawn["lines"]]
            one, *others = [total or 0 for total in totals]
            assert ends == ([one - others[0]] if len(others) == 1 else totals)
            assert {len(line) for line in drawn["lines"]} == {len(deal.states) or 1}


def test_a_curve_with_values_has_its_errors() -> None:
    curve = tuple(float(at) for at in range(9))
    side = values_of(curve, 10)
    values = {1: DealValues({}, {"NS": side, "EW": side}, (), None)}
    [reading] = readings(SAMPLES / "first-deal.canasta")
    profile = read_header(reading.game, 1).profile
    assert profile is not None
    game = page_game("a", reading, 1, profile, values=values)
    drawn = lead(game, game.play.deals[0])
    assert drawn["lines"] == [[*range(8), 910 - 395]] and drawn["errors"] == [*([30] * 8), 0]
    seen = page_game("a", reading, 1, profile, "N", values)
    assert "errors" not in lead(seen, seen.play.deals[0])


def test_standings_say_what_they_leave_out_and_add_up() -> None:
    six = readings(SAMPLES / "profile-classic-6p.canasta")
    two = (SAMPLES / "profile-american-2p.canasta").read_text("utf-8")
    nameless = readings(re.sub(r'\[[NS] "\w+"\]\n', "", two))
    unknown = readings('[CGN "1"]\n[N "Ana"]\n\ndeal 1 dealer N\nend out E\n')
    unfinished = UNSEEN.replace("\n\n", '\n[N "Ana"]\n\n', 1)
    shown = page(page_games([*readings(CLUB), *six, *unknown, *readings(unfinished), *nameless]))
    assert "<caption>Partners</caption>" in shown
    assert "Not counted, because the points are not known: game 3." in shown
    assert "Game 4 has no winner, but its points are counted." in shown
    assert "The games were played by different rules: classic, classic-6p and american-4p." in shown


@pytest.mark.parametrize(
    ("rules", "turns", "words"),
    [
        ("classic", "", "frozen for each side until it opens"),
        ("classic", "1. E + -2s", "frozen by 2♠"),
        ("classic", "1. E + -*", "frozen by joker"),
        ("classic", "1. E + -3s", "frozen for each side until it opens"),
        ("davenport", "1. E + -3s", "frozen by 3♠"),
        ("davenport", "1. E + -3s\n2. S + -4h", "frozen by 3♠"),
        ("classic", "1. E ^9h 9:9s9d -4h", "frozen for NS, until the first meld"),
        ("uruguay", "", "always frozen"),
    ],
)
def test_a_page_says_what_freezes_the_pile(rules: str, turns: str, words: str) -> None:
    text = f'[CGN "1"]\n[Rules "{rules}"]\n\ndeal 1 dealer N\nup 9h\n{turns}\n'
    [game] = page_games(readings(text))
    *_, last = game.play.deals[0].states
    assert words in [each.text for each in pile_words(last, game.story)]


def test_standings_are_ordered_by_games_won_then_points_then_names() -> None:
    def game(first: str, second: str, totals: tuple[int, int], winner: str) -> Outcome:
        ns, ew = totals
        return Outcome({"NS": [first], "EW": [second]}, {"NS": ns, "EW": ew}, winner, "")

    games = [game("Ana", "Bo", (500, 300), "NS"), game("Cy", "Di", (900, 300), "NS")]
    games += [game("Bo", "Ed", (100, 300), "EW"), game("Al", "Flo", (900, 300), "NS")]
    assert [each.name.names for each in placings(games, together=False)] == [
        ("Al",), ("Cy",), ("Ana",), ("Ed",), ("Bo",), ("Di",), ("Flo",),
    ]  # fmt: skip


def test_players_of_one_name_are_two_players_in_the_standings() -> None:
    """They are told apart by their seats, as in the rest of the page, and only in their games."""
    sheet = '[CGN "1"]\n{}deal 1 dealer N\nscore NS 5500\nscore EW 1200\n\n'
    partners, rivals, one = (
        "".join(f'[{seat} "{name}"]\n' for seat, name in zip("NESW", names, strict=True))
        for names in (
            ("Ana", "Bea", "Ana", "Cy"), ("Ana", "Ana", "Di", "Cy"), ("Ana", "Bea", "Di", "Cy"),
        )
    )  # fmt: skip
    text = "".join(map(sheet.format, (partners, rivals, one)))
    found = standings([outcome(game) for game in page_games(readings(text))])
    assert {each.name.names: (each.played, each.won) for each in found.players} == {
        ("Ana",): (1, 1), ("Ana (N)",): (2, 2), ("Ana (S)",): (1, 1), ("Ana (E)",): (1, 0),
        ("Bea",): (2, 0), ("Cy",): (3, 0), ("Di",): (2, 2),
    }  # fmt: skip
    assert ("Ana (N)", "Ana (S)") in [each.name.names for each in found.partners]


def test_the_margin_is_that_over_the_second() -> None:
    def margin(*totals: int | None) -> int | None:
        return Outcome({}, dict(zip("NES", totals, strict=False)), None, "").margin

    assert margin(900, 100, 700) == 200
    assert margin(700, 900) == 200
    assert margin(900, None, 100) is None


def test_a_score_that_does_not_follow_from_the_play_is_called_claimed() -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8").replace("5. E +6c", "5. E +9c")
    shown = page(page_games(readings(text)))
    note = "<small>sum of the claimed items</small>"
    assert f"<th>score{note}<td>910<td>910" in shown


def test_house_rules_and_names_are_shown_in_words() -> None:
    name = "Maximiliane Wilhelmine von Hohenstein"
    rules = "classic score.red3_minus=no-canasta"
    tags = f'[CGN "1"]\n[Rules "{rules}"]\n[E "{name}"]\n\n'
    text = f"{tags}deal 1 dealer N\n1. E + -4s\n2. S + k:KsKd\n"
    [game] = page_games(readings(text))
    shown = page([game])
    house_rule = game.play.profile.sentence("score.red3_minus")
    assert f"rules {rules} · <span lang=en>{house_rule}</span>" in shown
    in_spanish = page([game], language="es")
    assert "Las reglas de la casa están en inglés." in in_spanish and house_rule in in_spanish
    assert f"<b>{name[:23]}…</b>" in shown and f'"{name[:23]}…"' in shown and name not in shown
    assert "<code>k:KsKd</code>" in shown


# --- the command --------------------------------------------------------------------------------


def test_the_command_writes_a_page_and_a_diagram(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    run("page", CLUB, "-o", out, "--language", "en")
    assert out.read_text("utf-8") == page(
        [
            replace(each, story=replace(each.story, play=replace(each.play, file=CLUB.name)))
            for each in page_games(readings(CLUB))
        ]
    )
    run("page", SAMPLES / "broken" / "pile-frozen.canasta", "-o", out, code=1)
    assert "pile-frozen" in out.read_text("utf-8")
    drawn = run("diagram", CLUB, "--deal", "2", "--turn", "11")
    assert "Thursday club: deal 2, after turn 11" in drawn
    hidden = run("diagram", CLUB, "--deal", "2", "--turn", "11", "--seat", "N")
    assert "as N sees it" in hidden and len(hidden) < len(drawn)


def test_a_long_page_shows_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[list[int]] = []

    class Seen(streaming.Bar):
        def __init__(self, total: int, what: str, *, long: int) -> None:
            super().__init__(total, what, long=long)
            bars.append([total])

        def advance(self, size: int) -> None:
            bars[-1].append(size)

    monkeypatch.setattr(streaming, "Bar", Seen)
    sheets = [SAMPLES / f"score-sheet-{number}.canasta" for number in (1, 2)]
    assert canasta("page", *sheets, "-o", tmp_path / "page.html").exit_code == 0
    [[total, *steps]] = bars
    assert len(steps) == 2 and sum(steps) == total


def test_any_number_of_processes_writes_the_same_page(tmp_path: Path) -> None:
    sheets = [SAMPLES / f"score-sheet-{number}.canasta" for number in (1, 2)]
    records = [*sheets, SAMPLES / "broken" / "pile-frozen.canasta"]
    pages = []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.html"
        done = program("page", *records, "--jobs", str(jobs), "-o", out, text=True)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "1 game with errors; the page shows them\n"
        pages.append(out.read_bytes())
    assert pages[0] == pages[1]


def test_the_size_of_a_large_page_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "page.html"
    sheets = [SAMPLES / f"score-sheet-{number}.canasta" for number in (1, 2)]
    assert canasta("page", *sheets, "-o", out).stderr == ""
    monkeypatch.setattr(page_command, "_LARGE", 100_000)
    said = canasta("page", *sheets, "-o", out).stderr
    size = out.stat().st_size
    assert said == f"the page has {size / 1_000_000:.1f} MB, {size // 2000} kB a game\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["page", "nowhere", "-o", "OUT"], "nowhere: no such file or folder"),
        (
            ["page", SHEETS, "-o", "OUT"],
            f"in this folder; name its score sheets one by one, such as {SHEETS}",
        ),
        (
            ["page", FIRST, "-o", "OUT", "--seat", "A"],
            "game 1 has no seat A; its seats are N E S W",
        ),
        (["diagram", CLUB, "--deal", "9", "--turn", "1"], "has no deal 9; it has 6 deals"),
        (
            ["diagram", CLUB, "--deal", "1", "--turn", "33"],
            "has no turn 33 to show",
        ),
        (["diagram", CLUB, "--game", "2", "--deal", "1", "--turn", "3"], "has no game 2; it has 1"),
        (["page", FIRST, "-o", "OUT.canasta"], "a page is written as .html, not as .canasta"),
        (
            ["diagram", CLUB, "--deal", "1", "--turn", "3", "-o", "OUT.png"],
            "a diagram is written as .svg, not as .png",
        ),
        (
            ["page", FIRST, "-o", "OUT/a/b.html"],
            "OUT/a/b.html: there is no folder OUT/a; make it first",
        ),
    ],
)
def test_impossible_requests_are_reported(args: list[Any], message: str, tmp_path: Path) -> None:
    out = str(tmp_path / "out.html")
    said = run(*(str(arg).replace("OUT", out) for arg in args), code=2)
    assert message.replace("OUT", out) in said
    assert not Path(out).exists()


PENALTIES = """\
[CGN "1"]

deal 1 dealer N
up 9h
penalty EW 50 late
1. E + -4c
penalty NS 100 ruling ; talked
penalty NS 50 ruling
2. S + -5c
"""


def test_penalties_are_shown_where_they_were_given() -> None:
    [game] = page_games(readings(PENALTIES))
    [deal] = game.play.deals
    assert [[line.points for line in turn.rulings] for turn in deal.turns] == [[100, 50], []]
    assert [line.points for line in deal.rulings] == [50]
    penalties = [[side.penalty for side in state.sides] for state in deal.states]
    assert penalties == [[0, 50], [150, 50], [150, 50]]
    shown = page([game])
    before, _, turns = shown.partition("<ol class=turns>")
    first = turns.split("<li>")[1]
    assert "<p>Penalty for NS: 100 points (ruling)</p><p>Penalty for NS: 50 points" in first
    assert "<q>talked</q>" in first
    assert "<p>Penalty for EW: 50 points (late)</p>" in before
    assert "NS lost 100 points by a ruling." in before
    [seen] = page_games(readings(PENALTIES), "N")
    assert "(late)" in page([seen]) and "talked" not in page([seen])


@pytest.mark.parametrize(("seat", "replays"), [("", 1), ("N", 2)])
def test_a_game_is_replayed_once_and_once_more_for_a_seat(
    seat: str, replays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[GameReplay] = []

    class Counted(GameReplay):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            made.append(self)

    monkeypatch.setattr(game_replay, "GameReplay", Counted)
    [reading] = readings(CLUB)
    page(page_games([reading], seat))
    assert len(made) == replays
    made.clear()
    drawn = ["--seat", seat] if seat else []
    assert canasta("diagram", CLUB, "--deal", "2", "--turn", "3", *drawn).exit_code == 0
    assert len(made) == replays
    made.clear()
    assert len(list(positions(reading.game))) > 200 and len(made) == 1


FAULT = """\
[CGN "1"]

deal 1 dealer N
E: 4h 4h 5h 5h 6h 6h 7h 7h 8h 8h 9h
S: 4d 4d 5d 5d 6d 6d 7d 7d 8d 8d 9d
W: 4c 4c 5c 5c 6c 6c 7c 7c 8c 8c 9c
N: 4s 4s 5s 5s 6s 6s 7s 7s 8s 8s 9s
up Ks
1. E +9h -9h
2. S +Qd -9d
3. W +Kc K:KcKc -9c ; a secret
"""


@pytest.mark.parametrize("seat", ["", "N", "W"])
def test_replay_and_page_agree_on_findings_and_scores(seat: str) -> None:
    """A seat's findings are those of the record that it could write, at its own turns."""
    for text in (FAULT, (SAMPLES / "broken" / "score.canasta").read_text("utf-8")):
        [reading] = readings(text)
        [game] = page_games([reading], seat)
        shown = page([game])
        profile = game.play.profile
        play = play_back("record.canasta", reading, 1, profile, seat=seat)
        assert [turn.findings for turn in play.turns] == [turn.findings for turn in game.play.turns]
        rows = paint(game_rows(play, Look(100)), colour=False)
        codes = {found.code for turn in play.turns for found in turn.findings}
        own = {turn.line.seat for turn in play.turns if turn.findings}
        assert own <= ({seat} if seat else set("NESW"))
        for code in codes:
            assert code in shown and f"[{code}]" in rows
        assert seat == "" or "a secret" not in shown + rows
        for side in play.report.deals[0].sides:
            if side.score is not None:
                assert f"{side.side:<4} {side.score:>6}" in rows
                assert f"<td>{side.score:,}" in shown


# --- the diagram --------------------------------------------------------------------------------


def test_a_diagram_is_small_and_says_what_it_shows() -> None:
    for game in page_games([*readings(CLUB), *random_games()]):
        play = game.play
        for deal in play.deals:
            for state in deal.states[-2:]:
                drawn = position_svg(
                    state, play.seats, play.sides,
                    heading='"<&>" evening', names=dict.fromkeys(play.seats, "<Ana & Bo>" * 9),
                )  # fmt: skip
                assert len(drawn.encode()) <= 16_000
                root = ElementTree.fromstring(drawn)
                title, description = root[0], root[1]
                assert title.text == '"<&>" evening'
                assert f"Stock: {state.stock[0]}" in (description.text or "")
                names = {element.get("id") for element in root.iter()}
                used = {element.get("href", "#")[1:] for element in root.iter()} - {""}
                assert used and used <= names


def test_everything_in_a_diagram_has_its_own_id() -> None:
    """A pip with the id of a card would be drawn in place of that card."""
    samples = [CLUB, SAMPLES / "first-deal.canasta", SAMPLES / "profile-classic-2p.canasta"]
    for game in page_games(readings(*samples)):
        for state in (each for deal in game.play.deals for each in deal.states):
            drawn = position_svg(state, game.play.seats, game.play.sides)
            names = re.findall(r' id="([^"]+)"', drawn)
            assert len(set(names)) == len(names)
            assert set(re.findall(r' href="#([^"]+)"', drawn)) <= set(names)


def test_everything_on_a_page_has_its_own_id() -> None:
    shown = page(page_games(readings(CLUB, CLUB)))
    # If there are several games, the document has the record of one.
    records = re.compile(r'<script type="text/html".*?</script>', re.DOTALL)
    names = re.findall(r' id="([^"]+)"', records.sub("", shown[: shown.rindex("<script>")]))
    assert len(names) > 20 and len(set(names)) == len(names)


def test_a_diagram_can_be_dark() -> None:
    place = ["diagram", CLUB, "--deal", "2", "--turn", "11"]
    light, dark = run(*place), run(*place, "--dark")
    assert light != dark and re.sub("#[0-9a-f]{6}", "", light) == re.sub("#[0-9a-f]{6}", "", dark)


def test_a_page_hides_what_was_drawn_and_not_tabled() -> None:
    """Before the answer to a question is shown, nothing reveals what the seat drew."""
    turns = 0
    for shown in page_games([*readings(CLUB), *random_games()]):
        for turn in shown.play.turns:
            drawn = [
                card
                for action in turn.line.actions
                if isinstance(action, Draw | TableThrees | TakePacket)
                for card in (*action.cards, *getattr(action, "replacements", ()))
            ]
            held = Counter(
                three
                for action in turn.line.actions
                if isinstance(action, TableThrees)
                for three in action.threes
            )
            before, after = (
                Counter(three for side in state.sides for three in side.threes)
                for state in (turn.before, turn.after)
            )
            hidden = Counter(card for part in shown.parts(turn) if part.own for card in part.cards)
            assert hidden == Counter(drawn) - (after - before - held), turn.line
            turns += bool(hidden)
    assert turns > 100


def test_a_seats_page_does_not_show_the_chances_of_others() -> None:
    own = others = 0
    for shown in page_games(readings(SAMPLES / "kitchen-table.canasta"), "N"):
        for deal in shown.play.deals:
            chances = [each.seat for each in shown.analyzed(deal).chances]
            own += chances.count("N")
            others += len(chances) - chances.count("N")
            for turn, note in zip(deal.turns, shown.notes[deal.number - 1], strict=True):
                assert note.mark == "" or turn.line.seat == "N"
    assert own and others


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((CLUB, "--language", "fr"), "--language: give en, es, de, it, pt or all, not 'fr'"),
        ((FIRST, FIRST, "--picture", "game.svg"), "--picture is for one game; there are 2"),
        (
            (FIRST, "--picture", "game.png"),
            "--picture game.png: a picture is written as .svg, not as .png",
        ),
        ((FIRST, "--picture", "nowhere/game.svg"), "nowhere/game.svg"),
        ((FIRST, "--picture", "game.svg", "-o", "nowhere/page.html"), "nowhere/page.html"),
    ],
)
def test_a_page_and_its_picture_are_written_or_neither(
    args: list[Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = args if "-o" in args else (*args, "-o", "page.html")
    assert message in run("page", *given, code=2)
    assert [*tmp_path.iterdir()] == []


def test_a_picture_has_its_size_and_every_name_its_room(tmp_path: Path) -> None:
    names = ("W" * 60, "Ἀλέξανδρος Μακεδών", "<b>&</b>", "王小明和他的朋友王小明和他的朋友")
    text = CLUB.read_text("utf-8")
    for seat, name in zip("NESW", names, strict=True):
        text = re.sub(rf'\[{seat} "[^"]*"\]', f'[{seat} "{name}"]', text)
    (tmp_path / "long.canasta").write_text(text, "utf-8")
    for record in (FIRST, tmp_path / "long.canasta", SAMPLES / "score-sheet-1.canasta"):
        out = tmp_path / "game.svg"
        run("page", record, "-o", tmp_path / "page.html", "--picture", out, "--language", "de")
        drawn = ElementTree.fromstring(out.read_text("utf-8"))
        assert (drawn.get("width"), drawn.get("height")) == ("1200", "630")
        for each in drawn.iter("{http://www.w3.org/2000/svg}text"):
            most = int(each.get("textLength", 0)) or width(
                each.text or "", int(each.get("font-size", 0))
            )
            assert int(each.get("x", 0)) + most <= 1200


def test_one_game_is_in_all_languages_and_several_are_in_english(tmp_path: Path) -> None:
    out = tmp_path / "page.html"

    def languages(*args: Any) -> list[str]:
        run("page", *args, "-o", out)
        found = re.findall(r'id="data">(.*?)</script>', out.read_text("utf-8"))
        return [*json.loads(found[0])["words"]]

    assert languages(FIRST) == [*LANGUAGES]
    assert languages(CLUB, "--language", "de") == ["de"]
    assert "Sieg für" in out.read_text("utf-8") and "beat" not in out.read_text("utf-8")
    assert languages(FIRST, FIRST) == ["en"]
    assert languages(FIRST, FIRST, "--language", "all") == [*LANGUAGES]
