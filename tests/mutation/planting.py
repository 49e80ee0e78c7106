"""A mistake in this process: a function gets other code, or a value of a module is another."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from canasta_notation.replay import unwritten
from tests.mutation.mistakes import ROOT, Mutant, text_of


def runs_from_source() -> bool:
    """Return whether the engine runs from the source beside the tests and is not compiled."""
    engine = importlib.import_module("canasta_notation.engine.table").__file__
    return engine == str(ROOT / "canasta_notation" / "engine" / "table.py")


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Make the mistake of a mutant in a function, and take it back at the end."""
    function = _live(mutant)
    own = function.__code__
    plant(mutant)
    try:
        yield
    finally:
        function.__code__ = own
        forget()


def plant(mutant: Mutant) -> None:
    """Make the mistake of a mutant in this process; a file that is not Python is read anew.

    Raises LookupError if the module does not use what the mistake changes.
    """
    if mutant.file.endswith(".py"):
        code = compile(mutant.applied(), str(ROOT / mutant.file), "exec")
        if mutant.function:
            function = _live(mutant)
            function.__code__ = _code_of(code, mutant.function)
            _plant_defaults(function, mutant)
        else:
            _plant_value(mutant)
    forget()


def _module(mutant: Mutant) -> Any:
    return importlib.import_module(mutant.file.removesuffix(".py").replace("/", "."))


def _live(mutant: Mutant) -> FunctionType:
    """Return the function that a mutant changes, as its module uses it."""
    owner = _module(mutant)
    *outer, name = mutant.function.split(".")
    for each in outer:
        owner = vars(owner)[each]
    found = vars(owner)[name]
    while not isinstance(found, FunctionType):
        ways = ("__wrapped__", "fget", "__func__", "func")
        way = next((way for way in ways if hasattr(found, way)), None)
        if way is None:
            raise LookupError(mutant.function)
        found = getattr(found, way)
    return found


def _code_of(module: CodeType, name: str) -> CodeType:
    """Return the code that a function has in a module; the last one of its name, if overloaded."""
    stack = [module]
    found = None
    while stack:
        code = stack.pop()
        if code.co_qualname == name:
            found = found if found and found.co_firstlineno > code.co_firstlineno else code
        stack += [each for each in code.co_consts if isinstance(each, CodeType)]
    if found is None:
        raise LookupError(name)
    return found


def _definition(text: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    body: list[ast.stmt] = ast.parse(text).body
    found: Any = None
    for part in name.split("."):
        found = [each for each in body if getattr(each, "name", None) == part][-1]
        body = found.body
    return found  # type: ignore[no-any-return]


def _plant_defaults(function: FunctionType, mutant: Mutant) -> None:
    """Give a function the plain defaults that it has with the mistake."""
    was = _definition(text_of(mutant.file), mutant.function).args
    now = _definition(mutant.applied(), mutant.function).args
    if function.__defaults__:
        changed = zip(function.__defaults__, was.defaults, now.defaults, strict=True)
        function.__defaults__ = tuple(_default(*each) for each in changed)
    if function.__kwdefaults__:
        named = zip(now.kwonlyargs, was.kw_defaults, now.kw_defaults, strict=True)
        for argument, before, after in named:
            if before is not None and after is not None:
                held = function.__kwdefaults__[argument.arg]
                function.__kwdefaults__[argument.arg] = _default(held, before, after)


def _default(held: object, before: ast.expr, after: ast.expr) -> object:
    if ast.dump(before) == ast.dump(after):
        return held
    return ast.literal_eval(after)


def _plant_value(mutant: Mutant) -> None:
    """Compute the value of a module's name anew, and put it wherever the old one is used."""
    module = _module(mutant)
    tree = ast.parse(mutant.applied())
    covering = [each for each in tree.body if each.lineno <= mutant.line <= (each.end_lineno or 0)]
    values = {**vars(module)}
    exec(compile(ast.Module(covering, []), module.__file__, "exec"), values)
    own = {**vars(module)}
    changed = [name for name in own if values[name] is not own[name] and not name.startswith("__")]
    for each in [*sys.modules.values()]:
        if (getattr(each, "__name__", None) or "").startswith(("canasta_notation", "tests")):
            for name in changed:
                if vars(each).get(name) is own[name]:
                    setattr(each, name, values[name])


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
        if each is not _caches and each.__wrapped__ is not text_of.__wrapped__:
            each.cache_clear()
    unwritten._found.clear()
