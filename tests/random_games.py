"""Random games, rules and tables that tests play with.

CANASTA_GAMES sets how many games a profile is tried with (a few by default), and CANASTA_PROFILES
the profiles with which dear tests are tried (`tests/every_profile.py`).
"""

from __future__ import annotations

import os
from functools import cache
from random import Random

import pytest

from canasta_notation.arrays import array
from canasta_notation.cards import RANK
from canasta_notation.engine.actions import Draw
from canasta_notation.engine.deal import (
    begin_play,
    deal_hand,
    match_stock,
    set_stock,
    turn_up,
)
from canasta_notation.engine.packets import set_packet
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.table import Table
from canasta_notation.notation.document import Deal, Game
from canasta_notation.players.random_game import play_game
from canasta_notation.rules import Profile, keys, load_profile, parse_rules, profile_names
from canasta_notation.rules.keys import Key

GAMES = int(os.environ.get("CANASTA_GAMES", "2"))
PROFILES = profile_names()
profiles = pytest.mark.parametrize("name", PROFILES)
#: Profiles that together have every kind of play (`DIFFERENT`).
KINDS = ("classic", "classic-3p", "american-4p", "bolivia", "hand-and-foot", "pennies")
#: The keys that decide what a deal and a turn consist of.
DIFFERENT = (
    "sides", "packet.of", "packet.when", "packet.use", "draw.count", "up.turned",
    "pile.onto_sequence", "meld.several", "meld.combine", "meld.sequences", "meld.all_wild",
    "meld.rule_of_five", "opening.by", "out.ask", "out.discard", "threes", "deal.three_kept",
)  # fmt: skip
#: House rules with a key that changes what a turn can hold: one of each kind, then the others.
HOUSE_KINDS = (
    "american-4p pile.rest_usable=no",
    "samba pile.onto_sequence=alone",
    "bga packet.of=side packet.size=25,25 packet.until=56 draw.last_red3=melds",
)
HOUSE = (
    *HOUSE_KINDS,
    "samba pile.rest_usable=no",
    "bolivia score.cards=5:0,8:25,A:15,2:50,*:5,3:0",
    "american-4p packet.size=4,40 packet.until=30 draw.last_red3=melds",
    "classic opening.by=deal opening.table=2:50,3:90,120 opening.raise=10",
    "american-4p opening.raise=10",
)
#: The profiles with which `tests.every_profile` tries dear tests; otherwise they try one of a kind.
_ASKED = tuple(os.environ.get("CANASTA_PROFILES", "").split())
SAMPLED = _ASKED or KINDS
tables = pytest.mark.parametrize("name", [*SAMPLED, *(HOUSE if _ASKED else HOUSE_KINDS)])


def rules_named(text: str) -> Profile:
    """Return the profile of a Rules tag."""
    profile = parse_rules(text).profile
    assert profile is not None
    return profile


#: The deals of a game: enough for the later requirements of an opening.
DEALS = 8


@cache
def random_game(name: str, seed: int) -> Game:
    """Return one of the games that the rules of a tag are tested with."""
    return play_game(rules_named(name), seed, deals=DEALS)


def games(name: str) -> tuple[Game, ...]:
    """Return the games that the rules of a tag are tested with."""
    return tuple(random_game(name, seed) for seed in range(min(GAMES, 40)))


#: Values that records override in addition to those of the profiles.
MORE_VALUES = {
    "players": ["3", "6"],
    "deal.hand": ["7", "20"],
    "packet.of": ["side packet.size=4,3"],
    "packet.size": ["5", "2,2"],
    "packet.from": ["stock"],
    "packet.until": ["30"],
    "packet.threes": ["at-once"],
    "deal.three_kept": ["yes", "first-turn"],
    "draw.count": ["3"],
    "draw.last_red3": ["melds"],
    "up.covered": ["none", "wild"],
    "up.freezes": ["black3"],
    "pile.freezers": ["black3"],
    "pile.blockers": ["none", "black3"],
    "pile.one_card_rule": ["no"],
    "pile.frozen_until_opened": ["no"],
    "meld.min_naturals": ["1", "3"],
    "meld.max_wilds": ["0", "1", "5", "none"],
    "meld.wild_share": ["fewer"],
    "meld.max_cards": ["8"],
    "meld.no_wilds_in": ["4", "A", "T,J"],
    "discard.banned": ["league"],
    "opening.clean_triple": ["natural"],
    "opening.mixed_canasta": ["no"],
    "pile.onto_mixed_aces": ["no"],
    "pile.rest_usable": ["no"],
    "special.courtesy": ["yes"],
    "special.with_pile": ["yes"],
    # The steps of the profiles' tables are totals.
    "opening.by": ["deal opening.table=2:50,3:90,120"],
    "opening.raise": ["10"],
    "opening.take_counts": ["other-melds"],
    "meld.dead_ranks": ["pile"],
    "opening.table": ["0", "0:15,100"],
    "out.canastas": ["0", "3"],
    "out.discard": ["kept"],
    "out.finished": ["yes"],
    "out.natural": ["1"],
    "out.mixed": ["1"],
    "out.ask_when": ["any"],
    "score.cards": ["A:15,3:0,9:5", "4:20,7:0,2:50,*:5"],
    "score.red3_minus": ["no", "no-canasta"],
}


def values_of(key: Key) -> list[str]:
    """Return the values of a key that tests play with."""
    values = {load_profile(name).spelled(key.name) for name in PROFILES}
    return sorted({*values, *MORE_VALUES.get(key.name, ())})


def some_rules(rng: Random) -> Profile | None:
    """Return a profile with a few values of others, None if they do not fit together."""
    words = [rng.choice(PROFILES)]
    for key in rng.sample(list(keys().values()), rng.randint(1, 4)):
        if not key.offered_only:
            words.append(f"{key.name}={rng.choice(values_of(key))}")
    return parse_rules(" ".join(words)).profile


#: How many keys have a value different from their profile's under the rules of one number.
CHANGED = 3


def rules_in_turn(rng: Random, number: int) -> Profile:
    """Return a profile with other values for a few keys; successive numbers use all keys."""
    names = [key for key in keys().values() if not key.offered_only]
    profile = load_profile(rng.choice(PROFILES))
    for at in range(CHANGED * number, CHANGED * (number + 1)):
        key = names[at % len(names)]
        values = [value for value in values_of(key) if value != profile.spelled(key.name)]
        rng.shuffle(values)
        for value in values:
            other = parse_rules(f"{profile.text} {key.name}={value}").profile
            if other is not None:
                profile = other
                break
    return profile


def dealt(rules: Rules, deal: Deal) -> Table:
    """Return a table at which the cards of a recorded deal have been dealt."""
    dealer = rules.seats.index(deal.dealer)
    play = Table(rules, dealer, [0] * len(rules.sides), has_stock=True)
    for line in deal.hands:
        seat = rules.seats.index(line.seat)
        deal_hand(play, seat, array(line.cards), False, array(line.replacements))
    if deal.up:
        turn_up(play, array(deal.up.cards))
    assert deal.stock is not None
    set_stock(play, array(deal.stock.cards))
    match_stock(play, array(deal.up.cards if deal.up else ()))
    for line in deal.hands:
        match_stock(play, array(line.replacements))
    for packet in deal.packets:
        seat = play.rules.seats.index(packet.seat) if packet.seat else -1
        set_packet(play, list(packet.cards), packet.word, seat)
    begin_play(play)
    return play


def drawn(play: Table, stock: list[int]) -> Draw:
    """Return the draw that is due from a stock whose cards are known."""
    due, at = play.rules.draw_count, play.stock_at
    cards: list[int] = []
    while len(cards) < due and at < len(stock):
        cards.append(stock[at])
        due += play.rules.tabled[RANK[stock[at]]]
        at += 1
    return Draw(tuple(cards))
