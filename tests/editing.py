"""Typing at the language server, and how long it takes. `python -m tests.editing` with

- `typing [RECORDS [CHANGES]]` types samples and broken records at a server, each through many small
  changes with pauses; each ends with the diagnostics of `canasta validate`. It prints how long the
  last diagnostics took, and the memory of the server before every ten records.
- `speed` prints how long diagnostics take: after a change in long games, and of many games when
  they are opened. On a busy machine, the server's processor time says more than the time waited,
  which includes the pause after a change.
- `formatting [MUTANTS]` formats samples and mutants of them as the server does, and compares the
  result with `canasta format`.
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
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from canasta_notation import format_game, load_profile
from canasta_notation.editor import features
from canasta_notation.editor.open_record import Document, Text
from canasta_notation.players.random_game import play_game
from tests.erasing import Forgetting
from tests.mutants import mutants
from tests.programs import canasta

COMMAND = [sys.executable, "-m", "canasta_notation", "lsp"]
SAMPLES = Path(__file__).parent.parent / "samples"
URI = "file:///games/typed.canasta"
PAUSES = (0, 0, 0.005, 0.06)
TYPED = ("", " ", "K", "~", "\n", "-", '"', ";", "[CGN ")


def open_text(client: LanguageClient, text: str, uri: str = URI) -> None:
    """Open a record."""
    item = types.TextDocumentItem(uri, "canasta", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


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
            typed = chance.choice((*TYPED, text[:40]))
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
    assert seen == sorted(seen), "no older diagnostics come after newer ones"
    return seen


# --- the tool -------------------------------------------------------------------------------------


async def type_at_server(records: int = 50, changes: int = 300) -> None:
    """Type samples and broken records, drawn by lot, each with this many changes."""
    chance = random.Random(7)
    texts = [*_samples("broken/*.canasta"), *_samples("*.canasta")]
    typed = [chance.choice(texts) for _ in range(records)]
    memory, times = list[int](), list[float]()
    async with _server() as client:
        open_text(client, "")
        for at in range(0, records, 10):
            memory.append(_memory(client))
            await type_records(client, URI, typed[at : at + 10], changes, chance, times)
        memory.append(_memory(client))
    print(
        f"{records} records, {changes} changes each; from a change to its diagnostics: "
        f"{_spread(times)}; memory {', '.join(map(str, memory))} MB"
    )


async def measure_speed() -> None:
    """Print how long the diagnostics of long games and of many games take."""
    chance = random.Random(7)
    for turns in (300, 1_500):
        text = _long_game(turns)
        await _time_changes(f"{turns} turns", text, chance)
        await _time_changes(
            f"{turns} turns, cards forgotten", Forgetting(chance).text(text), chance
        )
    games = [format_game(play_game(load_profile("classic"), seed)) for seed in range(100)]
    await _time_changes("100 games", "\n".join(games), chance)
    broken = (game.replace("\n2. ", "\n2 ", 1) for game in games)
    await _time_changes("100 games, errors in each", "\n".join(broken), chance)


def format_mutants(mutants_made: int = 2_000) -> None:
    """Format samples and mutants of them as the server does and as the command does."""
    texts = [text.encode() for text in _samples("*.canasta")]
    formatted = refused = 0
    for data in (*texts, *mutants(texts, mutants_made, 7)):
        edits = _formatted(data)
        formatted, refused = formatted + (edits is not None), refused + (edits is None)
    print(f"{formatted} texts formatted as by the command, {refused} refused by both")


def _samples(pattern: str) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(SAMPLES.glob(pattern))]


def _long_game(turns: int) -> str:
    """Return a random game with at least this many turns."""
    profile = load_profile("classic").with_values({"target": 100 * turns})
    games = (play_game(profile, seed, deals=turns // 36) for seed in count())
    return format_game(next(it for it in games if sum(deal.turns for deal in it.deals) >= turns))


async def _time_changes(what: str, text: str, chance: random.Random, changes: int = 50) -> None:
    """Print how long the first diagnostics of a text take, and those after changes of it."""
    waited, used = list[float](), list[float]()
    async with _server() as client:
        for version in range(1, changes + 2):
            at = chance.randrange(len(text))
            fresh = text[:at] + chance.choice(TYPED) + text[at + chance.randrange(3) :]
            begun, spent = time.perf_counter(), _processor_time(client)
            if version == 1:
                open_text(client, text)
            else:
                change_text(client, fresh, version)
            await _judged(client, version)
            waited.append(time.perf_counter() - begun)
            used.append(_processor_time(client) - spent)
    print(
        f"{what}: opened in {waited[0] * 1e3:.0f} ms (processor {used[0] * 1e3:.0f} ms); "
        f"after a change: {_spread(waited[1:])} (processor: {_spread(used[1:])})"
    )


async def _judged(client: LanguageClient, version: int) -> None:
    """Wait for the diagnostics of a version of the text."""
    judged = None
    while judged != version:
        message = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        judged = message.version


@asynccontextmanager
async def _server() -> AsyncIterator[LanguageClient]:
    """Start a server, and end it."""
    client = await ClientServerConfig(server_command=COMMAND).start()
    options = types.InitializeParams(client_capabilities("visual-studio-code"), process_id=None)
    await client.initialize_session(options)
    await asyncio.sleep(2)  # it loads its parser
    yield client
    await client.shutdown_session()
    await client.stop()


def _spread(seconds: list[float]) -> str:
    return f"median {statistics.median(seconds) * 1e3:.0f} ms, most {max(seconds) * 1e3:.0f} ms"


def _processor_time(client: LanguageClient) -> float:
    """Return the seconds that the server's threads have run."""
    threads = Path(f"/proc/{client._server.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


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
        except features.NotFormatted:
            assert result.exit_code != 0 and path.read_bytes() == data, text
            return None
        assert result.exit_code == 0, (text, result.stderr)
        fresh = edited(text, edits or ())
        assert fresh.encode() == path.read_bytes(), text
        assert _said(fresh) == _said(text), text
        return fresh


def _said(text: str) -> object:
    """Return what a text says, as JSON, with unordered parts sorted."""
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
    mode, *numbers = sys.argv[1:]
    if mode == "formatting":
        format_mutants(*map(int, numbers))
    else:
        run = {"typing": type_at_server, "speed": measure_speed}[mode]
        asyncio.run(run(*map(int, numbers)))
