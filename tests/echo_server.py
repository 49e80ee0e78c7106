"""A language server that answers an opened record with what it was sent, as a diagnostic."""

from __future__ import annotations

import json

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("echo", "1")
sent: list[object] = []


@server.feature(types.INITIALIZE)
def initialize(params: types.InitializeParams) -> None:
    """Keep the options of the client."""
    sent.append(params.initialization_options)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(params: types.DidOpenTextDocumentParams) -> None:
    """Send back the options, the language and the record."""
    opened = params.text_document
    start = types.Position(0, 0)
    message = json.dumps([*sent, opened.language_id, opened.text])
    found = types.Diagnostic(types.Range(start, start), message)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(opened.uri, [found]))


if __name__ == "__main__":
    server.start_io()
