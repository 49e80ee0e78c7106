"""Mutation testing: plant small mistakes in a few packages and see whether a test notices each.

    python -m tests.mutation --out FILE [--count 500] [--seed 34] [--again FILE]

Every mutant changes one operator, number, condition or statement of one function. The rulings judge
it first, then the tests named after its package and a few others: only those that run the
statement, the fast ones first, until one fails. A mutant that no test notices shows a test that is
missing, unless the change makes no difference: `mutants_explained.toml` says why for some, which
count as explained. `--again` judges the survivors of an earlier run.

Tests and rulings are read once; each mutant is a fork of that process, in which the code of one
function is replaced. Not mutated: defaults, decorators, annotations, and code outside functions.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import copy
import functools
import gc
import importlib
import json
import os
import random
import re
import resource
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from canasta_notation.replay import unwritten

ROOT = Path(__file__).parent.parent
#: Survivors that make no difference, each with the reason.
EXPLAINED = Path(__file__).parent / "mutants_explained.toml"
PACKAGES = ("engine", "replay", "scan", "search")
#: What judges a mutant, besides the rulings and the tests named after the packages.
OTHERS = (
    "rulings", "corpus", "erased", "erased_exact", "generate_games", "planted", "report_why",
    "samples",
)  # fmt: skip
#: Seconds of CPU after which a ruling or a test hangs, which counts as noticed, and how long the
#: tests of a mutant may take together; how many rulings judge it.
RULING_LIMIT, TEST_LIMIT, JUDGED, RULINGS = 3.0, 30.0, 5.0, 1500
#: Tests that take too long to judge mutants; other parameters of the same tests judge them.
SLOW = re.compile(
    r"test_what_was_played_is_listed\[(?!classic\])|small_states\[(?!classic\])"
    r"|plays_whole_games\[(?!classic\])|schema_at_every_turn|never_stuck.*\[[^1]\]"
    r"|test_shortcuts_change_nothing$|test_a_copy_is_equal"
    r"|test_(no_card_appears|the_same_seed|games_are_read|games_are_verified)\w*\[(?!classic\])"
    r"|positions.*::test_(a_random_game|a_sample|the_rulings)\[(?!classic\]|unwritten)"
)

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """A change of one node: the place of its parent in the tree, its field and place there."""

    file: str
    function: str
    line: int
    parent: int
    field: str
    at: int
    variant: int
    change: str


# --- the mistakes ---------------------------------------------------------------------------------


def _changes(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what could be in a node's place by mistake."""
    match node:
        case ast.Compare(ops=[op]):
            yield ast.Compare(node.left, [_COMPARED[type(op)]()], node.comparators)
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.BoolOp(other, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            text = any(isinstance(each, ast.JoinedStr) for each in (node.left, node.right))
            if not text:
                yield ast.BinOp(node.left, _other_sign(node.op), node.right)
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            yield ast.AugAssign(node.target, _other_sign(node.op), node.value)
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign():
            yield ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
            yield ast.Call(ast.Name(_CALLED[name], ast.Load()), node.args, node.keywords)
    plain = not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant)
    if field == "test" and isinstance(parent, ast.If | ast.IfExp | ast.While) and plain:
        yield ast.UnaryOp(ast.Not(), node)


def _other_sign(op: ast.operator) -> ast.operator:
    return ast.Sub() if isinstance(op, ast.Add) else ast.Add()


def _children(node: ast.AST) -> Iterator[tuple[str, int, ast.AST]]:
    """Yield the nodes below a node that are code, each with its field and its place there."""
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "args", "decorator_list") or (
            field == "args" and isinstance(node, ast.Call)
        ):
            for at, each in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(each, ast.AST):
                    yield field, at, each


def _mutants_of(file: str) -> Iterator[Mutant]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    places = {id(node): at for at, node in enumerate(ast.walk(tree))}

    def below(node: ast.AST, function: str) -> Iterator[Mutant]:
        for field, at, child in _children(node):
            for variant, new in enumerate(_changes(child, node, field)):
                was = ast.unparse(child).split("\n")[0]
                change = f"{was}  ->  {ast.unparse(new)}"
                line = getattr(child, "lineno", 0)
                yield Mutant(file, function, line, places[id(node)], field, at, variant, change)
            yield from below(child, function)

    def functions(body: list[ast.stmt], name: str) -> Iterator[Mutant]:
        for each in body:
            if isinstance(each, ast.FunctionDef):
                yield from below(each, name + each.name)
            elif isinstance(each, ast.ClassDef):
                yield from functions(each.body, f"{each.name}.")

    yield from functions(tree.body, "")


def sample(count: int, seed: int, left_out: set[str]) -> list[Mutant]:
    """Return mutants chosen at random from all of the packages' functions.

    `left_out` has files of a package without their suffix, or functions of them, such as
    `replay.causes` or `replay.claims.figure_span`.
    """
    paths = [path for name in PACKAGES for path in _sources(name)]
    every = [
        mutant
        for path in paths
        for mutant in _mutants_of(str(path.relative_to(ROOT)))
        if not left_out & {_module(mutant)[17:], f"{_module(mutant)[17:]}.{mutant.function}"}
    ]
    print(f"{len(every)} mutants", file=sys.stderr)
    return random.Random(seed).sample(every, min(count, len(every)))


def dropped_statements(pattern: str) -> list[Mutant]:
    """Return the mutants that drop a call at the start of which the pattern is found."""
    paths = [path for name in PACKAGES for path in _sources(name)]
    return [
        mutant
        for path in paths
        if re.search(pattern, path.read_text("utf-8"))
        for mutant in _mutants_of(str(path.relative_to(ROOT)))
        if mutant.change.endswith("->  pass") and re.match(pattern, mutant.change)
    ]


def _sources(package: str) -> list[Path]:
    return sorted((ROOT / "canasta_notation" / package).glob("*.py"))


def _place(mutant: Mutant) -> tuple[str, str, str, str]:
    """Return the file, function, line of code and change of a mutant."""
    code = (ROOT / mutant.file).read_text("utf-8").split("\n")[mutant.line - 1].strip()
    return mutant.file, mutant.function, code, mutant.change


def _module(mutant: Mutant) -> str:
    return mutant.file.removesuffix(".py").replace("/", ".")


# --- changing a function --------------------------------------------------------------------------


def _live(mutant: Mutant) -> FunctionType:
    """Return the function that a mutant changes, as its module uses it."""
    owner: Any = importlib.import_module(_module(mutant))
    *outer, name = mutant.function.split(".")
    for each in outer:
        owner = vars(owner)[each]
    found = vars(owner)[name]
    while not isinstance(found, FunctionType):
        ways = ("__wrapped__", "fget", "__func__", "func")
        found = next(getattr(found, way) for way in ways if hasattr(found, way))
    return found


def _code_of(tree: ast.AST, file: str, function: FunctionType) -> CodeType:
    """Return the code that a function has in a tree; it begins in the same line."""
    stack = [compile(ast.fix_missing_locations(tree), str(ROOT / file), "exec")]  # type: ignore[arg-type]
    wanted = (function.__code__.co_name, function.__code__.co_firstlineno)
    while stack:
        code = stack.pop()
        if (code.co_name, code.co_firstlineno) == wanted:
            return code
        stack += [each for each in code.co_consts if isinstance(each, CodeType)]
    raise LookupError(wanted)


def runs_from_source() -> bool:
    """Return whether the engine runs from the source beside the tests and is not compiled."""
    engine = importlib.import_module("canasta_notation.engine.table").__file__
    return engine == str(ROOT / "canasta_notation" / "engine" / "table.py")


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Make the mistake of a mutant, and take it back at the end."""
    function = _live(mutant)
    own = function.__code__
    plant(mutant)
    try:
        yield
    finally:
        function.__code__ = own
        forget()


def plant(mutant: Mutant) -> None:
    """Make the mistake of a mutant in this process."""
    tree = ast.parse((ROOT / mutant.file).read_text("utf-8"))
    parent = list(ast.walk(tree))[mutant.parent]
    value = getattr(parent, mutant.field)
    old = value[mutant.at] if isinstance(value, list) else value
    changes = _changes(old, parent, mutant.field)
    new = ast.copy_location(list(changes)[mutant.variant], old)
    if isinstance(value, list):
        value[mutant.at] = new
    else:
        setattr(parent, mutant.field, new)
    function = _live(mutant)
    function.__code__ = _code_of(tree, mutant.file, function)
    forget()


@functools.cache
def _caches() -> list[Any]:
    """Return the cached functions of the program and of its tests."""
    ours = ("canasta_notation", "tests")
    modules = [each for name, each in [*sys.modules.items()] if name.split(".")[0] in ours]
    classes = [it for each in modules for it in vars(each).values() if isinstance(it, type)]
    held = [each for owner in (*modules, *classes) for each in vars(owner).values()]
    return [*{id(it): it for it in held if isinstance(it, functools._lru_cache_wrapper)}.values()]


def forget() -> None:
    """Clear every cache of a function, because it may hold what other code has computed."""
    for each in _caches():
        if each is not _caches:
            each.cache_clear()
    unwritten._found.clear()


def probe(mutants: list[Mutant]) -> dict[FunctionType, CodeType]:
    """Let the statement of each mutant note that it runs; return the functions' own code."""
    own: dict[FunctionType, CodeType] = {}
    by_file = defaultdict(list)
    for number, mutant in enumerate(mutants):
        by_file[mutant.file].append((number, mutant))
    for file, there in by_file.items():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        nodes = list(ast.walk(tree))
        statement: dict[int, ast.AST] = {}
        for node in nodes:
            for child in ast.iter_child_nodes(node):
                inside = statement.get(id(node), node)
                statement[id(child)] = child if isinstance(child, ast.stmt) else inside
        noted: dict[int, list[int]] = defaultdict(list)
        for number, mutant in there:
            value = getattr(nodes[mutant.parent], mutant.field)
            node = value[mutant.at] if isinstance(value, list) else value
            noted[id(statement[id(node)])].append(number)
        for node in nodes:
            for field in ("body", "orelse", "finalbody"):
                value = getattr(node, field, None)
                if isinstance(value, list):
                    value[:] = [new for each in value for new in (*_notes(each, noted), each)]
        for _, mutant in there:
            function = _live(mutant)
            if function not in own:
                own[function] = function.__code__
                function.__code__ = _code_of(copy.deepcopy(tree), file, function)
    return own


def _notes(statement: ast.stmt, noted: dict[int, list[int]]) -> Iterator[ast.stmt]:
    for number in noted.get(id(statement), ()):
        note = ast.parse(f"__note__({number})").body[0]
        yield ast.copy_location(note, statement)


# --- judging --------------------------------------------------------------------------------------


class Hung(BaseException):
    """A mutant runs for too long."""


def _hang(signum: int, frame: object) -> None:
    raise Hung


class Judge:
    """A plugin of pytest that judges mutants instead of running the tests once."""

    def __init__(self, mutants: list[Mutant], out: Path) -> None:
        self.mutants = mutants
        self.out = out
        self.failed = False

    def pytest_sessionstart(self) -> None:
        # A failure need not be minimised or remembered.
        settings.register_profile(
            "mutation", deadline=None, database=None, derandomize=True,
            phases=[Phase.explicit, Phase.generate],
        )  # fmt: skip
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from tests.test_rulings import cases, games_of, judge

        self.judge = judge
        values = [each.values for each in cases()]
        random.Random(0).shuffle(values)
        # The same record under a second profile seldom gives another judgement.
        values.sort(key=lambda each: each[0]["profiles"][0] != each[1])
        self.rulings = [(case, games_of(case, profile)) for case, profile in values]
        self.items = [
            each
            for each in session.items
            if "::test_ruling[" not in each.nodeid and not SLOW.search(each.nodeid)
        ]
        # Objects that stay alive need not be scanned repeatedly.
        gc.collect()
        gc.freeze()
        self._find_judges()
        gc.collect()
        gc.freeze()
        reasons = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
        explained = {
            (each["file"], each["function"], each["code"], each["change"]): (
                f"explained: {each['reason']}"
            )
            for each in reasons
        }
        with self.out.open("w", encoding="utf-8") as file:
            for number, mutant in enumerate(self.mutants):
                begun = time.monotonic()
                judged = self._fork(number)
                if judged.startswith("survived"):
                    judged = explained.get(_place(mutant), judged)
                took = round(time.monotonic() - begun, 1)
                row = {**asdict(mutant), "by": judged, "seconds": took}
                file.write(json.dumps(row) + "\n")
                file.flush()
        return True

    def _find_judges(self) -> None:
        """Find which rulings and tests run each mutant's statement, and how long tests take."""
        hits: set[int] = set()
        builtins.__note__ = hits.add  # type: ignore[attr-defined]
        own = probe(self.mutants)
        self.ruled: dict[int, list[int]] = defaultdict(list)
        self.tested: dict[int, list[int]] = defaultdict(list)
        self.time: dict[int, float] = {}
        forget()
        for at, (case, games) in enumerate(self.rulings):
            hits.clear()
            self.judge(case, games)
            for number in hits:
                self.ruled[number].append(at)
        print(f"rulings {time.process_time():.0f} s", file=sys.stderr)
        for at, item in enumerate(self.items):
            hits.clear()
            forget()
            begun = time.process_time()
            self._run(item)
            self.time[at] = time.process_time() - begun
            if self.failed:
                print(f"fails without a mutant: {item.nodeid}", file=sys.stderr)
                self.failed = False
                continue
            for number in hits:
                self.tested[number].append(at)
        print(f"tests {time.process_time():.0f} s", file=sys.stderr)
        for function, code in own.items():
            function.__code__ = code

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _fork(self, number: int) -> str:
        """Judge a mutant in another process; return what noticed it, "" if nothing did."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_CPU, (240, 240))
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
            signal.signal(signal.SIGVTALRM, _hang)
            try:
                said = self._judge(number)
            except BaseException as error:
                said = f"judge: {error!r}"
            os.write(writing, said.encode()[:1000])
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        _, status = os.waitpid(child, 0)
        return said or f"ended with {status}"

    def _judge(self, number: int) -> str:
        plant(self.mutants[number])
        for at in self.ruled[number][:RULINGS]:
            signal.setitimer(signal.ITIMER_VIRTUAL, RULING_LIMIT)
            try:
                self.judge(*self.rulings[at])
            except BaseException as error:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                case = self.rulings[at][0]
                return f"ruling {case['row']} {case['name']}: {type(error).__name__}"
        spent = 0.0
        tests = sorted(self.tested[number], key=self.time.__getitem__)
        for at in tests:
            spent += self.time[at]
            if spent > JUDGED:
                break
            signal.setitimer(signal.ITIMER_VIRTUAL, TEST_LIMIT)
            self._run(self.items[at])
            if self.failed:
                return self.items[at].nodeid
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return "survived" if tests or self.ruled[number] else "survived: nothing runs it"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="MODULE[.FUNCTION]")
    parser.add_argument("--again", type=Path, help="the survivors in the results of another run")
    parser.add_argument("--out", type=Path, required=True, help="the results, a line of JSON each")
    given = parser.parse_args()
    if given.again:
        rows = [json.loads(line) for line in given.again.read_text("utf-8").splitlines()]
        left = [row for row in rows if row["by"].startswith("survived")]
        names = [field.name for field in fields(Mutant)]
        chosen = [Mutant(**{name: row[name] for name in names}) for row in left]
    else:
        chosen = sample(given.count, given.seed, {*given.leave_out})
    names = [f"test_{name}.py" for name in OTHERS]
    names += [path.name for each in PACKAGES for path in ROOT.glob(f"tests/test_{each}_*.py")]
    options = ["-o", "addopts=", "-p", "no:terminal", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    judge = Judge(chosen, given.out)
    pytest.main([*options, *(str(ROOT / "tests" / name) for name in names)], plugins=[judge])
    rows = [json.loads(line) for line in given.out.read_text("utf-8").splitlines()]
    for package in PACKAGES:
        here = Counter(
            row["by"].split(" ")[0].split(":")[0].split("/")[0]
            for row in rows
            if row["file"].split("/")[1] == package
        )
        print(package, here.total(), "mutants:", dict(here))
    for row in rows:
        if row["by"].startswith("survived"):
            print(f"{row['file']}:{row['line']} {row['function']}: {row['change']}  ({row['by']})")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{sum(each.ru_utime + each.ru_stime for each in used) / 60:.1f} minutes of CPU")


if __name__ == "__main__":
    main()
