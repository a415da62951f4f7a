"""`run`: the bot itself."""

import asyncio

from bot.commands.console import fail, load_settings, set_up_logging
from bot.settings import Settings


def run() -> None:
    """Run the bot; needs DISCORD_TOKEN."""
    settings = load_settings()
    if settings.discord_token is None:
        fail(
            "DISCORD_TOKEN is missing: put your bot's token into .env (copy .env.example), "
            "or type `make demo`, which needs none."
        )
    set_up_logging(settings.log_level)
    from bot.tables.ports import StoreUnavailable
    from bot.ui.runner import CannotConnect

    try:
        asyncio.run(_serve(settings, settings.discord_token.get_secret_value()))
    except StoreUnavailable as fault:
        fail(f"The database can't be used: {fault}")
    except CannotConnect as fault:
        fail(str(fault))


async def _serve(settings: Settings, token: str) -> None:
    from bot.store.store import SqlStore
    from bot.tables.registry import load_games
    from bot.ui.runner import Connection, serve

    store = SqlStore(settings.database_url)
    try:
        await store.upgrade()
        connection = Connection(token, settings.discord_api_url, settings.dev_guild_id)
        await serve(store, load_games(), connection, pause=settings.computer_pause)
    finally:
        await store.close()
