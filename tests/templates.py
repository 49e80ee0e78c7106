"""Every sentence, label and word in each language: `python -m tests.templates [LANGUAGE]...`.

Prints each key with the smallest, with common and with the largest values, so that a speaker can
read all of them. Ends with 1 if a text says several of one, such as "1 cards".
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from canasta_notation.cards import LABELS, parse_cards
from canasta_notation.language.languages import ENGLISH, LANGUAGES, use_language
from canasta_notation.language.sentences import (
    Card,
    Melds,
    Names,
    Sentence,
    say,
    sentence_keys,
    texts,
)

_LONG: Final = ("Bartholomäus Wilhelm Fr…", "Maximiliane von Hohenst…")
#: For each kind of value, the smallest, a common and the largest.
_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "number": (1, 4, 1234),
    "pile": (8, 16, 108),
    "points": (5, 310, 12_345),
    "score": (-12_345, 0, 5480),
    "percent": (0, 48, 100),
    "item": tuple(say(f"item_{each}") for each in ("out", "natural", "held")),
    "player": ("Al", "Ana", _LONG[1]),
    "side": (Names(("Ana",)), Names(("Ana", "Inés")), Names(_LONG)),
    "card": tuple(map(Card, parse_cards("*Kh3b"))),
    "melds": tuple(Melds(LABELS.index(each)) for each in ("4", "K", "3")),
    "suit": tuple(Melds(LABELS.index(each)) for each in "shd"),
    "month": tuple(say(f"month_{at}") for at in (5, 8, 9)),
    "kinds": tuple(
        Names(tuple(say(f"kind_{each}") for each in kinds.split()))
        for kinds in ("draw", "out open", "draw out open lay other_discard")
    ),
    "text": ("A", "Thursday club", "Open championship of the coast"),
}
#: The kind of a value, by its name, and for some keys.
_KINDS: Final = {
    **dict.fromkeys("wlsu", "side"),
    **dict.fromkeys("abn", "player"),
    **dict.fromkeys("xyep", "points"),
    **dict.fromkeys("dgkmtq", "number"),
    "c": "card",
    "r": "melds",
    "f": "text",
    "i": "item",
}
_OTHERS: Final = {
    "F3": "c=pile",
    "F6": "c=suit",
    "F9 H3": "c=number",
    "H8": "r=suit",
    "L3": "d=card",
    "M1 M2 M3 M4": "n=pile",
    "E1 E2 S1 range pic_range": "p=score q=score",
    "P7": "k=kinds",
    "R1 R2": "p=score q=score r=score",
    "S3 S4": "t=side p=score q=score r=score",
    "V6 V7": "u=number",
    "Y1": "c=number x=percent y=percent",
    "G9 K2 deal found games_number turns cards not_shown seconds": "n=number",
    "may_hold pic_hand pile_more pile_up_to takes list_took list_laid": "n=number",
    "unseen_hand X5 X6": "n=number u=number",
    "X1 X2": "d=card x=percent y=percent",
    "X3": "w=text",
    "card": "r=card s=suit",
    "date": "m=month y=text",
    "event": "m=text",
    "at_turn_said": "w=text",
    "guess_score": "n=number",
    "guess_share": "e=text n=number",
    "meld_number": "m=melds n=number",
    "title_file": "e=text n=number",
    "title_round": "e=text r=text",
    "title_deal": "e=text",
    "sequence_of": "s=suit",
    "none_unseen": "r=card",
    "penalty_line bonus_line": "w=text",
    "K4 copied copied_part no_such": "x=text",
    "rules rules_differ": "r=text",
    "pic_seat": "p=text",
}


class Shown(NamedTuple):
    """A key in a language: its texts with the smallest, common and the largest values."""

    language: str
    key: str
    texts: tuple[str, str, str]


def shown(languages: Iterable[str] = LANGUAGES) -> Iterator[Shown]:
    """Yield every key in each language."""
    for key in sentence_keys():
        kinds = _kinds(key)
        for language in languages:
            with use_language(language):
                said = [_said(key, kinds, at) for at in range(3)]
            yield Shown(language, key, (said[0], said[1], said[2]))


def _kinds(key: str) -> dict[str, str]:
    """Return the kind of each value of a key; what decides between two texts is a number."""
    others = next((each for names, each in _OTHERS.items() if key in names.split()), "")
    own = dict(each.split("=") for each in others.split())
    forms = texts(key, ENGLISH)
    names = [name for _, name, _, _ in string.Formatter().parse(forms[0]) if name]
    found = {name: own.get(name, _KINDS[name]) for name in names}
    return found if len(forms) == 1 or key[0].isupper() else found | {"n": "number"}


def _said(key: str, kinds: dict[str, str], at: int) -> str:
    values = {name: _VALUES[kind][at] for name, kind in kinds.items()}
    return Sentence(key, tuple(values.items())).text


def several_of_one(found: Shown) -> list[str]:
    """Return where a text says several of one: "1 cards"."""
    pattern = rf"(?<![\d.,])1 ({'|'.join(map(re.escape, _plurals(found.language)))})\b"
    return [match[0] for text in found.texts for match in re.finditer(pattern, text)]


@cache
def _plurals(language: str) -> tuple[str, ...]:
    """Return the words that texts about several have, and texts about one do not."""
    forms = [texts(key, language) for key in sentence_keys()]
    pairs = [tuple({*re.findall(r"\w+", text)} for text in each) for each in forms if len(each) > 1]
    return tuple(sorted({word for one, many in pairs for word in many - one}))


def main(languages: list[str]) -> int:
    """Print every key; return 1 if a text says several of one."""
    failed = False
    for each in shown(languages or LANGUAGES):
        print(f"{each.language} {each.key}: {'  |  '.join(dict.fromkeys(each.texts))}")
        for wrong in several_of_one(each):
            print(f"    several of one: {wrong}")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
