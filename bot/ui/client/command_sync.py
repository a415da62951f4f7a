"""Tells Discord about the slash commands, but only when they have changed."""

import hashlib
import json
import logging
from typing import Any, Protocol

import discord
from discord import app_commands

log = logging.getLogger(__name__)


class KeyValueStore(Protocol):
    """Remembers small facts between runs."""

    async def get_value(self, key: str) -> str | None:
        """Return what was remembered under a key."""
        ...

    async def set_value(self, key: str, value: str) -> None:
        """Remember a value under a key."""
        ...


async def sync_commands(
    tree: app_commands.CommandTree[Any], notes: KeyValueStore, application_id: int, guild_id: int | None
) -> bool:
    """Make Discord's list of commands ours, for one server or for all; tell whether anything had to be sent.

    A server that was told alone before is not any more: there everything would be listed twice.
    """
    alone = f"server with commands of its own for {application_id}"
    before, now = await notes.get_value(alone) or "", str(guild_id or "")
    if before != now:
        if before:
            await _clear_guild_commands(tree, int(before))
        await notes.set_value(alone, now)
    return await _sync_if_changed(tree, notes, application_id, guild_id)


async def _sync_if_changed(
    tree: app_commands.CommandTree[Any], notes: KeyValueStore, application_id: int, guild_id: int | None
) -> bool:
    guild = discord.Object(guild_id) if guild_id is not None else None
    if guild is not None:
        tree.copy_global_to(guild=guild)
    digest = _digest(tree, guild)
    key = f"commands of {application_id} in {guild_id or 'every server'}"
    known = {command.name for command in await tree.fetch_commands(guild=guild)}
    wanted = {command.name for command in tree.get_commands(guild=guild)}
    if known == wanted and await notes.get_value(key) == digest:
        log.info("the commands have not changed")
        return False
    await tree.sync(guild=guild)
    await notes.set_value(key, digest)
    log.info("synced %d commands", len(wanted))
    return True


async def _clear_guild_commands(tree: app_commands.CommandTree[Any], guild_id: int) -> None:
    """Leave a server no commands of its own."""
    try:
        await tree.sync(guild=discord.Object(guild_id))
    except (discord.Forbidden, discord.NotFound) as fault:
        log.info("server %d, where the bot is no more, keeps its commands: %s", guild_id, fault)


def _digest(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> str:
    payload = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    payload.sort(key=lambda command: str(command["name"]))
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
