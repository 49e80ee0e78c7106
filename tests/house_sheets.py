"""Score sheets of tables that play by one or two house rules, and what `audit --why` answers.

`python -m tests.house_sheets --count 200` draws that many. It counts those whose house rules are
among the first three answers, and the answers that leave or make anything false.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from random import Random

from canasta_notation import format_game
from canasta_notation.notation.reader import read_text
from canasta_notation.players.random_game import play_game
from canasta_notation.replay.game_replay import replay_game
from canasta_notation.report.why import WhyFalse, why_false
from canasta_notation.report.why_values import Override
from canasta_notation.rules import Profile, keys, load_profile, parse_rules
from tests.end_tables import final_tables

PROFILES = ("classic", "classic", "classic", "bga", "classic-2p", "american-4p", "samba", "joker")
#: How a game is written: its tables at the end or only the points, with the items or without.
FORMS = ("table", "table", "table", "table-scores", "sheet")
#: House rules, as people have them.
HOUSE: dict[str, tuple[str, ...]] = {
    "score.cards": ("A:15", "3:0", "9:5", "2:25", "*:30"),
    "score.out": ("0", "50", "150", "200", "250", "300", "500"),
    "score.concealed": ("0", "50", "150", "200", "300"),
    "score.natural": ("400", "600", "700", "1000"),
    "score.mixed": ("150", "200", "250", "350", "400"),
    "score.concealed_canasta": ("50", "100"),
    "score.red3": ("50,100,150,200", "100,200,300,400", "100,200,300,1000", "200,400,600,1000"),
    "score.red3_minus": ("no", "unmelded", "no-canasta", "two-canastas", "by-canastas"),
    "score.melds_minus": ("no", "no-canasta"),
    "score.red3_held": ("0", "-100", "-200", "-500"),
    "score.black3_held": ("none", "-50", "-100"),
    "score.sevens": ("0", "1500", "2000", "2500"),
    "score.aces": ("0", "1000", "1500", "2500"),
    "score.sequence": ("1000", "1200", "2000"),
    "score.wild": ("1000", "2000", "2500"),
    "score.held": ("0", "-1000", "-2000"),
    "score.unfinished": ("none", "sevens:-1000,aces:-1000,wild:-1000"),
}


@dataclass(frozen=True)
class Sheet:
    """A record that names only the profile, and the overrides by which its table played."""

    text: str
    form: str
    profile: Profile
    truth: tuple[Override, ...]


def draw(seed: int) -> Sheet | None:
    """Return a sheet drawn at random, None if its house rules change nothing that it claims."""
    rng = Random(seed)
    base = load_profile(rng.choice(PROFILES))
    names = rng.sample(sorted(HOUSE), rng.choice([1, 1, 2]))
    colour = "per-colour:" if base["score.red3"][0] == "per-colour" else ""
    words = [
        f"{name}={colour if name == 'score.red3' else ''}{rng.choice(HOUSE[name])}"
        for name in names
    ]
    played = parse_rules(" ".join([base.name, *words])).profile
    if played is None:
        return None
    form = rng.choice(FORMS)
    text = format_game(play_game(played, seed, deals=rng.randint(1, 5)))
    text = re.sub(r"(?m)^\[Rules .*", f'[Rules "{base.name}"]', text)
    text = re.sub(r"(?m)^\[Result .*\n", "", final_tables(text))
    if form == "table-scores":
        text = re.sub(r"(?m)^(score \S+ \S+) = .*", r"\1", text)
    elif form == "sheet":
        text = re.sub(r"(?m)^(melds|threes|left) .*\n", "", text)
    whole = [Override(name, played[name]) for name in names if played[name] != base[name]]
    truth = _needed(text, base, whole)
    return Sheet(text, form, base, truth) if truth else None


def _needed(text: str, base: Profile, whole: list[Override]) -> tuple[Override, ...]:
    """Return the fewest overrides with which nothing is false."""
    for number in range(len(whole)):
        for some in combinations(whole, number):
            if not _errors(text, base, some):
                return some
    return tuple(whole)


def _errors(text: str, base: Profile, overrides: tuple[Override, ...]) -> set[tuple[str, int]]:
    """Return what is false by the overrides: the codes of the findings and their lines."""
    rules = base.with_values({each.key: each.value for each in overrides})
    (reading,) = read_text(text)
    report = replay_game(reading.game, rules=rules)
    return {(each.code, each.span.line) for each in report.findings if each.severity == "error"}


@dataclass(frozen=True)
class Judged:
    """Whether the truth is among the answers to every false claim, and what answers leave false."""

    named: bool
    wrong: tuple[str, ...]
    why: WhyFalse


def judge(sheet: Sheet) -> Judged:
    """Return how `audit --why` answers a sheet."""
    (reading,) = read_text(sheet.text)
    why = why_false(reading, 1, replay_game(reading.game))
    before = _errors(sheet.text, sheet.profile, ())
    named, wrong = bool(why.claims), []
    for claim in why.claims:
        named &= any(_same(each.overrides, sheet) for each in claim.answers)
    for answer in {each.overrides for claim in why.claims for each in claim.answers}:
        after = _errors(sheet.text, sheet.profile, answer)
        if any(code == "score-item" for code, _ in after) or after - before:
            wrong.append(" ".join(each.text for each in answer))
    return Judged(named, tuple(sorted(wrong)), why)


def _same(answer: tuple[Override, ...], sheet: Sheet) -> bool:
    """Return whether an answer is the truth; steps of a table that no claim shows may differ."""
    if {each.key for each in answer} != {each.key for each in sheet.truth}:
        return False
    values = {each.key: each.value for each in answer}
    for each in sheet.truth:
        if values[each.key] == each.value:
            continue
        tabled = keys()[each.key].kind in ("threes", "points", "cards")
        if not tabled or _errors(sheet.text, sheet.profile, answer):
            return False
    return True


def main() -> None:
    """Draw sheets, and print how many are answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    seed, drawn, named, wrong = args.first, Counter[str](), Counter[str](), 0
    while drawn.total() < args.count:
        sheet = draw(seed)
        seed += 1
        if sheet is None:
            continue
        found = judge(sheet)
        kind = f"{sheet.form}, {len(sheet.truth)} changed"
        drawn[kind] += 1
        named[kind] += found.named
        wrong += len(found.wrong)
        if not found.named or found.wrong:
            truth = " ".join(each.text for each in sheet.truth)
            print(f"{seed - 1}: {sheet.profile.name}, {kind}, by {truth}")
            for claim in found.why.claims:
                said = [" ".join(each.text for each in one.overrides) for one in claim.answers]
                print(f"    {claim.claim.deal} {claim.claim.side}: {'; '.join(said) or 'none'}")
            for each in found.wrong:
                print(f"    leaves or makes something false: {each}")
    for kind in sorted(drawn):
        print(f"{kind}: {named[kind]} of {drawn[kind]} named")
    print(f"{named.total()} of {drawn.total()} named, {wrong} answers with something false")


if __name__ == "__main__":
    main()
