"""A finding explained: what it means, why, an example, the remedy, the keys."""

from __future__ import annotations

from canasta_notation.render.excerpt import finding_block
from canasta_notation.render.paint import Look, Rows, Run, indented, row, wrap
from canasta_notation.render.rules_view import values_words
from canasta_notation.report.outcome import check_game
from canasta_notation.rules import Entry, codes, entry, load_profile, profile_names

#: Of an example with more lines, only those around its error are shown.
_WHOLE = 40
#: The families of what happens in play, which players can accept.
_IN_PLAY = ("order", "cards", "pile", "melds", "out")
#: The check that judges an `end stock` line, on which nothing can be accepted.
_AT_THE_END = "deal._end_by_stock"


def codes_rows(look: Look) -> Rows:
    """Return every code with its meaning, by family."""
    rows: Rows = []
    family = ""
    for code in codes():
        known = entry(code)
        if known.family != family:
            family = known.family
            rows += ([row()] if rows else []) + [row(Run(family, "strong"))]
        head = row(f"  {code:<18}")
        rows += indented([row(part) for part in wrap(known.what, look.width - 20)], head)
    return rows


def entry_rows(code: str, example: str | None, look: Look) -> Rows:
    """Return the explanation of a code; `example` is the text of a record with this finding."""
    known = entry(code)
    rows = [row(Run(f"{known.severity}[{code}]", known.severity), f"  ({known.family})"), row()]
    rows += _paragraph("what", known.what, look)
    rows += _paragraph("why", known.why, look)
    rows += _paragraph("remedy", known.remedy, look)
    if known.family in _IN_PLAY and {*known.checks} - {_AT_THE_END}:
        accepted = f"If the players accepted it, end the line with `~{code}`."
        rows += _paragraph("", accepted, look)
    rows += _governed(known, look)
    return rows + (_example(known, example, look) if example is not None else [])


def _paragraph(name: str, text: str, look: Look) -> Rows:
    head = row(Run(f"{name:<8}", "strong"))
    return indented([row(part) for part in wrap(text, look.width - 8)], head)


def _governed(known: Entry, look: Look) -> Rows:
    if not known.keys:
        return _paragraph("rules", "No profile changes it.", look)
    profiles = [load_profile(name) for name in profile_names()]
    rows: Rows = []
    for at, key in enumerate(known.keys):
        text = f"{key} = {values_words(key, profiles)}"
        rows += _paragraph("rules" if at == 0 else "", text, look)
    return rows


def _example(known: Entry, text: str, look: Look) -> Rows:
    from canasta_notation.notation.reader import read_text

    title = f"A record with this finding (samples/broken/{known.example}):"
    rows = [row(), row(Run(title, "strong"))]
    lines = text.splitlines()
    if len(lines) <= _WHOLE:
        rows += [row()] + [row(f"    {line}") for line in lines]
    for number, reading in enumerate(read_text(text), 1):
        game = check_game(None, known.example, reading, number)
        for finding in game.findings:
            if finding.code == known.code:
                line = lines[finding.span.line - 1]
                rows += [row(), *finding_block(known.example, game.rules, finding, line, look)]
    return rows
