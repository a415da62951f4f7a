"""Lists the slash commands without connecting to Discord."""

from discord import app_commands

from bot.ui.client.client import ParlourClient


async def list_commands(client: ParlourClient) -> list[str]:
    """Load every cog and return the names of all slash commands, sorted."""
    await client.load_cogs()
    found = client.tree.walk_commands()
    return sorted(f"/{each.qualified_name}" for each in found if isinstance(each, app_commands.Command))
