"""Every rule of Fortune is cited by a test that proves it."""

import ast
from functools import cache
from pathlib import Path

from tests.support.each_case import each_case

RULES = (
    *(f"FO-{number}" for number in range(1, 12)),
    *(f"FO-C{number}" for number in range(1, 10)),
    *(f"FO-E{number}" for number in range(1, 4)),
    "FO-O1",
)


@cache
def cited_rules() -> set[str]:
    """Return the rules that the docstrings of tests name."""
    docstrings = [
        ast.get_docstring(node) or ""
        for file in sorted(Path(__file__).parent.glob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    words = " ".join(docstrings).replace(",", " ").replace(".", " ").replace(":", " ").replace(";", " ")
    return {word for word in words.split() if word.startswith("FO-")}


@each_case("rule", RULES)
def test_the_rule_is_cited(rule: str) -> None:
    assert rule in cited_rules()


def test_no_other_rule_is_cited() -> None:
    assert cited_rules() - set(RULES) == set()
