"""Greets servers, and guides their managers through the set-up."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.features.set_up import storage
from bot.features.set_up.messages import (
    STEPS,
    SetUpId,
    SetUpMenuId,
    SetUpStep,
    asked_steps,
    render_check,
    render_question,
)
from bot.features.set_up.permissions import PermissionCheck, check_permissions, find_places_to_greet
from bot.features.settings.all_settings import CHANNELS
from bot.features.settings.handlers import SettingsPanels, require_manager, require_server
from bot.features.settings.kinds import Chosen
from bot.features.settings.reasons import SettingReason
from bot.features.settings.service import ServerRules
from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow, is_command
from bot.platform.discord.channels import fetch_channels
from bot.platform.discord.connection_state import NEW_FOR
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import MessageClient, post_in_channel
from bot.platform.discord.languages import Languages
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.rules.refusals import Refusal

log = logging.getLogger(__name__)

_KEPT: Final = NEW_FOR + timedelta(hours=1)
"""The time for which it is known that a server was greeted, by clocks that may differ."""

_MOST_TRIES: Final = 3
"""The most channels in which the bot tries to post a greeting."""


class Greeter:
    """Posts one greeting in each server that the bot joins."""

    def __init__(
        self,
        db: Database,
        message_client: MessageClient,
        find_server: Callable[[int], discord.Guild | None],
        clock: Callable[[], datetime],
        languages: Languages,
        render: Callable[[], MessageContent],
    ) -> None:
        self._languages = languages
        self._db = db
        self._clock = clock
        self._message_client = message_client
        self._find_server = find_server
        self._render = render

    async def greet(self, guild_id: int, since: datetime, system_channel_id: int | None) -> None:
        """Greet a server that the bot has joined, unless it already has since then."""
        server = self._find_server(guild_id)
        channels = await fetch_channels(server)
        if server is None or channels is None:
            # The next start tries again, for a day.
            return
        # Databases store times with different precisions.
        if not await self._db.maintain(storage.note_greeting, guild_id, since.replace(microsecond=0)):
            return
        own = server.me
        places = find_places_to_greet(channels, lambda channel: channel.permissions_for(own), system_channel_id)
        with speaking(await self._languages.of_server(guild_id)):
            content = self._render()
        for channel_id in places[:_MOST_TRIES]:
            try:
                await post_in_channel(self._message_client, channel_id, content)
            except ChannelUnreachable as fault:
                log.info("server %s can't be greeted in channel %s: %s", guild_id, channel_id, fault)
            except DeliveryFailed as fault:
                log.info("server %s was not greeted: %s", guild_id, fault)
                return
            else:
                return

    async def prune(self) -> None:
        """Forget the greetings of servers that are no longer new."""
        await self._db.maintain(storage.prune_greetings, self._clock() - _KEPT)


class SetUp:
    """Asks the questions of the set-up in a private message, and checks permissions."""

    def __init__(
        self,
        rules: ServerRules,
        panels: SettingsPanels,
        ephemeral_messages: EphemeralMessages,
        make_play_button: Callable[[], Button],
    ) -> None:
        self._rules = rules
        self._panels = panels
        self._ephemeral_messages = ephemeral_messages
        self._make_play_button = make_play_button

    @deferred_if_slow
    async def check(self, command: Interaction) -> None:
        """Show what the bot lacks in the channels of the server."""
        _require_manager_here(command)
        await self._show(command, await self._render(command, SetUpStep.CHECK))

    async def press(self, click: Interaction, pressed: SetUpId) -> None:
        """Show a page.

        Raises:
            Refusal: The user does not manage the server.
        """
        _require_manager_here(click)
        await self._show(click, await self._render(click, pressed.stage))

    async def choose(self, click: Interaction, pressed: SetUpMenuId) -> None:
        """Apply the answer to a question, and show the page again; refuse like the settings panel."""
        _require_manager_here(click)
        if pressed.stage not in asked_steps():
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        news = await self._panels.choose(click, STEPS[pressed.stage][1])
        await self._show(click, await self._render(click, pressed.stage, news))

    async def _render(self, interaction: Interaction, step: SetUpStep, news: str = "") -> MessageContent:
        if step not in asked_steps():
            return render_check(await self._check(interaction), self._make_play_button())
        setting = STEPS[step][1]
        shown = await self._panels.describe(interaction, [setting])
        check = await self._check(interaction) if setting is CHANNELS else None
        return render_question(step, shown, check, news)

    async def _check(self, interaction: Interaction) -> PermissionCheck | None:
        """Return what the bot lacks in the channels of the server; None if they can't be looked up."""
        channels, server = await fetch_channels(interaction.guild), interaction.guild
        if channels is None or server is None:
            return None
        chosen: Chosen = await self._rules.settings_of(interaction)
        own = server.me
        return check_permissions(channels, lambda channel: channel.permissions_for(own), chosen)

    async def _show(self, interaction: Interaction, content: MessageContent) -> None:
        """Show content in the private message that was clicked, or in a new one, in place of a settings panel."""
        if is_command(interaction):
            shown = await send_ephemeral_content(interaction, content)
        elif (edited := await edit_or_send_ephemeral(interaction, content)) is not None:
            shown = edited
        else:
            return
        self._ephemeral_messages.replace_previous(interaction, EphemeralKind.SETTINGS, interaction.guild_id, shown)


def _require_manager_here(interaction: Interaction) -> None:
    """Raise a Refusal unless the user manages the server in which they act."""
    require_manager(interaction)
    require_server(interaction)
