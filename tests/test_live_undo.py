"""What a live game takes back: undo says it, whole games go back and forth, and a seat's play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from jsonschema import Draft202012Validator

import canasta_notation as cn
from canasta_notation.resources import packaged_text

#: Of each kind of rules one.
PROFILES = ("classic", "american-4p", "samba", "hand-and-foot", "pennies")


def steps(game: cn.LiveGame, rng: Random, deals: int) -> Iterator[str]:
    """Play deals at random with penalties, and yield the play after each step."""
    for _ in range(deals):
        game.deal()
        yield "deal"
        while not game.deal_over:
            if rng.random() < 0.02 and game.legal(reasons=False).phase != "answer":
                game.penalty(game.sides[0], 50)
                yield "penalty"
            plays = [*game.legal(reasons=False).texts()]
            event = game.play(game.due, rng.choice(plays), seconds=1)
            yield str(event)


@pytest.mark.parametrize("rules", PROFILES)
def test_a_whole_game_goes_back_to_its_start_and_again_to_its_end(rules: str) -> None:
    """Each undo returns the step that was played then, and leads to what was there before."""
    game = cn.LiveGame(f"{rules} target=1000000", seed="back")
    at = {0: game.dump()}
    for number, _ in enumerate(steps(game, Random(rules), 2), 1):
        if number % 37 == 0:
            at[number] = game.dump()
    record, saved, every = game.to_record(), game.dump(), [game.events_of(1), game.events_of(2)]
    undone: list[cn.Undone] = []
    while game.deals:
        if len(undone) % 50 == 0:
            assert game == cn.LiveGame.load(game.dump()).copy()
        coming = game.next_undo
        assert coming is not None
        undone.append(game.undo())
        assert undone[-1] == coming
    assert game.dump() == at[0] and game.next_undo is None
    with pytest.raises(cn.WrongPhase):
        game.undo()
    undone.reverse()
    assert [each for each in undone if isinstance(each, cn.NewDeal)] == [
        cn.NewDeal(1), cn.NewDeal(2)
    ]  # fmt: skip
    done = 0
    for each in undone:
        if isinstance(each, cn.NewDeal):
            game.deal()
        elif isinstance(each, cn.PointsRuling):
            game.penalty(each.side, each.points, each.word)
        else:
            assert isinstance(each, cn.Event)
            if each.answer is not None:
                asker = game.due
                game.play(asker, "ask", seconds=1)
                done += 1
            text = each.text
            bare = {"draw": "+", "threes": "threes"}.get(each.kind, text.partition(":")[0])
            hidden = each.kind in ("draw", "threes", "foot", "pot", "talon")
            event = game.play(each.seat, bare if hidden else text, seconds=1)
            assert event == each
        done += 1
        assert at.get(done, game.dump()) == game.dump()
    assert (game.to_record(), game.dump()) == (record, saved)
    assert [game.events_of(1), game.events_of(2)] == every
    (read,) = cn.read(record)
    assert cn.verify(read).verdict == "verified"


def begun(rules: str = "classic") -> cn.LiveGame:
    game = cn.LiveGame(f"{rules} target=1000000", seed=7)
    game.deal()
    return game


def discard(game: cn.LiveGame) -> cn.Event:
    """Play the turn that is due to its discard."""
    seat = game.due
    game.play(seat, "+")
    return game.play(seat, next(each for each in game.legal().texts() if each[0] == "-"))


def test_undo_returns_each_kind_of_step() -> None:
    validator = Draft202012Validator(json.loads(packaged_text("schemas", "live.schema.json")))
    game = begun()
    drawn = game.play(game.due, "+")
    game.penalty("NS", 50, "late")
    game.bonus("EW", 20)
    game.resign("NS")
    expected = [
        (cn.GivenUp(1, "NS"), "NS resigned"),
        (cn.PointsRuling(1, "bonus", "EW", 20, "bonus"), "bonus EW 20 bonus"),
        (cn.PointsRuling(1, "penalty", "NS", 50, "late"), "penalty NS 50 late"),
        (drawn, str(drawn)),
        (cn.NewDeal(1), "deal 1"),
    ]
    for step, text in expected:
        assert (game.next_undo, game.undo(), str(step)) == (step, step, text)
        validator.validate(step.to_json())
    game.deal()
    game.abandon("the room closes")
    undone = game.undo()
    assert undone == cn.GivenUp(1, None, "the room closes")
    assert str(undone) == "unfinished the room closes"
    validator.validate(undone.to_json())


def test_a_seat_takes_its_last_play_back() -> None:
    game = begun()
    seat, before = game.due, game.dump()
    for wrong in ("X", "", None):
        with pytest.raises(ValueError, match="seat"):
            game.take_back(wrong)  # type: ignore[arg-type]
    with pytest.raises(cn.WrongPhase, match="played nothing"):
        game.take_back(seat)
    drawn = game.play(seat, "+")
    assert game.take_back(seat) == (drawn,) and game.dump() == before
    thrown = discard(game)
    game.penalty("NS", 50, "late")
    penalty = game.next_undo
    assert game.take_back(seat) == (penalty, thrown) and game.due == seat
    game.play(seat, thrown.text)
    other = game.due
    game.play(other, "+")
    saved = game.dump()
    with pytest.raises(cn.WrongPhase, match=rf"another has played since: {other} \+_$"):
        game.take_back(seat)
    assert game.dump() == saved
    assert [each.seat for each in game.take_back(other) if isinstance(each, cn.Event)] == [other]


@pytest.mark.parametrize("rules", PROFILES)
def test_the_last_play_of_a_deal_is_taken_back_after_the_next_was_dealt(rules: str) -> None:
    game = begun(rules)
    cn.play_out(game, "greedy")
    last, before = game.events[-1], game.dump()
    game.deal()
    game.penalty(game.sides[0], 50)
    others = [seat for seat in game.seats if seat != last.seat]
    for seat in others:
        with pytest.raises(cn.WrongPhase, match="another has played since"):
            game.take_back(seat)
    taken = game.take_back(last.seat)
    assert [type(each) for each in taken] == [cn.PointsRuling, cn.NewDeal, cn.Event]
    assert taken[-1] == last and (game.deals, game.deal_over, game.due) == (1, False, last.seat)
    game.play(last.seat, last.text)
    assert game.dump() == before
    game.deal()
    game.play(game.due, "+")
    if game.events[0].seat != last.seat:
        with pytest.raises(cn.WrongPhase, match="another has played since"):
            game.take_back(last.seat)


def test_a_deal_that_was_given_up_is_taken_back() -> None:
    game = begun()
    drawn = game.play(game.due, "+")
    before = game.dump()
    game.resign("NS")
    with pytest.raises(cn.WrongPhase, match="NS resigned"):
        game.take_back("E")
    assert game.take_back("S") == (cn.GivenUp(1, "NS"),) and game.dump() == before
    game.abandon()
    assert game.take_back("E") == (cn.GivenUp(1, None), drawn)


def test_an_answer_is_taken_back_and_the_question_stands_again() -> None:
    game, rng = cn.LiveGame("classic", seed=0), Random(0)
    asked = ""
    while not asked:
        game.deal()
        while not game.deal_over and not asked:
            plays = [*game.legal(reasons=False).texts()]
            if "ask" in plays:
                asked = game.due
                break
            game.play(game.due, rng.choice(plays))
    question = game.play(asked, "ask", seconds=2)
    partner, standing = game.due, game.dump()
    with pytest.raises(cn.WrongPhase, match="another has played since"):
        game.take_back(partner)
    answer = game.answer(partner, False)
    assert game.next_undo == answer
    with pytest.raises(cn.WrongPhase, match=f"another has played since: {partner} ask=no"):
        game.take_back(asked)
    assert game.take_back(partner) == (answer,)
    assert (game.due, game.dump()) == (partner, standing)
    assert game.take_back(asked) == (question,) and game.due == asked
