"""A typist: enters a game from paper into the recorder, question by question.

The typist reads nothing but the prompts and the saved file. On the way there are slips: wrong
answers, entries taken back, changed and changed back, and a recorder that is killed and started
again.

`python -m tests.typists [GAMES [PROFILE...]]` enters this many games of each profile (20 by
default) in every way, and prints what went wrong. CANASTA_SLIPS=0 makes no slips; CANASTA_WAYS
names the ways.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from typer.testing import CliRunner

from canasta_notation.cards import CODE, JOKER_RANK, RANK, TEXT, TWO
from canasta_notation.cli.app import app
from canasta_notation.dialogue.asking import Prompt
from canasta_notation.notation.document import BonusLine, Deal, Line, Ruling, ScoreLine
from canasta_notation.notation.format import format_line
from canasta_notation.rules import profile_names
from tests.papers import WAYS, Paper, differences, paper

#: Wrong at every question about a deal, or without an effect on the record.
NONSENSE: Final = (
    *("xyzzy", "hello there", "undo x", "edit", "edit 99", "edit 9.9", "edit up zz", "deal x", "é"),
    *("?", "help", "tabel", "save", "note", "turns", "hands", "score", "table", "turns 2", "N:"),
    *("\x00", "%", "(", "kx", "[X", '[N "x"]', "; only a comment", "up", "9 9 9 9 9 9 9x", "= 5"),
    *("99. Q + -4s", "+ 4x 4x -8", "+Kx -4", "^^", "+ -", "+ -KK", "score XX 5", "9" * 300),
    *("edit 1 + 4x 4x -8", "edit dealer Q", "edit date 2026-02-31", "edit rules poker"),
    *("insert 99 + -4", "insert 1 up", "insert"),
)
#: Prompts: of what is due, of a choice about a wrong entry, and of the questions that are due.
_DUE: Final = re.compile(r"(?:\d+\. \S+|\d+\. .*(?:replaced by|which)\?|deal \d+ .*|over)> $")
_CHOICE: Final = "Enter to correct"
_LATE: Final = re.compile(r"(\d+)\. .* replaced by\?> $")
_PACKET_DUE: Final = re.compile(r"\d+\. .* which\?> $")
_TURN: Final = re.compile(r"(\d+)\. (\S+)> $")
_CLAIM: Final = re.compile(r"deal (\d+) (melds|threes|left|foot) (\w+)(?: \(.*\))?> $")
_ROW: Final = re.compile(r"deal (\d+) (\w+) \((.*)\)> $")
_SCORE: Final = re.compile(r"deal (\d+) (\w+)(?: \[(-?\d+)\])?> $")
_PAPER: Final = re.compile(r"  (\w+) score on paper \[(-?\d+)\]> $")
_FIGURE: Final = re.compile(r"  \w+ (.*?)(?: \[.*\])?> $")
#: The names of a row's figures in their questions, other than `points of` an item.
_FIGURES: Final = {
    "natural canastas": "natural",
    "mixed canastas": "mixed",
    "clean (red) books": "natural",
    "dirty (black) books": "mixed",
    "wild canastas": "wild",
    "sequences of seven": "sequence",
    "red threes": "red3",
    "points of a special hand": "special",
}
#: The words for canastas of those who play with feet.
_BOOKS: Final = {"clean": "natural", "dirty": "mixed"}
#: A group of three cards or more that shows its rank.
_GROUP: Final = re.compile(r"(?<= )([AKQJT4-9]):((?:\1[shdc]){3,})(?=\s)")
#: Threes tabled first in a turn, and what replaced them.
_TABLED: Final = re.compile(r"threes:[^+ ]*\+?(\S*) (?=[+^])")
_PLAYED: Final = re.compile(r"\d+\. |penalty |bonus ")


class Stuck(Exception):
    """The recorder asks for something that the paper does not answer, or refuses the answer."""


class PowerCut(BaseException):
    """The recorder is killed."""


@dataclass
class Typist:
    """Answers prompts from a paper.

    `slips` and `kills` are the chances of a slip, and of a killed recorder, at a question. `typed`
    is what has been typed, with the prompts. `entries` are what the file held before each entry
    that can be taken back, with its prompt.
    """

    paper: Paper
    path: Path
    rng: Random
    slips: float = 0.0
    kills: float = 0.0
    typed: list[str] = field(default_factory=list)
    entries: list[tuple[str, str]] = field(default_factory=list)
    #: What the file must hold at the next question that is due, if that is certain.
    _wanted: str | None = None
    #: Whether the last answer was nonsense; what changes a turn back; the question that is due.
    _wrong: bool = False
    _back: str = ""
    _due: str = ""
    _times: int = 0
    #: The number of the turn whose replacements of threes have been typed.
    _replaced: str = ""

    def answer(self, prompt: str) -> str:
        """Return what to type at a prompt. Raises Stuck, PowerCut."""
        last = self.typed[-1:] and self.typed[-1].startswith(prompt)
        self._times = self._times + 1 if last else 0
        if self._times > 60 or len(self.typed) > 3000:
            raise Stuck(f"asked {prompt!r} again and again")
        said = self._answer(prompt)
        self.typed.append(f"{prompt}{said}")
        return said

    def _answer(self, prompt: str) -> str:
        due, text = _DUE.match(prompt) is not None, self.file()
        if due and self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            if text != wanted:
                raise Stuck(f"the file should hold\n{wanted[-300:]}\nbut holds\n{text[-300:]}")
        if self.rng.random() < self.kills:
            self._power_cut(text)
        if self._wrong and _CHOICE in prompt and self.rng.random() < 0.5:
            return self.rng.choice(("", "n", "back"))
        if not due and not self._wrong:
            return self._detail(prompt)
        if due:
            self._wrong, self._due = False, prompt
            slip = self._slip(prompt, text)
            if slip:
                return slip
        said = self._entry(self._due)
        if due or said:  # at a choice, Enter is not an entry
            self._wrong, self._wanted = False, None
            self.entries.append((text, self._due))
        return said

    def _power_cut(self, text: str) -> None:
        """Kill the recorder. Later, only the entries that wrote something are known."""
        after = [*self.entries, (text, "")][1:]
        pairs = zip(self.entries, after, strict=True)
        self.entries = [entry for entry, then in pairs if entry[0] != then[0]]
        self._wrong, self._wanted = False, None
        self.typed.append("(killed)")
        raise PowerCut

    # --- the saved file

    def file(self) -> str:
        """Return what the file holds."""
        return self.path.read_text() if self.path.exists() else ""

    def _begun(self) -> int:
        """Return how many deals are in the file."""
        return sum(line.startswith("deal ") for line in self.file().splitlines())

    def _saved(self) -> list[str]:
        """Return the lines of the last deal in the file, without its first."""
        lines = [line for line in self.file().splitlines() if line]
        starts = [at for at, line in enumerate(lines) if line.startswith("deal ")]
        return lines[starts[-1] + 1 :] if starts else []

    # --- slips

    def _slip(self, prompt: str, text: str) -> str:
        """Return something to type instead of the entry that is due, "" for nothing."""
        if self._back:
            back, self._back, self.entries = self._back, "", []
            return back
        if self.rng.random() >= self.slips:
            return ""
        match self.rng.choice(("wrong", "wrong", "wrong", "undo", "edit", "edit")):
            case "undo" if self.entries:
                return self._undo(prompt)
            case "edit" if _TURN.match(prompt):
                return self._edit()
            case "wrong":
                self._wanted, self._wrong = text, True
                return self.rng.choice(NONSENSE)
        return ""

    def _undo(self, prompt: str) -> str:
        """Take back entries like the last one."""
        kind = _TURN if _TURN.match(prompt) else re.compile(re.escape(" ".join(prompt.split()[:2])))
        most = sum(1 for _, asked in self.entries if kind.match(asked))
        steps = min(self.rng.choice((1, 1, 2, 3)), max(1, most))
        self._wanted = self.entries[-steps][0]
        del self.entries[-steps:]
        return "undo" if steps == 1 else f"undo {steps}"

    def _edit(self) -> str:
        """Change an earlier turn, which is changed back at once."""
        turns = [line for line in self._saved() if re.match(r"\d+\. ", line)]
        if not turns:
            return ""
        at = self.rng.randrange(len(turns))
        change = f"edit {at + 1} {turns[at].partition('. ')[2]}"
        self._back = change
        return f"{change} ??"

    # --- what is due

    def _entry(self, prompt: str) -> str:
        """Return the entry that a prompt asks for."""
        if prompt.startswith("over"):
            return "quit"
        if found := _ROW.match(prompt):
            names = [_BOOKS.get(word, word) for word in found[3].split()]
            return self._row(int(found[1]), found[2], names)
        if found := _CLAIM.match(prompt):
            return self._claim(int(found[1]), found[2], found[3])
        if found := _LATE.match(prompt):
            return self._late(prompt, found[1])
        if _PACKET_DUE.match(prompt):
            return self._packet_left(prompt)
        if prompt.endswith(" red threes> "):
            return self._red_threes()
        if prompt.endswith((" up> ", " end> ")) or _TURN.match(prompt):
            return self._line(prompt)
        if found := _SCORE.match(prompt):
            return self._score(int(found[1]), found[2], found[3])
        raise Stuck(f"an unknown question: {prompt!r}")

    def _deal(self, number: int) -> Deal:
        if number > len(self.paper.game.deals):
            raise Stuck(f"there is no deal {number} on paper")
        return self.paper.game.deals[number - 1]

    def _line(self, prompt: str) -> str:
        """Return the next line of a deal: of its setup, its play, or its end."""
        begun, saved = self._begun(), self._saved()
        asked = re.match(r"deal (\d+)", prompt)
        number = int(asked[1]) if asked else max(1, begun)
        scored = any(line.startswith(("score ", "total ")) for line in saved)
        if prompt.startswith("1. ") and scored:
            number = begun + 1
        if number > len(self.paper.game.deals):
            return "quit"
        deal, saved = self._deal(number), saved if number == begun else []
        for line in (*deal.hands, *filter(None, (deal.stock,)), *deal.packets):
            text = format_line(line)
            if text not in saved:
                return text
        if deal.up and not any(line.startswith("up ") for line in saved):
            return " ".join(TEXT[card] for card in deal.up.cards)
        played = sum(_PLAYED.match(line) is not None for line in saved)
        if played < len(deal.play):
            return self._play(deal.play[played])
        return self._end(deal, prompt)

    def _play(self, line: Line) -> str:
        rules = self.paper.rules
        text = format_line(line, rules.draw_count)
        if text.startswith(f"{self._replaced}. ") and self.rng.random() < 0.5:
            text = _TABLED.sub("", text)
        if not rules.several and self.rng.random() < 0.3:
            text = _GROUP.sub(r"\2", text)
        return re.sub(r"^\d+\. \S+ ", "", text) if self.rng.random() < 0.7 else text

    def _packet_left(self, prompt: str) -> str:
        """Return that a talon was left, or the next turn; one that was taken is in its turn."""
        line = self._line(prompt)
        return line if self.rng.random() < 0.5 and line[:1] in "+^0123456789" else "-"

    def _late(self, prompt: str, turn: str) -> str:
        """Return what replaced the threes that a hand must table, or the whole line."""
        self._replaced = ""
        line = self._line(prompt)
        found = _TABLED.search(line)
        if not found or self.rng.random() < 0.3:
            return line
        self._replaced = turn
        return "" if not found[1].strip("_") and self.rng.random() < 0.5 else found[1]

    def _end(self, deal: Deal, prompt: str) -> str:
        if deal.end is None:
            raise Stuck("the deal has not ended for the recorder")
        text, short = format_line(deal.end), self.rng.random() < 0.5
        if prompt.endswith(" end> "):
            return text.removeprefix("end ").removeprefix("out ") if short else text
        # The recorder says that `end` is enough if it knows that the stock is empty.
        return "end" if short and text == "end stock" and self.paper.way == "cards" else text

    def _red_threes(self) -> str:
        if self.paper.way == "cards":
            raise Stuck("red threes are asked for although all hands are written")
        found, counted = self.paper.threes[self._begun() - 1], self.rng.random() < 0.3
        words = [f"{seat} {len(t) if counted else ' '.join(t)}" for seat, t in found.items()]
        return ", ".join(words) or "none"

    def _claim(self, number: int, kind: str, whose: str) -> str:
        deal = self._deal(number)
        if kind == "foot":
            return ""  # its line is typed before the turns, if it is on paper
        for line in (*deal.melds, *deal.threes, *deal.left):
            text, _, cards = format_line(line).partition(f" {whose}")
            if text == kind:
                bare = kind == "melds" and self.paper.way == "table"
                return (_unlabelled(cards) if bare else cards.strip()) or "none"
        raise Stuck(f"{kind} of {whose} in deal {number} is not on paper")

    def _scored(self, number: int, side: str) -> ScoreLine:
        for line in self._deal(number).scores:
            if line.side == side:
                return line
        raise Stuck(f"no score of {side} in deal {number} is on paper")

    def _score(self, number: int, side: str, computed: str | None) -> str:
        rulings = self._deal(number).play if self.paper.way == "table" else ()
        saved = sum(line.startswith(("penalty ", "bonus ")) for line in self._saved())
        if saved < len(rulings):
            return format_line(rulings[saved])
        score = self._scored(number, side).score
        if computed is not None and int(computed) != score:
            raise Stuck(f"{side} has {computed} in deal {number}, not {score}")
        return "" if computed is not None and self.rng.random() < 0.5 else str(score)

    # --- a score pad

    def _row(self, number: int, side: str, names: list[str]) -> str:
        """Return a whole row, or nothing: then the recorder asks for each figure."""
        if number > len(self.paper.game.deals):
            return "quit"
        rulings = self._rulings(number, side)
        any_bonus = any(isinstance(each, BonusLine) for each in rulings)
        if self.rng.random() < 0.4 and (not any_bonus or "\nbonus " in self.file()):
            return ""  # in a game without bonuses, no figure asks for one
        end, items = self._deal(number).end, dict(self._scored(number, side).items or ())
        by = end.seat or "" if end and end.seat in [*side] else ""
        words = [self._figure(name, number, side) for name in names]
        if items.get("out"):
            words += ["out", by, "concealed" * bool(items.get("concealed"))]
        if items.get("special"):
            words += ["special", by, str(items["special"])]
        counted = {*names, "melds", "hand", "out", "concealed", "special", "penalty", "bonus"}
        words += [f"{item} {points}" for item, points in items.items() if item not in counted]
        words += [f"{format_line(each).split()[0]} {each.points} {each.word}" for each in rulings]
        return " ".join(filter(None, words))

    def _rulings(self, number: int, side: str) -> list[Ruling]:
        play = self._deal(number).play
        return [line for line in play if isinstance(line, Ruling) and line.side == side]

    def _figure(self, name: str, number: int, side: str) -> str:
        """Return a figure of a row: a number of canastas or threes, or points."""
        items, rules = dict(self._scored(number, side).items or ()), self.paper.rules
        points, wild = items.get(name, 0), {*rules.score_wild.values()}
        bonus = {"natural": rules.score_natural, "mixed": rules.score_mixed}.get(name, 0)
        if name == "sequence":
            bonus = rules.score_sequence
        if name == "wild" and len(wild) == 1:
            bonus = wild.pop()
        if name == "red3":
            return str(rules.score_red3.index(abs(points)) + 1 if points else 0)
        if name == "cards":
            melds, hand = items.get("melds", 0), items.get("hand", 0)
            return f"{melds}/{hand}" if self.rng.random() < 0.5 else str(melds + hand)
        return str(points // bonus if bonus else points)

    # --- details

    def _detail(self, prompt: str) -> str:
        """Return the answer to a question that belongs to an entry, or to the start of a game."""
        first, tags = re.split(r" \[|>", prompt)[0], self.paper.game.tags
        values = {tag.name: tag.value for tag in tags} | {"Date": "2026-11-19"}
        start = {"rules": "Rules", "first dealer": "Dealer", "event": "Event", "date": "Date"}
        if first in start:
            return values[start[first]]
        if first.startswith("player "):
            return values.get(first[-1], "")
        if "Are you sure?" in prompt:
            return "yes"
        if "were in the pile below its top?" in prompt:
            return "0"
        if found := _PAPER.match(prompt):  # perhaps of a row typed before the recorder was killed
            score = self._scored(self._begun(), found[1]).score
            if int(found[2]) != score:
                raise Stuck(f"the row of {found[1]} comes to {found[2]}, not {score}")
            return self.rng.choice(("", str(score)))
        if row := _ROW.match(self._due):
            return self._row_detail(prompt, int(row[1]), row[2])
        raise Stuck(f"unexpected question {prompt!r}")

    def _row_detail(self, prompt: str, number: int, side: str) -> str:
        items, end = dict(self._scored(number, side).items or ()), self._deal(number).end
        known = {
            "counts for it?": "yes" if items.get("red3", 0) > 0 else "no",
            "count for it?": "yes" if items.get("red3", 0) > 0 else "no",
            "go out?": "yes" if items.get("out") else "no",
            "go out concealed?": "yes" if items.get("concealed") else "no",
            "who went out": end.seat or "" if end else "",
            "who laid it": end.seat or "" if end else "",
            "penalties": str(-items.get("penalty", 0)),
            "bonuses": str(items.get("bonus", 0)),
        }
        for words, answer in known.items():
            if words in prompt:
                return answer
        found = _FIGURE.match(prompt)
        if not found:
            raise Stuck(f"unexpected question {prompt!r}")
        name = _FIGURES.get(found[1], found[1].removeprefix("points of "))
        return self._figure(name, number, side)


def _unlabelled(melds: str) -> str:
    """Return melds without their labels; a label stays if the cards do not show it."""
    words = []
    for word in melds.split():
        cards = word.partition(":")[2]
        ranks = {RANK[CODE[card]] for card in re.findall(r"[AKQJT2-9*][shdcrb]?", cards)}
        bare = "_" not in cards and (ranks - {TWO, JOKER_RANK} or "*" in word[:1])
        words.append(cards if bare else word)
    return " ".join(words)


# --- recorders ------------------------------------------------------------------------------------


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


def enter_game(typist: Typist) -> None:
    """Enter a whole game in this process, however often the recorder is killed. Raises Stuck."""
    args = ["record", *filter(None, [typist.paper.option]), str(typist.path)]
    for _ in range(1000):
        asker = _Asker(typist)
        console = patch("canasta_notation.cli.recording.console.asker", partial(_given, asker))
        with console, contextlib.suppress(PowerCut):
            result = CliRunner().invoke(app, args, env={"COLUMNS": "100"})
        if isinstance(asker.ended, PowerCut):
            # A recording continues as it was, without its option.
            args = ["record", str(typist.path)] if typist.path.exists() else args
            continue
        if asker.ended is not None or result.exit_code:
            raise Stuck(f"{asker.ended}\n{result.output[-1500:]}")
        return
    raise Stuck("killed too often")


def try_game(
    profile: str, seed: int, way: str, folder: Path, *, slips: float = 0, kills: float = 0
) -> str:
    """Enter a game and compare the file; return what is wrong, "" if nothing."""
    on_paper = paper(profile, seed, way)
    path = folder / f"{profile}-{seed}-{way}.canasta"
    typist = Typist(on_paper, path, Random(f"{profile} {seed} {way} typed"), slips, kills)
    try:
        enter_game(typist)
    except Stuck as stuck:
        return "\n".join([str(stuck), "after", *typist.typed[-6:]])
    validated = CliRunner().invoke(app, ["validate", str(path)])
    wrong = "\n".join(differences(on_paper, path.read_text()))
    return wrong or (validated.output if validated.exit_code else "")


def main(games: int, profiles: list[str]) -> int:
    """Enter games and print what went wrong; return how many did."""
    slips = (0, 0.1, 0.3) if os.environ.get("CANASTA_SLIPS", "1") != "0" else (0,)
    failed: Counter[str] = Counter()
    for way in os.environ.get("CANASTA_WAYS", " ".join(WAYS)).split():
        with tempfile.TemporaryDirectory() as folder:
            for profile in profiles:
                for seed in range(games):
                    often = slips[seed % len(slips)]
                    found = try_game(profile, seed, way, Path(folder), slips=often, kills=often / 6)
                    if found:
                        failed[way] += 1
                        print(f"--- {way} {profile} {seed}\n{found[:2500]}", flush=True)
        print(f"{way}: {failed[way]} of {games * len(profiles)} games failed", flush=True)
    return sum(failed.values())


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    raise SystemExit(bool(main(number, sys.argv[2:] or list(profile_names()))))
