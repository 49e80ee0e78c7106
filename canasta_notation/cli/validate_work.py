"""The work of `canasta validate`: every finding of every record, then a line of counts.

Typer and what it needs are not loaded here: see `cli.main`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from canasta_notation.cli.files import find_sources
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.streaming import JsonList, json_at, work_results
from canasta_notation.report.outcome import (
    BriefOutcome,
    CheckOutcome,
    GameOutcome,
    Tally,
    check_game,
    check_verified,
)

if TYPE_CHECKING:
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.notation.spreadsheet_map import ColumnMap
    from canasta_notation.render.paint import Row
    from canasta_notation.rules import Profile


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def check_paths(
    session: Session,
    paths: Iterable[str],
    override: Profile | None = None,
    format: Format = Format.TEXT,
    jobs: int = 1,
    columns: ColumnMap | None = None,
) -> None:
    """Show the findings of records, and report the files that cannot be read.

    `columns` are the names that score sheets use.
    """
    from canasta_notation.batch.parts import Work

    sources, wrong = find_sources(paths)
    say_all(session, wrong)
    if format == Format.GITHUB:
        _annotate(session, wrong)
    work = Work(partial(check_game, override), partial(check_verified, override), override)
    pieces = work_results(session, sources, work, jobs, columns)
    _SHOW[format](session, _until_judged(session, pieces))


def _until_judged(
    session: Session, pieces: Iterable[Piece[CheckOutcome]]
) -> Iterator[Piece[CheckOutcome]]:
    session.judging = True
    yield from pieces
    session.judging = False


def _show_text(session: Session, pieces: Iterable[Piece[CheckOutcome]]) -> None:
    tally = Tally()
    remarks: list[tuple[int, str]] = []
    for piece in pieces:
        for game in _to_show(session, tally, piece):
            remarks += _show_game(session, piece.input.name, game)
        if piece.last:
            _show_defaults(session, tally, piece)
            _show_remarks(session, piece.input.name, remarks, many=piece.games > 1)
            tally.close_file()
            remarks.clear()
    if tally.counts.files:
        session.show([_counts_row(tally)])


def _counts_row(tally: Tally) -> Row:
    """Return the line of counts that ends a validation."""
    from canasta_notation.render.excerpt import counts_row

    return counts_row(tally.counts, tally.verdict)


def _counted(session: Session, tally: Tally, piece: Piece[CheckOutcome]) -> Iterator[CheckOutcome]:
    """Yield every game of a piece after counting it."""
    for game in piece.values:
        tally.add(game)
        if not isinstance(game, BriefOutcome):
            session.found(wrong=any(each.severity == "error" for each in game.findings))
        yield game


def _to_show(session: Session, tally: Tally, piece: Piece[CheckOutcome]) -> Iterator[GameOutcome]:
    """Count every game of a piece, and yield those that have more to show than a verdict."""
    for game in _counted(session, tally, piece):
        if not isinstance(game, BriefOutcome):
            yield game


def _show_game(session: Session, name: str, game: GameOutcome) -> Iterator[tuple[int, str]]:
    """Show the findings of a game; yield (game, remark) to show after the file's findings."""
    from canasta_notation.render.excerpt import finding_block, folded, game_remarks
    from canasta_notation.render.paint import row

    for finding, *alike in folded(game.findings):
        line = game.lines.get(finding.span.line)
        block = finding_block(name, game.rules, finding, line, session.look, alike)
        session.show([*block, row()])
    for text in game_remarks(game):
        yield game.game, text


def _show_defaults(session: Session, tally: Tally, piece: Piece[CheckOutcome]) -> None:
    """Say how many games of a file name no rules."""
    for rules, games in tally.by_default.items():
        from canasta_notation.render.excerpt import default_rules_remark
        from canasta_notation.render.paint import row

        text = default_rules_remark(rules, games, piece.games)
        session.show([row(f"{piece.input.name}: {text}")])


def _show_remarks(
    session: Session, name: str, remarks: list[tuple[int, str]], *, many: bool
) -> None:
    from canasta_notation.render.paint import row

    for number, text in remarks:
        place = f"{name}: game {number}" if many else name
        session.show([row(f"{place}: {text}")])


def _annotate(session: Session, wrong: Iterable[str], name: str = "") -> None:
    """Annotate what could not be read; `name` is its file, "" for paths that lead to no file."""
    from canasta_notation.render.excerpt import github_trouble

    for message in wrong:
        session.out.write(github_trouble(message, name) + "\n")


def _show_github(session: Session, pieces: Iterable[Piece[CheckOutcome]]) -> None:
    from canasta_notation.render.excerpt import github_lines

    tally = Tally()
    for piece in pieces:
        for game in _to_show(session, tally, piece):
            for line in github_lines(piece.input.name, game.findings):
                session.out.write(line + "\n")
        if piece.trouble:
            _annotate(session, [piece.trouble], piece.input.name)
        if piece.last:
            tally.close_file()
    if tally.counts.files:
        session.say("".join(run.text for run in _counts_row(tally)))


# --- JSON ---------------------------------------------------------------------------------------


def _show_json(session: Session, pieces: Iterable[Piece[CheckOutcome]]) -> None:
    """Write the document of schemas/findings.schema.json; only short lists stay in memory."""
    unicode = session.look.unicode
    tally = Tally()
    files = JsonList(1, unicode=unicode)
    file = _FileLists(unicode)
    for piece in pieces:
        for game in _counted(session, tally, piece):
            file.add(game)
        verdict = tally.close_file() if piece.last else None
        if verdict:
            name = json_at(piece.input.name, 3, unicode=unicode)
            files.add_parts(*file.parts(name, verdict))
            file = _FileLists(unicode)
    session.out.write(f'{{\n "verdict": "{tally.verdict}",\n "files": ')
    files.write_to(session.out)
    session.out.write("\n}\n")


class _FileLists:
    """The lists of a file in the JSON document while they grow."""

    NAMES = ("games", "findings", "undetermined", "unchecked")

    def __init__(self, unicode: bool) -> None:
        self.lists = {name: JsonList(3, unicode=unicode) for name in self.NAMES}

    def add(self, game: CheckOutcome) -> None:
        """Add a game."""
        listed = {"game": game.game, "rules": game.rules, "verdict": game.verdict}
        self.lists["games"].add({**listed, "deals": game.deals, "turns": game.turns})
        if not isinstance(game, BriefOutcome):
            self._add_more(game)

    def _add_more(self, game: GameOutcome) -> None:
        from canasta_notation.report.outcome import finding_json

        findings = list(game.findings)
        before = self.lists["findings"].count
        for finding in findings:
            document = finding_json(finding, findings)
            if document["consequence_of"] is not None:
                document["consequence_of"] += before
            self.lists["findings"].add(document)
        for deal, doubt in game.doubts:
            place = {"game": game.game, "deal": deal, "turn": doubt.turn, "line": doubt.line}
            self.lists["undetermined"].add({**place, "code": doubt.code})
        for at, line in game.unchecked:
            self.lists["unchecked"].add({"game": game.game, "deal": at, "line": line})

    def parts(self, name: str, verdict: str) -> Iterator[str | JsonList]:
        """Yield the file's element of the document."""
        yield f'{{\n   "file": {name},\n   "verdict": "{verdict}"'
        for key, listed in self.lists.items():
            yield f',\n   "{key}": '
            yield listed
        yield "\n  }"


_SHOW: dict[Format, Callable[[Session, Iterable[Piece[CheckOutcome]]], None]] = {
    Format.TEXT: _show_text,
    Format.JSON: _show_json,
    Format.GITHUB: _show_github,
}
