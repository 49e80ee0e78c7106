"""Profiles, their keys and sentences, the Rules tag, and the catalogue of findings."""

from __future__ import annotations

import json
import pickle
import re
import tomllib
from pathlib import Path
from types import MappingProxyType

import pytest

from canasta_notation.replay import causes
from canasta_notation.rules import (
    ProfileError,
    SpecialPart,
    SpecialPattern,
    codes,
    entry,
    keys,
    load_profile,
    marks,
    parse_rules,
    profile_names,
    rules_tag,
    sources,
)
from canasta_notation.rules.catalogue import FAMILIES, family_data
from canasta_notation.rules.keys import for_json, from_text, spell
from canasta_notation.rules.load import schema_errors

FOLDER = Path(__file__).parent.parent / "canasta_notation" / "rules"
PROFILES = (
    "classic",
    "classic-strict",
    "bga",
    "davenport",
    "classic-2p",
    "american-2p",
    "american-4p",
    "classic-3p",
    "classic-6p",
    "samba",
    "bolivia",
    "joker",
    "uruguay",
    "cla",
    "hand-and-foot",
    "pennies",
    "burraco",
    "burraco-international",
    "buraco",
    "buraco-fechado",
    "buraco-stbl",
)

# The reference table, transcribed by hand: a row for each key, a column for each profile in the
# order above, with the value as a record spells it. A cell that the reference leaves blank is "-":
# the profile then has the value `absent` of the key or, if the key has none, that of NEUTRAL.
TABLE = """
players                 | 4 | 4 | 4 | 4 | 2 | 2 | 4 | 3 | 6 | 4 | 4 | 4 | 4 | 4 | 4 | 6 | 4 | 4 | 4 | 4 | 4
sides                   | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 3 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
deck.packs              | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 3 | 3 | 3 | 2 | 2 | 2 | 5 | 4 | 2 | 2 | 2 | 2 | 2
deck.jokers             | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 6 | 6 | 6 | 4 | 4 | 4 | 10 | 8 | 4 | 4 | 4 | 4 | 4
deal.hand               | 11 | 11 | 11 | 11 | 15 | 13 | 13 | 13 | 13 | 15 | 15 | 13 | 11 | 13 | 11 | 13 | 11 | 11 | 11 | 11 | 11
packet.of               | none | none | none | none | none | side | side | none | none | none | none | none | none | side | seat | seat | side | side | side | side | side
packet.size             | none | none | none | none | none | 4,3 | 4,3 | none | none | none | none | none | none | 4,3 | 11 | 11 | 11 | 11 | 11 | 11 | 11
packet.when             | - | - | - | - | - | - | - | - | - | - | - | - | - | - | empty | canasta | empty | empty | empty | empty | empty
packet.use              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | run | at-once | run | run | run | run | run
packet.unused           | - | - | - | - | - | - | - | - | - | - | - | - | - | - | cards | cards | -100 | -100 | -100 | -100 | -100
packet.unplayed         | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | as-unused | as-unused | as-unused
packet.to_stock         | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | yes | yes | yes
packet.from             | - | - | - | - | - | - | - | - | - | - | - | - | - | stock | - | - | - | - | - | - | -
packet.with_pile        | - | - | - | - | - | no | no | - | - | - | - | - | - | no | - | - | - | - | - | - | -
packet.until            | - | - | - | - | - | 9 | 9 | - | - | - | - | - | - | 9 | - | - | - | - | - | - | -
packet.threes           | - | - | - | - | - | next-turn | next-turn | - | - | - | - | - | - | next-turn | - | at-once | - | - | - | - | -
draw.count              | 1 | 1 | 1 | 1 | 2 | 1 | 1 | 1 | 1 | 2 | 2 | 1 | 1 | 1 | 2 | 2 | 1 | 1 | 1 | 1 | 1
draw.last_red3          | ends | ends | ends | ends | ends | ends | ends | ends | ends | ends | ends | ends | ends | ends | - | ends | - | - | - | - | -
stock.unplayed          | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 2 | 2 | - | - | -
up.turned               | yes | yes | yes | yes | yes | no | no | yes | yes | yes | yes | yes | yes | no | yes | yes | yes | yes | no | no | no
up.covered              | wild,red3 | wild,red3,black3 | wild,red3,black3 | wild,red3,black3 | wild,red3 | - | - | wild,red3 | wild,red3 | wild,red3 | wild,red3 | wild,red3,black3 | wild,red3 | - | wild,red3,black3 | wild,red3 | none | none | none | none | none
up.freezes              | wild,red3 | wild | wild,red3 | wild,red3,black3 | wild,red3 | - | - | wild,red3 | wild,red3 | wild,red3 | wild,red3 | wild | wild,red3 | - | none | wild,red3 | none | none | none | none | none
pile.freezers           | wild | wild | wild | wild,black3 | wild | - | - | wild | wild | wild | wild | wild | wild | - | none | wild | none | none | none | none | none
pile.blockers           | wild,black3 | wild,black3 | wild,black3 | wild,black3 | wild,black3 | wild | wild | wild,black3 | wild,black3 | wild,black3 | wild,black3 | wild | wild,black3 | wild | wild,red3,black3 | wild,black3 | none | none | none | none | none
pile.always_frozen      | no | no | no | no | no | yes | yes | no | no | no | no | yes | yes | yes | yes | no | no | no | no | no | no
pile.frozen_until_opened | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | no | no | no | no | no
pile.with_wild          | yes | yes | yes | yes | yes | no | no | yes | yes | no | no | no | no | no | no | yes | yes | yes | yes | yes | yes
pile.onto_meld          | yes | yes | yes | yes | yes | no | no | yes | yes | yes | yes | no | no | no | no | yes | yes | yes | yes | yes | yes
pile.onto_canasta       | - | - | - | - | - | - | - | - | - | no | no | - | - | - | - | - | - | - | - | - | -
pile.onto_mixed_aces    | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
pile.onto_sequence      | - | - | - | - | - | - | - | - | - | yes | yes | - | - | - | - | - | yes | yes | yes | yes | yes
pile.one_card_rule      | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | no | no | no | no | no
pile.rest_usable        | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
pile.take               | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 7 | - | - | - | - | - | -
pile.needs              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | nothing | card | nothing | - | -
pile.before_opening     | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
pile.must_take          | any | any | matching | matching | matching | no | no | any | any | any | any | any | any | no | no | any | no | no | no | no | no
meld.min_naturals       | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
meld.max_wilds          | 3 | 3 | 3 | 3 | 3 | 2 | 2 | 3 | 3 | 2 | 2 | 3 | 3 | 2 | 3 | 3 | 1 | 1 | 1 | 1 | 1
meld.wild_share         | any | equal | any | any | equal | equal | equal | any | any | any | any | any | any | equal | fewer | any | any | any | any | any | any
meld.all_wild           | no | no | no | no | no | yes | yes | no | no | no | yes | yes | yes | yes | no | yes | no | no | no | no | no
meld.max_cards          | none | none | none | none | none | 7 | 7 | none | none | none | none | 7 | none | 7 | 7 | 7 | 9 | 9 | 9 | 9 | 9
meld.several            | - | - | - | - | - | - | - | - | - | yes | yes | - | - | - | complete | complete | sequences | sequences | sequences | sequences | sequences
meld.sets               | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | none
meld.combine            | - | - | - | - | - | - | - | - | - | yes | yes | - | - | - | - | - | - | - | - | - | -
meld.sequences          | - | - | - | - | - | - | - | - | - | yes | yes | - | - | - | - | - | yes | yes | yes | yes | yes
sequence.from           | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | A | A | A | A | A
sequence.wilds          | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1 | 1 | 1 | 1 | 1
sequence.cards          | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 14 | 14 | 14 | 14 | 14
sequence.aces           | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 2 | 2 | 2
meld.wilds_on_canasta   | - | - | - | - | - | - | - | - | - | no | no | - | - | - | - | - | - | - | - | - | -
meld.max_wild_cards     | - | - | - | - | - | - | - | - | - | none | 7 | - | - | - | - | - | - | - | - | - | -
meld.wild_meld_first    | - | - | - | - | - | yes | yes | - | - | - | - | - | - | yes | - | - | - | - | - | - | -
meld.no_wilds_in        | none | none | none | none | none | 7,A | 7,A | none | none | none | none | none | none | 7,A | - | none | - | - | - | - | -
meld.rule_of_five       | no | no | no | no | no | no | yes | no | no | no | no | no | no | yes | - | no | - | - | - | - | -
meld.dead_ranks         | no | no | no | no | no | no | all | no | no | no | no | no | no | all | - | no | - | - | - | - | -
meld.black_threes       | yes | yes | yes | yes | yes | no | no | yes | yes | yes | yes | no | yes | no | no | yes | no | no | no | no | no
opening.table           | C | C | 0:15,1500:50,3000:90,7000:120,150 | C | C | A | A | C | 6 | 0:15,1500:50,3000:90,7000:120,150 | 0:15,1500:50,3000:90,7000:120,150 | 3000:100,5000:130,150 | C | A | 2:50,3:90,4:120,150 | 0:15,500:50,1000:90,1500:120,150 | 0 | 0 | 0 | 0 | 0
opening.by              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | deal | - | - | - | - | - | -
opening.raise           | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
opening.take_counts     | top | top | top | top | top | hand | hand | top | top | top | top | top | top | hand | top | top | top | top | top | top | top
opening.waived          | no | no | out-concealed-from-stock | no | no | splash | splash | no | no | no | no | no | no | no | no | no | no | no | no | no | no
opening.clean_triple    | no | no | no | no | no | no | yes | no | no | no | no | no | no | natural | - | no | - | - | - | - | -
opening.mixed_canasta   | - | - | - | - | - | - | - | - | - | - | - | - | - | no | - | - | - | - | - | - | -
out.canastas            | 1 | 1 | 1 | 1 | 1 | 2 | 2 | 1 | 2 | 2 | 2 | 2 | 1 | 2 | 2 | 4 | 1 | 1 | 1 | 1 | 1
out.sequences           | - | - | - | - | - | - | - | - | - | 0 | 1 | - | - | - | - | - | - | - | - | - | -
out.natural             | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1 | 1 | - | 1 | 1 | - | 1
out.mixed               | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1 | 1 | - | - | - | - | -
out.wild                | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1 | - | - | - | - | -
out.sevens              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1 | - | - | - | - | -
out.packet              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | yes | yes | yes | yes | yes | yes
out.last                | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | sevens | wild | wild | - | - | -
out.discard             | optional | optional | optional | optional | optional | required | required | optional | optional | optional | optional | optional | optional | required | required | optional | required | required | optional | optional | optional
out.after_black_threes  | anything | anything | nothing | anything | anything | - | - | anything | anything | anything | anything | anything | anything | - | anything | anything | anything | anything | anything | anything | anything
out.finished            | no | no | no | no | no | no | no | no | no | no | no | no | no | yes | - | no | - | - | - | - | -
out.ask                 | yes | yes | yes | no | no | no | yes | no | yes | yes | yes | yes | yes | yes | yes | yes | no | no | no | no | no
out.ask_when            | before-melds | before-melds | after-stock | - | - | - | before-melds | before-melds | before-melds | before-melds | before-melds | before-melds | before-melds | before-melds | any | before-melds | any | any | any | any | any
out.ask_limit           | turn | turn | turn | - | - | - | deal | turn | turn | turn | turn | turn | turn | deal | turn | turn | turn | turn | turn | turn | turn
discard.banned          | none | none | none | none | none | american | american | none | none | none | none | none | none | league | - | sevens | - | - | - | - | -
discard.taken           | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | no | no | - | - | -
threes                  | - | - | - | - | - | all | all | - | - | - | - | all | - | all | none | - | rank | rank | rank | rank | rank
deal.three_kept         | no | no | no | no | no | until-opened | until-opened | no | no | no | no | no | no | until-opened | no | no | no | no | no | no | no
score.cards             | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 7:5,A:15,2:20,*:30,3:5 | 7:5,A:15,2:20,*:30,3:5 | 7:5,A:15,2:10,*:20,3:5 | 7:5,A:15,2:10,*:20,3:5 | 7:5,A:15,2:10,*:20,3:5
score.out               | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 200 | 200 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100 | 100
score.concealed         | 100 | 100 | 100 | 100 | 100 | 0 | 0 | 100 | 100 | 0 | 0 | 100 | 100 | 0 | 0 | 100 | 0 | 0 | 0 | 0 | 0
score.concealed_needs   | own | own | side | side | own | - | - | own | own | own | own | own | own | - | own | own | own | own | own | own | own
score.natural           | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 500 | 200 | 200 | 200 | 200 | 200
score.mixed             | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 300 | 100 | 100 | 100 | 100 | 100
score.semi              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 150 | 150 | - | - | -
semi                    | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
score.concealed_canasta | 0 | 100 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0
score.red3              | R | R | R | R | R | P | P | R | 6 | 100,200,300,400,500,1000 | 100,200,300,400,500,1000 | P | R | P | 100,200,300,800 | 100,200,300,400,500,600,700,1000 | 100,200,300,800 | 100,200,300,800 | 100,200,300,800 | 100,200,300,800 | 100,200,300,800
score.red3_minus        | unmelded | unmelded | unmelded | unmelded | unmelded | by-canastas | by-canastas | unmelded | unmelded | two-canastas | two-canastas | no-canasta | unmelded | by-canastas | unmelded | no-sevens | no | no | no | no | no
score.melds_minus       | no | no | no | no | no | no-canasta | no-canasta | no | no | no | no | no | no | no-canasta | - | no | - | - | - | - | -
score.red3_held         | -500 | -500 | -500 | -500 | -500 | -5 | -5 | -500 | -500 | -500 | -500 | -500 | -500 | -5 | -500 | -500 | 0 | 0 | 0 | 0 | 0
score.black3_held       | - | - | - | - | - | - | - | - | - | none | -100 | - | - | - | - | - | - | - | - | - | -
score.sevens            | - | - | - | - | - | 2500 | 2500 | - | - | 0 | 0 | - | - | 2500 | - | 1500 | - | - | - | - | -
score.aces              | - | - | - | - | - | 2500 | 2500 | - | - | 0 | 0 | - | - | 2500 | - | - | - | - | - | - | -
score.wild              | - | - | - | - | - | W | W | - | - | - | B | all-twos:4000,four-jokers:3000,else:2000 | all-twos:2000,four-jokers:2000,else:2000 | W | - | all-twos:1000,four-jokers:1000,else:1000 | - | - | - | - | -
score.sequence          | - | - | - | - | - | - | - | - | - | 1500 | 1500 | - | - | - | - | - | none | none | none | none | none
score.king              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 500 | 500 | 500
score.ace               | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 1000 | 1000 | 1000
score.unfinished        | - | - | - | - | - | U | U | - | - | - | - | - | - | U | - | - | - | - | - | - | -
score.held              | - | - | - | - | - | -1500 | -1500 | - | - | 0 | 0 | - | - | -1500 | - | - | - | - | - | - | -
special                 | - | - | - | - | - | S | S | - | - | - | - | - | - | L | - | - | - | - | - | - | -
special.courtesy        | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
special.with_pile       | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | -
penalty.ask             | 100 | 100 | none | none | none | none | none | 100 | 100 | 100 | 100 | 100 | 100 | none | 100 | 100 | none | none | none | none | none
penalty.upcard          | 50 | 50 | none | none | none | none | none | 50 | 50 | 50 | 50 | 50 | 50 | none | 50 | 50 | none | none | none | none | none
target                  | 5000 | 5000 | 5000 | 5000 | 5000 | 8500 | 8500 | 5000 | 10000 | 10000 | 15000 | 8500 | 5000 | 8500 | none | 20000 | 2005 | 2005 | 3000 | 3000 | 3000
game.deals              | - | - | - | - | - | - | - | - | - | - | - | - | - | - | 4 | - | - | - | - | - | -
tie                     | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal | another-deal
"""  # noqa: E501
SHORT = {
    ("opening.table", "C"): "0:15,1500:50,3000:90,120",
    ("opening.table", "A"): "3000:125,5000:155,180",
    ("score.red3", "R"): "100,200,300,800",
    ("score.red3", "6"): "100,200,300,400,1000,1200",
    ("opening.table", "6"): "0:15,1500:50,3000:90,7500:120,150",
    ("score.red3", "S"): "100,200,300,400,500,1000",
    ("score.red3", "P"): "per-colour:100,300,500,1000",
    ("score.wild", "W"): "all-twos:3000,four-jokers:2500,else:2000",
    ("score.wild", "B"): "all-twos:2500,four-jokers:2500,else:2500",
    ("score.unfinished", "U"): "sevens:-2500,aces:-2500,wild:-2000",
    ("special", "L"): "straight:3000,pairs:2500/2000/2000/2500,garbage:3000,zip-code:2500,"
    "blast-off:3000,triples:3500,quads:3500,dream-hand:8500/8500/8500/8500/8500/8500",
    ("special", "S"): "straight:3000,pairs:2500/2000,garbage:2000",
}
NEUTRAL = {
    "up.covered": "none",
    "up.freezes": "none",
    "pile.freezers": "none",
    "out.after_black_threes": "anything",
    "out.ask_when": "before-melds",
    "out.ask_limit": "turn",
    "score.concealed_needs": "own",
}
ROWS = {
    key: cells
    for key, *cells in (
        [cell.strip() for cell in line.split(" | ")] for line in TABLE.strip().splitlines()
    )
}

# The marks of the reference, a letter for each profile, "." if it has none. If a cell has two, the
# weaker one counts, because the profile's whole value rests on it.
MARKS = """
deal.hand SSSSSSAAASSS..SS up.covered SSSAS......I..S. up.freezes ASSIS......I....
pile.freezers SISSS........... pile.blockers SAIISIA....I..S.
pile.frozen_until_opened SASIA........... pile.with_wild SASSA....S.SS...
pile.onto_meld SASSA....S.SS... pile.one_card_rule AASSAAA.........
pile.must_take SASAA.........C. meld.min_naturals SSISIIS.........
meld.max_wilds SSSSSSS..S....SA meld.wild_share SSSSS.........S. meld.all_wild SSSSSSS..SSSS..S
meld.max_cards SSAASSS....S..SS meld.rule_of_five .....CA.........
meld.black_threes SSSSASA....I..S. opening.table SASSAAAAASSS..SS
opening.take_counts SAISSSA......... opening.waived SASSISA.........
opening.clean_triple .....CA......... out.canastas SASSSSAAAS.S..CS out.discard SASSSSS.......S.
out.after_black_threes IISAA........... out.finished .....CC......... out.ask SASC..A.A.......
out.ask_when AAS...A......... out.ask_limit CCC...A......... meld.dead_ranks .....CA.........
packet.with_pile .....AA......... packet.until .....AA......... packet.threes .....AA........C
deal.three_kept S....AA......... score.out SASSAAA..S....S. score.concealed SASSAAA..S......
score.concealed_needs SAIIA........... score.natural SSSSSSS.......SS
score.concealed_canasta .S.............. score.red3 SSASAAAAASSS...S
score.red3_minus SASSSSA..SSS...S score.melds_minus .....AA.........
score.red3_held SAAAAAA.......S. score.unfinished .....SS......... score.held .....SS.........
special .....SS......... penalty.ask SA.............. penalty.upcard SA..............
target SASSSSAAASSS..SS tie CCCCCCC.......C. players .......SS.....SS sides .......SS.....SS
deck.packs .......AASS...SS deck.jokers .......AASS...SS draw.count .......AASS...SS
meld.several .........SS...CC meld.combine .........SS..... meld.sequences .........SS.....
meld.wilds_on_canasta .........SA..... meld.max_wild_cards ..........S.....
meld.wild_meld_first .....SS......... pile.onto_canasta .........S......
pile.onto_sequence .........S...... out.sequences ..........S.....
score.sequence .........SS..... score.black3_held ..........S..... score.wild ..........SSS..S
pile.always_frozen ...........SS.S. packet.of ..............SS packet.size ..............SS
packet.when ..............SS packet.use ..............SS packet.unused ..............SC
up.turned ..............S. pile.take ..............S. pile.before_opening ..............C.
threes ..............S. opening.by ..............S. out.natural ..............CS
out.mixed ..............CS score.mixed ..............SS game.deals ..............S.
out.wild ...............S out.sevens ...............S out.packet ...............C
out.last ...............S discard.banned ...............S score.sevens ...............S
packet.unplayed ................S.S.. packet.to_stock ..................S..
pile.needs ................SSSSS stock.unplayed ................S.I..
meld.sets ..................S.S
score.semi ................S.S.. semi ................CCCCC score.king ..................CCC
score.ace ..................CCC discard.taken ................S.C.. target ................S.S..
"""
MARK_ROWS = {
    key: marked.ljust(len(PROFILES), ".")
    for key, marked in zip(MARKS.split()[::2], MARKS.split()[1::2], strict=True)
}

# A reference in a source: a text and its section, or why there is none, and a remark in brackets.
TEXTS = "|".join(map(re.escape, sources()))
SOURCE = re.compile(rf"({TEXTS}|choice)(, [^();]+?(\(s\))?)?( \([^()]+\))?")


@pytest.mark.parametrize("key", ROWS)
@pytest.mark.parametrize("name", PROFILES)
def test_every_value_is_that_of_the_reference_table(name: str, key: str) -> None:
    cell = ROWS[key][PROFILES.index(name)]
    expected = SHORT.get((key, cell), cell)
    if cell == "-":
        expected = keys()[key].absent or NEUTRAL[key]
    assert load_profile(name).spelled(key) == expected


@pytest.mark.parametrize("key", MARK_ROWS)
def test_every_mark_is_that_of_the_reference_table(key: str) -> None:
    found = "".join(load_profile(name).values[key].mark for name in PROFILES)
    expected = MARK_ROWS[key]
    assert [
        pair for pair in zip(found, expected, strict=True) if pair[1] not in (".", pair[0])
    ] == []


def test_catalogue_and_table_have_the_same_keys_in_the_same_order() -> None:
    assert set(keys()) ^ set(ROWS) == set()
    assert list(keys()) == list(ROWS)
    assert set(profile_names()) >= set(PROFILES)
    assert profile_names()[0] == "classic"


@pytest.mark.parametrize("name", profile_names())
def test_a_packaged_profile_is_complete(name: str) -> None:
    profile = load_profile(name)
    assert list(profile.values) == list(keys())
    for key, held in profile.values.items():
        assert held.key == key
        assert held.mark in "SIAC"
        for part in held.source.split("; "):
            assert SOURCE.fullmatch(part), f"{key}: {part}: not one of [sources] in rules/keys.toml"
        assert ("choice" in held.source) == (held.mark == "C"), key


@pytest.mark.parametrize("name", profile_names())
def test_what_is_stated_or_inferred_is_in_the_profile_s_own_text(name: str) -> None:
    data = tomllib.loads((FOLDER / "profiles" / f"{name}.toml").read_text("utf-8"))
    for key, held in load_profile(name).values.items():
        if held.mark in "SI":
            cited = held.source.startswith(tuple(data["texts"]))
            assert cited, f"{key}: {held.source} is not among the texts of {name}"


@pytest.mark.parametrize("name", profile_names())
def test_a_packaged_file_fits_the_schema_and_extends_two_levels_at_most(name: str) -> None:
    data = tomllib.loads((FOLDER / "profiles" / f"{name}.toml").read_text("utf-8"))
    assert list(schema_errors(data)) == []
    assert data["name"] == name
    levels = 0
    while "extends" in data:
        levels += 1
        file = FOLDER / "profiles" / f"{data['extends']}.toml"
        data = tomllib.loads(file.read_text("utf-8"))
    assert levels <= 2


@pytest.mark.parametrize("name", keys())
def test_a_value_in_a_file_is_checked_against_its_key(tmp_path: Path, name: str) -> None:
    key = keys()[name]
    wrong: list[object] = ["~", 1.5, {"x": 1}, ["~"]]
    if key.kind == "number":
        wrong += [key.least - 1, key.most + 1]
    for value in wrong:
        path = tmp_path / "our-club.toml"
        written = "{ x = 1 }" if isinstance(value, dict) else json.dumps(value)
        path.write_text(
            'name = "our-club"\ntitle = "x"\nextends = "classic"\n[values]\n'
            f'"{name}" = {{ value = {written}, mark = "C", source = "us" }}\n'
        )
        with pytest.raises(ProfileError, match=re.escape(name)):
            load_profile(path)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("classic", "players", 4),
        ("classic", "packet.size", ()),
        ("american-2p", "packet.size", (4, 3)),
        ("classic", "up.turned", True),
        ("classic", "up.covered", ("wild", "red3")),
        ("classic", "meld.max_cards", None),
        ("american-4p", "meld.max_cards", 7),
        ("american-4p", "meld.no_wilds_in", ("7", "A")),
        ("classic", "opening.table", ((0, 15), (1500, 50), (3000, 90), (None, 120))),
        ("classic", "score.red3", ("all", (100, 200, 300, 800))),
        ("american-4p", "score.red3", ("per-colour", (100, 300, 500, 1000))),
        ("american-4p", "score.wild", {"all-twos": 3000, "four-jokers": 2500, "else": 2000}),
        ("american-4p", "score.unfinished", {"sevens": -2500, "aces": -2500, "wild": -2000}),
        ("classic", "score.wild", None),
        ("classic", "special", None),
        ("classic", "discard.banned", "none"),
        ("classic", "penalty.ask", 100),
        ("bga", "penalty.ask", None),
    ],
)
def test_values_have_the_types_that_the_engine_expects(name: str, key: str, value: object) -> None:
    found = load_profile(name)[key]
    assert found == value
    assert type(found) is (MappingProxyType if isinstance(value, dict) else type(value))


def test_special_hands_are_patterns() -> None:
    special = load_profile("american-2p")["special"]
    assert list(special) == ["straight", "pairs", "garbage"]
    assert special["straight"] == (SpecialPattern(3000, (SpecialPart(1, 14, "3456789TJQKA2*"),)),)
    assert [pattern.points for pattern in special["pairs"]] == [2500, 2000]
    assert [part.size for part in special["garbage"][0].parts] == [4, 3]


@pytest.mark.parametrize("name", profile_names())
@pytest.mark.parametrize("key", ROWS)
def test_every_sentence_fills_in(name: str, key: str) -> None:
    profile = load_profile(name)
    text = profile.sentence(key)
    assert text and not text.endswith(".") and not set("{}_") & set(text)
    assert "none" not in text.lower().split() and "()" not in text
    ref = profile.ref(key)
    assert (ref.key, ref.value, ref.sentence) == (key, for_json(profile[key]), text)
    assert (ref.mark, ref.source) == (profile.values[key].mark, profile.values[key].source)


def test_every_choice_has_a_sentence() -> None:
    for key in keys().values():
        choices = {"truth": ("yes", "no"), "choice": key.choices}.get(key.kind, ())
        for text in (*choices, *key.words, *(["none"] if key.none else [])):
            assert key.template(text)


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("meld.max_wilds=1", "a meld holds at most 1 wild card"),
        ("meld.no_wilds_in=4,T", "no wild card joins a meld of fours or tens (but wild cards may join aces in the opening turn)"),  # noqa: E501
        ("opening.table=50", "the opening counts at least 50 points"),
        ("opening.table=0:15,50", "the opening counts at least 15 points at a total below 0 and 50 above that"),  # noqa: E501
        ("opening.table=1500:50,90", "the opening counts at least 50 points at a total below 1,500 and 90 above that"),  # noqa: E501
        ("score.red3=100,300,500,1000", "red threes count 100, 300, 500 and 1,000 points for one, two and so on"),  # noqa: E501
        ("target=1000000", "the game ends when a side reaches 1,000,000 points, and the highest total wins"),  # noqa: E501
        ("up.freezes=black3", "a black three turned up to start the pile freezes it"),
    ],
)  # fmt: skip
def test_sentences_of_overridden_values(override: str, sentence: str) -> None:
    profile = parse_rules(f"classic {override}").profile
    assert profile is not None
    assert profile.sentence(override.partition("=")[0]) == sentence


@pytest.mark.parametrize("name", profile_names())
def test_a_record_can_state_what_a_profile_spells(name: str) -> None:
    profile = load_profile(name)
    for key in keys().values():
        if not key.offered_only:
            assert from_text(key, profile.spelled(key.name)) == profile[key.name]
    everything = " ".join(f"{key}={profile.spelled(key)}" for key in keys())
    reading = parse_rules(f"{name} {everything}")
    assert reading.problems == ()
    assert reading.profile is not None
    assert reading.profile.text == f"{name} {everything}"
    assert all(reading.profile[key] == profile[key] for key in keys())


def test_empty_rules_mean_classic() -> None:
    for text in ("", "  ", "classic"):
        assert parse_rules(text).profile == load_profile("classic")


def test_overrides_are_marked_and_leave_the_profile_alone() -> None:
    profile = parse_rules("bga  meld.max_wilds=2 up.freezes=red3,wild").profile
    assert profile is not None
    assert (profile.name, profile.overridden) == ("bga", ("up.freezes", "meld.max_wilds"))
    assert profile["up.freezes"] == ("wild", "red3")
    held = profile.values["meld.max_wilds"]
    assert (held.value, held.mark, held.source) == (2, "R", "the record")
    assert load_profile("bga")["meld.max_wilds"] == 3
    read = parse_rules("bga target=100", source="the command line").profile
    assert read is not None and read.ref("target").source == "the command line"


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("classic deck.jokers=6", "deck.jokers", 6),
        ("american-2p discard.banned=none", "discard.banned", "none"),
        ("american-2p discard.banned=american", "discard.banned", "american"),
        ("american-4p special=none", "special", None),
        ("american-4p score.wild=none", "score.wild", None),
        ("american-4p score.unfinished=none", "score.unfinished", None),
        ("classic meld.max_wilds=none", "meld.max_wilds", None),
        ("classic score.cards=A:15,*:25,3:0", "score.cards", {"A": 15, "*": 25, "3": 0}),
        ("classic score.cards=10:5", "score.cards", {"T": 5}),
        ("classic meld.no_wilds_in=10,7", "meld.no_wilds_in", ("7", "T")),
        ("bolivia score.wild=2000", "score.wild", {"all-twos": 2000, "four-jokers": 2000, "else": 2000}),  # noqa: E501
        ("bolivia score.wild=else:1,all-twos:2,four-jokers:3", "score.wild", {"all-twos": 2, "four-jokers": 3, "else": 1}),  # noqa: E501
        ("classic score.unfinished=sevens:-1,aces:-2,wild:0", "score.unfinished", {"sevens": -1, "aces": -2, "wild": 0}),  # noqa: E501
        ("classic score.unfinished=four-jokers:-3,sevens:-1,aces:-2,wild:0", "score.unfinished", {"sevens": -1, "aces": -2, "wild": 0, "four-jokers": -3}),  # noqa: E501
        ("classic special=none", "special", None),
        ("classic penalty.ask=none", "penalty.ask", None),
        ("classic meld.max_cards=7", "meld.max_cards", 7),
        ("american-2p meld.max_cards=none", "meld.max_cards", None),
        ("classic up.covered=none", "up.covered", ()),
        ("classic score.red3=per-colour:1,2,3,4", "score.red3", ("per-colour", (1, 2, 3, 4))),
        ("classic score.red3_minus=no-canasta", "score.red3_minus", "no-canasta"),
        ("classic opening.table=-9:10,0:15,50", "opening.table", ((-9, 10), (0, 15), (None, 50))),
        ("classic meld.max_wilds=0 pile.with_wild=no", "meld.max_wilds", 0),
        ("classic players=6", "players", 6),
        ("classic players=3", "sides", 3),
        ("classic-6p players=2", "sides", 2),
        ("classic-6p sides=3", "sides", 3),
        ("classic-6p meld.max_wilds=18", "meld.max_wilds", 18),
    ],
)  # fmt: skip
def test_overrides_that_are_read(text: str, key: str, value: object) -> None:
    reading = parse_rules(text)
    assert reading.problems == ()
    assert reading.profile is not None and reading.profile[key] == value


@pytest.mark.parametrize(
    ("text", "code", "marked", "said"),
    [
        ("clasic", "rules-unknown", "clasic", "did you mean classic?"),
        ("Classic", "rules-unknown", "Classic", "did you mean classic?"),
        ("classic-4p", "rules-unknown", "classic-4p", "did you mean classic?"),
        ("xyz", "rules-unknown", "xyz", "the profiles are classic,"),
        ("target=100", "rules-unknown", "target=100", "write classic target=100"),
        ("classic meld.max_wild=2", "rules-option", "meld.max_wild", "mean meld.max_wilds?"),
        ("classic jokers=6", "rules-option", "jokers", "did you mean deck.jokers?"),
        ("classic zzz=1", "rules-option", "zzz", "canasta rules classic"),
        ("classic bga", "rules-option", "bga", "key=value"),
        ("classic =3", "rules-option", "=3", "key=value"),
        ("classic target=", "rules-option", "target=", "no value"),
        ("classic target = 3000", "rules-option", "target = 3000", "write target=3000"),
        ("classic target= 3000 ", "rules-option", "target= 3000", "write target=3000"),
        ("classic target =3000", "rules-option", "target =3000", "write target=3000"),
        ("classic target 3000", "rules-option", "target 3000", "write target=3000"),
        ("classic up.freezes none", "rules-option", "up.freezes none", "write up.freezes=none"),
        ("classic target=3,000", "rules-option", "3,000", "write target=3000"),
        ("classic target= sides=2", "rules-option", "target=", "no value"),
        ("classic target=9,sides=2", "rules-option", "target=9,sides=2", "write target=9 sides=2"),
        ("classic target=9,", "rules-option", "target=9,", "write target=9"),
        ("classic up.freezes=wild, red3", "rules-option", "up.freezes=wild, red3", "=wild,red3"),
        ("modern american", "rules-unknown", "modern", "the profiles are"),
        ("classic target=many", "rules-option", "many", "whole number"),
        ("classic target=0", "rules-option", "0", "from 1 to"),
        ("classic target=5000 target=6000", "rules-option", "target", "twice"),
        ("classic target=x target=6000", "rules-option", "x", "whole number"),
        ("classic pile.with_wild=true", "rules-option", "true", "yes or no"),
        ("classic out.discard=maybe", "rules-option", "maybe", "optional, required or kept"),
        ("classic up.freezes=wild,blue3", "rules-option", "wild,blue3", "wild, red3, black3"),
        ("classic up.freezes=wild,wild", "rules-option", "wild,wild", "twice"),
        ("classic opening.table=0:15,1500:50", "rules-option", "0:15,1500:50", "for higher totals"),
        ("classic opening.table=1500:50,0:15,90", "rules-option", "1500:50,0:15,90", "must rise"),
        ("classic score.red3=100,200", "rules-option", "100,200", "two numbers a pack"),
        ("hand-and-foot threes=red", "rules-option", "threes=red", "a number for each of 1 to 10"),
        ("classic score.red3=each:1,2,3,4", "rules-option", "each:1,2,3,4", "one number after each"),  # noqa: E501
        ("classic meld.wilds_may_outnumber=no", "rules-option", "meld.wilds_may_outnumber", "meld.wild_share has taken its place"),  # noqa: E501
        ("classic opening.top_counts=no", "rules-option", "opening.top_counts", "opening.take_counts has taken its place"),  # noqa: E501
        ("classic meld.wild_share=less", "rules-option", "less", "any, equal or fewer"),
        ("classic score.cards=A:17", "rules-option", "A:17", "multiples of 5, not 17"),
        ("classic score.cards=A:105", "rules-option", "A:105", "from 0 to 100, not 105"),
        ("classic score.cards=A:15,A:20", "rules-option", "A:15,A:20", "names A twice"),
        ("classic score.cards=ace:15", "rules-option", "ace:15", "as in A:15,3:0"),
        ("classic score.cards=15", "rules-option", "15", "cards with their points"),
        ("classic pile.rest_usable=later", "rules-option", "later", "yes or no"),
        ("classic draw.last_red3=discards", "rules-option", "discards", "ends or melds"),
        ("bolivia score.wild=-1", "rules-option", "-1", "from 0 to"),
        ("bolivia score.wild=all-twos:1,else:2", "rules-option", "all-twos:1,else:2", "points for all-twos, four-jokers, else"),  # noqa: E501
        ("bolivia score.wild=all-twos:1,all:2", "rules-option", "all-twos:1,all:2", "all:2"),
        ("bolivia score.unfinished=5", "rules-option", "5", "from -100000 to 0"),
        ("bolivia score.unfinished=wild:-1,four-jokers:-2", "rules-option", "wild:-1,four-jokers:-2", "sevens, aces, wild, perhaps four-jokers, and no others"),  # noqa: E501
        ("bga deck.jokers=6", "rules-option", "6", "must be 4 in a record under bga"),
        ("classic deck.jokers=5", "rules-option", "5", "must be 4 or 6"),
        ("american-2p special=straight", "rules-option", "straight", "profile file"),
        ("classic players=5", "rules-option", "5", "2, 3, 4 or 6"),
        ("classic meld.min_naturals=-1", "rules-option", "-1", "from 1 to 3"),
        ("classic meld.min_naturals=0", "rules-option", "0", "from 1 to 3"),
        ("classic meld.min_naturals=8", "rules-option", "8", "from 1 to 3"),
        ("classic meld.max_wilds=15", "rules-option", "meld.max_wilds=15", "from 0 to 14"),
        ("classic meld.max_cards=23", "rules-option", "meld.max_cards=23", "from 7 to 22"),
        ("classic meld.max_wilds=19", "rules-option", "19", "from 0 to 18"),
        ("classic sides=3", "rules-option", "sides=3", "write sides=2"),
        ("classic players=6 sides=4", "rules-option", "4", "2 or 3"),
        ("classic-3p players=6 sides=2 deck.packs=3", "rules-option", "deck.packs=3", "6 numbers"),
        ("classic-6p score.red3=1,2,3,4", "rules-option", "score.red3=1,2,3,4", "6 red threes"),
        ("classic-6p score.red3=1,2,3,4,5", "rules-option", "1,2,3,4,5", "two numbers a pack"),
        ("classic out.canastas=40", "rules-option", "40", "from 0 to 33"),
        ("classic out.canastas=20", "rules-option", "out.canastas=20", "a number up to 11"),
        ("samba score.concealed_canasta=100", "rules-option", "score.concealed_canasta=100", "canasta=0 as well"),  # noqa: E501
        ("classic out.sequences=1", "rules-option", "out.sequences=1", "no sequence"),
        ("classic out.natural=1 out.mixed=1", "rules-option", "out.natural=1", "out.canastas=2 or more"),  # noqa: E501
        ("bolivia out.canastas=0", "rules-option", "out.canastas=0", "out.canastas=1 or more"),
        ("classic pile.onto_sequence=yes", "rules-option", "pile.onto_sequence=yes", "onto_sequence=no as well"),  # noqa: E501
        ("classic meld.combine=yes", "rules-option", "meld.combine=yes", "one meld of a rank"),
        ("samba meld.max_wild_cards=7", "rules-option", "meld.max_wild_cards=7", "all_wild=no"),
        ("classic draw.count=50", "rules-option", "50", "from 1 to 7"),
        ("classic target=99999999999", "rules-option", "99999999999", "from 1 to 1000000"),
        ("classic opening.table=5000", "rules-option", "5000", "from 0 to 500"),
        ("classic opening.table=0:50,3000:20,10", "rules-option", "0:50,3000:20,10", "20 follows 50"),  # noqa: E501
        ("classic score.red3=400,300,200,100", "rules-option", "400,300,200,100", "300 follows 400"),  # noqa: E501
        ("bga score.red3=per-colour:1,3,2,4", "rules-option", "per-colour:1,3,2,4", "2 follows 3"),
        ("classic meld.max_cards=6", "rules-option", "meld.max_cards=6", "canasta of 7"),
        ("classic meld.max_cards=7 meld.max_wilds=6", "rules-option", "meld.max_wilds=6", "to 5 or less"),  # noqa: E501
        ("american-4p meld.max_wilds=6", "rules-option", "meld.max_wilds=6", "to 5 or less"),
        ("classic meld.no_wilds_in=4,5,6,7,8,9,T,J,Q,K,A", "rules-option", "meld.no_wilds_in=4,5,6,7,8,9,T,J,Q,K,A", "max_wilds=0 instead"),  # noqa: E501
        ("classic meld.max_wilds=0 pile.with_wild=no meld.no_wilds_in=7", "rules-option", "meld.no_wilds_in=7", "no_wilds_in=none"),  # noqa: E501
        ("american-4p meld.max_wilds=0 meld.all_wild=no meld.rule_of_five=yes", "rules-option", "meld.rule_of_five=yes", "rule_of_five=no"),  # noqa: E501
        ("classic players=2 out.ask=yes", "rules-option", "out.ask=yes", "write out.ask=no"),
        ("classic-2p out.ask=yes", "rules-option", "out.ask=yes", "has no partner"),
        ("classic deal.hand=1", "rules-option", "deal.hand=1", "3 cards that a meld needs"),
        ("classic deal.hand=26", "rules-option", "deal.hand=26", "stock of 3"),
        ("classic deal.hand=25 draw.count=2", "rules-option", "deal.hand=25", "stock of 7"),
        ("classic players=6 deal.hand=15 draw.count=3", "rules-option", "deal.hand=15", "takes 18"),
        ("classic out.discard=required out.after_black_threes=nothing", "rules-option", "out.after_black_threes=nothing", "=anything"),  # noqa: E501
        ("classic score.mixed=600", "rules-option", "score.mixed=600", "more than the 500"),
        ("classic score.natural=200", "rules-option", "score.natural=200", "mixed canasta earns 300"),  # noqa: E501
        ("classic meld.max_wilds=0", "rules-option", "meld.max_wilds=0", "pile.with_wild=no"),
        ("american-2p meld.max_wilds=0", "rules-option", "meld.max_wilds=0", "meld.all_wild=no"),
        ("classic deal.hand=27", "rules-option", "deal.hand=27", "109 cards"),
        ("classic opening.by=deal", "rules-option", "opening.by=deal", "as in opening.table=2:50"),
        ("american-4p opening.by=deal", "rules-option", "opening.by=deal", "leave opening.by out"),
        ("classic opening.raise=501", "rules-option", "501", "from 0 to 500"),
        ("classic opening.by=deals", "rules-option", "deals", "total or deal"),
        ("classic packet.of=side packet.size=4,3,2", "rules-option", "packet.size=4,3,2", "3 sizes"),  # noqa: E501
    ],
)  # fmt: skip
def test_problems_have_a_place_and_a_remedy(text: str, code: str, marked: str, said: str) -> None:
    reading = parse_rules(text)
    assert reading.profile is None
    problem = reading.problems[0]
    assert problem.code == code
    assert text[problem.start : problem.end] == marked
    assert said in f"{problem.message} {problem.help}"


# What one profile has and another cannot have: a player who is a side has no partner to ask, the
# sides must fit the players, and the points of threes must fit their number.
THREE_PACKS = ("classic-6p", "samba", "bolivia")
SAMBAS = ("samba", "bolivia")
WILD_MELDS = ("american-2p", "american-4p", "bolivia", "joker", "uruguay", "cla")
OF_SAMBA = (
    ("meld.combine", "yes"),
    ("pile.onto_sequence", "yes"),
    ("score.sequence", "1500"),
    ("out.sequences", "1"),
)
BLACK_TABLED = ("american-2p", "american-4p", "cla", "joker")
PACKETS = ("american-2p", "american-4p", "cla")
OF_PACKETS = (
    ("packet.of", "side"),
    ("packet.size", "4,3"),
    ("packet.from", "stock"),
    ("packet.with_pile", "no"),
    ("packet.until", "9"),
    ("packet.threes", "next-turn"),
)
UNFIT = {
    *((name, "out.ask", "yes") for name in ("classic-2p", "american-2p", "classic-3p")),
    *((name, "sides", "3") for name in PROFILES if name not in ("classic-3p", "classic-6p")),
    ("classic-3p", "sides", "2"),
    *((name, "deck.packs", "3") for name in PROFILES if name not in THREE_PACKS),
    *((name, "deck.packs", "2") for name in THREE_PACKS),
    *(
        (name, "score.red3", SHORT["score.red3", short])
        for short in "6S"
        for name in PROFILES
        if name not in THREE_PACKS
    ),
    *((name, "score.red3", SHORT["score.red3", short]) for name in THREE_PACKS for short in "RP"),
    # Sequences, melds put together and melds of wild cards need the rules that have them.
    *((name, key, value) for name in PROFILES if name not in SAMBAS for key, value in OF_SAMBA),
    *((name, "meld.max_wild_cards", "7") for name in PROFILES if name not in WILD_MELDS),
    ("classic-strict", "meld.several", "yes"),
    *((name, "meld.dead_ranks", "all") for name in SAMBAS),
    ("american-4p", "meld.several", "yes"),
    ("cla", "meld.several", "yes"),
    # How packets are taken needs packets, and packets need a size.
    *((name, "packet.size", "none") for name in PACKETS),
    # Which threes are tabled goes with their points.
    *((name, "threes", "red" if name in BLACK_TABLED else "all") for name in PROFILES),
    *((name, *of) for name in PROFILES if name not in PACKETS for of in OF_PACKETS),
    *((name, "score.concealed_canasta", "100") for name in SAMBAS),
    ("bolivia", "meld.sequences", "no"),
}


#: The values of profiles with feet come together: four or five packs, feet, and what follows.
#: Profiles of other games, whose values do not fit the others one by one.
APART = (
    "hand-and-foot",
    "pennies",
    "burraco",
    "burraco-international",
    "buraco",
    "buraco-fechado",
    "buraco-stbl",
)
ALIKE = tuple(name for name in PROFILES if name not in APART)


@pytest.mark.parametrize("name", ALIKE)
def test_what_one_profile_has_another_can_have(name: str) -> None:
    refused = set()
    for key in keys().values():
        for value in {load_profile(other).spelled(key.name) for other in ALIKE}:
            if not key.offered_only and parse_rules(f"{name} {key.name}={value}").profile is None:
                refused.add((name, key.name, value))
    assert refused == {each for each in UNFIT if each[0] == name}


def test_every_problem_of_a_text_is_reported() -> None:
    problems = parse_rules("clasic meld.max=1 target=x bga target=1").problems
    assert [problem.code for problem in problems] == ["rules-unknown"] + ["rules-option"] * 4


OWN = """
name = "our-club"
title = "our club"
extends = "american-4p"

[values]
"meld.max_wilds" = { value = 3, mark = "C", source = "the club's meeting" }

[values.special]
mark = "C"
source = "the club's meeting"

[[values.special.value.triples]]
points = 3500
parts = [{ size = 3, times = 4, ranks = "456789TJQKA" }, { size = 2, times = 1, ranks = "2*" }]
"""


def test_a_person_s_own_file(tmp_path: Path) -> None:
    path = tmp_path / "our-club.toml"
    path.write_text(OWN, "utf-8")
    profile = load_profile(path)
    assert (profile.name, profile["meld.max_wilds"], profile["target"]) == ("our-club", 3, 8500)
    assert profile["special"]["triples"][0].points == 3500
    read = parse_rules(f"{path} target=10000 special=none", files=True).profile
    assert read is not None and (read["target"], read["special"]) == (10000, None)
    assert parse_rules(str(path)).problems[0].code == "rules-unknown"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("value = 3,", 'value = "three",', "meld.max_wilds must be a whole number"),
        ('mark = "C"', 'mark = "X"', "meld.max_wilds/mark"),
        ('"meld.max_wilds"', '"meld.wilds"', "meld.wilds: there is no such key"),
        ('extends = "american-4p"\n', "", "players: has no value"),
        ('extends = "american-4p"', 'extends = "amercan"', "extends: there is no packaged"),
        ('name = "our-club"', 'name = "classic"', "name: classic is the name of a packaged"),
        ('name = "our-club"', "name = our-club", ":2:8: this is no value; write a text"),
        ("size = 3", "size = 4", "must have 14 cards, not 18"),
        ('ranks = "2*"', 'ranks = "W"', "special/value"),
        ("size = 3, times = 4", "size = 2, times = 6", "two parts of the same size"),
        ('"meld.max_wilds" = { value = 3', '"meld.max_cards" = { value = 6', "meld.max_cards: "),
        ('"meld.max_wilds" = { value = 3', '"out.canastas" = { value = 34', "from 0 to 33"),
        ('"meld.max_wilds" = { value = 3', '"deal.hand" = { value = 26', "deal.hand: the deal"),
        ('"meld.max_wilds" = { value = 3', '"deal.hand" = { value = 11', "special: a special hand"),
    ],
)  # fmt: skip
def test_a_wrong_file_says_where_and_why(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "our-club.toml"
    text = OWN.replace('ranks = "2*"', 'ranks = "A2*"') if "size = 2" in new else OWN
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(ProfileError, match=re.escape(said)) as raised:
        load_profile(path)
    assert str(raised.value).startswith(str(path))


def test_a_record_states_a_person_s_own_rules_by_the_packaged_ones(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    stated = '"target" = {value = 3000, mark = "C", source = "us"}\n'
    path.write_text(f'name = "my"\ntitle = "x"\nextends = "bga"\n[values]\n{stated}')
    own = load_profile(path).with_values({"deal.hand": 12})
    assert (own.text, rules_tag(own)) == ("my deal.hand=12", "bga deal.hand=12 target=3000")
    assert rules_tag(load_profile("bga").with_values({"target": 5000})) == "bga target=5000"
    assert [rules_tag(load_profile(name)) for name in PROFILES] == list(PROFILES)
    path.write_text(OWN)
    for profile in (
        load_profile(path),
        load_profile("classic").with_values({"score.red3": [5] * 4}),
        load_profile("classic").with_values({"players": 3}),
    ):
        with pytest.raises(ValueError, match="no record can state these rules"):
            rules_tag(profile)


def test_a_missing_profile() -> None:
    with pytest.raises(ProfileError, match="did you mean davenport"):
        load_profile("devenport")
    with pytest.raises(ProfileError, match="no such file or folder"):
        load_profile("no/such.toml")


def test_profiles_are_values() -> None:
    profile = load_profile("american-2p")
    assert pickle.loads(pickle.dumps(profile)) == profile
    assert hash(profile) == hash(pickle.loads(pickle.dumps(profile)))
    assert (profile.seats, profile.side_names) == ("NS", ("N", "S"))
    assert profile.with_values({"target": 1}) != profile
    with pytest.raises(KeyError):
        profile.with_values({"meld.nothing": 1})
    with pytest.raises(KeyError):
        profile["meld.nothing"]
    with pytest.raises(AttributeError):
        profile.name = "x"  # type: ignore[misc]
    assert spell(profile["up.turned"]) == "no"


def test_every_finding_has_an_entry() -> None:
    for code in codes():
        found = entry(code)
        assert found.example == f"{code}.canasta"
        assert set(found.keys) <= set(keys())
        for text in (found.what, found.why, found.remedy):
            assert text.endswith(".") and text[0].isupper()
    notes = {code: entry(code).severity for code in codes() if entry(code).severity != "error"}
    assert notes == {"unfinished": "note", "penalty": "warning"}


def test_a_missing_message_is_named() -> None:
    with pytest.raises(KeyError, match="not-in-hand has no message 'repeat'"):
        entry("not-in-hand").sentences("repeat", {})


#: Keys that no ruling overrides, because there are rulings for profiles with different values.
RULED_BY_PROFILE = {
    "deck.packs", "up.turned", "pile.blockers", "pile.onto_meld", "meld.min_naturals",
    "meld.black_threes", "out.finished", "score.mixed", "score.red3", "score.red3_held",
    "score.sevens", "score.aces", "score.wild", "score.unfinished", "score.held", "special",
    "penalty.ask", "tie",
}  # fmt: skip


def test_nothing_about_a_key_is_forgotten() -> None:
    """Every key governs a finding, is read by a module, and is overridden in a ruling."""
    governed = {key for code in codes() for key in entry(code).keys}
    package = TOP / "canasta_notation"
    source = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    rulings = "".join(path.read_text("utf-8") for path in TOP.glob("tests/rulings/*.toml"))
    lacking = []
    for name, key in keys().items():
        if name not in governed:
            lacking.append(f"rules/findings: no finding has {name} among its keys")
        if f'"{name}"' not in source and len(key.choices) != 1:  # a single value changes nothing
            lacking.append(f"no module reads {name}")
        if f"{name}=" not in rulings and name not in RULED_BY_PROFILE:
            lacking.append(f"no case of tests/rulings overrides {name}")
    assert lacking == []


def test_every_key_of_the_score_governs_scores() -> None:
    scored = {key for key in keys() if key.startswith("score.")}
    for code in ("score", "score-item"):
        assert scored <= set(entry(code).keys)


def test_marks_are_explained() -> None:
    assert set(marks()) == set("SIACR")


def test_the_problems_of_a_text_are_limited() -> None:
    text = "classic " + " ".join(f"k{at}=1" for at in range(5000))
    assert len(parse_rules(text).problems) == 20
    assert len(parse_rules("classic " + "target=5000 " * 5000).problems) == 20


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"name = {'9' * 5000}\n")
    with pytest.raises(ProfileError, match="contains a number with too many digits"):
        load_profile(path)


TOP = Path(__file__).parent.parent
EXPECTED = re.compile(r"expect: *([a-z -]+)")


def test_nothing_about_a_finding_is_forgotten() -> None:
    """Every code has a complete entry, a sample, a ruling and a row in the reference."""
    rulings = "".join(path.read_text("utf-8") for path in TOP.glob("tests/rulings/*.toml"))
    ruled = {code for found in EXPECTED.findall(rulings) for code in found.split()}
    reference = (TOP / "grammar" / "README.md").read_text("utf-8")
    words = set(re.findall(r"`([a-z]+)`", causes.__doc__ or ""))
    lacking = []
    for family in FAMILIES:
        for code, fields in family_data(family).items():
            place = f"rules/findings/{family}.toml: [{code}]"
            needed = ["what", "why", "remedy", "keys", "rests_on", "affects"]
            needed += ["messages"] if code != "syntax" else []
            lacking += [f"{place} has no {name}" for name in needed if name not in fields]
            for part in (fields, *fields.get("messages", {}).values()):
                for name in ("rests_on", "affects", "affects_later"):
                    strange = set(part.get(name, "").split()) - words
                    lacking += [f"{place} {name}: {word} is not in causes.py" for word in strange]
            if not (TOP / "samples" / "broken" / f"{code}.canasta").exists():
                lacking.append(f"samples/broken/{code}.canasta is missing")
            if code not in ruled and fields.get("severity") != "note":
                lacking.append(f"no case of tests/rulings expects {code}")
            if f"| `{code}` |" not in reference:
                lacking.append(f"grammar/README.md, Findings: no row for {code}")
    assert lacking == []


def test_every_message_of_the_catalogue_can_be_found() -> None:
    """A message that no module names would never be shown."""
    package = TOP / "canasta_notation"
    source = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    unused = [
        f"{code}.{name}"
        for code in codes()
        for name in entry(code).messages
        if f'"{name}"' not in source
    ]
    assert unused == []
