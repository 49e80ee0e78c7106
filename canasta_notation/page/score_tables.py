"""The score cards of a page: each item, what earns it, computed and claimed."""

from __future__ import annotations

from collections.abc import Iterator

from canasta_notation.page.chart import side_name
from canasta_notation.page.markup import card_names, html, points
from canasta_notation.page.story import PageDeal, PageGame
from canasta_notation.report.ledger import Earned, ItemRow, SideLedger


def score_cards(game: PageGame, deal: PageDeal) -> str:
    """Return the score card of every side of a deal."""
    cards = "".join(_card(game, side) for side in deal.ledger.sides)
    return f'<div class="scores">{cards}</div>' if cards else "<p>Not replayed.</p>"


def _card(game: PageGame, side: SideLedger) -> str:
    claims = any(item.claimed is not None for item in side.rows)
    claimed = "<th>Claimed" if claims else ""
    rows = "".join(_row(item, claims=claims) for item in side.rows)
    return (
        f"<table class=score><caption>{html(side_name(game, side.side))}</caption>"
        f"<thead><tr><th>Item<th>Points{claimed}</thead>{rows}</table>"
    )


def _row(item: ItemRow, *, claims: bool) -> str:
    kinds = ["sum"] if item.item in ("score", "total") else []
    kinds += ["false"] if item.agrees is False else []
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    lines = "<br>".join(_earned(item))
    earned = f"<small>{lines}</small>" if lines else ""
    claimed = ""
    if claims:
        mark = "<b> false</b>" if item.agrees is False else ""
        claimed = f"<td>{'' if item.claimed is None else points(item.claimed)}{mark}"
    return f"<tr{kind}><th>{html(item.item)}{earned}<td>{_points(item)}{claimed}"


def _points(item: ItemRow) -> str:
    if item.at_least is not None and item.at_most is not None:
        return f"{points(item.at_least)} to {points(item.at_most)}"
    return points(item.computed if item.summed is None else item.summed)


def _earned(item: ItemRow) -> Iterator[str]:
    """Yield a line for each thing that earns points; if there are several, with the points."""
    for each in item.earned:
        figure = f": {points(each.points)}" if len(item.earned) > 1 else ""
        yield f"{html(_what(each))}{figure}"


def _what(earned: Earned) -> str:
    return " ".join(filter(None, (earned.what, card_names(earned.cards))))
