"""Games on paper: what a person who enters a game has in front of them, and what a file says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from canasta_notation.cards import CODE, TEXT
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.notation.document import BonusLine, Deal, Game, Ruling, ScoreLine
from canasta_notation.notation.format import format_game, format_line
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.rules import parse_rules
from tests.end_tables import final_tables, visible

#: Ways to record a game, with their options: every card, what everyone saw, final tables, scores.
WAYS: Final = {"cards": "", "seen": "", "table": "--table", "sheet": "--sheet"}
#: Targets that a side can reach in the first deals.
TARGETS: Final = (100, 300, 700, 1500, 3000, 5000)
_UNSCORED: Final = re.compile(r"[A-FNSW]: |stock |talon |up |\d+\. |end (?!out|special)")


@dataclass(frozen=True)
class Paper:
    """A game to enter: its record, and the red threes tabled at the start of each deal, by seat."""

    way: str
    text: str
    rules: Rules
    threes: tuple[dict[str, list[str]], ...]

    @cached_property
    def game(self) -> Game:
        """The game as a document."""
        [reading] = read_text(self.text)
        assert not reading.problems, reading.problems[0]
        return reading.game

    @property
    def option(self) -> str:
        """The option of the command, "" for a recording of turns."""
        return WAYS[self.way]


def paper(profile: str, seed: int, way: str) -> Paper:
    """Return a random game of a profile as it is on paper for one of the `WAYS`."""
    rng = Random(f"{profile} {seed} {way}")
    rules = parse_rules(f"{profile} target={rng.choice(TARGETS)}").profile
    assert rules is not None
    game = play_game(rules, rng.randrange(10**6), deals=rng.choice((1, 2, 3, 3)))
    text = format_game(game)
    match way:
        case "seen":
            text = visible(text)
        case "table":
            text = final_tables(text)
        case "sheet":
            text = "\n".join(line for line in text.split("\n") if not _UNSCORED.match(line))
    if way in ("cards", "seen") and rng.random() < 0.2:
        text = _broken_off(text, rng)
    return Paper(way, text, rules_of(rules), tuple(map(_start_threes, game.deals)))


def _start_threes(deal: Deal) -> dict[str, list[str]]:
    found = {}
    for hand in deal.hands:
        red = [code for code in (*hand.cards, *hand.replacements) if code in _RED_THREES]
        if red:
            found[hand.seat] = [TEXT[code] for code in red[: len(hand.replacements)]]
    return found


_RED_THREES: Final = (CODE["3h"], CODE["3d"])


def _broken_off(text: str, rng: Random) -> str:
    """Return a game whose last deal is broken off, if it has enough turns."""
    head, sign, last = text.rpartition("\ndeal ")
    lines = last.split("\n")
    turns = [at for at, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    if len(turns) < 3:
        return text
    lines = [*lines[: rng.choice(turns[:-2]) + 1], "end unfinished", ""]
    return re.sub(r'\[Result ".*"\]', '[Result "*"]', head) + sign + "\n".join(lines)


# --- what must be in the file -------------------------------------------------------------------


def differences(paper: Paper, text: str) -> Iterator[str]:
    """Yield how a saved record differs from the paper."""
    [reading] = read_text(text)
    if reading.problems:
        yield f"unreadable: {reading.problems[0]}"
        return
    found, wanted = reading.game, paper.game
    tags = {tag.name: tag.value for tag in found.tags}
    for tag in wanted.tags:
        if tags.get(tag.name) != tag.value:
            yield f"{tag.name} is {tags.get(tag.name)}, not {tag.value}"
    if len(found.deals) != len(wanted.deals):
        yield f"{len(found.deals)} deals, not {len(wanted.deals)}"
    for deal, due in zip(found.deals, wanted.deals, strict=False):
        for one, other in zip(_facts(deal, paper), _facts(due, paper), strict=True):
            if one != other:
                yield f"deal {due.number}: {one} instead of {other}"
        if not paper.option:
            yield from _other_claims(deal, due)


def _facts(deal: Deal, paper: Paper) -> Iterator[object]:
    yield deal.dealer
    yield _end_fact(deal, paper)
    yield {line.side: line.score for line in deal.scores}
    yield dict(deal.total.totals) if deal.total else None
    if paper.way == "sheet":
        yield {side: _rulings(deal, side) for side in paper.rules.sides}
    else:
        turns = [format_line(line, paper.rules.draw_count) for line in deal.play]
        yield [re.sub(r"^\d+\. ", "", turn) for turn in turns]
    if paper.way in ("cards", "sheet"):
        yield {line.side: _items(line, paper) for line in deal.scores}
    if paper.way == "cards":
        yield sorted(format_line(hand) for hand in deal.hands)
        yield deal.up.cards if deal.up else ()
    if paper.way == "table":
        left = [line for line in deal.left if line.cards or line.rest_unknown]
        yield [_meld_facts(format_line(line)) for line in deal.melds]
        threes = () if paper.rules.threes_held else deal.threes
        yield [format_line(line) for line in (*threes, *left)]


def _end_fact(deal: Deal, paper: Paper) -> str:
    """Return the end line; only a final table needs it to say that a hand went out concealed."""
    end = format_line(deal.end) if deal.end else ""
    return end if paper.way == "table" else end.removesuffix(" concealed")


def _rulings(deal: Deal, side: str) -> int:
    """Return the bonuses of a side minus its penalties, in points."""
    rulings = [line for line in deal.play if isinstance(line, Ruling) and line.side == side]
    return sum(line.points if isinstance(line, BonusLine) else -line.points for line in rulings)


def _items(line: ScoreLine, paper: Paper) -> dict[str, int]:
    """Return the items of a score; a score pad may have melds and hands as one figure."""
    items = {item: points for item, points in line.items or () if points}
    if paper.way == "sheet":
        items["cards"] = sum(items.pop(name, 0) for name in ("melds", "hand", "cards"))
    return items


def _meld_facts(line: str) -> list[str]:
    """Return the side and its melds, without the numbers of the labels."""
    kind, side, *melds = line.split()
    return [kind, side, *sorted(re.sub(r"/\d:", ":", meld) for meld in melds)]


def _other_claims(deal: Deal, due: Deal) -> Iterator[str]:
    """Yield the lines of the table at the end that are not those of the paper."""
    wanted = {format_line(line) for line in (*due.melds, *due.threes, *due.left)}
    for line in (*deal.melds, *deal.threes, *deal.left):
        if format_line(line) not in wanted:
            yield f"deal {due.number}: {format_line(line)} is not on paper"
