"""Games by the names that users type."""

from collections.abc import Mapping

from discord import app_commands

from bot.platform.discord.suggestions import make_choices
from bot.rules.package import ScoreKind
from bot.rules.refusals import Refusal
from bot.tables.refusal_facts import GamesFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.words import format_number, join_items


def suggest_games(games: Mapping[str, AnyPackage], typed: str) -> list[app_commands.Choice[str]]:
    """Suggest games by their titles."""
    titles = {key: package.game.info.title for key, package in games.items()}
    return make_choices((title, key) for key, title in titles.items() if typed.casefold() in title.casefold())


def find_game(games: Mapping[str, AnyPackage], name: str) -> AnyPackage:
    """Return the game with a key, command or title.

    Raises:
        Refusal: No game has that name.
    """
    wanted = name.strip().casefold()
    for key, package in games.items():
        if wanted in (key, package.game.info.command, package.game.info.title.casefold()):
            return package
    raise Refusal(
        HostReason.UNKNOWN_GAME, GamesFacts(join_items([package.game.info.title for package in games.values()]))
    )


_UNKNOWN_SCORE = ScoreKind(format_number)


def score_kind_of(games: Mapping[str, AnyPackage], key: str) -> ScoreKind:
    """Return a game's kind of score; a game that is no longer installed has plain numbers."""
    return games[key].score_kind if key in games else _UNKNOWN_SCORE


def title_of(games: Mapping[str, AnyPackage], key: str) -> str:
    """Return a game's title, made from its key if the game is no longer installed."""
    return games[key].game.info.title if key in games else key.replace("_", " ").title()
