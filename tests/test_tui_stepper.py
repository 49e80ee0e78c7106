"""The stepper: keys in, the screen's text out; the plain stepper through pipes; moves."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cards import RANK, RANK_LETTERS, UNKNOWN_RANK
from canasta_notation.cli.installing import how_to_install
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.replay.header import read_header
from canasta_notation.report.played import play_back
from canasta_notation.report.walker import PlayOne, Spot, Walker
from canasta_notation.tui.screen import StepApp
from canasta_notation.tui.stepping import press
from tests.cli_records import BROKEN, FALSE, VERIFIED
from tests.recorders import Terminal, anyhow_wrapped

CLUB = Path(__file__).parent.parent / "samples" / "thursday-club.canasta"


def walker(text: str | None = None, seat: str = "", only: int | None = None) -> Walker:
    """Return a place in a record, by default in the club's sample."""
    readings = read_text(CLUB.read_text() if text is None else text)
    return Walker([playing(each, at, only) for at, each in enumerate(readings, 1)], seat, only)


def playing(reading: Reading, number: int = 1, deal: int | None = None) -> PlayOne:
    """Return what plays a game as a seat sees it."""
    profile = read_header(reading.game, number).profile
    assert profile is not None
    return lambda seat: play_back("club.canasta", reading, number, profile, deal=deal, seat=seat)


# --- places and moves ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "deal", "turn"),
    [
        ("", 1, 1),
        ("n n", 1, 3),
        ("n b b b", 1, 0),
        ("b b", 1, 0),
        ("e", 1, 32),
        ("e n", 2, 0),
        ("e n n", 2, 1),
        ("d b b", 1, 32),
        ("d d D", 2, 1),
        ("D", 1, 1),
        ("12", 1, 12),
        ("2.12", 2, 12),
        ("d3", 3, 1),
        ("33", 1, 1),
        ("7.1", 1, 1),
        ("0", 1, 0),
        ("t", 1, 16),
        ("t t", 1, 23),
        ("m", 1, 2),
        ("c", 1, 26),
        ("c c c c", 2, 9),
        ("d9", 1, 1),
        ("x", 1, 1),
    ],
)
def test_keys_move(keys: str, deal: int, turn: int) -> None:
    place = walker()
    for key in keys.split():
        press(place, key)
    assert (place.spot.deal, place.spot.turn) == (deal, turn)


def test_a_whole_game_forward_and_back() -> None:
    place = walker()
    press(place, "0")
    steps = 0
    while place.forward():
        steps += 1
    assert (place.spot, steps) == (Spot(0, 6, 43), 208 + 5)
    while place.back():
        steps -= 1
    assert (place.spot, steps) == (Spot(0, 1, 0), 0)


def test_seeking_stops_at_every_finding() -> None:
    place = walker(FALSE + "\n" + BROKEN)
    codes = []
    while press(place, "f"):
        codes.append([each.code for each in (*place.findings(), *place.deal_findings())])
    assert codes == [["score-item", "score", "total"], ["meld-wilds"], ["not-in-hand", "syntax"]]
    assert not walker(VERIFIED, only=1).seek("finding")


def test_what_a_seat_can_deduce_is_true() -> None:
    """At every moment, no card that a seat excludes is in the stock."""
    open_place = walker()
    for seat in "NE":
        place = walker(seat=seat)
        for deal in (1, 3):
            for turn in range(place.play.deals[deal - 1].last + 1):
                seen = place.play.deals[deal - 1]
                found = (seen.turns[turn - 1] if turn else seen).deduction
                assert found is not None
                full = open_place.play.deals[deal - 1]
                state = full.turns[turn - 1].after if turn else full.setup
                assert state is not None
                for at, known in enumerate(found.hands):
                    left = list(state.hands[at].cards)
                    for card in known.cards:
                        match = card if card in left else None
                        ranks = [each for each in left if RANK[each] == RANK[card]]
                        assert match is not None or ranks, (deal, turn, at, card)
                        left.remove(card if match is not None else ranks[0])
                    assert set(left) <= set(known.may), (deal, turn, at)
                hidden = [0] * UNKNOWN_RANK
                for at, hand in enumerate(state.hands):
                    shown = len(found.hands[at].cards)
                    assert len(hand.cards) >= shown
                    for card in hand.cards:
                        hidden[RANK[card]] += 1
                    for card in found.hands[at].cards:
                        hidden[RANK[card]] -= 1
                for rank in range(UNKNOWN_RANK):
                    assert found.unseen[rank] >= hidden[rank], RANK_LETTERS[rank]


def test_a_seat_sees_no_other_hand() -> None:
    place = walker(seat="N", only=1)
    for turn in place.deal.turns:
        for at, hand in enumerate(turn.after.hands):
            assert turn.deduction is not None
            assert at == 0 or hand.cards == turn.deduction.hands[at].cards
    assert "5h 7c" not in str(place.deal.turns[0].line)


# --- on the screen ------------------------------------------------------------------------------


def screen(app: StepApp) -> str:
    """Return the text that the screen shows."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)


def stepped(place: Walker, keys: list[str], size: tuple[int, int] = (80, 24)) -> str:
    """Return the screen after keys."""

    async def run() -> str:
        app = StepApp(place, colour=False)
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            return screen(app)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("keys", "size"),
    [
        ([], (80, 24)),
        (["b"], (80, 24)),
        (["t"], (80, 24)),
        (["t"], (130, 40)),
        (["t"], (60, 20)),
        (["e"], (80, 24)),
        (["1", "6"], (80, 24)),
        (["2", ".", "5", "enter", "v"], (80, 24)),
        (["2", ".", "5", "enter", "v", "s"], (80, 24)),
        (["3", "full_stop", "7", "enter", "v", "v"], (130, 40)),
        (["s"], (80, 24)),
        (["question_mark"], (80, 24)),
        (["question_mark"], (120, 40)),
        (["question_mark"], (60, 20)),
        (["question_mark"], (50, 15)),
        (["question_mark", "question_mark"], (80, 24)),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else f"{value[0]}x{value[1]}",
)
def test_screens(keys: list[str], size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    assert stepped(walker(), keys, size) == snapshot


def test_a_penalty_is_shown_with_the_turn_before_it() -> None:
    text = CLUB.read_text().replace("\n2. ", "\npenalty NS 100 ruling\n2. ", 1)
    shown = stepped(walker(text), [])
    assert "penalty for NS: 100 points (ruling)" in shown and "penalties 100" in shown
    assert "penalty for" not in stepped(walker(text), ["n"])


def test_other_keys_close_the_help() -> None:
    """Escape closes it, and so does every key that leads to another place."""
    before = stepped(walker(), [])
    assert stepped(walker(), ["question_mark", "escape"]) == before
    assert stepped(walker(), ["s", "escape"]) == before
    assert stepped(walker(), ["question_mark", "t"]) == stepped(walker(), ["t"])


def test_findings_on_the_screen(snapshot: SnapshotAssertion) -> None:
    assert stepped(walker(BROKEN), ["f"]) == snapshot


def test_a_key_that_leads_nowhere_says_so() -> None:
    assert "nothing more in that direction (f)" in stepped(walker(only=1), ["f"])
    assert "nothing more" not in stepped(walker(only=1), ["f", "n"])


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("99", "there is no turn 99 in deal 1; the last is 32"),
        ("2.99", "there is no turn 99 in deal 2; the last is 34"),
        ("d9", "there is no deal 9; the last is 6"),
        ("7.1", "there is no deal 7; the last is 6"),
        ("1", "you are there already"),
    ],
)
def test_a_number_that_leads_nowhere_says_why(keys: str, said: str) -> None:
    assert said in stepped(walker(), [*keys, "enter"])
    assert said in plain(stdin=f"{keys}\nq\n").stdout


def test_the_number_of_the_last_turn_leads_nowhere_from_there() -> None:
    assert "you are there already" in stepped(walker(), ["e", *"32", "enter"])


def test_a_deal_that_is_not_shown_cannot_be_entered() -> None:
    assert "only deal 1 is shown" in plain("--deal", "1", stdin="d2\nq\n").stdout


def test_a_number_after_d_is_a_deal_s() -> None:
    assert "deal 5 of 6, turn 1" in stepped(walker(), [*"d5", "enter"])
    assert "deal 5_" in stepped(walker(), [*"d5"])
    assert "turn 5_" in stepped(walker(), [*"d53", "backspace", "backspace", "5"])
    assert "deal 2 of 6, turn 5" in stepped(walker(), ["d", "n", "5", "enter"])


def test_each_turn_is_shown_from_its_top() -> None:
    small = (40, 12)
    shown = stepped(walker(), ["n"], small)
    assert stepped(walker(), ["down", "down", "n"], small) == shown
    assert stepped(walker(), ["pagedown"], small) == shown
    assert stepped(walker(), ["down", "down", "2", "enter"], small) == shown


def test_down_and_up_scroll_a_long_page() -> None:
    small = (40, 12)
    top = stepped(walker(), [], small)
    assert stepped(walker(), ["up"], small) == top
    assert stepped(walker(), ["down"], small) != top
    assert stepped(walker(), ["down", "up"], small) == top


def test_clock_annotations_and_comments() -> None:
    shown = stepped(walker(VERIFIED), [])
    assert "(opened with 80) !? (12.5 s)" in shown
    assert "; Ana opens at once" in shown and "; a bold start" in shown


def test_automatic_play_keeps_a_pace() -> None:
    async def run() -> tuple[int, str]:
        place = walker(only=1)
        app = StepApp(place)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("plus", "plus", "plus", "a")
            await pilot.pause(0.6)
            shown = screen(app)
            await pilot.press("a")
            await pilot.pause()
            here = place.spot.turn
            await pilot.pause(0.3)
            assert place.spot.turn == here, "stopped"
            return here, shown

    turn, shown = asyncio.run(run())
    assert turn >= 3
    assert "playing, 0.1 s a turn" in shown


def test_the_first_screen_appears_at_once() -> None:
    """The aim is a quarter of a second for a game of 400 turns; the machine may be busy."""
    text = CLUB.read_text()
    [reading] = read_text(text)
    took = []
    for _ in range(3):
        start = time.perf_counter()
        shown = stepped(Walker([playing(reading)]), [])
        took.append(time.perf_counter() - start)
        assert "deal 1 of 6, turn 1 of 32" in shown
    assert min(took) < 1


def test_on_a_real_terminal(tmp_path: Path) -> None:
    (tmp_path / "club.canasta").write_text(CLUB.read_text())
    program = Terminal("replay", "--step", "club.canasta", folder=tmp_path, columns=80, lines=24)
    try:
        program.see("deal 1 of 6, turn 1 of 32: E Bruno")
        program.send("t")
        program.see("took the pile of 16 with J♥")
        program.send("2.5\r")
        program.see("deal 2 of 6, turn 5 of 34: S Carla")
        program.send("q")
        assert program.wait() == 0
    finally:
        program.close()


def test_a_resized_window_is_laid_out_again() -> None:
    """After every change, the screen is like that of a stepper started at that size."""
    sizes = [(130, 40), (60, 20), (116, 24), (80, 24)]

    async def run() -> list[str]:
        app = StepApp(walker(), colour=False)
        screens = []
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("t", "t")
            for size in sizes:
                await pilot.resize_terminal(*size)
                await pilot.pause()
                screens.append(screen(app))
        return screens

    for size, shown in zip(sizes, asyncio.run(run()), strict=True):
        assert shown == stepped(walker(), ["t", "t"], size)


@pytest.mark.parametrize("columns", [100, 71])
def test_on_a_terminal_without_textual(
    tmp_path: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club.canasta").write_text(CLUB.read_text())
    program = Terminal(
        "replay", "--step", "club.canasta", folder=tmp_path, without="textual", columns=columns
    )
    try:
        program.see(anyhow_wrapped(how_to_install("tui")))
        program.send("16\r")
        program.see("deal 1, turn 16 of 32: N Ana")
        program.send("q\r")
        assert program.wait() == 0
    finally:
        program.close()


# --- line by line -------------------------------------------------------------------------------


def plain(*args: str, stdin: str) -> subprocess.CompletedProcess[str]:
    """Run the plain stepper through pipes."""
    command = [sys.executable, "-m", "canasta_notation", "replay", "--step", str(CLUB), *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60)


def test_the_score_after_the_end_of_a_deal() -> None:
    shown = plain(stdin="1.32\ns\nq\n").stdout
    assert "at the end of the deal" in shown and "if the deal ended now" not in shown


def test_the_plain_stepper_has_the_same_keys() -> None:
    done = plain(stdin="\nb\nt\nc\n2.5\nD\ne\nd3\nzz\ns\n?\nq\n")
    assert done.returncode == 0
    titles = [line for line in done.stdout.splitlines() if line.startswith("deal ")]
    turns = [title.split(" of ")[0] for title in titles if ", turn " in title]
    assert turns == [
        "deal 1, turn 1",
        "deal 1, turn 2",
        "deal 1, turn 1",
        "deal 1, turn 16",
        "deal 1, turn 26",
        "deal 2, turn 5",
        "deal 1, turn 1",
        "deal 1, turn 32",
        "deal 3, turn 1",
        "deal 3, turn 1",
    ]
    assert "there is no such key; ? lists the keys" in done.stdout
    assert "if the deal ended now" in done.stdout
    assert "the next take of the pile, meld, canasta, finding" in done.stdout
    assert "deal 1: Ana went out, 32 turns" in done.stdout


def test_the_plain_stepper_of_a_seat() -> None:
    done = plain("--seat", "E", "--deal", "2", stdin="5\nv\nd\nq\n")
    assert done.returncode == 0
    assert "cannot be in the stock" in done.stdout
    assert "N Ana       10  not known" in done.stdout
    assert "nothing more in that direction (d)" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--deal", "9"), "has no deal 9; it has 6 deals"),
        (("--game", "2"), "has no game 2; it has 1"),
        (("--seat", "X"), "has no seat X"),
    ],
)
def test_a_missing_deal_game_or_seat(args: tuple[str, str], message: str) -> None:
    done = plain(*args, stdin="q\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
