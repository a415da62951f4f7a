"""The command `/settings`."""

from typing import Any

from discord import AppCommandOptionType, ChannelType, Interaction, Role, app_commands
from discord.ext import commands

from bot.features.settings.all_settings import (
    CHANNELS,
    DAILY_ROLE,
    HOST_CHOICES,
    LOG_CHANNELS,
    TABLE_CHANNELS,
    settings_of,
)
from bot.features.settings.daily_post import DailyPostCommands
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.kinds import Choice, Hours, Roles, SettingsSection, Switch
from bot.platform.discord.client import ParlourInteraction
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import HostChoice
from bot.tables.shown.words import suggest_games
from bot.words import gettext as _

TextChoice = app_commands.Choice[str]
Name = app_commands.Range[str, 1, 40]
_SIMPLE = [
    app_commands.Choice(name=_(setting.title), value=setting.key) for setting in settings_of(Switch, Choice, Hours)
]
_ROLE_SETTINGS = [
    app_commands.Choice(name=_(setting.title), value=setting.key)
    for setting in settings_of(Roles)
    if setting is not DAILY_ROLE
]
_HOST_CHOICES = [app_commands.Choice(name=_(label), value=choice.value) for choice, label in HOST_CHOICES.items()]


class PlaceTransformer(app_commands.Transformer):
    """Accepts a channel in which tables, or threads with tables, can be."""

    @property
    def type(self) -> AppCommandOptionType:
        """The type of the option."""
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        """The types of channels to offer."""
        return list(TABLE_CHANNELS)

    async def transform(self, _interaction: Interaction[Any], value: Any, /) -> Any:
        """Return the channel; its existence is checked later."""
        return value


class LogTransformer(PlaceTransformer):
    """Accepts a channel in which the log can be."""

    @property
    def channel_types(self) -> list[ChannelType]:
        """The types of channels to offer."""
        return list(LOG_CHANNELS)


Place = app_commands.Transform[app_commands.AppCommandChannel, PlaceTransformer]
LogPlace = app_commands.Transform[app_commands.AppCommandChannel, LogTransformer]


@app_commands.default_permissions(manage_guild=True)
class SettingsCog(
    commands.GroupCog,
    group_name="settings",
    group_description=_("How Parlour behaves in this server; for server managers"),
):
    """`/settings`: the panel, and a command for each kind of setting."""

    @app_commands.command(name="show", description=_("See and change all settings"))
    async def show(self, command: ParlourInteraction) -> None:
        """Show the panel with the settings."""
        await command.client.app.service(SettingsPanels).open(command)

    @app_commands.command(name="set", description=_("Change how tables look and play"))
    @app_commands.describe(setting=_("What to change"), value=_("What to change it to"))
    @app_commands.choices(setting=_SIMPLE)
    async def set_value(self, command: ParlourInteraction, setting: str, value: Name) -> None:
        """Choose a value."""
        await command.client.app.service(SettingsCommands).set_value(command, setting, value)

    @app_commands.command(name="channels", description=_("Choose where games are played; without a choice, everywhere"))
    @app_commands.describe(
        add=_("A channel where games may be played, with its threads"),
        remove=_("A channel to take from the list"),
    )
    async def channels(
        self, command: ParlourInteraction, add: Place | None = None, remove: Place | None = None
    ) -> None:
        """Add and remove channels."""
        await command.client.app.service(SettingsCommands).change_ids(command, CHANNELS.key, add, remove)

    @app_commands.command(name="roles", description=_("Choose who opens tables, and who else moderates them"))
    @app_commands.describe(
        setting=_("What the roles may do"), add=_("A role that may"), remove=_("A role to take from the list")
    )
    @app_commands.choices(setting=_ROLE_SETTINGS)
    async def roles(
        self, command: ParlourInteraction, setting: str, add: Role | None = None, remove: Role | None = None
    ) -> None:
        """Add and remove roles."""
        await command.client.app.service(SettingsCommands).change_ids(command, setting, add, remove)

    @app_commands.command(name="log", description=_("Choose the channel in which moderators read what was done"))
    @app_commands.describe(channel=_("Which channel; none if left out"))
    async def log(self, command: ParlourInteraction, channel: LogPlace | None = None) -> None:
        """Choose the log."""
        await command.client.app.service(SettingsCommands).choose_log(command, channel)

    @app_commands.command(name="daily", description=_("Choose where, when and for whom the daily post is"))
    @app_commands.describe(
        channel=_("The channel; a post a day, from then on"),
        hour=_("The full hour, 0 to 23"),
        zone=_("The time zone of the server, such as Europe/Berlin"),
        role=_("The role to mention"),
        off=_("Whether to end the posts"),
    )
    async def daily(
        self,
        command: ParlourInteraction,
        channel: LogPlace | None = None,
        hour: app_commands.Range[int, 0, 23] | None = None,
        zone: app_commands.Range[str, 1, 100] | None = None,
        role: Role | None = None,
        off: bool = False,
    ) -> None:
        """Choose the daily post."""
        await command.client.app.service(DailyPostCommands).choose(command, channel, hour, zone, role, is_off=off)

    @daily.autocomplete("zone")
    async def suggest_zone(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest time zones."""
        return command.client.app.service(DailyPostCommands).suggest_zones(current)

    @app_commands.command(name="fixed", description=_("Choose what hosts can't change at their tables"))
    @app_commands.describe(what=_("What hosts choose"), fixed=_("Whether it stays as the server has it"))
    @app_commands.choices(what=_HOST_CHOICES)
    async def fixed(self, command: ParlourInteraction, what: str, fixed: bool) -> None:
        """Fix what hosts choose."""
        await command.client.app.service(SettingsCommands).fix(command, HostChoice(what), is_fixed=fixed)

    @app_commands.command(name="game", description=_("Switch a game on or off"))
    @app_commands.describe(game=_("Which game"), on=_("Whether it can be played here"))
    async def game(self, command: ParlourInteraction, game: Name, on: bool) -> None:
        """Switch a game."""
        await command.client.app.service(SettingsCommands).switch_game(command, game, is_on=on)

    @app_commands.command(name="options", description=_("Choose the options that new tables of a game start with"))
    @app_commands.describe(
        game=_("Which game"), option=_("Which option; all are shown if left out"), value=_("What it starts with")
    )
    async def options(
        self, command: ParlourInteraction, game: Name, option: Name | None = None, value: Name | None = None
    ) -> None:
        """Choose a default option."""
        await command.client.app.service(SettingsCommands).set_option(command, game, option, value)

    @app_commands.command(name="changes", description=_("See who changed which settings lately"))
    async def changes(self, command: ParlourInteraction) -> None:
        """Show the newest changes."""
        await command.client.app.service(SettingsPanels).open(command, SettingsSection.CHANGES)

    @set_value.autocomplete("value")
    async def suggest_value(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the values of the chosen setting."""
        name = str(command.namespace.setting)
        return command.client.app.service(SettingsCommands).suggest_values(name, current)

    @game.autocomplete("game")
    @options.autocomplete("game")
    async def suggest_game(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest games by their titles."""
        return suggest_games(command.client.app.service(TableCommands).games, current)

    @options.autocomplete("option")
    async def suggest_option(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the options of the chosen game."""
        return command.client.app.service(SettingsCommands).suggest_options(str(command.namespace.game), current)

    @options.autocomplete("value")
    async def suggest_option_value(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the values of the chosen option."""
        given = command.namespace
        commands_ = command.client.app.service(SettingsCommands)
        return commands_.suggest_option_values(str(given.game), str(given.option), current)
