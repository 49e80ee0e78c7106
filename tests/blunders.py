"""Records of known blunders: the play before the turn, the blunder, a better play, and the reason.

A reason is "pile" (the next player gets the pile), or the item of the score that is lost: "own" or
"others", and the item.
"""

from __future__ import annotations

from typing import NamedTuple

import canasta_notation as cn


class Blunder(NamedTuple):
    name: str
    rules: str
    before: str
    bad: str
    good: str
    reason: str
    #: Whether a few play-outs show it.
    quick: bool = False

    def played(self, play: str) -> tuple[cn.Game, int, str]:
        """Return the game in which a play is made, the turn that makes it, and the seat."""
        number, last = self.before.strip().split("\n")[-1].split()[:2]
        turn = int(number.strip(".")) + 1
        seats = cn.load_profile(self.rules).seats
        seat = seats[(seats.index(last) + 1) % len(seats)]
        head = f'[CGN "1"]\n[Rules "{self.rules}"]\n[Result "*"]\n\n'
        end = f"out {seat}" if "#" in play else "unfinished"
        [game] = cn.read(f"{head}{self.before}{turn}. {seat} {play}\nend {end}\n")
        return game, turn, seat


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

#: The same, and South has a black three, but no two.
SAFE = FAT.replace("AsAd2h", "AsAd5h")

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
5. E +3s -3s
"""

#: North has just taken a pile of 14 and has a canasta with South, who can go out.
RICH_PARTNER = (
    """\
deal 1 dealer N
E: KsKh9s9h8s8h7s7h6s6h5s
S: AsAsAhAhAdAdAcKdKdKcJh
W: KcTsThTdTcQsQhQdQc4s4h
N: KsKh2s2h2d2c**JsJdJc
up 9c
1. E +4d -4d
2. S +Jc A:AsAsAhAhAdAdAc -Jc
"""
    + played("Qs Qh 4c 5c 6c 7c 8c 9c 4s 5d 6d 7d", "WNES", 3)
    + """\
15. W +5h -Kc
16. N ^Kc K:KsKh -4c
17. E +Td -Td
"""
)

#: South can take the pile of 13 and open with it.
RICH_PILE = (
    """\
deal 1 dealer N
E: KsKhKdQsQhQd4s5s6s8s9s
S: 7s7d7h3s9hTsJsAsAd2h4h
W: AhAc8s8d6d6s5d5sTcJc9c
N: KsQcAc3c8c9cThJhQs4c6h
up 9d
"""
    + played("4d 5h 6h 8h 9h Th Jh 4c 5c 6c 8c Td", "ESWN", 1).replace(
        "1. E +4d", "1. E +4d K:KsKhKd Q:QsQhQd"
    )
    + """\
13. E +7c -7c
"""
)

#: East has a canasta and one card left, and South holds much that counts against it.
DEAR_HAND = NEARLY_OUT.replace("AsAsAhAhAdAdAc9s8d7d6c", "AsAhAd**2sJs9sJhJd4c").replace(
    "N: 4c5c6s", "N: 5d5c6s"
)

#: East took a pile with two nines, which everyone saw; the pile has 13 cards when South is due.
OPEN_PAIR = """\
deal 1 dealer N
E: KsKhKdQsQhQd4s5s6s7s8s
S: Kc3s9s9dTsTdJsJdAsAd5h
W: AhAc8s8d7d6s5d5sTcJc9c
N: KsQcAc3c7s7c8cThJhQs4c
up 9c
1. E +9h K:KsKhKd Q:QsQhQd -9h
2. S +4d -4d
3. W +5h -5h
4. N +6h -Ks
5. E ^Ks -4d
""" + played("7h 8h 6h Th Jh 4c 5c 6c 7c 8c 4h 5d", "SWNE", 6)

#: North has opened and West has not: the pile is frozen for West alone.
FOR_THE_PARTNER = """\
deal 1 dealer N
E: 4s4d5s6s7s8s9sTs3c8hTd
S: KcQcJc3s9h9dAsAd2h2d5h
W: AhAc8s8d7d6d5d6cTcJc9c
N: KsKhKdQsQhQdJsJhJdTh9c
up 4h
1. E +5c -5c
2. S +6h -6h
3. W +7h -7h
4. N +4c K:KsKhKd Q:QsQhQd J:JsJhJd -4c
""" + played("8c 7c 6s 4h 5d 8d 9s 7s 3c", "ESWN", 5)

#: South has opened with kings, and West gives a king when the pile has 13 cards.
JOINING = (
    """\
deal 1 dealer N
E: QsJs4s5s6s7s8s9s4hTs3c
S: KsKhKdQsQhQd9hJdJhKd5h
W: KcAc8h8d7d6d5d6cTcJc9c
N: AsAhAd3s9dThTd4d4c2s2h
up 9c
1. E +5c -5c
2. S +6h K:KsKhKdKd Q:QsQhQd -6h
"""
    + played("7h 8h 5s 6s 7s 8s 9s Td 4h", "WNES", 3)
    + """\
12. N +8c -8c
13. E +7c -7c
"""
)

#: East has taken a pile of 15 cards, and South can go out.
FULL_HANDS = (
    """\
deal 1 dealer N
E: KsKh9s9h9d8h8s7h7s6h6s
S: AsAsAhAhAdAdAcQsQhQdJh
W: KcTsThTdTcJsJdKdKd4s4h
N: 5s5h4c4d6d7d8d5d3s3c6c
up 9c
1. E +4d -4d
2. S +Jc A:AsAsAhAhAdAdAc -Jc
"""
    + played("Qs Qh 4c 5c 6c 7c 8c 9c 4s 5d 6d 7d", "WNES", 3)
    + """\
15. W +5h -5h
16. N +Ks -Ks
17. E ^Ks K:KsKh 9:9s9h9d -6s
"""
)

BLUNDERS = (
    Blunder(
        "gives a pile of 15 with a black three in the hand",
        "classic", SAFE, "+8c -Kc", "+8c -3s", "pile", True,
    ),
    Blunder(
        "gives a pile of 15 with a black three in the hand, by strict rules",
        "classic-strict", SAFE, "+8c -Kc", "+8c -3s", "pile",
    ),
    Blunder(
        "gives a pile of 15 with a black three in the hand, by the rules of bga",
        "bga", SAFE, "+8c -Kc", "+8c -3s", "pile",
    ),
    Blunder(
        "gives a pile of 15 with a black three in the hand, by the rules of davenport",
        "davenport", SAFE, "+8c -Kc", "+8c -3s", "pile",
    ),
    Blunder(
        "gives a pile of 15 although a two would freeze it",
        "classic", FAT.replace("Kc3s9s", "Kc4s9s"), "+8c -Kc", "+8c -2h", "pile",
    ),
    Blunder(
        "gives a pile of 14 with the queen of a meld",
        "classic", SAFE.replace("Kc3s9s", "Qc3s9s").replace("N: KsQc", "N: KsKc"),
        "+8c -Qc", "+8c -3s", "pile",
    ),
    Blunder(
        "draws although it could take a pile of 13 and open",
        "classic", RICH_PILE, "+5h -3s", "^7c 7:7s7d7h A:AsAd2h -3s", "others natural",
    ),
    Blunder(
        "keeps a natural canasta when the other side is about to go out",
        "classic", NEARLY_OUT, "+6c -9s", "+6c A:AsAsAhAhAdAdAc -9s", "own natural", True,
    ),
    Blunder(
        "keeps 250 points in the hand when the other side is about to go out",
        "classic", DEAR_HAND, "+6c -9s", "+6c A:AsAhAd** J:JsJhJd2s -9s", "own hand", True,
    ),
    Blunder(
        "discards the card that completes a canasta",
        "classic", SIX_ACES, "+Ac -Ac", "+Ac A:Ac -9d", "own natural",
    ),
    Blunder(
        "completes with a two what a natural card would complete",
        "classic", SIX_ACES, "+Ac A:2h -9d", "+Ac A:Ac -9d", "own natural",
    ),
    Blunder(
        "goes out and leaves the partner with 25 cards",
        "classic", RICH_PARTNER, "+Ac A:Ac K:KdKdKc -Jh #", "+Ac K:KdKdKc -Ac", "own hand", True,
    ),
    Blunder(
        "gives a pile of 14 with a nine although the next player openly took two nines",
        "classic", OPEN_PAIR, "+4s -9s", "+4s -3s", "pile",
    ),
    Blunder(
        "freezes the pile for the partner alone",
        "classic", FOR_THE_PARTNER,
        "+8h K:Kc Q:Qc J:Jc -2h", "+8h K:Kc Q:Qc J:Jc -9h", "others mixed",
    ),
    Blunder(
        "draws although a pile of 13 would join a meld",
        "classic", JOINING.replace("13. E +7c -7c", "13. E +Kc -Kc").replace("W: Kc", "W: 2d"),
        "+2c -5h", "^Kc -5h", "own mixed",
    ),
    Blunder(
        "does not go out when the other side has just taken a pile of 15",
        "classic", FULL_HANDS, "+Qc -Jh", "+Qc Q:QsQhQdQc -Jh #", "others mixed", True,
    ),
    Blunder(
        "keeps a mixed canasta when the other side is about to go out",
        "classic", NEARLY_OUT.replace("AsAsAhAhAdAdAc", "AsAsAhAhAd2s2h"),
        "+6c -9s", "+6c A:AsAsAhAhAd2s2h -9s", "own mixed",
    ),
    Blunder(
        "keeps a natural canasta when the other side is about to go out, by the rules of bga",
        "bga", NEARLY_OUT, "+6c -9s", "+6c A:AsAsAhAhAdAdAc -9s", "own natural",
    ),
    Blunder(
        "keeps 250 points in the hand when the other side is about to go out, by strict rules",
        "classic-strict", DEAR_HAND, "+6c -9s", "+6c A:AsAhAd** J:JsJhJd2s -9s", "own hand",
    ),
    Blunder(
        "draws although a pair in the hand takes a frozen pile of 13",
        "classic", RICH_PILE.replace("+Td -Td", "+2c -2c"),
        "+5h -9h", "^7c 7:7s7d7h A:AsAd2h -9h", "own mixed",
    ),
)  # fmt: skip
