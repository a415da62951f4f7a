"""The names of pictures in the gallery."""

from bot.tables.registry import AnyPackage
from bot.tools.showcases import list_showcases

BADGES, PROFILE = "badges", "profile"
"""The pictures of all badges, and of a person with badges."""

GAME_LIST = "games"
"""The picture of all games, as in `/play` and `/help`."""

DAY = "day"
"""The picture of the menu of the day."""

LOBBY, BANNER, CARD, LEADERBOARD = "lobby", "banner", "card", "leaderboard"
"""The pictures of a lobby, of a table with a banner, of a shared result, and of a leaderboard."""

RESULT = "result"
"""The picture of the result of a whole game."""

RESIGNED = "resigned"
"""The picture of a table ended by resignations. It is not a showcase, because computer players do not resign."""


def picture_names(package: AnyPackage) -> list[str]:
    """Return the names of a game's pictures in the gallery."""
    names = [showcase.name for showcase in list_showcases(package.game.info.key)]
    if package.look.build_picture is None:
        return names
    return [*names, RESULT] if package.game.info.is_solo else [*names, RESULT, RESIGNED]
