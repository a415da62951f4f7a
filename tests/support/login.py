"""Logging a client in without Discord."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest


async def log_in(client: discord.Client, application_id: int, patch: pytest.MonkeyPatch) -> None:
    """Log a client in as Discord would, and run its setup."""
    user = {"id": str(application_id), "username": "parlour", "discriminator": "0", "avatar": None, "bot": True}
    application = SimpleNamespace(id=application_id, interactions_endpoint_url=None, flags=discord.ApplicationFlags())

    async def static_login(_token: str) -> Any:
        return user

    async def application_info() -> Any:
        return application

    patch.setattr(client.http, "static_login", static_login)
    patch.setattr(client, "application_info", application_info)
    await client.login("forged")
