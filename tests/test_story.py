"""Stories of games: every deal has a true end, and every figure exceeds its error."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, hypot
from pathlib import Path
from typing import Any

import pytest

from canasta_notation.analysis.analyzed import Chance
from canasta_notation.analysis.facts import PileTaken
from canasta_notation.analysis.values import DealValues, Loss, SeatValues, SideValues
from canasta_notation.cards import JOKER_RANK, KIND, SEQUENCE
from canasta_notation.language.sentences import Sentence, label, say, templates
from canasta_notation.render.paint import PLAIN
from canasta_notation.report.ledger import game_json
from canasta_notation.story.cover import _margin, cover
from canasta_notation.story.deals import deal_story, every_story, more_chances, more_losses
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import item_sentences, loss_sentence, reason_sentence
from canasta_notation.story.notes import turn_notes
from canasta_notation.story.story_game import StoryGame
from canasta_notation.story.story_rows import story_rows
from canasta_notation.story.turn_parts import parts_text, play_parts
from tests.pages import CLUB, SAMPLES, page_games, random_games, readings

#: The sentences that say how a deal ended.
_ENDS = {"G1", "G2", "G4", "G5", "G6", "G7", "G8"}


def story_games(*names: str) -> list[StoryGame]:
    games = page_games(readings(*(SAMPLES / f"{name}.canasta" for name in names)))
    return [game.story for game in games]


def sentences(game: StoryGame) -> Iterator[Sentence]:
    """Yield every sentence about a game."""
    front = cover(game)
    yield from filter(None, (front.headline, front.result, front.why))
    yield from (moment.sentence for moment in front.moments)
    for played, deal in game.deals():
        story = deal_story(game, played, deal)
        yield story.headline
        yield from (event.sentence for event in story.rows)
        yield from story.closing
        for note in turn_notes(game, played, deal, story):
            yield from filter(None, (note.ended, note.cost, note.reason, *note.said))


def test_templates_are_whole_sentences_with_plain_names() -> None:
    for key, text in templates().items():
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
        assert all(len(name) == 1 for name in names), key
        assert len(names) == len({*names}) or key.startswith("M"), key
        assert text[0].isupper() or text.startswith("{"), key
    with pytest.raises(KeyError):
        say("B1", w="Ana")
    assert label("drew") == "drew"


def test_every_deal_of_random_games_has_one_true_end() -> None:
    for game in page_games(random_games(1, 2)):
        for (played, _), story in zip(game.story.deals(), every_story(game.story), strict=True):
            ends = [each.sentence.key for each in story.rows if each.sentence.key in _ENDS]
            assert len(ends) == 1, (game.play.profile.name, story)
            expected = {"out": {"G1", "G2"}, "special": {"G4"}, "stock": {"G5"}}
            assert ends[0] in expected[played.report.ended or ""]
            turns = [each.turn for each in story.rows]
            assert turns == sorted(turns) and turns[-1] == played.last


def test_facts_alone_claim_nothing() -> None:
    games = [game.story for game in page_games([*readings(CLUB), *random_games(1, 2)])]
    for game in games:
        for sentence in sentences(game):
            assert not re.search(r"worth|expect|give or take|istake|lunder", sentence.text)


def test_the_figures_of_a_story_are_those_of_the_audit() -> None:
    three = SAMPLES / "profile-classic-3p.canasta"
    figures = 0
    for game in page_games([*readings(CLUB, three), *random_games(1, 2)]):
        audit = game_json(game.ledger)
        for deal, story in zip(audit["deals"], every_story(game.story), strict=True):
            scores = sorted((side["score"] for side in deal["sides"].values()), reverse=True)
            values = dict(story.headline.values)
            one = scores[:1]
            expected = {"S1": scores, "S2": one, "S3": scores, "S4": scores, "S5": one}
            found = [values[name] for name in "pqr" if name in values]
            assert found == expected[story.headline.key], (game.play.profile.name, deal["deal"])
            assert story.headline.key != "S1" or values["x"] == scores[0] - scores[1]
            figures += len(found)
        totals = sorted(audit["result"]["totals"].values(), reverse=True)
        front = cover(game.story)
        assert front.result is not None
        assert [dict(front.result.values)[name] for name in "pqr"[: len(totals)]] == totals
    assert figures > 40


@pytest.mark.parametrize(
    ("name", "headline", "result", "why"),
    [
        (
            "thursday-club",
            "Ana and Carla beat Bruno and Dario",
            "5,480 to 4,665",
            "Bruno and Dario led by 1,035 after deal 4; Ana and Carla won deal 5 by 1,515 and "
            "stayed ahead.",
        ),
        ("first-deal", "Ana and Carla lead Bruno and Dario", "910 to 395", None),
        (
            "score-sheet-1",
            "EW beat NS",
            "5,175 to 2,870",
            "NS led by 395 after deal 2; EW won deal 3 by 1,190 and stayed ahead.",
        ),
        (
            "profile-samba",
            "Ana and Carla beat Bruno and Dario",
            "11,640 to 9,530",
            "Ana and Carla led after every deal.",
        ),
    ],
)
def test_a_cover_says_who_won_and_why(
    name: str, headline: str, result: str, why: str | None
) -> None:
    [game] = story_games(name)
    front = cover(game)
    assert (front.headline.text, str(front.result)) == (headline, result)
    assert (front.why and front.why.text) == why


def test_the_biggest_turns_are_takes_one_a_deal() -> None:
    [game] = story_games("thursday-club")
    moments = cover(game).moments
    assert [(each.deal, each.turn, each.sentence.text) for each in moments[:1]] == [
        (5, 25, "Bruno discarded 5♥, and Carla took the pile of 20 cards and went out.")
    ]
    assert len({each.deal for each in moments}) == len(moments) == 3
    weights = [each.weight for each in moments]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize(
    ("points", "error", "shown"),
    [
        (310, 26.5, (310, 80)),
        (-310, 26.5, (310, 80)),
        (96, 10, (95, 30)),
        (96, 31, (95, 95)),
        (104, 34, (100, 110)),
        (0, 0, (0, 0)),
        (2333, 605.7, (2330, 1820)),
    ],
)
def test_an_estimate_is_stated_only_beyond_three_errors(
    points: float, error: float, shown: tuple[int, int]
) -> None:
    x, e = shown
    assert stated(points, error) == (shown if e < x else None)
    assert e >= ceil(3 * error) - 1


def values_of(
    curve: Sequence[float], error: float, result: float = 0, luck: float = 0, play: float = 0
) -> SideValues:
    """Return the values of a side whose positions have one error, and its end none."""
    errors = (*([error] * (len(curve) - 1)), 0.0)
    figures: list[tuple[float, ...]] = []
    for turns in (1, 2):
        change = tuple(curve[at] - curve[max(0, at - turns)] for at in range(1, len(curve)))
        off = tuple(hypot(errors[at], errors[max(0, at - turns)]) for at in range(1, len(curve)))
        stands = tuple(abs(one) > 3 * other for one, other in zip(change, off, strict=True))
        figures += [change, off, stands]
    return SideValues(
        result,
        0,
        50,
        luck,
        60,
        play,
        60,
        {},
        tuple(curve),
        errors,
        *figures,  # type: ignore[arg-type]
    )


def valued(losses: tuple[Loss, ...], curve: list[float], error: float) -> StoryGame:
    """Return the game of the first deal with values."""
    [game] = story_games("first-deal")
    sides = {
        name: values_of([sign * each for each in curve], error, sign * 515, sign * 400, sign * 115)
        for name, sign in (("NS", 1), ("EW", -1))
    }
    changes = [abs(each) for each in sides["NS"].change]
    turn = 1 + changes.index(max(changes))
    turning = turn if sides["NS"].stands[turn - 1] else None
    seats = {"N": SeatValues(decisions=9, undecided=4)}
    values = {1: DealValues(seats, sides, losses, turning)}
    return replace(game, analysis=game.analysis.with_values(values))


def test_the_largest_change_is_shown_if_both_halves_agree() -> None:
    curve = [0.0, -300.0, -300.0, -300.0, 300.0, 300.0, 300.0, 300.0, 515.0]
    for error, key in ((20.0, "V1"), (150.0, None)):
        game = valued((), curve, error)
        [story] = every_story(game)
        swings = [each for each in story.rows if each.mark == "swing"]
        assert [each.sentence.key for each in swings] == ([key] if key else [])
        if key:
            assert swings[0].turn == 4 and "by about 300" in swings[0].sentence.text
        said = {each.key for each in story.closing}
        assert said == {"V3", "V7"}, "play of 115 does not exceed three errors of 60"


@pytest.mark.parametrize(
    ("loss", "text", "done"),
    [
        (
            Loss(5, "E", "blunder", "turn", "-Qc", "-Ah", 310, 26.5, {}, {}, 0.5, 0.1, 5),
            "Bruno discarded Q♣; discarding A♥ was worth 310 points more, give or take 80.",
            "played",
        ),
        (
            Loss(7, "W", "mistake", "draw", "^", "+", 130, 20, {}, {}, 0, 0, 0),
            "Dario took the pile; drawing a card was worth 130 points more, give or take 60.",
            "took the pile",
        ),
        (
            Loss(6, "S", "mistake", "turn", "-Ac", "Q:Qh2c -Ac #", 130, 20, {}, {}, 0, 0, 0),
            "Carla could have gone out, worth 130 points more, give or take 60.",
            "played",
        ),
    ],
)
def test_a_mistake_is_shown_with_what_was_better(loss: Loss, text: str, done: str) -> None:
    game = valued((loss,), [0.0] * 8 + [515.0], 10)
    [story] = every_story(game)
    assert text in [each.sentence.text for each in story.rows]
    [moment] = [each for each in cover(game).moments if each.sentence.text == text]
    assert [str(each) for each in moment.halves[0].labels] == [done]


@pytest.mark.parametrize(
    ("seat", "at", "winner", "decided"),
    [
        ("W", 4, "NS", "L3"),
        ("W", 3, "NS", "V1"),
        ("N", 4, "NS", ""),
        ("W", 4, "EW", ""),
        ("W", 4, None, ""),
    ],
)
def test_what_decided_a_game_turned_to_its_winners(
    seat: str, at: int, winner: str | None, decided: str
) -> None:
    """In turn 4, the deal turns to NS, which wins it; a player of `seat` makes a mistake."""
    loss = Loss(at, seat, "mistake", "turn", "-Qc", "-Ah", 310, 20, {}, {}, 0, 0, 0)
    game = valued((loss,), [0.0, -300.0, -300.0, -300.0, *[300.0] * 4, 515.0], 20)
    report = game.play.report
    won = replace(report, result=replace(report.result, winner=winner))
    moments = cover(replace(game, play=replace(game.play, report=won))).moments
    found = {each.heading: each.sentence.key for each in moments}
    costliest = {} if decided == "L3" else {"costliest_play": "L3"}
    assert found == costliest | ({"what_decided": decided} if decided else {})
    rows = [row.turn for row in every_story(game)[0].rows if row.mark == "swing"]
    assert rows == ([] if seat == "N" else [4])


def test_a_deal_turned_only_to_its_winners() -> None:
    game = valued((), [0.0, 300.0, 300.0, -700.0, -400.0, 0.0, 200.0, 400.0, 515.0], 20)
    [story] = every_story(game)
    [swing] = [row for row in story.rows if row.mark == "swing"]
    assert (swing.turn, swing.sentence.key) == (3, "V2")
    assert dict(swing.sentence.values)["s"] != game.side(story.winner or 0)


def test_what_was_played_and_what_was_better_are_both_named_once() -> None:
    plays = (
        Loss(
            6, "S", "mistake", "turn", "-Ac", "Q:Qh2c K/2:2d* 7:7h7d -Kc", 130, 20, {}, {}, 0, 0, 0
        ),
        Loss(7, "W", "mistake", "draw", "^", "+", 130, 20, {}, {}, 0, 0, 0),
    )
    game = valued(plays, [0.0] * 8 + [515.0], 10)
    text = ["".join(run.text for run in line).strip() for line in story_rows(game, PLAIN)]
    assert "Played: discard A♣." in text
    assert "Better: lay Q♥ 2♣, 2♦ joker on kings (K/2), 7♥ 7♦, discard K♣." in text
    assert sum(line.startswith(("Played: ", "Better: ")) for line in text) == 2


@pytest.mark.parametrize(
    ("play", "text"),
    [
        ("straight:4s5s2d #", "lay 4♠ 5♠ 2♦, go out"),
        ("back:Ks K:KsKd -4s", "lay K♠, K♠ K♦, discard 4♠"),
        ("*:2s* K/2>1 T:2d -4s", "lay 2♠ joker, 2♦ on tens, discard 4♠"),
    ],
)
def test_the_parts_of_a_play(play: str, text: str) -> None:
    assert parts_text(play_parts(play)) == text


def test_mistakes_that_a_story_leaves_out_are_counted() -> None:
    kinds = ("blunder", "blunder", "blunder", "blunder", "mistake", "mistake")
    losses = tuple(
        Loss(5, "E", kind, "turn", "-Qc", f"-{card}h", 900 - at, 10, {}, {}, 0, 0, 0)
        for at, (kind, card) in enumerate(zip(kinds, "A23456", strict=True))
    )
    found = []
    for number in (3, 4, 6):
        [(_, deal)] = valued(losses[:number], [0.0] * 8 + [515.0], 10).deals()
        found.append([str(each) for each in more_losses(deal)])
    assert found == [
        [],
        ["1 more blunder is not listed."],
        ["1 more blunder is not listed.", "2 more mistakes are not listed."],
    ]


@pytest.mark.parametrize(("risk", "key"), [(0.5, "Y1"), (0.02, "Y4")])
def test_a_pile_is_a_reason_if_the_better_play_saves_it_often(risk: float, key: str) -> None:
    loss = Loss(4, "E", "mistake", "turn", "-Qc", "-Ah", 310, 26.5, {}, {}, risk, 0.0, 5)
    game = valued((loss,), [0.0] * 8 + [515.0], 10)
    assert reason_sentence(game, loss).key == key


def test_the_risks_of_a_pile_are_stated_in_percent() -> None:
    for percent in range(20, 101):
        risk, better = percent / 100, (percent - 20) / 100
        loss = Loss(4, "E", "mistake", "turn", "-Qc", "-Ah", 130, 20, {}, {}, risk, better, 9)
        said = reason_sentence(valued((loss,), [0.0] * 8 + [515.0], 10), loss)
        values = dict(said.values)
        assert (said.key, values["x"], values["y"], values["c"]) == (
            "Y1", percent, percent - 20, 9,
        )  # fmt: skip


def test_a_mistake_within_its_error_is_not_shown() -> None:
    loss = Loss(5, "E", "mistake", "turn", "-Qc", "-Ah", 104, 34, {}, {}, 0.5, 0.1, 5)
    game = valued((loss,), [0.0] * 8 + [515.0], 10)
    [story] = every_story(game)
    assert not any(each.mark == "mistake" for each in story.rows)


# --- which facts are told, and with which figures -------------------------------------------------


def told(
    losses: tuple[Loss, ...] = (),
    *,
    chances: tuple[Chance, ...] = (),
    piles: tuple[PileTaken, ...] | None = None,
    curve: Sequence[float] = (*[0.0] * 8, 515.0),
) -> StoryGame:
    """Return the game of `valued` with these missed chances and, if given, these takes."""
    game = valued(losses, [*curve], 10)
    [deal] = game.analysis.deals
    facts = deal.facts
    if piles is not None:
        largest = max((each.cards or 0 for each in piles), default=0)
        facts = replace(facts, piles=piles, largest_pile=largest)
    deal = replace(deal, chances=chances, facts=facts)
    return replace(game, analysis=replace(game.analysis, deals=(deal,)))


def lost(turn: int, seat: str, decision: str = "turn", points: float = 310, **more: Any) -> Loss:
    plays = ("-Qc", "-Ah") if decision == "turn" else ("+", "^")
    better = more.pop("better", plays[1])
    risks = (more.pop("risk", 0), more.pop("risk_better", 0))
    return Loss(turn, seat, "mistake", decision, plays[0], better, points, 20, {}, {}, *risks, 5)


def reason(game: StoryGame, loss: Loss) -> tuple[str, dict[str, object]]:
    found = reason_sentence(game, loss)
    return found.key, dict(found.values)


def test_a_reason_names_the_seat_that_takes_the_pile_and_how_often() -> None:
    loss = lost(4, "E", risk=0.5, risk_better=0.1)
    assert reason(told((loss,)), loss) == ("Y1", {"n": "Carla", "c": 5, "x": 50, "y": 10})
    loss = lost(4, "E", "draw", risk=0.5, risk_better=0.1)
    assert reason(told((loss,)), loss)[0] == "Y4", "no card is laid yet, and no pile left"
    for play in ("Q:Qh2c -Ac #", "straight:4s5s2d"):
        loss = lost(4, "E", risk=0.5, risk_better=0.1, better=play)
        assert reason(told((loss,)), loss)[0] == "Y4", "no pile is taken once the deal is over"


def test_a_pile_that_cannot_be_worth_a_loss_is_not_its_reason() -> None:
    for points, key in ((400, "Y1"), (410, "Y4")):
        loss = lost(4, "E", points=points, risk=0.5, risk_better=0.1)
        assert reason(told((loss,)), loss)[0] == key
    loss = replace(lost(4, "E", risk=0.5, risk_better=0.1), items={"out": -60.0})
    assert reason(told((loss,)), loss) == ("Y4", {}), "its own side gains most, by a small part"
    loss = replace(loss, others={"natural": 90.0})
    assert reason(told((loss,)), loss)[0] == "Y1"


def test_the_largest_part_of_a_loss_is_its_reason_or_nothing_is() -> None:
    items = {"natural": -200.0, "hand": -100.0}
    loss = replace(lost(4, "E"), items=items, items_error={"natural": 20.0, "hand": 5.0})
    key, values = reason(told((loss,)), loss)
    assert (key, str(values["i"]), values["x"]) == ("Y5", "natural canastas", 200)
    loss = replace(loss, items_error={"natural": 70.0, "hand": 5.0})
    assert reason(told((loss,)), loss)[0] == "Y4", "the largest part is within its error"


@pytest.mark.parametrize(
    ("played", "better", "key"),
    [
        ("K:KsKhKd -4s #", "-4s", "L7"),
        ("K:KsKhKd -4s", "-4s", "L8"),
        ("-4s", "K:KsKhKd -4s", "L2"),
        ("K:KsKhKd 4:4s4h4d -6s", "K:KsKcKd -4s", "L9"),
        ("K:KsKhKd -6s", "K:KsKhKd 4:4s4h4d -6s", "L10"),
        ("K:KsKh2d -6s", "K:KsKhKd -6s", "L11"),
        ("K:KsKhKd -6s", "Q:QsQhQd -6s", "L12"),
        ("K:KsKhKd -6s", "K:KsKcKd -4s", "L3"),
        ("K:KsKhKd K/2:KsKcKd -6s", "K:KsKhKdKsKcKd -4s", "L4"),
        ("K:KsKhKd -6s", "straight:4s5s2d", "L13"),
        ("straight:4s5s2d", "-6s", "L4"),
        ("K:KsKhKd 4:4s4h4d -6s #", "Q:QsQhQd -6s #", "L12"),
    ],
)
def test_a_mistake_is_what_one_of_the_plays_does_alone(played: str, better: str, key: str) -> None:
    loss = replace(lost(1, "N", better=better), played=played)
    game = told((loss,), piles=())
    [(_, deal)] = game.deals()
    assert loss_sentence(game, deal, loss).key == key
    took = replace(deal, facts=replace(deal.facts, piles=(PileTaken(1, "N", 3, False),)))
    after = key if key in ("L3", "L7", "L13") else "L4"
    assert loss_sentence(game, took, loss).key == after, "the side opened by taking the pile"


def test_few_missed_chances_are_told_and_none_in_the_turn_of_a_mistake() -> None:
    outs = tuple(Chance(turn, "NESW"[turn % 4], "out") for turn in (1, 2, 3, 4))
    takes = tuple(Chance(turn, "NESW"[turn % 4], "take", cards=turn) for turn in (6, 7))
    game = told((lost(2, "S"),), chances=(*outs, *takes), piles=())
    [(played, deal)] = game.deals()
    story = deal_story(game, played, deal)
    assert [each.turn for each in story.rows if each.mark == "chance"] == [1, 3]
    assert [each.turn for each in more_chances(game, deal, story)] == [7], "the larger pile"
    kinds = tuple(Chance(3, "N", kind, cards=9) for kind in ("take", "open", "out"))
    game = told(chances=kinds, piles=())
    [(played, deal)] = game.deals()
    notes = turn_notes(game, played, deal, deal_story(game, played, deal))
    assert [each.key for each in notes[2].said] == ["H1", "H2"]


@pytest.mark.parametrize(("cards", "is_told"), [(7, False), (8, True)])
def test_a_pile_of_eight_cards_is_large(cards: int, is_told: bool) -> None:
    game = told(piles=(PileTaken(5, "S", cards, False),), curve=(*[0.0] * 5, *[515.0] * 4))
    [story] = every_story(game)
    assert ("F3" in {each.sentence.key for each in story.rows}) == is_told
    assert ([each.turn for each in cover(game).moments] == [4]) == is_told
    first = told(piles=(PileTaken(1, "N", 20, False),), curve=(0.0, *[515.0] * 8))
    assert cover(first).moments == ()


def test_a_deal_has_the_moment_that_weighs_most() -> None:
    game = told((lost(4, "E", points=130), lost(5, "S", points=310), lost(6, "W", points=200)))
    assert [each.turn for each in cover(game).moments] == [5]


def test_a_side_that_opens_in_the_turn_had_not_opened_before() -> None:
    game = told()
    [(_, deal)] = game.deals()
    opened = {side: facts.opened_at for side, facts in deal.facts.sides.items()}
    side, turn = next((side, turn) for side, turn in opened.items() if turn)
    for later, key in ((0, "L2"), (1, "L4")):
        loss = lost(turn + later, side[0], better="K:KsKhKd -4s")
        assert loss_sentence(game, deal, loss).key == key


def test_the_side_that_luck_helped_is_named() -> None:
    game = valued((), [0.0] * 8 + [515.0], 10)
    [(played, deal)] = game.deals()
    assert deal.values is not None
    for luck, names in ((400.0, "Ana and Carla"), (-400.0, "Bruno and Dario")):
        sides = dict(deal.values.sides)
        sides["NS"] = replace(sides["NS"], luck=luck)
        changed = replace(deal, values=replace(deal.values, sides=sides))
        [said] = [x for x in deal_story(game, played, changed).closing if x.key == "V3"]
        assert str(dict(said.values)["s"]) == names


def test_a_change_is_told_with_its_player_and_without_signs() -> None:
    turned = told(curve=(0.0, -300.0, -300.0, 300.0, 300.0, 300.0, 300.0, 300.0, 515.0))
    grew = told(curve=(0.0, 0.0, 300.0, 300.0, 300.0, 300.0, 300.0, 300.0, 300.0))
    [(first, second)] = zip(every_story(turned), every_story(grew), strict=True)
    [(played, _)] = grew.deals()
    [v1] = [dict(each.sentence.values) for each in first.rows if each.sentence.key == "V1"]
    [v2] = [dict(each.sentence.values) for each in second.rows if each.sentence.key == "V2"]
    assert (v1["x"], v1["y"], v2["x"]) == (300, 300, 300)
    assert v2["n"] == grew.player(played.turns[1].line.seat)


def test_an_item_is_told_if_it_is_a_fifth_of_a_loss_or_of_a_gain() -> None:
    for value in (100, -100):
        found = [*item_sentences({"natural": 19, "out": 25}, {}, {}, {}, value)]
        assert [str(dict(each.values)["i"]) for each in found] == ["going out"]


def test_the_lead_is_that_over_the_best_of_the_others() -> None:
    [game] = story_games("profile-classic-3p")
    assert [_margin(game, [100, 50, 70], at) for at in range(3)] == [30, -50, -30]
    deals = [*zip(game.deals(), every_story(game), strict=True)]
    ends = [turn_notes(game, *each, story)[-1].ended for each, story in deals]
    assert [*ends[:-1]] == [story.headline for _, story in deals[:-1]]
    totals = sorted(dict(game.play.report.result.totals).values(), key=lambda it: -(it or 0))
    assert ends[-1] is not None and ends[-1].key == "E2"
    assert dict(ends[-1].values)["x"] == (totals[0] or 0) - (totals[1] or 0)


def test_a_ruling_and_a_deal_that_is_broken_off_are_told() -> None:
    [game] = story_games("kitchen-table")
    said = [each.sentence for story in every_story(game) for each in story.rows]
    assert [dict(each.values)["x"] for each in said if each.key == "F8"] == [100]
    [game] = story_games("broken/unfinished")
    [(played, deal)] = [*game.deals()][-1:]
    story = deal_story(game, played, deal)
    assert story.headline.key == "S7"
    assert [each.ended for each in turn_notes(game, played, deal, story)][-1:] == [None]


@pytest.mark.parametrize(("reason", "key"), [("void", "S8"), ("time", "S9")])
def test_a_deal_that_counts_nothing(reason: str, key: str, tmp_path: Path) -> None:
    record = (SAMPLES / "broken" / "unfinished.canasta").read_text()
    path = tmp_path / "open.canasta"
    path.write_text(f"{record}end {reason}\n")
    [game] = [each.story for each in page_games(readings(path))]
    [(played, deal)] = [*game.deals()][-1:]
    story = deal_story(game, played, deal)
    assert story.headline.key == key
    assert "T" not in {each.sentence.key[0] for each in story.rows}
    assert [each.ended for each in turn_notes(game, played, deal, story)][-1:] == [None]


def test_what_a_side_has_at_the_end_is_told() -> None:
    keys: set[str] = set()
    for game in story_games("thursday-club", "profile-samba", "profile-cla"):
        for (played, _), story in zip(game.deals(), every_story(game), strict=True):
            end = played.states[-1]
            kinds = {
                "F6" if KIND[meld.rank] >= SEQUENCE else "F7"
                for side in end.sides
                for meld in side.melds
                if meld.canasta and KIND[meld.rank] >= JOKER_RANK
            }
            said = {each.sentence.key for each in story.rows} & {"F6", "F7"}
            assert said <= kinds and bool(said) == bool(kinds)
            closing = {each.key: dict(each.values) for each in story.closing}
            both = game.play.profile["score.red3"][0] == "per-colour"
            assert ("F4" if both else "F5") not in closing
            if played.report.ended == "special" and "F2" in closing:
                assert closing["F2"]["s"] != game.side(game.side_of(played.report.by or ""))
            keys |= {*said, *closing, played.report.ended or ""}
    assert {"F2", "F4", "F6", "special"} <= keys


def test_a_change_that_is_known_exactly_is_not_an_estimate() -> None:
    game = valued((), [0.0, 300.0, *[300.0] * 7], 0)
    [(played, deal)] = game.deals()
    notes = turn_notes(game, played, deal, deal_story(game, played, deal))
    assert {each.said for each in notes} == {()}
