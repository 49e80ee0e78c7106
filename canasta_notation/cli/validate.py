"""`canasta validate`: every finding of every record, then a line of counts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from canasta_notation.cli.files import Source, find_sources, read_record
from canasta_notation.cli.options import Json, NoColour, Paths, RulesText, read_rules
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.render.checked import CheckedFile, Counts
    from canasta_notation.rules import Profile


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def validate(
    paths: Paths,
    rules: RulesText = None,
    format: Annotated[Format, typer.Option(help="How findings are printed.")] = Format.TEXT,
    json: Json = False,
    jobs: Annotated[
        int, typer.Option(min=0, help="Processes for many files; 0 for one a processor.")
    ] = 1,
    no_color: NoColour = False,
) -> None:
    """Check records: every finding with its place, rule and remedy, then a line of counts.

    The verdict is verified, contradicted (an error stands) or undetermined (something cannot be
    known from the record). Exit code 1 if an error stands, 2 if a file cannot be read. Places in a
    JSON form count in its canonical text.
    """
    with Session(no_colour=no_color) as session:
        profile = read_rules(rules)
        sources, wrong = find_sources(paths)
        say_all(session, wrong)
        checked = _checked(session, sources, profile, jobs)
        _SHOW[Format.JSON if json else format](session, checked)


def _checked(
    session: Session, sources: list[Source], profile: Profile | None, jobs: int
) -> Iterator[CheckedFile]:
    """Yield every file that can be read, in the order given; say which cannot."""
    for result in _results(sources, profile, jobs):
        if isinstance(result, Trouble):
            session.fail(str(result))
            continue
        session.found(wrong=any(each.severity == "error" for each in result.findings))
        yield result


def _results(
    sources: list[Source], profile: Profile | None, jobs: int
) -> Iterator[CheckedFile | Trouble]:
    work = partial(check_source, override=profile)
    count = min(jobs or os.cpu_count() or 1, len(sources))
    if count < 2 or any(source.path is None for source in sources):
        yield from map(work, sources)
        return
    import multiprocessing
    import signal

    from canasta_notation.notation.syntax import parser
    from canasta_notation.render import checked  # noqa: F401  # loaded once, for all that fork

    parser()
    with multiprocessing.Pool(count, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(work, sources, chunksize=max(1, min(16, len(sources) // (4 * count))))


def check_source(source: Source, override: Profile | None) -> CheckedFile | Trouble:
    """Return a file as checked, or why it cannot be read."""
    from canasta_notation.render.checked import check_file

    try:
        return check_file(source.name, read_record(source), override)
    except Trouble as trouble:
        return trouble


def _show_text(session: Session, files: Iterator[CheckedFile]) -> None:
    from canasta_notation.render.excerpt import counts_row, file_blocks

    counts, verdict = _count(files, lambda file: session.show(file_blocks(file, session.look)))
    if counts.files:
        session.show([counts_row(counts, verdict)])


def _show_github(session: Session, files: Iterator[CheckedFile]) -> None:
    from canasta_notation.render.excerpt import counts_row
    from canasta_notation.render.listing import github_lines

    def show(file: CheckedFile) -> None:
        for line in github_lines(file):
            session.write(line + "\n")

    counts, verdict = _count(files, show)
    if counts.files:
        session.say("".join(run.text for run in counts_row(counts, verdict)))


def _show_json(session: Session, files: Iterator[CheckedFile]) -> None:
    from canasta_notation.render.listing import findings_json

    session.write_json(findings_json(files))


def _count(files: Iterator[CheckedFile], show: Callable[[CheckedFile], None]) -> tuple[Counts, str]:
    """Show each file; return the counts and the verdict of all."""
    from canasta_notation.findings import Verdict, worst
    from canasta_notation.render.checked import Counts, count_file

    counts = Counts()
    verdicts: list[Verdict] = []
    for file in files:
        show(file)
        counts += count_file(file)
        verdicts.append(file.verdict)
    return counts, worst(verdicts)


_SHOW = {Format.TEXT: _show_text, Format.JSON: _show_json, Format.GITHUB: _show_github}
