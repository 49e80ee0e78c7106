"""What values cost and find: `python -m tests.bench --values [--deals N]`.

`python -m tests.calibration` says whether the values can be trusted.

All tables are between careful players. The check is the same in both builds.

Measured in classic on one of two cores; other programs used a quarter to a half of it:

| | measured | aim |
|---|---:|---:|
| play-outs of whole deals a second, compiled | 12,700 to 13,600 | 20,000 |
| the same, interpreted | 410 to 490 | 600 |
| seconds for 40 turns in two stages, compiled | 15.1 | 15 |
| milliseconds a turn for chances, American rules, interpreted | 0.43 to 0.48 | 0.5 |

The aims for play-outs are missed. Two changes made play-outs a third faster: constants that are
`Final` (looking them up took a fifth of all instructions), and counting a hand, and the chance of a
take, only where they can change the choice. That was 17,000 to 19,000 a second, and 640 to 670
interpreted. Then `careful` was tuned against itself: its deals have 51 turns instead of 41, and
sometimes it chooses twice what to discard. The remaining time is spread out: counting the hand by
rank takes 9 % of the instructions, counting what is seen 7 %, making arrays 6 %, and no other
function more than 6 %. To save the first two, the engine would have to keep its hands by rank.

The seconds are the mean of 2,059 turns. Before candidates that fall behind were dropped early, it
was 23.
"""

from __future__ import annotations

import time
from hashlib import sha256
from itertools import count, islice

from canasta_notation.analysis.judging import DealToJudge, deal_values
from canasta_notation.analysis.values import DealValues
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.engine.table import OPEN
from canasta_notation.players.figures import figures_of
from canasta_notation.players.hidden import hidden_stock
from canasta_notation.players.playouts import NEXT, play_outs
from canasta_notation.players.seat_turn import play_turn
from canasta_notation.players.seated import play_named_game
from canasta_notation.rules import load_profile, profile_names
from tests.seeded_deals import deal_table

#: Play-outs that are timed, and those of each deal that is summed up.
_TIMED = 2_000
_SUMMED = 20
#: How many turns from its start the middle of a deal is.
_MIDDLE = 20


def main(deals: int) -> None:
    """Print the speed of play-outs, the sums, and what careful loses to itself."""
    print("| play-outs a second | from the start | from the middle |\n|---|---:|---:|")
    for name in profile_names():
        print(f"| {name} | {_speed(name, 0):,.0f} | {_speed(name, _MIDDLE):,.0f} |", flush=True)
    _sums()
    _itself(deals)


def _speed(name: str, turns: int) -> float:
    """Return how many play-outs one core makes in a second of CPU time."""
    profile = load_profile(name)
    rules, careful = rules_of(profile), figures_of("careful", profile)
    table = deal_table(rules, 0, [0] * len(rules.sides), "values")
    for _ in range(turns):
        if table.ended == OPEN:
            table = play_turn(table, careful)
    done = 0
    begun = time.process_time()
    while done < _TIMED and time.process_time() - begun < 3:
        play_outs(table, careful, hidden_stock(table), 1, done, 100, NEXT)
        done += 100
    return done / (time.process_time() - begun)


def _sums() -> None:
    """Check that start, luck and play are the result in five deals of each profile."""
    found, worst = [], 0.0
    for name in profile_names():
        for seed in range(5):
            players = "careful" if seed % 2 else "random"
            game = play_named_game(load_profile(name), seed, players, 1)
            values = deal_values(DealToJudge(game, 1, 1, _SUMMED))
            assert values.sides, (name, seed)
            for side in values.sides.values():
                worst = max(worst, abs(side.start + side.luck + side.play - side.result))
                shares = sum(each["luck"] + each["play"] for each in side.seats.values())
                worst = max(worst, abs(side.start + shares - side.result))
            found.append(values.to_json())
    check = sha256(repr(found).encode()).hexdigest()[:16]
    print(f"\nstart + luck + play differs from the result by {worst:.1f} at most; check {check}")


def _itself(deals: int) -> None:
    """Print what careful players lose in deals with two stages, and what that costs."""
    profile = load_profile("classic")
    found: list[DealValues] = []
    turns = 0
    begun = time.process_time()
    for seed in islice(count(), deals):
        game = play_named_game(profile, seed, "careful", 1)
        turns += len(game.deals[0].play)
        found.append(deal_values(DealToJudge(game, 1, 1, None)))
    seconds = time.process_time() - begun
    seats = [seat for each in found for seat in each.seats.values()]
    wrong = sum(seat.mistakes + seat.blunders for seat in seats)
    errors = [side.luck_error for each in found for side in each.sides.values()]
    print(
        f"careful against itself, {deals} deals, {turns} turns: {wrong} mistakes "
        f"({wrong / turns:.2%} of the turns), {sum(seat.undecided for seat in seats)} of "
        f"{sum(seat.decisions for seat in seats)} decisions undecided, "
        f"{sum(seat.loss for seat in seats) / sum(seat.decisions for seat in seats):.1f} points a "
        f"decision; error of luck {sum(errors) / len(errors):.0f}; {seconds / deals:.1f} s a deal, "
        f"{40 * seconds / turns:.1f} s for 40 turns"
    )
