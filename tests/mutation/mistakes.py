"""The small mistakes that can be made in a file, each as a replacement of a part of its text."""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
#: Mistakes that make no difference, each with the reason.
EXPLAINED = ROOT / "tests" / "mutants_explained.toml"

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}
#: Names that are often an index; another name in brackets may be a key.
_INDICES = {"at", "index", "i", "number", "place", "seat", "side", "deal", "turn", "game", "row"}
#: What follows a word of a template or a script in its place by mistake.
_TOKENS = {
    "===": "!==", "!==": "===", "&&": "||", "||": "&&", "<=": "<", ">=": ">", "true": "false",
    "false": "true", "Math.min": "Math.max", "Math.max": "Math.min", ".some(": ".every(",
    ".every(": ".some(", " + 1": " + 2", " - 1": " - 2", " < ": " <= ", " > ": " >= ",
}  # fmt: skip
_PLACEHOLDER = re.compile(r"\{[a-z_0-9]+\}")


@dataclass(frozen=True)
class Mutant:
    """A mistake: `new` in place of what stands in a file from `start` to `end`, in characters.

    `file` is a path below the project's folder, `line` counts from 1, and `change` says what became
    what. `function` is the outermost function with its class, "" outside functions and in data.
    """

    file: str
    function: str
    line: int
    start: int
    end: int
    new: str
    change: str

    @property
    def room(self) -> str:
        """The package that the mistake is in, or the module beside the packages."""
        parts = self.file.split("/")
        return parts[1].removesuffix(".py") if parts[0] == "canasta_notation" else parts[0]

    @property
    def code(self) -> str:
        """The line of the file, without its indentation."""
        return text_of(self.file).split("\n")[self.line - 1].strip()

    def applied(self) -> str:
        """Return the text of the file with the mistake in it."""
        text = text_of(self.file)
        return text[: self.start] + self.new + text[self.end :]


@cache
def text_of(file: str) -> str:
    """Return the text of a file below the project's folder."""
    return (ROOT / file).read_text("utf-8")


def digest_of(file: str) -> str:
    """Return what changes whenever the file does."""
    return hashlib.sha256(text_of(file).encode()).hexdigest()[:16]


# --- in Python ------------------------------------------------------------------------------------


def _expressions(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.expr]:
    """Yield what could be in an expression's place by mistake."""
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
            if not any(isinstance(each, ast.JoinedStr) for each in (node.left, node.right)):
                yield ast.BinOp(node.left, _other_sign(node.op), node.right)
        case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
            yield ast.Call(ast.Name(_CALLED[name], ast.Load()), node.args, node.keywords)
    match node:
        case ast.Call(args=[first, second, *others]) if not any(
            isinstance(each, ast.Starred) for each in node.args
        ):
            if ast.dump(first) != ast.dump(second):
                yield ast.Call(node.func, [second, first, *others], node.keywords)
        case ast.Subscript(slice=ast.Name(id=name) as place) if name in _INDICES:
            shifted = ast.BinOp(place, ast.Add(), ast.Constant(1))
            yield ast.Subscript(node.value, shifted, node.ctx)
        case ast.Tuple(elts=[_, _, *_] as elements) if _is_key(parent, field):
            for at in range(len(elements)):
                left = [*elements[:at], *elements[at + 1 :]]
                yield ast.Tuple(left, ast.Load()) if len(left) > 1 else left[0]
    plain = not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant)
    if field == "test" and isinstance(parent, ast.If | ast.IfExp | ast.While) and plain:
        assert isinstance(node, ast.expr)
        yield ast.UnaryOp(ast.Not(), node)


def _is_key(parent: ast.AST, field: str) -> bool:
    """Return whether a tuple there is a key: what is looked up, remembered or sorted by."""
    match parent:
        case ast.Subscript():
            return field == "slice"
        case ast.Dict():
            return field == "keys"
        case ast.Lambda() | ast.Compare():
            return True
    return isinstance(parent, ast.Assign) and "key" in ast.unparse(parent.targets[0])


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield what could be in a statement's place by mistake."""
    match node:
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


def _other_sign(op: ast.operator) -> ast.operator:
    return ast.Sub() if isinstance(op, ast.Add) else ast.Add()


#: Parts of code that no mistake is planted in: notes for type checkers, and text put together,
#: whose parts do not know their places before Python 3.12.
_LEFT_OUT = {"annotation", "returns", "decorator_list", "type_params"}


def _nodes(node: ast.AST) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Yield the nodes below a node that are code, each with its parent and its field there."""
    for field, value in ast.iter_fields(node):
        if field in _LEFT_OUT or isinstance(node, ast.JoinedStr):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield node, field, each
                yield from _nodes(each)


class _Source:
    """The text of a Python file, and where its nodes stand."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = text_of(file)
        self.starts = [0]
        for line in self.text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.lines = self.text.split("\n")

    def _offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def mutant(self, function: str, old: ast.expr | ast.stmt, new: ast.AST) -> Mutant:
        """Return the mistake of `new` in place of `old`, on as many lines."""
        start = self._offset(old.lineno, old.col_offset)
        end = self._offset(old.end_lineno or 0, old.end_col_offset or 0)
        spelled = ast.unparse(ast.fix_missing_locations(new))
        lost = self.text.count("\n", start, end) - spelled.count("\n")
        if isinstance(old, ast.expr):
            spelled = f"({spelled}" + "\n" * lost + ")"
        else:
            spelled += "\n" * lost
        was = ast.unparse(old).split("\n")[0]
        change = f"{was}  ->  {ast.unparse(new)}"
        return Mutant(self.file, function, old.lineno, start, end, spelled, change)

    def below(self, top: ast.AST, function: str) -> Iterator[Mutant]:
        for parent, field, node in _nodes(top):
            if isinstance(node, ast.stmt):
                for statement in _statements(node):
                    yield self.mutant(function, node, statement)
            elif isinstance(node, ast.expr):
                for expression in _expressions(node, parent, field):
                    yield self.mutant(function, node, expression)


def _in_python(file: str) -> Iterator[Mutant]:
    source = _Source(file)

    def inside(body: list[ast.stmt], name: str) -> Iterator[Mutant]:
        for each in body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from source.below(each, name + each.name)
            elif isinstance(each, ast.ClassDef):
                yield from inside(each.body, f"{each.name}.")
            elif isinstance(each, ast.Assign | ast.AnnAssign) and not name and each.value:
                yield from source.below(each, "")

    yield from inside(ast.parse(source.text).body, "")


# --- in data, templates and scripts ---------------------------------------------------------------


def _replaced(file: str, start: int, old: str, new: str) -> Mutant:
    line = text_of(file).count("\n", 0, start) + 1
    return Mutant(file, "", line, start, start + len(old), new, f"{old}  ->  {new}")


def _in_text(file: str, start: int, value: str) -> Iterator[Mutant]:
    """Yield the mistakes in a sentence that stands in a file at an offset."""
    found = [*_PLACEHOLDER.finditer(value)]
    for first, second in pairwise(found):
        if first[0] != second[0]:
            between = value[first.end() : second.start()]
            old = value[first.start() : second.end()]
            yield _replaced(file, start + first.start(), old, second[0] + between + first[0])
    for number in re.finditer(r"(?<![\w.-])[1-9]\d*(?![\w.])", value):
        yield _replaced(file, start + number.start(), number[0], str(int(number[0]) + 1))


def _exchanged(file: str, values: list[re.Match[str]]) -> Iterator[Mutant]:
    """Yield the exchange of neighbouring texts that have the same placeholders."""
    for first, second in pairwise(values):
        same = {*_PLACEHOLDER.findall(first["text"])} == {*_PLACEHOLDER.findall(second["text"])}
        if same and first["text"] != second["text"]:
            old = first["text"]
            new = second["text"]
            yield _replaced(file, first.start("text"), old, new)


def _in_toml(file: str) -> Iterator[Mutant]:
    text = text_of(file)
    kept = re.compile(
        r'^(?P<key>[\w."-]+) = (?:"(?P<text>(?:[^"\\\n]|\\.)*)"|(?P<bare>\S.*))$', re.M
    )
    values = [*kept.finditer(text)]
    by_key: dict[str, list[re.Match[str]]] = {}
    for value in values:
        if value["text"] is None:
            for change in re.finditer(r"(?<![\w.\"-])(?:\d+|true|false)(?![\w.\"])", value["bare"]):
                old = change[0]
                new = _TOKENS.get(old) or str(int(old) + 1)
                yield _replaced(file, value.start("bare") + change.start(), old, new)
        elif value["key"] not in ("when", "what", "why", "reason", "sentence"):
            yield from _in_text(file, value.start("text"), value["text"])
            by_key.setdefault(value["key"], []).append(value)
    for each in by_key.values():
        yield from _exchanged(file, each)


def _in_catalogue(file: str) -> Iterator[Mutant]:
    values = [
        *re.finditer(r'^msgstr(?:\[\d\])? "(?P<text>(?:[^"\\\n]|\\.)+)"$', text_of(file), re.M)
    ]
    for value in values:
        yield from _in_text(file, value.start("text"), value["text"])
    yield from _exchanged(file, values)


def _in_template(file: str) -> Iterator[Mutant]:
    text = text_of(file)
    for value in re.finditer(r"\{% (?:el)?if (?P<test>(?:[^%]|%(?!\}))+) %\}", text):
        yield _replaced(file, value.start("test"), value["test"], f"not ({value['test']})")
    shown = [*re.finditer(r"\{\{ (?P<text>[a-z_.]+) \}\}", text)]
    for first, second in pairwise(shown):
        if first["text"] != second["text"]:
            yield _replaced(file, first.start("text"), first["text"], second["text"])


def _in_script(file: str) -> Iterator[Mutant]:
    found = re.compile("|".join(re.escape(each) for each in sorted(_TOKENS, key=len, reverse=True)))
    at = 0
    for line in text_of(file).split("\n"):
        code = line.split("//")[0]
        if not code.lstrip().startswith("*"):
            for token in found.finditer(code):
                yield _replaced(file, at + token.start(), token[0], _TOKENS[token[0]])
        at += len(line) + 1


#: Where mistakes are planted, and how; what no pattern finds is not code and not data.
_KINDS: tuple[tuple[str, Callable[[str], Iterator[Mutant]]], ...] = (
    ("canasta_notation/**/*.py", _in_python),
    ("canasta_notation/**/*.toml", _in_toml),
    ("grammar/slips.toml", _in_toml),
    ("canasta_notation/**/*.po", _in_catalogue),
    ("canasta_notation/page/*.html", _in_template),
    ("canasta_notation/page/page.js", _in_script),
    ("canasta_notation/app/web/**/*.js", _in_script),
)


def every_mutant() -> Iterator[Mutant]:
    """Yield every mistake that can be planted, file by file."""
    for pattern, mistakes in _KINDS:
        for path in sorted(ROOT.glob(pattern)):
            yield from mistakes(str(path.relative_to(ROOT)))


def dropped_statements(pattern: str) -> list[Mutant]:
    """Return the mutants that drop a call at the start of which the pattern is found."""
    paths = sorted((ROOT / "canasta_notation").rglob("*.py"))
    return [
        mutant
        for path in paths
        if re.search(pattern, path.read_text("utf-8"))
        for mutant in _in_python(str(path.relative_to(ROOT)))
        if mutant.change.endswith("->  pass") and re.match(pattern, mutant.change)
    ]


def explained() -> dict[tuple[str, str, str, str], str]:
    """Return the reasons of mistakes that make no difference, by their place and change."""
    rows = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
    return {(it["file"], it["function"], it["code"], it["change"]): it["reason"] for it in rows}
