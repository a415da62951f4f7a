"""The command `/settings`: what it changes, and its parts."""

from collections.abc import Iterable, Mapping
from typing import Any

import discord
from discord import AppCommandOptionType, ChannelType, Role, app_commands
from discord.abc import Snowflake
from discord.ext import commands

from bot.features.settings.all_settings import CHANNELS, GAMES, TABLE_CHANNELS, find_setting, settings_of
from bot.features.settings.daily_post import DailyPostCommands
from bot.features.settings.handlers import (
    SettingsPanels,
    existing_ids_of,
    parse_setting,
    require_choosable,
    require_manager,
    require_server,
)
from bot.features.settings.kinds import Choice, Hours, Ids, Roles, Setting, SettingsSection, Switch, labels_of
from bot.features.settings.posts import DAILY_ROLE, LOG, LOG_CHANNELS, TOURNAMENT_CHANNEL, TOURNAMENT_ROLE
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import FIXED, HOST_CHOICES
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.rules.game import Options
from bot.rules.options import encode_value, option_texts, option_values
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import HostChoice
from bot.tables.registry import AnyPackage
from bot.tables.shown.words import find_game, format_value, suggest_games
from bot.words import gettext as _

TextChoice = app_commands.Choice[str]
Name = app_commands.Range[str, 1, 40]
_SIMPLE = [
    app_commands.Choice(name=_(setting.title), value=setting.key) for setting in settings_of(Switch, Choice, Hours)
]
_ROLE_SETTINGS = [
    app_commands.Choice(name=_(setting.title), value=setting.key)
    for setting in settings_of(Roles)
    if setting not in (DAILY_ROLE, TOURNAMENT_ROLE)
]
_HOST_CHOICES = [app_commands.Choice(name=_(label), value=choice.value) for choice, label in HOST_CHOICES.items()]


class SettingsCommands:
    """Changes settings, and shows the page with the changed one."""

    def __init__(self, panels: SettingsPanels, games: Mapping[str, AnyPackage]) -> None:
        self._panels = panels
        self._games = games

    @deferred_if_slow
    async def set_value(self, command: Interaction, name: str, value: str) -> None:
        """Choose the value of a setting with a few values."""
        require_manager(command)
        setting, typed = parse_setting(name), value.strip().casefold()
        stored = next((text for text in labels_of(setting.values) if text.casefold() == typed), typed)
        await self._panels.ask_or_set(command, setting, stored)

    @deferred_if_slow
    async def change_ids(
        self, command: Interaction, name: str, add: Snowflake | None, remove: Snowflake | None
    ) -> None:
        """Add and remove channels or roles of a setting; without arguments, show them."""
        added, removed = _ids(add), _ids(remove)
        require_manager(command)
        require_server(command)
        setting = parse_setting(name)
        values = setting.values
        if not isinstance(values, Ids):
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        require_choosable(command, values, added)
        news = ""
        if added or removed:
            keep_existing = await existing_ids_of(command, values)

            def choose(chosen: frozenset[int]) -> frozenset[int]:
                return require_choosable(command, values, keep_existing((chosen | added) - removed))

            news = await self._panels.apply(command, setting, choose)
        await self._panels.show(command, setting.section, news)

    @deferred_if_slow
    async def switch_game(self, command: Interaction, name: str, *, is_on: bool) -> None:
        """Switch a game on or off."""
        require_manager(command)
        require_server(command)
        key = {find_game(self._games, name).game.info.key}

        def choose(games_off: frozenset[str]) -> frozenset[str]:
            return games_off - key if is_on else games_off | key

        await self._panels.show(command, GAMES.section, await self._panels.apply(command, GAMES, choose))

    @deferred_if_slow
    async def choose_log(self, command: Interaction, channel: Snowflake | None) -> None:
        """Choose the channel of the log, or none."""
        require_manager(command)
        require_server(command)
        news = await self._panels.apply(command, LOG, lambda _: _ids(channel))
        await self._panels.show(command, LOG.section, news)

    @deferred_if_slow
    async def choose_announcements(
        self, command: Interaction, channel: Snowflake | None, role: Snowflake | None, *, is_off: bool
    ) -> None:
        """Choose where tournaments are announced, and for which role."""
        require_manager(command)
        require_server(command)
        given: dict[Setting[Any], Any] = {}
        if role is not None:
            given[TOURNAMENT_ROLE] = require_choosable(command, TOURNAMENT_ROLE.values, _ids(role))
        if is_off or channel is not None:
            given[TOURNAMENT_CHANNEL] = frozenset() if is_off else _ids(channel)
        await self._panels.choose_all(command, given, SettingsSection.TOURNAMENTS)

    @deferred_if_slow
    async def fix(self, command: Interaction, choice: HostChoice, *, is_fixed: bool) -> None:
        """Fix one of the choices that hosts make at their tables, or leave it to them."""
        require_manager(command)
        require_server(command)

        def choose(fixed: frozenset[HostChoice]) -> frozenset[HostChoice]:
            return fixed | {choice} if is_fixed else fixed - {choice}

        await self._panels.show(command, FIXED.section, await self._panels.apply(command, FIXED, choose))

    @deferred_if_slow
    async def set_option(self, command: Interaction, name: str, option: str | None, value: str | None) -> None:
        """Choose the default of an option of a game; without option and value, show all defaults."""
        require_manager(command)
        package = find_game(self._games, name)
        key = package.game.info.key
        if option is None or value is None:
            await self._panels.show_defaults(command, key, 1)
        else:
            await self._panels.set_option(command, key, option, _encode(package, option, value))

    def suggest_values(self, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the values of a setting with a few values."""
        setting = find_setting(name)
        labels = {} if setting is None else labels_of(setting.values)
        return _matching(typed, ((_(label), value) for value, label in labels.items()))

    def suggest_options(self, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the options of a game."""
        texts = {} if (model := self._model(name)) is None else option_texts(model)
        return _matching(typed, ((_(text.label), option) for option, text in texts.items()))

    def suggest_option_values(self, name: str, option: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the values of an option of a game."""
        model = self._model(name)
        return [] if model is None else _matching(typed, _values(model, option))

    def _model(self, name: str) -> type[Options] | None:
        try:
            return find_game(self._games, name).game.info.options
        except Refusal:
            return None


def _ids(entity: Snowflake | None) -> frozenset[int]:
    return frozenset() if entity is None else frozenset({entity.id})


def _matching(typed: str, labels: Iterable[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    return make_choices(choice for choice in labels if typed.strip().casefold() in choice[0].casefold())


def _values(model: type[Options], option: str) -> list[tuple[str, str]]:
    """Return the values of an option to offer, each as players read it and as it is stored."""
    text = option_texts(model).get(option)
    if text is None:
        return []
    return [(format_value(text, value), encode_value(value)) for value in option_values(model(), option)]


def _encode(package: AnyPackage, option: str, typed: str) -> str:
    """Return the stored form of a typed value, if the option has such a value."""
    wanted = typed.strip().casefold()
    values = _values(package.game.info.options, option)
    return next((stored for label, stored in values if wanted in (label.casefold(), stored.casefold())), wanted)


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

    async def transform(self, _interaction: discord.Interaction[Any], value: Any, /) -> Any:
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

    @app_commands.command(name="tournaments", description=_("Choose where and for whom tournaments are announced"))
    @app_commands.describe(
        channel=_("The channel; a message when a tournament opens, and one when it has ended"),
        role=_("The role to mention"),
        off=_("Whether to end the announcements"),
    )
    async def tournaments(
        self, command: ParlourInteraction, channel: LogPlace | None = None, role: Role | None = None, off: bool = False
    ) -> None:
        """Choose the announcements of tournaments."""
        await command.client.app.service(SettingsCommands).choose_announcements(command, channel, role, is_off=off)

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
