"""The settings in use: a cache of stored choices, and what a server's settings allow its members."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache
from discord.utils import format_dt
from pydantic import ValidationError

from bot.features.settings import storage
from bot.features.settings.all_settings import (
    ALONE,
    CHANNELS,
    GAMES,
    MOTION,
    OPTIONS,
    PICTURES,
    READING_ALOUD,
    TABLES,
)
from bot.features.settings.choices import AloneChoice, MotionChoice, TablesChoice
from bot.features.settings.kinds import Channels, Chosen, Roles, Setting, T
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import COOL_DOWN, FIXED, MEMBER_TABLES, MODERATORS, OPENERS, ORGANIZERS, SERVER_TABLES
from bot.features.settings.storage import SettingHook, SettingsAuthor
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.channels import (
    CHANNELS_WITH_THREADS,
    existing_channels,
    fetch_channels,
    may_create_private_threads,
    may_read,
    missing_for_threads,
)
from bot.platform.discord.context import channel_of
from bot.platform.places import Location
from bot.rules.game import Options
from bot.rules.motion import MotionLevel
from bot.rules.options import load_options
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables.handlers.readings import ReadingAloud
from bot.tables.model import NO_LIMITS, HostChoice, OpeningLimits
from bot.tables.refusals import GameFacts, HostReason, PlacesFacts, RolesFacts, WaitFacts
from bot.tables.registry import AnyPackage, usual_level
from bot.words import gettext as _

log = logging.getLogger(__name__)

_MAX_SCOPES: Final = 25_000
_MAX_OPENERS: Final = 10_000
_MAX_AGE_SECONDS: Final = 60.0
"""How long an entry is used before it is read again, because another process may have changed it."""


class _Entry(NamedTuple):
    loaded_at: float
    chosen: Chosen


class SettingsCache:
    """Caches and changes the stored choices of servers, direct messages and people.

    A scope is the id of a server, of a channel of direct messages, or of a person.
    """

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_SCOPES) -> None:
        self._db = db
        self._clock = clock
        # Not a TTLCache: while the database is down, an outdated entry is better than the defaults.
        self._entries: LRUCache[int, _Entry] = LRUCache(size)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._followers: dict[Setting[Any], Callable[[], Awaitable[None]]] = {}
        self._hooks: dict[Setting[Any], SettingHook] = {}

    def follow(self, setting: Setting[Any], follower: Callable[[], Awaitable[None]]) -> None:
        """Call a function after each change of a setting by this process."""
        self._followers[setting] = follower

    def add_hook(self, setting: Setting[Any], hook: SettingHook) -> None:
        """Call a function in each transaction that saves a setting, even if its value stays the same."""
        self._hooks[setting] = hook

    def known(self, scope_id: int) -> Chosen | None:
        """Return the choices of a scope if they are cached, however old."""
        entry = self._entries.get(scope_id)
        return None if entry is None else entry.chosen

    def recent(self, scope_id: int) -> Chosen | None:
        """Return the choices of a scope if they are cached and recent."""
        entry = self._entries.get(scope_id)
        is_recent = entry is not None and self._clock() - entry.loaded_at < _MAX_AGE_SECONDS
        return entry.chosen if entry is not None and is_recent else None

    async def get(self, scope_id: int) -> Chosen:
        """Return the choices of a scope; if they can't be loaded, return an outdated entry or the defaults."""
        if (recent := self.recent(scope_id)) is not None:
            return recent
        outdated = self._entries.get(scope_id)
        try:
            loaded = await self._db.read(storage.find, scope_id)
        except StoreUnavailable as fault:
            log.debug("the settings of %s can't be loaded: %s", scope_id, fault)
            return outdated.chosen if outdated else Chosen()
        newer = self._entries.get(scope_id)
        if newer is None or newer is outdated:
            return self._cache(scope_id, loaded)
        # They were changed here during the loading, perhaps after they were read.
        return newer.chosen

    async def theme_of(self, location: Location) -> Theme | None:
        """Return the theme of the pictures at a location; None if its tables are shown in words."""
        return (await self.get(location.scope_id)).get(PICTURES).theme

    async def motion_of(self, location: Location, people: Collection[int]) -> MotionLevel:
        """Return what moves in pictures at a location; nothing does if all people who see them want still ones."""
        here = await self.get(location.scope_id)
        level = here.get(MOTION).level(here.get(PICTURES).theme)
        if level is MotionLevel.NOTHING or not people:
            return level
        for person in people:
            if (await self.get(person)).get(MOTION) is not MotionChoice.OFF:
                return level
        return MotionLevel.NOTHING

    async def reload(self, scope_id: int) -> Chosen:
        """Return the stored choices of a scope, including other processes' changes.

        Raises:
            StoreUnavailable: The choices can't be loaded.
        """
        async with self._lock(scope_id):
            return self._cache(scope_id, await self._db.read(storage.find, scope_id))

    async def change(
        self,
        scope_id: int,
        setting: Setting[T],
        choose: Callable[[T], T],
        author: SettingsAuthor | None = None,
        owner_id: int | None = None,
    ) -> Chosen:
        """Change and save a setting in a scope, and return all choices of the scope.

        Args:
            scope_id: The scope.
            setting: The setting.
            choose: Returns the new value, given the present one.
            author: Who changes a server's setting; the change is recorded.
            owner_id: The person to whom the scope belongs, unless it is a server.

        Raises:
            StoreUnavailable: The change can't be saved.
        """
        hook = self._hooks.get(setting)
        async with self._lock(scope_id):
            chosen = self._cache(
                scope_id, await self._db.write(storage.change, scope_id, setting, choose, author, owner_id, hook=hook)
            )
        if (follower := self._followers.get(setting)) is not None:
            await follower()
        return chosen

    async def choose_for(self, user_id: int, setting: Setting[T], value: T) -> None:
        """Save a person's own choice, which holds everywhere.

        Raises:
            StoreUnavailable: The choice can't be saved.
        """
        await self.change(user_id, setting, lambda _: value, owner_id=user_id)

    def clear(self) -> None:
        """Forget all cached choices."""
        self._entries.clear()

    def _lock(self, scope_id: int) -> asyncio.Lock:
        return self._locks.setdefault(scope_id, asyncio.Lock())

    def _cache(self, scope_id: int, chosen: Chosen) -> Chosen:
        self._entries[scope_id] = _Entry(self._clock(), chosen)
        return chosen


_AnyInteraction = discord.Interaction[Any]


class ServerRules:
    """Applies a server's settings to its members' actions; direct messages have no such limits."""

    def __init__(self, settings: SettingsCache, games: Mapping[str, AnyPackage], clock: Callable[[], datetime]) -> None:
        self._settings = settings
        self._games = games
        self._clock = clock
        self._opened_at: LRUCache[tuple[int, int], datetime] = LRUCache(_MAX_OPENERS)
        """When people last opened a table, by server and person."""

    def clear(self) -> None:
        """Forget when people opened tables."""
        self._opened_at.clear()

    async def settings_of(self, interaction: _AnyInteraction) -> Chosen:
        """Return the server's choices; in a direct message, the defaults."""
        return Chosen() if interaction.guild_id is None else await self._settings.get(interaction.guild_id)

    async def may_moderate(self, interaction: _AnyInteraction) -> bool:
        """Return whether the user may close any table and free any seat, by a permission or a role."""
        if interaction.guild_id is None:
            return False
        if interaction.permissions.manage_messages or interaction.permissions.manage_guild:
            return True
        roles = (await self.settings_of(interaction)).get(MODERATORS)
        return has_role(interaction, roles)

    async def may_moderate_server(self, interaction: _AnyInteraction) -> bool:
        """Return whether the user moderates the whole server, not only the channel of the interaction."""
        if not await self.may_moderate(interaction):
            return False
        member = interaction.user
        if not isinstance(member, discord.Member) or interaction.permissions.manage_guild:
            return True
        roles = (await self.settings_of(interaction)).get(MODERATORS)
        return member.guild_permissions.manage_messages or has_role(interaction, roles)

    async def may_organize(self, interaction: _AnyInteraction) -> bool:
        """Return whether the user may name tournaments and run those of others, as a moderator or by a role."""
        roles = (await self.settings_of(interaction)).get(ORGANIZERS)
        return has_role(interaction, roles) or await self.may_moderate(interaction)

    async def is_moderator(self, interaction: _AnyInteraction, person: discord.Member | discord.User) -> bool:
        """Return whether the person that a command names moderates the whole server, whatever holds in the channel."""
        if not isinstance(person, discord.Member):
            return False
        if person.guild_permissions.manage_messages or person.guild_permissions.manage_guild:
            return True
        roles: frozenset[int] = (await self.settings_of(interaction)).get(MODERATORS)
        return any(person.get_role(role) is not None for role in roles)

    async def games_on(self, interaction: _AnyInteraction) -> Mapping[str, AnyPackage]:
        """Return the games that are switched on here, by key."""
        games_off = (await self.settings_of(interaction)).get(GAMES)
        return {key: package for key, package in self._games.items() if key not in games_off}

    async def complete_options(self, interaction: _AnyInteraction, game: str, given: Mapping[str, object]) -> Options:
        """Return the options of a new table: the given ones, and the server's defaults for the rest.

        Raises:
            Refusal: The game does not allow the given options.
            ValidationError: The game has no such option.
        """
        package = self._games[game]
        model: type[Options] = package.game.info.options
        defaults = default_options(await self.settings_of(interaction), package).model_dump()
        # If the given options conflict with the server's defaults, the game's own defaults apply.
        for kept in (defaults, {}):
            try:
                return model.model_validate({**kept, **given})
            except ValidationError:
                if not given.keys() <= model.model_fields.keys():
                    raise
        # Discord may still offer the command of another version, with other limits.
        raise Refusal(HostReason.NO_SUCH_CHOICE, GameFacts(_(package.game.info.title)))

    async def frees_channel(self, location: Location) -> bool:
        """Return whether a game of one person against computer players leaves its channel to others."""
        guild_id = location.guild_id
        return guild_id is not None and (await self._settings.get(guild_id)).get(ALONE) is AloneChoice.FREE

    async def wants_threads(self, interaction: _AnyInteraction) -> bool:
        """Return whether the server wants a thread for each new table in channels like this one."""
        may_have_threads = getattr(interaction.channel, "type", None) in CHANNELS_WITH_THREADS
        return may_have_threads and (await self.settings_of(interaction)).get(TABLES) is TablesChoice.THREAD

    async def opens_threads(self, interaction: _AnyInteraction, *, is_private: bool = False) -> bool:
        """Return whether a new table here gets a thread: the server wants it, and permissions allow it."""
        given, kind = interaction.app_permissions, getattr(interaction.channel, "type", None)
        may_open = may_create_private_threads(given, kind) if is_private else not missing_for_threads(given)
        return may_open and await self.wants_threads(interaction)

    async def require_place(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal that names the channels for games, unless this is one."""
        chosen = (await self.settings_of(interaction)).get(CHANNELS)
        here = {channel_of(interaction), getattr(interaction.channel, "parent_id", None)}
        if not chosen or not chosen.isdisjoint(here):
            return
        channels, member = await fetch_channels(interaction.guild), interaction.user
        if channels is None or not isinstance(member, discord.Member):
            raise Refusal(SettingReason.NOT_PLAYED_HERE)
        allowed = [channel for channel in channels if channel.id in chosen]
        if not allowed:
            knows = await self.may_moderate(interaction)
            raise Refusal(SettingReason.CHANNELS_GONE if knows else SettingReason.NOT_PLAYED_HERE)
        readable = [channel.id for channel in allowed if may_read(member, channel)]
        if not readable:
            raise Refusal(SettingReason.NOT_PLAYED_HERE)
        raise Refusal(SettingReason.PLAYED_ELSEWHERE, PlacesFacts(Channels.in_words(readable)))

    async def has_place(self, guild: discord.Guild) -> bool:
        """Return whether games can be played anywhere in a server; True if its channels can't be looked up."""
        chosen = (await self._settings.get(guild.id)).get(CHANNELS)
        return not chosen or bool(existing_channels(await fetch_channels(guild), chosen))

    async def require_may_open(self, interaction: _AnyInteraction, game: str) -> None:
        """Raise a Refusal unless the user may open a table of a game here."""
        if game in (await self.settings_of(interaction)).get(GAMES):
            raise Refusal(SettingReason.GAME_OFF, GameFacts(_(self._games[game].game.info.title)))
        await self.require_opener(interaction)

    @asynccontextmanager
    async def pacing(self, interaction: _AnyInteraction) -> AsyncIterator[OpeningLimits]:
        """Yield the limits for opening a table, and make the member wait before opening another.

        Raises:
            Refusal: The member has opened another table just now.
        """
        limits = await self.opening_limits(interaction)
        if interaction.guild_id is None or await self.may_moderate(interaction):
            yield limits
            return
        wait = (await self.settings_of(interaction)).get(COOL_DOWN).time
        key, now = (interaction.guild_id, interaction.user.id), self._clock()
        before = self._opened_at.get(key)
        if before is not None and now < before + wait:
            raise Refusal(SettingReason.OPENED_JUST_NOW, WaitFacts(format_dt(before + wait, "R")))
        self._opened_at[key] = now
        try:
            yield limits
        except BaseException:
            # No table was opened.
            if before is None:
                self._opened_at.pop(key, None)
            else:
                self._opened_at[key] = before
            raise

    async def opening_limits(self, interaction: _AnyInteraction) -> OpeningLimits:
        """Return how many tables may be open once the user has opened another; moderators have no limits."""
        if interaction.guild_id is None or await self.may_moderate(interaction):
            return NO_LIMITS
        chosen = await self.settings_of(interaction)
        return OpeningLimits(chosen.get(MEMBER_TABLES).number, chosen.get(SERVER_TABLES).number)

    def known_fixed(self, location: Location) -> frozenset[HostChoice]:
        """Return what hosts can't choose at a location, as far as its settings are in memory."""
        chosen = None if location.guild_id is None else self._settings.known(location.guild_id)
        return frozenset() if chosen is None else chosen.get(FIXED)

    async def find_fixed(self, location: Location) -> frozenset[HostChoice]:
        """Return what hosts can't choose at a location."""
        return frozenset() if location.guild_id is None else (await self._settings.get(location.guild_id)).get(FIXED)

    async def require_unfixed(
        self, interaction: _AnyInteraction, game: str, options: Options, levels: Collection[str] = ()
    ) -> None:
        """Raise a Refusal if a new table has other options or levels of computer players than the server has fixed."""
        chosen, package = await self.settings_of(interaction), self._games[game]
        fixed = chosen.get(FIXED)
        if HostChoice.OPTIONS in fixed and options != default_options(chosen, package):
            raise Refusal(HostReason.FIXED_BY_SERVER)
        if HostChoice.LEVELS in fixed and not {usual_level(package), ""}.issuperset(levels):
            raise Refusal(HostReason.FIXED_BY_SERVER)

    async def require_opener(self, interaction: _AnyInteraction) -> None:
        """Raise a Refusal unless the user may open tables of any game here."""
        await self.require_place(interaction)
        openers = (await self.settings_of(interaction)).get(OPENERS)
        roles = existing_roles(interaction, openers)
        if roles and not has_role(interaction, roles) and not await self.may_moderate(interaction):
            raise Refusal(SettingReason.MAY_NOT_OPEN, RolesFacts(Roles.in_words(roles)))


def default_options(chosen: Chosen, package: AnyPackage) -> Options:
    """Return the options with which tables of a game start; stored ones that the game no longer allows are ignored."""
    return load_options(package.game.info.options, chosen.get(OPTIONS).get(package.game.info.key, "{}"))


def existing_roles(interaction: _AnyInteraction, roles: Iterable[int]) -> frozenset[int]:
    """Return the roles that still exist in the server."""
    guild = interaction.guild
    return frozenset() if guild is None else frozenset(role for role in roles if guild.get_role(role) is not None)


def may_mention(interaction: _AnyInteraction, role_id: int) -> bool:
    """Return whether the user may mention a role of the server."""
    role = None if interaction.guild is None else interaction.guild.get_role(role_id)
    member = interaction.user
    may_mention_all = isinstance(member, discord.Member) and member.guild_permissions.mention_everyone
    return role is not None and (role.mentionable or may_mention_all)


def has_role(interaction: _AnyInteraction, roles: Iterable[int]) -> bool:
    """Return whether the user has one of some roles that still exist."""
    member = interaction.user
    return isinstance(member, discord.Member) and any(member.get_role(role) is not None for role in roles)


def reading_aloud(settings: SettingsCache) -> ReadingAloud:
    """Return the setting that has tables read to people, as tables use it."""

    def may_be_on(user_id: int) -> bool:
        chosen = settings.known(user_id)
        return chosen is None or chosen.get(READING_ALOUD)

    async def is_on(user_id: int) -> bool:
        return (await settings.get(user_id)).get(READING_ALOUD)

    async def save(user_id: int, is_on: bool) -> None:  # noqa: FBT001 - the value of a switch
        await settings.choose_for(user_id, READING_ALOUD, is_on)

    return ReadingAloud(may_be_on, is_on, save)
