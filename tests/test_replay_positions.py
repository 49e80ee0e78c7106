"""Positions agree with the states that they show, in games of every profile and in rulings."""

from __future__ import annotations

import io
import pickle
import tomllib
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from canasta_notation import format_game, load_profile, read_text
from canasta_notation.cards import KIND, PLACE_OF, SEQUENCE, kinds
from canasta_notation.engine.state import Snapshots, State, hand_states, side_states, snapshot
from canasta_notation.notation.document import Game
from canasta_notation.notation.reader import read_games
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import DealReport
from canasta_notation.replay.moment import Moment
from canasta_notation.replay.steps import walk
from canasta_notation.report.seat_view import hide_state
from canasta_notation.rules import profile_names

RULINGS = sorted((Path(__file__).parent / "rulings").glob("*.toml"))
SAMPLES = sorted((Path(__file__).parent.parent / "samples").rglob("*.canasta"))


def check(game: Game) -> int:
    """Compare the position after each action with the table; return how many there are."""
    states: list[State] = []
    last: dict[int, int] = {}

    def observe(moment: Moment) -> None:
        play = moment.table
        last[moment.deal] = len(states)
        state = snapshot(play)
        assert (state.hands, state.sides) == (hand_states(play), side_states(play))
        states.append(plain(state))

    report = replay_game(game, observer=observe)
    for at, place in last.items():
        if is_over_by_stock(report.deals[at - 1]):
            states[place] = states[place].with_parts(ended="stock")
    steps, _ = walk(game)
    assert [plain(step.state) for step in steps] == states
    for step in steps:
        for meld in (meld for side in step.state.sides for meld in side.melds):
            naturals, twos, *others = kinds(meld.cards)
            own = naturals + twos == meld.naturals + meld.twos and twos >= meld.twos
            in_place = KIND[meld.rank] >= SEQUENCE and own and twos - meld.twos <= 1
            assert in_place or (naturals, twos) == (meld.naturals, meld.twos)
            assert others == [meld.jokers, meld.unknown]
    return len(states)


def plain(state: State) -> State:
    """Return a state without the cards of its melds, which a table only counts."""
    sides = tuple(
        replace(side, melds=tuple(replace(meld, cards=()) for meld in side.melds))
        for side in state.sides
    )
    return state.with_parts(sides=sides)


def is_over_by_stock(deal: DealReport) -> bool:
    """Return whether the empty stock has ended a deal that was followed to its end."""
    false = {"end-stock-left", "pile-must-take"} & {finding.code for finding in deal.findings}
    return deal.ended == "stock" and deal.unchecked_from is None and not false


@pytest.mark.parametrize("profile", profile_names())
def test_a_random_game(profile: str) -> None:
    game = play_game(load_profile(profile), 7, deals=2)
    (reading,) = read_text(format_game(game))
    assert check(reading.game) > 50


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample(path: Path) -> None:
    for reading in read_games(io.BytesIO(path.read_bytes())):
        check(reading.game)


@pytest.mark.parametrize("path", RULINGS, ids=lambda path: path.stem)
def test_the_rulings(path: Path) -> None:
    cases = tomllib.loads(path.read_text("utf-8"))["case"]
    for case in cases[::9]:
        for reading in read_text(case["record"].lstrip()):
            check(reading.game)


def test_a_penalty_for_a_side_that_the_game_does_not_have() -> None:
    path = next(path for path in SAMPLES if path.stem == "thursday-club")
    text = path.read_text("utf-8").replace("\n2. ", "\npenalty ACE 50 upcard\n2. ", 1)
    (reading,) = read_text(text)
    assert check(reading.game) > 100


def test_without_play_stock_and_pile_share_the_cards_that_no_line_shows() -> None:
    text = '[CGN "1"]\ndeal 1 dealer N\nend {}\nmelds NS K:KKKKKKK\nthrees NS 3h\nleft E 4 5\n'
    for end, stock in (("out N", (0, 98)), ("stock", (0, 0))):
        (reading,) = read_text(text.format(end))
        [step] = walk(reading.game)[0]
        assert (step.state.stock, step.state.pile_loose) == (stock, 98)
        assert [hand.loose for hand in step.state.hands][1:] == [0, 98, 98]
        assert [side.points for side in step.state.sides] == [None, None], "S, W and EW's melds"


def test_no_hand_of_a_side_that_laid_a_special_hand_is_open() -> None:
    text = '[CGN "1"]\n[Rules "american-4p"]\ndeal 1 dealer N\nend special N\nleft E 4 5\n'
    (reading,) = read_text(text)
    [step] = walk(reading.game)[0]
    assert [hand.loose > 0 for hand in step.state.hands] == [False, False, False, True]


def test_a_top_is_on_the_meld_that_the_rest_of_its_turn_says() -> None:
    cases = tomllib.loads((Path(__file__).parent / "rulings" / "samba.toml").read_text("utf-8"))[
        "case"
    ]
    record = next(case["record"] for case in cases if case["row"] == "J19").lstrip()
    (reading,) = read_text(record.replace("\ndeal 1", '\n[Rules "samba"]\ndeal 1'))
    steps = [step for step in walk(reading.game)[0] if step.turn == 5]
    melds = [{meld.rank: len(meld.cards) for meld in step.state.sides[1].melds} for step in steps]
    # Turn 5 is `^4c 4/2:4d4d -8c`: without the top, the second meld would have two cards.
    first, second, kings = (PLACE_OF[label] for label in ("4", "4/2", "K"))
    assert melds == [
        {first: 7, kings: 3},
        {first: 7, second: 2, kings: 3},
        {first: 6, second: 3, kings: 3},
    ]
    assert check(reading.game) > 5


def test_a_state_is_a_value() -> None:
    """Later events at the table do not change a state, computed before or after them."""
    game = play_game(load_profile("classic"), 5)
    early: list[State] = []
    late: list[State] = []
    snapshots = Snapshots()

    def observe(moment: Moment) -> None:
        late.append(snapshots.take(moment.table))
        early.append(snapshot(moment.table))
        assert early[-1].hands and early[-1].sides

    replay_game(game, observer=observe)
    assert late == early
    assert list(map(hash, late)) == list(map(hash, early))
    assert pickle.loads(pickle.dumps(late)) == early
    with pytest.raises(FrozenInstanceError):
        late[0].due = 3
    with pytest.raises(AttributeError, match="no 'hand'"):
        late[0].hand  # noqa: B018


def test_a_seats_state_keeps_nothing_hidden() -> None:
    """A state with replaced parts has no reference to the table."""
    game = play_game(load_profile("classic"), 5)
    state = hide_state(walk(game)[0][20].state, 0)
    assert [bool(hand.cards) for hand in state.hands] == [True, False, False, False]
    with pytest.raises(AttributeError):
        _ = state._table
