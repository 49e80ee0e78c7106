"""`canasta conform`: the program's answers to the conformance suite of the notation."""

from __future__ import annotations

import json
import sys
from typing import Any

from canasta_notation.cli.session import Session, UserError


def conform() -> None:
    """Answer the cases of the conformance suite, which are lines of JSON on standard input.

    The runner of the suite starts this command itself. tests/conformance/README.md describes the
    lines, for programs that read the notation.
    """
    from importlib.metadata import version

    from canasta_notation.conformance.cases import answer, greeting

    with Session() as session:
        for line in sys.stdin.buffer:
            request = _request(line)
            greeted = "id" not in request
            value = greeting(version("canasta-notation")) if greeted else answer(request)
            session.out.write(json.dumps(value) + "\n")
            session.out.flush()


def _request(line: bytes) -> dict[str, Any]:
    """Return what a line asks. Raises UserError if it is not a question of the suite."""
    try:
        request: object = json.loads(line)
    except ValueError:
        request = None
    texts = ("id", "level", "text") if isinstance(request, dict) and "id" in request else ("suite",)
    if not isinstance(request, dict) or not all(isinstance(request.get(k), str) for k in texts):
        raise UserError("standard input must have the lines that tests/conformance/run.py writes")
    return request
