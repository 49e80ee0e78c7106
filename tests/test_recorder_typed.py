"""What is typed and what is written of it: turns without labels, rows, modes, house rules.

Whatever a recorder works out is compared with the record that the typing comes from.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.cards import LABELS, SEQUENCE, TEXT
from canasta_notation.engine.ruleset import rules_of
from canasta_notation.notation.document import EndLine, ScoreLine, Turn
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.differences import counted, explanations
from canasta_notation.recorder.mode import mode_of, with_mode
from canasta_notation.recorder.opening import house_questions, new_record
from canasta_notation.recorder.pad_row import (
    canasta_bonuses,
    columns,
    how_many,
    other_items,
    parse_row,
    propose_change,
    propose_end,
    propose_on_paper,
    propose_row,
    row_text,
)
from canasta_notation.recorder.proposal import propose
from canasta_notation.recorder.shorthand import expand, recased
from canasta_notation.recorder.standing import Standing
from canasta_notation.recorder.typed_melds import label_on_table
from canasta_notation.rules import load_profile, parse_rules, profile_names
from tests.pages import SAMPLES
from tests.test_recorder_standings import evenings, lines_of, standing_of


def test_turns_typed_without_labels_in_any_case(snapshot: SnapshotAssertion) -> None:
    """They become the turns that they were, or what the golden file has."""
    other, same = [], 0
    for name, lines in evenings():
        for at, line in enumerate(lines):
            value = read_line(line)
            if not isinstance(value, Turn) or at % 2:
                continue
            before = standing_of(lines[:at])
            play = line.split(";")[0].split(" ", 2)[2].strip()
            typed = re.sub(r"(?<= )([2-9TJQKAshdc*])(/\d)?:(?=\S)", "", play)
            found = expand(before, typed)
            if read_line(found) == read_line(line.split(";")[0].strip()):
                same += 1
            else:
                other.append(f"{name}: {typed} -> {found}")
            # A small rank is a slip that is put right only if asked for.
            small = re.sub(r"\b[TJQKA](?=[shdc])", lambda rank: rank[0].lower(), play)
            if small != play and ":" not in play:
                assert recased(before, small) == play
    assert same > 60
    assert "\n".join(other) == snapshot


def test_cards_join_the_one_meld_that_they_fit() -> None:
    tried = 0
    for _, lines in evenings():
        standing = standing_of(lines)
        state = standing.state()
        for side in state.sides if state else ():
            melds = {LABELS[meld.rank]: meld.cards for meld in side.melds}
            for meld in side.melds:
                label = LABELS[meld.rank]
                if meld.rank >= SEQUENCE or label == "*":
                    continue
                card = next(TEXT[each] for each in meld.cards if TEXT[each][0] == label[0])
                others = [each for each in melds if each[0] == label[0]]
                found = label_on_table([card], standing.rules, melds)
                assert found == (label if others == [label] else "")
                tried += 1
    assert tried > 10


@pytest.mark.parametrize("rules", profile_names())
def test_every_explanation_comes_to_the_score_on_paper(rules: str) -> None:
    """Its figures are those of the row before, and its changes add up to the difference."""
    ruleset, rng, seen = rules_of(load_profile(rules)), Random(rules), 0
    bonuses = canasta_bonuses(ruleset)
    for _ in range(6):
        items = tuple((kind, rng.randrange(4) * bonus) for kind, bonus in bonuses.items())
        items = tuple((kind, points) for kind, points in items if points)
        side = ruleset.sides[0]
        line = ScoreLine(side, 0, (*items, ("cards", rng.randrange(-40, 300, 5))))
        held = dict(line.items or ())
        for missing in (*{*bonuses.values()}, 100, -100, 200, -200, 500, -500):
            for changes in explanations(ruleset, line, counted(line) + missing):
                total = 0
                for item, old, new in changes:
                    worth = bonuses.get(item, 1)
                    assert held.get(item, 0) == old * worth, changes
                    total += (new - old) * worth
                assert total == missing
                seen += 1
    assert seen > 5


SHEETS = ("score-sheet-1", "score-sheet-2")


@pytest.mark.parametrize("name", SHEETS)
def test_rows_of_every_deal_can_be_changed(name: str, snapshot: SnapshotAssertion) -> None:
    """A row, a score on paper and an end of each deal: the lines that become others."""
    lines = lines_of(SAMPLES / f"{name}.canasta", 4)
    standing = standing_of(lines)
    shown = []
    for at in range(len(standing.reading.game.deals)):
        for side in standing.rules.sides:
            text = row_text(standing, at, side)
            shown.append(f"{at} {side}: {text}")
            row = parse_row("1 0 1 120" if at % 2 else "250", side, standing.rules)
            ways = [*propose_change(standing, at, side, row)]
            ways += [propose_on_paper(standing, at, side, 995)]
            for way in ways:
                after = way.after.lines if way.after else ()
                gone = [each for each in standing.lines if each not in after]
                new = [each for each in after if each not in standing.lines]
                shown += [f"  - {gone}", f"  + {new}", f"  {[e.code for e in way.findings]}"]
        for end in (EndLine("stock", None), None):
            found = propose_end(standing, at, end).after
            assert found is not None
            shown.append(f"  end: {[each for each in found.lines if each not in standing.lines]}")
    assert "\n".join(shown) == snapshot


@pytest.mark.parametrize("rules", profile_names())
def test_a_row_of_every_figure(rules: str, snapshot: SnapshotAssertion) -> None:
    profile = load_profile(rules)
    ruleset = rules_of(profile)
    begun = Standing(new_record({"Rules": rules, "Dealer": profile.seats[0]}))
    shown = [", ".join(columns(ruleset)), ", ".join(other_items(ruleset)), how_many(ruleset)]
    side = ruleset.sides[0]
    base = " ".join([*["1"] * (len(columns(ruleset)) - 1), "120"])
    more = ["out", "out concealed", "concealed", "penalty 100", "bonus 50", "melds 60 hand -20"]
    more += [f"{item} 500" for item in other_items(ruleset)]
    for text in ("", base, *(f"{base} {each}" for each in more), base[2:], f"9{base}", "945", "1x"):
        try:
            row = parse_row(text, side, ruleset)
        except ValueError as why:
            shown.append(f"{text}: {why}")
            continue
        shown.append(f"{text}: {row}")
        for way in propose_row(begun, side, row):
            shown.append(f"  {way.written} {[each.code for each in way.findings]}")
    assert "\n".join(shown) == snapshot


def test_a_mode_is_kept_in_its_tag() -> None:
    plain = Standing(new_record({"Rules": "classic", "Dealer": "N"}))
    before = mode_of(plain)
    for mode in ("sheet", "turns", "table"):
        after = with_mode(plain, mode)
        added = [line for line in after.lines if line not in plain.lines]
        assert len(added) == (mode != before)
        assert all(re.fullmatch(r'\[\w+ "\w+"\]', line) and mode in line for line in added)
        assert mode_of(after) == (mode if added else before)
        assert with_mode(after, mode).lines == after.lines


@pytest.mark.parametrize("rules", profile_names())
def test_the_other_answer_about_a_house_rule_is_another_rule(rules: str) -> None:
    """`default` is the answer that the rules give: yes to what they count."""
    profile = load_profile(rules)
    for question in house_questions(rules):
        other = parse_rules(f"{rules} {question.override}").profile
        assert other is not None
        key = question.override.split("=")[0]
        assert other[key] != profile[key]
        assert question.default == ("count 800" in question.text)
        assert question.meaning


def test_what_cannot_be_read_is_marked_from_its_first_to_its_last_character(
    snapshot: SnapshotAssertion,
) -> None:
    shown = []
    standing = standing_of(evenings()[0][1][:20])
    for text in (
        "x",
        "",
        "+",
        "+5h K",
        "+5h K:",
        "N: 3h",
        "up Kh",
        "deal 2 dealer E",
        "end",
        "7",
        "score NS",
        "total NS 1 EW",
        "melds NS K:KhKdKc",
        "+5h -5h !!!",
        "; a comment",
    ):
        proposal = propose(standing, text)
        for each in proposal.findings:
            line = proposal.excerpts[each.span.line]
            marked = line[each.span.column - 1 : each.span.end_column - 1]
            shown.append(f"{text}: {each.code} {each.span} {marked!r}: {each.message}")
        shown.append(f"{text}: writes {proposal.written}, {proposal.writable}")
    assert "\n".join(shown) == snapshot
