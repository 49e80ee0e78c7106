"""The ledger of a score: what earns each item, computed and claimed, over records of every kind."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache

from syrupy.assertion import SnapshotAssertion

from canasta_notation.batch.parts import judge_games
from canasta_notation.cards import format_cards
from canasta_notation.findings import worst
from canasta_notation.notation.reader import read_text
from canasta_notation.report.ledger import (
    CSV_COLUMNS,
    GameLedger,
    ItemRow,
    SideLedger,
    audit_game,
    audit_verified,
    csv_rows,
    game_json,
)
from canasta_notation.scan.verified import VerifiedGame
from tests.cli_records import FALSE, SHEET, UNSEEN, VERIFIED
from tests.every_kind import kept, readings


@cache
def ledgers() -> tuple[tuple[str, GameLedger], ...]:
    return tuple((name, audit_game(each, each.game.number)) for name, each in readings())


def sides() -> Iterator[tuple[str, GameLedger, int, SideLedger]]:
    for name, ledger in ledgers():
        for at, deal in enumerate(ledger.deals):
            for side in deal.sides:
                yield name, ledger, at, side


def words(row: ItemRow) -> Iterator[str]:
    """Yield everything that a row says: its figures, what earns them, what would decide them."""
    said = f"{row.item} {row.computed}/{row.claimed} {row.agrees} {row.at_least}..{row.at_most}"
    yield f"{said} {row.summed}"
    for each in row.earned:
        assert "{" not in each.what, "no place is left open"
        cards = format_cards(each.cards)
        place = f"{each.rank} {each.seat or '-'} {each.whose or '-'}"
        yield f"earns {row.item}: {each.what}: {each.points} for {cards or '-'} at {place}"
    if row.decided_by:
        yield f"decides {row.item}: {row.decided_by}"


def test_what_the_rows_say(snapshot: SnapshotAssertion) -> None:
    """A figure of another item, another bound or word changes a line here."""
    said = (
        (f"{name} {side.side}", line)
        for name, _, _, side in sides()
        for row in side.rows
        for line in words(row)
    )
    assert kept(said) == snapshot


def test_a_row_agrees_if_what_is_claimed_is_what_is_computed() -> None:
    seen = set()
    for name, _, _, side in sides():
        for row in side.items:
            known = row.computed is not None and row.claimed is not None
            if known:
                assert row.agrees is (row.computed == row.claimed), (name, row)
            elif row.at_least is not None and row.at_most is not None:
                assert row.at_least < row.at_most
                beyond = row.claimed is not None and not (
                    row.at_least <= row.claimed <= row.at_most
                )
                assert (row.agrees is False) >= beyond and row.agrees is not True, (name, row)
            seen.add((known, row.agrees))
            assert (row.at_least is None) == (row.at_most is None)
    assert seen == {(True, True), (True, False), (False, None), (False, False)}


def test_the_items_add_up_to_the_score_and_the_scores_to_the_total() -> None:
    counted = 0
    for name, ledger, at, side in sides():
        items = [row.computed for row in side.items if row.item != "cards"]
        if side.score.computed is not None and None not in items and items:
            assert sum(each or 0 for each in items) == side.score.computed, (name, side.side)
            counted += 1
        report = next(e for e in ledger.deals[at].report.sides if e.side == side.side)
        if side.total.computed is not None:
            assert side.total.computed == report.total
        for row in side.items:
            parts = [each.points for each in row.earned]
            if row.computed is not None and parts and None not in parts and row.item != "cards":
                assert sum(each or 0 for each in parts) == row.computed, (name, row)
    assert counted > 300


def test_the_json_and_the_csv_have_the_figures_of_the_report() -> None:
    for name, ledger in ledgers():
        report, value = ledger.report, game_json(ledger)
        assert (value["game"], value["rules"]) == (report.game, report.rules)
        assert value["result"]["winner"] == report.winner
        assert value["result"]["totals"] == report.totals
        for deal, shown in zip(report.deals, value["deals"], strict=True):
            assert (shown["deal"], shown["ended"], shown["by"]) == (deal.deal, deal.how, deal.by)
            assert [*shown["sides"]] == [side.side for side in deal.sides]
            for side in deal.sides:
                found = shown["sides"][side.side]
                between = side.score is None and side.between is not None
                assert found["score"] == (side.between if between else side.score)
                assert found["items"] == side.items and found["agrees"] is side.agrees
                assert (found["total"], found["claimed"]["total"]) == (
                    *(side.total, side.claimed.total),
                )
                assert found["claimed"]["score"] == side.claimed.score
                assert found["claimed"]["items"] == (side.claimed.items or {})
        rows = [dict(zip(CSV_COLUMNS, row, strict=True)) for row in csv_rows(name, ledger)]
        own = [
            (deal.report.deal, side.side, row)
            for deal in ledger.deals
            for side in deal.sides
            for row in side.rows
        ]
        marks = {None: "", True: "yes", False: "no"}
        for found, (number, side_name, item) in zip(rows, own, strict=True):
            assert found == {
                "file": name,
                "game": report.game,
                "deal": number,
                "side": side_name,
                "item": item.item,
                "computed": "" if item.computed is None else item.computed,
                "claimed": "" if item.claimed is None else item.claimed,
                "agrees": marks[item.agrees],
            }


def test_a_ledger_counts_errors_and_has_the_worst_verdict() -> None:
    verdicts = set()
    for name, ledger in ledgers():
        errors = [each for each in ledger.report.findings if each.severity == "error"]
        assert ledger.errors == len(errors), name
        assert ledger.verdict == ledger.report.verdict
        assert bool(errors) == (ledger.verdict == "contradicted")
        verdicts.add(ledger.verdict)
    assert worst([*verdicts]) == "contradicted" and len(verdicts) == 3


def test_a_game_further_down_has_the_same_ledger() -> None:
    """Also if the fast path verified it: with its own number, and the lines where it stands."""
    first = f"{VERIFIED}\n"
    for record in (VERIFIED, FALSE, SHEET, UNSEEN):
        [alone] = read_text(record)
        [_, below] = read_text(first + record)
        one, two = audit_game(alone, 1), audit_game(below, 2)
        assert (one.report.game, two.report.game) == (1, 2)
        assert [deal.sides for deal in one.deals] == [deal.sides for deal in two.deals]
        places = [each.span.line + first.count("\n") for each in one.report.findings]
        assert [each.span.line for each in two.report.findings] == places


def test_a_verified_game_has_the_ledger_of_its_replay() -> None:
    counted = 0
    for name, each in readings():
        text = "\n".join(each.lines) + "\n"
        [judged, *_] = judge_games(io.BytesIO(text.encode()), rows=True)
        found = judged.report
        if isinstance(found, VerifiedGame):
            [reading] = read_text(text)
            slow, fast = audit_game(reading, 1), audit_verified(found)
            assert [each.sides for each in fast.deals] == [each.sides for each in slow.deals], name
            assert game_json(fast) == game_json(slow)
            counted += 1
    assert counted > 10
