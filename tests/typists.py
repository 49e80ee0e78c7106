"""A typist: types a game from a paper into the recorder, question by question.

The paper is a record of a legal game, or what the players of the game saw of it. The typist reads
nothing but the prompts and the saved file. On the way there are slips: wrong answers, entries taken
back, changed and changed back, and a recorder that is killed and started again.

`python -m tests.typists [GAMES [PROFILE...]]` types so many games of each profile in every way.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from typer.testing import CliRunner

from canasta_notation.cards import CODE, JOKER_RANK, RANK, TWO
from canasta_notation.cli.app import app
from canasta_notation.dialogue.asking import Prompt
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.generate import play_game
from canasta_notation.notation.document import Deal, Game, ScoreLine
from canasta_notation.notation.format import format_game, format_line
from canasta_notation.notation.reader import read_text
from canasta_notation.rules import parse_rules, profile_names
from tests.end_tables import final_tables, visible

#: Ways to record a game, with their options.
WAYS: Final = {"cards": "", "seen": "", "table": "--table", "sheet": "--sheet"}
#: Targets that a game can reach in its first deals.
TARGETS: Final = (100, 300, 700, 1500, 3000, 5000)
_END_KINDS: Final = ("melds", "threes", "left")


# --- what is on paper -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    """A game to type: its record, and the red threes tabled at the start of each deal."""

    way: str
    text: str
    rules: Rules
    threes: tuple[dict[str, list[str]], ...]

    @property
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
    """Return a random game of a profile as it is recorded in one of the `WAYS`."""
    rng = Random(f"{profile} {seed} {way}")
    rules = parse_rules(f"{profile} target={rng.choice(TARGETS)}").profile
    assert rules is not None
    game = play_game(rules, rng.randrange(10**6), deals=rng.choice((1, 2, 3, 3)))
    threes = tuple(_start_threes(deal) for deal in game.deals)
    text = format_game(game)
    if way == "seen":
        text = visible(text)
    if way == "table":
        text = final_tables(text)
    if way == "sheet":
        text = _sheet(text)
    if way in ("cards", "seen") and rng.random() < 0.2:
        text = _broken_off(text, rng)
    return Paper(way, text, rules_of(rules), threes)


def _start_threes(deal: Deal) -> dict[str, list[str]]:
    """Return the red threes that each seat tabled at the start of a deal."""
    found = {}
    for hand in deal.hands:
        cards = [format_card(code) for code in (*hand.cards, *hand.replacements)]
        red = [card for card in cards if card in ("3h", "3d")]
        if red:
            found[hand.seat] = red[: len(hand.replacements)]
    return found


def format_card(code: int) -> str:
    return next(text for text, each in CODE.items() if each == code)


def _sheet(text: str) -> str:
    """Return a game with only its scores, its penalties, and who went out."""
    gone = re.compile(r"[A-FNSW]: |stock |talon |up |\d+\. |end (?!out|special)")
    kept = [line for line in text.split("\n") if not gone.match(line)]
    return "\n".join(kept)


def _broken_off(text: str, rng: Random) -> str:
    """Return a game whose last deal is broken off after some turns."""
    head, sign, last = text.rpartition("\ndeal ")
    lines = last.split("\n")
    turns = [at for at, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    if len(turns) < 3:
        return text
    end = rng.choice(turns[:-2])
    lines = [*lines[: end + 1], "end unfinished", ""]
    head = re.sub(r'\[Result ".*"\]', '[Result "*"]', head)
    return head + sign + "\n".join(lines)


# --- the typist -----------------------------------------------------------------------------------


class Stuck(Exception):
    """The recorder asks for something that the paper does not answer, or refuses the answer."""


class PowerCut(BaseException):
    """The recorder is killed."""


#: Wrong at every question about a deal, whatever was typed before.
NONSENSE: Final = (
    *(
        "xyzzy",
        "hello there",
        "undo x",
        "edit 99",
        "edit 9.9",
        "edit",
        "9 9 9 9 9 9 9",
        "edit up zz",
    ),
    *("?", "help", "tabel", "save", "note", "turns", "hands", "score", "table", "turns 2"),
    *("\x00", "é", "%", "(", "kx", "[X", '[N "x"]', "; only a comment", "deal x", "N:", "up"),
    *("99. Q + -4s", "+ 44 44 -8", "+Kx -4", "^^", "+ -", "+ -KK", "= 5", "score XX 5", "9" * 300),
    *("edit 1 + 44 44 -8", "edit dealer Q", "edit date 2026-02-31", "edit rules poker"),
)
#: The question that can be asked about an entry, and the ones about an answer.
_CHOICE: Final = "Enter to correct"
_DUE: Final = re.compile(r"(?:\d+\. \S+|deal \d+ .*|over)> $")
_TURN: Final = re.compile(r"(\d+)\. (\S+)> $")
_CLAIM: Final = re.compile(r"deal (\d+) (melds|threes|left) (\w+)(?: \(.*\))?> $")
_ROW: Final = re.compile(r"deal (\d+) (\w+) \((.*)\)> $")
_SCORE: Final = re.compile(r"deal (\d+) (\w+)(?: \[(-?\d+)\])?> $")
_FIGURE: Final = re.compile(r"  (\w+) (.*?)(?: \[(.*)\])?> $")
#: A group of three cards or more that shows its rank.
_GROUP: Final = re.compile(r"(?<= )([AKQJT4-9]):((?:\1[shdc]){3,})(?=\s)")
_PAPER: Final = re.compile(r"  (\w+) score on paper \[")
_PLAYED: Final = re.compile(r"\d+\. |penalty ")


@dataclass
class Typist:
    """Answers prompts from a paper. `slips` is how often something else is typed first."""

    paper: Paper
    path: Path
    rng: Random
    slips: float = 0.0
    kills: float = 0.0
    typed: list[str] = field(default_factory=list)
    #: What the file held before each entry, and the prompt of the entry.
    entries: list[tuple[str, str]] = field(default_factory=list)
    _wanted: str | None = None
    _wrong: bool = False
    _changed: str = ""
    _due: str = ""
    _again: int = 0
    _last: str = ""

    def __post_init__(self) -> None:
        self.game = self.paper.game
        self.tags = {tag.name: tag.value for tag in self.game.tags}

    # --- prompts

    def answer(self, prompt: str) -> str:
        """Return what to type at a prompt. Raises Stuck, PowerCut."""
        self._again = self._again + 1 if prompt == self._last else 0
        self._last = prompt
        if self._again > 12 or len(self.typed) > 3000:
            raise Stuck(f"asked {prompt!r} again and again")
        said = self._answer(prompt)
        self.typed.append(f"{prompt}{said}")
        return said

    def _answer(self, prompt: str) -> str:
        text = self.file()
        if self._wanted is not None and _DUE.match(prompt):
            wanted, self._wanted = self._wanted, None
            if text != wanted:
                raise Stuck(f"the file should hold\n{wanted[-300:]}\nbut holds\n{text[-300:]}")
        if self.rng.random() < self.kills:
            self._power_cut(text)
        if not _DUE.match(prompt) and not self._wrong:
            return self._detail(prompt)
        if self._wrong and _CHOICE in prompt:
            return self._after_wrong(text)
        self._wrong = False
        slip = self._slip(prompt, text)
        if slip:
            return slip
        self._due = prompt
        self.entries.append((text, prompt))
        return self._entry(prompt)

    def _power_cut(self, text: str) -> None:
        """Kill the recorder. Of the entries, only those that wrote something can be known later."""
        after = [*self.entries, (text, "")][1:]
        self.entries = [
            each for each, then in zip(self.entries, after, strict=True) if each[0] != then[0]
        ]
        self._wrong = False
        self.typed.append("(killed)")
        raise PowerCut

    def file(self) -> str:
        """Return what the file holds."""
        return self.path.read_text() if self.path.exists() else ""

    def _after_wrong(self, text: str) -> str:
        """Return an answer to a choice about a wrong entry: another entry, or nothing."""
        if self.rng.random() < 0.5:
            return self.rng.choice(("", "n", "back"))
        self._wrong, self._wanted = False, None
        self.entries.append((text, self._due))
        return self._entry(self._due)

    # --- slips

    def _slip(self, prompt: str, text: str) -> str:
        """Return something to type instead of the entry that is due, "" for nothing."""
        self._due = prompt
        if self._changed:
            back, self._changed = self._changed, ""
            self.entries = []
            return back
        if self.rng.random() >= self.slips:
            return ""
        kind = self.rng.choice(("wrong", "wrong", "wrong", "undo", "edit", "edit"))
        if kind == "undo" and self.entries and _DUE.match(prompt):
            return self._undo()
        if kind == "edit":
            return self._edit(prompt, text)
        self._wanted, self._wrong = text, True
        return self.rng.choice(NONSENSE)

    def _undo(self) -> str:
        most = sum(1 for _, asked in self.entries if asked.split()[:2] == self._due.split()[:2])
        steps = self.rng.choice((1, 1, 2, 3))
        if self._due[:4] != "deal" and _TURN.match(self._due):
            most = sum(1 for _, asked in self.entries if _TURN.match(asked))
        steps = min(steps, len(self.entries), max(1, most))
        self._wanted = self.entries[-steps][0]
        del self.entries[-steps:]
        return "undo" if steps == 1 else f"undo {steps}"

    def _edit(self, prompt: str, text: str) -> str:
        """Return a change of an earlier turn, which is changed back at once."""
        found = _TURN.match(prompt)
        turns = [line for line in self._deal_lines() if re.match(r"\d+\. ", line)]
        if not found or not turns:
            return ""
        at = self.rng.randrange(len(turns))
        play = turns[at].partition(". ")[2]
        self._changed = f"edit {at + 1} {play}"
        return f"edit {at + 1} {play} ??"

    # --- what is due

    def _entry(self, prompt: str) -> str:
        """Return the entry that a prompt asks for."""
        if prompt.startswith("over"):
            return "quit"
        if found := _ROW.match(prompt):
            return self._row(int(found[1]), found[2], found[3].split())
        if found := _CLAIM.match(prompt):
            return self._claim(int(found[1]), found[2], found[3])
        if prompt.endswith(" red threes> "):
            return self._red_threes()
        if prompt.endswith((" up> ", " end> ")) or _TURN.match(prompt):
            return self._line(prompt)
        if found := _SCORE.match(prompt):
            return self._score(int(found[1]), found[2], found[3])
        raise Stuck(f"an unknown question: {prompt!r}")

    def _deal_lines(self) -> list[str]:
        """Return the lines of the deal in progress, as saved."""
        lines = [line for line in self.file().splitlines() if line]
        starts = [at for at, line in enumerate(lines) if line.startswith("deal ")]
        return lines[starts[-1] + 1 :] if starts else []

    def _deal(self, number: int | None = None) -> Deal:
        if number is None:
            number = max(1, sum(line.startswith("deal ") for line in self.file().splitlines()))
        if number > len(self.game.deals):
            raise Stuck(f"there is no deal {number} on paper")
        return self.game.deals[number - 1]

    def _line(self, prompt: str) -> str:
        """Return the next line of a deal: of its setup, its play, or its end."""
        asked = re.match(r"deal (\d+)", prompt)
        begun = sum(line.startswith("deal ") for line in self.file().splitlines())
        number = int(asked[1]) if asked else begun
        fresh = number > begun
        if not asked and prompt.startswith("1. ") and (not begun or self._deal_over()):
            number, fresh = begun + 1, True
        if number > len(self.game.deals):
            return "quit"
        deal = self._deal(number)
        saved = [] if fresh else self._deal_lines()
        for line in _setup(deal):
            if not any(each.startswith(line.split()[0]) for each in saved):
                return line
        for count, line in enumerate([deal.talons, ()][0]):
            if sum(each.startswith("talon") for each in saved) <= count:
                return format_line(line)
        if prompt.endswith("up> "):
            return " ".join(format_card(card) for card in deal.up.cards) if deal.up else ""
        if deal.up and not any(each.startswith("up ") for each in saved):
            return format_line(deal.up)
        played = sum(bool(_PLAYED.match(line)) for line in saved)
        if played < len(deal.play):
            return self._play(deal.play[played])
        if deal.end is None:
            raise Stuck("the deal has not ended for the recorder")
        text = format_line(deal.end)
        if prompt.endswith("end> ") and self.rng.random() < 0.5:
            text = text.removeprefix("end out ").removeprefix("end ")
        # The recorder says that `end` is enough if it knows that the stock is empty.
        known = self.paper.way == "cards" and text == "end stock" and self.rng.random() < 0.3
        return "end" if known else text

    def _deal_over(self) -> bool:
        return any(line.startswith(("total ", "score ")) for line in self._deal_lines())

    def _play(self, line: object) -> str:
        rules = self.paper.rules
        text = format_line(line, rules.draw_count)
        if not rules.several and self.rng.random() < 0.3:
            text = _GROUP.sub(r"\2", text)
        return re.sub(r"^\d+\. \S+ ", "", text) if self.rng.random() < 0.7 else text

    def _red_threes(self) -> str:
        number = max(1, sum(line.startswith("deal ") for line in self.file().splitlines()))
        if self.paper.way == "cards":
            raise Stuck("red threes are asked for although all hands are written")
        found = self.paper.threes[number - 1]
        counted = self.rng.random() < 0.3
        words = [f"{s} {len(t) if counted else ' '.join(t)}" for s, t in found.items()]
        return ", ".join(words) or self.rng.choice(("none", "no", "none"))

    def _claim(self, number: int, kind: str, whose: str) -> str:
        deal = self._deal(number)
        lines = {"melds": deal.melds, "threes": deal.threes, "left": deal.left}[kind]
        for line in lines:
            if whose in (getattr(line, "side", ""), getattr(line, "seat", "")):
                cards = format_line(line).split(" ", 2)[2:]
                if kind == "melds" and self.paper.way == "table":
                    return _unlabelled(cards[0]) if cards else "none"
                return cards[0] if cards else "none"
        raise Stuck(f"{kind} of {whose} in deal {number} is not on paper")

    def _scored(self, number: int, side: str) -> ScoreLine:
        for line in self._deal(number).scores:
            if line.side == side:
                return line
        raise Stuck(f"no score of {side} in deal {number} is on paper")

    def _score(self, number: int, side: str, computed: str | None) -> str:
        score = self._scored(number, side).score
        if computed is not None and int(computed) != score:
            raise Stuck(
                f"the recorder computes {computed} for {side} in deal {number}, not {score}"
            )
        missing = self._missing_penalty(number)
        if missing:
            return missing
        return "" if computed is not None and self.rng.random() < 0.5 else str(score)

    def _missing_penalty(self, number: int) -> str:
        """Return the next penalty of a final table that is not entered yet."""
        if self.paper.way != "table":
            return ""
        saved = sum(line.startswith("penalty ") for line in self._deal_lines())
        play = self._deal(number).play
        return format_line(play[saved]) if saved < len(play) else ""

    # --- a score pad

    def _row(self, number: int, side: str, names: list[str]) -> str:
        if number > len(self.game.deals):
            return "quit"
        if self.rng.random() < 0.4:
            return ""
        deal, line = self._deal(number), self._scored(number, side)
        items = dict(line.items or ())
        words = [self._figure_of(name, number, side) for name in names]
        if items.get("out"):
            seat = deal.end.seat if deal.end else ""
            words += ["out", *([seat] if seat and seat in side else [])]
            if deal.end and deal.end.concealed:
                words.append("concealed")
        if deal.end and deal.end.reason == "special" and deal.end.seat in side:
            words += ["special", deal.end.seat or "", str(items.get("special", 0))]
        counted = {*names, "red3", "melds", "hand", "out", "penalty"}
        for item, points in items.items():
            if item not in counted and item not in words:
                words += [item, str(points)]
        for ruling in deal.play:
            if getattr(ruling, "side", "") == side:
                words += ["penalty", str(ruling.points), ruling.word]
        return " ".join(words)

    def _figure_of(self, name: str, number: int, side: str) -> str:
        """Return a figure of a row: a number of canastas or threes, or points."""
        items = dict(self._scored(number, side).items or ())
        rules, points = self.paper.rules, items.get(name, 0)
        bonus = {
            "natural": rules.score_natural,
            "mixed": rules.score_mixed,
            "sequence": rules.score_sequence,
        }.get(name, 0)
        if bonus:
            return str(points // bonus)
        if name == "wild" and len({*rules.score_wild.values()}) == 1:
            return str(points // next(iter(rules.score_wild.values())))
        if name == "red3":
            return str(rules.score_red3.index(abs(points)) + 1 if points else 0)
        if name == "cards":
            melds, hand = items.get("melds", 0), items.get("hand", 0)
            return f"{melds}/{hand}" if self.rng.random() < 0.5 else str(melds + hand)
        return str(points)

    def _detail(self, prompt: str) -> str:
        """Return the answer to a question that belongs to an entry, or to the start of a game."""
        first = prompt.split("[")[0].split(">")[0].strip()
        if first == "rules":
            return self.tags["Rules"]
        if first.startswith("player "):
            return self.tags.get(first[-1], "")
        if first == "first dealer":
            return self.tags["Dealer"]
        if first in ("event", "date"):
            return {"event": self.tags.get("Event", ""), "date": "2026-11-19"}[first]
        number = max(1, sum(line.startswith("deal ") for line in self.file().splitlines()))
        if "Are you sure?" in prompt:
            return "yes"
        row = _ROW.match(self._due)
        paper = _PAPER.match(prompt)
        if paper:  # perhaps of the row before the recorder was killed
            return self._pad_detail(prompt, number, paper[1])
        if row:
            return self._pad_detail(prompt, int(row[1]), row[2])
        if "lay in the pile below its top?" in prompt:
            return "" if prompt.endswith(" [0]> ") else "0"
        raise Stuck(f"deal {number}: unexpected question {prompt!r}")

    def _pad_detail(self, prompt: str, number: int, side: str) -> str:
        deal, items = self._deal(number), dict(self._scored(number, side).items or ())
        ended = deal.end if deal.end and (deal.end.seat or "-") in side else None
        rulings = [each for each in deal.play if getattr(each, "side", "") == side]
        if "score on paper" in prompt:
            score = self._scored(number, side).score
            shown = re.search(r"\[(-?\d+)\]", prompt)
            if not shown or int(shown[1]) != score:
                raise Stuck(f"the row of {side} in deal {number} comes to {shown}, not {score}")
            return self.rng.choice(("", str(score)))
        if "melded, so that" in prompt:
            return "yes" if items.get("red3", 0) > 0 else "no"
        if "go out?" in prompt:
            return "yes" if items.get("out") else "no"
        if "who went out" in prompt:
            return ended.seat or "" if ended else ""
        if "oncealed?" in prompt:
            return "yes" if items.get("concealed") else "no"
        if "special hand?" in prompt or "laid a special hand" in prompt:
            return ended.seat or "none" if ended and ended.reason == "special" else ""
        if "penalties" in prompt:
            return str(sum(each.points for each in rulings))
        named = {
            "natural canastas": "natural",
            "mixed canastas": "mixed",
            "wild canastas": "wild",
            "sequences of seven": "sequence",
            "red threes": "red3",
            "points of threes": "threes",
            "points of cards": "cards",
        }
        found = _FIGURE.match(prompt)
        if not found:
            raise Stuck(f"unexpected question {prompt!r}")
        what = found[2].removeprefix("points of ") if found[2] not in named else found[2]
        return self._figure_of(named.get(what, what.replace(" ", "-")), number, side)


def _setup(deal: Deal) -> list[str]:
    """Return the lines of a deal before its play, except the up cards and the talons."""
    hands = [format_line(replace(hand, comment=None)) for hand in deal.hands]
    return [*hands, *([format_line(deal.stock)] if deal.stock else [])]


def _unlabelled(melds: str) -> str:
    """Return melds without their labels; a label stays where the cards do not show it."""
    words = []
    for word in melds.split():
        _, _, cards = word.partition(":")
        codes = [CODE[card] for card in re.findall(r"\*|_|[AKQJT2-9][shdcrb]?", cards)]
        ranks = {RANK[code] for code in codes} - {TWO, JOKER_RANK}
        words.append(word if "_" in cards or (len(ranks) == 1 and len(codes) < 2) else cards)
    return " ".join(words)


# --- the recorders --------------------------------------------------------------------------------


class _Asker:
    """Asks the typist, and remembers what ended the typing."""

    def __init__(self, typist: Typist) -> None:
        self.typist = typist
        self.ended: BaseException | None = None

    def ask(self, prompt: Prompt) -> str:
        """Return what the typist types."""
        try:
            return self.typist.answer(prompt.text)
        except (Stuck, PowerCut) as error:
            self.ended = error
            raise


def _given(asker: _Asker, *of_console: object) -> _Asker:
    """Return the asker, whatever the console offers."""
    return asker


def type_game(typist: Typist, runs: int = 200) -> None:
    """Type a whole game in this process, however often the recorder is killed. Raises Stuck."""
    option = [typist.paper.option] if typist.paper.option else []
    for run in range(runs):
        args = ["record", *(option if run == 0 else []), str(typist.path)]
        where = "canasta_notation.cli.recording.console.asker"
        asker = _Asker(typist)
        with patch(where, partial(_given, asker)), contextlib.suppress(PowerCut):
            result = CliRunner().invoke(app, args, env={"COLUMNS": "100"})
        if isinstance(asker.ended, PowerCut):
            continue
        if asker.ended is not None or result.exit_code:
            raise Stuck(f"{asker.ended}\n{result.output[-1500:]}")
        return
    raise Stuck("killed too often")


# --- what must be in the file ---------------------------------------------------------------------


def differences(paper: Paper, text: str) -> Iterator[str]:
    """Yield how a saved record differs from the paper."""
    [reading] = read_text(text)
    if reading.problems:
        yield f"unreadable: {reading.problems[0]}"
        return
    found, wanted = reading.game, paper.game
    tags = {tag.name: tag.value for tag in found.tags}
    for tag in wanted.tags:
        if tag.name in ("Rules", "Dealer", "Result") and tags.get(tag.name) != tag.value:
            yield f"{tag.name} is {tags.get(tag.name)}, not {tag.value}"
    if len(found.deals) != len(wanted.deals):
        yield f"{len(found.deals)} deals, not {len(wanted.deals)}"
    for deal, due in zip(found.deals, wanted.deals, strict=False):
        for one, other in zip(_facts(deal, paper), _facts(due, paper), strict=True):
            if one != other:
                yield f"deal {due.number}: {one} instead of {other}"
        if paper.way in ("cards", "seen"):
            yield from _other_claims(deal, due, paper)


def _facts(deal: Deal, paper: Paper) -> Iterator[object]:
    count = paper.rules.draw_count
    yield deal.dealer
    turns = [format_line(line, count) for line in deal.play]
    yield [re.sub(r"^\d+\. ", "", turn) for turn in turns]
    if paper.way == "cards":
        yield sorted(format_line(hand) for hand in deal.hands)
        yield deal.up.cards if deal.up else ()
    yield _end_fact(deal, paper)
    yield {line.side: line.score for line in deal.scores}
    if paper.way in ("cards", "sheet"):
        yield {line.side: _items(line, paper) for line in deal.scores}
    yield dict(deal.total.totals) if deal.total else None
    if paper.way == "table":
        yield [_meld_facts(format_line(line)) for line in deal.melds]
        left = [line for line in deal.left if line.cards or line.rest_unknown]
        yield [*map(format_line, deal.threes), *map(format_line, left)]


def _end_fact(deal: Deal, paper: Paper) -> str:
    """Return the end line; whether a played hand went out concealed follows from its turns."""
    end = format_line(deal.end) if deal.end else ""
    return end if paper.option else end.removesuffix(" concealed")


def _items(line: ScoreLine, paper: Paper) -> dict[str, int]:
    items = {item: points for item, points in line.items or () if points}
    if paper.way == "sheet":
        net = sum(items.pop(name, 0) for name in ("melds", "hand", "cards"))
        items["cards"] = net
        if not net:
            del items["cards"]
    return items


def _meld_facts(line: str) -> list[str]:
    """Return the side and its melds, without the numbers of the labels."""
    kind, side, *melds = line.split()
    return [kind, side, *sorted(re.sub(r"/\d:", ":", meld) for meld in melds)]


def _other_claims(deal: Deal, due: Deal, paper: Paper) -> Iterator[str]:
    """Yield the lines of the table at the end that are not those of the paper."""
    wanted = {format_line(line) for line in (*due.melds, *due.threes, *due.left)}
    for line in (*deal.melds, *deal.threes, *deal.left):
        if format_line(line) not in wanted:
            yield f"deal {due.number}: {format_line(line)} is not on paper"


def validated(path: Path) -> str:
    """Return the errors that `canasta validate` finds, "" for none."""
    result = CliRunner().invoke(app, ["validate", str(path)], env={"COLUMNS": "100"})
    return result.output if result.exit_code else ""


def try_game(profile: str, seed: int, way: str, folder: Path, slips: float, kills: float) -> str:
    """Type a game and compare the file; return what is wrong, "" if nothing."""
    on_paper = paper(profile, seed, way)
    path = folder / f"{profile}-{seed}-{way}.canasta"
    path.unlink(missing_ok=True)
    typist = Typist(on_paper, path, Random(f"{profile} {seed} {way} typed"), slips, kills)
    try:
        type_game(typist)
    except Stuck as stuck:
        told = "\n".join(typist.typed[-6:])
        return f"{stuck}\n  after\n{told}"
    text = path.read_text() if path.exists() else ""
    return "\n".join(differences(on_paper, text)) or validated(path)


def main(games: int, profiles: list[str]) -> int:
    """Type games and print what went wrong; return how many did."""
    show = int(os.environ.get("SHOW", "1"))
    ways = os.environ.get("WAYS", " ".join(WAYS)).split()
    trouble = os.environ.get("SLIPS", "1") != "0"
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for way in ways:
            for profile in profiles:
                for seed in range(games):
                    slips = (0, 0.1, 0.3)[seed % 3] if trouble else 0
                    wrong = try_game(profile, seed, way, Path(folder), slips, slips / 6)
                    if wrong:
                        failed[way] += 1
                        if show:
                            print(f"--- {way} {profile} {seed}\n{wrong[:2500]}", flush=True)
            print(f"{way}: {failed[way]} of {games * len(profiles)} games failed", flush=True)
    return sum(failed.values())


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    raise SystemExit(bool(main(count, sys.argv[2:] or list(profile_names()))))
