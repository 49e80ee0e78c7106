"""The layers: each imports only those below it, and nothing below cli prints or opens files."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from canasta_notation.cli.commands import COMMANDS
from canasta_notation.rules.items import ITEMS
from tests.fence import CORE, DOORS, LAYERS

PACKAGE = Path(__file__).parent.parent / "canasta_notation"

#: Modules outside cli that open files: packaged data, installed libraries, a person's own profile,
#: the library, the parser's kept tables, values that are kept, and the corpus, whose processes read
#: and write files.
OPENERS = {
    "__init__.py",
    "api.py",
    "app/web_app.py",
    "analysis/kept_values.py",
    "batch/parts.py",
    "resources.py",
    "notation/reader.py",
    "rules/load.py",
    "corpus/build.py",
    "corpus/folder.py",
    "corpus/shards.py",
    "exercises/deck.py",
    "exercises/progress.py",
    "storage.py",
}
#: Functions, and methods of paths, that read, write or change a file.
TOUCHES = {
    "open", "fdopen", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "rmdir",
    "unlink", "rename", "touch", "makedirs", "rmtree", "copyfile", "symlink_to", "hardlink_to",
}  # fmt: skip


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


#: The commands of satellites; they print and end the program like those of `cli`.
COMMAND_FILES = {
    f"{entry.module.replace('.', '/')}.py"
    for entry in COMMANDS
    if not entry.module.startswith("cli.")
}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def layer_of(name: str) -> int:
    return next(at for at, layer in enumerate(LAYERS) if name in layer)


def imports(path: Path, *, typing_too: bool = False) -> Iterator[str]:
    """Yield the first name below the package of everything that a module imports from it."""
    tree = tree_of(path)
    typing_only = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and "TYPE_CHECKING" in ast.dump(test.test) and not typing_too
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
def test_a_module_imports_only_from_below(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in ("__init__", "__main__"):
        return
    for name in imports(path):
        if name == "__version__":
            continue
        assert layer_of(name) <= layer_of(own), f"{own} imports {name}"


def test_the_core_imports_no_satellite_at_any_time() -> None:
    """Neither late, nor for types, nor by a name in a text, except through the doors."""
    core = {name for layer in CORE for name in layer}
    reached: set[tuple[str, str]] = set()
    for path in modules():
        relative = path.relative_to(PACKAGE)
        if str(relative) in DOORS or relative.parts[0].removesuffix(".py") not in core:
            continue
        found = {*imports(path, typing_too=True)} - core - {"__version__"}
        found |= {"import_module", "__import__"} & {*re.findall(r"\w+", path.read_text("utf-8"))}
        reached |= {(str(relative), name) for name in found}
    assert reached == set()


def test_no_packages_import_each_other_in_a_circle() -> None:
    below: dict[str, set[str]] = {}
    for path in modules():
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        below.setdefault(own, set()).update({*imports(path)} - {own, "__version__"})
    sorted_packages = TopologicalSorter(below).static_order()  # raises CycleError
    assert {*sorted_packages} >= {name for layer in LAYERS for name in layer}


def test_the_notation_knows_no_rule() -> None:
    """It reads only words from the rules: the catalogue of findings, the items, the profiles."""
    known = {
        node.module
        for path in (PACKAGE / "notation").glob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and ".rules" in (node.module or "")
    }
    assert known == {f"canasta_notation.rules.{name}" for name in ("catalogue", "items", "load")}


def test_no_two_modules_have_the_same_name() -> None:
    names = Counter(path.stem for path in modules() if path.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []


def classes() -> list[ast.ClassDef]:
    trees = [tree_of(path) for path in modules()]
    return [each for tree in trees for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]


def aliases() -> Iterator[str]:
    """Yield the name of each type alias: a constant whose name is not in capitals."""
    for path in modules():
        for node in tree_of(path).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else node
            name = getattr(target, "id", "") or getattr(getattr(node, "target", None), "id", "")
            if re.fullmatch(r"_?[A-Z][A-Za-z]*[a-z][A-Za-z]*", name):
                yield name


def test_no_two_types_have_the_same_name() -> None:
    names = Counter(name.lstrip("_") for name in [*(each.name for each in classes()), *aliases()])
    assert [name for name, count in names.items() if count > 1] == []


def test_no_class_inherits_to_share_code() -> None:
    """An error may be a kind of another one; bases from outside the package are allowed."""
    bases = {each.name: {ast.unparse(base) for base in each.bases} for each in classes()}
    errors = {"Exception", "ValueError"}
    while kinds := {name for name, found in bases.items() if found & errors} - errors:
        errors |= kinds
    assert {"UserError", "PlayError", "GameOver"} < errors
    shared = {name: found & bases.keys() - errors for name, found in bases.items()}
    assert {name: found for name, found in shared.items() if found} == {}


#: Packages that show a table, and the functions of the engine that they may call, which change
#: nothing.
SHOWING = ("report", "analysis", "batch", "corpus", "render", "tui", "page")
QUESTIONS = {
    "any_unknown_melded", "awaits_draw", "cards_taken", "copies_left", "copy_table",
    "count_unseen", "free_cards", "hand_counts", "hand_states", "has_opened", "is_vague",
    "loose_cards", "picks_up", "pile_of", "raised", "rules_of", "score_by", "snapshot", "staying",
    "takes_alone", "top_of", "touched", "winner_of",
}  # fmt: skip


def asked_of_the_engine(path: Path) -> set[str]:
    """Return the functions of the engine that a module imports."""
    return {
        alias.name
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and ".engine" in (node.module or "")
        for alias in node.names
        if alias.name.islower()
    }


def test_a_live_game_changes_the_table_in_one_place() -> None:
    askers = [path for path in (PACKAGE / "live").glob("*.py") if path.stem != "live_deal"]
    assert {name for path in askers for name in asked_of_the_engine(path)} <= QUESTIONS
    assert "perform" in asked_of_the_engine(PACKAGE / "live" / "live_deal.py")


def test_the_engine_and_the_search_have_no_words() -> None:
    for room in ("engine", "search"):
        known = {name for path in (PACKAGE / room).glob("*.py") for name in imports(path)}
        assert known & {"english", "findings", "notation"} == set()


def changed(node: ast.AST) -> list[ast.expr]:
    """Return the fields and elements that a statement sets or deletes in place."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            found = targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            found = [target]
        case _:
            found = []
    return [each for each in found if isinstance(each, ast.Attribute | ast.Subscript)]


@pytest.mark.parametrize("room", SHOWING)
def test_code_that_shows_a_table_never_changes_it(room: str) -> None:
    """The engine hands its own table to observers; mypy cannot see what they do with it."""
    for path in (PACKAGE / room).glob("*.py"):
        assert asked_of_the_engine(path) <= QUESTIONS, path.name
        for node in ast.walk(tree_of(path)):
            for target in changed(node):
                text = ast.unparse(target)
                table = re.match(r"(?:\w+\.)?(?:play|table)[.\[]", text)
                assert table is None, f"{path.name}:{target.lineno}: {text}"


#: Tests of the whole program; the name of any other test file begins with a package or a module.
WHOLE = {
    "dataset", "growth", "patterns",
    "architecture", "erased", "hostile", "package", "planted", "readme", "recipes", "rulings",
    "samples", "site", "sweep", "textmate", "unfilled",
}  # fmt: skip


def test_contributing_lists_the_packages_in_this_order() -> None:
    """A row of its tables may hold several packages of one layer."""
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    tables = [each.split("\n\n")[0] for each in text.split("| package | what it holds |")[1:]]
    lines = [line for table in tables for line in table.splitlines()[2:]]
    rows = [tuple(re.findall(r"`(\w+)/?`", line.split("|")[1])) for line in lines]
    assert rows == list(LAYERS)


def test_test_files_are_named_after_packages() -> None:
    rooms = {name for layer in LAYERS for name in layer}
    names = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert {name for name in names if name.split("_")[0] not in rooms | WHOLE} == set()


#: Modules that only give other modules' names, and where they are tested.
TESTED_WITH = {"counts": "arrays", "rl": "learning", "openspiel": "learning", "turns": "learning"}


def test_every_package_has_tests_under_its_name() -> None:
    names = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    rooms = [TESTED_WITH.get(name, name) for layer in LAYERS for name in layer]
    without = [
        room for room in rooms if not any(f"{name}_".startswith(f"{room}_") for name in names)
    ]
    assert without == []


def outside(node: ast.AST) -> str:
    """Return what a piece of code does outside the process, "" for nothing.

    Packaged files, which `files(...)` or `resources.read_text` read, do not count; neither do
    methods of an object itself.
    """
    match node:
        case ast.Call(func=ast.Name(id="print" | "input" as name)):
            return name
        case ast.Call(func=ast.Name(id="open")):
            return "open"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
            return ""
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="replace" | "remove")):
            return "open"
        case ast.Call(func=ast.Attribute(attr=name, value=of)) if name in TOUCHES:
            return "" if ast.unparse(of).startswith("files(") else "open"
        case ast.Attribute(value=ast.Name(id="sys"), attr="stdin" | "stdout" | "stderr" as name):
            return name
    return ""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_cli_prints_and_opens_files(path: Path) -> None:
    relative = str(path.relative_to(PACKAGE))
    if relative.startswith("cli/") or relative in COMMAND_FILES:
        return
    done = {outside(node) for node in ast.walk(tree_of(path))} - {""}
    allowed = {"open"} if relative in OPENERS else set()
    allowed |= {"stdin"} if relative == "batch/parts.py" else set()  # the record `-`
    assert done <= allowed


def test_every_module_allowed_to_open_files_does() -> None:
    for name in OPENERS:
        tree = tree_of(PACKAGE / name)
        assert "open" in {outside(node) for node in ast.walk(tree)}, name


@pytest.mark.parametrize(
    ("code", "does"),
    [
        ("print(1)", "print"),
        ("open(path)", "open"),
        ("path.open('rb')", "open"),
        ("(out / name).read_text()", "open"),
        ("Path(name).write_bytes(data)", "open"),
        ("os.replace(fresh, path)", "open"),
        ("text.replace(old, new)", ""),
        ("sys.stderr", "stderr"),
        ("files(__package__).joinpath('a').read_text()", ""),
        ("read_text('schemas', 'a')", ""),
        ("self.open(table)", ""),
    ],
)
def test_code_that_reaches_outside_is_recognised(code: str, does: str) -> None:
    assert outside(ast.parse(code, mode="eval").body) == does


#: Numbers that are not rules: none, one, a pair, places in a list.
PLAIN_NUMBERS = {0, 1, 2}
#: More than any points or cards: a bound of memory, or a value for an unknown figure.
MORE_THAN_ANY = 1_000_000


def is_place(node: ast.AST, module: str) -> bool:
    """Return whether code is the place of an item of a score, or the width of a byte."""
    match node:
        case ast.AnnAssign(annotation=ast.Name(id="Final"), value=ast.Constant(value=int(place))):
            return module == "scoring.py" and place < len(ITEMS)
        case ast.BinOp():
            return ast.unparse(node) == "1 << 8"
    return False


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "engine").glob("*.py")), ids=lambda path: path.name
)
def test_the_engine_contains_no_numbers_of_rules(path: Path) -> None:
    tree = tree_of(path)
    places = {
        id(part) for node in ast.walk(tree) if is_place(node, path.name) for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in places:
            known = node.value in PLAIN_NUMBERS or node.value >= MORE_THAN_ANY
            assert known, f"{path.name}:{node.lineno}: {node.value}"


#: Modules of the engine that a turn on the fast path never runs.
NOT_COMPILED = {"__init__", "actions", "amounts", "state", "table_end"}


def test_everything_the_fast_path_runs_is_compiled() -> None:
    """One interpreted module among compiled ones costs much speed."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    hooks = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]
    included = {PACKAGE.parent / path for path in hooks["mypyc"]["include"]}
    assert [path for path in included if not path.exists()] == []
    engine = {path.stem for path in (PACKAGE / "engine").glob("*.py")}
    assert {path.stem for path in included if path.parent.name == "engine"} == engine - NOT_COMPILED
