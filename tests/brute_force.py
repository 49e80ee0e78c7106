"""A judge of records with a few unwritten cards, which tries every card that each can have been.

A record is contradicted at the first line at which no assignment of real cards is left. The judge
finds that line by trying the assignments, so that the program's own verdict can be compared with
it: each assignment gives a fully written record, which the engine judges.

Only findings about cards are compared (`CARD_CODES`), because a rule that needs an unwritten card
is undetermined whatever the assignments are. A turn that breaks a rule is not searched, so the line
of the first error of any kind is returned too.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

from canasta_notation.cards import CODE, EXACT, RANK, RED_THREE, TEXT, UNKNOWN
from canasta_notation.notation.reader import read_text
from canasta_notation.replay.game_replay import replay_game

#: The findings that depend only on where cards are.
CARD_CODES = frozenset(
    ("not-in-hand", "deck-count", "deal-size", "stock-order", "up-cards", "pile-top", "replacement")
)
#: Instead of a line: nothing is wrong at any line.
NEVER = 1 << 30
_CARD = re.compile(r"3[shdc]|[AKQJT2-9][shdc]|\*")
_OPEN = re.compile(r"\?(_|[AKQJT2-9])\?")
#: The cards of a group on a sequence, which the notation has only with their suits.
_SEQUENCE = re.compile(r" [shdc](/[2-9])?:\S+")
#: The cards that an unwritten card can be; a red three would have been tabled.
_KINDS = [TEXT[code] for code in range(UNKNOWN) if EXACT[code] and RANK[code] != RED_THREE]


def first_faults(text: str) -> tuple[int, int]:
    """Return the lines of the first finding about cards and of the first error, or NEVER."""
    (reading,) = read_text(text)
    errors = [each for each in replay_game(reading.game).findings if each.severity == "error"]
    cards = [each.span.line for each in errors if each.code in CARD_CODES]
    return min(cards, default=NEVER), min((each.span.line for each in errors), default=NEVER)


@dataclass
class Judgement:
    """The lines that the engine and the judge object to; `tried` counts the records replayed.

    `error` is the line of the engine's first error of any kind. `settled` is False if the judge
    gave up before it had tried every assignment.
    """

    engine: int
    error: int
    truth: int
    tried: int
    settled: bool


def judge(text: str, most: int = 2_000) -> Judgement:
    """Judge a record whose unwritten cards are marked `?_?` or `?K?`; at most `most` replays.

    The engine must never object too early. So its line for a record with some open cards is a bound
    for every assignment of them. The search tries the latest lines first, and stops when an
    assignment reaches the bound.
    """
    bound, error = first_faults(written(text))
    search = _Search(bound, most)
    search.go(text, bound)
    settled = search.tried < most or search.best == bound
    return Judgement(bound, error, search.best, search.tried, settled)


class _Search:
    def __init__(self, bound: int, most: int) -> None:
        self.bound, self.most = bound, most
        self.best, self.tried = -1, 0

    def go(self, text: str, line: int) -> None:
        match = _OPEN.search(text)
        if match is None:
            self.best = max(self.best, line)
            return
        branches = []
        for kind in kinds(match[1]):
            if self.tried >= self.most:
                return
            self.tried += 1
            branch = text[: match.start()] + kind + text[match.end() :]
            found, _ = first_faults(written(branch))
            if found == self.bound:
                self.go(branch, found)
                if self.best == self.bound:
                    return
            else:
                branches.append((found, branch))
        for found, branch in sorted(branches, reverse=True):
            if found > self.best:
                self.go(branch, found)


def kinds(open_card: str) -> list[str]:
    """Return the cards that an open one can be."""
    return [kind for kind in _KINDS if open_card in ("_", kind[0])]


def written(text: str) -> str:
    """Return the record as it is written, with marked cards as `_` or by their rank."""
    return _OPEN.sub(r"\1", text)


def erase(text: str, chance: random.Random, most: int) -> str:
    """Return the record with up to `most` cards of its play marked as unwritten."""
    before = chance.choice(("", "", "-", "-^", ":", "+"))
    runs = {at for match in _SEQUENCE.finditer(text) for at in range(*match.span())}
    places = [
        match
        for match in _CARD.finditer(text, text.index("\ndeal "))
        if match[0][0] != "3"
        and match.start() not in runs
        and (not before or text[match.start() - 1] in before)
    ]
    chosen = chance.sample(places, min(most, len(places)))
    for match in sorted(chosen, key=lambda match: -match.start()):
        rank = match[0][0]
        mark = "?_?" if rank == "*" or chance.random() < 0.4 else f"?{rank}?"
        text = text[: match.start()] + mark + text[match.end() :]
    return text


def plant(text: str, chance: random.Random) -> str:
    """Return the record with one card of its play changed into another."""
    places = [match for match in _CARD.finditer(text, text.index("\ndeal ")) if match[0][0] != "3"]
    match = chance.choice(places)
    written_cards = Counter(found[0] for found in places)
    used_up = [card for card, count in written_cards.items() if count >= 2]
    card = chance.choice(used_up if used_up and chance.random() < 0.5 else _KINDS)
    if card[0] == "3" or CODE[card] == CODE.get(match[0]):
        return text
    return text[: match.start()] + card + text[match.end() :]


def cut(text: str, turns: int) -> str:
    """Return the record of one deal up to a number of turns."""
    kept = []
    for line in text.splitlines():
        number = re.match(r"(\d+)\. ", line)
        if (number and int(number[1]) > turns) or line.startswith(("end ", "score ", "total ")):
            continue
        if not line.startswith("[Result"):
            kept.append(line)
    return "\n".join(kept) + "\n"
