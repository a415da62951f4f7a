"""What a server has settled: where games are played, which, by whom tables are opened, and who moderates."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import discord
from pydantic import ValidationError

from bot.features.settings.cache import PreferenceCache
from bot.features.settings.preferences import Preferences
from bot.platform.discord.channels import fetch_channels, may_read
from bot.platform.discord.context import channel_of
from bot.platform.discord.threads import missing_for_threads
from bot.platform.places import Location
from bot.rules.game import Options
from bot.rules.options import load_options
from bot.rules.refusals import Refusal
from bot.tables.refusal_facts import GameFacts, PlacesFacts, RolesFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.words import join_items

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

    async def require_place(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal that says where games are played, if that is not here."""
        chosen = (await self.preferences_of(interaction)).channels
        if not chosen or not chosen.isdisjoint(_channel_and_parent(interaction)):
            return
        channels, member = await fetch_channels(interaction), interaction.user
        if channels is None or not isinstance(member, discord.Member):
            raise Refusal(HostReason.NOT_PLAYED_HERE)
        allowed = [each for each in channels if each.id in chosen]
        if not allowed:
            return
        readable = [each.id for each in allowed if may_read(member, each)]
        if not readable:
            raise Refusal(HostReason.NOT_PLAYED_HERE)
        raise Refusal(HostReason.PLAYED_ELSEWHERE, PlacesFacts(mention_channels(readable)))

    async def require_may_open(self, interaction: _AnyInteraction, game: str) -> None:
        """Raise a Refusal unless the user may open a table of a game here."""
        if game in (await self.preferences_of(interaction)).games_off:
            raise Refusal(HostReason.GAME_OFF, GameFacts(self._games[game].game.info.title))
        await self.require_opener(interaction)

    async def require_opener(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal unless the user may open tables here, of whatever game."""
        await self.require_place(interaction)
        roles = existing_roles(interaction, (await self.preferences_of(interaction)).opener_roles)
        if roles and not has_role(interaction, roles) and not await self.may_moderate(interaction):
            raise Refusal(HostReason.MAY_NOT_OPEN, RolesFacts(mention_roles(roles)))


def default_options(chosen: Preferences, package: AnyPackage) -> Options:
    """Return the options that tables of a game start with; what its model does not allow any more is left out."""
    return load_options(package.game.info.options, chosen.options.get(package.game.info.key, "{}"))


def existing_roles(interaction: _AnyInteraction, roles: Iterable[int]) -> frozenset[int]:
    """Return those of some roles that still exist in the server."""
    guild = interaction.guild
    return frozenset() if guild is None else frozenset(each for each in roles if guild.get_role(each) is not None)


def missing_thread_permissions(interaction: _AnyInteraction) -> list[str]:
    """Return the names of the permissions that a thread for a table needs here and the bot lacks."""
    return missing_for_threads(interaction.app_permissions)


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
