"""How the scores of a game come about, as tables for people: items, how many, and points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from canasta_notation.app.game_words import item_words, side_names
from canasta_notation.engine.ruleset import Rules, rules_of
from canasta_notation.language.sentences import say
from canasta_notation.recorder.pad_row import canasta_bonuses
from canasta_notation.report.ledger import DealLedger, GameLedger, ItemRow
from canasta_notation.rules import Profile

_SUMS: Final = ("score", "total")


def score_tables(ledger: GameLedger, profile: Profile | None) -> Iterator[dict[str, Any]]:
    """Yield a table for each deal: its title, the sides by name, and a row for each item.

    A cell has the `points` (None if they are not known), how many canastas earn them (`number`,
    None if nobody counts them), and, if the record has other points than follow from it, `right`.
    """
    rules = rules_of(profile) if profile else None
    for deal in ledger.deals:
        if deal.sides:
            yield _table(ledger, deal, rules)


def _table(ledger: GameLedger, deal: DealLedger, rules: Rules | None) -> dict[str, Any]:
    number = deal.report.deal
    names = ledger.report.names_at(number)
    found = [{row.item: row for row in side.rows} for side in deal.sides]
    items = [*dict.fromkeys(row for each in found for row in each)]
    items.sort(key=lambda item: item in _SUMS)
    return {
        "title": say("deal", n=number).text,
        "sides": [str(side_names(side.side, names)) for side in deal.sides],
        "rows": [
            {
                "label": item_words(item, rules).text,
                "sum": item in _SUMS,
                "cells": [_cell(each.get(item), rules) for each in found],
            }
            for item in items
        ],
    }


def _cell(row: ItemRow | None, rules: Rules | None) -> dict[str, Any] | None:
    """Return a cell; None if the side does not have the item."""
    if row is None:
        return None
    points = row.computed if row.claimed is None else row.claimed
    worth = canasta_bonuses(rules).get(row.item) if rules else None
    number = points // worth if worth and points and points % worth == 0 else None
    right = row.computed if row.computed is not None else row.summed
    return {
        "points": points,
        "number": number,
        "right": right if row.agrees is False and right != points else None,
    }
