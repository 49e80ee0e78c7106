"""The outcome of a validation: each flag and count both ways, and every reference read back."""

from __future__ import annotations

import io
from bisect import bisect
from collections import Counter
from functools import cache

from canasta_notation.batch.parts import judge_games
from canasta_notation.findings import worst
from canasta_notation.notation.reader import Reading, read_text
from canasta_notation.replay.game_report import GameReport
from canasta_notation.report.outcome import (
    BriefOutcome,
    Counts,
    GameOutcome,
    Tally,
    check_game,
    check_verified,
    excerpt_lines,
    findings_json,
    rule_json,
)
from canasta_notation.report.same_games import GameMark
from canasta_notation.rules import load_profile
from canasta_notation.scan.verified import VerifiedGame
from tests.cli_records import BROKEN, KINDS, VERIFIED
from tests.every_kind import replays


@cache
def outcomes() -> tuple[tuple[str, Reading, GameReport, GameOutcome], ...]:
    """Return games of every kind with their reports and outcomes."""
    return tuple(
        (name, reading, report, check_game(None, name, reading, reading.game.number))
        for name, reading, report in replays()
    )


def test_an_outcome_has_the_facts_of_the_report() -> None:
    for name, reading, report, found in outcomes():
        assert (found.game, found.rules, found.verdict) == (
            *(report.game, report.rules, report.verdict),
        )
        assert (found.deals, found.turns, found.findings) == (
            *(len(report.deals), report.turns, report.findings),
        )
        assert found.rules_text == report.rules_text and found.own_rules is None
        assert found.doubts == tuple((it.deal, doubt) for it in report.deals for doubt in it.doubts)
        assert found.sheets == tuple(deal.deal for deal in report.deals if deal.sheet)
        assert found.finals == tuple(deal.deal for deal in report.deals if deal.final)
        tag = reading.game.tag("Rules")
        named = bool(tag and tag.value.strip())
        assert found.by_default == (not named and not reading.game.unread), name
    assert {it.by_default for *_, it in outcomes()} == {True, False}
    assert {bool(it.sheets) for *_, it in outcomes()} == {True, False}
    assert {bool(it.finals) for *_, it in outcomes()} == {True, False}


def test_the_lines_of_findings_are_those_of_the_file() -> None:
    for record in KINDS.values():
        text = f"{VERIFIED}\n{record}"
        source = text.split("\n")
        for reading in read_text(text):
            found = check_game(None, "a", reading, reading.game.number)
            assert found.lines.keys() == {each.span.line for each in found.findings}
            for number, line in found.lines.items():
                assert line == source[number - 1]
    for name, reading, report, found in outcomes():
        last = reading.first_line + len(reading.lines)
        for number, line in found.lines.items():
            assert reading.first_line <= number < last, name
            assert line == reading.lines[number - reading.first_line]
        assert found.lines == excerpt_lines(reading, report.findings)


def test_scores_agree_only_if_all_are_written_and_right() -> None:
    for name, _, report, found in outcomes():
        sides = [side for deal in report.deals for side in deal.sides]
        missing = [side for side in sides if side.score is None]
        other = [side for side in sides if side.claimed.score != side.score]
        errors = found.verdict == "contradicted"
        assert found.scores_agree == (bool(sides) and not (missing or other or errors)), name
    assert {it.scores_agree for *_, it in outcomes()} == {True, False}


def test_checking_stops_at_a_line_of_the_deal() -> None:
    """Also of a game further down: the lines are those of the file, and in order."""
    stopped = 0
    for name, reading, report, found in outcomes():
        last = reading.first_line + len(reading.lines) - 1
        begins = [deal.line for deal in report.deals]
        lines = [line for _, line in found.unchecked]
        assert lines == sorted({*lines}), name
        assert all(reading.first_line <= line <= last for line in lines)
        for deal, line in found.unchecked:
            if deal is None:
                assert line in reading.game.lost
                assert not any(bisect(begins, line) == bisect(begins, each)
                               for each in reading.game.lost if each < line)  # fmt: skip
            else:
                [own] = [each for each in report.deals if each.deal == deal]
                assert line == min(own.unchecked_from or 0, last)
                stopped += 1
        known = {min(deal.unchecked_from, last) for deal in report.deals if deal.unchecked_from}
        assert known <= {*lines}
    assert stopped > 20
    deals = "deal one\n1. N +\n2. E +\ndeal 2 dealer N\n1. E + -4s\ndeal x\n"
    text = f'{VERIFIED}\n[CGN "1"]\n{deals}'
    [_, reading] = read_text(text)
    begun = ("deal one", "deal x")
    at = [number for number, line in enumerate(text.split("\n"), 1) if line in begun]
    found = check_game(None, "a", reading, 2)
    assert [line for deal, line in found.unchecked if deal is None] == at


def test_other_rules_replace_those_of_the_record() -> None:
    other = load_profile("classic").with_values({"target": 3000})
    for text, own in ((VERIFIED, ""), (BROKEN, "classic")):
        [reading] = read_text(text)
        for override in (None, other):
            found = check_game(override, "a", reading, 1)
            assert found.own_rules == (None if override is None else own)
            assert found.by_default == (override is None and not own)
            assert found.rules_text == ("classic target=3000" if override else "classic")


def test_a_verified_game_has_the_outcome_of_its_replay() -> None:
    """All that is kept of it, by its own rules and by others; its number in the file."""
    other = load_profile("classic").with_values({"target": 6000})
    named = VERIFIED.replace("[Result", '[Rules "classic"]\n[Result')
    for text, default in ((VERIFIED, True), (named, False)):
        data = f"{text}\n{text}".encode()
        for number, judged in enumerate(judge_games(io.BytesIO(data)), 1):
            assert isinstance(judged.report, VerifiedGame)
            brief = check_verified(None, "a", judged.report)
            line = text.count("\n", 0, text.index("deal 1")) + 1
            mark = brief.mark
            assert brief == BriefOutcome(number, "classic", 1, 61, default, mark)
            assert mark and mark.line == line + (number - 1) * (text.count("\n") + 1)
            assert brief.verdict == "verified"
        for number, judged in enumerate(judge_games(io.BytesIO(data), override=other), 1):
            assert isinstance(judged.report, VerifiedGame)
            found = check_verified(other, "a", judged.report)
            own = "" if default else "classic"
            assert found == GameOutcome(
                *(number, "classic", "verified", 1, 61),
                own_rules=own,
                rules_text="classic target=6000",
                mark=check_verified(None, "a", judged.report).mark,
            )


def test_a_tally_counts_files_and_keeps_the_worst_verdict() -> None:
    """A bad file is not forgotten when a good one follows, and a file takes nothing over."""
    mark = GameMark(1, 2, 3)
    brief = [BriefOutcome(1, "classic", 2, 30, by_default, mark) for by_default in (True, False)]
    kinds = {
        name: [check_game(None, name, each, each.game.number) for each in read_text(text)]
        for name, text in KINDS.items()
    }
    files = [[*brief], *kinds.values(), [*brief, *kinds["false"], *brief], [brief[1]]]
    for order in (files, files[::-1]):
        tally, closed, counted = Tally(), [], Counter[str]()
        assert (tally.counts, tally.close_file(), tally.verdict) == (
            *(Counts(), None, "undetermined"),
        )
        for file in order:
            assert tally.by_default == {}
            for game in file:
                tally.add("a", game)
                counted.update(games=1, deals=game.deals, turns=game.turns)
                if isinstance(game, GameOutcome):
                    counted.update(f"{each.severity}s" for each in game.findings)
            names = [game.rules for game in file if game.by_default]
            assert tally.by_default == Counter(names)
            verdict = tally.close_file()
            assert verdict == worst([game.verdict for game in file])
            closed.append(verdict)
            counted["files"] += 1
            assert tally.counts == Counts(**counted)
            assert tally.verdict == worst(closed)
        assert tally.close_file() is None, "a file without a game"
        assert tally.counts.files == len(order)


def test_a_consequence_names_its_cause() -> None:
    """The index is that of the cause, in whatever list and wherever it begins."""
    followed = 0
    for name, _, _, found in outcomes():
        findings = [*found.findings]
        for among in (findings, findings[::-1], findings[1:]):
            for finding, value in zip(among, findings_json(among, 7), strict=True):
                cause, at = finding.follows, value["consequence_of"]
                if cause is None or at is None:
                    assert at is None and (cause is None or cause not in among), name
                    continue
                followed += 1
                same = among[at - 7]
                assert (same.code, same.span, same.message) == (
                    *(cause.code, cause.span, cause.message),
                )
    assert followed > 100


def test_every_fact_of_a_finding_stands_in_its_json() -> None:
    for _, _, _, found in outcomes():
        for one, value in zip(found.findings, findings_json(found.findings), strict=True):
            assert (value["line"], value["column"], value["end_column"]) == one.span
            assert (value["game"], value["deal"], value["turn"]) == (one.game, one.deal, one.turn)
            facts = ("code", "severity", "message", "help", "acknowledged")
            assert {name: value[name] for name in facts} == {
                name: getattr(one, name) for name in facts
            }
            rule = value["rule"]
            assert (rule is None) == (one.rule is None) and rule == rule_json(one.rule)
            if one.rule is not None:
                assert rule == {
                    name: getattr(one.rule, name) for name in ("key", "value", "mark", "source")
                }
