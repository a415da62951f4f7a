"""The commands of the settings, which do what the panel does."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from discord import app_commands

from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.ids import Setting, SettingsSection
from bot.features.settings.preferences import Preferences
from bot.features.settings.rules import (
    existing_ids_of,
    ids_in,
    require_manager,
    require_no_everyone,
    require_server,
    with_ids,
)
from bot.features.settings.values import VALUE_LABELS, section_of
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.suggestions import make_choices
from bot.rules.game import Options
from bot.rules.options import encode_value, option_texts, option_values
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.shown.game_names import find_game
from bot.tables.shown.options_line import format_value
from bot.words import gettext as _


class Entity(Protocol):
    """A channel or role."""

    @property
    def id(self) -> int:
        """Its id."""


class SettingsCommands:
    """Changes a setting and shows its page of the panel."""

    def __init__(self, panels: SettingsPanels, games: Mapping[str, AnyPackage]) -> None:
        self._panels = panels
        self._games = games

    @deferred_if_slow
    async def set_value(self, command: Interaction, name: str, value: str) -> None:
        """Choose the value of a setting that has a few."""
        require_manager(command)
        setting = _parse_setting(name)
        news = await self._panels.set_value(command, setting, value.strip().casefold())
        await self._panels.show(command, section_of(setting), news)

    @deferred_if_slow
    async def change_ids(self, command: Interaction, name: str, add: Entity | None, remove: Entity | None) -> None:
        """Add and remove channels or roles of a setting; without either, show them."""
        added, removed = _ids(add), _ids(remove)
        require_manager(command)
        require_server(command)
        setting = _parse_setting(name)
        if setting is not Setting.CHANNELS:
            require_no_everyone(command, setting, added)
        news = ""
        if added or removed:
            keep_existing = await existing_ids_of(command, setting)

            def choose(chosen: Preferences) -> Preferences:
                return with_ids(chosen, setting, keep_existing((ids_in(chosen, setting) | added) - removed))

            news = await self._panels.apply(command, choose)
        await self._panels.show(command, section_of(setting), news)

    @deferred_if_slow
    async def switch_game(self, command: Interaction, name: str, *, is_on: bool) -> None:
        """Switch a game on or off."""
        require_manager(command)
        require_server(command)
        key = {find_game(self._games, name).game.info.key}

        def choose(chosen: Preferences) -> Preferences:
            return replace(chosen, games_off=chosen.games_off - key if is_on else chosen.games_off | key)

        await self._panels.show(command, SettingsSection.GAMES, await self._panels.apply(command, choose))

    @deferred_if_slow
    async def set_option(self, command: Interaction, name: str, option: str | None, value: str | None) -> None:
        """Choose what an option of new tables of a game starts with; without option and value, show them all."""
        require_manager(command)
        package = find_game(self._games, name)
        key = package.game.info.key
        if option is None or value is None:
            await self._panels.show_defaults(command, key, 1)
        else:
            await self._panels.set_option(command, key, option, _encode(package, option, value))

    def suggest_values(self, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the values of a setting that has a few."""
        labels = next((labels for setting, labels in VALUE_LABELS.items() if setting.value == name), {})
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


def _ids(entity: Entity | None) -> frozenset[int]:
    return frozenset() if entity is None else frozenset({entity.id})


def _parse_setting(name: str) -> Setting:
    """Parse the name of a setting, as Discord sends it; raise a Refusal for anything else."""
    if name not in list(Setting):
        raise Refusal(HostReason.NO_SUCH_SETTING)
    return Setting(name)


def _matching(typed: str, labels: Iterable[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    return make_choices(each for each in labels if typed.strip().casefold() in each[0].casefold())


def _values(model: type[Options], option: str) -> list[tuple[str, str]]:
    """Return the values to offer for an option, as players read them and as they are stored."""
    text = option_texts(model).get(option)
    if text is None:
        return []
    return [(format_value(text, value), encode_value(value)) for value in option_values(model(), option)]


def _encode(package: AnyPackage, option: str, typed: str) -> str:
    """Return a typed value of an option as it is stored, if it is one of those offered."""
    wanted = typed.strip().casefold()
    values = _values(package.game.info.options, option)
    return next((stored for label, stored in values if wanted in (label.casefold(), stored.casefold())), wanted)
