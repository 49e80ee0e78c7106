"""The programs of grammar/LIBRARY.md run, and print what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import canasta_notation as cn

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "grammar" / "LIBRARY.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SAYS = (
    "verified {'NS': 910, 'EW': 395} None\nNS 910 {'melds': 225",
    "verified: NS",
    "s turn, not N",
    "-4h ~opening-low",
    "verified: NS",
)


@pytest.mark.parametrize(("program", "says"), list(zip(PROGRAMS, SAYS, strict=True)))
def test_a_program_of_the_page_prints_what_the_page_says(program: str, says: str) -> None:
    if "import rl" in program:
        pytest.importorskip("pettingzoo")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert says in done.stdout


def test_the_page_names_everything_public() -> None:
    for name in re.findall(r"`cn\.(\w+)", PAGE):
        assert name in cn.__all__
    named = re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE) + re.findall(r"`(\w+)`", PAGE)
    for name in dir(cn.LiveGame):
        if not name.startswith("_"):
            assert name in PAGE, name
    assert {"LivePlays", "Event", "Position"} <= set(named)
