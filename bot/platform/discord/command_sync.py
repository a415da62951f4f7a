"""Registers the slash commands with Discord whenever they have changed."""

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.platform.catalogues import Catalogues
from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.platform.discord.command_texts import Payload, describe_commands
from bot.platform.discord.http import NETWORK_ERRORS, reading

log = logging.getLogger(__name__)


SYNC_SECONDS: Final = 60.0
"""How long registering may take; people wait for the bot, which also works with the old commands."""


async def sync_commands_if_possible(
    tree: app_commands.CommandTree[Any],
    db: Database,
    application_id: int,
    guild_id: int | None,
    catalogues: Catalogues,
) -> None:
    """Register the commands like `sync_commands`; keep the old ones if Discord does not accept them."""
    try:
        async with asyncio.timeout(SYNC_SECONDS):
            await sync_commands(tree, db, application_id, guild_id, catalogues)
    except (discord.DiscordException, *NETWORK_ERRORS) as fault:
        # A traceback would help nobody.
        log.error(  # noqa: TRY400
            "Discord rejected the bot's commands; people keep the old ones until the next start: %s", fault
        )
        if isinstance(fault, discord.Forbidden) and guild_id is not None:
            log.error(  # noqa: TRY400
                "The bot must be in the server that DEV_GUILD_ID names, invited with the scope applications.commands"
            )


async def sync_commands(
    tree: app_commands.CommandTree[Any],
    db: Database,
    application_id: int,
    guild_id: int | None,
    catalogues: Catalogues,
) -> bool:
    """Register the commands, in all languages, with one server or with all (None). Return whether anything was sent.

    Commands last registered with another server are removed there, so that it does not list them twice.
    """
    key = f"server with commands of its own for {application_id}"
    previous, current = await db.read(get_value, key) or "", str(guild_id or "")
    if previous != current:
        if previous:
            try:
                with reading():
                    await tree.sync(guild=discord.Object(int(previous)))
            except (discord.Forbidden, discord.NotFound) as fault:
                log.info("cannot remove the commands of server %s, which the bot has left: %s", previous, fault)
        await db.maintain(set_value, key, current)
    guild = discord.Object(guild_id) if guild_id is not None else None
    if guild is not None:
        tree.copy_global_to(guild=guild)
    payload = await describe_commands(tree, guild, catalogues)
    digest = _digest(payload)
    key = f"commands of {application_id} in {guild_id or 'every server'}"
    with reading():
        registered = {command.name for command in await tree.fetch_commands(guild=guild)}
    expected = {command.name for command in tree.get_commands(guild=guild)}
    if registered == expected and await db.read(get_value, key) == digest:
        log.info("commands are unchanged")
        return False
    with reading():
        if guild is None:
            await tree.client.http.bulk_upsert_global_commands(application_id, payload=payload)
        else:
            await tree.client.http.bulk_upsert_guild_commands(application_id, guild.id, payload=payload)
    await db.maintain(set_value, key, digest)
    log.info("synced %d commands", len(expected))
    return True


def _digest(payload: list[Payload]) -> str:
    ordered = sorted(payload, key=lambda command: str(command["name"]))
    return hashlib.sha256(json.dumps(ordered, sort_keys=True).encode()).hexdigest()
