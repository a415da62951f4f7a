"""Who may change settings, and what a change of one is."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import discord
from pydantic import ValidationError

from bot.features.settings.ids import Setting
from bot.features.settings.people import PreferenceCache
from bot.features.settings.preferences import Preferences
from bot.features.settings.reasons import SettingReason
from bot.platform.discord.answers import Interaction
from bot.platform.discord.channels import (
    CHANNELS_WITH_THREADS,
    existing_channels,
    fetch_channels,
    may_read,
    missing_for_threads,
)
from bot.platform.discord.context import attach_files_note, channel_of, location_of
from bot.platform.discord.menus import MAX_CHOSEN, chosen_values
from bot.platform.places import Location
from bot.rules.game import Options
from bot.rules.options import load_options
from bot.rules.refusals import Refusal
from bot.tables.refusals import GameFacts, HostReason, PlacesFacts, RolesFacts
from bot.tables.registry import AnyPackage
from bot.words import format_number, gettext as _, join_items, ngettext


def require_manager(interaction: Interaction) -> None:
    """Raise a Refusal unless the user manages the server; direct messages need no permission."""
    location_of(interaction)
    if interaction.guild_id is not None and not interaction.permissions.manage_guild:
        raise Refusal(SettingReason.NOT_MANAGER)


def require_server(interaction: Interaction) -> None:
    """Raise a Refusal in a direct message, which has not these settings."""
    if interaction.guild_id is None:
        raise Refusal(SettingReason.NO_SUCH_SETTING)


def ids_in(chosen: Preferences, setting: Setting) -> frozenset[int]:
    """Return the channels or roles of a setting."""
    match setting:
        case Setting.CHANNELS:
            return chosen.channels
        case Setting.OPENERS:
            return chosen.opener_roles
        case Setting.MODERATORS:
            return chosen.moderator_roles
        case _:
            raise Refusal(SettingReason.NO_SUCH_SETTING)


def with_ids(chosen: Preferences, setting: Setting, ids: frozenset[int]) -> Preferences:
    """Return preferences with other channels or roles in a setting.

    Raises:
        Refusal: They are too many.
    """
    if len(ids) > MAX_CHOSEN:
        raise Refusal(SettingReason.TOO_MANY_CHOSEN)
    match setting:
        case Setting.CHANNELS:
            return replace(chosen, channels=ids)
        case Setting.OPENERS:
            return replace(chosen, opener_roles=ids)
        case _:
            return replace(chosen, moderator_roles=ids)


async def choosing_ids(click: Interaction, setting: Setting) -> Callable[[Preferences], Preferences]:
    """Return the change to what was chosen in a menu of channels or roles, without what does not exist."""
    texts = [each for each in chosen_values(click) if each.isascii() and each.isdecimal()]
    ids = (await existing_ids_of(click, setting))(map(int, texts))
    if setting is not Setting.CHANNELS:
        require_no_everyone(click, setting, ids)
    return lambda chosen: with_ids(chosen, setting, ids)


async def existing_ids_of(interaction: Interaction, setting: Setting) -> Callable[[Iterable[int]], frozenset[int]]:
    """Return a function that keeps those of some channels, or roles, that exist in the server."""
    if setting is not Setting.CHANNELS:
        return lambda ids: existing_roles(interaction, ids)
    channels = await fetch_channels(interaction)
    return lambda ids: existing_channels(channels, ids)


def require_no_everyone(interaction: Interaction, setting: Setting, roles: Collection[int]) -> None:
    """Raise a Refusal that says what it would mean if the role that everybody has is among some roles."""
    if interaction.guild_id in roles:
        raise Refusal(SettingReason.EVERYONE_OPENS if setting is Setting.OPENERS else SettingReason.EVERYONE_MODERATES)


def with_options(chosen: Preferences, game: str, text: str) -> Preferences:
    """Return preferences with other default options of a game, as JSON without the usual ones."""
    kept = {key: options for key, options in chosen.options.items() if key != game}
    return replace(chosen, options=kept if text == "{}" else {**kept, game: text})


def missing_notes(interaction: Interaction, chosen: Preferences) -> dict[Setting, str]:
    """Return what the bot lacks here for what is chosen."""
    notes = {}
    if chosen.theme is not None:
        notes[Setting.PICTURES] = attach_files_note(interaction)
    if chosen.opens_threads and (missing := missing_for_threads(interaction.app_permissions)):
        text = _("⚠️ In this channel I lack **{permissions}** for that.")
        notes[Setting.THREADS] = text.format(permissions=join_items(missing))
    return notes


def saved_text(count: int) -> str:
    """Return that a choice is saved, and how many tables look different now."""
    if not count:
        return _("Saved.")
    text = ngettext(
        "Saved. Updating {count} table.",
        "Saved. Updating {count} tables.",
        count,
    )
    return text.format(count=format_number(count))


_AnyInteraction = discord.Interaction[Any]


class ServerRules:
    """Applies the settings of a server to what its members do; direct messages have none of these."""

    def __init__(self, preferences: PreferenceCache, games: Mapping[str, AnyPackage]) -> None:
        self._preferences = preferences
        self._games = games

    async def preferences_of(self, interaction: _AnyInteraction) -> Preferences:
        """Return the settings of the server; the defaults in a direct message."""
        if interaction.guild_id is None:
            return Preferences()
        return await self._preferences.get(Location(interaction.guild_id, channel_of(interaction)))

    async def may_moderate(self, interaction: _AnyInteraction) -> bool:
        """Return whether the user may close any table and free any seat: by permission, or by a role."""
        if interaction.guild_id is None:
            return False
        if interaction.permissions.manage_messages or interaction.permissions.manage_guild:
            return True
        return has_role(interaction, (await self.preferences_of(interaction)).moderator_roles)

    async def games_on(self, interaction: _AnyInteraction) -> Mapping[str, AnyPackage]:
        """Return the games that are not switched off here, by key."""
        games_off = (await self.preferences_of(interaction)).games_off
        return {key: package for key, package in self._games.items() if key not in games_off}

    async def complete_options(self, interaction: _AnyInteraction, game: str, given: Mapping[str, object]) -> Options:
        """Return the options of a new table: those given, and for the others the defaults of the server.

        Raises:
            Refusal: The game does not allow what is given.
            ValidationError: The game has no such option.
        """
        package = self._games[game]
        model: type[Options] = package.game.info.options
        defaults = default_options(await self.preferences_of(interaction), package).model_dump()
        # If what is given does not go with the server's defaults, the game's own ones count.
        for kept in (defaults, {}):
            try:
                return model.model_validate({**kept, **given})
            except ValidationError:
                if not given.keys() <= model.model_fields.keys():
                    raise
        # Discord may still show the command of another version, with other limits.
        raise Refusal(HostReason.NO_SUCH_CHOICE, GameFacts(package.game.info.title))

    async def wants_threads(self, interaction: _AnyInteraction) -> bool:
        """Return whether the server wants a thread for each new table of a channel like this one."""
        may_have_threads = getattr(interaction.channel, "type", None) in CHANNELS_WITH_THREADS
        return may_have_threads and (await self.preferences_of(interaction)).opens_threads

    async def opens_threads(self, interaction: _AnyInteraction) -> bool:
        """Return whether a new table here gets a thread: where the server wants that and allows it."""
        return not missing_for_threads(interaction.app_permissions) and await self.wants_threads(interaction)

    async def require_place(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal that says where games are played, if that is not here."""
        chosen = (await self.preferences_of(interaction)).channels
        if not chosen or not chosen.isdisjoint(_channel_and_parent(interaction)):
            return
        channels, member = await fetch_channels(interaction), interaction.user
        if channels is None or not isinstance(member, discord.Member):
            raise Refusal(SettingReason.NOT_PLAYED_HERE)
        allowed = [each for each in channels if each.id in chosen]
        if not allowed:
            return
        readable = [each.id for each in allowed if may_read(member, each)]
        if not readable:
            raise Refusal(SettingReason.NOT_PLAYED_HERE)
        raise Refusal(SettingReason.PLAYED_ELSEWHERE, PlacesFacts(mention_channels(readable)))

    async def require_may_open(self, interaction: _AnyInteraction, game: str) -> None:
        """Raise a Refusal unless the user may open a table of a game here."""
        if game in (await self.preferences_of(interaction)).games_off:
            raise Refusal(SettingReason.GAME_OFF, GameFacts(self._games[game].game.info.title))
        await self.require_opener(interaction)

    async def require_opener(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal unless the user may open tables here, of whatever game."""
        await self.require_place(interaction)
        roles = existing_roles(interaction, (await self.preferences_of(interaction)).opener_roles)
        if roles and not has_role(interaction, roles) and not await self.may_moderate(interaction):
            raise Refusal(SettingReason.MAY_NOT_OPEN, RolesFacts(mention_roles(roles)))


def default_options(chosen: Preferences, package: AnyPackage) -> Options:
    """Return the options that tables of a game start with; what its model does not allow any more is left out."""
    return load_options(package.game.info.options, chosen.options.get(package.game.info.key, "{}"))


def existing_roles(interaction: _AnyInteraction, roles: Iterable[int]) -> frozenset[int]:
    """Return those of some roles that still exist in the server."""
    guild = interaction.guild
    return frozenset() if guild is None else frozenset(each for each in roles if guild.get_role(each) is not None)


def has_role(interaction: _AnyInteraction, roles: Iterable[int]) -> bool:
    """Return whether the user has one of some roles, which still exists."""
    member = interaction.user
    return isinstance(member, discord.Member) and any(member.get_role(each) is not None for each in roles)


def mention_channels(channels: Collection[int]) -> str:
    """Return channels as a list in words, in the order of their creation."""
    return join_items([f"<#{each}>" for each in sorted(channels)])


def mention_roles(roles: Collection[int]) -> str:
    """Return roles as a list in words, in the order of their creation; it must not notify them."""
    return join_items([f"<@&{each}>" for each in sorted(roles)])


def _channel_and_parent(interaction: _AnyInteraction) -> set[int]:
    """Return the channel, and the one that it is a thread of."""
    parent_id = getattr(interaction.channel, "parent_id", None)
    return {channel_of(interaction)} | ({parent_id} if parent_id is not None else set())
