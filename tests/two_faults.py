"""Records with two faults that have nothing in common: neither may be called a consequence.

The faults are of the kinds that explain only their own meld, opening or take. They are in different
melds and share no card, no rank and no take. `python -m tests.two_faults 1000 [PROFILE...]` tries
that many records of each profile (`classic` by default), prints those judged differently, and fails
if there is one.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field

from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.rules import Profile, load_profile

#: The profiles that can be tried, in which sides alternate. With each are the ranks of the melds,
#: those of the cards that are drawn and discarded, and the card that is turned up.
CARDS = {
    "classic": ("KQJT987", "456", "3c"),
    "hand-and-foot": ("KQJT986", "457", "4c"),
    "pennies": ("KQJT986", "45", "3c"),
}
#: Each kind with the code of its finding.
KINDS = {
    "short": "meld-short",
    "naturals": "meld-naturals",
    "wilds": "meld-wilds",
    "low": "opening-low",
    "frozen": "pile-frozen",
    "unmelded": "pile-unmeldable",
    "never-held": "not-in-hand",
}
#: The kinds that are a group, of which a turn can have two.
GROUPS = ("short", "naturals", "wilds")


@dataclass
class _Turn:
    seat: str
    draw: str
    discard: str = ""
    taken: str = ""
    groups: list[list[str]] = field(default_factory=list)

    def __str__(self) -> str:
        groups = "".join(f" {cards[0][0]}:{''.join(cards)}" for cards in self.groups)
        begin = f"^{self.taken}" if self.taken else f"+{self.draw}"
        return f"{self.seat} {begin}{groups} -{self.discard or self.draw[:2]}"


class Record:
    """The play of a deal, in which every use of cards has different ranks."""

    def __init__(self, chance: random.Random, profile: Profile) -> None:
        self.chance = chance
        self.profile = profile
        self.seats = profile.seats[1:] + profile.seats[0]
        self.turns: list[_Turn] = []
        #: The turn and the code of each fault.
        self.faults: list[tuple[int, str]] = []
        melded, drawn, self.up = CARDS[profile.name]
        self._ranks = chance.sample(melded, len(melded))
        self._wilds = chance.sample(["2s", "2h", "2d", "2c"] * 2 + ["*"] * 4, 12)
        cards = [rank + suit for rank in drawn for suit in "shdc"] * profile["deck.packs"]
        self._drawn = chance.sample(cards, len(cards))
        self._opened: set[int] = set()

    def add(self, kind: str, *, same_turn: bool = False) -> None:
        """Add turns up to one with a fault of a kind, or the fault to the turn before."""
        if same_turn:
            self.turns[-1].groups.append(self._group(kind))
        elif kind == "low":
            while self._side() in self._opened:
                self._turn()
            self._opened.add(self._side())
            self._turn().groups.append(self._rank(3))
        else:
            opened = self._open()
            if kind in ("frozen", "unmelded"):
                # The turns of the side that takes, then of the others, prepare the pile.
                if opened:
                    self._turn()
                self._take(kind)
            elif kind == "never-held":
                self._turn(discard=self._rank(1)[0])
            else:
                if not (opened and self.chance.random() < 0.5):
                    for _ in range(1 + opened):
                        self._turn()
                self.turns[-1].groups.append(self._group(kind))
        always = self.profile["pile.always_frozen"]
        code = "pile-frozen" if always and kind == "unmelded" else KINDS[kind]
        self.faults.append((len(self.turns), code))

    def text(self) -> str:
        """Return the record."""
        last = self.turns[-1]
        hand = []
        if self.faults[-1][1] == "not-in-hand":
            own = [turn for turn in self.turns if turn.seat == last.seat]
            cards = [card for turn in own for group in turn.groups for card in group]
            cards += [turn.discard for turn in own[:-1] if turn.discard]
            cards += [turn.draw for turn in own if turn.taken]
            cards += [rank + suit for rank in self._ranks for suit in "shdc"]
            hand = [f"{last.seat}: {' '.join(cards[: self.profile['deal.hand']])}"]
        lines = [f"{at}. {turn}" for at, turn in enumerate(self.turns, 1)]
        rules = [f'[Rules "{self.profile.name}"]'] * (self.profile.name != "classic")
        deal = f"deal 1 dealer {self.seats[-1]}"
        return "\n".join(['[CGN "1"]', *rules, "", deal, *hand, f"up {self.up}", *lines, ""])

    def most_laid(self) -> int:
        """Return the most cards that a seat lays, which its hand must have."""
        return max(
            sum(len(group) for turn in self.turns if turn.seat == seat for group in turn.groups)
            for seat in self.seats
        )

    def _take(self, kind: str) -> None:
        """Add a take of a pile, which a wild card froze if the fault is that it was frozen."""
        wild, *other = self._wild(2)
        cards = self._rank(2)
        self._turn(discard=wild if kind == "frozen" else "")
        self._turn(discard=cards[0])
        turn = self._turn(taken=cards[0])
        if kind == "frozen":
            turn.groups.append([cards[1], *other])

    def _group(self, kind: str) -> list[str]:
        match kind:
            case "short":
                return self._rank(2)
            case "naturals":
                return self._rank(1) + self._wild(2)
            case _:
                return self._rank(2) + self._wild(4)

    def _open(self) -> bool:
        """Let some turns pass, and a side open if it has not; return whether it does."""
        for _ in range(self.chance.randrange(3)):
            self._turn()
        side = self._side()
        if side in self._opened:
            return False
        self._opened.add(side)
        self._turn().groups.append(["As", "Ah", "Ad"] if side else ["As", "Ah", "Ac"])
        return True

    def _side(self) -> int:
        return len(self.turns) % 2

    def _turn(self, *, taken: str = "", discard: str = "") -> _Turn:
        """Add a turn, which discards the card that it draws unless another one is named."""
        seat = self.seats[len(self.turns) % len(self.seats)]
        draws = 1 if taken else self.profile["draw.count"]
        drawn = "".join(self._drawn.pop() for _ in range(draws))
        turn = _Turn(seat, drawn, discard, taken)
        self.turns.append(turn)
        return turn

    def _rank(self, count: int) -> list[str]:
        """Return cards of a rank that was not used before."""
        rank = self._ranks.pop()
        return [rank + suit for suit in self.chance.sample("shdc", count)]

    def _wild(self, count: int) -> list[str]:
        return [self._wilds.pop() for _ in range(count)]


def two_faults(seed: int, name: str = "classic") -> Record:
    """Return a record with two faults."""
    chance, profile = random.Random(seed), load_profile(name)
    while True:
        record = Record(chance, profile)
        # After a card that was never held, the play cannot be followed.
        first = chance.choice([kind for kind in KINDS if kind != "never-held"])
        second = chance.choice([kind for kind in KINDS if (first, kind) != ("low", "low")])
        record.add(first)
        groups = first in GROUPS and second in GROUPS
        record.add(second, same_turn=groups and chance.random() < 0.5)
        if record.most_laid() < profile["deal.hand"]:
            return record


def misjudged(seed: int, name: str = "classic") -> str:
    """Return what is wrong with the judgement of a record, or ""."""
    record = two_faults(seed, name)
    text = record.text()
    before = text[: text.index("\n1. ")].count("\n") + 1
    due = sorted((before + turn, code) for turn, code in record.faults)
    [reading] = read_text(text)
    found = replay_game(reading.game).findings
    findings = [each for each in found if each.code != "unfinished"]
    primary = sorted((each.span.line, each.code) for each in findings if each.follows is None)
    if primary == due:
        return ""
    said = [f"  {each.span.line}: {each.code}: {each.message}" for each in findings]
    return "\n".join([f"{seed}: {due}, but {primary}", text, *said])


if __name__ == "__main__":
    wrong = [
        said
        for name in sys.argv[2:] or ["classic"]
        for seed in range(int(sys.argv[1]))
        if (said := misjudged(seed, name))
    ]
    print(*wrong[:20], f"{len(wrong)} records judged otherwise", sep="\n")
    sys.exit(bool(wrong))
