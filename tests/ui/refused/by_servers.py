"""How each refusal is raised that follows from the settings of a server, or from its moderators."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord

from bot.features.moderation import storage as ban_storage
from bot.features.moderation.bans import BanCommands
from bot.features.moderation.model import MAX_BANS, Ban, ModerationReason
from bot.features.moderation.service import Bans
from bot.features.new_tables.handlers import NewTables
from bot.features.privacy.commands import PrivacyCommands
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.settings.all_settings import CHANNELS, GAMES as GAMES_SETTING, PICTURES, TABLES
from bot.features.settings.choices import TablesChoice
from bot.features.settings.commands import SettingsCommands
from bot.features.settings.daily_post import DailyPostCommands
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.kinds import Setting
from bot.features.settings.messages import SettingId
from bot.features.settings.posts import DAILY_ROLE
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import FIXED, MODERATORS, OPENERS, ORGANIZERS
from bot.tables.model import (
    HostChoice,
)
from bot.tables.refusals import HostReason
from tests.support.chosen_settings import chosen
from tests.support.fakes import (
    HERE,
    NOON,
    ROBIN,
    WREN,
)
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import SERVER_ERROR, make_command, make_guest, make_menu_choice
from tests.ui.fake_servers import KEEPS_ORDER, make_member, make_server
from tests.ui.refused.listing import raises


@raises(SettingReason.NO_SUCH_SETTING)
async def no_such_setting(adapter: Adapter) -> None:
    pressed = SettingId(PICTURES.key)
    click = make_menu_choice(ROBIN, pressed, "colourful", permissions=discord.Permissions.all())
    await adapter.app.service(SettingsPanels).press(click, pressed)  # type: ignore[arg-type]


@raises(SettingReason.NOT_MANAGER)
async def not_manager(adapter: Adapter) -> None:
    await adapter.app.service(SettingsPanels).open(make_command(ROBIN))  # type: ignore[arg-type]


@raises(HostReason.NOT_MANAGER_OF_DATA)
async def not_manager_of_data(adapter: Adapter) -> None:
    pressed = PrivacyId(PrivacyButton.SERVER_FOREVER)
    await adapter.app.service(PrivacyCommands).press(make_command(ROBIN), pressed)  # type: ignore[arg-type]


async def set_rules(adapter: Adapter, values: Mapping[Setting[Any], Any]) -> Any:
    """Choose settings of a server with channel 81 and role 501, and return a command there."""
    adapter.db.chosen[HERE.scope_id] = chosen(values)
    server = make_server(HERE.channel_id, 81, 82, hidden=(82,), roles=(HERE.guild_id or 0, 501))
    return make_command(ROBIN, guild=server, member=make_member(ROBIN, server))


@raises(SettingReason.PLAYED_ELSEWHERE)
async def played_elsewhere(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {CHANNELS: frozenset({81})}), "magpie", {}, 0)


@raises(SettingReason.NOT_PLAYED_HERE)
async def not_played_here(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {CHANNELS: frozenset({82})}), "magpie", {}, 0)


@raises(SettingReason.CHANNELS_GONE)
async def channels_gone(adapter: Adapter) -> None:
    command = await set_rules(adapter, {CHANNELS: frozenset({83})})
    command.permissions = discord.Permissions(manage_messages=True)
    await adapter.app.service(NewTables).open(command, "magpie", {}, 0)


@raises(SettingReason.MAY_NOT_OPEN)
async def may_not_open(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {OPENERS: frozenset({501})}), "magpie", {}, 0)


@raises(SettingReason.OPENED_JUST_NOW)
async def opened_just_now(adapter: Adapter) -> None:
    for channel_id in (70, 71):
        await adapter.app.service(NewTables).open(make_command(ROBIN, channel_id=channel_id), "magpie", {}, 0)  # type: ignore[arg-type]


@raises(HostReason.FIXED_BY_SERVER)
async def fixed_by_server(adapter: Adapter) -> None:
    adapter.db.chosen[HERE.scope_id] = chosen({FIXED: frozenset({HostChoice.OPTIONS})})
    await adapter.app.service(NewTables).open(make_command(ROBIN), "magpie", {"target": 50}, 0)  # type: ignore[arg-type]


@raises(SettingReason.GAME_OFF)
async def game_off(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(
        await set_rules(adapter, {GAMES_SETTING: frozenset({"magpie"})}), "magpie", {}, 0
    )


@raises(HostReason.NO_THREAD)
async def no_thread(adapter: Adapter) -> None:
    async def create_thread(**_: object) -> None:
        raise SERVER_ERROR

    command = await set_rules(adapter, {TABLES: TablesChoice.THREAD})
    command.channel = SimpleNamespace(
        type=discord.ChannelType.text, create_thread=create_thread, guild=make_server(), id=HERE.channel_id
    )
    await adapter.app.service(NewTables).open(command, "magpie", {}, 0)


@raises(SettingReason.TOO_MANY_CHOSEN)
async def too_many_chosen(adapter: Adapter) -> None:
    server = make_server(*range(100, 126))
    adapter.db.chosen[HERE.scope_id] = chosen({CHANNELS: frozenset(range(100, 125))})
    manager = make_command(ROBIN, guild=server, permissions=discord.Permissions(manage_guild=True))
    added: Any = SimpleNamespace(id=125)
    await adapter.app.service(SettingsCommands).change_ids(manager, "channels", added, None)  # type: ignore[arg-type]


async def choose_everyone(setting: Setting[Any], adapter: Adapter) -> None:
    manager = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True))
    everyone: Any = SimpleNamespace(id=HERE.guild_id)
    await adapter.app.service(SettingsCommands).change_ids(manager, setting.key, everyone, None)  # type: ignore[arg-type]


@raises(SettingReason.NO_SUCH_ZONE)
async def unknown_zone_of_a_server(adapter: Adapter) -> None:
    command: Any = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True))
    await adapter.app.service(DailyPostCommands).choose(command, None, None, "Mars", None, is_off=False)


@raises(SettingReason.ROLE_NOT_MENTIONABLE)
async def role_not_mentionable(adapter: Adapter) -> None:
    server = make_server(roles=(501,))
    command: Any = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True), guild=server)
    role: Any = SimpleNamespace(id=501)
    await adapter.app.service(DailyPostCommands).choose(command, None, None, None, role, is_off=False)


raises(SettingReason.EVERYONE_MENTIONED)(partial(choose_everyone, DAILY_ROLE))
raises(SettingReason.EVERYONE_OPENS)(partial(choose_everyone, OPENERS))
raises(SettingReason.EVERYONE_MODERATES)(partial(choose_everyone, MODERATORS))
raises(SettingReason.EVERYONE_ORGANIZES)(partial(choose_everyone, ORGANIZERS))


def make_ban(*, reason: str = "", tells_reason: bool = False, ends_at: datetime | None = None) -> Ban:
    return Ban(HERE.scope_id, ROBIN.id, WREN.id, reason, tells_reason, NOON, ends_at)


async def act_banned(adapter: Adapter, ban: Ban) -> None:
    """Let a banned member do something."""
    await adapter.app.service(Bans).ban(ban)
    refusal = await adapter.app.find_refusal(make_command(ROBIN))  # type: ignore[arg-type]
    assert refusal is not None
    raise refusal


@raises(ModerationReason.BANNED)
async def banned(adapter: Adapter) -> None:
    await act_banned(adapter, make_ban(reason="spam"))


@raises(ModerationReason.BANNED_FOR_REASON)
async def banned_for_reason(adapter: Adapter) -> None:
    await act_banned(adapter, make_ban(reason="spam", tells_reason=True))


@raises(ModerationReason.BANNED_UNTIL)
async def banned_until(adapter: Adapter) -> None:
    await act_banned(adapter, make_ban(ends_at=NOON + timedelta(days=1), tells_reason=True))


@raises(ModerationReason.BANNED_UNTIL_FOR_REASON)
async def banned_until_for_reason(adapter: Adapter) -> None:
    await act_banned(adapter, make_ban(reason="spam", tells_reason=True, ends_at=NOON + timedelta(days=1)))


async def ban_by_command(adapter: Adapter, person: Any, **more: Any) -> None:
    command = make_command(ROBIN, **{"permissions": discord.Permissions(manage_messages=True), **more})
    await adapter.app.service(BanCommands).ban(command, person, "", None, tells_reason=False)  # type: ignore[arg-type]


@raises(ModerationReason.NOTHING_TO_MODERATE)
async def only_in_servers_moderated(adapter: Adapter) -> None:
    await ban_by_command(adapter, make_guest(discord.User), guild_id=None)


@raises(ModerationReason.MODERATORS_ONLY)
async def moderators_only(adapter: Adapter) -> None:
    await ban_by_command(adapter, make_guest(discord.User), permissions=discord.Permissions.none())


@raises(ModerationReason.BAN_OF_YOURSELF)
async def ban_of_yourself(adapter: Adapter) -> None:
    await ban_by_command(adapter, make_guest(discord.User, id=ROBIN.id))


@raises(ModerationReason.BAN_OF_BOT)
async def ban_of_bot(adapter: Adapter) -> None:
    await ban_by_command(adapter, make_guest(discord.User, bot=True))


@raises(ModerationReason.BAN_OF_MODERATOR)
async def ban_of_moderator(adapter: Adapter) -> None:
    await ban_by_command(adapter, make_member(WREN, make_server(), KEEPS_ORDER))


@raises(ModerationReason.TOO_MANY_BANS)
async def too_many_bans(adapter: Adapter) -> None:
    for user_id in range(MAX_BANS):
        adapter.db.run(ban_storage.add, replace(make_ban(), user_id=1000 + user_id), MAX_BANS)
    await adapter.app.service(Bans).ban(make_ban())


@raises(ModerationReason.NOT_BANNED)
async def not_banned(adapter: Adapter) -> None:
    await adapter.app.service(Bans).lift(HERE.scope_id, ROBIN.id)
