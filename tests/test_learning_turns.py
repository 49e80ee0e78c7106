"""Turns as one action in text: what a seat sees, what a false text does, and how a game ends."""

from __future__ import annotations

import json
import random
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import canasta_notation as cn
from canasta_notation import turns
from canasta_notation.players.seated import PLAYERS
from tests.random_turns import Played, play
from tests.turn_points import BASELINES, lead

SAMPLES = Path(__file__).parent.parent / "samples"


def env_after(text: str, rules: str = "classic", seed: int = 7) -> turns.TurnEnv:
    """Return an environment in which the first seat has played a text."""
    env = turns.TurnEnv(rules)
    env.reset(seed)
    assert env.step(text).false is None
    return env


@pytest.mark.parametrize("name", cn.profile_names())
def test_a_program_that_writes_at_random_ends_its_deals(name: str) -> None:
    played = Played()
    env = play(name, 3, played)
    assert played.failed == [] and played.refused > 0 and env.over and not env.due
    (record,) = cn.read(env.game.to_record())
    report = cn.verify(record)
    assert report.verdict == "verified"
    assert abs(sum(env.rewards.values())) < 1e-6 and any(env.rewards.values())


@pytest.mark.parametrize("name", ["classic-3p", "samba", "hand-and-foot"])
def test_a_whole_game_of_players_is_verified_and_its_rewards_are_leads(name: str) -> None:
    env = turns.TurnEnv(name, deals=None)
    env.reset(1)
    scores = []
    while env.due:
        answer = env.step(env.choose("greedy"))
        assert answer.false is None
        scores += [answer.score] if answer.score else []
    assert len(scores) == env.game.deals > 1 and env.game.winner
    (record,) = cn.read(env.game.to_record())
    assert cn.verify(record).verdict == "verified"
    totals = env.game.totals
    for side, total in totals.items():
        others = [points for other, points in totals.items() if other != side]
        for seat in side:
            assert env.rewards[seat] == pytest.approx(total - sum(others) / len(others))


def test_a_text_may_go_on_from_a_draw_that_stops_it() -> None:
    env = turns.TurnEnv("classic")
    seat = env.reset(7).seat
    answer = env.step("+")
    assert (answer.seat, answer.false, env.due) == (seat, None, seat)
    assert [event.kind for event in answer.events] == ["draw"] and "_" not in answer.events[0].text
    assert env.view().phase == "play" and env.view().turns == (f"1. {answer.events[0]}",)
    card = env.view().table.hands[seat][0]
    answer = env.step(f"-{card}")
    assert answer.false is None and env.due != seat
    assert env.view().turns == (f"1. {seat} +_ -{card}",)


def test_a_false_text_is_answered_by_a_finding_and_changes_nothing_but_the_draw() -> None:
    env = turns.TurnEnv("classic")
    view = env.reset(7)
    hand = view.table.hands[view.seat]
    missing = next(card for card in ("4s", "4h", "9c", "Kd") if card not in hand)
    before = env.game.dump()
    answer = env.step(f"-{missing}")
    assert answer.false is not None and answer.false.finding.code == "draw-missing"
    assert env.game.dump() == before and answer.events == ()
    # A text with a draw in it: the draw stands, because its card was seen.
    answer = env.step(f"+ -{missing} -{hand[0]}")
    assert answer.false is not None and answer.false.finding.code == "not-in-hand"
    assert answer.false.word == f"-{missing}" and [event.kind for event in answer.events] == [
        "draw"
    ]
    assert (env.due, env.view().phase) == (view.seat, "play")
    assert [each.word for each in env.view().false] == [f"-{missing}"]
    assert f"-{missing}: {view.seat} does not hold {missing} [not-in-hand]" in str(env.view())
    after = env.game.dump()
    for text, code in (("+", ""), ("", ""), ("K:", ""), (f"-{hand[0]} -{hand[1]}", "wrong-seat")):
        answer = env.step(text)
        assert answer.false is not None and answer.false.finding.code == code
        assert env.game.dump() == after


def test_a_text_that_lays_groups_must_end_the_turn() -> None:
    env = turns.TurnEnv("classic", tries=100)
    write = turns.RandomTurns(1)
    env.reset(5)
    cut = 0
    while env.due:
        text = write(env.view())
        words = text.split()
        if len(words) > 1 and words[-1][0] == "-" and words[-2][1] == ":":
            ended = turns.TurnEnv("classic")
            ended.game = env.game.copy()
            if ended.step(text).false is None:
                before = env.game.dump()
                answer = env.step(" ".join(words[:-1]))
                assert answer.false is not None and env.game.dump() == before
                assert answer.false.finding.code == "discard-missing"
                cut += 1
        env.step(text)
    assert cut > 3


def test_a_seat_that_uses_up_its_tries_loses_the_deal() -> None:
    env = turns.TurnEnv("classic", tries=3, forfeit=300)
    seat = env.reset(1).seat
    for left in (2, 1):
        env.step("nonsense")
        assert env.view().tries == left and env.due == seat
    env.step("nonsense")
    assert (env.failed, env.due, env.over) == (seat, "", True)
    own = next(side for side in env.game.sides if seat in side)
    assert env.rewards == {each: -300 if each in own else 300 for each in env.game.seats}
    for call in (env.view, lambda: env.step("+"), lambda: env.choose("greedy")):
        with pytest.raises(cn.WrongPhase, match="no game is in progress"):
            call()
    assert turns.get_legal_moves(env) == ()
    env.reset(1)
    assert not env.failed and env.view().tries == 3
    # What stands begins a new decision.
    env.step("nonsense")
    env.step("+")
    assert env.view().tries == 3


@pytest.mark.parametrize("name", ["classic", "american-4p", "samba", "pennies"])
def test_a_view_has_nothing_hidden(name: str) -> None:
    env = turns.TurnEnv(name, tries=100)
    write = turns.RandomTurns(2)
    env.reset(4)
    for step in range(120):
        if not env.due:
            break
        view = env.view()
        other = turns.TurnEnv(name, tries=100)
        other.reset(4)
        other.game, other._false = env.game.resample(view.seat, step), env._false
        assert (str(other.view()), other.view().to_json()) == (str(view), view.to_json())
        text = write(view)
        # A false text says the same whatever the hidden cards are, and so do legal turns.
        one, another = env.step(text), other.step(text)
        if one.false is not None:
            assert another.false is not None and str(another.false) == str(one.false)


@pytest.mark.parametrize("name", ["classic", "samba", "american-2p", "hand-and-foot"])
def test_legal_moves_are_accepted(name: str) -> None:
    rng = random.Random(name)
    env = turns.TurnEnv(name)
    env.reset(2)
    longest = 0
    for _ in range(30):
        moves = turns.get_legal_moves(env, 25)
        assert 0 < len(moves) == len({*moves}) <= 25
        for move in rng.sample(moves, min(4, len(moves))):
            other = turns.TurnEnv(name)
            other.game = env.game.copy()
            assert other.step(move).false is None, move
        sizes = [len(move.split()) for move in moves]
        assert sizes == sorted(sizes)
        longest = max(longest, *sizes)
        env.step(rng.choice(moves))
    assert longest > 1


def test_legal_moves_are_all_turns_if_there_are_few() -> None:
    env = env_after("+")
    moves = turns.get_legal_moves(env, 10_000)
    assert len(moves) < 10_000
    discards = {move for move in moves if " " not in move}
    assert discards == {
        f"-{play.cards[0]}" for play in env.game.legal().plays if play.kind == "discard"
    }
    groups = {" ".join(sorted(move.split()[:-1])) + move.split()[-1] for move in moves}
    assert len(groups) == len(moves)


def test_a_prompt_says_how_to_write_what_is_seen_and_what_was_refused() -> None:
    env = turns.TurnEnv("samba")
    view = env.reset(7)
    env.step("K:KsKhKd")
    prompt = turns.generate_prompt(env.view())
    assert f"seat {view.seat}, by the rules samba" in prompt
    assert str(view.table) in prompt and "refused 'K:KsKhKd'" in prompt and "turn:" in prompt
    profile = cn.load_profile("samba")
    assert profile.sentence("draw.count") in prompt and profile.sentence("pile.freezers") in prompt
    assert profile.sentence("packet.of") not in prompt  # Samba has none
    short = turns.generate_prompt(env.view(), rules=False)
    assert profile.sentence("draw.count") not in short and str(view.table) in short


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("I lay the kings.\nturn: K:KsKhKd -4s", "K:KsKhKd -4s"),
        ("turn: +\nNo, better:\nTurn: ^9d 9:9s9h -4s\n", "^9d 9:9s9h -4s"),
        ("**turn:** `*:2c2d* -9d`", "*:2c2d* -9d"),
        ("turn: *:2c2d* -9d", "*:2c2d* -9d"),
        ("`turn: 3. N + -9d`", "+ -9d"),
        ("turn: N + -9d ; a safe card", "+ -9d"),
        ("> turn:+", "+"),
        ("I cannot play. My turn: hm", ""),
        ("", ""),
    ],
)
def test_the_turn_of_a_response(response: str, text: str) -> None:
    assert turns.parse_response(response) == text


def test_json_is_what_the_attributes_are() -> None:
    env = turns.TurnEnv("classic")
    env.reset(7)
    answer = env.step("+ -nonsense")
    view = env.view()
    written = json.loads(json.dumps(view.to_json()))
    assert written["table"] == view.table.to_json() and written["turns"] == [*view.turns]
    assert (written["seat"], written["phase"], written["tries"]) == (view.seat, "play", 4)
    (false,) = written["false"]
    assert false["word"] == "-nonsense" and false["finding"]["error"] == "Unreadable"
    told = json.loads(json.dumps(answer.to_json()))
    assert told["false"] == false and told["score"] is None
    assert told["events"] == [event.to_json() for event in answer.events]
    while not (answer := env.step(env.choose("random"))).score:
        pass
    assert answer.to_json()["score"] == answer.score.to_json() and "score" in str(answer)


def test_questions_and_packets_are_steps_of_their_own() -> None:
    phases: set[str] = set()
    lines: list[str] = []
    for name, seed in (("classic", 5), ("classic", 6), ("hand-and-foot", 3), ("american-2p", 1)):
        env = turns.TurnEnv(name, tries=1000)
        write = turns.RandomTurns(seed)
        env.reset(seed)
        while env.due:
            view = env.view()
            phases.add(view.phase)
            lines += view.turns
            env.step(write(view))
    assert phases >= {"draw", "play", "answer"} and phases & {"foot", "talon"}
    # A question and its answer are one action, as in a record.
    assert not any(re.search(r" ask ask=", line) for line in lines)
    assert any(" ask=" in line for line in lines)


def test_the_page_shows_the_game() -> None:
    env = turns.TurnEnv("classic")
    with pytest.raises(cn.WrongPhase, match="no game is in progress"):
        env.page()
    env.reset(3)
    while env.due:
        env.step(env.choose("greedy"))
    page = env.page()
    assert page.startswith("<!DOCTYPE html>") and str(max(env.game.totals.values())) in page


def test_points_of_a_baseline() -> None:
    """Twelve deals show which of them knows how to play."""
    found = {name: sum(lead("classic-2p", name, seed) for seed in range(12)) for name in BASELINES}
    assert found["random texts"] < 0 < found["careful"]
    assert {*BASELINES} == {"random texts", *PLAYERS} - {"rollout"}


def test_the_sample_lets_a_model_play_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SAMPLES))
    model = import_module("turn_model")
    monkeypatch.delitem(sys.modules, "turn_model")
    env = model.begin(1)
    assert env.due == model.model_seat(env) == "N"
    text = model.reply(env, "I draw.\nturn: +")
    assert text.startswith("N +") and "N is due: play" in text
    assert "not an action" in model.reply(env, "I do not know.") and env.view().tries == 4
    while env.due:
        text = model.reply(env, f"turn: {env.choose('careful')}")
    assert "score" in text or env.game.score_card().deal == 1
    assert model.reward_of(env) == pytest.approx(1 / (1 + 2.718281828 ** (-env.rewards["N"] / 500)))
    env = model.begin(1)
    while env.due:
        model.reply(env, "pass")
    assert env.failed == "N" and model.reward_of(env) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"rules": "nonsense"}, "no profile nonsense"),
        ({"deals": 0}, "deals must be a whole number from 1, not 0"),
        ({"tries": True}, "tries must be a whole number from 1, not True"),
        ({"tries": None}, "tries must be"),
        ({"forfeit": 1.5}, "forfeit must be"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        turns.TurnEnv(**arguments)


def test_a_wrong_reset_changes_nothing() -> None:
    env = env_after("+")
    before = env.game.dump()
    with pytest.raises(ValueError):
        env.reset(1, dealer="X")
    assert env.game.dump() == before
    assert not turns.TurnEnv().over and turns.TurnEnv().due == ""
