"""Every rule of Change is cited by a test that proves it, and by the code that keeps it."""

import re
from functools import cache
from pathlib import Path

from bot.games import change
from tests.support.each_case import each_case

IDS = (
    *(f"CH-{number}" for number in range(1, 15)),
    *(f"CH-M{number}" for number in range(1, 5)),
    *(f"CH-C{number}" for number in range(10)),
    *(f"CH-S{number}" for number in range(1, 7)),
)

_DOCSTRING = re.compile(r'def test_\w+\([^)]*\)[^:]*:\n\s+"""([^"]*)"""')
_ID = re.compile(r"CH-[MCS]?\d+")
_RANGE = re.compile(r"(CH-[MCS]?)(\d+) to \1(\d+)")

HERE = Path(__file__).parent
CODE = Path(change.__file__).parent


def expand_ids(text: str) -> set[str]:
    """Return the ids in a text, with those that lie between two of them."""
    ranges = ((prefix, range(int(first), int(last) + 1)) for prefix, first, last in _RANGE.findall(text))
    between = {f"{prefix}{number}" for prefix, numbers in ranges for number in numbers}
    return set(_ID.findall(text)) | between


@cache
def cited_in_tests() -> set[str]:
    texts = (file.read_text(encoding="utf-8") for file in HERE.glob("test_*.py"))
    return {found for text in texts for docstring in _DOCSTRING.findall(text) for found in expand_ids(docstring)}


@cache
def cited_in_code() -> set[str]:
    return {found for file in CODE.glob("*.py") for found in expand_ids(file.read_text(encoding="utf-8"))}


@each_case("rule", IDS)
def test_the_rule_is_cited(rule: str) -> None:
    assert rule in cited_in_tests()
    assert rule in cited_in_code()


def test_no_other_rules_are_cited() -> None:
    assert cited_in_tests() | cited_in_code() <= set(IDS)
