"""What a recorder knows after every line of records of every kind, and where each line stands.

The records stand as the second game of a file. A golden file has what is due, what can be typed,
what undo takes back, and the ways out of every wrong entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from canasta_notation.notation.document import Turn
from canasta_notation.notation.reader import read_line
from canasta_notation.recorder.closing import claims_due, computed_line, hand_at_end
from canasta_notation.recorder.completion import complete
from canasta_notation.recorder.corrections import (
    entry_options,
    find_line,
    is_more_than_a_deal,
    old_text,
    propose_text,
    without_last_entry,
)
from canasta_notation.recorder.known import known_of
from canasta_notation.recorder.proposal import added_lines, propose
from canasta_notation.recorder.standing import (
    FilePlace,
    NotRecordable,
    Standing,
    result_of,
    with_due_lines,
)
from tests.every_kind import records
from tests.test_recorder_entries import DEAL, SAMPLES

PLACE = FilePlace(101, 1)
NAMES = ("profile-american-4p", "profile-classic-2p", "profile-samba", "final-tables",
         "score-sheet-1", "seen-at-the-table", "kitchen-table")  # fmt: skip


def lines_of(path: Path, deals: int) -> list[str]:
    """Return the lines of a record up to the end of so many deals."""
    lines = path.read_text("utf-8").splitlines()
    begins = [at for at, line in enumerate(lines) if line.startswith("deal ")]
    return lines[: begins[deals]] if len(begins) > deals else lines


@cache
def evenings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = [("a deal", tuple(DEAL))]
    found += [(name, tuple(lines_of(SAMPLES / f"{name}.canasta", 2))) for name in NAMES]
    return tuple(found)


def standing_of(lines: tuple[str, ...] | list[str]) -> Standing:
    return Standing(lines, PLACE)


def test_every_name_of_a_line_leads_to_its_line() -> None:
    """In the deal that is named and, without a number, in the last one."""
    kinds = set()
    for _, lines in evenings():
        standing = standing_of(lines)
        deals = standing.reading.game.deals
        for number, deal in enumerate(deals, 1):
            turns = [line for line in deal.play if isinstance(line, Turn)]
            named = {str(at): turn.line for at, turn in enumerate(turns, 1)}
            named |= {f"{hand.seat}:": hand.span.line for hand in deal.hands}
            for word in ("melds", "threes", "left", "scores"):
                for line in getattr(deal, word):
                    whose = line.seat if word == "left" else line.side
                    named[f"{word.replace('scores', 'score')} {whose}"] = line.span.line
            named |= {"up": deal.up.span.line} if deal.up else {}
            named |= {"end": deal.end.span.line} if deal.end else {}
            for name, line in named.items():
                at = line - PLACE.first_line
                assert find_line(standing, f"{number}.{name}") == at
                assert old_text(standing, f"{number}.{name}") == lines[at]
                assert (find_line(standing, name) == at) == (number == len(deals)), name
                kinds.add("turn" if name.isdigit() else name.split()[0].rstrip("NESW:"))
            for name in (str(len(turns) + 1), "0", "score X", "melds N", "left NS"):
                assert find_line(standing, f"{number}.{name}") is None
        assert find_line(standing, f"{len(deals) + 1}.1") is None
        assert find_line(standing, "0.1") is None
    assert kinds == {"turn", "", "melds", "threes", "left", "score", "up", "end"}


def known(before: Standing | None, standing: Standing) -> Iterator[str]:
    """Yield what is known of a standing, and how it differs from the one before."""
    yield f"{standing.phase}, deal {standing.deal_due}, dealer {standing.dealer_due}"
    for whole in (False, True):
        due = [f"{each.kind} {each.whose}" for each in claims_due(standing, whole=whole)]
        yield f"due, {'whole' if whole else 'short'}: {', '.join(due)}"
    for side in standing.rules.sides if standing.deal else ():
        yield f"computed {computed_line(standing, side)}"
    for claim in claims_due(standing, whole=True):
        yield f"at the end of {claim.whose}: {hand_at_end(standing, claim) is not None}"
    yield f"result {result_of(standing)}, checked {standing.checked}, end {standing.end_line}"
    for text in ("", "+", "^", "+* ") if standing.phase == "play" else ():
        offered = complete(standing, text)
        for each in (*offered[:3], *offered[-2:]):
            yield f"type {each.text}: {each.about}"
    back = without_last_entry(standing)
    if back is not None:
        gone = len(standing.lines) - len(back.lines)
        yield f"undo takes {gone} of the lines; a deal: {is_more_than_a_deal(standing, back)}"
    if before is not None:
        yield f"more: {added_lines(before.lines, with_due_lines(before, standing).lines)}"


@pytest.mark.parametrize("name", [name for name, _ in evenings()])
def test_what_is_known_after_each_line(name: str, snapshot: SnapshotAssertion) -> None:
    """The lines of the first deal, and every seventh after it."""
    lines = dict(evenings())[name]
    begins = [at for at, line in enumerate(lines) if line.startswith("deal ")]
    ends = [*range(begins[0], begins[0] + 12), *range(begins[0] + 12, len(lines), 9)]
    ends += [len(lines) - at for at in (3, 2, 1, 0)]
    shown: list[str] = []
    before = None
    for end in sorted({*ends}):
        standing = standing_of(lines[:end])
        for text in known(before, standing):
            if text not in shown:
                shown.append(text)
        before = standing
    assert "\n".join(shown) == snapshot


def test_the_ways_out_of_every_wrong_entry(snapshot: SnapshotAssertion) -> None:
    """Each line of the broken records with an error is typed where it stands."""
    shown = []
    for name, text in records():
        lines = text.splitlines()
        try:
            whole = standing_of(lines)
        except NotRecordable as why:
            shown.append(f"{name}: {why}")
            continue
        wrong = [each.span.line for each in whole.findings() if each.severity == "error"]
        at = min(wrong, default=0) - PLACE.first_line
        if at < 2 or not isinstance(read_line(lines[at]), Turn):
            continue
        begun = standing_of(lines[:at])
        proposal = propose(begun, lines[at].split(" ", 2)[2])
        codes = " ".join(each.code for each in proposal.errors)
        head = f"{name}: {lines[at]} {codes}"
        told = [f"  {words}" for each in proposal.errors for words in known_of(proposal, each)]
        for key, (words, way) in entry_options(begun, proposal, "").items():
            told.append(f"  {key} {words}: {' / '.join(way.written)}")
        for finding in proposal.findings:
            line = proposal.excerpts[finding.span.line]
            told.append(f"  {line[finding.span.column - 1 : finding.span.end_column - 1]}")
        shown += [head, *told] if not any(codes in each.split()[-1] for each in shown) else []
    assert "\n".join(shown) == snapshot


def test_a_line_is_corrected_in_its_own_place() -> None:
    """Each turn written again in other words of the same meaning changes nothing."""
    for _, lines in evenings():
        standing = standing_of(lines)
        for number, deal in enumerate(standing.reading.game.deals, 1):
            turns = [line for line in deal.play if isinstance(line, Turn)]
            for at in range(1, len(turns) + 1, 7):
                what = f"{number}.{at}"
                place = find_line(standing, what)
                assert place is not None
                written = lines[place].split(" ; ")[0].rstrip()
                after = propose_text(standing, written, what).after
                assert after is not None
                assert added_lines(standing.lines, after.lines) in ([], [written])
                assert len(after.lines) == len(lines)
