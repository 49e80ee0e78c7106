"""`canasta lsp`: the language server for editors."""

from __future__ import annotations

import io
import sys

from canasta_notation.cli.options import RulesText, read_rules
from canasta_notation.cli.session import Session, UserError


class _Output(io.BufferedWriter):
    """Standard output for pygls, which closes it at the end; the session still flushes its own."""

    def flush(self) -> None:
        """Write everything, through the buffer of standard output too."""
        super().flush()
        sys.stdout.buffer.flush()

    def close(self) -> None:
        """Write what has not been written yet."""
        self.flush()


def lsp(rules: RulesText = None) -> None:
    """Check records in an editor while you type them (needs the extra `editor`).

    An editor starts this command itself, as a language server. grammar/EDITOR.md says how to set
    editors up.
    """
    with Session():
        try:
            from canasta_notation.editor.server import make_server
        except ModuleNotFoundError as error:
            if error.name not in ("pygls", "lsprotocol"):
                raise
            from canasta_notation.cli.installing import how_to_install

            raise UserError(f"this needs pygls; {how_to_install('editor')}") from error
        make_server(read_rules(rules)).start_io(stdout=_Output(sys.stdout.buffer))
