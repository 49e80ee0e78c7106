"""The catalogue of findings: everything about a code that does not depend on a record.

`findings/FAMILY.toml` has a table for each code. Its fields:

- `what`, `why`, `remedy`: what the finding says, why it matters, what to do about it
- `severity`: "error" if it is left out
- `claim`: whether it says that a claim is false; false if it is left out
- `keys`: the rule keys that govern the finding, the one that governs it most often first; `score.*`
  stands for all further keys that begin with `score.`
- `checks`: the functions of the engine that find it, as `module.function`; none if the reader or
  the replay does
- `rests_on`, `affects`, `affects_later`: what the finding rests on, what it affects, and what it
  affects only for later turns; `replay/causes.py` lists the words
- `items_rest_on`: what the finding about an item of a score rests on, instead of `rests_on`
- `messages`: the sentences, by name. Each has a `message`. It may have a `label` (the text under
  the caret), a `help` (instead of the code's remedy), a `why` (instead of the message, why a play
  that was not made is not legal), and its own `rests_on`, `affects` and `affects_later`. Facts are
  in braces; `{FACT_s}` is the s of a plural after a number, and `{FACT_3}` the s of a verb.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from canasta_notation.cards import RANK_NAMES, TEXT
from canasta_notation.english import listed, meld_name, rank_name
from canasta_notation.findings import Finding, Severity, Span
from canasta_notation.rules.keys import SpecialPattern, keys
from canasta_notation.rules.profile import Profile

#: How a deal ended, in words.
_ENDS: Final = {
    "out": "a seat has gone out",
    "special": "a seat has laid a special hand",
    "stock": "the stock is empty",
}
#: The values that fill a sentence; `_spell` knows which numbers mean cards, seats and so on.
Facts = Mapping[str, object]

#: The families in the order of the reference; each has a file of its name.
FAMILIES: Final = (
    "text",
    "order",
    "cards",
    "pile",
    "melds",
    "out",
    "end",
    "score",
    "acknowledgement",
)
#: Those about what happens in play, which players can accept.
IN_PLAY: Final = ("order", "cards", "pile", "melds", "out")


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of a finding, with facts in braces; what the finding rests on and affects."""

    message: str
    label: str
    help: str | None
    why: str
    rests_on: str
    affects: str
    affects_later: str


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of a code. `what`, `why` and `remedy` end with a full stop.

    `severity` applies unless the finding is acknowledged. `claim` says that it is about a false
    claim, and not about what was played. `keys` are the rule keys that govern it;
    without keys, it is the same in every profile. Most messages of `syntax` are not here
    but in `grammar/slips.toml`.
    """

    code: str
    family: str
    severity: Severity
    claim: bool
    what: str
    why: str
    remedy: str
    keys: tuple[str, ...]
    checks: tuple[str, ...]
    messages: Mapping[str, Message]
    items_rest_on: Mapping[str, str]

    @property
    def example(self) -> str:
        """The name of the sample that breaks the rule, below `samples/broken`."""
        return f"{self.code}.canasta"

    def sentences(
        self, message: str, facts: Facts, seats: str = "", sides: tuple[str, ...] = ()
    ) -> tuple[str, str, str]:
        """Return message, label and help, filled with `facts`.

        A message without its own help has the code's remedy. Raises KeyError for an unknown
        message.
        """
        if message not in self.messages:
            raise KeyError(f"findings/{self.family}.toml: {self.code} has no message {message!r}")
        sentence, spelled = self.messages[message], _spelled(facts, seats, sides)
        remedy = self.remedy[0].lower() + self.remedy[1:].removesuffix(".")
        help_text = sentence.help.format(**spelled) if sentence.help else remedy
        return sentence.message.format(**spelled), sentence.label.format(**spelled), help_text

    def finding(
        self,
        message: str,
        facts: Facts,
        span: Span,
        profile: Profile | None = None,
        key: str = "",
        *,
        game: int | None = None,
        deal: int | None = None,
        turn: int | None = None,
        acknowledged: bool = False,
        follows: Finding | None = None,
    ) -> Finding:
        """Return a finding with a message, which `facts` fill; see `sentences`.

        `key` is the key of the rule that it is about, "" for none.
        """
        seats, sides = (profile.seats, profile.side_names) if profile else ("", ())
        text, label, help_text = self.sentences(message, facts, seats, sides)
        rule = profile.ref(key) if profile and key else None
        severity = "note" if acknowledged else self.severity
        return Finding(
            self.code, severity, text, span, game, deal, turn, label, rule, help_text,
            acknowledged, follows,
        )  # fmt: skip

    def advice(self, message: str, facts: Facts, seats: str, sides: tuple[str, ...]) -> str | None:
        """Return what to play instead, None if the message has only a remedy for a record."""
        text = self.messages[message].help
        # A remedy with text in backquotes says what to write in a record.
        return None if text is None or "`" in text else text.format(**_spelled(facts, seats, sides))

    def reason(self, message: str, facts: Facts, seats: str, sides: tuple[str, ...]) -> str:
        """Return why a play that has not been made would not be legal."""
        return self.messages[message].why.format(**_spelled(facts, seats, sides))


def codes() -> tuple[str, ...]:
    """Return the codes of all findings, in the order of the reference."""
    return tuple(_entries())


def entry(code: str) -> Entry:
    """Return the entry of a code. Raises KeyError if there is no such code."""
    return _entries()[code]


def about(topic: str) -> tuple[str, ...]:
    """Return the codes and keys about a topic in plain words: those with the most of its words.

    Matches in the name or the meaning come before matches in explanations.
    """
    wanted = {word for word in _words(topic) if len(word) > 2} or {*_words(topic)}
    scored: dict[str, tuple[int, int]] = {}
    for name, (meaning, more) in _meanings().items():
        plain, whole = (_matches(wanted, words) for words in (meaning, meaning + more))
        if whole:
            scored[name] = (whole, plain)
    most = max((whole for whole, _ in scored.values()), default=0)
    best = [name for name, (whole, _) in scored.items() if whole == most]
    return tuple(sorted(best, key=lambda name: -scored[name][1]))


@cache
def _meanings() -> Mapping[str, tuple[list[str], list[str]]]:
    """Return the words of each code and key: of its name and meaning, and of what explains it."""
    found = {
        each.code: (_words(f"{each.code} {each.what}"), _words(f"{each.why} {each.remedy}"))
        for each in _entries().values()
    }
    return found | {
        name: (_words(" ".join([name, *key.sentences.values(), *map(str, key.choices)])), [])
        for name, key in keys().items()
    }


def _words(text: str) -> list[str]:
    """Return the words of a text without the ending of the plural; `red3` is red three."""
    spelled = text.casefold().replace("3", " three")
    return [word.removesuffix("s") for word in re.findall("[a-z]+", spelled)]


def _matches(wanted: set[str], words: list[str]) -> int:
    """Return how many of the wanted words begin one of the words."""
    return sum(any(word.startswith(each) for word in words) for each in wanted)


def family_data(family: str) -> dict[str, Any]:
    """Return the data in the file of a family, by code."""
    text = files(__package__).joinpath("findings", f"{family}.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _entries() -> dict[str, Entry]:
    return {
        code: _entry(code, family, fields)
        for family in FAMILIES
        for code, fields in family_data(family).items()
    }


def _entry(code: str, family: str, fields: dict[str, Any]) -> Entry:
    messages = {name: _message(each, fields) for name, each in fields.get("messages", {}).items()}
    return Entry(
        code=code,
        family=family,
        severity=fields.get("severity", "error"),
        claim=fields.get("claim", False),
        what=fields["what"],
        why=fields["why"],
        remedy=fields["remedy"],
        keys=tuple(dict.fromkeys(key for each in fields["keys"] for key in _named(each))),
        checks=tuple(fields.get("checks", ())),
        messages=MappingProxyType(messages),
        items_rest_on=MappingProxyType(fields.get("items_rest_on", {})),
    )


def _named(key: str) -> list[str]:
    """Return the rule keys that an entry of `keys` means."""
    if not key.endswith("*"):
        return [key]
    return [name for name in keys() if name.startswith(key[:-1])]


def _message(fields: dict[str, str], code: dict[str, Any]) -> Message:
    text = fields["message"]
    return Message(
        message=text,
        label=fields.get("label", ""),
        help=fields.get("help"),
        why=fields.get("why", text),
        rests_on=fields.get("rests_on", code["rests_on"]),
        affects=fields.get("affects", code["affects"]),
        affects_later=fields.get("affects_later", code.get("affects_later", "")),
    )


def _spelled(facts: Facts, seats: str, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return the facts in words, and for numbers the endings of nouns and verbs."""
    spelled: dict[str, Any] = {}
    for name, value in facts.items():
        spelled[name] = _spell(name, value, seats, sides)
        if isinstance(value, int):
            # The ending of a noun after the number, and of a verb in the third person.
            spelled[f"{name}_s"] = "" if value == 1 else "s"
            spelled[f"{name}_3"] = "s" if value == 1 else ""
        if name == "rank" and isinstance(value, int):
            spelled["rank_one"] = RANK_NAMES[value][0]
    return spelled


def _spell(name: str, value: object, seats: str, sides: tuple[str, ...]) -> object:
    """Return a fact in words: cards, ranks, seats and sides by their names."""
    if name == "ended":
        return _ENDS[str(value)]
    if name == "turns":
        return listed(map(str, value)) if isinstance(value, tuple) else value
    if isinstance(value, tuple):
        return _other_kinds(*value) if name == "kinds" else _special_forms(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    match name.partition("_")[0]:
        case "card":
            return TEXT[value]
        case "meld":
            return meld_name(value)
        case "rank":
            return rank_name(value)
        case "seat":
            return seats[value]
        case "side":
            return sides[value]
    return value


def _other_kinds(kind: str, *kinds: str) -> str:
    """Return which special hand another name may mean."""
    from difflib import get_close_matches  # slow to import, and needed only after a mistake

    near = get_close_matches(kind, kinds, n=1)
    return f"did you mean {near[0]}?" if near else f"the special hands are {listed(kinds)}"


def _special_forms(patterns: tuple[SpecialPattern, ...]) -> str:
    """Return the patterns of a special hand in words."""
    forms = []
    for pattern in patterns:
        parts = []
        for part in pattern.parts:
            some = "" if part.times == len(part.ranks) else f"{part.times} of "
            cards = "1 card" if part.size == 1 else f"{part.size} cards"
            parts.append(f"{cards} of each of {some}the ranks {' '.join(part.ranks)}")
        forms.append(listed(parts))
    return ", or ".join(forms)
