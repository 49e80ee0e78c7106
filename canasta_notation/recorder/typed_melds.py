"""Melds as a scorer types them: cards side by side, with or without the label of their meld."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from canasta_notation.cards import (
    CODE,
    JOKER_RANK,
    KIND,
    LABELS,
    MOST_MELDS,
    PLACE_OF,
    RANK,
    RANK_LETTERS,
    RANK_NAMES,
    SEQUENCE,
    SUIT_LETTERS,
    TWO,
    UNKNOWN_RANK,
)
from canasta_notation.engine.ruleset import Rules
from canasta_notation.engine.sequence import make_row
from canasta_notation.english import listed

_CARD: Final = re.compile(r"(10|[AKQJT2-9])([SHDCRB]?)|(\*)|(_)", re.IGNORECASE)
#: A word such as `kings`, which is not cards although its first letter may be one.
_WORD: Final = re.compile(r"(?i)(?![AKQJTSHDCRB]+(?![a-z]))[a-z]{3,}")
_WILD: Final = (TWO, JOKER_RANK)
#: This many cards make a meld.
_MELD: Final = 3


def cards_typed(said: str) -> list[str]:
    """Return cards as the notation spells them, `...` at the end too. Raises ValueError."""
    rest = said.replace(",", " ").strip()
    more = ["..."] if rest.endswith("...") else []
    rest = rest.removesuffix("...").strip()
    words = []
    while rest:
        found = _CARD.match(rest)
        if not found or _WORD.match(rest):
            raise ValueError(f"{rest.split()[0]} is not a card: write cards like 4s, K, T, * or 3r")
        rank = (found[1] or found[3] or found[4]).upper().replace("10", "T")
        suit = (found[2] or "").lower()
        if f"{rank}{suit}" not in CODE:
            if rank == "3" and not suit:
                raise ValueError(
                    "3 alone is not enough: write 3r for a red three, 3b for a black one"
                )
            raise ValueError(f"{found[0]} is not a card: the suits are s, h, d and c")
        words.append(f"{rank}{suit}")
        rest = rest[found.end() :].strip()
    return words + more


def melds_typed(said: str, rules: Rules) -> list[str]:
    """Return the melds on a table as groups of the notation. Raises ValueError.

    Melds are separated by blanks. If a side may have several melds of a label, those without a
    written label are numbered in the order in which they are typed.
    """
    groups: list[str] = []
    labels: set[str] = set()
    for word in said.replace(",", " ").split():
        label, cards = _group(word, rules)
        if ":" not in word and rules.several:
            label = free_label(label, labels)
        labels.add(label)
        groups.append(f"{label}:{''.join(cards)}")
    return groups


def _group(word: str, rules: Rules) -> tuple[str, list[str]]:
    """Return the label of a meld, and its cards. Raises ValueError."""
    label, colon, said = word.partition(":")
    if not colon:
        label, said = "", word
    if not label and set(said) == {"3"} and not rules.threes_melded:
        return "3", ["3b"] * len(said)
    cards = cards_typed(said if label != "3" else re.sub(r"3(?![a-zA-Z])", "3b", said))
    if not (label or rules.threes_melded) and cards and {*cards} <= {"3h", "3d", "3r"}:
        raise ValueError(f"{word}: red threes are asked for after the melds")
    if len(cards) < 2:
        raise ValueError(
            f"{word} is not a meld: type the cards of a meld together, and a space between melds"
        )
    if label:
        name = label.upper().replace("10", "T")
        # The suit of a sequence is the only label in small letters.
        return name.lower() if name[0] in SUIT_LETTERS.upper() else name, cards
    found = label_of([card for card in cards if card != "..."], rules)
    if not found:
        raise ValueError(_unclear(word, said, cards, rules))
    return found, cards


def _unclear(word: str, said: str, cards: Iterable[str], rules: Rules) -> str:
    """Say why cards do not show which meld they are."""
    ranks = {RANK[CODE[card]] for card in cards if card != "..."} - {UNKNOWN_RANK}
    natural = sorted(ranks - {*_WILD})
    if not natural:
        return f"{word}: say which rank the meld is, for example K:{said}"
    names = listed(RANK_NAMES[rank][1] for rank in natural)
    sequences = "; a sequence has one suit, written with each card: 4s5s6s" * rules.sequences
    return f"{word} has {names}, which are not one meld: put a space between melds{sequences}"


def label_of(cards: Sequence[str], rules: Rules) -> str:
    """Return the label without a number that cards show, "" if they do not show one meld."""
    codes = [CODE[card] for card in cards]
    natural = {rules.set_of[RANK[code]] for code in codes} - {*_WILD, UNKNOWN_RANK}
    if len(natural) == 1:
        return RANK_LETTERS[natural.pop()]
    if not natural:
        return "" if not cards or "_" in cards else "*"
    if rules.from_ace:
        suits = {int(rules.sequence_of[code]) for code in codes if RANK[code] not in _WILD}
        found = [kind for kind in suits if len(suits) == 1 and make_row(rules, kind, codes)]
        return LABELS[found[0]] if found else ""
    kinds = {rules.sequence_of[code] for code in codes}
    if rules.sequences and len(kinds) == 1 and len(cards) == len({*cards}):
        kind = kinds.pop()
        return "" if kind == UNKNOWN_RANK else LABELS[kind]
    return ""


def free_label(label: str, taken: Collection[str]) -> str:
    """Return the label with the lowest number that is not taken, itself if it has a number."""
    numbered = [label, *(f"{label}/{number}" for number in range(2, MOST_MELDS + 1))]
    return next((each for each in numbered if each not in taken), label)


#: The melds of a side by their labels, with their cards.
MeldsByLabel = Mapping[str, Sequence[int]]


def label_on_table(cards: Sequence[str], rules: Rules, melds: MeldsByLabel) -> str:
    """Return the label of the one meld that cards can join, "" if there is not exactly one."""
    label = label_of(cards, rules)
    found = [each for each in melds if label and each.partition("/")[0] == label]
    found += [each for each in sequences_continued(cards, rules, melds) if each not in found]
    return found[0] if len(found) == 1 else ""


def label_typed(
    cards: Sequence[str], rules: Rules, melds: MeldsByLabel, typed: Collection[str]
) -> str:
    """Return the label of a group that can be a meld, "" if the cards do not show it.

    `typed` are the labels of this turn: melds of a rank that are typed separately are separate
    melds, if the side may have several. A sequence is new unless it continues one on the table.
    """
    label = label_of(cards, rules)
    if not label or label == "*" or (label == "3" and not rules.threes_melded):
        return ""
    taken = {*melds, *typed}
    if label in SUIT_LETTERS:
        found = sequences_continued(cards, rules, melds)
        return found[0] if len(found) == 1 else free_label(label, taken)
    apart = rules.several and not rules.several_sequences and label in typed and len(cards) >= _MELD
    return free_label(label, taken) if apart else label


def sequences_continued(cards: Sequence[str], rules: Rules, melds: MeldsByLabel) -> list[str]:
    """Return the labels of the sequences on the table that cards continue."""
    return [label for label, run in melds.items() if _continues(cards, rules, label, run)]


def _continues(cards: Sequence[str], rules: Rules, label: str, run: Sequence[int]) -> bool:
    """Return whether cards and a sequence make one longer sequence."""
    place = PLACE_OF[label]
    codes = [CODE[card] for card in cards]
    return KIND[place] >= SEQUENCE and make_row(rules, KIND[place], (*run, *codes))
