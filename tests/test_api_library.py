"""The programs of grammar/LIBRARY.md run, and print what the page says."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import canasta_notation as cn

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "grammar" / "LIBRARY.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: The modules with names of their own, for learning.
LEARNING = ("rl", "openspiel", "turns")
SAYS = (
    "verified {'NS': 910, 'EW': 395} None\nNS 910 {'melds': 225",
    "verified []\nverified []\ncontradicted ['draw-count']\n",
    "1 of these games are won",
    "seat: string",
    "verified: NS",
    "s turn, not N",
    "-4h ~opening-low",
    "verified: NS",
    "not-in-hand",
    "both sides together: 0.0",
)


@pytest.mark.parametrize(("program", "says"), list(zip(PROGRAMS, SAYS, strict=True)))
def test_a_program_of_the_page_prints_what_the_page_says(program: str, says: str) -> None:
    if "import rl" in program:
        pytest.importorskip("pettingzoo")
    if "import pyspiel" in program:
        pytest.importorskip("pyspiel")
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
    assert {"LegalPlays", "Event", "Position"} <= set(named)


def test_the_page_names_every_export_and_every_type_of_a_public_signature() -> None:
    pytest.importorskip("pyspiel")
    words = set(re.findall(r"\w+", PAGE))
    modules = [cn, *(import_module(f"canasta_notation.{name}") for name in LEARNING)]
    exports = [(module, name) for module in modules for name in module.__all__]
    assert [name for _, name in exports if name not in words] == []
    types: set[str] = set()
    for module, name in exports:
        public = getattr(module, name)
        of_class = vars(public).items() if inspect.isclass(public) else ()
        members = [public, *(member for each, member in of_class if not each.startswith("_"))]
        for member in members:
            call = member.fget if isinstance(member, property) else member
            for each in getattr(call, "__annotations__", {}).values():
                types |= set(re.findall(r"\b[A-Z]\w+", str(each)))
    # The names of Python, and those of numpy and PettingZoo.
    others = {
        "AECEnv", "Any", "Callable", "ClassVar", "ForwardRef", "Iterable", "Iterator", "Literal",
        "Mapping", "NDArray", "PathLike", "Sequence",
    }  # fmt: skip
    assert sorted(types - words - others) == []


def test_a_finding_has_every_field_of_its_table() -> None:
    table = PAGE.split("A `cn.Finding` says")[1].split("\n\n")[1]
    fields = [
        each for row in table.splitlines()[2:] for each in re.findall(r"`(\w+)`", row.split("|")[1])
    ]
    (game,) = cn.read(ROOT / "samples" / "broken" / "pile-frozen.canasta")
    (finding,) = cn.verify(game).findings
    assert len(fields) > 10
    assert [name for name in fields if not hasattr(finding, name)] == []


def test_the_position_of_the_page_is_what_the_library_writes() -> None:
    (shown,) = re.findall(r"^```json\n(\{.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (game,) = cn.read(ROOT / "samples" / "first-deal.canasta")
    live = cn.LiveGame.from_record(game, deal=1, turn=3)
    assert json.loads(shown) == live.observe("S").to_json()
    feet = cn.LiveGame("hand-and-foot", seed=1)
    feet.deal()
    assert "packets" in feet.observe("N").to_json() and "packets" not in json.loads(shown)
