"""Every command over records of every kind: whether the answers are valid, and agree.

`python -m tests.sweep [PROFILE...] [--seeds COUNT] [--rollouts N]` plays random deals of the
profiles (all by default) and makes records of them: whole, as the table and a player see it, wrong,
unfinished, the table at the end, and a score sheet. Every command reads each of them. A line is
printed for each complaint: an internal error, JSON that does not fit its schema, a template that is
not filled in, or a figure that another command shows differently.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from typer.testing import Result

import canasta_notation as cn
from canasta_notation.players.random_game import play_game
from canasta_notation.render.wording import points
from canasta_notation.resources import packaged_text
from tests.end_tables import final_tables, visible
from tests.erasing import score_sheet
from tests.mutants import mutate
from tests.programs import canasta
from tests.random_games import rules_named

#: The commands that read a record. TURN is its last turn, NEXT the one after it, SEAT a seat.
COMMANDS: Final = (
    *("validate", "validate --format github", "format --check", "format --diff"),
    *("audit", "audit --csv", "audit --why", "audit --against classic"),
    *("audit --why --json", "audit --against classic --json"),
    *("replay --turn TURN", "replay --seat SEAT", "replay --seat SEAT --json"),
    *("analyze", "analyze --seat SEAT", "analyze --seat SEAT --json"),
    *("convert --to canasta", "convert --to json", "convert --to jsonl", "convert --to csv"),
    *("convert --to canasta --anonymous", "page --seat SEAT -o OUT"),
    *("diagram --deal 1 --turn 0", "diagram --deal 1 --turn TURN --seat SEAT --dark"),
    *("legal --deal 1 --turn 1", "legal --deal 1 --turn TURN", "legal --deal 1 --turn NEXT"),
    *("legal --deal 1 --turn TURN --json", "legal --deal 1 --turn NEXT --json"),
)
#: The commands that play decisions out.
PLAYED_OUT: Final = ("analyze --rollouts N", "analyze --rollouts N --seat SEAT")
#: The schemas of what commands print as JSON.
SCHEMAS: Final = {
    "validate": "findings",
    "audit": "audit",
    "replay": "replay",
    "analyze": "analysis",
    "legal": "legal",
    "convert": "game",
}
#: A placeholder of a template; and the code of a page, which fills its own.
_PLACEHOLDER: Final = re.compile(r"\{[a-z_]+\}")
_CODE: Final = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
#: Items of the page and of the CSV that are not items in the JSON.
_SUMS: Final = ("score", "total")


def records(name: str, seed: int) -> dict[str, str]:
    """Return records of each kind of a random deal of a profile."""
    chance = random.Random(f"sweep {name} {seed}")
    whole = cn.format_game(play_game(rules_named(name), seed, deals=1))
    table = visible(whole)
    return {
        "whole": whole,
        "table": table,
        "chair": chair(whole, table, chance.choice(rules_named(name).seats)),
        "wrong": mutate(whole.encode(), chance).decode("utf-8", "replace"),
        "unfinished": unfinished(whole, chance),
        "unfinished table": unfinished(table, chance),
        "final": final_tables(whole),
        "sheet": score_sheet(whole, chance),
    }


def chair(whole: str, table: str, seat: str) -> str:
    """Return what a player sees of a deal: the table, and the player's own hand and draws."""
    own = re.compile(rf"{seat}: |\d+\. {seat} ")
    kept = [line for line in whole.split("\n") if own.match(line)]
    turns = iter(kept[1:])
    lines = [next(turns) if own.match(line) else line for line in table.split("\n")]
    begins = next(at for at, line in enumerate(lines) if line.startswith("deal ")) + 1
    return "\n".join([*lines[:begins], kept[0], *lines[begins:]])


def unfinished(record: str, chance: random.Random) -> str:
    """Return a record of a deal that breaks off after one of its turns."""
    lines = record.split("\n")
    turns = [at for at, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    kept = [line for line in lines[: chance.choice(turns) + 1] if not line.startswith("[Result")]
    return "\n".join([*kept, "end unfinished", ""])


class Sweep:
    """The commands over one record, and what is wrong with their answers."""

    def __init__(self, record: str, seat: str, rollouts: int = 0) -> None:
        self.record, self.seat, self.rollouts = record, seat, rollouts
        self.turns = len(re.findall(r"(?m)^\d+\. ", record))

    def complaints(self) -> Iterator[str]:
        """Yield what is wrong."""
        for command in COMMANDS:
            yield from self._run(command)[1]
        documents: dict[str, Any] = {}
        shown: dict[str, str] = {}
        more = PLAYED_OUT if self.rollouts else ()
        for command in ("audit", "replay", "analyze", "page -o OUT", *more, "validate"):
            plain, wrong = self._run(command)
            yield from wrong
            shown[command] = plain
            if "page" not in command:
                answer, wrong = self._run(f"{command} --json")
                yield from wrong
                documents[command] = _parsed(answer)
        if self.rollouts:
            shown["page -o OUT"], wrong = self._run("page --rollouts N -o OUT")
            yield from wrong
        if documents["audit"] and documents["audit"]["files"]:
            yield from self._differing(documents, shown)

    def _run(self, command: str) -> tuple[str, list[str]]:
        """Return what a command prints or writes, and what is wrong with it."""
        with tempfile.TemporaryDirectory() as folder:
            words = {
                "TURN": str(max(1, self.turns)),
                "NEXT": str(self.turns + 1),
                "SEAT": self.seat,
                "OUT": f"{folder}/page.html",
                "N": str(self.rollouts),
            }
            args = [words.get(word, word) for word in command.split()]
            path = Path(folder) / "record.canasta"
            path.write_text(self.record, "utf-8")
            result = canasta(*args, path)
            page = Path(words["OUT"])
            printed = page.read_text("utf-8") if page.exists() else result.stdout
        return printed, [f"{command}: {wrong}" for wrong in _faults(command, result, printed)]

    def _differing(self, documents: dict[str, Any], shown: dict[str, str]) -> Iterator[str]:
        """Yield the figures of a game that two commands show differently."""
        audit = documents["audit"]["files"][0]["games"]
        analysis = documents["analyze"]["files"][0]["games"]
        replay = documents["replay"]["games"] if documents["replay"] else []
        judged = documents["validate"]["files"][0]["games"]
        for at, game in enumerate(audit):
            yield from _analyzed_otherwise(game, analysis[at])
            if at < len(replay) and replay[at]["verdict"] != judged[at]["verdict"]:
                yield "the verdicts of replay and validate differ"
        deals = [deal for game in audit for deal in game["deals"]]
        yield from _shown_otherwise(deals, shown)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _faults(command: str, result: Result, printed: str) -> Iterator[str]:
    """Yield an internal error, a wrong exit code, and how JSON breaks its schema."""
    error = result.exception
    if result.exit_code not in (0, 1, 2) or "internal error" in result.output:
        yield f"exit code {result.exit_code}: {result.output[-300:]}"
    if error is not None and not isinstance(error, SystemExit):
        yield f"{type(error).__name__}: {error}"
    yield from unfilled(printed)
    if ("--json" in command or "--to json" in command) and printed:
        documents = printed.splitlines() if "jsonl" in command else [printed]
        for document in map(_parsed, documents):
            if document is None:
                yield "not JSON"
                continue
            for wrong in _validator(SCHEMAS[command.split()[0]]).iter_errors(document):
                yield f"{'/'.join(map(str, wrong.path))}: {wrong.message[:200]}"


def unfilled(printed: str) -> Iterator[str]:
    """Yield the placeholders of templates that a command printed, with what surrounds them."""
    text = _CODE.sub("", printed)
    for found in _PLACEHOLDER.finditer(text):
        yield f"unfilled: {text[max(0, found.start() - 40) : found.end() + 40]}"


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(packaged_text("schemas", f"{name}.schema.json")))


def _analyzed_otherwise(audit: Any, analysis: Any) -> Iterator[str]:
    """Yield the scores of a game in which audit and analyze differ."""
    for audited, found in zip(audit["deals"], analysis["deals"], strict=True):
        for side, ledger in audited["sides"].items():
            score, written = found["sides"][side]["score"], ledger["claimed"]["score"]
            known = ledger["score"] if ledger["score"] is not None else written
            if score != (known if found["sheet"] else ledger["score"]):
                yield f"deal {audited['deal']} {side}: audit {ledger['score']}, analyze {score}"
        if (audited["ended"], audited["by"]) != (found["ended"], found["by"]):
            yield f"deal {audited['deal']}: audit and analyze differ about its end"


def _shown_otherwise(deals: list[Any], shown: dict[str, str]) -> Iterator[str]:
    """Yield the scores, items and totals that replay and the page show differently from audit."""
    ledgers = [each for deal in deals for each in deal["sides"].items()]
    replayed = re.findall(r"(?m)^  (\S+) +(\S+)   total (\S+)", shown["replay"])
    cards = re.findall(r"(?s)<table class=score>.*?</table>", shown["page -o OUT"])
    for name, found in (("replay", replayed), ("page", cards)):
        if found and len(found) != len(ledgers):
            yield f"{name} shows {len(found)} scores, audit {len(ledgers)}"
    for (side, ledger), (_, score, total) in zip(ledgers, replayed, strict=False):
        for name, figure in (("score", score), ("total", total)):
            if ledger[name] is not None and str(ledger[name]) != figure:
                yield f"{side}: {name} in audit {ledger[name]}, in replay {figure}"
    for (side, ledger), card in zip(ledgers, cards, strict=False):
        rows = dict(re.findall(r"<tr[^>]*><th>(\S+)\s.*?<td>([^<\n]*)", card, re.DOTALL))
        figures = {**ledger["items"], **{key: ledger[key] for key in _SUMS}}
        for item, figure in figures.items():
            if figure is not None and item in rows and points(figure) != rows[item]:
                yield f"{side} {item}: audit {figure}, page {rows[item]}"


def sweep(name: str, seed: int, rollouts: int = 0) -> Iterator[str]:
    """Yield the complaints about the records of a random deal of a profile."""
    for kind, record in records(name, seed).items():
        for wrong in Sweep(record, rules_named(name).seats[0], rollouts).complaints():
            yield f"{name} {seed} {kind}: {wrong}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("profiles", nargs="*", default=cn.profile_names())
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rollouts", type=int, default=0)
    chosen = parser.parse_args()
    for profile in chosen.profiles:
        wrong = 0
        for number in range(chosen.seeds):
            for complaint in sweep(profile, number, chosen.rollouts):
                wrong += 1
                print(complaint, flush=True)
        print(f"{profile}: {wrong} complaints", flush=True)
