"""The analysis: facts against another count, chances, the story, the table, JSON.

CANASTA_ANALYSIS_DEALS sets how many deals of each profile and player are counted twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

import canasta_notation as cn
from canasta_notation.analysis import chances, risk
from canasta_notation.cli.app import app
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import Table
from canasta_notation.language.languages import LANGUAGES
from canasta_notation.players.hidden import Hidden
from canasta_notation.players.random_game import play_game
from canasta_notation.players.seated import play_named_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.moment import Moment
from canasta_notation.resources import packaged_text
from canasta_notation.rules import Profile
from canasta_notation.search.legal import canasta_groups
from tests.programs import analyzed
from tests.random_games import SAMPLED, rules_named

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
DEALS = int(os.environ.get("CANASTA_ANALYSIS_DEALS", "2"))
SCHEMA = json.loads(packaged_text("schemas", "analysis.schema.json"))


@pytest.fixture
def few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Risks from few hands, for tests in which they do not matter."""
    monkeypatch.setattr(risk, "SAMPLES", 2)


# --- facts ----------------------------------------------------------------------------------------

#: The points of cards by the first letter of their texts.
VALUES = {
    **dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "2": 20, "*": 50,
}  # fmt: skip


def value(card: str, profile: Profile) -> int:
    own = dict(pair.split(":") for pair in profile.spelled("score.cards").split(",") if ":" in pair)
    if card[0] in own:
        return int(own[card[0]])
    if card[0] == "3":
        return 0 if card[1] in "hdr" else 5
    return VALUES[card[0]]


def wild(cards: Any) -> int:
    return sum(card[0] in "2*" for card in cards)


def turns_of(positions: list[cn.Position]) -> Iterator[tuple[cn.Position, list[cn.Position]]]:
    """Yield, for each turn, the position before it and those in it; no penalty or bonus."""
    before = positions[0]
    played = [each for each in positions[1:] if not each.last.startswith(("penalty", "bonus"))]
    for _, steps in groupby(played, lambda each: each.turn):
        listed = list(steps)
        yield before, listed
        before = listed[-1]


def melded(position: cn.Position, side: str) -> int:
    return sum(map(len, position.melds[side].values())) + len(position.state.special)


def counted(positions: list[cn.Position], profile: Profile) -> dict[str, dict[str, int | None]]:
    """Count the facts of a deal from its positions alone."""
    first, most_taken = positions[0], rules_of(profile).most_taken
    keys = ("turns", "drawn", "takes", "taken", "gifts", "given", "froze", "laid", "wilds")
    facts: dict[str, dict[str, Any]] = {seat: dict.fromkeys(keys, 0) for seat in first.seats}
    for seat in first.seats:
        facts[seat]["wilds"] = wild(first.hands[seat])
        facts[seat]["opened_at"] = None
    gave = None
    for before, steps in turns_of(positions):
        after, seat = steps[-1], steps[0].last[0]
        side = next(each for each in first.sides if seat in each)
        own = facts[seat]
        own["turns"] += 1
        assert before.stock is not None and after.stock is not None
        own["drawn"] += before.stock - after.stock
        if after.stock > before.stock:  # A pot has become the stock.
            own["drawn"] += profile["packet.size"][0]
        words = [step.last[2:] for step in steps]
        took = before.stock == steps[0].stock
        if took:
            own["takes"] += 1
            pile = before.pile[-most_taken:]
            own["taken"] += len(pile)
            own["wilds"] += wild(pile)
            if gave:
                facts[gave]["gifts"] += 1
                facts[gave]["given"] += len(pile)
        for word in words:
            if word[0] == "+" or word.startswith(("talon", "foot:", "pot:")):
                cards = word.partition(":")[2] or word
                cards = cards.replace("+", "")
                own["wilds"] += wild(cn.format_card(code) for code in cn.parse_cards(cards))
        own["laid"] += melded(after, side) - melded(before, side)
        discard = next((at for at, word in enumerate(words) if word[0] == "-"), 0)
        stays = took and len(before.pile) > most_taken
        was_frozen = [before, *steps][discard].frozen if stays else before.frozen and not took
        own["froze"] += bool(after.frozen and not was_frozen)
        if after.opened[side] and not before.opened[side]:
            own["opened_at"] = after.turn
        gave = seat if any(word[0] == "-" for word in words) else None
    for seat in first.seats:
        facts[seat]["held"] = sum(value(card, profile) for card in positions[-1].hands[seat])
    return facts


def played_deals(name: str, player: str) -> Iterator[cn.Game]:
    """Yield games of a player against itself until they have enough deals."""
    profile = rules_named(name)
    deals = seed = 0
    while deals < DEALS:
        game = play_named_game(profile, seed, player, min(12, DEALS - deals))
        yield game
        deals += len(game.deals)
        seed += 1


@pytest.mark.usefixtures("few_hands")
@pytest.mark.parametrize("player", ["random", "careful"])
@pytest.mark.parametrize("name", [*SAMPLED, "classic pile.take=3"])
def test_the_facts_are_those_that_the_positions_show(name: str, player: str) -> None:
    profile = rules_named(name)
    for game in played_deals(name, player):
        deals = [
            counted(list(each), profile)
            for _, each in groupby(cn.positions(game), lambda each: each.deal)
        ]
        found = cn.analyze(game).to_json()["deals"]
        for expected, deal in zip(deals, found, strict=True):
            for seat, facts in expected.items():
                counts = {key: deal["seats"][seat][key] for key in facts}
                assert counts == facts, (name, deal["deal"], seat)


@pytest.mark.usefixtures("few_hands")
def test_the_analysis_of_samples_fits_the_schema() -> None:
    whole = [
        SAMPLES / f"{name}.canasta" for name in ("final-tables", "score-sheet-1", "samba-deal")
    ]
    document = json.loads(analyzed(str(SAMPLES / "broken"), *map(str, whole), "--json", code=1))
    Draft202012Validator(SCHEMA).validate(document)
    assert len(document["files"]) > 50


def test_every_field_is_described() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for part in SCHEMA["$defs"].values():
        assert all("description" in each or "$ref" in each for each in part["properties"].values())


def test_a_sheet_shows_only_its_scores() -> None:
    [game] = cn.read(SAMPLES / "score-sheet-1.canasta")
    deal = cn.analyze(game).deals[0].facts
    assert deal.sheet and deal.sides["NS"].score == 675
    assert {each for seat in deal.seats.values() for each in (seat.turns, seat.held)} == {None}
    assert "Only the scores were recorded." in analyzed(str(SAMPLES / "score-sheet-1.canasta"))


def test_a_sheet_of_totals_shows_the_scores(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.canasta"
    sheet.write_text('[CGN "1"]\n\ndeal 1 dealer N\ntotal NS 280 EW 640\n', "utf-8")
    [game] = cn.read(sheet)
    sides = cn.analyze(game).deals[0].facts.sides
    assert [each.score for each in sides.values()] == [280, 640]
    shown = CliRunner().invoke(app, ["replay", str(sheet)]).stdout
    assert "  NS      280   total 280\n  EW      640   total 640\n" in shown


def test_canastas_within_reach_are_found_without_a_search_for_all_groups() -> None:
    """Sequences are among them; for these, the cards of the suit count."""
    found: set[str] = set()

    def observe(moment: Moment) -> None:
        if moment.is_within_turn and moment.action == 0 and not moment.table.ended:
            groups = [each for each in canasta_groups(moment.table) if each.canasta]
            places = {each.rank for each in groups if each.certain}
            assert {each.rank for each in chances._canastas(moment.table)} == places
            found.update(each.canasta for each in groups)

    replay_game(play_named_game(cn.load_profile("bolivia"), 0, "random", 1), observer=observe)
    assert "sequence" in found


def test_unseen_hands_leave_chances_and_wild_cards_open() -> None:
    [game] = cn.read(SAMPLES / "seen-at-the-table.canasta")
    deal = cn.analyze(game).deals[0]
    assert deal.facts.seats["N"].turns == 2 and deal.known == frozenset()
    assert deal.missed("N") == dict.fromkeys(("out", "canasta", "open", "take"))


def test_what_follows_an_unreadable_line_is_not_counted(tmp_path: Path) -> None:
    text = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    lines = text.split("\n")
    at = next(place for place, line in enumerate(lines) if line.startswith("3. "))
    broken = tmp_path / "broken.canasta"
    broken.write_text("\n".join([*lines[:at], "3. ???", *lines[at + 1 :]]), "utf-8")
    [game] = cn.read(broken)
    deal = cn.analyze(game).deals[0].facts
    assert (deal.replayed, deal.turns > 2) == (2, True)
    assert sum(seat.turns or 0 for seat in deal.seats.values()) == 2
    assert {seat.held for seat in deal.seats.values()} == {None}
    assert "The play could be followed only to turn 2 of 7." in analyzed(str(broken), code=1)


def test_rules_that_cannot_be_read_are_named() -> None:
    done = CliRunner().invoke(app, ["analyze", str(SAMPLES / "broken" / "rules-unknown.canasta")])
    assert done.exit_code == 1 and "there is no profile clasic" in done.stderr


def test_one_seat_and_one_deal() -> None:
    club = str(SAMPLES / "thursday-club.canasta")
    document = json.loads(analyzed(club, "--deal", "3", "--seat", "S", "--json"))
    [deal] = document["files"][0]["games"][0]["deals"]
    assert deal["deal"] == 3 and [*deal["seats"]] == ["S"]
    assert {each["seat"] for each in deal["moments"]} == {"S"}
    assert [each["name"] for each in document["players"]] == ["Carla"]
    done = CliRunner().invoke(app, ["analyze", club, "--deal", "9"])
    assert done.exit_code == 2 and "has no deal 9" in done.stderr


def test_the_story_and_the_table(snapshot: SnapshotAssertion) -> None:
    shown = analyzed("samples/thursday-club.canasta", "--deal", "3")
    assert shown == snapshot


def test_the_tables_fit_a_terminal() -> None:
    files = [str(SAMPLES / f"{name}.canasta") for name in ("first-deal", "profile-classic-6p")]
    for language in LANGUAGES:
        shown = analyzed(*files, "--language", language)
        assert max(map(len, shown.splitlines())) <= 80


def test_any_number_of_processes_prints_the_same() -> None:
    first = str(SAMPLES / "first-deal.canasta")
    assert analyzed(first, first, "--json", "--jobs", "2") == analyzed(first, first, "--json")


# --- risk -----------------------------------------------------------------------------------------


def test_cards_that_a_player_took_and_holds_are_seen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real = risk.Cards
    takers = set[int]()

    def checked(hidden: Hidden, play: Table) -> risk.Cards:
        cards = real(hidden, play)
        others = sum(play.hand_sizes) - play.hand_sizes[play.seat]
        threes = sum(play.rules.rank_copies[rank] for rank in range(2) if play.rules.tabled[rank])
        tabled = sum(play.threes)
        assert cards.pool.total() == play.stock_most + others - sum(hidden.known) - threes + tabled
        takers.add(cards.known.total())
        return cards

    monkeypatch.setattr(risk, "Cards", checked)
    game = play_named_game(cn.load_profile("classic-3p"), 3, "careful", 1)
    assert any(each.risk for deal in cn.analyze(game).deals for each in deal.risks)
    assert len(takers) > 1


@pytest.mark.parametrize("name", ["classic", "classic-2p", "bga"])
def test_the_risks_add_up_to_the_piles_that_could_be_taken(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within four standard deviations; random play shows little about the hands."""
    monkeypatch.setattr(risk, "SAMPLES", 40)
    risks = [
        each
        for seed in range(2)
        for deal in cn.analyze(play_game(cn.load_profile(name), seed, deals=4)).deals
        for each in deal.risks
    ]
    for errors in (False, True):
        known = [
            (each.risk, each.error, each.takeable)
            for each in risks
            if each.risk is not None and each.error is not None and bool(each.error) == errors
        ]
        assert len(known) > 40
        off = sum(bool(taken) - chance for chance, _, taken in known)
        assert off**2 < 16 * sum(chance * (1 - chance) + error**2 for chance, error, _ in known)
        sure = [(chance, taken) for chance, error, taken in known if chance in (0, 1) and not error]
        assert all(taken == bool(chance) for chance, taken in sure)


def chances_of(game: cn.Game, seed: int = 0) -> list[tuple[float | None, float | None]]:
    return [(each.risk, each.error) for each in cn.analyze(game, seed=seed).deals[0].risks]


def test_a_risk_that_counting_decides_is_estimated_near_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_named_game(cn.load_profile("classic"), 5, "careful", 1)
    counted = chances_of(game)
    monkeypatch.setattr(risk, "_counted", lambda *_: None)
    far = 0
    for (chance, error), (exact, none) in zip(chances_of(game), counted, strict=True):
        assert chance is not None and error
        if none == 0:
            assert exact is not None
            far += abs(chance - exact) > 3 * error
    assert far <= 1
    assert chances_of(game) != chances_of(game, 1)


def test_by_american_rules_risks_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(risk, "SAMPLES", 6)
    game = play_named_game(cn.load_profile("american-2p"), 1, "careful", 1)
    assert any(error for _, error in chances_of(game))
    assert all(chance is not None for chance, _ in chances_of(game))


def test_a_seat_whose_hand_is_not_seen_has_no_risks() -> None:
    [game] = cn.read(SAMPLES / "seen-at-the-table.canasta")
    assert {*chances_of(game)} == {(None, None)}


def test_a_player_is_one_in_every_unicode_form(tmp_path: Path) -> None:
    record = (SAMPLES / "first-deal.canasta").read_text("utf-8")
    for at, name in enumerate(("Zo\u00eb", "Zoe\u0308", " Zo\u00eb ")):
        (tmp_path / f"{at}.canasta").write_text(record.replace('"Ana"', f'"{name}"'), "utf-8")
    done = CliRunner().invoke(app, ["analyze", "--json", str(tmp_path)])
    players = json.loads(done.stdout)["players"]
    assert [each["name"] for each in players].count("Zo\u00eb") == 1 and len(players) == 4
