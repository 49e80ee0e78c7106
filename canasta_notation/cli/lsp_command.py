"""`canasta lsp`: the language server for editors."""

from __future__ import annotations

import os
import sys

from canasta_notation.cli.session import Session, UserError, how_to_install


def lsp() -> None:
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
        # pygls closes its output at the end; the session still has to flush its own.
        make_server().start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
