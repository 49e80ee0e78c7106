"""No sentence about a game contradicts its play, its values, or another sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from canasta_notation.analysis.analyzed import PlayerFigures, Players
from canasta_notation.analysis.judging import DealToJudge, deal_values
from canasta_notation.analysis.practice import Practice
from canasta_notation.analysis.values import ABOUT
from canasta_notation.language.languages import LANGUAGES, use_language
from canasta_notation.language.sentences import label, templates, texts
from canasta_notation.notation.format import format_game
from canasta_notation.render.paint import PLAIN
from canasta_notation.story.cover import cover
from canasta_notation.story.estimates import ERRORS
from canasta_notation.story.losses import reason_sentence, stated_losses
from canasta_notation.story.player_rows import player_rows
from canasta_notation.story.practising import practice_sentences
from canasta_notation.story.story_game import StoryGame
from tests.contradictions import (
    CLAIMS,
    Compared,
    compared,
    contradictions,
    made_up,
    said,
    ways_of,
)
from tests.pages import CLUB, GAMES, SAMPLES, page_games, random_games, readings

#: How often the plays of each game get random values.
_SEEDS = 9
_WHOLE = (CLUB, *(SAMPLES / f"profile-{name}.canasta" for name in ("classic-3p", "uruguay")))
#: The sentences that name kinds of decisions, and the one that names several.
_KINDS = {"P1": "draw", "P2": "out", "P3": "open", "P4": "lay", "P5": "discard"}
_KINDS |= {"P6": "discard", "P9": "discard"}
_TOGETHER = "P7"


@cache
def judged_games() -> list[tuple[StoryGame, list[Compared]]]:
    """Return random games of every profile, and whole games, with the plays of their decisions."""
    games = page_games([*random_games(GAMES), *readings(*_WHOLE)])
    return [(game.story, compared(game.story, 2)) for game in games]


@cache
def stories() -> list[tuple[StoryGame, list[Compared]]]:
    """Return the games with random values."""
    return [
        (made_up(game, decisions, Random(seed)), decisions)
        for game, decisions in judged_games()
        for seed in range(_SEEDS)
    ]


def test_no_sentence_contradicts_the_play_or_another_sentence() -> None:
    keys: Counter[str] = Counter()
    for game, decisions in stories():
        assert [*contradictions(game, ways_of(decisions))] == []
        keys.update(sentence.key for _, _, sentence in said(game))
        keys.update(each.heading for each in cover(game).moments)
        for deal in game.analysis.deals:
            keys.update(reason_sentence(game, loss).key for loss in stated_losses(deal))
    expected = {"L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8"}
    assert {"L9", "L10", "L11", "L12"} & {*keys}
    expected |= {"Y1", "Y4", "Y5", "Y6", "V1", "V2", "what_decided", "costliest_play"}
    assert expected <= {*keys}, expected - {*keys}


def test_every_sentence_about_what_could_have_been_has_a_claim() -> None:
    could = {key for key, text in templates().items() if re.search(r"\bcould have\b", text)}
    assert could <= {*CLAIMS}


def test_a_reason_does_not_depend_on_what_happened_afterwards() -> None:
    for game, _ in stories():
        deals = tuple(
            replace(deal, chances=(), facts=replace(deal.facts, piles=(), largest_pile=0))
            for deal in game.analysis.deals
        )
        blind = replace(game, analysis=replace(game.analysis, deals=deals))
        for deal in deals:
            for loss in stated_losses(deal):
                assert reason_sentence(game, loss) == reason_sentence(blind, loss)


def test_the_values_of_play_outs_contradict_nothing() -> None:
    [game] = page_games(readings(SAMPLES / "first-deal.canasta"))
    values = {1: deal_values(DealToJudge(game.play.game, 1, 1, 20))}
    story = replace(game.story, analysis=game.story.analysis.with_values(values))
    assert story.valued
    assert [*contradictions(story, ways_of(compared(game.story)))] == []


# --- players of one name --------------------------------------------------------------------------


def renamed(game: StoryGame, names: dict[str, str]) -> StoryGame:
    """Return a game whose players have other names, without values."""
    lines = format_game(game.play.game).splitlines()
    tags = [f'[{seat} "{name}"]' for seat, name in names.items() if name]
    kept = [line for line in lines if line[:2] not in {f"[{seat}" for seat in game.play.seats}]
    [other] = page_games(readings("\n".join([*tags, *kept])))
    return other.story


def test_players_of_one_name_are_called_by_their_seats() -> None:
    long = "Maximiliane von Hohenstein"
    pool = ["Ana", "Ana", "", f"{long} the elder", f"{long} the younger", "E"]
    for at, (game, _) in enumerate(judged_games()):
        names = {
            seat: Random(at + place).choice(pool) for place, seat in enumerate(game.play.seats)
        }
        other = renamed(game, names)
        assert other.play.names == {seat: name for seat, name in names.items() if name}
        assert [*contradictions(other, {})] == []
        players = Players()
        players.add(other.analysis)
        assert len(players.figures()) == len(game.play.seats)


def test_names_that_are_clipped_in_a_table_can_be_told_apart() -> None:
    for game, _ in stories()[::_SEEDS]:
        players = Players()
        names = dict.fromkeys(game.play.seats, "Bartholomäus Wilhelm Friedrich")
        players.add(replace(game.analysis, players=names))
        rows = ["".join(run.text for run in line) for line in player_rows(players.figures(), PLAIN)]
        named = Counter(line.split("  ")[0] for line in rows if line.startswith("Bar"))
        assert sum(named.values()) == 2 * len(game.play.seats)
        assert all(name.endswith(")") for name in named) and {*named.values()} <= {1, 2}, named


# --- what to practise -----------------------------------------------------------------------------


def practices(random: Random) -> Iterator[Practice]:
    """Yield what each kind of decision cost, at random."""
    for kind in ABOUT:
        count, given = random.randrange(0, 20), 0
        points, error = random.uniform(-100, 500) * bool(count), random.uniform(1, 120)
        if kind == "discard" and count > 1:
            given = random.randrange(0, count)
        part = (given, points * random.random(), error * random.random()) if given else (0, 0, 0)
        yield Practice(kind, 40, count, points, error, random.choice((2, 3, 9)), *part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_kinds_of_what_to_practise_are_named_with_what_to_do(language: str) -> None:
    several = 0
    for seed in range(300):
        practice = tuple(practices(Random(seed)))
        with use_language(language):
            found = practice_sentences([PlayerFigures("Ana", 1, 3, 0, {}, {}, {}, practice)])
            kinds = {label(f"kind_{kind}"): kind for kind in ABOUT}
            kinds[label("kind_other_discard")] = "discard"
            rows = [each for each in found if each.key[0] == "P" and each.key != "P8"]
            named = {_KINDS[each.key] for each in rows if each.key != _TOGETHER}
            together = [each for each in rows if each.key == _TOGETHER]
            for each in together:
                parts = dict(each.values)["k"].names  # type: ignore[attr-defined]
                assert len(parts) > 1
                several += 1
                for part in map(str, parts):
                    assert kinds[part] not in named or part == label("kind_other_discard")
                named |= {kinds[part] for part in map(str, parts)}
        known = {each.kind: each for each in practice}
        assert all(known[kind].deals >= 3 and known[kind].count for kind in named)
        advice = [each.key for each in found if each.key[0] == "O"]
        assert len(advice) == len({*advice}) and bool(advice) == bool(rows)
        lost = [
            kind for kind, each in known.items()
            if each.deals >= 3 and each.count and each.points > (ERRORS + 1) * each.error + 10
        ]  # fmt: skip
        assert {*lost} <= named
    assert several > 10


def test_nothing_is_lost_by_everything_else() -> None:
    for language in LANGUAGES:
        for key in (*_KINDS, _TOGETHER):
            for text in texts(key, language):
                assert not re.search(r"everything else|todo lo demás|alles andere", text)
