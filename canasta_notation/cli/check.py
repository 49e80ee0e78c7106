"""The work of `canasta validate`: every finding of every record, then a line of counts.

Typer and what it needs are not loaded here: see `cli.main`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from canasta_notation.cli.files import find_sources
from canasta_notation.cli.many import JsonList, json_at, worked
from canasta_notation.cli.session import Session, say_all

if TYPE_CHECKING:
    from canasta_notation.batch.jobs import Piece
    from canasta_notation.findings import Verdict
    from canasta_notation.notation.reader import Reading
    from canasta_notation.replay.verify import VerifiedGame
    from canasta_notation.report.outcome import CheckedGame
    from canasta_notation.rules import Profile


class Verified(NamedTuple):
    """What comes from a process for a game that the fast path verified."""

    game: int
    rules: str
    deals: int
    turns: int
    by_default: bool
    verdict: Verdict = "verified"


#: What comes from a process for a game; one that was read comes with the lines of its findings.
Checked = Verified | tuple["CheckedGame", dict[int, str]]


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
) -> None:
    """Show the findings of records, and say which cannot be read."""
    from canasta_notation.batch.parts import Work

    sources, wrong = find_sources(paths)
    say_all(session, wrong)
    work = Work(partial(_check, override), partial(_verified, override), override)
    _SHOW[format](session, worked(session, sources, work, jobs))


def _check(override: Profile | None, name: str, reading: Reading, number: int) -> Checked:
    """Replay a game and return it as checked, with the lines of its findings."""
    from canasta_notation.report.outcome import check_game, excerpt_lines

    game = check_game(reading, number, override)
    return game, excerpt_lines(reading, game.findings)


def _verified(override: Profile | None, name: str, game: VerifiedGame) -> Checked:
    """Return the little that is to be said of a verified game: the rules that were replaced."""
    if override is None:
        return Verified(game.game, game.rules, game.deals, game.turns, game.by_default)
    from canasta_notation.report.outcome import verified_game

    return verified_game(game, game.tags.get("Rules", "")), {}


class _Tally:
    """The counts of a validation; `add` also sets the exit code."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.counts: Counter[str] = Counter()
        #: Those of the file so far, and of all that were closed.
        self.verdicts: set[Verdict] = set()
        self.file_verdicts: set[Verdict] = set()
        #: How many games of the file so far each of the default rules judged.
        self.by_default: Counter[str] = Counter()

    def add(self, value: Checked) -> CheckedGame | None:
        """Count a game; return it if there is more to say of it."""
        game = value if isinstance(value, Verified) else value[0]
        self.counts["games"] += 1
        self.counts["deals"] += game.deals
        self.counts["turns"] += game.turns
        self.file_verdicts.add(game.verdict)
        if game.by_default and game.rules:
            self.by_default[game.rules] += 1
        if isinstance(game, Verified):
            return None
        self.counts.update(finding.severity + "s" for finding in game.findings)
        self.session.found(wrong=any(each.severity == "error" for each in game.findings))
        return game

    def close_file(self) -> Verdict | None:
        """Return the verdict of a file at its end, None where it had no game."""
        from canasta_notation.findings import worst

        if not self.file_verdicts:
            return None
        verdict = worst(list(self.file_verdicts))
        self.counts["files"] += 1
        self.verdicts.add(verdict)
        self.file_verdicts.clear()
        self.by_default.clear()
        return verdict

    def row(self) -> Any:
        """Return the line of counts."""
        from canasta_notation.findings import worst
        from canasta_notation.render.excerpt import counts_row
        from canasta_notation.report.outcome import Counts

        return counts_row(Counts(**self.counts), worst(list(self.verdicts)))


def _show_text(session: Session, pieces: Iterable[Piece[Checked]]) -> None:
    tally = _Tally(session)
    remarks: list[tuple[int, str]] = []
    for piece in pieces:
        for game, lines in _told(tally, piece):
            remarks += _show_game(session, piece.input.name, game, lines)
        if piece.last:
            _show_defaults(session, tally, piece)
            _show_remarks(session, piece.input.name, remarks, many=piece.games > 1)
            tally.close_file()
            remarks.clear()
    if tally.counts["files"]:
        session.show([tally.row()])


def _told(tally: _Tally, piece: Piece[Checked]) -> Iterator[tuple[CheckedGame, dict[int, str]]]:
    """Count every game of a piece, and yield those of which there is more to say."""
    for value in piece.values:
        if tally.add(value) is not None and not isinstance(value, Verified):
            yield value


def _show_game(
    session: Session, name: str, game: CheckedGame, lines: dict[int, str]
) -> Iterator[tuple[int, str]]:
    """Show the findings of a game; yield what is to be said of it after those of the file."""
    from canasta_notation.render.excerpt import finding_block, folded, game_remarks
    from canasta_notation.render.paint import row

    for finding, *alike in folded(game.findings):
        line = lines.get(finding.span.line)
        block = finding_block(name, game.rules, finding, line, session.look, alike)
        session.show([*block, row()])
    for text in game_remarks(game):
        yield game.game, text


def _show_defaults(session: Session, tally: _Tally, piece: Piece[Checked]) -> None:
    """Show that games of a file name no rules."""
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


def _show_github(session: Session, pieces: Iterable[Piece[Checked]]) -> None:
    from canasta_notation.render.github import github_lines
    from canasta_notation.report.outcome import CheckedFile

    tally = _Tally(session)
    for piece in pieces:
        for game, _ in _told(tally, piece):
            for line in github_lines(CheckedFile(piece.input.name, (game,))):
                session.out.write(line + "\n")
        if piece.last:
            tally.close_file()
    if tally.counts["files"]:
        session.say("".join(run.text for run in tally.row()))


# --- JSON ---------------------------------------------------------------------------------------


def _show_json(session: Session, pieces: Iterable[Piece[Checked]]) -> None:
    """Write the document of schemas/findings.schema.json; only lists that are short are held."""
    from canasta_notation.findings import worst

    unicode = session.look.unicode
    tally = _Tally(session)
    files = JsonList(1, unicode=unicode)
    file = _FileLists(unicode)
    for piece in pieces:
        for value in piece.values:
            tally.add(value)
            file.add(value)
        verdict = tally.close_file() if piece.last else None
        if verdict:
            name = json_at(piece.input.name, 3, unicode=unicode)
            files.add_parts(*file.parts(name, verdict))
            file = _FileLists(unicode)
    verdict = worst(list(tally.verdicts))
    session.out.write(f'{{\n "verdict": "{verdict}",\n "files": ')
    files.write_to(session.out)
    session.out.write("\n}\n")


class _FileLists:
    """The lists of a file in the JSON document, as they grow."""

    NAMES = ("games", "findings", "undetermined", "unchecked")

    def __init__(self, unicode: bool) -> None:
        self.lists = {name: JsonList(3, unicode=unicode) for name in self.NAMES}

    def add(self, value: Checked) -> None:
        """Add a game."""
        game = value if isinstance(value, Verified) else value[0]
        listed = {"game": game.game, "rules": game.rules, "verdict": game.verdict}
        self.lists["games"].add({**listed, "deals": game.deals, "turns": game.turns})
        if not isinstance(game, Verified):
            self._add_more(game)

    def _add_more(self, game: CheckedGame) -> None:
        from canasta_notation.report.findings_json import finding_json

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


_SHOW: dict[Format, Callable[[Session, Iterable[Piece[Checked]]], None]] = {
    Format.TEXT: _show_text,
    Format.JSON: _show_json,
    Format.GITHUB: _show_github,
}
