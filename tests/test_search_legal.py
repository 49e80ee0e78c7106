"""`canasta legal` and `canasta generate`, and legal plays of records with unwritten cards."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from canasta_notation import LiveGame, format_cards, legal_plays, parse_cards, walk
from canasta_notation.cards import TEXT
from canasta_notation.cli.app import app
from canasta_notation.engine.table import MAYBE, NO, NOT_KNOWN, YES
from canasta_notation.notation.document import Turn
from canasta_notation.notation.format import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.players.seated import play_named_game
from canasta_notation.replay.header import read_header
from canasta_notation.replay.steps import find_tables
from canasta_notation.report.plays import find_choices, legal_json
from canasta_notation.resources import packaged_text
from canasta_notation.rules import load_profile, profile_names
from canasta_notation.search import ending, placed, plans
from canasta_notation.search import legal as search_legal
from canasta_notation.search.able import able_to_take
from canasta_notation.search.ending import find_ending
from canasta_notation.search.known_ends import KnownEnds
from canasta_notation.search.plans import Budget, Worth
from tests.offered import wrong_takes
from tests.sweep import records

RUN = CliRunner()
SCHEMA = json.loads(packaged_text("schemas", "legal.schema.json"))

SAMPLES = Path(__file__).parent.parent / "samples"

#: The pile's top is a queen; south holds a pair of queens, and needs 50 points to open.
SMALL = """[CGN "1"]
[Rules "classic"]

deal 1 dealer N
E: 4s 5s 6s 7s 8s 9s Ts Js Ks 4h 5h
S: Qs Qd Ks Kd Kc 2c 7h 8h 9h Th 4d
up 9c
1. E +Qh -Qh
"""


def test_the_document_fits_its_schema_in_every_game() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    judge = Draft202012Validator(SCHEMA)
    for name in profile_names():
        profile = load_profile(name)
        game = play_game(profile, 2, deals=1)
        turns = sum(isinstance(line, Turn) for line in game.deals[0].play)
        for turn in range(1, turns + 2, 3):
            position = find_choices("a", game, 1, 1, turn, profile)
            assert position is not None
            judge.validate(json.loads(json.dumps(legal_json(position))))


def test_ways_to_take_and_why_not(tmp_path: Path) -> None:
    path = tmp_path / "small.canasta"
    path.write_text(SMALL, "utf-8")
    result = RUN.invoke(app, ["legal", str(path), "--deal", "1", "--turn", "2", "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["seat"] == "S"
    ways = {each["way"]: each for each in document["takes"]}
    assert ways["pair"]["legal"] and ways["pair"]["cards"] == ["Qs", "Qd"]
    refusal = ways["with-wild"]["refusal"]
    assert (refusal["code"], refusal["rule"]["key"]) == (
        "pile-frozen",
        "pile.frozen_until_opened",
    )


def test_groups_after_a_take_say_what_they_count() -> None:
    (reading,) = read_text(SMALL + "2. S ^Qh Q:QsQd K:KsKdKc -4d\n")
    position = find_choices("a", reading.game, 1, 1, 2, load_profile("classic"))
    assert position is not None and position.after is not None
    counts = {
        (each.rank, len(each.cards), each.wilds): each.count for each in position.after.groups
    }
    assert counts[10, 2, 0] == 30  # the queens with the top card: kings can follow
    assert counts[11, 3, 0] == 30
    assert all(choice.refusal for choice in position.after.discards)


@pytest.mark.parametrize("name", ["classic", "bolivia", "american-4p", "bga"])
def test_no_take_of_a_record_as_seen_is_an_error(name: str) -> None:
    """No hand opens a frozen pile to a meld, or has a pair of which every card is seen."""
    assert [*wrong_takes(name, records(name, 0)["table"])] == []


def test_unwritten_cards_leave_plays_uncertain() -> None:
    (reading,) = read_text(SMALL + "2. S + -4d\n3. W + -Qc\n")
    position = find_choices("a", reading.game, 1, 1, 4, load_profile("classic"))
    assert position is not None
    assert not position.start.known
    assert [(way.way, way.refusal, way.certain) for way in position.start.takes] == [
        ("pair", None, False)
    ]


@pytest.mark.parametrize(
    ("hand", "opening", "ways"),
    [
        ("Ks Kd Kc 4s 5s 6s 7s 8s 9s Ts Js", "-4s", [("pair", None)]),
        ("4s 5s 6s 7s 8s 9s Ts Js As Ks 2c", "-4s", [("pair", "no-pairs")]),
        (
            "Ks Kd Kc As Ad Ac 7s 8s 9s Ts 2c",
            "K:KsKdKc A:AsAdAc -7s",
            [("join", None), ("pair", "no-pairs"), ("with-wild", None)],
        ),
    ],
)
def test_ways_to_take_a_pile_whose_top_is_not_written(
    hand: str, opening: str, ways: list[tuple[str, str | None]]
) -> None:
    text = f'[CGN "1"]\ndeal 1 dealer N\nE: {hand}\nup 9c\n1. E +Qh {opening}\n'
    (reading,) = read_text(text + "2. S + -4d\n3. W + -4c\n4. N + -_\n")
    position = find_choices("a", reading.game, 1, 1, 5, load_profile("classic"))
    assert position is not None
    found = position.start.takes
    assert [(way.way, way.refusal and way.refusal.message) for way in found] == ways
    assert all(way.certain is (way.refusal is not None) for way in found)


UNOPENED = " [pile.frozen_until_opened]"


@pytest.mark.parametrize(
    ("up", "turns", "reasons"),
    [
        ("9c", "", [f"9c (the whole pile) with 9h: no, the hand has no second nine {UNOPENED}"]),
        ("6c", "", [f"6c (the whole pile): no, the hand has no pair of sixes {UNOPENED}"]),
        (
            "3s",
            "",
            ["3s (the whole pile): no, a pile with 3s on top cannot be taken  [pile.blockers]"],
        ),
        (
            "Kc",
            "",
            [
                "Kc (the whole pile) with Ks Kd: no, the hand cannot open this way: at a total of "
                "0 an opening needs 50  [opening.table]"
            ],
        ),
        (
            "9c",
            "1. E +4c -Th\n",
            [
                f"Th and the pile of 2 with Ts: no, the hand has no second ten {UNOPENED}",
                "Th and the pile of 2 with Ts 2c: no, the pile is frozen until the side opens: "
                f"taking Th needs two tens from the hand {UNOPENED}",
            ],
        ),
    ],
)
def test_a_refused_take_is_explained_in_a_player_s_words(
    tmp_path: Path, up: str, turns: str, reasons: list[str]
) -> None:
    hands = ["S: Qs Qd 9s 8s 7s 5s 4d 2c Ts 4h 6h", "E: Ks Kd 9h 8h 7h 5h 4c 4s 6s Th Jh"]
    text = '[CGN "1"]\n[Rules "classic"]\n\ndeal 1 dealer N\n' + "\n".join(hands)
    if up == "6c":
        text = text.replace("6s", "As")
    path = tmp_path / "take.canasta"
    path.write_text(f"{text}\nup {up}\n{turns}", "utf-8")
    turn = turns.count("\n") + 1
    result = RUN.invoke(
        app,
        ["legal", str(path), "--deal", "1", "--turn", str(turn)],
        env={"COLUMNS": "200"},
    )
    said = [line[9:] for line in result.stdout.splitlines() if line.startswith("takes")]
    assert said == reasons


def test_discards_with_one_reason_are_listed_together(tmp_path: Path) -> None:
    path = tmp_path / "american.canasta"
    path.write_text(format_game(play_game(load_profile("american-2p"), 5, deals=1)), "utf-8")
    result = RUN.invoke(app, ["legal", str(path), "--deal", "1", "--turn", "3"])
    lines = [line for line in result.stdout.splitlines() if line.startswith("  discards")]
    assert lines == [
        "  discards 3c: no, such a three is never discarded",
        "  discards 4s 7s 9s Js Qd Ah",
        "  discards 2c *: no, other cards can be discarded  [discard.banned]",
    ]


def test_the_library_lists_the_plays_of_every_state() -> None:
    """A position of a record has the plays that a live game has there, and the same refusals."""
    (reading,) = read_text((SAMPLES / "first-deal.canasta").read_text("utf-8"))
    steps, report = walk(reading.game)
    assert report.verdict == "verified"
    for step in steps[:-1]:
        turn, actions = (step.turn + 1, 0) if step.last else (step.turn, step.action + 1)
        plays = legal_plays(reading.game, step.deal, turn, actions)
        live = LiveGame.from_record(reading.game, turn=turn, actions=actions).legal()
        assert str(plays) == str(live) and plays.phase == ("play" if actions else "draw")
    opened = legal_plays(reading.game, 1, 7, 1)
    assert [each.text for each in opened.plays if each.kind == "discard"] == ["-6s", "-Jc"]


def test_plays_that_unwritten_cards_decide_are_apart() -> None:
    (reading,) = read_text(SMALL.replace(" 9h Th 4d", " ...") + "2. S +_\n")
    plays = legal_plays(reading.game, 1, 2, 1)
    assert "K:KsKd2c" in plays.texts() and "-_" not in plays.texts()
    assert {"ask", "-_"} <= {each.text for each in plays.uncertain}
    start = legal_plays(reading.game, 1, 2)
    assert "^Qh" in start.texts() and not start.uncertain


@pytest.mark.parametrize("where", [(2, 1, 0), (1, 10, 0), (1, 8, 9), (1, 1, -1), (0, 1, 0)])
def test_a_position_that_does_not_exist(where: tuple[int, int, int]) -> None:
    (reading,) = read_text((SAMPLES / "first-deal.canasta").read_text("utf-8"))
    with pytest.raises(LookupError):
        legal_plays(reading.game, *where)


def test_cards_are_spelled_and_read_back() -> None:
    codes = tuple(range(len(TEXT)))
    assert parse_cards(format_cards(codes)) == codes
    assert parse_cards(format_cards(codes, " ")) == codes


def test_a_missing_deal_or_turn_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.canasta"
    path.write_text(SMALL, "utf-8")
    for arguments in (["--deal", "2", "--turn", "1"], ["--deal", "1", "--turn", "7"]):
        result = RUN.invoke(app, ["legal", str(path), *arguments])
        assert result.exit_code == 2


def test_generated_files_contain_the_games(tmp_path: Path) -> None:
    profile = load_profile("bga")
    expected = [play_named_game(profile, seed, "random", deals=1) for seed in (7, 8)]
    for suffix in ("canasta", "json", "jsonl"):
        path = tmp_path / f"out.{suffix}"
        arguments = ["generate", "--games", "2", "--seed", "7", "--rules", "bga", "--deals", "1"]
        assert RUN.invoke(app, [*arguments, "-o", str(path)]).exit_code == 0
        result = RUN.invoke(app, ["validate", str(path), "--json"])
        assert json.loads(result.stdout)["verdict"] == "verified"
    text = (tmp_path / "out.canasta").read_text("utf-8")
    assert text == "\n".join(format_game(game) for game in expected)


def test_a_record_that_ends_within_a_turn() -> None:
    """The last line may have only a draw, or a draw and groups."""
    (reading,) = read_text(SMALL + "2. S +Jh\n")
    plays = legal_plays(reading.game, 1, 2, 1)
    assert plays.phase == "play" and "-Jh" in plays.texts()
    (reading,) = read_text(SMALL + "2. S +Jh K:KsKdKc Q:QsQd2c\n")
    assert {each.counted for each in legal_plays(reading.game, 1, 2, 2).plays} >= {70}
    assert "discard" in {each.kind for each in legal_plays(reading.game, 1, 2, 3).plays}
    with pytest.raises(LookupError):
        legal_plays(reading.game, 1, 2, 4)
    (reading,) = read_text(SMALL + "2. S +Jh -Jh\n")
    with pytest.raises(LookupError):
        legal_plays(reading.game, 1, 2, 2)


def test_a_penalty_before_a_turn_is_not_a_position_of_it() -> None:
    (reading,) = read_text(SMALL + "penalty NS 50 upcard\n2. S +Jh -Jh\n")
    assert legal_plays(reading.game, 1, 2, 1).phase == "play"


# --- very long hands ----------------------------------------------------------------------------


@pytest.fixture(name="low_limit")
def _low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the searches for a list of plays stop early; the search for one play keeps its limit."""
    if not str(search_legal.__file__).endswith(".py"):
        pytest.skip("the names of a compiled module cannot be replaced")
    monkeypatch.setattr(search_legal, "Budget", lambda: Budget(400))


@pytest.mark.usefixtures("low_limit")
def test_no_search_grows_more_plans_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = 0

    def count(*values: Any, **named: Any) -> Worth:
        nonlocal grown
        grown += 1
        return Worth(*values, **named)

    game = LiveGame("american-2p deal.hand=46", seed=2)
    game.deal()
    game.play(game.due, "+")
    monkeypatch.setattr(plans, "Worth", count)
    groups = game._dealt_table().continuations().groups
    assert 0 < grown <= 400 * (1 + len(groups))


@pytest.mark.usefixtures("low_limit")
def test_a_very_long_hand_stops_at_the_limit(tmp_path: Path) -> None:
    """Plays that the search did not decide are not called illegal."""
    game = LiveGame("american-2p deal.hand=46", seed=2)
    game.deal()
    seat = game.due
    drawn = game.play(seat, "+")
    legal = game.legal()
    assert not legal.complete
    assert any(play.kind == "discard" for play in legal.plays)
    path = tmp_path / "long.canasta"
    path.write_text(f"{game.to_record()}1. {seat} {drawn.text}\n", "utf-8")
    arguments = ["legal", str(path), "--deal", "1", "--turn", "1"]
    assert "the hand is too large to try everything" in RUN.invoke(app, arguments).stdout
    document = json.loads(RUN.invoke(app, [*arguments, "--json"]).stdout)
    Draft202012Validator(SCHEMA).validate(document)
    assert document["complete"] and not document["after"]["complete"]
    groups = document["after"]["groups"]
    decided = sum(group["certain"] for group in groups)
    assert decided == sum(play.kind == "lay" for play in legal.plays) < len(groups)


@pytest.mark.usefixtures("low_limit")
@pytest.mark.parametrize("name", profile_names())
def test_first_looks_change_no_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick checks decide the same as a trial of every play."""
    rng = random.Random(name)
    game = LiveGame(name, seed=6)
    game.deal()
    seen = []
    while not game.deal_over:
        plays = game.legal()
        if rng.random() < 0.3:
            seen.append((game.copy(), plays))
        game.play(game.due, rng.choice(list(plays.texts())))
    monkeypatch.setattr(search_legal, "discards_plainly", lambda table, code: False)
    monkeypatch.setattr(search_legal, "_discarded", lambda table, lay, held: None)
    monkeypatch.setattr(ending, "discards_plainly", lambda table, code: False)
    monkeypatch.setattr(plans.Planner, "_may_leave", lambda planner: True)
    monkeypatch.setattr(placed.PlacedPlanner, "_may_leave", lambda planner: True)
    monkeypatch.setattr(placed.PlacedPlanner, "_may_leave_late", lambda planner: True)
    monkeypatch.setattr(placed.PlacedPlanner, "_others_fit", lambda planner, runs: True)
    monkeypatch.setattr(placed.PlacedPlanner, "_dead_end", lambda planner: False)
    monkeypatch.setattr(KnownEnds, "plain_end", lambda ends, lay: None)
    monkeypatch.setattr(KnownEnds, "none", lambda ends: False)
    monkeypatch.setattr(KnownEnds, "_fitted", lambda ends, lay, known: ())
    assert len(seen) > 5
    for position, plays in seen:
        assert str(position.legal()) == str(plays)
        assert position.legal().plays == plays.plays


@pytest.mark.usefixtures("low_limit")
@pytest.mark.parametrize("seed", range(4))
def test_a_bot_is_never_stuck_however_long_the_hand(seed: int) -> None:
    rng = random.Random(seed)
    game = LiveGame("american-2p deal.hand=40", seed=seed)
    game.deal()
    undecided = 0
    for _ in range(40):
        legal = game.legal()
        undecided += not legal.complete
        game.play(game.due, rng.choice(list(legal.texts())))
    assert undecided


def test_a_take_that_was_not_decided_is_neither_legal_nor_illegal() -> None:
    text = SMALL.replace('"classic"', '"classic pile.onto_meld=no"')
    (table,) = find_tables(next(iter(read_text(text))).game, 1, 2)
    seat = table.due
    assert able_to_take(table, seat) == YES
    assert able_to_take(table, seat, Budget(0)) == MAYBE
    short = text.replace("Qs Qd Ks Kd Kc", "5s 5d Ks Kd Kc")
    (table,) = find_tables(next(iter(read_text(short))).game, 1, 2)
    assert able_to_take(table, seat, Budget(0)) == NO


def test_a_hand_without_a_pair_cannot_open_with_the_pile_whatever_the_total() -> None:
    for hand, able in (("Qs Qd", MAYBE), ("Qs 5d", NO)):
        text = SMALL.replace("Qs Qd", hand)
        (table,) = find_tables(next(iter(read_text(text))).game, 1, 2)
        table.minimums[table.rules.side_of[table.due]] = NOT_KNOWN
        assert able_to_take(table, table.due) == able


def test_an_end_of_the_turn_that_was_not_decided() -> None:
    tables = find_tables(next(iter(read_text(SMALL + "2. S ^Qh Q:QsQd\n"))).game, 1, 2)
    ending = find_ending(tables[2])
    assert ending is not None and ending.certain and ending.actions
    ending = find_ending(tables[2], Budget(0))
    assert ending is not None and not ending.certain and not ending.actions


def test_plays_are_listed_in_the_words_of_a_player() -> None:
    path = SAMPLES / "thursday-club.canasta"
    result = RUN.invoke(app, ["legal", str(path), "--deal", "1", "--turn", "16"])
    assert result.stdout.splitlines()[:5] == [
        "deal 1, turn 16: N Ana (classic)",
        "draws    1 card",
        "takes    Jh and the pile of 16 with Jd Jc",
        "after taking Jh and the pile of 16:  ^Jh/16",
        "  melds    jacks Jd Jc (3 cards)  J:JdJc",
    ]
    result = RUN.invoke(app, ["legal", str(path), "--deal", "2", "--turn", "34"])
    assert "  goes out adding Jd to the jacks, discarding 9s  J:Jd -9s" in result.stdout


#: E holds a three that it must table, and a straight but for a joker; W has just opened.
COURTESY = """[CGN "1"]
[Rules "american-4p special.courtesy=yes"]

deal 1 dealer S
E: 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ac 2c
1. W +8c A:AsAhAd2s2h K:KsKhKd -9c
2. N +5d -5d
3. E +* straight:3s4s5s6s7s8s9sTsJsQsKsAc2c* #
"""


def test_a_three_may_stay_in_a_special_hand_after_the_partner_s_opening() -> None:
    for record, complete in ((COURTESY, True), (COURTESY.replace("Ks", "Qh"), False)):
        [reading] = read_text(record)
        profile = read_header(reading.game, 1).profile
        assert profile is not None
        found = find_choices("a", reading.game, 1, 1, 3, profile)
        assert found is not None and found.start.threes
        assert found.start.must_table is not complete
        assert bool(found.start.stock and found.start.stock.special) is complete
        assert [way.refusal.code for way in found.start.takes if way.refusal] == (
            ["replacement"] if complete else []
        )
        assert found.after is not None and [each.kind for each in found.after.specials] == (
            ["straight"] if complete else []
        )
        judge = Draft202012Validator(SCHEMA)
        judge.validate(json.loads(json.dumps(legal_json(found))))


@pytest.mark.parametrize("rules", ["classic", "samba", "uruguay"])
def test_a_red_three_on_the_pile_is_not_taken(rules: str) -> None:
    """Nobody may discard it, but a record can have it; no meld holds it."""
    profile = load_profile(rules)
    hand = "deal 1 dealer N\nE: 3h 4 4 5 5 6 6 7 7 8 8\nup 9c\n1. E + -3h\n"
    [reading] = read_text(f'[CGN "1"]\n[Rules "{rules}"]\n\n{hand}')
    found = find_choices("a", reading.game, 1, 1, 2, profile)
    assert found is not None
    assert [way.refusal.code for way in found.start.takes if way.refusal] == ["pile-frozen"]
