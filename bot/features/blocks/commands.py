"""The commands `/block` and `/unblock`."""

from dataclasses import dataclass
from typing import Final

import discord
from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.blocks.service import MAX_BLOCKS, Blocks
from bot.features.blocks.storage import BlockReason
from bot.platform.discord.answers import Interaction, deferred_if_slow, send_ephemeral
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption, chosen_value
from bot.platform.discord.private_messages import edit_or_send_ephemeral, send_ephemeral_content
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.tables.refusals import LimitFacts
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.links import escape_name
from bot.words import gettext as _

_MENU_SIZE: Final = 25


@dataclass(frozen=True)
class UnblockId(CustomId, prefix="U"):
    """A page of the menu of people whom a person blocks; its values are user ids."""

    page: int


class BlockCommands:
    """Blocks and unblocks people, and shows a person their own blocks. Nobody else learns of them."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    @deferred_if_slow
    async def block(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Block a person."""
        if person.id == command.user.id:
            raise Refusal(BlockReason.BLOCKED_YOURSELF)
        if person.bot:
            raise Refusal(BlockReason.BLOCKED_COMPUTER)
        if not await self._blocks.add(command.user.id, person.id):
            raise Refusal(BlockReason.TOO_MANY_BLOCKS, LimitFacts(MAX_BLOCKS))
        text = _(
            "You have blocked {name}. You two won't share a new table in any server, and neither of you can "
            "invite the other. They get no notice, but may guess it when they can't take a free seat. Tables and "
            "series that you already share go on. `/unblock` lists the people you have blocked."
        )
        await send_ephemeral(command, text.format(name=escape_name(person.display_name)))

    @deferred_if_slow
    async def unblock(self, command: Interaction, person: discord.Member | discord.User | None) -> None:
        """Unblock a person, or show a list to choose from."""
        if person is None:
            await send_ephemeral_content(command, await self._render(command.user.id))
            return
        if not await self._blocks.remove(command.user.id, person.id):
            raise Refusal(BlockReason.NOT_BLOCKED)
        text = _("You have unblocked {name}.")
        await send_ephemeral(command, text.format(name=escape_name(person.display_name)))

    async def unblock_chosen(self, click: Interaction) -> None:
        """Unblock the person chosen in the list, and show the remaining ones."""
        chosen = chosen_value(click)
        if not (chosen.isascii() and chosen.isdecimal() and len(chosen) <= 20):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        await self._blocks.remove(click.user.id, int(chosen))
        await edit_or_send_ephemeral(click, await self._render(click.user.id))

    async def _render(self, blocker_id: int) -> MessageContent:
        """Render the people whom a person blocks, with a menu of the newest. Their names come from Discord."""
        blocked = list(enumerate(await self._blocks.list_by(blocker_id), 1))
        if not blocked:
            embed = discord.Embed(description=_("You haven't blocked anyone."), colour=PLAIN_COLOUR)
            return MessageContent(embed.to_dict())
        lines = "\n".join(f"{number}. <@{user_id}>" for number, user_id in blocked)
        embed = discord.Embed(title=_("People you have blocked"), description=lines, colour=PLAIN_COLOUR)
        options = tuple(
            SelectOption(_("Unblock number {number}").format(number=number), str(user_id))
            for number, user_id in blocked[-_MENU_SIZE:]
        )
        return MessageContent(embed.to_dict(), menus=(SelectMenu(_("Unblock …"), str(UnblockId(1)), options),))


class BlockCog(commands.Cog):
    """`/block` and `/unblock`."""

    @app_commands.command(name="block", description=_("Never share a table with someone; they get no notice"))
    @app_commands.describe(member=_("Who to block, in every server"))
    async def block(self, command: ParlourInteraction, member: Member | User) -> None:
        """Block a person."""
        await command.client.app.service(BlockCommands).block(command, member)

    @app_commands.command(name="unblock", description=_("See the people you have blocked, and unblock them"))
    @app_commands.describe(member=_("Who to unblock; the list if left out"))
    async def unblock(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Unblock a person."""
        await command.client.app.service(BlockCommands).unblock(command, member)
