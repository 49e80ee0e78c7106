"""Records of known blunders: the play before the turn, the blunder, a better play, and the reason.

A reason is "pile" (the next player gets the pile), or the item of the score that is lost: "own" or
"others", and the item.
"""

from __future__ import annotations

from typing import NamedTuple


class Blunder(NamedTuple):
    name: str
    rules: str
    before: str
    bad: str
    good: str
    reason: str
    #: Whether few play-outs show it.
    quick: bool = False


def played(cards: str, seats: str, first: int) -> str:
    """Return turns in which each seat discards the card that it draws."""
    return "".join(
        f"{first + at}. {seats[at % len(seats)]} +{card} -{card}\n"
        for at, card in enumerate(cards.split())
    )


#: East has opened; the pile has 14 cards when South is due.
FAT = """\
deal 1 dealer N
E: KsKhKdQsQhQd4s5s6s7s8s
S: Kc3s9s9dTsTdJsJdAsAd2h
W: AhAc8s8d7d6s5d5sTcJc9c
N: KsQcAc3c7s7c8cThJhQs4c
up 9c
1. E +4h K:KsKhKd Q:QsQhQd -4h
""" + played("4d 5h 6h 7h 8h 9h Th Jh 4c 5c 6c 7c", "SWNE", 2)

#: East has a canasta and one card left when South is due.
NEARLY_OUT = """\
deal 1 dealer N
E: KsKsKhKhKdKdKcQsQhQd4s
S: AsAsAhAhAdAdAc9s8d7d6c
W: 4h4d5h5d6h6d7s8s9dTdJd
N: 4c5c6s7h8hTsTcJsJcQc9h
up 9c
1. E +5s K:KsKsKhKhKdKdKc Q:QsQhQd -5s
"""

#: North and South have six aces on the table and the stock is not low.
SIX_ACES = """\
deal 1 dealer N
E: KsKhKdQsQh4s5s6s7s8s9s
S: AsAhAdAc2h4d5d6d7d8d9d
W: 4h5h6h7h8h9hTsThTdJsJh
N: AsAhQdQcKcKs4c5c6c7c8c
up 9c
1. E +4h -4h
2. S +5h A:AsAhAdAc -5h
3. W +6h -6h
4. N +7h A:AsAh -7h
5. E +8h -8h
"""

#: North and South have a canasta; North has just taken a large pile, and South can go out.
RICH_PARTNER = """\
deal 1 dealer N
E: KsKhKdKc9s4s5s6s7s8s9h
S: AsAsAhAhAdAdAcQsQhQdJs
W: 4h5h6h7h8h9hTsThTdJdJc
N: KsKh4d5d6d7d8d9dTc2s2d
up 9c
1. E +4h -4h
2. S +Jh A:AsAsAhAhAdAdAc Q:QsQhQd -Jh
3. W +2h -Ts
4. N +Js -Tc
5. E +5h -5h
6. S +Qc Q:Qc -Js
7. W +Td -Th
8. N +Jc -Js
"""

BLUNDERS = (
    Blunder(
        "gives a pile of 15 with a black three in the hand",
        "classic", FAT, "+8c -Kc", "+8c -3s", "pile",
    ),
    Blunder(
        "gives a pile of 15 although a two would freeze it",
        "classic", FAT.replace("Kc3s9s", "Kc4s9s"), "+8c -Kc", "+8c -2h", "pile",
    ),
    Blunder(
        "keeps a natural canasta when the other side is about to go out",
        "classic", NEARLY_OUT, "+6c -9s", "+6c A:AsAsAhAhAdAdAc -9s", "own natural",
    ),
    Blunder(
        "discards the card that completes a canasta",
        "classic", SIX_ACES, "+Ac -Ac", "+Ac A:Ac -9d", "own natural",
    ),
    Blunder(
        "completes with a two what a natural card would complete",
        "classic", SIX_ACES, "+Ac A:2h -9d", "+Ac A:Ac -9d", "own natural",
    ),
)  # fmt: skip
