"""Finds what is missing around a game: documentation, tests and golden pictures."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.tables.registry import AnyPackage

ROOT = Path(__file__).parents[2]

TABLES_LISTS = 2
"""The lists of games in docs/tables.md: heights of pictures, and clicks."""


def find_missing(games: "Mapping[str, AnyPackage]", root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for everything missing in a checkout; nothing outside a checkout."""
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
        yield f"{info.title}: tests/games/{info.key}/hidden.py needs `redeal_hidden`, which deals hidden pieces again."


def _find_missing_pictures(package: "AnyPackage", root: Path) -> Iterator[str]:
    info = package.game.info
    if package.scores_of is None:
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


BADGES, PROFILE = "badges", "profile"
"""The pictures of all badges, and of a person who has them."""

GAME_LIST = "games"
"""The picture of all games, as in `/play` and `/help`."""

LOBBY, BANNER, CARD, LEADERBOARD = "lobby", "banner", "card", "leaderboard"
"""The pictures of a lobby, of a table with a banner, of a shared result, and of a leaderboard."""

RESULT = "result"
"""The picture of the result of a whole game."""

RESIGNED = "resigned"
"""The picture of a table ended by resignations. It is not a showcase, because computer players do not resign."""


def picture_names(package: "AnyPackage") -> list[str]:
    """Return the names of a game's pictures in the gallery."""
    names = [showcase.name for showcase in package.showcases]
    if package.build_picture is None:
        return names
    return [*names, RESULT] if package.game.info.is_solo else [*names, RESULT, RESIGNED]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""
