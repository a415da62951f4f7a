"""Whose language is spoken where: a place's for what everyone sees there, and a person's for what only they see."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.languages import ENGLISH, Language
from bot.platform.catalogues import Catalogues
from bot.platform.places import Location

ChosenTag = Callable[[int], Awaitable[str | None]]
"""Returns the language that was chosen in a scope: a server, a channel of direct messages, or a person."""


async def _choose_nothing(_scope_id: int) -> None:
    return None


class Languages:
    """Finds the language of a place and of a person."""

    def __init__(self, catalogues: Catalogues, chosen: ChosenTag = _choose_nothing) -> None:
        self._catalogues = catalogues
        self._has_choice = len(catalogues.codes) > 1
        self._chosen = chosen
        self.find_server: Callable[[int], discord.Guild | None] = lambda _: None
        """Returns a server of which the bot is a member, as far as the connection has reported it."""

    async def of_server(self, guild_id: int | None) -> Language:
        """Return a server's language: the chosen one, or else the one that Discord shows the server in."""
        if not self._has_choice or guild_id is None:
            return ENGLISH
        server = self.find_server(guild_id)
        preferred = None if server is None else server.preferred_locale.value
        return self._catalogues.find(await self._chosen(guild_id), preferred)

    async def of_place(self, location: Location) -> Language:
        """Return the language of a table's place; that of a direct message is noted with each interaction there."""
        if location.guild_id is not None or not self._has_choice:
            return await self.of_server(location.guild_id)
        return self._catalogues.find(await self._chosen(location.scope_id))

    async def of_person(self, user_id: int, locale: discord.Locale | None = None) -> Language:
        """Return a person's language: the chosen one, or else the one of their Discord, as far as it is known."""
        if not self._has_choice:
            return ENGLISH
        return self._catalogues.find(await self._chosen(user_id), None if locale is None else locale.value)

    async def of_interaction(self, interaction: discord.Interaction[Any]) -> tuple[Language, Language]:
        """Return the languages of the person who acts and of the place; in a direct message, the person's is both."""
        persons = await self.of_person(interaction.user.id, interaction.locale)
        guild_id = interaction.guild_id
        return persons, persons if guild_id is None else await self.of_server(guild_id)
