"""The protocol: what a client asks, and when records are judged.

A change is judged when none has followed it for a moment. Everything that reads or replays a record
runs in one thread beside the event loop, a game at a time, so the server always answers, and a
newer change ends the work for an older one. Diagnostics are sent only for the newest text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from canasta_notation.editor import assist, features
from canasta_notation.editor.open_games import judge
from canasta_notation.editor.open_record import Document, Text
from canasta_notation.rules import Profile

T = TypeVar("T")

#: A change is judged when this many seconds have passed without another one.
PAUSE: Final = 0.04

#: A game with a line that cannot be read.
_SLIP: Final = b'[CGN "1"]\ndeal 1\n1. N +5h -9\n1. N +5h -9x\n'


class Server(LanguageServer):
    """The server: the open records, the rules that replace theirs, and the thread for the work."""

    def __init__(self, rules: Profile | None) -> None:
        # Positions in a change would depend on what ends a line, and pygls has another view of
        # that.
        super().__init__("canasta", version("canasta-notation"), types.TextDocumentSyncKind.Full)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="canasta")
        self._rules = rules
        self._documents: dict[str, Document] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Return what a function returns, called in the thread of this server."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    async def ask(self, uri: str, work: Callable[..., T], *args: Any) -> T | None:
        """Return what a feature answers about a record; one that is not open is read from its file.

        Returns None if it is not open and has no readable file.
        """
        document = self._documents.get(uri)
        if document is None:
            try:
                document = Document(uri, self._text(uri), self._rules)
            except (OSError, UnicodeDecodeError):
                return None
        return await self.run(work, document, document.text, *args)

    def update(self, uri: str, *, pause: float) -> None:
        """Take over the text of a record from the client, and judge it after a pause."""
        text = self._text(uri)
        if uri in self._documents:
            self._documents[uri].text = text
        else:
            self._documents[uri] = Document(uri, text, self._rules)
        self.forget_task(uri)
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._judge(uri, pause))
        self._forget_done()

    def _forget_done(self) -> None:
        """Forget the finished notifications, which pygls 2.1 keeps for ever."""
        kept = self.protocol._request_futures
        for key in [key for key, future in kept.items() if future.done()]:
            del kept[key]

    def _text(self, uri: str) -> Text:
        """Return the text of a record: the client's if it is open, else its file's."""
        held = self.workspace.get_text_document(uri)
        encoding = str(self.workspace.position_encoding)
        return Text(held.source, held.version, getattr(encoding, "value", encoding))

    def close(self, uri: str) -> None:
        """Forget a record and its diagnostics."""
        self.forget_task(uri)
        self._documents.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def forget_task(self, uri: str) -> None:
        """End the judging of a text that is no longer the newest."""
        if uri in self._tasks:
            self._tasks.pop(uri).cancel()

    async def _judge(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self._documents[uri]
        text = document.text
        try:
            found = await document.diagnostics(text, self.run)
        except Exception as error:  # whatever the text is, the server says what failed
            message = f"internal error: {type(error).__name__}: {error}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))
            return
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, text.version)
        )

    def shutdown(self) -> None:
        """End the thread; work that is still waiting is dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]


def make_server(rules: Profile | None = None) -> Server:
    """Return a server with every feature; `rules` replace those that records name."""
    server = Server(rules)
    feature = server.feature

    @feature(types.INITIALIZED)
    async def ready(ls: Server, params: types.InitializedParams) -> None:
        await ls.run(judge, _SLIP)  # loads the parser and the slips before anyone waits for them

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.update(params.text_document.uri, pause=0)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.update(params.text_document.uri, pause=PAUSE)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    for method, options, work, of in ASKED:
        feature(method, options)(_asking(work, of))
    _add_refusing(server)
    _add_hints(server)
    _add_changes(server)
    return server


#: Reads from a request what a feature needs besides the record.
Of = Callable[[Any], tuple[Any, ...]]


def _position(params: Any) -> tuple[types.Position]:
    return (params.position,)


def _nothing(params: Any) -> tuple[()]:
    return ()


_LEGEND: Final = types.SemanticTokensLegend(list(features.KINDS), [])
#: The features that a function answers, with their options and what the function is asked.
ASKED: Final[tuple[tuple[str, Any, Callable[..., Any], Of], ...]] = (
    (types.TEXT_DOCUMENT_HOVER, None, features.hover, _position),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, features.symbols, _nothing),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, None, features.folds, _nothing),
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        _LEGEND,
        features.colours,
        lambda params: (None,),
    ),
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        _LEGEND,
        features.colours,
        lambda params: (params.range,),
    ),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["[", '"', "~", " ", "=", "+", "^", "-", ":"]),
        assist.complete,
        _position,
    ),
    (
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["+", "^", ":", " "]),
        assist.signature,
        _position,
    ),
    (types.TEXT_DOCUMENT_DEFINITION, None, assist.definition, _position),
    (types.TEXT_DOCUMENT_REFERENCES, None, assist.references, _position),
)


def _asking(work: Callable[..., Any], of: Of) -> Callable[..., Any]:
    """Return a feature that answers what a function returns."""

    async def asked(ls: Server, params: Any) -> Any:
        return await ls.ask(params.text_document.uri, work, *of(params))

    return asked


def _add_refusing(server: Server) -> None:
    """Add formatting, which says why it refuses."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def format_document(
        ls: Server, params: types.DocumentFormattingParams
    ) -> list[types.TextEdit] | None:
        try:
            return await ls.ask(params.text_document.uri, features.format_document)
        except features.NotFormatted as why:
            message = types.ShowMessageParams(types.MessageType.Warning, f"not formatted: {why}")
            ls.window_show_message(message)
            return None


def _add_hints(server: Server) -> None:
    """Add inlay hints, for a client that asks for them when it begins."""
    shown = False

    @server.feature(types.INITIALIZE)
    def begin(ls: Server, params: types.InitializeParams) -> None:
        nonlocal shown
        options = params.initialization_options
        shown = isinstance(options, dict) and options.get("inlayHints") is True

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        uri = params.text_document.uri
        return await ls.ask(uri, assist.hints, params.range) if shown else None


def _add_changes(server: Server) -> None:
    """Add what changes a record: remedies, and another name for a player."""
    feature = server.feature
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        return await ls.ask(params.text_document.uri, assist.actions, params.range)

    @feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def nameable(
        ls: Server, params: types.PrepareRenameParams
    ) -> types.PrepareRenamePlaceholder | None:
        return await ls.ask(params.text_document.uri, assist.nameable, params.position)

    @feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
        uri, name = params.text_document.uri, params.new_name
        try:
            return await ls.ask(uri, assist.rename, params.position, name)
        except ValueError as error:
            raise JsonRpcInvalidParams(f"this cannot be the name of a player: {error}") from error
