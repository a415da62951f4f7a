"""Shows the rules of games."""

from collections.abc import Mapping

import discord

from bot.rules.game import GameInfo, Options
from bot.rules.package import minutes_of
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import Interaction, send_ephemeral
from bot.ui.render.options_line import explain_options
from bot.ui.render.table_message import SEAT_COLOURS
from bot.words import format_minutes, gettext as _


class Guides:
    """Shows the rules of games to one user at a time."""

    def __init__(self, games: Mapping[str, AnyPackage], ephemeral_messages: EphemeralMessages) -> None:
        self._games = games
        self._ephemeral_messages = ephemeral_messages

    async def show(self, click: Interaction, game: str) -> None:
        """Show the rules of a game in a message that replaces any earlier one."""
        package = self._games.get(game)
        if package is None:
            raise Refusal(HostReason.UNKNOWN_BUTTON)
        shown = await send_ephemeral(click, embed=guide_embed(package))
        self._ephemeral_messages.replace_previous(click, EphemeralKind.GUIDE, (click.channel_id, game), shown)


def player_count_text(info: GameInfo[Options]) -> str:
    """Return the number of players of a game as text."""
    if info.is_solo:
        return _("1 player")
    return _("{least} to {most} players").format(least=info.least_seats, most=info.most_seats)


def duration_text(package: AnyPackage) -> str:
    """Return how long a game with default options takes, with the fewest and with the most players."""
    info = package.game.info
    defaults = info.options()
    return format_minutes(*(minutes_of(package, defaults, seats) for seats in (info.least_seats, info.most_seats)))


def guide_embed(package: AnyPackage) -> discord.Embed:
    """Return the rules of a game with the credits."""
    info = package.game.info
    embed = discord.Embed(title=info.title, description=_(package.guide.summary), colour=SEAT_COLOURS[0])
    for section in package.guide.sections:
        embed.add_field(name=_(section.title), value=_(section.text), inline=False)
    if options := explain_options(info.options):
        embed.add_field(name=_("Options"), value=options, inline=False)
    table = _("{players}, {time}.").format(players=player_count_text(info), time=duration_text(package))
    embed.add_field(name=_("At the table"), value=table, inline=False)
    embed.set_footer(text=_(info.credits))
    return embed
