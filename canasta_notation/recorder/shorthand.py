"""Filling in what a scorer may leave out: the seat, the turn's number, a known top card.

Nothing else is changed. Text that is not shorthand is read as it is, and its errors are reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from canasta_notation.cards import LABELS, TEXT, UNKNOWN
from canasta_notation.engine.ruleset import Rules
from canasta_notation.notation.document import KEYWORDS
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.standing import Standing
from canasta_notation.recorder.typed_melds import (
    MeldsByLabel,
    cards_typed,
    label_on_table,
    label_typed,
)

#: The first words of lines that are not turns.
_OTHER: Final = re.compile(rf"(?:(?:{'|'.join(KEYWORDS)})(?![^ \t;])|[A-Za-z]:|\[)")
_NUMBER: Final = re.compile(r"(\d{1,9})\.[ \t]*")
_SEAT: Final = re.compile(r"([A-Z])(?![^ \t;])[ \t]*")
#: What precedes the draw or the take in a turn.
_BEFORE_PLAY: Final = re.compile(r"[^+^;]+(?=[+^])")
#: A take without its card, with or without a count.
_TAKE: Final = re.compile(r"\^(?=/\d|[ \t;]|$)")
_BARE_CARDS: Final = re.compile(r"(?:(?:10|[AKQJT2-9])[shdcrb]?|\*|_|[ \t])+")
#: A card, or a part of one, in any case.
_CARD: Final = re.compile(r"(10|[akqjtAKQJT2-9])([shdcrbSHDCRB]?)")
#: Suit symbols, filled or not, and the variation selectors after them.
_SUITS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc", "\ufe0e\ufe0f")
#: Cards, spelled correctly. Three are a group. After a take, a group or a question to the partner,
#: two are enough, because they cannot be a draw; fewer must fit one meld on the table.
_CARDS: Final = re.compile(r"(?:(?:10|[AKQJT2-9])[shdc]?|\*|_)+")
_GROUP: Final = 3
_TAKEN: Final = 2
#: Cards taken back, typed as two words.
_BACK: Final = re.compile(r"(?<![^ \t])back[ \t]+(?=[0-9TJQKA*_])")
_WORD: Final = re.compile(r"[^ \t]+")
#: What may be a joker or two cards, and a word of cards, which may hold it.
_JK: Final = re.compile("JK(?![shdc])")
_MAY_BE_JOKERS: Final = re.compile(rf"(?<![^ \t])(?:[-+^]|[^ \t:]+:)?{_CARDS.pattern}(?![^ \t])")


def expand(standing: Standing, text: str) -> str:
    """Return the line that an entry means, with the turn's number and seat added if left out.

    Not checked: that the line can be read.
    """
    text = text.strip(" \t")
    if text.startswith(";"):
        return text
    if _is_up(standing, text):
        return f"up {text}"
    if text == "end" and standing.may_end:
        return "end stock"
    if _OTHER.match(text):
        return text
    found = _NUMBER.match(text)
    rest = text[found.end() :] if found else text
    written = int(found[1]) if found else standing.turn_due
    seat, rest = _seat_and_rest(standing, rest)
    play, sign, comment = rest.partition(";")
    words = [
        f"{written}.",
        *([seat] if seat else []),
        _labelled(standing, seat, _with_top(standing, play)),
    ]
    return " ".join(word for word in words if word).rstrip() + (f" {sign}{comment}" if sign else "")


def _seat_and_rest(standing: Standing, text: str) -> tuple[str | None, str]:
    """Return the seat whose play a text is, the one that is due if it names none, and the play."""
    before = _BEFORE_PLAY.match(text)
    if before and not _SEAT.match(text):
        text = seats_for_names(standing, before[0]) + text[before.end() :]
    named = _SEAT.match(text)
    if named is None or (named[1] in "AKQJT" and named[1] not in standing.rules.seats):
        return standing.seat_due, text  # it may begin with a card without its sign
    return named[1], text[named.end() :]


def plain_suits(text: str) -> str:
    """Return the text with suit symbols as letters (`A♥` as `Ah`); a comment stays as it is."""
    play, sign, comment = text.partition(";")
    return play.translate(_SUITS) + sign + comment


def with_jokers(text: str) -> str:
    """Return a text with `*` for each `JK` in its cards: a jack and a king, or a joker.

    A recorder must ask which of the two is meant.
    """
    play, sign, comment = text.partition(";")
    return _MAY_BE_JOKERS.sub(lambda word: _JK.sub("*", word[0]), play) + sign + comment


def seats_for_names(standing: Standing, text: str) -> str:
    """Return an answer with each player's name, in any case, replaced by the letter of the seat.

    A name that two players share stays as it is.
    """
    called = standing.names
    folded = [name.casefold() for name in called.values()]
    named = [seat for seat, name in called.items() if folded.count(name.casefold()) == 1]
    longest = sorted(named, key=lambda seat: len(called[seat]), reverse=True)
    names = "|".join(f"(?P<{seat}>{re.escape(called[seat])})" for seat in longest)
    if not names:
        return text
    return re.sub(rf"(?i)(?<!\w)(?:{names})(?!\w)", lambda found: found.lastgroup or "", text)


def _is_up(standing: Standing, text: str) -> bool:
    """Return whether bare cards are the up cards, because no turn and no up line is written yet."""
    rules, deal = standing.rules, standing.deal
    fresh = standing.phase == "deal" or (deal is not None and not deal.play and deal.up is None)
    bare = text.partition(";")[0]
    return fresh and rules.up_turned and bool(bare) and _BARE_CARDS.fullmatch(bare) is not None


def _with_top(standing: Standing, play: str) -> str:
    top = standing.top
    if top is None or top == UNKNOWN:
        return play.strip(" \t")
    return _TAKE.sub(f"^{TEXT[top]}", play.strip(" \t"), count=1)


def _labelled(standing: Standing, seat: str | None, play: str) -> str:
    """Return the play with labels for the groups of one meld that lack them: 7:777 for 777."""
    first, blank, rest = _BACK.sub("back:", play).partition(" ")
    enough = _TAKEN if first.startswith("^") else _GROUP
    melds = _melds(standing, seat)
    typed: list[str] = []

    def labelled(word: re.Match[str]) -> str:
        nonlocal enough
        text = word[0]
        if _CARDS.fullmatch(text):
            text = _with_label(text, enough, standing.rules, melds, typed)
        if ":" in text or text.startswith("ask="):
            enough = _TAKEN
            typed.append(text.partition(":")[0])
        return text

    return first + blank + _WORD.sub(labelled, rest)


def _with_label(
    word: str, enough: int, rules: Rules, melds: MeldsByLabel, typed: Collection[str]
) -> str:
    """Return cards with the label of their meld, or as they are if they do not show it."""
    try:
        cards = cards_typed(word)
    except ValueError:  # such as a three whose colour is not written
        return word
    standing = label_on_table(cards, rules, melds) if len(cards) < _GROUP else ""
    label = standing or (label_typed(cards, rules, melds, typed) if len(cards) >= enough else "")
    return f"{label}:{word}" if label else word


def _melds(standing: Standing, seat: str | None) -> MeldsByLabel:
    """Return the melds of a seat's side, as they are on the table."""
    state, rules = standing.state(), standing.rules
    if state is None or standing.phase != "play" or not seat or seat not in rules.seats:
        return {}
    side = rules.side_of[rules.seats.index(seat)]
    return {LABELS[meld.rank]: meld.cards for meld in state.sides[side].melds}


def recased(standing: Standing, text: str) -> str | None:
    """Return the entry with its cards, seat and side in the right case, if only that is wrong.

    A recorder must ask before it makes the change.
    """
    play, sign, comment = text.partition(";")
    words = _WORD.sub(lambda word: _recased(word[0], standing.rules), play)
    changed = words + sign + comment
    if changed == text:
        return None
    value = read_line(expand(standing, changed))
    return None if value is None or hasattr(value, "severity") else changed


def _recased(word: str, rules: Rules) -> str:
    if word.upper() in rules.seats and len(word) == 1:
        return word.upper()
    head, colon, cards = word.partition(":")
    if colon and head.isalpha() and len(head) == 1:
        return head.upper() + colon + recased_cards(cards)
    if colon and head == "back":
        return head + colon + recased_cards(cards)
    if word[0] in "+-^":
        return word[0] + recased_cards(word[1:])
    if _CARD.match(word) and _CARD.sub("", word) == "":
        return recased_cards(word)
    return word.upper() if word.upper() in rules.sides else word


def recased_cards(text: str) -> str:
    """Return cards with capital ranks and small suits."""
    return _CARD.sub(lambda card: card[1].upper() + card[2].lower(), text)
