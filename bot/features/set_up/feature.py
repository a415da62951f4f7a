"""Registers the greeting and the set-up."""

import discord

from bot.features.help.messages import HelpId, HelpTopic
from bot.features.set_up.handlers import Greeter, SetUp
from bot.features.set_up.messages import SetUpId, SetUpMenuId, render_greeting
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.service import ServerRules
from bot.platform.discord.content import Button
from bot.platform.registration import ClientEvent
from bot.tables.app import App, Feature
from bot.words import gettext as _


def register(app: App) -> Feature:
    """Register the greeting and the set-up."""
    set_up = SetUp(app.service(ServerRules), app.service(SettingsPanels), app.ephemeral_messages, _make_play_button)
    greeter = Greeter(
        app.db,
        app.table_messages.message_client,
        lambda guild_id: app.find_server(guild_id),  # noqa: PLW0108 - set later
        app.clock,
        app.languages,
        lambda: render_greeting([_(package.game.info.title) for package in app.games.values()], _make_play_button()),
    )
    return Feature(
        services=(set_up, greeter),
        buttons={SetUpId: set_up.press, SetUpMenuId: set_up.choose},
        each_minute=(greeter.prune,),
        listeners={ClientEvent.SERVER_ENTERED: greeter.greet},
    )


def _make_play_button() -> Button:
    """Return the button that shows the games."""
    return Button(_("Play"), str(HelpId(HelpTopic.PLAY)), discord.ButtonStyle.success)
