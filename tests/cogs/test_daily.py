"""The command of the daily bag."""

from types import SimpleNamespace
from typing import Any

from bot.features.daily_bag.commands import DailyBagCommands
from tests.ui.fake_interactions import make_command_context


async def test_the_command_shows_the_bag_of_the_day() -> None:
    shown: list[object] = []

    async def show(command: object) -> None:
        shown.append(command)

    asked = make_command_context(daily_bags=SimpleNamespace(show=show))
    cog: Any = DailyBagCommands()
    await cog.daily.callback(cog, asked)
    assert shown == [asked]
