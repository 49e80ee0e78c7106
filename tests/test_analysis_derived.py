"""What is derived from a deal and from its play-outs: figures, sums, keys and what a seat is shown.

The golden files hold every figure: an index, a bound, a sign or a seat that is another changes one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from math import hypot
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import canasta_notation as cn
from canasta_notation.analysis import comparison as comparing
from canasta_notation.analysis import judging, kept_values, risk
from canasta_notation.analysis.analyzed import (
    SUMMED,
    VALUED,
    GameAnalysis,
    Players,
    analyses_of,
    analyze_game,
    game_json,
    player_json,
)
from canasta_notation.analysis.asked import read_play
from canasta_notation.analysis.chances import CHANCES
from canasta_notation.analysis.comparison import Comparison, errors_needed
from canasta_notation.analysis.judging import DealToJudge, deal_values, estimated_seconds
from canasta_notation.analysis.judging import turn_values as values_of_turn
from canasta_notation.analysis.kept_values import best_kept, keep, place_of, read_kept, users_folder
from canasta_notation.analysis.limits import Limits
from canasta_notation.analysis.playing_out import PlayingOut
from canasta_notation.analysis.practice import practice_of, together
from canasta_notation.analysis.values import (
    ABOUT,
    DealValues,
    Judged,
    Loss,
    PlayValue,
    SeatValues,
    wrong_rollouts,
)
from canasta_notation.notation.document import Tags
from canasta_notation.players.playouts import Outcomes
from canasta_notation.players.seated import play_named_game
from canasta_notation.rules import parse_rules
from canasta_notation.rules.items import ITEMS
from tests.contradictions import compared, made_up
from tests.pages import page_games, readings

SAMPLES = Path(__file__).parent.parent / "samples"


def sample(name: str) -> cn.Game:
    return next(iter(cn.read(SAMPLES / f"{name}.canasta")))


@pytest.fixture(autouse=True)
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Risks from few hands; the figures of these are in the golden file."""
    monkeypatch.setattr(risk, "SAMPLES", 4)


# --- what is kept ---------------------------------------------------------------------------------

FIRST = sample("first-deal")
#: The arguments of the place of kept values, and another value of each.
PLACE: dict[str, tuple[Any, Any]] = {
    "game": (FIRST, replace(FIRST, tags=Tags(FIRST.tags[:-1]))),
    "deal": (1, 2),
    "override": (None, cn.load_profile("classic")),
    "rollouts": (20, 22),
    "seed": (0, 1),
}


def place(folder: Path, **more: Any) -> Path:
    given = {name: first for name, (first, _) in PLACE.items()} | more
    found = place_of(folder, *given.values())
    assert found is not None
    return found


def test_every_part_of_a_key_makes_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = replace(FIRST, deals=FIRST.deals * 2)
    found = [place(tmp_path, game=two)]
    found += [place(tmp_path, **{"game": two, name: other}) for name, (_, other) in PLACE.items()]
    found.append(place(tmp_path, game=two, rollouts=None))
    for rules in ("classic target=4000", "classic target=3000", "bga"):
        profile = parse_rules(rules).profile
        found.append(place(tmp_path, game=two, override=profile))
    assert place(tmp_path, game=two) == found[0], "the same again"
    monkeypatch.setattr(kept_values, "EDITION", judging.EDITION + 1)
    found.append(place(tmp_path, game=two))
    monkeypatch.undo()
    monkeypatch.setattr(kept_values, "version", lambda _: "0.0.0")
    found.append(place(tmp_path, game=two))
    assert len({*found}) == len(found) == 12
    assert {each.parent for each in found} == {tmp_path}


def test_the_values_of_a_deal_do_not_depend_on_later_deals(tmp_path: Path) -> None:
    two = replace(FIRST, deals=FIRST.deals * 2)
    assert place(tmp_path, game=two) == place(tmp_path)
    assert place(tmp_path, game=two, deal=2) != place(tmp_path)
    assert place_of(None, FIRST, 1, None, 20, 0) is None
    [broken] = cn.read(SAMPLES / "broken" / "syntax.canasta")
    assert broken.problems and place_of(tmp_path, broken, 1, None, 20, 0) is None
    assert best_kept(tmp_path, broken, 1, None) is None


def numbered(number: int) -> DealValues:
    return DealValues({"N": SeatValues(number)}, {}, (), None, (), number)


def test_the_values_of_most_play_outs_are_found(tmp_path: Path) -> None:
    assert best_kept(tmp_path, FIRST, 1, None) is None and best_kept(None, FIRST, 1, None) is None
    order: list[tuple[int | None, int]] = [(20, 0), (20, 1), (1000, 0), (1_000_000, 0), (None, 7)]
    for number, (rollouts, seed) in enumerate(order):
        keep(place(tmp_path, rollouts=rollouts, seed=seed), numbered(number))
        keep(
            place(tmp_path, rollouts=rollouts, seed=seed, override=PLACE["override"][1]),
            numbered(9),
        )
        keep(place(tmp_path, game=PLACE["game"][1], rollouts=rollouts), numbered(8))
        best = best_kept(tmp_path, FIRST, 1, None)
        assert best is not None and best.position == number
        assert read_kept(place(tmp_path, rollouts=rollouts, seed=seed)) == numbered(number)
    stem = place(tmp_path).name.split("-")[0]
    for wrong in ("-none-0.json", "-12345678-0.json", "-2-x.json", "-2-0.json.tmp", "-2-.json"):
        (tmp_path / f"{stem}{wrong}").write_text("{", "utf-8")
    best = best_kept(tmp_path, FIRST, 1, None)
    assert best is not None and best.position == 4


def test_only_the_newest_values_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_values, "_FILES", 3)
    folder = tmp_path / "deep" / "values"
    for seed in range(5):
        at = place(folder, seed=seed)
        keep(at, numbered(seed))
        os.utime(at, (seed, seed))
    assert {path.name for path in folder.iterdir()} == {
        place(folder, seed=seed).name for seed in (2, 3, 4)
    }
    keep(None, numbered(1))
    assert read_kept(None) is None and read_kept(place(folder, seed=0)) is None
    for damage in ("{", "{}", "[]", '{"sides": 3}', "null"):
        place(folder, seed=4).write_text(damage, "utf-8")
        assert read_kept(place(folder, seed=4)) is None


def test_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert users_folder() == tmp_path / "canasta-notation" / "values"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert users_folder() == tmp_path / ".cache" / "canasta-notation" / "values"
    monkeypatch.setenv("HOME", "nowhere")
    assert users_folder() is None


#: The fields of how deals are played out that are part of a key, and another value of each.
WORK: dict[str, Any] = {"rollouts": 4, "seed": 3, "override": cn.load_profile("bga")}


def test_what_is_played_out_is_found_again_by_all_that_it_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[DealToJudge, int, int]] = []

    def part(deal: DealToJudge, at: int, parts: int, *, tick: object) -> judging.DealPart:
        asked.append((deal, at, parts))
        return judging.DealPart("NESW", (), (), {}, None, len(asked))

    monkeypatch.setattr(judging, "deal_part", part)
    two = replace(FIRST, deals=FIRST.deals * 2)
    usual = PlayingOut(2, 1, None, 1, tmp_path)
    works = [usual, *(replace(usual, **{name: other}) for name, other in WORK.items())]
    for number, work in enumerate(works):
        assert work.processes == 1
        assert work.kept(two, 1) is None and work.kept(two, 2) is None
        found = [*work.played_out(two, 7, [2, 1])]
        assert [(deal, values.position) for deal, values in found] == [
            (2, 2 * number + 1), (1, 2 * number + 2),
        ]  # fmt: skip
        expected = DealToJudge(two, 7, 2, work.rollouts, work.seed, work.override)
        assert asked[-2:] == [(expected, 0, 1), (replace(expected, deal=1), 0, 1)]
    for number, work in enumerate(works):
        kept = [work.kept(two, deal) for deal in (1, 2)]
        assert [each and each.position for each in kept] == [2 * number + 2, 2 * number + 1]
    assert replace(usual, folder=None).kept(two, 1) is None


def test_parts_of_a_deal_are_put_together_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def run(tasks: list[Any]) -> Iterator[tuple[Any, judging.DealPart]]:
        for task in reversed(tasks):
            asked.append((task.asked.deal, task.part, task.parts))
            yield task, judging.DealPart("N", (), (), {}, task.part, 10 * task.asked.deal)

    monkeypatch.setattr(PlayingOut, "_run", lambda _, tasks: run(tasks))
    monkeypatch.setattr(PlayingOut, "processes", 3)
    found = [*PlayingOut(2, 0, None, 3, None).played_out(FIRST, 1, [1, 2])]
    assert [(deal, each.turning_point, each.position) for deal, each in found] == [
        (2, 3, 20), (1, 3, 10),
    ]  # fmt: skip
    assert asked == [(deal, part, 4) for deal in (2, 1) for part in (3, 2, 1, 0)]


# --- the figures of play-outs ---------------------------------------------------------------------

#: Deals, how many play-outs, and the only turn that is judged, if one is.
DEALS: dict[str, tuple[Callable[[], cn.Game], int, int | None]] = {
    "first-deal": (lambda: FIRST, 8, None),
    "three sides": (
        lambda: play_named_game(cn.load_profile("classic-3p"), 1, "careful", 1),
        20,
        51,
    ),
    "samba": (lambda: play_named_game(cn.load_profile("samba"), 1, "careful", 1), 12, 20),
    "american": (lambda: play_named_game(cn.load_profile("american-2p"), 1, "random", 1), 8, 7),
}


def shown_judged(judged: Judged) -> Iterator[str]:
    yield (
        f"{judged.turn} {judged.seat} {judged.decision} {judged.about} {judged.played} -> "
        f"{judged.better} loss {judged.loss} gain {judged.gain} +- {judged.error} "
        f"{judged.undecided} {judged.gave}"
    )
    for each in judged.candidates:
        why = each.why and [*map(dict, asdict(each.why).values())]
        yield f"  {[*replace_why(each)]} {why}"


def replace_why(play: Any) -> Iterator[Any]:
    yield from (value for name, value in asdict(play).items() if name != "why")


def shown_values(values: DealValues) -> Iterator[str]:
    for seat, figures in values.seats.items():
        yield f"{seat} {[*asdict(figures).values()]}"
    for name, side in values.sides.items():
        yield from (f"{name} {key} {value}" for key, value in asdict(side).items())
    yield f"turning {values.turning_point} position {values.position}"
    for loss in values.losses:
        yield f"{[value for key, value in asdict(loss).items() if key != 'candidates']}"
    for judged in values.judged:
        yield from shown_judged(judged)


@pytest.mark.parametrize("name", DEALS)
def test_the_figures_of_an_edition(name: str, snapshot: SnapshotAssertion) -> None:
    """If they change, raise EDITION, or old values would be found for the new program."""
    make, rollouts, turn = DEALS[name]
    values = deal_values(DealToJudge(make(), 1, 1, rollouts, 5), turn)
    assert "\n".join([f"edition {judging.EDITION}", *shown_values(values)]) == snapshot


def test_the_figures_of_a_turn_with_reasons(snapshot: SnapshotAssertion) -> None:
    plays = [read_play(each) for each in ("-2d", "+ -Js", "^9c 9:9s9d -3s", "-4c")]
    lines = []
    for turn in (2, 3):
        found = values_of_turn(DealToJudge(FIRST, 1, 1, 8, 5), turn, plays)
        lines += [f"turn {turn}: {found.unjudged!r}", *found.refused, *shown_values(found.values)]
    assert "\n".join(lines) == snapshot


def test_the_figures_of_two_stages(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    for name, count in {"FIRST": 4, "SECOND": 8, "MOST": 24, "_STEP": 4}.items():
        monkeypatch.setattr(comparing, name, count)
    monkeypatch.setattr(judging, "SECOND", 8)
    values = deal_values(DealToJudge(FIRST, 1, 1, None, 5), 3)
    assert "\n".join(shown_values(values)) == snapshot


def test_how_long_play_outs_take(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 12))
    monkeypatch.setattr(judging, "process_time", lambda: next(clock))
    found = [estimated_seconds("classic-3p", [3, 4], number) for number in (20, 40, None)]
    assert found == [7 * 200, 7 * 400, 7 * 8000]


# --- comparing plays ------------------------------------------------------------------------------


def outcomes(random: Random, first: int, count: int, better: int) -> Outcomes:
    """Return random outcomes of three sides, with all items; the first side does better."""
    found = Outcomes(3, count)
    for at in range(count):
        scores = [random.randrange(-200, 200) + better * (side == 1) for side in range(3)]
        for side in range(3):
            found.margins[3 * at + side] = scores[side] * 3 - sum(scores)
            for item in range(len(ITEMS)):
                points = random.randrange(50) + better * (side == 1) * (item == 2)
                found.items[(3 * at + side) * len(ITEMS) + item] = points
        found.takes[(first + at) % 2] += random.random() < 0.4
    return found


class Played:
    """Plays with what they came to, to be counted again."""

    def __init__(self, number: int, better: int, seed: int) -> None:
        self.better = better
        self.random = Random(f"{number} {seed}")
        self.parts: list[Outcomes] = []

    def __call__(self, first: int, count: int) -> Outcomes:
        self.parts.append(outcomes(self.random, first, count, self.better))
        return self.parts[-1]

    def margins(self, side: int, half: int) -> list[float]:
        return [each.margins[3 * at + side] / 2
                for each in self.parts for at in range(half, each.count, 2)]  # fmt: skip

    def item(self, side: int, item: int, half: int) -> list[float]:
        width = len(ITEMS)
        own = lambda each, at, who: each.items[(3 * at + who) * width + item]  # noqa: E731
        others = [who for who in range(3) if who != side]
        return [
            own(each, at, side) if half < 2 else mean(own(each, at, who) for who in others)
            for each in self.parts
            for at in range(half % 2, each.count, 2)
        ]

    def taken(self, half: int) -> int:
        return sum(int(each.takes[half]) for each in self.parts)


@pytest.mark.parametrize("seed", range(6))
def test_plays_are_compared_as_another_count_does(seed: int) -> None:
    plays = [Played(at, better, seed) for at, better in enumerate((0, 40 * seed, 200 * (seed % 2)))]
    comparison = Comparison([*plays], 1, Limits(60, 250), {2})
    comparison.run(40, two_stages=False)
    scene = type("Scene", (), {"turn": 5, "row": type("Row", (), {"seat": "E"})})
    decision = type("Decision", (), {
        "scene": scene, "texts": ["-4s", "-5s", "-6s"], "kind": "turn", "piles": [7, 8, 9],
        "about": staticmethod(lambda best: f"about {best}"),
    })  # fmt: skip
    judged, loss = comparison.judged(decision, why=True)  # type: ignore[arg-type]
    margins = [[play.margins(1, half) for half in (0, 1)] for play in plays]
    best = max(range(3), key=lambda at: (mean(margins[at][0]), -at))
    off = [one - other for one, other in zip(margins[best][1], margins[0][1], strict=True)]
    gain, error = mean(off), (stdev(off) / 20**0.5 if best else 0)
    limit = errors_needed(20) * error
    kind = "" if gain <= limit else "blunder" if gain >= 250 else "mistake" if gain >= 60 else ""
    assert (judged.turn, judged.seat, judged.decision) == (5, "E", "turn")
    assert judged.about == f"about {best}" and judged.played == "-4s"
    assert judged.better == (["-4s", "-5s", "-6s"][best] if best else None)
    assert (judged.gain, judged.error) == (round(gain, 1), round(error, 1))
    assert judged.loss == (round(gain, 1) if best and gain > limit else 0)
    assert judged.undecided == (best != 0 and not kind and gain + limit > 60)
    shares = [play.taken(0) / 20 for play in plays]
    assert judged.gave == (shares[0] - shares[best] > 0.05)
    for at, shown in enumerate(judged.candidates):
        check_play(shown, plays, at, best)
    assert (loss is not None) == (best != 0 and gain > limit)
    if loss is not None:
        check_loss(loss, plays, best, kind)


def test_those_seeds_show_losses_and_none() -> None:
    """The test above tries both, and plays that were best."""
    found = set()
    for seed in range(6):
        plays = [Played(at, it, seed) for at, it in enumerate((0, 40 * seed, 200 * (seed % 2)))]
        comparison = Comparison([*plays], 1, Limits(60, 250))
        comparison.run(40, two_stages=False)
        gain, error, best = comparison._loss()
        found.add((bool(best), gain > errors_needed(20) * error))
    assert {(True, True), (True, False)} <= found


def check_play(shown: Any, plays: list[Played], at: int, best: int) -> None:
    """Count again what a play was worth, in the half of the samples that judges."""

    def difference(one: int, other: int) -> tuple[float, float]:
        pairs = zip(plays[one].margins(1, 1), plays[other].margins(1, 1), strict=True)
        off = [left - right for left, right in pairs]
        return round(mean(off), 1), round(stdev(off) / 20**0.5, 1)

    assert (shown.value, shown.error) == difference(at, 0)
    assert (shown.behind, shown.behind_error) == difference(best, at)
    assert shown.asked == (at == 2) and shown.samples == 20
    assert shown.risk == round(plays[at].taken(1) / 20, 3)
    share = (plays[at].taken(1) + 1) / 22
    assert shown.risk_error == round((share * (1 - share) / 20) ** 0.5, 4)
    if at == 0:
        assert shown.why is None
        return
    for own, items, errors in (
        (1, shown.why.items, shown.why.items_error),
        (3, shown.why.others_items, shown.why.others_items_error),
    ):
        for number, item in enumerate(ITEMS):
            pairs = zip(plays[at].item(1, number, own), plays[0].item(1, number, own), strict=True)
            off = [one - other for one, other in pairs]
            assert items.get(item, 0) == round(mean(off), 1), item
            assert item not in items or errors[item] == round(stdev(off) / 20**0.5, 1)


def check_loss(loss: Loss, plays: list[Played], best: int, kind: str) -> None:
    assert (loss.kind, loss.pile, loss.decision) == (kind, 7, "turn")
    assert (loss.played, loss.better) == ("-4s", ["-4s", "-5s", "-6s"][best])
    assert (loss.risk, loss.risk_better) == (plays[0].taken(1) / 20, plays[best].taken(1) / 20)
    played, better = loss.candidates[0], loss.candidates[best]
    assert (loss.risk_error, loss.risk_better_error) == (played.risk_error, better.risk_error)
    assert better.why is not None
    assert loss.items == {item: -points for item, points in better.why.items.items()}
    assert loss.others == {item: -points for item, points in better.why.others_items.items()}
    errors = dict(loss.items_error)
    assert errors.pop("others") > 0 and errors == better.why.items_error
    assert loss.others_error == better.why.others_items_error


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [(1, 20), (19, 20), (21, 22), (20, None), (22, None), (0, None), (1_000_000, None),
     (1_000_001, 1_000_000), (999_999, 1_000_000), ("many", None)],
)  # fmt: skip
def test_numbers_of_play_outs(asked: object, nearest: int | None) -> None:
    said = wrong_rollouts(asked)
    assert bool(said) == (nearest is not None or asked == "many")
    assert said.endswith(f"; the nearest is {nearest}") == (nearest is not None)


def test_limits_of_mistakes() -> None:
    limits = Limits(10, 20)
    assert [limits.kind(loss) for loss in (9.9, 10, 19.9, 20)] == [
        "",
        "mistake",
        "mistake",
        "blunder",
    ]


# --- facts, chances and risks ---------------------------------------------------------------------

#: Records of every kind: clocks, two players, sequences, talons, hidden hands, a table at the end.
FACTS = ("kitchen-table", "profile-american-2p", "samba-deal", "seen-at-the-table", "final-tables",
         "score-sheet-2")  # fmt: skip


def lines_of(value: Any, name: str = "") -> Iterator[str]:
    """Yield a line for each value of a document that has no parts of its own."""
    flat = isinstance(value, dict) and not any(isinstance(it, dict) for it in value.values())
    if isinstance(value, dict) and not (flat and len(json.dumps(value)) < 400):
        for key, held in value.items():
            yield from lines_of(held, f"{name}.{key}")
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for at, held in enumerate(value):
            yield from lines_of(held, f"{name}[{at}]")
    else:
        yield f"{name} {json.dumps(value)}"


@pytest.mark.parametrize("name", FACTS)
def test_the_facts_of_a_record(name: str, snapshot: SnapshotAssertion) -> None:
    analysis = analyze_game(sample(name), 1, deal=1, seed=3)
    assert [each.facts.deal for each in analysis.deals] == [1]
    assert "\n".join(lines_of(analysis.to_json())) == snapshot


def valued(name: str) -> GameAnalysis:
    """Return the analysis of a game with made-up values, of which all figures differ."""
    game = page_games(readings(SAMPLES / f"{name}.canasta"))[0].story
    analysis = made_up(game, compared(game, 4), Random(name)).analysis
    random = Random(3)
    deals = []
    for deal in analysis.deals:
        assert deal.values is not None
        seats = {
            seat: SeatValues(*(random.randrange(1, 99) for _ in range(6)), *(
                random.uniform(1, 99) for _ in range(4)))
            for seat in deal.values.seats
        }  # fmt: skip
        judged = tuple(
            Judged(turn, seat, "turn", about, "-4s", random.choice((None, "-5s")),
                   0, random.uniform(-9, 99), random.uniform(1, 9), False, random.random() < 0.4,
                   ())
            for turn, about in enumerate(ABOUT, 1)
            for seat in deal.values.seats
        )  # fmt: skip
        judged = tuple(replace(each, candidates=PLAYED) for each in judged)
        deals.append(replace(deal, values=replace(deal.values, seats=seats, judged=judged)))
    return replace(analysis, deals=tuple(deals))


PLAYED = tuple(PlayValue("-4s", 0, 0, 0, 0, 0, 0, number) for number in (3, 7, 5))


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p"])
def test_a_player_has_the_sums_of_the_deals(name: str) -> None:
    analysis = valued(name)
    both = Players()
    both.add(analysis)
    both.add(replace(analysis, winner=analysis.sides[0]))
    for seat, found in zip(analysis.seats, both.figures(), strict=True):
        own = [deal.facts.seats[seat] for deal in analysis.deals] * 2
        values = [deal.values.seats[seat] for deal in analysis.deals if deal.values] * 2
        won = (analysis.winner is not None and seat in analysis.winner) + (
            seat in analysis.sides[0]
        )
        assert (found.name, found.games, found.deals) == (analysis.name(seat), 2, len(own))
        assert found.won == won
        for key in SUMMED:
            assert found.figures[key] == sum(getattr(each, key) for each in own), key
        for kind in CHANCES:
            every = [each for deal in analysis.deals for each in deal.chances]
            assert found.chances[kind] == 2 * sum(
                (each.seat, each.kind) == (seat, kind) for each in every
            )
        for key in VALUED:
            assert found.values[key] == pytest.approx(sum(getattr(each, key) for each in values))
        for key in ("loss_error", "luck_error"):
            expected = round(hypot(*(getattr(each, key) for each in values)), 1)
            assert found.values[key] == expected
        decisions = sum(each.decisions for each in values)
        assert found.loss_per_decision == round(sum(each.loss for each in values) / decisions, 1)
        error = round(hypot(*(each.loss_error for each in values)), 1)
        assert found.loss_per_decision_error == round(error / decisions, 1)
        assert player_json(found)["loss_per_decision_error"] == found.loss_per_decision_error


def test_what_is_not_known_of_one_deal_is_left_out_of_a_sum() -> None:
    analysis = analyze_game(sample("kitchen-table"), 1)
    players = Players()
    players.add(analysis, "S")
    players.add(analyze_game(sample("score-sheet-1"), 1), "S")
    for found in players.figures():
        assert found.practice is None and found.loss_per_decision is None
        assert found.loss_per_decision_error is None and found.values["decisions"] is None
    assert len(players.figures()) in (1, 2)
    analysis = replace(analysis, file="")
    both = analyses_of([analysis, replace(analysis, file="b"), replace(analysis, file="b")])
    document = both.to_json()
    assert [(each["file"], len(each["games"])) for each in document["files"]] == [("", 1), ("b", 2)]
    assert f"{both!r}" == f"<Analyses 3 games, {len(both.players)} players>"
    assert f"{analysis!r}" == "<GameAnalysis classic, 3 deals>"
    one = replace(analysis, deals=analysis.deals[:1])
    assert f"{one!r}" == "<GameAnalysis classic, 1 deal>"


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p"])
def test_a_seat_is_shown_its_own_figures_alone(name: str) -> None:
    analysis = valued(name)
    whole = game_json(analysis, decisions=True)
    for seat in analysis.seats:
        own = game_json(analysis, seat, decisions=True)
        for deal, every in zip(own["deals"], whole["deals"], strict=True):
            assert deal["seats"] == {seat: every["seats"][seat]}
            for part in ("piles", "discards", "moments", "judged"):
                expected = [each for each in every[part] if each["seat"] == seat]
                hidden = {"swing": None, "swing_error": None, "stands": None}
                if part == "piles":
                    expected = [each | hidden for each in expected]
                assert deal[part] == expected
            for part in ("curve", "curve_error", "curve_change", "stands", "turning_point"):
                assert deal[part] is None
            for side, figures in deal["sides"].items():
                shown = {key: value for key, value in figures.items() if value is not None}
                assert shown.items() <= every["sides"][side].items() and "luck" not in shown


@pytest.mark.parametrize("name", ["thursday-club", "profile-classic-3p"])
def test_the_document_has_the_values_by_turn_seat_and_side(name: str) -> None:
    """Every reference of a deal is resolved back to what it names."""
    analysis = valued(name)
    for deal, held in zip(
        game_json(analysis, decisions=True)["deals"], analysis.deals, strict=True
    ):
        values = held.values
        assert values is not None and deal["turning_point"] == values.turning_point
        assert deal["playouts"] == {"position": 0, "decisions": [14] * len(values.judged)}
        first = values.sides[analysis.sides[0]]
        assert (deal["curve"], deal["curve_change"]) == ([*first.curve], [*first.change])
        assert (deal["curve_error"], deal["stands"]) == ([*first.curve_error], [*first.stands])
        assert deal["curve_change_error"] == [*first.change_error]
        for pile, taken in zip(deal["piles"], held.facts.piles, strict=True):
            own = next(each for name, each in values.sides.items() if taken.seat in name)
            assert (pile["seat"], pile["turn"], pile["cards"]) == (
                taken.seat,
                taken.turn,
                taken.cards,
            )
            assert pile["swing"] == own.swing[taken.turn - 1]
            assert pile["swing_error"] == own.swing_error[taken.turn - 1]
            assert pile["stands"] == own.swing_stands[taken.turn - 1]
        turns = [each["turn"] for each in deal["moments"]]
        assert turns == sorted(turns)
        kinds = ("mistake", "blunder")
        losses = [each for each in deal["moments"] if each["kind"] in kinds]
        for shown, loss in zip(losses, sorted(values.losses, key=lambda it: it.turn), strict=True):
            for key in ("turn", "seat", "kind", "decision", "played", "better", "loss", "error"):
                assert shown[key] == getattr(loss, key)
            why = shown["why"]
            assert why["items"] == {**loss.items, "others": round(-sum(loss.others.values()), 1)}
            assert why["items_error"] == loss.items_error
            assert why["others_items"] == loss.others
            assert why["others_items_error"] == loss.others_error
            risks = ("risk", "risk_error", "risk_better", "risk_better_error")
            assert [why[key] for key in risks] == [getattr(loss, key) for key in risks]
        chances = [each for each in deal["moments"] if each["kind"] == "chance"]
        expected = sorted(held.chances, key=lambda each: each.turn)
        for shown, chance in zip(chances, expected, strict=True):
            assert (shown["turn"], shown["seat"], shown["chance"]) == (
                chance.turn, chance.seat, chance.kind,
            )  # fmt: skip
            assert ("cards" in shown) == (chance.kind == "take")
            assert ("rank" in shown) == (chance.kind == "canasta")
        for side in analysis.sides:
            assert deal["sides"][side]["luck"] == values.sides[side].luck
        for seat in analysis.seats:
            assert deal["seats"][seat]["luck"] == values.seats[seat].luck
            assert deal["seats"][seat]["chances"] == held.missed(seat)


def test_decisions_are_given_only_on_request_or_for_a_turn() -> None:
    analysis = valued("profile-classic-3p")
    assert {each["judged"] for each in map(dict, game_json(analysis)["deals"])} == {None}
    for each in (game_json(analysis, decisions=True), game_json(replace(analysis, turn=3))):
        assert all(len(deal["judged"]) == 15 for deal in each["deals"])
    facts = replace(analysis, deals=tuple(replace(it, values=None) for it in analysis.deals))
    for deal in game_json(facts, decisions=True)["deals"]:
        assert deal["judged"] is deal["playouts"] is deal["turning_point"] is None


@pytest.mark.parametrize("seed", range(4))
def test_what_to_practise_is_what_another_count_gives(seed: int) -> None:
    random = Random(seed)
    deals = [
        [
            Judged(1, "N", "turn", random.choice(ABOUT), "-4s", random.choice((None, "-5s")), 0,
                   random.uniform(-9, 99), random.uniform(1, 9), False, random.random() < 0.5, ())
            for _ in range(random.randrange(12))
        ]
        for _ in range(4)
    ]  # fmt: skip
    found = practice_of(deals)
    assert [each.kind for each in found] == [*ABOUT]
    for each in found:
        own = [it for deal in deals for it in deal if it.about == each.kind]
        other = [it for it in own if it.better]
        given = [it for it in other if it.gave]
        assert each.deals == sum(any(it.about == each.kind for it in deal) for deal in deals)
        assert (each.decisions, each.count, each.given) == (len(own), len(other), len(given))
        assert each.points == round(sum(it.gain for it in other), 1)
        assert each.error == round(hypot(*(it.error for it in other)), 1)
        assert each.given_points == round(sum(it.gain for it in given), 1)
        assert each.given_error == round(hypot(*(it.error for it in given)), 1)
    parts = [practice_of(deals[:1]), practice_of(deals[1:]), found]
    for at, each in enumerate(together(parts)):
        same = [part[at] for part in parts]
        for key in ("decisions", "count", "given"):
            assert getattr(each, key) == sum(getattr(it, key) for it in same)
        for key in ("points", "given_points"):
            assert getattr(each, key) == round(sum(getattr(it, key) for it in same), 1)
        for key in ("error", "given_error"):
            assert getattr(each, key) == round(hypot(*(getattr(it, key) for it in same)), 1)
        assert each.deals == max(it.deals for it in same) and each.kind == ABOUT[at]


# --- the library ----------------------------------------------------------------------------------


def test_progress_counts_the_turns_and_can_end_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def part(asked: DealToJudge, at: int, parts: int, *, tick: Any) -> judging.DealPart:
        tick()
        return judging.DealPart("NESW", (), (), {}, None, asked.deal)

    monkeypatch.setattr(judging, "deal_part", part)
    monkeypatch.setattr(judging, "deal_values", None)
    game = replace(sample("thursday-club"))
    turns = [each.turns for each in game.deals]
    seen: list[tuple[int, int]] = []
    found = cn.analyze(game, rollouts=20, cache=tmp_path, progress=lambda *it: seen.append(it))
    sums = [sum(turns[:at]) for at in range(len(turns) + 1)]
    steps = [sums[at + ended] for at in range(len(turns)) for ended in (0, 1)]
    assert [done for done, _ in seen] == [0, *steps]
    assert {total for _, total in seen} == {sum(turns)}
    assert [each.values and each.values.position for each in found.deals] == [1, 2, 3, 4, 5, 6]
    seen.clear()
    again = cn.analyze(game, rollouts=20, cache=tmp_path, progress=lambda *it: seen.append(it))
    assert again == found and seen == [(sum(turns), sum(turns))]
    with pytest.raises(cn.Cancelled, match=f"^cancelled after {sums[1]} of {sums[-1]} turns$"):
        cn.analyze(game, rollouts=22, progress=lambda done, total: done < sums[1])
    for more in ({"seed": 1}, {"rollouts": 22}, {"rules": "classic-strict"}):
        seen.clear()
        cn.analyze(game, **{"rollouts": 20, **more}, cache=tmp_path, deal=1,
                   progress=lambda *it: seen.append(it))  # fmt: skip
        assert seen == [(0, turns[0]), (0, turns[0]), (turns[0], turns[0])]


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({"deal": 7}, LookupError, "no deal 7; the game has 6"),
        ({"deal": 0}, LookupError, "no deal 0; the game has 6"),
        ({"deal": 1, "turn": 33}, LookupError, "no turn 33; the deal has 32"),
        ({"deal": 1, "turn": 0}, LookupError, "no turn 0; the deal has 32"),
        ({"game": 3}, LookupError, "no game 3; the last is 2"),
        ({"turn": 1}, ValueError, "turn: name the deal too"),
        ({"deal": 1, "plays": ["-4s"], "rollouts": 20}, ValueError, "plays: name the turn too"),
        ({"deal": 1, "turn": 1, "plays": ["-4s"]}, ValueError, "plays are compared by play-outs: "),
        ({"deal": 1, "turn": 1, "plays": ["-4s"] * 11, "rollouts": 20}, ValueError,
         "plays: at most 10, not 11"),
        ({"deal": 1, "turn": 1, "plays": "-4s", "rollouts": 20}, TypeError,
         "plays must be a list of plays, not one text"),
        ({"jobs": -1}, ValueError, "jobs must be 0 (one per CPU) or more, not -1"),
    ],
)  # fmt: skip
def test_what_the_library_refuses(asked: dict[str, Any], error: type[Exception], said: str) -> None:
    game = sample("thursday-club")
    with pytest.raises(error) as why:
        cn.analyze([game, replace(game, number=2)], **asked)
    assert str(why.value).startswith(said)


def test_one_game_of_several_and_the_last_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sample("first-deal")
    other = replace(sample("kitchen-table"), number=2)
    found = cn.analyze([game, other], game=2)
    assert [(each.game, len(each.deals)) for each in found.games] == [(2, 3)]
    last = cn.analyze([game, other], deal=1)
    assert [(each.game, len(each.deals)) for each in last.games] == [(1, 1), (2, 1)]
    assert cn.analyze(game, deal=1, turn=8).deals == cn.analyze(game).deals
