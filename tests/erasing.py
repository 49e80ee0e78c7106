"""Forgetting: the record of a legal game with less of it written, which must remain possible."""

from __future__ import annotations

import random
import re
from collections.abc import Collection

from canasta_notation.fields import PACKET_WORDS
from canasta_notation.rules import Profile

#: The places of cards in a record; each forgets to a different degree.
PLACES = ("hand", "up", "stock", "packet", "taken packet", "draw", "take", "discard", "group")
#: How many cards of a place lose their suit, and how many are forgotten completely.
MEASURES = ((0, 0), (0, 0), (0, 0), (0.3, 0), (0, 0.15), (0.2, 0.1), (1, 0), (0, 1), (0, 0.03))
_CARD = re.compile(r"3[shdc]|[AKQJT2-9][shdc]|\*")
_COLOUR = {"h": "3r", "d": "3r", "s": "3b", "c": "3b"}
_HAND = re.compile(r"([A-FNSW]): (.*)$")
_TURN = re.compile(r"(\d+\. [A-FNSW]) (.*)$")
#: A line of cards that lie on the table: how it begins, its word, and the cards.
_ASIDE = re.compile(r"((up|stock|talon|pot|foot [A-FNSW]) )(.*)$")


def held_at(rules: Profile) -> list[str]:
    """Return the places of threes that go into the hand, and not to the table."""
    if rules["threes"] == "none":
        return [*PLACES]
    waits, later = rules["deal.three_kept"] == "first-turn", rules["packet.threes"] == "next-turn"
    return ["hand"] * waits + ["taken packet"] * later


class Forgetting:
    """How much of a record is forgotten, by place; decided once, at random.

    `held` are the places of threes that go into the hand, so that they need not be written.
    """

    def __init__(self, chance: random.Random, held: Collection[str] = ()) -> None:
        self.chance = chance
        self.held = held
        self.measure = {place: chance.choice(MEASURES) for place in PLACES}
        whole = (
            "no hand",
            "rest",
            "no up",
            "no stock",
            "no packet",
            "no card of a foot",
            "no dealer",
            "no end",
            "no mark",
        )
        self.lines = {line: chance.choice((0, 0, 0, 0.3, 1)) for line in whole}
        # Either both talon lines are forgotten or neither, because one alone would be the first.
        self.lines["no packet"] = round(self.lines["no packet"])

    def text(self, record: str) -> str:
        """Return the record with less written."""
        lines = (self._line(line) for line in record.split("\n"))
        return "\n".join(line for line in lines if line is not None)

    def _line(self, line: str) -> str | None:
        if match := _HAND.match(line):
            return self._hand(match[1], match[2])
        if match := _ASIDE.match(line):
            place = match[2] if match[2] in PLACES else "packet"
            if self.chance.random() < self.lines[f"no {place}"]:
                return None
            return match[1] + self._cards(match[3], place)
        if line.startswith("deal ") and self.chance.random() < self.lines["no dealer"]:
            return line.partition(" dealer ")[0]
        if line.startswith("end ") and self.chance.random() < self.lines["no end"]:
            return None
        if match := _TURN.match(line):
            words = [self._word(word) for word in match[2].split(" ")]
            return " ".join([match[1], *filter(None, words)])
        return line

    def _hand(self, seat: str, cards: str) -> str | None:
        if self.chance.random() < self.lines["no hand"]:
            return None
        dealt, plus, pulled = cards.partition(" +")
        if self.chance.random() < self.lines["rest"]:
            kept = [card for card in dealt.split() if self.chance.random() < 0.6]
            if len(kept) < len(dealt.split()):
                return f"{seat}: {' '.join([*kept, '...'])}{plus}{pulled}"
        return f"{seat}: {self._cards(dealt + plus + pulled, 'hand')}"

    def _word(self, word: str) -> str:
        if word[0] == "#" and self.chance.random() < self.lines["no mark"]:
            return ""
        if word[0] in "+^-":
            place = {"+": "draw", "^": "take", "-": "discard"}[word[0]]
            cards, slash, count = word[1:].partition("/")
            return word[0] + self._cards(cards, place) + slash + count
        label, colon, cards = word.partition(":")
        if label.partition("/")[0] in tuple("shdc"):
            return word  # the notation has no card of a sequence without its suit
        # A word alone says that no three of the foot was replaced.
        bare = label == "foot" and colon and "+" not in cards
        if bare and self.chance.random() < self.lines["no card of a foot"]:
            return label
        if colon:
            place = "taken packet" if label in PACKET_WORDS else "group"
            return f"{label}:{self._cards(cards, place)}"
        return word

    def _cards(self, cards: str, place: str) -> str:
        unsuited, unknown = self.measure[place]
        return _CARD.sub(lambda match: self._card(match[0], place, unsuited, unknown), cards)

    def _card(self, card: str, place: str, unsuited: float, unknown: float) -> str:
        lot = self.chance.random()
        if place in self.held and lot < unknown:
            return "_"
        if card[0] == "3" and place != "up":
            # A tabled three is always written with its colour.
            return _COLOUR[card[1]] if lot < unsuited else card
        if lot < unknown:
            return "_"
        if card[0] == "3":
            return _COLOUR[card[1]] if lot < unknown + unsuited else card
        return card[0] if lot < unknown + unsuited else card


def score_sheet(record: str, chance: random.Random) -> str:
    """Return a record as a score sheet: part of its scores, and none of its play."""
    lines = (_sheet_line(line, chance) for line in record.split("\n"))
    return "\n".join(line for line in lines if line is not None)


def _sheet_line(line: str, chance: random.Random) -> str | None:
    if _HAND.match(line) or _TURN.match(line) or _ASIDE.match(line):
        return None
    lot = chance.random()
    if line.startswith("end ") and lot < 0.5:
        return None
    if not line.startswith("score ") or lot < 0.3:
        return line
    score, _, items = line.partition(" = ")
    amounts = dict(zip(items.split()[::2], map(int, items.split()[1::2]), strict=True))
    if lot < 0.6 and amounts:
        net = amounts.pop("melds", 0) + amounts.pop("hand", 0)
        return f"{score} = cards {net} " + " ".join(f"{it} {at}" for it, at in amounts.items())
    return score if lot < 0.8 else None
