"""The live game: what it allows, refuses, shows, saves and takes back."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import canasta_notation as cn
from canasta_notation.cards import CODES, RANK
from canasta_notation.engine.shown import known_in
from canasta_notation.live.live_deal import PLAY
from canasta_notation.live.resample import _cards_of, _hands
from canasta_notation.live.shuffle import shuffled
from canasta_notation.players.random_game import play_game
from canasta_notation.players.seated import player_of
from canasta_notation.resources import packaged_text

PROFILES = (
    "classic",
    "classic-strict",
    "bga",
    "davenport",
    "classic-2p",
    "american-2p",
    "american-4p",
    "classic-3p",
    "classic-6p",
    "classic-6p sides=3 target=7500",
    "hand-and-foot",
    "pennies",
)


def verdict(record: str) -> cn.GameReport:
    (game,) = cn.read(record)
    return cn.verify(game)


def choose(rng: Random, plays: cn.LegalPlays) -> str:
    """Return a random legal play, preferring groups."""
    # In a house that warns, the only play left may be a discard that breaks a rule.
    texts = [*plays.texts()] or [each.text for each in plays.refused if each.kind == "discard"]
    groups = [play.text for play in plays.plays if play.kind == "lay"]
    return rng.choice(groups if groups and rng.random() < 0.6 else texts)


def walk(game: cn.LiveGame, rng: Random, *, deals: int = 1) -> Iterator[cn.Event]:
    """Play deals at random; yield each event."""
    for _ in range(deals):
        if game.over:
            return
        game.deal()
        while not game.deal_over:
            yield game.play(game.due, choose(rng, game.legal()))


def set_game(rules: str = "classic", **given: Any) -> cn.LiveGame:
    """Return a game with N's partner dealing so that the first seat is E, some cards given."""
    game = cn.LiveGame(rules, seed=1)
    game.deal(**given)
    return game


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PROFILES)
def test_a_random_game_is_verified_kept_and_taken_back(rules: str) -> None:
    rng = Random(rules)
    game = cn.LiveGame(rules, seed=rules)
    first = game.dump()
    actions = 0
    for event in walk(game, rng, deals=2 if rules in ("classic", "american-2p") else 1):
        actions += 1
        if actions % 7 == 0:
            dump = game.dump()
            again = cn.LiveGame.load(dump)
            assert again == game and again.dump() == dump
            assert again.events == game.events and again.events[-1] == event
        if actions % 29 == 0:
            report = verdict(game.to_record())
            assert report.verdict == "verified", [str(each) for each in report.findings]
    report = verdict(game.to_record())
    assert report.verdict == "verified" and not report.findings
    assert report.totals == game.totals
    for _ in range(actions + game.deals):
        begun = game.deals
        game.undo()
        if game.deals < begun:
            assert cn.LiveGame.load(game.dump()).events == game.events
    assert game.dump() == first and not game.events
    with pytest.raises(cn.WrongPhase):
        game.undo()


def test_a_concealed_hand_and_rulings_are_recorded_and_scored() -> None:
    game = set_game(hands={"E": "4s 4s 4h 4h 4d 4d 4c 5s 5h 5d 5c"}, up="9d")
    game.penalty("EW", 50, "upcard")
    game.bonus("NS", 30, "cut")
    for play in ("+", "4:4s4s4h4h4d4d4c", "5:5s5h5d5c"):
        game.play("E", play)
    (last,) = game.observe("E").hands["E"]
    game.play("E", f"-{last}")
    (turn,) = [line for line in game.to_record().splitlines() if line.startswith("1. E")]
    assert turn.endswith(f"-{last} ##")
    assert verdict(game.to_record()).verdict == "verified"
    north, east = (side.items for side in game.score_card().sides)
    assert north["bonus"] == 30
    assert (east["natural"], east["out"], east["concealed"], east["penalty"]) == (
        500,
        100,
        100,
        -50,
    )


@pytest.mark.parametrize("rules", PROFILES)
def test_refused_plays_change_nothing(rules: str) -> None:
    rng = Random(f"refused {rules}")
    game = cn.LiveGame(rules, seed=3)
    texts = [
        *(
            "+",
            "+5h",
            "^9d",
            "ask",
            "ask=yes",
            "ask=no",
            "talon",
            "end",
            "#",
            "##",
            "",
            "fold",
            "-_",
        ),
        *("K:KsKhKd", "K:Ks2c2d", "4:4s4h", "*:**", "3:3s3c3s", "-3h", "-2c", "straight:AsKs"),
        *(f"-{card}" for card in ("4s", "9d", "Kc", "Ah", "*")),
    ]
    refused: set[type[cn.PlayError]] = set()
    for at, _ in enumerate(walk(game, rng)):
        before = game.dump() if at % 10 == 0 else ""
        for text in rng.sample(texts, 4):
            for seat in {game.due or "N", rng.choice(game.seats)}:
                why = game.check(seat, text)
                if why is not None:
                    with pytest.raises(type(why)) as error:
                        game.play(seat, text)
                    assert str(error.value) == str(why) and str(why)
                    refused.add(type(why))
        assert not before or game.dump() == before
    assert {cn.NotYourTurn, cn.WrongPhase, cn.Unreadable, cn.IllegalPlay} <= refused


@pytest.mark.parametrize("rules", ["classic", "american-4p", "classic-2p"])
def test_a_house_that_warns_plays_on_and_notes_the_finding(rules: str) -> None:
    rng = Random(f"warn {rules}")
    game = cn.LiveGame(rules, seed=5, house="warn")
    game.deal()
    codes = set()
    while not game.deal_over:
        seat = game.due
        hand = [card for card in game.observe(seat).hands[seat] if card[0] != "3"]
        rng.shuffle(hand)
        tries = [f"{card[0]}:{card}{other}" for card, other in pairwise(hand)]
        tries = [text for text in tries if game.check(seat, text) is None][:1]
        text = tries[0] if tries and rng.random() < 0.1 else choose(rng, game.legal())
        event = game.play(seat, text)
        codes |= {finding.code for finding in event.findings}
    assert codes
    report = verdict(game.to_record())
    assert report.verdict == "verified"
    assert {each.code for each in report.findings if each.acknowledged} >= codes
    assert cn.LiveGame.load(game.dump()) == game


# --- asking the partner -------------------------------------------------------------------------


def asking(**given: Any) -> cn.LiveGame:
    """Return a game in which N has drawn and can go out."""
    (record,) = cn.read("samples/first-deal.canasta")
    return cn.LiveGame.from_record(record, turn=8, actions=1, **given)


@pytest.mark.parametrize("yes", [True, False])
def test_the_partner_answers_whether_the_seat_may_go_out(yes: bool) -> None:
    game = asking()
    first, actions = game.dump(), len(game.events)
    assert "ask" in game.legal().texts()
    question = game.play("N", "ask", seconds=2)
    assert (question.seat, question.kind, question.answer) == ("N", "ask", None)
    assert (game.due, game.observe("S").due) == ("S", "S")
    assert game.legal().phase == "answer" and [*game.legal().texts()] == ["ask=yes", "ask=no"]
    for seat, text, kind in (
        ("N", "ask=yes", cn.WrongPhase), ("N", "-3c", cn.NotYourTurn),
        ("E", "ask=yes", cn.NotYourTurn), ("S", "-3c", cn.WrongPhase),
    ):  # fmt: skip
        assert type(game.check(seat, text)) is kind, (seat, text)
    with pytest.raises(cn.WrongPhase, match="question"):
        game.penalty("NS", 50)
    asked = game.dump()
    for again in (cn.LiveGame.load(asked), game.copy(), game.resample("E", 1)):
        assert (again.due, again.legal().phase) == ("S", "answer")
        assert [*again.events] == [*game.events] or again.dump() != asked
        again.undo()
        assert (again.due, len(again.events)) == ("N", actions)
    answer = game.answer("S", yes)
    text = "ask=yes" if yes else "ask=no"
    assert (str(answer), answer.kind, answer.answer) == (f"S {text}", "ask", text[4:])
    assert game.due == "N" and "ask" not in game.legal().texts()
    answered = game.dump()
    again = cn.LiveGame.load(answered)
    assert (again, again.events) == (game, game.events)
    game.undo()
    assert (game.dump(), len(game.events)) == (first, actions)
    while not again.deal_over and again.due == "N":
        again.play("N", next(again.legal().texts()))
    record = again.to_record()
    assert f"{text} " in record and "@2" in record and verdict(record).verdict == "verified"
    (read,) = cn.read(record)
    assert (
        cn.LiveGame.from_record(read, turn=8, actions=2).events == cn.LiveGame.load(answered).events
    )
    assert again.deal_over == yes


def test_a_question_without_a_partner_or_without_an_end_is_refused() -> None:
    for rules in ("classic-2p", "classic-3p"):
        for house in ("refuse", "warn"):
            game = cn.LiveGame(rules, seed=1, house=house)  # type: ignore[arg-type]
            game.deal()
            seat = game.due
            game.play(seat, "+")
            why = game.check(seat, "ask")
            assert why is not None and why.code == "ask-when"
            assert isinstance(game.check(seat, "ask=yes"), cn.WrongPhase)
    game = set_game()
    game.play("E", "+")
    why = game.check("E", "ask")
    assert why is not None and why.code == "out-promised"
    for wrong in ("yes", 1, None):
        with pytest.raises(ValueError, match="the answer must be True or False"):
            game.answer("E", wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ask", "out-promised"),
        ("A:AsAd", "meld-short"),
        ("-5s", "pile-frozen"),
        ("+", ""),
        ("^9d", ""),
    ],
)
def test_the_reason_after_a_take_is_what_the_play_itself_breaks(text: str, code: str) -> None:
    game = set_game(hands={"E": "9s 9h As Ad Ks Ks Kh Kd 5s 6s 7d"}, up="9d")
    game.play("E", "^9d")
    why = game.check("E", text)
    assert why is not None and why.code == code and why.remedy
    assert text != "+" or why.message == "this turn has already taken the pile"


def test_players_ask_and_answer() -> None:
    game = asking()
    game.play("N", "ask")
    assert game.choose("careful") in (["ask=yes"], ["ask=no"])
    assert cn.play_out(game, "careful").ended
    answers = {text for event in game.events for text in [event.answer] if text}
    assert answers and verdict(game.to_record()).verdict == "verified"


@pytest.mark.parametrize("irregular", ["K:KsKh", "K:Ks9c", "9:9c7s", "Q:KsKh", "7:7s"])
def test_a_house_that_warns_lists_how_an_irregular_turn_can_continue(irregular: str) -> None:
    game = cn.LiveGame(seed=1, house="warn")
    game.deal(hands={"E": "4s 4h 4d 5s 5h 5d Ks Kh Kd 7s 9c"}, up="9d")
    game.play("E", "+")
    assert irregular not in game.legal().texts()
    game.play("E", irregular)
    for _ in range(20):
        if game.due != "E":
            break
        texts = [*game.legal().texts()]
        assert texts
        for text in texts:
            assert game.check("E", text) is None
        game.play("E", texts[0])
    assert game.due == "S" and f"{irregular} " in game.to_record()


def test_a_house_that_warns_accepts_a_turn_out_of_turn_and_one_without_a_discard() -> None:
    game = cn.LiveGame("classic", seed=1, house="warn")
    assert (game.house, game.due, game.legal().seat, game.legal().phase) == ("warn", "", "", "over")
    game.deal()
    for early, code in (("-4h", "draw-missing"), ("^9d", "pile-top"), ("+4h", "stock-order")):
        why = game.check("E", early)
        assert why is not None and why.code == code, "this house refuses it too"
    (finding,) = game.play("S", "+").findings
    assert (finding.code, finding.severity, finding.acknowledged) == ("wrong-seat", "note", True)
    assert str(finding).startswith("deal 1, turn 1: note[wrong-seat]: ")
    game.play("S", next(text for text in game.legal().texts() if text[0] == "-"))
    game.play("W", "+")
    assert [each.code for each in game.play("W", "end").findings] == ["discard-missing"]
    record = game.to_record()
    assert "~wrong-seat" in record and "~discard-missing" in record
    assert verdict(record).verdict == "verified"
    again = cn.LiveGame.from_record(*cn.read(record), house="warn")
    assert (again.due, again.to_record()) == ("N", record)
    game.play("N", "+")
    missing = {"4s", "4h", "4d", "4c"} - {*game.observe("N").hands["N"]}
    with pytest.raises(cn.IllegalPlay, match="does not hold"):
        game.play("N", f"-{min(missing)}")


def at_the_last_take(house: Any, rules: str = "") -> cn.LiveGame:
    """Return a game with an empty stock, in which N can take the pile."""
    text = Path("samples/broken/pile-must-take.canasta").read_text()
    (record,) = cn.read(text.replace("deal.hand=25", f"deal.hand=25 {rules}"))
    return cn.LiveGame.from_record(record, turn=4, house=house)


@pytest.mark.parametrize("house", ["refuse", "warn"])
def test_a_pile_that_must_be_taken_cannot_be_left_in_any_house(house: Any) -> None:
    game = at_the_last_take(house)
    before = game.dump(), game.to_record()
    plays = game.legal()
    why = game.check("N", "end")
    assert why is not None and why.code == "pile-must-take"
    assert [*plays.texts()] == ["^Qs"]
    assert {each.text: str(each.reason) for each in plays.refused}["end"] == str(why)
    assert (game.dump(), game.to_record()) == before
    assert cn.LiveGame.from_record(*cn.read(before[1]), house=house).due == "N"
    game.play("N", "^Qs")
    assert verdict(game.to_record()).verdict == "verified"


@pytest.mark.parametrize("rules", ["pile.must_take=no", "pile.must_take=no target=100"])
def test_a_record_does_not_say_that_a_deal_is_over_if_the_pile_can_still_be_taken(
    rules: str,
) -> None:
    game = at_the_last_take("refuse", rules)
    assert {*game.legal().texts()} == {"end", "^Qs"}
    record = game.to_record()
    assert verdict(record).verdict == "verified" and "\nend" not in record
    assert cn.LiveGame.from_record(*cn.read(record)).due == "N"


def test_a_card_of_the_pile_s_rest_is_not_in_the_hand_before_the_opening_is_met() -> None:
    game = cn.LiveGame("classic", seed=1, house="warn", dealer="N")
    east, south = "4s 5s 6s 6h 7s 8s 8h Ts Js Qs Kh", "4h 5h 7h 9s 9d 9h Th Jh Qh Qd Ad"
    game.deal(hands={"E": east, "S": south}, up="9c")
    for seat, text in (("E", "+"), ("E", "-Kh"), ("S", "^Kh")):
        game.play(seat, text)
    with pytest.raises(cn.IllegalPlay, match="9c comes from the rest of the pile"):
        game.play("S", "9:9s9d9c")
    for text in ("9:9s9d9h", "-4h"):
        game.play("S", text)
    assert verdict(game.to_record()).verdict == "verified"
    early = game.to_record().replace("9d9h -4h", "9d9c -4h")
    again = cn.LiveGame.from_record(*cn.read(early), house="warn").to_record()
    assert [each.verdict for each in map(verdict, (early, again))] == ["verified"] * 2


def test_a_house_that_warns_offers_what_the_rules_allow() -> None:
    warns = cn.LiveGame("classic", seed=1, house="warn")
    refuses = cn.LiveGame("classic", seed=1)
    for game in (warns, refuses):
        game.deal()
        game.play("E", "+")
    assert str(warns.legal()) == str(refuses.legal())
    assert "ask" not in warns.legal().texts() and warns.check("E", "ask") is None


# --- one play -----------------------------------------------------------------------------------


def test_the_same_seed_deals_the_same_cards_everywhere() -> None:
    game = cn.LiveGame("bga", seed=7)
    game.deal()
    assert game.due == "E"
    assert game.position().hands["N"] == (
        "5h", "6d", "7s", "7s", "8s", "8d", "Tc", "Js", "Kh", "Kc", "Ac",
    )  # fmt: skip


def test_cards_are_dealt_as_a_record_spells_them() -> None:
    game = set_game(hands={"E": "4s 4h 4d 5s 5h 5d 6s 6h 6d 7s 3h +7c"}, up="9d")
    place = game.observe("E")
    assert place.hands["E"] == ("4s", "4h", "4d", "5s", "5h", "5d", "6s", "6h", "6d", "7s", "7c")
    assert "3h" in place.threes["EW"]
    assert place.hands["N"] == ("_",) * 11
    assert place.pile == ("9d",)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"hands": {"E": "4s"}}, "the hand of E: 1 card given, not 11"),
        ({"hands": {"X": "4s"}}, "not a seat"),
        ({"hands": {"E": "4s 4s 4s 5h 5h 5d 6s 6h 6d 7s 7c"}}, "more 4s than the deck has"),
        ({"hands": {"E": "4 4h 4d 5s 5h 5d 6s 6h 6d 7s 7c"}}, "every card with its suit"),
        ({"hands": {"E": ""}}, "the hand of E: 0 cards given, not 11"),
        ({"up": "2d"}, "up"),
        ({"up": " "}, "the up card: 0 cards given, not 1"),
        ({"up": "9z"}, "up: not a card"),
        ({"stock": "4s 5s"}, "stock"),
        ({"packets": ["4s"]}, "packets"),
    ],
)
def test_cards_that_cannot_be_dealt(given: dict[str, Any], words: str) -> None:
    game = cn.LiveGame("classic", seed=1)
    with pytest.raises(ValueError, match=words):
        game.deal(**given)
    assert game.deals == 0


@pytest.mark.parametrize("given", [{"hands": {"N": ""}}, {"packets": ["", ""]}, {"up": "4s"}])
def test_cards_that_cannot_be_dealt_without_an_up_card(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="given, not"):
        cn.LiveGame("american-2p", seed=1).deal(**given)


def test_an_opening_of_two_melds_is_provisional() -> None:
    game = set_game(hands={"E": "4s 4h 4d 5s 5h 5d Ks Kh Kd 7s 9c"}, up="9d")
    game.play("E", "+")
    plays = game.legal()
    assert (plays.minimum, plays.counted, plays.missing) == (50, 0, 50)
    texts = list(plays.texts())
    # Kings, fives and fours count 30 + 15 + 15; without the kings, the minimum is not reached.
    assert "K:KsKhKd" in texts and "5:5s5h5d" in texts
    game.play("E", "5:5s5h5d")
    plays = game.legal()
    assert (plays.counted, plays.missing) == (15, 35)
    discards = [each for each in plays.refused if each.kind == "discard"]
    assert {each.reason.code for each in discards} == {"opening-low"}
    assert "K:KsKhKd" in plays.texts()
    game.play("E", "K:KsKhKd")
    game.play("E", "4:4s4h4d")
    assert game.legal().missing == 0
    assert "-7s" in game.legal().texts()


@pytest.mark.parametrize(
    ("hand", "up", "words"),
    [
        ("4s 4h 4d 5s 5h 5d 6s 8h Td 7s 2c", "Td", "the hand has no second ten"),
        ("4s 4h 4d 5s 5h 5d 6s 8h Td 7s 9c", "Kd", "the hand has no pair of kings"),
        ("4s 4h 6d 5s 5h 5d 6s 8h Td 7s 9c", "4d", "the hand cannot open this way"),
        ("Ks Kh 4d 5s 5h 5d Kd 8h Td 7s 2c", "Kc", ""),
    ],
)
def test_legal_and_check_give_one_reason_for_each_play(hand: str, up: str, words: str) -> None:
    game = set_game(hands={"E": hand}, up=up)
    plays = game.legal()
    refused = {each.text: str(each.reason) for each in plays.refused}
    assert ("^" + up in plays.texts()) == (not words)
    assert refused.get("^" + up, "").startswith(words)
    assert refused == {text: str(game.check("E", text)) for text in refused}


def test_the_discard_that_earns_a_packet_is_refused_for_one_reason() -> None:
    game = set_game("american-2p", hands={"S": "4s Ks Kh Kd As Ah Ad Js Jh Jc Qs Qh Qd"})
    game.play("S", "+")
    game.play("S", "K:KsKhKd")
    refused = [each for each in game.legal().refused if each.kind == "discard"]
    assert refused
    for each in refused:
        assert str(game.check("S", each.text)) == str(each.reason)


def test_an_opening_that_cannot_be_met_is_refused() -> None:
    game = set_game(hands={"E": "4s 4h 4d 5s 5h 5d 6s 8h Td 7s 9c"}, up="9d")
    game.play("E", "+")
    why = game.check("E", "4:4s4h4d")
    assert isinstance(why, cn.IllegalPlay)
    assert (why.code, why.key) == ("opening-low", "opening.table")
    assert why.rule is not None and why.rule.key == "opening.table"
    assert game.legal().plays and "4:4s4h4d" not in game.legal().texts()


@pytest.mark.parametrize(
    ("seat", "text", "kind", "words"),
    [
        ("N", "+", cn.NotYourTurn, "it is E's turn, not N's"),
        ("X", "+", cn.NotYourTurn, "no seat 'X'"),
        ("E", "-4s", cn.WrongPhase, "E has not drawn"),
        ("E", "talon", cn.WrongPhase, "talon"),
        ("E", "end", cn.WrongPhase, "the stock is not empty"),
        ("E", "#", cn.WrongPhase, "#"),
        ("E", "^8d", cn.IllegalPlay, "8d"),
        ("E", "+4s", cn.IllegalPlay, "cannot name them"),
        ("E", "+ -4s", cn.Unreadable, "play one action at a time"),
        ("E", " +", cn.Unreadable, "leave out the spaces around it"),
        ("E", "K:K", cn.Unreadable, "a card without its rank or suit"),
        ("E", "^K", cn.Unreadable, "a card without its rank or suit"),
        ("E", "k:kskd", cn.Unreadable, "the label `k` in lower case"),
        ("E", "+" * 10_000, cn.Unreadable, "not an action"),
    ],
)
def test_each_refusal_has_its_own_class(
    seat: str, text: str, kind: type[cn.PlayError], words: str
) -> None:
    game = set_game(hands={"E": "4s 4h 4d 5s 5h 5d 6s 8h Td 7s 9c"}, up="9d")
    with pytest.raises(kind, match=words) as error:
        game.play(seat, text)
    assert isinstance(error.value, cn.PlayError) and isinstance(error.value, ValueError)
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.code, again.rule) == (
        str(error.value),
        error.value.code,
        error.value.rule,
    )


def test_the_game_ends_and_says_so() -> None:
    game = cn.LiveGame("classic target=50", seed=2)
    for _ in walk(game, Random(2), deals=30):
        pass
    assert game.over and game.due == "" and not list(game.legal().texts())
    assert game.winner in game.sides
    with pytest.raises(cn.GameOver, match="has won"):
        game.deal()
    with pytest.raises(cn.GameOver):
        game.play("N", "+")
    report = verdict(game.to_record())
    assert (report.verdict, report.winner) == ("verified", game.winner)
    card = game.score_card()
    assert {side.side: side.total for side in card.sides} == game.totals
    assert str(card).splitlines()[-1].split()[1:] == [str(each) for each in game.totals.values()]
    assert json.loads(json.dumps(card.to_json()))["deal"] == game.deals


def test_a_seat_that_went_out_can_say_so() -> None:
    game = cn.LiveGame("classic", seed=4)
    event = next(each for each in walk(game, Random(4), deals=20) if each.ended == "out")
    assert game.check(event.seat, "#") is None
    assert game.play(event.seat, "#") == event
    other = next(seat for seat in game.seats if seat != event.seat)
    assert isinstance(game.check(other, "#"), cn.WrongPhase)
    assert " #" in game.to_record()


def test_a_three_may_be_kept_or_tabled() -> None:
    game = cn.LiveGame("american-2p", seed=1)
    game.deal()
    for _ in range(80):
        seat = game.due
        event = game.play(seat, "+")
        if event.text in ("+3h", "+3d", "+3s", "+3c"):
            break
        discard = next(text for text in game.legal().texts() if text.startswith("-"))
        game.play(seat, discard)
    assert event.seen_by("N" if seat == "S" else "S").text == "+_"
    assert "+" in game.legal().texts()
    kept = cn.LiveGame.load(game.dump())
    assert event.text[1:] in kept.observe(seat).hands[seat]
    game.copy().penalty(seat, 70)
    game.penalty(seat, 50)
    table = game.play(seat, "+")
    assert table.text.startswith(event.text + " +")
    assert table.seen_by("N" if seat == "S" else "S").text.startswith(event.text + " +")
    assert game.observe(seat).threes[seat]
    while not game.deal_over:
        game.play(game.due, next(text for text in game.legal().texts() if text[0] in "+-"))
    (record,) = cn.read(game.to_record())
    assert cn.verify(record).verdict == "verified"


def test_no_seat_plays_while_another_can_take_a_packet() -> None:
    game = set_game("american-2p", hands={"S": "4s Ks Kh Kd As Ah Ad Ac Ac Kc 4h 4d 5s"})
    for text in ("+", "K:KsKhKdKc", "A:AsAhAdAcAc", "-5s"):
        game.play("S", text)
    assert [*game.legal().texts()] == ["talon", "end"]
    why = game.check("N", "+")
    assert isinstance(why, cn.NotYourTurn) and why.remedy == "talon or end comes first"
    for text in ("-2s", "+", "^5s"):
        why = game.check("S", text)
        assert isinstance(why, cn.WrongPhase) and why.remedy == "take the talon, or end"
    game.play("S", "talon")
    game.play("N", "+")


def changed_move(dump: str, text: str) -> str:
    """Return the dump of a game with one more ruling among its moves."""
    value = json.loads(dump)
    value["deals"][-1]["moves"].append(["", text])
    return json.dumps(value)


def test_rulings_are_kept() -> None:
    game = set_game()
    game.penalty("EW", 50, "upcard")
    game.play("E", "+")
    game.penalty("NS", 100)
    game.bonus("NS", 30, "cut")
    assert "penalty EW 50 upcard" in game.to_record()
    assert "bonus NS 30 cut" in game.to_record()
    assert cn.LiveGame.load(game.dump()).to_record() == game.to_record()
    assert cn.LiveGame.load(game.dump()) == game
    before = game.dump()
    wrong: list[Any] = [("E", 5), ("EW", 0), ("EW", 10**6), ("EW", 5, "two words"), ("EW", 5, None)]
    for arguments in wrong:
        with pytest.raises(ValueError):
            game.penalty(*arguments)
    with pytest.raises(ValueError):
        game.penalty("NS", 10**23, "x")
    for points in ("-5", "0", "1_0", "+5", "05", "\u0661", "1000000", "9" * 23, "5.0", ""):
        with pytest.raises(ValueError, match=r"not a penalty|points must be"):
            cn.LiveGame.load(changed_move(before, f"penalty NS {points} x"))
    for text in ("fold", "foo NS 5 x", "penalty NE 5 x", "penalty NS 5 !x", "penalty NS 5 x y", ""):
        with pytest.raises(ValueError, match=r"not a penalty|no side|not a word"):
            cn.LiveGame.load(changed_move(before, text))
    assert cn.LiveGame.load(changed_move(before, "penalty NS 999999 Late_call"))
    assert game.dump() == before
    game.undo()
    assert "100" not in [each.text for each in game.events]


def test_wrong_arguments_for_a_game_are_refused() -> None:
    for wrong in (
        {"rules": "poker"},
        {"rules": "classic nonsense=1"},
        {"players": {"X": "Ana"}},
        {"dealer": "X"},
        {"house": "home"},
        {"tags": {"CGN": "2"}},
        {"tags": {"Event": "two\nlines"}},
        {"players": {"N": "two\nlines"}},
    ):
        with pytest.raises(ValueError):
            cn.LiveGame(**wrong)  # type: ignore[arg-type]
    game = cn.LiveGame("bga", {"N": "Ana"}, "S", 3, tags={"Event": "Thursday"})
    assert repr(game) == "<LiveGame bga, 0 deals, NS 0 EW 0, between deals>"
    assert verdict(game.to_record()).verdict == "verified"
    for play in (lambda: game.play("N", "+"), lambda: game.observe("N"), game.score_card):
        with pytest.raises(cn.WrongPhase):
            play()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"canasta_live": 2}',
        '{"canasta_live": 1, "rules": 5}',
        None,
    ],
)
def test_text_that_is_not_a_saved_game(text: Any) -> None:
    with pytest.raises(ValueError, match="not a saved game"):
        cn.LiveGame.load(text)


def test_the_stock_cannot_be_guessed() -> None:
    game = set_game()
    reasons = {str(game.check("E", f"+{rank}{suit}")) for rank in "4579TJQKA" for suit in "shdc"}
    assert reasons == {"the cards are hidden: you cannot name them"}
    event = game.play("E", "+")
    game.undo()
    assert game.check("E", event.text) is not None


def test_cards_of_a_given_stock_can_be_named() -> None:
    first = set_game()
    deal = json.loads(first.dump())["deals"][0]
    event = first.play("E", "+")
    game = set_game(**{name: deal[name] for name in ("hands", "up", "stock", "packets")})
    assert isinstance(game.check("E", "+4s" if event.text != "+4s" else "+4h"), cn.IllegalPlay)
    assert cn.LiveGame.load(game.dump()).play("E", event.text) == event


def test_a_game_is_copied_and_pickled() -> None:
    game = set_game("american-4p")
    game.play("E", "+")
    assert copy.deepcopy(game) == game == pickle.loads(pickle.dumps(game))
    other = copy.copy(game)
    other.undo()
    assert other != game


def test_copies_are_independent() -> None:
    game = cn.LiveGame("classic-2p target=100000", seed=4)
    for _ in walk(game, Random(4), deals=2):
        pass
    saved, other = game.dump(), game.copy()
    assert other == game and other.events_of(1) == game.events_of(1)
    other.deal()
    other.play(other.due, "+")
    other.penalty("N", 50)
    assert game.dump() == saved
    while other.deals:
        other.undo()
    assert game.dump() == saved
    game.undo()
    assert cn.LiveGame.load(saved).events != game.events and other.deals == 0
    with pytest.raises(LookupError):
        game.events_of(3)


def test_a_load_plays_the_last_deal_again_and_earlier_ones_when_they_are_needed() -> None:
    game = cn.LiveGame("american-4p target=100000", seed=4)
    events = [[*walk(game, Random(at))] for at in range(3)]
    loaded = cn.LiveGame.load(game.dump())
    assert [type(log) for log in loaded._deals] == [str, str, type(game._deals[-1])]
    assert loaded.dump() == game.dump() and loaded.totals == game.totals
    assert [[*loaded.events_of(at + 1)] for at in range(3)] == events
    assert loaded.to_record() == game.to_record()
    value = json.loads(game.dump())
    for place, change in ((0, ["E", "fold"]), (1, ["N", "+"])):
        changed = copy.deepcopy(value)
        changed["deals"][place]["moves"].append(change)
        with pytest.raises(ValueError):  # it is not as it was written, so every deal is judged
            cn.LiveGame.load(json.dumps(changed))
    del value["check"]
    judged = cn.LiveGame.load(json.dumps(value))
    assert judged == game and [[*judged.events_of(at + 1)] for at in range(3)] == events


def test_the_clock_of_a_turn_is_the_sum_of_its_plays() -> None:
    game = set_game()
    game.play("E", "+", seconds=2)
    kept = game.copy()
    game.play("E", next(t for t in game.legal().texts() if t[0] == "-"), seconds=0.5004)
    assert "@2.5\n" in game.to_record() and verdict(game.to_record()).verdict == "verified"
    assert cn.LiveGame.load(game.dump()) == game
    (record,) = cn.read(game.to_record())
    assert "@2.5\n" in cn.LiveGame.from_record(record).to_record()
    game.undo()
    assert game == kept
    for wrong in (-1, 1e6, float("nan"), "5", True, 10**30):
        with pytest.raises(ValueError, match="seconds must be"):
            game.play("S", "+", seconds=wrong)  # type: ignore[arg-type]


def test_an_abandoned_deal_ends_the_game_unfinished() -> None:
    game = set_game()
    game.play("E", "+")
    before = game.dump()
    game.abandon()
    assert (game.over, game.deal_over, game.due, game.winner) == (True, True, "", None)
    assert game.score_card().ended == "unfinished" and game.position().due is None
    assert game.to_record().endswith("end unfinished\n")
    assert verdict(game.to_record()).verdict == "verified"
    assert cn.LiveGame.load(game.dump()) == game
    for call in (game.abandon, game.deal):
        with pytest.raises(cn.PlayError):
            call()
    game.undo()
    assert game.dump() == before
    for _ in walk(other := cn.LiveGame("classic", seed=2), Random(2)):
        pass
    with pytest.raises(cn.WrongPhase):
        other.abandon()


def test_a_game_that_is_given_up_says_why() -> None:
    game = cn.LiveGame("classic", seed=3, tags={"Event": "Club"})
    game.deal()
    cn.play_out(game)
    game.deal()
    totals = " ".join(f"{side} {total}" for side, total in game.totals.items())
    before = game.dump()
    for give_up, comment, winner in (
        (lambda: game.resign("NS"), "NS resigned", "EW"),
        (lambda: game.abandon("the room closes"), "the room closes", None),
    ):
        give_up()
        assert (game.over, game.winner, game.totals) == (True, winner, game.totals)
        record = game.to_record()
        assert record.endswith(f"end unfinished ; {comment}\n")
        assert f'[Result "{totals}"]' in record and verdict(record).verdict == "verified"
        loaded = cn.LiveGame.load(game.dump())
        assert (loaded, loaded.winner) == (game, winner)
        game.undo()
        assert game.dump() == before
    three = cn.LiveGame("classic-3p", seed=1)
    three.deal()
    three.resign("N")
    assert three.over and three.winner is None


@pytest.mark.parametrize("wrong", ["a\nb", " a", 7, "\x00", "x" * 70_000])
def test_a_reason_that_no_record_can_hold_is_refused(wrong: Any) -> None:
    game = set_game()
    before = game.dump()
    with pytest.raises(ValueError, match=r"."):
        game.abandon(wrong)
    for side in ("N", "", None, 7):
        with pytest.raises(ValueError, match="no side"):
            game.resign(side)  # type: ignore[arg-type]
    assert game.dump() == before


def test_tags_can_be_set_to_the_end() -> None:
    game = cn.LiveGame("classic", seed=3, tags={"Event": "Club"})
    game.deal()
    cn.play_out(game)
    game.set_tag("Date", "2026-11-27")
    game.set_tag("Event", None)
    assert game.tags == {"Date": "2026-11-27"} and '[Date "2026-11-27"]' in game.to_record()
    before = game.dump()
    for name, value in (("Rules", "bga"), ("N", "Ana"), ("Date", "1"), ("Event", 7), (7, "x")):
        with pytest.raises(ValueError, match=r"."):
            game.set_tag(name, value)  # type: ignore[arg-type]
    assert game.dump() == before


def test_a_spectator_sees_no_hand() -> None:
    game = set_game()
    game.play("E", "+")
    view = game.observe(None)
    assert view.seat is None and {card for hand in view.hands.values() for card in hand} == {"_"}
    assert view.last == "E +_" and view.pile == game.position().pile


@pytest.mark.parametrize("rules", PROFILES)
def test_the_json_of_a_live_game_fits_its_schema(rules: str) -> None:
    validator = Draft202012Validator(json.loads(packaged_text("schemas", "live.schema.json")))
    game, rng = cn.LiveGame(rules, seed=8), Random(8)
    game.deal()
    for _ in range(60):
        if game.deal_over:
            break
        plays = game.legal()
        validator.validate(plays.to_json())
        for each in (*plays.plays, *plays.refused):
            assert each.to_json()["kind"] == each.kind
        event = game.play(game.due, choose(rng, plays))
        for seat in (*game.seats, None):
            validator.validate(event.seen_by(seat).to_json())
        refusal = game.check(game.seats[0], "-4s")
        if refusal:
            validator.validate(refusal.to_json())
    if not game.deal_over:
        game.abandon()
    validator.validate(game.score_card().to_json())


def test_a_saved_game_that_was_changed_is_refused() -> None:
    game = set_game()
    game.play("E", "+")
    value = json.loads(game.dump())
    for move in (["E", "-3h"], ["N", "+"], ["E", "fold"], ["Q", "+"]):
        changed = copy.deepcopy(value)
        changed["deals"][0]["moves"].append(move)
        with pytest.raises(ValueError):
            cn.LiveGame.load(json.dumps(changed))


# --- out of a record ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PROFILES)
def test_a_live_game_continues_from_a_record(rules: str) -> None:
    record = play_game(cn.parse_rules(rules).profile or cn.load_profile("classic"), 3, deals=2)
    rng = Random(rules)
    deal = len(record.deals)
    turns = [turn for turn in record.deals[-1].play if isinstance(turn, cn.Turn)]
    for turn in sorted(rng.sample(range(1, len(turns) + 1), min(5, len(turns)))):
        actions = rng.randint(0, len(turns[turn - 1].actions) - 1)
        game = cn.LiveGame.from_record(record, deal=deal, turn=turn, actions=actions, seed=1)
        assert game.due == turns[turn - 1].seat
        assert verdict(game.to_record()).verdict == "verified"
    while not game.deal_over:
        game.play(game.due, choose(rng, game.legal()))
    assert verdict(game.to_record()).verdict == "verified"
    whole = cn.LiveGame.from_record(record)
    assert whole.totals == cn.verify(record).totals
    for place in ({"deal": 9}, {"deal": 1, "turn": 999}, {"deal": 1, "turn": 1, "actions": 99}):
        with pytest.raises(LookupError):
            cn.LiveGame.from_record(record, **place)


def test_a_record_with_unwritten_hands_is_refused() -> None:
    (record,) = cn.read('[CGN "1"]\ndeal 1 dealer N\nup 9d\n1. E + -4s')
    with pytest.raises(ValueError, match="the hand of N is not written"):
        cn.LiveGame.from_record(record)


# --- what is hidden -----------------------------------------------------------------------------


def seen(game: cn.LiveGame, seat: str) -> str:
    """Return everything that a seat is given, as text: its view, and its view of each event."""
    events = [event.seen_by(seat).to_json() for event in game.events]
    spelled = [repr(event.seen_by(seat)) for event in game.events]
    view = game.observe(seat)
    return json.dumps([view.to_json(), str(view), repr(view), events, spelled])


@pytest.mark.parametrize("rules", PROFILES)
def test_hidden_cards_change_no_byte_of_what_a_seat_is_given(rules: str) -> None:
    game = cn.LiveGame(rules, seed=f"hidden {rules}")
    changed = 0
    for at, _ in enumerate(walk(game, Random(rules))):
        if at % 34:
            continue
        for seat in game.seats:
            other = game.resample(seat, at)
            hands, others = game.position().hands, other.position().hands
            changed += hands != others
            assert hands[seat] == others[seat]
            assert seen(game, seat) == seen(other, seat)
            # The other seats do see the difference, so the test can fail.
            for each in set(game.seats) - {seat}:
                assert (hands[each] == others[each]) or seen(game, each) != seen(other, each)
    assert changed > 4


def test_a_card_that_opened_with_the_pile_came_from_the_hand() -> None:
    """The pile that South took has a 5d, too, but it could be used only after the opening."""
    game, rng = cn.LiveGame("american-4p", seed=4), Random(4)
    with pytest.raises(cn.WrongPhase, match="nothing has been dealt"):
        game.resample("N", 0)
    game.deal()
    for _ in range(84):
        legal = game.legal()
        groups = [each.text for each in legal.plays if each.kind == "lay"]
        wanted = groups and rng.random() < 0.6
        game.play(game.due, rng.choice(groups if wanted else list(legal.texts())))
    for seed in range(6):
        assert seen(game.resample("N", seed), "N") == seen(game, "N")


def test_a_three_that_is_kept_may_be_another_or_none() -> None:
    game = cn.LiveGame("american-4p", seed=3)
    game.deal(hands={"E": "3h 4s 5h 6d 7d 8h 8d Ts Js Jd Qc Kc 9h"}, keep="E")
    held = set()
    for seed in range(40):
        other = game.resample("N", seed)
        assert seen(other, "N") == seen(game, "N")
        hands = other.position().hands
        held |= {(seat, card) for seat in "ESW" for card in hands[seat] if card[0] == "3"}
        held |= {("E", "none")} if all(card[0] != "3" for card in hands["E"]) else set()
    assert {("E", "none"), ("E", "3h"), ("E", "3s")} < held
    assert any(seat != "E" for seat, _ in held)


def test_hidden_cards_always_have_another_order() -> None:
    """In this position, almost no shuffle of all the hidden cards at once fits the plays."""
    game, rng = cn.LiveGame("american-2p", seed=3), Random(3)
    game.deal()
    for _ in range(89):
        plays = game.legal().plays
        takes = [each.text for each in plays if each.kind == "take"]
        groups = [each.text for each in plays if each.kind == "lay"]
        wanted = takes if takes and rng.random() < 0.7 else groups
        wanted = wanted if wanted == takes or rng.random() < 0.6 else []
        game.play(game.due, rng.choice(wanted or list(game.legal().texts())))
    for seed in range(4):
        other = game.resample("N", seed)
        assert seen(other, "N") == seen(game, "N")
        assert other.position().hands != game.position().hands


def test_hidden_cards_change_no_score() -> None:
    game = cn.LiveGame(seed=6)
    game.deal()
    while not game.deal_over:
        game.play(game.due, next(game.legal().texts()))
    other = game.resample("N", 1)
    assert other.score_card() == game.score_card()
    assert other.dump() != game.dump()


def test_a_play_against_the_rules_looks_the_same_with_other_hidden_cards() -> None:
    game = cn.LiveGame("classic-6p", seed=5, house="warn")
    game.deal()
    for turn in ("B + 5:5h5c2h T:TsThTc -8s", "C + -9h", "D + -2s", "E + -8c"):
        seat, *actions = turn.split()
        for action in actions:
            game.play(seat, action)
    for action in ("^8c", "5:*", "J:Jc", "ask", "ask=yes", "9:9h9h*"):
        game.play(game.due, action)
    assert seen(game.resample("A", 1), "A") == seen(game, "A")


def test_wrong_calls_are_answered_in_words() -> None:
    game = set_game()
    (kitchen,) = cn.read("samples/first-deal.canasta")
    # The compiled package checks the types of arguments itself, with its own messages.
    types = (TypeError, ValueError)
    wrong: list[tuple[Any, type[Exception] | tuple[type[Exception], ...], str]] = [
        (lambda: cn.LiveGame(players=["Ana"]), ValueError, "players must map seats to names"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(players={"N": 3}), ValueError, "the name of N must be a string"),  # type: ignore[dict-item]
        (lambda: cn.LiveGame().deal(hands="4s"), ValueError, "hands must map seats to cards"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame().deal(stock=5), ValueError, "stock: cards must be a string"),  # type: ignore[arg-type]
        (lambda: game.play("E", None), cn.Unreadable, "not an action"),  # type: ignore[arg-type]
        (lambda: game.play("E", []), cn.Unreadable, "not an action"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame.from_record("x"), TypeError, "takes a Game"),  # type: ignore[arg-type]
        (lambda: cn.verify("x"), TypeError, "a Game is needed"),  # type: ignore[arg-type]
        (lambda: cn.format_game(None), TypeError, "a Game is needed"),  # type: ignore[arg-type]
        (lambda: cn.positions(5), TypeError, "a Game is needed"),  # type: ignore[arg-type]
        (lambda: cn.read(None), TypeError, "a path, an open file or a string"),  # type: ignore[arg-type]
        (lambda: cn.write(None, "x.canasta"), TypeError, "a Game or several"),  # type: ignore[arg-type]
        (lambda: cn.parse_cards(None), types, "a string|str object"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(rules=None), ValueError, "the text of a Rules tag"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(tags=[1]), ValueError, "tags must map names to strings"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(tags={"Date": "2026-02-30"}), ValueError, "is not a date"),
        (lambda: cn.LiveGame().deal(hands={"N": []}), ValueError, "cards must be a string"),  # type: ignore[dict-item]
        (lambda: cn.Tag("two words", "x"), ValueError, "the name of a tag"),
        (lambda: cn.legal_plays(kitchen, 9, 1), LookupError, "in deal 9"),
        (lambda: cn.legal_plays("x", 1, 1), TypeError, "a Game is needed"),  # type: ignore[arg-type]
        (lambda: cn.legal_plays(kitchen, "1", 1), TypeError, "deal must be a whole"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame.from_record(kitchen, turn="3"), TypeError, "turn must be a"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(seed=1.5), ValueError, "the seed must be a whole number"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(seed=int), ValueError, "the seed must be a whole number"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame(seed="\ud800"), ValueError, "the seed must be a whole number"),
        (lambda: cn.LiveGame(dealer=0), ValueError, "not a seat"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame().deal(keep=5), ValueError, "keep must be a list of seats"),  # type: ignore[arg-type]
        (lambda: cn.LiveGame().deal(packets="4s"), ValueError, "packets must be a list of strings"),
        (lambda: cn.format_cards("Ks"), types, "not the codes|object expected"),  # type: ignore[arg-type]
        (lambda: cn.format_card(999), ValueError, "not the codes"),
        (lambda: cn.LiveGame.from_record(kitchen, turn=99), LookupError, "no turn 99"),
        (lambda: cn.LiveGame.from_record(kitchen, actions=1), ValueError, "give the turn"),
    ]
    for call, kind, words in wrong:
        with pytest.raises(kind, match=words):
            call()


def test_legal_plays_are_shown_in_words() -> None:
    game = set_game(hands={"E": "4s 4h 4d 5s 5h 5d Ks Kh Kd 7s 9c"}, up="9d")
    game.play("E", "+")
    shown = str(game.legal()).splitlines()
    assert shown[0].startswith("E can play 4:4s4h4d ")
    assert shown[0].endswith("(the opening must count 50 points; it still needs 50)")
    assert shown[1].startswith("  not ask: after the answer yes the turn could not end legally")
    assert str(cn.LiveGame().legal()) == "no play is due"
    assert repr(game.check("N", "+")) == """NotYourTurn("it is E's turn, not N's")"""


def test_a_game_by_a_person_s_own_rules_can_be_saved_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    stated = '"target" = {value = 3000, mark = "C", source = "us"}\n'
    path.write_text(f'name = "my"\ntitle = "x"\nextends = "classic"\n[values]\n{stated}')
    game = cn.LiveGame(cn.load_profile(path), seed=1)
    game.deal()
    for again in (copy.copy(game), pickle.loads(pickle.dumps(game))):
        assert again == game and again.rules == game.rules and again.rules.name == "my"
    changed = game.rules.with_values({"deal.hand": 12}, source="a vote")
    other = cn.LiveGame.load(cn.LiveGame(changed).dump())
    assert other.rules == changed
    value = json.loads(other.dump())
    for wrong in ({"name": "my"}, {**value["profile"], "stated": {"target": 5}}, 3, None):
        with pytest.raises(ValueError, match=r"not a saved game: profile"):
            cn.LiveGame.load(json.dumps({**value, "profile": wrong}))
    assert "profile" not in cn.LiveGame("bga target=3000").dump()
    assert '[Rules "classic target=3000"]' in game.to_record()
    assert cn.verify(*cn.read(game.to_record())).verdict == "verified"
    with pytest.raises(ValueError, match="no record can state these rules"):
        cn.LiveGame(cn.load_profile("classic").with_values({"score.red3": [5] * 4}))


def test_words_that_make_a_line_too_long_are_refused_when_given() -> None:
    long = "x" * 65_536
    for given in ({"players": {"N": long}}, {"tags": {"Event": long}}):
        with pytest.raises(ValueError, match="64 KiB"):
            cn.LiveGame(**given)  # type: ignore[arg-type]
    game = cn.LiveGame(seed=1)
    game.deal()
    with pytest.raises(ValueError, match="64 KiB"):
        game.penalty("NS", 100, long)
    assert game.dump() == game.dump() and "penalty" not in game.to_record()


def test_a_turn_cut_at_a_dead_end_is_refused() -> None:
    record = """[CGN "1"]
deal 1 dealer N
N: 4s 4h 4c 5h 6d 7d 8h 8d Ts Js Jd
E: 4d 7s 7h Qc Qc Ks Kh Kd Kc As Ah
S: 4d 5s 6s 6d 7c 8c 8c 9c 9c Tc Jc
W: 5s 5c 6c 7h 8s 8d 9h 9d Th Td Qs
up 5d
1. E +Ac 7:7s -4d
end unfinished
"""
    (game,) = cn.read(record)
    assert cn.LiveGame.from_record(game, turn=1, actions=1).due == "E"
    with pytest.raises(cn.IllegalPlay, match="this meld of sevens has 1 card") as refused:
        cn.LiveGame.from_record(game, turn=1, actions=2)
    assert refused.value.code == "meld-short"
    warned = cn.LiveGame.from_record(game, turn=1, actions=2, house="warn")
    with pytest.raises(cn.IllegalPlay, match="this meld of sevens has 1 card"):
        cn.LiveGame.load(warned.dump().replace('"house":"warn"', '"house":"refuse"'))


def test_rulings_bring_no_total_to_ten_digits() -> None:
    game = set_game()
    for _ in range(900):
        game.penalty("EW", 999_999)
    with pytest.raises(ValueError, match="the rulings for EW come to more"):
        game.penalty("EW", 999_999)
    game.penalty("NS", 999_999)
    assert game.to_record().count("penalty EW 999999") == 900


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("classic", 4),
        ("american-4p", 4),
        ("samba", 4),
        ("samba pile.onto_sequence=alone", 27),
        ("hand-and-foot", 9),
    ],
)
def test_what_resampling_keeps_is_what_the_table_has_shown(name: str, seed: int) -> None:
    """The cards that everyone knows to be in a hand are there, also for players and analysis."""
    game = cn.LiveGame(name, seed=seed)
    game.deal()
    player = player_of("greedy", game.rules)
    kept = alone = stayed = 0
    while game.due:
        for text in game.choose(player):
            game.play(game.due, text)
        table = game._dealt_table()
        alone += table._table.took and table._table.taken.alone
        stayed += table._table.took and table._table.taken.stays
        if table.phase == PLAY:
            continue
        rules = table.rules
        hands = _hands(rules, table, _cards_of(table.dealt), openings_hidden=False)
        for seat, hand in enumerate(hands):
            known = known_in(table._table, seat)
            shown = {code: count for code, count in enumerate(known) if count}
            held = table._table.counts[seat * CODES : seat * CODES + CODES]
            assert all(count <= held[code] for code, count in shown.items())
            assert shown == {
                code: count
                for code, count in hand.seen.items()
                if count and not rules.tabled[RANK[code]]
            }
            kept += len(shown)
    assert kept and (alone > 0) == ("alone" in name) and (stayed > 0) == ("foot" in name)


def test_cards_taken_back_stay_known_and_raise_what_an_opening_needs() -> None:
    game = cn.LiveGame(cn.parse_rules("american-4p opening.raise=10").profile, seed=1)
    game.deal(hands={"E": "As Ah Ac 2s Ks Kh Kd 4s 5s 6s 7s 8s 9s"})
    game.play("E", "+")
    assert (game.legal().minimum, game.legal().raised) == (125, 0)
    why = game.check("E", "back:AsAsAs")
    assert why is not None and why.code == "not-in-hand"
    event = game.play("E", "back:AsAhAc2sKsKhKd")
    assert (event.kind, event.cards) == ("back", ("As", "Ah", "Ac", "2s", "Ks", "Kh", "Kd"))
    assert (game.legal().minimum, game.legal().raised) == (135, 10)
    assert "the opening must count 135 = 125 + 10 points" in str(game.legal())
    assert game.legal().to_json()["raised"] == 10
    assert isinstance(game.check("E", "back:4s"), cn.WrongPhase)
    game.play("E", "-4s")
    (read,) = cn.read(game.to_record())
    assert cn.LiveGame.load(game.dump()) == game
    assert cn.LiveGame.from_record(read).events == game.events
    for seed in range(5):
        hand = game.resample("S", seed).observe("E").hands["E"]
        assert {*event.cards} <= {*hand} and {*hand} != {*game.observe("E").hands["E"]}


def answers(game: cn.LiveGame, seat: str) -> Iterator[object]:
    """Yield what a game answers to a seat, and to everyone."""
    yield from (game.points(), repr(game), game.due, game.totals, game.over, game.winner)
    yield from (game.observe(seat), game.observe(None), game.deal_over, game.deals)
    yield [event.seen_by(seat).to_json() for event in game.events]
    yield [str(game.check(seat, text)) for text in ("+", "end", "talon", "ask", "ask=yes", "#")]
    if game.due == seat:
        yield from (str(game.legal()), game.legal().to_json())
        yield from map(game.choose, ("random", "greedy", "careful"))


def test_events_and_plays_say_what_their_texts_say() -> None:
    game = cn.LiveGame(seed=7, dealer="W")
    game.deal()
    drawn = game.play("N", "+")
    assert (drawn.kind, drawn.label, drawn.answer) == ("draw", None, None)
    assert len(drawn.cards) == 1 and drawn.seen_by("E").cards == ("_",)
    legal = game.legal()
    for each in (*legal.plays, *legal.refused):
        said = each.to_json()
        assert (each.kind, each.label) == (said["kind"], said["label"])
        assert ([*each.cards], each.answer) == (said["cards"], said["answer"])


@pytest.mark.parametrize(
    "rules", ["classic", "american-2p", "american-4p", "samba", "hand-and-foot"]
)
def test_no_answer_changes_with_cards_that_the_seat_cannot_see(rules: str) -> None:
    """American hands cost points for the sevens and aces that they hold."""
    rng = Random(rules)
    game = cn.LiveGame(rules, seed=8)
    game.deal()
    compared = 0
    while not game.deal_over and compared < 60:
        game.play(game.due, choose(rng, game.legal()))
        seat = rng.choice(game.seats)
        if not game.deal_over and rng.random() < 0.5:
            other = game.resample(seat, compared)
            compared += 1
            for one, changed in zip(answers(game, seat), answers(other, seat), strict=True):
                assert one == changed
    assert compared > 20


def test_a_player_is_chosen_by_name_and_another_is_refused() -> None:
    game = cn.LiveGame(seed=1)
    game.deal()
    assert game.choose("careful") == game.choose(player_of("careful", game.rules))
    assert game.choose("random") == game.choose("random")
    for wrong in ("lucky", None, 7):
        with pytest.raises(ValueError, match=r"player"):
            game.choose(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("house", ["refuse", "warn"])
def test_a_draw_that_only_a_special_hand_would_excuse_is_not_refused_by_an_unseen_card(
    house: Any,
) -> None:
    game = cn.LiveGame("american-4p special.courtesy=yes", seed=3, house=house)
    game.deal(
        hands={
            "E": "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ac 2c",
            "W": "As Ah Ad 2s 2h Ks Kh Kd 5d 6d 8d 9d Td",
        }
    )
    for seat in "ESWN":
        drawn = game.play(seat, "+").text[1:]
        for text in ("A:AsAhAd2s2h", "K:KsKhKd") if seat == "W" else ():
            game.play(seat, text)
        game.play(seat, f"-{drawn}")
        if seat == "W":
            game.play(seat, "end")  # without its talon
    assert [*game.legal().texts()] == ["threes"]
    if house == "refuse":
        with pytest.raises(cn.IllegalPlay, match="3s stayed in the hand of E"):
            game.play("E", "+")
    else:
        game.play("E", "+")
        assert game.legal().plays


# --- what is known, shown and kept ----------------------------------------------------------------


def test_what_an_opening_needs_is_known_before_the_draw() -> None:
    game = set_game(hands={"E": "4s 5s Ks Kh Kd Kc As Ah Ad Ac 9c"}, up="9d")
    for text in ("+", "A:AdAsAh", "K:KdKsKh"):
        game.play("E", text)
    legal = game.legal()
    assert (legal.minimum, legal.counted, legal.missing) == (50, 90, 0)
    game.play("E", "K:Kc")
    assert game.observe("S").melds["EW"]["K"] == ("Kd", "Ks", "Kh", "Kc")
    game.play("E", "-4s")
    assert (game.legal().seat, game.legal().minimum, game.legal().counted) == ("S", 50, 0)
    for seat in "SW":
        game.play(seat, "+")
        game.play(seat, next(text for text in game.legal().texts() if text[0] == "-"))
        if seat == "S":
            assert game.legal().minimum is None, "the other side has opened"
    legal = game.legal()
    assert (legal.seat, legal.minimum, legal.counted, legal.missing) == ("N", 50, 0, 50)


def test_a_saved_deal_keeps_its_number() -> None:
    game = set_game("classic opening.by=deal opening.table=2:50,90")
    value = json.loads(game.dump())
    del value["check"]
    assert cn.LiveGame.load(json.dumps(value)).legal().minimum == game.legal().minimum == 50


def test_a_clock_is_kept_to_the_millisecond() -> None:
    game = set_game()
    game.play("E", "+", seconds=1.001)
    again = cn.LiveGame.load(game.dump())
    again.play("E", next(text for text in again.legal().texts() if text[0] == "-"))
    assert " @1.001\n" in again.to_record()


def test_a_position_shows_only_what_is_known() -> None:
    (game,) = cn.read("samples/first-deal.canasta")
    *_, last = cn.positions(game)
    assert (last.ended, last.due, last.by) == ("out", None, "N")
    (game,) = cn.read("samples/kitchen-table.canasta")
    for position in cn.positions(game):
        assert (position.stock is None) == (len({*position.state.stock}) > 1)
        for hand in position.hands.values():
            assert sorted(hand, key="_".__eq__) == [*hand], "unknown cards come last"


def test_an_empty_pile_has_no_top() -> None:
    (refused,) = set_game("american-2p").legal().refused
    assert (refused.text, refused.kind, refused.cards) == ("^", "take", ())


@pytest.mark.parametrize("player", ["careful", "random"])
def test_a_player_ends_a_deal_whose_last_card_is_a_three(player: str) -> None:
    stock = "9d 6c 7c Tc Qc 8h 2d 3h"
    game = set_game("classic draw.last_red3=melds deal.hand=25", up="9d", stock=stock)
    cn.play_out(game, player)
    ended = game.observe("N")
    assert (ended.ended, ended.by, ended.stock) == ("stock", None, 0)


def test_a_deal_can_be_abandoned_after_its_last_draw() -> None:
    game = set_game("classic deal.hand=25", up="9d", stock="9d 6c 7c Tc Qc 8h 5d Kc")
    for seat in "ESW":
        game.play(seat, "+")
        if seat != "W":
            game.play(seat, next(text for text in game.legal().texts() if text[0] == "-"))
    game.abandon()
    assert "2. S" in game.to_record() and "3. W" not in game.to_record()
    assert verdict(game.to_record()).verdict == "verified"


def test_a_finding_that_is_taken_back_is_not_acknowledged() -> None:
    game = cn.LiveGame(seed=1, house="warn")
    game.deal(hands={"E": "4s 4h 4d 5s 5h 5d Ks Kh Kd 7s 9c"}, up="9d")
    game.play("E", "+")
    (finding,) = game.play("E", "K:Ks9c").findings
    assert (finding.span.line, finding.deal, finding.turn) == (0, 1, 1)
    game.undo()
    game.play("E", "-7s")
    assert "-7s\n" in game.to_record() and "~" not in game.to_record()


TWO_CARDS = "classic-2p deal.three_kept=yes deal.hand=50"


@pytest.mark.parametrize(
    ("rules", "given", "plays", "drawn", "more"),
    [
        # The stock has one card left after a three.
        (
            "american-2p deal.hand=48",
            {"stock": "4c 5c 6c 3c 7c", "packets": ["3h3h3d3d", "3s3s3c"]},
            3, ["3c"], ["3c", "7c"],
        ),
        # A three after the kept one can be kept in its place.
        (
            "american-2p deal.hand=48",
            {"stock": "3h 3d 5c 6c 7c", "packets": ["3h3d3s3s", "3c3c4s"]},
            0, ["3h"], ["3h", "3d"],
        ),
        # Of two cards drawn, only the second can be a three that is kept.
        (TWO_CARDS, {"stock": "9d 3h 5s 6s 7s 3h 3d 3d"}, 0, ["3h", "5s", "6s"], []),
        (TWO_CARDS, {"stock": "9d 5s 3h 6s 7s 3h 3d 3d"}, 0, ["5s", "3h"], ["5s", "3h", "6s"]),
    ],
)  # fmt: skip
def test_a_draw_stops_at_a_three_that_may_be_kept(
    rules: str, given: dict[str, Any], plays: int, drawn: list[str], more: list[str]
) -> None:
    game = set_game(rules, **given)
    for _ in range(plays):
        seat = game.due
        (card,) = game.play(seat, "+").cards
        game.play(seat, f"-{card}")
    seat = game.due
    assert [*game.play(seat, "+").cards] == drawn
    assert (game.check(seat, "+") is None) == bool(more)
    assert not more or [*game.play(seat, "+").cards] == more


HAND = "4s Ks Kh Kd As Ah Ad Ac Ac Kc 4h 4d 5s"
EARNS = ("+", "K:KsKhKdKc", "A:AsAhAdAcAc", "-5s")


@pytest.mark.parametrize(
    ("threes", "shown"), [("next-turn", "talon:____"), ("at-once", "talon:3h___+_")]
)
def test_the_others_see_the_threes_of_a_packet_only_if_they_are_tabled(
    threes: str, shown: str
) -> None:
    packets = ["3h 4c 5c 6c", "7c 8c 9c"]
    game = set_game(f"american-2p packet.threes={threes}", hands={"S": HAND}, packets=packets)
    for text in EARNS:
        game.play("S", text)
    assert game.play("S", "talon").seen_by("N").text == shown


def test_a_packet_from_the_stock_leaves_it() -> None:
    game = set_game("cla", hands={"E": HAND})
    for text in EARNS:
        game.play("E", text)
    before = game.observe("E").stock or 0
    taken = len(game.play("E", "talon").cards)
    assert taken and game.observe("E").stock == before - taken
    game.play("S", "+")
    assert game.observe("E").stock == before - taken - 1
    game.play("S", next(text for text in game.legal().texts() if text[0] == "-"))
    assert verdict(game.to_record()).verdict == "verified"


def test_a_replacement_that_nobody_has_seen_can_be_another_card() -> None:
    game = set_game(hands={"W": "3h 4s 5h 6d 7d 8h 8d Ts Js Jd Qc +9c"})
    hands = [json.loads(game.resample("N", at).dump())["deals"][0]["hands"] for at in range(12)]
    assert all(hand["W"].startswith("3h") for hand in hands)
    assert len({hand["W"].partition("+")[2] for hand in hands}) > 3


def test_two_cards_are_shuffled_into_both_orders() -> None:
    assert {tuple(shuffled([1, 2], str(seed))) for seed in range(20)} == {(1, 2), (2, 1)}


def test_a_saved_game_has_names_as_they_are_written() -> None:
    assert '"N":"Zoë 李"' in cn.LiveGame(players={"N": "Zoë 李"}, seed=1).dump()


@pytest.mark.parametrize(
    ("text", "kind", "label", "cards", "answer"),
    [
        ("+3h9c", "draw", None, ("3h", "9c"), None),
        ("^9d", "take", None, ("9d",), None),
        ("^9d/12>9/2", "take", None, ("9d",), None),
        ("threes:3h+9c", "threes", None, ("3h", "9c"), None),
        ("K:KsKh", "lay", "K", ("Ks", "Kh"), None),
        ("10:10sTh", "lay", "10", ("Ts", "Th"), None),
        ("K/2>1", "combine", "K/2", (), None),
        ("back:KsKh", "back", None, ("Ks", "Kh"), None),
        ("straight:AsKs", "special", "straight", ("As", "Ks"), None),
        ("ask", "ask", None, (), None),
        ("ask=no", "ask", None, (), "no"),
        ("talon:4s_", "talon", None, ("4s", "_"), None),
        ("foot:4s_", "foot", None, ("4s", "_"), None),
        ("-9d", "discard", None, ("9d",), None),
        ("end", "end", None, (), None),
    ],
)
def test_what_the_text_of_a_play_says(
    text: str, kind: str, label: str | None, cards: tuple[str, ...], answer: str | None
) -> None:
    event = cn.Event(1, 1, "N", text, text)
    assert (event.kind, event.label, event.cards, event.answer) == (kind, label, cards, answer)


@pytest.mark.parametrize("profile", ["classic", "american-4p"])
def test_threes_that_wait_for_the_first_turn_are_hidden_until_then(profile: str) -> None:
    """Any card of a hand as dealt may be a three before the hand's first turn, and none after."""
    game = cn.LiveGame(f"{profile} deal.three_kept=first-turn", seed=1)
    game.deal(hands={"E": HAND_OF_THREES[profile]})
    before = [_threes_in(game.resample("N", seed)) for seed in range(40)]
    assert {each["E"] for each in before} > {0, 1}
    assert max(each["S"] for each in before) > 1
    assert game.due == "E"
    (tabling,) = game.legal().texts()
    game.play("E", tabling)
    for seed in range(20):
        assert seen(game.resample("N", seed), "N") == seen(game, "N")
        assert _threes_in(game.resample("N", seed))["E"] == 0


HAND_OF_THREES = {
    "classic": "3h 3d 4s 5h 6d 7d 8h 8d Ts Js Jd",
    "american-4p": "3h 3d 4s 5h 6d 7d 8h 8d Ts Js Jd Qc Kc",
}


def _threes_in(game: cn.LiveGame) -> dict[str, int]:
    """Return how many red threes each hand holds."""
    hands = game.position().hands
    return {seat: sum(card in ("3h", "3d") for card in hands[seat]) for seat in game.seats}


def test_a_turn_may_end_with_the_last_card_kept() -> None:
    game = cn.LiveGame("classic out.discard=kept deal.hand=6 opening.table=0", seed=1)
    game.deal(hands={"E": "Ks Kh Kd 4h 4d 4c"}, up="9c")
    for text in ("+", "K:KsKhKd"):
        game.play("E", text)
        assert "end" not in game.legal().texts()
    game.play("E", "4:4h4d4c")
    assert [*game.legal().texts()] == ["end"]
    game.play("E", "end")
    assert game.due == "S"
    assert len(game.position().hands["E"]) == 1


def test_the_top_of_the_pile_may_complete_a_special_hand() -> None:
    hands = {
        "E": "Jd 5h 6s 6h 6d 8s 8c Th Jh Jc Qs Kh Ac",
        "S": "4s 4h 4d 4c 7s 7h 7d 9s 9h 9d 9c Js Jh",
    }
    for value, takes in (("yes", True), ("no", False)):
        game = cn.LiveGame(f"american-4p special.with_pile={value}", seed=1)
        game.deal(hands=hands)
        for text in ("+", "-Jd"):
            game.play("E", text)
        assert ("^Jd" in game.legal().texts()) == takes
    game = cn.LiveGame("american-4p special.with_pile=yes", seed=1)
    game.deal(hands=hands)
    for seat, text in (("E", "+"), ("E", "-Jd"), ("S", "^Jd")):
        game.play(seat, text)
    (special,) = game.legal().texts()
    game.play("S", special)
    assert game.deal_over
    assert game.totals["NS"] == 2000


def test_threes_that_nobody_holds_cannot_be_tabled() -> None:
    game = cn.LiveGame("classic", seed=7)
    game.deal()
    refusal = game.check(game.due, "threes")
    assert isinstance(refusal, cn.IllegalPlay) and refusal.code == "not-in-hand"
    assert str(refusal) == "the hand has no three to table"


def test_a_foot_whose_replacements_empty_the_stock_ends_the_deal() -> None:
    """The foot has three red threes, and the stock has three cards left."""
    path = Path(__file__).parent / "recorded" / "last-replacement.canasta"
    (record,) = cn.read(path)
    game = cn.LiveGame.from_record(record)
    for seat, text in (("D", "+"), ("D", "4:4s4d4h"), ("D", "5:5d"), ("D", "foot")):
        event = game.play(seat, text)
    assert (event.ended, game.deal_over, game.due) == ("stock", True, "")
    (played,) = cn.read(game.to_record())
    assert cn.verify(played).verdict == "verified"


def test_a_take_onto_a_meld_that_cannot_be_is_refused_with_the_card() -> None:
    game = cn.LiveGame("bolivia", seed=1)
    game.deal(up="Kd")
    refusal = game.check(game.due, "^Kd>K/2")
    assert isinstance(refusal, cn.IllegalPlay) and refusal.code == "pile-unmeldable"
    assert "Kd" in str(refusal)
