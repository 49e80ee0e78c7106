"""Ready-made reports on a corpus: the questions that most people ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from canasta_notation.corpus.query import Corpus


class ReportQuery(NamedTuple):
    """A report: its name in JSON, its title, and the query that answers it."""

    name: str
    title: str
    sql: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report and its answer."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def _spread(what: str, source: str) -> str:
    return (
        f"SELECT count({what}) AS counted, min({what}) AS fewest, median({what}) AS median, "
        f"round(avg({what}), 2) AS mean, max({what}) AS most FROM {source}"
    )


#: Deals by side, with whether a seat of the side dealt.
_BY_SIDE: Final = (
    "(SELECT dealer, unnest(sides) AS side, unnest(scores) AS score FROM deals "
    "WHERE dealer IS NOT NULL)"
)
QUESTIONS: Final = (
    ReportQuery(
        "corpus",
        "Games by rules and verdict",
        "SELECT rules, verdict, count(*) AS games, sum(deals)::BIGINT AS deals, "
        "sum(turns)::BIGINT AS turns FROM games GROUP BY ALL ORDER BY games DESC, rules, verdict",
    ),
    ReportQuery("game_length", "Deals in a game", _spread("deals", "games WHERE finished")),
    ReportQuery(
        "deal_length",
        "Turns in a deal that ended",
        _spread("turns", "deals WHERE ended IS NOT NULL AND turns > 0"),
    ),
    ReportQuery(
        "endings",
        "How deals end",
        "SELECT coalesce(ended, 'open or not known') AS ended, count(*) AS deals, "
        "count(*) FILTER (concealed) AS concealed, "
        "round(100 * count(*) / sum(count(*)) OVER (), 1) AS percent, "
        "round(avg(turns), 1) AS turns FROM deals WHERE NOT sheet "
        "GROUP BY ALL ORDER BY deals DESC, ended",
    ),
    ReportQuery(
        "opening_turn",
        "The turn of a deal's first opening",
        _spread("opening_turn", "deals WHERE opening_turn IS NOT NULL"),
    ),
    ReportQuery(
        "openings",
        "What openings count",
        _spread("opening", "turns WHERE opening IS NOT NULL"),
    ),
    ReportQuery(
        "takes", "Takes of the pile in a deal", _spread("takes", "deals WHERE replayed > 0")
    ),
    ReportQuery(
        "pile", "Cards in a pile when it is taken", _spread("pile", "turns WHERE pile IS NOT NULL")
    ),
    ReportQuery(
        "canastas",
        "Canastas",
        "SELECT canasta, count(*) AS canastas, "
        "round(count(*) / (SELECT count(*) FROM deals WHERE replayed > 0), 2) AS per_deal, "
        "count(*) FILTER (concealed) AS concealed, round(avg(cards), 1) AS cards, "
        "round(avg(canasta_turn), 1) AS turn FROM melds WHERE canasta IS NOT NULL "
        "GROUP BY canasta ORDER BY canastas DESC, canasta",
    ),
    ReportQuery(
        "score_by_side",
        "Score of a deal, by side",
        "SELECT side, count(score) AS deals, round(avg(score), 1) AS mean, "
        f"median(score) AS median, max(score) AS most FROM {_BY_SIDE} GROUP BY side ORDER BY side",
    ),
    ReportQuery(
        "score_by_dealer",
        "Score of a deal, by dealer and side",
        "SELECT dealer, side, count(score) AS deals, round(avg(score), 1) AS mean "
        f"FROM {_BY_SIDE} GROUP BY ALL ORDER BY dealer, side",
    ),
    ReportQuery(
        "out_by_seat",
        "Who goes out, by seat, and how often as dealer",
        'SELECT "by" AS seat, count(*) AS deals, '
        'count(*) FILTER (dealer = "by") AS as_dealer, round(avg(turns), 1) AS turns '
        "FROM deals WHERE ended = 'out' GROUP BY ALL ORDER BY seat",
    ),
    ReportQuery(
        "findings",
        "The most frequent findings",
        "SELECT code, severity, count(*) AS findings, "
        "count(DISTINCT (file, game)) AS games, count(*) FILTER (consequence) AS consequences "
        "FROM findings GROUP BY ALL ORDER BY findings DESC, code LIMIT 20",
    ),
)


def make_reports(corpus: Corpus) -> tuple[Report, ...]:
    """Return every report on a corpus."""
    reports = []
    for name, title, sql in QUESTIONS:
        answer = corpus.ask(sql)
        reports.append(Report(name, title, answer.columns, tuple(answer.rows)))
    return tuple(reports)
