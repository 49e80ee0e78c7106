"""Findings: what the reader and the replay report about a place in a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
Verdict = Literal["verified", "contradicted", "undetermined"]


class Span(NamedTuple):
    """A place in a file: line, column and end column, all from 1; the end column is exclusive."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True, slots=True)
class RuleRef:
    """The rule that a finding is about: a key of the profile, its value, mark and source."""

    key: str
    value: int | str | list[str] | list[int]
    mark: str
    source: str
    #: The rule in one sentence, as `canasta rules` shows it.
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `game`, `deal` and `turn` count from 1 and are None if they do not apply.

    `follows` is the finding that caused this one. An acknowledged finding has the severity "note".
    """

    code: str
    severity: Severity
    message: str
    span: Span
    game: int | None = None
    deal: int | None = None
    turn: int | None = None
    #: The text under the caret in an excerpt; may be empty.
    label: str = ""
    rule: RuleRef | None = None
    help: str | None = None
    acknowledged: bool = False
    follows: Finding | None = None
    #: The name of the file, "" if it is not known. It is ignored when findings are compared.
    file: str = field(default="", compare=False)

    def __str__(self) -> str:
        """Return the first line that `canasta validate` prints.

        A finding about a game without text, live or from JSON, begins with its deal and turn.
        """
        file = self.file or "<text>"
        place = f"{file}:{self.span.line}:{self.span.column}"
        if not self.span.line:
            counted = (("deal", self.deal), ("turn", self.turn))
            place = ", ".join(f"{name} {at}" for name, at in counted if at) or file
        return f"{place}: {self.severity}[{self.code}]: {self.message}{self.note}"

    @property
    def note(self) -> str:
        """The text in parentheses after the message; "" for most findings."""
        remark = " (acknowledged)" if self.acknowledged else ""
        if self.follows:
            line = self.follows.span.line
            remark += f" (follows from {self.follows.code}{f' at line {line}' if line else ''})"
        return remark


def syntax_error(span: Span, message: str, help_text: str) -> Finding:
    """Return the finding for text that the notation does not allow at a place."""
    return Finding("syntax", "error", message, span, help=help_text)


def worst(verdicts: list[Verdict]) -> Verdict:
    """Return the worst verdict (contradicted, undetermined, verified); undetermined for none."""
    order: tuple[Verdict, ...] = ("contradicted", "undetermined", "verified")
    return next((verdict for verdict in order if verdict in verdicts), "undetermined")
