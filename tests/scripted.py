"""Pages in a small browser, which Node runs: their script without a browser that draws."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

import pytest

FOLDER = Path(__file__).parent / "javascript"
needs_node = pytest.mark.skipif(which("node") is None, reason="node is not installed")
#: A step: code that is run in the page, or the name of something done, with its values.
Step = str | list[Any]


class Done(NamedTuple):
    """The value of each step, what was copied, painted or printed, and the files saved."""

    found: list[Any]
    saved: list[list[str]]
    files: list[str]


def done(
    html: str,
    *steps: Step,
    address: str = "https://host/page.html",
    languages: tuple[str, ...] = (),
) -> Done:
    """Open a page at an address and do steps in it; see javascript/page_steps.mjs for what."""
    script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)[-1]
    given = {
        "html": html, "script": script, "address": address, "steps": steps,
        "options": {"languages": languages or ("en",)},
    }  # fmt: skip
    run = subprocess.run(
        ["node", FOLDER / "page_steps.mjs"], input=json.dumps(given), text=True,
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    return Done(**json.loads(run.stdout))
