"""The panel of settings, as tests open it and read it."""

from typing import Any

import discord

from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.kinds import Setting, SettingsSection
from bot.features.settings.messages import SettingId, SettingsPagesId
from bot.words import gettext
from tests.support.fakes import HERE, STRANGER
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import BUTTON, make_command, make_menu_choice
from tests.ui.fake_servers import make_server

MANAGER = discord.Permissions(manage_guild=True)
NO_FILES = discord.Permissions(send_messages=True)
DIRECT: dict[str, Any] = {
    "guild_id": None,
    "channel_id": 90,
    "permissions": discord.Permissions.none(),
}
CHANNELS, ROLES = (HERE.channel_id, 81), (501, 502)
SERVER = make_server(*CHANNELS, roles=(*ROLES, HERE.guild_id or 0), mentionable=(ROLES[0],))


async def open_panel(adapter: Adapter, **more: Any) -> Any:
    command: Any = make_command(STRANGER, **{"permissions": MANAGER, **more})
    await adapter.app.service(SettingsPanels).open(command)
    return command


async def choose(adapter: Adapter, setting: Setting[Any], value: str, **more: Any) -> Any:
    """Choose a value in a menu of the panel."""
    more = {"permissions": MANAGER, "in_whisper": True, **more}
    return await adapter.click(make_menu_choice(STRANGER, SettingId(setting.key), value, **more))


def text_about(interaction: Any, setting: Setting[Any]) -> str:
    """Return what the panel says about a setting."""
    fields = {field.name: field.value for field in interaction.answers[-1].embed.fields}
    return str(fields[gettext(setting.title)])


def news_of(interaction: Any) -> str:
    """Return what the panel says about the choice just made."""
    return interaction.answers[-1].embed.description or ""


def menus_of(interaction: Any) -> dict[str, str | None]:
    """Return the menus of the panel by id, each with the first value that is chosen, if there is one."""
    parts = [row["components"][0] for row in interaction.answers[-1].view.to_components()]
    return {
        menu["custom_id"]: next((option["value"] for option in menu.get("options", ()) if option["default"]), None)
        for menu in parts
        if menu["type"] != BUTTON
    }


async def turn_to(adapter: Adapter, section: SettingsSection, **more: Any) -> Any:
    """Choose a page in the menu of pages."""
    more = {"permissions": MANAGER, "in_whisper": True, **more}
    menu = SettingsPagesId(SettingsSection.TABLES)
    return await adapter.click(make_menu_choice(STRANGER, menu, section.value, **more))


async def choose_several(adapter: Adapter, setting: Setting[Any], *values: str, **more: Any) -> Any:
    """Choose values in a menu of which any number can be chosen."""
    more = {"permissions": MANAGER, "in_whisper": True, "guild": SERVER, **more}
    return await adapter.click(make_menu_choice(STRANGER, SettingId(setting.key), *values, **more))
