"""What is kept to save time is bounded: a bot runs for months, and people choose options, names and tables."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def unbounded_caches(source: str) -> Iterator[int]:
    """Yield the lines of what `functools` keeps without a stated bound; a function without arguments has one value."""
    tree = ast.parse(source)
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    marks = [(mark, ast.unparse(each.args)) for each in functions for mark in each.decorator_list]
    sized = {id(each.func) for each in calls if _has_size(each)}
    for used, arguments in (*marks, *((each.func, "called") for each in calls)):
        name = ast.unparse(used).removeprefix("functools.")
        if (name == "cache" and arguments) or (name == "lru_cache" and id(used) not in sized):
            yield used.lineno


def _has_size(call: ast.Call) -> bool:
    sizes = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "maxsize")]
    return any(not (isinstance(size, ast.Constant) and size.value is None) for size in sizes)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("@cache\ndef one(number): ...", [1]),
        ("@functools.cache\ndef one(*, number): ...", [1]),
        ("kept = cache(look_up)", [1]),
        ("@lru_cache\ndef one(number): ...", [1]),
        ("@lru_cache(maxsize=None)\ndef one(number): ...", [1]),
        ("@functools.lru_cache(None)\ndef one(number): ...", [1]),
        ("@cache\ndef one(): ...\n@lru_cache(8)\ndef two(number): ...", []),
        ("@lru_cache(maxsize=SIZE)\ndef one(name): ...", []),
    ],
)
def test_the_search_finds_what_has_no_bound(source: str, lines: list[int]) -> None:
    assert [*unbounded_caches(source)] == lines


def test_every_cache_of_a_function_has_a_bound() -> None:
    files = [file for folder in ("bot", "cogs") for file in (ROOT / folder).rglob("*.py")]
    texts = {file: text for file in files if "cache" in (text := file.read_text(encoding="utf-8"))}
    found = [f"{file}:{line}" for file, text in texts.items() for line in unbounded_caches(text)]
    assert found == []
    assert len(texts) > 30
