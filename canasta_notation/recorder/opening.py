"""A new record: its first lines, from the answers to the questions at the start of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from canasta_notation.fields import unchecked
from canasta_notation.findings import Finding
from canasta_notation.notation.assemble import VERSION
from canasta_notation.notation.document import Game, Tag
from canasta_notation.notation.format import format_line
from canasta_notation.notation.reader import read_line
from canasta_notation.notation.tag_values import place_of_tag
from canasta_notation.recorder.standing import OPEN_RESULT, Standing
from canasta_notation.rules import parse_rules

#: The rules of a record without a Rules tag.
DEFAULT_RULES: Final = "classic"
#: A tag as it was typed: what is wrong with its text is found when its line is read.
_tag: Final = unchecked(Tag)


class HouseQuestion(NamedTuple):
    """A rule on which tables differ: a question, and the `override` to write for the other answer.

    `default` is the answer under the profile's rule.
    """

    text: str
    meaning: str
    default: bool
    override: str


def house_questions(rules: str) -> list[HouseQuestion]:
    """Return the questions about house rules that fit the profile of a record."""
    profile = parse_rules(rules).profile
    if profile is None:
        return []
    questions = []
    tabled = profile["threes"] not in ("none", "rank")
    if tabled and profile["score.red3_minus"] == "unmelded":
        questions.append(_RED3_MINUS)
    if tabled and profile["score.red3"] == ("all", (100, 200, 300, 800)):
        questions.append(_RED3_DOUBLE)
    if profile["score.melds_minus"] == "no":
        questions.append(_MELDS_MINUS)
    return questions


_RED3_MINUS: Final = HouseQuestion(
    "Do red threes count against a side without a canasta?",
    "By the book they count against a side only if it has melded nothing. At many tables they "
    "count against any side without a canasta.",
    False,
    "score.red3_minus=no-canasta",
)
_RED3_DOUBLE: Final = HouseQuestion(
    "Do all four red threes together count 800?",
    "By the book each counts 100, and all four together count double. Type no if four count 400.",
    True,
    "score.red3=100,200,300,400",
)
_MELDS_MINUS: Final = HouseQuestion(
    "Do melded cards count against a side without a canasta?",
    "By the book melded cards always count for their side.",
    False,
    "score.melds_minus=no-canasta",
)


def new_record(tags: Mapping[str, str]) -> list[str]:
    """Return the lines of a record without deals; adds CGN and Result, and omits empty tags.

    Not checked: the values; `tag_problem` says what is wrong with one.
    """
    held = {"CGN": VERSION, "Result": OPEN_RESULT, **{k: v for k, v in tags.items() if v}}
    return [format_line(_tag(name, held[name])) for name in sorted(held, key=place_of_tag)]


def tag_problem(tags: Mapping[str, str], name: str) -> Finding | None:
    """Return what is wrong with one tag of a new record, given the others, or None."""
    lines = new_record(tags)
    at = next((at for at, line in enumerate(lines) if line.startswith(f"[{name} ")), None)
    if at is None:
        return None
    value = read_line(lines[at], at + 1)
    if isinstance(value, Finding):
        return value
    rules = Game((Tag("CGN", VERSION), Tag("Rules", tags.get("Rules", DEFAULT_RULES))), ())
    if name == "Rules":
        return _rules_problem(rules)
    found = Standing(lines).findings()
    return next((each for each in found if each.span.line == at + 1), None)


def _rules_problem(game: Game) -> Finding | None:
    from canasta_notation.replay.header import read_header

    return next(iter(read_header(game, 1).findings), None)
