"""The guides of the games: which pages a table's options bring, and what they say. The contract checks the rest."""

from typing import Any

from bot.tables.registry import AnyPackage
from tests.support.each_case import each_case
from tests.support.games import load_games_once

PACKAGES = load_games_once()


def titles_of(game: str, **options: Any) -> list[str]:
    package = PACKAGES[game]
    return [page.title for page in package.study.guide.build_pages(package.game.info.options(**options))]


def guide_text(package: AnyPackage, **options: Any) -> str:
    """Return all pages of a guide for a table with some options."""
    pages = package.study.guide.build_pages(package.game.info.options(**options))
    return "\n".join(f"{page.title}\n{page.text}" for page in pages)


@each_case(
    "game, used, unused, title",
    [
        ("magpie", {"double_big_rolls": True}, {}, "Double big rolls"),
        ("magpie", {"reroll_fours": True}, {}, "Re-roll fours"),
        ("magpie", {"five_dice_bonus": True}, {}, "Five-dice bonus"),
        ("fortune", {"nine_wins": True}, {}, "Nine wins"),
        ("change", {}, {"sets": False}, "Sets"),
        ("change", {"games": 3}, {}, "Tournament"),
    ],
)
def test_a_special_case_is_explained_where_the_table_uses_it(
    game: str, used: dict[str, Any], unused: dict[str, Any], title: str
) -> None:
    assert title in titles_of(game, **used)
    assert title not in titles_of(game, **unused)


@each_case(
    "game, options, words",
    [
        ("magpie", {"target": 250}, "**250** points"),
        ("fortune", {"target": 3000}, "more than **3,000** points"),
        ("houdinis_baggage", {"target": 15}, "**15** points"),
        ("change", {"credits": 50}, "**50** Self Credits"),
        ("change", {}, "tie-break from 50 credits"),
    ],
)
def test_numbers_are_those_of_the_table(game: str, options: dict[str, Any], words: str) -> None:
    assert words in guide_text(PACKAGES[game], **options)


def test_ch_13_a_tournament_has_no_tie_breaks() -> None:
    """CH-13."""
    assert "tie-break from 50 credits" not in guide_text(PACKAGES["change"], games=3)
