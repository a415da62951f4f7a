"""Serving as `run` does."""

from bot.platform.discord.client import ParlourClient
from bot.platform.discord.run import ConnectionSettings, serve, stop_on_signal


async def serve_until_stopped(
    client: ParlourClient, connection: ConnectionSettings, *, stop_fd: int | None = None
) -> None:
    """Serve until SIGINT or SIGTERM, or until the pipe at the file descriptor `stop_fd` closes."""
    with stop_on_signal(stop_fd) as ended:
        await serve(client, connection, ended)
