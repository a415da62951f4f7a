"""Bans and unbans members on behalf of moderators, and shows who is banned."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import discord
from discord.utils import format_dt

from bot.features.moderation.messages import BansId, LiftBanId, render_bans
from bot.features.moderation.model import Ban, BanTime, ModerationReason
from bot.features.moderation.service import Bans
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction, deferred_if_slow, send_ephemeral
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import server_of
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.private_messages import edit_or_send_ephemeral, send_ephemeral_content
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.tables.handlers.closing import with_reason
from bot.tables.shown.links import escape_name
from bot.words import N_, format_number, gettext as _, ngettext


def _describe_ban(ban: Ban) -> str:
    """Return a line of the log about a new ban."""
    line = _("{who} banned {other} until a moderator lifts the ban.")
    if ban.ends_at is not None:
        line = _("{who} banned {other} until {end}.")
    facts = {
        "who": f"<@{ban.by_id}>",
        "other": f"<@{ban.user_id}>",
        "end": ban.ends_at and format_dt(ban.ends_at),
    }
    return with_reason(line.format(**facts), ban.reason)


class BanCommands:
    """Applies the commands and menus about bans."""

    def __init__(self, bans: Bans, rules: ServerRules, log: ModeratorLog, clock: Callable[[], datetime]) -> None:
        self._bans = bans
        self._rules = rules
        self._log = log
        self._clock = clock

    @deferred_if_slow
    async def ban(
        self,
        command: Interaction,
        person: discord.Member | discord.User,
        reason: str,
        time: BanTime | None,
        *,
        tells_reason: bool,
    ) -> None:
        """Ban a member, for a time or without an end."""
        guild_id = await require_moderator(command, self._rules)
        if person.id == command.user.id:
            raise Refusal(ModerationReason.BAN_OF_YOURSELF)
        if person.bot:
            raise Refusal(ModerationReason.BAN_OF_BOT)
        if await self._rules.is_moderator(command, person):
            raise Refusal(ModerationReason.BAN_OF_MODERATOR)
        now = self._clock()
        ends_at = None if time is None else now + time.time
        ban = Ban(guild_id, person.id, command.user.id, reason.strip(), tells_reason, now, ends_at)
        await self._bans.ban(ban)
        self._log.note(guild_id, partial(_describe_ban, ban))
        left = await self._bans.take_out(guild_id, person.id)
        text = _("{name} can't play in this server until a moderator lifts the ban.")
        if ends_at is not None:
            text = _("{name} can't play in this server until {end}.")
        texts = [text.format(name=escape_name(person.display_name), end=ends_at and format_dt(ends_at))]
        if left:
            line = ngettext("They have left {count} table.", "They have left {count} tables.", left)
            texts.append(line.format(count=format_number(left)))
        await send_ephemeral(command, " ".join(texts))

    @deferred_if_slow
    async def unban(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Lift the ban of a member."""
        await self._lift(command, await require_moderator(command, self._rules), person.id)
        text = _("{name} can play in this server again.")
        await send_ephemeral(command, text.format(name=escape_name(person.display_name)))

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the bans."""
        guild_id = await require_moderator(command, self._rules)
        await send_ephemeral_content(command, await self._render(command, guild_id, 1))

    async def press(self, click: Interaction, pressed: BansId | LiftBanId) -> None:
        """Show a page of the bans, or lift the chosen one."""
        guild_id, news = await require_moderator(click, self._rules), ""
        if isinstance(pressed, LiftBanId):
            await self._lift(click, guild_id, require_id(chosen_value(click)))
            news = _("The ban is lifted.")
        await edit_or_send_ephemeral(click, await self._render(click, guild_id, pressed.page, news))

    async def render_page(self, interaction: Interaction, news: str) -> MessageContent:
        """Render the bans as a page of the settings."""
        return await self._render(interaction, interaction.guild_id or 0, 1, news)

    async def _lift(self, interaction: Interaction, guild_id: int, user_id: int) -> None:
        await self._bans.lift(guild_id, user_id)
        line, who = N_("{who} lifted the ban of {other}."), f"<@{interaction.user.id}>"
        self._log.note(guild_id, lambda: _(line).format(who=who, other=f"<@{user_id}>"))

    async def _render(self, interaction: Interaction, guild_id: int, page: int, news: str = "") -> MessageContent:
        bans = await self._bans.list_in(guild_id)
        return render_bans(bans, page, news, in_settings=interaction.permissions.manage_guild)


async def require_moderator(interaction: Interaction, rules: ServerRules) -> int:
    """Return the server's id; refuse in a direct message, and for people who don't moderate the server."""
    guild_id = server_of(interaction, ModerationReason.NOTHING_TO_MODERATE)
    if not await rules.may_moderate_server(interaction):
        raise Refusal(ModerationReason.MODERATORS_ONLY)
    return guild_id


def require_id(text: str) -> int:
    """Return the id that a menu has sent; raise a Refusal for anything else."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 20):
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return int(text)
