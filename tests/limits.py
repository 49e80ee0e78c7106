"""Records at the limits of every list and number, and what the program says about them.

`python -m tests.limits FIRST COUNT` prints a line for each seed: a digest of the answers of the
library and of two commands, which change from seed to seed. So two builds of the program can be
compared: their lines must be the same.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import canasta_notation as cn
from canasta_notation import LiveGame
from canasta_notation.notation.format import TooLong
from tests.programs import canasta

#: How many cards a list has: none, few, those of one and of several decks, and very many.
LENGTHS = (*[0, 1, 2, 7, 11, 107, 108, 109, 255, 256, 257, 511, 512, 513, 514], 5_000)
#: How many digits a number has. Nine are the most that can be read.
DIGITS = (1, 9, 10, 30)
PROFILES = ("classic", "classic", "american-4p", "bga")
SIDES, SEATS = ("NS", "EW", "N", "AD"), "NESWA"
ITEMS = ("melds", "natural", "mixed", "red3", "out", "concealed", "hand", "penalty", "cards", "foo")
RANKS = "3456789TJQKA2*"
SUITED = [rank + suit for rank in "456789TJQKA2" for suit in "shdc"]
CARDS = [*SUITED, *["3h", "3d", "3s", "3c", "3b", "3r", "*", "_", "K", "9", "2"]]
#: The commands that read a record.
COMMANDS = (
    *["validate", "validate --json", "audit", "audit --json", "audit --csv", "audit --why"],
    *["replay", "replay --json", "replay --seat N", "format -", "legal --turn 1", "diagram"],
    *["convert --to json", "convert --to csv", "convert --to canasta", "page"],
)


class Limits:
    """Records with the seed's lists and numbers; a few of them are long."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"limits {seed}")
        self.pick = self.chance.choice
        self.long = self.chance.randint(0, 3)

    def figure(self, *, signed: bool = True) -> str:
        """Return a number."""
        digits = self.pick(DIGITS) if self.chance.random() < 0.1 else self.pick((1, 3, 9))
        text = self.pick("19") + "".join(self.pick("0059") for _ in range(digits - 1))
        text = "9" * digits if self.chance.random() < 0.3 else text
        return self.pick(("", "-")) * signed + text

    def cards(self, between: str = " ", few: int = 3) -> str:
        """Return a list of cards, long only a few times for each record."""
        count = self.chance.randint(self.chance.random() > 0.05, few)
        if self.long and self.chance.random() < 0.3:
            self.long -= 1
            count = self.pick(LENGTHS)
        kinds = [self.pick((*CARDS, "_", "_"))]
        if self.chance.random() < 0.5:
            kinds = self.chance.sample(CARDS, self.chance.randint(2, 20))
        return between.join(self.pick(kinds) for _ in range(count))

    def groups(self) -> str:
        """Return groups of cards, as in a turn or on a `melds` line."""
        ranks = self.chance.sample(RANKS, self.pick((0, 1, 1, 2, 11)))
        return " ".join(f"{rank}:{self.cards('', 4)}" for rank in ranks)

    def sides(self, what: str) -> list[str]:
        """Return a line for some of the sides."""
        return [f"{what} {side}" for side in SIDES[:2] if self.chance.random() < 0.5]

    def turn(self, number: int) -> str:
        """Return a turn."""
        count, seconds = self.figure(signed=False), self.figure(signed=False)
        draws = [f"+{self.cards('', 1)}", f"+{self.cards(' +', 2)}", "+"]
        takes = [f"^{self.pick(CARDS)}/{count}", f"^{self.pick(SUITED)}"]
        begin = self.pick([*draws, *takes])
        words = [f"open={count}", f"@{seconds}", f"talon:{self.cards('')}", "ask=yes"]
        more = self.pick(["", *words, f"straight:{self.cards('')}"])
        end = self.pick((f"-{self.pick(CARDS)}", f"-{self.pick(SUITED)} #", "..."))
        words = [f"{number}.", SEATS[number % 4], begin, self.groups(), more, end]
        return " ".join(word for word in words if word)

    def deal(self, number: int) -> Iterator[str]:
        """Yield the lines of a deal."""
        rare = self.chance.random() < 0.1
        yield f"deal {self.figure(signed=False) if rare else number} dealer {SEATS[number % 4 - 1]}"
        kinds = self.chance.random()
        if kinds < 0.6:
            for seat in "ESWN"[: self.chance.randint(0, 4)]:
                hand = " ".join(self.chance.choices(SUITED, k=11))
                hand = self.cards() if self.chance.random() < 0.3 else hand
                more = self.cards(" +", 1)
                rest = " ..." * (self.chance.random() < 0.1)
                yield f"{seat}: {hand}{rest}{f' +{more}' * (more != '')}"
            for word, part in (("up", 0.7), ("stock", 0.3), ("talon", 0.1)):
                if self.chance.random() < part:
                    yield f"{word} {self.cards()}"
            for turn in range(1, self.chance.randint(1, 5)):
                yield self.turn(turn)
                if self.chance.random() < 0.2:
                    yield f"penalty {self.pick(SIDES[:2])} {self.figure(signed=False)} ruling"
        if self.chance.random() < 0.6:
            yield "end " + self.pick(("out N", "out E concealed", "stock", "special S", "out A"))
        if kinds > 0.4:
            yield from [f"{line} {self.groups()}" for line in self.sides("melds")]
            yield from [f"{line} {self.cards()}" for line in self.sides("threes")]
            yield from [
                f"left {seat} {self.cards()}" for seat in "NE" if self.chance.random() < 0.5
            ]
        for line in self.sides("score"):
            items = self.chance.sample(ITEMS, self.chance.randint(0, 4))
            points = " ".join(f"{item} {self.figure()}" for item in items)
            yield f"{line} {self.figure()}{' = ' * (points != '')}{points}"
        if self.chance.random() < 0.6:
            yield f"total NS {self.figure()} EW {self.figure()}"

    def record(self) -> str:
        """Return a record."""
        tags = ['[CGN "1"]', f'[Rules "{self.pick(PROFILES)}"]']
        if self.chance.random() < 0.2:
            key = self.pick(("target", "score.out", "deal.hand", "deck.jokers", "meld.max_cards"))
            tags[1] = f'[Rules "classic {key}={self.figure()}"]'
        if self.chance.random() < 0.2:
            tags.append(f'[Target "{self.figure()}"]')
        if self.chance.random() < 0.3:
            tags.append(f'[Result "NS {self.figure()} EW {self.figure()}"]')
        deals = [*self.deal(1), *(self.deal(2) if self.chance.random() < 0.4 else ())]
        return "\n".join([*tags, "", *deals, ""])


def in_library(text: str, limits: Limits) -> Iterator[object]:
    """Yield what the library says about a record, and about moves at the limits in a live game."""
    for game in cn.read(text):
        yield from map(str, cn.verify(game).findings)
        yield [repr(each) for each in cn.positions(game)]
        steps, report = cn.walk(game)
        yield repr(report), [repr(step.state) for step in steps]
        yield _try(lambda game=game: cn.format_game(game), TooLong)
        yield _try(lambda game=game: cn.game_from_json(cn.game_to_json(game)) == game, ValueError)
        live = _try(
            lambda game=game: cn.LiveGame.from_record(game, seed=1), ValueError, LookupError
        )
        yield live.to_record() if isinstance(live, LiveGame) else live
    live = LiveGame(seed=1, dealer="W")
    live.deal()
    for move in (limits.turn(4)[5:], f"5:{limits.cards('')}", f"+{limits.cards('')}", "+", "-5s"):
        yield str(live.check("N", move))
        yield str(_try(lambda move=move: live.play("N", move), cn.PlayError))
    saved = json.loads(live.dump())
    saved["deals"][0]["hands"]["N"] = limits.cards()
    saved["deals"][0]["moves"] += [["N", f"K:{limits.cards('')}"]]
    yield repr(_try(lambda: LiveGame.load(json.dumps(saved)), ValueError))
    for dealt in (
        {"up": limits.cards()},
        {"stock": limits.cards()},
        {"hands": {"N": limits.cards()}},
    ):
        other = LiveGame(seed=limits.figure())
        yield str(_try(lambda other=other, dealt=dealt: other.deal(**dealt), ValueError))  # type: ignore[arg-type]
    yield _try(lambda: live.penalty("NS", int(limits.figure())), ValueError, cn.WrongPhase)
    code = int(limits.figure())
    yield _try(lambda: cn.format_card(code), ValueError)
    yield _try(lambda: cn.format_cards((code,) * 600), ValueError)


def _try(call: Callable[[], Any], *documented: type[Exception]) -> Any:
    """Return what a call returns, or its error if that is one of the documented ones."""
    try:
        return call()
    except documented as error:
        return f"{type(error).__name__}: {error}"


def in_commands(text: str, commands: Sequence[str] = COMMANDS) -> Iterator[object]:
    """Yield what the commands say about a record."""
    for command in commands:
        words = command.split()
        result = canasta(*words, *([] if "-" in words else ["-"]), stdin=text)
        output = f"{result.stdout}{result.stderr}"
        assert result.exit_code in (0, 1, 2) and "internal error" not in output, (command, output)
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        yield command, result.exit_code, output


def in_corpus(texts: list[str]) -> str:
    """Build a corpus of records, and return what the program says about it."""
    with tempfile.TemporaryDirectory() as folder:
        for at, text in enumerate(texts):
            (Path(folder) / f"{at:05}.canasta").write_text(text)
        built = canasta("corpus", "build", folder, "-o", f"{folder}/out")
        shown = canasta("corpus", "stats", f"{folder}/out")
        output = f"{built.stderr}{shown.stderr}"
        assert built.exit_code in (0, 2) and "internal error" not in output, output
        return f"{shown.stdout}{output}".replace(folder, "")


def answers(seed: int) -> str:
    """Return the digest of what the library and two commands say about the record of a seed."""
    limits = Limits(seed)
    text = limits.record()
    at = 2 * seed % len(COMMANDS)
    said = [*in_library(text, limits), *in_commands(text, COMMANDS[at : at + 2])]
    return hashlib.sha256("\n".join(map(str, said)).encode()).hexdigest()[:16]


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    for seed in range(first, first + count):
        try:
            print(seed, answers(seed), flush=True)
        except Exception as error:
            print(seed, f"{type(error).__name__}: {str(error)[:300]}", flush=True)
    print("corpus", in_corpus([Limits(seed).record() for seed in range(first, first + count)]))
