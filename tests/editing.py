"""Typing at the language server: records appear through many small changes, with pauses.

`python -m tests.editing [RECORDS [CHANGES]]` types random records and broken ones at a server, and
formats mutants of records. It prints how long the diagnostics of the last change took, the memory
of the server before and after, and how many texts were formatted.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from canasta_notation.editor import features
from canasta_notation.editor.open_record import Document, Text
from tests.mutants import mutants
from tests.programs import canasta

COMMAND = [sys.executable, "-m", "canasta_notation", "lsp"]
SAMPLES = Path(__file__).parent.parent / "samples"
URI = "file:///games/typed.canasta"
PAUSES = (0, 0, 0.005, 0.06)


def change_text(client: LanguageClient, text: str, version: int, uri: str = URI) -> None:
    """Tell the server the whole new text of an open record."""
    change = types.TextDocumentContentChangeWholeDocument(text)
    held = types.VersionedTextDocumentIdentifier(version, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(held, [change]))


async def type_records(
    client: LanguageClient,
    uri: str,
    records: list[str],
    changes: int,
    chance: random.Random,
    times: list[float] | None = None,
) -> list[int]:
    """Type each record after `changes` random changes; return the versions that were judged.

    The last diagnostics of each record must be the findings of the program. `times` takes the
    seconds from the last change of each record to its diagnostics.
    """
    seen: list[int] = []

    async def watch(last: int) -> None:
        while not seen or seen[-1] != last:
            message = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            seen.extend([message.version] if message.version else [])

    for place, record in enumerate(records):
        first, last = place * changes + 2, (place + 1) * changes + 1
        watching = asyncio.create_task(watch(last))
        text = record
        for version in range(first, last):
            at = chance.randrange(len(text) + 1)
            typed = chance.choice(["", " ", "K", "~", "\n", "-", '"', ";", "[CGN ", text[:40]])
            text = text[:at] + typed + text[at + chance.randrange(3) :]
            change_text(client, text, version, uri)
            await asyncio.sleep(chance.choice(PAUSES))
        begun = time.perf_counter()
        change_text(client, record, last, uri)
        async with asyncio.timeout(120):
            await watching
        if times is not None:
            times.append(time.perf_counter() - begun)
        shown = sorted(
            (str(each.code), each.range.start.line + 1, each.range.start.character + 1)
            for each in client.diagnostics[uri]
        )
        report = json.loads(canasta("validate", "--json", "-", stdin=record).stdout)
        found = report["files"][0]["findings"]
        expected = sorted((each["code"], each["line"], each["column"]) for each in found)
        assert shown == expected, record
    return seen


def main(records: int, changes: int) -> None:
    """Type records in turn, `changes` in all, and format as many mutants as 40 for each record."""
    broken = [path.read_text("utf-8") for path in sorted((SAMPLES / "broken").glob("*.canasta"))]
    whole = [path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.canasta"))]
    chance = random.Random(7)
    typed = [chance.choice((*broken, *whole)) for _ in range(records)]
    asyncio.run(_type_all(typed, max(changes // records, 1), chance))
    formatted = refused = 0
    for mutant in mutants([text.encode() for text in whole], 40 * records, 7):
        edits = _formatted(mutant)
        formatted, refused = formatted + (edits is not None), refused + (edits is None)
    print(f"{formatted} texts formatted as by the command, {refused} refused by both")


async def _type_all(records: list[str], changes: int, chance: random.Random) -> None:
    client = await ClientServerConfig(server_command=COMMAND).start()
    options = types.InitializeParams(client_capabilities("visual-studio-code"), process_id=None)
    await client.initialize_session(options)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "canasta", 1, ""))
    )
    memory, times = [_memory(client)], list[float]()
    for at in range(0, len(records), 10):
        await type_records(client, URI, records[at : at + 10], changes, chance, times)
        memory.append(_memory(client))
    print(
        f"{len(records)} records, {changes} changes each; from a change to its diagnostics: "
        f"median {statistics.median(times) * 1e3:.0f} ms, most {max(times) * 1e3:.0f} ms; "
        f"memory {', '.join(map(str, memory))} MB"
    )
    await client.shutdown_session()
    await client.stop()


def _memory(client: LanguageClient) -> int:
    """Return the resident memory of the server in MB."""
    status = Path(f"/proc/{client._server.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) // 1024


def _formatted(data: bytes) -> str | None:
    """Return a text as the server formats it, None if it refuses; the command must agree."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.canasta"
        path.write_bytes(data)
        result = canasta("format", path)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return None
        document = Document(URI, Text(text, 1, "utf-32"))
        try:
            edits = features.format_document(document, document.text)
        except features.Refused:
            assert result.exit_code != 0 and path.read_bytes() == data, text
            return None
        assert result.exit_code == 0, (text, result.stderr)
        fresh = edited(text, edits or ())
        assert fresh.encode() == path.read_bytes(), text
        assert _said(fresh) == _said(text), text
        return fresh


def _said(text: str) -> object:
    """Return what a text says, as JSON without the order of what has none."""
    return json.loads(canasta("convert", "--to", "json", "-", stdin=text).stdout)


def edited(text: str, edits: Sequence[types.TextEdit]) -> str:
    """Return a text after edits, whose columns count characters."""
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for edit in sorted(edits, key=lambda each: -each.range.start.line):
        start, end = (
            begins[place.line] + place.character for place in (edit.range.start, edit.range.end)
        )
        text = text[:start] + edit.new_text + text[end:]
    return text


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3] or (50, 10_000)))
