"""`python -m tests.private_names`: finds uses of what libraries keep for themselves; `make check` runs it.

ruff (SLF001) sees `other._name`. It does not see what is inherited through `self`, what is imported, what is named in a
string, nor what Pillow keeps for itself without an underscore. Those are found here, in the bot and its cogs.
"""

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

OURS: Final = ("bot", "cogs", "tests")
ROOT: Final = Path(__file__).parent.parent

WITHOUT_UNDERSCORE: Final = {"PIL": frozenset({"core", "im"})}
"""The insides of libraries that bear no sign of it, by the library that a module must import to be suspected."""

_ATTRIBUTE_FUNCTIONS: Final = frozenset({"getattr", "setattr", "hasattr", "delattr"})
_SUPPRESSED: Final = re.compile(r"#\s*noqa:.*\bSLF001\b")


def find_faults(source: str, module: ModuleType | None = None) -> Iterator[tuple[int, str]]:
    """Yield the line and the fault of each use of a private name; classes are looked up in the module."""
    tree = ast.parse(source)
    for number, line in enumerate(source.splitlines(), 1):
        if _SUPPRESSED.search(line):
            yield number, "ruff's rule on private members is switched off"
    insides = _private_attributes(tree)
    for node in ast.walk(tree):
        yield from _imported_names(node)
        yield from _find_by_name(node)
        if isinstance(node, ast.Attribute) and node.attr in insides:
            yield node.lineno, f".{node.attr} belongs to the insides of a library"
    for name, node in _classes(tree):
        yield from _find_inherited(node, _resolve(module, name))


def needs_module(source: str) -> bool:
    """Tell whether there is a class that may inherit from a library."""
    return any(node.bases for _, node in _classes(ast.parse(source)))


def _imported_names(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Import(names=names):
            paths = [each.name for each in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            paths = [f"{module}.{each.name}" for each in names]
        case _:
            return
    for path in paths:
        first, *_ = parts = path.split(".")
        if first not in OURS and any(map(_is_private, parts)):
            yield node.lineno, f"{path} is private"


def _find_by_name(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Call(func=ast.Name(id=asking), args=[_, ast.Constant(value=str(name)), *_]):
            if asking in _ATTRIBUTE_FUNCTIONS and _is_private(name):
                yield node.lineno, f"{asking} is asked for {name}"
        case _:
            pass


def _find_inherited(node: ast.ClassDef, made: type | None) -> Iterator[tuple[int, str]]:
    """Find private names of foreign classes used or overridden in a class that inherits from them."""
    if made is None:
        return
    foreign = [each for each in made.__mro__[1:] if each.__module__.split(".")[0] not in OURS and each is not object]
    own = set().union(*(_names_of(each) for each in made.__mro__ if each not in foreign and each is not object))
    for used in ast.walk(node):
        match used:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if _is_private(name):
                pass
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name) if _is_private(name):
                pass
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if _is_private(name):
                pass
            case _:
                continue
        holders = [each for each in foreign if hasattr(each, name) or name in _names_of(each)]
        if holders:
            yield used.lineno, f"{name} belongs to {holders[0].__module__}.{holders[0].__qualname__}"
        elif foreign and name not in own:
            yield (
                used.lineno,
                f"{name} is none of ours: {made.__qualname__} inherits it",
            )


@cache
def _names_of(made: type) -> frozenset[str]:
    """Return the names that a class defines, or that its methods set on `self`."""
    names = {*vars(made), *getattr(made, "__annotations__", ())}
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(made)))
    except (OSError, TypeError, SyntaxError):
        # Of a class that is not written in Python, only the definitions are known.
        return frozenset(names)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                names.add(name)
            case _:
                pass
    return frozenset(names)


def _private_attributes(tree: ast.AST) -> frozenset[str]:
    """Return the names of attributes that a module must not use, because of the libraries that it imports."""
    imported = {
        path.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for path in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }
    return frozenset().union(*(names for library, names in WITHOUT_UNDERSCORE.items() if library in imported))


def _classes(tree: ast.AST, within: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the classes of a module by their qualified names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield within + node.name, node
            yield from _classes(node, f"{within}{node.name}.")


def _resolve(module: ModuleType | None, name: str) -> type | None:
    found: object = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) else None


def _is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def main(folders: Sequence[str] = ("bot", "cogs")) -> int:
    """Print the uses found in the modules of some folders, and return the exit status."""
    found = 0
    for file in sorted(each for folder in folders for each in (ROOT / folder).rglob("*.py")):
        source, path = file.read_text(encoding="utf-8"), file.relative_to(ROOT)
        module = importlib.import_module(".".join(path.with_suffix("").parts)) if needs_module(source) else None
        for line, fault in find_faults(source, module):
            print(f"{path}:{line}: {fault}")
            found += 1
    print(f"{found} private names of libraries are used." if found else "No private name of a library is used.")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
