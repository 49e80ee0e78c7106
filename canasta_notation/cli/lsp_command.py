"""`canasta lsp`: the language server for editors."""

from __future__ import annotations

import io
import sys

from canasta_notation.cli.options import RulesText, read_rules
from canasta_notation.cli.session import Session, UserError, how_to_install


class _Output(io.BufferedWriter):
    """Standard output for pygls, which closes it at the end; the session still flushes its own."""

    def flush(self) -> None:
        """Write everything, through the buffer of standard output too."""
        super().flush()
        sys.stdout.buffer.flush()

    def close(self) -> None:
        """Write what is left."""
        self.flush()


def lsp(rules: RulesText = None) -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol.

    The extra `editor` must be installed. Editors start this command themselves; grammar/EDITOR.md
    says how to set them up.
    """
    with Session():
        try:
            from canasta_notation.editor.server import make_server
        except ModuleNotFoundError as error:
            if error.name not in ("pygls", "lsprotocol"):
                raise
            raise UserError(f"this needs pygls; {how_to_install('editor')}") from error
        make_server(read_rules(rules)).start_io(stdout=_Output(sys.stdout.buffer))
