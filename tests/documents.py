"""Documents that the tests of the forms share: the samples, a tidy one, and arbitrary ones."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import strategies as st

from canasta_notation.cards import (
    BLACK_THREE,
    CODES,
    KIND,
    KINDS,
    MOST_MELDS,
    PLACE_OF,
    SEQUENCE,
    SINGLE_CARDS,
    format_card,
)
from canasta_notation.engine.actions import (
    Action,
    Ask,
    Combine,
    Discard,
    Draw,
    Lay,
    LaySpecial,
    Take,
    TakeBack,
    TakePacket,
)
from canasta_notation.names import tag_of_player
from canasta_notation.notation.diagnose import SCORED, SIDES
from canasta_notation.notation.document import (
    UNCOUNTED,
    BonusLine,
    Deal,
    EndLine,
    Game,
    HandLine,
    LeftLine,
    MeldsLine,
    PacketLine,
    PenaltyLine,
    ScoreLine,
    StockLine,
    Tag,
    ThreesLine,
    TotalLine,
    Turn,
    UpLine,
)
from canasta_notation.notation.json_form import game_to_json
from canasta_notation.notation.reader import read_text
from canasta_notation.notation.tag_values import TAGS
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.replay.game_report import GameReport

_L = TypeVar("_L")

#: The samples of the project, and the records in the folder that CANASTA_RECORDS names.
RECORDS = [
    *sorted((Path(__file__).parent.parent / "samples").glob("*.canasta")),
    *sorted(Path(os.environ.get("CANASTA_RECORDS", os.devnull)).glob("*.canasta")),
]

TIDY = """\
[CGN "1"]
[N "Ana"]
[E "Bruno"]
[Source "s"] ; where from
; first
[Zebra "1"]
[Aa "2"]

deal 1 dealer N
; of N
N: 3h 3s 4s Th 2c * _ ... +8s +As ; hand
E: Ks Kd
up 9c 2d
stock 9c 2d 4s
talon 4s 9c
talon 5s
1. N +3h +9c +5d K:KdKs ask=yes -9s # ~b ~a @12.50 !
; no
penalty EW 50 upcard ; why
bonus NS 100 cut ; exactly
2. E ^9s/3 9:9s9d open=50 $14 ?
end out N concealed
; the kings
melds NS 3:3c3s K:KsKd *:2c2d*
melds EW ;
threes NS 3h 3r
left E 3s 4 Th 2c ...
left S ...
score NS 12 = out 100 hand -88
total EW 5 NS 12

deal 2
; the end
"""


def read(text: str) -> Game:
    """Return the only game of a text, which must be readable."""
    [reading] = read_text(text)
    assert not [it for it in reading.problems if it.code == "syntax"], reading.problems
    return reading.game


def report(text: str) -> GameReport:
    """Return what the replay of the only game of a text reports."""
    [reading] = read_text(text)
    return replay_game(reading.game)


# --- any game at all ----------------------------------------------------------------------------

CARD = st.integers(0, CODES - 1)
CARDS = st.lists(CARD, min_size=1, max_size=8).map(tuple)
NUMBER = st.integers(0, 999_999_999)
POINTS = st.integers(-999_999_999, 999_999_999)
SEAT = st.sampled_from("NESWABCDF")
SIDE = st.sampled_from(SIDES)
TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(';"\\[~\t '), max_size=12
)
COMMENT = TEXT.map(lambda text: text.rstrip(" \t"))
COMMENTS = st.lists(COMMENT, max_size=2).map(tuple)
CODE_WORD = st.from_regex(r"[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}", fullmatch=True)
ACKS = st.lists(CODE_WORD, max_size=2).map(tuple)
WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,6}", fullmatch=True)
COMMENTED = {"before": COMMENTS, "comment": st.none() | COMMENT}
PLACES = sorted(PLACE_OF.values())
LABEL = st.sampled_from([place for place in PLACES if KIND[place] < SEQUENCE])
SUITED = st.lists(st.sampled_from(SINGLE_CARDS), min_size=1, max_size=4).map(tuple)
#: A jack and a king without suits are a joker that is written in another way, which is refused.
ONE_RANK = CARDS.filter(lambda codes: not {"J", "K"} <= {format_card(code) for code in codes})
LAY = st.builds(Lay, LABEL, ONE_RANK) | st.builds(
    Lay, st.sampled_from([place for place in PLACES if KIND[place] >= SEQUENCE]), SUITED
)
COMBINE = st.builds(
    lambda place, number: Combine(place, place % KINDS + number * KINDS),
    st.sampled_from([place for place in PLACES if KIND[place] != BLACK_THREE]),
    st.integers(0, MOST_MELDS - 1),
)

DRAW = st.builds(Draw, CARDS, st.booleans()) | st.just(Draw((), bare=True))
FIRST = (
    st.none()
    | DRAW
    | st.builds(
        Take,
        CARD,
        st.none() | NUMBER,
        st.none() | st.sampled_from(PLACES).filter(BLACK_THREE.__ne__),
    )
)
GROUPS = st.lists(
    st.builds(Ask, st.booleans())
    | LAY
    | COMBINE
    | st.builds(LaySpecial, st.sampled_from(["straight", "pairs", "garbage", "zip-code"]), CARDS),
    max_size=3,
)


@st.composite
def actions(draw: st.DrawFn) -> tuple[Action, ...]:
    first, groups = draw(FIRST), draw(GROUPS)
    back = draw(st.none() | st.builds(TakeBack, CARDS))
    if back is not None:
        groups.insert(draw(st.integers(0, len(groups))), back)
    discard = draw(st.none() | st.builds(Discard, CARD))
    picked = st.builds(TakePacket, st.sampled_from(("foot", "pot")), NO_CARDS)
    early = draw(st.none() | picked)
    if early is not None:
        groups.insert(draw(st.integers(0, len(groups))), early)
    packet = draw(st.none() | st.builds(TakePacket, st.just("talon"), CARDS))
    if discard is not None and draw(st.booleans()):
        packet = draw(picked)
    return tuple(it for it in (first, *groups, discard, packet) if it is not None)


TURN = st.builds(
    Turn,
    st.none() | NUMBER,
    SEAT,
    actions(),
    st.none() | NUMBER,
    st.sampled_from(["", "#", "##"]),
    ACKS,
    st.none() | st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,2})?", fullmatch=True),
    st.lists(st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$0", "$14"]), max_size=2).map(
        tuple
    ),
    **COMMENTED,
)
PAIRS = st.dictionaries(SIDE, POINTS, min_size=1, max_size=3).map(lambda it: tuple(it.items()))
RULING = st.builds(PenaltyLine, SIDE, NUMBER, WORD, **COMMENTED) | st.builds(
    BonusLine, SIDE, NUMBER, WORD, **COMMENTED
)
ITEM_PAIRS = st.dictionaries(st.sampled_from([*SCORED]), POINTS, min_size=1, max_size=4).map(
    lambda it: tuple(it.items())
)
NO_CARDS = CARDS | st.just(())
LAYS = st.lists(LAY, max_size=3).map(tuple)


def once(lines: st.SearchStrategy[_L], whose: str) -> st.SearchStrategy[tuple[_L, ...]]:
    """Return lines of one kind, each for a different side or seat."""
    unique = st.lists(lines, max_size=2, unique_by=lambda line: getattr(line, whose))
    return unique.map(tuple)


DEAL = st.builds(
    Deal,
    NUMBER,
    st.none() | SEAT,
    st.lists(
        st.builds(HandLine, SEAT, NO_CARDS, st.booleans(), NO_CARDS, ACKS, **COMMENTED),
        max_size=3,
        unique_by=lambda hand: hand.seat,
    ).map(tuple),
    st.none() | st.builds(UpLine, CARDS, ACKS, **COMMENTED),
    st.none() | st.builds(StockLine, CARDS, **COMMENTED),
    st.lists(
        st.builds(PacketLine, st.sampled_from(("pot", "talon")), CARDS, **COMMENTED)
        | st.builds(PacketLine, st.just("foot"), NO_CARDS, SEAT, st.booleans(), **COMMENTED),
        max_size=2,
        unique_by=lambda line: line.seat or object(),
    ).map(tuple),
    st.lists(TURN | RULING, max_size=3).map(tuple),
    st.none()
    | st.builds(EndLine, st.sampled_from(["out", "special"]), SEAT, **COMMENTED)
    | st.builds(EndLine, st.sampled_from(["stock", "unfinished", *UNCOUNTED]), **COMMENTED)
    | st.builds(EndLine, st.just("out"), SEAT, st.just(True), **COMMENTED),
    once(st.builds(MeldsLine, SIDE, LAYS, **COMMENTED), "side"),
    once(st.builds(ThreesLine, SIDE, NO_CARDS, **COMMENTED), "side"),
    once(st.builds(LeftLine, SEAT, NO_CARDS, st.booleans(), **COMMENTED), "seat"),
    st.lists(
        st.builds(ScoreLine, SIDE, POINTS, st.none() | ITEM_PAIRS, **COMMENTED),
        max_size=2,
        unique_by=lambda score: score.side,
    ).map(tuple),
    st.none() | st.builds(TotalLine, PAIRS, **COMMENTED),
    **COMMENTED,
)
LATER = st.builds(tag_of_player, SEAT, st.integers(2, 20))
TAG = st.builds(Tag, WORD | LATER | st.sampled_from(TAGS), TEXT, **COMMENTED)
GAMES = st.builds(
    Game,
    st.lists(TAG, max_size=3).map(lambda tags: (Tag("CGN", "1"), *tags)),
    st.lists(DEAL, max_size=2).map(tuple),
    COMMENTS,
)


def games_to_json(games: Iterable[Game]) -> dict[str, Any]:
    """Return the JSON value of a file of games."""
    return {"cgn": 1, "games": [game_to_json(game) for game in games]}
