"""A second scorer, written only from the rule texts. It shares no code with the package.

It reads a canonical record with a few lines of code, moves cards between lists as the record says,
judges nothing, and adds up every item of every deal. Sources: the rule texts, the table of the
profiles' keys, and what the reference of the notation says about kept threes and talons.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from importlib.resources import files

SEATS = {2: "NS", 3: "NES", 4: "NESW", 6: "ABCDEF"}
SIDES = {2: ["N", "S"], 3: ["N", "E", "S"], 4: ["NS", "EW"], 6: ["ACE", "BDF"]}
THREE_SIDES = ["AD", "BE", "CF"]
RED_THREES = {
    4: [0, 100, 200, 300, 800],
    6: [0, 100, 200, 300, 400, 1000, 1200],
    8: [0, 100, 200, 300, 400, 500, 600, 700, 1000],
}
VALUES = {"*": 50, "2": 20, "A": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}

FOUR_PLAYERS = {"players": 4, "hand": 11, "draw": 1, "american": False}
SAMBA = {"players": 4, "hand": 15, "draw": 2, "american": False, "own": True, "samba": True}
BURACO = {
    **FOUR_PLAYERS,
    "pot": {"king": 500, "ace": 1000, "unplayed": True, "stock": 42},
    "score.cards": "A:15 2:10 *:20",
}
PROFILES = {
    # Whose canasta makes a hand concealed, its own or the side's, and the bonus for a concealed
    # canasta.
    "classic": {**FOUR_PLAYERS, "own": True},
    "classic-strict": {**FOUR_PLAYERS, "own": True, "concealed_canasta": 100},
    "bga": {**FOUR_PLAYERS, "own": False},
    "davenport": {**FOUR_PLAYERS, "own": False},
    "classic-2p": {"players": 2, "hand": 15, "draw": 2, "american": False, "own": True},
    "classic-3p": {"players": 3, "hand": 13, "draw": 1, "american": False, "own": True},
    "classic-6p": {"players": 6, "hand": 13, "draw": 1, "american": False, "own": True, "red": 6},
    "samba": SAMBA,
    "bolivia": {**SAMBA, "black3_held": 100},
    # The points of a canasta of wild cards: of twos alone, with four jokers, and of others.
    "uruguay": {**FOUR_PLAYERS, "own": True, "wild": (2000, 2000, 2000)},
    "joker": {
        **FOUR_PLAYERS,
        "hand": 13,
        "own": True,
        "wild": (4000, 3000, 2000),
        "both_threes": True,
    },
    "hand-and-foot": {**FOUR_PLAYERS, "draw": 2, "own": True, "foot": True},
    # A canasta of sevens counts 1500 with or without wild cards, and decides how red threes count.
    "pennies": {
        "players": 6,
        "hand": 13,
        "draw": 2,
        "american": False,
        "own": True,
        "red": 8,
        "sevens": 1500,
        "wild": (1000, 1000, 1000),
    },
    "burraco": {**FOUR_PLAYERS, "pot": {"semi": 150}, "score.cards": "A:15 *:30"},
    "buraco": BURACO,
    "buraco-fechado": {**BURACO, "top": True},
    "buraco-stbl": {**BURACO, "top": True},
    "american-2p": {"players": 2, "hand": 13, "draw": 1, "american": True, "own": True},
    "american-4p": {"players": 4, "hand": 13, "draw": 1, "american": True, "own": True},
    "cla": {
        "players": 4,
        "hand": 13,
        "draw": 1,
        "american": True,
        "own": True,
        "special": {
            "zip-code": 2500,
            "garbage": 3000,
            "blast-off": 3000,
            "triples": 3500,
            "quads": 3500,
            "dream-hand": 8500,
        },
    },
}

#: The keys that a record may change in its profile. Most of them change only what can be
#: played.
KEYS = {
    "sides", "target", "deal.hand", "packet.of", "packet.size", "packet.until", "draw.last_red3",
    "pile.rest_usable", "pile.onto_mixed_aces", "pile.onto_sequence", "special.courtesy",
    "opening.table", "opening.by", "opening.raise", "opening.clean_triple", "score.cards",
}  # fmt: skip


def cards_of(text: str) -> list[str]:
    """Split cards written side by side."""
    return re.findall(r"\*|[3-9TJQKA2][shdc]", text)


def is_red_three(card: str) -> bool:
    return card in ("3h", "3d")


def is_wild(card: str) -> bool:
    return card[0] in "*2"


@dataclass
class Side:
    melds: dict[str, list[str]] = field(default_factory=dict)
    concealed: set[str] = field(default_factory=set)
    threes: list[str] = field(default_factory=list)
    penalty: int = 0
    bonus: int = 0


class Deal:
    """The cards of one deal, in lists."""

    def __init__(self, profile: dict) -> None:
        self.profile = profile
        self.seats = SEATS[profile["players"]]
        names = profile.get("sides") or SIDES[profile["players"]]
        self.sides = {name: Side() for name in names}
        self.hands: dict[str, list[str]] = {}
        self.feet: dict[str, list[str]] = {}
        self.melded: set[str] = set()
        self.pile: list[str] = []
        self.out: str | None = None
        self.concealed = False
        self.special: tuple[str, int] | None = None

    def side(self, seat: str) -> Side:
        return next(side for name, side in self.sides.items() if seat in name)

    def must_table(self, card: str) -> bool:
        if self.profile.get("foot"):
            return False
        both = self.profile["american"] or self.profile.get("both_threes")
        return card[0] == "3" if both else is_red_three(card)

    def deal(self, seat: str, line: str) -> None:
        words = line.split()
        dealt = [word for word in words if word[0] != "+"]
        given = [word[1:] for word in words if word[0] == "+"]
        every = dealt + given
        threes = sorted((c for c in every if self.must_table(c)), key=is_red_three)
        # A kept three is a black one if there is one: it is first.
        tabled = threes[len(threes) - len(given) :]
        for three in tabled:
            every.remove(three)
        self.side(seat).threes += tabled
        self.hands[seat] = every

    def turn(self, words: list[str]) -> None:
        seat, hand = words[0], self.hands[words[0]]
        side = self.side(seat)
        stood = {rank: len(cards) for rank, cards in side.melds.items()}
        new_to_melding = seat not in self.melded
        laid: Counter[str] = Counter()
        own: Counter[str] = Counter()
        before: Counter[str] = Counter(hand)
        taken = False
        drawn: list[str] = []
        rest_of_pile: list[str] = []
        for word in words[1:]:
            label, colon, rest = word.partition(":")
            if word[0] == "+":
                drawn += cards_of(word[1:])
                continue
            if drawn:
                self.draw(seat, drawn)
                before, drawn = Counter(hand), []
            if word[0] == "^":
                taken = True
                joined = self.top_label(word, words, side)
                top = self.pile.pop()
                side.melds.setdefault(joined, []).append(top)
                laid[joined] += 1
                own[joined] += 1  # A canasta with the pile's top card can still be concealed.
                # If the rest cannot be melded in this turn, it enters the hand with the discard.
                stays = self.profile.get("pile.rest_usable") == "no"
                if joined[0] in "shdc" and self.profile.get("pile.onto_sequence") == "alone":
                    continue
                # In Hand and Foot, six cards go with the top, and the rest of the pile stays.
                left = self.pile[:-6] if self.profile.get("foot") else []
                for card in self.pile[len(left) :]:
                    where = rest_of_pile if stays else hand
                    (side.threes if self.must_table(card) else where).append(card)
                self.pile = left
            elif word.startswith("foot"):
                named, _, pulled = rest.partition("+")
                cards = self.feet.pop(seat, []) or cards_of(named)
                for card in cards + cards_of(pulled):
                    (side.threes if self.must_table(card) else hand).append(card)
            elif (
                colon
                and len(label) > 1
                and label[:2].isalpha()
                and label[0].islower()
                and label not in ("threes", "talon", "back", "foot")
            ):
                self.special = (seat, self.special_points(label, cards_of(rest)))
            elif label == "threes":
                self.table_late(side, hand, *rest.partition("+")[::2])
                before = Counter(hand)
            elif label == "back":
                assert not Counter(cards_of(rest)) - Counter(hand)  # They stay there.
            elif label == "talon":
                hand += cards_of(rest)  # Threes among them are tabled in the next turn.
            elif ">" in word:
                label, _, number = word.partition(">")
                onto = label[0] if number == "1" else f"{label[0]}/{number}"
                side.melds[onto] += side.melds.pop(label)
            elif colon and (len(label) == 1 or label[1] == "/"):
                for card in cards_of(rest):
                    hand.remove(card)
                    side.melds.setdefault(label, []).append(card)
                    laid[label] += 1
                    if not taken or before[card]:
                        own[label] += 1
                        before[card] -= 1
                self.melded.add(seat)
            elif word[0] == "-":
                card = word[1:]
                hand += rest_of_pile
                rest_of_pile = []
                hand.remove(card)
                self.pile.append(card)
        if drawn:
            self.draw(seat, drawn)
        hand += rest_of_pile
        if taken:
            self.melded.add(seat)
        side.concealed |= {rank for rank in own if own[rank] >= 7 and not stood.get(rank)}
        if not hand and not self.special:
            self.out = seat
            fresh = new_to_melding and laid and not any(stood.get(rank) for rank in laid)
            ranks = laid if self.profile["own"] else side.melds
            self.concealed = bool(fresh) and any(
                len(side.melds.get(rank, ())) >= 7 for rank in ranks
            )

    def table_late(self, side: Side, hand: list[str], threes: str, replacements: str) -> None:
        for three in cards_of(threes):
            hand.remove(three)
            side.threes.append(three)
        cards = cards_of(replacements)
        for at, card in enumerate(cards):
            # A three that is the last card of the stock stays in the hand.
            replaced = at < len(cards) - 1
            (side.threes if self.must_table(card) and replaced else hand).append(card)

    def top_label(self, word: str, words: list[str], side: Side) -> str:
        """Return the label of the meld that the top of a taken pile joins."""
        _, named, onto = word.partition(">")
        rank = word[1]
        if named:
            return onto
        frozen = not side.melds or any(is_wild(card) or is_red_three(card) for card in self.pile)
        stands = len(side.melds.get(rank, []))
        numbered = any(self.profile.get(each) for each in ("samba", "foot", "sevens"))
        if not numbered or (0 < stands < 7 and not frozen):
            return rank
        labels = [each.partition(":")[0] for each in words[words.index(word) :] if ":" in each]
        return next((label for label in labels if label[0] == rank), rank)

    def draw(self, seat: str, drawn: list[str]) -> None:
        for at, card in enumerate(drawn):
            # A three without a replacement: kept, or the last of the stock (American rules).
            kept = self.profile["american"] and at == len(drawn) - 1
            if self.must_table(card) and not kept:
                self.side(seat).threes.append(card)
            else:
                self.hands[seat].append(card)

    def special_points(self, kind: str, cards: list[str]) -> int:
        if kind == "straight":
            return 3000
        if points := self.profile.get("special", {}).get(kind):
            return points
        if self.profile.get("special") and len({card[0] for card in cards} & {"2", "*"}) == 2:
            return 2500
        if kind == "garbage":
            return 2000
        return 2000 if any(is_wild(card) for card in cards) else 2500

    # --- scoring --------------------------------------------------------------------------------

    def scores(self) -> dict[str, dict[str, int]]:
        """Return the items of each side that are not 0."""
        scores = {name: self.items(name) for name in self.sides}
        return {
            name: {item: points for item, points in items.items() if points}
            for name, items in scores.items()
        }

    def items(self, name: str) -> Counter[str]:
        side, american = self.sides[name], self.profile["american"]
        items: Counter[str] = Counter(penalty=-side.penalty, bonus=side.bonus)
        if self.special and self.special[0] in name:
            items["special"] = self.special[1]
            return items
        canastas = [rank for rank, cards in side.melds.items() if len(cards) >= 7]
        melded = sum(self.value(card) for cards in side.melds.values() for card in cards)
        items["melds"] = -melded if american and not canastas else melded
        for rank in canastas:
            item, points = self.canasta(rank, side.melds[rank])
            items[item] += points
            if rank in side.concealed:
                items["concealed-canasta"] += self.profile.get("concealed_canasta", 0)
        self.threes(side, len(canastas), items)
        samba = self.profile.get("samba")
        if self.out and self.out in name:
            items["out"] = 200 if samba else 100
            plain = not (american or samba or self.profile.get("foot"))
            items["concealed"] = 100 if self.concealed and plain else 0
        for seat in name:
            self.hand(self.hands[seat], items)
            self.hand(self.feet.get(seat, []), items)
            if self.out and "black3_held" in self.profile:
                threes = sum(card in ("3s", "3c") for card in self.hands[seat])
                items["hand"] -= threes * (self.profile["black3_held"] - self.value("3s"))
        if american:
            self.unfinished(side, items)
        return items

    def canasta(self, rank: str, cards: list[str]) -> tuple[str, int]:
        if rank[0] in "shdc":
            return "sequence", 1500
        if rank[0] == "*" and self.profile.get("samba"):
            return "wild", 2500
        if rank[0] == "7" and self.profile.get("sevens"):
            return "sevens", self.profile["sevens"]
        if rank[0] == "*":
            jokers = cards.count("*")
            twos, four, other = self.profile.get("wild", (3000, 2500, 2000))
            return "wild", twos if jokers == 0 else four if jokers == 4 else other
        if any(is_wild(card) for card in cards):
            return "mixed", 300
        if self.profile["american"] and rank in "7A":
            return {"7": "sevens", "A": "aces"}[rank], 2500
        return "natural", 500

    def value(self, card: str) -> int:
        named = re.findall(r"(.):(\d+)", self.profile.get("score.cards", ""))
        return int(dict(named).get(card[0], VALUES[card[0]]))

    def threes(self, side: Side, canastas: int, items: Counter[str]) -> None:
        red = sum(map(is_red_three, side.threes))
        black = len(side.threes) - red
        if self.profile["american"] or self.profile.get("both_threes"):
            schedule = [0, 100, 300, 500, 1000]
            one = 0 if self.profile["american"] else 1
            sign = {0: -1, 1: one}.get(canastas, 1)
            items["threes"] = sign * (schedule[red] + schedule[black])
        elif self.profile.get("samba"):
            points = [0, 100, 200, 300, 400, 500, 1000][red]
            items["red3"] = points if canastas >= 2 else -points
        else:
            points = RED_THREES[self.profile.get("red", 4)][red]
            due = side.melds
            if self.profile.get("sevens"):
                due = [at for at, cards in side.melds.items() if at[0] == "7" and len(cards) >= 7]
            items["red3"] = points if due else -points

    def hand(self, cards: list[str], items: Counter[str]) -> None:
        american = self.profile["american"]
        for card in cards:
            held = 5 if american else 500
            items["hand"] -= held if is_red_three(card) else self.value(card)
        if american:
            for rank in "7A":
                if sum(card[0] == rank for card in cards) >= 3:
                    items["held"] -= 1500

    def unfinished(self, side: Side, items: Counter[str]) -> None:
        for rank, points in {"7": 2500, "A": 2500, "*": 2000}.items():
            cards = side.melds.get(rank, [])
            natural = rank == "*" or not any(is_wild(card) for card in cards)
            if 0 < len(cards) < 7 and natural:
                items["unfinished"] -= points


@dataclass
class Pot:
    """A pot that a side has taken: its cards, by whom, and whether it has been played with."""

    cards: list[str]
    seat: str
    played: bool = False


class PotDeal(Deal):
    """A deal of Burraco or Buraco: a pot for each side, sequences from ace to ace."""

    def __init__(self, profile: dict) -> None:
        super().__init__(profile)
        self.rules = profile["pot"]
        self.pots: list[list[str]] = []
        self.taken: dict[str, Pot] = {}
        self.gone = 0
        self.left = self.rules.get("stock", 0)

    def must_table(self, card: str) -> bool:
        return False

    def turn(self, words: list[str]) -> None:
        seat, hand = words[0], self.hands[words[0]]
        name = next(each for each in self.sides if seat in each)
        melds, top = self.sides[name].melds, ""
        for pot in self.taken.values():
            pot.played = pot.played or pot.seat == seat
        discarded = False
        for word in words[1:]:
            label, colon, rest = word.partition(":")
            if word[0] == "+":
                hand += cards_of(word)
                self.left -= len(cards_of(word))
            elif word[0] == "^":
                _, _, onto = word.partition(">")
                top = self.pile.pop() if self.profile.get("top") else ""
                hand += self.pile
                self.pile = []
                if top and (onto or top[0] in melds):
                    melds.setdefault(onto or top[0], []).append(top)
                    top = ""
            elif label == "pot":
                known = self.pots[self.gone] if self.gone < len(self.pots) else []
                self.taken[name] = Pot(known or cards_of(rest), seat, played=not discarded)
                hand += self.taken[name].cards
                self.gone += 1
            elif colon:
                cards = cards_of(rest)
                for card in cards:
                    hand.remove(card)
                fits = top and (
                    label[0] in (top[0], top[-1]) or (is_wild(top) and label[0] in "shdc")
                )
                melds.setdefault(label, []).extend([*cards, top] if fits else cards)
                top = "" if fits else top
            elif word[0] == "-":
                hand.remove(word[1:])
                self.pile.append(word[1:])
                discarded = True
        if not hand:
            self.out = seat
        elif self.left == 0 and "stock" in self.rules and self.gone < 2:
            self.left, self.gone = 11, self.gone + 1

    def items(self, name: str) -> Counter[str]:
        side = self.sides[name]
        items: Counter[str] = Counter(penalty=-side.penalty, bonus=side.bonus)
        for label, cards in side.melds.items():
            items["melds"] += sum(map(self.value, cards))
            if len(cards) >= 7:
                item, points = self.canasta(label, cards)
                items[item] += points
        items["out"] = 100 if self.out and self.out in name else 0
        pot = self.taken.get(name)
        wasted = pot and not pot.played and self.rules.get("unplayed")
        items["packet"] = -100 if pot is None or wasted else 0
        held = [card for seat in name for card in self.hands[seat]]
        if pot and wasted:
            held = list((Counter(held) - Counter(pot.cards)).elements())
        items["hand"] = -sum(map(self.value, held))
        return items

    def canasta(self, label: str, cards: list[str]) -> tuple[str, int]:
        if label[0] not in "shdc":
            naturals = [1] * sum(not is_wild(card) for card in cards)
        else:
            naturals = places_of(label[0], cards)
        wilds = len(cards) - len(naturals)
        if not wilds and label[0] in "shdc" and len(cards) >= 13:
            return "natural", self.rules.get("ace" if len(cards) == 14 else "king", 200)
        if not wilds:
            return "natural", 200
        if label[0] in "shdc":
            row = max(
                size
                for size in range(1, 15)
                for low in naturals
                if set(range(low, low + size)) <= set(naturals)
            )
        else:
            row = len(naturals)
        return ("semi", self.rules["semi"]) if row >= 7 and "semi" in self.rules else ("mixed", 100)


def places_of(suit: str, cards: list[str]) -> list[int]:
    """Return the places of the natural cards of a sequence: 1 for a low ace, 14 for a high one."""
    ranks = "A23456789TJQKA"
    own = [card for card in cards if card[-1] == suit and card[0] not in "2*"]
    twos = cards.count(f"2{suit}")
    aces = sum(card[0] == "A" for card in own)
    middle = [ranks.index(card[0]) + 1 for card in own if card[0] != "A"]
    for natural in (True, False) if twos else (False,):
        for ends in [(1, 14)] if aces == 2 else [(1,), (14,)] if aces else [()]:
            places = sorted([*middle, *ends, *([2] if natural else [])])
            gaps = places[-1] - places[0] + 1 - len(places)
            if gaps <= len(cards) - len(places) <= 1:
                return places
    raise AssertionError(f"no sequence: {cards}")


def score_game(text: str) -> list[dict[str, dict[str, int]]]:
    """Return, for each deal of a canonical record of one game, the items of each side."""
    return [deal.scores() for deal in play_through(text)]


def _known(name: str) -> str:
    """Return a profile of the table here that has the same play: itself, or the one it extends."""
    while name not in PROFILES:
        file = files("canasta_notation.rules").joinpath("profiles", f"{name}.toml")
        name = tomllib.loads(file.read_text("utf-8"))["extends"]
    return name


def play_through(text: str) -> list[Deal]:
    """Return the cards of each deal of a canonical record of one game, as they are at its end."""
    rules = re.search(r'\[Rules "([^"]*)"\]', text)
    assert rules, "a record names its rules"
    name, *words = rules[1].split()
    keys = dict(word.split("=") for word in words)
    assert keys.keys() <= KEYS, "the naive scorer knows whole profiles, and a few keys"
    profile = {**PROFILES[_known(name)], **keys}
    if "sides" in keys:
        profile["sides"] = THREE_SIDES
    deals: list[Deal] = []
    for line in text.splitlines():
        words = line.split()
        if not words or line[0] == "[":
            continue
        if words[0] == "deal":
            deals.append(PotDeal(profile) if "pot" in profile else Deal(profile))
        elif re.match(r"[A-FNSW]: ", line):
            deals[-1].deal(line[0], line[2:])
        elif words[0] == "up":
            deals[-1].pile = words[1:]
        elif words[0] == "foot":
            deals[-1].feet[words[1]] = words[2:]
        elif words[0] == "pot":
            deals[-1].pots.append(words[1:])
        elif words[0] == "penalty":
            deals[-1].sides[words[1]].penalty += int(words[2])
        elif words[0] == "bonus":
            deals[-1].sides[words[1]].bonus += int(words[2])
        elif re.match(r"\d+\.$", words[0]):
            deals[-1].turn(words[1:])
    return deals
