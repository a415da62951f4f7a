"""How long the host waits, and how much it allows: every number and time that its modules name, but for pictures."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = ("bot/platform", "bot/tables", "bot/features")


def limits() -> str:
    """Return a paragraph for each module."""
    files = sorted(file for folder in _FOLDERS for file in (_ROOT / folder).rglob("*.py"))
    sources = ((str(file.relative_to(_ROOT)), file.read_text(encoding="utf-8")) for file in files)
    named = ((name, [*_limits_in(source)]) for name, source in sources if "bot.rules.picture" not in source)
    return "\n".join("".join(f"{line}\n" for line in (name, *lines)) for name, lines in named if lines)


def _limits_in(source: str) -> Iterator[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_limit(node.value):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield f"    {ast.unparse(target)} = {ast.unparse(node.value)}"


def _is_limit(value: ast.expr) -> bool:
    """Whether a value is a number, a time, or calculated from such."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.Call(func=ast.Name(id="timedelta"), args=[*args], keywords=[*keywords]):
            return all(map(_is_limit, (*args, *(keyword.value for keyword in keywords))))
        case ast.BinOp(left=left, right=right):
            parts = left, right
            return any(map(_is_limit, parts)) and all(isinstance(part, ast.Name) or _is_limit(part) for part in parts)
        case ast.Tuple(elts=[_, *_] as elements):
            return all(map(_is_limit, elements))
        case _:
            return False
