"""Lists the slash commands without connecting to Discord."""

from collections.abc import Mapping

from discord import app_commands

from bot.tables.registry import AnyPackage
from bot.ui.client.client import ParlourClient, Storage


async def list_commands(store: Storage, games: Mapping[str, AnyPackage]) -> list[str]:
    """Load every cog and return the names of all slash commands, sorted."""
    client = ParlourClient(store, games, pause=0)
    await client.load_cogs()
    found = client.tree.walk_commands()
    return sorted(f"/{each.qualified_name}" for each in found if isinstance(each, app_commands.Command))
