"""`/settings` passes its choices on, and is for server managers."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.ui.features.settings import PICTURE_LABELS, PictureChoice, SettingsChanges
from cogs.settings import Settings
from tests.support.each_case import each_case
from tests.ui.fake_interactions import make_command_context


@each_case(
    "given, handed",
    [
        ({}, SettingsChanges()),
        ({"pictures": "high_contrast"}, SettingsChanges(pictures=PictureChoice.HIGH_CONTRAST)),
        ({"pictures": "off", "reminders": False}, SettingsChanges(pictures=PictureChoice.OFF, reminders=False)),
        ({"reminders": True, "invitations": False}, SettingsChanges(reminders=True, invitations=False)),
    ],
)
async def test_choices_are_passed_on(given: dict[str, Any], handed: SettingsChanges) -> None:
    asked: list[object] = []

    async def update(command: object, changes: object) -> None:
        asked.extend((command, changes))

    command: Any = make_command_context(settings=SimpleNamespace(update=update))
    cog: Any = Settings()
    await cog.settings.callback(cog, command, **given)
    assert asked == [command, handed]


@each_case("value", ["", "0", "STANDARD", "{seed}"])
async def test_unknown_choices_are_refused(value: str) -> None:
    cog: Any = Settings()
    with pytest.raises(Refusal) as refused:
        await cog.settings.callback(cog, SimpleNamespace(), pictures=value)
    assert refused.value.reason is HostReason.NO_SUCH_PICTURES


def test_the_command_is_for_server_managers() -> None:
    permissions = Settings.settings.default_permissions
    assert permissions is not None
    assert [name for name, needed in permissions if needed] == ["manage_guild"]


def test_every_way_to_show_tables_can_be_chosen() -> None:
    offered = {parameter.name: parameter.choices for parameter in Settings.settings.parameters}
    assert {choice.value for choice in offered["pictures"]} == set(PictureChoice) == set(PICTURE_LABELS)
