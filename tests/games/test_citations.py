"""Every rule is cited by the code that keeps it and by a test that proves it."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import bot.games
from tests.support.games import load_games_once

_ID: Final = re.compile(r"\b([A-Z]{2}-[A-Z]?)(\d+)\b")
_RANGE: Final = re.compile(r"\b([A-Z]{2}-[A-Z]?)(\d+) to \1(\d+)\b")
_TESTS: Final = Path(__file__).parent
_CODE: Final = Path(bot.games.__file__ or "").parent

Rule = tuple[str, int]
"""The series of a rule, such as `FO-C`, and its number in the series."""


def find_rules(text: str) -> set[Rule]:
    """Return the rules that a text cites, also those between two such as `FO-C1 to FO-C9`."""
    between = {
        (series, number) for series, first, last in _RANGE.findall(text) for number in range(int(first), int(last) + 1)
    }
    return {(series, int(number)) for series, number in _ID.findall(text)} | between


def cited_in_code(key: str) -> set[Rule]:
    """Return the rules that the code of a game cites."""
    return {rule for file in (_CODE / key).rglob("*.py") for rule in find_rules(file.read_text(encoding="utf-8"))}


@cache
def cited_in_tests() -> set[Rule]:
    """Return the rules that docstrings of tests cite."""
    return {
        rule
        for file in _TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        for rule in find_rules(ast.get_docstring(node) or "")
    }


@pytest.mark.parametrize("key", load_games_once())
def test_the_code_of_a_game_cites_the_rules_that_its_tests_prove(key: str) -> None:
    cited = cited_in_code(key)
    games = {series.partition("-")[0] for series, _number in cited}
    assert len(games) <= 1, "the rules of a game begin with the same letters"
    assert cited == {rule for rule in cited_in_tests() if rule[0].partition("-")[0] in games}


@pytest.mark.parametrize("key", load_games_once())
def test_no_rule_is_left_out(key: str) -> None:
    numbers = defaultdict[str, set[int]](set)
    for series, number in cited_in_code(key):
        numbers[series].add(number)
    for series, cited in numbers.items():
        assert cited == set(range(min(cited), max(cited) + 1)), series
        assert min(cited) <= 1, series
