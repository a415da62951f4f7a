"""`check` in a checkout also lists what it lacks."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bot.commands.check import report_problems
from bot.tables.registry import AnyPackage
from bot.tools.picture_names import picture_names

ROOT = Path(__file__).parents[2]

PERMISSIONS = "tests/ui/permissions/test_commands.py"

TABLES_LISTS = 2
"""The number of lists of games in docs/tables.md: heights of pictures, and clicks."""


def check() -> None:
    """Load games, commands and art, look at settings and database, and exit with status 1 if there are problems."""
    report_problems(find_missing)


def find_missing(games: Mapping[str, AnyPackage], commands: Sequence[str], root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each thing missing in a checkout; nothing outside a checkout.

    Args:
        games: The games.
        commands: All commands, such as `/magpie roll`.
        root: The folder of the checkout.
    """
    if not (root / "tests").is_dir():
        return
    for package in games.values():
        yield from _find_missing_words(package, root)
        yield from _find_missing_tests(package, root)
        yield from _find_missing_permissions(package, commands, root)
        info = package.game.info
        if package.study.puzzles is not None and not (root / "data" / info.key / "puzzles.json").exists():
            yield f"{info.title}: it has no puzzles; `python -m bot puzzles {info.key}` writes some."
        if package.look.build_picture is not None:
            yield from _find_missing_pictures(package, root)


def _find_missing_words(package: AnyPackage, root: Path) -> Iterator[str]:
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


def _find_missing_tests(package: AnyPackage, root: Path) -> Iterator[str]:
    info, folder = package.game.info, root / "tests" / "games" / package.game.info.key
    if not any(folder.glob("test_*.py")):
        yield f"{info.title}: tests/games/{info.key} needs tests of its rules."
    if package.words.build_hand_screen is not None and not (folder / "hidden.py").exists():
        yield f"{info.title}: tests/games/{info.key}/hidden.py needs `redeal_hidden`, which deals hidden pieces again."


def _find_missing_permissions(package: AnyPackage, commands: Sequence[str], root: Path) -> Iterator[str]:
    info, cases = package.game.info, _read(root / PERMISSIONS)
    for command in commands:
        # The cases of `new` are made from a list of the games' commands.
        if command.startswith(f"/{info.command} ") and f'"{command[1:].removesuffix(" new")}"' not in cases:
            yield f"{info.title}: {PERMISSIONS} needs to say who may use {command}."


def _find_missing_pictures(package: AnyPackage, root: Path) -> Iterator[str]:
    info = package.game.info
    if package.results.scores_of is None:
        yield f"{info.title}: its package needs `scores_of`, from which the picture of a result draws the race."
    if _read(root / "docs" / "tables.md").count(f"\n| {info.title} |") < TABLES_LISTS:
        yield f"{info.title}: docs/tables.md needs a row in each of its {TABLES_LISTS} lists of games."
    if f"(docs/pictures/{info.key}-" not in _read(root / "README.md"):
        yield f"{info.title}: README.md needs a picture; `python -m bot gallery DIR --game {info.key}` draws some."
    for name in picture_names(package):
        if not (root / "tests" / "pictures" / "golden" / f"{info.key}-{name}.png").exists():
            yield (
                f"{info.title}: the golden picture {info.key}-{name}.png is missing; "
                f"`python -m tests.pictures.golden --game {info.key}` draws it."
            )


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""
