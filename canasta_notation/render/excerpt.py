"""Findings as people read them: the place, the line with a caret under it, the rule, the remedy.

For GitHub Actions they are workflow commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from canasta_notation.english import count, listed
from canasta_notation.findings import Finding, RuleRef, Span
from canasta_notation.render.paint import (
    Look,
    Row,
    Rows,
    Run,
    escape,
    indented,
    row,
    row_width,
    width,
    wrap,
)
from canasta_notation.replay.game_report import Doubt
from canasta_notation.report.outcome import Counts, GameOutcome
from canasta_notation.report.same_games import GamePlace
from canasta_notation.rules.keys import spell

#: How a mark describes its source.
_STATED: Final = {
    "S": "stated in",
    "I": "inferred from",
    "A": "taken from",
    "C": "a free",
    "R": "set by",
}
_TAB: Final = "    "
#: The names of findings at the table.
_SAID: Final = {"error": "not right", "warning": "careful", "note": "note"}
#: The fewest cells of a line that are shown around a span.
_NARROWEST: Final = 30
#: The most numbers of deals in one remark.
_NUMBERS: Final = 20
_GITHUB: Final = {"error": "error", "warning": "warning", "note": "notice"}


def folded(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings in groups; those of one code that follow from one cause are one group.

    For example, after a missing turn the numbers of all later turns are false. The same mistake at
    the same place on consecutive lines, such as the `>` of a forwarded mail, also becomes one
    group.
    """
    groups: list[list[Finding]] = []
    for finding in findings:
        last = groups[-1][-1] if groups else None
        alike = last and (last.code, last.follows) == (finding.code, finding.follows)
        if last and alike and (finding.follows or _is_repeated(last, finding)):
            groups[-1].append(finding)
        else:
            groups.append([finding])
    return groups


def _is_repeated(last: Finding, finding: Finding) -> bool:
    """Return whether a finding is the last one again, at the same place of the next line."""
    span = last.span._replace(line=last.span.line + 1)
    said = (last.message, last.severity)
    return finding.span == span and (finding.message, finding.severity) == said


def finding_block(
    file: str,
    rules: str | None,
    finding: Finding,
    line: str | None,
    look: Look,
    alike: Sequence[Finding] = (),
) -> Rows:
    """Return the block of one finding; `line` is the text of its line, None if unknown.

    A consequence is one row, because its cause has the details. `alike` are the other findings in
    the same group.
    """
    place, severity = finding.span, finding.severity
    kind = f"{severity}[{finding.code}]"
    notes = [" (acknowledged)"] if finding.acknowledged else []
    head = f"{file}:{place.line}:{place.column}: "
    more = _alike_words(finding, alike)
    if finding.follows:
        cause = finding.follows
        notes.append(f" (follows from {cause.code} at line {cause.span.line}{more})")
        return [row(Run(head, "strong"), Run(kind, severity), ": " + finding.message, *notes)]
    rows = [row(Run(head, "strong"), Run(kind, severity), ": " + finding.message, *notes, more)]
    gutter = " " * len(str(place.line))
    if line is not None:
        rows += _excerpt(finding, line, gutter, look)
    for name, text in _remarks(rules, finding):
        head_row = [Run(f"{gutter} = ", "gutter"), Run(f"{name}: ", "strong")]
        room = max(_NARROWEST, look.width - row_width(head_row))
        rows += indented([row(part) for part in wrap(text, room)], head_row)
    return rows


def _alike_words(finding: Finding, alike: Sequence[Finding]) -> str:
    """Return words for the other findings in the same group, "" if there are none."""
    if not alike:
        return ""
    others = count(len(alike), "more finding" if finding.follows else "more line")
    verb = ("does" if len(alike) == 1 else "do") if finding.follows else "on"
    return f", as {verb} {others}, down to line {alike[-1].span.line}"


def players_block(
    finding: Finding, line: str | None, look: Look, known: Iterable[str] = ()
) -> Rows:
    """Return a finding in players' words: the line, what is wrong, what is known, the rule.

    It is for a line that was just typed, so it leaves out the place in the file.
    """
    rows: Rows = []
    if line is not None:
        shown, before, marked = _cut(line, finding.span, max(_NARROWEST, look.width - 4), look)
        under = [Run("    " + " " * before), Run("^" * marked, finding.severity)]
        if finding.label:
            under.append(Run(" " + escape(finding.label), finding.severity))
        rows += [[Run("    " + shown)], under]
    head = Run(f"{_SAID[finding.severity]}: ", finding.severity)
    code = f" (accepted: ~{finding.code})" if finding.acknowledged else ""
    rows += _remark(head, finding.message + code, look)
    for text in known:
        rows += _remark(Run("  known: ", "strong"), text, look)
    if finding.rule:
        rows += _remark(Run("  rule: ", "strong"), finding.rule.sentence, look)
    if finding.help and not finding.acknowledged:
        rows += _remark(Run("  help: ", "strong"), finding.help, look)
    return rows


def _remark(head: Run, text: str, look: Look) -> Rows:
    room = max(_NARROWEST, look.width - row_width([head]))
    return indented([row(part) for part in wrap(text, room)], [head])


def _excerpt(finding: Finding, line: str, gutter: str, look: Look) -> Rows:
    span = finding.span
    shown, before, marked = _cut(line, span, max(_NARROWEST, look.width - len(gutter) - 3), look)
    edge = Run(f"{gutter} |", "gutter")
    caret = Run("^" * marked, finding.severity)
    under = [edge, Run(" " * (before + 1)), caret]
    if finding.label:
        under.append(Run(" " + escape(finding.label), finding.severity))
    return [[edge], [Run(f"{span.line} |", "gutter"), Run(" " + shown)], under, [edge]]


def _cut(line: str, span: Span, room: int, look: Look) -> tuple[str, int, int]:
    """Return the text to show, the cells before the span in it, and the cells of the span.

    A line that is too wide is cut on both sides of the beginning of the span.
    """
    start = max(0, min(span.column - 1, len(line)))
    end = max(start, min(span.end_column - 1, len(line)))
    if len(line) <= room and line.isascii() and line.isprintable():
        return line, start, max(1, end - start)
    # Only the visible part is escaped, because a line can have 64 KiB.
    first = max(0, start - room)
    cells = [_cell(char, look) for char in line[first : start + 2 * room]]
    widths = [width(cell) for cell in cells]
    at = start - first
    low, high = 0, len(cells)
    if first or sum(widths) > room:
        mark = min(sum(widths[at : end - first]), room // 2)
        low, high = _window(widths, at, mark, room - 2 * len(look.ellipsis))
    left = look.ellipsis if first + low > 0 else ""
    right = look.ellipsis if first + high < len(line) else ""
    before = width(left) + sum(widths[low:at])
    marked = sum(widths[at : max(at, min(end - first, high))])
    return left + "".join(cells[low:high]) + right, before, max(1, marked)


def _window(widths: list[int], at: int, mark: int, room: int) -> tuple[int, int]:
    """Return which cells fit into the width and include `mark` cells from `at` on."""
    low = 0
    while low < at and sum(widths[low:at]) + mark > room:
        low += 1
    high, used = low, 0
    while high < len(widths) and used + widths[high] <= room:
        used += widths[high]
        high += 1
    return low, high


def _cell(char: str, look: Look) -> str:
    """Return what is shown for one character of a line."""
    if char == "\t":
        return _TAB
    if look.unicode or char.isascii():
        return escape(char)
    return char.encode("ascii", "backslashreplace").decode("ascii")


def _remarks(rules: str | None, finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the remarks below an excerpt: (rule, ...), (help, ...), (note, ...)."""
    if finding.rule:
        yield "rule", f"{finding.rule.sentence}  [{_source(rules, finding.rule)}]"
    if finding.help and not finding.acknowledged:
        yield "help", finding.help


def _source(rules: str | None, rule: RuleRef) -> str:
    stated = f"{_STATED.get(rule.mark, 'from')} {rule.source}"
    value = spell(tuple(rule.value)) if isinstance(rule.value, list) else rule.value
    return f"{rules or 'classic'}: {rule.key} = {value}, {stated}"


def game_remarks(game: GameOutcome) -> Iterator[str]:
    """Yield a line for each remark about a game that is not a finding."""
    if game.own_rules is not None:
        own = (
            f"the record's own rules ({game.own_rules})" if game.own_rules else "the default rules"
        )
        yield f"judged by {game.rules_text}: {own} were replaced"
    yield from _doubts(game)
    for at, line in game.unchecked:
        what = "a deal without a readable deal line" if at is None else f"deal {at}"
        yield f"undetermined: {what} is not checked from line {line} on"
    for deals, kind in ((game.sheets, "score sheet"), (game.finals, "final table")):
        if len(deals) > 1:
            more = [f"{len(deals) - _NUMBERS} more"] * (len(deals) > _NUMBERS)
            numbers = listed([*map(str, deals[:_NUMBERS]), *more])
            yield f"undetermined: deals {numbers} are {kind}s; their play is not recorded"
        elif deals:
            yield f"undetermined: deal {deals[0]} is a {kind}; its play is not recorded"


def _doubts(game: GameOutcome) -> Iterator[str]:
    """Yield remarks about what the record does not decide: the dealer, and checks."""
    for deal, doubt in game.doubts:
        if doubt.code == "wrong-seat":
            yield (
                f"undetermined: deal {deal} does not say who deals, so the seat of its first turn "
                f"cannot be checked; write, for example, `deal {deal} dealer N`"
            )
    sheets = {*game.sheets}
    needs: dict[str, list[tuple[int, Doubt]]] = {"cards": [], "scores": [], "tries": []}
    for deal, doubt in game.doubts:
        if doubt.code != "wrong-seat":
            needs[_needed(doubt, on_sheet=deal in sheets)].append((deal, doubt))
    for what, doubts in needs.items():
        if doubts:
            deal, doubt = doubts[0]
            turn = "" if doubt.turn is None else f", turn {doubt.turn}"
            need = f"{count(len(doubts), 'check')} {'need' if len(doubts) > 1 else 'needs'}"
            lack = f"undetermined: {need} {what} that are not written"
            if what == "tries":
                lack = f"undetermined: {need} more combinations of melds than are tried"
            elif what == "cards" and game.scores_agree:
                lack = f"scores agree; {need} cards that nobody saw"
            yield f"{lack}; the first is {doubt.code} at line {doubt.line} (deal {deal}{turn})"


def _needed(doubt: Doubt, *, on_sheet: bool) -> str:
    """Return what would decide a check: the cards, the scores, or a longer search for melds."""
    # A total needs the scores before it. The items of a score sheet need nothing but themselves.
    if doubt.code == "score-item" and on_sheet:
        return "tries"
    return "scores" if doubt.code == "total" or on_sheet else "cards"


def default_rules_remark(rules: str, games: int, among: int) -> str:
    """Return a note that `games` of a file's `among` games name no rules and are judged by these.

    >>> default_rules_remark("classic", 2, 3)
    'no rules named in 2 of 3 games: judged by classic'
    """
    place = "" if games == among else f" in {games} of {among} games"
    return f"no rules named{place}: judged by {rules}"


def same_game_remark(line: int, earlier: GamePlace, name: str) -> str:
    """Return a note on the game whose first deal is on a line of the file `name`.

    >>> from canasta_notation.report.same_games import GamePlace
    >>> same_game_remark(80, GamePlace("a.canasta", 1, 8), "a.canasta")
    'the same deals as game 1: from line 80 on as from line 8 on'
    """
    of = "" if earlier.file == name else f" of {earlier.file}"
    places = f"from line {line} on as from line {earlier.line} on"
    return f"the same deals as game {earlier.game}{of}: {places}"


def counts_row(counts: Counts, verdict: str) -> Row:
    """Return the line of counts that ends a validation."""
    style = {"contradicted": "error", "verified": "good"}.get(verdict, "warning")
    checked = ", ".join(
        [
            count(counts.files, "file"),
            count(counts.games, "game"),
            count(counts.deals, "deal"),
            count(counts.turns, "turn"),
        ]
    )
    found = ", ".join(
        [
            count(counts.errors, "error"),
            count(counts.warnings, "warning"),
            count(counts.notes, "note"),
        ]
    )
    return row(f"{checked}: {found}: ", Run(verdict, style))


def github_lines(file: str, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a workflow command for each finding in a file."""
    for finding in findings:
        place = finding.span
        fields = {
            "file": file,
            "line": place.line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": finding.code,
        }
        written = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items())
        yield f"::{_GITHUB[finding.severity]} {written}::{_data(finding.message)}"


def github_trouble(message: str, file: str = "") -> str:
    """Return a workflow command for a file that cannot be read; `file` is "" if none was found."""
    field = f" file={_property(file)}" if file else ""
    return f"::error{field}::{_data(message)}"


def github_notice(text: str, file: str = "", line: int = 1) -> str:
    """Return a workflow command for a remark about a line of a file, or about the whole run."""
    fields = f" file={_property(file)},line={line}" if file else ""
    return f"::notice{fields}::{_data(text)}"


def _data(text: str) -> str:
    return escape(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
