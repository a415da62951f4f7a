"""`/settings` opens the panel, and is for server managers."""

from types import SimpleNamespace
from typing import Any

from cogs.settings import Settings
from tests.ui.fake_interactions import make_command_context


async def test_the_command_opens_the_panel() -> None:
    asked: list[object] = []

    async def note(command: object) -> None:
        asked.append(command)

    command: Any = make_command_context(settings=SimpleNamespace(open=note))
    cog: Any = Settings()
    await cog.settings.callback(cog, command)
    assert asked == [command]


def test_the_command_is_for_server_managers() -> None:
    permissions = Settings.settings.default_permissions
    assert permissions is not None
    assert [name for name, needed in permissions if needed] == ["manage_guild"]
