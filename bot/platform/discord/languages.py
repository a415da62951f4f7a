"""Whose language is spoken where: a place's for what everyone sees there, and a person's for what only they see."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import discord

from bot.languages import ENGLISH, Language
from bot.platform.catalogues import Catalogues
from bot.platform.discord.context import is_outside
from bot.platform.places import Location


class KnownTags(NamedTuple):
    """What is stored about the language of a server or a person."""

    chosen: str | None = None
    seen: str | None = None
    """The language of a person's Discord at their last interaction, or of a server when Discord last described it."""


async def _know_nothing(_scope_id: int) -> KnownTags:
    return KnownTags()


async def _show_nothing(_user_id: int) -> None:
    pass


class Languages:
    """Finds the language of a place and of a person."""

    def __init__(self, catalogues: Catalogues) -> None:
        self.catalogues = catalogues
        self.find_tags: Callable[[int], Awaitable[KnownTags]] = _know_nothing
        """Returns what is stored about a server or a person."""
        self.note_seen: Callable[[int, str, int | None], None] = lambda _scope_id, _code, _owner_id: None
        """Stores a new language that Discord names for a server, or for a person, who then is the owner."""
        self.show_again: Callable[[int], Awaitable[None]] = _show_nothing
        """Shows private messages that follow changes again to a person who has chosen a language."""
        self.find_server: Callable[[int], discord.Guild | None] = lambda _: None
        """Returns a server of which the bot is a member, as far as the connection has reported it."""

    @property
    def _has_choice(self) -> bool:
        return len(self.catalogues.codes) > 1

    async def of_server(self, guild_id: int | None) -> Language:
        """Return a server's language: the chosen one, or else the one that Discord shows the server in, now or last."""
        if not self._has_choice or guild_id is None:
            return ENGLISH
        server = self.find_server(guild_id)
        # Until Discord has described a server, discord.py says American English.
        preferred = None if server is None or server.unavailable else server.preferred_locale
        return await self._find(guild_id, preferred)

    async def of_place(self, location: Location, person_id: int) -> Language:
        """Return the language of a place.

        Args:
            location: The place.
            person_id: The only person who reads a direct message, or a table outside.
        """
        if location.guild_id is not None:
            return await self.of_server(location.guild_id)
        return await self.of_person(person_id)

    async def of_person(self, user_id: int, locale: discord.Locale | None = None) -> Language:
        """Return a person's language: the chosen one, or else the one of their Discord, as it is now or was last."""
        return await self._find(user_id, locale, user_id) if self._has_choice else ENGLISH

    async def _find(self, scope_id: int, locale: discord.Locale | None, owner_id: int | None = None) -> Language:
        chosen, seen = await self.find_tags(scope_id)
        if locale is not None and (code := self.catalogues.find_code(locale.value)) != (seen or ENGLISH.code):
            self.note_seen(scope_id, code, owner_id)
        return self.catalogues.find(chosen, seen if locale is None else locale.value)

    async def of_interaction(self, interaction: discord.Interaction[Any]) -> tuple[Language, Language]:
        """Return the languages of the person who acts and of the place; where only they read, theirs is both."""
        persons, guild_id = await self.of_person(interaction.user.id, interaction.locale), interaction.guild_id
        is_alone = guild_id is None or is_outside(interaction)
        return persons, persons if is_alone else await self.of_server(guild_id)
