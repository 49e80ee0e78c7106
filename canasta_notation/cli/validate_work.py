"""The work of `canasta validate`: every finding of every record, then a line of counts.

Typer and what it needs are not loaded here: see `cli.main`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Final

from canasta_notation.cli.files import find_sources
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.streaming import JsonList, json_at, work_results
from canasta_notation.english import count, listed
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
    from canasta_notation.foreign.spreadsheet_map import ColumnMap
    from canasta_notation.render.paint import Row
    from canasta_notation.report.same_games import GamePlace
    from canasta_notation.rules import Profile


#: How many findings of one code, and how many remarks, are listed without `--all`.
LISTED: Final = 200


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


class _Listing:
    """What a validation lists for people: the first `most` findings of each code, or all if None.

    It counts the others. Remarks count as findings of the code "". JSON always has all findings.
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._listed: Counter[str] = Counter()
        self._rest: Counter[str] = Counter()

    def takes(self, code: str, findings: int = 1) -> bool:
        """Return whether to list `findings` more of a code, which are shown as one."""
        self._listed[code] += 1
        if self._most is None or self._listed[code] <= self._most:
            return True
        self._rest[code] += findings
        return False

    def rest(self) -> Iterator[str]:
        """Yield one line about what is not listed, if anything is not."""
        more = [
            f"{number} more of {code}" if code else count(number, "more remark")
            for code, number in self._rest.items()
        ]
        if more:
            yield f"only {self._most} findings of a code are listed; --all lists {listed(more)}"


def check_paths(
    session: Session,
    paths: Iterable[str],
    override: Profile | None = None,
    format: Format = Format.TEXT,
    jobs: int = 1,
    columns: ColumnMap | None = None,
    *,
    everything: bool = False,
) -> None:
    """Show the findings of records, and report the files that cannot be read.

    `columns` are the names that score sheets use. `everything` lists every finding, not only the
    first `LISTED` of each code; JSON always has all.
    """
    from canasta_notation.batch.parts import Work

    sources, wrong = find_sources(paths)
    say_all(session, wrong)
    if format == Format.GITHUB:
        _annotate(session, wrong)
    work = Work(partial(check_game, override), partial(check_verified, override), override)
    pieces = work_results(session, sources, work, jobs, columns)
    listing = _Listing(None if everything else LISTED)
    _SHOW[format](session, _until_judged(session, pieces), listing)


def _until_judged(
    session: Session, pieces: Iterable[Piece[CheckOutcome]]
) -> Iterator[Piece[CheckOutcome]]:
    session.judging = True
    yield from pieces
    session.judging = False


def _show_text(session: Session, pieces: Iterable[Piece[CheckOutcome]], listing: _Listing) -> None:
    from canasta_notation.render.paint import row

    tally = Tally()
    remarks: list[tuple[int, str]] = []
    for piece in pieces:
        for game, earlier in _counted(session, tally, piece):
            if not isinstance(game, BriefOutcome):
                remarks += _show_game(session, piece.input.name, game, listing)
            if game.mark and earlier:
                text = _same_game(piece.input.name, game.mark.line, earlier)
                remarks.append((game.game, text))
        if piece.last:
            _show_defaults(session, tally, piece)
            shown = [each for each in remarks if listing.takes("")]
            _show_remarks(session, piece.input.name, shown, many=piece.games > 1)
            tally.close_file()
            remarks.clear()
    session.show([row(text) for text in listing.rest()])
    if tally.counts.files:
        session.show([_counts_row(tally)])


def _counts_row(tally: Tally) -> Row:
    """Return the line of counts that ends a validation."""
    from canasta_notation.render.excerpt import counts_row

    return counts_row(tally.counts, tally.verdict)


def _counted(
    session: Session, tally: Tally, piece: Piece[CheckOutcome]
) -> Iterator[tuple[CheckOutcome, GamePlace | None]]:
    """Yield every game of a piece after counting it, and the place of an earlier equal one."""
    for game in piece.values:
        earlier = tally.add(piece.input.name, game)
        if not isinstance(game, BriefOutcome):
            session.found(wrong=any(each.severity == "error" for each in game.findings))
        yield game, earlier


def _same_game(name: str, line: int, earlier: GamePlace) -> str:
    """Return the remark about the game whose first deal is on a line of this file."""
    from canasta_notation.render.excerpt import same_game_remark

    return same_game_remark(line, earlier, name)


def _show_game(
    session: Session, name: str, game: GameOutcome, listing: _Listing
) -> Iterator[tuple[int, str]]:
    """Show the findings of a game; yield (game, remark) to show after the file's findings."""
    from canasta_notation.render.excerpt import finding_block, folded, game_remarks
    from canasta_notation.render.paint import row

    look = session.look
    for finding, *alike in folded(game.findings):
        if listing.takes(finding.code, 1 + len(alike)):
            line = game.lines.get(finding.span.line)
            session.show([*finding_block(name, game.rules, finding, line, look, alike), row()])
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


def _show_github(
    session: Session, pieces: Iterable[Piece[CheckOutcome]], listing: _Listing
) -> None:
    from canasta_notation.render.excerpt import github_lines, github_notice

    tally = Tally()
    for piece in pieces:
        name = piece.input.name
        for game, earlier in _counted(session, tally, piece):
            if not isinstance(game, BriefOutcome):
                findings = [each for each in game.findings if listing.takes(each.code)]
                for line in github_lines(name, findings):
                    session.out.write(line + "\n")
            if game.mark and earlier and listing.takes(""):
                text = _same_game(name, game.mark.line, earlier)
                session.out.write(github_notice(text, name, game.mark.line) + "\n")
        if piece.trouble:
            _annotate(session, [piece.trouble], piece.input.name)
        if piece.last:
            tally.close_file()
    for text in listing.rest():
        session.out.write(github_notice(text) + "\n")
    if tally.counts.files:
        session.say("".join(run.text for run in _counts_row(tally)))


# --- JSON ---------------------------------------------------------------------------------------


def _show_json(session: Session, pieces: Iterable[Piece[CheckOutcome]], _: _Listing) -> None:
    """Write the document of schemas/findings.schema.json; only short lists stay in memory."""
    unicode = session.look.unicode
    tally = Tally()
    files = JsonList(1, unicode=unicode)
    file = _FileLists(unicode)
    for piece in pieces:
        for game, earlier in _counted(session, tally, piece):
            file.add(game, earlier)
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

    def add(self, game: CheckOutcome, earlier: GamePlace | None) -> None:
        """Add a game; `earlier` is the place of an equal one."""
        listed = {"game": game.game, "rules": game.rules, "verdict": game.verdict}
        listed |= {"deals": game.deals, "turns": game.turns}
        same = {"same_as": earlier._asdict()} if earlier else {}
        self.lists["games"].add(listed | same)
        if not isinstance(game, BriefOutcome):
            self._add_more(game)

    def _add_more(self, game: GameOutcome) -> None:
        from canasta_notation.report.outcome import findings_json

        for document in findings_json(game.findings, self.lists["findings"].count):
            self.lists["findings"].add(document)
        for deal, doubt in game.doubts:
            place = {"game": game.game, "deal": deal, "turn": doubt.turn, "line": doubt.line}
            self.lists["undetermined"].add({**place, "code": doubt.code})
        for at, line in game.unchecked:
            self.lists["unchecked"].add({"game": game.game, "deal": at, "line": line})

    def parts(self, name: str, verdict: str) -> Iterator[str | JsonList]:
        """Yield the file's element of the document."""
        yield f'{{\n   "file": {name},\n   "verdict": "{verdict}"'
        for key, values in self.lists.items():
            yield f',\n   "{key}": '
            yield values
        yield "\n  }"


_SHOW: dict[Format, Callable[[Session, Iterable[Piece[CheckOutcome]], _Listing], None]] = {
    Format.TEXT: _show_text,
    Format.JSON: _show_json,
    Format.GITHUB: _show_github,
}
