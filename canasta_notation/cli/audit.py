"""`canasta audit`: the score card of every deal, computed beside claimed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from canasta_notation.cli.files import Source, find_sources, read_record
from canasta_notation.cli.options import Json, NoColour, Paths, RulesText, read_rules
from canasta_notation.cli.session import Session, say_all
from canasta_notation.cli.trouble import Trouble

if TYPE_CHECKING:
    from canasta_notation.render.ledger import GameLedger
    from canasta_notation.rules import Profile


def audit(
    paths: Paths,
    rules: RulesText = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="Other rules, whose scores are shown beside."),
    ] = None,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a row a deal, side and item.")] = False,
    no_color: NoColour = False,
) -> None:
    """Show how every score is made: items, what earns them, computed beside claimed.

    Exit code 1 if a claim is false or another error stands in a record.
    """
    with Session(no_colour=no_color) as session:
        if csv and (json or against):
            raise Trouble("--csv goes neither with --json nor with --against")
        profile = read_rules(rules)
        other = read_rules(against, "--against")
        sources, wrong = find_sources(paths)
        say_all(session, wrong)
        if json:
            _show_json(session, sources, profile, other)
        elif csv:
            _show_csv(session, sources, profile)
        elif other:
            _show_compared(session, sources, profile, other)
        else:
            _show_cards(session, sources, profile)


def _ledgers(
    session: Session | None, source: Source, profile: Profile | None
) -> Iterator[GameLedger]:
    """Yield the ledger of each game of a record that can be read; tell a session what is wrong."""
    from canasta_notation.render.ledger import audit_game

    try:
        for number, reading in enumerate(read_record(source), 1):
            ledger = audit_game(reading, number, profile)
            if session:
                session.found(wrong=ledger.errors > 0)
            yield ledger
    except Trouble as trouble:
        if session:
            session.fail(str(trouble))


def _show_cards(session: Session, sources: list[Source], profile: Profile | None) -> None:
    from canasta_notation.render.paint import row
    from canasta_notation.render.score_card import game_card

    first = True
    for source in sources:
        for ledger in _ledgers(session, source, profile):
            if not first:
                session.show([row(), row()])
            first = False
            session.show(game_card(source.name, ledger, session.look))


def _show_compared(
    session: Session, sources: list[Source], profile: Profile | None, other: Profile
) -> None:
    from canasta_notation.render.ledger import audit_game
    from canasta_notation.render.score_card import compared_card

    for source in sources:
        try:
            for number, reading in enumerate(read_record(source), 1):
                one, two = (audit_game(reading, number, each) for each in (profile, other))
                session.found(wrong=one.errors > 0)
                session.show(compared_card(source.name, one, two, session.look))
        except Trouble as trouble:
            session.fail(str(trouble))


def _show_json(
    session: Session, sources: list[Source], profile: Profile | None, other: Profile | None
) -> None:
    if other and any(source.path is None for source in sources):
        raise Trouble("--against reads each record twice: name a file, not -")
    document: dict[str, Any] = _document(session, sources, profile)
    if other:
        document["against"] = _document(None, sources, other)
    session.write_json(document)


def _document(
    session: Session | None, sources: list[Source], profile: Profile | None
) -> dict[str, Any]:
    from canasta_notation.render.audit_data import file_json

    files = [file_json(source.name, _ledgers(session, source, profile)) for source in sources]
    return {"files": [file for file in files if file["games"]]}


def _show_csv(session: Session, sources: list[Source], profile: Profile | None) -> None:
    import csv

    from canasta_notation.render.audit_data import CSV_COLUMNS, csv_rows

    writer = csv.writer(session.out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for source in sources:
        for ledger in _ledgers(session, source, profile):
            writer.writerows(csv_rows(source.name, ledger))
