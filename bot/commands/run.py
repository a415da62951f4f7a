"""`run`: the bot itself."""

import asyncio
import sys
from typing import Annotated

import typer

from bot.commands.console import fail, load_settings, load_whole_games, no_database, open_store, set_up_logging
from bot.settings import Settings
from bot.tables.ports import StoreUnavailable
from bot.tables.registry import Registry


def run(
    leashed: Annotated[
        bool,
        typer.Option("--leashed", help="End when the standard input closes, as it does with the program behind it."),
    ] = False,
) -> None:
    """Run the bot; needs DISCORD_TOKEN."""
    settings = load_settings()
    if settings.discord_token is None:
        fail(
            "DISCORD_TOKEN is missing: put your bot's token into .env (copy .env.example), "
            "or type `make demo`, which needs none."
        )
    set_up_logging(settings.log_level)
    games = load_whole_games()
    from bot.ui.runner import CannotConnect

    try:
        token = settings.discord_token.get_secret_value()
        asyncio.run(_serve(settings, games, token, sys.stdin.fileno() if leashed else None))
    except StoreUnavailable as fault:
        no_database(fault)
    except CannotConnect as fault:
        fail(str(fault))


async def _serve(settings: Settings, games: Registry, token: str, leash: int | None) -> None:
    from bot.ui.runner import Connection, serve

    store = open_store(settings)
    try:
        await store.upgrade()
        connection = Connection(token, settings.discord_api_url, settings.dev_guild_id)
        await serve(store, games, connection, pause=settings.computer_pause, reminds=settings.reminders, leash=leash)
    finally:
        await store.close()
