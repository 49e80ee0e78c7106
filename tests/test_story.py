"""Stories of games: every deal has a true end, and every figure exceeds its error."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, hypot

import pytest

from canasta_notation.analysis.values import DealValues, Loss, SeatValues, SideValues
from canasta_notation.render.paint import PLAIN
from canasta_notation.render.story_rows import story_rows
from canasta_notation.report.ledger import game_json
from canasta_notation.story.cover import cover
from canasta_notation.story.deals import deal_story, every_story, more_losses
from canasta_notation.story.estimates import stated
from canasta_notation.story.losses import reason_sentence
from canasta_notation.story.notes import turn_notes
from canasta_notation.story.sentences import Sentence, label, say, templates
from canasta_notation.story.story_game import StoryGame
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
    for game in page_games(random_games(2, 2)):
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
    assert [str(each) for each in moment.pair[0].labels] == [done]


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
    [(_, deal)] = game.deals()
    assert reason_sentence(game, deal, loss).key == key


def test_a_mistake_within_its_error_is_not_shown() -> None:
    loss = Loss(5, "E", "mistake", "turn", "-Qc", "-Ah", 104, 34, {}, {}, 0.5, 0.1, 5)
    game = valued((loss,), [0.0] * 8 + [515.0], 10)
    [story] = every_story(game)
    assert not any(each.mark == "mistake" for each in story.rows)
