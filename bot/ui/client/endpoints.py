"""Points discord.py at another server than Discord's."""

from urllib.parse import urlsplit

import discord
import yarl
from discord.gateway import DiscordWebSocket


def set_api_url(api_url: str) -> None:
    """Send all requests of this process to another API address, such as `http://127.0.0.1:8000/api/v10`.

    The bot's token is sent there, so the caller must trust the address.
    """
    address = urlsplit(api_url)
    root = f"{address.scheme}://{address.netloc}"
    discord.http.Route.BASE = api_url.rstrip("/")
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address.netloc}/gateway")
    discord.asset.Asset.BASE = f"{root}/cdn"
