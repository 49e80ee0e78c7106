"""The tables of a corpus: every column with its type, its unit and what it holds.

The descriptions are written into every Parquet file. A name means the same in every table, and none
is a word of SQL; grammar/LIBRARY.md says what will not change. `file`, `game` and `deal` say to
which game and deal a row belongs. Lists are in the order of the sides or of the seats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

#: Increases with every change of a table or a column.
SCHEMA_VERSION: Final = 7

#: Words of SQL, which cannot be names of columns, and the columns that they may stand for.
MEANT: Final = {
    "by": "ended_by", "column": "start_column", "date": "date_tag", "groups": "laid_groups",
    "out": "went_out", "rank": "label",
}  # fmt: skip


class Column(NamedTuple):
    """A column: its name, its type in Arrow's words, its unit ("" if it has none)."""

    name: str
    type: str
    unit: str
    about: str


_FILE: Final = Column("file", "string", "", "The file's path in the folder of records.")
_GAME: Final = Column("game", "int32", "", "The game's place in its file, from 1.")
_DEAL: Final = Column("deal", "int32", "", "The deal's place in its game, from 1.")
_LINE: Final = Column("line", "int64", "", "The line in the file, from 1.")
_VERDICT: Final = Column("verdict", "string", "", "verified, contradicted or undetermined.")
_SIDES: Final = Column("sides", "list<string>", "", "The sides, each by its seats.")

TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "games": (
        _FILE,
        _GAME,
        _LINE,
        Column("date_tag", "string", "", "The Date tag, as written."),
        Column("event", "string", "", "The Event tag."),
        Column("site", "string", "", "The Site tag."),
        Column("rules", "string", "", "The profile's name; null if it cannot be read."),
        Column("rules_tag", "string", "", "The Rules tag, as written."),
        Column("target", "int32", "points", "The total that wins; null if no total does."),
        Column("seats", "list<string>", "", "The seats, clockwise."),
        Column("names", "list<string>", "", "The players' names, in the order of the seats."),
        _SIDES,
        Column("totals", "list<int64>", "points", "Totals after the last deal; null: not known."),
        Column("winner", "string", "", "The side that has won; null if none has."),
        Column("finished", "bool", "", "Whether a side has won; null if that is not known."),
        Column("result_tag", "string", "", "The Result tag, as written."),
        _VERDICT,
        Column("deals", "int32", "deals", "How many deals are recorded."),
        Column("turns", "int32", "turns", "How many turns are recorded, of all deals."),
        Column("errors", "int32", "findings", "Findings of severity error."),
        Column("warnings", "int32", "findings", "Findings of severity warning."),
        Column("notes", "int32", "findings", "Findings of severity note."),
    ),
    "deals": (
        _FILE,
        _GAME,
        _DEAL,
        _LINE,
        Column("dealer", "string", "", "The dealer's seat; null if it is not known."),
        Column("ended", "string", "", "out, stock, special, void or time; null if it did not end."),
        Column("ended_by", "string", "", "The seat that went out or laid a special hand."),
        Column("concealed", "bool", "", "Whether it went out concealed."),
        Column("turns", "int32", "turns", "How many turns are recorded."),
        Column("replayed", "int32", "turns", "How many turns were replayed."),
        Column("takes", "int32", "takes", "How often the pile was taken."),
        Column("opening_turn", "int32", "turns", "The turn of the deal's first opening."),
        Column("stock", "int32", "cards", "Cards left in the stock; null: not known."),
        _SIDES,
        Column("scores", "list<int64>", "points", "The score of each side; null: not known."),
        Column("totals", "list<int64>", "points", "Totals after the deal; null: not known."),
        Column("sheet", "bool", "", "Whether it is a score sheet: scores without turns."),
        _VERDICT,
        Column("up", "string", "", "The cards turned up, the top last; null: none is written."),
        Column("names", "list<string>", "", "The players' names in this deal, as in `games`."),
    ),
    "sides": (
        _FILE,
        _GAME,
        _DEAL,
        Column("side", "string", "", "The side."),
        Column("score", "int64", "points", "Its score for the deal; null: not known."),
        Column("total", "int64", "points", "Its total after the deal; null: not known."),
        Column("items", "map<string,int64>", "points", "Its items; null: one is not known."),
        Column("opened", "bool", "", "Whether it opened; null: not known."),
        Column("canastas", "int32", "canastas", "Its canastas at the end; null: not known."),
        Column("threes", "int32", "cards", "How many threes it tabled; null: not known."),
        Column("result", "string", "", "won, lost or tied by the scores of the deal; or null."),
    ),
    "turns": (
        _FILE,
        _GAME,
        _DEAL,
        Column("turn", "int32", "", "The turn's place in its deal, from 1."),
        _LINE,
        Column("seat", "string", "", "The seat that played."),
        Column("side", "string", "", "Its side."),
        Column("took", "bool", "", "Whether the pile was taken rather than a card drawn."),
        Column("pile", "int32", "cards", "Cards in the pile taken; null: none, or not known."),
        Column("draw", "string", "", "The cards drawn, replacements included; _ is unknown."),
        Column("laid", "int32", "cards", "Cards laid from the hand."),
        Column("labels", "string", "", "The labels of the melds that grew, as in KQ*K/2s."),
        Column("opening", "int32", "points", "What the opening counted, if this turn opens."),
        Column("canastas", "int32", "canastas", "Canastas that this turn completed."),
        Column("discard", "string", "", "The card discarded."),
        Column("asked", "string", "", "The partner's answer, if asked: yes or no."),
        Column("went_out", "bool", "", "Whether the seat went out."),
        Column("hand", "int32", "cards", "Cards in the seat's hand after the turn."),
        Column("stock", "int32", "cards", "Cards in the stock after the turn; null: not known."),
        Column("seconds", "float64", "seconds", "The time used, if it is written."),
        Column("frozen", "bool", "", "Whether a card froze the pile before it; null: not known."),
        Column("taken_frozen", "bool", "", "Whether the pile taken was frozen for the side."),
        Column("laid_groups", "list<string>", "", "The groups laid, with labels and cards."),
        Column("back", "string", "", "The cards that it laid and took back, or null."),
        Column(
            "missed", "list<string>", "", "Chances missed; null: not known, or not searched for."
        ),
    ),
    "facts": (
        _FILE,
        _GAME,
        _DEAL,
        Column("seat", "string", "", "The seat."),
        Column("side", "string", "", "Its side."),
        Column("replayed", "int32", "turns", "Its turns that were replayed."),
        Column("drawn", "int32", "cards", "Cards from the stock; null: not known."),
        Column("takes", "int32", "takes", "How often it took the pile."),
        Column("taken", "int32", "cards", "Cards of these piles; null: not known."),
        Column("gifts", "int32", "discards", "Discards on which the next seat took the pile."),
        Column("given", "int32", "cards", "Cards of these piles; null: not known."),
        Column("froze", "int32", "discards", "Discards that froze the pile; null: not known."),
        Column("melded", "int32", "cards", "Cards laid in melds, the top of a pile included."),
        Column("wilds", "int32", "cards", "Jokers and twos that it received; null: not known."),
        Column("opened_at", "int32", "turns", "The turn in which it opened for its side."),
        Column("hand_points", "int32", "points", "Its hand at the end; null: no end, or unknown."),
        Column("dealt", "string", "", "Its hand as dealt; _ is unknown; null: not fully written."),
        Column("replaced", "string", "", "Cards that replaced dealt threes; null: as for `dealt`."),
        Column("tabled", "string", "", "The threes that it tabled; null: not known."),
        Column("threes", "int32", "cards", "How many threes it tabled; null: not known."),
    ),
    "melds": (
        _FILE,
        _GAME,
        _DEAL,
        Column("side", "string", "", "The side that has the meld at the end of the deal."),
        Column("label", "string", "", "The label: K, * (wild cards), s (a sequence), K/2."),
        Column("cards", "int32", "cards", "How many cards it holds."),
        Column("naturals", "int32", "cards", "How many of them are natural."),
        Column("twos", "int32", "cards", "How many of them are twos."),
        Column("jokers", "int32", "cards", "How many of them are jokers."),
        Column("unknown", "int32", "cards", "How many of them are not written."),
        Column("canasta", "string", "", "natural, mixed, wild or sequence, or null."),
        Column("concealed", "bool", "", "Whether it was laid complete from the hand."),
        Column("card_points", "int32", "points", "The points of its cards; null: not known."),
        Column("begun_turn", "int32", "turns", "The turn of its first cards."),
        Column("canasta_turn", "int32", "turns", "The turn that made it a canasta."),
    ),
    "score_items": (
        _FILE,
        _GAME,
        _DEAL,
        Column("side", "string", "", "The side."),
        Column("item", "string", "", "The item; `cards` is a claim of melds and hand together."),
        Column("points", "int64", "points", "What it is worth; null: not known, or `cards`."),
        Column("claimed", "int32", "points", "What the record claims; null: it claims no items."),
        Column("agrees", "bool", "", "Whether the claim is true; null: none, or not known."),
    ),
    "findings": (
        _FILE,
        _GAME,
        Column("deal", "int32", "", "The deal, from 1; null outside deals."),
        Column("turn", "int32", "", "The turn, from 1; null outside turns."),
        _LINE,
        Column("start_column", "int32", "", "The column, from 1."),
        Column("end_column", "int32", "", "The column after the end, from 1."),
        Column("code", "string", "", "The finding's code; `canasta explain` explains it."),
        Column("severity", "string", "", "error, warning or note."),
        Column("message", "string", "", "What is there and what should be."),
        Column("rule_key", "string", "", "The key of the rule behind it."),
        Column("acknowledged", "bool", "", "Whether the players accepted it."),
        Column("consequence", "bool", "", "Whether it only follows from another finding."),
    ),
}


@dataclass(slots=True)
class CorpusRows:
    """The rows of a table, kept as a list for each column."""

    table: str
    names: tuple[str, ...] = field(init=False)
    columns: tuple[list[Any], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.names = tuple(column.name for column in TABLES[self.table])
        self.columns = tuple([] for _ in self.names)

    def add(self, **values: Any) -> None:
        """Add a row, with a value for each column by its name, in the order of the columns."""
        assert tuple(values) == self.names, f"{self.table} has other columns"
        for column, value in zip(self.columns, values.values(), strict=True):
            column.append(value)

    def add_all(self, rows: list[tuple[Any, ...]]) -> None:
        """Add rows, each with its values in the order of the columns."""
        if rows:
            self.extend(*zip(*rows, strict=True))

    def extend(self, *values: Sequence[Any]) -> None:
        """Add many rows, given as columns of the same length."""
        for column, more in zip(self.columns, values, strict=True):
            column.extend(more)

    def __len__(self) -> int:
        return len(self.columns[0])

    def cut(self, length: int) -> None:
        """Remove all rows from row `length` (from 0) on."""
        for column in self.columns:
            del column[length:]


class Tables:
    """The rows of every table."""

    def __init__(self) -> None:
        self.games = CorpusRows("games")
        self.deals = CorpusRows("deals")
        self.sides = CorpusRows("sides")
        self.turns = CorpusRows("turns")
        self.facts = CorpusRows("facts")
        self.melds = CorpusRows("melds")
        self.score_items = CorpusRows("score_items")
        self.findings = CorpusRows("findings")

    def __iter__(self) -> Iterator[CorpusRows]:
        return iter(
            (
                self.games,
                self.deals,
                self.sides,
                self.turns,
                self.facts,
                self.melds,
                self.score_items,
                self.findings,
            )
        )


def describe(table: str) -> dict[str, str]:
    """Return the metadata of a table's Parquet files: the version, and every column."""
    columns = [column._asdict() for column in TABLES[table]]
    return {
        "canasta.schema_version": str(SCHEMA_VERSION),
        "canasta.table": table,
        "canasta.columns": json.dumps(columns, separators=(",", ":")),
    }
