"""The house keeps its order: each layer looks only down, and nothing prints or opens below cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "canasta_notation"

#: From the bottom up; a module imports from its own layer and those before it.
LAYERS = (
    ("cards", "findings", "resources"),
    ("rules",),
    ("engine",),
    ("notation",),
    ("replay", "player"),
    ("record", "corpus"),
    ("render",),
    ("tui",),
    ("cli",),
)
#: Where files may be opened besides cli: packaged data, a person's own profile, shards of a corpus.
OPENERS = {"resources.py", "__init__.py", "rules/file.py", "rules/load.py"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def layer_of(name: str) -> int:
    return next(at for at, layer in enumerate(LAYERS) if name in layer)


def imports(path: Path) -> Iterator[str]:
    """Yield the first name below the package of everything that a module imports from it."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and "TYPE_CHECKING" in ast.dump(test.test)
        for node in ast.walk(test)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "canasta_notation":
                names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "canasta_notation" and len(parts) > 1:
                yield parts[1]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_looks_only_down(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in ("__init__", "__main__"):
        return
    for name in imports(path):
        if name == "__version__":
            continue
        assert layer_of(name) <= layer_of(own), f"{own} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_cli_prints_and_opens(path: Path) -> None:
    relative = str(path.relative_to(PACKAGE))
    if relative.startswith(("cli/", "tui/", "corpus/")):
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{relative}:{node.lineno} prints"
            assert node.func.id != "open" or relative in OPENERS, f"{relative} opens a file"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_one_room(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= 420, f"{lines} lines: two rooms?"


#: Numbers that are no rule: positions, factors of the deck's make-up, the width of a byte.
PLAIN_NUMBERS = {-1, 0, 1, 2}


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "engine").glob("*.py")), ids=lambda path: path.name
)
def test_no_number_of_a_rule_stands_in_the_engine(path: Path) -> None:
    allowed = PLAIN_NUMBERS | (
        {4, 8} if path.name in ("rules.py", "setup.py", "scoring.py") else set()
    )
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if node.value in allowed or abs(node.value) >= 1_000_000:
                continue
            if path.name == "scoring.py" and node.col_offset and node.value < 16:
                continue  # the indexes of the items
            raise AssertionError(f"{path.name}:{node.lineno}: {node.value}")
