"""The VS Code extension: it starts a language server, and shows what the server finds.

The extension runs in Node, with a substitute for VS Code. Skipped unless the environment variable
CANASTA_NODE_MODULES names a folder with its libraries, which `npm install` fetches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.textmate import FOLDER

pytest.importorskip("pygls", reason="needs the extra `editor`")
pytestmark = pytest.mark.skipif(
    not os.environ.get("CANASTA_NODE_MODULES"),
    reason="CANASTA_NODE_MODULES names no libraries of the VS Code extension",
)
ROOT = Path(__file__).parent.parent
RECORD = ROOT / "samples" / "broken" / "pile-frozen.canasta"


def diagnostics(*server: str) -> list[dict[str, Any]]:
    """Return what the extension shows for a record with a mistake."""
    client = Path(__file__).parent / "javascript" / "vscode_client.cjs"
    done = subprocess.run(
        ["node", str(client), str(FOLDER), str(RECORD), *server],
        env={**os.environ, "NODE_PATH": os.environ["CANASTA_NODE_MODULES"]},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert shown["uri"] == RECORD.as_uri()
    found: list[dict[str, Any]] = shown["diagnostics"]
    return found


def test_a_server_is_sent_the_options_and_the_record() -> None:
    (found,) = diagnostics(sys.executable, "-m", "tests.echo_server")
    assert json.loads(found["message"]) == [
        {"inlayHints": True},
        "canasta",
        RECORD.read_text("utf-8"),
    ]


def test_the_findings_of_the_program_are_shown() -> None:
    (found,) = diagnostics(sys.executable, "-m", "canasta_notation", "lsp")
    assert (found["code"], found["severity"]) == ("pile-frozen", 0)
    assert found["range"]["start"] == {"line": 21, "character": 5}
