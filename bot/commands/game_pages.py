"""What pages and pictures tell of each game, and what they still miss of a new one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.tables.registry import AnyPackage

ROOT = Path(__file__).parents[2]

TABLES_LISTS = 3
"""The lists of games in docs/tables.md: what stands beside pictures, how high these are, and clicks."""


def find_missing(games: "Mapping[str, AnyPackage]", root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for everything that a checkout does not tell of a game yet; nothing outside a checkout."""
    if not (root / "tests").is_dir():
        return
    for package in games.values():
        yield from _find_missing_words(package, root)
        yield from _find_missing_tests(package, root)
        if package.build_picture is not None:
            yield from _find_missing_pictures(package, root)


def _find_missing_words(package: "AnyPackage", root: Path) -> Iterator[str]:
    info = package.game.info
    for page, words, wanted in (
        ("README.md", f"\n| {info.title} |", "a row in the list of games"),
        ("CHANGELOG.md", info.title, "a line that names it"),
        ("docs/commands.md", f"/{info.command} new", "its commands"),
        (
            "docs/fair-dice.md",
            f"\nFor {info.title}: the set-up ",
            f"the paragraph “For {info.title}: the set-up ...”",
        ),
    ):
        if words not in _read(root / page):
            yield f"{info.title}: {page} needs {wanted}."
    if (root / "data" / info.key).is_dir() and f"| `{info.key}` |" not in _read(root / "data" / "README.md"):
        yield f"{info.title}: data/README.md needs a row for `{info.key}`."


def _find_missing_tests(package: "AnyPackage", root: Path) -> Iterator[str]:
    info, folder = package.game.info, root / "tests" / "games" / package.game.info.key
    if not any(folder.glob("test_*.py")):
        yield f"{info.title}: tests/games/{info.key} needs tests of its rules."
    if package.build_hand_screen is not None and not (folder / "hidden.py").exists():
        yield f"{info.title}: tests/games/{info.key}/hidden.py must say how hidden pieces may lie otherwise."


def _find_missing_pictures(package: "AnyPackage", root: Path) -> Iterator[str]:
    info = package.game.info
    if _read(root / "docs" / "tables.md").count(f"\n| {info.title} |") < TABLES_LISTS:
        yield f"{info.title}: docs/tables.md needs a row in each of its {TABLES_LISTS} lists of games."
    if f"(docs/pictures/{info.key}-" not in _read(root / "README.md"):
        yield f"{info.title}: README.md needs a picture; `python -m bot gallery DIR --game {info.key}` draws some."
    for name in picture_names(package):
        if not (root / "tests" / "pictures" / "golden" / f"{info.key}-{name}.png").exists():
            yield (
                f"{info.title}: the golden picture {info.key}-{name}.png is not there; "
                f"`python -m tests.pictures.golden --game {info.key}` draws it."
            )


RESIGNED = "resigned"
"""The name of the picture of a table that all but one have resigned at: people resign, a showcase's players don't."""


def picture_names(package: "AnyPackage") -> list[str]:
    """Name the pictures that the gallery draws of a game."""
    names = [scene.name for scene in package.showcases]
    return names if package.game.info.is_solo or package.build_picture is None else [*names, RESIGNED]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""
