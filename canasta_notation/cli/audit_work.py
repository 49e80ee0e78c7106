"""The work of `canasta audit`: the score card of every deal, computed and claimed.

Typer and what it needs are not loaded here: see `cli.main`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from canasta_notation.cli.files import find_sources
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.streaming import JsonList, json_at, work_results

if TYPE_CHECKING:
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.foreign.spreadsheet_map import ColumnMap
    from canasta_notation.notation.reader import Reading
    from canasta_notation.render.paint import Look, Rows
    from canasta_notation.report.ledger import GameLedger
    from canasta_notation.report.why import WhyFalse
    from canasta_notation.rules import Profile
    from canasta_notation.scan.verified import VerifiedGame


def audit_paths(
    session: Session,
    paths: Iterable[str],
    override: Profile | None = None,
    other: Profile | None = None,
    form: str = "cards",
    jobs: int = 1,
    *,
    why: bool = False,
    columns: ColumnMap | None = None,
) -> None:
    """Show the scores of records as "cards", "json" or "csv", and report unreadable records.

    `other` are rules whose scores are shown too; they go with cards and JSON. `why` adds the house
    rules under which false claims would hold; it goes with cards and JSON, without `other`.
    `columns` are the names that score sheets use.
    """
    from canasta_notation.batch.parts import Work

    sources, wrong = find_sources(paths)
    say_all(session, wrong)
    audit = Audit(override, other, form, session.look, why)
    # Under other rules, the fast path seldom verifies a game.
    verified = audit.verified if other is None else None
    work = Work(audit.game, verified, override, rows=True)
    _SHOW[form](session, work_results(session, sources, work, jobs, columns), other)


class Audited(NamedTuple):
    """What a process returns for a game: whether something is wrong, and what to show."""

    wrong: bool
    shown: Any


@dataclass(frozen=True)
class Audit:
    """How games are audited, in any process; `form` is "cards", "json" or "csv"."""

    override: Profile | None
    other: Profile | None
    form: str
    look: Look
    why: bool = False

    def game(self, name: str, reading: Reading, number: int) -> Audited:
        """Audit a game: show it as text, as rows of the CSV, or as JSON for each set of rules."""
        from canasta_notation.render.score_card import compared_card
        from canasta_notation.report.ledger import audit_game

        ledger = audit_game(reading, number, self.override)
        if self.other is None:
            why = self._why(reading, number, ledger) if self.why else None
            return self._shown(name, ledger, why)
        second = audit_game(reading, number, self.other)
        if self.form == "json":
            return Audited(ledger.errors > 0, [self._json(ledger, 4), self._json(second, 5)])
        return Audited(
            ledger.errors > 0, self._painted(compared_card(name, ledger, second, self.look))
        )

    def verified(self, name: str, game: VerifiedGame) -> Audited:
        """Audit a game that the fast path verified."""
        from canasta_notation.report.ledger import audit_verified

        return self._shown(name, audit_verified(game), self._nothing_false() if self.why else None)

    def _nothing_false(self) -> WhyFalse:
        from canasta_notation.report.why import WhyFalse

        return WhyFalse((), 0, 0)

    def _why(self, reading: Reading, number: int, ledger: GameLedger) -> WhyFalse:
        from canasta_notation.report.why import why_false

        return why_false(reading, number, ledger.report, self.override)

    def _shown(self, name: str, ledger: GameLedger, why: WhyFalse | None) -> Audited:
        from canasta_notation.render.paint import escape
        from canasta_notation.render.score_card import game_card, why_rows
        from canasta_notation.report.ledger import csv_rows

        wrong = ledger.errors > 0
        match self.form:
            case "csv":
                return Audited(wrong, list(csv_rows(escape(name), ledger)))
            case "json":
                return Audited(wrong, [self._json(ledger, 4, why)])
        rows = game_card(name, ledger, self.look)
        if why:
            rows += why_rows(why, ledger, self.look)
        return Audited(wrong, self._painted(rows))

    def _painted(self, rows: Rows) -> str:
        """Return rows as text. Painting takes time, so the processes do it."""
        from canasta_notation.render.paint import paint

        return paint(rows, colour=self.look.colour)

    def _json(self, ledger: GameLedger, depth: int, why: WhyFalse | None = None) -> str:
        from canasta_notation.report.ledger import game_json, why_json

        game = game_json(ledger)
        if why is not None:
            game["why"] = why_json(why)
        return json_at(game, depth, unicode=self.look.unicode)


def _show_cards(session: Session, pieces: Iterable[Piece[Audited]], other: Profile | None) -> None:
    first = True
    for piece in pieces:
        for game in piece.values:
            session.found(wrong=game.wrong)
            if not first and not other:
                session.write("\n\n")
            first = False
            session.write(game.shown)


def _show_json(session: Session, pieces: Iterable[Piece[Audited]], other: Profile | None) -> None:
    """Write the document of schemas/audit.schema.json; only short lists stay in memory."""
    unicode = session.look.unicode
    depths = (1, 2) if other else (1,)
    files = [JsonList(depth, unicode=unicode) for depth in depths]
    games = [JsonList(depth + 2, unicode=unicode) for depth in depths]
    for piece in pieces:
        for game in piece.values:
            session.found(wrong=game.wrong)
            for listed, text in zip(games, game.shown, strict=True):
                listed.add_parts(text)
        if piece.last and games[0].count:
            name = json_at(piece.input.name, 0, unicode=unicode)
            for at, depth in enumerate(depths):
                edge = "\n" + " " * (depth + 1)
                head = f'{{{edge} "file": {name},{edge} "games": '
                files[at].add_parts(head, games[at], edge + "}")
                games[at] = JsonList(depth + 2, unicode=unicode)
    session.out.write('{\n "files": ')
    files[0].write_to(session.out)
    if other:
        session.out.write(',\n "against": {\n  "files": ')
        files[1].write_to(session.out)
        session.out.write("\n }")
    session.out.write("\n}\n")


def _show_csv(session: Session, pieces: Iterable[Piece[Audited]], other: Profile | None) -> None:
    import csv

    from canasta_notation.report.ledger import CSV_COLUMNS

    writer = csv.writer(session.out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for piece in pieces:
        for game in piece.values:
            session.found(wrong=game.wrong)
            writer.writerows(game.shown)


_SHOW: dict[str, Callable[[Session, Iterable[Piece[Audited]], Profile | None], None]] = {
    "cards": _show_cards,
    "json": _show_json,
    "csv": _show_csv,
}
