"""The values of a deal: play-outs, decisions, luck and play, what is shown, what is kept.

CANASTA_VALUE_DEALS sets how many deals of each profile are added up, and CANASTA_VALUE_BLUNDERS the
play-outs by which every blunder is judged.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import ne
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

import canasta_notation as cn
from canasta_notation.analysis import judging, scenes
from canasta_notation.analysis import values as valued
from canasta_notation.analysis.comparison import FIRST, MOST, SECOND, Comparison, errors_needed
from canasta_notation.analysis.decisions import Sampler
from canasta_notation.analysis.judging import DealPart, DealToJudge, deal_part, deal_values
from canasta_notation.analysis.limits import limits_of
from canasta_notation.analysis.scenes import replayed
from canasta_notation.analysis.values import DealValues, Loss
from canasta_notation.cards import CODES, RANK
from canasta_notation.cli.app import app
from canasta_notation.dealing import new_pack
from canasta_notation.engine.hands import hand_counts
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.shown import show_deal
from canasta_notation.engine.table import Table, copy_table, pile_of
from canasta_notation.language.sentences import label
from canasta_notation.players import hidden as hiding
from canasta_notation.players import playouts
from canasta_notation.players.candidates import candidates
from canasta_notation.players.figures import figures_of
from canasta_notation.players.hidden import (
    Numbers,
    hidden_from,
    hidden_stock,
    hide_hands,
    mix,
    numbered_deck,
    plant,
)
from canasta_notation.players.playouts import NEXT, PACKET, Outcomes, play_outs
from canasta_notation.players.random_game import play_game
from canasta_notation.players.random_turn import Habits
from canasta_notation.players.seat_turn import play_turn
from canasta_notation.players.seated import play_named_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.resources import packaged_text
from canasta_notation.rules import load_profile
from canasta_notation.rules.items import ITEMS
from canasta_notation.story.losses import item_sentence
from tests.blunders import BLUNDERS, Blunder
from tests.hidden_decisions import compare
from tests.programs import analyzed
from tests.random_games import PROFILES
from tests.seeded_deals import deal_table

SAMPLES = Path(__file__).parent.parent / "samples"
SCHEMA = json.loads(packaged_text("schemas", "analysis.schema.json"))
LIMITS = limits_of(cn.load_profile("classic"))
DEALS = int(os.environ.get("CANASTA_VALUE_DEALS", "0"))
JUDGED = int(os.environ.get("CANASTA_VALUE_BLUNDERS", "0"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "canasta-notation" / "values"


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """To keep the tests quick, allow as few as two play-outs."""
    monkeypatch.setattr(valued, "FEWEST", 2)


# --- play-outs ------------------------------------------------------------------------------------


def middle(name: str, turns: int = 8) -> Table:
    """Return a table in the middle of a deal between careful players."""
    profile = cn.load_profile(name)
    rules, figures = rules_of(profile), figures_of("careful", profile)
    table = deal_table(rules, 0, [0] * len(rules.sides), "middle")
    for _ in range(turns):
        table = play_turn(table, figures)
    return table


def in_hands(table: Table) -> list[Counter[int]]:
    return [
        Counter({code: held for code, held in enumerate(hand_counts(table, seat)) if held})
        for seat in range(table.rules.players)
    ]


@pytest.mark.parametrize("name", ["classic", "classic-6p", "american-4p", "hand-and-foot"])
def test_hidden_cards_are_dealt_again_and_none_is_lost(name: str) -> None:
    table = middle(name)
    seat = table.due
    other = (seat + 1) % table.rules.players
    held = next(code for code in in_hands(table)[other] if not table.rules.tabled[RANK[code]])
    feet = table.packets
    show_deal(table)
    assert table.shown is not None
    table.shown.hands[other * CODES + held] = 1
    hidden = hidden_stock(table)
    hide_hands(table, hidden, seat)
    deck = numbered_deck(table.rules)
    whole = all_cards(table)
    seen = set()
    for sample in range(20):
        play = copy_table(table)
        plant(play, hidden, deck, Numbers(7, sample))
        assert all_cards(play) == whole
        hands = in_hands(play)
        assert hands[seat] == in_hands(table)[seat] and hands[other][held] >= 1
        assert [each.total() for each in hands] == list(table.hand_sizes)
        for place, hand in enumerate(hands):
            assert place == seat or not any(table.rules.tabled[RANK[code]] for code in hand)
        seen.add(tuple(play.stock))
        if table.rules.packet_on_empty:
            assert all(map(ne, map(sorted, play.packets), map(sorted, feet)))
    assert len(seen) == 20


def all_cards(table: Table) -> Counter[int]:
    """Return where every rank of the hands, the pile, the stock and the talons is, together."""
    cards = [*pile_of(table), *list(table.stock)[table.stock_at :]]
    for at, packet in enumerate(table.packets):
        cards += [] if table.packets_gone >> at & 1 else packet
    return Counter(RANK[code] for code in cards) + sum(
        (Counter({RANK[code]: count}) for hand in in_hands(table) for code, count in hand.items()),
        Counter(),
    )


def test_each_hidden_card_is_as_likely_in_each_place() -> None:
    table = middle("classic")
    seat, rules = table.due, table.rules
    hidden = hidden_stock(table)
    hide_hands(table, hidden, seat)
    deck = numbered_deck(rules)
    samples = 400
    found = Counter[int]()
    threes = Counter[int]()
    for sample in range(samples):
        play = copy_table(table)
        plant(play, hidden, deck, Numbers(1, sample))
        found += in_hands(play)[(seat + 1) % rules.players]
        threes += Counter(at for at, code in enumerate(play.stock) if rules.tabled[RANK[code]])
    plain = sum(hidden.pool[code] for code in range(CODES) if not rules.tabled[RANK[code]])
    size = table.hand_sizes[(seat + 1) % rules.players]
    for code in range(CODES):
        if hidden.pool[code] and not rules.tabled[RANK[code]]:
            share = hidden.pool[code] * size / plain
            assert (found[code] / samples - share) ** 2 < 25 * share / samples
    half = len(play.stock) / 2
    first = sum(count for at, count in threes.items() if at < half)
    assert (2 * first - threes.total()) ** 2 < 25 * threes.total()


def test_the_stock_hardly_changes_when_a_card_leaves_it() -> None:
    """So that the values of neighbouring positions have little error."""
    rules = rules_of(cn.load_profile("classic"))
    deck = numbered_deck(rules)
    pool = hidden_stock(middle("classic")).pool
    before = list(hiding.shuffled_rest(pool, deck, Numbers(3, 4)))
    gone = before[len(before) // 2]
    pool[gone] -= 1
    after = list(hiding.shuffled_rest(pool, deck, Numbers(3, 4)))
    assert len(after) == len(before) - 1
    assert any(before[:at] + before[at + 1 :] == after for at in range(len(before)))


def test_play_outs_count_the_same_in_any_order() -> None:
    table = middle("classic")
    figures = figures_of("careful", cn.load_profile("classic"))
    hidden = hidden_stock(table)
    whole = play_outs(table, figures, hidden, 5, 0, 6, playouts.NEXT)
    parts = [play_outs(table, figures, hidden, 5, at, 2, playouts.NEXT) for at in (0, 2, 4)]
    assert list(whole.margins) == [margin for part in parts for margin in part.margins]
    assert not any(whole.margins[at] + whole.margins[at + 1] for at in range(0, 12, 2))


# --- luck and play --------------------------------------------------------------------------------


def check_sums(values: DealValues, game: cn.Game, deal: int) -> None:
    report = cn.verify(game).deals[deal - 1]
    scores = {side.side: side.score or 0 for side in report.sides}
    for name, side in values.sides.items():
        rest = sum(scores.values()) - scores[name]
        assert side.result == round(scores[name] - rest / (len(scores) - 1), 1)
        assert abs(side.start + side.luck + side.play - side.result) < 0.2
        for key, total in (("luck", side.luck), ("play", side.play)):
            assert abs(sum(each[key] for each in side.seats.values()) - total) < 0.5
        assert side.curve[-1] == side.result and side.curve_error[-1] == 0
        for seat in name:
            assert values.seats[seat].luck == side.seats[seat]["luck"]
    assert {*values.sides} == {*scores}


def test_a_decision_ends_where_a_foot_is_picked_up_and_the_foot_is_luck() -> None:
    """A foot is picked up after the discard, or before it and then played at once."""
    profile = cn.load_profile("hand-and-foot")
    figures = figures_of("careful", profile)
    game = play_named_game(profile, 1, "careful", 1)
    [watch] = replayed(game, 1, None)[0]
    played = [scene for scene in watch.scenes if scene.packet is not None]
    at_once = 0
    for scene in played:
        begun, packet = scene.begun, scene.packet
        assert begun is not None and packet is not None
        found = candidates(scene.steps[begun], figures, scene.actions_from(begun))
        laid = scene.actions_from(begun)[: packet - begun]
        assert found[0].actions == laid and found[0].how == PACKET
        assert {each.how for each in found} <= {PACKET, NEXT} and len(found) > 1
        at_once += len(scene.steps) > packet + 1
        hidden = hidden_from(scene.before, scene.after.seat, scene.drawn)
        outs = play_outs(found[0].table, figures, hidden, 1, 0, 8, PACKET)
        assert len({*outs.margins}) > 2  # its samples have other feet
    assert len(played) > at_once > 0


@pytest.mark.parametrize("name", PROFILES if DEALS else ["classic-2p", "classic-3p"])
def test_start_luck_and_play_are_the_result(name: str) -> None:
    profile = cn.load_profile(name)
    for player in ("careful", "random"):
        game = play_named_game(profile, 3, player, DEALS or 1)
        for deal in range(1, len(game.deals) + 1):
            check_sums(deal_values(DealToJudge(game, 1, deal, 2)), game, deal)


def test_without_every_hand_only_the_seat_that_is_known_is_judged() -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    hidden = re.sub(r"^([NEW]): .*", r"\1: ...", text, flags=re.MULTILINE)
    hidden = re.sub(r"^(\d+\. [NEW]) \+\S+", r"\1 +", hidden, flags=re.MULTILINE)
    hidden = re.sub(r"^stock .*\n", "", hidden, flags=re.MULTILINE)
    [game] = cn.read(hidden)
    values = deal_values(DealToJudge(game, 1, 1, 2))
    assert values.sides == {} and values.turning_point is None
    assert {seat for seat, each in values.seats.items() if each.decisions} == {"S"}
    assert {each.luck for each in values.seats.values()} == {None}


def test_a_sheet_has_no_values() -> None:
    [game] = cn.read(SAMPLES / "score-sheet-1.canasta")
    assert {deal.values for deal in cn.analyze(game, rollouts=20).deals} == {None}


#: A number of play-outs that is refused, and the nearest that is accepted.
WRONG = {-1: 20, 1: 20, 2: 20, 19: 20, 21: 22, 1_000_001: 1_000_000}


@pytest.mark.parametrize("rollouts", [*WRONG, 1.5, "many"])
def test_a_wrong_number_of_play_outs_is_refused(
    rollouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valued, "FEWEST", 20)
    [game] = cn.read(SAMPLES / "first-deal.canasta")
    nearest = f"; the nearest is {WRONG[rollouts]}" if rollouts in WRONG else ""
    given = f"{rollouts!r}{nearest}" if isinstance(rollouts, str) else f"{rollouts}{nearest}"
    wrong = f'0, "auto" or an even number from 20 to 1000000, not {given}'
    with pytest.raises(ValueError) as why:
        cn.analyze(game, rollouts=rollouts)
    assert str(why.value) == f"rollouts must be {wrong}"
    done = CliRunner().invoke(app, ["analyze", str(SAMPLES), f"--rollouts={rollouts}"])
    assert done.exit_code == 2
    assert f"--rollouts: give {wrong.split(', not')[0]}, not" in done.stderr
    assert nearest in done.stderr or rollouts == -1


def test_one_sample_calls_nothing() -> None:
    """A half of one sample has no error, so each difference would be beyond it."""
    [game] = cn.read(SAMPLES / "first-deal.canasta")
    values = deal_values(DealToJudge(game, 1, 1, 2))
    assert values.losses == () and {each.loss for each in values.seats.values()} == {0}


# --- decisions ------------------------------------------------------------------------------------


def judged(blunder: Blunder, play: str, rollouts: int) -> tuple[DealValues, str]:
    """Return the values of the turn that a play makes, and the seat."""
    game, turn, seat = blunder.played(play)
    report = cn.verify(game)
    assert report.verdict != "contradicted", [*map(str, report.findings)]
    return deal_values(DealToJudge(game, 1, 1, rollouts), turn=turn), seat


def reasons(loss: Loss) -> Iterator[str]:
    """Yield the reasons that weigh a fifth of the loss or more."""
    if loss.risk - loss.risk_better >= 0.2:
        yield "pile"
    yield from (f"own {item}" for item, each in loss.items.items() if -each >= loss.loss / 5)
    yield from (f"others {item}" for item, each in loss.others.items() if each >= loss.loss / 5)


QUICK = [each for each in BLUNDERS if each.quick]


@pytest.mark.parametrize("blunder", BLUNDERS if JUDGED else QUICK, ids=lambda each: each.name)
def test_a_blunder_is_found_with_its_reason(blunder: Blunder) -> None:
    values, seat = judged(blunder, blunder.bad, JUDGED or 200)
    assert len(values.losses) == 1
    [loss] = values.losses
    assert blunder.reason in [*reasons(loss)]
    assert values.seats[seat].loss == loss.loss > 100
    better, _ = judged(blunder, blunder.good, JUDGED or 40)
    assert better.losses == ()


def test_equal_candidates_get_no_loss() -> None:
    """The same play with other samples, judged as a decision between four: luck alone decides."""
    table = middle("classic", 20)
    profile = cn.load_profile("classic")
    figures = figures_of("careful", profile)
    hidden = hidden_stock(table)
    tries = int(os.environ.get("CANASTA_VALUE_NULLS", "6"))
    wrong = 0
    for number in range(tries):
        samplers = [
            lambda first, count, stream=4 * number + at: play_outs(
                table, figures, hidden, stream, first, count, playouts.NEXT
            )
            for at in range(4)
        ]
        comparison = Comparison(samplers, 0, LIMITS)
        comparison.run(40, two_stages=False)
        loss, error, best = comparison._loss()
        wrong += best != 0 and loss > errors_needed(20) * error
    assert wrong <= max(1, tries // 200)


@pytest.mark.parametrize("name", ["classic-2p", "samba"])
def test_judgements_depend_only_on_what_the_seat_saw(name: str) -> None:
    """Other hidden cards give the same figures.

    This also holds for a turn that ends the deal, and if the record shows no other hand.
    """
    assert compare(name, 4) == (4, 1, 0)


def test_candidates_that_fall_behind_are_played_out_less() -> None:
    """Only the one that was played and the best one continue while a threshold is near."""
    sampled = Counter[int]()

    def sampler(number: int, value: int) -> Sampler:
        def sample(first: int, count: int) -> Outcomes:
            sampled[number] += count
            outcomes = Outcomes(2, count)
            for at in range(count):
                # Each candidate has an error of its own, even against the others.
                noise = 2_000 * (mix((first + at) * 8 + number) % 3 - 1)
                outcomes.margins[2 * at] = value + noise
                outcomes.margins[2 * at + 1] = -value - noise
            return outcomes

        return sample

    values = (0, 100, -2_000, 90, 80)
    comparison = Comparison([*map(sampler, range(5), values)], 0, LIMITS)
    comparison.run(0, two_stages=True)
    assert sampled[2] == FIRST
    assert sampled[0] == MOST
    assert sorted(sampled.values())[-2:] == [MOST] * 2
    assert sum(sampled[at] > FIRST + SECOND for at in (1, 3, 4)) == 1
    sampled.clear()
    samplers = [*map(sampler, range(5), values)]
    asked = Comparison(samplers, 0, LIMITS, {2})
    asked.run(0, two_stages=True)
    assert sampled[2] == sampled[0] == MOST, "what a reader asks for is played out"


# --- what is shown and kept -----------------------------------------------------------------------


def test_the_story_with_play_outs(snapshot: SnapshotAssertion) -> None:
    """With a blunder; that one fits the schema too."""
    deal = (str(SAMPLES / "thursday-club.canasta"), "--deal", "3", "--rollouts", "4")
    assert analyzed(*deal).split("\n\n", 1)[1] == snapshot
    document = json.loads(analyzed(*deal, "--json"))
    Draft202012Validator(SCHEMA).validate(document)
    [moment] = [
        each
        for each in document["files"][0]["games"][0]["deals"][0]["moments"]
        if each["kind"] != "chance"
    ]
    assert (moment["kind"], moment["turn"], moment["better"]) == ("blunder", 24, "^")


def test_the_document_fits_the_schema_and_the_library() -> None:
    path = SAMPLES / "first-deal.canasta"
    document = json.loads(analyzed(str(path), "--rollouts", "4", "--json"))
    Draft202012Validator(SCHEMA).validate(document)
    [game] = cn.read(path)
    analysis = cn.analyze(game, rollouts=4)
    assert analysis.to_json() == document["files"][0]["games"][0]
    values = analysis.deals[0].values
    assert values is not None
    assert DealValues.from_json(json.loads(json.dumps(values.to_json()))) == values
    seat = json.loads(analyzed(str(path), "--rollouts", "4", "--json", "--seat", "N"))
    [deal] = seat["files"][0]["games"][0]["deals"]
    assert deal["curve"] is None and deal["sides"]["NS"]["luck"] is None


@pytest.mark.parametrize("item", ITEMS)
def test_a_loss_is_explained_by_any_item(item: str) -> None:
    own = Loss(1, "N", "mistake", "turn", "-Qd", "-3c", 90, 9, {item: -90.0}, {}, 0, 0, 0)
    name = label(f"item_{item}")
    assert str(item_sentence(own)) == f"It brings 90 points more by {name}, give or take 0."
    others = replace(own, items={}, others={item: 90.0})
    assert str(item_sentence(others)) == (
        f"It leaves the others 90 points less by {name}, give or take 0."
    )
    unsure = replace(own, items_error={item: 31.0})
    small = replace(own, items={item: -17.0})
    against = replace(own, items={item: 90.0})
    for each in (unsure, small, against):
        assert item_sentence(each) is None


def test_any_number_of_processes_gives_the_same_figures(own_cache: Path) -> None:
    path = str(SAMPLES / "first-deal.canasta")
    once = analyzed(path, "--rollouts", "2", "--json", "--jobs", "2")
    for kept in own_cache.iterdir():
        kept.unlink()
    assert analyzed(path, "--rollouts", "2", "--json") == once


def test_a_game_is_replayed_once_for_all_its_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_named_game(cn.load_profile("classic-2p"), 1, "careful", 3)
    replays = []

    def replayed(*args: Any, **rest: Any) -> cn.GameReport:
        replays.append(args)
        return replay_game(*args, **rest)

    monkeypatch.setattr(scenes, "replay_game", replayed)
    whole = [deal_values(DealToJudge(game, 1, deal, 2)) for deal in (1, 2, 3)]
    assert len(replays) == 1
    parts = [deal_part(DealToJudge(game, 1, 2, 2), at, 4) for at in range(4)]
    assert judging.whole(parts) == whole[1] and all(part.judged for part in parts[:3])


def test_a_deal_is_not_played_out_again(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ctrl-C in the second deal keeps the first."""
    record = tmp_path / "two.canasta"
    game = play_named_game(cn.load_profile("classic-2p"), 1, "careful", 2)
    cn.write([game], record)
    calls: list[int] = []
    real = deal_part

    def stopped(asked: DealToJudge, *part: int, tick: object) -> DealPart:
        calls.append(asked.deal)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(asked)

    monkeypatch.setattr(judging, "deal_part", stopped)
    done = CliRunner().invoke(app, ["analyze", str(record), "--rollouts", "2"])
    assert done.exit_code == 130 and "the same command continues from here" in done.stderr
    assert len([*own_cache.iterdir()]) == 1
    analyzed(str(record), "--rollouts", "2")
    assert calls == [1, 2, 2]
    [damaged, _] = sorted(own_cache.iterdir())
    damaged.write_text("{", "utf-8")
    analyzed(str(record), "--rollouts", "2")
    assert len(calls) == 4


def test_every_card_of_the_deck_has_a_number() -> None:
    rules = rules_of(cn.load_profile("classic"))
    deck = sorted(numbered_deck(rules))
    assert [card // hiding._COPY for card in deck] == new_pack(rules)
    assert len({*deck}) == len(deck)


# --- the page -------------------------------------------------------------------------------------


def page_of(record: Path, out: Path, *options: str) -> str:
    done = CliRunner().invoke(
        app, ["page", str(record), "-o", str(out), "--rollouts", "2", *options]
    )
    assert done.exit_code == 0, done.output
    return out.read_text("utf-8")


def test_a_page_marks_mistakes_and_one_of_a_seat_only_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def recorded(asked: DealToJudge, *part: int, tick: object) -> DealPart:
        values = deal_part(asked)
        shown = [
            Loss(turn, seat, "mistake", "turn", "-Qd", "-3c", 140, 30, {"melds": -140.0}, {}, 0.5,
                 0.1, 5, {"melds": 30.0})
            for turn, seat in ((2, "S"), (4, "N"))
        ]  # fmt: skip
        return replace(values, losses=tuple(shown))

    monkeypatch.setattr(judging, "deal_part", recorded)
    record = SAMPLES / "first-deal.canasta"
    words = "140 points more, give or take 90"
    whole = page_of(record, tmp_path / "whole.html")
    assert whole.count(words) >= 2
    own = page_of(record, tmp_path / "own.html", "--seat", "S")
    assert 1 <= own.count(words) < whole.count(words)


def test_a_stock_line_of_another_length_leaves_the_curve_open() -> None:
    game = play_game(load_profile("classic-2p"), 0, habits=Habits(stock=1.0), deals=1)
    [deal] = game.deals
    assert deal.stock is not None and deal_values(DealToJudge(game, 1, 1, 2)).sides
    longer = replace(deal.stock, cards=(*deal.stock.cards, deal.stock.cards[-1]))
    values = deal_values(DealToJudge(replace(game, deals=(replace(deal, stock=longer),)), 1, 1, 2))
    assert not values.sides and values.judged


# --- the reference --------------------------------------------------------------------------------


def test_the_reference_states_the_limits_of_every_profile() -> None:
    text = (SAMPLES.parent / "grammar" / "ANALYSIS.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| ([a-z0-9, -]+) \| [0-9, to]+ \| (\d+) \| (\d+) \|$", text)
    stated = {
        name: (int(mistake), int(blunder))
        for names, mistake, blunder in rows
        for name in names.split(", ")
    }
    assert stated == {name: limits_of(cn.load_profile(name)) for name in cn.profile_names()}
