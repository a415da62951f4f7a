"""All badges that there are: those of the games, and the words and medals of those that results earn."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.features.badges.model import OVERALL
from bot.rules.badges import MEDAL_FACE, Badge, medal
from bot.rules.components import die_marks
from bot.rules.picture import ColourRole, Mark, Rect, Sprite
from bot.tables.registry import AnyPackage
from bot.words import N_, gettext as _


class BadgeGroup(NamedTuple):
    """The badges of a game, or those of none."""

    key: str
    title: str
    badges: tuple[Badge, ...]


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.GOLD, *motif)


_FOUR_CROWNS: Final = tuple(
    Sprite("crown", Rect(MEDAL_FACE.x + 39 * (at % 2), MEDAL_FACE.y + 8 + 32 * (at // 2), 37, 27)) for at in range(4)
)

OVERALL_BADGES: Final = (
    Badge(
        "first_game",
        N_("First Game"),
        N_("Finish a game, alone or with others."),
        _medal(Sprite("flag", MEDAL_FACE.center(76, 56))),
    ),
    Badge(
        "first_win",
        N_("First Win"),
        N_("Win a game against people or computer players."),
        _medal(Sprite("crown", MEDAL_FACE.center(76, 56))),
    ),
    Badge(
        "grand_tour",
        N_("Grand Tour"),
        N_("Finish five different games."),
        _medal(*die_marks(5, MEDAL_FACE.inset(8), ColourRole.SEAT_1)),
    ),
    Badge("all_rounder", N_("All-Rounder"), N_("Win four different games."), _medal(*_FOUR_CROWNS)),
    Badge(
        "old_friend",
        N_("Old Friend"),
        N_("Play with people a hundred days after the first time."),
        _medal(
            Sprite("token-1", Rect(MEDAL_FACE.x, MEDAL_FACE.y + 16, 44, 44)),
            Sprite("token-2", Rect(MEDAL_FACE.x + 32, MEDAL_FACE.y + 16, 44, 44), may_overlap=True),
        ),
    ),
)
"""Those whose rules `bot.features.badges.overall` has, in the order in which they are shown."""


def list_groups(games: Mapping[str, AnyPackage]) -> tuple[BadgeGroup, ...]:
    """Return the badges that belong to no game, and then those of each game."""
    by_game = (BadgeGroup(key, package.game.info.title, package.badges) for key, package in games.items())
    return (BadgeGroup(OVERALL, _("All games"), OVERALL_BADGES), *(group for group in by_game if group.badges))


def count_badges(games: Mapping[str, AnyPackage]) -> int:
    """Return how many badges there are."""
    return sum(len(group.badges) for group in list_groups(games))


def find_badge(games: Mapping[str, AnyPackage], full_key: str) -> Badge | None:
    """Return a badge by its game and key, or None if it is gone."""
    group, _slash, key = full_key.partition("/")
    package = games.get(group)
    of_game: tuple[Badge, ...] = () if package is None else package.badges
    return next((each for each in (OVERALL_BADGES if group == OVERALL else of_game) if each.key == key), None)
