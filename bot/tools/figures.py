"""`python -m bot.tools.figures`: counts what says how much there is to hold in mind, and prints it beside its limit."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import typer

ROOT: Final = Path(__file__).parents[2]
FLOORS: Final = ("platform", "tables", "features")
"""The floors of the host, lowest first: none imports a higher one."""

NOT_HOST: Final = ("games", "rules", "pictures", "sandbox", "commands", "tools")
SUBJECTS: Final = {"block": 14, "invit": 16, "tournament": 20, "puzzle": 18}
"""Words of features, and in how many files of the bot each may stand."""

SHORT: Final = 40
MOST_WORDS: Final = 30_000
"""How many words the docs, README.md, CONTRIBUTING.md and the changelog may have together."""

SETTINGS: Final = "settings"


@dataclass(frozen=True)
class Module:
    """A file of Python."""

    path: Path

    @cached_property
    def text(self) -> str:
        """What it says."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n")

    @property
    def parts(self) -> tuple[str, ...]:
        """Its folders below the checkout, and its name."""
        return self.path.relative_to(ROOT).with_suffix("").parts

    def imported(self) -> Iterator[tuple[str, ...]]:
        """Yield the modules that it imports, and the names that may be modules, by their parts."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from (tuple(f"{node.module}.{alias.name}".split(".")) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from (tuple(alias.name.split(".")) for alias in node.names)


def main() -> None:
    """Print the figures."""
    bot = read_modules("bot")
    host = [module for module in bot if module.parts[1] not in NOT_HOST] + read_modules("cogs")
    protocols, host_protocols = count_protocols(bot, ("sandbox",)), count_protocols(bot, ("rules", "games", "sandbox"))
    private, used_once = count_private_functions(bot)
    pairs = feature_pairs(bot)
    own_pairs = [pair for pair in pairs if SETTINGS not in pair]
    subjects = [
        module for module in (*bot, *read_modules("cogs")) if not {"games", "sandbox", "migrations"} & set(module.parts)
    ]
    figures: Mapping[str, tuple[int, int]] = {
        "files of bot/": (len(bot), 470),
        "lines of bot/": (sum(module.lines for module in bot), 74_000),
        "files of the host, with cogs": (len(host), 250),
        "lines of the host, with cogs": (sum(module.lines for module in host), 38_000),
        f"files under {SHORT} lines": (sum(module.lines < SHORT for module in bot), 60),
        "lines of the longest file": (max(module.lines for module in bot), 500),
        "imports that run upward": (sum(1 for _ in upward_imports(bot)), 0),
        "pairs of features that import each other": (len(pairs), 28),
        "of these without settings": (len(own_pairs), 13),
        **{
            f"files with the word {word}": (sum(word in each.text.lower() for each in subjects), most)
            for word, most in SUBJECTS.items()
        },
        "protocols": (protocols, 24),
        "protocols outside rules and games": (host_protocols, 8),
        "private functions used once": (used_once, 1100),
        "in % of private functions": (round(100 * used_once / private), 55),
        "migrations": (len(list((ROOT / "bot/platform/database/migrations/versions").glob("[0-9]*.py"))), 1),
        "decisions": (len(list((ROOT / "docs/decisions").glob("[0-9]*.md"))), 18),
        "words of docs and changelog": (count_words(), MOST_WORDS),
        "lines of tests": (sum(module.lines for module in read_modules("tests")), 90_000),
    }
    for name, (value, limit) in figures.items():
        typer.echo(f"{name:42}{value:>9,}  at most {limit:>7,}{'' if value <= limit else '  missed'}")


def read_modules(folder: str) -> list[Module]:
    """Return the modules in a folder, sorted by path."""
    return [Module(path) for path in sorted((ROOT / folder).rglob("*.py"))]


def upward_imports(modules: list[Module]) -> Iterator[tuple[str, str]]:
    """Yield the imports from a floor of the host to a higher one."""
    names = {module.parts for module in modules}
    for module in modules:
        found = {name if name in names else name[:-1] for name in module.imported() if name[0] == "bot"}
        for name in sorted(found):
            floors = module.parts[1], name[1] if len(name) > 1 else ""
            if set(floors) <= {*FLOORS, "app"} and _floor(floors[0]) < _floor(floors[1]):
                yield ".".join(module.parts), ".".join(name)


def _floor(package: str) -> int:
    return FLOORS.index(package) if package in FLOORS else len(FLOORS)


def feature_pairs(modules: list[Module]) -> set[frozenset[str]]:
    """Return the pairs of features of which one imports the other."""
    ends = (
        frozenset({module.parts[2], name[2]})
        for module in modules
        for name in module.imported()
        if module.parts[1] == "features" and len(module.parts) > 2 and name[:2] == ("bot", "features") and len(name) > 2
    )
    return {pair for pair in ends if len(pair) > 1}


def count_protocols(modules: list[Module], left_out: tuple[str, ...]) -> int:
    """Return how many protocols are defined outside some packages."""
    counted = (node for module in modules if module.parts[1] not in left_out for node in ast.walk(module.tree))
    bases = (", ".join(map(ast.unparse, node.bases)) for node in counted if isinstance(node, ast.ClassDef))
    return sum(re.search(r"(^|, |typing\.)Protocol\b", names) is not None for names in bases)


def count_private_functions(modules: list[Module]) -> tuple[int, int]:
    """Return how many private functions there are, and how many of them their module uses once."""
    total = once = 0
    for module in modules:
        nodes = list(ast.walk(module.tree))
        named = (
            node.id if isinstance(node, ast.Name) else node.attr
            for node in nodes
            if isinstance(node, ast.Name | ast.Attribute)
        )
        uses = Counter(named)
        names = [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        private = [name for name in names if name.startswith("_") and not name.startswith("__")]
        total += len(private)
        once += sum(uses[name] == 1 for name in private)
    return total, once


def count_words() -> int:
    """Return how many words the pages have that explain Parlour, with the changelog."""
    pages = (*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")), *(ROOT / "docs").rglob("*.md"))
    return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)


if __name__ == "__main__":
    typer.run(main)
